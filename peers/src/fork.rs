//! Python's `multiprocessing` forks: a process that was forked after clearway's threads started must still get answers.

use clearway::{MeshOptions, PathQuery, Plan, PlanFormat};
use std::time::{Duration, Instant};

/// A child that has not answered by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_forked_process_gets_threads_of_its_own() {
    let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 9 0, 9 9, 0 9), (3 3, 6 3, 6 6, 3 6))").unwrap();
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let [from, to] = [[1.0, 1.0], [8.0, 8.0]].map(|place| mesh.locate(place).unwrap());
    let queries = vec![PathQuery::new(from, to).radius(0.5); 64];
    let before = mesh.find_paths(&queries);
    // SAFETY: the child only computes and leaves by `_exit`, which runs no handlers of the parent.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let same = mesh.find_paths(&queries) == before;
        // SAFETY: as above.
        unsafe { libc::_exit(i32::from(!same)) };
    }
    assert!(child > 0, "cannot fork");
    let (started, mut status) = (Instant::now(), 0);
    // SAFETY: `status` outlives the calls.
    while unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } == 0 {
        if started.elapsed() > PATIENCE {
            // SAFETY: the child is ours.
            unsafe { libc::kill(child, libc::SIGKILL) };
            panic!("the forked process does not answer");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status}");
}

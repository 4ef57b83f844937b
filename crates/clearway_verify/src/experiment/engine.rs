//! Laws of the engine itself: threads, cells.

use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::Outcome;
use crate::sim::{Fill, Sim};
use crate::site::Site;
use clearway_base::{Error, ErrorKind, Result};

/// The same crowd on one, two and four threads (Jülich 9): the same bits.
pub fn threads(lab: &Lab) -> Result<Outcome> {
    let run = || -> Result<Vec<[u64; 2]>> {
        let site = Site::rooms(&[[0.0, 0.0, 12.0, 10.0], [12.0, 4.5, 14.0, 5.5], [14.0, 0.0, 18.0, 10.0]])?;
        let mut sim = Sim::new(lab, &site, 1)?;
        let goal = sim.goal([17.0, 0.0, 18.0, 10.0])?;
        sim.fill(Fill::new(200, [0.0, 0.0, 12.0, 10.0], Law::WALKERS, goal, 1))?;
        sim.run_for(10.0, |_| ())?;
        Ok(sim.present().iter().map(|body| body.at.map(f64::to_bits)).collect())
    };
    let on = |threads: usize| -> Result<Vec<[u64; 2]>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::new(ErrorKind::Io, format!("threads: {error}")))?;
        pool.install(run)
    };
    let one = on(1)?;
    let equal = [2, 4].into_iter().map(on).collect::<Result<Vec<_>>>()?;
    let mut outcome = Outcome::default();
    outcome.all(
        "runs on 2 and 4 threads that equal one thread",
        equal.iter().filter(|run| **run == one).count(),
        2,
    );
    Ok(outcome)
}

/// The same space in few and in many cells (Jülich 11): the same time.
pub fn cells(lab: &Lab) -> Result<Outcome> {
    // Dents of a millimetre in the walls cut the same corridor into more cells.
    let mut ring = vec![[0.0, 0.0]];
    for x in [3.0, 6.0, 9.0] {
        ring.extend([[x, 0.0], [x + 0.2, 0.001], [x + 0.4, 0.0]]);
    }
    ring.extend([[12.0, 0.0], [12.0, 4.0]]);
    for x in [10.0, 7.0, 4.0] {
        ring.extend([[x, 4.0], [x - 0.2, 3.999], [x - 0.4, 4.0]]);
    }
    ring.push([0.0, 4.0]);
    let plain = Site::rooms(&[[0.0, 0.0, 12.0, 4.0]])?;
    let dented = Site::outline(ring, Vec::new())?;
    let mut outcome = Outcome::default();
    let mut times = Vec::new();
    for site in [&plain, &dented] {
        let mut sim = Sim::new(lab, site, 1)?;
        let goal = sim.goal([11.0, 1.0, 12.0, 3.0])?;
        sim.add([1.0, 0.6], 1.0, goal)?;
        sim.run(60.0, |_| true)?;
        times.push(sim.last_time());
        let caption = format!("{} cells", site.mesh.cell_count());
        outcome.take(sim.finish(caption));
    }
    outcome.at_most("difference of the times", (times[0] - times[1]).abs(), "s", crate::sim::STEP + 1e-9);
    outcome.show("cells of the plain corridor", plain.mesh.cell_count() as f64, "");
    outcome.show("cells of the dented corridor", dented.mesh.cell_count() as f64, "");
    Ok(outcome)
}

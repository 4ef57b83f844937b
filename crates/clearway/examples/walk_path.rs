//! A body walks its path, frame by frame: `cargo run --example walk_path`.

use clearway::{Follower, MeshOptions, PathQuery, Plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan =
        Plan::from_rings([vec![[0.0, 4.0], [4.0, 4.0], [4.0, 0.0], [6.0, 0.0], [6.0, 6.0], [0.0, 6.0]]]);
    let mesh = MeshOptions::default().build(&plan)?;
    let (mut at, goal) = (mesh.locate([0.5, 5.0])?, mesh.locate([5.0, 0.5])?);
    let mut follower = Follower::new(mesh.find_path(&PathQuery::new(at, goal).radius(0.4))?);
    // 1.4 m/s at 10 frames a second.
    for frame in 0.. {
        let step = follower.step(&mesh, at, 0.14);
        at = step.at;
        if frame % 10 == 0 || step.arrived {
            println!("frame {frame}: {:.2?}, {:.2} m of the path", at.position(), follower.progress());
        }
        if step.arrived || step.lost {
            break;
        }
    }
    Ok(())
}

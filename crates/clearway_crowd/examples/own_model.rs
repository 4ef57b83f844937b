//! A local model of one's own in one file: `cargo run --example own_model`.
//!
//! A model says how fast and where a body wishes to walk. The engine finds neighbours and walls, keeps bodies apart and
//! moves them over the mesh. So a model need not care about contacts: even a bad one makes nobody overlap.

use clearway_build::MeshOptions;
use clearway_crowd::{
    Act, AgentOptions, Area, Arrival, Crowd, CrowdOptions, LocalModel, NearWall, Neighbour, Parameter, Spec,
    View,
};
use clearway_world::plan::Plan;

/// People who follow: each walks as fast as the gap to the next body ahead allows, and passes on the left.
struct Followers {
    /// The time in seconds in which the gap ahead is walked.
    time_gap: f32,
}

impl LocalModel for Followers {
    fn spec(&self) -> Spec {
        Spec::new("followers").range(2.0).neighbours(8).max_dt(0.1)
    }

    fn act(&self, me: &View, near: &[Neighbour], _walls: &[NearWall]) -> Act {
        // A body that stands has no head and no speed: it wishes nothing.
        let mut wish = me.head * me.speed;
        for other in near {
            let (ahead, gap) = (other.direction().dot(me.head), other.gap(me.radius).max(0.0));
            if ahead > 0.7 {
                wish = wish.at_most(gap / self.time_gap);
            }
            // Who has the right of way and is near gets room; everybody else is passed on the left.
            let away = if other.first { -other.direction() } else { me.head.left() };
            if gap < 0.1 && !me.stands {
                wish += away * (2.0 * (0.1 - gap));
            }
        }
        Act::velocity(wish)
    }

    // These two are not needed. With them, scenario files can set the parameter by its name.
    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::new("time_gap", self.time_gap, 0.1, 10.0)]
    }

    fn set(&mut self, name: &str, value: f32) -> bool {
        if name == "time_gap" {
            self.time_gap = value;
        }
        name == "time_gap"
    }
}

/// A room of 6 by 4 m with a door of 1.2 m and open ground behind it.
const PLAN: [[f64; 2]; 12] = [
    [0.0, 0.0],
    [6.0, 0.0],
    [6.0, 1.4],
    [6.4, 1.4],
    [6.4, 0.0],
    [10.0, 0.0],
    [10.0, 4.0],
    [6.4, 4.0],
    [6.4, 2.6],
    [6.0, 2.6],
    [6.0, 4.0],
    [0.0, 4.0],
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = MeshOptions::default().build(&Plan::from_rings([PLAN.to_vec()]))?;
    let mut crowd = Crowd::new(CrowdOptions::default()).with_model(Followers { time_gap: 0.6 });
    let exit = crowd.add_goal(Area::rectangle([9.0, 0.5], [9.8, 3.5])?);
    for place in 0..24 {
        let at = [0.6 + 0.7 * f64::from(place % 6), 0.5 + f64::from(place / 6)];
        let at = mesh.locate(at)?;
        crowd.add(AgentOptions::at(at).radius(0.2).speed(1.34).goal(exit).arrival(Arrival::Leave))?;
    }
    let mut deepest = 0.0f64;
    while !crowd.is_empty() && crowd.time() < 120.0 {
        crowd.step(&mesh, 0.1)?;
        deepest = deepest.max(crowd.measure(&mesh).overlap);
    }
    println!("{} of 24 left after {:.1} s", 24 - crowd.len(), crowd.time());
    println!("deepest overlap {deepest:.6} m");
    Ok(())
}

//! Walls, corners and standing people.

use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::Outcome;
use crate::sim::{Fill, Sim};
use crate::site::{Site, inside};
use clearway_base::Result;
use clearway_crowd::Goal;

/// Twenty people go round a corner (RiMEA 6): all leave, and nobody enters the corner.
pub fn corner(lab: &Lab) -> Result<Outcome> {
    let ring = vec![[0.0, 0.0], [12.0, 0.0], [12.0, 12.0], [10.0, 12.0], [10.0, 2.0], [0.0, 2.0]];
    let site = Site::outline(ring, Vec::new())?;
    let runs = lab.sweep(&lab.seeds(), |seed| {
        let mut sim = Sim::new(lab, &site, *seed)?;
        let exit = sim.goal([10.0, 11.0, 12.0, 12.0])?;
        sim.fill(Fill::new(20, [0.0, 0.0, 6.0, 2.0], Law::Fixed(1.34), exit, *seed))?;
        let mut outside = 0;
        sim.run(120.0, |sim| {
            let is_out = |at: [f64; 2]| inside([f64::NEG_INFINITY, 2.001, 9.999, f64::INFINITY], at);
            outside += sim.present().iter().filter(|body| is_out(body.at)).count();
            true
        })?;
        Ok((sim.last_time(), sim.gone(), outside, sim.finish("twenty people, start to exit")))
    })?;
    let mut outcome = Outcome::default();
    let times: Vec<f64> = runs.iter().map(|run| run.0).collect();
    outcome.at_most("time of the last", crate::stats::greatest(&times), "s", 60.0);
    outcome.all("people out", runs.iter().map(|run| run.1).sum(), 20 * runs.len());
    outcome.all("positions outside of the walls", runs.iter().map(|run| run.2).sum(), 0);
    runs.into_iter().take(1).for_each(|run| outcome.take(run.3));
    Ok(outcome)
}

/// A door in a niche (Jülich 3): people from random places pass it.
pub fn niche(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 9.0, 5.0], [9.0, 2.0, 10.0, 3.0]])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let goal = sim.goal([9.5, 2.0, 10.0, 3.0])?;
    sim.fill(Fill::new(5, [0.0, 0.0, 2.0, 5.0], Law::Fixed(1.34), goal, 1))?;
    sim.run(60.0, |_| true)?;
    let mut outcome = Outcome::default();
    outcome.all("people through the door", sim.gone(), 5);
    outcome.show("time of the last", sim.last_time(), "s");
    outcome.take(sim.finish("five people from random places"));
    Ok(outcome)
}

/// A walker passes somebody who stands (Jülich 4).
pub fn stander(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 12.0, 4.0]])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let goal = sim.goal([10.0, 0.0, 12.0, 4.0])?;
    let walker = sim.add([2.0, 2.2], 1.0, goal)?;
    let stander = sim.add([4.0, 2.0], 0.0, Goal::None)?;
    let mut nearest = f64::INFINITY;
    sim.run(30.0, |sim| {
        let at = |person: usize| sim.present().iter().find(|body| body.person == person).map(|body| body.at);
        let (Some(one), Some(other)) = (at(walker), at(stander)) else { return false };
        nearest = nearest.min((one[0] - other[0]).abs().max((one[1] - other[1]).abs()));
        true
    })?;
    let mut outcome = Outcome::default();
    outcome.all("walkers past the stander", sim.gone(), 1);
    // Bodies of 0.3 m touch at the edge of the box; rounding is forgiven.
    outcome.at_least(
        "half side of the free box",
        nearest,
        "m",
        (2.0 * lab.radius / 2f64.sqrt()).min(0.3) - 1e-3,
    );
    outcome.take(sim.finish("a walker and a stander"));
    Ok(outcome)
}

/// A walker meets somebody who stands where nobody can pass (Jülich 5): it stops, and nobody overlaps.
pub fn blocked(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 12.0, 0.8]])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let goal = sim.goal([10.0, 0.0, 12.0, 0.8])?;
    let walker = sim.add([2.0, 0.5], 1.0, goal)?;
    sim.add([4.0, 0.4], 0.0, Goal::None)?;
    sim.run_for(20.0, |_| ())?;
    let body = sim.present().iter().find(|body| body.person == walker);
    let mut outcome = Outcome::default();
    let speed = body.map_or(f64::INFINITY, |body| body.velocity[0].hypot(body.velocity[1]));
    outcome.at_most("speed after 20 s", speed, "m/s", 0.02);
    outcome.at_most("place after 20 s", body.map_or(f64::INFINITY, |body| body.at[0]), "m", 4.0);
    outcome.take(sim.finish("nobody can pass"));
    Ok(outcome)
}

/// Two walkers among triangles (Jülich 8).
pub fn triangles(lab: &Lab) -> Result<Outcome> {
    let ring = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 4.0], [0.0, 4.0]];
    let holes =
        vec![vec![[5.0, 0.1], [7.0, 0.1], [6.0, 1.0]], vec![[2.79, 3.93], [3.75, 2.91], [4.48, 3.93]]];
    let site = Site::outline(ring, holes)?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let goal = sim.goal([9.0, 0.0, 10.0, 4.0])?;
    sim.add([1.0, 0.5], 1.0, goal)?;
    sim.add([1.0, 3.5], 1.0, goal)?;
    sim.run(60.0, |_| true)?;
    let mut outcome = Outcome::default();
    outcome.all("people out", sim.gone(), 2);
    outcome.show("time of the last", sim.last_time(), "s");
    outcome.take(sim.finish("two walkers among triangles"));
    Ok(outcome)
}

/// Standers behind a wall do not disturb a walker (Jülich 12).
pub fn hidden(lab: &Lab) -> Result<Outcome> {
    // The wall between the corridors is 2 cm thick.
    let site = Site::rooms(&[[0.0, 0.0, 20.0, 1.0], [0.0, 1.02, 20.0, 2.02], [0.0, 0.0, 0.5, 2.02]])?;
    let walk = |standers: bool| -> Result<(Vec<[f64; 2]>, crate::outcome::Trace)> {
        let mut sim = Sim::new(lab, &site, 1)?;
        let goal = sim.goal([19.0, 0.0, 20.0, 1.0])?;
        let walker = sim.add([2.0, 0.5], 1.0, goal)?;
        let rest = lab.radius + 0.03;
        for x in (5..16).filter(|_| standers) {
            sim.add([f64::from(x), 1.02 + rest], 0.0, Goal::None)?;
        }
        let mut track = Vec::new();
        sim.run(40.0, |sim| {
            track.extend(sim.present().iter().filter(|body| body.person == walker).map(|body| body.at));
            sim.people()[walker].left.is_none()
        })?;
        Ok((track, sim.finish("a walker, and standers behind a wall")))
    };
    let ((with, trace), (without, other)) = (walk(true)?, walk(false)?);
    let lateral: f64 = with.windows(2).map(|pair| (pair[1][1] - pair[0][1]).abs()).sum();
    let mut outcome = Outcome::default();
    outcome.at_most("sum of sideways motion", lateral, "m", 0.005);
    outcome.all("runs with and without standers that are equal", usize::from(with == without), 1);
    outcome.take(trace);
    outcome.take_unseen(other);
    Ok(outcome)
}

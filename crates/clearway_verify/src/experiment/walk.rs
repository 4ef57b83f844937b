//! One person who walks: along corridors, past sub-goals, up and down stairs.

use super::time_between;
use crate::lab::Lab;
use crate::outcome::Outcome;
use crate::sim::Sim;
use crate::site::{Ground, Site, corners};
use clearway_base::Result;
use clearway_crowd::{Area, Goal};

/// A corridor 40 m long and 2 m wide with room before and behind. Parts: `rimea` at 1.33 m/s, `one` at 1 m/s.
pub fn corridor(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[-10.0, 0.0, 50.0, 2.0]])?;
    let mut outcome = Outcome::default();
    let time = |speed: f64, start: f64, outcome: &mut Outcome| -> Result<f64> {
        let mut sim = Sim::new(lab, &site, 1)?;
        let goal = sim.goal([48.0, 0.0, 50.0, 2.0])?;
        sim.add([start, 1.0], speed, goal)?;
        let time = time_between(&mut sim, 120.0, |at| at[0], 0.0, 40.0)?;
        outcome.take(sim.finish(format!("one person at {speed} m/s")));
        Ok(time)
    };
    outcome.part("rimea");
    // The guideline starts the clock with the person at rest.
    let from_rest = time(1.33, -0.001, &mut outcome)?;
    outcome.within("time over 40 m", from_rest, "s", 26.0, 34.0);
    outcome.part("speed");
    let at_speed = time(1.0, -8.0, &mut outcome)?;
    outcome.within("speed", 40.0 / at_speed, "m/s", 0.95, 1.05);
    outcome.part("imo");
    outcome.near("time over 40 m", at_speed, "s", 40.0, 0.05);
    Ok(outcome)
}

/// A stair between two landings: its length along the slope and its rise, in metres.
fn stair_site(length: f64, rise: f64) -> Result<(Site, f64)> {
    let run = (length * length - rise * rise).sqrt();
    let site = Site::storeys(&[
        Ground::level([0.0, 0.0, 3.0, 2.0], 0.0),
        Ground::along_x([3.0, 0.0, 3.0 + run, 2.0], 0.0, rise),
        Ground::level([3.0 + run, 0.0, 6.0 + run, 2.0], rise),
    ])?;
    Ok((site, run))
}

/// Returns the speed of one person along the slope of a stair. The zone makes `speed` times `factor` of it.
fn stair_speed(
    lab: &Lab,
    (length, rise): (f64, f64),
    speed: f64,
    factor: f64,
    is_up: bool,
    outcome: &mut Outcome,
) -> Result<f64> {
    let (site, run) = stair_site(length, rise)?;
    let mut sim = Sim::new(lab, &site, 1)?;
    sim.zone([3.0, 0.0, 3.0 + run, 2.0], factor, factor)?;
    let end = 6.0 + run;
    let (start, height, goal) = match is_up {
        true => (0.5, 0.0, sim.goal([end - 1.0, 0.0, end, 2.0])?),
        false => (end - 0.5, rise, sim.goal([0.0, 0.0, 1.0, 2.0])?),
    };
    sim.add([start, height, -1.0], speed, goal)?;
    let along = |at: [f64; 2]| if is_up { at[0] } else { end - at[0] };
    let time = time_between(&mut sim, 400.0, along, 3.0, 3.0 + run)?;
    outcome.take(sim.finish(format!("stair of {length} m, {}", if is_up { "up" } else { "down" })));
    Ok(length / time)
}

/// Stairs of 10 and 100 m. Parts: `up` and `down` (RiMEA), `half` (ISO), `long` (NIST), `imo-up` and `imo-down`.
pub fn stairs(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for (part, is_up, wanted) in [("up", true, 0.5), ("down", false, 0.65)] {
        outcome.part(part);
        let speed = stair_speed(lab, (10.0, 6.0), 1.34, wanted / 1.34, is_up, &mut outcome)?;
        outcome.near("time over the stair", 10.0 / speed, "s", 10.0 / wanted, 0.05);
    }
    for (is_up, way) in [(true, "up"), (false, "down")] {
        outcome.part("half");
        let speed = stair_speed(lab, (10.0, 4.0), 1.0, 0.5, is_up, &mut outcome)?;
        outcome.within(format!("speed {way}"), speed, "m/s", 0.45, 0.55);
        outcome.part("long");
        let speed = stair_speed(lab, (100.0, 40.0), 1.34, 1.0 / 1.34, is_up, &mut outcome)?;
        outcome.within(format!("speed {way}"), speed, "m/s", 0.95, 1.05);
        outcome.part(if is_up { "imo-up" } else { "imo-down" });
        let speed = stair_speed(lab, (10.0, 4.0), 1.34, 1.0 / 1.34, is_up, &mut outcome)?;
        outcome.near("time over the stair", 10.0 / speed, "s", 10.0, 0.05);
    }
    Ok(outcome)
}

/// A corridor of 12 by 4 m, straight (`straight`) and turned by 45 degrees (`turned`).
pub fn turned(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut times = Vec::new();
    for degrees in [0.0f64, 45.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let turn = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
        let ring = corners([0.0, 0.0, 14.0, 4.0]).into_iter().map(turn).collect();
        let site = Site::outline(ring, Vec::new())?;
        let mut sim = Sim::new(lab, &site, 1)?;
        let goal = corners([12.0, 0.0, 14.0, 4.0]).into_iter().map(turn).collect();
        let goal = sim.crowd.add_goal(Area::new(goal)?);
        sim.add(turn([2.0, 2.0]), 1.0, goal)?;
        sim.run(60.0, |_| true)?;
        times.push(sim.last_time());
        outcome.take(sim.finish(format!("turned by {degrees} degrees")));
    }
    outcome.part("straight");
    outcome.within("time over 10 m", times[0], "s", 9.5, 10.5);
    outcome.part("turned");
    outcome.at_most("difference of the times", (times[1] - times[0]).abs(), "s", 0.1);
    Ok(outcome)
}

/// Five sub-goals in a row cost no time.
pub fn sub_goals(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 14.0, 4.0]])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let mut place = |x: f64| -> Result<Goal> { Ok(sim_place(&site, x)) };
    let goals = [4.0, 6.0, 8.0, 10.0, 13.0].map(&mut place).into_iter().collect::<Result<Vec<Goal>>>()?;
    let person = sim.add([1.0, 2.0], 1.0, goals[0])?;
    let id = sim.people()[person].id;
    let (mut begun, mut ended, mut next) = (f64::INFINITY, f64::INFINITY, 1);
    while sim.time() < 60.0 && ended.is_infinite() {
        sim.step()?;
        let Some(body) = sim.present().first() else { break };
        let x = body.at[0];
        // Half a metre before a sub-goal the next one becomes the goal.
        if next < goals.len() && x > 2.0 * next as f64 + 1.5 {
            sim.crowd.set_goal(id, goals[next]);
            next += 1;
        }
        if x >= 2.0 {
            begun = begun.min(sim.time());
        }
        if x >= 12.0 {
            ended = sim.time();
        }
    }
    let mut outcome = Outcome::default();
    outcome.within("time over 10 m", ended - begun, "s", 9.9, 10.1);
    outcome.take(sim.finish("five sub-goals in a row"));
    Ok(outcome)
}

/// Returns a goal on the middle line of the corridor of [`sub_goals`].
fn sim_place(site: &Site, x: f64) -> Goal {
    site.mesh.locate([x, 2.0]).map_or(Goal::None, Goal::Place)
}

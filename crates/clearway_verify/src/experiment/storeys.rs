//! Buildings of several storeys.

use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::Outcome;
use crate::report::chart::{Chart, Mark};
use crate::sim::{Fill, Sim};
use crate::site::{Ground, Rect, Site, inside};
use clearway_base::Result;
use clearway_crowd::Goal;

/// The height of a storey in metres.
const STOREY: f64 = 3.0;

/// The number of rooms along each side of a corridor of the building of RiMEA 8.
const ROOMS: [usize; 3] = [18, 19, 19];

/// A room and the height of its floor.
type Room = (Rect, f64);

/// A building of three storeys (RiMEA 8): rooms of 2 by 3 m with four people each, one stair, one exit.
fn building() -> Result<(Site, Vec<Room>)> {
    let (mut grounds, mut rooms) = (Vec::new(), Vec::new());
    for (storey, count) in ROOMS.iter().enumerate() {
        let height = STOREY * storey as f64;
        let end = 2.0 * *count as f64;
        grounds.push(Ground::level([0.0, 0.0, end, 1.0], height));
        for room in 0..*count {
            let left = 2.0 * room as f64;
            for (low, high, door) in [(1.1, 4.0, [1.0, 1.1]), (-3.0, -0.1, [-0.1, 0.0])] {
                let rect = [left + 0.05, low, left + 1.95, high];
                grounds.push(Ground::level(rect, height));
                grounds.push(Ground::level([left + 0.5, door[0], left + 1.5, door[1]], height));
                rooms.push((rect, height));
            }
        }
        // A landing to the left of the corridor joins the flights.
        grounds.push(Ground::level([-2.0, -1.5, 0.0, 2.5], height));
    }
    for storey in 0..2 {
        let low = STOREY * f64::from(storey);
        // Up from the landing, a half landing, and back to the landing above it: both flights are 2 m wide.
        grounds.push(Ground::along_x([-5.0, 0.5, -2.0, 2.5], low + 0.5 * STOREY, low));
        grounds.push(Ground::level([-7.0, -1.5, -5.0, 2.5], low + 0.5 * STOREY));
        grounds.push(Ground::along_x([-5.0, -1.5, -2.0, 0.5], low + 0.5 * STOREY, low + STOREY));
    }
    // The exit on the ground floor is at the far end of the corridor.
    let end = 2.0 * ROOMS[0] as f64;
    grounds.push(Ground::level([end, 0.0, end + 2.0, 1.0], 0.0));
    Ok((Site::storeys(&grounds)?, rooms))
}

/// The time to leave a building by the speed of all, and by the spread of speeds (RiMEA 8).
pub fn parameters(lab: &Lab) -> Result<Outcome> {
    let (site, rooms) = building()?;
    let laws = [
        ("0.5 m/s", Law::Fixed(0.5)),
        ("0.75 m/s", Law::Fixed(0.75)),
        ("1.0 m/s", Law::Fixed(1.0)),
        ("1.25 m/s", Law::Fixed(1.25)),
        ("1.0 ± 0.2 m/s", Law::Uniform(0.8, 1.2)),
        ("1.0 ± 0.4 m/s", Law::Uniform(0.6, 1.4)),
    ];
    let exit = 2.0 * ROOMS[0] as f64 + 1.0;
    let runs = lab.sweep(&laws, |(_, law)| {
        let mut sim = Sim::new(lab, &site, 1)?;
        sim.dt = 0.1;
        // Slow people take minutes from the upper storeys.
        sim.patience = 240.0;
        let goal = sim.goal_at([exit, 0.0, exit + 1.0, 1.0], 0.0)?;
        for flight in [[-5.0, 0.5, -2.0, 2.5], [-5.0, -1.5, -2.0, 0.5]] {
            sim.zone(flight, 0.5, 0.6)?;
        }
        for (index, (room, height)) in rooms.iter().enumerate() {
            let [left, low, right, high] = *room;
            for person in 0..4u32 {
                let at = [
                    left + (right - left) * (0.3 + 0.4 * f64::from(person % 2)),
                    low + (high - low) * (0.3 + 0.4 * f64::from(person / 2)),
                ];
                let speed = law.draw(1, index as u32 * 4 + person, 9);
                let group = (*height / STOREY).round() as u32;
                sim.add_waiting([at[0], *height, 0.0 - at[1]], speed, goal, group, 0.0)?;
            }
        }
        sim.run(1500.0, |_| true)?;
        let people = sim.people().len();
        Ok((sim.last_time(), sim.gone(), people, sim.finish("three storeys, seen from above")))
    })?;
    let mut outcome = Outcome::default();
    let times: Vec<f64> = runs.iter().map(|run| run.0).collect();
    for ((name, _), time) in laws.iter().zip(&times) {
        outcome.show(format!("time at {name}"), *time, "s");
    }
    outcome.show("people out", runs.iter().map(|run| run.1).sum::<usize>() as f64, "");
    outcome.show("people in all runs", runs.iter().map(|run| run.2).sum::<usize>() as f64, "");
    let slower = times[..4].windows(2).filter(|pair| pair[1] > pair[0]).count();
    outcome.show("faster crowds that take longer", slower as f64, "");
    let curve = [0.5, 0.75, 1.0, 1.25].into_iter().zip(times).collect();
    outcome.charts.push(Chart::new("time by speed", "m/s", "s").with("here", Mark::Ours, curve));
    runs.into_iter().for_each(|run| outcome.take(run.3));
    outcome.pictures.truncate(1);
    outcome.note = "The guideline asks for documentation only.".to_string();
    Ok(outcome)
}

/// A long level way and a short way down and up stairs (RiMEA 14).
pub fn routes(lab: &Lab) -> Result<Outcome> {
    let site = Site::storeys(&[
        Ground::level([0.0, 0.0, 5.0, 20.0], 0.0),
        Ground::level([5.0, 15.0, 25.0, 20.0], 0.0),
        Ground::level([25.0, 0.0, 30.0, 20.0], 0.0),
        Ground::along_x([5.0, 4.0, 10.0, 6.0], 0.0, -3.0),
        Ground::level([10.0, 3.0, 20.0, 7.0], -3.0),
        Ground::along_x([20.0, 4.0, 25.0, 6.0], -3.0, 0.0),
        Ground::level([27.0, -2.0, 29.0, 0.0], 0.0),
    ])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    for stair in [[5.0, 4.0, 10.0, 6.0], [20.0, 4.0, 25.0, 6.0]] {
        sim.zone(stair, 0.5, 0.6)?;
    }
    let goal = sim.goal([27.0, -2.0, 29.0, -1.0])?;
    let people = Fill::new(60, [0.0, 0.0, 5.0, 4.0], Law::WALKERS, Goal::Area(goal), 1);
    sim.fill(people.height(0.0))?;
    let (mut short, mut long) = (vec![false; 60], vec![false; 60]);
    sim.run(300.0, |sim| {
        for body in sim.present() {
            short[body.person] |= inside([10.0, 3.0, 20.0, 7.0], body.at);
            long[body.person] |= inside([10.0, 15.0, 20.0, 20.0], body.at);
        }
        true
    })?;
    let count = |taken: &[bool]| taken.iter().filter(|taken| **taken).count() as f64;
    let mut outcome = Outcome::default();
    outcome.show("people by the stairs", count(&short), "");
    outcome.show("people by the long level way", count(&long), "");
    outcome.show("people out", sim.gone() as f64, "");
    outcome.show("time of the last", sim.last_time(), "s");
    outcome.note = "The guideline asks to say which way is taken.".to_string();
    outcome.take(sim.finish("sixty people, two ways"));
    Ok(outcome)
}

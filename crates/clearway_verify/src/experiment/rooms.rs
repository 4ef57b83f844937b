//! Rooms with several exits: who takes which, and how long it takes.

use crate::choice::{self, Exit};
use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::{Outcome, Trace};
use crate::sim::{Fill, Sim};
use crate::site::{Rect, Site};
use crate::stats::mean;
use clearway_base::Result;
use clearway_crowd::{Goal, GoalId, random};

/// The capacity of a door of 1 m that people reckon with, in persons per second: the data have 1.7 to 2.0.
const CAPACITY: f64 = 1.8;

/// A thousand people leave a room of 30 by 20 m by four doors, then by two (RiMEA 9, IMO 9). Parts: `ratio`, `times`.
pub fn large_room(lab: &Lab) -> Result<Outcome> {
    let runs = lab.sweep(&[true, false], |has_four| leave_large_room(lab, *has_four))?;
    let mut outcome = Outcome::default();
    let [four, two] = [0, 1].map(|which| runs[which].0);
    outcome.part("ratio");
    outcome.within("time with two doors as a share of four", two / four, "", 1.6, 2.4);
    outcome.all("people out", runs.iter().map(|run| run.1).sum(), 2000);
    outcome.part("times");
    outcome.at_most("time with four doors", four, "s", 132.0);
    outcome.show("time with two doors", two, "s");
    runs.into_iter().for_each(|run| outcome.take(run.2));
    Ok(outcome)
}

fn leave_large_room(lab: &Lab, has_four: bool) -> Result<(f64, usize, Trace)> {
    let mut rooms = vec![[0.0, 0.0, 30.0, 20.0]];
    let mut doors = vec![(4.5, true), (25.5, true)];
    if has_four {
        doors.extend([(4.5, false), (25.5, false)]);
    }
    rooms.extend(doors.iter().flat_map(|(x, is_upper)| door(*x, *is_upper)));
    let site = Site::rooms(&rooms)?;
    let mut sim = Sim::new(lab, &site, 31)?;
    sim.dt = 0.1;
    let exits = doors.iter().map(|(x, is_upper)| open_exit(&mut sim, outside(*x, *is_upper)));
    let exits = exits.collect::<Result<Vec<Exit>>>()?;
    sim.fill(Fill::new(1000, [2.0, 2.0, 28.0, 18.0], Law::WALKERS, Goal::None, 31))?;
    choice::run(&mut sim, &exits, 500.0)?;
    Ok((sim.last_time(), sim.gone(), sim.finish(format!("1000 people, {} doors", doors.len()))))
}

/// Returns a door of 1 m in a wall of 0.2 m of a room 20 m deep, and the ground outside of it.
fn door(x: f64, is_upper: bool) -> [Rect; 2] {
    match is_upper {
        true => [[x - 0.5, 20.0, x + 0.5, 20.2], [x - 2.0, 20.2, x + 2.0, 22.2]],
        false => [[x - 0.5, -0.2, x + 0.5, 0.0], [x - 2.0, -2.2, x + 2.0, -0.2]],
    }
}

/// Returns the goal outside of a door, one metre behind it.
fn outside(x: f64, is_upper: bool) -> Rect {
    let [low, high] = if is_upper { [21.2, 22.2] } else { [-2.2, -1.2] };
    [x - 2.0, low, x + 2.0, high]
}

/// Adds an exit that is open.
fn open_exit(sim: &mut Sim, rect: Rect) -> Result<Exit> {
    Ok(Exit { goal: sim.goal(rect)?, capacity: CAPACITY, is_open: true })
}

/// Twelve cabins along a corridor, each with its exit (RiMEA 10, NIST 3.1, ISO 8, IMO 10).
pub fn allocation(lab: &Lab) -> Result<Outcome> {
    let (mut rooms, cabins) = cabins();
    // The corridor, the passage up to the main exit, and the way out at the right end.
    rooms.extend([[0.0, 5.0, 18.0, 6.0], [6.0, 6.0, 7.2, 13.0], [18.0, 5.0, 20.0, 6.0]]);
    let site = Site::rooms(&rooms)?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let main = sim.goal([6.0, 12.0, 7.2, 13.0])?;
    let second = sim.goal([19.0, 5.0, 20.0, 6.0])?;
    let mut wanted: Vec<GoalId> = Vec::new();
    for (number, [left, low, right, high]) in cabins.iter().enumerate() {
        let goal = if [4, 5, 10, 11].contains(&number) { second } else { main };
        let people = if number == 2 { 1 } else { 2 };
        for person in 0..people {
            let share = 0.35 + 0.3 * f64::from(person);
            sim.add([left + (right - left) * share, low + (high - low) * 0.5], 1.34, goal)?;
            wanted.push(goal);
        }
    }
    sim.run(200.0, |_| true)?;
    let right = sim
        .people()
        .iter()
        .zip(&wanted)
        .filter(|(person, goal)| person.left.is_some_and(|(_, by)| by == Some(**goal)));
    let mut outcome = Outcome::default();
    outcome.all("people who leave by the exit they were given", right.count(), 23);
    outcome.show("time of the last", sim.last_time(), "s");
    outcome.take(sim.finish("23 people in twelve cabins"));
    Ok(outcome)
}

/// Returns rooms and doors of the cabins, and the rooms alone: 1 to 6 above the corridor, 7 to 12 below it.
fn cabins() -> (Vec<Rect>, Vec<Rect>) {
    // Walls are 10 cm thick. Room 3 is cut to 1.8 m by the passage.
    let mut cabins: Vec<Rect> = Vec::new();
    for number in 0..6 {
        let left = 3.0 * f64::from(number);
        let left = if number == 2 { 7.2 } else { left };
        cabins.push([left + 0.05, 6.1, 3.0 * f64::from(number) + 2.95, 11.0]);
    }
    for number in 0..6 {
        let left = 3.0 * f64::from(number);
        cabins.push([left + 0.05, 0.0, left + 2.95, 4.9]);
    }
    let door = |cabin: &Rect| {
        let middle = 0.5 * (cabin[0] + cabin[2]);
        let (low, high) = if cabin[1] > 5.0 { (6.0, 6.1) } else { (4.9, 5.0) };
        [middle - 0.45, low, middle + 0.45, high]
    };
    let rooms = cabins.iter().copied().chain(cabins.iter().map(door)).collect();
    (rooms, cabins)
}

/// A thousand people near one of two exits (RiMEA 11): most take the near one, some the other.
pub fn exit_choice(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 30.0, 20.0], [21.0, 20.0, 22.0, 22.0], [27.0, 20.0, 28.0, 22.0]])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    sim.dt = 0.1;
    let exits =
        [open_exit(&mut sim, [21.0, 21.0, 22.0, 22.0])?, open_exit(&mut sim, [27.0, 21.0, 28.0, 22.0])?];
    sim.fill(Fill::new(1000, [2.0, 2.0, 15.5, 18.0], Law::Fixed(1.34), Goal::None, 1))?;
    choice::run(&mut sim, &exits, 600.0)?;
    let by = |exit: usize| left_by(&sim, exits[exit].goal);
    let mut outcome = Outcome::default();
    outcome.at_least("people by the near exit", by(0) as f64, "", 500.0);
    outcome.at_least("people by the far exit", by(1) as f64, "", 1.0);
    outcome.all("people out", sim.gone(), 1000);
    outcome.show("time of the last", sim.last_time(), "s");
    outcome.take(sim.finish("1000 people, two exits"));
    Ok(outcome)
}

/// Returns the number of people who left by a goal.
fn left_by(sim: &Sim, goal: GoalId) -> usize {
    sim.people().iter().filter(|person| person.left.is_some_and(|(_, by)| by == Some(goal))).count()
}

/// The room of NIST 3.2 to 4.1: 10 by 12 m with exits in both upper corners.
fn corner_exits() -> Result<Site> {
    Site::rooms(&[[0.0, 0.0, 10.0, 12.0], [0.0, 12.0, 1.0, 13.0], [9.0, 12.0, 10.0, 13.0]])
}

const CORNER_EXITS: [Rect; 2] = [[0.0, 12.5, 1.0, 13.0], [9.0, 12.5, 10.0, 13.0]];

/// People prefer exits (NIST 3.3): half and half, then one to four.
pub fn preference(lab: &Lab) -> Result<Outcome> {
    let site = corner_exits()?;
    let shares = [0.5, 0.8];
    let seeds: Vec<u64> = (1..=20).collect();
    let mut outcome = Outcome::default();
    for share in shares {
        let runs = lab.sweep(&seeds, |seed| {
            let mut sim = Sim::new(lab, &site, *seed)?;
            let goals = [sim.goal(CORNER_EXITS[0])?, sim.goal(CORNER_EXITS[1])?];
            for person in 0..10u32 {
                let second = random(*seed, person, 0, 44) < share;
                let at = [2.0 + f64::from(person % 5) * 1.5, 1.0 + f64::from(person / 5) * 1.5];
                sim.add_waiting(at, 1.34, goals[usize::from(second)], u32::from(second), 0.0)?;
            }
            sim.run(60.0, |_| true)?;
            Ok((left_by(&sim, goals[1]), sim.gone(), sim.finish("ten people, two exits")))
        })?;
        let second = runs.iter().map(|run| run.0).sum::<usize>() as f64 / (10 * runs.len()) as f64;
        if share == 0.5 {
            outcome.within("share of exit 2, wanted 0.5", second, "", 0.4, 0.6);
        } else {
            outcome.within("share of exit 2, wanted 0.8", second, "", 0.7, 0.9);
        }
        outcome.all("people out", runs.iter().map(|run| run.1).sum(), 10 * runs.len());
        runs.into_iter().for_each(|run| outcome.take(run.2));
        outcome.pictures.truncate(1);
    }
    Ok(outcome)
}

/// An exit closes while somebody walks to it (NIST 4.1, ISO 9).
pub fn closing_exit(lab: &Lab) -> Result<Outcome> {
    let site = corner_exits()?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let mut exits = [open_exit(&mut sim, CORNER_EXITS[0])?, open_exit(&mut sim, CORNER_EXITS[1])?];
    sim.add([3.0, 1.0], 1.34, Goal::None)?;
    let mut choices = Vec::new();
    sim.step()?;
    choice::choose(&mut sim, &exits, &mut choices)?;
    let first = choices[0];
    sim.run_for(1.0, |_| ())?;
    exits[0].is_open = false;
    sim.crowd.set_goal_open(exits[0].goal, false);
    choices[0] = None;
    choice::choose(&mut sim, &exits, &mut choices)?;
    sim.run(60.0, |_| true)?;
    let mut outcome = Outcome::default();
    outcome.all("people who set off for exit 1", usize::from(first == Some(0)), 1);
    outcome.all("people who leave by exit 2", left_by(&sim, exits[1].goal), 1);
    outcome.show("time", mean(&[sim.last_time()]), "s");
    outcome.take(sim.finish("exit 1, upper left, closes after 1 s"));
    Ok(outcome)
}

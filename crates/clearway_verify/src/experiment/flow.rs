//! Flow through bottlenecks.

use crate::data;
use crate::gate::{Gate, middle_flow, whole_flow};
use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::{Outcome, Trace};
use crate::report::chart::{Chart, Mark};
use crate::sim::{Fill, Sim};
use crate::site::{Rect, Site};
use crate::stats::{greatest, mean};
use clearway_base::Result;

/// The number of people before a door whose flow is measured.
const CROWD: usize = 196;

/// Runs 196 people from a room of 10 by 10 m through a neck 2 m long. Returns the flow of the middle 80 per cent and the
/// number of people who came through.
fn door(lab: &Lab, width: f64, speed: Law, seed: u64) -> Result<(f64, usize, Trace, Vec<f64>)> {
    let half = 0.5 * width;
    let site = Site::rooms(&[[0.0, -5.0, 10.0, 5.0], [10.0, -half, 12.0, half], [12.0, -3.0, 17.0, 3.0]])?;
    let mut sim = Sim::new(lab, &site, seed)?;
    let goal = sim.goal([16.0, -3.0, 17.0, 3.0])?;
    sim.fill(Fill::new(CROWD, [0.0, -5.0, 9.7, 5.0], speed, goal, seed))?;
    let mut gate = Gate::default();
    sim.run(300.0, |sim| {
        gate.watch(sim, |at| at[0] >= 12.0);
        true
    })?;
    let times = gate.times();
    Ok((middle_flow(&times), times.len(), sim.finish(format!("196 people, door of {width} m")), times))
}

/// Doors of every width that was measured. Parts: `band` (within the data, wider is faster), `middle` (15 per cent from
/// 0.9 m on).
pub fn doors(lab: &Lab) -> Result<Outcome> {
    let all: Vec<f64> = data::DOOR_MIDDLE.iter().map(|row| row.0).collect();
    let widths: Vec<f64> = if lab.is_quick() { vec![0.8, 1.2, 2.0] } else { all };
    let runs = lab.each(&widths, |width, seed| door(lab, *width, Law::Fixed(1.34), seed))?;
    let mut outcome = Outcome::default();
    let mut flows = Vec::new();
    let through: usize = runs.iter().flatten().map(|run| run.1).sum();
    let wanted = CROWD * runs.iter().map(Vec::len).sum::<usize>();
    for (width, runs) in widths.iter().zip(runs) {
        let flow = mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
        judge_door(&mut outcome, *width, flow);
        flows.push((*width, flow));
        for (nth, run) in runs.into_iter().enumerate() {
            if nth == 0 && [0.8, 1.2].contains(width) {
                outcome.take(run.2)
            } else {
                outcome.take_unseen(run.2)
            }
        }
    }
    outcome.part("band");
    outcome.all("people through all doors", through, wanted);
    let falls = flows.windows(2).filter(|pair| pair[1].1 < pair[0].1).count();
    outcome.all("wider doors with less flow", falls, 0);
    let mut chart = Chart::new("flow through doors", "clear width in m", "persons per s");
    for (name, table) in data::BOTTLENECKS {
        chart = chart.with(*name, Mark::Data, table.to_vec());
    }
    outcome.charts.push(chart.with("measured here", Mark::Ours, flows));
    Ok(outcome)
}

/// Judges the flow of one door by the range and by the middle of the data.
fn judge_door(outcome: &mut Outcome, width: f64, flow: f64) {
    let [low, high] = data::door_range(width).unwrap_or([f64::NAN; 2]);
    outcome.part("band");
    outcome.within(format!("flow at {width} m"), flow, "/s", 0.75 * low, 1.25 * high);
    let middle = data::DOOR_MIDDLE.iter().find(|row| row.0 == width).map_or(f64::NAN, |row| row.1);
    outcome.part("middle");
    let name = format!("flow at {width} m");
    if width >= 0.9 { outcome.near(name, flow, "/s", middle, 0.15) } else { outcome.show(name, flow, "/s") }
}

/// Doors for people of spread speeds.
pub fn doors_spread(lab: &Lab) -> Result<Outcome> {
    let widths = [0.8, 1.2];
    let runs = lab.each(&widths, |width, seed| door(lab, *width, Law::WALKERS, seed))?;
    let mut outcome = Outcome::default();
    for (width, runs) in widths.iter().zip(runs) {
        let flow = mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
        let [low, high] = data::door_range(*width).unwrap_or([f64::NAN; 2]);
        outcome.within(format!("flow at {width} m"), flow, "/s", 0.75 * low, 1.25 * high);
        runs.into_iter().for_each(|run| outcome.take_unseen(run.2));
    }
    Ok(outcome)
}

/// A hundred people leave a room of 8 by 5 m by an exit of 1 m (IMO 4, NIST 5.2, ISO 11). Parts: `capped` with a door that
/// lets 1.33 persons per second pass, `free` without.
pub fn exit_flow(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let site = Site::rooms(&[[0.0, 0.0, 8.0, 5.0], [8.0, 2.0, 10.0, 3.0]])?;
    let runs = lab.each(&[None, Some(data::IMO_FLOW)], |cap, seed| leave_room(lab, &site, *cap, seed))?;
    for ((part, name), runs) in [("free", "flow without a cap"), ("capped", "flow")].into_iter().zip(runs) {
        let flow = mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
        outcome.part(part);
        if part == "capped" {
            outcome.at_most(name, flow, "/s", data::IMO_FLOW + 1e-3);
            outcome.at_least("flow as a share of the cap", flow / data::IMO_FLOW, "", 0.9);
        } else {
            outcome.show(name, flow, "/s");
            outcome.show(
                "time of the last",
                greatest(&runs.iter().map(|run| run.2).collect::<Vec<_>>()),
                "s",
            );
        }
        outcome.all("people out", runs.iter().map(|run| run.1).sum(), 100 * runs.len());
        for (nth, run) in runs.into_iter().enumerate() {
            if nth == 0 { outcome.take(run.3) } else { outcome.take_unseen(run.3) }
        }
    }
    Ok(outcome)
}

/// Runs a hundred people out of the room of [`exit_flow`]. Returns flow, people out, time of the last.
fn leave_room(lab: &Lab, site: &Site, cap: Option<f64>, seed: u64) -> Result<(f64, usize, f64, Trace)> {
    let mut sim = Sim::new(lab, site, seed)?;
    let goal = sim.goal([9.5, 2.0, 10.0, 3.0])?;
    sim.fill(Fill::new(100, [0.0, 0.0, 7.8, 5.0], Law::Fixed(1.34), goal, seed))?;
    let mut gate = Gate::default();
    let mut granted = vec![false; sim.people().len()];
    let mut next = 0.0f64;
    while sim.time() < 300.0 && sim.gone() < 100 {
        sim.step()?;
        gate.watch(&sim, |at| at[0] >= 9.0);
        if let Some(cap) = cap {
            // Whoever stands in the door waits for the next turn, like at a turnstile.
            let waiting: Vec<usize> = sim
                .present()
                .iter()
                .filter(|b| b.at[0] >= 8.6 && !granted[b.person])
                .map(|b| b.person)
                .collect();
            for person in waiting {
                let turn = next.max(sim.time());
                next = turn + 1.0 / cap;
                granted[person] = true;
                let id = sim.people()[person].id;
                sim.crowd.set_wait(id, turn - sim.time());
            }
        }
    }
    let times = gate.times();
    Ok((whole_flow(&times), times.len(), sim.last_time(), sim.finish("a hundred people, exit of 1 m")))
}

/// Runs 150 people from a room of 10 by 10 m into further rooms. `line` is where they are counted.
fn through(
    lab: &Lab,
    rooms: &[Rect],
    goal: Rect,
    lines: &[f64],
    seed: u64,
) -> Result<(Vec<Vec<f64>>, Trace)> {
    let site = Site::rooms(rooms)?;
    let mut sim = Sim::new(lab, &site, seed)?;
    let goal = sim.goal(goal)?;
    sim.fill(Fill::new(150, [0.0, 0.0, 5.0, 10.0], Law::Fixed(1.34), goal, seed))?;
    let mut gates = vec![Gate::default(); lines.len()];
    sim.run(400.0, |sim| {
        for (gate, line) in gates.iter_mut().zip(lines) {
            gate.watch(sim, |at| at[0] >= *line);
        }
        true
    })?;
    Ok((gates.iter().map(Gate::times).collect(), sim.finish("150 people")))
}

/// Two rooms in a row (RiMEA 3.0, test 12): no jam in the second.
pub fn two_rooms(lab: &Lab) -> Result<Outcome> {
    let rooms =
        [[0.0, 0.0, 10.0, 10.0], [10.0, 4.5, 15.0, 5.5], [15.0, 0.0, 25.0, 10.0], [25.0, 4.5, 27.0, 5.5]];
    let runs =
        lab.sweep(&lab.seeds(), |seed| through(lab, &rooms, [26.5, 4.5, 27.0, 5.5], &[15.0, 25.0], *seed))?;
    let mut outcome = Outcome::default();
    let flow = |which: usize| mean(&runs.iter().map(|run| middle_flow(&run.0[which])).collect::<Vec<_>>());
    outcome.at_least("flow of the corridor less that of the exit", flow(0) - flow(1), "/s", -0.05);
    outcome.show("flow of the corridor", flow(0), "/s");
    outcome.show("flow of the exit", flow(1), "/s");
    outcome.all("people out", runs.iter().map(|run| run.0[1].len()).sum(), 150 * runs.len());
    runs.into_iter().for_each(|run| outcome.take(run.1));
    outcome.pictures.truncate(1);
    Ok(outcome)
}

/// The time at which the last of 150 people is through a bottleneck of 1 m.
fn bottleneck_time(lab: &Lab, length: f64, width: f64, goal_at: f64, seed: u64) -> Result<(f64, f64, Trace)> {
    let (low, high, end) = (5.0 - 0.5 * width, 5.0 + 0.5 * width, 10.0 + length);
    let rooms = [[0.0, 0.0, 10.0, 10.0], [10.0, low, end, high], [end, 0.0, end + 10.2, 10.0]];
    let goal = [end + goal_at, 0.0, end + 10.2, 10.0];
    let (times, trace) = through(lab, &rooms, goal, &[10.0, end], seed)?;
    let last =
        if times[0].len() == 150 { times[0].last().copied().unwrap_or(f64::INFINITY) } else { f64::INFINITY };
    Ok((last, middle_flow(&times[1]), trace))
}

/// Runs bottlenecks with every seed. Returns the mean time of the last and the mean flow of each.
fn bottlenecks(lab: &Lab, all: &[(f64, f64, f64)], outcome: &mut Outcome) -> Result<Vec<(f64, f64)>> {
    let runs =
        lab.each(all, |(length, width, goal), seed| bottleneck_time(lab, *length, *width, *goal, seed))?;
    let mut means = Vec::new();
    for (index, runs) in runs.into_iter().enumerate() {
        let column = |pick: fn(&(f64, f64, Trace)) -> f64| mean(&runs.iter().map(pick).collect::<Vec<_>>());
        means.push((column(|run| run.0), column(|run| run.1)));
        for (nth, run) in runs.into_iter().enumerate() {
            if index + nth == 0 { outcome.take(run.2) } else { outcome.take_unseen(run.2) }
        }
    }
    Ok(means)
}

/// A goal near behind a bottleneck holds nobody up (RiMEA 12a).
pub fn goal_distance(lab: &Lab) -> Result<Outcome> {
    let distances = [0.2, 1.0, 2.0, 5.0, 9.8];
    let mut outcome = Outcome::default();
    let times = bottlenecks(lab, &distances.map(|goal| (0.2, 1.0, goal)), &mut outcome)?;
    for (distance, (time, _)) in distances.iter().zip(&times) {
        outcome.show(format!("time with the goal {distance} m behind"), *time, "s");
    }
    // One time is as good as another within the spread of seeds: 5 per cent.
    outcome.at_most("time of the nearest goal as a share of the furthest", times[0].0 / times[4].0, "", 1.05);
    let far = (times[4].0 / times[3].0 - 1.0).abs();
    outcome.at_most("change between the two furthest goals, as a share", far, "", 0.1);
    Ok(outcome)
}

/// A long bottleneck takes longer than a short one (RiMEA 12b).
pub fn neck_length(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let times = bottlenecks(lab, &[(0.2, 1.0, 9.0), (5.0, 1.0, 9.0)], &mut outcome)?;
    outcome.at_least("time of the long neck as a share of the short", times[1].0 / times[0].0, "", 1.0001);
    outcome.show("time, neck of 0.2 m", times[0].0, "s");
    outcome.show("time, neck of 5 m", times[1].0, "s");
    Ok(outcome)
}

/// A wider bottleneck lets more pass (RiMEA 12d).
pub fn neck_width(lab: &Lab) -> Result<Outcome> {
    let widths = [0.8, 1.0, 1.2];
    let mut outcome = Outcome::default();
    let flows = bottlenecks(lab, &widths.map(|width| (5.0, width, 9.0)), &mut outcome)?;
    let rises = flows.windows(2).filter(|pair| pair[1].1 > pair[0].1).count();
    outcome.all("wider necks with more flow", rises, 2);
    for (width, (_, flow)) in widths.iter().zip(&flows) {
        let [low, high] = data::door_range(*width).unwrap_or([f64::NAN; 2]);
        outcome.within(format!("flow at {width} m"), *flow, "/s", 0.75 * low, 1.25 * high);
    }
    Ok(outcome)
}

/// Two bottlenecks in a row (RiMEA 12c): the queue is before the first.
pub fn two_necks(lab: &Lab) -> Result<Outcome> {
    let rooms = [
        [0.0, 0.0, 10.0, 10.0],
        [10.0, 4.5, 10.2, 5.5],
        [10.2, 0.0, 20.2, 10.0],
        [20.2, 4.5, 20.4, 5.5],
        [20.4, 0.0, 25.4, 10.0],
    ];
    let site = Site::rooms(&rooms)?;
    let mut sim = Sim::new(lab, &site, 1)?;
    let goal = sim.goal([24.4, 0.0, 25.4, 10.0])?;
    sim.fill(Fill::new(150, [0.0, 0.0, 5.0, 10.0], Law::Fixed(1.34), goal, 1))?;
    let mut queues: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    sim.run(400.0, |sim| {
        for (queue, area) in queues.iter_mut().zip([[8.0, 3.5, 10.0, 6.5], [18.2, 3.5, 20.2, 6.5]]) {
            queue.push(sim.count_in(area) as f64);
        }
        true
    })?;
    queues.iter_mut().for_each(|queue| queue.sort_unstable_by(|a, b| b.total_cmp(a)));
    let top = |queue: &[f64]| mean(&queue[..queue.len().min(10)]);
    let mut outcome = Outcome::default();
    let surplus = top(&queues[0]) - top(&queues[1]);
    outcome.at_least("first queue less second, mean of the ten longest", surplus, "people", 0.01);
    outcome.show("first queue at its longest", queues[0].first().copied().unwrap_or(0.0), "people");
    outcome.show("second queue at its longest", queues[1].first().copied().unwrap_or(0.0), "people");
    outcome.all("people out", sim.gone(), 150);
    outcome.take(sim.finish("150 people, two bottlenecks"));
    Ok(outcome)
}

/// Haste at a door of 0.75 m: thirty people at 0.8 to 2.4 m/s. Models without pushing are written down only.
pub fn haste(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[-8.0, -7.0, 0.0, 7.0], [0.0, -0.375, 0.5, 0.375], [0.5, -1.5, 12.0, 1.5]])?;
    let speeds = [0.8, 1.2, 1.6, 2.0, 2.4];
    let runs = lab.each(&speeds, |speed, seed| {
        let mut sim = Sim::new(lab, &site, seed)?;
        let goal = sim.goal([10.0, -1.5, 12.0, 1.5])?;
        sim.fill(Fill::new(30, [-5.0, -4.0, 0.0, 4.0], Law::Fixed(*speed), goal, seed))?;
        let mut gate = Gate::default();
        sim.run(200.0, |sim| {
            gate.watch(sim, |at| at[0] >= 0.5);
            true
        })?;
        Ok((gate.last_of(30), sim.finish("thirty people, door of 0.75 m")))
    })?;
    let mut outcome = Outcome::default();
    let mut curve = Vec::new();
    for (speed, runs) in speeds.iter().zip(runs) {
        let time = mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
        outcome.show(format!("time at {speed} m/s"), time, "s");
        curve.push((*speed, time));
        runs.into_iter().for_each(|run| outcome.take(run.1));
        outcome.pictures.truncate(1);
    }
    let slower = curve.windows(2).filter(|pair| pair[1].1 > pair[0].1).count();
    outcome.show("speeds at which haste costs time", slower as f64, "");
    outcome.charts.push(Chart::new("haste at a door", "wished speed in m/s", "s").with(
        "here",
        Mark::Ours,
        curve,
    ));
    Ok(outcome)
}

//! Streams that meet: counter-flow, crossings, merges, lanes, and who waits for whom.

use crate::data;
use crate::gate::{Gate, middle_flow};
use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::{Outcome, Trace};
use crate::report::chart::{Chart, Mark};
use crate::sim::{Fill, Sim};
use crate::site::{Site, inside};
use crate::stats::{between, greatest, mean};
use clearway_base::Result;

/// The numbers of people who come towards the hundred of the counter-flow.
const OPPOSED: [usize; 4] = [0, 10, 50, 100];

/// Runs a hundred people against others through a corridor 10 m long between two rooms of 10 by 10 m (NIST 2.8).
/// Returns the time of the last of the hundred, and the number of all who arrived.
fn counter(lab: &Lab, width: f64, opposed: usize, seed: u64) -> Result<(f64, f64, usize, Trace)> {
    let half = 0.5 * width;
    let rooms = [[0.0, -5.0, 10.0, 5.0], [10.0, -half, 20.0, half], [20.0, -5.0, 30.0, 5.0]];
    let site = Site::rooms(&rooms)?;
    let mut sim = Sim::new(lab, &site, seed)?;
    let (right, left) = (sim.goal([29.0, -5.0, 30.0, 5.0])?, sim.goal([0.0, -5.0, 1.0, 5.0])?);
    sim.fill(Fill::new(100, [0.0, -5.0, 9.7, 5.0], Law::Fixed(1.34), right, seed))?;
    sim.fill(Fill::new(opposed, [20.3, -5.0, 30.0, 5.0], Law::Fixed(1.34), left, seed + 7).group(1))?;
    let mut gate = Gate::default();
    sim.run(300.0, |sim| {
        let groups: Vec<u32> = sim.people().iter().map(|person| person.group).collect();
        gate.first.resize(groups.len(), None);
        for body in sim.present() {
            let is_there = if body.group == 0 { body.at[0] >= 20.0 } else { body.at[0] <= 10.0 };
            if is_there {
                gate.first[body.person].get_or_insert(sim.time());
            }
        }
        gate.first.iter().any(Option::is_none)
    })?;
    let times = gate.times_of(&sim, 0);
    let last = if times.len() == 100 { times[99] } else { f64::INFINITY };
    let arrived = gate.times().len();
    Ok((last, mean(&times), arrived, sim.finish(format!("100 against {opposed} in {width} m"))))
}

/// Judges the counter-flow in a corridor of one width: all arrive, and the time rises with every seed.
fn counter_flow(lab: &Lab, width: f64) -> Result<Outcome> {
    let runs = lab.each(&OPPOSED, |opposed, seed| counter(lab, width, *opposed, seed))?;
    let mut outcome = Outcome::default();
    let rises = (0..runs[0].len())
        .filter(|seed| {
            runs.windows(2).all(|pair| pair[1][*seed].0.is_finite() && pair[1][*seed].0 > pair[0][*seed].0)
        })
        .count();
    outcome.all("seeds with a time that rises", rises, runs[0].len());
    let arrived: usize = runs.iter().flatten().map(|run| run.2).sum();
    let all: usize = OPPOSED.iter().map(|opposed| 100 + opposed).sum();
    outcome.all("people who arrive", arrived, all * runs[0].len());
    let mut curve = Vec::new();
    for (opposed, runs) in OPPOSED.iter().zip(runs) {
        let time = mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
        outcome.show(format!("time against {opposed}"), time, "s");
        curve.push((*opposed as f64, time));
        for (nth, run) in runs.into_iter().enumerate() {
            if nth == 0 && *opposed == 100 { outcome.take(run.3) } else { outcome.take_unseen(run.3) }
        }
    }
    outcome.charts.push(Chart::new(format!("counter-flow in {width} m"), "people opposed", "s").with(
        "here",
        Mark::Ours,
        curve,
    ));
    Ok(outcome)
}

/// Counter-flow in 2 m, as the standards have it.
pub fn counter_2(lab: &Lab) -> Result<Outcome> {
    counter_flow(lab, 2.0)
}

/// Counter-flow in 3 m.
pub fn counter_3(lab: &Lab) -> Result<Outcome> {
    counter_flow(lab, 3.0)
}

/// Counter-flow in 4 m.
pub fn counter_4(lab: &Lab) -> Result<Outcome> {
    counter_flow(lab, 4.0)
}

/// Two people walk straight at each other, exactly opposed, in corridors of 4 and 1 m.
pub fn head_on(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for width in [4.0, 1.0] {
        let site = Site::rooms(&[[0.0, 0.0, 12.0, width]])?;
        let mut sim = Sim::new(lab, &site, 1)?;
        let (right, left) = (sim.goal([10.0, 0.0, 12.0, width])?, sim.goal([0.0, 0.0, 2.0, width])?);
        sim.add([3.0, 0.5 * width], 1.34, right)?;
        sim.add_waiting([9.0, 0.5 * width], 1.34, left, 1, 0.0)?;
        sim.run(30.0, |_| true)?;
        outcome.at_most(format!("time in {width} m"), sim.last_time(), "s", 1.5 * 7.0 / 1.34);
        outcome.take(sim.finish(format!("head on in {width} m")));
    }
    Ok(outcome)
}

/// Streams of sixty people cross in corridors 4 m wide: two streams, then four.
pub fn crossing(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[-16.0, -2.0, 16.0, 2.0], [-2.0, -16.0, 2.0, 16.0]])?;
    let runs = lab.each(&[2usize, 4], |streams, seed| {
        let mut sim = Sim::new(lab, &site, seed)?;
        let starts = [
            [-15.5, -2.0, -4.0, 2.0],
            [-2.0, -15.5, 2.0, -4.0],
            [4.0, -2.0, 15.5, 2.0],
            [-2.0, 4.0, 2.0, 15.5],
        ];
        let goals = [
            [12.0, -2.0, 16.0, 2.0],
            [-2.0, 12.0, 2.0, 16.0],
            [-16.0, -2.0, -12.0, 2.0],
            [-2.0, -16.0, 2.0, -12.0],
        ];
        for stream in 0..*streams {
            let goal = sim.goal(goals[stream])?;
            let fill = Fill::new(60, starts[stream], Law::Fixed(1.34), goal, seed + stream as u64);
            sim.fill(fill.group(stream as u32))?;
        }
        sim.run(300.0, |_| true)?;
        Ok((sim.last_time(), sim.gone(), sim.finish(format!("{streams} streams of sixty"))))
    })?;
    let mut outcome = Outcome::default();
    for (streams, runs) in [2, 4].into_iter().zip(runs) {
        outcome.all(
            format!("people through, {streams} streams"),
            runs.iter().map(|run| run.1).sum(),
            60 * streams * runs.len(),
        );
        outcome.show(
            format!("time, {streams} streams"),
            mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>()),
            "s",
        );
        for (nth, run) in runs.into_iter().enumerate() {
            if nth == 0 { outcome.take(run.2) } else { outcome.take_unseen(run.2) }
        }
    }
    Ok(outcome)
}

/// Two branches of 2.4 m merge into a stem of 2.4 m: flow after the merge, and a fair share for both.
pub fn merge(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[-25.0, -2.4, 25.0, 0.0], [-1.2, 0.0, 1.2, 16.0]])?;
    let runs = lab.sweep(&lab.seeds(), |seed| {
        let mut sim = Sim::new(lab, &site, *seed)?;
        let goal = sim.goal([-1.2, 14.0, 1.2, 16.0])?;
        sim.fill(Fill::new(100, [-24.0, -2.4, -3.0, 0.0], Law::Fixed(1.34), goal, *seed))?;
        sim.fill(Fill::new(100, [3.0, -2.4, 24.0, 0.0], Law::Fixed(1.34), goal, seed + 5).group(1))?;
        let mut gate = Gate::default();
        let mut points = Vec::new();
        sim.run(300.0, |sim| {
            gate.watch(sim, |at| at[1] >= 4.0);
            points.extend(density_speed(sim, [-1.2, 2.0, 1.2, 5.0]));
            true
        })?;
        let times = gate.times();
        let half = times.get(99).copied().unwrap_or(f64::INFINITY);
        let of_left = gate.times_of(&sim, 0).iter().filter(|time| **time <= half).count();
        Ok((
            middle_flow(&times),
            of_left as f64 / 100.0,
            times.len(),
            points,
            sim.finish("two branches of a hundred"),
        ))
    })?;
    let mut outcome = Outcome::default();
    let flows: Vec<f64> = runs.iter().map(|run| run.0).collect();
    let shares: Vec<f64> = runs.iter().map(|run| run.1).collect();
    outcome.near("flow after the merge", mean(&flows), "/s", 4.3, 0.2);
    outcome.within("share of the left branch in the first half", mean(&shares), "", 0.4, 0.6);
    outcome.all("people through", runs.iter().map(|run| run.2).sum(), 200 * runs.len());
    let points: Vec<(f64, f64)> = runs.iter().flat_map(|run| run.3.iter().copied()).collect();
    compare_points(&mut outcome, "after the merge", &points, data::JUNCTION_AFTER, None);
    runs.into_iter().for_each(|run| outcome.take(run.4));
    outcome.pictures.truncate(1);
    Ok(outcome)
}

/// A stream round a corner of 2.4 m: speeds by density before and after it.
pub fn corner_stream(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[-24.0, 0.0, 2.4, 2.4], [0.0, 0.0, 2.4, 14.0]])?;
    let runs = lab.sweep(&lab.seeds(), |seed| {
        let mut sim = Sim::new(lab, &site, *seed)?;
        let goal = sim.goal([0.0, 12.0, 2.4, 14.0])?;
        sim.fill(Fill::new(80, [-24.0, 0.0, -6.0, 2.4], Law::Fixed(1.34), goal, *seed))?;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        sim.run(200.0, |sim| {
            before.extend(density_speed(sim, [-4.0, 0.0, -1.0, 2.4]));
            after.extend(density_speed(sim, [0.0, 4.0, 2.4, 7.0]));
            true
        })?;
        Ok((before, after, sim.gone(), sim.finish("eighty people round a corner")))
    })?;
    let mut outcome = Outcome::default();
    outcome.all("people round the corner", runs.iter().map(|run| run.2).sum(), 80 * runs.len());
    let before: Vec<(f64, f64)> = runs.iter().flat_map(|run| run.0.iter().copied()).collect();
    let after: Vec<(f64, f64)> = runs.iter().flat_map(|run| run.1.iter().copied()).collect();
    compare_points(&mut outcome, "before the corner", &before, data::CORNER_BEFORE, Some(0.35));
    compare_points(&mut outcome, "after the corner", &after, data::CORNER_AFTER, Some(0.35));
    runs.into_iter().for_each(|run| outcome.take(run.3));
    outcome.pictures.truncate(1);
    Ok(outcome)
}

/// Returns density and mean speed in a rectangle once a second, if somebody is there.
fn density_speed(sim: &Sim, rect: [f64; 4]) -> Option<(f64, f64)> {
    if !sim.is_second() {
        return None;
    }
    let speeds: Vec<f64> = sim
        .present()
        .iter()
        .filter(|body| inside(rect, body.at))
        .map(|b| b.velocity[0].hypot(b.velocity[1]))
        .collect();
    let area = (rect[2] - rect[0]) * (rect[3] - rect[1]);
    (!speeds.is_empty()).then(|| (speeds.len() as f64 / area, mean(&speeds)))
}

/// Compares measured points with data, bin by bin, and draws both. With a share, the mean difference is judged.
fn compare_points(
    outcome: &mut Outcome,
    name: &str,
    points: &[(f64, f64)],
    table: &[data::DensitySpeed],
    share: Option<f64>,
) {
    let curve: Vec<(f64, f64)> = table.iter().map(|row| (row.0, row.1)).collect();
    let last = curve.last().map_or(0.0, |row| row.0);
    let mut bins = Vec::new();
    for bin in 1..16 {
        let middle = 0.25 * f64::from(bin);
        let here: Vec<f64> =
            points.iter().filter(|point| (point.0 - middle).abs() <= 0.125).map(|point| point.1).collect();
        if here.len() >= 3 {
            bins.push((middle, mean(&here)));
        }
    }
    let judged = bins.iter().filter(|bin| bin.0 >= curve[0].0 && bin.0 <= last + 0.25);
    let errors: Vec<f64> = judged.map(|bin| (bin.1 / between(&curve, bin.0) - 1.0).abs()).collect();
    let title = format!("mean difference of speeds {name}, as a share");
    match share {
        Some(share) => outcome.at_most(title, mean(&errors), "", share),
        None => outcome.show(title, mean(&errors), ""),
    }
    let chart = Chart::new(name, "persons per m²", "m/s").with("Jülich, 2.4 m", Mark::Data, curve);
    outcome.charts.push(chart.with("measured here", Mark::Ours, bins));
}

/// Lanes (Feliciani 2016): people walk towards each other in 38 by 3 m, in several ratios.
pub fn lanes(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[-4.0, 0.0, 42.0, 3.0]])?;
    let splits = [(27usize, 0usize), (54, 0), (45, 9), (36, 18), (27, 27)];
    let runs = lab.each(&splits, |(along, against), seed| {
        let mut sim = Sim::new(lab, &site, seed)?;
        let (right, left) = (sim.goal([39.0, 0.0, 42.0, 3.0])?, sim.goal([-4.0, 0.0, -1.0, 3.0])?);
        sim.fill(Fill::new(*along, [0.0, 0.0, 12.0, 3.0], Law::Fixed(1.34), right, seed))?;
        sim.fill(Fill::new(*against, [26.0, 0.0, 38.0, 3.0], Law::Fixed(1.34), left, seed + 3).group(1))?;
        let mut order = Vec::new();
        sim.run(200.0, |sim| {
            order.extend(lane_order(sim));
            true
        })?;
        let time = sim.last_time();
        Ok((time, mean(&order), sim.gone(), sim.finish(format!("{along} against {against}"))))
    })?;
    let mut outcome = Outcome::default();
    let order: Vec<f64> = runs[4].iter().map(|run| run.1).collect();
    outcome.at_least("order of lanes, half and half", mean(&order), "", 0.6);
    let people: usize = splits.iter().map(|(along, against)| along + against).sum();
    let arrived: usize = runs.iter().flatten().map(|run| run.2).sum();
    outcome.all("people who arrive", arrived, people * runs[0].len());
    let times: Vec<f64> =
        runs.iter().map(|runs| mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>())).collect();
    outcome.at_least("time of 27 against 27 as a share of 27 alone", times[4] / times[0], "", 1.0001);
    for ((along, against), time) in splits.iter().zip(&times) {
        outcome.show(format!("time, {along} against {against}"), *time, "s");
    }
    let last = runs.len() - 1;
    for (split, runs) in runs.into_iter().enumerate() {
        for (nth, run) in runs.into_iter().enumerate() {
            if split == last && nth == 0 { outcome.take(run.3) } else { outcome.take_unseen(run.3) }
        }
    }
    Ok(outcome)
}

/// Returns the order of lanes in the middle of the corridor: 1 if every strip of 0.3 m has one direction. Only moments
/// with at least four people of each direction there count.
fn lane_order(sim: &Sim) -> Option<f64> {
    let mut strips = [[0.0f64; 2]; 10];
    let mut both = [0; 2];
    for body in sim.present().iter().filter(|body| inside([14.0, 0.0, 24.0, 3.0], body.at)) {
        strips[((body.at[1] / 0.3) as usize).min(9)][body.group as usize % 2] += 1.0;
        both[body.group as usize % 2] += 1;
    }
    if both[0] < 4 || both[1] < 4 {
        return None;
    }
    let filled: Vec<f64> = strips
        .iter()
        .filter(|strip| strip[0] + strip[1] > 0.0)
        .map(|[one, other]| ((one - other) / (one + other)).powi(2))
        .collect();
    Some(mean(&filled))
}

/// A steady stream that saturates a crossing, and a few who must cross it: nobody starves.
pub fn starvation(lab: &Lab) -> Result<Outcome> {
    // The stream has a near goal, those who cross have one 80 m further.
    let site = Site::rooms(&[[-30.0, -1.5, 8.0, 1.5], [-1.5, -12.0, 1.5, 100.0]])?;
    let runs = lab.sweep(&lab.seeds(), |seed| {
        let mut sim = Sim::new(lab, &site, *seed)?;
        let (near, far) = (sim.goal([6.0, -1.5, 8.0, 1.5])?, sim.goal([-1.5, 96.0, 1.5, 100.0])?);
        sim.fill(Fill::new(170, [-30.0, -1.5, -3.0, 1.5], Law::Fixed(1.34), near, *seed))?;
        sim.fill(Fill::new(20, [-1.5, -11.5, 1.5, -4.0], Law::Fixed(1.34), far, seed + 3).group(1))?;
        let (mut crossed, mut stream) = (Gate::default(), Gate::default());
        sim.run(240.0, |sim| {
            crossed.watch(sim, |at| at[1] >= 2.0);
            stream.watch(sim, |at| at[0] >= 2.0);
            true
        })?;
        let (across, along) = (crossed.times_of(&sim, 1), stream.times_of(&sim, 0));
        Ok((across, along, sim.gone(), sim.finish("twenty cross a stream of 170")))
    })?;
    let mut outcome = Outcome::default();
    let last = |times: &Vec<f64>| times.last().copied().unwrap_or(f64::INFINITY);
    let waits: Vec<f64> = runs.iter().map(|run| mean(&run.0)).collect();
    let stream: Vec<f64> = runs.iter().map(|run| last(&run.1)).collect();
    outcome.all("people through", runs.iter().map(|run| run.2).sum(), 190 * runs.len());
    let share: Vec<f64> = waits.iter().zip(&stream).map(|(wait, end)| wait / end).collect();
    outcome.at_most("mean crossing time as a share of the stream's end", greatest(&share), "", 0.75);
    outcome.show("mean crossing time", mean(&waits), "s");
    outcome.show("end of the stream", mean(&stream), "s");
    runs.into_iter().for_each(|run| outcome.take(run.3));
    outcome.pictures.truncate(1);
    Ok(outcome)
}

/// A slow and large person among 24 others (NIST 2.10, ISO 7).
pub fn disability(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 20.0, 3.0], [20.0, 0.0, 24.0, 3.0]])?;
    let time = |has_slow: bool, seed: u64| -> Result<(f64, usize, Trace)> {
        let mut sim = Sim::new(lab, &site, seed)?;
        let goal = sim.goal([22.0, 0.0, 24.0, 3.0])?;
        if has_slow {
            sim.radius = 0.4;
            sim.add_waiting([2.5, 1.5], 0.8, goal, 1, 0.0)?;
            sim.radius = lab.radius;
        } else {
            sim.add([2.5, 1.5], 1.25, goal)?;
        }
        sim.fill(Fill::new(24, [0.0, 0.0, 5.0, 3.0], Law::Fixed(1.25), goal, seed))?;
        sim.run(120.0, |_| true)?;
        Ok((sim.last_time(), sim.gone(), sim.finish("24 people and one slow and large one")))
    };
    let runs = lab.sweep(&lab.seeds(), |seed| Ok((time(true, *seed)?, time(false, *seed)?)))?;
    let mut outcome = Outcome::default();
    let slower = runs.iter().filter(|(with, without)| with.0 > without.0).count();
    outcome.all("seeds in which it takes longer with the slow one", slower, runs.len());
    outcome.all("people out", runs.iter().map(|(with, without)| with.1 + without.1).sum(), 50 * runs.len());
    outcome.show("time with", mean(&runs.iter().map(|run| run.0.0).collect::<Vec<_>>()), "s");
    outcome.show("time without", mean(&runs.iter().map(|run| run.1.0).collect::<Vec<_>>()), "s");
    for (with, without) in runs {
        outcome.take(with.2);
        outcome.take_unseen(without.2);
    }
    outcome.pictures.truncate(1);
    Ok(outcome)
}

//! Crowds on stairs.

use crate::data;
use crate::gate::{Gate, middle_flow};
use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::{Outcome, Trace};
use crate::report::chart::{Chart, Mark};
use crate::sim::{Fill, Sim};
use crate::site::{Ground, Rect, Site, inside};
use crate::stats::{greatest, mean, slope};
use clearway_base::Result;

/// The factor of speed up stairs for people who walk at 1.34 m/s: Fruin's 0.675 m/s of RiMEA 13.
const UP: f64 = 0.675 / 1.34;

/// The factor of speed down stairs: 0.85 m/s, in the middle of the band of RiMEA 13.
const DOWN: f64 = 0.85 / 1.34;

/// A crowd climbs a stair at the end of a corridor (RiMEA 3.0 test 13, IMO 11): a queue forms at its foot.
pub fn foot(lab: &Lab) -> Result<Outcome> {
    let site = Site::storeys(&[
        Ground::level([0.0, 0.0, 5.0, 8.0], 0.0),
        Ground::level([5.0, 3.0, 17.0, 5.0], 0.0),
        Ground::along_x([17.0, 3.0, 20.0, 5.0], 0.0, 1.8),
        Ground::level([20.0, 3.0, 22.0, 5.0], 1.8),
    ])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    sim.zone([17.0, 3.0, 20.0, 5.0], UP, DOWN)?;
    let goal = sim.goal([21.0, 3.0, 22.0, 5.0])?;
    sim.fill(Fill::new(150, [0.0, 0.0, 5.0, 8.0], Law::Fixed(1.34), goal, 1).height(0.0))?;
    let (mut corridor, mut stair) = (Gate::default(), Gate::default());
    let mut feet = Vec::new();
    sim.run(400.0, |sim| {
        corridor.watch(sim, |at| at[0] >= 6.0);
        stair.watch(sim, |at| at[0] >= 20.0);
        feet.push(sim.count_in([14.0, 3.0, 17.0, 5.0]) as f64);
        true
    })?;
    // The corridor flows freely until the queue reaches back to it.
    let early: Vec<f64> = corridor.times().into_iter().take(60).collect();
    let (into, up) = (middle_flow(&early), middle_flow(&stair.times()));
    let mut outcome = Outcome::default();
    outcome.at_least("flow into the corridor less flow up the stair", into - up, "/s", 0.05);
    outcome.at_least("people at the foot of the stair, at most", greatest(&feet), "", 6.0);
    outcome.all("people up", sim.gone(), 150);
    outcome.show("flow into the corridor", into, "/s");
    outcome.show("flow up the stair", up, "/s");
    outcome.take(sim.finish("150 people climb a stair"));
    Ok(outcome)
}

/// Densities and speeds.
type Samples = Vec<(f64, f64)>;

/// Runs a hundred people over a stair 5 m long in plan (RiMEA 4.1.1 test 13). Returns density and speed each second.
fn over_stair(lab: &Lab, is_up: bool) -> Result<(Samples, usize, Trace)> {
    let rise = if is_up { 2.5 } else { -2.5 };
    let site = Site::storeys(&[
        Ground::level([0.0, 0.0, 10.0, 10.0], 0.0),
        Ground::level([10.0, 4.0, 12.0, 6.0], 0.0),
        Ground::along_x([12.0, 4.0, 17.0, 6.0], 0.0, rise),
        Ground::level([17.0, 4.0, 19.0, 6.0], rise),
        Ground::level([19.0, 3.0, 22.0, 7.0], rise),
    ])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    sim.zone([12.0, 4.0, 17.0, 6.0], UP, DOWN)?;
    let goal = sim.goal([21.0, 3.0, 22.0, 7.0])?;
    sim.fill(Fill::new(100, [0.0, 0.0, 10.0, 10.0], Law::WALKERS, goal, 1).height(0.0))?;
    let mut samples = Vec::new();
    sim.run(300.0, |sim| {
        let on = sim.present().iter().filter(|body| inside([12.0, 4.0, 17.0, 6.0], body.at));
        let speeds: Vec<f64> = on.map(|body| body.velocity[0].hypot(body.velocity[1])).collect();
        if sim.is_second() && !speeds.is_empty() {
            samples.push((speeds.len() as f64 / 10.0, mean(&speeds)));
        }
        true
    })?;
    Ok((samples, sim.gone(), sim.finish(format!("a hundred people {}", if is_up { "up" } else { "down" }))))
}

/// A hundred people over a stair, up and down (RiMEA 4.1.1 test 13): speeds by density, and down faster than up.
pub fn band(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let runs = lab.sweep(&[true, false], |is_up| over_stair(lab, *is_up))?;
    let mut bins: Vec<Vec<(f64, f64)>> = Vec::new();
    for (is_up, (samples, gone, trace)) in [true, false].into_iter().zip(runs) {
        let way = if is_up { "up" } else { "down" };
        let judged: Vec<&(f64, f64)> =
            samples.iter().filter(|sample| (0.6..=1.5).contains(&sample.0)).collect();
        let good = judged.iter().filter(|(density, speed)| {
            let [low, high] = data::stair_band(*density, is_up);
            (low..=high).contains(speed)
        });
        let share = good.count() as f64 / judged.len().max(1) as f64;
        outcome.at_least(format!("share of samples in the band, {way}"), share, "", 0.5);
        outcome.all(format!("people {way}"), gone, 100);
        bins.push(binned(&samples));
        outcome.take(trace);
        let band = |which: usize| {
            (6..=15)
                .map(|k| f64::from(k) * 0.1)
                .map(|rho| (rho, data::stair_band(rho, is_up)[which]))
                .collect()
        };
        let chart = Chart::new(format!("stair {way}"), "persons per m²", "m/s")
            .with("band, low", Mark::Law, band(0))
            .with("band, high", Mark::Law, band(1));
        outcome.charts.push(chart.with("each second here", Mark::Data, samples));
    }
    let pairs: Vec<(f64, f64)> = bins[0]
        .iter()
        .filter_map(|(density, up)| bins[1].iter().find(|bin| bin.0 == *density).map(|bin| (*up, bin.1)))
        .collect();
    outcome.all(
        "densities at which down is faster",
        pairs.iter().filter(|(up, down)| down > up).count(),
        pairs.len(),
    );
    Ok(outcome)
}

/// Returns the mean speed of each bin of 0.2 persons per square metre with at least three samples.
fn binned(samples: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let bin = |number: i32| {
        let low = 0.2 * f64::from(number);
        let here: Vec<f64> =
            samples.iter().filter(|sample| sample.0 >= low && sample.0 < low + 0.2).map(|s| s.1).collect();
        (here.len() >= 3).then(|| (low, mean(&here)))
    };
    (0..20).filter_map(bin).collect()
}

/// Congestion before a corridor and at the foot of a stair (NIST 5.1, ISO 10).
pub fn congestion(lab: &Lab) -> Result<Outcome> {
    let site = Site::storeys(&[
        Ground::level([0.0, 0.0, 8.0, 5.0], 0.0),
        Ground::level([3.0, 5.0, 5.0, 14.0], 0.0),
        Ground::along_y([3.0, 14.0, 5.0, 20.0], 0.0, 3.0),
        Ground::level([3.0, 20.0, 5.0, 22.0], 3.0),
    ])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    sim.zone([3.0, 14.0, 5.0, 20.0], 0.5, 0.5)?;
    let goal = sim.goal([3.0, 21.0, 5.0, 22.0])?;
    sim.fill(Fill::new(100, [0.0, 0.0, 8.0, 4.8], Law::Fixed(1.34), goal, 1).height(0.0))?;
    let areas: [Rect; 3] = [[3.0, 4.5, 5.0, 5.5], [3.0, 8.0, 5.0, 10.0], [3.0, 13.0, 5.0, 14.0]];
    let (mut peaks, mut calm) = ([0.0f64; 3], [0.0f64; 3]);
    let mut sums: Vec<[f64; 3]> = Vec::new();
    sim.run(300.0, |sim| {
        sums.push(areas.map(|area| sim.count_in(area) as f64 / ((area[2] - area[0]) * (area[3] - area[1]))));
        true
    })?;
    for which in 0..3 {
        peaks[which] = greatest(&sums.iter().map(|row| row[which]).collect::<Vec<_>>());
        // The mean of ten seconds shows what the peak of one moment hides: small areas vary more.
        let over = |window: &[[f64; 3]]| mean(&window.iter().map(|row| row[which]).collect::<Vec<_>>());
        calm[which] = greatest(&sums.windows(200).step_by(20).map(over).collect::<Vec<_>>());
    }
    let mut outcome = Outcome::default();
    outcome.at_least("peak density at the neck less that of the corridor", peaks[0] - peaks[1], "/m²", 0.01);
    outcome.at_least("peak density at the stair less that of the corridor", peaks[2] - peaks[1], "/m²", 0.01);
    outcome.all("people up", sim.gone(), 100);
    for (name, peak) in ["neck", "corridor", "foot of the stair"].iter().zip(calm) {
        outcome.show(format!("density over 10 s, {name}, at most"), peak, "/m²");
    }
    outcome.take(sim.finish("a hundred people, corridor and stair"));
    Ok(outcome)
}

/// Flow over stairs of five widths (ISO 12).
pub fn width(lab: &Lab) -> Result<Outcome> {
    let widths = [1.0, 1.2, 1.4, 1.6, 1.8];
    let runs = lab.each(&widths, |width, seed| {
        let (low, high) = (4.0 - 0.5 * width, 4.0 + 0.5 * width);
        let site = Site::storeys(&[
            Ground::level([0.0, 0.0, 10.0, 8.0], 0.0),
            Ground::level([10.0, low, 11.5, high], 0.0),
            Ground::along_x([11.5, low, 14.5, high], 0.0, 3.0),
            Ground::level([14.5, low, 16.0, high], 3.0),
            Ground::level([16.0, 1.0, 19.0, 7.0], 3.0),
        ])?;
        let mut sim = Sim::new(lab, &site, seed)?;
        sim.zone([11.5, low, 14.5, high], 0.5, 0.5)?;
        let goal = sim.goal([18.0, 1.0, 19.0, 7.0])?;
        sim.fill(Fill::new(100, [0.0, 0.0, 9.5, 8.0], Law::Fixed(1.0), goal, seed).height(0.0))?;
        let mut gate = Gate::default();
        sim.run(400.0, |sim| {
            gate.watch(sim, |at| at[0] >= 13.0);
            true
        })?;
        let times = gate.times();
        Ok((middle_flow(&times), times.len(), sim.finish(format!("stair of {width} m"))))
    })?;
    let mut outcome = Outcome::default();
    let mut flows = Vec::new();
    let up: usize = runs.iter().flatten().map(|run| run.1).sum();
    let all = 100 * runs.iter().map(Vec::len).sum::<usize>();
    for (width, runs) in widths.iter().zip(runs) {
        flows.push((*width, mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>())));
        runs.into_iter().for_each(|run| outcome.take(run.2));
        outcome.pictures.truncate(1);
    }
    outcome.at_least("slope of flow by width", slope(&flows), "/s/m", 0.01);
    outcome.at_least("flow of the widest less that of the narrowest", flows[4].1 - flows[0].1, "/s", 0.01);
    outcome.all("people up", up, all);
    for (width, flow) in &flows {
        outcome.show(format!("flow at {width} m"), *flow, "/s");
    }
    outcome.charts.push(Chart::new("flow over stairs", "width in m", "persons per s").with(
        "here",
        Mark::Ours,
        flows,
    ));
    Ok(outcome)
}

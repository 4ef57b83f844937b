//! What people are given: times before they set off, speeds, places.

use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::{Outcome, Trace};
use crate::sim::{Body, Sim};
use crate::site::Site;
use crate::stats::{chi_square_uniform, deviation, ks_one_sample, ks_two_samples, mean, median};
use crate::{data, site};
use clearway_base::Result;
use clearway_crowd::Goal;

/// A person has set off when it is this far from its start, in metres.
const SET_OFF: f64 = 0.05;

/// Puts one person for each waiting time into a room of 8 by 5 m with an exit of 1 m. Returns when each set off.
fn starts(lab: &Lab, site: &Site, waits: &[f64]) -> Result<(Vec<f64>, Trace)> {
    let mut sim = Sim::new(lab, site, 1)?;
    let exit = sim.goal([8.5, 2.0, 9.0, 3.0])?;
    for (index, wait) in waits.iter().enumerate() {
        // Rows from the exit backwards, the first to go nearest to it.
        let at = [7.0 - (index / 4) as f64 * 0.9, 0.8 + (index % 4) as f64 * 1.1];
        sim.add_waiting(at, 1.34, exit, 0, *wait)?;
    }
    let mut set_off = vec![f64::INFINITY; waits.len()];
    let last = waits.iter().copied().fold(0.0, f64::max);
    sim.run(last + 60.0, |sim| {
        let far = |body: &&Body| {
            let [x, y] = sim.people()[body.person].start;
            (body.at[0] - x).hypot(body.at[1] - y) > SET_OFF
        };
        for body in sim.present().iter().filter(far) {
            set_off[body.person] = set_off[body.person].min(sim.time());
        }
        set_off.iter().any(|time| time.is_infinite())
    })?;
    Ok((set_off, sim.finish("ten people wait in a room")))
}

fn waiting_room() -> Result<Site> {
    Site::rooms(&[[0.0, 0.0, 8.0, 5.0], [8.0, 2.0, 9.0, 3.0]])
}

/// Ten people set off 10, 20 … 100 s after the start (RiMEA 5).
pub fn waits(lab: &Lab) -> Result<Outcome> {
    let site = waiting_room()?;
    let mut waits: Vec<f64> = (1..=10).map(|k| 10.0 * f64::from(k)).collect();
    // The nearest to the exit goes first, so that nobody stands in the way of another.
    waits.sort_unstable_by(f64::total_cmp);
    let (set_off, trace) = starts(lab, &site, &waits)?;
    let late = set_off.iter().zip(&waits).map(|(time, wait)| (time - wait).abs()).fold(0.0, f64::max);
    let mut outcome = Outcome::default();
    outcome.at_most("greatest difference between start and wait", late, "s", 0.5);
    outcome.take(trace);
    Ok(outcome)
}

/// Times to set off follow their law: four laws of ten people (`nist`), three of sixty (`iso`).
pub fn laws(lab: &Lab) -> Result<Outcome> {
    let site = waiting_room()?;
    let mut outcome = Outcome::default();
    let runs: u64 = if lab.is_quick() { 5 } else { 20 };
    let laws = [
        ("uniform", Law::Uniform(10.0, 100.0)),
        ("gamma", Law::Gamma(1.291, 103.901)),
        ("lognormal", Law::Lognormal(4.586, 0.967)),
        ("Weibull", Law::Weibull(139.285, 1.195)),
        ("normal", Law::normal(60.0, 12.0)),
    ];
    let seeds: Vec<u64> = (1..=runs).collect();
    for (name, law) in laws {
        let samples = lab.sweep(&seeds, |seed| {
            let mut waits: Vec<f64> = (0..10).map(|body| law.draw(*seed, body, 17)).collect();
            waits.sort_unstable_by(f64::total_cmp);
            starts(lab, &site, &waits)
        })?;
        let chances: Vec<f64> =
            samples.iter().map(|(times, _)| ks_one_sample(times, |time| law.share(time - 0.1))).collect();
        if name != "normal" {
            outcome.part("nist");
            outcome.at_least(format!("median p, {name}"), median(&chances), "", 0.05);
        }
        if ["uniform", "normal", "lognormal"].contains(&name) {
            let seen: Vec<f64> =
                samples.iter().flat_map(|(times, _)| times.iter().copied()).take(60).collect();
            let drawn: Vec<f64> = (0..60).map(|body| law.draw(999, body, 18)).collect();
            outcome.part("iso");
            outcome.at_least(format!("p of two samples, {name}"), ks_two_samples(&seen, &drawn), "", 0.05);
        }
        samples.into_iter().for_each(|(_, trace)| outcome.take_unseen(trace));
    }
    Ok(outcome)
}

/// Lets people walk along x in a wide room, each in a lane of its own. Returns their mean speeds.
fn free_speeds(lab: &Lab, speeds: &[f64]) -> Result<(Vec<f64>, Trace)> {
    let side = 100.0f64.max(2.0 * speeds.len() as f64 + 2.0);
    let site = Site::rooms(&[[0.0, 0.0, 60.0, side]])?;
    let mut sim = Sim::new(lab, &site, 1)?;
    for (index, speed) in speeds.iter().enumerate() {
        sim.add([2.0, 2.0 + 2.0 * index as f64], *speed, Goal::Direction([1.0, 0.0]))?;
    }
    sim.run_for(2.0, |_| ())?;
    let before: Vec<f64> = sim.present().iter().map(|body| body.at[0]).collect();
    sim.run_for(10.0, |_| ())?;
    let after = sim.present().iter().map(|body| body.at[0]);
    let measured = after.zip(before).map(|(to, from)| (to - from) / 10.0).collect();
    Ok((measured, sim.finish_unseen()))
}

/// Speeds by age (RiMEA 7): fifty people of each age.
pub fn ages(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let mut means = Vec::new();
    let groups = lab.sweep(data::SPEED_BY_AGE, |(age, [low, high])| {
        let law = Law::Uniform(low - 0.1, high + 0.1);
        let speeds: Vec<f64> = (0..50).map(|body| law.draw(u64::from(*age), body, 5)).collect();
        let (measured, trace) = free_speeds(lab, &speeds)?;
        let worst = measured.iter().zip(&speeds).map(|(is, want)| (is - want).abs()).fold(0.0, f64::max);
        Ok((worst, mean(&measured), ks_one_sample(&measured, |speed| law.share(speed)), trace))
    })?;
    for ((worst, middle, chance, trace), (age, _)) in groups.into_iter().zip(data::SPEED_BY_AGE) {
        outcome.at_most(format!("greatest error of a speed at {age}"), worst, "m/s", 0.03);
        outcome.at_least(format!("p at {age}"), chance, "", 0.05);
        means.push(middle);
        outcome.take_unseen(trace);
    }
    let falls = means.windows(2).filter(|pair| pair[1] < pair[0]).count();
    outcome.all("ages that walk slower than the one before", falls, means.len() - 1);
    Ok(outcome)
}

/// A hundred people with speeds N(1.2, 0.2) (NIST 2.4, ISO 5).
pub fn demographics(lab: &Lab) -> Result<Outcome> {
    let law = Law::normal(1.2, 0.2);
    let runs = lab.sweep(&lab.seeds(), |seed| {
        let speeds: Vec<f64> = (0..100).map(|body| law.draw(*seed, body, 6)).collect();
        free_speeds(lab, &speeds)
    })?;
    let mut outcome = Outcome::default();
    let chances: Vec<f64> =
        runs.iter().map(|(speeds, _)| ks_one_sample(speeds, |speed| law.share(speed))).collect();
    let all: Vec<f64> = runs.iter().flat_map(|(speeds, _)| speeds.iter().copied()).collect();
    outcome.within("mean speed", mean(&all), "m/s", 1.15, 1.25);
    outcome.within("deviation", deviation(&all), "m/s", 0.15, 0.25);
    outcome.at_least("median p", median(&chances), "", 0.05);
    runs.into_iter().for_each(|(_, trace)| outcome.take_unseen(trace));
    Ok(outcome)
}

/// Random places are even (Jülich 14): 2000 places of the mesh in 100 by 100 m.
pub fn places(lab: &Lab) -> Result<Outcome> {
    let site = Site::rooms(&[[0.0, 0.0, 100.0, 100.0]])?;
    let mut chances = Vec::new();
    for seed in 1..=if lab.is_quick() { 10 } else { 50 } {
        let mut bins = [[0usize; 10]; 2];
        for place in site.mesh.random_points(seed).take(2000) {
            let [x, y] = place.position();
            debug_assert!(site::inside([0.0, 0.0, 100.0, 100.0], [x, y]));
            bins[0][(x / 10.0).min(9.0) as usize] += 1;
            bins[1][(y / 10.0).min(9.0) as usize] += 1;
        }
        chances.extend(bins.iter().map(|bins| chi_square_uniform(bins)));
    }
    let mut outcome = Outcome::default();
    outcome.at_least("mean p over runs and axes", mean(&chances), "", 0.1);
    Ok(outcome)
}

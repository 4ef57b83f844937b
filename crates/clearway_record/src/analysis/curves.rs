//! Curves over time: people inside, mean speed and density, and the flow through each exit.

use super::{Densities, spread_frames};
use crate::Recording;
use serde::Serialize;

/// The most points of a curve: more than a screen shows.
const MAX_POINTS: usize = 600;

/// The part of the people between which the middle flow is taken: the first and the last tenth are left out.
const MIDDLE: [f64; 2] = [0.1, 0.9];

/// Curves over time. Lists of a pair have equal lengths.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Curves {
    /// Times in seconds.
    pub time: Vec<f64>,
    /// The number of bodies in the space at these times.
    pub inside: Vec<usize>,
    /// The mean speed in m/s of those on their way; `None` if nobody is.
    pub speed: Vec<Option<f64>>,
    /// Times in seconds at which the density was measured.
    pub density_time: Vec<f64>,
    /// The mean of the densities around the bodies in 1/m².
    pub mean_density: Vec<f64>,
    /// The highest density around a body in 1/m².
    pub peak_density: Vec<f64>,
}

/// Returns the curves of a recording.
pub fn curves(recording: &Recording, densities: &Densities) -> Curves {
    let mut curves = Curves::default();
    for index in spread_frames(recording, MAX_POINTS) {
        let frame = recording.frame(index);
        let walking = frame.iter().filter(|sample| sample.walks);
        let (sum, count) = walking.fold((0.0, 0), |(sum, count), s| (sum + s.speed(), count + 1));
        curves.time.push(recording.time(index));
        curves.inside.push(frame.len());
        curves.speed.push((count > 0).then(|| sum / f64::from(count)));
    }
    for (index, densities) in densities.frames() {
        let sum: f64 = densities.iter().sum();
        curves.density_time.push(recording.time(index));
        curves.mean_density.push(if densities.is_empty() { 0.0 } else { sum / densities.len() as f64 });
        curves.peak_density.push(densities.iter().copied().fold(0.0, f64::max));
    }
    curves
}

/// The people that went through an exit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExitFlow {
    /// The name of the exit.
    pub name: String,
    /// The times in seconds at which people went through, in order.
    pub times: Vec<f64>,
    /// (N - 1) / (last time - first time) in 1/s; 0 for fewer than two people.
    pub flow: f64,
    /// The same without the first and the last tenth of the people.
    pub middle_flow: f64,
}

/// Returns the flow through each exit, and through no named exit at the end if there was any.
pub fn exit_flows(recording: &Recording) -> Vec<ExitFlow> {
    let exits = &recording.geometry().exits;
    let mut flows: Vec<_> =
        exits.iter().map(|exit| ExitFlow { name: exit.name.clone(), ..ExitFlow::default() }).collect();
    flows.push(ExitFlow { name: "elsewhere".to_string(), ..ExitFlow::default() });
    for event in recording.events().iter().filter(|event| event.kind.is_arrival()) {
        let index = event.exit.map_or(exits.len(), |exit| exit as usize);
        flows[index.min(exits.len())].times.push(event.time);
    }
    if flows.last().is_some_and(|flow| flow.times.is_empty()) {
        flows.pop();
    }
    for flow in &mut flows {
        flow.times.sort_by(f64::total_cmp);
        flow.flow = rate(&flow.times);
        flow.middle_flow = middle_rate(&flow.times);
    }
    flows
}

/// Returns the rate without the first and the last tenth of the people.
pub(super) fn middle_rate(times: &[f64]) -> f64 {
    let [from, to] = MIDDLE.map(|share| (share * times.len() as f64).round() as usize);
    times.get(from..to).map_or(0.0, rate)
}

/// Returns the people per second between the first and the last.
pub(super) fn rate(times: &[f64]) -> f64 {
    match times {
        [first, .., last] if last > first => (times.len() - 1) as f64 / (last - first),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn flows_and_curves_tell_of_the_door() {
        let recording = testing::door(120, 1);
        let flows = exit_flows(&recording);
        let names: Vec<_> = flows.iter().map(|flow| (flow.name.as_str(), flow.times.len())).collect();
        assert_eq!(names, [("east", 100), ("west", 20)]);
        // 1.8 people a second set off, five of six of them to the east.
        assert!((flows[0].middle_flow - 1.5).abs() < 0.15, "{}", flows[0].middle_flow);
        let curves = curves(&recording, &Densities::of(&recording));
        assert_eq!((curves.inside[0], curves.inside.last().copied()), (120, Some(0)));
        assert!(curves.inside.is_sorted_by(|a, b| a >= b));
        assert!(curves.peak_density.iter().zip(&curves.mean_density).all(|(peak, mean)| peak >= mean));
        assert!(curves.time.len() <= MAX_POINTS);
    }

    #[test]
    fn an_exit_of_one_or_none_has_no_flow() {
        let flows = exit_flows(&testing::door(6, 1));
        assert_eq!(flows[1].times.len(), 1);
        assert_eq!((flows[1].flow, flows[1].middle_flow), (0.0, 0.0));
    }
}

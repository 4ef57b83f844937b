//! What measuring lines and areas found, summed up.

use super::curves::{middle_rate, rate};
use crate::geometry::Probe;
use crate::{Readings, Recording};
use serde::Serialize;

/// Those who crossed a line in one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Direction {
    /// The number of crossings.
    pub people: usize,
    /// The time of the first in seconds.
    pub first: Option<f64>,
    /// The time of the last in seconds.
    pub last: Option<f64>,
    /// (N - 1) / (last - first) in 1/s; 0 for fewer than two.
    pub flow: f64,
    /// The same without the first and the last tenth of the people.
    pub middle_flow: f64,
}

/// What was counted at a measuring line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LineSummary {
    /// The name of the line.
    pub name: String,
    /// Its length in metres.
    pub length: f64,
    /// The crossings from the right side of the line to the left, seen from its first point to its second.
    pub to_left: Direction,
    /// The crossings from the left side to the right.
    pub to_right: Direction,
}

/// What was measured in an area.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AreaSummary {
    /// The name of the area.
    pub name: String,
    /// Its size in m².
    pub area: f64,
    /// The mean number of people on a m² from the first second in which somebody was inside to the last.
    pub mean_density: f64,
    /// The highest number of people on a m² over a second.
    pub highest_density: f64,
    /// The mean speed in m/s of those on their way; `None` if nobody was.
    pub mean_speed: Option<f64>,
}

/// Returns what the measuring lines and areas of a recording found.
pub fn probed(recording: &Recording) -> (Vec<LineSummary>, Vec<AreaSummary>) {
    let (mut lines, mut areas) = (Vec::new(), Vec::new());
    for (probe, readings) in recording.geometry().probes.iter().zip(recording.readings()) {
        if probe.is_area() {
            areas.push(area(probe, readings));
        } else {
            lines.push(line(probe, readings));
        }
    }
    (lines, areas)
}

fn line(probe: &Probe, readings: &Readings) -> LineSummary {
    let times = |to_left: bool| {
        let crossings = readings.crossings.iter().filter(move |crossing| crossing.to_left == to_left);
        crossings.map(|crossing| crossing.time).collect::<Vec<f64>>()
    };
    let length = match probe.points[..] {
        [a, b] => (b[0] - a[0]).hypot(b[1] - a[1]),
        _ => 0.0,
    };
    let [to_left, to_right] = [true, false].map(|to_left| direction(&times(to_left)));
    LineSummary { name: probe.name.clone(), length, to_left, to_right }
}

fn direction(times: &[f64]) -> Direction {
    Direction {
        people: times.len(),
        first: times.first().copied(),
        last: times.last().copied(),
        flow: rate(times),
        middle_flow: middle_rate(times),
    }
}

fn area(probe: &Probe, readings: &Readings) -> AreaSummary {
    let is_busy = |sample: &crate::AreaSample| sample.density > 0.0;
    let samples = &readings.samples;
    let first = samples.iter().position(is_busy).unwrap_or(samples.len());
    let last = samples.iter().rposition(is_busy).map_or(first, |last| last + 1);
    let busy = samples.get(first..last).unwrap_or_default();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let densities: Vec<f64> = busy.iter().map(|sample| sample.density).collect();
    let speeds: Vec<f64> = busy.iter().filter_map(|sample| sample.speed).collect();
    AreaSummary {
        name: probe.name.clone(),
        area: probe.area(),
        mean_density: mean(&densities),
        highest_density: densities.iter().copied().fold(0.0, f64::max),
        mean_speed: (!speeds.is_empty()).then(|| mean(&speeds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn everybody_who_leaves_by_the_east_crosses_its_line() {
        let recording = testing::door(120, 1);
        let (lines, areas) = probed(&recording);
        let ([line], [area]) = (&lines[..], &areas[..]) else { panic!("{lines:?} {areas:?}") };
        assert_eq!((line.name.as_str(), line.to_right.people, line.to_left.people), ("east line", 100, 0));
        // 1.8 people a second set off, five of six of them to the east.
        assert!((line.to_right.middle_flow - 1.5).abs() < 0.15, "{line:?}");
        assert!((line.length - 4.0).abs() < 1e-9 && line.to_right.first < line.to_right.last);
        assert!((area.area - 9.0).abs() < 1e-9 && area.highest_density >= area.mean_density, "{area:?}");
        assert!(area.mean_density > 0.1 && area.mean_speed > Some(0.1), "{area:?}");
    }
}

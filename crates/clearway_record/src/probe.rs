//! Measuring lines and areas: who crosses a line in which direction, and how dense and fast an area is over time.
//!
//! Lines are watched in every frame. Areas are summed up over each second. Cost: bodies times probes for each frame.

use crate::geometry::Probe;
use crate::recorder::Place;
use serde::Serialize;

/// A body counts for a probe with a height if its feet are this near to it, in metres: as for areas of a scenario.
const SAME_HEIGHT: f64 = 1.25;

/// The time in seconds over which an area is summed up: the density of single frames jumps with every body.
const INTERVAL: f64 = 1.0;

/// Somebody crossed a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Crossing {
    /// The time in seconds of the frame after it.
    pub time: f64,
    /// True if it went from the right side of the line to the left one, seen from its first point to its second.
    pub to_left: bool,
}

/// An area during a second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AreaSample {
    /// The time in seconds at which the second ended.
    pub time: f64,
    /// The mean number of bodies on a m².
    pub density: f64,
    /// The mean speed in m/s of those on their way; `None` if nobody was.
    pub speed: Option<f64>,
}

/// The readings of a probe: crossings of a line, or samples of an area.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Readings {
    /// Everybody who crossed, in order. Who crosses twice counts twice.
    pub crossings: Vec<Crossing>,
    /// The area, second by second.
    pub samples: Vec<AreaSample>,
}

/// What is summed up of an area until the next sample.
#[derive(Clone, Copy, Default)]
struct Sum {
    frames: u32,
    people: u64,
    walking: u64,
    speed: f64,
}

/// Watches the probes of a run.
pub struct Prober {
    probes: Vec<Probe>,
    readings: Vec<Readings>,
    sums: Vec<Sum>,
    /// The time since which areas are summed up.
    since: f64,
}

impl Prober {
    /// Begins to watch.
    pub fn new(probes: &[Probe]) -> Prober {
        Prober {
            probes: probes.to_vec(),
            readings: vec![Readings::default(); probes.len()],
            sums: vec![Sum::default(); probes.len()],
            since: f64::NAN,
        }
    }

    /// Takes note of somebody who walked from a place to another between two frames.
    pub fn walked(&mut self, from: [f64; 3], to: [f64; 3], time: f64) {
        for (probe, readings) in self.probes.iter().zip(&mut self.readings) {
            let [a, b] = probe.points[..] else { continue };
            let middle = (from[2] + to[2]) / 2.0;
            if !is_at_height(probe, middle) {
                continue;
            }
            if let Some(to_left) = crosses([a, b], [from[0], from[1]], [to[0], to[1]]) {
                readings.crossings.push(Crossing { time, to_left });
            }
        }
    }

    /// Takes the bodies of a frame.
    pub fn frame(&mut self, places: &[Place], time: f64) {
        if self.since.is_nan() {
            self.since = time;
        }
        for (probe, sum) in self.probes.iter().zip(&mut self.sums).filter(|(probe, _)| probe.is_area()) {
            sum.frames += 1;
            let is_inside = |place: &&Place| {
                is_at_height(probe, place.at[2]) && contains(&probe.points, [place.at[0], place.at[1]])
            };
            for place in places.iter().filter(is_inside) {
                sum.people += 1;
                if place.walks {
                    sum.walking += 1;
                    sum.speed += place.speed;
                }
            }
        }
        // Times are sums of steps, so a second ends a little early.
        if time - self.since >= INTERVAL - 1e-6 {
            self.close(time);
        }
    }

    /// Ends the second.
    fn close(&mut self, time: f64) {
        for ((probe, sum), readings) in self.probes.iter().zip(&mut self.sums).zip(&mut self.readings) {
            if sum.frames > 0 {
                let density = sum.people as f64 / f64::from(sum.frames) / probe.area().max(f64::MIN_POSITIVE);
                let speed = (sum.walking > 0).then(|| sum.speed / sum.walking as f64);
                readings.samples.push(AreaSample { time, density, speed });
            }
            *sum = Sum::default();
        }
        self.since = time;
    }

    /// Ends the run and gives what was found, in the order of the probes.
    pub fn finish(self) -> Vec<Readings> {
        self.readings
    }
}

/// True if feet at this height count for a probe.
fn is_at_height(probe: &Probe, z: f64) -> bool {
    probe.height.is_none_or(|height| (height - z).abs() <= SAME_HEIGHT)
}

/// Returns if somebody who walks straight crosses a line, and if to its left. A point on the line is to its left, so
/// that nobody crosses twice by standing on it.
fn crosses([a, b]: [[f64; 2]; 2], from: [f64; 2], to: [f64; 2]) -> Option<bool> {
    let sides = [from, to].map(|p| cross(a, b, p));
    let [was_left, is_left] = sides.map(|side| side >= 0.0);
    if was_left == is_left {
        return None;
    }
    let share = sides[0] / (sides[0] - sides[1]);
    let at = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
    let along = [0, 1].map(|axis| b[axis] - a[axis]);
    let square = along[0] * along[0] + along[1] * along[1];
    let place = (at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1];
    (0.0..=square).contains(&place).then_some(is_left)
}

/// Returns a number above 0 for a point to the left of a line.
fn cross(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// True for a point inside a ring, by the number of sides to its right.
pub(crate) fn contains(ring: &[[f64; 2]], p: [f64; 2]) -> bool {
    let next = ring.iter().cycle().skip(1);
    let is_crossed = |(a, b): &(&[f64; 2], &[f64; 2])| {
        (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1])
    };
    ring.iter().zip(next).filter(is_crossed).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentRecord, Geometry, Header, Recorder, Recording};

    /// A body walks from x = 1 to x = 9 and back at 1 m/s, in a room with a line at x = 5 and an area of 4 m².
    fn walk(height: Option<f64>) -> Recording {
        let room = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 4.0], [0.0, 4.0]];
        let area = vec![[2.0, 1.0], [4.0, 1.0], [4.0, 3.0], [2.0, 3.0]];
        let probes = vec![
            Probe::new("line", 0, vec![[5.0, 0.0], [5.0, 4.0]]).height(height),
            Probe::new("area", 0, area).height(height),
        ];
        let geometry = Geometry::of_plan(&[room], &[]).probes(probes);
        let mut recorder = Recorder::new(Header::new("walk", geometry)).unwrap();
        let body = recorder.add_agent(AgentRecord::new(0)).unwrap();
        for step in 0..=160 {
            let time = f64::from(step) * 0.1;
            let x = if time <= 8.0 { 1.0 + time } else { 17.0 - time };
            recorder.frame(time, [Place::new(body, [x, 2.0, 0.0]).speed(1.0)]).unwrap();
        }
        recorder.finish()
    }

    #[test]
    fn a_line_counts_both_directions_and_an_area_its_people() {
        let recording = walk(None);
        let [line, area] = recording.readings() else { panic!() };
        let crossed: Vec<_> = line.crossings.iter().map(|c| (c.time.round(), c.to_left)).collect();
        assert_eq!(crossed, [(4.0, false), (12.0, true)]);
        assert!(line.samples.is_empty() && area.crossings.is_empty());
        assert_eq!(area.samples.len(), 16);
        // One body on 4 m², from x = 2 to x = 4.
        let busy: Vec<_> = area.samples.iter().filter(|s| s.density > 0.2).collect();
        assert!(busy.iter().all(|s| (s.density - 0.25).abs() < 0.03 && s.speed == Some(1.0)), "{busy:?}");
        assert_eq!(busy.len(), 4);
        assert!(area.samples.iter().any(|s| s.density == 0.0 && s.speed.is_none()));
    }

    #[test]
    fn a_probe_of_another_floor_counts_nobody() {
        let recording = walk(Some(3.0));
        let [line, area] = recording.readings() else { panic!() };
        assert!(line.crossings.is_empty() && area.samples.iter().all(|sample| sample.density == 0.0));
        assert_eq!(walk(Some(1.0)).readings()[0].crossings.len(), 2);
    }

    #[test]
    fn a_way_beside_the_line_does_not_cross_it() {
        let line = [[0.0, 0.0], [2.0, 0.0]];
        assert_eq!(crosses(line, [1.0, -1.0], [1.0, 1.0]), Some(true));
        assert_eq!(crosses(line, [1.0, 1.0], [1.0, -1.0]), Some(false));
        assert_eq!(crosses(line, [3.0, -1.0], [3.0, 1.0]), None);
        assert_eq!(crosses(line, [1.0, 0.0], [1.0, 1.0]), None);
    }
}

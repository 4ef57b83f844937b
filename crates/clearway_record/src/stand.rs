//! People who stand although they want to go on: for how long, where most of them do, and a remark about them.

use clearway_base::error::short;
use serde::Serialize;
use std::collections::BTreeMap;

/// A body stands as long as it stays within this many metres of a place: a step to and fro is no progress.
const REACH: f64 = 0.5;

/// The time in seconds after which a stand is told of. Crowded exits keep people waiting, but move them on.
const LONG: f64 = 60.0;

/// The side in metres of the squares in which stands are counted: the extent of a knot of people.
const SQUARE: f64 = 4.0;

/// The bodies that stood for more than a minute although they were on their way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// The number of bodies.
    pub people: u64,
    /// The middle of the square of 4 m in which most stood: x and y of the plan, z upwards.
    pub at: [f64; 3],
    /// The time in seconds at which the first of those in this square stopped.
    pub from: f64,
    /// The time in seconds until which they stood there.
    pub to: f64,
}

impl Standing {
    /// Returns a remark for the reader.
    pub fn note(&self) -> String {
        let people = if self.people == 1 { "1 person".into() } else { format!("{} people", self.people) };
        let [x, y, z] = self.at;
        let height = if z.abs() > 0.5 { format!(" at the height {z:.1} m") } else { String::new() };
        let [from, to] = [self.from, self.to].map(|time| short((time * 10.0).round() / 10.0));
        let near = if self.people == 1 { "near" } else { "the largest group near" };
        format!(
            "{people} stood for more than a minute on the way, {near} x {x:.1}, y {y:.1}{height}, \
             from {from} s to {to} s"
        )
    }
}

/// A stand that is over.
#[derive(Clone, Copy)]
pub struct Stood {
    at: [f64; 3],
    from: f64,
    to: f64,
}

/// The stand of one body.
#[derive(Clone, Copy, Default)]
pub struct Stand {
    at: [f64; 3],
    /// The times of its begin and of the last frame; `None` while the body does not want to go on.
    times: Option<[f64; 2]>,
}

impl Stand {
    /// Follows a body into the next frame. Returns the stand that ended.
    pub fn go_on(&mut self, at: [f64; 3], time: f64, walks: bool) -> Option<Stood> {
        let is_near = (at[0] - self.at[0]).hypot(at[1] - self.at[1]) <= REACH;
        if let Some([_, last]) = self.times.as_mut().filter(|_| walks && is_near) {
            *last = time;
            return None;
        }
        let stood = self.end();
        if walks {
            (self.at, self.times) = (at, Some([time; 2]));
        }
        stood
    }

    /// Ends the stand.
    pub fn end(&mut self) -> Option<Stood> {
        self.times.take().map(|[from, to]| Stood { at: self.at, from, to })
    }
}

/// The long stands in a square.
#[derive(Clone, Copy)]
struct Knot {
    count: u64,
    sum: [f64; 3],
    from: f64,
    to: f64,
}

/// The stands of a run.
#[derive(Default)]
pub struct Stands {
    longest: f64,
    /// True for bodies that stood for long.
    is_told: Vec<bool>,
    knots: BTreeMap<[i64; 3], Knot>,
}

impl Stands {
    /// Adds a stand of a body, if there was one.
    pub fn add(&mut self, agent: usize, stood: Option<Stood>) {
        let Some(Stood { at, from, to }) = stood else { return };
        self.longest = self.longest.max(to - from);
        if to - from <= LONG {
            return;
        }
        if self.is_told.len() <= agent {
            self.is_told.resize(agent + 1, false);
        }
        self.is_told[agent] = true;
        let square = at.map(|c| (c / SQUARE).floor() as i64);
        let knot = self.knots.entry(square).or_insert(Knot { count: 0, sum: [0.0; 3], from, to });
        knot.count += 1;
        knot.sum = [0, 1, 2].map(|axis| knot.sum[axis] + at[axis]);
        (knot.from, knot.to) = (knot.from.min(from), knot.to.max(to));
    }

    /// Returns the longest stand in seconds.
    pub fn longest(&self) -> f64 {
        self.longest
    }

    /// Returns those who stood for long; `None` if nobody did.
    pub fn standing(&self) -> Option<Standing> {
        // Of equal squares the first counts.
        let knot = self.knots.values().rev().max_by_key(|knot| knot.count)?;
        let people = self.is_told.iter().filter(|told| **told).count() as u64;
        let at = knot.sum.map(|sum| sum / knot.count as f64);
        Some(Standing { people, at, from: knot.from, to: knot.to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows bodies along x, each with a time at which it stops and one at which it goes on.
    fn stands(stops: &[[f64; 2]], walks: bool) -> Stands {
        let mut stands = Stands::default();
        for (agent, [stop, go]) in stops.iter().enumerate() {
            let mut stand = Stand::default();
            for step in 0..2000 {
                let time = f64::from(step) * 0.1;
                let x = time.min(*stop) + (time - go).max(0.0);
                let wobble = if step % 2 == 0 { 0.0 } else { 0.2 };
                let stood = stand.go_on([x, 2.0 + wobble, 0.0], time, walks);
                stands.add(agent, stood);
            }
            let stood = stand.end();
            stands.add(agent, stood);
        }
        stands
    }

    #[test]
    fn those_who_stand_for_more_than_a_minute_are_told_of() {
        let found = stands(&[[5.0, 100.0], [5.2, 90.0], [30.0, 80.0], [20.0, 120.0]], true);
        let standing = found.standing().unwrap();
        assert_eq!(standing.people, 3);
        assert!((standing.at[0] - 5.0).abs() < 0.5 && (standing.at[1] - 2.0).abs() < 0.3, "{standing:?}");
        assert!((standing.from - 4.8).abs() < 1.0 && (standing.to - 100.3).abs() < 1.0, "{standing:?}");
        assert!((found.longest() - 100.5).abs() < 1.0, "{}", found.longest());
        let note = standing.note();
        assert!(
            note.starts_with("3 people stood for more than a minute on the way, the largest group near x "),
            "{note}"
        );
    }

    #[test]
    fn those_who_wait_are_not() {
        let found = stands(&[[5.0, 100.0]], false);
        assert!(found.standing().is_none() && found.longest() == 0.0);
        assert!(stands(&[[5.0, 50.0]], true).standing().is_none());
    }
}

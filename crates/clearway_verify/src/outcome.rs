//! What a test found: measured values with their limits, and the verdict that follows from them.

use crate::report::chart::Chart;

/// The depth in metres by which bodies may overlap each other or a wall where the contact projection is on.
pub const ALLOWED_OVERLAP: f64 = 1e-4;

/// The verdict on a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every value lies within its limits.
    Pass,
    /// A value lies outside of its limits.
    Fail,
    /// Values are written down; nothing is judged but overlap.
    Documented,
}

impl Verdict {
    /// Returns the word of the verdict.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Documented => "documented",
        }
    }
}

/// A measured value.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Value {
    /// Its name.
    pub name: String,
    /// The value; `None` where nothing could be measured.
    pub value: Option<f64>,
    /// Its unit, or nothing.
    pub unit: &'static str,
    /// The least value that passes; `None` for no limit.
    pub low: Option<f64>,
    /// The greatest value that passes; `None` for no limit.
    pub high: Option<f64>,
    /// The part of the experiment to which it belongs; nothing for all parts.
    #[serde(skip)]
    pub part: &'static str,
}

impl Value {
    /// True if it has a limit.
    pub fn is_judged(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }

    /// True if it lies within its limits. A value that could not be measured does not.
    pub fn is_good(&self) -> bool {
        let Some(value) = self.value else { return !self.is_judged() };
        self.low.is_none_or(|low| value >= low) && self.high.is_none_or(|high| value <= high)
    }
}

/// A picture of the place of a run.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What it shows.
    pub caption: String,
    /// The picture as SVG.
    pub svg: String,
    /// The part of the experiment to which it belongs; nothing for all.
    pub part: &'static str,
}

/// What an experiment found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The values, the most important first.
    pub values: Vec<Value>,
    /// A remark in words.
    pub note: String,
    /// Pictures of the place.
    pub pictures: Vec<Picture>,
    /// Curves over data.
    pub charts: Vec<Chart>,
    /// The deepest overlap of two bodies, or of a body and a wall, in metres.
    pub overlap: f64,
    /// The part to which values belong that are added now.
    part: &'static str,
}

impl Outcome {
    /// Says to which part of the experiment the values and pictures belong that follow.
    pub fn part(&mut self, part: &'static str) {
        self.part = part;
    }

    /// Adds a value that must lie between two limits.
    pub fn within(&mut self, name: impl Into<String>, value: f64, unit: &'static str, low: f64, high: f64) {
        let limit = |limit: f64| limit.is_finite().then_some(limit);
        let value = value.is_finite().then_some(value);
        let (low, high) = (limit(low), limit(high));
        self.values.push(Value { name: name.into(), value, unit, low, high, part: self.part });
    }

    /// Adds a value that must lie within a share of another.
    pub fn near(&mut self, name: impl Into<String>, value: f64, unit: &'static str, wanted: f64, share: f64) {
        self.within(name, value, unit, wanted * (1.0 - share), wanted * (1.0 + share));
    }

    /// Adds a value that must not be less than another.
    pub fn at_least(&mut self, name: impl Into<String>, value: f64, unit: &'static str, low: f64) {
        self.within(name, value, unit, low, f64::INFINITY);
    }

    /// Adds a value that must not be greater than another.
    pub fn at_most(&mut self, name: impl Into<String>, value: f64, unit: &'static str, high: f64) {
        self.within(name, value, unit, f64::NEG_INFINITY, high);
    }

    /// Adds a value without limits.
    pub fn show(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.within(name, value, unit, f64::NEG_INFINITY, f64::INFINITY);
    }

    /// Adds a count that must equal another.
    pub fn all(&mut self, name: impl Into<String>, count: usize, of: usize) {
        self.within(name, count as f64, "", of as f64, of as f64);
    }

    /// Adds what one run left behind: its deepest overlap, and its picture.
    pub fn take(&mut self, trace: Trace) {
        self.overlap = self.overlap.max(trace.overlap);
        let part = self.part;
        self.pictures.extend(trace.picture.map(|(caption, svg)| Picture { caption, svg, part }));
    }

    /// Adds the overlap of a run, without its picture.
    pub fn take_unseen(&mut self, trace: Trace) {
        self.overlap = self.overlap.max(trace.overlap);
    }

    /// Returns the values of one part of the experiment.
    pub fn of_part(&self, part: &str) -> Vec<Value> {
        self.values.iter().filter(|value| value.part.is_empty() || value.part == part).cloned().collect()
    }

    /// Returns the numbers of the pictures of one part of the experiment; of all if none belongs to it.
    pub fn pictures_of(&self, part: &str) -> Vec<usize> {
        let numbers = || 0..self.pictures.len();
        let is_own = |number: &usize| part.is_empty() || ["", part].contains(&self.pictures[*number].part);
        let own: Vec<usize> = numbers().filter(is_own).collect();
        if own.is_empty() { numbers().collect() } else { own }
    }

    /// Returns the verdict on some of its values. Overlap counts where it is forbidden.
    pub fn verdict(&self, values: &[Value], forbids_overlap: bool) -> Verdict {
        let overlaps = forbids_overlap && (self.overlap > ALLOWED_OVERLAP || self.overlap.is_nan());
        if overlaps || !values.iter().all(Value::is_good) {
            Verdict::Fail
        } else if values.iter().any(Value::is_judged) {
            Verdict::Pass
        } else {
            Verdict::Documented
        }
    }
}

/// What one run left behind.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The deepest overlap in metres.
    pub overlap: f64,
    /// A caption and a picture as SVG.
    pub picture: Option<(String, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_decide() {
        let mut outcome = Outcome::default();
        outcome.show("speed", 3.0, "m/s");
        assert_eq!(outcome.verdict(&outcome.values, true), Verdict::Documented);
        outcome.within("time", 30.0, "s", 26.0, 34.0);
        assert_eq!(outcome.verdict(&outcome.values, true), Verdict::Pass);
        outcome.overlap = 2e-4;
        assert_eq!(outcome.verdict(&outcome.values, false), Verdict::Pass);
        assert_eq!(outcome.verdict(&outcome.values, true), Verdict::Fail);
    }

    #[test]
    fn what_was_not_measured_fails() {
        let mut outcome = Outcome::default();
        outcome.at_most("time of the last", f64::INFINITY, "s", 60.0);
        assert_eq!(outcome.verdict(&outcome.values, true), Verdict::Fail);
    }

    /// The test up a stair showed eight pictures of other tests, the one down a stair none.
    #[test]
    fn pictures_stand_at_their_own_test() {
        let mut outcome = Outcome::default();
        for part in ["up", "down", "up"] {
            outcome.part(part);
            outcome.take(Trace { overlap: 0.0, picture: Some((part.to_string(), String::new())) });
        }
        assert_eq!((outcome.pictures_of("up"), outcome.pictures_of("down")), (vec![0, 2], vec![1]));
        assert_eq!((outcome.pictures_of(""), outcome.pictures_of("other")), (vec![0, 1, 2], vec![0, 1, 2]));
    }

    #[test]
    fn parts_are_judged_apart() {
        let mut outcome = Outcome::default();
        outcome.part("band");
        outcome.at_least("flow", 1.0, "/s", 0.5);
        outcome.part("middle");
        outcome.at_least("flow", 1.0, "/s", 2.0);
        let judge = |part| outcome.verdict(&outcome.of_part(part), true);
        assert_eq!((judge("band"), judge("middle")), (Verdict::Pass, Verdict::Fail));
    }
}

//! The distance to the walls along a segment: an exact lower envelope, its peaks and its dips.
//!
//! The distance from a point of the segment to one wall is a convex function of the position on the segment. It has at
//! most three parts: the nearest point of the wall is its one end, slides along it, or is its other end. In each part
//! the squared distance is a quadratic, so that envelopes need nothing but roots of quadratics. The distance `d` to all
//! walls is the least of them. Being a minimum of convex functions, it has its local maxima only where two of them are
//! equal, or at an end of the segment. Cost: O(w·k) for w walls and k parts of the envelope, which has about as many
//! parts as walls touch it.

use super::Wall;
use crate::tolerances::shares::NEGLIGIBLE;
use clearway_geometry::Vec2;

/// A segment with a direction of unit length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    /// Its start, in grid units.
    pub start: Vec2,
    /// Its end.
    pub end: Vec2,
    /// Its direction, of length one.
    pub along: Vec2,
    /// Its length in grid units.
    pub length: f64,
}

impl Track {
    /// Returns the track between two points. Equal points make a track of length zero with an arbitrary direction.
    pub fn new(start: Vec2, end: Vec2) -> Track {
        let length = start.distance(end);
        let along = if length > 0.0 { (end - start) * (1.0 / length) } else { Vec2::new(1.0, 0.0) };
        Track { start, end, along, length }
    }

    /// The point `s` units after the start.
    pub fn at(&self, s: f64) -> Vec2 {
        self.start + self.along * s
    }

    /// Returns the length along the track at which the point nearest to `p` lies.
    pub fn foot(&self, p: Vec2) -> f64 {
        (p - self.start).dot(self.along).max(0.0).min(self.length)
    }

    /// Returns the squared distance to a wall, part by part: the range of the part, and the term that holds there.
    pub fn terms(&self, wall: &Wall) -> [Option<(f64, f64, Term)>; 3] {
        let along_wall = wall.to - wall.from;
        let squared = along_wall.length_squared();
        let ends = [wall.from, wall.to].map(|p| self.point(p));
        if squared <= 0.0 {
            return [Some((0.0, self.length, ends[0])), None, None];
        }
        // The nearest point of the line through the wall: from + (first + rate·s)·along_wall.
        let first = (self.start - wall.from).dot(along_wall) / squared;
        let rate = self.along.dot(along_wall) / squared;
        let line = Term::Line {
            offset: (self.start - wall.from).cross(along_wall) / squared.sqrt(),
            slope: self.along.cross(along_wall) / squared.sqrt(),
        };
        if rate == 0.0 {
            let term = if first <= 0.0 {
                ends[0]
            } else if first >= 1.0 {
                ends[1]
            } else {
                line
            };
            return [Some((0.0, self.length, term)), None, None];
        }
        let (leaves, reaches) = (-first / rate, (1.0 - first) / rate);
        let ordered = if rate > 0.0 {
            (leaves, reaches, ends[0], ends[1])
        } else {
            (reaches, leaves, ends[1], ends[0])
        };
        let (low, high, before, after) = ordered;
        // Parts that are too short belong to their neighbours: a hole would be a peak where the wall is not known.
        let negligible = NEGLIGIBLE * self.length;
        let snap = |s: f64| match s {
            s if s <= negligible => 0.0,
            s if s >= self.length - negligible => self.length,
            s => s,
        };
        let (low, high) = (snap(low), snap(high));
        let high = if high - low <= negligible { low } else { high };
        let part = |from: f64, to: f64, term: Term| (to > from).then_some((from, to, term));
        [part(0.0, low, before), part(low, high, line), part(high, self.length, after)]
    }

    /// Returns the range in which the distance to the wall is below `radius`. It is an open interval, because that set
    /// is convex. It begins before the track and ends behind it where the ends themselves are too close.
    pub fn blocked(&self, wall: &Wall, radius: f64) -> Option<(f64, f64)> {
        let mut found: Option<(f64, f64)> = None;
        for (from, to, term) in self.terms(wall).into_iter().flatten() {
            let Some((low, high)) = term.below(radius) else { continue };
            let (low, high) = (low.max(from), high.min(to));
            if low < high {
                let (least, most) = found.unwrap_or((low, high));
                found = Some((least.min(low), most.max(high)));
            }
        }
        let is_close = |p: Vec2| p.distance_to_segment(wall.from, wall.to) < radius;
        found.map(|(low, high)| {
            let low = if is_close(self.start) { -1.0 } else { low };
            (low, if is_close(self.end) { f64::INFINITY } else { high })
        })
    }

    /// Returns the distance to a point as a term.
    fn point(&self, p: Vec2) -> Term {
        // The end of the track is exact: a rounded product would put walls that start there beside it.
        if p == self.end {
            return Term::Point { place: self.length, aside: 0.0 };
        }
        Term::Point { place: (p - self.start).dot(self.along), aside: (p - self.start).cross(self.along) }
    }
}

/// The distance to one wall as a function of the position `s` along a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Term {
    /// No wall is known.
    Far,
    /// The distance to a point `aside` the track at `place`.
    Point { place: f64, aside: f64 },
    /// The distance to a line: |offset + slope·s|.
    Line { offset: f64, slope: f64 },
}

impl Term {
    /// The squared distance at `s`.
    fn squared(self, s: f64) -> f64 {
        match self {
            Term::Far => f64::INFINITY,
            Term::Point { place, aside } => (s - place) * (s - place) + aside * aside,
            Term::Line { offset, slope } => (offset + slope * s) * (offset + slope * s),
        }
    }

    /// The distance at `s`.
    fn distance(self, s: f64) -> f64 {
        match self {
            Term::Line { offset, slope } => (offset + slope * s).abs(),
            term => term.squared(s).sqrt(),
        }
    }

    /// Returns the position where the distance is least; not finite if it is constant.
    fn lowest(self) -> f64 {
        match self {
            Term::Far => f64::NAN,
            Term::Point { place, .. } => place,
            Term::Line { offset, slope } => -offset / slope,
        }
    }

    /// The least distance between `from` and `to`.
    fn least(self, from: f64, to: f64) -> f64 {
        let lowest = self.lowest();
        let inside = lowest > from && lowest < to;
        let ends = self.distance(from).min(self.distance(to));
        if inside { ends.min(self.distance(lowest)) } else { ends }
    }

    /// True if it is surely nowhere below `other`: its least value is at least the greatest of the other. A false
    /// answer decides nothing.
    fn is_above(self, other: Term, from: f64, to: f64) -> bool {
        let lowest = self.lowest();
        let least = if lowest > from && lowest < to {
            self.squared(lowest)
        } else {
            self.squared(from).min(self.squared(to))
        };
        least >= other.squared(from).max(other.squared(to))
    }

    /// Returns the range in which the distance is below `radius`.
    fn below(self, radius: f64) -> Option<(f64, f64)> {
        match self {
            Term::Far => None,
            Term::Point { place, aside } => {
                let left = radius * radius - aside * aside;
                (left > 0.0).then(|| (place - left.sqrt(), place + left.sqrt()))
            }
            Term::Line { offset, slope: 0.0 } => {
                (offset.abs() < radius).then_some((f64::NEG_INFINITY, f64::INFINITY))
            }
            Term::Line { offset, slope } => {
                let (middle, half) = (-offset / slope, (radius / slope).abs());
                (half > 0.0).then_some((middle - half, middle + half))
            }
        }
    }

    /// The squared distance as `a·s² + b·s + c`.
    fn quadratic(self) -> [f64; 3] {
        match self {
            Term::Far => [0.0, 0.0, f64::INFINITY],
            Term::Point { place, aside } => [1.0, -2.0 * place, place * place + aside * aside],
            Term::Line { offset, slope } => [slope * slope, 2.0 * offset * slope, offset * offset],
        }
    }

    /// Half the derivative of the squared distance.
    fn growth(self, s: f64) -> f64 {
        match self {
            Term::Far => 0.0,
            Term::Point { place, .. } => s - place,
            Term::Line { offset, slope } => slope * (offset + slope * s),
        }
    }

    /// Returns the positions where two distances are equal, in order; NaN for those that do not exist.
    fn equal(self, other: Term) -> [f64; 2] {
        let ([a, b, c], [d, e, f]) = (self.quadratic(), other.quadratic());
        let (a, b, c) = (a - d, b - e, c - f);
        let roots = if a == 0.0 { [-c / b, f64::NAN] } else { roots(a, b, c) };
        // One step of Newton's method on values that do not suffer from cancellation.
        roots.map(|s| {
            let slope = 2.0 * (self.growth(s) - other.growth(s));
            let better = s - (self.squared(s) - other.squared(s)) / slope;
            if better.is_finite() { better } else { s }
        })
    }
}

/// The roots of `a·s² + b·s + c` in order, without cancellation.
fn roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
    let (first, second) = (q / a, c / q);
    if first <= second { [first, second] } else { [second, first] }
}

/// A part of a track with one nearest wall.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The start of the part.
    from: f64,
    /// The end of the part.
    to: f64,
    /// The distance in it.
    term: Term,
    /// True if the nearest wall is an end of the track itself.
    is_end: bool,
}

/// A local maximum of the distance along a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peak {
    /// Its position along the track, in grid units.
    pub place: f64,
    /// The distance to the nearest wall there.
    pub height: f64,
    /// The least distance between the peak before and this one; zero for the first.
    pub dip: f64,
}

/// The distance to the nearest wall along a track, built wall by wall.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    /// The parts of the envelope, in order.
    spans: Vec<Span>,
    /// Scratch buffer for the next envelope.
    spare: Vec<Span>,
    /// Scratch buffer: positions between which the distance is monotone, and the distances there.
    critical: Vec<(f64, f64)>,
}

impl Profile {
    /// Starts anew. `on_wall` is true for ends of the track that lie on walls.
    pub fn start(&mut self, track: &Track, on_wall: [bool; 2]) {
        let terms = [0.0, track.length].map(|place| Term::Point { place, aside: 0.0 });
        let span = |from: f64, to: f64, term: Term| Span { from, to, term, is_end: term != Term::Far };
        self.spans.clear();
        match on_wall {
            // With both ends on walls, each is the nearest wall in its half.
            [true, true] => {
                let middle = 0.5 * track.length;
                let halves = [span(0.0, middle, terms[0]), span(middle, track.length, terms[1])];
                self.spans.extend(halves);
            }
            [true, false] => self.spans.push(span(0.0, track.length, terms[0])),
            [false, true] => self.spans.push(span(0.0, track.length, terms[1])),
            [false, false] => self.spans.push(span(0.0, track.length, Term::Far)),
        }
    }

    /// Lowers the envelope by the distance to a wall.
    pub fn add(&mut self, track: &Track, wall: &Wall) {
        for (from, to, term) in track.terms(wall).into_iter().flatten() {
            self.lower(from, to, term);
        }
    }

    /// The greatest distance; infinite while no wall is known for some part.
    pub fn highest(&self) -> f64 {
        let ends = self.spans.iter().map(|s| s.term.squared(s.from).max(s.term.squared(s.to)));
        ends.fold(0.0, f64::max).sqrt()
    }

    /// Returns the greatest radius up to which only the ends of the track limit it (thesis 7.3, made exact). It is the
    /// least distance where something else than an end is nearest.
    pub fn critical_radius(&self) -> f64 {
        let others = self.spans.iter().filter(|span| !span.is_end && span.term != Term::Far);
        others.map(|span| span.term.least(span.from, span.to)).fold(f64::INFINITY, f64::min)
    }

    /// Appends the local maxima in order. A flat top counts once, in its middle.
    pub fn peaks(&mut self, peaks: &mut Vec<Peak>) {
        self.find_critical();
        let places = &self.critical;
        let (mut i, mut dip) = (0, f64::INFINITY);
        let first = peaks.len();
        while i < places.len() {
            let height = places[i].1;
            let mut j = i;
            while j + 1 < places.len() && places[j + 1].1 == height {
                j += 1;
            }
            dip = dip.min(height);
            let rises = i == 0 || places[i - 1].1 < height;
            let falls = j + 1 == places.len() || places[j + 1].1 < height;
            if rises && falls && height > 0.0 {
                let place = 0.5 * (places[i].0 + places[j].0);
                peaks.push(Peak { place, height, dip: if peaks.len() == first { 0.0 } else { dip } });
                dip = f64::INFINITY;
            }
            i = j + 1;
        }
    }

    /// The least distance between two positions.
    pub fn least_between(&self, a: f64, b: f64) -> f64 {
        let (low, high) = (a.min(b), a.max(b));
        let parts = self.spans.iter().filter(|span| span.from <= high && span.to >= low);
        parts.map(|span| span.term.least(span.from.max(low), span.to.min(high))).fold(f64::INFINITY, f64::min)
    }

    /// Returns the position of the least distance between two positions.
    pub fn lowest_between(&mut self, a: f64, b: f64) -> f64 {
        self.find_critical();
        let between = self.critical.iter().filter(|(place, _)| *place > a && *place < b);
        between.min_by(|p, q| p.1.total_cmp(&q.1)).map_or(a, |(place, _)| *place)
    }

    /// Lists positions between which the distance only rises or only falls, with the distances there.
    fn find_critical(&mut self) {
        self.critical.clear();
        let (Some(first), Some(last)) = (self.spans.first(), self.spans.last()) else { return };
        self.critical.push((first.from, first.term.distance(first.from)));
        // Walls that meet an end of the track come down to it, not to a place just before it.
        let (low, high) = (NEGLIGIBLE * last.to, last.to - NEGLIGIBLE * last.to);
        for (index, span) in self.spans.iter().enumerate() {
            let lowest = span.term.lowest();
            if lowest > span.from.max(low) && lowest < span.to.min(high) {
                self.critical.push((lowest, span.term.distance(lowest)));
            }
            let here = span.term.distance(span.to);
            let next = self.spans.get(index + 1).map_or(here, |next| next.term.distance(next.from));
            self.critical.push((span.to, here.min(next)));
        }
    }

    /// Replaces the envelope by `term` between two positions, wherever that is lower.
    fn lower(&mut self, from: f64, to: f64, term: Term) {
        self.spare.clear();
        for index in 0..self.spans.len() {
            let span = self.spans[index];
            let (low, high) = (from.max(span.from), to.min(span.to));
            if low >= high || term.is_above(span.term, low, high) {
                self.keep(span);
                continue;
            }
            self.keep(Span { to: low, ..span });
            let mut cuts = [low, high, high, high];
            let mut count = 1;
            // Two quadratics cross at most twice, so that there are at most three pieces.
            for root in term.equal(span.term) {
                if root > cuts[count - 1] && root < high {
                    cuts[count] = root;
                    count += 1;
                }
            }
            for pair in cuts.windows(2) {
                let middle = 0.5 * (pair[0] + pair[1]);
                let lower = term.squared(middle) < span.term.squared(middle);
                let (term, is_end) = if lower { (term, false) } else { (span.term, span.is_end) };
                self.keep(Span { from: pair[0], to: pair[1], term, is_end });
            }
            self.keep(Span { from: high, ..span });
        }
        std::mem::swap(&mut self.spans, &mut self.spare);
    }

    /// Appends a span to the new list, or joins it to the last one.
    fn keep(&mut self, span: Span) {
        if span.from >= span.to {
            return;
        }
        match self.spare.last_mut() {
            Some(last) if last.term == span.term && last.is_end == span.is_end => last.to = span.to,
            _ => self.spare.push(span),
        }
    }
}

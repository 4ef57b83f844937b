//! Sheets that meet are glued: along shared edges, across steps, and where one was cut by the other.
//!
//! Edges that belong together lie on each other in projection, up to the rounding of points that only one of them
//! has. First what matches exactly is glued; what is left is split at each other's vertices, or moved onto them where
//! they are a unit or two apart, and tried again. With more head-room than two steps no edge has two partners (the
//! manifold lemma of the design).

use super::bins::{Bins, Extent};
use super::fabric::Fabric;
use super::report::{Ground, Ledger};
use super::soup::Soup;
use clearway_geometry::arrangement::Tally;
use clearway_geometry::half_edges::next;
use clearway_geometry::{NONE, Point};

/// Vertices this close to an edge, in grid units, lie on it.
const REACH: f64 = 2.0;

/// How often edges are split at each other's vertices: what does not match by then stays apart.
const ROUNDS: usize = 8;

/// Glues everything that can be stepped across.
pub struct Stitcher<'a> {
    pub soup: &'a Soup,
    pub fabric: Fabric,
    /// The greatest step, in grid units.
    pub step: f64,
    /// Edges that were split, vertices that were moved, and the charts of the first of each.
    split: (Tally, Option<u32>),
    moved: (Tally, Option<u32>),
}

impl<'a> Stitcher<'a> {
    /// A stitcher of sheets that are not glued yet; `step` is in grid units.
    pub fn new(soup: &'a Soup, fabric: Fabric, step: f64) -> Stitcher<'a> {
        Stitcher { soup, fabric, step, split: Default::default(), moved: Default::default() }
    }

    /// Enters what was mended.
    pub fn enter(&self, ground: &Ground<'_>, ledger: &mut Ledger) {
        let (split, split_on) = self.split;
        let (moved, moved_on) = self.moved;
        ledger.enter_tally("split", split, split_on, ground, "edges were split where a corner lies on them");
        ledger.enter_tally("moved", moved, moved_on, ground, "corners that nearly meet were moved together");
    }

    /// Glues what belongs together.
    pub fn run(&mut self) {
        self.glue_matching();
        for _ in 0..ROUNDS {
            let rims = self.rims();
            if !self.meet_each_other(&rims) {
                break;
            }
            self.glue_matching();
        }
    }

    fn rims(&self) -> Vec<u32> {
        (0..self.fabric.len()).filter(|e| self.fabric.rim[*e as usize] != NONE).collect()
    }

    fn height(&self, e: u32, at: Point) -> f64 {
        self.soup.height_at(self.fabric.rim[e as usize], at.as_vec2())
    }

    /// By how much the second edge lies higher than the first, at both ends of the first.
    fn rises(&self, one: u32, other: u32) -> [f64; 2] {
        [self.fabric.from(one), self.fabric.to(one)].map(|at| self.height(other, at) - self.height(one, at))
    }

    /// Glues rims that run along each other exactly.
    fn glue_matching(&mut self) {
        let mut keyed: Vec<(Point, Point, u32)> = self
            .rims()
            .into_iter()
            .map(|e| {
                let (from, to) = (self.fabric.from(e), self.fabric.to(e));
                (from.min(to), from.max(to), e)
            })
            .collect();
        keyed.sort_unstable();
        let mut pairs: Vec<(f64, u32, u32)> = Vec::new();
        for run in keyed.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            pairs.clear();
            for (i, (_, _, one)) in run.iter().enumerate() {
                for (_, _, other) in &run[i + 1..] {
                    if self.fabric.from(*one) == self.fabric.to(*other) {
                        let rise = self.rises(*one, *other).map(f64::abs);
                        pairs.push((rise[0].max(rise[1]), *one, *other));
                    }
                }
            }
            pairs.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
            for (rise, one, other) in &pairs {
                if !self.runs_along(*one, *other) {
                    continue;
                }
                if *rise <= self.step {
                    self.fabric.glue(*one, *other);
                } else {
                    self.glue_part(*one, *other);
                }
            }
        }
    }

    /// Whether two rims are still there, and still run along each other.
    fn runs_along(&self, one: u32, other: u32) -> bool {
        let fabric = &self.fabric;
        [one, other].iter().all(|e| fabric.rim[*e as usize] != NONE)
            && fabric.from(one) == fabric.to(other)
            && fabric.to(one) == fabric.from(other)
    }

    /// Where the step between two edges grows too high on the way, the part before is glued.
    fn glue_part(&mut self, one: u32, other: u32) {
        let [start, end] = self.rises(one, other);
        if (start.abs() <= self.step) == (end.abs() <= self.step) {
            return;
        }
        let limit = self.step.copysign(if start.abs() > self.step { start } else { end });
        let t = (limit - start) / (end - start);
        let (from, to) = (self.fabric.from(one), self.fabric.to(one));
        let at = clearway_geometry::construct::along(from, to, t);
        if at == from || at == to {
            return;
        }
        let (Some(one_on), Some(other_on)) = (self.fabric.split(one, at), self.fabric.split(other, at))
        else {
            return;
        };
        if start.abs() <= self.step {
            self.fabric.glue(one, other_on);
        } else {
            self.fabric.glue(one_on, other);
        }
    }

    /// Splits edges at vertices of others that lie on them, and moves vertices that nearly meet; whether anything
    /// changed.
    fn meet_each_other(&mut self, rims: &[u32]) -> bool {
        let boxes = rims.iter().map(|e| Extent::of(&[self.fabric.from(*e), self.fabric.to(*e)])).collect();
        let bins = Bins::of(boxes);
        let mut splits: Vec<(u32, i64, Point)> = Vec::new();
        let mut moves: Vec<(Point, u32, Point)> = Vec::new();
        for vertex in rims {
            // A vertex of the border is the start of one rim or the end of another; both are looked at.
            for (at, e) in [(self.fabric.from(*vertex), *vertex), (self.fabric.to(*vertex), *vertex)] {
                let height = self.height(e, at);
                bins.each_touching(&Extent { min: at, max: at }.grown(REACH as i32), |place| {
                    let other = rims[place as usize];
                    if other != e {
                        self.compare(at, height, other, &mut splits, &mut moves);
                    }
                });
            }
        }
        let changed = self.apply_moves(moves);
        self.apply_splits(splits) || changed
    }

    /// Notes what an edge has to do to meet a vertex.
    fn compare(
        &self,
        at: Point,
        height: f64,
        e: u32,
        splits: &mut Vec<(u32, i64, Point)>,
        moves: &mut Vec<(Point, u32, Point)>,
    ) {
        let (from, to) = (self.fabric.from(e), self.fabric.to(e));
        if at == from || at == to || (self.height(e, at) - height).abs() > self.step + 1.0 {
            return;
        }
        let (along, off) = (to - from, at - from);
        let length = along.length();
        let aside = along.cross(off) as f64 / length;
        let ahead = along.dot(off) as f64 / length;
        if aside.abs() > REACH {
            return;
        }
        // The higher of two vertices that nearly meet goes to the lower.
        for (end, half_edge) in [(from, e), (to, next(e))] {
            if end.distance(at) <= REACH {
                if at < end {
                    moves.push((end, half_edge, at));
                }
                return;
            }
        }
        if ahead > 0.0 && ahead < length {
            splits.push((e, along.dot(off), at));
        }
    }

    fn apply_moves(&mut self, mut moves: Vec<(Point, u32, Point)>) -> bool {
        moves.sort_unstable();
        moves.dedup();
        let mut changed = false;
        for (from, e, to) in moves {
            if self.fabric.from(e) == from && self.fabric.move_vertex(e, to) {
                note(&mut self.moved, to, self.fabric.chart[e as usize / 3]);
                changed = true;
            }
        }
        changed
    }

    fn apply_splits(&mut self, mut splits: Vec<(u32, i64, Point)>) -> bool {
        splits.sort_unstable();
        splits.dedup();
        let mut changed = false;
        for run in splits.chunk_by(|p, q| p.0 == q.0) {
            let mut e = run[0].0;
            for (_, _, at) in run {
                // Splitting one edge of a triangle gives another one a new number: it has its turn in the next round.
                let is_gone = self.fabric.rim[e as usize] == NONE;
                if is_gone || *at == self.fabric.from(e) || *at == self.fabric.to(e) {
                    continue;
                }
                if let Some(rest) = self.fabric.split(e, *at) {
                    e = rest;
                    note(&mut self.split, *at, self.fabric.chart[e as usize / 3]);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// Counts a repair and remembers the chart of the first.
fn note(repairs: &mut (Tally, Option<u32>), at: Point, chart: u32) {
    repairs.0.add(at);
    repairs.1 = repairs.1.or(Some(chart));
}

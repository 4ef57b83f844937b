//! The surface in the making: the triangles of all sheets in one half-edge structure, glued along edges.
//!
//! Triangle `t` has the half-edges `3t`, `3t + 1` and `3t + 2`. Positions belong to half-edges, not to vertices:
//! which corners are one vertex follows from what is glued. So places that only touch in a point stay apart.
//!
//! Invariant: every triangle that has not vanished runs counter-clockwise with positive area; each change refuses to
//! break that. Every change of a rim is noted in the log, so that later searches cost as much as has changed. Cost:
//! each change takes constant time or one turn around a vertex; only [`Fabric::sweep`] and [`Fabric::retain`] copy
//! everything.

use clearway_base::parallel::picked;
use clearway_geometry::arrangement::{Sheet, SheetEdge};
use clearway_geometry::half_edges::{next, prev};
use clearway_geometry::predicates::orient;
use clearway_geometry::{DisjointSets, NONE, Point};
use clearway_nav::mesh::Patch;
use rayon::prelude::*;

/// Triangles over the ground plane, several layers deep.
#[derive(Clone, Debug, Default)]
pub struct Fabric {
    /// For each half-edge, the point at which it starts.
    pub corner: Vec<Point>,
    /// For each half-edge, the half-edge that it is glued to, or [`NONE`].
    pub twin: Vec<u32>,
    /// For each rim, the face of the soup that ends there. [`NONE`] for glued half-edges and for barriers.
    pub rim: Vec<u32>,
    /// For each rim, true if a blocker ends the sheet there, false if the face itself ends.
    pub is_cut: Vec<bool>,
    /// For each triangle, the chart it comes from; [`NONE`] once it has vanished.
    pub chart: Vec<u32>,
    /// Half-edges that became rims or whose ends changed, in the order of the changes. [`Fabric::sweep`] empties the
    /// log.
    pub log: Vec<u32>,
}

impl Fabric {
    /// Creates an empty fabric with memory reserved for `size` half-edges.
    pub fn with_capacity(size: usize) -> Fabric {
        Fabric {
            corner: Vec::with_capacity(size),
            twin: Vec::with_capacity(size),
            rim: Vec::with_capacity(size),
            is_cut: Vec::with_capacity(size),
            chart: Vec::with_capacity(size / 3),
            log: Vec::new(),
        }
    }

    /// The number of half-edges, those of vanished triangles included.
    pub fn len(&self) -> u32 {
        self.corner.len() as u32
    }

    /// Adds the triangles of a sheet, none of them glued to other sheets yet.
    pub fn add(&mut self, sheet: &Sheet, chart: u32) {
        let first = self.len();
        for (corner, edge) in sheet.corners.iter().zip(&sheet.edges) {
            let (twin, rim) = match edge {
                SheetEdge::Inner(twin) => (first + twin, NONE),
                SheetEdge::Rim(face) | SheetEdge::Cut(face) => (NONE, *face),
                SheetEdge::Barrier => (NONE, NONE),
            };
            self.corner.push(*corner);
            self.twin.push(twin);
            self.rim.push(rim);
            self.is_cut.push(matches!(edge, SheetEdge::Cut(_)));
        }
        self.chart.resize(self.corner.len() / 3, chart);
    }

    /// The point at which a half-edge starts.
    pub fn from(&self, e: u32) -> Point {
        self.corner[e as usize]
    }

    /// The point at which a half-edge ends.
    pub fn to(&self, e: u32) -> Point {
        self.corner[next(e) as usize]
    }

    /// Returns a triangle and the chart that it comes from.
    pub fn patch(&self, triangle: u32) -> Patch {
        let corners = [0, 1, 2].map(|i| self.from(3 * triangle + i));
        Patch { chart: self.chart[triangle as usize], corners }
    }

    /// Glues two half-edges that run along each other in opposite directions. They are rims no longer.
    pub fn glue(&mut self, one: u32, other: u32) {
        (self.twin[one as usize], self.twin[other as usize]) = (other, one);
        (self.rim[one as usize], self.rim[other as usize]) = (NONE, NONE);
    }

    /// Fills the gap between two rims that face each other with one or two triangles of the first rim's chart. The
    /// rims may meet at one end. Returns false and changes nothing if a triangle would turn over.
    pub fn bridge(&mut self, one: u32, other: u32) -> bool {
        let [a, b, c, d] = [one, next(one), other, next(other)].map(|e| self.from(e));
        let first = self.len();
        // The corners of the filling, the twins within it, and which of its edges runs along the other rim.
        let (corners, twins, back): (&[Point], &[u32], u32) = match (a == d, b == c) {
            (false, false) => (&[b, a, d, b, d, c], &[NONE, NONE, first + 3, first + 2, NONE, NONE], 4),
            (true, _) => (&[b, a, c], &[NONE; 3], 1),
            (false, true) => (&[b, a, d], &[NONE; 3], 2),
        };
        if corners.chunks(3).any(|corner| orient(corner[0], corner[1], corner[2]) <= 0) {
            return false;
        }
        self.corner.extend(corners);
        self.twin.extend(twins);
        self.rim.resize(self.corner.len(), NONE);
        self.is_cut.resize(self.corner.len(), false);
        self.chart.resize(self.corner.len() / 3, self.chart[one as usize / 3]);
        self.glue(one, first);
        self.glue(other, first + back);
        true
    }

    /// Takes two glued half-edges apart. They become barriers, not rims, so the passes that glue rims leave them
    /// apart.
    pub fn part(&mut self, e: u32) {
        let twin = self.twin[e as usize];
        self.twin[e as usize] = NONE;
        if twin != NONE {
            self.twin[twin as usize] = NONE;
        }
    }

    /// True if the triangles around a vertex do not fit a full turn. The vertex is given by its fan.
    pub fn is_folded(&self, fan: &[u32]) -> bool {
        let direction = |e: u32| self.to(e) - self.from(e);
        let start = direction(fan[0]);
        let mut to = start;
        for (i, spoke) in fan.iter().enumerate() {
            let from = direction(*spoke);
            to = self.from(prev(*spoke)) - self.from(*spoke);
            // Each triangle turns by less than half a circle: passing the first direction again is one turn too much.
            let passes = from.cross(start) > 0 && start.cross(to) > 0;
            let is_back = start.cross(to) == 0 && start.dot(to) > 0;
            if i > 0 && (passes || (is_back && i + 1 < fan.len())) {
                return true;
            }
        }
        let is_closed = self.twin[fan[0] as usize] != NONE;
        is_closed && !(start.cross(to) == 0 && start.dot(to) > 0)
    }

    /// Splits an edge that is not glued at a point beside it or on it. Returns the half that starts at the point, or
    /// `None` if a triangle would turn over. `next(e)` becomes an inner edge: the edge that it was gets a new number.
    pub fn split(&mut self, e: u32, at: Point) -> Option<u32> {
        let (e_next, apex) = (next(e), self.from(prev(e)));
        let (from, to) = (self.from(e), self.to(e));
        if orient(from, at, apex) <= 0 || orient(at, to, apex) <= 0 {
            return None;
        }
        let fresh = self.len();
        let outer = self.twin[e_next as usize];
        self.corner.extend([at, to, apex]);
        self.twin.extend([NONE, outer, e_next]);
        self.rim.extend([self.rim[e as usize], self.rim[e_next as usize], NONE]);
        self.is_cut.extend([self.is_cut[e as usize], self.is_cut[e_next as usize], false]);
        self.chart.push(self.chart[e as usize / 3]);
        if outer != NONE {
            self.twin[outer as usize] = fresh + 1;
        }
        self.corner[e_next as usize] = at;
        self.twin[e_next as usize] = fresh + 2;
        self.rim[e_next as usize] = NONE;
        self.log.extend([e, fresh, fresh + 1]);
        Some(fresh)
    }

    /// Lists the half-edges that leave the vertex at which `e` starts, counter-clockwise. The list begins after a
    /// border, or at `e` if the vertex has none.
    pub fn fan(&self, e: u32, fan: &mut Vec<u32>) {
        let mut first = e;
        // Turn clockwise back to the border, or once around.
        while self.twin[first as usize] != NONE {
            first = next(self.twin[first as usize]);
            if first == e {
                break;
            }
        }
        fan.clear();
        fan.push(first);
        let mut at = self.twin[prev(first) as usize];
        while at != NONE && at != first {
            fan.push(at);
            at = self.twin[prev(at) as usize];
        }
    }

    /// Moves the vertex at which `e` starts, unless a triangle would turn over. If a neighbour lies at the target
    /// already, the triangles between the two vanish. Returns true if the vertex moved.
    pub fn move_vertex(&mut self, e: u32, at: Point) -> bool {
        let mut fan = Vec::new();
        let fits = self.may_move(e, at, &mut fan);
        if fits {
            for e in fan {
                match () {
                    () if self.to(e) == at => self.vanish(e),
                    () if self.from(prev(e)) == at => self.vanish(prev(e)),
                    () => {}
                }
                self.corner[e as usize] = at;
                self.log.extend([e, prev(e)]);
            }
        }
        fits
    }

    /// True if no triangle would turn over. Fills `fan` with the half-edges that leave the vertex.
    pub fn may_move(&self, e: u32, at: Point, fan: &mut Vec<u32>) -> bool {
        self.fan(e, fan);
        let ends = |e: &u32| [self.to(*e), self.from(prev(*e))];
        let keeps = |e: &u32| ends(e).contains(&at) || orient(at, ends(e)[0], ends(e)[1]) > 0;
        !self.is_gone(e / 3) && fan.iter().all(keeps)
    }

    /// Removes a triangle whose edge `e` has shrunk to a point. The neighbours beyond its two other edges become
    /// twins.
    fn vanish(&mut self, e: u32) {
        let sides = [next(e), prev(e)];
        let beyond = sides.map(|side| self.twin[side as usize]);
        for (i, j) in [(0, 1), (1, 0)] {
            if beyond[i] != NONE && beyond[i] != sides[j] {
                let (here, side) = (beyond[i] as usize, sides[j] as usize);
                self.twin[here] = beyond[j];
                (self.rim[here], self.is_cut[here]) = (self.rim[side], self.is_cut[side]);
                self.log.push(beyond[i]);
            }
        }
        self.part(e);
        for e in [e, next(e), prev(e)] {
            (self.twin[e as usize], self.rim[e as usize]) = (NONE, NONE);
        }
        self.chart[e as usize / 3] = NONE;
    }

    /// Splits a rim at a point that lies just beyond another side of its thin triangle. The corner between rim and
    /// side moves to the point, and the neighbour beyond that side gets a rim of its own there. Returns the half that
    /// starts at the point, or `None` if a triangle would turn over.
    pub fn split_beside(&mut self, e: u32, at: Point) -> Option<u32> {
        let apex = self.from(prev(e));
        let [before, after] =
            [orient(self.from(e), at, apex), orient(at, self.to(e), apex)].map(|turn| turn > 0);
        let (corner, side) = match (before, after) {
            (false, true) => (e, prev(e)),
            (true, false) => (next(e), next(e)),
            _ => return None,
        };
        let beyond = self.twin[side as usize];
        let mut rest = e;
        if beyond != NONE {
            self.part(side);
            let Some(fresh) = self.split(beyond, at) else {
                self.glue(side, beyond);
                return None;
            };
            let (glued, rim) = if after { (fresh, beyond) } else { (beyond, fresh) };
            self.glue(side, glued);
            (self.rim[rim as usize], self.is_cut[rim as usize]) =
                (self.rim[e as usize], self.is_cut[e as usize]);
            rest = if after { e } else { rim };
            self.log.push(rim);
        }
        self.corner[corner as usize] = at;
        self.log.extend([corner, prev(corner)]);
        Some(rest)
    }

    /// Removes the triangle of a rim: the sheet ends at its other two edges instead.
    pub fn peel(&mut self, e: u32) {
        let (rim, is_cut) = (self.rim[e as usize], self.is_cut[e as usize]);
        for side in [next(e), prev(e)] {
            let beyond = self.twin[side as usize];
            self.part(side);
            if beyond != NONE {
                (self.rim[beyond as usize], self.is_cut[beyond as usize]) = (rim, is_cut);
                self.log.push(beyond);
            }
        }
        [e, next(e), prev(e)].iter().for_each(|side| self.rim[*side as usize] = NONE);
        self.chart[e as usize / 3] = NONE;
    }

    /// True if a sheet ends at a half-edge and may be glued there.
    pub fn is_rim(&self, e: u32) -> bool {
        self.rim[e as usize] != NONE
    }

    /// True if a triangle has vanished.
    pub fn is_gone(&self, triangle: u32) -> bool {
        self.chart[triangle as usize] == NONE
    }

    /// Forgets vanished triangles and the log. Half-edges are numbered anew if any triangle vanished.
    pub fn sweep(&mut self) {
        self.log = Vec::new();
        let keep: Vec<bool> = (0..self.chart.len() as u32).map(|triangle| !self.is_gone(triangle)).collect();
        if keep.contains(&false) {
            self.retain(&keep);
        }
    }

    /// Returns the number of the connected piece of each triangle, and the count of pieces.
    pub fn pieces(&self) -> (Vec<u32>, u32) {
        let glued = (0u32..).zip(&self.twin).filter(|(e, twin)| **twin != NONE && e < *twin);
        DisjointSets::joined(self.chart.len(), glued.map(|(e, twin)| (e / 3, twin / 3))).numbered()
    }

    /// Twice the area of a triangle in square grid units, exact.
    pub fn doubled_area(&self, triangle: u32) -> i64 {
        let [a, b, c] = [0, 1, 2].map(|i| self.from(3 * triangle + i));
        orient(a, b, c)
    }

    /// The area of the triangles of each class, in square metres. Triangles with a class beyond `classes` do not
    /// count.
    pub fn areas(&self, classes: usize, class_of: impl Fn(u32) -> usize, unit: f64) -> Vec<f64> {
        let mut doubled = vec![0i128; classes];
        for triangle in 0..self.chart.len() as u32 {
            if let Some(sum) = doubled.get_mut(class_of(triangle)) {
                *sum += i128::from(self.doubled_area(triangle));
            }
        }
        doubled.into_iter().map(|doubled| doubled as f64 * 0.5 * unit * unit).collect()
    }

    /// Keeps only the triangles for which `keep` is true, in their order, and empties the log. Edges to dropped
    /// triangles become barriers.
    pub fn retain(&mut self, keep: &[bool]) {
        let kept = picked(keep, |keep| *keep);
        if kept.len() == keep.len() {
            return;
        }
        let mut number = vec![NONE; keep.len()];
        for (place, triangle) in kept.iter().enumerate() {
            number[*triangle as usize] = place as u32;
        }
        let renumbered = |twin: u32| match twin {
            NONE => NONE,
            twin if number[twin as usize / 3] == NONE => NONE,
            twin => 3 * number[twin as usize / 3] + twin % 3,
        };
        *self = Fabric {
            corner: of_triangles(&kept, |e| self.corner[e]),
            twin: of_triangles(&kept, |e| renumbered(self.twin[e])),
            rim: of_triangles(&kept, |e| self.rim[e]),
            is_cut: of_triangles(&kept, |e| self.is_cut[e]),
            chart: kept.iter().map(|t| self.chart[*t as usize]).collect(),
            log: Vec::new(),
        };
    }
}

/// Collects a value for each half-edge of the given triangles, in order.
fn of_triangles<T: Send>(triangles: &[u32], of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let of_one = |t: &u32| [0, 1, 2].map(|i| of(3 * *t as usize + i));
    triangles.par_iter().map(of_one).collect::<Vec<[T; 3]>>().into_flattened()
}

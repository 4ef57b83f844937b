//! A constrained Delaunay triangulation on the integer grid.
//!
//! Points are inserted in Hilbert order by walking from the last one (Lawson's incremental algorithm). Then segments
//! are forced in by flipping the edges that cross them (Sloan), and the circumcircle condition is restored around
//! them.
//!
//! Invariant: all points lie inside a box of four extra vertices, so every input vertex has triangles all around it.
//! Expected cost: O(n log n) for the order, O(1) per point after that.

use crate::grid::{LIMIT, Point, Vector};
use crate::half_edges::{HalfEdges, NONE, next, prev, triangle};
use crate::hilbert;
use crate::predicates::{in_circle, orient};
use crate::sorting::sort_by_number;
use std::collections::VecDeque;

/// The meaning of an edge, stored on both of its sides; zero for none.
pub type EdgeMark = u32;

/// The number of extra vertices that form the box around all points; they come first.
pub const BOX_VERTICES: u32 = 4;

/// The location of a point in a triangulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On this vertex.
    Vertex(u32),
    /// Inside this half-edge.
    Edge(u32),
    /// Strictly inside this triangle.
    Triangle(u32),
}

/// The first thing that a straight walk from one vertex towards another meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The two are joined by this half-edge.
    Joined(u32),
    /// This vertex lies on the way.
    Through(u32),
    /// These unmarked half-edges are crossed, and then this marked one.
    Blocked(Vec<u32>, u32),
    /// Only unmarked half-edges are crossed (listed) up to this vertex, the target or one before it.
    Crosses(Vec<u32>, u32),
}

/// Triangles over grid points; edges with a mark other than zero are constraints and are never flipped.
#[derive(Clone, Debug)]
pub struct Triangulation {
    /// The point of each vertex.
    points: Vec<Point>,
    /// The topology.
    edges: HalfEdges,
    /// A half-edge near the point inserted last, from which the next walk starts.
    hint: u32,
    /// Half-edges whose circumcircle condition is still to be tested.
    unsettled: Vec<u32>,
}

impl Triangulation {
    /// The Delaunay triangulation of `points`, and for each of them its vertex. Equal points share a vertex;
    /// vertices are numbered along a Hilbert curve, so the result does not depend on the order of the input.
    pub fn of_points(points: &[Point]) -> (Triangulation, Vec<u32>) {
        let mut triangulation = Triangulation::boxed(points, points.len());
        let mut vertex_of = vec![NONE; points.len()];
        let mut last: Option<(Point, u32)> = None;
        for index in hilbert_order(points) {
            let point = points[index as usize];
            let vertex = match last {
                Some((previous, vertex)) if previous == point => vertex,
                _ => triangulation.insert(point),
            };
            last = Some((point, vertex));
            vertex_of[index as usize] = vertex;
        }
        (triangulation, vertex_of)
    }

    /// Two triangles that form a box around `points`, with a margin of a quarter of their extent.
    fn boxed(points: &[Point], capacity: usize) -> Triangulation {
        let (min, max) = bounds(points);
        let spare = ((max - min).x.max((max - min).y) / 4 + 1) as i32;
        let low = |c: i32| (c - spare).max(-LIMIT);
        let high = |c: i32| (c + spare).min(LIMIT);
        let (min, max) = (Point::new(low(min.x), low(min.y)), Point::new(high(max.x), high(max.y)));
        let mut points = Vec::with_capacity(capacity + BOX_VERTICES as usize);
        points.extend([min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)]);
        let mut edges = HalfEdges::with_capacity(capacity);
        for _ in 0..BOX_VERTICES {
            edges.add_vertex();
        }
        let lower = edges.add_triangle([0, 1, 2]);
        let upper = edges.add_triangle([0, 2, 3]);
        edges.glue(lower + 2, upper, 0);
        Triangulation { points, edges, hint: 0, unsettled: Vec::new() }
    }

    /// A triangulation that was glued elsewhere. It has no box around it, and may lie over itself in several layers.
    /// Points cannot be located or inserted.
    pub fn glued(points: Vec<Point>, edges: HalfEdges) -> Triangulation {
        Triangulation { points, edges, hint: 0, unsettled: Vec::new() }
    }

    /// Restores the circumcircle condition everywhere.
    pub fn settle_all(&mut self) {
        let living = (0..self.edges.len()).filter(|e| !self.edges.is_dead(triangle(*e)));
        self.unsettled = living.filter(|e| *e < self.edges.twin(*e)).collect();
        self.settle();
    }

    /// Removes a vertex with triangles all around it and no marked edge. Returns false if it is not such a vertex.
    ///
    /// The hole is star-shaped. As long as it has more than four corners, some ear of it does not hold the vertex: of
    /// two ears at most one can. The edge to that ear's tip can be flipped away from the vertex.
    pub fn remove(&mut self, v: u32) -> bool {
        let mut spokes = Vec::new();
        loop {
            spokes.clear();
            for spoke in self.edges.around(v) {
                // Most vertices that stay have a marked edge, and often the first edge is one.
                if self.edges.mark(spoke) != 0 {
                    return false;
                }
                spokes.push(spoke);
            }
            let first = self.edges.leaving(v);
            let is_closed = spokes.last().is_some_and(|last| self.edges.next_around(*last) == first);
            if !is_closed || spokes.len() < 3 {
                return false;
            }
            let corner = |i: usize| self.point(self.edges.target(spokes[i]));
            let is_left = |[a, b, c]: [usize; 3]| orient(corner(a), corner(b), corner(c)) > 0;
            let fill: &[[usize; 3]] = match spokes.len() {
                3 => &[[0, 1, 2]],
                4 if is_left([0, 1, 2]) && is_left([2, 3, 0]) => &[[0, 1, 2], [2, 3, 0]],
                4 if is_left([1, 2, 3]) && is_left([3, 0, 1]) => &[[1, 2, 3], [3, 0, 1]],
                _ => &[],
            };
            if !fill.is_empty() {
                self.edges.fill_fan(&spokes, fill);
                return true;
            }
            let Some(spoke) = spokes.iter().find(|e| self.is_flippable(**e)) else { return false };
            self.edges.flip(*spoke);
        }
    }

    /// Flips an edge if it is not marked and the triangles at it form a strictly convex quadrilateral. Returns true
    /// if it did.
    pub fn try_flip(&mut self, e: u32) -> bool {
        let flips = self.edges.mark(e) == 0 && self.is_flippable(e);
        if flips {
            self.edges.flip(e);
        }
        flips
    }

    /// Joins the two triangles at a border vertex into one. `out` is the border edge that leaves the vertex.
    pub fn pass_by(&mut self, out: u32) {
        self.edges.pass_by(out);
    }

    /// Removes a triangle. Its neighbours end there, with this mark.
    pub fn take_out(&mut self, t: u32, mark: EdgeMark) {
        self.edges.take_out(t, mark);
    }

    /// Splits a triangle at a point strictly inside it, without any flips. Returns the vertex.
    pub fn split_triangle(&mut self, t: u32, point: Point) -> u32 {
        let v = self.add_vertex(point);
        self.edges.split_triangle(t, v);
        v
    }

    /// Splits an inner edge at a point strictly between its ends, without any flips. Returns the vertex.
    pub fn split_inner_edge(&mut self, e: u32, point: Point) -> u32 {
        let v = self.add_vertex(point);
        self.edges.split_edge(e, v);
        v
    }

    /// The topology.
    #[inline]
    pub fn edges(&self) -> &HalfEdges {
        &self.edges
    }

    /// The position of a vertex.
    #[inline]
    pub fn point(&self, v: u32) -> Point {
        self.points[v as usize]
    }

    /// All positions by vertex, the box first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// A triangle at the box, outside of everything.
    pub fn outer_triangle(&self) -> u32 {
        triangle(self.edges.leaving(0))
    }

    /// The vertices that are not part of the box.
    pub fn vertices(&self) -> std::ops::Range<u32> {
        BOX_VERTICES..self.points.len() as u32
    }

    /// The direction of a half-edge.
    #[inline]
    pub fn direction(&self, e: u32) -> Vector {
        self.point(self.edges.target(e)) - self.point(self.edges.origin(e))
    }

    /// Sets the mark of an edge.
    #[inline]
    pub fn set_mark(&mut self, e: u32, mark: EdgeMark) {
        self.edges.set_mark(e, mark);
    }

    /// Inserts a point strictly inside the box; an existing vertex there is returned instead. A marked edge
    /// through the point is split and both halves keep the mark.
    pub fn insert(&mut self, point: Point) -> u32 {
        match self.locate(point) {
            Place::Vertex(v) => v,
            Place::Edge(e) => self.split_edge(e, point),
            Place::Triangle(t) => {
                let v = self.add_vertex(point);
                let border = self.edges.split_triangle(t, v);
                self.unsettled.extend(border);
                self.settle_around(v);
                self.hint = self.edges.leaving(v);
                v
            }
        }
    }

    /// Splits the edge `e` at `point`, which need not lie exactly on it: the four triangles made must all be
    /// counter-clockwise.
    pub fn split_edge(&mut self, e: u32, point: Point) -> u32 {
        let v = self.add_vertex(point);
        let border = self.edges.split_edge(e, v);
        self.unsettled.extend(border);
        self.settle_around(v);
        self.hint = self.edges.leaving(v);
        v
    }

    /// Adds a vertex without any edge yet.
    fn add_vertex(&mut self, point: Point) -> u32 {
        self.points.push(point);
        self.edges.add_vertex()
    }

    /// The location of `point`, which must be inside the box.
    pub fn locate(&self, point: Point) -> Place {
        // Visibility walk. The side that is tried first varies, which rules out walking in circles. The order is a
        // fixed function of the steps taken, so the answer is the same on every run.
        let mut edge = self.hint;
        let mut turn: u32 = 12345;
        loop {
            turn = turn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let first = triangle(edge) * 3;
            let mut side = first + (turn >> 16) % 3;
            let mut touching = [NONE; 3];
            let mut touched = 0;
            let mut left_by = NONE;
            for _ in 0..3 {
                let turn =
                    orient(self.point(self.edges.origin(side)), self.point(self.edges.target(side)), point);
                if turn < 0 {
                    left_by = side;
                    break;
                }
                if turn == 0 {
                    touching[touched] = side;
                    touched += 1;
                }
                side = next(side);
            }
            if left_by != NONE {
                edge = self.edges.twin(left_by);
                debug_assert!(edge != NONE, "located outside the box");
                if edge == NONE {
                    return Place::Triangle(triangle(left_by));
                }
                continue;
            }
            return match touched {
                0 => Place::Triangle(triangle(edge)),
                1 => Place::Edge(touching[0]),
                _ => Place::Vertex(self.shared_corner(touching[0], touching[1])),
            };
        }
    }

    /// The vertex where two sides of one triangle meet.
    fn shared_corner(&self, a: u32, b: u32) -> u32 {
        if next(a) == b { self.edges.origin(b) } else { self.edges.origin(a) }
    }

    /// Restores the circumcircle condition after a new vertex: each unsettled half-edge has it as apex.
    fn settle_around(&mut self, v: u32) {
        let apex = self.point(v);
        while let Some(e) = self.unsettled.pop() {
            if self.is_delaunay_with(e, apex) {
                continue;
            }
            let f = self.edges.twin(e);
            self.edges.flip(e);
            self.unsettled.push(e);
            self.unsettled.push(prev(f));
        }
    }

    /// Restores the circumcircle condition from any set of unsettled half-edges (Lawson).
    fn settle(&mut self) {
        while let Some(e) = self.unsettled.pop() {
            if self.is_locally_delaunay(e) {
                continue;
            }
            let f = self.edges.twin(e);
            self.edges.flip(e);
            for side in [e, prev(e), f, prev(f)] {
                self.unsettled.push(side);
            }
        }
    }

    /// True if the circumcircle condition holds at `e`, or `e` is marked or on the border.
    #[inline]
    fn is_locally_delaunay(&self, e: u32) -> bool {
        self.is_delaunay_with(e, self.point(self.edges.apex(e)))
    }

    /// As [`Self::is_locally_delaunay`], if the point of the apex of `e` is known.
    #[inline]
    fn is_delaunay_with(&self, e: u32, apex: Point) -> bool {
        let f = self.edges.twin(e);
        if f == NONE || self.edges.mark(e) != 0 {
            return true;
        }
        let [a, b, d] =
            [self.edges.origin(e), self.edges.origin(f), self.edges.apex(f)].map(|v| self.point(v));
        !in_circle(a, b, apex, d)
    }

    /// Walks along the straight line from vertex `a` to vertex `b` up to the first obstacle.
    pub fn walk(&self, a: u32, b: u32) -> Walk {
        let (from, to) = (self.point(a), self.point(b));
        let mut crossed = NONE;
        // The left end of one wedge is the right end of the next.
        let mut known = None;
        for e in self.edges.around(a) {
            let right = self.edges.target(e);
            if right == b {
                return Walk::Joined(e);
            }
            let side = known.take().unwrap_or_else(|| orient(from, to, self.point(right)));
            if side == 0 && (to - from).dot(self.point(right) - from) > 0 {
                return Walk::Through(right);
            }
            if side < 0 {
                let left = orient(from, to, self.point(self.edges.apex(e)));
                if left > 0 {
                    crossed = next(e);
                    // A joining edge or a vertex on the way could only be in this same wedge, so the search ends.
                    break;
                }
                known = Some(left);
            }
        }
        if crossed == NONE {
            // Numerically impossible inside the box; treated as joined by nothing.
            return Walk::Through(b);
        }
        self.walk_from(crossed, from, to, b)
    }

    /// Continues a walk through the edges that it crosses, from the first on.
    fn walk_from(&self, first: u32, from: Point, to: Point, b: u32) -> Walk {
        let mut crossed = Vec::new();
        let mut edge = first;
        loop {
            if self.edges.mark(edge) != 0 {
                return Walk::Blocked(crossed, edge);
            }
            crossed.push(edge);
            let twin = self.edges.twin(edge);
            let apex = self.edges.apex(twin);
            let side = orient(from, to, self.point(apex));
            if apex == b || side == 0 {
                return Walk::Crosses(crossed, apex);
            }
            // `edge` runs right→left as seen along the walk, its twin left→right.
            edge = if side > 0 { next(twin) } else { prev(twin) };
        }
    }

    /// Makes the segment from `a` to the end of a walk (see [`Walk::Crosses`]) an edge, by flips, and marks it.
    pub fn force(&mut self, a: u32, end: u32, crossed: Vec<u32>, mark: EdgeMark) {
        let (from, to) = (self.point(a), self.point(end));
        let mut pending: VecDeque<(u32, u32)> =
            crossed.into_iter().map(|e| (self.edges.origin(e), self.edges.target(e))).collect();
        let mut fresh = Vec::new();
        while let Some((p, q)) = pending.pop_front() {
            // Edges are kept by their ends, because flips change the numbers of half-edges.
            let Some(e) = self.edges.find(p, q) else { continue };
            // An edge in a reflex quadrilateral waits until its neighbours were flipped.
            if !self.is_flippable(e) {
                pending.push_back((p, q));
                continue;
            }
            let diagonal = self.edges.flip(e);
            let (c, d) = (self.edges.origin(diagonal), self.edges.target(diagonal));
            let (side_c, side_d) = (orient(from, to, self.point(c)), orient(from, to, self.point(d)));
            if (side_c < 0 && side_d > 0) || (side_c > 0 && side_d < 0) {
                pending.push_back((c, d));
            } else {
                fresh.push((c, d));
            }
        }
        if let Some(e) = self.edges.find(a, end) {
            self.edges.set_mark(e, mark);
        }
        for (c, d) in fresh {
            self.unsettled.extend(self.edges.find(c, d));
        }
        self.settle();
    }

    /// True if the two triangles at `e` form a strictly convex quadrilateral.
    fn is_flippable(&self, e: u32) -> bool {
        let f = self.edges.twin(e);
        if f == NONE {
            return false;
        }
        let [a, b, c, d] =
            [self.edges.origin(e), self.edges.origin(f), self.edges.apex(e), self.edges.apex(f)]
                .map(|v| self.point(v));
        orient(c, a, d) > 0 && orient(d, b, c) > 0
    }

    /// Joins two vertices by marked edges. Vertices on the way are passed through. Returns false if a marked edge is
    /// in the way.
    pub fn join(&mut self, a: u32, b: u32, mark: EdgeMark) -> bool {
        let mut at = a;
        while at != b {
            match self.walk(at, b) {
                Walk::Joined(e) => {
                    if self.edges.mark(e) == 0 {
                        self.edges.set_mark(e, mark);
                    }
                    return true;
                }
                Walk::Through(v) => {
                    let Some(e) = self.edges.find(at, v) else { return false };
                    if self.edges.mark(e) == 0 {
                        self.edges.set_mark(e, mark);
                    }
                    at = v;
                }
                Walk::Blocked(..) => return false,
                Walk::Crosses(crossed, end) => {
                    self.force(at, end, crossed, mark);
                    at = end;
                }
            }
        }
        true
    }

    /// Takes the mark off an edge and lets the circumcircle condition decide about it again.
    pub fn release(&mut self, e: u32) {
        self.edges.set_mark(e, 0);
        self.unsettled.push(e);
        self.settle();
    }

    /// Lists every flaw of the triangulation, for tests: orientation, gluing, marks, and the circumcircle condition.
    pub fn flaws(&self) -> Vec<String> {
        let mut flaws = Vec::new();
        for e in 0..self.edges.len() {
            let twin = self.edges.twin(e);
            let corners = [e, next(e), prev(e)].map(|s| self.point(self.edges.origin(s)));
            if e % 3 == 0 && orient(corners[0], corners[1], corners[2]) <= 0 {
                flaws.push(format!("triangle {} is not counter-clockwise", triangle(e)));
            }
            if !self.is_locally_delaunay(e) {
                flaws.push(format!("half-edge {e} violates the circumcircle condition"));
            }
            if twin == NONE {
                continue;
            }
            let glued = self.edges.twin(twin) == e
                && self.edges.origin(twin) == self.edges.target(e)
                && self.edges.target(twin) == self.edges.origin(e);
            if !glued || self.edges.mark(twin) != self.edges.mark(e) {
                flaws.push(format!("half-edges {e} and {twin} disagree"));
            }
        }
        for v in 0..self.points.len() as u32 {
            if self.edges.origin(self.edges.leaving(v)) != v {
                flaws.push(format!("vertex {v} has a wrong leaving half-edge"));
            }
        }
        flaws
    }
}

/// The least box around points; a point box at the origin when there are none.
#[inline]
pub fn bounds(points: &[Point]) -> (Point, Point) {
    let first = points.first().copied().unwrap_or_default();
    points.iter().fold((first, first), |(min, max), p| {
        (Point::new(min.x.min(p.x), min.y.min(p.y)), Point::new(max.x.max(p.x), max.y.max(p.y)))
    })
}

/// The indices of `points` along a Hilbert curve, equal points next to each other.
pub fn hilbert_order(points: &[Point]) -> impl Iterator<Item = u32> {
    let (min, max) = bounds(points);
    let shift = hilbert::shift_for(min, max);
    let mut order: Vec<(u32, Point, u32)> =
        points.iter().enumerate().map(|(i, p)| (hilbert::index(*p, min, shift), *p, i as u32)).collect();
    // The curve is filled about evenly: as many stretches of it as points.
    let stretches = order.len() as u64;
    sort_by_number(&mut order, |(along, ..)| ((u64::from(*along) * stretches) >> 32) as usize);
    order.into_iter().map(|(_, _, index)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed sequence of numbers that look random.
    fn numbers(seed: u64) -> impl FnMut(i32) -> i32 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as i32 % below
        }
    }

    #[test]
    fn random_points_are_delaunay_at_every_scale() {
        for bits in [3, 6, 10, 20, 27] {
            let mut number = numbers(bits);
            let points: Vec<Point> =
                (0..500).map(|_| Point::new(number(1 << bits), number(1 << bits))).collect();
            let (triangulation, vertex_of) = Triangulation::of_points(&points);
            assert_eq!(triangulation.flaws(), Vec::<String>::new());
            for (point, vertex) in points.iter().zip(vertex_of) {
                assert_eq!(triangulation.point(vertex), *point);
            }
        }
    }

    #[test]
    fn the_numbering_does_not_depend_on_the_order_of_points() {
        let mut number = numbers(7);
        let mut points: Vec<Point> = (0..200).map(|_| Point::new(number(50), number(50))).collect();
        let (forward, _) = Triangulation::of_points(&points);
        points.reverse();
        let (backward, _) = Triangulation::of_points(&points);
        assert_eq!(forward.points(), backward.points());
    }

    #[test]
    fn joined_vertices_stay_joined_and_the_rest_is_delaunay() {
        for seed in 0..30 {
            let mut number = numbers(seed + 100);
            let points: Vec<Point> = (0..150).map(|_| Point::new(number(64), number(64))).collect();
            let (mut triangulation, vertex_of) = Triangulation::of_points(&points);
            for _ in 0..40 {
                let (a, b) = (vertex_of[number(150) as usize], vertex_of[number(150) as usize]);
                triangulation.join(a, b, 1);
                assert_eq!(triangulation.flaws(), Vec::<String>::new());
            }
        }
    }
}

//! Simplifies outlines: whatever sticks out of walls by less than the tolerance is cut off from the walkable space.
//!
//! One-sided: walkable space is only taken away, never added, so that nobody is led into a wall. Every point of the
//! old outline stays within the tolerance of the new one. There are three changes, all of triangles at the border:
//!
//! - A bump between notches goes: the border passes from one of its neighbours to the other.
//! - An edge between two notches goes, as on a round pillar: the edges before and after it are extended until they
//!   meet.
//! - The pointed end of a bar, as of a baluster, is squared off.
//!
//! Cost: each change flips a bounded number of edges, and each removes a vertex of the border.

use crate::surface::tolerances::ROUNDING;
use crate::surface::tolerances::simplify::{ASTRAY, BAR, MOST_DOUBLINGS, MOST_FLIPS};
use clearway_geometry::arrangement::WALL;
use clearway_geometry::grid::LIMIT;
use clearway_geometry::half_edges::{next, prev};
use clearway_geometry::predicates::{cross_properly, in_triangle, orient};
use clearway_geometry::triangulation::Place;
use clearway_geometry::{NONE, Point, Triangulation, Vec2, vec2::segment_distance};
use std::collections::VecDeque;

/// An outline being simplified.
pub struct Simplifier<'a> {
    /// The walkable triangles; their outer edges are the outline.
    triangulation: &'a mut Triangulation,
    /// For each vertex, the points that the border lost between it and the next vertex.
    lost: Vec<Vec<Point>>,
    /// The greatest distance of a lost point from the new border in this pass, in grid units.
    tolerance: f64,
    /// The number of changes so far, each of which removed a vertex.
    pub removed: usize,
}

/// Three consecutive vertices along the border.
#[derive(Clone, Copy)]
struct Bend {
    /// The vertex before `at`.
    before: u32,
    /// The vertex at which the border bends.
    at: u32,
    /// The vertex after `at`.
    after: u32,
}

impl<'a> Simplifier<'a> {
    /// Prepares to simplify a triangulation. The tolerance is in grid units.
    pub fn new(triangulation: &'a mut Triangulation, tolerance: f64) -> Simplifier<'a> {
        let lost = vec![Vec::new(); triangulation.points().len()];
        Simplifier { triangulation, lost, tolerance, removed: 0 }
    }

    /// Simplifies the outline until no change applies.
    pub fn run(&mut self) {
        let whole = self.tolerance;
        let doublings = ((whole / ROUNDING).log2().floor() as i32).clamp(0, MOST_DOUBLINGS);
        for left in (0..=doublings).rev() {
            self.tolerance = whole / f64::from(1 << left);
            let mut work: Vec<u32> = (0..self.lost.len() as u32).rev().collect();
            while let Some(vertex) = work.pop() {
                let Some(bend) = self.bend(vertex) else { continue };
                let is_simpler = match self.turn(bend).signum() {
                    0 => self.pass_straight(bend),
                    1 => self.cut_bump(bend),
                    _ => self.is_notch(bend.after) && (self.square_off(bend) || self.draw_out(bend)),
                };
                if is_simpler {
                    self.removed += 1;
                    // The neighbours have new angles now, so they get another chance.
                    work.extend([bend.before, bend.after, bend.at]);
                }
            }
        }
    }

    /// The point of a vertex.
    fn point(&self, vertex: u32) -> Point {
        self.triangulation.point(vertex)
    }

    /// The border edge that leaves a vertex, if the vertex still lies on a border.
    fn border_from(&self, vertex: u32) -> Option<u32> {
        let edges = self.triangulation.edges();
        let first = edges.leaving(vertex);
        let mut e = first;
        while e != NONE && edges.twin(e) != NONE {
            e = edges.prev_around(e);
            if e == first {
                return None;
            }
        }
        (e != NONE).then_some(e)
    }

    /// The vertices before and after a vertex along the border, if the vertex still lies on a border.
    fn bend(&self, at: u32) -> Option<Bend> {
        let edges = self.triangulation.edges();
        let out = self.border_from(at)?;
        let mut spoke = out;
        while edges.twin(prev(spoke)) != NONE {
            spoke = edges.twin(prev(spoke));
        }
        Some(Bend { before: edges.origin(prev(spoke)), at, after: edges.target(out) })
    }

    /// Positive at a convex corner of the walkable space, negative at a notch, zero on a straight border.
    fn turn(&self, Bend { before, at, after }: Bend) -> i64 {
        orient(self.point(before), self.point(at), self.point(after))
    }

    /// True if the border has a notch at a vertex.
    fn is_notch(&self, vertex: u32) -> bool {
        self.bend(vertex).is_some_and(|bend| self.turn(bend) < 0)
    }

    /// True if all lost points lie within the tolerance of a new edge.
    fn stays_close(&self, [from, to]: [Point; 2], lost: &[Point]) -> bool {
        let [from, to] = [from, to].map(Point::as_vec2);
        lost.iter()
            .all(|point| segment_distance(point.as_vec2(), point.as_vec2(), from, to) <= self.tolerance)
    }

    /// Removes a vertex in the middle of a straight border. Returns true if that succeeded.
    ///
    /// Flips edges away from the vertex until two triangles hold it, then joins these two. A spoke with a mark is a
    /// seam between area classes: then the vertex stays.
    fn pass_straight(&mut self, bend: Bend) -> bool {
        let Bend { before, at, after } = bend;
        let [from, here, to] = [before, at, after].map(|vertex| self.point(vertex));
        if (from - here).dot(to - here) >= 0 {
            return false;
        }
        for _ in 0..MOST_FLIPS {
            let Some(out) = self.border_from(at) else { return false };
            let edges = self.triangulation.edges();
            let spoke = edges.next_around(out);
            if spoke == NONE || edges.mark(spoke) != 0 {
                return false;
            }
            if edges.twin(prev(spoke)) == NONE {
                self.triangulation.pass_by(out);
                let lost = std::mem::take(&mut self.lost[at as usize]);
                self.lost[before as usize].extend(lost);
                return true;
            }
            let following = |spoke: &u32| Some(edges.next_around(*spoke)).filter(|next| *next != NONE);
            let spokes: Vec<u32> = std::iter::successors(Some(spoke), following).collect();
            if !spokes.into_iter().any(|spoke| self.triangulation.try_flip(spoke)) {
                return false;
            }
        }
        false
    }

    /// Cuts off a convex corner next to a notch. Returns true if that succeeded.
    ///
    /// A corner between two other convex corners is no bump: cutting it would remove no notch, and so save no cell.
    fn cut_bump(&mut self, bend: Bend) -> bool {
        let Bend { before, at, after } = bend;
        let [from, here, to] = [before, at, after].map(|vertex| self.point(vertex));
        // Most corners stick out too far, so the distance is tested before the neighbours.
        let is_bump = before != after
            && self.stays_close([from, to], &[here])
            && (self.is_notch(before) || self.is_notch(after));
        if !is_bump {
            return false;
        }
        let mut lost = self.lost[before as usize].clone();
        lost.push(here);
        lost.extend(&self.lost[at as usize]);
        if !self.stays_close([from, to], &lost) || !self.lay_bare(bend) {
            return false;
        }
        let Some(out) = self.border_from(at) else { return false };
        self.triangulation.take_out(out / 3, WALL);
        self.lost[before as usize] = lost;
        self.lost[at as usize].clear();
        true
    }

    /// Flips edges away from a vertex until only one triangle holds it. Fails if that triangle is the last one of its
    /// piece, or if a mark lies on the edge that would become the border.
    fn lay_bare(&mut self, Bend { before, at, after }: Bend) -> bool {
        for _ in 0..MOST_FLIPS {
            let Some(out) = self.border_from(at) else { return false };
            let edges = self.triangulation.edges();
            if edges.apex(out) == before && edges.twin(prev(out)) == NONE {
                return edges.twin(next(out)) != NONE && edges.mark(next(out)) == 0;
            }
            let [from, to] = [before, after].map(|vertex| self.point(vertex));
            let mut spokes = Vec::new();
            let mut spoke = edges.next_around(out);
            while spoke != NONE {
                // Every neighbour of the vertex must stay on the walkable side of the new border.
                if orient(from, to, self.point(edges.target(spoke))) <= 0 {
                    return false;
                }
                spokes.push(spoke);
                spoke = edges.next_around(spoke);
            }
            if !spokes.into_iter().any(|spoke| self.triangulation.try_flip(spoke)) {
                return false;
            }
        }
        false
    }

    /// Removes the edge between this notch and the next one, by extending the edges before and after it until they
    /// meet.
    ///
    /// The triangle between that edge and the meeting point becomes wall. Two notches become one.
    fn draw_out(&mut self, bend: Bend) -> bool {
        let Some(next_bend) = self.bend(bend.after) else { return false };
        let (u, v, w, x) = (bend.before, bend.at, bend.after, next_bend.after);
        let is_edge = self.turn(next_bend) < 0 && u != w && v != x && u != x;
        if !is_edge {
            return false;
        }
        let Some(tip) = self.tip([u, v, w, x].map(|vertex| self.point(vertex))) else { return false };
        if !self.may_carve(v, w, tip) || !self.carve(v, tip) {
            return false;
        }
        self.cut_flat_corners(&[v, w]);
        true
    }

    /// Squares off the pointed end of a bar. Three notches become two, and gaps between bars side by side get
    /// straight sides.
    fn square_off(&mut self, bend: Bend) -> bool {
        let (Some(first), Some(last)) = (self.bend(bend.before), self.bend(bend.after)) else { return false };
        let ring = [first.before, first.at, bend.at, last.at, last.after];
        let is_end = [first, last].into_iter().all(|bend| self.turn(bend) < 0)
            && (0..5).all(|i| !ring[i + 1..].contains(&ring[i]));
        if !is_end {
            return false;
        }
        let [a, b, c, d, e] = ring.map(|vertex| self.point(vertex));
        let [along, back] = [b.as_vec2() - a.as_vec2(), e.as_vec2() - d.as_vec2()];
        if along.dot(back) > -BAR * along.length() * back.length() {
            return false;
        }
        let beyond = |from: Point, to: Point| {
            let (way, across) = (to.as_vec2() - from.as_vec2(), d.as_vec2() - b.as_vec2());
            let share = (c.as_vec2() - to.as_vec2()).cross(across) / way.cross(across);
            to.as_vec2() + way * share
        };
        let tips = [beyond(a, b), beyond(e, d)];
        if self.is_far(tips[0], [b, c]) || self.is_far(tips[1], [c, d]) {
            return false;
        }
        let left = nearest(tips[0], |tip| orient(a, b, tip) >= 0 && orient(b, c, tip) > 0);
        let right = nearest(tips[1], |tip| {
            orient(d, e, tip) >= 0
                && orient(c, d, tip) > 0
                && left.is_some_and(|left| orient(left, c, tip) >= 0)
        });
        let (Some(left), Some(right)) = (left, right) else { return false };
        let has_room =
            |from: u32, tip: Point| self.border_from(from).is_some_and(|out| self.room(out, tip).is_some());
        // Both corners must fit before the first is carved: with one alone the end would be lopsided.
        let fits = self.may_carve(first.at, bend.at, left)
            && self.may_carve(bend.at, last.at, right)
            && has_room(first.at, left)
            && has_room(bend.at, right);
        if !fits || !self.carve(first.at, left) {
            return false;
        }
        // Both were tested before, but the first carving may block the second. Then one corner stays pointed.
        self.carve(bend.at, right);
        self.cut_flat_corners(&[first.at, last.at, bend.at]);
        true
    }

    /// True if no grid point near a place is close enough to an edge to be the tip of a new wall. One test spares
    /// trying the grid points.
    fn is_far(&self, place: Vec2, [from, to]: [Point; 2]) -> bool {
        let (from, to) = (from.as_vec2(), to.as_vec2());
        segment_distance(place, place, from, to) > self.tolerance + ASTRAY
    }

    /// True if the triangle over the border edge from `v` to `w` with this tip may become wall: the tip and all lost
    /// points stay within the tolerance.
    fn may_carve(&self, v: u32, w: u32, tip: Point) -> bool {
        let ends = [v, w].map(|vertex| self.point(vertex));
        let is_near = |point: &Point| {
            self.stays_close([ends[0], tip], &[*point]) || self.stays_close([tip, ends[1]], &[*point])
        };
        self.stays_close(ends, &[tip]) && self.lost[v as usize].iter().all(is_near)
    }

    /// Turns the triangle over the border edge that leaves `v` into wall. Returns false if edges cannot be flipped
    /// out of the way; then the new vertex is removed again.
    ///
    /// The tip is inserted as a vertex first. Then edges are flipped until the triangle exists, and it is taken out.
    fn carve(&mut self, v: u32, tip: Point) -> bool {
        let Some(out) = self.border_from(v) else { return false };
        let ends = [v, self.triangulation.edges().target(out)];
        let Some((place, crossed)) = self.room(out, tip) else { return false };
        let fresh = match place {
            Place::Triangle(triangle) => self.triangulation.split_triangle(triangle, tip),
            Place::Edge(e) => self.triangulation.split_inner_edge(e, tip),
            Place::Vertex(_) => return false,
        };
        self.lost.push(Vec::new());
        self.clear(ends, fresh, crossed);
        match self.border_from(v).filter(|out| self.triangulation.edges().apex(*out) == fresh) {
            Some(out) => {
                self.triangulation.take_out(out / 3, WALL);
                true
            }
            // The flips did not clear the triangle. The new vertex must not stay in the middle of the floor.
            None => {
                self.triangulation.remove(fresh);
                false
            }
        }
    }

    /// Finds the location of the tip of a triangle over a border edge, and the edges that cross that triangle, by
    /// their ends. `None` if anything that stays is in the way: a vertex, a border or a marked edge.
    ///
    /// The search starts at the triangle of the border edge and goes on through the edges that cross. Edges are given
    /// by their ends, because flips change the numbers of half-edges.
    fn room(&self, out: u32, tip: Point) -> Option<(Place, VecDeque<[u32; 2]>)> {
        let edges = self.triangulation.edges();
        let [v, w] = [edges.origin(out), edges.target(out)].map(|vertex| self.point(vertex));
        let mut crossed = VecDeque::new();
        let mut holder = None;
        let mut work = vec![(out / 3, [next(out), prev(out)])];
        while let Some((triangle, sides)) = work.pop() {
            holder = holder.or_else(|| self.place_in(triangle, tip));
            let apex = self.point(edges.origin(sides[1]));
            if apex != v && apex != w && in_triangle([v, w, tip], apex) {
                return None;
            }
            for side in sides {
                let [p, q] = [edges.origin(side), edges.target(side)];
                let [from, to] = [p, q].map(|vertex| self.point(vertex));
                if cross_properly(from, to, v, tip) || cross_properly(from, to, w, tip) {
                    let twin = edges.twin(side);
                    if twin == NONE || edges.mark(side) != 0 || crossed.len() == MOST_FLIPS {
                        return None;
                    }
                    crossed.push_back([p, q]);
                    work.push((twin / 3, [next(twin), prev(twin)]));
                }
            }
        }
        holder.map(|place| (place, crossed))
    }

    /// The location of a point in a triangle, if it lies inside or on an edge that may be split.
    fn place_in(&self, triangle: u32, at: Point) -> Option<Place> {
        let edges = self.triangulation.edges();
        let sides = [0, 1, 2].map(|i| 3 * triangle + i);
        let turns = sides.map(|e| orient(self.point(edges.origin(e)), self.point(edges.target(e)), at));
        let on = || (0..3).filter(|i| turns[*i] == 0);
        let is_open = |e: u32| edges.twin(e) != NONE && edges.mark(e) == 0;
        match (turns.iter().all(|turn| *turn >= 0), on().count()) {
            (true, 0) => Some(Place::Triangle(triangle)),
            (true, 1) => on().map(|i| sides[i]).find(|e| is_open(*e)).map(Place::Edge),
            _ => None,
        }
    }

    /// Flips edges until none crosses the triangle from a border edge to a vertex, as constrained edges are made
    /// (Sloan, 1993).
    fn clear(&mut self, ends: [u32; 2], tip: u32, mut crossed: VecDeque<[u32; 2]>) {
        for _ in 0..MOST_FLIPS * MOST_FLIPS {
            let Some([p, q]) = crossed.pop_front() else { return };
            let Some(e) = self.edge_between(p, q) else { continue };
            if !self.triangulation.try_flip(e) {
                crossed.push_back([p, q]);
                continue;
            }
            let edges = self.triangulation.edges();
            // After a flip the new diagonal has the number of the half-edge after `e`.
            let diagonal = [edges.origin(next(e)), edges.target(next(e))];
            let [from, to] = diagonal.map(|vertex| self.point(vertex));
            let crosses = |end: &u32| cross_properly(from, to, self.point(*end), self.point(tip));
            if ends.iter().any(crosses) {
                crossed.push_back(diagonal);
            }
        }
    }

    /// The half-edge from one vertex to another, if the two are neighbours.
    fn edge_between(&self, from: u32, to: u32) -> Option<u32> {
        let edges = self.triangulation.edges();
        let first = edges.leaving(from);
        let forth = std::iter::successors(Some(first), |e| {
            Some(edges.next_around(*e)).filter(|next| *next != NONE && *next != first)
        });
        let back = std::iter::successors(Some(first), |e| {
            Some(edges.prev_around(*e)).filter(|before| *before != NONE && *before != first)
        });
        forth.chain(back).find(|e| edges.target(*e) == to)
    }

    /// Cuts off convex corners that carving left beside the new wall. Straight ones stay for the next pass.
    fn cut_flat_corners(&mut self, vertices: &[u32]) {
        for vertex in vertices {
            if let Some(bend) = self.bend(*vertex).filter(|bend| self.turn(*bend) > 0) {
                self.cut_flat(bend);
            }
        }
    }

    /// Cuts off a convex corner, if all lost points stay within the tolerance.
    fn cut_flat(&mut self, bend: Bend) {
        let Bend { before, at, after } = bend;
        let mut lost = self.lost[before as usize].clone();
        lost.push(self.point(at));
        lost.extend(&self.lost[at as usize]);
        let fits = self.stays_close([self.point(before), self.point(after)], &lost) && self.lay_bare(bend);
        if let Some(out) = self.border_from(at).filter(|_| fits) {
            self.triangulation.take_out(out / 3, WALL);
            self.lost[before as usize] = lost;
            self.lost[at as usize].clear();
        }
    }

    /// The grid point where the edges u–v and w–x meet when extended, such that v and w are notches no longer. `None`
    /// if they meet behind, or too far away.
    fn tip(&self, [u, v, w, x]: [Point; 4]) -> Option<Point> {
        let [p, q] = [(u, v), (x, w)].map(|(from, to)| to.as_vec2() - from.as_vec2());
        let across = p.cross(q);
        let t = (w.as_vec2() - v.as_vec2()).cross(q) / across;
        let meeting = v.as_vec2() + p * t;
        let is_ahead = across.abs() > 1e-9 && t > 0.0;
        if !is_ahead || self.is_far(meeting, [v, w]) {
            return None;
        }
        nearest(meeting, |tip| orient(u, v, tip) >= 0 && orient(tip, w, x) >= 0 && orient(v, w, tip) > 0)
    }
}

/// The grid point nearest to a place among the 25 around it for which `will_do` is true. `None` near the limit of the
/// grid.
fn nearest(place: Vec2, will_do: impl Fn(Point) -> bool) -> Option<Point> {
    let is_on_grid = |c: f64| c.abs() < f64::from(LIMIT - 4);
    if !is_on_grid(place.x) || !is_on_grid(place.y) {
        return None;
    }
    let [x, y] = [place.x, place.y].map(|c| c.round() as i32);
    let around = (-2..=2).flat_map(|i| (-2..=2).map(move |j| Point::new(x + i, y + j)));
    let off = |point: &Point| point.as_vec2().distance(place);
    around.filter(|point| will_do(*point)).min_by(|a, b| off(a).total_cmp(&off(b)).then(a.cmp(b)))
}

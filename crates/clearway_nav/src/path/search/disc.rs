//! The view of a disc: Polyanya with circles in place of vertices.
//!
//! The centre of a body of radius r keeps r away from all walls. Its shortest paths are straight lines that touch
//! circles of radius r around corners, and arcs on these circles. So a root is a circle. A beam is a range of
//! directions of rays that leave the root as tangents. Every vertex of a cell clips a beam by its own circle.
//!
//! The beam keeps the vertex that clips it until its ray has passed the place of touch: there the body may begin to
//! turn around the vertex. A beam costs O(n) for a cell of n sides, and as much again for each corner in it that rays
//! touch.

use super::beam_gap::Gap;
use super::engine::Engine;
use super::scratch::{Kind, Node, Root};
use super::tangent::{Ray, key, middle};
use crate::mesh::PackedSide;
use crate::tolerances::angles::{PARALLEL, SAME_KEY};
use clearway_geometry::{NONE, Vec2};

/// The rays from a root that pass a vertex of the cell at hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tangents {
    /// The vertex.
    pub vertex: u32,
    /// True if bodies may turn around the vertex.
    pub is_corner: bool,
    /// The side of the view on which the vertex lies, if it is further away than the radius from every ray: -1 to the
    /// right, 1 to the left. It has no rays then. Otherwise 0.
    pub beside: i8,
    /// True if the start lies on the vertex, at which no wall stands. Then no ray passes the sides that meet there.
    pub is_start: bool,
    /// True if some rays of the view have the vertex behind.
    pub may_be_behind: bool,
    /// The ray that has the vertex on its left.
    pub left: Ray,
    /// The key of that ray.
    pub left_key: f64,
    /// The ray that has the vertex on its right.
    pub right: Ray,
    /// The key of that ray.
    pub right_key: f64,
    /// The tightest left bound of this vertex and those further left, as a key.
    bound_key: f64,
    /// The index of the vertex with that bound, or [`BEAM`].
    bound_by: usize,
}

/// Stands for the bound of the beam itself, which belongs to no vertex of the cell.
const BEAM: usize = usize::MAX;

/// A range of directions from a root, within one cell.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The index of the root.
    pub number: u32,
    /// A copy of the root.
    pub root: Root,
    /// The cell.
    pub cell: u32,
    /// The rightmost direction.
    pub right: Vec2,
    /// The leftmost direction.
    pub left: Vec2,
    /// The direction half way between, from which keys are measured.
    pub reference: Vec2,
    /// The key of the rightmost direction.
    pub right_key: f64,
    /// The key of the leftmost direction.
    pub left_key: f64,
}

impl View {
    /// Returns the view between two directions.
    pub fn new(number: u32, root: Root, cell: u32, [right, left]: [Vec2; 2]) -> View {
        let reference = middle(right, left);
        let [right_key, left_key] = [right, left].map(|direction| key(reference, direction));
        View { number, root, cell, right, left, reference, right_key, left_key }
    }

    /// True if a direction with this key is in the range.
    #[inline]
    pub fn holds_key(&self, key: f64) -> bool {
        key >= self.right_key - SAME_KEY && key <= self.left_key + SAME_KEY
    }

    /// True if a direction is in the range.
    #[inline]
    pub fn holds(&self, direction: Vec2) -> bool {
        self.holds_key(key(self.reference, direction))
    }
}

impl Engine<'_> {
    /// Follows a beam through the cell that it enters.
    ///
    /// Rays past all vertices are computed once. If no vertex lies behind a ray, one pass from the left and one from
    /// the right give the beams through all sides, in O(n). Otherwise each side is narrowed by all vertices. Then the
    /// body may touch corners, and goals may be seen.
    pub(super) fn expand_beam_disc(&mut self, node: &Node) {
        let root = self.space.roots[node.root as usize];
        // The first direction in the sense of the turn leaves the corner first.
        let first = if root.turn > 0.0 { node.right } else { node.left };
        if root.vertex != NONE && self.is_beaten_in(&root, first) {
            return;
        }
        let view = View::new(node.root, root, node.cell, [node.right, node.left]);
        self.space.memory.look_behind(self.layout, node.cell);
        self.find_tangents(&view, node.side as usize, false);
        if self.space.rays.iter().any(|rays| rays.may_be_behind) {
            self.leave_by_gaps(&view, node);
        } else {
            self.bound_from_left(&view, node);
            self.leave_by_sides(&view, node);
        }
        self.touch_corners(&view, node);
        self.touch_near(&view);
        self.see_goals_disc(&view, false);
    }

    /// Computes the rays past all vertices of the cell, in order from the side after `entry` on. For a side that a beam
    /// enters by, this is the order from its right end to its left end.
    ///
    /// Most vertices lie beside the view. Their distances to its outermost rays decide that: the distance to a ray that
    /// turns by less than half a turn is greatest at one of its ends.
    pub(super) fn find_tangents(&mut self, view: &View, entry: usize, all_around: bool) {
        let (layout, radius, root) = (self.layout, self.radius, &view.root);
        let sides = layout.sides(view.cell);
        let lean = root.lean(radius);
        // In layers, vertices that the beam passed before it entered the cell do not count.
        let passed = self.passed_before(view, all_around);
        let rays = &mut self.space.rays;
        rays.clear();
        let mut side = entry;
        for _ in 0..sides.len() {
            side = if side + 1 == sides.end { sides.start } else { side + 1 };
            let PackedSide { vertex, at, .. } = layout.packed[side];
            let to = at - root.at;
            let reach = if layout.solid[vertex as usize] { radius } else { 0.0 };
            // Less than the radius from a turning root, a bare vertex may be passed twice between the outermost rays.
            let limit = if root.turn == 0.0 { reach } else { radius } + self.slack;
            let [right, left] = [view.right, view.left].map(|direction| direction.cross(to) + lean);
            let mut found = Tangents { vertex, ..Tangents::default() };
            found.is_start = root.turn == 0.0 && to.length_squared() <= self.slack * self.slack;
            if found.is_start {
                found.beside = 1;
            } else if vertex == root.vertex {
                found.beside = if root.turn > 0.0 { 1 } else { -1 };
            } else if reach == 0.0 && root.turn != 0.0 && to.length_squared() < radius * radius {
                // No ray passes through what lies within the circle of the root.
                found.beside = if root.turn > 0.0 { 1 } else { -1 };
            } else if right < 0.0 && view.right.dot(to) < passed[0] {
                found.beside = -1;
            } else if left > 0.0 && view.left.dot(to) < passed[1] {
                found.beside = 1;
            } else if !all_around && right < -limit && left < -limit {
                found.beside = -1;
            } else if !all_around && right > limit && left > limit {
                found.beside = 1;
            }
            if found.beside == 0 {
                found.is_corner = layout.corner_of[vertex as usize] != NONE;
                found.left = root.ray(at, reach, radius);
                found.left_key = key(view.reference, found.left.direction);
                found.right = root.ray(at, -reach, radius);
                found.right_key = key(view.reference, found.right.direction);
                found.may_be_behind = view.right.dot(to) < 0.0 || view.left.dot(to) < 0.0;
            } else {
                let far = f64::from(found.beside) * f64::INFINITY;
                (found.left_key, found.right_key) = (far, far);
            }
            rays.push(found);
        }
    }

    /// Returns the lengths along the rightmost and the leftmost ray before which a vertex beside them is not in the
    /// way.
    ///
    /// Where cells lie over each other, a beam may pass below or above a vertex long before it enters the cell of the
    /// vertex. Such a vertex lies before the entry by more than the body is wide. What lies between the two rays is
    /// always ahead, since cells are convex.
    fn passed_before(&self, view: &View, all_around: bool) -> [f64; 2] {
        if !self.layout.is_layered || all_around {
            return [f64::NEG_INFINITY; 2];
        }
        [view.right, view.left].map(|direction| self.passed_on(view, direction))
    }

    /// Returns the length at which a ray enters the cell, less the width of the body.
    pub(super) fn passed_on(&self, view: &View, direction: Vec2) -> f64 {
        let origin = view.root.origin(direction, self.radius);
        let passed = self.through(view.cell, origin, direction)[0] - 2.0 * self.radius;
        if passed > 0.0 { passed } else { f64::NEG_INFINITY }
    }

    /// Returns the length along a ray at which the body may turn around the vertex that bounds the beam; infinite if
    /// there is none.
    pub(super) fn reach_of(&self, root: &Root, vertex: u32, turn: f64, direction: Vec2) -> f64 {
        if vertex == NONE {
            return f64::INFINITY;
        }
        let reach = (self.position(vertex) - root.origin(direction, self.radius)).dot(direction);
        self.turning_reach(vertex, turn, &Ray { direction, reach, exists: true })
    }

    /// The position of a vertex in grid units.
    #[inline]
    pub fn position(&self, vertex: u32) -> Vec2 {
        self.mesh.parts.points[vertex as usize].as_vec2()
    }

    /// Returns the length along a ray at which the body may begin to turn around a vertex; infinite if it cannot turn
    /// there. Of bounds that agree only such vertices count: a vertex that the ray merely passes would hide the corner
    /// behind it.
    #[inline]
    pub(super) fn turning_reach(&self, vertex: u32, turn: f64, ray: &Ray) -> f64 {
        let corner = self.layout.corners.get(self.layout.corner_of[vertex as usize] as usize);
        let turns = corner.is_some_and(|corner| corner.holds(ray.direction.perp() * -turn));
        if turns { ray.reach } else { f64::INFINITY }
    }

    /// Finds for each vertex the tightest bound that it and those to its left put on rays to their right. Where bounds
    /// agree, the corner that is touched first counts; otherwise walls in line would hide one another.
    fn bound_from_left(&mut self, view: &View, node: &Node) {
        let mut reach = self.reach_of(&view.root, node.left_at, 1.0, node.left);
        let (mut bound, mut by) = (view.left_key, BEAM);
        for place in (1..self.space.rays.len()).rev() {
            let ray = &self.space.rays[place];
            if ray.left_key <= bound + SAME_KEY {
                let own = self.turning_reach(ray.vertex, 1.0, &ray.left);
                if ray.left_key < bound - SAME_KEY {
                    (bound, by, reach) = (ray.left_key, place, own);
                } else if self.comes_next(view, own, &ray.left, self.holder(by, 1.0, node, reach)) {
                    (bound, by, reach) = (ray.left_key.min(bound), place, own);
                }
            }
            let ray = &mut self.space.rays[place];
            (ray.bound_key, ray.bound_by) = (bound, by);
        }
    }

    /// Returns the ray of the present bound of a beam, with its reach.
    fn holder(&self, by: usize, turn: f64, node: &Node, reach: f64) -> Ray {
        let direction = match (by, turn > 0.0) {
            (BEAM, true) => node.left,
            (BEAM, false) => node.right,
            (by, true) => self.space.rays[by].left.direction,
            (by, false) => self.space.rays[by].right.direction,
        };
        Ray { direction, reach, exists: true }
    }

    /// Decides which of two bounds that agree the beam keeps: true for the new one. Of corners that are touched beyond
    /// the cell, the one touched first counts. A corner that is touched in the cell need not be kept, and would hide
    /// the other.
    pub(super) fn comes_next(&self, view: &View, reach: f64, ray: &Ray, holder: Ray) -> bool {
        reach.is_finite()
            && !self.touches_before_exit(view, ray)
            && (reach < holder.reach || self.touches_before_exit(view, &holder))
    }

    /// Sends the rays that pass between the vertices on through the sides of the cell.
    ///
    /// It goes over the vertices from right to left and keeps the tightest right bound so far. Together with the
    /// tightest left bound of the vertices further left, that is the beam through the next side.
    /// [`bound_from_left`](Self::bound_from_left) must have run before.
    fn leave_by_sides(&mut self, view: &View, node: &Node) {
        let layout = self.layout;
        let mut reach = self.reach_of(&view.root, node.right_at, -1.0, node.right);
        let (mut bound, mut by) = (view.right_key, BEAM);
        let mut side = node.side as usize;
        for place in 0..self.space.rays.len() - 1 {
            side = layout.next(view.cell, side);
            let ray = &self.space.rays[place];
            if ray.right_key >= bound - SAME_KEY {
                let own = self.turning_reach(ray.vertex, -1.0, &ray.right);
                if ray.right_key > bound + SAME_KEY {
                    (bound, by, reach) = (ray.right_key, place, own);
                } else if self.comes_next(view, own, &ray.right, self.holder(by, -1.0, node, reach)) {
                    (bound, by, reach) = (ray.right_key.max(bound), place, own);
                }
            }
            // All further sides lie to the left of the beam.
            if bound > view.left_key + SAME_KEY {
                break;
            }
            let next = &self.space.rays[place + 1];
            if bound > next.bound_key + SAME_KEY || layout.packed[side].beyond == NONE || !self.allows(side) {
                continue;
            }
            let (right, right_at) = match by {
                BEAM => (node.right, node.right_at),
                _ => (self.space.rays[by].right.direction, self.space.rays[by].vertex),
            };
            let (left, left_at) = match next.bound_by {
                BEAM => (node.left, node.left_at),
                by => (self.space.rays[by].left.direction, self.space.rays[by].vertex),
            };
            self.leave(view, side, [right, left], [right_at, left_at]);
        }
    }

    /// As [`leave_by_sides`](Self::leave_by_sides), if rays have vertices of the cell behind. It treats each side on
    /// its own, which takes O(n²) for n sides.
    #[cold]
    fn leave_by_gaps(&mut self, view: &View, node: &Node) {
        let reaches = [
            self.reach_of(&view.root, node.right_at, -1.0, node.right),
            self.reach_of(&view.root, node.left_at, 1.0, node.left),
        ];
        let mut side = node.side as usize;
        for place in 0..self.space.rays.len() - 1 {
            side = self.layout.next(view.cell, side);
            if self.layout.packed[side].beyond == NONE || !self.allows(side) {
                continue;
            }
            let View { reference, right, left, right_key: low, left_key: high, .. } = *view;
            let mut gap =
                Gap { reference, right, left, low, high, ends: [node.right_at, node.left_at], reaches };
            for (other, rays) in self.space.rays.iter().enumerate() {
                if gap.is_shut() {
                    break;
                }
                self.keep_beside(view, rays, if other <= place { -1.0 } else { 1.0 }, &mut gap);
            }
            if !gap.is_shut() {
                self.leave(view, side, [gap.right, gap.left], gap.ends);
            }
        }
    }

    /// Sends a beam through a side. A vertex that bounds it and is passed before the side bounds it no longer.
    pub(super) fn leave(&mut self, view: &View, side: usize, [right, left]: [Vec2; 2], ends: [u32; 2]) {
        let ends =
            [self.still_ahead(view, side, right, ends[0]), self.still_ahead(view, side, left, ends[1])];
        let node = Node {
            root: view.number,
            cell: self.layout.packed[side].beyond,
            side: self.layout.packed[side].twin,
            kind: Kind::Beam,
            right,
            left,
            right_at: ends[0],
            left_at: ends[1],
            turned: 0.0,
        };
        if self.space.memory.blockers.is_empty() {
            self.push_disc(view, side, node);
        } else {
            self.push_between_blockers(view, side, node, 0);
        }
    }

    /// Returns the vertex if the ray touches its circle beyond the side, otherwise [`NONE`].
    fn still_ahead(&self, view: &View, side: usize, direction: Vec2, vertex: u32) -> u32 {
        if vertex == NONE {
            return NONE;
        }
        let [start, end] = self.layout.ends(view.cell, side);
        let origin = view.root.origin(direction, self.radius);
        let along = end - start;
        let across = direction.cross(along);
        let exit = (start - origin).cross(along);
        let reach = (self.position(vertex) - origin).dot(direction);
        // This is reach <= exit / across, without dividing by a value that may be zero.
        if across.abs() <= PARALLEL * along.length() || (reach * across > exit) != (across > 0.0) {
            NONE
        } else {
            vertex
        }
    }

    /// Cuts away the directions that blockers of the cell block, and adds the rest as nodes.
    ///
    /// Blockers are vertices that a checked path came too close to, or that stand behind bare vertices. `from` is the
    /// index of the first blocker to look at. A blocker within the beam splits it in two; each part is narrowed by the
    /// blockers that follow.
    fn push_between_blockers(&mut self, view: &View, side: usize, node: Node, from: usize) {
        let reference = middle(node.right, node.left);
        let [low, high] = [node.right, node.left].map(|direction| key(reference, direction));
        let list = self.space.memory.blockers.len();
        let first = self.space.memory.blockers.partition_point(|blocker| blocker.0 < view.cell).max(from);
        for place in first..list {
            let (cell, vertex) = self.space.memory.blockers[place];
            if cell != view.cell {
                break;
            }
            if vertex == view.root.vertex {
                continue;
            }
            let at = self.position(vertex);
            let [left, right] = [self.radius, -self.radius].map(|s| view.root.ray(at, s, self.radius));
            let [left_key, right_key] = [left, right].map(|ray| key(reference, ray.direction));
            let [in_left, in_right] =
                [left_key, right_key].map(|key| key >= low - SAME_KEY && key <= high + SAME_KEY);
            let is_met = in_left || in_right || self.is_met(view, vertex, reference);
            // The circle only touches a boundary of the beam from outside.
            let grazes = (in_left && !in_right && left_key >= high - SAME_KEY)
                || (in_right && !in_left && right_key <= low + SAME_KEY);
            if !is_met || grazes {
                continue;
            }
            if in_left {
                let part = Node { left: left.direction, left_at: vertex, ..node };
                self.push_between_blockers(view, side, part, place + 1);
            }
            if in_right {
                let part = Node { right: right.direction, right_at: vertex, ..node };
                self.push_between_blockers(view, side, part, place + 1);
            }
            return;
        }
        self.push_disc(view, side, node);
    }

    /// Adds a beam as a node, with its estimate.
    fn push_disc(&mut self, view: &View, side: usize, node: Node) {
        let ends = self.layout.ends(view.cell, side);
        let goals = 0..self.space.goals.len();
        let rest = goals.map(|goal| self.rest_through(view, &node, ends, self.space.goals[goal].at));
        let rest = rest.fold(f64::INFINITY, f64::min);
        let rest = if self.space.potentials.is_on {
            rest.max(self.rest_by_landmarks(view, side, &node, ends))
        } else {
            rest
        };
        self.push(view.root.length, rest, node);
    }

    /// Returns the lower bound that landmarks give for the rest of the way through a side. From any place of the window
    /// it is at least as far to the goal as from either end of the side, less the distance to that end.
    fn rest_by_landmarks(&mut self, view: &View, side: usize, node: &Node, [start, end]: [Vec2; 2]) -> f64 {
        let (root, radius) = (&view.root, self.radius);
        let vertices = [side, self.layout.next(view.cell, side)].map(|side| self.layout.vertex[side]);
        let bounds = vertices.map(|vertex| self.rest_from_vertex(vertex));
        let touch = root.origin(root.arrival, radius);
        let along = end - start;
        let window = [node.right, node.left].map(|direction| {
            let origin = root.origin(direction, radius);
            let across = direction.cross(along);
            let reach =
                if across > PARALLEL * along.length() { (start - origin).cross(along) / across } else { 0.0 };
            origin + direction * reach.max(0.0)
        });
        right_or_left(bounds, window, touch, [start, end])
    }

    /// Returns the least length from the place where the body touches the root to a goal, through the part of a side
    /// that the beam passes. Other circles are ignored. A goal on the near side counts as its mirror image.
    fn rest_through(&self, view: &View, node: &Node, [start, end]: [Vec2; 2], goal: Vec2) -> f64 {
        let (root, radius) = (&view.root, self.radius);
        let along = end - start;
        let depth = along.cross(goal - start);
        let goal =
            if depth > 0.0 { goal - along.perp() * (2.0 * depth / along.length_squared()) } else { goal };
        let ray = root.ray(goal, 0.0, radius);
        let sum = node.right + node.left;
        let inside = node.right.cross(ray.direction) >= 0.0 && ray.direction.cross(node.left) >= 0.0;
        if inside && sum.dot(ray.direction) > 0.0 {
            return radius * root.turned_at_least(ray.direction) + ray.reach;
        }
        let direction = if sum.cross(ray.direction) < 0.0 { node.right } else { node.left };
        let origin = root.origin(direction, radius);
        let across = direction.cross(along);
        let reach = if across.abs() > PARALLEL * along.length() {
            ((start - origin).cross(along) / across).max(0.0)
        } else {
            0.0
        };
        let via = origin + direction * reach;
        radius * root.turned_at_least(direction) + reach + goal.distance(via)
    }
}

/// Returns a lower bound for the rest from a place to the goal through a window in a side. It uses the end of the side
/// with the greater bound.
#[inline]
pub(super) fn right_or_left(bounds: [f64; 2], window: [Vec2; 2], from: Vec2, ends: [Vec2; 2]) -> f64 {
    let [end, far] = if bounds[0] >= bounds[1] { [0, 1] } else { [1, 0] };
    bounds[end] + window[far].distance(from) - window[far].distance(ends[end])
}

//! The turns of a disc: arcs around corners, walked cell by cell, and the beams that leave them.
//!
//! An arc is a node for one cell at a time. It sends out all rays that leave the circle within the cell, then goes on
//! into the next cell. Of the paths that arrive at one free arc, only those are followed that no other path overtakes
//! by rolling along it. A step costs O(n) for a cell of n sides, and O(n²) for the rays that it sends out.

use super::beam_gap::Gap;
use super::disc::{Tangents, View};
use super::engine::Engine;
use super::scratch::{Kind, Node, Root};
use super::tangent::{Ray, angle_at_least};
use crate::tolerances::angles::{ARC_SLACK, SAME_ANGLE};
use crate::tolerances::radii::{GRAZED, ON_CIRCLE};
use clearway_geometry::{NONE, Vec2};
use std::f64::consts::FRAC_PI_2;

/// The most sides that an arc may cross in a row without getting on. Crossing a vertex with many cells takes a few such
/// steps; more mean that rounding sends the arc in circles.
const MAX_IDLE_STEPS: u32 = 64;

impl Engine<'_> {
    /// Looks around from the start, which lies in `cell`.
    pub(super) fn start_disc(&mut self, number: u32, cell: u32) {
        let root = self.space.roots[number as usize];
        let view = View::new(number, root, cell, [Vec2::new(1.0, 0.0); 2]);
        self.emit(&view, true);
    }

    /// Turns around the corner of the root, as far as the arc runs through one cell.
    ///
    /// It sends out the rays that leave the circle within the cell. If the arc goes on, the next cell becomes a node.
    pub(super) fn expand_arc_disc(&mut self, node: &Node) {
        let root = self.space.roots[node.root as usize];
        if self.is_beaten(&root, node.turned) {
            return;
        }
        let [from, to] = self.arc_range(&root);
        let end = if root.turn > 0.0 { to - root.angle } else { root.angle - from };
        let (exit, side) = self.leave_by_arc(node, &root, end);
        let normal = turned_normal(&root, exit);
        self.emit_turning(node, &root, exit);
        if side == NONE || exit >= end || self.layout.beyond[side as usize] == NONE {
            return;
        }
        // An arc of a disc does not use `left_at` for a vertex, so that it counts idle steps there.
        let idle = if exit > node.turned + SAME_ANGLE { 0 } else { node.left_at + 1 };
        if idle < MAX_IDLE_STEPS && self.allows(side as usize) {
            self.push_arc_disc(Node {
                cell: self.layout.beyond[side as usize],
                side: self.layout.twin[side as usize],
                right: normal,
                turned: exit,
                left_at: idle,
                ..*node
            });
        }
    }

    /// Sends out rays along an arc, in parts of at most a right angle. The rays of a wider part may leave through a
    /// side both before and after a vertex close to the corner.
    fn emit_turning(&mut self, node: &Node, root: &Root, exit: f64) {
        let parts = ((exit - node.turned) / FRAC_PI_2 - SAME_ANGLE).ceil().max(1.0);
        let mut normal = node.right;
        for part in 1..=parts as u32 {
            let turned = node.turned + (exit - node.turned) * f64::from(part) / parts;
            let next = turned_normal(root, turned);
            let [first, last] = [normal, next].map(|normal| normal.perp() * root.turn);
            let range = if root.turn > 0.0 { [first, last] } else { [last, first] };
            self.emit(&View::new(node.root, *root, node.cell, range), false);
            normal = next;
        }
    }

    /// Returns the free arc that the root is on, as angles from the start of the cone.
    fn arc_range(&mut self, root: &Root) -> [f64; 2] {
        let number = self.layout.corner_of[root.vertex as usize];
        let arcs = self.space.memory.free_arcs(self.layout, number);
        arcs.get(root.arc as usize).copied().unwrap_or([root.angle; 2])
    }

    /// Returns the angle by which the body has turned when the arc leaves the cell, and the side by which it leaves. If
    /// the arc ends before, the side is [`NONE`].
    ///
    /// The circle is intersected with the line of each side. A crossing counts if it lies on the side, up to rounding,
    /// and the first one ahead wins.
    fn leave_by_arc(&self, node: &Node, root: &Root, end: f64) -> (f64, u32) {
        let (layout, radius) = (self.layout, self.radius);
        // On a small circle the rounding of places is a larger angle.
        let same_angle = SAME_ANGLE.max(self.slack / radius);
        let mut best = (end, NONE);
        for side in layout.sides(node.cell) {
            let [start, finish] = layout.ends(node.cell, side);
            let along = finish - start;
            let inward = along.cross(root.at - start);
            let squared = along.length_squared();
            let limit = radius * radius * squared;
            if inward * inward >= limit * (1.0 - GRAZED) {
                continue;
            }
            let length = squared.sqrt();
            let along = along * (1.0 / length);
            let height = inward / length;
            let half = (radius * radius - height * height).max(0.0).sqrt();
            // The circle crosses the line of the side twice; in the sense of the turn it leaves at the second crossing.
            let offset = along.perp() * -height - along * (root.turn * half);
            let place = (root.at + offset - start).dot(along);
            let slack = ON_CIRCLE * radius;
            if place < -slack || place > length + slack {
                continue;
            }
            let ahead = node.right.angle_to(offset) * root.turn;
            let ahead = if ahead < -same_angle { ahead + std::f64::consts::TAU } else { ahead };
            let turned = node.turned + ahead.max(0.0);
            // At once after it entered, the arc is still on that side.
            let came_from = side as u32 == node.side && ahead <= same_angle;
            if turned < best.0 && !came_from {
                best = (turned, side as u32);
            }
        }
        best
    }

    /// Sends rays out of the cell in which they leave their root, and lets them touch corners and goals there.
    ///
    /// At the start, rays leave in all directions (`all_around`). On an arc, they leave in the directions of the view.
    fn emit(&mut self, view: &View, all_around: bool) {
        let sides = self.layout.sides(view.cell);
        self.space.memory.look_behind(self.layout, view.cell);
        self.find_tangents(view, sides.end - 1, all_around);
        let mut last = sides.end - 1;
        for side in sides.clone() {
            self.emit_through(view, last, [last - sides.start, side - sides.start], all_around);
            last = side;
        }
        for place in 0..sides.len() {
            let Tangents { vertex, is_corner, left, right, left_key, right_key, .. } = self.space.rays[place];
            if is_corner && (all_around || view.holds_key(left_key)) {
                self.touch_in_cell(view, vertex, 1.0, left);
            }
            if is_corner && (all_around || view.holds_key(right_key)) {
                self.touch_in_cell(view, vertex, -1.0, right);
            }
        }
        self.touch_near(&if all_around { view.all_around() } else { *view });
        self.see_goals_disc(view, all_around);
    }

    /// Sends rays out through one side. The side lies between the vertices with the indices `places`.
    ///
    /// Its two ends bound the rays first. Then each other vertex of the cell clips what is left.
    fn emit_through(&mut self, view: &View, side: usize, places: [usize; 2], all_around: bool) {
        let [start, end] = places.map(|place| self.space.rays[place].beside);
        if places.iter().any(|place| self.space.rays[*place].is_start) {
            return;
        }
        if self.layout.beyond[side] == NONE || start > 0 || end < 0 || !self.allows(side) {
            return;
        }
        let mut gap = self.gap(view, side, all_around);
        for (place, turn) in places.into_iter().zip([-1.0, 1.0]) {
            let rays = &self.space.rays[place];
            // The start lies in the cell. So rays through the side have its ends to the right and to the left.
            if all_around {
                self.keep_aside(view, rays, turn, &mut gap);
            } else {
                self.keep_beside(view, rays, turn, &mut gap);
            }
        }
        for (place, rays) in self.space.rays.iter().enumerate() {
            if gap.is_shut() {
                return;
            }
            if !places.contains(&place) {
                self.keep_off(view, rays, &mut gap);
            }
        }
        if !gap.is_shut() {
            self.leave(view, side, [gap.right, gap.left], gap.ends);
        }
    }

    /// Returns all directions that may leave through a side, before any vertex narrows them.
    fn gap(&self, view: &View, side: usize, all_around: bool) -> Gap {
        let [start, end] = self.layout.ends(view.cell, side);
        let outward = -(end - start).unit().perp();
        let (reference, right, left) =
            if all_around { (outward, outward, outward) } else { (view.reference, view.right, view.left) };
        let [low, high] =
            if all_around { [f64::NEG_INFINITY, f64::INFINITY] } else { [view.right_key, view.left_key] };
        Gap { reference, right, left, low, high, ends: [NONE; 2], reaches: [f64::INFINITY; 2] }
    }

    /// Lets the body touch a corner and turn around it, unless another path arrives there better.
    ///
    /// The place of touch must lie on a free arc of the corner. The new root holds the length up to it, and an arc from
    /// there becomes a node.
    pub(super) fn touch(&mut self, view: &View, vertex: u32, turn: f64, ray: Ray) {
        let normal = ray.direction.perp() * -turn;
        let Some((angle, arc)) = self.place_on_arcs(vertex, normal) else { return };
        let length = view.root.length + self.radius * view.root.turned(ray.direction) + ray.reach;
        let at = self.position(vertex);
        let (parent, arrival) = (view.number, ray.direction);
        let root = Root { at, turn, vertex, parent, length, arrival, angle, arc, cell: NONE };
        // Cheap tests come first: finding the cell and checking the leg take floods.
        if self.is_covered(&root) {
            return;
        }
        let Some(cell) = self.cell_of_touch(view, &ray, at + normal * self.radius) else { return };
        let root = Root { cell, ..root };
        if !self.passes_check(view, &ray, cell) {
            return;
        }
        let number = self.space.roots.len() as u32;
        self.space.roots.push(root);
        self.space.arrivals.note(&root);
        self.push_arc_disc(Node {
            root: number,
            cell,
            side: NONE,
            kind: Kind::Arc,
            right: normal,
            left: normal,
            right_at: NONE,
            left_at: 0,
            turned: 0.0,
        });
    }

    /// Returns the angle of a normal on the free arcs of a corner, and the index of the arc; `None` if it is on none.
    fn place_on_arcs(&mut self, vertex: u32, normal: Vec2) -> Option<(f64, u32)> {
        let number = self.layout.corner_of[vertex as usize];
        let corner = self.layout.corners.get(number as usize)?;
        let angle = corner.first.angle_to(normal);
        let angle = if angle < -ARC_SLACK { angle + std::f64::consts::TAU } else { angle };
        let arcs = self.space.memory.free_arcs(self.layout, number);
        let arc = arcs.iter().position(|[from, to]| angle >= from - ARC_SLACK && angle <= to + ARC_SLACK)?;
        Some((angle.clamp(arcs[arc][0], arcs[arc][1]), arc as u32))
    }

    /// Returns the cell in which a ray touches a corner.
    fn cell_of_touch(&mut self, view: &View, ray: &Ray, place: Vec2) -> Option<u32> {
        if self.is_inside(view.cell, place) {
            return Some(view.cell);
        }
        let origin = view.root.origin(ray.direction, self.radius);
        let [enter, _] = self.through(view.cell, origin, ray.direction);
        self.space.memory.cell_along(self.layout, view.cell, [origin + ray.direction * enter, place])
    }

    /// True if another path gets around the corner to every place of this one at least as early.
    ///
    /// The other path rolls along the free arc to this place of touch. If it is earlier there, it beats this one
    /// everywhere. If it is as early, it must turn the same way.
    fn is_covered(&self, root: &Root) -> bool {
        self.space.arrivals.at(root.vertex).filter(|other| other.arc == root.arc).any(|other| {
            let ahead = (root.angle - other.angle) * root.turn;
            let length = other.length + self.radius * ahead.abs();
            let same = other.turn == root.turn && ahead >= -SAME_ANGLE;
            length < root.length - self.slack || (same && length <= root.length + self.slack)
        })
    }

    /// True if another path reaches the present place of touch earlier, rolling along the free arc either way.
    fn is_beaten(&self, root: &Root, turned: f64) -> bool {
        let angle = root.angle + root.turn * turned;
        let length = root.length + self.radius * turned - self.slack;
        let others = self.space.arrivals.at(root.vertex).filter(|other| other.arc == root.arc);
        others.into_iter().any(|other| other.length + self.radius * (other.angle - angle).abs() < length)
    }

    /// True if another path beats this one at the place where a beam with this first direction leaves the corner.
    pub(super) fn is_beaten_in(&self, root: &Root, direction: Vec2) -> bool {
        // Without another arrival nothing can beat it, and the angle need not be computed.
        let alone = self.space.arrivals.at(root.vertex).nth(1).is_none();
        !alone && self.is_beaten(root, root.turned(direction))
    }

    /// Adds an arc as a node.
    ///
    /// The estimate rolls along the circle to the tangent to the goal if that lies ahead; otherwise it goes straight.
    /// Landmarks may raise it.
    fn push_arc_disc(&mut self, node: Node) {
        let root = self.space.roots[node.root as usize];
        let direction = node.right.perp() * root.turn;
        let place = root.at + node.right * self.radius;
        let rest = self.space.goals.iter().map(|goal| {
            let ray = root.ray(goal.at, 0.0, self.radius);
            let ahead = ray.exists && direction.cross(ray.direction) * root.turn > 0.0;
            if ahead {
                self.radius * angle_at_least(direction, ray.direction) + ray.reach
            } else {
                place.distance(goal.at)
            }
        });
        let rest = rest.fold(f64::INFINITY, f64::min);
        // The centre is one radius away from the vertex to which the bound belongs.
        let rest = rest.max(self.rest_from_vertex(root.vertex) - self.radius);
        self.push(root.length + self.radius * node.turned, rest, node);
    }
}

impl View {
    /// The same view without limits.
    fn all_around(&self) -> View {
        View { right_key: f64::NEG_INFINITY, left_key: f64::INFINITY, ..*self }
    }
}

/// Returns the normal at the place of touch after the body has turned by an angle.
fn turned_normal(root: &Root, turned: f64) -> Vec2 {
    let normal = root.arrival.perp() * -root.turn;
    let (sin, cos) = (turned * root.turn).sin_cos();
    normal * cos + normal.perp() * sin
}

//! The ends of rays of a disc within a cell: corners that the body may turn around, and goals.
//!
//! A ray may end at a corner if nothing blocks it before. Beams lead to most corners; this file also finds the corners
//! that no beam leads to, because a vertex clips the beam after the place of touch. In layers, a corner counts only if
//! the ray stays in one layer on its way. Each test costs O(n) for a cell of n sides; tests against walls cost a flood
//! within the radius.

use super::disc::View;
use super::engine::{Engine, Found};
use super::reconstruct::too_close;
use super::scratch::{Goal, Node};
use super::tangent::Ray;
use crate::mesh::CellGraph;
use crate::tolerances::angles::PARALLEL;
use crate::tolerances::lengths::RAY_TO_WALL;
use clearway_geometry::{NONE, Vec2};

impl Engine<'_> {
    /// Lets the body touch corners of the cell, and those that bound the beam and are touched here.
    pub(super) fn touch_corners(&mut self, view: &View, node: &Node) {
        // The first and last vertex are the ends of the side by which the beam enters. The cell before has them as
        // well.
        for place in 1..self.space.rays.len() - 1 {
            let ray = self.space.rays[place];
            if !ray.is_corner {
                continue;
            }
            if view.holds_key(ray.left_key) {
                self.touch_in_cell(view, ray.vertex, 1.0, ray.left);
            }
            if view.holds_key(ray.right_key) {
                self.touch_in_cell(view, ray.vertex, -1.0, ray.right);
            }
        }
        for (vertex, turn, direction) in [(node.left_at, 1.0, node.left), (node.right_at, -1.0, node.right)] {
            if vertex != NONE {
                let reach = self.reach_of(&view.root, vertex, turn, direction);
                self.touch_in_cell(view, vertex, turn, Ray { direction, reach, exists: true });
            }
        }
    }

    /// Lets the body touch a corner if the ray does so before it leaves the cell, and before anything else blocks it.
    /// Corners beyond the cell are left to the beams that get there. There may be no such beam: a vertex of the cell
    /// may clip them all, although the ray meets it only after the corner. Then the body touches the corner from here.
    pub(super) fn touch_in_cell(&mut self, view: &View, vertex: u32, turn: f64, ray: Ray) {
        let number = self.layout.corner_of[vertex as usize];
        if number == NONE || !ray.exists {
            return;
        }
        if !self.layout.corners[number as usize].holds(ray.direction.perp() * -turn) {
            return;
        }
        let touches = if self.touches_before_exit(view, &ray) {
            self.is_not_before(view, &ray) && self.is_open(view, &ray, vertex)
        } else {
            self.is_clipped_after(view, &ray)
                && self.leads_clear(view, &ray, |layout, cell| has_vertex(layout, cell, vertex))
        };
        if touches {
            self.touch(view, vertex, turn, ray);
        }
    }

    /// True if the end of a ray lies in the cell or before it: not beyond a side by which the ray leaves.
    pub(super) fn touches_before_exit(&self, view: &View, ray: &Ray) -> bool {
        let end = view.root.origin(ray.direction, self.radius) + ray.direction * ray.reach;
        self.layout.sides(view.cell).all(|side| {
            let [start, finish] = self.layout.ends(view.cell, side);
            let along = finish - start;
            let beyond = (end - start).cross(along);
            let across = ray.direction.cross(along);
            // Beyond means by more than the slack, measured along the ray.
            across <= 0.0 || beyond <= self.slack * across
        })
    }

    /// True if a place lies in the cell, up to rounding.
    pub(super) fn is_inside(&self, cell: u32, place: Vec2) -> bool {
        self.layout.sides(cell).all(|side| {
            let [start, end] = self.layout.ends(cell, side);
            let along = end - start;
            along.cross(place - start) >= -self.slack * (along.x.abs() + along.y.abs())
        })
    }

    /// Returns the lengths at which a ray enters and leaves the cell. It enters at zero if it starts inside.
    pub(super) fn through(&self, cell: u32, origin: Vec2, direction: Vec2) -> [f64; 2] {
        let (mut enter, mut exit) = (0.0f64, f64::INFINITY);
        for side in self.layout.sides(cell) {
            let [start, end] = self.layout.ends(cell, side);
            let along = end - start;
            let across = direction.cross(along);
            let tiny = PARALLEL * (along.x.abs() + along.y.abs());
            if across > tiny {
                exit = exit.min((start - origin).cross(along) / across);
            } else if across < -tiny {
                enter = enter.max((start - origin).cross(along) / across);
            }
        }
        [enter, exit]
    }

    /// True if the ray reaches its end without coming too close to a vertex of the cell other than `except`.
    pub(super) fn is_open(&self, view: &View, ray: &Ray, except: u32) -> bool {
        let origin = view.root.origin(ray.direction, self.radius);
        let blocks = |vertex: u32, at: Vec2| {
            vertex != except && vertex != view.root.vertex && self.layout.solid[vertex as usize] && {
                let [near, _] = self.closest(origin, ray.direction, at);
                near < ray.reach - self.slack
            }
        };
        !self.in_the_way(view).any(|(vertex, at)| blocks(vertex, at))
    }

    /// The vertices that may block rays in a cell: its own, and its blockers.
    fn in_the_way(&self, view: &View) -> impl Iterator<Item = (u32, Vec2)> {
        let own =
            self.layout.sides(view.cell).map(|side| (self.layout.vertex[side], self.layout.start[side]));
        let blockers = &self.space.memory.blockers;
        let first = blockers.partition_point(|blocker| blocker.0 < view.cell);
        let extra = blockers[first..].iter().take_while(move |blocker| blocker.0 == view.cell);
        own.chain(extra.map(|blocker| (blocker.1, self.position(blocker.1))))
    }

    /// Returns the range of lengths along a ray within which it is too close to a point; infinite if it is nowhere too
    /// close ahead.
    pub(super) fn closest(&self, origin: Vec2, direction: Vec2, at: Vec2) -> [f64; 2] {
        let to = at - origin;
        let aside = direction.cross(to).abs();
        let ahead = direction.dot(to);
        // A ray that only touches the circle does not come too close.
        if aside >= self.radius - self.slack || ahead <= 0.0 {
            return [f64::INFINITY; 2];
        }
        let half = (self.radius * self.radius - aside * aside).sqrt();
        [ahead - half, ahead + half]
    }

    /// Lets the body touch corners that are not of this cell.
    ///
    /// A ray reaches their place of touch in the cell, or before a vertex of the cell clips it, so that no beam leads
    /// there. A large body may touch a corner that no cell on its way has.
    pub(super) fn touch_near(&mut self, view: &View) {
        let list = self.space.memory.corners_near(self.layout, view.cell);
        for place in list {
            let vertex = self.space.memory.corner_near(place);
            if vertex == view.root.vertex {
                continue;
            }
            let at = self.position(vertex);
            let corner = self.layout.corners[self.layout.corner_of[vertex as usize] as usize];
            for turn in [1.0, -1.0] {
                let ray = view.root.ray(at, turn * self.radius, self.radius);
                let fits = ray.exists
                    && view.holds(ray.direction)
                    && corner.holds(ray.direction.perp() * -turn)
                    && self.is_not_before(view, &ray);
                let reaches = fits
                    && (self.is_clipped_after(view, &ray)
                        || (self.touches_before_exit(view, &ray) && self.is_open(view, &ray, vertex)));
                if reaches && self.leads_clear(view, &ray, |layout, cell| has_vertex(layout, cell, vertex)) {
                    self.touch(view, vertex, turn, ray);
                }
            }
        }
    }

    /// True if a vertex of the cell blocks the ray beyond its end, and none before.
    fn is_clipped_after(&self, view: &View, ray: &Ray) -> bool {
        let origin = view.root.origin(ray.direction, self.radius);
        let mut clipped = false;
        for (vertex, at) in self.in_the_way(view) {
            if vertex == view.root.vertex || !self.layout.solid[vertex as usize] {
                continue;
            }
            let [near, _] = self.closest(origin, ray.direction, at);
            if near < ray.reach - self.slack {
                return false;
            }
            clipped |= near.is_finite();
        }
        clipped
    }

    /// True if a ray ends no further before the cell than the body reaches. Where cells lie over each other, it may
    /// have passed below or above a corner of the cell long before.
    fn is_not_before(&self, view: &View, ray: &Ray) -> bool {
        !self.layout.is_layered || {
            let origin = view.root.origin(ray.direction, self.radius);
            ray.reach > self.through(view.cell, origin, ray.direction)[0] - self.radius
        }
    }

    /// True if the ray, from where it enters the cell, is clear of all walls, and leads to a cell for which `is_there`
    /// is true.
    ///
    /// On a plan a clear ray always does. Where cells lie over each other, the end may be above or below. But around a
    /// clear ray, the ground within the radius lies in one layer: it holds no wall, and its share of each cell is
    /// convex. So every cell reached through portals within the radius is in that layer.
    fn leads_clear(&mut self, view: &View, ray: &Ray, is_there: impl Fn(&CellGraph, u32) -> bool) -> bool {
        let origin = view.root.origin(ray.direction, self.radius);
        let [enter, _] = self.through(view.cell, origin, ray.direction);
        let ends = [enter.min(ray.reach), ray.reach].map(|reach| origin + ray.direction * reach);
        if !self.is_clear(view.cell, ends) {
            return false;
        }
        let mut is_in_layer = !self.layout.is_layered;
        if !is_in_layer {
            let (layout, reach) = (self.layout, self.radius - self.clear_slack());
            let flood = &mut self.space.memory.flood;
            flood.cells(layout, &[view.cell], (ends[0], ends[1]), reach, |cell| {
                is_in_layer |= is_there(layout, cell);
            });
        }
        is_in_layer
    }

    /// True if legs are not checked, or if a ray is clear of all walls from its root to its end, which lies in `cell`.
    pub(super) fn passes_check(&mut self, view: &View, ray: &Ray, cell: u32) -> bool {
        let origin = view.root.origin(ray.direction, self.radius);
        let ends = [origin, origin + ray.direction * ray.reach];
        !self.state.checks_legs
            || !too_close(self.layout, &mut self.space.memory.flood, cell, ends, self.radius)
    }

    /// True if a segment that touches the cell keeps the radius from all walls.
    pub(super) fn is_clear(&mut self, cell: u32, [from, to]: [Vec2; 2]) -> bool {
        let least = self.radius - self.clear_slack();
        let flood = &mut self.space.memory.flood;
        flood.keeps_off(self.layout, &[cell], (from, to), [least, self.radius])
    }

    /// Returns the length by which walls may be closer than the radius because of rounding.
    pub(super) fn clear_slack(&self) -> f64 {
        RAY_TO_WALL * self.layout.extent
    }

    /// Notes the goals near the cell that the root sees within its range.
    ///
    /// The ray to a goal must be open in this cell, clear of walls beyond it, and lead to the cell of the goal.
    pub(super) fn see_goals_disc(&mut self, view: &View, all_around: bool) {
        let Some(places) = self.goals_near(view.cell) else { return };
        for place in places {
            let goal = self.space.goal_pairs[place].1;
            let Goal { at, cell } = self.space.goals[goal as usize];
            let ray = view.root.ray(at, 0.0, self.radius);
            let seen = ray.exists && (all_around || view.holds(ray.direction));
            if seen
                && self.is_open(view, &ray, NONE)
                && self.leads_clear(view, &ray, |_, other| other == cell)
                && self.passes_check(view, &ray, cell)
            {
                let turned = view.root.turned(ray.direction);
                let length = view.root.length + self.radius * turned + ray.reach;
                self.found(Found { length, root: view.number, direction: ray.direction, goal });
            }
        }
    }
}

/// True if a vertex is one of the cell's own.
fn has_vertex(layout: &CellGraph, cell: u32, vertex: u32) -> bool {
    layout.sides(cell).any(|side| layout.vertex[side] == vertex)
}

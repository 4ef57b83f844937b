//! What rays of a disc reach in a cell: corners that the body may turn around, and goals.

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

    /// Lets the body touch a corner if the ray does so before it leaves the cell, and before anything else. Beyond the
    /// cell it is left to the beams that get there, unless none does: a vertex of the cell may clip them all, although
    /// the ray meets it only after the corner.
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

    /// Whether the end of a ray lies in the cell or before it: not beyond a side that the ray leaves by.
    pub(super) fn touches_before_exit(&self, view: &View, ray: &Ray) -> bool {
        let end = view.root.origin(ray.direction, self.radius) + ray.direction * ray.reach;
        self.layout.sides(view.cell).all(|side| {
            let [start, finish] = self.layout.ends(view.cell, side);
            let along = finish - start;
            let beyond = (end - start).cross(along);
            let across = ray.direction.cross(along);
            // Beyond by more than the slack, measured along the ray.
            across <= 0.0 || beyond <= self.slack * across
        })
    }

    /// Whether a place lies in the cell, up to rounding.
    pub(super) fn is_inside(&self, cell: u32, place: Vec2) -> bool {
        self.layout.sides(cell).all(|side| {
            let [start, end] = self.layout.ends(cell, side);
            let along = end - start;
            along.cross(place - start) >= -self.slack * (along.x.abs() + along.y.abs())
        })
    }

    /// Where a ray enters and leaves the cell; it enters at zero where it starts inside.
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

    /// Whether the ray reaches its end without coming too close to a vertex of the cell other than `except`.
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

    /// The vertices that may block rays in a cell: its own, and those that a checked path came too close to.
    fn in_the_way(&self, view: &View) -> impl Iterator<Item = (u32, Vec2)> {
        let own =
            self.layout.sides(view.cell).map(|side| (self.layout.vertex[side], self.layout.start[side]));
        let blockers = &self.space.memory.blockers;
        let first = blockers.partition_point(|blocker| blocker.0 < view.cell);
        let extra = blockers[first..].iter().take_while(move |blocker| blocker.0 == view.cell);
        own.chain(extra.map(|blocker| (blocker.1, self.position(blocker.1))))
    }

    /// From where to where along a ray a point is too close; infinite if nowhere ahead.
    pub(super) fn closest(&self, origin: Vec2, direction: Vec2, at: Vec2) -> [f64; 2] {
        let to = at - origin;
        let aside = direction.cross(to).abs();
        let ahead = direction.dot(to);
        if aside >= self.radius - self.slack || ahead <= 0.0 {
            return [f64::INFINITY; 2];
        }
        let half = (self.radius * self.radius - aside * aside).sqrt();
        [ahead - half, ahead + half]
    }

    /// Corners that are not of this cell, but whose place of touch a ray reaches in it, or before a vertex of the cell
    /// clips it: no beam leads there. A large body may touch a corner that no cell on its way has.
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

    /// Whether a vertex of the cell blocks the ray beyond its end, and none before.
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

    /// Whether a ray ends no further before the cell than the body reaches. Where cells lie over each other, it may have
    /// passed below or above a corner of the cell long before.
    fn is_not_before(&self, view: &View, ray: &Ray) -> bool {
        !self.layout.is_layered || {
            let origin = view.root.origin(ray.direction, self.radius);
            ray.reach > self.through(view.cell, origin, ray.direction)[0] - self.radius
        }
    }

    /// Whether the part of the ray beyond the side it enters the cell by is clear of all walls, and leads to a cell that
    /// `is_there` knows as one at its end.
    ///
    /// On a plan it always does. Where cells lie over each other, what lies at the end may be above or below. But where the
    /// ray is clear, the ground within the radius of it lies in one layer: it holds no wall, and what a cell shares with it
    /// is convex. So every cell that one gets to through portals within the radius is in that layer.
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

    /// Where every leg is checked, whether a ray is clear of all walls from its root to its end, which lies in `cell`.
    pub(super) fn passes_check(&mut self, view: &View, ray: &Ray, cell: u32) -> bool {
        let origin = view.root.origin(ray.direction, self.radius);
        let ends = [origin, origin + ray.direction * ray.reach];
        !self.state.checks_legs
            || !too_close(self.layout, &mut self.space.memory.flood, cell, ends, self.radius)
    }

    /// Whether a segment that touches the cell keeps the radius from all walls.
    pub(super) fn is_clear(&mut self, cell: u32, [from, to]: [Vec2; 2]) -> bool {
        let least = self.radius - self.clear_slack();
        let mut clear = true;
        self.space.memory.flood.walls(self.layout, &[cell], (from, to), self.radius, |_, _, distance| {
            clear &= distance >= least;
            if clear { self.radius } else { -1.0 }
        });
        clear
    }

    /// By how much walls may be closer than the radius because of rounding.
    pub(super) fn clear_slack(&self) -> f64 {
        RAY_TO_WALL * self.layout.extent
    }

    /// Notes goals near the cell that the root sees within its range.
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

fn has_vertex(layout: &CellGraph, cell: u32, vertex: u32) -> bool {
    layout.sides(cell).any(|side| layout.vertex[side] == vertex)
}

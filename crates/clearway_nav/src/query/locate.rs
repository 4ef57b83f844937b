//! Finds the cell that holds a point, and the point of the mesh nearest to a point.
//!
//! A cell holds a point if [`side_of`] says so for all of its sides. The test is exact and cells are closed: no point
//! of the mesh falls between two cells. Cost: a look-up in the index of cells, about logarithmic.

use super::flood::Flood;
use super::side::{fine, side_of};
use super::{Location, OffMesh, Position, in_world};
use crate::mesh::{CellId, NavMesh};
use crate::tolerances::floats::{FINE_STEPS, PLAN_COORDINATES};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// The number of cells that a search with a hint walks through before it asks the index. A small number keeps a bad
/// hint cheap.
const HINT_STEPS: usize = 6;

impl NavMesh {
    /// Returns the location of a point. Of the cells that hold it in projection, plan coordinates choose the one with
    /// the lowest id. If no cell holds it, the error names the nearest point of the mesh. Sides belong to the cells on
    /// both of their sides.
    ///
    /// A point in space belongs to the floor on which a body there stands. This floor lies at most the height of a body
    /// below it or a step above it. Where there is no such floor, the point is off the mesh, whatever lies farther
    /// above or below. The nearest point is then measured in space.
    ///
    /// ```
    /// # use clearway::{MeshOptions, NavMesh, Plan};
    /// let plan = Plan::from_rings([vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]]);
    /// let mesh = MeshOptions::default().build(&plan)?;
    /// assert!(mesh.locate([1.0, 1.0]).is_ok());
    /// assert_eq!(mesh.locate([1.0, 0.0, -1.0]), mesh.locate([1.0, 1.0]));
    /// let off = mesh.locate([1.0, -2.0]).unwrap_err();
    /// assert_eq!((off.nearest.unwrap().position(), off.distance), ([1.0, 0.0], 2.0));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn locate(&self, position: impl Position) -> Result<Location, OffMesh> {
        match self.cell_under(position) {
            Some(cell) => Ok(Location { cell: CellId(cell), position: position.plan() }),
            None => Err(self.off_mesh(position)),
        }
    }

    /// As [`locate`](NavMesh::locate), but faster when the point is near `hint`, for instance the location of an agent
    /// a moment ago. Where plan coordinates leave a choice of floors, the floor of the hint is taken. Where several
    /// cells of a floor hold the point, it need not be the lowest. A stale hint does no harm.
    pub fn locate_near(&self, position: impl Position, hint: &Location) -> Result<Location, OffMesh> {
        let plan = position.plan();
        let found = fine(self.parts.grid.units(plan)).and_then(|spot| self.walk_towards(spot, hint.cell.0));
        let is_meant =
            |cell: &u32| position.height().is_none_or(|height| self.is_floor_of(*cell, plan, height));
        if let Some(cell) = found.filter(is_meant) {
            return Ok(Location { cell: CellId(cell), position: plan });
        }
        if position.height().is_none() && self.has_heights() && self.is_here(hint) {
            let height = self.height(*hint);
            let found = self.locate_at(plan, height);
            return found.ok_or_else(|| self.off_mesh(in_world(plan, height)));
        }
        self.locate(position)
    }

    /// Returns the point of the mesh nearest to `position`, if one is within `max_distance` metres. Plan coordinates
    /// are measured in the plane, points in space in space. A point on the mesh is its own nearest point.
    pub fn nearest(&self, position: impl Position, max_distance: f64) -> Option<Location> {
        let (found, distance) = match position.height() {
            Some(height) => self.nearest_in_space(position.plan(), height, |_| true)?,
            None => {
                let found = self.locate(position).or_else(|off| off.nearest.ok_or(off)).ok()?;
                (found, distance(position.plan(), found.position))
            }
        };
        (distance <= max_distance).then_some(found)
    }

    /// Returns the cell on which a body at this point stands.
    fn cell_under(&self, position: impl Position) -> Option<u32> {
        match position.height() {
            Some(height) => self.cell_at_height(position.plan(), height),
            None => fine(self.parts.grid.units(position.plan())).and_then(|spot| self.cell_holding(spot)),
        }
    }

    /// Returns the answer for a point that no cell holds: the nearest point and its distance.
    fn off_mesh(&self, position: impl Position) -> OffMesh {
        let plan = position.plan();
        let nearest = match position.height() {
            Some(height) => self.nearest_in_space(plan, height, |_| true),
            None => {
                self.nearest_to(self.parts.grid.units(plan)).map(|near| (near, distance(plan, near.position)))
            }
        };
        let distance = nearest.map_or(f64::INFINITY, |(_, distance)| distance);
        let nearest = nearest.map(|(nearest, _)| nearest);
        let point = nearest.filter(|_| self.has_heights()).map(|nearest| self.place(nearest));
        OffMesh { nearest, distance, point }
    }

    /// Returns the cell with the lowest id that holds a point of the fine grid.
    pub(crate) fn cell_holding(&self, spot: Vec2) -> Option<u32> {
        let found = self.index().touching(spot, spot, |cell| {
            if self.is_in_outline(cell, spot) { ControlFlow::Break(cell) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }

    /// True if a cell holds a point of the fine grid; exact.
    pub fn holds(&self, cell: u32, spot: Vec2) -> bool {
        // On a flat cell of a damaged mesh, the box separates its points from others on the same line.
        self.index().span(cell).distance_squared(spot) == 0.0 && self.is_in_outline(cell, spot)
    }

    /// True if a point of the fine grid lies on the left of all sides of a cell, or on them.
    #[inline]
    fn is_in_outline(&self, cell: u32, spot: Vec2) -> bool {
        let layout = self.graph();
        let corners = &layout.start[layout.sides(cell)];
        let following = corners.iter().skip(1).chain(corners.first());
        corners.iter().zip(following).all(|(from, to)| side_of(*from, *to, spot) != Ordering::Less)
    }

    /// Walks from a cell towards a point, always through the first portal beyond which the point lies. Returns `None`
    /// after [`HINT_STEPS`] cells or at a wall.
    fn walk_towards(&self, spot: Vec2, mut cell: u32) -> Option<u32> {
        let layout = self.graph();
        if cell as usize >= layout.cell_slots() {
            return None;
        }
        for _ in 0..HINT_STEPS {
            let outside = |side: &usize| {
                let [from, to] = layout.ends(cell, *side);
                side_of(from, to, spot) == Ordering::Less
            };
            let mut crossed = layout.sides(cell).filter(outside).peekable();
            if crossed.peek().is_none() {
                return self.holds(cell, spot).then_some(cell);
            }
            cell = crossed.map(|side| layout.beyond[side]).find(|beyond| *beyond != NONE)?;
        }
        None
    }

    /// Returns the point of the mesh nearest to a point that no cell holds; of equally near points, the one in the
    /// lowest cell.
    fn nearest_to(&self, spot: Vec2) -> Option<Location> {
        self.nearest_of(within_reach(spot)?, |_| true)
    }

    /// Returns the point nearest to `spot`, in grid units, on the borders of the cells accepted by `counts`. Of equally
    /// near points, the one in the lowest cell wins.
    pub(crate) fn nearest_of(&self, spot: Vec2, counts: impl Fn(u32) -> bool) -> Option<Location> {
        let layout = self.graph();
        let mut best = (f64::INFINITY, NONE, None);
        self.index().nearest(spot, f64::INFINITY, |cell, within| {
            if !counts(cell) {
                return within;
            }
            for side in layout.sides(cell) {
                let [from, to] = layout.ends(cell, side);
                let foot = spot.nearest_on(from, to);
                let squared = (foot - spot).length_squared();
                if (squared, cell) >= (best.0, best.1) {
                    continue;
                }
                if let Some(location) = self.settle(cell, foot) {
                    best = (squared, cell, Some(location));
                }
            }
            best.0.min(within)
        });
        best.2
    }

    /// Returns a location for a point that lies in a cell up to rounding. It is the nearest point that the cell really
    /// holds once it is written in plan coordinates. `None` only on damaged meshes.
    pub(crate) fn settle(&self, cell: u32, spot: Vec2) -> Option<Location> {
        let held = |spot: Vec2| {
            let position = self.parts.grid.place(spot);
            let holds = fine(self.parts.grid.units(position)).is_some_and(|spot| self.holds(cell, spot));
            holds.then_some(Location { cell: CellId(cell), position })
        };
        if let Some(location) = held(spot) {
            return Some(location);
        }
        let layout = self.graph();
        let corners = &layout.start[layout.sides(cell)];
        let mut inner = spot;
        // Each push is twice as deep as the last, so a few reach past any rounding.
        for push in 0..6 {
            inner = self.pushed_inside(cell, inner, self.slack() * f64::from(1 << push));
            if let Some(location) = held(inner) {
                return Some(location);
            }
        }
        // A sliver may hold no point of the fine grid here; then its nearest corner serves.
        let near = |p: &&Vec2, q: &&Vec2| p.distance(spot).total_cmp(&q.distance(spot));
        corners.iter().min_by(near).and_then(|corner| held(*corner))
    }

    /// Moves a point inside the side of the cell that it violates most, to depth `margin`.
    fn pushed_inside(&self, cell: u32, spot: Vec2, margin: f64) -> Vec2 {
        let layout = self.graph();
        let depth = |side: usize| {
            let [from, to] = layout.ends(cell, side);
            let inward = (to - from).perp().unit();
            (inward.dot(spot - from), inward)
        };
        let worst = layout.sides(cell).map(depth).min_by(|p, q| p.0.total_cmp(&q.0));
        match worst {
            Some((depth, inward)) if depth < margin => spot + inward * (margin - depth),
            _ => spot,
        }
    }

    /// Returns the greatest rounding error of a point, in grid units: a step of the fine grid, and the digits that plan
    /// coordinates lose far from their origin.
    #[inline]
    pub fn slack(&self) -> f64 {
        let [x, y] = self.parts.grid.origin();
        let far = x.abs().max(y.abs()) / self.unit() + f64::from(LIMIT);
        (FINE_STEPS + PLAN_COORDINATES * far).min(f64::from(LIMIT))
    }

    /// True if a location belongs to this mesh: its cell exists and holds its position up to rounding.
    pub fn is_here(&self, location: &Location) -> bool {
        if location.cell.index() >= self.cell_slots() {
            return false;
        }
        let (cell, spot, slack) = (location.cell.0, self.parts.grid.units(location.position), self.slack());
        let near = self.index().span(cell).distance_squared(spot) <= slack * slack;
        let layout = self.graph();
        near && layout.sides(cell).all(|side| {
            let [from, to] = layout.ends(cell, side);
            (to - from).cross(spot - from) >= -slack * (to - from).length()
        })
    }

    /// Collects all cells that hold a point, up to rounding, and can be reached from `cell` through portals that touch
    /// it. `cell` comes first.
    pub fn cells_at(&self, spot: Vec2, cell: u32, out: &mut Vec<u32>) {
        out.clear();
        let (layout, slack) = (self.graph(), self.slack());
        let touches = |side: usize| {
            let [from, to] = layout.ends(cell, side);
            layout.beyond[side] != NONE && spot.distance_to_segment(from, to) <= slack
        };
        if layout.sides(cell).any(touches) {
            Flood::default().cells(layout, &[cell], (spot, spot), slack, |cell| out.push(cell));
        } else {
            out.push(cell);
        }
    }
}

/// Replaces a point that is so far away that rounding would drown the mesh by a nearer one in the same direction.
/// `None` for a point that is not finite.
pub(super) fn within_reach(spot: Vec2) -> Option<Vec2> {
    let (size, most) = (spot.x.abs().max(spot.y.abs()), 1e12);
    let finite = spot.x.is_finite() && spot.y.is_finite();
    finite.then(|| if size > most { spot * (most / size) } else { spot })
}

/// Returns the distance of two points of the plan.
fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

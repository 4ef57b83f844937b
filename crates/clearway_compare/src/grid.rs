//! A* on a raster of the mesh: the comparator that everybody knows.
//!
//! The plan is cut into square cells. A body stands on their centres and steps to 4 or 8 neighbours. A diagonal step
//! needs both cells beside it, so that no corner is cut (the rules of the MovingAI benchmarks). Whether a centre or a
//! step keeps the radius is measured exactly, on the mesh. So every path is legal, but it is only as short as the
//! raster allows, and ways between the centres are missed.
//!
//! Cost of a query: O(n log n) for n raster cells, against a handful of mesh cells for the other planners.

mod raster;
mod room;
mod route;
mod search;
#[cfg(test)]
mod tests;

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Vec2;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{NoPath, Path, PathQuery, Place};
use clearway_nav::query::Location;
use raster::Raster;
pub use raster::{MAX_RASTER_CELLS, USUAL_RASTER_CELLS};
use room::Room;
use search::{Anchor, Search, Task};
use std::sync::Arc;

/// Options of [`GridPlanner::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GridOptions {
    /// The side of a raster cell in metres. By default it is the least power of two for which the raster has at most
    /// [`USUAL_RASTER_CELLS`] cells.
    pub cell_size: Option<f64>,
    /// True for steps to all 8 neighbours, false for the 4 that share a side.
    pub diagonal: bool,
}

clearway_base::setters!(GridOptions {
    cell_size: Option<f64>,
    diagonal: bool,
});

impl Default for GridOptions {
    fn default() -> GridOptions {
        GridOptions { cell_size: None, diagonal: true }
    }
}

/// A raster of a mesh with buffers for searching it. Clones share the raster.
///
/// Raster cells lie at whole multiples of their side, so that on a grid map with a side of 1 they are the tiles.
///
/// ```
/// use clearway_compare::{GridOptions, GridPlanner};
/// use clearway::{MeshOptions, NavMesh, Plan, PlanFormat};
/// let plan = Plan::parse(PlanFormat::Map, "type octile\nheight 2\nwidth 3\nmap\n...\n..@\n")?;
/// let mesh = MeshOptions::default().build(&plan)?;
/// let planner = GridPlanner::new(&mesh, &GridOptions::default().cell_size(Some(1.0)))?;
/// assert_eq!(planner.cell_count(), 5);
/// # Ok::<(), clearway::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridPlanner<'m> {
    /// The mesh.
    mesh: &'m NavMesh,
    /// The raster.
    raster: Arc<Raster>,
    /// True for steps to all 8 neighbours.
    diagonal: bool,
    /// Measures distances to walls.
    room: Room<'m>,
    /// Scratch buffers of the search.
    search: Search,
}

impl<'m> GridPlanner<'m> {
    /// Makes the raster of the mesh of a plan. Fails for scenes, for a side that is not a positive length, and for more
    /// than [`MAX_RASTER_CELLS`] cells.
    pub fn new(mesh: &'m NavMesh, options: &GridOptions) -> Result<GridPlanner<'m>> {
        if let Some(size) = options.cell_size
            && !(size.is_finite() && size > 0.0)
        {
            let message = format!("cell_size is {size}; it must be a positive number of metres");
            return Err(Error::new(ErrorKind::Options, message));
        }
        if mesh.has_heights() {
            let message = "a raster knows one floor only; this is the mesh of a scene";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let raster = Raster::of(mesh, options.cell_size)?;
        let search = Search::new(raster.len());
        let room = Room::of(mesh);
        Ok(GridPlanner { mesh, raster: Arc::new(raster), diagonal: options.diagonal, room, search })
    }

    /// Returns the side of a raster cell in metres.
    pub fn cell_size(&self) -> f64 {
        self.raster.size()
    }

    /// Returns the number of raster cells whose centre lies on the mesh.
    pub fn cell_count(&self) -> usize {
        self.raster.walkable_count()
    }

    /// Returns the shortest path over the raster. Its `bound` compares it with the straight line between its ends,
    /// because the raster knows no better bound.
    pub fn find_path(&mut self, query: &PathQuery) -> std::result::Result<Path, NoPath> {
        let radius = self.radius(query.radius)?;
        let start = self.anchor(&query.start, Place::Start, radius, query.snap)?;
        let goals = self.goals(query, radius)?;
        let component = |cell: u32| self.mesh.parts().cell_component[cell as usize];
        let connected = goals.iter().any(|goal| component(goal.cell) == component(start.cell));
        if !connected && !query.partial {
            return Err(NoPath::Disconnected);
        }
        let weight = if query.suboptimality.is_finite() { query.suboptimality.max(1.0) } else { 1.0 };
        let task = Task { start, goals, radius, weight, diagonal: self.diagonal, partial: query.partial };
        let route = self.search.run(&self.raster, &mut self.room, &task);
        let route = route.ok_or(NoPath::Unresolved { cell_size: self.raster.size() })?;
        Ok(route::to_path(self.mesh, &mut self.room, &route, query.radius))
    }

    /// Returns all goals at which the body can stand; if there is none, the reason for the first.
    fn goals(&mut self, query: &PathQuery, radius: f64) -> std::result::Result<Vec<Anchor>, NoPath> {
        let (mut goals, mut refusal) = (Vec::new(), None);
        for place in [&query.goal].into_iter().chain(&query.more_goals) {
            match self.anchor(place, Place::Goal, radius, query.snap) {
                Ok(anchor) => goals.push(anchor),
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        refusal.filter(|_| goals.is_empty()).map_or(Ok(goals), Err)
    }

    /// Returns the radius in grid units.
    fn radius(&self, radius: f64) -> std::result::Result<f64, NoPath> {
        if radius.is_finite() && radius >= 0.0 {
            Ok(radius / self.mesh.unit())
        } else {
            Err(NoPath::BadRadius { radius })
        }
    }

    /// Connects a location to the raster. A location too close to a wall is moved to the nearest legal centre.
    fn anchor(
        &mut self,
        location: &Location,
        place: Place,
        radius: f64,
        snap: f64,
    ) -> std::result::Result<Anchor, NoPath> {
        if location.cell().index() >= self.mesh.cell_slots() {
            return Err(NoPath::OffMesh { place });
        }
        let (cell, at) = (location.cell().0, self.mesh.parts().grid.units(location.position()));
        let clearance = self.room.clearance(cell, at, f64::INFINITY);
        if clearance >= radius {
            return Ok(Anchor { cell, at, links: self.links(cell, at, radius) });
        }
        let reach = if snap > 0.0 { snap / self.mesh.unit() } else { 0.0 };
        let moved = self.raster.nearest_centre(at, reach, |centre, to| {
            let owner = self.raster.owner(centre)?;
            let is_legal = self.room.clearance(owner, to, f64::INFINITY) >= radius;
            (is_legal && self.room.chain(cell, owner, at, to).is_some()).then_some(owner)
        });
        match moved {
            Some((centre, cell)) => {
                Ok(Anchor { cell, at: self.raster.centre(centre), links: vec![(centre, 0.0)] })
            }
            None => Err(NoPath::TooClose { place, clearance: clearance * self.mesh.unit() }),
        }
    }

    /// Returns the centres around a point that a body can reach from it in a straight line, with their distances.
    fn links(&mut self, cell: u32, at: Vec2, radius: f64) -> Vec<(u32, f64)> {
        let mut links = Vec::new();
        for centre in self.raster.around(at) {
            let Some(owner) = self.raster.owner(centre) else { continue };
            let to = self.raster.centre(centre);
            let distance = at.distance(to);
            // A point on a centre needs no other link.
            if distance <= 1e-9 * self.raster.step() {
                return vec![(centre, 0.0)];
            }
            if self.room.link_is_legal((cell, at), (owner, to), radius) {
                links.push((centre, distance));
            }
        }
        links
    }
}

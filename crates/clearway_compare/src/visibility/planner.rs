//! The planner for all radii: edges with their ranges of radii, and the potentially visible set of each cell.

use super::corner::FreeArc;
use super::ends::{Ends, Request};
use super::graph::{Leave, Obstacles, Tangents, of_chain, sort_leaves};
use super::narrow::narrowest;
use super::range::{Edge, edge};
use super::search::find_route;
use super::sector::Fan;
use super::sight::Lookout;
use super::tangent::Turn;
use clearway_base::error::Result;
use clearway_geometry::NONE;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{NoPath, Path};
use clearway_nav::query::Location;
use std::cell::OnceCell;

/// A points-of-visibility planner for one mesh that does not change.
///
/// Making it takes time and memory for all pairs of corners that see each other; a query is then a graph search.
#[derive(Debug)]
pub struct VisibilityPlanner {
    /// The walls and corners.
    obstacles: Obstacles,
    /// The possible tangents, each with its range of radii.
    edges: Vec<Edge>,
    /// For each corner, the index of its first entry in `incident`; one more entry ends the last corner.
    first_incident: Vec<u32>,
    /// The edges of all corners, each with the end (0 or 1) at which it meets the corner.
    incident: Vec<(u32, u8)>,
    /// For each cell, the index of its first entry in `visible`; one more entry ends the last cell.
    first_visible: Vec<u32>,
    /// The corners that may be seen from each cell.
    visible: Vec<u32>,
}

impl VisibilityPlanner {
    /// Makes the planner of the mesh of a plan. Fails for meshes of scenes and for more than
    /// [`MAX_CORNERS`](super::MAX_CORNERS) corners.
    pub fn new(mesh: &NavMesh) -> Result<VisibilityPlanner> {
        let obstacles = Obstacles::of(mesh)?;
        let (edges, seen) = look_around(mesh, &obstacles);
        let ends = edges.iter().enumerate().flat_map(|(number, edge)| {
            [0u8, 1].map(|end| (edge.ends[usize::from(end)], (number as u32, end)))
        });
        let (first_incident, incident) = group(obstacles.corners.len(), ends.collect());
        let (first_visible, visible) = group(mesh.cell_slots(), seen);
        Ok(VisibilityPlanner { obstacles, edges, first_incident, incident, first_visible, visible })
    }

    /// Returns the number of corners that a path can turn around.
    pub fn corner_count(&self) -> usize {
        self.obstacles.corners.len()
    }

    /// Returns the number of tangents, each with its range of radii.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of corners in the potentially visible sets of all cells together.
    pub fn visible_count(&self) -> usize {
        self.visible.len()
    }

    /// Returns the shortest path for a body of this radius, in metres, on the mesh that the planner was made for.
    pub fn find_path(
        &self,
        mesh: &NavMesh,
        start: Location,
        goal: Location,
        radius: f64,
    ) -> std::result::Result<Path, NoPath> {
        let ends = Request { start, goal, radius }.check(mesh, &self.obstacles)?;
        if let Some(path) = self.path_between(mesh, &ends) {
            return Ok(path);
        }
        if ends.radius <= 0.0 || !ends.is_connected(mesh) {
            return Err(NoPath::Disconnected);
        }
        Err(narrowest(mesh, &self.obstacles, &ends, |ends| self.path_between(mesh, ends)))
    }

    /// Returns the shortest path between two legal ends, if there is one.
    fn path_between(&self, mesh: &NavMesh, ends: &Ends) -> Option<Path> {
        let tangents = LazyTangents::new(self, ends.radius);
        let [start, goal] = ends.places.map(|location| self.visible_from(mesh, &location));
        let [from, to] = &ends.stands;
        let route = find_route(&tangents, (from, &start), (to, &goal))?;
        Some(ends.path(mesh, &self.obstacles, &route))
    }

    /// Returns the corners that may be visible from a location, in the order of their numbers.
    fn visible_from(&self, mesh: &NavMesh, location: &Location) -> Vec<u32> {
        let mut cells = Vec::new();
        mesh.cells_at(mesh.parts().grid.units(location.position()), location.cell().0, &mut cells);
        let sets = cells.iter().filter_map(|cell| {
            let [first, last] = [0, 1].map(|i| self.first_visible.get(*cell as usize + i));
            self.visible.get(*first? as usize..*last? as usize)
        });
        let mut corners: Vec<u32> = sets.flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        corners
    }

    /// Returns the edges of a corner.
    fn incident(&self, corner: u32) -> &[(u32, u8)] {
        let [first, last] = [0, 1].map(|i| self.first_incident[corner as usize + i] as usize);
        &self.incident[first..last]
    }
}

/// Returns all edges, and pairs of a cell and a corner that may be seen from it.
fn look_around(mesh: &NavMesh, obstacles: &Obstacles) -> (Vec<Edge>, Vec<(u32, u32)>) {
    let fan = Fan::new(mesh.graph());
    let mut lookout = Lookout::new(mesh, &fan);
    let mut corner_at = vec![NONE; mesh.parts().points.len()];
    for (number, corner) in obstacles.corners.iter().enumerate() {
        corner_at[corner.vertex as usize] = number as u32;
    }
    let (mut edges, mut seen) = (Vec::new(), Vec::new());
    for (number, corner) in obstacles.corners.iter().enumerate() {
        let number = number as u32;
        let sight = lookout.look(corner);
        seen.extend(sight.cells.iter().map(|cell| (*cell, number)));
        let others = sight.vertices.iter().map(|vertex| corner_at[*vertex as usize]);
        // Each pair of corners once, from the lower number.
        let mut others: Vec<u32> = others.filter(|other| *other != NONE && *other > number).collect();
        others.sort_unstable();
        for other in others {
            let turns = Turn::BOTH.map(|one| Turn::BOTH.map(|two| [one, two])).concat();
            edges.extend(turns.into_iter().filter_map(|turns| edge(obstacles, [number, other], turns)));
        }
    }
    (edges, seen)
}

/// Groups entries by key: returns the index of the first entry of each group, and the entries in the order of their
/// keys.
fn group<T: Copy>(count: usize, mut entries: Vec<(u32, T)>) -> (Vec<u32>, Vec<T>) {
    entries.sort_by_key(|(key, _)| *key);
    let start = |key: u32| entries.partition_point(|(other, _)| *other < key) as u32;
    let first = (0..=count as u32).map(start).collect();
    (first, entries.into_iter().map(|(_, entry)| entry).collect())
}

/// The tangents of a planner for one radius, computed when a search needs them.
struct LazyTangents<'a> {
    /// The planner.
    planner: &'a VisibilityPlanner,
    /// The radius in grid units.
    radius: f64,
    /// For each corner, its free arcs.
    arcs: Vec<OnceCell<Vec<FreeArc>>>,
    /// For each chain, the straight pieces that leave it.
    chains: Vec<OnceCell<Vec<Leave>>>,
}

impl<'a> LazyTangents<'a> {
    /// Starts with nothing computed.
    fn new(planner: &'a VisibilityPlanner, radius: f64) -> LazyTangents<'a> {
        let corners = planner.corner_count();
        LazyTangents {
            planner,
            radius,
            arcs: vec![OnceCell::new(); corners],
            chains: vec![OnceCell::new(); corners * 2],
        }
    }

    /// Computes the straight pieces that leave a chain.
    fn leaves_of(&self, chain: u32) -> Vec<Leave> {
        let (corner, turn) = of_chain(chain);
        let leave = |(number, end): &(u32, u8)| {
            let edge = &self.planner.edges[*number as usize];
            let (ends, turns) = match end {
                0 => (edge.ends, edge.turns),
                _ => ([edge.ends[1], edge.ends[0]], [edge.turns[1].reversed(), edge.turns[0].reversed()]),
            };
            let fits = turns[0] == turn && self.radius >= edge.low && self.radius <= edge.high;
            if fits { self.tangent(ends, turns, edge.is_free(self.radius)) } else { None }
        };
        let mut leaves: Vec<Leave> = self.planner.incident(corner).iter().filter_map(leave).collect();
        sort_leaves(&mut leaves);
        leaves
    }
}

impl Tangents for LazyTangents<'_> {
    fn obstacles(&self) -> &Obstacles {
        &self.planner.obstacles
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn free_arcs(&self, corner: u32) -> &[FreeArc] {
        let record = &self.planner.obstacles.corners[corner as usize];
        self.arcs[corner as usize]
            .get_or_init(|| record.free_arcs(&self.planner.obstacles.walls, self.radius))
    }

    fn leaves(&self, chain: u32) -> &[Leave] {
        self.chains[chain as usize].get_or_init(|| self.leaves_of(chain))
    }
}

#[cfg(test)]
impl VisibilityPlanner {
    /// Returns all tangents for a radius in metres, for comparison with those found by brute force.
    pub(super) fn tangents_at(&self, mesh: &NavMesh, radius: f64) -> Vec<[u32; 2]> {
        super::graph::pairs(&LazyTangents::new(self, super::units(mesh, radius)))
    }
}

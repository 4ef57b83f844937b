//! Questions to a skeleton by place and cell, so that floors above and below do not count.
//!
//! A straight move on the mesh leads from the place to some wall. From there a walk through the cells of the diagram
//! leads back, and ends in the cell of the nearest site (`follow`). Voronoi vertices get their cell of the mesh by a
//! straight move from a wall that they touch, or along a road from a neighbour.

use crate::audit::Audit;
use crate::diagram::Diagram;
use crate::follow::Spot;
use crate::query::{Curve, Edge, VertexId};
use crate::shapes::SiteId;
use crate::skeleton::{Clearance, Retraction, Skeleton};
use crate::widest::{Joined, WidestWay};
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};
use std::collections::VecDeque;

/// Directions of the moves to a wall. None is along or halfway between the directions that builders like.
const RAYS: [(f64, f64); 6] = [
    (0.9146, 0.4044),
    (-0.3771, 0.9262),
    (-0.8203, -0.5719),
    (0.5519, -0.8339),
    (0.1287, 0.9917),
    (-0.9701, 0.2427),
];

/// The cell of the mesh at each free Voronoi vertex.
#[derive(Clone, Debug)]
pub struct Floors {
    cells: Vec<u32>,
}

impl Floors {
    /// The cell at a vertex; `None` for one that is not free.
    pub fn cell(&self, vertex: VertexId) -> Option<CellId> {
        self.cells.get(vertex.0 as usize).copied().filter(|&cell| cell != NONE).map(CellId)
    }
}

impl Skeleton {
    /// The clearance at a location of the mesh from which the skeleton was built, in metres; `None` for a location off it.
    pub fn clearance_at(&self, mesh: &NavMesh, at: Location) -> Option<Clearance> {
        if !self.is_layered() {
            return self.clearance(at.position(), None);
        }
        let spot = self.spot(mesh, at)?;
        let site = self.diagram().graph.site(spot.site);
        Some(Clearance {
            distance: site.distance(spot.at) * self.unit(),
            point: self.place(site.nearest(spot.at)),
            site: SiteId(spot.site),
        })
    }

    /// Moves a location straight away from its nearest wall onto the medial axis; `None` on a wall or off the mesh.
    pub fn retract_at(&self, mesh: &NavMesh, at: Location) -> Option<Retraction> {
        if !self.is_layered() {
            return self.retract(at.position(), None);
        }
        let (edge, place, radius) = self.diagram().graph.retract_from(&self.spot(mesh, at)?)?;
        self.road(edge)?;
        Some(Retraction { at: self.place(place), radius: radius * self.unit(), edge })
    }

    /// The largest radius of a disc that can move from one location to another, and where it just fits; `None` as for
    /// [`Skeleton::widest`].
    pub fn widest_between(&self, mesh: &NavMesh, from: Location, to: Location) -> Option<WidestWay> {
        if !self.is_layered() {
            return self.widest(from.position(), to.position());
        }
        let [a, b] = [self.joined_at(mesh, from)?, self.joined_at(mesh, to)?];
        self.widest_joined(&a, &b)
    }

    fn joined_at(&self, mesh: &NavMesh, at: Location) -> Option<Joined> {
        let (graph, spot) = (&self.diagram().graph, self.spot(mesh, at)?);
        let clearance = graph.site(spot.site).distance(spot.at);
        self.joined_by(spot.at, clearance, graph.retract_from(&spot)?)
    }

    /// The place of a location in the cell of its nearest site.
    fn spot(&self, mesh: &NavMesh, at: Location) -> Option<Spot> {
        self.spot_in(self.diagram(), mesh, at)
    }

    /// The same in a diagram that is being changed.
    pub(crate) fn spot_in(&self, diagram: &Diagram, mesh: &NavMesh, at: Location) -> Option<Spot> {
        mesh.cell(at.cell())?;
        let rays = RAYS.into_iter().map(|(x, y)| Vec2::new(x, y));
        self.spot_by_rays(diagram, mesh, (at.cell(), self.units(at.position())), rays)
    }

    /// The same for a place in grid units, by straight moves in these directions, of length one.
    pub(crate) fn spot_by_rays(
        &self,
        diagram: &Diagram,
        mesh: &NavMesh,
        (cell, here): (CellId, Vec2),
        mut rays: impl Iterator<Item = Vec2>,
    ) -> Option<Spot> {
        let graph = &diagram.graph;
        let far = 2.0 * mesh.graph().extent + 1.0;
        rays.find_map(|ray| {
            let goal = here + ray * far;
            let reach = mesh.sweep(here, cell.0, goal, 0.0);
            let id = self.layers.site_of_side.get(reach.wall?.side).copied()?;
            let site = graph.sites.get(id as usize)?;
            let hit = here + (goal - here) * reach.fraction;
            // A ray into a corner does not tell on which side of which wall it came.
            let t = site.reach(hit);
            let is_clear = t > 1e-3 * site.length && t < (1.0 - 1e-3) * site.length;
            if is_clear { graph.follow(id, site.a + site.along * t, here) } else { None }
        })
    }

    /// The cell of the mesh at each free Voronoi vertex. The mesh must be the one from which the skeleton was built.
    pub fn floors(&self, mesh: &NavMesh) -> Floors {
        let mut floors = Floors { cells: vec![NONE; self.diagram().graph.discs.len()] };
        let mut waiting = VecDeque::new();
        let cells = self.cells_at_sites(mesh);
        for (vertex, _) in self.vertices() {
            if let Some(cell) = self.cell_from_wall(mesh, &cells, vertex) {
                floors.cells[vertex.0 as usize] = cell;
                waiting.push_back(vertex);
            }
        }
        while let Some(vertex) = waiting.pop_front() {
            for edge in self.edges_at(vertex).into_iter().filter_map(|edge| self.diagram().edge(edge)) {
                let end = edge.ends[1].0 as usize;
                // An edge of a wall and its own end may lead around the end, or into a corner of the ground beyond.
                let is_blocked = edge.width == 0.0 && self.diagram().is_spur(&edge);
                if !is_blocked && floors.cells[end] == NONE && self.is_free(edge.ends[1]) {
                    let line = self.line(mesh, CellId(floors.cells[vertex.0 as usize]), &edge);
                    floors.cells[end] = line.last().map_or(NONE, |at| at.cell().0);
                    waiting.push_back(edge.ends[1]);
                }
            }
        }
        floors
    }

    /// The cells of the mesh along each site: the one on the left of it, and the one on the right.
    fn cells_at_sites(&self, mesh: &NavMesh) -> Vec<[u32; 2]> {
        let graph = &self.diagram().graph;
        let mut cells = vec![[NONE; 2]; graph.sites.len()];
        // The sides of a mesh that was edited are not in the order of its cells.
        for cell in mesh.cells().map(|cell| cell.id().0) {
            for side in mesh.graph().sides(cell) {
                let id = self.layers.site_of_side.get(side).copied().unwrap_or(NONE);
                if id != NONE {
                    let is_same_way = graph.site(id).a == mesh.graph().start[side];
                    cells[id as usize][usize::from(!is_same_way)] = cell;
                }
            }
        }
        cells
    }

    /// The cell at a vertex, by a straight move from the middle part of a wall that its disc touches.
    fn cell_from_wall(&self, mesh: &NavMesh, cells: &[[u32; 2]], vertex: VertexId) -> Option<u32> {
        let graph = &self.diagram().graph;
        let circle = graph.discs[vertex.0 as usize].circle;
        let found = graph.triple(vertex.0).into_iter().find_map(|(id, site)| {
            let (t, is_right) = (site.reach(circle.at), site.offset(circle.at) < 0.0);
            let is_inside = !site.is_point() && t > 1.0 && t < site.length - 1.0;
            let cell = cells[id as usize][usize::from(is_right)];
            (is_inside && cell != NONE).then_some((site.a + site.along * t, cell))
        });
        let (foot, cell) = found?;
        let reach = mesh.sweep(foot + (circle.at - foot) * 1e-6, cell, self.rounded(circle.at), 0.0);
        reach.wall.is_none().then_some(reach.end)
    }

    /// A place as it is after it was turned into metres and back, so that the cell found for it holds it.
    fn rounded(&self, at: Vec2) -> Vec2 {
        self.units(self.place(at))
    }

    /// Places along an edge with their cells, near enough to each other to draw it, given the cell at its first vertex.
    /// None for a cell that the mesh does not have.
    pub fn line(&self, mesh: &NavMesh, first: CellId, edge: &Edge) -> Vec<Location> {
        const PIECES: usize = 12;
        if mesh.cell(first).is_none() {
            return Vec::new();
        }
        let mut cell = first.0;
        let mut here = self.rounded(edge.at(0.0));
        // A straight line within a cell needs no places between; over stairs its height changes.
        let is_short = matches!(edge.curve, Curve::Line)
            && mesh.sweep(here, cell, self.rounded(edge.at(1.0)), 0.0).cells.len() == 1;
        let pieces = if is_short { 1 } else { PIECES };
        let mut line = vec![Location::in_cell(first, self.place(here))];
        for i in 1..=pieces {
            let next = self.rounded(edge.at(i as f64 / pieces as f64));
            let reach = mesh.sweep(here, cell, next, 0.0);
            (cell, here) = (reach.end, next);
            line.push(Location::in_cell(CellId(cell), self.place(next)));
        }
        line
    }

    /// The location where the body of a widest way just fits; `None` if that is its start or its goal.
    pub fn bottleneck(&self, mesh: &NavMesh, floors: &Floors, way: &WidestWay) -> Option<Location> {
        self.on_road(mesh, floors, &self.road(way.road?)?, self.units(way.at))
    }

    /// The location of a place on a road, in grid units.
    pub(crate) fn on_road(&self, mesh: &NavMesh, floors: &Floors, road: &Edge, at: Vec2) -> Option<Location> {
        let line = self.line(mesh, floors.cell(road.ends[0])?, road);
        let off = |place: &&Location| self.units(place.position()).distance(at);
        let nearest = line.iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let at = self.rounded(at);
        let end = mesh.sweep(self.units(nearest.position()), nearest.cell().0, at, 0.0).end;
        Some(Location::in_cell(CellId(end), self.place(at)))
    }

    /// Audits the skeleton: topology, and every disc against the walls. In layers the discs on walkable ground are held
    /// against the walls that the mesh finds from their cells.
    pub fn audit(&self, mesh: &NavMesh) -> Audit {
        if !self.is_layered() {
            return self.diagram().audit();
        }
        let (graph, floors) = (&self.diagram().graph, self.floors(mesh));
        let mut audit = Audit { topology_errors: graph.topology_errors(), ..Audit::default() };
        for (vertex, found) in self.vertices() {
            audit.vertices += 1;
            let allowed =
                1e5 * graph.epsilon + 4.0 * f64::from(graph.discs[vertex.0 as usize].error).min(1.0);
            let sites = graph.triple(vertex.0).map(|(_, site)| site);
            let is_loose = |d: f64| (d - found.radius).abs() > allowed;
            audit.loose_discs += usize::from(sites.iter().any(|site| is_loose(site.distance(found.at))));
            let cell = floors.cell(vertex);
            let at = cell.map(|cell| Location::in_cell(cell, self.place(found.at)));
            let clearance = at.and_then(|at| mesh.clearance(at)).unwrap_or(0.0) / self.unit();
            let depth = found.radius - clearance;
            audit.deepest = audit.deepest.max(depth);
            audit.intruded_discs += usize::from(depth > allowed);
        }
        audit
    }
}

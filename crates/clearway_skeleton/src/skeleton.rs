//! The diagram of the walls of a mesh, with the roads that lie on walkable ground.
//!
//! Walls become segments on the mesh's own grid, and each site knows on which sides one can walk. A Voronoi vertex is free
//! if it lies on the walkable side of a wall that its disc touches, or in a walkable sector at a corner. Roads are the edges between free vertices
//! that are not spurs between a wall and its own end: the medial axis of the walkable ground. The diagram of a scene in
//! layers is made by `layers`, and asked by `floors`.

use crate::circle::corner;
use crate::diagram::Diagram;
use crate::ground::{Kind, MeshWall};
use crate::layers::Layers;
use crate::query::{Edge, EdgeId, Vertex, VertexId};
use crate::shapes::{ShapeId, SiteId};
use crate::widest::Forest;
use clearway_base::error::Result;
use clearway_geometry::{Grid, Vec2};
use clearway_nav::NavMesh;
use clearway_nav::mesh::Sheets;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The clearance at a place, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The distance of the nearest wall.
    pub distance: f64,
    /// The nearest point of that wall, in plan coordinates.
    pub point: [f64; 2],
    /// The site that holds it. As a hint it makes the next question nearby quick.
    pub site: SiteId,
}

/// A place on the medial axis, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retraction {
    /// The place, in plan coordinates.
    pub at: [f64; 2],
    /// The clearance there.
    pub radius: f64,
    /// The Voronoi edge on which it lies.
    pub edge: EdgeId,
}

/// The Voronoi diagram of a mesh's walls.
///
/// Sites, vertices and edges are in grid units, as in [`Diagram`]; [`Skeleton::place`] and [`Skeleton::units`] convert
/// them. Whatever takes or returns plain arrays is in metres.
///
/// ```
/// use clearway_build::MeshOptions;
/// use clearway_skeleton::Skeleton;
/// use clearway_world::{Plan, PlanFormat};
///
/// // Two rooms with a door of 1 m between them.
/// let rooms = "POLYGON((0 0, 4 0, 4 1.5, 5 1.5, 5 0, 9 0, 9 4, 5 4, 5 2.5, 4 2.5, 4 4, 0 4, 0 0))";
/// let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, rooms)?)?;
/// let skeleton = Skeleton::build(&mesh)?;
/// let way = skeleton.widest([1.0, 1.0], [8.0, 3.0]).ok_or("no way")?;
/// assert_eq!(way.radius, 0.5);
/// let clearance = skeleton.clearance([1.0, 2.0], None).ok_or("not finite")?;
/// assert_eq!((clearance.distance, clearance.point), (1.0, [0.0, 2.0]));
/// let axis = skeleton.retract([1.0, 2.0], Some(clearance.site)).ok_or("on a wall")?;
/// assert_eq!((axis.at, axis.radius), ([2.0, 2.0], 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skeleton {
    diagram: Diagram,
    grid: Grid,
    /// For each segment, true if its left and its right are walkable; for a point without walls both are the same.
    pub(crate) walkable: Vec<[bool; 2]>,
    /// What each shape of the diagram does to the ground.
    pub(crate) kinds: Vec<Kind>,
    /// The walls of the mesh by their ends, kept once the mesh has changed.
    pub(crate) walls: Option<BTreeMap<MeshWall, ShapeId>>,
    /// Made when first asked for after an edit.
    pub(crate) forest: OnceLock<Forest>,
    /// What ties it to the cells of the mesh.
    pub(crate) layers: Layers,
}

impl Skeleton {
    /// Builds the diagram of all walls of a mesh. The mesh of a scene may lie in layers ([`Skeleton::is_layered`]); then
    /// places are asked about by their [`Location`](clearway_nav::Location).
    pub fn build(mesh: &NavMesh) -> Result<Skeleton> {
        Skeleton::build_sheets(mesh, Sheets::of(mesh))
    }

    /// The skeleton of a diagram on which nothing is walkable yet.
    pub(crate) fn over(diagram: Diagram, grid: Grid) -> Skeleton {
        Skeleton {
            diagram,
            grid,
            walkable: Vec::new(),
            kinds: Vec::new(),
            walls: None,
            forest: OnceLock::new(),
            layers: Layers::default(),
        }
    }

    /// True if parts of the mesh lie over each other. A place is then known only with its cell: what takes a point of the
    /// plan answers `None`, and obstacles cannot be put in.
    pub fn is_layered(&self) -> bool {
        self.layers.sheet_count > 1
    }

    /// Marks the sides of a shape's walls as seen along its own direction. Walls shared with others keep their marks.
    pub(crate) fn set_walkable(&mut self, id: ShapeId, [left, right]: [bool; 2]) {
        let count = self.diagram.graph.sites.len();
        if self.walkable.len() < count {
            self.walkable.resize(count, [false; 2]);
        }
        let Some([points, _]) = self.diagram.sites_of(id) else { return };
        for point in points {
            self.walkable[point.0 as usize] = [true; 2];
        }
        for (site, _, is_same_way) in self.diagram.walls_of(id) {
            let site = SiteId(site);
            let marks = &mut self.walkable[site.0 as usize];
            if self.diagram.is_new(site) {
                *marks = [false; 2];
            }
            let sides = if is_same_way { [left, right] } else { [right, left] };
            *marks = [marks[0] || sides[0], marks[1] || sides[1]];
        }
    }

    /// The forest of widest ways.
    pub(crate) fn forest(&self) -> &Forest {
        self.forest.get_or_init(|| Forest::of(self))
    }

    /// The diagram of the walls, in grid units. In layers its own questions and its audit look across the floors.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    pub(crate) fn diagram_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }

    pub(crate) fn walkable_mut(&mut self) -> &mut Vec<[bool; 2]> {
        &mut self.walkable
    }

    /// The place of a point in grid units, in plan coordinates.
    pub fn place(&self, at: Vec2) -> [f64; 2] {
        self.grid.place(at)
    }

    /// A place of the plan in grid units.
    pub fn units(&self, at: [f64; 2]) -> Vec2 {
        self.grid.units(at)
    }

    /// The length of a grid unit in metres.
    pub fn unit(&self) -> f64 {
        self.grid.unit()
    }

    /// The clearance at a place, in metres; `None` for a place that is not finite, and in layers. The site of an answer nearby makes it
    /// quicker.
    pub fn clearance(&self, at: [f64; 2], near: Option<SiteId>) -> Option<Clearance> {
        let spot = self.units(at);
        if !(spot.x.is_finite() && spot.y.is_finite()) || self.is_layered() {
            return None;
        }
        let nearest = self.diagram.nearest(spot, near);
        Some(Clearance {
            distance: nearest.distance * self.unit(),
            point: self.place(nearest.point),
            site: nearest.site,
        })
    }

    /// Moves a place straight away from its nearest wall onto the medial axis; `None` if it lies on a wall, or off the
    /// walkable ground, and in layers.
    pub fn retract(&self, at: [f64; 2], near: Option<SiteId>) -> Option<Retraction> {
        if self.is_layered() {
            return None;
        }
        let (edge, spot, radius) = self.diagram.retract(self.units(at), near)?;
        let found = self.road(edge)?;
        debug_assert!(found.width <= radius * 1.001 + 1.0);
        Some(Retraction { at: self.place(spot), radius: radius * self.unit(), edge })
    }

    /// True for a Voronoi vertex on walkable ground. Corners between two walls count.
    pub fn is_free(&self, vertex: VertexId) -> bool {
        if !self.diagram.is_inside(vertex.0) {
            return false;
        }
        let (graph, sites) = (&self.diagram.graph, self.diagram.graph.triple(vertex.0));
        let circle = graph.discs[vertex.0 as usize].circle;
        if let Some(i) = corner(sites) {
            // The corner's sector lies on the left of the wall that starts it.
            let (id, wall) = sites[(i + 1) % 3];
            return self.walkable[id as usize][usize::from(wall.ends[0] != sites[i].0)];
        }
        if let Some((id, wall)) = sites.iter().find(|(_, site)| !site.is_point()) {
            return self.walkable[*id as usize][usize::from(wall.offset(circle.at) < 0.0)];
        }
        self.is_free_sector(vertex.0 * 3)
    }

    /// True if the sector that holds a face at the point where its half-edge starts is walkable.
    fn is_free_sector(&self, first: u32) -> bool {
        let graph = &self.diagram.graph;
        let point = graph.from(first);
        let mut h = first;
        loop {
            h = graph.turn(h);
            let (id, wall) = (graph.to(h), graph.site(graph.to(h)));
            if wall.ends_at(point) {
                // Turning left the face comes before the wall, so it lies on the right of the way from the point.
                return self.walkable[id as usize][usize::from(wall.ends[0] == point)];
            }
            if h == first {
                return self.walkable[point as usize][0];
            }
        }
    }

    /// The free Voronoi vertices, in grid units.
    pub fn vertices(&self) -> impl Iterator<Item = (VertexId, Vertex)> + '_ {
        self.diagram.vertices().filter(|(id, _)| self.is_free(*id))
    }

    /// The roads: the medial axis of the walkable ground, each edge once, in grid units. Edges of no length are among
    /// them.
    pub fn roads(&self) -> impl Iterator<Item = (EdgeId, Edge)> + '_ {
        self.diagram.edges().filter(|(_, edge)| self.is_road(edge))
    }

    /// A road by its id; `None` for an edge that is no road.
    pub fn road(&self, id: EdgeId) -> Option<Edge> {
        self.diagram.edge(id).filter(|edge| self.is_road(edge))
    }

    /// The three edges that leave a vertex, roads or not, each seen from there, counter-clockwise.
    pub fn edges_at(&self, vertex: VertexId) -> [EdgeId; 3] {
        [0, 1, 2].map(|i| EdgeId(vertex.0.saturating_mul(3).saturating_add(i)))
    }

    fn is_road(&self, edge: &Edge) -> bool {
        edge.ends.iter().all(|&end| self.is_free(end)) && !self.diagram.is_spur(edge)
    }
}

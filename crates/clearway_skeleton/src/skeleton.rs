//! The diagram of the walls of a mesh, with the roads that lie on walkable ground.
//!
//! Walls become segments on the mesh's own grid. A Voronoi vertex is free if it lies on the walkable side of a wall that
//! it touches, or is joined to a free one by an edge that meets no wall. Roads are the edges between free vertices
//! that are not spurs between a wall and its own end: the medial axis of the walkable ground.

use crate::diagram::{Diagram, Shape, SiteId};
use crate::query::{Edge, EdgeId, Vertex, VertexId};
use crate::widest::Forest;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{Grid, NONE, Point, Vec2};
use clearway_nav::NavMesh;

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
#[derive(Clone, Debug)]
pub struct Skeleton {
    diagram: Diagram,
    grid: Grid,
    /// For each face, true if it is a vertex on walkable ground.
    is_free: Vec<bool>,
    pub(crate) forest: Forest,
}

impl Skeleton {
    /// Builds the diagram of all walls of a mesh. Meshes of scenes, which may lie in layers, are refused.
    pub fn build(mesh: &NavMesh) -> Result<Skeleton> {
        let parts = mesh.parts();
        if parts.relief.is_some() {
            let message = "the skeleton of a scene in layers is not supported, only that of a plan";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let walls = walls(mesh);
        let Some(first) = walls.first() else {
            return Err(Error::new(ErrorKind::Empty, "the mesh has no walls"));
        };
        let (mut min, mut max) = (first[0], first[0]);
        for p in walls.iter().flatten() {
            (min.x, min.y) = (min.x.min(p.x), min.y.min(p.y));
            (max.x, max.y) = (max.x.max(p.x), max.y.max(p.y));
        }
        let shapes: Vec<Shape> = walls.iter().map(|&wall| Shape::Segment(wall)).collect();
        let (diagram, ids) = Diagram::build(min, max, &shapes)?;
        let mut walkable = vec![[false; 2]; diagram.graph.sites.len()];
        for (wall, id) in walls.iter().zip(ids) {
            if let Some(site) = diagram.wall_site(id) {
                // The cell lies on the left of its side; the site may run the other way.
                let is_same_way = diagram.graph.site(site).a == wall[0].as_vec2();
                walkable[site as usize][usize::from(!is_same_way)] = true;
            }
        }
        let is_free = free_vertices(&diagram, &walkable);
        let mut skeleton = Skeleton { diagram, grid: parts.grid, is_free, forest: Forest::default() };
        skeleton.forest = Forest::of(&skeleton);
        Ok(skeleton)
    }

    /// The diagram of the walls, in grid units.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
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

    /// The clearance at a place, in metres; `None` for a place that is not finite. The site of an answer nearby makes it
    /// quicker.
    pub fn clearance(&self, at: [f64; 2], near: Option<SiteId>) -> Option<Clearance> {
        let spot = self.units(at);
        if !(spot.x.is_finite() && spot.y.is_finite()) {
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
    /// walkable ground.
    pub fn retract(&self, at: [f64; 2], near: Option<SiteId>) -> Option<Retraction> {
        let (edge, spot, radius) = self.diagram.retract(self.units(at), near)?;
        let found = self.road(edge)?;
        debug_assert!(found.width <= radius * 1.001 + 1.0);
        Some(Retraction { at: self.place(spot), radius: radius * self.unit(), edge })
    }

    /// True for a Voronoi vertex on walkable ground. Corners between two walls count.
    pub fn is_free(&self, vertex: VertexId) -> bool {
        self.is_free.get(vertex.0 as usize).copied().unwrap_or(false)
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
        [0, 1, 2].map(|i| EdgeId(vertex.0 * 3 + i))
    }

    fn is_road(&self, edge: &Edge) -> bool {
        edge.ends.iter().all(|&end| self.is_free(end)) && !self.diagram.is_spur(edge)
    }
}

/// The walls of a mesh; each has its cell on the left.
fn walls(mesh: &NavMesh) -> Vec<[Point; 2]> {
    let parts = mesh.parts();
    let mut walls = Vec::with_capacity(mesh.wall_count());
    for ends in parts.first_side.windows(2) {
        let sides = &parts.sides[ends[0] as usize..ends[1] as usize];
        for (i, side) in sides.iter().enumerate().filter(|(_, side)| side.portal == NONE) {
            let after = sides[(i + 1) % sides.len()].vertex;
            walls.push([side.vertex, after].map(|vertex| parts.points[vertex as usize]));
        }
    }
    walls
}

/// Marks the vertices on walkable ground. `walkable` tells for each site whether its left and its right are.
fn free_vertices(diagram: &Diagram, walkable: &[[bool; 2]]) -> Vec<bool> {
    let graph = &diagram.graph;
    let mut is_free = vec![false; graph.circles.len()];
    let mut stack: Vec<u32> = Vec::new();
    for face in (0..graph.circles.len() as u32).filter(|&face| diagram.is_inside(face)) {
        let circle = graph.circles[face as usize];
        let touches_free_side = graph.triple(face).into_iter().any(|(id, site)| {
            let side = usize::from(site.offset(circle.at) < 0.0);
            !site.is_point() && circle.radius > 0.0 && walkable[id as usize][side]
        });
        if touches_free_side {
            is_free[face as usize] = true;
            stack.push(face);
        }
    }
    while let Some(face) = stack.pop() {
        for h in face * 3..face * 3 + 3 {
            let (a, b) = (graph.from(h), graph.to(h));
            let beyond = graph.twin[h as usize] / 3;
            let is_spur = graph.site(a).ends_at(b) || graph.site(b).ends_at(a);
            if is_spur || is_free[beyond as usize] || !diagram.is_inside(beyond) {
                continue;
            }
            is_free[beyond as usize] = true;
            // A corner belongs to the ground, but nothing is reached through it.
            if graph.circles[beyond as usize].radius > 0.0 {
                stack.push(beyond);
            }
        }
    }
    is_free
}

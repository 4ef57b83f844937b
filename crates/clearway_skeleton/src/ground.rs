//! The walkable ground around obstacles and walls that are put in and taken out.
//!
//! A lone obstacle on walkable ground marks its own sides. Where shapes meet, or one lies around others, all sides are
//! marked anew. A flood starts outside of everything and counts, on each side of each wall, the ground and the solid
//! obstacles that cover it. Cost: that of the edit; for shapes that meet or hold others, linear in the world.

use crate::graph::Graph;
use crate::query::VertexId;
use crate::shapes::{Shape, ShapeId};
use crate::sites::Site;
use crate::skeleton::Skeleton;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::predicates::{cross_properly, doubled_area, on_segment};
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::NavMesh;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a shape of a skeleton does to the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An obstacle without an inside.
    #[default]
    Thin,
    /// An obstacle with its inside on the left of its walls, or on the right.
    Solid { is_left: bool },
    /// A wall of the mesh, with ground on its left.
    Wall,
}

impl Kind {
    pub(crate) fn of(shape: &Shape) -> Kind {
        match shape {
            Shape::Polygon(ring) => Kind::Solid { is_left: doubled_area(ring.iter().copied()) > 0 },
            _ => Kind::Thin,
        }
    }

    /// The walkable sides of its walls where nothing else is.
    pub(crate) fn sides(self) -> [bool; 2] {
        match self {
            Kind::Thin => [true; 2],
            Kind::Solid { is_left } => [!is_left, is_left],
            Kind::Wall => [true, false],
        }
    }

    /// The ground and the solids on the left of its walls, less those on the right.
    fn step(self) -> [i32; 2] {
        match self {
            Kind::Thin => [0, 0],
            Kind::Solid { is_left } => [0, if is_left { 1 } else { -1 }],
            Kind::Wall => [1, 0],
        }
    }
}

impl Skeleton {
    /// Puts an obstacle in: an agent as a point, a wall, or a polygon whose inside is not walkable. It may cross, touch
    /// and hold walls and other obstacles (see [`Diagram::insert`](crate::Diagram::insert)). Polygons that cross
    /// themselves are refused, and so are shapes outside of the box around the mesh.
    pub fn insert(&mut self, shape: &Shape) -> Result<ShapeId> {
        self.check_layers()?;
        let is_clear = self.is_on_ground(shape);
        let id = self.diagram_mut().insert(shape)?;
        if let Err(error) = self.check_ring(id, shape) {
            self.diagram_mut().remove(id)?;
            self.mark_ground();
            return Err(error);
        }
        self.settle(id, Kind::of(shape), is_clear);
        Ok(id)
    }

    /// Takes out an obstacle that was put in. Walls of the mesh stay.
    pub fn remove(&mut self, id: ShapeId) -> Result<()> {
        self.check_obstacle(id)?;
        let is_lone = self.is_lone(id);
        self.diagram_mut().remove(id)?;
        self.layers.cells_of.remove(&id);
        self.forget_ways();
        if !is_lone {
            self.mark_ground();
        }
        Ok(())
    }

    /// Puts an obstacle in the place of another, which keeps its id. If the new one is refused, the old one stays.
    pub fn replace(&mut self, id: ShapeId, shape: &Shape) -> Result<()> {
        self.check_layers()?;
        self.check_obstacle(id)?;
        let was_lone = self.is_lone(id);
        let is_clear = was_lone && self.is_on_ground(shape);
        let before = self.diagram().drawn(id);
        self.diagram_mut().replace(id, shape)?;
        if let Err(error) = self.check_ring(id, shape) {
            if let Some(before) = before {
                self.diagram_mut().replace(id, &before)?;
            }
            self.mark_ground();
            return Err(error);
        }
        self.settle(id, Kind::of(shape), is_clear);
        Ok(())
    }

    fn check_layers(&self) -> Result<()> {
        if self.is_layered() {
            let message = "in layers obstacles go in by their cells: Skeleton::insert_at and replace_at";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(())
    }

    /// Refuses changes of the mesh in layers: there the ends of a wall do not name it.
    fn check_flat(&self) -> Result<()> {
        if self.is_layered() {
            let message = "in layers the ends of a wall do not name it: a skeleton in layers follows its mesh by Skeleton::apply_at";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(())
    }

    /// Refuses ids of the mesh's own walls.
    pub(crate) fn check_obstacle(&self, id: ShapeId) -> Result<()> {
        if self.kinds.get(id.index as usize) == Some(&Kind::Wall) && self.diagram().sites_of(id).is_some() {
            let message = format!("shape {} is a wall of the mesh", id.index);
            return Err(Error::new(ErrorKind::Options, message));
        }
        Ok(())
    }

    /// Refuses a polygon that crosses or touches itself. Only shapes that were split can do more than repeat a corner.
    fn check_ring(&self, id: ShapeId, shape: &Shape) -> Result<()> {
        let Shape::Polygon(ring) = shape else { return Ok(()) };
        let mut corners: Vec<i64> = ring.iter().map(|corner| corner.rank()).collect();
        corners.sort_unstable();
        if let Some(pair) = corners.windows(2).find(|pair| pair[0] == pair[1]) {
            let at = ring.iter().find(|corner| corner.rank() == pair[0]);
            let message = format!("the polygon meets itself: it comes twice to the corner {at:?}");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if !self.diagram().is_woven(id) {
            return Ok(());
        }
        let walls: Vec<[Point; 2]> = shape.walls().map(|[i, j]| [ring[i], ring[j]]).collect();
        for (i, &[a, b]) in walls.iter().enumerate() {
            let inside = |p: Point, q: Point, x: Point| x != p && x != q && on_segment(p, q, x);
            let meets = |&[c, d]: &[Point; 2]| {
                cross_properly(a, b, c, d) || inside(a, b, c) || inside(a, b, d) || inside(c, d, a)
            };
            if let Some(j) = walls.iter().position(meets) {
                let message = format!("the polygon meets itself: wall {i} and wall {j}, near {a:?}");
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
        Ok(())
    }

    /// True if all corners of a shape lie on walkable ground and not on walls.
    fn is_on_ground(&self, shape: &Shape) -> bool {
        shape.corners().iter().all(|corner| self.is_walkable(corner.as_vec2()))
    }

    /// True if a place, in grid units, lies on walkable ground and not on a wall.
    fn is_walkable(&self, at: Vec2) -> bool {
        let Some((edge, _, _)) = self.diagram().retract(at, None) else { return false };
        let twin = self.diagram().graph.twin[edge.0 as usize];
        self.is_free(VertexId(edge.0 / 3)) || self.is_free(VertexId(twin / 3))
    }

    /// True for a shape that meets no other and holds none.
    pub(crate) fn is_lone(&self, id: ShapeId) -> bool {
        let (diagram, graph) = (self.diagram(), &self.diagram().graph);
        if diagram.is_woven(id) {
            return false;
        }
        let Some(Kind::Solid { is_left }) = self.kinds.get(id.index as usize).copied() else { return true };
        let mut own: Vec<u32> =
            diagram.sites_of(id).into_iter().flatten().flatten().map(|site| site.0).collect();
        own.sort_unstable();
        diagram.walls_of(id).into_iter().all(|(site, _, is_same_way)| {
            let is_inside_left = is_left == is_same_way;
            let inner = graph.spokes(site).map(|h| h / 3).filter(|&face| {
                let offset = graph.site(site).offset(graph.discs[face as usize].circle.at);
                offset != 0.0 && (offset > 0.0) == is_inside_left
            });
            inner.flat_map(|face| graph.triple(face)).all(|(other, _)| own.binary_search(&other).is_ok())
        })
    }

    /// Marks the sides of a new obstacle, and all others where it is not alone on walkable ground.
    fn settle(&mut self, id: ShapeId, kind: Kind, is_clear: bool) {
        self.forget_ways();
        self.set_kind(id, kind);
        if is_clear && self.diagram().changed == [id.index] && self.is_lone(id) {
            self.set_walkable(id, kind.sides());
        } else {
            self.mark_ground();
        }
    }

    pub(crate) fn set_kind(&mut self, id: ShapeId, kind: Kind) {
        let index = id.index as usize;
        if self.kinds.len() <= index {
            self.kinds.resize(index + 1, Kind::Thin);
        }
        self.kinds[index] = kind;
    }

    /// Forgets what is made from the roads when it is asked for.
    pub(crate) fn forget_ways(&mut self) {
        self.forest = OnceLock::new();
    }

    /// Marks the walkable sides of all walls by a flood from outside.
    pub(crate) fn mark_ground(&mut self) {
        self.forget_ways();
        let levels = Levels::of(self);
        let marks = levels.sides.iter().map(|sides| sides.map(|level| level.is_some_and(is_free)));
        self.walkable = marks.collect();
    }
}

/// The counts of ground and solids at a place.
type Level = [i32; 2];

fn is_free([ground, solid]: Level) -> bool {
    ground > 0 && solid == 0
}

/// The counts on both sides of each segment, and around each point without walls.
struct Levels {
    sides: Vec<[Option<Level>; 2]>,
    faces: Vec<Option<Level>>,
    waiting: Vec<u32>,
}

impl Levels {
    fn of(skeleton: &Skeleton) -> Levels {
        let (diagram, graph) = (skeleton.diagram(), &skeleton.diagram().graph);
        let mut steps = vec![[0i32; 2]; graph.sites.len()];
        for (id, kind) in diagram.shape_ids().map(|id| (id, skeleton.kinds[id.index as usize])) {
            for (site, _, is_same_way) in diagram.walls_of(id) {
                let step = kind.step().map(|count| if is_same_way { count } else { -count });
                let sum = &mut steps[site as usize];
                *sum = [sum[0] + step[0], sum[1] + step[1]];
            }
        }
        let mut levels = Levels {
            sides: vec![[None; 2]; graph.sites.len()],
            faces: vec![None; graph.discs.len()],
            waiting: Vec::new(),
        };
        for site in diagram.frame_sites() {
            for h in graph.spokes(site) {
                levels.reach(graph, h / 3, [0, 0]);
            }
        }
        while let Some(face) = levels.waiting.pop() {
            levels.spread(graph, &steps, face);
        }
        levels
    }

    /// Gives a face its counts. Corners of radius zero lie between grounds and get none.
    fn reach(&mut self, graph: &Graph, face: u32, level: Level) {
        if graph.discs[face as usize].circle.radius > 0.0 && self.faces[face as usize].is_none() {
            self.faces[face as usize] = Some(level);
            self.waiting.push(face);
        }
    }

    /// Passes the counts of a face on to its neighbours, and across the walls that its disc touches.
    fn spread(&mut self, graph: &Graph, steps: &[[i32; 2]], face: u32) {
        let Some(level) = self.faces[face as usize] else { return };
        let at = graph.discs[face as usize].circle.at;
        for h in face * 3..face * 3 + 3 {
            let beyond = graph.twin[h as usize] / 3;
            if !passes_through_end(graph, h, at, graph.discs[beyond as usize].circle.at) {
                self.reach(graph, beyond, level);
            }
            let (id, site) = (graph.from(h), graph.site(graph.from(h)));
            if site.is_point() {
                self.sides[id as usize] = [Some(level); 2];
                continue;
            }
            let side = usize::from(site.offset(at) < 0.0);
            if self.sides[id as usize][side].is_some() {
                continue;
            }
            let step = steps[id as usize].map(|count| if side == 0 { -count } else { count });
            let beyond = [level[0] + step[0], level[1] + step[1]];
            self.sides[id as usize][side] = Some(level);
            for h in graph.spokes(id) {
                if usize::from(site.offset(graph.circle(h).at) < 0.0) != side {
                    self.reach(graph, h / 3, beyond);
                }
            }
        }
    }
}

/// True for an edge between a wall and its own end that runs through that end to the other side. Where another wall goes
/// straight on, both of its sides are different grounds.
fn passes_through_end(graph: &Graph, h: u32, from: Vec2, to: Vec2) -> bool {
    let (a, b) = (graph.from(h), graph.to(h));
    let (one, other) = (graph.site(a), graph.site(b));
    let crosses = |wall: &Site| wall.offset(from) * wall.offset(to) < 0.0;
    one.ends_at(b) && crosses(one) || other.ends_at(a) && crosses(other)
}

/// A wall of a mesh on the grid, with ground on its left.
pub type MeshWall = [Point; 2];

impl Skeleton {
    /// Follows a change of the mesh: takes walls out and puts walls in. Walls are in grid units, with the ground on their
    /// left. On an error nothing changes. What asks about cells needs [`Skeleton::tie`] with the new mesh. Skeletons in
    /// layers are refused.
    pub fn apply_walls(&mut self, gone: &[MeshWall], come: &[MeshWall]) -> Result<()> {
        self.check_flat()?;
        for &[a, b] in come {
            self.diagram().check_shape(&Shape::Segment([a, b]))?;
        }
        let mut walls = self.walls.take().unwrap_or_else(|| self.mesh_walls());
        let result = self.change_walls(&mut walls, gone, come);
        self.walls = Some(walls);
        result
    }

    fn change_walls(
        &mut self,
        walls: &mut BTreeMap<MeshWall, ShapeId>,
        gone: &[MeshWall],
        come: &[MeshWall],
    ) -> Result<()> {
        self.forget_ways();
        let (mut out, mut into) = (Vec::new(), Vec::new());
        let mut result = Ok(());
        for wall in gone {
            result = match walls.remove(wall) {
                Some(id) => self.diagram_mut().remove(id),
                None => Err(Error::new(ErrorKind::Options, format!("there is no wall {wall:?}"))),
            };
            if result.is_err() {
                break;
            }
            out.push(*wall);
        }
        for wall in come.iter().take_while(|_| result.is_ok()).collect::<Vec<_>>() {
            result = self.add_wall(walls, *wall);
            into.extend(result.is_ok().then_some(*wall));
        }
        if result.is_err() {
            for id in into.iter().filter_map(|wall| walls.remove(wall)).collect::<Vec<_>>() {
                self.diagram_mut().remove(id)?;
            }
            for wall in out {
                self.add_wall(walls, wall)?;
            }
        }
        let has_obstacles = self.diagram().shape_count() > walls.len();
        if has_obstacles || !self.diagram().groups.is_empty() {
            self.mark_ground();
        }
        result
    }

    fn add_wall(&mut self, walls: &mut BTreeMap<MeshWall, ShapeId>, wall: MeshWall) -> Result<()> {
        if walls.contains_key(&wall) {
            return Err(Error::new(ErrorKind::Options, format!("the wall {wall:?} is there already")));
        }
        let id = self.diagram_mut().insert(&Shape::Segment(wall))?;
        walls.insert(wall, id);
        self.set_kind(id, Kind::Wall);
        self.set_walkable(id, Kind::Wall.sides());
        Ok(())
    }

    /// The walls of the mesh by their ends.
    fn mesh_walls(&self) -> BTreeMap<MeshWall, ShapeId> {
        let is_wall = |id: &ShapeId| self.kinds.get(id.index as usize) == Some(&Kind::Wall);
        let ids = self.diagram().shape_ids().filter(is_wall);
        ids.filter_map(|id| match self.diagram().drawn(id) {
            Some(Shape::Segment(ends)) => Some((ends, id)),
            _ => None,
        })
        .collect()
    }

    /// Ties the skeleton to the cells of a mesh after [`Skeleton::apply_walls`], so that questions by cell work again.
    pub fn tie(&mut self, mesh: &NavMesh) -> Result<()> {
        self.check_flat()?;
        let walls = self.walls.take().unwrap_or_else(|| self.mesh_walls());
        let parts = mesh.parts();
        let mut site_of_side = vec![NONE; parts.sides.len()];
        let mut missing = None;
        // The sides of a mesh that was edited are not in the order of its cells.
        for cell in mesh.cells().map(|cell| cell.id().0) {
            for side in parts.sides_of(cell).filter(|&side| parts.sides[side].portal == NONE) {
                let ends = [side, mesh.graph().next(cell, side)]
                    .map(|side| parts.points[parts.sides[side].vertex as usize]);
                let sites = walls.get(&ends).map(|&id| self.diagram().walls_of(id));
                match sites.and_then(|sites| sites.first().copied()) {
                    Some((site, ..)) => site_of_side[side] = site,
                    None => missing = Some(ends),
                }
            }
        }
        self.walls = Some(walls);
        if let Some(ends) = missing {
            let message = format!("the wall {ends:?} of the mesh is not in the skeleton");
            return Err(Error::new(ErrorKind::Options, message));
        }
        self.layers.site_of_side = site_of_side;
        Ok(())
    }
}

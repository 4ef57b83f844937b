//! The walls of a mesh in layers, by name, and how the skeleton follows them through edits of the mesh.
//!
//! The ends of a wall do not name it in layers, its vertices do. Whoever edits the mesh splits what crosses, touches or
//! covers, so walls arrive sound. Each goes in by places of the ground: a straight move over the edited mesh leads from an
//! end of the wall, and from its middle, to a wall that the diagram knows. From there a walk through the cells of the
//! diagram leads back (`follow`). The middle tells where the wall enters the diagram, so that no floor above or below
//! counts at an end where sheets were sewn. Cost: that of the walls and cells that changed.

use crate::circle::Circle;
use crate::diagram::{Beside, Diagram};
use crate::follow::Spot;
use crate::graph::Graph;
use crate::ground::Kind;
use crate::shapes::ShapeId;
use crate::sites::Site;
use crate::skeleton::Skeleton;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::NavMesh;
use clearway_nav::mesh::CellId;
use std::collections::{BTreeMap, BTreeSet};

/// The walls of a mesh by their vertices. A wall has the ground on its left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walls {
    shape_of: BTreeMap<[u32; 2], ShapeId>,
    /// Those that were there when the skeleton was built.
    built: BTreeSet<[u32; 2]>,
    /// The same walls by their vertices in the other order.
    backwards: BTreeSet<[u32; 2]>,
}

impl Walls {
    /// Adds a wall of the mesh from which the skeleton is built.
    pub fn add_built(&mut self, name: [u32; 2], id: ShapeId) {
        self.built.insert(name);
        self.add(name, id);
    }

    fn add(&mut self, [from, to]: [u32; 2], id: ShapeId) {
        self.shape_of.insert([from, to], id);
        self.backwards.insert([to, from]);
    }

    fn remove(&mut self, [from, to]: [u32; 2]) -> Option<ShapeId> {
        self.backwards.remove(&[to, from]);
        self.built.remove(&[from, to]);
        self.shape_of.remove(&[from, to])
    }

    /// The point site of a vertex, known from a wall that starts or ends there.
    fn site_of(&self, diagram: &Diagram, vertex: u32) -> Option<u32> {
        let all = [vertex, 0]..=[vertex, u32::MAX];
        let leaving = self.shape_of.range(all.clone()).next().map(|(_, &id)| (id, 0));
        let arriving = || {
            let [to, from] = *self.backwards.range(all).next()?;
            Some((*self.shape_of.get(&[from, to])?, 1))
        };
        let (id, end) = leaving.or_else(arriving)?;
        diagram.shapes[id.index as usize].points.get(end).copied()
    }
}

/// A wall of the mesh that is not in the skeleton yet.
#[derive(Clone, Copy)]
struct NewWall {
    name: [u32; 2],
    side: usize,
    cell: CellId,
    ends: [Point; 2],
}

/// A distance in grid units within which a place lies on a wall of which an edit left a piece: the piece may end a
/// rounding beside the wall.
const NEAR: f64 = 2.0;

/// The walls of an edit, as far as the diagram has followed it.
struct Known {
    /// Those that went.
    gone: Vec<Site>,
    /// The sites of those that came.
    come: Vec<u32>,
}

impl Known {
    /// The place of a point in a pocket that the edit enclosed: no wall that was there before can be seen from it. A
    /// straight walk from a wall that came, through nothing but ground that was open before the edit.
    fn spot(&self, graph: &Graph, at: Vec2) -> Option<Spot> {
        self.come.iter().find_map(|&wall| {
            let site = graph.site(wall);
            let from = (site.a + site.b) * 0.5;
            // Behind a piece of an old wall there may be no ground. The place itself may lie on one, up to its rounding.
            let before = at + (from - at) * (NEAR / from.distance(at)).min(1.0);
            let is_open = |gone: &Site| gone.distance(from) > NEAR && !crosses(gone, [from, before]);
            let is_open = self.gone.iter().all(is_open);
            let pass = |id: u32, way: [Vec2; 2]| {
                let site = graph.site(id);
                site.is_point() || self.come.contains(&id) || !crosses(site, way)
            };
            if is_open { graph.follow_while(wall, from, at, pass) } else { None }
        })
    }
}

/// True if a straight way crosses the line of a segment within its ends.
fn crosses(site: &Site, [from, to]: [Vec2; 2]) -> bool {
    let are_apart = site.offset(from) * site.offset(to) > 0.0;
    let d = to - from;
    !are_apart && d.cross(site.a - from) * d.cross(site.b - from) <= 0.0
}

impl Skeleton {
    /// Follows a change of a mesh in layers, and ties the skeleton to its cells. `mesh` is the mesh after the change. Walls
    /// that went and came are named by their vertices, each list sorted; `cells` are those that came. On an error nothing
    /// changes. A wall that finds no place leads to a build of the changed mesh, which
    /// [`Counters::rebuilds`](crate::Counters::rebuilds) counts.
    pub fn apply_walls_at(
        &mut self,
        mesh: &NavMesh,
        gone: &[[u32; 2]],
        come: &[[u32; 2]],
        cells: &[CellId],
    ) -> Result<()> {
        if !self.is_layered() {
            let message = "the walls of a plan are named by their ends: use Skeleton::apply_walls";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.check_names(gone, come)?;
        if !self.layers.cells_of.is_empty() {
            let message = "a skeleton in layers follows its mesh only while no obstacles of its own stand: \
                           take them out, or put them into the mesh";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        self.forget_ways();
        if self.leads_to_unknown_ground(gone) {
            return self.build_anew(mesh);
        }
        let open = gone.iter().filter_map(|name| self.site_of_wall(name));
        let mut edit =
            Known { gone: open.map(|site| *self.diagram().graph.site(site)).collect(), come: Vec::new() };
        for &name in gone {
            // Within a batch one edit may take what another one made; that was never here.
            if let Some(id) = self.layers.walls.remove(name) {
                self.diagram_mut().remove(id)?;
            }
        }
        // Within a batch a cell may come more than once.
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        cells.dedup();
        let waiting = self.tie_cells(mesh, &cells);
        if self.add_walls(mesh, waiting, &mut edit).is_none() {
            return self.build_anew(mesh);
        }
        self.layers.epoch = mesh.epoch();
        Ok(())
    }

    fn build_anew(&mut self, mesh: &NavMesh) -> Result<()> {
        let mut counters = self.diagram().counters();
        counters.rebuilds += 1;
        *self = Skeleton::build(mesh)?;
        self.diagram_mut().graph.counters = counters;
        Ok(())
    }

    fn site_of_wall(&self, name: &[u32; 2]) -> Option<u32> {
        let id = self.layers.walls.shape_of.get(name)?;
        self.diagram().shapes[id.index as usize].segments.first().copied()
    }

    /// True if walls go behind which the sheets may not be sewn as they must. The ground under obstacles that stood before
    /// the build is unknown. A wall with ground on both sides has a copy in each of two sheets if no other way joined them.
    /// And if just one side of it goes, what comes instead may lie a rounding behind the other side.
    fn leads_to_unknown_ground(&self, gone: &[[u32; 2]]) -> bool {
        let walls = &self.layers.walls;
        if self.layers.built_at > 0 && gone.iter().any(|name| walls.built.contains(name)) {
            return true;
        }
        let diagram = self.diagram();
        let mut sites: Vec<u32> = gone.iter().filter_map(|name| self.site_of_wall(name)).collect();
        sites.sort_unstable();
        if sites.chunk_by(|a, b| a == b).any(|same| diagram.owner_count(same[0]) as usize > same.len()) {
            return true;
        }
        let copies = gone.iter().filter(|name| walls.built.contains(*name)).filter_map(|name| {
            let site = self.site_of_wall(name)?;
            let Site { a, b, .. } = diagram.graph.site(site);
            let [a, b] = [a, b].map(|at| [at.x as i64, at.y as i64]);
            Some(([a.min(b), a.max(b)], site))
        });
        let mut copies: Vec<_> = copies.collect();
        copies.sort_unstable();
        copies.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
    }

    /// Refuses walls that go and are not there, and walls that come and are there already.
    fn check_names(&self, gone: &[[u32; 2]], come: &[[u32; 2]]) -> Result<()> {
        let is_known = |name: &[u32; 2]| self.layers.walls.shape_of.contains_key(name);
        let wrong = |[from, to]: [u32; 2], what: &str| {
            let message = format!("the wall from vertex {from} to vertex {to} is {what}");
            Err(Error::new(ErrorKind::Options, message))
        };
        let is_missing = |name: &&[u32; 2]| !is_known(name) && come.binary_search(name).is_err();
        if let Some(&name) = gone.iter().find(is_missing) {
            return wrong(name, "not in the skeleton");
        }
        match come.iter().find(|name| is_known(name) && gone.binary_search(name).is_err()) {
            Some(&name) => wrong(name, "in the skeleton already"),
            None => Ok(()),
        }
    }

    /// Ties the sides of cells to the sites of their walls. Returns the walls that have none yet.
    fn tie_cells(&mut self, mesh: &NavMesh, cells: &[CellId]) -> Vec<NewWall> {
        let (parts, graph) = (mesh.parts(), mesh.graph());
        let mut new = Vec::new();
        if self.layers.site_of_side.len() < parts.sides.len() {
            self.layers.site_of_side.resize(parts.sides.len(), NONE);
        }
        for &cell in cells.iter().filter(|&&cell| mesh.cell(cell).is_some()) {
            for side in graph.sides(cell.0) {
                self.layers.site_of_side[side] = NONE;
                if parts.sides[side].portal != NONE {
                    continue;
                }
                let name = [side, graph.next(cell.0, side)].map(|side| parts.sides[side].vertex);
                let ends = name.map(|vertex| parts.points[vertex as usize]);
                match self.layers.walls.shape_of.get(&name) {
                    Some(&id) => self.tie_side(side, id),
                    None => new.push(NewWall { name, side, cell, ends }),
                }
            }
        }
        new
    }

    fn tie_side(&mut self, side: usize, id: ShapeId) {
        let site = self.diagram().shapes[id.index as usize].segments.first();
        self.layers.site_of_side[side] = site.copied().unwrap_or(NONE);
    }

    /// Puts walls in. One that sees only walls that are still missing waits for them, or is found through what the edit
    /// covered. `None` if some found no place.
    fn add_walls(&mut self, mesh: &NavMesh, mut waiting: Vec<NewWall>, edit: &mut Known) -> Option<()> {
        let mut is_stuck = false;
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut later = Vec::new();
            for wall in waiting {
                let through = if is_stuck { Some(&*edit) } else { None };
                match self.add_wall_beside(mesh, &wall, through) {
                    Some(site) => edit.come.push(site),
                    None => later.push(wall),
                }
            }
            if later.len() == before && is_stuck {
                return None;
            }
            is_stuck = later.len() == before;
            waiting = later;
        }
        Some(())
    }

    /// Puts a wall in by the places of its ends and of its middle. Returns its site; `None` leaves the skeleton as it was.
    fn add_wall_beside(&mut self, mesh: &NavMesh, wall: &NewWall, through: Option<&Known>) -> Option<u32> {
        let mut points = Vec::with_capacity(2);
        let made = self.wall_sites(mesh, wall, through, &mut points);
        let Some(segment) = made else {
            points.into_iter().for_each(|point| self.diagram_mut().disown(point));
            return None;
        };
        let diagram = self.diagram_mut();
        let id = diagram.new_shape(&points);
        diagram.shapes[id.index as usize].segments = vec![segment];
        self.set_kind(id, Kind::Wall);
        self.set_walkable(id, Kind::Wall.sides());
        self.layers.walls.add(wall.name, id);
        self.tie_side(wall.side, id);
        Some(segment)
    }

    /// The sites of a wall, each with one more owner. What it made before it failed is in `points`.
    fn wall_sites(
        &mut self,
        mesh: &NavMesh,
        wall: &NewWall,
        through: Option<&Known>,
        points: &mut Vec<u32>,
    ) -> Option<u32> {
        for (vertex, at) in wall.name.into_iter().zip(wall.ends) {
            let site = match self.layers.walls.site_of(self.diagram(), vertex) {
                Some(site) => {
                    self.diagram_mut().add_owner(site);
                    site
                }
                None => {
                    let beside = self.beside(mesh, wall, at.as_vec2(), through)?;
                    self.diagram_mut().point_site_beside(at, &beside).ok()?
                }
            };
            points.push(site);
        }
        let [a, b] = wall.ends.map(Point::as_vec2);
        let beside = self.beside(mesh, wall, (a + b) * 0.5, through)?;
        self.diagram_mut().wall_site_beside([points[0], points[1]], &beside).ok()
    }

    /// The place in the diagram of a point on the border of a wall's cell, by straight moves across that cell first.
    fn beside(&self, mesh: &NavMesh, wall: &NewWall, at: Vec2, through: Option<&Known>) -> Option<Beside> {
        const ACROSS: [f64; 4] = [0.382, 0.618, 0.146, 0.854];
        let graph = mesh.graph();
        let sides = graph.sides(wall.cell.0).map(|side| graph.ends(wall.cell.0, side));
        let facing = sides.filter(|[a, b]| (*b - *a).cross(at - *a) > 0.0);
        let targets = facing.flat_map(|[a, b]| ACROSS.map(|t| a + (b - a) * t));
        let rays = targets.map(|to| (to - at) * (1.0 / at.distance(to))).collect::<Vec<Vec2>>();
        let spot = self.spot_by_rays(self.diagram(), mesh, (wall.cell, at), rays.into_iter());
        let spot = spot.or_else(|| through?.spot(&self.diagram().graph, at))?;
        let exit = self.diagram().graph.retract_from(&spot);
        let exit = exit.map(|(edge, centre, radius)| (edge, Circle::new(centre, radius)));
        Some(Beside { nearest: spot.site, exit })
    }
}

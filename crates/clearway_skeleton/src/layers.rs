//! The skeleton of a mesh: one diagram per sheet, then every portal between two sheets is opened.
//!
//! Portals between sheets go in as walls of both. Opening them one by one gives the diagram of the whole surface
//! (`glue`). A point at which no wall ends goes out once all portals around it are open. Cost: that of the sheets, and
//! a removal for each portal between two of them.

use crate::diagram::Diagram;
use crate::ground::Kind;
use crate::shapes::{Shape, ShapeId};
use crate::skeleton::Skeleton;
use crate::walls::Walls;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::{CellId, Sheets};
use clearway_nav::{MeshParts, NavMesh};
use std::collections::BTreeMap;

/// What ties a skeleton to the cells of its mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    /// For each side of a cell, the site of its wall; [`NONE`] for a portal.
    pub site_of_side: Vec<u32>,
    /// The number of sheets.
    pub sheet_count: usize,
    /// The number of portals between sheets.
    pub opened: usize,
    /// In layers, the cells of each obstacle's corners.
    pub cells_of: BTreeMap<ShapeId, Vec<CellId>>,
    /// In layers, the walls of the mesh by their vertices.
    pub walls: Walls,
    /// The epoch of the mesh that it follows.
    pub epoch: u64,
    /// The epoch of the mesh from which the skeleton was built.
    pub built_at: u64,
}

/// The shapes of a sheet, each with the side or the portal that it comes from.
#[derive(Default)]
struct Sheet {
    shapes: Vec<Shape>,
    origins: Vec<Origin>,
}

impl AsRef<[Shape]> for Sheet {
    fn as_ref(&self) -> &[Shape] {
        &self.shapes
    }
}

#[derive(Clone, Copy)]
enum Origin {
    /// A wall: a side of a cell, and its vertices.
    Wall(usize, [u32; 2]),
    /// A portal, as its first or its second cell sees it.
    Portal(usize, usize),
}

impl Skeleton {
    /// The number of parts into which the mesh was cut so that none lies over itself; one for a plan.
    pub fn sheet_count(&self) -> usize {
        self.layers.sheet_count
    }

    /// The number of portals between these parts.
    pub fn connection_count(&self) -> usize {
        self.layers.opened
    }

    /// Builds the skeleton of a mesh from its sheets.
    pub(crate) fn build_sheets(mesh: &NavMesh, sheets: Sheets) -> Result<Skeleton> {
        let parts = mesh.parts();
        let lists = shapes_of(parts, &sheets);
        let corners = lists.iter().flat_map(|sheet| sheet.shapes.iter().flat_map(|shape| shape.corners()));
        // The gate of the mesh made sure that its walls do not cross within a sheet.
        let (diagram, ids) = Diagram::build_sheets(bounds(corners)?, &lists, false)?;
        let mut skeleton = Skeleton::over(diagram, parts.grid);
        let mut site_of_side = vec![NONE; parts.sides.len()];
        let mut copies = vec![[NONE; 2]; parts.portals.len()];
        let (mut doors, mut walls) = (Vec::new(), Vec::new());
        for (sheet, ids) in lists.iter().zip(ids) {
            for (origin, id) in sheet.origins.iter().zip(ids) {
                let segments = skeleton.diagram().sites_of(id).map(|[_, segments]| segments);
                let site =
                    segments.and_then(|segments| segments.first().copied()).map_or(NONE, |site| site.0);
                match *origin {
                    Origin::Wall(side, name) => {
                        skeleton.set_kind(id, Kind::Wall);
                        skeleton.set_walkable(id, [true, false]);
                        site_of_side[side] = site;
                        walls.push((name, id));
                    }
                    Origin::Portal(portal, end) => {
                        copies[portal][end] = site;
                        doors.push(id);
                    }
                }
            }
        }
        let opened = skeleton.open_portals(parts, &copies)?;
        // An open portal is no shape any more: nobody may take its sites out again.
        for id in doors {
            skeleton.diagram_mut().retire(id.index as usize, id.generation);
        }
        let walls = if sheets.count > 1 { skeleton.settle_walls(parts, &walls) } else { Walls::default() };
        skeleton.layers = Layers {
            site_of_side,
            sheet_count: sheets.count,
            opened,
            cells_of: BTreeMap::new(),
            walls,
            epoch: mesh.epoch(),
            built_at: mesh.epoch(),
        };
        Ok(skeleton)
    }

    /// Gives walls, each by its vertices, the points at which they end after sheets were sewn.
    fn settle_walls(&mut self, parts: &MeshParts, named: &[([u32; 2], ShapeId)]) -> Walls {
        let diagram = self.diagram_mut();
        let mut walls = Walls::default();
        for &(name, id) in named {
            let owned = &mut diagram.shapes[id.index as usize];
            if let Some(&segment) = owned.segments.first() {
                let site = diagram.graph.site(segment);
                let is_same_way = site.a == parts.points[name[0] as usize].as_vec2();
                let [a, b] = site.ends;
                owned.points = if is_same_way { vec![a, b] } else { vec![b, a] };
            }
            walls.add_built(name, id);
        }
        diagram.count_owners();
        walls
    }

    /// Opens all portals that have a copy in two sheets. Returns their number.
    fn open_portals(&mut self, parts: &MeshParts, copies: &[[u32; 2]]) -> Result<usize> {
        let graph = &mut self.diagram_mut().graph;
        let mut ends = Vec::new();
        let mut opened = 0;
        for (portal, &pair) in copies.iter().enumerate().filter(|(_, pair)| pair[0] != NONE) {
            let Some(found) = graph.open(pair) else {
                let [a, b] = parts.portals[portal].vertices.map(|vertex| parts.points[vertex as usize]);
                let message =
                    format!("portal {portal} from {a:?} to {b:?} could not be opened between its sheets");
                return Err(Error::new(ErrorKind::Internal, message));
            };
            ends.extend(found);
            opened += 1;
        }
        ends.sort_unstable();
        ends.dedup();
        for point in ends {
            if graph.is_bare(point) {
                graph.detach(point);
                graph.forget_site(point);
            }
        }
        let count = graph.sites.len();
        self.walkable_mut().resize(count, [false; 2]);
        Ok(opened)
    }
}

impl Diagram {
    /// Counts the owners of all sites anew. What no shape owns stays for ever: frames, and what keeps sheets apart.
    pub(crate) fn count_owners(&mut self) {
        self.owners.clear();
        self.owners.resize(self.graph.sites.len(), 0);
        for owned in self.shapes.iter().filter(|owned| owned.is_alive) {
            for &id in owned.points.iter().chain(&owned.segments) {
                self.owners[id as usize] += 1;
            }
        }
        for id in 0..self.graph.sites.len() {
            let ends = self.graph.sites[id].ends;
            if self.graph.spoke[id] == NONE {
                continue;
            }
            if ends[0] != NONE {
                self.owners[id] = self.owners[id].max(1);
                ends.into_iter().for_each(|end| self.owners[end as usize] += 1);
            }
        }
        for (owners, spoke) in self.owners.iter_mut().zip(&self.graph.spoke) {
            *owners = (*owners).max(u32::from(*spoke != NONE));
        }
    }
}

/// The walls and the portals to other sheets, sheet by sheet.
fn shapes_of(parts: &MeshParts, sheets: &Sheets) -> Vec<Sheet> {
    let mut lists: Vec<Sheet> = (0..sheets.count).map(|_| Sheet::default()).collect();
    let mut add = |cell: usize, vertices: [u32; 2], origin: Origin| {
        let ends: [Point; 2] = vertices.map(|vertex| parts.points[vertex as usize]);
        let sheet = &mut lists[sheets.of_cell[cell] as usize];
        sheet.shapes.push(Shape::Segment(ends));
        sheet.origins.push(origin);
    };
    for cell in 0..sheets.of_cell.len() {
        let std::ops::Range { start: first, end: last } = parts.sides_of(cell as u32);
        for side in (first..last).filter(|&side| parts.sides[side].portal == NONE) {
            let after = if side + 1 == last { first } else { side + 1 };
            let name = [side, after].map(|side| parts.sides[side].vertex);
            add(cell, name, Origin::Wall(side, name));
        }
    }
    for (index, portal) in parts.portals.iter().enumerate().filter(|(_, portal)| portal.cells[0] != NONE) {
        let [one, other] = portal.cells.map(|cell| cell as usize);
        if sheets.of_cell[one] != sheets.of_cell[other] {
            add(one, portal.vertices, Origin::Portal(index, 0));
            add(other, portal.vertices, Origin::Portal(index, 1));
        }
    }
    lists
}

/// The box around points.
fn bounds<'a>(points: impl Iterator<Item = &'a Point>) -> Result<[Point; 2]> {
    let join = |[min, max]: [Point; 2], p: &Point| {
        [Point::new(min.x.min(p.x), min.y.min(p.y)), Point::new(max.x.max(p.x), max.y.max(p.y))]
    };
    let mut bounds = None;
    for p in points {
        bounds = Some(bounds.map_or([*p; 2], |known| join(known, p)));
    }
    bounds.ok_or_else(|| Error::new(ErrorKind::Empty, "the mesh has no walls"))
}

//! How high the ground lies: the faces that the mesh was made from, and which of them are whose.
//!
//! Cells are convex in projection, not flat: heights come from the faces of the scene. A cell may lie on several
//! charts, which is what the faces were grouped into; the patches of a cell tell where it lies on which. Within one
//! chart no two faces lie over each other, so that a place in a cell has one height.

use super::{Cell, CellId, NavMesh, Side};
use clearway_base::parallel::sort;
use crate::surface::{BoxGrid, Box2, NearestFace, ROUNDING, WalkableSurface};
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{NONE, Point, Vec2};
use rayon::prelude::*;

/// A piece of ground on one chart, a triangle in projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub chart: u32,
    pub corners: [Point; 3],
}

/// The ground under a mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Relief {
    /// Corners of faces: place and height on the grid.
    pub points: Vec<(Point, i32)>,
    pub faces: Vec<[u32; 3]>,
    /// The chart of each face.
    pub chart_of: Vec<u32>,
    /// For each cell, where its patches start; one more entry ends the last.
    pub first_patch: Vec<u32>,
    pub patches: Vec<Patch>,
    /// The area class of each cell.
    pub area_of: Vec<u8>,
    /// The names of the area classes.
    pub areas: Vec<String>,
    /// The greatest step that joins cells, in metres.
    pub max_step: f64,
    /// The head-room over every cell, in metres.
    pub body_height: f64,
}

impl Relief {
    /// The ground of a surface under the mesh made from it; `vertex_of` tells the mesh's number of each vertex of the
    /// surface.
    pub fn under(mesh: &NavMesh, surface: &WalkableSurface, vertex_of: &[u32]) -> Relief {
        let walkable = surface.charts.chart_of.len() as u32;
        let is_used = used_charts(surface);
        let living = |face: &u32| {
            let chart = surface.charts.chart_of[*face as usize];
            chart != NONE && is_used[chart as usize]
        };
        let faces: Vec<u32> = (0..walkable).filter(living).collect();
        let mut number = vec![NONE; surface.soup.corners.len()];
        let mut relief = Relief {
            areas: surface.areas.clone(),
            max_step: surface.max_step,
            body_height: surface.body_height,
            ..Relief::default()
        };
        for face in &faces {
            let corners = surface.soup.faces[*face as usize].corners.map(|corner| {
                let known = &mut number[corner as usize];
                if *known == NONE {
                    *known = relief.points.len() as u32;
                    let corner = surface.soup.corners[corner as usize];
                    relief.points.push((corner.at, corner.height));
                }
                *known
            });
            relief.faces.push(corners);
            relief.chart_of.push(surface.charts.chart_of[*face as usize]);
        }
        relief.lay_patches(mesh, surface, vertex_of);
        relief
    }

    /// Finds which triangles of the surface lie in which cell: both divide the same surface, so that one gets from each
    /// such pair to its neighbours by crossing an edge of either. Within cells that is done side by side, and what they
    /// tell about their neighbours is the start of the next round.
    fn lay_patches(&mut self, mesh: &NavMesh, surface: &WalkableSurface, vertex_of: &[u32]) {
        let overlay = Overlay { mesh, surface };
        let mut triangles_of: Vec<Vec<u32>> = vec![Vec::new(); mesh.cell_count()];
        let mut fresh: Vec<(u32, u32)> = overlay.starts(vertex_of);
        while !fresh.is_empty() {
            sort(&mut fresh);
            fresh.dedup();
            let runs: Vec<&[(u32, u32)]> = fresh.chunk_by(|p, q| p.0 == q.0).collect();
            let flood = |run: &&[(u32, u32)]| overlay.flood(run, &triangles_of[run[0].0 as usize]);
            let grown: Vec<Flooded> = runs.par_iter().map(flood).collect();
            let cells: Vec<u32> = runs.iter().map(|run| run[0].0).collect();
            fresh.clear();
            for (cell, Flooded { triangles, mut beyond }) in cells.into_iter().zip(grown) {
                triangles_of[cell as usize] = triangles;
                fresh.append(&mut beyond);
            }
            fresh.retain(|(cell, triangle)| !triangles_of[*cell as usize].contains(triangle));
        }
        lend_to_empty(mesh, &mut triangles_of);
        self.first_patch = vec![0];
        for triangles in &mut triangles_of {
            triangles.sort_unstable();
            self.add_patches(surface, triangles);
        }
    }

    /// The patches and the area class of one cell.
    fn add_patches(&mut self, surface: &WalkableSurface, triangles: &[u32]) {
        let fabric = &surface.fabric;
        let patch = |triangle: &u32| Patch {
            chart: fabric.chart[*triangle as usize],
            corners: [0, 1, 2].map(|i| fabric.from(3 * triangle + i)),
        };
        let patches = triangles.iter().map(patch);
        let first = patches.clone().next();
        self.area_of.push(first.map_or(0, |patch| surface.charts.area(patch.chart, &surface.soup)));
        self.add_cell(patches);
    }

    /// The patches of the next cell: one for all where all lie on one chart.
    fn add_cell(&mut self, patches: impl Iterator<Item = Patch> + Clone) {
        let first = patches.clone().next().map(|patch| patch.chart);
        let is_one = patches.clone().all(|patch| Some(patch.chart) == first);
        self.patches.extend(patches.take(if is_one { 1 } else { usize::MAX }));
        self.first_patch.push(self.patches.len() as u32);
    }

    /// The same ground under other cells; for each of them those here that it was joined from.
    pub fn regrouped(&self, joined: &[Vec<u32>]) -> Relief {
        let mut relief = Relief {
            first_patch: vec![0],
            patches: Vec::new(),
            area_of: joined.iter().map(|cells| self.area_of[cells[0] as usize]).collect(),
            ..self.clone()
        };
        for cells in joined {
            relief.add_cell(cells.iter().flat_map(|cell| self.patches_of(*cell)).copied());
        }
        relief
    }

    /// Whether two cells lie on one and the same chart, and on no other.
    pub fn share_a_chart(&self, cells: [u32; 2]) -> bool {
        let [one, other] = cells.map(|cell| self.patches_of(cell));
        matches!((one, other), ([one], [other]) if one.chart == other.chart)
    }

    /// The patches of a cell.
    pub fn patches_of(&self, cell: u32) -> &[Patch] {
        let range = self.first_patch.get(cell as usize).zip(self.first_patch.get(cell as usize + 1));
        let range = range.map(|(first, last)| *first as usize..*last as usize);
        range.and_then(|range| self.patches.get(range)).unwrap_or_default()
    }

    /// The corners of a face, in the plane and in height.
    pub(super) fn corners(&self, face: u32) -> [(Vec2, f64); 3] {
        self.faces[face as usize].map(|corner| {
            let (at, height) = self.points[corner as usize];
            (at.as_vec2(), f64::from(height))
        })
    }

    /// The height of a face over a place; beside it no higher and no lower than its corners.
    fn height_on(&self, face: u32, at: Vec2) -> f64 {
        let [(a, low), (b, mid), (c, high)] = self.corners(face);
        let whole = (b - a).cross(c - a);
        let [u, v, w] = [(b, c), (c, a), (a, b)].map(|(p, q)| (q - p).cross(at - p));
        let [least, most] = [f64::min, f64::max].map(|of: fn(f64, f64) -> f64| of(of(low, mid), high));
        ((u * low + v * mid + w * high) / whole).clamp(least, most)
    }
}

/// Cells too thin to hold more than the border of any triangle take those of a neighbour.
fn lend_to_empty(mesh: &NavMesh, triangles_of: &mut [Vec<u32>]) {
    let mut changed = true;
    while changed {
        changed = false;
        for portal in &mesh.portals {
            let [a, b] = portal.cells.map(|cell| cell as usize);
            for (to, from) in [(a, b), (b, a)] {
                if triangles_of[to].is_empty() && !triangles_of[from].is_empty() {
                    triangles_of[to] = triangles_of[from].clone();
                    changed = true;
                }
            }
        }
    }
}

/// Charts of which something is left.
fn used_charts(surface: &WalkableSurface) -> Vec<bool> {
    let mut is_used = vec![false; surface.charts.charts.len()];
    for chart in &surface.fabric.chart {
        is_used[*chart as usize] = true;
    }
    is_used
}

/// Cells laid over the triangles of the surface.
struct Overlay<'a> {
    mesh: &'a NavMesh,
    surface: &'a WalkableSurface,
}

/// The triangles of a cell, and what follows from them for its neighbours.
struct Flooded {
    triangles: Vec<u32>,
    beyond: Vec<(u32, u32)>,
}

impl Overlay<'_> {
    /// At every wall a cell and a triangle begin at the same vertex.
    fn starts(&self, vertex_of: &[u32]) -> Vec<(u32, u32)> {
        let mut cell_at = vec![NONE; self.mesh.vertex_count()];
        for cell in self.mesh.cells() {
            for side in cell.records().iter().filter(|side| side.portal == NONE) {
                cell_at[side.vertex as usize] = cell.id().0;
            }
        }
        let fabric = &self.surface.fabric;
        let ends = (0..fabric.len()).filter(|e| fabric.twin[*e as usize] == NONE);
        let pair = |e: u32| {
            let vertex = *self.surface.outline.vertex_of.get(e as usize)?;
            let vertex = *vertex_of.get(vertex as usize)?;
            let cell = *cell_at.get(vertex as usize)?;
            (cell != NONE).then_some((cell, e / 3))
        };
        ends.filter_map(pair).collect()
    }

    /// The triangles of a cell, from those that are known already and some new ones, all in the run of one cell.
    fn flood(&self, fresh: &[(u32, u32)], known: &[u32]) -> Flooded {
        let mut triangles = Vec::with_capacity(known.len() + fresh.len() + SOME);
        triangles.extend(known.iter().copied().chain(fresh.iter().map(|pair| pair.1)));
        let (mut beyond, mut done) = (Vec::with_capacity(SOME), known.len());
        let own = fresh[0].0;
        let Some(view) = self.mesh.cell(CellId(own)) else { return Flooded { triangles, beyond } };
        let room = Room::of(self.mesh, &view);
        let mut found = Vec::with_capacity(SOME);
        while done < triangles.len() {
            self.neighbours(&room, triangles[done], &triangles, &mut found);
            for (cell, triangle) in found.drain(..) {
                match cell == own {
                    true if triangles.contains(&triangle) => {}
                    true => triangles.push(triangle),
                    false => beyond.push((cell, triangle)),
                }
            }
            done += 1;
        }
        beyond.sort_unstable();
        beyond.dedup();
        Flooded { triangles, beyond }
    }

    /// The same cell on the next triangles but for those `known`, the next cells on the same triangle, and where two of
    /// their sides run along each other, the next cell on the next triangle.
    fn neighbours(&self, room: &Room, triangle: u32, known: &[u32], found: &mut Vec<(u32, u32)>) {
        let fabric = &self.surface.fabric;
        let corners = [0, 1, 2].map(|i| fabric.from(3 * triangle + i));
        let twins = [0, 1, 2].map(|i| fabric.twin[(3 * triangle + i) as usize]);
        let edges = [0, 1, 2].map(|i| Edge::between(corners[i], corners[(i + 1) % 3]));
        let inner = || edges.iter().zip(twins).filter(|(_, twin)| *twin != NONE);
        let is_known = |triangle: u32| known.len() <= FEW && known.contains(&triangle);
        for (edge, twin) in inner() {
            if !is_known(twin / 3) && edge.passes_inside(&room.outline) {
                found.push((room.cell, twin / 3));
            }
        }
        let extent = Box2::of(&corners);
        // Most lie far apart: that is told at once.
        for door in room.doors.iter().filter(|door| door.extent.touches(&extent)) {
            if door.edge.passes_inside(&edges) {
                found.push((door.beyond, triangle));
            }
            let along = inner().filter(|(edge, _)| door.runs_along(edge));
            found.extend(along.map(|(_, twin)| (door.beyond, twin / 3)));
        }
    }
}

/// What of a cell is asked for every triangle.
struct Room {
    cell: u32,
    outline: Vec<Edge>,
    doors: Vec<Door>,
}

impl Room {
    fn of(mesh: &NavMesh, cell: &Cell<'_>) -> Room {
        let own = cell.id().0;
        let following = cell.points().skip(1).chain(cell.points().take(1));
        let sides = cell.points().zip(following);
        let doors = cell.records().iter().zip(sides.clone()).filter(|(side, _)| side.portal != NONE);
        let door = |(side, (start, end)): (&Side, (Point, Point))| {
            let cells = mesh.portals[side.portal as usize].cells;
            Door::between(start, end, if cells[0] == own { cells[1] } else { cells[0] })
        };
        let doors = doors.map(door).collect();
        Room { cell: own, outline: sides.map(|(start, end)| Edge::between(start, end)).collect(), doors }
    }
}

/// A portal of a cell, and the cell beyond it.
struct Door {
    edge: Edge,
    /// What comes within a grid unit touches this box.
    extent: Box2,
    beyond: u32,
}

impl Door {
    fn between(start: Point, end: Point, beyond: u32) -> Door {
        let edge = Edge::between(start, end);
        Door { edge, extent: Box2::of(&[start, end]).grown(1), beyond }
    }

    /// Whether an edge runs along it for a while.
    fn runs_along(&self, other: &Edge) -> bool {
        let Edge { start, along, length, .. } = self.edge;
        let direction = along * (1.0 / length);
        let off = [other.start, other.end].map(|at| at - start);
        let [a, b] = off.map(|off| direction.dot(off));
        off.into_iter().all(|off| direction.cross(off).abs() <= BESIDE)
            && a.max(b).min(length) - a.min(b).max(0.0) > BESIDE
    }
}

/// Most cells lie on fewer triangles than this.
const SOME: usize = 16;

/// To look through this many triangles costs less than to ask whether an edge passes through a cell.
const FEW: usize = 128;

/// Sides closer together than this count as one, in grid units.
const BESIDE: f64 = 0.25;

/// An edge of a cell or of a triangle, with that on its left.
struct Edge {
    start: Vec2,
    end: Vec2,
    along: Vec2,
    length: f64,
}

impl Edge {
    fn between(start: Point, end: Point) -> Edge {
        let (start, end) = (start.as_vec2(), end.as_vec2());
        Edge { start, end, along: end - start, length: (end - start).length() }
    }

    /// Whether some of it lies inside a convex outline, off its border.
    fn passes_inside(&self, outline: &[Edge]) -> bool {
        let (mut enter, mut leave, mut is_clear) = (0.0f64, 1.0f64, true);
        for Edge { start, along, length, .. } in outline {
            let [before, after] = [self.start, self.end].map(|at| along.cross(at - *start));
            if before <= 0.0 && after <= 0.0 {
                return false;
            }
            if before < 0.0 {
                enter = enter.max(before / (before - after));
            } else if after < 0.0 {
                leave = leave.min(before / (before - after));
            }
            is_clear &= before.min(after) >= 0.0 && before + after > 4.0 * BESIDE * length;
        }
        // Most edges lie inside as a whole, with their middles well off the border.
        if is_clear || leave <= enter {
            return is_clear;
        }
        let middle = self.start + self.along * (0.5 * (enter + leave));
        let is_off = |side: &Edge| side.along.cross(middle - side.start) > BESIDE * side.length;
        outline.iter().all(is_off)
    }
}

/// Finds the faces at a place; follows from the relief.
#[derive(Debug)]
pub(crate) struct ReliefIndex {
    pub(super) bins: BoxGrid,
}

impl NavMesh {
    pub(super) fn relief_index(&self) -> Option<(&Relief, &ReliefIndex)> {
        let relief = self.relief.as_deref()?;
        let index = self.relief_index.get_or_make(|| {
            let extent = |face: &[u32; 3]| Box2::of(&face.map(|corner| relief.points[corner as usize].0));
            ReliefIndex { bins: BoxGrid::of(relief.faces.iter().map(extent).collect()) }
        });
        Some((relief, index))
    }

    /// Whether the mesh was made from a scene: whether its ground has heights.
    pub fn has_heights(&self) -> bool {
        self.relief.is_some()
    }

    /// The height in metres of the ground of a cell at a place in grid units; zero for the mesh of a plan.
    pub(crate) fn ground_height(&self, cell: u32, at: Vec2) -> f64 {
        let Some((relief, index)) = self.relief_index() else { return 0.0 };
        let patches = relief.patches_of(cell);
        let Some(patch) = patch_at(patches, at) else { return 0.0 };
        let nearest = |to: Vec2| {
            let mut nearest = NearestFace::to(to);
            let spot = super::heights::grid_point(to);
            // Places on walls may lie beside the faces by what rounding moved.
            for margin in [2, 4, 64, 4096] {
                index.bins.each_touching(&Box2 { min: spot, max: spot }.grown(margin), |face| {
                    if relief.chart_of[face as usize] == patch.chart {
                        nearest.offer(relief.corners(face).map(|(at, _)| at), |_| relief.height_on(face, at));
                    }
                });
                if nearest.height().is_some() {
                    break;
                }
            }
            nearest
        };
        let mut found = nearest(at);
        if found.is_torn() {
            // A patch lies on faces of one height; that of a cell with one only stands for all of it.
            found = nearest(match patches {
                [_] => self.off_border(cell, at),
                _ => towards(at, middle_of(patch.corners)),
            });
        }
        found.height().unwrap_or(0.0) * self.unit()
    }

    /// A place on the border of a cell, moved inwards far enough to tell what ground it belongs to.
    fn off_border(&self, cell: u32, at: Vec2) -> Vec2 {
        let is_on = |[from, to]: [Vec2; 2]| (to - from).cross(at - from) <= ROUNDING * (to - from).length();
        let mut lines = self.cell(CellId(cell)).into_iter().flat_map(|cell| cell.lines());
        if lines.any(is_on) { towards(at, self.middle(cell)) } else { at }
    }

    /// The area class of a cell; zero for the mesh of a plan.
    pub(crate) fn area_class(&self, cell: u32) -> u8 {
        let relief = self.relief.as_deref();
        relief.and_then(|relief| relief.area_of.get(cell as usize)).copied().unwrap_or(0)
    }

    /// All heights at which the mesh has ground over a place of the ground plane, lowest first.
    pub fn heights_at(&self, x: f64, z: f64) -> Vec<f64> {
        let at = self.grid.units([x, -z]);
        let mut heights: Vec<f64> =
            self.cells_holding(at).into_iter().map(|cell| self.ground_height(cell, at)).collect();
        heights.sort_by(f64::total_cmp);
        // On a portal both cells have the place.
        heights.dedup_by(|p, q| (*p - *q).abs() < 1e-6);
        heights
    }

    /// Whether a cell holds a place in grid units.
    pub(super) fn covers(&self, cell: u32, at: Vec2) -> bool {
        let is_left = |[from, to]: [Vec2; 2]| (to - from).cross(at - from) >= 0.0;
        self.cell(CellId(cell)).is_some_and(|cell| cell.lines().all(is_left))
    }

    /// All cells that hold a place in grid units.
    pub(crate) fn cells_holding(&self, at: Vec2) -> Vec<u32> {
        let mut found = Vec::new();
        let _ = self.index().touching(at, at, |cell| {
            if self.covers(cell, at) {
                found.push(cell);
            }
            std::ops::ControlFlow::<()>::Continue(())
        });
        found
    }
}

/// A place moved towards another, farther than rounding may have moved it.
fn towards(at: Vec2, middle: Vec2) -> Vec2 {
    let way = middle - at;
    at + way * (4.0 * ROUNDING / way.length().max(4.0 * ROUNDING))
}

fn middle_of(corners: [Point; 3]) -> Vec2 {
    let [a, b, c] = corners.map(Point::as_vec2);
    (a + b + c) * (1.0 / 3.0)
}

/// The first patch that holds a place, or the nearest one.
fn patch_at(patches: &[Patch], at: Vec2) -> Option<&Patch> {
    if let [only] = patches {
        return Some(only);
    }
    let mut nearest = (f64::INFINITY, patches.first());
    for patch in patches {
        let outside = beyond_triangle(patch.corners.map(Point::as_vec2), at);
        if outside <= 0.0 {
            return Some(patch);
        }
        if outside < nearest.0 {
            nearest = (outside, Some(patch));
        }
    }
    nearest.1
}

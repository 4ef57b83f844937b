//! Lays the ground under a mesh: finds which triangles of the walkable surface lie in which cell.
//!
//! Cells and triangles divide the same surface. So a flood that starts at the walls, where both begin at one vertex,
//! reaches every pair of a cell and a triangle by crossing edges of either. Invariant: a cell gets all triangles that
//! overlap it by more than `BESIDE`; a cell too thin for any takes those of a neighbour. Cost: about the number of
//! pairs, times the sides of a cell.

use crate::surface::WalkableSurface;
use clearway_base::parallel::{map, sort};
use clearway_geometry::boxes::Box2;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::{Cell, CellId, NavMesh, Patch, Relief, Side};

/// Returns the ground of a surface under the mesh that was made from it.
///
/// `vertex_of` maps each vertex of the surface to its vertex in the mesh.
pub fn ground_under(mesh: &NavMesh, surface: &WalkableSurface, vertex_of: &[u32]) -> Relief {
    let mut relief = surface.relief().clone();
    lay_patches(&mut relief, mesh, surface, vertex_of);
    relief
}

/// Finds the triangles of every cell and stores them as patches.
///
/// Each round floods many cells in parallel, each within itself. The pairs found beyond its portals start the next
/// round.
fn lay_patches(relief: &mut Relief, mesh: &NavMesh, surface: &WalkableSurface, vertex_of: &[u32]) {
    let overlay = Overlay { mesh, surface };
    let mut triangles_of: Vec<Vec<u32>> = vec![Vec::new(); mesh.cell_slots()];
    let mut fresh: Vec<(u32, u32)> = overlay.starts(vertex_of);
    while !fresh.is_empty() {
        sort(&mut fresh);
        fresh.dedup();
        let runs: Vec<&[(u32, u32)]> = fresh.chunk_by(|p, q| p.0 == q.0).collect();
        let flood = |number: usize| overlay.flood(runs[number], &triangles_of[runs[number][0].0 as usize]);
        let grown: Vec<Flooded> = map(runs.len(), flood);
        let cells: Vec<u32> = runs.iter().map(|run| run[0].0).collect();
        fresh.clear();
        for (cell, Flooded { triangles, mut beyond }) in cells.into_iter().zip(grown) {
            triangles_of[cell as usize] = triangles;
            fresh.append(&mut beyond);
        }
        // A neighbour may have found the same pair in this round.
        fresh.retain(|(cell, triangle)| !triangles_of[*cell as usize].contains(triangle));
    }
    lend_to_empty(mesh, &mut triangles_of);
    relief.first_patch = vec![0];
    for triangles in &mut triangles_of {
        triangles.sort_unstable();
        add_patches(relief, surface, triangles);
    }
}

/// Stores the patches and the area class of the next cell.
fn add_patches(relief: &mut Relief, surface: &WalkableSurface, triangles: &[u32]) {
    let patches = triangles.iter().map(|triangle| surface.triangle(*triangle));
    let first = patches.clone().next();
    relief.area_of.push(first.map_or(0, |patch| surface.area_of(patch.chart)));
    relief.add_cell(patches);
}

/// Gives each cell without triangles those of a neighbour. Such a cell is so thin that it only touches borders.
fn lend_to_empty(mesh: &NavMesh, triangles_of: &mut [Vec<u32>]) {
    let mut changed = true;
    while changed {
        changed = false;
        for portal in &mesh.parts().portals {
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

/// The cells of a mesh laid over the triangles of its surface.
struct Overlay<'a> {
    /// The mesh whose cells are examined.
    mesh: &'a NavMesh,
    /// The surface that the mesh was made from.
    surface: &'a WalkableSurface,
}

/// The triangles of a cell, and the pairs that follow for its neighbours.
struct Flooded {
    /// All triangles of the cell that are known now.
    triangles: Vec<u32>,
    /// Pairs of a neighbouring cell and a triangle that overlaps it, sorted.
    beyond: Vec<(u32, u32)>,
}

impl Overlay<'_> {
    /// Returns the pairs at which the flood starts: at every wall a cell and a triangle begin at the same vertex.
    fn starts(&self, vertex_of: &[u32]) -> Vec<(u32, u32)> {
        let mut cell_at = vec![NONE; self.mesh.vertex_count()];
        for cell in self.mesh.cells() {
            for side in cell.records().iter().filter(|side| side.portal == NONE) {
                cell_at[side.vertex as usize] = cell.id().0;
            }
        }
        let pair = |(vertex, triangle): &(u32, u32)| {
            let vertex = *vertex_of.get(*vertex as usize)?;
            let cell = *cell_at.get(vertex as usize)?;
            (cell != NONE).then_some((cell, *triangle))
        };
        self.surface.on_borders().iter().filter_map(pair).collect()
    }

    /// Finds all triangles of one cell, given those `known` and `fresh` pairs of the same cell.
    fn flood(&self, fresh: &[(u32, u32)], known: &[u32]) -> Flooded {
        let mut triangles = Vec::with_capacity(known.len() + fresh.len() + SOME);
        triangles.extend(known.iter().copied().chain(fresh.iter().map(|pair| pair.1)));
        let (mut beyond, mut done) = (Vec::with_capacity(SOME), known.len());
        let own = fresh[0].0;
        let Some(view) = self.mesh.cell(CellId(own)) else { return Flooded { triangles, beyond } };
        let room = Room::of(self.mesh, &view);
        let mut found = Vec::with_capacity(SOME);
        // The list grows while it is read: it is the queue of the flood as well.
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

    /// Adds the pairs next to a cell and a triangle:
    ///
    /// - the same cell with the next triangles, unless they are `known`;
    /// - the next cells with the same triangle;
    /// - the next cell with the next triangle, where a portal and an edge run along each other.
    fn neighbours(&self, room: &Room, triangle: u32, known: &[u32], found: &mut Vec<(u32, u32)>) {
        let Patch { corners, .. } = self.surface.triangle(triangle);
        let beyond = self.surface.beyond(triangle);
        let edges = [0, 1, 2].map(|i| Edge::between(corners[i], corners[(i + 1) % 3]));
        let inner = || edges.iter().zip(beyond).filter(|(_, next)| *next != NONE);
        let is_known = |triangle: u32| known.len() <= FEW && known.contains(&triangle);
        for (edge, next) in inner() {
            if !is_known(next) && edge.passes_inside(&room.outline) {
                found.push((room.cell, next));
            }
        }
        let extent = Box2::of(&corners);
        // Most portals lie far from the triangle: comparing boxes rules them out cheaply.
        for door in room.doors.iter().filter(|door| door.extent.touches(&extent)) {
            if door.edge.passes_inside(&edges) {
                found.push((door.beyond, triangle));
            }
            let along = inner().filter(|(edge, _)| door.runs_along(edge));
            found.extend(along.map(|(_, next)| (door.beyond, next)));
        }
    }
}

/// The geometry of a cell that is compared with every triangle.
struct Room {
    /// The id of the cell.
    cell: u32,
    /// All its sides, counter-clockwise.
    outline: Vec<Edge>,
    /// Its portals.
    doors: Vec<Door>,
}

impl Room {
    fn of(mesh: &NavMesh, cell: &Cell<'_>) -> Room {
        let own = cell.id().0;
        let following = cell.points().skip(1).chain(cell.points().take(1));
        let sides = cell.points().zip(following);
        let doors = cell.records().iter().zip(sides.clone()).filter(|(side, _)| side.portal != NONE);
        let door = |(side, (start, end)): (&Side, (Point, Point))| {
            let cells = mesh.parts().portals[side.portal as usize].cells;
            Door::between(start, end, if cells[0] == own { cells[1] } else { cells[0] })
        };
        let doors = doors.map(door).collect();
        Room { cell: own, outline: sides.map(|(start, end)| Edge::between(start, end)).collect(), doors }
    }
}

/// A portal of a cell, and the cell beyond it.
struct Door {
    /// The portal as an edge, with the own cell on its left.
    edge: Edge,
    /// The box around the portal, grown by one grid unit, so that edges that run beside it touch the box.
    extent: Box2,
    /// The id of the cell on the other side.
    beyond: u32,
}

impl Door {
    fn between(start: Point, end: Point, beyond: u32) -> Door {
        let edge = Edge::between(start, end);
        Door { edge, extent: Box2::of(&[start, end]).grown(1), beyond }
    }

    /// True if an edge runs along the portal for more than `BESIDE`.
    fn runs_along(&self, other: &Edge) -> bool {
        let Edge { start, along, length, .. } = self.edge;
        let direction = along * (1.0 / length);
        let off = [other.start, other.end].map(|at| at - start);
        let [a, b] = off.map(|off| direction.dot(off));
        off.into_iter().all(|off| direction.cross(off).abs() <= BESIDE)
            && a.max(b).min(length) - a.min(b).max(0.0) > BESIDE
    }
}

/// The initial capacity of lists of triangles. Most cells lie on fewer, so that the lists rarely grow.
const SOME: usize = 16;

/// Known triangles are looked up in a list up to this length. That costs less than to test whether an edge passes
/// through the cell; in a longer list it costs more.
const FEW: usize = 128;

/// Lines closer together than this count as one, in grid units. With a larger value, thin overlaps are missed; with a
/// smaller one, rounding of points to the grid looks like overlap.
const BESIDE: f64 = 0.25;

/// An edge of a cell or of a triangle, whose inside is on its left.
struct Edge {
    /// The start, in grid units.
    start: Vec2,
    /// The end, in grid units.
    end: Vec2,
    /// The way from start to end.
    along: Vec2,
    /// The length of `along`, in grid units.
    length: f64,
}

impl Edge {
    fn between(start: Point, end: Point) -> Edge {
        let (start, end) = (start.as_vec2(), end.as_vec2());
        Edge { start, end, along: end - start, length: (end - start).length() }
    }

    /// True if a part of the edge lies inside a convex outline, more than `BESIDE` off its border.
    fn passes_inside(&self, outline: &[Edge]) -> bool {
        // The edge is clipped by every side of the outline (Cyrus and Beck 1978); what is left lies between `enter` and
        // `leave`.
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

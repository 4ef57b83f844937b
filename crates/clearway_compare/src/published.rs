//! The published clearance method, as published, for comparison.
//!
//! From R. Oliva and N. Pelechano, "A Generalized Exact Arbitrary Clearance Technique for Navigation Meshes" (Motion in
//! Games 2013), and chapter 7 of R. Oliva's thesis on NEOGEN. The thesis adds the recursion through portals and the
//! search over crosses. Only [`CentrePlanner`](crate::CentrePlanner) uses it here. Its defects are kept:
//!
//! * A cross compares the vertices of each string with the edges of the other one. So it misses what stands behind a
//!   portal opposite the inside of an edge, and pairs of walls on both sides of a portal that is crossed.
//! * Shrinking displaces edges and tests whether they then cross the portal, so a wall parallel to a portal never
//!   blocks it. It filters edges by a sign that keeps only those at one end, and it gives one interval per portal.
//! * A way never leaves a cell through the portal by which it came.
//!
//! The value of a cross is a width. The paper compares it with the radius; here it is compared with the diameter, which
//! is what it measures. All lengths are in metres.

use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::{CellGraph, CellId, NavMesh, PortalId};

/// The depth of the recursion through portals. The papers give no bound and need none in their figures.
const MAX_DEPTH: usize = 16;

/// The table of cell crosses (section 3 of the paper, algorithms 6 and 7 of the thesis).
#[derive(Clone, Debug)]
pub struct CrossTable {
    /// All crosses.
    crosses: Vec<Cross>,
    /// For each portal, the crosses that enter by it.
    entering: Vec<Vec<u32>>,
}

/// A way through a cell from portal to portal.
#[derive(Clone, Copy, Debug)]
struct Cross {
    /// The cell.
    cell: u32,
    /// The portal by which the cell is left.
    to: u32,
    /// The width in metres.
    width: f64,
}

impl CrossTable {
    /// Computes the table of a mesh.
    pub fn of(mesh: &NavMesh) -> CrossTable {
        let layout = mesh.graph();
        let mut table =
            CrossTable { crosses: Vec::new(), entering: vec![Vec::new(); mesh.parts().portals.len()] };
        for cell in 0..layout.cell_slots() as u32 {
            let portals: Vec<usize> =
                layout.sides(cell).filter(|side| layout.beyond[*side] != NONE).collect();
            for from in &portals {
                for to in portals.iter().filter(|to| *to != from) {
                    let width = cross_width(layout, cell, *from, *to) * mesh.unit();
                    let [from, to] = [from, to].map(|side| mesh.parts().sides[*side].portal);
                    table.entering[from as usize].push(table.crosses.len() as u32);
                    table.crosses.push(Cross { cell, to, width });
                }
            }
        }
        table
    }

    /// Returns the width of a cross in metres.
    pub fn width(&self, cell: CellId, from: PortalId, to: PortalId) -> Option<f64> {
        let entering = self.entering.get(from.index())?.iter().map(|index| self.crosses[*index as usize]);
        entering.filter(|cross| cross.cell == cell.0 && cross.to == to.0).map(|cross| cross.width).next()
    }

    /// Returns, for every portal, true if the method finds a way to it from `from` (algorithms 11 and 12 of the thesis,
    /// without their order of search).
    pub fn reachable(&self, from: PortalId, radius: f64) -> Vec<bool> {
        let mut reached = vec![false; self.entering.len()];
        let mut seen = vec![false; self.crosses.len()];
        let Some(first) = self.entering.get(from.index()) else { return reached };
        reached[from.index()] = true;
        let mut open = first.clone();
        while let Some(index) = open.pop() {
            let cross = self.crosses[index as usize];
            if std::mem::replace(&mut seen[index as usize], true) || cross.width < 2.0 * radius {
                continue;
            }
            reached[cross.to as usize] = true;
            // On into the cell beyond: two crosses of one cell do not follow each other.
            let beyond = self.entering[cross.to as usize].iter().copied();
            open.extend(beyond.filter(|next| self.crosses[*next as usize].cell != cross.cell));
        }
        reached
    }
}

/// Computes the width of a cross (algorithm 6): strings are compared both ways, and portals limit by their lengths.
fn cross_width(layout: &CellGraph, cell: u32, from: usize, to: usize) -> f64 {
    let length = |side: usize| {
        let [a, b] = layout.ends(cell, side);
        a.distance(b)
    };
    let (right, left) = (string(layout, cell, from, to), string(layout, cell, to, from));
    let clearances = [(&left, &right), (&right, &left)].map(|(one, other)| {
        let vertices = one.iter().map(|side| layout.start[*side]);
        let edges = &other[..other.len() - 1];
        let closest = |vertex| closest(layout, &mut vec![cell], vertex, edges, MAX_DEPTH);
        vertices.map(closest).fold(f64::INFINITY, f64::min)
    });
    clearances[0].min(clearances[1]).min(length(from)).min(length(to))
}

/// Returns the sides that start at the vertices between two portals, counter-clockwise. The last one is `to` itself,
/// which is no edge of the string.
fn string(layout: &CellGraph, cell: u32, from: usize, to: usize) -> Vec<usize> {
    let mut sides = vec![layout.next(cell, from)];
    while let Some(last) = sides.last().copied().filter(|last| *last != to) {
        sides.push(layout.next(cell, last));
    }
    sides
}

/// Returns the distance from a vertex to the closest of some sides of the last cell entered; for a portal, to the walls
/// beyond it. No cell is entered twice: around a vertex without walls the recursion would never end.
fn closest(layout: &CellGraph, entered: &mut Vec<u32>, vertex: Vec2, sides: &[usize], depth: usize) -> f64 {
    let cell = entered.last().copied().unwrap_or(0);
    let distance = |side: usize| {
        let [a, b] = layout.ends(cell, side);
        vertex.distance_to_segment(a, b)
    };
    let walls = sides.iter().filter(|side| layout.beyond[**side] == NONE);
    let mut best = walls.map(|side| distance(*side)).filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
    for side in sides.iter().copied().filter(|side| layout.beyond[*side] != NONE) {
        let (beyond, twin) = (layout.beyond[side], layout.twin[side] as usize);
        if depth > 0 && distance(side) < best && !entered.contains(&beyond) {
            entered.push(beyond);
            let others: Vec<usize> = layout.sides(beyond).filter(|other| *other != twin).collect();
            best = best.min(closest(layout, entered, vertex, &others, depth - 1));
        }
    }
    best
}

/// Returns the critical radius as published (thesis 7.3): the least distance from the portal to a wall of its two
/// cells. Walls that start at its ends are left to the ends.
pub fn critical_radius(mesh: &NavMesh, portal: PortalId) -> Option<f64> {
    let record = mesh.parts().portals.get(portal.index())?;
    let layout = mesh.graph();
    let [from, to] = record.vertices.map(|v| mesh.parts().points[v as usize].as_vec2());
    let mut least = f64::INFINITY;
    for cell in record.cells {
        for side in layout.sides(cell).filter(|side| layout.beyond[*side] == NONE) {
            let [a, b] = layout.ends(cell, side);
            if [a, b].iter().all(|end| *end != from && *end != to) {
                least = least.min(clearway_geometry::vec2::segment_distance(a, b, from, to));
            }
        }
    }
    Some(least * mesh.unit())
}

/// Returns the shrunk portal as published (algorithms 8 to 10), in metres from `vertices[0]` on. It is the part left
/// for a disc on a way from `cells[0]` through the portal and, if given, on through `exit`.
pub fn shrunk_portal(
    mesh: &NavMesh,
    portal: PortalId,
    exit: Option<PortalId>,
    radius: f64,
) -> Option<[f64; 2]> {
    let record = mesh.parts().portals.get(portal.index())?;
    let radius = radius / mesh.unit();
    let ends = record.vertices.map(|v| mesh.parts().points[v as usize].as_vec2());
    let along = (ends[1] - ends[0]).unit();
    // Case 1: the ends of the portal itself.
    let mut shrunk = Shrunk { first: ends[0] + along * radius, last: ends[1] - along * radius, radius };
    if (shrunk.last - shrunk.first).dot(along) < 0.0 {
        return None;
    }
    // Seen from the cell beyond, the portal runs from its last vertex to its first.
    if let Some(exit) = exit.and_then(|exit| mesh.parts().portals.get(exit.index())) {
        let flipped = usize::from(exit.cells[0] != record.cells[1]);
        let exit = exit.vertices.map(|v| mesh.parts().points[v as usize].as_vec2());
        shrunk.limit_by_point(exit[flipped], false);
        shrunk.limit_by_point(exit[1 - flipped], true);
    }
    let mut beyond = Shrunk { first: shrunk.last, last: shrunk.first, radius };
    beyond.limit_by_cell(mesh.graph(), record.cells[1], MAX_DEPTH);
    shrunk.limit_by_cell(mesh.graph(), record.cells[0], MAX_DEPTH);
    let place = |p: Vec2| (p - ends[0]).dot(along);
    let first = place(shrunk.first).max(place(beyond.last));
    let last = place(shrunk.last).min(place(beyond.first));
    (first <= last).then_some([first, last].map(|place| place * mesh.unit()))
}

/// A portal while it is shrunk, counter-clockwise as seen from the cell that shrinks it.
struct Shrunk {
    /// Its first end, in grid units.
    first: Vec2,
    /// Its last end, in grid units.
    last: Vec2,
    /// The radius of the disc, in grid units.
    radius: f64,
}

impl Shrunk {
    /// Limits the portal by an end of the exit portal (case 2), which limits one end of this portal only.
    fn limit_by_point(&mut self, center: Vec2, limits_last: bool) {
        let along = (self.last - self.first).unit();
        let (foot, length) = ((center - self.first).dot(along), self.first.distance(self.last));
        let aside = (center - self.first).cross(along);
        let half = (self.radius * self.radius - aside * aside).sqrt();
        let meets = [foot - half, foot + half].into_iter().filter(|s| *s >= 0.0 && *s <= length);
        let farthest = if limits_last { meets.reduce(f64::min) } else { meets.reduce(f64::max) };
        let Some(place) = farthest else { return };
        let point = self.first + along * place;
        if limits_last { self.last = point } else { self.first = point }
    }

    /// Limits the portal by the displaced edges of a cell (case 3); portals lead on only if they cross once displaced.
    fn limit_by_cell(&mut self, layout: &CellGraph, cell: u32, depth: usize) {
        for side in layout.sides(cell) {
            let direction = self.last - self.first;
            let [a, b] = layout.ends(cell, side);
            let inwards = (b - a).perp().unit();
            // The sign test of algorithm 10, line 4.
            if direction.dot(inwards) >= 0.0 {
                continue;
            }
            let moved = [a, b].map(|p| p + inwards * self.radius);
            let Some(point) = crossing([self.first, self.last], moved) else { continue };
            if layout.beyond[side] != NONE {
                if depth > 0 {
                    self.limit_by_cell(layout, layout.beyond[side], depth - 1);
                }
            } else if direction.perp().dot(b - a) < 0.0 {
                self.first = point;
            } else {
                self.last = point;
            }
        }
    }
}

/// Returns the point where two segments cross.
fn crossing([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Option<Vec2> {
    let (along, other) = (b - a, d - c);
    let spanned = along.cross(other);
    let (s, t) = ((c - a).cross(other) / spanned, (c - a).cross(along) / spanned);
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then(|| a + along * s)
}

/// Returns the traditional way point: the middle of a portal.
pub fn centre_way_point(mesh: &NavMesh, portal: PortalId) -> Option<[f64; 2]> {
    let record = mesh.parts().portals.get(portal.index())?;
    let [a, b] = record.vertices.map(|v| mesh.parts().points[v as usize].as_vec2());
    Some(mesh.parts().grid.place((a + b) * 0.5))
}

/// Returns the other traditional way point: on a portal, the radius away from its end that is closer to `position`.
pub fn closest_end_way_point(
    mesh: &NavMesh,
    portal: PortalId,
    position: [f64; 2],
    radius: f64,
) -> Option<[f64; 2]> {
    let record = mesh.parts().portals.get(portal.index())?;
    let [a, b] = record.vertices.map(|v| mesh.parts().points[v as usize].as_vec2());
    let (from, radius) = (mesh.parts().grid.units(position), radius / mesh.unit());
    let (near, far) = if from.distance(a) <= from.distance(b) { (a, b) } else { (b, a) };
    Some(mesh.parts().grid.place(near + (far - near).unit() * radius))
}

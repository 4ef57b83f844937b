//! The surroundings of corners and cells for a body of one radius, computed on demand and kept.
//!
//! - The free arcs of a corner: the directions in which the centre may lie while the body touches the corner and
//!   nothing else. They are the normal cone without what other walls block. A corner may have several.
//! - Corners near a cell that are not its own. A ray may touch them before a vertex of the cell clips it.
//! - Blockers: vertices that a checked path came too close to. They block rays through the cells near them.

use super::sight::{Outlook, walls_in_sight};
use crate::mesh::{CellGraph, Corner, NavMesh};
use crate::query::Flood;
use crate::tolerances::angles::SAME_ANGLE;
use crate::tolerances::radii::ON_CIRCLE;
use crate::tolerances::shares::NEAR_END;
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The most cells that are passed on the way from a cell to a blocker. A blocker is closer than the radius, so that few
/// cells lie between; longer ways end here, and the vertex does not block.
const MOST_CELLS_ASTRAY: usize = 64;

/// The memory for the last mesh and radius.
#[derive(Debug, Default)]
pub(super) struct RadiusMemory {
    /// The serial number of the mesh.
    serial: u64,
    /// The radius in grid units.
    radius: f64,
    /// For each corner the index of its first free arc in `arcs` and the number of them, once they are known.
    arcs_of: Vec<Option<(u32, u32)>>,
    /// Free arcs as angles from the start of the cone, in radians.
    arcs: Vec<[f64; 2]>,
    /// For each cell the index of the first corner near it in `corners` and the number of them, once they are known.
    corners_of: Vec<Option<(u32, u32)>>,
    /// Vertices of corners near cells.
    corners: Vec<u32>,
    /// Cells, each with a vertex that blocks there although it is none of the cell's own; sorted.
    pub blockers: Vec<(u32, u32)>,
    /// For each cell true if corners behind its bare vertices were looked for. Empty if the mesh has no bare vertices.
    looked: Vec<bool>,
    /// True if checked paths added blockers.
    has_repairs: bool,
    /// Scratch buffer: blocked angles around a corner.
    blocked: Vec<[f64; 2]>,
    /// Scratch buffer for the view from a corner.
    outlooks: Vec<Outlook>,
    /// Scratch buffer for floods.
    pub flood: Flood,
    /// Scratch buffer: cells that a flood found.
    found: Vec<u32>,
    /// For each portal true if the places for the body on it fall apart into several intervals. Meaningless where all
    /// portals are one block, as on an edited mesh: nobody asks there.
    splits: Vec<bool>,
}

impl RadiusMemory {
    /// True if this is the memory for a mesh and a radius.
    pub fn is_for(&self, mesh: &NavMesh, radius: f64) -> bool {
        self.serial == mesh.graph().serial && self.radius == radius
    }

    /// Forgets everything unless mesh and radius are those of the last search. A portal splits for the radius if a dip
    /// between two of its peaks is lower than that.
    pub fn prepare(&mut self, mesh: &NavMesh, radius: f64) {
        let layout = mesh.graph();
        if self.is_for(mesh, radius) {
            return;
        }
        (self.serial, self.radius) = (layout.serial, radius);
        self.arcs_of.clear();
        self.arcs_of.resize(layout.corners.len(), None);
        self.corners_of.clear();
        self.corners_of.resize(layout.cell_slots(), None);
        self.arcs.clear();
        self.corners.clear();
        self.blockers.clear();
        self.looked.clear();
        self.looked.resize(if layout.has_bare_vertices { layout.cell_slots() } else { 0 }, false);
        self.splits.clear();
        self.splits.resize(mesh.parts.portals.len(), false);
        if radius > 0.0 && !layout.blocks.is_single {
            let graph = mesh.peak_graph();
            for (portal, _) in graph.extra.iter().zip(&graph.dip).filter(|(_, dip)| f64::from(**dip) < radius)
            {
                self.splits[*portal as usize] = true;
            }
        }
    }

    /// Forgets the blockers that checked paths of earlier searches added: an answer must not depend on them.
    pub fn forget_repairs(&mut self) {
        if std::mem::take(&mut self.has_repairs) {
            self.blockers.clear();
            self.looked.fill(false);
            self.corners_of.fill(None);
            self.corners.clear();
        }
    }

    /// True if a body may have to go through a portal and back to get from one place on it to another.
    #[inline]
    pub fn splits(&self, portal: u32) -> bool {
        self.splits[portal as usize]
    }

    /// Returns the free arcs of a corner, as angles from the start of its cone.
    #[inline]
    pub fn free_arcs(&mut self, layout: &CellGraph, number: u32) -> &[[f64; 2]] {
        let (start, count) = match self.arcs_of[number as usize] {
            Some(range) => range,
            None => self.find_arcs(layout, number),
        };
        &self.arcs[start as usize..(start + count) as usize]
    }

    /// Computes the free arcs of a corner: the cone without the angles that walls in sight block.
    ///
    /// Blocked angles are sorted and swept once; the gaps between them are the arcs.
    fn find_arcs(&mut self, layout: &CellGraph, number: u32) -> (u32, u32) {
        let corner = layout.corners[number as usize];
        let (radius, blocked) = (self.radius, &mut self.blocked);
        blocked.clear();
        // A wall that blocks the centre is closer than the radius to it, and the centre is one radius from the corner.
        walls_in_sight(layout, &corner, 2.0 * radius, &mut self.outlooks, |ends| {
            block_by_wall(&corner, ends, radius, blocked);
        });
        blocked.sort_by(|p, q| p[0].total_cmp(&q[0]));
        let start = self.arcs.len() as u32;
        let mut free_from = 0.0;
        for [from, to] in blocked.iter().copied() {
            if from >= corner.span {
                break;
            }
            if from > free_from + SAME_ANGLE {
                self.arcs.push([free_from, from]);
            }
            free_from = to.max(free_from);
        }
        // A corner that nothing blocks keeps its arc even if the cone is thinner than the tolerance.
        if free_from < corner.span - SAME_ANGLE || (free_from == 0.0 && self.arcs.len() as u32 == start) {
            self.arcs.push([free_from, corner.span]);
        }
        let range = (start, self.arcs.len() as u32 - start);
        self.arcs_of[number as usize] = Some(range);
        range
    }

    /// Returns the range of the corners near a cell, for [`corner_near`](Self::corner_near).
    #[inline]
    pub fn corners_near(&mut self, layout: &CellGraph, cell: u32) -> std::ops::Range<usize> {
        let (start, count) = match self.corners_of[cell as usize] {
            Some(range) => range,
            // A ray that a vertex clips touches corners within the radius of it. Blockers may lie another radius away
            // from the cell.
            None => {
                let times = if self.has_blockers(cell) { 3.0 } else { 2.0 };
                self.find_corners(layout, cell, times * self.radius)
            }
        };
        start as usize..(start + count) as usize
    }

    /// Returns a corner near a cell, as a vertex. It is none of the cell's own, and closer to it than two or three
    /// times the radius.
    #[inline]
    pub fn corner_near(&self, place: usize) -> u32 {
        self.corners[place]
    }

    /// Lets corners near a cell with bare vertices block there: bare vertices do not keep rays from a wall behind them.
    /// Cells whose vertices all stand on walls need no such blockers.
    #[inline]
    pub fn look_behind(&mut self, layout: &CellGraph, cell: u32) {
        if self.looked.get(cell as usize) == Some(&false) {
            self.looked[cell as usize] = true;
            self.block_behind(layout, cell);
        }
    }

    /// Adds the corners within the radius of a cell to its blockers.
    #[cold]
    fn block_behind(&mut self, layout: &CellGraph, cell: u32) {
        if layout.sides(cell).all(|side| layout.solid[layout.vertex[side] as usize]) {
            return;
        }
        let (start, count) = self.find_corners(layout, cell, self.radius);
        for place in start..start + count {
            let blocker = (cell, self.corners[place as usize]);
            let at =
                layout.start[layout.corners[layout.corner_of[blocker.1 as usize] as usize].side as usize];
            if !blocks_in(layout, cell, blocker.1, at) {
                continue;
            }
            if let Err(at) = self.blockers.binary_search(&blocker) {
                self.blockers.insert(at, blocker);
            }
        }
        // The list was made with a smaller reach, for the blockers only. It must be made anew for near corners.
        self.corners.truncate(start as usize);
        self.corners_of[cell as usize] = None;
    }

    /// True if vertices that are not its own block in a cell.
    fn has_blockers(&self, cell: u32) -> bool {
        let first = self.blockers.partition_point(|blocker| blocker.0 < cell);
        self.blockers.get(first).is_some_and(|blocker| blocker.0 == cell)
    }

    /// Returns the distance around a goal within which cells may clip the rays to it: the radius, or twice that if
    /// there may be blockers.
    pub fn reach_of_goals(&self) -> f64 {
        if self.looked.is_empty() && self.blockers.is_empty() { self.radius } else { 2.0 * self.radius }
    }

    /// Lists the corners closer to a cell than `reach` that are not its own.
    fn find_corners(&mut self, layout: &CellGraph, cell: u32, reach: f64) -> (u32, u32) {
        let near = |ends: [Vec2; 2]| distance_to_cell(layout, cell, ends) < reach;
        let start = self.corners.len();
        self.found.clear();
        let found = &mut self.found;
        self.flood.cells_through(layout, &[cell], near, |other| found.push(other));
        for other in self.found.iter().filter(|other| **other != cell) {
            for side in layout.sides(*other) {
                let vertex = layout.vertex[side];
                let is_new = layout.corner_of[vertex as usize] != NONE
                    && !self.corners[start..].contains(&vertex)
                    && layout.sides(cell).all(|own| layout.vertex[own] != vertex);
                let at = layout.start[side];
                let is_near = is_new && distance_to_cell(layout, cell, [at; 2]) < reach;
                if is_near {
                    self.corners.push(vertex);
                }
            }
        }
        self.corners[start..].sort_unstable();
        let range = (start as u32, (self.corners.len() - start) as u32);
        self.corners_of[cell as usize] = Some(range);
        range
    }

    /// Returns the cell that holds the end of a segment. The segment starts in `cell` and crosses no wall.
    pub fn cell_along(&mut self, layout: &CellGraph, cell: u32, [from, to]: [Vec2; 2]) -> Option<u32> {
        let near = ON_CIRCLE * self.radius;
        let (found, flood) = (&mut self.found, &mut self.flood);
        found.clear();
        flood.cells(layout, &[cell], (from, to), near, |cell| found.push(cell));
        let depth = |cell: u32| {
            let sides = layout.sides(cell).map(|side| {
                let [start, end] = layout.ends(cell, side);
                (end - start).cross(to - start) / (end - start).length()
            });
            sides.fold(f64::INFINITY, f64::min)
        };
        // The cell that holds the end of the segment most deeply wins.
        let best = found.iter().copied().max_by(|a, b| depth(*a).total_cmp(&depth(*b)).then(b.cmp(a)));
        best.filter(|cell| depth(*cell) > -near)
    }

    /// Lets a vertex block rays in all cells within the radius of it. `cell` is one of them. Returns `false` if it did
    /// so already.
    pub fn block(&mut self, layout: &CellGraph, vertex: u32, at: Vec2, cell: u32) -> bool {
        let before = self.blockers.len();
        self.has_repairs = true;
        let (radius, blockers, flood) = (self.radius, &mut self.blockers, &mut self.flood);
        let corners_of = &mut self.corners_of;
        flood.cells(layout, &[cell], (at, at), radius, |near| {
            if blocks_in(layout, near, vertex, at) {
                blockers.push((near, vertex));
                corners_of[near as usize] = None;
            }
        });
        self.blockers.sort_unstable();
        self.blockers.dedup();
        self.blockers.len() > before
    }
}

/// True if a vertex may block rays in a cell. It is none of the cell's own, and closer to it than the radius.
///
/// On a plan it always may. Where cells lie over each other, the vertex may be above or below the cell, and walking
/// around a corner leads to it all the same. It is in the same layer if the straight way from the nearest place of the
/// cell leads to it.
///
/// Then every place of the cell closer to the vertex than the radius is too close to it, or to a wall in between. For
/// the nearest place is no farther away than the vertex, so that nothing in the triangle of the three is.
fn blocks_in(layout: &CellGraph, cell: u32, vertex: u32, at: Vec2) -> bool {
    if layout.sides(cell).any(|side| layout.vertex[side] == vertex) {
        return false;
    }
    if !layout.is_layered {
        return true;
    }
    let distance = |side: usize| {
        let [start, end] = layout.ends(cell, side);
        at.distance_to_segment(start, end)
    };
    let nearest = layout.sides(cell).min_by(|p, q| distance(*p).total_cmp(&distance(*q)));
    nearest.filter(|side| layout.beyond[*side] != NONE).is_some_and(|side| {
        let [start, end] = layout.ends(cell, side);
        let along = end - start;
        let share = ((at - start).dot(along) / along.length_squared()).clamp(NEAR_END, 1.0 - NEAR_END);
        leads_to(layout, layout.beyond[side], start + along * share, vertex, at)
    })
}

/// True if the straight way from a place in a cell leads to a cell of a vertex.
fn leads_to(layout: &CellGraph, cell: u32, from: Vec2, vertex: u32, at: Vec2) -> bool {
    let mut current = cell;
    for _ in 0..MOST_CELLS_ASTRAY {
        if layout.sides(current).any(|side| layout.vertex[side] == vertex) {
            return true;
        }
        let leaves = layout.sides(current).filter_map(|side| {
            let [start, end] = layout.ends(current, side);
            let across = (at - from).cross(end - start);
            (across > 0.0).then(|| ((start - from).cross(end - start) / across, side))
        });
        match leaves.min_by(|p, q| p.0.total_cmp(&q.0)) {
            Some((reach, side)) if reach <= 1.0 && layout.beyond[side] != NONE => {
                current = layout.beyond[side]
            }
            _ => return false,
        }
    }
    false
}

/// Returns the distance from a cell to a segment that does not cross it.
fn distance_to_cell(layout: &CellGraph, cell: u32, [a, b]: [Vec2; 2]) -> f64 {
    let distances = layout.sides(cell).map(|side| {
        let [from, to] = layout.ends(cell, side);
        segment_distance(a, b, from, to)
    });
    distances.fold(f64::INFINITY, f64::min)
}

/// Adds the angles at which a body that touches the corner is too close to a wall. The wall is given relative to the
/// corner.
///
/// Both ends of the wall block a range each. Between them, the line of the wall blocks the angles at which the centre
/// is beside the wall.
fn block_by_wall(corner: &Corner, [a, b]: [Vec2; 2], radius: f64, blocked: &mut Vec<[f64; 2]>) {
    let reach = 2.0 * radius;
    for end in [a, b] {
        let distance = end.length();
        if distance < reach && distance > 0.0 {
            add(corner, end, (distance / reach).acos(), blocked);
        }
    }
    if a == b {
        return;
    }
    let along = (b - a).unit();
    let normal = if a.dot(along.perp()) >= 0.0 { along.perp() } else { -along.perp() };
    let height = a.dot(normal);
    if height >= reach {
        return;
    }
    // In polar coordinates from the normal, the centre is too close to the line where |height - r cos f| < r. It is
    // beside the wall where r sin f lies between its ends. The sine grows up to a right angle, then falls.
    let half = (height / radius - 1.0).clamp(-1.0, 1.0).acos();
    let [low, high] = {
        let (a, b) = (a.dot(along), b.dot(along));
        [a.min(b), a.max(b)].map(|end| (end / radius).clamp(-1.0, 1.0).asin())
    };
    let mut add_range = |from: f64, to: f64| {
        if to > from {
            let (sin, cos) = (0.5 * (from + to)).sin_cos();
            add(corner, normal * cos + along * sin, 0.5 * (to - from), blocked);
        }
    };
    add_range(low.max(-half), high.min(half));
    if half > FRAC_PI_2 {
        add_range((PI - high).max(FRAC_PI_2), (PI - low).min(half));
        add_range((-PI - high).max(-half), (-PI - low).min(-FRAC_PI_2));
    }
}

/// Adds the angles up to `half` on both sides of a direction, as far as they touch the cone.
fn add(corner: &Corner, direction: Vec2, half: f64, blocked: &mut Vec<[f64; 2]>) {
    if half <= SAME_ANGLE {
        return;
    }
    let middle = corner.first.angle_to(direction);
    // The cone starts at angle zero; a blocked range may reach into it from either end.
    for turn in [-TAU, 0.0, TAU] {
        let [from, to] = [middle + turn - half, middle + turn + half];
        if to > 0.0 && from < corner.span {
            blocked.push([from, to]);
        }
    }
}

//! The ways out of each cell, in flat lists. They are made once per mesh, so that a search reads memory in order.

use crate::clearance::Seen;
use crate::mesh::{CellGraph, NavMesh};
use clearway_geometry::{NONE, Vec2};
use std::ops::Range;

/// A way out of a cell for a point: a portal.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointExit {
    /// The ends of the portal, counter-clockwise as seen from the cell.
    pub ends: [Vec2; 2],
    /// The vertices at these ends.
    pub vertices: [u32; 2],
    /// The side of the portal in this cell.
    pub side: u32,
    /// The block of the portal.
    pub block: u32,
}

/// A way out of a cell for a disc: a peak of a portal, as the cell sees it. Exits are sorted along the border.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscExit {
    /// The portal.
    pub way: PointExit,
    /// The index of the peak.
    pub peak: u32,
    /// 0 for the first cell of the portal, 1 for the second.
    pub face: u32,
    /// The index of an earlier exit of the cell, its parent in the tree of widest ways (`PeakRecord::up`).
    pub up: u32,
    /// The width of the way through the cell to that parent, in grid units.
    pub width: f64,
    /// The distance from the peak to the nearest wall, in grid units.
    pub height: f64,
    /// The least distance to walls between this peak and the one before it on the portal; negative for the first.
    pub dip: f64,
    /// The distance of the peak from the first end of the portal, in grid units.
    pub along: f64,
    /// The length of the portal, in grid units.
    pub length: f64,
    /// The critical radius: up to it only the ends of the portal limit a disc.
    pub critical: f64,
    /// For each end of the portal, true if a wall ends there.
    pub solid: [bool; 2],
    /// True if no other portal leads to the cells beyond.
    pub is_bridge: bool,
}

/// Exits of one kind, cell after cell.
#[derive(Debug)]
pub(super) struct Exits<T> {
    /// The mesh for which the list was made; 0 for none.
    serial: u64,
    /// For each cell, the index of its first exit; one more entry ends the last cell.
    first: Vec<u32>,
    /// The exits.
    pub list: Vec<T>,
}

impl<T> Default for Exits<T> {
    fn default() -> Exits<T> {
        Exits { serial: 0, first: Vec::new(), list: Vec::new() }
    }
}

impl<T> Exits<T> {
    /// Returns the range of the exits of a cell.
    #[inline]
    pub fn of(&self, cell: u32) -> Range<usize> {
        self.first[cell as usize] as usize..self.first[cell as usize + 1] as usize
    }

    /// Makes the list anew if it belongs to another mesh; `add` appends the exits of a cell.
    fn prepare(&mut self, layout: &CellGraph, mut add: impl FnMut(u32, &mut Vec<T>)) {
        if self.serial == layout.serial {
            return;
        }
        self.serial = layout.serial;
        self.first.clear();
        self.list.clear();
        for cell in 0..layout.cell_slots() as u32 {
            self.first.push(self.list.len() as u32);
            add(cell, &mut self.list);
        }
        self.first.push(self.list.len() as u32);
    }
}

impl PointExit {
    /// Makes the exit through a side.
    fn new(layout: &CellGraph, cell: u32, side: usize) -> PointExit {
        let block = layout.blocks.of_side[side];
        let vertices = [side, layout.next(cell, side)].map(|side| layout.vertex[side]);
        PointExit { ends: layout.ends(cell, side), vertices, side: side as u32, block }
    }
}

impl Exits<PointExit> {
    /// Lists the portals of all cells.
    pub fn prepare_points(&mut self, layout: &CellGraph) {
        self.prepare(layout, |cell, list| {
            let portals = layout.sides(cell).filter(|side| layout.beyond[*side] != NONE);
            list.extend(portals.map(|side| PointExit::new(layout, cell, side)));
        });
    }
}

impl Exits<DiscExit> {
    /// Lists the peaks of all cells.
    pub fn prepare_discs(&mut self, mesh: &NavMesh) {
        let mut seen = Vec::new();
        self.prepare(mesh.graph(), |cell, list| {
            mesh.peak_graph().seen_from(mesh, cell, &mut seen);
            list.extend(seen.iter().enumerate().map(|(place, one)| {
                let before = place.checked_sub(1).map(|before| &seen[before]);
                DiscExit::new(mesh, cell, one, before)
            }));
        });
    }
}

impl DiscExit {
    /// Makes the exit at a peak; `before` is the exit before it on the border.
    fn new(mesh: &NavMesh, cell: u32, seen: &Seen, before: Option<&Seen>) -> DiscExit {
        let (layout, graph, side) = (mesh.graph(), mesh.peak_graph(), seen.side as usize);
        let way = PointExit::new(layout, cell, side);
        let (portal, face) = (mesh.parts.sides[side].portal, usize::from(seen.face));
        let record = graph.peaks[seen.peak as usize];
        let share = f64::from(record.along) / f64::from(u32::MAX);
        let length = way.ends[0].distance(way.ends[1]);
        // The second cell sees everything on the portal in reverse order.
        let dip = before
            .filter(|before| before.side == seen.side)
            .map_or(-1.0, |before| f64::from(graph.dip_before(portal, seen.peak.max(before.peak))));
        let ends = [side, layout.next(cell, side)];
        DiscExit {
            way,
            peak: seen.peak,
            face: face as u32,
            up: u32::from(record.up[face]),
            width: f64::from(record.width[face]),
            height: f64::from(record.height),
            dip,
            along: length * if face == 0 { share } else { 1.0 - share },
            length,
            critical: f64::from(graph.critical[portal as usize]),
            solid: ends.map(|end| layout.solid[layout.vertex[end] as usize]),
            is_bridge: layout.blocks.is_bridge[way.block as usize],
        }
    }
}

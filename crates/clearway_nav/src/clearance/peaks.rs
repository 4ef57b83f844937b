//! The peak graph as it is stored, and look-ups in it.
//!
//! Nodes are peaks: local maxima of the distance to the walls along portals. A disc of radius r crosses a portal within
//! an interval of places at least r from every wall, and each such interval holds a peak. So a disc can move between
//! two intervals exactly when their peaks are joined by edges at least r wide. Edges run along portals (dips) and
//! through cells (trees of widest ways). A way that leaves a cell and returns through the same portal needs no special
//! case: both its peaks are joined beyond the portal.
//!
//! All lengths are in grid units, rounded down.

use crate::mesh::NavMesh;
use clearway_geometry::{NONE, Vec2};
use std::ops::Range;

/// The peak graph of a mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PeakGraph {
    /// Portals with more than one peak, in order; each as often as it has further peaks.
    pub extra: Vec<u32>,
    /// For each further peak, the least distance between it and the peak before it.
    pub dip: Vec<f32>,
    /// For each portal the radius up to which only its own ends limit it.
    pub critical: Vec<f32>,
    /// The peaks, portal by portal.
    pub peaks: Vec<PeakRecord>,
    /// The widest ways between all peaks.
    pub forest: Forest,
}

/// A peak in storage. Peaks are numbered portal by portal, from `vertices[0]` of the portal on.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PeakRecord {
    /// Its position on the portal, as a share of 2^32 - 1.
    pub along: u32,
    /// The distance to the nearest wall.
    pub height: f32,
    /// The tree of widest ways in each of the two cells of the portal, as the index of an earlier peak in the order of
    /// the border. The first peak of a cell names itself.
    pub up: [u16; 2],
    /// The width of the way to the peak in `up`.
    pub width: [f32; 2],
}

/// A peak as seen from a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The peak.
    pub peak: u32,
    /// The side of the cell on which it lies.
    pub side: u32,
    /// The index of the cell among the two cells of the portal.
    pub face: u8,
}

impl PeakGraph {
    /// Returns the range of the peaks of a portal.
    pub fn peaks_of(&self, portal: u32) -> Range<usize> {
        let before = self.extra.partition_point(|other| *other < portal);
        let further = self.extra[before..].iter().take_while(|other| **other == portal).count();
        let first = portal as usize + before;
        first..first + 1 + further
    }

    /// Returns the portal of a peak, by binary search.
    pub fn portal_of(&self, peak: u32) -> u32 {
        // Portal p starts at peak p + (the number of further peaks before it).
        let (mut low, mut high) = (0, self.critical.len() as u32);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let first = middle + self.extra.partition_point(|other| *other < middle) as u32;
            if first <= peak { low = middle } else { high = middle }
        }
        low
    }

    /// The least distance between a peak and the one before it on its portal.
    pub fn dip_before(&self, portal: u32, peak: u32) -> f32 {
        self.dip.get((peak - portal - 1) as usize).copied().unwrap_or(0.0)
    }

    /// The position of a peak in grid units.
    pub fn position(&self, mesh: &NavMesh, portal: u32, peak: u32) -> Vec2 {
        let [from, to] =
            mesh.parts.portals[portal as usize].vertices.map(|v| mesh.parts.points[v as usize].as_vec2());
        from + (to - from) * (f64::from(self.peaks[peak as usize].along) / f64::from(u32::MAX))
    }

    /// Replaces `seen` by the peaks of a cell in the order of its border.
    pub fn seen_from(&self, mesh: &NavMesh, cell: u32, seen: &mut Vec<Seen>) {
        seen.clear();
        for side in mesh.graph().sides(cell) {
            let record = mesh.parts.sides[side];
            if record.portal == NONE {
                continue;
            }
            let face = u8::from(mesh.parts.portals[record.portal as usize].cells[0] != cell);
            let peaks = self.peaks_of(record.portal);
            let one = |peak: usize| Seen { peak: peak as u32, side: side as u32, face };
            match face {
                0 => seen.extend(peaks.map(one)),
                _ => seen.extend(peaks.rev().map(one)),
            }
        }
    }

    /// Returns the width of the widest way within a cell between two of its peaks, given by their indices in `seen`.
    pub fn widest_within(&self, seen: &[Seen], mut a: usize, mut b: usize) -> f32 {
        let height = |place: usize| self.peaks[seen[place].peak as usize].height;
        let mut narrowest = height(a).min(height(b));
        // Parents come earlier in the order of the border, so the later one climbs.
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            let Seen { peak, face, .. } = seen[*later];
            let record = &self.peaks[peak as usize];
            let parent = usize::from(record.up[usize::from(face)]);
            if parent >= *later {
                return 0.0;
            }
            narrowest = narrowest.min(record.width[usize::from(face)]);
            *later = parent;
        }
        narrowest
    }

    /// The size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        4 * (self.extra.len() + self.dip.len() + self.critical.len())
            + size_of::<PeakRecord>() * self.peaks.len()
            + 12 * self.forest.parent.len()
    }
}

/// The widest ways between all peaks, as a forest of depth O(log n): the least width on the way between two nodes
/// is the width of the widest way between them. Widths never grow towards a root. A root is its own parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forest {
    /// The parent of each node.
    pub parent: Vec<u32>,
    /// The width of the edge that joined each node to its parent; -1 for a root.
    pub width: Vec<f32>,
    /// The code of that edge: four times a peak, plus a kind. The kind is the face of the portal for an edge of the
    /// tree of a cell, or `DIP` for the dip before the peak. The code is 0 for a root.
    pub via: Vec<u32>,
}

/// Marks a dip in the code of an edge. Faces are 0 and 1, so that 2 is the next free value.
pub const DIP: u32 = 2;

impl Forest {
    /// Returns the width of the widest way between two nodes and the edge that limits it. It is `None` if there is no
    /// way, and infinite for a node and itself.
    pub fn bottleneck(&self, mut a: u32, mut b: u32) -> Option<(f32, u32)> {
        let mut narrowest = (f32::INFINITY, 0);
        while a != b {
            let (above_a, above_b) = (self.width[a as usize], self.width[b as usize]);
            let climber = if above_a >= above_b { &mut a } else { &mut b };
            let (width, via) = (above_a.max(above_b), self.via[*climber as usize]);
            let next = self.parent[*climber as usize];
            if next == *climber {
                return None;
            }
            if width < narrowest.0 {
                narrowest = (width, via);
            }
            *climber = next;
        }
        Some(narrowest)
    }
}

/// Returns the greatest number of 32 bits that is not above this one.
pub fn rounded_down(value: f64) -> f32 {
    // The conversion rounds to nearest, which may be above.
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}

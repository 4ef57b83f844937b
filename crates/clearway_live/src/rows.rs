//! The vertices of new cells.
//!
//! In layers several vertices may lie at one place: floors that meet in projection and are not joined there have rows
//! of cells of their own. Corners of new cells belong to one row if sides join them that one could walk through, or
//! that a wall of no thickness or an obstacle parts. A row takes the vertex of the old borders along it, or a new one.
//!
//! Cost: linear in the corners.

use crate::quick::QuickMap;
use clearway_geometry::{DisjointSets, NONE};

/// The corners of outlines, joined in rows around vertices.
pub(crate) struct Rows {
    /// The number of the first corner of each outline.
    first: Vec<usize>,
    /// For each corner, its vertex in the overlay.
    local: Vec<u32>,
    /// For each corner, its row: a number of one of its corners.
    row: Vec<u32>,
    /// The corner at which each side starts.
    at: QuickMap<(u32, u32), usize>,
    /// For each corner that names a row, its vertex in the mesh.
    vertex: Vec<u32>,
    /// On a plan, a corner at each place; empty in layers.
    at_place: QuickMap<u32, u32>,
    /// True in layers.
    in_layers: bool,
}

/// Says that one row would have two vertices.
pub(crate) struct TwoVertices;

impl Rows {
    /// Joins corners. `is_barrier` tells sides that are not joined though two cells meet there. With `in_layers` unset
    /// all corners at one place are one row.
    pub fn of<'a>(
        outlines: impl Iterator<Item = &'a [u32]> + Clone,
        in_layers: bool,
        is_barrier: impl Fn(u32, u32) -> bool,
    ) -> Rows {
        let (mut first, mut local, mut at) = (vec![0], Vec::new(), QuickMap::default());
        at.reserve(outlines.clone().map(<[u32]>::len).sum());
        for outline in outlines {
            for (place, vertex) in outline.iter().enumerate() {
                at.insert((*vertex, outline[(place + 1) % outline.len()]), local.len() + place);
            }
            local.extend_from_slice(outline);
            first.push(local.len());
        }
        let mut rows = Rows {
            first,
            vertex: vec![NONE; local.len()],
            row: Vec::new(),
            local,
            at,
            at_place: QuickMap::default(),
            in_layers,
        };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        if in_layers {
            for (outline, corner) in rows.corners() {
                let next = rows.next(outline, corner);
                let (a, b) = (rows.local[corner], rows.local[next]);
                let Some(twin) = rows.at.get(&(b, a)).filter(|_| a < b && !is_barrier(a, b)) else {
                    continue;
                };
                let beyond = rows.first.partition_point(|first| first <= twin) - 1;
                pairs.push((next as u32, *twin as u32));
                pairs.push((corner as u32, rows.next(beyond, *twin) as u32));
            }
        } else {
            for (corner, vertex) in (0u32..).zip(&rows.local) {
                pairs.push((corner, *rows.at_place.entry(*vertex).or_insert(corner)));
            }
        }
        let mut sets = DisjointSets::joined(rows.local.len(), pairs);
        rows.row = (0..rows.local.len() as u32).map(|corner| sets.root(corner)).collect();
        rows
    }

    /// Returns the number of outlines and corners: each corner with its outline.
    pub fn corners(&self) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        let of_outline = |outline: usize| {
            (self.first[outline]..self.first[outline + 1]).map(move |corner| (outline, corner))
        };
        (0..self.first.len() - 1).flat_map(of_outline)
    }

    /// Returns the corner after another one on its outline.
    pub fn next(&self, outline: usize, corner: usize) -> usize {
        let (first, end) = (self.first[outline], self.first[outline + 1]);
        if corner + 1 < end { corner + 1 } else { first }
    }

    /// Returns the vertex of a corner in the overlay.
    pub fn local(&self, corner: usize) -> u32 {
        self.local[corner]
    }

    /// Returns true if some outline has this side.
    pub fn has_side(&self, from: u32, to: u32) -> bool {
        self.at.contains_key(&(from, to))
    }

    /// True in layers, where several rows may be at one place.
    pub fn is_in_layers(&self) -> bool {
        self.in_layers
    }

    /// Gives the row at a place of a plan its vertex in the mesh. Does nothing in layers.
    pub fn assign_place(&mut self, local: u32, vertex: u32) -> Result<(), TwoVertices> {
        match self.at_place.get(&local).copied() {
            Some(corner) => self.assign(corner as usize, vertex),
            None => Ok(()),
        }
    }

    /// Gives the row of a corner its vertex in the mesh. Fails if it has another one.
    pub fn assign(&mut self, corner: usize, vertex: u32) -> Result<(), TwoVertices> {
        let known = &mut self.vertex[self.row[corner] as usize];
        if *known == NONE {
            *known = vertex;
        }
        if *known == vertex { Ok(()) } else { Err(TwoVertices) }
    }

    /// Gives every row without a vertex a new one, in the order of the vertices of the overlay. Returns the new
    /// vertices, each with that of the overlay.
    pub fn number_rest(&mut self, mut numbers: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
        let mut open: Vec<(u32, u32)> = self.local.iter().copied().zip(self.row.iter().copied()).collect();
        open.sort_unstable();
        open.dedup();
        open.retain(|(_, row)| self.vertex[*row as usize] == NONE);
        let mut fresh = Vec::with_capacity(open.len());
        for (local, row) in open {
            self.vertex[row as usize] = numbers.next().unwrap_or(NONE);
            fresh.push((self.vertex[row as usize], local));
        }
        fresh
    }

    /// Returns the vertex in the mesh of a corner.
    pub fn vertex(&self, corner: usize) -> u32 {
        self.vertex[self.row[corner] as usize]
    }

    /// Returns the vertices in the mesh of the corners of an outline.
    pub fn outline(&self, outline: usize) -> Vec<u32> {
        (self.first[outline]..self.first[outline + 1]).map(|corner| self.vertex(corner)).collect()
    }

    /// Returns the vertices in the mesh at both ends of a side.
    pub fn side(&self, from: u32, to: u32) -> Option<(u32, u32)> {
        let corner = *self.at.get(&(from, to))?;
        let outline = self.first.partition_point(|first| *first <= corner) - 1;
        Some((self.vertex(corner), self.vertex(self.next(outline, corner))))
    }
}

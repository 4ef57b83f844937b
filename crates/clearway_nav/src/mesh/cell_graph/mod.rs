//! The mesh as its run side reads it: flat lists by side, made from what is stored when first asked for.

mod blocks;
mod corners;

use super::NavMesh;
use blocks::Blocks;
use clearway_geometry::{NONE, Vec2};
pub use corners::Corner;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Something that follows from the stored parts of a mesh. It is made when first asked for, shared by clones,
/// and does not count when meshes are compared.
#[derive(Debug)]
pub(crate) struct Derived<T>(OnceLock<Arc<T>>);

impl<T> Derived<T> {
    /// What was made before, or what `make` makes now.
    ///
    /// It is made outside the lock: `make` may run on many threads, and one of them may wait there by doing other work
    /// that asks for the same. At worst it is made twice, with the same result.
    #[inline]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        match self.0.get() {
            Some(made) => made,
            None => {
                let made = Arc::new(make());
                self.0.get_or_init(|| made)
            }
        }
    }
}

impl<T> Derived<T> {
    /// What was made before.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.0.get().map(|made| &**made)
    }

    /// What was made before, if anything was.
    pub fn known(&self) -> Option<&T> {
        self.0.get().map(|made| &**made)
    }
}

impl<T> From<T> for Derived<T> {
    fn from(made: T) -> Derived<T> {
        Derived(OnceLock::from(Arc::new(made)))
    }
}

impl<T> Default for Derived<T> {
    fn default() -> Derived<T> {
        Derived(OnceLock::new())
    }
}

impl<T> Clone for Derived<T> {
    fn clone(&self) -> Derived<T> {
        Derived(self.0.clone())
    }
}

impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Derived<T>) -> bool {
        true
    }
}

/// Sides of all cells, cell after cell, counter-clockwise, numbered as in [`NavMesh`] storage.
#[derive(Debug)]
pub struct CellGraph {
    /// Where the sides of each cell start in the lists by side; one more entry ends the last cell.
    pub first_side: Vec<u32>,
    /// Where each side starts, in grid units.
    pub start: Vec<Vec2>,
    /// The vertex where each side starts.
    pub vertex: Vec<u32>,
    /// The same side as seen from the cell beyond it; [`NONE`] for a wall.
    pub twin: Vec<u32>,
    /// The cell beyond each side; [`NONE`] for a wall.
    pub beyond: Vec<u32>,
    /// For each vertex whether a wall ends there; portals may end within others, where bodies pass freely.
    pub solid: Vec<bool>,
    /// Whether there are vertices at which no wall ends.
    pub has_bare_vertices: bool,
    /// Whether cells may lie over each other.
    pub is_layered: bool,
    /// The corner at each vertex; [`NONE`] where bodies do not turn.
    pub corner_of: Vec<u32>,
    /// Corners around which shortest paths may turn.
    pub corners: Vec<Corner>,
    /// Which portals a path can use.
    pub(crate) blocks: Blocks,
    /// What searches read of each side, side by side in memory.
    pub packed: Vec<PackedSide>,
    /// The longer side of the box around the mesh, in grid units; at least 1.
    pub extent: f64,
    /// Tells meshes apart, so that what was remembered for one is not used for another.
    pub serial: u64,
}

/// A side as the hot loops of searches read it: half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct PackedSide {
    /// Where it starts, in grid units.
    pub at: Vec2,
    /// The vertex where it starts.
    pub vertex: u32,
    /// The cell beyond it; [`NONE`] for a wall.
    pub beyond: u32,
    /// The same side as seen from beyond; [`NONE`] for a wall.
    pub twin: u32,
    /// Its block; [`NONE`] for a wall.
    pub block: u32,
}

/// Walking distances of a point from a few far-off vertices to all vertices, in grid units: the difference of two
/// is a lower bound for the distance between two places (Goldberg and Harrelson 2005).
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// For each vertex its distance from each landmark of its component; not a number where there is none.
    pub distances: Vec<[f32; LANDMARKS]>,
}

/// How many landmarks there are in a component.
pub(crate) const LANDMARKS: usize = 8;

/// How many layouts there were so far.
static LAYOUTS: AtomicU64 = AtomicU64::new(1);

impl CellGraph {
    fn of(mesh: &NavMesh) -> CellGraph {
        let mut first_seen = vec![NONE; mesh.parts.portals.len()];
        let mut twin = vec![NONE; mesh.parts.sides.len()];
        let mut cell_of = vec![0u32; mesh.parts.sides.len()];
        for (cell, ends) in mesh.parts.first_side.windows(2).enumerate() {
            cell_of[ends[0] as usize..ends[1] as usize].fill(cell as u32);
        }
        for (index, side) in mesh.parts.sides.iter().enumerate().filter(|(_, side)| side.portal != NONE) {
            let other = std::mem::replace(&mut first_seen[side.portal as usize], index as u32);
            if other != NONE {
                twin[index] = other;
                twin[other as usize] = index as u32;
            }
        }
        let beyond = twin.iter().map(|twin| if *twin == NONE { NONE } else { cell_of[*twin as usize] });
        let mut layout = CellGraph {
            first_side: mesh.parts.first_side.clone(),
            start: mesh
                .parts
                .sides
                .iter()
                .map(|side| mesh.parts.points[side.vertex as usize].as_vec2())
                .collect(),
            vertex: mesh.parts.sides.iter().map(|side| side.vertex).collect(),
            beyond: beyond.collect(),
            twin,
            solid: Vec::new(),
            has_bare_vertices: false,
            is_layered: mesh.parts.relief.is_some(),
            corner_of: Vec::new(),
            corners: Vec::new(),
            blocks: Blocks::default(),
            packed: Vec::new(),
            extent: extent(mesh),
            serial: LAYOUTS.fetch_add(1, Ordering::Relaxed),
        };
        layout.solid = layout.vertices_on_walls(mesh.parts.points.len());
        layout.has_bare_vertices = layout.vertex.iter().any(|vertex| !layout.solid[*vertex as usize]);
        (layout.corner_of, layout.corners) = corners::corners(mesh, &layout);
        layout.blocks = blocks::blocks(&layout);
        layout.packed = (0..layout.start.len()).map(|side| layout.pack(side)).collect();
        layout
    }

    fn pack(&self, side: usize) -> PackedSide {
        PackedSide {
            at: self.start[side],
            vertex: self.vertex[side],
            beyond: self.beyond[side],
            twin: self.twin[side],
            block: self.blocks.of_side[side],
        }
    }

    fn vertices_on_walls(&self, count: usize) -> Vec<bool> {
        let mut solid = vec![false; count];
        for cell in 0..self.cell_count() as u32 {
            for side in self.sides(cell).filter(|side| self.beyond[*side] == NONE) {
                solid[self.vertex[side] as usize] = true;
                solid[self.vertex[self.next(cell, side)] as usize] = true;
            }
        }
        solid
    }

    /// The sides of a cell.
    #[inline]
    pub fn sides(&self, cell: u32) -> Range<usize> {
        self.first_side[cell as usize] as usize..self.first_side[cell as usize + 1] as usize
    }

    /// Both ends of a side of this cell.
    #[inline]
    pub fn ends(&self, cell: u32, side: usize) -> [Vec2; 2] {
        [self.start[side], self.start[self.next(cell, side)]]
    }

    /// The side of this cell that follows counter-clockwise.
    #[inline]
    pub fn next(&self, cell: u32, side: usize) -> usize {
        let sides = self.sides(cell);
        if side + 1 == sides.end { sides.start } else { side + 1 }
    }

    /// The side of this cell that comes before, counter-clockwise.
    #[inline]
    pub fn before(&self, cell: u32, side: usize) -> usize {
        let sides = self.sides(cell);
        if side == sides.start { sides.end - 1 } else { side - 1 }
    }

    /// How many cells there are.
    pub fn cell_count(&self) -> usize {
        self.first_side.len() - 1
    }
}

impl NavMesh {
    /// The mesh as flat lists by side.
    #[inline]
    pub fn graph(&self) -> &CellGraph {
        self.graph.get_or_make(|| CellGraph::of(self))
    }
}

fn extent(mesh: &NavMesh) -> f64 {
    if mesh.parts.points.is_empty() {
        return 1.0;
    }
    let (min, max) = clearway_geometry::triangulation::bounds(&mesh.parts.points);
    let size = max - min;
    (size.x.max(size.y) as f64).max(1.0)
}

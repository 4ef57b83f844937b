//! The mesh as queries and searches read it: flat lists by side, derived from the stored lists on first use.
//!
//! Invariant: sides keep their stored numbers, and the sides of a cell are consecutive. Building is linear in the
//! number of sides.

mod blocks;
mod corners;
mod patch;

use super::NavMesh;
use blocks::Blocks;
use clearway_geometry::{NONE, Vec2};
pub use corners::Corner;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A value that follows from the stored parts of a mesh. It is made on first use and shared by clones. It does not
/// count when meshes are compared.
#[derive(Debug)]
pub(crate) struct Derived<T>(OnceLock<Arc<T>>);

impl<T> Derived<T> {
    /// Returns the value, or makes it with `make` on the first call.
    ///
    /// It is made outside the lock. `make` may run on many threads, and one of them may wait by doing other work that
    /// asks for the same value. At worst it is made twice, with the same result.
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
    /// Returns the value if it was made.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.0.get().map(|made| &**made)
    }
}

impl<T: Clone> Derived<T> {
    /// Returns the value for writing, if it was made. A value that a clone shares is copied first.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.get_mut().map(Arc::make_mut)
    }
}

impl<T> Derived<T> {
    /// Takes the value out, if it was made.
    pub fn take(&mut self) -> Option<Arc<T>> {
        self.0.take()
    }
}

impl<T> From<Arc<T>> for Derived<T> {
    fn from(made: Arc<T>) -> Derived<T> {
        Derived(OnceLock::from(made))
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

/// The sides of all cells as parallel lists, cell after cell, counter-clockwise, numbered as in
/// [`MeshParts`](super::MeshParts).
#[derive(Clone, Debug)]
pub struct CellGraph {
    /// For each cell, the index of its first side and the index after its last; equal for a cell that is no more.
    pub(crate) ranges: Vec<[u32; 2]>,
    /// For each side, the point at which it starts, in grid units.
    pub start: Vec<Vec2>,
    /// For each side, the vertex at which it starts.
    pub vertex: Vec<u32>,
    /// For each side, the same portal as a side of the cell beyond; [`NONE`] for a wall.
    pub twin: Vec<u32>,
    /// For each side, the cell beyond it; [`NONE`] for a wall.
    pub beyond: Vec<u32>,
    /// For each vertex, true if a wall ends there. Bodies pass freely over a vertex at which only portals end.
    pub solid: Vec<bool>,
    /// For each vertex, the number of walls that end there; empty before the first edit.
    pub(crate) walls_at: Vec<u32>,
    /// True if there are vertices at which no wall ends.
    pub has_bare_vertices: bool,
    /// True if cells may lie over each other, as in the mesh of a scene.
    pub is_layered: bool,
    /// For each vertex, the index of its corner; [`NONE`] where bodies do not turn.
    pub corner_of: Vec<u32>,
    /// The corners around which shortest paths may turn.
    pub corners: Vec<Corner>,
    /// For each side, the corner at its start as the side's cell sees it; [`NONE`] if it sees none.
    pub(crate) corner_seen: Vec<u32>,
    /// The blocks of portals, which bound the cells that a path can use.
    pub(crate) blocks: Blocks,
    /// For each side, the fields that searches read, next to each other in memory.
    pub packed: Vec<PackedSide>,
    /// The longer side of the box around the mesh, in grid units; at least 1.
    pub extent: f64,
    /// Identifies the mesh, so that a search does not reuse values that it cached for another mesh.
    pub serial: u64,
}

/// A side as the hot loops of searches read it: 32 bytes, half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct PackedSide {
    /// The point at which it starts, in grid units.
    pub at: Vec2,
    /// The vertex at which it starts.
    pub vertex: u32,
    /// The cell beyond it; [`NONE`] for a wall.
    pub beyond: u32,
    /// The same portal as a side of the cell beyond; [`NONE`] for a wall.
    pub twin: u32,
    /// Its block in `Blocks`; [`NONE`] for a wall.
    pub block: u32,
}

/// Walking distances of a point from a few far-off vertices, the landmarks, to all vertices, in grid units. The
/// difference of two such distances is a lower bound for the distance between two points (ALT, Goldberg and Harrelson
/// 2005).
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// For each vertex, its distance from each landmark of its component; not a number where there is no such landmark.
    pub distances: Vec<[f32; LANDMARKS]>,
}

/// The number of landmarks per component. Each costs one flood and four bytes per vertex; eight cut the expansions of a
/// search to a half or a third (`docs/decisions/paths.md`).
pub(crate) const LANDMARKS: usize = 16;

/// The serial number of the next graph. It starts at 1, so that 0 never names a mesh.
static LAYOUTS: AtomicU64 = AtomicU64::new(1);

impl CellGraph {
    /// Takes the next serial number: the mesh is not the one that it was.
    pub fn renew_serial(&mut self) {
        self.serial = LAYOUTS.fetch_add(1, Ordering::Relaxed);
    }

    /// Derives the graph from the stored parts.
    pub(crate) fn of(mesh: &NavMesh) -> CellGraph {
        let mut first_seen = vec![NONE; mesh.parts.portals.len()];
        let mut twin = vec![NONE; mesh.parts.sides.len()];
        let mut cell_of = vec![0u32; mesh.parts.sides.len()];
        for cell in 0..mesh.cell_slots() as u32 {
            cell_of[mesh.parts.sides_of(cell)].fill(cell);
        }
        let living = (0..mesh.cell_slots() as u32).flat_map(|cell| mesh.parts.sides_of(cell));
        for (index, side) in living.map(|index| (index, mesh.parts.sides[index])) {
            if side.portal == NONE {
                continue;
            }
            // The first side of a portal waits here until the second one comes by.
            let other = std::mem::replace(&mut first_seen[side.portal as usize], index as u32);
            if other != NONE {
                twin[index] = other;
                twin[other as usize] = index as u32;
            }
        }
        let beyond = twin.iter().map(|twin| if *twin == NONE { NONE } else { cell_of[*twin as usize] });
        let ranges = (0..mesh.cell_slots() as u32).map(|cell| mesh.parts.sides_of(cell));
        let ranges = ranges.map(|range| [range.start as u32, range.end as u32]);
        let mut layout = CellGraph {
            ranges: ranges.collect(),
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
            walls_at: Vec::new(),
            has_bare_vertices: false,
            is_layered: mesh.has_heights(),
            corner_of: Vec::new(),
            corners: Vec::new(),
            corner_seen: Vec::new(),
            blocks: Blocks::default(),
            packed: Vec::new(),
            extent: extent(mesh),
            serial: LAYOUTS.fetch_add(1, Ordering::Relaxed),
        };
        layout.solid = layout.vertices_on_walls(mesh.parts.points.len());
        layout.has_bare_vertices = layout.vertex.iter().any(|vertex| !layout.solid[*vertex as usize]);
        (layout.corner_of, layout.corners) = corners::corners(mesh, &layout);
        layout.corner_seen = corners::corners_by_side(&layout);
        layout.blocks = blocks::blocks(&layout);
        layout.packed = (0..layout.start.len()).map(|side| layout.pack(side)).collect();
        layout
    }

    /// Gathers the fields of a side for [`PackedSide`].
    fn pack(&self, side: usize) -> PackedSide {
        PackedSide {
            at: self.start[side],
            vertex: self.vertex[side],
            beyond: self.beyond[side],
            twin: self.twin[side],
            block: self.blocks.of_side[side],
        }
    }

    /// Returns, for each of `count` vertices, true if a wall starts or ends there.
    fn vertices_on_walls(&self, count: usize) -> Vec<bool> {
        let mut solid = vec![false; count];
        for cell in 0..self.cell_slots() as u32 {
            for side in self.sides(cell).filter(|side| self.beyond[*side] == NONE) {
                solid[self.vertex[side] as usize] = true;
                solid[self.vertex[self.next(cell, side)] as usize] = true;
            }
        }
        solid
    }

    /// Returns the range of the sides of a cell.
    #[inline]
    pub fn sides(&self, cell: u32) -> Range<usize> {
        let [first, end] = self.ranges[cell as usize];
        first as usize..end as usize
    }

    /// Returns both ends of a side of this cell, in grid units.
    #[inline]
    pub fn ends(&self, cell: u32, side: usize) -> [Vec2; 2] {
        [self.start[side], self.start[self.next(cell, side)]]
    }

    /// Returns the side of this cell that follows counter-clockwise.
    #[inline]
    pub fn next(&self, cell: u32, side: usize) -> usize {
        let sides = self.sides(cell);
        if side + 1 == sides.end { sides.start } else { side + 1 }
    }

    /// Returns the side of this cell that precedes counter-clockwise.
    #[inline]
    pub fn before(&self, cell: u32, side: usize) -> usize {
        let sides = self.sides(cell);
        if side == sides.start { sides.end - 1 } else { side - 1 }
    }

    /// Visits the cells around a corner, counter-clockwise from the wall that leaves it, with the side of each that
    /// leaves the corner.
    pub(crate) fn fan(&self, corner: &Corner, mut visit: impl FnMut(u32, usize)) {
        let (mut cell, mut side) = (corner.cell, corner.side as usize);
        // A broken mesh may have no wall that arrives.
        for _ in 0..self.start.len() {
            visit(cell, side);
            let before = self.before(cell, side);
            if self.beyond[before] == NONE {
                return;
            }
            (cell, side) = (self.beyond[before], self.twin[before] as usize);
        }
    }

    /// Returns a number that is greater than the index of every cell.
    pub fn cell_slots(&self) -> usize {
        self.ranges.len()
    }
}

impl NavMesh {
    /// Returns the mesh as flat lists by side, derived on first use.
    #[inline]
    pub fn graph(&self) -> &CellGraph {
        self.graph.get_or_make(|| CellGraph::of(self))
    }
}

/// Returns the longer side of the box around the mesh, in grid units; at least 1.
fn extent(mesh: &NavMesh) -> f64 {
    if mesh.parts.points.is_empty() {
        return 1.0;
    }
    let (min, max) = clearway_geometry::triangulation::bounds(&mesh.parts.points);
    let size = max - min;
    (size.x.max(size.y) as f64).max(1.0)
}

//! The block-cut tree of the cells: the portals that a path between two cells can use at all.
//!
//! Portals are the edges of a graph of cells. A block is a maximal set of portals in which any two lie on a common
//! cycle; a bridge is a block of one portal. A shortest path of a point runs only through the blocks between its ends.
//! Where it left them, it would have to come back into the same convex cell, and the straight way there is shorter.
//!
//! One pass after Hopcroft and Tarjan (1973), without recursion; linear in the number of sides.

use super::CellGraph;
use clearway_geometry::NONE;

/// Blocks, and the tree that they form together with the cells in which they meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// True if all portals count as one block, as on a mesh that was edited.
    pub is_single: bool,
    /// For each side that is a portal, its block; [`NONE`] for walls.
    pub of_side: Vec<u32>,
    /// For each cell, the block towards the root of its tree; [`NONE`] at the root.
    up: Vec<u32>,
    /// For each cell, the number of blocks between it and the root.
    depth: Vec<u32>,
    /// For each block, its cell nearest to the root.
    top: Vec<u32>,
    /// For each block, true if it is a single portal.
    pub is_bridge: Vec<bool>,
}

impl Blocks {
    /// Returns the number of blocks.
    pub fn len(&self) -> usize {
        self.top.len()
    }

    /// Puts all portals into one block. `twin` is that of the graph.
    pub fn single(twin: &[u32]) -> Blocks {
        let of_side = twin.iter().map(|twin| if *twin == NONE { NONE } else { 0 }).collect();
        Blocks { is_single: true, of_side, top: vec![0], is_bridge: vec![false], ..Blocks::default() }
    }

    /// Visits the blocks between two cells, climbing from the deeper cell. Returns `false` if nothing connects the
    /// cells.
    pub fn between(&self, mut a: u32, mut b: u32, mut visit: impl FnMut(u32)) -> bool {
        if self.is_single {
            visit(0);
            return true;
        }
        while a != b {
            let (mut low, high) =
                if self.depth[a as usize] >= self.depth[b as usize] { (a, b) } else { (b, a) };
            let block = self.up[low as usize];
            if block == NONE {
                return false;
            }
            visit(block);
            // Both cells hang from this block, so it is the top of the way between them.
            if self.up[high as usize] == block {
                return true;
            }
            low = self.top[block as usize];
            (a, b) = (low, high);
        }
        true
    }
}

/// Finds the blocks of all cells.
pub(super) fn blocks(layout: &CellGraph) -> Blocks {
    let mut search = Search::new(layout);
    for root in 0..layout.cell_slots() as u32 {
        if search.order[root as usize] == NONE {
            search.grow(root);
        }
    }
    search.finish()
}

/// The state of the depth-first search.
struct Search<'a> {
    /// The graph that is searched.
    layout: &'a CellGraph,
    /// For each cell, its number in the order of discovery; [`NONE`] before.
    order: Vec<u32>,
    /// For each cell, the least discovery number that can be reached from the cells below it.
    low: Vec<u32>,
    /// The number of cells discovered so far.
    seen: u32,
    /// The stack: cells on the way from the root, each with the next side to look at and the side it was entered by.
    way: Vec<(u32, usize, u32)>,
    /// Portals seen and not yet in a block, each by one of its sides.
    open: Vec<u32>,
    /// The result so far.
    blocks: Blocks,
}

impl<'a> Search<'a> {
    fn new(layout: &'a CellGraph) -> Search<'a> {
        let (cells, sides) = (layout.cell_slots(), layout.start.len());
        Search {
            layout,
            order: vec![NONE; cells],
            low: vec![NONE; cells],
            seen: 0,
            way: Vec::new(),
            open: Vec::new(),
            blocks: Blocks { of_side: vec![NONE; sides], up: vec![NONE; cells], ..Blocks::default() },
        }
    }

    /// Discovers a cell and puts it on the stack; `through` is its side towards the cell before, [`NONE`] for a root.
    fn enter(&mut self, cell: u32, through: u32) {
        self.order[cell as usize] = self.seen;
        self.low[cell as usize] = self.seen;
        self.seen += 1;
        self.way.push((cell, self.layout.sides(cell).start, through));
    }

    /// Searches everything that is connected to `root`.
    fn grow(&mut self, root: u32) {
        self.enter(root, NONE);
        while let Some((cell, side, entered)) = self.way.last_mut() {
            let (cell, at, entered) = (*cell, *side, *entered);
            if at == self.layout.sides(cell).end {
                self.leave(cell);
                continue;
            }
            *side += 1;
            let next = self.layout.beyond[at];
            if next == NONE || at as u32 == entered {
                continue;
            }
            if self.order[next as usize] == NONE {
                self.open.push(at as u32);
                self.enter(next, self.layout.twin[at]);
            // A portal to a cell discovered later was taken already, seen from that cell.
            } else if self.order[next as usize] < self.order[cell as usize] {
                self.open.push(at as u32);
                self.low[cell as usize] = self.low[cell as usize].min(self.order[next as usize]);
            }
        }
    }

    /// Goes back from a finished cell. Closes a block if nothing below `cell` reaches above the cell before it.
    fn leave(&mut self, cell: u32) {
        let Some((_, _, entered)) = self.way.pop() else { return };
        let Some(&(before, ..)) = self.way.last() else { return };
        let low = self.low[cell as usize];
        self.low[before as usize] = self.low[before as usize].min(low);
        if low < self.order[before as usize] {
            return;
        }
        let block = self.blocks.top.len() as u32;
        self.blocks.top.push(before);
        let first = self.layout.twin[entered as usize];
        let mut portals = 0;
        while let Some(side) = self.open.pop() {
            portals += 1;
            let twin = self.layout.twin[side as usize];
            for side in [side, twin] {
                self.blocks.of_side[side as usize] = block;
            }
            for cell in [self.layout.beyond[side as usize], self.layout.beyond[twin as usize]] {
                if cell != before {
                    self.blocks.up[cell as usize] = block;
                }
            }
            if side == first {
                break;
            }
        }
        self.blocks.is_bridge.push(portals == 1);
    }

    /// Computes the depths in order of discovery: the top of a block is discovered before the other cells of the block.
    fn finish(mut self) -> Blocks {
        let mut cells: Vec<u32> = (0..self.order.len() as u32).collect();
        cells.sort_unstable_by_key(|cell| self.order[*cell as usize]);
        let mut depth = vec![0u32; cells.len()];
        for cell in cells {
            let block = self.blocks.up[cell as usize];
            if block != NONE {
                depth[cell as usize] = depth[self.blocks.top[block as usize] as usize] + 1;
            }
        }
        self.blocks.depth = depth;
        self.blocks
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::NavMesh;
    use crate::testing::MeshOptions;
    use clearway_world::plan::{Plan, PlanFormat};

    /// Cells that stay connected to `from` when a portal is taken away.
    fn reached(mesh: &NavMesh, from: u32, without: usize) -> Vec<bool> {
        let layout = mesh.graph();
        let mut reached = vec![false; layout.cell_slots()];
        let mut open = vec![from];
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut reached[cell as usize], true) {
                continue;
            }
            let sides = layout.sides(cell).filter(|s| layout.twin[*s] != u32::MAX);
            let sides = sides.filter(|s| *s != without && layout.twin[*s] as usize != without);
            open.extend(sides.map(|side| layout.beyond[side]));
        }
        reached
    }

    #[test]
    fn bridges_are_the_portals_that_join_what_nothing_else_joins() {
        let text = "POLYGON ((0 0, 6 0, 6 2, 12 2, 12 9, 11 9, 11 3, 6 3, 6 6, 0 6), (2 2, 4 2, 4 4, 2 4))";
        let plan = Plan::parse(PlanFormat::Wkt, text).unwrap();
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let layout = mesh.graph();
        let mut bridges = 0;
        for cell in 0..layout.cell_slots() as u32 {
            for side in layout.sides(cell).filter(|side| layout.twin[*side] != u32::MAX) {
                let block = layout.blocks.of_side[side];
                let is_bridge = layout.blocks.is_bridge[block as usize];
                let connected = reached(&mesh, cell, side)[layout.beyond[side] as usize];
                assert_eq!(is_bridge, !connected);
                bridges += usize::from(is_bridge);
                let mut between = Vec::new();
                assert!(layout.blocks.between(cell, layout.beyond[side], |b| between.push(b)));
                assert_eq!(between, [block]);
            }
        }
        assert!(bridges > 0 && bridges < 2 * mesh.portal_count());
    }
}

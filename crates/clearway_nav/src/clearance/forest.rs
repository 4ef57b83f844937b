//! The widest way between any two peaks, as a forest of small depth.
//!
//! Kruskal's algorithm joins components by the widest edges first. The smaller root is put below the larger, and
//! parents are left as they are. This gives trees of depth O(log n). In them, the least width between two nodes is the
//! bottleneck between them: it is the width of the edge that first brought both into one component. Widths never grow
//! towards a root, so that a query climbs from the node with the wider edge above it. Cost: O(n log n) to build.

use crate::clearance::Forest;
use clearway_base::parallel::sort_by;

/// An edge of the peak graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// The peaks that it joins.
    pub ends: [u32; 2],
    /// Its width in grid units, rounded down.
    pub width: f32,
    /// The code of the edge, as in [`Forest`].
    pub via: u32,
}

/// Returns the widest spanning forest of these edges. `count` is the number of peaks.
pub(super) fn grow(count: usize, mut edges: Vec<Edge>) -> Forest {
    sort_by(&mut edges, |a, b| b.width.total_cmp(&a.width).then(a.via.cmp(&b.via)));
    let mut forest =
        Forest { parent: (0..count as u32).collect(), width: vec![-1.0; count], via: vec![0; count] };
    let mut size = vec![1u32; count];
    for edge in edges {
        let [a, b] = edge.ends.map(|end| root(&forest, end));
        if a == b {
            continue;
        }
        let (small, large) = if (size[a as usize], b) < (size[b as usize], a) { (a, b) } else { (b, a) };
        size[large as usize] += size[small as usize];
        forest.parent[small as usize] = large;
        forest.width[small as usize] = edge.width;
        forest.via[small as usize] = edge.via;
    }
    forest
}

/// Returns the root of a node. Paths are not compressed: queries need the tree as it grew.
fn root(forest: &Forest, mut node: u32) -> u32 {
    while forest.parent[node as usize] != node {
        node = forest.parent[node as usize];
    }
    node
}

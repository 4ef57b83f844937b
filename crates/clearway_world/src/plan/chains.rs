//! Joins an unordered list of edges into chains: rings and open polylines.
//!
//! Chains are cut at vertices where not exactly two segments meet. A chain that comes back to its start is a ring,
//! even if it starts at a cut: rings that touch in a vertex stay apart. Every other chain is open. The order of
//! vertices and segments decides the order of the result. Cost: linear.

use std::ops::Range;

/// Vertex indices of chains; a ring's first vertex is not repeated at its end.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Chains {
    /// Closed chains.
    pub(super) rings: Vec<Vec<usize>>,
    /// Open chains.
    pub(super) open: Vec<Vec<usize>>,
}

/// Chains segments. Each must join two different vertices below `vertex_count` and be given once.
pub(super) fn chains(vertex_count: usize, segments: &[[usize; 2]]) -> Chains {
    let mut walker = Walker::new(vertex_count, segments);
    let mut chains = Chains::default();
    for vertex in 0..vertex_count {
        if walker.degree(vertex) != 2 {
            walker.walk_all_from(vertex, &mut chains);
        }
    }
    // The remaining segments pass through vertices of degree two only: they form cycles.
    for (segment, &[start, _]) in segments.iter().enumerate() {
        if !walker.is_used[segment] {
            chains.add(walker.walk(start, segment));
        }
    }
    chains
}

impl Chains {
    /// Adds a chain to the rings or to the open chains.
    fn add(&mut self, mut chain: Vec<usize>) {
        if chain.first() == chain.last() {
            chain.pop();
            self.rings.push(chain);
        } else {
            self.open.push(chain);
        }
    }
}

/// Follows segments from vertex to vertex.
struct Walker<'a> {
    /// The two vertices of each segment.
    segments: &'a [[usize; 2]],
    /// The segments at vertex v are `incident[starts[v]..starts[v + 1]]`.
    starts: Vec<usize>,
    /// The segments at each vertex, vertex after vertex.
    incident: Vec<usize>,
    /// For each segment, true if a chain has taken it.
    is_used: Vec<bool>,
}

impl<'a> Walker<'a> {
    /// Lists the segments at each vertex.
    fn new(vertex_count: usize, segments: &'a [[usize; 2]]) -> Walker<'a> {
        let mut starts = vec![0; vertex_count + 1];
        for &vertex in segments.iter().flatten() {
            starts[vertex + 1] += 1;
        }
        for vertex in 0..vertex_count {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut incident = vec![0; 2 * segments.len()];
        for (segment, ends) in segments.iter().enumerate() {
            for &vertex in ends {
                incident[next[vertex]] = segment;
                next[vertex] += 1;
            }
        }
        Walker { segments, starts, incident, is_used: vec![false; segments.len()] }
    }

    /// The range of a vertex in `incident`.
    fn slots(&self, vertex: usize) -> Range<usize> {
        self.starts[vertex]..self.starts[vertex + 1]
    }

    /// The number of segments at a vertex.
    fn degree(&self, vertex: usize) -> usize {
        self.slots(vertex).len()
    }

    /// Follows every unused segment at a vertex.
    fn walk_all_from(&mut self, vertex: usize, chains: &mut Chains) {
        for slot in self.slots(vertex) {
            let segment = self.incident[slot];
            if !self.is_used[segment] {
                chains.add(self.walk(vertex, segment));
            }
        }
    }

    /// Follows unused segments until the next cut or the start.
    fn walk(&mut self, start: usize, segment: usize) -> Vec<usize> {
        let mut chain = vec![start];
        let (mut at, mut next) = (start, Some(segment));
        while let Some(segment) = next {
            self.is_used[segment] = true;
            let [a, b] = self.segments[segment];
            at = if a == at { b } else { a };
            chain.push(at);
            let ends_here = at == start || self.degree(at) != 2;
            next = if ends_here { None } else { self.other_segment(at, segment) };
        }
        chain
    }

    /// The second segment at a vertex of degree two.
    fn other_segment(&self, vertex: usize, segment: usize) -> Option<usize> {
        self.incident[self.slots(vertex)].iter().copied().find(|&other| other != segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vertex_count: usize, segments: &[[usize; 2]], rings: &[&[usize]], open: &[&[usize]]) {
        let found = chains(vertex_count, segments);
        assert_eq!((found.rings, found.open), (to_vecs(rings), to_vecs(open)), "{segments:?}");
    }

    fn to_vecs(lists: &[&[usize]]) -> Vec<Vec<usize>> {
        lists.iter().map(|list| list.to_vec()).collect()
    }

    #[test]
    fn chains_are_cut_where_not_two_segments_meet() {
        check(0, &[], &[], &[]);
        check(3, &[[0, 1], [1, 2], [2, 0]], &[&[0, 1, 2]], &[]);
        check(4, &[[2, 0], [2, 1], [0, 1]], &[&[2, 0, 1]], &[]);
        check(3, &[[2, 1], [0, 1]], &[], &[&[0, 1, 2]]);
        // Two rings that touch in vertex 2.
        check(5, &[[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2]], &[&[2, 1, 0], &[2, 3, 4]], &[]);
        // A square with a diagonal: three chains between two branchings.
        check(4, &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]], &[], &[&[0, 1, 2], &[0, 3, 2], &[0, 2]]);
        // A ring on a stalk.
        check(4, &[[3, 0], [0, 1], [1, 2], [2, 0]], &[&[0, 1, 2]], &[&[0, 3]]);
    }
}

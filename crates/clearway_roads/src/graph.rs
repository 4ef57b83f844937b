//! The graph of the roads: every Voronoi edge a road, or contracted.
//!
//! The contracted graph merges nodes that an edge of no length joins, and makes one road of each chain over nodes with
//! two roads. Costs between its nodes are those of the raw graph. A ring without junction keeps one node.

use crate::arc::Arc;
use crate::astar::{Net, Way};
use clearway_geometry::{DisjointSets, NONE, Vec2};

/// Edges shorter than this, in grid units, have no length: it is far below the rounding of a Voronoi vertex.
const NO_LENGTH: f64 = 1e-6;

/// A place on the roads: an arc and the parameter on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub arc: u32,
    pub t: f64,
}

/// A part of an arc that is walked from one parameter to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    pub arc: u32,
    pub from: f64,
    pub to: f64,
}

/// A road: a chain of arcs between two nodes.
#[derive(Clone, Debug)]
pub(crate) struct Road {
    pub ends: [u32; 2],
    pub length: f64,
    pub width: f64,
    /// Its stretches, as a range of [`Graph::stretches`].
    pub first: u32,
    pub last: u32,
}

/// A road as seen from a node.
#[derive(Clone, Copy, Debug)]
struct Exit {
    to: u32,
    /// Twice the number of the road, and one more if it is walked backwards.
    name: u32,
    length: f64,
    width: f64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub places: Vec<Vec2>,
    pub roads: Vec<Road>,
    pub stretches: Vec<Stretch>,
    /// The road of each arc; [`NONE`] for an arc of no length that was merged into a node.
    pub road_of: Vec<u32>,
    first_way: Vec<u32>,
    ways: Vec<Exit>,
}

impl Graph {
    /// One road for each arc.
    pub fn raw(places: Vec<Vec2>, arcs: &[Arc]) -> Graph {
        let mut graph = Graph { places, road_of: (0..arcs.len() as u32).collect(), ..Graph::default() };
        for (arc, Arc { nodes, length, edge, .. }) in arcs.iter().enumerate() {
            let first = graph.stretches.len() as u32;
            graph.stretches.push(Stretch { arc: arc as u32, from: 0.0, to: 1.0 });
            graph.roads.push(Road {
                ends: *nodes,
                length: *length,
                width: edge.width,
                first,
                last: first + 1,
            });
        }
        graph.link();
        graph
    }

    /// Merged nodes and joined chains.
    pub fn contracted(places: &[Vec2], arcs: &[Arc]) -> Graph {
        let is_short = |arc: &&Arc| arc.length <= NO_LENGTH;
        let pairs = arcs.iter().filter(is_short).map(|arc| (arc.nodes[0], arc.nodes[1]));
        let mut sets = DisjointSets::new(places.len());
        pairs.for_each(|(a, b)| sets.join(a, b));
        let (merged, count) = sets.numbered();
        let mut at = vec![Vec2::default(); count as usize];
        places.iter().enumerate().for_each(|(node, place)| at[merged[node] as usize] = *place);
        let long: Vec<u32> =
            (0..arcs.len() as u32).filter(|i| arcs[*i as usize].length > NO_LENGTH).collect();
        let mut chains = Chains::new(count as usize, arcs, &merged, &long);
        let mut graph = Graph { road_of: vec![NONE; arcs.len()], ..Graph::default() };
        let mut number = vec![NONE; count as usize];
        // First the chains between junctions and dead ends, then rings, each from its least node.
        for is_ring in [false, true] {
            for node in 0..count {
                for way in chains.around(node) {
                    if !chains.used[(way / 2) as usize] && (is_ring || chains.degree(node) != 2) {
                        let end = chains.follow(arcs, node, way, &mut graph);
                        let ends = [node, end].map(|node| graph.number(node, &mut number, &at));
                        if let Some(road) = graph.roads.last_mut() {
                            road.ends = ends;
                        }
                    }
                }
            }
        }
        graph.link();
        graph
    }

    fn number(&mut self, node: u32, number: &mut [u32], at: &[Vec2]) -> u32 {
        let known = &mut number[node as usize];
        if *known == NONE {
            *known = self.places.len() as u32;
            self.places.push(at[node as usize]);
        }
        *known
    }

    /// Lists the roads around each node.
    fn link(&mut self) {
        let mut first = vec![0u32; self.places.len() + 1];
        for end in self.roads.iter().flat_map(|road| road.ends) {
            first[end as usize + 1] += 1;
        }
        (1..first.len()).for_each(|i| first[i] += first[i - 1]);
        let mut next = first.clone();
        self.ways = vec![Exit { to: 0, name: 0, length: 0.0, width: 0.0 }; 2 * self.roads.len()];
        for (number, road) in self.roads.iter().enumerate() {
            for end in 0..2 {
                let place = &mut next[road.ends[end] as usize];
                let name = 2 * number as u32 + end as u32;
                let Road { length, width, .. } = *road;
                self.ways[*place as usize] = Exit { to: road.ends[1 - end], name, length, width };
                *place += 1;
            }
        }
        self.first_way = first;
    }

    /// The stretches of a road in the order of a walk; `name` is that of an [`Exit`].
    pub fn walk(&self, name: u32) -> Vec<Stretch> {
        let road = &self.roads[(name / 2) as usize];
        let chain = &self.stretches[road.first as usize..road.last as usize];
        if name.is_multiple_of(2) {
            return chain.to_vec();
        }
        chain.iter().rev().map(|s| Stretch { arc: s.arc, from: s.to, to: s.from }).collect()
    }

    /// The stretches from a spot to an end of its road.
    pub fn leave(&self, spot: Spot, end: usize) -> Vec<Stretch> {
        let road = self.road_of[spot.arc as usize];
        let mut walk = self.walk(2 * road + (1 - end as u32));
        if let Some(place) = walk.iter().position(|stretch| stretch.arc == spot.arc) {
            walk.drain(..place);
            walk[0].from = spot.t;
        }
        walk
    }

    /// The stretches between two spots of one road, without leaving it.
    pub fn between(&self, from: Spot, to: Spot) -> Vec<Stretch> {
        if from.arc == to.arc {
            return vec![Stretch { arc: from.arc, from: from.t, to: to.t }];
        }
        let ahead = self.leave(from, 1);
        let mut walk = if ahead.iter().any(|s| s.arc == to.arc) { ahead } else { self.leave(from, 0) };
        if let Some(place) = walk.iter().position(|stretch| stretch.arc == to.arc) {
            walk.truncate(place + 1);
            walk[place].to = to.t;
        }
        walk
    }
}

/// Stretches walked the other way.
pub(crate) fn reversed(mut walk: Vec<Stretch>) -> Vec<Stretch> {
    walk.reverse();
    walk.iter_mut().for_each(|s| std::mem::swap(&mut s.from, &mut s.to));
    walk
}

/// The graph that a body of a radius sees.
pub(crate) struct Passable<'a> {
    pub graph: &'a Graph,
    pub radius: f64,
}

impl Net for Passable<'_> {
    #[inline]
    fn place(&self, node: u32) -> Vec2 {
        self.graph.places[node as usize]
    }

    #[inline]
    fn ways(&mut self, node: u32, mut visit: impl FnMut(Way)) {
        let [first, last] = [0, 1].map(|i| self.graph.first_way[node as usize + i] as usize);
        for way in self.graph.ways[first..last].iter().filter(|way| way.width >= self.radius) {
            let Exit { to, name, length, .. } = *way;
            visit(Way { to, place: self.graph.places[to as usize], name, length });
        }
    }
}

/// Arcs with length between merged nodes, while chains are made of them.
struct Chains<'a> {
    merged: &'a [u32],
    long: &'a [u32],
    first: Vec<u32>,
    /// For each node its arcs: twice the index in `long`, and one more for the second end.
    ways: Vec<u32>,
    used: Vec<bool>,
}

impl<'a> Chains<'a> {
    fn new(count: usize, arcs: &[Arc], merged: &'a [u32], long: &'a [u32]) -> Chains<'a> {
        let ends = |arc: u32| arcs[arc as usize].nodes.map(|node| merged[node as usize]);
        let mut first = vec![0u32; count + 1];
        long.iter().flat_map(|arc| ends(*arc)).for_each(|node| first[node as usize + 1] += 1);
        (1..first.len()).for_each(|i| first[i] += first[i - 1]);
        let mut next = first.clone();
        let mut ways = vec![0; 2 * long.len()];
        for (index, arc) in long.iter().enumerate() {
            for (end, node) in ends(*arc).into_iter().enumerate() {
                ways[next[node as usize] as usize] = 2 * index as u32 + end as u32;
                next[node as usize] += 1;
            }
        }
        Chains { merged, long, first, ways, used: vec![false; long.len()] }
    }

    fn degree(&self, node: u32) -> usize {
        (self.first[node as usize + 1] - self.first[node as usize]) as usize
    }

    fn around(&self, node: u32) -> Vec<u32> {
        self.ways[self.first[node as usize] as usize..self.first[node as usize + 1] as usize].to_vec()
    }

    /// Follows a chain to its other end and adds it as a road. Returns the node there.
    fn follow(&mut self, arcs: &[Arc], start: u32, way: u32, graph: &mut Graph) -> u32 {
        let first = graph.stretches.len() as u32;
        let (mut way, mut length, mut width) = (way, 0.0, f64::INFINITY);
        loop {
            let (index, end) = ((way / 2) as usize, (way % 2) as usize);
            self.used[index] = true;
            let number = self.long[index];
            let arc = &arcs[number as usize];
            graph.road_of[number as usize] = graph.roads.len() as u32;
            let [from, to] = [end as f64, 1.0 - end as f64];
            graph.stretches.push(Stretch { arc: number, from, to });
            (length, width) = (length + arc.length, f64::min(width, arc.edge.width));
            let node = self.merged[arc.nodes[1 - end] as usize];
            let onward = self.around(node).into_iter().find(|other| !self.used[(*other / 2) as usize]);
            match onward {
                Some(next) if self.degree(node) == 2 && node != start => way = next,
                _ => {
                    let last = graph.stretches.len() as u32;
                    graph.roads.push(Road { ends: [NONE; 2], length, width, first, last });
                    return node;
                }
            }
        }
    }
}

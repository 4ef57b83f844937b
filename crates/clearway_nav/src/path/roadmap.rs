//! A graph of points through which a body of a given radius can walk: a few on each portal and around each corner.
//!
//! Edges are straight moves within a cell, or from one point around a corner to the next. The body can really make
//! them; they are tested when a search first needs them. So ways on the graph are legal, but not the shortest: they
//! bend only at points of the graph.

use super::search::Beams;
use crate::mesh::{CellGraph, NavMesh};
use crate::tolerances::radii::WIDER;
use crate::tolerances::slacks::{ROADMAP_MARGIN, ROADMAP_ROUNDING};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::PI;
use std::ops::Range;

/// The greatest angle in radians between two points around a corner. Smaller steps follow the circle more closely with
/// more points.
const STEP: f64 = PI / 6.0;

/// A point of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Its position in grid units.
    pub at: Vec2,
    /// A cell that holds it.
    pub cell: u32,
    /// The side of that cell on which it lies; [`NONE`] for points inside.
    pub side: u32,
}

/// The graph for one radius.
#[derive(Clone, Debug)]
pub(super) struct Roadmap {
    /// The radius in grid units, a little more than asked for, so that rounding does no harm.
    pub radius: f64,
    /// The points; those given by the caller come first.
    pub spots: Vec<Spot>,
    /// For each cell, the index of its first entry in `of_cell`; one more entry ends the last cell.
    first: Vec<u32>,
    /// The spots of all cells, cell after cell.
    of_cell: Vec<u32>,
    /// For each corner of the mesh, the range of the spots around it.
    rings: Vec<Range<u32>>,
    /// Pairs of spots linked across cells, both ways, sorted. They are neighbours around a corner, or lie around two
    /// corners between which a point walks.
    across: Vec<(u32, u32)>,
}

/// The result of a search on the graph.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    /// For each spot, its least cost from the sources; infinite if it was not reached.
    pub costs: Vec<f64>,
    /// For each spot, the spot before it; [`NONE`] for sources.
    pub before: Vec<u32>,
    /// The number of expanded spots.
    pub expansions: u64,
}

/// The costs that a search on the graph minimises.
pub(super) trait Weights {
    /// Returns the cost of a straight move within a cell; infinite if it is not allowed.
    fn cost(&self, a: Vec2, b: Vec2, cell: u32) -> f64;
    /// Returns the cost of a straight move that starts in a cell and may leave it.
    fn cost_across(&self, a: Vec2, b: Vec2, cell: u32) -> f64;
    /// Returns a lower bound for the cost from a point to the target.
    fn rest(&self, at: Vec2) -> f64;
}

impl Roadmap {
    /// Makes the graph; `places`, points with their cells, become its first spots.
    pub fn new(mesh: &NavMesh, radius: f64, places: &[(Vec2, u32)]) -> Roadmap {
        let layout = mesh.graph();
        let mut map = Roadmap {
            radius: if radius > 0.0 { radius * (1.0 + WIDER) + ROADMAP_MARGIN * mesh.slack() } else { 0.0 },
            spots: places.iter().map(|(at, cell)| Spot { at: *at, cell: *cell, side: NONE }).collect(),
            first: Vec::new(),
            of_cell: Vec::new(),
            rings: Vec::new(),
            across: Vec::new(),
        };
        let mut pairs = Vec::new();
        let mut cells = Vec::new();
        for (number, (at, cell)) in places.iter().enumerate() {
            mesh.cells_at(*at, *cell, &mut cells);
            pairs.extend(cells.iter().map(|cell| (*cell, number as u32)));
        }
        map.add_portals(layout, &mut pairs);
        if map.radius > 0.0 {
            map.add_corners(mesh, &mut pairs);
        }
        pairs.sort_unstable();
        map.across.sort_unstable();
        map.first = vec![0; layout.cell_slots() + 1];
        for (cell, _) in &pairs {
            map.first[*cell as usize + 1] += 1;
        }
        for cell in 0..layout.cell_slots() {
            map.first[cell + 1] += map.first[cell];
        }
        map.of_cell = pairs.into_iter().map(|(_, spot)| spot).collect();
        map
    }

    /// Adds the ends of each portal, inset by the radius, and three points between them.
    fn add_portals(&mut self, layout: &CellGraph, pairs: &mut Vec<(u32, u32)>) {
        for cell in 0..layout.cell_slots() as u32 {
            for side in layout.sides(cell) {
                let beyond = layout.beyond[side];
                if beyond == NONE || side as u32 > layout.twin[side] {
                    continue;
                }
                let [from, to] = layout.ends(cell, side);
                let length = from.distance(to);
                let inset = self.radius / length;
                let middles =
                    [0.25, 0.5, 0.75].into_iter().filter(|part| *part > inset && *part < 1.0 - inset);
                // A portal narrower than the body gets no spots.
                let ends = [inset, 1.0 - inset].into_iter().filter(|_| inset < 0.5);
                for part in ends.chain(middles) {
                    let number = self.spots.len() as u32;
                    self.spots.push(Spot { at: from + (to - from) * part, cell, side: side as u32 });
                    pairs.extend([(cell, number), (beyond, number)]);
                }
            }
        }
    }

    /// Adds points around each corner, so far out that moves between neighbours touch the circle of the radius.
    fn add_corners(&mut self, mesh: &NavMesh, pairs: &mut Vec<(u32, u32)>) {
        let layout = mesh.graph();
        for corner in &layout.corners {
            let at = layout.start[corner.side as usize];
            let steps = (corner.span / STEP).ceil().max(1.0);
            let angle = corner.span / steps;
            let far = self.radius / (0.5 * angle).cos();
            let first = self.spots.len() as u32;
            let mut before = None;
            for step in 0..=steps as u32 {
                let (sin, cos) = (angle * f64::from(step)).sin_cos();
                let spot = at + (corner.first * cos + corner.first.perp() * sin) * far;
                // A spot behind another wall is useless and breaks the ring.
                let reach = mesh.sweep(at, corner.cell, spot, 0.0);
                if reach.wall.is_some() || reach.fraction < 1.0 {
                    before = None;
                    continue;
                }
                let number = self.spots.len() as u32;
                self.spots.push(Spot { at: spot, cell: reach.end, side: NONE });
                pairs.push((reach.end, number));
                if let Some(before) = before.replace(number) {
                    self.across.extend([(before, number), (number, before)]);
                }
            }
            self.rings.push(first..self.spots.len() as u32);
        }
    }

    /// Links spots around corners between which a point walks, and spots to the sources that it walks from. The sources
    /// must be the first spots of the graph.
    pub fn link_turns(&mut self, layout: &CellGraph, beams: &Beams) {
        for turn in beams.turns_in_use() {
            let parent = beams.turn(turn).map_or(NONE, |turn| turn.parent);
            let pairs = self.around(layout, beams, turn).flat_map(|spot| {
                let before = self.around(layout, beams, parent);
                before.flat_map(move |before| [(before, spot), (spot, before)])
            });
            let pairs: Vec<(u32, u32)> = pairs.collect();
            self.across.extend(pairs);
        }
        self.across.sort_unstable();
        self.across.dedup();
    }

    /// Returns the spots around the corner where a point turns; at a source, the source itself.
    pub fn around(&self, layout: &CellGraph, beams: &Beams, turn: u32) -> Range<u32> {
        let Some(turn) = beams.turn(turn) else { return 0..0 };
        match layout.corner_of.get(turn.vertex as usize) {
            Some(corner) => self.rings.get(*corner as usize).cloned().unwrap_or(0..0),
            None => turn.source..turn.source + 1,
        }
    }

    /// Returns the spots in a cell.
    pub fn spots_of(&self, cell: u32) -> &[u32] {
        let ends = [cell, cell + 1].map(|at| self.first.get(at as usize).copied().unwrap_or(0) as usize);
        self.of_cell.get(ends[0]..ends[1]).unwrap_or_default()
    }

    /// True if the body can move straight from a point in a cell to another.
    pub fn is_free(&self, mesh: &NavMesh, a: Vec2, cell: u32, b: Vec2) -> bool {
        let reach = mesh.sweep(a, cell, b, self.radius);
        reach.wall.is_none() && reach.fraction >= 1.0
    }

    /// True if the body can stand at a spot.
    fn has_room(&self, mesh: &NavMesh, spot: &Spot) -> bool {
        // Spots are a rounding nearer to the walls that they were made from.
        let least = self.radius - ROADMAP_ROUNDING * mesh.slack();
        let near = || mesh.nearest_wall(spot.at, spot.cell);
        self.radius == 0.0 || near().is_none_or(|wall| wall.distance >= least)
    }

    /// Returns the least costs from any of the source spots. Stops when one of the `targets` is reached at its least
    /// cost, and returns that spot.
    pub fn search(
        &self,
        mesh: &NavMesh,
        sources: Range<u32>,
        targets: Range<u32>,
        weights: &impl Weights,
    ) -> (Reached, Option<u32>) {
        let mut search = Search::new(self, mesh, weights);
        for source in sources {
            search.improve(source, NONE, 0.0);
        }
        let mut cells = Vec::new();
        while let Some(Reverse((_, spot))) = search.open.pop() {
            if std::mem::replace(&mut search.done[spot as usize], true) {
                continue;
            }
            if targets.contains(&spot) {
                return (search.reached, Some(spot));
            }
            search.reached.expansions += 1;
            search.expand(spot, &mut cells);
        }
        (search.reached, None)
    }
}

/// The state of a search on the graph: A* with closed list.
struct Search<'a, W> {
    /// The graph.
    map: &'a Roadmap,
    /// The mesh.
    mesh: &'a NavMesh,
    /// The costs.
    weights: &'a W,
    /// The open list: lower bounds as bits of non-negative floats, and spots.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// For each spot, true once its cost is final.
    done: Vec<bool>,
    /// For each spot, whether the body can stand there, if known. Most spots are never asked about.
    room: Vec<Option<bool>>,
    /// The result so far.
    reached: Reached,
}

impl<'a, W: Weights> Search<'a, W> {
    fn new(map: &'a Roadmap, mesh: &'a NavMesh, weights: &'a W) -> Search<'a, W> {
        let count = map.spots.len();
        let reached = Reached { costs: vec![f64::INFINITY; count], before: vec![NONE; count], expansions: 0 };
        let (done, room) = (vec![false; count], vec![None; count]);
        Search { map, mesh, weights, open: BinaryHeap::new(), done, room, reached }
    }

    /// Links a spot to all spots in its cells, and across cells.
    fn expand(&mut self, spot: u32, cells: &mut Vec<u32>) {
        let map = self.map;
        let Spot { at, cell, side } = map.spots[spot as usize];
        let layout = self.mesh.graph();
        match layout.beyond.get(side as usize) {
            Some(beyond) => {
                cells.clear();
                cells.extend([cell, *beyond]);
            }
            None => self.mesh.cells_at(at, cell, cells),
        }
        for cell in cells.iter() {
            for next in map.spots_of(*cell) {
                self.link(spot, *next, *cell, false);
            }
        }
        let first = map.across.partition_point(|pair| *pair < (spot, 0));
        for (_, next) in map.across[first..].iter().take_while(|pair| pair.0 == spot) {
            self.link(spot, *next, cell, true);
        }
    }

    /// Improves `to` from `from`, if the move is cheaper and free. The free test is the expensive part and comes last.
    fn link(&mut self, from: u32, to: u32, cell: u32, across: bool) {
        if self.done[to as usize] || from == to {
            return;
        }
        let (map, mesh) = (self.map, self.mesh);
        let [a, b] = [from, to].map(|spot| map.spots[spot as usize].at);
        let weights = self.weights;
        let cost = if across { weights.cost_across(a, b, cell) } else { weights.cost(a, b, cell) };
        let cost = self.reached.costs[from as usize] + cost;
        if cost >= self.reached.costs[to as usize] {
            return;
        }
        let target = &map.spots[to as usize];
        let room = self.room[to as usize].get_or_insert_with(|| map.has_room(mesh, target));
        if *room && (map.radius == 0.0 || map.is_free(mesh, a, cell, b)) {
            self.improve(to, from, cost);
        }
    }

    /// Lowers the cost of a spot and puts it on the open list.
    fn improve(&mut self, spot: u32, before: u32, cost: f64) {
        // A cost that is not a number fails the comparison and is not reached.
        if cost < self.reached.costs[spot as usize] {
            self.reached.costs[spot as usize] = cost;
            self.reached.before[spot as usize] = before;
            let least = cost + self.weights.rest(self.map.spots[spot as usize].at);
            self.open.push(Reverse((least.max(0.0).to_bits(), spot)));
        }
    }
}

/// Costs that are plain lengths, without an estimate: a Dijkstra.
pub(super) struct Lengths;

impl Weights for Lengths {
    fn cost(&self, a: Vec2, b: Vec2, _cell: u32) -> f64 {
        a.distance(b)
    }

    fn cost_across(&self, a: Vec2, b: Vec2, _cell: u32) -> f64 {
        a.distance(b)
    }

    fn rest(&self, _at: Vec2) -> f64 {
        0.0
    }
}

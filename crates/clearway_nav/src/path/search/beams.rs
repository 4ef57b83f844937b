//! All that walks of a point from several sources see, cell by cell, for distance fields and for sight.
//!
//! It is a continuous Dijkstra with the beams of the optimal search. Beams are taken in the order of the least distance
//! in them. Consider the two ends of the side by which a beam enters. If a way over one of them beats the beam
//! everywhere on the side, the beam is dropped (Xin and Wang 2009). So few beams are left in each cell.

use super::engine::{Engine, State};
use super::scratch::{Kind, Node, Root, SearchSpace};
use crate::mesh::{CellGraph, NavMesh};
use crate::tolerances::angles::SAME_DIRECTION;
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;

/// Limits of how far beams are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::path) struct Extent {
    /// The length of the longest walks that count, in grid units.
    pub reach: f64,
    /// The most beams that are kept.
    pub max_beams: usize,
    /// True if walks may turn around corners; otherwise only what the sources see counts.
    pub turns: bool,
}

/// The point where a walk last turned.
#[derive(Clone, Copy, Debug)]
pub(in crate::path) struct Turn {
    /// Its place in grid units.
    pub at: Vec2,
    /// The length of the walk from its source.
    pub length: f64,
    /// The turn before; [`NONE`] at a source.
    pub parent: u32,
    /// The index of the source.
    pub source: u32,
    /// The vertex; [`NONE`] at a source.
    pub vertex: u32,
}

/// The view of a cell from a turn: the directions counter-clockwise from `right` to `left`, or all of them if both are
/// zero.
#[derive(Clone, Copy, Debug)]
pub(in crate::path) struct Beam {
    /// The turn, by its index.
    pub turn: u32,
    /// The rightmost direction.
    pub right: Vec2,
    /// The leftmost direction.
    pub left: Vec2,
}

impl Beam {
    /// True if a direction lies in the beam.
    #[inline]
    fn holds(&self, direction: Vec2) -> bool {
        !is_left(direction, self.right) && !is_left(self.left, direction)
    }
}

/// The beams in each cell.
#[derive(Clone, Debug)]
pub(in crate::path) struct Beams {
    /// The index of the first beam of each cell; one more entry ends the last cell.
    first: Vec<u32>,
    /// The beams, cell by cell.
    beams: Vec<Beam>,
    /// The turns that beams start from.
    turns: Vec<Turn>,
    /// The length of the shortest walk to any place of each cell.
    nearest: Vec<f64>,
    /// For each side an upper bound for the length of walks to its start.
    corners: Vec<f64>,
    /// Walks up to this length are all known.
    pub reach: f64,
}

/// The end of a walk.
#[derive(Clone, Copy, Debug)]
pub(in crate::path) struct WalkEnd {
    /// The length of the walk in grid units.
    pub length: f64,
    /// The turn at which it last turned.
    pub turn: u32,
}

impl Beams {
    /// Follows beams from these places, each given with a cell that holds it.
    pub fn gather(mesh: &NavMesh, sources: &[(Vec2, u32)], extent: Extent) -> Beams {
        let layout = mesh.graph();
        let mut space = SearchSpace::new();
        space.survey.distances.resize(layout.corner_of.len(), f64::INFINITY);
        let mut state = State { is_survey: true, ..State::new(layout, 0.0, 1.0) };
        let (sector_of, sector_count) = sectors(layout);
        let gathering = Gathering {
            engine: Engine::new(mesh, &mut space, &mut state),
            extent,
            sector_of,
            sectors: vec![f64::INFINITY; sector_count],
            sources: Vec::new(),
            root_sectors: Vec::new(),
            kept: Vec::new(),
        };
        gathering.run(mesh, sources)
    }

    /// The beams in a cell.
    #[inline]
    pub fn of_cell(&self, cell: u32) -> &[Beam] {
        let ends = [cell, cell + 1].map(|at| self.first.get(at as usize).copied().unwrap_or(0) as usize);
        self.beams.get(ends[0]..ends[1]).unwrap_or_default()
    }

    /// Returns the length of the shortest walk to any place of a cell; infinite if none is known.
    pub fn nearest(&self, cell: u32) -> f64 {
        self.nearest.get(cell as usize).copied().unwrap_or(f64::INFINITY)
    }

    /// Returns a turn by its index.
    pub fn turn(&self, number: u32) -> Option<&Turn> {
        self.turns.get(number as usize)
    }

    /// Returns the indices of all turns that beams start from, sorted.
    pub fn turns_in_use(&self) -> Vec<u32> {
        let mut turns: Vec<u32> = self.beams.iter().map(|beam| beam.turn).collect();
        turns.sort_unstable();
        turns.dedup();
        turns
    }

    /// Returns the shortest walk to a place of a cell, if it is no longer than the reach.
    pub fn shortest(&self, layout: &CellGraph, spot: Vec2, cell: u32) -> Option<WalkEnd> {
        let mut best: Option<WalkEnd> = None;
        for beam in self.of_cell(cell) {
            let Some(turn) = self.turn(beam.turn) else { continue };
            let direction = spot - turn.at;
            let length = turn.length + direction.length();
            if best.is_none_or(|best| length < best.length) && beam.holds(direction) {
                best = Some(WalkEnd { length, turn: beam.turn });
            }
        }
        let best = best.or_else(|| self.over_a_corner(layout, spot, cell));
        best.filter(|end| end.length <= self.reach)
    }

    /// Returns a walk to a corner of the cell and on from there. It serves places between beams, where rounding left a
    /// gap.
    #[cold]
    fn over_a_corner(&self, layout: &CellGraph, spot: Vec2, cell: u32) -> Option<WalkEnd> {
        let beams = self.of_cell(cell);
        let length = |side: usize| self.corners[side] + layout.start[side].distance(spot);
        let least = layout.sides(cell).map(length).fold(f64::INFINITY, f64::min);
        let near = |beam: &&Beam| self.turn(beam.turn).map_or(f64::INFINITY, |turn| turn.at.distance(spot));
        let turn = beams.iter().min_by(|p, q| near(p).total_cmp(&near(q)))?.turn;
        least.is_finite().then_some(WalkEnd { length: least, turn })
    }

    /// Returns the parts of the segment from `a` to `b` that the beams of a cell hold, as shares, in order and without
    /// overlap. The segment lies in the cell.
    pub fn seen_parts(&self, cell: u32, a: Vec2, b: Vec2) -> Vec<[f64; 2]> {
        let part = |beam: &Beam| self.turn(beam.turn).and_then(|turn| part_within(beam, turn.at, a, b));
        let mut parts: Vec<[f64; 2]> = self.of_cell(cell).iter().filter_map(part).collect();
        parts.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
        let mut joined: Vec<[f64; 2]> = Vec::new();
        for part in parts {
            match joined.last_mut() {
                Some(last) if part[0] <= last[1] => last[1] = last[1].max(part[1]),
                _ => joined.push(part),
            }
        }
        joined
    }
}

/// Returns the part of the segment that lies within a beam.
fn part_within(beam: &Beam, root: Vec2, a: Vec2, b: Vec2) -> Option<[f64; 2]> {
    let mut part = [0.0f64, 1.0];
    // Within means to the left of the right boundary and to the right of the left one.
    for (boundary, sign) in [(beam.right, 1.0), (beam.left, -1.0)] {
        let [from, to] = [a, b].map(|end| sign * boundary.cross(end - root));
        if from < 0.0 && to < 0.0 {
            return None;
        }
        if from < 0.0 {
            part[0] = part[0].max(from / (from - to));
        } else if to < 0.0 {
            part[1] = part[1].min(from / (from - to));
        }
    }
    (part[0] < part[1]).then_some(part)
}

/// Beams that are being followed.
struct Gathering<'a> {
    /// The engine of the point search, in survey mode.
    engine: Engine<'a>,
    /// The limits.
    extent: Extent,
    /// The free sector in which each side starts. Where obstacles touch, a vertex has several, and no walk leads from
    /// one to another.
    sector_of: Vec<u32>,
    /// The least distance of each sector from the sources, as far as it is known.
    sectors: Vec<f64>,
    /// The source of each root.
    sources: Vec<u32>,
    /// The sector in which each root turns; [`NONE`] at sources.
    root_sectors: Vec<u32>,
    /// The beams that are kept so far.
    kept: Vec<Kept>,
}

/// A beam, and what is needed to drop it later.
struct Kept {
    /// The cell.
    cell: u32,
    /// The side by which the beam enters; [`NONE`] if it starts in the cell.
    side: u32,
    /// The least distance in it.
    least: f64,
    /// The ends of its window in that side.
    window: [Vec2; 2],
    /// The beam.
    beam: Beam,
}

impl Gathering<'_> {
    /// Follows all beams from the sources, and returns them sorted by cells.
    fn run(mut self, mesh: &NavMesh, sources: &[(Vec2, u32)]) -> Beams {
        for (number, source) in sources.iter().enumerate() {
            self.start(mesh, number as u32, *source);
        }
        let reach = self.follow();
        self.finish(reach)
    }

    /// Looks around from one source.
    fn start(&mut self, mesh: &NavMesh, source: u32, (at, cell): (Vec2, u32)) {
        let root = if source == 0 { 0 } else { self.engine.space.roots.len() as u32 };
        let mut cells = Vec::new();
        mesh.cells_at(at, cell, &mut cells);
        if source == 0 {
            // Prepares the scratch buffer and looks around. The nodes that it queues are queued anew, in the order of
            // this search.
            self.engine.begin(at, cell, std::iter::empty());
            let SearchSpace { open, nodes, fresh, .. } = &mut *self.engine.space;
            open.clear();
            fresh.extend(nodes.drain(..).map(|node| (0.0, node)));
        } else {
            let first = self.engine.space.roots[0];
            self.engine.space.roots.push(Root { at, ..first });
            for cell in &cells {
                self.engine.start_point(root, *cell);
            }
        }
        while self.sources.len() < self.engine.space.roots.len() {
            self.sources.push(source);
            self.root_sectors.push(NONE);
        }
        for cell in cells {
            let all = Vec2::default();
            let beam = Beam { turn: root, right: all, left: all };
            self.keep(Kept { cell, side: NONE, least: 0.0, window: [at, at], beam });
        }
        self.queue();
    }

    /// Takes beam after beam until none is left or a limit is reached. Returns the length up to which all walks are
    /// known.
    fn follow(&mut self) -> f64 {
        while let Some(Reverse((least, number))) = self.engine.space.open.pop() {
            // Lengths are never negative, so that their bits sort as they do.
            let least = f64::from_bits(least);
            if least > self.extent.reach {
                break;
            }
            if self.kept.len() >= self.extent.max_beams {
                return least.min(self.extent.reach);
            }
            let node = self.engine.space.nodes[number as usize];
            match node.kind {
                Kind::Beam => self.follow_beam(&node, least),
                Kind::Arc => self.follow_arc(&node, least),
            }
            self.queue();
        }
        self.extent.reach
    }

    /// Keeps a beam and follows it, unless it is beaten.
    fn follow_beam(&mut self, node: &Node, least: f64) {
        let window = self.window(node);
        let beam = Beam { turn: node.root, right: node.right, left: node.left };
        let kept = Kept { cell: node.cell, side: node.side, least, window, beam };
        if !self.is_beaten(&kept) {
            self.keep(kept);
            self.engine.expand_beam_point(node);
        }
    }

    /// Turns around a corner through one cell, unless a shorter walk gets there.
    fn follow_arc(&mut self, node: &Node, least: f64) {
        let (layout, root) = (self.engine.layout, self.engine.space.roots[node.root as usize]);
        let side = node.side as usize;
        self.root_sectors[node.root as usize] = self.sector_of[side];
        if !self.extent.turns || self.is_turn_beaten(node.root) {
            return;
        }
        let range = if root.turn < 0.0 {
            [layout.start[layout.next(node.cell, side)] - root.at, node.left]
        } else {
            [node.right, layout.start[layout.before(node.cell, side)] - root.at]
        };
        let beam = Beam { turn: node.root, right: range[0], left: range[1] };
        self.keep(Kept { cell: node.cell, side: NONE, least, window: [root.at, root.at], beam });
        self.engine.expand_arc_point(node);
    }

    /// Keeps a beam, and notes the distances of the corners of the cell that it holds.
    fn keep(&mut self, kept: Kept) {
        let layout = self.engine.layout;
        let root = &self.engine.space.roots[kept.beam.turn as usize];
        for side in layout.sides(kept.cell) {
            let direction = layout.start[side] - root.at;
            if kept.beam.holds(direction) {
                let known = &mut self.sectors[self.sector_of[side] as usize];
                *known = known.min(root.length + direction.length());
            }
        }
        self.kept.push(kept);
    }

    /// Queues the nodes that the last expansion made, by the least distance in each.
    fn queue(&mut self) {
        let fresh = std::mem::take(&mut self.engine.space.fresh);
        for (_, node) in &fresh {
            while self.sources.len() < self.engine.space.roots.len() {
                let parent = self.engine.space.roots[self.sources.len()].parent;
                self.sources.push(self.sources.get(parent as usize).copied().unwrap_or(0));
                self.root_sectors.push(NONE);
            }
            let root = &self.engine.space.roots[node.root as usize];
            let least = root.length
                + match node.kind {
                    Kind::Arc => 0.0,
                    Kind::Beam => {
                        let [right, left] = self.window(node);
                        root.at.distance_to_segment(right, left)
                    }
                };
            if least <= self.extent.reach {
                let number = self.engine.space.nodes.len() as u32;
                self.engine.space.nodes.push(*node);
                self.engine.space.open.push(Reverse((least.to_bits(), number)));
            }
        }
        self.engine.space.fresh = fresh;
        self.engine.space.fresh.clear();
    }

    /// The right and the left end of a beam in the side that it enters by.
    fn window(&self, node: &Node) -> [Vec2; 2] {
        let [left_end, right_end] = self.engine.layout.ends(node.cell, node.side as usize);
        let root = self.engine.space.roots[node.root as usize].at;
        let right =
            if node.right_at == NONE { crossing(root, node.right, right_end, left_end) } else { right_end };
        let left =
            if node.left_at == NONE { crossing(root, node.left, left_end, right_end) } else { left_end };
        [right, left]
    }

    /// True if walks over an end of the side by which a beam enters beat it, or another way to its root does.
    fn is_beaten(&self, kept: &Kept) -> bool {
        if !self.extent.turns {
            return false;
        }
        // A walk to the root may have been beaten after the beam was kept.
        if self.is_turn_beaten(kept.beam.turn) {
            return true;
        }
        if kept.side == NONE {
            return false;
        }
        let (layout, side) = (self.engine.layout, kept.side as usize);
        let root = &self.engine.space.roots[kept.beam.turn as usize];
        let beats = |side: usize, far: Vec2| {
            let over = self.sectors[self.sector_of[side] as usize] + layout.start[side].distance(far);
            root.length + root.at.distance(far) > over + self.engine.slack
        };
        beats(side, kept.window[0]) || beats(layout.next(kept.cell, side), kept.window[1])
    }

    /// True if a shorter walk is known to the sector in which a root turns.
    fn is_turn_beaten(&self, root: u32) -> bool {
        let sector = self.root_sectors[root as usize];
        let known = self.sectors.get(sector as usize);
        known.is_some_and(|known| self.engine.space.roots[root as usize].length > known + self.engine.slack)
    }

    /// Sorts the beams by cells, and leaves out those that are beaten by now.
    fn finish(self, reach: f64) -> Beams {
        let cells = self.engine.layout.cell_slots();
        let mut nearest = vec![f64::INFINITY; cells];
        let mut kept: Vec<&Kept> = self.kept.iter().filter(|kept| !self.is_beaten(kept)).collect();
        kept.sort_by_key(|kept| kept.cell);
        let mut first = vec![0u32; cells + 1];
        for kept in &kept {
            first[kept.cell as usize + 1] += 1;
            let known = &mut nearest[kept.cell as usize];
            *known = known.min(kept.least);
        }
        for cell in 0..cells {
            first[cell + 1] += first[cell];
        }
        let turn = |(root, source): (&Root, &u32)| Turn {
            at: root.at,
            length: root.length,
            parent: root.parent,
            source: *source,
            vertex: root.vertex,
        };
        Beams {
            first,
            beams: kept.iter().map(|kept| kept.beam).collect(),
            turns: self.engine.space.roots.iter().zip(&self.sources).map(turn).collect(),
            nearest,
            corners: self.sector_of.iter().map(|sector| self.sectors[*sector as usize]).collect(),
            reach,
        }
    }
}

/// Returns for each side the index of the free sector in which it starts, and the number of sectors.
fn sectors(layout: &CellGraph) -> (Vec<u32>, usize) {
    let mut sector_of = vec![NONE; layout.start.len()];
    let mut cell_of = vec![0u32; layout.start.len()];
    for cell in 0..layout.cell_slots() as u32 {
        cell_of[layout.sides(cell)].fill(cell);
    }
    let mut count = 0;
    for first in 0..sector_of.len() {
        let mut open = if sector_of[first] == NONE { vec![first] } else { continue };
        while let Some(side) = open.pop() {
            if std::mem::replace(&mut sector_of[side], count) != NONE {
                continue;
            }
            // Neighbours of a side around its vertex: clockwise through the side itself, counter-clockwise through the
            // one before.
            let before = layout.before(cell_of[side], side);
            let around = [
                (layout.beyond[side] != NONE)
                    .then(|| layout.next(layout.beyond[side], layout.twin[side] as usize)),
                (layout.beyond[before] != NONE).then(|| layout.twin[before] as usize),
            ];
            open.extend(around.into_iter().flatten().filter(|side| sector_of[*side] == NONE));
        }
        count += 1;
    }
    (sector_of, count as usize)
}

/// True if `other` points clearly to the left of `from`.
#[inline]
fn is_left(from: Vec2, other: Vec2) -> bool {
    let (first, second) = (from.x * other.y, from.y * other.x);
    first - second > SAME_DIRECTION * (first.abs() + second.abs())
}

/// Returns the point where a ray meets the segment from `near` to `far`; `near` if they do not meet.
#[inline]
fn crossing(root: Vec2, direction: Vec2, near: Vec2, far: Vec2) -> Vec2 {
    let along = far - near;
    let part = (root - near).cross(direction) / along.cross(direction);
    if part.is_nan() { near } else { near + along * part.clamp(0.0, 1.0) }
}

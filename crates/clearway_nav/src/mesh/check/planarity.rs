//! Sides meet only at their ends, and cells do not overlap.
//!
//! A sweep (Shamos and Hoey, 1976) visits all points from left to right, and from below upwards where they share an x.
//! It keeps the sides at the sweep line in their order from below. Two sides that cross or touch are neighbours in that
//! order before they do. So comparing neighbours finds one such pair for every trouble spot. Invariant: no two sides in
//! the order cross; one of each crossing pair is reported and left out.
//!
//! Where nothing crosses, the gap between two neighbours is part of one face of the drawing. Both neighbours must name
//! the same cell (or none) there. All gaps together reach every face, and a convex cell whose border bounds a single
//! face overlaps no other.
//!
//! Comparing boxes would not do: a thousand slivers around a pillar have boxes that all overlap each other. Cost: O(n
//! log n).

use super::flaw::{Flaw, FlawKind, Flaws};
use super::sides::Sides;
use clearway_geometry::construct::crossing;
use clearway_geometry::predicates::{cross_properly, on_segment, orient};
use clearway_geometry::{NONE, Point};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

/// Notes sides that cross, vertices inside sides, and (if cells are convex) cells that overlap.
pub(super) fn check(sides: &Sides<'_>, cells_are_convex: bool, flaws: &mut Flaws) {
    let before = flaws.count();
    let mut overlaps = BTreeSet::new();
    let edges = edges(sides, &mut overlaps);
    let mut sweep =
        Sweep { sides, edges: &edges, status: BTreeSet::new(), faults: BTreeSet::new(), overlaps };
    sweep.run();
    let Sweep { faults, overlaps, .. } = sweep;
    for fault in faults {
        flaws.note(|| fault.flaw(sides, &edges));
    }
    if cells_are_convex && flaws.count() == before {
        note_overlaps(sides, overlaps, flaws);
    }
}

/// A line of the drawing: a portal, a wall, or two walls back to back.
struct Edge {
    /// Its lesser end, by x and then y.
    left: Point,
    /// Its greater end.
    right: Point,
    /// The cell on the left when one goes from `left` to `right`, or [`NONE`].
    above: u32,
    /// The cell on the right, or [`NONE`].
    below: u32,
    /// One of the sides that run along it.
    side: u32,
}

/// Returns all lines by their left ends, then their right ends. Two cells on the same side of one line overlap.
fn edges(sides: &Sides<'_>, overlaps: &mut BTreeSet<(u32, u32)>) -> Vec<Edge> {
    let mut drawn: Vec<(Point, Point, u32, bool)> = Vec::with_capacity(sides.all().len());
    for side in sides.all() {
        let [from, to] = sides.ends(side).map(|vertex| sides.point(vertex));
        if from != to {
            drawn.push((from.min(to), from.max(to), side, from < to));
        }
    }
    drawn.sort_unstable();
    let mut edges: Vec<Edge> = Vec::with_capacity(drawn.len() / 2 + 1);
    for (left, right, side, goes_right) in drawn {
        let is_new = edges.last().is_none_or(|last| (last.left, last.right) != (left, right));
        if is_new {
            edges.push(Edge { left, right, above: NONE, below: NONE, side });
        }
        let Some(edge) = edges.last_mut() else { continue };
        let face = if goes_right { &mut edge.above } else { &mut edge.below };
        if *face == NONE {
            *face = sides.cell(side);
        } else {
            overlaps.insert(ordered(*face, sides.cell(side)));
        }
    }
    edges
}

/// An edge at the sweep line. It carries its own ends, so that comparing two strands needs nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Strand {
    /// The left end of the edge.
    left: Point,
    /// The right end of the edge.
    right: Point,
    /// The index of the edge.
    edge: u32,
}

impl Ord for Strand {
    /// Orders strands from below. It is an order only among strands that the sweep line meets and that do not cross.
    fn cmp(&self, other: &Strand) -> Ordering {
        if self.left > other.left {
            return other.cmp(self).reverse();
        }
        let side = match orient(self.left, self.right, other.left) {
            0 => orient(self.left, self.right, other.right),
            side => side,
        };
        0.cmp(&side).then(self.edge.cmp(&other.edge))
    }
}

impl PartialOrd for Strand {
    fn partial_cmp(&self, other: &Strand) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A spot where the drawing is not plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// A vertex lies inside an edge.
    Inside { edge: u32, vertex: u32 },
    /// Two edges cross.
    Crossing { edge: u32, other: u32 },
}

/// The state of the sweep.
struct Sweep<'a> {
    /// The sides, for their cells and vertices.
    sides: &'a Sides<'a>,
    /// All lines, by their left ends.
    edges: &'a [Edge],
    /// The strands at the sweep line, from below.
    status: BTreeSet<Strand>,
    /// The crossings and T-junctions found so far.
    faults: BTreeSet<Fault>,
    /// The pairs of overlapping cells found so far.
    overlaps: BTreeSet<(u32, u32)>,
}

impl Sweep<'_> {
    /// Moves the sweep line over all points: at each, first edges end, then edges begin.
    fn run(&mut self) {
        let mut by_right: Vec<u32> = (0..self.edges.len() as u32).collect();
        by_right.sort_unstable_by_key(|edge| self.edges[*edge as usize].right);
        let mut ending = by_right.into_iter().peekable();
        let mut begun = 0;
        while let Some(coming) = ending.peek() {
            // Every edge begins before it ends, so no left end comes after the last right end.
            let right = self.edges[*coming as usize].right;
            let at = self.edges.get(begun).map_or(right, |edge| edge.left.min(right));
            let mut ended = None;
            while let Some(edge) = ending.next_if(|edge| self.edges[*edge as usize].right == at) {
                let strand = self.strand(edge);
                if self.status.remove(&strand) {
                    ended = Some(strand);
                    // Where sides pass through this point, each edge that ends may let two others meet.
                    if !self.faults.is_empty() {
                        self.close(strand);
                    }
                }
            }
            let first = begun;
            let mut is_kept = false;
            while self.edges.get(begun).is_some_and(|edge| edge.left == at) {
                is_kept |= self.begin(begun as u32);
                begun += 1;
            }
            match ended {
                Some(ended) if !is_kept => self.close(ended),
                _ => self.compare_faces(first..begun),
            }
        }
    }

    /// Puts an edge into the order unless it crosses a neighbour. Returns true if the edge was put in.
    fn begin(&mut self, edge: u32) -> bool {
        let strand = self.strand(edge);
        let mut crosses = false;
        for neighbour in self.neighbours(&strand).into_iter().flatten() {
            crosses |= self.compare_edges(neighbour.edge, edge);
        }
        !crosses && self.status.insert(strand)
    }

    /// Compares the neighbours that meet over an edge that ended, and drops the upper one as long as they cross.
    fn close(&mut self, ended: Strand) {
        let [below, mut above] = self.neighbours(&ended);
        while let (Some(lower), Some(upper)) = (below, above)
            && self.compare_edges(lower.edge, upper.edge)
            && self.status.remove(&upper)
        {
            above = self.neighbours(&ended)[1];
        }
        self.compare_gap(below, above);
    }

    /// Returns the strand of an edge.
    fn strand(&self, edge: u32) -> Strand {
        let Edge { left, right, .. } = self.edges[edge as usize];
        Strand { left, right, edge }
    }

    /// Returns the strands next below and next above.
    fn neighbours(&self, strand: &Strand) -> [Option<Strand>; 2] {
        let below = self.status.range((Unbounded, Excluded(strand))).next_back();
        let above = self.status.range((Excluded(strand), Unbounded)).next();
        [below.copied(), above.copied()]
    }

    /// Notes spots where two edges meet other than at their ends. Returns true if they cross.
    fn compare_edges(&mut self, edge: u32, other: u32) -> bool {
        let (e, o) = (&self.edges[edge as usize], &self.edges[other as usize]);
        if cross_properly(e.left, e.right, o.left, o.right) {
            self.faults.insert(Fault::Crossing { edge: edge.min(other), other: edge.max(other) });
            return true;
        }
        for (edge, other) in [(edge, other), (other, edge)] {
            let (e, o) = (&self.edges[edge as usize], &self.edges[other as usize]);
            let ends = self.sides.ends(o.side);
            let inside = ends.into_iter().filter(|vertex| is_inside(e, self.sides.point(*vertex)));
            self.faults.extend(inside.map(|vertex| Fault::Inside { edge, vertex }));
        }
        false
    }

    /// Compares the gaps around edges that begin at the same point.
    fn compare_faces(&mut self, begun: std::ops::Range<usize>) {
        let mut highest: Option<Strand> = None;
        for edge in begun {
            let strand = self.strand(edge as u32);
            let below = self.status.range((Unbounded, Excluded(strand))).next_back().copied();
            self.compare_gap(below, Some(strand));
            highest = highest.max(Some(strand));
        }
        if let Some(strand) = highest {
            let above = self.status.range((Excluded(strand), Unbounded)).next().copied();
            self.compare_gap(Some(strand), above);
        }
    }

    /// Notes an overlap if two neighbours name different cells between them. Once sides were found to cross, gaps mean
    /// nothing and are skipped.
    fn compare_gap(&mut self, lower: Option<Strand>, upper: Option<Strand>) {
        if !self.faults.is_empty() {
            return;
        }
        let edge = |strand: Strand| &self.edges[strand.edge as usize];
        let (lower, upper) = (lower.map(edge), upper.map(edge));
        let above_lower = lower.map_or(NONE, |edge| edge.above);
        let below_upper = upper.map_or(NONE, |edge| edge.below);
        if above_lower == below_upper {
            return;
        }
        // Where one edge names no cell here, the cell behind it lies inside the cell that the other edge names.
        let pair = match (above_lower, below_upper) {
            (NONE, cell) => (cell, lower.map_or(NONE, |edge| edge.below)),
            (cell, NONE) => (cell, upper.map_or(NONE, |edge| edge.above)),
            pair => pair,
        };
        self.overlaps.insert(ordered(pair.0, pair.1));
    }
}

/// True if a point lies on an edge but is neither of its ends.
fn is_inside(edge: &Edge, point: Point) -> bool {
    point != edge.left && point != edge.right && on_segment(edge.left, edge.right, point)
}

/// Returns the pair with the lesser number first.
fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

impl Fault {
    /// Describes the fault with its cells and vertices.
    fn flaw(self, sides: &Sides<'_>, edges: &[Edge]) -> Flaw {
        let (Fault::Inside { edge, .. } | Fault::Crossing { edge, .. }) = self;
        let edge = &edges[edge as usize];
        let ([a, b], cell) = (sides.ends(edge.side), sides.cell(edge.side));
        match self {
            Fault::Inside { vertex, .. } => {
                let detail = format!("vertex {vertex} lies inside its side from vertex {a} to {b}");
                Flaw::new(FlawKind::TJunction, detail).vertex(sides.mesh, vertex).cell(cell)
            }
            Fault::Crossing { other, .. } => {
                let other = &edges[other as usize];
                let ([c, d], its) = (sides.ends(other.side), sides.cell(other.side));
                let detail =
                    format!("its side from vertex {a} to {b} crosses that from {c} to {d} of cell {its}");
                let meeting = crossing(edge.left, edge.right, other.left, other.right);
                Flaw::new(FlawKind::Crossing, detail).cell(cell).at(sides.mesh.parts.grid.world(meeting))
            }
        }
    }
}

/// Notes the overlapping pairs of cells.
fn note_overlaps(sides: &Sides<'_>, overlaps: BTreeSet<(u32, u32)>, flaws: &mut Flaws) {
    for (cell, other) in overlaps {
        let corner = sides.from(sides.of_cell(cell).start);
        let detail = || match other {
            NONE => "lies on the wrong side of its sides".to_string(),
            other => format!("overlaps cell {other}"),
        };
        let at = sides.mesh.parts.grid.world(sides.point(corner));
        flaws.note(|| Flaw::new(FlawKind::Overlap, detail()).cell(cell).at(at));
    }
}

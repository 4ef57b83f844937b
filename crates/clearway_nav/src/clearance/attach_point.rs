//! The width of the way from a point within a cell to the peaks of the cell, or to another point of it.
//!
//! The cell is cut by a chord through the point. The point then lies on a virtual portal, whose halves are convex rooms
//! like any cell. From the point the distance to the walls grows along the chord to one of its two neighbouring peaks.
//! So the point is joined to that peak as widely as the point itself allows. Cost: that of the profile of one portal
//! and of the trees of two rooms.

use super::build::Work;
use super::profile::{Peak, Track};
use super::room::{Narrow, Node};
use super::walls::{clearance_at, walls_around};
use crate::clearance::{PeakGraph, Seen};
use crate::mesh::NavMesh;
use clearway_geometry::Vec2;

/// A point of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The cell.
    pub cell: u32,
    /// The point in grid units.
    pub at: Vec2,
    /// The distance to the nearest wall.
    pub height: f64,
}

impl Spot {
    /// Measures the distance of a point to the walls.
    pub fn new(mesh: &NavMesh, work: &mut Work, cell: u32, at: Vec2) -> Spot {
        let height = clearance_at(mesh.graph(), &mut work.entered, cell, at);
        Spot { cell, at, height }
    }

    /// The point as the narrowest place of a way.
    pub fn narrow(&self) -> Narrow {
        Narrow { radius: self.height, at: self.at }
    }
}

/// The peak of its cell that a point is joined to most widely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// The peak.
    pub peak: u32,
    /// The narrowest place of the way to it.
    pub narrow: Narrow,
}

/// A small graph. Its first nodes are the peaks of a chord, then come the peaks of the cell.
#[derive(Default)]
struct Web {
    /// Edges: two nodes, and the narrowest place between them.
    edges: Vec<(usize, usize, Narrow)>,
    /// The number of peaks on the chord.
    chord_peaks: usize,
    /// The number of all nodes.
    count: usize,
}

/// A cell that is cut by a chord, with all peaks joined.
struct Cut<'a> {
    /// Scratch buffers.
    work: &'a mut Work,
    /// The mesh.
    mesh: &'a NavMesh,
    /// The cell.
    cell: u32,
    /// The chord.
    track: Track,
    /// The peaks of the chord.
    peaks: Vec<Peak>,
    /// The peaks and the ways between them.
    web: Web,
    /// An upper bound for the width of all ways, in grid units. Walls farther away need not be gathered.
    cap: f64,
}

/// Joins a point to the peaks of its cell; `None` if the cell has none.
pub(super) fn link(mesh: &NavMesh, graph: &PeakGraph, work: &mut Work, spot: &Spot) -> Option<Link> {
    graph.seen_from(mesh, spot.cell, &mut work.seen);
    let first = work.seen.first()?.peak;
    if spot.height <= 0.0 {
        return Some(Link { peak: first, narrow: spot.narrow() });
    }
    let toward = middle_of(mesh, spot.cell);
    // Any other point will do for the direction of the chord.
    let toward = if toward == spot.at { mesh.graph().start[first_side(mesh, spot.cell)] } else { toward };
    let cut = Cut::new(mesh, graph, work, spot.cell, (spot.at, toward), spot.height);
    let (start, narrow) = cut.climb(spot);
    match cut.web.first_joined(start, |node| node >= cut.web.chord_peaks) {
        Some((reached, way)) => {
            let peak = cut.work.seen[reached - cut.web.chord_peaks].peak;
            Some(Link { peak, narrow: narrow.min(way) })
        }
        None => Some(Link { peak: first, narrow: Narrow { radius: 0.0, at: spot.at } }),
    }
}

/// Returns the widest way between two points of one cell that does not leave it.
pub(super) fn widest_inside(
    mesh: &NavMesh,
    graph: &PeakGraph,
    work: &mut Work,
    [a, b]: [&Spot; 2],
) -> Narrow {
    let ends = a.narrow().min(b.narrow());
    if a.at == b.at || ends.radius <= 0.0 {
        return ends;
    }
    // Peaks of the cell are of no use here.
    work.seen.clear();
    let cut = Cut::new(mesh, graph, work, a.cell, (a.at, b.at), ends.radius);
    let ((from, first), (to, second)) = (cut.climb(a), cut.climb(b));
    let ends = first.min(second);
    if from == to {
        return ends;
    }
    match cut.web.first_joined(from, |node| node == to) {
        Some((_, way)) => ends.min(way),
        None => Narrow { radius: 0.0, at: a.at },
    }
}

/// The first side of a cell.
fn first_side(mesh: &NavMesh, cell: u32) -> usize {
    mesh.graph().sides(cell).start
}

/// Returns a point in the inside of a cell: the mean of its corners.
fn middle_of(mesh: &NavMesh, cell: u32) -> Vec2 {
    let corners = &mesh.graph().start[mesh.graph().sides(cell)];
    let sum = corners.iter().fold(Vec2::default(), |sum, corner| sum + *corner);
    sum * (1.0 / corners.len() as f64)
}

impl<'a> Cut<'a> {
    /// Cuts a cell along the line through two points. The peaks of the cell stand in `work.seen`.
    fn new(
        mesh: &'a NavMesh,
        graph: &PeakGraph,
        work: &'a mut Work,
        cell: u32,
        (a, b): (Vec2, Vec2),
        cap: f64,
    ) -> Cut<'a> {
        let layout = mesh.graph();
        walls_around(layout, &mut work.flood, cell, cap, &mut work.walls);
        let track = chord(&layout.start[layout.sides(cell)], a, b);
        work.profile.start(&track, [false, false]);
        for wall in &work.walls {
            work.profile.add(&track, wall);
        }
        let mut peaks = Vec::new();
        work.profile.peaks(&mut peaks);
        let web = Web { chord_peaks: peaks.len(), count: peaks.len() + work.seen.len(), ..Web::default() };
        let mut cut = Cut { work, mesh, cell, track, peaks, web, cap };
        cut.join_chord();
        cut.join_half(graph, true);
        cut.join_half(graph, false);
        cut
    }

    /// Returns the peak of the chord that a point on the chord is joined to most widely.
    fn climb(&self, spot: &Spot) -> (usize, Narrow) {
        let place = self.track.foot(spot.at);
        let after = self.peaks.partition_point(|peak| peak.place < place);
        let candidates = [after.saturating_sub(1), after.min(self.peaks.len().saturating_sub(1))];
        let width = |index: usize| {
            self.peaks.get(index).map_or(0.0, |peak| self.work.profile.least_between(place, peak.place))
        };
        let [before, behind] = candidates.map(width);
        let (index, width) = if before > behind { (candidates[0], before) } else { (candidates[1], behind) };
        (index, Narrow { radius: width.min(spot.height), at: spot.at })
    }

    /// Joins the peaks of the chord along it, by their dips.
    fn join_chord(&mut self) {
        for index in 1..self.peaks.len() {
            let (peak, before) = (self.peaks[index], self.peaks[index - 1]);
            let at = self.track.at(0.5 * (peak.place + before.place));
            self.web.edges.push((index - 1, index, Narrow { radius: peak.dip.min(self.cap), at }));
        }
    }

    /// Joins the peaks of the chord and of the cell on the left side of the chord, or on the right one.
    fn join_half(&mut self, graph: &PeakGraph, left: bool) {
        let layout = self.mesh.graph();
        let corners = &layout.start[layout.sides(self.cell)];
        let Track { start, end, along, .. } = self.track;
        let inside = |p: Vec2| along.cross(p - start) * if left { 1.0 } else { -1.0 };
        let is_lone = !corners.iter().any(|corner| inside(*corner) < 0.0);
        let (first, count) = run_of_positive(corners, inside);
        if count == 0 {
            return;
        }
        let own = |k: usize| corners[(first + k) % corners.len()];
        let cut = if left { [start, end] } else { [end, start] };
        self.work.room.start(cut.into_iter().chain((0..count).map(own)));
        let mut nodes = self.place_chord_peaks(left);
        // Edge 1 is what the chord leaves of the edge before the first corner; the others follow.
        for k in usize::from(count == corners.len())..=count {
            let side = layout.sides(self.cell).start + (first + corners.len() + k - 1) % corners.len();
            let from = self.work.seen.partition_point(|seen| (seen.side as usize) < side);
            for index in from..self.work.seen.len() {
                let Seen { peak, side: its_side, .. } = self.work.seen[index];
                if its_side as usize != side {
                    break;
                }
                let at = graph.position(self.mesh, self.mesh.parts.sides[side].portal, peak);
                let offset = inside(at);
                if offset > 0.0 || (offset == 0.0 && left) || is_lone {
                    let height = f64::from(graph.peaks[peak as usize].height).min(self.cap);
                    self.work.room.place(Node { edge: k + 1, at, height });
                    nodes.push(self.web.chord_peaks + index);
                }
            }
        }
        let edges = &mut self.web.edges;
        self.work.room.tree(&self.work.walls, |child, parent, narrow| {
            edges.push((nodes[child], nodes[parent], narrow));
        });
    }

    /// Puts the peaks of the chord on edge 0 of the room. Returns the nodes of the web that they are.
    fn place_chord_peaks(&mut self, left: bool) -> Vec<usize> {
        let order = |k: usize| if left { k } else { self.peaks.len() - 1 - k };
        let nodes: Vec<usize> = (0..self.peaks.len()).map(order).collect();
        for index in &nodes {
            let peak = self.peaks[*index];
            let node = Node { edge: 0, at: self.track.at(peak.place), height: peak.height.min(self.cap) };
            self.work.room.place(node);
        }
        nodes
    }
}

impl Web {
    /// Joins nodes by the widest edges first until a wanted one is joined to `start`. Returns that node and the
    /// narrowest place of the way.
    fn first_joined(&self, start: usize, wanted: impl Fn(usize) -> bool) -> Option<(usize, Narrow)> {
        let mut edges = self.edges.clone();
        edges.sort_by(|a, b| b.2.radius.total_cmp(&a.2.radius));
        let mut block: Vec<usize> = (0..self.count).collect();
        // Blocks are relabelled node by node, so that the first wanted node that joins is seen at once. A cell has few
        // peaks.
        for (a, b, narrow) in edges {
            let (joined, gone) = if block[b] == block[start] { (b, a) } else { (a, b) };
            let (kept, old) = (block[joined], block[gone]);
            if kept == old {
                continue;
            }
            let reaches = kept == block[start];
            for (node, its_block) in block.iter_mut().enumerate().filter(|(_, block)| **block == old) {
                *its_block = kept;
                if reaches && wanted(node) {
                    return Some((node, narrow));
                }
            }
        }
        None
    }
}

/// Returns the part of the line through two points of a convex polygon that lies in it, both points included.
fn chord(corners: &[Vec2], a: Vec2, b: Vec2) -> Track {
    let along = (b - a).unit();
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let next = corners.iter().cycle().skip(1);
    for (from, to) in corners.iter().zip(next) {
        let edge = *to - *from;
        // Inside is where cross(edge, p - from) ≥ 0.
        let (value, slope) = (edge.cross(a - *from), edge.cross(along));
        let meets = -value / slope;
        if slope > 0.0 {
            low = low.max(meets);
        } else if slope < 0.0 {
            high = high.min(meets);
        }
    }
    let low = if low.is_finite() { low.min(0.0) } else { 0.0 };
    let high = if high.is_finite() { high.max(a.distance(b)) } else { a.distance(b) };
    Track::new(a + along * low, a + along * high)
}

/// Returns the first corner on the positive side, and the number of corners there. They are consecutive.
fn run_of_positive(corners: &[Vec2], inside: impl Fn(Vec2) -> f64) -> (usize, usize) {
    let count = corners.len();
    let positive = |k: usize| inside(corners[k % count]) > 0.0;
    let first = (0..count).find(|k| positive(*k) && !positive(k + count - 1));
    // With all of them inside, the line runs along the edge that is closest to it.
    let offset = |k: &usize| inside(corners[*k]) + inside(corners[(k + 1) % count]);
    let along = || (0..count).min_by(|j, k| offset(j).total_cmp(&offset(k))).map_or(0, |k| (k + 1) % count);
    let first = first.unwrap_or_else(along);
    let length = (0..count).take_while(|k| positive(first + k)).count();
    (first, length)
}

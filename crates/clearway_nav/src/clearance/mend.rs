//! Clearances after edits: only portals and cells with a changed wall in reach are measured anew.
//!
//! A wall matters to a portal only if it is nearer to some place of the portal than the walls there, so at most as far
//! away as the highest peak of the portal. The straight line from that place to the wall crosses portals of which the
//! same is true. So a flood from the changed walls through such portals meets everything that changes. Walls that went
//! are looked for in the mesh before the edit, walls that came in the mesh after it.
//!
//! Edits only note what is stale; the first question that needs clearances measures it. That also rebuilds the forest,
//! which costs O(n log n) with a small factor.

use super::build::Work;
use crate::clearance::{PeakGraph, Seen};
use crate::mesh::{CellContent, CellGraph, NavMesh, Splice};
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use std::sync::Arc;

/// A straight wall, in grid units.
pub(crate) type Line = [Vec2; 2];

/// Clearances that edits made stale in part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stale {
    /// The clearances before the edits.
    graph: Arc<PeakGraph>,
    /// The portals that are to be measured anew.
    portals: Marks,
    /// The cells that are to be measured anew.
    cells: Marks,
}

/// A set of small numbers, one bit each.
#[derive(Clone, Debug, Default)]
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// Adds a number. Returns true if it is new.
    fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// True if the number was added.
    fn contains(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Returns all numbers in order.
    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let of_word = |(place, word): (u32, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| 64 * place + bit)
        };
        (0u32..).zip(&self.words).filter(|(_, word)| **word != 0).flat_map(of_word)
    }
}

impl Stale {
    /// Starts from clearances that are right.
    pub fn of(graph: Arc<PeakGraph>) -> Stale {
        Stale { graph, ..Stale::default() }
    }

    /// Notes the cells of a splice and their portals, before the splice or after it.
    pub fn note_cells<'a>(&mut self, cells: impl Iterator<Item = (u32, &'a CellContent)>) {
        for (slot, cell) in cells {
            self.cells.insert(slot);
            for side in cell.sides.iter().filter(|side| side.portal != NONE) {
                self.portals.insert(side.portal);
            }
        }
    }

    /// Notes everything that walls reach from some cells, in the mesh as it is now.
    pub fn note_reach(&mut self, mesh: &NavMesh, from: &[u32], walls: &[Line]) {
        if walls.is_empty() {
            return;
        }
        let graph = mesh.graph();
        let all = Reach::of(walls);
        let mut entered = from.to_vec();
        entered.sort_unstable();
        let mut open: Vec<u32> = from.to_vec();
        while let Some(cell) = open.pop() {
            self.cells.insert(cell);
            let own = self.reach(mesh, graph, cell);
            for side in graph.sides(cell).filter(|side| graph.beyond[*side] != NONE) {
                let (portal, other) = (mesh.parts.sides[side].portal, graph.beyond[side]);
                let place = entered.binary_search(&other);
                if place.is_ok() && self.portals.contains(portal) {
                    continue;
                }
                let line = graph.ends(cell, side);
                let is_changed = all.is_within(line, self.height(mesh, graph, portal));
                if is_changed {
                    self.portals.insert(portal);
                    self.cells.insert(other);
                }
                let Err(place) = place else { continue };
                // The heights of a neighbour are looked at only if nothing else brings the flood there.
                let is_near = is_changed
                    || all.is_within(line, own)
                    || all.is_within(line, self.reach(mesh, graph, other));
                if is_near {
                    entered.insert(place, other);
                    open.push(other);
                }
            }
        }
    }

    /// True if the clearances of a portal are right.
    fn is_known(&self, portal: u32) -> bool {
        (portal as usize) < self.graph.critical.len() && !self.portals.contains(portal)
    }

    /// Returns the greatest distance from the walls on a portal, or a bound for it where it is not known: nothing on a
    /// portal is farther from a wall than from an end on a wall.
    fn height(&self, mesh: &NavMesh, graph: &CellGraph, portal: u32) -> f64 {
        if self.is_known(portal) {
            let peaks = &self.graph.peaks[self.graph.peaks_of(portal)];
            return peaks.iter().map(|peak| f64::from(peak.height)).fold(0.0, f64::max);
        }
        let Some(record) = mesh.parts.portals.get(portal as usize) else { return 0.0 };
        let [from, to] = record.vertices.map(|vertex| mesh.parts.points[vertex as usize]);
        let solid = record.vertices.iter().filter(|vertex| graph.solid[**vertex as usize]).count();
        match solid {
            0 => f64::INFINITY,
            1 => from.distance(to),
            _ => 0.5 * from.distance(to),
        }
    }

    /// Returns the greatest distance from the walls on the portals of a cell.
    fn reach(&self, mesh: &NavMesh, graph: &CellGraph, cell: u32) -> f64 {
        let portals = graph.sides(cell).map(|side| mesh.parts.sides[side].portal);
        let heights = portals.filter(|portal| *portal != NONE).map(|portal| self.height(mesh, graph, portal));
        heights.fold(0.0, f64::max)
    }

    /// Measures what is stale. `mesh` is the mesh after all edits.
    pub fn mended(&self, mesh: &NavMesh) -> PeakGraph {
        let mut work = Work::default();
        let solid = &mesh.graph().solid;
        let mut graph = PeakGraph::default();
        for portal in 0..mesh.parts.portals.len() as u32 {
            if self.is_known(portal) && mesh.parts.portals[portal as usize].cells[0] != NONE {
                graph.copy_portal(&self.graph, portal);
            } else {
                let (peaks, critical) = work.peaks_of(mesh, solid, portal);
                graph.critical.push(critical);
                graph.push_peaks(mesh, portal as usize, &peaks);
            }
        }
        // The cell beside a portal that was measured anew sees other peaks.
        let beside = self.portals.iter().filter_map(|portal| mesh.parts.portals.get(portal as usize));
        let mut cells = self.cells.clone();
        for cell in beside.flat_map(|record| record.cells).filter(|cell| *cell != NONE) {
            cells.insert(cell);
        }
        let (mut edges, mut seen) = (Vec::new(), Vec::new());
        for cell in cells.iter().filter(|cell| (*cell as usize) < mesh.cell_slots()) {
            graph.seen_from(mesh, cell, &mut seen);
            for Seen { peak, face, .. } in &seen {
                let record = &mut graph.peaks[*peak as usize];
                (record.up[usize::from(*face)], record.width[usize::from(*face)]) = (0, 0.0);
            }
            work.tree_of(mesh, &graph, cell, &mut edges);
        }
        edges.into_iter().for_each(|edge| graph.store(edge));
        graph.join(mesh);
        graph
    }
}

/// Walls, and the box around them.
struct Reach<'a> {
    walls: &'a [Line],
    /// The lower and the upper corner.
    bounds: [Vec2; 2],
}

impl<'a> Reach<'a> {
    fn of(walls: &'a [Line]) -> Reach<'a> {
        let infinite = [f64::INFINITY, f64::NEG_INFINITY].map(|c| Vec2::new(c, c));
        let bounds = walls.iter().flatten().fold(infinite, |[low, high], p| {
            [Vec2::new(low.x.min(p.x), low.y.min(p.y)), Vec2::new(high.x.max(p.x), high.y.max(p.y))]
        });
        Reach { walls, bounds }
    }

    /// True if some wall is at most so far away from a line.
    fn is_within(&self, [a, b]: Line, distance: f64) -> bool {
        let [low, high] = self.bounds;
        let gap = |a: f64, b: f64, low: f64, high: f64| (low - a.max(b)).max(a.min(b) - high).max(0.0);
        let (x, y) = (gap(a.x, b.x, low.x, high.x), gap(a.y, b.y, low.y, high.y));
        x * x + y * y <= distance * distance
            && self.walls.iter().any(|[from, to]| segment_distance(a, b, *from, *to) <= distance)
    }
}

impl PeakGraph {
    /// Appends a portal as it is in another graph.
    fn copy_portal(&mut self, from: &PeakGraph, portal: u32) {
        let peaks = from.peaks_of(portal);
        self.critical.push(from.critical[portal as usize]);
        for peak in peaks.clone() {
            if peak > peaks.start {
                self.extra.push(portal);
                self.dip.push(from.dip_before(portal, peak as u32));
            }
            self.peaks.push(from.peaks[peak]);
        }
    }
}

/// The walls that a splice changes, by their vertices.
pub(crate) struct ChangedWalls {
    gone: Vec<(u32, u32)>,
    come: Vec<(u32, u32)>,
}

impl ChangedWalls {
    /// Finds the walls of a splice that are there only before or only after it.
    pub fn of(splice: &Splice) -> ChangedWalls {
        let before = walls_of(splice.cells.iter().filter_map(|swap| swap.before.as_ref()));
        let after = walls_of(splice.cells.iter().filter_map(|swap| swap.after.as_ref()));
        let without = |walls: &[(u32, u32)], others: &[(u32, u32)]| -> Vec<(u32, u32)> {
            walls.iter().filter(|wall| others.binary_search(wall).is_err()).copied().collect()
        };
        ChangedWalls { gone: without(&before, &after), come: without(&after, &before) }
    }

    /// Returns the walls that go. The mesh is that before the splice.
    pub fn gone(&self, mesh: &NavMesh) -> Vec<Line> {
        lines(mesh, &self.gone)
    }

    /// Returns the walls that come. The mesh is that after the splice.
    pub fn come(&self, mesh: &NavMesh) -> Vec<Line> {
        lines(mesh, &self.come)
    }
}

/// Returns the walls of cells by their vertices, in order.
fn walls_of<'a>(cells: impl Iterator<Item = &'a CellContent>) -> Vec<(u32, u32)> {
    let mut walls = Vec::new();
    for cell in cells {
        let following = cell.sides.iter().skip(1).chain(cell.sides.first());
        let sides = cell.sides.iter().zip(following).filter(|(side, _)| side.portal == NONE);
        walls.extend(sides.map(|(side, next)| (side.vertex, next.vertex)));
    }
    walls.sort_unstable();
    walls
}

/// Returns where walls are.
fn lines(mesh: &NavMesh, walls: &[(u32, u32)]) -> Vec<Line> {
    let point = |vertex: u32| mesh.parts.points[vertex as usize].as_vec2();
    walls.iter().map(|(from, to)| [point(*from), point(*to)]).collect()
}

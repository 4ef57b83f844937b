//! Landmarks: distances computed beforehand, which show early that a way leads nowhere.
//!
//! For a few vertices far apart, the walking distance of a point to every vertex is computed once. By the triangle
//! inequality, two places are at least as far apart as their distances from a landmark differ. This is ALT (Goldberg
//! and Harrelson 2005) for paths of a point on a mesh. A disc never walks less than a point, so that the bounds hold
//! for every radius. A bound costs O(1) for a vertex; the survey costs about as much as building the mesh.

use super::engine::{Engine, State};
use super::point::crossing;
use super::scratch::{Kind, Node, SearchSpace, Stamps};
use super::tangents::TangentIndex;
use crate::mesh::{CellGraph, LANDMARKS, Landmarks, NavMesh};
use crate::tolerances::floats::STORED_DISTANCE;
use clearway_base::progress::begin;
use clearway_base::{NoProgress, Progress, Result, parallel};
use clearway_geometry::{NONE, Vec2};
use std::cmp::Reverse;
#[cfg(feature = "parallel")]
use std::sync::Arc;
#[cfg(feature = "parallel")]
use std::thread::JoinHandle;

/// The least number of cells of a component that gets landmarks. Smaller components are searched as fast without.
const LEAST_CELLS: usize = 32;

/// The number of landmarks that are surveyed in parallel. More use more threads, but are placed less well: within a
/// group, distances as the crow flies stand in for walking distances.
const TOGETHER: usize = 2;

/// The least distance to each vertex that a survey has seen so far.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Distances by vertex, in grid units; infinite for vertices not yet seen.
    pub distances: Vec<f64>,
}

impl Survey {
    /// Lowers the distance of a vertex if this one is less.
    #[inline]
    pub fn note(&mut self, vertex: u32, distance: f64) {
        let least = &mut self.distances[vertex as usize];
        *least = least.min(distance);
    }
}

/// Lower bounds for the distance from vertices to the goal of the present search, computed on demand.
#[derive(Debug, Default)]
pub(in crate::path) struct Potentials {
    /// True if there are landmarks and exactly one goal.
    pub is_on: bool,
    /// The bounds that were computed in this search, as bits of an `f32`.
    known: Stamps,
    /// Bounds of the distances from landmarks to the goal.
    bounds: GoalBounds,
}

/// Bounds of the distances from landmarks to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalBounds {
    /// For each landmark a lower bound for its distance.
    pub least: [f32; LANDMARKS],
    /// For each landmark an upper bound for its distance.
    pub most: [f32; LANDMARKS],
}

impl Default for GoalBounds {
    fn default() -> GoalBounds {
        GoalBounds { least: [f32::NEG_INFINITY; LANDMARKS], most: [f32::INFINITY; LANDMARKS] }
    }
}

impl GoalBounds {
    /// Tightens the bounds by a vertex in sight of the goal: its distances from landmarks, and from the goal.
    pub fn tighten(&mut self, row: &[f32; LANDMARKS], away: f64) {
        let away = away as f32;
        for ((least, most), distance) in self.least.iter_mut().zip(&mut self.most).zip(row) {
            let slack = STORED_DISTANCE * (distance + away);
            *least = least.max(distance - away - slack);
            *most = most.min(distance + away + slack);
        }
    }
}

impl Potentials {
    /// Prepares the bounds for a goal in a cell. The goal is no vertex: its distances are bounded by those of the
    /// corners of its cell, which it sees.
    pub fn prepare(&mut self, mesh: &NavMesh, goal: Vec2, cell: u32) {
        let (graph, mut bounds) = (mesh.graph(), GoalBounds::default());
        if let Some(landmarks) = mesh.landmarks.get() {
            for side in graph.sides(cell) {
                let row = &landmarks.distances[graph.vertex[side] as usize];
                bounds.tighten(row, goal.distance(graph.start[side]));
            }
        }
        self.set(bounds, graph.corner_of.len());
    }

    /// Prepares the bounds for a goal, from bounds of its distance to each landmark.
    pub(super) fn set(&mut self, bounds: GoalBounds, vertices: usize) {
        // Where there are no landmarks, no distance is known.
        self.is_on = bounds.most[0].is_finite();
        self.bounds = bounds;
        self.known.clear(vertices);
    }

    /// Returns a lower bound for the distance from a vertex to the goal; 0 if nothing is known.
    #[inline]
    pub fn rest(&mut self, landmarks: Option<&Landmarks>, vertex: u32) -> f64 {
        if !self.is_on || vertex == NONE {
            return 0.0;
        }
        if let Some(bits) = self.known.get(vertex) {
            return f64::from(f32::from_bits(bits));
        }
        let Some(landmarks) = landmarks else { return 0.0 };
        let row = &landmarks.distances[vertex as usize];
        // Vertices without landmarks, and those that walls split, have no numbers.
        let best = if row[0].is_nan() { 0.0 } else { self.bound(row) };
        self.known.set(vertex, best.to_bits());
        f64::from(best)
    }

    /// Returns the greatest of all differences. It works in four lanes, which compilers turn into vector instructions.
    fn bound(&self, row: &[f32; LANDMARKS]) -> f32 {
        let mut best = [0.0f32; 4];
        for first in (0..LANDMARKS).step_by(4) {
            for (lane, best) in best.iter_mut().enumerate() {
                let at = first + lane;
                // Without the slack, rounding to `f32` could raise the bound above the true distance.
                let slack = STORED_DISTANCE * row[at];
                let beyond = row[at] - self.bounds.most[at] - slack;
                let before = self.bounds.least[at] - row[at] - slack;
                let bound = if beyond > before { beyond } else { before };
                *best = if bound > *best { bound } else { *best };
            }
        }
        best[0].max(best[1]).max(best[2].max(best[3]))
    }
}

impl NavMesh {
    /// Makes path searches on this mesh many times faster, for every radius. It builds the tangent index and distances
    /// from a few landmarks, on all cores. Paths stay as short as they are without; among equally short ones another may
    /// be chosen. It pays after some hundred searches.
    ///
    /// On a mesh that is too large for the index, searches go on without it.
    pub fn prepare_paths(&self) {
        // Nobody can cancel, so that all that can fail is that the mesh is too large.
        let _ = self.prepare_paths_with_progress(&mut NoProgress);
    }

    /// As [`prepare_paths`](NavMesh::prepare_paths), telling `progress` where it is. Fails if that wants to stop, or if
    /// the mesh is too large for the index.
    pub fn prepare_paths_with_progress(&self, progress: &mut dyn Progress) -> Result<()> {
        let index = match self.tangents.get() {
            Some(_) => Ok(None),
            None => TangentIndex::build(self, progress).map(Some),
        };
        // Landmarks help also without an index.
        begin(progress, "landmarks")?;
        self.landmarks.get_or_make(|| find_landmarks(self));
        if let Some(index) = index? {
            self.tangents.get_or_make(|| index);
        }
        Ok(())
    }
}

#[cfg(feature = "parallel")]
impl NavMesh {
    /// As [`prepare_paths`](NavMesh::prepare_paths), on a thread of its own. Searches go on meanwhile, and take up the
    /// index once it is there. The thread ends early if nobody else holds the mesh any more.
    pub fn prepare_paths_in_background(self: &Arc<NavMesh>) -> std::io::Result<JoinHandle<()>> {
        /// Goes on as long as somebody holds the mesh.
        struct WhileHeld(Arc<NavMesh>);
        impl Progress for WhileHeld {
            fn stage(&mut self, _: &'static str) -> bool {
                self.tick()
            }
            fn tick(&mut self) -> bool {
                Arc::strong_count(&self.0) > 2
            }
        }
        let mesh = Arc::clone(self);
        std::thread::Builder::new().name("clearway paths".to_string()).spawn(move || {
            let mut watcher = WhileHeld(Arc::clone(&mesh));
            // Without an index, searches go on as they did.
            let _ = mesh.prepare_paths_with_progress(&mut watcher);
        })
    }
}

/// Places and surveys landmarks in all components that are large enough. Components are treated in parallel, and
/// results do not depend on the number of threads.
pub(super) fn find_landmarks(mesh: &NavMesh) -> Landmarks {
    let layout = mesh.graph();
    let mut sizes = vec![0usize; mesh.component_count()];
    for component in mesh.cells().map(|cell| cell.component().0) {
        sizes[component as usize] += 1;
    }
    let components: Vec<u32> =
        (0..sizes.len() as u32).filter(|component| sizes[*component as usize] >= LEAST_CELLS).collect();
    let split = split_vertices(layout);
    let found: Vec<_> =
        parallel::map(components.len(), |number| landmarks_of(mesh, &split, components[number]));
    let mut distances = vec![[f32::NAN; LANDMARKS]; layout.corner_of.len()];
    for (vertex, row) in found.into_iter().flatten().filter(|(vertex, _)| !split[*vertex as usize]) {
        distances[vertex as usize] = row;
    }
    Landmarks { distances }
}

/// Returns for each vertex true if walls divide the free space around it. Nothing passes there from one part to
/// another. So the vertex is at several distances, and none of them gives a bound. In each part exactly one wall starts
/// there.
pub(super) fn split_vertices(layout: &CellGraph) -> Vec<bool> {
    let (mut seen, mut split) = (vec![false; layout.corner_of.len()], vec![false; layout.corner_of.len()]);
    for side in (0..layout.vertex.len()).filter(|side| layout.beyond[*side] == NONE) {
        let vertex = layout.vertex[side] as usize;
        split[vertex] |= std::mem::replace(&mut seen[vertex], true);
    }
    split
}

/// Returns the vertices of a component with their distances from landmarks. Each landmark is as far as can be from
/// those before. Landmarks that are surveyed together count as far apart as they are as the crow flies. They are corners
/// that a path can turn around, so that every way from one to a goal turns last at a corner that the goal sees. A
/// component without such corners needs no landmarks.
fn landmarks_of(mesh: &NavMesh, split: &[bool], component: u32) -> Vec<(u32, [f32; LANDMARKS])> {
    let layout = mesh.graph();
    let mut home = vec![NONE; layout.corner_of.len()];
    for cell in (0..layout.cell_slots() as u32).filter(|c| mesh.component_of(*c) == component) {
        for side in layout.sides(cell) {
            home[layout.vertex[side] as usize] = cell;
        }
    }
    let mut rows: Vec<(u32, [f32; LANDMARKS])> = (0..home.len() as u32)
        .filter(|v| home[*v as usize] != NONE)
        .map(|v| (v, [f32::NAN; LANDMARKS]))
        .collect();
    let at = |vertex: u32| mesh.parts.points[vertex as usize].as_vec2();
    let may_be = |vertex: u32| layout.corner_of[vertex as usize] != NONE && !split[vertex as usize];
    let first = rows.first().map_or(0, |row| row.0);
    let mut nearest = vec![f64::INFINITY; rows.len()];
    let mut roughly: Vec<f64> = rows.iter().map(|row| at(row.0).distance(at(first))).collect();
    for round in (0..LANDMARKS).step_by(TOGETHER) {
        let next = |_| {
            let next = farthest(&rows, &roughly, may_be)?;
            for (row, away) in rows.iter().zip(&mut roughly) {
                *away = away.min(at(row.0).distance(at(next)));
            }
            Some(next)
        };
        let chosen: Vec<u32> = (0..TOGETHER).filter_map(next).collect();
        let from = |number: usize| (chosen[number], home[chosen[number] as usize]);
        let surveys = parallel::map(chosen.len(), |number| survey(mesh, split, from(number)));
        for (landmark, distances) in (round..LANDMARKS).zip(surveys) {
            for (row, nearest) in rows.iter_mut().zip(&mut nearest) {
                let distance = distances[row.0 as usize];
                row.1[landmark] = distance as f32;
                *nearest = nearest.min(distance);
            }
        }
        roughly.clone_from(&nearest);
    }
    rows
}

/// Returns the vertex with the greatest finite distance among those that `may_be` landmarks; of equals the first.
fn farthest(
    rows: &[(u32, [f32; LANDMARKS])],
    distances: &[f64],
    may_be: impl Fn(u32) -> bool,
) -> Option<u32> {
    let finite = (0..rows.len()).filter(|place| distances[*place].is_finite() && may_be(rows[*place].0));
    let best = finite.max_by(|a, b| distances[*a].total_cmp(&distances[*b]).then(b.cmp(a)));
    best.map(|place| rows[place].0)
}

/// Measures the distances of all vertices from one, which belongs to `cell`.
///
/// It is a continuous Dijkstra (Mitchell, Mount and Papadimitriou 1987). Beams are followed in the order of the least
/// distance in them, and only as long as they may give the shortest distance to some vertex.
pub(super) fn survey(mesh: &NavMesh, split: &[bool], (vertex, cell): (u32, u32)) -> Vec<f64> {
    let layout = mesh.graph();
    let mut space = SearchSpace::new();
    space.survey.distances.resize(layout.corner_of.len(), f64::INFINITY);
    let mut state = State { is_survey: true, ..State::new(layout, 0.0, 1.0) };
    let mut engine = Engine::new(mesh, &mut space, &mut state);
    engine.begin(mesh.parts.points[vertex as usize].as_vec2(), cell, std::iter::empty());
    while let Some(Reverse((_, number))) = engine.space.open.pop() {
        let node = engine.space.nodes[number as usize];
        engine.state.expansions += 1;
        if engine.runs_in_circles() {
            break;
        }
        if node.kind == Kind::Arc || !engine.is_surveyed(&node, split) {
            engine.expand(&node);
            engine.queue_fresh();
        }
    }
    space.survey.distances
}

impl Engine<'_> {
    /// True if a way over one end of a side reaches all that a beam shows on the side earlier. Away from that end the
    /// way over it grows the faster of the two, so that the farther end of the window decides.
    fn is_surveyed(&self, node: &Node, split: &[bool]) -> bool {
        let (layout, root) = (self.layout, &self.space.roots[node.root as usize]);
        let side = node.side as usize;
        let ends = layout.ends(node.cell, side);
        let window = [node.right, node.left].map(|beam| crossing(root.at, beam, ends[0], ends[1] - ends[0]));
        [side, layout.next(node.cell, side)].into_iter().zip(ends).any(|(side, end)| {
            let vertex = layout.vertex[side] as usize;
            !split[vertex] && {
                let far = window[usize::from(end.distance(window[0]) < end.distance(window[1]))];
                let known = self.space.survey.distances[vertex] + end.distance(far);
                known < root.length + root.at.distance(far) - self.slack
            }
        })
    }

    /// Prepares lower bounds if landmarks are known and there is one goal.
    pub(super) fn prepare_potentials(&mut self) {
        if let [goal] = self.space.goals[..] {
            self.space.potentials.prepare(self.mesh, goal.at, goal.cell);
        }
    }

    /// Returns a lower bound for the distance from a vertex to the goal; 0 if nothing is known.
    #[inline]
    pub(super) fn rest_from_vertex(&mut self, vertex: u32) -> f64 {
        self.space.potentials.rest(self.mesh.landmarks.get(), vertex)
    }
}

//! Building the peak graph: portals first, then cells, each on its own and in parallel.
//!
//! A portal needs only the walls around it; a cell needs the peaks of its portals. So each of both passes runs in any
//! order, and results are stored in the order of the mesh. Equal meshes give equal graphs, on any number of threads.

use super::forest::{Edge, grow};
use super::profile::{Peak, Profile, Track};
use super::room::{Node, Room};
use super::walls::{Entered, Wall, walls_around};
use crate::clearance::{DIP, PeakGraph, PeakRecord, Seen, rounded_down};
use crate::mesh::{CellGraph, NavMesh};
use crate::query::Flood;
use crate::tolerances::shares::SAME_DISTANCE;
use clearway_base::error::Result;
use clearway_base::parallel;
use clearway_base::progress::Progress;
use clearway_geometry::NONE;
use std::ops::Range;

/// The most rounds in which walls near the peaks of a portal are looked for. Each round shows one more wall for each
/// peak; the limit bounds the time.
const MOST_LOOKS: usize = 64;

/// The number of portals or cells that one task handles. More leave threads idle at the end; fewer do not make up for
/// the scratch buffers of a task.
const TASK: usize = 512;

impl PeakGraph {
    /// Computes the peak graph of a mesh. Fails only if `progress` cancels it.
    pub(crate) fn of(mesh: &NavMesh, progress: &mut dyn Progress) -> Result<PeakGraph> {
        let on_wall = mesh.graph().solid.clone();
        let tasks = by_tasks(mesh.parts.portals.len(), progress, |task| {
            let mut work = Work::default();
            task.map(|portal| work.peaks_of(mesh, &on_wall, portal as u32)).collect::<Vec<_>>()
        })?;
        let mut graph = PeakGraph::default();
        for (portal, (peaks, critical)) in tasks.into_iter().flatten().enumerate() {
            graph.critical.push(critical);
            graph.push_peaks(mesh, portal, &peaks);
        }
        let trees = by_tasks(mesh.cell_slots(), progress, |task| {
            let mut work = Work::default();
            let mut edges = Vec::new();
            task.for_each(|cell| work.tree_of(mesh, &graph, cell as u32, &mut edges));
            edges
        })?;
        for edge in trees.into_iter().flatten() {
            graph.store(edge);
        }
        graph.join(mesh);
        Ok(graph)
    }

    /// Builds the forest from the rest of the graph.
    pub(crate) fn join(&mut self, mesh: &NavMesh) {
        let mut edges = self.dips();
        let mut seen = Vec::new();
        for cell in 0..mesh.cell_slots() as u32 {
            self.seen_from(mesh, cell, &mut seen);
            for Seen { peak, face, .. } in seen.iter().skip(1) {
                let record = &self.peaks[*peak as usize];
                let (up, width) = (record.up[usize::from(*face)], record.width[usize::from(*face)]);
                let parent = seen.get(usize::from(up)).map_or(*peak, |seen| seen.peak);
                edges.push(Edge { ends: [*peak, parent], width, via: 4 * peak + u32::from(*face) });
            }
        }
        self.forest = grow(self.peaks.len(), edges);
    }

    /// Appends the peaks of a portal, rounded for storage.
    pub(super) fn push_peaks(&mut self, mesh: &NavMesh, portal: usize, peaks: &[Peak]) {
        let [from, to] = mesh.parts.portals[portal].vertices.map(|v| mesh.parts.points[v as usize]);
        let length = from.distance(to).max(f64::MIN_POSITIVE);
        for (index, peak) in peaks.iter().enumerate() {
            if index > 0 {
                self.extra.push(portal as u32);
                self.dip.push(rounded_down(peak.dip));
            }
            let along = (peak.place / length * f64::from(u32::MAX)).round() as u32;
            let height = rounded_down(peak.height);
            self.peaks.push(PeakRecord { along, height, ..PeakRecord::default() });
        }
    }

    /// The edges along portals.
    fn dips(&self) -> Vec<Edge> {
        let further = self.extra.iter().zip(&self.dip).enumerate();
        let edge = |(index, (portal, width)): (usize, (&u32, &f32))| {
            let peak = *portal + index as u32 + 1;
            Edge { ends: [peak - 1, peak], width: *width, via: 4 * peak + DIP }
        };
        further.map(edge).collect()
    }

    /// Stores an edge of the tree of a cell.
    pub(super) fn store(&mut self, edge: TreeEdge) {
        let Seen { peak, face, .. } = edge.child;
        let record = &mut self.peaks[peak as usize];
        // In a cell with more peaks than 16 bits can count, ways between late ones count as closed.
        let up = u16::try_from(edge.up).ok();
        record.up[usize::from(face)] = up.unwrap_or(0);
        record.width[usize::from(face)] = up.map_or(0.0, |_| edge.width);
    }
}

/// An edge of the tree of a cell.
pub(super) struct TreeEdge {
    /// The peak that the edge leads up from.
    child: Seen,
    /// The index of the parent in the order of the border.
    up: usize,
    /// The width of the way between both, rounded down.
    width: f32,
}

/// Maps tasks of consecutive indices below `count` in parallel. Results are in order.
fn by_tasks<T: Send>(
    count: usize,
    progress: &mut dyn Progress,
    task: impl Fn(Range<usize>) -> T + Sync + Send,
) -> Result<Vec<T>> {
    let run = |_: &mut (), index: usize| task(index * TASK..((index + 1) * TASK).min(count));
    parallel::map_watched(count.div_ceil(TASK), parallel::thread_count(), progress, || (), run)
}

/// Scratch buffers for the work on portals and cells.
#[derive(Default)]
pub(super) struct Work {
    /// For floods around portals.
    pub flood: Flood,
    /// The cells that a short walk entered.
    pub entered: Entered,
    /// The distances along the present portal or chord.
    pub profile: Profile,
    /// The present cell, or a half of it.
    pub room: Room,
    /// The walls near the present cell.
    pub walls: Vec<Wall>,
    /// The peaks of the present cell.
    pub seen: Vec<Seen>,
}

impl Work {
    /// Returns the peaks of a portal, at least one, and its critical radius.
    pub fn peaks_of(&mut self, mesh: &NavMesh, on_wall: &[bool], portal: u32) -> (Vec<Peak>, f32) {
        if mesh.parts.portals[portal as usize].cells[0] == NONE {
            // A portal that is no more still has its number.
            return (vec![Peak { place: 0.0, height: 0.0, dip: 0.0 }], 0.0);
        }
        self.trace(mesh, on_wall, portal);
        let mut peaks = Vec::with_capacity(1);
        self.profile.peaks(&mut peaks);
        merge_shallow(&mut peaks);
        if peaks.is_empty() {
            peaks.push(Peak { place: 0.0, height: 0.0, dip: 0.0 });
        }
        (peaks, rounded_down(self.profile.critical_radius()))
    }

    /// Measures the distance to the walls along a portal.
    pub fn trace(&mut self, mesh: &NavMesh, on_wall: &[bool], portal: u32) -> Track {
        let (layout, record) = (mesh.graph(), mesh.parts.portals[portal as usize]);
        let [from, to] = record.vertices.map(|v| mesh.parts.points[v as usize].as_vec2());
        let track = Track::new(from, to);
        self.profile.start(&track, record.vertices.map(|v| on_wall[v as usize]));
        let reach = self.profile.highest();
        self.flood.walls(layout, &record.cells, (from, to), reach, |cell, side, _| {
            self.profile.add(&track, &Wall::new(layout, cell, side));
            self.profile.highest()
        });
        if layout.is_layered {
            self.look_from_peaks(layout, &record.cells, &track);
        }
        track
    }

    /// Adds walls that are nearer to a peak than it is high. In layers the flood leaves out a wall that is nearer to
    /// the portal than the way to it, because such a wall may belong to another floor. But behind a corner only a part
    /// of the wall may be that near, and another part may be in sight of the peak. For a single place the nearest wall
    /// is always in sight.
    fn look_from_peaks(&mut self, layout: &CellGraph, cells: &[u32], track: &Track) {
        let mut peaks = Vec::with_capacity(1);
        for _ in 0..MOST_LOOKS {
            peaks.clear();
            self.profile.peaks(&mut peaks);
            let mut found = false;
            for peak in &peaks {
                let at = track.at(peak.place);
                let lower = peak.height * SAME_DISTANCE;
                if let Some((cell, side)) = self.flood.nearest(layout, cells, at, lower) {
                    self.profile.add(track, &Wall::new(layout, cell, side));
                    found = true;
                }
            }
            if !found {
                return;
            }
        }
    }

    /// Appends the tree of widest ways of a cell.
    pub fn tree_of(&mut self, mesh: &NavMesh, graph: &PeakGraph, cell: u32, edges: &mut Vec<TreeEdge>) {
        if !self.enter(mesh, graph, cell) {
            return;
        }
        let seen = &self.seen;
        self.room.tree(&self.walls, |child, parent, narrow| {
            let width = rounded_down(narrow.radius);
            edges.push(TreeEdge { child: seen[child], up: parent, width });
        });
    }

    /// Builds the room of a cell with its peaks, and gathers the walls near it. Returns false if there is nothing to
    /// join.
    pub fn enter(&mut self, mesh: &NavMesh, graph: &PeakGraph, cell: u32) -> bool {
        let layout = mesh.graph();
        graph.seen_from(mesh, cell, &mut self.seen);
        if self.seen.len() < 2 {
            return false;
        }
        self.room.start(layout.start[layout.sides(cell)].iter().copied());
        for Seen { peak, side, .. } in &self.seen {
            let at = graph.position(mesh, mesh.parts.sides[*side as usize].portal, *peak);
            let height = f64::from(graph.peaks[*peak as usize].height);
            self.room.place(Node { edge: *side as usize - layout.sides(cell).start, at, height });
        }
        walls_around(layout, &mut self.flood, cell, self.room.reach(), &mut self.walls);
        true
    }
}

/// Merges peaks whose dip is as high as they are, in the 32 bits that are stored; the higher one stays.
fn merge_shallow(peaks: &mut Vec<Peak>) {
    let mut index = 1;
    while index < peaks.len() {
        let [before, here] = [peaks[index - 1], peaks[index]];
        if rounded_down(here.dip) < rounded_down(before.height.min(here.height)) {
            index += 1;
            continue;
        }
        if here.height > before.height {
            peaks[index].dip = before.dip;
            peaks.remove(index - 1);
        } else {
            peaks.remove(index);
        }
    }
}

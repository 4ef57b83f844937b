//! Fast paths that need not be the shortest: a corridor of cells by A*, and the taut string through it.
//!
//! This is how most games plan: [`search`] finds the cells to pass, and [`funnel`] pulls a string through them. The
//! string is the shortest path within the corridor, but the corridor may miss the shortest path.
//!
//! For a disc the pegs of the string are circles around vertices of walls. Walls beside the corridor may stand in its
//! way as well: [`room`] finds their vertices and adds them as pegs, until no wall is too close.

mod exits;
mod funnel;
mod room;
mod search;
mod sliced;
#[cfg(test)]
mod tests;

use super::query::{NoPath, PathQuery, Place};
use super::search::{PathSearch, SearchSpace, SearchStatus, Walk, cells_under, legal, passable};
use super::{Path, Piece};
use crate::mesh::{CellId, NavMesh, PortalId};
use crate::query::{Flood, Location};
use crate::tolerances::lengths::TINY_RADIUS;
use crate::tolerances::radii::NEARLY_WIDE;
use clearway_geometry::{NONE, Vec2};
use funnel::{Funnel, Gate, Peg};
use search::{End, Progress, Search};

pub use sliced::CorridorSearch;

/// A planner for fast paths that need not be the shortest. Its paths are legal, and it finds one exactly when the
/// optimal search does. Their [`bound`](Path::bound) is infinite.
///
/// It keeps its scratch buffers. For a point, later queries allocate only for their answers; for a disc, small
/// clearance queries still allocate.
#[derive(Debug, Default)]
pub struct CorridorPlanner {
    /// The A* over portals.
    search: Search,
    /// The gates and the string.
    funnel: Funnel,
    /// Scratch buffers for walls near the string.
    flood: Flood,
    /// The cells of the corridor, from the start to the goal.
    cells: Vec<u32>,
    /// Scratch buffers of the optimal search, for queries where the string fails.
    space: SearchSpace,
    /// The number of such queries so far.
    rescues: u64,
}

/// A search that has begun.
#[derive(Debug)]
struct Asked {
    /// The start.
    start: End,
    /// The radius in grid units; 0 for a point.
    radius: f64,
    /// The reason why there is no path if no way leads to a goal. `None` lets the optimal search tell.
    refusal: Option<NoPath>,
    /// The optimal search that takes over where the string cannot be pulled.
    rescue: Option<PathSearch>,
}

impl CorridorPlanner {
    /// Makes a planner with empty scratch buffers; the first queries on a mesh fill them.
    pub fn new() -> CorridorPlanner {
        CorridorPlanner::default()
    }

    /// Returns a path for a body of the query's radius, or the reason why there is none.
    pub fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Path, NoPath> {
        let mut asked = self.ask(mesh, query)?;
        loop {
            if let Some(answer) = self.go_on(mesh, query, &mut asked, u64::MAX) {
                return answer;
            }
        }
    }

    /// Pulls a string taut through cells that a planner has chosen, in the order of a way through them, past all walls
    /// beside it. Ends and radius are in grid units; the ends lie in the first and in the last cell. The string is the
    /// shortest path homotopic to the way, but keeps on the way's side of vertices without walls. `None` if it fails.
    pub fn pull(
        &mut self,
        mesh: &NavMesh,
        ends: [Vec2; 2],
        (cells, portals): (&[CellId], &[PortalId]),
        radius: f64,
    ) -> Option<Vec<Piece>> {
        self.lay_corridor(mesh, cells, portals)?;
        let start = cells.first()?.0;
        self.lay_gates(mesh, start, radius);
        let is_taut = if radius > 0.0 {
            self.pull_past_walls(mesh, ends, radius)
        } else {
            self.funnel.pull(ends[0], ends[1])
        };
        is_taut.then(|| pieces(&self.funnel, mesh, &mut None).0)
    }

    /// Lists the sides through which a way leaves its cells. Where it turns right back, both sides are left out.
    fn lay_corridor(&mut self, mesh: &NavMesh, cells: &[CellId], portals: &[PortalId]) -> Option<()> {
        let layout = mesh.graph();
        self.search.corridor.clear();
        let (mut cell, mut before) = (cells.first()?.0, Vec::new());
        for portal in portals {
            let is_last = |side: &u32| mesh.parts.sides[*side as usize].portal == portal.0;
            if self.search.corridor.last().is_some_and(is_last) {
                self.search.corridor.pop();
                cell = before.pop()?;
                continue;
            }
            let side = layout.sides(cell).find(|side| mesh.parts.sides[*side].portal == portal.0)?;
            before.push(cell);
            self.search.corridor.push(side as u32);
            cell = layout.beyond[side];
        }
        Some(())
    }

    /// Returns the number of queries so far that fell back to the optimal search, because the string could not be
    /// pulled past walls beside its corridor.
    pub fn rescues(&self) -> u64 {
        self.rescues
    }

    /// Begins a search: finds its ends, and expands the start.
    fn ask(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<Asked, NoPath> {
        let radius = query.radius;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NoPath::BadRadius { radius });
        }
        let start = legal(mesh, query, query.start, Place::Start)?;
        if radius == 0.0 {
            self.ask_for_point(mesh, query, start)
        } else {
            self.ask_for_disc(mesh, query, start)
        }
    }

    /// Begins a search for a point.
    fn ask_for_point(&mut self, mesh: &NavMesh, query: &PathQuery, start: Location) -> Result<Asked, NoPath> {
        self.search.goals.clear();
        let mut refusal = NoPath::Disconnected;
        for goal in std::iter::once(&query.goal).chain(&query.more_goals) {
            match legal(mesh, query, *goal, Place::Goal) {
                Ok(goal) => self.search.goals.push(end(mesh, goal, NONE)),
                Err(reason) => refusal = reason,
            }
        }
        let start = end(mesh, start, NONE);
        self.search.begin_for_point(mesh, start);
        Ok(Asked { start, radius: 0.0, refusal: Some(refusal), rescue: None })
    }

    /// Begins a search for a disc.
    fn ask_for_disc(&mut self, mesh: &NavMesh, query: &PathQuery, start: Location) -> Result<Asked, NoPath> {
        // As in the optimal search: a radius far below the accuracy of floats on this mesh is rounded up.
        let radius = (query.radius / mesh.unit()).max(TINY_RADIUS * mesh.graph().extent);
        self.search.discs.prepare_discs(mesh);
        self.collect_goals(mesh, query, start, radius)?;
        let (at, cell) = (mesh.parts.grid.units(start.position), start.cell.0);
        let start = End { at, cell, peak: mesh.joined_peak(cell, at, radius).unwrap_or(NONE) };
        // Stored widths are rounded down, so a passage that just fits must not be refused here.
        self.search.begin_for_disc(mesh, start, radius * (1.0 - NEARLY_WIDE));
        Ok(Asked { start, radius, refusal: None, rescue: None })
    }

    /// Goes on with a search until it has made `most` expansions in all. `None` while there is more to do.
    fn go_on(
        &mut self,
        mesh: &NavMesh,
        query: &PathQuery,
        asked: &mut Asked,
        most: u64,
    ) -> Option<Result<Path, NoPath>> {
        if asked.rescue.is_none() {
            let reached = match self.search.run(mesh, most) {
                Progress::Running => return None,
                Progress::Reached(goal) => self.search.goals.get(goal).copied(),
                Progress::Exhausted => None,
            };
            if let Some(path) = reached.and_then(|goal| self.pull_through(mesh, asked, goal)) {
                return Some(Ok(path));
            }
            if let Some(refusal) = asked.refusal.take().filter(|_| reached.is_none()) {
                return Some(Err(refusal));
            }
            self.rescues += 1;
        }
        let rescue = asked.rescue.get_or_insert_with(|| PathSearch::new(query.clone()));
        let left = most.saturating_sub(self.search.expansions + rescue.expansions());
        let answer = match rescue.step_in(mesh, left, &mut self.space) {
            SearchStatus::Running => return None,
            SearchStatus::Done(answer) => answer,
        };
        let expansions = rescue.expansions() + self.search.expansions;
        Some(answer.map(|path| Path { bound: f64::INFINITY, expansions, ..path }))
    }

    /// Returns the path along the string through the corridor that was found. `None` if the string cannot be pulled.
    fn pull_through(&mut self, mesh: &NavMesh, asked: &Asked, goal: End) -> Option<Path> {
        let Asked { start, radius, .. } = *asked;
        self.lay_gates(mesh, start.cell, radius);
        if radius > 0.0 {
            self.pull_past_walls(mesh, [start.at, goal.at], radius).then_some(())?;
        } else {
            self.funnel.pull(start.at, goal.at);
        }
        let path = self.path(mesh, radius);
        arrives(mesh, &path, [start, goal]).then_some(path)
    }

    /// Collects the goals that the disc can reach, each with the peak that it is connected to.
    fn collect_goals(
        &mut self,
        mesh: &NavMesh,
        query: &PathQuery,
        start: Location,
        radius: f64,
    ) -> Result<(), NoPath> {
        self.search.goals.clear();
        let mut refusal = None;
        for goal in std::iter::once(&query.goal).chain(&query.more_goals) {
            let goal = legal(mesh, query, *goal, Place::Goal).and_then(|goal| {
                let fits = mesh.can_pass(start, goal, query.radius);
                if fits { Ok(goal) } else { passable(mesh, query.radius, start, goal) }
            });
            match goal {
                Ok(goal) => {
                    let at = mesh.parts.grid.units(goal.position);
                    let peak = mesh.joined_peak(goal.cell.0, at, radius).unwrap_or(NONE);
                    self.search.goals.push(end(mesh, goal, peak));
                }
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        match refusal {
            Some(reason) if self.search.goals.is_empty() => Err(reason),
            _ => Ok(()),
        }
    }

    /// Lists the cells of the corridor and their gates.
    fn lay_gates(&mut self, mesh: &NavMesh, start: u32, radius: f64) {
        let layout = mesh.graph();
        self.cells.clear();
        self.cells.push(start);
        self.funnel.gates.clear();
        let mut cell = start;
        for (number, side) in self.search.corridor.iter().enumerate() {
            let side = *side as usize;
            let peg = |side: usize| {
                let vertex = layout.vertex[side];
                let radius = if layout.solid[vertex as usize] { radius } else { 0.0 };
                Some(Peg { at: layout.start[side], radius, vertex })
            };
            let (right, left) = (peg(side), peg(layout.next(cell, side)));
            self.funnel.gates.push(Gate { left, right, cell: number as u32 });
            cell = layout.beyond[side];
            self.cells.push(cell);
        }
    }

    /// Returns the least distance of the string to walls. A string that turns around a vertex of a wall touches it.
    fn clearance(&mut self, mesh: &NavMesh, radius: f64) -> f64 {
        let layout = mesh.graph();
        let is_solid = |vertex: u32| layout.solid.get(vertex as usize).copied().unwrap_or(false);
        if self.funnel.turns.iter().any(|turn| is_solid(turn.peg.vertex)) {
            return radius;
        }
        let mut least = f64::INFINITY;
        for leg in &self.funnel.legs {
            least = self.flood.distance(layout, &self.cells, (leg.from, leg.to), least);
        }
        least
    }

    /// Assembles the path along the string.
    fn path(&mut self, mesh: &NavMesh, radius: f64) -> Path {
        let unit = mesh.unit();
        let clearance = self.clearance(mesh, radius) * unit;
        // The string of a point stays in its corridor; the arcs of a disc may leave it.
        let mut walk = (radius > 0.0).then(|| Walk::new(mesh, self.cells[0]));
        let (pieces, length) = pieces(&self.funnel, mesh, &mut walk);
        let legs = &self.funnel.legs;
        let ends = [legs.first().map(|leg| leg.from), legs.last().map(|leg| leg.to)];
        let [start, goal] = ends.map(|at| mesh.parts.grid.place(at.unwrap_or_default()));
        let (cells, portals) = match walk {
            Some(walk) => (walk.cells, walk.portals),
            None => {
                let portals = self.search.corridor.iter().map(|side| mesh.parts.sides[*side as usize].portal);
                (self.cells.clone(), portals.collect())
            }
        };
        Path {
            start,
            goal,
            pieces,
            cells: cells.into_iter().map(CellId).collect(),
            portals: portals.into_iter().map(PortalId).collect(),
            length: length * unit,
            cost: length * unit,
            radius: radius * unit,
            clearance,
            bound: f64::INFINITY,
            expansions: self.search.expansions,
            ..Path::default()
        }
    }
}

/// Returns the pieces along a string and its length in grid units; `walk` records the cells under it.
fn pieces(funnel: &Funnel, mesh: &NavMesh, walk: &mut Option<Walk>) -> (Vec<Piece>, f64) {
    let place = |at: Vec2| mesh.parts.grid.place(at);
    let Funnel { turns, legs, .. } = funnel;
    let (mut pieces, mut length) = (Vec::with_capacity(2 * legs.len()), 0.0);
    for (number, leg) in legs.iter().enumerate() {
        let turn = turns[number];
        if number > 0 && turn.peg.radius > 0.0 {
            let (center, from) = (turn.peg.at, legs[number - 1].to);
            let angle = funnel.turned(number).unwrap_or(0.0);
            length += angle * turn.peg.radius;
            if let Some(walk) = walk {
                walk.turn(center, from, leg.from, angle * turn.sense);
            }
            let [center, from, to] = [center, from, leg.from].map(place);
            pieces.push(Piece::Arc { center, from, to, turn: angle * turn.sense });
        }
        if let Some(walk) = walk {
            walk.go(leg.from, leg.to);
        }
        length += leg.from.distance(leg.to);
        pieces.push(Piece::Segment { from: place(leg.from), to: place(leg.to) });
    }
    (pieces, length)
}

/// True if a path leads to the cell of the goal. Where flights of stairs lie over each other, a string along their side
/// may be pulled straight from one flight into another.
fn arrives(mesh: &NavMesh, path: &Path, [start, goal]: [End; 2]) -> bool {
    if !mesh.graph().is_layered {
        return true;
    }
    let (cells, _) = cells_under(mesh, start.cell, &path.pieces);
    let mut around = Vec::new();
    mesh.cells_at(goal.at, goal.cell, &mut around);
    cells.last().is_some_and(|last| around.contains(&last.0))
}

/// Makes an end of the search from a location.
fn end(mesh: &NavMesh, place: Location, peak: u32) -> End {
    End { at: mesh.parts.grid.units(place.position), cell: place.cell.0, peak }
}

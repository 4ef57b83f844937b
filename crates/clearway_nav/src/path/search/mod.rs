//! The optimal search: the shortest path of a point or a disc on the one mesh.
//!
//! The core ([`engine`]) is Polyanya (Cui, Harabor and Grastien 2017): an A* over what a body sees from its last turn.
//! [`point`] computes what a point sees; [`disc`] and [`arc`] do so for a disc. The invariant is that estimates never
//! exceed the true rest, so that the first path that no open node can beat is the shortest. The cost grows with the
//! number of beams that are shorter than the answer. The search runs in slices; the blocking call runs all slices.

mod arc;
mod beam_gap;
mod beams;
mod corner_touch;
mod disc;
mod engine;
mod going_on;
mod landmarks;
mod point;
mod radius_cache;
mod reconstruct;
mod scratch;
mod sight;
mod sliced;
mod tangent;
mod tangents;

use super::Path;
use super::query::{NoPath, PathQuery, Place};
use crate::mesh::{CellId, Edition, NavMesh, PortalId};
use crate::query::Location;
use crate::tolerances::lengths::TINY_RADIUS;
use crate::tolerances::radii::NEARLY_WIDE;
pub(super) use beams::{Beams, Extent, WalkEnd};
use clearway_geometry::Vec2;
use engine::{Engine, State};
pub(super) use landmarks::Potentials;
pub use reconstruct::cells_under;
pub(super) use reconstruct::{Walk, off_corners};
pub(in crate::path) use scratch::Goal;
pub use scratch::SearchSpace;
pub use sliced::{PathSearch, SearchStatus};
pub use tangents::PathIndex;
pub(in crate::path) use tangents::TangentField;
use tangents::TangentSearch;
pub(crate) use tangents::{TangentIndex, check_path_index};

/// The most times that a search starts anew because its path came too close to a vertex. Each repair makes one more
/// vertex block rays. After so many, every leg is checked before it is used, which is slower and always ends.
const MAX_REPAIRS: usize = 64;

/// The expansions after which a search for a near goal takes up the index. A way around a few obstacles takes fewer. To
/// give up costs about as much as a wide view.
const NEARBY_EXPANSIONS: u64 = 96;

impl NavMesh {
    /// Finds the shortest walk for a body of the given radius, without links and costs, or returns why there is none.
    pub(crate) fn find_walk(&self, query: &PathQuery, space: &mut SearchSpace) -> Result<Path, NoPath> {
        let mut run = Run::new(self, query)?;
        loop {
            if let Some(answer) = run.step(self, space, u64::MAX) {
                return answer;
            }
        }
    }
}

/// A search that is under way.
#[derive(Debug)]
struct Run {
    /// The start in grid units, and its cell.
    start: (Vec2, u32),
    /// The goals that the body can reach.
    goals: Vec<Goal>,
    /// True if the goals are those of the query. False if they are the reachable place nearest to one of them.
    complete: bool,
    /// The state of the engine between two slices.
    state: State,
    /// True once the engine has looked around from the start.
    begun: bool,
    /// True if the search uses the tangent index.
    among_tangents: bool,
    /// The number of times that the search started anew.
    repairs: usize,
    /// The serial number of the mesh on which the search runs.
    serial: u64,
    /// The same, as edits count.
    edition: Edition,
    /// True if nothing of the mesh was left out because no way could lead through it.
    is_followed: bool,
    /// True if the mesh has vertices at which no wall stands.
    has_bare_vertices: bool,
    /// True if the search went on after an edit.
    has_gone_on: bool,
    /// The query, if it allows partial paths and clearances were not ready: a search that finds nothing asks them
    /// for a place that can be reached, and starts anew.
    if_nothing: Option<Box<PathQuery>>,
}

impl Run {
    /// Checks the query and prepares the search. Fails if the radius is bad, or if no goal can be reached.
    fn new(mesh: &NavMesh, query: &PathQuery) -> Result<Run, NoPath> {
        let radius = query.radius;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NoPath::BadRadius { radius });
        }
        let layout = mesh.graph();
        let start = legal(mesh, query, query.start, Place::Start)?;
        let (goals, complete) = goals_of(mesh, query, start)?;
        let mut units = radius / mesh.unit();
        // Such a radius is below the accuracy of floats on this mesh. It is rounded up as far as the larger body fits.
        let least = TINY_RADIUS * layout.extent;
        if units > 0.0 && units < least {
            let place =
                |goal: &Goal| Location { cell: CellId(goal.cell), position: mesh.parts.grid.place(goal.at) };
            let widest = goals.iter().filter_map(|goal| mesh.widest_radius(start, place(goal)));
            units = units.max(widest.fold(least, |least, widest| least.min(widest / mesh.unit())));
        }
        // A factor that is not a number counts as 1.
        let weight = if query.suboptimality > 1.0 { query.suboptimality.min(1e6) } else { 1.0 };
        let mut state = State::new(layout, units, weight);
        // Blocks leave parts out that an edit may join again.
        let is_followed = mesh.is_edited() && layout.blocks.is_single;
        state.tracks = is_followed;
        let start = (mesh.parts.grid.units(start.position), start.cell.0);
        let among_tangents = mesh.tangents().is_some();
        let serial = layout.serial;
        let if_nothing = (query.partial && !decides_first(mesh, radius)).then(|| Box::new(query.clone()));
        Ok(Run {
            start,
            goals,
            complete,
            state,
            begun: false,
            among_tangents,
            repairs: 0,
            serial,
            edition: mesh.edition(),
            is_followed,
            has_bare_vertices: layout.has_bare_vertices,
            has_gone_on: false,
            if_nothing,
        })
    }

    /// Returns why nothing was found. Either clearances were not ready before, or the passage is so narrow that the
    /// search, which works in floats, does not get through.
    fn refusal(&self, mesh: &NavMesh) -> NoPath {
        let is_apart = |goal: &Goal| mesh.component_of(goal.cell) != mesh.component_of(self.start.1);
        if self.goals.iter().all(is_apart) {
            return NoPath::Disconnected;
        }
        let place =
            |at: Vec2, cell: u32| Location { cell: CellId(cell), position: mesh.parts.grid.place(at) };
        let start = place(self.start.0, self.start.1);
        let narrow = self.goals.first().and_then(|goal| mesh.bottleneck(start, place(goal.at, goal.cell)));
        narrow.map_or(NoPath::Disconnected, |narrow| NoPath::TooNarrow {
            widest_radius: narrow.radius,
            at: narrow.at,
            link: None,
        })
    }

    /// The same search, limited to paths shorter than a length in grid units.
    fn shorter_than(mut self, length: f64) -> Run {
        self.state.limit = length;
        self
    }

    /// Continues for at most `budget` expansions. Returns the answer once the search is over.
    ///
    /// The path of a disc is checked against all walls at the end. If it comes too close to one, the search starts anew
    /// with what the check found out.
    fn step(&mut self, mesh: &NavMesh, space: &mut SearchSpace, budget: u64) -> Option<Result<Path, NoPath>> {
        if let Some(index) = mesh.tangents().filter(|_| self.among_tangents)
            && let Some(answer) = self.step_among_tangents(mesh, index, space, budget)
        {
            return answer;
        }
        self.step_among_beams(mesh, space, budget)
    }

    /// As [`step`](Run::step), without the index.
    fn step_among_beams(
        &mut self,
        mesh: &NavMesh,
        space: &mut SearchSpace,
        budget: u64,
    ) -> Option<Result<Path, NoPath>> {
        let before = self.state.expansions;
        // A search that starts anew keeps the vertices that its own path came too close to.
        if !self.begun && self.repairs == 0 {
            space.recall(mesh, self.state.radius);
            space.memory.forget_repairs();
        }
        let mut engine = Engine::new(mesh, space, &mut self.state);
        if !self.begun {
            self.begun = true;
            let (start, cell) = self.start;
            if !engine.begin(start, cell, self.goals.iter().copied()) {
                return Some(Err(NoPath::Disconnected));
            }
        }
        if !engine.run(budget) {
            return None;
        }
        let Some(found) = self.state.best else {
            return match self.if_nothing.take() {
                Some(query) => self.start_anew(mesh, &query).err().map(Err),
                None => Some(Err(self.refusal(mesh))),
            };
        };
        let legs = reconstruct::legs(space, &found, self.state.radius);
        if self.state.radius > 0.0 && self.repair(mesh, space, &legs) {
            self.begun = false;
            self.state.best = None;
            // The budget counts across repairs.
            let spent = self.state.expansions - before;
            return if spent < budget { self.step_among_beams(mesh, space, budget - spent) } else { None };
        }
        let path = reconstruct::path(mesh, &legs, self.start.1, &found, &self.state);
        Some(Ok(Path { complete: self.complete, ..path }))
    }

    /// Begins again with the clearances at hand.
    fn start_anew(&mut self, mesh: &NavMesh, query: &PathQuery) -> Result<(), NoPath> {
        mesh.peak_graph();
        let expansions = self.state.expansions;
        *self = Run::new(mesh, query)?;
        self.state.expansions = expansions;
        Ok(())
    }

    /// As [`step`](Run::step), among the tangents of the index. Returns `None` if these show no way. That happens only
    /// where rounding decides whether the body fits; the search without the index then decides.
    fn step_among_tangents(
        &mut self,
        mesh: &NavMesh,
        index: &TangentIndex,
        space: &mut SearchSpace,
        budget: u64,
    ) -> Option<Option<Result<Path, NoPath>>> {
        if !self.begun
            && let Some(answer) = self.try_nearby(mesh, index, space)
        {
            return Some(Some(answer));
        }
        let mut search = TangentSearch::new(mesh, index, space, &mut self.state);
        if !self.begun {
            self.begun = true;
            search.begin(self.start.0, self.start.1, &self.goals);
        }
        if !search.run(budget) {
            return Some(None);
        }
        let Some(found) = self.state.best else {
            (self.among_tangents, self.begun) = (false, false);
            return if self.state.limit < f64::INFINITY { Some(Some(Err(self.refusal(mesh)))) } else { None };
        };
        let legs = reconstruct::legs(space, &found, self.state.radius);
        let path = reconstruct::path(mesh, &legs, self.start.1, &found, &self.state);
        Some(Some(Ok(Path { complete: self.complete, ..path })))
    }

    /// Looks for a near goal without the index, if to look around would cost more than that. Returns `None` if the
    /// goal is not found soon.
    fn try_nearby(
        &mut self,
        mesh: &NavMesh,
        index: &TangentIndex,
        space: &mut SearchSpace,
    ) -> Option<Result<Path, NoPath>> {
        let mut search = TangentSearch::new(mesh, index, space, &mut self.state);
        if !search.is_near_in_the_open(self.start.0, self.start.1, &self.goals) {
            return None;
        }
        let answer = self.step_among_beams(mesh, space, NEARBY_EXPANSIONS);
        if answer.is_none() {
            (self.begun, self.repairs) = (false, 0);
            (self.state.best, self.state.checks_legs) = (None, false);
        }
        answer
    }

    /// Returns the turns of the way to the open node with the least estimate, from the start on.
    fn guess(&self, mesh: &NavMesh, space: &SearchSpace) -> Vec<[f64; 2]> {
        if let Some(index) = mesh.tangents().filter(|_| self.among_tangents) {
            let places = TangentSearch::guess(space, index);
            return places.into_iter().map(|place| mesh.parts.grid.place(place)).collect();
        }
        let next = space.open.peek().and_then(|open| space.nodes.get(open.0.1 as usize));
        let mut number = next.map_or(0, |node| node.root);
        let mut places = Vec::new();
        while let Some(root) = space.roots.get(number as usize) {
            places.push(mesh.parts.grid.place(root.origin(root.arrival, self.state.radius)));
            number = root.parent;
        }
        places.reverse();
        places
    }

    /// Returns true if the search must start anew because the path came too close to walls. Vertices that it came too
    /// close to block rays from then on. If that was not enough, each leg is checked before it is used.
    fn repair(&mut self, mesh: &NavMesh, space: &mut SearchSpace, legs: &[reconstruct::Leg]) -> bool {
        if self.state.checks_legs {
            return false;
        }
        let layout = mesh.graph();
        let (mut clashes, mut blocked) = (false, false);
        for leg in legs {
            match reconstruct::intruder(layout, space, leg, self.state.radius) {
                None => continue,
                Some(reconstruct::Intruder::Wall) => {}
                Some(reconstruct::Intruder::Vertex(vertex, at, near)) => {
                    blocked |= space.memory.block(layout, vertex, at, near);
                }
            }
            clashes = true;
        }
        self.repairs += usize::from(clashes);
        self.state.checks_legs = clashes && (!blocked || self.repairs > MAX_REPAIRS);
        clashes
    }
}

/// True if components or clearances tell before the search whether there is a way. Right after an edit clearances are not
/// ready; then the search decides, so that no path waits for them.
fn decides_first(mesh: &NavMesh, radius: f64) -> bool {
    radius == 0.0 || mesh.has_ready_clearance()
}

/// Returns the goals that the body can reach, and whether they are goals of the query. If none can be reached and the
/// query allows it, returns the reachable place nearest to the first goal. Where clearances are not ready, every goal
/// counts as one that can be reached.
fn goals_of(mesh: &NavMesh, query: &PathQuery, start: Location) -> Result<(Vec<Goal>, bool), NoPath> {
    let in_units = |goal: Location| Goal { at: mesh.parts.grid.units(goal.position), cell: goal.cell.0 };
    let mut goals = Vec::new();
    let mut refusal = None;
    for goal in std::iter::once(&query.goal).chain(&query.more_goals) {
        let goal = legal(mesh, query, *goal, Place::Goal);
        let reachable = |goal| match decides_first(mesh, query.radius) {
            true => passable(mesh, query.radius, start, goal),
            false => Ok(goal),
        };
        match goal.and_then(reachable) {
            Ok(goal) => goals.push(in_units(goal)),
            Err(reason) => refusal = refusal.or(Some(reason)),
        }
    }
    match refusal {
        Some(reason) if goals.is_empty() => {
            let near =
                query.partial.then(|| mesh.nearest_reachable(start, query.goal, query.radius)).flatten();
            near.map(|near| (vec![in_units(near)], false)).ok_or(reason)
        }
        _ => Ok((goals, true)),
    }
}

impl PathQuery {
    /// Returns the start and the first goal as places where the body can stand and between which it can go, or the
    /// reason why there is no path. For planners outside of this crate.
    pub fn legal_ends(&self, mesh: &NavMesh) -> Result<[Location; 2], NoPath> {
        let radius = self.checked_radius()?;
        let start = legal(mesh, self, self.start, Place::Start)?;
        let goal = legal(mesh, self, self.goal, Place::Goal)?;
        let goal = passable(mesh, radius, start, goal)?;
        Ok([start, goal])
    }
}

/// Returns the place itself, or the nearest legal one within the distance that the query allows.
pub(crate) fn legal(
    mesh: &NavMesh,
    query: &PathQuery,
    at: Location,
    place: Place,
) -> Result<Location, NoPath> {
    if !mesh.is_here(&at) {
        return Err(NoPath::OffMesh { place });
    }
    if query.radius == 0.0 {
        return Ok(at);
    }
    let clearance = mesh.clearance(at).unwrap_or(0.0);
    if clearance >= query.radius {
        return Ok(at);
    }
    let may_move = query.snap > 0.0;
    let moved = may_move.then(|| mesh.nearest_clear_to(at, query.radius, query.snap)).flatten();
    moved.ok_or(NoPath::TooClose { place, clearance })
}

/// Returns the goal if a body of this radius can get there. For a point, the components decide; for a disc, the
/// clearances do.
pub(super) fn passable(
    mesh: &NavMesh,
    radius: f64,
    start: Location,
    goal: Location,
) -> Result<Location, NoPath> {
    if radius == 0.0 {
        let is_apart = mesh.are_known_apart(start.cell.0, goal.cell.0);
        return if is_apart { Err(NoPath::Disconnected) } else { Ok(goal) };
    }
    // Stored widths are rounded down. Close to the limit the search decides.
    if mesh.widest_radius(start, goal).is_some_and(|widest| widest >= radius * (1.0 - NEARLY_WIDE)) {
        return Ok(goal);
    }
    Err(mesh.bottleneck(start, goal).map_or(NoPath::Disconnected, |narrow| NoPath::TooNarrow {
        widest_radius: narrow.radius,
        at: narrow.at,
        link: None,
    }))
}

/// Returns the cells and portals under straight stretches from one station to the next. The first station lies in
/// `cell`.
pub(super) fn cells_under_stations(
    mesh: &NavMesh,
    cell: u32,
    stations: &[Vec2],
) -> (Vec<CellId>, Vec<PortalId>) {
    let mut walk = reconstruct::Walk::new(mesh, cell);
    for pair in stations.windows(2) {
        walk.go(pair[0], pair[1]);
    }
    (walk.cells.into_iter().map(CellId).collect(), walk.portals.into_iter().map(PortalId).collect())
}

#[cfg(test)]
mod tests;

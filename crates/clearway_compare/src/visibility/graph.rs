//! The tangent graph: corners as circles, straight pieces between them as edges.
//!
//! For one radius its nodes are the points where straight pieces leave circles. Each corner has two *chains* of them,
//! one per turning direction, in the order in which a body rolling that way meets them. Rolling on leads from one to
//! the next. A shortest path of a disc is a path of this graph (Chew 1985; Liu and Arimoto 1995).

use super::corner::{ANGLE_SLACK, Corner, FreeArc, arc_at, corners};
use super::ends::Request;
use super::search::find_route;
use super::sector::Fan;
use super::tangent::{Turn, between_corners};
use super::walls::Walls;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Vec2;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::Path;
use clearway_nav::query::Location;

/// The largest number of corners; meshes with more are refused. There may be as many tangents as pairs of corners.
pub const MAX_CORNERS: usize = 6000;

/// The walls, and the corners to turn around.
#[derive(Debug)]
pub(super) struct Obstacles {
    /// All walls of the mesh.
    pub walls: Walls,
    /// All corners that paths may turn around.
    pub corners: Vec<Corner>,
}

impl Obstacles {
    /// Collects the obstacles of the mesh of a plan; fails for scenes and for too many corners.
    pub fn of(mesh: &NavMesh) -> Result<Obstacles> {
        if mesh.has_heights() {
            let message = "a visibility graph knows one floor only; this is the mesh of a scene";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let fan = Fan::new(mesh.graph());
        let corners = corners(mesh, &fan);
        if corners.len() > MAX_CORNERS {
            let message = format!(
                "the mesh has {} corners to turn around; a visibility graph takes at most {MAX_CORNERS}",
                corners.len()
            );
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        Ok(Obstacles { walls: Walls::of(mesh, &fan), corners })
    }
}

/// A straight piece that leaves a chain for another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leave {
    /// The contact at which it leaves.
    pub contact: Contact,
    /// The chain that it joins.
    pub chain: u32,
    /// The contact at which it joins that chain.
    pub joins: Contact,
    /// Its length in grid units.
    pub length: f64,
}

/// A position on a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// The index of the free arc of the corner.
    pub arc: u32,
    /// The angle in the turning direction, in radians.
    pub progress: f64,
    /// The point, in grid units.
    pub at: Vec2,
}

/// Returns the chain of a corner for a turning direction.
pub(super) fn chain(corner: u32, turn: Turn) -> u32 {
    corner * 2 + u32::from(turn == Turn::Right)
}

/// Returns the corner and the turning direction of a chain.
pub(super) fn of_chain(chain: u32) -> (u32, Turn) {
    (chain / 2, if chain.is_multiple_of(2) { Turn::Left } else { Turn::Right })
}

/// A tangent graph for one radius, as a search sees it.
pub(super) trait Tangents {
    /// Returns the walls and corners.
    fn obstacles(&self) -> &Obstacles;
    /// Returns the radius in grid units.
    fn radius(&self) -> f64;
    /// Returns the free arcs of a corner.
    fn free_arcs(&self, corner: u32) -> &[FreeArc];
    /// Returns the straight pieces that leave a chain, sorted by arc and progress.
    fn leaves(&self, chain: u32) -> &[Leave];

    /// Returns the contact on a corner's circle in this direction, if the disc fits there.
    fn contact(&self, corner: u32, turn: Turn, direction: Vec2) -> Option<Contact> {
        let record = &self.obstacles().corners[corner as usize];
        let (arc, angle) = arc_at(record, self.free_arcs(corner), direction)?;
        Some(Contact { arc, progress: angle * turn.sign(), at: record.contact(direction, self.radius()).at })
    }

    /// Returns the straight piece between two corners, if it is taut at both and clear of walls.
    fn tangent(&self, ends: [u32; 2], turns: [Turn; 2], is_known_clear: bool) -> Option<Leave> {
        let (obstacles, radius) = (self.obstacles(), self.radius());
        let [a, b] = ends.map(|end| &obstacles.corners[end as usize]);
        let [out, into] = between_corners(a.at, b.at, turns, radius)?;
        if !a.is_taut(out, ANGLE_SLACK) || !b.is_taut(into, ANGLE_SLACK) {
            return None;
        }
        let contact = self.contact(ends[0], turns[0], out)?;
        let joins = self.contact(ends[1], turns[1], into)?;
        let stands = [a.contact(out, radius), b.contact(into, radius)];
        if !is_known_clear && !obstacles.walls.are_clear(&stands[0], &stands[1], radius) {
            return None;
        }
        Some(Leave { contact, chain: chain(ends[1], turns[1]), joins, length: contact.at.distance(joins.at) })
    }
}

/// Sorts straight pieces along a chain.
pub(super) fn sort_leaves(leaves: &mut [Leave]) {
    leaves.sort_by(|a, b| {
        let by_place =
            a.contact.arc.cmp(&b.contact.arc).then(a.contact.progress.total_cmp(&b.contact.progress));
        by_place.then(a.chain.cmp(&b.chain))
    });
}

/// Returns the same straight piece walked backwards, and the chain that it leaves.
fn reversed(leave: &Leave, from: u32) -> (u32, Leave) {
    let back = |contact: Contact| Contact { progress: -contact.progress, ..contact };
    let (corner, turn) = of_chain(leave.chain);
    let (start, start_turn) = of_chain(from);
    let reversed = Leave {
        contact: back(leave.joins),
        chain: chain(start, start_turn.reversed()),
        joins: back(leave.contact),
        length: leave.length,
    };
    (chain(corner, turn.reversed()), reversed)
}

/// All tangents for one radius, found by testing every pair of corners against every wall on the way.
///
/// It serves as the oracle of the other planners: it takes only walls and corners from the mesh. Making it costs time
/// quadratic in the number of corners; a query costs a search of the graph. It knows one floor only.
#[derive(Debug)]
pub struct TangentGraph {
    /// The walls and corners.
    obstacles: Obstacles,
    /// The radius in metres.
    metres: f64,
    /// The radius in grid units.
    radius: f64,
    /// For each corner, its free arcs.
    arcs: Vec<Vec<FreeArc>>,
    /// For each chain, the straight pieces that leave it.
    chains: Vec<Vec<Leave>>,
}

impl TangentGraph {
    /// Makes the graph of a mesh for a radius in metres. Fails for a radius that is negative or not finite, and for
    /// meshes with more than [`MAX_CORNERS`] corners.
    pub fn at(mesh: &NavMesh, radius: f64) -> Result<TangentGraph> {
        if !(radius >= 0.0 && radius.is_finite()) {
            let message = format!("the radius is {radius}; it must be a finite length of at least 0");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        let obstacles = Obstacles::of(mesh)?;
        let (metres, radius) = (radius, super::units(mesh, radius));
        let arcs = obstacles.corners.iter().map(|c| c.free_arcs(&obstacles.walls, radius)).collect();
        let chains = vec![Vec::new(); obstacles.corners.len() * 2];
        let mut graph = TangentGraph { obstacles, metres, radius, arcs, chains };
        graph.fill();
        Ok(graph)
    }

    /// Returns the shortest path between two locations of the mesh that the graph was made for. `None` if there is none
    /// or the body cannot stand at an end.
    pub fn find_path(&self, mesh: &NavMesh, start: Location, goal: Location) -> Option<Path> {
        let request = Request { start, goal, radius: self.metres };
        let ends = request.check(mesh, &self.obstacles).ok()?;
        let [from, to] = &ends.stands;
        let all: Vec<u32> = (0..self.obstacles.corners.len() as u32).collect();
        let route = find_route(self, (from, &all), (to, &all))?;
        Some(ends.path(mesh, &self.obstacles, &route))
    }

    /// Returns the number of tangents; each can be walked both ways.
    pub fn tangent_count(&self) -> usize {
        self.chains.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// Tests every pair of corners with all turning directions.
    fn fill(&mut self) {
        let count = self.obstacles.corners.len() as u32;
        for a in 0..count {
            for b in a + 1..count {
                for turns in Turn::BOTH.map(|one| Turn::BOTH.map(|other| [one, other])).concat() {
                    let Some(leave) = self.tangent([a, b], turns, false) else { continue };
                    let from = chain(a, turns[0]);
                    let (back_from, back) = reversed(&leave, from);
                    self.chains[from as usize].push(leave);
                    self.chains[back_from as usize].push(back);
                }
            }
        }
        self.chains.iter_mut().for_each(|leaves| sort_leaves(leaves));
    }
}

impl Tangents for TangentGraph {
    fn obstacles(&self) -> &Obstacles {
        &self.obstacles
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn free_arcs(&self, corner: u32) -> &[FreeArc] {
        &self.arcs[corner as usize]
    }

    fn leaves(&self, chain: u32) -> &[Leave] {
        &self.chains[chain as usize]
    }
}

/// Returns the chains that tangents lead from and to, sorted.
#[cfg(test)]
pub(super) fn pairs(tangents: &impl Tangents) -> Vec<[u32; 2]> {
    let chains = 0..tangents.obstacles().corners.len() as u32 * 2;
    let pairs = chains.flat_map(|from| tangents.leaves(from).iter().map(move |leave| [from, leave.chain]));
    let mut pairs: Vec<[u32; 2]> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

//! The tangent graph: corners as circles, straight pieces between them as edges.
//!
//! For one radius its nodes are the places where straight pieces leave circles. Each corner has two *chains* of
//! them, one per turning direction, in the order in which a body rolling that way meets them; rolling on leads
//! from one to the next. A shortest path of a disc is a path of this graph (Chew 1985; Liu and Arimoto 1995).

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

/// Meshes with more corners than this are refused, for there may be as many tangents as pairs of corners.
pub const MAX_CORNERS: usize = 6000;

/// What stands in the way, and what to turn around.
#[derive(Debug)]
pub(super) struct Obstacles {
    pub walls: Walls,
    pub corners: Vec<Corner>,
}

impl Obstacles {
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
    /// Where it leaves.
    pub contact: Contact,
    /// The chain it joins, and where.
    pub chain: u32,
    pub joins: Contact,
    pub length: f64,
}

/// A place on a chain: the free arc, and how far along it in the turning direction, in radians.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub arc: u32,
    pub progress: f64,
    pub at: Vec2,
}

/// The chain of a corner for a turning direction.
pub(super) fn chain(corner: u32, turn: Turn) -> u32 {
    corner * 2 + u32::from(turn == Turn::Right)
}

/// The corner and turning direction of a chain.
pub(super) fn of_chain(chain: u32) -> (u32, Turn) {
    (chain / 2, if chain.is_multiple_of(2) { Turn::Left } else { Turn::Right })
}

/// A tangent graph for one radius, as a search sees it.
pub(super) trait Tangents {
    fn obstacles(&self) -> &Obstacles;
    /// The radius in grid units.
    fn radius(&self) -> f64;
    fn free_arcs(&self, corner: u32) -> &[FreeArc];
    /// The straight pieces that leave a chain, by arc and progress.
    fn leaves(&self, chain: u32) -> &[Leave];

    /// The place of a contact direction on a corner's circle, if the disc fits there.
    fn contact(&self, corner: u32, turn: Turn, direction: Vec2) -> Option<Contact> {
        let record = &self.obstacles().corners[corner as usize];
        let (arc, angle) = arc_at(record, self.free_arcs(corner), direction)?;
        Some(Contact { arc, progress: angle * turn.sign(), at: record.contact(direction, self.radius()).at })
    }

    /// The straight piece between two corners, if it is taut at both and clear of walls.
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

/// The order of straight pieces along a chain.
pub(super) fn sort_leaves(leaves: &mut [Leave]) {
    leaves.sort_by(|a, b| {
        let by_place =
            a.contact.arc.cmp(&b.contact.arc).then(a.contact.progress.total_cmp(&b.contact.progress));
        by_place.then(a.chain.cmp(&b.chain))
    });
}

/// The same straight piece walked backwards.
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

/// All tangents for one radius, found by trying every pair of corners against every wall on the way.
///
/// It serves as the oracle of the other planners: nothing but walls and corners is taken from the mesh. Making it
/// costs time quadratic in the number of corners; a query costs a search of the graph. It knows one floor only.
#[derive(Debug)]
pub struct TangentGraph {
    obstacles: Obstacles,
    metres: f64,
    /// In grid units.
    radius: f64,
    arcs: Vec<Vec<FreeArc>>,
    chains: Vec<Vec<Leave>>,
}

impl TangentGraph {
    /// The graph of a mesh for a radius in metres. Fails on a radius that makes no sense and on meshes with more
    /// than [`MAX_CORNERS`] corners.
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

    /// The shortest path between two places of the mesh the graph was made for; `None` where there is none and
    /// where the body cannot stand. The cells and portals of the path are left empty.
    pub fn find_path(&self, mesh: &NavMesh, start: Location, goal: Location) -> Option<Path> {
        let request = Request { start, goal, radius: self.metres };
        let ends = request.check(mesh, &self.obstacles).ok()?;
        let [from, to] = &ends.stands;
        let all: Vec<u32> = (0..self.obstacles.corners.len() as u32).collect();
        let route = find_route(self, (from, &all), (to, &all))?;
        Some(ends.path(mesh, &self.obstacles, &route))
    }

    /// How many tangents there are; each can be walked both ways.
    pub fn tangent_count(&self) -> usize {
        self.chains.iter().map(Vec::len).sum::<usize>() / 2
    }

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

/// The chains that tangents lead from and to, sorted.
#[cfg(test)]
pub(super) fn pairs(tangents: &impl Tangents) -> Vec<[u32; 2]> {
    let chains = 0..tangents.obstacles().corners.len() as u32 * 2;
    let pairs = chains.flat_map(|from| tangents.leaves(from).iter().map(move |leave| [from, leave.chain]));
    let mut pairs: Vec<[u32; 2]> = pairs.collect();
    pairs.sort_unstable();
    pairs
}

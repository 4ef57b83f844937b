//! Follows a path: the next point to head for, the distance left, and recovery when pushed off the path.
//!
//! A follower remembers how far along its path the body is. Each update projects the body onto the nearest later piece
//! that it can walk to in a straight line. A body that sees none of them is lost and needs a new path. The body can
//! also walk straight to every target: on an arc, which bends around a corner, targets lie on its tangent. A link is
//! not walked: the follower stops before it and goes on behind it.

mod walk;

use clearway_geometry::Vec2;
use clearway_nav::mesh::{LinkId, NavMesh};
use clearway_nav::path::{Leg, Path, Ride};
use clearway_nav::query::{LastingLocation, Location};
use std::collections::VecDeque;
use walk::WalkFollower;

/// The options for following a path; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FollowerOptions {
    /// The distance ahead along the path at which the target lies, if it can be seen; 0 for the next corner.
    pub look_ahead: f64,
    /// The distance from which on a corner counts as passed, if what follows can be seen.
    pub corner_radius: f64,
    /// The distance from which on the body has arrived.
    pub arrival_distance: f64,
}

clearway_base::setters!(FollowerOptions { look_ahead: f64, corner_radius: f64, arrival_distance: f64 });

impl Default for FollowerOptions {
    fn default() -> FollowerOptions {
        FollowerOptions { look_ahead: 0.0, corner_radius: 0.05, arrival_distance: 0.05 }
    }
}

/// The directions for a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Steering {
    /// The point to head for, in plan coordinates. A straight walk there keeps the radius away from walls. For a lost
    /// body it is its own position.
    pub target: [f64; 2],
    /// The same point in the world: x, y, z with y up in a scene, at the height of the path there.
    pub point: [f64; 3],
    /// The length left to walk in metres, including the way back to the path; infinite for a lost body.
    pub distance_left: f64,
    /// True if the body is at the end of the path.
    pub arrived: bool,
    /// True if no later part of the path can be walked to in a straight line: ask for a new path from here.
    pub lost: bool,
    /// The link that the body stands before: take it, then call [`Follower::pass_link`].
    pub link: Option<LinkId>,
}

impl Steering {
    /// Returns the directions for a lost body.
    fn lost_at(mesh: &NavMesh, at: Location) -> Steering {
        let (target, point) = (at.position(), mesh.place(at));
        Steering { target, point, distance_left: f64::INFINITY, arrived: false, lost: true, link: None }
    }
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// The location of the body now.
    pub at: Location,
    /// The same point in the world: x, y, z with y up in a scene.
    pub point: [f64; 3],
    /// True if the body is at the end of the path.
    pub arrived: bool,
    /// True if the body lost its path: ask for a new one from here.
    pub lost: bool,
    /// The link that the body stands before: take it, then call [`Follower::pass_link`].
    pub link: Option<LinkId>,
}

/// Follows a path.
///
/// ```
/// # use clearway::{Follower, MeshOptions, PathQuery, Plan};
/// let plan = Plan::from_rings([vec![[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [0.0, 4.0]]]);
/// let mesh = MeshOptions::default().build(&plan)?;
/// let (mut at, goal) = (mesh.locate([1.0, 2.0]).unwrap(), mesh.locate([7.0, 2.0]).unwrap());
/// let path = mesh.find_path(&PathQuery::new(at, goal).radius(0.5)).unwrap();
/// let mut follower = Follower::new(path);
/// let steps = (1..).find(|_| {
///     let step = follower.step(&mesh, at, 0.5);
///     at = step.at;
///     step.arrived
/// });
/// assert_eq!(steps, Some(12));
/// # Ok::<(), clearway::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    /// The whole path, with links.
    path: Path,
    /// The options.
    options: FollowerOptions,
    /// The walk under way.
    walk: WalkFollower,
    /// The walks and links that follow it.
    rest: VecDeque<Leg>,
    /// The length of the path before the walk under way, in metres.
    passed: f64,
}

impl Follower {
    /// Follows a path with the default options.
    pub fn new(path: Path) -> Follower {
        Follower::with_options(path, FollowerOptions::default())
    }

    /// Follows a path with these options.
    pub fn with_options(path: Path, options: FollowerOptions) -> Follower {
        let mut rest: VecDeque<Leg> = path.legs().into();
        let walk = next_walk(&mut rest).unwrap_or_else(|| path.without_pieces(path.start, 0));
        Follower { walk: WalkFollower::new(walk, options), path, options, rest, passed: 0.0 }
    }

    /// Returns the path that is followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the position of the body on the path, in metres from the start.
    pub fn progress(&self) -> f64 {
        self.passed + self.walk.progress()
    }

    /// Returns the point of the path at a distance from its start, in plan coordinates.
    pub fn place_at(&self, distance: f64) -> [f64; 2] {
        let mut begin = 0.0;
        for piece in &self.path.pieces {
            if distance < begin + piece.length() {
                return piece.place_at((distance - begin).max(0.0));
            }
            begin += piece.length();
        }
        self.path.goal
    }

    /// Returns where to go from here. Call it whenever the body has moved.
    pub fn update(&mut self, mesh: &NavMesh, position: Location) -> Steering {
        let steering = self.walk.update(mesh, found_again(mesh, position));
        let Some(Leg::Link(ride)) = self.rest.front() else { return steering };
        let left: f64 = self.path.length - self.passed - self.walk.path().length;
        let link = steering.arrived.then_some(ride.link);
        Steering { distance_left: steering.distance_left + left, arrived: false, link, ..steering }
    }

    /// Moves a body along the path by this many metres at most, and returns where it is then. It stops before a link.
    ///
    /// A body on its path goes exactly along it. A body that was pushed off goes straight back first, and is lost if it
    /// cannot. It is lost as well if an edit of the mesh closed the rest of the path. A distance that is not positive moves
    /// nothing.
    pub fn step(&mut self, mesh: &NavMesh, from: Location, distance: f64) -> Step {
        let from = found_again(mesh, from);
        let (mut at, mut left) = (from, if distance > 0.0 { distance } else { 0.0 });
        if !self.walk.is_on_path(mesh, from) {
            if self.update(mesh, from).lost {
                return Step { at, point: mesh.place(at), arrived: false, lost: true, link: None };
            }
            (at, left) = self.go_back(mesh, at, left);
        }
        if left > 0.0 && self.walk.is_on_path(mesh, at) {
            if !self.walk.is_open(mesh, at) {
                return Step { at, point: mesh.place(at), arrived: false, lost: true, link: None };
            }
            at = self.walk.advance(mesh, at, left);
        }
        let is_end = self.walk.is_on_path(mesh, at) && self.walk.is_at_end();
        let link = match self.rest.front() {
            Some(Leg::Link(ride)) if is_end => Some(ride.link),
            _ => None,
        };
        Step { at, point: mesh.place(at), arrived: is_end && self.rest.is_empty(), lost: false, link }
    }

    /// Goes straight towards the place of the path that the body was projected to; returns what is left of the distance.
    fn go_back(&self, mesh: &NavMesh, at: Location, distance: f64) -> (Location, f64) {
        let goal = self.walk.place_at(self.walk.progress());
        let far = vector(at.position()).distance(vector(goal));
        if far <= distance {
            return (mesh.move_along(at, goal, self.path.radius), distance - far);
        }
        let ([x, y], [to_x, to_y], part) = (at.position(), goal, distance / far);
        (mesh.move_along(at, [x + (to_x - x) * part, y + (to_y - y) * part], self.path.radius), 0.0)
    }

    /// Goes on behind the link that the body stood before. Returns the location where the link ends; `None` if no link
    /// comes next.
    pub fn pass_link(&mut self, mesh: &NavMesh) -> Option<Location> {
        let ride = match self.rest.front() {
            Some(Leg::Link(ride)) => *ride,
            _ => return None,
        };
        self.rest.pop_front();
        self.passed += self.walk.path().length + self.path.pieces.get(ride.piece)?.length();
        let exit = self.exit(&ride)?;
        let walk = next_walk(&mut self.rest);
        let walk = walk.unwrap_or_else(|| self.path.without_pieces(exit.position(), ride.cell));
        self.walk = WalkFollower::new(walk, self.options);
        // The cell may have gone by an edit since the path was found.
        LastingLocation::new(exit).on(mesh).or_else(|| mesh.locate(ride.to).ok())
    }

    /// Returns the location where a link ends.
    fn exit(&self, ride: &Ride) -> Option<Location> {
        let piece = self.path.pieces.get(ride.piece)?;
        Some(Location::in_cell(*self.path.cells.get(ride.cell)?, piece.to()))
    }
}

/// Returns a location in the cell that holds it now, if an edit of the mesh took its cell away.
fn found_again(mesh: &NavMesh, at: Location) -> Location {
    LastingLocation::new(at).on(mesh).unwrap_or(at)
}

/// Takes the next leg if it is a walk.
fn next_walk(rest: &mut VecDeque<Leg>) -> Option<Path> {
    match rest.pop_front()? {
        Leg::Walk(walk) => Some(walk),
        link => {
            rest.push_front(link);
            None
        }
    }
}

/// Returns a point as a vector.
fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x, y)
}

#[cfg(test)]
mod tests;

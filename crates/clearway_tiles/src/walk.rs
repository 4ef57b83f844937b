//! A walk across a tiled world on which only tiles around the body are loaded.
//!
//! The body does not know tiles that are not loaded. It walks to the place of the loaded ground that it can reach and
//! that lies nearest to the goal, looks at the tiles anew after each step, and ends where the goal is loaded. So its way
//! may be longer than the shortest, and it may end in front of a wall that is wider than the loaded ground.

use crate::lines::TileId;
use crate::tiled_mesh::{Footprint, TiledMesh};
use clearway_base::error::Result;
use clearway_nav::path::{LinkUse, NoPath, PathQuery, Place};
use clearway_nav::{NavMesh, Path, Position};

/// The factor by which tiles stay loaded farther away than they are loaded.
const KEEP: f64 = 1.5;

/// A walk gives up when it is this many times as long as the straight line from the start to the goal.
const LONGEST: f64 = 20.0;

/// The tolerance of points along arcs, in metres.
const TOLERANCE: f64 = 0.01;

/// A step is at least this part of the straight line, so that the number of steps is bounded.
const LEAST_STEP: f64 = 1e-4;

/// The distance by which rounding may have brought the body nearer to a wall than its radius, in metres.
const SLIP: f64 = 0.05;

/// The part of a step below which the body does not move.
const REST: f64 = 1e-3;

/// The way in which a body walks across tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WalkOptions {
    /// The radius of the body, in metres.
    pub radius: f64,
    /// Tiles with ground within this distance of the body are loaded, in metres.
    pub around: f64,
    /// The distance between two looks at the tiles, in metres.
    pub step: f64,
}

impl Default for WalkOptions {
    fn default() -> WalkOptions {
        WalkOptions { radius: 0.3, around: 300.0, step: 20.0 }
    }
}

clearway_base::setters!(WalkOptions { radius: f64, around: f64, step: f64 });

/// A place of a walk.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WalkStep {
    /// The place in space, right-handed with +Y up; height 0 on a plan.
    pub at: [f64; 3],
    /// The length of the way so far, in metres.
    pub walked: f64,
    /// The tiles that were loaded here.
    pub loaded: Vec<TileId>,
    /// The tiles that were unloaded here.
    pub unloaded: Vec<TileId>,
    /// The memory that the loaded tiles take.
    pub footprint: Footprint,
}

/// The end of a walk.
#[derive(Clone, Debug, PartialEq)]
pub enum WalkEnd {
    /// The body reached the goal.
    Arrived,
    /// The body stands where no loaded ground that it can reach is nearer to the goal.
    Stuck,
    /// An end of the walk is not on the mesh, or has no room for the body.
    NoPath(NoPath),
}

impl TiledMesh {
    /// Walks from one place to another. `visit` sees the start and the end of every step, with the mesh of the tiles that
    /// are loaded there.
    pub fn walk(
        &mut self,
        from: impl Position,
        to: impl Position,
        options: &WalkOptions,
        mut visit: impl FnMut(&WalkStep, &NavMesh),
    ) -> Result<WalkEnd> {
        let [start, goal] = [from.plan(), to.plan()];
        let straight = (start[0] - goal[0]).hypot(start[1] - goal[1]);
        let stride = options.step.max(straight * LEAST_STEP).max(TOLERANCE);
        let mut here = self.look(from, options)?;
        let mut mesh = self.mesh()?;
        let Ok(location) = mesh.locate(from) else {
            return Ok(WalkEnd::NoPath(NoPath::OffMesh { place: Place::Start }));
        };
        here.at = mesh.place(location);
        loop {
            visit(&here, &mesh);
            let path = match ahead(&mesh, here.at, to, options.radius) {
                Ok(path) => path,
                Err(reason) => return Ok(WalkEnd::NoPath(reason)),
            };
            let is_last = path.complete && path.length <= stride;
            let (at, advance) = along(&path.points_in_space(&mesh, TOLERANCE), stride);
            let walked = here.walked + advance;
            if !is_last && (advance < REST * stride || walked > LONGEST * straight + options.around) {
                return Ok(WalkEnd::Stuck);
            }
            here = WalkStep { at, walked, ..self.look(at, options)? };
            mesh = self.mesh()?;
            if is_last {
                visit(&here, &mesh);
                return Ok(WalkEnd::Arrived);
            }
        }
    }

    /// Loads what is near a place, and unloads what is far away.
    fn look(&mut self, at: impl Position, options: &WalkOptions) -> Result<WalkStep> {
        let unloaded = self.unload_beyond(at, KEEP * options.around);
        let loaded = self.load_around(at, options.around)?;
        // The mesh counts as well, so it is made before memory is told.
        self.mesh()?;
        Ok(WalkStep { at: [0.0; 3], walked: 0.0, loaded, unloaded, footprint: self.footprint() })
    }
}

/// Returns the path towards the goal on the loaded ground. It is complete if it ends at the goal.
fn ahead(mesh: &NavMesh, at: [f64; 3], to: impl Position, radius: f64) -> std::result::Result<Path, NoPath> {
    let off = |place: Place| NoPath::OffMesh { place };
    let start = mesh.nearest_clear(at, radius, SLIP).or_else(|| mesh.locate(at).ok());
    let start = start.ok_or(off(Place::Start))?;
    let goal = mesh.locate(to).ok();
    let near = goal.or_else(|| mesh.nearest(to, f64::MAX)).ok_or(off(Place::Goal))?;
    let query = PathQuery::new(start, near).radius(radius).links(LinkUse::None).partial(true);
    let mut path = mesh.find_path(&query)?;
    path.complete &= goal.is_some();
    Ok(path)
}

/// Returns the place this many metres along a line, and how far along it lies: less if the line is shorter. Lengths are
/// those of the plan.
fn along(points: &[[f64; 3]], distance: f64) -> ([f64; 3], f64) {
    let mut walked = 0.0;
    for pair in points.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let length = (b[0] - a[0]).hypot(b[2] - a[2]);
        if walked + length >= distance && length > 0.0 {
            let t = (distance - walked) / length;
            return ([0, 1, 2].map(|i| a[i] + t * (b[i] - a[i])), distance);
        }
        walked += length;
    }
    (points.last().copied().unwrap_or_default(), walked)
}

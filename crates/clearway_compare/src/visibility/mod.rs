//! The points-of-visibility planner of the time-slicing thesis, exact for discs of every radius.
//!
//! The thesis puts a node into every convex corner of an obstacle and an edge between corners that see each other. It
//! drops edges around which no shortest path bends, gives edges a least and a greatest width, and links start and goal
//! through a potentially visible set per polygon. For discs the corners become circles and the edges their common
//! tangents. So the answer is the shortest path of the disc, not of its centre shifted by a guess.
//!
//! * [`VisibilityPlanner`] is made once per mesh and answers for every radius.
//! * [`TangentGraph`] is made for one radius by brute force: the oracle that other planners are held against.
//!
//! Both need memory quadratic in the number of corners in the worst case. Both know one floor only, because walls are
//! looked up by their position in the plan.

mod corner;
mod ends;
mod face;
mod graph;
mod narrow;
mod planner;
mod range;
mod search;
mod sector;
mod sight;
mod tangent;
mod walls;

#[cfg(test)]
mod tests;

pub use graph::{MAX_CORNERS, TangentGraph};
pub use planner::VisibilityPlanner;

use clearway_nav::mesh::NavMesh;

/// Radii below this many grid units count as zero: points are not known any better.
const POINT_RADIUS: f64 = 1e-4;

/// Returns a radius in grid units.
fn units(mesh: &NavMesh, radius: f64) -> f64 {
    let units = radius / mesh.unit();
    if units < POINT_RADIUS { 0.0 } else { units }
}

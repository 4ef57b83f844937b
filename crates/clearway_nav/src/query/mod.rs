//! Small queries on a mesh: the cell at a point, the nearest wall, the wall that a ray hits, the next legal point.
//!
//! Invariant: whatever is near is found by walking through portals, never by looking at the projection. So floors that
//! lie over each other do not disturb each other.

mod flood;
mod lasting;
mod legal;
mod links;
mod locate;
mod location;
mod position;
mod random;
mod ray;
mod side;
mod slide;
mod space;
#[cfg(test)]
mod tests;
mod tiles;
mod walls;

pub use flood::Flood;
pub use lasting::LastingLocation;
pub(crate) use links::check_links;
pub use location::{Location, OffMesh};
pub use position::{Position, in_world};
pub use random::RandomPoints;
pub use ray::{Contact, RayHit, Reach};
pub use tiles::Tile;
pub use walls::{NearWall, Wall};

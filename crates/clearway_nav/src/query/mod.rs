//! Small questions a game or simulation asks of a mesh: where is this, how far is the wall, what does a ray hit.

mod flood;
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
mod walls;

pub use flood::Flood;
pub(crate) use links::check_links;
pub use location::{Location, OffMesh};
pub use position::Position;
pub use random::RandomPoints;
pub use ray::{Contact, RayHit, Reach};
pub use walls::{NearWall, Wall};

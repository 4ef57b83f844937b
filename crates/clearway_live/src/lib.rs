//! A mesh that changes while bodies walk on it.
//!
//! [`LiveMesh`] owns a mesh and takes [`Edit`]s: obstacles that come, go and move. An edit takes the touched cells out,
//! lays the shape over them, divides only them anew and puts the result back. Everything is decided in integers on the
//! grid of the mesh. Ground under an obstacle is kept as covered cells that know who covers them, so that removing an
//! obstacle never intersects anything twice.
//!
//! Invariant: after every edit the free cells are a mesh that keeps all laws of
//! [`NavMesh::check`](clearway_nav::NavMesh::check); an edit that fails changes nothing.

mod area;
mod built;
mod changes;
mod door;
mod edit;
#[cfg(feature = "script")]
mod events;
mod fabric;
mod faults;
mod ground;
mod guard;
mod lengths;
mod link;
mod live_mesh;
mod names;
mod part;
mod patch;
mod quick;
mod ranges;
mod record;
mod region;
mod relabel;
mod rework;
mod rows;
#[cfg(feature = "script")]
mod script;
mod seam;
mod shape;
mod stored;
mod strokes;
mod tidy;

pub use changes::{Changes, WallChange};
pub use edit::{Anchor, DoorId, Edit, Named, Obstacle, ObstacleId, Shape};
#[cfg(feature = "script")]
pub use events::{Figure, TimedStep};
pub use live_mesh::LiveMesh;
pub use part::{LeftOut, Rim, Surroundings, WorldList};
#[cfg(feature = "script")]
pub use script::{EditScript, ScriptRun, Step};

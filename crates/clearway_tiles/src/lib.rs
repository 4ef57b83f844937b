//! A large world as tiles that are loaded and unloaded.
//!
//! [`divide`] cuts a finished mesh along the lines of a square grid. Each piece of a cell belongs to one [`Tile`]. A
//! [`TiledMesh`] loads and unloads tiles and gives one [`NavMesh`](clearway_nav::NavMesh) of the loaded set, on which
//! every question can be asked. A side whose neighbour is not loaded is a wall there, and known as an open seam.
//! [`TiledMesh::apply`] takes the edits of a [`LiveMesh`](clearway_live::LiveMesh); they stand in the world, whichever
//! tiles are loaded.
//!
//! Invariant: no wall moves and no point is rounded. Seams run along lattice points of existing sides, so both tiles
//! hold the same vertices by number. The mesh of a set of tiles is a function of the set; the mesh of all tiles has the
//! bytes of the mesh that was divided.

mod answer;
mod codec;
mod compose;
mod cut;
mod divide;
mod edited;
mod fabric;
mod ground;
mod index;
mod lines;
mod store;
mod tile;
mod tiled_mesh;
mod walk;

pub use answer::{NoWay, OpenSeam, Shorter, Way};
pub use divide::{divide, divide_with_progress};
pub use index::{IndexEntry, IndexPlace, TileIndex};
pub use lines::{TileId, TileLines};
pub use store::EDITS_NAME;
pub use tile::Tile;
pub use tiled_mesh::{Footprint, INDEX_NAME, TiledMesh};
pub use walk::{WalkEnd, WalkOptions, WalkStep};

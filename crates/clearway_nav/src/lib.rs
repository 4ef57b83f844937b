//! The navigation mesh at run time: what a game ships.
//!
//! A [`NavMesh`] comes into being through one gate, [`NavMesh::from_parts`]: from the build, or from the bytes of a
//! `.nav` file ([`NavMesh::decode`]). Everything that is asked of it is answered here: where a point is
//! ([`query`]), how wide a body can be ([`clearance`]), which way is the shortest for it ([`path`]), and which
//! connections are not walked ([`links`]).
//!
//! The crate reads no scene and no plan, starts no thread unless the feature `parallel` is on, and depends on nothing
//! but the kernel and `clearway_base`.

// In the order in which to read it: a module may use only those before it.

mod tolerances;

pub mod mesh;

pub mod query;

pub mod clearance;

mod codec;

pub mod path;

pub mod links;

pub use clearance::Bottleneck;
pub use codec::MAX_MESH_BYTES;
pub use mesh::{Flaw, FlawKind, Link, LinkId, LinkKind, MeshParts, NavMesh};
pub use path::{NoPath, Path, PathQuery, Piece};
pub use query::{Location, OffMesh, Position};

#[cfg(test)]
mod testing;

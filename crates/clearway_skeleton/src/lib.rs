//! The skeleton: a dynamic segment Voronoi diagram of the walls.
//!
//! A [`Diagram`] holds points, segments and polygons on the integer grid. It takes them in and out at a cost that does not
//! depend on the size of the world. Its Voronoi vertices are the centres of empty discs that touch three sites, its
//! edges the ways of greatest clearance. Decisions are made in tiers: floats with a bound, integers, double-double
//! numbers. A [`Skeleton`] is the diagram of a mesh's walls: clearance, roads of greatest clearance, retraction, and the
//! widest way between two places.

// In the order in which to read it: a module may use only those before it, but for the graph's own scratch memory.

mod double_double;
mod sites;

mod circle;

mod graph;

mod bisector;
mod conflict;

mod ears;
mod glue;
mod insert;
mod remove;

mod audit;
mod shapes;

mod build;
mod diagram;
mod edits;
mod parts;

mod follow;
mod query;
mod watch;

mod ecm;
mod floors;
mod ground;
mod layers;
#[cfg(feature = "live")]
mod live;
mod narrow;
mod network;
mod skeleton;
mod upstairs;
mod walls;
mod widest;

pub use audit::Audit;
pub use diagram::Diagram;
pub use ecm::{Ecm, EcmEdge, Event};
pub use floors::Floors;
pub use graph::Counters;
pub use ground::MeshWall;
pub use narrow::{NarrowPlace, Passage};
pub use network::{Network, NetworkEdge, NetworkNode};
pub use query::{Curve, Edge, EdgeId, Nearest, Vertex, VertexId};
pub use shapes::{Shape, ShapeId, SiteId};
pub use skeleton::{Clearance, Retraction, Skeleton};
pub use widest::WidestWay;

#[cfg(test)]
mod tests;

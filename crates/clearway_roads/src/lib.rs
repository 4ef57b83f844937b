//! Planners that live on the skeleton.
//!
//! [`Roads`] is the medial axis of a mesh as a graph. [`RoadPlanner`] answers path queries by one of four methods: the
//! Voronoi roadmap, the explicit corridor map ([`Corridor`]), the Indicative Route Method ([`Irm`]) and MIRAN ([`Miran`]).
//! The last two are steppers as well, on any [`IndicativeRoute`]. A [`RoadCrowd`] holds bodies that are sites of the
//! diagram themselves and plan while they walk. A `RoadGuide` leads the bodies of a `clearway_crowd` (feature `crowd`).

// In the order in which to read it: a module may use only those before it.

mod arc;
mod astar;
mod graph;
mod roads;

mod lay;

mod corridor;

mod route;
mod walk;

mod chain;

mod irm;
mod miran;

mod planner;

mod lanes;
mod live;

mod field;
mod plan;
mod seek;

mod crowd;

#[cfg(feature = "crowd")]
mod guide;

pub use corridor::{Corridor, Event};
pub use crowd::{RoadBody, RoadCrowd, RoadCrowdOptions, RoadStep};
#[cfg(feature = "crowd")]
pub use guide::RoadGuide;
pub use irm::Irm;
pub use miran::{Miran, MiranOptions};
pub use planner::{Method, RoadOptions, RoadPlanner};
pub use roads::{Detail, RoadEdge, RoadNode, RoadPath, RoadQuery, Roads};
pub use route::{IndicativeRoute, Steering};

//! Clearance: the width of the widest body that can pass, exactly, for every radius at once.
//!
//! The mesh stores no radius. The [peak graph](crate::mesh) holds what limits a disc on its way. Its nodes are local
//! maxima of the distance to the walls along portals; its edges join them through cells as widely as walls allow. The
//! widest spanning forest of that graph decides in O(log n) whether a disc can pass from place to place.
//!
//! The method replaces the cross table of Oliva and Pelechano ("A Generalized Exact Arbitrary Clearance Technique for
//! Navigation Meshes", 2013). That table looks at single portals and the strings between them, and errs in both
//! directions. `clearway_compare` has that method, for comparison.

mod api;
mod attach_point;
mod build;
mod check;
mod forest;
mod intervals;
mod measure;
mod mend;
mod peaks;
mod profile;
mod room;
mod turned;
mod walls;
mod widest;

pub use api::Bottleneck;
pub(crate) use check::check;
pub(crate) use mend::{ChangedWalls, Stale};
pub(crate) use peaks::{DIP, rounded_down};
pub use peaks::{Forest, PeakGraph, PeakRecord, Seen};
pub(crate) use turned::Turned;
use walls::Wall;

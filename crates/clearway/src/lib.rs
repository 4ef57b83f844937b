//! clearway turns a world into one exact navigation mesh.
//!
//! A [`Plan`] goes in, as drawn; [`NavMesh::build`] rounds it to an integer grid once, unites what overlaps, and
//! divides the walkable space into few, exactly convex cells joined by portals. [`NavMesh::check`] lists every flaw
//! of a mesh, [`Sketch`] draws it, [`export`] writes it for other programs.
//!
//! ```
//! use clearway::{MeshOptions, NavMesh, Plan, PlanFormat};
//!
//! let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 6 0, 6 4, 0 4), (2 1, 4 1, 4 3, 2 3))")?;
//! let mesh = NavMesh::build(&plan, &MeshOptions::default())?;
//! assert_eq!((mesh.cell_count(), mesh.area()), (4, 20.0));
//! # Ok::<(), clearway::Error>(())
//! ```

// The pipeline, in the order in which to read it: a module may use only those before it.

pub mod error;

pub mod progress;

mod sorting;

mod file;

pub mod plan;

pub mod scene;

pub mod surface;

pub mod mesh;

pub mod query;

pub mod clearance;

mod codec;

pub mod path;

pub mod links;

pub mod sketch;

pub mod export;

pub use clearance::Bottleneck;
pub use codec::MAX_MESH_BYTES;
pub use error::{Error, ErrorKind, Result};
// For the command, so that there is one reader of files.
#[doc(hidden)]
pub use file::read_text;
pub use links::{JumpRules, Leg, LinkPath, LinkQuery, generate_links};
pub use mesh::{BuildReport, Flaw, FlawKind, Link, LinkId, LinkKind, MeshOptions, NavMesh, Quality, World};
pub use path::{
    Avoid, CorridorPlanner, CostPath, CostQuery, DistanceField, FieldOptions, Follower, FrameReport, Guess,
    NoPath, Pace, Path, PathQuery, PathSearch, Piece, SearchId, SearchSpace, SearchStatus, Slicer,
    SlicerOptions, Stage, Stride, WalkReport, Walker, WalkerOptions, Within,
};
pub use plan::{Plan, PlanFormat};
pub use progress::{NoProgress, Progress};
pub use query::{Contact, Location, OffMesh, Position, RandomPoints, RayHit, Wall};
pub use scene::{Scene, SceneChoice, SceneFormat, SceneOptions, Selection, Up};
pub use sketch::{ColorBy, Layer, Sketch, SketchOptions, View};
pub use surface::{Method, SurfaceReport, WalkRules, WalkableSurface};

/// The examples of the front page.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;

//! clearway turns a world into one exact navigation mesh.
//!
//! A [`Plan`] goes in, as drawn; [`MeshOptions::build`] rounds it to an integer grid once, unites what overlaps, and
//! divides the walkable space into few, exactly convex cells joined by portals. [`NavMesh::check`] lists every flaw
//! of a mesh, [`Sketch`] draws it, [`export`] writes it for other programs.
//!
//! ```
//! use clearway::{MeshOptions, NavMesh, Plan, PlanFormat};
//!
//! let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 6 0, 6 4, 0 4), (2 1, 4 1, 4 3, 2 3))")?;
//! let mesh = MeshOptions::default().build(&plan)?;
//! assert_eq!((mesh.cell_count(), mesh.area()), (4, 20.0));
//! # Ok::<(), clearway::Error>(())
//! ```

pub use clearway_base::parallel::{set_thread_count, thread_count};
pub use clearway_base::{Error, ErrorKind, NoProgress, Progress, Result, error, progress};
pub use clearway_nav::mesh::{Flaw, FlawKind, Link, LinkId, LinkKind, MeshPlace, NavMesh};
pub use clearway_nav::{Bottleneck, MAX_MESH_BYTES, clearance, query};

#[cfg(feature = "build")]
pub use clearway_build::{
    BuildReport, Building, Drawn, JumpRules, MeshOptions, Method, Quality, SurfaceReport, WalkRules,
    WalkableSurface, World, generate_links, surface,
};
#[cfg(feature = "crowd")]
pub use clearway_crowd::{
    Act, Activity, Agent, AgentId, AgentOptions, Area, Arrival, Course, Crowd, CrowdOptions, Event, Frozen,
    Goal, GoalId, Headway, LocalModel, Measures, Modifier, NearWall, Neighbour, Outside, Reach, Shrink, Spec,
    SpeedZone, StepReport, Vector, WayPoints, Wrap, half_planes, model,
};
#[cfg(feature = "crowd")]
pub use clearway_crowd::{
    Follower, FollowerOptions, FrameReport, Guess, Pace, SearchId, Slicer, SlicerOptions, Stage, Steering,
    Step, Stride, WalkReport, Walker, WalkerOptions,
};
#[cfg(feature = "draw")]
pub use clearway_draw::{
    Backdrop, ColorBy, HeatMap, HeatTile, Layer, Over, Overlay, Sketch, SketchOptions, Trace, View, export,
    sketch,
};
pub use clearway_nav::path::{
    Avoid, CorridorPlanner, CorridorSearch, Costs, DistanceField, FieldOptions, Leg, LinkUse, NoPath,
    OptimalPlanner, Path, PathIndex, PathQuery, PathSearch, Piece, Planner, Ride, SearchSpace, SearchStatus,
    Within,
};
pub use clearway_nav::query::{
    Contact, LastingLocation, Location, OffMesh, Position, RandomPoints, RayHit, Wall,
};
#[cfg(feature = "build")]
pub use clearway_world::{
    Plan, PlanFormat, PlanOptions, PlanRole, Scene, SceneChoice, SceneFormat, SceneOptions, Selection, Up,
    plan, scene,
};

#[cfg(feature = "answer")]
pub mod answer;
#[cfg(feature = "build")]
mod load;
#[cfg(feature = "build")]
pub use clearway_build::shrunk;
#[cfg(feature = "build")]
pub use load::{FileKind, load};

/// Scenarios of crowds: read, placed, run.
#[cfg(feature = "scenario")]
pub mod scenario {
    pub use clearway_scenario::*;
}

/// A mesh that changes while bodies walk on it: obstacles that come, go and move.
#[cfg(feature = "live")]
pub mod live {
    pub use clearway_live::*;
}

/// Planners on the roads of the skeleton: roadmap, corridors, indicative routes.
#[cfg(feature = "skeleton")]
pub mod roads {
    pub use clearway_roads::*;
}

/// The Voronoi diagram of the walls: roads of greatest clearance, retraction, widest ways.
#[cfg(feature = "skeleton")]
pub mod skeleton {
    pub use clearway_skeleton::*;
}

/// A large world as tiles that are loaded and unloaded.
#[cfg(feature = "tiles")]
pub mod tiles {
    pub use clearway_tiles::*;
}

/// The mesh and what a build tells of it.
pub mod mesh {
    #[cfg(feature = "build")]
    pub use clearway_build::{BuildReport, MeshOptions, Quality, Repair, World};
    pub use clearway_nav::mesh::*;
}

/// Paths for every radius.
pub mod path {
    pub use clearway_nav::path::*;
}

/// Connections that are not walked.
pub mod links {
    #[cfg(feature = "build")]
    pub use clearway_build::links::*;
    pub use clearway_nav::links::*;
}

/// The examples of the front page and of the guide.
#[cfg(doctest)]
mod pages {
    macro_rules! page {
        ($($name:ident: $file:literal),*) => {$(
            #[doc = include_str!(concat!("../../../", $file))]
            struct $name;
        )*};
    }

    page!(
        FrontPage: "README.md",
        FirstMesh: "docs/guide/first-mesh.md",
        InYourEngine: "docs/guide/in-your-engine.md",
        Live: "docs/guide/live.md",
        Scenes: "docs/guide/scenes.md",
        Tiles: "docs/guide/tiles.md"
    );
}

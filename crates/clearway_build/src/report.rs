//! What a build found, made and mended.

use crate::options::MeshOptions;
use crate::surface::SurfaceReport;
use serde::Serialize;

/// One kind of repair: how often it was made, and where first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repair {
    /// A short name: `empty`, `vanished`, `crossings`, `bends`, `overlaps`, `dissolved`, `note`.
    pub kind: &'static str,
    /// How often.
    pub count: u64,
    /// Where it was needed first, in plan coordinates.
    pub at: Option<[f64; 2]>,
    /// The repair in words.
    pub detail: String,
}

/// What a build found, made and mended. Lengths are in metres, areas in square metres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildReport {
    /// Exactly convex cells.
    pub cells: usize,
    /// Regions: cells grouped as the relaxation allows; as many as cells without it.
    pub regions: usize,
    /// Portals between cells.
    pub portals: usize,
    /// Wall sides of cells.
    pub walls: usize,
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Reflex corners of the walkable space that count as notches under the options.
    pub notches: usize,
    /// Holes: boundary loops beyond one for each component.
    pub holes: usize,
    /// Connected components.
    pub components: usize,
    /// No partition into convex regions can have fewer than this: half the notches plus components minus holes.
    pub lower_bound: usize,
    /// Walkable area.
    pub area: f64,
    /// Sum of the lengths of all portals.
    pub portal_length: f64,
    /// Mean length of a portal.
    pub mean_portal_length: f64,
    /// Corners under one degree, and how many of them the plan itself has.
    pub sharp_corners: usize,
    /// Corners under one degree between two walls: no partition avoids them.
    pub forced_sharp_corners: usize,
    /// The grid unit.
    pub grid: f64,
    /// How far rounding to the grid moved a point at most.
    pub moved: f64,
    /// What was mended in a plan; empty for a scene, whose repairs are in `surface`.
    pub repaired: Vec<Repair>,
    /// For a mesh of a scene, what its walkable surface is like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceReport>,
    /// The options of the build.
    pub options: MeshOptions,
}

//! The report of a build: figures of the mesh, and what was mended.

use crate::options::MeshOptions;
use crate::surface::SurfaceReport;
use clearway_world::plan::{PlanPart, PlanPlace};
use serde::Serialize;

/// One kind of repair, with a count and the first location.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repair {
    /// A short name: `empty`, `vanished`, `openings`, `bodies`, `gaps`, `near`, `crossings`, `bends`, `overlaps`, `dissolved`, `unit`,
    /// `note`.
    pub kind: &'static str,
    /// The number of repairs of this kind.
    pub count: u64,
    /// The first location where it was needed, in plan coordinates.
    pub at: Option<[f64; 2]>,
    /// The repair in words.
    pub detail: String,
}

/// The figures of a build and its repairs. Lengths are in metres, areas in square metres.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildReport {
    /// The number of exactly convex cells.
    pub cells: usize,
    /// The number of regions: cells grouped as the relaxation allows. Without relaxation every cell is a region.
    pub regions: usize,
    /// The number of portals between cells.
    pub portals: usize,
    /// The number of sides of cells that are walls.
    pub walls: usize,
    /// The number of vertices of the mesh.
    pub vertices: usize,
    /// The number of reflex corners of the walkable space that count as notches under the options.
    pub notches: usize,
    /// The number of holes: boundary loops beyond one for each component.
    pub holes: usize,
    /// The number of connected components.
    pub components: usize,
    /// No partition into convex regions can have fewer regions: half the notches plus components minus holes.
    pub lower_bound: usize,
    /// The walkable area.
    pub area: f64,
    /// The sum of the lengths of all portals.
    pub portal_length: f64,
    /// The mean length of a portal; 0 without portals.
    pub mean_portal_length: f64,
    /// The number of corners of cells under one degree.
    pub sharp_corners: usize,
    /// The number of these corners that lie between two walls: no partition avoids them.
    pub forced_sharp_corners: usize,
    /// The grid unit.
    pub grid: f64,
    /// The longest distance by which rounding to the grid moved a point.
    pub moved: f64,
    /// The repairs of a plan. It is empty for a scene, whose repairs are in `surface`.
    pub repaired: Vec<Repair>,
    /// The report on the walkable surface, for the mesh of a scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceReport>,
    /// The named places of a plan: exits, areas to start from, doors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<PlaceReport>,
    /// The parts of a plan with their roles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
    /// The options of the build.
    pub options: MeshOptions,
}

/// A named place of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceReport {
    /// Its name.
    pub name: String,
    /// Its role: `exit`, `start`, `waypoint` or `door`.
    pub role: String,
    /// Its corners, in plan coordinates.
    pub points: Vec<[f64; 2]>,
}

impl PlaceReport {
    /// Takes a place of a plan.
    pub(crate) fn of(place: &PlanPlace) -> PlaceReport {
        PlaceReport { name: place.name.clone(), role: place.role.to_string(), points: place.points.clone() }
    }
}

/// A part of a plan: a layer, a group or a kind of feature.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartReport {
    /// Its name in the file.
    pub name: String,
    /// Its role; absent where shapes mean what they look like.
    pub role: Option<String>,
    /// The number of its shapes.
    pub shapes: usize,
}

impl PartReport {
    /// Takes a part of a plan.
    pub(crate) fn of(part: &PlanPart) -> PartReport {
        PartReport {
            name: part.name.clone(),
            role: part.role.map(|role| role.to_string()),
            shapes: part.shapes,
        }
    }
}

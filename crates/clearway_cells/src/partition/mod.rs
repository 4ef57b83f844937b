//! The partition of walkable space into few convex cells.
//!
//! It starts from the triangulation with every edge a portal. First it removes inessential portals, longest first
//! ([`merge`]). Then it walks the plateau of equally good partitions by turning portals about their ends, and removes
//! portals that become inessential on the way ([`plateau`]). With relaxation this is done twice: first with the
//! relaxed rule, which gives the regions, then strictly inside each region, which gives the cells.
//!
//! Invariant: every intermediate state is a valid partition. Cost: merging is nearly linear, the search a fixed
//! number of sweeps. `docs/decisions/partition.md` holds the measurements.

mod blocks;
pub mod boundary;
mod convexity;
mod depth;
mod effort;
pub mod facets;
pub mod merge;
mod plateau;
mod rays;
mod stuck;

use crate::rules::{CellRules, Quality};
use boundary::Boundary;
use clearway_base::error::Result;
use clearway_base::progress::{NoProgress, Progress, begin};
use clearway_geometry::arrangement::{Floor, Segment, WALL, floor_of_segments};
use clearway_geometry::{NONE, Triangulation};
pub use convexity::Convexity;
use effort::Effort;
use facets::Facets;

/// The mark of an edge that separates two regions. It differs from `WALL`, and such an edge stays a fixed portal when
/// the regions are divided into cells.
const PORTAL: u32 = 2;

/// Convex cells, grouped into regions.
pub struct Partition {
    /// The cells.
    pub facets: Facets,
    /// True if regions may hold several cells.
    relaxed: bool,
    /// The number of corners that the relaxation does not allow to stay.
    pub notches: usize,
    /// The number of border loops beyond the first of each component.
    pub holes: usize,
    /// The least number of regions that any partition needs.
    pub lower_bound: usize,
}

impl Partition {
    /// Removes portals that became inessential after `taken` cells were taken away.
    pub fn settle(&mut self, taken: usize) {
        merge::merge_cells(&mut self.facets, &Convexity::strict());
        // Any partition of the rest, together with the taken cells, is a partition of the whole.
        self.lower_bound = self.lower_bound.saturating_sub(taken);
    }

    /// True if the cells on both sides of a portal belong to one region.
    pub fn joins_region(&self, side: u32) -> bool {
        self.relaxed && self.facets.is_loose(side)
    }
}

/// Partitions a floor; `unit` is the grid unit in metres. Fails only if `progress` stops the work.
pub fn partition(
    floor: Floor,
    unit: f64,
    options: &CellRules,
    progress: &mut dyn Progress,
) -> Result<Partition> {
    begin(progress, "notches")?;
    let boundary = Boundary::of(&floor);
    let exempt = depth::exempt_vertices(&boundary, floor.triangulation.points(), options.relax_depth / unit);
    let rule = Convexity::relaxed(options.relax_angle, exempt);
    let (notches, holes) = (boundary.notches(&rule), boundary.holes());
    let lower_bound = boundary.lower_bound(&rule);
    let mut facets = few_cells(&floor, &rule, options.quality, progress)?;
    let mut relaxed = rule.is_relaxed();
    if relaxed {
        begin(progress, "refine")?;
        let regions = match floor_of_segments(&segments_of(&facets)) {
            Some(regions) => Some(regions),
            // Regions need not be convex, and points rounded inside them may make portals cross on coarse grids.
            // Without new points they cannot.
            None => floor_of_segments(&segments_of(&few_cells(&floor, &rule, Quality::Fast, progress)?)),
        };
        relaxed = regions.is_some();
        facets = few_cells(&regions.unwrap_or(floor), &Convexity::strict(), options.quality, progress)?;
    }
    Ok(Partition { facets, relaxed, notches, holes, lower_bound })
}

/// Divides the floor into few cells that the rule allows: merge, search, polish. Edges with the mark `PORTAL` stay
/// portals.
fn few_cells(
    floor: &Floor,
    rule: &Convexity,
    quality: Quality,
    progress: &mut dyn Progress,
) -> Result<Facets> {
    begin(progress, "merge")?;
    let edges = floor.triangulation.edges();
    let is_wall = |e: u32| edges.mark(e) == WALL;
    let is_fixed = |e: u32| edges.mark(e) == PORTAL;
    let mut facets = Facets::of_triangles(&floor.triangulation, &floor.free, is_wall, is_fixed);
    merge::merge_cells(&mut facets, rule);
    let facets = facets.compacted();
    begin(progress, "search")?;
    let effort = Effort::of(quality, facets.len());
    let facets = effort.search(facets, rule, progress)?;
    begin(progress, "polish")?;
    Ok(effort.polish(facets, rule, floor.triangulation.points().len() as u32))
}

/// Divides some triangles into few convex cells without new points, for a live edit. `members` names the triangles. The
/// fast quality looks less hard than that of a build, the others as hard.
/// `is_wall` is true for edges that stay, and must be so for those that lead to other triangles. Returns the outlines
/// of the cells by vertices, counter-clockwise.
pub fn outlines_of_triangles(
    triangulation: &Triangulation,
    members: &[bool],
    quality: Quality,
    is_wall: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    let rule = Convexity::strict();
    let mut facets = Facets::of_triangles(triangulation, members, is_wall, |_| false);
    merge::merge_cells(&mut facets, &rule);
    let facets = facets.compacted();
    let effort = Effort::of_edit(quality, facets.len());
    let merged = facets.clone();
    // Nobody can stop this work, so the search always ends with a result.
    let facets = effort.search(facets, &rule, &mut NoProgress).unwrap_or(merged);
    let facets = effort.polish(facets, &rule, triangulation.points().len() as u32);
    let outline = |first: u32| facets.around(first).map(|side| facets.origin(side)).collect();
    facets.cells().into_iter().map(outline).collect()
}

/// The walls of cells, and the portals between different cells, as segments.
fn segments_of(facets: &Facets) -> Vec<Segment> {
    let cell_of = facets.cell_of_sides(&facets.cells());
    let segment = |side: u32| {
        let twin = facets.twin(side);
        let is_wall = twin == NONE;
        Segment {
            from: facets.point(facets.origin(side)),
            to: facets.point(facets.target(side)),
            mark: if is_wall { WALL } else { PORTAL },
            free: [Some(true), (!is_wall).then_some(true)],
        }
    };
    let separates = |side: &u32| {
        let twin = facets.twin(*side);
        twin == NONE || (*side < twin && cell_of[*side as usize] != cell_of[twin as usize])
    };
    facets.sides().filter(separates).map(segment).collect()
}

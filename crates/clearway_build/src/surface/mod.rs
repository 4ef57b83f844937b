//! Extracts the walkable surface of a scene: all places where a body can stand, in layers.
//!
//! The phases, in order:
//!
//! 1. `faces` rounds all triangles to the grid, once, and mends them.
//! 2. `headroom` finds, over every walkable face, what stands in the space that a body needs.
//! 3. `sheets` groups faces that do not lie over each other into charts. One planar arrangement per chart makes a sheet
//!    of walkable triangles. Charts too tangled for that are drawn by voxels.
//! 4. `stitch` glues sheets where one can step from one to the other.
//! 5. `outline` keeps or drops pieces, and dissolves what lies inside.
//! 6. `report` says what was kept, dropped, mended and just missed.
//!
//! Invariant: the result does not depend on the order of triangles or on the number of threads. The design and its
//! alternatives stand in `docs/decisions/surfaces.md`, the passes with their evidence in
//! `docs/decisions/surface-passes.md`.

mod faces;
mod grid_rules;
mod headroom;
mod outline;
mod report;
mod rules;
mod sheets;
mod stitch;
mod tolerances;
mod walkable_surface;

use clearway_base::error::Result;
use clearway_base::parallel::{in_pool, map_watched};
use clearway_base::progress::{NoProgress, Progress, begin};
use clearway_world::scene::{GROUND, Scene};
use faces::soup::{FaceBins, Soup};
use headroom::prism::{Bench, Prism, Prisms};
use outline::pieces::Sorter;
use outline::triangulate::triangulate;
use report::near_misses::{self, NearMisses};
pub use report::summary::{
    AreaShare, Dropped, MAX_COMPONENTS_LISTED, SurfaceFinding, SurfacePiece, SurfaceReport,
};
use report::summary::{Ground, Ledger, Spots};
pub use report::unit::{LikelyUnit, likely_unit};
pub use rules::{Method, WalkRules};
use sheets::charts::Charts;
use sheets::voxel;
use sheets::weave::{Fallback, Reason, Sheets};
use stitch::cracks::part_at_cracks;
use stitch::glue::Stitcher;
use stitch::under_bridges::clear_beneath;
use tolerances::ROUNDING;
pub use tolerances::islands::LARGEST as LARGEST_ISLAND;
pub use walkable_surface::WalkableSurface;

impl WalkableSurface {
    /// Finds the walkable surface of a scene.
    pub fn extract(scene: &Scene, rules: &WalkRules) -> Result<WalkableSurface> {
        Self::extract_with_progress(scene, rules, &mut NoProgress)
    }

    /// Finds the walkable surface of a scene. `progress` receives the name of each stage.
    pub fn extract_with_progress(
        scene: &Scene,
        rules: &WalkRules,
        progress: &mut dyn Progress,
    ) -> Result<WalkableSurface> {
        let (surface, _) = in_pool(|| Self::extract_where(scene, rules, progress, |_| false))?;
        Ok(surface)
    }

    /// As [`WalkableSurface::extract_with_progress`], but charts for which `refuses` is true count as too tangled.
    /// Returns all charts that were too tangled as well.
    fn extract_where(
        scene: &Scene,
        rules: &WalkRules,
        progress: &mut dyn Progress,
        refuses: impl Fn(usize) -> bool + Sync,
    ) -> Result<(WalkableSurface, Vec<Fallback>)> {
        rules.validate()?;
        begin(progress, "snap")?;
        let soup = Soup::of(scene, rules)?;
        let mut ledger = Ledger::open(scene, rules, &soup);
        let limits = soup.rules.limits;
        // Cells that are too fine are refused before the expensive work starts.
        if let Method::Voxel { cell } = rules.method {
            voxel::check_size(&soup, cell)?;
        }
        begin(progress, "head-room")?;
        let faces = FaceBins::of(&soup);
        ledger.enter_rooms(&soup, &faces);
        let asked = Prisms { soup: &soup, faces: &faces, limits };
        let prisms = all_prisms(&asked, progress)?;
        begin(progress, if rules.method == Method::Exact { "sheets" } else { "voxels" })?;
        let charts = Charts::of(&asked, &prisms);
        let ground = Ground { soup: &soup, charts: &charts };
        let sheets = Sheets { soup: &soup, faces: &faces, charts: &charts, prisms: &prisms, limits };
        let (fabric, fallbacks) = sheets.weave(rules.method, refuses)?;
        enter_fallbacks(&fallbacks, &ground, &mut ledger);
        begin(progress, "stitch")?;
        let mut stitcher = Stitcher::of(&soup, &faces, fabric);
        stitch(&mut stitcher, &ground, &mut ledger);
        let sorter = Sorter { soup: &soup, faces: &faces, charts: &charts, rules };
        ledger.enter_misses(&NearMisses::of(&stitcher, &sorter), &ground);
        let Stitcher { mut fabric, mut bridged, .. } = stitcher;
        begin(progress, "outline")?;
        bridged.sort_unstable();
        clear_beneath(&sorter, &mut fabric, &bridged);
        let (mut pieces, piece_of) = sorter.sort(&mut fabric)?;
        let least = soup.rules.least;
        // Only a hint for the report: floors inside closed solids that the rules keep. It runs beside the
        // triangulation.
        let inside = || if rules.inside { Vec::new() } else { near_misses::inside(&sorter, &pieces) };
        let (outline, inside) =
            rayon::join(|| triangulate(&fabric, |chart| charts.area(chart, &soup), least), inside);
        ledger.enter_inside(&inside);
        sorter.measure_again(&piece_of, &outline, &mut pieces);
        let areas = area_names(scene);
        let report = ledger.close(&fabric, &pieces, &ground, &areas, outline.triangulation.points().len());
        Ok((WalkableSurface::of(&ground, &fabric, outline, rules, areas, report), fallbacks))
    }
}

/// Returns the names of all area classes. A class that parts use but the scene does not name becomes `area 3`.
fn area_names(scene: &Scene) -> Vec<String> {
    let last = scene.parts.iter().map(|part| part.area).max().unwrap_or(0);
    let unnamed = scene.areas.len()..=usize::from(last);
    let name = |number: usize| if number == 0 { GROUND.to_string() } else { format!("area {number}") };
    scene.areas.iter().cloned().chain(unnamed.map(name)).collect()
}

/// Finds what stands over every walkable face.
fn all_prisms(asked: &Prisms, progress: &mut dyn Progress) -> Result<Vec<Prism>> {
    let over = |bench: &mut Bench, face: usize| asked.over(face as u32, bench);
    // Between two questions to `progress`, at least 4096 faces are examined: fewer would leave threads idle.
    map_watched(asked.soup.walkable() as usize, 4096, progress, Bench::default, over)
}

/// Glues all sheets, closes cracks, and reports what that changed.
fn stitch(stitcher: &mut Stitcher<'_>, ground: &Ground<'_>, ledger: &mut Ledger) {
    stitcher.run();
    ledger.enter_seams(&stitcher.moved, &stitcher.parted, ground);
    let detail = "rims on both sides of a wall were joined beside it";
    ledger.enter_spots("doorways", &stitcher.doorways, ground, detail);
    let cracks = part_at_cracks(&mut stitcher.fabric, ground.soup.rules.least_place);
    ledger.enter_spots("cracks", &cracks, ground, "passages that nobody fits through were closed");
}

/// Reports the charts that were not found exactly.
fn enter_fallbacks(fallbacks: &[Fallback], ground: &Ground<'_>, ledger: &mut Ledger) {
    let (mut lost, mut redrawn) = (Spots::default(), Spots::default());
    for Fallback { chart, place, reason } in fallbacks {
        let spots = if *reason == Reason::Lost { &mut lost } else { &mut redrawn };
        spots.add(*place, *chart);
    }
    ledger.enter_spots("tangled", &lost, ground, "sheets of floor too tangled to resolve were lost");
    ledger.enter_spots("voxels", &redrawn, ground, "sheets of floor too tangled were found by voxels");
}

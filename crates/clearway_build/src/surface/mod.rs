//! The walkable surface of a scene: where a body can stand, exactly.
//!
//! All triangles are rounded to the grid once (`soup`). Over every face that can be walked on, what stands in the
//! room that a body needs is cut away (`prism`). Faces that do not lie over each other are taken together
//! (`charts`) and become sheets of walkable triangles in one arrangement each; sheets are glued where one can step
//! from one to the other (`stitch`), and what lies inside dissolves (`outline`). Charts too tangled for that take
//! the voxel route (`voxel`).

mod faces;
mod headroom;
mod outline;
mod report;
mod rules;
mod sheets;
mod stitch;

use clearway_base::error::Result;
use clearway_base::parallel::{in_pool, map_watched};
use clearway_base::progress::{NoProgress, Progress, begin};
use clearway_geometry::Grid;
use clearway_world::scene::{GROUND, Scene};
use faces::soup::{FaceBins, Soup};
use headroom::prism::{Bench, Limits, Prism, Prisms};
use outline::pieces::Sorter;
use outline::slits::Least;
use outline::triangulate::{Outline, triangulate};
use report::near_misses::{self, NearMisses};
pub use report::summary::{
    AreaShare, Dropped, MAX_COMPONENTS_LISTED, SurfaceFinding, SurfacePiece, SurfaceReport,
};
use report::summary::{Ground, Ledger, Spots};
pub use rules::{Method, WalkRules};
use sheets::charts::Charts;
use sheets::voxel;
use sheets::weave::{Fallback, Reason, Sheets};
use stitch::cracks::part_at_cracks;
use stitch::fabric::Fabric;
pub(crate) use stitch::glue::ROUNDING;
use stitch::glue::Stitcher;
use stitch::rim_index::RimsByEnds;
use stitch::under_bridges::clear_beneath;

/// What cracks part is at least this large, in square metres.
const LEAST_PLACE: f64 = 0.01;

/// Where a body can stand: triangles over the ground plane, several layers deep, glued where one can walk on.
#[derive(Debug)]
pub struct WalkableSurface {
    pub(crate) grid: Grid,
    pub(crate) outline: Outline,
    pub(crate) fabric: Fabric,
    pub(crate) charts: Charts,
    pub(crate) soup: Soup,
    /// The names of the area classes.
    pub(crate) areas: Vec<String>,
    pub(crate) max_step: f64,
    pub(crate) body_height: f64,
    /// How far borders of the surface may lie from where faces end, in metres, beside rounding.
    pub(crate) astray: f64,
    /// Charts that were too tangled to be found exactly.
    #[cfg_attr(not(test), allow(dead_code, reason = "the report tells them to users"))]
    fallbacks: Vec<Fallback>,
    report: SurfaceReport,
}

impl WalkableSurface {
    /// Finds the walkable surface of a scene.
    pub fn extract(scene: &Scene, rules: &WalkRules) -> Result<WalkableSurface> {
        Self::extract_with_progress(scene, rules, &mut NoProgress)
    }

    /// Finds the walkable surface of a scene, telling `progress` the stages.
    pub fn extract_with_progress(
        scene: &Scene,
        rules: &WalkRules,
        progress: &mut dyn Progress,
    ) -> Result<WalkableSurface> {
        in_pool(|| Self::extract_where(scene, rules, progress, |_| false))
    }

    /// As [`WalkableSurface::extract_with_progress`]; charts that `refuses` names count as too tangled.
    fn extract_where(
        scene: &Scene,
        rules: &WalkRules,
        progress: &mut dyn Progress,
        refuses: impl Fn(usize) -> bool + Sync,
    ) -> Result<WalkableSurface> {
        rules.validate()?;
        begin(progress, "snap")?;
        let soup = Soup::of(scene, rules)?;
        let mut ledger = Ledger::open(scene, rules, &soup);
        let unit = soup.grid.unit();
        let limits = Limits::of(rules, unit);
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
        let mut stitcher = Stitcher {
            soup: &soup,
            faces: &faces,
            fabric,
            step: limits.step,
            height: limits.height,
            gap: widest_gap(rules.gap / unit),
            drawn: drawn_astray(rules) / unit,
            parted: Spots::default(),
            bridged: Vec::new(),
            doorways: Spots::default(),
            moved: Spots::default(),
            by_ends: RimsByEnds::default(),
        };
        stitcher.run();
        ledger.enter_seams(&stitcher.moved, &stitcher.parted, &ground);
        let detail = "rims on both sides of a wall were joined beside it";
        ledger.enter_spots("doorways", &stitcher.doorways, &ground, detail);
        let least_place = LEAST_PLACE / (unit * unit);
        let cracks = part_at_cracks(&mut stitcher.fabric, least_place);
        ledger.enter_spots("cracks", &cracks, &ground, "passages that nobody fits through were closed");
        let sorter = Sorter { soup: &soup, faces: &faces, charts: &charts, rules };
        ledger.enter_misses(&NearMisses::of(&stitcher, &sorter), &ground);
        let Stitcher { mut fabric, mut bridged, .. } = stitcher;
        begin(progress, "outline")?;
        bridged.sort_unstable();
        clear_beneath(&sorter, &mut fabric, &bridged);
        let (mut pieces, piece_of) = sorter.sort(&mut fabric)?;
        let least = Least { width: rules.simplify / unit, area: rules.min_area / (unit * unit) };
        let inside = || if rules.inside { Vec::new() } else { near_misses::inside(&sorter, &pieces) };
        let (outline, inside) =
            rayon::join(|| triangulate(&fabric, |chart| charts.area(chart, &soup), least), inside);
        ledger.enter_inside(&inside);
        sorter.measure_again(&piece_of, &outline, &mut pieces);
        let areas = area_names(scene);
        let report = ledger.close(&fabric, &pieces, &ground, &areas, outline.triangulation.points().len());
        Ok(WalkableSurface {
            grid: soup.grid,
            outline,
            fabric,
            charts,
            soup,
            areas,
            max_step: rules.max_step,
            body_height: rules.height,
            astray: farthest_astray(rules),
            fallbacks,
            report,
        })
    }

    /// What was read, kept, dropped and mended.
    pub fn report(&self) -> &SurfaceReport {
        &self.report
    }
}

/// The widest gap on the grid, in its units, that is bridged for one in the scene. Rounding moves the rims on both sides
/// of it, and stitching takes for one place what is [`ROUNDING`] apart: a gap just as wide as allowed may come
/// out wider by that. Where no gap is to be bridged, rounding alone must not bridge one.
fn widest_gap(gap: f64) -> f64 {
    if gap > 0.0 { gap + ROUNDING } else { 0.0 }
}

/// How far apart rims may end up that voxels drew on both sides of a line, in metres. Larger cells tell too little of what
/// is between them; and where no gap is to be bridged, none is.
fn drawn_astray(rules: &WalkRules) -> f64 {
    match rules.method {
        Method::Voxel { cell } if rules.gap > 0.0 && cell <= 0.2 => (1.5 * cell).min(0.2),
        _ => 0.0,
    }
}

/// How far borders may move: across gaps, which they may meet aslant, by simplification, and by the cells of the voxel
/// route.
fn farthest_astray(rules: &WalkRules) -> f64 {
    let cell = match rules.method {
        Method::Exact => 0.0,
        Method::Voxel { cell } => cell.max(2.0 * drawn_astray(rules)),
    };
    (2.0 * rules.gap).max(rules.simplify).max(cell)
}

/// The names of all area classes that parts have.
fn area_names(scene: &Scene) -> Vec<String> {
    let last = scene.parts.iter().map(|part| part.area).max().unwrap_or(0);
    let unnamed = scene.areas.len()..=usize::from(last);
    let name = |number: usize| if number == 0 { GROUND.to_string() } else { format!("area {number}") };
    scene.areas.iter().cloned().chain(unnamed.map(name)).collect()
}

/// What stands over every walkable face.
fn all_prisms(asked: &Prisms, progress: &mut dyn Progress) -> Result<Vec<Prism>> {
    let over = |bench: &mut Bench, face: usize| asked.over(face as u32, bench);
    map_watched(asked.soup.walkable() as usize, 4096, progress, Bench::default, over)
}

/// Tells of charts that were not found exactly.
fn enter_fallbacks(fallbacks: &[Fallback], ground: &Ground<'_>, ledger: &mut Ledger) {
    let (mut lost, mut redrawn) = (Spots::default(), Spots::default());
    for Fallback { chart, place, reason } in fallbacks {
        let spots = if *reason == Reason::Lost { &mut lost } else { &mut redrawn };
        spots.add(*place, *chart);
    }
    ledger.enter_spots("tangled", &lost, ground, "sheets of floor too tangled to resolve were lost");
    ledger.enter_spots("voxels", &redrawn, ground, "sheets of floor too tangled were found by voxels");
}

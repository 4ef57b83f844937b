//! The report of an extraction: what was read, kept, dropped and mended.
//!
//! A [`Ledger`] is kept while the surface is made. Each stage enters what it lost or mended, and the first location.
//! Closing the ledger gives the [`SurfaceReport`]. Locations are in world coordinates, +Y up.

use super::ceilings as rooms;
use crate::surface::faces::soup::{Corner, FaceBins, LaidTogether, Soup};
use crate::surface::outline::pieces::{Piece, Reason};
use crate::surface::report::axes_units::{Survey, short_degrees};
use crate::surface::report::near_misses::{Misses, NearMisses};
use crate::surface::rules::WalkRules;
use crate::surface::sheets::charts::Charts;
use crate::surface::stitch::fabric::Fabric;
use clearway_geometry::{Point, Vec2};
use clearway_nav::mesh::NearestFace;
use clearway_nav::query::in_world;
use clearway_world::scene::Scene;
use serde::Serialize;

/// The maximum number of components that a report lists, the largest first. The count of all stands in
/// [`SurfaceReport::component_count`].
pub const MAX_COMPONENTS_LISTED: usize = 32;
/// The maximum number of pieces that a finding lists.
const MAX_PIECES_LISTED: usize = 3;

/// A connected piece of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SurfacePiece {
    /// Its area seen from above, in square metres.
    pub area: f64,
    /// A point on it, in world coordinates.
    pub at: [f64; 3],
}

/// The part of the surface that has an area class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaShare {
    /// The name of the class.
    pub name: String,
    /// Its area seen from above, in square metres.
    pub area: f64,
}

/// Pieces that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Dropped {
    /// A short name: `small`, `unreachable`, `inside`, `island`.
    pub kind: &'static str,
    /// The number of pieces.
    pub count: usize,
    /// Their total area, in square metres.
    pub area: f64,
    /// A point on the first of them.
    pub at: Option<[f64; 3]>,
}

/// One kind of repair or warning: its count, and the first location.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurfaceFinding {
    /// A short name. Repairs: `empty`, `vanished`, `repeated`, `tiles`, `thresholds`, `tangled`, `voxels`, `moved`,
    /// `parted`, `doorways`, `cracks`, `note` and others. Warnings: `unmatched`, `unit`, `winding`, `low`, `up`,
    /// `up_y`, `up_z`, `steep`, `gap`, `step`, `inside`.
    pub kind: &'static str,
    /// The number of occurrences.
    pub count: u64,
    /// The first location, in world coordinates.
    pub at: Option<[f64; 3]>,
    /// The finding in words.
    pub detail: String,
    /// The area in question, if known, in square metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// The area that would connect to larger pieces if `needed` were applied, in square metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// The value that would help: a gap, a step or a head-room in metres, a factor of the unit, or a slope in
    /// degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<f64>,
    /// The largest pieces in question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub largest: Vec<SurfacePiece>,
}

impl SurfaceFinding {
    /// Creates a finding without area, gain, advice or pieces.
    pub(crate) fn new(
        kind: &'static str,
        count: u64,
        at: Option<[f64; 3]>,
        detail: impl Into<String>,
    ) -> SurfaceFinding {
        let detail = detail.into();
        SurfaceFinding { kind, count, at, detail, area: None, gain: None, needed: None, largest: Vec::new() }
    }
}

/// The report of an extraction. Lengths are in metres. Areas are seen from above, in square metres.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceReport {
    /// The size of the scene along x, y and z.
    pub size: [f64; 3],
    /// The number of triangles of the scene.
    pub triangles: usize,
    /// The number of triangles that face up and are no steeper than allowed. Repeated ones count once.
    pub walkable: usize,
    /// The number of triangles that have no extent on the grid.
    pub vanished: usize,
    /// The number of triangles that repeat an earlier one.
    pub repeated: usize,
    /// The number of vertices of the surface, where walls or area classes end.
    pub vertices: usize,
    /// The walkable area.
    pub area: f64,
    /// The walkable area of every class of the scene, measured before outlines are simplified.
    pub areas: Vec<AreaShare>,
    /// The number of connected pieces.
    pub component_count: usize,
    /// The largest connected pieces, up to [`MAX_COMPONENTS_LISTED`].
    pub components: Vec<SurfacePiece>,
    /// The pieces that were left out, by reason.
    pub dropped: Vec<Dropped>,
    /// The greatest distance by which rounding to the grid moved a vertex.
    pub moved: f64,
    /// Repairs, and notes of the reader of the file.
    pub repaired: Vec<SurfaceFinding>,
    /// Parts of the scene that may not be meant as they were read: patterns that match no part, odd units and axes,
    /// and pieces inside closed solids. Also near misses: faces just steeper than the rules allow, and gaps just
    /// wider or steps just higher between pieces that stay apart.
    pub warnings: Vec<SurfaceFinding>,
    /// The rules of the extraction.
    pub rules: WalkRules,
}

impl SurfaceReport {
    /// Explains in words why nothing is walkable; `None` if something is.
    pub fn why_empty(&self) -> Option<String> {
        if self.area > 0.0 {
            return None;
        }
        if self.vanished == self.triangles {
            let [x, y, z] = self.size.map(|length| format!("{length:.1e}"));
            return Some(format!(
                "all {} triangles are too small: the scene is {x} m by {y} m by {z} m large, perhaps in another unit",
                self.triangles
            ));
        }
        if self.walkable == 0 {
            let slope = short_degrees(self.rules.max_slope);
            let message = format!(
                "none of the {} triangles faces up and is no steeper than {slope} degrees; \
                 perhaps another axis points up, or faces are turned inside out",
                self.triangles
            );
            return Some(message);
        }
        let words = |dropped: &Dropped| format!("{} {}", dropped.count, dropped.words(&self.rules));
        let kinds: Vec<String> = self.dropped.iter().map(words).collect();
        Some(match kinds.is_empty() {
            true => format!(
                "over none of the {} triangles that face up there are {} m of head-room",
                self.walkable, self.rules.height
            ),
            false => format!("all that one could stand on was left out: {}", kinds.join(", ")),
        })
    }
}

impl Dropped {
    /// Explains why pieces were dropped under these rules, and gives their total area.
    pub fn words(&self, rules: &WalkRules) -> String {
        let why = match self.kind {
            "small" => format!("smaller than {} m\u{b2}", rules.min_area),
            "unreachable" => "out of reach of the seeds".to_string(),
            "inside" => "inside closed solids".to_string(),
            "island" => "that nothing leads to".to_string(),
            other => other.to_string(),
        };
        let pieces = if self.count == 1 { "piece" } else { "pieces" };
        format!("{pieces} {why}, {:.2} m\u{b2} in all", self.area)
    }
}

/// The report in the making.
pub(crate) struct Ledger {
    /// The entries so far.
    report: SurfaceReport,
    /// Notes of the reader of the scene; they come last among the repairs.
    notes: Vec<String>,
}

impl Ledger {
    /// Starts a report with what rounding to the grid did to a scene.
    pub fn open(scene: &Scene, rules: &WalkRules, soup: &Soup) -> Ledger {
        let survey = Survey::of(scene, rules, soup);
        let report = SurfaceReport {
            size: survey.size,
            triangles: scene.triangles.len(),
            walkable: soup.gentle,
            vanished: soup.vanished,
            repeated: soup.repeated,
            moved: soup.moved,
            rules: rules.clone(),
            ..SurfaceReport::default()
        };
        let mut ledger = Ledger { report, notes: scene.notes.clone() };
        let counts = [
            ("vanished", soup.vanished, "triangles without extent on the grid were left out"),
            ("repeated", soup.repeated, "triangles that are there already were left out"),
        ];
        for (kind, count, detail) in counts.into_iter().filter(|(_, count, _)| *count > 0) {
            ledger.enter(kind, count as u64, None, detail);
        }
        if let Some(LaidTogether { count, first, farthest }) = soup.laid_together {
            let detail = format!(
                "corners of floors laid side by side were up to {:.1} mm off and moved together",
                1e3 * farthest * soup.grid.unit()
            );
            ledger.enter("tiles", count, Some(place_of(soup, &first)), &detail);
        }
        if let Some(first) = soup.thresholds.first() {
            let detail = "floors were laid into doorways, where others end on both sides of a wall";
            ledger.enter("thresholds", soup.thresholds.len() as u64, Some(place_of(soup, first)), detail);
        }
        if let Some(first) = soup.tangled.first() {
            let detail =
                "sides of floors are crossed by more than 32 others: no doorways were looked for beside them";
            ledger.enter("tangled", soup.tangled.len() as u64, Some(place_of(soup, first)), detail);
        }
        for pattern in &scene.warnings {
            ledger.warn(SurfaceFinding::new("unmatched", 1, None, pattern.clone()));
        }
        survey.warnings(rules).into_iter().for_each(|warning| ledger.warn(warning));
        ledger
    }

    /// Enters a repair.
    pub fn enter(&mut self, kind: &'static str, count: u64, at: Option<[f64; 3]>, detail: &str) {
        self.report.repaired.push(SurfaceFinding::new(kind, count, at, detail));
    }

    /// Enters a repair with its locations on charts, if there are any.
    pub fn enter_spots(&mut self, kind: &'static str, spots: &Spots, ground: &Ground<'_>, detail: &str) {
        if spots.count > 0 {
            let at = spots.first.map(|(at, chart)| ground.place(chart, at.as_vec2()));
            self.enter(kind, spots.count, at, detail);
        }
    }

    /// Enters what stitching moved and parted.
    pub fn enter_seams(&mut self, moved: &Spots, parted: &Spots, ground: &Ground<'_>) {
        self.enter_spots("moved", moved, ground, "corners that nearly meet were moved together");
        self.enter_spots("parted", parted, ground, "edges came apart where the surface would fold");
    }

    /// Enters gaps and steps that stitching just missed, with the rule that would join them.
    pub fn enter_misses(&mut self, misses: &NearMisses, ground: &Ground<'_>) {
        let WalkRules { gap, max_step, height, .. } = self.report.rules;
        let details = [
            ("gap", &misses.gaps, format!("edges of pieces are just more than the gap of {gap} m apart")),
            (
                "step",
                &misses.steps,
                format!("edges of pieces are just more than the step of {max_step} m apart"),
            ),
        ];
        for (kind, Misses { spots, needed, gain }, detail) in details {
            if spots.count == 0 {
                continue;
            }
            let at = spots.first.map(|(at, chart)| ground.place(chart, at.as_vec2()));
            // Rounded up to a centimetre, so that the advice is enough.
            let needed = (100.0 * needed * ground.soup.grid.unit()).ceil() / 100.0;
            // The rules refuse a step of half the height or more: no such advice.
            let needed = Some(needed).filter(|needed| kind != "step" || 2.0 * needed < height);
            let found = SurfaceFinding::new(kind, spots.count, at, detail);
            self.warn(SurfaceFinding { needed, gain: Some(*gain), ..found });
        }
    }

    /// Warns if the heights of rooms speak against the unit, or about places that are just too low.
    pub fn enter_rooms(&mut self, soup: &Soup, faces: &FaceBins) {
        // Seen along a wrong axis, heights of rooms are nothing but lengths.
        let is_tilted = self.report.warnings.iter().any(|warning| warning.kind.starts_with("up"));
        if let Some(warning) = rooms::odd_unit(soup, faces, &self.report.rules).filter(|_| !is_tilted) {
            // One warning about the unit is enough, and doors are the better evidence than the size of the scene.
            self.report.warnings.retain(|other| other.kind != "unit");
            self.warn(warning);
        }
        rooms::too_low(soup, faces, &self.report.rules).into_iter().for_each(|warning| self.warn(warning));
    }

    /// Warns about pieces inside solids.
    pub fn enter_inside(&mut self, pieces: &[Piece]) {
        if pieces.is_empty() {
            return;
        }
        let count = pieces.len() as u64;
        let area = pieces.iter().map(|piece| piece.area).sum::<f64>();
        let verb = if count == 1 { "piece lies" } else { "pieces lie" };
        let detail = format!("{verb} inside closed solids, {area:.2} m\u{b2} in all, perhaps with others");
        let found = SurfaceFinding::new("inside", count, pieces.first().map(|piece| piece.place), detail);
        let largest = pieces.iter().take(MAX_PIECES_LISTED).map(Piece::told).collect();
        self.warn(SurfaceFinding { area: Some(area), largest, ..found });
    }

    /// Enters a warning.
    fn warn(&mut self, warning: SurfaceFinding) {
        self.report.warnings.push(warning);
    }

    /// Measures what is left, enters what was dropped, and returns the report.
    pub fn close(
        mut self,
        fabric: &Fabric,
        pieces: &[Piece],
        ground: &Ground<'_>,
        areas: &[String],
        vertices: usize,
    ) -> SurfaceReport {
        let report = &mut self.report;
        report.vertices = vertices;
        report.areas = classes(fabric, ground, areas);
        let kept = || pieces.iter().filter(|piece| piece.dropped.is_none());
        report.area = kept().map(|piece| piece.area).sum();
        report.component_count = kept().count();
        report.components = kept().map(Piece::told).collect();
        report.components.sort_by(|p, q| q.area.total_cmp(&p.area));
        report.components.truncate(MAX_COMPONENTS_LISTED);
        let kinds = [
            (Reason::Small, "small"),
            (Reason::Unreachable, "unreachable"),
            (Reason::Inside, "inside"),
            (Reason::Island, "island"),
        ];
        report.dropped = kinds.iter().filter_map(|(why, kind)| dropped(pieces, *why, kind)).collect();
        if let Some(reason) = report.why_empty() {
            report.repaired.insert(0, SurfaceFinding::new("empty", 1, None, reason));
        }
        let note = |detail: String| SurfaceFinding::new("note", 1, None, detail);
        report.repaired.extend(self.notes.into_iter().map(note));
        self.report
    }
}

impl Piece {
    /// The piece as the report shows it.
    fn told(&self) -> SurfacePiece {
        SurfacePiece { area: self.area, at: self.place }
    }
}

/// Sums up the pieces that were dropped for one reason; `None` if there are none.
fn dropped(pieces: &[Piece], why: Reason, kind: &'static str) -> Option<Dropped> {
    let found = || pieces.iter().filter(|piece| piece.dropped == Some(why));
    found().next().map(|first| Dropped {
        kind,
        count: found().count(),
        area: found().map(|piece| piece.area).sum(),
        at: Some(first.place),
    })
}

/// The number of repairs of one kind, and the first location.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spots {
    /// The number of repairs.
    count: u64,
    /// The point and the chart of the first.
    first: Option<(Point, u32)>,
}

impl Spots {
    /// Counts one more repair.
    pub fn add(&mut self, at: Point, chart: u32) {
        self.count += 1;
        self.first.get_or_insert((at, chart));
    }
}

/// The ground under a fabric, for heights.
pub(crate) struct Ground<'a> {
    /// The triangles of the scene on the grid.
    pub soup: &'a Soup,
    /// The charts of the soup.
    pub charts: &'a Charts,
}

impl Ground<'_> {
    /// A point on a chart, in world coordinates.
    fn place(&self, chart: u32, at: Vec2) -> [f64; 3] {
        in_world(self.soup.grid.place(at), self.height(chart, at) * self.soup.grid.unit())
    }

    /// The height of a chart at a point, in grid units: that of the face that holds the point, or of the nearest
    /// face.
    fn height(&self, chart: u32, at: Vec2) -> f64 {
        let mut nearest = NearestFace::to(at);
        for face in self.charts.charts.get(chart as usize).into_iter().flatten() {
            let corners = self.soup.corners(*face).map(|corner| corner.at.as_vec2());
            nearest.offer(corners, |at| self.soup.height_at(*face, at));
        }
        nearest.height().unwrap_or(0.0)
    }
}

/// The area of each class of a fabric.
fn classes(fabric: &Fabric, ground: &Ground<'_>, names: &[String]) -> Vec<AreaShare> {
    let class_of =
        |triangle: u32| usize::from(ground.charts.area(fabric.chart[triangle as usize], ground.soup));
    let areas = fabric.areas(names.len(), class_of, ground.soup.grid.unit());
    names.iter().cloned().zip(areas).map(|(name, area)| AreaShare { name, area }).collect()
}

/// A corner of the soup in world coordinates.
fn place_of(soup: &Soup, corner: &Corner) -> [f64; 3] {
    let [x, z] = soup.grid.world(corner.at);
    [x, f64::from(corner.height) * soup.grid.unit(), -z]
}

//! A floor plan: walkable space, drawn as rings in the ground plane.
//!
//! A [`Plan`] is read from a file with [`Plan::load`], from text with [`Plan::parse`], or filled in code. Readers
//! keep what was drawn: they neither repair nor snap. They refuse only what cannot be meant (numbers that are not
//! finite, text that does not follow its format), and note what they left out. Elements in messages are counted from
//! 0, as in the fields of [`Plan`] and in GeoJSON arrays; lines and columns of text are counted from 1, as in
//! editors.

mod assemble;
mod chains;
mod check;
mod chords;
mod dat;
mod draft;
mod dxf;
mod format;
mod geojson;
mod levels;
mod map;
mod nested;
mod openings;
mod options;
mod outlines;
mod poly;
mod project;
mod role;
mod ros;
mod svg;
#[cfg(test)]
mod testing;
mod text;
mod wkt;

use std::path::Path;

use clearway_base::error::Result;

pub use assemble::THIN;
pub use format::PlanFormat;
pub use levels::{PlanDrawing, PlanLevel, PlanLevels, PlanStairs, USUAL_STOREY};
pub use options::{PlanOptions, USUAL_OPENING};
pub use role::PlanRole;

/// The largest absolute coordinate of a plan, 2^40.
///
/// Read as metres that is seven times the distance to the Sun: a larger number is damaged. Doubles up to this bound
/// are at most 2^-13 apart, so they still resolve a millimetre.
pub const MAX_COORDINATE: f64 = (1_u64 << 40) as f64;

/// The largest number of points of a plan, over all its rings and walls; 2^24.
///
/// Meshes number their vertices with 32 bits, and crossings add vertices to those that were drawn.
pub const MAX_POINTS: usize = 1 << 24;

/// The largest plan file that is read, 512 MiB: more text than [`MAX_POINTS`] points need.
pub const MAX_FILE_BYTES: u64 = 512 << 20;

/// The deepest nesting of brackets (GeoJSON) or of collections (WKT) that is read.
///
/// Nested text is read by functions that call themselves, so depth costs stack.
pub const MAX_NESTING: usize = 64;

/// The largest width and height of a grid map, in tiles. It bounds the work for a map.
pub const MAX_MAP_SIDE: usize = 16384;

/// A closed ring of points in plan coordinates; the last point is not repeated.
pub type Ring = Vec<[f64; 2]>;

/// Walkable space drawn as an outline with holes cut out of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanPolygon {
    /// The outer ring, in either direction.
    pub outline: Ring,
    /// Rings cut out of the outline, in either direction.
    pub holes: Vec<Ring>,
}

/// A part of a plan: a layer, a group or a kind of feature, with the role that it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPart {
    /// The name in the file, with levels parted by `/`.
    pub name: String,
    /// The role; `None` where shapes mean what they look like.
    pub role: Option<PlanRole>,
    /// The number of shapes.
    pub shapes: usize,
}

/// A named place of a plan: an exit, an area to start from, a waypoint or a door.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPlace {
    /// The name in the file, or the role and a number.
    pub name: String,
    /// Its role.
    pub role: PlanRole,
    /// The corners of an area, the points of a line, or one point.
    pub points: Vec<[f64; 2]>,
}

/// A floor plan as it was drawn: nothing is repaired or snapped yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Polygons whose rings have known roles; walkable space is their union, apart from obstacles.
    pub polygons: Vec<PlanPolygon>,
    /// Polygons that nobody can walk on, whatever lies beneath.
    pub obstacles: Vec<PlanPolygon>,
    /// Rings without roles: nesting decides (outline, hole, island in the hole, ...).
    pub rings: Vec<Ring>,
    /// Open polylines: walls of no thickness.
    pub walls: Vec<Vec<[f64; 2]>>,
    /// Named places.
    pub places: Vec<PlanPlace>,
    /// The parts that were read, with their roles; empty where a format has no names.
    pub parts: Vec<PlanPart>,
    /// The widest opening of the outer walls, in metres. With it, all that the walls enclose is walkable.
    pub enclosed: Option<f64>,
    /// Gaps between floors up to this width are walkable, in metres.
    pub gap: f64,
    /// The length in metres that the unit of the file was taken for; `None` for degrees and for plans made in code.
    pub unit: Option<f64>,
    /// Omissions and guesses of the reader, in words, for the build report.
    pub notes: Vec<String>,
}

impl Plan {
    /// Reads a plan file; its extension names the format (see [`PlanFormat::from_path`]).
    ///
    /// Every error names the file. A file that is well formed but draws nothing (`POLYGON EMPTY`)
    /// gives an empty plan; only a file without any text is refused as empty.
    ///
    /// ```no_run
    /// let plan = clearway::Plan::load("office.geojson")?;
    /// println!("{} points", plan.point_count());
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Plan> {
        Plan::load_with_options(path, &PlanOptions::default())
    }

    /// Reads a plan file with options: its unit, the roles of its parts, gaps to close.
    pub fn load_with_options(path: impl AsRef<Path>, options: &PlanOptions) -> Result<Plan> {
        let path = path.as_ref();
        options.validate()?;
        format::load(path, options).map_err(|error| error.in_file(path))
    }

    /// Reads a plan file as one plan, or as levels if it draws several and the options choose none.
    pub fn load_drawing(path: impl AsRef<Path>, options: &PlanOptions) -> Result<PlanDrawing> {
        let path = path.as_ref();
        options.validate()?;
        format::load_drawing(path, options).map_err(|error| error.in_file(path))
    }

    /// Reads a plan from text in a known format.
    ///
    /// ```
    /// use clearway::plan::{Plan, PlanFormat};
    /// let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 4 0, 4 3, 0 0))")?;
    /// assert_eq!(plan.polygons[0].outline, [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]]);
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn parse(format: PlanFormat, text: &str) -> Result<Plan> {
        Plan::parse_bytes(format, text.as_bytes(), &PlanOptions::default())
    }

    /// Reads a plan from the bytes of a file in a known format.
    pub fn parse_bytes(format: PlanFormat, bytes: &[u8], options: &PlanOptions) -> Result<Plan> {
        options.validate()?;
        format::parse(format, bytes, options.scale)?.finish_with(options)
    }

    /// Reads a map of ROS from the text of its YAML file and the bytes of its picture, PGM or PNG.
    pub fn parse_ros_map(yaml: &str, picture: &[u8], options: &PlanOptions) -> Result<Plan> {
        options.validate()?;
        ros::parse(yaml, picture, options)
    }

    /// A plan of rings without roles: nesting decides which are outlines and which are holes.
    ///
    /// A last point that repeats the first is dropped.
    pub fn from_rings(rings: impl IntoIterator<Item = Ring>) -> Plan {
        let rings = rings.into_iter().map(draft::opened).collect();
        Plan { rings, ..Plan::default() }
    }

    /// True if nothing is drawn: no polygon, no ring, no wall.
    pub fn is_empty(&self) -> bool {
        self.polygons.is_empty() && self.rings.is_empty() && self.walls.is_empty()
    }

    /// The number of points over all rings and walls.
    pub fn point_count(&self) -> usize {
        self.lines().map(<[_]>::len).sum()
    }

    /// The lowest and the highest corner of the box around everything drawn; `None` without points.
    pub fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        self.lines().flatten().fold(None, |bounds, &[x, y]| {
            let [low, high] = bounds.unwrap_or([[x, y]; 2]);
            Some([[low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)]])
        })
    }

    /// Checks that every coordinate is finite and within [`MAX_COORDINATE`], and that there are at
    /// most [`MAX_POINTS`] points.
    ///
    /// Plans that were read from files have passed this already; plans made in code have not.
    ///
    /// ```
    /// let plan = clearway::Plan::from_rings([vec![[0.0, 0.0], [1.0, f64::NAN], [1.0, 1.0]]]);
    /// let error = plan.validate().unwrap_err();
    /// assert_eq!(error.to_string(), "ring 0, point 1: y is not a number");
    /// ```
    pub fn validate(&self) -> Result<()> {
        check::plan(self, MAX_POINTS)
    }

    /// Every ring and wall, without regard to its role.
    fn lines(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        let polygons = self.polygons.iter().chain(&self.obstacles).flat_map(|polygon| {
            let holes = polygon.holes.iter().map(Vec::as_slice);
            std::iter::once(polygon.outline.as_slice()).chain(holes)
        });
        polygons.chain(self.rings.iter().map(Vec::as_slice)).chain(self.walls.iter().map(Vec::as_slice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Plan {
        Plan {
            polygons: vec![PlanPolygon {
                outline: vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]],
                holes: vec![vec![[3.0, 1.0], [3.5, 1.0], [3.5, 1.5]]],
            }],
            rings: vec![vec![[-1.0, 0.0], [0.0, -2.0], [0.0, 0.0]]],
            walls: vec![vec![[0.0, 0.0], [1.0, 9.0]]],
            ..Plan::default()
        }
    }

    #[test]
    fn counts_and_bounds_cover_every_kind_of_line() {
        assert_eq!(sample().point_count(), 11);
        assert_eq!(sample().bounds(), Some([[-1.0, -2.0], [4.0, 9.0]]));
        assert!(!sample().is_empty());
    }

    #[test]
    fn a_plan_of_nothing_has_no_bounds() {
        assert_eq!(Plan::default().bounds(), None);
        assert_eq!(Plan::default().point_count(), 0);
        assert!(Plan::default().is_empty());
    }

    #[test]
    fn rings_from_code_lose_their_closing_point() {
        let triangle = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let closed = [triangle.clone(), vec![[0.0, 0.0]]].concat();
        let plan = Plan::from_rings([closed, triangle.clone()]);
        assert_eq!(plan.rings, [triangle.clone(), triangle]);
    }
}

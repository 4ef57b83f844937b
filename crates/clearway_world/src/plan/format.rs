//! The formats of plan files, and the choice of a reader for a file.

use std::fmt;
use std::path::Path;

use super::draft::Draft;
use super::text::Lines;
use super::{
    MAX_FILE_BYTES, Plan, PlanDrawing, PlanOptions, dat, dxf, geojson, levels, map, poly, ros, svg, wkt,
};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;

/// A format of plan files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlanFormat {
    /// Well-known text: polygons with roles; lines are walls. `.wkt`
    Wkt,
    /// GeoJSON (RFC 7946): polygons with roles; lines are walls. `.geojson`, `.json`
    GeoJson,
    /// Shewchuk's Triangle: segments, chained to rings whose nesting decides. `.poly`
    Poly,
    /// Rings of `x y` lines, parted by blank or comment lines; nesting decides. `.dat`
    Dat,
    /// MovingAI grid map: outlines of the passable tiles, x = column, y = row. `.map`
    Map,
    /// AutoCAD's drawing exchange format, as text or binary: layers are parts. `.dxf`
    Dxf,
    /// A map of ROS: a YAML file that names its picture. `.yaml`, `.yml`, or the `.pgm` beside it
    RosMap,
    /// Scalable vector graphics: groups, classes and ids are parts. `.svg`
    Svg,
}

/// File extensions in lower case, each with its format; a format's first one is its usual one.
const EXTENSIONS: [(&str, PlanFormat); 11] = [
    ("wkt", PlanFormat::Wkt),
    ("geojson", PlanFormat::GeoJson),
    ("json", PlanFormat::GeoJson),
    ("poly", PlanFormat::Poly),
    ("dat", PlanFormat::Dat),
    ("map", PlanFormat::Map),
    ("dxf", PlanFormat::Dxf),
    ("yaml", PlanFormat::RosMap),
    ("yml", PlanFormat::RosMap),
    ("pgm", PlanFormat::RosMap),
    ("svg", PlanFormat::Svg),
];

/// The words for a plan file in messages about directories and pipes.
const WANTED: &str = "plan file";

impl PlanFormat {
    /// The format that a file's extension stands for, in any case of letters.
    pub fn from_path(path: impl AsRef<Path>) -> Result<PlanFormat> {
        file::format_of(path.as_ref(), "plan", &EXTENSIONS)
    }
}

impl fmt::Display for PlanFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlanFormat::Wkt => "WKT",
            PlanFormat::GeoJson => "GeoJSON",
            PlanFormat::Poly => "a Triangle .poly file",
            PlanFormat::Dat => "a .dat list of rings",
            PlanFormat::Map => "a MovingAI grid map",
            PlanFormat::Dxf => "a DXF drawing",
            PlanFormat::RosMap => "a ROS map",
            PlanFormat::Svg => "an SVG drawing",
        })
    }
}

/// Reads a file; errors do not name it yet.
pub(super) fn load(path: &Path, options: &PlanOptions) -> Result<Plan> {
    // A directory or a pipe is reported as such, whatever its extension.
    file::check_regular(path, WANTED)?;
    let format = PlanFormat::from_path(path)?;
    if format == PlanFormat::RosMap {
        return ros::load(path, options);
    }
    parse(format, &file::read_filled(path, WANTED, MAX_FILE_BYTES)?, options.scale)?.finish_with(options)
}

/// Reads a file as one plan, or as levels if it draws several; errors do not name it yet.
pub(super) fn load_drawing(path: &Path, options: &PlanOptions) -> Result<PlanDrawing> {
    file::check_regular(path, WANTED)?;
    let format = PlanFormat::from_path(path)?;
    if format == PlanFormat::RosMap {
        return ros::load(path, options).map(PlanDrawing::Plan);
    }
    let draft = parse(format, &file::read_filled(path, WANTED, MAX_FILE_BYTES)?, options.scale)?;
    if options.level.is_some() || levels::levels(&draft).len() < 2 {
        return draft.finish_with(options).map(PlanDrawing::Plan);
    }
    levels::plans(draft, options).map(PlanDrawing::Levels)
}

/// Reads bytes. If they are not in the given format, the error says which format it looks like. Curves are divided by
/// their size in metres, for which `scale` is the unit, if one was asked for.
pub(super) fn parse(format: PlanFormat, bytes: &[u8], scale: Option<f64>) -> Result<Draft> {
    match format {
        PlanFormat::Dxf => return dxf::parse(bytes, scale),
        PlanFormat::RosMap => {
            let message = "a ROS map is two files: read it with Plan::load or Plan::parse_ros_map";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        _ => {}
    }
    let text = file::as_text(bytes)?;
    // Editors on Windows like to put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().is_empty() {
        return Err(Error::new(ErrorKind::Empty, "there is no text to read a plan from"));
    }
    let plan = match format {
        PlanFormat::Wkt => wkt::parse(text),
        PlanFormat::GeoJson => geojson::parse(text),
        PlanFormat::Poly => poly::parse(text),
        PlanFormat::Dat => dat::parse(text),
        PlanFormat::Svg => svg::parse(text, scale),
        PlanFormat::Map | PlanFormat::Dxf | PlanFormat::RosMap => map::parse(text),
    };
    plan.map_err(|error| match (error.kind(), guess(text)) {
        (ErrorKind::Syntax | ErrorKind::Unsupported, Some(guessed)) if guessed != format => {
            Error::new(error.kind(), format!("{error} (read as {format}, but it looks like {guessed})"))
        }
        _ => error,
    })
}

/// Guesses the format of a text from its first line; used for hints only, never to choose a reader.
fn guess(text: &str) -> Option<PlanFormat> {
    let start = text.trim_start();
    if start.starts_with(['{', '[']) {
        return Some(PlanFormat::GeoJson);
    }
    if wkt::starts_like_wkt(start) {
        return Some(PlanFormat::Wkt);
    }
    let line = Lines::new(start).find(|line| !dat::is_comment(line) && !line.text.trim().is_empty())?;
    let fields: Vec<_> = line.fields().take(5).collect();
    let numbers = fields.iter().filter(|field| field.parse::<f64>().is_ok()).count();
    match (fields.as_slice(), numbers) {
        (["type", _], 0) => Some(PlanFormat::Map),
        ([_, "2", _, _], 4) => Some(PlanFormat::Poly),
        // This may be the first point of a .dat file or a short header of a .poly file.
        ([_, "2"], 2) => None,
        ([_, _], 2) => Some(PlanFormat::Dat),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_scenes::Scratch;
    use std::fs::File;

    #[test]
    fn extensions_choose_formats_in_any_case() {
        let cases = [
            ("a.wkt", PlanFormat::Wkt),
            ("a.b.GeoJSON", PlanFormat::GeoJson),
            ("dir.wkt/a.JSON", PlanFormat::GeoJson),
            ("a.poly", PlanFormat::Poly),
            ("a.Dat", PlanFormat::Dat),
            ("a.map", PlanFormat::Map),
        ];
        for (path, format) in cases {
            assert_eq!(PlanFormat::from_path(path), Ok(format), "{path}");
        }
    }

    #[test]
    fn unknown_extensions_are_told_the_known_ones() {
        for (path, given) in [
            ("a.txt", "the extension `.txt`"),
            ("wkt", "a file without extension"),
            (".wkt", "a file without extension"),
        ] {
            let error = PlanFormat::from_path(path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported);
            let known = "known are .wkt, .geojson, .json, .poly, .dat, .map, .dxf, .yaml, .yml, .pgm, .svg";
            assert_eq!(error.to_string(), format!("{given} is not a known plan format; {known}"));
        }
    }

    #[test]
    fn files_that_cannot_be_plans_are_refused() {
        let scratch = Scratch::new("format_refused");
        let cases: [(&str, &[u8], ErrorKind, &str); 5] = [
            ("empty.wkt", b"", ErrorKind::Empty, "the file is empty"),
            ("blank.dat", b" \n\t\n", ErrorKind::Empty, "there is no text to read a plan from"),
            ("mark.map", b"\xef\xbb\xbf", ErrorKind::Empty, "there is no text to read a plan from"),
            ("latin.json", b"{\"a\": \"\xe9\"}", ErrorKind::Syntax, "the first bad byte is at offset 7"),
            ("plan.dwg", b"AC1027", ErrorKind::Unsupported, "known are .wkt"),
        ];
        for (name, bytes, kind, message) in cases {
            let path = scratch.write(name, bytes);
            let error = Plan::load(&path).unwrap_err();
            assert_eq!(error.kind(), kind, "{name}");
            assert!(error.to_string().contains(message), "{name}: {error}");
            assert!(error.to_string().starts_with(&path.display().to_string()), "{name}: {error}");
        }
    }

    #[test]
    fn missing_files_and_directories_are_told_apart() {
        let scratch = Scratch::new("format_missing");
        let missing = Plan::load(scratch.path("missing.wkt")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::Io);
        assert!(missing.to_string().contains("missing.wkt: cannot be read: "), "{missing}");
        let directory = Plan::load(scratch.path("")).unwrap_err();
        assert_eq!(directory.kind(), ErrorKind::Io);
        assert!(directory.to_string().ends_with(": is a directory, not a plan file"), "{directory}");
    }

    #[test]
    fn huge_files_are_refused_before_they_are_read() {
        let scratch = Scratch::new("format_huge");
        let path = scratch.write("huge.wkt", b"");
        // A sparse file: it has the size, but takes no room on most disks.
        File::options().write(true).open(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        let error = Plan::load(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert!(error.to_string().ends_with("the file has 536870913 bytes or more; the limit is 536870912"));
    }

    #[test]
    fn a_plan_is_loaded_whatever_its_line_ends_and_marks() {
        let scratch = Scratch::new("format_fine");
        let path = scratch.write("fine.DAT", b"\xef\xbb\xbf0 0\r\n1 0\r\n0 1\r\n");
        assert_eq!(Plan::load(path).unwrap().rings, [vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]);
    }

    #[test]
    fn the_wrong_format_is_hinted_at() {
        let samples = [
            (PlanFormat::Wkt, "POLYGON ((0 0, 1 0, 0 1))"),
            (PlanFormat::GeoJson, "{\"type\": \"Polygon\", \"coordinates\": []}"),
            (PlanFormat::Poly, "# lake\n3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n0 0\n0\n"),
            (PlanFormat::Dat, "0 0\n1 0\n0 1\n"),
            (PlanFormat::Map, "type octile\nheight 1\nwidth 1\nmap\n.\n"),
        ];
        for (format, text) in samples {
            assert_eq!(guess(text), Some(format));
            for (other, _) in samples {
                let result = parse(other, text.as_bytes(), None);
                if other == format {
                    result.unwrap();
                    continue;
                }
                let hint = format!("(read as {other}, but it looks like {format})");
                let error = result.unwrap_err();
                assert!(error.to_string().ends_with(&hint), "{error}");
            }
        }
    }
}

//! The YAML file of a ROS map: `key: value` lines, lists in brackets or as dashes.

use super::Occupancy;
use crate::plan::text::Lines;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The least and the greatest side of a cell in metres. Sensors see no hundredth of a millimetre; the greatest map of
/// cells of this side is 160 mm wide. A million metres is more than any map resolves.
const LEAST_RESOLUTION: f64 = 1e-5;
const MOST_RESOLUTION: f64 = 1e6;

/// The way in which shades tell occupancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Free, occupied or unknown, by two thresholds.
    Trinary,
    /// As trinary; pixels that are not opaque are unknown.
    Scale,
    /// Shades are percentages; above 100 they are unknown.
    Raw,
}

/// What the file tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    /// The file of the picture.
    pub(super) image: String,
    /// The side of a cell in metres.
    pub(super) resolution: f64,
    /// The place of the lower left corner, x and y in metres, and the angle by which the map is turned.
    pub(super) origin: [f64; 3],
    /// True if bright cells are occupied.
    negate: bool,
    /// Cells above this share are occupied.
    occupied: f64,
    /// Cells below this share are free.
    free: f64,
    /// The way in which shades tell occupancy.
    mode: Mode,
}

impl Header {
    /// Reads the text.
    pub(super) fn parse(text: &str) -> Result<Header> {
        let mut header = Header {
            image: String::new(),
            resolution: 0.0,
            origin: [0.0; 3],
            negate: false,
            occupied: 0.65,
            free: 0.25,
            mode: Mode::Trinary,
        };
        // Keys in the order in which they came; a line of a list continues the last one.
        let mut entries: Vec<(usize, String, String)> = Vec::new();
        for (index, line) in Lines::new(text).enumerate() {
            let line = without_comment(line.text);
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with("---") || trimmed.starts_with('%') {
                continue;
            }
            let is_item = trimmed.starts_with("- ") || line.starts_with([' ', '\t']);
            match (trimmed.split_once(':'), entries.last_mut()) {
                (None, Some((_, _, value))) if is_item => {
                    value.push(' ');
                    value.push_str(trimmed.trim_start_matches('-').trim());
                    value.push(',');
                }
                (Some((key, value)), _) => {
                    entries.push((index + 1, key.trim().to_string(), value.trim().to_string()));
                }
                (None, _) => {
                    let message =
                        format!("line {}: expected `key: value`, found {}", index + 1, quoted(trimmed));
                    return Err(Error::new(ErrorKind::Syntax, message));
                }
            }
        }
        for (line, key, value) in &entries {
            header.take(*line, key, value)?;
        }
        header.checked()
    }

    /// Takes one entry; unknown keys are left out.
    fn take(&mut self, line: usize, key: &str, value: &str) -> Result<()> {
        let number = |text: &str| -> Result<f64> {
            let parsed = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
            parsed.ok_or_else(|| {
                Error::new(ErrorKind::Syntax, format!("line {line}: {key} is {}, not a number", quoted(text)))
            })
        };
        match key {
            "image" => self.image = value.trim_matches(['"', '\'']).to_string(),
            "resolution" => self.resolution = number(value)?,
            "negate" => self.negate = matches!(value, "1" | "true" | "True" | "yes" | "on"),
            "occupied_thresh" => self.occupied = number(value)?,
            "free_thresh" => self.free = number(value)?,
            "mode" => {
                self.mode = match value.trim_matches(['"', '\'']) {
                    "trinary" => Mode::Trinary,
                    "scale" => Mode::Scale,
                    "raw" => Mode::Raw,
                    other => {
                        let message =
                            format!("line {line}: mode is {}; known are trinary, scale, raw", quoted(other));
                        return Err(Error::new(ErrorKind::Unsupported, message));
                    }
                }
            }
            "origin" => {
                let list =
                    value.trim_matches(['[', ']', ' ']).split(',').filter(|item| !item.trim().is_empty());
                for (axis, item) in list.take(3).enumerate() {
                    self.origin[axis] = number(item)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Refuses what cannot be a map.
    fn checked(self) -> Result<Header> {
        let wrong = |kind, message: String| Err(Error::new(kind, message));
        if self.image.is_empty() {
            return wrong(
                ErrorKind::Syntax,
                "there is no `image:`, so it is not the YAML file of a ROS map".to_string(),
            );
        }
        if !(LEAST_RESOLUTION..=MOST_RESOLUTION).contains(&self.resolution) {
            let message = format!(
                "resolution is {}; it must be a length from {LEAST_RESOLUTION} to {MOST_RESOLUTION} in metres",
                self.resolution
            );
            return wrong(ErrorKind::OutOfRange, message);
        }
        Ok(self)
    }

    /// True if pixels that are not opaque are unknown.
    pub(super) fn heeds_opacity(&self) -> bool {
        self.mode == Mode::Scale
    }

    /// The state of a cell of this shade.
    pub(super) fn occupancy(&self, shade: u8) -> Occupancy {
        let share = match self.mode {
            Mode::Raw if shade > 100 => return Occupancy::Unknown,
            Mode::Raw => f64::from(shade) / 100.0,
            _ if self.negate => f64::from(shade) / 255.0,
            _ => f64::from(255 - shade) / 255.0,
        };
        match () {
            () if share > self.occupied => Occupancy::Occupied,
            () if share < self.free => Occupancy::Free,
            () => Occupancy::Unknown,
        }
    }
}

/// A line without its comment.
fn without_comment(line: &str) -> &str {
    let start = line.match_indices('#').find(|(at, _)| *at == 0 || line[..*at].ends_with([' ', '\t']));
    start.map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_lists_are_read() {
        let inline = "image: a b.pgm # picture\nresolution: 5.0e-2\norigin: [-10.0, 2, 0.5]\nnegate: 0\n";
        let dashes = "---\nimage: \"a b.pgm\"\nresolution: 0.05\norigin:\n- -10.0\n- 2\n  - 0.5\nnegate: 0\nmode: trinary\n";
        for text in [inline, dashes] {
            let header = Header::parse(text).unwrap();
            assert_eq!(
                (header.image.as_str(), header.resolution, header.origin),
                ("a b.pgm", 0.05, [-10.0, 2.0, 0.5])
            );
        }
    }

    #[test]
    fn thresholds_and_modes_tell_occupancy() {
        let states = |more: &str| {
            let text = format!("image: a\nresolution: 1\noccupied_thresh: 0.65\nfree_thresh: 0.196\n{more}");
            let header = Header::parse(&text).unwrap();
            [0, 100, 205, 254, 255].map(|shade| header.occupancy(shade))
        };
        use Occupancy::{Free, Occupied, Unknown};
        assert_eq!(states(""), [Occupied, Unknown, Unknown, Free, Free]);
        assert_eq!(states("negate: 1"), [Free, Unknown, Occupied, Occupied, Occupied]);
        assert_eq!(states("mode: raw"), [Free, Occupied, Unknown, Unknown, Unknown]);
    }

    #[test]
    fn bad_files_are_refused() {
        let cases = [
            ("resolution: 1", "there is no `image:`, so it is not the YAML file of a ROS map"),
            ("image: a", "resolution is 0; it must be a length from 0.00001 to 1000000 in metres"),
            (
                "image: a\nresolution: 1e-30",
                "resolution is 0.000000000000000000000000000001; it must be a length from 0.00001 to 1000000 in metres",
            ),
            ("image: a\nresolution: x", "line 2: resolution is `x`, not a number"),
            ("image: a\nresolution: 1\norigin: [1, nan]", "line 3: origin is ` nan`, not a number"),
            ("image: a\nresolution: 1\nmode: 7", "line 3: mode is `7`; known are trinary, scale, raw"),
            ("hello", "line 1: expected `key: value`, found `hello`"),
        ];
        for (text, message) in cases {
            assert_eq!(Header::parse(text).unwrap_err().to_string(), message);
        }
    }
}

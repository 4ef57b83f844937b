//! The options by which a scene is read, for `build` and for the scene beneath a picture.

use super::build::first_given;
use clap::{Args, ValueEnum};
use clearway::{SceneOptions, Selection, Up};

/// The name of the option for the unit, which plans have too.
pub const SCALE: &str = "--scale";

/// Options for reading a scene.
#[derive(Debug, Default, Args)]
pub struct SceneReading {
    /// Which axis of the file points up; y by default
    #[arg(long, value_enum, value_name = "AXIS")]
    up: Option<UpArg>,
    /// The length of the file's unit in metres: 0.01 for a file in centimetres; auto chooses it from the sizes
    /// of doors and rooms; also for plans
    #[arg(long, value_name = "METRES|auto", value_parser = scale, allow_negative_numbers = true)]
    scale: Option<Scale>,
    /// Turn faces over: for files whose floors are wound clockwise as seen from above
    #[arg(long)]
    flip: bool,
    /// Refuse scenes with more triangles than this, instances counted; 20 million by default
    #[arg(long, value_name = "COUNT")]
    max_triangles: Option<usize>,
    /// Leave out parts by name or material, in upper and lower case as there; * stands for any characters; may be given
    /// again
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<String>,
}

impl SceneReading {
    /// Returns the first option that was given.
    pub fn given(&self) -> Option<&'static str> {
        first_given(&[
            ("--up", self.up.is_some()),
            (SCALE, self.scale.is_some()),
            ("--flip", self.flip),
            ("--max-triangles", self.max_triangles.is_some()),
            ("--ignore", !self.ignore.is_empty()),
        ])
    }

    /// Returns the options for reading.
    pub fn options(&self) -> SceneOptions {
        let default = SceneOptions::default();
        SceneOptions::default()
            .up(self.up.map_or(default.up, Up::from))
            .scale(self.scale().unwrap_or(default.scale))
            .flip(self.flip)
            .max_triangles(self.max_triangles.unwrap_or(default.max_triangles))
    }

    /// Returns the unit that was given.
    pub fn scale(&self) -> Option<f64> {
        self.scale.and_then(|scale| scale.0)
    }

    /// True if the unit is to be taken from what the scene shows.
    pub fn guesses_scale(&self) -> bool {
        self.scale == Some(Scale(None))
    }

    /// True if z was chosen as the axis that points up.
    pub fn is_z_up(&self) -> bool {
        matches!(self.up, Some(UpArg::Z))
    }

    /// Returns the parts to leave out.
    pub fn selection(&self) -> Selection {
        Selection { ignore: self.ignore.clone(), ..Selection::default() }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum UpArg {
    /// As in glTF and most game worlds
    Y,
    /// As in CAD and many modelling tools
    Z,
}

impl From<UpArg> for Up {
    fn from(up: UpArg) -> Up {
        match up {
            UpArg::Y => Up::Y,
            UpArg::Z => Up::Z,
        }
    }
}

/// The length of a file's unit in metres; `None` if the scene is to tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(Option<f64>);

/// Reads a number or `auto`.
fn scale(text: &str) -> std::result::Result<Scale, String> {
    match text {
        "auto" => Ok(Scale(None)),
        number => {
            number.parse().map(|scale| Scale(Some(scale))).map_err(|_| "expected a number or auto".into())
        }
    }
}

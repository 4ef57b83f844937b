//! Options for reading: what a scene file does not say about itself.

use super::MAX_TRIANGLES;
use clearway_base::error::{Error, ErrorKind, Result};

/// The axis of a file that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// +Y, as glTF demands and most game worlds have it.
    #[default]
    Y,
    /// +Z, as CAD and many modelling tools have it: (x, y, z) is read as (x, z, -y).
    Z,
}

/// The choice of one scene in a glTF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneChoice {
    /// By its index in the file, counted from 0.
    Number(usize),
    /// By its name; the first scene of that name.
    Name(String),
}

impl From<usize> for SceneChoice {
    fn from(number: usize) -> SceneChoice {
        SceneChoice::Number(number)
    }
}

impl From<&str> for SceneChoice {
    /// A whole number is an index in the file, anything else a name.
    fn from(text: &str) -> SceneChoice {
        text.parse().map_or_else(|_| SceneChoice::Name(text.to_string()), SceneChoice::Number)
    }
}

/// The default limit of triangles. More must be asked for: a file of a few bytes may draw the same mesh over and
/// over.
const USUAL_TRIANGLES: usize = 20_000_000;

/// The options for reading a scene file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneOptions {
    /// The axis of the file that points up.
    pub up: Up,
    /// The length of the file's unit in metres: 0.01 for a file in centimetres.
    pub scale: f64,
    /// True to turn faces over, for files whose floors are wound clockwise as seen from above.
    pub flip: bool,
    /// The scene of a glTF file to read. Without a choice, its default scene is read, or else its first.
    pub scene: Option<SceneChoice>,
    /// Files with more triangles than this are refused before memory is taken for them; instances count. At most
    /// [`MAX_TRIANGLES`]. Extracting the walkable surface takes about 700 bytes for each.
    pub max_triangles: usize,
}

clearway_base::setters!(SceneOptions {
    up: Up,
    scale: f64,
    flip: bool,
    scene: Option<SceneChoice>,
    max_triangles: usize,
});

impl Default for SceneOptions {
    fn default() -> SceneOptions {
        SceneOptions { up: Up::Y, scale: 1.0, flip: false, scene: None, max_triangles: USUAL_TRIANGLES }
    }
}

impl SceneOptions {
    /// Checks the options; an error names the option that makes no sense.
    pub fn validate(&self) -> Result<()> {
        if !(self.scale.is_finite() && self.scale > 0.0) {
            let message = format!("the scale is {:?}; it must be a positive number", self.scale);
            return Err(Error::new(ErrorKind::Options, message));
        }
        if self.max_triangles > MAX_TRIANGLES {
            let message = format!(
                "at most {} triangles are asked for; the limit is {MAX_TRIANGLES}",
                self.max_triangles
            );
            return Err(Error::new(ErrorKind::Options, message));
        }
        Ok(())
    }

    /// Converts a point of the file to the world: +Y up, metres.
    pub(super) fn world(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let turned = match self.up {
            Up::Y => [x, y, z],
            Up::Z => [x, z, -y],
        };
        turned.map(|c| c * self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_up_is_turned_and_scaled() {
        let options = SceneOptions::default().up(Up::Z).scale(0.5);
        assert_eq!(options.world([2.0, 4.0, 6.0]), [1.0, 3.0, -2.0]);
        assert_eq!(SceneOptions::default().world([2.0, 4.0, 6.0]), [2.0, 4.0, 6.0]);
    }

    #[test]
    fn senseless_scales_and_limits_are_refused() {
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = SceneOptions::default().scale(scale).validate().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Options);
            assert_eq!(error.to_string(), format!("the scale is {scale:?}; it must be a positive number"));
        }
        let options = SceneOptions::default().max_triangles(MAX_TRIANGLES + 1);
        assert_eq!(options.validate().unwrap_err().kind(), ErrorKind::Options);
    }

    #[test]
    fn whole_numbers_choose_by_place() {
        assert_eq!(SceneChoice::from("2"), SceneChoice::Number(2));
        assert_eq!(SceneChoice::from("2b"), SceneChoice::Name("2b".to_string()));
        assert_eq!(SceneChoice::from(7), SceneChoice::Number(7));
    }
}

//! Coordinates under a picture from aside: lines of round x and z (y on a plan) on the lowest ground, with numbers where
//! they end towards the eye. They let one read off a point for `--from`.

use super::PALE_INK;
use super::frame::Frame;
use super::legend::line_element;
use super::lettering::{stroke_width, text_width, write_text};
use super::path::PathText;
use super::ticks::{LINE, label, round_step};

/// The least distance between two lines, in pixels at nominal width.
const LEAST_STEP: f64 = 60.0;
/// The height of numbers, in pixels at nominal width.
const HEIGHT: f64 = 7.0;
/// The share of a step by which lines reach beyond the ground towards the eye: the edges of floors must not hide numbers.
const BEYOND: f64 = 0.3;

/// The lines of round coordinates on the lowest ground.
pub struct Graticule {
    /// The distance between lines in metres, and its power of ten.
    step: (f64, i32),
    /// The first and the last line along x and along the plan's y, in metres.
    low: [f64; 2],
    high: [f64; 2],
    /// True if the second axis is z, which grows against the plan's y.
    is_scene: bool,
}

impl Graticule {
    /// Chooses lines around bounds of the plan, at so many pixels per metre; `None` if there is no room for any.
    pub fn of([low, high]: [[f64; 2]; 2], scale: f64, is_scene: bool) -> Option<Graticule> {
        let step = round_step(LEAST_STEP / scale);
        let round = |value: f64, to: fn(f64) -> f64| to(value / step.0) * step.0;
        let (low, high) =
            (low.map(|value| round(value, f64::floor)), high.map(|value| round(value, f64::ceil)));
        let counts = [0, 1].map(|axis| (high[axis] - low[axis]) / step.0);
        let is_sound = step.0.is_finite() && counts.iter().all(|count| (1.0..200.0).contains(count));
        is_sound.then_some(Graticule { step, low, high, is_scene })
    }

    /// Returns the corners of the field of lines, in the plan.
    pub fn corners(&self) -> [[f64; 2]; 4] {
        let (low, high) = (self.near(), self.high);
        [low, [high[0], low[1]], high, [low[0], high[1]]]
    }

    /// Returns where lines end towards the eye.
    fn near(&self) -> [f64; 2] {
        self.low.map(|value| value - BEYOND * self.step.0)
    }

    /// Draws the lines, which lie under the mesh. `see` gives the pixel of a place of the plan on the lowest ground.
    pub fn lines(&self, svg: &mut String, frame: &Frame, see: impl Fn([f64; 2]) -> [f64; 2]) {
        let (near, high) = (self.near(), self.high);
        let mut lines = PathText::default();
        self.stops(0).for_each(|x| lines.line([see([x, near[1]]), see([x, high[1]])].into_iter()));
        self.stops(1).for_each(|y| lines.line([see([near[0], y]), see([high[0], y])].into_iter()));
        line_element(svg, &lines, LINE, 0.7 * frame.ui, "");
    }

    /// Draws the numbers at the near ends of the lines, over the mesh.
    pub fn numbers(&self, svg: &mut String, frame: &Frame, see: impl Fn([f64; 2]) -> [f64; 2]) {
        let (near, size) = (self.near(), HEIGHT * frame.ui);
        let mut numbers = PathText::default();
        for x in self.stops(0) {
            let at = see([x, near[1]]);
            write_text(&mut numbers, &label(x, self.step.1), [at[0] - 0.5 * size, at[1] + 1.6 * size], size);
        }
        for y in self.stops(1) {
            let at = see([near[0], y]);
            let text = label(if self.is_scene { 0.0 - y } else { y }, self.step.1);
            let start = at[0] - text_width(&text, size) - 0.6 * size;
            write_text(&mut numbers, &text, [start, at[1] + 0.9 * size], size);
        }
        // The names of the axes stand beside the middles of their edges.
        let middle = [0, 1].map(|axis| 0.5 * (self.low[axis] + self.high[axis]));
        let [x_at, y_at] = [see([middle[0], near[1]]), see([near[0], middle[1]])];
        let name = if self.is_scene { "z" } else { "y" };
        write_text(&mut numbers, "x", [x_at[0], x_at[1] + 3.6 * size], 1.2 * size);
        write_text(&mut numbers, name, [y_at[0] - 5.0 * size, y_at[1] + 1.8 * size], 1.2 * size);
        line_element(svg, &numbers, PALE_INK, stroke_width(size), "");
    }

    /// Returns the coordinates of the lines along an axis, in the plan.
    fn stops(&self, axis: usize) -> impl Iterator<Item = f64> + '_ {
        let count = ((self.high[axis] - self.low[axis]) / self.step.0).round() as u32;
        (0..=count).map(move |number| self.low[axis] + f64::from(number) * self.step.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_round_and_reach_around_the_ground() {
        let lines = Graticule::of([[0.3, -2.0], [18.0, 7.0]], 30.0, true).unwrap();
        assert_eq!((lines.low, lines.high), ([0.0, -2.0], [18.0, 8.0]));
        assert_eq!(lines.stops(0).count(), 10);
        assert!(Graticule::of([[1.0, 1.0], [1.0, 1.0]], f64::NAN, true).is_none());
    }
}

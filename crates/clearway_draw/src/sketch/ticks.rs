//! Coordinates around a picture from above: faint lines at round numbers, the numbers at the border, and small dots
//! over the mesh where the lines meet. They let one read off a point for `--from`.

use super::frame::Frame;
use super::legend::{line_element, text};
use super::lettering::text_width;
use super::path::PathText;
use super::{INK, PALE_INK};

/// The least distance between two lines, in pixels at nominal width: room for the longest usual number.
const LEAST_STEP: f64 = 72.0;
/// The height of numbers, in pixels at nominal width.
const HEIGHT: f64 = 7.0;
/// The colour of the lines: a little darker than the ground.
pub const LINE: &str = "#c3ccd9";

/// The lines of round coordinates in a picture.
pub struct Ticks {
    /// The distance between lines in metres: `factor` times ten to the `exponent`.
    step: f64,
    exponent: i32,
    /// The first and the last line, as multiples of the step, along x and along the second axis.
    range: [[i64; 2]; 2],
    /// True if the second axis is z, which grows against the plan's y.
    is_scene: bool,
}

impl Ticks {
    /// Chooses the lines for a picture.
    pub fn of(frame: &Frame, is_scene: bool) -> Ticks {
        let (step, exponent) = round_step(LEAST_STEP * frame.ui / frame.scale);
        let [left, top, width, height] = frame.ground();
        let corners = [frame.plan_at([left, top]), frame.plan_at([left + width, top + height])];
        let range = [0, 1].map(|axis| {
            let (low, high) =
                (corners[0][axis].min(corners[1][axis]), corners[0][axis].max(corners[1][axis]));
            [(low / step).ceil() as i64, (high / step).floor() as i64]
        });
        // A frame around nothing, or around one point, has no round coordinates.
        let is_sound = range.iter().all(|[low, high]| high >= low && high.saturating_sub(*low) < 400);
        let range = if is_sound && step.is_finite() { range } else { [[1, 0]; 2] };
        Ticks { step, exponent, range, is_scene }
    }

    /// Draws the lines, which lie under the mesh.
    pub fn lines(&self, svg: &mut String, frame: &Frame) {
        let [left, top, width, height] = frame.ground();
        let mut path = PathText::default();
        for x in self.stops(0) {
            let [x, _] = frame.place([x, 0.0]);
            path.line([[x, top], [x, top + height]].into_iter());
        }
        for y in self.stops(1) {
            let [_, y] = frame.place([0.0, y]);
            path.line([[left, y], [left + width, y]].into_iter());
        }
        if !path.is_empty() {
            line_element(svg, &path, LINE, 0.7 * frame.ui, "");
        }
    }

    /// Draws the numbers at the border and the dots over the mesh.
    pub fn numbers(&self, svg: &mut String, frame: &Frame) {
        let ([left, top, width, height], ui) = (frame.ground(), frame.ui);
        let size = HEIGHT * ui;
        let is_window = frame.is_window();
        let mut numbers = PathText::default();
        let bottom = top + height;
        let base = if is_window { bottom + size + 5.0 * ui } else { bottom - 4.0 * ui };
        for x in self.stops(0) {
            let (label, [at, _]) = (label(x, self.exponent), frame.place([x, 0.0]));
            let start = at - 0.5 * text_width(&label, size);
            // The corners belong to the names of the axes.
            if start > left + 22.0 * ui && at + 0.5 * text_width(&label, size) < left + width - 18.0 * ui {
                super::lettering::write_text(&mut numbers, &label, [start, base], size);
            }
        }
        for y in self.stops(1) {
            let value = if self.is_scene { 0.0 - y } else { y };
            let (label, [_, at]) = (label(value, self.exponent), frame.place([0.0, y]));
            let space = text_width(&label, size);
            let start = if is_window { left - space - 4.0 * ui } else { left + 4.0 * ui };
            if at > top + 24.0 * ui && at < bottom - 16.0 * ui {
                super::lettering::write_text(&mut numbers, &label, [start, at + 0.5 * size], size);
            }
        }
        if !numbers.is_empty() {
            line_element(svg, &numbers, PALE_INK, super::lettering::stroke_width(size), "");
            let name = if self.is_scene { "z" } else { "y" };
            let axis = if is_window { left - 14.0 * ui } else { left + 5.0 * ui };
            text(svg, name, [axis, top + 14.0 * ui], 1.2 * size, PALE_INK);
            text(svg, "x", [left + width - 12.0 * ui, base], 1.2 * size, PALE_INK);
        }
        self.dots(svg, frame);
    }

    /// Draws a dot where two lines meet. Crosses would make the file twice as large.
    fn dots(&self, svg: &mut String, frame: &Frame) {
        let mut path = PathText::default();
        for x in self.stops(0) {
            self.stops(1).for_each(|y| path.dot(frame.place([x, y])));
        }
        if !path.is_empty() {
            line_element(svg, &path, INK, 2.2 * frame.ui, " stroke-opacity=\".35\"");
        }
    }

    /// Returns the coordinates of the lines along an axis, in the plan.
    fn stops(&self, axis: usize) -> impl Iterator<Item = f64> + '_ {
        let [first, last] = self.range[axis];
        (first..=last).map(|count| count as f64 * self.step)
    }
}

/// Returns the least round length that is no shorter than this, 1, 2 or 5 times a power of ten, and that power.
pub fn round_step(least: f64) -> (f64, i32) {
    let exponent = least.max(f64::MIN_POSITIVE).log10().floor() as i32;
    let power = 10f64.powi(exponent);
    match [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least) {
        Some(factor) => (factor * power, exponent),
        None => (10.0 * power, exponent + 1),
    }
}

/// Returns a coordinate as text; `exponent` is the power of ten of the step between coordinates.
pub fn label(value: f64, exponent: i32) -> String {
    let decimals = usize::try_from(-exponent).unwrap_or(0).min(6);
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { "0".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::super::SketchOptions;
    use super::*;

    #[test]
    fn lines_are_round_and_within_the_picture() {
        for extent in [0.01, 3.0, 47.0, 900.0, 1e6] {
            let bounds = [[-0.3 * extent, 10.0], [0.7 * extent, 10.0 + extent]];
            let frame = Frame::of(Some(bounds), &SketchOptions::default());
            let ticks = Ticks::of(&frame, false);
            let count = ticks.stops(0).count();
            assert!((5..20).contains(&count), "{extent}: {count}");
            let [left, _, width, _] = frame.ground();
            assert!(ticks.stops(0).all(|x| {
                let [at, _] = frame.place([x, 0.0]);
                at >= left - 1e-6 && at <= left + width + 1e-6
            }));
        }
    }

    #[test]
    fn numbers_have_the_digits_they_need() {
        let frame = Frame::of(Some([[0.0, 0.0], [1.3, 1.0]]), &SketchOptions::default());
        let ticks = Ticks::of(&frame, true);
        assert_eq!(
            (label(0.3, ticks.exponent), label(-0.0, ticks.exponent)),
            ("0.3".to_string(), "0".to_string())
        );
        let nothing = Frame::of(Some([[1.0, 1.0], [1.0, 1.0]]), &SketchOptions::default());
        let mut svg = String::new();
        Ticks::of(&nothing, true).numbers(&mut svg, &nothing);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}

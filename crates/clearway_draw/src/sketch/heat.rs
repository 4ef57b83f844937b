//! Heat maps: values over the ground in bands of colour, with lines between the bands.
//!
//! Each tile is cut into triangles around its centre, on which the value is taken as linear. Bands are cut out of the
//! triangles exactly, so neighbouring bands leave no gap; a tile within one band is drawn as one piece.

use super::frame::Frame;
use super::legend::{line_element, text};
use super::lettering::text_width;
use super::path::{PathText, pixels};
use super::{INK, PALE_INK};
use clearway_nav::mesh::CellId;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The colours of the bands from the least value to the greatest: from pale yellow to dark violet, ever darker, so that
/// they can be told apart in grey as well.
const RAMP: [&str; 12] = [
    "#fdf7cf", "#fbe7a6", "#f9d380", "#f6bc66", "#f0a25a", "#e7885a", "#d96f60", "#c55a6b", "#a94a76",
    "#88407d", "#653a7d", "#433371",
];
/// The word and the colour of ground without a value.
const UNKNOWN: (&str, &str) = ("unknown", "#c3c9d2");

/// Values over the ground of a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeatMap {
    /// The words beside the scale of colours.
    pub label: String,
    /// The difference between two lines; the first band starts at zero.
    pub step: f64,
    /// The ground in convex tiles.
    pub tiles: Vec<HeatTile>,
    /// The words and colours of ground without a value; there may be several reasons for that.
    pub blanks: Vec<(&'static str, &'static str)>,
}

/// A convex part of a cell with a value at its centre and at each corner; what is not known is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatTile {
    /// The cell on which it lies.
    pub cell: CellId,
    /// Its centre, in plan coordinates.
    pub centre: ([f64; 2], Option<f64>),
    /// Its corners, in plan coordinates.
    pub corners: Vec<([f64; 2], Option<f64>)>,
    /// The number of its entry in [`HeatMap::blanks`], if the centre has no value.
    pub blank: usize,
}

/// A point of the plan with its value.
type Valued = ([f64; 2], f64);

impl HeatMap {
    /// Makes a heat map. The step is chosen so that there are at most twelve bands: 1, 2 or 5 times a power of ten.
    pub fn new(label: impl Into<String>, tiles: Vec<HeatTile>) -> HeatMap {
        let most = tiles
            .iter()
            .flat_map(|tile| tile.corners.iter().chain([&tile.centre]).filter_map(|(_, value)| *value))
            .filter(|value| value.is_finite())
            .fold(0.0, f64::max);
        let mut step = 1e-3;
        let mut factors = [2.0, 2.5, 2.0].into_iter().cycle();
        while step * RAMP.len() as f64 <= most {
            step *= factors.next().unwrap_or(2.0);
        }
        HeatMap { label: label.into(), step, tiles, blanks: vec![UNKNOWN] }
    }

    /// Sets the words and colours of ground without a value.
    #[must_use]
    pub fn blanks(mut self, blanks: &[(&'static str, &'static str)]) -> HeatMap {
        self.blanks = blanks.to_vec();
        self
    }

    /// Returns the words and colours of ground without a value on shown cells.
    pub(super) fn used_blanks(&self, is_shown: impl Fn(u32) -> bool) -> Vec<(&'static str, &'static str)> {
        let blank = |tile: &&HeatTile| tile.centre.1.is_none() && is_shown(tile.cell.0);
        let used: BTreeSet<usize> = self.tiles.iter().filter(blank).map(|tile| tile.blank).collect();
        used.into_iter().filter_map(|blank| self.blanks.get(blank).copied()).collect()
    }

    /// Draws the tiles of shown cells, and the lines between bands.
    pub(super) fn draw(&self, svg: &mut String, shown: &[bool], frame: &Frame) {
        let mut bands = vec![PathText::default(); RAMP.len()];
        let (mut blanks, mut lines) = (vec![PathText::default(); self.blanks.len()], PathText::default());
        for tile in self.tiles.iter().filter(|tile| shown.get(tile.cell.index()) == Some(&true)) {
            self.tile(tile, frame, &mut bands, &mut blanks, &mut lines);
        }
        // A thin edge in the same colour hides the seams that smoothing leaves.
        let _ = writeln!(svg, "<g stroke-width=\"{}\">", pixels(0.6 * frame.ui));
        let colors = RAMP.into_iter().chain(self.blanks.iter().map(|(_, color)| *color));
        for (path, color) in bands.iter().chain(&blanks).zip(colors) {
            if !path.is_empty() {
                let _ = writeln!(svg, "<path fill=\"{color}\" stroke=\"{color}\" d=\"{}\"/>", path.text());
            }
        }
        svg.push_str("</g>\n");
        if !lines.is_empty() {
            line_element(svg, &lines, INK, 0.7 * frame.ui, " stroke-opacity=\".45\"");
        }
    }

    /// Adds one tile to the bands and lines.
    fn tile(
        &self,
        tile: &HeatTile,
        frame: &Frame,
        bands: &mut [PathText],
        blanks: &mut [PathText],
        lines: &mut PathText,
    ) {
        let all: Option<Vec<Valued>> =
            tile.corners.iter().map(|(at, value)| Some((*at, (*value)?))).collect();
        let (Some(corners), Some(middle)) = (all, tile.centre.1) else {
            // A corner on a wall has no room for a body: the centre then speaks for the whole tile.
            let path = match tile.centre.1 {
                Some(value) => bands.get_mut(self.band(value)),
                None => blanks.get_mut(tile.blank),
            };
            let ring = || tile.corners.iter().map(|(at, _)| frame.place(*at));
            return path.into_iter().for_each(|path| path.ring(ring()));
        };
        let band = self.band(middle);
        if corners.iter().all(|(_, value)| self.band(*value) == band) {
            return bands[band].ring(corners.iter().map(|(at, _)| frame.place(*at)));
        }
        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            self.triangle([(tile.centre.0, middle), *a, *b], frame, bands, lines);
        }
    }

    /// Adds a triangle band by band, with the line at the upper end of each band.
    fn triangle(&self, corners: [Valued; 3], frame: &Frame, bands: &mut [PathText], lines: &mut PathText) {
        let values = corners.map(|(_, value)| value);
        let [low, high] =
            [values.into_iter().fold(f64::INFINITY, f64::min), values.into_iter().fold(0.0, f64::max)];
        let mut rest = corners.to_vec();
        let [first, last] = [low, high].map(|value| self.band(value));
        for (band, ring) in (first..last).zip(&mut bands[first..last]) {
            let level = (band + 1) as f64 * self.step;
            let part = side_of(&rest, level, 1.0);
            rest = side_of(&rest, level, -1.0);
            let on_level: Vec<[f64; 2]> =
                part.iter().filter(|(_, value)| *value == level).map(|(at, _)| *at).collect();
            if let [from, to] = on_level[..] {
                lines.line([from, to].into_iter().map(|at| frame.place(at)));
            }
            if part.len() > 2 {
                ring.ring(part.iter().map(|(at, _)| frame.place(*at)));
            }
        }
        if rest.len() > 2 {
            bands[last].ring(rest.iter().map(|(at, _)| frame.place(*at)));
        }
    }

    /// Returns the band of a value.
    fn band(&self, value: f64) -> usize {
        ((value / self.step).max(0.0) as usize).min(RAMP.len() - 1)
    }

    /// Draws the scale of colours with its numbers, its right end at `right` and its base at `base`, in pixels. Returns
    /// its left end.
    pub(super) fn scale(&self, svg: &mut String, [right, base]: [f64; 2], frame: &Frame) -> f64 {
        let (height, ui) = (8.0 * frame.ui, frame.ui);
        let width = 15.0 * ui;
        let used = self.tiles.iter().flat_map(|tile| tile.corners.iter().chain([&tile.centre]));
        let most = used.filter_map(|(_, value)| *value).fold(0.0, f64::max);
        let count = self.band(most) + 1;
        let label = |band: usize| number_text(band as f64 * self.step);
        let (first, last) = (label(0), format!("{} m", label(count)));
        let end = right - text_width(&last, height) - 6.0 * ui;
        let start = end - width * count as f64;
        for (band, color) in RAMP.iter().enumerate().take(count) {
            let (x, y) = (pixels(start + width * band as f64), pixels(base - 10.0 * ui));
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{color}\"/>",
                pixels(width),
                pixels(11.0 * ui)
            );
        }
        text(svg, &last, [end + 6.0 * ui, base], height, PALE_INK);
        let words = format!("{}, lines every {} m: {first}", self.label, number_text(self.step));
        let left = start - text_width(&words, height) - 6.0 * ui;
        text(svg, &words, [left, base], height, PALE_INK);
        left
    }
}

/// Returns the part of a convex outline where the value is at most `level`, or at least that if `sign` is negative.
fn side_of(outline: &[Valued], level: f64, sign: f64) -> Vec<Valued> {
    let mut part = Vec::with_capacity(outline.len() + 1);
    for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        let (p, q) = (sign * (level - a.1), sign * (level - b.1));
        if p >= 0.0 {
            part.push(*a);
        }
        if (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0) {
            let share = p / (p - q);
            part.push(([0, 1].map(|i| a.0[i] + (b.0[i] - a.0[i]) * share), level));
        }
    }
    part
}

/// Returns a number without needless digits.
fn number_text(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_bands_are_few() {
        let tile = |most: f64| HeatTile {
            cell: CellId(0),
            centre: ([0.5, 0.3], Some(0.5 * most)),
            corners: vec![([0.0, 0.0], Some(0.0)), ([1.0, 0.0], Some(most)), ([0.0, 1.0], Some(most))],
            blank: 0,
        };
        for (most, step) in [(10.0, 1.0), (23.0, 2.0), (59.0, 5.0), (61.0, 10.0), (0.5, 0.05)] {
            let map = HeatMap::new("way", vec![tile(most)]);
            assert!((map.step - step).abs() < 1e-9 * step, "{most}: {}", map.step);
            assert!(map.band(most) < RAMP.len());
        }
        assert!(HeatMap::new("nothing", Vec::new()).step > 0.0);
    }

    #[test]
    fn bands_of_a_triangle_add_up() {
        let corners = [([0.0, 0.0], 0.0), ([4.0, 0.0], 4.0), ([0.0, 4.0], 2.0)];
        let area = |outline: &[Valued]| {
            let next = outline.iter().cycle().skip(1);
            0.5 * outline.iter().zip(next).map(|(a, b)| a.0[0] * b.0[1] - a.0[1] * b.0[0]).sum::<f64>()
        };
        let (low, high) = (side_of(&corners, 1.5, 1.0), side_of(&corners, 1.5, -1.0));
        assert!((area(&low) + area(&high) - 8.0).abs() < 1e-12);
        assert!(low.iter().all(|(_, value)| *value <= 1.5) && high.iter().all(|(_, value)| *value >= 1.5));
    }
}

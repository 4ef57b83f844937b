//! The layout of a picture: the mapping from the plan to pixels, and the widths of lines.

use super::SketchOptions;
use clearway_nav::mesh::NavMesh;

/// The width in pixels at which letters and lines have their nominal sizes; wider pictures scale them up.
const NOMINAL_WIDTH: f64 = 1200.0;
/// The greatest ratio of height to width. Taller plans are drawn smaller, so that pictures do not become endless.
const MAX_TALLNESS: f64 = 2.0;

/// The layout of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The width of the picture in pixels.
    pub width: f64,
    /// The height of the picture in pixels.
    pub height: f64,
    /// The number of pixels per metre.
    pub scale: f64,
    /// The scale of letters and lines; 1 at the nominal width.
    pub ui: f64,
    /// The distance in pixels between the edge of the picture and everything drawn.
    pub margin: f64,
    /// The pixel of the plan's lowest corner.
    origin: [f64; 2],
    /// The plan's lowest corner, in plan coordinates.
    low: [f64; 2],
    /// The direction of the plan's y in the picture: 1 downwards, -1 upwards.
    down: f64,
    /// The corner and the size in pixels of a window, beyond which nothing is drawn.
    window: Option<[f64; 4]>,
}

/// The widths of lines, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Strokes {
    /// Walls.
    pub wall: f64,
    /// Portals between regions.
    pub portal: f64,
    /// Portals inside a region.
    pub inner_portal: f64,
    /// The diameter of the dots at vertices.
    pub vertex: f64,
}

impl Frame {
    /// Makes the layout for a plan within `bounds`; a picture without a plan is half as high as wide.
    pub fn of(bounds: Option<[[f64; 2]; 2]>, options: &SketchOptions) -> Frame {
        let width = f64::from(options.clamped_width());
        let ui = (width / NOMINAL_WIDTH).clamp(0.75, 4.0);
        let (margin, header, footer) = (48.0 * ui, 72.0 * ui, 72.0 * ui);
        let room = (width - 2.0 * margin).max(8.0);
        let [low, high] = bounds.unwrap_or([[0.0, 0.0], [2.0, 1.0]]);
        let extent = [high[0] - low[0], high[1] - low[1]];
        let scale = (room / extent[0]).min(room * MAX_TALLNESS / extent[1]);
        // A mesh from a file may be flawed: all its vertices may lie at one point.
        let scale = if scale.is_finite() { scale } else { 1.0 };
        let size = extent.map(|length| length * scale);
        let left = 0.5 * (width - size[0]);
        let (top, bottom) = (header, header + size[1]);
        let (origin, down) = if options.flip_y { ([left, bottom], -1.0) } else { ([left, top], 1.0) };
        let window = options.window.map(|_| [left, top, size[0], size[1]]);
        Frame { width, height: (bottom + footer).ceil(), scale, ui, margin, origin, low, down, window }
    }

    /// Returns the corner and the size in pixels of the ground on which the plan is drawn.
    pub fn ground(&self) -> [f64; 4] {
        if let Some(window) = self.window {
            return window;
        }
        let [side, top, bottom] = [16.0, 56.0, 52.0].map(|length| length * self.ui);
        [side, top, self.width - 2.0 * side, self.height - top - bottom]
    }

    /// Returns the pixel of a plan point.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, base] = self.origin;
        [left + (x - self.low[0]) * self.scale, base + self.down * (y - self.low[1]) * self.scale]
    }

    /// Returns the plan point of a pixel.
    pub fn plan_at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, base] = self.origin;
        [self.low[0] + (x - left) / self.scale, self.low[1] + self.down * (y - base) / self.scale]
    }

    /// True if the picture shows a part of the plan that was asked for.
    pub fn is_window(&self) -> bool {
        self.window.is_some()
    }

    /// True if a turn of the plan, counter-clockwise when positive, is clockwise in the picture, where y grows
    /// downwards.
    pub fn is_clockwise(&self, turn: f64) -> bool {
        turn * self.down > 0.0
    }

    /// Returns line widths that suit the size of typical cells: bold for a few rooms, hairlines for a city.
    pub fn strokes(&self, mesh: &NavMesh) -> Strokes {
        let cells = mesh.cell_count().max(1) as f64;
        let typical = (mesh.area().max(0.0) / cells).sqrt() * self.scale;
        let width = |part: f64, least: f64, most: f64| (part * typical).clamp(least, most * self.ui);
        Strokes {
            wall: width(0.055, 0.5, 2.4),
            portal: width(0.03, 0.25, 1.3),
            inner_portal: width(0.022, 0.2, 0.9),
            vertex: width(0.11, 0.9, 6.0),
        }
    }

    /// Returns a scale bar of a round length: 1, 2 or 5 times a power of ten, about a tenth of the width.
    pub fn scale_bar(&self) -> ScaleBar {
        let wanted = 0.12 * self.width / self.scale;
        let (mut power, mut exponent) = (1.0_f64, 0);
        while power * 10.0 <= wanted {
            (power, exponent) = (power * 10.0, exponent + 1);
        }
        while power > wanted {
            (power, exponent) = (power / 10.0, exponent - 1);
        }
        let factor = [5_u32, 2, 1].into_iter().find(|f| f64::from(*f) * power <= wanted).unwrap_or(1);
        ScaleBar { pixels: f64::from(factor) * power * self.scale, factor, exponent }
    }
}

/// A scale bar of `factor` times ten to the `exponent` metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaleBar {
    /// Its length in pixels.
    pub pixels: f64,
    /// The leading digit: 1, 2 or 5.
    factor: u32,
    /// The power of ten.
    exponent: i32,
}

impl ScaleBar {
    /// Returns the length as text, with its unit.
    pub fn label(&self) -> String {
        let (unit, exponent) = match self.exponent {
            3..=8 => ("km", self.exponent - 3),
            -1..=2 => ("m", self.exponent),
            -2 => ("cm", 0),
            -5..=-3 => ("mm", self.exponent + 3),
            _ => return format!("{}e{} m", self.factor, self.exponent),
        };
        let factor = self.factor;
        match usize::try_from(exponent) {
            Ok(zeros) => format!("{factor}{} {unit}", "0".repeat(zeros)),
            Err(_) => format!("0.{}{factor} {unit}", "0".repeat((-exponent - 1) as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bounds: [[f64; 2]; 2], width: u32) -> Frame {
        Frame::of(Some(bounds), &SketchOptions::default().width(width))
    }

    #[test]
    fn up_in_the_plan_is_up_in_the_picture() {
        let bounds = [[-5.0, 10.0], [5.0, 20.0]];
        let flipped = frame(bounds, 1200);
        assert!(flipped.place([0.0, 20.0])[1] < flipped.place([0.0, 10.0])[1]);
        let options = SketchOptions::default().flip_y(false);
        let plain = Frame::of(Some(bounds), &options);
        assert!(plain.place([0.0, 20.0])[1] > plain.place([0.0, 10.0])[1]);
        assert_eq!(flipped.place([0.0, 20.0]), plain.place([0.0, 10.0]));
    }

    #[test]
    fn tall_plans_make_no_endless_pictures() {
        let tall = frame([[0.0, 0.0], [1.0, 1e6]], 1200);
        assert!(tall.height < 1200.0 * 2.2, "{}", tall.height);
        let flat = frame([[0.0, 0.0], [1e6, 1.0]], 1200);
        assert!(flat.height >= 120.0);
    }

    #[test]
    fn scale_bars_are_round_and_fit() {
        let cases = [
            (7.0, "0.5 m"),
            (90.0, "10 m"),
            (9000.0, "1 km"),
            (1.0, "0.1 m"),
            (0.3, "2 cm"),
            (2e-3, "0.2 mm"),
        ];
        for (extent, label) in cases {
            let frame = frame([[0.0, 0.0], [extent, extent]], 1200);
            let bar = frame.scale_bar();
            assert_eq!(bar.label(), label);
            assert!(bar.pixels > 0.04 * 1200.0 && bar.pixels <= 0.121 * 1200.0, "{extent}: {bar:?}");
        }
        let far = frame([[0.0, 0.0], [1e12, 1e12]], 1200).scale_bar();
        assert_eq!(far.label(), "1e11 m");
    }
}

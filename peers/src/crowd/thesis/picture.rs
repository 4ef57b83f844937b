//! Trails of bodies over the walls of a floor, as SVG.

use std::fmt::Write;

use super::plans::{Floor, bounds};
use crate::crowd::scene::Point;

/// Pixels per metre.
const SCALE: f64 = 12.0;
const MARGIN: f64 = 1.0;

/// One panel: trails of one colour.
pub struct Panel<'a> {
    /// What it shows.
    pub title: String,
    /// The colour of its trails.
    pub color: &'static str,
    /// The trails.
    pub trails: Vec<&'a [Point]>,
}

/// Draws panels side by side.
pub fn draw(floor: &Floor, panels: &[Panel]) -> String {
    let (low, high) = bounds(&floor.outline);
    let [width, height] = [0, 1].map(|axis| (high[axis] - low[axis] + 2.0 * MARGIN) * SCALE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" font-family=\"sans-serif\">\n",
        width * panels.len() as f64,
        height + 24.0
    );
    for (index, panel) in panels.iter().enumerate() {
        let at = |point: Point| {
            let x = (point[0] - low[0] + MARGIN) * SCALE + index as f64 * width;
            format!("{x:.1},{:.1} ", (high[1] - point[1] + MARGIN) * SCALE + 24.0)
        };
        let line = |points: &[Point]| points.iter().map(|point| at(*point)).collect::<String>();
        let left = index as f64 * width + SCALE * MARGIN;
        let _ = writeln!(svg, "<text x=\"{left:.0}\" y=\"18\" font-size=\"15\">{}</text>", panel.title);
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"1.5\"/>",
            line(&floor.outline)
        );
        for trail in &panel.trails {
            let points = line(trail);
            let _ = writeln!(
                svg,
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\" opacity=\"0.5\"/>",
                panel.color
            );
        }
        for ring in &floor.obstacles {
            let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"#999\" stroke=\"#333\"/>", line(ring));
        }
    }
    svg + "</svg>\n"
}

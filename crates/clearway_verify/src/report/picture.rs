//! The picture of a run: the ground, where people started, their tracks, and bodies at one moment.

use crate::site::{Ring, Site};
use std::fmt::Write;

/// A body in a picture: place, radius, group.
pub type Disc = ([f64; 2], f64, u32);

/// The colours of groups.
pub const COLORS: [&str; 6] = ["#1f6fb4", "#d1495b", "#2e8b57", "#b07d12", "#7b4fa3", "#4a4a4a"];

/// The width of a picture in pixels.
const WIDTH: f64 = 420.0;

/// The greatest height of a picture in pixels.
const HEIGHT: f64 = 320.0;

/// A track is broken where it jumps by more than this, in metres: the body went round a ring.
const JUMP: f64 = 3.0;

/// Returns the colour of a group.
pub fn color(group: u32) -> &'static str {
    COLORS[group as usize % COLORS.len()]
}

/// Draws a run as SVG. Units are metres; y grows upwards.
pub fn draw(
    site: &Site,
    starts: &[([f64; 2], u32)],
    tracks: &[(u32, Vec<[f64; 2]>)],
    bodies: &[Disc],
) -> String {
    let [low, high] = site.bounds();
    let (wide, tall) = (high[0] - low[0], high[1] - low[1]);
    let scale = (WIDTH / wide).min(HEIGHT / tall.max(1e-9)).min(60.0);
    let edge = 0.02 * wide.max(tall) + 0.1;
    let thin = 1.0 / scale;
    let mut svg = format!(
        "<svg class=\"place\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"{:.2} {:.2} {:.2} {:.2}\">",
        (wide + 2.0 * edge) * scale,
        (tall + 2.0 * edge) * scale,
        low[0] - edge,
        -high[1] - edge,
        wide + 2.0 * edge,
        tall + 2.0 * edge
    );
    // Writing into a string cannot fail.
    let _ = write!(svg, "<g fill=\"#fff\" stroke=\"#333\" stroke-width=\"{:.3}\">", 3.0 * thin);
    site.shapes.iter().for_each(|shape| polygon(&mut svg, shape));
    // Shapes over their own outlines leave the outline of their union.
    svg.push_str("</g><g fill=\"#fff\">");
    site.shapes.iter().for_each(|shape| polygon(&mut svg, shape));
    let _ = write!(svg, "</g><g fill=\"#ccc\" stroke=\"#333\" stroke-width=\"{:.3}\">", 1.5 * thin);
    site.holes.iter().for_each(|hole| polygon(&mut svg, hole));
    let _ = write!(svg, "</g><g fill=\"none\" stroke-width=\"{thin:.3}\" stroke-opacity=\"0.45\">");
    tracks.iter().for_each(|(group, track)| polyline(&mut svg, track, color(*group)));
    svg.push_str("</g><g fill-opacity=\"0.3\">");
    for ([x, y], group) in starts {
        let _ = write!(
            svg,
            "<circle cx=\"{x:.2}\" cy=\"{:.2}\" r=\"{:.3}\" fill=\"{}\"/>",
            -y,
            1.5 * thin,
            color(*group)
        );
    }
    svg.push_str("</g><g fill-opacity=\"0.85\">");
    for ([x, y], radius, group) in bodies {
        let _ = write!(
            svg,
            "<circle cx=\"{x:.2}\" cy=\"{:.2}\" r=\"{radius:.2}\" fill=\"{}\"/>",
            -y,
            color(*group)
        );
    }
    svg.push_str("</g></svg>");
    svg
}

/// Adds a polygon.
fn polygon(svg: &mut String, ring: &Ring) {
    svg.push_str("<polygon points=\"");
    ring.iter().for_each(|[x, y]| {
        let _ = write!(svg, "{x:.2},{:.2} ", -y);
    });
    svg.push_str("\"/>");
}

/// Adds a track in pieces, broken at jumps.
fn polyline(svg: &mut String, track: &[[f64; 2]], color: &str) {
    let is_step = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) <= JUMP;
    for piece in track.chunk_by(is_step).filter(|piece| piece.len() > 1) {
        let _ = write!(svg, "<polyline stroke=\"{color}\" points=\"");
        piece.iter().for_each(|[x, y]| {
            let _ = write!(svg, "{x:.2},{:.2} ", -y);
        });
        svg.push_str("\"/>");
    }
}

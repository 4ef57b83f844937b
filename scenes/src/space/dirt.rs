//! Makes clean soups as dirty as those that come out of modelling tools.

use super::soup::{MAX_TRIANGLES, Point3, Soup, plan_area, steepness};
use crate::random::Random;

/// How dirty a soup gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirtOptions {
    /// The share of triangles that are drawn twice.
    pub duplicates: f64,
    /// The share of triangles that are cut in two, so that a corner lies on the neighbour's side.
    pub splits: f64,
    /// How far corners move at most, each triangle's on its own, so that cracks open; at most 0.01 m.
    pub jitter: f64,
    /// How far vertical faces reach down into what they stand on, at most; at most 0.05 m.
    pub sink: f64,
    /// Whether triangles come in a random order.
    pub shuffle: bool,
}

impl Default for DirtOptions {
    fn default() -> DirtOptions {
        DirtOptions { duplicates: 0.1, splits: 0.1, jitter: 0.0005, sink: 0.003, shuffle: true }
    }
}

impl DirtOptions {
    fn limited(self) -> DirtOptions {
        let share = |x: f64| if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
        let (jitter, sink) = (share(self.jitter).min(0.01), share(self.sink).min(0.05));
        DirtOptions { duplicates: share(self.duplicates), splits: share(self.splits), jitter, sink, ..self }
    }
}

/// The soup with faces drawn twice, cut, moved a little and run into each other, in the same parts.
///
/// Nothing is turned over. Faces between 40 and 85 degrees stay where they are, so that none crosses the
/// limit of slopes and steep faces stay joined. The walkable area changes by less than [`dirt_tolerance`];
/// components stay joined if gaps of twice the jitter are bridged. A soup grows to twice [`MAX_TRIANGLES`] at
/// most; from there on triangles are kept as they are.
pub fn dirty(soup: &Soup, seed: u64, options: DirtOptions) -> Soup {
    let options = options.limited();
    let mut random = Random::new(seed);
    let mut triangles: Vec<(u32, [Point3; 3])> = Vec::with_capacity(soup.triangles.len());
    for (t, &part) in soup.part_of.iter().enumerate() {
        let corners = soup.corners(t);
        triangles.push((part, corners));
        if triangles.len() < MAX_TRIANGLES && random.chance(options.duplicates) {
            // The copy starts at another corner, as it would in another tool's output.
            triangles.push((part, [corners[1], corners[2], corners[0]]));
        }
    }
    cut(&mut triangles, &mut random, options.splits);
    for (_, corners) in &mut triangles {
        sink(corners, random.range(0.0, 1.0) * options.sink);
        shake(corners, &mut random, options.jitter);
    }
    if options.shuffle {
        random.shuffle(&mut triangles);
    }
    collect(&soup.parts, &triangles)
}

/// By how much dirt may change the walkable area of a soup, in square metres.
///
/// A face that moves by up to the jitter gains or loses at most a strip of that width along its sides.
pub fn dirt_tolerance(soup: &Soup, options: DirtOptions) -> f64 {
    let options = options.limited();
    let strip = |t: usize| {
        let [a, b, c] = soup.corners(t);
        let side = |a: Point3, b: Point3| (b[0] - a[0]).hypot(b[2] - a[2]);
        // Cutting adds a side inside the face, on whose two banks a crack may open.
        (side(a, b) + side(b, c) + side(c, a)) * (1.0 + 2.0 * options.splits)
    };
    (0..soup.triangles.len()).map(strip).sum::<f64>() * options.jitter + 1e-9
}

/// Cuts some triangles from a corner to a point of the opposite side.
fn cut(triangles: &mut Vec<(u32, [Point3; 3])>, random: &mut Random, share: f64) {
    for t in 0..triangles.len() {
        if triangles.len() >= 2 * MAX_TRIANGLES || !random.chance(share) {
            continue;
        }
        let (part, [a, b, c]) = triangles[t];
        let at = random.range(0.3, 0.7);
        let middle = [0, 1, 2].map(|x| b[x] + (c[x] - b[x]) * at);
        triangles[t].1 = [a, b, middle];
        triangles.push((part, [a, middle, c]));
    }
}

/// Moves the lowest corners of a vertical triangle down.
fn sink(corners: &mut [Point3; 3], depth: f64) {
    if steepness(*corners) < 1e6 {
        return;
    }
    let lowest = corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner[1]));
    for corner in corners.iter_mut().filter(|corner| corner[1] == lowest) {
        corner[1] -= depth;
    }
}

/// Moves each corner by at most `jitter`; small faces and those near the limit of slopes keep their place.
fn shake(corners: &mut [Point3; 3], random: &mut Random, jitter: f64) {
    let slope = steepness(*corners);
    let near_limit = (0.84..11.4).contains(&slope) || slope.is_nan();
    let before = *corners;
    for corner in corners.iter_mut() {
        // The corner of a cube with this half side is `jitter` away.
        let reach = 0.577 * jitter;
        *corner = corner.map(|x| x + random.range(-reach, reach));
    }
    let turned = plan_area(before) > 0.0 && plan_area(*corners) <= 0.0;
    let steeper = slope < 1.0 && steepness(*corners) > 0.95;
    if near_limit || turned || steeper {
        *corners = before;
    }
}

fn collect(parts: &[(String, String)], triangles: &[(u32, [Point3; 3])]) -> Soup {
    let mut soup = Soup { parts: parts.to_vec(), ..Soup::default() };
    for &(part, corners) in triangles {
        let base = soup.vertices.len() as u32;
        soup.vertices.extend(corners);
        soup.triangles.push([base, base + 1, base + 2]);
        soup.part_of.push(part);
    }
    soup
}

//! Roles of rings that come without any: nesting decides.
//!
//! A ring inside an even number of others is an outline, inside an odd number a hole of the innermost of them.
//! Rings may touch but not cross. Cost: rings squared times vertices, for the few rings of a file without roles.

use robust::{Coord, orient2d};

use crate::inputs::{Polygon, Ring};

/// Rings with their roles found.
pub fn polygons_of(rings: Vec<Ring>) -> Vec<Polygon> {
    let parents: Vec<Vec<usize>> = (0..rings.len()).map(|ring| around(&rings, ring)).collect();
    let mut polygons: Vec<(usize, Polygon)> = Vec::new();
    for (ring, _) in parents.iter().enumerate().filter(|(_, parents)| parents.len() % 2 == 0) {
        polygons.push((ring, Polygon { outline: rings[ring].clone(), holes: Vec::new() }));
    }
    for (hole, around) in parents.iter().enumerate().filter(|(_, parents)| parents.len() % 2 == 1) {
        // The innermost of the rings around a hole is the one with the most rings around itself.
        let innermost = around.iter().copied().max_by_key(|&ring| parents[ring].len());
        if let Some((_, polygon)) = polygons.iter_mut().find(|(ring, _)| Some(*ring) == innermost) {
            polygon.holes.push(rings[hole].clone());
        }
    }
    polygons.into_iter().map(|(_, polygon)| polygon).collect()
}

/// The rings that a ring lies in.
fn around(rings: &[Ring], ring: usize) -> Vec<usize> {
    (0..rings.len()).filter(|&other| other != ring && lies_in(&rings[ring], &rings[other])).collect()
}

/// Whether one ring lies in another, by the first of its vertices that is not on the other's boundary.
fn lies_in(inner: &Ring, outer: &Ring) -> bool {
    inner.iter().find_map(|&point| is_inside(point, outer)).unwrap_or(false)
}

/// Even-odd rule; `None` on the boundary.
fn is_inside(point: [f64; 2], ring: &Ring) -> Option<bool> {
    let mut inside = false;
    for (i, &from) in ring.iter().enumerate() {
        let to = ring[(i + 1) % ring.len()];
        let turn = orient2d(coord(from), coord(to), coord(point));
        if turn == 0.0 && is_between(from, point, to) {
            return None;
        }
        if (from[1] > point[1]) != (to[1] > point[1]) && (turn > 0.0) == (to[1] > from[1]) {
            inside = !inside;
        }
    }
    Some(inside)
}

/// Whether a point known to be on the line through two others is on the segment between them.
fn is_between(from: [f64; 2], point: [f64; 2], to: [f64; 2]) -> bool {
    (0..2).all(|axis| from[axis].min(to[axis]) <= point[axis] && point[axis] <= from[axis].max(to[axis]))
}

fn coord([x, y]: [f64; 2]) -> Coord<f64> {
    Coord { x, y }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(low: f64, high: f64) -> Ring {
        vec![[low, low], [high, low], [high, high], [low, high]]
    }

    #[test]
    fn an_island_in_a_hole_is_a_polygon_of_its_own() {
        let polygons = polygons_of(vec![square(4.0, 6.0), square(0.0, 10.0), square(2.0, 8.0)]);
        assert_eq!(polygons.len(), 2);
        assert_eq!(polygons[0], Polygon { outline: square(4.0, 6.0), holes: vec![] });
        assert_eq!(polygons[1], Polygon { outline: square(0.0, 10.0), holes: vec![square(2.0, 8.0)] });
    }

    #[test]
    fn a_hole_may_touch_its_outline() {
        let polygons = polygons_of(vec![square(0.0, 10.0), vec![[0.0, 0.0], [4.0, 2.0], [2.0, 4.0]]]);
        assert_eq!((polygons.len(), polygons[0].holes.len()), (1, 1));
    }
}

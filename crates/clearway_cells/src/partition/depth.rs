//! Finds shallow runs of notches: the tau of the NEOGEN thesis (definition 3.3.5).
//!
//! A run is a maximal sequence of reflex corners between two convex ones; its chord joins those two. All notches of a
//! run within tau of the chord are exempt. Otherwise the farthest notch is kept and both halves are examined again,
//! as Douglas and Peucker do. So every run that is left out keeps the definition. The thesis's text tests only the
//! middle notch and may drop deeper ones beside it.
//!
//! Cost: quadratic in the length of a run at worst.

use super::boundary::{Boundary, Corner};
use clearway_geometry::Point;

/// Tells for each vertex whether its notch may be ignored. `tau` is in grid units. A vertex with more than one corner
/// is never exempt, because the rule knows vertices only.
pub fn exempt_vertices(boundary: &Boundary, points: &[Point], tau: f64) -> Vec<bool> {
    let mut exempt = vec![false; points.len()];
    if tau <= 0.0 {
        return exempt;
    }
    for corners in &boundary.loops {
        for (first, last) in runs(corners, points) {
            exempt_run(corners, points, tau, first, last, &mut exempt);
        }
    }
    let mut corners_at = vec![0u32; points.len()];
    for corner in boundary.loops.iter().flatten() {
        corners_at[corner.vertex as usize] += 1;
    }
    for (exempt, corners) in exempt.iter_mut().zip(corners_at) {
        *exempt &= corners == 1;
    }
    exempt
}

/// The indices of the kept corners around each run. The second may exceed the number of corners: it wraps.
fn runs(corners: &[Corner], points: &[Point]) -> Vec<(usize, usize)> {
    let count = corners.len();
    let mut anchors: Vec<usize> = (0..count).filter(|i| !corners[*i].is_reflex()).collect();
    if anchors.len() < 2 {
        // A loop of notches alone, or nearly so, has no two anchors: two corners far apart are kept instead.
        let point = |i: usize| points[corners[i].vertex as usize];
        let first = anchors.first().copied().or_else(|| (0..count).min_by_key(|i| point(*i)));
        let Some(first) = first else { return Vec::new() };
        let far = (0..count).max_by_key(|i| (point(first).distance_squared(point(*i)), *i));
        anchors = vec![first, far.unwrap_or(first)];
        anchors.sort_unstable();
        anchors.dedup();
    }
    let wrapped = anchors.first().map(|first| first + count);
    let following = anchors.iter().copied().skip(1).chain(wrapped);
    anchors.iter().copied().zip(following).filter(|(first, last)| last - first > 1).collect()
}

/// Exempts the notches strictly between two kept corners that lie within tau, halving at the deepest one.
fn exempt_run(
    corners: &[Corner],
    points: &[Point],
    tau: f64,
    first: usize,
    last: usize,
    exempt: &mut [bool],
) {
    let vertex = |i: usize| corners[i % corners.len()].vertex as usize;
    let mut pending = vec![(first, last)];
    while let Some((first, last)) = pending.pop() {
        let (a, b) = (points[vertex(first)], points[vertex(last)]);
        let depth = |i: usize| distance_to_segment(points[vertex(i)], a, b);
        let deepest = (first + 1..last).max_by(|i, j| depth(*i).total_cmp(&depth(*j)));
        let Some(deepest) = deepest else { continue };
        if depth(deepest) <= tau {
            for i in first + 1..last {
                exempt[vertex(i)] = true;
            }
        } else {
            pending.extend([(first, deepest), (deepest, last)]);
        }
    }
}

/// The distance from a point to a segment, in grid units.
fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    let (along, to) = (b - a, p - a);
    let length_squared = along.length_squared() as f64;
    if length_squared == 0.0 || to.dot(along) <= 0 {
        return to.length();
    }
    if to.dot(along) as f64 >= length_squared {
        return (p - b).length();
    }
    (along.cross(to) as f64).abs() / length_squared.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop through the points, with walkable space on its left.
    fn boundary(points: &[Point]) -> Boundary {
        let count = points.len();
        let corner = |i: usize| Corner {
            vertex: i as u32,
            onward: points[(i + 1) % count] - points[i],
            back: points[(i + count - 1) % count] - points[i],
        };
        Boundary { loops: vec![(0..count).map(corner).collect()], pieces: Vec::new() }
    }

    /// A box whose lower side bulges into it.
    fn bulge(heights: &[i32]) -> Vec<Point> {
        let bumps = heights.iter().enumerate().map(|(i, y)| Point::new(10 * (i as i32 + 1), *y));
        let end = 10 * (heights.len() as i32 + 1);
        let corners = [Point::new(end, 0), Point::new(end, 1000), Point::new(0, 1000)];
        std::iter::once(Point::new(0, 0)).chain(bumps).chain(corners).collect()
    }

    #[test]
    fn a_shallow_run_is_exempt_and_a_deep_one_is_not() {
        let points = bulge(&[3, 4, 3]);
        let exempt = exempt_vertices(&boundary(&points), &points, 4.0);
        assert_eq!(&exempt[1..4], [true, true, true]);
        let exempt = exempt_vertices(&boundary(&points), &points, 3.9);
        assert!(!exempt[2]);
    }

    #[test]
    fn every_notch_of_a_run_counts_not_only_the_middle_one() {
        // Three notches, the deepest first: the thesis's pseudo-code would look at the second and drop all.
        let points = bulge(&[12, 13, 4]);
        assert!(boundary(&points).loops[0][1..4].iter().filter(|c| c.is_reflex()).count() >= 2);
        let exempt = exempt_vertices(&boundary(&points), &points, 5.0);
        assert!(exempt[1..4].iter().any(|e| !e));
    }
}

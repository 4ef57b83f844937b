//! Distances between points and segments of the plan, in double precision: the counters share no code with the engine.

use crate::crowd::scene::Point;

/// The nearest point of a segment, and its distance.
pub fn nearest(at: Point, [from, to]: [Point; 2]) -> (Point, f64) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let dot = (at[0] - from[0]) * along[0] + (at[1] - from[1]) * along[1];
    let share = if length > 0.0 { (dot / length).clamp(0.0, 1.0) } else { 0.0 };
    let point = [from[0] + share * along[0], from[1] + share * along[1]];
    (point, (at[0] - point[0]).hypot(at[1] - point[1]))
}

/// The distance between two segments; zero where they cross.
pub fn distance(a: [Point; 2], b: [Point; 2]) -> f64 {
    let side = |[p, q]: [Point; 2], r: Point| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let parted = |one: [Point; 2], other: [Point; 2]| side(one, other[0]) * side(one, other[1]) < 0.0;
    if parted(a, b) && parted(b, a) {
        return 0.0;
    }
    let ends = [nearest(a[0], b).1, nearest(a[1], b).1, nearest(b[0], a).1, nearest(b[1], a).1];
    ends.into_iter().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_known_segments() {
        let base = [[0.0, 0.0], [4.0, 0.0]];
        assert_eq!(nearest([1.0, 2.0], base), ([1.0, 0.0], 2.0));
        assert_eq!(distance(base, [[1.0, -1.0], [1.0, 1.0]]), 0.0);
        assert_eq!(distance(base, [[5.0, 1.0], [5.0, 3.0]]), 2f64.sqrt());
        assert_eq!(distance(base, [[1.0, 3.0], [3.0, 2.0]]), 2.0);
    }
}

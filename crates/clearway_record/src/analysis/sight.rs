//! What is seen from a point inside a convex polygon with walls in it, exactly but for rounding.
//!
//! Between two directions in which some piece ends, one and the same piece is nearest. So the area in sight is a fan of
//! triangles. Walls must not cross each other; the walls of a mesh do not. Cost: the square of the number of pieces.

/// Directions nearer than this in radians count as one: a fan so thin has no area.
const SAME_DIRECTION: f64 = 1e-9;

/// A segment seen from the origin.
type Piece = [[f64; 2]; 2];

/// Returns the outline, counter-clockwise, of what is seen from the origin: the polygon around it without what lies
/// behind the walls. Walls lie inside the polygon.
pub fn seen(polygon: &[[f64; 2]], walls: &[Piece]) -> Vec<[f64; 2]> {
    let next = polygon.iter().cycle().skip(1);
    let mut pieces: Vec<Piece> = polygon.iter().zip(next).map(|(a, b)| [*a, *b]).collect();
    pieces.extend(walls);
    let mut directions: Vec<f64> = pieces.iter().flatten().map(|p| p[1].atan2(p[0])).collect();
    directions.sort_by(f64::total_cmp);
    let first = directions.first().copied().unwrap_or_default();
    let following = directions.iter().copied().skip(1).chain([first + std::f64::consts::TAU]);
    let mut outline = Vec::with_capacity(2 * directions.len());
    for (from, to) in directions.iter().copied().zip(following) {
        if to - from < SAME_DIRECTION {
            continue;
        }
        let middle = towards((from + to) / 2.0);
        let hit = |piece: &Piece| hits(*piece, middle).map(|distance| (distance, *piece));
        let nearest = pieces.iter().filter_map(hit).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, piece)) = nearest else { continue };
        outline.extend([from, to].map(towards).into_iter().filter_map(|way| on_line(piece, way)));
    }
    outline
}

/// Returns the unit vector in a direction.
fn towards(direction: f64) -> [f64; 2] {
    [direction.cos(), direction.sin()]
}

/// Returns the distance at which a ray from the origin hits a segment.
fn hits([a, b]: Piece, way: [f64; 2]) -> Option<f64> {
    let [side_a, side_b] = [a, b].map(|p| way[0] * p[1] - way[1] * p[0]);
    if (side_a > 0.0) == (side_b > 0.0) {
        return None;
    }
    let share = side_a / (side_a - side_b);
    let at = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * share);
    let distance = at[0] * way[0] + at[1] * way[1];
    (distance > 0.0).then_some(distance)
}

/// Returns the point in which a ray from the origin meets the line through a segment.
fn on_line([a, b]: Piece, way: [f64; 2]) -> Option<[f64; 2]> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let across = way[0] * along[1] - way[1] * along[0];
    let distance = (a[0] * along[1] - a[1] * along[0]) / across;
    (distance.is_finite() && distance >= 0.0).then(|| way.map(|c| c * distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[[f64; 2]]) -> f64 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
    }

    const SQUARE: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

    #[test]
    fn a_square_without_walls_is_seen_whole() {
        assert!((area(&seen(&SQUARE, &[])) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn a_wall_across_hides_what_is_behind_it() {
        let found = area(&seen(&SQUARE, &[[[0.5, -1.0], [0.5, 1.0]]]));
        assert!((found - 3.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn a_short_wall_hides_its_shadow_only() {
        // The shadow of the wall from (0.5, 0) to (0.5, 0.5) is a trapezium between x = 0.5 and x = 1.
        let found = area(&seen(&SQUARE, &[[[0.5, 0.0], [0.5, 0.5]]]));
        assert!((found - (4.0 - 0.375)).abs() < 1e-9, "{found}");
    }

    #[test]
    fn of_two_walls_the_nearer_one_counts() {
        let walls = [[[0.5, -1.0], [0.5, 1.0]], [[0.25, 0.25], [0.25, -0.25]]];
        let found = area(&seen(&SQUARE, &walls));
        // Behind the nearer wall the trapezium between x = 0.25 and x = 0.5 is hidden, too.
        assert!((found - (3.0 - 0.25 * (0.5 + 1.0) / 2.0)).abs() < 1e-9, "{found}");
    }
}

//! Convex polygons cut by half-planes (Sutherland and Hodgman 1974), measured in floats.
//!
//! Head-room has a variant of its own that allocates nothing and remembers which line cut each corner.

/// Returns the part of a convex polygon where `depth` is not negative. `depth` must be linear; `between` gives the point
/// at a share of the way from one corner to the next. Cost: one call of `depth` per corner.
pub fn half_plane<P: Copy>(
    polygon: &[P],
    depth: impl Fn(&P) -> f64,
    between: impl Fn(&P, &P, f64) -> P,
) -> Vec<P> {
    let mut part = Vec::with_capacity(polygon.len() + 1);
    let Some(first) = polygon.first() else { return part };
    let mut here = depth(first);
    for (place, corner) in polygon.iter().enumerate() {
        let next = polygon.get(place + 1).unwrap_or(first);
        let there = depth(next);
        if here >= 0.0 {
            part.push(*corner);
        }
        if here * there < 0.0 {
            part.push(between(corner, next, here / (here - there)));
        }
        here = there;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vec2::Vec2;

    #[test]
    fn a_square_is_cut_in_the_middle() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(|[x, y]| Vec2::new(x, y));
        let between = |p: &Vec2, q: &Vec2, share: f64| *p + (*q - *p) * share;
        let left = half_plane(&square, |at| 1.0 - at.x, between);
        assert_eq!(left, [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]].map(|[x, y]| Vec2::new(x, y)));
        assert!(half_plane(&square, |at| -1.0 - at.x, between).is_empty());
        assert_eq!(half_plane(&square, |_| 0.0, between), square);
        assert!(half_plane(&[], |at: &Vec2| at.x, between).is_empty());
    }
}

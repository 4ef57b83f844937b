//! The Hilbert curve, which keeps neighbours in the plane near each other in memory.

use crate::grid::{LIMIT, Point};

/// The place of a point along a Hilbert curve over the whole grid, to 16 bits per axis.
///
/// `shift` drops that many low bits of the offset from `corner`; choose it so that the box of interest fits
/// 16 bits.
pub fn index(point: Point, corner: Point, shift: u32) -> u32 {
    let offset = point - corner;
    let (mut x, mut y) = ((offset.x >> shift) as u32 & 0xffff, (offset.y >> shift) as u32 & 0xffff);
    let mut index = 0;
    let mut side = 1u32 << 15;
    while side > 0 {
        let (right, upper) = (u32::from(x & side != 0), u32::from(y & side != 0));
        index = (index << 2) | ((3 * right) ^ upper);
        if upper == 0 {
            if right == 1 {
                (x, y) = (!x & 0xffff, !y & 0xffff);
            }
            (x, y) = (y, x);
        }
        side >>= 1;
    }
    index
}

/// The bit shift with which a box from `min` to `max` fits the curve.
pub fn shift_for(min: Point, max: Point) -> u32 {
    let extent = (max - min).x.max((max - min).y).clamp(1, 4 * i64::from(LIMIT));
    (64 - extent.leading_zeros()).saturating_sub(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_the_plane() {
        let mut order: Vec<(u32, Point)> = (0..16)
            .flat_map(|x| (0..16).map(move |y| Point::new(x, y)))
            .map(|p| (index(p, Point::new(0, 0), 0), p))
            .collect();
        order.sort();
        for pair in order.windows(2) {
            assert_eq!(pair[0].1.distance_squared(pair[1].1), 1);
        }
    }
}

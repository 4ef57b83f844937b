//! The Hilbert curve, which keeps neighbours in the plane near each other in memory.
//!
//! Cost: four look-ups in a table for an index.

use crate::grid::{LIMIT, Point};

/// For each of the four orientations of the curve in a square, and the next four bits along both axes: eight bits of
/// the index. Above these stands the orientation in the small square that they select. One look-up replaces four
/// steps with a branch each.
const STEPS: [[u16; 256]; 4] = steps();

/// Computes [`STEPS`] bit by bit.
const fn steps() -> [[u16; 256]; 4] {
    let mut steps = [[0; 256]; 4];
    let mut number = 0;
    while number < 4 * 256 {
        // The lowest bit of the orientation swaps the axes; the other bit reverses both.
        let (mut way, mut place, mut bit) = (number >> 8, 0, 4);
        while bit > 0 {
            bit -= 1;
            let (x, y) = (number >> (4 + bit) & 1, number >> bit & 1);
            let (right, upper) = if way & 1 == 0 { (x, y) } else { (y, x) };
            let (right, upper) = (right ^ (way >> 1), upper ^ (way >> 1));
            place = place << 2 | ((3 * right) ^ upper);
            if upper == 0 {
                way ^= 1 | right << 1;
            }
        }
        steps[number >> 8][number & 255] = (way << 8 | place) as u16;
        number += 1;
    }
    steps
}

/// The index of a point along a Hilbert curve over the whole grid, to 16 bits per axis.
///
/// `shift` drops that many low bits of the offset from `corner`. Choose it so that the box of interest fits 16 bits.
pub fn index(point: Point, corner: Point, shift: u32) -> u32 {
    let offset = point - corner;
    let (x, y) = ((offset.x >> shift) as u32, (offset.y >> shift) as u32);
    let (mut way, mut index) = (0, 0);
    for low in [12, 8, 4, 0] {
        let bits = (x >> low & 15) << 4 | (y >> low & 15);
        let step = u32::from(STEPS[way][bits as usize]);
        (way, index) = ((step >> 8) as usize, index << 8 | step & 255);
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
        let mut order: Vec<(u32, Point)> = (0..64)
            .flat_map(|x| (0..64).map(move |y| Point::new(x, y)))
            .map(|p| (index(p, Point::new(0, 0), 0), p))
            .collect();
        order.sort();
        for pair in order.windows(2) {
            assert_eq!(pair[0].1.distance_squared(pair[1].1), 1);
        }
    }
}

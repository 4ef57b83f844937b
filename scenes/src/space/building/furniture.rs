//! Tables, chairs and cupboards. Nobody fits under a table, and no seat is low enough to step on.

use super::super::soup::{Point3, Soup};
use super::super::truth::Component;
use crate::random::Random;

/// What furniture leaves of a floor.
pub(super) struct Left {
    /// The area of the floor that it takes.
    pub used: f64,
    /// The tops on which one could stand.
    pub tops: Vec<Component>,
}

/// Half of a table.
const TABLE: [f64; 2] = [0.8, 0.4];
/// The side of a chair's seat.
const SEAT: f64 = 0.45;
/// The thickness of table tops, seats and backs.
const BOARD: f64 = 0.04;

/// Puts a table with up to four chairs and a cupboard into a room with this corner between its walls'
/// middles.
pub(super) fn furnish(soup: &mut Soup, random: &mut Random, name: &str, corner: Point3) -> Left {
    let mut left = Left { used: 0.0, tops: Vec::new() };
    let [x, y, z] = corner;
    let centre = [x + random.range(2.2, 3.8), z + random.range(1.9, 2.9)];
    soup.part(format!("{name}/table"), "Wood");
    let low = [centre[0] - TABLE[0], centre[1] - TABLE[1]];
    let high = [centre[0] + TABLE[0], centre[1] + TABLE[1]];
    left.board(soup, low, high, [y, y + 0.75], 0.0);
    for side in 0..2 {
        for k in 0..1 + random.below(2) {
            let at = centre[0] - 0.6 + 0.7 * k as f64 + random.range(0.0, 0.1);
            soup.part(format!("{name}/chair{}", 2 * side + k), "Wood");
            left.chair(soup, [at, centre[1]], side == 0, y);
        }
    }
    soup.part(format!("{name}/cupboard"), "Metal");
    soup.cuboid([x + 0.15, y, z + 0.15], [x + 1.35, y + 1.9, z + 0.65]);
    left.used += 1.2 * 0.5;
    left
}

impl Left {
    /// A board on four legs, with so much of its top not free. `heights` are of the floor and of the top.
    fn board(&mut self, soup: &mut Soup, low: [f64; 2], high: [f64; 2], heights: [f64; 2], taken: f64) {
        let [floor, top] = heights;
        soup.cuboid([low[0], top - BOARD, low[1]], [high[0], top, high[1]]);
        for k in 0..4 {
            let x = if k & 1 == 0 { low[0] + 0.02 } else { high[0] - 0.02 - BOARD };
            let z = if k & 2 == 0 { low[1] + 0.02 } else { high[1] - 0.02 - BOARD };
            soup.cuboid([x, floor, z], [x + BOARD, top - BOARD, z + BOARD]);
        }
        let mut component = Component::top(low, high, top);
        self.used += component.area;
        component.area -= taken;
        self.tops.push(component);
    }

    /// A chair beside a table, its back away from it.
    fn chair(&mut self, soup: &mut Soup, [x, middle]: [f64; 2], before: bool, floor: f64) {
        let away = TABLE[1] + 0.12;
        let (z0, back) = match before {
            true => (middle - away - SEAT, middle - away - SEAT),
            false => (middle + away, middle + away + SEAT - BOARD),
        };
        let seat = floor + 0.45;
        self.board(soup, [x, z0], [x + SEAT, z0 + SEAT], [floor, seat], SEAT * BOARD);
        soup.cuboid([x, seat, back], [x + SEAT, seat + 0.45, back + BOARD]);
    }
}

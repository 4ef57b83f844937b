//! All pairs of bodies that are near each other, by a sweep over rows. Cost: one sort, then the pairs themselves.

/// Bodies whose feet differ by more than this stand on different floors, in metres: less than any head-room.
pub const SAME_FLOOR: f64 = 1.5;

/// A body as a disc at a height.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// The place in metres.
    pub at: [f64; 3],
    /// The radius in metres.
    pub radius: f64,
}

impl Disc {
    /// Returns the distance between the centres of two discs in the plan.
    pub fn distance(&self, other: &Disc) -> f64 {
        let [x, y] = [0, 1].map(|axis| self.at[axis] - other.at[axis]);
        (x * x + y * y).sqrt()
    }
}

/// Finds near pairs. It keeps its memory from frame to frame.
#[derive(Default)]
pub struct PairFinder {
    /// The rows of the discs, and their numbers, sorted by row and x.
    order: Vec<(i64, f64, u32)>,
}

impl PairFinder {
    /// Visits every pair on the same floor whose centres are at most `range` apart, each pair once.
    pub fn visit(&mut self, discs: &[Disc], range: f64, mut visit: impl FnMut(usize, usize, f64)) {
        let row = |disc: &Disc| (disc.at[1] / range).floor() as i64;
        self.order.clear();
        self.order.extend(discs.iter().enumerate().map(|(i, disc)| (row(disc), disc.at[0], i as u32)));
        self.order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        // The first of the next row that is not too far to the left.
        let mut above = 0;
        for (place, &(row, x, i)) in self.order.iter().enumerate() {
            let same_row = self.order[place + 1..].iter().take_while(|o| o.0 == row && o.1 <= x + range);
            while self.order.get(above).is_some_and(|o| o.0 <= row || (o.0 == row + 1 && o.1 < x - range)) {
                above += 1;
            }
            let next_row = self.order[above..].iter().take_while(|o| o.0 == row + 1 && o.1 <= x + range);
            let a = &discs[i as usize];
            for &(_, _, j) in same_row.chain(next_row) {
                let b = &discs[j as usize];
                let distance = a.distance(b);
                if distance <= range && (a.at[2] - b.at[2]).abs() < SAME_FLOOR {
                    visit(i as usize, j as usize, distance);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;

    #[test]
    fn the_sweep_finds_the_pairs_of_brute_force() {
        let mut dice = Dice::new(7);
        for round in 0..20 {
            let size = 2.0 + f64::from(round);
            let disc = |dice: &mut Dice| Disc {
                at: [dice.between(-size, size), dice.between(-size, size), dice.between(0.0, 3.0)],
                radius: 0.2,
            };
            let discs: Vec<_> = (0..150).map(|_| disc(&mut dice)).collect();
            let mut found = Vec::new();
            PairFinder::default().visit(&discs, 1.1, |i, j, _| found.push((i.min(j), i.max(j))));
            let mut expected = Vec::new();
            for i in 0..discs.len() {
                for j in i + 1..discs.len() {
                    let same_floor = (discs[i].at[2] - discs[j].at[2]).abs() < SAME_FLOOR;
                    if same_floor && discs[i].distance(&discs[j]) <= 1.1 {
                        expected.push((i, j));
                    }
                }
            }
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}

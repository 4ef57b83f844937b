//! Numbers for goals, equal for equal goals: areas by their number, places and directions as they come up.

use super::goal::Goal;
use super::guide::DIRECTIONS;
use std::collections::BTreeMap;

/// Keys from this number on, up to the directions, are places.
const PLACES: u32 = 1 << 30;

/// The key of bodies without a goal.
pub(crate) const NOWHERE: u32 = DIRECTIONS - 1;

/// The goals that bodies have now, other than areas.
#[derive(Clone, Debug, Default)]
pub(crate) struct GoalKeys {
    /// For each goal by its bits: its key and the number of bodies that have it.
    known: BTreeMap<[u64; 3], (u32, u32)>,
    /// Keys that are free again.
    free: Vec<u32>,
    /// The number of keys that were ever given.
    count: u32,
}

impl GoalKeys {
    /// Returns the key of a goal, and counts a body that has it.
    pub fn take(&mut self, goal: &Goal) -> u32 {
        let Some(bits) = bits(goal) else { return fixed(goal) };
        if let Some((key, count)) = self.known.get_mut(&bits) {
            *count += 1;
            return *key;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        let key = number | if bits[0] == u64::MAX { DIRECTIONS } else { PLACES };
        self.known.insert(bits, (key, 1));
        key
    }

    /// Counts a body that no longer has a goal.
    pub fn give_back(&mut self, goal: &Goal) {
        let Some(bits) = bits(goal) else { return };
        let Some((key, count)) = self.known.get_mut(&bits) else { return };
        *count -= 1;
        if *count == 0 {
            self.free.push(*key & (PLACES - 1));
            self.known.remove(&bits);
        }
    }
}

/// Returns the key of a goal that needs no list.
fn fixed(goal: &Goal) -> u32 {
    match goal {
        Goal::Area(goal) => goal.0,
        _ => NOWHERE,
    }
}

/// Returns a goal as numbers: the cell and the position of a place, or a direction.
fn bits(goal: &Goal) -> Option<[u64; 3]> {
    match goal {
        Goal::None | Goal::Area(_) => None,
        Goal::Place(at) => {
            let [x, y] = at.position();
            Some([u64::from(at.cell().0), x.to_bits(), y.to_bits()])
        }
        Goal::Direction([x, y]) => Some([u64::MAX, x.to_bits(), y.to_bits()]),
    }
}

//! A field of equal square slots: shapes that stay inside their own slot cannot meet, so no rejection is
//! needed.

use crate::drawing::Ring;
use crate::random::Random;
use crate::shapes::{Point, rectangle};

/// The share of slots that stay in use; the rest are left empty to break up the pattern.
const FILL: f64 = 0.85;

/// Slots in use, in rows from the bottom up.
pub(crate) struct Slots {
    /// The side of a slot, a whole number.
    pub(crate) cell: f64,
    /// The low corners of the slots in use.
    pub(crate) corners: Vec<Point>,
    /// The high corner of the field, whose low corner is the origin.
    pub(crate) high: Point,
}

impl Slots {
    /// Slots for a plan of about `size` vertices with this many in each slot, at 100 units of area per
    /// vertex.
    pub(crate) fn for_size(random: &mut Random, size: usize, vertices_per_slot: f64) -> Slots {
        let wanted = ((size as f64 - 4.0) / vertices_per_slot).round().max(1.0) as usize;
        let cell = (10.0 * vertices_per_slot.sqrt()).round();
        let total = (wanted as f64 / FILL) as usize;
        let columns = (total as f64).sqrt().ceil() as usize;
        let rows = total.div_ceil(columns);
        let mut corners = Vec::with_capacity(wanted);
        for slot in 0..columns * rows {
            // Selection sampling (Knuth, algorithm S): exactly `wanted` slots, each set equally likely.
            if random.below(columns * rows - slot) < wanted - corners.len() {
                corners.push([(slot % columns) as f64 * cell, (slot / columns) as f64 * cell]);
            }
        }
        Slots { cell, corners, high: [columns as f64 * cell, rows as f64 * cell] }
    }

    /// The rectangle around all slots, `margin` further out.
    pub(crate) fn outline(&self, margin: f64) -> Ring {
        rectangle([-margin, -margin], [self.high[0] + margin, self.high[1] + margin])
    }

    /// One ring drawn in each slot, given the slot's low corner.
    pub(crate) fn draw(&self, mut shape: impl FnMut(Point) -> Ring) -> Vec<Ring> {
        self.corners.iter().map(|&low| shape(low)).collect()
    }

    /// A point of a slot from coordinates that run from 0 to 1.
    pub(crate) fn point(&self, low: Point, at: Point) -> Point {
        [low[0] + at[0] * self.cell, low[1] + at[1] * self.cell]
    }

    /// A random centre for something of this radius, so that it stays clear of its slot's sides.
    pub(crate) fn centre(&self, random: &mut Random, low: Point, radius: f64) -> Point {
        let free = (0.48 * self.cell - radius).max(0.0);
        let middle = 0.5 * self.cell;
        [low[0] + middle + random.range(-free, free), low[1] + middle + random.range(-free, free)]
    }
}

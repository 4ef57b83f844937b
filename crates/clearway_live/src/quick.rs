//! Maps by small numbers, quicker than those of the standard library.
//!
//! The keys are numbers that the mesh itself gave out, so nobody can choose many that fall together; a hash that defends
//! against that is not needed. Nothing depends on the order of a map.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers or pairs of them.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A set of numbers.
pub(crate) type QuickSet<K> = HashSet<K, BuildHasherDefault<Mixer>>;

/// An odd number with well mixed bits: the golden ratio times 2^64. A product with it spreads neighbouring numbers.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash of a few numbers: one product for each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(SPREAD);
    }

    fn write_i32(&mut self, number: i32) {
        self.write_u32(number as u32);
    }

    fn finish(&self) -> u64 {
        // The low bits of a product know only the low bits of its factors.
        self.0 ^ (self.0 >> 32)
    }
}

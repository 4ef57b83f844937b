//! The bodies of a crowd, each with a slot that stays its own.
//!
//! In large crowds bodies do not fit into the caches, and passes over all of them wait for memory. Neighbours and the cells
//! of the mesh are near each other in memory if bodies lie in the order of tiles. So the list is put into that order now and
//! then. Slots name bodies; the place of a body in the list is nobody's business but of the passes of one step. Whatever
//! depends on an order takes that of the slots, so that the order of the list changes nothing.

use super::body::{Body, Phase};
use clearway_geometry::NONE;

/// The number of steps after which the list is put into the order of tiles again. A person walks about 4 m in so many, the
/// width of a few tiles; moving all bodies costs about as much as one of the lighter passes.
const KEPT: u64 = 32;

/// The fewest bodies for which an order of the list pays: fewer fit into the caches.
const WORTH_ORDER: usize = 2048;

/// The bodies of a crowd.
#[derive(Debug)]
pub(crate) struct Bodies {
    /// The bodies; those that are gone keep a place for their slot.
    list: Vec<Body>,
    /// For each slot the place of its body in the list.
    place_of: Vec<u32>,
    /// For each place in the list the slot of its body.
    slots: Vec<u32>,
    /// The slots of bodies that are gone.
    free: Vec<u32>,
    /// The number of times that a step asked for an order.
    asked: u64,
    /// The fewest bodies that are put into an order.
    least: usize,
}

impl Default for Bodies {
    fn default() -> Bodies {
        Bodies::with_order_from(WORTH_ORDER)
    }
}

impl Bodies {
    /// Makes a list without bodies that is put into an order if it holds so many.
    pub fn with_order_from(least: usize) -> Bodies {
        let (place_of, slots, free) = (Vec::new(), Vec::new(), Vec::new());
        Bodies { list: Vec::new(), place_of, slots, free, asked: 0, least }
    }

    /// Returns the number of bodies that are here.
    pub fn count(&self) -> usize {
        self.list.len() - self.free.len()
    }

    /// Returns the list, in no order that means anything.
    pub fn list(&self) -> &[Body] {
        &self.list
    }

    /// Returns the list to change.
    pub fn list_mut(&mut self) -> &mut [Body] {
        &mut self.list
    }

    /// Returns the slots of the bodies in the list.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Returns the place in the list of the body with a slot.
    #[inline]
    pub fn place(&self, slot: u32) -> Option<usize> {
        self.place_of.get(slot as usize).map(|place| *place as usize)
    }

    /// Returns the body with a slot.
    #[inline]
    pub fn at_slot(&self, slot: u32) -> Option<&Body> {
        self.list.get(self.place(slot)?)
    }

    /// Returns the body with a slot, to change.
    #[inline]
    pub fn at_slot_mut(&mut self, slot: u32) -> Option<&mut Body> {
        let place = self.place(slot)?;
        self.list.get_mut(place)
    }

    /// Returns all bodies in the order of their slots, also those that are gone.
    pub fn by_slot(&self) -> impl Iterator<Item = &Body> + '_ {
        self.place_of.iter().map(|place| &self.list[*place as usize])
    }

    /// Adds a body, made for a slot and a generation.
    pub fn add(&mut self, make: impl FnOnce(u32, u32) -> Body) -> &Body {
        let place = match self.free.pop() {
            Some(slot) => {
                let place = self.place_of[slot as usize] as usize;
                self.list[place] = make(slot, self.list[place].generation.wrapping_add(1));
                place
            }
            None => {
                if self.list.len() == self.list.capacity() {
                    // By an eighth, not by double: bodies are the larger part of the memory of a crowd.
                    self.list.reserve_exact(self.list.len() / 8 + 64);
                }
                let place = self.list.len();
                self.place_of.push(place as u32);
                self.slots.push(place as u32);
                self.list.push(make(place as u32, 0));
                place
            }
        };
        &self.list[place]
    }

    /// Frees a slot. Returns the body that was there.
    pub fn free(&mut self, slot: u32) -> Option<&Body> {
        let place = self.place(slot)?;
        let body = self.list.get_mut(place)?;
        body.phase = Phase::Gone;
        body.own = None;
        self.free.push(slot);
        Some(body)
    }

    /// Puts the list into an order if it is time to. `wanted` holds for each place of the list the place where its body
    /// belongs; those with [`NONE`] come last. Returns whether it did.
    pub fn order(&mut self, wanted: &[u32]) -> bool {
        self.asked += 1;
        let is_due = self.asked % KEPT == 1 && self.list.len() >= self.least;
        if is_due {
            self.rearrange(wanted);
        }
        is_due
    }

    /// Moves each body to the place where it belongs.
    fn rearrange(&mut self, wanted: &[u32]) {
        let last = wanted.iter().filter(|place| **place != NONE).count() as u32;
        let mut places = wanted.to_vec();
        for (place, rest) in places.iter_mut().filter(|place| **place == NONE).zip(last..) {
            *place = rest;
        }
        // Each exchange brings one body to its place.
        for here in 0..places.len() {
            while places[here] as usize != here {
                let there = places[here] as usize;
                self.list.swap(here, there);
                places.swap(here, there);
            }
        }
        for (place, body) in (0..).zip(&self.list) {
            self.place_of[body.slot as usize] = place;
            self.slots[place as usize] = body.slot;
        }
    }
}

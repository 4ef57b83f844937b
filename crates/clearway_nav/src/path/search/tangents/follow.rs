//! One step of the search among tangents: from an arrival along a tangent to the next, unless another arrival beats it.

use super::search::{Arrival, TangentSearch};
use super::{ROUNDED_ANGLE, Tangent, angle_in_cone, corner_of, hand};
use crate::tolerances::angles::SAME_ANGLE;
use clearway_geometry::NONE;
use std::f64::consts::FRAC_PI_2;

impl TangentSearch<'_> {
    /// Follows a tangent from an arrival to the state `to`, and queues the arrival there.
    #[inline]
    pub(super) fn follow(&mut self, number: u32, arrival: &Arrival, tangent: &Tangent, to: u32) {
        let turn = hand(arrival.state);
        let crosses = turn != hand(to);
        // The cheapest test comes first: most tangents leave before the place of arrival.
        let ahead = (tangent.leaves() - arrival.angle) * turn;
        let most = if crosses && self.radius > 0.0 { FRAC_PI_2 } else { 0.0 };
        if ahead + most < -ROUNDED_ANGLE || !tangent.may_fit(self.radius) {
            return;
        }
        let [from, corner] = [arrival.state, to].map(corner_of);
        let length = self.index.places[from as usize].distance(self.index.places[corner as usize]);
        if self.comes_late(arrival.length + length, corner, crosses) {
            return;
        }
        let turned = if crosses { (2.0 * self.radius / length).min(1.0).asin() } else { 0.0 };
        let arrives = tangent.arrives() + turn * turned;
        if ahead + turned < -ROUNDED_ANGLE || !self.leads_on(to, arrives * hand(to) - ROUNDED_ANGLE) {
            return;
        }
        let reached = if self.radius == 0.0 {
            self.reach_as_point(arrival, to, tangent.leaves(), arrives, length)
        } else {
            self.reach_as_disc(arrival, to)
        };
        let Some(reached) = reached else { return };
        let reached = Arrival { parent: number, is_checked: tangent.fits(self.radius), ..reached };
        if !self.is_covered(&reached) {
            self.queue(reached);
        }
    }

    /// Returns the arrival of a point at the end of a tangent. Angles are those of the index: a point does not walk
    /// around corners, so that they do not change its length.
    fn reach_as_point(
        &mut self,
        arrival: &Arrival,
        to: u32,
        leaves: f64,
        arrives: f64,
        length: f64,
    ) -> Option<Arrival> {
        self.place_on_arc(corner_of(arrival.state), leaves)?;
        let (angle, arc) = self.place_on_arc(corner_of(to), arrives)?;
        Some(Arrival { length: arrival.length + length, angle, arc, state: to, ..*arrival })
    }

    /// Returns the arrival of a disc at the end of a tangent, if it gets there on free arcs.
    fn reach_as_disc(&mut self, arrival: &Arrival, to: u32) -> Option<Arrival> {
        let [turn, other_turn] = [arrival.state, to].map(hand);
        let [from, corner] = [arrival.state, to].map(corner_of);
        let line = self.line_between(arrival.state, to);
        let normal = line.direction.perp();
        let leaves = angle_in_cone(&self.graph.corners[from as usize], normal * -turn);
        let ahead = (leaves - arrival.angle) * turn;
        if !line.exists || ahead < -SAME_ANGLE || self.place_on_arc(from, leaves)?.1 != arrival.arc {
            return None;
        }
        let arrives = angle_in_cone(&self.graph.corners[corner as usize], normal * -other_turn);
        let (angle, arc) = self.place_on_arc(corner, arrives)?;
        let length = arrival.length + self.radius * ahead.max(0.0) + line.reach;
        Some(Arrival { length, angle, arc, state: to, ..*arrival })
    }

    /// True if an arrival at a corner was at every place sooner than a walk of this length to the corner itself could
    /// bring the body there. With several free arcs the places are not connected.
    #[inline]
    fn comes_late(&mut self, length: f64, corner: u32, crosses: bool) -> bool {
        let Some(shortest) = self.space.tangents.shortest.get(corner) else { return false };
        let known = self.space.tangents.arrivals[shortest as usize];
        if self.radius > 0.0 && self.space.memory.free_arcs(self.graph, corner).len() != 1 {
            return false;
        }
        // A tangent that crosses from one hand to the other is shorter than the line, by at most two radii.
        let around = self.graph.corners[corner as usize].span + if crosses { 2.0 } else { 0.0 };
        known.length + self.radius * around < length - self.state.slack
    }

    /// The arrivals that count at a corner, the shortest first.
    #[inline]
    fn arrivals_at(&self, corner: u32) -> impl Iterator<Item = &Arrival> {
        let scratch = &self.space.tangents;
        let mut next = scratch.shortest.get(corner).unwrap_or(NONE);
        std::iter::from_fn(move || {
            let arrival = scratch.arrivals.get(next as usize)?;
            next = arrival.next;
            Some(arrival)
        })
    }

    /// True if another arrival is at the place of this one sooner.
    pub(super) fn is_beaten(&self, arrival: &Arrival) -> bool {
        self.arrivals_at(corner_of(arrival.state)).any(|other| {
            let around = self.radius * (arrival.angle - other.angle).abs();
            other.arc == arrival.arc && other.length + around < arrival.length - self.state.slack
        })
    }

    /// True if another arrival is at the place of this one sooner, or at the same time on the same way around.
    pub(super) fn is_covered(&self, arrival: &Arrival) -> bool {
        self.arrivals_at(corner_of(arrival.state)).any(|other| {
            let ahead = (arrival.angle - other.angle) * hand(arrival.state);
            let length = other.length + self.radius * ahead.abs();
            other.arc == arrival.arc
                && (length < arrival.length - self.state.slack
                    || (other.state == arrival.state
                        && ahead >= -SAME_ANGLE
                        && length <= arrival.length + self.state.slack))
        })
    }
}

//! Rays that keep a given distance from a point: the one construction behind beams, touches and estimates of a disc.
//!
//! All directions have length one. They are compared by keys, which need no trigonometry.

use super::scratch::Root;
use crate::tolerances::angles::{GREATEST_KEY, HALF_TURN, OPPOSITE, TURNED_BACK};
use crate::tolerances::radii::RAY_EXISTS;
use clearway_geometry::Vec2;

/// A ray from a root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ray {
    /// Its direction, of length one.
    pub direction: Vec2,
    /// The length along the ray at which the point lies beside it that it keeps its distance from.
    pub reach: f64,
    /// True if there is such a ray. Otherwise the direction is the closest to it.
    pub exists: bool,
}

impl Root {
    /// Returns the distance of the corner to the left of rays that leave it: the radius if the body turns left, its
    /// negative if it turns right.
    #[inline]
    pub fn lean(&self, radius: f64) -> f64 {
        self.turn * radius
    }

    /// Returns the point where the ray with this direction leaves the circle around the root.
    #[inline]
    pub fn origin(&self, direction: Vec2, radius: f64) -> Vec2 {
        self.at - direction.perp() * self.lean(radius)
    }

    /// Returns the ray that keeps `point` at the distance `side` to its left.
    #[inline]
    pub fn ray(&self, point: Vec2, side: f64, radius: f64) -> Ray {
        let to = point - self.at;
        let shift = side - self.lean(radius);
        if to.x != 0.0 || to.y != 0.0 {
            ray(to, shift)
        } else {
            // The point is the root itself. A goal may be where the body starts. A corner of another layer may be there
            // as well, but no ray leads to it.
            Ray { direction: self.arrival, reach: 0.0, exists: shift == 0.0 && side == 0.0 }
        }
    }

    /// Returns the angle by which the body turns around the root before it leaves in this direction, in radians.
    #[inline]
    pub fn turned(&self, direction: Vec2) -> f64 {
        if self.turn == 0.0 {
            return 0.0;
        }
        let angle = self.arrival.angle_to(direction) * self.turn;
        if angle < -TURNED_BACK { angle + std::f64::consts::TAU } else { angle.max(0.0) }
    }

    /// Returns a lower bound for [`turned`](Root::turned), for estimates.
    #[inline]
    pub fn turned_at_least(&self, direction: Vec2) -> f64 {
        if self.turn == 0.0 { 0.0 } else { angle_at_least(self.arrival, direction) }
    }
}

/// Returns the ray that keeps the point `to` at the distance `shift` to its left. Rays start where they leave the circle
/// around the origin, so that `shift` is the difference of the distances that the ray keeps from the two centres.
#[inline]
pub(super) fn ray(to: Vec2, shift: f64) -> Ray {
    let squared = to.length_squared();
    let rest = squared - shift * shift;
    if rest > 0.0 {
        let reach = rest.sqrt();
        let direction = (to * reach - to.perp() * shift) * (1.0 / squared);
        Ray { direction, reach, exists: true }
    } else {
        // The circles overlap, if only by rounding: the direction across their centres comes closest to a tangent.
        let direction = to.perp() * (-shift.signum() / squared.sqrt());
        Ray { direction, reach: 0.0, exists: rest > -RAY_EXISTS * squared }
    }
}

/// Returns a lower bound for the angle between two directions: the first terms of its series over the chord, all of
/// which are positive.
#[inline]
pub(super) fn angle_at_least(one: Vec2, other: Vec2) -> f64 {
    let squared = (2.0 - 2.0 * one.dot(other)).max(0.0);
    squared.sqrt() * (1.0 + squared * (1.0 / 24.0 + squared * (3.0 / 640.0 + squared * (5.0 / 7168.0))))
}

/// Returns a number that grows with the angle from `reference` to `direction` over the full turn: the tangent of half
/// the angle.
#[inline]
pub(super) fn key(reference: Vec2, direction: Vec2) -> f64 {
    let along = 1.0 + reference.dot(direction);
    let across = reference.cross(direction);
    if along < HALF_TURN { if across >= 0.0 { GREATEST_KEY } else { -GREATEST_KEY } } else { across / along }
}

/// Returns the direction half way from `right` to `left`.
#[inline]
pub(super) fn middle(right: Vec2, left: Vec2) -> Vec2 {
    let sum = right + left;
    let squared = sum.length_squared();
    if squared > OPPOSITE { sum * (1.0 / squared.sqrt()) } else { right.perp() }
}

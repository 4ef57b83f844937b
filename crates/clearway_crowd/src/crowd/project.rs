//! The contact projection: the displacement nearest to the wished one that keeps a body on its own side of every gap.
//!
//! The gap to a neighbour is divided by shares that add up to one. A body may use no more than its share along the line
//! to the neighbour. So two bodies never touch, whatever the time step: each stays behind its own line, and the lines
//! are parallel and in order. A wall gives its whole gap. Standing still is always allowed where nothing overlaps, so
//! there is always an answer. These are the buffered cells of a Voronoi diagram of the bodies.

use super::near::{Shown, Sight};
use crate::half_planes::{HalfPlane, nearest, nearest_common};
use crate::random::random;
use crate::vector::Vector;

/// The most that overlapping bodies are pushed apart in a step, in metres: smooth to look at, and bodies that are added
/// on top of each other come apart within a second.
const MOST_PUSH: f32 = 0.02;

/// The share of a gap that a body may use which others must make room for. The rest keeps both lines apart.
const LARGE_SHARE: f32 = 0.9;

/// The distance in metres that is kept from every line, so that rounding cannot make bodies touch.
const MARGIN: f32 = 2e-6;

/// The overlap in metres that is left as it is where there is no way out: far above rounding, below what anybody sees.
const TOUCHING: f32 = 5e-5;

/// A displacement beyond a line by less than this, in metres, is rounding.
const ROUNDING: f32 = 1e-7;

/// A displacement to project, and the body that makes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish<'a> {
    /// The body.
    pub me: &'a Shown,
    /// The displacement in metres.
    pub displacement: Vector,
    /// The depth in metres by which bodies may overlap.
    pub overlap: f32,
    /// The largest radius in metres of a body with which a gap is shared evenly or to the advantage of this one, if no
    /// other body is in the crowd; else infinite. It saves looks at bodies that are far.
    pub widest: f32,
}

/// The farthest that a body may go which does not wish to move, in metres, rounding included.
pub(crate) const LONGEST_PUSH: f32 = 2.0 * MOST_PUSH + 1e-4;

/// Returns the nearest displacement that touches neither bodies nor walls.
pub(crate) fn project(wish: &Wish, sight: &Sight, shown: &[Shown], planes: &mut Vec<HalfPlane>) -> Vector {
    planes.clear();
    // Nobody goes farther than wished, but for a push: what lies farther need not be looked at.
    let most = wish.displacement.length().max(2.0 * MOST_PUSH);
    let reach = most + MARGIN;
    let in_sight = sight.walls.iter().map(|wall| (wall.offset, wall.distance, wall.distance));
    for (offset, distance, room) in in_sight.chain(sight.lines.iter().copied()) {
        let contact = wish.me.radius - wish.overlap;
        // As far as the line allows, and back only if the wall itself is too near.
        let gap = (distance - contact).max((room - contact).min(0.0));
        if gap < reach {
            let normal = offset * (1.0 / distance.max(f32::MIN_POSITIVE));
            planes.push(HalfPlane { normal, limit: limit(gap) });
        }
    }
    let walls = planes.len();
    let farthest = wish.me.radius + wish.widest - wish.overlap + reach / 0.5;
    let farthest = farthest * farthest * 1.0001;
    for body in sight.bodies.iter().chain(&sight.hidden) {
        if body.distance_squared > farthest {
            continue;
        }
        let other = &shown[body.index as usize];
        let (share, contact) = (share(wish.me, other), wish.me.radius + other.radius - wish.overlap);
        let far = contact + reach / share;
        if body.distance_squared < far * far {
            let distance = body.distance_squared.sqrt();
            let gap = share * (distance - contact);
            let normal = if distance > 0.0 { body.offset * (1.0 / distance) } else { aside(wish.me, other) };
            planes.push(HalfPlane { normal, limit: limit(gap) });
        }
    }
    if planes.is_empty() {
        return wish.displacement;
    }
    let best = nearest_common(planes, wish.displacement).unwrap_or_else(|| {
        // Rounding may leave bodies a few micrometres inside each other. That they stay so is better than no way out.
        for plane in planes.iter_mut().filter(|plane| plane.limit > -TOUCHING) {
            plane.limit = plane.limit.max(0.0);
        }
        nearest(planes, wish.displacement)
    });
    // Where bodies overlap already, they come apart first; only walls hold them.
    let overlaps = planes.iter().any(|plane| plane.limit < -0.25 * MOST_PUSH);
    let holding = if overlaps { &planes[..walls] } else { &planes[..] };
    shortened(best.at_most(most), holding)
}

/// Returns how far a body may go along a gap: short of it by the margin, or back where bodies overlap.
#[inline]
fn limit(gap: f32) -> f32 {
    if gap >= 0.0 { (gap - MARGIN).max(0.0) } else { gap.max(-MOST_PUSH) }
}

/// Returns the share of the gap between two bodies that the first may use.
#[inline]
fn share(me: &Shown, other: &Shown) -> f32 {
    let rank = |body: &Shown| (body.priority, !body.stands);
    match rank(me).cmp(&rank(other)) {
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => LARGE_SHARE,
        std::cmp::Ordering::Less => 1.0 - LARGE_SHARE,
    }
}

/// Returns a direction between two bodies at one point. Both get opposite ones.
fn aside(me: &Shown, other: &Shown) -> Vector {
    let number = |stream| random(0, me.slot.min(other.slot), 0, stream) as f32 - 0.5;
    let towards = Vector::new(number(0), number(1) + 0.6).unit();
    if me.slot < other.slot { towards } else { -towards }
}

/// Shortens a displacement until it lies in all half-planes that hold the rest state. Rounding, or half-planes without
/// a common point, may have left it outside.
fn shortened(displacement: Vector, planes: &[HalfPlane]) -> Vector {
    let mut share = 1.0f32;
    for plane in planes.iter().filter(|plane| plane.limit >= 0.0) {
        let along = plane.normal.dot(displacement);
        // A body that touches another must still be able to slide along it.
        if along * share > plane.limit + ROUNDING {
            share = (plane.limit + ROUNDING) / along;
        }
    }
    displacement * share
}

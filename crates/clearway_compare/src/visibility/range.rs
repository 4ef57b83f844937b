//! The radii for which a tangent can be used: the thesis's widths of an edge (4.2), computed exactly.
//!
//! *Tangents on one side* (both turns alike) keep their direction for every radius; if one is taut once, it is always
//! taut. The space that the disc sweeps only grows with the radius: a disc that touches the line between the corners
//! lies inside every larger one that touches it at the same point. So they are valid up to a largest radius, which has
//! a closed form.
//!
//! *Tangents that cross over* turn about the middle of the two corners. With l the distance of the corners and sin θ =
//! 2r/l, the contacts turn by θ. This gives one interval in which both lie in their cones. A wall may block a radius
//! and leave a larger one free again. So only the first blocked radius is stored; beyond it the sweep is tested for the
//! radius that is asked for.

use super::corner::{ANGLE_SLACK, Corner};
use super::graph::Obstacles;
use super::sector::height;
use super::tangent::{Turn, between_corners};
use super::walls::Wall;
use clearway_geometry::Vec2;
use std::f64::consts::{FRAC_PI_2, TAU};

/// The error of a stored radius: as a share of it, and in grid units.
const RADIUS_SLACK: (f64, f64) = (1e-9, 1e-6);

/// Tolerance in radians of contacts outside their cones, below the size of rounding. Farther outside, a tangent leans
/// over a wall of its own corner and comes too close to it later on.
const NO_SLACK: f64 = 2e-15;

/// A possible straight piece between two corners. Radii are in grid units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The two corners.
    pub ends: [u32; 2],
    /// The turning directions at both corners.
    pub turns: [Turn; 2],
    /// The least radius for which it is taut.
    pub low: f64,
    /// The greatest radius for which it is taut; it is never free above.
    pub high: f64,
    /// The range of radii for which it is free of walls. For other radii between `low` and `high` walls must be tested.
    pub free: [f64; 2],
}

impl Edge {
    /// True if it is known to be free for a radius.
    pub fn is_free(&self, radius: f64) -> bool {
        self.free[0] <= radius && radius <= self.free[1]
    }
}

/// Returns the straight piece between two corners that see each other; `None` if it is never taut.
pub(super) fn edge(obstacles: &Obstacles, ends: [u32; 2], turns: [Turn; 2]) -> Option<Edge> {
    let pair = Pair::new(obstacles, ends, turns)?;
    let (taut, free) =
        if turns[0] == turns[1] { pair.one_sided(obstacles)? } else { pair.crossing(obstacles)? };
    let (relative, absolute) = RADIUS_SLACK;
    let less = |radius: f64| radius * (1.0 - relative) - absolute;
    let more = |radius: f64| radius * (1.0 + relative) + absolute;
    // A range that starts at zero includes points, so it gets no tolerance there.
    let from = if free[0] > 0.0 { more(free[0]) } else { 0.0 };
    Some(Edge { ends, turns, low: less(taut[0]), high: more(taut[1]), free: [from, less(free[1])] })
}

/// A range of radii, from the least to the greatest, in grid units.
type Radii = [f64; 2];
/// The empty range.
const NEVER: Radii = [f64::INFINITY, 0.0];

/// Two corners, seen in a frame along the segment between them.
struct Pair<'a> {
    /// The corners.
    corners: [&'a Corner; 2],
    /// The turning directions.
    turns: [Turn; 2],
    /// The directions from the corners to their contacts, for radius zero.
    contacts: [Vec2; 2],
    /// The unit vector from the first corner to the second.
    along: Vec2,
    /// The distance of the corners, in grid units.
    length: f64,
}

impl<'a> Pair<'a> {
    /// Makes the pair; `None` if the corners coincide.
    fn new(obstacles: &'a Obstacles, ends: [u32; 2], turns: [Turn; 2]) -> Option<Pair<'a>> {
        let corners = ends.map(|end| &obstacles.corners[end as usize]);
        let [a, b] = corners.map(|corner| corner.at);
        let contacts = between_corners(a, b, turns, 0.0)?;
        Some(Pair { corners, turns, contacts, along: (b - a).unit(), length: a.distance(b) })
    }

    /// Returns the radii for which a tangent on one side can be valid, and those for which it is known to be free.
    fn one_sided(&self, obstacles: &Obstacles) -> Option<(Radii, Radii)> {
        let is_taut = |slack: f64| {
            let mut ends = self.corners.iter().zip(self.contacts);
            ends.all(|(corner, contact)| corner.is_taut(contact, slack))
        };
        if !is_taut(ANGLE_SLACK) {
            return None;
        }
        let free_to = self.first_blocked(obstacles, f64::INFINITY, |wall| self.one_sided_limit(wall));
        Some(([0.0, free_to], if is_taut(NO_SLACK) { [0.0, free_to] } else { NEVER }))
    }

    /// As `one_sided`, for a tangent that crosses over.
    fn crossing(&self, obstacles: &Obstacles) -> Option<(Radii, Radii)> {
        let radius = |angle: f64| self.length * 0.5 * angle.sin();
        let taut = self.taut_angles(ANGLE_SLACK)?.map(radius);
        let strictly = self.taut_angles(NO_SLACK).filter(|range| self.is_clear_at(obstacles, range[0]));
        let Some([low, high]) = strictly else { return Some((taut, NEVER)) };
        let limit = |wall: &Wall| radius(self.crossing_limit(wall, [low, high]));
        let free_to = self.first_blocked(obstacles, radius(high), limit);
        Some((taut, [radius(low), free_to]))
    }

    /// Returns the least of `limit` over all walls that do not end at the two corners, at most `most`. Walls that end
    /// there are clear as long as the contacts lie in their cones. A disc of radius r stays within 2r of the segment
    /// between the corners, so walls are looked up in growing reach.
    fn first_blocked(&self, obstacles: &Obstacles, most: f64, limit: impl Fn(&Wall) -> f64) -> f64 {
        let [a, b] = self.corners.map(|corner| corner.at);
        let own = self.corners.map(|corner| corner.vertex);
        let mut reach = 0.5 * obstacles.walls.spacing();
        loop {
            let mut least = most;
            obstacles.walls.any_near((a, b), 2.0 * reach, |wall| {
                if !own.iter().any(|vertex| wall.vertices.contains(vertex)) {
                    least = least.min(limit(wall));
                }
                false
            });
            // Beyond 2^30 units there is no wall.
            if least <= reach || reach >= most || reach > (1u64 << 30) as f64 {
                return least;
            }
            reach *= 2.0;
        }
    }

    /// Returns the coordinates of a point: along the segment from the first corner, and towards the contacts.
    fn local(&self, at: Vec2) -> Vec2 {
        let [a, b] = self.corners.map(|corner| corner.at);
        // The contacts of a left turn lie to the right.
        Vec2::new(self.along.dot(at - a), -self.turns[0].sign() * height(a, b, at))
    }

    /// Returns the largest radius for which the disc passes a wall on the contacts' side of the segment.
    fn one_sided_limit(&self, wall: &Wall) -> f64 {
        let [from, to] = [self.local(wall.from), self.local(wall.to)];
        if from.y <= 0.0 && to.y <= 0.0 {
            return f64::INFINITY;
        }
        let along = to - from;
        let base = from.x - from.y * along.x / along.y;
        if from.y.min(to.y) <= 0.0 && base > 0.0 && base < self.length {
            // The wall stands on the segment or reaches through it.
            return 0.0;
        }
        let upright = along.unit().perp();
        let mut least = self.touching_radius(from).min(self.touching_radius(to));
        for end in [0.0, self.length].map(|x| Vec2::new(x, 0.0)) {
            // The points where the wall passes over an end of the segment, and where it touches a disc that rests
            // there.
            let over = (end.x - from.x) / along.x;
            let away = (from - end).dot(upright);
            let outward = if away >= 0.0 { upright } else { -upright };
            let radius = away.abs() / (1.0 + outward.y);
            let touch = Vec2::new(0.0, radius) + outward * radius + end;
            let beside = (touch - from).dot(along) / along.length_squared();
            for share in [over, beside].into_iter().filter(|share| *share > 0.0 && *share < 1.0) {
                least = least.min(self.touching_radius(from + along * share));
            }
        }
        least
    }

    /// Returns the radius of the largest disc that touches the segment from the contacts' side and does not reach
    /// beyond a point.
    fn touching_radius(&self, place: Vec2) -> f64 {
        if place.y <= 0.0 {
            return f64::INFINITY;
        }
        let beyond = (-place.x).max(place.x - self.length).max(0.0);
        (beyond * beyond + place.y * place.y) / (2.0 * place.y)
    }

    /// Returns the sense in which the contacts of a crossing tangent turn as the radius grows: 1 counter-clockwise, -1
    /// clockwise.
    fn sense(&self) -> f64 {
        self.turns[0].sign()
    }

    /// Returns the range of angles θ for which both contacts lie in their cones.
    fn taut_angles(&self, slack: f64) -> Option<[f64; 2]> {
        let mut range = [0.0, FRAC_PI_2];
        for (corner, contact) in self.corners.iter().zip(self.contacts) {
            let start = corner.angle(contact);
            let ends = [-slack - start, corner.width + slack - start].map(|end| end * self.sense());
            let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
            let turned = [-TAU, 0.0, TAU].map(|turn| [range[0].max(low + turn), range[1].min(high + turn)]);
            range = turned.into_iter().find(|[low, high]| low <= high)?;
        }
        Some(range)
    }

    /// Returns the direction to a contact after a turn by `angle`.
    fn contact(&self, end: usize, angle: f64) -> Vec2 {
        let (sin, cos) = (angle * self.sense()).sin_cos();
        let direction = self.contacts[end];
        Vec2::new(direction.x * cos - direction.y * sin, direction.x * sin + direction.y * cos)
    }

    /// True if the tangent is clear of all walls at an angle.
    fn is_clear_at(&self, obstacles: &Obstacles, angle: f64) -> bool {
        let radius = self.length * 0.5 * angle.sin();
        let [a, b] = [0, 1].map(|end| self.corners[end].contact(self.contact(end, angle), radius));
        obstacles.walls.are_clear(&a, &b, radius)
    }

    /// Returns a lower bound for the first angle at which a wall blocks a crossing tangent, or the end of the range.
    /// The sweep first meets a wall with a round end, or with a straight flank at an end of the wall.
    fn crossing_limit(&self, wall: &Wall, [low, high]: [f64; 2]) -> f64 {
        let flanks = [wall.from, wall.to].map(|end| self.flank_angle(end, low)).into_iter().flatten();
        let mut least = flanks.fold(high, f64::min);
        for end in 0..2 {
            least = self.round_end_angle(end, wall, [low, least]);
        }
        least
    }

    /// Returns the first angle from `low` on at which a flank of the sweep meets a point.
    fn flank_angle(&self, place: Vec2, low: f64) -> Option<f64> {
        let [a, b] = self.corners.map(|corner| corner.at);
        let x = self.along.dot(place - a);
        let y = self.sense() * height(a, b, place);
        let angle = if y >= 0.0 { y.atan2(x) } else { (-y).atan2(self.length - x) }.max(low);
        let (sin, cos) = angle.sin_cos();
        let half = self.length * 0.5;
        let (foot, off) = ((x - half) * cos + y * sin, y * cos - (x - half) * sin);
        let is_met = foot.abs() <= half * cos + 1e-6 && off.abs() <= half * sin + 1e-6;
        (is_met && angle < FRAC_PI_2).then_some(angle)
    }

    /// Returns a lower bound for the first angle at which the disc at one end comes too close to a wall. The centre
    /// moves on the circle whose diameter is half the segment, at speed l/2 in θ, and the radius grows no faster. So
    /// the gap shrinks by at most l per radian: steps of gap/l never jump over a contact.
    fn round_end_angle(&self, end: usize, wall: &Wall, [low, high]: [f64; 2]) -> f64 {
        let mut angle = low;
        for _ in 0..64 {
            let radius = self.length * 0.5 * angle.sin();
            let centre = self.corners[end].at + self.contact(end, angle) * radius;
            let gap = centre.distance_to_segment(wall.from, wall.to) - radius;
            if gap <= 1e-6 {
                break;
            }
            angle += gap / self.length;
            if angle >= high {
                return high;
            }
        }
        angle
    }
}

//! Orca: optimal reciprocal collision avoidance among bodies and walls.
//!
//! Each neighbour forbids the velocities that lead to contact within a time. Both bodies take a share of the change
//! (van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance", 2011). Walls are segments, and the body
//! takes the whole change; ends that meet at an inner corner count as one wall that goes on (as RVO2 treats them). The
//! result is the velocity nearest to the wish that none forbids. Priorities move the shares. At contact, who has more way
//! left makes room, because hard bodies at rest forbid each other everything. Nothing is random: where two meet on one
//! line, both turn a little to their right, so the symmetric pair passes. Cost: linear in neighbours and walls, and a
//! linear program of at most eighteen half-planes; no allocation.

use super::manners::{direction, free_velocity, meets, room_for_first, tilted, top_speed};
use super::named::parameters;
use super::speed_disc::{MOST_PLANES, best_velocity};
use super::{Act, LocalModel, NearWall, Neighbour, Spec, View};
use crate::half_planes::HalfPlane;
use crate::vector::Vector;
use std::cmp::Ordering;

/// The ORCA model. Defaults are those with which the libraries of the field are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Orca {
    /// The time in seconds within which no contact with a body may come.
    pub horizon: f32,
    /// The time in seconds within which no contact with a wall may come.
    pub wall_horizon: f32,
    /// The greatest speed as a multiple of the free speed: RVO2's examples use 2.0 m/s for 1.34 m/s.
    pub top: f32,
    /// The share of the change that the body of lower priority takes. Equal bodies take half each.
    pub share: f32,
    /// The speed in m/s with which room is made for a touching body that goes first. 0 is the published model: it blocks
    /// doors for ever where bodies are hard.
    pub give: f32,
}

clearway_base::setters!(Orca { horizon: f32, wall_horizon: f32, top: f32, share: f32, give: f32 });

impl Default for Orca {
    fn default() -> Orca {
        Orca { horizon: 2.0, wall_horizon: 1.0, top: 1.5, share: 0.9, give: 0.2 }
    }
}

/// The largest number of neighbours, as RVO2's examples have it.
const NEIGHBOURS: usize = 10;

/// The largest number of walls that count; the nearest are kept.
const WALLS: usize = MOST_PLANES - NEIGHBOURS;

/// Bodies that overlap part within this time in seconds, or within the step if that is longer.
const PART: f32 = 0.1;

/// Ends of walls nearer than this, in metres, are one vertex.
const SAME: f32 = 1e-4;

impl LocalModel for Orca {
    fn spec(&self) -> Spec {
        Spec::new("orca").range(2.0).neighbours(NEIGHBOURS).wall_range(1.6).max_dt(0.1).max_speed(self.top)
    }

    parameters!(horizon in 0.1..20.0, wall_horizon in 0.1..20.0, top in 1.0..5.0, share in 0.5..1.0, give in 0.0..3.0);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let most = top_speed(me, self.top);
        let mut planes = [HalfPlane::default(); MOST_PLANES];
        let hard = if walls.is_empty() { 0 } else { self.wall_planes(me, walls, most, &mut planes) };
        let (mut count, mut meeting) = (hard, false);
        for other in &near[..near.len().min(NEIGHBOURS)] {
            meeting |= meets(me, other);
            let plane = self.body_plane(me, other);
            // A half-plane around the whole disc of speeds forbids nothing.
            if plane.limit < most {
                planes[count] = plane;
                count += 1;
            }
        }
        let free = free_velocity(me, near);
        let wish = if meeting { tilted(free) } else { free };
        let best = best_velocity(&planes[..count], hard, most, wish);
        Act { velocity: room_for_first(me, near, self.give, best).at_most(most), state: me.state }
    }
}

impl Orca {
    /// Returns the velocities that leave the change for another body to it.
    #[inline]
    fn body_plane(&self, me: &View, other: &Neighbour) -> HalfPlane {
        let relative = me.velocity - other.velocity;
        let (outward, change) = self.change(me, other, relative);
        let share = match other.priority.cmp(&me.priority) {
            Ordering::Less => 1.0 - self.share,
            Ordering::Equal => 0.5,
            Ordering::Greater => self.share,
        };
        HalfPlane { normal: -outward, limit: -(outward.dot(me.velocity) + share * change) }
    }

    /// Returns the unit direction out of the velocity obstacle nearest to the relative velocity, and the length of the
    /// way to its border: negative outside.
    #[inline]
    fn change(&self, me: &View, other: &Neighbour, relative: Vector) -> (Vector, f32) {
        let radii = me.radius + other.radius;
        let distance_squared = other.distance * other.distance;
        if distance_squared <= radii * radii {
            return part(me, other, relative, radii);
        }
        let offset = other.offset;
        let from_centre = relative - offset * (1.0 / self.horizon);
        let along = from_centre.dot(offset);
        let length_squared = from_centre.length_squared();
        if along < 0.0 && along * along > radii * radii * length_squared {
            // The round front of the obstacle.
            let length = length_squared.sqrt();
            return (from_centre * (1.0 / length), radii / self.horizon - length);
        }
        // One of the legs. On the middle line both bodies take the right one.
        let leg = (distance_squared - radii * radii).sqrt() / distance_squared;
        let wide = radii / distance_squared;
        let outward = if offset.cross(from_centre) > 0.0 {
            Vector::new(offset.x * leg - offset.y * wide, offset.x * wide + offset.y * leg).left()
        } else {
            -Vector::new(offset.x * leg + offset.y * wide, offset.y * leg - offset.x * wide).left()
        };
        (outward, -relative.dot(outward))
    }

    /// Writes the half-planes of the nearest walls, nearest first, and returns their number.
    fn wall_planes(&self, me: &View, walls: &[NearWall], most: f32, planes: &mut [HalfPlane]) -> usize {
        let (mut order, mut sorted) = ([0usize; WALLS], 0);
        for (number, wall) in walls.iter().enumerate() {
            let place = order[..sorted].iter().take_while(|at| walls[**at].distance <= wall.distance).count();
            if place < WALLS {
                sorted = (sorted + 1).min(WALLS);
                order.copy_within(place..sorted - 1, place + 1);
                order[place] = number;
            }
        }
        let mut count = 0;
        for number in &order[..sorted] {
            let wall = &walls[*number];
            if self.is_covered(me, wall, &planes[..count]) {
                continue;
            }
            if let Some(plane) = self.wall_plane(me, wall, walls).filter(|plane| plane.limit < most) {
                planes[count] = plane;
                count += 1;
            }
        }
        count
    }

    /// True if half-planes of nearer walls already forbid the velocities that a wall forbids.
    fn is_covered(&self, me: &View, wall: &NearWall, planes: &[HalfPlane]) -> bool {
        let rate = 1.0 / self.wall_horizon;
        planes.iter().any(|plane| {
            let least = plane.limit + (me.radius - 1e-5) * rate;
            plane.normal.dot(wall.from) * rate >= least && plane.normal.dot(wall.to) * rate >= least
        })
    }

    /// Returns the velocities that do not lead to a wall in time; `None` if other walls say it all.
    fn wall_plane(&self, me: &View, wall: &NearWall, walls: &[NearWall]) -> Option<HalfPlane> {
        if wall.distance <= me.radius {
            let inward = (wall.from - wall.to).left().unit();
            let normal = if wall.distance > 1e-6 { wall.offset * (1.0 / wall.distance) } else { inward };
            return Some(HalfPlane { normal, limit: 0.0 });
        }
        let sight = Sight::new(me, wall, walls)?;
        sight.plane(me, 1.0 / self.wall_horizon)
    }
}

/// Returns the change that parts overlapping bodies.
#[cold]
fn part(me: &View, other: &Neighbour, relative: Vector, radii: f32) -> (Vector, f32) {
    let time = me.dt.max(PART);
    let from_centre = relative - other.offset * (1.0 / time);
    let length = from_centre.length();
    let outward = if length > 1e-6 { from_centre * (1.0 / length) } else { -direction(me, other) };
    (outward, radii / time - length)
}

/// An end of a wall as a body sees it.
#[derive(Clone, Copy)]
struct End {
    /// The offset to it.
    at: Vector,
    /// The unit direction of the border of the velocity obstacle beyond it.
    leg: Vector,
    /// True if another wall continues there and forbids more.
    foreign: bool,
}

/// A wall as a body sees it.
struct Sight {
    /// The end on the left.
    left: End,
    /// The end on the right.
    right: End,
    /// The unit direction from right to left; zero if the body looks along the wall and sees but one end.
    across: Vector,
}

impl Sight {
    /// Looks at a wall. `None` if only an end that belongs to another wall is seen.
    fn new(me: &View, wall: &NearWall, walls: &[NearWall]) -> Option<Sight> {
        let along = (wall.to - wall.from).unit();
        let height = -wall.from.dot(along.left());
        let in_front = height >= 0.0;
        let (left, right) = if in_front { (wall.to, wall.from) } else { (wall.from, wall.to) };
        let across = if in_front { along } else { -along };
        let joints = [joint(wall, left, walls), joint(wall, right, walls)];
        let is_inner = |joint: Option<Vector>, out: Vector| {
            joint.is_some_and(|away| in_front && along.left().dot(away) > -1e-4 && out.dot(away) > -0.999)
        };
        let inner = [is_inner(joints[0], across), is_inner(joints[1], -across)];
        let oblique = height.abs() <= me.radius;
        let single = if oblique && left.dot(across) < 0.0 {
            Some(0)
        } else if oblique && right.dot(across) > 0.0 {
            Some(1)
        } else {
            None
        };
        if let Some(end) = single {
            if inner[end] {
                return None;
            }
            let at = [left, right][end];
            let left = End::new(at, me.radius, true, joints[end]);
            let right = End::new(at, me.radius, false, joints[end]);
            return Some(Sight { left, right, across: Vector::ZERO });
        }
        let end = |at, is_left: bool, inner, joint| {
            let beyond = if is_left { across } else { -across };
            if inner {
                End { at, leg: beyond, foreign: false }
            } else {
                End::new(at, me.radius, is_left, joint)
            }
        };
        let (left, right) = (end(left, true, inner[0], joints[0]), end(right, false, inner[1], joints[1]));
        Some(Sight { left, right, across })
    }

    /// Returns the half-plane at the border of the velocity obstacle nearest to the velocity of the body.
    fn plane(&self, me: &View, rate: f32) -> Option<HalfPlane> {
        let (left, right) = (self.left.at * rate, self.right.at * rate);
        let single = self.across == Vector::ZERO;
        let velocity = me.velocity;
        let plane = |normal: Vector, end: Vector| {
            Some(HalfPlane { normal, limit: normal.dot(end) - me.radius * rate })
        };
        let past_left = (velocity - left).dot(self.left.leg);
        let past_right = (velocity - right).dot(self.right.leg);
        let (beyond_left, beyond_right) =
            ((velocity - left).dot(self.across) > 0.0, (velocity - right).dot(self.across) < 0.0);
        if (single && past_left < 0.0 && past_right < 0.0) || (beyond_left && past_left < 0.0) {
            return plane(towards(velocity, left), left);
        }
        if beyond_right && past_right < 0.0 {
            return plane(towards(velocity, right), right);
        }
        let faces = !single && !beyond_left && !beyond_right;
        let front = if faces { (velocity - left).cross(self.across).abs() } else { f32::INFINITY };
        let beside = |past: f32, off: Vector, leg: Vector| {
            if past < 0.0 { f32::INFINITY } else { off.cross(leg).abs() }
        };
        let by_left = beside(past_left, velocity - left, self.left.leg);
        let by_right = beside(past_right, velocity - right, self.right.leg);
        if front <= by_left && front <= by_right {
            plane(-self.across.left(), left)
        } else if by_left <= by_right {
            if self.left.foreign { None } else { plane(-self.left.leg.left(), left) }
        } else if self.right.foreign {
            None
        } else {
            plane(self.right.leg.left(), right)
        }
    }
}

impl End {
    /// Looks at a free end or an outer corner: the border is the tangent to the round end, or the other wall.
    fn new(at: Vector, radius: f32, is_left: bool, joint: Option<Vector>) -> End {
        let distance_squared = at.length_squared().max(1e-12);
        let leg = (distance_squared - radius * radius).max(0.0).sqrt() / distance_squared;
        let wide = if is_left { radius / distance_squared } else { -radius / distance_squared };
        let tangent = Vector::new(at.x * leg - at.y * wide, at.x * wide + at.y * leg);
        match joint {
            Some(away) if (tangent.cross(away) >= 0.0) == is_left => End { at, leg: away, foreign: true },
            _ => End { at, leg: tangent, foreign: false },
        }
    }
}

/// Returns the unit direction in which another wall leaves an end of a wall.
fn joint(wall: &NearWall, end: Vector, walls: &[NearWall]) -> Option<Vector> {
    let is_end = |at: Vector| (at - end).length_squared() < SAME * SAME;
    let other = walls.iter().find(|other| {
        let same = other.from == wall.from && other.to == wall.to;
        !same && is_end(other.from) != is_end(other.to)
    })?;
    Some(if is_end(other.from) { (other.to - other.from).unit() } else { (other.from - other.to).unit() })
}

/// Returns the unit direction from a velocity to an end of the obstacle.
fn towards(velocity: Vector, end: Vector) -> Vector {
    let unit = (end - velocity).unit();
    if unit == Vector::ZERO { end.unit() } else { unit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::{self, Body, walker};
    use crate::random::random;

    /// The time to contact at a relative velocity, by small steps.
    fn contact(offset: Vector, radii: f32, velocity: Vector, horizon: f32) -> bool {
        (0..=2000).any(|k| (offset - velocity * (horizon * k as f32 / 2000.0)).length() < radii)
    }

    #[test]
    fn the_change_ends_on_the_border_of_the_velocity_obstacle() {
        let (model, me) = (Orca::default(), walker());
        for case in 0..500 {
            let number = |stream| random(2, 0, case, stream) as f32 * 4.0 - 2.0;
            let offset = Vector::new(number(0), number(1));
            let relative = Vector::new(number(2), number(3));
            let other = Neighbour { offset, distance: offset.length(), radius: 0.2, ..Neighbour::default() };
            if other.distance < 0.42 {
                continue;
            }
            let (outward, change) = model.change(&me, &other, relative);
            let border = relative + outward * change;
            assert!((outward.length() - 1.0).abs() < 1e-4, "case {case}");
            assert_eq!(contact(offset, 0.4, relative, 2.0), change > 0.0, "case {case}: {change}");
            assert!(!contact(offset, 0.399, border, 2.0), "case {case}: the border is free");
            assert!(contact(offset, 0.405, border - outward * 0.01, 2.0), "case {case}: inside is not");
        }
    }

    /// True if a body that moves with a velocity meets a wall in time, by small steps.
    fn meets_wall(wall: &NearWall, radius: f32, velocity: Vector) -> bool {
        (0..=500).any(|k| {
            let at = velocity * (k as f32 / 500.0);
            testing::wall(wall.from - at, wall.to - at).distance < radius
        })
    }

    #[test]
    fn velocities_that_a_wall_allows_do_not_meet_it() {
        let model = Orca::default();
        let mut tried = 0;
        for case in 0..300 {
            let number = |stream| random(4, 0, case, stream) as f32 * 3.0 - 1.5;
            let wall = testing::wall(Vector::new(number(0), number(1)), Vector::new(number(2), number(3)));
            let me = View { velocity: Vector::new(number(4), number(5)), ..walker() };
            if wall.distance < 0.21 {
                continue;
            }
            let plane = model.wall_plane(&me, &wall, &[wall]).unwrap();
            for k in 0..40 {
                let velocity = Vector::new(number(10 + 2 * k), number(11 + 2 * k));
                if plane.normal.dot(velocity) <= plane.limit {
                    assert!(!meets_wall(&wall, 0.198, velocity), "case {case}: {velocity:?}");
                    tried += 1;
                }
            }
            // It forbids no more than needed: it touches the velocities that meet the wall.
            let on = me.velocity - plane.normal * (plane.normal.dot(me.velocity) - plane.limit);
            let reach = (0..400).any(|k| {
                let slide = plane.normal.left() * (k as f32 * 0.02 - 4.0);
                meets_wall(&wall, 0.203, on + slide + plane.normal * 0.01)
            });
            assert!(reach, "case {case}: {plane:?}");
        }
        assert!(tried > 1000);
    }

    #[test]
    fn inner_corners_and_straight_joints_have_no_legs() {
        let model = Orca::default();
        // The cell is left of both walls: the first runs west to east below, the second goes on.
        let below = testing::wall(Vector::new(-2.0, -0.5), Vector::new(0.3, -0.5));
        let me = View { velocity: Vector::new(1.0, -1.0), ..walker() };
        for end in [Vector::new(2.0, -0.5), Vector::new(0.3, 2.0)] {
            let next = testing::wall(Vector::new(0.3, -0.5), end);
            let plane = model.wall_plane(&me, &below, &[below, next]).unwrap();
            assert!((plane.normal - Vector::new(0.0, -1.0)).length() < 1e-4, "{plane:?}");
            assert!((plane.limit - 0.3).abs() < 1e-4, "{plane:?}");
        }
        // At an outer corner the body may turn around the end.
        let next = testing::wall(Vector::new(0.3, -0.5), Vector::new(0.3, -2.0));
        let plane = model.wall_plane(&me, &below, &[below, next]).unwrap();
        assert!(plane.normal.x < -0.3, "{plane:?}");
    }

    #[test]
    fn who_has_priority_hardly_gives_way() {
        let model = Orca::default();
        let aside = |priorities: [u8; 2]| {
            let mut bodies = [Body::walking([0.0, 0.0], [8.0, 0.0]), Body::walking([8.0, 0.05], [0.0, 0.05])];
            for (body, priority) in bodies.iter_mut().zip(priorities) {
                body.priority = priority;
            }
            let mut most = 0.0f64;
            for _ in 0..50 {
                testing::walk(&model, &mut bodies, &[], 0.11);
                most = most.max(bodies[0].at[1].abs());
            }
            most
        };
        let [equal, first, last] = [[0, 0], [1, 0], [0, 1]].map(aside);
        assert!(first < 0.5 * equal && last > 1.4 * equal, "{first} {equal} {last}");
    }

    #[test]
    fn two_pass_and_standers_make_room() {
        let model = Orca::default();
        testing::check_bounds(&model);
        testing::check_pass(&model, 0.1, 1e-3);
        testing::check_pass(&model, 0.0, 1e-3);
        testing::check_rest(&model);
        testing::check_way_past_stander(&model, 1e-3);
    }

    #[test]
    fn a_body_walks_through_a_gap_between_walls() {
        let walls = [
            [[3.0, 5.0], [3.0, 0.3]],
            [[3.0, 0.3], [3.2, 0.3]],
            [[3.2, 0.3], [3.2, 5.0]],
            [[3.2, -5.0], [3.2, -0.3]],
            [[3.2, -0.3], [3.0, -0.3]],
            [[3.0, -0.3], [3.0, -5.0]],
        ];
        let mut bodies = [Body::walking([0.0, 0.05], [6.0, 0.0])];
        testing::walk(&Orca::default(), &mut bodies, &walls, 8.0);
        assert!(bodies[0].stands, "{bodies:?}");
    }
}

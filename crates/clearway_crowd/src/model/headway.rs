//! Headway: heading by free distance, speed by the headway ahead, right of way by the length of the way left.
//!
//! The speed follows the law of Weidmann (1993), with the squared headway in place of the area per person. A headway
//! counts within a lane of the width of a body. Bodies keep right of oncoming bodies, and make room for those that go
//! first and wish to come. Definition, parameters and measurements: `docs/decisions/headway.md`. Cost: linear in the
//! number of neighbours, for each of eleven directions where the way is not free.

use std::f32::consts::FRAC_1_SQRT_2;

use super::{Act, LocalModel, NearWall, Neighbour, Spec, View};
use crate::half_planes::{HalfPlane, nearest};
use crate::ops::exp;
use crate::vector::Vector;

/// The default model. Its fields are its parameters; the law and the values are those of `docs/decisions/headway.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Headway {
    /// The steepness of Weidmann's law, 1/m²: his value.
    pub gamma: f32,
    /// The density at which nobody moves, 1/m²: Weidmann's value.
    pub jam: f32,
    /// The area per squared headway. Smaller values need more room at the same speed.
    pub area: f32,
    /// The width of the lane in which a body ahead counts, in metres.
    pub lane: f32,
    /// The time in seconds by which a gap that opens is anticipated. It lifts the flow where a crowd accelerates. Bodies
    /// of less than 0.2 m radius anticipate less, in proportion: else they pass doors faster than people do.
    pub anticipation: f32,
    /// The time in seconds in which the velocity follows.
    pub relaxation: f32,
    /// The look-ahead in seconds.
    pub horizon: f32,
    /// Walls count for the heading if they are met within this time, in seconds.
    pub wall: f32,
    /// The clearance in metres that is sought beside others. It shrinks with the gap.
    pub clear: f32,
    /// The turn to the right for each oncoming body. A negative value keeps left.
    pub keep: f32,
    /// The headway to an oncoming body counts so many times.
    pub oncoming: f32,
    /// The gap in metres from which room is made.
    pub gap: f32,
    /// The speed in m/s with which room is made.
    pub give: f32,
}

clearway_base::setters!(Headway {
    gamma: f32,
    jam: f32,
    area: f32,
    lane: f32,
    anticipation: f32,
    relaxation: f32,
    horizon: f32,
    wall: f32,
    clear: f32,
    keep: f32,
    oncoming: f32,
    gap: f32,
    give: f32
});

impl Default for Headway {
    fn default() -> Headway {
        Headway {
            gamma: 1.913,
            jam: 5.4,
            area: 0.63,
            lane: 0.36,
            anticipation: 4.0,
            relaxation: 0.1,
            horizon: 4.0,
            wall: 0.6,
            clear: 0.2,
            keep: 0.25,
            oncoming: 1.6,
            gap: 0.1,
            give: 0.6,
        }
    }
}

/// The number of bodies in front that decide about heading and speed. Bodies farther than 16 others hide behind them.
const FRONT: usize = 16;

/// The largest number of bodies for which room is made at once: no more touch from one side.
const MOST_GUESTS: usize = 8;

/// The weight of the angle to the base in the choice of a direction. Where every direction is blocked, a body must still
/// press on along its way: those who go later make room only for one who wishes to come.
const STRAIGHTEST: f32 = 0.03;

/// The sum of two radii in metres, of adults, for which the parameters were fitted.
const ADULT: f32 = 0.4;

/// The clear width in metres in which two people can walk abreast: twice the breadth of shoulders. In less they walk in
/// single file, fully so in the second width: the narrowest in which bodies of 0.2 m stand beside each other.
const ABREAST: [f32; 2] = [0.9, 0.8];

/// The number of directions that are tried at once: both turns of each angle, filled up to whole vector registers.
const FAN: usize = 12;

/// The place of the base among the directions that are tried at once: behind the turns.
const STRAIGHT: usize = 2 * TURNS.len();

/// The number of bodies in front from which all directions are tried at once.
const MANY: usize = 6;

/// Cosine and sine of the turns that are tried: 10, 20, 32, 46 and 60 degrees.
const TURNS: [(f32, f32); 5] =
    [(0.984_81, 0.173_65), (0.939_69, 0.342_02), (0.848_05, 0.529_92), (0.694_66, 0.719_34), (0.5, 0.866_03)];

impl LocalModel for Headway {
    fn spec(&self) -> Spec {
        // Behind it reacts only to bodies that nearly touch.
        Spec::new("headway").behind(0.0)
    }

    super::named::parameters!(gamma in 0.01..100.0, jam in 0.5..20.0, area in 0.01..10.0, lane in 0.01..5.0,
        anticipation in 0.0..20.0, relaxation in 0.01..10.0, horizon in 0.1..20.0, wall in 0.0..10.0, clear in 0.0..2.0,
        keep in -2.0..2.0, oncoming in 0.1..10.0, gap in 0.001..2.0, give in 0.0..3.0);

    fn act(&self, me: &View, near: &[Neighbour], walls: &[NearWall]) -> Act {
        let mut front = [Ahead::default(); FRONT];
        let (mut count, mut turn, mut close) = (0, 0.0, 0);
        let closest = self.gap.max(QUEUING);
        for (place, other) in near.iter().enumerate() {
            close = if other.gap(me.radius) < closest { place + 1 } else { close };
            let along = other.offset.dot(me.head);
            if along <= 0.0 {
                continue;
            }
            let oncoming = is_oncoming(me, other);
            if oncoming {
                turn += self.keep * along / (other.distance * other.distance.max(0.4));
            }
            if count < FRONT {
                front[count] = self.ahead(me, other, oncoming);
                count += 1;
            }
        }
        // The nearest come first, so that all who are close are among the first few.
        let (front, close) = (&front[..count], &near[..close]);
        let lane = self.lane_between(me, walls);
        let base = turned_right(me.head, turn.clamp(-0.6, 0.6));
        let heading = self.heading(me, front, walls, base);
        let (speed, slope) = self.speed(me, front, heading, lane);
        let wished = heading * speed + self.dodge(me, close);
        // The exact solution over the step, with the headway linear in the own speed: stable for any time step, and the
        // same motion for short and long steps.
        let rate = 1.0 + slope;
        let share = (1.0 - exp(-rate * me.dt / self.relaxation)) / rate;
        let velocity = me.velocity + (wished - me.velocity) * share;
        let (state, retreat) = patience(me, close);
        let velocity = retreat.map_or(velocity, |direction| direction * self.give);
        Act { velocity: self.make_room(me, close, walls, velocity), state }
    }
}

/// A body in front, with what does not depend on the direction that is tried.
#[derive(Clone, Copy, Default)]
struct Ahead {
    /// The offset to its centre.
    offset: Vector,
    /// Its velocity.
    velocity: Vector,
    /// The squared distance of the centres.
    distance_squared: f32,
    /// The squared distance minus the square of the radii and the clearance.
    beyond: f32,
    /// The gap, not negative.
    gap: f32,
    /// Headways are divided by this: 1, or more for large bodies.
    size: f32,
    /// The time by which a gap that opens is anticipated.
    anticipation: f32,
    /// True if it comes towards me.
    oncoming: bool,
    /// True if it counts for the speed: it comes towards me or goes first.
    counts: bool,
}

impl Headway {
    /// Gathers what does not depend on the direction.
    #[inline]
    fn ahead(&self, me: &View, other: &Neighbour, oncoming: bool) -> Ahead {
        let (gap, radii) = (other.gap(me.radius), me.radius + other.radius);
        let wide = radii + (0.25 * gap).clamp(0.0, self.clear);
        let distance_squared = other.distance * other.distance;
        Ahead {
            offset: other.offset,
            velocity: other.velocity,
            distance_squared,
            beyond: distance_squared - wide * wide,
            gap: gap.max(0.0),
            size: (radii / ADULT).max(1.0),
            anticipation: self.anticipation * (radii / ADULT).min(1.0),
            oncoming,
            counts: oncoming || other.first,
        }
    }

    /// Returns the direction in which to walk: the one that comes nearest to the base where nothing is in the way.
    fn heading(&self, me: &View, front: &[Ahead], walls: &[NearWall], base: Vector) -> Vector {
        let most = me.speed * self.horizon;
        // Among many the way is hardly ever free: then it is looked at together with the others.
        if front.len() < MANY {
            let [straight] = self.free(me, front, walls, &[base.x], &[base.y], most);
            if straight >= most {
                return base;
            }
        }
        let last = me.velocity.unit();
        // The squared distance from the end of the free way to the end of the wished one, and a little memory.
        let cost = |cos: f32, direction: Vector, free: f32| {
            most * most + free * free - 2.0 * most * free * cos
                + 0.02 * most * most * (1.0 - direction.dot(last))
                + STRAIGHTEST * most * most * (1.0 - cos)
        };
        let (mut xs, mut ys) = ([base.x; FAN], [base.y; FAN]);
        for (number, (cos, sin)) in TURNS.iter().enumerate() {
            // To the right first: on ties the first wins.
            for (place, sin) in [(2 * number, -sin), (2 * number + 1, *sin)] {
                let direction = base.turned((*cos, sin));
                (xs[place], ys[place]) = (direction.x, direction.y);
            }
        }
        let free = self.free(me, front, walls, &xs, &ys, most);
        let straight = free[STRAIGHT];
        if straight >= most {
            return base;
        }
        let (mut best, mut heading) = (cost(1.0, base, straight), base);
        for (place, free) in free.iter().enumerate().take(STRAIGHT) {
            let direction = Vector::new(xs[place], ys[place]);
            let cost = cost(TURNS[place / 2].0, direction, *free);
            if cost < best - 1e-6 * most * most {
                (best, heading) = (cost, direction);
            }
        }
        heading
    }

    /// Returns the lengths of the ways to the first contact at the free speed in several directions, with the others
    /// moving on; at most `most`. Without branches on directions, so that the compiler computes several at once.
    #[inline]
    fn free<const N: usize>(
        &self,
        me: &View,
        front: &[Ahead],
        walls: &[NearWall],
        xs: &[f32; N],
        ys: &[f32; N],
        most: f32,
    ) -> [f32; N] {
        // Times until a contact; a selection is cheaper than `min`, which looks for what is no number.
        let mut first = [self.horizon; N];
        for other in front {
            // It goes away faster than anybody can follow.
            let away = other.offset.dot(other.velocity);
            if away > 0.0 && away * away >= other.distance_squared * me.speed * me.speed {
                continue;
            }
            if other.beyond <= 0.0 {
                touch(me, other, xs, ys, &mut first);
                continue;
            }
            for place in 0..N {
                let (x, y) =
                    (xs[place] * me.speed - other.velocity.x, ys[place] * me.speed - other.velocity.y);
                let closing = other.offset.x * x + other.offset.y * y;
                let speed_squared = x * x + y * y;
                let square = closing * closing - speed_squared * other.beyond;
                let is_real = (square > 0.0) & (closing > 0.0);
                let time = (closing - if square > 0.0 { square } else { 0.0 }.sqrt()) / speed_squared;
                let time = if is_real { time } else { f32::INFINITY };
                first[place] = if time < first[place] { time } else { first[place] };
            }
        }
        let mut best = first.map(|time| (time.max(0.0) * me.speed).min(most));
        for wall in walls {
            let (scale, room) = (1.0 / wall.distance.max(1e-9), (wall.distance - me.radius).max(0.0));
            if room >= self.wall * me.speed {
                continue;
            }
            for place in 0..N {
                let cos = (wall.offset.x * xs[place] + wall.offset.y * ys[place]) * scale;
                // A wall that is met late is no reason not to turn aside: one turns back in time.
                let counts = (cos > 0.05) & (room < self.wall * me.speed * cos);
                let way = if counts { room / cos } else { f32::INFINITY };
                best[place] = if way < best[place] { way } else { best[place] };
            }
        }
        best
    }

    /// Returns the width of the lane in which bodies ahead count. Between two walls where nobody can walk abreast it is all
    /// the room that a body has: whoever is ahead leads.
    fn lane_between(&self, me: &View, walls: &[NearWall]) -> f32 {
        let mut room = [f32::INFINITY; 2];
        for wall in walls {
            let aside = me.head.left().dot(wall.offset);
            // Walls within 45 degrees of the side.
            if aside.abs() > FRAC_1_SQRT_2 * wall.distance {
                let side = &mut room[usize::from(aside > 0.0)];
                *side = side.min(wall.distance);
            }
        }
        let (width, [wide, narrow]) = (room[0] + room[1], ABREAST);
        if width >= wide {
            return self.lane;
        }
        let share = ((wide - width) / (wide - narrow)).min(1.0);
        self.lane + share * (width - 2.0 * me.radius - self.lane).max(0.0)
    }

    /// Returns the speed by the least headway, and how much it depends on the own speed through anticipation.
    fn speed(&self, me: &View, front: &[Ahead], heading: Vector, lane: f32) -> (f32, f32) {
        let (mut least, mut ahead) = (f32::INFINITY, 0.0);
        for other in front {
            let along = other.offset.dot(heading);
            if along <= 0.0 || !other.counts {
                continue;
            }
            let aside_squared = (other.distance_squared - along * along).max(0.0);
            let aside = aside_squared * aside_squared / (lane * lane * along);
            let headway = (along + aside) / other.size;
            let faster =
                if other.oncoming { 0.0 } else { (other.velocity - me.velocity).dot(heading).max(0.0) };
            let headway =
                if other.oncoming { self.oncoming * headway } else { headway + other.anticipation * faster };
            if headway < least {
                least = headway;
                ahead = if faster > 0.0 { other.anticipation } else { 0.0 };
            }
        }
        if least == f32::INFINITY {
            return (me.speed, 0.0);
        }
        let room = self.area * least * least - 1.0 / self.jam;
        let speed = me.speed * (1.0 - exp(-self.gamma * room)).max(0.0);
        (speed, 2.0 * self.gamma * self.area * least * (me.speed - speed) * ahead)
    }

    /// Returns the velocity past oncoming bodies: along the tangent that leads to the right of the way.
    fn dodge(&self, me: &View, near: &[Neighbour]) -> Vector {
        let mut sum = Vector::ZERO;
        for other in near {
            let gap = other.gap(me.radius);
            if gap >= self.gap || !is_oncoming(me, other) {
                continue;
            }
            let tangent = other.direction().left();
            let leads_left = tangent.dot(me.head.left()) > 0.0;
            let tangent = if leads_left == (self.keep >= 0.0) { -tangent } else { tangent };
            sum += tangent * (self.give * (1.0 - gap / self.gap).min(1.0));
        }
        sum.at_most(self.give)
    }

    /// Returns the velocity that makes room for those who go first and wish to come here.
    fn make_room(&self, me: &View, near: &[Neighbour], walls: &[NearWall], velocity: Vector) -> Vector {
        let mut planes = [HalfPlane::default(); 12];
        let mut count = 0;
        for other in near {
            let gap = other.gap(me.radius);
            if gap >= self.gap || count == MOST_GUESTS || !other.first || is_oncoming(me, other) {
                continue;
            }
            let normal = other.direction();
            let comes = -other.wish.dot(normal);
            if comes > 0.0 {
                let limit = -comes.min(self.give) * (1.0 - gap / self.gap).min(1.0);
                planes[count] = HalfPlane { normal, limit };
                count += 1;
            }
        }
        if count == 0 {
            return velocity;
        }
        // Room is made along walls, not into them: else two bodies and a corner hold each other in a doorway.
        for wall in walls.iter().take(planes.len() - MOST_GUESTS) {
            let gap = wall.distance - me.radius;
            if gap < self.gap {
                let normal = wall.offset * (1.0 / wall.distance.max(1e-9));
                planes[count] = HalfPlane { normal, limit: gap.max(0.0) / me.dt };
                count += 1;
            }
        }
        nearest(&planes[..count], velocity)
    }
}

/// Shortens the times of the directions that lead towards a body within the clearance: only its gap is left.
fn touch<const N: usize>(me: &View, other: &Ahead, xs: &[f32; N], ys: &[f32; N], first: &mut [f32; N]) {
    let time = other.gap / me.speed.max(f32::MIN_POSITIVE);
    for place in 0..N {
        let direction = Vector::new(xs[place], ys[place]);
        let closing = other.offset.dot(direction * me.speed - other.velocity);
        if closing > 0.0 && other.offset.dot(direction) > 0.0 && time < first[place] {
            first[place] = time;
        }
    }
}

/// The speed in m/s below which a walking body is stuck.
const STUCK_SPEED: f32 = 0.02;

/// The gap in metres to somebody ahead below which a body is in a queue.
const QUEUING: f32 = 0.2;

/// The time in seconds for which a body is stuck until it may step back: longer than most stops in a queue.
const PATIENCE: f32 = 3.0;

/// The mean time in seconds after which an impatient body steps back, and how long it does so. Both are short against a
/// jam and long against a step, so that one body of an arch steps back while the others stay.
const STEP_BACK: (f32, f32) = (6.0, 0.6);

/// Counts how long a body is stuck. Returns its state for the next step, and the direction of a step back, if it makes one.
///
/// Three or four bodies and the corners of walls may hold each other for ever, each with the right of way over the next.
/// If the one who goes first steps back, they are free. The state holds the time stuck, the rest of the step back, and its side.
fn patience(me: &View, near: &[Neighbour]) -> ([f32; 4], Option<Vector>) {
    let [mut stuck, mut rest, mut side, other] = me.state;
    let is_slow = !me.stands && me.velocity.length_squared() < STUCK_SPEED * STUCK_SPEED;
    // Who waits for somebody ahead is in a queue, not stuck.
    let is_stuck = is_slow && !near.iter().any(|other| other.first && other.gap(me.radius) < QUEUING);
    stuck = if is_stuck || rest > 0.0 { stuck + me.dt } else { 0.0 };
    rest = (rest - me.dt).max(0.0);
    let (mean, long) = STEP_BACK;
    if rest == 0.0 && stuck > PATIENCE && me.random(31) < me.dt / mean {
        (stuck, rest, side) = (0.0, long, if me.random(32) < 0.5 { -1.0 } else { 1.0 });
    }
    // Back and aside by 45 degrees.
    let direction = (rest > 0.0).then(|| me.head.turned((-FRAC_1_SQRT_2, FRAC_1_SQRT_2 * side)));
    ([stuck, rest, side, other], direction)
}

/// True if another body with another goal comes towards me.
#[inline]
fn is_oncoming(me: &View, other: &Neighbour) -> bool {
    !other.mate && me.head.dot(other.head) < -0.3
}

/// Returns a direction turned right by an angle of at most 0.6 radians, by the first terms of sine and cosine.
fn turned_right(direction: Vector, angle: f32) -> Vector {
    if angle == 0.0 {
        return direction;
    }
    let square = angle * angle;
    let cos = 1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0)));
    let sin = angle * (1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0))));
    direction.turned((cos, -sin))
}

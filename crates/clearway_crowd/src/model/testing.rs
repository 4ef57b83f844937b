//! A tiny world without engine or contact projection for tests of models: frozen states, then one step for all.

use super::{LocalModel, NearWall, Neighbour, View};
use crate::random::random;
use crate::vector::Vector;

/// A body of the tiny world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    pub at: [f64; 2],
    pub goal: [f64; 2],
    pub velocity: Vector,
    pub wish: Vector,
    pub radius: f32,
    pub speed: f32,
    pub priority: u8,
    pub stands: bool,
    pub state: [f32; 4],
}

impl Body {
    /// Makes a body of 0.2 m that walks from one place to another at 1.34 m/s.
    pub fn walking(at: [f64; 2], goal: [f64; 2]) -> Body {
        let rest = Vector::ZERO;
        let stands = at == goal;
        Body {
            at,
            goal,
            velocity: rest,
            wish: rest,
            radius: 0.2,
            speed: 1.34,
            priority: 0,
            stands,
            state: [0.0; 4],
        }
    }

    /// Makes a body that stands.
    pub fn standing(at: [f64; 2]) -> Body {
        Body::walking(at, at)
    }

    /// Returns the offset to the goal.
    fn way(&self) -> Vector {
        Vector::between(self.at, self.goal)
    }

    /// Returns the unit direction of the way.
    fn head(&self) -> Vector {
        if self.stands { Vector::ZERO } else { self.way().unit() }
    }
}

/// The view of a lone body that walks in the direction of x.
pub(super) fn walker() -> View {
    let head = Vector::new(1.0, 0.0);
    View {
        velocity: head * 1.34,
        wish: head * 1.34,
        head,
        target: head * 10.0,
        left: 10.0,
        radius: 0.2,
        speed: 1.34,
        priority: 0,
        stands: false,
        id: 1,
        state: [0.0; 4],
        dt: 0.05,
        seed: 1,
        step: 0,
    }
}

/// The view of a lone body that stands.
pub(super) fn stander() -> View {
    let rest = Vector::ZERO;
    View {
        velocity: rest,
        wish: rest,
        head: rest,
        target: rest,
        left: 0.0,
        speed: 0.0,
        stands: true,
        ..walker()
    }
}

/// Makes a wall from one offset to another.
pub(super) fn wall(from: Vector, to: Vector) -> NearWall {
    let along = to - from;
    let part = (-from.dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    let offset = from + along * part;
    NearWall { offset, distance: offset.length(), from, to }
}

/// Advances the bodies and returns the least gap between two of them on the way.
pub(super) fn walk(
    model: &dyn LocalModel,
    bodies: &mut [Body],
    walls: &[[[f64; 2]; 2]],
    seconds: f64,
) -> f32 {
    let dt = f64::from(model.spec().max_dt.min(0.1));
    let mut least = f32::INFINITY;
    for step in 0..(seconds / dt) as u64 {
        let frozen = bodies.to_vec();
        for (number, body) in bodies.iter_mut().enumerate() {
            advance(model, body, number, &frozen, walls, (dt, step));
        }
        least = least.min(least_gap(bodies));
    }
    least
}

/// Advances one body by one step among frozen bodies.
fn advance(
    model: &dyn LocalModel,
    body: &mut Body,
    number: usize,
    frozen: &[Body],
    walls: &[[[f64; 2]; 2]],
    (dt, step): (f64, u64),
) {
    let me = view(body, number as u32, dt as f32, step);
    let seen: Vec<NearWall> = walls
        .iter()
        .map(|[from, to]| wall(Vector::between(body.at, *from), Vector::between(body.at, *to)))
        .filter(|near| near.distance <= model.spec().wall_range)
        .collect();
    let act = model.act(&me, &neighbours(model, number, frozen), &seen);
    assert!(act.velocity.is_finite(), "{} wishes {:?}", model.spec().name, act.velocity);
    (body.wish, body.velocity, body.state) = (act.velocity, act.velocity, act.state);
    body.at[0] += f64::from(act.velocity.x) * dt;
    body.at[1] += f64::from(act.velocity.y) * dt;
    body.stands |= body.way().length() < 0.1;
}

/// Returns a body as its model sees it.
fn view(body: &Body, id: u32, dt: f32, step: u64) -> View {
    let left = if body.stands { 0.0 } else { body.way().length() };
    View {
        velocity: body.velocity,
        wish: body.wish,
        head: body.head(),
        target: if body.stands { Vector::ZERO } else { body.way() },
        left,
        radius: body.radius,
        speed: if body.stands { 0.0 } else { body.speed },
        priority: body.priority,
        stands: body.stands,
        id,
        state: body.state,
        dt,
        seed: 1,
        step,
    }
}

/// Returns the neighbours of a body, nearest first.
fn neighbours(model: &dyn LocalModel, number: usize, frozen: &[Body]) -> Vec<Neighbour> {
    let me = &frozen[number];
    let mut near: Vec<Neighbour> = frozen
        .iter()
        .enumerate()
        .filter(|(id, _)| *id != number)
        .map(|(id, other)| {
            let offset = Vector::between(me.at, other.at);
            let (left, own) = (other.way().length(), me.way().length());
            Neighbour {
                offset,
                distance: offset.length(),
                velocity: other.velocity,
                wish: other.wish,
                head: other.head(),
                radius: other.radius,
                id: id as u32,
                priority: other.priority,
                mate: other.goal == me.goal,
                first: (left, id) < (own, number),
                stands: other.stands,
            }
        })
        .filter(|other| other.distance <= model.spec().range)
        .collect();
    near.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
    near.truncate(model.spec().neighbours);
    near
}

/// Returns the least gap between two bodies.
fn least_gap(bodies: &[Body]) -> f32 {
    let mut least = f32::INFINITY;
    for (count, body) in bodies.iter().enumerate() {
        for other in &bodies[..count] {
            let apart = Vector::between(body.at, other.at).length();
            least = least.min(apart - body.radius - other.radius);
        }
    }
    least
}

/// Makes a view, neighbours and walls of all sizes and distances, also equal places, touching and overlapping bodies.
pub(crate) fn random_view(model: &dyn LocalModel, case: u64) -> (View, Vec<Neighbour>, Vec<NearWall>) {
    let number = |stream: u32| random(11, 0, case, stream) as f32;
    let vector = |stream: u32, length: f32| {
        let (sin, cos) = (number(stream) * std::f32::consts::TAU).sin_cos();
        Vector::new(cos, sin) * (number(stream + 1) * length)
    };
    // One in four numbers is zero, so that every kind of zero meets every other.
    let or_zero = |stream: u32, value: f32| if number(stream) < 0.25 { 0.0 } else { value };
    let spec = model.spec();
    let stands = number(0) < 0.2;
    let radius = if number(1) < 0.1 { 50.0 } else { 0.1 + number(2) };
    let speed = if stands { 0.0 } else { or_zero(3, 3.0 * number(4)) };
    let head = if stands { Vector::ZERO } else { vector(5, 1.0).unit() };
    let left = if stands { 0.0 } else { or_zero(7, 20.0 * number(8)) };
    let velocity = vector(9, or_zero(11, 3.0));
    let me = View {
        velocity,
        wish: velocity,
        head,
        target: head * left,
        left,
        radius,
        speed,
        priority: (number(12) * 3.0) as u8,
        stands,
        id: 5,
        state: [number(13), number(14), number(15), number(16)],
        dt: if number(17) < 0.2 { 1e-6 } else { spec.max_dt * number(18).max(0.01) },
        seed: 3,
        step: case,
    };
    let count = (number(20) * (spec.neighbours as f32 + 1.0)) as u32;
    let near = (0..count).map(|k| random_neighbour(spec.range, case, k)).collect();
    let walls = (0..(number(21) * 6.0) as u32)
        .map(|k| wall(vector(2000 + 10 * k, 1.5), vector(2002 + 10 * k, 1.5)))
        .collect();
    (me, near, walls)
}

/// Makes a neighbour within a range.
fn random_neighbour(range: f32, case: u64, k: u32) -> Neighbour {
    let number = |stream: u32| random(12, k, case, stream) as f32;
    let vector = |stream: u32, length: f32| {
        let (sin, cos) = (number(stream) * std::f32::consts::TAU).sin_cos();
        Vector::new(cos, sin) * (number(stream + 1) * length)
    };
    let offset = if number(0) < 0.1 { Vector::ZERO } else { vector(1, range) };
    let stands = number(3) < 0.2;
    Neighbour {
        offset,
        distance: offset.length(),
        velocity: if number(4) < 0.3 { Vector::ZERO } else { vector(5, 3.0) },
        wish: vector(7, 2.0),
        head: if stands { Vector::ZERO } else { vector(9, 1.0).unit() },
        radius: 0.1 + number(11) * 0.5,
        id: 10 + k,
        priority: (number(12) * 3.0) as u8,
        mate: number(13) < 0.5,
        first: number(14) < 0.5,
        stands,
    }
}

/// Checks that a model wishes finite velocities within its own bound for any view.
pub(super) fn check_bounds(model: &dyn LocalModel) {
    let most = model.spec().max_speed;
    for case in 0..20_000 {
        let (me, near, walls) = random_view(model, case);
        let act = model.act(&me, &near, &walls);
        let name = model.spec().name;
        assert!(act.velocity.is_finite(), "{name}, case {case}: {:?}", act.velocity);
        assert!(act.state.iter().all(|value| value.is_finite()), "{name}, case {case}: {:?}", act.state);
        let bound = (most * me.speed).max(super::manners::STROLL) + 1e-3;
        assert!(act.velocity.length() <= bound, "{name}, case {case}: {:?} over {bound}", act.velocity);
    }
}

/// Checks that two bodies that walk towards each other, a little aside, pass without deep contact and arrive.
pub(super) fn check_pass(model: &dyn LocalModel, aside: f64, overlap: f32) {
    let (left, right) = ([0.0, 0.0], [8.0, aside]);
    let mut bodies = [Body::walking(left, [8.0, 0.0]), Body::walking(right, [0.0, aside])];
    let gap = walk(model, &mut bodies, &[], 14.0);
    let name = model.spec().name;
    assert!(gap > -overlap, "{name}: overlap {}", -gap);
    assert!(bodies.iter().all(|body| body.stands), "{name}: {bodies:?}");
}

/// Checks that bodies that stand near each other come to rest and stay there.
pub(super) fn check_rest(model: &dyn LocalModel) {
    let mut bodies: Vec<Body> =
        (0..9).map(|k| Body::standing([f64::from(k % 3) * 0.43, f64::from(k / 3) * 0.45])).collect();
    let walls = [[[-1.0, -0.25], [2.0, -0.25]]];
    walk(model, &mut bodies, &walls, 20.0);
    let before: Vec<[f64; 2]> = bodies.iter().map(|body| body.at).collect();
    walk(model, &mut bodies, &walls, 5.0);
    for (body, at) in bodies.iter().zip(before) {
        let moved = Vector::between(at, body.at).length();
        assert!(moved < 0.02, "{} moves a standing body by {moved} m", model.spec().name);
    }
}

/// Checks that a body that walks on a line gets past one that stands on it.
pub(super) fn check_way_past_stander(model: &dyn LocalModel, overlap: f32) {
    let mut bodies = [Body::walking([0.0, 0.0], [6.0, 0.0]), Body::standing([3.0, 0.02])];
    let gap = walk(model, &mut bodies, &[], 14.0);
    let name = model.spec().name;
    assert!(gap > -overlap, "{name}: overlap {}", -gap);
    assert!(bodies[0].stands, "{name}: {bodies:?}");
}

//! The engine beside a plain reference of its default model: 64-bit floats, all pairs, a periodic corridor.
//!
//! The reference follows the definition in `docs/decisions/headway.md` line by line, but for the step back of stuck bodies,
//! which begins only after three seconds. It shares no code with the engine.
#![allow(clippy::unwrap_used)]

use clearway_build::MeshOptions;
use clearway_crowd::{AgentOptions, Crowd, Goal, Wrap, random};
use clearway_world::plan::Plan;

type V = [f64; 2];

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn add(a: V, b: V, factor: f64) -> V {
    [a[0] + factor * b[0], a[1] + factor * b[1]]
}

fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}

fn left(a: V) -> V {
    [-a[1], a[0]]
}

fn turned(a: V, angle: f64) -> V {
    [a[0] * angle.cos() - a[1] * angle.sin(), a[0] * angle.sin() + a[1] * angle.cos()]
}

/// A body of the reference.
#[derive(Clone, Copy)]
struct Body {
    at: V,
    velocity: V,
    wish: V,
    head: V,
}

/// Another body as one sees it.
#[derive(Clone, Copy)]
struct Seen {
    offset: V,
    distance: f64,
    body: Body,
    oncoming: bool,
    first: bool,
}

const LENGTH: f64 = 26.0;
const SPEED: f64 = 1.34;
const DT: f64 = 0.05;
const HORIZON: f64 = 4.0;
const GIVE: f64 = 0.6;
const NEAR_GAP: f64 = 0.1;

/// The corridor and the bodies in it.
#[derive(Clone, Copy)]
struct Scene {
    width: f64,
    radius: f64,
}

/// The displacement or velocity nearest to a wish in all half-planes, by trying all corners.
fn nearest(planes: &[(V, f64)], wish: V) -> V {
    let fits = |p: V| planes.iter().all(|(n, limit)| dot(*n, p) <= limit + 1e-9);
    if fits(wish) {
        return wish;
    }
    let mut places = Vec::new();
    for (k, (n, limit)) in planes.iter().enumerate() {
        places.push(add(wish, *n, limit - dot(*n, wish)));
        for (m, other) in &planes[..k] {
            let cross = n[0] * m[1] - n[1] * m[0];
            if cross.abs() > 1e-9 {
                places.push([(limit * m[1] - other * n[1]) / cross, (other * n[0] - limit * m[0]) / cross]);
            }
        }
    }
    let far = |p: &V| length(add(*p, wish, -1.0));
    places.into_iter().filter(|p| fits(*p)).min_by(|p, q| far(p).total_cmp(&far(q))).unwrap_or([0.0; 2])
}

/// The way to the first contact in a direction.
fn free(scene: &Scene, me: &Body, front: &[Seen], walls: &[V], u: V) -> f64 {
    let mut best = SPEED * HORIZON;
    for seen in front {
        let relative = add([u[0] * SPEED, u[1] * SPEED], seen.body.velocity, -1.0);
        let closing = dot(seen.offset, relative);
        let gap = seen.distance - 2.0 * scene.radius;
        let wide = 2.0 * scene.radius + (0.25 * gap).clamp(0.0, 0.2);
        let beyond = seen.distance * seen.distance - wide * wide;
        if closing <= 0.0 {
            continue;
        }
        if beyond <= 0.0 {
            if dot(seen.offset, u) > 0.0 {
                best = best.min(gap.max(0.0));
            }
            continue;
        }
        let square = closing * closing - dot(relative, relative) * beyond;
        if square > 0.0 {
            best = best.min(((closing - square.sqrt()) / dot(relative, relative)).max(0.0) * SPEED);
        }
    }
    for wall in walls {
        let distance = length(add(*wall, me.at, -1.0));
        let cos = dot(add(*wall, me.at, -1.0), u) / distance;
        if cos > 0.05 && (distance - scene.radius).max(0.0) / cos < 0.6 * SPEED {
            best = best.min((distance - scene.radius).max(0.0) / cos);
        }
    }
    best
}

/// The direction in which a body walks.
fn heading(scene: &Scene, me: &Body, all: &[Seen], front: &[Seen], walls: &[V]) -> V {
    let ahead = |seen: &&Seen| seen.oncoming && dot(seen.offset, me.head) > 0.0;
    let turn: f64 = all
        .iter()
        .filter(ahead)
        .map(|s| 0.25 * dot(s.offset, me.head) / s.distance / s.distance.max(0.4))
        .sum();
    let base = turned(me.head, -turn.min(0.6));
    let most = SPEED * HORIZON;
    let straight = free(scene, me, front, walls, base);
    if straight >= most {
        return base;
    }
    let speed = length(me.velocity);
    let last = if speed > 1e-12 { [me.velocity[0] / speed, me.velocity[1] / speed] } else { [0.0; 2] };
    let cost = |cos: f64, u: V, f: f64| {
        most * most + f * f - 2.0 * most * f * cos
            + 0.02 * most * most * (1.0 - dot(u, last))
            + 0.03 * most * most * (1.0 - cos)
    };
    let (mut best, mut chosen) = (cost(1.0, base, straight), base);
    for degrees in [10.0f64, 20.0, 32.0, 46.0, 60.0] {
        for sign in [-1.0, 1.0] {
            let u = turned(base, sign * degrees.to_radians());
            let value = cost(degrees.to_radians().cos(), u, free(scene, me, front, walls, u));
            if value < best - 1e-6 * most * most {
                (best, chosen) = (value, u);
            }
        }
    }
    chosen
}

/// The width of the lane: all the room of a body where both walls are seen and nobody can walk abreast.
fn lane(scene: &Scene, walls: usize) -> f64 {
    if walls < 2 || scene.width >= 0.9 {
        return 0.36;
    }
    let share = ((0.9 - scene.width) / 0.1).min(1.0);
    0.36 + share * (scene.width - 2.0 * scene.radius - 0.36).max(0.0)
}

/// The velocity that a body wishes.
fn act(scene: &Scene, me: &Body, all: &[Seen], walls: &[V]) -> V {
    let in_front = |seen: &&Seen| dot(seen.offset, me.head) > 0.0;
    let front: Vec<Seen> = all.iter().filter(in_front).take(16).copied().collect();
    let u = heading(scene, me, all, &front, walls);
    let lane = lane(scene, walls.len());
    let anticipation = 4.0 * (2.0 * scene.radius / 0.4).min(1.0);
    let (mut least, mut ahead) = (f64::INFINITY, 0.0);
    for seen in &front {
        let x = dot(seen.offset, u);
        if x <= 0.0 || !(seen.oncoming || seen.first) {
            continue;
        }
        let y2 = seen.distance * seen.distance - x * x;
        let mut s = x + y2 * y2 / (lane * lane * x);
        let faster =
            if seen.oncoming { 0.0 } else { dot(add(seen.body.velocity, me.velocity, -1.0), u).max(0.0) };
        s = if seen.oncoming { 1.6 * s } else { s + anticipation * faster };
        if s < least {
            (least, ahead) = (s, if faster > 0.0 { anticipation } else { 0.0 });
        }
    }
    let (mut v, mut slope) = (SPEED, 0.0);
    if least.is_finite() {
        v = SPEED * (1.0 - (-1.913 * (0.63 * least * least - 1.0 / 5.4)).exp()).max(0.0);
        slope = 2.0 * 1.913 * 0.63 * least * (SPEED - v) * ahead;
    }
    let mut dodge = [0.0; 2];
    let mut planes = Vec::new();
    for seen in all {
        let gap = seen.distance - 2.0 * scene.radius;
        if gap >= NEAR_GAP {
            continue;
        }
        let n = [seen.offset[0] / seen.distance, seen.offset[1] / seen.distance];
        let part = (1.0 - gap / NEAR_GAP).min(1.0);
        if seen.oncoming {
            let t = left(n);
            let t = if dot(t, left(me.head)) > 0.0 { [-t[0], -t[1]] } else { t };
            dodge = add(dodge, t, GIVE * part);
        } else if seen.first && -dot(seen.body.wish, n) > 0.0 && planes.len() < 8 {
            planes.push((n, -(-dot(seen.body.wish, n)).min(GIVE) * part));
        }
    }
    if length(dodge) > GIVE {
        dodge = [dodge[0] * GIVE / length(dodge), dodge[1] * GIVE / length(dodge)];
    }
    let wished = add(dodge, u, v);
    let rate = 1.0 + slope;
    let share = (1.0 - (-rate * DT / 0.1).exp()) / rate;
    let velocity = add(me.velocity, add(wished, me.velocity, -1.0), share);
    if planes.is_empty() {
        return velocity;
    }
    for wall in walls {
        let q = add(*wall, me.at, -1.0);
        let gap = length(q) - scene.radius;
        if gap < NEAR_GAP {
            planes.push(([q[0] / length(q), q[1] / length(q)], gap.max(0.0) / DT));
        }
    }
    nearest(&planes, velocity)
}

/// One step of all bodies.
fn step(scene: &Scene, bodies: &[Body]) -> Vec<Body> {
    let moves: Vec<(V, V)> = (0..bodies.len()).map(|i| displacement(scene, bodies, i)).collect();
    let moved = bodies.iter().zip(moves).map(|(body, (wish, d))| {
        let mut at = add(body.at, d, 1.0);
        at[0] = at[0].rem_euclid(LENGTH);
        Body { at, velocity: [d[0] / DT, d[1] / DT], wish, head: body.head }
    });
    moved.collect()
}

/// The wish of a body, and its displacement after the contact projection.
fn displacement(scene: &Scene, bodies: &[Body], i: usize) -> (V, V) {
    let me = bodies[i];
    let mut all: Vec<Seen> = (0..bodies.len()).filter(|j| *j != i).map(|j| seen(&me, &bodies[j])).collect();
    let contact = 2.0 * scene.radius + 2.0 * 1.5 * SPEED * DT;
    // Behind, only those count that may touch.
    all.retain(|s| s.distance <= 2.5 && (dot(s.offset, me.head) >= 0.0 || s.distance <= contact));
    all.sort_by(|p, q| p.distance.total_cmp(&q.distance));
    all.truncate(32);
    let walls: Vec<V> = [[me.at[0], 0.0], [me.at[0], scene.width]]
        .into_iter()
        .filter(|w| (w[1] - me.at[1]).abs() <= 1.2)
        .collect();
    let wish = act(scene, &me, &all, &walls);
    let mut d = [wish[0] * DT, wish[1] * DT];
    let most = 1.5 * SPEED * DT;
    if length(d) > most {
        d = [d[0] * most / length(d), d[1] * most / length(d)];
    }
    let mut planes: Vec<(V, f64)> = walls
        .iter()
        .map(|w| {
            let q = add(*w, me.at, -1.0);
            ([q[0] / length(q), q[1] / length(q)], (length(q) - scene.radius).max(0.0))
        })
        .collect();
    planes.extend(all.iter().map(|s| {
        let n = [s.offset[0] / s.distance, s.offset[1] / s.distance];
        (n, 0.5 * (s.distance - 2.0 * scene.radius).max(0.0))
    }));
    (wish, nearest(&planes, d))
}

/// Another body as a body sees it across the ends of the corridor.
fn seen(me: &Body, other: &Body) -> Seen {
    let mut offset = add(other.at, me.at, -1.0);
    offset[0] -= LENGTH * (offset[0] / LENGTH).round();
    let oncoming = dot(me.head, other.head) < -0.3;
    Seen { offset, distance: length(offset), body: *other, oncoming, first: dot(offset, me.head) > 0.0 }
}

/// Runs the engine and the reference for 100 steps. Returns the largest distance of a body from its double.
fn apart(scene: &Scene, count: u32, both_ways: bool, seed: u64) -> f64 {
    let plan = Plan::from_rings([vec![[0.0, 0.0], [LENGTH, 0.0], [LENGTH, scene.width], [0.0, scene.width]]]);
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let mut crowd = Crowd::default();
    crowd.add_wrap(Wrap {
        from: [[LENGTH, 0.0], [LENGTH, scene.width]],
        to: [[0.0, 0.0], [0.0, scene.width]],
    });
    let mut bodies: Vec<Body> = Vec::new();
    let mut tries = 0;
    while bodies.len() < count as usize {
        let at = [
            LENGTH * random(seed, 0, tries, 1),
            scene.radius + 0.05 + (scene.width - 2.0 * scene.radius - 0.1) * random(seed, 0, tries, 2),
        ];
        tries += 1;
        let head = if both_ways && bodies.len() % 2 == 1 { [-1.0, 0.0] } else { [1.0, 0.0] };
        let body = Body { at, velocity: [0.0; 2], wish: [0.0; 2], head };
        if bodies.iter().all(|known| seen(&body, known).distance > 2.0 * scene.radius + 0.05) {
            bodies.push(body);
            let at = mesh.locate(at).unwrap();
            crowd.add(AgentOptions::at(at).radius(scene.radius).goal(Goal::Direction(head))).unwrap();
        }
    }
    for _ in 0..100 {
        crowd.step(&mesh, DT).unwrap();
        bodies = step(scene, &bodies);
    }
    let far = |(agent, body): (clearway_crowd::Agent, &Body)| {
        let mut offset = add(agent.at.position(), body.at, -1.0);
        offset[0] -= LENGTH * (offset[0] / LENGTH).round();
        length(offset)
    };
    crowd.agents().zip(&bodies).map(far).fold(0.0, f64::max)
}

/// Compares cases of number of bodies, both ways, seed. A tie between two directions may fall differently in 32 and in 64
/// bits, and from there two runs part. The cases are those without such a tie within their 100 steps.
fn compare(scene: Scene, cases: &[(u32, bool, u64)]) {
    for (count, both_ways, seed) in cases {
        let apart = apart(&scene, *count, *both_ways, *seed);
        assert!(apart < 1e-3, "{count} bodies, both ways {both_ways}, seed {seed}: {apart} m");
    }
}

#[test]
fn the_engine_moves_as_the_reference() {
    let alone = [(1, false, 1), (1, false, 2), (20, false, 1), (20, false, 2), (20, false, 3)];
    let among = [
        (40, false, 1),
        (40, false, 2),
        (10, true, 1),
        (10, true, 2),
        (10, true, 3),
        (30, true, 1),
        (30, true, 2),
    ];
    let scene = Scene { width: 3.0, radius: 0.2 };
    compare(scene, &alone);
    compare(scene, &among);
}

#[test]
fn small_bodies_move_as_the_reference() {
    compare(
        Scene { width: 3.0, radius: 0.15 },
        &[(20, false, 1), (40, false, 1), (10, true, 1), (30, true, 1)],
    );
}

#[test]
fn single_file_moves_as_the_reference() {
    compare(Scene { width: 0.8, radius: 0.15 }, &[(10, false, 1), (20, false, 1), (20, false, 2)]);
}

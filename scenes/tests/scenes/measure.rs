//! Measures of plans, written for clarity.

use clearway_scenes::PlanDrawing;

pub type Point = [f64; 2];

pub fn closed_rings(plan: &PlanDrawing) -> Vec<&Vec<Point>> {
    let polygons = plan.polygons.iter().flat_map(|(outline, holes)| std::iter::once(outline).chain(holes));
    polygons.chain(&plan.rings).collect()
}

pub fn points(plan: &PlanDrawing) -> impl Iterator<Item = Point> {
    closed_rings(plan).into_iter().chain(&plan.walls).flatten().copied()
}

/// FNV-1a over the exact coordinates and the lengths of all lines.
pub fn digest(plan: &PlanDrawing) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bits: u64| {
        for byte in bits.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for line in closed_rings(plan).into_iter().chain(&plan.walls) {
        add(line.len() as u64);
        line.iter().flatten().for_each(|coordinate| add(coordinate.to_bits()));
    }
    hash
}

/// An edge of a ring in whole steps, with the ring's number and the edge's place in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    ring: usize,
    place: usize,
    ring_length: usize,
    from: [i64; 2],
    to: [i64; 2],
}

/// Two edges that share a point other than the corner between neighbours, if there are any.
///
/// Exact: coordinates must be multiples of `step`. Edges are swept from left to right; each is tested against
/// all that begin before it ends.
pub fn first_contact(plan: &PlanDrawing, step: f64) -> Option<[Edge; 2]> {
    let mut edges = edges_of(plan, step);
    edges.sort_by_key(|edge| edge.from[0].min(edge.to[0]));
    let mut active: Vec<Edge> = Vec::new();
    for edge in edges {
        let left = edge.from[0].min(edge.to[0]);
        active.retain(|other| other.from[0].max(other.to[0]) >= left);
        if let Some(other) = active.iter().find(|other| in_contact(other, &edge)) {
            return Some([*other, edge]);
        }
        active.push(edge);
    }
    None
}

fn edges_of(plan: &PlanDrawing, step: f64) -> Vec<Edge> {
    let whole = |point: &Point| {
        point.map(|x| {
            assert!(((x / step).round() - x / step).abs() < 1e-6, "{x} is not a multiple of {step}");
            (x / step).round() as i64
        })
    };
    let mut edges = Vec::new();
    for (ring, points) in closed_rings(plan).into_iter().enumerate() {
        for (place, (from, to)) in points.iter().zip(points.iter().cycle().skip(1)).enumerate() {
            edges.push(Edge { ring, place, ring_length: points.len(), from: whole(from), to: whole(to) });
        }
    }
    edges
}

fn in_contact(a: &Edge, b: &Edge) -> bool {
    let follows = |a: &Edge, b: &Edge| a.ring == b.ring && (a.place + 1) % a.ring_length == b.place;
    if follows(a, b) {
        return folds_back(a.from, a.to, b.to);
    }
    if follows(b, a) {
        return folds_back(b.from, b.to, a.to);
    }
    let apart = |k: usize| {
        a.from[k].max(a.to[k]) < b.from[k].min(b.to[k]) || b.from[k].max(b.to[k]) < a.from[k].min(a.to[k])
    };
    let splits = |a: &Edge, b: &Edge| turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) <= 0;
    !apart(0) && !apart(1) && splits(a, b) && splits(b, a)
}

fn folds_back(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> bool {
    let dot = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]);
    a == b || b == c || (turn(a, b, c) == 0 && dot > 0)
}

fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).signum()
}

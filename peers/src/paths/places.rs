//! Small questions about places: where is this point, asked out of the blue and asked step by step along a walk;
//! how wide may a body be.

use clearway::NavMesh;
use clearway::mesh::{Cell, CellId};
use clearway_scenes::Random;
use serde::Serialize;

use super::maps::Map;
use super::measure::median;
use super::peer::{PlacePeer, Point, Widest};
use crate::clock::Stopwatch;

const WALK_POINTS: usize = 4096;
const WALK_STEP: f64 = 0.25;
const SEED: u64 = 1;
/// Questions that take microseconds need no more.
const MOST_WIDEST: usize = 500;

/// One peer's times on one map.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlaceRow {
    /// The map.
    pub map: String,
    /// The peer.
    pub peer: String,
    /// Nanoseconds to locate a point that has nothing to do with the last one, on average.
    pub cold_ns: Option<f64>,
    /// Nanoseconds to locate a point a step away from the last one, on average.
    pub coherent_ns: Option<f64>,
    /// Points that the peer did not find.
    pub missed: usize,
    /// Microseconds for the widest radius between two points, locating included; the median.
    pub widest_us: Option<f64>,
}

/// The ends of the map's queries, in their order.
pub fn ends_of_queries(map: &Map) -> Vec<Point> {
    map.queries.iter().flat_map(|query| [query.start, query.goal]).collect()
}

/// Times every peer on places without order and on a walk through the map's mesh.
pub fn measure(
    peers: &mut [Box<dyn PlacePeer>],
    map: &Map,
    places: &[Point],
    rounds: usize,
) -> Vec<PlaceRow> {
    let steps = walk(&map.mesh, WALK_POINTS, &mut Random::new(SEED));
    let row = |peer: &str| PlaceRow { map: map.name.clone(), peer: peer.into(), ..PlaceRow::default() };
    let mut rows: Vec<PlaceRow> = peers.iter().map(|peer| row(peer.name())).collect();
    for _ in 0..rounds {
        for (peer, row) in peers.iter_mut().zip(&mut rows) {
            let (cold, missed_places) = pass(places, |point| peer.locate(point));
            let (coherent, missed_steps) = pass(&steps, |point| peer.follow(point));
            row.cold_ns = least(row.cold_ns, cold);
            row.coherent_ns = least(row.coherent_ns, coherent);
            row.missed = missed_places + missed_steps;
        }
    }
    for (peer, row) in peers.iter_mut().zip(&mut rows) {
        row.widest_us = widest(peer.as_mut(), map, rounds);
    }
    rows
}

/// Nanoseconds for each point of one pass, and how many were not found.
fn pass(points: &[Point], mut find: impl FnMut(Point) -> bool) -> (Option<f64>, usize) {
    if points.is_empty() {
        return (None, 0);
    }
    let watch = Stopwatch::start();
    let found = points.iter().filter(|point| find(**point)).count();
    let nanos = watch.micros() * 1e3;
    (Some(nanos / points.len() as f64), points.len() - found)
}

fn least(before: Option<f64>, now: Option<f64>) -> Option<f64> {
    before.into_iter().chain(now).min_by(f64::total_cmp)
}

fn widest(peer: &mut dyn PlacePeer, map: &Map, rounds: usize) -> Option<f64> {
    let mut times = Vec::new();
    let step = map.queries.len().div_ceil(MOST_WIDEST).max(1);
    for query in map.queries.iter().step_by(step) {
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            let watch = Stopwatch::start();
            let answer = peer.widest_radius(query.start, query.goal);
            best = best.min(watch.micros());
            if answer == Widest::Unasked {
                return None;
            }
        }
        times.push(best);
    }
    median(times)
}

/// A walk of short steps from cell to cell, through the middles of portals.
pub fn walk(mesh: &NavMesh, points: usize, random: &mut Random) -> Vec<Point> {
    let mut walked = Vec::with_capacity(points);
    let Some(mut cell) = random_cell(mesh, random) else { return walked };
    while walked.len() < points {
        let Some((door, beyond)) = random_door(mesh, cell, random) else {
            walked.resize(points, center(cell));
            break;
        };
        stride(&mut walked, center(cell), door);
        stride(&mut walked, door, center(beyond));
        cell = beyond;
    }
    walked.truncate(points);
    walked
}

/// A place anywhere in the mesh, and one that is at most so many portals away.
pub fn near_pair(mesh: &NavMesh, portals: usize, random: &mut Random) -> Option<[Point; 2]> {
    let first = random_cell(mesh, random)?;
    let mut last = first;
    for _ in 0..portals {
        last = random_door(mesh, last, random).map_or(last, |(_, beyond)| beyond);
    }
    Some([first, last].map(|cell| point_in(cell, random)))
}

/// Two places anywhere in the mesh.
pub fn far_pair(mesh: &NavMesh, random: &mut Random) -> Option<[Point; 2]> {
    let [first, last] = [random_cell(mesh, random)?, random_cell(mesh, random)?];
    Some([first, last].map(|cell| point_in(cell, random)))
}

fn random_cell<'a>(mesh: &'a NavMesh, random: &mut Random) -> Option<Cell<'a>> {
    mesh.cell(CellId(random.below(mesh.cell_count()) as u32))
}

/// The middle of one of a cell's portals, and the cell beyond it.
fn random_door<'a>(mesh: &'a NavMesh, cell: Cell<'a>, random: &mut Random) -> Option<(Point, Cell<'a>)> {
    let portals: Vec<_> = cell.sides().filter_map(|side| side.portal).collect();
    let portal = mesh.portal(*portals.get(random.below(portals.len()))?)?;
    let [a, b] = [mesh.position(portal.vertices[0])?, mesh.position(portal.vertices[1])?];
    let beyond = portal.cells.into_iter().find(|id| *id != cell.id())?;
    Some((between(a, b, 0.5), mesh.cell(beyond)?))
}

/// A random mean of the corners, so strictly inside.
fn point_in(cell: Cell<'_>, random: &mut Random) -> Point {
    let (mut point, mut total) = ([0.0, 0.0], 0.0);
    for [x, y] in cell.outline() {
        let weight = random.range(0.1, 1.0);
        point = [point[0] + weight * x, point[1] + weight * y];
        total += weight;
    }
    point.map(|value| value / total)
}

fn center(cell: Cell<'_>) -> Point {
    let count = cell.outline().len() as f64;
    let sum = cell.outline().fold([0.0, 0.0], |[x, y], point| [x + point[0], y + point[1]]);
    sum.map(|value| value / count)
}

fn stride(walked: &mut Vec<Point>, from: Point, to: Point) {
    let length = (to[0] - from[0]).hypot(to[1] - from[1]);
    let steps = (length / WALK_STEP).ceil().max(1.0);
    walked.extend((0..steps as usize).map(|step| between(from, to, step as f64 / steps)));
}

fn between(from: Point, to: Point, share: f64) -> Point {
    [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))
}

//! Figure 5.7 of the Voronoi thesis: the ground that a corridor of empty circles holds, against a channel of triangles.
//!
//! The circles lie along the roads; the channel is the triangles of the mesh under the same way, each cell cut into the
//! triangles of a fan. Areas are counted on a raster. The city comes with its time for a search across it.

use crate::failure::{Failure, Result};
use clearway::roads::{IndicativeRoute, Method, RoadOptions, RoadPlanner, RoadQuery, Roads};
use clearway::{Location, MeshOptions, NavMesh, Path, PathQuery, Plan, Planner};
use clearway_scenes::Random;
use serde::Serialize;
use std::time::Instant;

/// The side of the raster's squares in metres.
const PIXEL: f64 = 0.1;
/// The number of ways.
const WAYS: usize = 20;
/// The side of the world in metres, and its number of obstacles: a plaza like that of the figure.
const SIDE: f64 = 60.0;
const OBSTACLES: usize = 30;
/// The number of searches across the city.
const SEARCHES: usize = 21;

/// Mean areas in square metres, and the search across the city.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Channels {
    /// The corridor of empty circles.
    circles: f64,
    /// The channel of triangles.
    triangles: f64,
    /// The first divided by the second.
    ratio: f64,
    /// The median time of a search from corner to corner of the city on the contracted roads, in microseconds.
    across_us: f64,
}

/// Measures both channels of random ways over a plaza, and a search across the city.
pub fn measure(city: &NavMesh, roads: &Roads) -> Result<Channels> {
    let mesh = plaza()?;
    let mut planner = RoadPlanner::prepared(Method::Roadmap, RoadOptions::default(), &mesh)?;
    let own = Roads::build(&mesh)?;
    let places: Vec<Location> = mesh.random_points(57).take(2 * WAYS).collect();
    let (mut circles, mut triangles) = (0.0, 0.0);
    for ends in places.chunks(2) {
        let asked = PathQuery::new(ends[0], ends[1]);
        let Ok(path) = planner.find_path(&mesh, &asked) else { continue };
        let Some(corridor) = own.corridor_of_route(&mesh, &IndicativeRoute::of(&path)) else { continue };
        let discs: Vec<([f64; 2], f64)> =
            corridor.discs(&own, PIXEL).into_iter().map(|disc| (disc.at, disc.radius)).collect();
        circles += area(|at| discs.iter().any(|(center, radius)| distance(*center, at) <= *radius));
        triangles += channel(&mesh, &path);
    }
    let [circles, triangles] = [circles, triangles].map(|sum| sum / WAYS as f64);
    Ok(Channels { circles, triangles, ratio: circles / triangles, across_us: across(city, roads)? })
}

/// The result in words.
pub fn text(channels: &Channels) -> String {
    let Channels { circles, triangles, ratio, across_us } = channels;
    format!(
        "\nFigure 5.7, {WAYS} ways over a plaza with {OBSTACLES} obstacles: circles {circles:.0} m2, triangles \
         {triangles:.0} m2, ratio {ratio:.2}.\nCity from corner to corner on the contracted roads: {across_us:.0} us \
         a search.\n"
    )
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The area of what a test holds, by the centres of the raster's squares.
fn area(holds: impl Fn([f64; 2]) -> bool) -> f64 {
    let count = (SIDE / PIXEL) as usize;
    let center = |i: usize| (i as f64 + 0.5) * PIXEL;
    let held = (0..count * count).filter(|i| holds([center(i % count), center(i / count)]));
    held.count() as f64 * PIXEL * PIXEL
}

/// The area of the triangles under a path: each cell is a fan around its first corner.
fn channel(mesh: &NavMesh, path: &Path) -> f64 {
    let places: Vec<[f64; 2]> = path
        .pieces
        .iter()
        .flat_map(|piece| {
            let count = (piece.length() / PIXEL).ceil().max(1.0) as usize;
            (0..=count).map(move |i| piece.place_at(piece.length() * i as f64 / count as f64))
        })
        .collect();
    let mut cells = path.cells.clone();
    cells.sort_unstable();
    cells.dedup();
    let mut sum = 0.0;
    for cell in cells.into_iter().filter_map(|cell| mesh.cell(cell)) {
        let outline: Vec<[f64; 2]> = cell.outline().collect();
        for pair in outline[1..].windows(2) {
            let corners = [outline[0], pair[0], pair[1]];
            if places.iter().any(|at| {
                doubled(corners[0], corners[1], *at)
                    .min(doubled(corners[1], corners[2], *at))
                    .min(doubled(corners[2], corners[0], *at))
                    >= 0.0
            }) {
                sum += 0.5 * doubled(corners[0], corners[1], corners[2]);
            }
        }
    }
    sum
}

/// Twice the area of a triangle; negative if it turns clockwise.
fn doubled(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A square with obstacles at random.
fn plaza() -> Result<NavMesh> {
    // One obstacle in each field of a raster of six by five, so that none touch.
    let mut random = Random::new(57);
    let mut rings = vec![vec![[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]]];
    let mut part = |most: usize| random.below(most * 16) as f64 / 16.0;
    for k in 0..OBSTACLES {
        let [x, y] = [3.0 + 9.0 * (k % 6) as f64 + part(3), 3.0 + 11.0 * (k / 6) as f64 + part(4)];
        let [wide, high] = [1.0 + part(4), 1.0 + part(5)];
        rings.push(vec![[x, y], [x + 0.2, y + high], [x + wide, y + high], [x + wide, y - 0.2]]);
    }
    Ok(MeshOptions::default().build(&Plan::from_rings(rings))?)
}

/// The median time of a search across the city, in microseconds.
fn across(city: &NavMesh, roads: &Roads) -> Result<f64> {
    let located = [[20.0, 20.0], [1980.0, 1980.0]].map(|at| city.locate(at));
    let [Ok(from), Ok(to)] = located else { return Err(Failure::new("the city has no corners")) };
    let mut times: Vec<f64> = (0..SEARCHES)
        .filter_map(|_| {
            let started = Instant::now();
            roads.find(city, [from, to], &RoadQuery::default().radius(0.4)).ok()?;
            Some(started.elapsed().as_secs_f64() * 1e6)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied().unwrap_or(f64::NAN))
}

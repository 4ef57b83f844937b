//! Places of a mesh by name, as ends of a path: an exit to walk to, an area to start from.
//!
//! A line stands for points on it, an area for points on its border and inside, at most 10 cm apart unless there would
//! be too many. Only points on the mesh count.

use super::question::point_of;
use super::words::Point;
use clearway_nav::mesh::MeshPlace;
use clearway_nav::path::PathQuery;
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};

/// The distance in metres between the points that stand for a place.
const SPACING: f64 = 0.1;
/// The greatest number of points along a line or a side of the box around an area.
const MOST_STEPS: f64 = 32.0;

/// An end of a path as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum PathEnd {
    /// A point.
    At(Point),
    /// A named place, or all places of a role.
    Named(String),
}

impl PathEnd {
    /// Returns the point to start from: the point itself, or the roomiest one of the places with this name.
    pub fn start(&self, mesh: &NavMesh) -> Result<Point, String> {
        let name = match self {
            PathEnd::At(point) => return Ok(*point),
            PathEnd::Named(name) => name,
        };
        let best = roomiest(mesh, &points_of(mesh, name)?);
        best.map(|at| point_of(mesh, at)).ok_or_else(|| off(name))
    }

    /// Returns the point itself, or the roomiest one of each place with this name. Places off the mesh have none.
    pub fn spots(&self, mesh: &NavMesh) -> Result<Vec<Point>, String> {
        let name = match self {
            PathEnd::At(point) => return Ok(vec![*point]),
            PathEnd::Named(name) => name,
        };
        let places = mesh.places_named(name)?.into_iter();
        let best = places.filter_map(|place| roomiest(mesh, &points_on(mesh, place)));
        Ok(best.map(|at| point_of(mesh, at)).collect())
    }

    /// Returns the point to walk to: the point itself, or the one of the places with this name to which the way of a body
    /// is shortest. Without a way it is the roomiest one, so that the search tells why.
    pub fn goal(&self, mesh: &NavMesh, from: Point, radius: f64) -> Result<Point, String> {
        let name = match self {
            PathEnd::At(point) => return Ok(*point),
            PathEnd::Named(name) => name,
        };
        let mut points = points_of(mesh, name)?;
        points.retain(|at| mesh.clearance(*at).is_some_and(|room| room >= radius));
        let nearest =
            mesh.locate(from.in_space()).ok().zip(points.split_first()).and_then(|(start, (first, more))| {
                let query = PathQuery::new(start, *first).more_goals(more.to_vec()).radius(radius);
                mesh.find_path(&query).ok()
            });
        match nearest {
            Some(path) => {
                let last = path.cells.last().copied();
                let far = |at: &Location| {
                    let [x, y] = at.position();
                    let away = (x - path.goal[0]).hypot(y - path.goal[1]);
                    (away, Some(at.cell()) != last)
                };
                let order = |p: &&Location, q: &&Location| {
                    let (p, q) = (far(p), far(q));
                    p.0.total_cmp(&q.0).then(p.1.cmp(&q.1))
                };
                points.iter().min_by(order).map(|at| point_of(mesh, *at)).ok_or_else(|| off(name))
            }
            None => self.start(mesh),
        }
    }
}

/// Says that a place lies beside the mesh.
fn off(name: &str) -> String {
    format!("no part of the place {name:?} is on the mesh")
}

/// Returns the points on the mesh that stand for the places with this name.
fn points_of(mesh: &NavMesh, name: &str) -> Result<Vec<Location>, String> {
    let places = mesh.places_named(name)?;
    let points: Vec<Location> = places.into_iter().flat_map(|place| points_on(mesh, place)).collect();
    if points.is_empty() { Err(off(name)) } else { Ok(points) }
}

/// Returns the points on the mesh that stand for a place.
fn points_on(mesh: &NavMesh, place: &MeshPlace) -> Vec<Location> {
    let located = |at: [f64; 2]| mesh.locate(in_world(at, place.height)).ok();
    samples(&place.points).into_iter().filter_map(located).collect()
}

/// Returns the point that is farthest from all walls, the first one of several.
fn roomiest(mesh: &NavMesh, points: &[Location]) -> Option<Location> {
    let room = |at: &Location| mesh.clearance(*at).unwrap_or(0.0);
    points.iter().copied().reduce(|best, at| if room(&at) > room(&best) { at } else { best })
}

/// Returns points on the border and inside of a shape.
fn samples(corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let sides = if corners.len() > 2 { corners.len() } else { corners.len().saturating_sub(1) };
    let mut points: Vec<[f64; 2]> = corners.to_vec();
    for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)).take(sides) {
        let count = steps((to[0] - from[0]).hypot(to[1] - from[1]));
        let share = |k: u32| f64::from(k) / f64::from(count);
        points.extend((1..count).map(|k| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share(k))));
    }
    if corners.len() > 2 {
        points.extend(inside(corners));
    }
    points
}

/// Returns points of a grid within the outline.
fn inside(corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let range = |axis: usize| {
        let values = corners.iter().map(|at| at[axis]);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
    };
    let ([x0, x1], [y0, y1]) = (<[f64; 2]>::from(range(0)), <[f64; 2]>::from(range(1)));
    let (columns, rows) = (steps(x1 - x0), steps(y1 - y0));
    let at = |low: f64, high: f64, k: u32, count: u32| {
        low + (high - low) * (f64::from(k) + 0.5) / f64::from(count)
    };
    let grid = (0..columns).flat_map(|i| (0..rows).map(move |j| (i, j)));
    let points = grid.map(|(i, j)| [at(x0, x1, i, columns), at(y0, y1, j, rows)]);
    points.filter(|point| super::distances::holds(corners, *point)).collect()
}

/// Returns the number of steps along a length.
fn steps(length: f64) -> u32 {
    (length / SPACING).ceil().clamp(1.0, MOST_STEPS) as u32
}

//! A walk that works: two places of a mesh to ask for a path between, so that a first try succeeds.

use super::question::point_of;
use super::words::Point;
use clearway_nav::{Location, NavMesh};
use std::collections::BTreeMap;

/// The number of random places that are looked at. More find places farther apart, and take longer.
const SAMPLES: usize = 64;

/// The seed of the samples: the same mesh gives the same example.
const SEED: u64 = 1;

/// The radii in metres that are tried, a person first. A mesh in other units may have room for a point only.
const RADII: [f64; 3] = [0.3, 0.1, 0.0];

/// Room beside the radius, in metres: points are rounded to centimetres when they are printed.
const MARGIN: f64 = 0.02;

/// Two places that a body can walk between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExampleWalk {
    /// Where it starts, rounded to centimetres.
    pub from: Point,
    /// Where it ends, rounded to centimetres.
    pub to: Point,
    /// The radius of the body in metres.
    pub radius: f64,
}

impl ExampleWalk {
    /// Finds an example on the largest piece of a mesh; `None` if its samples show none.
    pub fn on(mesh: &NavMesh) -> Option<ExampleWalk> {
        let places = places_on_largest(mesh);
        RADII.iter().find_map(|radius| example(mesh, &places, *radius))
    }
}

/// Returns the samples on the piece that most samples lie on: samples are uniform by area.
pub(super) fn places_on_largest(mesh: &NavMesh) -> Vec<Location> {
    let mut pieces: BTreeMap<u32, Vec<Location>> = BTreeMap::new();
    for place in mesh.random_points(SEED).take(SAMPLES) {
        if let Some(cell) = mesh.cell(place.cell()) {
            pieces.entry(cell.component().0).or_default().push(place);
        }
    }
    pieces.into_values().max_by_key(Vec::len).unwrap_or_default()
}

/// Returns the farthest pair of places with room for a body that gets from one to the other.
fn example(mesh: &NavMesh, places: &[Location], radius: f64) -> Option<ExampleWalk> {
    let needed = if radius > 0.0 { radius + MARGIN } else { 0.0 };
    let roomy = places.iter().filter_map(|place| rounded(mesh, *place));
    let roomy: Vec<(Point, Location)> =
        roomy.filter(|(_, at)| mesh.clearance(*at).is_some_and(|room| room >= needed)).collect();
    let pairs = roomy.iter().enumerate().flat_map(|(i, a)| roomy[i + 1..].iter().map(move |b| (a, b)));
    let mut pairs: Vec<_> = pairs.map(|(a, b)| (apart(a.0, b.0), a, b)).collect();
    pairs.sort_by(|p, q| q.0.total_cmp(&p.0));
    let fits =
        |pair: &&(f64, &(Point, Location), &(Point, Location))| mesh.can_pass(pair.1.1, pair.2.1, needed);
    let (_, a, b) = pairs.iter().find(fits)?;
    Some(ExampleWalk { from: a.0, to: b.0, radius })
}

/// Returns a place rounded to centimetres, and where the mesh takes it.
fn rounded(mesh: &NavMesh, place: Location) -> Option<(Point, Location)> {
    let round = |c: f64| ((100.0 * c).round() + 0.0) / 100.0;
    match point_of(mesh, place) {
        Point::Plan(at) => mesh.locate(at.map(round)).ok().map(|found| (Point::Plan(at.map(round)), found)),
        Point::Space(at) => mesh.locate(at.map(round)).ok().map(|found| (Point::Space(at.map(round)), found)),
    }
}

/// Returns the distance of two points.
fn apart(a: Point, b: Point) -> f64 {
    let (a, b) = (a.in_space(), b.in_space());
    [0, 1, 2].map(|axis| (a[axis] - b[axis]).powi(2)).iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_build::MeshOptions;
    use clearway_nav::PathQuery;
    use clearway_world::{Plan, PlanFormat};

    #[test]
    fn examples_can_be_walked() {
        for text in [
            "POLYGON ((0 0, 20 0, 20 10, 0 10), (5 2, 15 2, 15 7, 5 7))",
            "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1)), ((9 9, 30 9, 30 30, 9 30)))",
            "POLYGON ((0 0, 0.02 0, 0.02 0.02, 0 0.02))",
        ] {
            let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, text).unwrap()).unwrap();
            let Some(walk) = ExampleWalk::on(&mesh) else { continue };
            let [Point::Plan(from), Point::Plan(to)] = [walk.from, walk.to] else { panic!("{walk:?}") };
            let [from, to] = [from, to].map(|at| mesh.locate(at).unwrap());
            assert!(mesh.find_path(&PathQuery::new(from, to).radius(walk.radius)).is_ok(), "{walk:?}");
        }
    }
}

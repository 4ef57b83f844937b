//! The floors of the thesis's experiments, drawn by code: the donut, the cross with obstacles, and a hall of slivers.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, NavMesh, Plan};
use clearway_scenes::Random;

use super::segments::{distance, nearest};
use crate::crowd::scene::Point;

/// A floor: an outline and obstacles.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Its name in tables.
    pub name: &'static str,
    /// The outline, counter-clockwise.
    pub outline: Vec<Point>,
    /// The obstacles.
    pub obstacles: Vec<Vec<Point>>,
}

/// Outer and inner radius of the donut, in metres. 200 bodies of radius 0.5 m cover a quarter of it.
pub const DONUT: [f64; 2] = [16.0, 9.0];
const DONUT_CORNERS: usize = 24;
/// Half the length and half the width of an arm of the cross, in metres.
const CROSS: [f64; 2] = [34.0, 11.0];
const CROSS_OBSTACLES: usize = 44;
/// Low and high corner of the hall, in metres.
const HALL: [Point; 2] = [[0.0, 0.0], [44.0, 24.0]];
const HALL_SLIVERS: usize = 30;
/// The least gap between two obstacles, in metres: a body of radius 0.5 m passes everywhere, one of 1.5 m not.
const GAP: f64 = 1.5;
/// Places that are tried for all obstacles together.
const TRIES: usize = 20_000;

impl Floor {
    /// A ring corridor.
    pub fn donut() -> Floor {
        let ring =
            |radius: f64| (0..DONUT_CORNERS).map(move |k| polar(radius, k as f64 / DONUT_CORNERS as f64));
        let [outer, inner] = DONUT;
        Floor { name: "donut", outline: ring(outer).collect(), obstacles: vec![ring(inner).collect()] }
    }

    /// Two wide corridors that cross, with obstacles of three to six corners.
    pub fn cross(seed: u64) -> Floor {
        let [long, wide] = CROSS;
        let quarter = [[wide, -wide], [long, -wide], [long, wide]];
        let turned = |k: usize, [x, y]: Point| [[x, y], [-y, x], [-x, -y], [y, -x]][k];
        let outline = (0..4).flat_map(|k| quarter.map(|corner| turned(k, corner))).collect();
        let mut floor = Floor { name: "cross", outline, obstacles: Vec::new() };
        floor.scatter(CROSS_OBSTACLES, seed, [[-long; 2], [long; 2]], |random, middle| {
            let (radius, corners, turn) =
                (random.range(0.6, 2.0), 3 + random.below(4), random.range(0.0, 1.0));
            let corner = |k: usize| polar(radius, turn + k as f64 / corners as f64);
            (0..corners).map(|k| [0, 1].map(|axis| middle[axis] + corner(k)[axis])).collect()
        });
        floor
    }

    /// A hall of long thin obstacles, which make narrow cells with portals close to walls.
    pub fn slivers(seed: u64) -> Floor {
        let [[x0, y0], [x1, y1]] = HALL;
        let outline = vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
        let mut floor = Floor { name: "slivers", outline, obstacles: Vec::new() };
        floor.scatter(HALL_SLIVERS, seed, HALL, |random, middle| {
            let (length, width, turn) =
                (random.range(2.0, 5.0), random.range(0.1, 0.5), random.range(0.0, 1.0));
            let (along, across) = (polar(0.5 * length, turn), polar(0.5 * width, turn + 0.25));
            let at = |a: f64, b: f64| [0, 1].map(|axis| middle[axis] + a * along[axis] + b * across[axis]);
            vec![at(-1.0, -1.0), at(1.0, 0.0), at(-1.0, 1.0)]
        });
        floor
    }

    /// Adds obstacles at random places, as long as there is room for them.
    fn scatter(
        &mut self,
        count: usize,
        seed: u64,
        [low, high]: [Point; 2],
        draw: impl Fn(&mut Random, Point) -> Vec<Point>,
    ) {
        let mut random = Random::new(seed);
        for _ in 0..TRIES {
            if self.obstacles.len() >= count {
                return;
            }
            let middle = [0, 1].map(|axis| random.range(low[axis], high[axis]));
            let drawn = draw(&mut random, middle);
            let sides = sides_of(&drawn);
            let apart = self.walls().all(|wall| sides.iter().all(|side| distance(wall, *side) >= GAP));
            if apart && self.covers(middle) {
                self.obstacles.push(drawn);
            }
        }
    }

    /// True if a point lies on the floor.
    pub fn covers(&self, at: Point) -> bool {
        inside(&self.outline, at) && !self.obstacles.iter().any(|ring| inside(ring, at))
    }

    /// All walls.
    pub fn walls(&self) -> impl Iterator<Item = [Point; 2]> + '_ {
        std::iter::once(&self.outline).chain(&self.obstacles).flat_map(|ring| sides_of(ring))
    }

    /// Builds our mesh of it.
    pub fn mesh(&self) -> Result<NavMesh, String> {
        let polygon = PlanPolygon { outline: self.outline.clone(), holes: self.obstacles.clone() };
        let plan = Plan { polygons: vec![polygon], ..Plan::default() };
        MeshOptions::default().build(&plan).map_err(|error| error.to_string())
    }

    /// Scatters bodies that touch neither each other nor walls. Fewer come back where the floor is full.
    pub fn places(&self, radii: &[f64], seed: u64) -> Vec<Point> {
        let mut random = Random::new(seed);
        let walls: Vec<[Point; 2]> = self.walls().collect();
        let (low, high) = bounds(&self.outline);
        let mut places: Vec<Point> = Vec::new();
        for _ in 0..TRIES * radii.len().max(1) {
            let Some(&radius) = radii.get(places.len()) else { break };
            let at = [0, 1].map(|axis| random.range(low[axis], high[axis]));
            let apart =
                |(other, r): (&Point, &f64)| (at[0] - other[0]).hypot(at[1] - other[1]) > r + radius + 0.02;
            let clear = |wall: &[Point; 2]| nearest(at, *wall).1 > radius + 0.02;
            if self.covers(at) && places.iter().zip(radii).all(apart) && walls.iter().all(clear) {
                places.push(at);
            }
        }
        places
    }
}

fn polar(radius: f64, turns: f64) -> Point {
    let (sin, cos) = (turns * std::f64::consts::TAU).sin_cos();
    [radius * cos, radius * sin]
}

fn sides_of(ring: &[Point]) -> Vec<[Point; 2]> {
    let following = ring.iter().cycle().skip(1);
    ring.iter().zip(following).map(|(from, to)| [*from, *to]).collect()
}

/// Low and high corner of a ring.
pub fn bounds(ring: &[Point]) -> (Point, Point) {
    let fold = |start: f64, pick: fn(f64, f64) -> f64| {
        ring.iter().fold([start; 2], |[x, y], at| [pick(x, at[0]), pick(y, at[1])])
    };
    (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
}

fn inside(ring: &[Point], [x, y]: Point) -> bool {
    let crossed = |[a, b]: &[Point; 2]| {
        (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
    };
    sides_of(ring).iter().filter(|side| crossed(side)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_have_meshes_and_room_for_225_bodies() {
        for floor in [Floor::donut(), Floor::cross(1), Floor::slivers(1)] {
            let mesh = floor.mesh().unwrap();
            assert_eq!(mesh.component_count(), 1, "{}", floor.name);
            let places = floor.places(&[0.5; 225], 7);
            assert_eq!(places.len(), 225, "{}", floor.name);
            assert!(places.iter().all(|at| mesh.locate(*at).is_ok()));
            println!("{}: {} obstacles, {} cells", floor.name, floor.obstacles.len(), mesh.cell_count());
        }
    }
}

//! Scenes for the cost of a step: discs of bodies that want to the other side, and rooms that empty through a door.
//!
//! Both are those of the published table: bodies stand on a jittered hexagonal lattice of a given density. All of them
//! have the same radius and speed.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, NavMesh, Plan};
use clearway_scenes::Random;

/// The radius of every body, in metres.
pub const RADIUS: f64 = 0.2;
/// The speed that every body wishes, in m/s.
pub const SPEED: f64 = 1.34;
/// The width of the door and its length, in metres.
const DOOR: f64 = 2.0;
/// The side of the place behind the door, in metres. Nobody reaches its far end while the clock runs.
const OUTSIDE: f64 = 12.0;
/// The floor reaches so far beyond the outermost body of a disc, in metres.
const MARGIN: f64 = 4.0;
/// The share of the free gap between two places of the lattice by which bodies are moved at random.
const JITTER: f64 = 0.4;
const SEED: u64 = 1;

/// A point of the plan.
pub type Point = [f64; 2];

/// One body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where it starts.
    pub at: Point,
    /// Where it wants to go.
    pub goal: Point,
}

/// A floor and the bodies on it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name in tables, without the number of bodies.
    pub name: String,
    /// The outline of the floor, counter-clockwise.
    pub outline: Vec<Point>,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// Low and high corner of the area that all want to reach, where they share one.
    pub exit: Option<[Point; 2]>,
}

impl Scene {
    /// Makes a disc of `count` bodies at a density per square metre. Everyone wants to the opposite place.
    pub fn disc(count: usize, density: f64) -> Scene {
        let radius = (count as f64 / density / std::f64::consts::PI).sqrt();
        let mut places = lattice([-radius - 2.0; 2], [radius + 2.0; 2], density);
        let squared = |at: &Point| at[0] * at[0] + at[1] * at[1];
        places.sort_by(|a, b| squared(a).total_cmp(&squared(b)));
        places.truncate(count);
        // A hexagon is one polygon for every peer: Detour's have at most six corners.
        let reach = (radius + MARGIN) / (std::f64::consts::PI / 6.0).cos();
        let corner = |k: usize| {
            let (sin, cos) = (k as f64 * std::f64::consts::PI / 3.0).sin_cos();
            [reach * cos, reach * sin]
        };
        Scene {
            name: format!("disc {density:.1}"),
            outline: (0..6).map(corner).collect(),
            bodies: places.iter().map(|&at| Body { at, goal: at.map(|x| -x) }).collect(),
            exit: None,
        }
    }

    /// Makes a square room of `count` bodies at a density per square metre. All leave by one door.
    pub fn room(count: usize, density: f64) -> Scene {
        let side = (count as f64 / density).sqrt();
        // Nobody stands in a wall, so the lattice is a little denser than the room.
        let inner = side - 2.0 * RADIUS - 0.02;
        let mut places = lattice([0.21; 2], [side - 0.21; 2], density * (side / inner).powi(2) * 1.02);
        places.truncate(count);
        let (low, high) = (0.5 * (side - DOOR), 0.5 * (side + DOOR));
        let (near, far) = (side + DOOR, side + DOOR + OUTSIDE);
        let (south, north) = (0.5 * (side - OUTSIDE), 0.5 * (side + OUTSIDE));
        let outline = vec![
            [0.0, 0.0],
            [side, 0.0],
            [side, low],
            [near, low],
            [near, south],
            [far, south],
            [far, north],
            [near, north],
            [near, high],
            [side, high],
            [side, side],
            [0.0, side],
        ];
        let exit = [[far - 2.0, south], [far, north]];
        let goal = [far - 1.0, 0.5 * side];
        Scene {
            name: format!("room {density:.1}"),
            outline,
            bodies: places.iter().map(|&at| Body { at, goal }).collect(),
            exit: Some(exit),
        }
    }

    /// Builds our mesh of the floor.
    pub fn mesh(&self) -> Result<NavMesh, String> {
        let polygon = PlanPolygon { outline: self.outline.clone(), holes: Vec::new() };
        let plan = Plan { polygons: vec![polygon], ..Plan::default() };
        MeshOptions::default().build(&plan).map_err(|error| error.to_string())
    }

    /// The walls, as the sides of the outline. The floor lies on their left.
    pub fn walls(&self) -> impl Iterator<Item = [Point; 2]> + '_ {
        let following = self.outline.iter().cycle().skip(1);
        self.outline.iter().zip(following).map(|(from, to)| [*from, *to])
    }

    /// The point to walk to from `at`: the goal, or the nearest place of the door as long as one is in the room. It is
    /// what peers without a route are told.
    pub fn way_point(&self, at: Point, goal: Point) -> Point {
        let Some([low, high]) = self.exit else { return goal };
        let side = low[0] + 2.0 - OUTSIDE - DOOR;
        let middle = 0.5 * (low[1] + high[1]);
        let free = 0.5 * DOOR - RADIUS;
        let beside = (at[1] - middle).clamp(-free, free);
        if at[0] < side { [side, middle + beside] } else { [at[0] + 2.0, middle + beside] }
    }
}

/// Places of a hexagonal lattice over a rectangle, each moved a little.
fn lattice(low: Point, high: Point, density: f64) -> Vec<Point> {
    let pitch = (2.0 / (3f64.sqrt() * density)).sqrt();
    let rise = pitch * 0.75f64.sqrt();
    let jitter = JITTER * (pitch - 2.0 * RADIUS).max(0.0);
    let mut random = Random::new(SEED);
    let mut places = Vec::new();
    let rows = ((high[1] - low[1]) / rise) as usize;
    for row in 0..=rows {
        let shift = if row % 2 == 1 { 0.5 * pitch } else { 0.0 };
        let y = low[1] + row as f64 * rise;
        for column in 0..=((high[0] - low[0] - shift) / pitch) as usize {
            let x = low[0] + shift + column as f64 * pitch;
            let (angle, way) = (random.range(0.0, std::f64::consts::TAU), random.range(0.0, 0.5 * jitter));
            let at = [x + way * angle.cos(), y + way * angle.sin()];
            places.push([at[0].clamp(low[0], high[0]), at[1].clamp(low[1], high[1])]);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least_gap(scene: &Scene) -> f64 {
        let mut least = f64::INFINITY;
        for (i, a) in scene.bodies.iter().enumerate() {
            for b in &scene.bodies[..i] {
                least = least.min((a.at[0] - b.at[0]).hypot(a.at[1] - b.at[1]) - 2.0 * RADIUS);
            }
        }
        least
    }

    #[test]
    fn scenes_hold_all_bodies_apart_and_on_the_floor() {
        for scene in [Scene::disc(1000, 0.5), Scene::disc(1000, 2.0), Scene::room(1000, 2.0)] {
            let mesh = scene.mesh().unwrap();
            assert!(scene.bodies.len() >= 990, "{}: {}", scene.name, scene.bodies.len());
            assert!(least_gap(&scene) > 0.0, "{}", scene.name);
            let free = |body: &Body| {
                let at = mesh.locate(body.at).unwrap();
                mesh.clearance(at).is_some_and(|clearance| clearance >= RADIUS)
            };
            assert!(scene.bodies.iter().all(free), "{}", scene.name);
        }
    }

    #[test]
    fn the_door_leads_out() {
        let scene = Scene::room(1000, 2.0);
        let [low, _] = scene.exit.unwrap();
        let mut at = scene.bodies[0].at;
        for _ in 0..200 {
            let to = scene.way_point(at, scene.bodies[0].goal);
            let way = [to[0] - at[0], to[1] - at[1]];
            let length = way[0].hypot(way[1]).max(1e-9);
            at = [0, 1].map(|axis| at[axis] + 0.2 * way[axis] / length.max(0.2));
        }
        assert!(at[0] > low[0], "{at:?}");
    }
}

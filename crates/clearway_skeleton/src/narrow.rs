//! The narrow places of a mesh: where two walls come nearest to each other along the roads.
//!
//! The clearance along the roads has valleys. They are found in the order of rising clearance, as water fills a landscape:
//! each lowest point starts a pool, and pools unite where the clearance between them is reached. A pool that unites with a
//! deeper one before the way widens by [`WIDENS`] is the same place: both ends of a corridor, or the four corners
//! of a door frame. Cost: O(n log n) for n roads.

use crate::floors::Floors;
use crate::query::{Edge, EdgeId};
use crate::skeleton::Skeleton;
use clearway_geometry::Vec2;
use clearway_nav::{Location, NavMesh};

/// The factor by which a way must widen between two places that count as two. A corridor widens by some percent in front
/// of each of its doors, and is one place all the same.
const WIDENS: f64 = 1.1;

/// The height in metres up to which a path and a narrow place lie on one floor: less than any storey.
const SAME_FLOOR: f64 = 1.25;

/// The way on which a narrow place lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It widens on both sides.
    Through,
    /// It widens on one side only: an alcove, or a corridor without a second end.
    DeadEnd,
    /// It widens nowhere: the whole piece is narrow.
    Closed,
}

/// A place where two walls come nearest to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NarrowPlace {
    /// The width in metres: the diameter of the largest disc that passes.
    pub width: f64,
    /// The middle between the walls.
    pub at: Location,
    /// The nearest points of both walls, in plan coordinates.
    pub walls: [[f64; 2]; 2],
    /// The way on which it lies.
    pub passage: Passage,
}

/// A point of the roads with its clearance: a Voronoi vertex, or the lowest point inside a road.
struct Node {
    radius: f64,
    at: Vec2,
    /// A road through it.
    road: EdgeId,
}

/// A part of a road along which the clearance rises from one node to the other.
struct Slope {
    nodes: [u32; 2],
    /// The greater clearance of both.
    top: f64,
    length: f64,
}

/// A pool: nodes that are joined below the clearance reached so far.
#[derive(Clone, Copy)]
struct Pool {
    /// The node with the least clearance.
    lowest: u32,
    /// The number of slopes that lead out.
    exits: i64,
    /// The summed length of the slopes inside.
    length: f64,
    /// The exits and the length when the way had widened enough; `None` before.
    settled: Option<(i64, f64)>,
}

/// The roads as a landscape of clearance.
#[derive(Default)]
struct Landscape {
    nodes: Vec<Node>,
    slopes: Vec<Slope>,
}

impl Skeleton {
    /// Returns all places narrower than `width` metres, the narrowest first. Dead ends that are not longer than they are
    /// wide do not count: every corner of a room would be one. The mesh must be the one from which the skeleton was built.
    pub fn narrow_places(&self, mesh: &NavMesh, width: f64) -> Vec<NarrowPlace> {
        let landscape = Landscape::of(self);
        let floors = self.floors(mesh);
        let below = 0.5 * width / self.unit();
        let mut places: Vec<NarrowPlace> = landscape
            .valleys(below)
            .into_iter()
            .filter_map(|(node, passage)| {
                self.narrow_place(mesh, &floors, &landscape.nodes[node as usize], passage)
            })
            .collect();
        let key = |place: &NarrowPlace| (place.width, place.at.position());
        places.sort_by(|a, b| {
            let ((w, p), (v, q)) = (key(a), key(b));
            w.total_cmp(&v).then(p[0].total_cmp(&q[0])).then(p[1].total_cmp(&q[1]))
        });
        places
    }

    /// Describes a node as a place of the mesh.
    fn narrow_place(
        &self,
        mesh: &NavMesh,
        floors: &Floors,
        node: &Node,
        passage: Passage,
    ) -> Option<NarrowPlace> {
        let road = self.road(node.road)?;
        let graph = &self.diagram().graph;
        let walls = road.sides.map(|site| self.place(graph.site(site.0).nearest(node.at)));
        let at = self.on_road(mesh, floors, &road, node.at)?;
        Some(NarrowPlace { width: 2.0 * node.radius * self.unit(), at, walls, passage })
    }
}

impl NarrowPlace {
    /// Returns the distance along a path at which it first leads between the two walls of this place; `None` if it does
    /// not. `line` holds the points of the path in the world.
    pub fn passed_by(&self, mesh: &NavMesh, line: &[[f64; 3]]) -> Option<f64> {
        let [p, q] = self.walls.map(|[x, y]| Vec2::new(x, y));
        let (across, height) = (q - p, mesh.place(self.at)[1]);
        let slack = 1e-6 * across.length().max(1e-6);
        // The last place beside the line between the walls, with its side, and a place on that line since then.
        let (mut before, mut touched): (Option<(f64, Vec2)>, Option<Vec2>) = (None, None);
        let (mut last, mut along): (Option<Vec2>, f64) = (None, 0.0);
        for place in line {
            let at = Vec2::new(place[0], -place[2]);
            along += last.map_or(0.0, |last| at.distance(last));
            last = Some(at);
            let off = across.cross(at - p);
            if off.abs() <= slack * across.length() {
                touched = Some(at);
                continue;
            }
            if let Some((side, from)) = before.filter(|(side, _)| side * off < 0.0) {
                let met = touched.unwrap_or(from + (at - from) * (side.abs() / (side.abs() + off.abs())));
                let share = (met - p).dot(across) / across.length_squared();
                let is_between = (-1e-6..=1.0 + 1e-6).contains(&share);
                if is_between && (place[1] - height).abs() < SAME_FLOOR {
                    return Some(along - at.distance(met));
                }
            }
            (before, touched) = (Some((off, at)), None);
        }
        None
    }
}

impl Landscape {
    /// Makes the landscape of all roads. Roads into the corner between two walls are left out: they are no ways.
    fn of(skeleton: &Skeleton) -> Landscape {
        let mut landscape = Landscape::default();
        let mut number = vec![u32::MAX; skeleton.diagram().graph.discs.len()];
        for (id, road) in skeleton.roads() {
            if road.radii.contains(&0.0) {
                continue;
            }
            let ends = [0, 1].map(|end| {
                let slot = &mut number[road.ends[end].0 as usize];
                if *slot == u32::MAX {
                    *slot = landscape.add(Node { radius: road.radii[end], at: road.at[end], road: id });
                }
                *slot
            });
            landscape.add_road(id, &road, ends);
        }
        landscape.slopes.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.nodes.cmp(&b.nodes)));
        landscape
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Adds a road as one slope, or as two if its lowest point lies inside.
    fn add_road(&mut self, id: EdgeId, road: &Edge, ends: [u32; 2]) {
        let length = road.length();
        let lowest = road.radii[0].min(road.radii[1]);
        if road.width >= lowest {
            let top = road.radii[0].max(road.radii[1]);
            self.slopes.push(Slope { nodes: ends, top, length });
            return;
        }
        let share = road.parameter(road.narrowest);
        let middle = self.add(Node { radius: road.width, at: road.narrowest, road: id });
        for (end, share) in [(0, share), (1, 1.0 - share)] {
            self.slopes.push(Slope {
                nodes: [ends[end], middle],
                top: road.radii[end],
                length: length * share,
            });
        }
    }

    /// Returns the lowest node of every valley below a clearance, with the way that it lies on.
    fn valleys(&self, below: f64) -> Vec<(u32, Passage)> {
        let mut exits = vec![0; self.nodes.len()];
        self.slopes.iter().flat_map(|slope| slope.nodes).for_each(|node| exits[node as usize] += 1);
        let pool = |(lowest, exits): (u32, &i64)| Pool { lowest, exits: *exits, length: 0.0, settled: None };
        let mut pools: Vec<Pool> = (0..).zip(&exits).map(pool).collect();
        let mut above: Vec<u32> = (0..self.nodes.len() as u32).collect();
        let mut found = Vec::new();
        for slope in self.slopes.iter().take_while(|slope| slope.top < below) {
            let [a, b] = slope.nodes.map(|node| root(&mut above, node));
            for pool in [a, b] {
                self.settle(&mut pools[pool as usize], slope.top);
            }
            if a == b {
                pools[a as usize].exits -= 2;
                pools[a as usize].length += slope.length;
                continue;
            }
            let is_deeper = self.radius(&pools[a as usize]) <= self.radius(&pools[b as usize]);
            let (deep, shallow) = if is_deeper { (a, b) } else { (b, a) };
            let other = pools[shallow as usize];
            found.extend(self.valley(&other));
            above[shallow as usize] = deep;
            let pool = &mut pools[deep as usize];
            pool.exits += other.exits - 2;
            pool.length += other.length + slope.length;
        }
        for node in 0..self.nodes.len() as u32 {
            if root(&mut above, node) == node
                && self.nodes[pools[node as usize].lowest as usize].radius < below
            {
                self.settle(&mut pools[node as usize], f64::INFINITY);
                found.extend(self.valley(&pools[node as usize]));
            }
        }
        found
    }

    fn radius(&self, pool: &Pool) -> f64 {
        self.nodes[pool.lowest as usize].radius
    }

    /// Notes the exits of a pool once the way has widened enough.
    fn settle(&self, pool: &mut Pool, reached: f64) {
        if pool.settled.is_none() && reached >= WIDENS * self.radius(pool) {
            pool.settled = Some((pool.exits, pool.length));
        }
    }

    /// Returns the place that a pool stands for; `None` if it belongs to a deeper one, or is a mere corner.
    fn valley(&self, pool: &Pool) -> Option<(u32, Passage)> {
        let (exits, length) = pool.settled?;
        let is_long = length > 2.0 * self.radius(pool);
        match exits {
            2.. => Some((pool.lowest, Passage::Through)),
            1 if is_long => Some((pool.lowest, Passage::DeadEnd)),
            0 if is_long => Some((pool.lowest, Passage::Closed)),
            _ => None,
        }
    }
}

/// Returns the root of a node, and shortens the way to it.
fn root(above: &mut [u32], mut node: u32) -> u32 {
    while above[node as usize] != node {
        above[node as usize] = above[above[node as usize] as usize];
        node = above[node as usize];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_build::MeshOptions;
    use clearway_world::{Plan, PlanFormat};

    fn places(plan: &str, width: f64) -> Vec<NarrowPlace> {
        let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, plan).unwrap()).unwrap();
        Skeleton::build(&mesh).unwrap().narrow_places(&mesh, width)
    }

    /// Two rooms with a door of 0.8 m in a wall of 0.2 m.
    const DOOR: &str =
        "POLYGON((0 0, 4 0, 4 1.5, 4.2 1.5, 4.2 0, 9 0, 9 4, 4.2 4, 4.2 2.3, 4 2.3, 4 4, 0 4, 0 0))";

    #[test]
    fn a_door_is_one_place() {
        let found = places(DOOR, 1.0);
        assert_eq!(found.len(), 1, "{found:?}");
        let door = found[0];
        assert!((door.width - 0.8).abs() < 1e-5 && door.passage == Passage::Through, "{door:?}");
        let [x, y] = door.at.position();
        assert!((3.99..4.21).contains(&x) && (y - 1.9).abs() < 1e-4, "{door:?}");
        let mut heights = door.walls.map(|wall| wall[1]);
        heights.sort_by(f64::total_cmp);
        assert!((heights[0] - 1.5).abs() < 1e-4 && (heights[1] - 2.3).abs() < 1e-4, "{door:?}");
        assert!(places(DOOR, 0.7).is_empty());
    }

    #[test]
    fn doors_that_slant_are_one_place_as_well() {
        let plan =
            "POLYGON((0 0, 4 0, 4 1.5, 4.2 1.45, 4.2 0, 9 0, 9 4, 4.2 4, 4.2 2.3, 4 2.3, 4 4, 0 4, 0 0))";
        let found = places(plan, 1.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].width - 0.8).abs() < 1e-4);
    }

    #[test]
    fn doors_on_a_corridor_are_places_of_their_own() {
        // A corridor of 2 m with two rooms behind doors of 0.9 m and 1 m, and one dead end of 0.5 m.
        let plan = "POLYGON((0 0, 12 0, 12 2, 9 2, 9 2.1, 12 2.1, 12 6, 7 6, 7 2.1, 8 2.1, 8 2, \
                    4 2, 4 2.1, 6 2.1, 6 6, 1 6, 1 2.1, 3.1 2.1, 3.1 2, 0.5 2, 0.5 5, 0 5, 0 0))";
        let widths: Vec<(f64, Passage)> =
            places(plan, 1.5).iter().map(|p| ((1000.0 * p.width).round() / 1000.0, p.passage)).collect();
        assert_eq!(
            widths,
            [(0.5, Passage::DeadEnd), (0.9, Passage::Through), (1.0, Passage::Through)],
            "rooms and corners are none"
        );
    }

    #[test]
    fn both_sides_of_a_pillar_count() {
        let plan = "POLYGON((0 0, 10 0, 10 3, 0 3, 0 0), (4 1, 4 2.2, 5 2.2, 5 1, 4 1))";
        let widths: Vec<f64> = places(plan, 1.5).iter().map(|p| (100.0 * p.width).round() / 100.0).collect();
        assert_eq!(widths, [0.8, 1.0]);
    }

    #[test]
    fn a_path_passes_the_doors_on_its_way() {
        let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, DOOR).unwrap()).unwrap();
        let door = Skeleton::build(&mesh).unwrap().narrow_places(&mesh, 1.0)[0];
        let [start, goal, beside] = [[1.0, 1.9], [8.0, 1.9], [3.9, 3.9]].map(|at| mesh.locate(at).unwrap());
        let line = |from, to| {
            let path = mesh.find_path(&clearway_nav::path::PathQuery::new(from, to)).unwrap();
            path.points_in_space(&mesh, 0.01)
        };
        let along = door.passed_by(&mesh, &line(start, goal)).unwrap();
        assert!((2.9..3.3).contains(&along), "{along}");
        assert_eq!(door.passed_by(&mesh, &line(start, beside)), None);
        assert!(door.passed_by(&mesh, &line(beside, goal)).is_some(), "around a jamb");
    }

    /// The width of every place is what the clearance of the mesh says there. What stops a body on its widest way is
    /// a narrow place.
    #[test]
    fn widths_agree_with_the_clearance_of_the_mesh() {
        for seed in 0..4 {
            let plan = clearway_scenes::hospital_ward(seed).to_wkt();
            let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, &plan).unwrap()).unwrap();
            let found = Skeleton::build(&mesh).unwrap().narrow_places(&mesh, 1.5);
            assert!(found.windows(2).all(|pair| pair[0].width <= pair[1].width));
            for place in &found {
                let clearance = mesh.clearance(place.at).unwrap();
                assert!((2.0 * clearance - place.width).abs() < 1e-3, "{seed}: {place:?} {clearance}");
                let [p, q] = place.walls;
                assert!((p[0] - q[0]).hypot(p[1] - q[1]) <= place.width + 1e-6, "{seed}: {place:?}");
            }
            let ends: Vec<Location> = mesh.random_points(seed).take(60).collect();
            for pair in ends.windows(2) {
                let Some(neck) = mesh.bottleneck(pair[0], pair[1]) else { continue };
                let own = pair.iter().filter_map(|end| mesh.clearance(*end)).fold(f64::INFINITY, f64::min);
                if neck.radius < 0.75 && neck.radius < own - 1e-3 {
                    let is_listed = found.iter().any(|place| {
                        let off = [0, 1].map(|i| place.at.position()[i] - neck.at.position()[i]);
                        place.width <= 2.0 * neck.radius + 1e-3 && off[0].hypot(off[1]) < 3.0
                    });
                    assert!(is_listed, "{seed}: {neck:?}");
                }
            }
        }
    }
}

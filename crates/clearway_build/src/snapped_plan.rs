//! Rounds a plan to chains on the grid. This is the only file in which a plan is rounded.
//!
//! Invariant: afterwards all coordinates are integers below `LIMIT`, and neighbouring points of a chain differ. Chains
//! that span nothing on the grid are left out and reported. Cost: linear in the points of the plan.

use crate::options::MeshOptions;
use crate::report::Repair;
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_geometry::arrangement::{Chain, Role};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::orient;
use clearway_geometry::{Grid, Point};
use clearway_world::plan::Plan;

/// A plan rounded to its grid.
pub struct SnappedPlan {
    /// The grid that all points lie on.
    pub grid: Grid,
    /// Every ring and wall that is left after rounding.
    pub chains: Vec<Chain>,
    /// The longest distance by which rounding moved a point, in metres.
    pub moved: f64,
    /// An entry for the chains that vanished, if any did.
    pub repairs: Vec<Repair>,
}

/// Rounds a plan to the grid that the options or its extent ask for.
pub fn snap(plan: &Plan, options: &MeshOptions) -> Result<SnappedPlan> {
    plan.validate()?;
    let Some([min, max]) = plan.bounds() else {
        return Err(Error::new(ErrorKind::Empty, "the plan is empty: no ring and no wall"));
    };
    let grid = choose_grid(plan, min, max, options)?;
    let mut ground = SnappedPlan { grid, chains: Vec::new(), moved: 0.0, repairs: Vec::new() };
    let mut vanished = Vanished::default();
    for (name, points, role) in drawn_chains(plan) {
        let snapped = ground.snap_points(points, role)?;
        if spans_something(&snapped, role) {
            ground.chains.push(Chain { points: snapped, role });
        } else {
            vanished.note(name, points.first().copied());
        }
    }
    ground.repairs.extend(vanished.into_repair());
    Ok(ground)
}

impl SnappedPlan {
    /// Rounds the points of a chain and drops repeated neighbours. A ring does not repeat its first point; a wall that
    /// comes back to its start does.
    fn snap_points(&mut self, points: &[[f64; 2]], role: Role) -> Result<Vec<Point>> {
        let mut snapped: Vec<Point> = Vec::with_capacity(points.len());
        for world in points {
            let Some(point) = self.grid.snap(*world) else {
                return Err(too_far(*world, self.grid));
            };
            let there = self.grid.world(point);
            self.moved = self.moved.max((there[0] - world[0]).hypot(there[1] - world[1]));
            if snapped.last() != Some(&point) {
                snapped.push(point);
            }
        }
        while role != Role::Wall && snapped.len() > 1 && snapped.first() == snapped.last() {
            snapped.pop();
        }
        Ok(snapped)
    }
}

/// Takes the unit of the options, rounded down to a power of two; without one, the finest unit that fits the plan.
fn choose_grid(plan: &Plan, min: [f64; 2], max: [f64; 2], options: &MeshOptions) -> Result<Grid> {
    let chosen = match options.grid {
        Some(unit) => Grid::centred(min, max, unit.log2().floor() as i32),
        None => Grid::fitting(min, max, |grid| is_exact(plan, grid)),
    };
    let asked = || options.grid.map_or(String::new(), |unit| format!(" (asked: {})", short(unit)));
    let grid = chosen.ok_or_else(|| {
        Error::new(
            ErrorKind::OutOfRange,
            format!("no grid unit between 2^-60 and 2^60 fits the plan{}", asked()),
        )
    })?;
    // A unit that the caller chose may be too fine for the extent.
    for corner in [min, max] {
        if grid.snap(corner).is_none() {
            return Err(too_far(corner, grid));
        }
    }
    Ok(grid)
}

/// The error for a point outside the grid. It names the limit.
fn too_far(world: [f64; 2], grid: Grid) -> Error {
    let message = format!(
        "point ({}, {}) does not fit the grid: with a unit of {} coordinates may reach {} from ({}, {})",
        world[0],
        world[1],
        grid.unit(),
        f64::from(LIMIT) * grid.unit(),
        grid.origin()[0],
        grid.origin()[1],
    );
    Error::new(ErrorKind::OutOfRange, message)
}

/// True if every point of the plan lies on the grid already.
fn is_exact(plan: &Plan, grid: Grid) -> bool {
    drawn_chains(plan)
        .flat_map(|(_, points, _)| points)
        .all(|world| grid.snap(*world).is_some_and(|point| grid.world(point) == *world))
}

/// The name of a chain of the plan, for the report.
#[derive(Clone, Copy, Debug)]
enum Name {
    /// The outline of this polygon.
    Outline(usize),
    /// The second index names a hole of the polygon that the first index names.
    Hole(usize, usize),
    /// A ring that counts as walkable or not by how it is nested.
    Ring(usize),
    /// The outline of this obstacle.
    Obstacle(usize),
    /// The second index names a hole of the obstacle that the first index names.
    ObstacleHole(usize, usize),
    /// An open wall.
    Wall(usize),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Outline(polygon) => write!(f, "polygon {polygon}, outline"),
            Name::Hole(polygon, hole) => write!(f, "polygon {polygon}, hole {hole}"),
            Name::Obstacle(obstacle) => write!(f, "obstacle {obstacle}, outline"),
            Name::ObstacleHole(obstacle, hole) => write!(f, "obstacle {obstacle}, hole {hole}"),
            Name::Ring(ring) => write!(f, "ring {ring}"),
            Name::Wall(wall) => write!(f, "wall {wall}"),
        }
    }
}

/// Returns all chains of a plan, with their names and roles, in the order in which the plan lists them.
fn drawn_chains(plan: &Plan) -> impl Iterator<Item = (Name, &[[f64; 2]], Role)> {
    let polygons = plan.polygons.iter().enumerate().flat_map(|(p, polygon)| {
        let outline = (Name::Outline(p), polygon.outline.as_slice(), Role::Outline(p as u32));
        let holes = polygon.holes.iter().enumerate();
        let holes = holes.map(move |(h, hole)| (Name::Hole(p, h), hole.as_slice(), Role::Hole(p as u32)));
        std::iter::once(outline).chain(holes)
    });
    // Obstacles are numbered after the polygons.
    let obstacles = plan.obstacles.iter().enumerate().flat_map(|(o, obstacle)| {
        let number = (plan.polygons.len() + o) as u32;
        let outline = (Name::Obstacle(o), obstacle.outline.as_slice(), Role::Obstacle(number));
        let holes = obstacle.holes.iter().enumerate();
        let holes =
            holes.map(move |(h, hole)| (Name::ObstacleHole(o, h), hole.as_slice(), Role::Hole(number)));
        std::iter::once(outline).chain(holes)
    });
    let rings = plan.rings.iter().enumerate().map(|(r, ring)| (Name::Ring(r), ring.as_slice(), Role::Nested));
    let walls = plan.walls.iter().enumerate().map(|(w, wall)| (Name::Wall(w), wall.as_slice(), Role::Wall));
    polygons.chain(obstacles).chain(rings).chain(walls)
}

/// True if anything is left of a chain after rounding: a ring must span area, a wall length.
fn spans_something(points: &[Point], role: Role) -> bool {
    match (role, points) {
        (Role::Wall, _) => points.len() >= 2,
        (_, [first, second, rest @ ..]) => rest.iter().any(|p| orient(*first, *second, *p) != 0),
        _ => false,
    }
}

/// Counts the chains that vanished on the grid.
#[derive(Default)]
struct Vanished {
    /// The number of chains.
    count: u64,
    /// The name and the first point of the first of them.
    first: Option<(Name, Option<[f64; 2]>)>,
}

impl Vanished {
    /// Counts one more chain.
    fn note(&mut self, name: Name, at: Option<[f64; 2]>) {
        self.count += 1;
        self.first.get_or_insert((name, at));
    }

    /// Makes the entry of the report; `None` if no chain vanished.
    fn into_repair(self) -> Option<Repair> {
        let (name, at) = self.first?;
        let detail = format!("smaller than the grid, left out; the first is {name}");
        Some(Repair { kind: "vanished", count: self.count, at, detail })
    }
}

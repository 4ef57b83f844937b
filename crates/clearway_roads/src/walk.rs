//! Whole walks of the steppers: step after step until the goal, as one path.

use crate::lay;
use crate::route::Steering;
use clearway_geometry::Vec2;
use clearway_nav::{Location, NavMesh, Path};

/// The greatest number of steps for each step that the route is long, and a number for short ones. Walks that need more
/// go in circles.
const STEPS: [f64; 2] = [8.0, 1000.0];

/// The least step as a share of the route: it bounds the cost of long walks. A route of 4 km takes steps of a metre.
const LEAST_STEP: f64 = 1.0 / 4096.0;

/// Steps a body along a route of this length until it arrives. `steer` gets its location. `None` if it gives up, if a
/// step would cross a wall, or if the body does not arrive.
pub(crate) fn walk(
    mesh: &NavMesh,
    start: Location,
    (goal, length): ([f64; 2], f64),
    (step, radius): (f64, f64),
    mut steer: impl FnMut(Location) -> Option<Steering>,
) -> Option<Path> {
    if !(0.0..f64::INFINITY).contains(&radius) {
        return None;
    }
    let grid = &mesh.parts().grid;
    let step = step.max(length * LEAST_STEP);
    let mut at = start;
    let mut stations = vec![grid.units(start.position())];
    let mut heading = None;
    let most = length / step * STEPS[0] + STEPS[1];
    for _ in 0..most as u64 {
        let steering = steer(at)?;
        let [x, y] = at.position();
        let to = Vec2::new(steering.attraction[0], steering.attraction[1]);
        let rest = Vec2::new(x, y).distance(to);
        let arrives = steering.is_last && rest <= step;
        let share = if rest > step { step / rest } else { 1.0 };
        let next = Vec2::new(x, y) + (to - Vec2::new(x, y)) * share;
        let mut next = if arrives { goal } else { [next.x, next.y] };
        if next != at.position() {
            let reach = |to: [f64; 2]| mesh.raycast(at, to, 0.0).filter(|hit| hit.reached());
            // Along a wall, rounding may put a part of the way behind it, but not its end.
            let hit = reach(next).or_else(|| reach(steering.attraction))?;
            (at, next) = (hit.at, hit.at.position());
        }
        // Steps towards one place are one straight piece.
        if heading == Some(steering.attraction) && stations.len() > 1 {
            stations.pop();
        }
        heading = Some(steering.attraction);
        stations.push(grid.units(next));
        if arrives {
            let end = Location::in_cell(at.cell(), goal);
            return lay::path(mesh, [start, end], lay::straight(mesh, &stations), radius, 0);
        }
    }
    None
}

//! Finds the largest body that gets through, and where it gets stuck.

use super::ends::Ends;
use super::graph::Obstacles;
use super::walls::Wall;
use clearway_geometry::{Vec2, vec2::segment_distance};
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{NoPath, Path};

/// The number of halvings of the range of radii: the answer is right to a millionth of the radius asked for.
const HALVINGS: u32 = 20;

/// Returns the answer for two connected points between which the body does not fit. The radius is found by bisection,
/// because a smaller body gets wherever a larger one does.
pub(super) fn narrowest(
    mesh: &NavMesh,
    obstacles: &Obstacles,
    ends: &Ends,
    find: impl Fn(&Ends) -> Option<Path>,
) -> NoPath {
    let Some(mut widest) = find(&ends.with_radius(mesh, 0.0)) else { return NoPath::Disconnected };
    let (mut fits, mut fails) = (0.0, ends.radius * mesh.unit());
    for _ in 0..HALVINGS {
        let middle = 0.5 * (fits + fails);
        match find(&ends.with_radius(mesh, middle)) {
            Some(path) => (fits, widest) = (middle, path),
            None => fails = middle,
        }
    }
    let at = tightest_gap(mesh, obstacles, &widest, fails).unwrap_or(widest.start);
    let at = mesh.nearest(at, f64::INFINITY).unwrap_or(ends.places[0]);
    NoPath::TooNarrow { widest_radius: fits, at, link: None }
}

/// Returns the middle of the narrowest gap between two walls that the widest body touches on its way.
fn tightest_gap(mesh: &NavMesh, obstacles: &Obstacles, path: &Path, radius: f64) -> Option<[f64; 2]> {
    let reach = radius / mesh.unit() * (1.0 + 1e-4);
    let stations: Vec<Vec2> =
        path.points(radius * 1e-3).iter().map(|p| mesh.parts().grid.units(*p)).collect();
    let touches = |wall: &&Wall| {
        stations.windows(2).any(|ends| segment_distance(ends[0], ends[1], wall.from, wall.to) <= reach)
    };
    let touched: Vec<&Wall> = obstacles.walls.list.iter().filter(touches).collect();
    let mut best: Option<(f64, Vec2)> = None;
    for (index, one) in touched.iter().enumerate() {
        for other in &touched[index + 1..] {
            let (width, middle) = gap(one, other);
            let is_tight = width >= 2.0 * path.radius / mesh.unit() * (1.0 - 1e-9) && width <= 2.0 * reach;
            let is_crossed =
                || stations.windows(2).any(|s| middle.distance_to_segment(s[0], s[1]) <= 0.02 * reach);
            if is_tight && best.is_none_or(|(least, _)| width < least) && is_crossed() {
                best = Some((width, middle));
            }
        }
    }
    best.map(|(_, middle)| mesh.parts().grid.place(middle))
}

/// Returns the distance of two walls that do not cross, and the middle between their nearest points.
fn gap(one: &Wall, other: &Wall) -> (f64, Vec2) {
    let mut best = (f64::INFINITY, one.from);
    for (ends, wall) in [(one, other), (other, one)] {
        for end in [ends.from, ends.to] {
            let foot = end.nearest_on(wall.from, wall.to);
            if end.distance(foot) < best.0 {
                best = (end.distance(foot), (end + foot) * 0.5);
            }
        }
    }
    best
}

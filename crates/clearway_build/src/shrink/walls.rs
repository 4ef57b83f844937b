//! The walls near each cell, widened by the radius of a body.
//!
//! A wall counts for a cell if a straight line can lead from the cell to it: out through one portal, and from then on
//! beyond the line of that portal. So the next turn of a spiral stair does not count, though it is near in projection.
//! Cost: for each portal of a cell, the cells within the radius.

use clearway_base::parallel::map;
use clearway_geometry::boxes::Box2;
use clearway_geometry::clip::half_plane;
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::overlap;
use clearway_geometry::vec2::segment_distance;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::{CellId, NavMesh};
use std::f64::consts::PI;

/// The number of corners of the polygon around a circle. At corners it takes away up to 2 % of the radius more than the
/// circle.
const CORNERS: usize = 16;
/// The distance in grid units by which widened walls may reach beyond the box around all cells.
const BEYOND: i32 = 1 << 10;

/// The widened walls that cut each cell.
pub struct Walls {
    /// For each cell, the walls near it.
    near: Vec<Vec<[Vec2; 2]>>,
    /// Half the width of a widened wall, in grid units.
    wide: f64,
    /// The room for widened walls.
    room: [Vec2; 2],
}

impl Walls {
    /// Finds the walls of all cells of sheets.
    pub fn of(mesh: &NavMesh, wide: f64, sheet_of: &[u32]) -> Walls {
        let near = map(sheet_of.len(), |cell| match sheet_of[cell] {
            NONE => Vec::new(),
            // Portals are judged with slightly wider walls.
            _ => walls_near(mesh, cell as u32, wide + super::MARGIN),
        });
        let extent = match mesh.parts().points.as_slice() {
            [] => Box2::of(&[Point::new(0, 0)]),
            points => Box2::of(points),
        };
        let within = |value: i32, by: i32| f64::from(value.saturating_add(by).clamp(1 - LIMIT, LIMIT - 1));
        let corner = |point: Point, by: i32| Vec2::new(within(point.x, by), within(point.y, by));
        Walls { near, wide, room: [corner(extent.min, -BEYOND), corner(extent.max, BEYOND)] }
    }

    /// Returns the outlines of the walls that cut a cell, widened by so many grid units more.
    pub fn cutting(&self, mesh: &NavMesh, cell: u32, more: f64) -> Vec<Vec<Point>> {
        let outline: Vec<Point> =
            mesh.cell(CellId(cell)).map(|cell| cell.points().collect()).unwrap_or_default();
        let widened = self.near[cell as usize].iter().map(|wall| around(*wall, self.wide + more, self.room));
        widened.filter(|ring| ring.len() > 2 && overlap(ring, &outline)).collect()
    }
}

/// Returns the walls within a distance of a cell, each once.
fn walls_near(mesh: &NavMesh, cell: u32, distance: f64) -> Vec<[Vec2; 2]> {
    let graph = mesh.graph();
    let own: Vec<[Vec2; 2]> = graph.sides(cell).map(|side| graph.ends(cell, side)).collect();
    let is_near = |[a, b]: [Vec2; 2]| own.iter().any(|[c, d]| segment_distance(a, b, *c, *d) <= distance);
    let mut found = Vec::new();
    for side in graph.sides(cell) {
        let [from, to] = graph.ends(cell, side);
        if graph.beyond[side] == NONE {
            found.push((side, [from, to]));
            continue;
        }
        let is_out = |ends: [Vec2; 2]| ends.iter().any(|at| (to - from).cross(*at - from) <= 0.0);
        let (mut open, mut entered) = (vec![graph.beyond[side]], vec![cell, graph.beyond[side]]);
        while let Some(other) = open.pop() {
            for side in graph.sides(other) {
                let (ends, next) = (graph.ends(other, side), graph.beyond[side]);
                if !is_near(ends) || !is_out(ends) || entered.contains(&next) {
                    continue;
                }
                if next == NONE {
                    found.push((side, ends));
                } else {
                    entered.push(next);
                    open.push(next);
                }
            }
        }
    }
    found.sort_by_key(|(side, _)| *side);
    found.dedup_by_key(|(side, _)| *side);
    found.into_iter().map(|(_, ends)| ends).collect()
}

/// Returns a convex outline around all points within a distance of a wall, as far as there is room.
fn around([from, to]: [Vec2; 2], distance: f64, [low, high]: [Vec2; 2]) -> Vec<Point> {
    let step = 2.0 * PI / CORNERS as f64;
    let radius = distance / (0.5 * step).cos();
    let along = to - from;
    let direction = along.y.atan2(along.x);
    let corner = |number: usize| {
        let turn = (number as f64 + 0.5) * step - 0.5 * PI;
        // The first half of the corners lies beyond the end, the second half before the start.
        let centre = if number < CORNERS / 2 { to } else { from };
        let (sin, cos) = (direction + turn).sin_cos();
        centre + Vec2::new(cos, sin) * radius
    };
    let mut ring: Vec<Vec2> = (0..CORNERS).map(corner).collect();
    let between = |p: &Vec2, q: &Vec2, share: f64| *p + (*q - *p) * share;
    let depths: [&dyn Fn(&Vec2) -> f64; 4] =
        [&|p| p.x - low.x, &|p| high.x - p.x, &|p| p.y - low.y, &|p| high.y - p.y];
    for depth in depths {
        ring = half_plane(&ring, depth, between);
    }
    let mut points: Vec<Point> = ring.iter().map(|at| rounded(*at)).collect();
    points.dedup();
    points
}

/// Returns the grid point next to a place within the limits of the grid.
pub fn rounded(at: Vec2) -> Point {
    Point::new(at.x.round() as i32, at.y.round() as i32)
}

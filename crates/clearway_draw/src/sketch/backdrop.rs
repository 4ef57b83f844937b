//! The scene beneath a mesh: upright faces as faint lines, and what stands at the edges of the mesh.
//!
//! A mesh knows where one cannot walk on, not why. With the scene at hand, an edge at which something stands above a step is
//! a wall; an edge at which nothing stands is a ledge.

use super::frame::Frame;
use super::legend::line_element;
use super::path::PathText;
use clearway_geometry::Point;
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_nav::mesh::{Cell, NavMesh};

/// The colour of the scene.
const SCENE: &str = "#8391a5";
/// The number of boxes per metre in the plan: millimetres are finer than any wall.
const PER_METRE: f64 = 1000.0;
/// The distance in metres beyond an edge within which something must stand that makes it a wall. It covers mouldings, and
/// railings on the outer side of a floor.
const BEYOND: f64 = 0.25;
/// The distance in metres before an edge: walls may reach a little over the floor.
const BEFORE: f64 = 0.05;
/// The heights in metres above the ground at which an edge is looked at: above a usual step, at a railing, at the chest,
/// at the head.
const LOOKS: [f64; 4] = [0.55, 0.9, 1.3, 1.7];
/// The shares of an edge at which it is looked at.
const STOPS: [f64; 3] = [0.2, 0.5, 0.8];
/// The greatest share of a face's normal that points up for a face to count as upright.
const UPRIGHT: f64 = 0.5;

/// What is known of the edges of a mesh.
pub enum Edges {
    /// All of them are walls, as on a plan.
    Walls,
    /// They may be walls or ledges.
    Unknown,
    /// For each side of each cell, true for a ledge.
    Known(Vec<bool>),
}

impl Edges {
    /// True if a side of the mesh is known to be a ledge.
    pub fn is_ledge(&self, side: usize) -> bool {
        matches!(self, Edges::Known(ledges) if ledges.get(side) == Some(&true))
    }

    /// True if a side of the mesh is known to be a wall.
    pub fn is_wall(&self, side: usize) -> bool {
        match self {
            Edges::Walls => true,
            Edges::Unknown => false,
            Edges::Known(ledges) => ledges.get(side) == Some(&false),
        }
    }
}

/// The triangles of a scene, sorted by place.
#[derive(Debug)]
pub struct Backdrop {
    triangles: Vec<[[f64; 3]; 3]>,
    grid: BoxGrid,
}

impl Backdrop {
    /// Takes the triangles of a scene, in the world: x, height, z.
    pub fn new(triangles: Vec<[[f64; 3]; 3]>) -> Backdrop {
        let extent = |triangle: &[[f64; 3]; 3]| Box2::of(&triangle.map(|[x, _, z]| point([x, -z])));
        let grid = BoxGrid::of(triangles.iter().map(extent).collect());
        Backdrop { triangles, grid }
    }

    /// Draws the upright faces that stand within a range of heights, seen from above.
    pub(super) fn draw(&self, svg: &mut String, frame: &Frame, [low, high]: [f64; 2]) {
        let mut path = PathText::default();
        for triangle in self.triangles.iter().filter(|triangle| is_upright(triangle)) {
            let heights = triangle.map(|at| at[1]);
            let least = heights.into_iter().fold(f64::INFINITY, f64::min);
            let most = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
            if most < low || least > high {
                continue;
            }
            let places = triangle.map(|[x, _, z]| frame.place([x, -z]));
            let length =
                |[a, b]: [usize; 2]| (places[a][0] - places[b][0]).hypot(places[a][1] - places[b][1]);
            // From above an upright face is a line: its longest side.
            let sides = [[0, 1], [1, 2], [2, 0]];
            let longest = sides.into_iter().max_by(|a, b| length(*a).total_cmp(&length(*b)));
            if let Some(side) = longest.filter(|side| length(*side) > 0.3) {
                path.line(side.map(|corner| places[corner]).into_iter());
            }
        }
        if !path.is_empty() {
            line_element(svg, &path, SCENE, 0.8 * frame.ui, " stroke-opacity=\".55\"");
        }
    }

    /// Finds out which edges of a mesh are ledges.
    pub(super) fn edges(&self, mesh: &NavMesh) -> Edges {
        let mut ledges = vec![false; mesh.parts().sides.len()];
        for cell in mesh.cells() {
            let first = mesh.graph().sides(cell.id().0).start;
            let outline: Vec<[f64; 2]> = cell.outline().collect();
            for (place, side) in cell.sides().enumerate() {
                let ends = [outline[place], outline[(place + 1) % outline.len()]];
                ledges[first + place] = side.portal.is_none() && self.is_ledge(mesh, &cell, ends);
            }
        }
        Edges::Known(ledges)
    }

    /// True if nothing stands beyond most of a side of a cell.
    fn is_ledge(&self, mesh: &NavMesh, cell: &Cell<'_>, [from, to]: [[f64; 2]; 2]) -> bool {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]);
        if length == 0.0 {
            return false;
        }
        // The cell lies on the left of its sides.
        let out = [along[1] / length, -along[0] / length];
        let is_open = |share: &f64| {
            let at = [0, 1].map(|axis| from[axis] + along[axis] * share);
            let height = mesh.ground_height(cell.id().0, mesh.parts().grid.units(at));
            let ends = [-BEFORE, BEYOND].map(|off| [0, 1].map(|axis| at[axis] + out[axis] * off));
            !LOOKS.iter().any(|look| self.meets(ends, height + look))
        };
        STOPS.iter().filter(|share| is_open(share)).count() >= 2
    }

    /// True if a level line in the plan, at a height, meets a triangle.
    fn meets(&self, ends: [[f64; 2]; 2], height: f64) -> bool {
        let extent = Box2::of(&ends.map(point)).grown(1);
        self.grid.any_touching(&extent, |number| {
            let triangle = &self.triangles[number as usize];
            cut_at(triangle, height).is_some_and(|cut| cross(ends, cut))
        })
    }
}

/// Returns the line in which a triangle meets a level plane, in the plan.
fn cut_at(triangle: &[[f64; 3]; 3], height: f64) -> Option<[[f64; 2]; 2]> {
    let mut found: Vec<[f64; 2]> = Vec::new();
    for (a, b) in triangle.iter().zip(triangle.iter().cycle().skip(1)) {
        let (p, q) = (a[1] - height, b[1] - height);
        if (p < 0.0) != (q < 0.0) {
            let share = p / (p - q);
            found.push([a[0] + (b[0] - a[0]) * share, -(a[2] + (b[2] - a[2]) * share)]);
        }
    }
    <[[f64; 2]; 2]>::try_from(found).ok()
}

/// True if two lines cross or touch.
fn cross([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let side =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

/// True if a face stands rather than lies.
fn is_upright([a, b, c]: &[[f64; 3]; 3]) -> bool {
    let [u, v] = [b, c].map(|at| [0, 1, 2].map(|axis| at[axis] - a[axis]));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
    length > 0.0 && normal[1].abs() <= UPRIGHT * length
}

/// Returns a place of the plan in millimetres; far places saturate.
fn point(at: [f64; 2]) -> Point {
    let [x, y] = at.map(|value| (value * PER_METRE).round().clamp(-2e8, 2e8) as i32);
    Point::new(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_faces_are_cut_to_lines() {
        let wall = [[1.0, 0.0, 0.0], [1.0, 0.0, 4.0], [1.0, 3.0, 0.0]];
        assert!(is_upright(&wall) && !is_upright(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]));
        let scene = Backdrop::new(vec![wall]);
        assert!(scene.meets([[0.9, -0.5], [1.2, -0.5]], 1.0));
        assert!(!scene.meets([[0.9, -3.5], [1.2, -3.5]], 1.0), "beside the slope of the triangle");
        assert!(!scene.meets([[0.9, -0.5], [1.2, -0.5]], 3.5), "above it");
    }
}

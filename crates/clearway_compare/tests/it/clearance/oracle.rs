//! An independent answer to "how wide can a disc be to get from here to there": walls become rows of points `step`
//! apart, and discs among points are understood completely by the Voronoi diagram of the points. It shares no
//! code and no idea with the peak graph.
//!
//! A centre can always move away from its nearest point until two points are nearest, and then along the Voronoi
//! diagram, the dual of the Delaunay triangulation. Points `step` apart are at most `sqrt(d² + step²/4)` away
//! where the wall is `d` away, so that truth lies between `sqrt(w² - step²/4)` and the answer `w`.

use clearway_geometry::half_edges::{next, triangle};
use clearway_geometry::{NONE, Point, Triangulation, Vec2};
use clearway_nav::mesh::NavMesh;
use std::collections::BinaryHeap;

/// A place as the diagram sees it: two corners of it, and how wide the ways to them are.
pub type Place = [(u32, f64); 2];

pub struct Oracle {
    pub step: f64,
    diagram: Triangulation,
    centers: Vec<(Vec2, f64)>,
}

/// A float that can be ordered; none of them is NaN.
#[derive(PartialEq)]
struct Width(f64);

impl Eq for Width {}

impl PartialOrd for Width {
    fn partial_cmp(&self, other: &Width) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Width {
    fn cmp(&self, other: &Width) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Oracle {
    /// Samples the walls of a mesh at most `step` grid units apart.
    pub fn new(mesh: &NavMesh, step: f64) -> Oracle {
        let mut points = Vec::new();
        for cell in mesh.cells() {
            for side in cell.sides().filter(|side| side.portal.is_none()) {
                let [a, b] = [side.from, side.to].map(|v| mesh.parts().points[v.index()].as_vec2());
                let count = (a.distance(b) / step).ceil().max(1.0);
                for k in 0..=count as usize {
                    let p = a + (b - a) * (k as f64 / count);
                    points.push(Point::new(p.x.round() as i32, p.y.round() as i32));
                }
            }
        }
        let (diagram, _) = Triangulation::of_points(&points);
        let centers = (0..diagram.edges().triangle_count()).map(|t| center(&diagram, t)).collect();
        Oracle { step, diagram, centers }
    }

    /// For one of some places: the widest disc that can move from it to each of them.
    pub fn widest(&self, from: usize, places: &[Place]) -> Vec<f64> {
        let mut width = vec![0.0f64; self.centers.len()];
        let mut heap: BinaryHeap<(Width, u32)> = BinaryHeap::new();
        for (t, w) in places[from] {
            width[t as usize] = width[t as usize].max(w);
            heap.push((Width(w), t));
        }
        while let Some((Width(w), t)) = heap.pop() {
            if w < width[t as usize] {
                continue;
            }
            for e in [3 * t, 3 * t + 1, 3 * t + 2] {
                let twin = self.diagram.edges().twin(e);
                if twin == NONE {
                    continue;
                }
                let beyond = triangle(twin);
                let through = self.along(e, self.centers[t as usize].0, self.centers[beyond as usize].0);
                if w.min(through) > width[beyond as usize] {
                    width[beyond as usize] = w.min(through);
                    heap.push((Width(w.min(through)), beyond));
                }
            }
        }
        let reach = |[a, b]: &Place| width[a.0 as usize].min(a.1).max(width[b.0 as usize].min(b.1));
        places.iter().map(reach).collect()
    }

    /// From a place away from its nearest point to an edge of the diagram, and on to both ends of that edge.
    pub fn climb(&self, p: Vec2) -> Place {
        let at = |v: u32| self.diagram.point(v).as_vec2();
        let nearest =
            self.diagram.vertices().min_by(|a, b| at(*a).distance(p).total_cmp(&at(*b).distance(p)));
        let u = nearest.unwrap();
        let away = (p - at(u)).unit();
        let mut best = (f64::INFINITY, NONE);
        for e in self.diagram.edges().around(u) {
            let to = at(self.diagram.edges().target(e)) - at(u);
            let t = 0.5 * to.length_squared() / to.dot(away);
            if t > 0.0 && t < best.0 {
                best = (t, e);
            }
        }
        let (t, e) = best;
        if e == NONE {
            return [(0, 0.0); 2];
        }
        let (x, height) = (at(u) + away * t, p.distance(at(u)));
        [e, self.diagram.edges().twin(e)].map(|e| {
            let t = triangle(e);
            (t, height.min(self.along(e, x, self.centers[t as usize].0)))
        })
    }

    /// The least distance to the points of an edge of the triangulation on its bisector between two places.
    fn along(&self, e: u32, from: Vec2, to: Vec2) -> f64 {
        let [u, v] = [e, next(e)].map(|e| self.diagram.point(self.diagram.edges().origin(e)).as_vec2());
        u.distance(((u + v) * 0.5).nearest_on(from, to))
    }
}

fn center(diagram: &Triangulation, t: u32) -> (Vec2, f64) {
    let [a, b, c] = [3 * t, 3 * t + 1, 3 * t + 2].map(|e| diagram.point(diagram.edges().origin(e)).as_vec2());
    let (b, c) = (b - a, c - a);
    let offset = (b.perp() * c.length_squared() - c.perp() * b.length_squared()) * (0.5 / b.cross(c));
    (a + offset, offset.length())
}

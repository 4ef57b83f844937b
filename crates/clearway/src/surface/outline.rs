//! From glued triangles to a triangulation of its own: vertices found, what is inside dissolved.

use super::fabric::Fabric;
use clearway_geometry::arrangement::WALL;
use clearway_geometry::half_edges::HalfEdges;
use clearway_geometry::triangulation::hilbert_order;
use clearway_geometry::{NONE, Point, Triangulation};

/// The mark of an edge between two area classes: it stays where it is.
pub const SEAM: u32 = 2;

/// A triangulation with vertices only where walls or seams are.
#[derive(Debug)]
pub struct Outline {
    pub triangulation: Triangulation,
    /// For each half-edge of the fabric the vertex at which it starts, or [`NONE`] if that is gone.
    pub vertex_of: Vec<u32>,
}

/// Finds the vertices of the fabric and dissolves those inside; `area` tells the area class of a chart.
pub fn triangulate(fabric: &Fabric, area: impl Fn(u32) -> u8) -> Outline {
    let (points, vertex_of) = vertices(fabric);
    let mut edges = HalfEdges::with_capacity(points.len());
    for _ in &points {
        edges.add_vertex();
    }
    for first in (0..fabric.len()).step_by(3) {
        edges.add_triangle([0, 1, 2].map(|i| vertex_of[(first + i) as usize]));
    }
    for e in 0..fabric.len() {
        let twin = fabric.twin[e as usize];
        let area_of = |e: u32| area(fabric.chart[e as usize / 3]);
        let mark = match twin {
            NONE => WALL,
            _ if area_of(e) != area_of(twin) => SEAM,
            _ => 0,
        };
        if twin == NONE || e < twin {
            edges.glue(e, twin, mark);
        }
    }
    let mut triangulation = Triangulation::glued(points, edges);
    for vertex in 0..triangulation.points().len() as u32 {
        triangulation.remove(vertex);
    }
    triangulation.settle_all();
    let (triangulation, number_of) = compacted(&triangulation);
    let vertex_of = vertex_of.into_iter().map(|vertex| number_of[vertex as usize]).collect();
    Outline { triangulation, vertex_of }
}

/// Where each vertex lies, in the order of a Hilbert curve, and the vertex of each half-edge.
fn vertices(fabric: &Fabric) -> (Vec<Point>, Vec<u32>) {
    let mut number = vec![NONE; fabric.len() as usize];
    let mut places = Vec::new();
    for e in 0..fabric.len() {
        if number[e as usize] == NONE {
            for spoke in fabric.fan(e) {
                number[spoke as usize] = places.len() as u32;
            }
            places.push(fabric.from(e));
        }
    }
    let order: Vec<u32> = hilbert_order(&places).collect();
    let mut rank = vec![0; order.len()];
    for (place, old) in order.iter().enumerate() {
        rank[*old as usize] = place as u32;
    }
    let points = order.iter().map(|old| places[*old as usize]).collect();
    (points, number.into_iter().map(|old| rank[old as usize]).collect())
}

/// The living triangles, and the new number of each vertex that they use.
fn compacted(triangulation: &Triangulation) -> (Triangulation, Vec<u32>) {
    let edges = triangulation.edges();
    let living: Vec<u32> = (0..edges.triangle_count()).filter(|t| !edges.is_dead(*t)).collect();
    let mut place = vec![NONE; edges.triangle_count() as usize];
    let mut used = vec![NONE; triangulation.points().len()];
    for (number, triangle) in living.iter().enumerate() {
        place[*triangle as usize] = number as u32;
        for e in 3 * triangle..3 * triangle + 3 {
            used[edges.origin(e) as usize] = 0;
        }
    }
    let mut points = Vec::new();
    for (vertex, number) in used.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
        *number = points.len() as u32;
        points.push(triangulation.points()[vertex]);
    }
    let mut fresh = HalfEdges::with_capacity(points.len());
    for _ in &points {
        fresh.add_vertex();
    }
    for triangle in &living {
        fresh.add_triangle([0, 1, 2].map(|i| used[edges.origin(3 * triangle + i) as usize]));
    }
    for triangle in &living {
        for e in 3 * triangle..3 * triangle + 3 {
            let here = 3 * place[*triangle as usize] + e % 3;
            let twin = edges.twin(e);
            let there = if twin == NONE { NONE } else { 3 * place[twin as usize / 3] + twin % 3 };
            if twin == NONE || e < twin {
                fresh.glue(here, there, edges.mark(e));
            }
        }
    }
    (Triangulation::glued(points, fresh), used)
}

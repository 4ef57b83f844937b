//! Turns glued triangles into a triangulation of the outline: finds its vertices and removes those inside.
//!
//! Steps: number the vertices, remove inner and straight ones, simplify the border, drop splinters, close slits, and
//! number what is left anew.
//!
//! Invariant: vertices lie only where walls or seams between area classes are, so that stairs do not become one cell
//! per tread. Edges of walls and seams carry a mark.

use crate::surface::outline::simplify::Simplifier;
use crate::surface::outline::slits::{self, Least};
use crate::surface::stitch::fabric::Fabric;
use crate::surface::tolerances::ROUNDING;
use crate::surface::tolerances::triangulate::SPLINTER;
use clearway_geometry::arrangement::WALL;
use clearway_geometry::half_edges::{HalfEdges, next, prev};
use clearway_geometry::predicates::{orient, width};
use clearway_geometry::sorting::sort_by_number;
use clearway_geometry::triangulation::hilbert_order;
use clearway_geometry::{NONE, Point, Triangulation};

/// The mark of an edge between two area classes. Marked edges are never flipped or removed. It differs from `WALL`.
pub const SEAM: u32 = 2;

/// A triangulation with vertices only where walls or seams are.
#[derive(Debug)]
pub struct Outline {
    /// The walkable triangles.
    pub triangulation: Triangulation,
    /// For each half-edge of the fabric the vertex at which it starts, or [`NONE`] if that vertex is gone.
    pub vertex_of: Vec<u32>,
}

impl Outline {
    /// The area that is left of each piece of a fabric, in square metres. `piece_of` holds the piece of each triangle
    /// of the fabric.
    pub fn areas(&self, piece_of: &[u32], count: usize, unit: f64) -> Vec<f64> {
        let edges = self.triangulation.edges();
        let mut piece_at = vec![NONE; self.triangulation.points().len()];
        for (vertex, piece) in self.vertex_of.iter().zip(piece_of.iter().flat_map(|piece| [piece; 3])) {
            if *vertex != NONE {
                piece_at[*vertex as usize] = *piece;
            }
        }
        // Vertices that were split have no entry: the neighbours of their triangles pass the piece on.
        let corners = |t: u32| [0, 1, 2].map(|i| edges.origin(3 * t + i));
        let known = |t: u32| corners(t).iter().map(|v| piece_at[*v as usize]).find(|piece| *piece != NONE);
        let mut open: Vec<(u32, u32)> =
            (0..edges.triangle_count()).filter_map(|t| known(t).map(|piece| (t, piece))).collect();
        let (mut is_done, mut areas) = (vec![false; edges.triangle_count() as usize], vec![0.0; count]);
        while let Some((t, piece)) = open.pop() {
            if std::mem::replace(&mut is_done[t as usize], true) {
                continue;
            }
            let [a, b, c] = corners(t).map(|vertex| self.triangulation.point(vertex));
            areas[piece as usize] += 0.5 * orient(a, b, c) as f64 * unit * unit;
            let twins = (3 * t..3 * t + 3).map(|e| edges.twin(e)).filter(|twin| *twin != NONE);
            open.extend(twins.map(|twin| (twin / 3, piece)));
        }
        areas
    }
}

/// Finds the vertices of the fabric and removes those inside. `area` returns the area class of a chart.
///
/// The outline is simplified by up to `least.width` grid units.
pub fn triangulate(fabric: &Fabric, area: impl Fn(u32) -> u8, least: Least) -> Outline {
    let (points, vertex_of) = vertices(fabric);
    let mut edges = HalfEdges::with_capacity(points.len());
    for _ in &points {
        edges.add_vertex();
    }
    for first in (0..fabric.len()).step_by(3) {
        edges.add_triangle([0, 1, 2].map(|i| vertex_of[(first + i) as usize]));
    }
    for (e, twin) in (0u32..).zip(fabric.twin.iter().copied()).filter(|(e, twin)| e < twin) {
        let chart_of = |e: u32| fabric.chart[e as usize / 3];
        // Charts of one class need no seam between them: cells may span them.
        let is_seam = |one: u32, other: u32| one != other && area(one) != area(other);
        let mark = match twin {
            NONE => WALL,
            _ if is_seam(chart_of(e), chart_of(twin)) => SEAM,
            _ => 0,
        };
        edges.glue(e, twin, mark);
    }
    let mut triangulation = Triangulation::glued(points, edges);
    for vertex in 0..triangulation.points().len() as u32 {
        triangulation.remove(vertex);
    }
    // Removing vertices leaves long thin triangles: make them Delaunay again.
    triangulation.settle_all();
    // Rounding bends walls that were straight, and leaves slits between objects that touch. So both passes always
    // run.
    Simplifier::new(&mut triangulation, least.width.max(ROUNDING)).run();
    triangulation.settle_all();
    let mut keep = without_splinters(&triangulation);
    // The narrowest slits close first: beside wider ones they could not be distinguished from the space those open
    // into.
    let mut width = SPLINTER;
    loop {
        slits::close(&triangulation, Least { width, ..least }, &mut keep);
        if width >= least.width {
            break;
        }
        width = (2.0 * width).min(least.width);
    }
    let (triangulation, number_of) = compacted(&triangulation, &keep);
    let vertex_of = vertex_of.into_iter().map(|vertex| number_of[vertex as usize]).collect();
    Outline { triangulation, vertex_of }
}

/// Returns the point of each vertex, in the order of a Hilbert curve, and the vertex of each half-edge.
///
/// A vertex is a fan of glued triangles. So two sheets that only touch in a point get two vertices there.
fn vertices(fabric: &Fabric) -> (Vec<Point>, Vec<u32>) {
    let mut number = vec![NONE; fabric.len() as usize];
    let (mut places, mut fan) = (Vec::new(), Vec::new());
    for e in 0..fabric.len() {
        if number[e as usize] == NONE {
            fabric.fan(e, &mut fan);
            for spoke in &fan {
                number[*spoke as usize] = places.len() as u32;
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

/// Tells which triangles stay. A triangle goes if it is thinner than `SPLINTER` and has at most one neighbour. Such
/// splinters lead nowhere, and may lie over another sheet by a unit.
fn without_splinters(triangulation: &Triangulation) -> Vec<bool> {
    let edges = triangulation.edges();
    let mut keep: Vec<bool> = (0..edges.triangle_count()).map(|t| !edges.is_dead(t)).collect();
    let is_thin = |t: u32| width([0, 1, 2].map(|i| triangulation.point(edges.origin(3 * t + i)))) < SPLINTER;
    let mut work: Vec<u32> = (0..edges.triangle_count()).filter(|t| keep[*t as usize]).collect();
    while let Some(t) = work.pop() {
        let twins = [0, 1, 2].map(|i| edges.twin(3 * t + i));
        let others = || twins.iter().filter(|twin| **twin != NONE && keep[**twin as usize / 3]);
        if keep[t as usize] && others().count() <= 1 && is_thin(t) {
            work.extend(others().map(|twin| twin / 3));
            keep[t as usize] = false;
        }
    }
    keep
}

/// Returns the triangles that stay, and the new number of each vertex; [`NONE`] for vertices that are gone or were
/// split.
fn compacted(triangulation: &Triangulation, keep: &[bool]) -> (Triangulation, Vec<u32>) {
    let edges = triangulation.edges();
    let living: Vec<u32> = (0..edges.triangle_count()).filter(|t| keep[*t as usize]).collect();
    let twin_of = |e: u32| Some(edges.twin(e)).filter(|twin| *twin != NONE && keep[*twin as usize / 3]);
    let mut place = vec![NONE; edges.triangle_count() as usize];
    for (number, triangle) in living.iter().enumerate() {
        place[*triangle as usize] = number as u32;
    }
    let (points, vertex_at, used) = fans(triangulation, &living, twin_of);
    let mut fresh = HalfEdges::with_capacity(points.len());
    for _ in &points {
        fresh.add_vertex();
    }
    for triangle in &living {
        fresh.add_triangle([0, 1, 2].map(|i| vertex_at[(3 * triangle + i) as usize]));
    }
    for e in living.iter().flat_map(|triangle| 3 * triangle..3 * triangle + 3) {
        let here = 3 * place[e as usize / 3] + e % 3;
        match twin_of(e) {
            None => fresh.glue(here, NONE, WALL),
            Some(twin) if e < twin => {
                fresh.glue(here, 3 * place[twin as usize / 3] + twin % 3, edges.mark(e));
            }
            Some(_) => {}
        }
    }
    (Triangulation::glued(points, fresh), used)
}

/// Splits vertices: each connected fan of kept triangles gets its own vertex. Returns the points, the new vertex at
/// which each half-edge starts, and the new vertex of each old one that was not split.
fn fans(
    triangulation: &Triangulation,
    living: &[u32],
    twin_of: impl Fn(u32) -> Option<u32>,
) -> (Vec<Point>, Vec<u32>, Vec<u32>) {
    let edges = triangulation.edges();
    let mut vertex_at = vec![NONE; edges.len() as usize];
    // Old vertices are visited in order, so that neighbours in memory stay neighbours.
    let mut corners: Vec<(u32, u32)> =
        living.iter().flat_map(|t| 3 * t..3 * t + 3).map(|e| (edges.origin(e), e)).collect();
    sort_by_number(&mut corners, |corner| corner.0 as usize);
    let mut points = Vec::new();
    let mut used = vec![NONE; triangulation.points().len()];
    let forth = |e: u32| twin_of(prev(e));
    let back = |e: u32| twin_of(e).map(next);
    for around in corners.chunk_by(|p, q| p.0 == q.0) {
        let first = points.len();
        for (vertex, e) in around {
            if vertex_at[*e as usize] != NONE {
                continue;
            }
            let mut at = Some(*e);
            while let Some(spoke) = at.filter(|spoke| vertex_at[*spoke as usize] == NONE) {
                vertex_at[spoke as usize] = points.len() as u32;
                at = forth(spoke);
            }
            let mut at = back(*e);
            while let Some(spoke) = at.filter(|spoke| vertex_at[*spoke as usize] == NONE) {
                vertex_at[spoke as usize] = points.len() as u32;
                at = back(spoke);
            }
            points.push(triangulation.point(*vertex));
        }
        if points.len() == first + 1 {
            used[around[0].0 as usize] = first as u32;
        }
    }
    (points, vertex_at, used)
}

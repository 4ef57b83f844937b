//! The constrained Delaunay triangulation of `spade`, by its bulk loader.
//!
//! `bulk_load_cdt` is spade's fastest door: it sorts the points once and sweeps outwards. Its older twin
//! `bulk_load_cdt_stable` has been the same function since 2.15. Every ratio in the tables is to this peer,
//! since no exact partition over the plan's own vertices can be had without some such triangulation.

use std::collections::HashMap;

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::inputs::Input;
use crate::peer::{Job, NOT_RUN, Outcome, Peer};

/// spade's triangulation over plan coordinates.
pub type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// CDT alone: triangles as cells.
pub struct SpadeCdt;

impl Peer for SpadeCdt {
    fn name(&self) -> &'static str {
        "cdt"
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        Ok(Box::new(CdtJob { segments: Segments::of(input), built: None }))
    }
}

struct CdtJob {
    segments: Segments,
    built: Option<Cdt>,
}

impl Job for CdtJob {
    fn run(&mut self) -> Result<(), String> {
        self.built = Some(std::mem::take(&mut self.segments).triangulate()?);
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let cdt = self.built.as_ref().ok_or(NOT_RUN)?;
        let walkable = walkable_faces(cdt);
        let mut outcome =
            Outcome { cells: walkable.iter().filter(|inside| **inside).count(), ..Outcome::default() };
        for edge in cdt.undirected_edges() {
            if !edge.is_constraint_edge() && walkable[edge.as_directed().face().index()] {
                outcome.portals += 1;
                outcome.portal_length += edge.length_2().sqrt();
            }
        }
        Ok(outcome)
    }
}

/// The plan's rings as points and segments, the form spade loads.
#[derive(Clone, Default)]
pub struct Segments {
    points: Vec<Point2<f64>>,
    edges: Vec<[usize; 2]>,
}

impl Segments {
    /// All rings of the plan at once. spade merges equal points itself.
    pub fn of(input: &Input) -> Segments {
        let mut segments = Segments::default();
        for ring in input.rings() {
            let first = segments.points.len();
            segments.points.extend(ring.iter().map(|&[x, y]| Point2::new(x, y)));
            segments.edges.extend((0..ring.len()).map(|i| [first + i, first + (i + 1) % ring.len()]));
        }
        segments.drop_doubled_edges();
        segments
    }

    /// The triangulation of the convex hull with every segment in it.
    pub fn triangulate(self) -> Result<Cdt, String> {
        Cdt::bulk_load_cdt(self.points, self.edges).map_err(|error| error.to_string())
    }

    /// An edge drawn twice has walkable space on both sides: it is no wall, and would upset the parity by
    /// which [`walkable_faces`] tells inside from outside.
    fn drop_doubled_edges(&mut self) {
        let mut times = HashMap::new();
        for &edge in &self.edges {
            *times.entry(self.place(edge)).or_insert(0_u32) += 1;
        }
        let edges = std::mem::take(&mut self.edges);
        self.edges = edges.into_iter().filter(|&edge| times[&self.place(edge)] % 2 == 1).collect();
    }

    /// Where an edge lies, the same for both directions.
    fn place(&self, edge: [usize; 2]) -> [[u64; 2]; 2] {
        // Adding zero turns a negative zero into a positive one.
        let mut ends = edge.map(|i| [self.points[i].x + 0.0, self.points[i].y + 0.0].map(f64::to_bits));
        ends.sort_unstable();
        ends
    }
}

/// Which faces are walkable, by face index: crossing a wall from the outside in flips the answer.
pub fn walkable_faces(cdt: &Cdt) -> Vec<bool> {
    let mut inside = vec![None; cdt.num_all_faces()];
    let hull = cdt.convex_hull().filter_map(|edge| {
        let inner = edge.rev().face().as_inner()?;
        Some((inner.fix(), edge.is_constraint_edge()))
    });
    let mut open: Vec<_> = hull.collect();
    while let Some((face, value)) = open.pop() {
        if inside[face.index()].replace(value).is_some() {
            continue;
        }
        for edge in cdt.face(face).adjacent_edges() {
            let Some(next) = edge.rev().face().as_inner() else { continue };
            if inside[next.index()].is_none() {
                open.push((next.fix(), value ^ edge.is_constraint_edge()));
            }
        }
    }
    inside.into_iter().map(|value| value == Some(true)).collect()
}

//! Hertel and Mehlhorn's convex partition on spade's triangulation.
//!
//! Hertel, Mehlhorn: Fast triangulation of simple polygons, FCT 1983. An inner edge can go where the sectors it
//! parts at both of its ends stay convex without it. Removing an edge only widens sectors, so an edge that must
//! stay once must stay for ever, and one pass in any order leaves no removable edge.
//!
//! The order is free and matters: longest first leaves shorter portals, the triangulation's own order up to a
//! tenth fewer cells on most plans. Both are rows, so that ours is never compared with the weaker one only.
//!
//! The turn at a vertex is decided exactly. Cost: the sort, then O(1) per edge.

use robust::{Coord, orient2d};
use spade::Triangulation;

use crate::inputs::Input;
use crate::peer::{Job, NOT_RUN, Outcome, Peer};
use crate::spade_cdt::{Cdt, Segments, walkable_faces};

/// CDT, then removal of inessential edges in one order or the other.
#[derive(Clone, Copy)]
pub enum HertelMehlhorn {
    /// From the longest edge to the shortest.
    LongestFirst,
    /// As the triangulation numbers them.
    AsNumbered,
}

impl Peer for HertelMehlhorn {
    fn name(&self) -> &'static str {
        match self {
            HertelMehlhorn::LongestFirst => "hm",
            HertelMehlhorn::AsNumbered => "hm-unsorted",
        }
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        let segments = Segments::of(input);
        Ok(Box::new(HmJob { segments, order: *self, relax_angle: input.relax_angle, built: None }))
    }
}

struct HmJob {
    segments: Segments,
    order: HertelMehlhorn,
    relax_angle: f64,
    built: Option<Partition>,
}

impl Job for HmJob {
    fn run(&mut self) -> Result<(), String> {
        let cdt = std::mem::take(&mut self.segments).triangulate()?;
        let mut partition = Partition::of_triangles(&cdt, self.relax_angle);
        if matches!(self.order, HertelMehlhorn::LongestFirst) {
            partition.sort_longest_first();
        }
        partition.remove_inessential();
        self.built = Some(partition);
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        Ok(self.built.as_ref().ok_or(NOT_RUN)?.outcome())
    }
}

/// A partition as half-edges: `edge ^ 1` is an edge's other half, as in spade.
struct Partition {
    places: Vec<Coord<f64>>,
    origin: Vec<u32>,
    next: Vec<u32>,
    prev: Vec<u32>,
    /// One half of every inner edge still there.
    portals: Vec<u32>,
    cells: usize,
    relax_angle: f64,
}

impl Partition {
    fn of_triangles(cdt: &Cdt, relax_angle: f64) -> Partition {
        let walkable = walkable_faces(cdt);
        let inner = cdt
            .undirected_edges()
            .filter(|edge| !edge.is_constraint_edge() && walkable[edge.as_directed().face().index()]);
        let portals = inner.map(|edge| edge.as_directed().fix().index() as u32).collect();
        let places = cdt.vertices().map(|vertex| vertex.position());
        Partition {
            places: places.map(|place| Coord { x: place.x, y: place.y }).collect(),
            origin: cdt.directed_edges().map(|edge| edge.from().index() as u32).collect(),
            next: cdt.directed_edges().map(|edge| edge.next().fix().index() as u32).collect(),
            prev: cdt.directed_edges().map(|edge| edge.prev().fix().index() as u32).collect(),
            portals,
            cells: walkable.iter().filter(|inside| **inside).count(),
            relax_angle,
        }
    }

    fn sort_longest_first(&mut self) {
        let with_lengths = self.portals.iter().map(|&edge| (self.squared_length(edge), edge));
        let mut order: Vec<(f64, u32)> = with_lengths.collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.portals = order.into_iter().map(|(_, edge)| edge).collect();
    }

    fn remove_inessential(&mut self) {
        for edge in std::mem::take(&mut self.portals) {
            if self.opens_convex(edge) && self.opens_convex(edge ^ 1) {
                self.unlink(edge);
                self.cells -= 1;
            } else {
                self.portals.push(edge);
            }
        }
    }

    /// Whether the sector at the edge's origin is convex without the edge.
    fn opens_convex(&self, edge: u32) -> bool {
        let before = self.origin[self.prev[edge as usize] as usize];
        let after = self.origin[(self.next[(edge ^ 1) as usize] ^ 1) as usize];
        let corner = self.origin[edge as usize];
        let [before, corner, after] = [before, corner, after].map(|vertex| self.places[vertex as usize]);
        turns_within(before, corner, after, self.relax_angle)
    }

    /// Joins the cells on both sides of an edge.
    fn unlink(&mut self, edge: u32) {
        for half in [edge, edge ^ 1] {
            let before = self.prev[half as usize];
            let after = self.next[(half ^ 1) as usize];
            self.next[before as usize] = after;
            self.prev[after as usize] = before;
        }
    }

    fn squared_length(&self, edge: u32) -> f64 {
        let from = self.places[self.origin[edge as usize] as usize];
        let to = self.places[self.origin[(edge ^ 1) as usize] as usize];
        (to.x - from.x).powi(2) + (to.y - from.y).powi(2)
    }

    fn outcome(&self) -> Outcome {
        let lengths = self.portals.iter().map(|&edge| self.squared_length(edge).sqrt());
        Outcome {
            cells: self.cells,
            portals: self.portals.len(),
            portal_length: lengths.sum(),
            ..Outcome::default()
        }
    }
}

/// Whether the way `before`, `corner`, `after` turns left or goes straight on, or turns right by no more than
/// `relax_angle`. A way that doubles back on itself does not.
fn turns_within(before: Coord<f64>, corner: Coord<f64>, after: Coord<f64>, relax_angle: f64) -> bool {
    let turn = orient2d(before, corner, after);
    if turn > 0.0 {
        return true;
    }
    let (ax, ay) = (corner.x - before.x, corner.y - before.y);
    let (bx, by) = (after.x - corner.x, after.y - corner.y);
    let forward = ax * bx + ay * by;
    forward > 0.0 && (turn == 0.0 || turn.atan2(forward) >= -relax_angle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{Polygon, Source};

    const BOTH: [HertelMehlhorn; 2] = [HertelMehlhorn::LongestFirst, HertelMehlhorn::AsNumbered];

    fn cells(outline: &[[f64; 2]], holes: Vec<Vec<[f64; 2]>>, relax_angle: f64) -> [usize; 2] {
        let polygon = Polygon { outline: outline.to_vec(), holes };
        let input = Input { polygons: vec![polygon], relax_angle, ..Input::default() };
        BOTH.map(|peer| {
            let mut job = peer.prepare(&input).unwrap();
            job.run().unwrap();
            job.outcome().unwrap().cells
        })
    }

    #[test]
    fn a_square_is_one_cell_and_an_l_is_two() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        assert_eq!(cells(&square, vec![], 0.0), [1, 1]);
        assert_eq!(cells(&l, vec![], 0.0), [2, 2]);
    }

    #[test]
    fn a_square_hole_costs_four_cells() {
        let square = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
        let hole = vec![[3.0, 3.0], [6.0, 3.0], [6.0, 6.0], [3.0, 6.0]];
        assert_eq!(cells(&square, vec![hole], 0.0), [4, 4]);
    }

    #[test]
    fn a_shallow_notch_counts_only_without_relaxation() {
        let dented = [[0.0, 0.0], [5.0, 0.1], [10.0, 0.0], [10.0, 5.0], [0.0, 5.0]];
        assert_eq!(cells(&dented, vec![], 0.0), [2, 2]);
        assert_eq!(cells(&dented, vec![], 5_f64.to_radians()), [1, 1]);
    }

    /// Walks every cell: convex everywhere, as many cells as counted, and no area lost.
    #[test]
    fn cells_are_convex_and_cover_the_plan() {
        let input = Source::growth(2000).load().unwrap();
        let cdt = Segments::of(&input).triangulate().unwrap();
        let mut partition = Partition::of_triangles(&cdt, 0.0);
        partition.remove_inessential();
        let mut seen = vec![false; partition.next.len()];
        let (mut cells, mut area) = (0, 0.0);
        for portal in partition.portals.iter().flat_map(|&edge| [edge, edge ^ 1]) {
            let mut edge = portal;
            cells += usize::from(!seen[edge as usize]);
            while !std::mem::replace(&mut seen[edge as usize], true) {
                let next = partition.next[edge as usize];
                let corners = [edge, next, next ^ 1].map(|half| partition.origin[half as usize]);
                let [a, b, c] = corners.map(|vertex| partition.places[vertex as usize]);
                assert!(turns_within(a, b, c, 0.0));
                area += (a.x * b.y - a.y * b.x) / 2.0;
                edge = next;
            }
        }
        assert_eq!(cells, partition.cells);
        assert!((area - plan_area(&input)).abs() < 1e-6 * area, "{area}");
    }

    fn plan_area(input: &Input) -> f64 {
        let ring_area = |ring: &Vec<[f64; 2]>| {
            let doubled = |i: usize| {
                let ([ax, ay], [bx, by]) = (ring[i], ring[(i + 1) % ring.len()]);
                ax * by - ay * bx
            };
            ((0..ring.len()).map(doubled).sum::<f64>() / 2.0).abs()
        };
        let polygon_area = |polygon: &Polygon| {
            ring_area(&polygon.outline) - polygon.holes.iter().map(ring_area).sum::<f64>()
        };
        input.polygons.iter().map(polygon_area).sum()
    }
}

//! Roles of rings by nesting: a ring inside an even number of others is an outline, else a hole.
//!
//! The rings must not cross. Edges are bucketed into horizontal strips; a ray from each ring's lowest point
//! counts crossings within its strip only, which costs about `rings * sqrt(edges)` on plans of even density.

use crate::drawing::Ring;
use crate::shapes::Point;

/// The polygons that non-crossing rings make, in the order of their outlines.
pub(crate) fn polygons_by_nesting(rings: &[Ring]) -> Vec<(Ring, Vec<Ring>)> {
    let strips = Strips::new(rings);
    let around: Vec<Vec<u32>> = (0..rings.len()).map(|ring| strips.rings_around(rings, ring)).collect();
    let mut polygons = Vec::new();
    let mut polygon_of_ring = vec![usize::MAX; rings.len()];
    for (i, ring) in rings.iter().enumerate().filter(|(i, _)| around[*i].len().is_multiple_of(2)) {
        polygon_of_ring[i] = polygons.len();
        polygons.push((ring.clone(), Vec::new()));
    }
    for (i, ring) in rings.iter().enumerate().filter(|(i, _)| !around[*i].len().is_multiple_of(2)) {
        let parent = around[i].iter().max_by_key(|&&outer| around[outer as usize].len());
        let polygon = parent.and_then(|&outer| polygons.get_mut(polygon_of_ring[outer as usize]));
        if let Some((_, holes)) = polygon {
            holes.push(ring.clone());
        }
    }
    polygons
}

struct Strips {
    low: f64,
    height: f64,
    edges: Vec<Vec<Edge>>,
}

struct Edge {
    ring: u32,
    from: Point,
    to: Point,
}

impl Strips {
    fn new(rings: &[Ring]) -> Strips {
        let heights = || rings.iter().flatten().map(|point| point[1]);
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let count = (heights().count() as f64).sqrt().ceil().max(1.0);
        let mut strips = Strips { low, height: (high - low) / count, edges: Vec::new() };
        strips.edges.resize_with(count as usize, Vec::new);
        for (ring, points) in rings.iter().enumerate() {
            for (&from, &to) in points.iter().zip(points.iter().cycle().skip(1)) {
                strips.insert(Edge { ring: ring as u32, from, to });
            }
        }
        strips
    }

    fn insert(&mut self, edge: Edge) {
        let first = self.strip_of(edge.from[1].min(edge.to[1]));
        let last = self.strip_of(edge.from[1].max(edge.to[1]));
        for strip in &mut self.edges[first..=last] {
            strip.push(Edge { ..edge });
        }
    }

    fn strip_of(&self, y: f64) -> usize {
        // A saturating cast: a flat plan divides by zero and lands in the first or the last strip.
        (((y - self.low) / self.height) as usize).min(self.edges.len() - 1)
    }

    /// The rings that contain a ring, found by parity along a ray from its lowest point to the left.
    fn rings_around(&self, rings: &[Ring], ring: usize) -> Vec<u32> {
        let Some(&start) = rings[ring].iter().min_by(|a, b| a[1].total_cmp(&b[1])) else {
            return Vec::new();
        };
        let mut crossed: Vec<u32> = self.edges[self.strip_of(start[1])]
            .iter()
            .filter(|edge| edge.ring as usize != ring && edge.is_left_of(start))
            .map(|edge| edge.ring)
            .collect();
        crossed.sort_unstable();
        let odd = crossed.chunk_by(|a, b| a == b).filter(|run| run.len() % 2 == 1);
        odd.map(|run| run[0]).collect()
    }
}

impl Edge {
    fn is_left_of(&self, [x, y]: Point) -> bool {
        let ([x0, y0], [x1, y1]) = (self.from, self.to);
        (y0 <= y) != (y1 <= y) && x0 + (x1 - x0) * ((y - y0) / (y1 - y0)) < x
    }
}

//! The audit: laws of topology for every face, and every disc against all sites.
//!
//! It shares nothing with the updates but the lists that it reads. A packed grid of segments keeps it near linear.

use crate::graph::{Graph, next};
use clearway_geometry::{NONE, Vec2};

/// What an audit found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Audit {
    /// The Voronoi vertices that were looked at.
    pub vertices: usize,
    /// Broken laws of topology.
    pub topology_errors: usize,
    /// Vertices whose disc holds a part of some site.
    pub intruded_discs: usize,
    /// Vertices whose disc does not touch its three sites.
    pub loose_discs: usize,
    /// The deepest intrusion, in grid units.
    pub deepest: f64,
}

impl Audit {
    /// True if nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.topology_errors == 0 && self.intruded_discs == 0 && self.loose_discs == 0
    }
}

impl Graph {
    /// Audits the whole graph. A disc may be intruded or loose by `tolerance`, in grid units, plus the bound on its
    /// own error.
    pub fn audit(&self, inside: [Vec2; 2], tolerance: f64) -> Audit {
        let mut audit = Audit { topology_errors: self.topology_errors(), ..Audit::default() };
        let buckets = Buckets::of(self, inside);
        for face in (0..self.discs.len() as u32).filter(|&face| self.is_face(face)) {
            let circle = self.discs[face as usize].circle;
            let [min, max] = inside;
            let is_inside =
                circle.at.x >= min.x && circle.at.y >= min.y && circle.at.x <= max.x && circle.at.y <= max.y;
            if !is_inside {
                continue;
            }
            audit.vertices += 1;
            let allowed = tolerance + 4.0 * f64::from(self.discs[face as usize].error).min(tolerance * 1e3);
            let distances =
                self.triple(face).map(|(_, site)| (site.distance(circle.at) - circle.radius).abs());
            audit.loose_discs += usize::from(!distances.iter().all(|d| *d <= allowed));
            let depth = circle.radius - buckets.nearest(self, circle.at, circle.radius);
            audit.deepest = audit.deepest.max(depth);
            audit.intruded_discs += usize::from(depth > allowed);
        }
        audit
    }

    pub(crate) fn topology_errors(&self) -> usize {
        let mut errors = 0;
        let mut degrees = vec![0u32; self.sites.len()];
        for h in 0..self.origin.len() as u32 {
            if !self.is_face(h / 3) {
                continue;
            }
            let twin = self.twin[h as usize];
            let is_right = twin != NONE
                && self.is_face(twin / 3)
                && self.twin[twin as usize] == h
                && self.from(h) == self.origin[next(twin) as usize]
                && self.spoke[self.from(h) as usize] != NONE;
            errors += usize::from(!is_right);
            degrees[self.from(h) as usize] += 1;
        }
        for (site, &h) in self.spoke.iter().enumerate() {
            let is_right = h == NONE && degrees[site] == 0
                || h != NONE
                    && self.from(h) == site as u32
                    && self.spokes(site as u32).take(self.origin.len()).count() == degrees[site] as usize;
            errors += usize::from(!is_right);
        }
        errors
    }
}

/// Sites by the squares of a grid that their boxes meet.
struct Buckets {
    corner: Vec2,
    size: f64,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Buckets {
    fn of(graph: &Graph, [min, max]: [Vec2; 2]) -> Buckets {
        let living = |id: &u32| graph.spoke[*id as usize] != NONE;
        let sites: Vec<u32> = (0..graph.sites.len() as u32).filter(living).collect();
        let area = ((max.x - min.x) * (max.y - min.y)).max(1.0);
        let longest = (max.x - min.x).max(max.y - min.y);
        let size = (area / sites.len().max(1) as f64).sqrt().max(longest / 2048.0) * 1.5 + 1.0;
        let count = |from: f64, to: f64| ((to - from) / size) as usize + 1;
        let (columns, rows) = (count(min.x, max.x), count(min.y, max.y));
        let mut buckets = Buckets {
            corner: min,
            size,
            columns,
            rows,
            first: vec![0; columns * rows + 1],
            items: Vec::new(),
        };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for id in sites {
            let site = graph.site(id);
            let low = Vec2::new(site.a.x.min(site.b.x), site.a.y.min(site.b.y));
            let high = Vec2::new(site.a.x.max(site.b.x), site.a.y.max(site.b.y));
            buckets.visit(low, high, |bucket| pairs.push((bucket as u32, id)));
        }
        pairs.sort_unstable();
        for (bucket, id) in pairs {
            buckets.first[bucket as usize + 1] += 1;
            buckets.items.push(id);
        }
        for i in 1..buckets.first.len() {
            buckets.first[i] += buckets.first[i - 1];
        }
        buckets
    }

    fn visit(&self, low: Vec2, high: Vec2, mut visit: impl FnMut(usize)) {
        let place = |x: f64, most: usize| ((x / self.size).max(0.0) as usize).min(most - 1);
        let (d, e) = (low - self.corner, high - self.corner);
        for row in place(d.y, self.rows)..=place(e.y, self.rows) {
            for column in place(d.x, self.columns)..=place(e.x, self.columns) {
                visit(row * self.columns + column);
            }
        }
    }

    /// The distance of the nearest site, if it is below `radius`; else `radius` or more.
    fn nearest(&self, graph: &Graph, at: Vec2, radius: f64) -> f64 {
        let reach = Vec2::new(radius, radius);
        let mut least = f64::INFINITY;
        self.visit(at - reach, at + reach, |bucket| {
            let range = self.first[bucket] as usize..self.first[bucket + 1] as usize;
            for &id in &self.items[range] {
                least = least.min(graph.site(id).distance(at));
            }
        });
        least
    }
}

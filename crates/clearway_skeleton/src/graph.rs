//! The segment Delaunay graph as half-edges in threes: topology, circles and sites in flat lists.
//!
//! The half-edges `3f`, `3f + 1`, `3f + 2` belong to face `f`, counter-clockwise. A face is a Voronoi vertex, an edge
//! between two sites is a Voronoi edge. Two sites may share several edges and a site may have only two neighbours, so an
//! edge is known by its half-edges and never by its sites. Invariant: the faces form closed surfaces whatever the
//! arithmetic says, because insertion replaces a disc of faces by a star, and removal a star by a triangulated polygon.

use crate::circle::{Circle, Triple, circumcircle};
use crate::remove::Removal;
use crate::sites::Site;
use clearway_geometry::{NONE, Vec2};

/// The next half-edge of the same face.
#[inline]
pub(crate) fn next(h: u32) -> u32 {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

/// The half-edge before in the same face.
#[inline]
pub(crate) fn before(h: u32) -> u32 {
    if h.is_multiple_of(3) { h + 2 } else { h - 1 }
}

/// What happened in the updates so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Tests of a site against the disc of a Voronoi vertex.
    pub tests: u64,
    /// Tests that floats could not decide.
    pub unsure: u64,
    /// Tests that double-double numbers or integers found to be ties.
    pub ties: u64,
    /// Insertions of a point inside a single Voronoi edge.
    pub lenses: u64,
    /// Voronoi edges whose middle survived an insertion while both of their ends went.
    pub middles: u64,
    /// Sites taken out.
    pub removals: u64,
    /// Faces that removal put in without being sure of them.
    pub weak_ears: u64,
    /// Edges that removal closed without a face.
    pub zips: u64,
    /// Insertions that were refused because the conflict region was no disc.
    pub refused: u64,
    /// Diagrams built anew by the safety net.
    pub rebuilds: u64,
}

impl Counters {
    /// Adds what happened between two states of other counters.
    pub(crate) fn add_since(&mut self, before: &Counters, after: &Counters) {
        self.tests += after.tests - before.tests;
        self.unsure += after.unsure - before.unsure;
        self.ties += after.ties - before.ties;
        self.lenses += after.lenses - before.lenses;
        self.middles += after.middles - before.middles;
        self.removals += after.removals - before.removals;
        self.weak_ears += after.weak_ears - before.weak_ears;
        self.zips += after.zips - before.zips;
        self.refused += after.refused - before.refused;
        self.rebuilds += after.rebuilds - before.rebuilds;
    }
}

/// The middle of a box, on the grid, and the longer of its sides.
fn middle_and_size(min: Vec2, max: Vec2) -> (Vec2, f64) {
    let middle = Vec2::new((0.5 * (min.x + max.x)).round(), (0.5 * (min.y + max.y)).round());
    (middle, (max.x - min.x).max(max.y - min.y).max(4.0))
}

/// What is known of a face. A test of it reads all, so all lies side by side, in half a line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Disc {
    pub circle: Circle,
    /// A bound on the error of the circle, rounded up.
    pub error: f32,
    /// What the last insertion that looked at the face found (`insert`).
    pub mark: u32,
}

/// The graph of one or several surfaces in one store.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub sites: Vec<Site>,
    /// A half-edge that leaves each site; [`NONE`] for a site that is not in the graph.
    pub spoke: Vec<u32>,
    pub origin: Vec<u32>,
    pub twin: Vec<u32>,
    pub discs: Vec<Disc>,
    pub free_faces: Vec<u32>,
    pub free_sites: Vec<u32>,
    pub epoch: u32,
    /// A distance that cannot be told from zero by floats: a few roundings of the greatest coordinate.
    pub epsilon: f64,
    /// The rounding of the greatest coordinate.
    pub grain: f64,
    pub counters: Counters,
    pub flood: Flood,
    pub removal: Removal,
    /// Half-edges that got another twin, while somebody watches.
    pub touched: Option<Vec<u32>>,
    /// While parts are built side by side, true for each face that insertions may not change. Else empty.
    pub fixed: Vec<bool>,
}

/// Memory of insertion, used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flood {
    /// Half-edges over which faces were entered, seen from inside; the seed counts as entered over none.
    pub stack: Vec<(u32, u32)>,
    pub region: Vec<u32>,
    pub border: Vec<u32>,
    pub star: Vec<Ray>,
    pub slots: Vec<u32>,
    /// Edges with a middle that survives, by the lower of their half-edges. Mostly empty.
    pub middles: Vec<(u32, Circle)>,
}

/// A face of the star that fills a hole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    /// The half-edge behind the border, and the site at which that side of the border starts.
    pub outer: u32,
    pub origin: u32,
    pub circle: Circle,
    pub error: f32,
}

impl Graph {
    /// A graph of three points around the box, glued to a sphere. Sites go inside the box.
    pub fn around(min: Vec2, max: Vec2) -> Graph {
        let (middle, size) = middle_and_size(min, max);
        let far = middle.x.abs() + middle.y.abs() + 3.0 * size;
        let mut graph = Graph {
            sites: Vec::new(),
            spoke: Vec::new(),
            origin: Vec::new(),
            twin: Vec::new(),
            discs: Vec::new(),
            free_faces: Vec::new(),
            free_sites: Vec::new(),
            epoch: 0,
            epsilon: far * 1e-15,
            grain: far * 1.2e-16,
            counters: Counters::default(),
            flood: Flood::default(),
            removal: Removal::default(),
            touched: None,
            fixed: Vec::new(),
        };
        graph.add_sheet(min, max);
        graph
    }

    /// Adds two faces back to back over three points around a box. Returns the first of the points.
    pub fn add_sheet(&mut self, min: Vec2, max: Vec2) -> u32 {
        let (middle, size) = middle_and_size(min, max);
        let size = size.ceil();
        let around = [(-1.55, -0.75), (1.6, -0.8), (0.05, 1.9)];
        let points = around.map(|(x, y)| middle + Vec2::new((x * size).round(), (y * size).round()));
        let ids = points.map(|at| self.add_site(Site::point(at)));
        let (inner, outer) = (self.new_face(), self.new_face());
        for i in 0..3 {
            self.origin[inner as usize * 3 + i] = ids[i];
            self.origin[outer as usize * 3 + i] = ids[(3 - i) % 3];
            self.spoke[ids[i] as usize] = inner * 3 + i as u32;
        }
        for (i, j) in [(0, 2), (1, 1), (2, 0)] {
            self.link(inner * 3 + i, outer * 3 + j);
        }
        self.set_circle(inner, circumcircle(points[0], points[1], points[2]), self.epsilon);
        self.discs[outer as usize].circle = Circle::OUTER;
        ids[0]
    }

    /// Makes room for this many more sites, and the two faces that each adds.
    pub fn reserve(&mut self, sites: usize) {
        self.sites.reserve(sites);
        self.spoke.reserve(sites);
        self.discs.reserve(2 * sites);
        for list in [&mut self.origin, &mut self.twin] {
            list.reserve(6 * sites);
        }
    }

    /// Stores a site without putting it into the graph.
    pub fn add_site(&mut self, site: Site) -> u32 {
        if let Some(id) = self.free_sites.pop() {
            self.sites[id as usize] = site;
            self.spoke[id as usize] = NONE;
            return id;
        }
        self.sites.push(site);
        self.spoke.push(NONE);
        self.sites.len() as u32 - 1
    }

    pub fn forget_site(&mut self, id: u32) {
        self.spoke[id as usize] = NONE;
        self.free_sites.push(id);
    }

    pub fn new_face(&mut self) -> u32 {
        if let Some(face) = self.free_faces.pop() {
            return face;
        }
        self.discs.push(Disc::default());
        for _ in 0..3 {
            self.origin.push(NONE);
            self.twin.push(NONE);
        }
        self.discs.len() as u32 - 1
    }

    /// Gives back a face. Its half-edges lose their origins, by which the dead are known.
    pub fn forget_face(&mut self, face: u32) {
        for h in face * 3..face * 3 + 3 {
            self.origin[h as usize] = NONE;
        }
        self.free_faces.push(face);
    }

    pub fn set_circle(&mut self, face: u32, circle: Circle, error: f64) {
        self.discs[face as usize].circle = circle;
        self.discs[face as usize].error = (error * 1.000_001) as f32;
    }

    #[inline]
    pub fn link(&mut self, h: u32, other: u32) {
        self.twin[h as usize] = other;
        self.twin[other as usize] = h;
        if let Some(touched) = &mut self.touched {
            touched.extend([h, other]);
        }
    }

    /// The site at which a half-edge starts.
    #[inline]
    pub fn from(&self, h: u32) -> u32 {
        self.origin[h as usize]
    }

    /// The site at which a half-edge ends.
    #[inline]
    pub fn to(&self, h: u32) -> u32 {
        self.origin[next(h) as usize]
    }

    /// The next half-edge around the origin, counter-clockwise.
    #[inline]
    pub fn turn(&self, h: u32) -> u32 {
        self.twin[before(h) as usize]
    }

    /// The circle of the face of a half-edge.
    #[inline]
    pub fn circle(&self, h: u32) -> Circle {
        self.discs[(h / 3) as usize].circle
    }

    #[inline]
    pub fn site(&self, id: u32) -> &Site {
        &self.sites[id as usize]
    }

    /// True for a face that insertions may not change.
    #[inline]
    pub fn is_fixed(&self, face: u32) -> bool {
        self.fixed.get(face as usize).is_some_and(|&fixed| fixed)
    }

    /// True if the face is in use.
    pub fn is_face(&self, face: u32) -> bool {
        self.origin[face as usize * 3] != NONE
    }

    /// The three sites of a face.
    #[inline]
    pub fn triple(&self, face: u32) -> Triple<'_> {
        let first = face as usize * 3;
        [0, 1, 2].map(|i| {
            let id = self.origin[first + i];
            (id, &self.sites[id as usize])
        })
    }

    /// Sites by id, as the circle functions take them.
    pub fn sites_of(&self, ids: [u32; 3]) -> Triple<'_> {
        ids.map(|id| (id, self.site(id)))
    }

    /// The half-edges that leave a site, counter-clockwise.
    pub fn spokes(&self, site: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.spoke[site as usize];
        let mut at = first;
        std::iter::from_fn(move || {
            let h = at;
            if h == NONE {
                return None;
            }
            at = self.turn(h);
            if at == first {
                at = NONE;
            }
            Some(h)
        })
    }

    /// The site nearest to `at`, by steps to ever nearer neighbours from the site `hint`.
    pub fn locate(&self, at: Vec2, hint: u32) -> u32 {
        let mut here = hint;
        let mut least = self.site(here).distance_squared(at);
        loop {
            // A clamped foot means that the end is the candidate, not the segment.
            let site = self.site(here);
            if !site.is_point() {
                let t = site.reach(at);
                if t <= 0.0 {
                    here = site.ends[0];
                } else if t >= site.length {
                    here = site.ends[1];
                }
            }
            let mut best = here;
            for h in self.spokes(here) {
                let other = self.to(h);
                let distance = self.site(other).distance_squared(at);
                if distance < least {
                    (least, best) = (distance, other);
                }
            }
            if best == here {
                match self.beyond_perpendicular(here, at, least) {
                    Some((other, distance)) => (best, least) = (other, distance),
                    None => return here,
                }
            }
            here = best;
        }
    }

    /// A site nearer to `at` beside a wall that ends at the point `here`, where `at` lies on the perpendicular there. Where
    /// two walls run straight on, the cell of the point is just that line, and hides what lies ahead.
    fn beyond_perpendicular(&self, here: u32, at: Vec2, least: f64) -> Option<(u32, f64)> {
        let walls = self.spokes(here).map(|h| self.to(h)).filter(|&id| {
            let site = self.site(id);
            let t = if site.ends[0] == here { site.reach(at) } else { site.length - site.reach(at) };
            site.ends_at(here) && t.abs() <= 64.0 * self.epsilon
        });
        let around = walls.flat_map(|wall| self.spokes(wall).map(|h| self.to(h)));
        around.map(|id| (id, self.site(id).distance_squared(at))).find(|(_, distance)| *distance < least)
    }

    /// The open segment site between two point sites, if there is one.
    pub fn segment_between(&self, a: u32, b: u32) -> Option<u32> {
        self.spokes(a).map(|h| self.to(h)).find(|&id| self.site(id).ends_at(a) && self.site(id).ends_at(b))
    }
}

//! Walkable space on its way to a partition: a triangulation with walls and the portals so far.
//!
//! What lies between two constrained edges that follow each other around a vertex is a *sector*. Sectors, not
//! vertices, are reflex or not: touching holes and earlier portals give one vertex several. They are read from
//! the star whenever they are needed, since every chord that ends at a vertex divides one.

use clearway_geometry::arrangement::{Floor, WALL};
use clearway_geometry::predicates::{in_cone, is_convex_sector};
use clearway_geometry::{NONE, Point, Triangulation, Vector};

/// The mark of an edge between two cells.
pub const PORTAL: u32 = 2;

/// Walkable triangles, walls and portals.
pub struct Space {
    /// Its marks are [`WALL`] and [`PORTAL`].
    pub triangulation: Triangulation,
    /// For each triangle, whether it is walkable.
    free: Vec<bool>,
    relax: Relax,
}

/// A walkable sector: counter-clockwise from one constrained half-edge that leaves a vertex to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sector {
    /// Where it starts.
    pub first: u32,
    /// Where it ends: `first` again at the free end of a wall.
    pub last: u32,
}

/// The closed cone, narrower than π, of all directions that divide a reflex sector into two convex ones.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// Its right bound.
    pub right: Vector,
    /// Its left bound.
    pub left: Vector,
}

impl Cone {
    /// Whether a direction divides the sector well.
    pub fn holds(&self, direction: Vector) -> bool {
        in_cone(self.right, self.left, direction)
    }
}

/// Sectors that exceed π by no more than an angle count as convex.
#[derive(Clone, Copy, Debug)]
struct Relax {
    sine: f64,
    cosine: f64,
}

impl Relax {
    fn allows(&self, from: Vector, to: Vector) -> bool {
        // The sector exceeds π by the angle from the opposite of `from` to `to`.
        let (cross, dot) = (-(from.cross(to) as f64), -(from.dot(to) as f64));
        self.sine > 0.0 && dot > 0.0 && cross * self.cosine <= dot * self.sine
    }
}

impl Space {
    /// A floor without portals; sectors up to π plus `relax_angle` are to stay whole.
    pub fn new(floor: Floor, relax_angle: f64) -> Space {
        let relax = Relax { sine: relax_angle.sin(), cosine: relax_angle.cos() };
        Space { triangulation: floor.triangulation, free: floor.free, relax }
    }

    /// Whether the sector from one direction counter-clockwise to another is convex enough to stay.
    pub fn allows(&self, from: Vector, to: Vector) -> bool {
        is_convex_sector(from, to) || self.relax.allows(from, to)
    }

    /// The sectors at a vertex that may not stay.
    pub fn notches(&self, v: u32) -> Vec<Sector> {
        let is_notch = |sector: &Sector| {
            let [from, to] = [sector.first, sector.last].map(|e| self.triangulation.direction(e));
            !self.allows(from, to)
        };
        self.sectors(v).filter(is_notch).collect()
    }

    /// The walkable sectors at a vertex.
    pub fn sectors(&self, v: u32) -> impl Iterator<Item = Sector> + '_ {
        let starts = self.triangulation.edges().around(v);
        let starts = starts.filter(|&e| self.is_constrained(e) && self.is_free(e));
        starts.map(|first| Sector { first, last: self.constrained_after(first) })
    }

    /// The half-edges strictly inside a sector, counter-clockwise.
    pub fn inner_edges(&self, sector: Sector) -> impl Iterator<Item = u32> + '_ {
        let after = |&e: &u32| Some(self.triangulation.edges().next_around(e));
        let edges = std::iter::successors(after(&sector.first), after);
        edges.take_while(move |&e| e != sector.last)
    }

    /// The cone of a reflex sector.
    pub fn cone(&self, sector: Sector) -> Cone {
        let [first, last] = [sector.first, sector.last].map(|e| self.triangulation.direction(e));
        Cone { right: last.reversed(), left: first.reversed() }
    }

    /// The next constrained half-edge around the same vertex, counter-clockwise.
    pub fn constrained_after(&self, e: u32) -> u32 {
        let edges = self.triangulation.edges();
        let mut at = edges.next_around(e);
        while at != e && !self.is_constrained(at) {
            at = edges.next_around(at);
        }
        at
    }

    /// The next constrained half-edge around the same vertex, clockwise.
    pub fn constrained_before(&self, e: u32) -> u32 {
        let edges = self.triangulation.edges();
        let mut at = edges.prev_around(e);
        while at != e && !self.is_constrained(at) {
            at = edges.prev_around(at);
        }
        at
    }

    /// Whether an edge is a wall or a portal. The box around everything counts as neither and is never reached
    /// from walkable space.
    pub fn is_constrained(&self, e: u32) -> bool {
        self.triangulation.edges().mark(e) != 0
    }

    /// Whether an edge is a wall.
    pub fn is_wall(&self, e: u32) -> bool {
        self.triangulation.edges().mark(e) == WALL
    }

    /// Whether the triangle left of a half-edge is walkable.
    pub fn is_free(&self, e: u32) -> bool {
        self.free[e as usize / 3]
    }

    /// Splits an edge, see [`Triangulation::split_edge`].
    pub fn split(&mut self, e: u32, point: Point) -> u32 {
        let twin = self.triangulation.edges().twin(e);
        // The new triangles come last, first the one left of `e`. Settling flips no constrained edge, and only
        // those part walkable triangles from others.
        self.free.extend([self.is_free(e), self.is_free(twin)]);
        self.triangulation.split_edge(e, point)
    }

    /// One half of every portal.
    pub fn portals(&self) -> impl Iterator<Item = u32> + '_ {
        let edges = self.triangulation.edges();
        (0..edges.len()).filter(|&e| edges.mark(e) == PORTAL && e < edges.twin(e))
    }

    /// The length of an edge in grid units.
    pub fn length(&self, e: u32) -> f64 {
        self.triangulation.direction(e).length()
    }

    /// How many cells walls and portals leave.
    pub fn count_cells(&self) -> usize {
        let edges = self.triangulation.edges();
        let mut seen: Vec<bool> = self.free.iter().map(|free| !free).collect();
        let mut cells = 0;
        for start in 0..edges.triangle_count() {
            let mut open = vec![start];
            cells += usize::from(!seen[start as usize]);
            while let Some(t) = open.pop() {
                if !std::mem::replace(&mut seen[t as usize], true) {
                    let inner = (3 * t..3 * t + 3).filter(|&e| !self.is_constrained(e));
                    open.extend(inner.map(|e| edges.twin(e)).filter(|&twin| twin != NONE).map(|e| e / 3));
                }
            }
        }
        cells
    }
}

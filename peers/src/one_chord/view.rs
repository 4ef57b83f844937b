//! What a notch sees in its cone: triangular expansion restricted to a cone, exact.
//!
//! Bungiu et al., Efficient computation of visibility polygons, 2014. A window is an edge together with the
//! directions in which the notch sees it. It opens into the next triangle, whose far corner divides it in two.
//! A window whose edge is farther than the best chord so far is dropped; that prunes almost everything.

use clearway_geometry::Vector;
use clearway_geometry::half_edges::{next, prev};

use super::chords::{Chord, chord_inside, chord_to};
use super::space::{Cone, Sector, Space};

/// One bound of a window.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// Its direction.
    pub direction: Vector,
    /// Whether it bounds the cone itself and so belongs to it. Otherwise a vertex lies on it, which hides what is
    /// behind.
    pub is_closed: bool,
}

/// An edge as far as the notch sees it: the half-edge whose triangle is on the notch's side.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The half-edge; it runs from right to left.
    pub edge: u32,
    /// Its right bound.
    pub right: Bound,
    /// Its left bound.
    pub left: Bound,
}

impl Window {
    /// Whether a direction lies in the window; it must be one towards or beyond the edge's line.
    pub fn admits(&self, direction: Vector) -> bool {
        let from_right = self.right.direction.cross(direction);
        let to_left = direction.cross(self.left.direction);
        (from_right > 0 || (from_right == 0 && self.right.is_closed))
            && (to_left > 0 || (to_left == 0 && self.left.is_closed))
    }

    fn is_open(&self) -> bool {
        let width = self.right.direction.cross(self.left.direction);
        // The cone at the free end of a wall is a single ray.
        width > 0 || (width == 0 && self.right.is_closed && self.left.is_closed)
    }
}

/// The best chord that settles a reflex sector alone, if any does.
pub fn best_chord(space: &Space, sector: Sector) -> Option<Chord> {
    let mut view = View {
        space,
        notch: space.triangulation.edges().origin(sector.first),
        cone: space.cone(sector),
        open: Vec::new(),
        best: None,
    };
    view.begin(sector);
    while let Some(window) = view.open.pop() {
        view.look_through(window);
    }
    view.best
}

struct View<'a> {
    space: &'a Space,
    notch: u32,
    cone: Cone,
    open: Vec<Window>,
    best: Option<Chord>,
}

impl View<'_> {
    /// The neighbours of the notch, and windows into the triangles around it.
    fn begin(&mut self, sector: Sector) {
        let space = self.space;
        for e in space.inner_edges(sector) {
            if self.cone.holds(space.triangulation.direction(e)) {
                self.offer(chord_to(space, self.notch, space.triangulation.edges().target(e)));
            }
        }
        for e in std::iter::once(sector.first).chain(space.inner_edges(sector)) {
            if let Some(window) = self.first_window(e) {
                self.push(window);
            }
        }
    }

    /// The part of the cone in the triangle left of `e`, which leaves the notch.
    fn first_window(&self, e: u32) -> Option<Window> {
        let triangulation = &self.space.triangulation;
        let (a, b) = (triangulation.direction(e), triangulation.direction(prev(e)).reversed());
        let Cone { right, left } = self.cone;
        let vertex = |direction| Bound { direction, is_closed: false };
        let side = |direction| Bound { direction, is_closed: true };
        let (right, left) = match (self.cone.holds(a), self.cone.holds(b)) {
            (true, true) => (vertex(a), vertex(b)),
            (true, false) => (vertex(a), side(left)),
            (false, true) => (side(right), vertex(b)),
            (false, false) if a.cross(right) > 0 && right.cross(b) > 0 => (side(right), side(left)),
            (false, false) => return None,
        };
        Some(Window { edge: next(e), right, left })
    }

    fn look_through(&mut self, window: Window) {
        let space = self.space;
        if self.is_beyond_best(window.edge) {
            return;
        }
        if space.is_constrained(window.edge) {
            self.best_inside(window);
            return;
        }
        let twin = space.triangulation.edges().twin(window.edge);
        let corner = space.triangulation.edges().apex(twin);
        let direction = space.triangulation.point(corner) - space.triangulation.point(self.notch);
        if window.admits(direction) {
            self.offer(chord_to(space, self.notch, corner));
        }
        let hides = Bound { direction, is_closed: false };
        let from_right = window.right.direction.cross(direction);
        let to_left = direction.cross(window.left.direction);
        if from_right > 0 {
            let left = if to_left >= 0 { hides } else { window.left };
            self.push(Window { edge: next(twin), left, ..window });
        }
        if to_left > 0 {
            let right = if from_right >= 0 { hides } else { window.right };
            self.push(Window { edge: prev(twin), right, ..window });
        }
    }

    fn best_inside(&mut self, window: Window) {
        if let Some(chord) = chord_inside(self.space, self.notch, &window) {
            self.offer(chord);
        }
    }

    fn push(&mut self, window: Window) {
        if window.is_open() {
            self.open.push(window);
        }
    }

    fn offer(&mut self, chord: Chord) {
        if self.best.is_none_or(|best| chord.rank < best.rank) {
            self.best = Some(chord);
        }
    }

    /// Whether every chord through an edge is longer than the best one.
    fn is_beyond_best(&self, edge: u32) -> bool {
        self.best.is_some_and(|best| best.is_shorter_than_to(self.space, self.notch, edge))
    }
}

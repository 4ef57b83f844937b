//! Outlines with fewer notches: what sticks out of walls by less than the tolerance is cut off from the walkable space.
//!
//! One-sided: walkable space is only taken away, never added, so that nobody is led into a wall, and every point of the
//! old outline stays within the tolerance of the new one. Two changes, both of a triangle at the border:
//!
//! - a bump between notches goes: the border passes from its one neighbour to the other;
//! - an edge between two notches goes, as on a round pillar: the edges before and after it are drawn out until they
//!   meet.

use clearway_geometry::arrangement::WALL;
use clearway_geometry::half_edges::{next, prev};
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point, Triangulation, Vec2, vec2::segment_distance};

/// What rounding moves, in grid units: outlines are always simplified by this much.
pub const ROUNDING: f64 = 2.0;

/// How often an edge may flip to make room for a change.
const MOST_FLIPS: usize = 24;

/// The tolerance doubles from pass to pass, so that small things go first: at most this often, and never from less than
/// what rounding moves.
const MOST_DOUBLINGS: i32 = 3;

/// An outline being simplified.
pub struct Simplifier<'a> {
    triangulation: &'a mut Triangulation,
    /// For each vertex, what the border lost between it and the next.
    lost: Vec<Vec<Point>>,
    tolerance: f64,
    /// How many vertices went.
    pub removed: usize,
}

/// Three vertices that follow each other along the border.
#[derive(Clone, Copy)]
struct Bend {
    before: u32,
    at: u32,
    after: u32,
}

impl<'a> Simplifier<'a> {
    /// Nothing is simplified yet; the tolerance is in grid units.
    pub fn new(triangulation: &'a mut Triangulation, tolerance: f64) -> Simplifier<'a> {
        let lost = vec![Vec::new(); triangulation.points().len()];
        Simplifier { triangulation, lost, tolerance, removed: 0 }
    }

    /// Simplifies all it can.
    pub fn run(&mut self) {
        let whole = self.tolerance;
        let doublings = ((whole / ROUNDING).log2().floor() as i32).clamp(0, MOST_DOUBLINGS);
        for left in (0..=doublings).rev() {
            self.tolerance = whole / f64::from(1 << left);
            let mut work: Vec<u32> = (0..self.lost.len() as u32).rev().collect();
            while let Some(vertex) = work.pop() {
                let Some(bend) = self.bend(vertex) else { continue };
                if self.pass_straight(bend) || self.cut_bump(bend) || self.draw_out(bend) {
                    self.removed += 1;
                    work.extend([bend.before, bend.after, bend.at]);
                }
            }
        }
    }

    fn point(&self, vertex: u32) -> Point {
        self.triangulation.point(vertex)
    }

    /// The border edge that leaves a vertex, if it is still there.
    fn border_from(&self, vertex: u32) -> Option<u32> {
        let edges = self.triangulation.edges();
        let first = edges.leaving(vertex);
        let mut e = first;
        while e != NONE && edges.twin(e) != NONE {
            e = edges.prev_around(e);
            if e == first {
                return None;
            }
        }
        (e != NONE).then_some(e)
    }

    fn bend(&self, at: u32) -> Option<Bend> {
        let edges = self.triangulation.edges();
        let out = self.border_from(at)?;
        let mut spoke = out;
        while edges.twin(prev(spoke)) != NONE {
            spoke = edges.twin(prev(spoke));
        }
        Some(Bend { before: edges.origin(prev(spoke)), at, after: edges.target(out) })
    }

    /// Positive where the walkable space has a corner less than straight, negative at a notch.
    fn turn(&self, Bend { before, at, after }: Bend) -> i64 {
        orient(self.point(before), self.point(at), self.point(after))
    }

    fn is_notch(&self, vertex: u32) -> bool {
        self.bend(vertex).is_some_and(|bend| self.turn(bend) < 0)
    }

    /// Whether all that the border lost stays close to a new edge.
    fn stays_close(&self, [from, to]: [Point; 2], lost: &[Point]) -> bool {
        let [from, to] = [from, to].map(Point::as_vec2);
        lost.iter()
            .all(|point| segment_distance(point.as_vec2(), point.as_vec2(), from, to) <= self.tolerance)
    }

    /// Takes out a vertex in the middle of a straight border.
    fn pass_straight(&mut self, bend: Bend) -> bool {
        let Bend { before, at, after } = bend;
        let [from, here, to] = [before, at, after].map(|vertex| self.point(vertex));
        if self.turn(bend) != 0 || (from - here).dot(to - here) >= 0 {
            return false;
        }
        for _ in 0..MOST_FLIPS {
            let Some(out) = self.border_from(at) else { return false };
            let edges = self.triangulation.edges();
            let spoke = edges.next_around(out);
            if spoke == NONE || edges.mark(spoke) != 0 {
                return false;
            }
            if edges.twin(prev(spoke)) == NONE {
                self.triangulation.pass_by(out);
                let lost = std::mem::take(&mut self.lost[at as usize]);
                self.lost[before as usize].extend(lost);
                return true;
            }
            let following = |spoke: &u32| Some(edges.next_around(*spoke)).filter(|next| *next != NONE);
            let spokes: Vec<u32> = std::iter::successors(Some(spoke), following).collect();
            if !spokes.into_iter().any(|spoke| self.triangulation.try_flip(spoke)) {
                return false;
            }
        }
        false
    }

    /// Cuts off a corner next to a notch.
    fn cut_bump(&mut self, bend: Bend) -> bool {
        let Bend { before, at, after } = bend;
        let is_bump =
            before != after && self.turn(bend) > 0 && (self.is_notch(before) || self.is_notch(after));
        if !is_bump {
            return false;
        }
        let mut lost = self.lost[before as usize].clone();
        lost.push(self.point(at));
        lost.extend(&self.lost[at as usize]);
        if !self.stays_close([self.point(before), self.point(after)], &lost) || !self.lay_bare(bend) {
            return false;
        }
        let Some(out) = self.border_from(at) else { return false };
        self.triangulation.take_out(out / 3, WALL);
        self.lost[before as usize] = lost;
        self.lost[at as usize].clear();
        true
    }

    /// Flips edges away from a vertex until one triangle holds it; it must not be the last one of its piece.
    fn lay_bare(&mut self, Bend { before, at, after }: Bend) -> bool {
        for _ in 0..MOST_FLIPS {
            let Some(out) = self.border_from(at) else { return false };
            let edges = self.triangulation.edges();
            if edges.apex(out) == before && edges.twin(prev(out)) == NONE {
                return edges.twin(next(out)) != NONE && edges.mark(next(out)) == 0;
            }
            let [from, to] = [before, after].map(|vertex| self.point(vertex));
            let mut spokes = Vec::new();
            let mut spoke = edges.next_around(out);
            while spoke != NONE {
                // Everything that hangs on the vertex must stay on the walkable side of the new border.
                if orient(from, to, self.point(edges.target(spoke))) <= 0 {
                    return false;
                }
                spokes.push(spoke);
                spoke = edges.next_around(spoke);
            }
            if !spokes.into_iter().any(|spoke| self.triangulation.try_flip(spoke)) {
                return false;
            }
        }
        false
    }

    /// Takes away the edge that follows a notch if another notch is at its end.
    fn draw_out(&mut self, bend: Bend) -> bool {
        let Some(next_bend) = self.bend(bend.after) else { return false };
        let (u, v, w, x) = (bend.before, bend.at, bend.after, next_bend.after);
        let is_edge = self.turn(bend) < 0 && self.turn(next_bend) < 0 && u != w && v != x && u != x;
        if !is_edge {
            return false;
        }
        let ends = [u, v, w, x].map(|vertex| self.point(vertex));
        let Some(tip) = self.tip(ends) else { return false };
        let lost = self.lost[v as usize].clone();
        let fits = self.stays_close([ends[1], ends[2]], &[tip])
            && lost.iter().all(|point| {
                self.stays_close([ends[1], tip], &[*point]) || self.stays_close([tip, ends[2]], &[*point])
            });
        let Some(triangle) = fits.then(|| self.make_room(v, tip)).flatten() else { return false };
        let fresh = self.triangulation.split_triangle(triangle, tip);
        let Some(out) = self.border_from(v) else { return false };
        debug_assert_eq!(self.triangulation.edges().apex(out), fresh);
        self.triangulation.take_out(out / 3, WALL);
        self.lost.push(Vec::new());
        // What is left of the two notches is straight or less: cut off if it is less.
        for vertex in [v, w] {
            if let Some(bend) = self.bend(vertex).filter(|bend| self.turn(*bend) > 0) {
                self.cut_flat(bend);
            }
        }
        true
    }

    /// Cuts off a corner that drawing out left.
    fn cut_flat(&mut self, bend: Bend) {
        let Bend { before, at, after } = bend;
        let mut lost = self.lost[before as usize].clone();
        lost.push(self.point(at));
        lost.extend(&self.lost[at as usize]);
        let fits = self.stays_close([self.point(before), self.point(after)], &lost) && self.lay_bare(bend);
        if let Some(out) = self.border_from(at).filter(|_| fits) {
            self.triangulation.take_out(out / 3, WALL);
            self.lost[before as usize] = lost;
            self.lost[at as usize].clear();
        }
    }

    /// Where the edges u–v and w–x meet when drawn out, on the grid, so that v and w are no notches any more.
    fn tip(&self, [u, v, w, x]: [Point; 4]) -> Option<Point> {
        let [p, q] = [(u, v), (x, w)].map(|(from, to)| to.as_vec2() - from.as_vec2());
        let across = p.cross(q);
        let t = (w.as_vec2() - v.as_vec2()).cross(q) / across;
        let meeting = v.as_vec2() + p * t;
        let is_sane = across.abs() > 1e-9 && t > 0.0 && meeting.distance(v.as_vec2()) < 1e6;
        if !is_sane {
            return None;
        }
        let base = Vec2::new(meeting.x.round(), meeting.y.round());
        let mut near: Vec<Point> = (-2..=2)
            .flat_map(|i| (-2..=2).map(move |j| (i, j)))
            .map(|(i, j)| Point::new(base.x as i32 + i, base.y as i32 + j))
            .filter(|tip| orient(u, v, *tip) >= 0 && orient(*tip, w, x) >= 0 && orient(v, w, *tip) > 0)
            .collect();
        near.sort_by(|a, b| {
            let off = |point: &Point| point.as_vec2().distance(meeting);
            off(a).total_cmp(&off(b)).then(a.cmp(b))
        });
        near.first().copied()
    }

    /// Flips edges until the triangle at the border edge that leaves `v` holds a point; its number.
    fn make_room(&mut self, v: u32, tip: Point) -> Option<u32> {
        for _ in 0..MOST_FLIPS {
            let out = self.border_from(v)?;
            let outside = |side: u32| {
                let edges = self.triangulation.edges();
                orient(self.point(edges.origin(side)), self.point(edges.target(side)), tip) <= 0
            };
            let sides = [next(out), prev(out)];
            match sides.into_iter().find(|side| outside(*side)) {
                None => return Some(out / 3),
                Some(side) => {
                    let is_open = self.triangulation.edges().twin(side) != NONE;
                    if !is_open || !self.triangulation.try_flip(side) {
                        return None;
                    }
                }
            }
        }
        None
    }
}

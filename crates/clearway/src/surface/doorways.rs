//! Doorways in the gaps between floors: rims that look at each other across a gap are joined where no wall stands between
//! them.
//!
//! Floors of rooms often end on both sides of a thin wall, or of its frames. Their rims run on behind the wall, or end at its
//! corners, and what would have to move together is hidden there. So the rims are cut a millimetre inside the doorway, and
//! the gap between the cuts is filled: nothing moves, and what stands behind the wall stays as it is.

use super::bins::Extent;
use super::soup::Corner;
use super::stitch::{ROUNDING, Stitcher};
use crate::sorting::sort;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::prev;
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{NONE, Point, Vec2};
use rayon::prelude::*;

/// How far from a jamb a doorway is filled, in grid units.
const INSET: f64 = 4.0;

/// What rounding may add to walls, in grid units.
const MARGIN: f64 = 1.0;

/// Closer to an end of a rim than this, in grid units, that end itself is taken.
const SHORTEST: f64 = 2.0 * ROUNDING;

/// The parts of the gap between two rims that nothing stands in: the rims, as they were, and for each part its ends on both,
/// from the last on the first rim to the first.
struct Doorways {
    rims: [u32; 2],
    were: [[Point; 2]; 2],
    parts: Vec<[[Point; 2]; 2]>,
}

/// How much farther inside a doorway cuts are tried, in grid units.
const INWARDS: [f64; 5] = [0.0, 4.0, 12.0, 28.0, 60.0];

/// A rim seen from the start of another: how far along it, how far on its left, how high over it.
type Place = [f64; 3];

/// A rim as an axis.
struct Axis {
    from: Vec2,
    along: Vec2,
    length: f64,
    heights: [f64; 2],
}

/// What two rims have between them.
struct Between {
    axis: Axis,
    /// How far along the first the other ends and starts.
    other: [f64; 2],
    /// From where to where both run.
    shared: [f64; 2],
    /// How far on the left of the first there may be something between them.
    beside: [f64; 2],
}

impl Axis {
    fn place(&self, at: Point, height: f64) -> Place {
        let off = at.as_vec2() - self.from;
        let ahead = self.along.dot(off);
        let ground = self.heights[0] + (self.heights[1] - self.heights[0]) * ahead / self.length;
        [ahead, self.along.cross(off), height - ground]
    }
}

impl Stitcher<'_> {
    /// Fills the doorways between rims that look at each other and that something stands between; whether anything changed.
    pub(super) fn bridge_doorways(&mut self, mut pairs: Vec<[u32; 2]>) -> bool {
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        sort(&mut pairs);
        pairs.dedup();
        let doorways: Vec<Doorways> = pairs.par_iter().filter_map(|pair| self.doorways(*pair)).collect();
        let before = self.fabric.log.len();
        for doorways in doorways {
            let is_as_it_was =
                |(rim, were): (&u32, &[Point; 2])| self.fabric.is_rim(*rim) && self.ends_of(*rim) == *were;
            if doorways.rims.iter().zip(&doorways.were).all(is_as_it_was) {
                self.bridge(&doorways);
            }
        }
        self.fabric.log.len() > before
    }

    /// Fills doorways one after the other. Rims that overlap are only cut: then they are free to move together.
    fn bridge(&mut self, Doorways { rims: [one, other], parts, .. }: &Doorways) {
        let mut rest = Some(*other);
        for part in parts {
            // What is left of the first rim ends before the part, what is left of the other begins behind it.
            let (Some((one, _)), Some((other, beyond))) =
                (self.cut_out(*one, part[0]), rest.and_then(|rest| self.cut_out(rest, part[1])))
            else {
                return;
            };
            rest = beyond;
            if self.fabric.bridge(one, other) {
                self.doorways.add(part[0][0], self.fabric.chart[one as usize / 3]);
                self.bridged.extend(part.concat());
            }
        }
    }

    fn ends_of(&self, rim: u32) -> [Point; 2] {
        [self.fabric.from(rim), self.fabric.to(rim)]
    }

    /// Splits a rim at the ends of a part of it: that part, and what is behind it.
    fn cut_out(&mut self, rim: u32, [from, to]: [Point; 2]) -> Option<(u32, Option<u32>)> {
        let part = if from == self.fabric.from(rim) { rim } else { self.cut(rim, from, to)? };
        let rest = if to == self.fabric.to(part) { None } else { Some(self.cut(part, to, from)?) };
        Some((part, rest))
    }

    /// Splits a rim at one end of a part of it, farther inside if a triangle would turn over there. A splinter that cannot be
    /// split is peeled off, as in [`Stitcher::apply_splits`]; what is behind it has its turn in the next round.
    fn cut(&mut self, rim: u32, at: Point, inside: Point) -> Option<u32> {
        let length = at.distance(inside);
        let places = INWARDS.map(|inset| along(at, inside, (inset / length).min(0.5)));
        let rest = places.into_iter().find_map(|at| self.fabric.split(rim, at));
        let rest = rest.or_else(|| self.split_beside(rim, at));
        if rest.is_none() && self.is_splinter(rim / 3) {
            self.fabric.peel(rim);
        }
        rest
    }

    /// Whether something stands between two rims that look at each other.
    pub(super) fn is_walled(&self, one: u32, other: u32) -> bool {
        let between = self.between(one, other);
        let [from, to] = between.shared;
        // What they end at does not.
        from + 2.0 * MARGIN < to
            && self
                .blocked(&between)
                .iter()
                .any(|[begins, ends]| *begins < to - 2.0 * MARGIN && *ends > from + 2.0 * MARGIN)
    }

    /// Whether a border of a vertex, given as its fan, would pass through a wall if the vertex moved to a place: what comes to
    /// lie between must be as free as the way of the vertex itself.
    pub(super) fn sweeps_wall(&self, fan: &[u32], at: Point) -> bool {
        let (Some(first), Some(last)) = (fan.first(), fan.last()) else { return false };
        let from = self.fabric.from(*first);
        // Rims know how high they are.
        let mut edges = fan.iter().flat_map(|spoke| [*spoke, prev(*spoke)]);
        let Some(rim) = edges.find(|e| self.fabric.is_rim(*e)) else { return false };
        let ground = self.height(rim, from);
        let borders = [(*first, self.fabric.to(*first)), (prev(*last), self.fabric.from(prev(*last)))];
        borders.into_iter().any(|(border, end)| {
            self.fabric.twin[border as usize] == NONE && end != at && self.stands_in([from, end, at], ground)
        })
    }

    /// Whether a wall reaches into a triangle at this height, farther than rounding.
    fn stands_in(&self, corners: [Point; 3], ground: f64) -> bool {
        let [a, b, c] = corners.map(Point::as_vec2);
        let sides =
            if (b - a).cross(c - a) > 0.0 { [(a, b), (b, c), (c, a)] } else { [(a, c), (c, b), (b, a)] };
        let mut is_in = false;
        self.faces.others.each_touching(&Extent::of(&corners), |face| {
            let place = |corner: Corner| {
                let at = corner.at.as_vec2();
                [at.x, at.y, f64::from(corner.height) - ground]
            };
            let mut part = self.soup.corners(face).map(place).to_vec();
            part = clipped(&part, |place| place[2] - self.step);
            part = clipped(&part, |place| self.height - place[2]);
            for (from, to) in sides {
                let across = (to - from).unit();
                let inside = |place: &Place| across.cross(Vec2::new(place[0], place[1]) - from) - ROUNDING;
                part = clipped(&part, inside);
            }
            is_in |= !part.is_empty();
        });
        is_in
    }

    /// What two rims have between them, as seen from the first.
    fn between(&self, one: u32, other: u32) -> Between {
        let axis = self.axis(one);
        let [start, end] = [self.fabric.to(other), self.fabric.from(other)].map(|at| axis.place(at, 0.0));
        let shared = [start[0].max(0.0), end[0].min(axis.length)];
        let beside = [start[1].min(end[1]).min(0.0) - MARGIN, start[1].max(end[1]).max(0.0) + MARGIN];
        Between { axis, other: [start[0], end[0]], shared, beside }
    }

    /// The doorways between two rims, if there are any.
    fn doorways(&self, rims: [u32; 2]) -> Option<Doorways> {
        let [one, other] = rims;
        let between = self.between(one, other);
        let Between { axis, other: [start, end], shared, beside } = &between;
        if shared[1] - shared[0] <= self.gap || !self.faces(one, other) {
            return None;
        }
        // Where rims overlap their cuts move aside, and must not pass the jamb.
        let inset = INSET + 2.0 * (beside[1] - MARGIN);
        let mut open = openings(*shared, &self.blocked(&between));
        // Where nothing stands they meet anyway.
        open.retain(|opening| opening != shared && opening[1] - opening[0] > self.gap + 2.0 * inset);
        let part = |[from, to]: [f64; 2]| {
            let [from, to] = [(from, inset), (to, -inset)]
                .map(|(jamb, inset)| if shared.contains(&jamb) { jamb } else { jamb + inset });
            let across = |ahead: f64| (end - ahead) / (end - start);
            [
                [from / axis.length, to / axis.length].map(|share| self.on_rim(one, share)),
                [across(to), across(from)].map(|share| self.on_rim(other, share)),
            ]
        };
        let ground = 0.5 * (axis.heights[0] + axis.heights[1]);
        let mut parts: Vec<_> = open.into_iter().rev().map(part).collect();
        parts.retain(|part| !self.is_over_floor(part, ground));
        (!parts.is_empty()).then(|| Doorways { rims, were: rims.map(|rim| self.ends_of(rim)), parts })
    }

    /// Whether a floor lies beneath a doorway, less than a body below: who stands there would be under a bridge.
    fn is_over_floor(&self, [[a, b], [c, d]]: &[[Point; 2]; 2], ground: f64) -> bool {
        let [one, other] = [[*a, *b], [*d, *c]].map(|ends| ends.map(Point::as_vec2));
        let across = |share: f64| {
            let [near, far] = [one, other].map(|[from, to]| from + (to - from) * share);
            (near + far) * 0.5
        };
        [0.05, 0.275, 0.5, 0.725, 0.95].map(across).into_iter().any(|at| {
            let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
            let mut is_over = false;
            self.faces.floors.each_touching(&Extent { min: spot, max: spot }, |floor| {
                let corners = self.soup.corners(floor).map(|corner| corner.at.as_vec2());
                let depth = || ground - self.soup.height_at(floor, at);
                is_over |= beyond_triangle(corners, at) <= 0.0 && (ROUNDING..self.height).contains(&depth());
            });
            is_over
        })
    }

    /// The place at a share of the length of a rim; its end if that is close.
    fn on_rim(&self, rim: u32, share: f64) -> Point {
        let [from, to] = self.ends_of(rim);
        let ahead = share * from.distance(to);
        match () {
            () if ahead <= SHORTEST => from,
            () if from.distance(to) - ahead <= SHORTEST => to,
            () => along(from, to, share),
        }
    }

    fn axis(&self, rim: u32) -> Axis {
        let [from, to] = [self.fabric.from(rim), self.fabric.to(rim)];
        let along = to.as_vec2() - from.as_vec2();
        let heights = [from, to].map(|at| self.height(rim, at));
        Axis { from: from.as_vec2(), along: along.unit(), length: along.length(), heights }
    }

    /// Where along a rim walls stand beside it, sorted by where they begin.
    fn blocked(&self, Between { axis, shared, beside, .. }: &Between) -> Vec<[f64; 2]> {
        let corner = |ahead: f64, aside: f64| {
            let at = axis.from + axis.along * ahead + Vec2::new(-axis.along.y, axis.along.x) * aside;
            Point::new(at.x.round() as i32, at.y.round() as i32)
        };
        let corners = shared.map(|ahead| beside.map(|aside| corner(ahead, aside))).concat();
        let mut blocked = Vec::new();
        self.faces.others.each_touching(&Extent::of(&corners), |face| {
            let triangle =
                self.soup.corners(face).map(|corner| axis.place(corner.at, f64::from(corner.height)));
            let mut part = triangle.to_vec();
            for (axis, [least, most]) in [(1, *beside), (2, [self.step, self.height])] {
                part = clipped(&part, |place| place[axis] - least);
                part = clipped(&part, |place| most - place[axis]);
            }
            let ahead = || part.iter().map(|place| place[0]);
            let range = [ahead().fold(f64::INFINITY, f64::min), ahead().fold(f64::NEG_INFINITY, f64::max)];
            let range = [range[0] - MARGIN, range[1] + MARGIN];
            if range[0] <= shared[1] && range[1] >= shared[0] {
                blocked.push(range);
            }
        });
        blocked.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
        blocked
    }
}

/// What of a stretch is not blocked.
fn openings([from, to]: [f64; 2], blocked: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let (mut open, mut at) = (Vec::new(), from);
    for [begins, ends] in blocked {
        if *begins > at {
            open.push([at, begins.min(to)]);
        }
        at = ends.max(at);
    }
    open.push([at, to]);
    open.retain(|[from, to]| from < to);
    open
}

/// What of a convex polygon has `inside` greater than zero, up to its border.
fn clipped(polygon: &[Place], inside: impl Fn(&Place) -> f64) -> Vec<Place> {
    let mut part = Vec::with_capacity(polygon.len() + 1);
    if !polygon.iter().any(|place| inside(place) > 0.0) {
        return part;
    }
    for (from, to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let [start, end] = [inside(from), inside(to)];
        if start >= 0.0 {
            part.push(*from);
        }
        if start * end < 0.0 {
            let share = start / (start - end);
            part.push([0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share));
        }
    }
    part
}

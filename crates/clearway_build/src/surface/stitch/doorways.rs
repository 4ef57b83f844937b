//! Doorways in the gaps between sheets: rims that face each other across a gap are joined where no wall stands
//! between.
//!
//! Most doorways have floors by now, drawn or laid by the thresholds pass. Some remain: rounding left the rims beside
//! the end of a wall millimetres apart or overlapping, and the wall hides the corners that would have to move
//! together. Here the rims are cut a millimetre inside the doorway, and the gap between the cuts is filled. Nothing
//! moves, so the floor behind the wall stays as it is.
//!
//! Invariant: lengths propose where a doorway may be; integers on the grid decide that nothing stands in it
//! (`gap_obstruction`). Cost: one search for walls per pair of rims that something hides from each other.

use crate::surface::faces::gap_obstruction::{Facing, MARGIN, Part, Passage, Slope};
use crate::surface::headroom::clip::{Line, MOST_KNOTS, Polygon};
use crate::surface::stitch::glue::{ROUNDING, Stitcher};
use clearway_base::parallel::sort;
use clearway_geometry::boxes::Box2;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::prev;
use clearway_geometry::{NONE, Point};
use rayon::prelude::*;

/// The distance from a jamb at which a doorway is filled, in grid units (1 mm). Nearer cuts could touch the wall
/// after rounding; farther ones make doorways narrower than drawn.
const INSET: f64 = 4.0;

/// Additional distances inside a doorway at which cuts are tried, in grid units (up to 15 mm). The first cut that
/// turns no triangle over is taken; larger values leave more of the doorway open.
const INWARDS: [f64; 5] = [0.0, 4.0, 12.0, 28.0, 60.0];

/// The parts of the gap between two rims in which nothing stands.
struct Doorways {
    /// The two rims that face each other.
    rims: [u32; 2],
    /// The end points of both rims when the doorways were found. A rim that has changed since is skipped.
    were: [[Point; 2]; 2],
    /// The free parts with their ends on both rims. They run from the last part along the first rim to the first
    /// part.
    parts: Vec<Part>,
}

/// The gap between two rims as seen from the first rim.
struct Between {
    /// The stretch along which the rims face each other.
    facing: Facing,
    /// The first rim with the heights of its ends: the ground from which walls are judged.
    ground: Slope,
    /// The outlines of everything that stands in the gap.
    walls: Vec<Vec<Point>>,
}

impl Between {
    /// True if a wall stands in the way across a part of the gap. A wall at which the rims end does not count.
    fn is_walled(&self, part: &Part) -> bool {
        let passage = Passage { corners: part.as_flattened(), reach: MARGIN };
        let stretch = Slope { line: part[0], ..self.ground };
        self.walls.iter().any(|wall| passage.meets(wall) && !stretch.ends_at(wall))
    }
}

impl Stitcher<'_> {
    /// Fills the doorways between pairs of rims that face each other with a wall between them. Returns true if
    /// anything changed.
    pub(crate) fn bridge_doorways(&mut self, mut pairs: Vec<[u32; 2]>) -> bool {
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

    /// Fills doorways one after the other. Rims that overlap are only cut: afterwards they are free to move together.
    fn bridge(&mut self, Doorways { rims: [one, other], parts, .. }: &Doorways) {
        let mut rest = Some(*other);
        for part in parts {
            // Parts come last first along `one`: the rest of `one` ends before the part, the rest of `other` begins
            // behind it.
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

    /// The end points of a rim, in its direction.
    fn ends_of(&self, rim: u32) -> [Point; 2] {
        [self.fabric.from(rim), self.fabric.to(rim)]
    }

    /// Splits a rim at both ends of a part of it. Returns the part and the rest behind the part.
    fn cut_out(&mut self, rim: u32, [from, to]: [Point; 2]) -> Option<(u32, Option<u32>)> {
        let part = if from == self.fabric.from(rim) { rim } else { self.cut(rim, from, to)? };
        let rest = if to == self.fabric.to(part) { None } else { Some(self.cut(part, to, from)?) };
        Some((part, rest))
    }

    /// Splits a rim at one end of a part. If a triangle would turn over there, it tries farther inside. A splinter
    /// that cannot be split is peeled off, as in [`Stitcher::apply_splits`]; the floor behind it has its turn in the
    /// next round.
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

    /// True if something stands between two rims that face each other.
    pub(crate) fn is_walled(&self, one: u32, other: u32) -> bool {
        let between = self.between(one, other);
        between.is_walled(&between.facing.whole())
    }

    /// True if moving a vertex to `at` would drag one of its borders through a wall. The vertex is given by its fan.
    /// The triangle that each border sweeps must be free of walls, up to rounding.
    pub(crate) fn sweeps_wall(&self, fan: &[u32], at: Point) -> bool {
        let (Some(first), Some(last)) = (fan.first(), fan.last()) else { return false };
        let from = self.fabric.from(*first);
        // Only rims know how high they are, so one rim of the fan gives the height.
        let mut edges = fan.iter().flat_map(|spoke| [*spoke, prev(*spoke)]);
        let Some(rim) = edges.find(|e| self.fabric.is_rim(*e)) else { return false };
        let level = Slope { line: [from, at], heights: [self.height(rim, from); 2] };
        let borders = [(*first, self.fabric.to(*first)), (prev(*last), self.fabric.from(prev(*last)))];
        borders.into_iter().any(|(border, end)| {
            let passage = Passage { corners: &[from, end, at], reach: -ROUNDING as i32 };
            let is_border = self.fabric.twin[border as usize] == NONE && end != at;
            is_border && !self.walls_in(&passage, &level).is_empty()
        })
    }

    /// True if a wall stands on the way between two points at a height, or at one of the points.
    pub(crate) fn touches_wall(&self, from: Point, to: Point, height: f64) -> bool {
        let level = Slope { line: [from, to], heights: [height; 2] };
        !self.walls_in(&Passage { corners: &[from, to], reach: MARGIN }, &level).is_empty()
    }

    /// The outlines of the walls that reach into a passage. A wall counts between a step and the head-room above
    /// `ground`.
    fn walls_in(&self, passage: &Passage<'_>, ground: &Slope) -> Vec<Vec<Point>> {
        let mut walls = Vec::new();
        let extent = Box2::of(passage.corners).grown(passage.reach.max(0));
        self.faces.others.each_touching(&extent, |face| {
            let wall = ground.between(&self.soup.corners(face), self.step, self.height);
            walls.extend(Some(wall).filter(|wall| passage.meets(wall)));
        });
        walls
    }

    /// Measures the gap between two rims and collects the walls in it. Without a shared stretch the list of walls is
    /// empty.
    fn between(&self, one: u32, other: u32) -> Between {
        let facing = Facing::of([one, other].map(|rim| self.ends_of(rim)));
        let line = facing.lines[0];
        let ground = Slope { line, heights: line.map(|at| self.height(one, at)) };
        let mut walls = Vec::new();
        if facing.shared[0] < facing.shared[1] {
            let whole = facing.whole();
            walls = self.walls_in(&Passage { corners: whole.as_flattened(), reach: MARGIN }, &ground);
        }
        Between { facing, ground, walls }
    }

    /// Finds the doorways between two rims; `None` if there are none.
    fn doorways(&self, rims: [u32; 2]) -> Option<Doorways> {
        let between = self.between(rims[0], rims[1]);
        let Between { facing, ground, walls } = &between;
        let shared = facing.shared;
        if shared[1] - shared[0] <= self.gap || !self.faces(rims[0], rims[1]) {
            return None;
        }
        // The cuts of overlapping rims move aside when the rims are brought together. They must not pass the jamb
        // then.
        let overlap = facing.widths().into_iter().fold(0.0, |overlap: f64, width| overlap.max(-width));
        let inset = INSET + 2.0 * overlap;
        let mut open = facing.openings(walls.iter(), f64::from(2 * MARGIN));
        // Rims with nothing between them meet without a doorway.
        open.retain(|opening| *opening != shared && opening[1] - opening[0] > self.gap + 2.0 * inset);
        let part = |[from, to]: [f64; 2]| {
            let stretch = [(from, inset), (to, -inset)]
                .map(|(jamb, inset)| if shared.contains(&jamb) { jamb } else { jamb + inset });
            facing.part(stretch)
        };
        let mut parts: Vec<Part> = open.into_iter().rev().map(part).collect();
        parts.retain(|part| !between.is_walled(part) && !self.is_over_floor(part, ground));
        (!parts.is_empty()).then_some(Doorways { rims, were: facing.lines, parts })
    }

    /// True if a floor lies beneath a doorway by less than the head-room. Who stands on that floor would be under a
    /// bridge.
    fn is_over_floor(&self, [[a, b], [c, d]]: &Part, ground: &Slope) -> bool {
        let corners = [*b, *a, *d, *c];
        let passage = Passage { corners: &corners, reach: -ROUNDING as i32 };
        let mut is_over = false;
        self.faces.floors.each_touching(&Box2::of(&corners), |floor| {
            let floor = self.soup.corners(floor);
            if is_over || !passage.meets(&floor.map(|corner| corner.at)) {
                return;
            }
            let over = floor.map(|corner| f64::from(corner.height) - ground.height(corner.at));
            let mut beneath = Polygon::<MOST_KNOTS>::of(floor.map(|corner| corner.at.as_vec2()), over);
            for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let [from, to] = [*from, *to].map(Point::as_vec2);
                beneath.clip(Line::Column, |knot| (to - from).cross(knot.at - from));
            }
            let knots = || beneath.knots().iter();
            is_over =
                knots().any(|knot| knot.over < -ROUNDING) && knots().any(|knot| knot.over > -self.height);
        });
        is_over
    }
}

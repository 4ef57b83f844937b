//! Thresholds: floors laid into the doorways of walls that stand in the gap between two floors.
//!
//! Floors of rooms often end on both sides of a thin wall, or of its frames. Where no wall stands in a gap, its rims are drawn
//! together when sheets are glued; where one does, they must not move, and what is free of the gap is floor that nobody has
//! drawn. It is drawn here, among the faces of the scene, before anything else is made of them: walls cut it and neighbours
//! share its sides as those of any other floor. Where a doorway may be is only measured: the walls themselves bound it when they cut the floor.

use crate::surface::faces::gap_obstruction::{Facing, MARGIN, Part, Passage, Slope};
use crate::surface::faces::soup::{Corner, Face, JOINT_UPRIGHT, Kind, Soup, face};
use crate::surface::faces::t_joints::Also;
use crate::surface::faces::tiles::free_sides;
use crate::surface::headroom::prism::Limits;
use crate::surface::stitch::glue::ROUNDING;
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::cross_properly;
use clearway_geometry::{DisjointSets, Point, Vector};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Sides run against each other if the cosine of the angle between them is less; along each other if its size is more.
const AGAINST: f64 = -0.8;

/// Where floors meet beside a gap, walls may begin this much later, in grid units: a centimetre.
const SLIT: f64 = 41.0;

/// A side that more sides than this cross, all running against it and no more than a step above or below, lies in a tangle:
/// no doorway is looked for beside it. Without a limit a polygon of n corners that crosses itself has n² gaps and n³ pairs
/// of them at one corner: 600 corners took 2 s and 2000 minutes. Sides of drawn floors cross a few others at most.
const MOST_CROSSINGS: usize = 32;

/// A floor between two sides of others: its corners, counter-clockwise, and one of those sides.
#[derive(Clone, Copy, Debug)]
struct Threshold {
    corners: [Corner; 4],
    beside: [u32; 2],
}

/// What was found beside free sides of floors.
#[derive(Debug, Default)]
struct Found {
    thresholds: Vec<Threshold>,
    /// Sides in tangles.
    tangled: Vec<[u32; 2]>,
}

/// Looks for doorways.
struct Doors<'a> {
    soup: &'a Soup,
    /// Gaps up to this are bridged, in grid units.
    gap: f64,
    limits: Limits,
}

/// What lies between two free sides of floors that look at each other across a gap.
struct Gap {
    sides: [[u32; 2]; 2],
    facing: Facing,
    /// All of it.
    whole: Part,
    grounds: [Slope; 2],
    /// Outlines of what stands in it, and of floors that lie in it.
    walls: Vec<Vec<Point>>,
    floors: Vec<Vec<Point>>,
    /// Whether another one goes on where it begins, and where it ends.
    goes_on: [bool; 2],
}

impl Doors<'_> {
    /// The floors that are missing in the doorways of walls.
    fn thresholds(&self) -> Found {
        let (mut gaps, tangled) = self.gaps();
        self.enter_obstacles(&mut gaps);
        let has_wall = follow_lines(&mut gaps);
        let walled = gaps.iter().zip(has_wall).filter(|(_, has_wall)| *has_wall);
        Found { thresholds: walled.flat_map(|(gap, _)| self.thresholds_in(gap)).collect(), tangled }
    }

    /// All gaps, as long as they are wider than what is welded anyway, and the sides in tangles, which have none.
    fn gaps(&self) -> (Vec<Gap>, Vec<[u32; 2]>) {
        let at = |corner: u32| self.soup.corners[corner as usize].at;
        let sides = free_sides(self.soup);
        let extent = |side: &[u32; 2]| Box2::of(&side.map(at));
        let bins = BoxGrid::of(sides.iter().map(extent).collect());
        let crossings = |one: usize| {
            let mut crossings = 0;
            bins.each_touching(&extent(&sides[one]), |other| {
                let is_another = crossings <= MOST_CROSSINGS && self.cross(sides[one], sides[other as usize]);
                crossings += usize::from(is_another);
            });
            crossings
        };
        let is_tangled: Vec<bool> =
            (0..sides.len()).into_par_iter().map(|one| crossings(one) > MOST_CROSSINGS).collect();
        let gaps_beside = |mut gaps: Vec<Gap>, one: usize| {
            if is_tangled[one] {
                return gaps;
            }
            bins.each_touching(&extent(&sides[one]).grown(self.gap.ceil() as i32), |other| {
                if other as usize > one && !is_tangled[other as usize] {
                    gaps.extend(self.gap_between([sides[one], sides[other as usize]]));
                }
            });
            gaps
        };
        let mut gaps: Vec<Gap> =
            (0..sides.len()).into_par_iter().fold(Vec::new, gaps_beside).flatten_iter().collect();
        gaps.sort_by_key(|gap| gap.sides);
        let tangled = sides.iter().zip(is_tangled).filter(|(_, is_tangled)| *is_tangled);
        (gaps, tangled.map(|(side, _)| *side).collect())
    }

    /// Whether two sides that run against each other cross, no more than a step apart in height.
    fn cross(&self, one: [u32; 2], other: [u32; 2]) -> bool {
        let [one, other] = [one, other].map(|side| side.map(|corner| self.soup.corners[corner as usize]));
        let [[a, b], [c, d]] = [one, other].map(|side| side.map(|corner| corner.at));
        let is_above = |side: [Corner; 2], below: [Corner; 2]| {
            let low = side[0].height.min(side[1].height);
            f64::from(low) - self.limits.step > f64::from(below[0].height.max(below[1].height))
        };
        run_against([b - a, d - c])
            && cross_properly(a, b, c, d)
            && !is_above(one, other)
            && !is_above(other, one)
    }

    fn gap_between(&self, sides: [[u32; 2]; 2]) -> Option<Gap> {
        let ends = sides.map(|side| side.map(|corner| self.soup.corners[corner as usize]));
        let lines = ends.map(|side| side.map(|corner| corner.at));
        if !run_against(lines.map(|[from, to]| to - from)) {
            return None;
        }
        let mut facing = Facing::of(lines);
        // Floors at one height that are no farther apart than what is welded share their corners already.
        let [[low, high], [across_low, across_high]] = ends.map(|side| {
            let [a, b] = side.map(|corner| corner.height);
            [a.min(b), a.max(b)]
        });
        let upright = JOINT_UPRIGHT * self.soup.near;
        let is_step = low - upright > across_high || across_low - upright > high;
        let least = if is_step { ROUNDING } else { f64::from(self.soup.near) };
        facing.shared = self.gaping(&facing, least)?;
        let grounds = ends.map(|side| Slope {
            line: side.map(|corner| corner.at),
            heights: side.map(|corner| f64::from(corner.height)),
        });
        let whole = facing.whole();
        let [[a, b], [c, d]] = whole;
        let is_step = |[near, far]: [Point; 2]| {
            (grounds[1].height(far) - grounds[0].height(near)).abs() <= self.limits.step
        };
        let is_gap = is_step([a, d]) && is_step([b, c]);
        is_gap.then(|| Gap {
            sides,
            facing,
            whole,
            grounds,
            walls: Vec::new(),
            floors: Vec::new(),
            goes_on: [false; 2],
        })
    }

    /// From where to where two lines are no farther apart than a gap, somewhere farther than `least`, and do not overlap.
    /// Where they nearly meet their corners become one.
    fn gaping(&self, facing: &Facing, least: f64) -> Option<[f64; 2]> {
        let ([from, to], widths) = (facing.shared, facing.widths());
        let is_gap =
            widths.iter().any(|width| *width > least) && widths.iter().any(|width| *width <= self.gap);
        if to - from <= least || !is_gap {
            return None;
        }
        let clip = |end: usize| {
            let width = widths[end].clamp(0.0, self.gap);
            let share = (width - widths[0]) / (widths[1] - widths[0]);
            if width == widths[end] { facing.shared[end] } else { from + (to - from) * share }
        };
        let [from, to] = [clip(0), clip(1)];
        (to - from > least).then_some([from, to])
    }

    /// Enters what stands and lies in gaps.
    fn enter_obstacles(&self, gaps: &mut [Gap]) {
        if gaps.is_empty() {
            return;
        }
        let extent = |gap: &Gap| Box2::of(gap.whole.as_flattened()).grown(MARGIN);
        let bins = BoxGrid::of(gaps.iter().map(extent).collect());
        for face in &self.soup.faces {
            let corners = face.corners.map(|corner| self.soup.corners[corner as usize]);
            bins.each_touching(&Box2::of(&corners.map(|corner| corner.at)), |number| {
                gaps[number as usize].enter(&corners, face.kind == Kind::Walkable, self.limits);
            });
        }
    }

    /// What is free of a gap, if it is wider than one.
    fn thresholds_in(&self, gap: &Gap) -> Vec<Threshold> {
        let mut open = gap.facing.openings(gap.walls.iter().chain(&gap.floors), 0.0);
        let [begins, ends] = gap.facing.shared;
        let [[a, b], [c, d]] = gap.whole;
        open.retain(|[from, to]| {
            let is_at_end = [*from == begins, *to == ends];
            let goes_on = (0..2).any(|end| is_at_end[end] && gap.goes_on[end]);
            let meets = (is_at_end[0] && a == d) || (is_at_end[1] && b == c);
            let least = match () {
                () if goes_on => 0.0,
                () if meets => SLIT.min(self.gap),
                () => self.gap,
            };
            to - from > least
        });
        let parts = open.into_iter().map(|stretch| gap.facing.part(stretch));
        let free = parts.filter(|part| !gap.holds_floor(part));
        free.map(|part| gap.threshold(&part)).collect()
    }
}

impl Gap {
    /// Enters a face if it reaches into the gap.
    fn enter(&mut self, face: &[Corner; 3], is_floor: bool, Limits { step, height }: Limits) {
        let (whole, ground) = (self.whole, &self.grounds[0]);
        let passage = |reach: i32| Passage { corners: whole.as_flattened(), reach };
        let (list, passage, ring) = match is_floor {
            true => (&mut self.floors, passage(-ROUNDING as i32), ground.between(face, -height, height)),
            false => (&mut self.walls, passage(MARGIN), ground.between(face, step, height)),
        };
        if passage.meets(&ring) {
            list.push(ring);
        }
    }

    fn runs_along(&self, other: &Gap) -> bool {
        let [one, other] = [self, other].map(|gap| gap.facing.lines[0][1] - gap.facing.lines[0][0]);
        (one.dot(other) as f64).abs() > -AGAINST * one.length() * other.length()
    }

    /// Whether it begins and whether it ends at a corner of its sides.
    fn ends_at(&self, corner: u32) -> [bool; 2] {
        let [[begin, end], [end_across, begin_across]] = self.sides;
        let ([[a, b], [c, d]], [[from, to], [across_from, across_to]]) = (self.whole, self.facing.lines);
        [
            (corner == begin && a == from) || (corner == begin_across && d == across_to),
            (corner == end && b == to) || (corner == end_across && c == across_from),
        ]
    }

    /// Whether a floor lies in a part of it. Walls may: they cut thresholds as all floors.
    fn holds_floor(&self, part: &Part) -> bool {
        let passage = Passage { corners: part.as_flattened(), reach: -ROUNDING as i32 };
        self.floors.iter().any(|floor| passage.meets(floor))
    }

    fn threshold(&self, [[a, b], [c, d]]: &Part) -> Threshold {
        let [one, other] = &self.grounds;
        let corner = |ground: &Slope, at: Point| Corner { at, height: ground.height(at).round() as i32 };
        let corners = [corner(one, *b), corner(one, *a), corner(other, *d), corner(other, *c)];
        Threshold { corners, beside: self.sides[0] }
    }
}

impl Soup {
    /// Lays floors in the doorways of walls that stand in gaps between floors.
    pub(super) fn lay_thresholds(&mut self, gap: f64, limits: Limits) {
        let Found { thresholds, tangled } = Doors { soup: self, gap, limits }.thresholds();
        self.tangled = tangled.iter().map(|side| self.corners[side[0] as usize]).collect();
        if thresholds.is_empty() {
            return;
        }
        self.thresholds = thresholds.iter().map(|threshold| threshold.corners[0]).collect();
        let area_of = areas_beside(&self.faces, &thresholds);
        let number_of = self.number_new(thresholds.iter().flat_map(|threshold| threshold.corners));
        for (threshold, area) in thresholds.iter().zip(area_of) {
            let [b, a, d, c] = threshold.corners.map(|corner| number_of[&corner]);
            let halves = [[b, a, d], [b, d, c]].map(|numbers| {
                face(numbers, numbers.map(|number| self.corners[number as usize].at), true, area)
            });
            let floors = halves.into_iter().flatten().filter(|half| half.kind == Kind::Walkable);
            self.faces.extend(floors);
        }
        self.sort();
        // Where a gap is as narrow as what is welded nothing was laid, but both sides have a corner there.
        self.cut(Also::Corners(&number_of.into_values().collect::<Vec<u32>>()));
    }

    /// The numbers of new corners; where another one is as near as what is welded, that one is taken.
    fn number_new(&mut self, corners: impl Iterator<Item = Corner>) -> BTreeMap<Corner, u32> {
        let spot = |at: Point| Box2 { min: at, max: at };
        let bins = BoxGrid::of(self.corners.iter().map(|corner| spot(corner.at)).collect());
        let (mut number_of, near) = (BTreeMap::new(), self.near);
        for corner in corners {
            let mut nearest = None;
            bins.each_touching(&spot(corner.at).grown(near), |other| {
                let there = self.corners[other as usize];
                let rise = (i64::from(there.height) - i64::from(corner.height)).abs();
                let rank = (there.at.distance_squared(corner.at), rise, other);
                let is_near = rank.0 <= i64::from(near).pow(2) && rise <= i64::from(JOINT_UPRIGHT * near);
                if is_near && nearest.is_none_or(|nearest| rank < nearest) {
                    nearest = Some(rank);
                }
            });
            let known = nearest.map(|(.., other)| other);
            number_of.entry(corner).or_insert_with(|| {
                self.corners.extend(known.is_none().then_some(corner));
                known.unwrap_or(self.corners.len() as u32 - 1)
            });
        }
        number_of
    }
}

/// Notes where gaps go on, and tells for each whether a wall stands in its line: what is beside a threshold must not move.
fn follow_lines(gaps: &mut [Gap]) -> Vec<bool> {
    let mut at_corner: Vec<(u32, u32)> = (0u32..)
        .zip(&*gaps)
        .flat_map(|(number, gap)| gap.sides.as_flattened().iter().map(move |corner| (*corner, number)))
        .collect();
    at_corner.sort_unstable();
    let mut lines = DisjointSets::new(gaps.len());
    for together in at_corner.chunk_by(|p, q| p.0 == q.0) {
        let ends_of: Vec<[bool; 2]> =
            together.iter().map(|(corner, number)| gaps[*number as usize].ends_at(*corner)).collect();
        for ((_, one), ends) in together.iter().zip(&ends_of) {
            for ((_, other), next_ends) in
                together.iter().zip(&ends_of).filter(|((_, other), _)| other != one)
            {
                let [gap, next] = [*one, *other].map(|number| &gaps[number as usize]);
                if gap.runs_along(next) {
                    let goes_on = next_ends.contains(&true);
                    lines.join(*one, *other);
                    let known = &mut gaps[*one as usize].goes_on;
                    *known = [0, 1].map(|end| known[end] || (ends[end] && goes_on));
                }
            }
        }
    }
    let mut has_wall = vec![false; gaps.len()];
    for (number, _) in (0u32..).zip(&*gaps).filter(|(_, gap)| !gap.walls.is_empty()) {
        has_wall[lines.root(number) as usize] = true;
    }
    (0..gaps.len() as u32).map(|number| has_wall[lines.root(number) as usize]).collect()
}

/// Whether two sides run against each other.
fn run_against([one, other]: [Vector; 2]) -> bool {
    (one.dot(other) as f64) < AGAINST * one.length() * other.length()
}

/// The area classes of the floors that thresholds lie beside.
fn areas_beside(faces: &[Face], thresholds: &[Threshold]) -> Vec<u8> {
    let mut areas: BTreeMap<[u32; 2], u8> =
        thresholds.iter().map(|threshold| (threshold.beside, 0)).collect();
    for Face { corners: [a, b, c], area, .. } in faces.iter().filter(|face| face.kind == Kind::Walkable) {
        for side in [[*a, *b], [*b, *c], [*c, *a]] {
            areas.entry(side).and_modify(|known| *known = *area.max(known));
        }
    }
    thresholds.iter().map(|threshold| areas[&threshold.beside]).collect()
}

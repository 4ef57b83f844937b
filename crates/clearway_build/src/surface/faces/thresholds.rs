//! Thresholds: floors laid into the doorways of walls that stand in the gap between two floors.
//!
//! Floors often end on both sides of a thin wall or of its frames. Where no wall stands in such a gap, stitching draws
//! the rims together. Where a wall stands, the rims must not move, and the free stretches of the gap are floor that
//! nobody has drawn. This file draws it, before anything else is made of the faces. So walls cut a threshold, and
//! neighbours share its sides, as with any other floor.
//!
//! Lengths only suggest where a doorway may be; the walls themselves bound it when they cut the floor. Of 2,000 walls
//! with 5,518 doors, 94 had a door shut without thresholds, and 2 with them. Cost: pairs of free sides within a gap of
//! each other, plus one look-up per face for what stands in the gaps.

use crate::surface::faces::gap_obstruction::{Facing, Part, Passage, Slope};
use crate::surface::faces::soup::{Corner, Face, Kind, Soup, face};
use crate::surface::faces::t_joints::Also;
use crate::surface::faces::tiles::free_sides;
use crate::surface::grid_rules::Limits;
use crate::surface::tolerances::ROUNDING;
use crate::surface::tolerances::gap_obstruction::MARGIN;
use crate::surface::tolerances::soup::JOINT_UPRIGHT;
use crate::surface::tolerances::thresholds::{AGAINST, MOST_CROSSINGS, SLIT};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::cross_properly;
use clearway_geometry::{DisjointSets, Point, Vector};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A floor between two sides of other floors.
#[derive(Clone, Copy, Debug)]
struct Threshold {
    /// Its corners, counter-clockwise. The first two lie on the side `beside`.
    corners: [Corner; 4],
    /// One of the two sides, as corner indices. Its floor gives the area class.
    beside: [u32; 2],
}

/// The result of the search for doorways.
#[derive(Debug, Default)]
struct Found {
    /// The floors to lay.
    thresholds: Vec<Threshold>,
    /// The sides in tangles, which were not examined.
    tangled: Vec<[u32; 2]>,
}

/// Finds the doorways of a soup.
struct Doors<'a> {
    /// The faces on the grid.
    soup: &'a Soup,
    /// The widest gap that is bridged, in grid units.
    gap: f64,
    /// The step and the height of a body.
    limits: Limits,
}

/// The strip between two free sides of floors that face each other.
struct Gap {
    /// The two sides, as corner indices, each with its floor on the left.
    sides: [[u32; 2]; 2],
    /// The two lines, and the stretch in which both run.
    facing: Facing,
    /// The stretches of both sides that bound the gap.
    whole: Part,
    /// The height of the ground along each side.
    grounds: [Slope; 2],
    /// Outlines of what stands in the gap.
    walls: Vec<Vec<Point>>,
    /// Outlines of floors that lie in the gap.
    floors: Vec<Vec<Point>>,
    /// Does another gap go on where this one begins, and where it ends?
    goes_on: [bool; 2],
}

impl Doors<'_> {
    /// Finds the floors that are missing in the doorways of walls.
    fn thresholds(&self) -> Found {
        let (mut gaps, tangled) = self.gaps();
        self.enter_obstacles(&mut gaps);
        let has_wall = follow_lines(&mut gaps);
        let walled = gaps.iter().zip(has_wall).filter(|(_, has_wall)| *has_wall);
        Found { thresholds: walled.flat_map(|(gap, _)| self.thresholds_in(gap)).collect(), tangled }
    }

    /// Returns all gaps wider than the weld distance, and the sides in tangles, which get none.
    fn gaps(&self) -> (Vec<Gap>, Vec<[u32; 2]>) {
        let at = |corner: u32| self.soup.corners[corner as usize].at;
        let sides = free_sides(self.soup, &self.soup.edges_up_to(Kind::Walkable));
        let extent = |side: &[u32; 2]| Box2::of(&side.map(at));
        let bins = BoxGrid::of(sides.iter().map(extent).collect());
        let is_tangled: Vec<bool> =
            sides.par_iter().map(|side| self.is_tangled(*side, &extent(side), &sides, &bins)).collect();
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

    /// True if more than [`MOST_CROSSINGS`] of all `sides`, which lie in `bins`, cross a side in this box.
    fn is_tangled(&self, one: [u32; 2], extent: &Box2, sides: &[[u32; 2]], bins: &BoxGrid) -> bool {
        let mut crossings = 0;
        bins.each_touching(extent, |other| {
            // The count stops just above the limit: more precision costs time and changes nothing.
            let is_another = crossings <= MOST_CROSSINGS && self.cross(one, sides[other as usize]);
            crossings += usize::from(is_another);
        });
        crossings > MOST_CROSSINGS
    }

    /// True if two sides that run against each other cross, no more than a step apart in height.
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

    /// Returns the gap between two sides; `None` if they do not face each other, or lie too far apart or more than a
    /// step apart in height.
    fn gap_between(&self, sides: [[u32; 2]; 2]) -> Option<Gap> {
        let ends = sides.map(|side| side.map(|corner| self.soup.corners[corner as usize]));
        let lines = ends.map(|side| side.map(|corner| corner.at));
        if !run_against(lines.map(|[from, to]| to - from)) {
            return None;
        }
        let mut facing = Facing::of(lines);
        // Floors at one height that lie within the weld distance share their corners already.
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

    /// Returns the stretch of the first line in which the two lines are at most a gap apart and do not overlap.
    ///
    /// `None` if the lines are nowhere farther apart than `least`, or the stretch is no longer than that: corners that
    /// nearly meet become one elsewhere.
    fn gaping(&self, facing: &Facing, least: f64) -> Option<[f64; 2]> {
        let ([from, to], widths) = (facing.shared, facing.widths());
        let is_gap =
            widths.iter().any(|width| *width > least) && widths.iter().any(|width| *width <= self.gap);
        if to - from <= least || !is_gap {
            return None;
        }
        // The width changes linearly along the lines, so that the ends of the stretch follow from the widths at both
        // ends.
        let clip = |end: usize| {
            let width = widths[end].clamp(0.0, self.gap);
            let share = (width - widths[0]) / (widths[1] - widths[0]);
            if width == widths[end] { facing.shared[end] } else { from + (to - from) * share }
        };
        let [from, to] = [clip(0), clip(1)];
        (to - from > least).then_some([from, to])
    }

    /// Adds to each gap the faces that stand or lie in it.
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

    /// Returns floors for the unobstructed stretches of a gap that are wide enough for a doorway.
    fn thresholds_in(&self, gap: &Gap) -> Vec<Threshold> {
        let mut open = gap.facing.openings(gap.walls.iter().chain(&gap.floors), 0.0);
        let [begins, ends] = gap.facing.shared;
        let [[a, b], [c, d]] = gap.whole;
        open.retain(|[from, to]| {
            let is_at_end = [*from == begins, *to == ends];
            let goes_on = (0..2).any(|end| is_at_end[end] && gap.goes_on[end]);
            let meets = (is_at_end[0] && a == d) || (is_at_end[1] && b == c);
            // A stretch that goes on in the next gap may be short here. Beside a corner where the floors meet, a slit
            // is enough.
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
    /// Adds a face to the gap if it reaches into it.
    ///
    /// Walls count from a step to the height of a body above the ground, up to [`MARGIN`] beside the gap. Floors count
    /// at any height that matters, but only if they reach in by more than rounding.
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

    /// True if two gaps run in about the same direction, either way.
    fn runs_along(&self, other: &Gap) -> bool {
        let [one, other] = [self, other].map(|gap| gap.facing.lines[0][1] - gap.facing.lines[0][0]);
        (one.dot(other) as f64).abs() > -AGAINST * one.length() * other.length()
    }

    /// Does the gap begin at a corner of its sides, and does it end there?
    fn ends_at(&self, corner: u32) -> [bool; 2] {
        let [[begin, end], [end_across, begin_across]] = self.sides;
        let ([[a, b], [c, d]], [[from, to], [across_from, across_to]]) = (self.whole, self.facing.lines);
        [
            (corner == begin && a == from) || (corner == begin_across && d == across_to),
            (corner == end && b == to) || (corner == end_across && c == across_from),
        ]
    }

    /// True if a floor lies in a part of the gap. Walls may lie there: they cut the threshold later.
    fn holds_floor(&self, part: &Part) -> bool {
        let passage = Passage { corners: part.as_flattened(), reach: -ROUNDING as i32 };
        self.floors.iter().any(|floor| passage.meets(floor))
    }

    /// Makes the floor for a part of the gap, at the heights of the ground on both sides.
    fn threshold(&self, [[a, b], [c, d]]: &Part) -> Threshold {
        let [one, other] = &self.grounds;
        let corner = |ground: &Slope, at: Point| Corner { at, height: ground.height(at).round() as i32 };
        let corners = [corner(one, *b), corner(one, *a), corner(other, *d), corner(other, *c)];
        Threshold { corners, beside: self.sides[0] }
    }
}

impl Soup {
    /// Lays floors into the doorways of walls that stand in gaps between floors.
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
        // Where a gap is as narrow as the weld distance nothing was laid, but both sides need a corner there.
        let edges = self.edges_up_to(Kind::Blocking);
        self.cut(&edges, Also::Corners(&number_of.into_values().collect::<Vec<u32>>()));
    }

    /// Adds new corners to the soup and returns the index of each. An existing corner within the weld distance is
    /// reused.
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

/// Notes where gaps go on in others. Returns for each gap whether a wall stands anywhere in its line of gaps.
///
/// Whole lines count, because the floors beside a threshold must not move either.
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

/// True if two sides run in about opposite directions.
fn run_against([one, other]: [Vector; 2]) -> bool {
    (one.dot(other) as f64) < AGAINST * one.length() * other.length()
}

/// Returns the area class of each threshold: the highest class of the floors at its side.
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

//! Draws the contours of what is blocked along the lines that cause them.
//!
//! Sides of a loop that follow each other and have one cause form a run. A run is drawn along the line of its cause.
//! The lines of two runs meet in a corner if that lies within one and a half cells of the lattice's corner. Runs
//! without a line, and runs that would cross others, stay with the lattice, simplified.
//!
//! By design, what is drawn lies within one and a half cells of the lattice; that is sampled, not proved. Cost: linear
//! in the sides, plus a search for crossings in each round.

use super::Voxels;
use super::pieces::Straight;
use super::trace::{Cause, Side, loops};
use crate::surface::tolerances::voxel_contour::{FARTHEST, ROUNDS, SAME_LINE, SAME_PLANE, SMOOTH};
use clearway_geometry::arrangement::Border;
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::construct::nearest;
use clearway_geometry::predicates::cross_properly;
use clearway_geometry::{Point, Vec2};

/// The way in which a run is drawn, from the best to the safest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Drawn {
    /// Along the line of its cause.
    Exactly,
    /// Along the lattice, simplified.
    Simplified,
    /// Along the lattice, with all its corners.
    Plainly,
}

/// Sides of a loop that follow each other and have one cause.
#[derive(Clone, Debug)]
struct Run {
    /// The sides, in order.
    sides: Vec<Side>,
    /// The line of the cause, if there is one.
    line: Option<Straight>,
    /// The way in which it is drawn now.
    drawn: Drawn,
    /// The index of the run that follows in its loop.
    next: usize,
}

/// A straight piece of a drawn run.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    /// The start, on the grid.
    from: Point,
    /// The end, on the grid.
    to: Point,
    /// The face over which it runs.
    face: u32,
    /// The index of its run.
    run: usize,
}

/// The contours of one chart.
pub struct Contours<'a> {
    /// The columns.
    voxels: &'a Voxels<'a>,
    /// The runs of all loops.
    runs: Vec<Run>,
}

impl<'a> Contours<'a> {
    /// Finds the contours of what is blocked on a chart. `place` is its index among the charts that are drawn.
    pub fn of(voxels: &'a Voxels<'a>, place: u32) -> Contours<'a> {
        let mut contours = Contours { voxels, runs: Vec::new() };
        for mut sides in loops(voxels, place) {
            contours.fill_gaps(&mut sides);
            contours.add_loop(&sides);
        }
        contours
    }

    /// Returns the outlines of what is blocked, as borders with the blocked side on their left.
    pub fn borders(mut self) -> Vec<Border> {
        let mut strokes = self.strokes();
        for _ in 0..ROUNDS {
            let troubled = self.troubled(&strokes);
            if troubled.is_empty() {
                break;
            }
            for run in troubled {
                self.runs[run].drawn = match self.runs[run].drawn {
                    Drawn::Exactly => Drawn::Simplified,
                    _ => Drawn::Plainly,
                };
            }
            strokes = self.strokes();
        }
        let border = |Stroke { from, to, face, .. }: Stroke| Border {
            from,
            to,
            face,
            cover: 0,
            block: 1,
            is_barrier: false,
        };
        strokes.into_iter().map(border).collect()
    }

    /// Gives a side without a line the line of both its neighbours, if they share one.
    fn fill_gaps(&self, sides: &mut [Side]) {
        let count = sides.len();
        for i in 0..count {
            let (before, after) = (sides[(i + count - 1) % count], sides[(i + 1) % count]);
            if sides[i].cause == Cause::Unknown && self.are_one(&before, &after) {
                sides[i].cause = before.cause;
            }
        }
    }

    /// True if two sides have one cause.
    fn are_one(&self, one: &Side, other: &Side) -> bool {
        match (one.cause, other.cause) {
            (Cause::Line(one), Cause::Line(line)) => {
                let places = [other.from, other.to].map(|corner| line.foot(self.corner(corner)));
                let off = |place: &Vec2| one.along.cross(*place - one.at).abs();
                one.along.dot(line.along) > 0.9 && places.iter().all(|place| off(place) <= SAME_LINE)
            }
            (Cause::Outside, Cause::Outside) => one.step() == other.step(),
            (Cause::Unknown, Cause::Unknown) => true,
            _ => false,
        }
    }

    /// Returns a corner of the lattice.
    fn corner(&self, corner: [i32; 2]) -> Vec2 {
        self.voxels.lattice.corner(corner).as_vec2()
    }

    /// Splits a loop into runs.
    fn add_loop(&mut self, sides: &[Side]) {
        let count = sides.len();
        let starts = |i: &usize| !self.are_one(&sides[(i + count - 1) % count], &sides[*i]);
        let first_run = self.runs.len();
        // The loop is entered where a run starts, so that no run is split by chance.
        let first = (0..count).find(starts).unwrap_or(0);
        let mut start = first;
        for end in first + 1..=first + count {
            if end < first + count && self.are_one(&sides[start % count], &sides[end % count]) {
                continue;
            }
            let run: Vec<Side> = (start..end).map(|i| sides[i % count]).collect();
            self.add_run(run);
            start = end;
        }
        if let Some(last) = self.runs.last_mut() {
            last.next = first_run;
        }
        if let [only] = &mut self.runs[first_run..] {
            // A loop along one line would go forth and back and enclose nothing.
            only.drawn = Drawn::Plainly;
        }
    }

    /// Adds a run. Where the chart ends, the side itself gives the line.
    fn add_run(&mut self, sides: Vec<Side>) {
        let line = match sides[0].cause {
            Cause::Line(line) => Some(line),
            Cause::Outside => {
                let [from, to] = [sides[0].from, sides[0].to].map(|corner| self.corner(corner));
                Some(Straight { at: from, along: (to - from).unit() })
            }
            Cause::Unknown => None,
        };
        let drawn = if line.is_some() { Drawn::Exactly } else { Drawn::Simplified };
        let next = self.runs.len() + 1;
        self.runs.push(Run { sides, line, drawn, next });
    }

    /// Draws all runs as they are to be drawn now.
    fn strokes(&self) -> Vec<Stroke> {
        let mut starts = vec![Point::default(); self.runs.len()];
        let mut ends = vec![Vec::new(); self.runs.len()];
        for (number, run) in self.runs.iter().enumerate() {
            let mut meeting = self.meeting(run, &self.runs[run.next]);
            if let Some(last) = meeting.pop() {
                starts[run.next] = last;
                ends[number] = meeting;
                ends[number].push(last);
            }
        }
        let mut strokes = Vec::new();
        for (number, run) in self.runs.iter().enumerate() {
            let mut at = starts[number];
            let mut add = |to: Point, face: u32| {
                if to != at {
                    strokes.push(Stroke { from: at, to, face, run: number });
                    at = to;
                }
            };
            let goal = ends[number].first().copied().unwrap_or_default();
            self.draw(run, starts[number], goal, &mut add);
            let face = run.sides[run.sides.len() - 1].face;
            ends[number].iter().for_each(|end| add(*end, face));
        }
        strokes
    }

    /// Draws a run from `start` towards `goal`. `add` receives the end of each stroke and its face.
    fn draw(&self, run: &Run, start: Point, goal: Point, add: &mut impl FnMut(Point, u32)) {
        match (run.line, run.drawn) {
            (Some(line), Drawn::Exactly) => self.draw_exactly(run, line, start, goal, add),
            (_, drawn) => {
                let corners: Vec<Point> =
                    run.sides.iter().map(|side| self.voxels.lattice.corner(side.from)).collect();
                // Half a unit keeps every corner but those on a straight line.
                let tolerance = if drawn == Drawn::Plainly { 0.5 } else { self.voxels.lattice.cell };
                let mut corners = corners;
                corners.push(self.voxels.lattice.corner(run.sides[run.sides.len() - 1].to));
                let mut kept = vec![0];
                simplify(&corners, 0, corners.len() - 1, tolerance, &mut kept);
                for pair in kept.windows(2) {
                    add(corners[pair[1]], run.sides[pair[0]].face);
                }
            }
        }
    }

    /// Draws a run along its line. A new stroke begins where the ground changes its slope.
    fn draw_exactly(
        &self,
        run: &Run,
        line: Straight,
        start: Point,
        goal: Point,
        add: &mut impl FnMut(Point, u32),
    ) {
        let soup = self.voxels.soup();
        let ahead = |at: Vec2| line.along.dot(at - line.at);
        let (mut reached, end) = (ahead(start.as_vec2()), ahead(goal.as_vec2()));
        let mut face = run.sides[0].face;
        for side in &run.sides[1..] {
            let places = [side.from, side.to].map(|corner| line.foot(self.corner(corner)));
            let is_same =
                |at: &Vec2| (soup.height_at(face, *at) - soup.height_at(side.face, *at)).abs() <= SAME_PLANE;
            if side.face == face || places.iter().all(is_same) {
                continue;
            }
            let at = ahead(places[0]);
            if at > reached + SAME_LINE && at < end - SAME_LINE {
                add(nearest(places[0]), face);
                reached = at;
            }
            face = side.face;
        }
        add(goal, face);
    }

    /// Returns the points at which one run passes into the next.
    fn meeting(&self, run: &Run, next: &Run) -> Vec<Point> {
        let corner = self.corner(next.sides[0].from);
        let far = FARTHEST * self.voxels.lattice.cell;
        let is_near = |at: &Vec2| at.distance(corner) <= far;
        let line = |run: &Run| run.line.filter(|_| run.drawn == Drawn::Exactly);
        let lines = [line(run), line(next)];
        if let [Some(one), Some(other)] = lines
            && let Some(at) = one.meeting(&other).filter(is_near)
        {
            return vec![nearest(at)];
        }
        let [here, there] = lines.map(|line| line.map(|line| line.foot(corner)).filter(is_near));
        let mut places = match (here, there) {
            // Lines that hardly turn go over into each other.
            (Some(here), Some(there)) if here.distance(there) <= SMOOTH * self.voxels.lattice.cell => {
                vec![here, there]
            }
            _ => vec![here.unwrap_or(corner), corner, there.unwrap_or(corner)],
        };
        places.dedup();
        places.into_iter().map(nearest).collect()
    }

    /// Returns the runs that cross others or go backwards, and can be drawn another way.
    fn troubled(&self, strokes: &[Stroke]) -> Vec<usize> {
        let mut troubled: Vec<usize> = Vec::new();
        let bins = BoxGrid::of(strokes.iter().map(|stroke| Box2::of(&[stroke.from, stroke.to])).collect());
        for (number, stroke) in (0u32..).zip(strokes) {
            let run = &self.runs[stroke.run];
            let way = stroke.to.as_vec2() - stroke.from.as_vec2();
            let is_backwards = run.line.is_some_and(|line| line.along.dot(way) < -0.5 * way.length());
            if run.drawn == Drawn::Exactly && run.sides[0].cause != Cause::Outside && is_backwards {
                troubled.push(stroke.run);
            }
            bins.each_touching(&Box2::of(&[stroke.from, stroke.to]), |other| {
                let across = &strokes[other as usize];
                if other > number && cross_properly(stroke.from, stroke.to, across.from, across.to) {
                    troubled.extend(self.weaker(stroke.run, across.run));
                }
            });
        }
        troubled.sort_unstable();
        troubled.dedup();
        troubled
    }

    /// Returns which of two runs that cross is to be drawn another way: the shorter, if it can be. A long line is
    /// hardly found by chance.
    ///
    /// `None` if one of them is where the chart ends: what crosses there lies beyond its ground.
    fn weaker(&self, one: usize, other: usize) -> Option<usize> {
        if [one, other].iter().any(|run| self.runs[*run].sides[0].cause == Cause::Outside) {
            return None;
        }
        let can_change = |run: &usize| self.runs[*run].drawn != Drawn::Plainly;
        [one, other].into_iter().filter(can_change).min_by_key(|run| (self.runs[*run].sides.len(), *run))
    }
}

/// Keeps corners of a chain, from `first` to `last`, so that it stays within `tolerance` (Douglas and Peucker 1973).
///
/// The chain may only grow to the right, so that what is blocked on its left stays blocked.
fn simplify(chain: &[Point], first: usize, last: usize, tolerance: f64, kept: &mut Vec<usize>) {
    let (from, to) = (chain[first].as_vec2(), chain[last].as_vec2());
    let off = |i: &usize| {
        let at = chain[*i].as_vec2();
        let distance = at.distance_to_segment(from, to);
        // A corner to the right of the chord would be cut off the blocked side: it counts as too far.
        let is_cut_off = (to - from).cross(at - from) < 0.0 && distance > 1.0;
        if is_cut_off { distance + tolerance } else { distance }
    };
    let farthest = (first + 1..last).max_by(|i, j| off(i).total_cmp(&off(j)));
    match farthest {
        Some(middle) if off(&middle) > tolerance => {
            simplify(chain, first, middle, tolerance, kept);
            simplify(chain, middle, last, tolerance, kept);
        }
        _ => kept.push(last),
    }
}

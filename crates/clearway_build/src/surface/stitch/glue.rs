//! Glues sheets that meet: along shared edges, across steps, and where one sheet was cut by the other.
//!
//! Edges that belong together lie on each other in projection, up to the rounding of points that only one of them
//! has. Exact matches are glued first. The rest is split at each other's vertices, or moved onto them where they are
//! a unit or two apart, and tried again. Gaps follow, from the narrowest on.
//!
//! Invariant: no move or split turns a triangle over. With more head-room than two steps no edge has two partners.
//! Cost: each round examines the rims that changed in the round before; the number of rounds is bounded by
//! `ROUNDS`.

use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::grid_rules::GridRules;
use crate::surface::report::summary::Spots;
use crate::surface::stitch::fabric::Fabric;
use crate::surface::stitch::rim_index::{RimsByEnds, RimsByPlace, extent};
use crate::surface::tolerances::soup::WELD;
use clearway_base::parallel::{picked, sort, sort_by_place};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::half_edges::{next, prev};
use clearway_geometry::predicates::{orient, width};
use clearway_geometry::{NONE, Point, Vec2};
use rayon::prelude::*;

use crate::surface::tolerances::glue::{OVERLAP, ROUNDS};
pub use clearway_nav::mesh::ROUNDING;

/// One end of a rim.
struct Vertex {
    /// Its point in the plane.
    at: Point,
    /// The height of the rim's face there, in grid units.
    height: f64,
    /// The rim that starts or ends there.
    rim: u32,
}

/// Selects the rims that are to meet.
#[derive(Clone, Copy)]
struct Scope<'p> {
    /// The greatest distance in grid units across which rims meet.
    reach: f64,
    /// Boxes outside of which no rim takes part; `None` for no limit.
    places: Option<&'p BoxGrid>,
}

/// The splits and moves that let edges and vertices meet.
struct Meetings<'a> {
    /// The greatest distance in grid units across which they meet.
    reach: f64,
    /// The points at which vertices of two sheets meet already, with their heights, sorted.
    met: &'a [(Point, i32)],
    /// Edges to split: the edge, the distance along it (scaled by its length), and the point.
    splits: Vec<(u32, i64, Point)>,
    /// Vertices to move: the old point, a half-edge that leaves it, the new point, and a half-edge that leaves the
    /// new point. If the vertex cannot move, the vertex of the last half-edge moves to the old point instead.
    moves: Vec<(Point, u32, Point, u32)>,
    /// Pairs of rims that would meet if no wall stood between them.
    hidden: Vec<[u32; 2]>,
}

impl Meetings<'_> {
    /// Creates an empty list.
    fn none(reach: f64, met: &[(Point, i32)]) -> Meetings<'_> {
        Meetings { reach, met, splits: Vec::new(), moves: Vec::new(), hidden: Vec::new() }
    }

    /// True if there is nothing to split and nothing to move.
    fn is_empty(&self) -> bool {
        self.splits.is_empty() && self.moves.is_empty()
    }

    /// True if two sheets meet at a point at about this height.
    fn is_met(&self, at: Point, height: f64, step: f64) -> bool {
        let first = self.met.partition_point(|met| met.0 < at);
        let mut here = self.met[first..].iter().take_while(|met| met.0 == at);
        here.any(|met| (f64::from(met.1) - height).abs() <= 2.0 * step + 2.0)
    }
}

/// Glues all sheets between which one can step.
pub struct Stitcher<'a> {
    /// The triangles of the scene on the grid.
    pub soup: &'a Soup,
    /// All faces of the soup by location.
    pub faces: &'a FaceBins,
    /// The sheets, glued further with every pass.
    pub fabric: Fabric,
    /// The greatest step, in grid units.
    pub step: f64,
    /// The head-room, in grid units.
    pub height: f64,
    /// The widest gap that is bridged, in grid units.
    pub gap: f64,
    /// The error of cuts that were drawn by voxels, in grid units; zero if all cuts are exact.
    pub drawn: f64,
    /// Edges that were parted again because the surface would fold.
    pub parted: Spots,
    /// The points that vertices moved to across gaps, and the corners of filled doorways.
    pub bridged: Vec<Point>,
    /// Gaps that were filled between walls.
    pub doorways: Spots,
    /// Vertices that were moved onto others.
    pub moved: Spots,
    /// The rims by their end points, to find matching ones.
    pub by_ends: RimsByEnds,
}

impl<'a> Stitcher<'a> {
    /// Makes a stitcher for the sheets of a soup, by the soup's rules.
    pub fn of(soup: &'a Soup, faces: &'a FaceBins, fabric: Fabric) -> Stitcher<'a> {
        let GridRules { limits, widest_gap, drawn, .. } = soup.rules;
        Stitcher {
            soup,
            faces,
            fabric,
            step: limits.step,
            height: limits.height,
            gap: widest_gap,
            drawn,
            parted: Spots::default(),
            bridged: Vec::new(),
            doorways: Spots::default(),
            moved: Spots::default(),
            by_ends: RimsByEnds::default(),
        }
    }
}

impl Stitcher<'_> {
    /// Glues everything that belongs together: first rims that lie on each other up to rounding, then rims across
    /// gaps.
    pub fn run(&mut self) {
        self.glue();
        self.cut_where_steps_grow();
        self.bring_together(Scope { reach: ROUNDING, places: None });
        // Folds are opened across bridged gaps before they are opened along exact seams.
        let exact = self.fabric.twin.clone();
        self.bridge_gaps();
        if self.drawn > self.gap {
            self.bring_together(Scope { reach: self.drawn, places: None });
        }
        self.unfold(&exact);
        self.fabric.sweep();
    }

    /// Lets rims meet across gaps, from the narrowest gap on, doubling. The nearest rims must meet first: the treads
    /// of a spiral stair may be narrower than a gap, and their corners would skip to a tread farther on.
    fn bridge_gaps(&mut self) {
        if self.gap <= ROUNDING {
            return;
        }
        let mut rims = self.rims_in(Scope { reach: self.gap, places: None });
        // One look with the full reach finds where anything can meet at all. All later rounds examine only these
        // boxes.
        let places: Vec<Box2> = self.meeting(&rims, self.gap, |e, found| {
            let is_place = !found.is_empty() || !found.hidden.is_empty();
            is_place.then(|| extent(&self.fabric, e).grown(self.gap.ceil() as i32))
        });
        if places.is_empty() {
            return;
        }
        let places = BoxGrid::of(places);
        let mut scope = Scope { reach: ROUNDING, places: Some(&places) };
        rims = rims.into_par_iter().filter(|e| self.is_among(*e, &places)).collect();
        while scope.reach < self.gap {
            scope.reach = (2.0 * scope.reach).min(self.gap);
            for _ in 0..ROUNDS {
                let seen = self.fabric.log.len();
                self.bring_those_together(rims.clone(), scope);
                self.refresh(&mut rims, seen, scope);
                let seen = self.fabric.log.len();
                let hidden: Vec<Vec<[u32; 2]>> =
                    self.meeting(&rims, scope.reach, |_, found| Some(found.hidden));
                if !self.bridge_doorways(hidden.concat()) {
                    break;
                }
                self.refresh(&mut rims, seen, scope);
            }
        }
        self.close_pinholes();
    }

    /// Updates a list of rims that was made when the log of the fabric had the length `seen`.
    fn refresh(&self, rims: &mut Vec<u32>, seen: usize, scope: Scope<'_>) {
        rims.extend(&self.fabric.log[seen..]);
        sort(rims);
        rims.dedup();
        rims.retain(|e| self.is_in(*e, scope));
    }

    /// Maps every rim through `make`, given the splits and moves that it needs to meet rims within `reach`. Leaves
    /// out `None`.
    fn meeting<T: Send>(
        &self,
        rims: &[u32],
        reach: f64,
        make: impl Fn(u32, Meetings<'_>) -> Option<T> + Sync,
    ) -> Vec<T> {
        let (rims, met) = (RimsByPlace::of(&self.fabric, rims.to_vec()), self.met(rims));
        let look = |e: &u32| make(*e, self.look_around(*e, &rims, Meetings::none(reach, &met)));
        rims.rims().par_iter().filter_map(look).collect()
    }

    /// True if a half-edge is a rim that may meet others. Beyond a cut there is no head-room, so cuts bridge no gap.
    fn is_in(&self, e: u32, Scope { reach, places }: Scope<'_>) -> bool {
        let is_gap = reach > ROUNDING && reach <= self.gap;
        self.fabric.is_rim(e)
            && !(is_gap && self.fabric.is_cut[e as usize])
            && places.is_none_or(|places| self.is_among(e, places))
    }

    /// All rims that belong to a scope.
    fn rims_in(&self, scope: Scope<'_>) -> Vec<u32> {
        let mut rims = self.rims();
        rims.retain(|e| self.is_in(*e, scope));
        rims
    }

    /// True if a rim touches one of the boxes.
    fn is_among(&self, rim: u32, places: &BoxGrid) -> bool {
        places.touches_any(&extent(&self.fabric, rim))
    }

    /// Lets the rims of a scope meet, and glues them.
    fn bring_together(&mut self, scope: Scope<'_>) {
        self.bring_those_together(self.rims_in(scope), scope);
    }

    /// As [`Self::bring_together`], for the given rims. After the first round only rims that changed, and their
    /// neighbours, are examined again: the others did not meet before and cannot now.
    fn bring_those_together(&mut self, rims: Vec<u32>, scope: Scope<'_>) {
        let all = RimsByPlace::of(&self.fabric, rims);
        let mut seen = self.fabric.log.len();
        let mut changed = self.meet_each_other(&all, scope.reach);
        for _ in 1..ROUNDS {
            if !changed {
                return;
            }
            self.glue();
            let belongs = |e: &u32| self.is_in(*e, scope);
            let restless = all.restless(&self.fabric, seen, scope.reach, belongs);
            seen = self.fabric.log.len();
            changed = self.meet_each_other(&RimsByPlace::of(&self.fabric, restless), scope.reach);
        }
        if changed {
            self.glue();
        }
    }

    /// True if a triangle is no wider than rounding may move a point.
    pub(crate) fn is_splinter(&self, triangle: u32) -> bool {
        width([0, 1, 2].map(|i| self.fabric.from(3 * triangle + i))) <= ROUNDING
    }

    /// All rims: the edges at which sheets end and that are not glued.
    pub(crate) fn rims(&self) -> Vec<u32> {
        picked(&self.fabric.rim, |rim| *rim != NONE)
    }

    /// The height of a rim's face at a grid point, in grid units.
    pub(crate) fn height(&self, e: u32, at: Point) -> f64 {
        self.height_beside(e, at.as_vec2())
    }

    /// The height of a rim's face at any point of the plane, in grid units. The face is extended as a plane.
    pub(crate) fn height_beside(&self, e: u32, at: Vec2) -> f64 {
        self.soup.height_at(self.fabric.rim[e as usize], at)
    }

    /// The height of the second rim above the first at both ends of the first.
    pub(crate) fn rises(&self, one: u32, other: u32) -> [f64; 2] {
        [self.fabric.from(one), self.fabric.to(one)].map(|at| self.height(other, at) - self.height(one, at))
    }

    /// Glues rims that run along each other exactly. Splitting one edge of a triangle gives another edge a new
    /// number; that edge has its turn in the next round.
    pub(crate) fn glue(&mut self) {
        for _ in 0..ROUNDS {
            if !self.glue_matching() {
                break;
            }
        }
    }

    /// Glues matching rims, the pairs with the lowest step first. Returns true if an edge was split, which renumbers
    /// rims and calls for another round.
    fn glue_matching(&mut self) -> bool {
        let before = self.fabric.len();
        let keyed = self.by_ends.changed(&self.fabric);
        let mut pairs: Vec<(f64, u32, u32)> = Vec::new();
        for run in keyed.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
            pairs.clear();
            for (i, (_, _, one)) in run.iter().enumerate() {
                for (_, _, other) in &run[i + 1..] {
                    if self.runs_along(*one, *other) {
                        let rise = self.rises(*one, *other).map(f64::abs);
                        pairs.push((rise[0].max(rise[1]), *one, *other));
                    }
                }
            }
            pairs.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
            for (rise, one, other) in &pairs {
                if !self.runs_along(*one, *other) {
                    continue;
                }
                // Rims that were cut at the step limit end there only up to rounding.
                if *rise <= self.step + ROUNDING {
                    self.fabric.glue(*one, *other);
                } else {
                    // The part of the rims that is low enough has its turn in the next round.
                    self.apply_splits(self.cuts_between(*one, *other).collect());
                }
            }
        }
        self.fabric.len() > before
    }

    /// True if two half-edges are both still rims, and have the same end points in opposite directions.
    fn runs_along(&self, one: u32, other: u32) -> bool {
        let fabric = &self.fabric;
        [one, other].iter().all(|e| fabric.rim[*e as usize] != NONE)
            && fabric.from(one) == fabric.to(other)
            && fabric.to(one) == fabric.from(other)
    }

    /// Splits edges at vertices of others within reach, and moves vertices that nearly meet. Returns true if anything
    /// changed.
    fn meet_each_other(&mut self, rims: &RimsByPlace, reach: f64) -> bool {
        let met = self.met(rims.rims());
        let none = || Meetings::none(reach, &met);
        let all = rims.rims().par_iter();
        let found: Vec<Meetings<'_>> = all.fold(none, |found, e| self.look_around(*e, rims, found)).collect();
        let (mut splits, mut moves) = (Vec::new(), Vec::new());
        for mut meetings in found {
            splits.append(&mut meetings.splits);
            moves.append(&mut meetings.moves);
        }
        let changed = self.apply_moves(moves, reach > ROUNDING);
        self.apply_splits(splits) || changed
    }

    /// Adds the splits and moves that let the other rims meet the ends of `e`.
    fn look_around<'m>(&self, e: u32, rims: &RimsByPlace, mut meetings: Meetings<'m>) -> Meetings<'m> {
        for at in [self.fabric.from(e), self.fabric.to(e)] {
            let vertex = Vertex { at, height: self.height(e, at), rim: e };
            let nearby = Box2 { min: at, max: at }.grown(meetings.reach.ceil() as i32);
            rims.bins.each_touching(&nearby, |place| {
                let other = rims.rims()[place as usize];
                if other != e {
                    self.compare(&vertex, other, &mut meetings);
                }
            });
        }
        meetings
    }

    /// The points where ends of rims of two sheets coincide, a step apart at most, with the lower height. Sorted by
    /// point.
    fn met(&self, rims: &[u32]) -> Vec<(Point, i32)> {
        let ends = |e: &u32| {
            let chart = self.fabric.chart[*e as usize / 3];
            [self.fabric.from(*e), self.fabric.to(*e)].map(|at| (at, self.height(*e, at) as i32, chart))
        };
        let mut ends = rims.par_iter().map(ends).collect::<Vec<[(Point, i32, u32); 2]>>().into_flattened();
        sort_by_place(&mut ends, |(at, ..)| *at);
        let is_met = |pair: &&[(Point, i32, u32)]| {
            let rise = f64::from(pair[1].1) - f64::from(pair[0].1);
            pair[0].0 == pair[1].0 && pair[0].2 != pair[1].2 && rise <= self.step + 1.0
        };
        ends.windows(2).filter(is_met).map(|pair| (pair[0].0, pair[0].1)).collect()
    }

    /// Adds the split or move that lets an edge meet a vertex, or the pair of rims if a wall is in the way.
    fn compare(&self, vertex: &Vertex, e: u32, meetings: &mut Meetings<'_>) {
        let (at, from, to) = (vertex.at, self.fabric.from(e), self.fabric.to(e));
        if at == from || at == to || (self.height(e, at) - vertex.height).abs() > self.step + 1.0 {
            return;
        }
        let (along, off) = (to - from, at - from);
        let length = along.length();
        let aside = along.cross(off) as f64 / length;
        let ahead = along.dot(off) as f64 / length;
        let is_close = aside.abs() <= ROUNDING;
        let is_drawn = |e: u32| self.fabric.is_cut[e as usize];
        if meetings.reach > self.gap.max(ROUNDING) && !is_drawn(vertex.rim) && !is_drawn(e) {
            return;
        }
        // Across a gap, only edges that face each other and run along each other meet.
        if aside.abs() > meetings.reach
            || (!is_close && (aside > OVERLAP.min(meetings.reach) || !self.faces(vertex.rim, e)))
        {
            return;
        }
        // Corners along one border stay where they are.
        let is_beside = is_close && meetings.reach > ROUNDING && !self.faces(vertex.rim, e);
        let reach = if is_beside { ROUNDING } else { meetings.reach };
        // One of two vertices that nearly meet moves: the one that meets no other sheet yet, or else the one with the
        // greater point. A fixed order keeps them from swapping.
        for (end, half_edge) in [(from, e), (to, next(e))] {
            if end.distance(at) <= reach {
                let rank = |at: Point| (!meetings.is_met(at, vertex.height, self.step), at);
                let is_open = self.is_free(vertex, end, e);
                if !is_open {
                    meetings.hidden.push([vertex.rim, e]);
                } else if rank(at) < rank(end) {
                    let other =
                        if self.fabric.from(vertex.rim) == at { vertex.rim } else { next(vertex.rim) };
                    meetings.moves.push((end, half_edge, at, other));
                }
                return;
            }
        }
        if ahead > 0.0 && ahead < length {
            let foot =
                if is_close { at } else { clearway_geometry::construct::along(from, to, ahead / length) };
            if self.is_free(vertex, foot, e) {
                meetings.splits.push((e, along.dot(off), foot));
            } else {
                meetings.hidden.push([vertex.rim, e]);
            }
        }
    }

    /// True if a rim runs against an edge, within about 37 degrees, and beside it for a quarter of the shorter one.
    pub(crate) fn faces(&self, rim: u32, e: u32) -> bool {
        let (a, b) = (self.fabric.from(rim), self.fabric.to(rim));
        let [rim, edge] = [rim, e].map(|e| self.fabric.to(e) - self.fabric.from(e));
        let length = edge.length();
        let [low, high] = [b, a].map(|at| edge.dot(at - self.fabric.from(e)) as f64 / length);
        let shared = high.min(length) - low.max(0.0);
        (rim.dot(edge) as f64) < -0.8 * rim.length() * length && shared > 0.25 * length.min(rim.length())
    }

    /// True if no upright face stands between a point on a rim and a point on another rim.
    pub(crate) fn is_open_across(&self, rim: u32, at: Point, place: Point) -> bool {
        self.is_open(&Vertex { at, height: self.height(rim, at), rim }, place)
    }

    /// True if a vertex may meet a point on another rim: nothing stands in its way, nor elsewhere between the two
    /// rims. The second test matters: a wall in the middle of a gap may end just short of where both floors end.
    fn is_free(&self, vertex: &Vertex, place: Point, e: u32) -> bool {
        vertex.at.distance(place) <= ROUNDING
            || (self.is_open(vertex, place) && !self.is_walled(vertex.rim, e))
    }

    /// True if no upright face stands between a vertex and a point across a gap. A vertex that touches a wall moves
    /// no farther than the weld distance: it would slide along the wall and past its end. Doorways are filled
    /// instead.
    fn is_open(&self, vertex: &Vertex, place: Point) -> bool {
        if vertex.at.distance(place) <= ROUNDING {
            return true;
        }
        let mut is_open = true;
        self.faces.others.each_touching(&Box2::of(&[vertex.at, place]), |face| {
            is_open &= !self.stands_between(face, vertex, place);
        });
        is_open && (vertex.at.distance(place) <= WELD || !self.touches_wall(vertex.at, place, vertex.height))
    }

    /// True if a face stands in the way of a vertex that moves to `place`: higher than a step, lower than the
    /// head-room.
    fn stands_between(&self, face: u32, vertex: &Vertex, place: Point) -> bool {
        let (low, high) = self.soup.heights(face);
        let [low, high] = [low, high].map(|height| f64::from(height) - vertex.height);
        if high <= self.step || low >= self.height {
            return false;
        }
        let corners = self.soup.corners(face).map(|corner| corner.at);
        [(0, 1), (1, 2), (2, 0)].into_iter().any(|(i, j)| {
            let [a, b] = [orient(vertex.at, place, corners[i]), orient(vertex.at, place, corners[j])];
            let [c, d] = [orient(corners[i], corners[j], vertex.at), orient(corners[i], corners[j], place)];
            // A vertex that moves along a line does not pass through it.
            let along = ROUNDING * corners[i].distance(corners[j]);
            let is_along = (c.abs() as f64) <= along && (d.abs() as f64) <= along;
            corners[i] != corners[j]
                && !is_along
                && a.signum() * b.signum() <= 0
                && c.signum() * d.signum() <= 0
        })
    }

    /// Moves vertices in a fixed order. Moves that an earlier one made void are skipped. Returns true if any vertex
    /// moved.
    fn apply_moves(&mut self, mut moves: Vec<(Point, u32, Point, u32)>, is_bridge: bool) -> bool {
        sort(&mut moves);
        moves.dedup();
        let mut changed = false;
        for (from, e, to, other) in moves {
            let chart = self.fabric.chart[e as usize / 3];
            let at = match () {
                () if chart == NONE || self.fabric.from(e) != from => continue,
                () if self.move_vertex(e, to) => to,
                () if self.fabric.from(other) == to && self.move_vertex(other, from) => from,
                () => continue,
            };
            self.moved.add(at, chart);
            if is_bridge {
                self.bridged.push(at);
            }
            changed = true;
        }
        changed
    }

    /// Splits a rim at a point just beyond another side of its triangle, within rounding.
    pub(crate) fn split_beside(&mut self, e: u32, at: Point) -> Option<u32> {
        let apex = self.fabric.from(prev(e)).as_vec2();
        let ends = [self.fabric.from(e), self.fabric.to(e)];
        let off = ends.map(|end| at.as_vec2().distance_to_segment(end.as_vec2(), apex));
        (off[0].min(off[1]) <= ROUNDING).then(|| self.fabric.split_beside(e, at)).flatten()
    }

    /// Moves a vertex, unless a passage would close. A passage is a glued edge from the vertex to the target point.
    fn move_vertex(&mut self, e: u32, at: Point) -> bool {
        let mut fan = Vec::new();
        if self.fabric.from(e).distance(at) > ROUNDING {
            self.fabric.fan(e, &mut fan);
        }
        let is_passage =
            |spoke: &u32| self.fabric.to(*spoke) == at && self.fabric.twin[*spoke as usize] != NONE;
        !fan.iter().any(is_passage) && !self.sweeps_wall(&fan, at) && self.fabric.move_vertex(e, at)
    }

    /// Splits rims at points, those of one rim in their order along it. Returns true if anything changed.
    pub(crate) fn apply_splits(&mut self, mut splits: Vec<(u32, i64, Point)>) -> bool {
        sort(&mut splits);
        splits.dedup();
        let mut changed = false;
        for run in splits.chunk_by(|p, q| p.0 == q.0) {
            let mut e = run[0].0;
            for (_, _, at) in run {
                // Splitting one edge of a triangle gives another edge a new number; that edge has its turn in the
                // next round.
                let is_gone = self.fabric.rim[e as usize] == NONE;
                if is_gone || *at == self.fabric.from(e) || *at == self.fabric.to(e) {
                    continue;
                }
                if let Some(rest) = self.fabric.split(e, *at).or_else(|| self.split_beside(e, *at)) {
                    e = rest;
                } else if self.is_splinter(e / 3) {
                    // The splinter is in the way of the floor behind it, and narrower than rounding may move a point.
                    self.fabric.peel(e);
                } else {
                    continue;
                }
                changed = true;
            }
        }
        changed
    }
}

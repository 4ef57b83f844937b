//! Explicit corridors: the free ground on both sides of a way along the medial axis, and paths inside them.
//!
//! Geraerts 2010 (Explicit Corridor Map). Events are the places where a nearest wall changes, each with its clearance and
//! its nearest points on the left and on the right. The shortest path inside the corridor, shrunk by a radius, is the
//! shortest one homotopic to the way: a path that leaves the corridor crosses the chord of an empty disc twice, and the
//! chord is shorter. So a string through the cells under the way, between discs around the corners, finds it. With a
//! preferred clearance the string is pulled between larger discs wherever these fit; elsewhere the path is the axis
//! itself. Cost: linear in the events and in the cells.

use crate::graph::Stretch;
use crate::lay;
use crate::roads::{Joint, RoadPath, Roads};
use clearway_geometry::Vec2;
use clearway_nav::path::{CorridorPlanner, cells_under};
use clearway_nav::{Location, NavMesh, Path, Piece};

/// The share by which discs of a preferred clearance are smaller: where a passage is just as wide, they would touch.
const LOOSER: f64 = 1e-9;

/// The step along parabolas; see `Arc::walk`. The walk strays from the axis by 0.4 % of the clearance.
const STEP: f64 = 0.125;

/// The greatest number of discs along one edge, however close they are asked for.
const MOST_DISCS: f64 = 65536.0;

/// A place on the axis where a nearest wall changes, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Its place in plan coordinates.
    pub at: [f64; 2],
    /// The clearance there.
    pub radius: f64,
    /// The nearest point on the left.
    pub left: [f64; 2],
    /// The nearest point on the right.
    pub right: [f64; 2],
}

/// The corridor around a way along the roads, from a start to a goal.
#[derive(Clone, Debug)]
pub struct Corridor {
    pub(crate) stretches: Vec<Stretch>,
    pub(crate) joints: [Joint; 2],
    pub(crate) ends: [Location; 2],
    events: Vec<Event>,
    width: f64,
    expansions: u32,
}

impl Roads {
    /// The corridor of a complete road path between its start and its goal; `None` for a path that is not theirs.
    pub fn corridor(&self, mesh: &NavMesh, ends: [Location; 2], path: &RoadPath) -> Option<Corridor> {
        let joints = [self.join(mesh, ends[0])?, self.join(mesh, ends[1])?];
        let is_theirs = |s: &Stretch| (s.arc as usize) < self.arcs.len();
        let fits = path.complete && path.stretches.iter().all(is_theirs);
        fits.then(|| self.corridor_along(path.stretches.clone(), joints, ends, path.expansions))
    }

    pub(crate) fn corridor_along(
        &self,
        stretches: Vec<Stretch>,
        joints: [Joint; 2],
        ends: [Location; 2],
        expansions: u32,
    ) -> Corridor {
        let mut events = Vec::with_capacity(2 * stretches.len());
        let mut width = f64::INFINITY;
        for s in &stretches {
            let arc = &self.arcs[s.arc as usize];
            width = width.min(arc.least([s.from, s.to]));
            let [left, right] = self.sides(s);
            for t in [s.from, s.to] {
                let at = arc.place(t);
                let foot = |site: [Vec2; 2]| self.skeleton().place(at.nearest_on(site[0], site[1]));
                let radius = arc.radius(t) * self.skeleton().unit();
                let event =
                    Event { at: self.skeleton().place(at), radius, left: foot(left.1), right: foot(right.1) };
                if events.last() != Some(&event) {
                    events.push(event);
                }
            }
        }
        Corridor { stretches, joints, ends, events, width: width * self.skeleton().unit(), expansions }
    }

    /// The sites on the left and on the right of a stretch as it is walked: their numbers and ends.
    fn sides(&self, s: &Stretch) -> [(u32, [Vec2; 2]); 2] {
        let arc = &self.arcs[s.arc as usize];
        let [left, right] = [0, 1].map(|side| (arc.edge.sides[side].0, arc.sites[side]));
        if s.from <= s.to { [left, right] } else { [right, left] }
    }
}

impl Corridor {
    /// The events from start to goal. The first is the retraction of the start, the last that of the goal.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Empty discs around places of the axis at most this many metres apart, as events. Together they are the corridor.
    pub fn discs(&self, roads: &Roads, apart: f64) -> Vec<Event> {
        let unit = roads.skeleton().unit();
        let mut discs = Vec::new();
        for s in &self.stretches {
            let arc = &roads.arcs[s.arc as usize];
            let length = arc.part_length([s.from, s.to]) * unit;
            // An edge of no length gives 0 / 0 where discs may touch.
            let count = (length / apart.max(0.0)).ceil().max(1.0).clamp(1.0, MOST_DISCS);
            let [left, right] = roads.sides(s);
            discs.extend((0..=count as u32).map(|i| {
                let t = s.from + (s.to - s.from) * f64::from(i) / count;
                let at = arc.place(t);
                let foot = |site: [Vec2; 2]| roads.skeleton().place(at.nearest_on(site[0], site[1]));
                let at = roads.skeleton().place(at);
                Event { at, radius: arc.radius(t) * unit, left: foot(left.1), right: foot(right.1) }
            }));
        }
        discs
    }

    /// The radius of the largest body that fits through, in metres, its start and its goal aside.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The corridor for a body: each nearest point moved towards the axis by the radius. `None` if the body does not fit
    /// through.
    pub fn shrunk(&self, radius: f64) -> Option<Vec<Event>> {
        let moved = |event: &Event, foot: [f64; 2]| {
            let share = if event.radius > 0.0 { radius / event.radius } else { 0.0 };
            [0, 1].map(|i| foot[i] + (event.at[i] - foot[i]) * share)
        };
        let shrink = |event: &Event| Event {
            left: moved(event, event.left),
            right: moved(event, event.right),
            radius: event.radius - radius,
            at: event.at,
        };
        (0.0..=self.width).contains(&radius).then(|| self.events.iter().map(shrink).collect())
    }

    /// The path of a body inside the corridor that keeps a preferred clearance wherever there is room for it. With a
    /// clearance up to the radius it is the shortest path in the corridor. `None` if the body does not fit.
    pub fn path(&self, roads: &Roads, mesh: &NavMesh, radius: f64, clearance: f64) -> Option<Path> {
        if !(0.0..f64::INFINITY).contains(&radius) {
            return None;
        }
        let kept = radius.max(clearance) / mesh.unit();
        let is_shortest = clearance.is_nan() || clearance <= radius;
        let (at, cell) = (self.joints[0].at, self.ends[0].cell().0);
        let mut pen = Pen { roads, mesh, pieces: Vec::new(), at, cell, strings: CorridorPlanner::new() };
        let groups = self.groups(roads, kept, is_shortest);
        let [entry, exit] = [0, 1].map(|end| self.entry(end, kept, is_shortest));
        pen.go(entry);
        let count = groups.len();
        for (number, (is_wide, walk)) in groups.into_iter().enumerate() {
            let end = walk.last().map_or(exit, |s| roads.arcs[s.arc as usize].place(s.to));
            let target = if is_wide && number + 1 == count { exit } else { end };
            let disc = if is_shortest { kept } else { kept * (1.0 - LOOSER) };
            if !pen.follow(&walk, target, is_wide.then_some(disc)) && is_shortest {
                return None;
            }
        }
        pen.go(exit);
        pen.go(self.joints[1].at);
        lay::path(mesh, self.ends, pen.pieces, radius, u64::from(self.expansions))
    }

    /// The walk in groups: with room for the clearance, or without.
    fn groups(&self, roads: &Roads, kept: f64, is_shortest: bool) -> Vec<(bool, Vec<Stretch>)> {
        if is_shortest {
            return vec![(true, self.stretches.clone())];
        }
        let mut groups: Vec<(bool, Vec<Stretch>)> = Vec::new();
        for s in &self.stretches {
            let arc = &roads.arcs[s.arc as usize];
            let mut stops = arc.crossings([s.from, s.to], kept);
            stops.push(s.to);
            let mut from = s.from;
            for to in stops {
                let is_wide = arc.radius(0.5 * (from + to)) >= kept;
                let part = Stretch { arc: s.arc, from, to };
                match groups.last_mut().filter(|group| group.0 == is_wide) {
                    Some(group) => group.1.push(part),
                    None => groups.push((is_wide, vec![part])),
                }
                from = to;
            }
        }
        groups
    }

    /// The place where the path of an end begins to keep its clearance: the end itself if it has it, or a place on
    /// its way to the axis.
    fn entry(&self, end: usize, kept: f64, is_shortest: bool) -> Vec2 {
        let joint = self.joints[end];
        if is_shortest || joint.clearance >= kept {
            return joint.at;
        }
        let way = joint.on_road - joint.foot;
        let length = way.length();
        if length <= kept { joint.on_road } else { joint.foot + way * (kept / length) }
    }
}

/// Draws the pieces of a path one after the other.
struct Pen<'a> {
    roads: &'a Roads,
    mesh: &'a NavMesh,
    pieces: Vec<Piece>,
    at: Vec2,
    /// The cell that holds the place.
    cell: u32,
    strings: CorridorPlanner,
}

impl Pen<'_> {
    fn go(&mut self, to: Vec2) {
        let pieces = lay::straight(self.mesh, &[self.at, to]);
        self.cell = cells_under(self.mesh, self.cell, &pieces).0.last().map_or(self.cell, |cell| cell.0);
        self.pieces.extend(pieces);
        self.at = to;
    }

    /// Follows a walk to a place: by a string between discs, or along the axis. Returns `false` if the string fails; then
    /// it follows the axis.
    fn follow(&mut self, walk: &[Stretch], to: Vec2, disc: Option<f64>) -> bool {
        let mut stations = vec![self.at];
        stations.extend(self.roads.stations(walk, STEP));
        stations.push(to);
        let axis = lay::straight(self.mesh, &stations);
        let (cells, portals) = cells_under(self.mesh, self.cell, &axis);
        let ends = [self.at, to];
        let string = disc.map(|disc| self.strings.pull(self.mesh, ends, (&cells, &portals), disc));
        let is_sound = !matches!(string, Some(None));
        let pieces = string.flatten().unwrap_or(axis);
        self.pieces.extend(pieces.into_iter().filter(|piece| piece.length() > 0.0));
        self.cell = cells.last().map_or(self.cell, |cell| cell.0);
        self.at = to;
        is_sound
    }
}

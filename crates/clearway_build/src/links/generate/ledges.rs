//! Leaps from the walls of a mesh to places beyond them.

use super::JumpRules;
use super::flight::{Flight, Obstacles};
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::{CellId, LinkKind, NavMesh};
use clearway_nav::query::Location;
use rayon::prelude::*;

/// Places along walls are no more than this many: on long walls they lie farther apart.
const MOST_SAMPLES: f64 = 400_000.0;

/// Bodies keep this far from walls beyond their radius, in metres, so that rounding does not matter.
const MARGIN: f64 = 2e-3;

/// Heights closer together than this are one, in metres.
const SAME_HEIGHT: f64 = 1e-3;

/// Ground of a cell may lie this far beyond its lowest and highest piece, in metres: its faces do not reach everywhere.
const LEVEL_SLACK: f64 = 0.5;

/// A place where a leap starts or ends, in grid units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub cell: u32,
    pub at: Vec2,
    /// In metres.
    pub height: f64,
}

impl Spot {
    pub fn new(mesh: &NavMesh, cell: u32, at: Vec2) -> Spot {
        Spot { cell, at, height: mesh.ground_height(cell, at) }
    }

    pub fn location(&self, mesh: &NavMesh) -> Location {
        Location::in_cell(CellId(self.cell), mesh.parts().grid.place(self.at))
    }

    pub fn in_space(&self, mesh: &NavMesh) -> [f64; 3] {
        mesh.in_space(self.cell, self.at)
    }

    /// Whether a body of this radius, in metres, can stand here.
    pub fn has_room(&self, mesh: &NavMesh, radius: f64) -> bool {
        mesh.clearance(self.location(mesh)).is_some_and(|clearance| clearance >= radius)
    }
}

/// A jump or a drop that is possible.
#[derive(Clone, Debug)]
pub(super) struct Leap {
    pub kind: LinkKind,
    pub from: Spot,
    pub to: Spot,
    /// In space, in metres.
    pub length: f64,
    /// How far from the middle of its wall it starts, as a share of the wall.
    pub aside: f64,
}

/// A place on a wall, with the direction away from the mesh.
struct Sample {
    cell: u32,
    at: Vec2,
    outward: Vec2,
    aside: f64,
}

/// All leaps from all walls, in the order of cells and sides.
pub(super) fn find(mesh: &NavMesh, obstacles: &Obstacles, rules: &JumpRules) -> Vec<Leap> {
    // Made once, before threads ask for them.
    mesh.graph();
    mesh.index();
    let levels = mesh.cells().map(|cell| mesh.height_range(cell.id()).unwrap_or_default()).collect();
    let finder = Finder { mesh, obstacles, rules, levels };
    samples(mesh, rules).par_iter().flat_map_iter(|sample| finder.leaps(sample)).collect()
}

/// Places on all walls, about a radius apart.
fn samples(mesh: &NavMesh, rules: &JumpRules) -> Vec<Sample> {
    let layout = mesh.graph();
    let walls = || {
        let cells = 0..mesh.cell_count() as u32;
        let sides = cells.flat_map(|cell| layout.sides(cell).map(move |side| (cell, side)));
        sides.filter(|(_, side)| layout.beyond[*side] == NONE)
    };
    let ends = |(cell, side): (u32, usize)| layout.ends(cell, side);
    let total: f64 = walls().map(ends).map(|[from, to]| from.distance(to)).sum();
    let step = (rules.radius.clamp(0.25, 1.0) / mesh.unit()).max(total / MOST_SAMPLES);
    let mut samples = Vec::new();
    // Short walls share samples.
    let mut carried = 0.0;
    for (cell, side) in walls() {
        let [from, to] = layout.ends(cell, side);
        let length = from.distance(to);
        carried += length;
        if length < 0.5 * step && carried < step {
            continue;
        }
        carried = 0.0;
        let count = (length / step).ceil().max(1.0);
        let outward = (to - from).perp().unit() * -1.0;
        for number in 0..count as u32 {
            let share = (f64::from(number) + 0.5) / count;
            let at = from + (to - from) * share;
            samples.push(Sample { cell, at, outward, aside: (share - 0.5).abs() });
        }
    }
    samples
}

struct Finder<'a> {
    mesh: &'a NavMesh,
    obstacles: &'a Obstacles,
    rules: &'a JumpRules,
    /// The heights of the lowest and the highest ground of each cell, in metres.
    levels: Vec<[f64; 2]>,
}

impl Finder<'_> {
    /// The nearest jump and the nearest drop from a place on a wall.
    fn leaps(&self, sample: &Sample) -> Vec<Leap> {
        let Some(from) = self.start(sample) else { return Vec::new() };
        let rules = self.rules;
        let mut found: Vec<Leap> = Vec::new();
        let reach = rules.drop_reach();
        let step = (0.5 * rules.radius).clamp(0.05, 0.25);
        let steps = (reach / step).ceil() as u32;
        for number in 0..=steps {
            let gap = (f64::from(number) * step).min(reach);
            for to in self.landings(sample, from.height, gap) {
                let leap = self.leap(sample, [from, to], gap, &found);
                found.extend(leap);
            }
            if found.len() == 2 {
                break;
            }
        }
        found
    }

    /// Where a body stands before it leaps; `None` where it has no room, or a wall stands before it.
    fn start(&self, sample: &Sample) -> Option<Spot> {
        let inset = (self.rules.radius + MARGIN) / self.mesh.unit();
        let at = sample.at - sample.outward * inset;
        let reach = self.mesh.sweep(sample.at, sample.cell, at, 0.0);
        if reach.wall.is_some() {
            return None;
        }
        let from = Spot::new(self.mesh, reach.end, at);
        // The upper half of the body must get beyond the edge, however it leaps.
        let half = self.rules.max_step.max(0.5 * self.rules.height);
        let stub = Flight {
            start: from.at,
            direction: sample.outward,
            length: 1.5 * inset,
            ends: [from.height; 2],
            width: self.rules.radius,
            knee: half,
            height: self.rules.height,
            hop: 0.0,
        };
        (from.has_room(self.mesh, self.rules.radius) && self.obstacles.is_free(&stub)).then_some(from)
    }

    /// The places where a body may land whose edge is `gap` metres away from the wall, the highest first; not those that
    /// lie too high or too low for any leap.
    fn landings(&self, sample: &Sample, height: f64, gap: f64) -> Vec<Spot> {
        let deepest = self.rules.jump_height.max(self.rules.drop_height);
        let is_level = |cell: &u32| {
            let [low, high] = self.levels[*cell as usize];
            low <= height + LEVEL_SLACK && high >= height - deepest - LEVEL_SLACK
        };
        let away = (gap + self.rules.radius + MARGIN) / self.mesh.unit();
        let at = sample.at + sample.outward * away;
        let cells = self.mesh.cells_holding(at).into_iter().filter(is_level);
        let mut spots: Vec<Spot> = cells.map(|cell| Spot::new(self.mesh, cell, at)).collect();
        spots.sort_by(|p, q| q.height.total_cmp(&p.height).then(p.cell.cmp(&q.cell)));
        spots.dedup_by(|p, q| (p.height - q.height).abs() < SAME_HEIGHT);
        spots
    }

    /// A leap between two places of a kind that was not found before: a jump if there is room for it, else a drop.
    fn leap(&self, sample: &Sample, [from, to]: [Spot; 2], gap: f64, found: &[Leap]) -> Option<Leap> {
        let rules = self.rules;
        let fall = from.height - to.height;
        // From lower to higher, the leap is found from the other end.
        if fall < -SAME_HEIGHT {
            return None;
        }
        let widest = rules.jump_distance.max(rules.radius.min(0.5));
        let can_jump = rules.jump_height > 0.0 && fall <= rules.jump_height + SAME_HEIGHT && gap <= widest;
        let can_drop = fall > rules.max_step && fall <= rules.drop_height + SAME_HEIGHT;
        let is_known = |kind: &LinkKind| found.iter().any(|leap| leap.kind == *kind);
        let is_new =
            if can_jump { !is_known(&LinkKind::Jump) } else { can_drop && !is_known(&LinkKind::Drop) };
        if !is_new || !to.has_room(self.mesh, rules.radius) {
            return None;
        }
        let flat = from.at.distance(to.at) * self.mesh.unit();
        let leap = |kind: LinkKind| Leap { kind, from, to, length: flat.hypot(fall), aside: sample.aside };
        let jump = can_jump.then(|| leap(LinkKind::Jump)).filter(|jump| self.is_free(jump, sample));
        let drop = || can_drop.then(|| leap(LinkKind::Drop)).filter(|drop| !is_known(&drop.kind));
        jump.or_else(|| drop().filter(|drop| self.is_free(drop, sample)))
    }

    fn is_free(&self, leap: &Leap, sample: &Sample) -> bool {
        let length = leap.from.at.distance(leap.to.at);
        let is_jump = leap.kind == LinkKind::Jump;
        self.obstacles.is_free(&Flight {
            start: leap.from.at,
            direction: sample.outward,
            length,
            ends: [leap.from.height, leap.to.height],
            width: self.rules.radius,
            knee: self.rules.max_step,
            height: self.rules.height,
            hop: if is_jump { HOP * length * self.mesh.unit() } else { 0.0 },
        })
    }
}

/// How high a jump rises above the higher of its ends, as a share of its length.
const HOP: f64 = 0.15;

//! Finds leaps from the walls of a mesh to landings beyond them.
//!
//! Walls are sampled about every radius. From each sample the nearest jump and the nearest drop straight away from the
//! wall are kept. Invariant: both ends of a leap have clearance for the body, and the way between them is free. Cost:
//! samples times steps, each a look-up of cells and triangles.

use super::JumpRules;
use super::flight::{Flight, Obstacles};
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::{CellId, LinkKind, NavMesh};
use clearway_nav::query::Location;
use rayon::prelude::*;

/// The most samples on all walls together. On very long walls samples lie farther apart; a larger value takes more
/// time.
const MOST_SAMPLES: f64 = 400_000.0;

/// Bodies keep this distance from walls beyond their radius, in metres, so that rounding to the grid does not matter.
const MARGIN: f64 = 2e-3;

/// Heights closer together than this are one, in metres. It lies above the grid unit of scenes, so that rounding does
/// not make a step.
const SAME_HEIGHT: f64 = 1e-3;

/// Ground of a cell may lie this far above its highest and below its lowest face, in metres: its faces do not reach
/// everywhere. It only widens a quick test; a smaller value might miss landings.
const LEVEL_SLACK: f64 = 0.5;

/// A point where a leap starts or ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The cell that holds it.
    pub cell: u32,
    /// The point of the plan, in grid units.
    pub at: Vec2,
    /// The height of the ground, in metres.
    pub height: f64,
}

impl Spot {
    /// Looks up the height of a point in a cell.
    pub fn new(mesh: &NavMesh, cell: u32, at: Vec2) -> Spot {
        Spot { cell, at, height: mesh.ground_height(cell, at) }
    }

    /// Returns the point as a location on the mesh.
    pub fn location(&self, mesh: &NavMesh) -> Location {
        Location::in_cell(CellId(self.cell), mesh.parts().grid.place(self.at))
    }

    /// Returns the point in the world.
    pub fn in_space(&self, mesh: &NavMesh) -> [f64; 3] {
        mesh.in_space(self.cell, self.at)
    }

    /// True if a body of this radius, in metres, can stand here.
    pub fn has_room(&self, mesh: &NavMesh, radius: f64) -> bool {
        mesh.clearance(self.location(mesh)).is_some_and(|clearance| clearance >= radius)
    }
}

/// A jump or a drop that is possible.
#[derive(Clone, Debug)]
pub(super) struct Leap {
    /// A jump or a drop.
    pub kind: LinkKind,
    /// The start; it is never lower than the end, up to `SAME_HEIGHT`.
    pub from: Spot,
    /// The landing.
    pub to: Spot,
    /// The length in space, in metres.
    pub length: f64,
    /// The distance of the start from the middle of its wall, as a share of the wall.
    pub aside: f64,
}

/// A point on a wall.
struct Sample {
    /// The cell of the wall.
    cell: u32,
    /// The point, in grid units.
    at: Vec2,
    /// The direction away from the mesh, one unit long.
    outward: Vec2,
    /// The distance from the middle of the wall, as a share of the wall.
    aside: f64,
}

/// Returns all leaps from all walls, in the order of cells and sides.
pub(super) fn find(mesh: &NavMesh, obstacles: &Obstacles, rules: &JumpRules) -> Vec<Leap> {
    // Both are made once here, before threads ask for them.
    mesh.graph();
    mesh.index();
    let levels = mesh.cells().map(|cell| mesh.height_range(cell.id()).unwrap_or_default()).collect();
    let finder = Finder { mesh, obstacles, rules, levels };
    samples(mesh, rules).par_iter().flat_map_iter(|sample| finder.leaps(sample)).collect()
}

/// Returns points on all walls, about a radius apart.
fn samples(mesh: &NavMesh, rules: &JumpRules) -> Vec<Sample> {
    let layout = mesh.graph();
    let walls = || {
        let cells = 0..mesh.cell_slots() as u32;
        let sides = cells.flat_map(|cell| layout.sides(cell).map(move |side| (cell, side)));
        sides.filter(|(_, side)| layout.beyond[*side] == NONE)
    };
    let ends = |(cell, side): (u32, usize)| layout.ends(cell, side);
    let total: f64 = walls().map(ends).map(|[from, to]| from.distance(to)).sum();
    let step = (rules.radius.clamp(0.25, 1.0) / mesh.unit()).max(total / MOST_SAMPLES);
    let mut samples = Vec::new();
    // Walls shorter than half a step share samples: the length of those without one is carried on to the next.
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

/// Finds the leaps of samples.
struct Finder<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The triangles of the scene.
    obstacles: &'a Obstacles,
    /// The abilities of the body.
    rules: &'a JumpRules,
    /// The heights of the lowest and the highest ground of each cell, in metres.
    levels: Vec<[f64; 2]>,
}

impl Finder<'_> {
    /// Returns the nearest jump and the nearest drop from a sample.
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

    /// Returns the point where a body stands before it leaps; `None` if there is too little clearance, or something
    /// stands before it.
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

    /// Returns the points where a body may land with its edge `gap` metres away from the wall, the highest first.
    /// Points that are too high or too low for any leap are left out.
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

    /// Returns a leap between two points: a jump if the way is free for it, else a drop. `None` if neither is possible,
    /// or such a leap was found before.
    fn leap(&self, sample: &Sample, [from, to]: [Spot; 2], gap: f64, found: &[Leap]) -> Option<Leap> {
        let rules = self.rules;
        let fall = from.height - to.height;
        // An upward leap is found from its other end: jumps lead both ways.
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

    /// True if the way of a leap is free.
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

/// The rise of a jump above the higher of its ends, as a share of its length. A larger value needs more head-room over
/// gaps; a smaller one lets bodies jump under beams that they would hit.
const HOP: f64 = 0.15;

//! The cost of straight moves: the integral of the local cost over the length.

use super::{Costs, sight};
use crate::mesh::{CellGraph, NavMesh};
use crate::path::roadmap::Weights;
use crate::path::search::Beams;
use crate::path::{Path, Piece};
use crate::query::Reach;
use crate::tolerances::lengths::ON_SIDE;
use crate::tolerances::shares::SAME_SHARE;
use clearway_geometry::Vec2;

/// Sample positions, as shares of a stretch, and their weights: Gauss-Legendre quadrature with three points. It
/// integrates polynomials up to degree five exactly.
const SAMPLES: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// The largest number of stretches into which a move is cut. More would follow a small shadow on a long move more
/// closely.
const MOST_STRETCHES: f64 = 64.0;

/// A point to keep away from, in grid units.
#[derive(Clone, Copy, Debug)]
struct Shadow {
    /// Its position.
    at: Vec2,
    /// The distance up to which it is felt.
    reach: f64,
    /// The factor right at its position.
    factor: f64,
}

/// The cost of a grid unit at each point of the mesh.
#[derive(Debug)]
pub(super) struct Rate<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// The cost of each cell; 1 for cells beyond the list.
    costs: &'a [f64],
    /// The points to keep away from that have an effect.
    shadows: Vec<Shadow>,
    /// The beams of sight of the watchers.
    seen: Option<Beams>,
    /// The factor in sight of a watcher.
    seen_factor: f64,
    /// The least cost of a grid unit anywhere.
    least: f64,
    /// The goals to which the rest of the way is estimated, in grid units.
    pub goals: Vec<Vec2>,
}

impl<'a> Rate<'a> {
    /// Prepares the costs of a query for a mesh.
    pub fn new(mesh: &'a NavMesh, asked: &'a Costs) -> Rate<'a> {
        let shadow = |avoid: &super::Avoid| Shadow {
            at: mesh.parts.grid.units(avoid.at.position),
            reach: avoid.reach / mesh.unit(),
            factor: avoid.factor,
        };
        let shadows =
            asked.avoid.iter().map(shadow).filter(|shadow| shadow.reach > 0.0 && shadow.factor > 1.0);
        let costs = &asked.cells[..asked.cells.len().min(mesh.cell_slots())];
        let rest = if costs.len() < mesh.cell_slots() { 1.0 } else { f64::INFINITY };
        let least = costs.iter().copied().fold(rest, f64::min);
        Rate {
            mesh,
            costs,
            shadows: shadows.collect(),
            seen: sight(mesh, &asked.unseen_from),
            seen_factor: asked.seen_factor,
            least: if least.is_finite() { least } else { 0.0 },
            goals: Vec::new(),
        }
    }

    /// Returns the cost of a grid unit in a cell, without shadows and watchers.
    fn base(&self, cell: u32) -> f64 {
        self.costs.get(cell as usize).copied().unwrap_or(1.0)
    }

    /// Returns the cost of a straight move within a cell.
    pub fn inside(&self, a: Vec2, b: Vec2, cell: u32) -> f64 {
        let length = a.distance(b);
        if length == 0.0 {
            return 0.0;
        }
        let plain = self.base(cell) * length;
        if self.shadows.is_empty() && self.seen.is_none() || !plain.is_finite() {
            return plain;
        }
        let at = |part: f64| a + (b - a) * part;
        let parts = self.seen.as_ref().map_or_else(Vec::new, |seen| seen.seen_parts(cell, a, b));
        let seen = parts.iter().map(|[from, to]| (to - from) * self.shade(at(*from), at(*to)));
        let extra: f64 = seen.sum::<f64>() * (self.seen_factor - 1.0);
        plain * (self.shade(a, b) + extra)
    }

    /// Returns the mean factor of a stretch because of the points to keep away from.
    fn shade(&self, a: Vec2, b: Vec2) -> f64 {
        let felt = |shadow: &&Shadow| shadow.at.distance_to_segment(a, b) < shadow.reach;
        let felt: Vec<&Shadow> = self.shadows.iter().filter(felt).collect();
        let narrowest = felt.iter().map(|shadow| shadow.reach).fold(f64::INFINITY, f64::min);
        if felt.is_empty() {
            return 1.0;
        }
        let count = (4.0 * a.distance(b) / narrowest).ceil().clamp(1.0, MOST_STRETCHES);
        let at = |place: Vec2| {
            let of = |shadow: &&Shadow| {
                let near = (1.0 - shadow.at.distance(place) / shadow.reach).max(0.0);
                1.0 + (shadow.factor - 1.0) * near
            };
            felt.iter().map(of).product::<f64>()
        };
        let mut sum = 0.0;
        for stretch in 0..count as u32 {
            for (part, weight) in SAMPLES {
                sum += weight * at(a + (b - a) * ((f64::from(stretch) + part) / count));
            }
        }
        sum / count
    }

    /// Returns the cost of a straight move that starts in a cell; infinite if a wall is in the way.
    pub fn across(&self, a: Vec2, cell: u32, b: Vec2) -> f64 {
        self.along(&self.mesh.sweep(a, cell, b, 0.0), a, b)
    }

    /// Returns the cost of a straight move of a body, with a radius in grid units, between points in cells.
    pub fn of_body(&self, (a, cell): (Vec2, u32), (b, last): (Vec2, u32), radius: f64) -> f64 {
        let reach = self.mesh.sweep(a, cell, b, radius);
        let cost = self.along(&reach, a, b);
        if !cost.is_finite() || reach.cells.contains(&last) {
            return cost;
        }
        // Where walls touch, a point belongs to cells between which no move leads.
        let mut around = Vec::new();
        self.mesh.cells_at(b, last, &mut around);
        if around.iter().any(|cell| reach.cells.contains(cell)) { cost } else { f64::INFINITY }
    }

    /// Returns the cost of a move whose cells are known.
    fn along(&self, reach: &Reach, a: Vec2, b: Vec2) -> f64 {
        if a == b {
            return 0.0;
        }
        if reach.wall.is_some() || reach.fraction < 1.0 {
            return f64::INFINITY;
        }
        let layout = self.mesh.graph();
        let part = |cell: &u32| part_inside(layout, *cell, a, b).map(|[from, to]| (from, to, *cell));
        let mut parts: Vec<(f64, f64, u32)> = reach.cells.iter().filter_map(part).collect();
        // Along a portal the cheaper cell counts.
        let order = |p: &(f64, f64, u32), q: &(f64, f64, u32)| {
            p.0.total_cmp(&q.0).then(self.base(p.2).total_cmp(&self.base(q.2))).then(p.2.cmp(&q.2))
        };
        parts.sort_unstable_by(order);
        let (mut done, mut sum) = (0.0, 0.0);
        for (from, to, cell) in parts {
            let from = f64::max(from, done);
            // Rounding must not make a move through a forbidden cell free, nor charge a move that only passes by such a
            // cell.
            if to - from > SAME_SHARE {
                sum += self.inside(a + (b - a) * from, a + (b - a) * to, cell);
                done = to;
            }
        }
        sum
    }

    /// Returns the cost of a path in metres; its start lies in `cell`.
    pub fn cost_of(&self, path: &Path, cell: u32) -> f64 {
        let mut cell = cell;
        let mut sum = 0.0;
        for piece in &path.pieces {
            let (points, length) = stretches(piece);
            let chords: f64 = points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
            // Chords are shorter than their arcs, so their cost is scaled up.
            let stretch = if chords > 0.0 { length / chords } else { 1.0 };
            for pair in points.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|place| self.mesh.parts.grid.units(place));
                sum += self.across_from(a, &mut cell, b) * stretch;
            }
        }
        sum * self.mesh.unit()
    }

    /// Returns the cost of a move; `cell` becomes the cell in which it ends.
    fn across_from(&self, a: Vec2, cell: &mut u32, b: Vec2) -> f64 {
        let cost = self.across(a, *cell, b);
        *cell = self.mesh.sweep(a, *cell, b, 0.0).end;
        cost
    }
}

impl Weights for Rate<'_> {
    fn cost(&self, a: Vec2, b: Vec2, cell: u32) -> f64 {
        self.inside(a, b, cell)
    }

    fn cost_across(&self, a: Vec2, b: Vec2, cell: u32) -> f64 {
        self.across(a, cell, b)
    }

    fn rest(&self, at: Vec2) -> f64 {
        let far = self.goals.iter().map(|goal| goal.distance(at)).fold(f64::INFINITY, f64::min);
        if far.is_finite() { self.least * far } else { 0.0 }
    }
}

/// Returns the points of a piece, with chords for arcs, and its true length.
fn stretches(piece: &Piece) -> (Vec<[f64; 2]>, f64) {
    match *piece {
        Piece::Segment { from, to } | Piece::Link { from, to, .. } => (vec![from, to], distance(from, to)),
        Piece::Arc { center, from, to, turn } => {
            let radius = distance(center, from);
            let steps = (turn.abs() * 8.0).ceil().clamp(1.0, 64.0);
            let offset = [from[0] - center[0], from[1] - center[1]];
            let mut points = vec![from];
            for step in 1..steps as u32 {
                let (sin, cos) = (turn * f64::from(step) / steps).sin_cos();
                let [x, y] = offset;
                points.push([center[0] + x * cos - y * sin, center[1] + x * sin + y * cos]);
            }
            points.push(to);
            (points, radius * turn.abs())
        }
    }
}

/// Returns the distance of two points of the plan.
fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Returns the first and last share of a segment that lie in a cell.
fn part_inside(layout: &CellGraph, cell: u32, a: Vec2, b: Vec2) -> Option<[f64; 2]> {
    let mut part = [0.0f64, 1.0];
    for side in layout.sides(cell) {
        let [from, to] = layout.ends(cell, side);
        let along = to - from;
        let slack = ON_SIDE * layout.extent * (along.x.abs() + along.y.abs());
        let [before, after] = [a, b].map(|end| along.cross(end - from));
        if before < -slack && after < -slack {
            return None;
        }
        if before < -slack {
            part[0] = part[0].max(before / (before - after));
        } else if after < -slack {
            part[1] = part[1].min(before.max(0.0) / (before.max(0.0) - after));
        }
    }
    (part[0] < part[1]).then_some(part)
}

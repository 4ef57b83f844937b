//! Chooses where to go as long as the path is not known.
//!
//! The thesis, section 3.1: take the edge that points most in the direction of the goal, and leave out what was visited
//! during the guessed walk. Edges are the portals of the present cell here. A portal may be used again, but only if all
//! others were used at least as often. So the body leaves a dead end by the least used way, comes to every portal in
//! time, and circles nowhere.

use super::track::distance;
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::{CellId, NavMesh};
use clearway_nav::query::Location;
use std::collections::BTreeMap;

/// The memory of a walk by guesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Ramble {
    /// The number of uses of each portal.
    uses: BTreeMap<u32, u32>,
    /// The last step, until it is interrupted.
    last: Option<Step>,
}

/// A step through a portal.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The portal.
    portal: u32,
    /// The cell beyond it.
    beyond: u32,
    /// The point on it to walk to, in plan coordinates.
    aim: [f64; 2],
}

/// A portal that could come next.
struct Choice {
    /// The step through it.
    step: Step,
    /// The ends of the portal, in plan coordinates.
    ends: [[f64; 2]; 2],
    /// The number of its uses so far.
    uses: u32,
    /// The cosine of the angle between the direction to the portal and the direction to the goal.
    agreement: f64,
}

impl Ramble {
    /// Returns the points to walk to, straight and one after the other: the goal if possible, else a point on a portal.
    /// `None` where nothing leads on.
    pub fn next(
        &mut self,
        mesh: &NavMesh,
        at: Location,
        goal: Location,
        radius: f64,
    ) -> Option<Vec<[f64; 2]>> {
        let cell = self.last.map_or(at.cell().0, |step| step.beyond);
        let body = Body { mesh, at, radius, cell };
        // In the goal's own cell a detour around a corner may do where a straight move fails.
        let is_near = cell == goal.cell().0;
        if is_free(mesh, at, goal.position(), radius) {
            return Some(vec![goal.position()]);
        }
        if let Some(places) = Some(goal.position()).filter(|_| is_near).and_then(|goal| body.way_to(goal)) {
            return Some(places);
        }
        let (step, places) = self.choose(&body, goal.position())?;
        *self.uses.entry(step.portal).or_default() += 1;
        self.last = Some(step);
        Some(places)
    }

    /// Notes that the walk to the last portal ended elsewhere. The portal counts as used, but the body is not beyond
    /// it.
    pub fn interrupt(&mut self) {
        self.last = None;
    }

    /// Returns the number of uses of the most used portal.
    #[cfg(test)]
    pub fn most_uses(&self) -> u32 {
        self.uses.values().copied().max().unwrap_or(0)
    }

    /// Chooses the least used portal that can be reached; of equals the one that agrees best with the direction to the
    /// goal.
    fn choose(&self, body: &Body<'_>, goal: [f64; 2]) -> Option<(Step, Vec<[f64; 2]>)> {
        let mut choices = self.choices(body.mesh, body.cell, body.at.position(), goal);
        choices.sort_by(|p, q| {
            let order = p.uses.cmp(&q.uses).then(q.agreement.total_cmp(&p.agreement));
            order.then(p.step.portal.cmp(&q.step.portal))
        });
        choices.into_iter().find_map(|choice| body.step_through(choice, goal))
    }

    /// Returns the portals of a cell as choices.
    fn choices(&self, mesh: &NavMesh, cell: u32, here: [f64; 2], goal: [f64; 2]) -> Vec<Choice> {
        let layout = mesh.graph();
        if cell as usize >= layout.cell_slots() {
            return Vec::new();
        }
        let portals = layout.sides(cell).filter(|side| layout.beyond[*side] != NONE);
        let choice = |side: usize| {
            let ends = layout.ends(cell, side).map(|end| mesh.parts().grid.place(end));
            let portal = mesh.parts().sides[side].portal;
            let aim = aim(here, goal, ends, 0.0);
            let [way, whole] = [aim, goal].map(|to| Vec2::new(to[0] - here[0], to[1] - here[1]));
            let outward = -Vec2::new(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]).perp();
            // On the portal itself, only its outward direction shows where it leads.
            let way = if way.length() > 1e-6 * whole.length() { way } else { outward };
            let step = Step { portal, beyond: layout.beyond[side], aim };
            let uses = self.uses.get(&portal).copied().unwrap_or(0);
            Choice { step, ends, uses, agreement: way.unit().dot(whole.unit()) }
        };
        portals.map(choice).collect()
    }
}

/// A body in a cell.
struct Body<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// Its location.
    at: Location,
    /// Its radius in metres.
    radius: f64,
    /// Its cell; beyond the last portal even if the location still names the cell before.
    cell: u32,
}

impl Body<'_> {
    /// Returns the step through a portal, at a point of it that can be reached, and the way there.
    fn step_through(&self, choice: Choice, goal: [f64; 2]) -> Option<(Step, Vec<[f64; 2]>)> {
        let [a, b] = choice.ends;
        let between = |part: f64| [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part);
        let kept = aim(self.at.position(), goal, choice.ends, self.radius);
        let others = [0.5, 0.25, 0.75, 0.125, 0.875].map(between);
        let aims = [choice.step.aim, kept].into_iter().chain(others);
        let places =
            aims.clone().find(|aim| is_free(self.mesh, self.at, *aim, self.radius)).map(|aim| vec![aim]);
        let places = places.or_else(|| aims.into_iter().find_map(|aim| self.way_to(aim)))?;
        Some((Step { aim: places.last().copied()?, ..choice.step }, places))
    }

    /// Returns a way to a point of the cell that cannot be reached straight: by points farther inside, or along walls.
    fn way_to(&self, to: [f64; 2]) -> Option<Vec<[f64; 2]>> {
        let (mesh, radius) = (self.mesh, self.radius);
        let (here, middle) = (self.at.position(), self.middle()?);
        // Portals in one line have a wall between them: go away from it, along it, and back.
        let beside = [2.0, 1.05].map(|part| [here, to].map(|place| self.inside(place, part * radius)));
        let ways =
            [vec![middle, to], vec![beside[0][0], beside[0][1], to], vec![beside[1][0], beside[1][1], to]];
        if let Some(way) = ways.into_iter().find(|way| self.can_walk(way)) {
            return Some(way);
        }
        // This comes last: in small steps it is slow where the body runs into a corner head-on.
        let slid = mesh.move_along(self.at, to, radius);
        let has_come = distance(slid.position(), to) <= 1e-4 * radius + 64.0 * mesh.unit();
        has_come.then(|| vec![to])
    }

    /// True if it can move straight from point to point.
    fn can_walk(&self, way: &[[f64; 2]]) -> bool {
        let step = |at: Location, to: &[f64; 2]| {
            let hit = self.mesh.raycast(at, *to, self.radius)?;
            hit.reached().then_some(hit.at)
        };
        way.iter().try_fold(self.at, step).is_some()
    }

    /// Returns a point moved away from each side of the cell that is nearer than `depth` metres.
    fn inside(&self, place: [f64; 2], depth: f64) -> [f64; 2] {
        let (mesh, layout) = (self.mesh, self.mesh.graph());
        let (mut spot, depth) = (mesh.parts().grid.units(place), depth / mesh.unit());
        for side in layout.sides(self.cell) {
            let [from, to] = layout.ends(self.cell, side);
            let inward = (to - from).perp().unit();
            let lack = depth - inward.dot(spot - from);
            spot = if lack > 0.0 { spot + inward * lack } else { spot };
        }
        mesh.parts().grid.place(spot)
    }

    /// Returns the mean of the corners of the cell.
    fn middle(&self) -> Option<[f64; 2]> {
        let corners = self.mesh.cell(CellId(self.cell))?.outline();
        let count = corners.len() as f64;
        let sum = corners.fold([0.0; 2], |sum, corner| [sum[0] + corner[0], sum[1] + corner[1]]);
        Some(sum.map(|total| total / count))
    }
}

/// Returns the point where the line to the goal crosses the line through a portal, clamped to the portal and `margin`
/// metres away from its ends.
fn aim(here: [f64; 2], goal: [f64; 2], [a, b]: [[f64; 2]; 2], margin: f64) -> [f64; 2] {
    let vector = |from: [f64; 2], to: [f64; 2]| Vec2::new(to[0] - from[0], to[1] - from[1]);
    let (whole, along) = (vector(here, goal), vector(a, b));
    let across = whole.cross(along);
    let part = whole.cross(vector(a, here)) / across;
    let least = (margin / distance(a, b)).min(0.5);
    let part = if part.is_finite() { part.clamp(least, 1.0 - least) } else { 0.5 };
    [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
}

/// True if the body can move straight to a point.
pub(super) fn is_free(mesh: &NavMesh, at: Location, to: [f64; 2], radius: f64) -> bool {
    mesh.raycast(at, to, radius).is_some_and(|hit| hit.reached())
}

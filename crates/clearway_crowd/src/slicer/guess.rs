//! Where to go as long as the path is not known.
//!
//! The thesis, section 3.1: take the edge that points most in the direction of the goal and leave out what was
//! visited during the guessed walk. Edges are the portals of the present cell here. A portal that was used may be
//! used again, but only where all others were used at least as often: out of a dead end it goes the way least used,
//! and so it comes to every portal in time and circles nowhere.

use super::track::distance;
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::{CellId, NavMesh};
use clearway_nav::query::Location;
use std::collections::BTreeMap;

/// What a body remembers of a walk by guesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Ramble {
    /// How often each portal was used.
    uses: BTreeMap<u32, u32>,
    /// The portal it last walked to, the place there, and the cell beyond.
    last: Option<Step>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    portal: u32,
    beyond: u32,
    aim: [f64; 2],
}

/// A portal that could come next.
struct Choice {
    step: Step,
    ends: [[f64; 2]; 2],
    uses: u32,
    /// The cosine between the direction to the portal and that to the goal.
    agreement: f64,
}

impl Ramble {
    /// The places to walk to straight, one after the other, from where the body is: the goal if that can be done,
    /// else a place on a portal. `None` where nothing leads on.
    pub fn next(
        &mut self,
        mesh: &NavMesh,
        at: Location,
        goal: Location,
        radius: f64,
    ) -> Option<Vec<[f64; 2]>> {
        let cell = self.last.map_or(at.cell().0, |step| step.beyond);
        let body = Body { mesh, at, radius, cell };
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

    /// The walk to the last portal ended elsewhere: it counts as used, but the body is not beyond it.
    pub fn interrupt(&mut self) {
        self.last = None;
    }

    /// How often the most used portal was used.
    #[cfg(test)]
    pub fn most_uses(&self) -> u32 {
        self.uses.values().copied().max().unwrap_or(0)
    }

    fn choose(&self, body: &Body<'_>, goal: [f64; 2]) -> Option<(Step, Vec<[f64; 2]>)> {
        let mut choices = self.choices(body.mesh, body.cell, body.at.position(), goal);
        choices.sort_by(|p, q| {
            let order = p.uses.cmp(&q.uses).then(q.agreement.total_cmp(&p.agreement));
            order.then(p.step.portal.cmp(&q.step.portal))
        });
        choices.into_iter().find_map(|choice| body.step_through(choice, goal))
    }

    /// The portals of a cell.
    fn choices(&self, mesh: &NavMesh, cell: u32, here: [f64; 2], goal: [f64; 2]) -> Vec<Choice> {
        let layout = mesh.graph();
        if cell as usize >= layout.cell_count() {
            return Vec::new();
        }
        let portals = layout.sides(cell).filter(|side| layout.beyond[*side] != NONE);
        let choice = |side: usize| {
            let ends = layout.ends(cell, side).map(|end| mesh.parts().grid.place(end));
            let portal = mesh.parts().sides[side].portal;
            let aim = aim(here, goal, ends, 0.0);
            let [way, whole] = [aim, goal].map(|to| Vec2::new(to[0] - here[0], to[1] - here[1]));
            let outward = -Vec2::new(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]).perp();
            // On the portal itself only its outward direction tells where it leads.
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
    mesh: &'a NavMesh,
    at: Location,
    radius: f64,
    cell: u32,
}

impl Body<'_> {
    /// The step through a portal, at a place of it that can be reached, and the way there.
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

    /// A way to a place of the cell that cannot be reached straight: by places farther inside,
    /// or along walls.
    fn way_to(&self, to: [f64; 2]) -> Option<Vec<[f64; 2]>> {
        let (mesh, radius) = (self.mesh, self.radius);
        let (here, middle) = (self.at.position(), self.middle()?);
        // Portals in one line have a wall between them: away from it, along it, and back.
        let beside = [2.0, 1.05].map(|part| [here, to].map(|place| self.inside(place, part * radius)));
        let ways =
            [vec![middle, to], vec![beside[0][0], beside[0][1], to], vec![beside[1][0], beside[1][1], to]];
        if let Some(way) = ways.into_iter().find(|way| self.can_walk(way)) {
            return Some(way);
        }
        // Last, since in small steps it is slow where it runs into a corner head-on.
        let slid = mesh.move_along(self.at, to, radius);
        let has_come = distance(slid.position(), to) <= 1e-4 * radius + 64.0 * mesh.unit();
        has_come.then(|| vec![to])
    }

    /// Whether it can move straight from place to place.
    fn can_walk(&self, way: &[[f64; 2]]) -> bool {
        let step = |at: Location, to: &[f64; 2]| {
            let hit = self.mesh.raycast(at, *to, self.radius)?;
            hit.reached().then_some(hit.at)
        };
        way.iter().try_fold(self.at, step).is_some()
    }

    /// A place of the cell moved away from each side that is nearer than `depth`.
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

    /// The mean of the corners of the cell.
    fn middle(&self) -> Option<[f64; 2]> {
        let corners = self.mesh.cell(CellId(self.cell))?.outline();
        let count = corners.len() as f64;
        let sum = corners.fold([0.0; 2], |sum, corner| [sum[0] + corner[0], sum[1] + corner[1]]);
        Some(sum.map(|total| total / count))
    }
}

/// Where the line to the goal crosses that through a portal, moved to the portal and `margin` away from its ends.
fn aim(here: [f64; 2], goal: [f64; 2], [a, b]: [[f64; 2]; 2], margin: f64) -> [f64; 2] {
    let vector = |from: [f64; 2], to: [f64; 2]| Vec2::new(to[0] - from[0], to[1] - from[1]);
    let (whole, along) = (vector(here, goal), vector(a, b));
    let across = whole.cross(along);
    let part = whole.cross(vector(a, here)) / across;
    let least = (margin / distance(a, b)).min(0.5);
    let part = if part.is_finite() { part.clamp(least, 1.0 - least) } else { 0.5 };
    [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
}

/// Whether the body can move straight to a place.
pub(super) fn is_free(mesh: &NavMesh, at: Location, to: [f64; 2], radius: f64) -> bool {
    mesh.raycast(at, to, radius).is_some_and(|hit| hit.reached())
}

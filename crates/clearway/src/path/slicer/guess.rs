//! Where to go as long as the path is not known.
//!
//! The thesis, section 3.1: take the edge that points most in the direction of the goal and leave out what was
//! visited during the guessed walk. Edges are the portals of the present cell here. A portal that was used may be
//! used again, but only where all others were used at least as often: out of a dead end it goes the way least used,
//! and so it comes to every portal in time and circles nowhere.

use super::track::distance;
use crate::mesh::NavMesh;
use crate::query::Location;
use clearway_geometry::{NONE, Vec2};
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
    /// The next place to walk to straight from where the body is: the goal if nothing is in between, else a place
    /// on a portal. `None` where nothing leads on.
    pub fn next(&mut self, mesh: &NavMesh, at: Location, goal: [f64; 2], radius: f64) -> Option<[f64; 2]> {
        if is_free(mesh, at, goal, radius) {
            return Some(goal);
        }
        let step = self.choose(mesh, at, goal, radius)?;
        *self.uses.entry(step.portal).or_default() += 1;
        self.last = Some(step);
        Some(step.aim)
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

    fn choose(&self, mesh: &NavMesh, at: Location, goal: [f64; 2], radius: f64) -> Option<Step> {
        let here = at.position();
        let cell = self.last.map_or(at.cell().0, |step| step.beyond);
        let mut choices = self.choices(mesh, cell, here, goal);
        choices.sort_by(|p, q| {
            let order = p.uses.cmp(&q.uses).then(q.agreement.total_cmp(&p.agreement));
            order.then(p.step.portal.cmp(&q.step.portal))
        });
        choices.into_iter().find_map(|choice| passable(mesh, at, goal, radius, choice))
    }

    /// The portals of a cell.
    fn choices(&self, mesh: &NavMesh, cell: u32, here: [f64; 2], goal: [f64; 2]) -> Vec<Choice> {
        let layout = mesh.layout();
        if cell as usize >= layout.cell_count() {
            return Vec::new();
        }
        let portals = layout.sides(cell).filter(|side| layout.beyond[*side] != NONE);
        let choice = |side: usize| {
            let ends = layout.ends(cell, side).map(|end| mesh.grid.place(end));
            let portal = mesh.sides[side].portal;
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

/// The step through a portal, at a place of it that can be reached straight.
fn passable(mesh: &NavMesh, at: Location, goal: [f64; 2], radius: f64, choice: Choice) -> Option<Step> {
    let [a, b] = choice.ends;
    let between = |part: f64| [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part);
    let kept = aim(at.position(), goal, choice.ends, radius);
    let aims = [choice.step.aim, kept, between(0.5), between(0.25), between(0.75)];
    let aim = aims.into_iter().find(|aim| is_free(mesh, at, *aim, radius))?;
    Some(Step { aim, ..choice.step })
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

//! Path reconstruction: from the end of a search to pieces, to the cells below them, and to a check against walls.
//!
//! Roots are followed back from the goal to the start. The walk through the cells is done anew on the finished path, so
//! that it does not depend on how the search got there. It costs O(n) for each cell of n sides on the way.

use super::engine::{Found, State};
use super::scratch::{Root, SearchSpace};
use crate::mesh::{CellGraph, CellId, NavMesh, PortalId};
use crate::path::{Path, Piece};
use crate::tolerances::angles::NOT_AHEAD;
use crate::tolerances::lengths::{LEG_TO_WALL, ON_SIDE, WALKED_PLACE};
use crate::tolerances::shares::SAME_SHARE;
use crate::tolerances::slacks::{AT_END, AT_PLACE};
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};

/// A straight stretch of a path in grid units, and the turn before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// Its start.
    pub from: Vec2,
    /// Its end.
    pub to: Vec2,
    /// The corner around which the body turned before, and the angle in radians, positive to the left.
    turn: Option<(Vec2, f64)>,
    /// The sense of that turn: +1 to the left, -1 to the right.
    hand: f64,
    /// The cell in which it ends.
    cell: u32,
}

/// Returns the legs from the start to the goal, in order.
pub(super) fn legs(space: &SearchSpace, found: &Found, radius: f64) -> Vec<Leg> {
    let mut legs = Vec::new();
    let (mut number, mut direction) = (found.root, found.direction);
    let goal = space.goals[found.goal as usize];
    let (mut to, mut cell) = (goal.at, goal.cell);
    while let Some(root) = space.roots.get(number as usize) {
        let turn = (root.parent != NONE).then(|| (root.at, turn_of(root, direction, radius)));
        let from = if radius > 0.0 { root.origin(direction, radius) } else { root.at };
        legs.push(Leg { from, to, turn, hand: root.turn, cell });
        to = if radius > 0.0 { root.origin(root.arrival, radius) } else { root.at };
        (number, direction, cell) = (root.parent, root.arrival, root.cell);
    }
    legs.reverse();
    legs
}

/// Returns the angle of the turn at a root, positive to the left; 0 for a point.
fn turn_of(root: &Root, direction: Vec2, radius: f64) -> f64 {
    if radius > 0.0 { root.turned(direction) * root.turn } else { 0.0 }
}

/// The thing that a leg comes too close to.
pub(super) enum Intruder {
    /// A vertex, its position, and a cell near it.
    Vertex(u32, Vec2, u32),
    /// The middle of a wall, or something that cannot be determined.
    Wall,
}

/// Finds what a leg comes closer to than the radius: the closest vertex if there is one.
///
/// A vertex can block rays in later searches; the middle of a wall cannot. So a vertex is preferred even if a wall is
/// nearer.
pub(super) fn intruder(
    layout: &CellGraph,
    space: &mut SearchSpace,
    leg: &Leg,
    radius: f64,
) -> Option<Intruder> {
    let least = radius - slack_of_walls(layout);
    let mut closest = least;
    let mut found = None;
    // The reach does not shrink: a closer vertex does not excuse a wall that is crossed.
    space.memory.flood.walls(layout, &[leg.cell], (leg.from, leg.to), least, |cell, side, distance| {
        if distance < least && found.is_none() {
            found = Some(Intruder::Wall);
        }
        for side in [side, layout.next(cell, side)] {
            let at = layout.start[side];
            let distance = segment_distance(leg.from, leg.to, at, at);
            if distance < closest {
                (closest, found) = (distance, Some(Intruder::Vertex(layout.vertex[side], at, cell)));
            }
        }
        least
    });
    found
}

/// True if a segment comes closer to a wall than the radius. The segment ends in the cell.
pub(super) fn too_close(
    layout: &CellGraph,
    flood: &mut crate::query::Flood,
    cell: u32,
    [from, to]: [Vec2; 2],
    radius: f64,
) -> bool {
    let least = radius - slack_of_walls(layout);
    !flood.keeps_off(layout, &[cell], (from, to), [least; 2])
}

/// Returns the length by which legs may be closer to walls than the radius because of rounding.
fn slack_of_walls(layout: &CellGraph) -> f64 {
    LEG_TO_WALL * layout.extent
}

/// Builds the path from its legs.
///
/// Each leg becomes a segment, and each turn of a disc an arc before it. A walk through the cells goes along. In scenes
/// the walk of a point keeps a little off corners ([`off_corners`]), where floors may touch.
pub(super) fn path(mesh: &NavMesh, legs: &[Leg], cell: u32, found: &Found, state: &State) -> Path {
    let unit = mesh.unit();
    let place = |at: Vec2| mesh.parts.grid.place(at);
    let mut walk = Walk::new(mesh, cell);
    let mut pieces = Vec::with_capacity(2 * legs.len());
    let mut before = None;
    let off_corners = (state.radius == 0.0 && mesh.has_heights()).then(|| {
        let first = legs.first().map(|leg| leg.from);
        let places: Vec<Vec2> = first.into_iter().chain(legs.iter().map(|leg| leg.to)).collect();
        off_corners(&places, |corner| legs[corner].hand)
    });
    for (number, leg) in legs.iter().enumerate() {
        if let (Some((center, turn)), Some(from)) = (leg.turn, before)
            && state.radius > 0.0
        {
            walk.turn(center, from, leg.from, turn);
            let [center, from, to] = [center, from, leg.from].map(place);
            pieces.push(Piece::Arc { center, from, to, turn });
        }
        match &off_corners {
            Some(legs) => walk.pass(&legs[..number], legs[number]),
            None => walk.go(leg.from, leg.to),
        }
        pieces.push(Piece::Segment { from: place(leg.from), to: place(leg.to) });
        before = Some(leg.to);
    }
    let ends = [legs.first().map(|leg| leg.from), legs.last().map(|leg| leg.to)];
    let [start, goal] = ends.map(|at| place(at.unwrap_or_default()));
    Path {
        start,
        goal,
        pieces,
        clearance: clearance(mesh, legs, &walk.cells, state.radius) * unit,
        cells: walk.cells.into_iter().map(CellId).collect(),
        portals: walk.portals.into_iter().map(PortalId).collect(),
        length: found.length * unit,
        radius: state.radius * unit,
        cost: found.length * unit,
        bound: state.weight,
        expansions: state.expansions,
        ..Path::default()
    }
}

/// Returns the legs of the path of a point through these places, each moved by a grid unit to the outside of the turns
/// at its ends. A point runs right along walls, and two floors that lie over each other may share such a wall. A little
/// off it, only one floor is under the path. Where the path turns right back, `hand` gives the sense of the turn: +1 to
/// the left, -1 to the right.
pub(crate) fn off_corners(places: &[Vec2], hand: impl Fn(usize) -> f64) -> Vec<[Vec2; 2]> {
    let mut legs: Vec<[Vec2; 2]> = places.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    for (number, three) in places.windows(3).enumerate() {
        let [coming, going] = [(three[1] - three[0]).unit(), (three[2] - three[1]).unit()];
        let (side, forth) = (coming.cross(going), coming.dot(going));
        if side == 0.0 && forth >= 0.0 {
            continue;
        }
        let turn = if side == 0.0 { hand(number + 1) } else { side };
        let outside = if turn > 0.0 { -1.0 } else { 1.0 };
        // A path that turns back goes around the point at which it turns.
        let beyond = 0.5 * (1.0 - forth);
        legs[number][1] = three[1] + coming.perp() * outside + coming * beyond;
        legs[number + 1][0] = three[1] + going.perp() * outside - going * beyond;
    }
    legs
}

/// Returns the cells and portals under a path that starts in `cell`.
pub fn cells_under(mesh: &NavMesh, cell: u32, pieces: &[Piece]) -> (Vec<CellId>, Vec<PortalId>) {
    let mut walk = Walk::new(mesh, cell);
    let units = |at: [f64; 2]| mesh.parts.grid.units(at);
    for piece in pieces {
        match *piece {
            Piece::Segment { from, to } | Piece::Link { from, to, .. } => walk.go(units(from), units(to)),
            Piece::Arc { center, from, to, turn } => walk.turn(units(center), units(from), units(to), turn),
        }
    }
    (walk.cells.into_iter().map(CellId).collect(), walk.portals.into_iter().map(PortalId).collect())
}

/// Returns the distance from the path to the nearest wall. A path with a turn touches a corner, so that it is the
/// radius.
fn clearance(mesh: &NavMesh, legs: &[Leg], cells: &[u32], radius: f64) -> f64 {
    let [leg] = legs else { return radius };
    let mut flood = crate::query::Flood::default();
    flood.distance(mesh.graph(), cells, (leg.from, leg.to), f64::INFINITY)
}

/// A walk through the cells under a path.
pub(crate) struct Walk<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The cells so far, at least one.
    pub cells: Vec<u32>,
    /// The portals between them.
    pub portals: Vec<u32>,
    /// Scratch buffer: the cells around a place.
    around: Vec<u32>,
    /// Scratch buffer: the sides by which these were entered.
    entered: Vec<u32>,
}

impl<'a> Walk<'a> {
    /// Starts a walk in a cell.
    pub fn new(mesh: &'a NavMesh, cell: u32) -> Walk<'a> {
        // Most paths run through fewer cells than this.
        let mut walk = Walk {
            mesh,
            cells: Vec::with_capacity(64),
            portals: Vec::with_capacity(64),
            around: Vec::new(),
            entered: Vec::new(),
        };
        walk.cells.push(cell);
        walk
    }

    /// The last cell so far.
    fn cell(&self) -> u32 {
        self.cells.last().copied().unwrap_or(0)
    }

    /// Walks along a leg, from the end of the leg before it.
    pub fn pass(&mut self, before: &[[Vec2; 2]], leg: [Vec2; 2]) {
        if let Some(last) = before.last() {
            self.go(last[1], leg[0]);
        }
        self.go(leg[0], leg[1]);
    }

    /// Walks along an arc, by chords of up to a sixteenth of a half turn.
    pub fn turn(&mut self, center: Vec2, from: Vec2, to: Vec2, turn: f64) {
        let steps = (turn.abs() * 16.0 / std::f64::consts::PI).ceil().max(1.0);
        let mut before = from;
        for step in 1..=steps as u32 {
            let (sin, cos) = (turn * f64::from(step) / steps).sin_cos();
            let offset = from - center;
            let next = center + offset * cos + offset.perp() * sin;
            // The last chord ends exactly where the next leg starts.
            let next = if f64::from(step) == steps { to } else { next };
            self.go(before, next);
            before = next;
        }
    }

    /// Walks straight from one point to another. The first point lies in the last cell so far, or touches it.
    ///
    /// If the walk does not arrive, it is tried again from every cell around its start. If none arrives, the cells of
    /// the first attempt stay.
    pub fn go(&mut self, from: Vec2, to: Vec2) {
        if to == from {
            return;
        }
        let near = self.mesh.slack() + WALKED_PLACE * self.mesh.graph().extent;
        let before = (self.cells.len(), self.portals.len());
        if self.advance(from, to, near) {
            return;
        }
        // Along a wall with cells on both sides, the walk may have begun on the wrong side. Every cell around its start
        // is tried.
        let first = self.cells[before.0 - 1];
        self.look_around(first, from, near);
        let entered = std::mem::take(&mut self.entered);
        for looked in 1..self.around.len() {
            let others = std::mem::take(&mut self.around);
            self.cells.truncate(before.0);
            self.portals.truncate(before.1);
            let leads = holds_ahead(self.mesh.graph(), others[looked], from, to - from, near) && {
                self.enter_all(&others, &entered, looked);
                self.advance(from, to, near)
            };
            self.around = others;
            if leads {
                return;
            }
        }
        self.cells.truncate(before.0);
        self.portals.truncate(before.1);
        self.advance(from, to, near);
    }

    /// Walks from the last cell so far. Returns true if the walk arrives.
    ///
    /// It leaves each cell by the side that the segment crosses. At a wall, near an end of a side, or if it does not
    /// get on, it looks at all cells around the place.
    fn advance(&mut self, from: Vec2, to: Vec2, near: f64) -> bool {
        let layout = self.mesh.graph();
        let direction = to - from;
        let mut at = from;
        let mut entry = None;
        // A straight walk on a sound mesh takes fewer steps.
        for _ in 0..=2 * layout.cell_slots() {
            let cell = self.cell();
            let crossed = entry.and_then(|side| crossed_side(layout, cell, side, [from, to], AT_END * near));
            if let Some(side) = crossed {
                let [start, end] = layout.ends(cell, side);
                if is_inside(layout, end - start, to - start) {
                    return true;
                }
                if layout.beyond[side] != NONE {
                    self.enter(side);
                    entry = Some(layout.twin[side] as usize);
                    continue;
                }
            }
            match exit(layout, cell, from, to) {
                None => return true,
                Some((side, reach)) => {
                    let place = from + direction * reach.clamp(0.0, 1.0);
                    let [start, end] = layout.ends(cell, side);
                    let at_end = place.distance(start).min(place.distance(end)) <= AT_END * near;
                    entry = None;
                    if layout.beyond[side] == NONE || at_end || place.distance(at) <= near {
                        if !self.hop(place, direction, near) {
                            // Rounding alone may keep the walk from a goal on the border of a cell.
                            return place.distance(to) <= AT_PLACE * near;
                        }
                    } else {
                        self.enter(side);
                        entry = Some(layout.twin[side] as usize);
                    }
                    at = place;
                }
            }
        }
        false
    }

    /// Enters the cell beyond a side.
    fn enter(&mut self, side: usize) {
        let layout = self.mesh.graph();
        self.portals.push(self.mesh.parts.sides[side].portal);
        self.cells.push(layout.beyond[side]);
    }

    /// At a place where several cells meet, walks through the portals there into the cell that lies ahead. Returns
    /// `false` if none does.
    fn hop(&mut self, place: Vec2, direction: Vec2, near: f64) -> bool {
        self.look_around(self.cell(), place, near);
        let graph = self.mesh.graph();
        let ahead = |cell: &u32| holds_ahead(graph, *cell, place, direction, near);
        let Some(looked) = self.around.iter().skip(1).position(ahead) else { return false };
        let (around, entered) = (std::mem::take(&mut self.around), std::mem::take(&mut self.entered));
        self.enter_all(&around, &entered, looked + 1);
        (self.around, self.entered) = (around, entered);
        true
    }

    /// Lists the cells around a place, `first` first, and in `entered` the side by which each was entered.
    fn look_around(&mut self, first: u32, place: Vec2, near: f64) {
        let layout = self.mesh.graph();
        self.around.clear();
        self.entered.clear();
        self.around.push(first);
        self.entered.push(NONE);
        let mut looked = 0;
        // No vertex of a sound mesh has as many cells around it.
        while looked < self.around.len() && looked < 4096 {
            let cell = self.around[looked];
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] != NONE) {
                let [start, end] = layout.ends(cell, side);
                let next = layout.beyond[side];
                if place.distance_to_segment(start, end) <= AT_PLACE * near && !self.around.contains(&next) {
                    self.around.push(next);
                    self.entered.push(side as u32);
                }
            }
            looked += 1;
        }
    }

    /// Enters the cells that lead to the one at the index `looked`.
    fn enter_all(&mut self, around: &[u32], entered: &[u32], mut looked: usize) {
        let layout = self.mesh.graph();
        let mut sides = Vec::new();
        while entered[looked] != NONE {
            let side = entered[looked] as usize;
            sides.push(side);
            let before = layout.beyond[layout.twin[side] as usize];
            looked = around.iter().position(|cell| *cell == before).unwrap_or(0);
        }
        for side in sides.into_iter().rev() {
            self.enter(side);
        }
    }
}

/// Returns the side by which a line leaves a cell that it entered by the side `entry`. `None` if it passes an end of a
/// side within `near`, so that a closer look is needed. It takes one cross product for each side that it passes.
#[inline]
fn crossed_side(
    layout: &CellGraph,
    cell: u32,
    entry: usize,
    [from, to]: [Vec2; 2],
    near: f64,
) -> Option<usize> {
    let direction = to - from;
    let near = near * (direction.x.abs() + direction.y.abs());
    let aside = |side: usize| direction.cross(layout.packed[side].at - from);
    let mut side = layout.next(cell, entry);
    // The line enters between the end of the entry on its right and the start on its left.
    if aside(side) > -near || aside(entry) < near {
        return None;
    }
    for _ in 1..layout.sides(cell).len() {
        let next = layout.next(cell, side);
        let beside = aside(next);
        if beside > near {
            return Some(side);
        }
        if beside > -near {
            return None;
        }
        side = next;
    }
    None
}

/// True if a place lies on the inner side of a line, up to rounding.
fn is_inside(layout: &CellGraph, along: Vec2, place: Vec2) -> bool {
    along.cross(place) >= -slack_beside(layout, along)
}

/// Returns the rounding of cross products with this side.
fn slack_beside(layout: &CellGraph, along: Vec2) -> f64 {
    ON_SIDE * layout.extent * (along.x.abs() + along.y.abs())
}

/// Returns the side by which the segment leaves the cell, and the share of the segment before it; `None` if it ends
/// inside. Of sides in one line, the one nearest to the crossing counts.
fn exit(layout: &CellGraph, cell: u32, from: Vec2, to: Vec2) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for side in layout.sides(cell) {
        let [start, end] = layout.ends(cell, side);
        let along = end - start;
        let after = along.cross(to - start);
        let slack = slack_beside(layout, along);
        if after >= -slack {
            continue;
        }
        let before = along.cross(from - start);
        // A start on the line of the side leaves at once.
        let reach = if before <= slack { 0.0 } else { before / (before - after) };
        let comes_first = best.is_none_or(|(other, least)| {
            let place = from + (to - from) * least;
            let away = |side: usize| {
                let [start, end] = layout.ends(cell, side);
                place.distance_to_segment(start, end)
            };
            reach < least - SAME_SHARE || (reach < least + SAME_SHARE && away(side) < away(other))
        });
        if comes_first {
            best = Some((side, reach));
        }
    }
    best
}

/// True if a cell that touches the place lies ahead of it in this direction.
fn holds_ahead(layout: &CellGraph, cell: u32, place: Vec2, direction: Vec2, near: f64) -> bool {
    let size = direction.x.abs() + direction.y.abs();
    layout.sides(cell).all(|side| {
        let [start, end] = layout.ends(cell, side);
        let along = end - start;
        let far = along.cross(place - start) > AT_PLACE * near * along.length();
        far || along.cross(direction) >= -NOT_AHEAD * size * (along.x.abs() + along.y.abs())
    })
}

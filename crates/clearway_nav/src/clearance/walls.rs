//! Walls near cells and points, gathered by walking through portals.
//!
//! Walls of other floors must not count. In layers, each portal of a cell shows only a part of what lies beyond it
//! ([`Window`]), and short walks count nothing that is nearer than the portals on the way.

use super::measure::Bar;
use crate::mesh::CellGraph;
use crate::query::Flood;
use crate::tolerances::lengths::AT_PORTAL;
use crate::tolerances::shares::NOT_NEARER;
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};

/// A wall: a side of a cell beyond which one cannot walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wall {
    /// Its start, in grid units.
    pub from: Vec2,
    /// Its end. The cell lies to the left.
    pub to: Vec2,
    /// The side, with the index that [`CellGraph`] gives it.
    pub side: u32,
}

impl Wall {
    /// Returns a side of a cell as a wall.
    pub fn new(layout: &CellGraph, cell: u32, side: usize) -> Wall {
        let [from, to] = layout.ends(cell, side);
        Wall { from, to, side: side as u32 }
    }
}

/// The view through a portal of a cell, in layers: the places beyond its line, up to its ends, to which no place of the
/// cell is nearer than the portal. A wall elsewhere may be on another floor over or under the cell. Otherwise it is
/// farther away from every place that sees it through the portal than an end of the portal, which then is the corner of
/// a wall. At an end where no wall is, places count to which that end is the nearest. If the cell has an acute angle
/// there, these are all places beyond the portal's line on that side, and nothing bounds the view.
struct Window {
    /// The ends of the portal.
    ends: [Vec2; 2],
    /// Lines that bound the view: a point of each, and the direction across towards the inside.
    bounds: [(Vec2, Vec2); 3],
}

impl Window {
    /// Returns the view through a side of a cell.
    fn of(layout: &CellGraph, cell: u32, side: usize) -> Window {
        let sides = layout.sides(cell);
        let before = if side == sides.start { sides.end - 1 } else { side - 1 };
        let after = layout.next(cell, side);
        let direction = |side: usize| {
            let [from, to] = layout.ends(cell, side);
            to - from
        };
        let is_solid = |side: usize| layout.solid[layout.vertex[side] as usize];
        let along = direction(side);
        let open = |neighbour: Vec2| if along.dot(neighbour) < 0.0 { Vec2::default() } else { neighbour };
        let [from, to] = layout.ends(cell, side);
        let bounds = [
            (from, Vec2::new(along.y, -along.x)),
            (from, if is_solid(side) { along } else { open(direction(before)) }),
            (to, (if is_solid(after) { along } else { open(direction(after)) }) * -1.0),
        ];
        Window { ends: [from, to], bounds }
    }

    /// Returns the part of a wall that is shown. Of a wall that only begins at the portal, the first grid unit is left:
    /// the corner there.
    fn part(&self, wall: Wall) -> Option<Wall> {
        let (mut low, mut high) = (0.0f64, 1.0f64);
        for (at, across) in self.bounds {
            let [start, end] = [wall.from, wall.to].map(|end| (end - at).dot(across));
            let cut = start / (start - end);
            match (start >= 0.0, end >= 0.0) {
                (true, true) => {}
                (true, false) => high = high.min(cut),
                (false, true) => low = low.max(cut),
                (false, false) => high = -1.0,
            }
        }
        if low < high {
            let at = |share: f64| wall.from + (wall.to - wall.from) * share;
            let from = if low > 0.0 { at(low) } else { wall.from };
            let to = if high < 1.0 { at(high) } else { wall.to };
            return Some(Wall { from, to, ..wall });
        }
        let [from, to] = self.ends;
        let first_of = |at: Vec2, towards: Vec2| {
            let is_at_portal = at.distance_to_segment(from, to) <= AT_PORTAL;
            is_at_portal.then(|| Wall { from: at, to: at + (towards - at).unit(), ..wall })
        };
        first_of(wall.from, wall.to).or_else(|| first_of(wall.to, wall.from))
    }

    /// Returns the parts of a wall that are shown and at least `passed` away from the portal. All of a wall that a
    /// straight line reaches is as far as the portals on the way to it; the rest of it may be behind a corner, or under
    /// another floor. The places nearer than `passed` are a convex set, so two parts are left at most.
    fn parts(&self, wall: Wall, passed: f64) -> [Option<Wall>; 2] {
        let Some(wall) = self.part(wall) else { return [None; 2] };
        let [from, to] = self.ends;
        if segment_distance(from, to, wall.from, wall.to) >= passed {
            return [Some(wall), None];
        }
        let at = |share: f64| wall.from + (wall.to - wall.from) * share;
        let away = |share: f64| at(share).distance_to_segment(from, to);
        let nearest = nearest_share(wall, self.ends, away);
        [(0.0, wall.from), (1.0, wall.to)].map(|(end, corner)| {
            if away(end) < passed {
                return None;
            }
            let (mut far, mut near) = (end, nearest);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (far + near);
                if middle == far || middle == near {
                    break;
                }
                if away(middle) >= passed { far = middle } else { near = middle }
            }
            (far != end).then(|| {
                if end == 0.0 {
                    Wall { from: corner, to: at(far), ..wall }
                } else {
                    Wall { from: at(far), to: corner, ..wall }
                }
            })
        })
    }
}

/// The most halvings that find a place on a wall: as many as floats have bits, and more for places near its start.
const HALVINGS: usize = 90;

/// Returns the share of a wall at which it is nearest to a portal; `away` gives the distance at a share. Two segments are
/// nearest at an end of either, or where they cross.
fn nearest_share(wall: Wall, [from, to]: [Vec2; 2], away: impl Fn(f64) -> f64) -> f64 {
    let (along, across) = (wall.to - wall.from, to - from);
    let share = |at: Vec2| (at - wall.from).dot(along) / along.length_squared();
    let crossing = (from - wall.from).cross(across) / along.cross(across);
    let shares = [0.0, 1.0, share(from), share(to), crossing].map(|share| share.clamp(0.0, 1.0));
    // Shares of what has no length are no numbers, which come last.
    shares.into_iter().min_by(|p, q| away(*p).total_cmp(&away(*q))).unwrap_or(0.0)
}

/// Replaces `walls` by the walls of a cell and those within `reach` of it.
///
/// The straight line from the cell to a wall that can be seen leaves the cell through a portal that is no further away.
/// So it is enough to look from every portal. In layers only what that portal shows counts (see [`Window`]).
pub(super) fn walls_around(
    layout: &CellGraph,
    flood: &mut Flood,
    cell: u32,
    reach: f64,
    walls: &mut Vec<Wall>,
) {
    walls.clear();
    let is_wall = |side: &usize| layout.beyond[*side] == NONE;
    // The walls of the cell come first. They limit most, so that later walls are ruled out quickly.
    walls.extend(layout.sides(cell).filter(is_wall).map(|side| Wall::new(layout, cell, side)));
    let own = walls.len();
    for side in layout.sides(cell).filter(|side| !is_wall(side)) {
        let portal = layout.ends(cell, side).into();
        let beyond = [layout.beyond[side]];
        if layout.is_layered {
            let window = Window::of(layout, cell, side);
            flood.walls_in_layers(layout, &beyond, portal, reach, |near, side, _, passed| {
                if near != cell {
                    let parts = window.parts(Wall::new(layout, near, side), passed * NOT_NEARER);
                    walls.extend(parts.into_iter().flatten());
                }
                None
            });
        } else {
            flood.walls(layout, &beyond, portal, reach, |near, side, _| {
                walls.extend((near != cell).then(|| Wall::new(layout, near, side)));
                reach
            });
        }
    }
    // Several portals may show the same wall, or in layers different parts of it.
    let part = |wall: &Wall| [wall.from.x, wall.from.y, wall.to.x, wall.to.y].map(f64::to_bits);
    walls[own..].sort_unstable_by_key(|wall| (wall.side, part(wall)));
    walls.dedup_by(|p, q| (p.side, part(p)) == (q.side, part(q)));
}

/// Returns the distance from a point of a cell to the nearest wall.
pub(super) fn clearance_at(layout: &CellGraph, entered: &mut Entered, cell: u32, p: Vec2) -> f64 {
    let distance = |from: Vec2, to: Vec2| p.distance_to_segment(from, to);
    let own = layout.sides(cell).filter(|side| layout.beyond[*side] == NONE);
    let own = own.map(|side| layout.ends(cell, side)).map(|[from, to]| distance(from, to));
    let mut nearest = own.fold(f64::INFINITY, f64::min);
    walk(layout, entered, cell, |beyond, passed, [from, to]| {
        let distance = distance(from, to);
        if beyond == NONE && distance >= passed {
            nearest = nearest.min(distance);
        }
        (distance < nearest).then_some(distance)
    });
    nearest
}

/// True if the straight line between two points of a cell keeps more than `radius` from every wall.
pub(super) fn is_clear(
    layout: &CellGraph,
    entered: &mut Entered,
    cell: u32,
    (a, b): (Vec2, Vec2),
    radius: f64,
) -> bool {
    let line = Bar::new(a, b);
    let mut clear = true;
    walk(layout, entered, cell, |beyond, passed, [from, to]| {
        if !clear || line.is_clear_of(&Bar::new(from, to), radius.next_up()) {
            return None;
        }
        let distance = segment_distance(a, b, from, to);
        let is_near = distance <= radius;
        clear &= !(is_near && beyond == NONE && distance >= passed);
        is_near.then_some(distance)
    });
    clear
}

/// Cells that a short walk entered, each with the greatest distance of the portals on the way to it; zero in the plane.
pub(super) type Entered = Vec<(u32, f64)>;

/// Walks from a cell through every portal for which `enter` returns a distance. `enter` is called for every side of
/// every entered cell, with the cell beyond and the distance of the portals passed before. In layers nothing counts
/// that is nearer than those (see [`Flood`]); in the plane that distance is zero. It is made for a few cells: whether a
/// cell was entered is found by looking through them all.
fn walk(
    layout: &CellGraph,
    entered: &mut Entered,
    cell: u32,
    mut enter: impl FnMut(u32, f64, [Vec2; 2]) -> Option<f64>,
) {
    entered.clear();
    entered.push((cell, 0.0));
    let mut done = 0;
    while let Some((cell, passed)) = entered.get(done).copied() {
        done += 1;
        for side in layout.sides(cell) {
            let beyond = layout.beyond[side];
            let distance = enter(beyond, passed * NOT_NEARER, layout.ends(cell, side));
            let Some(distance) = distance.filter(|_| beyond != NONE) else { continue };
            let way = if layout.is_layered { distance.max(passed) } else { 0.0 };
            // A cell is entered again where a better way leads to it.
            if !entered.iter().any(|(known, passed)| *known == beyond && *passed <= way) {
                entered.push((beyond, way));
            }
        }
    }
}

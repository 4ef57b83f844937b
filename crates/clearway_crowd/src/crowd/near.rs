//! The bodies and walls in sight of a body.
//!
//! Everybody in one's own cell is in sight, since cells are convex. Beyond a portal one sees through a window: the two
//! rays to its ends. The window is cut at each further portal and dropped when it is empty. So floors above and rooms
//! behind walls are never looked at: nothing leads there. Two bodies that do not see each other cannot touch: if the
//! line between their centres crosses a wall, each keeps its radius from that crossing.
//!
//! Two bodies out of sight may still meet in one step if both come around the same corner. So bodies whose way around a
//! corner is within the reach of a step are listed apart, for contacts only.
//!
//! The list of walls holds those of the cells that are entered. A wall that is not in sight cannot be reached in a step that keeps off
//! the walls in sight: its nearest end hides it, and lies nearer.

use super::ground::Ground;
use crate::model::NearWall;
use crate::vector::Vector;
use clearway_geometry::NONE;

/// A body as neighbours read it, in the order of tiles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// Its velocity in the last step.
    pub velocity: Vector,
    /// The velocity that it wished in the last step.
    pub wish: Vector,
    /// The direction of its way; zero for a body that stands.
    pub head: Vector,
    /// Its radius in metres.
    pub radius: f32,
    /// The length of the rest of its way in metres.
    pub left: f32,
    /// Its place in the lists of the crowd.
    pub slot: u32,
    /// Equal for bodies with the same goal.
    pub goal: u32,
    /// Its priority.
    pub priority: u8,
    /// True if it has no way to go.
    pub stands: bool,
    /// True if it walks in a direction, not to a place: who is ahead of it goes first.
    pub roams: bool,
    /// True if it stands at its goal.
    pub arrived: bool,
}

/// What a body alone reads in its turn, and what it does then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// The offset to its way point.
    pub target: Vector,
    /// The speed at which it wishes to walk, in m/s.
    pub speed: f32,
    /// The part of that speed that is possible here and now.
    pub pace: f32,
    /// Values of its model.
    pub state: [f32; 4],
    /// Its displacement in metres.
    pub displacement: Vector,
    /// The velocity that it wished.
    pub wish: Vector,
    /// True if it touches a body with the same goal that arrived.
    pub beside_arrived: bool,
}

/// All bodies on the ground, sorted by tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorted {
    /// For each tile its first body; one more entry ends the last tile.
    pub first: Vec<u32>,
    /// The positions in plan coordinates.
    pub at: Vec<[f64; 2]>,
    /// The cells.
    pub cell: Vec<u32>,
    /// The rest of what neighbours read.
    pub shown: Vec<Shown>,
    /// A body's data for its own turn. They lie in the order of tiles, so that no body is fetched from its slot.
    pub turns: Vec<Turn>,
    /// For each slot the place of its body in the lists above; [`NONE`] for a body that is not on the ground.
    pub places: Vec<u32>,
}

/// A body within range.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    /// The offset to it.
    pub offset: Vector,
    /// The squared distance in m².
    pub distance_squared: f32,
    /// The index among the sorted bodies.
    pub index: u32,
}

/// The largest number of bodies that are looked at around one. At contact distance of the smallest bodies there may be
/// more; then they overlap already, and the step must end all the same.
const MOST_CANDIDATES: usize = 4096;

/// The number of cells that are entered around corners, one after the other. The cells around a corner are few, and
/// without a limit the search would go around a vertex for ever.
const MOST_TURNS: u8 = 4;

/// A cell that is seen through a window.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// The cell.
    cell: u32,
    /// The side through which it is seen.
    entry: u32,
    /// The position of the looker as that cell sees it: shifted by wraps.
    origin: [f64; 2],
    /// The ray along the left edge.
    left: Vector,
    /// The ray along the right edge.
    right: Vector,
    /// If nothing in the cell is in sight: the corner around which it lies near.
    around: Option<Vector>,
    /// The number of cells that were entered around corners.
    turns: u8,
}

impl Window {
    /// True if a place is in sight.
    #[inline]
    fn shows(&self, offset: Vector) -> bool {
        let is_between = (self.right.cross(offset) >= 0.0) & (self.left.cross(offset) < 0.0);
        is_between & self.around.is_none()
    }

    /// Returns the offset to the edge of the window beside which a place lies; `None` if the place is in sight.
    #[inline]
    fn edge_before(&self, offset: Vector) -> Option<Vector> {
        // Half open, so that nobody is seen twice beside an edge that two windows share.
        if self.around.is_some() {
            self.around
        } else if self.right.cross(offset) < 0.0 {
            Some(self.right)
        } else if self.left.cross(offset) >= 0.0 {
            Some(self.left)
        } else {
            None
        }
    }
}

/// Scratch buffers, and what was found with them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    /// Windows to look through.
    open: Vec<Window>,
    /// The bodies within range.
    pub bodies: Vec<Candidate>,
    /// Bodies out of sight that may be met around a corner within the step: they count for contacts only.
    pub hidden: Vec<Candidate>,
    /// For each body within range its squared distance as bits, which sort like the number, and its place in `bodies`.
    pub keys: Vec<u64>,
    /// The walls within range.
    pub walls: Vec<NearWall>,
    /// The offsets and distances of lines that stand for further walls, and the distances of the walls. They count for
    /// contacts only.
    pub lines: Vec<(Vector, f32, f32)>,
}

/// How far a body looks, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranges {
    /// For bodies.
    pub bodies: f32,
    /// For bodies behind.
    pub behind: f32,
    /// For bodies around a corner, along the way there.
    pub contact: f32,
    /// The direction that is ahead; zero for all around.
    pub head: Vector,
    /// For walls.
    pub walls: f32,
}

impl Ranges {
    /// Makes the ranges of a body that looks all around.
    pub fn around(bodies: f32, walls: f32) -> Ranges {
        Ranges { bodies, behind: bodies, contact: 0.0, head: Vector::ZERO, walls }
    }

    /// Returns a box around the bodies that count: half a disc ahead, and a smaller disc behind.
    #[inline]
    fn bounds(&self, at: [f64; 2]) -> [[f64; 2]; 2] {
        let reach = |along: f32, across: f32| {
            let ahead = if along >= 0.0 { self.bodies } else { self.bodies * across.abs() };
            // Rounding must not leave out anybody at the border.
            f64::from(ahead.max(self.behind)) + 1e-3
        };
        let Vector { x, y } = self.head;
        [[at[0] - reach(-x, y), at[1] - reach(-y, x)], [at[0] + reach(x, y), at[1] + reach(y, x)]]
    }
}

impl Sight {
    /// Finds the bodies and walls in sight of the body with this index.
    pub fn look(&mut self, ground: &Ground, sorted: &Sorted, index: usize, ranges: Ranges) {
        self.bodies.clear();
        self.hidden.clear();
        self.walls.clear();
        self.lines.clear();
        self.open.clear();
        let (at, cell) = (sorted.at[index], sorted.cell[index]);
        self.gather(ground, sorted, cell, at, ranges, None);
        // One's own entry is the only one at this index.
        if let Some(own) = self.bodies.iter().position(|body| body.index as usize == index) {
            self.bodies.swap_remove(own);
        }
        for side in ground.near_sides(ground.tile(cell, at)) {
            self.look_at_side(ground, *side, at, None, ranges);
        }
        while let Some(window) = self.open.pop() {
            self.gather(ground, sorted, window.cell, window.origin, ranges, Some(&window));
            for side in ground.sides_of(window.cell) {
                if side as u32 != window.entry {
                    self.look_at_side(ground, side as u32, window.origin, Some(&window), ranges);
                }
            }
        }
        // The way around a corner may lead back to where one stands.
        self.hidden.retain(|body| body.index as usize != index);
    }

    /// Orders the bodies within range, the nearest first. Of bodies at one distance the first in the order of tiles wins.
    pub fn order(&mut self) {
        self.keys.clear();
        let keys = self.bodies.iter().enumerate();
        self.keys.extend(
            keys.map(|(place, body)| u64::from(body.distance_squared.to_bits()) << 32 | place as u64),
        );
        self.keys.sort_unstable();
    }

    /// Gathers the bodies of a cell within range, in the window if there is one.
    #[inline]
    fn gather(
        &mut self,
        ground: &Ground,
        sorted: &Sorted,
        cell: u32,
        at: [f64; 2],
        ranges: Ranges,
        window: Option<&Window>,
    ) {
        let [first, end] = ground.tiles_of(cell).map(|tile| sorted.first[tile as usize]);
        if first == end {
            return;
        }
        let (squared, behind) = (ranges.bodies * ranges.bodies, ranges.behind * ranges.behind);
        // Who is hidden and farther than this cannot be near around a corner either.
        let contact = ranges.contact * ranges.contact * 1.001;
        let Sight { bodies, hidden, .. } = self;
        let mut count = bodies.len();
        ground.rows(cell, ranges.bounds(at), |from, to| {
            let (first, end) = (sorted.first[from as usize] as usize, sorted.first[to as usize] as usize);
            let others = &sorted.at[first..end];
            if bodies.len() < count + others.len() {
                bodies.resize(count + others.len(), Candidate::default());
            }
            for (place, other) in others.iter().enumerate() {
                let offset = Vector::between(at, *other);
                let distance = offset.length_squared();
                let is_near =
                    (distance <= squared) & ((distance <= behind) | (offset.dot(ranges.head) >= 0.0));
                let candidate =
                    Candidate { offset, distance_squared: distance, index: (first + place) as u32 };
                // Everybody is written, and the next one over those who do not count: half of them do not, and a branch
                // would be guessed wrong as often.
                bodies[count] = candidate;
                let Some(window) = window else {
                    count += usize::from(is_near);
                    continue;
                };
                let is_seen = window.shows(offset);
                count += usize::from(is_near & is_seen);
                if is_near & !is_seen & (distance < contact) {
                    let edge = window.edge_before(offset).unwrap_or(Vector::ZERO);
                    if edge.length() + (offset - edge).length() < ranges.contact {
                        hidden.push(candidate);
                    }
                }
            }
            count = count.min(MOST_CANDIDATES);
        });
        bodies.truncate(count);
    }

    /// Looks at a side: a wall within range is kept, a portal within range opens a window.
    #[inline]
    fn look_at_side(
        &mut self,
        ground: &Ground,
        number: u32,
        at: [f64; 2],
        window: Option<&Window>,
        ranges: Ranges,
    ) {
        let side = &ground.sides[number as usize];
        let (from, to) = (Vector::between(at, side.from), Vector::between(at, side.to));
        let along = to - from;
        let share = (-from.dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let nearest = from + along * share;
        let distance = nearest.length_squared();
        if side.beyond == NONE {
            let hidden = window.is_some_and(|window| {
                window.around.is_some()
                    || window.right.cross(from).max(window.right.cross(to)) < 0.0
                    || window.left.cross(from).min(window.left.cross(to)) > 0.0
            });
            if distance <= ranges.walls * ranges.walls && !hidden {
                let wall = NearWall { offset: nearest, distance: distance.sqrt(), from, to };
                match line_beside_its_end(&wall, share, &ground.joining[number as usize]) {
                    // A line never pushes: beside a bend it may come nearer than the wall that it stands for.
                    Some((offset, height)) => self.lines.push((offset, height, wall.distance)),
                    None => self.walls.push(wall),
                }
            }
            return;
        }
        if distance > ranges.bodies * ranges.bodies {
            return;
        }
        // Seen from inside, a side runs from right to left.
        let (mut right, mut left, mut around, mut turns) = (from, to, None, 0);
        if let Some(window) = window {
            if window.right.cross(right) < 0.0 {
                right = window.right;
            }
            if window.left.cross(left) > 0.0 {
                left = window.left;
            }
            if window.around.is_some() || right.cross(left) <= 0.0 {
                let Some(edge) = window.edge_before(nearest) else { return };
                let beyond = nearest_of([from - edge, to - edge]);
                if window.turns >= MOST_TURNS || edge.length() + beyond >= ranges.contact {
                    return;
                }
                (around, turns) = (Some(edge), window.turns + 1);
            }
        }
        let origin = [at[0] + side.shift[0], at[1] + side.shift[1]];
        self.open.push(Window { cell: side.beyond, entry: side.twin, origin, left, right, around, turns });
    }
}

/// Returns the distance of a segment, given by the offsets to its ends.
fn nearest_of([from, to]: [Vector; 2]) -> f32 {
    let along = to - from;
    let share = (-from.dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (from + along * share).length()
}

/// The sine of the angle between two walls below which they are one straight wall.
const STRAIGHT: f32 = 1e-5;

/// Returns the offset and the distance of the line that stands for a wall, if the body is beside one of its ends and
/// beside the wall that joins it there. `None` if the wall counts by its nearest point.
///
/// Its nearest point would be no corner of its own: bodies would slow down at each joint of a straight wall. A wall that
/// bends away from the body lies behind the line of the next wall. Other walls count by their own line, which runs behind
/// the next wall.
fn line_beside_its_end(wall: &NearWall, share: f32, joining: &[Vector; 2]) -> Option<(Vector, f32)> {
    let along = (wall.to - wall.from).unit();
    // Seen from the end, away from the wall, with the free side on the left at the end and on the right at the start.
    let (end, outwards, next, side) = match share {
        _ if share <= 0.0 => (wall.from, -along, joining[0], -1.0),
        _ if share >= 1.0 => (wall.to, along, joining[1], 1.0),
        _ => return None,
    };
    let length = next.length();
    let bend = side * outwards.cross(next);
    let is_beside_next = (0.0..=length * length).contains(&-end.dot(next));
    if !is_beside_next {
        return None;
    }
    let turns_back = bend < STRAIGHT * length && outwards.dot(next) < 0.0;
    let bends_away = bend < -STRAIGHT * length || turns_back;
    let normal = if bends_away { next.left() * (side / length) } else { along.left() };
    let height = -end.dot(normal);
    (height > 0.0).then_some((-normal * height, height))
}

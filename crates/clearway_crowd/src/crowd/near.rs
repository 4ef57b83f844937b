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
    /// Its slot in the crowd.
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

/// All bodies on the ground, sorted by tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorted {
    /// For each tile its first body; one more entry ends the last tile.
    pub first: Vec<u32>,
    /// The positions in plan coordinates.
    pub at: Vec<[f64; 2]>,
    /// The rest of what neighbours read.
    pub shown: Vec<Shown>,
    /// For each place in the list of the crowd the place of its body in the lists above; [`NONE`] for a body that is not on
    /// the ground.
    pub places: Vec<u32>,
    /// For each place in the lists above the place of its body in the list of the crowd.
    pub sources: Vec<u32>,
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
    /// True if one of its edges is so near that a cell may be entered around it.
    may_turn: bool,
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

/// The way in which a body looks into a cell.
#[derive(Clone, Copy)]
enum Through<'a> {
    /// From inside. The body with this index is the looker.
    OwnCell(usize),
    /// Through a window.
    Window(&'a Window),
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

/// The number of bodies that a looker needs, the nearest ones. Where a crowd is dense it need not look as far as it could.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enough {
    /// The number.
    pub bodies: usize,
    /// The distance in metres up to which all bodies are needed; infinite if all are needed that are in range.
    pub least: f32,
}

impl Enough {
    /// All bodies in range.
    pub const ALL: Enough = Enough { bodies: usize::MAX, least: f32::INFINITY };
}

/// A narrow look is made for so many times the bodies that are needed. Bodies do not stand evenly: with less, more looks
/// find too few and must be made again.
const NARROW: f32 = 1.3;

/// A narrow look that is larger than this part of the range, squared, saves less than it may cost.
const WORTH_WHILE: f32 = 0.8;

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
    /// Finds the bodies and walls in sight of the body with this index in this cell, or at least as many as are enough.
    pub fn look(
        &mut self,
        ground: &Ground,
        sorted: &Sorted,
        (index, cell): (usize, u32),
        ranges: Ranges,
        enough: Enough,
    ) {
        if let Some(narrow) = narrowed(ground, sorted, cell, sorted.at[index], ranges, enough) {
            // Walls are seen through the same portals as in the whole range: a part of a near wall may show through a far one.
            let portals = ranges.bodies;
            let near = Ranges { bodies: narrow, behind: ranges.behind.min(narrow), ..ranges };
            self.look_within(ground, sorted, (index, cell), near, portals);
            if self.bodies.len() >= enough.bodies {
                return;
            }
        }
        self.look_within(ground, sorted, (index, cell), ranges, ranges.bodies);
    }

    /// Finds the bodies and walls in range, through portals no farther than `portals` metres.
    fn look_within(
        &mut self,
        ground: &Ground,
        sorted: &Sorted,
        (index, cell): (usize, u32),
        ranges: Ranges,
        portals: f32,
    ) {
        self.bodies.clear();
        self.hidden.clear();
        self.walls.clear();
        self.lines.clear();
        self.open.clear();
        let at = sorted.at[index];
        self.gather(ground, sorted, cell, at, ranges, Through::OwnCell(index));
        let reach = (ranges, portals * portals);
        for side in ground.near_sides(ground.tile(cell, at)) {
            self.look_at_side(ground, *side, at, None, reach);
        }
        while let Some(window) = self.open.pop() {
            self.gather(ground, sorted, window.cell, window.origin, ranges, Through::Window(&window));
            for side in ground.sides_of(window.cell) {
                if side as u32 != window.entry {
                    self.look_at_side(ground, side as u32, window.origin, Some(&window), reach);
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

    /// Gathers the bodies of a cell within range: those in a window, or in the own cell all but the one of this index.
    #[inline]
    fn gather(
        &mut self,
        ground: &Ground,
        sorted: &Sorted,
        cell: u32,
        at: [f64; 2],
        ranges: Ranges,
        window: Through<'_>,
    ) {
        let [first, end] = ground.tiles_of(cell).map(|tile| sorted.first[tile as usize]);
        if first == end {
            return;
        }
        let (squared, behind) = (ranges.bodies * ranges.bodies, ranges.behind * ranges.behind);
        // Who is hidden and farther than this cannot be near around a corner either.
        let contact = ranges.contact * ranges.contact * 1.001;
        let Sight { bodies, hidden, .. } = self;
        let (mut count, mut own_place) = (bodies.len(), usize::MAX);
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
                let window = match window {
                    Through::Window(window) => window,
                    Through::OwnCell(own) => {
                        own_place = if first + place == own { count } else { own_place };
                        count += usize::from(is_near);
                        continue;
                    }
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
        // Where too many are near, the looker itself may not be among them.
        if bodies
            .get(own_place)
            .is_some_and(|body| matches!(window, Through::OwnCell(own) if body.index as usize == own))
        {
            bodies.swap_remove(own_place);
        }
    }

    /// Looks at a side: a wall within range is kept, a portal within range opens a window.
    #[inline]
    fn look_at_side(
        &mut self,
        ground: &Ground,
        number: u32,
        at: [f64; 2],
        window: Option<&Window>,
        (ranges, farthest): (Ranges, f32),
    ) {
        let side = &ground.sides[number as usize];
        let ends = [Vector::between(at, side.from), Vector::between(at, side.to)];
        if side.beyond == NONE {
            self.look_at_wall(&ground.joining[number as usize], ends, window, ranges);
        } else if let Some((right, left, around)) = seen_through(ends, window, ranges, farthest) {
            let turns = window.map_or(0, |window| window.turns) + u8::from(around.is_some());
            let shortest = around.map_or_else(
                || right.length_squared().min(left.length_squared()),
                |edge| edge.length_squared(),
            );
            let may_turn = turns < MOST_TURNS && shortest < 1.001 * ranges.contact * ranges.contact;
            let origin = [at[0] + side.shift[0], at[1] + side.shift[1]];
            let (cell, entry) = (side.beyond, side.twin);
            self.open.push(Window { cell, entry, origin, left, right, around, turns, may_turn });
        }
    }

    /// Keeps a wall that is within range and in sight.
    #[inline]
    fn look_at_wall(
        &mut self,
        joining: &[Vector; 2],
        [from, to]: [Vector; 2],
        window: Option<&Window>,
        ranges: Ranges,
    ) {
        let hidden = window.is_some_and(|window| {
            window.around.is_some()
                || window.right.cross(from).max(window.right.cross(to)) < 0.0
                || window.left.cross(from).min(window.left.cross(to)) > 0.0
        });
        if hidden {
            return;
        }
        let (nearest, share) = nearest_on([from, to]);
        let distance = nearest.length_squared();
        if distance <= ranges.walls * ranges.walls {
            let wall = NearWall { offset: nearest, distance: distance.sqrt(), from, to };
            match line_beside_its_end(&wall, share, joining) {
                // A line never pushes: beside a bend it may come nearer than the wall that it stands for.
                Some((offset, height)) => self.lines.push((offset, height, wall.distance)),
                None => self.walls.push(wall),
            }
        }
    }
}

/// Returns the rays to the right and to the left end of what is seen through a portal, and the corner before it if nothing
/// is seen but the way around that corner is short. `None` if the portal is out of sight or range.
#[inline]
fn seen_through(
    [from, to]: [Vector; 2],
    window: Option<&Window>,
    ranges: Ranges,
    farthest: f32,
) -> Option<(Vector, Vector, Option<Vector>)> {
    // Seen from inside, a side runs from right to left.
    let (mut right, mut left, mut is_seen) = (from, to, true);
    if let Some(window) = window {
        right = if window.right.cross(right) < 0.0 { window.right } else { right };
        left = if window.left.cross(left) > 0.0 { window.left } else { left };
        is_seen = window.around.is_none() && right.cross(left) > 0.0;
        // Most portals of the cells around are out of sight: no division for those.
        if !is_seen && !window.may_turn {
            return None;
        }
    }
    let (nearest, _) = nearest_on([from, to]);
    if nearest.length_squared() > farthest {
        return None;
    }
    if is_seen {
        return Some((right, left, None));
    }
    let edge = window?.edge_before(nearest)?;
    let beyond = nearest_on([from - edge, to - edge]).0.length();
    (edge.length() + beyond < ranges.contact).then_some((right, left, Some(edge)))
}

/// Returns the nearest point of a segment, given by the offsets to its ends, and its share of the way along it.
#[inline]
fn nearest_on([from, to]: [Vector; 2]) -> (Vector, f32) {
    let along = to - from;
    let share = (-from.dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    (from + along * share, share)
}

/// Returns the range in which a body probably finds enough others in its own cell; `None` if that is hardly less than its
/// range.
fn narrowed(
    ground: &Ground,
    sorted: &Sorted,
    cell: u32,
    at: [f64; 2],
    ranges: Ranges,
    enough: Enough,
) -> Option<f32> {
    let [first, end] = ground.tiles_of(cell).map(|tile| sorted.first[tile as usize] as usize);
    if enough.least >= ranges.bodies || end - first <= enough.bodies {
        return None;
    }
    let (mut bodies, mut tiles) = (0, 0);
    ground.rows(cell, ranges.bounds(at), |from, to| {
        bodies += sorted.first[to as usize] - sorted.first[from as usize];
        tiles += to - from;
    });
    let area = tiles as f32 * (ground.pitch * ground.pitch) as f32;
    let sector = if ranges.behind < ranges.bodies { 0.5 } else { 1.0 } * std::f32::consts::PI;
    let squared = NARROW * enough.bodies as f32 * area / (sector * bodies.max(1) as f32);
    let is_worth_while = squared < WORTH_WHILE * ranges.bodies * ranges.bodies;
    is_worth_while.then(|| squared.sqrt().max(enough.least))
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

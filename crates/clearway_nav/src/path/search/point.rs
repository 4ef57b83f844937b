//! The view of a point: Polyanya (Cui, Harabor and Grastien 2017) with directions in place of intervals.
//!
//! A beam is bounded by rays from its root through vertices of the mesh. So boundaries never drift: they are
//! differences of exact points. Where a boundary runs exactly through the end of the side by which the beam enters, and
//! that end is a corner, the path may turn there ([`Engine::turn_at`]). Turning sweeps the cells around the corner one
//! by one, each as a node of its own (an arc of radius zero). A beam costs O(log n) for a cell of n sides, and O(1) for
//! each side that it leaves by.

use super::disc::right_or_left;
use super::engine::{Engine, Found};
use super::scratch::{Kind, Node, Root};
use crate::tolerances::angles::SAME_DIRECTION;
use clearway_geometry::{NONE, Vec2};

/// True if `other` points clearly to the left of `from`.
#[inline]
fn is_left(from: Vec2, other: Vec2) -> bool {
    let (first, second) = (from.x * other.y, from.y * other.x);
    first - second > SAME_DIRECTION * (first.abs() + second.abs())
}

/// True if the directions are the same, within rounding.
#[inline]
fn is_same(one: Vec2, other: Vec2) -> bool {
    !is_left(one, other) && !is_left(other, one) && one.dot(other) > 0.0
}

/// The position of a vertex relative to a beam.
#[derive(Clone, Copy)]
enum Seen {
    /// To the right of the beam.
    Right,
    /// On its right boundary.
    OnRight,
    /// Inside, in this direction from the root.
    Inside(Vec2),
    /// On its left boundary.
    OnLeft,
    /// To the left of the beam.
    Left,
}

impl Seen {
    /// Classifies the direction from the root to a vertex.
    #[inline]
    fn of(node: &Node, direction: Vec2) -> Seen {
        if !is_left(node.right, direction) {
            if is_left(direction, node.right) { Seen::Right } else { Seen::OnRight }
        } else if !is_left(direction, node.left) {
            if is_left(node.left, direction) { Seen::Left } else { Seen::OnLeft }
        } else {
            Seen::Inside(direction)
        }
    }

    /// Classifies the right end of the side by which the beam enters.
    fn of_right_end(node: &Node) -> Seen {
        if node.right_at == NONE { Seen::Right } else { Seen::OnRight }
    }

    /// Classifies the left end of the side by which the beam enters.
    fn of_left_end(node: &Node) -> Seen {
        if node.left_at == NONE { Seen::Left } else { Seen::OnLeft }
    }

    /// Returns the right boundary of the beam that passes to the left of the vertex, and the vertex if it bounds that
    /// beam.
    #[inline]
    fn as_right(self, node: &Node, vertex: u32) -> (Vec2, u32) {
        match self {
            Seen::Inside(direction) => (direction, vertex),
            Seen::OnRight => (node.right, vertex),
            _ => (node.right, NONE),
        }
    }

    /// Returns the left boundary of the beam that passes to the right of the vertex, and the vertex if it bounds that
    /// beam.
    #[inline]
    fn as_left(self, node: &Node, vertex: u32) -> (Vec2, u32) {
        match self {
            Seen::Inside(direction) => (direction, vertex),
            Seen::OnLeft => (node.left, vertex),
            _ => (node.left, NONE),
        }
    }
}

/// The sides of a cell in cyclic order. The order starts after a given side, which comes last.
struct Ring {
    /// The first side of the cell.
    start: usize,
    /// The number of sides.
    count: usize,
    /// The index within the cell at which the order starts.
    offset: usize,
}

impl Ring {
    /// Returns the order that ends with the side `entry`.
    #[inline]
    fn new(sides: std::ops::Range<usize>, entry: usize) -> Ring {
        Ring { start: sides.start, count: sides.len(), offset: entry + 1 - sides.start }
    }

    /// Returns the side at an index of the order.
    #[inline]
    fn side(&self, place: usize) -> usize {
        let place = self.offset + place;
        self.start + if place >= self.count { place - self.count } else { place }
    }

    /// The index of the side that the order was made for.
    #[inline]
    fn last(&self) -> usize {
        self.count - 1
    }

    /// Returns the first index from `low` on at which `holds` is true, or the last index. Once true, `holds` must stay
    /// true.
    #[inline]
    fn first(&self, low: usize, holds: impl Fn(usize) -> bool) -> usize {
        let (mut low, mut high) = (low, self.last());
        // In small cells a linear search is faster than halving.
        if high < 8 {
            while low < high && !holds(low) {
                low += 1;
            }
            return low;
        }
        while low < high {
            let middle = (low + high) / 2;
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        low
    }
}

impl Engine<'_> {
    /// Looks around from the start, which lies in `cell`.
    ///
    /// Every portal of the cell gets a beam. If the start lies on the line of a portal, no beam has a width there, but
    /// the path may turn around its nearer end.
    pub(super) fn start_point(&mut self, root: u32, cell: u32) {
        let at = self.space.roots[root as usize].at;
        self.see_goals_point(root, cell, None);
        if self.state.is_survey {
            for side in self.layout.sides(cell) {
                self.space.survey.note(self.layout.vertex[side], self.layout.start[side].distance(at));
            }
        }
        for side in self.layout.sides(cell) {
            let following = self.layout.next(cell, side);
            let [right, left] = [side, following].map(|side| self.layout.start[side] - at);
            let vertices = [side, following].map(|side| self.layout.vertex[side]);
            if self.layout.beyond[side] == NONE {
                continue;
            }
            if is_left(right, left) {
                self.push_point(root, side, following, [right, left], vertices);
            } else if !is_left(left, right) {
                self.turn_along(root, side, [right, left]);
            }
        }
    }

    /// Lets the path turn around the nearer end of a side if the start lies on the line of that side.
    fn turn_along(&mut self, root: u32, side: usize, [first, second]: [Vec2; 2]) {
        if first.dot(second) <= 0.0 {
            return;
        }
        let ahead = first.length_squared() < second.length_squared();
        let (turn, along) = if ahead { (-1.0, first) } else { (1.0, second) };
        self.turn_beyond(root, turn, along, side);
    }

    /// Follows a beam through the cell that it enters.
    ///
    /// The vertices of the cell split the beam into one beam for each side that it leaves by. At the ends of the side
    /// by which it enters, the path may turn if a boundary runs exactly through them. A side along a boundary has no
    /// width, but its nearer end may be a corner to turn around.
    pub(super) fn expand_beam_point(&mut self, node: &Node) {
        let root = self.space.roots[node.root as usize];
        if self.is_worse(root.vertex, root.length) {
            return;
        }
        let (layout, cell, entry) = (self.layout, node.cell, node.side as usize);
        self.see_goals_point(node.root, cell, Some([node.right, node.left]));
        let ring = Ring::new(layout.sides(cell), entry);
        if node.right_at != NONE {
            self.turn_at(node.root, -1.0, node.right, cell, ring.side(0));
        }
        if node.left_at != NONE {
            self.turn_at(node.root, 1.0, node.left, cell, entry);
        }
        // Vertices come from right to left. The search skips those clearly to the right of the beam.
        let seen = |place: usize| Seen::of(node, layout.packed[ring.side(place)].at - root.at);
        let first = ring.first(1, |place| !matches!(seen(place), Seen::Right)) - 1;
        let mut from = if first == 0 { Seen::of_right_end(node) } else { Seen::Right };
        for place in first..ring.last() {
            let is_last = place + 1 == ring.last();
            let to = if is_last { Seen::of_left_end(node) } else { seen(place + 1) };
            let [side, following] = [place, place + 1].map(|place| ring.side(place));
            if !is_last && !matches!(to, Seen::Right | Seen::Left) {
                self.survey(&root, following);
            }
            match (from, to) {
                (Seen::OnRight, Seen::OnRight) if place > 0 => {
                    self.turn_beyond(node.root, -1.0, node.right, side);
                }
                (_, Seen::Right | Seen::OnRight) => {}
                (Seen::OnLeft, Seen::OnLeft) if !is_last => {
                    self.turn_beyond(node.root, 1.0, node.left, side);
                }
                (Seen::OnLeft | Seen::Left, _) => {}
                _ if layout.packed[side].beyond != NONE => {
                    let vertices = [side, following].map(|side| layout.packed[side].vertex);
                    let (right, right_at) = from.as_right(node, vertices[0]);
                    let (left, left_at) = to.as_left(node, vertices[1]);
                    self.push_point(node.root, side, following, [right, left], [right_at, left_at]);
                }
                _ => {}
            }
            if matches!(to, Seen::Left) {
                break;
            }
            from = to;
        }
    }

    /// Sweeps one cell around the corner of the root.
    ///
    /// The directions run from the arrival to the next side at the corner. Beams leave through the far sides of the
    /// cell. Beyond the side at the corner, the next cell around it becomes a node of its own.
    pub(super) fn expand_arc_point(&mut self, node: &Node) {
        let root = self.space.roots[node.root as usize];
        if self.is_worse(root.vertex, root.length) {
            return;
        }
        let (layout, cell, at) = (self.layout, node.cell, node.side as usize);
        let to_right = root.turn < 0.0;
        let ring = Ring::new(layout.sides(cell), at);
        let (next, before) = (ring.side(0), ring.side(ring.last() - 1));
        let [along_next, along_before] = [next, before].map(|side| layout.packed[side].at - root.at);
        let range = if to_right { [along_next, node.left] } else { [node.right, along_before] };
        self.see_goals_point(node.root, cell, Some(range));
        self.sweep(node, &root, &ring, range);
        // Turning right goes on clockwise, through the side that starts at the corner.
        let through = if to_right { at } else { before };
        if layout.packed[through].beyond != NONE && self.allows(through) {
            let twin = layout.packed[through].twin as usize;
            let next_cell = layout.packed[through].beyond;
            let side = if to_right { layout.next(next_cell, twin) } else { twin };
            let limit = if to_right { along_next } else { along_before };
            let node = Node { cell: next_cell, side: side as u32, right: limit, left: limit, ..*node };
            self.push_arc_point(node);
        }
    }

    /// Sends beams from a corner through the sides of a cell that the corner belongs to.
    fn sweep(&mut self, node: &Node, root: &Root, ring: &Ring, range: [Vec2; 2]) {
        let layout = self.layout;
        let seen = |place: usize| layout.packed[ring.side(place)].at - root.at;
        let first = ring.first(1, |place| !is_left(seen(place), range[0])) - 1;
        let mut from = seen(first);
        for place in first..ring.last() - 1 {
            if is_left(range[1], from) {
                return;
            }
            if !is_left(from, range[0]) {
                self.survey(root, ring.side(place));
            }
            let to = seen(place + 1);
            let [side, following] = [place, place + 1].map(|place| ring.side(place));
            if layout.packed[side].beyond != NONE {
                let vertices = [side, following].map(|side| layout.packed[side].vertex);
                let (right, right_at) =
                    if is_left(from, range[0]) { (range[0], NONE) } else { (from, vertices[0]) };
                let (left, left_at) =
                    if is_left(range[1], to) { (range[1], NONE) } else { (to, vertices[1]) };
                // A window without width sends no beam.
                if is_left(right, left) {
                    self.push_point(node.root, side, following, [right, left], [right_at, left_at]);
                } else if is_same(range[0], to) {
                    // The side runs along a boundary of the range, which may be the direction straight on.
                    self.turn_beyond(node.root, -1.0, from, side);
                } else if is_same(from, range[1]) {
                    self.turn_beyond(node.root, 1.0, to, side);
                }
            }
            from = to;
        }
        if !is_left(from, range[0]) && !is_left(range[1], from) {
            self.survey(root, ring.side(ring.last() - 1));
        }
    }

    /// Lets the path turn around the nearer end of a side that it runs along, into the cell beyond.
    fn turn_beyond(&mut self, root: u32, turn: f64, arrival: Vec2, side: usize) {
        let cell = self.layout.packed[side].beyond;
        if cell != NONE {
            let twin = self.layout.twin[side] as usize;
            let at = if turn < 0.0 { self.layout.next(cell, twin) } else { twin };
            self.turn_at(root, turn, arrival, cell, at);
        }
    }

    /// In a survey, notes the distance of the vertex where a side starts. The root must see that vertex.
    #[inline]
    fn survey(&mut self, root: &Root, side: usize) {
        if self.state.is_survey {
            let distance = root.length + self.layout.packed[side].at.distance(root.at);
            self.space.survey.note(self.layout.packed[side].vertex, distance);
        }
    }

    /// Lets the path turn around the vertex where a side of `cell` starts.
    ///
    /// The vertex must be a corner that the boundary of the beam touches. `cell` is the first cell to sweep. Nothing
    /// happens if another path arrived at the vertex before that is shorter, or as short and turns the same way from a
    /// direction that sees more.
    fn turn_at(&mut self, root: u32, turn: f64, arrival: Vec2, cell: u32, side: usize) {
        let vertex = self.layout.packed[side].vertex;
        let number = self.layout.corner_of[vertex as usize];
        let Some(corner) = self.layout.corners.get(number as usize) else { return };
        if !corner.is_touched(arrival, turn) {
            return;
        }
        let from = &self.space.roots[root as usize];
        let at = self.layout.packed[side].at;
        let length = from.length + at.distance(from.at);
        let slack = self.slack;
        // Another arrival makes this one useless if it is shorter, or as short and sees at least as much.
        let covered = self.space.arrivals.at(vertex).any(|other| {
            other.length < length - slack
                || (other.length <= length + slack
                    && other.turn == turn
                    && arrival.cross(other.direction) * turn <= 0.0)
        });
        if covered {
            return;
        }
        let number = self.space.roots.len() as u32;
        let turned = Root { at, turn, vertex, parent: root, length, arrival, angle: 0.0, arc: 0, cell };
        self.space.roots.push(turned);
        self.space.arrivals.note(&turned);
        self.push_arc_point(Node {
            root: number,
            cell,
            side: side as u32,
            kind: Kind::Arc,
            right: arrival,
            left: arrival,
            right_at: NONE,
            left_at: NONE,
            turned: 0.0,
        });
    }

    /// True if another path reaches the vertex by a shorter way.
    #[inline]
    fn is_worse(&self, vertex: u32, length: f64) -> bool {
        vertex != NONE && self.space.arrivals.at(vertex).any(|other| other.length < length - self.slack)
    }

    /// Adds an arc around a corner as a node.
    fn push_arc_point(&mut self, node: Node) {
        let root = &self.space.roots[node.root as usize];
        let rest = self.distance_to_goal(root.at);
        let (length, vertex) = (root.length, root.vertex);
        let rest = rest.max(self.rest_from_vertex(vertex));
        self.push(length, rest, node);
    }

    /// Sends a beam through a side. The side ends where the following one starts.
    ///
    /// The estimate is the least length to a goal through the window of the beam in the side. With landmarks, their
    /// bounds at both ends of the side raise it.
    fn push_point(
        &mut self,
        root: u32,
        side: usize,
        following: usize,
        [right, left]: [Vec2; 2],
        ends: [u32; 2],
    ) {
        if !self.allows(side) {
            return;
        }
        let next = self.layout.packed[side].beyond;
        let from = &self.space.roots[root as usize];
        let (at, length) = (from.at, from.length);
        let [start, end] = [side, following].map(|side| self.layout.packed[side].at);
        let along = end - start;
        // A boundary that runs through an end of the side meets it exactly there; only others are computed.
        let window = [
            if ends[0] != NONE { start } else { crossing(at, right, start, along) },
            if ends[1] != NONE { end } else { crossing(at, left, start, along) },
        ];
        let goals = self.space.goals.iter();
        let rest = goals.map(|goal| rest_through(at, [right, left], window, [start, along], goal.at));
        // A survey has no goal: the nearest windows come first.
        let rest = if self.state.is_survey {
            at.distance_to_segment(window[0], window[1])
        } else {
            rest.fold(f64::INFINITY, f64::min)
        };
        let rest = if self.space.potentials.is_on {
            let vertices = [side, following].map(|side| self.layout.packed[side].vertex);
            let bounds = vertices.map(|vertex| self.rest_from_vertex(vertex));
            rest.max(right_or_left(bounds, window, at, [start, end]))
        } else {
            rest
        };
        let node = Node {
            root,
            cell: next,
            side: self.layout.packed[side].twin,
            kind: Kind::Beam,
            right,
            left,
            right_at: ends[0],
            left_at: ends[1],
            turned: 0.0,
        };
        self.push(length, rest, node);
    }

    /// Notes the goals of a cell that the root sees within a range of directions.
    fn see_goals_point(&mut self, root: u32, cell: u32, range: Option<[Vec2; 2]>) {
        let Some(places) = self.goals_near(cell) else { return };
        let from = self.space.roots[root as usize];
        for place in places {
            let goal = self.space.goal_pairs[place].1;
            let direction = self.space.goals[goal as usize].at - from.at;
            let outside =
                range.is_some_and(|[right, left]| is_left(direction, right) || is_left(left, direction));
            if !outside {
                let length = from.length + direction.length();
                self.found(Found { length, root, direction, goal });
            }
        }
    }
}

/// Returns the least length from `root` to `goal` through the window in a side that the beam passes. A goal on the near
/// side counts as its mirror image, which is as far away. The cell that the beam leaves lies to the left of the side.
fn rest_through(
    root: Vec2,
    [right, left]: [Vec2; 2],
    window: [Vec2; 2],
    [start, along]: [Vec2; 2],
    goal: Vec2,
) -> f64 {
    // A goal on the left of the side is on the near side.
    let depth = along.cross(goal - start);
    let goal = if depth > 0.0 { goal - along.perp() * (2.0 * depth / along.length_squared()) } else { goal };
    let direct = goal - root;
    let via = if right.cross(direct) < 0.0 {
        window[0]
    } else if direct.cross(left) < 0.0 {
        window[1]
    } else {
        return direct.length();
    };
    via.distance(root) + goal.distance(via)
}

/// Returns the point where a ray meets the line of a side; the start of the side if they are parallel.
#[inline]
pub(super) fn crossing(root: Vec2, direction: Vec2, start: Vec2, along: Vec2) -> Vec2 {
    let across = direction.cross(along);
    if across == 0.0 { start } else { root + direction * ((start - root).cross(along) / across) }
}

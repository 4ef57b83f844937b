//! The widest ways of a disc through one convex polygon between places on its border.
//!
//! Let `a` and `b` be two such places, and A and B the two arcs of the border between them. Each wall `o` near the
//! polygon is *anchored* where the polygon comes closest to it, on A or on B. A disc of radius `r` is kept from `o` by
//! the convex set of points closer than `r` to it; once not empty, that set holds the anchor. So `a` and `b` are parted
//! in exactly three cases: one such set reaches from arc to arc, two that overlap do, or one covers `a` or `b`. Unions
//! of connected sets need no more than a pair to bridge the arcs. With `d` the distance to the nearest wall, the widest
//! way within the polygon is
//!
//! ```text
//! min( d(a), d(b), dist(o, B) for o anchored on A, dist(o, A) for o anchored on B,
//!      t(o, q) for o anchored on A and q on B ),    t(o, q) = min over p in the polygon of max(|p-o|, |p-q|)
//! ```
//!
//! The published cross table (Oliva and Pelechano 2013, section 3) compares portal ends with the opposite string
//! only, and so misses walls behind a third portal and behind the portals crossed.
//!
//! All places of a border are treated at once. They divide it into gaps, and each bridge of blocked points joins
//! two gaps. Let the radius grow: each bridge parts the places on its one side from those on its other side, and
//! each place is lost when its own distance is reached. So the widest ways form a tree: it has one edge per place
//! but one, and the way between any two places is as wide as the narrowest edge between them.
//!
//! Cost: O(w·e + w²) boxes for w walls and e pieces of border, of which few are looked at closely.

use super::Wall;
use super::measure::{Bar, narrowest_on};
use clearway_geometry::Vec2;

/// A place on the border of a room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The index of the edge on which it lies.
    pub edge: usize,
    /// Its position in grid units.
    pub at: Vec2,
    /// The distance to the nearest wall there.
    pub height: f64,
}

/// The narrowest place of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Narrow {
    /// The width of the way, as the radius of the widest disc.
    pub radius: f64,
    /// The centre of that disc at the narrowest place.
    pub at: Vec2,
}

impl Narrow {
    /// The narrower of two places.
    pub fn min(self, other: Narrow) -> Narrow {
        if other.radius < self.radius { other } else { self }
    }
}

/// A piece of the border within one gap between places.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The index of the gap.
    gap: usize,
    /// The piece.
    bar: Bar,
}

/// A wall near the polygon.
#[derive(Clone, Copy, Debug)]
struct Anchored {
    /// The wall.
    bar: Bar,
    /// The gap where the polygon comes closest to it: its anchor.
    gap: usize,
    /// The distance to the polygon there.
    distance: f64,
}

/// A bridge, or the loss of a place: from this radius on, the places from `first` to `last` are parted from the others.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// The radius, and the place where it happens.
    narrow: Narrow,
    /// The first place that is parted.
    first: usize,
    /// The last place that is parted.
    last: usize,
}

/// The most places for which a table of all pairs of gaps is kept. The table has a square as many entries. Without it,
/// more bridges are noted than needed, with the same result.
const MAX_TABLE: usize = 64;

/// A convex polygon with places on its border, and scratch buffers to measure it.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// The corners, counter-clockwise.
    corners: Vec<Vec2>,
    /// The places, in the order of the border.
    nodes: Vec<Node>,
    /// The border, cut at corners and places.
    pieces: Vec<Piece>,
    /// Walls, the nearest first.
    walls: Vec<Anchored>,
    /// The radius below which walls and bridges matter.
    reach: f64,
    /// For each pair of gaps the radius below which a bridge between them matters. Empty without a table.
    bounds: Vec<f64>,
    /// The events, the narrowest first once they are sorted.
    events: Vec<Event>,
    /// For each place the block to which it belongs while blocks are parted.
    block: Vec<usize>,
    /// For each block the number of its places.
    size: Vec<usize>,
}

impl Room {
    /// Starts anew with these corners, counter-clockwise. Edge `i` starts at corner `i`.
    pub fn start(&mut self, corners: impl IntoIterator<Item = Vec2>) {
        self.corners.clear();
        self.corners.extend(corners);
        self.nodes.clear();
    }

    /// Adds a place. Places must come in the order of the border.
    pub fn place(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Returns the distance within which walls matter: the second greatest height of all places.
    pub fn reach(&self) -> f64 {
        let [_, second] = self.nodes.iter().fold([0.0f64, 0.0], |[first, second], node| {
            if node.height > first { [node.height, first] } else { [first, second.max(node.height)] }
        });
        second
    }

    /// Builds the tree of widest ways. Calls `edge` for each place but the first, with an earlier place and the
    /// narrowest place between them. `walls` must hold every wall within [`reach`](Room::reach); more do no harm.
    pub fn tree(&mut self, walls: &[Wall], mut edge: impl FnMut(usize, usize, Narrow)) {
        let count = self.nodes.len();
        if count < 2 {
            return;
        }
        self.measure(walls);
        self.block.clear();
        self.block.resize(count, 0);
        self.size.clear();
        self.size.push(count);
        for index in 0..self.events.len() {
            if self.size.len() == count {
                return;
            }
            let Event { narrow, first, last } = self.events[index];
            self.part(first, last, |child, parent| edge(child, parent, narrow));
        }
    }

    /// Parts the places from `first` to `last` from the others in every block. For each block that falls apart, calls
    /// `parted` with the place that becomes the first of its block, and the one before it.
    fn part(&mut self, first: usize, last: usize, mut parted: impl FnMut(usize, usize)) {
        let old_blocks = self.size.len();
        for inner in first..=last {
            let block = self.block[inner];
            let is_new = block >= old_blocks;
            if is_new || self.size[block] == 1 {
                continue;
            }
            let same = |place: &usize| self.block[*place] == block;
            let before = (0..first).rev().find(same);
            let after = (last + 1..self.block.len()).find(same);
            let inner_last = (inner..=last).rev().find(same).unwrap_or(inner);
            match (before, after) {
                (Some(before), _) => parted(inner, before),
                (None, Some(after)) => parted(after, inner_last),
                (None, None) => continue,
            }
            let new = self.size.len();
            self.size.push(0);
            for place in inner..=inner_last {
                if self.block[place] == block {
                    self.block[place] = new;
                    self.size[block] -= 1;
                    self.size[new] += 1;
                }
            }
        }
    }

    /// Lists the events that part places, the narrowest first.
    fn measure(&mut self, walls: &[Wall]) {
        self.events.clear();
        self.reach = self.reach();
        let lost = |(place, node): (usize, &Node)| Event {
            narrow: Narrow { radius: node.height, at: node.at },
            first: place,
            last: place,
        };
        self.events.extend(self.nodes.iter().enumerate().map(lost));
        self.cut_border();
        self.bound();
        self.anchor(walls);
        // Pairs come first: their bridges are the narrower ones, so that fewer are left to examine.
        for o in 0..self.walls.len() {
            (o + 1..self.walls.len()).for_each(|q| self.bridge_together(o, q));
        }
        (0..self.walls.len()).for_each(|o| self.bridge_alone(o));
        let radius = |event: &Event| event.narrow.radius;
        self.events.sort_unstable_by(|a, b| {
            radius(a).total_cmp(&radius(b)).then((a.first, a.last).cmp(&(b.first, b.last)))
        });
    }

    /// Cuts the border into pieces: gap `g` runs from place `g` to the next one.
    fn cut_border(&mut self) {
        self.pieces.clear();
        let mut gap = self.nodes.len() - 1;
        let mut next = 0;
        for edge in 0..self.corners.len() {
            let mut from = self.corners[edge];
            while next < self.nodes.len() && self.nodes[next].edge == edge {
                let to = self.nodes[next].at;
                self.pieces.push(Piece { gap, bar: Bar::new(from, to) });
                (from, gap) = (to, next);
                next += 1;
            }
            let to = self.corners[(edge + 1) % self.corners.len()];
            self.pieces.push(Piece { gap, bar: Bar::new(from, to) });
        }
    }

    /// Fills the table of bounds. A bridge matters only below the radius that the places which it parts allow.
    fn bound(&mut self) {
        let count = self.nodes.len();
        self.bounds.clear();
        if count > MAX_TABLE {
            return;
        }
        self.bounds.resize(count * count, 0.0);
        for g in 0..count {
            let mut inside = 0.0f64;
            for h in g + 1..count {
                inside = inside.max(self.nodes[h].height);
                let outside = self.nodes[..=g].iter().chain(&self.nodes[h + 1..]);
                let outside = outside.map(|node| node.height).fold(0.0, f64::max);
                self.bounds[g * count + h] = inside.min(outside);
            }
        }
    }

    /// Finds the gap where the border comes closest to each wall. Walls that are too far are left out.
    fn anchor(&mut self, walls: &[Wall]) {
        self.walls.clear();
        for wall in walls {
            let mut anchored = Anchored { bar: Bar::from(wall), gap: usize::MAX, distance: self.reach };
            for piece in &self.pieces {
                if piece.bar.is_clear_of(&anchored.bar, anchored.distance) {
                    continue;
                }
                let (p, q) = piece.bar.nearest(&anchored.bar);
                if p.distance(q) < anchored.distance {
                    anchored = Anchored { gap: piece.gap, distance: p.distance(q), ..anchored };
                }
            }
            if anchored.gap != usize::MAX {
                self.walls.push(anchored);
            }
        }
        self.walls.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    }

    /// Notes the gaps that the set blocked by one wall reaches beside its anchor.
    fn bridge_alone(&mut self, o: usize) {
        let Anchored { bar, gap, distance } = self.walls[o];
        for index in 0..self.pieces.len() {
            let piece = self.pieces[index];
            let limit = self.limit(gap, piece.gap);
            if piece.gap == gap || distance >= limit || piece.bar.is_clear_of(&bar, limit) {
                continue;
            }
            let (at, near) = piece.bar.nearest(&bar);
            self.note(gap, piece.gap, at.distance(near), at);
        }
    }

    /// Notes the radius at which the sets blocked by two walls meet.
    fn bridge_together(&mut self, o: usize, q: usize) {
        let Anchored { bar: first, gap: g, .. } = self.walls[o];
        let Anchored { bar: second, gap: h, distance } = self.walls[q];
        // The second wall is the farther one. The set that it blocks is empty up to its distance.
        let limit = self.limit(g, h);
        if g == h || distance >= limit || first.is_clear_of(&second, 2.0 * limit) {
            return;
        }
        let (a, b) = first.nearest(&second);
        let half = 0.5 * a.distance(b);
        if half >= self.limit(g, h) {
            return;
        }
        let middle = (a + b) * 0.5;
        if self.contains(middle) {
            self.note(g, h, half, middle);
            return;
        }
        // The narrowest place lies outside; within the polygon it is on the border, by convexity.
        for edge in 0..self.corners.len() {
            let edge = Bar::new(self.corners[edge], self.corners[(edge + 1) % self.corners.len()]);
            let limit = self.limit(g, h);
            let is_far = edge.is_clear_of(&first, limit) || edge.is_clear_of(&second, limit);
            let narrow = (!is_far).then(|| narrowest_on(&edge, &first, &second, limit)).flatten();
            if let Some((radius, at)) = narrow {
                self.note(g, h, radius, at);
            }
        }
    }

    /// True if a point lies in the polygon.
    fn contains(&self, p: Vec2) -> bool {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).all(|(from, to)| (*to - *from).cross(p - *from) >= 0.0)
    }

    /// The radius below which a bridge between two gaps matters.
    fn limit(&self, g: usize, h: usize) -> f64 {
        let place = g.min(h) * self.nodes.len() + g.max(h);
        self.bounds.get(place).map_or(self.reach, |bound| *bound)
    }

    /// Adds a bridge between two gaps, if it is narrower than those known.
    fn note(&mut self, g: usize, h: usize, radius: f64, at: Vec2) {
        if radius >= self.limit(g, h) {
            return;
        }
        let (g, h) = (g.min(h), g.max(h));
        if let Some(bound) = self.bounds.get_mut(g * self.nodes.len() + h) {
            *bound = radius;
        }
        self.events.push(Event { narrow: Narrow { radius, at }, first: g + 1, last: h });
    }
}

//! What a point sees: all corners that a straight line reaches without crossing a wall.
//!
//! The view spreads from the cells around the point through portals. In each cell it is a window between two directions,
//! which only gets narrower. Windows are closed: a corner on the border of a window is seen. Windows without width end,
//! because whatever lies behind is also seen from the corner that left no width. The cost grows with the cells in view.
//!
//! A corner on the border of all windows that show it is seen along one side of the line only: something touches the
//! line on the other side.

use crate::mesh::CellGraph;
use clearway_geometry::grid::Vector;
use clearway_geometry::{NONE, Point, Vec2};

/// A view ends after this many windows, and [`WINDOWS_PER_SIDE`] more for each side of the mesh. No view on a sound
/// mesh comes near the sum. On a mesh with flaws it may run in circles.
const MOST_WINDOWS: usize = 1 << 20;
/// The windows per side that are added to [`MOST_WINDOWS`]: obstacles divide the view of a cell into windows.
const WINDOWS_PER_SIDE: usize = 64;

/// A place to look from.
pub(super) trait Eye {
    /// A direction from the eye: the way to a vertex.
    type Way: Copy;

    /// True if it matters along which sides of the lines corners are seen.
    const MINDS_SIDES: bool;

    /// Returns the way to the start of a side.
    fn way(&self, graph: &CellGraph, side: usize) -> Self::Way;

    /// True if `to` lies strictly to the left of `from`, by less than half a turn.
    fn is_left(&self, from: Self::Way, to: Self::Way) -> bool;
}

/// An eye on a grid point: exact.
pub(super) struct GridEye<'a> {
    /// The place of the eye.
    pub at: Point,
    /// The places of all vertices.
    pub points: &'a [Point],
}

impl Eye for GridEye<'_> {
    type Way = Vector;
    const MINDS_SIDES: bool = true;

    #[inline]
    fn way(&self, graph: &CellGraph, side: usize) -> Vector {
        self.points[graph.vertex[side] as usize] - self.at
    }

    #[inline]
    fn is_left(&self, from: Vector, to: Vector) -> bool {
        from.cross(to) > 0
    }
}

/// An eye anywhere, up to rounding: it sees what a point within `slack` of it sees.
pub(super) struct FreeEye {
    /// The place of the eye, in grid units.
    pub at: Vec2,
    /// The rounding of that place, in grid units.
    pub slack: f64,
}

impl FreeEye {
    /// True if a place lies between two directions, or on one of them.
    pub fn holds(&self, [right, left]: [Vec2; 2], place: Vec2) -> bool {
        let way = place - self.at;
        !self.is_left(way, right) && !self.is_left(left, way)
    }
}

impl Eye for FreeEye {
    type Way = Vec2;
    // The lines from a start or a goal are checked against all walls.
    const MINDS_SIDES: bool = false;

    #[inline]
    fn way(&self, graph: &CellGraph, side: usize) -> Vec2 {
        graph.packed[side].at - self.at
    }

    #[inline]
    fn is_left(&self, from: Vec2, to: Vec2) -> bool {
        from.cross(to) > self.slack * (from.x.abs() + from.y.abs() + to.x.abs() + to.y.abs())
    }
}

/// A part of the view: through a side into a cell, between two directions.
#[derive(Clone, Copy, Debug)]
struct Window<W> {
    /// The cell that it looks into.
    cell: u32,
    /// The side of that cell by which it looks in.
    side: u32,
    /// The direction that bounds it on the right.
    right: W,
    /// The direction that bounds it on the left.
    left: W,
}

/// A scratch buffer for views, and the result of the last one.
#[derive(Debug)]
pub(super) struct View<W> {
    /// Windows that are still to be looked through.
    open: Vec<Window<W>>,
    /// For each corner the round in which it was seen last.
    stamps: Vec<u32>,
    /// The present round.
    round: u32,
    /// The corners in view.
    pub seen: Vec<u32>,
    /// For each corner in view, the sides of the line to it along which it is seen.
    sides: Vec<u8>,
}

/// There is room on the left of the line to a corner.
pub(super) const LEFT: u8 = 1;
/// There is room on the right of the line to a corner.
pub(super) const RIGHT: u8 = 2;

impl<W> Default for View<W> {
    fn default() -> View<W> {
        View { open: Vec::new(), stamps: Vec::new(), round: 0, seen: Vec::new(), sides: Vec::new() }
    }
}

impl<W: Copy> View<W> {
    /// Looks around from an eye that lies in all of `cells`. `enter` gets each cell in view; where the view enters it
    /// by a window, also the directions that bound the window on the right and on the left.
    pub fn look<E: Eye<Way = W>>(
        &mut self,
        graph: &CellGraph,
        eye: &E,
        cells: &[u32],
        enter: impl FnMut(u32, Option<[W; 2]>),
    ) {
        self.look_at_most(graph, eye, cells, MOST_WINDOWS + WINDOWS_PER_SIDE * graph.start.len(), enter);
    }

    /// As [`look`](View::look), through at most so many windows. Returns true if the view is whole.
    pub fn look_at_most<E: Eye<Way = W>>(
        &mut self,
        graph: &CellGraph,
        eye: &E,
        cells: &[u32],
        most: usize,
        mut enter: impl FnMut(u32, Option<[W; 2]>),
    ) -> bool {
        self.begin(graph.corners.len());
        for cell in cells.iter().copied() {
            enter(cell, None);
            self.look_out(graph, eye, cell, cells);
        }
        for _ in 0..most {
            let Some(window) = self.open.pop() else { return true };
            enter(window.cell, Some([window.right, window.left]));
            self.look_through(graph, eye, window);
        }
        self.open.is_empty()
    }

    /// Forgets the last view.
    fn begin(&mut self, corners: usize) {
        if self.stamps.len() != corners || self.round == u32::MAX {
            self.stamps.clear();
            self.stamps.resize(corners, 0);
            self.sides.resize(corners, 0);
            self.round = 0;
        }
        self.round += 1;
        self.seen.clear();
        self.open.clear();
    }

    /// Returns the sides of the line to a corner in view along which it is seen.
    pub fn sides_of(&self, corner: u32) -> u8 {
        self.sides[corner as usize]
    }

    /// Notes the corner at the start of a side, if the cell of the side sees one there.
    #[inline]
    fn see(&mut self, graph: &CellGraph, side: usize, room: u8) {
        let corner = graph.corner_seen[side];
        if corner == NONE {
            return;
        }
        if std::mem::replace(&mut self.stamps[corner as usize], self.round) == self.round {
            self.sides[corner as usize] |= room;
        } else {
            self.sides[corner as usize] = room;
            self.seen.push(corner);
        }
    }

    /// Looks out of a cell that holds the eye.
    fn look_out<E: Eye<Way = W>>(&mut self, graph: &CellGraph, eye: &E, cell: u32, cells: &[u32]) {
        for side in graph.sides(cell) {
            let [at, after] = [side, graph.next(cell, side)].map(|side| eye.way(graph, side));
            self.see(graph, side, room_in_cell(graph, eye, cell, at));
            let beyond = graph.packed[side].beyond;
            if beyond == NONE || cells.contains(&beyond) {
                continue;
            }
            if eye.is_left(at, after) {
                let (right, left) = (at, after);
                self.open.push(Window { cell: beyond, side: graph.packed[side].twin, right, left });
            }
        }
    }

    /// Looks through a window at all other sides of its cell, from right to left.
    #[inline]
    fn look_through<E: Eye<Way = W>>(&mut self, graph: &CellGraph, eye: &E, window: Window<W>) {
        let sides = graph.sides(window.cell);
        let Window { right, left, .. } = window;
        let following = |side: usize| if side + 1 == sides.end { sides.start } else { side + 1 };
        let mut side = following(window.side as usize);
        let mut start = eye.way(graph, side);
        let mut is_before = eye.is_left(start, right);
        if !is_before {
            self.see(graph, side, room_in(eye, start, [right, left]));
        }
        for _ in 1..sides.len() {
            let next = following(side);
            let end = eye.way(graph, next);
            let ends_before = eye.is_left(end, right);
            let ends_behind = eye.is_left(left, end);
            if !ends_before {
                if !ends_behind {
                    self.see(graph, next, room_in(eye, end, [right, left]));
                }
                let beyond = graph.packed[side].beyond;
                if beyond != NONE {
                    let bounds =
                        [if is_before { right } else { start }, if ends_behind { left } else { end }];
                    if eye.is_left(bounds[0], bounds[1]) {
                        let [right, left] = bounds;
                        self.open.push(Window { cell: beyond, side: graph.packed[side].twin, right, left });
                    }
                }
                if ends_behind {
                    return;
                }
            }
            (side, start, is_before) = (next, end, ends_before);
        }
    }
}

/// Returns the sides on which there is room beside a direction between two others.
#[inline]
fn room_in<E: Eye>(eye: &E, at: E::Way, [right, left]: [E::Way; 2]) -> u8 {
    if !E::MINDS_SIDES {
        return LEFT | RIGHT;
    }
    (if eye.is_left(at, left) { LEFT } else { 0 }) | (if eye.is_left(right, at) { RIGHT } else { 0 })
}

/// Returns the sides on which a cell that holds the eye has room beside a direction.
fn room_in_cell<E: Eye>(graph: &CellGraph, eye: &E, cell: u32, at: E::Way) -> u8 {
    if !E::MINDS_SIDES {
        return LEFT | RIGHT;
    }
    let ways = graph.sides(cell).map(|side| eye.way(graph, side));
    ways.fold(0, |room, way| {
        room | (if eye.is_left(at, way) { LEFT } else { 0 }) | (if eye.is_left(way, at) { RIGHT } else { 0 })
    })
}

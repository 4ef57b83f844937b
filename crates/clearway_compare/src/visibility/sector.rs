//! Exact points, and the free sectors around the ends of walls.
//!
//! A body without a radius may touch every wall and cross none, so only signs matter. Points are rounded once to 2^-23
//! of a grid unit, as in the look-up of cells; from there signs are exact.

use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::CellGraph;

/// The number of parts of a grid unit; the same as in the look-up of cells, so that both agree.
const PARTS: f64 = (1 << 23) as f64;

/// A point or a vector in 2^-23 grid units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// The x coordinate.
    x: i64,
    /// The y coordinate.
    y: i64,
}

impl Spot {
    /// Returns the exact point nearest to `at`, which must lie on the grid or close to it.
    pub fn of(at: Vec2) -> Spot {
        Spot { x: (at.x * PARTS).round() as i64, y: (at.y * PARTS).round() as i64 }
    }

    /// Returns the vector from here to `other`.
    pub fn to(self, other: Spot) -> Spot {
        Spot { x: other.x - self.x, y: other.y - self.y }
    }

    /// Returns the opposite vector.
    pub fn reversed(self) -> Spot {
        Spot { x: -self.x, y: -self.y }
    }

    /// Returns the cross product: positive if `other` turns left from here.
    pub fn cross(self, other: Spot) -> i128 {
        i128::from(self.x) * i128::from(other.y) - i128::from(self.y) * i128::from(other.x)
    }

    /// Returns the dot product.
    pub fn dot(self, other: Spot) -> i128 {
        i128::from(self.x) * i128::from(other.x) + i128::from(self.y) * i128::from(other.y)
    }

    /// Returns the same in grid units, for measuring.
    pub fn as_vec2(self) -> Vec2 {
        Vec2::new(self.x as f64 / PARTS, self.y as f64 / PARTS)
    }
}

/// True if `p` lies inside the segment from `a` to `b`, without its ends.
pub(super) fn is_between(a: Spot, b: Spot, p: Spot) -> bool {
    let (along, away) = (a.to(b), a.to(p));
    along.cross(away) == 0 && along.dot(away) > 0 && along.dot(b.to(p)) < 0
}

/// Returns the distance by which `p` lies left of the line from `a` to `b`, in grid units; the sign is exact.
pub(super) fn height(a: Vec2, b: Vec2, p: Vec2) -> f64 {
    let (along, away) = (Spot::of(a).to(Spot::of(b)), Spot::of(a).to(Spot::of(p)));
    along.cross(away) as f64 / (PARTS * PARTS) / a.distance(b)
}

/// True if the insides of two segments cross in one point.
pub(super) fn cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool {
    let (one, other) = (a.to(b), c.to(d));
    let opposite = |s: i128, t: i128| (s < 0 && t > 0) || (s > 0 && t < 0);
    opposite(one.cross(a.to(c)), one.cross(a.to(d))) && opposite(other.cross(c.to(a)), other.cross(c.to(b)))
}

/// The free directions at a point on a wall: counter-clockwise from `start` to `end`, both along walls. Equal
/// directions mean all directions, as at the end of a thin wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sector {
    /// The direction of the wall that begins the sector.
    pub start: Spot,
    /// The direction of the wall that ends it.
    pub end: Spot,
}

impl Sector {
    /// True if the sector is wider than a half turn: only there can a shortest path bend.
    pub fn is_wide(self) -> bool {
        let cross = self.start.cross(self.end);
        cross < 0 || (cross == 0 && self.start.dot(self.end) > 0)
    }

    /// True if a direction lies in it or along its walls.
    pub fn holds(self, direction: Spot) -> bool {
        if self.is_wide() {
            !(self.end.cross(direction) > 0 && direction.cross(self.start) > 0)
        } else {
            self.start.cross(direction) >= 0 && direction.cross(self.end) >= 0
        }
    }
}

/// The sides around each vertex. Every free sector begins with the wall that has it on its left.
pub(super) struct Fan<'a> {
    /// The mesh.
    layout: &'a CellGraph,
    /// For each side, its cell.
    cell_of: Vec<u32>,
}

impl<'a> Fan<'a> {
    /// Finds the cell of each side.
    pub fn new(layout: &'a CellGraph) -> Fan<'a> {
        let mut cell_of = vec![0; layout.vertex.len()];
        for cell in 0..layout.cell_slots() as u32 {
            cell_of[layout.sides(cell)].fill(cell);
        }
        Fan { layout, cell_of }
    }

    /// Returns the cell of a side.
    pub fn cell(&self, side: usize) -> u32 {
        self.cell_of[side]
    }

    /// Returns both ends of a side.
    pub fn ends(&self, side: usize) -> [Vec2; 2] {
        self.layout.ends(self.cell_of[side], side)
    }

    /// Returns the side that follows counter-clockwise in the same cell.
    pub fn next(&self, side: usize) -> usize {
        self.layout.next(self.cell_of[side], side)
    }

    /// Returns the side that precedes in the same cell.
    pub fn previous(&self, side: usize) -> usize {
        let sides = self.layout.sides(self.cell_of[side]);
        if side == sides.start { sides.end - 1 } else { side - 1 }
    }

    /// Returns the sides that start at the vertex of `wall` in the cells of the free sector that it begins,
    /// counter-clockwise.
    pub fn sector_sides(&self, wall: usize) -> Vec<usize> {
        let mut sides = vec![wall];
        let mut last = wall;
        // The sector ends at a wall; the count only guards against a broken mesh.
        for _ in 0..self.cell_of.len() {
            let twin = self.layout.twin[self.previous(last)];
            if twin == NONE {
                break;
            }
            last = twin as usize;
            sides.push(last);
        }
        sides
    }

    /// Returns the free sector that begins with `wall`.
    pub fn sector(&self, wall: usize) -> Sector {
        let last = self.sector_sides(wall).last().copied().unwrap_or(wall);
        let at = Spot::of(self.layout.start[wall]);
        let [_, onward] = self.ends(wall);
        let back = self.layout.start[self.previous(last)];
        Sector { start: at.to(Spot::of(onward)), end: at.to(Spot::of(back)) }
    }

    /// Returns the wall that begins the free sector around the start of `side` in which the cell of `side` lies. `None`
    /// at a vertex without walls.
    pub fn sector_wall(&self, side: usize) -> Option<usize> {
        let mut current = side;
        for _ in 0..self.cell_of.len() {
            match self.layout.twin[current] {
                NONE => return Some(current),
                twin => current = self.next(twin as usize),
            }
            if current == side {
                return None;
            }
        }
        None
    }
}

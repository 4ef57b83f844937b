//! Cuts triangles into columns: finds which triangles pass through each column of a lattice, and at which heights.
//!
//! The lattice lies in the world, not in the scene, so that it does not depend on the scene's extent. It is processed
//! in square tiles. In each tile all triangles are cut into rows and the rows into columns. Every fragment is one flat
//! record; sorting the records gives the spans of each column. Cost: about 200 ns per fragment in a test build.

use crate::surface::faces::soup::{Corner, Kind, Soup};
use clearway_geometry::Point;
use clearway_geometry::boxes::Box2;

/// A tile has 2 to this power columns along each side. A tile of 128 by 128 bounds the scratch memory of a thread;
/// smaller tiles cut large triangles more often.
const TILE_BITS: u32 = 7;

/// The number of columns along the side of a tile.
pub const TILE: i32 = 1 << TILE_BITS;

/// Vertical columns with square sections, aligned with the world.
#[derive(Clone, Copy, Debug)]
pub struct Lattice {
    /// The side of a column, in grid units.
    pub cell: f64,
}

/// A column: its positions along x and along y.
pub type Column = [i32; 2];

impl Lattice {
    /// Returns the grid coordinate of a line of the lattice. It is rounded, so that columns have integer sections.
    pub fn line(&self, number: i32) -> i32 {
        (f64::from(number) * self.cell).round() as i32
    }

    /// Returns a corner of the lattice.
    pub fn corner(&self, [x, y]: [i32; 2]) -> Point {
        Point::new(self.line(x), self.line(y))
    }

    /// Returns the square of a column.
    pub fn section(&self, [x, y]: Column) -> Box2 {
        Box2 { min: self.corner([x, y]), max: self.corner([x + 1, y + 1]) }
    }

    /// Returns the last line at or below a coordinate.
    pub fn below(&self, coordinate: i32) -> i32 {
        let guess = (f64::from(coordinate) / self.cell).floor() as i32;
        // Lines are rounded: the guess may be off by one.
        match () {
            () if self.line(guess) > coordinate => guess - 1,
            () if self.line(guess + 1) <= coordinate => guess + 1,
            () => guess,
        }
    }

    /// Returns the tile that holds a grid point.
    pub fn tile_of(&self, at: Point) -> Column {
        [at.x, at.y].map(|coordinate| self.below(coordinate) >> TILE_BITS)
    }

    /// Returns the square of a tile.
    pub fn tile(&self, [x, y]: Column) -> Box2 {
        let [x, y] = [x << TILE_BITS, y << TILE_BITS];
        Box2 { min: self.corner([x, y]), max: self.corner([x + TILE, y + TILE]) }
    }
}

/// The part of a face in one column, with its lowest and highest point there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The index of the column in its tile, row by row.
    column: u32,
    /// The lowest height, in grid units, rounded down.
    pub low: i32,
    /// The greatest height, in grid units, rounded up.
    pub high: i32,
    /// The index of the face.
    pub face: u32,
}

/// The spans of all columns of a tile.
#[derive(Debug)]
pub struct Tile {
    /// The position of the tile.
    pub at: Column,
    /// The start of each column in `spans`, and the end of the last.
    starts: Vec<u32>,
    /// All spans, sorted by column, then by height.
    spans: Vec<Span>,
}

impl Tile {
    /// Cuts faces into the columns of a tile. Upright faces have no area there and are left out.
    pub fn of(soup: &Soup, lattice: Lattice, at: Column, faces: &[u32]) -> Tile {
        let mut spans = Vec::new();
        for face in faces.iter().copied().filter(|face| soup.faces[*face as usize].kind != Kind::Upright) {
            cut(soup.corners(face), lattice, at, |column, [low, high]| {
                spans.push(Span { column, low: low.floor() as i32, high: high.ceil() as i32, face });
            });
        }
        spans.sort_unstable();
        let mut starts = vec![0u32; (TILE * TILE) as usize + 1];
        for span in &spans {
            starts[span.column as usize + 1] += 1;
        }
        for column in 1..starts.len() {
            starts[column] += starts[column - 1];
        }
        Tile { at, starts, spans }
    }

    /// Returns the number of spans.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns the spans of a column of this tile.
    pub fn spans(&self, [x, y]: Column) -> &[Span] {
        let place = ((y & (TILE - 1)) * TILE + (x & (TILE - 1))) as usize;
        &self.spans[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Returns all columns that are not empty, with their spans.
    pub fn columns(&self) -> impl Iterator<Item = (Column, &[Span])> {
        let [x, y] = self.at.map(|tile| tile << TILE_BITS);
        self.spans.chunk_by(|p, q| p.column == q.column).map(move |spans| {
            let column = spans[0].column as i32;
            ([x + (column & (TILE - 1)), y + (column >> TILE_BITS)], spans)
        })
    }
}

/// A convex polygon with heights. It has a fixed size, so that cutting needs no memory of its own.
#[derive(Clone, Copy)]
struct Polygon {
    /// The corners: x, y and height in grid units. Only the first `count` are in use.
    corners: [[f64; 3]; 12],
    /// The number of corners in use.
    count: usize,
}

impl Polygon {
    /// The polygon without corners.
    const NOTHING: Polygon = Polygon { corners: [[0.0; 3]; 12], count: 0 };

    /// Adds a corner; corners beyond the capacity are dropped.
    fn push(&mut self, corner: [f64; 3]) {
        // A triangle cut by a rectangle has at most seven corners, so that nothing is dropped.
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }

    /// Returns the least and the greatest coordinate along an axis.
    fn range(&self, axis: usize) -> [f64; 2] {
        self.corners[..self.count].iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], corner| {
            [low.min(corner[axis]), high.max(corner[axis])]
        })
    }

    /// Splits the polygon at a coordinate along an axis: what lies below, and what lies above.
    fn split(&self, axis: usize, at: f64) -> [Polygon; 2] {
        let [low, high] = self.range(axis);
        if high <= at {
            return [*self, Polygon::NOTHING];
        }
        if low >= at {
            return [Polygon::NOTHING, *self];
        }
        let [mut below, mut above] = [Polygon::NOTHING; 2];
        for i in 0..self.count {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let (here, there) = (p[axis] - at, q[axis] - at);
            if here <= 0.0 {
                below.push(p);
            }
            if here >= 0.0 {
                above.push(p);
            }
            if here * there < 0.0 {
                let t = here / (here - there);
                let mut between = [0, 1, 2].map(|i| p[i] + (q[i] - p[i]) * t);
                // The coordinate is set exactly: both halves must end on the same line.
                between[axis] = at;
                below.push(between);
                above.push(between);
            }
        }
        [below, above]
    }
}

/// Returns a lower bound for the number of columns of a tile that a triangle lies in: its area there, in columns.
pub fn least_columns(corners: [Corner; 3], lattice: Lattice, tile: Column) -> f64 {
    let mut rest = Polygon::NOTHING;
    for corner in corners {
        rest.push([corner.at.x, corner.at.y, corner.height].map(f64::from));
    }
    let Box2 { min, max } = lattice.tile(tile);
    for (axis, low, high) in [(0, min.x, max.x), (1, min.y, max.y)] {
        [_, rest] = rest.split(axis, f64::from(low));
        [rest, _] = rest.split(axis, f64::from(high));
    }
    let ring = &rest.corners[..rest.count];
    let sides = ring.iter().zip(ring.iter().cycle().skip(1));
    let doubled: f64 = sides
        .map(|(p, q)| (p[0] - ring[0][0]) * (q[1] - ring[0][1]) - (p[1] - ring[0][1]) * (q[0] - ring[0][0]))
        .sum();
    0.5 * doubled.abs() / (lattice.cell * lattice.cell)
}

/// Cuts a triangle into rows and the rows into columns, as far as they lie in a tile. Calls `emit` with the index of
/// each column in the tile and the heights of the fragment.
fn cut(corners: [Corner; 3], lattice: Lattice, tile: Column, mut emit: impl FnMut(u32, [f64; 2])) {
    let mut rest = Polygon::NOTHING;
    for corner in corners {
        rest.push([corner.at.x, corner.at.y, corner.height].map(f64::from));
    }
    let [left, bottom] = tile.map(|number| number << TILE_BITS);
    let line = |number: i32| f64::from(lattice.line(number));
    [_, rest] = rest.split(1, line(bottom));
    [_, rest] = rest.split(0, line(left));
    if rest.count < 3 {
        return;
    }
    for row in first(lattice, &rest, 1, bottom)..bottom + TILE {
        if rest.count < 3 {
            return;
        }
        let [mut strip, above] = rest.split(1, line(row + 1));
        rest = above;
        if strip.count < 3 {
            continue;
        }
        for column in first(lattice, &strip, 0, left)..left + TILE {
            if strip.count < 3 {
                break;
            }
            let [fragment, beyond] = strip.split(0, line(column + 1));
            strip = beyond;
            if fragment.count >= 3 {
                emit(((row - bottom) * TILE + column - left) as u32, fragment.range(2));
            }
        }
    }
}

/// Returns the first row or column of a tile that a polygon reaches.
fn first(lattice: Lattice, polygon: &Polygon, axis: usize, least: i32) -> i32 {
    lattice.below(polygon.range(axis)[0].floor() as i32).max(least)
}

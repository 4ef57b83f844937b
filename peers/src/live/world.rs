//! The city of the thesis: square blocks of 15 m, streets of 5 m. Our side gets all of it, Detour a window of 180 m, since a
//! tile costs the same in a world of any size.

use clearway::Plan;

#[cfg(feature = "recast")]
use crate::recast_mesh::Soup;

/// The distance of two blocks, in metres.
pub const PITCH: f64 = 20.0;
/// The side of a block.
pub const BLOCK: f64 = 15.0;
/// Half a street: the least corner of a block within its square of the grid.
pub const MARGIN: f64 = (PITCH - BLOCK) / 2.0;
/// Blocks along a side of the window.
pub const WINDOW: usize = 9;
/// The height of a wall: above Recast's head-room.
#[cfg(feature = "recast")]
const WALL_HEIGHT: f32 = 3.0;

/// A city of `side` by `side` blocks.
pub struct City {
    /// Blocks along a side.
    pub side: usize,
}

impl City {
    /// The city with about so many segments.
    pub fn of_segments(segments: usize) -> City {
        City { side: ((segments as f64 / 4.0).sqrt().round() as usize).max(WINDOW) }
    }

    /// The least corner of a block.
    pub fn corner(&self, block: usize) -> [f64; 2] {
        [block % self.side, block / self.side].map(|place| PITCH * place as f64 + MARGIN)
    }

    /// The plan without some blocks, which must be sorted.
    pub fn plan(&self, without: &[usize]) -> Plan {
        let size = PITCH * self.side as f64;
        let blocks = (0..self.side * self.side).filter(|block| without.binary_search(block).is_err());
        let rings = blocks.map(|block| square(self.corner(block), BLOCK));
        Plan::from_rings([square([0.0; 2], size)].into_iter().chain(rings))
    }
}

/// The corners of a square.
pub fn square([x, y]: [f64; 2], side: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
}

/// A part of the city whose blocks can stand elsewhere within their squares.
#[cfg(feature = "recast")]
pub struct Window {
    /// The least corner of every block within its square.
    blocks: Vec<[f64; 2]>,
}

#[cfg(feature = "recast")]
impl Window {
    /// All blocks where they were built.
    pub fn new() -> Window {
        Window { blocks: vec![[MARGIN; 2]; WINDOW * WINDOW] }
    }

    /// The side of the window in metres.
    pub fn size(&self) -> f64 {
        PITCH * WINDOW as f64
    }

    /// Moves a block to an offset from where it was built, and says where its least corner is now.
    pub fn shift(&mut self, [column, row]: [usize; 2], offset: [f64; 2]) -> [f64; 2] {
        let within = offset.map(|offset| MARGIN + offset);
        self.blocks[row * WINDOW + column] = within;
        [column as f64 * PITCH + within[0], row as f64 * PITCH + within[1]]
    }

    /// The ground and the walls of all squares that a rectangle touches.
    pub fn soup(&self, low: [f64; 2], high: [f64; 2]) -> Soup {
        let mut soup = Soup::default();
        let place = |c: f64| ((c / PITCH).floor().max(0.0) as usize).min(WINDOW - 1);
        for row in place(low[1])..=place(high[1]) {
            for column in place(low[0])..=place(high[0]) {
                let origin = [column, row].map(|place| place as f64 * PITCH);
                add_square(&mut soup, origin, self.blocks[row * WINDOW + column]);
            }
        }
        soup
    }
}

/// Adds the ground of a square of the grid, four strips around its block, and the walls of the block.
#[cfg(feature = "recast")]
fn add_square(soup: &mut Soup, [x, z]: [f64; 2], [dx, dz]: [f64; 2]) {
    let [left, right, near, far] = [dx, dx + BLOCK, dz, dz + BLOCK];
    for [from, to] in [
        [[0.0, 0.0], [PITCH, near]],
        [[0.0, far], [PITCH, PITCH]],
        [[0.0, near], [left, far]],
        [[right, near], [PITCH, far]],
    ] {
        let corners = [[from[0], from[1]], [from[0], to[1]], [to[0], to[1]], [to[0], from[1]]];
        add_quad(soup, corners.map(|[u, v]| [(x + u) as f32, 0.0, (z + v) as f32]));
    }
    let ring = square([x + dx, z + dz], BLOCK).into_iter();
    for ([ax, az], [bx, bz]) in ring.clone().zip(ring.cycle().skip(1)) {
        let [ax, az, bx, bz] = [ax, az, bx, bz].map(|c| c as f32);
        let high = WALL_HEIGHT;
        add_quad(soup, [[ax, 0.0, az], [bx, 0.0, bz], [bx, high, bz], [ax, high, az]]);
    }
}

#[cfg(feature = "recast")]
fn add_quad(soup: &mut Soup, corners: [[f32; 3]; 4]) {
    let first = soup.vertices.len() as i32;
    soup.vertices.extend(corners);
    soup.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

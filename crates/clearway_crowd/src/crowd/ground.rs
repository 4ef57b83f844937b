//! The mesh as the crowd reads it: cells with tiles, and sides in metres.
//!
//! Each cell has a grid of tiles over its box; small cells have one. Bodies are sorted by tile in each step, so that
//! those near a body are read row by row. Each tile lists the sides of its cell that lie within reach. Two equal pieces
//! of wall may be joined by a [`Wrap`]: they become a portal with a translation. Cost: linear in tiles and sides.

use super::routes::distance;
use crate::vector::Vector;
use clearway_base::{Error, ErrorKind, Result};
use clearway_geometry::NONE;
use clearway_nav::mesh::CellId;
use clearway_nav::query::Wall;
use clearway_nav::{Location, NavMesh};

/// Two equal pieces of wall that are joined: who leaves through one comes in through the other.
///
/// Periodic corridors and teleports are made so. `from` runs from one end to the other, and `to` runs the same way: its
/// first end is where the first end of `from` comes out. Both must be whole sides of cells, or rows of them that are
/// divided alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrap {
    /// The ends of one piece, in plan coordinates.
    pub from: [[f64; 2]; 2],
    /// The ends of the other piece.
    pub to: [[f64; 2]; 2],
}

/// A side of a cell, in plan coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundSide {
    /// Its start; the cell lies on the left.
    pub from: [f64; 2],
    /// Its end.
    pub to: [f64; 2],
    /// The translation of a body that passes; zero but for wraps.
    pub shift: [f64; 2],
    /// The cell beyond it; [`NONE`] for a wall.
    pub beyond: u32,
    /// The same portal as a side of the cell beyond; [`NONE`] for a wall.
    pub twin: u32,
    /// The number of the portal; wraps are numbered after the portals of the mesh. [`NONE`] for a wall.
    pub portal: u32,
    /// True if the portal is measured from the end of this side, not from its start.
    pub is_reversed: bool,
    /// The unit direction in which the portal is measured. Kept, because way points ask for it many times in a step.
    pub along: [f64; 2],
}

impl GroundSide {
    /// Returns the length in metres.
    pub fn length(&self) -> f64 {
        distance(self.from, self.to)
    }

    /// Returns the end from which the portal is measured, and the unit direction away from it.
    #[inline]
    pub fn track(&self) -> ([f64; 2], [f64; 2]) {
        (if self.is_reversed { self.to } else { self.from }, self.along)
    }

    /// Sets the direction in which the portal is measured.
    fn set_along(&mut self) {
        let (start, end) = if self.is_reversed { (self.to, self.from) } else { (self.from, self.to) };
        let length = self.length().max(f64::MIN_POSITIVE);
        self.along = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
    }
}

/// A cell and its tiles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundCell {
    /// The lower corner of its box.
    pub low: [f64; 2],
    /// The number of tiles in each direction.
    pub tiles: [u32; 2],
    /// Its first tile.
    pub first_tile: u32,
    /// Its first side.
    pub first_side: u32,
    /// One past its last side.
    pub end_side: u32,
}

/// The largest number of tiles. A mesh that needs more gets larger tiles: 4 million take 16 MB.
const MOST_TILES: f64 = (1 << 22) as f64;

/// The mesh as the crowd reads it.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// Identifies the mesh.
    pub serial: u64,
    /// The distance in metres within which the sides of a tile are listed.
    pub reach: f64,
    /// The size of a tile in metres.
    pub pitch: f64,
    /// The cells of the mesh.
    pub cells: Vec<GroundCell>,
    /// The sides of the cells, numbered as in the mesh.
    pub sides: Vec<GroundSide>,
    /// For each wall, the walls that join it, as vectors away from its start and away from its end.
    pub joining: Vec<[Vector; 2]>,
    /// The number of portals, wraps included.
    pub portal_count: usize,
    /// The number of tiles.
    pub tile_count: usize,
    /// For each tile the first entry in `near_sides`; one more entry ends the last tile.
    near_first: Vec<u32>,
    /// The sides within reach of each tile.
    near_sides: Vec<u32>,
}

impl Ground {
    /// Derives the ground from a mesh. Bodies may ask for what lies within `reach` metres.
    pub fn new(mesh: &NavMesh, reach: f64, wraps: &[Wrap]) -> Result<Ground> {
        let mut ground = Ground {
            serial: mesh.graph().serial,
            reach,
            pitch: 0.5 * reach,
            cells: Vec::with_capacity(mesh.cell_slots()),
            sides: sides_of(mesh),
            joining: Vec::new(),
            portal_count: mesh.portal_slots(),
            tile_count: 0,
            near_first: vec![0],
            near_sides: Vec::new(),
        };
        for (number, wrap) in wraps.iter().enumerate() {
            ground
                .join(mesh, wrap)
                .map_err(|why| Error::new(ErrorKind::Options, format!("wrap {number}: {why}")))?;
        }
        ground.sides.iter_mut().for_each(GroundSide::set_along);
        ground.lay_tiles(mesh);
        ground.find_joining_walls();
        ground.list_near_sides();
        Ok(ground)
    }

    /// Returns the sides of a cell by number.
    #[inline]
    pub fn sides_of(&self, cell: u32) -> std::ops::Range<usize> {
        let cell = &self.cells[cell as usize];
        cell.first_side as usize..cell.end_side as usize
    }

    /// Returns the tile of a place in a cell. A place outside of the cell gets the nearest tile.
    #[inline]
    pub fn tile(&self, cell: u32, at: [f64; 2]) -> u32 {
        let cell = &self.cells[cell as usize];
        let place = |axis: usize| {
            let number = ((at[axis] - cell.low[axis]) / self.pitch).max(0.0) as u32;
            number.min(cell.tiles[axis] - 1)
        };
        cell.first_tile + place(1) * cell.tiles[0] + place(0)
    }

    /// Returns the sides of the tile's cell that lie within reach of the tile.
    #[inline]
    pub fn near_sides(&self, tile: u32) -> &[u32] {
        let [first, end] = [tile, tile + 1].map(|tile| self.near_first[tile as usize] as usize);
        &self.near_sides[first..end]
    }

    /// Returns the first tile of a cell, and one past its last.
    #[inline]
    pub fn tiles_of(&self, cell: u32) -> [u32; 2] {
        let cell = &self.cells[cell as usize];
        [cell.first_tile, cell.first_tile + cell.tiles[0] * cell.tiles[1]]
    }

    /// Visits the rows of tiles of a cell that meet a box, as ranges of tile numbers.
    #[inline]
    pub fn rows(&self, cell: u32, [low, high]: [[f64; 2]; 2], mut visit: impl FnMut(u32, u32)) {
        let cell = &self.cells[cell as usize];
        if cell.tiles == [1, 1] {
            return visit(cell.first_tile, cell.first_tile + 1);
        }
        let place = |corner: [f64; 2], axis: usize| (corner[axis] - cell.low[axis]) / self.pitch;
        let ends = [place(high, 0), place(high, 1)];
        if ends[0] < 0.0 || ends[1] < 0.0 {
            return;
        }
        // The conversion makes zero of what is negative, and whole numbers need no call of a library.
        let [x0, y0] = [place(low, 0) as u32, place(low, 1) as u32];
        let [x1, y1] = [0, 1].map(|axis| (ends[axis] as u32).min(cell.tiles[axis] - 1));
        if x0 > x1 {
            return;
        }
        for y in y0..=y1 {
            let row = cell.first_tile + y * cell.tiles[0];
            visit(row + x0, row + x1 + 1);
        }
    }

    /// True if all that the mesh has as walls within a distance of a place is joined by wraps.
    pub fn only_wraps_near(&self, mesh: &NavMesh, at: Location, distance: f64) -> bool {
        let is_wrap = |wall: &Wall| {
            let mut sides = self.sides[self.sides_of(wall.cell.0)].iter();
            sides.any(|side| side.beyond != NONE && (side.from, side.to) == (wall.from, wall.to))
        };
        let has_wraps = self.portal_count > mesh.portal_slots();
        has_wraps && mesh.is_here(&at) && mesh.walls_near(at, distance).iter().all(is_wrap)
    }

    /// Joins two pieces of wall.
    fn join(&mut self, mesh: &NavMesh, wrap: &Wrap) -> std::result::Result<(), String> {
        // Corners were rounded to the grid.
        let slack = 2.0 * mesh.unit();
        let length = |[a, b]: [[f64; 2]; 2]| distance(a, b);
        let finite = wrap.from.iter().chain(&wrap.to).flatten().all(|c| c.is_finite());
        if !finite || (length(wrap.from) - length(wrap.to)).abs() > slack {
            return Err("both pieces of wall must be finite and of equal length".to_string());
        }
        let mut joined = 0.0;
        let walls: Vec<(u32, usize)> = self.walls(mesh);
        for (cell, side) in walls.iter().copied() {
            let Some(part) = part_of(wrap.from, &self.sides[side], slack) else { continue };
            let other = walls.iter().copied().find(|(_, other)| {
                let found = part_of(wrap.to, &self.sides[*other], slack);
                found.is_some_and(|found| {
                    (found[0] - part[1]).abs() <= slack && (found[1] - part[0]).abs() <= slack
                })
            });
            let Some((other_cell, other)) = other else {
                return Err("both pieces of wall must be divided alike by cells".to_string());
            };
            joined += self.sides[side].length();
            self.pair((cell, side), (other_cell, other));
        }
        if joined + 2.0 * slack < length(wrap.from) {
            return Err(format!("only {joined:.3} m of it are walls of the mesh"));
        }
        Ok(())
    }

    /// Makes a portal of two walls.
    fn pair(&mut self, (cell, side): (u32, usize), (other_cell, other): (u32, usize)) {
        let (one, two) = (self.sides[side], self.sides[other]);
        let shift = [two.to[0] - one.from[0], two.to[1] - one.from[1]];
        let portal = self.portal_count as u32;
        self.portal_count += 1;
        self.sides[side] =
            GroundSide { shift, beyond: other_cell, twin: other as u32, portal, is_reversed: false, ..one };
        self.sides[other] = GroundSide {
            shift: [-shift[0], -shift[1]],
            beyond: cell,
            twin: side as u32,
            portal,
            is_reversed: true,
            ..two
        };
    }

    /// Returns all walls with their cells.
    fn walls(&self, mesh: &NavMesh) -> Vec<(u32, usize)> {
        let graph = mesh.graph();
        let cells = 0..graph.cell_slots() as u32;
        let walls = cells.flat_map(|cell| graph.sides(cell).map(move |side| (cell, side)));
        walls.filter(|(_, side)| self.sides[*side].beyond == NONE).collect()
    }

    /// Lays tiles over all cells.
    fn lay_tiles(&mut self, mesh: &NavMesh) {
        let boxes: Vec<[[f64; 2]; 2]> =
            (0..mesh.cell_slots() as u32).map(|cell| box_of(&self.sides[mesh.graph().sides(cell)])).collect();
        let count = |size: f64, pitch: f64| (size / pitch).floor() + 1.0;
        let tiles = |pitch: f64| -> f64 {
            boxes
                .iter()
                .map(|[low, high]| count(high[0] - low[0], pitch) * count(high[1] - low[1], pitch))
                .sum()
        };
        while tiles(self.pitch) > MOST_TILES.max(2.0 * boxes.len() as f64) {
            self.pitch *= 2.0;
        }
        for (cell, [low, high]) in boxes.iter().enumerate() {
            let tiles = [0, 1].map(|axis| count(high[axis] - low[axis], self.pitch) as u32);
            let sides = mesh.graph().sides(cell as u32);
            self.cells.push(GroundCell {
                low: *low,
                tiles,
                first_tile: self.tile_count as u32,
                first_side: sides.start as u32,
                end_side: sides.end as u32,
            });
            self.tile_count += tiles[0] as usize * tiles[1] as usize;
        }
    }

    /// Finds the walls that join each wall. The list has a place for every side number: edits leave gaps among the sides
    /// and number them in another order than the cells.
    fn find_joining_walls(&mut self) {
        self.joining = vec![[Vector::ZERO; 2]; self.sides.len()];
        for cell in 0..self.cells.len() as u32 {
            for side in self.sides_of(cell) {
                self.joining[side] = self.joining_walls(cell, side);
            }
        }
    }

    /// Returns the walls that join a wall at its start and at its end, as vectors away from it; zero for a portal.
    fn joining_walls(&self, cell: u32, side: usize) -> [Vector; 2] {
        if self.sides[side].beyond != NONE {
            return [Vector::ZERO; 2];
        }
        let vector = |side: usize| Vector::between(self.sides[side].from, self.sides[side].to);
        [false, true].map(|at_end| {
            let (mut cell, mut at) = (cell, side);
            // Around the vertex, through its portals, to the next wall. Every wall has one.
            for _ in 0..self.sides.len() {
                let sides = self.sides_of(cell);
                at = match at_end {
                    true if at + 1 == sides.end => sides.start,
                    true => at + 1,
                    false if at == sides.start => sides.end - 1,
                    false => at - 1,
                };
                let found = &self.sides[at];
                if found.beyond == NONE {
                    break;
                }
                (cell, at) = (found.beyond, found.twin as usize);
            }
            if at_end { vector(at) } else { -vector(at) }
        })
    }

    /// Lists the sides within reach of each tile.
    fn list_near_sides(&mut self) {
        self.near_first.reserve(self.tile_count);
        for cell in 0..self.cells.len() as u32 {
            let [columns, rows] = self.cells[cell as usize].tiles;
            for row in 0..rows {
                for column in 0..columns {
                    self.list_sides_near_tile(cell, [column, row]);
                    self.near_first.push(self.near_sides.len() as u32);
                }
            }
        }
    }

    /// Lists the sides within reach of one tile. The last tiles reach a little beyond the box.
    fn list_sides_near_tile(&mut self, cell: u32, place: [u32; 2]) {
        let low =
            [0, 1].map(|axis| self.cells[cell as usize].low[axis] + f64::from(place[axis]) * self.pitch);
        let middle = low.map(|c| c + 0.5 * self.pitch);
        let within = self.reach + self.pitch * std::f64::consts::FRAC_1_SQRT_2;
        for side in self.sides_of(cell) {
            let GroundSide { from, to, .. } = self.sides[side];
            if distance_to_segment(middle, from, to) <= within {
                self.near_sides.push(side as u32);
            }
        }
    }
}

/// Returns the sides of all cells.
fn sides_of(mesh: &NavMesh) -> Vec<GroundSide> {
    let graph = mesh.graph();
    let nothing = GroundSide {
        from: [0.0; 2],
        to: [0.0; 2],
        shift: [0.0; 2],
        beyond: NONE,
        twin: NONE,
        portal: NONE,
        is_reversed: false,
        along: [0.0; 2],
    };
    // Edits leave gaps among the sides.
    let mut sides = vec![nothing; graph.start.len()];
    for cell in 0..graph.cell_slots() as u32 {
        let Some(view) = mesh.cell(CellId(cell)) else { continue };
        let corners: Vec<[f64; 2]> = view.outline().collect();
        for (place, record) in view.records().iter().enumerate() {
            let side = graph.sides(cell).start + place;
            let start = mesh.portal(clearway_nav::mesh::PortalId(record.portal));
            sides[side] = GroundSide {
                from: corners[place],
                to: corners[(place + 1) % corners.len()],
                shift: [0.0; 2],
                beyond: graph.beyond[side],
                twin: graph.twin[side],
                portal: record.portal,
                is_reversed: start.is_some_and(|portal| portal.vertices[0].0 != record.vertex),
                along: [0.0; 2],
            };
        }
    }
    sides
}

/// Returns the places along a segment, in metres, at which a side begins and ends; `None` if the side is not part of
/// the segment.
fn part_of([a, b]: [[f64; 2]; 2], side: &GroundSide, slack: f64) -> Option<[f64; 2]> {
    let length = distance(a, b);
    let along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    let place = |p: [f64; 2]| {
        let offset = [p[0] - a[0], p[1] - a[1]];
        let aside = along[0] * offset[1] - along[1] * offset[0];
        let place = along[0] * offset[0] + along[1] * offset[1];
        (aside.abs() <= slack && place >= -slack && place <= length + slack).then_some(place)
    };
    Some([place(side.from)?, place(side.to)?])
}

/// Returns the box around sides.
fn box_of(sides: &[GroundSide]) -> [[f64; 2]; 2] {
    if sides.is_empty() {
        // A cell that an edit took away.
        return [[0.0; 2]; 2];
    }
    let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    for GroundSide { from: [x, y], .. } in sides {
        bounds[0] = [bounds[0][0].min(*x), bounds[0][1].min(*y)];
        bounds[1] = [bounds[1][0].max(*x), bounds[1][1].max(*y)];
    }
    bounds
}

/// Returns the distance of a point from a segment.
pub(crate) fn distance_to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    distance(nearest_on_segment(p, a, b), p)
}

/// Returns the point of a segment nearest to a point.
pub(crate) fn nearest_on_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let dot = (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1];
    let share = if squared > 0.0 { (dot / squared).clamp(0.0, 1.0) } else { 0.0 };
    [a[0] + share * along[0], a[1] + share * along[1]]
}

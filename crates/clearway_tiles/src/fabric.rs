//! The loaded pieces glued along their portals, with needless portals taken out.
//!
//! Portals between pieces of a cell that is loaded whole go first: what is left is the cell as it was. Then portals go
//! that touch a cell that is loaded in part, and that no corner needs, in the order of their numbers. Points that cutting
//! added and that no portal ends at go last. Invariant: the result depends on the set of pieces alone.

use crate::lines::TileId;
use crate::tile::Tile;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::predicates::is_convex_sector;
use clearway_geometry::{NONE, Point, Vector};
use std::collections::BTreeMap;

/// A side of the fabric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    /// The vertex where it starts, by its number in the world.
    pub from: u32,
    /// The point there.
    pub at: Point,
    /// The portal in the numbers of the world; `NONE` for a wall.
    pub portal: u32,
    /// The side on the other side of the portal; `NONE` for a wall or an open seam.
    pub twin: u32,
    /// The next side of the cell.
    pub next: u32,
    /// The previous side of the cell.
    pub prev: u32,
    /// The cell, as the number of a piece that stands for it.
    pub cell: u32,
    /// True once it was taken out.
    pub is_dead: bool,
    /// The tile beyond; this tile if there is no other.
    pub beyond: TileId,
}

/// A loaded piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded {
    /// The number of its tile among the loaded ones.
    pub tile: u32,
    /// Its number in the tile.
    pub cell: u32,
    /// The cell that it is a piece of, and its number there.
    pub key: (u32, u32),
    /// The place of its first patch in the tile.
    pub first_patch: u32,
    /// The first of its sides in the fabric.
    pub first_side: u32,
    /// The area class.
    pub area: u8,
}

/// The glued pieces.
pub(crate) struct Fabric {
    /// The pieces, sorted by cell and number.
    pub pieces: Vec<Loaded>,
    /// The sides.
    pub halves: Vec<Half>,
    /// For each piece, the piece that stands for its cell.
    pub stands_for: Vec<u32>,
    /// For each piece that stood for a cell, the piece that stands for the cell that it was joined to.
    root: Vec<u32>,
    /// For each piece that stands for a cell, true if some cell in it is not loaded whole.
    is_part: Vec<bool>,
    /// Vertices with this number or a higher one were added by cutting.
    first_added: u32,
}

impl Fabric {
    /// Glues the pieces of tiles, and takes out what is not needed. Fails if tiles do not fit together.
    pub fn of(tiles: &[&Tile]) -> Result<Fabric> {
        let mut fabric = Fabric::laid_out(tiles);
        check_points(tiles)?;
        fabric.check_pieces(tiles)?;
        fabric.glue(tiles)?;
        fabric.restore_cells(tiles);
        fabric.drop_needless_portals();
        fabric.drop_added_points();
        Ok(fabric)
    }

    /// Lays out the sides of all pieces, not yet glued.
    fn laid_out(tiles: &[&Tile]) -> Fabric {
        let mut pieces = Vec::new();
        for (number, tile) in (0u32..).zip(tiles) {
            let (mut first_side, mut first_patch) = (0, 0);
            for (cell, record) in (0u32..).zip(&tile.cells) {
                let key = (record.parent, record.piece);
                pieces.push(Loaded { tile: number, cell, key, first_patch, first_side, area: record.area });
                (first_side, first_patch) = (first_side + record.sides, first_patch + record.patches);
            }
        }
        pieces.sort_by_key(|piece| piece.key);
        let mut halves: Vec<Half> = Vec::new();
        for (number, piece) in (0u32..).zip(&mut pieces) {
            let tile = tiles[piece.tile as usize];
            let count = tile.cells[piece.cell as usize].sides;
            let (first, of_tile) = (halves.len() as u32, piece.first_side as usize);
            piece.first_side = first;
            for place in 0..count {
                let side = tile.sides[of_tile + place as usize];
                let (from, at) = tile.vertices[side.vertex as usize];
                halves.push(Half {
                    from,
                    at,
                    portal: side.portal,
                    twin: NONE,
                    next: first + (place + 1) % count,
                    prev: first + (place + count - 1) % count,
                    cell: number,
                    is_dead: false,
                    beyond: tile.neighbours.get(side.beyond as usize).copied().unwrap_or(tile.id),
                });
            }
        }
        let stands_for: Vec<u32> = (0..pieces.len() as u32).collect();
        let is_part = vec![false; pieces.len()];
        let first_added = tiles.first().map_or(0, |tile| tile.first_added);
        Fabric { pieces, halves, root: stands_for.clone(), stands_for, is_part, first_added }
    }

    /// Fails if two tiles hold the same piece, or do not agree on how many pieces a cell has.
    fn check_pieces(&self, tiles: &[&Tile]) -> Result<()> {
        for pair in self.pieces.windows(2) {
            let [one, other] =
                pair.first_chunk::<2>().map_or([None; 2], |pair| pair.map(Some)).map(|piece| {
                    piece.map(|piece| {
                        let tile = tiles[piece.tile as usize];
                        (tile.id, piece.key, tile.cells[piece.cell as usize].pieces)
                    })
                });
            let (Some(one), Some(other)) = (one, other) else { continue };
            if one.1 == other.1 {
                return Err(misfit(format!(
                    "tiles {} and {} overlap: both hold cell {}",
                    one.0, other.0, one.1.0
                )));
            }
            if one.1.0 == other.1.0 && one.2 != other.2 {
                return Err(misfit(format!(
                    "tiles {} and {} cut cell {} differently",
                    one.0, other.0, one.1.0
                )));
            }
        }
        Ok(())
    }

    /// Joins the two sides of every portal. Fails if a seam does not match.
    fn glue(&mut self, tiles: &[&Tile]) -> Result<()> {
        let mut order: Vec<(u32, u32)> = (0u32..)
            .zip(&self.halves)
            .filter(|(_, half)| half.portal != NONE)
            .map(|(side, half)| (half.portal, side))
            .collect();
        order.sort_unstable();
        let loaded: Vec<TileId> = tiles.iter().map(|tile| tile.id).collect();
        for group in order.chunk_by(|p, q| p.0 == q.0) {
            let name = |side: u32| {
                let piece = self.pieces[self.halves[side as usize].cell as usize];
                tiles[piece.tile as usize].id
            };
            match *group {
                [(_, side)] => {
                    let half = &self.halves[side as usize];
                    let (here, beyond) = (name(side), half.beyond);
                    if here == beyond || loaded.binary_search(&beyond).is_ok() {
                        let text =
                            format!("the seam of tile {here} towards tile {beyond} has no counterpart there");
                        return Err(misfit(text));
                    }
                }
                [(_, one), (_, other)] if self.run_against(one, other) => {
                    self.halves[one as usize].twin = other;
                    self.halves[other as usize].twin = one;
                }
                _ => {
                    let (here, beyond) = (name(group[0].1), name(group[group.len() - 1].1));
                    return Err(misfit(format!("the seams of tiles {here} and {beyond} do not match")));
                }
            }
        }
        Ok(())
    }

    /// True if two sides run between the same vertices in opposite directions, in different pieces.
    fn run_against(&self, one: u32, other: u32) -> bool {
        let ends = |side: u32| {
            let half = self.halves[side as usize];
            [half.from, self.halves[half.next as usize].from]
        };
        let ([a, b], [c, d]) = (ends(one), ends(other));
        a == d && b == c && self.halves[one as usize].cell != self.halves[other as usize].cell
    }

    /// Takes out the cuts through cells that are loaded whole.
    fn restore_cells(&mut self, tiles: &[&Tile]) {
        let keys: Vec<u32> = self.pieces.iter().map(|piece| piece.key.0).collect();
        let mut first = 0;
        for group in keys.chunk_by(|p, q| p == q) {
            let (from, to) = (first, first + group.len());
            first = to;
            let piece = self.pieces[from];
            let wanted = tiles[piece.tile as usize].cells[piece.cell as usize].pieces as usize;
            if group.len() == wanted {
                self.stands_for[from..to].fill(from as u32);
            } else {
                self.is_part[from..to].fill(true);
            }
        }
        for half in &mut self.halves {
            half.cell = self.stands_for[half.cell as usize];
        }
        for side in 0..self.halves.len() as u32 {
            let half = self.halves[side as usize];
            if half.twin != NONE && self.halves[half.twin as usize].cell == half.cell {
                self.take_out(side);
            }
        }
    }

    /// Takes out portals that no corner needs, if they touch a cell that is loaded in part.
    fn drop_needless_portals(&mut self) {
        let mut order: Vec<(u32, u32)> = (0u32..)
            .zip(&self.halves)
            .filter(|(side, half)| !half.is_dead && half.twin != NONE && *side < half.twin)
            .filter(|(_, half)| {
                let beyond = self.halves[half.twin as usize].cell;
                self.is_part[half.cell as usize] || self.is_part[beyond as usize]
            })
            .map(|(side, half)| (half.portal, side))
            .collect();
        order.sort_unstable();
        let mut is_done = false;
        while !is_done {
            let before = order.len();
            let mut rest = Vec::new();
            for (portal, side) in order {
                if self.halves[side as usize].is_dead {
                    continue;
                }
                match self.needless_row(side) {
                    Some(row) => self.join(side, &row),
                    None => rest.push((portal, side)),
                }
            }
            is_done = rest.len() == before;
            order = rest;
        }
        for piece in 0..self.stands_for.len() {
            // Cells are joined to lower ones, so the way to the root ends.
            while self.root[self.stands_for[piece] as usize] != self.stands_for[piece] {
                self.stands_for[piece] = self.root[self.stands_for[piece] as usize];
            }
        }
    }

    /// Returns the row of portals that a side is part of, if the two cells would be convex without it.
    fn needless_row(&self, side: u32) -> Option<Vec<u32>> {
        let half = |side: u32| self.halves[side as usize];
        let area = |side: u32| self.pieces[half(side).cell as usize].area;
        let cells = [side, half(side).twin].map(|side| half(side).cell);
        if cells[0] == cells[1] || area(side) != area(half(side).twin) {
            return None;
        }
        let (mut first, mut twin) = (side, half(side).twin);
        while half(half(first).prev).twin == half(twin).next {
            (first, twin) = (half(first).prev, half(twin).next);
            if first == side {
                return None;
            }
        }
        let mut row = vec![first];
        let (mut last, mut last_twin) = (first, twin);
        while half(half(last).next).twin == half(last_twin).prev {
            (last, last_twin) = (half(last).next, half(last_twin).prev);
            row.push(last);
        }
        let stays_convex =
            |before: u32, after: u32| is_convex_sector(self.along(after), self.along(before).reversed());
        let is_needless = stays_convex(half(first).prev, half(twin).next)
            && stays_convex(half(last_twin).prev, half(last).next);
        is_needless.then_some(row)
    }

    /// Joins the two cells beside a row of portals.
    fn join(&mut self, side: u32, row: &[u32]) {
        let half = self.halves[side as usize];
        let (one, other) = (half.cell, self.halves[half.twin as usize].cell);
        let (keep, gone) = (one.min(other), one.max(other));
        let first = self.halves[side as usize];
        let start = if first.cell == gone { side } else { first.twin };
        let mut at = start;
        loop {
            self.halves[at as usize].cell = keep;
            at = self.halves[at as usize].next;
            if at == start {
                break;
            }
        }
        self.root[gone as usize] = keep;
        self.is_part[keep as usize] = true;
        row.iter().for_each(|side| self.take_out(*side));
    }

    /// Takes out a portal: the sides before and after it follow each other.
    fn take_out(&mut self, side: u32) {
        let here = self.halves[side as usize];
        if here.is_dead {
            return;
        }
        let there = self.halves[here.twin as usize];
        if here.next == here.twin {
            self.link(here.prev, there.next);
        } else if there.next == side {
            self.link(there.prev, here.next);
        } else {
            self.link(here.prev, there.next);
            self.link(there.prev, here.next);
        }
        self.halves[side as usize].is_dead = true;
        self.halves[here.twin as usize].is_dead = true;
    }

    /// Makes one side follow another.
    fn link(&mut self, before: u32, after: u32) {
        self.halves[before as usize].next = after;
        self.halves[after as usize].prev = before;
    }

    /// Takes out points that cutting added and that no portal ends at: both sides there run on straight, with nothing or
    /// the same cell beyond both. Both sides of a thin wall keep such a point, or none.
    fn drop_added_points(&mut self) {
        let living =
            (0u32..).zip(&self.halves).filter(|(_, half)| !half.is_dead && half.from >= self.first_added);
        let mut order: Vec<(u32, u32)> = living.map(|(side, half)| (half.from, side)).collect();
        order.sort_unstable();
        for group in order.chunk_by(|p, q| p.0 == q.0) {
            if !group.iter().all(|(_, side)| self.runs_on_straight(*side)) {
                continue;
            }
            if let [(_, one), (_, other)] = *group
                && self.halves[one as usize].twin != NONE
            {
                // A portal: the sides before and after the point become one on both sides of it.
                let (back, forth) = (self.halves[one as usize].prev, self.halves[other as usize].prev);
                self.merge_into(back, one);
                self.merge_into(forth, other);
                self.halves[back as usize].twin = forth;
                self.halves[forth as usize].twin = back;
            } else {
                group.iter().for_each(|(_, side)| self.merge_into(self.halves[*side as usize].prev, *side));
            }
        }
    }

    /// True if the side before another runs on straight in it, with the same beyond both.
    fn runs_on_straight(&self, side: u32) -> bool {
        let half = &self.halves[side as usize];
        let before = &self.halves[half.prev as usize];
        let (one, other) = (self.along(half.prev), self.along(side));
        if one.cross(other) != 0 || one.dot(other) <= 0 {
            return false;
        }
        match (before.twin, half.twin) {
            (NONE, NONE) => self.is_straight_seam(before, half),
            (NONE, _) | (_, NONE) => false,
            (back, forth) => self.halves[forth as usize].next == back,
        }
    }

    /// True if two walls can be one: both closed, or both open towards the same tile.
    fn is_straight_seam(&self, before: &Half, half: &Half) -> bool {
        (before.portal == NONE) == (half.portal == NONE)
            && (half.portal == NONE || before.beyond == half.beyond)
    }

    /// Lets a side run on over the next one, which goes.
    fn merge_into(&mut self, side: u32, next: u32) {
        let after = self.halves[next as usize].next;
        self.halves[next as usize].is_dead = true;
        self.link(side, after);
    }

    /// Returns the vector along a side.
    fn along(&self, side: u32) -> Vector {
        let half = &self.halves[side as usize];
        self.halves[half.next as usize].at - half.at
    }
}

/// Fails if two tiles place a vertex differently.
fn check_points(tiles: &[&Tile]) -> Result<()> {
    let mut places: BTreeMap<u32, (Point, TileId)> = BTreeMap::new();
    for tile in tiles {
        for (number, at) in &tile.vertices {
            let (known, other) = *places.entry(*number).or_insert((*at, tile.id));
            if known != *at {
                return Err(misfit(format!(
                    "tiles {other} and {} do not fit: vertex {number} lies elsewhere",
                    tile.id
                )));
            }
        }
    }
    Ok(())
}

/// An error about tiles that do not fit together.
pub(crate) fn misfit(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Syntax, message)
}

//! A tile as bytes, and back. The format is described in `docs/reference/tiles-format.md`.
//!
//! Invariant: canonical; nothing that is read is trusted. What is accepted can be composed without a panic.

use crate::lines::TileId;
use crate::tile::{Tile, TileCell, TileGround, TileLink, TileSide};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::orient;
use clearway_geometry::{Grid, NONE, Point};
use clearway_nav::mesh::{LinkEnd, LinkKind, LinkRecord, Patch};

/// The first bytes of every tile.
const MAGIC: &[u8; 8] = b"CLWYTILE";

/// The version of the format.
const VERSION: u32 = 1;

/// The length of the header: magic, version, zero, build, checksum.
const HEADER: usize = 32;

/// The greatest size of a tile's file, in bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 32;

/// Returns a number that stands for the content of a tile, whatever its build.
pub(crate) fn digest(tile: &Tile) -> u64 {
    checksum(&body(tile))
}

/// Returns the checksum of bytes: words of eight bytes, mixed so that order counts.
fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().copied().chain([last, (bytes.len() as u64).to_le_bytes()]);
    words.fold(0x9e37_79b9_7f4a_7c15, |sum, word| {
        let mixed = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 32)
    })
}

impl Tile {
    /// Returns the tile as the bytes of its file.
    pub fn encode(&self) -> Vec<u8> {
        let body = body(self);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(0u32.to_le_bytes());
        bytes.extend(self.build.to_le_bytes());
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Reads a tile from the bytes of its file, and trusts none of them.
    pub fn decode(bytes: &[u8]) -> Result<Tile> {
        let wrong = |kind, message: &str| Error::new(kind, message.to_string());
        if !bytes.starts_with(MAGIC) {
            return Err(wrong(ErrorKind::Unsupported, "is not a tile of clearway"));
        }
        let (header, body) =
            bytes.split_at_checked(HEADER).ok_or_else(|| wrong(ErrorKind::Syntax, "the tile is cut off"))?;
        let mut reader = Reader { bytes: &header[MAGIC.len()..] };
        let (version, zero, build, sum) = (reader.u32()?, reader.u32()?, reader.u64()?, reader.u64()?);
        if version != VERSION || zero != 0 {
            let message = format!("is a tile of version {version}; this clearway reads version {VERSION}");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if checksum(body) != sum {
            return Err(wrong(ErrorKind::Syntax, "the tile is damaged: its checksum is wrong"));
        }
        let mut reader = Reader { bytes: body };
        let tile = read(&mut reader, build)?;
        if !reader.bytes.is_empty() {
            return Err(wrong(ErrorKind::Syntax, "bytes follow the end of the tile"));
        }
        check(&tile).map_err(|detail| wrong(ErrorKind::Syntax, detail))?;
        Ok(tile)
    }

    /// Returns a number that stands for the content of the tile; the index holds it, so that a tile of another build is
    /// found out.
    pub fn checksum(&self) -> u64 {
        digest(self)
    }
}

/// Returns what follows the header.
fn body(tile: &Tile) -> Vec<u8> {
    let mut out = Writer::default();
    out.i32s([tile.id.x, tile.id.y]);
    tile.grid.origin().iter().for_each(|c| out.f64(*c + 0.0));
    out.i32s([tile.grid.exponent()]);
    let ground = tile.ground.as_ref();
    out.u32s([tile.first_added, u32::from(ground.is_some())]);
    out.u32s(
        [tile.neighbours.len(), tile.vertices.len(), tile.cells.len(), tile.sides.len()].map(|n| n as u32),
    );
    out.u32s([tile.links.len() as u32]);
    tile.neighbours.iter().for_each(|tile| out.i32s([tile.x, tile.y]));
    for (number, at) in &tile.vertices {
        out.u32s([*number]);
        out.i32s([at.x, at.y]);
    }
    for cell in &tile.cells {
        out.u32s([cell.parent, cell.piece, cell.pieces, cell.sides, cell.patches, cell.parent_patches]);
        out.u32s([u32::from(cell.area)]);
    }
    tile.sides.iter().for_each(|side| out.u32s([side.vertex, side.portal, side.beyond]));
    if let Some(ground) = ground {
        write_ground(&mut out, ground);
    }
    tile.links.iter().for_each(|link| write_link(&mut out, link));
    out.bytes
}

fn write_ground(out: &mut Writer, ground: &TileGround) {
    out.f64(ground.max_step + 0.0);
    out.f64(ground.body_height + 0.0);
    out.u32s(
        [ground.points.len(), ground.faces.len(), ground.patches.len(), ground.areas.len()].map(|n| n as u32),
    );
    for (number, at, height) in &ground.points {
        out.u32s([*number]);
        out.i32s([at.x, at.y, *height]);
    }
    for (number, [a, b, c], chart) in &ground.faces {
        out.u32s([*number, *a, *b, *c, *chart]);
    }
    for (number, patch) in &ground.patches {
        out.u32s([*number, patch.chart]);
        patch.corners.iter().for_each(|at| out.i32s([at.x, at.y]));
    }
    ground.areas.iter().for_each(|name| out.text(name));
}

fn write_link(out: &mut Writer, link: &TileLink) {
    let record = &link.record;
    out.u32s([link.number, u32::from(record.both_ways), link.pieces[0], link.pieces[1]]);
    link.tiles.iter().for_each(|tile| out.i32s([tile.x, tile.y]));
    for end in &record.ends {
        out.u32s([end.cell]);
        end.position.iter().for_each(|c| out.f64(*c));
    }
    out.f64(record.cost);
    // No radius is negative, so −1 stands for no limit.
    out.f64(record.max_radius.unwrap_or(-1.0));
    out.text(&record.name);
    out.text(record.kind.name());
}

/// Reads what follows the header.
fn read(reader: &mut Reader<'_>, build: u64) -> Result<Tile> {
    let id = reader.tile()?;
    let (origin, exponent) = ([reader.f64()?, reader.f64()?], reader.u32()? as i32);
    let grid = Grid::new(origin, exponent).ok_or_else(|| syntax("the grid makes no sense"))?;
    let (first_added, has_ground) = (reader.u32()?, reader.u32()? != 0);
    let counts = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
    let neighbours = reader.list(counts[0], 8, Reader::tile)?;
    let vertices = reader.list(counts[1], 12, |reader| Ok((reader.u32()?, reader.point()?)))?;
    let cells = reader.list(counts[2], 28, read_cell)?;
    let sides = reader.list(counts[3], 12, |reader| {
        Ok(TileSide { vertex: reader.u32()?, portal: reader.u32()?, beyond: reader.u32()? })
    })?;
    let ground = if has_ground { Some(read_ground(reader)?) } else { None };
    let links = reader.list(counts[4], 64, read_link)?;
    Ok(Tile { id, build, grid, first_added, vertices, cells, sides, neighbours, ground, links })
}

fn read_cell(reader: &mut Reader<'_>) -> Result<TileCell> {
    Ok(TileCell {
        parent: reader.u32()?,
        piece: reader.u32()?,
        pieces: reader.u32()?,
        sides: reader.u32()?,
        patches: reader.u32()?,
        parent_patches: reader.u32()?,
        area: u8::try_from(reader.u32()?).map_err(|_| syntax("an area class is above 255"))?,
    })
}

fn read_ground(reader: &mut Reader<'_>) -> Result<TileGround> {
    let (max_step, body_height) = (reader.f64()?, reader.f64()?);
    let counts = [reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?];
    Ok(TileGround {
        max_step,
        body_height,
        points: reader
            .list(counts[0], 16, |reader| Ok((reader.u32()?, reader.point()?, reader.u32()? as i32)))?,
        faces: reader.list(counts[1], 20, |reader| {
            Ok((reader.u32()?, [reader.u32()?, reader.u32()?, reader.u32()?], reader.u32()?))
        })?,
        patches: reader.list(counts[2], 32, |reader| {
            let (number, chart) = (reader.u32()?, reader.u32()?);
            let corners = [reader.point()?, reader.point()?, reader.point()?];
            Ok((number, Patch { chart, corners }))
        })?,
        areas: reader.list(counts[3], 4, Reader::text)?,
    })
}

fn read_link(reader: &mut Reader<'_>) -> Result<TileLink> {
    let (number, both_ways) = (reader.u32()?, reader.u32()? != 0);
    let pieces = [reader.u32()?, reader.u32()?];
    let tiles = [reader.tile()?, reader.tile()?];
    let mut end = || Ok(LinkEnd { cell: reader.u32()?, position: [reader.f64()?, reader.f64()?] });
    let ends = [end()?, end()?];
    let (cost, max_radius) = (reader.f64()?, reader.f64()?);
    let max_radius = (max_radius != -1.0).then_some(max_radius);
    let (name, kind) = (reader.text()?, LinkKind::from_name(&reader.text()?));
    let record = LinkRecord { name, kind, ends, cost, both_ways, max_radius };
    Ok(TileLink { number, record, pieces, tiles })
}

/// Returns what does not fit in a tile.
fn check(tile: &Tile) -> std::result::Result<(), &'static str> {
    let is_on_grid = |at: &Point| at.x.unsigned_abs().max(at.y.unsigned_abs()) < LIMIT as u32;
    let sides: u64 = tile.cells.iter().map(|cell| u64::from(cell.sides)).sum();
    let patches: u64 = tile.cells.iter().map(|cell| u64::from(cell.patches)).sum();
    let in_tile = |side: &TileSide| {
        (side.vertex as usize) < tile.vertices.len()
            && (side.beyond == NONE || (side.beyond as usize) < tile.neighbours.len())
    };
    let is_cell = |cell: &TileCell| cell.sides >= 3 && cell.piece < cell.pieces;
    let rules = [
        (!tile.cells.is_empty(), "the tile has no cells"),
        (tile.vertices.is_sorted_by(|p, q| p.0 < q.0), "vertices are not sorted"),
        (tile.vertices.iter().all(|vertex| is_on_grid(&vertex.1)), "a vertex lies off the grid"),
        (tile.cells.iter().all(is_cell), "a cell has too few sides or pieces"),
        (tile.cells.is_sorted_by(|p, q| (p.parent, p.piece) < (q.parent, q.piece)), "cells are not sorted"),
        (sides == tile.sides.len() as u64, "the cells have other sides than are stored"),
        (tile.sides.iter().all(in_tile), "a side names a vertex or a tile that does not exist"),
        (tile.neighbours.is_sorted_by(|p, q| p < q), "the neighbours are not sorted"),
    ];
    if let Some((_, detail)) = rules.into_iter().find(|(holds, _)| !holds) {
        return Err(detail);
    }
    let Some(ground) = &tile.ground else {
        return if patches == 0 { Ok(()) } else { Err("patches need ground") };
    };
    check_ground(tile, ground, patches)
}

/// Returns what does not fit in the ground of a tile.
fn check_ground(tile: &Tile, ground: &TileGround, patches: u64) -> std::result::Result<(), &'static str> {
    let is_on_grid = |at: &Point| at.x.unsigned_abs().max(at.y.unsigned_abs()) < LIMIT as u32;
    let point = |number: u32| {
        let place = ground.points.binary_search_by_key(&number, |point| point.0).ok()?;
        Some(ground.points[place].1)
    };
    let is_face = |(_, corners, chart): &(u32, [u32; 3], u32)| match corners.map(point) {
        [Some(a), Some(b), Some(c)] => orient(a, b, c) > 0 && *chart != NONE,
        _ => false,
    };
    let mut charts: Vec<u32> = ground.faces.iter().map(|face| face.2).collect();
    charts.sort_unstable();
    let is_patch = |(_, patch): &(u32, Patch)| {
        let [a, b, c] = patch.corners;
        patch.corners.iter().all(is_on_grid)
            && orient(a, b, c) > 0
            && charts.binary_search(&patch.chart).is_ok()
    };
    let is_height = |height: i32| height.unsigned_abs() < LIMIT as u32;
    let rules = [
        (patches == ground.patches.len() as u64, "the cells have other patches than are stored"),
        (ground.points.is_sorted_by(|p, q| p.0 < q.0), "corners are not sorted"),
        (
            ground.points.iter().all(|point| is_on_grid(&point.1) && is_height(point.2)),
            "a corner lies off the grid",
        ),
        (ground.faces.is_sorted_by(|p, q| p.0 < q.0), "faces are not sorted"),
        (ground.faces.iter().all(is_face), "a face is not one"),
        (ground.patches.iter().all(is_patch), "a patch is not one"),
        (
            tile.cells.iter().all(|cell| usize::from(cell.area) < ground.areas.len()),
            "an area class has no name",
        ),
    ];
    rules.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, detail)| Err(detail))
}

/// Collects bytes.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn u32s<const N: usize>(&mut self, words: [u32; N]) {
        self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn i32s<const N: usize>(&mut self, words: [i32; N]) {
        self.bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn f64(&mut self, number: f64) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.u32s([text.len() as u32]);
        self.bytes.extend(text.as_bytes());
    }
}

/// Reads bytes from the front.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) = self.bytes.split_first_chunk().ok_or_else(|| syntax("the tile is cut off"))?;
        self.bytes = rest;
        Ok(*first)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn f64(&mut self) -> Result<f64> {
        let number = f64::from_le_bytes(self.take()?);
        if number.is_finite() { Ok(number) } else { Err(syntax("a number is not finite")) }
    }

    fn point(&mut self) -> Result<Point> {
        Ok(Point::new(self.u32()? as i32, self.u32()? as i32))
    }

    fn tile(&mut self) -> Result<TileId> {
        Ok(TileId { x: self.u32()? as i32, y: self.u32()? as i32 })
    }

    fn text(&mut self) -> Result<String> {
        let length = self.u32()? as usize;
        let (text, rest) =
            self.bytes.split_at_checked(length).ok_or_else(|| syntax("the tile is cut off"))?;
        self.bytes = rest;
        String::from_utf8(text.to_vec()).map_err(|_| syntax("a name is not UTF-8"))
    }

    /// Reads so many items of at least so many bytes each. Memory grows with the bytes that are there.
    fn list<T>(&mut self, count: u32, least: usize, item: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if (count as usize).checked_mul(least).is_none_or(|bytes| bytes > self.bytes.len()) {
            return Err(syntax("the tile is cut off"));
        }
        (0..count).map(|_| item(self)).collect()
    }
}

fn syntax(message: &str) -> Error {
    Error::new(ErrorKind::Syntax, message.to_string())
}

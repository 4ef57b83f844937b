//! The voxel route: for charts whose lines are too tangled to be arranged, or for all charts on request.
//!
//! The outline of a chart, and upright walls, stay exact: sheets are glued as ever, and nobody walks through a thin
//! wall. Voxels find only where something takes head-room:
//!
//! 1. Triangles are cut into the columns of a lattice ([`spans`]).
//! 2. A column is blocked if something takes head-room over the chart in any part of it ([`pieces`]).
//! 3. The sides of blocked columns form loops ([`trace`]).
//! 4. The loops are drawn along the lines of what blocks ([`contour`]).
//!
//! Coarse voxels find what matters, the lines keep the true geometry (Oliva and Pelechano, NEOGEN, 2013). A column
//! counts as blocked even if only a part of it is, so that nothing is too thin to be found. Errors are meant to be on
//! the safe side, by at most one and a half cells; that is sampled, not proved. Cost: 250 to 290 ns per fragment of a
//! triangle in a column, in a test build. The design stands in `docs/decisions/voxel-fallback.md`.

mod contour;
mod pieces;
mod spans;
mod trace;

use crate::surface::faces::soup::{Kind, Soup};
use crate::surface::headroom::prism::Prisms;
use crate::surface::rules::CELLS;
use crate::surface::sheets::weave::Sheets;
use crate::surface::tolerances::voxel::{MOST_COLUMNS, MOST_FRAGMENTS, THINNEST};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::parallel::sort;
use clearway_geometry::arrangement::Border;
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};
use contour::Contours;
use pieces::{Piece, Shaft};
use rayon::prelude::*;
use spans::{Column, Lattice, Span, TILE, Tile, least_columns};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A column with ground of a chart in it. Sorted by chart, row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ground {
    /// The index of the chart among the charts that are drawn.
    place: u32,
    /// The position of the column along y.
    row: i32,
    /// The position of the column along x.
    column: i32,
    /// True if something takes head-room over the ground.
    is_blocked: bool,
}

/// The state of a column for one chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has no ground of the chart.
    Outside,
    /// All its ground has head-room.
    Free,
    /// Something takes head-room over its ground.
    Blocked,
}

/// Some charts in columns.
pub struct Voxels<'a> {
    /// The faces and charts.
    sheets: &'a Sheets<'a>,
    /// The lattice of columns.
    lattice: Lattice,
    /// For each chart its index among the charts that are drawn, or [`NONE`].
    place_of: Vec<u32>,
    /// All tiles with ground, sorted by position.
    tiles: Vec<Tile>,
    /// The start of each drawn chart in `ground`.
    starts: Vec<usize>,
    /// The columns of all charts, sorted.
    ground: Vec<Ground>,
}

/// Fails if the walkable faces alone make too many fragments with cells of this many metres. The error is the same as
/// that of [`Voxels::of`], before any work.
pub fn check_size(soup: &Soup, cell: f64) -> Result<()> {
    let doubled = |face: u32| {
        let [a, b, c] = soup.corners(face).map(|corner| corner.at);
        i128::from(orient(a, b, c).abs())
    };
    let area = (0..soup.walkable()).map(doubled).sum::<i128>() as f64 * 0.5 * soup.grid.unit().powi(2);
    // A face lies in at least as many columns as fit its area.
    let least = area / (cell * cell);
    if least <= MOST_FRAGMENTS as f64 {
        return Ok(());
    }
    Err(too_fine(cell, least, &format!("{area:.0} m\u{b2} can be walked on")))
}

/// The error for cells that make at least `least` fragments. It names a cell size that is large enough.
fn too_fine(cell: f64, least: f64, why: &str) -> Error {
    let enough = (cell * (least / MOST_FRAGMENTS as f64).sqrt() * 1000.0).ceil() / 1000.0;
    let advice = match CELLS.contains(&enough) {
        true => format!("they must be larger than {enough} m"),
        false => format!("even the largest, of {} m, would", CELLS.end()),
    };
    too_large(format!(
        "cells of {cell} m make more than the limit of {MOST_FRAGMENTS} pieces of triangles in columns: {why}; {advice}"
    ))
}

impl<'a> Voxels<'a> {
    /// Cuts everything that may stand on some charts into columns with sides of `cell` metres.
    pub fn of(sheets: &'a Sheets<'a>, charts: &[u32], cell: f64) -> Result<Voxels<'a>> {
        let lattice = Lattice { cell: cell / sheets.soup.grid.unit() };
        let wanted = tiles_of(sheets, charts, lattice).ok_or_else(|| {
            too_large(format!("cells of {cell} m make more than the limit of {MOST_COLUMNS} columns"))
        })?;
        check_fragments(sheets, lattice, &wanted, cell)?;
        let tiles = fill(sheets, lattice, &wanted).ok_or_else(|| {
            let limit = format!("the limit of {MOST_FRAGMENTS} pieces of triangles in columns");
            too_large(format!("cells of {cell} m make more than {limit}"))
        })?;
        let mut place_of = vec![NONE; sheets.charts.charts.len()];
        for (place, chart) in (0..).zip(charts) {
            place_of[*chart as usize] = place;
        }
        let mut voxels = Voxels { sheets, lattice, place_of, tiles, starts: Vec::new(), ground: Vec::new() };
        voxels.find_ground(charts.len());
        Ok(voxels)
    }

    /// Fills `ground` and `starts`, tile by tile in parallel.
    fn find_ground(&mut self, charts: usize) {
        let found: Vec<Vec<Ground>> = self.tiles.par_iter().map(|tile| self.ground_in(tile)).collect();
        self.ground = found.concat();
        sort(&mut self.ground);
        let starts = (0..=charts as u32).map(|place| self.ground.partition_point(|g| g.place < place));
        self.starts = starts.collect();
    }

    /// Returns the columns of a tile with ground of each chart, and whether they are blocked.
    fn ground_in(&self, tile: &Tile) -> Vec<Ground> {
        let mut found: Vec<Ground> = Vec::new();
        let prisms = self.prisms();
        for (column, spans) in tile.columns() {
            let first = found.len();
            let shaft = Shaft { prisms: &prisms, section: self.lattice.section(column), spans };
            for span in spans {
                let place = self.place(span.face);
                if place == NONE {
                    continue;
                }
                let is_blocked = shaft.is_blocked(span, THINNEST * self.lattice.cell);
                match found[first..].iter_mut().find(|known| known.place == place) {
                    Some(known) => known.is_blocked |= is_blocked,
                    None => {
                        found.push(Ground { place, row: column[1], column: column[0], is_blocked });
                    }
                }
            }
        }
        found
    }

    /// Returns the index of a face's chart among the charts that are drawn, or [`NONE`].
    fn place(&self, face: u32) -> u32 {
        match self.sheets.charts.chart_of.get(face as usize) {
            Some(chart) if *chart != NONE => self.place_of[*chart as usize],
            _ => NONE,
        }
    }

    /// Returns the faces as the exact route sees them.
    fn prisms(&self) -> Prisms<'_> {
        let Sheets { soup, faces, limits, .. } = *self.sheets;
        Prisms { soup, faces, limits }
    }

    /// Returns the outlines of what takes head-room over a chart. `place` is its index among the charts that are drawn.
    pub fn contours(&self, place: usize) -> Vec<Border> {
        Contours::of(self, place as u32).borders()
    }

    /// Returns the faces on the grid.
    fn soup(&self) -> &Soup {
        self.sheets.soup
    }

    /// Returns the columns with ground of a chart, sorted by row and column.
    fn ground_of(&self, place: u32) -> &[Ground] {
        &self.ground[self.starts[place as usize]..self.starts[place as usize + 1]]
    }

    /// Returns the state of a column for a chart.
    fn state(&self, place: u32, [x, y]: Column) -> State {
        let ground = self.ground_of(place);
        match ground.binary_search_by_key(&(y, x), |ground| (ground.row, ground.column)) {
            Err(_) => State::Outside,
            Ok(found) if ground[found].is_blocked => State::Blocked,
            Ok(_) => State::Free,
        }
    }

    /// Returns what takes head-room over a chart in a column, and the first face of the chart there.
    fn pieces(&self, place: u32, column: Column) -> (Vec<Piece>, u32) {
        let tile = column.map(|number| number.div_euclid(TILE));
        let found = self.tiles.binary_search_by_key(&tile, |tile| tile.at);
        let spans = found.map_or(&[][..], |found| self.tiles[found].spans(column));
        let prisms = self.prisms();
        let shaft = Shaft { prisms: &prisms, section: self.lattice.section(column), spans };
        let floors = || spans.iter().filter(|span: &&Span| self.place(span.face) == place);
        let pieces = floors().flat_map(|floor| shaft.pieces(floor)).collect();
        (pieces, floors().map(|floor| floor.face).min().unwrap_or(NONE))
    }
}

/// Returns the tiles in which charts have ground, sorted; `None` if there are too many.
fn tiles_of(sheets: &Sheets, charts: &[u32], lattice: Lattice) -> Option<Vec<Column>> {
    let most = MOST_COLUMNS / (TILE * TILE) as usize;
    let mut tiles: Vec<Column> = Vec::new();
    for face in charts.iter().flat_map(|chart| &sheets.charts.charts[*chart as usize]) {
        let extent = sheets.soup.extent(*face);
        let [first, last] = [extent.min, extent.max].map(|corner| lattice.tile_of(corner));
        let corners = sheets.soup.corners(*face).map(|corner| corner.at);
        for x in first[0]..=last[0] {
            tiles.extend(
                (first[1]..=last[1]).map(|y| [x, y]).filter(|tile| reaches(&corners, lattice, *tile)),
            );
            // Repeated tiles are dropped from time to time, so that memory stays bounded.
            if tiles.len() > 4 * most {
                tiles.sort_unstable();
                tiles.dedup();
                if tiles.len() > most {
                    return None;
                }
            }
        }
    }
    tiles.sort_unstable();
    tiles.dedup();
    (tiles.len() <= most).then_some(tiles)
}

/// True if no edge of a triangle has the whole tile on its outer side.
fn reaches(corners: &[Point; 3], lattice: Lattice, tile: Column) -> bool {
    let section = lattice.tile(tile);
    let (min, max) = (section.min, section.max);
    let around = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
    (0..3).all(|i| around.iter().any(|corner| orient(corners[i], corners[(i + 1) % 3], *corner) > 0))
}

/// Fails if the faces over tiles make too many fragments by their areas alone, before they are cut.
fn check_fragments(sheets: &Sheets, lattice: Lattice, wanted: &[Column], cell: f64) -> Result<()> {
    let soup = sheets.soup;
    let fewest = |at: &Column| {
        let mut sum = 0.0;
        sheets.faces.each_touching(&lattice.tile(*at), |face| {
            if soup.faces[face as usize].kind != Kind::Upright {
                sum += least_columns(soup.corners(face), lattice, *at);
            }
        });
        // The sum of whole numbers does not depend on the order of threads.
        sum as u64
    };
    let least = wanted.par_iter().map(fewest).sum::<u64>() as f64;
    if least <= MOST_FRAGMENTS as f64 {
        return Ok(());
    }
    let area = least * cell * cell;
    Err(too_fine(cell, least, &format!("{area:.0} m\u{b2} lie on, over or under the floors")))
}

/// Cuts the soup into the columns of tiles; `None` if there are too many fragments.
fn fill(sheets: &Sheets, lattice: Lattice, wanted: &[Column]) -> Option<Vec<Tile>> {
    let count = AtomicUsize::new(0);
    let tile = |near: &mut Vec<u32>, at: &Column| {
        // Above the limit the rest is skipped. Every order of threads exceeds the limit, so that the result is the
        // same.
        if count.load(Ordering::Relaxed) > MOST_FRAGMENTS {
            return None;
        }
        near.clear();
        sheets.faces.each_touching(&lattice.tile(*at), |face| near.push(face));
        near.sort_unstable();
        let tile = Tile::of(sheets.soup, lattice, *at, near);
        (count.fetch_add(tile.len(), Ordering::Relaxed) + tile.len() <= MOST_FRAGMENTS).then_some(tile)
    };
    wanted.par_iter().map_init(Vec::new, tile).collect()
}

/// Wraps a message into an error about size.
fn too_large(message: String) -> Error {
    Error::new(ErrorKind::TooLarge, message)
}

#[cfg(test)]
mod tests;

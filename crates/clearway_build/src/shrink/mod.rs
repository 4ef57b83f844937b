//! A mesh shrunk by the radius of a body, for programs that walk a point.
//!
//! The mesh is cut into sheets of one area class that do not lie over themselves. In each sheet every cell is cut by the
//! walls near it, widened by the radius; what is left is divided anew. Sheets are joined along the parts of the portals
//! between them that stay free as both cells see them. Widened walls are drawn around the true ones, so no place of the
//! result is closer to a wall than the radius. A part of a portal that rounding bends on one side only stays shut.
//!
//! Cost: that of a plan with sixteen sides for every wall near a cell.

mod joints;
mod sheet;
mod walls;

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::parallel::{in_pool, map};
use clearway_cells::{Joint, join};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::overlap;
use clearway_geometry::{NONE, Point};
use clearway_nav::mesh::{
    CellId, LinkEnd, LinkRecord, NavMesh, Patch, Relief, Sheets, filling, patches_under,
};
use joints::Openings;
use sheet::Outlines;
use std::sync::Arc;
use walls::Walls;

/// The distance in grid units by which walls are widened beside the radius. It covers the rounding of the old mesh and
/// of the new one.
const MARGIN: f64 = 4.0;

/// Returns the ground on which the centre of a body may be, as a mesh of its own with the heights, area classes, places
/// and links of the old one. Links whose ends or width leave the body no room are lost. Only cells count whose mean
/// height lies in `heights`, if that is given.
pub fn shrunk(mesh: &NavMesh, radius: f64, heights: Option<[f64; 2]>) -> Result<NavMesh> {
    if !(radius >= 0.0 && radius.is_finite()) {
        return Err(Error::new(ErrorKind::Options, format!("{radius} is not a radius")));
    }
    let mesh = &*mesh.compacted();
    if radius == 0.0 && heights.is_none() {
        return Ok(mesh.clone());
    }
    in_pool(|| Shrinking { mesh, radius, sheet_of: sheets_of(mesh, heights) }.run())
}

/// Returns the sheet of each cell, [`NONE`] for cells outside of the heights. Cells of two area classes never share one.
fn sheets_of(mesh: &NavMesh, heights: Option<[f64; 2]>) -> Vec<u32> {
    let sheets = Sheets::of(mesh);
    let is_in = |height: f64| heights.is_none_or(|[low, high]| height >= low && height < high);
    let key = |cell: clearway_nav::mesh::Cell<'_>| {
        let height = mesh.mean_height(cell.id()).unwrap_or(0.0);
        is_in(height).then_some((sheets.of_cell[cell.id().index()], cell.area_class()))
    };
    let keys: Vec<Option<(u32, u8)>> = mesh.cells().map(key).collect();
    let mut known: Vec<(u32, u8)> = keys.iter().flatten().copied().collect();
    known.sort_unstable();
    known.dedup();
    let number = |key: Option<(u32, u8)>| {
        key.and_then(|key| known.binary_search(&key).ok()).map_or(NONE, |number| number as u32)
    };
    keys.into_iter().map(number).collect()
}

/// A mesh that is being shrunk.
struct Shrinking<'a> {
    mesh: &'a NavMesh,
    /// The radius in metres.
    radius: f64,
    /// The sheet of each cell, or [`NONE`] if it is left out.
    sheet_of: Vec<u32>,
}

/// A new cell before it was joined to others.
struct Piece {
    sheet: u32,
    outline: Vec<Point>,
}

impl Shrinking<'_> {
    fn run(&self) -> Result<NavMesh> {
        let wide = self.radius / self.mesh.unit() + MARGIN;
        let walls = Walls::of(self.mesh, wide, &self.sheet_of);
        let openings = Openings::of(self.mesh, &self.sheet_of, &walls);
        let sheets = self.sheet_of.iter().filter(|sheet| **sheet != NONE).max().map_or(0, |last| last + 1);
        let outlines = map(sheets as usize, |sheet| {
            Outlines::of_sheet(self.mesh, &self.members(sheet as u32), &walls, &openings)
        });
        let outlines: Vec<Outlines> = outlines.into_iter().collect::<Result<_>>()?;
        self.put_together(outlines, &openings)
    }

    /// Returns the cells of a sheet.
    fn members(&self, sheet: u32) -> Vec<u32> {
        (0u32..).zip(&self.sheet_of).filter(|(_, own)| **own == sheet).map(|(cell, _)| cell).collect()
    }

    /// Joins the sheets, and lays ground, links and places onto the new cells.
    fn put_together(&self, sheets: Vec<Outlines>, openings: &Openings) -> Result<NavMesh> {
        let mut starts = Vec::with_capacity(sheets.len());
        let mut first = 0;
        for sheet in &sheets {
            starts.push(first);
            first += sheet.cells.len();
        }
        let mut joints = Vec::new();
        for (sheet, start) in sheets.iter().zip(&starts) {
            let portal = |[one, other]: [(usize, usize); 2]| Joint {
                sides: [(one.0 + start, one.1), (other.0 + start, other.1)],
                stays: false,
            };
            joints.extend(sheet.portals().into_iter().map(portal));
        }
        for (cells, ends) in openings.all(self.mesh) {
            let [one, other] = cells.map(|cell| self.sheet_of[cell as usize] as usize);
            let side = |sheet: usize, [from, to]: [Point; 2]| {
                sheets[sheet].side(from, to).map(|(cell, place)| (cell + starts[sheet], place))
            };
            if let (Some(near), Some(far)) = (side(one, ends), side(other, [ends[1], ends[0]])) {
                let [a, b] = cells.map(|cell| self.class(cell));
                joints.push(Joint { sides: [near, far], stays: a != b });
            }
        }
        let pieces: Vec<Piece> = (0u32..)
            .zip(sheets)
            .flat_map(|(sheet, outlines)| {
                outlines.cells.into_iter().map(move |outline| Piece { sheet, outline })
            })
            .collect();
        let outlines: Vec<Vec<Point>> = pieces.iter().map(|piece| piece.outline.clone()).collect();
        let (mut parts, consists_of) =
            join(&outlines, &joints, self.mesh.parts().grid, self.mesh.has_heights());
        let laid = Laid { shrinking: self, pieces: &pieces, bins: self.bins() };
        parts.relief = laid.relief(&consists_of).map(Arc::new);
        parts.links = laid.links(&consists_of);
        parts.places = self.mesh.parts().places.clone();
        NavMesh::from_parts(parts).map_err(|flaws| {
            let first = flaws.first().map_or_else(String::new, ToString::to_string);
            Error::new(ErrorKind::Internal, format!("the shrunk mesh broke a law of meshes: {first}"))
        })
    }

    /// Returns the area class of a cell.
    fn class(&self, cell: u32) -> u8 {
        self.mesh.cell(CellId(cell)).map_or(0, |cell| cell.area_class())
    }

    /// Returns the boxes of the old cells.
    fn bins(&self) -> BoxGrid<Box2> {
        BoxGrid::of(self.mesh.cells().map(|cell| Box2::of(&cell.points().collect::<Vec<Point>>())).collect())
    }
}

/// The new cells laid over the old ones of their sheets.
struct Laid<'a> {
    shrinking: &'a Shrinking<'a>,
    pieces: &'a [Piece],
    bins: BoxGrid<Box2>,
}

impl Laid<'_> {
    /// Returns the old cells that a piece overlaps.
    fn under(&self, piece: &Piece) -> Vec<u32> {
        let Shrinking { mesh, sheet_of, .. } = self.shrinking;
        let mut found = Vec::new();
        self.bins.each_touching(&Box2::of(&piece.outline), |cell| {
            if sheet_of[cell as usize] == piece.sheet
                && mesh
                    .cell(CellId(cell))
                    .is_some_and(|old| overlap(&old.points().collect::<Vec<Point>>(), &piece.outline))
            {
                found.push(cell);
            }
        });
        found.sort_unstable();
        found
    }

    /// Returns the ground under the new cells; `None` for a plan.
    fn relief(&self, consists_of: &[Vec<u32>]) -> Option<Relief> {
        let mesh = self.shrinking.mesh;
        let old = mesh.parts().relief.as_deref()?;
        let under = map(self.pieces.len(), |number| self.under(&self.pieces[number]));
        let patches = |number: u32| {
            let outline = &self.pieces[number as usize].outline;
            let own = under[number as usize].iter().flat_map(|cell| {
                let points = mesh.cell(CellId(*cell)).map(|old| old.points().collect::<Vec<Point>>());
                filling(old.patches_of(*cell), &points.unwrap_or_default())
            });
            let own: Vec<Patch> = own.collect();
            // Beside others a single patch must fill its piece.
            filling(&patches_under(&own, outline), outline)
        };
        let mut relief = Relief {
            first_patch: vec![0],
            patch_count: Vec::new(),
            patches: Vec::new(),
            area_of: Vec::with_capacity(consists_of.len()),
            ..old.clone()
        };
        for numbers in consists_of {
            let first = numbers.first().and_then(|number| under[*number as usize].first());
            relief.area_of.push(first.map_or(0, |cell| self.shrinking.class(*cell)));
            let all: Vec<Patch> = numbers.iter().flat_map(|number| patches(*number)).collect();
            relief.add_cell(all.iter().copied());
        }
        Some(relief)
    }

    /// Returns the links that a body can still take.
    fn links(&self, consists_of: &[Vec<u32>]) -> Vec<LinkRecord> {
        let Shrinking { mesh, radius, sheet_of } = self.shrinking;
        let mut cell_of = vec![0; self.pieces.len()];
        for (cell, numbers) in (0u32..).zip(consists_of) {
            numbers.iter().for_each(|number| cell_of[*number as usize] = cell);
        }
        let new_end = |end: LinkEnd| {
            let at = mesh.parts().grid.units(end.position);
            let holds = |(_, piece): &(u32, &Piece)| {
                let following = piece.outline.iter().skip(1).chain(piece.outline.first());
                let mut sides = piece.outline.iter().map(|p| p.as_vec2()).zip(following.map(|p| p.as_vec2()));
                piece.sheet == sheet_of[end.cell as usize]
                    && sides.all(|(from, to)| (to - from).cross(at - from) >= 0.0)
            };
            let (number, _) = (0u32..).zip(self.pieces).find(holds)?;
            Some(LinkEnd { cell: cell_of[number as usize], ..end })
        };
        let fits = |record: &&LinkRecord| record.max_radius.is_none_or(|most| most >= *radius);
        let links = mesh.parts().links.iter().filter(fits).filter_map(|record| {
            let [from, to] = record.ends;
            Some(LinkRecord { ends: [new_end(from)?, new_end(to)?], ..record.clone() })
        });
        links.collect()
    }
}

//! One mesh from a set of loaded tiles, numbered canonically.
//!
//! Cost: linear in the loaded pieces, plus sorts. Invariant: the result depends on the set alone, not on the order in
//! which it was loaded.

use crate::answer::OpenSeam;
use crate::fabric::{Fabric, misfit};
use crate::lines::TileId;
use crate::tile::{Tile, TileGround};
use clearway_base::error::Result;
use clearway_geometry::predicates::orient;
use clearway_geometry::{DisjointSets, Grid, NONE, Point};
use clearway_live::Surroundings;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{
    CellId, LinkEnd, LinkRecord, MeshParts, MeshPlace, Patch, PortalRecord, Relief, Side,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A mesh of loaded tiles.
#[derive(Debug)]
pub(crate) struct Composed {
    /// The mesh.
    pub mesh: Arc<NavMesh>,
    /// The walls of it that are open seams.
    pub seams: Vec<OpenSeam>,
    /// The vertices of each open seam.
    pub rims: Vec<[u32; 2]>,
    /// Links that lead into tiles which are not loaded.
    pub links_out: Vec<LinkOut>,
    /// True if links came that the index does not know of.
    pub has_links: bool,
}

/// A link from the mesh into a tile that is not loaded.
#[derive(Clone, Debug)]
pub(crate) struct LinkOut {
    /// The cell that holds the end on the mesh.
    pub cell: CellId,
    /// The tile of the other end.
    pub tile: TileId,
    /// The name of the link.
    pub name: String,
    /// The place of the end on the mesh.
    pub at: [f64; 3],
}

/// What all tiles of a world have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The grid; none before any tile was read.
    grid: Option<Grid>,
    /// True if the world is a scene.
    pub has_heights: bool,
    /// The ground without corners, faces and patches; none on a plan without area classes.
    relief: Option<Relief>,
}

impl Frame {
    pub fn of(tile: &Tile) -> Frame {
        let relief = tile.ground.as_ref().map(|ground| Relief {
            areas: ground.areas.clone(),
            max_step: ground.max_step,
            body_height: ground.body_height,
            first_patch: vec![0],
            ..Relief::default()
        });
        let has_heights = tile.ground.as_ref().is_some_and(|ground| !ground.faces.is_empty());
        Frame { grid: Some(tile.grid), has_heights, relief }
    }

    /// Returns the mesh of no tiles, as a part of the world.
    pub fn nothing_loaded(&self) -> Result<(NavMesh, Surroundings)> {
        let mesh = NavMesh::clone(&compose(self, &[], Vec::new())?.mesh);
        Ok((mesh, Surroundings { has_heights: self.has_heights, ..Surroundings::default() }))
    }
}

/// Composes the mesh of tiles, which are sorted by number, with the named places of the world. Fails if they do not fit
/// together.
pub(crate) fn compose(frame: &Frame, tiles: &[&Tile], places: Vec<MeshPlace>) -> Result<Composed> {
    let grid = frame.grid.or_else(|| Grid::new([0.0, 0.0], 0)).ok_or_else(|| misfit("there is no grid"))?;
    let fabric = Fabric::of(tiles)?;
    let numbers = Numbers::of(&fabric, tiles.iter().any(|tile| tile.ground.is_some()));
    let mut parts = numbers.parts(&fabric, grid);
    parts.relief = relief(frame, tiles, &fabric, &numbers).map(Arc::new);
    let links = Links::of(tiles, &fabric, &numbers);
    parts.links = links.inside;
    parts.places = places;
    let (seams, rims) = numbers.seams(&fabric, grid);
    let mesh = NavMesh::from_parts(parts).map_err(|flaws| {
        let first = flaws.first().map_or_else(String::new, ToString::to_string);
        misfit(format!("the tiles do not make a mesh: {first}"))
    })?;
    let place = |(end, tile, name): (LinkEnd, TileId, String)| LinkOut {
        cell: CellId(end.cell),
        tile,
        name,
        at: mesh.end_in_space(&end),
    };
    let links_out = links.out.into_iter().map(place).collect();
    Ok(Composed { mesh: Arc::new(mesh), seams, rims, links_out, has_links: false })
}

/// The numbers of vertices and cells in the mesh.
struct Numbers {
    /// The sides of each cell, in the order of cells, each from its lowest vertex.
    cells: Vec<Vec<u32>>,
    /// For each side the number of its vertex.
    vertex_of: Vec<u32>,
    /// The vertices, in order.
    points: Vec<Point>,
    /// For each piece that stands for a cell, the number of the cell.
    cell_of: Vec<u32>,
}

impl Numbers {
    fn of(fabric: &Fabric, in_layers: bool) -> Numbers {
        let mut cells = loops(fabric);
        let mut numbers =
            Numbers { cells: Vec::new(), vertex_of: Vec::new(), points: Vec::new(), cell_of: Vec::new() };
        numbers.number_vertices(fabric, &cells, in_layers);
        let vertex = |side: u32| numbers.vertex_of[side as usize];
        for cell in &mut cells {
            let lowest = (0..cell.len()).min_by_key(|place| vertex(cell[*place])).unwrap_or(0);
            cell.rotate_left(lowest);
        }
        cells.sort_by(|p, q| p.iter().map(|side| vertex(*side)).cmp(q.iter().map(|side| vertex(*side))));
        numbers.cell_of = vec![NONE; fabric.pieces.len()];
        for (number, cell) in (0u32..).zip(&cells) {
            numbers.cell_of[fabric.halves[cell[0] as usize].cell as usize] = number;
        }
        numbers.cells = cells;
        numbers
    }

    /// Numbers vertices in the order of the world. In layers each row of connected cells around a vertex has a vertex
    /// of its own.
    fn number_vertices(&mut self, fabric: &Fabric, cells: &[Vec<u32>], in_layers: bool) {
        let rows = if in_layers { rows(fabric) } else { vec![0; fabric.halves.len()] };
        let mut keys: BTreeMap<(u32, u32), (u32, Point)> = BTreeMap::new();
        for side in cells.iter().flatten() {
            let half = &fabric.halves[*side as usize];
            keys.entry((half.from, rows[*side as usize])).or_insert((0, half.at));
        }
        for (number, entry) in (0u32..).zip(keys.values_mut()) {
            entry.0 = number;
            self.points.push(entry.1);
        }
        self.vertex_of = vec![NONE; fabric.halves.len()];
        for side in cells.iter().flatten() {
            let key = (fabric.halves[*side as usize].from, rows[*side as usize]);
            self.vertex_of[*side as usize] = keys.get(&key).map_or(NONE, |entry| entry.0);
        }
    }

    /// Fills the lists of the mesh.
    fn parts(&self, fabric: &Fabric, grid: Grid) -> MeshParts {
        let mut parts = MeshParts { points: self.points.clone(), ..MeshParts::empty(grid) };
        let mut portal_of = vec![NONE; fabric.halves.len()];
        for (cell, sides) in (0u32..).zip(&self.cells) {
            for (place, side) in sides.iter().enumerate() {
                let to = self.vertex_of[sides[(place + 1) % sides.len()] as usize];
                let (vertex, twin) = (self.vertex_of[*side as usize], fabric.halves[*side as usize].twin);
                if twin != NONE && portal_of[*side as usize] == NONE {
                    let number = parts.portals.len() as u32;
                    (portal_of[*side as usize], portal_of[twin as usize]) = (number, number);
                    parts.portals.push(PortalRecord { vertices: [vertex, to], cells: [cell; 2] });
                } else if twin != NONE {
                    parts.portals[portal_of[*side as usize] as usize].cells[1] = cell;
                }
                parts.sides.push(Side { vertex, portal: portal_of[*side as usize] });
            }
            parts.first_side.push(parts.sides.len() as u32);
        }
        let count = self.cells.len();
        parts.cell_region = (0..count as u32).collect();
        parts.region_count = count as u32;
        let pairs = parts.portals.iter().map(|record| record.cells.into());
        (parts.cell_component, parts.component_count) = DisjointSets::joined(count, pairs).numbered();
        parts
    }

    /// Returns the open seams with their vertices, in the order of cells.
    fn seams(&self, fabric: &Fabric, grid: Grid) -> (Vec<OpenSeam>, Vec<[u32; 2]>) {
        let (mut seams, mut rims) = (Vec::new(), Vec::new());
        for (cell, sides) in (0u32..).zip(&self.cells) {
            for (place, side) in sides.iter().enumerate() {
                let (half, next) = (&fabric.halves[*side as usize], sides[(place + 1) % sides.len()]);
                if half.portal != NONE && half.twin == NONE {
                    let ends = [half.at, fabric.halves[next as usize].at].map(|at| grid.world(at));
                    seams.push(OpenSeam { cell: CellId(cell), ends, tile: half.beyond });
                    rims.push([*side, next].map(|side| self.vertex_of[side as usize]));
                }
            }
        }
        (seams, rims)
    }

    /// Returns the number of the cell that a piece is part of.
    fn cell(&self, fabric: &Fabric, piece: usize) -> u32 {
        self.cell_of[fabric.stands_for[piece] as usize]
    }
}

/// Returns the sides of each cell.
fn loops(fabric: &Fabric) -> Vec<Vec<u32>> {
    let mut is_seen = vec![false; fabric.halves.len()];
    let mut cells = Vec::new();
    for first in 0..fabric.halves.len() as u32 {
        if is_seen[first as usize] || fabric.halves[first as usize].is_dead {
            continue;
        }
        let mut cell = Vec::new();
        let mut at = first;
        while !is_seen[at as usize] {
            is_seen[at as usize] = true;
            cell.push(at);
            at = fabric.halves[at as usize].next;
        }
        cells.push(cell);
    }
    cells
}

/// Returns for each side the row of connected cells around its vertex that it starts in.
fn rows(fabric: &Fabric) -> Vec<u32> {
    let living = (0u32..).zip(&fabric.halves).filter(|(_, half)| !half.is_dead && half.twin != NONE);
    // The corner at the start of a side is one with the corner at the end of its twin.
    let pairs = living.map(|(side, half)| (side, fabric.halves[half.twin as usize].next));
    DisjointSets::joined(fabric.halves.len(), pairs).numbered().0
}

/// Returns the ground under the cells; `None` for a plan.
fn relief(frame: &Frame, tiles: &[&Tile], fabric: &Fabric, numbers: &Numbers) -> Option<Relief> {
    let mut relief = frame.relief.clone()?;
    let grounds: Vec<&TileGround> = tiles.iter().filter_map(|tile| tile.ground.as_ref()).collect();
    let points: BTreeMap<u32, (Point, i32)> = grounds
        .iter()
        .flat_map(|ground| &ground.points)
        .map(|(number, at, height)| (*number, (*at, *height)))
        .collect();
    let number_of: BTreeMap<u32, u32> = points.keys().copied().zip(0..).collect();
    relief.points = points.into_values().collect();
    let faces: BTreeMap<u32, ([u32; 3], u32)> = grounds
        .iter()
        .flat_map(|ground| &ground.faces)
        .map(|(number, corners, chart)| (*number, (*corners, *chart)))
        .collect();
    for (corners, chart) in faces.into_values() {
        relief.faces.push(corners.map(|corner| number_of.get(&corner).copied().unwrap_or(NONE)));
        relief.chart_of.push(chart);
    }
    let mut pieces_of: Vec<Vec<usize>> = vec![Vec::new(); numbers.cells.len()];
    for piece in 0..fabric.pieces.len() {
        if let Some(pieces) = pieces_of.get_mut(numbers.cell(fabric, piece) as usize) {
            pieces.push(piece);
        }
    }
    for pieces in &pieces_of {
        relief.area_of.push(pieces.first().map_or(0, |piece| fabric.pieces[*piece].area));
        let patches = patches_under(tiles, fabric, pieces);
        relief.add_cell(patches.iter().copied());
    }
    Some(relief)
}

/// Returns the patches under the pieces of a cell, in the order of the cells of the world.
fn patches_under(tiles: &[&Tile], fabric: &Fabric, pieces: &[usize]) -> Vec<Patch> {
    let parents: BTreeSet<u32> = pieces.iter().map(|piece| fabric.pieces[*piece].key.0).collect();
    let mut patches: BTreeMap<(u32, u32, u32), Patch> = BTreeMap::new();
    for piece in pieces.iter().map(|piece| &fabric.pieces[*piece]) {
        let tile = tiles[piece.tile as usize];
        let record = &tile.cells[piece.cell as usize];
        let Some(ground) = &tile.ground else { continue };
        let own = &ground.patches[piece.first_patch as usize..][..record.patches as usize];
        if let ([(_, only)], true) = (own, parents.len() > 1 && record.parent_patches == 1) {
            // The patch stands for its whole cell: beside others it must cover the piece.
            let sides = fabric.halves[piece.first_side as usize..][..record.sides as usize].iter();
            let corners: Vec<Point> = sides.map(|half| half.at).collect();
            let fan = corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]);
            for (number, corners) in (0u32..).zip(fan.filter(|[a, b, c]| orient(*a, *b, *c) > 0)) {
                patches.insert((piece.key.0, piece.key.1, number), Patch { chart: only.chart, corners });
            }
        } else {
            patches.extend(own.iter().map(|(number, patch)| ((piece.key.0, NONE, *number), *patch)));
        }
    }
    patches.into_values().collect()
}

/// The links of loaded tiles.
struct Links {
    /// Links with both ends loaded.
    inside: Vec<LinkRecord>,
    /// Ends of links whose other end is not loaded, with the tile of that and the name.
    out: Vec<(LinkEnd, TileId, String)>,
}

impl Links {
    fn of(tiles: &[&Tile], fabric: &Fabric, numbers: &Numbers) -> Links {
        let cell_of = |parent: u32, piece: u32| {
            let place = fabric.pieces.binary_search_by_key(&(parent, piece), |known| known.key).ok()?;
            Some(numbers.cell(fabric, place))
        };
        let mut inside: BTreeMap<u32, LinkRecord> = BTreeMap::new();
        let mut out = Vec::new();
        for link in tiles.iter().flat_map(|tile| &tile.links) {
            let ends = [0, 1].map(|end| cell_of(link.record.ends[end].cell, link.pieces[end]));
            let [start, end] = link.record.ends;
            let name = || link.record.name.clone();
            match ends {
                [Some(from), Some(to)] => {
                    let ends = [LinkEnd { cell: from, ..start }, LinkEnd { cell: to, ..end }];
                    inside.insert(link.number, LinkRecord { ends, ..link.record.clone() });
                }
                [Some(cell), None] => out.push((LinkEnd { cell, ..start }, link.tiles[1], name())),
                [None, Some(cell)] => out.push((LinkEnd { cell, ..end }, link.tiles[0], name())),
                [None, None] => {}
            }
        }
        Links { inside: inside.into_values().collect(), out }
    }
}

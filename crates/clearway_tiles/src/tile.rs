//! A tile in memory: pieces of cells with the numbers that they have in the whole world.

use crate::lines::TileId;
use clearway_geometry::{Grid, Point};
use clearway_nav::mesh::{LinkRecord, Patch};

/// A tile: the pieces of cells that belong to it, their ground and their links.
///
/// Vertices, portals, faces and links keep the numbers of the whole world, so tiles fit by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The number of the tile.
    pub(crate) id: TileId,
    /// The build that the tile comes from; all tiles of a world have the same.
    pub(crate) build: u64,
    /// The grid of the mesh.
    pub(crate) grid: Grid,
    /// Vertices with this number or a higher one were added by cutting.
    pub(crate) first_added: u32,
    /// The vertices, sorted by number.
    pub(crate) vertices: Vec<(u32, Point)>,
    /// The pieces, sorted by parent and piece.
    pub(crate) cells: Vec<TileCell>,
    /// The sides of all pieces, piece after piece.
    pub(crate) sides: Vec<TileSide>,
    /// The tiles beyond the seams, sorted.
    pub(crate) neighbours: Vec<TileId>,
    /// The ground; `None` for a plan.
    pub(crate) ground: Option<TileGround>,
    /// The links that start or end here.
    pub(crate) links: Vec<TileLink>,
}

/// A piece of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileCell {
    /// The cell of the whole mesh that it is a piece of.
    pub parent: u32,
    /// Its number among the pieces of that cell.
    pub piece: u32,
    /// The number of pieces of that cell.
    pub pieces: u32,
    /// The number of its sides.
    pub sides: u32,
    /// The number of its patches.
    pub patches: u32,
    /// The number of patches of the parent.
    pub parent_patches: u32,
    /// Its area class.
    pub area: u8,
}

/// A side of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileSide {
    /// The vertex where it starts, as an index of the tile's vertices.
    pub vertex: u32,
    /// The number of the portal along it, or `NONE` for a wall.
    pub portal: u32,
    /// The tile beyond, as an index of the tile's neighbours; `NONE` if it is this tile.
    pub beyond: u32,
}

/// The ground of a tile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TileGround {
    /// The corners of faces with their numbers, sorted.
    pub points: Vec<(u32, Point, i32)>,
    /// The faces with their numbers, sorted: corners by number, and the chart.
    pub faces: Vec<(u32, [u32; 3], u32)>,
    /// The patches of all pieces, each with its number among the patches of the parent.
    pub patches: Vec<(u32, Patch)>,
    /// The names of the area classes.
    pub areas: Vec<String>,
    /// The greatest step, in metres.
    pub max_step: f64,
    /// The height of a body, in metres.
    pub body_height: f64,
}

/// A link of which an end lies in the tile. The cells of its ends are parents.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TileLink {
    /// The number of the link.
    pub number: u32,
    /// The link.
    pub record: LinkRecord,
    /// The pieces of its ends.
    pub pieces: [u32; 2],
    /// The tiles of its ends.
    pub tiles: [TileId; 2],
}

impl Tile {
    /// Returns the number of the tile.
    pub fn id(&self) -> TileId {
        self.id
    }

    /// Returns the number of pieces of cells.
    pub fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns the tiles beyond the seams and links of this one, sorted.
    pub fn neighbours(&self) -> &[TileId] {
        &self.neighbours
    }

    /// Returns the least box around the tile's ground, in plan coordinates.
    pub fn extent(&self) -> [[f64; 2]; 2] {
        let points: Vec<Point> = self.vertices.iter().map(|(_, at)| *at).collect();
        let (min, max) = clearway_geometry::triangulation::bounds(&points);
        [self.grid.world(min), self.grid.world(max)]
    }

    /// Returns about how much memory the tile takes, in bytes.
    pub fn memory(&self) -> usize {
        let ground = self.ground.as_ref().map_or(0, |ground| {
            size_of_val(&ground.points[..])
                + size_of_val(&ground.faces[..])
                + size_of_val(&ground.patches[..])
        });
        size_of::<Tile>()
            + size_of_val(&self.vertices[..])
            + size_of_val(&self.cells[..])
            + size_of_val(&self.sides[..])
            + size_of_val(&self.links[..])
            + ground
    }
}

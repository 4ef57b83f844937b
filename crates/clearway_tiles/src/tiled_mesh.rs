//! A tiled world of which some tiles are loaded.

use crate::answer::OpenSeam;
use crate::codec;
use crate::compose::{Composed, Frame};
use crate::edited::Now;
use crate::fabric::misfit;
use crate::index::{self, IndexEntry, IndexPlace, TileIndex};
use crate::lines::TileId;
use crate::tile::Tile;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;
use clearway_live::LiveMesh;
use clearway_nav::mesh::{MeshParts, MeshPlace};
use clearway_nav::{NavMesh, Position};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The name of the index in its folder.
pub const INDEX_NAME: &str = "tiles.json";

/// A tiled world of which some tiles are loaded.
///
/// [`mesh`](TiledMesh::mesh) gives one mesh of the loaded tiles; it is a snapshot that later loads do not change. The
/// mesh is a function of the loaded set: load and unload in any order, and the same set gives the same bytes.
#[derive(Debug)]
pub struct TiledMesh {
    /// The index.
    index: TileIndex,
    /// For each tile its place in the index.
    places: BTreeMap<TileId, usize>,
    /// The place that tiles are loaded from.
    pub(crate) source: Source,
    /// The loaded tiles.
    loaded: BTreeMap<TileId, Arc<Tile>>,
    /// What all tiles have in common, found on first use.
    frame: OnceLock<Frame>,
    /// What edits put into the world, while no mesh has it; none before the first edit.
    pub(crate) rest: Option<LiveMesh>,
    /// The mesh of the loaded tiles, made on first use.
    pub(crate) now: OnceLock<Now>,
}

/// The place that tiles are loaded from.
#[derive(Debug)]
pub(crate) enum Source {
    /// A folder with the files of the index.
    Folder(PathBuf),
    /// Tiles in memory.
    Memory(BTreeMap<TileId, Arc<Tile>>),
}

/// The memory that loaded tiles take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// The number of loaded tiles.
    pub tiles: usize,
    /// The bytes of the loaded tiles, about.
    pub tile_bytes: usize,
    /// The bytes of the lists of the composed mesh, about; 0 before it was asked for.
    pub mesh_bytes: usize,
}

impl TiledMesh {
    /// Opens a tiled world by its index or by the folder of its index, with what edits put into it. No tile is loaded yet.
    pub fn open(path: impl AsRef<Path>) -> Result<TiledMesh> {
        let path = path.as_ref();
        let path = if path.is_dir() { path.join(INDEX_NAME) } else { path.to_path_buf() };
        let in_file = |error: Error| error.in_file(&path);
        let text = file::read_filled_text(&path, "index of tiles", index::MAX_BYTES).map_err(in_file)?;
        let index = TileIndex::parse(&text).map_err(in_file)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let mut tiles = TiledMesh::new(index, Source::Folder(folder.clone()));
        tiles.take_up_edits(&folder)?;
        Ok(tiles)
    }

    /// Makes a tiled world of tiles in memory. No tile is loaded yet. Fails if they are not the tiles of one world.
    pub fn of_tiles(size: f64, tiles: Vec<Tile>) -> Result<TiledMesh> {
        TiledMesh::of_tiles_with_places(size, tiles, &[])
    }

    /// As [`of_tiles`](TiledMesh::of_tiles), with the named places of the world.
    pub fn of_tiles_with_places(size: f64, tiles: Vec<Tile>, places: &[MeshPlace]) -> Result<TiledMesh> {
        let index = TileIndex::parse(&TileIndex::of(size, &tiles).with_places(places).text())?;
        let tiles = tiles.into_iter().map(|tile| (tile.id, Arc::new(tile))).collect();
        Ok(TiledMesh::new(index, Source::Memory(tiles)))
    }

    fn new(index: TileIndex, source: Source) -> TiledMesh {
        let places = index.tiles.iter().enumerate().map(|(place, entry)| (entry.id(), place)).collect();
        let (frame, now) = (OnceLock::new(), OnceLock::new());
        TiledMesh { index, places, source, loaded: BTreeMap::new(), frame, rest: None, now }
    }

    /// Returns the index.
    pub fn index(&self) -> &TileIndex {
        &self.index
    }

    /// Returns the entry of a tile; `None` if the world has no such tile.
    pub fn entry(&self, tile: TileId) -> Option<&IndexEntry> {
        self.places.get(&tile).and_then(|place| self.index.tiles.get(*place))
    }

    /// Returns the loaded tiles, sorted.
    pub fn loaded(&self) -> impl ExactSizeIterator<Item = TileId> + '_ {
        self.loaded.keys().copied()
    }

    /// True if a tile is loaded.
    pub fn is_loaded(&self, tile: TileId) -> bool {
        self.loaded.contains_key(&tile)
    }

    /// Loads a tile. Returns false if it was loaded before. Nothing changes if it cannot be loaded.
    pub fn load(&mut self, tile: TileId) -> Result<bool> {
        if self.is_loaded(tile) {
            return Ok(false);
        }
        let read = Arc::new(self.read(tile)?);
        if let Some((other, known)) = self.loaded.first_key_value()
            && (known.grid != read.grid || known.first_added != read.first_added)
        {
            return Err(misfit(format!("tiles {other} and {tile} lie on different grids")));
        }
        self.loaded.insert(tile, read);
        self.settle();
        Ok(true)
    }

    /// Loads every tile.
    pub fn load_all(&mut self) -> Result<()> {
        let all: Vec<TileId> = self.places.keys().copied().collect();
        all.into_iter().try_for_each(|tile| self.load(tile).map(|_| ()))
    }

    /// Loads every tile with ground within a distance of a point, in metres. Returns those that were not loaded before.
    pub fn load_around(&mut self, at: impl Position, distance: f64) -> Result<Vec<TileId>> {
        let near = self.within(at, distance);
        let mut new = Vec::new();
        for tile in near {
            if self.load(tile)? {
                new.push(tile);
            }
        }
        Ok(new)
    }

    /// Unloads a tile. Returns false if it was not loaded.
    pub fn unload(&mut self, tile: TileId) -> bool {
        let was_loaded = self.loaded.remove(&tile).is_some();
        if was_loaded {
            self.settle();
        }
        was_loaded
    }

    /// Unloads every tile without ground within a distance of a point, in metres. Returns them.
    pub fn unload_beyond(&mut self, at: impl Position, distance: f64) -> Vec<TileId> {
        let near = self.within(at, distance);
        let far: Vec<TileId> = self.loaded().filter(|tile| near.binary_search(tile).is_err()).collect();
        far.iter().for_each(|tile| {
            self.unload(*tile);
        });
        far
    }

    /// Returns the tiles with ground within a distance of a point, sorted; by the box around their ground.
    pub fn within(&self, at: impl Position, distance: f64) -> Vec<TileId> {
        let near = |entry: &&IndexEntry| entry.distance(at.plan()) <= distance;
        let mut tiles: Vec<TileId> = self.index.tiles.iter().filter(near).map(IndexEntry::id).collect();
        tiles.sort_unstable();
        tiles
    }

    /// Returns the tiles with ground under a named place, sorted; by the boxes around both.
    pub fn under(&self, place: &MeshPlace) -> Vec<TileId> {
        let end = |pick: fn(f64, f64) -> f64, axis: usize| {
            place.points.iter().map(|at| at[axis]).reduce(pick).unwrap_or(f64::NAN)
        };
        self.touching([0, 1].map(|axis| end(f64::min, axis)), [0, 1].map(|axis| end(f64::max, axis)))
    }

    /// Returns the tiles with ground under a box of the plan, sorted; by the boxes around their ground.
    pub fn touching(&self, low: [f64; 2], high: [f64; 2]) -> Vec<TileId> {
        let touches = |entry: &&IndexEntry| {
            (0..2).all(|axis| entry.extent[0][axis] <= high[axis] && low[axis] <= entry.extent[1][axis])
        };
        let mut tiles: Vec<TileId> = self.index.tiles.iter().filter(touches).map(IndexEntry::id).collect();
        tiles.sort_unstable();
        tiles
    }

    /// Returns the mesh of the loaded tiles. It is made when first asked for after a load; the cost is linear in the
    /// loaded set.
    pub fn mesh(&self) -> Result<Arc<NavMesh>> {
        match &self.now()?.edited {
            Some(edited) => Ok(Arc::clone(edited.live.mesh())),
            None => Ok(Arc::clone(&self.composed()?.mesh)),
        }
    }

    /// Returns the walls of the mesh beyond which a tile is not loaded, in the order of cells.
    pub fn open_seams(&self) -> Result<Vec<OpenSeam>> {
        Ok(self.composed()?.seams.clone())
    }

    /// Returns about how much memory the loaded tiles take.
    pub fn footprint(&self) -> Footprint {
        Footprint {
            tiles: self.loaded.len(),
            tile_bytes: self.loaded.values().map(|tile| tile.memory()).sum(),
            mesh_bytes: self.now.get().map_or(0, |now| match &now.edited {
                Some(edited) => list_bytes(edited.live.mesh().parts()),
                None => now.shown.get().map_or(0, |composed| list_bytes(composed.mesh.parts())),
            }),
        }
    }

    /// Returns the mesh of the loaded tiles with its open seams.
    pub(crate) fn composed(&self) -> Result<Arc<Composed>> {
        let now = self.now()?;
        let shown = || match &now.edited {
            Some(edited) => Ok(Arc::new(edited.shown(self))),
            None => Err(misfit("there is no mesh")),
        };
        if let Some(known) = now.shown.get() {
            return Ok(Arc::clone(known));
        }
        let shown = shown()?;
        Ok(Arc::clone(now.shown.get_or_init(|| shown)))
    }

    /// Returns the loaded tiles, sorted by number.
    pub(crate) fn loaded_tiles(&self) -> impl Iterator<Item = &Tile> {
        self.loaded.values().map(Arc::as_ref)
    }

    /// Returns the named places as the mesh holds them.
    pub(crate) fn mesh_places(&self) -> Vec<MeshPlace> {
        self.index.places.iter().map(IndexPlace::to_mesh).collect()
    }

    /// Returns what all tiles have in common. If none is loaded, the first one of the world tells.
    pub(crate) fn frame(&self) -> Result<&Frame> {
        if let Some(known) = self.frame.get() {
            return Ok(known);
        }
        let frame = match (self.loaded.values().next(), self.places.keys().next()) {
            (Some(tile), _) => Frame::of(tile),
            (None, Some(first)) => Frame::of(&self.read(*first)?),
            (None, None) => return Err(misfit("the world has no tiles")),
        };
        Ok(self.frame.get_or_init(|| frame))
    }

    /// Reads a tile from its source, and compares it with the index.
    fn read(&self, id: TileId) -> Result<Tile> {
        let Some(entry) = self.entry(id) else {
            return Err(Error::new(ErrorKind::OutOfRange, format!("there is no tile {id} in this world")));
        };
        let (tile, path) = match &self.source {
            Source::Memory(tiles) => {
                let tile = tiles.get(&id).ok_or_else(|| misfit(format!("tile {id} is missing")))?;
                (Tile::clone(tile), PathBuf::from(&entry.file))
            }
            Source::Folder(folder) => {
                let path = folder.join(&entry.file);
                let read = file::read(&path, "tile", codec::MAX_BYTES).and_then(|bytes| Tile::decode(&bytes));
                (read.map_err(|error| error.in_file(&path))?, path)
            }
        };
        self.compare(entry, &tile).map_err(|error| error.in_file(&path))?;
        Ok(tile)
    }

    /// Fails if a tile is not the one that the index means.
    fn compare(&self, entry: &IndexEntry, tile: &Tile) -> Result<()> {
        let id = entry.id();
        if Some(tile.build) != self.index.build() {
            return Err(misfit(format!("tile {id} comes from another build than the index")));
        }
        if tile.id != id {
            return Err(misfit(format!("holds tile {}; the index has tile {id} there", tile.id)));
        }
        if format!("{:016x}", tile.checksum()) != entry.checksum {
            return Err(misfit(format!("tile {id} is not the one that the index was made for")));
        }
        Ok(())
    }
}

/// Returns about how much memory the lists of a mesh take, in bytes.
fn list_bytes(parts: &MeshParts) -> usize {
    let relief = parts.relief.as_ref().map_or(0, |relief| {
        size_of_val(&relief.points[..])
            + size_of_val(&relief.faces[..])
            + size_of_val(&relief.chart_of[..])
            + size_of_val(&relief.first_patch[..])
            + size_of_val(&relief.patches[..])
    });
    size_of_val(&parts.points[..])
        + size_of_val(&parts.first_side[..])
        + size_of_val(&parts.sides[..])
        + size_of_val(&parts.portals[..])
        + 2 * size_of_val(&parts.cell_region[..])
        + relief
}

//! The index of a tiled world: which tiles there are, and where.

use crate::lines::{TileId, rectangle};
use crate::tile::Tile;
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_base::parallel;
use clearway_nav::mesh::{MAX_PLACES, MeshPlace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the format in the file.
const FORMAT: &str = "clearway tiles";

/// The version of the format.
const VERSION: u32 = 1;

/// The greatest size of an index file, in bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 28;

/// The part of a tile by which a rectangle may be off its lines: rounding in the file.
const ROUNDING: f64 = 1e-6;

/// The index of a tiled world, as `tiles.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileIndex {
    /// Always `clearway tiles`.
    format: String,
    /// The version of the format.
    version: u32,
    /// The build that all tiles come from.
    build: String,
    /// The side of a tile, in metres.
    pub size: f64,
    /// True if the world has links: a way through them may be shorter than a straight line.
    pub links: bool,
    /// The tiles.
    pub tiles: Vec<IndexEntry>,
    /// The named places of the world. They stand here and not in tiles, so that a name is known before its tile is loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<IndexPlace>,
}

/// A named place in the index: an exit, an area to start from, a waypoint or a door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexPlace {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: String,
    /// The height of its floor in metres; 0 on a plan.
    pub height: f64,
    /// One point, the ends of a line, or the corners of an area, in plan coordinates.
    pub points: Vec<[f64; 2]>,
}

impl IndexPlace {
    fn of(place: &MeshPlace) -> IndexPlace {
        let MeshPlace { name, role, height, points } = place.clone();
        IndexPlace { name, role, height, points }
    }

    /// Returns the place as a mesh holds it.
    pub fn to_mesh(&self) -> MeshPlace {
        let IndexPlace { name, role, height, points } = self.clone();
        MeshPlace { name, role, height, points }
    }
}

/// A tile in the index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexEntry {
    /// The column.
    pub x: i32,
    /// The row, in plan coordinates.
    pub y: i32,
    /// The name of its file, beside the index.
    pub file: String,
    /// The checksum of its content.
    pub checksum: String,
    /// The size of its file, in bytes.
    pub bytes: u64,
    /// The number of pieces of cells in it.
    pub cells: usize,
    /// Its rectangle in plan coordinates: the low and the high corner.
    pub rectangle: [[f64; 2]; 2],
    /// The least box around its ground, in plan coordinates. It may stick out of the rectangle.
    pub extent: [[f64; 2]; 2],
    /// The tiles that it has seams or links with.
    pub neighbours: Vec<[i32; 2]>,
}

impl IndexEntry {
    /// Returns the number of the tile.
    pub fn id(&self) -> TileId {
        TileId { x: self.x, y: self.y }
    }

    /// Returns the tiles that it has seams or links with.
    pub fn neighbours(&self) -> impl Iterator<Item = TileId> + '_ {
        self.neighbours.iter().map(|[x, y]| TileId { x: *x, y: *y })
    }

    /// Returns the distance of a point of the plan from the tile's ground box, in metres.
    pub fn distance(&self, at: [f64; 2]) -> f64 {
        let [low, high] = self.extent;
        let off = |axis: usize| (low[axis] - at[axis]).max(at[axis] - high[axis]).max(0.0);
        off(0).hypot(off(1))
    }
}

impl TileIndex {
    /// Makes the index of the tiles of a world. The files are named after the tiles.
    pub fn of(size: f64, tiles: &[Tile]) -> TileIndex {
        let entry = |tile: &Tile| IndexEntry {
            x: tile.id.x,
            y: tile.id.y,
            file: format!("{}_{}.tile", tile.id.x, tile.id.y),
            checksum: format!("{:016x}", tile.checksum()),
            bytes: tile.encode().len() as u64,
            cells: tile.cell_count(),
            rectangle: rectangle(size, tile.id),
            extent: tile.extent(),
            neighbours: tile.neighbours().iter().map(|tile| [tile.x, tile.y]).collect(),
        };
        TileIndex {
            format: FORMAT.to_string(),
            version: VERSION,
            build: format!("{:016x}", tiles.first().map_or(0, |tile| tile.build)),
            size,
            links: tiles.iter().any(|tile| !tile.links.is_empty()),
            tiles: parallel::map(tiles.len(), |i| entry(&tiles[i])),
            places: Vec::new(),
        }
    }

    /// Returns the index with the named places of the world.
    pub fn with_places(self, places: &[MeshPlace]) -> TileIndex {
        TileIndex { places: places.iter().map(IndexPlace::of).collect(), ..self }
    }

    /// Reads an index, and refuses one that makes no sense.
    pub fn parse(text: &str) -> Result<TileIndex> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let syntax = |error: serde_json::Error| {
            Error::new(ErrorKind::Syntax, format!("is not an index of tiles: {error}"))
        };
        let head: Head = serde_json::from_str(text).map_err(syntax)?;
        if head.format != FORMAT || head.version != VERSION {
            let message = format!(
                "is an index of `{}` version {}; this clearway reads `{FORMAT}` version {VERSION}",
                head.format, head.version
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let index: TileIndex = serde_json::from_str(text).map_err(syntax)?;
        index.check()?;
        Ok(index)
    }

    /// Returns the index as text.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).map_or_else(|_| String::new(), |text| text + "\n")
    }

    /// Returns the build that all tiles come from.
    pub(crate) fn build(&self) -> Option<u64> {
        u64::from_str_radix(&self.build, 16).ok()
    }

    /// Refuses tiles that overlap, lie off the lines, or name neighbours that are not there.
    fn check(&self) -> Result<()> {
        let wrong = |message: String| Err(Error::new(ErrorKind::Syntax, message));
        if !(self.size.is_finite() && self.size > 0.0) {
            return wrong(format!("a tile size of {} m makes no sense", short(self.size)));
        }
        if self.build().is_none() {
            return wrong("the build is not a number of 16 hexadecimal digits".to_string());
        }
        let mut known: BTreeMap<TileId, &IndexEntry> = BTreeMap::new();
        for entry in &self.tiles {
            let id = entry.id();
            if known.insert(id, entry).is_some() {
                return wrong(format!("tiles overlap: tile {id} is there twice"));
            }
            let place = rectangle(self.size, id);
            let off = |end: usize, axis: usize| (entry.rectangle[end][axis] - place[end][axis]).abs();
            let is_on = |end: usize| (0..2).all(|axis| off(end, axis) <= self.size * ROUNDING);
            if !(is_on(0) && is_on(1)) {
                return wrong(format!(
                    "tile {id}: its rectangle is not the one of its number, so it would overlap others or leave a gap"
                ));
            }
            if !entry.extent.iter().flatten().all(|c| c.is_finite()) {
                return wrong(format!("tile {id}: its extent is not finite"));
            }
            if entry.file.is_empty() || entry.file.contains(['/', '\\']) || entry.file.contains("..") {
                return wrong(format!("tile {id}: its file must lie beside the index"));
            }
            if u64::from_str_radix(&entry.checksum, 16).is_err() {
                return wrong(format!("tile {id}: its checksum is not a number"));
            }
        }
        if self.places.len() > MAX_PLACES {
            return wrong(format!("more than {MAX_PLACES} places"));
        }
        for (number, place) in self.places.iter().enumerate() {
            if let Some(flaw) = place.to_mesh().flaw() {
                return wrong(format!("place {}: {flaw}", number + 1));
            }
        }
        for entry in &self.tiles {
            let (id, back) = (entry.id(), [entry.x, entry.y]);
            for other in entry.neighbours() {
                match known.get(&other) {
                    None => {
                        return wrong(format!(
                            "there is a gap: tile {id} has a seam with tile {other}, which is missing"
                        ));
                    }
                    Some(there) if !there.neighbours.contains(&back) => {
                        return wrong(format!(
                            "tile {id} has a seam with tile {other}, but not the other way round"
                        ));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }
}

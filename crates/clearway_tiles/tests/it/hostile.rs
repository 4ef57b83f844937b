//! Bad input: tiles that are damaged, tiles that do not fit together, an index that makes no sense. Each gets an error
//! that names the tile; nothing is loaded then.

use crate::worlds::{all, hall, mesh_of_plan, tiled};
use clearway_nav::NavMesh;
use clearway_nav::mesh::MeshPlace;
use clearway_scenes::{Family, Random};
use clearway_tiles::{INDEX_NAME, Tile, TileIndex, TiledMesh, divide};
use std::path::PathBuf;

/// The side of a tile, in metres.
const SIZE: f64 = 30.0;

/// A folder of tiles that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn of(name: &str, mesh: &NavMesh) -> Folder {
        let path = std::env::temp_dir().join(format!("clearway_tiles_{name}_{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        let tiles = divide(mesh, SIZE).unwrap();
        let index = TileIndex::of(SIZE, &tiles);
        for (entry, tile) in index.tiles.iter().zip(&tiles) {
            std::fs::write(path.join(&entry.file), tile.encode()).unwrap();
        }
        std::fs::write(path.join(INDEX_NAME), index.text()).unwrap();
        Folder(path)
    }

    /// Loads everything. Returns the number of loaded tiles and the error.
    fn load(&self) -> (usize, String) {
        let mut tiles = match TiledMesh::open(&self.0) {
            Ok(tiles) => tiles,
            Err(error) => return (0, error.to_string()),
        };
        let error = tiles.load_all().and_then(|()| tiles.mesh().map(|_| ())).unwrap_err();
        (tiles.loaded().len(), error.to_string())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn damaged_tiles_are_refused() {
    let bytes = divide(&hall(90.0), SIZE).unwrap()[0].encode();
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        Tile::decode(&bytes).unwrap_err().to_string()
    };
    assert!(error(&|bytes| bytes[0] = b'X').contains("is not a tile"));
    assert!(error(&|bytes| bytes.truncate(20)).contains("cut off"));
    assert!(error(&|bytes| bytes[8] = 2).contains("version 2"));
    assert!(error(&|bytes| bytes.truncate(bytes.len() - 1)).contains("checksum"));
    assert!(error(&|bytes| *bytes.last_mut().unwrap() ^= 1).contains("checksum"));
}

/// Every byte of a tile changed in turn: an error, never a panic. The build number alone is told apart by the index.
#[test]
fn no_changed_byte_gets_through() {
    let bytes = divide(&hall(90.0), SIZE).unwrap()[0].encode();
    for place in (0..bytes.len()).filter(|place| !(16..24).contains(place)) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x55;
        assert!(Tile::decode(&changed).is_err(), "byte {place}");
    }
}

#[test]
fn tiles_of_other_builds_are_refused() {
    let folder = Folder::of("other_build", &hall(90.0));
    let other = Folder::of("other_build_2", &mesh_of_plan(Family::ALL[0].draw(200, 1)));
    let name = "1_1.tile";
    let from_other = std::fs::read_dir(&other.0).unwrap().map(|entry| entry.unwrap().path());
    let tile = from_other.filter(|path| path.extension().is_some_and(|end| end == "tile")).min().unwrap();
    std::fs::copy(tile, folder.0.join(name)).unwrap();
    let (loaded, error) = folder.load();
    assert!(error.contains(name) && error.contains("comes from another build than the index"), "{error}");
    assert!(loaded < 9);
}

#[test]
fn tiles_in_the_wrong_place_are_refused() {
    let folder = Folder::of("swapped", &hall(90.0));
    std::fs::copy(folder.0.join("0_0.tile"), folder.0.join("1_1.tile")).unwrap();
    let error = folder.load().1;
    assert!(error.contains("holds tile") && error.contains("1_1.tile"), "{error}");
    let folder = Folder::of("missing", &hall(90.0));
    std::fs::remove_file(folder.0.join("1_1.tile")).unwrap();
    let error = folder.load().1;
    assert!(error.contains("1_1.tile"), "{error}");
}

#[test]
fn an_index_that_makes_no_sense_is_refused() {
    let text = TileIndex::of(SIZE, &divide(&hall(90.0), SIZE).unwrap()).text();
    let error = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        TileIndex::parse(&changed).unwrap_err().to_string()
    };
    assert!(error("\"version\": 1", "\"version\": 7").contains("version 7"));
    assert!(error("\"size\": 30.0", "\"size\": -1.0").contains("makes no sense"));
    assert!(error("\"size\": 30.0", "\"size\": 31.0").contains("is not the one of its number"));
    assert!(error("\"x\": 1,", "\"x\": 0,").contains("tiles overlap"));
    assert!(error("0_0.tile", "../0_0.tile").contains("beside the index"));
    assert!(error("\"links\": false,", "").contains("is not an index"));
    assert!(error("\"links\"", "\"more\": 1, \"links\"").contains("is not an index"));
    let mut index = TileIndex::parse(&text).unwrap();
    index.tiles[0].neighbours.clear();
    assert!(TileIndex::parse(&index.text()).unwrap_err().to_string().contains("not the other way round"));
    index.tiles.remove(0);
    assert!(TileIndex::parse(&index.text()).unwrap_err().to_string().contains("which is missing"));
    let nowhere = MeshPlace { name: "a".into(), role: "exit".into(), height: 0.0, points: Vec::new() };
    let index = TileIndex::parse(&text).unwrap().with_places(&[nowhere]);
    assert!(TileIndex::parse(&index.text()).unwrap_err().to_string().contains("place 1"));
}

/// Tiles of two worlds under one index in memory: they lie on the same grid, but their seams are others.
#[test]
fn mixed_worlds_are_refused() {
    let [one, other] =
        [400, 500].map(|size| divide(&mesh_of_plan(Family::ALL[1].draw(size, 3)), SIZE).unwrap());
    let mut random = Random::new(4);
    let mut refused = 0;
    for _ in 0..20 {
        let mixed: Vec<Tile> = one
            .iter()
            .map(|tile| {
                let same = other.iter().find(|there| there.id() == tile.id());
                same.filter(|_| random.chance(0.5)).unwrap_or(tile).clone()
            })
            .collect();
        let is_mixed = mixed.iter().zip(&one).any(|(p, q)| p != q);
        let mut tiles = match TiledMesh::of_tiles(SIZE, mixed) {
            Ok(tiles) => tiles,
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        let outcome = tiles.load_all().and_then(|()| tiles.mesh().map(|_| ()));
        assert_eq!(outcome.is_err(), is_mixed);
        refused += usize::from(outcome.is_err());
    }
    assert!(refused > 10, "{refused}");
}

/// A world keeps its named places in tiles, and the bytes of the whole mesh with them.
#[test]
fn named_places_survive() {
    let mut mesh = hall(90.0);
    let exit = |name: &str, x: f64| MeshPlace {
        name: name.into(),
        role: "exit".into(),
        height: 0.0,
        points: vec![[x, 0.0], [x + 2.0, 0.0], [x + 2.0, 1.0], [x, 1.0]],
    };
    mesh.set_places(&[exit("west", 5.0), exit("middle", 29.0), exit("east", 80.0)]);
    let mut tiles =
        TiledMesh::of_tiles_with_places(SIZE, divide(&mesh, SIZE).unwrap(), mesh.places()).unwrap();
    assert_eq!(tiles.mesh().unwrap().places(), mesh.places());
    let under: Vec<usize> = mesh.places().iter().map(|place| tiles.under(place).len()).collect();
    assert_eq!(under, [1, 2, 1]);
    tiles.load_all().unwrap();
    assert!(tiles.mesh().unwrap().encode() == mesh.encode());
    let plain = tiled(&mesh, SIZE);
    assert_eq!((all(&plain).len(), plain.mesh().unwrap().places().len()), (9, 0));
}

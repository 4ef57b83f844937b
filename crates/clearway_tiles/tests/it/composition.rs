//! The mesh of a set of tiles: all of them give the whole mesh, some of them a sound part, in any order.

use crate::worlds::{all, hall, tiled, worlds};
use clearway_nav::{NavMesh, PathQuery};
use clearway_scenes::Random;
use clearway_tiles::{Tile, TileId, TiledMesh, divide};
use std::collections::BTreeSet;

#[test]
fn all_tiles_make_the_bytes_of_the_whole_mesh() {
    for (name, mesh, size) in worlds() {
        let mut tiles = tiled(&mesh, size);
        tiles.load_all().unwrap();
        assert!(tiles.open_seams().unwrap().is_empty(), "{name}");
        assert!(tiles.mesh().unwrap().encode() == mesh.encode(), "{name}: other bytes");
    }
}

#[test]
fn parts_of_a_world_keep_all_laws_and_do_not_depend_on_order() {
    for (number, (name, mesh, size)) in (0u64..).zip(worlds()) {
        let mut random = Random::new(number);
        let mut tiles = tiled(&mesh, size);
        let names = all(&tiles);
        for round in 0..6 {
            for _ in 0..names.len().min(12) {
                let tile = names[random.below(names.len())];
                if tiles.is_loaded(tile) {
                    tiles.unload(tile);
                } else {
                    tiles.load(tile).unwrap();
                }
            }
            check_part(&format!("{name}, round {round}"), &mesh, size, &tiles);
        }
    }
}

/// Checks the laws, and compares with the same set loaded at once in another order.
fn check_part(name: &str, whole: &NavMesh, size: f64, tiles: &TiledMesh) {
    let mesh = tiles.mesh().unwrap_or_else(|error| panic!("{name}: {error}"));
    let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
    assert!(flaws.is_empty(), "{name}: {flaws:#?}");
    let mut again = tiled(whole, size);
    let loaded: Vec<TileId> = tiles.loaded().collect();
    loaded.iter().rev().for_each(|tile| assert!(again.load(*tile).unwrap()));
    assert!(
        again.mesh().unwrap().encode() == mesh.encode(),
        "{name}: the order of loading changes the bytes"
    );
    let walls = mesh.wall_count();
    assert!(tiles.open_seams().unwrap().len() <= walls, "{name}");
}

/// Single tiles together cover the world exactly once.
#[test]
fn the_areas_of_tiles_sum_up_exactly() {
    for (name, mesh, size) in worlds() {
        let mut tiles = tiled(&mesh, size);
        let mut doubled = 0;
        for tile in all(&tiles) {
            tiles.load(tile).unwrap();
            doubled += doubled_area(&tiles.mesh().unwrap());
            tiles.unload(tile);
        }
        assert_eq!(doubled, doubled_area(&mesh), "{name}");
    }
}

/// Twice the area of a mesh in square grid units.
fn doubled_area(mesh: &NavMesh) -> i128 {
    mesh.cells().map(|cell| clearway_geometry::predicates::doubled_area(cell.points())).sum()
}

/// The mesh of all tiles but far ones gives the same paths and widest radii near the start: the ways that stay within the
/// loaded part are the ways of the whole mesh.
#[test]
fn ways_through_seams_are_as_long_as_in_the_whole_mesh() {
    let mut compared = 0;
    for (name, mesh, size) in worlds() {
        let mut tiles = tiled(&mesh, size);
        let names = all(&tiles);
        // All but one tile: the cells beside it are cut, and the rest is glued.
        let Some(missing) = names.get(names.len() / 2) else { continue };
        names.iter().filter(|tile| *tile != missing).for_each(|tile| assert!(tiles.load(*tile).unwrap()));
        let part = tiles.mesh().unwrap();
        let ends: Vec<_> = part.random_points(7).take(12).collect();
        for pair in ends.windows(2) {
            let places = [pair[0], pair[1]].map(|end| part.place(end));
            let [from, to] = places.map(|place| mesh.locate(place).unwrap());
            for radius in [0.0, 0.2, 0.6] {
                let query = PathQuery::new(pair[0], pair[1]).radius(radius);
                let whole = mesh.find_path(&PathQuery::new(from, to).radius(radius));
                match (tiles.find_path(&query), whole) {
                    (Ok(way), Ok(whole)) => {
                        let longer = way.path.length - whole.length;
                        assert!(longer > -1e-9 * (1.0 + whole.length), "{name}: shorter by {longer}");
                        if way.shorter.is_none() {
                            assert!(
                                longer < 1e-9 * (1.0 + whole.length),
                                "{name}: longer by {longer}, but said to be shortest"
                            );
                            compared += 1;
                        } else if let Some(shorter) = way.shorter {
                            assert!(shorter.tile == *missing && shorter.bound <= way.path.length, "{name}");
                        }
                    }
                    (Ok(_), Err(reason)) => panic!("{name}: a way in the part, none in the whole: {reason}"),
                    (Err(clearway_tiles::NoWay::Unloaded { tiles }), _) => {
                        assert_eq!(tiles, [*missing], "{name}")
                    }
                    (Err(reason), Ok(_)) => panic!("{name}: {reason}, but there is a way through {missing}"),
                    (Err(_), Err(_)) => {}
                }
            }
        }
    }
    assert!(compared > 100, "only {compared} ways were compared");
}

#[test]
fn an_empty_hall_is_cut_along_the_lines() {
    let mesh = hall(100.0);
    let tiles = divide(&mesh, 25.0).unwrap();
    assert_eq!(tiles.len(), 16);
    for tile in &tiles {
        let (low, high) = (tile.id(), tile.extent());
        assert_eq!(high[0], [low.x, low.y].map(|number| 25.0 * f64::from(number)));
        assert_eq!(tile.cell_count(), 1);
    }
    // Two rows of loaded tiles are one cell again.
    let mut tiles = TiledMesh::of_tiles(25.0, tiles).unwrap();
    tiles.load_around([50.0, 10.0], 60.0).unwrap();
    tiles.unload_beyond([50.0, 10.0], 1.0);
    assert_eq!(tiles.loaded().collect::<Vec<_>>(), [TileId { x: 1, y: 0 }, TileId { x: 2, y: 0 }]);
    assert_eq!((tiles.mesh().unwrap().cell_count(), tiles.mesh().unwrap().area()), (1, 1250.0));
}

#[test]
fn tiles_survive_their_files() {
    for (name, mesh, size) in worlds() {
        let tiles = divide(&mesh, size).unwrap();
        let names: BTreeSet<TileId> = tiles.iter().map(Tile::id).collect();
        assert_eq!(names.len(), tiles.len(), "{name}");
        for tile in tiles {
            let bytes = tile.encode();
            let read = Tile::decode(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(read == tile && read.encode() == bytes, "{name}");
        }
    }
}

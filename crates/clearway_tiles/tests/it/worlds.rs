//! The worlds of the tests.

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::NavMesh;
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, Family, PlanDrawing, Soup, bridge, building, car_park, city,
    spiral_ramp, terrain,
};
use clearway_tiles::{TileId, TiledMesh, divide};
use clearway_world::Scene;
use clearway_world::plan::{Plan, PlanPolygon};

pub fn mesh_of_plan(drawing: PlanDrawing) -> NavMesh {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    let plan =
        Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() };
    MeshOptions::default().build(&plan).unwrap()
}

pub fn mesh_of_soup(soup: &Soup) -> NavMesh {
    let Soup { vertices, triangles, part_of, parts } = soup.clone();
    let scene = Scene::from_triangles(vertices, triangles, part_of, parts).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// The mesh of a hall of this size, upright and empty.
pub fn hall(side: f64) -> NavMesh {
    MeshOptions::default().build(&Plan::from_rings([square([0.0, 0.0], side)])).unwrap()
}

/// The corners of a square.
pub fn square([x, y]: [f64; 2], side: f64) -> Vec<[f64; 2]> {
    vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
}

/// Plans of every family, and scenes in layers, each with a size of tiles that gives some dozen of them.
pub fn worlds() -> Vec<(String, NavMesh, f64)> {
    let mut worlds = Vec::new();
    for (seed, family) in (0u64..).zip(Family::ALL) {
        for size in [60, 400] {
            let mesh = mesh_of_plan(family.draw(size, seed));
            worlds.push((format!("{} {size}", family.name()), mesh, 10.0 * (size as f64).sqrt() / 5.0));
        }
    }
    worlds.push(("hall".to_string(), hall(100.0), 21.0));
    let scenes = [
        ("building", building(BuildingOptions::default(), 1).soup, 7.0),
        ("car park", car_park(CarParkOptions::default()).soup, 9.0),
        ("city", city(2, 3).soup, 30.0),
        ("bridge", bridge(Approach::Ramp).soup, 6.0),
        ("spiral", spiral_ramp(40).soup, 3.0),
        ("terrain", terrain(12, 5).soup, 11.0),
    ];
    worlds.extend(scenes.into_iter().map(|(name, soup, size)| (name.to_string(), mesh_of_soup(&soup), size)));
    worlds.retain(|world| world.1.cell_count() > 0);
    worlds
}

/// The tiles of a mesh, none loaded.
pub fn tiled(mesh: &NavMesh, size: f64) -> TiledMesh {
    TiledMesh::of_tiles(size, divide(mesh, size).unwrap()).unwrap()
}

/// The numbers of all tiles.
pub fn all(tiles: &TiledMesh) -> Vec<TileId> {
    tiles.index().tiles.iter().map(|entry| entry.id()).collect()
}

//! The large worlds: a generated town, and a furnished building of ten storeys.

use clearway::mesh::ComponentId;
use clearway::{Location, MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_crowd::Area;
use clearway_scenes::{BuildingOptions, Soup};

use super::grid::Grid;

/// Half the side of a shared area, in metres.
const AREA_SIDE: f64 = 2.0;
/// The number of shared areas.
const AREAS: usize = 24;
/// Bodies stand so far apart at the start, beyond their radii, in metres.
const ROOM: f64 = 0.05;
const SEED: u64 = 1;

/// A mesh, where bodies start, and areas that many of them want to reach.
pub struct World {
    /// Its name in tables.
    pub name: String,
    /// Its mesh, with the path index.
    pub mesh: NavMesh,
    /// Starts, apart from each other and from walls.
    pub places: Vec<Location>,
    /// Goals that are shared.
    pub areas: Vec<Area>,
}

impl World {
    /// Makes a town of `blocks` by `blocks` blocks of 60 m.
    pub fn city(blocks: usize, bodies: usize, radius: f64) -> Result<World, String> {
        World::of(format!("city {blocks}x{blocks}"), clearway_scenes::city(blocks, SEED).soup, bodies, radius)
    }

    /// Makes a furnished building.
    pub fn building(options: BuildingOptions, bodies: usize, radius: f64) -> Result<World, String> {
        let name = format!("building, {} storeys", options.storeys);
        World::of(name, clearway_scenes::building(options, SEED).soup, bodies, radius)
    }

    fn of(name: String, soup: Soup, bodies: usize, radius: f64) -> Result<World, String> {
        let Soup { vertices, triangles, part_of, parts } = soup;
        let scene = Scene::from_triangles(vertices, triangles, part_of, parts);
        let scene = scene.map_err(|error| error.to_string())?;
        let surface = WalkableSurface::extract(&scene, &WalkRules::default());
        let mesh = surface.and_then(|surface| MeshOptions::default().build(&surface));
        let mesh = mesh.map_err(|error| error.to_string())?;
        mesh.prepare_paths();
        let places = scatter(&mesh, bodies, radius);
        let areas = areas(&mesh, radius)?;
        Ok(World { name, mesh, places, areas })
    }
}

/// Places in the component with the most cells where a body fits.
pub fn places(mesh: &NavMesh, radius: f64, seed: u64) -> impl Iterator<Item = Location> + '_ {
    let main = main_component(mesh);
    mesh.random_points(seed).filter(move |at| {
        mesh.cell(at.cell()).map(|cell| cell.component()) == main
            && mesh.clearance(*at).is_some_and(|clearance| clearance > radius + ROOM)
    })
}

/// Places that are apart from each other. Where floors lie over each other they are apart in plan too.
fn scatter(mesh: &NavMesh, bodies: usize, radius: f64) -> Vec<Location> {
    let candidates: Vec<Location> = places(mesh, radius, SEED).take(2 * bodies).collect();
    let spots: Vec<[f32; 2]> = candidates.iter().map(|at| at.position().map(|c| c as f32)).collect();
    let reach = (2.0 * radius + ROOM) as f32;
    let mut grid = Grid::new(reach);
    grid.sort(&spots);
    let mut place_of = vec![0; spots.len()];
    grid.order.iter().enumerate().for_each(|(place, &body)| place_of[body as usize] = place);
    let mut taken = vec![false; spots.len()];
    let mut chosen = Vec::with_capacity(bodies);
    for (body, at) in candidates.iter().enumerate() {
        let near = grid.nearest(place_of[body], reach);
        let blocked = near.places().iter().any(|&place| {
            let other = grid.order[place as usize] as usize;
            taken[other] && (mesh.height(candidates[other]) - mesh.height(*at)).abs() < 1.0
        });
        if !blocked && chosen.len() < bodies {
            taken[body] = true;
            chosen.push(*at);
        }
    }
    chosen
}

fn areas(mesh: &NavMesh, radius: f64) -> Result<Vec<Area>, String> {
    let square = |at: Location| {
        let middle = at.position();
        let area = Area::rectangle(middle.map(|c| c - AREA_SIDE), middle.map(|c| c + AREA_SIDE));
        area.map(|area| area.at_height(mesh.height(at))).map_err(|error| error.to_string())
    };
    places(mesh, radius, SEED + 1).take(AREAS).map(square).collect()
}

/// The component with the most cells.
fn main_component(mesh: &NavMesh) -> Option<ComponentId> {
    let mut cells = vec![0; mesh.component_count()];
    mesh.cells().for_each(|cell| cells[cell.component().0 as usize] += 1);
    let largest = (0..cells.len()).max_by_key(|number| cells[*number])?;
    Some(ComponentId(largest as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_a_building_stand_apart_on_every_floor() {
        let options = BuildingOptions { storeys: 3, rooms_x: 3, rooms_z: 2 };
        let world = World::building(options, 150, 0.2).unwrap();
        assert_eq!((world.places.len(), world.areas.len()), (150, AREAS));
        let spots: Vec<[f64; 3]> = world.places.iter().map(|at| world.mesh.place(*at)).collect();
        let mut floors: Vec<i64> = spots.iter().map(|at| (at[1] / 3.0).round() as i64).collect();
        floors.sort_unstable();
        floors.dedup();
        assert!(floors.len() >= 3, "{floors:?}");
        for (index, a) in spots.iter().enumerate() {
            let apart = |b: &[f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]) > 0.4 || (a[1] - b[1]).abs() > 1.0;
            assert!(spots[..index].iter().all(apart));
        }
    }
}

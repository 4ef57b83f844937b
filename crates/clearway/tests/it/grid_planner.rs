//! The grid planner beside the optimal search: never shorter, never closer to a wall than the radius.

use clearway::path::SearchSpace;
use clearway::plan::{Plan, PlanPolygon};
use clearway::{Location, MeshOptions, NavMesh, PathQuery};
use clearway_compare::{GridOptions, GridPlanner};
use clearway_scenes::{Family, PlanDrawing, Random, turn_back, two_ways};

fn mesh(drawing: &PlanDrawing) -> NavMesh {
    let polygon = |(outline, holes): &(Vec<[f64; 2]>, Vec<Vec<[f64; 2]>>)| PlanPolygon {
        outline: outline.clone(),
        holes: holes.clone(),
    };
    let plan = Plan {
        polygons: drawing.polygons.iter().map(polygon).collect(),
        rings: drawing.rings.clone(),
        walls: drawing.walls.clone(),
        ..Plan::default()
    };
    MeshOptions::default().build(&plan).unwrap()
}

fn random_place(mesh: &NavMesh, random: &mut Random) -> Location {
    let [low, high] = mesh.bounds().unwrap();
    loop {
        let point = [random.range(low[0], high[0]), random.range(low[1], high[1])];
        if let Ok(location) = mesh.locate(point) {
            return location;
        }
    }
}

#[test]
fn no_path_of_the_grid_is_shorter_than_the_optimal_one() {
    let families =
        [Family::Boxes, Family::Caves, Family::Mazes, Family::Stars, Family::ThinWalls, Family::Combs];
    let mut found = 0;
    for (seed, family) in (0..3).flat_map(|seed| families.map(|family| (seed, family))) {
        let mesh = mesh(&family.draw(60, seed));
        let options = GridOptions::default().cell_size(Some(0.5)).diagonal(seed != 1);
        let mut planner = GridPlanner::new(&mesh, &options).unwrap();
        let (mut random, mut space) = (Random::new(seed), SearchSpace::new());
        for radius in [0.0, 0.3, 1.0].repeat(8) {
            let [start, goal] = [(); 2].map(|()| random_place(&mesh, &mut random));
            let query = PathQuery::new(start, goal).radius(radius);
            let Ok(path) = planner.find_path(&query) else { continue };
            let name = format!("{} {seed}: {query:?}", family.name());
            let shortest = mesh.find_path_in(&query, &mut space).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(
                path.length >= shortest.length * (1.0 - 1e-9),
                "{name}: {} {}",
                path.length,
                shortest.length
            );
            assert!(path.clearance >= radius && path.complete, "{name}");
            assert_eq!(path.cells.len(), path.portals.len() + 1, "{name}");
            assert!(path.bound >= path.length / shortest.length * (1.0 - 1e-9), "{name}");
            found += 1;
        }
    }
    assert!(found > 100, "only {found} paths to compare");
}

/// The length of the way of a body, by both planners.
fn lengths(mesh: &NavMesh, [from, to]: [[f64; 2]; 2], radius: f64) -> [f64; 2] {
    let [start, goal] = [from, to].map(|point| mesh.locate(point).unwrap());
    let query = PathQuery::new(start, goal).radius(radius);
    let options = GridOptions::default().cell_size(Some(0.125)).diagonal(true);
    let grid = GridPlanner::new(mesh, &options).unwrap().find_path(&query).unwrap();
    [mesh.find_path(&query).unwrap().length, grid.length]
}

#[test]
fn the_radius_decides_about_the_way() {
    let two_ways = mesh(&two_ways());
    let ends = [[5.0, 5.0], [25.0, 5.0]];
    assert!(lengths(&two_ways, ends, 0.4).into_iter().all(|length| (20.0..21.0).contains(&length)));
    assert!(lengths(&two_ways, ends, 1.5).into_iter().all(|length| (42.0..47.0).contains(&length)));
    let turn_back = mesh(&turn_back());
    let ends = [[2.5, 1.5], [9.5, 1.5]];
    assert!(lengths(&turn_back, ends, 0.5).into_iter().all(|length| (9.8..12.0).contains(&length)));
    assert!(lengths(&turn_back, ends, 1.0).into_iter().all(|length| (17.0..19.0).contains(&length)));
}

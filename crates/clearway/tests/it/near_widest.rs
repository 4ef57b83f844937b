//! Paths of bodies that barely fit, over floors that lie over each other.
//!
//! What the clearance says and what the search finds come from different code, and so do the ways there and back. Just
//! below the widest radius they disagree first: there is a path if and only if the body fits, and it is as long in either
//! direction.
//!
//! `CLEARWAY_PAIRS` sets how many pairs are tried in all.

use crate::generated::keeping_all;
use crate::generated::scene_of;
use clearway::{
    Location, MeshOptions, NavMesh, PathQuery, Quality, Scene, SearchSpace, WalkRules, WalkableSurface,
};
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, Random, bridge, building, car_park, city, clutter,
    shared_data, stacked_floors, toy, traps,
};

/// Pairs that are tried where the environment does not say otherwise.
const PAIRS: usize = 3000;

/// Scenes of fewer cells have nothing to get wrong.
const LEAST_CELLS: usize = 4;

/// Lengths there and back agree up to this share.
const SAME_LENGTH: f64 = 1e-6;

fn mesh_of(scene: &Scene, rules: &WalkRules, quality: Quality) -> Option<NavMesh> {
    let surface = WalkableSurface::extract(scene, rules).ok()?;
    MeshOptions::default().quality(quality).build(&surface).ok()
}

/// All scenes with a name and the rules by which they are walked. Those of others are larger and come last.
fn scenes() -> Vec<(String, Scene, WalkRules)> {
    let mut known = vec![
        building(BuildingOptions::default(), 1),
        building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 }, 3),
        car_park(CarParkOptions::default()),
        bridge(Approach::Ramp),
        bridge(Approach::Embankment),
        city(4, 1),
        toy(),
    ];
    known.extend(traps());
    let mut scenes: Vec<_> = known
        .into_iter()
        .map(|known| (known.name.to_string(), scene_of(&known.soup), keeping_all()))
        .collect();
    scenes.push(("clutter".to_string(), scene_of(&clutter(300, 1)), keeping_all()));
    let files = [
        ("nav_test.obj", 0.4),
        ("dungeon.obj", 0.4),
        ("undulating.obj", 0.4),
        ("hospital3.obj", 0.4),
        ("zdm2.obj", 0.9),
        ("truck_town.obj", 0.4),
        ("godot_nav_level.obj", 0.4),
        ("navcat_proto-level.glb", 0.4),
        ("freedoom2_map15.obj", 0.9),
        ("freedoom2_map28.obj", 0.9),
    ];
    if let Some(folder) = shared_data("scenes") {
        scenes.extend(files.map(|(file, max_step)| {
            let rules = keeping_all().max_step(max_step);
            (file.to_string(), Scene::load(folder.join(file)).unwrap(), rules)
        }));
    }
    scenes
}

/// What was seen on one mesh.
#[derive(Default)]
struct Seen {
    pairs: usize,
    lost: usize,
    forbidden: usize,
    uneven: usize,
    worst: f64,
    example: Option<String>,
}

/// A place in the open, anywhere, or almost on a wall, as chance will have it.
fn place(mesh: &NavMesh, random: &mut Random) -> Option<Location> {
    let tries = [1, 1, 4, 16][random.below(4)];
    let places = mesh.random_points(random.next_u64()).take(tries);
    let room = |place: &Location| mesh.clearance(*place).unwrap_or(0.0);
    let place = places.max_by(|a, b| room(a).total_cmp(&room(b)))?;
    if !random.chance(0.1) {
        return Some(place);
    }
    let share = 10f64.powf(random.range(-7.0, 0.0));
    let near = mesh.walls_near(place, room(&place) * 1.000_001);
    let [x, height, z] = mesh.place(place);
    let beside = near.first().map_or([x, -z], |wall| foot([x, -z], [wall.from, wall.to]));
    let moved = [beside[0] + (x - beside[0]) * share, height, -beside[1] + (z + beside[1]) * share];
    Some(mesh.locate_near(moved, &place).unwrap_or(place))
}

/// The place on a segment that is nearest to a point.
fn foot(at: [f64; 2], [from, to]: [[f64; 2]; 2]) -> [f64; 2] {
    let along = [to[0] - from[0], to[1] - from[1]];
    let ahead = (at[0] - from[0]) * along[0] + (at[1] - from[1]) * along[1];
    let share = (ahead / (along[0].powi(2) + along[1].powi(2))).clamp(0.0, 1.0);
    [from[0] + along[0] * share, from[1] + along[1] * share]
}

/// A radius at which two places are barely joined, or barely not.
fn radius(widest: f64, random: &mut Random) -> f64 {
    match random.below(8) {
        0 => widest,
        1 => widest * (1.0 + 10f64.powf(random.range(-5.0, -1.0))),
        2 => widest * random.range(0.5, 1.0),
        3 => widest * random.range(0.9, 1.0),
        _ => widest * (1.0 - 10f64.powf(random.range(-6.0, -1.3))),
    }
}

fn look(mesh: &NavMesh, pairs: usize, seed: u64) -> Seen {
    let mut seen = Seen::default();
    let mut random = Random::new(seed);
    let mut space = SearchSpace::new();
    let mut tries = 0;
    while seen.pairs < pairs && tries < 20 * pairs {
        tries += 1;
        let (Some(a), Some(b)) = (place(mesh, &mut random), place(mesh, &mut random)) else { break };
        let Some(widest) = mesh.widest_radius(a, b).filter(|widest| *widest > 0.0) else { continue };
        let radius = radius(widest, &mut random);
        seen.pairs += 1;
        let mut length = |from: Location, to: Location| {
            let query = PathQuery::new(from, to).radius(radius);
            mesh.find_path_in(&query, &mut space).ok().map(|path| path.length)
        };
        let [there, back] = [length(a, b), length(b, a)];
        let fits = radius <= widest;
        let before = (seen.lost, seen.forbidden, seen.uneven);
        match (there, back) {
            (Some(there), Some(back)) if fits => {
                let off = (there - back).abs() / there.max(back).max(1e-9);
                seen.worst = seen.worst.max(off);
                seen.uneven += usize::from(off > SAME_LENGTH);
            }
            (None, None) if !fits => {}
            _ if fits => seen.lost += 1,
            _ => seen.forbidden += 1,
        }
        if (seen.lost, seen.forbidden, seen.uneven) != before && seen.example.is_none() {
            let [from, to] = [a, b].map(|place| mesh.place(place));
            seen.example = Some(format!(
                "from {from:?} to {to:?}, radius {radius:?} of {widest:?}: {there:?} there, {back:?} back"
            ));
        }
    }
    seen
}

/// Polygons of a doorway between two rooms, each with its height, as faces of a scene.
fn doorway(heights: [f64; 6]) -> Scene {
    let polygons: [&[[f64; 2]]; 6] = [
        &[[-62.0, 62.0], [-50.0, 82.0], [-53.5, 102.0], [-54.0, 102.5]],
        &[
            [-48.0, 91.25],
            [-50.0, 100.0],
            [-52.0, 102.0],
            [-53.5, 102.0],
            [-50.0, 82.0],
            [-48.0, 80.0],
            [-48.0, 84.75],
        ],
        &[[-48.0, 91.25], [-48.0, 84.75], [-47.25, 84.75], [-47.25, 86.25], [-47.25, 89.75], [-47.25, 91.25]],
        &[[-47.25, 89.75], [-47.25, 86.25], [-47.125, 86.5], [-47.125, 89.5]],
        &[[-42.25, 89.5], [-47.125, 89.5], [-47.125, 86.5], [-42.25, 86.5]],
        &[[-36.5, 86.0], [-37.0, 90.5], [-42.25, 89.5], [-42.25, 86.5], [-41.75, 86.0]],
    ];
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for (polygon, height) in polygons.into_iter().zip(heights) {
        let first = corners.len() as u32;
        corners.extend(polygon.iter().map(|[x, y]| [*x, height, -y]));
        triangles.extend((1..polygon.len() as u32 - 1).map(|i| [first, first + i, first + i + 1]));
    }
    let part_of = vec![0; triangles.len()];
    Scene::from_triangles(corners, triangles, part_of, [("all", "")]).unwrap()
}

/// A corner beside a cell on the way was taken for one of another floor, because a wall stood between it and one place of the
/// cell: one way through the door was lost from 1.455 m on.
#[test]
fn a_door_lets_through_what_fits_both_ways() {
    let rules = keeping_all().max_step(0.9);
    for heights in [[0.0; 6], [-4.0, -4.0, -3.5, -3.0, -3.0, -3.75]] {
        let mesh = mesh_of(&doorway(heights), &rules, Quality::Default).unwrap();
        let [left, right] = [[-52.5, heights[1], -100.0], [-40.0, heights[5], -88.0]];
        let [left, right] = [left, right].map(|place| mesh.locate(place).unwrap());
        for (radius, length) in [(1.4, 20.555), (1.46, 20.629), (1.487, 20.663), (1.4999, 20.679)] {
            for [from, to] in [[left, right], [right, left]] {
                let path = mesh.find_path(&PathQuery::new(from, to).radius(radius)).unwrap();
                assert!((path.length - length).abs() < 1e-3, "radius {radius}: {}", path.length);
            }
        }
    }
}

/// Two places of a mesh, and how long the paths between them are there and back.
fn both_ways(mesh: &NavMesh, places: [[f64; 3]; 2], radius: f64) -> [f64; 2] {
    let [a, b] = places.map(|place| mesh.locate(place).unwrap());
    assert!(mesh.widest_radius(a, b).unwrap() >= radius);
    [[a, b], [b, a]]
        .map(|[from, to]| mesh.find_path(&PathQuery::new(from, to).radius(radius)).unwrap().length)
}

/// The body touches the end of the wall that it stands beside a rounding beyond the cell, and never left that: it took a
/// longer way, or found none.
#[test]
fn bodies_beside_a_wall_turn_around_its_end() {
    let cases = [
        (
            bridge(Approach::Ramp),
            [[18.40038154080571, 0.0, -1.7651198716368435], [29.190838361135157, 0.0, -1.2113672451811164]],
            (8.488184106323063e-6, 11.1346),
        ),
        (
            toy(),
            [
                [5.306483666174765, 1.1532418330873826, 2.9995928065450186],
                [16.604022976818307, 0.0, 4.60864499497076],
            ],
            (0.00040718242109505256, 14.6379),
        ),
        (
            stacked_floors(),
            [[3.3244119924572955, 0.0, 1.99958567623574], [1.3225430284680568, 0.0, 4.672870091843423]],
            (0.0004143107484350172, 4.0376),
        ),
    ];
    for (known, places, (radius, length)) in cases {
        let mesh = mesh_of(&scene_of(&known.soup), &keeping_all(), Quality::Default).unwrap();
        for found in both_ways(&mesh, places, radius) {
            assert!((found - length).abs() < 1e-4, "{}: {found}", known.name);
        }
    }
}

/// The radius was rounded up to more than the distance between an end and a wall, and there was no path.
#[test]
fn tiny_bodies_almost_on_a_wall_find_their_way() {
    let house = building(BuildingOptions::default(), 1);
    let mesh = mesh_of(&scene_of(&house.soup), &keeping_all(), Quality::Default).unwrap();
    let places =
        [[13.441809877277844, 9.0, 4.522651655981107], [14.509107079460199, 9.0, -0.10009720206363515]];
    for radius in [4.5418e-7, 4.5e-7, 1e-7, 1e-9] {
        let [there, back] = both_ways(&mesh, places, radius);
        assert!((there - back).abs() < 1e-6 * there, "{there} there, {back} back");
    }
}

/// A wall behind a corner was left out for a portal that sees another part of it: the way was wider than the place it starts
/// from.
#[test]
fn no_way_is_wider_than_its_ends() {
    let Some(folder) = shared_data("scenes") else { return };
    let scene = Scene::load(folder.join("hospital3.obj")).unwrap();
    let mesh = mesh_of(&scene, &keeping_all(), Quality::Default).unwrap();
    let places =
        [[-11.734741884823915, 3.0, 17.402009171180413], [-4.5598551188078495, 3.0, -2.106353935696598]];
    let [a, b] = places.map(|place| mesh.locate(place).unwrap());
    let (widest, room) = (mesh.widest_radius(a, b).unwrap(), mesh.clearance(a).unwrap());
    assert!(widest <= room, "{widest} from a place with {room} around it");
}

#[test]
fn bodies_that_barely_fit_find_the_same_way_there_and_back() {
    let pairs = std::env::var("CLEARWAY_PAIRS").ok().and_then(|pairs| pairs.parse().ok()).unwrap_or(PAIRS);
    let scenes = scenes();
    let meshes: Vec<(String, NavMesh)> = scenes
        .into_iter()
        .map(|(name, scene, rules)| (name, mesh_of(&scene, &rules, Quality::Default).unwrap()))
        .filter(|(_, mesh)| mesh.cell_count() >= LEAST_CELLS)
        .collect();
    let each = pairs.div_ceil(meshes.len());
    let mut wrong = Vec::new();
    for (name, mesh) in &meshes {
        let Seen { pairs, lost, forbidden, uneven, worst, example } = look(mesh, each, 7);
        let cells = mesh.cell_count();
        println!(
            "{name:24} {cells:5} cells {pairs:6} pairs {lost:4} lost {forbidden:4} forbidden {uneven:4} uneven, \
             {worst:.1e} at worst"
        );
        if let Some(example) = example {
            wrong.push(format!("{name}: {example}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

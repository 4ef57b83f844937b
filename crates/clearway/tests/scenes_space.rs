//! Generated scenes with their truths: the extracted surface and its mesh have the area, the pieces and the connections
//! that are known in closed form; also when the scenes are spoilt.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::BTreeSet;

use clearway::mesh::ComponentId;
use clearway::scene::Part;
use clearway::{MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_scenes::{
    Approach, BODY_HEIGHT, BuildingOptions, CarParkOptions, DirtOptions, KnownScene, MAX_STEP, Soup, bridge,
    building, car_park, cave, city, dirt_tolerance, dirty, terrain, toy, traps,
};

/// Pieces smaller than this are dropped, in square metres.
const MIN_AREA: f64 = 0.05;

/// Scenes whose truth is not met yet, by name, and why. A scene that is met must leave this list.
const NOT_MET: [(&str, &str); 0] = [];

/// Faces that look down and lay on a floor now lie up to a millimetre above it here and there, and block it.
const PRESSED: &str = "undersides that rise above the floor they lie on by less than a millimetre block it";
/// Walls are drawn of triangles that no longer meet, and end below the floor at different depths, so that their corners
/// are not welded either.
const CRACKED: &str =
    "cracks under a millimetre between the triangles of walls let the inside of solids join the outside";

/// The same for spoilt scenes.
const NOT_MET_SPOILT: [(&str, &str); 7] = [
    ("stacked_floors", "not known yet: the stairs come off the lower floor"),
    ("toy", CRACKED),
    ("building_3x3x2", CRACKED),
    ("car_park_3x1", CRACKED),
    ("bridge_embankment", PRESSED),
    ("city_1", CRACKED),
    ("cave_64", "cracks in steep faces that part pockets of the floor"),
];

fn scenes() -> Vec<KnownScene> {
    let mut scenes = traps();
    scenes.push(toy());
    scenes.push(building(BuildingOptions::default(), 1));
    scenes.push(car_park(CarParkOptions::default()));
    scenes.extend([Approach::Embankment, Approach::Ramp].map(bridge));
    scenes.push(city(1, 1));
    scenes.push(cave(64, 1));
    scenes.push(terrain(64, 1));
    scenes
}

fn scene_of(soup: &Soup) -> Scene {
    let part = |(name, material): &(String, String)| Part {
        name: name.clone(),
        material: material.clone(),
        ..Part::default()
    };
    Scene {
        vertices: soup.vertices.clone(),
        triangles: soup.triangles.clone(),
        part_of: soup.part_of.clone(),
        parts: soup.parts.iter().map(part).collect(),
        areas: vec!["ground".to_string()],
        notes: Vec::new(),
    }
}

/// The rules that truths are about. Insides of solids stay, since truths know them.
fn rules(bridge: f64) -> WalkRules {
    WalkRules {
        height: BODY_HEIGHT,
        max_step: MAX_STEP,
        max_slope: 45f64.to_radians(),
        gap: bridge,
        min_area: MIN_AREA,
        inside: false,
        ..WalkRules::default()
    }
}

/// What differs from the truth.
fn differences(scene: &KnownScene) -> Vec<String> {
    let surface = WalkableSurface::extract(&scene_of(&scene.soup), &rules(scene.truth.bridge)).unwrap();
    let mesh = NavMesh::build(&surface, &MeshOptions::default()).unwrap();
    let mut found = Vec::new();
    // Splinters of a grid unit or two are left out of meshes; between walls and floors that were moved apart there are
    // many, but no more than dirt may make.
    if (mesh.area() - surface.report().area).abs() > 1e-4 * mesh.area() + 0.005 + scene.truth.tolerance {
        found.push(format!("the mesh has {} m2, its surface {}", mesh.area(), surface.report().area));
    }
    if mesh.component_count() != surface.report().component_count {
        let counts = (mesh.component_count(), surface.report().component_count);
        found.push(format!("the mesh and its surface have different counts of components: {counts:?}"));
    }
    compare_area(scene, &mesh, &mut found);
    compare_components(scene, &surface, &mesh, &mut found);
    for &place in &scene.truth.blocked {
        if component_at(&mesh, place).is_some() {
            found.push(format!("{place:?} is not blocked"));
        }
    }
    found
}

fn compare_area(scene: &KnownScene, mesh: &NavMesh, found: &mut Vec<String>) {
    let truth = &scene.truth;
    let small: f64 = truth.components.iter().map(|c| c.area).filter(|area| *area < MIN_AREA).sum();
    let area = truth.area() - small;
    // Corners are rounded to a quarter of a millimetre.
    let slack = truth.tolerance + 1e-4 * area + 0.005;
    if (mesh.area() - area).abs() > slack {
        let off = mesh.area() - area;
        found.push(format!("area {:.4}, not {area:.4}: off by {off:.4}, allowed {slack:.4}", mesh.area()));
    }
}

fn compare_components(
    scene: &KnownScene,
    surface: &WalkableSurface,
    mesh: &NavMesh,
    found: &mut Vec<String>,
) {
    let large: Vec<_> = scene.truth.components.iter().filter(|c| c.area >= MIN_AREA).collect();
    if scene.truth.complete && mesh.component_count() != large.len() {
        let smallest = surface.report().components.last();
        let count = mesh.component_count();
        found.push(format!("{count} components, not {}; the last listed is {smallest:?}", large.len()));
    }
    let mut seen = BTreeSet::new();
    for (number, component) in large.iter().enumerate() {
        let here: Vec<_> = component.places.iter().map(|place| component_at(mesh, *place)).collect();
        for (place, _) in component.places.iter().zip(&here).filter(|(_, here)| here.is_none()) {
            found.push(format!("component {number}: nothing at {place:?}"));
        }
        let ids: BTreeSet<ComponentId> = here.iter().flatten().copied().collect();
        if ids.len() > 1 {
            let list: Vec<_> = component.places.iter().zip(&here).collect();
            found.push(format!("component {number} falls apart: {list:?}"));
        }
        if let Some(id) = ids.first().filter(|id| !seen.insert(**id)) {
            found.push(format!("component {number} is joined with another: {id:?}, {:?}", component.places));
        }
    }
}

/// The component of the mesh at a place in space.
fn component_at(mesh: &NavMesh, place: [f64; 3]) -> Option<ComponentId> {
    let at = mesh.locate(place).ok()?;
    let is_here = (mesh.height(at) - place[1]).abs() < 0.1;
    mesh.cell(at.cell()).filter(|_| is_here).map(|cell| cell.component())
}

/// Every scene meets its truth, but for those that are listed with a reason.
fn judge(scenes: &[KnownScene], not_met: &[(&str, &str)]) {
    let mut trouble = Vec::new();
    for scene in scenes {
        let differences = differences(scene);
        let reason = not_met.iter().find(|(name, _)| *name == scene.name);
        match (differences.is_empty(), reason) {
            (true, Some((name, reason))) => trouble.push(format!("{name} is met, but listed: {reason}")),
            (false, None) => trouble.push(format!("{}:\n    {}", scene.name, differences.join("\n    "))),
            _ => {}
        }
    }
    assert!(trouble.is_empty(), "{} scenes:\n{}", trouble.len(), trouble.join("\n"));
}

#[test]
fn generated_scenes_are_what_their_truths_say() {
    judge(&scenes(), &NOT_MET);
}

/// The scene as dirty as modelling tools leave it; its truth allows for that.
fn spoilt(mut scene: KnownScene, seed: u64) -> KnownScene {
    let options = DirtOptions::default();
    scene.truth.tolerance += dirt_tolerance(&scene.soup, options);
    scene.truth.bridge += 2.0 * options.jitter;
    scene.soup = dirty(&scene.soup, seed, options);
    scene
}

#[test]
fn spoilt_scenes_are_what_their_truths_say() {
    let scenes: Vec<KnownScene> = scenes().into_iter().map(|scene| spoilt(scene, 9)).collect();
    judge(&scenes, &NOT_MET_SPOILT);
}

/// Tells for each scene how many of twenty ways to spoil it meet its truth.
#[test]
#[ignore = "a survey, takes minutes: run with --ignored --nocapture"]
fn survey_of_spoilt_scenes() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let seeds = std::env::var("SEEDS").map_or(1..=20, |seeds| 1..=seeds.parse().unwrap());
    for scene in scenes().into_iter().filter(|scene| scene.name.contains(&only)) {
        let found = seeds.clone().map(|seed| (seed, differences(&spoilt(scene.clone(), seed))));
        let wrong: Vec<_> = found.filter(|(_, differences)| !differences.is_empty()).collect();
        eprintln!("{}: {} of {} wrong", scene.name, wrong.len(), seeds.clone().count());
        wrong.iter().for_each(|(seed, differences)| eprintln!("  {seed}: {}", differences.join("\n      ")));
    }
}

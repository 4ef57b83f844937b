//! Scene files as other programs write them: triangle counts and bounds.
//!
//! The files are not part of the project. Where they are missing the tests say so and pass.

use clearway::{Scene, SceneFormat, SceneOptions, Selection};
use clearway_scenes::shared_data;

/// Files with their triangles.
const SCENES: [(&str, usize); 11] = [
    ("nav_test.obj", 1612),
    ("dungeon.obj", 10_133),
    ("undulating.obj", 5202),
    ("hospital3.obj", 82_822),
    ("zdm2.obj", 70_691),
    ("truck_town.obj", 30_345),
    // Those of the OBJ file and 132 whose corners coincide, which it leaves out.
    ("truck_town_gltf/town_model.gltf", 30_477),
    ("godot_nav_level.obj", 138),
    ("navcat_proto-level.glb", 26_773),
    ("freedoom2_map15.obj", 21_330),
    ("freedoom2_map28.obj", 30_540),
];

#[test]
fn every_file_has_its_triangles() {
    let Some(folder) = shared_data("scenes") else { return };
    for (file, triangles) in SCENES {
        let scene = Scene::load(folder.join(file)).unwrap();
        assert_eq!(scene.triangles.len(), triangles, "{file}");
        assert_eq!(scene.validate(), Ok(()), "{file}");
        assert_eq!(scene.areas, ["ground"], "{file}");
    }
}

#[test]
fn no_file_is_forgotten() {
    let Some(folder) = shared_data("scenes") else { return };
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes = entries.filter(|path| SceneFormat::from_path(path).is_ok());
    let names: Vec<String> =
        scenes.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in names {
        assert!(SCENES.iter().any(|(file, _)| *file == name), "{name} is not in the list");
    }
}

#[test]
fn one_town_in_two_formats_has_the_same_bounds() {
    let Some(folder) = shared_data("scenes") else { return };
    let bounds = |file: &str| Scene::load(folder.join(file)).unwrap().bounds().unwrap();
    let (text, tree) = (bounds("truck_town.obj"), bounds("truck_town_gltf/town_model.gltf"));
    for (a, b) in text.as_flattened().iter().zip(tree.as_flattened()) {
        assert!((a - b).abs() < 1e-3, "{text:?} and {tree:?}");
    }
}

#[test]
fn parts_of_a_town_are_selected_by_name() {
    let Some(folder) = shared_data("scenes") else { return };
    let mut scene = Scene::load(folder.join("truck_town_gltf/town_model.gltf")).unwrap();
    let before = scene.triangles.len();
    let selection = Selection {
        ignore: vec!["Water*".to_string(), "*Tree*".to_string()],
        areas: vec![("grass".to_string(), "GrassMesh".to_string())],
    };
    scene.select(&selection).unwrap();
    assert!(scene.triangles.len() <= before);
    assert_eq!(scene.areas, ["ground", "grass"]);
    assert!(scene.parts.iter().any(|part| part.name == "Terrain/GrassMesh" && part.area == 1));
    assert_eq!(scene.validate(), Ok(()));
}

/// Real files cut short and with bytes changed at random: nothing panics, and what is read is valid.
#[test]
fn damaged_files_are_refused_or_valid() {
    let Some(folder) = shared_data("scenes") else { return };
    let options = SceneOptions::default().max_triangles(200_000);
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for file in ["nav_test.obj", "godot_nav_level.obj", "navcat_proto-level.glb"] {
        let path = folder.join(file);
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..40 {
            let mut damaged = bytes.clone();
            damaged.truncate(if random(4) == 0 { random(bytes.len()) } else { bytes.len() });
            for _ in 0..1 + random(4) {
                let place = random(damaged.len().clamp(1, 200_000));
                if let Some(byte) = damaged.get_mut(place) {
                    *byte = random(256) as u8;
                }
            }
            if let Ok(scene) = Scene::parse(SceneFormat::from_path(&path).unwrap(), &damaged, &options) {
                assert_eq!(scene.validate(), Ok(()), "{file}");
            }
        }
    }
}

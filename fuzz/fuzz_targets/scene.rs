//! Bytes as a scene in any format: reading never panics nor takes memory that the file does not warrant, what is read
//! is valid, and selecting parts of it keeps it so.

#![no_main]

use clearway::scene::{Scene, SceneFormat, SceneOptions, Selection, Up};
use clearway_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let formats = [SceneFormat::Gltf, SceneFormat::Glb, SceneFormat::Obj, SceneFormat::Stl, SceneFormat::Ply];
    let format = formats[bytes.below(formats.len())];
    let up = if bytes.byte() % 2 == 0 { Up::Y } else { Up::Z };
    let options = SceneOptions::default().up(up).max_triangles(10_000);
    let Ok(mut scene) = Scene::parse(format, bytes.rest(), &options) else { return };
    assert_eq!(scene.validate(), Ok(()), "{scene:?}");
    assert!(!scene.triangles.is_empty() && scene.bounds().is_some(), "{scene:?}");
    let selection = Selection {
        ignore: vec!["*a*".to_string()],
        areas: vec![("wet".to_string(), "?*".to_string()), ("soft".to_string(), "b*".to_string())],
    };
    if scene.select(&selection).is_ok() {
        assert_eq!(scene.validate(), Ok(()), "{scene:?}");
    }
});

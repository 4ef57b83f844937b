//! Small soups on a coarse lattice, shaken or not, under any rules: extraction never panics, the mesh obeys every law,
//! survives encoding, is no larger than its surface, and does not depend on the order of triangles.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/clearway/tests/it/soups/mod.rs"]
mod soups;

fuzz_target!(|data: &[u8]| {
    let (scene, rules) = soups::read(data);
    if let Err(wrong) = soups::judge(&scene, &rules) {
        panic!("{wrong}\nof {:?} {:?} {rules:?}", scene.vertices, scene.triangles);
    }
});

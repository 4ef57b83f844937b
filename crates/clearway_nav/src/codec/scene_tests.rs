//! Files of scenes: the ground survives, and damage to it does no harm.

use super::tests::{patched, sealed, start};
use super::*;
use crate::testing::MeshOptions;
use crate::testing::scene_of;
use clearway_build::Quality;
use clearway_build::surface::{WalkRules, WalkableSurface};
use clearway_scenes::{KnownScene, Soup, ramp, spiral_ramp};

fn build(soup: &Soup) -> NavMesh {
    let mut scene = scene_of(soup);
    scene.areas.push("größer".to_string());
    for part in &mut scene.parts {
        part.area = u8::from(part.material == "Concrete");
    }
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    MeshOptions::default().quality(Quality::Fast).build(&surface).unwrap()
}

/// Two floors and the ramp between them.
fn mesh() -> NavMesh {
    let KnownScene { soup, .. } = ramp(30.0);
    build(&soup)
}

/// Asks everything that has to do with heights.
fn use_all(mesh: &NavMesh) {
    mesh.check();
    for cell in mesh.cells() {
        assert!(usize::from(cell.area_class()) < mesh.area_names().len());
        assert!(mesh.mean_height(cell.id()).is_some_and(f64::is_finite));
        let outline: Vec<_> = cell.points().map(Point::as_vec2).collect();
        let line = mesh.ground_line(cell.id().0, [outline[0], outline[2]]);
        assert!(line.iter().all(|(_, height)| height.is_finite()));
        assert!(!mesh.terrain(cell.id().0, None).is_empty() || mesh.has_heights());
    }
    let _ = (mesh.storeys(), mesh.heights_at(5.0, 1.0), mesh.heights_at(f64::NAN, 1e300));
    for height in [0.0, 1.0, -1e9, f64::NAN, f64::INFINITY] {
        let found = [mesh.locate([5.0, height, 1.0]).ok(), mesh.nearest([2.0, height, 9.0], 1e9)];
        for found in found.into_iter().flatten() {
            assert!(mesh.place(found).iter().all(|c| c.is_finite()));
        }
    }
}

#[test]
fn the_ground_survives_encoding() {
    let KnownScene { soup, .. } = spiral_ramp(40);
    for mesh in [mesh(), build(&soup)] {
        use_all(&mesh);
        let bytes = mesh.encode();
        assert_eq!(bytes[8], 3, "a version of its own");
        let read = NavMesh::decode(&bytes).unwrap();
        assert_eq!(read, mesh);
        assert_eq!(read.parts.relief, mesh.parts.relief);
        assert_eq!(read.encode(), bytes);
        assert_eq!(read.area_names(), ["ground", "größer"]);
        let flat = NavMesh::from_parts(MeshParts { relief: None, ..mesh.parts.clone() }).unwrap();
        assert_ne!(flat, mesh, "the ground is part of a mesh");
        assert_eq!(flat.encode()[8], 2);
    }
}

#[test]
fn every_truncation_of_a_ground_is_refused() {
    let bytes = mesh().encode();
    for length in start(&bytes, 6)..bytes.len() {
        assert!(NavMesh::decode(&sealed(bytes[..length].to_vec())).is_err(), "{length}");
    }
}

#[test]
fn every_flipped_bit_of_a_ground_is_refused_and_once_sealed_harmless() {
    let bytes = mesh().encode();
    let (mut accepted, mut refused) = (0, 0);
    for bit in 8 * start(&bytes, 6)..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(NavMesh::decode(&damaged).is_err(), "bit {bit}");
        let damaged = sealed(damaged);
        let Ok(mesh) = NavMesh::decode(&damaged) else {
            refused += 1;
            assert!(NavMesh::diagnose(&damaged).is_ok_and(|flaws| !flaws.is_empty()), "bit {bit}");
            continue;
        };
        use_all(&mesh);
        assert!(mesh.encode() == damaged, "bit {bit}");
        accepted += 1;
    }
    assert!(accepted > 100 && refused > 100, "{accepted} {refused}");
}

#[test]
fn errors_name_what_is_wrong_with_a_ground() {
    let mesh = mesh();
    let bytes = mesh.encode();
    let [corners, faces, grounds, patches, areas] = [7, 8, 9, 10, 11].map(|section| start(&bytes, section));
    let cases = [
        (patched(&mesh, 16, 6), "header: number of sections is 6 instead of 12"),
        (patched(&mesh, start(&bytes, 6) + 4, 0x7ff8_0000), "section rules: a step of NaN and a height of"),
        (patched(&mesh, corners + 8, 1 << 28), "section corners: corner 0 lies off the grid"),
        (patched(&mesh, corners, i32::MIN as u32), "section corners: corner 0 lies off the grid"),
        (patched(&mesh, faces, 99), "section faces: face 0 names corner 99, but there are"),
        (patched(&mesh, faces + 12, NONE), "section faces: face 0 has no chart"),
        (patched(&mesh, grounds, 99), "section grounds: cells have "),
        (patched(&mesh, grounds + 4, 2), "section grounds: cell 0 has area class 2 of 2"),
        (patched(&mesh, grounds + 4, 256), "section grounds: cell 0 has area class 256 of 2"),
        (patched(&mesh, patches, 77), "section patches: patch 0 lies on chart 77, which has no faces"),
        (patched(&mesh, patches + 4, 1 << 28), "section patches: patch 0 lies off the grid"),
        (patched(&mesh, areas, 1000), "section areas: name 0 has 1000 bytes, more than there are"),
        (patched(&mesh, areas + 4, 0xff), "section areas: name 0 is not UTF-8"),
    ];
    for (bytes, message) in cases {
        let error = NavMesh::decode(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
        assert!(error.to_string().contains(message), "{error}\n{message}");
        let flaws = NavMesh::diagnose(&bytes).unwrap();
        assert!(flaws[0].to_string().contains(message), "{flaws:?}");
    }
}

//! Bytes as a mesh: decoding and diagnosing never panic, and what is accepted can be asked anything, shows the
//! same flaws either way, and encodes to the same bytes, or to the same mesh where the version is old.

#![no_main]

use clearway::NavMesh;
use clearway_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    match bytes.below(3) {
        0 => check(bytes.rest()),
        1 => check(&sealed(bytes.rest().to_vec())),
        _ => check(&container(&mut bytes)),
    }
});

fn check(bytes: &[u8]) {
    let diagnosis = NavMesh::diagnose(bytes);
    let Ok(mesh) = NavMesh::decode(bytes) else {
        assert!(
            diagnosis.is_err() || diagnosis.is_ok_and(|flaws| !flaws.is_empty()),
            "refused without a flaw"
        );
        return;
    };
    assert_eq!(diagnosis, Ok(mesh.check()));
    // Version 1 has no clearances; what was read of it is written as version 2.
    match bytes[8] {
        1 => assert_eq!(NavMesh::decode(&mesh.encode()), Ok(mesh.clone())),
        _ if mesh.path_index().is_some() => assert_eq!(mesh.encode_with_index(), bytes),
        _ => assert_eq!(mesh.encode(), bytes),
    }
    if mesh.fixtures().is_some() {
        let _ = clearway::live::LiveMesh::new(mesh.clone());
    }
    let _ = (mesh.area(), mesh.portal_length(), mesh.bounds(), mesh.wall_count(), mesh.unit());
    for cell in mesh.cells() {
        assert!(cell.outline().len() >= 3 && cell.sides().len() == cell.corners().len());
        assert!(cell.sides().all(|side| side.portal.is_none_or(|portal| mesh.portal(portal).is_some())));
        assert!(
            cell.region().index() < mesh.region_count() && cell.component().index() < mesh.component_count()
        );
    }
}

/// The bytes with a checksum that fits them: written anew from the description of the format.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut state: u64 = 0x636c_6561_7277_6179;
    let mut mix = |word: u64| {
        state = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state ^= state >> 32;
    };
    let content = bytes.get(32..).unwrap_or_default();
    let whole = content.len() / 8 * 8;
    for chunk in content[..whole].chunks(8).chain([&content[whole..]]) {
        mix(chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    mix(content.len() as u64);
    if let Some(place) = bytes.get_mut(24..32) {
        place.copy_from_slice(&state.to_le_bytes());
    }
    bytes
}

/// A file around points, cells and sides of small numbers, so that the fuzzer need not find the layout.
fn container(bytes: &mut Bytes<'_>) -> Vec<u8> {
    let small = |byte: u8| if byte == 255 { u32::MAX } else { u32::from(byte) };
    let mut sections = [vec![0; 24], Vec::new(), Vec::new(), Vec::new()];
    sections[0][16] = bytes.byte();
    for _ in 0..bytes.below(64) {
        let [x, y] = [bytes.byte(), bytes.byte()].map(|c| i32::from(c as i8));
        sections[1].extend([x, y].into_iter().flat_map(i32::to_le_bytes));
    }
    while !bytes.is_empty() {
        let count = bytes.below(9);
        let [region, component] = [bytes.byte(), bytes.byte()].map(small);
        sections[2].extend([count as u32, region, component].into_iter().flat_map(u32::to_le_bytes));
        for _ in 0..count {
            let [vertex, portal] = [bytes.byte(), bytes.byte()].map(small);
            sections[3].extend([vertex, portal].into_iter().flat_map(u32::to_le_bytes));
        }
    }
    let mut file = b"CLEARWAY\x01\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec();
    let mut offset = 128u64;
    for (name, section) in ["grid\0\0\0\0", "points\0\0", "cells\0\0\0", "sides\0\0\0"].iter().zip(&sections)
    {
        file.extend(name.bytes());
        file.extend(offset.to_le_bytes());
        file.extend((section.len() as u64).to_le_bytes());
        offset += section.len().next_multiple_of(8) as u64;
    }
    for section in &sections {
        file.extend(section);
        file.resize(file.len().next_multiple_of(8), 0);
    }
    sealed(file)
}

use super::*;
use crate::path::PathQuery;
use crate::testing::MeshOptions;
use clearway_build::Quality;
use clearway_scenes::Scratch;
use clearway_world::plan::Plan;

fn square(x: f64, side: f64) -> Vec<[f64; 2]> {
    vec![[x, x], [x + side, x], [x + side, x + side], [x, x + side]]
}

/// A square with a square hole and an island in it: two components.
fn mesh() -> NavMesh {
    build(&Plan::from_rings([square(0.0, 9.0), square(2.0, 5.0), square(3.0, 2.0)]))
}

/// The smallest mesh: one triangle.
fn triangle() -> NavMesh {
    build(&Plan::from_rings([vec![[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]]]))
}

fn build(plan: &Plan) -> NavMesh {
    MeshOptions::default().quality(Quality::Fast).build(plan).unwrap()
}

/// The same bytes with a checksum that fits them.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = container::checksum(&bytes[32..]);
    bytes[24..32].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The bytes of a mesh with one word of 32 bits replaced, sealed.
pub(super) fn patched(mesh: &NavMesh, offset: usize, word: u32) -> Vec<u8> {
    let mut bytes = mesh.encode();
    bytes[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
    sealed(bytes)
}

/// Where a section starts.
pub(super) fn start(bytes: &[u8], section: usize) -> usize {
    let entry = 32 + 24 * section + 8;
    u64::from_le_bytes(bytes[entry..entry + 8].try_into().unwrap()) as usize
}

/// Asks everything that a mesh can be asked.
fn use_all(mesh: &NavMesh) {
    mesh.check();
    let lengths = [mesh.area(), mesh.portal_length(), mesh.unit()];
    assert!(lengths.iter().all(|length| !length.is_nan()));
    for cell in mesh.cells() {
        assert!(cell.sides().all(|side| side.portal.is_none_or(|portal| mesh.portal(portal).is_some())));
        assert!(cell.outline().count() >= 3 && cell.region().index() < mesh.region_count());
        assert!(cell.component().index() < mesh.component_count());
    }
    assert_eq!(mesh.portals().count(), mesh.portal_count());
    let _ = (mesh.bounds(), mesh.wall_count());
}

/// Searches for paths of a point and of a disc between places of the mesh: each search must end.
fn find_paths(mesh: &NavMesh) {
    let (from, to) = (mesh.random_point(1), mesh.random_point(2));
    for (start, goal) in from.into_iter().zip(to) {
        let _ = mesh.find_path(&PathQuery::new(start, goal));
        let _ = mesh.find_path(&PathQuery::new(start, goal).radius(0.2).snap(1.0).partial(true));
    }
}

#[test]
fn meshes_survive_encoding() {
    let empty = NavMesh::from_parts(MeshParts::empty(triangle().parts.grid)).unwrap();
    for mesh in [mesh(), triangle(), empty] {
        let bytes = mesh.encode();
        assert_eq!(NavMesh::decode(&bytes), Ok(mesh.clone()));
        assert_eq!(NavMesh::diagnose(&bytes), Ok(Vec::new()));
        assert_eq!(NavMesh::decode(&bytes).unwrap().encode(), bytes);
    }
}

/// The layout is a promise to other programs: it may change only together with the version.
#[test]
fn the_layout_is_as_documented() {
    let grid = Grid::new([1.5, -0.0], -26).unwrap();
    let mesh = NavMesh::from_parts(MeshParts { grid, ..triangle().into_parts() }).unwrap();
    let bytes = mesh.encode();
    assert_eq!(bytes.len(), 32 + 6 * 24 + 24 + 3 * 8 + (12 + 4) + 3 * 8);
    assert_eq!(&bytes[..24], b"CLEARWAY\x02\0\0\0\0\0\0\0\x06\0\0\0\0\0\0\0");
    assert_eq!(&bytes[32..56], b"grid\0\0\0\0\xb0\0\0\0\0\0\0\0\x18\0\0\0\0\0\0\0");
    assert_eq!(&bytes[104..128], b"sides\0\0\0\xf0\0\0\0\0\0\0\0\x18\0\0\0\0\0\0\0");
    assert_eq!(&bytes[176..184], &1.5f64.to_le_bytes());
    assert_eq!(&bytes[184..200], b"\0\0\0\0\0\0\0\0\xe6\xff\xff\xff\0\0\0\0");
    assert_eq!(&bytes[224..240], b"\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(&bytes[240..248], b"\0\0\0\0\xff\xff\xff\xff");
    assert_eq!(container::checksum(b""), 0xde1b_8cb6_5899_5979);
    assert_eq!(container::checksum(b"clearway mesh"), 0xe101_47f7_e366_c05c);
}

#[test]
fn every_truncation_is_refused() {
    let bytes = mesh().encode();
    for length in 0..bytes.len() {
        assert!(NavMesh::decode(&bytes[..length]).is_err(), "{length}");
        assert!(NavMesh::decode(&sealed_if_long(bytes[..length].to_vec())).is_err(), "{length}, sealed");
        let _ = NavMesh::diagnose(&bytes[..length]);
    }
    let longer = [bytes.clone(), vec![0; 8]].concat();
    assert!(NavMesh::decode(&sealed(longer)).is_err());
}

fn sealed_if_long(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < 32 { bytes } else { sealed(bytes) }
}

#[test]
fn every_flipped_bit_is_refused_and_once_sealed_harmless() {
    let bytes = mesh().encode();
    let (mut accepted, mut convex) = (0, 0);
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(NavMesh::decode(&damaged).is_err(), "bit {bit}");
        if let Ok(flaws) = NavMesh::diagnose(&damaged) {
            assert!(!flaws.is_empty(), "bit {bit}");
        }
        let damaged = sealed(damaged);
        if let Ok(mesh) = NavMesh::decode_any_shape(&damaged) {
            use_all(&mesh);
            // Flips of the old checksum are mended by sealing.
            assert!(mesh.encode() == damaged, "bit {bit}");
            accepted += 1;
        }
        if let Ok(mesh) = NavMesh::decode(&damaged) {
            find_paths(&mesh);
            convex += 1;
        }
        let _ = NavMesh::diagnose(&damaged);
    }
    assert!(accepted > 100, "moved points and other grids are fine: {accepted}");
    assert!(convex > 100 && convex < accepted, "cells that are not convex are refused: {convex}");
}

#[test]
fn random_damage_is_harmless() {
    let bytes = mesh().encode();
    let mut state = 7u64;
    let mut number = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + number(4) {
            let word = 4 * number(damaged.len() / 4);
            let value = [0, 1, 2, 5, 1 << 20, u32::MAX - 1][number(6)] + number(2) as u32;
            damaged[word..word + 4].copy_from_slice(&value.to_le_bytes());
        }
        let damaged = sealed(damaged);
        let diagnosis = NavMesh::diagnose(&damaged);
        if let Ok(mesh) = NavMesh::decode(&damaged) {
            find_paths(&mesh);
        }
        if let Ok(mesh) = NavMesh::decode_any_shape(&damaged) {
            use_all(&mesh);
            assert_eq!(diagnosis, Ok(mesh.check()));
            assert_eq!(mesh.encode(), damaged);
        }
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let mesh = mesh();
    let bytes = mesh.encode();
    let [grid, points, cells, sides] = [0, 1, 2, 3].map(|section| start(&bytes, section));
    let (portals, peaks) = (start(&bytes, 4), start(&bytes, 5));
    let (count, vertices) = (bytes.len() - peaks, mesh.vertex_count());
    let cases = [
        (patched(&mesh, 12, 32), "header: flags is 32 instead of 0".to_string()),
        (patched(&mesh, 16, 5), "header: number of sections is 5 instead of 6".to_string()),
        (patched(&mesh, 80, 0), "section cells: the table names \\x00\\x00\\x00\\x00s".to_string()),
        (patched(&mesh, 112, 0), format!("section sides: starts at byte 0 instead of {sides}")),
        (patched(&mesh, 120, NONE), format!("section sides: 4294967295 bytes from byte {sides} on are more")),
        (patched(&mesh, 168, count as u32 - 8), "8 bytes follow the last section".to_string()),
        (patched(&mesh, grid + 4, 0x7ff8_0000), "section grid: origin (NaN, 0.0) and exponent".to_string()),
        (patched(&mesh, grid + 4, 0x8000_0000), "section grid: the origin has a negative zero".to_string()),
        (
            patched(&mesh, grid + 16, 61),
            "section grid: origin (0.0, 0.0) and exponent 61 make no sense".to_string(),
        ),
        (patched(&mesh, grid + 20, 1), "section grid: has more than an origin".to_string()),
        (patched(&mesh, points + 8, 1 << 28), "vertex 1 at (".to_string()),
        (patched(&mesh, cells, 2), "sides together, but".to_string()),
        (patched(&mesh, cells + 4, 1), "region 1 appears before region 0".to_string()),
        (patched(&mesh, cells + 8, 9), "there are 10 components, but only 5 cells".to_string()),
        (patched(&mesh, sides, 99), format!("cell 0: names vertex 99, but there are {vertices}")),
        (patched(&mesh, sides + 4, 1 << 30), "cell 0: names portal 1073741824, but there are".to_string()),
        (patched(&mesh, portals, 0), "section peaks: has 4 elements instead of 3".to_string()),
        (patched(&mesh, portals, 2), "section peaks: has 4 elements instead of 5".to_string()),
        (patched(&mesh, portals + 4, NONE), "portal 0: the critical radius NaN makes no sense".to_string()),
        (patched(&mesh, peaks + 4, 0x8000_0000), "portal 0: peak 0 makes no sense".to_string()),
        (patched(&mesh, peaks + 8, 1), "portal 0: peak 0 makes no sense".to_string()),
        (patched(&mesh, peaks + 12, 9), "portal 0: a peak comes after peak 9 of cell".to_string()),
    ];
    for (bytes, message) in cases {
        let error = NavMesh::decode(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
        assert!(error.to_string().contains(&message), "{error}\n{message}");
        let flaws = NavMesh::diagnose(&bytes).unwrap();
        assert!(flaws[0].to_string().contains(&message), "{flaws:?}");
    }
}

#[test]
fn what_is_no_mesh_is_told_apart() {
    let bytes = mesh().encode();
    let version = [&bytes[..8], &[4], &bytes[9..]].concat();
    let cases: [(&[u8], ErrorKind, &str); 4] = [
        (b"", ErrorKind::Empty, "there are no bytes"),
        (b"POLYGON ((0 0, 1 0, 0 1))", ErrorKind::Unsupported, "not a .nav file"),
        (&bytes[..10], ErrorKind::Syntax, "the file ends after 10 bytes"),
        (&version, ErrorKind::Unsupported, "version 4 of the .nav format is not known"),
    ];
    for (bytes, kind, message) in cases {
        for error in [NavMesh::decode(bytes).unwrap_err(), NavMesh::diagnose(bytes).unwrap_err()] {
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(message), "{error}");
        }
    }
}

#[test]
fn diagnosis_goes_on_after_a_wrong_checksum() {
    let mesh = mesh();
    let mut bytes = mesh.encode();
    let points = start(&bytes, 1);
    bytes[points..points + 4].copy_from_slice(&123_456_789u32.to_le_bytes());
    let flaws = NavMesh::diagnose(&bytes).unwrap();
    assert_eq!(flaws[0].kind, FlawKind::Checksum);
    assert!(flaws[0].to_string().starts_with("checksum: stored "), "{}", flaws[0]);
    assert!(flaws.iter().any(|flaw| flaw.cell.is_some()), "{flaws:?}");
    assert!(NavMesh::decode(&bytes).unwrap_err().to_string().starts_with("checksum: stored "));
}

/// The bytes as version 1 of the format had them.
fn version_1(mesh: &NavMesh) -> Vec<u8> {
    let bytes = mesh.encode();
    let mut old = bytes[..32 + 4 * 24].to_vec();
    (old[8], old[16]) = (1, 4);
    for section in 0..4 {
        let entry = 32 + 24 * section + 8;
        let moved = start(&bytes, section) as u64 - 2 * 24;
        old[entry..entry + 8].copy_from_slice(&moved.to_le_bytes());
    }
    old.extend(&bytes[start(&bytes, 0)..start(&bytes, 4)]);
    sealed(old)
}

#[test]
fn files_of_version_1_are_read() {
    for mesh in [mesh(), triangle()] {
        let old = version_1(&mesh);
        assert_eq!(NavMesh::diagnose(&old), Ok(Vec::new()));
        let decoded = NavMesh::decode(&old).unwrap();
        assert_eq!(decoded, mesh);
        assert_eq!(decoded.encode(), mesh.encode());
    }
}

/// Clearances are believed when a file is read, but not when it is checked.
#[test]
fn wrong_clearances_are_found() {
    let mesh = mesh();
    let bytes = mesh.encode();
    let (portals, peaks) = (start(&bytes, 4), start(&bytes, 5));
    for (place, what) in [(portals + 4, "critical radius"), (peaks + 4, "peaks"), (peaks + 24 + 4, "peaks")] {
        let damaged = NavMesh::decode(&patched(&mesh, place, 1f32.to_bits())).unwrap();
        let flaws = damaged.check();
        assert_eq!(flaws[0].kind, FlawKind::Clearance);
        assert!(flaws[0].to_string().contains(what), "{}", flaws[0]);
        assert_ne!(damaged.peak_graph(), mesh.peak_graph());
    }
}

#[test]
fn meshes_are_saved_and_loaded() {
    let scratch = Scratch::new("codec_saved");
    let path = scratch.path("a.nav");
    triangle().save(&path).unwrap();
    mesh().save(&path).unwrap();
    assert_eq!(NavMesh::load(&path), Ok(mesh()));
    assert_eq!(NavMesh::diagnose_file(&path), Ok(Vec::new()));
    assert_eq!(std::fs::read_dir(scratch.folder()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn files_that_cannot_be_read_or_written_are_told_apart() {
    let scratch = Scratch::new("codec_refused");
    let [missing, empty, huge, other] = ["missing", "empty", "huge", "other"].map(|name| scratch.path(name));
    std::fs::write(&empty, b"").unwrap();
    std::fs::write(&other, b"type octile").unwrap();
    // A sparse file: it has the size, but takes no room on most disks.
    std::fs::File::create(&huge).unwrap().set_len(MAX_MESH_BYTES + 1).unwrap();
    let cases = [
        (&missing, ErrorKind::Io, ": cannot be read: "),
        (&scratch.folder().to_path_buf(), ErrorKind::Io, ": is a directory, not a mesh file"),
        (&empty, ErrorKind::Empty, ": the file is empty"),
        (&huge, ErrorKind::TooLarge, ": the file has 1073741825 bytes or more; the limit is 1073741824"),
        (&other, ErrorKind::Unsupported, ": not a .nav file"),
    ];
    for (path, kind, message) in cases {
        for error in [NavMesh::load(path).unwrap_err(), NavMesh::diagnose_file(path).unwrap_err()] {
            assert_eq!(error.kind(), kind, "{error}");
            let expected = format!("{}{message}", path.display());
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }
    let unwritable = mesh().save(scratch.path("no/such/place.nav")).unwrap_err();
    assert_eq!(unwritable.kind(), ErrorKind::Io);
    assert!(unwritable.to_string().contains("place.nav: cannot be written: "), "{unwritable}");
    assert!(mesh().save(scratch.folder()).is_err(), "a directory is not replaced");
}

/// A mesh with a link between its components, and one of another kind.
fn linked() -> NavMesh {
    use crate::mesh::{LinkEnd, LinkKind, LinkRecord};
    let mut mesh = mesh();
    let end = |position: [f64; 2]| LinkEnd { cell: mesh.locate(position).unwrap().cell().0, position };
    let lift = LinkRecord {
        name: "Lift №1".to_string(),
        kind: LinkKind::Lift,
        ends: [end([1.0, 1.0]), end([3.5, 3.5])],
        cost: 7.5,
        both_ways: true,
        max_radius: None,
    };
    let rope = LinkRecord {
        name: "rope".to_string(),
        kind: LinkKind::Other("zip line".to_string()),
        both_ways: false,
        max_radius: Some(0.5),
        ..lift.clone()
    };
    mesh.parts.links = vec![lift, rope];
    mesh
}

#[test]
fn links_survive_encoding() {
    let mesh = linked();
    assert_eq!(mesh.check(), []);
    let bytes = mesh.encode();
    let read = NavMesh::decode(&bytes).unwrap();
    assert_eq!((&read, read.encode()), (&mesh, bytes));
    let bare = NavMesh::from_parts(MeshParts { links: Vec::new(), ..mesh.parts.clone() }).unwrap();
    assert_ne!(bare, mesh);
    assert_eq!(NavMesh::decode(&bare.encode()).unwrap(), bare);
}

#[test]
fn damaged_links_are_refused() {
    let mesh = linked();
    let links = start(&mesh.encode(), 6);
    let cases = [
        (patched(&mesh, links, 0x0000_0109), "section links: link 0: "),
        (patched(&mesh, links, 0x0009_0400), "section links: link 0: has flags"),
        (patched(&mesh, links + 4, 0x0001_0000), "section links: link 0: has a gap"),
        (patched(&mesh, links + 8, 999), "link 0 \"Lift №1\": from: cell 999 does not hold its place"),
        (patched(&mesh, links + 52, 0xffff_ffff), "link 0 \"Lift №1\": cost: NaN must lie between 0 and"),
        (patched(&mesh, links + 52, 0x8000_0000), "section links: link 0: has flags or zeros"),
        (patched(&mesh, 12, 0), "header: number of sections is 7 instead of 6"),
    ];
    for (bytes, expected) in cases {
        let error = NavMesh::decode(&bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} does not contain {expected}");
        assert!(!NavMesh::diagnose(&bytes).unwrap().is_empty());
    }
    let mut twice = mesh.clone();
    twice.parts.links[1].name = twice.parts.links[0].name.clone();
    assert!(NavMesh::decode(&twice.encode()).unwrap_err().to_string().contains("has the name of link 0"));
    assert_eq!(twice.check()[0].kind, FlawKind::Link);
}

#[test]
fn every_changed_byte_of_links_is_seen_or_harmless() {
    let mesh = linked();
    let bytes = mesh.encode();
    for place in start(&bytes, 6)..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        if let Ok(read) = NavMesh::decode(&sealed(damaged.clone())) {
            use_all(&read);
            assert_eq!(read.encode(), sealed(damaged));
        }
    }
}

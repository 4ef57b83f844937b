//! glTF files, good and bad, written by hand.

use super::super::testing::{check_damaged, check_refused, parse};
use super::super::{Scene, SceneChoice, SceneFormat, SceneOptions};
use clearway_base::error::{Error, ErrorKind};
use clearway_scenes::Scratch;

/// A binary file around a JSON text.
fn glb(json: &str, chunk: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + chunk.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((chunk.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(chunk);
    bytes
}

/// Four places of a unit square, then numbers of corners as bytes (48..), 16 bits (56..) and 32 bits (72..100).
fn chunk() -> Vec<u8> {
    let places: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let mut bytes: Vec<u8> = places.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
    let corners = [0_u8, 1, 2, 0, 2, 3];
    bytes.extend(corners.iter().chain(&[0, 0]));
    bytes.extend(corners.iter().chain(&[0, 0]).flat_map(|c| u16::from(*c).to_le_bytes()));
    bytes.extend(corners.iter().chain(&[0]).flat_map(|c| u32::from(*c).to_le_bytes()));
    bytes
}

/// A file of one square, with some text of it replaced.
fn square(changes: &[(&str, &str)]) -> Vec<u8> {
    let mut json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"name":"first","nodes":[0]}],
        "nodes":[{"name":"floor","mesh":0}],"materials":[{"name":"wood"}],
        "meshes":[{"name":"slab","primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},
            {"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"}],
        "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":52}],
        "buffers":[{"byteLength":100}]}"#
        .to_string();
    for (from, to) in changes {
        assert!(json.contains(from), "{from}");
        json = json.replacen(from, to, 1);
    }
    glb(&json, &chunk())
}

fn read(changes: &[(&str, &str)]) -> Scene {
    let scene = parse(SceneFormat::Glb, &square(changes)).unwrap();
    assert_eq!(scene.validate(), Ok(()));
    scene
}

fn names(scene: &Scene) -> Vec<(&str, &str)> {
    scene.parts.iter().map(|part| (part.name.as_str(), part.material.as_str())).collect()
}

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

#[test]
fn numbers_of_corners_come_in_every_type() {
    let short = [("5121", "5123"), ("\"bufferView\":1,", "\"bufferView\":1,\"byteOffset\":8,")];
    let long = [("5121", "5125"), ("\"bufferView\":1,", "\"bufferView\":1,\"byteOffset\":24,")];
    for changes in [&[][..], &short, &long] {
        let scene = read(changes);
        assert_eq!(scene.vertices, SQUARE);
        assert_eq!(scene.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(names(&scene), [("floor", "wood")]);
        assert_eq!(scene.notes, Vec::<String>::new());
    }
}

#[test]
fn without_numbers_corners_come_in_order() {
    let bare = ("\"indices\":1,", "");
    let scene = read(&[bare]);
    assert_eq!(scene.triangles, [[0, 1, 2]]);
    assert_eq!(scene.notes, ["mesh 0, primitive 0: 1 corners too many, left out"]);
    let mode = |mode: &'static str| read(&[("\"indices\":1,", mode)]).triangles;
    assert_eq!(mode("\"mode\":5,"), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(mode("\"mode\":6,"), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn points_and_lines_are_noted() {
    let both = r#""primitives":[{"attributes":{"POSITION":0},"mode":1},{"attributes":{}},"#;
    let scene = read(&[("\"primitives\":[", both)]);
    assert_eq!(scene.triangles.len(), 2);
    let expected = [
        "mesh 0, primitive 0: points and lines are left out",
        "mesh 0, primitive 1: has no places and is left out",
    ];
    assert_eq!(scene.notes, expected);
}

#[test]
fn nodes_are_nested_named_and_moved() {
    let nodes = r#"{"name":"house","translation":[10,0,0],"children":[1,2,3]},
        {"name":"floor","mesh":0,"scale":[2,2,2]},
        {"children":[4],"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]},
        {"mesh":0,"scale":[-1,1,1]},{"name":"roof","mesh":0}"#;
    let scene = read(&[(r#"{"name":"floor","mesh":0}"#, nodes)]);
    assert_eq!(names(&scene), [("house/floor", "wood"), ("house/roof", "wood"), ("house/slab", "wood")]);
    let corner = |vertex: usize| scene.vertices[vertex];
    assert_eq!([corner(2), corner(6), corner(10)], [[12.0, 0.0, 2.0], [11.0, 5.0, 1.0], [9.0, 0.0, 1.0]]);
    // The mirrored copy is turned over, so that it still faces up.
    assert_eq!(scene.triangles, [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [8, 10, 9], [8, 11, 10]]);
    assert_eq!(scene.part_of, [0, 0, 1, 1, 2, 2]);
}

#[test]
fn instances_are_drawn_where_they_are() {
    let node = r#"{"name":"floor","mesh":0,"translation":[0,7,0],"extensions":{"EXT_mesh_gpu_instancing":{
        "attributes":{"TRANSLATION":0,"_ID":9}}}}"#;
    let scene = read(&[(r#"{"name":"floor","mesh":0}"#, node)]);
    assert_eq!(scene.triangles.len(), 8);
    assert_eq!((scene.vertices[0], scene.vertices[10]), ([0.0, 7.0, 0.0], [2.0, 7.0, 2.0]));
}

#[test]
fn unused_places_are_left_out() {
    let scene = read(&[("\"count\":6", "\"count\":3")]);
    assert_eq!((scene.vertices.len(), scene.triangles.len()), (3, 1));
}

#[test]
fn places_may_be_small_whole_numbers() {
    let bytes = (
        r#""bufferView":0,"componentType":5126"#,
        r#""bufferView":1,"componentType":5121,"normalized":true"#,
    );
    let view = (r#"{"buffer":0,"byteOffset":48"#, r#"{"buffer":0,"byteStride":4,"byteOffset":48"#);
    let scene = read(&[bytes, view, ("\"indices\":1,", "\"mode\":6,")]);
    assert_eq!(scene.vertices[1], [2.0 / 255.0, 3.0 / 255.0, 0.0]);
}

#[test]
fn sparse_places_replace_others() {
    let sparse = r#""sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":5,"componentType":5121},
        "values":{"bufferView":0,"byteOffset":12}},"type":"VEC3""#;
    let scene = read(&[("\"type\":\"VEC3\"", sparse)]);
    assert_eq!(scene.vertices[3], SQUARE[1]);
    let zeros = ("\"bufferView\":0,\"componentType\":5126", "\"componentType\":5126");
    let scene = read(&[("\"type\":\"VEC3\"", sparse), zeros]);
    assert_eq!(scene.vertices, [[0.0; 3], [0.0; 3], [0.0; 3], SQUARE[1]]);
    let twice = sparse.replace("\"count\":1", "\"count\":2").replace("\"byteOffset\":5", "\"byteOffset\":2");
    let error = parse(SceneFormat::Glb, &square(&[("\"type\":\"VEC3\"", &twice)])).unwrap_err();
    let message =
        "mesh 0, primitive 0: sparse replacement 1 is for element 0; they must rise and stay below 4";
    assert_eq!(error.to_string(), message);
}

#[test]
fn scenes_are_chosen() {
    let two = [
        ("{\"name\":\"first\",\"nodes\":[0]}", "{\"name\":\"first\"},{\"name\":\"second\",\"nodes\":[0]}"),
        ("\"scene\":0", "\"scene\":1"),
    ];
    let choose = |scene: Option<SceneChoice>| {
        Scene::parse(SceneFormat::Glb, &square(&two), &SceneOptions::default().scene(scene))
    };
    for choice in [None, Some(1.into()), Some("second".into())] {
        assert_eq!(choose(choice).unwrap().notes, ["scene 1 `second` of 2 is read"]);
    }
    assert_eq!(choose(Some(0.into())).unwrap_err().kind(), ErrorKind::Empty);
    let refused = |choice: SceneChoice| choose(Some(choice)).unwrap_err();
    assert_eq!(refused(2.into()).to_string(), "scene 2 is chosen, but the file has 2");
    let error = refused("third".into());
    assert_eq!(error.to_string(), "no scene is called `third`; there are 2 (`first`, `second`)");
    assert_eq!(error.kind(), ErrorKind::Options);
    let scene = read(&[("\"scene\":0,\"scenes\":[{\"name\":\"first\",\"nodes\":[0]}],", "")]);
    assert_eq!(scene.notes, ["the file has no scene: all its nodes are read"]);
}

#[test]
fn needless_extensions_are_ignored() {
    let extensions =
        r#""extensionsRequired":["EXT_texture_webp","KHR_mesh_quantization","OMI_physics_body"],"scene":0"#;
    let scene = read(&[("\"scene\":0", extensions)]);
    assert_eq!(scene.notes, ["the file needs the extension `OMI_physics_body`, which is ignored"]);
}

/// The same file as a text, with its bytes in another place.
fn text(uri: &str) -> String {
    let glb = square(&[("\"buffers\":[{", &format!("\"buffers\":[{{\"uri\":\"{uri}\","))]);
    let length = u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize;
    String::from_utf8(glb[20..20 + length].to_vec()).unwrap()
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = bytes.chunks(3).map(|group| {
        let word =
            [0, 1, 2].iter().fold(0_u32, |word, i| word << 8 | u32::from(*group.get(*i).unwrap_or(&0)));
        (0..4).map(|i| char::from(letters[(word >> (18 - 6 * i) & 63) as usize])).collect::<String>()
    });
    groups.collect()
}

#[test]
fn bytes_may_stand_in_the_text() {
    let uri = format!("data:application/octet-stream;base64,{}", base64(&chunk()));
    let scene = parse(SceneFormat::Gltf, text(&uri).as_bytes()).unwrap();
    assert_eq!(scene.vertices, SQUARE);
    assert_eq!(parse(SceneFormat::Glb, format!("\u{feff}{}", text(&uri)).as_bytes()).unwrap(), scene);
    let cases = [
        (
            "data:application/octet-stream;base64,AA*A",
            ErrorKind::Syntax,
            "buffer 0: its base64 is damaged at byte 2",
        ),
        ("data:;base64,AAAA", ErrorKind::Syntax, "buffer 0: 100 bytes are announced, 3 are there"),
        ("data:text/plain,AAAA", ErrorKind::Unsupported, "buffer 0: its data is not written in base64"),
        ("data:AAAA", ErrorKind::Syntax, "buffer 0: its data has no comma"),
        (
            "square.bin",
            ErrorKind::Unsupported,
            "buffer 0: its bytes are in the file `square.bin`, which is not at hand",
        ),
    ];
    for (uri, kind, message) in cases {
        check_refused(SceneFormat::Gltf, text(uri).as_bytes(), kind, message);
    }
}

#[test]
fn bytes_may_stand_beside_the_file() {
    let scratch = Scratch::new("gltf_beside");
    scratch.write("square.bin", &chunk());
    scratch.write("in/more bytes.bin", &chunk());
    scratch.write("in/square.gltf", text("more%20bytes.bin").as_bytes());
    let inner = Scene::load(scratch.path("in/square.gltf")).unwrap();
    let path = scratch.write("square.gltf", text("square.bin").as_bytes());
    assert_eq!(Scene::load(path).unwrap(), inner);
    let refused = |uri: &str| -> Error {
        Scene::load(scratch.write("in/other.gltf", text(uri).as_bytes())).unwrap_err()
    };
    let error = refused("../square.bin");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let message = "buffer 0: the address `../square.bin` leaves the folder of the file";
    assert!(error.to_string().ends_with(message), "{error}");
    let error = refused("missing.bin");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("buffer 0: the file `missing.bin`: cannot be read"), "{error}");
}

#[test]
fn broken_references_are_refused_by_name() {
    let range = ErrorKind::OutOfRange;
    let cases = [
        ("\"nodes\":[0]", "\"nodes\":[7]", "the scene: node 7, but the file has 1"),
        ("\"scene\":0", "\"scene\":3", "the default scene is 3, but the file has 1"),
        ("\"mesh\":0", "\"mesh\":5", "node 0 `floor`: mesh 5, but the file has 1"),
        ("\"mesh\":0", "\"children\":[4]", "node 0: node 4, but the file has 1"),
        ("\"POSITION\":0", "\"POSITION\":9", "mesh 0, primitive 0: accessor 9, but the file has 2"),
        ("\"indices\":1", "\"indices\":9", "mesh 0, primitive 0: accessor 9, but the file has 2"),
        ("\"material\":0", "\"material\":2", "mesh 0, primitive 0: material 2, but the file has 1"),
        ("\"bufferView\":1", "\"bufferView\":8", "an accessor: buffer view 8, but the file has 2"),
        ("{\"buffer\":0,", "{\"buffer\":6,", "buffer view 0: buffer 6, but the file has 1"),
        (
            "\"byteLength\":48",
            "\"byteOffset\":80,\"byteLength\":48",
            "buffer view 0: 48 bytes from byte 80 on, but buffer 0 has 100",
        ),
        (
            "\"byteLength\":48",
            "\"byteOffset\":18446744073709551615,\"byteLength\":48",
            "buffer view 0: 48 bytes from byte 18446744073709551615 on, but buffer 0 has 100",
        ),
        ("\"count\":4", "\"count\":5", "accessor 0: 5 elements need 60 bytes of buffer view 0, which has 48"),
        (
            "\"count\":4",
            "\"count\":18446744073709551615",
            "accessor 0: 18446744073709551615 elements need 221360928884514619380 bytes of buffer view 0, which has 48",
        ),
        (
            "\"count\":6",
            "\"byteOffset\":50,\"count\":6",
            "accessor 1: 6 elements need 56 bytes of buffer view 1, which has 52",
        ),
        ("\"count\":4", "\"count\":2", "mesh 0, primitive 0: corner 2 is vertex 2, but there are 2"),
        (
            "\"mesh\":0",
            "\"mesh\":0,\"translation\":[0,70000,0]",
            "node 0 `floor`, mesh 0, primitive 0, vertex 0: y is 70000.0 m, beyond the limit of ±65535 m; if the file \
             is not in metres, give the length of its unit (--scale 0.01 for centimetres)",
        ),
        (
            "\"mesh\":0",
            "\"mesh\":0,\"scale\":[1e308,1,1],\"translation\":[1e308,0,0]",
            "node 0 `floor`, mesh 0, primitive 0, vertex 0: x is 1e308 m, beyond the limit of ±65535 m; if the file \
             is not in metres, give the length of its unit (--scale 0.01 for centimetres)",
        ),
    ];
    for (from, to, message) in cases {
        check_refused(SceneFormat::Glb, &square(&[(from, to)]), range, message);
    }
}

#[test]
fn bad_values_are_refused_by_name() {
    let (syntax, unsupported, large) = (ErrorKind::Syntax, ErrorKind::Unsupported, ErrorKind::TooLarge);
    let cases = [
        ("\"2.0\"", "\"1.0\"", unsupported, "glTF version \"1.0\"; only version 2 is read"),
        ("\"VEC3\"", "\"VEC2\"", syntax, "accessor 0: expected the type VEC3, found `VEC2`"),
        ("5126", "5124", syntax, "accessor 0: component type 5124 is not known"),
        (
            "5121",
            "5126",
            syntax,
            "mesh 0, primitive 0: the numbers of its corners must be unsigned and whole",
        ),
        ("\"indices\":1", "\"mode\":7", syntax, "mesh 0, primitive 0: mode 7 is not known"),
        (
            "\"byteLength\":48",
            "\"byteLength\":48,\"byteStride\":8",
            syntax,
            "accessor 0: elements of 12 bytes every 8 bytes of buffer view 0",
        ),
        (
            "\"byteLength\":100",
            "\"byteLength\":101",
            syntax,
            "buffer 0: 101 bytes are announced, 100 are there",
        ),
        (
            "\"bufferView\":0,\"componentType\":5126,\"count\":4",
            "\"componentType\":5126,\"count\":4000000000",
            large,
            "accessor 0: 4000000000 elements without bytes; the limit is 1048576",
        ),
        (
            "\"meshes\":[{",
            "\"meshes\":[],\"x\":[{",
            ErrorKind::OutOfRange,
            "node 0 `floor`: mesh 0, but the file has 0",
        ),
        ("\"mesh\":0", "\"skin\":0", ErrorKind::Empty, "there is not a single triangle"),
        (
            "\"indices\":1",
            "\"mode\":0",
            ErrorKind::Empty,
            "there is not a single triangle (mesh 0, primitive 0: points and lines are left out)",
        ),
    ];
    for (from, to, kind, message) in cases {
        check_refused(SceneFormat::Glb, &square(&[(from, to)]), kind, message);
    }
    let meshopt = [(
        "\"byteLength\":48",
        "\"byteLength\":48,\"extensions\":{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":48,\"byteStride\":12,\"count\":4,\"mode\":\"ATTRIBUTES\"}}",
    )];
    let error = parse(SceneFormat::Glb, &square(&meshopt)).unwrap_err();
    assert!(
        error.to_string().starts_with("buffer view 0: compressed with meshopt: it does not begin"),
        "{error}"
    );
}

/// Draco is refused by name where its decoder is left out, and where its bytes are none.
#[test]
fn draco_without_a_stream_is_refused() {
    let draco = [
        (
            "\"indices\":1",
            "\"indices\":1,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{\"POSITION\":0}}}",
        ),
        ("\"bufferView\":0,\"componentType\"", "\"componentType\""),
    ];
    let error = parse(SceneFormat::Glb, &square(&draco)).unwrap_err().to_string();
    assert!(error.starts_with("mesh 0, primitive 0") && error.contains("compressed with"), "{error}");
}

/// A square whose places and corners are compressed with meshopt, in the plainest way that the format allows.
#[test]
fn meshopt_squares_are_read() {
    let plain = chunk();
    let mut places = vec![0xa0];
    for byte in 0..12 {
        let mut last = plain[byte];
        places.push(3);
        for row in 0..16 {
            let value = plain.get(12 * row + byte).filter(|_| row < 4).copied().unwrap_or(last);
            let off = value.wrapping_sub(last) as i8;
            places.push(((off << 1) ^ (off >> 7)) as u8);
            last = value;
        }
    }
    places.extend([0; 20]);
    places.extend(&plain[..12]);
    // A triangle of fresh vertices, then one that names all corners by differences: 0, 2, 3.
    let mut corners = vec![0xe1, 0xfe, 0xff, 0x00, 0xff, 0, 4, 2];
    corners.extend([0; 16]);
    let packed = |offset: usize, length: usize, stride: usize, count: usize, mode: &str| {
        format!(
            "\"extensions\":{{\"EXT_meshopt_compression\":{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length},\
             \"byteStride\":{stride},\"count\":{count},\"mode\":\"{mode}\"}}}}"
        )
    };
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["EXT_meshopt_compression"],"scene":0,
        "scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
            {{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":1,"byteLength":48,{}}},{{"buffer":1,"byteLength":12,{}}}],
        "buffers":[{{"byteLength":{}}},{{"byteLength":60}}]}}"#,
        packed(0, places.len(), 12, 4, "ATTRIBUTES"),
        packed(places.len(), corners.len(), 2, 6, "TRIANGLES"),
        places.len() + corners.len()
    );
    let file = glb(&json, &[places, corners].concat());
    let scene = parse(SceneFormat::Glb, &file).unwrap();
    assert_eq!((scene.vertices.as_slice(), scene.notes.len()), (&SQUARE[..], 0));
    assert_eq!(scene.triangles, [[0, 1, 2], [0, 2, 3]]);
    check_damaged(SceneFormat::Glb, &file);
}

/// These were read as if nothing were the matter, and the report said that the scene was clean.
#[test]
fn files_that_need_a_later_version_are_refused() {
    let with = |version: &str| square(&[("\"2.0\"", &format!("\"2.0\",\"minVersion\":{version}"))]);
    for version in ["\"2.0\"", "\"1.1\"", "null"] {
        assert!(parse(SceneFormat::Glb, &with(version)).is_ok(), "{version}");
    }
    for version in ["2.1", "3.0", "10.0"] {
        let message = format!("asset.minVersion is `{version}`; only version 2.0 is read");
        check_refused(SceneFormat::Glb, &with(&format!("\"{version}\"")), ErrorKind::Unsupported, &message);
    }
    for version in ["", "2", "2.x", "+2.0", "2.99999999999"] {
        let message = format!("asset.minVersion: expected a version as `2.0`, found `{version}`");
        check_refused(SceneFormat::Glb, &with(&format!("\"{version}\"")), ErrorKind::Syntax, &message);
    }
}

#[test]
fn projective_matrices_are_refused_by_their_node() {
    let with = |row: [f64; 4]| {
        let [a, b, c, d] = row;
        let matrix = format!("\"mesh\":0,\"matrix\":[1,0,0,{a},0,1,0,{b},0,0,1,{c},0,0,0,{d}]");
        square(&[("\"mesh\":0", &matrix)])
    };
    for row in [[0.0, 0.0, 0.0, 1.0], [1e-9, 0.0, 0.0, 1.000_000_1]] {
        assert_eq!(parse(SceneFormat::Glb, &with(row)).unwrap().vertices, SQUARE);
    }
    for (row, shown) in [
        ([0.0, 0.5, 0.0, 1.0], "0, 0.5, 0, 1"),
        ([0.0; 4], "0, 0, 0, 0"),
        ([0.0, 0.0, 0.0, 2.0], "0, 0, 0, 2"),
    ] {
        let message = format!(
            "node 0 `floor`: the last row of its matrix is {shown}; only matrices that end in 0, 0, 0, 1 are read"
        );
        check_refused(SceneFormat::Glb, &with(row), ErrorKind::Unsupported, &message);
    }
}

#[test]
fn rotations_without_length_are_noted() {
    for rotation in ["0,0,0,0", "1e-200,0,0,0", "1e200,0,0,1e200"] {
        let scene = read(&[("\"mesh\":0", &format!("\"mesh\":0,\"rotation\":[{rotation}]"))]);
        assert_eq!(scene.vertices, SQUARE);
        assert_eq!(
            scene.notes,
            ["node 0 `floor`: its rotation has no length, or too much: it is not turned"]
        );
    }
    // Accessors without bytes are all zero.
    let scene = read(&[
        (
            "\"mesh\":0",
            "\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"ROTATION\":2}}}",
        ),
        (
            "\"type\":\"SCALAR\"}",
            "\"type\":\"SCALAR\"},{\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"}",
        ),
    ]);
    let note = "node 0 `floor`: the rotations of 3 of its instances have no length, or too much, first that of instance 0: \
                they are not turned";
    assert_eq!((scene.triangles.len(), scene.notes.as_slice()), (6, [note.to_string()].as_slice()));
}

/// A buffer of 60 bytes that was a link to an endless device was read up to 4 GiB.
#[cfg(unix)]
#[test]
fn buffers_are_read_no_farther_than_they_announce() {
    let scratch = Scratch::new("gltf_endless");
    let path = scratch.write("square.gltf", text("buffer.bin").as_bytes());
    let buffer = scratch.path("buffer.bin");
    let _ = std::fs::remove_file(&buffer);
    std::os::unix::fs::symlink("/dev/zero", &buffer).unwrap();
    let error = Scene::load(&path).unwrap_err();
    let message = "square.gltf: buffer 0: the file `buffer.bin`: is a device, not a file; write what it gives to a regular \
                   file first";
    assert!(error.to_string().ends_with(message), "{error}");
    std::fs::remove_file(&buffer).unwrap();
    let whole = scratch.write("whole.bin", &chunk());
    std::os::unix::fs::symlink(&whole, &buffer).unwrap();
    let expected = Scene::load(&path).unwrap();
    // A longer file costs nothing: this one is larger than the limit of all buffers together.
    std::fs::File::options().write(true).open(&whole).unwrap().set_len(5 << 30).unwrap();
    assert_eq!(Scene::load(&path), Ok(expected));
}

#[test]
fn places_that_are_no_numbers_are_refused() {
    let mut bytes = square(&[]);
    let start = bytes.len() - 100;
    bytes[start + 16..start + 20].copy_from_slice(&f32::NAN.to_le_bytes());
    let message = "node 0 `floor`, mesh 0, primitive 0, vertex 1: y is not a number";
    check_refused(SceneFormat::Glb, &bytes, ErrorKind::OutOfRange, message);
}

#[test]
fn damaged_frames_are_refused() {
    let whole = square(&[]);
    let cases: [(&[u8], &str); 4] = [
        (&whole[..6], "the file ends within its header"),
        (&whole[..whole.len() - 8], "the header announces"),
        (b"glTF\x02\0\0\0\x0c\0\0\0", "the file ends within its JSON"),
        (b"glTF\x02\0\0\0\x14\0\0\0\xff\xff\xff\xffJSON", "a chunk announces 4294967295 bytes, there are 0"),
    ];
    for (bytes, message) in cases {
        let error = parse(SceneFormat::Glb, bytes).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.kind(), ErrorKind::Syntax);
    }
    let error = parse(SceneFormat::Glb, b"glTF\x01\0\0\0\x0c\0\0\0").unwrap_err();
    assert_eq!(error.to_string(), "binary glTF version 1; only version 2 is read");
    let error = parse(SceneFormat::Gltf, b"{\"asset\":").unwrap_err();
    assert!(error.to_string().starts_with("the glTF JSON is not understood"), "{error}");
    let nested = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"x\":{}", "[".repeat(100_000));
    assert_eq!(parse(SceneFormat::Gltf, nested.as_bytes()).unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn nodes_must_form_a_tree() {
    let node = r#"{"name":"floor","mesh":0}"#;
    let twice = r#"{"children":[1,2]},{"children":[3]},{"children":[3]},{"mesh":0}"#;
    let cases = [
        (
            r#"{"children":[0]}"#,
            "node 0 is reached twice, the second time from node 0: nodes must form a tree",
        ),
        (twice, "node 3 is reached twice, the second time from node 2: nodes must form a tree"),
    ];
    for (nodes, message) in cases {
        check_refused(SceneFormat::Glb, &square(&[(node, nodes)]), ErrorKind::Syntax, message);
    }
    let chain = |count: usize, name: &str| {
        let nodes: Vec<String> =
            (1..count).map(|child| format!("{{\"name\":\"{name}\",\"children\":[{child}]}}")).collect();
        square(&[(node, &format!("{},{node}", nodes.join(",")))])
    };
    assert_eq!(parse(SceneFormat::Glb, &chain(1024, "a")).unwrap().parts[0].name.len(), 2 * 1023 + 5);
    let message = "node 1024 lies 1025 levels deep; the limit is 1024";
    check_refused(SceneFormat::Glb, &chain(5000, ""), ErrorKind::TooLarge, message);
    let message = "node 81: its name with those above it has more than 4096 bytes, the limit";
    check_refused(SceneFormat::Glb, &chain(500, &"a".repeat(49)), ErrorKind::TooLarge, message);
}

#[test]
fn too_many_instances_are_refused_before_they_are_drawn() {
    let node = r#"{"name":"floor","mesh":0}"#;
    let instanced = r#"{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":2}}}}"#;
    let zeros = r#"{"componentType":5126,"count":1000000,"type":"VEC3"},{"bufferView":1"#;
    let changes = [
        (node, instanced),
        ("{\"bufferView\":1", zeros),
        ("\"indices\":1", "\"indices\":2"),
        ("\"TRANSLATION\":2", "\"TRANSLATION\":1"),
    ];
    let message =
        "node 0: with it the scene has 2000000 triangles; the limit is 100000 (--max-triangles raises it)";
    check_refused(SceneFormat::Glb, &square(&changes), ErrorKind::TooLarge, message);
    let uneven =
        r#"{"mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":0,"SCALE":1}}}}"#;
    let three = (
        "\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"",
        "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"",
    );
    let changes = [(node, uneven), three, ("\"indices\":1,", "")];
    let message = "node 0: its instances have different numbers of places, turns or sizes";
    check_refused(SceneFormat::Glb, &square(&changes), ErrorKind::Syntax, message);
}

#[test]
fn damaged_files_never_panic() {
    check_damaged(SceneFormat::Glb, &square(&[]));
    let uri = format!("data:;base64,{}", base64(&chunk()));
    check_damaged(SceneFormat::Gltf, text(&uri).as_bytes());
}

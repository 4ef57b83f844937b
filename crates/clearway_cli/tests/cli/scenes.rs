//! Scenes: built, asked, drawn and exported; and what is said about bad ones.

use crate::scratch::Scratch;
use serde_json::{Value, json};

/// A floor of 10 m by 6 m, a ramp up to a deck 3 m higher, and a shelf that takes the head-room over 4 m² of the floor.
const LEVEL: &str = "\
o floor
v 0 0 0
v 0 0 6
v 10 0 6
v 10 0 0
f 1 2 3 4
o ramp
v 10 0 2
v 16 3 2
v 16 3 0
f 4 5 6 7
o deck
v 16 3 6
v 20 3 6
v 20 3 0
f 7 8 9 10
o shelf
v 4 1 2
v 4 1 4
v 6 1 4
v 6 1 2
f 11 12 13 14
";

fn level(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    scratch.write("level.obj", LEVEL);
    scratch
}

pub fn built(test: &str) -> Scratch {
    let scratch = level(test);
    scratch.run(&["build", "level.obj", "--islands", "keep", "-o", "level.nav"]).succeeded();
    scratch
}

/// Whether a number is within a square centimetre of another.
#[track_caller]
fn assert_near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-2, "{value} is not {expected}");
}

#[test]
fn a_scene_is_built_and_reported_in_words() {
    let scratch = level("scene_words");
    let ran = scratch.run(&["build", "level.obj", "--islands", "keep", "-o", "level.nav"]).succeeded();
    for part in
        ["cells", "96 ", "triangles", "pieces", "head-room 2 m", "the scene was clean", "saved level.nav"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert_eq!(scratch.run(&["check", "level.nav"]).succeeded().stdout, "0 flaws\n");
}

#[test]
fn a_scene_is_reported_as_json() {
    let scratch = level("scene_json");
    let json = scratch
        .run(&["build", "level.obj", "--islands", "keep", "--json", "--coverage", "0.1"])
        .succeeded()
        .json();
    for name in ["cells", "regions", "portals", "components", "area", "lower_bound", "read_ms", "build_ms"] {
        assert!(json[name].is_number(), "{name}: {json}");
    }
    assert!(json["peak_memory"].is_number() || json["peak_memory"].is_null());
    assert_near(&json["area"], 96.0);
    assert_eq!(json["components"], 2);
    let surface = &json["surface"];
    for name in
        ["triangles", "walkable", "vanished", "repeated", "vertices", "area", "component_count", "moved"]
    {
        assert!(surface[name].is_number(), "{name}: {surface}");
    }
    assert_eq!((&surface["triangles"], &surface["walkable"]), (&8.into(), &8.into()));
    let pieces = surface["components"].as_array().unwrap();
    assert_near(&pieces[0]["area"], 92.0);
    assert_near(&pieces[1]["area"], 4.0);
    assert_eq!(pieces[1]["at"].as_array().unwrap().len(), 3);
    assert_eq!((&surface["dropped"], &surface["repaired"]), (&json!([]), &json!([])));
    assert_eq!(surface["rules"]["max_step"], 0.4);
    let stages: Vec<_> = json["stages"].as_array().unwrap().iter().map(|stage| &stage["name"]).collect();
    assert!(stages.contains(&&json!("head-room")) && stages.contains(&&json!("heights")), "{stages:?}");
    let coverage = &json["coverage"];
    assert!(
        coverage["recall"].as_f64() > Some(0.99) && coverage["precision"].as_f64() > Some(0.99),
        "{coverage}"
    );
    assert!(coverage["mean_height_error"].as_f64() < Some(0.01), "{coverage}");
}

#[test]
fn islands_are_dropped_by_default_and_told() {
    let scratch = level("scene_islands");
    let json = scratch.run(&["build", "level.obj", "--json"]).succeeded().json();
    assert_near(&json["area"], 92.0);
    assert_eq!(json["components"], 1);
    let text = scratch.run(&["build", "level.obj"]).succeeded().stdout;
    assert!(text.contains("1  piece that nothing leads to, 4.00 m\u{b2} in all"), "{text}");
    assert!(text.contains("--islands keep"), "{text}");
}

#[test]
fn parts_are_left_out_and_classified() {
    let scratch = level("selection");
    let args = ["build", "level.obj", "-o", "level.nav", "--ignore", "sh*", "--area", "wood=deck", "--json"];
    let json = scratch.run(&args).succeeded().json();
    assert_near(&json["area"], 96.0);
    assert_eq!(json["components"], 1);
    let areas = json["surface"]["areas"].as_array().unwrap();
    assert_eq!((&areas[0]["name"], &areas[1]["name"]), (&"ground".into(), &"wood".into()));
    assert_near(&areas[1]["area"], 24.0);
    let info = scratch.run(&["info", "level.nav", "--json"]).succeeded().json();
    assert_eq!(info["areas"][1]["name"], "wood");
    assert_near(&info["areas"][1]["area"], 24.0);
    assert_eq!(info["bounds"][0].as_array().unwrap().len(), 3);
    let text = scratch.run(&["info", "level.nav"]).succeeded().stdout;
    assert!(text.contains("storey 0") && text.contains("wood"), "{text}");
}

#[test]
fn walkers_have_their_rules() {
    let scratch = level("walkers");
    let area = |more: &[&str]| {
        let args = [&["build", "level.obj", "--islands", "keep", "--json"][..], more].concat();
        scratch.run(&args).succeeded().json()["area"].clone()
    };
    assert_near(&area(&["--max-slope", "20"]), 84.0);
    assert_near(&area(&["--height", "0.9"]), 100.0);
    assert_near(&area(&["--min-area", "5"]), 92.0);
    assert_near(&area(&["--scale", "1.5"]), 2.25 * 96.0);
    let json = scratch
        .run(&["build", "level.obj", "--islands", "keep", "--json", "--min-area", "5"])
        .succeeded()
        .json();
    assert_eq!(
        (&json["surface"]["dropped"][0]["kind"], &json["surface"]["dropped"][0]["count"]),
        (&json!("small"), &json!(1))
    );
    assert_near(&json["surface"]["dropped"][0]["area"], 4.0);
}

#[test]
fn surfaces_are_found_by_the_method_asked_for() {
    let scratch = level("method");
    let built = |more: &[&str]| {
        let args = [&["build", "level.obj", "--islands", "keep", "-o", "a.nav", "--json"][..], more].concat();
        let json = scratch.run(&args).succeeded().json();
        assert_near(&json["area"], 96.0);
        scratch.run(&["check", "a.nav"]).succeeded();
        (json["method"].clone(), json["cell"].clone())
    };
    assert_eq!(built(&[]), (json!("exact"), Value::Null));
    assert_eq!(built(&["--method", "exact"]), (json!("exact"), Value::Null));
    assert_eq!(built(&["--method", "voxel"]), (json!("voxel"), json!(0.1)));
    assert_eq!(built(&["--method", "voxel", "--cell", "0.25"]), (json!("voxel"), json!(0.25)));
    let text = scratch.run(&["build", "level.obj", "--method", "voxel"]).succeeded().stdout;
    assert!(text.contains("columns of 0.1 m"), "{text}");
    scratch.write("room.wkt", crate::scratch::ROOM);
    let plan = scratch.run(&["build", "room.wkt", "--json"]).succeeded().json();
    assert_eq!(plan.get("method"), None, "plans are drawn, not found");
}

#[test]
fn files_with_z_up_are_turned() {
    let scratch = Scratch::new("z_up");
    scratch.write("floor.obj", "v 0 0 1\nv 4 0 1\nv 4 3 1\nv 0 3 1\nf 1 2 3 4\n");
    let json = scratch.run(&["build", "floor.obj", "--up", "z", "--json"]).succeeded().json();
    assert_near(&json["area"], 12.0);
    assert_near(&json["surface"]["components"][0]["at"][1], 1.0);
}

#[test]
fn binary_gltf_is_built() {
    let scratch = Scratch::new("glb");
    scratch.write("floor.glb", floor_glb());
    let json = scratch.run(&["build", "floor.glb", "--json", "--scene", "0"]).succeeded().json();
    assert_near(&json["area"], 6.0);
    scratch.run(&["build", "floor.glb", "--scene", "attic"]).failed_with(&["floor.glb", "attic"]);
}

/// A floor of 3 m by 2 m.
fn floor_glb() -> Vec<u8> {
    let corners: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [3.0, 0.0, 2.0], [3.0, 0.0, 0.0]];
    let mut data: Vec<u8> = corners.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
    data.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|corner| corner.to_le_bytes()));
    let mut text = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": 60 }],
        "bufferViews": [{ "buffer": 0, "byteLength": 48 }, { "buffer": 0, "byteOffset": 48, "byteLength": 12 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [3, 0, 2] },
            { "bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR" },
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "nodes": [{ "mesh": 0, "name": "floor" }],
        "scenes": [{ "nodes": [0] }],
        "scene": 0,
    })
    .to_string()
    .into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut glb = [&b"glTF"[..], &word(2), &word(28 + text.len() + data.len())].concat();
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", data)] {
        glb.extend([&word(chunk.len())[..], kind, &chunk].concat());
    }
    glb
}

#[test]
fn paths_climb() {
    let scratch = built("climb");
    let ask = ["path", "level.nav", "--from", "1,0,1", "--to", "19,3,5", "--radius", "0.3"];
    let ran = scratch.run(&ask).succeeded();
    assert!(
        ran.stdout.contains("from (1, 0, 1) to (19, 3, 5)") && ran.stdout.contains("climb"),
        "{}",
        ran.stdout
    );
    let json = scratch.run(&[&ask[..], &["--json"]].concat()).succeeded().json();
    let points = json["points"].as_array().unwrap();
    assert!(points.len() > 2 && points.iter().all(|point| point.as_array().unwrap().len() == 3), "{json}");
    assert_near(&points[0][1], 0.0);
    assert_near(&points[points.len() - 1][1], 3.0);
    scratch
        .run(&["draw", "level.nav", "--view", "iso", "--path", "1,0,1:19,3,5", "-o", "way.svg"])
        .succeeded();
    let off = scratch.run(&["path", "level.nav", "--from", "1,0,1", "--to", "30,3,5", "--json"]);
    assert_eq!((off.code, &off.json()["reason"]), (1, &json!("off_mesh")));
    assert_eq!(off.json()["nearest"].as_array().unwrap().len(), 3);
    let apart = scratch.run(&["path", "level.nav", "--from", "1,0,1", "--to", "5,1,3"]);
    assert_eq!(apart.code, 1);
    assert!(apart.stdout.contains("not connected"), "{}", apart.stdout);
    assert!(apart.stdout.contains("the start lies on a piece of "), "{}", apart.stdout);
}

#[test]
fn points_have_as_many_coordinates_as_their_world() {
    let scratch = built("coordinates");
    scratch.write("room.wkt", crate::scratch::ROOM);
    let from = |input: &str, from: &str, to: &str| scratch.run(&["path", input, "--from", from, "--to", to]);
    from("level.nav", "1,1", "2,2").failed_with(&["1,1 has two coordinates", "X,Y,Z"]);
    from("level.nav", "1,0,1", "2,2").failed_with(&["2,2 has two coordinates"]);
    from("room.wkt", "1,0,1", "2,2").failed_with(&["1,0,1 has three coordinates", "X,Y"]);
    scratch.run(&["draw", "level.nav", "--path", "1,1:2,2"]).failed_with(&["two coordinates"]);
    scratch.run(&["draw", "level.nav", "--layer", "7"]).failed_with(&["level.nav", "no layer 7"]);
}

#[test]
fn scenes_are_drawn_and_exported_with_heights() {
    let scratch = built("heights");
    scratch.run(&["draw", "level.obj", "-o", "scene.svg", "--color", "area"]).succeeded();
    scratch.run(&["draw", "level.nav", "-o", "deck.svg", "--layer", "0"]).succeeded();
    scratch.run(&["export", "level.nav", "mesh.obj"]).succeeded();
    scratch.run(&["export", "level.nav", "ground.obj", "--ground"]).succeeded();
    scratch.run(&["export", "level.nav", "cells.obj", "--cells"]).succeeded();
    scratch.run(&["export", "level.nav", "ground.wkt", "--ground"]).failed_with(&["ground.wkt", ".obj only"]);
    scratch.run(&["export", "level.nav", "cells.wkt", "--cells"]).failed_with(&["cells.wkt", ".obj only"]);
    for name in ["mesh.obj", "ground.obj", "cells.obj"] {
        assert!(scratch.text(name).contains("v 20 3 0"), "{name}: {}", scratch.text(name));
    }
    assert_eq!(scratch.text("mesh.obj"), scratch.text("ground.obj"));
    // Cells are convex in projection, not flat: only the ground gives the same surface again.
    let json = scratch.run(&["build", "ground.obj", "--islands", "keep", "--json"]).succeeded().json();
    assert_near(&json["area"], 96.0);
}

#[test]
fn a_hump_in_one_cell_has_its_height() {
    let scratch = Scratch::new("hump");
    let corners = "v 0 0 0\nv 0 0 3\nv 6 2 3\nv 6 2 0\nv 12 0 3\nv 12 0 0\n";
    scratch.write("hump.obj", format!("{corners}f 1 2 3 4\nf 4 3 5 6\n"));
    scratch.run(&["build", "hump.obj", "-o", "hump.nav"]).succeeded();
    let json = scratch.run(&["info", "hump.nav", "--json"]).succeeded().json();
    assert_eq!(json["cells"], 1);
    assert_near(&json["bounds"][0][1], 0.0);
    assert_near(&json["bounds"][1][1], 2.0);
    assert_near(&json["storeys"][0]["heights"][1], 2.0);
    scratch.run(&["export", "hump.nav", "mesh.obj"]).succeeded();
    assert!(scratch.text("mesh.obj").contains("v 6 2 0"), "{}", scratch.text("mesh.obj"));
    scratch.run(&["export", "hump.nav", "cells.obj", "--cells"]).succeeded();
    assert_eq!(scratch.text("cells.obj").matches("\nf ").count(), 1);
}

#[test]
fn a_scene_without_walkable_floor_is_no_answer() {
    let scratch = Scratch::new("no_floor");
    scratch.write("wall.obj", "v 0 0 0\nv 4 0 0\nv 4 3 0\nv 0 3 0\nf 1 2 3 4\n");
    let ran = scratch.run(&["build", "wall.obj", "-o", "wall.nav", "--json"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("wall.obj: nothing is walkable")
            && ran.stderr.contains("none of the 2 triangles")
    );
    let json = ran.json();
    assert_eq!((&json["cells"], &json["surface"]["repaired"][0]["kind"]), (&0.into(), &"empty".into()));
    assert!(!scratch.path("wall.nav").exists(), "nothing is written");
    scratch.write("speck.obj", "v 0 0 0\nv 0 0 0.1\nv 0.1 0 0.1\nf 1 2 3\n");
    let ran = scratch.run(&["build", "speck.obj"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("piece smaller than 0.25"), "{}", ran.stderr);
}

#[test]
fn bad_scenes_are_refused() {
    let scratch = Scratch::new("bad_scenes");
    scratch.run(&["build", "gone.glb"]).failed_with(&["gone.glb", "cannot be read"]);
    let cases = [
        ("nan.obj", "v 0 nan 0\nv 1 0 0\nv 1 0 1\nf 1 2 3\n", "not a number"),
        ("points.obj", "v 0 0 0\nv 1 0 0\n", "triangle"),
        ("empty.stl", "", "empty"),
        ("short.glb", "glTF", "glb"),
        ("far.obj", "v 0 0 0\nv 1e6 0 0\nv 1 0 1\nf 1 2 3\n", "65535"),
    ];
    for (name, text, part) in cases {
        scratch.write(name, text);
        scratch.run(&["build", name, "-o", "out.nav"]).failed_with(&[name, part]);
        std::fs::remove_file(scratch.path(name)).unwrap();
    }
    assert!(scratch.names().is_empty(), "nothing is left behind");
}

/// Floors that a little more gap, step or care would join or leave out: two 5 cm apart, a deck half a metre above the
/// first, and a closed block on it.
const NEARLY: &str = "\
v 0 0 0
v 0 0 10
v 10 0 10
v 10 0 0
f 1 2 3 4
v 10.05 0 0
v 10.05 0 10
v 20 0 10
v 20 0 0
f 5 6 7 8
v 0 0.5 10
v 0 0.5 14
v 10 0.5 14
v 10 0.5 10
f 9 10 11 12
v 2 0 2
v 2 0 6
v 6 0 6
v 6 0 2
v 2 3 2
v 2 3 6
v 6 3 6
v 6 3 2
f 16 15 14 13
f 17 18 19 20
f 13 14 18 17
f 14 15 19 18
f 15 16 20 19
f 16 13 17 20
";

#[test]
fn what_nearly_fits_is_told() {
    let scratch = Scratch::new("nearly");
    scratch.write("nearly.obj", NEARLY);
    let warnings = |args: &[&str]| {
        let json = scratch.run(&[&["build", "nearly.obj", "--json"], args].concat()).succeeded().json();
        json["surface"]["warnings"].as_array().unwrap().clone()
    };
    let kinds = |args: &[&str]| -> Vec<Value> {
        warnings(args).iter().map(|warning| warning["kind"].clone()).collect()
    };
    let keep = ["--inside", "keep"];
    assert_eq!(kinds(&keep), ["gap", "step", "inside"], "{:?}", warnings(&keep));
    assert_eq!(kinds(&["--inside", "keep", "--gap", "0.06"]), ["step", "inside"]);
    assert_eq!(kinds(&["--inside", "keep", "--max-step", "0.6"]), ["gap", "inside"]);
    assert_eq!(kinds(&[]), ["gap", "step"]);
    assert_eq!(kinds(&["--gap", "0.02", "--max-step", "0.3"]), [""; 0]);
    let told = warnings(&keep);
    // The floor on the left, less the block, would be joined to the larger one on the right; the podium to the left one.
    assert_near(&told[0]["gain"], 84.0);
    assert_near(&told[1]["gain"], 40.0);
    assert_eq!((&told[2]["count"], told[2]["at"][1].as_f64()), (&json!(1), Some(0.0)));
    let text =
        scratch.run(&["build", "nearly.obj", "--inside", "keep", "--ignore", "blok"]).succeeded().stdout;
    for part in [
        "warnings",
        "no part is called `blok`",
        "--gap 0.05",
        "84 m\u{b2} would come",
        "--max-step 0.5",
        "--inside drop",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn insides_are_told_even_if_larger_pieces_only_seem_so() {
    let scratch = Scratch::new("insides");
    // A roof without an underside hides a larger floor as a solid would.
    let roof = "v 10.05 3 0\nv 10.05 3 10\nv 20 3 10\nv 20 3 0\nf -4 -3 -2 -1\n";
    scratch.write("nearly.obj", format!("{NEARLY}{roof}"));
    let json = scratch.run(&["build", "nearly.obj", "--json", "--inside", "keep"]).succeeded().json();
    let inside = json["surface"]["warnings"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&inside["kind"], &inside["count"]), (&json!("inside"), &json!(1)), "{json}");
    assert_near(&inside["area"], 16.0);
}

#[test]
fn what_is_advised_helps() {
    let scratch = Scratch::new("advice");
    scratch.write("nearly.obj", NEARLY);
    let pieces = |json: &Value| json["surface"]["component_count"].as_u64().unwrap();
    let build =
        |args: &[&str]| scratch.run(&[&["build", "nearly.obj", "--json"], args].concat()).succeeded().json();
    let told = build(&["--inside", "keep"]);
    for (kind, option) in [("gap", "--gap"), ("step", "--max-step")] {
        let warnings = told["surface"]["warnings"].as_array().unwrap();
        let needed = warnings.iter().find(|warning| warning["kind"] == kind).unwrap()["needed"].as_f64();
        let better = build(&["--inside", "keep", option, &needed.unwrap().to_string()]);
        assert!(pieces(&better) < pieces(&told), "{kind}: {better}");
    }
    let inside = told["surface"]["warnings"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(inside["largest"].as_array().map(Vec::len), Some(1), "{inside}");
}

#[test]
fn sizes_units_and_axes_are_told() {
    let scratch = Scratch::new("survey");
    // A floor of 6 m by 4 m, z up, in centimetres.
    scratch.write("plate.obj", "v 0 0 0\nv 600 0 0\nv 600 400 0\nv 0 400 0\nf 1 2 3 4\n");
    let build = |args: &[&str]| scratch.run(&[&["build", "plate.obj"], args].concat());
    let upright = build(&["--scale", "0.01"]);
    assert_eq!(upright.code, 1, "{}", upright.stderr);
    assert!(upright.stdout.contains("--up z"), "{}", upright.stdout);
    let right = build(&["--scale", "0.01", "--up", "z"]).succeeded().stdout;
    assert!(right.contains("6  m along x, 0 m high, 4 m along z") && !right.contains("warnings"), "{right}");
    let tiny = build(&["--scale", "0.0001", "--up", "z"]).stdout;
    assert!(tiny.contains("0.06 x 0 x 0.04 m") && tiny.contains("--scale"), "{tiny}");
    let json = build(&["--scale", "0.01", "--up", "z", "--json", "--simplify", "0.01"]).succeeded().json();
    assert_near(&json["surface"]["size"][2], 4.0);
    let told = build(&["--scale", "0.01", "--up", "z", "--simplify", "0.01"]).succeeded().stdout;
    assert!(told.contains("24  m\u{b2} at"), "{told}");
}

#[test]
fn coverage_does_not_miss_what_is_dropped() {
    let scratch = Scratch::new("inside_coverage");
    scratch.write("nearly.obj", NEARLY);
    let recall = |args: &[&str]| {
        let build = ["build", "nearly.obj", "--json", "--coverage", "0.1", "--inside"];
        scratch.run(&[&build, args].concat()).succeeded().json()["coverage"]["recall"].as_f64().unwrap()
    };
    assert!(
        recall(&["keep"]) > 0.99 && recall(&["drop"]) > 0.99,
        "{} {}",
        recall(&["keep"]),
        recall(&["drop"])
    );
}

#[test]
fn too_fine_and_too_small_is_told_before_the_work() {
    let scratch = Scratch::new("too_fine");
    scratch.write("field.obj", "v 0 0 0\nv 0 0 200\nv 200 0 200\nv 200 0 0\nf 1 2 3 4\n");
    let build = |args: &[&str]| scratch.run(&[&["build", "field.obj"], args].concat());
    build(&["--method", "voxel", "--cell", "0.01"]).failed_with(&["field.obj", "0.01 m", "40000", "0.025 m"]);
    let tiny = build(&["--scale", "1e-9"]);
    assert_eq!(tiny.code, 1, "{}", tiny.stderr);
    assert!(tiny.stderr.contains("2.0e-7 m") && tiny.stderr.contains("another unit"), "{}", tiny.stderr);
    build(&["--height", "1e300"]).failed_with(&["the height is 1e300"]);
    build(&["--coverage", "1e-300"]).failed_with(&["a step of 1e-300 m"]);
}

#[test]
fn options_of_scenes_are_checked() {
    let scratch = level("scene_options");
    scratch.write("room.wkt", crate::scratch::ROOM);
    let cases: [(&[&str], &str); 21] = [
        (&["room.wkt", "--method", "voxel"], "--method is for scenes only; room.wkt is a plan"),
        (&["room.wkt", "--cell", "0.1"], "--cell is for scenes only"),
        (&["level.obj", "--cell", "0.2"], "--cell 0.2 is for --method voxel only"),
        (&["level.obj", "--method", "exact", "--cell", "0.2"], "--method voxel only"),
        (&["level.obj", "--method", "voxel", "--cell", "7"], "the cell is 7; it must lie between 0.01 and 5"),
        (&["level.obj", "--method", "voxel", "--cell", "-0.1"], "the cell is -0.1"),
        (&["level.obj", "--method", "2.5d"], "exact, voxel"),
        (&["room.wkt", "--height", "2"], "--height is for scenes only; room.wkt is a plan"),
        (&["room.wkt", "--coverage", "0.1"], "--coverage is for scenes only"),
        (&["level.obj", "--grid", "0.01"], "--grid is for plans only; level.obj is a scene"),
        (&["level.obj", "--relax-angle-deg", "5"], "--relax-angle-deg is for plans only"),
        (&["level.obj", "--height", "0.5"], "twice the greatest step"),
        (&["level.obj", "--max-slope", "95"], "95 degrees"),
        (&["level.obj", "--max-step", "-1"], "max step is -1"),
        (&["level.obj", "--scale", "0"], "scale is 0"),
        (
            &["level.obj", "--max-triangles", "7"],
            "more than 7 triangles; the limit is 7 (--max-triangles raises it)",
        ),
        (&["room.wkt", "--max-triangles", "7"], "--max-triangles is for scenes only"),
        (&["level.obj", "--area", "wood"], "grass=Lawn*"),
        (&["level.obj", "--seed", "1,2"], "three numbers"),
        (&["level.obj", "--up", "x"], "x"),
        (&["level.obj", "--ignore", "*"], "level.obj: all 8 triangles are left out"),
    ];
    for (args, part) in cases {
        scratch.run(&[&["build"][..], args].concat()).failed_with(&[part]);
    }
    let fine = scratch.run(&["build", "level.obj", "--coverage", "0.0005"]);
    fine.failed_with(&["level.obj", "40020 x 12020 columns", "the limit of 33554432"]);
    let level = ["build", "level.obj", "--coverage", "0.1", "--max-step", "0", "--json"];
    let coverage = scratch.run(&level).succeeded().json()["coverage"].clone();
    assert!(
        coverage["recall"].as_f64() > Some(0.98) && coverage["precision"].as_f64() > Some(0.98),
        "{coverage}"
    );
    scratch.run(&["check", "level.obj"]).failed_with(&["This is a scene", "build level.obj -o OUT.nav"]);
    let ran = scratch.run(&["build", "level.obj", "--ignore", "shelv*"]).succeeded();
    assert!(ran.stdout.contains("no part is called `shelv*`; nearest are `shelf`"), "{}", ran.stdout);
}

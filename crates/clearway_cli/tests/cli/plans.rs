//! Plans as people have them: a drawing, a map, a picture, a file of OpenStreetMap, a building.

use crate::scratch::Scratch;
use std::path::Path;

/// Copies the samples of the guide into a folder of the test.
fn samples(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/plans");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        scratch.write(&name, std::fs::read(&path).unwrap());
    }
    scratch
}

#[test]
fn every_sample_is_built_and_walked_on() {
    let scratch = samples("plan_samples");
    let cases = [
        ("flat.dxf", ["2,2", "10,7"]),
        ("lab.yaml", ["-2,0", "2,-1"]),
        ("shop.svg", ["3,2", "12,7"]),
        ("mall.geojson", ["-6,0,-2", "8,3,-3"]),
        ("house.toml", ["12,0,-2", "12,3,-7"]),
    ];
    for (file, [from, to]) in cases {
        let ran = scratch.run(&["build", file, "-o", "out.nav"]).succeeded();
        assert!(ran.stdout.contains("saved out.nav"), "{file}: {}", ran.stdout);
        assert_eq!(scratch.run(&["check", "out.nav"]).succeeded().stdout, "0 flaws\n", "{file}");
        scratch.run(&["path", "out.nav", "--from", from, "--to", to, "--radius", "0.3"]).succeeded();
    }
}

#[test]
fn parts_have_roles_and_can_be_given_others() {
    let scratch = samples("plan_roles");
    let ran = scratch.run(&["build", "flat.dxf"]).succeeded();
    for part in ["WALLS: wall", "FURNITURE/DESK: obstacle", "1 `TEXT`", "1 exits"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let area = |args: &[&str]| {
        let ran = scratch.run(&[&["build", "flat.dxf", "--json"], args].concat()).succeeded();
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()["area"].as_f64().unwrap()
    };
    let usual = area(&[]);
    assert!(area(&["--role", "ignore=FURNITURE*"]) > usual + 2.0);
    assert!((area(&["--scale", "0.5"]) - usual / 4.0).abs() < 3.0);
    scratch.run(&["build", "flat.dxf", "--role", "desk=x"]).failed_with(&["there is no role desk"]);
    scratch.run(&["build", "mall.geojson", "--project", "off"]).failed_with(&["degrees", "--project off"]);
    let ran = scratch.run(&["build", "mall.geojson", "--level", "1"]).succeeded();
    assert!(ran.stdout.contains("degrees were projected"), "{}", ran.stdout);
    scratch
        .run(&["build", "mall.geojson", "--level", "7"])
        .failed_with(&["there is no level 7; there are: 0, 1"]);
}

#[test]
fn named_exits_are_goals_of_paths_distances_and_crowds() {
    let scratch = samples("plan_named_exits");
    scratch.run(&["build", "flat.dxf", "-o", "flat.nav"]).succeeded();
    let info = scratch.run(&["info", "flat.nav"]).succeeded();
    assert!(info.stdout.contains("exit:"), "{}", info.stdout);
    let place = &scratch.run(&["info", "flat.nav", "--json"]).succeeded().json()["places"][0];
    let name = format!("exit:{}", place["name"].as_str().unwrap());
    for to in ["exit", &name] {
        scratch.run(&["path", "flat.nav", "--from", "2,2", "--to", to, "--radius", "0.3"]).succeeded();
        scratch.run(&["distances", "flat.nav", "--to", to]).succeeded();
        // The skeleton refused names.
        let json = scratch.run(&["skeleton", "flat.nav", "--from", "2,2", "--to", to, "--json"]).json();
        assert!(json["widest"]["radius"].as_f64().unwrap() > 0.3, "{json}");
    }
    let wrong = ["path", "flat.nav", "--from", "2,2", "--to", "exits"];
    scratch.run(&wrong).failed_with(&["--to: place `exits` is not known; did you mean `exit`?"]);
    let people = "[world]\nfile = 'flat.dxf'\n[[source]]\ncount = 5\nexit = 'exit'\n";
    scratch.write("flat_run.toml", people);
    scratch.run(&["crowd", "flat_run.toml"]).succeeded();
    scratch.write("flat_run.toml", people.replace("'exit'", "'exot'"));
    scratch.run(&["crowd", "flat_run.toml"]).failed_with(&["flat_run.toml:3: exit: place `exot`", "`exit`"]);
}

/// Tiles forgot the names; `path DIR --to exit` was refused.
#[test]
fn named_exits_are_goals_of_paths_across_tiles() {
    let scratch = samples("plan_tiled_exits");
    scratch.run(&["build", "flat.dxf", "-o", "flat.nav"]).succeeded();
    scratch.run(&["tile", "flat.nav", "--size", "3", "-o", "flat"]).succeeded();
    let length = |world: &str, more: &[&str]| {
        let ask = [&["path", world, "--radius", "0.3", "--json"], more].concat();
        scratch.run(&ask).succeeded().json()["length"].as_f64().unwrap()
    };
    let place = &scratch.run(&["info", "flat.nav", "--json"]).succeeded().json()["places"][0];
    let name = format!("exit:{}", place["name"].as_str().unwrap());
    for ends in [
        ["--from", "2,2", "--to", "exit"],
        ["--from", "2,2", "--to", &name],
        ["--from", &name, "--to", "2,2"],
    ] {
        let [whole, tiled] = ["flat.nav", "flat"].map(|world| length(world, &ends));
        assert!((whole - tiled).abs() < 1e-6, "{ends:?}: {whole}, {tiled}");
    }
    let wrong = ["path", "flat", "--from", "2,2", "--to", "exits"];
    scratch.run(&wrong).failed_with(&["--to: place `exits` is not known; did you mean `exit`?"]);
    let near = scratch.run(&["path", "flat", "--from", "2,2", "--to", &name, "--around", "0.1"]);
    assert_eq!(near.code, 1);
    assert!(near.stdout.contains("tiles that are not loaded"), "{}", near.stdout);
}

/// A second file of edits knows the names of the first, and nothing is left of both in the end.
#[test]
fn a_mesh_is_edited_on_where_another_run_ended() {
    let scratch = Scratch::with_room("edited_on");
    scratch.write(
        "one.toml",
        "[[edit]]\nadd = 'crate'\nbox = { centre = [2, 3], size = [1, 1] }\n\
         [[edit]]\ndoor = 'gate'\nsegment = [[5, 0], [5, 2]]\n[[edit]]\nclose = 'gate'\n\
         [[edit]]\narea = 'mud'\ndisc = { centre = [8, 3], radius = 1 }\n",
    );
    let two = "[[edit]]\nopen = 'gate'\n[[edit]]\nmove = 'crate'\nbox = { centre = [2, 2], size = [1, 1] }\n";
    scratch.write("two.toml", two);
    scratch.write(
        "three.toml",
        "[[edit]]\nremove = 'crate'\n[[edit]]\nremove = 'gate'\n[[edit]]\nclear = true\n",
    );
    scratch.run(&["edit", "room.nav", "one.toml", "-o", "one.nav", "--check"]).succeeded();
    scratch.run(&["check", "one.nav"]).succeeded();
    let info = scratch.run(&["info", "one.nav"]).succeeded();
    for words in ["obstacle \"crate\"", "closed door \"gate\"", "area mud", "mud"] {
        assert!(info.stdout.contains(words), "{}", info.stdout);
    }
    scratch.run(&["edit", "one.nav", "two.toml", "-o", "two.nav", "--check"]).succeeded();
    scratch.run(&["edit", "two.nav", "three.toml", "-o", "three.nav", "--check"]).succeeded();
    assert_eq!(scratch.read("three.nav"), scratch.read("room.nav"));
    // The mesh alone knows no names.
    scratch.run(&["edit", "room.nav", "one.toml", "-o", "plain.nav", "--plain"]).succeeded();
    scratch
        .run(&["edit", "plain.nav", "two.toml"])
        .failed_with(&["two.toml: line 1", "there is no door \"gate\""]);
    scratch.run(&["edit", "room.nav", "one.toml", "--plain"]).failed_with(&["--output"]);
}

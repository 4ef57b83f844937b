//! Worlds in tiles: cut on any number of threads, edited, walked.

use crate::scratch::Scratch;

/// A hall of 60 m by 30 m.
const HALL: &str = "POLYGON ((0 0, 60 0, 60 30, 0 30))";

/// A wall across the hall with a gate in it, and a crate on the line between two tiles.
const EDITS: &str = "\
[[edit]]
add = 'wall below'
segment = [[35, -1], [35, 10]]

[[edit]]
add = 'wall above'
segment = [[35, 12], [35, 31]]

[[edit]]
door = 'gate'
segment = [[35, 10], [35, 12]]

[[edit]]
add = 'crate'
box = { centre = [20, 15], size = [2, 2] }
";

/// A folder with the hall in tiles of 20 m.
fn town(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    scratch.write("hall.wkt", HALL);
    scratch.run(&["tile", "hall.wkt", "--size", "20", "-o", "town"]).succeeded();
    scratch
}

#[test]
fn cuts_are_equal_on_any_number_of_threads() {
    let scratch = Scratch::new("threads");
    scratch.write("hall.wkt", HALL);
    for threads in ["1", "4"] {
        scratch.run(&["tile", "hall.wkt", "--size", "5", "-o", threads, "--threads", threads]).succeeded();
    }
    let names: Vec<_> =
        std::fs::read_dir(scratch.path("1")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 73);
    for name in names {
        let [one, four] = ["1", "4"].map(|folder| scratch.read(&format!("{folder}/{}", name.display())));
        assert!(one == four, "{}", name.display());
    }
}

#[test]
fn a_folder_of_tiles_keeps_edits() {
    let scratch = town("tiled_edits");
    scratch.write("edits.toml", EDITS);
    let told = scratch.run(&["edit", "town", "edits.toml", "--check", "--json"]).succeeded().json();
    assert_eq!((&told["tiles"], &told["steps"][3]["area"]), (&3.into(), &996.0.into()), "{told}");
    assert!(!scratch.path("town/edits.json").exists(), "nothing was asked to be stored");
    let told = scratch.run(&["edit", "town", "edits.toml", "-o", "town", "--draw", "town.svg"]).succeeded();
    assert!(told.stdout.contains("edits.json") && told.stdout.contains("town-after.svg"), "{}", told.stdout);
    let path = ["path", "town", "--from=5,5", "--to=55,5", "--radius", "0.3", "--json"];
    let way = scratch.run(&path).succeeded().json();
    assert!(way["length"].as_f64().unwrap() > 51.0, "{way}");
    let walk = scratch.run(&["tile", "town", "--walk=5,15:55,15", "--around", "30", "--step", "5", "--json"]);
    let walk = walk.succeeded().json();
    assert_eq!(walk["end"], "arrived", "{walk}");
    assert!(walk["walked"].as_f64().unwrap() > 50.0, "{walk}");
    let told = scratch.run(&["tile", "town", "--json"]).succeeded().json();
    assert_eq!(told["edits"], 4, "{told}");
    // The gate closes: no way is left, whichever tiles are loaded.
    scratch.write("close.toml", "[[edit]]\nclose = 'gate'\n");
    scratch.run(&["edit", "town", "close.toml", "-o", "town"]).succeeded();
    assert_eq!(scratch.run(&path).code, 1);
    scratch.write("clear.toml", "[[edit]]\nclear = true\n");
    scratch.run(&["edit", "town/tiles.json", "clear.toml", "-o", "town"]).succeeded();
    assert!(!scratch.path("town/edits.json").exists(), "nothing stands");
    assert_eq!(scratch.run(&path).succeeded().json()["length"], 50.0);
}

#[test]
fn edits_of_tiles_are_refused_with_a_reason() {
    let scratch = town("tiled_edits_refused");
    scratch.write("edits.toml", EDITS);
    let edit = |more: &[&str]| scratch.run(&[&["edit", "town", "edits.toml"], more].concat());
    edit(&["-o", "other"]).failed_with(&["other", "beside the tiles", "town"]);
    edit(&["-o", "town", "--plain"]).failed_with(&["--plain", "a mesh"]);
    scratch.write("edits.toml", "[[edit]]\nadd = 'far'\nbox = { centre = [64, 10], size = [1, 1] }\n");
    edit(&["-o", "town"]).failed_with(&["edits.toml", "line 1", "touches no ground"]);
    assert!(!scratch.path("town/edits.json").exists());
    for (text, words) in [
        ("", "empty"),
        ("{}", "is not a list of edits"),
        ("{\"format\": \"clearway edits\", \"version\": 9}", "version 9"),
        ("{\"format\": \"clearway edits\", \"version\": 1, \"more\": 1}", "more"),
    ] {
        scratch.write("town/edits.json", text);
        scratch.run(&["tile", "town"]).failed_with(&["edits.json", words]);
    }
    // A new cut does not mix with edits of the old world.
    scratch.run(&["tile", "hall.wkt", "-o", "town"]).failed_with(&["edits.json", "remove it"]);
}

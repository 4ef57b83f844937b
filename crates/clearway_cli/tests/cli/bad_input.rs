//! Every command on a bad day: the message names what is wrong, the status is 2, and nothing is left behind.

use crate::scratch::{ROOM, Scratch};
use std::fs;

/// Builds a plan file that cannot be one, and looks for what was left behind.
#[track_caller]
fn refuses(test: &str, name: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    let scratch = Scratch::new(test);
    scratch.write(name, content);
    scratch.run(&["build", name, "-o", "out.nav"]).failed_with(&[&[name][..], parts].concat());
    scratch.run(&["draw", name, "-o", "out.png"]).failed_with(&[&[name][..], parts].concat());
    assert_eq!(scratch.names(), [name]);
}

#[test]
fn numbers_that_are_none() {
    refuses("nan", "a.wkt", "POLYGON ((0 0, 1 NaN, 1 1, 0 0))", &["not a number"]);
    refuses("inf", "a.dat", "0 0\n1 0\n1 inf\n", &[]);
    refuses(
        "huge_number",
        "a.geojson",
        "{\"type\":\"LineString\",\"coordinates\":[[0,0],[1e999,0]]}",
        &["range"],
    );
}

#[test]
fn numbers_out_of_range() {
    refuses("far", "a.wkt", "POLYGON ((0 0, 1e30 0, 1 1, 0 0))", &["1099511627776"]);
}

#[test]
fn files_without_content() {
    refuses("empty", "a.wkt", "", &["the file is empty"]);
    refuses("nothing", "a.wkt", "POLYGON EMPTY", &["empty"]);
    refuses("bytes", "a.poly", [0xff, 0xfe, 0x00, 0x80], &["UTF-8"]);
}

#[test]
fn truncated_files() {
    refuses("short_wkt", "a.wkt", &ROOM[..ROOM.len() - 9], &[]);
    refuses("short_json", "a.geojson", "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1", &["line 1"]);
    refuses("short_map", "a.map", "type octile\nheight 4\nwidth 4\nmap\n....\n...", &[]);
}

#[test]
fn nesting_ten_million_deep() {
    refuses("deep_json", "a.geojson", "[".repeat(10_000_000), &["64"]);
    refuses("deep_wkt", "a.wkt", "GEOMETRYCOLLECTION ".to_string() + &"(".repeat(10_000_000), &[]);
    refuses("deep_collections", "a.wkt", "GEOMETRYCOLLECTION (".repeat(1_000_000), &["64"]);
}

#[test]
fn files_that_are_not_there() {
    let scratch = Scratch::new("missing");
    let commands: [&[&str]; 5] = [
        &["build", "a.wkt", "-o", "out.nav"],
        &["check", "a.nav"],
        &["info", "a.nav"],
        &["draw", "a.nav", "-o", "out.svg"],
        &["export", "a.nav", "out.obj"],
    ];
    for args in commands {
        scratch.run(args).failed_with(&[args[1], "cannot be read"]);
    }
    assert!(scratch.names().is_empty());
}

#[test]
fn folders_in_place_of_files() {
    let scratch = Scratch::with_room("folder");
    fs::create_dir(scratch.path("dir.wkt")).unwrap();
    fs::create_dir(scratch.path("dir.nav")).unwrap();
    scratch.run(&["build", "dir.wkt"]).failed_with(&["dir.wkt", "is a directory"]);
    scratch.run(&["check", "dir.nav"]).failed_with(&["dir.nav", "is a directory"]);
    scratch.run(&["build", "room.wkt", "-o", "dir.nav"]).failed_with(&["dir.nav", "is a directory"]);
    scratch.run(&["export", "room.nav", "."]).failed_with(&["is a directory"]);
    scratch.run(&["demo", "-o", "room.wkt"]).failed_with(&["room.wkt", "is a file"]);
    assert_eq!(scratch.names(), ["dir.nav", "dir.wkt", "room.nav", "room.wkt"]);
}

#[test]
fn wrong_extensions_are_refused_before_any_work() {
    let scratch = Scratch::with_room("extension");
    // The inputs do not exist: looking for them would be work.
    scratch.run(&["build", "no.wkt", "-o", "out.txt"]).failed_with(&["out.txt", ".nav"]);
    scratch.run(&["draw", "no.nav", "-o", "out.jpg"]).failed_with(&["out.jpg", ".svg or .png"]);
    scratch.run(&["export", "no.nav", "out.fbx"]).failed_with(&["out.fbx", ".obj or .geojson or .wkt"]);
    scratch.run(&["export", "no.nav", "out"]).failed_with(&["out: ", ".obj"]);
    scratch.run(&["build", "no.wkt", "-o", "no/out.nav"]).failed_with(&["no/out.nav", "does not exist"]);
    scratch.write("plan.xyz", ROOM);
    scratch.run(&["build", "plan.xyz"]).failed_with(&["plan.xyz", ".xyz", "known are .wkt"]);
    assert_eq!(scratch.names(), ["plan.xyz", "room.nav", "room.wkt"]);
}

#[test]
fn wrong_use_is_an_error() {
    let scratch = Scratch::with_room("usage");
    let cases: [(&[&str], &str); 9] = [
        (&["dance"], "dance"),
        (&["build"], "IN"),
        (&["build", "room.wkt", "--qualty", "best"], "--quality"),
        (&["build", "room.wkt", "--quality", "perfect"], "perfect"),
        (&["build", "room.wkt", "--threads", "0"], "0"),
        (&["build", "room.wkt", "--relax-angle-deg", "90"], "90 degrees"),
        (&["build", "room.wkt", "--relax-depth", "-1"], "relax_depth is -1"),
        (&["build", "room.wkt", "--grid", "nan"], "grid is NaN"),
        (&["draw", "room.nav", "--width", "1000000"], "16384"),
    ];
    for (args, part) in cases {
        scratch.run(args).failed_with(&[part]);
    }
    assert_eq!(scratch.names(), ["room.nav", "room.wkt"]);
}

#[test]
fn a_picture_too_large_for_memory_is_refused() {
    let scratch = Scratch::new("large_png");
    scratch.write("tall.wkt", "POLYGON ((0 0, 1 0, 1 2, 0 2, 0 0))");
    let args = ["draw", "tall.wkt", "-o", "tall.png", "--width", "16384"];
    scratch.run(&args).failed_with(&["tall.png: 16384 x ", "pixels are too many"]);
    assert_eq!(scratch.names(), ["tall.wkt"]);
}

#[test]
fn plans_given_as_meshes_are_explained() {
    let scratch = Scratch::with_room("plan_as_mesh");
    for args in [&["info", "room.wkt"][..], &["check", "room.wkt"], &["export", "room.wkt", "room.obj"]] {
        scratch.run(args).failed_with(&["room.wkt", "build room.wkt -o OUT.nav"]);
    }
    scratch.write("text.nav", ROOM);
    scratch.run(&["check", "text.nav"]).failed_with(&["text.nav", "not a .nav file"]);
    scratch.write("empty.nav", "");
    scratch.run(&["check", "empty.nav"]).failed_with(&["empty.nav", "empty"]);
}

#[test]
fn damage_anywhere_is_found() {
    let scratch = Scratch::with_room("damage");
    let whole = scratch.read("room.nav");
    // Behind the magic and the version, every byte counts.
    for offset in (12..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[offset] ^= 0x55;
        scratch.write("bad.nav", &bytes);
        let ran = scratch.run(&["check", "bad.nav"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "offset {offset}");
        assert!(ran.stdout.lines().count() >= 2 && ran.stdout.contains(" flaw"), "{}", ran.stdout);
        scratch.run(&["draw", "bad.nav"]).failed_with(&["bad.nav"]);
    }
    let json = scratch.run(&["check", "bad.nav", "--json"]);
    assert_eq!(json.code, 1);
    assert_eq!(
        json.json()["flaws"].as_array().unwrap().len() as u64,
        json.json()["flaw_count"].as_u64().unwrap()
    );
    assert_eq!(scratch.names(), ["bad.nav", "room.nav", "room.wkt"]);
}

#[test]
fn truncated_meshes_are_found() {
    let scratch = Scratch::with_room("short_mesh");
    let whole = scratch.read("room.nav");
    for length in [1, 8, 20, 40, whole.len() / 2, whole.len() - 1] {
        scratch.write("short.nav", &whole[..length]);
        let code = scratch.run(&["check", "short.nav"]).code;
        assert!(code == 1 || code == 2, "{length} bytes: {code}");
        scratch.run(&["info", "short.nav"]).failed_with(&["short.nav"]);
    }
    scratch.write("short.nav", &whole[..whole.len() - 100]);
    let told = format!("cut short: it has {} bytes and needs {}", whole.len() - 100, whole.len());
    scratch.run(&["info", "short.nav"]).failed_with(&["short.nav", &told]);
}

/// Links to endless devices were read up to 4 GiB, and pipes that nobody writes to were waited for.
#[cfg(unix)]
#[test]
fn devices_and_pipes_in_place_of_files() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::with_room("irregular");
    let pipe = scratch.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let kinds = [("zero", std::path::Path::new("/dev/zero"), "is a device"), ("queue", &pipe, "is a pipe")];
    for (name, target, told) in kinds {
        for extension in ["obj", "glb", "stl", "ply", "wkt", "map", "nav", "toml", "tsv"] {
            symlink(target, scratch.path(&format!("{name}.{extension}"))).unwrap();
        }
        let advice = "write what it gives to a regular file first";
        let file = |extension: &str| format!("{name}.{extension}");
        for extension in ["obj", "glb", "stl", "ply", "wkt", "map"] {
            let input = file(extension);
            scratch.run(&["build", &input, "-o", "out.nav"]).failed_with(&[&input, told, advice]);
        }
        let (nav, links, queries) = (file("nav"), file("toml"), file("tsv"));
        scratch.run(&["check", &nav]).failed_with(&[&nav, told, advice]);
        scratch.run(&["info", &nav]).failed_with(&[&nav, told, advice]);
        scratch.run(&["build", "room.wkt", "--links", &links]).failed_with(&[&links, told, advice]);
        scratch.run(&["path", "room.nav", "--queries", &queries]).failed_with(&[&queries, told, advice]);
    }
    symlink("room.wkt", scratch.path("link.wkt")).unwrap();
    scratch.run(&["build", "link.wkt", "-o", "link.nav"]).succeeded();
    assert_eq!(scratch.read("link.nav"), scratch.read("room.nav"));
}

#[cfg(unix)]
#[test]
fn nothing_is_left_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::with_room("locked");
    let locked = scratch.path("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Root writes everywhere; then there is nothing to test.
    if fs::write(locked.join("probe"), "").is_err() {
        scratch.run(&["build", "room.wkt", "-o", "locked/out.nav"]).failed_with(&["cannot be written"]);
        scratch.run(&["demo", "-o", "locked/demo"]).failed_with(&["cannot be made"]);
    }
    // A name that no file system takes is found out only when it is written.
    let long = "x".repeat(300) + ".nav";
    scratch.run(&["build", "room.wkt", "-o", &long]).failed_with(&["cannot be written"]);
    let deep = format!("new/folder/{}", "x".repeat(300));
    scratch.run(&["demo", "-o", &deep]).failed_with(&["cannot be made"]);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(scratch.names(), ["locked", "room.nav", "room.wkt"]);
}

/// The picture of `draw` lies beside its input, under the same name but for the ending.
#[test]
fn a_plan_is_never_replaced_by_its_picture() {
    let scratch = Scratch::new("own_picture");
    let plan = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 5'><rect width='8' height='5'/></svg>";
    scratch.write("shop.svg", plan);
    scratch.run(&["draw", "shop.svg"]).succeeded();
    assert_eq!(
        (scratch.names(), scratch.text("shop.svg")),
        (vec!["shop.png".into(), "shop.svg".into()], plan.into())
    );
    let same = "./shop.svg";
    let commands = [
        vec!["draw", "shop.svg", "-o", same],
        vec!["skeleton", "shop.svg", "-o", same],
        vec!["distances", "shop.svg", "--to", "1,1", "-o", same],
        vec!["tile", "shop.svg", "--size", "2", "-o", "tiles", "--draw", same],
    ];
    for command in commands {
        scratch.run(&command).failed_with(&["shop.svg", "is the input; name another file"]);
        assert_eq!(scratch.text("shop.svg"), plan, "{command:?}");
    }
}

#[test]
fn tiles_beyond_number_are_refused() {
    let scratch = Scratch::new("many_tiles");
    scratch.write("hall.wkt", "POLYGON ((0 0, 60 0, 60 40, 0 40, 0 0))");
    let command = ["tile", "hall.wkt", "--size", "0.01", "-o", "tiles"];
    scratch.run(&command).failed_with(&["24000000 files", "the limit is 262144"]);
}

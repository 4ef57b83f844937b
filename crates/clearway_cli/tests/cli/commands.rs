//! Every command on a good day.

use crate::scratch::{ROOM, Scratch, names};
use std::process::Stdio;

#[test]
fn help_shows_examples_and_bare_use_fails() {
    let scratch = Scratch::new("help");
    for args in [&["--help"][..], &["build", "--help"], &["draw", "-h"]] {
        assert!(scratch.run(args).succeeded().stdout.contains("Examples:"), "{args:?}");
    }
    scratch.run(&["--version"]).succeeded();
    scratch.run(&[]).failed_with(&["Usage: clearway"]);
}

#[test]
fn build_without_output_only_reports() {
    let scratch = Scratch::new("report");
    scratch.write("room.wkt", ROOM);
    let ran = scratch.run(&["build", "room.wkt"]).succeeded();
    for part in ["cells", "portals", "60", "m\u{b2}", "the plan was clean", "-o room.nav"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert_eq!(scratch.names(), ["room.wkt"]);
}

#[test]
fn build_saves_a_mesh_without_flaws() {
    let scratch = Scratch::with_room("saves");
    assert_eq!(scratch.names(), ["room.nav", "room.wkt"]);
    let ran = scratch.run(&["check", "room.nav"]).succeeded();
    assert_eq!(ran.stdout, "0 flaws\n");
    let json = scratch.run(&["check", "room.nav", "--json"]).succeeded().json();
    assert_eq!(json["flaw_count"], 0);
    assert_eq!(json["flaws"], serde_json::json!([]));
}

#[test]
fn build_reports_as_json() {
    let scratch = Scratch::new("json");
    scratch.write("room.wkt", ROOM);
    let json = scratch.run(&["build", "room.wkt", "-o", "room.nav", "--json"]).succeeded().json();
    let numbers = "cells regions portals walls vertices notches holes components lower_bound area portal_length \
                   mean_portal_length grid moved read_ms build_ms bytes";
    for name in numbers.split(' ') {
        assert!(json[name].is_number(), "{name}: {json}");
    }
    assert_eq!((&json["input"], &json["output"]), (&"room.wkt".into(), &"room.nav".into()));
    assert_eq!((&json["holes"], &json["components"], &json["notches"]), (&1.into(), &2.into(), &4.into()));
    assert_eq!(json["area"], 60.0);
    assert_eq!(json["bytes"], scratch.read("room.nav").len());
    assert_eq!(json["repaired"], serde_json::json!([]));
    assert_eq!(json["options"]["quality"], "default");
    let stages = json["stages"].as_array().unwrap();
    assert!(stages.len() > 3 && stages.iter().all(|s| s["name"].is_string() && s["ms"].is_number()));
}

#[test]
fn build_stores_the_path_index_if_asked_to() {
    let scratch = Scratch::with_room("index");
    let json = scratch.run(&["build", "room.wkt", "-o", "index.nav", "--index", "--json"]).succeeded().json();
    let tangents = &json["path_index"]["tangents"];
    assert!(tangents.as_u64().unwrap() > 0 && json["path_index"]["corners"] == 4, "{json}");
    assert!(json["stages"].as_array().unwrap().iter().any(|stage| stage["name"] == "tangents"));
    let [with, without] =
        ["index.nav", "room.nav"].map(|file| scratch.run(&["info", file, "--json"]).succeeded().json());
    assert_eq!(
        (&with["path_index"]["tangents"], &without["path_index"]),
        (tangents, &serde_json::Value::Null)
    );
    assert!(scratch.run(&["info", "index.nav"]).succeeded().stdout.contains("tangents between 4 corners"));
    assert_eq!(scratch.run(&["check", "index.nav"]).succeeded().stdout, "0 flaws\n");
    let ask = |file| {
        let args = ["path", file, "--from=0.5,0.5", "--to=9,5.5", "--radius", "0.3", "--json"];
        scratch.run(&args).succeeded().json()["length"].as_f64().unwrap()
    };
    assert!((ask("index.nav") - ask("room.nav")).abs() < 1e-9);
}

#[test]
fn build_tells_repairs_with_their_places() {
    let scratch = Scratch::new("repairs");
    scratch.write(
        "bow.wkt",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0)), \
                              LINESTRING (2 2, 6 6), LINESTRING (2 6, 6 2))",
    );
    let ran = scratch.run(&["build", "bow.wkt"]).succeeded();
    assert!(ran.stdout.contains("(4, 4)"), "{}", ran.stdout);
    let json = scratch.run(&["build", "bow.wkt", "--json"]).succeeded().json();
    assert_eq!(json["output"], serde_json::Value::Null);
    assert!(!json["repaired"].as_array().unwrap().is_empty(), "{json}");
}

#[test]
fn build_follows_its_rules_and_threads() {
    let scratch = Scratch::new("rules");
    scratch.write("room.wkt", ROOM);
    let rules = ["--relax-angle-deg", "5", "--relax-depth", "0.1", "--grid", "0.01", "--quality", "best"];
    let args = [&["build", "room.wkt", "--json", "--threads", "1"][..], &rules].concat();
    let json = scratch.run(&args).succeeded().json();
    assert_eq!(json["options"]["quality"], "best");
    assert_eq!(json["options"]["relax_angle"], 5f64.to_radians());
    assert_eq!(json["options"]["relax_depth"], 0.1);
    assert_eq!(json["grid"], 0.0078125);
    assert!(scratch.run(&args[..2]).succeeded().stdout.contains("exactly convex"));
}

#[test]
fn equal_plans_give_equal_bytes_on_any_number_of_threads() {
    let scratch = Scratch::with_room("threads");
    for threads in ["1", "2", "8"] {
        scratch.run(&["build", "room.wkt", "-o", "again.nav", "--threads", threads]).succeeded();
        assert!(scratch.read("again.nav") == scratch.read("room.nav"), "{threads} threads");
    }
}

#[test]
fn info_tells_what_is_there() {
    let scratch = Scratch::with_room("info");
    let ran = scratch.run(&["info", "room.nav"]).succeeded();
    for part in ["largest cell", "smallest cell", "corners on average", "from (0, 0) to (14, 6)"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let json = scratch.run(&["info", "room.nav", "--json"]).succeeded().json();
    assert_eq!(json["bounds"], serde_json::json!([[0.0, 0.0], [14.0, 6.0]]));
    assert_eq!((&json["area"], &json["components"]), (&60.0.into(), &2.into()));
    assert_eq!(json["bytes"], scratch.read("room.nav").len());
}

#[test]
fn draw_writes_beside_the_mesh_or_where_told() {
    let scratch = Scratch::with_room("draw");
    scratch.run(&["draw", "room.nav"]).succeeded();
    let plain = scratch.text("room.svg");
    assert!(plain.starts_with("<svg ") && plain.contains("width=\"1200\"") && plain.contains("room.nav"));
    let args =
        ["draw", "room.nav", "-o", "other.svg", "--width", "600", "--labels", "--no-flip", "--vertices"];
    scratch.run(&[&args[..], &["--color", "component"]].concat()).succeeded();
    assert!(scratch.text("other.svg").contains("width=\"600\""));
    let json = scratch.run(&["draw", "room.nav", "-o", "room.svg", "--json"]).succeeded().json();
    assert_eq!((&json["output"], &json["bytes"]), (&"room.svg".into(), &plain.len().into()));
    assert_eq!(scratch.text("room.svg"), plain, "equal meshes give equal pictures");
    assert_eq!(scratch.names(), ["other.svg", "room.nav", "room.svg", "room.wkt"]);
}

#[test]
fn draw_makes_a_png_of_the_asked_width() {
    let scratch = Scratch::with_room("png");
    scratch.run(&["draw", "room.nav", "-o", "room.PNG", "--width", "300"]).succeeded();
    let png = scratch.read("room.PNG");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..20], 300_u32.to_be_bytes());
}

#[test]
fn draw_takes_a_plan_too() {
    let scratch = Scratch::with_room("draw_plan");
    scratch.run(&["draw", "room.wkt", "-o", "plan.svg"]).succeeded();
    scratch.run(&["draw", "room.nav", "-o", "mesh.svg"]).succeeded();
    let without_title = |name| scratch.text(name).lines().skip(2).map(str::len).sum::<usize>();
    assert!(without_title("plan.svg") > 500);
    assert!(without_title("plan.svg").abs_diff(without_title("mesh.svg")) < 400, "only the title differs");
}

#[test]
fn a_plan_without_walkable_space_is_no_answer() {
    let scratch = Scratch::new("no_cells");
    scratch.write("flat.wkt", "POLYGON ((0 0, 1 1, 2 2, 0 0))");
    let outcome = scratch.run(&["build", "flat.wkt", "-o", "flat.nav"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("flat.wkt: nothing is walkable"), "{}", outcome.stderr);
    assert!(!scratch.path("flat.nav").exists(), "nothing is written");
}

#[test]
fn exports_are_plans_of_the_same_area() {
    let scratch = Scratch::with_room("export");
    for name in ["cells.wkt", "cells.geojson"] {
        scratch.run(&["export", "room.nav", name]).succeeded();
        let json = scratch.run(&["build", name, "--json"]).succeeded().json();
        assert_eq!((&json["area"], &json["components"]), (&60.0.into(), &2.into()), "{name}");
    }
    let json = scratch.run(&["export", "room.nav", "room.obj", "--json"]).succeeded().json();
    assert_eq!(json["output"], "room.obj");
    let obj = scratch.text("room.obj");
    assert!(obj.contains("\ng component_1\n") && obj.contains("\nv 14 0 -2\n"), "{obj}");
}

/// Runs a demo and every command that it prints.
fn try_demo(test: &str, args: &[&str], files: &[&str]) {
    let scratch = Scratch::new(test);
    let ran = scratch.run(&[&["demo", "--output", "my demo", "--seed", "3"][..], args].concat()).succeeded();
    assert_eq!(names(&scratch.path("my demo")), files);
    let commands: Vec<_> = ran.stdout.split("Try next:\n").nth(1).unwrap().lines().map(str::trim).collect();
    assert!(commands.len() >= 4, "{}", ran.stdout);
    for command in commands {
        let output =
            std::process::Command::new("sh").args(["-c", command]).current_dir(&scratch.folder).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_commands_that_the_demo_prints_work() {
    let files = [
        "_0.png",
        "_1.png",
        "_2.png",
        "_3.png",
        "_crowd.html",
        "_crowd.toml",
        ".nav",
        ".obj",
        ".png",
        ".svg",
    ];
    let mut files = files.map(|name| format!("building{name}"));
    files.sort();
    try_demo("demo", &["--people", "20"], &files.each_ref().map(String::as_str));
}

#[test]
fn the_commands_that_the_demo_of_a_plan_prints_work() {
    try_demo("demo_ward", &["--world", "ward"], &["ward.nav", "ward.png", "ward.svg", "ward.wkt"]);
}

#[test]
fn the_demo_has_a_market_and_speaks_json() {
    let scratch = Scratch::new("market");
    let json = scratch.run(&["demo", "--world", "market", "--json"]).succeeded().json();
    let count = json["files"].as_array().unwrap().len();
    assert_eq!(count, names(&scratch.path("demo")).len());
    assert!(json["report"]["cells"].as_u64() > Some(100));
    let check = scratch.run(&["check", "demo/market.nav"]);
    assert_eq!((check.code, check.stdout.as_str()), (0, "0 flaws\n"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let scratch = Scratch::with_room("pipe");
    for args in [&["info", "room.nav"][..], &["--help"], &["build", "room.wkt", "--json"]] {
        let mut child = scratch.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

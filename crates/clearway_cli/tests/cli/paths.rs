//! `path` and `draw --path`: ways, reasons, files of queries.

use crate::scratch::Scratch;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A room of 12 m by 10 m with a wall of no thickness in its middle that leaves 2 m at the top.
const HALL: &str = "GEOMETRYCOLLECTION (POLYGON ((0 0, 12 0, 12 10, 0 10, 0 0)), LINESTRING (6 0, 6 8), \
     POLYGON ((20 0, 24 0, 24 4, 20 4, 20 0)))";

/// Four rows of tiles; y grows downwards.
const TILES: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@@@.\n.@@@@.\n......\n";

fn hall(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    scratch.write("hall.wkt", HALL);
    scratch.run(&["build", "hall.wkt", "-o", "hall.nav"]).succeeded();
    scratch
}

/// A path across the hall, with more arguments.
fn across<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["path", "hall.nav", "--from", "2,4", "--to", "10,4"][..], more].concat()
}

#[test]
fn a_path_is_told_in_words() {
    let scratch = hall("path_text");
    let ran = scratch.run(&across(&["--radius", "0.5"])).succeeded();
    let parts = [
        "hall.nav: from (2, 4) to (10, 4), radius 0.5 m",
        "length",
        "pieces",
        "cells",
        "expansions",
        "\u{b5}s",
    ];
    for part in parts {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(scratch.run(&["path", "--help"]).succeeded().stdout.contains("Examples:"));
}

#[test]
fn a_path_is_told_as_json() {
    let scratch = hall("path_json");
    let json = scratch.run(&across(&["--json", "--radius", "0.5"])).succeeded().json();
    let members = "length points arcs cells expansions micros radius widest_radius planner complete bound \
                   clearance portals pieces start goal";
    for name in members.split_whitespace() {
        assert!(json.get(name).is_some(), "{name}: {json}");
    }
    let wall = std::f64::consts::PI * 0.5;
    let length = json["length"].as_f64().unwrap();
    // Around the end of the wall: tangents from both sides and an arc over its tip.
    assert!(length > 2.0 * 32f64.sqrt() && length < 2.0 * 32f64.sqrt() + wall, "{length}");
    assert_eq!(
        (&json["planner"], &json["complete"], &json["radius"]),
        (&"optimal".into(), &true.into(), &0.5.into())
    );
    let points = json["points"].as_array().unwrap();
    assert_eq!((&points[0], points.last().unwrap()), (&json!([2.0, 4.0]), &json!([10.0, 4.0])));
    assert!(!json["arcs"].as_array().unwrap().is_empty());
}

#[test]
fn all_but_the_time_is_the_same_every_time() {
    let scratch = hall("path_same");
    let run = || {
        let mut json = scratch.run(&across(&["--json", "--radius", "0.25"])).succeeded().json();
        json.as_object_mut().unwrap().remove("micros");
        json
    };
    assert_eq!(run(), run());
}

#[test]
fn plans_are_built_first() {
    let scratch = hall("path_plan");
    let length = |input| {
        let args = ["path", input, "--from", "2,4", "--to", "10,4", "--json"];
        scratch.run(&args).succeeded().json()["length"].clone()
    };
    assert_eq!(length("hall.wkt"), length("hall.nav"));
    assert_eq!(scratch.names(), ["hall.nav", "hall.wkt"]);
}

#[test]
fn negative_coordinates_need_no_tricks() {
    let scratch = Scratch::new("path_negative");
    scratch.write("low.wkt", "POLYGON ((-9 -9, 0 -9, 0 0, -9 0, -9 -9))");
    let json =
        scratch.run(&["path", "low.wkt", "--from", "-1,-2", "--to", "-1,-5", "--json"]).succeeded().json();
    assert_eq!(json["length"], 3.0);
}

/// Exit status 1, and the reason in words and as JSON.
#[track_caller]
fn refuses(scratch: &Scratch, args: &[&str], word: &str, parts: &[&str]) -> Value {
    let ran = scratch.run(args);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("no path: "), "{}", ran.stdout);
    for part in parts {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let ran = scratch.run(&[args, &["--json"]].concat());
    assert_eq!(ran.code, 1);
    let json = ran.json();
    assert_eq!((&json["length"], &json["reason"]), (&Value::Null, &word.into()), "{json}");
    assert!(json["message"].as_str().is_some_and(|text| !text.is_empty()), "{json}");
    json
}

#[test]
fn without_a_path_the_reason_is_told() {
    let scratch = hall("path_none");
    let off = ["path", "hall.nav", "--from", "2,4", "--to", "14,4"];
    let json = refuses(&scratch, &off, "off_mesh", &["the goal 14,4", "12,4", "2 m"]);
    assert_eq!((&json["nearest"], &json["place"]), (&json!([12.0, 4.0]), &"goal".into()));
    let apart = ["path", "hall.nav", "--from", "2,4", "--to", "22,2"];
    refuses(&scratch, &apart, "disconnected", &["not connected"]);
    refuses(&scratch, &across(&["--radius", "2.5"]), "too_close", &["the start is only 2 m from a wall"]);
    let grid = across(&["--radius", "1.5", "--planner", "grid", "--cell-size", "0.5"]);
    refuses(&scratch, &grid, "unresolved", &["0.5 m"]);
    for planner in ["optimal", "corridor", "centre"] {
        let narrow = across(&["--radius", "1.5", "--planner", planner]);
        refuses(&scratch, &narrow, "too_narrow", &["too narrow for a radius of 1.5 m", "up to 1 m"]);
    }
}

#[test]
fn points_beside_the_mesh_are_moved_when_that_is_allowed() {
    let scratch = hall("path_snap");
    let args = ["path", "hall.nav", "--from", "2,4", "--to", "14,4", "--snap", "2.5", "--json"];
    let json = scratch.run(&args).succeeded().json();
    assert_eq!(json["goal"], json!([12.0, 4.0]));
    assert_eq!(json["notes"], json!(["the goal 14,4 was moved by 2 m to 12,4"]));
    let text = scratch.run(&args[..args.len() - 1]).succeeded().stdout;
    assert!(text.contains("note: the goal 14,4 was moved by 2 m to 12,4"), "{text}");
}

#[test]
fn people_read_millimetres() {
    let scratch = hall("path_millimetres");
    let args = ["path", "hall.nav", "--from", "2.00012345,4", "--to", "10,4.1234567", "--radius", "0.3"];
    let text = scratch.run(&args).succeeded().stdout;
    let decimals = |word: &str| word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    assert!(text.contains("from (2, 4) to (10, 4.123)"), "{text}");
    assert!(numbers.map(decimals).max() <= Some(5), "{text}");
}

/// All planners but the default one, which finds shortest paths.
const OTHER_PLANNERS: &[&str] = &["grid", "visibility", "corridor"];

#[test]
fn every_planner_finds_a_way() {
    let scratch = hall("path_planners");
    let length = |planner| {
        let args = across(&["--json", "--radius", "0.5", "--planner", planner]);
        let json = scratch.run(&args).succeeded().json();
        assert_eq!(json["planner"], planner);
        json["length"].as_f64().unwrap()
    };
    let shortest = length("optimal");
    for planner in OTHER_PLANNERS {
        let length = length(planner);
        assert!(length >= shortest && length < 1.1 * shortest, "{planner}: {length}, shortest {shortest}");
    }
}

#[test]
fn wrong_use_is_an_error() {
    let scratch = hall("path_usage");
    let cases: [(&[&str], &str); 14] = [
        (&["--from", "2,4"], "--to"),
        (&[], "--from"),
        (&["--from", "2", "--to", "1,1"], "--from"),
        (&["--from", "2,nan", "--to", "1,1"], "`nan` is not a finite number"),
        (&["--from", "2,4", "--to", "x,1"], "`x` is not a number"),
        (&["--from", "2,4", "--to", "1,1e999"], "not a finite number"),
        (&["--from", "2,4", "--to", "1,1", "--radius", "-1"], "--radius"),
        (&["--from", "2,4", "--to", "1,1", "--radius", "NaN"], "not a finite number"),
        (&["--from", "2,4", "--to", "1,1", "--snap", "inf"], "--snap"),
        (&["--from", "2,4", "--to", "1,1", "--suboptimality", "0.5"], "less than 1"),
        (&["--from", "2,4", "--to", "1,1", "--planner", "magic"], "optimal"),
        (&["--from", "2,4", "--to", "1,1", "--planner", "grid", "--cell-size", "0"], "--cell-size"),
        (&["--from", "2,4", "--to", "1,1", "--planner", "grid", "--cell-size", "1e-9"], "too large"),
        (&["--from", "2,4", "--to", "1,1", "--queries", "a.tsv"], "--queries"),
    ];
    for (args, part) in cases {
        scratch.run(&[&["path", "hall.nav"][..], args].concat()).failed_with(&[part]);
    }
    scratch
        .run(&["path", "no.nav", "--from", "2,4", "--to", "1,1"])
        .failed_with(&["no.nav", "cannot be read"]);
    scratch.run(&["draw", "hall.nav", "--path", "1,1"]).failed_with(&["--path", "colon"]);
    assert_eq!(scratch.names(), ["hall.nav", "hall.wkt"]);
}

#[test]
fn tables_of_queries_are_answered_and_compared() {
    let scratch = hall("path_table");
    let table = "sx sy gx gy note length_r0\n\
                 1 1 4 5 a 5\n1 1 4 5 b 5.0001\n1 1 22 1 c -1\n1 1 4 5 d -2\n1 1 4 5 e ?\n30 1 4 5 f -1\n";
    scratch.write("q.tsv", table);
    let ran = scratch.run(&["path", "hall.nav", "--queries", "q.tsv"]).succeeded();
    let lines = ["no path      2", "3  of 5 within 1e-6", "4  of 5 within 1e-4"];
    let spaced: String = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in lines {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(spaced.contains(&line), "{line}: {}", ran.stdout);
    }
    for part in
        ["disconnected 1, off_mesh 1", "line 5, 1,1 to 4,5: given too close to a wall, found 5", "line 3"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let other = scratch.run(&["path", "hall.nav", "--queries", "q.tsv", "--radius", "0.5"]).succeeded();
    assert!(!other.stdout.contains("agree"), "{}", other.stdout);
}

fn array(scratch: &Scratch, args: &[&str]) -> Vec<Value> {
    let ran = scratch.run(args).succeeded();
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn tables_give_an_array_on_any_number_of_threads() {
    let scratch = hall("path_array");
    scratch.write("q.tsv", "gx\tgy\tsx\tsy\n4\t5\t1\t1\n22\t1\t1\t1\n10\t4\t2\t4\n3\t3\t3\t3\n");
    let run = |threads| {
        let args = ["path", "hall.nav", "--queries", "q.tsv", "--json", "--threads", threads];
        let mut answers = array(&scratch, &args);
        for answer in &mut answers {
            assert!(answer.as_object_mut().unwrap().remove("micros").unwrap().is_number());
        }
        answers
    };
    let answers = run("1");
    assert_eq!(answers.len(), 4);
    assert_eq!((&answers[0]["index"], &answers[0]["length"]), (&0.into(), &5.0.into()));
    assert_eq!((&answers[1]["length"], &answers[1]["reason"]), (&Value::Null, &"disconnected".into()));
    assert!(answers[2]["expansions"].is_number());
    assert_eq!(answers[3]["length"], 0.0);
    assert_eq!(run("3"), answers);
    assert_eq!(run("9"), answers);
}

#[test]
fn scenarios_run_from_tile_to_tile() {
    let scratch = Scratch::new("path_scen");
    scratch.write("ring.map", TILES);
    scratch.write(
        "ring.scen",
        "version 1\n0\tring.map\t6\t4\t0\t0\t5\t3\t8\n0\tring.map\t6\t4\t0\t0\t0\t1\t1\n",
    );
    let args = ["path", "ring.map", "--scen", "ring.scen", "--json"];
    let grid = array(&scratch, &[&args[..], &["--planner", "grid"]].concat());
    let lengths: Vec<_> = grid.iter().map(|answer| answer["length"].as_f64().unwrap()).collect();
    assert_eq!(lengths, [8.0, 1.0]);
    let shortest = array(&scratch, &args)[0]["length"].as_f64().unwrap();
    assert!(shortest < 8.0 && shortest > 34f64.sqrt(), "{shortest}");
    let text = scratch.run(&args[..4]).succeeded().stdout;
    assert!(text.contains("over given"), "{text}");
}

#[test]
fn bad_files_of_queries_are_named() {
    let scratch = hall("path_bad");
    let tables: [(&[u8], &str); 6] = [
        (b"", "names of the columns"),
        (b"sx sy gx\n1 2 3\n", "line 1: no column is named `gy`"),
        (b"sx sy gx gy\n1 2 3\n", "line 2: expected 4 columns, found 3"),
        (b"sx sy gx gy\n1 2 3 4\n1 2 inf 4\n", "line 3: column 3 (gx)"),
        (b"sx sy gx gy\n1 2 3 zwei\n", "`zwei`"),
        (b"sx sy \xff\xfe", "UTF-8"),
    ];
    for (content, part) in tables {
        scratch.write("q.tsv", content);
        scratch.run(&["path", "hall.nav", "--queries", "q.tsv"]).failed_with(&["q.tsv", part]);
    }
    scratch.write("q.scen", "version 1\n0 a.map 6 4 0 0 5 -3 8\n");
    let part = "line 2: column 8 (goal y)";
    scratch.run(&["path", "hall.nav", "--scen", "q.scen"]).failed_with(&["q.scen", part]);
    scratch.run(&["path", "hall.nav", "--scen", "no.scen"]).failed_with(&["no.scen", "cannot be read"]);
    scratch.run(&["path", "hall.nav", "--queries", "."]).failed_with(&["is a directory"]);
}

#[test]
fn pictures_show_paths() {
    let scratch = hall("path_draw");
    let args =
        ["draw", "hall.nav", "--path", "2,4:10,4", "--path", "1,1:2,9", "--radius", "0.5", "-o", "a.svg"];
    scratch.run(&args).succeeded();
    let svg = scratch.text("a.svg");
    assert_eq!(svg.matches("stroke-opacity=\".22\"").count(), 2, "two bodies");
    assert!(svg.contains('a') && svg.contains("#dc2626") && svg.contains("#047857"));
    scratch.run(&args).succeeded();
    assert_eq!(scratch.text("a.svg"), svg);
    scratch.run(&["draw", "hall.nav", "--path", "2,4:10,4", "-o", "b.png"]).succeeded();
    // What does not exist is told, and the rest is drawn.
    let some = ["draw", "hall.nav", "--path", "2,4:22,2", "--path", "2,4:10,4", "-o", "c.svg"];
    let ran = scratch.run(&some);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("no path from 2,4 to 22,2: "), "{}", ran.stdout);
    assert_eq!(scratch.text("c.svg").matches("stroke-opacity=\".22\"").count(), 0);
    assert!(scratch.text("c.svg").contains("#dc2626"));
    let ran = scratch.run(&[&some[..], &["--json"]].concat());
    assert_eq!((ran.code, &ran.json()["missing"][0]["reason"]), (1, &"disconnected".into()));
    assert_eq!(scratch.names(), ["a.svg", "b.png", "c.svg", "hall.nav", "hall.wkt"]);
}

#[test]
fn grid_maps_go_from_file_to_picture() {
    let scratch = Scratch::new("path_map");
    scratch.write("ring.map", TILES);
    scratch.run(&["build", "ring.map", "-o", "ring.nav"]).succeeded();
    let path = ["path", "ring.nav", "--from", "0.5,0.5", "--to", "0.5,3.5", "--json"];
    assert_eq!(scratch.run(&path).succeeded().json()["length"], 3.0);
    let draw =
        ["draw", "ring.map", "--no-flip", "--path", "0.5,0.5:5.5,3.5", "--radius", "0.4", "-o", "ring.svg"];
    scratch.run(&draw).succeeded();
    assert!(scratch.text("ring.svg").contains(" 0 0 "));
}

#[test]
fn the_radius_decides_about_the_way() {
    let scratch = Scratch::new("path_worlds");
    let answer = |world: &str, from: &str, to: &str, radius: &str| {
        let nav = format!("demo/{world}.nav");
        scratch
            .run(&["path", &nav, "--from", from, "--to", to, "--radius", radius, "--json"])
            .succeeded()
            .json()
    };
    scratch.run(&["demo", "--world", "two-ways"]).succeeded();
    assert_eq!(answer("two_ways", "5,5", "25,5", "0.5")["length"], 20.0);
    assert!(answer("two_ways", "5,5", "25,5", "1.5")["length"].as_f64() > Some(40.0));
    scratch.run(&["demo", "--world", "turn-back"]).succeeded();
    assert!(answer("turn_back", "2.5,1.5", "9.5,1.5", "0.5")["length"].as_f64() < Some(12.0));
    let around = answer("turn_back", "2.5,1.5", "9.5,1.5", "1");
    assert!(around["length"].as_f64() > Some(16.0));
    let mut cells: Vec<_> = around["cells"].as_array().unwrap().iter().map(|cell| cell.as_u64()).collect();
    let visits = cells.len();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(visits, cells.len() + 1, "the corridor is crossed twice: {around}");
}

/// The published lengths agree, where the data are.
#[test]
fn published_lengths_agree() {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CLEARWAY_DATA").map_or_else(beside, PathBuf::from).join("paths");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    let folder = folder.canonicalize().unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    let scratch = Scratch::new("path_published");
    for radius in ["0", "0.45"] {
        let (map, table) = (file("arena.map"), file("arena.tsv"));
        let ran = scratch.run(&["path", &map, "--queries", &table, "--radius", radius]).succeeded();
        assert!(ran.stdout.contains("160  of 160 within 1e-6"), "{}", ran.stdout);
    }
}

//! Places of scenes: where one stands at a point, how far `--snap` moves it, and pictures around one.

use crate::scenes::built;
use crate::scratch::Scratch;
use serde_json::json;

/// A path of the level with the shelf, to the far end of its deck.
fn ask<'a>(from: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["path", "level.nav", "--from", from, "--to", "19,3,5"], more].concat()
}

#[test]
fn one_stands_at_most_a_body_below_and_a_step_above() {
    let scratch = built("standing");
    for from in ["1,0,1", "1,0.4,1", "1,-0.4,1"] {
        let ran = scratch.run(&ask(from, &[])).succeeded();
        assert!(!ran.stdout.contains("note"), "{from}: {}", ran.stdout);
    }
    let json = scratch.run(&ask("1,1.6,1", &["--json"])).succeeded().json();
    assert_eq!(json["notes"], json!(["the start 1,1.6,1 was taken to the floor 1.6 m below it"]));
    let drawn = scratch.run(&["draw", "level.nav", "--path", "1,1.6,1:19,3,5", "-o", "way.svg"]).succeeded();
    assert!(drawn.stdout.contains("note: the start"), "{}", drawn.stdout);
    for (from, away) in [("1,5,1", 5.0), ("1,-4.5,1", 4.5), ("1,2.1,1", 2.1), ("1,-0.5,1", 0.5)] {
        let off = scratch.run(&ask(from, &["--json"]));
        assert_eq!((off.code, &off.json()["reason"]), (1, &json!("off_mesh")), "{from}");
        assert!((off.json()["distance"].as_f64().unwrap() - away).abs() < 1e-3, "{from}: {}", off.json());
    }
}

#[test]
fn snap_moves_ends_in_space() {
    let scratch = built("snap_space");
    // Under the shelf, which is too low to stand under, the floor beside is nearer than the shelf above.
    let beside = scratch.run(&ask("4.5,0,3", &["--snap", "0.5", "--json"])).succeeded().json();
    assert_eq!(beside["notes"], json!(["the start 4.5,0,3 was moved by 0.5 m to 4,0,3"]));
    let high = scratch.run(&ask("1,8,1", &["--snap", "8", "--json"])).succeeded().json();
    assert_eq!(high["notes"], json!(["the start 1,8,1 was moved by 8 m to 1,0,1"]));
    assert_eq!(scratch.run(&ask("1,8,1", &["--snap", "7.9"])).code, 1);
    // A body keeps its distance to the shelf, and that is a move as well.
    let body = scratch.run(&ask("4.5,0,3", &["--snap", "1", "--radius", "0.3", "--json"])).succeeded().json();
    assert_eq!(body["notes"], json!(["the start 4.5,0,3 was moved by 0.8 m to 3.7,0,3"]));
    assert_eq!(scratch.run(&ask("4.5,0,3", &["--snap", "0.7", "--radius", "0.3"])).code, 1);
}

#[test]
fn snap_leaves_islands_for_the_piece_of_the_other_end() {
    let scratch = built("snap_islands");
    let way = ["path", "level.nav", "--from", "5,1,3", "--to", "1,0,1", "--snap"];
    let from = |snap: &'static str| scratch.run(&[&way[..], &[snap, "--json"]].concat());
    // The edge of the shelf is 1 m away, and 1 m above the floor.
    assert_eq!(from("1.4").json()["reason"], "disconnected");
    let moved = from("1.5").succeeded().json();
    let note = moved["notes"][0].as_str().unwrap();
    assert!(note.starts_with("the start 5,1,3 was moved by 1.414 m to "), "{moved}");
    // Both ends on the shelf need not leave it.
    let on_top = ["path", "level.nav", "--from", "5,1,3", "--to", "4.5,1,3.5", "--snap", "2", "--json"];
    assert_eq!(scratch.run(&on_top).succeeded().json()["notes"], json!([]));
    let draw = ["draw", "level.nav", "--path", "5,1,3:1,0,1", "-o", "way.svg"];
    assert_eq!(scratch.run(&draw).code, 1);
    let drawn = scratch.run(&[&draw[..], &["--snap", "1.5"]].concat()).succeeded();
    assert!(drawn.stdout.contains("note: the start 5,1,3 was moved"), "{}", drawn.stdout);
}

/// The narrow door is upstairs, over open ground.
#[test]
fn narrow_places_are_told_on_their_storey() {
    let scratch = Scratch::new("places_narrow");
    let floors = "v 0 0 0\nv 0 0 8\nv 20 0 8\nv 20 0 0\nv 2 0 2\nv 8 3 2\nv 8 3 0\nv 2 0 0\n\
                  v 8 3 8\nv 20 3 8\nv 20 3 0\nf 1 2 3 4\nf 8 5 6 7\nf 7 9 10 11\n";
    let walls = "v 12 3 0\nv 12 3 3.6\nv 12 5 3.6\nv 12 5 0\nv 12 3 4.4\nv 12 3 8\nv 12 5 8\nv 12 5 4.4\n\
                 f 12 13 14 15\nf 16 17 18 19\n";
    scratch.write("door.obj", format!("{floors}{walls}"));
    scratch.run(&["build", "door.obj", "-o", "door.nav"]).succeeded();
    for [from, to] in [["1,0,4", "18,3,4"], ["18,3,4", "1,0,4"]] {
        let ran = scratch.run(&["path", "door.nav", "--from", from, "--to", to, "--radius", "0.5"]);
        assert!(ran.stdout.contains("at 12,3,4: the widest way takes up to 0.4 m"), "{}", ran.stdout);
    }
}

/// Two storeys that are not connected, each with the same door: it was told on the lower one whoever asked.
#[test]
fn narrow_places_are_told_where_one_can_walk_to() {
    let scratch = Scratch::new("places_alike");
    let storey = |y: f64, first: usize| {
        let quads = [
            [[0.0, y, 0.0], [0.0, y, 8.0], [20.0, y, 8.0], [20.0, y, 0.0]],
            [[12.0, y, 0.0], [12.0, y, 3.6], [12.0, y + 2.0, 3.6], [12.0, y + 2.0, 0.0]],
            [[12.0, y, 4.4], [12.0, y, 8.0], [12.0, y + 2.0, 8.0], [12.0, y + 2.0, 4.4]],
        ];
        let corners = quads.iter().flatten().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
        let faces = (0..3).map(|quad| first + 4 * quad);
        let faces = faces.map(|a| format!("f {} {} {} {}\n", a, a + 1, a + 2, a + 3));
        corners.chain(faces).collect::<String>()
    };
    scratch.write("doors.obj", storey(0.0, 1) + &storey(3.0, 13));
    scratch.run(&["build", "doors.obj", "-o", "doors.nav"]).succeeded();
    for height in [0, 3] {
        let [from, to] = [1, 18].map(|x| format!("{x},{height},4"));
        let ran = scratch.run(&["path", "doors.nav", "--from", &from, "--to", &to, "--radius", "0.5"]);
        assert!(ran.stdout.contains(&format!("at 12,{height},4: ")), "{}", ran.stdout);
    }
}

#[test]
fn the_height_of_a_place_chooses_its_storey() {
    let scratch = built("storeys");
    let title = |more: &[&str]| {
        scratch.run(&[&["draw", "level.nav", "-o", "storey.svg"], more].concat()).succeeded();
        let text = scratch.text("storey.svg");
        text.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_string()
    };
    for view in ["top", "iso"] {
        let title = |more: &[&str]| title(&[&["--view", view, "--across", "20"], more].concat());
        assert_eq!(title(&["--at", "9,0,3"]), "level.nav: storey 0");
        assert_eq!(title(&["--at", "17,3,3"]), "level.nav: storey 1");
        assert_eq!(title(&["--at", "12,9,9"]), "level.nav: storey 1", "off the mesh the height decides");
        assert_eq!(title(&["--at", "17,3,3", "--layer", "0"]), "level.nav: storey 0");
        assert_eq!(title(&["--at", "17,3,3", "--layer", "all"]), "level.nav");
    }
    assert_eq!(title(&[]), "level.nav");
    scratch.run(&["draw", "level.nav", "--layer", "some"]).failed_with(&["--layer", "`all`"]);
}

#[test]
fn pictures_zoom_in_and_stretch_heights() {
    let scratch = built("zoom");
    let draw = |more: &[&str]| scratch.run(&[&["draw", "level.nav", "-o", "zoom.svg"], more].concat());
    for view in ["top", "iso"] {
        draw(&["--view", view, "--at", "2,0,2", "--across", "1"]).succeeded();
        assert!(scratch.text("zoom.svg").contains("<desc>1 cell "), "{view}");
    }
    draw(&["--view", "iso", "--height-scale", "2.5"]).succeeded();
    draw(&["--view", "iso", "--height-scale", "0"]).failed_with(&["--height-scale", "between 0.1 and 50"]);
    draw(&["--height-scale", "2"]).failed_with(&["--height-scale", "--view iso only"]);
    draw(&["--at", "99,0,2"]).failed_with(&["level.nav", "--at 99,0,2", "within 5 m"]);
    draw(&["--at", "9,2"]).failed_with(&["two coordinates"]);
    draw(&["--across", "9"]).failed_with(&["--at"]);
    draw(&["--at", "2,0,2", "--across", "1e-7"]).failed_with(&["--across", "0.001"]);
}

//! `clearway skeleton`, and the planners on the skeleton: answers, and what they refuse.

use crate::scratch::Scratch;

#[test]
fn the_skeleton_of_a_room_is_audited_and_drawn() {
    let scratch = Scratch::with_room("skeleton");
    let ask = ["skeleton", "room.nav", "--from", "1,1", "--to", "9,5", "-o", "roads.png", "--json"];
    let json = scratch.run(&ask).succeeded().json();
    // Twelve sides as drawn; four are cut in two by the ends of portals.
    assert_eq!((json["walls"].as_u64(), json["is_clean"].as_bool()), (Some(16), Some(true)), "{json}");
    assert_eq!(json["audit"]["rebuild_rate"], 0.0, "{json}");
    // Each side of the pillar leaves 2 m.
    assert!((json["widest"]["radius"].as_f64().unwrap() - 1.0).abs() < 1e-3, "{json}");
    let ways: Vec<&str> =
        json["ways"].as_array().unwrap().iter().filter_map(|way| way["planner"].as_str()).collect();
    assert_eq!(ways, ["optimal", "roadmap", "irm", "miran", "ecm", "ecm, 1 m", "ecm, 2 m"]);
    assert!(scratch.read("roads.png").starts_with(b"\x89PNG"));
    scratch.run(&["skeleton", "room.nav", "-o", "part.svg", "--at", "2,2", "--across", "3"]).succeeded();
    scratch.run(&["skeleton", "room.nav", "-o", "all.svg"]).succeeded();
    assert_ne!(scratch.read("part.svg"), scratch.read("all.svg"));
    let text = scratch.run(&["skeleton", "room.nav"]).succeeded().stdout;
    assert!(text.contains("all empty") && text.contains("roads"), "{text}");
}

#[test]
fn places_and_radii_that_are_none_are_refused() {
    let scratch = Scratch::with_room("skeleton_bad");
    let skeleton = |more: &[&'static str]| scratch.run(&[&["skeleton", "room.nav"], more].concat());
    skeleton(&["--from", "nan,1", "--to", "9,5"]).failed_with(&["--from"]);
    // As `path` answers: off the mesh is no error.
    for (ends, told) in [
        (["1,1", "5,3"], "no path: the goal 5,3 is not on the mesh"),
        (["90,50", "1,1"], "no path: the start 90,50 is not on the mesh"),
    ] {
        let ran = skeleton(&["--from", ends[0], "--to", ends[1]]);
        assert!(ran.code == 1 && ran.stdout.starts_with(told), "{}", ran.stdout);
    }
    let json = skeleton(&["--from", "1,1", "--to", "5,3", "--json"]).json();
    assert_eq!((&json["reason"], &json["place"]), (&"off_mesh".into(), &"goal".into()), "{json}");
    skeleton(&["--from", "1,1", "--to", "exit"]).failed_with(&["room.nav", "--to", "exit"]);
    skeleton(&["--from", "1,1", "--to", "9,5", "--radius", "-1"]).failed_with(&["--radius"]);
    skeleton(&["--from", "1,1", "--to", "9,5", "--radius", "nan"]).failed_with(&["--radius"]);
    skeleton(&["--from", "1,1,1", "--to", "9,5,1"]).failed_with(&["1,1,1"]);
    skeleton(&["-o", "roads.bmp"]).failed_with(&["roads.bmp"]);
    skeleton(&["-o", "far.svg", "--at", "900,900"]).failed_with(&["--at 900,900"]);
    skeleton(&["-o", "far.svg", "--at", "1,1,1"]).failed_with(&["1,1,1"]);
    skeleton(&["-o", "far.svg", "--across", "3"]).failed_with(&["--at"]);
    // Two rooms without a way between them.
    let apart = skeleton(&["--from", "1,1", "--to", "13,1"]);
    assert!(apart.code == 1 && apart.stdout.contains("Nobody gets from"), "{}", apart.stdout);
}

#[test]
fn planners_on_the_skeleton_answer_and_refuse() {
    let scratch = Scratch::with_room("skeleton_paths");
    for planner in ["roadmap", "ecm", "irm", "miran"] {
        let path = |more: &[&'static str]| {
            scratch.run(&[&["path", "room.nav", "--planner", planner], more].concat())
        };
        for radius in ["0", "0.4", "0.999"] {
            let ends = ["--from", "1.5,1.5", "--to", "8.5,4.5", "--json", "--radius"];
            let json = scratch
                .run(&[&["path", "room.nav", "--planner", planner], &ends[..], &[radius]].concat())
                .succeeded()
                .json();
            let length = json["length"].as_f64().unwrap();
            assert!((7.6..16.0).contains(&length), "{planner} {radius}: {json}");
        }
        let ends = ["--from", "1.5,1.5", "--to", "8.5,4.5"];
        let with = |more: &[&'static str]| path(&[&ends[..], more].concat());
        assert_eq!(with(&["--radius", "1.01"]).code, 1, "{planner}");
        assert_eq!(with(&["--radius", "1e9"]).code, 1, "{planner}");
        for (option, value) in
            [("--radius", "nan"), ("--radius", "-1"), ("--radius", "inf"), ("--sigma", "0")]
        {
            with(&[option, value]).failed_with(&[option]);
        }
        for (option, value) in [("--clearance", "-1"), ("--clearance", "nan"), ("--weight", "road=1")] {
            with(&[option, value]).failed_with(&[option]);
        }
        for value in ["ground=-1", "ground=nan", "ground"] {
            with(&["--weight", value]).failed_with(&["--weight"]);
        }
    }
}

/// A floor, a ramp beside it, and a gallery over half of the floor.
const GALLERY: &str = "\
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
o landing
v 16 3 6
v 18 3 6
v 18 3 0
f 7 8 9 10
o gallery
v 0 3 3
v 0 3 6
v 16 3 3
f 11 12 8 13
";

/// The lines of a picture in a colour: true for those that are dashed.
fn lines(svg: &str, color: &str) -> Vec<(bool, String)> {
    let stroke = format!("<path fill=\"none\" stroke=\"{color}\"");
    let lines = svg.lines().filter(|line| line.starts_with(&stroke));
    let data = |line: &str| line.split(" d=").nth(1).unwrap_or_default().to_string();
    lines.map(|line| (line.contains("stroke-dasharray"), data(line))).collect()
}

/// The colours of roads, and of the ways `optimal` and `miran`.
const ROAD: &str = "#be185d";
const OPTIMAL: &str = "#111827";
const MIRAN: &str = "#0e7490";

/// Ways were drawn on all storeys at full strength, and roads over the floors that hide them.
#[test]
fn roads_and_ways_are_dashed_where_floors_hide_them() {
    let scratch = Scratch::new("skeleton_storeys");
    scratch.write("two.obj", GALLERY);
    scratch.run(&["build", "two.obj", "-o", "two.nav"]).succeeded();
    let draw = |name: &str, more: &[&str]| {
        let ask = ["skeleton", "two.nav", "--from", "2,0,4.5", "--to", "2,3,4.5", "-o", name];
        scratch.run(&[&ask, more].concat()).succeeded();
        scratch.text(name)
    };
    let below = draw("below.svg", &["--layer", "0"]);
    assert!(lines(&below, OPTIMAL).iter().any(|line| line.0), "the gallery is elsewhere");
    assert!(lines(&below, OPTIMAL).iter().any(|line| !line.0), "the floor is shown");
    assert!(lines(&below, ROAD).iter().all(|line| !line.0), "nothing that is shown hides a road");
    let aside = draw("aside.svg", &["--view", "iso"]);
    for color in [ROAD, OPTIMAL] {
        let kinds: Vec<bool> = lines(&aside, color).iter().map(|line| line.0).collect();
        assert!(kinds.contains(&true) && kinds.contains(&false), "{color}: {kinds:?}");
    }
}

/// `miran` walks the shortest way, and was drawn over it.
#[test]
fn ways_that_share_their_place_are_drawn_beside_each_other() {
    let scratch = Scratch::with_room("skeleton_lanes");
    let ask = ["skeleton", "room.nav", "--from", "1,1", "--to", "9,1", "-o", "ways.svg", "--json"];
    let json = scratch.run(&ask).succeeded().json();
    assert_eq!(json["ways"][0]["length"], json["ways"][3]["length"], "{json}");
    let svg = scratch.text("ways.svg");
    let [optimal, miran] = [OPTIMAL, MIRAN].map(|color| lines(&svg, color));
    // The first line of a colour is the way, the second its sample in the legend.
    assert_eq!((optimal.len(), miran.len()), (2, 2), "{svg}");
    assert_ne!(optimal[0], miran[0]);
}

#[test]
fn only_the_shortest_way_takes_links() {
    let scratch = Scratch::new("skeleton_links");
    scratch.write("room.wkt", "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (1 4, 20 4, 20 6, 1 6, 1 4))");
    let link = "[[link]]\nname = 'hatch'\nkind = 'lift'\nfrom = [15, 3]\nto = [15, 7]\n";
    scratch.write("room.links.toml", link);
    scratch.run(&["build", "room.wkt", "-o", "room.nav"]).succeeded();
    let ask = ["skeleton", "room.nav", "--from", "15,1", "--to", "15,9"];
    let text = scratch.run(&ask).succeeded().stdout;
    assert!(text.contains("m, by 1 link; the other planners take no links"), "{text}");
    let json = scratch.run(&[&ask[..], &["--json"]].concat()).succeeded().json();
    assert_eq!((&json["ways"][0]["links"], &json["ways"][1]["links"]), (&1.into(), &0.into()), "{json}");
}

#[test]
fn options_of_other_planners_are_refused() {
    let scratch = Scratch::with_room("planner_options");
    let path =
        |more: &[&str]| scratch.run(&[&["path", "room.nav", "--from", "1,1", "--to", "9,5"], more].concat());
    path(&["--clearance", "1"]).failed_with(&["--clearance: only --planner ecm uses it"]);
    path(&["--sigma", "1", "--planner", "ecm"]).failed_with(&["--sigma: only --planner miran", "is ecm"]);
    path(&["--cell-size", "1"]).failed_with(&["--cell-size: only --planner grid"]);
    path(&["--weight", "ground=2"]).failed_with(&["--weight: only --planner miran"]);
    path(&["--clearance", "1", "--planner", "ecm"]).succeeded();
    path(&["--sigma", "1", "--planner", "miran"]).succeeded();
}

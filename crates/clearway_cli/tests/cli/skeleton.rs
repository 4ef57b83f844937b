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
    skeleton(&["--from", "1,1", "--to", "5,3"]).failed_with(&["5,3"]);
    skeleton(&["--from", "1,1", "--to", "90,50"]).failed_with(&["90,50"]);
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

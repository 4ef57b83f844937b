//! `clearway crowd`: examples, runs, files, and bad scenarios.

use crate::scratch::Scratch;

/// A small room: twelve people leave it within seconds.
const SMALL: &str = "[world]
wkt = 'POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))'
[run]
dt = 0.1
limit = 60
[[exit]]
name = 'door'
rectangle = [[7.4, 2], [8, 3]]
[[source]]
name = 'room'
rectangle = [[0, 0], [5, 5]]
count = 12
goal = 'door'
";

#[test]
fn every_example_is_written_and_read_again() {
    let scratch = Scratch::new("crowd_examples");
    for name in ["room", "corridor", "station", "building"] {
        let ran = scratch.run(&["crowd", "--example", name]).succeeded();
        assert!(
            ran.stdout.contains(&format!("wrote {name}.toml")) && ran.stdout.contains("--report"),
            "{}",
            ran.stdout
        );
    }
    let expected = ["building.obj", "building.toml", "corridor.toml", "room.toml", "station.toml"];
    assert_eq!(scratch.names(), expected);
    // Nothing is written over.
    scratch.run(&["crowd", "--example", "room"]).failed_with(&["room.toml", "is there already"]);
    let ran = scratch.run(&["crowd", "--example", "building", "-o", "house.toml", "--json"]).succeeded();
    assert_eq!(ran.json()["files"][1], "house.obj");
    assert!(scratch.text("house.toml").contains("file = \"house.obj\""));
    let ran = scratch.run(&["crowd", "room.toml"]).succeeded();
    assert!(ran.stdout.contains("all 80 people arrived"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"outside\": 80 people from"), "{}", ran.stdout);
    assert!(ran.stdout.contains("deepest overlap of two people 0.0000 m"), "{}", ran.stdout);
}

#[test]
fn a_run_writes_every_kind_of_file() {
    let scratch = Scratch::new("crowd_files");
    scratch.write("small.toml", SMALL);
    let args = [
        "crowd",
        "small.toml",
        "-o",
        "run.cwt",
        "--report",
        "run.html",
        "--trajectories",
        "run.sqlite",
        "--trajectories",
        "run.txt",
        "--video",
        "run.gif",
        "--json",
    ];
    let json = scratch.run(&args).succeeded().json();
    assert_eq!(scratch.names(), ["run.cwt", "run.gif", "run.html", "run.sqlite", "run.txt", "small.toml"]);
    let run = &json["runs"][0];
    assert_eq!(
        (&run["verdict"], &run["arrived"], &run["exits"][0]["people"]),
        (&"arrived".into(), &12.into(), &12.into())
    );
    assert_eq!((&run["summary"]["arrived"], &run["summary"]["agents"]), (&12.into(), &12.into()));
    assert!(run["summary"]["measures"]["largest_overlap"].as_f64().unwrap() < 1e-4, "{run}");
    assert!(run["summary"]["measures"]["path_ratio"].as_f64().unwrap() >= 0.99, "{run}");
    assert!(scratch.text("run.html").contains("<html"));
    assert!(scratch.text("run.txt").lines().filter(|line| !line.starts_with('#')).count() > 100);
    assert!(scratch.read("run.sqlite").starts_with(b"SQLite format 3"));
    assert!(scratch.read("run.gif").starts_with(b"GIF89a"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let scratch = Scratch::new("crowd_threads");
    scratch.write("small.toml", SMALL);
    for threads in ["1", "2"] {
        let file = format!("{threads}.cwt");
        scratch.run(&["crowd", "small.toml", "--threads", threads, "-o", &file]).succeeded();
    }
    assert_eq!(scratch.read("1.cwt"), scratch.read("2.cwt"));
}

#[test]
fn several_runs_have_seeds_of_their_own() {
    let scratch = Scratch::new("crowd_runs");
    scratch.write("small.toml", SMALL);
    let args = ["crowd", "small.toml", "--runs", "3", "--seed", "7", "--trajectories", "t.txt", "--json"];
    let json = scratch.run(&args).succeeded().json();
    let seeds: Vec<u64> =
        json["runs"].as_array().unwrap().iter().map(|run| run["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [7, 8, 9]);
    assert!(json["ensemble"]["numbers"].is_array());
    assert_eq!(scratch.names(), ["small.toml", "t-1.txt", "t-2.txt", "t-3.txt"]);
    assert_ne!(scratch.read("t-1.txt"), scratch.read("t-2.txt"));
    let told = scratch.run(&["crowd", "small.toml", "--runs", "2"]).succeeded().stdout;
    assert!(
        told.contains("run 2 (seed 2): all 12 people") && told.contains("last arrival over 2 runs"),
        "{told}"
    );
}

/// Radii differ from run to run: in some, people at fixed points overlap.
#[test]
fn a_run_that_fails_does_not_discard_the_others() {
    let scratch = Scratch::new("crowd_failing_run");
    let source = "rectangle = [[0, 0], [5, 5]]\ncount = 12";
    let profile = "[[profile]]\nname = 'p'\nradius = { law = 'uniform', min = 0.15, max = 0.25 }\n";
    let text = SMALL.replace(source, "points = [[1, 1], [1.42, 1], [1.84, 1]]") + profile;
    scratch.write("points.toml", &text);
    let ran = scratch.run(&["crowd", "points.toml", "--runs", "12", "--report", "r.html", "--json"]);
    let json = ran.json();
    let [done, failed] = ["runs", "failed"].map(|key| json[key].as_array().unwrap().clone());
    assert!(done.len() > 1 && !failed.is_empty() && done.len() + failed.len() == 12, "{json}");
    let message = failed[0].as_str().unwrap();
    assert!(message.starts_with("run ") && message.contains("(seed "), "{message}");
    assert!(message.contains("points.toml:") && message.contains("overlaps somebody else"), "{message}");
    assert!(scratch.names().contains(&"r.html".to_string()));
}

/// Half of the people found no room, and the answer was that all arrived, with exit code 0.
#[test]
fn who_finds_no_room_gives_exit_status_one() {
    let scratch = Scratch::new("crowd_full");
    scratch.write("full.toml", SMALL.replace("count = 12", "count = 2000"));
    let ran = scratch.run(&["crowd", "full.toml"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("of 2000 people found room") && !ran.stdout.contains("people arrived"),
        "{}",
        ran.stdout
    );
}

#[test]
fn who_does_not_arrive_in_time_gives_exit_status_one() {
    let scratch = Scratch::new("crowd_late");
    scratch.write("small.toml", SMALL);
    let ran = scratch.run(&["crowd", "small.toml", "--limit", "2"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("time is up") && ran.stdout.contains("of 12 people arrived within 2 s"),
        "{}",
        ran.stdout
    );
    scratch.write("shut.toml", SMALL.replace("name = 'door'", "name = 'door'\nclosed = [[0, inf]]"));
    let ran = scratch.run(&["crowd", "shut.toml", "--json"]);
    assert_eq!((ran.code, &ran.json()["runs"][0]["verdict"]), (1, &"lost".into()));
}

#[test]
fn another_mesh_may_take_the_place_of_the_world() {
    let scratch = Scratch::new("crowd_mesh");
    scratch.write("room.wkt", "POLYGON ((0 0, 8 0, 8 9, 0 9, 0 0))");
    scratch.run(&["build", "room.wkt", "-o", "room.nav"]).succeeded();
    scratch.write("small.toml", SMALL);
    for world in ["room.nav", "room.wkt"] {
        let json = scratch.run(&["crowd", world, "small.toml", "--json"]).succeeded().json();
        assert_eq!(json["runs"][0]["arrived"], 12);
    }
    scratch.write(
        "door.toml",
        format!("{SMALL}[[door]]\nname = 'gate'\nline = [[6, 0], [6, 5]]\nclosed = [[0, 3]]\n"),
    );
    for world in ["room.wkt", "room.nav"] {
        let json = scratch.run(&["crowd", world, "door.toml", "--json"]).succeeded().json();
        assert!(json["runs"][0]["exits"][0]["first"].as_f64().unwrap() > 3.0, "{world}: the door is closed");
    }
}

#[test]
fn a_wrong_model_gets_the_nearest_name() {
    let scratch = Scratch::new("crowd_model");
    scratch.write("small.toml", SMALL);
    scratch
        .run(&["crowd", "small.toml", "--model", "headwy"])
        .failed_with(&["--model headwy: model `headwy` is not known; did you mean `headway`?"]);
    scratch.run(&["verify", "--model", "orcas", "--list"]).failed_with(&["did you mean `orca`?"]);
}

#[test]
fn doors_and_profiles_stand_in_the_answer_and_on_the_page() {
    let scratch = Scratch::new("crowd_gates");
    let people = "profiles = { quick = 1, slow = 1 }\n[[profile]]\nname = 'quick'\nspeed = 1.5\n\
                  [[profile]]\nname = 'slow'\nspeed = 0.8\npremovement = 4\n";
    let door = "[[door]]\nname = 'gate'\nline = [[6, 0], [6, 5]]\nclosed = [[0, 6]]\n";
    scratch.write("gate.toml", format!("{SMALL}{people}{door}"));
    let ran =
        scratch.run(&["crowd", "gate.toml", "--report", "gate.html", "--video", "gate.gif"]).succeeded();
    assert!(ran.stdout.contains("  profile \"quick\": "), "{}", ran.stdout);
    let page = scratch.text("gate.html");
    assert!(page.contains(r#""gates":[{"closed":[[0.0,6.0]],"line":[6.0,0.0,6.0,5.0],"name":"gate""#));
    let run = &scratch.run(&["crowd", "gate.toml", "--json"]).succeeded().json()["runs"][0];
    let profiles = run["summary"]["profiles"].as_array().unwrap();
    let mean = |name: &str| {
        let found = profiles.iter().find(|profile| profile["name"] == name).unwrap();
        found["mean_arrival"].as_f64().unwrap()
    };
    assert!(profiles.len() == 2 && mean("slow") > mean("quick"), "{profiles:?}");
    // A door that opens is no wall of the page: nobody walks through one.
    assert_eq!(run["summary"]["measures"]["bodies_in_walls"], 0);
}

#[test]
fn bad_scenarios_name_the_line_and_write_nothing() {
    let scratch = Scratch::new("crowd_bad");
    let refused = |old: &str, new: &str, parts: &[&str]| {
        assert!(SMALL.contains(old), "{old}");
        scratch.write("bad.toml", SMALL.replace(old, new));
        scratch.run(&["crowd", "bad.toml", "--report", "bad.html"]).failed_with(parts);
        assert_eq!(scratch.names(), ["bad.toml"]);
    };
    refused(
        "goal = 'door'",
        "goal = 'dor'",
        &["bad.toml:13: source \"room\": goal: exit or area `dor`", "did you mean `door`?"],
    );
    refused("count = 12", "count = 0", &["bad.toml:12", "count 0"]);
    refused("count = 12", "count = 5000000", &["bad.toml:12", "1000000"]);
    refused("dt = 0.1", "dt = 10", &["bad.toml:4: run: dt 10 must lie between 0.001 and 1 s"]);
    refused(
        "[[7.4, 2], [8, 3]]",
        "[[17, 2], [18, 3]]",
        &["bad.toml:6: exit \"door\": no ground of the world lies in it"],
    );
    refused("[[0, 0], [5, 5]]", "[[-9, 0], [-5, 5]]", &["bad.toml:9: source \"room\": nobody fits"]);
    refused("POLYGON", "POLYGONE", &["bad.toml:2: world: wkt:"]);
    refused("[run]", "[runs]", &["bad.toml:3: table `runs` is not known; did you mean `run`?"]);
    scratch.write("bad.toml", SMALL);
    scratch.run(&["crowd", "bad.toml", "--model", "nobody"]).failed_with(&["--model nobody", "headway"]);
    scratch.run(&["crowd", "bad.toml", "--report", "bad.pdf"]).failed_with(&["bad.pdf", ".html"]);
    scratch.run(&["crowd", "bad.toml", "--trajectories", "bad.csv"]).failed_with(&["bad.csv", ".sqlite"]);
    scratch.run(&["crowd", "bad.toml", "--limit", "-1"]).failed_with(&["limit"]);
    scratch.run(&["crowd"]).failed_with(&["SCENARIO"]);
    scratch.run(&["crowd", "missing.toml"]).failed_with(&["missing.toml"]);
    scratch.run(&["crowd", "missing.docx"]).failed_with(&["missing.docx", ".toml, .zip"]);
    assert_eq!(scratch.names(), ["bad.toml"]);
}

/// The walls of a ramp have other heights than those of the floor beside it, so that they close to no rings.
#[test]
fn the_floor_of_a_scene_with_a_ramp_is_recorded() {
    let scratch = Scratch::new("crowd_ramp");
    let ramp = "v 0 0 0\nv 8 0 0\nv 8 0 6\nv 0 0 6\nv 14 2 0\nv 14 2 6\nv 20 2 0\nv 20 2 6\n\
                f 1 4 3 2\nf 2 3 6 5\nf 5 6 8 7\n";
    scratch.write("ramp.obj", ramp);
    let scenario = "[world]\nfile = 'ramp.obj'\n[run]\nlimit = 60\n\
                    [[exit]]\nname = 'top'\nrectangle = [[18, -6], [20, 0]]\nheight = 2\n\
                    [[source]]\nrectangle = [[0, -6], [6, 0]]\nheight = 0\ncount = 5\ngoal = 'top'\n";
    scratch.write("ramp.toml", scenario);
    let ran = scratch.run(&["crowd", "ramp.toml", "--trajectories", "ramp.txt", "--report", "ramp.html"]);
    assert!(ran.succeeded().stdout.contains("all 5 people arrived"));
    let text = scratch.text("ramp.txt");
    let geometry = text.lines().find(|line| line.contains("POLYGON")).unwrap();
    let rings = geometry.split("((").skip(1).map(|ring| ring.split("))").next().unwrap());
    let area = |ring: &str| {
        let point =
            |pair: &str| pair.split_whitespace().map(|c| c.parse::<f64>().unwrap()).collect::<Vec<_>>();
        let points: Vec<Vec<f64>> = ring.split(',').map(point).collect();
        points.windows(2).map(|ends| ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0]).sum::<f64>() / 2.0
    };
    let sum: f64 = rings.map(area).map(f64::abs).sum();
    assert!((sum - 120.0).abs() < 0.1, "{sum} m² of 120: {geometry}");
}

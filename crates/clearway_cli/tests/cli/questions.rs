//! Questions about a whole mesh: narrow places, distances to exits, tables of queries in scenes, and advice on snapping.

use crate::scenes::built;
use crate::scratch::Scratch;
use serde_json::Value;

/// Two rooms of 4 m by 4 m with a door of 0.8 m in a wall of 0.2 m.
const DOOR: &str =
    "POLYGON((0 0, 4 0, 4 1.5, 4.2 1.5, 4.2 0, 9 0, 9 4, 4.2 4, 4.2 2.3, 4 2.3, 4 4, 0 4, 0 0))";

#[track_caller]
fn is_at(found: &Value, [x, y]: [f64; 2]) {
    let off = |place: usize, wanted: f64| (found[place].as_f64().unwrap_or(f64::NAN) - wanted).abs();
    assert!(off(0, x) < 1e-3 && off(1, y) < 1e-3, "{found}");
}

fn with_door(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    scratch.write("door.wkt", DOOR);
    scratch.run(&["build", "door.wkt", "-o", "door.nav"]).succeeded();
    scratch
}

#[test]
fn narrow_places_are_listed_once() {
    let scratch = with_door("narrow_list");
    let json = scratch.run(&["info", "door.nav", "--narrow", "1", "--json"]).succeeded().json();
    let places = json["narrow"].as_array().unwrap();
    assert_eq!(places.len(), 1, "{json}");
    assert!((places[0]["width"].as_f64().unwrap() - 0.8).abs() < 1e-3);
    assert_eq!(places[0]["passage"], "through");
    assert_eq!(places[0]["walls"].as_array().unwrap().len(), 2);
    let text = scratch.run(&["info", "door.nav", "--narrow", "1"]).succeeded().stdout;
    assert!(text.contains("places narrower than 1 m: 1") && text.contains("0.8"), "{text}");
    let none = scratch.run(&["info", "door.nav", "--narrow", "0.6"]).succeeded().stdout;
    assert!(none.contains("no place is narrower than 0.6 m"), "{none}");
    let plain = scratch.run(&["info", "door.nav", "--json"]).succeeded().json();
    assert!(plain.get("narrow").is_none());
    scratch.run(&["info", "door.nav", "--narrow", "0"]).failed_with(&["--narrow"]);
}

#[test]
fn a_path_tells_the_doors_on_its_way() {
    let scratch = with_door("narrow_way");
    let ask = ["path", "door.nav", "--from", "1,1", "--to", "8,3", "--narrow", "1", "--json"];
    let json = scratch.run(&ask).succeeded().json();
    let narrow = json["narrow"].as_array().unwrap();
    assert_eq!(narrow.len(), 1, "{json}");
    assert!((3.0..3.6).contains(&narrow[0]["along"].as_f64().unwrap()), "{json}");
    let near = ["path", "door.nav", "--from", "1,1", "--to", "3,3", "--narrow", "1"];
    assert!(scratch.run(&near).succeeded().stdout.contains("no place on the way is narrower than 1 m"));
}

#[test]
fn distances_are_those_of_paths() {
    let scratch = with_door("distances");
    let json = scratch.run(&["distances", "door.nav", "--to", "0,2", "--json"]).succeeded().json();
    let far = json["farthest"]["distance"].as_f64().unwrap();
    let at = &json["farthest"]["at"];
    let from = format!("{},{}", at[0], at[1]);
    let path =
        scratch.run(&["path", "door.nav", "--from", &from, "--to", "0,2", "--json"]).succeeded().json();
    assert!((path["length"].as_f64().unwrap() - far).abs() < 1e-6, "{json}");
    assert!((far - json["all"]["max"].as_f64().unwrap()).abs() < 1e-9);
    let area = |name: &str| json["all"][name].as_f64().unwrap();
    assert!((area("area") - area("reached")).abs() < 1e-6 && area("cut_off") == 0.0);
    assert!(area("mean") < area("p90") && area("p90") <= area("p95") && area("p95") <= area("max"));
    // The whole door as an exit is nearer than its middle, and everything in it is at the exit.
    let line =
        scratch.run(&["distances", "door.nav", "--to", "4.1,1.5:4.1,2.3", "--json"]).succeeded().json();
    assert!(line["all"]["max"].as_f64().unwrap() < far);
    let room =
        scratch.run(&["distances", "door.nav", "--to", "0,0:4,0:4,4:0,4", "--json"]).succeeded().json();
    assert!(room["all"]["max"].as_f64().unwrap() < 6.0, "{room}");
}

#[test]
fn distances_of_a_body_leave_out_what_is_too_close() {
    let scratch = with_door("distances_body");
    let ask = |radius: &str| {
        scratch
            .run(&["distances", "door.nav", "--to", "1,2", "--radius", radius, "--json"])
            .succeeded()
            .json()
    };
    let (thin, wide) = (ask("0.3"), ask("0.5"));
    assert!(thin["all"]["no_room"].as_f64().unwrap() > 0.0);
    assert_eq!(thin["all"]["cut_off"].as_f64().unwrap(), 0.0, "{thin}");
    // A body of 1 m does not fit through the door: the second room is cut off.
    assert!(wide["all"]["cut_off"].as_f64().unwrap() > 10.0, "{wide}");
}

#[test]
fn exits_off_the_mesh_are_told() {
    let scratch = with_door("distances_off");
    let off = scratch.run(&["distances", "door.nav", "--to", "20,20"]);
    assert_eq!(off.code, 1);
    assert!(off.stdout.contains("is not on the mesh; the nearest place is 9,4"), "{}", off.stdout);
    let json = scratch.run(&["distances", "door.nav", "--to", "20,20", "--json"]).json();
    assert_eq!(json["reason"], "off_mesh");
    scratch.run(&["distances", "door.nav", "--to", "exit"]).failed_with(&["exit", "no area class"]);
    scratch.run(&["distances", "door.nav", "--to", "1,2,3"]).failed_with(&["three coordinates"]);
    scratch.run(&["distances", "door.nav", "--to", "1,2", "--spacing", "0.0001"]).failed_with(&["too fine"]);
    scratch.run(&["distances", "door.nav"]).failed_with(&["--to"]);
}

#[test]
fn a_heat_map_is_drawn() {
    let scratch = with_door("distances_map");
    scratch.run(&["distances", "door.nav", "--to", "0,2", "-o", "far.svg"]).succeeded();
    let svg = scratch.text("far.svg");
    assert!(svg.contains("#fdf7cf") && !svg.contains("NaN"), "bands of colour");
    scratch.run(&["distances", "door.nav", "--to", "0,2", "-o", "far.txt"]).failed_with(&[".svg or .png"]);
}

#[test]
fn tables_of_queries_are_answered_in_scenes() {
    let scratch = built("scene_queries");
    scratch.write("table.tsv", "sx sy sz gx gy gz\n1 0 1 19 3 5\n1 50 1 19 3 5\n");
    let ran = scratch.run(&["path", "level.nav", "--queries", "table.tsv", "--json"]);
    let answers: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(answers[0]["length"].as_f64().unwrap() > 15.0, "{answers}");
    assert_eq!(answers[1]["reason"], "off_mesh");
    scratch.write("flat.tsv", "sx sy gx gy\n1 1 2 2\n");
    scratch.run(&["path", "level.nav", "--queries", "flat.tsv"]).failed_with(&["flat.tsv", "sz and gz"]);
    let plan = with_door("plan_queries");
    plan.write("table.tsv", "sx sy sz gx gy gz\n1 0 1 19 3 5\n");
    plan.run(&["path", "door.nav", "--queries", "table.tsv"]).failed_with(&["table.tsv", "plan"]);
}

#[test]
fn snapping_tells_what_it_would_take() {
    let scratch = with_door("snap_advice");
    let close = ["path", "door.nav", "--from", "0.1,2", "--to", "8,2", "--radius", "0.3"];
    let told = scratch.run(&close);
    assert_eq!(told.code, 1);
    let advice = "the nearest place with room for 0.3 m is 0.2 m away from the start, at 0.3,2; --snap 0.2";
    assert!(told.stdout.contains(advice), "{}", told.stdout);
    let off = ["path", "door.nav", "--from", "-3,2", "--to", "8,2", "--radius", "0.3", "--snap", "3.1"];
    let told = scratch.run(&off);
    assert_eq!(told.code, 1, "{}", told.stdout);
    assert!(told.stdout.contains("3.3 m away from the start, at 0.3,2; --snap 3.3"), "{}", told.stdout);
    let enough = [&off[..9], &["3.31", "--json"]].concat();
    is_at(&scratch.run(&enough).succeeded().json()["start"], [0.3, 2.0]);
}

/// The closet is nearer to the start, but the body does not fit into it.
#[test]
fn snapping_never_moves_an_end_to_where_the_body_does_not_fit() {
    let scratch = Scratch::new("snap_fits");
    scratch.write("rooms.wkt", "MULTIPOLYGON (((0 0, 6 0, 6 6, 0 6, 0 0)), ((7 2, 7.4 2, 7.4 4, 7 4, 7 2)))");
    scratch.run(&["build", "rooms.wkt", "-o", "rooms.nav"]).succeeded();
    let ask =
        ["path", "rooms.nav", "--from", "7.2,3", "--to", "1,1", "--radius", "0.4", "--snap", "3", "--json"];
    let json = scratch.run(&ask).succeeded().json();
    is_at(&json["start"], [5.6, 3.0]);
}

#[test]
fn exports_for_engines_are_written() {
    let scratch = with_door("engines");
    scratch.run(&["export", "door.nav", "door.glb"]).succeeded();
    assert_eq!(&scratch.read("door.glb")[..4], b"glTF");
    let cells = |args: &[&str]| scratch.run(args).succeeded().json()["cells"].as_u64().unwrap();
    assert!(cells(&["export", "door.nav", "door.tres", "--radius", "0.3", "--json"]) >= 3);
    assert!(scratch.text("door.tres").contains("agent_radius = 0.3"));
    assert!(cells(&["export", "door.nav", "door.bin", "--radius", "0.3", "--json"]) >= 3);
    assert_eq!(&scratch.read("door.bin")[..4], b"TESM");
    // A body of 1 m does not fit through the door: two pieces are left.
    cells(&["export", "door.nav", "wide.bin", "--radius", "0.5", "--json"]);
    scratch.run(&["export", "door.nav", "x.bin", "--radius", "3"]).failed_with(&["door.nav"]);
    // Shrunk meshes keep their ground, so every format takes a radius.
    assert!(cells(&["export", "door.nav", "x.glb", "--radius", "0.3", "--json"]) >= 3);
}

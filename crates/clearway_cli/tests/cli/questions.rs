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
    let count = |range: &str| {
        let json = scratch.run(&["info", "door.nav", "--narrow", range, "--json"]).succeeded().json();
        json["narrow"].as_array().unwrap().len()
    };
    assert_eq!((count("0.7:1"), count("0.9:1")), (1, 0));
    let text = scratch.run(&["info", "door.nav", "--narrow", "0.7:1"]).succeeded().stdout;
    assert!(text.contains("places 0.7 m to 1 m wide: 1"), "{text}");
    scratch.run(&["info", "door.nav", "--narrow", "1:0.7"]).failed_with(&["--narrow", "0.6:1"]);
}

/// Sixty cracks and a door: the list of fifty showed nothing but cracks.
#[test]
fn doors_stand_before_cracks() {
    let scratch = Scratch::new("narrow_cracks");
    let mut outline = String::from("0 0");
    for crack in 0..60 {
        let x = 1.0 + f64::from(crack);
        outline += &format!(", {x} 0, {x} -0.4, {:.2} -0.4, {:.2} 0", x + 0.05, x + 0.05);
    }
    outline += ", 66 0, 66 1.5, 66.2 1.5, 66.2 0, 70 0, 70 4, 66.2 4, 66.2 2.3, 66 2.3, 66 4, 0 4, 0 0";
    scratch.write("hall.wkt", format!("POLYGON (({outline}))"));
    scratch.run(&["build", "hall.wkt", "-o", "hall.nav"]).succeeded();
    let text = scratch.run(&["info", "hall.nav", "--narrow", "1"]).succeeded().stdout;
    let list = &text[text.find("places narrower").unwrap()..];
    assert!(list.starts_with("places narrower than 1 m: 61\n"), "{text}");
    let rows: Vec<Vec<&str>> = list.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((&rows[0][..2], &rows[1][..2]), (&["places", "60"][..], &["places", "1"][..]), "{list}");
    assert_eq!(rows[2][..2], ["narrow", "0.8"], "{list}");
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
    // The sum of nothing was told as -0.0.
    assert_eq!(thin["all"]["cut_off"].to_string(), "0.0", "{thin}");
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
    // Ground that is cut off and ground without room have two colours, which the legend shows once more.
    let body = ["distances", "door.nav", "--to", "1,2", "--radius", "0.5", "-o", "body.svg"];
    scratch.run(&body).succeeded();
    let body = scratch.text("body.svg");
    for color in ["#7fb0d6", "#a3abb8"] {
        assert!(!svg.contains(color), "{color}");
        assert!(body.contains(&format!("<path fill=\"{color}\"")), "{color}: on the ground");
        assert!(body.contains(&format!("fill=\"{color}\"/>")), "{color}: in the legend");
    }
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

/// A link whose end lies in a closet was taken in silence, and the answer was only that no way connects both ends.
#[test]
fn links_that_lead_nowhere_are_named() {
    let scratch = Scratch::new("dead_end_link");
    scratch.write(
        "rooms.wkt",
        "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((5 0, 6 0, 6 1, 5 1, 5 0)), ((8 0, 12 0, 12 4, 8 4, 8 0)))",
    );
    let links = |to: &str| {
        format!("[[link]]\nname = 'bridge'\nkind = 'jump'\nfrom = [3, 0.5]\nto = [{to}]\nboth_ways = true\n")
    };
    let ask = ["path", "rooms.nav", "--from", "1,1", "--to", "9,1"];
    scratch.write("rooms.links.toml", links("8.5, 0.5"));
    scratch.run(&["build", "rooms.wkt", "-o", "rooms.nav"]).succeeded();
    scratch.run(&ask).succeeded();
    scratch.write("rooms.links.toml", links("5.5, 0.5"));
    scratch.run(&["build", "rooms.wkt", "-o", "rooms.nav"]).succeeded();
    let ran = scratch.run(&ask);
    let told = "the link \"bridge\" leads only to a piece of 1 m\u{b2} without a way on";
    assert!(ran.code == 1 && ran.stdout.contains(told), "{}", ran.stdout);
    let walked = scratch.run(&[&ask[..], &["--links", "none"]].concat());
    assert!(walked.code == 1 && !walked.stdout.contains("bridge"), "{}", walked.stdout);
}

/// 1e300 was told with three hundred digits, and a name of 5,000 bytes in full.
#[test]
fn messages_stay_short() {
    let scratch = with_door("short_messages");
    let name = "a".repeat(5000);
    scratch.write("far.toml", "[[edit]]\nlink = 'b'\nfrom = [1, 1]\nto = [1e300, 2]\n");
    scratch.write("long.toml", format!("[[edit]]\nlink = '{name}'\nfrom = [1, 1]\nto = [8, 2]\n"));
    scratch.write("gone.toml", format!("[[edit]]\nunlink = '{name}'\n"));
    scratch.write("long.links.toml", format!("[[link]]\nname = '{name}'\nkind = 'x'\nfrom = [1, 1]\n"));
    let ends = ["--from", "1,1", "--to", "8,2"];
    let path = |more: &[&'static str]| scratch.run(&[&["path", "door.nav"], &ends[..], more].concat());
    for ran in [
        scratch.run(&["path", "door.nav", "--from", "1e300,1", "--to", "8,2"]),
        scratch.run(&["distances", "door.nav", "--to", "1e300,1"]),
        scratch.run(&["build", "door.wkt", "--grid", "1e300"]),
        scratch.run(&["edit", "door.nav", "far.toml"]),
        scratch.run(&["edit", "door.nav", "long.toml"]),
        scratch.run(&["edit", "door.nav", "gone.toml"]),
        scratch.run(&["build", "door.wkt", "--links", "long.links.toml"]),
        scratch.run(&[&["path", "door.nav"], &ends[..], &["--links", &name]].concat()),
        path(&["--radius", "1e300"]),
        path(&["--snap", "1e300", "--radius", "3"]),
    ] {
        let told = ran.stderr + &ran.stdout;
        assert!(ran.code != 0 && told.len() < 400, "{told}");
    }
}

/// Two coordinates were taken as x and -z, and the shape then touched no ground.
#[test]
fn edits_of_scenes_need_heights() {
    let scratch = built("edit_heights");
    let edit = |step: &str| {
        scratch.write("edits.toml", format!("[[edit]]\n{step}\n"));
        scratch.run(&["edit", "level.nav", "edits.toml", "--check"])
    };
    for step in [
        "add = 'a'\ndisc = { centre = [2, 4.5], radius = 0.3 }",
        "door = 'a'\nsegment = [[0, 3], [3, 3]]",
        "link = 'a'\nfrom = [1, 0, 1]\nto = [19, 5]",
    ] {
        edit(step).failed_with(&["edits.toml: line 1: ", "in a scene points are [x, y, z]", "`height`"]);
    }
    edit("add = 'a'\ndisc = { centre = [2, 0, 4.5], radius = 0.3 }").succeeded();
    edit("add = 'a'\nheight = 0\ndisc = { centre = [2, -4.5], radius = 0.3 }").succeeded();
}

#[test]
fn folders_of_tiles_are_explained() {
    let scratch = built("tiles_explained");
    scratch.run(&["tile", "level.nav", "--size", "8", "-o", "tiles"]).succeeded();
    for command in ["check", "info", "draw"] {
        for name in ["tiles", "tiles/tiles.json"] {
            scratch.run(&[command, name]).failed_with(&["a world in tiles", "tile tiles"]);
        }
    }
    scratch
        .run(&["tile", "level.nav", "-o", "level.nav"])
        .failed_with(&["level.nav: is a file; name a folder"]);
    let walk =
        |ends: &str, more: &[&str]| scratch.run(&[&["tile", "tiles", "--walk", ends][..], more].concat());
    walk("1,1:19,5", &[]).failed_with(&["1,1 has two coordinates", "X,Y,Z"]);
    let off = walk("1,0,50:19,3,5", &[]);
    let told = "no path: the start 1,0,50 is not on the mesh";
    assert!(off.code == 1 && off.stdout.starts_with(told), "{}", off.stdout);
    let off = walk("1,0,1:90,3,5", &[]);
    let told = "no path: the goal 90,3,5 is not on the mesh";
    assert!(off.code == 1 && off.stdout.starts_with(told), "{}", off.stdout);
    walk("1,0,1:19,3,5", &[]).succeeded();
    scratch.write("u.wkt", "POLYGON ((0 0, 40 0, 40 30, 30 30, 30 10, 10 10, 10 30, 0 30, 0 0))");
    scratch.run(&["tile", "u.wkt", "--size", "5", "-o", "u"]).succeeded();
    let stuck = scratch.run(&["tile", "u", "--walk", "5,28:35,28", "--around", "4", "--step", "2"]);
    assert!(stuck.code == 1 && stuck.stdout.contains("try more than --around 4"), "{}", stuck.stdout);
    let ask = ["path", "u", "--from", "1,1,1", "--to", "2,2,2"];
    scratch.run(&ask).failed_with(&["three coordinates"]);
}

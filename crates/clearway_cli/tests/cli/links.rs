//! Links: read from files, found in scenes, told, drawn and used.

use crate::scratch::{ROOM, Ran, Scratch};
use serde_json::{Value, json};

/// A ladder up one platform, with its foot a little off its place, and a way to the closet of a room.
const LADDER: &str = "[[link]]\nname = 'ladder A'\nkind = 'ladder'\nfrom = [6, 0.2, 13]\nto = [6, 1.9, 11]\n";
const HATCH: &str = "[[link]]\nname = 'hatch'\nkind = 'zip line'\nfrom = [9, 1]\nto = [13, 1]\ncost = 3\n";

/// A yard of 20 m with two platforms of 4 m, 1.9 m high and 1.5 m apart.
fn yard(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let mut text = "o yard\nv 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n".to_string();
    for (number, [left, right]) in [[4.0, 8.0], [9.5, 13.5]].into_iter().enumerate() {
        text += "o platform\n";
        for height in [0.0, 1.9] {
            for [x, z] in [[left, 8.0], [left, 12.0], [right, 12.0], [right, 8.0]] {
                text += &format!("v {x} {height} {z}\n");
            }
        }
        let first = 5 + 8 * number;
        for side in [[4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]] {
            text += &format!("f {}\n", side.map(|corner| (first + corner).to_string()).join(" "));
        }
    }
    scratch.write("yard.obj", text);
    scratch
}

/// The yard with its ladder, as a mesh.
fn climbed(test: &str) -> Scratch {
    let scratch = yard(test);
    scratch.write("yard.links.toml", LADDER);
    scratch.run(&["build", "yard.obj", "-o", "yard.nav"]).succeeded();
    scratch
}

fn build(scratch: &Scratch, more: &[&str]) -> Ran {
    scratch.run(&[&["build", "yard.obj", "-o", "yard.nav"][..], more].concat())
}

#[track_caller]
fn built(scratch: &Scratch, more: &[&str]) -> Value {
    let json = build(scratch, &[more, &["--json"]].concat()).succeeded().json();
    assert_eq!(scratch.run(&["check", "yard.nav"]).succeeded().stdout, "0 flaws\n");
    json["links"].clone()
}

fn path(scratch: &Scratch, from: &str, to: &str, more: &[&str]) -> Ran {
    scratch.run(&[&["path", "yard.nav", "--from", from, "--to", to][..], more].concat())
}

const GROUND: &str = "2,0,2";
const LEFT: &str = "6,1.9,10";
const RIGHT: &str = "12,1.9,10";

#[test]
fn links_and_area_classes_are_exported() {
    let scratch = yard("links_exported");
    scratch.write("yard.links.toml", LADDER);
    build(&scratch, &["--area", "wooden deck=platform"]).succeeded();
    for name in ["yard.geojson", "ground.obj"] {
        scratch.run(&["export", "yard.nav", name]).succeeded();
    }
    scratch.run(&["export", "yard.nav", "cells.obj", "--cells"]).succeeded();
    let json: Value = serde_json::from_str(&scratch.text("yard.geojson")).unwrap();
    let features = json["features"].as_array().unwrap();
    let (cells, links): (Vec<&Value>, Vec<&Value>) =
        features.iter().partition(|feature| feature["geometry"]["type"] == "Polygon");
    for cell in &cells {
        let is_deck = cell["properties"]["height"].as_f64() > Some(1.0);
        assert_eq!(cell["properties"]["area_class"], if is_deck { "wooden deck" } else { "ground" });
    }
    let [link] = &links[..] else { panic!("{links:?}") };
    let told = &link["properties"];
    assert_eq!((&told["name"], &told["kind"]), (&json!("ladder A"), &json!("ladder")));
    assert_eq!((&told["both_ways"], &told["max_radius"]), (&json!(true), &Value::Null));
    assert!(told["cost"].as_f64() > Some(2.0), "{link}");
    let line = &link["geometry"]["coordinates"];
    assert_eq!((&line[0][0], &line[0][1]), (&json!(6.0), &json!(-13.0)));
    assert!((line[1][2].as_f64().unwrap() - 1.9).abs() < 1e-2, "{line}");
    for name in ["ground.obj", "cells.obj"] {
        let text = scratch.text(name);
        for part in [
            "usemtl ground\n",
            "usemtl wooden_deck\n",
            "# ladder ladder A: ",
            "g link_0_ladder\n",
            "l -2 -1\n",
        ] {
            assert!(text.contains(part), "{name} lacks {part:?}: {text}");
        }
        scratch.run(&["build", name]).succeeded();
    }
}

#[test]
fn kinds_that_mean_something_else_are_refused() {
    let scratch = yard("reserved_kinds");
    for kind in ["all", "none"] {
        scratch.write("yard.links.toml", LADDER.replace("'ladder'", &format!("'{kind}'")));
        build(&scratch, &[]).failed_with(&[
            "yard.links.toml",
            "line 3",
            "kind",
            &format!("{kind} is no kind"),
        ]);
    }
    scratch.write("yard.links.toml", LADDER.replace("'ladder'", "'rope, long'"));
    build(&scratch, &[]).failed_with(&["yard.links.toml", "line 3", "rope, long has a comma"]);
}

#[test]
fn links_beside_a_scene_are_taken() {
    let scratch = yard("links_beside");
    assert_eq!(built(&scratch, &[])["taken"], json!([]), "there is no file yet");
    scratch.write("yard.links.toml", LADDER);
    let links = built(&scratch, &[]);
    assert_eq!((&links["file"], &links["snap"]), (&json!("yard.links.toml"), &json!(0.5)));
    assert_eq!(
        (&links["taken"], &links["generated"]),
        (&json!([{"kind": "ladder", "count": 1}]), &json!([]))
    );
    assert!((links["moved"].as_f64().unwrap() - 0.2).abs() < 1e-9, "{links}");
    let text = build(&scratch, &[]).succeeded().stdout;
    assert!(text.contains("read from yard.links.toml: 1 ladder; ends moved by up to 0.2 m"), "{text}");
    assert_eq!(built(&scratch, &["--no-links"])["file"], Value::Null);
}

/// What seeds reach by links stays, and what only links the other way lead from does not.
#[test]
fn seeds_follow_links() {
    let scratch = Scratch::new("links_seeds");
    scratch.write(
        "two.obj",
        "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nv 0 3 0\nv 0 3 6\nv 6 3 6\nv 6 3 0\nf 1 2 3 4\nf 5 6 7 8\n",
    );
    let link = |from: f64, to: f64, both: bool| {
        format!(
            "[[link]]\nname = \"a\"\nkind = \"lift\"\nboth_ways = {both}\nfrom = [3, {from}, 3]\nto = [3, {to}, 3]\n"
        )
    };
    let build = ["build", "two.obj", "--seed", "1,0,1", "-o", "two.nav", "--json"];
    for (text, is_kept) in [(link(0.0, 3.0, false), true), (link(3.0, 0.0, true), true)] {
        scratch.write("two.links.toml", &text);
        let answer = scratch.run(&build).succeeded().json();
        assert_eq!(answer["surface"]["component_count"], json!(if is_kept { 2 } else { 1 }), "{text}");
    }
    scratch.write("two.links.toml", link(3.0, 0.0, false));
    scratch.run(&build).failed_with(&["from", "is not on the mesh"]);
}

#[test]
fn files_of_links_are_named() {
    let scratch = yard("links_file");
    build(&scratch, &["--links", "gone.toml"]).failed_with(&["gone.toml", "cannot be read"]);
    build(&scratch, &["--links", "."]).failed_with(&[".: is a directory, not a file of links"]);
    scratch.write("yard.links.toml", "[[link");
    scratch.write("mine.toml", LADDER);
    let links = built(&scratch, &["--links", "mine.toml"]);
    assert_eq!((&links["file"], &links["taken"][0]["count"]), (&json!("mine.toml"), &json!(1)));
    build(&scratch, &[]).failed_with(&["yard.links.toml: line 1"]);
    scratch.run(&["draw", "yard.obj"]).failed_with(&["yard.links.toml: line 1"]);
    built(&scratch, &["--no-links"]);
}

#[test]
fn bad_links_are_named() {
    let scratch = yard("links_bad");
    let cases: [(&str, &str, &[&str]); 8] = [
        (
            "13]",
            "30]",
            &[
                "link 0 \"ladder A\": from: (6, 0.2, 30) is not on the mesh",
                "(6.000, 0.000, 20.000)",
                "0.5 m",
            ],
        ),
        ("0.2, 13]", "]", &["line 4", "from: must be [x, y, z] in a scene"]),
        ("0.2, 13]", "13]", &["line 4", "from: must be [x, y, z] in a scene"]),
        ("13]", "nan]", &["from:", "not a place"]),
        ("kind", "sort", &["line 3", "sort: is not known"]),
        ("kind = 'ladder'\n", "", &["kind: is missing"]),
        ("'ladder A'", "''", &["name: must have 1 to 200 bytes"]),
        ("to =", "cost = -1\nto =", &["cost: -1 must lie between"]),
    ];
    for (old, new, parts) in cases {
        scratch.write("yard.links.toml", LADDER.replacen(old, new, 1));
        let ran = build(&scratch, &[]);
        ran.failed_with(&[&["yard.links.toml: "], parts].concat());
    }
    scratch.write("yard.links.toml", LADDER.repeat(2));
    build(&scratch, &[]).failed_with(&["yard.links.toml: link 1 \"ladder A\": name: link 0 has the same"]);
    assert_eq!(scratch.names(), ["yard.links.toml", "yard.obj"]);
}

#[test]
fn ends_move_as_far_as_is_allowed() {
    let scratch = yard("links_snap");
    scratch.write("yard.links.toml", LADDER.replace("0.2", "-0.8"));
    build(&scratch, &[]).failed_with(&["0.800 m away, and only 0.5 m are allowed"]);
    assert_eq!(built(&scratch, &["--link-snap", "1"])["moved"], json!(0.8));
    build(&scratch, &["--link-snap", "0.7"]).failed_with(&["only 0.7 m are allowed"]);
    build(&scratch, &["--link-snap", "-1"]).failed_with(&["--link-snap"]);
    build(&scratch, &["--link-snap", "1", "--no-links"]).failed_with(&["--link-snap 1", "--links FILE"]);
}

#[test]
fn leaps_are_found_when_asked_for() {
    let scratch = yard("links_found");
    let count = |links: &Value, kind: &str| {
        let list = links["generated"].as_array().unwrap().clone();
        list.iter().find(|entry| entry["kind"] == kind).map_or(0, |entry| entry["count"].as_u64().unwrap())
    };
    let none = built(&scratch, &[]);
    assert_eq!((&none["rules"], &none["generated"]), (&Value::Null, &json!([])));
    let drops = built(&scratch, &["--drop-height", "2"]);
    assert!(count(&drops, "drop") >= 2 && count(&drops, "jump") == 0, "{drops}");
    assert_eq!(drops["rules"]["radius"], 0.3);
    let left_out = &drops["left_out"][0];
    assert_eq!((&left_out["kind"], &left_out["reason"]), (&json!("drop"), &json!("near")));
    assert_eq!((left_out["at"].as_array().unwrap().len(), left_out["count"].as_u64() > Some(0)), (3, true));
    let jumps = built(&scratch, &["--jump-distance", "1.5"]);
    assert_eq!((count(&jumps, "drop"), count(&jumps, "jump")), (0, 1), "{jumps}");
    assert_eq!(count(&built(&scratch, &["--jump-distance", "1.4"]), "jump"), 0);
    assert!(count(&built(&scratch, &["--jump-height", "2"]), "jump") >= 2, "up from the ground");
    let wide = built(&scratch, &["--jump-distance", "1.5", "--link-radius", "2.5"]);
    assert_eq!(count(&wide, "jump"), 0, "nobody so large stands on a platform");
    let text = build(&scratch, &["--jump-distance", "2", "--drop-height", "3"]).succeeded().stdout;
    for part in
        ["found: 1 jump, ", " drop; for bodies up to a radius of 0.3 m", "left out: near a link", "first at"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_same_links_on_any_number_of_threads() {
    let scratch = yard("links_same");
    scratch.write("yard.links.toml", LADDER);
    let bytes = |threads: &str| {
        build(&scratch, &["--jump-distance", "2", "--drop-height", "3", "--threads", threads]).succeeded();
        scratch.read("yard.nav")
    };
    let once = bytes("1");
    assert_eq!(bytes("1"), once);
    assert_eq!(bytes("2"), once);
}

#[test]
fn options_of_links_are_checked() {
    let scratch = yard("links_options");
    scratch.write("room.wkt", ROOM);
    let cases: [(&[&str], &str); 14] = [
        (&["yard.obj", "--jump-distance", "0"], "more than zero"),
        (&["yard.obj", "--jump-distance", "101"], "jump distance is 101; it must lie between 0 and 100"),
        (&["yard.obj", "--jump-height", "nan"], "not a finite number"),
        (&["yard.obj", "--drop-height", "-2"], "more than zero"),
        (&["yard.obj", "--drop-height", "0.4"], "--drop-height 0.4 must be more than --max-step 0.4"),
        (&["yard.obj", "--drop-height", "1e4"], "drop height is 10000; it must lie between 0 and 1000"),
        (&["yard.obj", "--link-radius", "0.3"], "--link-radius 0.3 needs --jump-distance"),
        (&["yard.obj", "--drop-height", "2", "--link-radius", "200"], "radius is 200"),
        (&["yard.obj", "--link-snap", "1"], "--link-snap 1 is for links of a file, and there is none"),
        (&["yard.obj", "--links", "a.toml", "--no-links"], "--no-links"),
        (&["room.wkt", "--jump-distance", "2"], "--jump-distance is for scenes only; room.wkt is a plan"),
        (&["room.wkt", "--jump-height", "2"], "--jump-height is for scenes only"),
        (&["room.wkt", "--drop-height", "2"], "--drop-height is for scenes only"),
        (&["room.wkt", "--link-radius", "2"], "--link-radius is for scenes only"),
    ];
    for (args, part) in cases {
        scratch.run(&[&["build"][..], args].concat()).failed_with(&[part]);
    }
    let help = scratch.run(&["build", "--help"]).succeeded().stdout;
    for option in
        ["--links", "--no-links", "--link-snap", "--jump-distance", "--drop-height", "--method", "--cell"]
    {
        assert!(help.contains(option), "{option}");
    }
}

#[test]
fn meshes_tell_their_links() {
    let scratch = climbed("links_info");
    let info = scratch.run(&["info", "yard.nav", "--json"]).succeeded().json();
    assert_eq!(info["links"].as_array().unwrap().len(), 1);
    let link = &info["links"][0];
    assert_eq!((&link["name"], &link["kind"]), (&json!("ladder A"), &json!("ladder")));
    assert_eq!((&link["from"], &link["both_ways"]), (&json!([6.0, 0.0, 13.0]), &json!(true)));
    assert_eq!(link["max_radius"], Value::Null);
    let text = scratch.run(&["info", "yard.nav"]).succeeded().stdout;
    assert!(
        text.contains("1 ladder") && text.contains("ladder \"ladder A\" from 6,0,13 to 6,1.9,11, and back"),
        "{text}"
    );
    build(&scratch, &["--drop-height", "2"]).succeeded();
    let text = scratch.run(&["info", "yard.nav"]).succeeded().stdout;
    assert!(text.contains("drop \"drop 0\" from ") && text.contains("one way, radius up to 0.3 m"), "{text}");
    scratch.run(&["build", "yard.obj", "--no-links", "-o", "yard.nav"]).succeeded();
    assert_eq!(scratch.run(&["info", "yard.nav", "--json"]).succeeded().json()["links"], json!([]));
}

#[test]
fn paths_take_links() {
    let scratch = climbed("links_path");
    build(&scratch, &["--drop-height", "2", "--jump-distance", "2"]).succeeded();
    let names = |json: &Value| -> Vec<String> {
        let links = json["links"].as_array().unwrap().iter();
        links.map(|link| link["kind"].as_str().unwrap().to_string()).collect()
    };
    let json = path(&scratch, GROUND, RIGHT, &["--json"]).succeeded().json();
    assert_eq!(names(&json), ["ladder", "jump"]);
    let (links, points) = (&json["links"], json["points"].as_array().unwrap());
    for link in links.as_array().unwrap() {
        let at = link["point"].as_u64().unwrap() as usize;
        assert_eq!((&points[at + 1], link["cost"].is_number()), (&link["to"], true), "{json}");
        assert!(link["name"].is_string() && link["from"].as_array().unwrap().len() == 3);
    }
    assert_eq!((&json["complete"], &json["widest_radius"]), (&json!(true), &Value::Null));
    assert_eq!(json["cost"], json["length"]);
    assert_eq!(names(&path(&scratch, LEFT, GROUND, &["--json"]).succeeded().json()), ["drop"]);
    let text = path(&scratch, LEFT, GROUND, &[]).succeeded().stdout;
    assert!(text.contains("links") && text.contains("drop \"drop"), "{text}");
    let ladder = path(&scratch, LEFT, GROUND, &["--links", "ladder,lift", "--json"]).succeeded().json();
    assert_eq!(names(&ladder), ["ladder"]);
    let big = path(&scratch, LEFT, GROUND, &["--radius", "0.4", "--json"]).succeeded().json();
    assert_eq!(names(&big), ["ladder"], "drops are for bodies up to 0.3 m");
}

#[test]
fn paths_take_no_links_that_are_not_allowed() {
    let scratch = climbed("links_none");
    for more in [&["--links", "none"][..], &["--links", "drop,jump"]] {
        let ran = path(&scratch, GROUND, LEFT, more);
        assert_eq!((ran.code, ran.stdout.contains("not connected")), (1, true), "{}", ran.stdout);
    }
    let partial =
        path(&scratch, GROUND, LEFT, &["--links", "none", "--partial", "--json"]).succeeded().json();
    assert_eq!((&partial["complete"], &partial["links"]), (&json!(false), &json!([])));
    let whole = path(&scratch, GROUND, LEFT, &["--partial", "--json"]).succeeded().json();
    assert_eq!((&whole["complete"], &whole["links"][0]["kind"]), (&json!(true), &json!("ladder")));
    let part = path(&scratch, GROUND, RIGHT, &["--partial", "--json"]).succeeded().json();
    assert_eq!((&part["complete"], &part["links"]), (&json!(false), &json!([])));
    path(&scratch, GROUND, LEFT, &["--links", "laddr"])
        .failed_with(&["there is no link of kind `laddr`; the mesh has ladder"]);
    for bad in ["", "ladder,", "all,drop", "none,drop"] {
        path(&scratch, GROUND, LEFT, &["--links", bad]).failed_with(&["--links", "ladder,drop"]);
    }
    path(&scratch, GROUND, LEFT, &["--links", "all", "--planner", "corridor"])
        .failed_with(&["only the optimal planner takes links, corridor does not"]);
    let walked = path(&scratch, GROUND, LEFT, &["--planner", "corridor"]);
    assert_eq!((walked.code, walked.stdout.contains("not connected")), (1, true), "{}", walked.stdout);
}

#[test]
fn scenes_and_plans_are_asked_with_the_links_beside_them() {
    let scratch = climbed("links_worlds");
    let args = ["path", "yard.obj", "--from", GROUND, "--to", LEFT, "--json"];
    assert_eq!(scratch.run(&args).succeeded().json()["links"][0]["name"], "ladder A");
    scratch.write("room.wkt", ROOM);
    scratch.write("room.links.toml", HATCH);
    let args = ["path", "room.wkt", "--from", "9,1", "--to", "13.5,1", "--json"];
    let json = scratch.run(&args).succeeded().json();
    assert_eq!((&json["cost"], &json["length"]), (&json!(3.5), &json!(4.5)));
    assert_eq!(
        (&json["links"][0]["from"], &json["links"][0]["kind"]),
        (&json!([9.0, 1.0]), &json!("zip line"))
    );
    assert_eq!(json["points"], json!([[9.0, 1.0], [13.0, 1.0], [13.5, 1.0]]));
    let text = scratch.run(&args[..6]).succeeded().stdout;
    assert!(text.contains("zip line \"hatch\" from 9,1 to 13,1") && text.contains("cost"), "{text}");
}

#[test]
fn files_of_queries_take_links() {
    let scratch = Scratch::new("links_queries");
    scratch.write("room.wkt", ROOM);
    scratch.write("room.links.toml", HATCH);
    scratch.write("q.tsv", "sx sy gx gy\n9 1 13.5 1\n1 1 3 1\n");
    let args = ["path", "room.wkt", "--queries", "q.tsv"];
    let array = |more: &[&str]| -> Vec<Value> {
        let ran = scratch.run(&[&args[..], &["--json"], more].concat()).succeeded();
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let all = array(&[]);
    assert_eq!(
        (&all[0]["links"], &all[0]["cost"], &all[0]["length"]),
        (&json!(["hatch"]), &json!(3.5), &json!(4.5))
    );
    assert_eq!((all[1].get("links"), &all[1]["length"]), (None, &json!(2.0)));
    let none = array(&["--links", "none"]);
    assert_eq!((&none[0]["reason"], &none[1]["length"]), (&json!("disconnected"), &json!(2.0)));
    let text = scratch.run(&args).succeeded().stdout;
    let linked = text.lines().find(|line| line.contains("with links"));
    assert!(linked.is_some_and(|line| line.ends_with('1')), "{text}");
}

#[test]
fn pictures_show_links() {
    let scratch = climbed("links_draw");
    build(&scratch, &["--drop-height", "2"]).succeeded();
    let [ladder, drop] = ["#4d7c0f", "#ea580c"];
    for view in ["top", "iso"] {
        let svg = |more: &[&str]| {
            let args = [&["draw", "yard.nav", "--view", view, "-o", "a.svg"][..], more].concat();
            scratch.run(&args).succeeded();
            scratch.text("a.svg")
        };
        let all = svg(&[]);
        assert!(all.contains(ladder) && all.contains(drop) && all.contains("stroke-dasharray"), "{view}");
        assert!(all.contains("links</desc>"));
        let one = svg(&["--links", "ladder"]);
        assert!(one.contains(ladder) && !one.contains(drop), "{view}");
        let none = svg(&["--links", "none"]);
        assert!(!none.contains(ladder) && !none.contains("stroke-dasharray"), "{view}");
        let way = svg(&["--path", "2,0,2:6,1.9,10"]);
        let dashed = |line: &str| line.contains("#dc2626") && line.contains("stroke-dasharray");
        assert_eq!(way.lines().filter(|line| dashed(line)).count(), 1, "{view}");
    }
    let args = ["draw", "yard.nav", "--links", "none", "--path", "2,0,2:6,1.9,10", "-o", "b.svg"];
    assert_eq!(scratch.run(&args).code, 1);
    scratch
        .run(&["draw", "yard.nav", "--links", "rope", "-o", "b.svg"])
        .failed_with(&["`rope`", "ladder, drop"]);
}

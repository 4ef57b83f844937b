//! What the reader refuses, and what its messages say.

use super::zip::tests::zipped;
use crate::law::Shape;
use crate::scenario::{Choice, PlaceUse, Scenario, Supply, WorldSource};
use clearway_base::ErrorKind;

/// A scenario that uses every table.
const FULL: &str = r#"title = "Everything"
[world]
wkt = "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))"
[run]
model = "headway"
dt = 0.1
seed = 7
limit = 120
runs = 3
[model]
keep = -0.25
[[profile]]
name = "adult"
radius = { law = "uniform", min = 0.15, max = 0.25 }
speed = "weidmann"
[[profile]]
name = "child"
radius = 0.12
speed = { law = "normal", mean = 1.0, sd = 0.2, min = 0.5, max = 1.5 }
[[exit]]
name = "north"
rectangle = [[9, 9.5], [11, 10]]
closed = [[30, 60], [90, inf]]
[[exit]]
name = "south"
rectangle = [[9, 0], [11, 0.5]]
[[area]]
name = "desk"
outline = [[1, 1], [3, 1], [3, 3]]
[[journey]]
name = "shopping"
stages = [{ area = "desk", wait = { law = "gamma", shape = 2, scale = 5 } }, ["north", "south"]]
choice = "congestion"
[[zone]]
rectangle = [[5, 0], [8, 10]]
stairs = "fruin-inside-30-50"
[[door]]
name = "gate"
line = [[4, 0], [4, 10]]
closed = [[0, 10]]
[[source]]
name = "hall"
rectangle = [[12, 1], [19, 9]]
count = 40
profiles = { adult = 3, child = 1 }
journey = "shopping"
premovement = { law = "weibull", shape = 1.2, scale = 20 }
[[source]]
area = "desk"
rate = 0.5
end = 60
spacing = "random"
profile = "child"
goal = ["north", "south"]
"#;

fn parse(text: &str) -> clearway_base::Result<Scenario> {
    Scenario::parse("s.toml", "".into(), text)
}

#[test]
fn every_table_is_read() {
    let scenario = parse(FULL).unwrap();
    assert_eq!((scenario.title.as_str(), scenario.run.seed, scenario.run.runs), ("Everything", 7, 3));
    assert_eq!(scenario.model.parameters[0].value, -0.25);
    let uses: Vec<_> = scenario.places.iter().map(|place| (place.name.as_str(), place.use_)).collect();
    let expected = [("north", PlaceUse::Exit), ("south", PlaceUse::Exit), ("desk", PlaceUse::Stop)];
    assert_eq!(uses, expected);
    assert_eq!(scenario.places[0].closed, [[30.0, 60.0], [90.0, f64::INFINITY]]);
    assert!((scenario.places[0].capacity - 3.8).abs() < 1e-9);
    let stages = &scenario.journeys[0].stages;
    assert_eq!((&stages[0].targets[..], &stages[1].targets[..]), (&[2][..], &[0, 1][..]));
    assert_eq!(stages[1].choice, Choice::Congestion);
    assert!(matches!(stages[0].wait.as_ref().unwrap().shape, Shape::Gamma { .. }));
    assert!((scenario.zones[0].up - 0.5 / 1.34).abs() < 1e-12);
    assert_eq!(scenario.sources[0].profiles, [(3.0, 0), (1.0, 1)]);
    let rate = Supply::Rate { rate: 0.5, start: 0.0, end: 60.0, random: true };
    assert_eq!((&scenario.sources[1].supply, scenario.sources[1].journeys[0].1), (&rate, 1));
}

/// Replaces a line of the full scenario, and expects an error at that line with these words.
#[track_caller]
fn refused(old: &str, new: &str, parts: &[&str]) {
    assert!(FULL.contains(old), "{old}");
    let text = FULL.replacen(old, new, 1);
    let at = FULL.find(old).unwrap();
    let changed = old.lines().zip(new.lines()).take_while(|(a, b)| a == b).count();
    let line = 1 + FULL[..at].matches('\n').count() + changed;
    let message = parse(&text).unwrap_err().to_string();
    assert!(message.starts_with(&format!("s.toml:{line}: ")), "line {line}: {message}");
    for part in parts {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn unknown_names_are_refused_with_the_nearest_known_one() {
    refused("limit = 120", "limits = 120", &["run: key `limits` is not known; did you mean `limit`?"]);
    refused("keep = -0.25", "kep = -0.25", &["model: key `kep`", "did you mean `keep`?"]);
    refused("model = \"headway\"", "model = \"headwy\"", &["did you mean `headway`?"]);
    refused("speed = \"weidmann\"", "speed = \"weidman\"", &["did you mean `weidmann`?"]);
    refused(
        "journey = \"shopping\"",
        "journey = \"shoping\"",
        &["source \"hall\"", "did you mean `shopping`?"],
    );
    refused("profile = \"child\"", "profile = \"chld\"", &["did you mean `child`?"]);
    refused("adult = 3, child", "adlt = 3, child", &["did you mean `adult`?"]);
    refused("area = \"desk\"\nrate", "area = \"disk\"\nrate", &["did you mean `desk`?"]);
    refused("goal = [\"north\"", "goal = [\"norht\"", &["source 2: goal: exit or area `norht`", "`north`"]);
    refused("[\"north\", \"south\"]]", "[\"north\", \"souht\"]]", &["stages: exit or area `souht`"]);
    refused("law = \"gamma\"", "law = \"gama\"", &["law `gama`", "`gamma`"]);
    refused("stairs = \"fruin-inside-30-50\"", "stairs = \"fruin\"", &["stairs `fruin` is not known"]);
    refused("[[zone]]", "[[zones]]", &["table `zones` is not known; did you mean `zone`?"]);
    refused("choice = \"congestion\"", "choice = \"queue\"", &["choice `queue`"]);
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    refused(
        "radius = 0.12",
        "radius = 0",
        &["profile \"child\"", "radius: the value 0 must lie between 0.01 and 20 m"],
    );
    refused("radius = 0.12", "radius = -0.2", &["-0.2"]);
    refused("radius = 0.12", "radius = nan", &["NaN"]);
    refused("radius = 0.12", "radius = 1e99", &["1e99"]);
    refused("radius = 0.12", "radius = \"large\"", &["must be a number or a law"]);
    refused("mean = 1.0, sd = 0.2", "mean = 1.0, sd = 0", &["sd 0 must be greater than 0"]);
    refused("speed = \"weidmann\"", "speed = 0", &["between 0.05 and 30 m/s"]);
    refused("speed = \"weidmann\"", "speed = -1", &["-1"]);
    refused("speed = \"weidmann\"", "speed = inf", &["inf"]);
    refused("dt = 0.1", "dt = 10", &["dt 10 must lie between 0.001 and 1 s"]);
    refused("dt = 0.1", "dt = 1e-6", &["dt 1e-6"]);
    refused("dt = 0.1", "dt = 0", &["dt 0"]);
    refused("dt = 0.1", "dt = nan", &["NaN"]);
    refused("count = 40", "count = 0", &["count 0 must lie between 1 and 1000000"]);
    refused("count = 40", "count = -5", &["count -5"]);
    refused("count = 40", "count = 2000000", &["1000000"]);
    refused("count = 40", "count = 4.5", &["whole number"]);
    refused("rate = 0.5", "rate = 0", &["rate 0"]);
    refused("rate = 0.5", "rate = -1", &["rate -1"]);
    refused("end = 60", "end = 0", &["end must be later than start"]);
    refused("seed = 7", "seed = -7", &["seed -7"]);
    refused("runs = 3", "runs = 0", &["runs 0"]);
    refused("limit = 120", "limit = 1e99", &["limit 1e99"]);
    refused("closed = [[30, 60], [90, inf]]", "closed = [[30, 20]]", &["the period from 30 to 20 s"]);
    refused("closed = [[30, 60], [90, inf]]", "closed = [[30, 60], [50, 70]]", &["from 50 to 70"]);
    refused("rectangle = [[9, 9.5], [11, 10]]", "rectangle = [[9, 9], [9, 10]]", &["encloses nothing"]);
    refused("rectangle = [[9, 9.5], [11, 10]]", "rectangle = [[9, 9]]", &["two opposite corners"]);
    refused("outline = [[1, 1], [3, 1], [3, 3]]", "outline = [[1, 1], [3, nan], [3, 3]]", &["NaN"]);
    refused("line = [[4, 0], [4, 10]]", "line = [[4, 0], [4, 0]]", &["door \"gate\": line has no length"]);
    refused(
        "adult = 3, child = 1",
        "adult = 1e308",
        &["the weight 1e308 of \"adult\" must lie between 0 and"],
    );
    for (lines, part) in [
        ("from = [[0, 1], [0, 1]]\nto = [[5, 1], [5, 1]]", "wrap 1: from has no length"),
        ("from = [[0, 1], [0, 2]]\nto = [[0, 1], [0, 2]]", "wrap 1: from and to are one line"),
    ] {
        let message = parse(&format!("{FULL}\n[[wrap]]\n{lines}\n")).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    refused(
        "profiles = { adult = 3, child = 1 }",
        "profiles = { adult = 0 }",
        &["no weight is greater than 0"],
    );
}

/// A world may be given beside the file.
#[test]
fn a_scenario_without_a_world_takes_that_of_the_caller() {
    let scenario = parse("[[source]]\nrectangle = [[0, 0], [4, 4]]\ncount = 2\n").unwrap();
    let Err(error) = crate::Ground::load(&scenario, None) else { panic!("no world") };
    assert!(error.to_string().starts_with("s.toml: [world] is missing"), "{error}");
    let scratch = clearway_scenes::Scratch::new("scenario_world");
    scratch.write("hall.wkt", b"POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))");
    assert!(crate::Ground::load(&scenario, Some(&scratch.folder().join("hall.wkt"))).is_ok());
}

#[test]
fn keys_that_contradict_each_other_are_refused() {
    refused("count = 40", "count = 40\nrate = 2", &["count and rate cannot stand together"]);
    refused("goal = [\"north\"", "journey = \"shopping\"\ngoal = [\"north\"", &["goal and journey"]);
    let nobody = parse(&FULL.replace("count = 40\n", "")).unwrap_err().to_string();
    assert!(nobody.starts_with("s.toml:41: source \"hall\": nobody starts: count, rate, times"), "{nobody}");
    refused("name = \"south\"", "name = \"north\"", &["there is another one of this name"]);
    refused("{ area = \"desk\", wait", "{ area = \"north\", wait", &["only the last stage"]);
    let empty = parse("[world]\nwkt = 'POLYGON EMPTY'").unwrap_err();
    assert_eq!((empty.kind(), empty.to_string().contains("[[source]] is missing")), (ErrorKind::Empty, true));
    let text = parse("a = \n").unwrap_err().to_string();
    assert!(text.starts_with("s.toml:1: "), "{text}");
}

#[test]
fn no_more_than_a_million_people_are_read() {
    let one = "[[source]]\ncount = 600000\n";
    let text = format!("[world]\nwkt = 'POLYGON EMPTY'\n{one}{one}");
    let error = parse(&text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(
        error.to_string().starts_with("s.toml:6: source 2: with this source there are 1200000 people"),
        "{error}"
    );
}

#[test]
fn many_tables_are_read_in_time_and_too_many_are_refused() {
    let area = |k: usize| format!("[[area]]\nname = 'a{k}'\nrectangle = [[0, 0], [1, 1]]\n");
    let text = |count: usize| {
        let areas: String = (0..count).map(area).collect();
        format!("[world]\nwkt = 'POLYGON EMPTY'\n[[source]]\ncount = 1\n{areas}")
    };
    let scenario = parse(&text(10_000)).unwrap();
    assert_eq!(scenario.places[9999].line, 5 + 3 * 9999);
    let message = parse(&text(10_001)).unwrap_err().to_string();
    assert_eq!(message, "s.toml:30005: there are 10001 tables [[area]]; the limit is 10000");
}

/// A file of JuPedSim's editor, as its exports look.
const CONFIG: &str = r##"{
  "config": {"simulation_settings": {"baseSeed": 42, "numberOfSimulations": 2,
    "simulationParams": {"model_type": "CollisionFreeSpeedModel", "max_simulation_time": 60, "dt": 0.01}}},
  "distributions": {"jps-distributions_0": {
    "coordinates": [[0.5, 0.4], [2, 0.4], [2, 1.6], [0.5, 1.6], [0.5, 0.4]],
    "parameters": {"number": 6, "radius": 0.2, "v0": 1.2, "v0_distribution": "gaussian", "v0_std": 0.1,
      "use_premovement": true, "premovement_distribution": "gamma", "premovement_param_a": 2, "premovement_param_b": 3},
    "journey_weights": [{"journey_id": "jps-journeys_0", "weight": 100}]}},
  "checkpoints": {"jps-checkpoints_0": {
    "coordinates": [[6, 0.3], [7, 0.3], [7, 1.7], [6, 1.7], [6, 0.3]], "waiting_time": 5}},
  "zones": {"jps-zones_0": {"coordinates": [[3, 0], [4, 0], [4, 2], [3, 2]], "speed_factor": 0.4}},
  "obstacles": {"jps-obstacles_0": {"coordinates": [[9, 0.5], [10, 0.5], [10, 1], [9, 1]]}},
  "exits": {"jps-exits_0": {"coordinates": [[13.5, 0.5], [14, 0.5], [14, 1.5], [13.5, 1.5], [13.5, 0.5]],
    "enable_throughput_throttling": true, "max_throughput": 1.5}},
  "journeys_v2": [{"id": "jps-journeys_0", "name": "a", "sequence": ["jps-checkpoints_0", "jps-exits_0"]}],
  "journeys": [], "transitions": []
}"##;

/// Reads a zip file with this configuration.
fn from_zip(test: &str, config: &str) -> clearway_base::Result<Scenario> {
    let scratch = clearway_scenes::Scratch::new(test);
    let geometry = "POLYGON ((0 0, 14 0, 14 2, 0 2, 0 0))";
    let bytes = zipped(&[("config.json", config.as_bytes()), ("geometry.wkt", geometry.as_bytes())]);
    Scenario::load(scratch.write("corridor.zip", &bytes))
}

/// The examples of `docs/reference/scenario-format.md` are read.
#[test]
fn the_documented_examples_are_read() {
    let page = include_str!("../../../../docs/reference/scenario-format.md");
    let block = |language: &str| {
        let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    assert_eq!(Scenario::parse("s.toml", "".into(), block("toml")).unwrap().places[0].name, "door");
    let zip = from_zip("documented", block("json")).unwrap();
    assert_eq!((zip.places[0].name.as_str(), zip.sources[0].supply.most()), ("door", 20));
}

#[test]
fn zip_files_of_jupedsim_are_read() {
    let scenario = from_zip("jupedsim", CONFIG).unwrap();
    assert_eq!((scenario.run.seed, scenario.run.runs, scenario.run.limit), (42, 2, 60.0));
    let WorldSource::Plan(plan) = &scenario.world else { panic!("{:?}", scenario.world) };
    assert_eq!(plan.polygons[0].holes.len(), 1);
    assert_eq!(scenario.places[0].throughput, Some(1.5));
    let stages = &scenario.journeys[0].stages;
    assert_eq!((&stages[0].targets[..], &stages[1].targets[..]), (&[1][..], &[0][..]));
    assert_eq!(stages[0].wait.as_ref().unwrap().shape, Shape::Constant(5.0));
    let source = &scenario.sources[0];
    assert_eq!((&source.supply, source.journeys[0].1), (&Supply::Count { count: 6, start: 0.0 }, 0));
    assert_eq!(scenario.profiles[0].premovement.shape, Shape::Gamma { shape: 2.0, scale: 3.0 });
    assert_eq!(scenario.zones[0].level, 0.4);
    assert!(scenario.notes[0].contains("CollisionFreeSpeedModel"));
}

/// Keys of checkpoints were dropped without a word, and single files of the editor were refused.
#[test]
fn checkpoints_and_single_files_of_jupedsim_are_read() {
    let slow = CONFIG.replacen(
        "\"waiting_time\"",
        "\"speed_factor\": 0.5, \"enable_throughput_throttling\": true, \"waiting_time\"",
        1,
    );
    assert_ne!(slow, CONFIG);
    let scenario = from_zip("jupedsim_checkpoint", &slow).unwrap();
    let told = |note: &String| note.contains("speed_factor and max_throughput of checkpoints without effect");
    assert!(scenario.notes.iter().any(told), "{:?}", scenario.notes);
    let scratch = clearway_scenes::Scratch::new("jupedsim_single");
    let single =
        CONFIG.replacen('{', "{\"walkable_area_wkt\": \"POLYGON ((0 0, 14 0, 14 2, 0 2, 0 0))\", ", 1);
    let scenario = Scenario::load(scratch.write("corridor.json", single.as_bytes())).unwrap();
    assert_eq!((scenario.places[0].throughput, scenario.run.seed), (Some(1.5), 42));
    let error = Scenario::load(scratch.write("bare.json", CONFIG.as_bytes())).unwrap_err().to_string();
    assert!(error.contains("bare.json: holds no walkable_area_wkt"), "{error}");
}

#[test]
fn older_files_of_jupedsim_name_the_start_in_the_journey() {
    let older = CONFIG.replace("\"journeys_v2\"", "\"unused\"").replace("\"journey_weights\"", "\"unused\"").replace(
        "\"journeys\": []",
        r#""journeys": [{"id": "j", "stages": ["jps-distributions_0", "jps-checkpoints_0", "jps-exits_0"]}]"#,
    );
    let scenario = from_zip("jupedsim_older", &older).unwrap();
    assert_eq!((scenario.journeys.len(), scenario.journeys[0].stages.len()), (1, 2));
    let none = older.replace("\"stages\": [\"jps-distributions_0\", ", "\"stages\": [");
    let scenario = from_zip("jupedsim_nearest", &none).unwrap();
    assert_eq!(scenario.journeys[scenario.sources[0].journeys[0].1].stages[0].targets, [0]);
}

/// Each obstacle was copied into every polygon: a small file took gigabytes.
#[test]
fn obstacles_of_jupedsim_cut_only_the_polygons_that_they_touch() {
    let scratch = clearway_scenes::Scratch::new("jupedsim_obstacles");
    let rooms = |count: i32, step: i32| {
        let room = |x: i32| format!("(({x} 0, {0} 0, {0} 2, {x} 2, {x} 0))", x + 14);
        let rooms: Vec<String> = (0..count).map(|k| room(k * step)).collect();
        format!("MULTIPOLYGON ({})", rooms.join(", "))
    };
    let load = |config: &str, geometry: &str| {
        let bytes = zipped(&[("config.json", config.as_bytes()), ("geometry.wkt", geometry.as_bytes())]);
        Scenario::load(scratch.write("rooms.zip", &bytes))
    };
    let WorldSource::Plan(plan) = load(CONFIG, &rooms(3, 15)).unwrap().world else { panic!("no plan") };
    assert_eq!(plan.polygons.iter().map(|polygon| polygon.holes.len()).collect::<Vec<_>>(), [1, 0, 0]);
    let one = "\"coordinates\": [[9, 0.5], [10, 0.5], [10, 1], [9, 1]]";
    let obstacles: Vec<String> = (0..1100).map(|k| format!("\"{k}\": {{{one}}}")).collect();
    let config = CONFIG.replace(&format!("\"jps-obstacles_0\": {{{one}}}"), &obstacles.join(", "));
    let message = load(&config, &rooms(1000, 0)).unwrap_err().to_string();
    assert!(message.contains("obstacles times polygons have more than 4000000 corners"), "{message}");
}

#[test]
fn bad_files_of_jupedsim_are_refused() {
    let refused = |test: &str, old: &str, new: &str, part: &str| {
        let message = from_zip(test, &CONFIG.replace(old, new)).unwrap_err().to_string();
        assert!(message.contains("corridor.zip") && message.contains(part), "{message}");
    };
    refused("jps_radius", "\"radius\": 0.2", "\"radius\": -1", "radius: the value -1 must lie between");
    refused(
        "jps_count",
        "\"number\": 6",
        "\"number\": 1e9",
        "number 1000000000 must lie between 0 and 1000000",
    );
    refused(
        "jps_exit",
        "\"sequence\": [\"jps-checkpoints_0\", \"jps-exits_0\"]",
        "\"sequence\": [\"x\"]",
        "\"x\" is neither",
    );
    refused("jps_json", "\"config\"", "config", "config.json");
    refused("jps_area", "[[3, 0], [4, 0], [4, 2], [3, 2]]", "[[3, 0], [4, 0]]", "3 to 10000 corners");
    refused(
        "jps_flag",
        "\"use_premovement\": true",
        "\"use_premovement\": \"yes\"",
        "use_premovement must be true or",
    );
    refused("jps_text", "\"gaussian\"", "7", "v0_distribution must be a text");
    refused("jps_list", "\"journeys\": []", "\"journeys_v2\": {\"a\": 1}", "journeys_v2 must be a list");
    refused(
        "jps_weight",
        "\"weight\": 100",
        "\"weight\": \"lots\"",
        "journey_weights: weight must be a number",
    );
    refused("jps_names", "\"sequence\": [", "\"sequence\": [1, ", "sequence must be a list of texts");
    let config = "{\"config\": [1], \"unused\"";
    refused("jps_object", "{\n  \"config\"", config, "config must be an object");
    let flow = "\"number\": 6, \"use_flow_spawning\": true, \"flow_end_time\": 1e-310";
    refused(
        "jps_flow",
        "\"number\": 6",
        flow,
        "inf people in a second from flow_start_time to flow_end_time",
    );
    refused("jps_nobody", "\"number\": 6", "\"number\": 0", "nobody");
}

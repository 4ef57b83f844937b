//! `clearway crowd`: what is measured, and how it is told.

use crate::scratch::Scratch;

/// A small room: twelve people leave it within seconds, through a line and an area.
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
[[measure]]
name = 'before the door'
line = [[6.5, 0], [6.5, 5]]
[[measure]]
name = 'middle'
rectangle = [[5, 1], [7, 4]]
";

#[test]
fn lines_and_areas_are_told_in_words_as_json_and_on_the_page() {
    let scratch = Scratch::new("crowd_measures");
    scratch.write("small.toml", SMALL);
    let args = ["crowd", "small.toml", "--report", "small.html", "--csv", "curves"];
    let told = scratch.run(&args).succeeded().stdout;
    assert!(told.contains("  line \"before the door\": to the right 12 people from "), "{told}");
    assert!(told.contains("  area \"middle\": ") && told.contains("people on a m² in the mean"), "{told}");
    assert!(scratch.text("small.html").contains("\"name\":\"before the door\""));
    assert!(scratch.text("curves/lines.csv").lines().any(|row| row.ends_with(",12")));
    let run = &scratch.run(&["crowd", "small.toml", "--json"]).succeeded().json()["runs"][0];
    let line = &run["summary"]["lines"][0];
    assert_eq!((&line["to_right"]["people"], &line["to_left"]["people"]), (&12.into(), &0.into()));
    assert!(line["to_right"]["flow"].as_f64().unwrap() > 0.5, "{line}");
    let area = &run["summary"]["areas"][0];
    assert!(area["mean_density"].as_f64().unwrap() > 0.0 && area["area"] == 6.0, "{area}");
}

/// The number of the lost was 31 in the summary and 0 beside it.
#[test]
fn lost_is_one_number_in_an_answer() {
    let scratch = Scratch::new("crowd_lost");
    scratch.write("shut.toml", SMALL.replace("name = 'door'", "name = 'door'\nclosed = [[0, inf]]"));
    let json = scratch.run(&["crowd", "shut.toml", "--json"]).json();
    let run = &json["runs"][0];
    assert_eq!((&run["lost"], &run["summary"]["lost"]), (&12.into(), &12.into()));
    scratch.write("late.toml", SMALL.replace("name = 'door'", "name = 'door'\nclosed = [[1, 9]]"));
    let json = scratch.run(&["crowd", "late.toml", "--json"]).succeeded().json();
    let run = &json["runs"][0];
    assert_eq!((&run["lost"], &run["summary"]["lost"]), (&0.into(), &0.into()));
}

#[test]
fn several_runs_tell_spreads_and_each_note_once() {
    let scratch = Scratch::new("crowd_spread");
    scratch.write("late.toml", SMALL.replace("name = 'door'", "name = 'door'\nclosed = [[0, 2]]"));
    let told = scratch.run(&["crowd", "late.toml", "--runs", "3"]).succeeded().stdout;
    assert!(told.contains("last arrival over 3 runs: ") && told.contains(" 95 % of them within "), "{told}");
    assert!(told.contains("  \"door\": 12 people, ") && told.contains(" in a second, deviation "), "{told}");
    assert_eq!(told.matches("opens at 2.0 s (in 3 of 3 runs)").count(), 1, "{told}");
    let json = scratch.run(&["crowd", "late.toml", "--runs", "3", "--json"]).succeeded().json();
    let numbers = json["ensemble"]["numbers"].as_array().unwrap();
    let number = |name: &str| numbers.iter().find(|number| number["name"] == name).unwrap();
    for name in ["last_arrival", "flow: door", "mean_travel"] {
        assert!(number(name)["percentile_95"].as_f64().unwrap() > 0.0, "{name}");
    }
}

#[test]
fn one_person_is_told_of_as_one() {
    let scratch = Scratch::new("crowd_one");
    scratch.write("one.toml", SMALL.replace("count = 12", "times = [3]"));
    let told = scratch.run(&["crowd", "one.toml"]).succeeded().stdout;
    assert!(told.contains("1 person arrived: after ") && told.contains(" s after entry"), "{told}");
    assert!(told.contains("  \"door\": 1 person at ") && !told.contains("1 people"), "{told}");
}

/// Two streams meet in a corridor that is too narrow for two: nobody gets on, and nobody said so.
#[test]
fn people_who_stand_for_more_than_a_minute_are_told_of() {
    let scratch = Scratch::new("crowd_stand");
    let text = "[world]\nwkt = 'POLYGON ((0 0, 20 0, 20 0.5, 0 0.5, 0 0))'\n[run]\ndt = 0.1\nlimit = 100\n\
                [[exit]]\nname = 'west'\nrectangle = [[0, 0], [0.6, 0.5]]\n\
                [[exit]]\nname = 'east'\nrectangle = [[19.4, 0], [20, 0.5]]\n\
                [[source]]\npoints = [[6, 0.25]]\ngoal = 'east'\n[[source]]\npoints = [[14, 0.25]]\ngoal = 'west'\n";
    scratch.write("narrow.toml", text);
    let told = scratch.run(&["crowd", "narrow.toml"]).stdout;
    let expected = "note: 2 people stood for more than a minute on the way, the largest group near x ";
    assert!(told.contains(expected), "{told}");
}

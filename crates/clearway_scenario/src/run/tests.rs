//! Runs of small scenarios, and of bad ones.

use super::{Outcome, Run, Verdict};
use crate::ground::Ground;
use crate::scenario::Scenario;

/// A room of 12 m by 8 m with exits at both ends, and 30 people in the middle.
const ROOM: &str = "
[world]
wkt = 'POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))'
[run]
dt = 0.1
limit = 120
[[exit]]
name = 'west'
rectangle = [[0, 3], [0.6, 5]]
[[exit]]
name = 'east'
rectangle = [[11.4, 3], [12, 5]]
[[area]]
name = 'desk'
rectangle = [[5, 6], [7, 7.5]]
[[source]]
name = 'crowd'
rectangle = [[3, 1], [5, 5]]
count = 30
goal = ['west', 'east']
";

#[track_caller]
fn scenario(text: &str) -> Scenario {
    Scenario::parse("s.toml", "".into(), text).unwrap()
}

/// Runs a scenario to its end, and checks in every step that nobody overlaps.
#[track_caller]
fn run(text: &str) -> Outcome {
    let scenario = scenario(text);
    let ground = Ground::load(&scenario, None).unwrap();
    let mut run = Run::new(&scenario, &ground, 0).unwrap();
    run.finish(|run| {
        let measures = run.measure();
        assert!(measures.overlap < 1e-4 && measures.wall_overlap < 1e-4, "{} s: {measures:?}", run.time());
        Ok(true)
    })
    .unwrap()
}

/// Replaces a part of the room, which must be there.
#[track_caller]
fn changed(old: &str, new: &str) -> String {
    assert!(ROOM.contains(old), "{old}");
    ROOM.replace(old, new)
}

/// Expects that a scenario cannot begin, with this message.
#[track_caller]
fn refused(text: &str, parts: &[&str]) {
    let scenario = scenario(text);
    let failed = Ground::load(&scenario, None).and_then(|ground| Run::new(&scenario, &ground, 0).map(|_| ()));
    let message = failed.unwrap_err().to_string();
    for part in parts {
        assert!(message.contains(part), "{message}");
    }
}

fn count(outcome: &Outcome, exit: &str) -> usize {
    outcome.exits.iter().find(|count| count.name == exit).unwrap().people
}

#[test]
fn everybody_leaves_by_the_nearest_exit() {
    let outcome = run(ROOM);
    assert_eq!((outcome.verdict, outcome.people, outcome.arrived), (Some(Verdict::Arrived), 30, 30));
    assert_eq!((count(&outcome, "west"), outcome.remaining), (30, 0));
    assert!(outcome.last_arrival.unwrap() < 40.0 && outcome.mean_arrival < outcome.arrival_95, "{outcome:?}");
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_one_another() {
    let [a, b] = [run(ROOM), run(ROOM)];
    assert_eq!(a, b);
    let other = run(&changed("limit = 120", "limit = 120\nseed = 2"));
    assert_ne!(a.last_arrival, other.last_arrival);
    // Equal places, other speeds.
    let behaviour = scenario(&changed("limit = 120", "limit = 120\nseed = 2\nplacement_seed = 1"));
    let ground = Ground::load(&behaviour, None).unwrap();
    let first = scenario(ROOM);
    let [p, q] = [&behaviour, &first].map(|s| {
        let run = Run::new(s, &ground, 0).unwrap();
        run.crowd().agents().map(|agent| (agent.at.position(), agent.speed)).collect::<Vec<_>>()
    });
    assert!(p.iter().zip(&q).all(|(a, b)| a.0 == b.0 && a.1 != b.1));
}

#[test]
fn queues_send_people_to_the_other_exit() {
    let text = changed("goal = ['west', 'east']", "goal = ['west', 'east']\nchoice = 'congestion'")
        .replace("count = 30", "count = 55");
    let outcome = run(&text);
    assert_eq!(outcome.verdict, Some(Verdict::Arrived));
    let [west, east] = ["west", "east"].map(|exit| count(&outcome, exit));
    assert!(west > east && east > 10, "{west} {east}");
}

#[test]
fn people_wait_on_their_journey() {
    let text = changed("goal = ['west', 'east']", "journey = 'visit'").replace("count = 30", "count = 5")
        + "[[journey]]\nname = 'visit'\nstages = [{ area = 'desk', wait = 10 }, 'east']\n";
    let outcome = run(&text);
    assert_eq!((outcome.verdict, count(&outcome, "east")), (Some(Verdict::Arrived), 5));
    assert!(
        outcome.exits.iter().any(|exit| exit.name == "east" && exit.first.unwrap() > 13.0),
        "{outcome:?}"
    );
}

#[test]
fn a_journey_may_name_an_area_twice_in_a_row() {
    for stages in ["['desk', 'desk', 'desk', 'east']", "[['desk', 'hall'], ['desk', 'hall'], 'east']"] {
        let text = changed("goal = ['west', 'east']", "journey = 'visit'").replace("count = 30", "count = 5")
            + "[[area]]\nname = 'hall'\nrectangle = [[3, 1], [5, 5]]\n"
            + &format!("[[journey]]\nname = 'visit'\nstages = {stages}\n");
        let outcome = run(&text);
        assert_eq!((outcome.verdict, count(&outcome, "east")), (Some(Verdict::Arrived), 5), "{outcome:?}");
    }
}

#[test]
fn a_journey_may_end_in_an_area() {
    let outcome =
        run(&changed("goal = ['west', 'east']", "goal = 'desk'").replace("count = 30", "count = 6"));
    assert_eq!((outcome.verdict, count(&outcome, "desk")), (Some(Verdict::Arrived), 6));
}

#[test]
fn people_come_at_a_rate_and_at_times() {
    let outcome = run(&changed("count = 30", "rate = 2\nend = 10"));
    assert_eq!((outcome.verdict, outcome.people, outcome.arrived), (Some(Verdict::Arrived), 20, 20));
    let outcome = run(&changed("count = 30", "rate = 2\nend = 10\nspacing = 'random'"));
    assert!((8..35).contains(&outcome.people), "{outcome:?}");
    let outcome = run(&changed("count = 30", "times = [0, 0, 5, 20]"));
    assert_eq!((outcome.people, outcome.arrived), (4, 4));
    assert!(outcome.last_arrival.unwrap() > 21.0);
}

#[test]
fn who_finds_no_room_waits_to_enter_or_is_left_out() {
    let dense = changed(
        "rectangle = [[3, 1], [5, 5]]\ncount = 30",
        "rectangle = [[3, 3], [4, 4]]\nrate = 50\nend = 1",
    );
    let outcome = run(&dense);
    assert_eq!((outcome.verdict, outcome.people, outcome.left_out), (Some(Verdict::Arrived), 50, 0));
    let outcome = run(&changed("count = 30", "count = 1000"));
    assert!(outcome.left_out > 800 && outcome.people + outcome.left_out == 1000, "{outcome:?}");
    let left_out = "of 1000 people found no room and were left out";
    assert!(outcome.notes.iter().any(|note| note.contains(left_out)), "{outcome:?}");
    assert_eq!(outcome.verdict, Some(Verdict::Arrived));
}

#[test]
fn exits_close_and_open_on_time() {
    let one = changed("goal = ['west', 'east']", "goal = 'west'");
    let late = run(&one.replace("name = 'west'", "name = 'west'\nclosed = [[0, 30]]"));
    assert_eq!(late.verdict, Some(Verdict::Arrived));
    assert!(late.exits[0].first.unwrap() > 30.0, "{late:?}");
    // Everybody turns round when the nearest exit closes.
    let outcome = run(&changed("name = 'west'", "name = 'west'\nclosed = [[1.5, inf]]"));
    assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 30));
    assert!(count(&outcome, "east") > 20, "{outcome:?}");
    assert!(outcome.notes.iter().any(|note| note == "exit \"west\" closes at 1.5 s"), "{outcome:?}");
}

#[test]
fn exits_that_close_on_everyone_end_the_run_with_a_remark() {
    let outcome = run(&changed("name = 'west'", "name = 'west'\nclosed = [[1, inf]]")
        .replace("name = 'east'", "name = 'east'\nclosed = [[1, inf]]"));
    assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Lost), 0));
    assert!(outcome.time < 60.0 && outcome.remaining == 30 && outcome.lost == 30, "{outcome:?}");
    assert!(outcome.notes.iter().any(|note| note.contains("no open goal from ")), "{outcome:?}");
}

#[test]
fn doors_shut_rooms_off_until_they_open() {
    let door = "[[door]]\nname = 'gate'\nline = [[8, 0], [8, 8]]\nclosed = [[0, 20]]\n";
    let text = changed("goal = ['west', 'east']", "goal = 'east'") + door;
    let outcome = run(&text);
    assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 30));
    assert!(outcome.exits[1].first.unwrap() > 20.0, "{outcome:?}");
    assert!(outcome.notes.iter().any(|note| note.contains("door \"gate\" opens at 20.0 s")), "{outcome:?}");
}

/// Who stands in a door that closes is moved: into nobody. `run` checks every step.
#[test]
fn a_door_that_closes_on_people_overlaps_nobody() {
    let door = "[[door]]\nname = 'gate'\nline = [[4.2, 0], [4.2, 8]]\nclosed = [[0.5, 30]]\n";
    let goals = ["goal = 'east'", "goal = ['west', 'east']"];
    for goal in goals {
        let text = changed("goal = ['west', 'east']", goal).replace("count = 30", "count = 45") + door;
        let outcome = run(&text.replace("name = 'crowd'", "name = 'crowd'\npremovement = 20"));
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 45), "{outcome:?}");
        assert!(outcome.moved > 3, "{outcome:?}");
    }
}

#[test]
fn who_cannot_reach_a_goal_is_told_of() {
    let text = changed(
        "wkt = 'POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))'",
        "wkt = 'MULTIPOLYGON (((0 0, 12 0, 12 8, 0 8, 0 0)), ((20 0, 24 0, 24 4, 20 4, 20 0)))'",
    ) + "[[source]]\nname = 'island'\nrectangle = [[20, 0], [24, 4]]\ncount = 3\ngoal = 'west'\n";
    let outcome = run(&text);
    assert_eq!((outcome.verdict, outcome.arrived, outcome.lost), (Some(Verdict::Lost), 30, 3));
    assert!(
        outcome.notes.iter().any(|note| note.contains("source \"island\": 3 people cannot reach")),
        "{outcome:?}"
    );
}

/// The same for people who come one after the other: they were refused for lack of room.
#[test]
fn who_comes_one_by_one_where_no_goal_can_be_reached_is_told_of() {
    let text = changed(
        "wkt = 'POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))'",
        "wkt = 'MULTIPOLYGON (((0 0, 12 0, 12 8, 0 8, 0 0)), ((20 0, 24 0, 24 4, 20 4, 20 0)))'",
    ) + "[[source]]\nname = 'island'\nrectangle = [[20, 0], [24, 4]]\nrate = 1\nend = 3\ngoal = 'west'\n";
    let outcome = run(&text);
    assert_eq!((outcome.verdict, outcome.arrived, outcome.lost), (Some(Verdict::Lost), 30, 3));
}

/// Points drawn in the area hardly ever hit the room.
#[test]
fn areas_that_reach_far_beyond_the_world_are_taken() {
    let huge = "rectangle = [[-1000, -1000], [1000, 1000]]";
    let outcome = run(&changed("rectangle = [[0, 3], [0.6, 5]]", huge));
    assert_eq!((outcome.verdict, count(&outcome, "west")), (Some(Verdict::Arrived), 30));
    for count in ["count = 30", "count = 150", "rate = 10\nend = 3"] {
        let outcome = run(&changed("rectangle = [[3, 1], [5, 5]]", huge).replace("count = 30", count));
        assert_eq!((outcome.verdict, outcome.left_out), (Some(Verdict::Arrived), 0), "{outcome:?}");
    }
}

#[test]
fn exits_with_a_limited_throughput_let_people_out_one_by_one() {
    let outcome = run(&changed("name = 'west'", "name = 'west'\nthroughput = 0.5")
        .replace("count = 30", "count = 10")
        .replace("['west', 'east']", "'west'"));
    let west = &outcome.exits[0];
    assert_eq!((outcome.verdict, west.people), (Some(Verdict::Arrived), 10));
    assert!((west.last.unwrap() - west.first.unwrap() - 18.0).abs() < 0.5, "{west:?}");
}

/// Who queues at an exit and is sent elsewhere must not be let out from afar.
#[test]
fn nobody_leaves_through_an_exit_from_which_they_were_sent_away() {
    let limited = changed("name = 'west'", "name = 'west'\nthroughput = 0.5\ncapacity = 0.5");
    let closing = limited.replace("capacity = 0.5", "closed = [[6, 12]]");
    let congested =
        limited.replace("goal = ['west', 'east']", "goal = ['west', 'east']\nchoice = 'congestion'");
    for text in [closing, congested] {
        let scenario = scenario(&text);
        let ground = Ground::load(&scenario, None).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let mut last = std::collections::BTreeMap::new();
        let outcome = run.finish(|run| {
            for person in run.ended() {
                let at: [f64; 2] = last[person];
                let target = run.people()[*person as usize].target.unwrap();
                let is_there = if target == 0 { at[0] < 1.0 } else { at[0] > 11.0 };
                assert!(is_there, "{} s: {person} leaves by {target} from {at:?}", run.time());
            }
            last.extend(run.crowd().agents().map(|agent| (agent.tag, agent.at.position())));
            Ok(true)
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 30), "{outcome:?}");
        assert!(["west", "east"].iter().all(|exit| count(&outcome, exit) > 2), "{outcome:?}");
    }
}

#[test]
fn people_walk_in_a_direction_through_a_wrap() {
    let text = "
[world]
wkt = 'POLYGON ((0 0, 26 0, 26 2, 0 2, 0 0))'
[run]
dt = 0.1
limit = 30
[[wrap]]
from = [[26, 0], [26, 2]]
to = [[0, 0], [0, 2]]
[[source]]
rectangle = [[0, 0], [26, 2]]
count = 26
direction = [1, 0]
";
    let outcome = run(text);
    assert_eq!((outcome.verdict, outcome.people, outcome.time), (Some(Verdict::Arrived), 26, 30.0));
}

#[test]
fn points_are_taken_as_they_are() {
    let at =
        |points: &str| changed("rectangle = [[3, 1], [5, 5]]\ncount = 30", &format!("points = {points}"));
    assert_eq!(run(&at("[[3, 3], [3.4, 3], [11.8, 1]]")).arrived, 3);
    refused(
        &at("[[3, 3], [3.3, 3]]"),
        &["s.toml:", "source \"crowd\"", "the point 3.3, 3 overlaps somebody else"],
    );
    refused(&at("[[3, 3], [3, 0.1]]"), &["the point 3, 0.1 is nearer to a wall than the radius 0.2"]);
    refused(&at("[[30, 3]]"), &["is not on the ground"]);
}

#[test]
fn worlds_and_areas_that_do_not_fit_are_refused() {
    let exit = changed("rectangle = [[0, 3], [0.6, 5]]", "rectangle = [[100, 3], [101, 5]]");
    refused(&exit, &["s.toml:7: exit \"west\": no ground of the world lies in it", "x 0.0 to 12.0"]);
    let zone = ROOM.to_string() + "[[zone]]\nname = 'wet'\nrectangle = [[30, 1], [50, 5]]\nspeed = 0.7\n";
    refused(&zone, &["s.toml:21: zone \"wet\": no ground of the world lies in it", "y 0.0 to 8.0"]);
    refused(
        &changed("rectangle = [[3, 1], [5, 5]]", "rectangle = [[30, 1], [50, 5]]"),
        &["s.toml:16", "nobody fits"],
    );
    let wide =
        changed("count = 30", "count = 30\nprofile = 'giant'") + "[[profile]]\nname = 'giant'\nradius = 5\n";
    refused(&wide, &["source \"crowd\": nobody fits"]);
    let rate = wide.replace("count = 30", "rate = 1");
    refused(&rate, &["nobody of radius 5 m fits"]);
    refused(&changed("12 8, 0 8, 0 0))", "12 8, 0 8"), &["s.toml:3: world: wkt:"]);
    refused(&changed("POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))", "POLYGON EMPTY"), &["world"]);
    let file = changed("wkt = 'POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))'", "file = 'missing.wkt'");
    refused(&file, &["s.toml:3: world: missing.wkt"]);
    refused(&file.replace("missing.wkt", "a.docx"), &["neither a plan"]);
}

#[test]
fn no_step_is_too_long_or_too_short_to_end_well() {
    for dt in ["0.001", "1"] {
        let text = changed("dt = 0.1", &format!("dt = {dt}"));
        let outcome = run(&text);
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 30), "{outcome:?}");
    }
}

/// One person walks 20 m along a corridor.
const CORRIDOR: &str = "
[world]
wkt = 'POLYGON ((0 0, 24 0, 24 2, 0 2, 0 0))'
[run]
dt = 0.1
limit = 120
[[profile]]
name = 'one'
speed = 1.0
[[exit]]
name = 'end'
rectangle = [[21, 0], [24, 2]]
[[source]]
points = [[1, 1]]
goal = 'end'
";

#[test]
fn zones_slow_people_down_and_premovement_holds_them_back() {
    let time = |text: &str| run(text).last_arrival.unwrap();
    let free = time(CORRIDOR);
    assert!((free - 20.0).abs() < 0.6, "{free}");
    let zone = "[[zone]]\nrectangle = [[0, 0], [24, 2]]\nspeed = 0.5\n";
    let slow = time(&format!("{CORRIDOR}{zone}"));
    assert!((slow - 2.0 * free).abs() < 1.0, "{slow}");
    let late = time(&CORRIDOR.replace("goal = 'end'", "goal = 'end'\npremovement = 7.5"));
    assert!((late - free - 7.5).abs() < 0.2, "{late}");
}

#[test]
fn a_million_people_in_one_room_are_mostly_left_out() {
    let scenario = scenario(&changed("count = 30", "count = 1000000").replace("limit = 120", "limit = 1"));
    let ground = Ground::load(&scenario, None).unwrap();
    let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
    assert!((20..80).contains(&outcome.people), "{outcome:?}");
    assert_eq!((outcome.people + outcome.left_out, outcome.verdict), (1_000_000, Some(Verdict::TimeUp)));
}

/// Each person asks for the way to the goals. That must not look at everybody else: 40,000 people took minutes.
#[test]
fn many_people_with_goals_are_placed_in_time() {
    let text = changed("12 0, 12 8, 0 8", "200 0, 200 200, 0 200")
        .replace("rectangle = [[3, 1], [5, 5]]", "rectangle = [[1, 1], [199, 199]]")
        .replace("count = 30", "count = 40000");
    let scenario = scenario(&text);
    let ground = Ground::load(&scenario, None).unwrap();
    let run = Run::new(&scenario, &ground, 0).unwrap();
    assert_eq!(run.people().len(), 40_000);
    assert!(run.people().iter().all(|person| person.way.is_some()));
}

#[test]
fn people_behind_a_closed_door_start_all_the_same() {
    let door = "[[door]]\nname = 'gate'\nline = [[8, 0], [8, 8]]\nclosed = [[0, 5]]\n";
    let text =
        changed("goal = ['west', 'east']", "goal = 'east'").replace("count = 30", "rate = 5\nend = 2") + door;
    let outcome = run(&text);
    assert_eq!((outcome.verdict, outcome.people), (Some(Verdict::Arrived), 10));
}

/// People stood before such an exit until time was up.
#[test]
fn people_leave_an_exit_too_narrow_to_stand_in_by_touching_it() {
    let outcome = run(&changed("rectangle = [[0, 3], [0.6, 5]]", "rectangle = [[0, 3], [0.05, 5]]"));
    assert_eq!((outcome.verdict, count(&outcome, "west")), (Some(Verdict::Arrived), 30), "{outcome:?}");
    let expected =
        "exit \"west\": people of radius 0.20 m cannot stand in it, so they leave as soon as they touch it";
    assert!(outcome.notes.iter().any(|note| note.starts_with(expected)), "{outcome:?}");
}

/// A lecture hall with benches, and doors of 0.9 m and 1.6 m.
const HALL: &str = "
[world]
wkt = '''POLYGON ((0 0, 16 0, 16 0.3, 16.3 0.3, 16.3 0, 18 0, 18 2.2, 16.3 2.2, 16.3 1.9, 16 1.9, 16 12, 0 12,
 0 11.5, -0.3 11.5, -0.3 12, -2 12, -2 10, -0.3 10, -0.3 10.6, 0 10.6, 0 0),
 (2 3.1, 7.5 3.1, 7.5 3.5, 2 3.5, 2 3.1), (8.7 3.1, 14.2 3.1, 14.2 3.5, 8.7 3.5, 8.7 3.1),
 (2 4.2, 7.5 4.2, 7.5 4.6, 2 4.6, 2 4.2), (8.7 4.2, 14.2 4.2, 14.2 4.6, 8.7 4.6, 8.7 4.2),
 (2 5.3, 7.5 5.3, 7.5 5.7, 2 5.7, 2 5.3), (8.7 5.3, 14.2 5.3, 14.2 5.7, 8.7 5.7, 8.7 5.3),
 (2 6.4, 7.5 6.4, 7.5 6.8, 2 6.8, 2 6.4), (8.7 6.4, 14.2 6.4, 14.2 6.8, 8.7 6.8, 8.7 6.4))'''
[run]
limit = 90
[[profile]]
name = 'slow'
radius = RADIUS
speed = SPEED
[[exit]]
name = 'wide'
rectangle = [[17, 0], [18, 2.2]]
[[exit]]
name = 'narrow'
rectangle = [[-2, 10], [-1.2, 12]]
[[source]]
points = [START]
goal = 'GOAL'
";

#[test]
fn a_lone_body_always_arrives_with_every_model() {
    // Two that stood for ever: before a door of 0.9 m, and 0.28 m from the corner of a bench.
    let mut starts = vec![([-1.0, 11.05], "wide"), ([8.7, 5.9828], "wide")];
    let mut draws = crate::random::Draws::new(3, 0, 0, crate::random::Purpose::Place);
    for row in 0..24 {
        let y = if row < 4 { 3.85 + 1.1 * f64::from(row % 3) } else { 7.2 + 4.4 * draws.uniform() };
        starts.push(([2.2 + 12.0 * draws.uniform(), y], ["wide", "narrow"][row as usize % 2]));
    }
    let ground = Ground::load(&scenario(&hall(0.2, 1.0, starts[0])), None).unwrap();
    for model in crate::models::names() {
        for (number, start) in starts.iter().enumerate() {
            let (radius, speed) = [(0.22, 0.8), (0.2, 0.8), (0.2, 1.34), (0.3, 0.6)][number % 4];
            let mut scenario = scenario(&hall(radius, speed, *start));
            scenario.model.name = model.to_string();
            let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
            assert_eq!(outcome.arrived, 1, "{model} from {start:?}: {outcome:?}");
        }
    }
}

/// Returns the hall with one body.
fn hall(radius: f64, speed: f64, ([x, y], goal): ([f64; 2], &str)) -> String {
    let start = format!("[{x}, {y}]");
    let text = HALL.replace("RADIUS", &radius.to_string()).replace("SPEED", &speed.to_string());
    text.replace("START", &start).replace("GOAL", goal)
}

#[test]
fn the_scale_of_a_plan_counts_and_it_has_no_up() {
    let folder = std::env::temp_dir().join(format!("clearway-scale-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("cm.wkt"), "POLYGON ((0 0, 1200 0, 1200 800, 0 800, 0 0))").unwrap();
    let world = "file = 'cm.wkt'\nscale = 0.01";
    let text = changed("wkt = 'POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))'", world);
    let scenario = Scenario::parse("s.toml", folder.clone(), &text).unwrap();
    let ground = Ground::load(&scenario, None).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let area = ground.mesh(0).unwrap().area();
    assert!((area - 96.0).abs() < 1e-3, "{area}");
    let up = Scenario::parse("s.toml", folder, &text.replace("scale = 0.01", "up = 'y'"));
    let message = up.unwrap_err().to_string();
    assert_eq!(message, "s.toml:4: world: up is for a scene; a plan has no axis that points up");
}

/// A part of the world behind a gap through which nobody fits is joined to the rest all the same.
#[test]
fn a_source_without_an_area_places_nobody_behind_a_gap_that_is_too_narrow() {
    let text = "[world]\nwkt = 'POLYGON ((0 0, 10 0, 10 4, 10.2 4, 10.2 0, 20 0, 20 8, 10.2 8, 10.2 4.2, 10 4.2, 10 8, 0 8, 0 0))'\n\
                [run]\nlimit = 60\n[[exit]]\nname = 'west'\nrectangle = [[0, 0], [1, 8]]\n\
                [[source]]\ncount = 60\ngoal = 'west'\n";
    let scenario = Scenario::parse("s.toml", "".into(), text).unwrap();
    let ground = Ground::load(&scenario, None).unwrap();
    let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
    assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 60), "{outcome:?}");
}

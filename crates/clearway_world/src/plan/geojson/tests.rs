use super::super::Plan;
use super::super::testing::{check_damaged, check_refused};
use super::super::{PlanFormat, PlanOptions, PlanPolygon, PlanRole};
use super::*;

const TRIANGLE: &str = "[[0, 0], [4, 0], [0, 4], [0, 0]]";
const HOLE: &str = "[[1, 1], [2.0, 1e0], [1, 2], [1, 1]]";

fn read(text: &str) -> Plan {
    Plan::parse(PlanFormat::GeoJson, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn geometry(kind: &str, coordinates: &str) -> String {
    format!("{{\"type\": \"{kind}\", \"coordinates\": {coordinates}}}")
}

fn feature(geometry: &str) -> String {
    format!("{{\"type\": \"Feature\", \"properties\": {{\"type\": [1]}}, \"geometry\": {geometry}}}")
}

fn collection(features: &[String]) -> String {
    format!("{{\"features\": [{}], \"type\": \"FeatureCollection\"}}", features.join(", "))
}

fn triangle(holes: usize) -> PlanPolygon {
    let hole = vec![[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]];
    PlanPolygon { outline: vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], holes: vec![hole; holes] }
}

#[test]
fn polygons_are_read_at_every_level() {
    let plain = geometry("Polygon", &format!("[{TRIANGLE}]"));
    let holed = geometry("Polygon", &format!("[{TRIANGLE}, {HOLE}]"));
    let multi = geometry("MultiPolygon", &format!("[[{TRIANGLE}], [{TRIANGLE}, {HOLE}]]"));
    let group = format!("{{\"type\": \"GeometryCollection\", \"geometries\": [{plain}, {multi}]}}");
    let cases = [
        (plain.clone(), vec![0]),
        (holed.clone(), vec![1]),
        (multi.clone(), vec![0, 1]),
        (geometry("Polygon", "[]"), vec![]),
        (group.clone(), vec![0, 0, 1]),
        (feature(&holed), vec![1]),
        (collection(&[]), vec![]),
        (collection(&[feature(&plain), feature(&group), holed]), vec![0, 0, 0, 1, 1]),
        (format!("{{\"coordinates\": [{TRIANGLE}], \"type\": \"Polygon\", \"x\": {{}}}}"), vec![0]),
    ];
    for (text, holes) in cases {
        let plan = read(&text);
        let expected: Vec<_> = holes.into_iter().map(triangle).collect();
        assert_eq!(plan.polygons, expected, "{text}");
        assert!(plan.notes.is_empty(), "{text}");
    }
}

#[test]
fn lines_are_walls_and_keep_their_ends() {
    let line = geometry("LineString", TRIANGLE);
    let lines = geometry("MultiLineString", "[[[0, 0], [5, 5]], [[6, 6], [7, 7]]]");
    let plan = read(&collection(&[line, lines]));
    assert_eq!(plan.walls.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 2]);
    assert!(plan.polygons.is_empty() && plan.rings.is_empty() && plan.notes.is_empty());
}

#[test]
fn what_is_left_out_is_noted() {
    let alone = "drawn alone, neither floor nor wall: left out";
    let cases = [
        (geometry("Point", "[1, 2]"), format!("1 point {alone}")),
        (geometry("MultiPoint", "[[1, 2], [3, 4]]"), format!("2 points {alone}")),
        (feature("null"), "no geometry, left out".to_string()),
        ("{\"type\": \"Feature\"}".to_string(), "no geometry, left out".to_string()),
        (collection(&[feature("null")]), "feature 0: no geometry, left out".to_string()),
        (
            geometry("LineString", "[[0, 0, 5], [1, 1, 5, 6]]"),
            "2 points with more than x and y (Z, M): only x and y are used".to_string(),
        ),
        (
            collection(&[feature(&geometry("MultiPolygon", "[[[[0, 0], [1, 1]]]]"))]),
            "feature 0, polygon 0, ring 0: only 2 points, left out with the whole polygon".to_string(),
        ),
    ];
    for (text, note) in cases {
        assert_eq!(read(&text).notes, [note], "{text}");
    }
}

#[test]
fn bad_shapes_are_named() {
    let in_feature_1 =
        |kind: &str, coordinates: &str| collection(&[feature("null"), feature(&geometry(kind, coordinates))]);
    let cases = [
        (
            in_feature_1("Polygon", "[[[0, 0], 3]]"),
            "feature 1, ring 0, point 1: expected a position, found a number",
        ),
        (
            in_feature_1("MultiPolygon", "[[], [[], [[0, 0], [\"x\", 1]]]]"),
            "feature 1, polygon 1, ring 1, point 1: expected a position, found an array",
        ),
        (
            in_feature_1("Polygon", "[[[0, null]]]"),
            "feature 1, ring 0, point 0: expected a position, found an array of numbers and other things",
        ),
        (
            in_feature_1("Polygon", TRIANGLE),
            "feature 1, ring 0: expected an array of positions, found a position",
        ),
        (in_feature_1("Polygon", "{\"a\": 1}"), "feature 1: expected an array of rings, found an object"),
        (
            in_feature_1("MultiLineString", "[false]"),
            "feature 1, line 0: expected an array of positions, found a truth value",
        ),
        (in_feature_1("Point", "[1]"), "feature 1: expected a position, found an array of one number"),
        ("{\"type\": \"Topology\"}".into(), "`Topology` is not a type of GeoJSON"),
        (in_feature_1("Circle", "[1, 2]"), "feature 1: `Circle` is not a type of GeoJSON"),
        (collection(&["{}".to_string()]), "feature 0: the object has no member `type`, so it is not GeoJSON"),
        (feature("{\"type\": \"Polygon\"}"), "the object of type `Polygon` has no member `coordinates`"),
        (
            "{\"type\": \"FeatureCollection\"}".into(),
            "the object of type `FeatureCollection` has no member `features`",
        ),
        (
            "{\"type\": \"GeometryCollection\"}".into(),
            "the object of type `GeometryCollection` has no member `geometries`",
        ),
    ];
    for (text, message) in cases {
        check_refused(PlanFormat::GeoJson, &text, ErrorKind::Syntax, message);
    }
}

#[test]
fn bad_json_is_refused_with_line_and_column() {
    let cases = [
        ("{", (1, "EOF while parsing an object")),
        ("{\"type\":\n 3}", (2, "invalid type: integer `3`, expected a string")),
        ("[1]", (1, "invalid type: sequence, expected a GeoJSON object")),
        ("{\"type\": \"Polygon\",}", (1, "trailing comma")),
        ("{\"type\": \"Feature\"} {}", (1, "trailing characters")),
        ("{\"type\": \"Feature\", \"type\": \"Feature\"}", (1, "a member is given twice")),
        ("{\"features\": [null]}", (1, "invalid type: null, expected a GeoJSON object")),
        ("{\"features\": 3}", (1, "invalid type: integer `3`, expected an array of GeoJSON objects")),
    ];
    for (text, (line, message)) in cases {
        let error = Plan::parse(PlanFormat::GeoJson, text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
        assert!(error.to_string().starts_with(&format!("line {line}, column ")), "{error}");
        assert!(error.to_string().contains(&format!(": {message}")), "{error}");
    }
}

#[test]
fn numbers_out_of_range_are_named() {
    let far = geometry("Polygon", "[[[0, 0], [1, -1e200]]]");
    let cases = [
        (
            collection(&[feature("null"), feature(&far)]),
            "feature 1, ring 0, point 1: y is -1e200, beyond the limit of ±1099511627776",
        ),
        (geometry("LineString", "[[1e999, 0]]"), "line 1, column 45: number out of range"),
    ];
    for (text, message) in cases {
        check_refused(PlanFormat::GeoJson, &text, ErrorKind::OutOfRange, message);
    }
}

#[test]
fn nesting_is_limited() {
    let ignored = |depth: usize| {
        let nested = "[".repeat(depth) + &"]".repeat(depth);
        format!("{{\"type\": \"Feature\", \"a\": \"\\\"[[\", \"b\": {nested}}}")
    };
    read(&ignored(MAX_NESTING - 1));
    for depth in [MAX_NESTING, 10_000_000] {
        let message = "line 1, column 102: brackets are nested deeper than 64 levels, the limit";
        check_refused(PlanFormat::GeoJson, &ignored(depth), ErrorKind::TooLarge, message);
    }
}

#[test]
fn long_words_are_cut_in_messages() {
    let long = "y".repeat(100_000);
    for text in [format!("{{\"type\": \"{long}\"}}"), format!("{{\"features\": \"{long}\"}}")] {
        let error = Plan::parse(PlanFormat::GeoJson, &text).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }
}

#[test]
fn damaged_text_never_panics() {
    let point = geometry("Point", "[1, 2, 3]");
    let polygon = geometry("MultiPolygon", &format!("[[{TRIANGLE}, {HOLE}]]"));
    check_damaged(PlanFormat::GeoJson, &collection(&[feature(&polygon), feature("null"), feature(&point)]));
}

/// A little square around a place in degrees.
fn square_in_degrees(tags: &str) -> String {
    let ring = "[[13.4, 52.5], [13.4001, 52.5], [13.4001, 52.5001], [13.4, 52.5001], [13.4, 52.5]]";
    let polygon = geometry("Polygon", &format!("[{ring}]"));
    format!("{{\"type\": \"Feature\", \"properties\": {tags}, \"geometry\": {polygon}}}")
}

#[test]
fn degrees_are_projected_or_refused() {
    let text = square_in_degrees("null");
    let [low, high] = read(&text).bounds().unwrap();
    let sides = [high[0] - low[0], high[1] - low[1]];
    assert!((sides[0] - 6.79).abs() < 0.02 && (sides[1] - 11.13).abs() < 0.02, "{sides:?}");
    let options = PlanOptions::default().keep_degrees_out(true);
    let error = Plan::parse_bytes(PlanFormat::GeoJson, text.as_bytes(), &options).unwrap_err();
    assert!(
        error.to_string().starts_with("the coordinates are degrees around longitude 13.40005"),
        "{error}"
    );
}

#[test]
fn properties_give_roles_levels_and_names() {
    let outer = "[[0, 0], [40, 0], [40, 40], [0, 40]]";
    let inner = "[[10, 10], [20, 10], [20, 20], [10, 20]]";
    let part = |ring: &str, tags: &str| {
        let polygon = geometry("Polygon", &format!("[{ring}]"));
        format!("{{\"type\": \"Feature\", \"geometry\": {polygon}, \"properties\": {tags}}}")
    };
    let plan = read(&collection(&[part(outer, "{}"), part(inner, "{\"layer\": \"furniture\"}")]));
    assert_eq!((plan.polygons.len(), plan.obstacles.len()), (1, 1));
    let plan = read(&collection(&[part(outer, "{}"), part(inner, "{\"name\": \"Text room\"}")]));
    assert_eq!(plan.polygons.len(), 2);
    assert!(
        plan.notes[0].starts_with("floor polygon 1 lies wholly inside floor polygon 0"),
        "{:?}",
        plan.notes
    );
    let plan = read(&collection(&[part(outer, "{}"), part(inner, "{\"role\": \"exit\", \"name\": \"A\"}")]));
    assert_eq!((plan.places[0].name.as_str(), plan.places[0].role), ("A", PlanRole::Exit));
    let levels = collection(&[part(outer, "{\"level\": \"0-1\"}"), part(inner, "{\"level\": 1}")]);
    let plan = read(&levels);
    assert_eq!(plan.polygons.len(), 1);
    let plan = Plan::parse_bytes(
        PlanFormat::GeoJson,
        levels.as_bytes(),
        &PlanOptions::default().level("1".to_string()),
    );
    assert_eq!(plan.unwrap().polygons.len(), 2);
}

#[test]
fn doors_open_the_walls_of_rooms() {
    let room = |x: i32| {
        let ring = format!("[[{x}, 0], [{}, 0], [{}, 40], [{x}, 40]]", x + 40, x + 40);
        let polygon = geometry("Polygon", &format!("[{ring}]"));
        format!(
            "{{\"type\": \"Feature\", \"geometry\": {polygon}, \"properties\": {{\"indoor\": \"room\"}}}}"
        )
    };
    let door = "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Point\", \"coordinates\": [40, 20]}, \"properties\": {\"door\": \"yes\", \"width\": 2}}";
    let plan = read(&collection(&[room(0), room(40), door.to_string()]));
    assert_eq!(plan.places.len(), 1);
    let ends: Vec<_> =
        plan.walls.iter().flatten().filter(|p| p[0] == 40.0 && p[1] != 0.0 && p[1] != 40.0).collect();
    assert!(ends.iter().all(|p| p[1] == 19.0 || p[1] == 21.0) && ends.len() == 4, "{ends:?}");
    let plan = read(&collection(&[room(0), room(40)]));
    assert!(
        plan.walls.is_empty() && plan.notes[0].starts_with("2 rooms with walls but without doors"),
        "{:?}",
        plan.notes
    );
}

/// A house on a square blocks it; the outline of a building around its rooms is floor, and so is one on its own.
#[test]
fn buildings_on_a_floor_are_obstacles() {
    let square = |tags: &str, [low, high]: [i32; 2]| {
        let ring = format!("[[[{low},{low}],[{high},{low}],[{high},{high}],[{low},{high}]]]");
        let geometry = geometry("Polygon", &ring);
        format!("{{\"type\": \"Feature\", \"properties\": {{{tags}}}, \"geometry\": {geometry}}}")
    };
    let house = square("\"building\": \"yes\", \"name\": \"town hall\"", [3, 5]);
    let plan = read(&collection(&[house.clone(), square("", [0, 9])]));
    assert_eq!((plan.polygons.len(), plan.obstacles.len()), (1, 1));
    assert!(plan.notes[0].starts_with("1 buildings stand on a floor and are obstacles"), "{:?}", plan.notes);
    let room = square("\"indoor\": \"area\"", [4, 5]);
    let plan = read(&collection(&[house.clone(), room, square("", [0, 9])]));
    assert_eq!((plan.polygons.len(), plan.obstacles.len()), (3, 0));
    assert_eq!(read(&house).polygons.len(), 1);
    let options = PlanOptions::default().roles(vec![(PlanRole::Floor, "building".into())]);
    let text = collection(&[house, square("", [0, 9])]);
    let plan = Plan::parse_bytes(PlanFormat::GeoJson, text.as_bytes(), &options).unwrap();
    assert_eq!((plan.polygons.len(), plan.obstacles.len()), (2, 0));
}

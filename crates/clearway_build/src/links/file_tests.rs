//! Links in files.

use super::*;
use clearway_base::error::ErrorKind;
use clearway_nav::mesh::LinkKind;
use std::path::Path;

const GOOD: &str = r#"
# Two links of a house.
[[link]]
name = "lift A"
kind = "lift"
from = [1, 0, -2.5]
to = [1.0, 3.0, -2.5]
cost = 12
max_radius = 0.6

[[link]]
name = "ledge"
kind = "drop"
from = [4.0, 2.0]
to = [4.0, 3.0]
"#;

#[test]
fn files_are_read() {
    let links = parse_links(GOOD).unwrap();
    let [lift, ledge] = &links[..] else { panic!("{links:?}") };
    assert_eq!((lift.name.as_str(), &lift.kind, lift.both_ways), ("lift A", &LinkKind::Lift, true));
    assert_eq!((lift.from, lift.to), ([1.0, 0.0, -2.5], [1.0, 3.0, -2.5]));
    assert_eq!((lift.cost, lift.max_radius), (Some(12.0), Some(0.6)));
    assert_eq!((ledge.from, ledge.to), ([4.0, 0.0, -2.0], [4.0, 0.0, -3.0]));
    assert_eq!((ledge.both_ways, ledge.cost, ledge.max_radius), (false, None, None));
    assert_eq!(parse_links("").unwrap(), []);
}

#[test]
fn errors_name_the_line_the_link_and_the_field() {
    let with = |old: &str, new: &str| parse_links(&GOOD.replacen(old, new, 1)).unwrap_err().to_string();
    let cases = [
        (with("\"lift\"", "\"all\""), "line 5: link 0 \"lift A\": kind: all is no kind"),
        (with("\"lift\"", "\"none\""), "line 5: link 0 \"lift A\": kind: none is no kind"),
        (with("name = \"ledge\"\n", ""), "line 11: link 1: name: is missing"),
        (with("\"drop\"", "7"), "line 13: link 1 \"ledge\": kind: must be a text"),
        (with("\"drop\"", "\"\""), "line 13: link 1 \"ledge\": kind: must have 1 to 200 bytes"),
        (with("[1, 0, -2.5]", "[1, 0, -2.5, 4]"), "line 6: link 0 \"lift A\": from: must be [x, y, z]"),
        (with("[1, 0, -2.5]", "[1]"), "line 6: link 0 \"lift A\": from: must be [x, y, z]"),
        (with("[1, 0, -2.5]", "[1, 'a', 3]"), "line 6: link 0 \"lift A\": from: must be a number"),
        (with("[1, 0, -2.5]", "[1, inf, 3]"), "line 6: link 0 \"lift A\": from: [1.0, inf, 3.0] is not"),
        (with("cost = 12", "cost = -1"), "line 8: link 0 \"lift A\": cost: -1 must lie between 0 and"),
        (with("cost = 12", "cost = nan"), "line 8: link 0 \"lift A\": cost: NaN must lie between"),
        (with("cost = 12", "both_ways = 1"), "line 8: link 0 \"lift A\": both_ways: must be true or false"),
        (with("cost = 12", "costs = 12"), "line 8: link 0 \"lift A\": costs: is not known; fields are name"),
        (with("cost = 12", "cost = "), "line 8: "),
        (with("[[link]]", "[[links]]"), "line 3: "),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error:?} does not start with {expected:?}");
    }
    assert!(parse_links("link = 3").unwrap_err().to_string().contains("links are [[link]]"));
    assert!(parse_links("link = [3]").unwrap_err().to_string().contains("link 0: is not a table"));
}

#[test]
fn files_that_are_not_there_are_named() {
    let error = load_links("no/such.links.toml").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().starts_with("no/such.links.toml: "));
    assert_eq!(links_beside("a/town.glb"), Path::new("a/town.links.toml"));
}

#[test]
fn deep_nesting_is_an_error_and_nothing_else() {
    let deep = format!("link = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(parse_links(&deep).is_err());
}

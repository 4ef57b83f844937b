use super::*;
use crate::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::path::PathQuery;
use clearway_world::PlanFormat;

const GROUND: &str = "POLYGON ((0 0, 12 0, 12 8, 0 8))\nLINESTRING (6 0, 6 6)";
const FIRST: &str = "POLYGON ((0 0, 12 0, 12 8, 0 8))";

fn plan_of(file: &str, _: &PlanOptions) -> Result<Plan> {
    Plan::parse(PlanFormat::Wkt, if file == "ground" { GROUND } else { FIRST })
}

const TEXT: &str = "[[storey]]\nname = 'ground'\nheight = 0\nplan = 'ground'\n[[storey]]\nname = 'first'\nheight = 3\nplan = 'first'\n
[[stairs]]\nname = 'main'\nfrom = 'ground'\nto = 'first'\nline = [[2, 1], [2, 6]]\nwidth = 1.5\n";

#[test]
fn two_plans_and_stairs_are_one_mesh() {
    let building = read::parse(TEXT, plan_of).unwrap();
    let surface = WalkableSurface::extract(&building.scene().unwrap(), &WalkRules::default()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    assert!(mesh.check().is_empty());
    let [from, to] = [[9.0, 0.0, -2.0], [9.0, 3.0, -4.0]].map(|point| mesh.locate(point).unwrap());
    let path = mesh.find_path(&PathQuery::new(from, to).radius(0.3)).unwrap();
    // Around the thin wall of the ground floor and up the stairs, whose foot is at (2, 1).
    assert!(path.length > 22.0 && path.length < 30.0, "{}", path.length);
    // Nobody steps onto the stairs from the side.
    assert!(mesh.find_path(&PathQuery::new(from, to).radius(0.8)).is_err());
}

#[test]
fn bad_buildings_are_named() {
    let cases = [
        (TEXT.replace("'first'\nline", "'roof'\nline"), "line 13, stairs 0: to: there is no storey \"roof\""),
        (TEXT.replace("height = 3\n", ""), "line 5, storey 1: height: is missing"),
        (
            TEXT.replace("width", "wide"),
            "line 15, stairs 0: wide: is not known; fields are name, from, to, line, width",
        ),
        (
            TEXT.replace("[2, 6]", "[2]"),
            "line 14, stairs 0: line: is not a list of points such as [[2, 1], [2, 6]]",
        ),
        (
            TEXT.replace("storey", "floor"),
            "line 1: \"floor\" is not known; buildings have [[storey]] and [[stairs]]",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(read::parse(&text, plan_of).unwrap_err().to_string(), message);
    }
    let steep = read::parse(&TEXT.replace("[2, 6]", "[2, 3]"), plan_of).unwrap();
    let error = steep.scene().unwrap_err().to_string();
    assert_eq!(
        error,
        "stairs main: they rise 3.00 m over 2.00 m, steeper than 45 degrees; draw a longer line"
    );
}

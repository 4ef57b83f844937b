//! The published planner.

use clearway_build::MeshOptions;
use clearway_compare::{CentrePlanner, WayPoint};
use clearway_nav::{NoPath, PathQuery};
use clearway_world::{Plan, PlanFormat};

#[test]
fn the_centre_planner_goes_from_way_point_to_way_point() {
    let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 9 0, 9 9, 0 9), (3 3, 6 3, 6 6, 3 6))").unwrap();
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let [start, goal] = [[1.5, 1.5], [7.5, 7.5]].map(|place| mesh.locate(place).unwrap());
    let query = PathQuery::new(start, goal).radius(0.5);
    let best = mesh.find_path(&query).unwrap().length;
    for kind in [WayPoint::Centre, WayPoint::ClosestEnd] {
        let mut planner = CentrePlanner::new(&mesh, kind);
        let path = planner.find_path(&mesh, &query).unwrap();
        assert_eq!(path.pieces.len(), path.portals.len() + 1);
        // What keeps to its way points need not keep its distance: then it may be shorter than any legal path.
        assert!(path.length < 2.0 * best && (path.length >= best - 1e-9 || path.clearance < 0.5), "{kind:?}");
        let wide = query.clone().radius(1.6);
        assert!(matches!(planner.find_path(&mesh, &wide), Err(NoPath::TooNarrow { .. })), "{kind:?}");
        let wrong = query.clone().radius(f64::NAN);
        assert!(planner.find_path(&mesh, &wrong).is_err());
    }
}

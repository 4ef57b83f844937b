//! Skeletons of generated plans against the mesh's own clearance, which is computed in another way.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_geometry::{Point, Vec2};
use clearway_nav::{Location, NavMesh};
use clearway_scenes::Family;
use clearway_skeleton::{Shape, Skeleton};
use clearway_world::Plan;
use clearway_world::plan::PlanFormat;

fn meshes() -> impl Iterator<Item = (String, NavMesh)> {
    Family::ALL.into_iter().flat_map(|family| {
        (1..4).map(move |seed| {
            let text = family.draw(120, seed).to_wkt();
            let plan = Plan::parse(PlanFormat::Wkt, &text).unwrap();
            (format!("{} {seed}", family.name()), MeshOptions::default().build(&plan).unwrap())
        })
    })
}

fn places(mesh: &NavMesh, count: usize) -> Vec<Location> {
    mesh.random_points(5).take(count).collect()
}

#[test]
fn every_disc_is_empty() {
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap_or_else(|e| panic!("{name}: {e}"));
        let audit = skeleton.diagram().audit();
        assert!(audit.is_clean(), "{name}: {audit:?} {:?}", skeleton.diagram().counters());
    }
}

#[test]
fn clearance_is_that_of_the_mesh() {
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap();
        for at in places(&mesh, 200) {
            let (ours, theirs) =
                (skeleton.clearance(at.position(), None).unwrap(), mesh.clearance(at).unwrap());
            assert!((ours.distance - theirs).abs() <= 1e-9 * (1.0 + theirs), "{name}: {ours:?} {theirs}");
        }
    }
}

#[test]
fn widest_radii_are_those_of_the_peak_graph() {
    // The peak graph stores radii as 32-bit floats, rounded down.
    let most = 1.0 + 2f64.powi(-22);
    let mut compared = 0;
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap();
        let places = places(&mesh, 40);
        for (i, &a) in places.iter().enumerate() {
            for &b in &places[..i] {
                let theirs = mesh.widest_radius(a, b);
                let ours = skeleton.widest(a.position(), b.position()).map(|way| way.radius);
                let agree = match (ours, theirs) {
                    (None, None) => true,
                    (Some(ours), Some(theirs)) => ours * (1.0 + 1e-12) >= theirs && ours <= theirs * most,
                    _ => false,
                };
                assert!(agree, "{name}: from {a:?} to {b:?}: ours {ours:?}, the mesh's {theirs:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40_000, "{compared}");
}

#[test]
fn corridors_hold_every_road_once_with_its_nearest_points() {
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap();
        let ecm = skeleton.ecm();
        let chained: usize = ecm.edges.iter().map(|edge| edge.roads.len()).sum();
        assert_eq!(chained, skeleton.roads().count(), "{name}");
        for edge in &ecm.edges {
            let mut last = edge.ends[0];
            for &road in &edge.roads {
                let road = skeleton.road(road).unwrap();
                assert_eq!(road.ends[0], last, "{name}");
                last = road.ends[1];
            }
            assert_eq!(last, edge.ends[1], "{name}");
            for event in skeleton.events(&edge.roads) {
                let clearance = skeleton.clearance(event.at, None).unwrap().distance;
                assert!((clearance - event.radius).abs() < 1e-6, "{name}: {event:?} {clearance}");
                for point in [event.left, event.right] {
                    let distance = (point[0] - event.at[0]).hypot(point[1] - event.at[1]);
                    assert!((distance - event.radius).abs() < 1e-6, "{name}: {event:?}");
                }
            }
        }
    }
}

#[test]
fn retractions_lie_on_roads_and_keep_the_nearest_wall() {
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap();
        for at in places(&mesh, 100) {
            let clearance = skeleton.clearance(at.position(), None).unwrap();
            let found = skeleton.retract(at.position(), Some(clearance.site)).unwrap();
            let there = skeleton.clearance(found.at, None).unwrap();
            assert!((there.distance - found.radius).abs() < 1e-6, "{name}: {found:?} {there:?}");
            assert!(found.radius >= clearance.distance * (1.0 - 1e-9), "{name}");
            let [x, y] = clearance.point;
            let from_wall = (found.at[0] - x).hypot(found.at[1] - y);
            assert!((from_wall - found.radius).abs() < 1e-6, "{name}: {found:?} {clearance:?}");
        }
    }
}

/// Agents come and go as points; the widest ways with and without them are judged by the roads that are left.
#[test]
fn agents_leave_the_skeleton_as_it_was() {
    for (name, mesh) in meshes().filter(|(name, _)| name.ends_with(" 1")) {
        let mut skeleton = Skeleton::build(&mesh).unwrap();
        let roads = |skeleton: &Skeleton| {
            // Which roads of no length there are depends on how ties were met.
            let long = skeleton.roads().filter(|(_, road)| road.length() > 1.0);
            let mut widths: Vec<f64> = long.map(|(_, road)| road.width).collect();
            widths.sort_by(f64::total_cmp);
            widths
        };
        let free = |skeleton: &Skeleton| skeleton.vertices().count();
        let (before, vertices) = (roads(&skeleton), free(&skeleton));
        let mut agents = Vec::new();
        for at in places(&mesh, 30) {
            let spot = skeleton.units(at.position());
            let shape = Shape::Point(Point::new(spot.x.round() as i32, spot.y.round() as i32));
            // A place may be rounded onto a wall.
            if skeleton.diagram().nearest(Vec2::new(spot.x.round(), spot.y.round()), None).distance == 0.0 {
                continue;
            }
            let id = skeleton.insert(&shape).unwrap();
            let [points, _] = skeleton.diagram().sites_of(id).unwrap();
            for edge in skeleton.diagram().cell(points[0]) {
                let road = skeleton.road(edge).unwrap_or_else(|| panic!("{name}: {edge:?}"));
                assert_eq!(road.sides[1], points[0], "{name}");
            }
            agents.push(id);
        }
        assert!(agents.len() > 20, "{name}: {}", agents.len());
        assert!(skeleton.diagram().audit().is_clean(), "{name}");
        for id in agents {
            skeleton.remove(id).unwrap();
            let audit = skeleton.diagram().audit();
            assert!(audit.is_clean(), "{name}: {audit:?} {:?}", skeleton.diagram().counters());
        }
        assert_eq!(free(&skeleton), vertices, "{name}");
        let after = roads(&skeleton);
        assert_eq!(after.len(), before.len(), "{name}");
        for (one, other) in before.iter().zip(&after) {
            assert!((one - other).abs() <= 1e-4, "{name}: {one} {other}");
        }
    }
}

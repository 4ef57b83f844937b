//! The planners on generated plans: every path is judged, and held against the optimal search.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_nav::mesh::PortalId;
use clearway_nav::path::{Planner, verify};
use clearway_nav::{Location, NavMesh, Path, PathQuery};
use clearway_roads::{Detail, IndicativeRoute, Method, RoadOptions, RoadPlanner, RoadQuery, Roads};
use clearway_scenes::Family;
use clearway_world::Plan;
use clearway_world::plan::PlanFormat;

fn mesh_of(wkt: &str) -> NavMesh {
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, wkt).unwrap()).unwrap()
}

fn meshes(size: usize) -> impl Iterator<Item = (String, NavMesh)> {
    Family::ALL.into_iter().flat_map(move |family| {
        (1..3).map(move |seed| {
            (format!("{} {seed}", family.name()), mesh_of(&family.draw(size, seed).to_wkt()))
        })
    })
}

fn pairs(mesh: &NavMesh, count: usize) -> Vec<[Location; 2]> {
    let places: Vec<Location> = mesh.random_points(7).take(2 * count).collect();
    places.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Radii that say something about two places: none, small, medium, and close to the widest.
fn radii(mesh: &NavMesh, [start, goal]: [Location; 2]) -> Vec<f64> {
    let widest = mesh.widest_radius(start, goal).unwrap_or(0.0);
    let mut radii = vec![0.0, 0.05, 0.4];
    radii.extend([0.7, 0.99].map(|share| share * widest));
    radii
}

/// Asks a planner for paths on all families and judges them. Returns the numbers of paths and rescues.
fn judge(
    method: Method,
    options: &RoadOptions,
    mut also: impl FnMut(&str, &NavMesh, &Path, &Path),
) -> [u64; 2] {
    let (mut paths, mut rescues) = (0, 0);
    for (name, mesh) in meshes(100) {
        let mut planner = RoadPlanner::new(method, options.clone());
        for ends in pairs(&mesh, 10) {
            for radius in radii(&mesh, ends) {
                let query = PathQuery::new(ends[0], ends[1]).radius(radius);
                let (ours, best) = (planner.find_path(&mesh, &query), mesh.find_path(&query));
                assert_eq!(ours.is_ok(), best.is_ok(), "{name}: {ends:?} {radius}: {ours:?}, but {best:?}");
                let (Ok(ours), Ok(best)) = (ours, best) else { continue };
                verify(&mesh, &ours).unwrap_or_else(|e| panic!("{name}: {ends:?} radius {radius}: {e}"));
                let slack = 1e-9 * best.length + 1e-9;
                assert!(ours.length >= best.length - slack, "{name}: {} < {}", ours.length, best.length);
                also(&name, &mesh, &ours, &best);
                paths += 1;
            }
        }
        rescues += planner.rescues();
    }
    eprintln!("{}: {paths} paths, {rescues} rescues", method.name());
    [paths, rescues]
}

/// The portals that a path passes, without those where it turns right back: paths with the same ones are homotopic.
fn class(path: &Path) -> Vec<PortalId> {
    let mut passed: Vec<PortalId> = Vec::new();
    for portal in &path.portals {
        if passed.last() == Some(portal) {
            passed.pop();
        } else {
            passed.push(*portal);
        }
    }
    passed
}

#[test]
fn roadmap_paths_are_legal() {
    let [paths, rescues] = judge(Method::Roadmap, &RoadOptions::default(), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 200 <= paths, "{rescues} of {paths}");
}

#[test]
fn corridor_paths_are_legal_and_shortest_in_their_class() {
    let mut same = 0;
    let [paths, rescues] = judge(Method::Ecm, &RoadOptions::default(), |name, _, ours, best| {
        if class(ours) == class(best) {
            let slack = 1e-9 * best.length + 1e-9;
            assert!(ours.length <= best.length + slack, "{name}: {} > {}", ours.length, best.length);
            same += 1;
        }
    });
    eprintln!("ecm: {same} in the class of the optimum");
    assert!(same * 2 > paths);
    assert!(paths > 1000 && rescues * 100 <= paths, "{rescues} of {paths}");
}

#[test]
fn corridor_paths_with_clearance_are_legal() {
    let [paths, rescues] = judge(Method::Ecm, &RoadOptions::default().clearance(0.8), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 100 <= paths, "{rescues} of {paths}");
}

#[test]
fn indicative_routes_are_followed_legally() {
    let [paths, rescues] = judge(Method::Irm, &RoadOptions::default(), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 20 <= paths, "{rescues} of {paths}");
}

#[test]
fn miran_paths_are_legal() {
    let [paths, rescues] = judge(Method::Miran, &RoadOptions::default(), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 20 <= paths, "{rescues} of {paths}");
}

#[test]
fn both_graphs_give_the_same_costs() {
    for (name, mesh) in meshes(100) {
        let roads = Roads::build(&mesh).unwrap();
        assert!(roads.edges(Detail::Contracted).len() <= roads.edges(Detail::Raw).len());
        for ends in pairs(&mesh, 20) {
            for radius in radii(&mesh, ends) {
                let find =
                    |detail| roads.find(&mesh, ends, &RoadQuery::default().radius(radius).detail(detail));
                match (find(Detail::Raw), find(Detail::Contracted)) {
                    (Ok(raw), Ok(joined)) => {
                        let slack = 1e-9 * raw.cost + 1e-9;
                        assert!(
                            (raw.cost - joined.cost).abs() <= slack,
                            "{name}: {} {}",
                            raw.cost,
                            joined.cost
                        );
                        // Loops make a longer list, but a chain never has more nodes than its parts.
                        assert!(joined.expansions <= raw.expansions + 4, "{name}");
                    }
                    (raw, joined) => assert_eq!(raw.is_ok(), joined.is_ok(), "{name} {ends:?} {radius}"),
                }
            }
        }
    }
}

#[test]
fn corridors_of_optimal_paths_give_them_back() {
    let (mut count, mut failed) = (0, 0);
    for (name, mesh) in meshes(100) {
        let roads = Roads::build(&mesh).unwrap();
        for ends in pairs(&mesh, 10) {
            for radius in radii(&mesh, ends) {
                let Ok(best) = mesh.find_path(&PathQuery::new(ends[0], ends[1]).radius(radius)) else {
                    continue;
                };
                count += 1;
                let corridor = roads.corridor_of_route(&mesh, &IndicativeRoute::of(&best));
                let ours = corridor.and_then(|corridor| {
                    assert!(
                        corridor.width() >= radius * (1.0 - 1e-9),
                        "{name}: {} < {radius}",
                        corridor.width()
                    );
                    corridor.path(&roads, &mesh, radius, 0.0)
                });
                let Some(ours) = ours else {
                    failed += 1;
                    continue;
                };
                verify(&mesh, &ours).unwrap_or_else(|e| panic!("{name}: {ends:?} radius {radius}: {e}"));
                let slack = 1e-9 * best.length + 1e-9;
                assert!(
                    (ours.length - best.length).abs() <= slack,
                    "{name}: {} {}",
                    ours.length,
                    best.length
                );
            }
        }
    }
    eprintln!("{count} routes, {failed} without a path in their corridor");
    assert!(failed * 100 <= count, "{failed} of {count}");
}

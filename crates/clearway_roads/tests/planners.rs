//! The planners on generated plans: every path is judged, and held against the optimal search.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_nav::mesh::PortalId;
use clearway_nav::path::{Planner, verify};
use clearway_nav::{Location, NavMesh, Path, PathQuery};
use clearway_roads::{
    Detail, IndicativeRoute, Irm, Method, Miran, MiranOptions, RoadOptions, RoadPlanner, RoadQuery, Roads,
};
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
    assert!(paths > 1000 && rescues * 200 <= paths, "{rescues} of {paths}");
}

#[test]
fn corridor_paths_with_clearance_are_legal() {
    let [paths, rescues] = judge(Method::Ecm, &RoadOptions::default().clearance(0.8), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 200 <= paths, "{rescues} of {paths}");
}

#[test]
fn indicative_routes_are_followed_legally() {
    let [paths, rescues] = judge(Method::Irm, &RoadOptions::default(), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 200 <= paths, "{rescues} of {paths}");
}

#[test]
fn miran_paths_are_legal() {
    let [paths, rescues] = judge(Method::Miran, &RoadOptions::default(), |_, _, _, _| ());
    assert!(paths > 1000 && rescues * 200 <= paths, "{rescues} of {paths}");
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

#[test]
fn no_empty_circle_on_the_roads_is_deeper_than_the_retraction() {
    for (name, mesh) in meshes(60) {
        let roads = Roads::build(&mesh).unwrap();
        let skeleton = roads.skeleton();
        let circles: Vec<([f64; 2], f64)> = (skeleton.roads())
            .flat_map(|(_, edge)| (0..=8).map(move |i| edge.at(f64::from(i) / 8.0)))
            .filter_map(|at| {
                let place = skeleton.place(at);
                Some((place, skeleton.clearance(place, None)?.distance))
            })
            .collect();
        for at in mesh.random_points(3).take(30) {
            let place = at.position();
            let depth = |(center, radius): &([f64; 2], f64)| {
                radius - (center[0] - place[0]).hypot(center[1] - place[1])
            };
            let best = skeleton.retract(place, None).map(|found| depth(&(found.at, found.radius))).unwrap();
            let most = circles.iter().map(depth).fold(f64::NEG_INFINITY, f64::max);
            assert!(best >= most - 1e-6, "{name} at {place:?}: {most} is deeper than {best}");
        }
    }
}

/// The share of a path in cells where a metre is dear.
fn dear_share(mesh: &NavMesh, path: &Path, costs: &[f64]) -> f64 {
    let places = path
        .pieces
        .iter()
        .flat_map(|piece| (0..20).map(|i| piece.place_at(piece.length() * f64::from(i) / 20.0)));
    let dear: Vec<bool> =
        places.filter_map(|at| mesh.locate(at).ok()).map(|at| costs[at.cell().index()] > 1.0).collect();
    dear.iter().filter(|is_dear| **is_dear).count() as f64 / dear.len() as f64
}

#[test]
fn sigma_and_weights_rule_how_miran_follows() {
    let mesh = mesh_of(
        "POLYGON ((0 0, 30 0, 30 20, 0 20, 0 0), (0.5 9, 12 9, 12 11, 0.5 11, 0.5 9), \
         (18 9, 29.5 9, 29.5 11, 18 11, 18 9))",
    );
    let route = [[2.0, 2.0], [15.0, 6.0], [26.0, 3.0], [15.0, 10.0], [15.0, 16.0], [2.0, 18.0]];
    let start = mesh.locate(route[0]).unwrap();
    let walk = |sigma: f64, cells: &[f64]| {
        let options = MiranOptions::default().sigma(sigma).cells(cells.to_vec()).radius(0.4);
        let route = IndicativeRoute::new(&route).unwrap();
        let path = Miran::new(&mesh, start, route, options).unwrap().walk(&mesh, start, 0.25).unwrap();
        verify(&mesh, &path).unwrap();
        path
    };
    // The larger sigma, the more is cut short; a small one follows the route.
    let full = IndicativeRoute::new(&route).unwrap().length();
    let lengths = [0.05, 4.0, 100.0].map(|sigma| walk(sigma, &[]).length);
    assert!(
        lengths[0] > 0.98 * full && lengths[0] > lengths[1] && lengths[1] > lengths[2],
        "{lengths:?} of {full}"
    );
    // The cells that the shortcut visits, but the route does not, become dear.
    let [followed, cut] = [walk(0.05, &[]), walk(100.0, &[])];
    let mut costs = vec![1.0; mesh.cell_count()];
    cut.cells
        .iter()
        .filter(|cell| !followed.cells.contains(cell))
        .for_each(|cell| costs[cell.index()] = 50.0);
    let kept = walk(100.0, &costs);
    assert!(dear_share(&mesh, &kept, &costs) <= dear_share(&mesh, &cut, &costs));
    let bad = MiranOptions::default().sigma(0.0);
    assert!(Miran::new(&mesh, start, IndicativeRoute::new(&route).unwrap(), bad).is_none());
}

#[test]
fn irm_follows_optimal_routes_too() {
    let (mut count, mut failed) = (0, 0);
    for (name, mesh) in meshes(60) {
        let roads = Roads::build(&mesh).unwrap();
        for ends in pairs(&mesh, 5) {
            for radius in radii(&mesh, ends) {
                let Ok(best) = mesh.find_path(&PathQuery::new(ends[0], ends[1]).radius(radius)) else {
                    continue;
                };
                count += 1;
                let walked = Irm::new(IndicativeRoute::of(&best), radius).walk(&roads, &mesh, ends[0], 0.25);
                match walked {
                    Some(path) => verify(&mesh, &path).unwrap_or_else(|e| panic!("{name}: {e}")),
                    None => failed += 1,
                }
            }
        }
    }
    eprintln!("irm on optimal routes: {count}, {failed} failed");
    assert!(failed * 200 <= count, "{failed} of {count}");
}

use super::*;
use crate::path::field::tests::{mesh_of, places, scenes, stale};
use crate::path::verify;

fn query(from: Location, to: Location) -> PathQuery {
    PathQuery::new(from, to).costs(Costs::default())
}

fn costly(from: Location, to: Location, mesh: &NavMesh, cost: impl FnMut(CellId) -> f64) -> PathQuery {
    PathQuery::new(from, to).costs(Costs::default().by_cell(mesh, cost))
}

fn shunning(from: Location, to: Location, avoid: Avoid) -> PathQuery {
    PathQuery::new(from, to).costs(Costs::default().avoid(vec![avoid]))
}

fn at(mesh: &NavMesh, x: f64, y: f64) -> Location {
    mesh.locate([x, y]).unwrap()
}

#[test]
fn costs_of_one_give_nearly_shortest_paths() {
    for part in [0.0, 0.004] {
        let (mut worst, mut sum, mut count, mut missed) = (1.0f64, 0.0, 0, 0);
        for (name, mesh) in scenes(30) {
            let radius = part * mesh.area().sqrt();
            let all = places(&mesh, 21, 40);
            for pair in all.chunks(2) {
                let plain = PathQuery::new(pair[0], pair[1]).radius(radius);
                let asked = plain.clone().costs(Costs::default());
                let Ok(shortest) = mesh.find_path(&plain) else {
                    assert!(mesh.find_path(&asked).is_err(), "{name}");
                    continue;
                };
                let found = mesh.find_path(&asked).unwrap();
                assert_eq!(verify(&mesh, &found), Ok(()), "{name}");
                assert!((found.cost - found.length).abs() <= 1e-6 * found.cost, "{name}: {found:?}");
                assert!(found.cost <= shortest.length * (1.0 + 1e-6), "{name}");
                assert!(found.bound == f64::INFINITY && found.complete);
                // What the graph finds without help.
                let costs = Costs::default();
                let mut rate = Rate::new(&mesh, &costs);
                let Some(cheap) = mesh.cheap_path(&asked, &mut rate).unwrap() else {
                    missed += 1;
                    continue;
                };
                assert_eq!(verify(&mesh, &cheap), Ok(()), "{name}");
                let ratio = cheap.length / shortest.length;
                assert!(ratio >= 1.0 - 1e-9, "{name}: {ratio}");
                (worst, sum, count) = (worst.max(ratio), sum + ratio, count + 1);
            }
        }
        println!(
            "radius {part}: {count} paths, {missed} missed, on average {}, at most {worst}",
            sum / f64::from(count)
        );
        assert!(sum / f64::from(count) < 1.01 && worst < 1.2 && 50 * missed <= count, "{worst}");
    }
}

#[test]
fn costly_cells_are_walked_around() {
    // A room with a block in the middle: below it is shorter, above dearer only if it is told so.
    let mesh = mesh_of("POLYGON ((0 0, 20 0, 20 10, 0 10), (5 2, 15 2, 15 7, 5 7))");
    let (from, to) = (at(&mesh, 1.0, 4.0), at(&mesh, 19.0, 4.0));
    let below = |path: &Path| path.points(0.1).iter().all(|point| point[1] < 5.0);
    let plain = mesh.find_path(&query(from, to)).unwrap();
    assert!(below(&plain), "{plain:?}");
    let dear = at(&mesh, 10.0, 1.0).cell;
    for cost in [10.0, f64::INFINITY] {
        let asked = costly(from, to, &mesh, |cell| if cell == dear { cost } else { 1.0 });
        let found = mesh.find_path(&asked).unwrap();
        assert!(!below(&found) && !found.cells.contains(&dear), "{found:?}");
        assert!((found.cost - found.length).abs() < 1e-9);
    }
    let asked = costly(from, to, &mesh, |_| f64::INFINITY);
    assert_eq!(mesh.find_path(&asked).err(), Some(NoPath::Disconnected));
    let cheap = costly(from, to, &mesh, |_| 0.5);
    assert!((mesh.find_path(&cheap).unwrap().cost - 0.5 * plain.cost).abs() < 1e-6);
}

#[test]
fn costs_bend_paths_as_light_bends() {
    // Two halves, the right one three times as dear, with a portal between them.
    let mesh = mesh_of("POLYGON ((0 0, 10 0.5, 20 0, 20 30, 10 29.5, 0 30))");
    let (from, to) = (at(&mesh, 2.0, 5.0), at(&mesh, 18.0, 25.0));
    let dear = to.cell;
    assert!(dear != from.cell);
    let asked = costly(from, to, &mesh, |cell| if cell == dear { 3.0 } else { 1.0 });
    let found = mesh.find_path(&asked).unwrap();
    let straight = mesh.find_path(&PathQuery::new(from, to)).unwrap();
    assert!(found.length > straight.length * 1.001, "{found:?}");
    if let [Piece::Segment { from: a, to: b }, Piece::Segment { to: c, .. }] = found.pieces[..]
        && (b[0] - 10.0).abs() < 0.6
    {
        let sine = |p: [f64; 2], q: [f64; 2]| (q[1] - p[1]) / (q[0] - p[0]).hypot(q[1] - p[1]);
        assert!((sine(a, b) - 3.0 * sine(b, c)).abs() < 0.15, "{found:?}");
    }
}

#[test]
fn costs_keep_away_from_places() {
    let mesh = mesh_of("POLYGON ((0 0, 20 0, 20 10, 0 10), (5 2, 15 2, 15 7, 5 7))");
    let (from, to) = (at(&mesh, 1.0, 4.0), at(&mesh, 19.0, 4.0));
    let avoid = Avoid { at: at(&mesh, 10.0, 1.0), reach: 6.0, factor: 20.0 };
    let found = mesh.find_path(&shunning(from, to, avoid)).unwrap();
    assert!(found.points(0.1).iter().any(|point| point[1] >= 7.0), "{found:?}");
    // A ramp from the reach to the place costs the mean of both ends.
    let mesh = mesh_of("POLYGON ((0 0, 20 0, 20 10, 0 10))");
    let avoid = Avoid { at: at(&mesh, 10.0, 5.0), reach: 5.0, factor: 3.0 };
    let asked = shunning(at(&mesh, 5.0, 5.0), at(&mesh, 10.0, 5.0), avoid);
    let found = mesh.find_path(&asked).unwrap();
    assert!((found.cost - 10.0).abs() < 1e-6, "{found:?}");
}

#[test]
fn costs_stay_unseen() {
    // The watcher stands in a bay below the lower way and sees all of it.
    let mesh = mesh_of("POLYGON ((0 0, 9 0, 9 -4, 11 -4, 11 0, 20 0, 20 10, 0 10), (5 2, 15 2, 15 7, 5 7))");
    let (from, to, watcher) = (at(&mesh, 1.0, 4.0), at(&mesh, 19.0, 4.0), at(&mesh, 10.0, 0.2));
    let below = |path: &Path| path.points(0.1).iter().all(|point| point[1] < 5.0);
    assert!(below(&mesh.find_path(&query(from, to)).unwrap()));
    let asked = PathQuery::new(from, to).costs(Costs::default().unseen_from(vec![watcher]).seen_factor(8.0));
    let found = mesh.find_path(&asked).unwrap();
    assert!(!below(&found), "{found:?}");
    // In an open room every step is seen.
    let mesh = mesh_of("POLYGON ((0 0, 20 0, 20 10, 0 10))");
    let (from, to) = (at(&mesh, 1.0, 4.0), at(&mesh, 19.0, 4.0));
    let watched = Costs::default().unseen_from(vec![at(&mesh, 10.0, 9.0)]).seen_factor(5.0);
    let asked = PathQuery::new(from, to).costs(watched);
    assert!((mesh.find_path(&asked).unwrap().cost - 90.0).abs() < 1e-6);
}

#[test]
fn costs_seen_agree_with_rays() {
    for (name, mesh) in scenes(20) {
        let watcher = places(&mesh, 31, 1)[0];
        let Some(seen) = sight(&mesh, &[watcher]) else { continue };
        for place in places(&mesh, 32, 100) {
            let ray = mesh.raycast(watcher, place.position, 0.0).unwrap().reached();
            let spot = mesh.parts.grid.units(place.position);
            let known = seen.shortest(mesh.graph(), spot, place.cell.0);
            let known = known.is_some_and(|end| {
                (end.length - spot.distance(mesh.parts.grid.units(watcher.position))).abs()
                    < 1e-6 * mesh.graph().extent
                    && !seen.seen_parts(place.cell.0, spot, spot + Vec2::new(1e-3, 1e-3)).is_empty()
            });
            assert_eq!(ray, known, "{name}: {place:?} from {watcher:?}");
        }
    }
}

#[test]
fn costs_lead_to_the_cheapest_goal() {
    let mesh = mesh_of("POLYGON ((0 0, 20 0, 20 10, 0 10), (5 2, 15 2, 15 7, 5 7))");
    let (from, near, far) = (at(&mesh, 10.0, 8.0), at(&mesh, 16.0, 8.0), at(&mesh, 2.0, 8.0));
    let mut asked = query(from, far).more_goals(vec![near, stale()[0]]);
    assert_eq!(mesh.find_path(&asked).unwrap().goal, [16.0, 8.0]);
    let avoid = vec![Avoid { at: near, reach: 4.0, factor: 50.0 }];
    asked = asked.costs(Costs::default().avoid(avoid));
    assert_eq!(mesh.find_path(&asked).unwrap().goal, [2.0, 8.0]);
}

#[test]
fn costs_refuse_bad_input() {
    let mesh = mesh_of("POLYGON ((0 0, 20 0, 20 10, 0 10), (5 2, 15 2, 15 7, 5 7))");
    let good = query(at(&mesh, 1.0, 4.0), at(&mesh, 19.0, 4.0));
    for bad in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY, 1e-300] {
        let (here, nowhere) = (good.start, Location::in_cell(good.start.cell, [f64::NAN, 1.0]));
        let avoid = |at: Location, reach: f64, factor: f64| vec![Avoid { at, reach, factor }];
        let all = [
            Costs::default().cells(vec![1.0, bad]),
            Costs::default().seen_factor(bad),
            Costs::default().avoid(avoid(here, 1.0, bad)),
            Costs::default().avoid(avoid(nowhere, 1.0, 2.0)),
            Costs::default().avoid(avoid(here, f64::NAN, 2.0)),
        ];
        for asked in all.map(|costs| good.clone().costs(costs)) {
            assert!(matches!(mesh.find_path(&asked), Err(NoPath::BadCost { .. })), "{asked:?}");
        }
    }
    let endless =
        shunning(good.start, good.goal, Avoid { at: good.start, reach: f64::INFINITY, factor: 2.0 });
    assert!(mesh.find_path(&endless).is_ok());
    let watched = good.clone().costs(Costs::default().unseen_from(stale()).cells(vec![1.0; 1000]));
    assert!(mesh.find_path(&watched).is_ok());
    for place in stale() {
        let off = query(place, good.goal);
        assert_eq!(mesh.find_path(&off).err(), Some(NoPath::OffMesh { place: Place::Start }));
        let off = query(good.start, place);
        assert_eq!(mesh.find_path(&off).err(), Some(NoPath::OffMesh { place: Place::Goal }));
    }
    for radius in [-1.0, f64::NAN] {
        let asked = good.clone().radius(radius);
        assert!(matches!(mesh.find_path(&asked), Err(NoPath::BadRadius { .. })));
    }
    let same = query(good.start, good.start);
    assert_eq!(mesh.find_path(&same).unwrap().cost, 0.0);
}

/// Partial paths were refused as soon as there were costs.
#[test]
fn costs_allow_partial_paths() {
    let mesh = mesh_of("POLYGON ((0 0, 10 0, 10 4, 0 4))");
    let query = PathQuery::new(at(&mesh, 1.0, 2.0), at(&mesh, 9.9, 2.0)).radius(0.5).partial(true);
    let plain = mesh.find_path(&query).unwrap();
    let found = mesh.find_path(&query.costs(Costs::default())).unwrap();
    assert!(!found.complete && (found.length - plain.length).abs() < 1e-6, "{found:?}");
}

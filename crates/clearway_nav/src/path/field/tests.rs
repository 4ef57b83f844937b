use super::*;
use crate::mesh::CellId;
use crate::path::PathQuery;
use crate::testing::MeshOptions;
use clearway_build::Quality;
use clearway_scenes::{Family, PlanDrawing};
use clearway_world::plan::{Plan, PlanFormat, PlanPolygon};

pub(crate) fn built(drawing: PlanDrawing) -> NavMesh {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    let plan =
        Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() };
    MeshOptions::default().quality(Quality::Fast).build(&plan).unwrap()
}

pub(crate) fn mesh_of(wkt: &str) -> NavMesh {
    let plan = Plan::parse(PlanFormat::Wkt, wkt).unwrap();
    MeshOptions::default().build(&plan).unwrap()
}

/// Meshes of every family, every other one turned and far from the origin.
pub(crate) fn scenes(size: usize) -> Vec<(String, NavMesh)> {
    let scene = |(seed, family): (usize, Family)| {
        let drawing = family.draw(size, seed as u64);
        let turned = drawing.scaled(1.7, 0.3, [500_000.0, -4_000_000.0]);
        (family.name().to_string(), built(if seed % 2 == 0 { drawing } else { turned }))
    };
    Family::ALL.into_iter().enumerate().map(scene).collect()
}

pub(crate) fn places(mesh: &NavMesh, seed: u64, count: usize) -> Vec<Location> {
    mesh.random_points(seed).take(count).collect()
}

/// A location of no mesh at all.
pub(crate) fn stale() -> Vec<Location> {
    let place = |cell: u32, position: [f64; 2]| Location { cell: CellId(cell), position };
    vec![place(u32::MAX, [0.0, 0.0]), place(0, [f64::NAN, 0.0]), place(0, [1e300, f64::INFINITY])]
}

fn field(mesh: &NavMesh, goals: &[Location]) -> DistanceField {
    mesh.distance_field(goals, 0.0, &FieldOptions::default()).unwrap()
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// The mesh corners as locations, which lie on walls and portals alike.
fn vertices(mesh: &NavMesh, count: usize) -> Vec<Location> {
    let of_cell = |cell: u32| {
        let layout = mesh.graph();
        layout.sides(cell).filter_map(move |side| mesh.settle(cell, layout.start[side]))
    };
    let all: Vec<Location> = (0..mesh.cell_count() as u32).flat_map(of_cell).collect();
    let step = (all.len() / count).max(1);
    all.into_iter().step_by(step).collect()
}

#[test]
fn field_is_as_long_as_the_shortest_path() {
    for (name, mesh) in scenes(40) {
        for goal in places(&mesh, 5, 3).into_iter().chain(vertices(&mesh, 3)) {
            let field = field(&mesh, &[goal]);
            let mut all = places(&mesh, 77, 40);
            all.extend(vertices(&mesh, 40));
            for at in all {
                let path = mesh.find_path(&PathQuery::new(at, goal)).ok().map(|path| path.length);
                let known = field.distance(&mesh, at);
                let agrees = match (path, known) {
                    (Some(path), Some(known)) => same(path, known) || (path - known).abs() < 1e-9,
                    (path, known) => path.is_none() && known.is_none(),
                };
                assert!(agrees, "{name}: {path:?} and {known:?} from {at:?} to {goal:?}");
            }
        }
    }
}

#[test]
fn field_of_several_goals_takes_the_nearest() {
    for (name, mesh) in scenes(30) {
        let goals = places(&mesh, 1, 5);
        let (all, single) = (field(&mesh, &goals), goals.iter().map(|goal| field(&mesh, &[*goal])));
        let single: Vec<DistanceField> = single.collect();
        for at in places(&mesh, 2, 200) {
            let least =
                single.iter().filter_map(|field| field.distance(&mesh, at)).fold(f64::INFINITY, f64::min);
            let known = all.distance(&mesh, at).unwrap_or(f64::INFINITY);
            assert!(known == least || same(known, least), "{name}: {known} and {least}");
            if let Some(goal) = all.nearest_goal(&mesh, at) {
                let number = goals.iter().position(|other| *other == goal).unwrap();
                assert!(same(single[number].distance(&mesh, at).unwrap(), known), "{name}");
            }
        }
    }
}

#[test]
fn field_falls_along_its_directions() {
    for (name, mesh) in scenes(30) {
        let field = field(&mesh, &places(&mesh, 3, 2));
        for at in places(&mesh, 4, 100) {
            let (Some(far), Some(way)) = (field.distance(&mesh, at), field.direction(&mesh, at)) else {
                continue;
            };
            let [x, y] = at.position;
            let first = field.turns(&mesh, at)[0];
            let step = 0.5 * (first[0] - x).hypot(first[1] - y);
            let next = mesh.locate_near([x + way[0] * step, y + way[1] * step], &at);
            let Ok(next) = next else { continue };
            let left = field.distance(&mesh, next).unwrap();
            assert!((far - left - step).abs() <= 1e-6 * far, "{name}: {far}, then {left} after {step}");
        }
    }
}

#[test]
fn field_for_a_radius_is_between_the_bounds() {
    let (mut missed, mut found, mut worst, mut sum) = (0, 0, 1.0f64, 0.0);
    for (name, mesh) in scenes(30) {
        let radius = 0.004 * mesh.area().sqrt();
        let legal = |at: &Location| mesh.clearance(*at).unwrap() > radius;
        let Some(goal) = mesh.random_points(6).take(50).find(legal) else { continue };
        let field = mesh.distance_field(&[goal], radius, &FieldOptions::default()).unwrap();
        for at in places(&mesh, 8, 60).into_iter().filter(legal) {
            let query = PathQuery::new(at, goal).radius(radius);
            match (mesh.find_path(&query), field.distance(&mesh, at)) {
                (Ok(path), Some(known)) => {
                    assert!(known >= path.length * (1.0 - 1e-6), "{name}: {known} and {}", path.length);
                    assert!(field.least_distance(&mesh, at).unwrap() <= path.length * (1.0 + 1e-9), "{name}");
                    found += 1;
                    sum += known / path.length;
                    worst = worst.max(known / path.length);
                }
                (Ok(_), None) => missed += 1,
                (Err(_), known) => assert!(known.is_none(), "{name}: {known:?} where there is no path"),
            }
        }
    }
    println!("{found} found, {missed} missed, on average {}, at most {worst}", sum / f64::from(found));
    assert!(
        20 * missed < found && sum / f64::from(found) < 1.01 && worst < 1.25,
        "{missed} missed, {found} found, {worst}"
    );
}

/// On a prepared mesh the field of a body is exact, and following it leads to the goal.
#[test]
fn field_for_a_radius_is_exact_on_a_prepared_mesh() {
    let (mut count, mut steps) = (0, 0);
    for (name, mesh) in scenes(30) {
        mesh.prepare_paths();
        let radius = 0.004 * mesh.area().sqrt();
        let room = |place: &Location| mesh.clearance(*place).unwrap() >= radius;
        let places: Vec<Location> = places(&mesh, 17, 60).into_iter().filter(room).collect();
        let Some([goals, others]) = places.split_at_checked(2).map(|(goals, others)| [goals, others]) else {
            continue;
        };
        let field = mesh.distance_field(goals, radius, &FieldOptions::default()).unwrap();
        for place in others {
            let query = PathQuery::new(*place, goals[0]).more_goals(goals[1..].to_vec()).radius(radius);
            let path = mesh.find_path(&query).ok().map(|path| path.length);
            let told = field.distance(&mesh, *place);
            match (path, told) {
                (Some(path), Some(told)) => {
                    assert!((path - told).abs() <= 1e-9 * path.max(1.0), "{name}: {path}, but {told}");
                    count += 1;
                }
                (path, told) => assert_eq!(path, told, "{name}"),
            }
            let Some(direction) = field.direction(&mesh, *place) else { continue };
            let step = 0.01 * radius;
            let [x, y] = place.position();
            let next = [x + step * direction[0], y + step * direction[1]];
            if let Ok(next) = mesh.locate_near(next, place)
                && let (Some(before), Some(after)) = (told, field.distance(&mesh, next))
            {
                assert!(after < before, "{name}: from {before} to {after}");
                steps += 1;
            }
        }
    }
    assert!(count > 300 && steps > 200, "{count} distances, {steps} steps");
}

#[test]
fn fields_end_at_their_limits() {
    for (name, mesh) in scenes(30) {
        let goals = places(&mesh, 9, 1);
        let whole = field(&mesh, &goals);
        let far = 0.3 * mesh.area().sqrt();
        let options = FieldOptions::default().max_distance(far);
        let near = mesh.distance_field(&goals, 0.0, &options).unwrap();
        let options = FieldOptions::default().max_beams(20);
        let small = mesh.distance_field(&goals, 0.0, &options).unwrap();
        assert_eq!((near.reach(), whole.reach()), (far / mesh.unit() * mesh.unit(), f64::INFINITY));
        for at in places(&mesh, 10, 100) {
            let known = whole.distance(&mesh, at);
            for limited in [&near, &small] {
                let expected = known.filter(|known| *known <= limited.reach());
                let found = limited.distance(&mesh, at);
                let agrees = match (expected, found) {
                    (Some(a), Some(b)) => same(a, b),
                    (a, b) => a.is_none() && b.is_none(),
                };
                assert!(agrees, "{name}: {expected:?} and {found:?}, reach {}", limited.reach());
            }
        }
    }
}

#[test]
fn field_refuses_bad_input() {
    let [mesh, other] = [30, 31].map(|size| built(Family::Caves.draw(size, 1)));
    let options = FieldOptions::default();
    let goals = places(&mesh, 1, 2);
    let off = NoPath::OffMesh { place: Place::Goal };
    assert_eq!(mesh.distance_field(&[], 0.0, &options).err(), Some(off));
    assert_eq!(mesh.distance_field(&stale(), 0.0, &options).err(), Some(off));
    for radius in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(mesh.distance_field(&goals, radius, &options), Err(NoPath::BadRadius { .. })));
    }
    assert!(matches!(mesh.distance_field(&goals, 1e9, &options), Err(NoPath::TooClose { .. })));
    let field = field(&mesh, &goals);
    for at in stale() {
        assert_eq!((field.distance(&mesh, at), field.direction(&mesh, at)), (None, None));
        assert!(field.turns(&mesh, at).is_empty() && field.nearest_goal(&mesh, at).is_none());
    }
    for at in places(&other, 1, 20) {
        assert_eq!(field.distance(&other, at), None);
        assert_eq!(field.within(&other, 1e9), Within::default());
    }
    for bad in [f64::NAN, -5.0] {
        let options = FieldOptions { max_distance: bad, max_beams: 0 };
        let field = mesh.distance_field(&goals, 0.0, &options).unwrap();
        assert!(places(&mesh, 3, 20).into_iter().all(|at| field.distance(&mesh, at).is_none()));
    }
    assert_eq!(field.direction(&mesh, goals[0]), None);
}

#[test]
fn field_cells_within_are_within() {
    for (name, mesh) in scenes(30) {
        for (seed, from) in places(&mesh, 11, 3).into_iter().enumerate() {
            let far = [0.1, 0.4, 2.0][seed] * mesh.area().sqrt();
            let (field, within) = (field(&mesh, &[from]), mesh.within(from, far));
            for at in places(&mesh, 12, 300) {
                let near = field.distance(&mesh, at).is_some_and(|distance| distance <= far);
                let [whole, partly] = [&within.whole, &within.partly].map(|list| list.contains(&at.cell));
                assert!(!whole || near, "{name}: {at:?} is farther than {far}");
                assert!(!near || whole || partly, "{name}: {at:?} is nearer than {far}");
            }
        }
        let from = places(&mesh, 11, 1)[0];
        let all = mesh.within(from, f64::INFINITY);
        let component = mesh.cell(from.cell).unwrap().component();
        let expected = mesh.cells().filter(|cell| cell.component() == component).count();
        assert_eq!((all.whole.len(), all.partly.len()), (expected, 0), "{name}");
    }
}

#[test]
fn field_random_points_are_within_and_everywhere() {
    for (name, mesh) in scenes(20) {
        let from = places(&mesh, 13, 1)[0];
        let far = 0.2 * mesh.area().sqrt();
        let field = field(&mesh, &[from]);
        for seed in 0..50 {
            let at = mesh.random_point_within(from, far, seed).unwrap();
            assert_eq!(Some(at), mesh.random_point_within(from, far, seed));
            assert!(field.distance(&mesh, at).unwrap() <= far * (1.0 + 1e-9), "{name}");
        }
    }
    // In an open room half of the area of a disc lies within 0.707 of its radius.
    let mesh = mesh_of("POLYGON ((0 0, 100 0, 100 100, 0 100))");
    let from = mesh.locate([50.0, 50.0]).unwrap();
    let inner = |seed: &u64| {
        let [x, y] = mesh.random_point_within(from, 10.0, *seed).unwrap().position;
        (x - 50.0).hypot(y - 50.0) < 10.0 / 2f64.sqrt()
    };
    let count = (0..2000).filter(inner).count();
    assert!((900..1100).contains(&count), "{count} of 2000");
    assert_eq!(mesh.random_point_within(from, 0.0, 3), Some(from));
    for bad in [f64::NAN, -1.0] {
        assert_eq!(mesh.random_point_within(from, bad, 3), None);
        assert_eq!(mesh.within(from, bad), Within::default());
    }
    for at in stale() {
        assert_eq!(mesh.random_point_within(at, 5.0, 3), None);
        assert_eq!(mesh.within(at, 5.0), Within::default());
    }
}

#[test]
fn field_flight_gets_farther_and_never_nearer() {
    let mut fled = 0;
    for (name, mesh) in scenes(30) {
        let far = 0.5 * mesh.area().sqrt();
        for (number, from) in places(&mesh, 14, 6).into_iter().enumerate() {
            let radius = if number % 2 == 0 { 0.0 } else { 0.004 * mesh.area().sqrt() };
            let threats = places(&mesh, 15 + number as u64, 2);
            let field = field(&mesh, &threats);
            let path = match mesh.flee(from, &threats, far, radius) {
                Ok(path) => path,
                Err(reason) => {
                    assert!(matches!(reason, NoPath::TooClose { .. }), "{name}: {reason}");
                    continue;
                }
            };
            assert!(path.length <= far * (1.0 + 1e-9), "{name}");
            let away = |place: [f64; 2]| field.distance(&mesh, mesh.nearest(place, 1e-3).unwrap());
            let Some(before) = away(path.start) else { continue };
            let after = away(path.goal).unwrap();
            assert!(
                after >= before && (path.length == 0.0 || after > before),
                "{name}: {before} and {after}"
            );
            let least = path.points(0.1).into_iter().filter_map(away).fold(f64::INFINITY, f64::min);
            assert!(least >= before * (1.0 - 1e-6) - radius, "{name}: {least} on the way, {before} before");
            fled += usize::from(path.length > 0.0);
        }
    }
    assert!(fled > 40, "only {fled}");
}

#[test]
fn field_flight_in_a_corridor() {
    // A corridor of length 20 with a dead end; the threat stands at its mouth, in a hall.
    let mesh = mesh_of("POLYGON ((0 0, 40 0, 40 20, 20 20, 20 2, 0 2))");
    let at = |x: f64, y: f64| mesh.locate([x, y]).unwrap();
    let threat = [at(22.0, 1.0)];
    let path = mesh.flee(at(15.0, 1.0), &threat, 40.0, 0.3).unwrap();
    assert!(path.goal[0] < 2.0, "{path:?}");
    let path = mesh.flee(at(26.0, 5.0), &threat, 40.0, 0.3).unwrap();
    assert!(path.goal[0] > 34.0 && path.goal[1] > 15.0, "{path:?}");
    let short = mesh.flee(at(26.0, 5.0), &threat, 3.0, 0.0).unwrap();
    assert!(short.length > 1.0 && short.length <= 3.0, "{short:?}");
    for (distance, threats) in [(-1.0, &threat[..]), (f64::NAN, &threat), (5.0, &[]), (5.0, &stale())] {
        let path = mesh.flee(at(15.0, 1.0), threats, distance, 0.0).unwrap();
        assert_eq!((path.length, path.goal), (0.0, [15.0, 1.0]));
    }
    assert!(mesh.flee(stale()[0], &threat, 5.0, 0.0).is_err());
    assert!(mesh.flee(at(15.0, 1.0), &threat, 5.0, -1.0).is_err());
    assert!(mesh.flee(at(15.0, 0.1), &threat, 5.0, 0.5).is_err());
}

//! Rays, swept discs, slides and random places.

use super::{anywhere, build, empty, numbers, room, scenes, wall_distance, walls};
use crate::mesh::{CellId, NavMesh};
use crate::query::Location;
use clearway_geometry::Vec2;
use clearway_world::plan::Plan;

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn between(a: [f64; 2], b: [f64; 2], part: f64) -> [f64; 2] {
    [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part)
}

/// A place on the mesh and a target near it or far away.
fn journey(mesh: &NavMesh, number: &mut impl FnMut() -> f64) -> (Location, [f64; 2]) {
    let from = mesh.random_point((number() * 1e9) as u64).unwrap();
    let to = anywhere(mesh, number);
    let part = number();
    (from, between(from.position(), to, part * part))
}

/// Where a segment first crosses a wall, as a part of it.
fn first_crossing(walls: &[[Vec2; 2]], a: Vec2, b: Vec2) -> f64 {
    let crossing = |[c, d]: &[Vec2; 2]| {
        let (way, along) = (b - a, *d - *c);
        let across = way.cross(*c - a) * way.cross(*d - a) < 0.0;
        let part = (*c - a).cross(along) / way.cross(along);
        (across && part > 0.0 && part < 1.0).then_some(part)
    };
    walls.iter().filter_map(crossing).fold(f64::INFINITY, f64::min)
}

#[test]
fn rays_stop_at_the_first_wall() {
    let mut counts = [0; 2];
    for (name, mesh) in scenes(80) {
        let (mut number, walls) = (numbers(11), walls(&mesh));
        for _ in 0..200 {
            let (from, to) = journey(&mesh, &mut number);
            let hit = mesh.raycast(from, to, 0.0).unwrap();
            let expected =
                first_crossing(&walls, mesh.parts.grid.units(from.position()), mesh.parts.grid.units(to));
            assert!(mesh.is_here(&hit.at), "{name}");
            assert_eq!(hit.reached(), expected > 1.0, "{name}: {from:?} {to:?} {hit:?} {expected}");
            counts[usize::from(hit.reached())] += 1;
            let stop = between(from.position(), to, expected.min(1.0));
            let off = distance(stop, hit.at.position());
            let allowed = 64.0 * mesh.slack() * mesh.unit() + 1e-9 * distance(from.position(), to);
            assert!(off <= allowed, "{name}: off by {off}");
            assert_eq!(hit.fraction == 1.0, hit.reached());
            if let Some(contact) = hit.contact {
                assert!(distance(contact.point, stop) <= allowed, "{name}");
                let away = [0, 1].map(|axis| contact.normal[axis] * (from.position()[axis] - to[axis]));
                assert!(away[0] + away[1] > 0.0, "{name}: the normal points back");
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

#[test]
fn discs_stop_where_they_touch() {
    let mut counts = [0; 2];
    for (name, mesh) in scenes(60) {
        let (mut number, walls) = (numbers(13), walls(&mesh));
        for _ in 0..60 {
            let (from, to) = journey(&mesh, &mut number);
            let room = mesh.clearance(from).unwrap();
            let radius = room * number();
            let hit = mesh.raycast(from, to, radius).unwrap();
            counts[usize::from(hit.reached())] += 1;
            let start = from.position();
            let length = distance(start, to);
            let allowed = 64.0 * mesh.slack() * mesh.unit() + 1e-9 * length;
            for step in 0..=100 {
                let place = between(start, to, hit.fraction * f64::from(step) / 100.0);
                let free = wall_distance(&mesh, &walls, place);
                assert!(free >= radius - allowed, "{name}: {free} < {radius} at step {step}");
            }
            if let Some(contact) = hit.contact {
                assert!((contact.wall.distance - radius).abs() <= allowed, "{name}: {contact:?} {radius}");
                // A bit further it would be too close.
                let further = between(start, to, hit.fraction + 1e-4 * radius / length);
                assert!(wall_distance(&mesh, &walls, further) < radius + allowed, "{name}");
                assert!(mesh.is_here(&hit.at));
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

/// From every corner to every other, through corners and along walls and portals: the way back is as free.
#[test]
fn rays_through_corners_go_both_ways() {
    let plan = Plan::from_rings([
        vec![[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]],
        vec![[2.0, 2.0], [3.0, 2.0], [3.0, 3.0], [2.0, 3.0]],
        vec![[5.0, 5.0], [6.0, 5.0], [6.0, 6.0], [5.0, 6.0]],
        vec![[2.0, 5.0], [3.0, 5.0], [3.0, 6.0], [2.0, 6.0]],
    ]);
    for mesh in [room(), build(&plan)] {
        let [low, high] = mesh.bounds().unwrap();
        let steps =
            |axis: usize| (0..).map(move |i| low[axis] + f64::from(i)).take_while(move |c| *c <= high[axis]);
        let places: Vec<Location> = steps(0)
            .flat_map(|x| steps(1).map(move |y| [x, y]))
            .filter_map(|p| mesh.locate(p).ok())
            .collect();
        // A place on the thin wall lies on one of its faces: the way back may lead to the other.
        let places: Vec<Location> = places.into_iter().filter(|p| !is_on_thin_wall(&mesh, p)).collect();
        for from in &places {
            for to in &places {
                let [there, back] =
                    [(from, to), (to, from)].map(|(a, b)| mesh.raycast(*a, b.position(), 0.0).unwrap());
                assert_eq!(there.reached(), back.reached(), "{from:?} {to:?}");
                let middle = between(from.position(), to.position(), 0.37);
                assert!(!there.reached() || mesh.locate(middle).is_ok(), "{from:?} {to:?}");
            }
        }
    }
}

fn is_on_thin_wall(mesh: &NavMesh, place: &Location) -> bool {
    let [x, y] = place.position();
    mesh.clearance(*place) == Some(0.0) && x == 4.0 && y > 2.0 && y < 6.0
}

#[test]
fn thin_walls_stop_and_their_tips_do_not() {
    let mesh = room();
    let from = mesh.locate([2.0, 4.0]).unwrap();
    let hit = mesh.raycast(from, [6.0, 4.0], 0.0).unwrap();
    assert_eq!((hit.at.position(), hit.distance, hit.fraction), ([4.0, 4.0], 2.0, 0.5));
    assert_eq!(hit.contact.unwrap().normal, [-1.0, 0.0]);
    let tip = mesh.locate([2.0, 6.0]).unwrap();
    assert!(mesh.raycast(tip, [6.0, 6.0], 0.0).unwrap().reached());
    let disc = mesh.raycast(tip, [6.0, 6.0], 0.5).unwrap();
    assert_eq!((disc.distance, disc.contact.unwrap().point), (1.5, [4.0, 6.0]));
    let grazing = mesh.locate([2.0, 6.5]).unwrap();
    assert!(mesh.raycast(grazing, [6.0, 6.5], 0.5).unwrap().reached());
}

#[test]
fn discs_that_start_too_close_may_leave() {
    let mesh = room();
    let from = mesh.locate([3.8, 4.0]).unwrap();
    assert!(mesh.raycast(from, [2.0, 4.0], 0.5).unwrap().reached(), "away");
    assert!(mesh.raycast(from, [3.8, 5.0], 0.5).unwrap().reached(), "along");
    let hit = mesh.raycast(from, [3.9, 4.0], 0.5).unwrap();
    assert_eq!((hit.reached(), hit.distance), (false, 0.0), "closer");
    assert_eq!(mesh.move_along(from, [2.0, 4.0], 0.5).position(), [2.0, 4.0]);
}

#[test]
fn far_targets_are_not_reached() {
    let mesh = room();
    let from = mesh.locate([9.0, 1.0]).unwrap();
    for far in [1e3, 1e9, 1e30, 1e300] {
        for radius in [0.0, 0.5] {
            let hit = mesh.raycast(from, [far, 1.0], radius).unwrap();
            assert!(!hit.reached() && (hit.distance - (1.0 - radius)).abs() < 1e-6, "{hit:?}");
            let [x, y] = mesh.move_along(from, [far, 1.0], radius).position();
            assert!((x - (10.0 - radius)).abs() < 1e-6 && (y - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn slides_end_where_they_should() {
    let mesh = room();
    let cases = [
        // Along a wall, into a corner, along the thin wall, past its end.
        ([1.0, 1.0], [5.0, -3.0], 0.5, [5.0, 0.5]),
        ([1.0, 1.0], [5.0, -3.0], 0.0, [5.0, 0.0]),
        ([1.0, 1.0], [-5.0, -3.0], 0.25, [0.25, 0.25]),
        ([1.0, 1.0], [-5.0, -3.0], 0.0, [0.0, 0.0]),
        ([3.0, 3.0], [5.0, 5.0], 0.5, [3.5, 5.0]),
        ([3.0, 3.0], [5.0, 5.0], 0.0, [4.0, 5.0]),
        ([3.0, 5.0], [5.0, 7.0], 0.0, [5.0, 7.0]),
        ([3.0, 5.8], [5.0, 7.0], 0.4, [5.0, 7.0]),
        ([2.0, 4.0], [2.0, 5.0], 1.0, [2.0, 5.0]),
    ];
    for (from, to, radius, expected) in cases {
        let end = mesh.move_along(mesh.locate(from).unwrap(), to, radius);
        assert!(distance(end.position(), expected) < 1e-6, "{from:?} {to:?} {radius}: {end:?}");
        assert!(mesh.clearance(end).unwrap() >= radius);
    }
}

#[test]
fn slides_stay_legal_and_come_nearer() {
    let mut moved = 0;
    for (name, mesh) in scenes(60) {
        let mut number = numbers(17);
        for _ in 0..12 {
            let mut here = mesh.random_point((number() * 1e9) as u64).unwrap();
            let radius = mesh.clearance(here).unwrap() * [0.0, 0.3, 0.99, 1.0][(number() * 4.0) as usize];
            for _ in 0..12 {
                let (_, to) = journey(&mesh, &mut number);
                let next = mesh.move_along(here, to, radius);
                assert!(mesh.is_here(&next), "{name}");
                let [before, after] = [here, next].map(|place| mesh.cell(place.cell()).unwrap().component());
                assert_eq!(before, after, "{name}: passed a wall");
                assert!(mesh.clearance(next).unwrap() >= radius, "{name}: {here:?} {to:?} {radius} {next:?}");
                let [before, after] = [here, next].map(|place| distance(place.position(), to));
                let slack = 4.0 * mesh.slack() * mesh.unit();
                assert!(after <= before + slack, "{name}: {before} {after}");
                // At least as far as the straight move.
                let straight = mesh.raycast(here, to, radius).unwrap();
                let allowed = 64.0 * slack + 1e-9 * before;
                assert!(after <= distance(straight.at.position(), to) + allowed, "{name}");
                moved += usize::from(after < before * 0.9);
                here = next;
            }
        }
    }
    assert!(moved > 500, "{moved}");
}

#[test]
fn random_places_are_uniform_by_area() {
    let mesh = room();
    let count = 40_000;
    let mut hits = vec![0; mesh.cell_count()];
    let mut upper = 0;
    for place in mesh.random_points(1).take(count) {
        assert!(mesh.is_here(&place));
        hits[place.cell().index()] += 1;
        upper += i32::from(place.position()[1] > 4.0);
    }
    for cell in mesh.cells() {
        let expected = count as f64 * cell.area() / mesh.area();
        let off = f64::from(hits[cell.id().index()]) - expected;
        assert!(off.abs() <= 5.0 * expected.sqrt(), "{:?}: off by {off} of {expected}", cell.id());
    }
    // The pillar takes a square metre of the lower half.
    let expected = count as f64 * 40.0 / 79.0;
    assert!((f64::from(upper) - expected).abs() <= 5.0 * expected.sqrt());
    assert_ne!(mesh.random_point(1), mesh.random_point(2));
    assert_eq!(empty().random_point(1), None);
}

#[test]
fn questions_that_make_no_sense_move_nothing() {
    let mesh = room();
    let here = mesh.locate([1.0, 1.0]).unwrap();
    let stale = Location { cell: CellId(77_777), position: [1.0, 1.0] };
    let cases = [
        (stale, [2.0, 2.0], 0.0),
        (here, [f64::NAN, 2.0], 0.0),
        (here, [2.0, f64::INFINITY], 0.0),
        (here, [2.0, 2.0], f64::NAN),
        (here, [2.0, 2.0], -0.1),
    ];
    for (from, to, radius) in cases {
        assert_eq!(mesh.raycast(from, to, radius), None);
        assert_eq!(mesh.move_along(from, to, radius), from);
    }
    assert_eq!(mesh.height(here), 0.0);
    assert_eq!(mesh.move_along(here, here.position(), 0.3), here);
}

//! Random edits: every law after each of them, and the same free space as a fresh build of the same world.

#![allow(clippy::unwrap_used)]

use clearway_base::progress::NoProgress;
use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::{NavMesh, PathQuery};
use clearway_scenes::Random;
use clearway_world::plan::{Plan, PlanPolygon};
use std::collections::BTreeMap;

/// The world as it was drawn: a hall with two blocks and a wall.
fn hall() -> Plan {
    let outline = vec![[0.0, 0.0], [30.0, 1.0], [31.0, 20.0], [16.0, 24.0], [-1.0, 19.0]];
    let blocks = vec![
        vec![[6.0, 5.0], [9.0, 5.5], [8.0, 9.0]],
        vec![[18.0, 10.0], [22.0, 10.0], [22.0, 14.0], [20.0, 12.0], [18.0, 14.0]],
    ];
    Plan {
        polygons: vec![PlanPolygon { outline, holes: blocks }],
        walls: vec![vec![[12.0, 3.0], [13.0, 12.0]]],
        ..Plan::default()
    }
}

fn obstacle(shape: Shape) -> Obstacle {
    Obstacle { shape, anchor: Anchor::default() }
}

/// A shape somewhere in the hall or a little outside.
fn any_shape(random: &mut Random) -> Shape {
    let centre = [random.range(-2.0, 32.0), random.range(-1.0, 24.0)];
    let [x, y] = centre;
    match random.below(5) {
        0 => Shape::Disc { centre, radius: random.range(0.2, 1.5), sides: 3 + random.below(9) as u32 },
        1 => Shape::Segment([centre, [x + random.range(-4.0, 4.0), y + random.range(-4.0, 4.0)]]),
        2 => {
            let corner = |random: &mut Random| [x + random.range(-3.0, 3.0), y + random.range(-3.0, 3.0)];
            Shape::Polygon(vec![corner(random), corner(random), corner(random)])
        }
        3 => Shape::Box { centre: [x.round(), y.round()], size: [2.0, 1.0], turn: 0.0 },
        _ => Shape::Box {
            centre,
            size: [random.range(0.3, 5.0), random.range(0.3, 3.0)],
            turn: random.range(0.0, 6.0),
        },
    }
}

/// The corners of a shape, as the library documents them.
fn ring_of(shape: &Shape) -> Vec<[f64; 2]> {
    match shape {
        Shape::Polygon(corners) => corners.clone(),
        Shape::Segment(ends) => ends.to_vec(),
        Shape::Disc { centre, radius, sides } => {
            let step = std::f64::consts::TAU / f64::from(*sides);
            let reach = radius / (step / 2.0).cos();
            let corner = |i: u32| {
                let (sine, cosine) = (step * f64::from(i)).sin_cos();
                [centre[0] + reach * cosine, centre[1] + reach * sine]
            };
            (0..*sides).map(corner).collect()
        }
        Shape::Box { centre, size, turn } => {
            let (sine, cosine) = turn.sin_cos();
            let corner = |[u, v]: [f64; 2]| {
                let (x, y) = (0.5 * u * size[0], 0.5 * v * size[1]);
                [centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine]
            };
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec()
        }
    }
}

/// The same world, built from scratch.
fn rebuilt(plan: &Plan, shapes: &BTreeMap<ObstacleId, Shape>, unit: f64) -> NavMesh {
    let mut plan = plan.clone();
    for shape in shapes.values() {
        match shape {
            Shape::Segment(_) => plan.walls.push(ring_of(shape)),
            _ => plan.polygons[0].holes.push(ring_of(shape)),
        }
    }
    MeshOptions::default().grid(unit).build(&plan).unwrap()
}

/// Makes one random edit. Returns false if it was refused.
fn step(live: &mut LiveMesh, shapes: &mut BTreeMap<ObstacleId, Shape>, random: &mut Random) -> bool {
    let any = |shapes: &BTreeMap<ObstacleId, Shape>, random: &mut Random| {
        shapes.keys().nth(random.below(shapes.len())).copied()
    };
    let kind = if shapes.is_empty() { 0 } else { random.below(if shapes.len() > 12 { 5 } else { 3 }) };
    match kind {
        0 => {
            let shape = any_shape(random);
            let Ok(changes) = live.apply(&Edit::Add(obstacle(shape.clone()))) else { return false };
            shapes.insert(changes.obstacles[0], shape);
        }
        1 | 2 if kind == 1 => {
            let id = any(shapes, random).unwrap();
            let shape = any_shape(random);
            if live.apply(&Edit::Move(id, obstacle(shape.clone()))).is_err() {
                return false;
            }
            shapes.insert(id, shape);
        }
        _ => {
            let id = any(shapes, random).unwrap();
            live.apply(&Edit::Remove(id)).unwrap();
            shapes.remove(&id);
        }
    }
    true
}

/// Compares shortest paths and widest ways of an edited mesh with those of a fresh one.
fn compare_ways(live: &NavMesh, fresh: &NavMesh, seed: u64) {
    let places: Vec<[f64; 2]> = fresh.random_points(seed).take(6).map(|place| place.position()).collect();
    for pair in places.chunks_exact(2) {
        let ends = [live, fresh].map(|mesh| [mesh.locate(pair[0]), mesh.locate(pair[1])]);
        let [[Ok(a), Ok(b)], [Ok(c), Ok(d)]] = ends else { continue };
        let widths = [live.widest_radius(a, b), fresh.widest_radius(c, d)];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-3 * (1.0 + a.abs());
        match widths {
            [Some(one), Some(other)] => assert!(near(one, other), "widest {widths:?} for {pair:?}"),
            _ => assert_eq!(widths[0], widths[1], "{pair:?}"),
        }
        // A point may slip through a crack that rounding left; a body of a centimetre may not.
        for radius in [0.01, 0.25] {
            // Near the limit rounding decides.
            if widths[1].is_some_and(|widest| (widest - radius).abs() < 1e-3) {
                continue;
            }
            let paths = [(live, a, b), (fresh, c, d)].map(|(mesh, from, to)| {
                let found = mesh.find_path(&PathQuery::new(from, to).radius(radius));
                found.ok().map(|path| path.length)
            });
            match paths {
                [Some(one), Some(other)] => {
                    assert!(near(one, other), "edit {seed}, radius {radius}: lengths {paths:?} for {pair:?}")
                }
                _ => assert_eq!(paths[0].is_some(), paths[1].is_some(), "radius {radius}, {pair:?}"),
            }
        }
    }
}

#[test]
fn random_edits_keep_all_laws_and_match_a_fresh_build() {
    let plan = hall();
    let (mut cells, mut fresh_cells, mut refused) = (0, 0, 0);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let unit = mesh.unit();
        let mut live = LiveMesh::new(mesh).unwrap();
        let mut shapes = BTreeMap::new();
        for number in 0..60 {
            if !step(&mut live, &mut shapes, &mut random) {
                refused += 1;
                continue;
            }
            live.mesh().prepare_clearance(&mut NoProgress).unwrap();
            let flaws = live.mesh().check();
            assert!(flaws.is_empty(), "seed {seed}, edit {number}: {:?}", &flaws[..flaws.len().min(3)]);
            let fresh = rebuilt(&plan, &shapes, unit);
            let areas = [live.mesh().area(), fresh.area()];
            assert!((areas[0] - areas[1]).abs() < 1e-3, "seed {seed}, edit {number}: areas {areas:?}");
            let counts = [live.mesh().component_count(), fresh.component_count()];
            assert_eq!(counts[0], counts[1], "seed {seed}, edit {number}: components");
            compare_ways(live.mesh(), &fresh, number);
            cells += live.mesh().cell_count();
            fresh_cells += fresh.cell_count();
        }
    }
    let ratio = cells as f64 / fresh_cells as f64;
    println!("{cells} cells against {fresh_cells} of fresh builds: {ratio:.3}; {refused} edits refused");
    assert!(ratio < 1.10, "{ratio}");
}

#[test]
fn edits_taken_back_in_reverse_order_leave_the_same_bytes() {
    for seed in 0..20 {
        let mut random = Random::new(1000 + seed);
        let mut live = LiveMesh::new(MeshOptions::default().build(&hall()).unwrap()).unwrap();
        let mut states = vec![live.mesh().encode()];
        let (mut done, mut ids) = (Vec::new(), Vec::new());
        for _ in 0..25 {
            let edit = match (ids.last().copied(), random.below(3)) {
                (Some(id), 0) => Edit::Move(id, obstacle(any_shape(&mut random))),
                (Some(id), 1) if random.chance(0.5) => Edit::Remove(id),
                _ => Edit::Add(obstacle(any_shape(&mut random))),
            };
            let Ok(changes) = live.apply(&edit) else { continue };
            if matches!(edit, Edit::Remove(_)) {
                ids.pop();
            }
            ids.extend(&changes.obstacles);
            done.push(changes);
            states.push(live.mesh().encode());
        }
        states.pop();
        for changes in done.iter().rev() {
            live.undo(changes).unwrap();
            assert_eq!(Some(live.mesh().encode()), states.pop(), "seed {seed}");
        }
        assert_eq!(live.obstacles().count(), 0);
    }
}

/// A cell beyond the border was merged with a new one, and a built wall between them was forgotten: a path led through.
#[test]
fn a_merged_neighbour_keeps_its_thin_walls() {
    let plan = hall();
    for seed in 0..40 {
        let mut random = Random::new(7000 + seed);
        let mut live = LiveMesh::new(MeshOptions::default().build(&plan).unwrap()).unwrap();
        for _ in 0..30 {
            let centre = [random.range(10.0, 15.0), random.range(2.0, 14.0)];
            let shape =
                Shape::Box { centre, size: [random.range(0.2, 3.0), 0.5], turn: random.range(0.0, 3.0) };
            let Ok(changes) = live.apply(&Edit::Add(obstacle(shape))) else { continue };
            live.apply(&Edit::Remove(changes.obstacles[0])).unwrap();
            let sides = [[12.3, 7.0], [12.7, 7.0]].map(|place| live.mesh().locate(place).unwrap());
            let path = live.mesh().find_path(&PathQuery::new(sides[0], sides[1])).unwrap();
            assert!(path.length > 8.0, "seed {seed}: through the wall, {}", path.length);
        }
    }
}

/// Tidying brings the cells nearer to a fresh build, changes nothing else, and can be undone. Measured are 1.057 before
/// and 1.031 after; the mark of 1.02 is missed (`docs/limits.md`).
#[test]
fn tidied_cells_come_nearer_to_a_fresh_build() {
    let plan = hall();
    let (mut before, mut after, mut fresh_cells) = (0, 0, 0);
    for seed in 0..10 {
        let mut random = Random::new(300 + seed);
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let unit = mesh.unit();
        let mut live = LiveMesh::new(mesh).unwrap();
        let mut shapes = BTreeMap::new();
        for number in 0..60 {
            step(&mut live, &mut shapes, &mut random);
            if number % 15 != 14 {
                continue;
            }
            let bytes = live.mesh().encode();
            before += live.mesh().cell_count();
            let changes = live.tidy();
            live.mesh().prepare_clearance(&mut NoProgress).unwrap();
            assert_eq!(live.mesh().check(), Vec::new(), "seed {seed}, edit {number}");
            let fresh = rebuilt(&plan, &shapes, unit);
            assert!((live.mesh().area() - fresh.area()).abs() < 1e-3, "seed {seed}, edit {number}");
            compare_ways(live.mesh(), &fresh, number);
            after += live.mesh().cell_count();
            fresh_cells += fresh.cell_count();
            assert!(live.tidy().added.is_empty(), "tidied twice");
            // Half of the worlds go on from the tidied cells.
            if seed % 2 == 0 {
                live.undo(&changes).unwrap();
                assert!(live.mesh().encode() == bytes, "seed {seed}, edit {number}: other bytes");
            }
        }
    }
    let ratio = |cells: usize| cells as f64 / fresh_cells as f64;
    println!("{:.3} of a fresh build before, {:.3} after", ratio(before), ratio(after));
    assert!(ratio(after) < 1.035 && after < before, "{}", ratio(after));
}

/// What edits note beside the mesh follows what stands, not the number of edits. Sides that came and went were once noted
/// for ever.
#[test]
fn lists_do_not_grow_with_the_number_of_edits() {
    let mut live = LiveMesh::new(MeshOptions::default().build(&hall()).unwrap()).unwrap();
    let (mut random, mut shapes, mut after) = (Random::new(77), BTreeMap::new(), Vec::new());
    for _ in 0..4 {
        let mut most: BTreeMap<&str, usize> = BTreeMap::new();
        for _ in 0..300 {
            step(&mut live, &mut shapes, &mut random);
            for (name, length) in live.list_lengths() {
                let known = most.entry(name).or_default();
                *known = length.max(*known);
            }
        }
        after.push(most);
        for id in std::mem::take(&mut shapes).into_keys() {
            live.apply(&Edit::Remove(id)).unwrap();
        }
        let noted = live.list_lengths().into_iter().filter(|(name, _)| name.starts_with("built"));
        assert!(noted.clone().all(|(_, length)| length == 0), "{:?}", noted.collect::<Vec<_>>());
    }
    for (name, first) in &after[0] {
        let last = after[3][name];
        assert!(
            2 * last <= 3 * first + 100,
            "{name}: {first} at most in the first round, {last} in the last"
        );
    }
}

//! Random edits: every law after each of them, and the same free space as a fresh build of the same world.

use clearway_build::MeshOptions;
use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::NavMesh;
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
            let flaws = live.mesh().check();
            assert!(flaws.is_empty(), "seed {seed}, edit {number}: {:?}", &flaws[..flaws.len().min(3)]);
            let fresh = rebuilt(&plan, &shapes, unit);
            let areas = [live.mesh().area(), fresh.area()];
            assert!((areas[0] - areas[1]).abs() < 1e-3, "seed {seed}, edit {number}: areas {areas:?}");
            let counts = [live.mesh().component_count(), fresh.component_count()];
            assert_eq!(counts[0], counts[1], "seed {seed}, edit {number}: components");
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

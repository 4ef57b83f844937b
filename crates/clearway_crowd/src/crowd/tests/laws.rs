//! Laws that hold for every model and every time step.

use super::*;
use crate::model::{Act, NearWall, Neighbour, Spec, View};
use crate::vector::Vector;
use clearway_base::parallel;

/// A model that wishes any velocity, up to ten times the speed.
struct Wild;

impl LocalModel for Wild {
    fn spec(&self) -> Spec {
        Spec::new("wild").max_speed(10.0)
    }

    fn act(&self, me: &View, _: &[Neighbour], _: &[NearWall]) -> Act {
        let number = |stream| 20.0 * me.random(stream) - 10.0;
        Act::velocity(Vector::new(number(0), number(1)) * me.speed.max(1.0))
    }
}

/// A model that wishes what is no number.
struct Broken;

impl LocalModel for Broken {
    fn spec(&self) -> Spec {
        Spec::new("broken")
    }

    fn act(&self, me: &View, _: &[Neighbour], _: &[NearWall]) -> Act {
        let broken = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][me.id as usize % 3];
        Act::velocity(Vector::new(broken, 1.0))
    }
}

/// A hall with pillars, a thin wall and a narrow room.
fn hall() -> NavMesh {
    let square = |x: f64, y: f64, s: f64| vec![[x, y], [x + s, y], [x + s, y + s], [x, y + s]];
    let mut plan = Plan::from_rings([
        vec![
            [0.0, 0.0],
            [14.0, 0.0],
            [14.0, 4.0],
            [16.0, 4.0],
            [16.0, 5.0],
            [14.0, 5.0],
            [14.0, 10.0],
            [0.0, 10.0],
        ],
        square(3.0, 3.0, 1.0),
        square(6.0, 6.0, 1.5),
        square(9.0, 2.0, 0.4),
        square(9.0, 7.0, 0.8),
    ]);
    plan.walls = vec![vec![[5.0, 0.0], [5.0, 4.0]], vec![[11.0, 10.0], [11.0, 6.0]]];
    MeshOptions::default().build(&plan).unwrap()
}

/// Adds bodies of several sizes all over a mesh.
fn scatter(crowd: &mut Crowd, mesh: &NavMesh, count: usize, goal: Goal) {
    let mut placed: Vec<([f64; 2], f64)> = Vec::new();
    for at in mesh.random_points(5).take(100_000) {
        if placed.len() == count {
            break;
        }
        let radius = [0.15, 0.2, 0.3, 0.6][placed.len() % 4];
        let position = at.position();
        let is_free = placed.iter().all(|(known, other)| routes::distance(*known, position) > radius + other);
        if is_free && mesh.clearance(at).unwrap() > radius {
            placed.push((position, radius));
            crowd.add(AgentOptions::at(at).radius(radius).goal(goal)).unwrap();
        }
    }
    assert_eq!(placed.len(), count);
}

/// Asserts that nobody overlaps, and that everybody is on the mesh.
fn assert_sound(crowd: &mut Crowd, mesh: &NavMesh, note: &str) {
    for agent in crowd.agents() {
        assert!(mesh.is_here(&agent.at), "{note}: {agent:?}");
        assert!(agent.velocity.iter().all(|v| v.is_finite()), "{note}: {agent:?}");
    }
    let measures = crowd.measure(mesh);
    assert!(measures.overlap < 1e-4 && measures.wall_overlap < 1e-4, "{note}: {measures:?}");
}

#[test]
fn wild_bodies_never_overlap_at_any_time_step() {
    let mesh = hall();
    for dt in [1e-6, 0.01, 0.05, 0.1, 0.5, 3.0] {
        let mut crowd = Crowd::default().with_model(Wild);
        let goal = crowd.add_goal(Area::rectangle([15.0, 4.0], [16.0, 5.0]).unwrap());
        scatter(&mut crowd, &mesh, 60, goal.into());
        for step in 0..40 {
            crowd.step(&mesh, dt).unwrap();
            assert_sound(&mut crowd, &mesh, &format!("dt {dt}, step {step}"));
        }
    }
}

#[test]
fn wishes_that_are_no_numbers_move_nobody() {
    let mesh = hall();
    let mut crowd = Crowd::default().with_model(Broken);
    scatter(&mut crowd, &mesh, 30, Goal::Direction([1.0, 0.0]));
    let before: Vec<Location> = crowd.agents().map(|agent| agent.at).collect();
    crowd.step(&mesh, 0.1).unwrap();
    assert_eq!(crowd.agents().map(|agent| agent.at).collect::<Vec<_>>(), before);
}

#[test]
fn bodies_that_start_on_top_of_each_other_come_apart() {
    let mesh = hall();
    let mut crowd = Crowd::default();
    for k in 0..12 {
        let at = mesh.locate([7.5 + 0.01 * f64::from(k / 4), 4.5]).unwrap();
        crowd.add(AgentOptions::at(at)).unwrap();
    }
    for _ in 0..400 {
        crowd.step(&mesh, 0.05).unwrap();
    }
    assert_sound(&mut crowd, &mesh, "apart");
}

#[test]
fn bodies_in_walls_are_moved_out_and_told_of() {
    let mesh = hall();
    let mut crowd = Crowd::default();
    let at = Location::in_cell(clearway_nav::mesh::CellId(0), [3.5, 3.5]);
    let id = crowd.add(AgentOptions::at(at)).unwrap();
    crowd.step(&mesh, 0.1).unwrap();
    assert!(
        matches!(crowd.events(), [Event::Moved { id: moved, .. }] if *moved == id),
        "{:?}",
        crowd.events()
    );
    assert_sound(&mut crowd, &mesh, "moved");
}

#[test]
fn one_body_in_thousands_changes_nothing_behind_a_wall() {
    let ring = |hidden: bool| {
        let mut plan = Plan::from_rings([vec![[0.0, 0.0], [20.0, 0.0], [20.0, 4.0], [0.0, 4.0]]]);
        plan.walls = vec![vec![[2.0, 2.0], [18.0, 2.0]]];
        let mesh = MeshOptions::default().build(&plan).unwrap();
        let mut crowd = Crowd::default();
        let goal = crowd.add_goal(Area::rectangle([19.0, 0.0], [20.0, 2.0]).unwrap());
        let walker = crowd.add(AgentOptions::at(mesh.locate([3.0, 1.7]).unwrap()).goal(goal)).unwrap();
        for k in 0..8 {
            if hidden {
                let at = mesh.locate([4.0 + f64::from(k), 2.3]).unwrap();
                crowd.add(AgentOptions::at(at)).unwrap();
            }
        }
        let mut track = Vec::new();
        for _ in 0..150 {
            crowd.step(&mesh, 0.05).unwrap();
            track.push(crowd.agent(walker).unwrap().at);
        }
        track
    };
    assert_eq!(ring(false), ring(true));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mesh = hall();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            assert_eq!(parallel::thread_count(), threads);
            let mut crowd = Crowd::default();
            let goal = crowd.add_goal(Area::rectangle([15.0, 4.0], [16.0, 5.0]).unwrap());
            scatter(&mut crowd, &mesh, 80, goal.into());
            for _ in 0..80 {
                crowd.step(&mesh, 0.1).unwrap();
            }
            crowd.agents().map(|agent| (agent.id, agent.at, agent.velocity)).collect::<Vec<_>>()
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(7));
}

#[test]
fn time_steps_that_make_no_sense_are_errors() {
    let mesh = hall();
    let mut crowd = Crowd::default();
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        let error = crowd.step(&mesh, dt).unwrap_err();
        assert!(error.to_string().contains("time step"), "{error}");
    }
}

#[test]
fn bodies_that_make_no_sense_are_errors() {
    let mesh = hall();
    let at = mesh.locate([1.0, 1.0]).unwrap();
    let mut crowd = Crowd::default();
    for radius in [0.0, -1.0, f64::NAN, 1e9] {
        assert!(crowd.add(AgentOptions::at(at).radius(radius)).is_err());
    }
    for speed in [-1.0, f64::NAN, f64::INFINITY, 1e3] {
        assert!(crowd.add(AgentOptions::at(at).speed(speed)).is_err());
    }
    assert!(crowd.add(AgentOptions::at(at).wait(f64::NAN)).is_err());
    assert!(crowd.is_empty());
}

#[test]
fn ids_of_bodies_that_left_name_nobody() {
    let mesh = hall();
    let at = mesh.locate([1.0, 1.0]).unwrap();
    let mut crowd = Crowd::default();
    let first = crowd.add(AgentOptions::at(at)).unwrap();
    assert!(crowd.remove(first) && !crowd.remove(first));
    let second = crowd.add(AgentOptions::at(at)).unwrap();
    assert!(crowd.agent(first).is_none() && crowd.agent(second).is_some() && first != second);
    assert!(!crowd.set_goal(first, Goal::None));
}

#[test]
fn the_order_in_memory_changes_nothing() {
    let mesh = hall();
    let run = |least: usize| {
        let mut crowd = Crowd { bodies: Bodies::with_order_from(least), ..Crowd::default() };
        let exit = crowd.add_goal(Area::rectangle([12.0, 7.0], [13.5, 9.5]).unwrap());
        scatter(&mut crowd, &mesh, 80, Goal::Area(exit));
        let mut told = Vec::new();
        for step in 0..150 {
            crowd.step(&mesh, 0.1).unwrap();
            told.extend(crowd.events().to_vec());
            let id = crowd.agents().nth(step % crowd.len()).unwrap().id;
            match step % 10 {
                3 => assert!(crowd.set_arrival(id, Arrival::Leave)),
                6 => assert!(crowd.set_goal(id, mesh.locate([1.0, 8.0]).unwrap())),
                9 => assert!(crowd.remove(id)),
                _ => {}
            }
        }
        (crowd.agents().collect::<Vec<_>>(), told)
    };
    assert!(run(1) == run(usize::MAX), "bodies in the order of tiles walk another way");
}

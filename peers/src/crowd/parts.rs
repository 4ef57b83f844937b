//! The cost of parts of our step, by leaving them out: models that look at nobody or do nothing, bodies without routes.

use clearway::{Location, NavMesh};
use clearway_crowd::{
    Act, AgentOptions, Area, Crowd, CrowdOptions, Goal, GoalId, LocalModel, NearWall, Neighbour, Spec,
    Vector, View,
};
use clearway_scenes::BuildingOptions;
use serde::Serialize;

use super::peer::DT;
use super::scene::{RADIUS, SPEED, Scene};
use super::worlds::World;
use crate::clock::timed;

/// The cost of a part of the step in one scene.
#[derive(Clone, Debug, Serialize)]
pub struct PartRow {
    /// The part.
    pub part: &'static str,
    /// The scene.
    pub scene: String,
    /// The number of bodies.
    pub bodies: usize,
    /// Microseconds per body and step.
    pub micros: f64,
    /// The limit of the issue, in microseconds.
    pub limit: f64,
}

/// A model that heeds nobody, with a given sight. Bodies with a way walk along it; the others step to and fro.
struct Stroll {
    range: f32,
    neighbours: usize,
}

impl LocalModel for Stroll {
    fn spec(&self) -> Spec {
        // Both sights have the same walls, hence the same tiles.
        Spec::new("stroll").range(self.range).neighbours(self.neighbours).wall_range(SIGHT.0)
    }

    fn act(&self, me: &View, _near: &[Neighbour], _walls: &[NearWall]) -> Act {
        let sign = if me.step.is_multiple_of(2) { 1.0 } else { -1.0 };
        let (sin, cos) = (me.id as f32).sin_cos();
        let sway = Vector::new(cos, sin) * (sign * SPEED as f32);
        Act::velocity(if me.stands { sway } else { me.head * me.speed })
    }
}

/// The least sight, in metres, with which the engine takes a step of 0.1 s in one part. It looks at who may touch.
const BLIND: f32 = 0.45;
/// The sight for which the limits are stated, in metres, and the number of neighbours kept.
const SIGHT: (f32, usize) = (2.0, 10);
const WARM_UP: usize = 5;
const STEPS: usize = 10;

/// A mesh, places on it, and goals.
struct Stage<'a> {
    name: String,
    mesh: &'a NavMesh,
    places: Vec<Location>,
    goals: Vec<Area>,
}

/// Measures neighbours in the open and in the furnished building, and routes.
pub fn measure(rounds: usize) -> Result<Vec<PartRow>, String> {
    let mut rows = Vec::new();
    for density in [0.5, 2.0] {
        let scene = Scene::disc(10_000, density);
        let mesh = scene.mesh()?;
        let places = scene.bodies.iter().filter_map(|body| mesh.locate(body.at).ok()).collect();
        let stage = Stage { name: scene.name.clone(), mesh: &mesh, places, goals: Vec::new() };
        rows.push(neighbours(&stage, rounds, 0.4)?);
    }
    let options = BuildingOptions { storeys: 5, rooms_x: 12, rooms_z: 6 };
    let building = World::building(options, 10_000, RADIUS)?;
    let stage = Stage {
        name: building.name.clone(),
        mesh: &building.mesh,
        places: building.places.clone(),
        goals: building.areas.clone(),
    };
    rows.push(neighbours(&stage, rounds, 0.9)?);
    rows.push(routing(&stage, rounds)?);
    Ok(rows)
}

/// The cost of looking for neighbours: bodies that see 2 m far, less bodies that see 0.45 m.
fn neighbours(stage: &Stage, rounds: usize, limit: f64) -> Result<PartRow, String> {
    let stand = |_: usize, _: &[GoalId]| Goal::None;
    let seeing = || cost(stage, Stroll { range: SIGHT.0, neighbours: SIGHT.1 }, &stand);
    let blind = || cost(stage, Stroll { range: BLIND, neighbours: 1 }, &stand);
    let [seeing, blind] = alternate(rounds, [&seeing, &blind])?;
    let bodies = stage.places.len();
    Ok(PartRow { part: "neighbours", scene: stage.name.clone(), bodies, micros: seeing - blind, limit })
}

/// The cost of routes and way points: bodies on the way to shared areas, less bodies that step to and fro.
fn routing(stage: &Stage, rounds: usize) -> Result<PartRow, String> {
    let blind = || Stroll { range: BLIND, neighbours: 1 };
    let shared = |index: usize, areas: &[GoalId]| Goal::Area(areas[index % areas.len()]);
    let stand = |_: usize, _: &[GoalId]| Goal::None;
    let routed = || cost(stage, blind(), &shared);
    let roaming = || cost(stage, blind(), &stand);
    let [routed, roaming] = alternate(rounds, [&routed, &roaming])?;
    let bodies = stage.places.len();
    Ok(PartRow { part: "routes", scene: stage.name.clone(), bodies, micros: routed - roaming, limit: 0.3 })
}

/// The least results of two runs that take turns.
fn alternate(rounds: usize, runs: [&dyn Fn() -> Result<f64, String>; 2]) -> Result<[f64; 2], String> {
    let mut least = [f64::INFINITY; 2];
    for _ in 0..rounds {
        for (least, run) in least.iter_mut().zip(runs) {
            *least = least.min(run()?);
        }
    }
    Ok(least)
}

/// Microseconds per body and step of a crowd without the contact projection.
fn cost(stage: &Stage, model: Stroll, goal: &dyn Fn(usize, &[GoalId]) -> Goal) -> Result<f64, String> {
    let fault = |error: clearway::Error| error.to_string();
    let mut crowd = Crowd::new(CrowdOptions::default().contact(false)).with_model(model);
    let areas: Vec<GoalId> = stage.goals.iter().map(|area| crowd.add_goal(area.clone())).collect();
    for (index, at) in stage.places.iter().enumerate() {
        let options = AgentOptions::at(*at).radius(RADIUS).speed(SPEED).goal(goal(index, &areas));
        crowd.add(options).map_err(fault)?;
    }
    for _ in 0..WARM_UP {
        crowd.step(stage.mesh, DT).map_err(fault)?;
    }
    let (done, elapsed) = timed(|| (0..STEPS).try_for_each(|_| crowd.step(stage.mesh, DT).map(|_| ())));
    done.map_err(fault)?;
    Ok(elapsed.cpu_ms * 1e3 / (STEPS * crowd.len()) as f64)
}

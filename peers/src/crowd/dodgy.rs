//! Crate `dodgy_2d`: ORCA for one agent at a time, fed by a uniform grid.
//!
//! Its own `Simulator` compares all pairs, so it is left out. Walls near an agent are handed to it as single sides.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Obstacle, Vec2};

use super::grid::{Grid, Spot};
use super::peer::{CrowdPeer, DT, Run};
use super::scene::{RADIUS, SPEED, Scene};

/// Neighbours are seen within this distance, in metres.
const RANGE: f32 = 2.0;
const MAX_SPEED: f32 = 2.0;
const OPTIONS: AvoidanceOptions =
    AvoidanceOptions { obstacle_margin: RADIUS as f32, time_horizon: 2.0, obstacle_time_horizon: 1.0 };

/// ORCA of crate `dodgy_2d`.
pub struct Dodgy;

impl CrowdPeer for Dodgy {
    fn name(&self) -> String {
        "dodgy_2d".into()
    }

    fn prepare(&self, scene: &Scene) -> Result<Box<dyn Run>, String> {
        let vec = |at: [f64; 2]| Vec2::new(at[0] as f32, at[1] as f32);
        let agent = |at: [f64; 2]| Agent {
            position: vec(at),
            velocity: Vec2::ZERO,
            radius: RADIUS as f32,
            avoidance_responsibility: 1.0,
        };
        // The solid lies on the left of dodgy's sides, on the right of ours.
        let walls = scene.walls().map(|[from, to]| Obstacle::Open { vertices: vec![vec(to), vec(from)] });
        Ok(Box::new(DodgyRun {
            scene: scene.clone(),
            agents: scene.bodies.iter().map(|body| agent(body.at)).collect(),
            goals: scene.bodies.iter().map(|body| vec(body.goal)).collect(),
            walls: walls.collect(),
            grid: Grid::new(0.5 * RANGE),
            spots: Vec::new(),
            velocities: Vec::new(),
        }))
    }
}

struct DodgyRun {
    scene: Scene,
    agents: Vec<Agent>,
    goals: Vec<Vec2>,
    walls: Vec<Obstacle>,
    grid: Grid,
    spots: Vec<Spot>,
    velocities: Vec<Vec2>,
}

impl Run for DodgyRun {
    fn dt(&self) -> f64 {
        DT
    }

    fn bodies(&self) -> usize {
        self.agents.len()
    }

    fn step(&mut self) -> Result<(), String> {
        self.spots.clear();
        self.spots.extend(self.agents.iter().map(|agent| agent.position.to_array()));
        self.grid.sort(&self.spots);
        // Agents follow the order of the grid, so that neighbours lie near each other in memory.
        let order = &self.grid.order;
        self.agents = order.iter().map(|&body| self.agents[body as usize].clone()).collect();
        self.goals = order.iter().map(|&body| self.goals[body as usize]).collect();
        self.avoid();
        for (agent, velocity) in self.agents.iter_mut().zip(&self.velocities) {
            agent.velocity = *velocity;
            agent.position += *velocity * DT as f32;
        }
        Ok(())
    }
}

impl DodgyRun {
    fn avoid(&mut self) {
        self.velocities.clear();
        let (mut near, mut walls) = (Vec::with_capacity(16), Vec::with_capacity(4));
        for (place, agent) in self.agents.iter().enumerate() {
            near.clear();
            let nearest = self.grid.nearest(place, RANGE);
            near.extend(nearest.places().iter().map(|&k| Cow::Borrowed(&self.agents[k as usize])));
            walls.clear();
            let close = self.walls.iter().filter(|wall| is_close(agent.position, wall));
            walls.extend(close.map(Cow::Borrowed));
            let at = agent.position.to_array().map(f64::from);
            let goal = self.goals[place].to_array().map(f64::from);
            let to = self.scene.way_point(at, goal);
            let way = Vec2::new(to[0] as f32, to[1] as f32) - agent.position;
            let wish = way.clamp_length_max(SPEED as f32);
            let velocity =
                agent.compute_avoiding_velocity(&near, &walls, wish, MAX_SPEED, DT as f32, &OPTIONS);
            self.velocities.push(velocity);
        }
    }
}

/// True if a side is near enough to matter within the horizon.
fn is_close(at: Vec2, wall: &Obstacle) -> bool {
    let (Obstacle::Open { vertices } | Obstacle::Closed { vertices }) = wall;
    let [from, to] = [vertices[0], vertices[1]];
    let along = to - from;
    let share = ((at - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (from + along * share).distance_squared(at) < RANGE * RANGE
}

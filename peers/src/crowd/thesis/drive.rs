//! Runs one experiment: bodies on a floor, a random goal cell for each, a new one on arrival, collisions at 60 Hz.

use std::collections::BTreeSet;

use clearway::NavMesh;
use clearway::mesh::CellId;
use clearway_crowd::{
    AgentId, AgentOptions, Area, Crowd, CrowdOptions, Event, GoalId, LocalModel, Shrink, WayPoints,
};
use clearway_scenes::Random;

use super::alone::Alone;
use super::collisions::{Collisions, Disc};
use super::plans::Floor;
use crate::clock::timed;
use crate::crowd::ours;
use crate::crowd::scene::Point;

/// The tick of the thesis, in seconds.
pub const TICK: f64 = 1.0 / 60.0;
/// Seconds before counting begins: the start is no part of the experiment.
const WARM_UP: f64 = 10.0;
/// The speed of all bodies, in m/s.
const SPEED: f64 = 1.34;
/// In a one-way donut goals lie this far ahead, as a share of the ring.
const AHEAD: f64 = 0.3;
/// A position of each body is kept every so many ticks, for pictures.
const TRAIL_TICKS: usize = 15;

/// What is varied.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The model.
    pub model: &'a str,
    /// The rule for way points.
    pub way_points: WayPoints,
    /// The rule for portals.
    pub shrink: Shrink,
    /// True to keep bodies apart by the projection.
    pub contact: bool,
    /// True if all walk the same way around the donut.
    pub one_way: bool,
    /// The radius of each body.
    pub radii: Vec<f64>,
    /// Simulated seconds that are counted.
    pub seconds: f64,
    /// The seed of places and goals.
    pub seed: u64,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Collisions over all counted ticks.
    pub collisions: Collisions,
    /// Bodies that passed the ray at angle zero, counter-clockwise less clockwise, per minute.
    pub flow: f64,
    /// Goals reached per minute.
    pub arrivals: f64,
    /// Mean speed over the speed wished.
    pub speed: f64,
    /// Microseconds of processor time per body and step.
    pub micros: f64,
    /// Milliseconds of processor time of the first step, which makes the tables of portals and routes.
    pub first_ms: f64,
    /// The cells in which each body was.
    pub cells: Vec<BTreeSet<u32>>,
    /// Positions of each body.
    pub trails: Vec<Vec<Point>>,
}

/// An experiment under way.
struct Experiment<'a> {
    mesh: &'a NavMesh,
    setup: &'a Setup<'a>,
    crowd: Crowd,
    ids: Vec<AgentId>,
    goals: Vec<(GoalId, Point)>,
    random: Random,
    outcome: Outcome,
}

/// Runs an experiment on the mesh of a floor.
pub fn run(floor: &Floor, mesh: &NavMesh, setup: &Setup) -> Result<Outcome, String> {
    let places = floor.places(&setup.radii, setup.seed);
    let mut experiment = Experiment::new(mesh, setup, &places)?;
    let walls: Vec<[Point; 2]> = floor.walls().collect();
    let ticks = |seconds: f64| (seconds / TICK).round() as usize;
    let (done, first) = timed(|| experiment.tick());
    done?;
    experiment.outcome.first_ms = first.cpu_ms;
    for _ in 1..ticks(WARM_UP) {
        experiment.tick()?;
    }
    experiment.outcome.arrivals = 0.0;
    let mut cpu_ms = 0.0;
    let counted = ticks(setup.seconds);
    for tick in 0..counted {
        let before = experiment.discs();
        let (done, elapsed) = timed(|| experiment.tick());
        done?;
        cpu_ms += elapsed.cpu_ms;
        experiment.look(&before, &walls, tick);
    }
    let mut outcome = experiment.outcome;
    let minutes = setup.seconds / 60.0;
    outcome.flow /= minutes;
    outcome.arrivals /= minutes;
    let body_ticks = (counted * places.len()).max(1) as f64;
    outcome.speed /= body_ticks;
    outcome.micros = cpu_ms * 1e3 / body_ticks;
    Ok(outcome)
}

impl<'a> Experiment<'a> {
    fn new(mesh: &'a NavMesh, setup: &'a Setup, places: &[Point]) -> Result<Experiment<'a>, String> {
        let fault = |error: clearway::Error| error.to_string();
        let options = CrowdOptions::default().seed(setup.seed).way_points(setup.way_points);
        let mut crowd = Crowd::new(options.shrink(setup.shrink).contact(setup.contact));
        let model = match setup.model {
            "alone" => Box::new(Alone) as Box<dyn LocalModel>,
            name => ours::model(name)?,
        };
        crowd.set_model(model);
        let mut goals = Vec::new();
        for cell in mesh.cells() {
            let outline: Vec<Point> = cell.outline().collect();
            let middle = middle_of(&outline);
            goals.push((crowd.add_goal(Area::new(outline).map_err(fault)?), middle));
        }
        let random = Random::new(setup.seed + 1);
        let mut experiment =
            Experiment { mesh, setup, crowd, ids: Vec::new(), goals, random, outcome: Outcome::default() };
        for (at, radius) in places.iter().zip(&setup.radii) {
            let goal = experiment.goal_from(*at);
            let options = AgentOptions::at(ours::place(mesh, *at)?).radius(*radius).speed(SPEED).goal(goal);
            let id = experiment.crowd.add(options).map_err(fault)?;
            experiment.ids.push(id);
        }
        experiment.outcome.cells = vec![BTreeSet::new(); places.len()];
        experiment.outcome.trails = vec![Vec::new(); places.len()];
        Ok(experiment)
    }

    /// A random cell; where all walk one way, the cell a third of the ring ahead.
    fn goal_from(&mut self, at: Point) -> GoalId {
        if !self.setup.one_way {
            return self.goals[self.random.below(self.goals.len())].0;
        }
        let ahead = turns(at) + AHEAD;
        let off = |middle: Point| {
            let off = (turns(middle) - ahead).rem_euclid(1.0);
            off.min(1.0 - off)
        };
        let nearest = self.goals.iter().min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        nearest.map_or(self.goals[0].0, |goal| goal.0)
    }

    fn discs(&self) -> Vec<Disc> {
        let agents = self.ids.iter().filter_map(|id| self.crowd.agent(*id));
        agents.map(|agent| (agent.at.position(), agent.radius)).collect()
    }

    fn tick(&mut self) -> Result<(), String> {
        self.crowd.step(self.mesh, TICK).map_err(|error| error.to_string())?;
        let done = |event: &Event| match event {
            Event::Arrived { id, .. } => Some((*id, true)),
            Event::Lost { id, .. } => Some((*id, false)),
            _ => None,
        };
        let done: Vec<(AgentId, bool)> = self.crowd.events().iter().filter_map(done).collect();
        for (id, arrived) in done {
            self.outcome.arrivals += f64::from(u8::from(arrived));
            if let Some(agent) = self.crowd.agent(id) {
                let goal = self.goal_from(agent.at.position());
                self.crowd.set_goal(id, goal);
            }
        }
        Ok(())
    }

    /// Counts what there is to see after a tick.
    fn look(&mut self, before: &[Disc], walls: &[[Point; 2]], tick: usize) {
        let discs = self.discs();
        self.outcome.collisions.count(&discs, walls);
        for (index, id) in self.ids.iter().enumerate() {
            let Some(agent) = self.crowd.agent(*id) else { continue };
            let (from, to) = (before[index].0, agent.at.position());
            if from[0] > 0.0 && to[0] > 0.0 && (from[1] < 0.0) != (to[1] < 0.0) {
                self.outcome.flow += if to[1] >= 0.0 { 1.0 } else { -1.0 };
            }
            self.outcome.speed += (to[0] - from[0]).hypot(to[1] - from[1]) / TICK / SPEED;
            let CellId(cell) = agent.at.cell();
            self.outcome.cells[index].insert(cell);
            if tick.is_multiple_of(TRAIL_TICKS) {
                self.outcome.trails[index].push(to);
            }
        }
    }
}

/// The angle of a point seen from the middle, in turns.
fn turns([x, y]: Point) -> f64 {
    y.atan2(x) / std::f64::consts::TAU
}

fn middle_of(outline: &[Point]) -> Point {
    let sum = outline.iter().fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    sum.map(|value| value / outline.len().max(1) as f64)
}

//! The large runs: a town and a building full of bodies that get a new goal whenever they arrive. The subcommand
//! `crowd-large`.

use std::time::Instant;

use clearway::Location;
use clearway_crowd::{Activity, AgentId, AgentOptions, Crowd, CrowdOptions, Event, Goal, GoalId};
use clearway_scenes::{BuildingOptions, Random};
use serde::Serialize;

use super::args::CrowdArgs;
use super::ours;
use super::peer::DT;
use super::scene::{RADIUS, SPEED};
use super::table::{figure, markdown};
use super::worlds::{World, places};
use crate::clock::timed;
use crate::heap;

/// The side of the town in blocks: 728 m. At 100,000 bodies it holds one on every five square metres.
const BLOCKS: usize = 12;
const CITY_BODIES: usize = 100_000;
const BUILDING: BuildingOptions = BuildingOptions { storeys: 10, rooms_x: 18, rooms_z: 10 };
const BUILDING_BODIES: usize = 20_000;
/// Simulated seconds of a run.
const SECONDS: f64 = 60.0;
/// The share of bodies with a goal of their own; the others share areas.
const OWN_GOALS: f64 = 0.5;
/// Places of their own are drawn from so many.
const OWN_PLACES: usize = 20_000;
const SEED: u64 = 5;

/// One run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LargeRow {
    /// The world.
    pub world: String,
    /// The model.
    pub model: String,
    /// The number of bodies.
    pub bodies: usize,
    /// The cells of the mesh.
    pub cells: usize,
    /// Threads.
    pub threads: usize,
    /// Simulated seconds.
    pub seconds: f64,
    /// Simulated seconds per second of wall time, from the first step on.
    pub real_time: f64,
    /// The same over the second half, when the first goals have been found.
    pub real_time_later: f64,
    /// Simulated seconds per second of processor time, all threads together.
    pub cpu_time: f64,
    /// The same over the second half.
    pub cpu_time_later: f64,
    /// Wall milliseconds of a step: the mean.
    pub mean_ms: f64,
    /// And the longest.
    pub worst_ms: f64,
    /// Searches that waited for their turn at the end.
    pub waiting: usize,
    /// Goals reached.
    pub arrivals: usize,
    /// Goals that could not be reached.
    pub lost: usize,
    /// The share of bodies that walk at the end, to a goal whose way is known.
    pub walking: f64,
    /// Mean speed at the end over the speed wished.
    pub speed: f64,
    /// Bytes of heap per body, tables and all.
    pub bytes: Option<f64>,
}

/// Runs the subcommand with the words after its name.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<(), String> {
    let args = CrowdArgs::parse(words)?;
    clearway::set_thread_count(args.threads);
    let mut rows = Vec::new();
    if args.wants_scene("city") {
        let bodies = args.sizes_or(&[CITY_BODIES])[0];
        run_world(&World::city(BLOCKS, bodies, RADIUS)?, &args, &mut rows)?;
    }
    if args.wants_scene("building") {
        let bodies = args.sizes_or(&[BUILDING_BODIES])[0];
        run_world(&World::building(BUILDING, bodies, RADIUS)?, &args, &mut rows)?;
    }
    print!("{}", table(&rows));
    crate::write_json(args.json.as_deref(), || {
        serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())
    })
}

fn run_world(world: &World, args: &CrowdArgs, rows: &mut Vec<LargeRow>) -> Result<(), String> {
    let (cells, bodies) = (world.mesh.cell_count(), world.places.len());
    eprintln!("{}: {cells} cells, {bodies} bodies", world.name);
    let asked = if args.only.is_empty() { vec!["headway".to_string()] } else { args.only.clone() };
    for model in asked {
        let (journey, bytes) = heap::grown_by(|| {
            let mut journey = Journey::new(world, &model, args)?;
            journey.walk(args)?;
            Ok::<Journey, String>(journey)
        });
        rows.push(LargeRow { bytes: bytes.map(|bytes| bytes as f64 / bodies as f64), ..journey?.row });
    }
    Ok(())
}

/// A crowd on its way through a world.
struct Journey<'a> {
    world: &'a World,
    crowd: Crowd,
    areas: Vec<GoalId>,
    own: Vec<Location>,
    random: Random,
    row: LargeRow,
}

impl<'a> Journey<'a> {
    fn new(world: &'a World, model: &str, args: &CrowdArgs) -> Result<Journey<'a>, String> {
        let mut crowd = Crowd::new(CrowdOptions::default());
        crowd.set_model(ours::model(model)?);
        let areas = world.areas.iter().map(|area| crowd.add_goal(area.clone())).collect();
        let own = places(&world.mesh, RADIUS, SEED).take(OWN_PLACES).collect();
        let row = LargeRow {
            world: world.name.clone(),
            model: model.into(),
            bodies: world.places.len(),
            cells: world.mesh.cell_count(),
            threads: args.threads,
            seconds: args.seconds.unwrap_or(SECONDS),
            ..LargeRow::default()
        };
        let mut journey = Journey { world, crowd, areas, own, random: Random::new(SEED), row };
        for at in &world.places {
            let options = AgentOptions::at(*at).radius(RADIUS).speed(SPEED).goal(journey.goal());
            journey.crowd.add(options).map_err(|error| error.to_string())?;
        }
        Ok(journey)
    }

    /// A goal anywhere: a shared area, or a place of one's own.
    fn goal(&mut self) -> Goal {
        if self.random.chance(OWN_GOALS) {
            Goal::Place(self.own[self.random.below(self.own.len())])
        } else {
            Goal::Area(self.areas[self.random.below(self.areas.len())])
        }
    }

    fn walk(&mut self, args: &CrowdArgs) -> Result<(), String> {
        let steps = (self.row.seconds / DT).round().max(2.0) as usize;
        let start = Instant::now();
        let (mut cpu_ms, mut first_ms, mut later) = (0.0, 0.0, start);
        for step in 0..steps {
            let (done, elapsed) = timed(|| self.step());
            let (waiting, searching) = done?;
            cpu_ms += elapsed.cpu_ms;
            self.row.worst_ms = self.row.worst_ms.max(elapsed.wall_ms);
            self.row.waiting = waiting;
            if step + 1 == steps / 2 {
                (first_ms, later) = (cpu_ms, Instant::now());
            }
            if step % 50 == 49 {
                let time = start.elapsed().as_secs_f64();
                eprintln!(
                    "{:.0} s in {time:.1} s; {waiting} searches wait, {searching} expansions",
                    self.crowd.time()
                );
            }
        }
        let wall = start.elapsed().as_secs_f64();
        let half = (steps - steps / 2) as f64 * DT;
        self.row.real_time = self.row.seconds / wall;
        self.row.real_time_later = half / later.elapsed().as_secs_f64();
        self.row.cpu_time = self.row.seconds / (cpu_ms / 1e3);
        self.row.cpu_time_later = half / ((cpu_ms - first_ms) / 1e3);
        self.row.mean_ms = wall * 1e3 / steps as f64;
        self.row.threads = args.threads;
        self.finish();
        Ok(())
    }

    /// One step, then new goals for those who arrived. Returns waiting searches and expansions.
    fn step(&mut self) -> Result<(usize, u64), String> {
        let report = self.crowd.step(&self.world.mesh, DT).map_err(|error| error.to_string())?;
        let mut done: Vec<AgentId> = Vec::new();
        for event in self.crowd.events() {
            match event {
                Event::Arrived { id, .. } => {
                    self.row.arrivals += 1;
                    done.push(*id);
                }
                Event::Lost { id, .. } => {
                    self.row.lost += 1;
                    done.push(*id);
                }
                _ => {}
            }
        }
        for id in done {
            let goal = self.goal();
            self.crowd.set_goal(id, goal);
        }
        Ok((report.waiting, report.expansions))
    }

    fn finish(&mut self) {
        let (mut walking, mut speed, mut count) = (0, 0.0, 0);
        for agent in self.crowd.agents() {
            count += 1;
            walking += usize::from(agent.activity == Activity::Walking);
            speed += agent.velocity[0].hypot(agent.velocity[1]) / SPEED;
        }
        self.row.walking = walking as f64 / count.max(1) as f64;
        self.row.speed = speed / count.max(1) as f64;
    }
}

fn table(rows: &[LargeRow]) -> String {
    let header = [
        "world",
        "model",
        "bodies",
        "cells",
        "threads",
        "simulated s",
        "real-time factor",
        "second half",
        "simulated s / CPU s",
        "second half",
        "mean step ms",
        "longest ms",
        "arrivals",
        "lost",
        "searches waiting",
        "walking",
        "speed / wished",
        "bytes / agent, tables too",
    ];
    let cells = |row: &LargeRow| {
        let counts = [row.arrivals, row.lost, row.waiting].map(|count| count.to_string());
        let mut cells = vec![row.world.clone(), row.model.clone()];
        cells.extend([row.bodies, row.cells, row.threads].map(|count| count.to_string()));
        let figures = [
            row.seconds,
            row.real_time,
            row.real_time_later,
            row.cpu_time,
            row.cpu_time_later,
            row.mean_ms,
            row.worst_ms,
        ];
        cells.extend(figures.map(|value| figure(Some(value))));
        cells.extend(counts);
        cells.extend([Some(row.walking), Some(row.speed), row.bytes].map(figure));
        cells
    };
    markdown("Large worlds", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}

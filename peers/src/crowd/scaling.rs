//! Our cost as crowds grow, their memory, and what a second thread is worth.

use std::process::Command;

use clearway_crowd::{Crowd, CrowdOptions};
use serde::{Deserialize, Serialize};

use super::ours;
use super::peer::DT;
use super::scene::Scene;
use crate::clock::timed;
use crate::heap;

/// The flag by which this program tells its child to measure the time of a step.
pub const CHILD_FLAG: &str = "--step-time";

/// Numbers of bodies of the growth table.
const SIZES: [usize; 4] = [1_000, 10_000, 50_000, 200_000];
const DENSITY: f64 = 0.5;
const WARM_UP: usize = 5;
const STEPS: usize = 10;
/// Bodies of the measurement of threads.
const THREAD_BODIES: usize = 50_000;

/// Our cost at one size.
#[derive(Clone, Debug, Serialize)]
pub struct GrowthRow {
    /// The model.
    pub model: String,
    /// The number of bodies.
    pub bodies: usize,
    /// Microseconds of processor time per body and step.
    pub micros: f64,
    /// The same over that of the smallest crowd.
    pub times_smallest: f64,
    /// Bytes of heap per body, ground and tables aside.
    pub bytes: Option<f64>,
}

/// What two threads are worth.
#[derive(Clone, Debug, Serialize)]
pub struct ThreadRow {
    /// The model.
    pub model: String,
    /// The number of bodies.
    pub bodies: usize,
    /// Wall milliseconds of a step on one thread.
    pub one_ms: f64,
    /// Wall milliseconds of a step on two threads.
    pub two_ms: f64,
    /// Processor time on two threads over that on one.
    pub overhead: f64,
}

impl ThreadRow {
    /// Wall time on one thread over that on two.
    pub fn gain(&self) -> f64 {
        self.one_ms / self.two_ms
    }
}

fn crowd_of(model: &str, scene: &Scene) -> Result<(Crowd, clearway::NavMesh), String> {
    let mesh = scene.mesh()?;
    let mut crowd = Crowd::new(CrowdOptions::default());
    crowd.set_model(ours::model(model)?);
    ours::fill(&mut crowd, &mesh, scene)?;
    Ok((crowd, mesh))
}

/// Measures growth from a thousand bodies on.
pub fn growth(model: &str, rounds: usize) -> Result<Vec<GrowthRow>, String> {
    let scenes: Vec<Scene> = SIZES.iter().map(|&count| Scene::disc(count, DENSITY)).collect();
    let mut rows: Vec<GrowthRow> = Vec::new();
    for scene in &scenes {
        let bodies = scene.bodies.len();
        let bytes = bytes_per_body(model, scene)?;
        rows.push(GrowthRow {
            model: model.into(),
            bodies,
            micros: f64::INFINITY,
            times_smallest: 1.0,
            bytes,
        });
    }
    for _ in 0..rounds {
        for (scene, row) in scenes.iter().zip(&mut rows) {
            let (mut crowd, mesh) = crowd_of(model, scene)?;
            step(&mut crowd, &mesh, WARM_UP)?;
            let (done, elapsed) = timed(|| step(&mut crowd, &mesh, STEPS));
            done?;
            row.micros = row.micros.min(elapsed.cpu_ms * 1e3 / (STEPS * row.bodies) as f64);
        }
    }
    let smallest = rows[0].micros;
    rows.iter_mut().for_each(|row| row.times_smallest = row.micros / smallest);
    Ok(rows)
}

/// Heap that the crowd holds after a few steps, beyond that of a crowd of one body.
fn bytes_per_body(model: &str, scene: &Scene) -> Result<Option<f64>, String> {
    let grown = |scene: &Scene| {
        let mesh = scene.mesh()?;
        let (crowd, bytes) = heap::grown_by(|| {
            let mut crowd = Crowd::new(CrowdOptions::default());
            crowd.set_model(ours::model(model)?);
            ours::fill(&mut crowd, &mesh, scene)?;
            step(&mut crowd, &mesh, WARM_UP)?;
            Ok::<Crowd, String>(crowd)
        });
        crowd.map(|_| bytes)
    };
    let alone = Scene { bodies: scene.bodies[..1].to_vec(), ..scene.clone() };
    let (all, one) = (grown(scene)?, grown(&alone)?);
    let rest = (scene.bodies.len() - 1) as f64;
    Ok(all.zip(one).map(|(all, one)| all.saturating_sub(one) as f64 / rest))
}

fn step(crowd: &mut Crowd, mesh: &clearway::NavMesh, count: usize) -> Result<(), String> {
    (0..count).try_for_each(|_| crowd.step(mesh, DT).map(|_| ())).map_err(|error| error.to_string())
}

/// Wall and processor milliseconds of a step.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct StepTime {
    wall_ms: f64,
    cpu_ms: f64,
}

/// Measures two threads against one. The number of threads holds for a whole process, so each run is one of its own;
/// they take turns.
pub fn threads(model: &str, rounds: usize) -> Result<ThreadRow, String> {
    let mut least = [StepTime { wall_ms: f64::INFINITY, cpu_ms: f64::INFINITY }; 2];
    for _ in 0..rounds {
        for (count, least) in (1..).zip(&mut least) {
            let time = in_child(model, count)?;
            least.wall_ms = least.wall_ms.min(time.wall_ms);
            least.cpu_ms = least.cpu_ms.min(time.cpu_ms);
        }
    }
    let [one, two] = least;
    Ok(ThreadRow {
        model: model.into(),
        bodies: THREAD_BODIES,
        one_ms: one.wall_ms,
        two_ms: two.wall_ms,
        overhead: two.cpu_ms / one.cpu_ms,
    })
}

fn in_child(model: &str, threads: usize) -> Result<StepTime, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let words = ["crowd", CHILD_FLAG, "--only", model, "--threads", &threads.to_string()];
    let output = Command::new(program).args(words).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// The child's side: the least times of a step, as a line of JSON.
pub fn print_step_time(model: &str) -> Result<(), String> {
    let scene = Scene::disc(THREAD_BODIES, DENSITY);
    let (mut crowd, mesh) = crowd_of(model, &scene)?;
    step(&mut crowd, &mesh, WARM_UP)?;
    let mut least = StepTime { wall_ms: f64::INFINITY, cpu_ms: f64::INFINITY };
    for _ in 0..STEPS {
        let (done, elapsed) = timed(|| step(&mut crowd, &mesh, 1));
        done?;
        least.wall_ms = least.wall_ms.min(elapsed.wall_ms);
        least.cpu_ms = least.cpu_ms.min(elapsed.cpu_ms);
    }
    println!("{}", serde_json::to_string(&least).map_err(|error| error.to_string())?);
    Ok(())
}

//! The cost of writing trajectories: our binary, our SQLite and text, beside JuPedSim's writer.

use std::path::PathBuf;

use clearway_crowd::{Crowd, CrowdOptions};
use clearway_record::{AgentRecord, Geometry, Header, Place, RecordOptions, Recorder, Recording, formats};
use serde::Serialize;

use super::peer::DT;
use super::scene::Scene;
use super::{jupedsim, ours};
use crate::clock::timed;

const BODIES: usize = 5_000;
const FRAMES: usize = 60;

/// The cost of one way to keep trajectories.
#[derive(Clone, Debug, Serialize)]
pub struct WriteRow {
    /// What is done.
    pub what: String,
    /// Microseconds of processor time per body and frame.
    pub micros: Option<f64>,
    /// Bytes per body and frame.
    pub bytes: Option<f64>,
    /// The limit of the issue, in microseconds.
    pub limit: Option<f64>,
    /// Why figures are missing.
    pub note: Option<String>,
}

/// Measures our recorder and writers, and JuPedSim's.
pub fn measure(rounds: usize) -> Result<Vec<WriteRow>, String> {
    let scene = Scene::disc(BODIES, 0.5);
    let frames = frames_of(&scene)?;
    let per = |ms: f64| ms * 1e3 / (BODIES * FRAMES) as f64;
    let row = |what: &str, micros: f64, bytes: Option<f64>, limit: Option<f64>| WriteRow {
        what: what.into(),
        micros: Some(micros),
        bytes,
        limit,
        note: None,
    };
    let mut rows = Vec::new();
    let (recording, ms) = least(rounds, || record(&scene, &frames))?;
    rows.push(row("take frames into memory, unmeasured", per(ms), None, None));
    for (ending, limit) in [("cwt", Some(0.05)), ("sqlite", Some(1.0)), ("txt", None)] {
        let path =
            PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target")).join(format!("crowd.{ending}"));
        let ((), ms) =
            least(rounds, || formats::write(&recording, &path).map_err(|error| error.to_string()))?;
        let bytes = std::fs::metadata(&path).map(|data| data.len() as f64 / (BODIES * FRAMES) as f64).ok();
        std::fs::remove_file(&path).ok();
        rows.push(row(&format!("write .{ending}"), per(ms), bytes, limit));
    }
    let theirs = jupedsim::writing(&scene);
    let (micros, note) = (theirs.as_ref().ok().copied(), theirs.err());
    rows.push(WriteRow {
        what: "JuPedSim SqliteTrajectoryWriter".into(),
        micros,
        bytes: None,
        limit: None,
        note,
    });
    Ok(rows)
}

/// Runs a crowd and keeps the places of every frame.
fn frames_of(scene: &Scene) -> Result<Vec<Vec<Place>>, String> {
    let mesh = scene.mesh()?;
    let mut crowd = Crowd::new(CrowdOptions::default());
    ours::fill(&mut crowd, &mesh, scene)?;
    let place = |(number, agent): (usize, clearway_crowd::Agent)| {
        let [x, y] = agent.at.position();
        Place::new(number as u32, [x, y, 0.0]).speed(agent.velocity[0].hypot(agent.velocity[1]))
    };
    let frame = |_| {
        crowd.step(&mesh, DT).map_err(|error| error.to_string())?;
        Ok(crowd.agents().enumerate().map(place).collect())
    };
    (0..FRAMES).map(frame).collect()
}

fn record(scene: &Scene, frames: &[Vec<Place>]) -> Result<Recording, String> {
    let fault = |error: clearway::Error| error.to_string();
    let geometry = Geometry::of_plan(std::slice::from_ref(&scene.outline), &[]);
    let options = RecordOptions::default().measure(false);
    let mut recorder = Recorder::with_options(Header::new(&scene.name, geometry), options).map_err(fault)?;
    for number in 0..scene.bodies.len() {
        recorder.add_agent(AgentRecord::new(number as u64)).map_err(fault)?;
    }
    for (number, places) in frames.iter().enumerate() {
        recorder.frame(number as f64 * DT, places.iter().copied()).map_err(fault)?;
    }
    Ok(recorder.finish())
}

/// The last result of some runs, and the least processor time in milliseconds.
fn least<T>(rounds: usize, run: impl Fn() -> Result<T, String>) -> Result<(T, f64), String> {
    let (first, elapsed) = timed(&run);
    let (mut result, mut ms) = (first?, elapsed.cpu_ms);
    for _ in 1..rounds {
        let (again, elapsed) = timed(&run);
        result = again?;
        ms = ms.min(elapsed.cpu_ms);
    }
    Ok((result, ms))
}

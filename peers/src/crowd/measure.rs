//! Rounds of runs, engine after engine, so that a busy minute of the machine hits them all.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;

use super::peer::{CrowdPeer, Run};
use super::scene::Scene;

/// What one engine takes in one scene. Figures are empty where it sat the scene out; `note` says why.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CostRow {
    /// The scene.
    pub scene: String,
    /// The number of bodies.
    pub bodies: usize,
    /// The engine.
    pub peer: String,
    /// Its time step in seconds.
    pub dt: f64,
    /// Microseconds of processor time per body and step.
    pub per_step: Option<f64>,
    /// The same per body and simulated second.
    pub per_second: Option<f64>,
    /// Cost of a step over that of dodgy_2d.
    pub times_dodgy: Option<f64>,
    /// Cost of a step over that of JuPedSim.
    pub times_jupedsim: Option<f64>,
    /// Cost of a simulated second over that of JuPedSim.
    pub second_times_jupedsim: Option<f64>,
    /// Why figures are missing.
    pub note: Option<String>,
}

/// Measures all engines in one scene, interleaved in rounds, over the usual or the given simulated seconds.
pub fn measure(
    peers: &[Box<dyn CrowdPeer>],
    scene: &Scene,
    rounds: usize,
    seconds: Option<f64>,
) -> Vec<CostRow> {
    let row = |peer: &dyn CrowdPeer| CostRow {
        scene: scene.name.clone(),
        bodies: scene.bodies.len(),
        peer: peer.name(),
        ..CostRow::default()
    };
    let mut rows: Vec<CostRow> = peers.iter().map(|peer| row(peer.as_ref())).collect();
    for round in 0..rounds {
        for (peer, row) in peers.iter().zip(&mut rows) {
            if round < peer.rounds(rounds) && row.note.is_none() {
                row.take(once(peer.as_ref(), scene, seconds));
            }
        }
    }
    compare(&mut rows);
    rows
}

impl CostRow {
    fn take(&mut self, measured: Result<(f64, f64), String>) {
        match measured {
            Ok((dt, micros)) => {
                let least = self.per_step.map_or(micros, |before| before.min(micros));
                self.dt = dt;
                self.per_step = Some(least);
                self.per_second = Some(least / dt);
            }
            Err(note) => self.note = Some(note),
        }
    }
}

/// Time step and microseconds per body and step of one run. An engine that panics loses its row, not the others.
fn once(peer: &dyn CrowdPeer, scene: &Scene, seconds: Option<f64>) -> Result<(f64, f64), String> {
    let attempt = || {
        let mut run = peer.prepare(scene)?;
        let steps = |run: &dyn Run, seconds: f64| (seconds / run.dt()).round().max(1.0) as usize;
        let (warm_up, measured) =
            (steps(&*run, run.warm_up()), steps(&*run, seconds.unwrap_or(run.measured())));
        run.steps(warm_up)?;
        let micros = run.steps(measured)?;
        Ok((run.dt(), micros / (measured * run.bodies()) as f64))
    };
    catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|_| Err("panicked".into()))
}

/// Sets the ratios to the named peers.
fn compare(rows: &mut [CostRow]) {
    let named = |name: &str| rows.iter().find(|row| row.peer.starts_with(name)).cloned().unwrap_or_default();
    let (dodgy, jupedsim) = (named("dodgy"), named("JuPedSim"));
    let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b?);
    for row in rows {
        row.times_dodgy = ratio(row.per_step, dodgy.per_step);
        row.times_jupedsim = ratio(row.per_step, jupedsim.per_step);
        row.second_times_jupedsim = ratio(row.per_second, jupedsim.per_second);
    }
}

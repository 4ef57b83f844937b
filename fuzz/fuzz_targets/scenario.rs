//! Scenarios in any words: reading never panics, what is read runs, and nobody leaves the mesh.

#![no_main]

use clearway::scenario::{Ground, Run, Scenario, WorldSource};
use libfuzzer_sys::fuzz_target;

/// The largest number of people and of corners: larger scenarios only take time.
const MOST: usize = 60;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(scenario) = Scenario::parse("fuzz.toml", "".into(), text) else { return };
    // Files of this machine have no place here.
    let WorldSource::Plan(plan) = &scenario.world else { return };
    let people: usize = scenario.sources.iter().map(|source| source.supply.most()).sum();
    if people > MOST || plan.point_count() > MOST {
        return;
    }
    let Ok(ground) = Ground::load(&scenario, None) else { return };
    let Ok(mut run) = Run::new(&scenario, &ground, 0) else { return };
    for _ in 0..12 {
        match run.step() {
            Ok(true) => check(&run),
            Ok(false) | Err(_) => break,
        }
    }
});

/// Checks everybody.
fn check(run: &Run<'_>) {
    for agent in run.crowd().agents() {
        let at = agent.at.position();
        assert!(at.iter().all(|number| number.is_finite()), "{at:?}");
        assert!(run.mesh().is_here(&agent.at), "{at:?} is off the mesh");
    }
}

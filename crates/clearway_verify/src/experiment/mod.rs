//! The experiments behind the tests, by what they are about. One experiment may serve tests of several suites.

pub mod diagram;
pub mod engine;
pub mod flow;
pub mod obstacles;
pub mod people;
pub mod rooms;
pub mod stairs;
pub mod storeys;
pub mod streams;
pub mod walk;

use crate::sim::Sim;
use clearway_base::Result;

/// Runs until the first person has crossed one line and then another. Returns the time between, infinite if the limit
/// came first. Both times are read between steps by straight lines.
fn time_between(
    sim: &mut Sim,
    limit: f64,
    along: impl Fn([f64; 2]) -> f64,
    from: f64,
    to: f64,
) -> Result<f64> {
    // Nobody leaves while a long way is walked.
    sim.patience = limit;
    let (mut begun, mut ended) = (None, None);
    let mut last = sim.people().first().map(|person| along(person.start));
    sim.run(limit, |sim| {
        let Some(body) = sim.present().first() else { return false };
        let (now, here) = (sim.time(), along(body.at));
        let before = last.unwrap_or(here);
        let crossing = |line: f64| {
            let share = if here > before { (here - line) / (here - before) } else { 0.0 };
            (before < line && here >= line).then_some(now - sim.dt * share)
        };
        begun = begun.or(crossing(from));
        ended = ended.or(crossing(to));
        last = Some(here);
        ended.is_none()
    })?;
    Ok(match (begun, ended) {
        (Some(begun), Some(ended)) => ended - begun,
        _ => f64::INFINITY,
    })
}

//! The cost of exact clearance: the same crowd with portals shrunk exactly, shrunk simply, and with fixed centres.

use clearway_crowd::{Shrink, WayPoints};

use super::drive::{self, Setup};
use super::plans::Floor;
use super::{RADIUS, RULES, SEED};
use crate::crowd::table::{figure, markdown};

const BODIES: usize = 225;
const MODEL: &str = "headway";
/// The rules that are compared; the first is what the others are compared with.
const COMPARED: [&str; 3] = ["fixed centre", "dynamic, far, simple shrinking", "dynamic, far end"];

/// Measures the rules in turns and returns the table.
pub fn measure(rounds: usize, seconds: f64) -> Result<String, String> {
    let floor = Floor::cross(SEED);
    let mesh = floor.mesh()?;
    let rules: Vec<(&str, WayPoints, Shrink)> =
        COMPARED.iter().flat_map(|name| RULES.into_iter().filter(move |rule| rule.0 == *name)).collect();
    let mut least = vec![(f64::INFINITY, f64::INFINITY); rules.len()];
    for _ in 0..rounds {
        for (&(_, way_points, shrink), least) in rules.iter().zip(&mut least) {
            let radii = vec![RADIUS; BODIES];
            let setup = Setup {
                model: MODEL,
                way_points,
                shrink,
                contact: true,
                one_way: false,
                radii,
                seconds,
                seed: SEED,
            };
            let outcome = drive::run(&floor, &mesh, &setup)?;
            *least = (least.0.min(outcome.micros), least.1.min(outcome.first_ms));
        }
    }
    let base = least[0].0;
    let row = |(&(name, ..), &(micros, first)): (&(&str, WayPoints, Shrink), &(f64, f64))| {
        let figures = [micros, micros / base, first].map(|value| figure(Some(value)));
        [vec![name.to_string()], figures.to_vec()].concat()
    };
    let rows: Vec<Vec<String>> = rules.iter().zip(&least).map(row).collect();
    let header = ["way points", "µs / agent-step", "times fixed centre", "first step with tables, ms"];
    Ok(markdown(&format!("Cost of clearance: cross, {BODIES} bodies, {MODEL}"), &header, &rows))
}

//! Makes a way cheaper that was found on a graph: bends are left out or slid along their portals.

use super::rate::Rate;
use crate::tolerances::shares::CLEARLY_CHEAPER;
use clearway_geometry::{NONE, Vec2};

/// How far ahead a straight move is tried, in stations.
const MOST_SKIPPED: usize = 48;
/// How often all stations are gone through.
const MOST_ROUNDS: usize = 6;
/// How often the room in which a station is slid is made smaller.
const SLIDE_STEPS: usize = 24;
/// By which part, that of the golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A place where a way bends, the start, or the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    pub at: Vec2,
    pub cell: u32,
    /// The side of the cell on which it lies; [`NONE`] for places inside.
    pub side: u32,
}

/// Straightens a way for a body of a radius in grid units as long as it becomes clearly cheaper.
pub(super) fn straighten(rate: &Rate, stations: &mut Vec<Station>, radius: f64) {
    let mut before = f64::INFINITY;
    for _ in 0..MOST_ROUNDS {
        slide_all(rate, stations, radius);
        let cost = skip(rate, stations, radius);
        if cost >= before * (1.0 - CLEARLY_CHEAPER) {
            return;
        }
        before = cost;
    }
}

/// Leaves out the stations without which the way is cheapest; returns what it costs then.
fn skip(rate: &Rate, stations: &mut Vec<Station>, radius: f64) -> f64 {
    let count = stations.len();
    let mut best = vec![(f64::INFINITY, 0usize); count];
    if let Some(first) = best.first_mut() {
        first.0 = 0.0;
    }
    for to in 1..count {
        for from in (to.saturating_sub(MOST_SKIPPED)..to).rev() {
            let [a, b] = [from, to].map(|place| stations[place]);
            if best[from].0 >= best[to].0 {
                continue;
            }
            let mut cost = rate.of_body((a.at, a.cell), (b.at, b.cell), radius);
            if from + 1 == to && !cost.is_finite() {
                // The graph knows that this move is free, even where the last step of rounding denies it.
                cost = rate.across(a.at, a.cell, b.at).min(1e300);
            }
            if best[from].0 + cost < best[to].0 {
                best[to] = (best[from].0 + cost, from);
            }
        }
    }
    let mut kept = Vec::new();
    let mut at = count.saturating_sub(1);
    while at > 0 {
        kept.push(stations[at]);
        at = best[at].1;
    }
    kept.extend(stations.first().copied());
    kept.reverse();
    *stations = kept;
    best.last().map_or(0.0, |last| last.0)
}

/// Slides each station along its portal to where the way is cheapest.
fn slide_all(rate: &Rate, stations: &mut [Station], radius: f64) {
    for place in 1..stations.len().saturating_sub(1) {
        let [before, station, after] = [place - 1, place, place + 1].map(|at| stations[at]);
        if station.side != NONE {
            stations[place].at = slide(rate, [before, station, after], radius);
        }
    }
}

/// The place on the portal where the way from the station before to that after is cheapest, by golden section: costs
/// have one minimum there unless places to keep away from or watchers are near.
fn slide(rate: &Rate, [before, station, after]: [Station; 3], radius: f64) -> Vec2 {
    let [from, to] = rate.mesh.graph().ends(station.cell, station.side as usize);
    let inset = radius / from.distance(to);
    let cost = |at: Vec2| {
        let middle = (at, station.cell);
        rate.of_body((before.at, before.cell), middle, radius)
            + rate.of_body(middle, (after.at, after.cell), radius)
    };
    let at = |part: f64| from + (to - from) * part;
    let (mut low, mut high) = (inset, 1.0 - inset);
    let known = cost(station.at);
    if low >= high || !known.is_finite() {
        return station.at;
    }
    let (mut best, mut least) = (station.at, known);
    let mut try_at = |part: f64| {
        let found = cost(at(part));
        if found < least {
            (best, least) = (at(part), found);
        }
        found
    };
    try_at(low);
    try_at(high);
    let [mut one, mut two] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let [mut first, mut second] = [one, two].map(&mut try_at);
    for _ in 0..SLIDE_STEPS {
        if first <= second {
            (high, two, second) = (two, one, first);
            one = high - GOLDEN * (high - low);
            first = try_at(one);
        } else {
            (low, one, first) = (one, two, second);
            two = low + GOLDEN * (high - low);
            second = try_at(two);
        }
    }
    best
}

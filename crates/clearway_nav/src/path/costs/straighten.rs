//! Makes a way from the graph cheaper: leaves out bends, or slides them along their portals. Every step keeps the way
//! legal and does not raise its cost, so it may stop at any time.

use super::rate::Rate;
use crate::tolerances::shares::CLEARLY_CHEAPER;
use clearway_geometry::{NONE, Vec2};

/// The number of stations ahead to which a straight move is tried. Cost grows linearly with it; long open spaces need
/// more.
const MOST_SKIPPED: usize = 48;
/// The largest number of rounds over all stations. A round that gains less than a millionth ends the loop earlier.
const MOST_ROUNDS: usize = 6;
/// The number of steps of the golden section search. 24 steps narrow a portal to a hundred-thousandth of its length.
const SLIDE_STEPS: usize = 24;
/// The golden section: each step of the search keeps this share of the interval.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A bend of a way, or its start or goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// Its position in grid units.
    pub at: Vec2,
    /// A cell that holds it.
    pub cell: u32,
    /// The side of the cell on which it lies; [`NONE`] for points inside.
    pub side: u32,
}

/// Straightens a way for a body, with a radius in grid units, as long as it becomes clearly cheaper.
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

/// Leaves out the stations without which the way is cheapest (dynamic programming). Returns its cost.
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
                // The graph knows that this move is free, even if rounding denies it here.
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

/// Returns the point of the portal where the way from the station before to the station after is cheapest, by golden
/// section. Costs have one minimum there unless shadows or watchers are near.
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

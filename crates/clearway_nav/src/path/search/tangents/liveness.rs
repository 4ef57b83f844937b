//! Which tangents lead on, and which lead nowhere but to a goal in sight.
//!
//! A body that arrives at a corner turns around it, further and further, and leaves it by a tangent. If every tangent
//! leaves before the place at which the body arrives, the body cannot go on: the tangent by which it came is dead. So is
//! a tangent that leads only to dead ones. A shortest path takes dead tangents only at its end, one after the other, and
//! those are found backwards from the goal. All radii count at once, so that a tangent is dead only if it is for each.

use super::{ROUNDED_ANGLE, Span, Tangent, TangentIndex, hand};
use clearway_geometry::Vec2;

/// The least arrival and the greatest departure of a tangent over all radii: progress around the corner, in radians.
#[derive(Clone, Copy)]
struct Progress {
    /// The greatest progress at which it leaves.
    leaves: f32,
    /// The least progress at which it arrives.
    arrives: f32,
}

/// Makes the index of the tangents that leave each state.
pub(super) fn sort_out(places: Vec<Vec2>, split: Vec<bool>, lists: Vec<Vec<Tangent>>) -> TangentIndex {
    let progress: Vec<Vec<Progress>> =
        lists.iter().enumerate().map(|(state, list)| progress_of(&places, state as u32, list)).collect();
    let (alive, far) = live_ones(&lists, &progress);
    let count: usize = lists.iter().map(Vec::len).sum();
    let mut index = TangentIndex {
        places,
        live: Vec::with_capacity(lists.len()),
        dead: vec![Span::default(); lists.len()],
        far,
        tangents: Vec::with_capacity(count),
        split,
    };
    let mut dead = Vec::new();
    for (state, list) in lists.iter().enumerate() {
        let first = index.tangents.len() as u32;
        for (tangent, is_alive) in list.iter().zip(&alive[state]) {
            if *is_alive {
                index.tangents.push(*tangent);
            } else {
                let source = tangent.end & super::DOUBTFUL | state as u32;
                dead.push((tangent.end(), Tangent { end: source, ..*tangent }));
            }
        }
        index.live.push(Span { first, count: index.tangents.len() as u32 - first });
    }
    // Stable: the tangents of a state keep the order of the states that they come from.
    dead.sort_by_key(|(state, _)| *state);
    for (state, tangent) in dead {
        let span = &mut index.dead[state as usize];
        if span.count == 0 {
            span.first = index.tangents.len() as u32;
        }
        span.count += 1;
        index.tangents.push(tangent);
    }
    index
}

/// Returns the progress of all tangents of a state.
fn progress_of(places: &[Vec2], state: u32, list: &[Tangent]) -> Vec<Progress> {
    let of = |tangent: &Tangent| {
        let (from, to) = (hand(state), hand(tangent.end()));
        // The tangent turns to the hand of its source as the radius grows.
        let turned = if from == to {
            0.0
        } else if tangent.end & super::DOUBTFUL != 0 {
            std::f64::consts::FRAC_PI_2
        } else {
            let length = places[(state >> 1) as usize].distance(places[(tangent.end() >> 1) as usize]);
            (2.0 * f64::from(tangent.widest) * (1.0 + super::ROUNDED_WIDTH) / length).min(1.0).asin()
        };
        let leaves = f64::from(tangent.leaves) * from + turned + ROUNDED_ANGLE;
        let arrives = f64::from(tangent.arrives) * to - turned - ROUNDED_ANGLE;
        Progress { leaves: leaves as f32, arrives: arrives as f32 }
    };
    list.iter().map(of).collect()
}

/// Returns for each tangent whether it is alive, and for each state the greatest progress at which a live one leaves.
///
/// At first all are alive. A tangent dies if none leaves the state that it leads to far enough. That goes on until none
/// dies, which is the greatest solution.
fn live_ones(lists: &[Vec<Tangent>], progress: &[Vec<Progress>]) -> (Vec<Vec<bool>>, Vec<f32>) {
    let mut alive: Vec<Vec<bool>> = lists.iter().map(|list| vec![true; list.len()]).collect();
    let farthest = |alive: &[bool], progress: &[Progress]| {
        let live = alive.iter().zip(progress).filter(|(alive, _)| **alive);
        live.fold(f32::NEG_INFINITY, |far, (_, progress)| far.max(progress.leaves))
    };
    let mut far: Vec<f32> =
        alive.iter().zip(progress).map(|(alive, progress)| farthest(alive, progress)).collect();
    loop {
        let mut changed = false;
        for state in 0..lists.len() {
            let mut died = false;
            for (place, tangent) in lists[state].iter().enumerate() {
                if alive[state][place] && far[tangent.end() as usize] < progress[state][place].arrives {
                    alive[state][place] = false;
                    died = true;
                }
            }
            if died {
                far[state] = farthest(&alive[state], &progress[state]);
                changed = true;
            }
        }
        if !changed {
            return (alive, far);
        }
    }
}

//! Which tangents lead on, and which lead nowhere but to a goal in sight.
//!
//! A body that arrives at a corner turns around it, further and further, and leaves it by a tangent. If every tangent
//! leaves before the place at which the body arrives, the body cannot go on: the tangent by which it came is dead. So is
//! a tangent that leads only to dead ones. A shortest path takes dead tangents only at its end, one after the other, and
//! those are found backwards from the goal.
//!
//! A class holds all radii up to a bound, and a tangent is dead in a class only if it is for each of them. So a tangent
//! that is dead in one class is dead in all smaller ones, and the least class in which it is alive says all.

use super::{
    CLASSES, ROUNDED_ANGLE, ROUNDED_WIDTH, STATE_BITS, Span, Tangent, TangentIndex, corner_of, hand,
};
use clearway_base::parallel;
use clearway_geometry::Vec2;
use std::f64::consts::FRAC_PI_2;

/// Each class reaches this many times as far as the one before. The first class is for points, the last for all bodies;
/// the one before the last reaches to a quarter of the widest place beside a tangent.
const RATIO: f32 = 4.0;

/// Makes the index of the tangents that leave each state.
pub(super) fn sort_out(places: Vec<Vec2>, split: Vec<bool>, mut lists: Vec<Vec<Tangent>>) -> TangentIndex {
    let classes = classes(&lists);
    let mut far = vec![[f32::NEG_INFINITY; CLASSES]; lists.len()];
    let mut arriving = vec![Vec::new(); lists.len()];
    for (list, state) in lists.iter().zip(0u32..) {
        list.iter().for_each(|tangent| arriving[tangent.end() as usize].push(state));
    }
    for class in (0..CLASSES).rev() {
        bury(&places, &mut lists, &arriving, &mut far, (class, classes[class]));
    }
    drop(arriving);
    let count: usize = lists.iter().map(Vec::len).sum();
    let near = 2.0 * lengths(&places, &lists).sum::<f64>() / count.max(1) as f64;
    let mut index = TangentIndex {
        near,
        places,
        split,
        classes,
        live: Vec::with_capacity(lists.len()),
        dead: vec![Span::default(); lists.len()],
        far,
        tangents: Vec::with_capacity(count),
    };
    let mut dead = Vec::new();
    for (state, list) in lists.iter_mut().enumerate() {
        let to_dead = |tangent: &&Tangent| tangent.lives_from() > 0;
        dead.extend(list.iter().filter(to_dead).map(|tangent| {
            let end = tangent.end & !super::STATE | state as u32;
            (tangent.end(), Tangent { end, ..*tangent })
        }));
        list.retain(|tangent| (tangent.lives_from() as usize) < CLASSES);
        // Stable, as the next: equal ones keep the order of the states that they lead to.
        list.sort_by_key(Tangent::lives_from);
        let first = index.tangents.len() as u32;
        index.live.push(Span { first, count: list.len() as u32 });
        index.tangents.append(list);
    }
    dead.sort_by_key(|(state, tangent)| (*state, std::cmp::Reverse(tangent.lives_from())));
    for (state, tangent) in dead {
        let span = &mut index.dead[state as usize];
        if span.count == 0 {
            span.first = index.tangents.len() as u32;
        }
        span.count += 1;
        index.tangents.push(tangent);
    }
    index.tangents.shrink_to_fit();
    index
}

/// Returns the length of the line along each tangent.
fn lengths(places: &[Vec2], lists: &[Vec<Tangent>]) -> impl Iterator<Item = f64> {
    let place = |state: u32| places[corner_of(state) as usize];
    let tangents =
        (0u32..).zip(lists).flat_map(|(state, list)| list.iter().map(move |end| (state, end.end())));
    tangents.map(move |(from, to)| place(from).distance(place(to)))
}

/// Returns the greatest radius of each class.
fn classes(lists: &[Vec<Tangent>]) -> [f32; CLASSES] {
    let widths = lists.iter().flatten().map(|tangent| tangent.widest).filter(|width| width.is_finite());
    let mut bound = widths.fold(0.0, f32::max);
    let mut classes = [f32::INFINITY; CLASSES];
    for class in (1..CLASSES - 1).rev() {
        bound /= RATIO;
        classes[class] = bound;
    }
    classes[0] = 0.0;
    classes
}

/// Finds the tangents that are dead in a class among those that are alive in the next larger one, and the greatest
/// progress at which live ones leave each state. `arriving` lists the states with tangents to each state.
///
/// At first all of these are alive. A tangent dies if none leaves the state that it leads to far enough. That goes on
/// until none dies, which is the greatest solution. Only states from which fewer tangents leave are looked at again.
fn bury(
    places: &[Vec2],
    lists: &mut [Vec<Tangent>],
    arriving: &[Vec<u32>],
    far: &mut [[f32; CLASSES]],
    (class, most): (usize, f32),
) {
    let is_alive = |tangent: &Tangent| tangent.lives_from() as usize <= class;
    let progress: Vec<Vec<[f32; 2]>> = parallel::map(lists.len(), |state| {
        let of = |tangent| progress_of(places, state as u32, tangent, f64::from(most));
        lists[state].iter().map(of).collect()
    });
    let farthest = |list: &[Tangent], progress: &[[f32; 2]]| {
        let live = list.iter().zip(progress).filter(|(tangent, _)| is_alive(tangent));
        live.map(|(_, [leaves, _])| *leaves).fold(f32::NEG_INFINITY, f32::max)
    };
    for (state, list) in lists.iter().enumerate() {
        far[state][class] = farthest(list, &progress[state]);
    }
    let mut dirty: Vec<u32> = (0..lists.len() as u32).collect();
    let mut is_dirty = vec![true; lists.len()];
    while let Some(state) = dirty.pop() {
        is_dirty[state as usize] = false;
        let reach = far[state as usize][class];
        for source in arriving[state as usize].iter().map(|source| *source as usize) {
            let list = &mut lists[source];
            let Ok(place) = list.binary_search_by_key(&state, Tangent::end) else { continue };
            if !is_alive(&list[place]) || reach >= progress[source][place][1] {
                continue;
            }
            list[place].end = state | (class as u32 + 1) << STATE_BITS;
            let lost = progress[source][place][0];
            if lost < far[source][class] {
                continue;
            }
            let left = farthest(list, &progress[source]);
            if left < far[source][class] {
                far[source][class] = left;
                if !std::mem::replace(&mut is_dirty[source], true) {
                    dirty.push(source as u32);
                }
            }
        }
    }
}

/// Returns the greatest progress at which a tangent leaves a state, and the least at which it arrives, for radii up to
/// `most`.
fn progress_of(places: &[Vec2], state: u32, tangent: &Tangent, most: f64) -> [f32; 2] {
    let turned = turned(places, state, tangent, most);
    let leaves = tangent.leaves() * hand(state) + turned + ROUNDED_ANGLE;
    let arrives = tangent.arrives() * hand(tangent.end()) - turned - ROUNDED_ANGLE;
    [leaves as f32, arrives as f32]
}

/// Returns the greatest angle by which a tangent turns to the hand of the state that it leaves, for radii up to `most`.
fn turned(places: &[Vec2], state: u32, tangent: &Tangent, most: f64) -> f64 {
    if (state ^ tangent.end()) & 1 == 0 || most == 0.0 {
        return 0.0;
    }
    let length = places[corner_of(state) as usize].distance(places[corner_of(tangent.end()) as usize]);
    let share = 2.0 * f64::from(tangent.widest).min(most) * (1.0 + ROUNDED_WIDTH) / length;
    if share < 1.0 { share.asin() } else { FRAC_PI_2 }
}

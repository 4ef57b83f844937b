//! Plateau local search: turn portals about one end, drop those that become needless.
//!
//! A portal that is needless at one end may have that end moved to a neighbouring corner of either convex cell
//! beside it: the number of cells stays, and a portal nearby may become removable. Every state on the way is
//! a valid partition, so the search may stop after any number of moves. The same idea, as annealing on edges,
//! won the CG:SHOP 2020 challenge on minimum convex partition.

use super::convexity::Convexity;
use super::facets::Facets;
use super::stuck::{Move, Stuck};
use clearway_geometry::NONE;

/// How long and how freely to search.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// How often each portal gets its chance.
    pub rounds: u32,
    /// In how many of sixteen cases a portal may only become shorter. More keeps portals short, fewer finds
    /// fewer cells.
    pub thrift: u32,
    /// Which of many equally good searches this is.
    pub seed: u64,
}

/// Sweeps over all portals, turning a random end of each a random way where that is allowed, and removing what
/// becomes needless.
pub fn search(facets: &mut Facets, rule: &Convexity, sweep: Sweep) {
    let mut bits = Bits::new(sweep.seed);
    let portals = loose_sides(facets);
    let mut stuck = Stuck::none(facets);
    let mut chosen = vec![(0, 0); portals.len()];
    for _ in 0..sweep.rounds {
        // One coin decides whether a side moves at all this time, so that neighbours do not march in step, one which
        // way, four whether it may grow. All are tossed first: no processor foretells them, and a list needs no branch.
        let mut count = 0;
        for side in &portals {
            let coins = bits.next();
            chosen[count] = (*side, coins);
            count += usize::from(coins & 1 == 0);
        }
        for (side, coins) in chosen[..count].iter().copied() {
            let left = coins & 2 == 0;
            let way = if left { Move::Left } else { Move::Right };
            if stuck.has(side, way) {
                continue;
            }
            let is_thrifty = (coins >> 2) & 15 < sweep.thrift;
            let wanted = |facets: &Facets, goal| !is_thrifty || is_shorter(facets, side, goal);
            match turn_if(facets, side, left, rule, wanted) {
                Turn::Done => stuck.forget_beside(facets, side),
                Turn::Needed => stuck.pin(side),
                Turn::Forbidden => stuck.add(side, way),
                Turn::Unwanted => {}
            }
        }
    }
}

/// Sweeps that only make portals shorter, or corners less sharp, until nothing moves or `rounds` are done.
pub fn polish(facets: &mut Facets, rule: &Convexity, rounds: u32, stuck: &mut Stuck) {
    let portals = loose_sides(facets);
    for _ in 0..rounds {
        let mut moved = false;
        for side in portals.iter().copied() {
            for way in [Move::Right, Move::Left] {
                if stuck.has(side, way) {
                    continue;
                }
                let wanted = |facets: &Facets, goal| is_shorter(facets, side, goal) || facets.is_sharp(side);
                match turn_if(facets, side, way == Move::Left, rule, wanted) {
                    Turn::Done => {
                        stuck.forget_beside(facets, side);
                        moved = true;
                    }
                    Turn::Needed => stuck.pin(side),
                    Turn::Forbidden | Turn::Unwanted => stuck.add(side, way),
                }
            }
        }
        if !moved {
            break;
        }
    }
}

/// What came of turning a portal.
enum Turn {
    Done,
    /// The portal is gone, or needed where it ends.
    Needed,
    Forbidden,
    Unwanted,
}

fn loose_sides(facets: &Facets) -> Vec<u32> {
    (0..facets.len()).filter(|side| facets.is_loose(*side)).collect()
}

/// Turns the end of a portal, if it is still there, that is allowed and `wanted`. What comes of it depends on the cells on
/// both sides alone.
#[inline]
fn turn_if(
    facets: &mut Facets,
    side: u32,
    left: bool,
    rule: &Convexity,
    wanted: impl Fn(&Facets, u32) -> bool,
) -> Turn {
    // Most portals are needed at both ends: this goes before all else.
    if !facets.is_loose(side) || !facets.is_needless_at_target(side, rule) {
        return Turn::Needed;
    }
    match facets.turned_target(side, left, rule) {
        Some(goal) if wanted(facets, goal) => {
            facets.turn(side, left);
            remove_around(facets, side, left, rule);
            Turn::Done
        }
        Some(_) => Turn::Unwanted,
        None => Turn::Forbidden,
    }
}

#[inline]
fn is_shorter(facets: &Facets, side: u32, goal: u32) -> bool {
    let from = facets.point(facets.origin(side));
    from.distance_squared(facets.point(goal)) < facets.length_squared(side)
}

/// Removes the portals next to a turned one that it has made needless.
fn remove_around(facets: &mut Facets, side: u32, left: bool, rule: &Convexity) {
    let twin = facets.twin(side);
    let at_pivot = if left { facets.prev(side) } else { facets.next(twin) };
    for neighbour in [facets.next(side), facets.prev(twin), at_pivot] {
        if facets.twin(neighbour) != NONE {
            facets.remove_if_needless(neighbour, rule);
        }
    }
}

/// A small generator of fixed pseudo-random bits (xorshift with its low bits dropped).
struct Bits(u64);

impl Bits {
    fn new(seed: u64) -> Bits {
        Bits((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[inline]
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as u32
    }
}

//! Plateau local search: turns portals about one end, and drops portals that become needless.
//!
//! A portal that is needless at one end may have that end moved to a neighbouring corner of either convex cell beside
//! it. The number of cells stays, and a portal nearby may become removable. The same idea, as annealing on edges, won
//! the CG:SHOP 2020 challenge on minimum convex partition.
//!
//! Invariant: every state on the way is a valid partition, so the search may stop after any number of moves. Cost:
//! constant time per try.

use super::convexity::Convexity;
use super::facets::Facets;
use super::stuck::{Move, Stuck};
use clearway_geometry::NONE;

/// The length and the freedom of a search.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// The number of times that each portal gets its chance.
    pub rounds: u32,
    /// The number of cases out of sixteen in which a portal may only become shorter. More keeps portals short; fewer
    /// finds fewer cells.
    pub thrift: u32,
    /// The seed of the random bits. Different seeds give different, equally good searches.
    pub seed: u64,
}

/// Sweeps over all portals. Turns a random end of each in a random direction where that is allowed, and removes
/// portals that become needless.
pub fn search(facets: &mut Facets, rule: &Convexity, sweep: Sweep) {
    let mut bits = Bits::new(sweep.seed);
    let portals = loose_sides(facets);
    let mut stuck = Stuck::none(facets);
    let mut chosen = vec![(0, 0); portals.len()];
    for _ in 0..sweep.rounds {
        // One bit decides whether a side moves at all this time, so that neighbours do not march in step. One decides
        // the direction, four whether the portal may grow. All bits are drawn up front: inside the loop they would be
        // mispredicted branches.
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

/// The outcome of an attempt to turn a portal.
enum Turn {
    /// The portal was turned.
    Done,
    /// The portal is gone, or needed where it ends.
    Needed,
    /// A corner would break the rule.
    Forbidden,
    /// The turn is allowed, but the caller did not want it.
    Unwanted,
}

/// All sides of portals that may move.
fn loose_sides(facets: &Facets) -> Vec<u32> {
    (0..facets.len()).filter(|side| facets.is_loose(*side)).collect()
}

/// Turns the end of a portal, if that is allowed and `wanted`. The outcome depends only on the cells on both sides,
/// unless `wanted` is random.
#[inline]
fn turn_if(
    facets: &mut Facets,
    side: u32,
    left: bool,
    rule: &Convexity,
    wanted: impl Fn(&Facets, u32) -> bool,
) -> Turn {
    // Most portals are needed at both ends: this test comes first.
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

/// True if the portal would be shorter with its end at `goal`.
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

/// A small generator of fixed pseudo-random bits: xorshift with its low bits dropped.
struct Bits(u64);

impl Bits {
    /// Starts the generator. The seed is multiplied by 2^64 over the golden ratio: consecutive seeds start far apart.
    fn new(seed: u64) -> Bits {
        Bits((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next 24 bits.
    #[inline]
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as u32
    }
}

//! Plateau local search: turn portals about one end, drop those that become needless.
//!
//! A portal that is needless at one end may have that end moved to a neighbouring corner of either convex cell
//! beside it: the number of cells stays, and a portal nearby may become removable. Every state on the way is
//! a valid partition, so the search may stop after any number of moves. The same idea, as annealing on edges,
//! won the CG:SHOP 2020 challenge on minimum convex partition.

use super::convexity::Convexity;
use super::facets::Facets;
use clearway_geometry::NONE;

/// How long and how freely to search.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// How often each portal gets its chance.
    pub rounds: u32,
    /// In how many of sixteen cases a portal may only become shorter. More keeps portals short, fewer finds
    /// fewer cells.
    pub thrift: u64,
    /// Which of many equally good searches this is.
    pub seed: u64,
}

/// Sweeps over all portals, turning a random end of each a random way where that is allowed, and removing what
/// becomes needless.
pub fn search(facets: &mut Facets, rule: &Convexity, sweep: Sweep) {
    let mut bits = Bits::new(sweep.seed);
    let portals = loose_sides(facets);
    for _ in 0..sweep.rounds {
        for side in portals.iter().copied() {
            // One coin decides whether this side moves at all this time, so that neighbours do not march
            // in step, one which way, four whether it may grow.
            let coins = bits.next();
            if coins & 1 == 0 && facets.is_loose(side) {
                let is_thrifty = (coins >> 2) & 15 < sweep.thrift;
                turn_if(facets, side, coins & 2 == 0, rule, |facets, goal| {
                    !is_thrifty || is_shorter(facets, side, goal)
                });
            }
        }
    }
}

/// Sweeps that only make portals shorter, or corners less sharp, until nothing moves or `rounds` are done.
pub fn polish(facets: &mut Facets, rule: &Convexity, rounds: u32) {
    let portals = loose_sides(facets);
    for _ in 0..rounds {
        let mut moved = false;
        for side in portals.iter().copied() {
            for left in [false, true] {
                moved |= facets.is_loose(side)
                    && turn_if(facets, side, left, rule, |facets, goal| {
                        is_shorter(facets, side, goal) || facets.is_sharp(side)
                    });
            }
        }
        if !moved {
            break;
        }
    }
}

fn loose_sides(facets: &Facets) -> Vec<u32> {
    (0..facets.len()).filter(|side| facets.is_loose(*side)).collect()
}

/// Turns the end of a portal if that is allowed and `wanted`; tells whether it did.
#[inline]
fn turn_if(
    facets: &mut Facets,
    side: u32,
    left: bool,
    rule: &Convexity,
    wanted: impl Fn(&Facets, u32) -> bool,
) -> bool {
    match facets.turned_target(side, left, rule) {
        Some(goal) if wanted(facets, goal) => {
            facets.turn(side, left);
            remove_around(facets, side, left, rule);
            true
        }
        _ => false,
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
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 40
    }
}

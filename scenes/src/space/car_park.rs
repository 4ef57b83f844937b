//! A car park: decks with pillars, and a spiral ramp that runs over itself.

use std::f64::consts::TAU;

use super::soup::{Point3, Soup, plan_area, to_millimetre};
use super::truth::{BODY_HEIGHT, Component, KnownScene, Truth};

// All lengths are in metres.
const INNER: f64 = 6.0;
const OUTER: f64 = 10.0;
/// The number of sectors of one turn. The first of each level is flat and leads to its deck.
const SECTORS: usize = 24;
/// The thickness of decks and ramps.
const SLAB: f64 = 0.25;
const DECK: [f64; 2] = [32.0, 24.0];
/// The distance between pillars, and half their thickness.
const BAY: f64 = 8.0;
const PILLAR: f64 = 0.2;

/// How large a car park is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarParkOptions {
    /// The number of decks, 1 to 100.
    pub levels: usize,
    /// How often the ramp winds from deck to deck, 1 to 5.
    pub turns: usize,
}

impl Default for CarParkOptions {
    fn default() -> CarParkOptions {
        CarParkOptions { levels: 3, turns: 1 }
    }
}

/// A car park with decks of 32 m by 24 m.
///
/// The truth is complete: the first component is all decks with the ramp, the others are the insides of
/// pillars.
pub fn car_park(options: CarParkOptions) -> KnownScene {
    let options = CarParkOptions { levels: options.levels.clamp(1, 100), turns: options.turns.clamp(1, 5) };
    let rise = (2.6 * options.turns as f64).max(3.2);
    let mut soup = Soup::new();
    soup.part("ramp", "Asphalt");
    let steps = SECTORS * options.turns;
    let mut area = 0.0;
    for sector in 0..=(options.levels - 1) * steps {
        let helix =
            Helix { rise, steps, deck_side: sector % steps == 0, ends: [0, (options.levels - 1) * steps] };
        area += helix.sector(&mut soup, sector);
    }
    let mut places = vec![helix_place(rise, steps, 0)];
    let mut pillars = Vec::new();
    for level in 0..options.levels {
        let y = rise * level as f64;
        soup.part(format!("level{level}/deck"), "Asphalt");
        area += deck(&mut soup, y);
        places.push([OUTER + 2.0, y, 1.0]);
        if level + 1 < options.levels {
            places.push(helix_place(rise, steps, level * steps + steps / 2));
            soup.part(format!("level{level}/pillars"), "Concrete");
            pillars.extend(raise_pillars(&mut soup, y, y + rise - SLAB));
        }
    }
    area -= pillars.iter().map(|pillar| pillar.area).sum::<f64>();
    let components = std::iter::once(Component::open(area, places)).chain(pillars).collect();
    KnownScene::new(format!("car_park_{}x{}", options.levels, options.turns), soup, Truth::of(components))
}

/// A spiral ramp on its own, of so many sectors, with its plan area.
pub(super) fn free_ramp(soup: &mut Soup, rise_per_turn: f64, sectors: usize) -> f64 {
    let helix =
        Helix { rise: rise_per_turn, steps: SECTORS, deck_side: false, ends: [0, sectors.max(1) - 1] };
    (0..sectors).map(|sector| helix.sector(soup, sector)).sum()
}

/// The middle of a sector's surface.
pub(super) fn helix_place(rise: f64, steps: usize, sector: usize) -> Point3 {
    let at = |k: usize| corner(0.5 * (INNER + OUTER), k, helix_height(rise, steps, k));
    let (a, b) = (at(sector), at(sector + 1));
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])]
}

/// The height of the radius before sector `k`: flat over the first sector of each level, then a steady climb.
fn helix_height(rise: f64, steps: usize, k: usize) -> f64 {
    let within = (k % steps).max(1) - 1;
    let level = k / steps;
    match k % steps {
        0 => rise * level as f64,
        _ => rise * (level as f64 + within as f64 / (steps - 1) as f64),
    }
}

/// The point on the radius before sector `k`; sector 0 lies across the x axis.
fn corner(radius: f64, k: usize, y: f64) -> Point3 {
    let (sin, cos) = (TAU * ((k % SECTORS) as f64 - 0.5) / SECTORS as f64).sin_cos();
    to_millimetre([radius * cos, y, -radius * sin])
}

struct Helix {
    rise: f64,
    /// The number of sectors from level to level.
    steps: usize,
    /// Whether the outer side is open to a deck.
    deck_side: bool,
    /// The first and the last sector, which are closed at their ends.
    ends: [usize; 2],
}

impl Helix {
    /// Builds one sector and tells its plan area.
    fn sector(&self, soup: &mut Soup, sector: usize) -> f64 {
        let y = [sector, sector + 1].map(|k| helix_height(self.rise, self.steps, k));
        let [a, b] = [INNER, OUTER].map(|radius| corner(radius, sector, y[0]));
        let [d, c] = [INNER, OUTER].map(|radius| corner(radius, sector + 1, y[1]));
        let below = |[x, y, z]: Point3| to_millimetre([x, y - SLAB, z]);
        soup.face(&[a, b, c, d]);
        soup.face(&[below(a), below(d), below(c), below(b)]);
        soup.face(&[d, below(d), below(a), a]);
        if !self.deck_side {
            soup.face(&[b, below(b), below(c), c]);
        }
        if sector == self.ends[0] {
            soup.face(&[a, below(a), below(b), b]);
        }
        if sector == self.ends[1] {
            soup.face(&[c, below(c), below(d), d]);
        }
        plan_area([a, b, c]) + plan_area([a, c, d])
    }
}

/// A deck whose side towards the ramp has corners where the ramp's flat sector has them. Tells its area.
fn deck(soup: &mut Soup, y: f64) -> f64 {
    let [x0, _, z1] = corner(OUTER, 0, y);
    let (x1, half) = (x0 + DECK[0], 0.5 * DECK[1]);
    for [from, to] in [[-half, -z1], [-z1, z1], [z1, half]] {
        soup.floor([x0, from], [x1, to], y);
        soup.ceiling([x0, from], [x1, to], y - SLAB);
    }
    for [from, to] in [[-half, -z1], [z1, half]] {
        soup.panel([x0, to], [x0, from], y - SLAB, y);
    }
    soup.panel([x1, half], [x0, half], y - SLAB, y);
    soup.panel([x1, -half], [x1, half], y - SLAB, y);
    soup.panel([x0, -half], [x1, -half], y - SLAB, y);
    DECK[0] * DECK[1]
}

fn raise_pillars(soup: &mut Soup, floor: f64, ceiling: f64) -> Vec<Component> {
    let mut pillars = Vec::new();
    for i in 1..4 {
        for j in -1..=1 {
            let (x, z) = (OUTER + BAY * i as f64, BAY * f64::from(j));
            let (low, high) = ([x - PILLAR, z - PILLAR], [x + PILLAR, z + PILLAR]);
            soup.cuboid([low[0], floor, low[1]], [high[0], ceiling, high[1]]);
            debug_assert!(ceiling - floor > BODY_HEIGHT);
            pillars.push(Component::shut_in(low, high, floor));
        }
    }
    pillars
}

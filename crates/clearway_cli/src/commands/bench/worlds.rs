//! The worlds and the bodies of the Voronoi thesis. It gives sizes and numbers but no places; those here come from a seed.

use crate::failure::Result;
use clearway::roads::{RoadBody, RoadCrowd, RoadCrowdOptions, Roads};
use clearway::{MeshOptions, NavMesh, Plan};
use clearway_scenes::Random;
use std::sync::Arc;

/// The side of the world in metres.
pub const WORLD: f64 = 2000.0;
/// Blocks along a side of the city.
const BLOCKS: usize = 98;
/// The side of a block and the distance from block to block, in metres.
const BLOCK: f64 = 15.0;
const PITCH: f64 = 20.0;
/// The radius of bodies in metres: a person.
const RADIUS: f64 = 0.4;
/// The seed of all places.
const SEED: u64 = 53;

/// A kind of start and goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Setting {
    /// An empty world. Rows of ten bodies walk to their mirror images, this many metres away.
    Rows(f64),
    /// The city. Starts and goals lie at random in a disc of this radius around its centre.
    Disc(f64),
    /// The city. Bodies walk across it, this many metres along each axis.
    Across(f64),
}

/// The plan of the city: the world with a hole for each block.
pub fn city() -> Result<NavMesh> {
    let mut rings = vec![vec![[0.0, 0.0], [WORLD, 0.0], [WORLD, WORLD], [0.0, WORLD]]];
    for k in 0..BLOCKS * BLOCKS {
        let [x, y] = [k / BLOCKS, k % BLOCKS].map(|i| margin() + PITCH * i as f64);
        rings.push(vec![[x, y], [x, y + BLOCK], [x + BLOCK, y + BLOCK], [x + BLOCK, y]]);
    }
    Ok(MeshOptions::default().build(&Plan::from_rings(rings))?)
}

/// The distance in metres between the border of the world and the city.
fn margin() -> f64 {
    0.5 * (WORLD - (PITCH * (BLOCKS - 1) as f64 + BLOCK))
}

/// Makes a crowd without bodies.
pub fn crowd(setting: Setting, city: Option<&Arc<Roads>>, options: RoadCrowdOptions) -> Result<RoadCrowd> {
    Ok(match (setting, city) {
        (Setting::Rows(_), _) | (_, None) => RoadCrowd::open([0.0, 0.0], [WORLD, WORLD], options)?,
        (_, Some(roads)) => RoadCrowd::of(roads, options)?,
    })
}

/// Puts bodies in. Places on walls or on others are drawn again.
pub fn fill(crowd: &mut RoadCrowd, setting: Setting, count: usize, step: f64) -> Result<()> {
    let mut random = Random::new(SEED);
    let mut tries = 0;
    while crowd.bodies().len() < count {
        let [from, to] = ends(setting, crowd.bodies().len(), &mut random);
        tries += 1;
        let is_hopeless = tries > 1000 * count;
        // Nobody could reach a goal on which another body stands.
        if is_apart(crowd, from, to) || is_hopeless {
            let added = crowd.add(RoadBody::new(from, to, RADIUS, step));
            if is_hopeless {
                added?;
            }
        }
    }
    Ok(())
}

/// True if a start and a goal keep a body's width from those of all bodies.
fn is_apart(crowd: &RoadCrowd, from: [f64; 2], to: [f64; 2]) -> bool {
    let is_far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) >= 3.0 * RADIUS;
    crowd.bodies().iter().all(|body| is_far(body.at, from) && body.goal.is_none_or(|goal| is_far(goal, to)))
}

/// Returns start and goal of a body.
fn ends(setting: Setting, number: usize, random: &mut Random) -> [[f64; 2]; 2] {
    let middle = 0.5 * WORLD;
    match setting {
        Setting::Rows(apart) => {
            let (row, column) = (number / 10, number % 10);
            let side = if row % 2 == 0 { -1.0 } else { 1.0 };
            // A little off the mirror line, so that no two bodies meet exactly head on.
            let y = middle + 12.0 * (column as f64 - 4.5) + if row % 2 == 0 { 0.0 } else { 1.3 };
            let x = side * (0.5 * apart - 12.0 * (row / 2) as f64);
            [[middle + x, y], [middle - x, y]]
        }
        Setting::Disc(radius) => [(); 2].map(|()| street(random, radius)),
        Setting::Across(length) => {
            // From the street at one corner to that at the other, each body with streets of its own.
            let shift = PITCH * number as f64;
            let low = (margin() - 2.5 + shift).min(middle - 2.5);
            let mut high = low + length;
            // Goals stand in streets too.
            high = margin() - 2.5 + PITCH * ((high - margin() + 2.5) / PITCH).round();
            [
                [low, margin() - 2.5],
                [high.min(WORLD - 2.0), margin() - 2.5 + PITCH * (length / PITCH).round()],
            ]
        }
    }
}

/// Returns a random place in a street near the centre.
fn street(random: &mut Random, radius: f64) -> [f64; 2] {
    loop {
        let place =
            [(); 2].map(|()| radius * (2.0 * random.below(1 << 20) as f64 / f64::from(1 << 20) - 1.0));
        let at = place.map(|part| 0.5 * WORLD + part);
        let is_street = at.iter().any(|part| (part - margin()).rem_euclid(PITCH) > BLOCK + 0.5);
        if is_street && place[0].hypot(place[1]) <= radius {
            return at;
        }
    }
}

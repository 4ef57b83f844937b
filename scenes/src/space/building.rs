//! A house of several storeys: slabs with stairwells, rooms with doors and windows, and furniture.
//!
//! Everything is put together from closed boxes that touch but do not overlap, so areas add up exactly.

mod furniture;
mod walls;

use super::soup::{Point3, Soup};
use super::stairs::{Flight, around_hole, hole_sides, holed_floor};
use super::truth::{Component, KnownScene, Truth};
use crate::random::Random;
use furniture::furnish;
use walls::{Opening, Run};

// All lengths are in metres.
/// From the middle of a wall to the middle of the next, along x and z.
const ROOM: [f64; 2] = [6.0, 5.0];
/// Half the thickness of walls.
const HALF: f64 = 0.1;
/// From floor to floor.
const STOREY: f64 = 3.0;
/// The thickness of slabs.
const SLAB: f64 = 0.2;
/// The underside of the slab above a floor.
const CLEAR: f64 = STOREY - SLAB;
const MAX_ROOMS: usize = 4000;

/// How large a building is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildingOptions {
    /// The number of storeys, 1 to 50.
    pub storeys: usize,
    /// The number of rooms along x, at least 1. The building has at most 4000 rooms.
    pub rooms_x: usize,
    /// The number of rooms along z, at least 1.
    pub rooms_z: usize,
}

impl Default for BuildingOptions {
    fn default() -> BuildingOptions {
        BuildingOptions { storeys: 3, rooms_x: 3, rooms_z: 2 }
    }
}

impl BuildingOptions {
    fn limited(self) -> BuildingOptions {
        let storeys = self.storeys.clamp(1, 50);
        let rooms_x = self.rooms_x.clamp(1, MAX_ROOMS / storeys);
        let rooms_z = self.rooms_z.clamp(1, (MAX_ROOMS / storeys / rooms_x).max(1));
        BuildingOptions { storeys, rooms_x, rooms_z }
    }

    /// The outer corners in plan.
    fn outline(&self) -> ([f64; 2], [f64; 2]) {
        let high = [ROOM[0] * self.rooms_x as f64 + HALF, ROOM[1] * self.rooms_z as f64 + HALF];
        ([-HALF, -HALF], high)
    }
}

/// A building of rooms of 6 m by 5 m, joined by doors of 2.1 m, with stairs in its first room.
///
/// The truth is complete: its first component is all floors and stairs, the others are the roof, the tops of
/// tables and chairs, and the insides of solid walls. Up to about 300 triangles for each room.
pub fn building(options: BuildingOptions, seed: u64) -> KnownScene {
    let options = options.limited();
    let mut work =
        Work { soup: Soup::new(), random: Random::new(seed), used: 0.0, places: vec![], others: vec![] };
    for storey in 0..options.storeys {
        work.storey(&options, storey);
    }
    work.slab(&options, options.storeys, "roof");
    let (low, high) = options.outline();
    let plate = (high[0] - low[0]) * (high[1] - low[1]);
    work.others.insert(0, Component::top(low, high, STOREY * options.storeys as f64));
    let area = plate * options.storeys as f64 - work.used;
    let mut components = vec![Component::open(area, work.places)];
    components.append(&mut work.others);
    let name = format!("building_{}x{}x{}", options.storeys, options.rooms_x, options.rooms_z);
    KnownScene::new(name, work.soup, Truth::of(components))
}

/// The flight that climbs from a storey.
fn flight(storey: usize) -> Flight {
    let start = [0.9, STOREY * storey as f64, 0.7];
    Flight { start, width: 1.2, riser: STOREY / 16.0, tread: 0.28, treads: 15 }
}

/// A building under construction.
struct Work {
    soup: Soup,
    random: Random,
    /// The area of the floors that walls, furniture and stairwells take, less that of the stairs.
    used: f64,
    /// Places on the floors.
    places: Vec<Point3>,
    /// Other components.
    others: Vec<Component>,
}

impl Work {
    fn storey(&mut self, options: &BuildingOptions, storey: usize) {
        let top = storey + 1 == options.storeys;
        self.slab(options, storey, &format!("storey{storey}"));
        if !top {
            let flight = flight(storey);
            self.soup.part(format!("storey{storey}/stairs"), "Concrete");
            flight.build(&mut self.soup);
            self.used -= flight.area();
            self.places.push(flight.on_tread(7));
        }
        self.used += match storey {
            0 if top => 0.0,
            0 => flight(0).floor_lost_below(),
            _ => flight(storey).area(),
        };
        self.walls(options, storey);
        self.rooms(options, storey);
    }

    /// The slab below a storey, with a hole where stairs arrive.
    fn slab(&mut self, options: &BuildingOptions, storey: usize, name: &str) {
        let (low, high) = options.outline();
        let y = STOREY * storey as f64;
        let soup = &mut self.soup;
        if storey == 0 || storey == options.storeys {
            soup.part(format!("{name}/slab"), "Floor")
                .cuboid([low[0], y - SLAB, low[1]], [high[0], y, high[1]]);
            return;
        }
        let hole = flight(storey).footprint();
        holed_floor(soup.part(format!("{name}/slab"), "Floor"), low, high, hole, y);
        soup.part(format!("{name}/soffit"), "Concrete");
        for (a, b) in around_hole(low, high, hole) {
            soup.ceiling(a, b, y - SLAB);
        }
        hole_sides(soup, hole, y - SLAB, y);
        // The sides of the outline face away from it.
        hole_sides(soup, ([high[0], low[1]], [low[0], high[1]]), y - SLAB, y);
    }

    fn walls(&mut self, options: &BuildingOptions, storey: usize) {
        let floor = STOREY * storey as f64;
        self.soup.part(format!("storey{storey}/walls"), "Wall");
        for line in 0..=options.rooms_z {
            let outer = line == 0 || line == options.rooms_z;
            let doors = self.doors(options.rooms_x);
            let opening = |i: usize, shift: f64| {
                let middle = ROOM[0] * (i as f64 + 0.5) + shift;
                if outer { Some(Opening::window(middle)) } else { doors[i].then(|| Opening::door(middle)) }
            };
            let shifts: Vec<f64> = (0..options.rooms_x).map(|_| self.random.range(-0.8, 0.8)).collect();
            let openings = shifts.iter().enumerate().filter_map(|(i, &shift)| opening(i, shift)).collect();
            let span = [-HALF, options.outline().1[0]];
            self.raise(&Run { along_x: true, middle: ROOM[1] * line as f64, span, openings }, floor);
        }
        for line in 0..=options.rooms_x {
            for row in 0..options.rooms_z {
                let outer = line == options.rooms_x || (line == 0 && (storey > 0 || row > 0));
                let middle = ROOM[1] * (row as f64 + 0.5) + self.random.range(-0.5, 0.5);
                let opening = if outer { Opening::window(middle) } else { Opening::door(middle) };
                let span = [ROOM[1] * row as f64 + HALF, ROOM[1] * (row + 1) as f64 - HALF];
                let run =
                    Run { along_x: false, middle: ROOM[0] * line as f64, span, openings: vec![opening] };
                self.raise(&run, floor);
            }
        }
    }

    /// Which rooms of a row have a door to the next row: some, and at least one.
    fn doors(&mut self, count: usize) -> Vec<bool> {
        let sure = self.random.below(count);
        (0..count).map(|i| self.random.chance(0.5) || i == sure).collect()
    }

    fn raise(&mut self, run: &Run, floor: f64) {
        for (low, high) in run.boxes(floor, CLEAR) {
            self.soup.cuboid(low, high);
            let (from, to) = ([low[0], low[2]], [high[0], high[2]]);
            if low[1] == floor {
                self.used += (to[0] - from[0]) * (to[1] - from[1]);
            }
            if low[1] == floor && high[1] == floor + CLEAR {
                self.others.push(Component::shut_in(from, to, floor));
            }
        }
    }

    fn rooms(&mut self, options: &BuildingOptions, storey: usize) {
        let y = STOREY * storey as f64;
        for room in 0..options.rooms_x * options.rooms_z {
            let (i, j) = (room % options.rooms_x, room / options.rooms_x);
            let corner = [ROOM[0] * i as f64, y, ROOM[1] * j as f64];
            let name = format!("storey{storey}/room{room}");
            if room > 0 {
                let left = furnish(&mut self.soup, &mut self.random, &name, corner);
                self.used += left.used;
                self.others.extend(left.tops);
            }
            if room + 1 == options.rooms_x * options.rooms_z {
                // A screen without thickness that stands against the outer wall.
                let (x, z) = (corner[0] + 5.2, corner[2]);
                self.soup.part(format!("{name}/screen"), "Glass");
                self.soup.panel([x, z + 3.4], [x, z + ROOM[1] - HALF], y, y + 2.2);
            }
            self.places.push([corner[0] + 0.6, y, corner[2] + 4.3]);
        }
    }
}

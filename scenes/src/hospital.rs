//! A hospital ward: a ring of corridor around a core, rooms on both of its sides, and what stands in them.
//!
//! Walls and built-in things are drawn on a raster of 0.1 m, whose outline is traced exactly: one polygon
//! with upright sides, connected by construction. Turned and round things stand apart from everything and are
//! holes.

mod floor;
mod furniture;
mod room;

use crate::drawing::PlanDrawing;
use crate::random::Random;
use crate::shapes::{Point, regular, turned_box};
use floor::Floor;
use furniture::{Kind, furnish};
use room::{Room, Side};

// All lengths are in cells of 0.1 m.
const SIZE: [i32; 2] = [600, 350];
const SHELL: i32 = 4;
const WALL: i32 = 2;
const CORRIDOR: i32 = 24;
/// Depth of the rooms along the facades.
const DEPTH: i32 = 62;
/// Depth of the rooms in the core.
const CORE_DEPTH: i32 = 52;
/// The near and far sides of the corridor, as distances from the shell's outside.
const CORRIDOR_NEAR: i32 = SHELL + DEPTH + WALL;
const CORRIDOR_FAR: i32 = CORRIDOR_NEAR + CORRIDOR;
/// Where the core begins, as a distance from the shell's outside.
const CORE: i32 = CORRIDOR_FAR + WALL;
/// The hall in the middle of the core, from west to east.
const HALL: [i32; 2] = [234, 366];

/// A hospital ward of 60 m by 35 m: patient rooms with beds and bathrooms, offices, stores, a nurse station.
///
/// In metres. All of it is one connected polygon; curtains are walls of no thickness.
pub fn hospital_ward(seed: u64) -> PlanDrawing {
    let mut random = Random::new(seed);
    let rooms = all_rooms(&mut random);
    built(&mut random, &rooms).into_drawing()
}

fn all_rooms(random: &mut Random) -> Vec<(Room, Kind)> {
    let mut rooms = facade_rooms(random);
    rooms.extend(core_rooms(random));
    rooms
}

/// The floor with its corridors and rooms, and everything in them.
fn built(random: &mut Random, rooms: &[(Room, Kind)]) -> Floor {
    let mut floor = Floor::new(SIZE);
    carve_corridors(&mut floor);
    for (room, kind) in rooms {
        furnish(&mut floor, random, room, *kind);
    }
    furnish_hall(&mut floor, random);
    furnish_corridors(&mut floor, random);
    floor
}

fn carve_corridors(floor: &mut Floor) {
    let (near, far) = (CORRIDOR_NEAR, CORRIDOR_FAR);
    let [width, height] = SIZE;
    floor.carve([near, near], [width - near, far]);
    floor.carve([near, height - far], [width - near, height - near]);
    floor.carve([near, near], [far, height - near]);
    floor.carve([width - far, near], [width - near, height - near]);
    floor.carve([HALL[0], near], [HALL[1], height - near]);
}

/// Rooms along the four facades; those at the corners are lounges, one in the south is the entrance.
fn facade_rooms(random: &mut Random) -> Vec<(Room, Kind)> {
    let [width, height] = SIZE;
    let mut rooms = Vec::new();
    for (low, door_side) in [(SHELL, Side::North), (height - SHELL - DEPTH, Side::South)] {
        let count = 4 + random.below(2);
        let entrance = if door_side == Side::North { 1 + random.below(count - 2) } else { usize::MAX };
        // Rooms at the corners reach past the corridor's turn, so that their doors can open into it.
        let corner = CORRIDOR_FAR + random.whole(4, 12);
        for span in [[SHELL, corner], [width - corner, width - SHELL]] {
            let mirrored = span[0] > SHELL;
            rooms
                .push((Room::new([span[0], low], [span[1], low + DEPTH], door_side, mirrored), Kind::Lounge));
        }
        for (k, span) in split(random, corner + WALL, width - corner - WALL, count).into_iter().enumerate() {
            let kind = if k == entrance { Kind::Entrance } else { Kind::Patients };
            let mirrored = random.chance(0.5);
            rooms.push((Room::new([span[0], low], [span[1], low + DEPTH], door_side, mirrored), kind));
        }
    }
    for (low, door_side) in [(SHELL, Side::East), (width - SHELL - DEPTH, Side::West)] {
        let stairs = random.below(3);
        for (k, span) in split(random, CORRIDOR_NEAR, height - CORRIDOR_NEAR, 3).into_iter().enumerate() {
            let kind = if k == stairs { Kind::Stairs } else { Kind::Patients };
            let mirrored = random.chance(0.5);
            rooms.push((Room::new([low, span[0]], [low + DEPTH, span[1]], door_side, mirrored), kind));
        }
    }
    rooms
}

/// Service rooms in the two blocks beside the hall; between their rows lies a theatre or a courtyard.
fn core_rooms(random: &mut Random) -> Vec<(Room, Kind)> {
    let [width, height] = SIZE;
    let mut kinds = [
        Kind::Office,
        Kind::Office,
        Kind::Office,
        Kind::Store,
        Kind::Store,
        Kind::Treatment,
        Kind::Treatment,
        Kind::Lounge,
    ];
    random.shuffle(&mut kinds);
    let mut kinds = kinds.into_iter();
    let mut rooms = Vec::new();
    let courtyard = random.below(3);
    let blocks = [([CORE, HALL[0] - WALL], Side::East), ([HALL[1] + WALL, width - CORE], Side::West)];
    for (block, (span, door_side)) in blocks.into_iter().enumerate() {
        for (low, row_side) in [(CORE, Side::South), (height - CORE - CORE_DEPTH, Side::North)] {
            let pair = split(random, span[0], span[1], 2);
            for ([left, right], kind) in pair.into_iter().zip(kinds.by_ref()) {
                let mirrored = random.chance(0.5);
                rooms.push((Room::new([left, low], [right, low + CORE_DEPTH], row_side, mirrored), kind));
            }
        }
        if block != courtyard {
            let inner = CORE + CORE_DEPTH + WALL;
            let room = Room::new([span[0], inner], [span[1], height - inner], door_side, random.chance(0.5));
            rooms.push((room, Kind::Theatre));
        }
    }
    rooms
}

/// Uneven spans that fill `from..to` but for the walls between them.
fn split(random: &mut Random, from: i32, to: i32, count: usize) -> Vec<[i32; 2]> {
    let count = count as i32;
    let mut start = from;
    let mut spans = Vec::new();
    for k in 1..=count {
        let even = from + (to - from + WALL) * k / count - WALL;
        let end = if k == count { to } else { even + random.whole(-5, 5) };
        spans.push([start, end]);
        start = end + WALL;
    }
    spans
}

/// The nurse station in the middle, columns along the corridors, and places to wait.
fn furnish_hall(floor: &mut Floor, random: &mut Random) {
    let middle = [f64::from(SIZE[0]) / 2.0, f64::from(SIZE[1]) / 2.0];
    for side in [-1.0, 1.0] {
        for x in [-44.0, 0.0, 44.0] {
            floor.stand(regular([middle[0] + x, middle[1] + side * 82.0], 3.2, 12, 0.0));
        }
        for x in [-30.0, 30.0] {
            let bench = [middle[0] + x, middle[1] + side * random.range(56.0, 62.0)];
            floor.stand(turned_box(bench, [12.0, 2.8], random.range(-0.2, 0.2)));
        }
        floor.stand(regular([middle[0] + side * 57.0, middle[1] + random.range(-40.0, 40.0)], 3.5, 8, 0.4));
        floor.stand(turned_box(
            [middle[0] + side * 8.0, middle[1] + side * 11.0],
            [2.4, 2.4],
            random.range(0.0, 1.5),
        ));
        let table = [middle[0] - side * 48.0, middle[1] + side * random.range(15.0, 30.0)];
        table_with_chairs(floor, random, table, 4);
    }
    floor.stand_around(nurse_station(middle, random.below(8)));
}

/// An octagonal desk with one side left open, for the nurses to go in and out.
fn nurse_station(middle: Point, opening: usize) -> Vec<Point> {
    const EIGHTH: f64 = std::f64::consts::FRAC_PI_4;
    let start = (opening as f64 + 0.5) * EIGHTH;
    let outside = regular(middle, 32.0, 8, start);
    let inside = regular(middle, 24.0, 8, start).into_iter().rev();
    outside.into_iter().chain(inside).collect()
}

/// A round table with chairs around it, as far as there is room.
fn table_with_chairs(floor: &mut Floor, random: &mut Random, middle: Point, chairs: usize) {
    floor.stand(regular(middle, 5.0, 10, 0.0));
    let turn = random.range(0.0, 6.0);
    for seat in regular(middle, 11.0, chairs, turn) {
        let angle = (seat[1] - middle[1]).atan2(seat[0] - middle[0]);
        floor.stand(turned_box(seat, [2.2, 2.2], angle));
    }
}

/// Frames of fire doors across the corridors, and beds and trolleys parked along their walls.
fn furnish_corridors(floor: &mut Floor, random: &mut Random) {
    let [width, height] = SIZE;
    for low in [CORRIDOR_NEAR, height - CORRIDOR_FAR] {
        for from in [120, 400] {
            let spot = (from..from + 80).find(|&x| floor.is_free([x - 4, low], [x + 6, low + CORRIDOR]));
            if let Some(x) = spot {
                floor.block([x, low], [x + WALL, low + 4]);
                floor.block([x, low + CORRIDOR - 4], [x + WALL, low + CORRIDOR]);
            }
        }
        for _ in 0..8 {
            let wall = if random.chance(0.5) { 6.0 } else { f64::from(CORRIDOR) - 6.0 };
            let at = [random.range(100.0, f64::from(width) - 100.0), f64::from(low) + wall];
            let half = random.pick([[10.0, 4.2], [10.0, 4.2], [5.0, 3.0]]);
            floor.stand(turned_box(at, half, random.range(-0.03, 0.03)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::{Pinch, Raster};

    /// The cells at which a person of 0.3 m radius can stand.
    fn standing_room(floor: &Floor) -> Raster {
        let open = floor.furnished();
        let mut room = Raster::new(open.columns(), open.rows());
        for [x, y] in open.cells() {
            let near = (-3..=3).flat_map(|dy| (-3..=3).map(move |dx| [x + dx, y + dy]));
            room.set([x, y], near.into_iter().all(|cell| open.is_open(cell)));
        }
        room
    }

    fn rooms_and_floor(seed: u64) -> (Vec<(Room, Kind)>, Floor) {
        let mut random = Random::new(seed);
        let rooms = all_rooms(&mut random);
        let floor = built(&mut random, &rooms);
        (rooms, floor)
    }

    #[test]
    fn the_ward_is_one_part_and_traces_to_one_polygon() {
        for seed in 0..40 {
            let (_, mut floor) = rooms_and_floor(seed);
            assert_eq!(floor.open().part_count(), 1, "seed {seed}");
            floor.close_pinches();
            assert_eq!(floor.open().part_count(), 1, "seed {seed}");
            assert_eq!(floor.into_drawing().polygons.len(), 1, "seed {seed}");
        }
    }

    #[test]
    fn a_person_reaches_every_room() {
        for seed in 0..10 {
            let (rooms, floor) = rooms_and_floor(seed);
            let standing = standing_room(&floor);
            let (parts, _) = standing.parts(Pinch::Split);
            let part_at = |[x, y]: [i32; 2]| parts[(y * standing.columns() + x) as usize];
            let corridor = part_at([CORRIDOR_NEAR + 12, CORRIDOR_NEAR + 12]);
            for (room, kind) in &rooms {
                let reached = room.cells().filter(|&cell| part_at(cell) == corridor).count();
                assert!(reached > 500, "seed {seed}: {kind:?} {room:?} is cut off");
            }
        }
    }

    #[test]
    fn rooms_are_as_many_as_in_a_ward() {
        for seed in 0..40 {
            let rooms = all_rooms(&mut Random::new(seed)).len();
            assert!((16..=30).contains(&rooms), "seed {seed}: {rooms} rooms");
        }
    }
}

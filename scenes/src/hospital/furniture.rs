//! What belongs into the rooms of a ward. All positions are in a room's own coordinates.

use std::f64::consts::TAU;

use super::floor::Floor;
use super::room::Room;
use super::{SHELL, WALL};
use crate::random::Random;
use crate::shapes::{Point, add, regular, turned_box};

const DOOR: i32 = 12;
const BED: [i32; 2] = [20, 9];
/// The bathroom in the corner of a patient room, from outside.
const BATHROOM: i32 = 24;

/// What a room is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Patients,
    Lounge,
    Office,
    Store,
    Treatment,
    Theatre,
    Stairs,
    Entrance,
}

/// Carves a room with its door out of the floor and furnishes it.
pub(super) fn furnish(floor: &mut Floor, random: &mut Random, room: &Room, kind: Kind) {
    let mut work = Work { floor, random, room };
    work.carve([0, 0], [room.width(), room.depth()]);
    match kind {
        Kind::Patients => work.patients(),
        Kind::Lounge => work.lounge(),
        Kind::Office => work.office(),
        Kind::Store => work.store(),
        Kind::Treatment => work.treatment(),
        Kind::Theatre => work.theatre(),
        Kind::Stairs => work.stairs(),
        Kind::Entrance => work.entrance(),
    }
}

struct Work<'a> {
    floor: &'a mut Floor,
    random: &'a mut Random,
    room: &'a Room,
}

impl Work<'_> {
    /// Beds along one or both side walls, a bathroom beside the door, a table at the window.
    fn patients(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        self.door(BATHROOM + 6);
        self.bathroom();
        self.block([width - 16, 0], [width, 6]);
        let sides = if self.random.chance(0.7) { 2 } else { 1 };
        for on_left in [false, true].into_iter().take(sides) {
            let curtained = self.random.chance(0.4);
            self.bed(on_left, depth - 34);
            self.bed(on_left, depth - 15);
            if curtained {
                self.curtain_between_beds(on_left, f64::from(depth - 18));
            }
        }
        if sides == 1 {
            self.block([6, depth - 8], [24, depth]);
        }
        let table = [f64::from(width) / 2.0 + self.random.range(-3.0, 3.0), f64::from(depth) - 14.0];
        self.table(table, 4.0, 2);
    }

    fn bathroom(&mut self) {
        let inside = BATHROOM - WALL;
        self.block([0, 0], [BATHROOM, BATHROOM]);
        self.carve([0, 0], [inside, inside]);
        self.carve([inside, 7], [BATHROOM, 16]);
        self.floor.reserve(self.room.corner([0, 0]), self.room.corner([BATHROOM + 10, BATHROOM]));
        self.block([4, inside - 6], [8, inside]);
        self.block([0, 5], [4, 10]);
        self.block([13, inside - 5], [18, inside]);
    }

    /// A bed with its head at a side wall, and a cabinet beside the head.
    fn bed(&mut self, on_left: bool, v: i32) {
        let u = |distance: i32| if on_left { distance } else { self.room.width() - distance };
        let (wall, foot, cabinet) = (u(0), u(BED[0]), u(5));
        self.block([wall, v], [foot, v + BED[1]]);
        self.block([wall, v + BED[1]], [cabinet, v + BED[1] + 4]);
    }

    fn curtain_between_beds(&mut self, on_left: bool, v: f64) {
        let width = f64::from(self.room.width());
        let u = |distance: f64| if on_left { distance } else { width - distance };
        self.hang(&[[u(0.0), v], [u(23.0), v], [u(23.0), v - 9.0]]);
    }

    /// A day room: tables with chairs, sofas at the wall, a kitchenette.
    fn lounge(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        self.door(width - 24);
        self.block([0, 8], [6, depth - 24]);
        self.block([14, depth - 8], [34, depth]);
        self.block([width - 26, depth - 8], [width - 6, depth]);
        self.floor.stand(regular(self.room.point([4.5, f64::from(depth) - 4.5]), 2.8, 8, 0.0));
        let (width, depth) = (f64::from(width), f64::from(depth));
        let tables: &[f64] = if width > 80.0 { &[0.25, 0.54, 0.82] } else { &[0.4] };
        for (k, share) in tables.iter().enumerate() {
            let v = if k % 2 == 0 { 0.38 } else { 0.6 };
            self.table([width * share, depth * v], 6.0, 4);
        }
    }

    fn office(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        let door = self.random.whole(6, 14);
        self.door(door);
        self.block([4, depth - 4], [width - 24, depth]);
        let (width, depth) = (f64::from(width), f64::from(depth));
        for (u, v) in [(width * 0.72, depth * 0.62), (width * 0.28, depth * 0.58)] {
            let angle = self.random.range(-0.25, 0.25);
            self.stand_box([u, v], [8.0, 4.0], angle);
            self.stand_box([u + 2.0, v + 9.5], [2.3, 2.3], angle + 0.4);
            self.stand_box([u - 3.0, v - 9.5], [2.3, 2.3], angle - 0.3);
        }
        self.table([width - 14.0, 14.0], 4.5, 3);
    }

    /// Shelves along the walls and in rows.
    fn store(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        self.door(width / 2 - 6);
        self.block([0, 0], [5, depth]);
        self.block([width - 5, 0], [width, depth]);
        for u in [width / 4, width / 2, 3 * width / 4] {
            self.block([u - 3, 18], [u + 3, depth]);
        }
    }

    fn treatment(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        let door = self.random.whole(8, 16);
        self.door(door);
        self.block([width - 6, 6], [width, depth - 10]);
        self.block([6, depth - 5], [30, depth]);
        let (width, depth) = (f64::from(width), f64::from(depth));
        let couch = [width * 0.5, depth * 0.55];
        let angle = self.random.range(-0.6, 0.6);
        self.stand_box(couch, [10.0, 3.8], angle);
        self.stand_round(add(couch, [4.0, 13.0]), 2.0, 8);
        self.stand_box(add(couch, [-16.0, -6.0]), [2.5, 4.0], angle);
        // A folding screen beside the door.
        let screen: Vec<Point> =
            (0..4).map(|k| [width - 20.0 + 3.0 * f64::from(k % 2), 4.0 + 5.0 * f64::from(k)]).collect();
        self.hang(&screen);
    }

    /// A large room with a table in the middle and a closed-off corner for preparation.
    fn theatre(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        self.door(width - 26);
        self.block([0, depth - 44], [20, depth - 42]);
        self.carve([4, depth - 44], [16, depth - 42]);
        self.block([10, depth - 5], [width - 10, depth]);
        let middle = [f64::from(width) / 2.0, f64::from(depth) / 2.0];
        let angle = self.random.range(-0.4, 0.4);
        self.stand_box(middle, [4.0, 10.5], angle);
        for at in regular(middle, 19.0, 5, angle) {
            let turn = self.random.range(0.0, TAU);
            self.stand_box(at, [2.5, 3.5], turn);
        }
        let round = add(middle, [0.0, 36.0]);
        self.stand_round(round, 6.0, 12);
        self.stand_box(add(middle, [0.0, -34.0]), [9.0, 4.0], 0.1);
    }

    /// Two flights around a wall.
    fn stairs(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        self.door(width / 2 - 18);
        self.block([width / 2 - 1, 20], [width / 2 + 1, depth - 16]);
        // The lift next to them.
        self.block([width - 20, 0], [width, 20]);
        self.carve([width - 18, 0], [width, 18]);
        self.carve([width - 14, 18], [width - 5, 20]);
    }

    /// Open to the corridor and to the street, with a reception desk.
    fn entrance(&mut self) {
        let (width, depth) = (self.room.width(), self.room.depth());
        self.carve([8, -WALL], [width - 8, 0]);
        self.carve([width / 2 - 12, depth], [width / 2 + 12, depth + SHELL]);
        self.floor.reserve(
            self.room.corner([width / 2 - 14, depth - 14]),
            self.room.corner([width / 2 + 14, depth]),
        );
        self.floor.reserve(self.room.corner([width / 2 - 9, -4]), self.room.corner([width / 2 + 9, 8]));
        self.block([0, 12], [6, depth - 8]);
        let (width, depth) = (f64::from(width), f64::from(depth));
        self.stand_box([width * 0.3, depth * 0.45], [10.0, 3.5], 0.5);
        self.stand_box([width * 0.72, depth * 0.4], [11.0, 2.5], 0.0);
        self.stand_box([width * 0.72, depth * 0.62], [11.0, 2.5], 0.0);
        self.stand_round([width - 6.0, depth - 6.0], 3.0, 8);
    }

    /// A door in the wall towards the corridor, with nothing loose on either side of it.
    fn door(&mut self, u: i32) {
        self.carve([u, -WALL], [u + DOOR, 0]);
        self.floor.reserve(self.room.corner([u - 2, -WALL - 12]), self.room.corner([u + DOOR + 2, 12]));
    }

    fn table(&mut self, at: Point, radius: f64, chairs: usize) {
        self.stand_round(at, radius, 10);
        let turn = self.random.range(0.0, TAU);
        for seat in regular(at, radius + 5.0, chairs, turn) {
            let facing = (seat[1] - at[1]).atan2(seat[0] - at[0]);
            let angle = facing + self.random.range(-0.3, 0.3);
            self.stand_box(seat, [2.2, 2.2], angle);
        }
    }

    fn stand_box(&mut self, at: Point, half: Point, angle: f64) {
        // Built from points, so that it is mirrored and turned with the room.
        self.floor
            .stand(turned_box(at, half, angle).into_iter().map(|point| self.room.point(point)).collect());
    }

    fn stand_round(&mut self, at: Point, radius: f64, sides: usize) {
        self.floor.stand(regular(self.room.point(at), radius, sides, TAU / (2.0 * sides as f64)));
    }

    fn hang(&mut self, curtain: &[Point]) {
        self.floor.hang(curtain.iter().map(|&point| self.room.point(point)).collect());
    }

    fn carve(&mut self, a: [i32; 2], b: [i32; 2]) {
        self.floor.carve(self.room.corner(a), self.room.corner(b));
    }

    fn block(&mut self, a: [i32; 2], b: [i32; 2]) {
        self.floor.block(self.room.corner(a), self.room.corner(b));
    }
}

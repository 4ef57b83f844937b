//! A rectangular room seen from its door, so that furnishing it does not depend on which way it faces.

use crate::shapes::Point;

/// The side of a room that its door is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    North,
    South,
    West,
    East,
}

/// A room in cells of the floor.
///
/// Its own coordinates `[u, v]` run along the wall with the door and from that wall into the room.
#[derive(Clone, Debug)]
pub(super) struct Room {
    low: [i32; 2],
    high: [i32; 2],
    door_side: Side,
    /// Whether `u` runs against the floor's axis.
    mirrored: bool,
}

impl Room {
    pub(super) fn new(low: [i32; 2], high: [i32; 2], door_side: Side, mirrored: bool) -> Room {
        Room { low, high, door_side, mirrored }
    }

    /// The length of the wall with the door.
    pub(super) fn width(&self) -> i32 {
        let axis = if self.opens_vertically() { 0 } else { 1 };
        self.high[axis] - self.low[axis]
    }

    /// From the door to the opposite wall.
    pub(super) fn depth(&self) -> i32 {
        let axis = if self.opens_vertically() { 1 } else { 0 };
        self.high[axis] - self.low[axis]
    }

    /// A point of the floor from the room's own coordinates.
    pub(super) fn point(&self, [u, v]: Point) -> Point {
        let along = if self.mirrored { f64::from(self.width()) - u } else { u };
        let [low, high] = [self.low, self.high].map(|corner| corner.map(f64::from));
        match self.door_side {
            Side::South => [low[0] + along, low[1] + v],
            Side::North => [low[0] + along, high[1] - v],
            Side::West => [low[0] + v, low[1] + along],
            Side::East => [high[0] - v, low[1] + along],
        }
    }

    /// A corner of the floor's cells from the room's own coordinates.
    pub(super) fn corner(&self, own: [i32; 2]) -> [i32; 2] {
        self.point(own.map(f64::from)).map(|coordinate| coordinate as i32)
    }

    fn opens_vertically(&self) -> bool {
        matches!(self.door_side, Side::North | Side::South)
    }

    #[cfg(test)]
    pub(super) fn cells(&self) -> impl Iterator<Item = [i32; 2]> {
        let (low, high) = (self.low, self.high);
        (low[1]..high[1]).flat_map(move |y| (low[0]..high[0]).map(move |x| [x, y]))
    }
}

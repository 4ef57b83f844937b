//! What can be changed: edits, shapes and the ids of obstacles.

use clearway_nav::Link;
use std::fmt;

/// The outline of an obstacle, in plan coordinates: metres, counted as the mesh counts them.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A polygon by its corners, in either direction. What it winds around is covered, so it may cross itself.
    Polygon(Vec<[f64; 2]>),
    /// A wall of no thickness between two points.
    Segment([[f64; 2]; 2]),
    /// A disc, as the regular polygon of so many sides around it: the polygon holds the whole disc.
    Disc {
        /// The centre.
        centre: [f64; 2],
        /// The radius in metres.
        radius: f64,
        /// The number of sides, 3 to [`MAX_SIDES`](Shape::MAX_SIDES).
        sides: u32,
    },
    /// A box with a turn.
    Box {
        /// The centre.
        centre: [f64; 2],
        /// The lengths of its two sides in metres.
        size: [f64; 2],
        /// The turn in radians, counter-clockwise.
        turn: f64,
    },
}

impl Shape {
    /// The greatest number of corners of one shape. It bounds the work of one edit; larger shapes can be added in
    /// parts.
    pub const MAX_CORNERS: usize = 4096;

    /// The greatest number of sides of a disc. More make every cell around it a sliver.
    pub const MAX_SIDES: u32 = 64;
}

/// The floor that a shape stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Anchor {
    /// The height of the floor in metres. On a plan it is not needed. On a scene without it, the only floor under the
    /// shape is taken; several floors are an error.
    pub height: Option<f64>,
}

/// The id of an obstacle. It names one obstacle for ever: an id whose obstacle was removed stays unknown, even if its
/// number is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId {
    /// The number of the obstacle.
    pub(crate) index: u32,
    /// The number of obstacles that had this number before.
    pub(crate) generation: u32,
}

impl fmt::Display for ObstacleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index)
    }
}

/// The id of a door. Like that of an obstacle, it names one door for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DoorId(pub(crate) ObstacleId);

impl fmt::Display for DoorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An obstacle: a shape that stands on a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its outline.
    pub shape: Shape,
    /// The floor that it stands on.
    pub anchor: Anchor,
}

/// A change of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// An obstacle comes.
    Add(Obstacle),
    /// An obstacle goes.
    Remove(ObstacleId),
    /// An obstacle moves or takes another shape.
    Move(ObstacleId, Obstacle),
    /// The ground under a shape gets another area class, an index into the area names of the mesh.
    Area(Obstacle, u8),
    /// A door comes, open, between these two points. While it is closed it is a wall of no thickness.
    AddDoor([[f64; 2]; 2], Anchor),
    /// A door opens, if true, or closes.
    Door(DoorId, bool),
    /// A door goes.
    RemoveDoor(DoorId),
    /// A link comes. Its ends move to the nearest places of the mesh within half a metre.
    AddLink(Link),
    /// The link of this name goes, awake or asleep.
    RemoveLink(String),
    /// Several edits, all or none of them.
    Batch(Vec<Edit>),
}

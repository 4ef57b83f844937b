//! What can be changed: edits, shapes and the ids of obstacles.

use clearway_nav::Link;
pub use clearway_nav::mesh::Shape;
use std::fmt;

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
    /// Everything that edits put on the ground goes: obstacles, doors and areas. Links stay.
    Clear,
    /// As the edit inside, which adds an obstacle or a door, and gives it this name. No two things that stand have the same
    /// name.
    Named(String, Box<Edit>),
    /// Several edits, all or none of them.
    Batch(Vec<Edit>),
}

/// Something that stands and can have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Named {
    /// An obstacle.
    Obstacle(ObstacleId),
    /// A door.
    Door(DoorId),
}

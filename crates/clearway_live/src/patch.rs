//! Everything that one edit changes, as it was and as it is, so that it can be taken back.

use crate::edit::Obstacle;
use crate::fabric::{Covered, Edge, Face, Thin};
use crate::link::LiveLink;
use clearway_nav::Link;
use clearway_nav::mesh::{Splice, Swap};

/// Something known by its edge, as it was and as it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keyed<T> {
    /// The edge.
    pub key: Edge,
    /// Before the edit.
    pub before: Option<T>,
    /// After the edit.
    pub after: Option<T>,
}

/// An obstacle that stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The obstacle.
    pub obstacle: Obstacle,
    /// The number of obstacles that had its number before.
    pub generation: u32,
    /// For a door, true if it is open; `None` for an obstacle.
    pub door: Option<bool>,
    /// Its name.
    pub name: Option<String>,
}

/// Ground that got another area class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paint {
    /// Where.
    pub place: Obstacle,
    /// The class.
    pub class: u8,
}

/// Everything that one edit changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Patched {
    /// In the lists of the mesh.
    pub splice: Splice,
    /// Covered cells.
    pub covered: Vec<Swap<Covered>>,
    /// Cells at sides that face other cells.
    pub facing: Vec<Keyed<Face>>,
    /// Walls of no thickness.
    pub thin: Vec<Keyed<Thin>>,
    /// Vertices that edits made, by edges from a vertex to itself, with the obstacles that have a corner there.
    pub made: Vec<Keyed<Vec<u32>>>,
    /// Obstacles.
    pub obstacles: Vec<Swap<Standing>>,
    /// Ground that got another area class, in the order of the edits.
    pub paints: Vec<Swap<Paint>>,
    /// Links, awake and asleep, in the order of their numbers.
    pub links: Vec<Swap<LiveLink>>,
    /// Links that come to a part of a world or go from it, whether they have a place there or not.
    pub wishes: Vec<Swap<Wish>>,
}

/// A change of the links of a world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wish {
    /// This link comes.
    Add(Link),
    /// The link of this name goes.
    Take(String),
}

impl Wish {
    /// Returns the link that comes.
    pub fn added(&self) -> Option<&Link> {
        if let Wish::Add(link) = self { Some(link) } else { None }
    }

    /// Returns the name of the link that goes.
    pub fn taken(&self) -> Option<&str> {
        if let Wish::Take(name) = self { Some(name) } else { None }
    }
}

impl Patched {
    /// Returns the patch that takes this one back.
    pub fn inverse(&self) -> Patched {
        fn turned<T: Clone>(swaps: &[Swap<T>]) -> Vec<Swap<T>> {
            let turn = |swap: &Swap<T>| Swap {
                slot: swap.slot,
                before: swap.after.clone(),
                after: swap.before.clone(),
            };
            swaps.iter().map(turn).collect()
        }
        fn keys_turned<T: Clone>(keyed: &[Keyed<T>]) -> Vec<Keyed<T>> {
            let turn = |keyed: &Keyed<T>| Keyed {
                key: keyed.key,
                before: keyed.after.clone(),
                after: keyed.before.clone(),
            };
            keyed.iter().map(turn).collect()
        }
        Patched {
            splice: self.splice.inverse(),
            covered: turned(&self.covered),
            facing: keys_turned(&self.facing),
            thin: keys_turned(&self.thin),
            made: keys_turned(&self.made),
            obstacles: turned(&self.obstacles),
            paints: turned(&self.paints),
            links: turned(&self.links),
            wishes: turned(&self.wishes),
        }
    }
}

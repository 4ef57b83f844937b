//! A model for way points alone: everybody walks as if nobody else were there.
//!
//! Bodies of the other models are pushed into walls by each other. Here every wall that is touched was touched because
//! the way point led there.

use clearway_crowd::{Act, LocalModel, NearWall, Neighbour, Spec, View};

/// Walks along the way at full speed and heeds nobody.
pub struct Alone;

impl LocalModel for Alone {
    fn spec(&self) -> Spec {
        Spec::new("alone")
    }

    fn act(&self, me: &View, _near: &[Neighbour], _walls: &[NearWall]) -> Act {
        Act::velocity(me.head * me.speed)
    }
}

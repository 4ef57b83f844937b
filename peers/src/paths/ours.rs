//! Our planners: the only place of the path tables that knows clearway's searches.

use super::maps::Map;
use super::peer::{PathPeer, PlacePeer};

/// Our planners, each at all its radii.
pub fn planners() -> Vec<Box<dyn PathPeer>> {
    Vec::new()
}

/// Our answers about places.
pub fn places(_map: &Map) -> Result<Vec<Box<dyn PlacePeer>>, String> {
    Ok(Vec::new())
}

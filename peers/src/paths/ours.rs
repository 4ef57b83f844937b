//! Our planners: the only place of the path tables that knows clearway's searches.

use std::rc::Rc;

use clearway::{Location, NavMesh};

use super::maps::Map;
use super::peer::{PathPeer, PlacePeer, Point};

const NAME: &str = "ours";

/// Our planners, each at all its radii.
pub fn planners() -> Vec<Box<dyn PathPeer>> {
    Vec::new()
}

/// Our answers about places.
pub fn places(map: &Map) -> Box<dyn PlacePeer> {
    Box::new(OurPlaces { mesh: Rc::clone(&map.mesh), last: None })
}

struct OurPlaces {
    mesh: Rc<NavMesh>,
    last: Option<Location>,
}

impl PlacePeer for OurPlaces {
    fn name(&self) -> &'static str {
        NAME
    }

    fn locate(&mut self, point: Point) -> bool {
        self.mesh.locate(point).is_ok()
    }

    fn follow(&mut self, point: Point) -> bool {
        let found = match &self.last {
            Some(last) => self.mesh.locate_near(point, last),
            None => self.mesh.locate(point),
        };
        self.last = found.ok();
        self.last.is_some()
    }
}

//! What is asked of paths with links, and the answer.

use crate::mesh::{LinkId, LinkKind, LinkRecord};
use crate::path::{Path, PathQuery};
use crate::query::Location;

/// A question for a path that may use links. Options that are not named keep the values of [`LinkQuery::new`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinkQuery {
    /// Where the body starts.
    pub start: Location,
    /// Where it wants to go.
    pub goal: Location,
    /// The radius of the body in metres; 0 for a point. Links whose ends are closer to a wall are not used.
    pub radius: f64,
    /// How far start and goal may be moved, in metres, where they are closer to a wall than the radius.
    pub snap: f64,
    /// The kinds of links that may be used; all where none are given.
    pub kinds: Option<Vec<LinkKind>>,
}

clearway_base::setters!(LinkQuery {
    start: Location,
    goal: Location,
    radius: f64,
    snap: f64,
    kinds: Option<Vec<LinkKind>>,
});

impl LinkQuery {
    /// The way of a point from `start` to `goal` that costs least, with links of every kind.
    pub fn new(start: Location, goal: Location) -> LinkQuery {
        LinkQuery { start, goal, radius: 0.0, snap: 0.0, kinds: None }
    }

    /// Whether the kind and the radius let a link be used.
    pub(super) fn allows(&self, link: &LinkRecord) -> bool {
        let known = self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&link.kind));
        known && link.max_radius.is_none_or(|most| self.radius <= most)
    }

    /// The question for walking only.
    pub(super) fn walking(&self, start: Location, goal: Location) -> PathQuery {
        PathQuery::new(start, goal).radius(self.radius).snap(self.snap)
    }
}

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// Walking.
    Walk(Path),
    /// Taking a link.
    Link {
        /// Which.
        link: LinkId,
        /// Where it is entered, in world coordinates.
        from: [f64; 3],
        /// Where it is left.
        to: [f64; 3],
        /// What it costs, in metres of walking.
        cost: f64,
    },
}

/// A path of walks and links.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPath {
    /// Its parts from start to goal. Walks of no length are left out, unless nothing else is there.
    pub legs: Vec<Leg>,
    /// What it costs: the length of all walks and the costs of all links, in metres of walking.
    pub cost: f64,
    /// Its length in metres: that of all walks, and that of all links in space.
    pub length: f64,
    /// How many walks were searched for to find it.
    pub searches: usize,
}

/// A path without links.
impl From<Path> for LinkPath {
    fn from(walk: Path) -> LinkPath {
        LinkPath { cost: walk.length, length: walk.length, legs: vec![Leg::Walk(walk)], searches: 1 }
    }
}

impl LinkPath {
    /// Its walks, in order.
    pub fn walks(&self) -> impl Iterator<Item = &Path> + '_ {
        self.legs.iter().filter_map(|leg| match leg {
            Leg::Walk(walk) => Some(walk),
            Leg::Link { .. } => None,
        })
    }

    /// The links it takes, in order.
    pub fn links(&self) -> impl Iterator<Item = LinkId> + '_ {
        self.legs.iter().filter_map(|leg| match leg {
            Leg::Walk(_) => None,
            Leg::Link { link, .. } => Some(*link),
        })
    }
}

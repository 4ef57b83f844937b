//! The question for a path, and the reasons why there may be none.

use super::costs::Costs;
use crate::mesh::{LinkId, LinkKind, LinkRecord};
use crate::query::Location;

/// A question for a path: its ends, the body, and the ways that it may take.
///
/// ```
/// # use clearway::{LinkUse, Location, PathQuery};
/// # fn ask(home: Location, market: Location) -> PathQuery {
/// PathQuery::new(home, market).radius(0.4).links(LinkUse::None)
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathQuery {
    /// The start of the path.
    pub start: Location,
    /// The goal of the path.
    pub goal: Location,
    /// Further goals: the path leads to the goal that costs least to reach.
    pub more_goals: Vec<Location>,
    /// The radius of the body in metres; 0 for a point.
    pub radius: f64,
    /// The greatest move of start and goal in metres, if they are closer to a wall than the radius.
    pub snap: f64,
    /// The factor by which the path may be longer than the shortest; 1 asks for the shortest. Larger values search
    /// less.
    pub suboptimality: f64,
    /// If true and the goal cannot be reached, the path leads to the nearest point that can be reached on foot.
    pub partial: bool,
    /// The links that the body may take.
    pub links: LinkUse,
    /// What a metre costs where; with costs the path is cheap, but need not be the cheapest.
    pub costs: Option<Box<Costs>>,
}

clearway_base::setters!(PathQuery {
    start: Location,
    goal: Location,
    more_goals: Vec<Location>,
    radius: f64,
    snap: f64,
    suboptimality: f64,
    partial: bool,
    links: LinkUse,
});

impl PathQuery {
    /// Asks for the shortest path of a point from `start` to `goal`; it may take every link.
    pub fn new(start: Location, goal: Location) -> PathQuery {
        PathQuery {
            start,
            goal,
            more_goals: Vec::new(),
            radius: 0.0,
            snap: 0.0,
            suboptimality: 1.0,
            partial: false,
            links: LinkUse::All,
            costs: None,
        }
    }

    /// Sets the field `costs`.
    #[must_use]
    pub fn costs(mut self, costs: impl Into<Option<Costs>>) -> PathQuery {
        self.costs = costs.into().map(Box::new);
        self
    }

    /// All goals, the first one first.
    pub fn goals(&self) -> impl Iterator<Item = Location> + '_ {
        std::iter::once(self.goal).chain(self.more_goals.iter().copied())
    }

    /// Returns the radius in metres, or an error if it is negative or not finite.
    pub(crate) fn checked_radius(&self) -> Result<f64, NoPath> {
        let radius = self.radius;
        if radius >= 0.0 && radius.is_finite() { Ok(radius) } else { Err(NoPath::BadRadius { radius }) }
    }
}

/// The links that a body may take.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LinkUse {
    /// Links of every kind.
    #[default]
    All,
    /// No link: the body only walks.
    None,
    /// Links of these kinds.
    Only(Vec<LinkKind>),
}

impl LinkUse {
    /// True if links of a kind may be taken.
    pub fn allows(&self, kind: &LinkKind) -> bool {
        match self {
            LinkUse::All => true,
            LinkUse::None => false,
            LinkUse::Only(kinds) => kinds.contains(kind),
        }
    }

    /// True if a body of this radius may take a link.
    pub(crate) fn allows_link(&self, link: &LinkRecord, radius: f64) -> bool {
        self.allows(&link.kind) && link.max_radius.is_none_or(|most| radius <= most)
    }
}

/// The end of a query that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Place {
    /// The start.
    Start,
    /// The goal, or every goal where there are several.
    Goal,
}

/// The reason why there is no path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", tag = "reason"))]
#[non_exhaustive]
pub enum NoPath {
    /// The radius is negative or not a finite number.
    BadRadius {
        /// The radius as given.
        radius: f64,
    },
    /// A cost or factor is outside its range.
    BadCost {
        /// The first such number.
        cost: f64,
    },
    /// The location does not belong to this mesh.
    OffMesh {
        /// The end in question.
        place: Place,
    },
    /// A wall is closer than the radius, and no legal point is near enough.
    TooClose {
        /// The end in question.
        place: Place,
        /// The distance to the nearest wall, in metres.
        clearance: f64,
    },
    /// No walkable connection, however small the body.
    Disconnected,
    /// The body does not fit through.
    TooNarrow {
        /// The largest radius in metres that fits, rounded down.
        widest_radius: f64,
        /// The narrowest point of the widest way.
        at: Location,
        /// The link that is too narrow there, if it is one.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
        link: Option<LinkId>,
    },
    /// The raster of the grid planner shows no way; a finer raster may.
    Unresolved {
        /// The side of the raster's cells, in metres.
        cell_size: f64,
    },
}

impl NoPath {
    /// Returns the reason as a word that never changes: `bad_radius`, `bad_cost`, `off_mesh`, `too_close`,
    /// `disconnected`, `too_narrow` or `unresolved`. The serialised form uses it as its `reason`.
    pub fn code(&self) -> &'static str {
        match self {
            NoPath::BadRadius { .. } => "bad_radius",
            NoPath::BadCost { .. } => "bad_cost",
            NoPath::OffMesh { .. } => "off_mesh",
            NoPath::TooClose { .. } => "too_close",
            NoPath::Disconnected => "disconnected",
            NoPath::TooNarrow { .. } => "too_narrow",
            NoPath::Unresolved { .. } => "unresolved",
        }
    }
}

impl std::fmt::Display for NoPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |place: &Place| match place {
            Place::Start => "start",
            Place::Goal => "goal",
        };
        match self {
            NoPath::BadRadius { radius } => write!(f, "the radius {radius} is negative or not finite"),
            NoPath::BadCost { cost } => write!(f, "{cost} is no cost"),
            NoPath::OffMesh { place } => write!(f, "the {} is not on this mesh", name(place)),
            NoPath::TooClose { place, clearance } => {
                write!(f, "the {} is only {clearance} m from a wall, closer than the radius", name(place))
            }
            NoPath::Disconnected => {
                write!(f, "start and goal lie in parts of the mesh that are not connected")
            }
            NoPath::TooNarrow { widest_radius, .. } => {
                write!(f, "too narrow: only a radius up to {widest_radius} m fits through")
            }
            NoPath::Unresolved { cell_size } => {
                write!(f, "a grid with cells of {cell_size} m shows no way; a finer one may")
            }
        }
    }
}

impl std::error::Error for NoPath {}

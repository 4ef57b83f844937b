//! What edits put on a mesh, kept beside it: so that a mesh which was stored can be edited on.
//!
//! A mesh with fixtures is a mesh like any other. Who edits it takes the mesh as it was built from here and makes the
//! edits again, so that nothing else that is stored about them must be trusted.

use super::NavMesh;
use std::sync::Arc;

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

    /// Returns the shape with its numbers changed one by one.
    #[must_use]
    pub fn map(&self, number: impl Fn(f64) -> f64) -> Shape {
        let point = |at: &[f64; 2]| at.map(&number);
        match self {
            Shape::Polygon(corners) => Shape::Polygon(corners.iter().map(point).collect()),
            Shape::Segment([from, to]) => Shape::Segment([point(from), point(to)]),
            Shape::Disc { centre, radius, sides } => {
                Shape::Disc { centre: point(centre), radius: number(*radius), sides: *sides }
            }
            Shape::Box { centre, size, turn } => {
                Shape::Box { centre: point(centre), size: point(size), turn: number(*turn) }
            }
        }
    }
}

/// The largest number of fixtures of a mesh. It bounds memory for damaged files.
pub const MAX_FIXTURES: usize = 1_000_000;

/// The longest name of a fixture, in bytes.
pub const MAX_FIXTURE_NAME: usize = 200;

/// What a fixture does to the ground.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FixtureRole {
    /// The ground under the shape has this area class, by name.
    Area(String),
    /// An obstacle covers the ground, or is a wall if it has no thickness.
    Obstacle,
    /// A door, open if true.
    Door(bool),
}

/// Something that edits put on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// Its name; empty for one without a name, as areas are.
    pub name: String,
    /// What it does.
    pub role: FixtureRole,
    /// Its shape; a segment for a door.
    pub shape: Shape,
    /// The height of its floor in metres, if it was given.
    pub height: Option<f64>,
}

/// The mesh as it was built, and what edits put on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fixtures {
    /// The bytes of the mesh as it was built, with all links that there are now, awake or asleep. They are looked at
    /// when the mesh is edited.
    pub built: Vec<u8>,
    /// What edits put on it, in the order in which it is put there again.
    pub list: Vec<Fixture>,
}

impl NavMesh {
    /// Returns what edits put on the mesh, if that was kept; `LiveMesh::stored` of the crate `clearway_live` keeps it.
    pub fn fixtures(&self) -> Option<&Fixtures> {
        self.parts.fixtures.as_deref()
    }

    /// Keeps what edits put on the mesh, or forgets it: then the mesh is one that was built so.
    pub fn set_fixtures(&mut self, fixtures: Option<Fixtures>) {
        self.parts.fixtures = fixtures.map(Arc::new);
    }
}

/// Returns what is wrong with the name of a fixture; `None` for a sound one.
pub fn fixture_name_flaw(name: &str) -> Option<String> {
    let is_sound = name.len() <= MAX_FIXTURE_NAME && !name.chars().any(char::is_control);
    (!is_sound)
        .then(|| format!("a name must have at most {MAX_FIXTURE_NAME} bytes and no control characters"))
}

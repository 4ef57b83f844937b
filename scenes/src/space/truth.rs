//! What is known about a scene in closed form, for tests of walkable surfaces.
//!
//! A place is walkable if a body of height 2.0 m can stand there on a face no steeper than 45 degrees, with
//! nothing in the open vertical segment above it. Places are joined across steps of up to 0.4 m. Vertical
//! faces part them unless they end below 0.4 m or begin above 2.0 m. Steep faces of a total rise of at most
//! 0.4 m (bevelled kerbs) are walkable. A body has no width here. Areas are measured in plan.

use super::soup::{Point3, Soup};

/// The height of the body that truths are about, in metres.
pub const BODY_HEIGHT: f64 = 2.0;
/// The highest step, in metres.
pub const MAX_STEP: f64 = 0.4;

/// A scene with what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownScene {
    /// A name for files and messages.
    pub name: String,
    /// The triangles.
    pub soup: Soup,
    /// What a walkable surface of them must be like.
    pub truth: Truth,
}

/// The connected pieces of a scene's walkable surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Truth {
    /// The pieces. The first is the one that people use, where there is such a one.
    pub components: Vec<Component>,
    /// Whether `components` are all there are.
    pub complete: bool,
    /// The widest gap that must be bridged to join the components so; 0 for most scenes.
    pub bridge: f64,
    /// By how much the areas may differ for reasons of the scene itself, in square metres in all.
    pub tolerance: f64,
    /// Places on a face that is no walkable surface.
    pub blocked: Vec<Point3>,
    /// How much of the walkable area belongs to materials that a user may want to leave out.
    pub by_material: Vec<(String, f64)>,
}

/// One connected piece of a walkable surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its area in plan, in square metres.
    pub area: f64,
    /// Places on it, away from its border: all are connected with each other and with no other component.
    pub places: Vec<Point3>,
    /// Whether it lies inside a closed solid, where only a ghost would walk.
    pub inside: bool,
}

impl Truth {
    /// A truth of all components of a scene that have no holes to be bridged.
    pub(crate) fn of(components: Vec<Component>) -> Truth {
        Truth { components, complete: true, ..Truth::default() }
    }

    /// The whole area, insides of solids included.
    pub fn area(&self) -> f64 {
        self.components.iter().map(|component| component.area).sum()
    }

    /// The area of the components that do not lie inside a solid.
    pub fn outside_area(&self) -> f64 {
        self.components.iter().filter(|c| !c.inside).map(|c| c.area).sum()
    }

    /// The number of components that do not lie inside a solid.
    pub fn outside_count(&self) -> usize {
        self.components.iter().filter(|c| !c.inside).count()
    }

    /// Pairs of places that are connected: the neighbours in each component's list.
    pub fn connected(&self) -> Vec<[Point3; 2]> {
        let pairs = self.components.iter().flat_map(|component| component.places.windows(2));
        pairs.map(|pair| [pair[0], pair[1]]).collect()
    }

    /// Pairs of places that are not connected: the first places of neighbouring components.
    pub fn apart(&self) -> Vec<[Point3; 2]> {
        let first: Vec<Point3> = self.components.iter().filter_map(|c| c.places.first().copied()).collect();
        first.windows(2).map(|pair| [pair[0], pair[1]]).collect()
    }
}

impl Component {
    /// A component in the open.
    pub(crate) fn open(area: f64, places: Vec<Point3>) -> Component {
        Component { area, places, inside: false }
    }

    /// A component inside a solid.
    pub(crate) fn inside(area: f64, place: Point3) -> Component {
        Component { area, places: vec![place], inside: true }
    }

    /// The flat top of something, which has no way to the rest.
    pub(crate) fn top(low: [f64; 2], high: [f64; 2], y: f64) -> Component {
        let place = [0.5 * (low[0] + high[0]), y, 0.5 * (low[1] + high[1])];
        Component::open((high[0] - low[0]) * (high[1] - low[1]), vec![place])
    }

    /// The floor at height `y` inside a tall closed box.
    pub(crate) fn shut_in(low: [f64; 2], high: [f64; 2], y: f64) -> Component {
        Component { inside: true, ..Component::top(low, high, y) }
    }
}

impl KnownScene {
    pub(crate) fn new(name: impl Into<String>, soup: Soup, truth: Truth) -> KnownScene {
        KnownScene { name: name.into(), soup, truth }
    }
}

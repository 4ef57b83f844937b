//! The world as it comes out of a modelling tool: triangles in space, in parts with names.

/// A triangle soup. Right-handed, +Y up, metres; readers convert what comes otherwise.
///
/// Nothing is promised about the triangles: they may cross, touch, lie twice in one place or enclose nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Where the corners of triangles lie.
    pub vertices: Vec<[f64; 3]>,
    /// Corners by number, counter-clockwise as seen from outside; walkable are triangles that face up.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the number of its part.
    pub part_of: Vec<u32>,
    /// What the triangles belong to.
    pub parts: Vec<Part>,
    /// Names of the area classes; the first is for everything that no rule names.
    pub areas: Vec<String>,
    /// What the reader mended or left out, for the report.
    pub notes: Vec<String>,
}

/// A named piece of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The node, object or group it was drawn in; several levels are joined by `/`.
    pub name: String,
    /// Its material, or empty.
    pub material: String,
    /// Its area class, as a place in [`Scene::areas`].
    pub area: u8,
}

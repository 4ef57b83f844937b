//! The world as it comes out of a modelling tool: triangles in space, in parts with names.
//!
//! A [`Scene`] is read from a file with [`Scene::load`], from bytes with [`Scene::parse`], or made in
//! code with [`Scene::from_triangles`].
//! Readers turn axes and units, cut polygons into triangles and note what they left out; they neither weld nor
//! repair. [`Scene::select`] then leaves out parts and gives others an area class, by name or material.
//! Elements in messages are counted from 0, as in the fields of [`Scene`] and in glTF arrays; lines of text are
//! counted from 1, as in editors.

mod check;
mod draft;
mod format;
mod gltf;
mod notes;
mod obj;
mod options;
mod ply;
mod polygon;
mod select;
mod stl;
#[cfg(test)]
pub(crate) mod testing;

use std::path::Path;

use clearway_base::error::{Error, ErrorKind, Result};

pub use format::SceneFormat;
pub use options::{SceneChoice, SceneOptions, Up};
pub(crate) use select::Pattern;
pub use select::Selection;

/// The largest absolute coordinate of a scene, in metres.
///
/// The grid of scenes has 2^28 units of 2^-12 m on each side of zero. One metre is kept free, so that rounding
/// cannot leave it.
pub const MAX_COORDINATE: f64 = 65_535.0;

/// The largest number of triangles of a scene, after all instances are drawn. It keeps numbers within 32 bits and
/// bounds memory; [`SceneOptions::max_triangles`] is lower unless a caller asks for more.
pub const MAX_TRIANGLES: usize = 100_000_000;

/// The largest file that is read, in bytes, and the largest total of all buffers of a glTF file: 4 GiB.
pub const MAX_FILE_BYTES: u64 = 4 << 30;

/// The largest number of corners of one polygon.
///
/// Cutting a polygon that is not convex takes time that grows with the square of its corners.
pub const MAX_FACE_CORNERS: usize = 10_000;

/// The deepest nesting of glTF nodes; deeper files are refused.
pub const MAX_NODE_DEPTH: usize = 1024;

/// The largest number of area classes, with the one for everything that no rule names. A class is stored in one byte.
pub const MAX_AREAS: usize = 255;

/// The name of the first area class, which everything has that no rule names.
pub const GROUND: &str = "ground";

/// A triangle soup. Right-handed, +Y up, metres; readers convert what comes otherwise.
///
/// Nothing is promised about the triangles: they may cross, touch, lie twice in one place or enclose nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The positions of the corners of triangles, in metres.
    pub vertices: Vec<[f64; 3]>,
    /// The corners of each triangle as indices of vertices, counter-clockwise as seen from outside. Triangles that
    /// face up are walkable.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the index of its part.
    pub part_of: Vec<u32>,
    /// The parts that triangles belong to.
    pub parts: Vec<Part>,
    /// The names of the area classes; the first is for everything that no rule names.
    pub areas: Vec<String>,
    /// Notes of the reader about repairs and omissions, for the report.
    pub notes: Vec<String>,
    /// Requests that made no difference, for the report: patterns that match no part.
    pub warnings: Vec<String>,
}

/// A named piece of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The node, object or group it was drawn in; several levels are joined by `/`.
    pub name: String,
    /// Its material, or empty.
    pub material: String,
    /// Its area class, as an index into [`Scene::areas`].
    pub area: u8,
}

impl Scene {
    /// Reads a scene file in metres with +Y up; its extension names the format (see [`SceneFormat::from_path`]).
    ///
    /// Every error names the file. A file without a single triangle is refused as empty.
    ///
    /// ```no_run
    /// let scene = clearway::Scene::load("town.glb")?;
    /// println!("{} triangles", scene.triangles.len());
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Scene> {
        Scene::load_with_options(path, &SceneOptions::default())
    }

    /// Reads a scene file with other axes, units or limits.
    ///
    /// ```no_run
    /// use clearway::scene::{Scene, SceneOptions, Up};
    /// let scene = Scene::load_with_options("hall.stl", &SceneOptions::default().up(Up::Z).scale(0.001))?;
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn load_with_options(path: impl AsRef<Path>, options: &SceneOptions) -> Result<Scene> {
        let path = path.as_ref();
        format::load(path, options).map_err(|error| error.in_file(path))
    }

    /// Reads a scene from bytes in a known format.
    ///
    /// A glTF text must carry its buffers within itself: what lies in other files is found by
    /// [`Scene::load`] only.
    ///
    /// ```
    /// use clearway::scene::{Scene, SceneFormat, SceneOptions};
    /// let text = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n";
    /// let scene = Scene::parse(SceneFormat::Obj, text.as_bytes(), &SceneOptions::default())?;
    /// assert_eq!(scene.triangles, [[0, 1, 2], [0, 2, 3]]);
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn parse(format: SceneFormat, bytes: &[u8], options: &SceneOptions) -> Result<Scene> {
        format::parse(format, bytes, None, options)
    }

    /// A scene from the buffers of an engine: positions in metres with +Y up, and three indices for each triangle,
    /// counter-clockwise as seen from the walkable side.
    ///
    /// # Errors
    ///
    /// As for [`Scene::validate`], and where the number of indices is no multiple of three.
    ///
    /// ```
    /// let positions = [[0.0f32, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
    /// let scene = clearway::Scene::from_mesh(&positions, &[0, 1, 2])?;
    /// assert_eq!(scene.triangles.len(), 1);
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn from_mesh<T: Copy + Into<f64>>(positions: &[[T; 3]], indices: &[u32]) -> Result<Scene> {
        let (triangles, rest) = indices.as_chunks::<3>();
        if !rest.is_empty() {
            let message = format!("{} indices make no whole triangles: three belong to each", indices.len());
            return Err(Error::new(ErrorKind::Syntax, message));
        }
        let vertices = positions.iter().map(|position| position.map(Into::into)).collect();
        Scene::from_triangles(vertices, triangles.to_vec(), vec![0; triangles.len()], [("mesh", "")])
    }

    /// A scene made in code: vertices, triangles, for each triangle the number of its part, and the name and material
    /// of each part. Everything has the area class [`GROUND`].
    ///
    /// # Errors
    ///
    /// As for [`Scene::validate`].
    ///
    /// ```
    /// let corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
    /// let scene = clearway::Scene::from_triangles(corners, vec![[0, 1, 2]], vec![0], [("floor", "wood")])?;
    /// assert_eq!(scene.parts[0].material, "wood");
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn from_triangles(
        vertices: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
        part_of: Vec<u32>,
        parts: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>,
    ) -> Result<Scene> {
        let parts = parts.into_iter();
        let parts = parts
            .map(|(name, material)| Part { name: name.into(), material: material.into(), area: 0 })
            .collect();
        let areas = vec![GROUND.to_string()];
        let scene = Scene { vertices, triangles, part_of, parts, areas, ..Scene::default() };
        scene.validate()?;
        Ok(scene)
    }

    /// Leaves out parts and gives others their area class, by name or material; see [`Selection`].
    ///
    /// Notes about the parts left out are added to [`Scene::notes`], patterns that matched nothing to
    /// [`Scene::warnings`]. Parts keep their numbers; vertices that no triangle uses any more are dropped. It is an
    /// error to leave out everything, and then the scene stays as it was.
    pub fn select(&mut self, selection: &Selection) -> Result<()> {
        select::select(self, selection)
    }

    /// The lowest and the highest corner of the box around all triangles; `None` without triangles.
    pub fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        let corners = self.triangles.iter().flatten();
        let places = corners.filter_map(|corner| self.vertices.get(*corner as usize));
        places.fold(None, |bounds, &place| {
            let [mut low, mut high] = bounds.unwrap_or([place; 2]);
            for axis in 0..3 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
            Some([low, high])
        })
    }

    /// Checks that every coordinate is finite and within [`MAX_COORDINATE`], that all numbers of vertices, parts
    /// and area classes exist, and that there are at most [`MAX_TRIANGLES`] triangles, and not none.
    ///
    /// Scenes that were read from files have passed this already; scenes made in code have not.
    ///
    /// ```
    /// let scene = clearway::Scene { vertices: vec![[0.0, f64::NAN, 0.0]], ..Default::default() };
    /// assert_eq!(scene.validate().unwrap_err().to_string(), "vertex 0: y is not a number");
    /// ```
    pub fn validate(&self) -> Result<()> {
        check::scene(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_cover_triangles_only() {
        assert_eq!(Scene::default().bounds(), None);
        let scene = Scene {
            vertices: vec![[0.0, 1.0, 2.0], [9.0, 9.0, 9.0], [1.0, -1.0, 0.0], [0.5, 0.0, 3.0]],
            triangles: vec![[0, 2, 3]],
            ..Scene::default()
        };
        assert_eq!(scene.bounds(), Some([[0.0, -1.0, 0.0], [1.0, 1.0, 3.0]]));
    }
}

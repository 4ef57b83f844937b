//! The scenes, in the forms in which builders want them.

use std::path::{Path, PathBuf};

use clearway::{Scene, WalkRules};
use clearway_compare::{ColumnSampler, Columns};

use crate::inputs::data_folder;
#[cfg(feature = "recast")]
use crate::recast_mesh::Soup;

/// The scenes, by the names of their files without extension.
pub const NAMES: [&str; 10] = [
    "nav_test",
    "dungeon",
    "undulating",
    "zdm2",
    "hospital3",
    "freedoom2_map15",
    "freedoom2_map28",
    "godot_nav_level",
    "navcat_proto-level",
    "truck_town",
];

/// The least distance between columns of the truth, in metres, and how many there may be.
const LEAST_STEP: f64 = 0.05;
const MOST_COLUMNS: f64 = (1 << 24) as f64;

/// Where columns scatter: always the same places.
const SEED: u64 = 1;

/// A scene and what is asked of its mesh.
pub struct World {
    /// Its name in tables and after `--scene`.
    pub name: String,
    /// As it was loaded.
    pub scene: Scene,
    /// RecastDemo's agent, with our defaults for what Recast does not know.
    pub rules: WalkRules,
    /// The same triangles for Recast.
    #[cfg(feature = "recast")]
    pub soup: Soup,
}

/// The walkable surface, sampled.
pub struct Truth {
    /// The samples.
    pub columns: Columns,
    /// The distance between them, in metres.
    pub step: f64,
}

impl World {
    /// Reads a scene.
    pub fn load(folder: &Path, name: &str) -> Result<World, String> {
        let scene = read(folder, name)?;
        #[cfg(feature = "recast")]
        let soup = soup_of(&scene);
        Ok(World {
            name: name.to_owned(),
            scene,
            rules: rules(),
            #[cfg(feature = "recast")]
            soup,
        })
    }

    /// The sides of the box around the scene seen from above.
    pub fn extent(&self) -> [f64; 2] {
        [0, 2].map(|axis| {
            let along = || self.scene.vertices.iter().map(move |vertex| vertex[axis]);
            (along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)).max(0.0)
        })
    }

    /// Samples where one can stand.
    pub fn truth(&self) -> Result<Truth, String> {
        let [width, depth] = self.extent();
        let step = (width * depth / MOST_COLUMNS).sqrt().max(LEAST_STEP);
        let sampler = ColumnSampler::new(&self.scene, &self.rules);
        let columns = Columns::sample(&sampler, step, SEED).map_err(|error| error.to_string())?;
        Ok(Truth { columns, step })
    }
}

/// The folder of the scenes.
pub fn folder(data: Option<&Path>) -> Result<PathBuf, String> {
    let folder = data.map_or_else(data_folder, Path::to_path_buf).join("scenes");
    if folder.is_dir() { Ok(folder) } else { Err(format!("there is no folder {}", folder.display())) }
}

/// Height 2, step 0.9, slope 45°.
fn rules() -> WalkRules {
    WalkRules::default().height(2.0).max_step(0.9).max_slope(45f64.to_radians()).inside(false).islands(false)
}

/// The triangles of a scene for Recast.
#[cfg(feature = "recast")]
pub fn soup_of(scene: &Scene) -> Soup {
    Soup {
        vertices: scene.vertices.iter().map(|vertex| vertex.map(|coordinate| coordinate as f32)).collect(),
        triangles: scene.triangles.iter().map(|corners| corners.map(|corner| corner as i32)).collect(),
    }
}

/// The file of that name, whatever its format.
fn read(folder: &Path, name: &str) -> Result<Scene, String> {
    let files = ["obj", "glb"].map(|format| folder.join(format!("{name}.{format}")));
    let file = files.iter().find(|file| file.is_file()).ok_or("there is no such file")?;
    Scene::load(file).map_err(|error| error.to_string())
}

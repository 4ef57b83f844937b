//! A file to a mesh in one call.

use clearway_base::{Error, ErrorKind, Result};
use clearway_build::links::{links_beside, load_links, load_links_in_space};
use clearway_build::{Building, Drawn, MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::NavMesh;
use clearway_nav::links::USUAL_SNAP;
use clearway_world::{PlanFormat, PlanOptions, Scene, SceneFormat};
use std::path::Path;

/// What a file holds, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A floor plan.
    Plan,
    /// A building: a TOML file that names the plans of its storeys.
    Building,
    /// A 3D scene.
    Scene,
    /// A finished mesh.
    Mesh,
}

impl FileKind {
    /// The kind of a file. The error names all endings there are.
    pub fn of(path: impl AsRef<Path>) -> Result<FileKind> {
        let path = path.as_ref();
        let ends_in = |known: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(known));
        if ends_in("toml") {
            return Ok(FileKind::Building);
        }
        match (ends_in("nav"), PlanFormat::from_path(path), SceneFormat::from_path(path)) {
            (true, ..) => Ok(FileKind::Mesh),
            (false, Ok(_), _) => Ok(FileKind::Plan),
            (false, Err(_), Ok(_)) => Ok(FileKind::Scene),
            (false, Err(plan), Err(scene)) => {
                Err(Error::new(ErrorKind::Unsupported, format!("{plan},\nand {scene}")).in_file(path))
            }
        }
    }
}

/// The mesh of a file: a scene, a plan, or a mesh that was saved. Scenes and plans are built with default options, and the
/// links of a file beside them (`town.links.toml` beside `town.glb`) are put on the mesh.
///
/// ```no_run
/// # use clearway::PathQuery;
/// let mesh = clearway::load("level.glb")?;
/// let [home, market] = [[2.0, 0.0, 3.0], [40.0, 0.0, -7.0]].map(|point| mesh.locate(point));
/// let path = mesh.find_path(&PathQuery::new(home?, market?).radius(0.4))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load(path: impl AsRef<Path>) -> Result<NavMesh> {
    let path = path.as_ref();
    let options = MeshOptions::default();
    let kind = FileKind::of(path)?;
    let built = match kind {
        FileKind::Mesh => return NavMesh::load(path),
        FileKind::Plan => match Building::from_drawing(path, &PlanOptions::default())? {
            Drawn::Building(building) => build_storeys(&building, &options),
            Drawn::Plan(plan) => options.build(&plan),
        },
        FileKind::Building => build_storeys(&Building::load(path)?, &options),
        FileKind::Scene => build_scene(&Scene::load(path)?, &options),
    };
    let mut mesh = built.map_err(|error| error.in_file(path))?;
    let beside = links_beside(path);
    if beside.exists() && mesh.cell_count() > 0 {
        // A plan with several levels has become a mesh in space.
        let is_flat = !mesh.has_heights();
        let links = if is_flat { load_links(&beside) } else { load_links_in_space(&beside) };
        mesh.add_links(&links?, USUAL_SNAP).map_err(|error| error.in_file(&beside))?;
    }
    Ok(mesh)
}

/// Builds the mesh of a building with default rules. It keeps the named places of its plans.
fn build_storeys(building: &Building, options: &MeshOptions) -> Result<NavMesh> {
    let mut mesh = build_scene(&building.scene()?, options)?;
    mesh.set_places(&building.places());
    Ok(mesh)
}

/// Builds the mesh of a scene with default rules.
fn build_scene(scene: &Scene, options: &MeshOptions) -> Result<NavMesh> {
    options.build(&WalkableSurface::extract(scene, &WalkRules::default())?)
}

//! Reading what a command works on.

use crate::failure::{Failure, Result};
use crate::links::LinkFile;
use clearway::links::USUAL_SNAP;
use clearway::{MeshOptions, NavMesh, Plan, PlanFormat, Scene, SceneFormat, WalkRules, WalkableSurface};
use std::path::Path;

/// What a mesh can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    Plan,
    Scene,
}

impl World {
    /// What the extension of a file stands for; `None` for all others.
    pub fn of(path: &Path) -> Option<World> {
        match () {
            () if PlanFormat::from_path(path).is_ok() => Some(World::Plan),
            () if SceneFormat::from_path(path).is_ok() => Some(World::Scene),
            () => None,
        }
    }

    /// As [`World::of`], or the failure that names all extensions there are.
    pub fn known(path: &Path) -> Result<World> {
        let neither = [PlanFormat::from_path(path).err(), SceneFormat::from_path(path).err()];
        World::of(path).ok_or_else(|| {
            let messages: Vec<_> = neither.iter().flatten().map(ToString::to_string).collect();
            Failure::new(messages.join(",\nand ")).in_file(path)
        })
    }

    fn name(self) -> &'static str {
        match self {
            World::Plan => "plan",
            World::Scene => "scene",
        }
    }
}

/// Reads a mesh. Whoever gives a plan or a scene is told how to make a mesh of it.
pub fn load_mesh(path: &Path) -> Result<NavMesh> {
    NavMesh::load(path).map_err(|error| hint_for_worlds(path, error.into()))
}

/// Reads a mesh, or reads a plan or a scene and builds its mesh with default options and the links beside it.
pub fn load_or_build_mesh(path: &Path) -> Result<NavMesh> {
    let options = MeshOptions::default();
    let Some(world) = World::of(path) else { return Ok(NavMesh::load(path)?) };
    let links = LinkFile::beside(path, world)?;
    let built = match world {
        World::Plan => NavMesh::build(&Plan::load(path)?, &options),
        World::Scene => {
            let scene = Scene::load(path)?;
            WalkableSurface::extract(&scene, &WalkRules::default())
                .and_then(|surface| NavMesh::build(&surface, &options))
        }
    };
    let mut mesh = built.map_err(|error| error.in_file(path))?;
    if let Some(links) = links.filter(|_| mesh.cell_count() > 0) {
        links.add_to(&mut mesh, USUAL_SNAP)?;
    }
    Ok(mesh)
}

/// Adds to a failure that the file is a plan or a scene, if its name says so.
pub fn hint_for_worlds(path: &Path, failure: Failure) -> Failure {
    let Some(world) = World::of(path).filter(|_| path.is_file()) else { return failure };
    let build = format!("{} build {} -o OUT.nav", crate::hints::program(), crate::hints::path(path));
    Failure::new(format!("{failure}\nThis is a {}; its mesh is made by: {build}", world.name()))
}

/// Reads a text file of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String> {
    Ok(clearway::read_text(path, "text file", limit).map_err(|error| error.in_file(path))?)
}

/// The name of a file without its folder, for titles and reports.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

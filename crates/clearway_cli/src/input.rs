//! Reads the input of a command.

use crate::failure::{Failure, Result};
use clearway::{FileKind, NavMesh};
use std::path::Path;

/// The kind of input that a mesh can be made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// A flat plan.
    Plan,
    /// A building of several plans.
    Building,
    /// A scene with heights.
    Scene,
}

impl World {
    /// Returns the kind that the extension of a file stands for; `None` for all others.
    pub fn of(path: &Path) -> Option<World> {
        match FileKind::of(path) {
            Ok(FileKind::Plan) => Some(World::Plan),
            Ok(FileKind::Building) => Some(World::Building),
            Ok(FileKind::Scene) => Some(World::Scene),
            _ => None,
        }
    }

    /// As [`World::of`], but fails with a message that names all extensions.
    pub fn known(path: &Path) -> Result<World> {
        match FileKind::of(path)? {
            FileKind::Plan => Ok(World::Plan),
            FileKind::Building => Ok(World::Building),
            FileKind::Scene => Ok(World::Scene),
            FileKind::Mesh => {
                Err(Failure::new("is a mesh already; a build takes a plan or a scene").in_file(path))
            }
        }
    }

    /// Returns the kind in words.
    fn name(self) -> &'static str {
        match self {
            World::Plan => "plan",
            World::Building => "building",
            World::Scene => "scene",
        }
    }
}

/// True if a path names tiles: a folder, or the index in it.
pub fn is_tiled(path: &Path) -> bool {
    path.is_dir() || path.file_name().is_some_and(|name| name == clearway::tiles::INDEX_NAME)
}

/// Reads a mesh. For a plan or a scene, the failure says how to make a mesh from it.
pub fn load_mesh(path: &Path) -> Result<NavMesh> {
    NavMesh::load(path).map_err(|error| hint_for_worlds(path, error.into()))
}

/// Reads a mesh, or reads a plan or a scene and builds its mesh with default options and the links beside it.
pub fn load_or_build_mesh(path: &Path) -> Result<NavMesh> {
    // A file with another extension may still be a mesh.
    let mesh = if World::of(path).is_none() { NavMesh::load(path) } else { clearway::load(path) };
    mesh.map_err(|error| hint_for_tiles(path, error.into()))
}

/// Adds to a failure that the path names a folder of tiles, if it does.
fn hint_for_tiles(path: &Path, failure: Failure) -> Failure {
    let is_folder = path.is_dir() && path.join(clearway::tiles::INDEX_NAME).is_file();
    if !(is_folder || path.is_file() && is_tiled(path)) {
        return failure;
    }
    let (program, name) = (crate::hints::program(), crate::hints::path(path));
    Failure::new(format!("{failure}\nThis is a world in tiles; it is described by: {program} tile {name}"))
}

/// Adds to a failure that the file is a plan or a scene, if its name says so, or a world in tiles.
pub fn hint_for_worlds(path: &Path, failure: Failure) -> Failure {
    if is_tiled(path) {
        return hint_for_tiles(path, failure);
    }
    let Some(world) = World::of(path).filter(|_| path.is_file()) else { return failure };
    let build = format!("{} build {} -o OUT.nav", crate::hints::program(), crate::hints::path(path));
    Failure::new(format!("{failure}\nThis is a {}; its mesh is made by: {build}", world.name()))
}

/// Reads a text file of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String> {
    Ok(clearway_base::file::read_text(path, "text file", limit).map_err(|error| error.in_file(path))?)
}

/// Returns the name of a file without its folder, for titles and reports.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

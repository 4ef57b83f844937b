//! Saving meshes to files and loading them.

use crate::mesh::{Flaw, NavMesh};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;
use std::path::Path;

/// The largest mesh file that is read, in bytes: 1 GiB, some twenty million cells. The limit bounds memory for damaged
/// or hostile files.
pub const MAX_MESH_BYTES: u64 = 1 << 30;

impl NavMesh {
    /// Writes the mesh to a `.nav` file. The file is complete or not there: the bytes go to a temporary file beside it,
    /// which then replaces the old file.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        file::write_whole(path, &self.encode())
            .map_err(|error| Error::new(ErrorKind::Io, format!("cannot be written: {error}")).in_file(path))
    }

    /// Reads a mesh from a `.nav` file of at most [`MAX_MESH_BYTES`]; every error names the file.
    pub fn load(path: impl AsRef<Path>) -> Result<NavMesh> {
        let path = path.as_ref();
        read_whole(path).and_then(|bytes| NavMesh::decode(&bytes)).map_err(|error| error.in_file(path))
    }

    /// Returns every flaw of a `.nav` file, as [`diagnose`](NavMesh::diagnose) finds them; every error names the file.
    pub fn diagnose_file(path: impl AsRef<Path>) -> Result<Vec<Flaw>> {
        let path = path.as_ref();
        read_whole(path).and_then(|bytes| NavMesh::diagnose(&bytes)).map_err(|error| error.in_file(path))
    }
}

/// Reads a file of limited size.
fn read_whole(path: &Path) -> Result<Vec<u8>> {
    file::read_filled(path, "mesh file", MAX_MESH_BYTES)
}

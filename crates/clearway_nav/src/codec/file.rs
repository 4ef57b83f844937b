//! Saving meshes to files and loading them.

use crate::mesh::{Flaw, NavMesh};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

/// The largest mesh file that is read, in bytes: 1 GiB, some twenty million cells. The limit bounds memory for damaged
/// or hostile files.
pub const MAX_MESH_BYTES: u64 = 1 << 30;

/// The number of files that this process has begun to write; it makes temporary names unique.
static SAVED: AtomicU64 = AtomicU64::new(0);

impl NavMesh {
    /// Writes the mesh to a `.nav` file. The file is complete or not there: the bytes go to a temporary file beside it,
    /// which then replaces the old file.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        write_whole(path, &self.encode())
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

/// Writes a temporary file and renames it; removes it after a failure.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first failure is the one to report; the temporary file may be gone already.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Returns a temporary name in the same directory, so that renaming is one step. Process id and count keep concurrent
/// writers apart.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it does not name a file"))?;
    let count = SAVED.fetch_add(1, Ordering::Relaxed);
    let name = format!(".{}.{}.{count}.tmp", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(name))
}

/// Reads a file of limited size.
fn read_whole(path: &Path) -> Result<Vec<u8>> {
    file::read_filled(path, "mesh file", MAX_MESH_BYTES)
}

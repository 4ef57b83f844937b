//! Meshes in files.

use crate::mesh::{Flaw, NavMesh};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

/// The largest mesh file that is read, 1 GiB: some twenty million cells.
pub const MAX_MESH_BYTES: u64 = 1 << 30;

/// How many files this process has begun to write.
static SAVED: AtomicU64 = AtomicU64::new(0);

impl NavMesh {
    /// Writes the mesh to a `.nav` file. The file is complete or not there: the bytes go to a temporary name
    /// beside it, which then replaces what was there.
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

    /// Every flaw of a `.nav` file, as [`diagnose`](NavMesh::diagnose) finds them; every error names the file.
    pub fn diagnose_file(path: impl AsRef<Path>) -> Result<Vec<Flaw>> {
        let path = path.as_ref();
        read_whole(path).and_then(|bytes| NavMesh::diagnose(&bytes)).map_err(|error| error.in_file(path))
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first failure is the one to tell; what is left over may be gone already.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A name in the same directory, so that renaming is one step. The process and a count keep writers apart.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it does not name a file"))?;
    let count = SAVED.fetch_add(1, Ordering::Relaxed);
    let name = format!(".{}.{}.{count}.tmp", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(name))
}

fn read_whole(path: &Path) -> Result<Vec<u8>> {
    file::read_filled(path, "mesh file", MAX_MESH_BYTES)
}

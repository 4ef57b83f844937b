//! The files of tests: a scratch folder for each, and inputs of others where they are present.

use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};

/// A folder for the files of one test, removed at its end.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Makes the folder; its name holds the given one and the number of the process.
    ///
    /// # Panics
    /// Where no folder can be made: the test cannot run.
    #[allow(clippy::unwrap_used, reason = "for tests")]
    pub fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("clearway_{name}_{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch { folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file, with the folders that it lies in.
    ///
    /// # Panics
    /// Where the file cannot be written: the test cannot run.
    #[allow(clippy::unwrap_used, reason = "for tests")]
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        let write = || -> Result<()> {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, bytes)
        };
        write().unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Finds a file or folder of the inputs that others published, which are no part of the project. They lie in the folder
/// that `CLEARWAY_DATA` names, or in `shared/data` beside the checkout. Returns `None`, and says so, where it is missing.
pub fn shared_data(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let path = std::env::var_os("CLEARWAY_DATA").map_or_else(beside, PathBuf::from).join(name);
    if !path.exists() {
        println!("skipped: {} is not there; set CLEARWAY_DATA to the folder of the data", path.display());
        return None;
    }
    Some(path)
}

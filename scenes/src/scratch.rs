//! A folder for the files of one test.

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

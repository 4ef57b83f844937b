//! What the tests of all readers share.

use std::fs;
use std::path::PathBuf;

/// A folder for the files of one test, removed at its end.
pub struct Scratch {
    pub folder: PathBuf,
}

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("clearway_{name}_{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

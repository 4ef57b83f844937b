//! Files that are either complete or not there: written under a temporary name, then renamed.

use clearway_base::{Error, ErrorKind, Result};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The size of the buffer in front of a file in bytes.
const BUFFER_BYTES: usize = 1 << 18;

/// Writes a file through a buffer. It appears under its name only when it is complete.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let draft = Draft::new(path);
    let write = || {
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, File::create(draft.place())?);
        fill(&mut file)?;
        file.flush()?;
        // The rename must not overtake the bytes if the machine fails.
        file.get_ref().sync_all()
    };
    write().map_err(|error| unwritable(path, &error))?;
    draft.publish()
}

/// A file under a temporary name. It is removed unless it is published.
pub struct Draft {
    draft: PathBuf,
    path: PathBuf,
    is_published: bool,
}

impl Draft {
    /// Chooses the temporary name beside the final one. What lies there from a run that was cut short is removed.
    pub fn new(path: &Path) -> Draft {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let draft = path.with_file_name(name);
        let _ = fs::remove_file(&draft);
        Draft { draft, path: path.to_path_buf(), is_published: false }
    }

    /// The temporary name.
    pub fn place(&self) -> &Path {
        &self.draft
    }

    /// Gives the file its name.
    pub fn publish(mut self) -> Result<()> {
        fs::rename(&self.draft, &self.path).map_err(|error| unwritable(&self.path, &error))?;
        self.is_published = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_published {
            // The file may never have been created.
            let _ = fs::remove_file(&self.draft);
        }
    }
}

/// Makes the error of a file that cannot be written.
pub fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Io, format!("cannot be written: {error}")).in_file(path)
}

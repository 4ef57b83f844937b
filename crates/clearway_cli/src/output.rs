//! Prints text, and writes files so that a file is either complete or not there.

use crate::failure::{Failure, Result};
use serde::Serialize;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Prints to standard output. A reader that closed the pipe wants no more, which is no failure.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object on one line.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string(value).map_err(|error| Failure::new(format!("JSON: {error}")))?;
    print(&(text + "\n"))
}

/// Prints to standard error. Errors are ignored: there is nobody left to report them to.
pub fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Checks before any work that a file can be written. Returns the known extension that it has.
pub fn extension_of(path: &Path, known: &[&'static str]) -> Result<&'static str> {
    let refuse = |what: &str| Err(Failure::new(format!("{}: {what}", path.display())));
    if path.is_dir() {
        return refuse("is a directory; name a file to write");
    }
    let given = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let Some(extension) = known.iter().find(|known| **known == given) else {
        let known: Vec<_> = known.iter().map(|known| format!(".{known}")).collect();
        return refuse(&format!("the name of the output must end in {}", known.join(" or ")));
    };
    if !folder_of(path).is_dir() {
        return refuse("the folder to write into does not exist");
    }
    Ok(extension)
}

/// Refuses an output that would replace the plan or scene that is read.
pub fn keep_input(input: &Path, output: &Path) -> Result<()> {
    let [read, written] = [input, output].map(|path| path.canonicalize().ok());
    if read.is_some() && read == written {
        let message = format!("{}: is the input; name another file to write", output.display());
        return Err(Failure::new(message));
    }
    Ok(())
}

/// Writes one file, completely or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    write_files(&[(path.to_path_buf(), bytes)])
}

/// Writes files, all of them or none: first under temporary names beside their targets, then renamed.
pub fn write_files(files: &[(PathBuf, &[u8])]) -> Result<()> {
    let mut drafts = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        drafts.push(Draft::write(path, bytes)?);
    }
    drafts.into_iter().try_for_each(Draft::publish)
}

/// Writes files into a folder, which is created if need be: all of them, or none and no new folder.
pub fn write_files_into(folder: &Path, files: &[(PathBuf, &[u8])]) -> Result<()> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let missing: Vec<_> = folder.ancestors().take_while(is_missing).collect();
    let written = fs::create_dir_all(folder)
        .map_err(|error| Failure::file(folder, "cannot be made", &error))
        .and_then(|()| write_files(files));
    if written.is_err() {
        for new in missing {
            // This removes only empty folders.
            let _ = fs::remove_dir(new);
        }
    }
    written
}

/// A file under a temporary name; it is removed unless it is published.
struct Draft {
    /// The temporary name.
    draft: PathBuf,
    /// The final name.
    path: PathBuf,
    /// True once it has its final name.
    is_published: bool,
}

impl Draft {
    /// Writes the file under its temporary name, and waits until the disk has it.
    fn write(path: &Path, bytes: &[u8]) -> Result<Draft> {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let draft = Draft { draft: path.with_file_name(name), path: path.to_path_buf(), is_published: false };
        let write = || {
            let mut file = File::create(&draft.draft)?;
            file.write_all(bytes)?;
            // The rename must not overtake the bytes if the machine fails.
            file.sync_all()
        };
        write().map_err(|error| Failure::file(path, "cannot be written", &error))?;
        Ok(draft)
    }

    /// Renames the file.
    fn publish(mut self) -> Result<()> {
        fs::rename(&self.draft, &self.path)
            .map_err(|error| Failure::file(&self.path, "cannot be written", &error))?;
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

/// Returns the folder of a file; the current folder for a bare name.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

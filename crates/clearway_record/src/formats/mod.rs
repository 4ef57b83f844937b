//! Files of trajectories: our own binary, JuPedSim's SQLite, and text. `docs/reference/trajectories.md` describes them.

mod bytes;
pub(crate) mod coder;
mod csv;
mod cwt;
mod parts;
#[cfg(test)]
mod pedpy;
mod sqlite;
mod text;

use crate::Recording;
use clearway_base::{Result, file};
use std::path::{Path, PathBuf};

pub use cwt::{decode, encode};

/// The largest `.cwt` file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 32;

/// The formats that are written, by the ending of the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Cwt,
    Sqlite,
    Text,
}

/// The endings of names, and what they stand for.
const ENDINGS: [(&str, Format); 4] =
    [("cwt", Format::Cwt), ("sqlite", Format::Sqlite), ("db", Format::Sqlite), ("txt", Format::Text)];

/// The endings of names that [`write()`] knows.
pub fn endings() -> [&'static str; 4] {
    ENDINGS.map(|(ending, _)| ending)
}

/// Writes a recording in the format that the name stands for: `.cwt`, `.sqlite`, `.db` or `.txt`.
pub fn write(recording: &Recording, path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref();
    match file::format_of(path, "trajectory", &ENDINGS).map_err(|error| error.in_file(path))? {
        Format::Cwt => write_cwt(recording, path),
        Format::Sqlite => write_sqlite(recording, path),
        Format::Text => write_text(recording, path),
    }
}

/// Writes our own binary. Equal recordings give equal bytes.
pub fn write_cwt(recording: &Recording, path: impl AsRef<Path>) -> Result<()> {
    crate::draft::write(path.as_ref(), |out| cwt::write(recording, out))
}

/// Reads our own binary. Nothing in the file is trusted; memory grows with what it holds.
pub fn read_cwt(path: impl AsRef<Path>) -> Result<Recording> {
    let path = path.as_ref();
    let bytes = file::read_filled(path, "recording", MAX_BYTES).map_err(|error| error.in_file(path))?;
    decode(&bytes).map_err(|error| error.in_file(path))
}

/// Writes a trajectory database of JuPedSim, version 2, which JuPedSim and PedPy read.
pub fn write_sqlite(recording: &Recording, path: impl AsRef<Path>) -> Result<()> {
    sqlite::write(recording, path.as_ref())
}

/// Writes text as the archive of pedestrian data has it, which PedPy reads: id, frame, x, y and z in metres.
pub fn write_text(recording: &Recording, path: impl AsRef<Path>) -> Result<()> {
    crate::draft::write(path.as_ref(), |out| text::write(recording, out))
}

/// Writes the curves of a run as tables of comma-separated values into a folder. Returns the files.
pub fn write_csv(recording: &Recording, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    csv::write(recording, folder.as_ref())
}

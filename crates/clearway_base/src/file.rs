//! Files as all readers find them: which format a name stands for, bytes of limited size, pieces of them in messages.
//!
//! Errors do not name the file yet: whoever was given the path adds it with [`Error::in_file`].

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};

/// How many characters of the file a message quotes.
const MAX_QUOTED_CHARS: usize = 32;

/// The format that a path's extension stands for, in any case of letters; `known` has them in lower case, and `what`
/// says in a message what the formats are for.
pub fn format_of<F: Copy>(path: &Path, what: &str, known: &[(&str, F)]) -> Result<F> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let found = known.iter().find(|(known, _)| Some(*known) == extension.as_deref());
    found.map(|&(_, format)| format).ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|(known, _)| format!(".{known}")).collect();
        let given = match extension {
            Some(extension) => format!("the extension {}", quoted(&format!(".{extension}"))),
            None => "a file without extension".to_string(),
        };
        let message = format!("{given} is not a known {what} format; known are {}", known.join(", "));
        Error::new(ErrorKind::Unsupported, message)
    })
}

/// How many bytes a file has, zero for a pipe; a directory is refused as not what is `wanted`.
pub fn size(path: &Path, wanted: &str) -> Result<u64> {
    let metadata = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if metadata.is_dir() {
        return Err(Error::new(ErrorKind::Io, format!("is a directory, not a {wanted}")));
    }
    Ok(metadata.len())
}

/// Reads a whole file of limited size.
pub fn read(path: &Path, wanted: &str, max_bytes: u64) -> Result<Vec<u8>> {
    check_size(size(path, wanted)?, max_bytes)?;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    // The size is asked again of what was read: the file may grow, and pipes have no size.
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    check_size(bytes.len() as u64, max_bytes)?;
    Ok(bytes)
}

/// Reads a whole file of limited size that must not be empty.
pub fn read_filled(path: &Path, wanted: &str, max_bytes: u64) -> Result<Vec<u8>> {
    let bytes = read(path, wanted, max_bytes)?;
    if bytes.is_empty() { Err(Error::new(ErrorKind::Empty, "the file is empty")) } else { Ok(bytes) }
}

fn check_size(bytes: u64, max_bytes: u64) -> Result<()> {
    if bytes <= max_bytes {
        return Ok(());
    }
    let message = format!("the file has {bytes} bytes or more; the limit is {max_bytes}");
    Err(Error::new(ErrorKind::TooLarge, message))
}

fn unreadable(error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot be read: {error}"))
}

/// A piece of the file for a message: in backquotes, printable, and cut if long.
pub fn quoted(piece: &str) -> String {
    let mut shown: String = piece.chars().take(MAX_QUOTED_CHARS).flat_map(char::escape_debug).collect();
    if piece.chars().nth(MAX_QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pieces_are_cut() {
        assert_eq!(quoted(&"9".repeat(1000)), format!("`{}…`", "9".repeat(32)));
    }
}

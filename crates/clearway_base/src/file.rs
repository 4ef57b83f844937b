//! Files as all readers find them: which format a name stands for, bytes of limited size, pieces of them in messages.
//!
//! Errors do not name the file yet: whoever was given the path adds it with [`Error::in_file`].

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, ErrorKind, Result};

/// The number of files that this process has begun to write; it makes temporary names unique.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

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

/// Refuses all but regular files and links to them. Devices never end, and to open a pipe may wait for ever.
pub fn check_regular(path: &Path, wanted: &str) -> Result<()> {
    fs::metadata(path).map_err(|error| unreadable(&error)).and_then(|metadata| size(&metadata, wanted))?;
    Ok(())
}

/// Reads a whole regular file of limited size. Reads no more bytes than the file system announces.
pub fn read(path: &Path, wanted: &str, max_bytes: u64) -> Result<Vec<u8>> {
    let (file, announced) = open(path, wanted)?;
    check_size(announced, max_bytes)?;
    // One byte more tells that the file grows, or that it lies on a file system that announces nothing.
    let bytes = read_at_most(file, announced.saturating_add(1))?;
    if bytes.len() as u64 > announced {
        let message = format!(
            "has more than the {announced} bytes that are announced; if it is still being written, try again later, \
             otherwise copy it to a regular file first"
        );
        return Err(Error::new(ErrorKind::Io, message));
    }
    Ok(bytes)
}

/// Reads the first `wanted_bytes` of a regular file, or all of it if it is shorter; at most `max_bytes`.
pub fn read_start(path: &Path, wanted: &str, wanted_bytes: u64, max_bytes: u64) -> Result<Vec<u8>> {
    let (file, announced) = open(path, wanted)?;
    let bytes = announced.min(wanted_bytes);
    check_size(bytes, max_bytes)?;
    read_at_most(file, bytes)
}

/// Reads a regular file of limited size as UTF-8.
pub fn read_text(path: &Path, wanted: &str, max_bytes: u64) -> Result<String> {
    text(read(path, wanted, max_bytes)?)
}

/// Reads a regular file of limited size as UTF-8; it must not be empty.
pub fn read_filled_text(path: &Path, wanted: &str, max_bytes: u64) -> Result<String> {
    text(read_filled(path, wanted, max_bytes)?)
}

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| not_text(&error.utf8_error()))
}

/// The bytes of a file as UTF-8.
pub fn as_text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| not_text(&error))
}

fn not_text(error: &std::str::Utf8Error) -> Error {
    let offset = error.valid_up_to();
    Error::new(ErrorKind::Syntax, format!("not UTF-8 text: the first bad byte is at offset {offset}"))
}

/// Opens a regular file, and tells how many bytes it announces.
fn open(path: &Path, wanted: &str) -> Result<(File, u64)> {
    // What it is, is asked before it is opened: a pipe without a writer would never open.
    check_regular(path, wanted)?;
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let metadata = file.metadata().map_err(|error| unreadable(&error))?;
    let announced = size(&metadata, wanted)?;
    Ok((file, announced))
}

/// How many bytes a regular file announces; everything else is refused as not what is `wanted`.
fn size(metadata: &Metadata, wanted: &str) -> Result<u64> {
    let refuse = |message: String| Err(Error::new(ErrorKind::Io, message));
    match metadata.file_type() {
        kind if kind.is_file() => Ok(metadata.len()),
        kind if kind.is_dir() => refuse(format!("is a directory, not a {wanted}")),
        kind => {
            let name = irregular(kind);
            refuse(format!("is a {name}, not a {wanted}; write what it gives to a regular file first"))
        }
    }
}

/// What a file is that is neither regular nor a directory.
#[cfg(unix)]
fn irregular(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => "pipe",
        () if kind.is_socket() => "socket",
        () => "device",
    }
}

/// What a file is that is neither regular nor a directory.
#[cfg(not(unix))]
fn irregular(_: FileType) -> &'static str {
    "device or pipe"
}

fn read_at_most(file: File, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// Writes a file so that it is complete or as it was: a temporary file beside it, which is renamed, and removed after a
/// failure.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
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
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let name = format!(".{}.{}.{count}.tmp", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(name))
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

    /// Links to endless devices were read up to the limit of 4 GiB before they were refused.
    #[cfg(unix)]
    #[test]
    fn only_regular_files_and_links_to_them_are_read() {
        use std::os::unix::fs::symlink;
        let scratch = clearway_scenes::Scratch::new("file_regular");
        let file = scratch.write("file", b"some text");
        for (name, to) in [("link", file.as_path()), ("zero", Path::new("/dev/zero"))] {
            let _ = fs::remove_file(scratch.path(name));
            symlink(to, scratch.path(name)).unwrap();
        }
        assert_eq!(read(&scratch.path("link"), "file", 9).unwrap(), b"some text");
        assert_eq!(read_text(&scratch.path("link"), "file", 9).unwrap(), "some text");
        assert_eq!(read(&file, "file", 8).unwrap_err().kind(), ErrorKind::TooLarge);
        let expected = "is a device, not a file; write what it gives to a regular file first";
        for error in [
            read(&scratch.path("zero"), "file", 1 << 32).unwrap_err(),
            read_start(&scratch.path("zero"), "file", 60, 1 << 32).unwrap_err(),
            check_regular(&scratch.path("zero"), "file").unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Io, expected));
        }
        let error = read(scratch.folder(), "file", 9).unwrap_err();
        assert_eq!(error.to_string(), "is a directory, not a file");
    }

    #[test]
    fn no_more_than_the_wanted_start_is_read() {
        let scratch = clearway_scenes::Scratch::new("file_start");
        let file = scratch.write("file", b"0123456789");
        assert_eq!(read_start(&file, "file", 4, 4).unwrap(), b"0123");
        assert_eq!(read_start(&file, "file", 99, 10).unwrap(), b"0123456789");
        let error = read_start(&file, "file", u64::MAX, 9).unwrap_err();
        assert_eq!(error.to_string(), "the file has 10 bytes or more; the limit is 9");
    }

    /// Some files announce no bytes and never end.
    #[cfg(target_os = "linux")]
    #[test]
    fn files_that_hold_more_than_they_announce_are_refused() {
        let error = read(Path::new("/proc/self/status"), "file", 1 << 32).unwrap_err();
        assert!(error.to_string().starts_with("has more than the 0 bytes that are announced"), "{error}");
    }
}

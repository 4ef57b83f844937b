//! Reads entries of zip files: stored or deflated, of limited size.
//!
//! The directory at the end of the file says where each entry lies. Sizes that it announces are not believed: an entry
//! is inflated up to a limit.

use clearway_base::error::{Error, ErrorKind, Result};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// The most entries of a zip file.
const MAX_ENTRIES: usize = 1000;

/// The size of the record that ends a zip file, in bytes, without its comment.
const END_BYTES: usize = 22;

/// An entry of a zip file.
struct Entry<'a> {
    /// Its name with folders.
    name: &'a [u8],
    /// 0 if it is stored, 8 if it is deflated.
    method: usize,
    /// The number of bytes in the file.
    packed: usize,
    /// The offset of its header.
    header: usize,
    /// The check sum of its bytes.
    sum: usize,
}

/// Returns the bytes of the entry with a name, in any folder; `None` if there is none. An entry that has more than
/// `limit` bytes is refused.
pub fn entry(bytes: &[u8], name: &str, limit: usize) -> Result<Option<Vec<u8>>> {
    for entry in entries(bytes)? {
        let base = entry.name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        if base == name.as_bytes() && !entry.name.starts_with(b"__MACOSX") {
            return unpack(bytes, &entry, limit).map(Some).map_err(|error| error.in_file(name));
        }
    }
    Ok(None)
}

/// Returns all entries of the directory.
fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>> {
    let end = end_of(bytes).ok_or_else(|| bad("is not a zip file, or its end is missing"))?;
    let count = number(bytes, end + 10, 2)?;
    if count > MAX_ENTRIES {
        return Err(Error::new(
            ErrorKind::TooLarge,
            format!("has {count} entries; the limit is {MAX_ENTRIES}"),
        ));
    }
    let mut at = number(bytes, end + 16, 4)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        if number(bytes, at, 4)? != 0x0201_4b50 {
            return Err(bad("the directory of the zip file is damaged"));
        }
        let [name, extra, comment] =
            [number(bytes, at + 28, 2)?, number(bytes, at + 30, 2)?, number(bytes, at + 32, 2)?];
        entries.push(Entry {
            name: piece(bytes, at + 46, name)?,
            method: number(bytes, at + 10, 2)?,
            packed: number(bytes, at + 20, 4)?,
            header: number(bytes, at + 42, 4)?,
            sum: number(bytes, at + 16, 4)?,
        });
        at += 46 + name + extra + comment;
    }
    Ok(entries)
}

/// Returns the offset of the record that ends the file. A comment of up to 65,535 bytes may follow it.
fn end_of(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_BYTES)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|at| bytes[*at..].starts_with(b"PK\x05\x06"))
}

/// Inflates an entry.
fn unpack(bytes: &[u8], entry: &Entry<'_>, limit: usize) -> Result<Vec<u8>> {
    if number(bytes, entry.header, 4)? != 0x0403_4b50 {
        return Err(bad("its header in the zip file is damaged"));
    }
    if number(bytes, entry.header + 6, 2)? & 1 != 0 {
        return Err(Error::new(ErrorKind::Unsupported, "is encrypted"));
    }
    let [name, extra] = [number(bytes, entry.header + 26, 2)?, number(bytes, entry.header + 28, 2)?];
    let packed = piece(bytes, entry.header + 30 + name + extra, entry.packed)?;
    let too_large = || Error::new(ErrorKind::TooLarge, format!("has more than {limit} bytes"));
    let unpacked = match entry.method {
        0 if packed.len() > limit => Err(too_large()),
        0 => Ok(packed.to_vec()),
        8 => decompress_to_vec_with_limit(packed, limit).map_err(|error| match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => too_large(),
            _ => bad("its deflated bytes are damaged"),
        }),
        method => Err(Error::new(
            ErrorKind::Unsupported,
            format!("is packed by method {method}; only 0 and 8 are read"),
        )),
    }?;
    if check_sum(&unpacked) as usize != entry.sum {
        return Err(bad("its bytes are damaged: the check sum differs"));
    }
    Ok(unpacked)
}

/// Returns the check sum of bytes, the CRC-32 of zip files, bit by bit.
fn check_sum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        (0..8).fold(sum ^ u32::from(*byte), step)
    })
}

/// Returns a number of up to four bytes, the least first.
fn number(bytes: &[u8], at: usize, length: usize) -> Result<usize> {
    Ok(piece(bytes, at, length)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// Returns a piece of the file.
fn piece(bytes: &[u8], at: usize, length: usize) -> Result<&[u8]> {
    at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or_else(|| bad("the zip file is cut off"))
}

/// Makes an error about the bytes.
fn bad(message: &str) -> Error {
    Error::new(ErrorKind::Syntax, message)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Makes a zip file of entries, each deflated.
    pub fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut file, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in entries {
            let packed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
            let [length, full, place] =
                [packed.len(), bytes.len(), file.len()].map(|n| (n as u32).to_le_bytes());
            let name_length = (name.len() as u16).to_le_bytes();
            let middle = [
                &[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..],
                &check_sum(bytes).to_le_bytes(),
                &length,
                &full,
                &name_length,
                &[0, 0],
            ]
            .concat();
            file.extend([b"PK\x03\x04", &middle[..], name.as_bytes(), &packed].concat());
            let tail = [&[0; 10][..], &place].concat();
            directory.extend([b"PK\x01\x02\x14\x00", &middle[..], &tail, name.as_bytes()].concat());
        }
        let count = (entries.len() as u16).to_le_bytes();
        let [size, at] = [directory.len(), file.len()].map(|n| (n as u32).to_le_bytes());
        let end = [&b"PK\x05\x06"[..], &[0; 4], &count, &count, &size, &at, &[0, 0]].concat();
        [file, directory, end].concat()
    }

    #[test]
    fn entries_are_found_in_folders() {
        let long = b"abc".repeat(1000);
        let zip = zipped(&[("a/config.json", b"{}"), ("a/geometry.wkt", &long)]);
        assert_eq!(entry(&zip, "config.json", 10).unwrap().unwrap(), b"{}");
        assert_eq!(entry(&zip, "geometry.wkt", 3000).unwrap().unwrap(), long);
        assert!(entry(&zip, "other", 10).unwrap().is_none());
        let error = entry(&zip, "geometry.wkt", 2999).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::TooLarge, "geometry.wkt: has more than 2999 bytes")
        );
    }

    #[test]
    fn check_sums_are_those_of_zip() {
        assert_eq!(check_sum(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn damaged_files_are_refused_without_a_panic() {
        let zip = zipped(&[("config.json", b"some text that is not too short"), ("b", b"")]);
        for length in 0..zip.len() {
            assert!(entry(&zip[..length], "config.json", 100).is_err(), "{length}");
        }
        for at in 0..zip.len() {
            let mut spoiled = zip.clone();
            spoiled[at] ^= 0xff;
            if let Ok(Some(bytes)) = entry(&spoiled, "config.json", 100) {
                assert_eq!(bytes, b"some text that is not too short", "byte {at}");
            }
        }
        assert!(entry(b"not a zip", "a", 1).unwrap_err().to_string().contains("not a zip file"));
    }
}

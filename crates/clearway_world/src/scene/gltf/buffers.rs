//! The bytes behind a glTF file: its binary chunk, data within the text, and other files.
//!
//! Buffers are fetched when something needs them, so that a missing file of pictures does no harm. Files must lie
//! below the folder of the glTF file, and no more of them is read than their buffers announce.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use super::document::{Buffer, BufferView, Document, get};
use crate::scene::MAX_FILE_BYTES;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::{self, quoted};

/// The buffers fetched so far.
pub(super) struct Buffers<'a> {
    /// The binary chunk of a `.glb` file.
    chunk: Option<&'a [u8]>,
    /// The folder of the file; `None` if no other file may be read.
    folder: Option<&'a Path>,
    /// The bytes of each buffer, once fetched.
    fetched: Vec<Option<Cow<'a, [u8]>>>,
    /// The number of bytes that may still be read from files.
    bytes_left: u64,
}

impl<'a> Buffers<'a> {
    /// No buffer is fetched yet.
    pub(super) fn new(document: &Document, chunk: Option<&'a [u8]>, folder: Option<&'a Path>) -> Buffers<'a> {
        let fetched = document.buffers.iter().map(|_| None).collect();
        Buffers { chunk, folder, fetched, bytes_left: MAX_FILE_BYTES }
    }

    /// Makes the bytes of a view available.
    pub(super) fn fetch(&mut self, document: &Document, view_number: u32) -> Result<()> {
        let view = get(&document.buffer_views, view_number, "buffer view", || "an accessor".to_string())?;
        self.fetch_buffer(document, view.buffer, &format!("buffer view {view_number}"))
    }

    /// Makes the bytes of a buffer available. `user` is what needs them, for messages.
    pub(super) fn fetch_buffer(&mut self, document: &Document, number: u32, user: &str) -> Result<()> {
        let buffer = get(&document.buffers, number, "buffer", || user.to_string())?;
        let (name, place) = (format!("buffer {number}"), number as usize);
        if self.fetched.get(place).is_none_or(Option::is_some) {
            return Ok(());
        }
        let data =
            self.read(buffer, place).map_err(|fault| Error::new(fault.kind(), format!("{name}: {fault}")))?;
        if (data.len() as u64) < buffer.byte_length {
            let message =
                format!("{name}: {} bytes are announced, {} are there", buffer.byte_length, data.len());
            return Err(Error::new(ErrorKind::Syntax, message));
        }
        self.fetched[place] = Some(data);
        Ok(())
    }

    /// Takes in plain bytes as one more buffer.
    pub(super) fn push(&mut self, bytes: Vec<u8>) {
        self.fetched.push(Some(Cow::Owned(bytes)));
    }

    /// The bytes of a view that was fetched.
    pub(super) fn view(&self, view: &BufferView, number: u32) -> Result<&[u8]> {
        let bytes = self.fetched.get(view.buffer as usize).and_then(Option::as_deref).unwrap_or_default();
        let end = view.byte_offset.checked_add(view.byte_length);
        let range = usize::try_from(view.byte_offset).ok().zip(end.and_then(|end| usize::try_from(end).ok()));
        range.and_then(|(start, end)| bytes.get(start..end)).ok_or_else(|| {
            let message = format!(
                "buffer view {number}: {} bytes from byte {} on, but buffer {} has {}",
                view.byte_length,
                view.byte_offset,
                view.buffer,
                bytes.len()
            );
            Error::new(ErrorKind::OutOfRange, message)
        })
    }

    /// Reads a buffer from wherever it lies.
    fn read(&mut self, buffer: &Buffer, place: usize) -> Result<Cow<'a, [u8]>> {
        let Some(uri) = &buffer.uri else {
            // Only the first buffer may lie in the binary chunk, as the format demands.
            let chunk = self.chunk.filter(|_| place == 0);
            let message = "it names no file, and there is no binary chunk for it";
            return chunk.map(Cow::Borrowed).ok_or_else(|| Error::new(ErrorKind::Syntax, message));
        };
        if let Some(data) = uri.strip_prefix("data:") {
            return decode_data(data).map(Cow::Owned);
        }
        let Some(folder) = self.folder else {
            let message = format!("its bytes are in the file {}, which is not at hand", quoted(uri));
            return Err(Error::new(ErrorKind::Unsupported, message));
        };
        let path = folder.join(relative_path(uri)?);
        let bytes = file::read_start(&path, "file", buffer.byte_length, self.bytes_left)
            .map_err(|fault| Error::new(fault.kind(), format!("the file {}: {fault}", quoted(uri))))?;
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        Ok(Cow::Owned(bytes))
    }
}

/// The path of a file below the folder, or an error if it leads out of the folder.
fn relative_path(uri: &str) -> Result<PathBuf> {
    let refuse =
        |why: &str| Err(Error::new(ErrorKind::Unsupported, format!("the address {} {why}", quoted(uri))));
    if uri.contains(':') {
        return refuse("is not a path beside the file");
    }
    let Some(decoded) = decode_percent(uri) else { return refuse("is not well written") };
    // A backslash separates folders on some systems, so it is refused on all.
    let path = PathBuf::from(&decoded);
    let is_inside = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_inside || decoded.contains(['\\', ':', '\0']) {
        return refuse("leaves the folder of the file");
    }
    Ok(path)
}

/// Decodes `%20` and the like; `None` if that is not valid text.
fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = after else { return None };
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        bytes.push(u8::try_from(16 * digit(high)? + digit(low)?).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// Decodes the text after `data:`.
fn decode_data(data: &str) -> Result<Vec<u8>> {
    let refuse = |kind, message: String| Err(Error::new(kind, message));
    let Some((kind, content)) = data.split_once(',') else {
        return refuse(ErrorKind::Syntax, "its data has no comma".to_string());
    };
    if !kind.ends_with(";base64") {
        return refuse(ErrorKind::Unsupported, "its data is not written in base64".to_string());
    }
    decode_base64(content)
        .or_else(|offset| refuse(ErrorKind::Syntax, format!("its base64 is damaged at byte {offset}")))
}

/// Decodes base64: four letters hold three bytes. The error is the index of the damaged letter.
fn decode_base64(text: &str) -> std::result::Result<Vec<u8>, usize> {
    let content = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(content.len() / 4 * 3 + 3);
    for (number, group) in content.as_bytes().chunks(4).enumerate() {
        let mut word = 0_u32;
        for (position, letter) in group.iter().enumerate() {
            word = word << 6 | letter_value(*letter).ok_or(4 * number + position)?;
        }
        // A last group of one letter holds no byte.
        if group.len() == 1 {
            return Err(4 * number);
        }
        word <<= 6 * (4 - group.len());
        bytes.extend(&word.to_be_bytes()[1..group.len()]);
    }
    Ok(bytes)
}

/// The six bits that a letter stands for.
fn letter_value(letter: u8) -> Option<u32> {
    let value = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        let cases: [(&str, &[u8]); 6] = [
            ("", b""),
            ("TQ==", b"M"),
            ("TWE=", b"Ma"),
            ("TWFu", b"Man"),
            ("TWFuTQ", b"ManM"),
            ("+/-_", &[0xfb, 0xff, 0xbf]),
        ];
        for (text, bytes) in cases {
            assert_eq!(decode_base64(text).as_deref(), Ok(bytes), "{text}");
        }
        assert_eq!((decode_base64("TWFuT"), decode_base64("TW u")), (Err(4), Err(2)));
    }

    #[test]
    fn addresses_stay_in_the_folder() {
        for (uri, path) in [("a.bin", "a.bin"), ("./b/a%20c.bin", "./b/a c.bin"), ("%C3%BC.bin", "ü.bin")] {
            assert_eq!(relative_path(uri), Ok(PathBuf::from(path)), "{uri}");
        }
        for uri in [
            "/etc/passwd",
            "../a.bin",
            "b/../../a.bin",
            "%2e%2e/a.bin",
            "a\\b.bin",
            "%00",
            "a/..",
            "%5c%5cserver",
        ] {
            let error = relative_path(uri).unwrap_err().to_string();
            assert!(error.ends_with("leaves the folder of the file"), "{error}");
        }
        for uri in ["http://a.example/b.bin", "file:///a.bin", "c:a.bin", "%zz", "%4"] {
            assert_eq!(relative_path(uri).unwrap_err().kind(), ErrorKind::Unsupported, "{uri}");
        }
    }
}

//! The frame of a `.glb` file: a header, the JSON, and one chunk of bytes.

use clearway_base::error::{Error, ErrorKind, Result};

/// The first bytes of a `.glb` file.
const MAGIC: &[u8] = b"glTF";
/// The kind of the chunk with the JSON: the letters `JSON`, low byte first.
const JSON_CHUNK: u32 = 0x4e4f_534a;
/// The kind of the chunk with bytes: the letters `BIN` and a zero, low byte first.
const BINARY_CHUNK: u32 = 0x004e_4942;

/// The JSON of a file, and its binary chunk if it has one.
pub(super) struct Container<'a> {
    /// The text.
    pub(super) json: &'a [u8],
    /// The binary chunk.
    pub(super) chunk: Option<&'a [u8]>,
}

impl<'a> Container<'a> {
    /// Reads the frame; bytes without one are JSON, whatever the file's extension says.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Container<'a>> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Ok(Container { json: bytes, chunk: None });
        };
        let (version, rest) = take_word(rest).ok_or_else(|| truncated("its header"))?;
        let (length, _) = take_word(rest).ok_or_else(|| truncated("its header"))?;
        if version != 2 {
            let message = format!("binary glTF version {version}; only version 2 is read");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let there = bytes.len();
        let message = || format!("the header announces {length} bytes, there are {there}");
        let whole = bytes.get(..length as usize).ok_or_else(|| Error::new(ErrorKind::Syntax, message()))?;
        let rest = whole.get(12..).ok_or_else(|| truncated("its header"))?;
        let (kind, json, rest) = take_chunk(rest)?.ok_or_else(|| truncated("its JSON"))?;
        if kind != JSON_CHUNK {
            return Err(Error::new(ErrorKind::Syntax, "the first chunk of the file is not JSON"));
        }
        let chunk = take_chunk(rest)?.filter(|(kind, ..)| *kind == BINARY_CHUNK).map(|(_, chunk, _)| chunk);
        Ok(Container { json, chunk })
    }
}

/// The kind and the content of a chunk, and the bytes after it.
type Chunk<'a> = (u32, &'a [u8], &'a [u8]);

/// The next chunk; `None` at the end.
fn take_chunk(bytes: &[u8]) -> Result<Option<Chunk<'_>>> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let (length, rest) = take_word(bytes).ok_or_else(|| truncated("a chunk"))?;
    let (kind, rest) = take_word(rest).ok_or_else(|| truncated("a chunk"))?;
    let split = rest.split_at_checked(length as usize);
    let message = || format!("a chunk announces {length} bytes, there are {}", rest.len());
    let (content, rest) = split.ok_or_else(|| Error::new(ErrorKind::Syntax, message()))?;
    Ok(Some((kind, content, rest)))
}

/// A little-endian number, and the bytes after it.
fn take_word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}

/// The error for a file that ends too early.
fn truncated(what: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("the file ends within {what}"))
}

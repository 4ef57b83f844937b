//! The numbers of a PLY file, one after the other, whatever their encoding.

use std::str::SplitAsciiWhitespace;

use super::header::{Encoding, Kind};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The numbers that are still to be read. All types of numbers fit into a double.
pub(super) enum Numbers<'a> {
    /// Words that remain.
    Text(SplitAsciiWhitespace<'a>),
    /// Bytes that remain, and their order.
    Binary { rest: &'a [u8], is_big: bool },
}

impl<'a> Numbers<'a> {
    /// Starts at the first row.
    pub(super) fn new(encoding: Encoding, bytes: &'a [u8]) -> Result<Numbers<'a>> {
        if encoding != Encoding::Text {
            return Ok(Numbers::Binary { rest: bytes, is_big: encoding == Encoding::Big });
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let offset = error.valid_up_to();
            Error::new(
                ErrorKind::Syntax,
                format!("not text: the first bad byte is {offset} bytes after the header"),
            )
        })?;
        Ok(Numbers::Text(text.split_ascii_whitespace()))
    }

    /// The next number, or the reason why there is none.
    pub(super) fn next(&mut self, kind: Kind) -> std::result::Result<f64, String> {
        let ends = || "the file ends here".to_string();
        match self {
            Numbers::Text(words) => {
                let word = words.next().ok_or_else(ends)?;
                word.parse().map_err(|_| format!("expected a number, found {}", quoted(word)))
            }
            Numbers::Binary { rest, is_big } => take(rest, kind, *is_big).ok_or_else(ends),
        }
    }
}

/// Takes a number off the front of some bytes.
fn take(rest: &mut &[u8], kind: Kind, is_big: bool) -> Option<f64> {
    fn bytes<const N: usize>(rest: &mut &[u8], is_big: bool) -> Option<[u8; N]> {
        let (first, others) = rest.split_first_chunk::<N>()?;
        *rest = others;
        let mut bytes = *first;
        if is_big {
            bytes.reverse();
        }
        Some(bytes)
    }
    Some(match kind {
        Kind::I8 => f64::from(i8::from_le_bytes(bytes(rest, is_big)?)),
        Kind::U8 => f64::from(u8::from_le_bytes(bytes(rest, is_big)?)),
        Kind::I16 => f64::from(i16::from_le_bytes(bytes(rest, is_big)?)),
        Kind::U16 => f64::from(u16::from_le_bytes(bytes(rest, is_big)?)),
        Kind::I32 => f64::from(i32::from_le_bytes(bytes(rest, is_big)?)),
        Kind::U32 => f64::from(u32::from_le_bytes(bytes(rest, is_big)?)),
        Kind::F32 => f64::from(f32::from_le_bytes(bytes(rest, is_big)?)),
        Kind::F64 => f64::from_le_bytes(bytes(rest, is_big)?),
    })
}

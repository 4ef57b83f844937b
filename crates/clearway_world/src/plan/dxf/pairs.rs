//! The pairs of a DXF file: a group code that tells the type, and a value; as lines of text or in binary.
//!
//! Text is read whatever its encoding: bytes that are not UTF-8 are taken for Latin-1. Cost: linear; nothing is copied.

use clearway_base::error::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// The start of a binary file.
const BINARY: &[u8] = b"AutoCAD Binary DXF\r\n\x1a\0";

/// The value of a pair, not interpreted yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// Text, or a number written as text.
    Text(&'a [u8]),
    /// A number of a binary file.
    Real(f64),
    /// A whole number of a binary file.
    Int(i64),
}

/// A group code with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair<'a> {
    /// The group code.
    pub(super) code: i32,
    /// The value.
    pub(super) value: Value<'a>,
    /// The line of the value in a text file, or the offset of the pair in a binary one.
    pub(super) at: usize,
}

impl<'a> Pair<'a> {
    /// The value as a number; damaged numbers are an error that names the place.
    pub(super) fn real(&self) -> Result<f64> {
        match self.value {
            Value::Real(value) => Ok(value),
            Value::Int(value) => Ok(value as f64),
            Value::Text(bytes) => {
                let text = std::str::from_utf8(bytes).unwrap_or_default().trim();
                // Some programs write a comma.
                text.parse().or_else(|_| text.replace(',', ".").parse()).map_err(|_| {
                    let text: String = text.chars().take(32).collect();
                    Error::new(
                        ErrorKind::Syntax,
                        format!(
                            "line {}: expected a number for group code {}, found `{text}`",
                            self.at, self.code
                        ),
                    )
                })
            }
        }
    }

    /// The value as a whole number; 0 where it is none.
    pub(super) fn int(&self) -> i64 {
        match self.value {
            Value::Int(value) => value,
            Value::Real(value) => value as i64,
            Value::Text(bytes) => {
                std::str::from_utf8(bytes).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
            }
        }
    }

    /// The value as text.
    pub(super) fn text(&self) -> Cow<'a, str> {
        let Value::Text(bytes) = self.value else { return Cow::Borrowed("") };
        match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains("\\U+") => Cow::Borrowed(text.trim()),
            Ok(text) => Cow::Owned(unescaped(text.trim())),
            Err(_) => {
                Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect::<String>().trim().to_string())
            }
        }
    }

    /// True if the pair starts an entity, a table or a section of this name.
    pub(super) fn is(&self, code: i32, name: &str) -> bool {
        self.code == code && matches!(self.value, Value::Text(bytes) if bytes.trim_ascii() == name.as_bytes())
    }
}

/// Replaces `\U+00E4` by the letter that it stands for.
fn unescaped(text: &str) -> String {
    let mut pieces = text.split("\\U+");
    let mut plain = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let digits =
            piece.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
        match digits {
            Some(letter) => {
                plain.push(letter);
                plain.push_str(piece.get(4..).unwrap_or_default());
            }
            None => {
                plain.push_str("\\U+");
                plain.push_str(piece);
            }
        }
    }
    plain
}

/// All pairs of a file, one after the other.
pub(super) struct Pairs<'a> {
    /// The bytes that are left.
    rest: &'a [u8],
    /// The number of lines or bytes read.
    at: usize,
    /// The form of the file.
    form: PairForm,
}

/// The form of the pairs.
#[derive(Clone, Copy, PartialEq)]
enum PairForm {
    /// Lines of text.
    Text,
    /// Binary with group codes of one byte, as up to release 12.
    Short,
    /// Binary with group codes of two bytes.
    Long,
}

impl<'a> Pairs<'a> {
    /// Starts at the beginning of a file.
    pub(super) fn new(bytes: &'a [u8]) -> Pairs<'a> {
        let Some(rest) = bytes.strip_prefix(BINARY) else {
            let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            return Pairs { rest, at: 0, form: PairForm::Text };
        };
        // The first group code is 0: in two bytes both are 0.
        let form = if rest.get(1) == Some(&0) { PairForm::Long } else { PairForm::Short };
        Pairs { rest, at: BINARY.len(), form }
    }

    /// The next pair; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Pair<'a>>> {
        if self.form == PairForm::Text { self.next_text() } else { self.next_binary() }
    }

    /// The next two lines.
    fn next_text(&mut self) -> Result<Option<Pair<'a>>> {
        let code = loop {
            match self.line() {
                None => return Ok(None),
                // Empty lines at the end of a file are no pairs.
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) => break line,
            }
        };
        let parsed = std::str::from_utf8(code).ok().and_then(|text| text.trim().parse().ok());
        let Some(code) = parsed else {
            let text: String = String::from_utf8_lossy(code).trim().chars().take(32).collect();
            let message = format!("line {}: expected a group code, found `{text}`", self.at);
            return Err(Error::new(ErrorKind::Syntax, message));
        };
        let Some(value) = self.line() else { return Ok(None) };
        Ok(Some(Pair { code, value: Value::Text(value), at: self.at }))
    }

    /// The next line without its end.
    fn line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let line = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = &self.rest[end.map_or(self.rest.len(), |end| end + 1)..];
        self.at += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next binary pair.
    fn next_binary(&mut self) -> Result<Option<Pair<'a>>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let at = self.at;
        let code = match (self.form, self.rest[0]) {
            (PairForm::Short, code) if code < 255 => i32::from(self.take::<1>()?[0]),
            (PairForm::Short, _) => {
                self.take::<1>()?;
                i32::from(i16::from_le_bytes(self.take()?))
            }
            _ => i32::from(i16::from_le_bytes(self.take()?)),
        };
        let value = match kind_of(code) {
            Kind::Real => Value::Real(f64::from_le_bytes(self.take()?)),
            Kind::Byte => Value::Int(i64::from(self.take::<1>()?[0])),
            Kind::Int16 => Value::Int(i64::from(i16::from_le_bytes(self.take()?))),
            Kind::Int32 => Value::Int(i64::from(i32::from_le_bytes(self.take()?))),
            Kind::Int64 => Value::Int(i64::from_le_bytes(self.take()?)),
            Kind::Chunk => {
                let length = usize::from(self.take::<1>()?[0]);
                self.skip(length)?;
                Value::Text(b"")
            }
            Kind::Text => {
                let Some(length) = self.rest.iter().position(|byte| *byte == 0) else {
                    return Err(self.cut_off());
                };
                let text = &self.rest[..length];
                self.skip(length + 1)?;
                Value::Text(text)
            }
        };
        Ok(Some(Pair { code, value, at }))
    }

    /// Takes some bytes.
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else { return Err(self.cut_off()) };
        self.rest = rest;
        self.at += N;
        Ok(*taken)
    }

    /// Leaves some bytes out.
    fn skip(&mut self, count: usize) -> Result<()> {
        let Some(rest) = self.rest.get(count..) else { return Err(self.cut_off()) };
        self.rest = rest;
        self.at += count;
        Ok(())
    }

    /// The error for a binary file that ends within a pair.
    fn cut_off(&self) -> Error {
        Error::new(ErrorKind::Syntax, format!("byte {}: the file ends within a value", self.at))
    }
}

/// The type of a value in a binary file.
enum Kind {
    Text,
    Real,
    Byte,
    Int16,
    Int32,
    Int64,
    /// Bytes after their number.
    Chunk,
}

/// The type of the values of a group code.
fn kind_of(code: i32) -> Kind {
    match code {
        10..=59 | 110..=149 | 210..=239 | 460..=469 | 1010..=1059 => Kind::Real,
        60..=79 | 170..=179 | 270..=289 | 370..=389 | 400..=409 | 1060..=1070 => Kind::Int16,
        90..=99 | 420..=429 | 440..=459 | 1071 => Kind::Int32,
        160..=169 => Kind::Int64,
        290..=299 => Kind::Byte,
        310..=319 | 1004 => Kind::Chunk,
        _ => Kind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<(i32, String)> {
        let mut pairs = Pairs::new(bytes);
        let mut list = Vec::new();
        while let Some(pair) = pairs.next().unwrap() {
            let text = match pair.value {
                Value::Text(_) => pair.text().into_owned(),
                Value::Real(value) => value.to_string(),
                Value::Int(value) => value.to_string(),
            };
            list.push((pair.code, text));
        }
        list
    }

    #[test]
    fn lines_of_text_are_paired() {
        let text = b"  0\r\nSECTION\r\n  8\r\nT\xfcr\r\n  8\n\\U+00C4b\n 10\n 1.5 \n\n";
        let pairs =
            [(0, "SECTION"), (8, "Tür"), (8, "Äb"), (10, "1.5")].map(|(code, text)| (code, text.to_string()));
        assert_eq!(all(text), pairs);
    }

    #[test]
    fn both_binary_forms_are_read() {
        let real = 2.5_f64.to_le_bytes();
        let long =
            [BINARY, b"\0\0SECTION\0\x0a\0", &real, b"\x46\0\x07\0\x5a\0\x01\0\0\0", b"\x36\x01\x02ab"]
                .concat();
        let expected = [(0, "SECTION"), (10, "2.5"), (70, "7"), (90, "1"), (310, "")]
            .map(|(code, text)| (code, text.to_string()));
        assert_eq!(all(&long), expected);
        let short = [BINARY, b"\0SECTION\0\x0a", &real, b"\x46\x07\0\xff\x2f\x04\x05\0\0\0"].concat();
        let expected = [(0, "SECTION"), (10, "2.5"), (70, "7"), (1071, "5")]
            .map(|(code, text)| (code, text.to_string()));
        assert_eq!(all(&short), expected);
    }

    #[test]
    fn damaged_pairs_are_named() {
        let error = Pairs::new(b"x\n1\n").next().unwrap_err();
        assert_eq!(error.to_string(), "line 1: expected a group code, found `x`");
        let pair = Pairs::new(b"10\nabc\n").next().unwrap().unwrap();
        let error = pair.real().unwrap_err();
        assert_eq!(error.to_string(), "line 2: expected a number for group code 10, found `abc`");
        let cut = [BINARY, b"\0\0SECT"].concat();
        assert!(Pairs::new(&cut).next().unwrap_err().to_string().ends_with("the file ends within a value"));
    }
}

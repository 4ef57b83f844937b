//! The header of a PLY file: which elements follow, and what each row of them holds.

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// A header longer than this is not one.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Little,
    Big,
}

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

/// One number, or a list: the type of its length and of its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    One(Kind),
    List(Kind, Kind),
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) shape: Shape,
}

/// A table of rows that all hold the same properties.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) properties: Vec<Property>,
    count: u64,
}

impl Element {
    /// The numbers of its rows; rows without properties leave no trace and are not counted through.
    pub(super) fn rows(&self) -> std::ops::Range<u64> {
        0..if self.properties.is_empty() { 0 } else { self.count }
    }

    /// An error that names a row.
    pub(super) fn error(&self, row: u64, (kind, fault): (ErrorKind, String)) -> Error {
        Error::new(kind, format!("{} {row} of {}: {fault}", self.name, self.count))
    }
}

#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Where the rows begin.
    pub(super) size: usize,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Header> {
        let probed = &bytes[..bytes.len().min(MAX_HEADER_BYTES)];
        if !probed.starts_with(b"ply") {
            return Err(Error::new(ErrorKind::Syntax, "a PLY file begins with `ply`"));
        }
        let mut encoding = None;
        let mut header = Header { encoding: Encoding::Text, elements: Vec::new(), size: 0 };
        for (number, line) in (1..).zip(probed.split_inclusive(|byte| *byte == b'\n')) {
            header.size += line.len();
            let text = String::from_utf8_lossy(line);
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let error =
                |(kind, fault): (ErrorKind, String)| Error::new(kind, format!("line {number}: {fault}"));
            match words.as_slice() {
                ["end_header"] if line.ends_with(b"\n") => {
                    let message = "the header has no line `format`";
                    header.encoding = encoding.ok_or_else(|| Error::new(ErrorKind::Syntax, message))?;
                    return Ok(header);
                }
                ["format", name, ..] => encoding = Some(read_encoding(name).map_err(error)?),
                words => header.read_line(words).map_err(error)?,
            }
        }
        let message = format!("the header does not end within {} bytes", probed.len());
        Err(Error::new(ErrorKind::Syntax, message))
    }

    fn read_line(&mut self, words: &[&str]) -> std::result::Result<(), (ErrorKind, String)> {
        let refuse = |fault: String| Err((ErrorKind::Syntax, fault));
        match *words {
            [] | ["ply"] | ["comment" | "obj_info", ..] => Ok(()),
            ["element", name, count] => {
                let Ok(count) = count.parse() else {
                    return refuse(format!("expected a number of rows, found {}", quoted(count)));
                };
                self.elements.push(Element { name: name.to_string(), properties: Vec::new(), count });
                Ok(())
            }
            ["property", "list", length, kind, name] => {
                let length = read_kind(length)?;
                self.add_property(name, Shape::List(length, read_kind(kind)?))
            }
            ["property", kind, name] => self.add_property(name, Shape::One(read_kind(kind)?)),
            [word, ..] => refuse(format!("a header line that is not understood: {}", quoted(word))),
        }
    }

    fn add_property(&mut self, name: &str, shape: Shape) -> std::result::Result<(), (ErrorKind, String)> {
        let Some(element) = self.elements.last_mut() else {
            return Err((ErrorKind::Syntax, "a property before the first element".to_string()));
        };
        element.properties.push(Property { name: name.to_string(), shape });
        Ok(())
    }
}

fn read_encoding(name: &str) -> std::result::Result<Encoding, (ErrorKind, String)> {
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::Little),
        "binary_big_endian" => Ok(Encoding::Big),
        _ => Err((ErrorKind::Unsupported, format!("the encoding {} is not known", quoted(name)))),
    }
}

fn read_kind(name: &str) -> std::result::Result<Kind, (ErrorKind, String)> {
    match name {
        "char" | "int8" => Ok(Kind::I8),
        "uchar" | "uint8" => Ok(Kind::U8),
        "short" | "int16" => Ok(Kind::I16),
        "ushort" | "uint16" => Ok(Kind::U16),
        "int" | "int32" => Ok(Kind::I32),
        "uint" | "uint32" => Ok(Kind::U32),
        "float" | "float32" => Ok(Kind::F32),
        "double" | "float64" => Ok(Kind::F64),
        _ => Err((ErrorKind::Unsupported, format!("the type {} is not known", quoted(name)))),
    }
}

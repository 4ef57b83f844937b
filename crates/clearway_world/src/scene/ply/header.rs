//! The header of a PLY file: its elements, and the properties in each row of them.

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The greatest length of a header in bytes (1 MiB). A longer one is damage; the search for its end stops there.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// The encoding of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Numbers as words.
    Text,
    /// Binary, low byte first.
    Little,
    /// Binary, high byte first.
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

/// The shape of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One number.
    One(Kind),
    /// A list: the type of its length and of its items.
    List(Kind, Kind),
}

/// One column of a table.
#[derive(Debug)]
pub(super) struct Property {
    /// Its name, such as `x` or `vertex_indices`.
    pub(super) name: String,
    /// One number or a list.
    pub(super) shape: Shape,
}

/// A table of rows that all hold the same properties.
#[derive(Debug)]
pub(super) struct Element {
    /// Its name, such as `vertex` or `face`.
    pub(super) name: String,
    /// The properties of each row, in order.
    pub(super) properties: Vec<Property>,
    /// The announced number of rows.
    count: u64,
}

impl Element {
    /// The indices of its rows. Without properties there are none, whatever was announced: such rows take no bytes.
    pub(super) fn rows(&self) -> std::ops::Range<u64> {
        0..if self.properties.is_empty() { 0 } else { self.count }
    }

    /// An error that names a row.
    pub(super) fn error(&self, row: u64, (kind, fault): (ErrorKind, String)) -> Error {
        Error::new(kind, format!("{} {row} of {}: {fault}", self.name, self.count))
    }
}

/// A header.
#[derive(Debug)]
pub(super) struct Header {
    /// The encoding of all rows.
    pub(super) encoding: Encoding,
    /// The tables in the order of the file.
    pub(super) elements: Vec<Element>,
    /// The byte at which the rows begin.
    pub(super) size: usize,
}

impl Header {
    /// Reads a header up to `end_header`.
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

    /// Reads one line, given as words.
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

    /// Adds a property to the last element.
    fn add_property(&mut self, name: &str, shape: Shape) -> std::result::Result<(), (ErrorKind, String)> {
        let Some(element) = self.elements.last_mut() else {
            return Err((ErrorKind::Syntax, "a property before the first element".to_string()));
        };
        element.properties.push(Property { name: name.to_string(), shape });
        Ok(())
    }
}

/// The encoding with a name of the format.
fn read_encoding(name: &str) -> std::result::Result<Encoding, (ErrorKind, String)> {
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::Little),
        "binary_big_endian" => Ok(Encoding::Big),
        _ => Err((ErrorKind::Unsupported, format!("the encoding {} is not known", quoted(name)))),
    }
}

/// The type of number with a name of the format; several names are synonyms.
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

//! Links in a file: TOML, one `[[link]]` each.
//!
//! ```toml
//! [[link]]
//! name = "lift A"           # needed; no two links have the same
//! kind = "lift"             # needed: lift, ladder, jump, drop, door, teleport, or a name of your own
//! from = [2.0, 0.0, -3.5]   # needed: x, y, z in the world, +Y up; x, y for the mesh of a plan
//! to = [2.0, 3.0, -3.5]     # needed
//! cost = 12.5               # in metres of walking; the length in space if left out
//! both_ways = true          # true if left out, but for drops
//! max_radius = 0.6          # of the largest body that can take it; any if left out
//! ```

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::lines::Lines;
use clearway_base::names::shown;
use clearway_nav::mesh::{Link, LinkKind, MAX_LINKS};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest file of links that is read, in bytes (16 MiB). A file with the most links that a mesh may have is
/// usually far smaller.
pub const MAX_LINK_FILE_BYTES: u64 = 16 << 20;

/// The names of all fields of a link. Any other name in a file is an error, so that typing errors do not go unnoticed.
const FIELDS: [&str; 7] = ["name", "kind", "from", "to", "cost", "both_ways", "max_radius"];

/// Returns the path of the links that belong to a scene or plan: `town.links.toml` beside `town.glb`.
pub fn links_beside(scene: impl AsRef<Path>) -> PathBuf {
    scene.as_ref().with_extension("links.toml")
}

/// Reads the links of a file. Every error names the file.
pub fn load_links(path: impl AsRef<Path>) -> Result<Vec<Link>> {
    load(path.as_ref(), false)
}

/// As [`load_links`], for a scene: points need all three coordinates, since two would count as a point of a plan.
pub fn load_links_in_space(path: impl AsRef<Path>) -> Result<Vec<Link>> {
    load(path.as_ref(), true)
}

/// Reads a file. With `in_space`, points need three coordinates.
fn load(path: &Path, in_space: bool) -> Result<Vec<Link>> {
    let read = || {
        let text = clearway_base::file::read_text(path, "file of links", MAX_LINK_FILE_BYTES)?;
        parse(&text, in_space)
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads links from the text of a file. Errors name the line, the link (counted from 0) and the field.
///
/// ```
/// let text = "[[link]]\nname = 'lift A'\nkind = 'lift'\nfrom = [0, 0, 0]\nto = [0, 3, 0]\ncost = 9";
/// let links = clearway::links::parse_links(text)?;
/// assert_eq!((links[0].name.as_str(), links[0].both_ways), ("lift A", true));
/// # Ok::<(), clearway::Error>(())
/// ```
pub fn parse_links(text: &str) -> Result<Vec<Link>> {
    parse(text, false)
}

/// Parses the text of a file. With `in_space`, points need three coordinates.
fn parse(text: &str, in_space: bool) -> Result<Vec<Link>> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| Lines::of(text).line(span.start));
        Error::new(ErrorKind::Syntax, format!("line {line}: {}", error.message()))
    })?;
    let mut links = Vec::new();
    for (key, value) in table.get_ref() {
        let place = || format!("line {}", Lines::of(text).line(key.span().start));
        let list = value.get_ref().as_array().filter(|_| key.get_ref() == "link");
        let Some(list) = list else {
            let message = format!("{}: {:?} is not known; links are [[link]]", place(), key.get_ref());
            return Err(Error::new(ErrorKind::Syntax, message));
        };
        if list.len() > MAX_LINKS {
            let message = format!("{}: {} links are too many; {MAX_LINKS} are allowed", place(), list.len());
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        for (number, value) in list.iter().enumerate() {
            links.push(Entry { text, number, value, in_space }.link()?);
        }
    }
    Ok(links)
}

/// One `[[link]]` of a file.
struct Entry<'a> {
    /// The text of the whole file, for line numbers.
    text: &'a str,
    /// The index of the link in the file.
    number: usize,
    /// The parsed table with its position in the text.
    value: &'a Spanned<DeValue<'a>>,
    /// True if points need three coordinates.
    in_space: bool,
}

impl<'a> Entry<'a> {
    /// Makes the link and checks it.
    fn link(&self) -> Result<Link> {
        let Some(table) = self.value.get_ref().as_table() else {
            return Err(self.wrong(ErrorKind::Syntax, self.value.span().start, "is not a table"));
        };
        for key in table.keys() {
            if !FIELDS.contains(&key.get_ref().as_ref()) {
                let why = format!("{}: is not known; fields are {}", key.get_ref(), FIELDS.join(", "));
                return Err(self.wrong(ErrorKind::Syntax, key.span().start, &why));
            }
        }
        let kind = LinkKind::from_name(self.text_field("kind")?);
        let link = Link {
            name: self.text_field("name")?.to_string(),
            from: self.place("from")?,
            to: self.place("to")?,
            cost: self.field("cost").map(|value| self.number("cost", value)).transpose()?,
            both_ways: match self.field("both_ways") {
                None => kind.is_usually_both_ways(),
                Some(value) => {
                    value.get_ref().as_bool().ok_or_else(|| self.not("both_ways", value, "true or false"))?
                }
            },
            max_radius: self.field("max_radius").map(|value| self.number("max_radius", value)).transpose()?,
            kind,
        };
        match link.flaw() {
            None => Ok(link),
            Some((field, why)) => {
                let at = self.field(field).unwrap_or(self.value).span().start;
                Err(self.wrong(ErrorKind::OutOfRange, at, &format!("{field}: {why}")))
            }
        }
    }

    /// Returns the value of a field, if it is there.
    fn field(&self, name: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.value.get_ref().as_table()?.get(name)
    }

    /// Returns the value of a field that must be there.
    fn needed(&self, name: &str) -> Result<&'a Spanned<DeValue<'a>>> {
        let missing =
            || self.wrong(ErrorKind::Syntax, self.value.span().start, &format!("{name}: is missing"));
        self.field(name).ok_or_else(missing)
    }

    /// Returns the text of a field that must be there.
    fn text_field(&self, name: &str) -> Result<&'a str> {
        let value = self.needed(name)?;
        value.get_ref().as_str().ok_or_else(|| self.not(name, value, "a text"))
    }

    /// Returns a value as a number; integers of any radix are allowed.
    fn number(&self, name: &str, value: &Spanned<DeValue<'_>>) -> Result<f64> {
        let number = match value.get_ref() {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number as f64)
            }
            _ => None,
        };
        number.ok_or_else(|| self.not(name, value, "a number"))
    }

    /// Returns a point in space from three numbers, or from two numbers of a plan.
    fn place(&self, name: &str) -> Result<[f64; 3]> {
        let value = self.needed(name)?;
        let wanted = if self.in_space { "[x, y, z] in a scene" } else { "[x, y, z], or [x, y] of a plan" };
        let list = value.get_ref().as_array().ok_or_else(|| self.not(name, value, wanted))?;
        if list.len() > 3 {
            return Err(self.not(name, value, wanted));
        }
        let numbers = list.iter().map(|value| self.number(name, value)).collect::<Result<Vec<f64>>>()?;
        match numbers[..] {
            [x, y, z] => Ok([x, y, z]),
            // The plan lies in space with its y axis towards -z.
            [x, y] if !self.in_space => Ok([x, 0.0, -y]),
            _ => Err(self.not(name, value, wanted)),
        }
    }

    /// The error for a value of the wrong kind.
    fn not(&self, field: &str, value: &Spanned<DeValue<'_>>, wanted: &str) -> Error {
        self.wrong(ErrorKind::Syntax, value.span().start, &format!("{field}: must be {wanted}"))
    }

    /// An error that names the line, the link and the reason.
    fn wrong(&self, kind: ErrorKind, byte: usize, why: &str) -> Error {
        let name = self.field("name").and_then(|name| name.get_ref().as_str());
        let name = name.map_or(String::new(), |name| format!(" {}", shown(name)));
        Error::new(
            kind,
            format!("line {}: link {}{name}: {why}", Lines::of(self.text).line(byte), self.number),
        )
    }
}

//! The outside of a `.nav` file: header, checksum, section table. It knows nothing about meshes. Invariant: for given
//! sections there is exactly one accepted sequence of bytes.

use super::{
    DOOR_SECTION, INDEX_SECTIONS, LINK_SECTION, MESH_SECTIONS, PEAK_SECTIONS, PLACE_SECTION, fixtures, relief,
};
use crate::mesh::{Flaw, FlawKind, Flaws};
use clearway_base::error::{Error, ErrorKind, Result};

/// The first bytes of every `.nav` file.
const MAGIC: &[u8; 8] = b"CLEARWAY";

/// The version of a file, which decides its sections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// A mesh without clearances. Such files are read but no longer written.
    Old = 1,
    /// The mesh of a plan.
    Plan = 2,
    /// The mesh of a scene, with its ground.
    Scene = 3,
}

impl Version {
    /// Returns the version with this number, if it is known.
    fn from_number(number: u32) -> Option<Version> {
        [Version::Old, Version::Plan, Version::Scene].into_iter().find(|version| *version as u32 == number)
    }

    /// Returns the names of its sections, in order.
    fn sections(self) -> Vec<&'static str> {
        let (peaks, ground): (&[_], &[_]) = match self {
            Version::Old => (&[], &[]),
            Version::Plan => (&PEAK_SECTIONS, &[]),
            Version::Scene => (&PEAK_SECTIONS, &relief::SECTIONS),
        };
        [&MESH_SECTIONS, peaks, ground].concat()
    }
}

/// The header flag that announces links; their section comes after those of the version.
pub(super) const LINKS: u32 = 1;

/// The header flag that announces doors; their section comes after that of the links.
pub(super) const DOORS: u32 = 4;

/// The header flag that announces a path index; its sections are the last.
pub(super) const INDEX: u32 = 2;

/// The header flag that announces named places; their section comes after that of the doors.
pub(super) const PLACES: u32 = 8;

/// The header flag that announces what edits put on the mesh; its sections come after that of the places.
pub(super) const FIXTURES: u32 = 16;

/// Returns the names of the sections that the flags announce, in order.
fn announced(flags: u32) -> Vec<&'static str> {
    let links: &[_] = if flags & LINKS != 0 { &[LINK_SECTION] } else { &[] };
    let doors: &[_] = if flags & DOORS != 0 { &[DOOR_SECTION] } else { &[] };
    let places: &[_] = if flags & PLACES != 0 { &[PLACE_SECTION] } else { &[] };
    let fixtures: &[_] = if flags & FIXTURES != 0 { &fixtures::SECTIONS } else { &[] };
    let index: &[_] = if flags & INDEX != 0 { &INDEX_SECTIONS } else { &[] };
    [links, doors, places, fixtures, index].concat()
}

/// The length of the header in bytes; the section table begins here.
const HEADER_BYTES: usize = 32;

/// The length in bytes of an entry of the section table: name, offset and length, 8 bytes each.
const ENTRY_BYTES: usize = 24;

/// Returns the offset of the first section in a file with this many sections.
fn content_start(sections: usize) -> usize {
    HEADER_BYTES + ENTRY_BYTES * sections
}

/// Writes the sections behind a matching header and table.
pub(super) fn pack(version: Version, sections: &[Vec<u8>], flags: u32) -> Vec<u8> {
    let size: usize = sections.iter().map(|bytes| padded(bytes.len())).sum();
    let mut file = Vec::with_capacity(content_start(sections.len()) + size);
    file.extend(MAGIC);
    file.extend((version as u32).to_le_bytes());
    file.extend(flags.to_le_bytes());
    file.extend((sections.len() as u32).to_le_bytes());
    file.extend(0u32.to_le_bytes());
    // The checksum covers everything behind the header, so it is filled in at the end.
    file.extend(0u64.to_le_bytes());
    let mut offset = content_start(sections.len());
    let names = [version.sections(), announced(flags)].concat();
    for (name, bytes) in names.iter().zip(sections) {
        file.extend(filled(name));
        file.extend((offset as u64).to_le_bytes());
        file.extend((bytes.len() as u64).to_le_bytes());
        offset += padded(bytes.len());
    }
    for bytes in sections {
        file.extend(bytes);
        file.resize(padded(file.len()), 0);
    }
    let checksum = checksum(file.get(HEADER_BYTES..).unwrap_or_default());
    if let Some(place) = file.get_mut(24..HEADER_BYTES) {
        place.copy_from_slice(&checksum.to_le_bytes());
    }
    file
}

/// Fails unless the bytes start as a `.nav` file of the known version does.
pub(super) fn recognise(bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "there are no bytes to read a mesh from"));
    }
    if !bytes.starts_with(MAGIC) {
        return Err(Error::new(ErrorKind::Unsupported, "not a .nav file: it does not start with CLEARWAY"));
    }
    match u32_at(bytes, 8) {
        Some(version) if Version::from_number(version).is_some() => Ok(()),
        Some(version) => {
            let message = format!("version {version} of the .nav format is not known; versions 1 to 3 are");
            Err(Error::new(ErrorKind::Unsupported, message))
        }
        None => Err(Error::new(ErrorKind::Syntax, format!("the file ends after {} bytes", bytes.len()))),
    }
}

/// Returns the known flags of a recognised file; version 1 has none.
pub(super) fn flags(bytes: &[u8]) -> u32 {
    let is_old = u32_at(bytes, 8) == Some(Version::Old as u32);
    u32_at(bytes, 12).filter(|_| !is_old).unwrap_or_default() & (LINKS | INDEX | DOORS | PLACES | FIXTURES)
}

/// Returns the sections of a recognised file, as its version and its flags demand; `None` if the table cannot be
/// followed.
pub(super) fn unpack<'a>(bytes: &'a [u8], flaws: &mut Flaws) -> Option<Vec<&'a [u8]>> {
    let names = Version::from_number(u32_at(bytes, 8)?)?.sections();
    let names = [names, announced(flags(bytes))].concat();
    let mut offset = content_start(names.len());
    if bytes.len() < offset {
        let detail = || format!("the file ends after {} bytes, within its first {offset}", bytes.len());
        flaws.note(|| Flaw::new(FlawKind::Header, detail()));
        return None;
    }
    // A file cut short by a broken download deserves a clearer message than a bad checksum.
    if let Some(needed) = needed_bytes(bytes, &names).filter(|needed| *needed > bytes.len() as u64) {
        let detail = || format!("the file is cut short: it has {} bytes and needs {needed}", bytes.len());
        flaws.note(|| Flaw::new(FlawKind::Header, detail()));
        return None;
    }
    check_header(bytes, names.len(), flaws);
    let mut found = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let place = match section(bytes, index, name, offset) {
            Ok(section) => section,
            Err(detail) => {
                flaws.note(|| Flaw::new(FlawKind::Section, format!("section {name}: {detail}")));
                return None;
            }
        };
        found.push(place);
        let end = offset + place.len();
        offset = padded(end);
        let filling = bytes.get(end..offset);
        if filling.is_none_or(|filling| filling.iter().any(|byte| *byte != 0)) {
            let detail = || format!("section {name}: zeros must follow it up to byte {offset}");
            flaws.note(|| Flaw::new(FlawKind::Section, detail()));
        }
    }
    if bytes.len() > offset {
        let detail = || format!("{} bytes follow the last section", bytes.len() - offset);
        flaws.note(|| Flaw::new(FlawKind::Header, detail()));
    }
    Some(found)
}

/// Returns the file length that the section table calls for; `None` if the table does not list these sections back to
/// back.
fn needed_bytes(bytes: &[u8], names: &[&str]) -> Option<u64> {
    let mut offset = content_start(names.len()) as u64;
    for (index, name) in names.iter().enumerate() {
        let entry = HEADER_BYTES + ENTRY_BYTES * index;
        let is_here = bytes.get(entry..entry + 8)? == filled(name) && u64_at(bytes, entry + 8)? == offset;
        let end = is_here.then_some(offset)?.checked_add(u64_at(bytes, entry + 16)?)?;
        offset = end.checked_next_multiple_of(8)?;
    }
    Some(offset)
}

/// Notes flaws of the header behind magic and version, and a wrong checksum.
fn check_header(bytes: &[u8], sections: usize, flaws: &mut Flaws) {
    for (name, offset, wanted) in
        [("flags", 12, flags(bytes)), ("number of sections", 16, sections as u32), ("gap", 20, 0)]
    {
        let value = u32_at(bytes, offset).unwrap_or_default();
        if value != wanted {
            flaws.note(|| {
                Flaw::new(FlawKind::Header, format!("header: {name} is {value} instead of {wanted}"))
            });
        }
    }
    let stored = u64_at(bytes, 24).unwrap_or_default();
    let computed = checksum(bytes.get(HEADER_BYTES..).unwrap_or_default());
    if stored != computed {
        let detail = || format!("checksum: stored {stored:016x}, computed {computed:016x}");
        flaws.note(|| Flaw::new(FlawKind::Checksum, detail()));
    }
}

/// Returns the section with this index in the table, which must start at `offset`; otherwise describes the fault.
fn section<'a>(
    bytes: &'a [u8],
    index: usize,
    name: &str,
    offset: usize,
) -> std::result::Result<&'a [u8], String> {
    let entry = HEADER_BYTES + ENTRY_BYTES * index;
    let tag = bytes.get(entry..entry + 8).unwrap_or_default();
    if tag != filled(name) {
        return Err(format!("the table names {} in its place", tag.escape_ascii()));
    }
    let (start, length) = (u64_at(bytes, entry + 8), u64_at(bytes, entry + 16));
    if start != Some(offset as u64) {
        return Err(format!("starts at byte {} instead of {offset}", start.unwrap_or_default()));
    }
    let length = length.unwrap_or_default();
    let end = usize::try_from(length).ok().and_then(|length| offset.checked_add(length));
    let section = end.and_then(|end| bytes.get(offset..end));
    section.ok_or_else(|| format!("{length} bytes from byte {offset} on are more than the file has"))
}

/// Returns a 64-bit checksum. The bytes count as little endian words of 8, the last one filled with zeros. Each word is
/// mixed in by exclusive or, a multiplication with an odd number, and a shift. Every step is one-to-one, so a change
/// within one word never goes unseen; the length goes in at the end. It guards against damage, not against forgery.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mix = |state: u64, word: u64| {
        let product = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ (product >> 32)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    let state = words.iter().fold(0x636c_6561_7277_6179, |state, word| mix(state, u64::from_le_bytes(*word)));
    mix(mix(state, u64::from_le_bytes(last)), bytes.len() as u64)
}

/// Rounds a length up to a multiple of 8: every section starts on such an offset.
fn padded(length: usize) -> usize {
    length.next_multiple_of(8)
}

/// Returns a section name as the table stores it, filled with zeros.
fn filled(name: &str) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
    bytes
}

/// Returns the little endian number at an offset; `None` past the end.
fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    bytes.get(offset..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

/// Returns the little endian number at an offset; `None` past the end.
fn u64_at(bytes: &[u8], offset: usize) -> Option<u64> {
    bytes.get(offset..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

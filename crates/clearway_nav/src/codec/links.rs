//! Links as bytes. A file has the section only if its mesh has links; a flag in the header announces it.
//!
//! Links come in the order of their ids, each as 64 bytes and its texts:
//!
//! | offset | size | content |
//! |---|---|---|
//! | 0 | 1 | kind: 0 lift, 1 ladder, 2 jump, 3 drop, 4 door, 5 teleport, 255 another |
//! | 1 | 1 | bit 0: leads both ways; bit 1: has a largest radius |
//! | 2 | 2 | length of its name in bytes |
//! | 4 | 2 | length of the name of its kind in bytes; 0 unless the kind is another |
//! | 6 | 2 | zero |
//! | 8 | 8 | the cells of its start and its end (`u32` each) |
//! | 16 | 32 | their positions, x and y each (`f64`, plan coordinates) |
//! | 48 | 8 | cost (`f64`) |
//! | 56 | 8 | largest radius (`f64`), or zero |
//! | 64 | | its name, then the name of its kind (UTF-8) |

use crate::mesh::{Flaw, FlawKind, Flaws, LinkEnd, LinkKind, LinkRecord, MAX_LINKS};

/// The code of kinds that have no code of their own; their name is stored.
const OTHER: u8 = 255;

/// Encodes all links; each kind has its index in `LinkKind::NAMED` as code.
pub(super) fn encode(links: &[LinkRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for link in links {
        let (code, kind) = match &link.kind {
            LinkKind::Other(name) => (OTHER, name.as_str()),
            known => {
                let place = LinkKind::NAMED.iter().position(|kind| kind == known);
                (place.map_or(OTHER, |place| place as u8), "")
            }
        };
        let flags = u8::from(link.both_ways) | u8::from(link.max_radius.is_some()) << 1;
        bytes.extend([code, flags]);
        for length in [link.name.len(), kind.len(), 0] {
            bytes.extend((length as u16).to_le_bytes());
        }
        bytes.extend(link.ends.iter().flat_map(|end| end.cell.to_le_bytes()));
        let numbers = link.ends.iter().flat_map(|end| end.position);
        let numbers = numbers.chain([link.cost, link.max_radius.unwrap_or(0.0)]);
        bytes.extend(numbers.flat_map(f64::to_le_bytes));
        bytes.extend(link.name.as_bytes());
        bytes.extend(kind.as_bytes());
    }
    bytes
}

/// Reads links and notes the first malformed one. It does not check whether links end on the mesh.
pub(super) fn read(mut section: &[u8], flaws: &mut Flaws) -> Option<Vec<LinkRecord>> {
    let mut links = Vec::new();
    let mut wrong = |number: usize, detail: &str| {
        flaws.note(|| Flaw::new(FlawKind::Section, format!("section links: link {number}: {detail}")));
    };
    if section.is_empty() {
        wrong(0, "is missing, but the header tells of links");
        return None;
    }
    while !section.is_empty() {
        if links.len() == MAX_LINKS {
            wrong(links.len(), "is one more than allowed");
            return None;
        }
        match read_link(&mut section) {
            Ok(link) => links.push(link),
            Err(detail) => {
                wrong(links.len(), detail);
                return None;
            }
        }
    }
    Some(links)
}

/// Reads one link from the front of `rest`; refuses every byte that `encode` would not write.
fn read_link(rest: &mut &[u8]) -> Result<LinkRecord, &'static str> {
    let head: [u8; 64] = *take(rest, 64)?.first_chunk().ok_or("ends early")?;
    let [code, flags, n0, n1, k0, k1, 0, 0, ..] = head else { return Err("has a gap that is not zero") };
    let name = text(take(rest, u16::from_le_bytes([n0, n1]).into())?)?;
    let kind = text(take(rest, u16::from_le_bytes([k0, k1]).into())?)?;
    let kind = match (LinkKind::NAMED.get(usize::from(code)), code) {
        (Some(known), _) if kind.is_empty() => known.clone(),
        (None, OTHER) => LinkKind::Other(kind),
        _ => return Err("has a kind that is not known"),
    };
    let [_, cells, numbers @ ..] = words(&head);
    let numbers = numbers.map(f64::from_bits);
    let has_negative_zero = numbers.iter().any(|number| *number == 0.0 && number.is_sign_negative());
    let [from_x, from_y, to_x, to_y, cost, radius] = numbers;
    if flags > 3 || has_negative_zero || (flags & 2 == 0 && radius != 0.0) {
        return Err("has flags or zeros that mean nothing");
    }
    Ok(LinkRecord {
        name,
        kind,
        ends: [
            LinkEnd { cell: cells as u32, position: [from_x, from_y] },
            LinkEnd { cell: (cells >> 32) as u32, position: [to_x, to_y] },
        ],
        cost,
        both_ways: flags & 1 == 1,
        max_radius: (flags & 2 == 2).then_some(radius),
    })
}

/// Takes `count` bytes from the front of `rest`.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], &'static str> {
    let (head, tail) = rest.split_at_checked(count).ok_or("ends early")?;
    *rest = tail;
    Ok(head)
}

/// Decodes a name.
fn text(bytes: &[u8]) -> Result<String, &'static str> {
    String::from_utf8(bytes.to_vec()).map_err(|_| "has a name that is not UTF-8")
}

/// Splits the fixed part of a link into little endian words.
fn words(head: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(head.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}

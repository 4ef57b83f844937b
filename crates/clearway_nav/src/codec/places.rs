//! Named places as bytes. A file has the section only if its mesh has places; a flag in the header announces it.
//!
//! Places come in their order, each as 16 bytes, its points and its texts:
//!
//! | offset | size | content |
//! |---|---|---|
//! | 0 | 2 | length of its role in bytes |
//! | 2 | 2 | length of its name in bytes |
//! | 4 | 4 | number of points (`u32`) |
//! | 8 | 8 | height (`f64`) |
//! | 16 | 16 per point | x and y (`f64`, plan coordinates) |
//! | | | its role, then its name (UTF-8) |

use crate::mesh::{Flaw, FlawKind, Flaws, MAX_PLACE_POINTS, MAX_PLACES, MeshPlace};

/// Encodes all places.
pub(super) fn encode(places: &[MeshPlace]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for place in places {
        for length in [place.role.len(), place.name.len()] {
            bytes.extend((length as u16).to_le_bytes());
        }
        bytes.extend((place.points.len() as u32).to_le_bytes());
        bytes.extend(place.height.to_le_bytes());
        bytes.extend(place.points.iter().flatten().flat_map(|c| c.to_le_bytes()));
        bytes.extend(place.role.as_bytes());
        bytes.extend(place.name.as_bytes());
    }
    bytes
}

/// Reads places and notes the first malformed one.
pub(super) fn read(mut section: &[u8], flaws: &mut Flaws) -> Option<Vec<MeshPlace>> {
    let mut places = Vec::new();
    let mut wrong = |number: usize, detail: &str| {
        flaws.note(|| Flaw::new(FlawKind::Section, format!("section places: place {number}: {detail}")));
    };
    if section.is_empty() {
        wrong(0, "is missing, but the header tells of places");
        return None;
    }
    while !section.is_empty() {
        let place = if places.len() == MAX_PLACES {
            Err("is one more than allowed".to_string())
        } else {
            read_place(&mut section)
        };
        match place {
            Ok(place) => places.push(place),
            Err(detail) => {
                wrong(places.len(), &detail);
                return None;
            }
        }
    }
    Some(places)
}

/// Reads one place from the front of `rest`; refuses every byte that `encode` would not write.
fn read_place(rest: &mut &[u8]) -> Result<MeshPlace, String> {
    let head: [u8; 16] = *take(rest, 16)?.first_chunk().ok_or("ends early")?;
    let [r0, r1, n0, n1, p0, p1, p2, p3, height @ ..] = head;
    let count = u32::from_le_bytes([p0, p1, p2, p3]) as usize;
    if count > MAX_PLACE_POINTS {
        return Err(format!("has {count} points; {MAX_PLACE_POINTS} are allowed"));
    }
    let (numbers, _) = take(rest, count * 16)?.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let (points, _) = numbers.as_chunks::<2>();
    let role = text(take(rest, u16::from_le_bytes([r0, r1]).into())?)?;
    let name = text(take(rest, u16::from_le_bytes([n0, n1]).into())?)?;
    let place = MeshPlace { name, role, height: f64::from_le_bytes(height), points: points.to_vec() };
    let is_negative_zero = |number: &f64| *number == 0.0 && number.is_sign_negative();
    if is_negative_zero(&place.height) || numbers.iter().any(is_negative_zero) {
        return Err("has a negative zero".to_string());
    }
    match place.flaw() {
        None => Ok(place),
        Some(flaw) => Err(flaw),
    }
}

/// Takes `count` bytes from the front of `rest`.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], String> {
    let (head, tail) = rest.split_at_checked(count).ok_or("ends early")?;
    *rest = tail;
    Ok(head)
}

/// Decodes a text.
fn text(bytes: &[u8]) -> Result<String, String> {
    String::from_utf8(bytes.to_vec()).map_err(|_| "has a text that is not UTF-8".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NavMesh;
    use crate::testing::MeshOptions;
    use clearway_world::Plan;

    fn room() -> NavMesh {
        let ring = vec![[0.0, 0.0], [8.0, 0.0], [8.0, 5.0], [0.0, 5.0]];
        MeshOptions::default().build(&Plan::from_rings([ring])).unwrap()
    }

    fn places() -> Vec<MeshPlace> {
        let north =
            MeshPlace { name: "north".into(), role: "exit".into(), height: 3.5, points: vec![[1.0, 2.0]] };
        let hall = MeshPlace {
            name: "Hälle".into(),
            role: "start".into(),
            height: 0.0,
            points: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        };
        vec![north, hall]
    }

    #[test]
    fn places_survive_a_file_and_bare_meshes_keep_their_bytes() {
        let mut mesh = room();
        let bare = mesh.encode();
        mesh.set_places(&places());
        let bytes = mesh.encode();
        let read = NavMesh::decode(&bytes).unwrap();
        assert_eq!(read.places(), places());
        assert_eq!(read.encode(), bytes);
        assert_eq!(NavMesh::decode(&mesh.encode_with_index()).unwrap().places(), places());
        mesh.set_places(&[]);
        assert_eq!(mesh.encode(), bare);
    }

    #[test]
    fn every_cut_and_every_count_is_refused_or_canonical() {
        let bytes = encode(&places());
        for length in 0..bytes.len() {
            let mut flaws = Flaws::default();
            if let Some(read) = read(&bytes[..length], &mut flaws) {
                assert_eq!(encode(&read), bytes[..length]);
            }
        }
        for (index, value) in
            (0..bytes.len()).flat_map(|index| [0u8, 1, 0x80, 0xff].map(|value| (index, value)))
        {
            let mut changed = bytes.clone();
            changed[index] = value;
            if let Some(read) = read(&changed, &mut Flaws::default()) {
                assert_eq!(encode(&read), changed);
            }
        }
    }
}

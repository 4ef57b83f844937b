//! What edits put on a mesh as bytes. A file has the two sections only if its mesh has fixtures; a flag in the header
//! announces them. The section `built` is a whole `.nav` file, which is looked at when the mesh is edited.
//!
//! In the section `fixtures` each comes as 24 bytes, its numbers and its texts:
//!
//! | offset | size | content |
//! |---|---|---|
//! | 0 | 1 | 0 an area, 1 an obstacle, 2 an open door, 3 a closed door |
//! | 1 | 1 | its shape: 0 polygon, 1 segment, 2 disc, 3 box |
//! | 2 | 1 | 1 if the height of its floor was given, else 0 |
//! | 3 | 1 | zero |
//! | 4 | 2 | length of its name in bytes |
//! | 6 | 2 | length of the name of its area class in bytes; 0 for all but areas |
//! | 8 | 4 | number of corners of a polygon, or of sides of a disc; else 0 |
//! | 12 | 4 | zero |
//! | 16 | 8 | height of its floor (`f64`), or zero |
//! | 24 | 8 each | numbers of its shape (`f64`): corners; both ends; centre and radius; centre, size and turn |
//! | | | its name, then the name of its area class (UTF-8) |

use crate::mesh::{
    Fixture, FixtureRole, Fixtures, Flaw, FlawKind, Flaws, MAX_FIXTURES, Shape, fixture_name_flaw,
};

/// The sections, in the order in which they are stored.
pub(super) const SECTIONS: [&str; 2] = ["built", "fixtures"];

/// Encodes both sections.
pub(super) fn encode(fixtures: &Fixtures) -> [Vec<u8>; SECTIONS.len()] {
    let mut bytes = Vec::new();
    for fixture in &fixtures.list {
        let (role, class) = match &fixture.role {
            FixtureRole::Area(class) => (0u8, class.as_str()),
            FixtureRole::Obstacle => (1, ""),
            FixtureRole::Door(true) => (2, ""),
            FixtureRole::Door(false) => (3, ""),
        };
        let (shape, count, numbers) = numbers_of(&fixture.shape);
        bytes.extend([role, shape, u8::from(fixture.height.is_some()), 0]);
        for length in [fixture.name.len(), class.len()] {
            bytes.extend((length as u16).to_le_bytes());
        }
        bytes.extend([count, 0].into_iter().flat_map(u32::to_le_bytes));
        let numbers = [fixture.height.unwrap_or(0.0)].into_iter().chain(numbers);
        bytes.extend(numbers.flat_map(f64::to_le_bytes));
        bytes.extend(fixture.name.as_bytes());
        bytes.extend(class.as_bytes());
    }
    [fixtures.built.clone(), bytes]
}

/// Returns the code of a shape, its count and its numbers.
fn numbers_of(shape: &Shape) -> (u8, u32, Vec<f64>) {
    match shape {
        Shape::Polygon(corners) => (0, corners.len() as u32, corners.iter().flatten().copied().collect()),
        Shape::Segment(ends) => (1, 0, ends.iter().flatten().copied().collect()),
        Shape::Disc { centre: [x, y], radius, sides } => (2, *sides, vec![*x, *y, *radius]),
        Shape::Box { centre: [x, y], size: [width, depth], turn } => {
            (3, 0, vec![*x, *y, *width, *depth, *turn])
        }
    }
}

/// Reads both sections and notes the first malformed fixture.
pub(super) fn read(built: &[u8], mut section: &[u8], flaws: &mut Flaws) -> Option<Fixtures> {
    let mut list = Vec::new();
    let mut wrong = |number: usize, detail: &str| {
        let detail = format!("section fixtures: fixture {number}: {detail}");
        flaws.note(|| Flaw::new(FlawKind::Section, detail));
    };
    if section.is_empty() {
        wrong(0, "is missing, but the header tells of fixtures");
        return None;
    }
    while !section.is_empty() {
        let fixture = if list.len() == MAX_FIXTURES {
            Err("is one more than allowed".to_string())
        } else {
            read_fixture(&mut section)
        };
        match fixture {
            Ok(fixture) => list.push(fixture),
            Err(detail) => {
                wrong(list.len(), &detail);
                return None;
            }
        }
    }
    Some(Fixtures { built: built.to_vec(), list })
}

/// Reads one fixture from the front of `rest`; refuses every byte that `encode` would not write.
fn read_fixture(rest: &mut &[u8]) -> Result<Fixture, String> {
    let head: [u8; 24] = *take(rest, 24)?.first_chunk().ok_or("ends early")?;
    let [role, shape, has_height, 0, n0, n1, c0, c1, p0, p1, p2, p3, 0, 0, 0, 0, height @ ..] = head else {
        return Err("has a gap that is not zero".to_string());
    };
    let count = u32::from_le_bytes([p0, p1, p2, p3]);
    let height = f64::from_le_bytes(height);
    if !is_plain(height) || has_height > 1 || (has_height == 0 && height != 0.0) {
        return Err("has a height that means nothing".to_string());
    }
    let shape = read_shape(rest, shape, count)?;
    let name = text(take(rest, u16::from_le_bytes([n0, n1]).into())?)?;
    let class = text(take(rest, u16::from_le_bytes([c0, c1]).into())?)?;
    if let Some(flaw) = fixture_name_flaw(&name) {
        return Err(flaw);
    }
    let role = match role {
        0 => FixtureRole::Area(class),
        1..=3 if !class.is_empty() => return Err("has an area class, but is no area".to_string()),
        1 => FixtureRole::Obstacle,
        2 | 3 => FixtureRole::Door(role == 2),
        _ => return Err(format!("has the unknown role {role}")),
    };
    Ok(Fixture { name, role, shape, height: (has_height == 1).then_some(height) })
}

/// Reads the numbers of a shape.
fn read_shape(rest: &mut &[u8], code: u8, count: u32) -> Result<Shape, String> {
    let most = match code {
        0 => Shape::MAX_CORNERS as u32,
        2 => Shape::MAX_SIDES,
        _ => 0,
    };
    if count > most {
        return Err(format!("has {count} corners or sides; {most} are allowed"));
    }
    let length = match code {
        0 => 2 * count as usize,
        1 => 4,
        2 => 3,
        3 => 5,
        _ => return Err(format!("has the unknown shape {code}")),
    };
    let (numbers, _) = take(rest, 8 * length)?.as_chunks::<8>();
    let numbers: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    if !numbers.iter().copied().all(is_plain) {
        return Err("has a number that is not finite, or a negative zero".to_string());
    }
    Ok(match (code, numbers.as_slice()) {
        (1, [a, b, c, d]) => Shape::Segment([[*a, *b], [*c, *d]]),
        (2, [x, y, radius]) => Shape::Disc { centre: [*x, *y], radius: *radius, sides: count },
        (3, [x, y, width, depth, turn]) => {
            Shape::Box { centre: [*x, *y], size: [*width, *depth], turn: *turn }
        }
        _ => Shape::Polygon(numbers.as_chunks::<2>().0.to_vec()),
    })
}

/// True for a number that has one form in files.
fn is_plain(number: f64) -> bool {
    number.is_finite() && !(number == 0.0 && number.is_sign_negative())
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

    fn fixtures() -> Fixtures {
        let fixture = |name: &str, role: FixtureRole, shape: Shape, height: Option<f64>| Fixture {
            name: name.to_string(),
            role,
            shape,
            height,
        };
        let list = vec![
            fixture(
                "",
                FixtureRole::Area("mud".into()),
                Shape::Polygon(vec![[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]]),
                None,
            ),
            fixture(
                "Kiste",
                FixtureRole::Obstacle,
                Shape::Box { centre: [1.0, 2.0], size: [0.5, 0.25], turn: 0.1 },
                Some(3.5),
            ),
            fixture(
                "",
                FixtureRole::Obstacle,
                Shape::Disc { centre: [1.0, 2.0], radius: 0.5, sides: 16 },
                None,
            ),
            fixture("gate", FixtureRole::Door(false), Shape::Segment([[0.0, 0.0], [1.0, 1.0]]), Some(0.0)),
        ];
        Fixtures { built: vec![1, 2, 3], list }
    }

    #[test]
    fn fixtures_survive_a_file_and_other_meshes_keep_their_bytes() {
        let ring = vec![[0.0, 0.0], [8.0, 0.0], [8.0, 5.0], [0.0, 5.0]];
        let mut mesh = MeshOptions::default().build(&Plan::from_rings([ring])).unwrap();
        let bare = mesh.encode();
        mesh.set_fixtures(Some(fixtures()));
        let bytes = mesh.encode();
        let read = NavMesh::decode(&bytes).unwrap();
        assert_eq!(read.fixtures(), Some(&fixtures()));
        assert_eq!(read.encode(), bytes);
        assert_eq!(NavMesh::diagnose(&bytes), Ok(Vec::new()));
        assert_eq!(NavMesh::decode(&mesh.encode_with_index()).unwrap().fixtures(), Some(&fixtures()));
        mesh.set_fixtures(None);
        assert_eq!(mesh.encode(), bare);
    }

    #[test]
    fn every_cut_and_every_change_is_refused_or_canonical() {
        let [built, bytes] = encode(&fixtures());
        let again = |bytes: &[u8]| {
            if let Some(read) = read(&built, bytes, &mut Flaws::default()) {
                assert_eq!(encode(&read)[1], bytes);
            }
        };
        (0..bytes.len()).for_each(|length| again(&bytes[..length]));
        for (index, value) in
            (0..bytes.len()).flat_map(|index| [0u8, 1, 2, 0x80, 0xff].map(|value| (index, value)))
        {
            let mut changed = bytes.clone();
            changed[index] = value;
            again(&changed);
        }
    }
}

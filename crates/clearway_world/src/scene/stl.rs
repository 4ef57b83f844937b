//! STL: triangles without sharing, as text or binary.
//!
//! Many binary files begin with `solid`, as text files do; the size distinguishes them. Normals are skipped: the
//! order of corners decides which way a triangle faces. Cost: linear in the bytes.

use super::draft::Draft;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The length of the free text at the beginning of a binary file, in bytes. The number of triangles follows.
const HEADER_BYTES: usize = 80;
/// The length of a triangle in a binary file, in bytes: normal, three corners, two bytes of attributes.
const TRIANGLE_BYTES: usize = 50;
/// The number of bytes within which a text file must name its first facet, or its end. A larger value takes more
/// binary files that begin with `solid` for text.
const PROBED_BYTES: usize = 2048;

/// Reads either kind of file.
pub(super) fn read(bytes: &[u8], draft: &mut Draft<'_>) -> Result<()> {
    if is_text(bytes) { read_text(&String::from_utf8_lossy(bytes), draft) } else { read_binary(bytes, draft) }
}

/// True if a file is text: it begins with `solid`, names a facet soon, and does not have the size of a binary file.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    if !start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) {
        return false;
    }
    // A text hardly ever has exactly the size that its bytes 80 to 83 would announce.
    let is_binary_size = announced(bytes).is_some_and(|(_, size)| size == bytes.len() as u64);
    let probed = start[..start.len().min(PROBED_BYTES)].to_ascii_lowercase();
    let contains = |word: &[u8]| probed.windows(word.len()).any(|window| window == word);
    !is_binary_size && (contains(b"facet") || contains(b"endsolid"))
}

/// The number of triangles that a binary file announces, and the size that it must have.
fn announced(bytes: &[u8]) -> Option<(u32, u64)> {
    let count = bytes.get(HEADER_BYTES..)?.first_chunk::<4>().map(|count| u32::from_le_bytes(*count))?;
    Some((count, (HEADER_BYTES + 4) as u64 + u64::from(count) * TRIANGLE_BYTES as u64))
}

/// Reads a binary file.
fn read_binary(bytes: &[u8], draft: &mut Draft<'_>) -> Result<()> {
    let Some((count, size)) = announced(bytes) else {
        let message = format!("{} bytes are too few for an STL file, which begins with 84", bytes.len());
        return Err(Error::new(ErrorKind::Syntax, message));
    };
    if size > bytes.len() as u64 {
        let message = format!("{count} triangles need {size} bytes, but there are {}", bytes.len());
        return Err(Error::new(ErrorKind::Syntax, message));
    }
    if size < bytes.len() as u64 {
        let extra = bytes.len() as u64 - size;
        draft.notes.add("extra bytes", || format!("{extra} bytes after the last triangle are left out"));
    }
    draft.check_announced(u64::from(count))?;
    let records = bytes[HEADER_BYTES + 4..].chunks_exact(TRIANGLE_BYTES).take(count as usize);
    for (index, record) in records.enumerate() {
        let mut places = record[12..48].chunks_exact(12).map(read_place);
        let corners = [(); 3].map(|()| places.next().unwrap_or_default());
        add_facet(draft, index, corners)?;
    }
    Ok(())
}

/// Reads three little-endian 32-bit floats.
fn read_place(bytes: &[u8]) -> [f64; 3] {
    let mut numbers =
        bytes.chunks_exact(4).map(|number| number.first_chunk().map_or(0.0, |n| f32::from_le_bytes(*n)));
    [(); 3].map(|()| f64::from(numbers.next().unwrap_or_default()))
}

/// Adds a triangle with vertices of its own.
fn add_facet(draft: &mut Draft<'_>, index: usize, places: [[f64; 3]; 3]) -> Result<()> {
    let mut corners = [0; 3];
    for (position, (corner, place)) in corners.iter_mut().zip(places).enumerate() {
        *corner = draft.add_vertex(place, || format!("triangle {index}, corner {position}"))?;
    }
    draft.add_triangle(corners)
}

/// Reads a text file line by line.
fn read_text(text: &str, draft: &mut Draft<'_>) -> Result<()> {
    let mut facet: Vec<[f64; 3]> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let mut words = text.split_ascii_whitespace();
        let Some(word) = words.next() else { continue };
        let error = |kind, message: String| Err(Error::new(kind, format!("line {line}: {message}")));
        match word.to_ascii_lowercase().as_str() {
            "solid" => draft.enter_part(text.trim()[5..].trim(), "")?,
            "vertex" => match place(words) {
                Ok(_) if facet.len() == 3 => {
                    return error(ErrorKind::Unsupported, "a facet with more than three corners".to_string());
                }
                Ok(place) => facet.push(place),
                Err(message) => return error(ErrorKind::Syntax, message),
            },
            "endfacet" => {
                let &[a, b, c] = facet.as_slice() else {
                    return error(ErrorKind::Syntax, format!("a facet with {} corners", facet.len()));
                };
                let index = draft.triangle_count();
                add_facet(draft, index, [a, b, c])
                    .map_err(|fault| Error::new(fault.kind(), format!("line {line}: {fault}")))?;
                facet.clear();
            }
            "facet" | "outer" | "endloop" | "endsolid" | "color" => {}
            _ => {
                return error(
                    ErrorKind::Syntax,
                    format!("expected `facet` or `vertex`, found {}", quoted(word)),
                );
            }
        }
    }
    if facet.is_empty() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Syntax, "the text ends within a facet"))
}

/// Reads three numbers.
fn place<'a>(mut words: impl Iterator<Item = &'a str>) -> std::result::Result<[f64; 3], String> {
    let mut place = [0.0; 3];
    for coordinate in &mut place {
        let word = words.next().ok_or("a corner has fewer than three numbers")?;
        *coordinate = word.parse().map_err(|_| format!("expected a number, found {}", quoted(word)))?;
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_damaged, check_refused, parse};
    use super::super::{Scene, SceneFormat};
    use super::*;

    const TEXT: &str = "solid big box\n facet normal 0 1 0\n  outer loop\n   vertex 0 0 0\n   VERTEX 0 0 1e0\n   \
                        vertex 1 0 0\n  endloop\n endfacet\nendsolid big box\n";

    fn binary(header: &str, count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = header.as_bytes().to_vec();
        bytes.resize(HEADER_BYTES, b' ');
        bytes.extend(count.to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            bytes.extend(triangle.iter().flatten().flat_map(|c| c.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const FACET: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];

    fn check_facet(scene: &Scene) {
        assert_eq!(scene.vertices, [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
        assert_eq!(scene.triangles, [[0, 1, 2]]);
    }

    #[test]
    fn text_and_binary_say_the_same() {
        let scene = parse(SceneFormat::Stl, TEXT.as_bytes()).unwrap();
        check_facet(&scene);
        assert_eq!(scene.parts[0].name, "big box");
        for header in ["", "made by hand", "solid but binary", "solid facet endsolid"] {
            check_facet(&parse(SceneFormat::Stl, &binary(header, 1, &[FACET])).unwrap());
        }
    }

    #[test]
    fn extra_bytes_are_noted() {
        let mut bytes = binary("solid but binary", 1, &[FACET]);
        bytes.extend([0; 7]);
        let scene = parse(SceneFormat::Stl, &bytes).unwrap();
        check_facet(&scene);
        assert_eq!(scene.notes, ["7 bytes after the last triangle are left out"]);
    }

    #[test]
    fn several_solids_are_several_parts() {
        let text = format!("{TEXT}{}", TEXT.replace("big box", "lid"));
        let scene = parse(SceneFormat::Stl, text.as_bytes()).unwrap();
        let names: Vec<_> = scene.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!((names, scene.part_of), (vec!["big box", "lid"], vec![0, 1]));
    }

    #[test]
    fn bad_files_are_refused() {
        let (syntax, range) = (ErrorKind::Syntax, ErrorKind::OutOfRange);
        let far = TEXT.replace("1e0", "1e0e");
        let nan = binary("", 2, &[FACET, [[0.0; 3], [0.0, f32::NAN, 0.0], [0.0; 3]]]);
        let cases: [(Vec<u8>, ErrorKind, &str); 12] = [
            (b"abc".to_vec(), syntax, "3 bytes are too few for an STL file, which begins with 84"),
            (
                binary("", u32::MAX, &[]),
                syntax,
                "4294967295 triangles need 214748364834 bytes, but there are 84",
            ),
            (binary("", 2, &[FACET]), syntax, "2 triangles need 184 bytes, but there are 134"),
            (binary("", 0, &[]), ErrorKind::Empty, "there is not a single triangle"),
            (nan, range, "triangle 1, corner 1: y is not a number"),
            (b"solid a\nendsolid a\n".to_vec(), ErrorKind::Empty, "there is not a single triangle"),
            (far.into(), syntax, "line 5: expected a number, found `1e0e`"),
            (TEXT.replace("1e0", "inf").into(), range, "line 8: triangle 0, corner 1: z is infinite"),
            (TEXT.replace("vertex 1 0 0", "").into(), syntax, "line 8: a facet with 2 corners"),
            (
                TEXT.replace("vertex 1 0 0", "vertex 1 0").into(),
                syntax,
                "line 6: a corner has fewer than three numbers",
            ),
            (
                TEXT.replace("outer loop", "inner loop").into(),
                syntax,
                "line 3: expected `facet` or `vertex`, found `inner`",
            ),
            (TEXT.split("endloop").next().unwrap().into(), syntax, "the text ends within a facet"),
        ];
        for (bytes, kind, message) in cases {
            check_refused(SceneFormat::Stl, &bytes, kind, message);
        }
        let quad = TEXT.replace("vertex 1 0 0", "vertex 1 0 0\nvertex 2 0 0");
        check_refused(
            SceneFormat::Stl,
            quad.as_bytes(),
            ErrorKind::Unsupported,
            "line 7: a facet with more than three corners",
        );
    }

    #[test]
    fn more_triangles_than_allowed_are_refused_before_they_are_read() {
        let bytes = binary("", 100_001, &vec![FACET; 100_001]);
        check_refused(
            SceneFormat::Stl,
            &bytes,
            ErrorKind::TooLarge,
            "the scene has 100001 triangles; the limit is 100000 (--max-triangles raises it)",
        );
    }

    #[test]
    fn damaged_files_never_panic() {
        check_damaged(SceneFormat::Stl, TEXT.as_bytes());
        check_damaged(SceneFormat::Stl, &binary("solid", 2, &[FACET, FACET]));
    }
}

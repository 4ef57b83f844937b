//! Meshes as Detour reads them: a set of one tile, as RecastDemo saves it.
//!
//! A polygon has at most six corners, so larger cells are cut along chords ([`pieces`]). The ground under each polygon
//! becomes its detail mesh ([`detail`]), links become off-mesh connections, and all is written in Detour's layout
//! ([`tile`]).

mod detail;
mod tile;

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Vec2;
use clearway_nav::mesh::NavMesh;
use detail::{Detail, Ground};
use std::collections::BTreeMap;
use tile::{Connection, Tile};

/// The most corners of a polygon in Detour.
const MOST_CORNERS: usize = 6;
/// The most polygons of a tile: the highest bit of a neighbour marks borders of tiles.
const MOST_POLYGONS: usize = 0x7ffe;
/// The most vertices of a tile: they are numbered with 16 bits.
const MOST_VERTICES: usize = 0xfffe;
/// The body for which a mesh is written, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetourBody {
    /// Its radius: the mesh must have been shrunk by it.
    pub radius: f64,
    /// Its height.
    pub height: f64,
    /// The highest step that it takes.
    pub climb: f64,
}

/// A polygon.
#[derive(Clone, Debug)]
struct Piece {
    corners: Vec<Corner>,
    area: u8,
    /// The ground under it; `None` if its corners tell its heights.
    detail: Option<Detail>,
}

/// A corner, and what lies beyond the side that starts there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    vertex: usize,
    /// Its place in grid units.
    at: Vec2,
    beyond: Beyond,
}

/// What lies beyond a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Beyond {
    Wall,
    /// The portal with this number.
    Portal(u32),
    /// The chord with this number, inside a cell.
    Chord(usize),
}

/// Returns a mesh as the bytes of a `.bin` file. Area classes become Detour's areas. Links become off-mesh connections with
/// their numbers as user ids; their costs are lost. Fails if the mesh exceeds Detour's limits.
pub fn to_detour(mesh: &NavMesh, body: DetourBody) -> Result<Vec<u8>> {
    let mesh = &*mesh.compacted();
    let (vertices, pieces) = pieces(mesh)?;
    let connections: Vec<Connection> = mesh
        .links()
        .map(|link| Connection { ends: [link.from, link.to], both_ways: link.both_ways })
        .collect();
    let fails = |count: usize, most: usize, what: &str| {
        let message = format!("{count} {what}, but a tile of Detour takes {most} at most");
        Err(Error::new(ErrorKind::OutOfRange, message))
    };
    let (corners, polygons) = (vertices.len() + 2 * connections.len(), pieces.len() + connections.len());
    if corners > MOST_VERTICES {
        return fails(corners, MOST_VERTICES, "vertices");
    }
    if polygons > MOST_POLYGONS {
        return fails(polygons, MOST_POLYGONS, "polygons");
    }
    if pieces.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "the mesh has no cells left for such a body"));
    }
    Ok(Tile { vertices, pieces, connections, body }.set())
}

/// Cuts all cells into pieces. Corners at one vertex and one height, to the millimetre, are one.
fn pieces(mesh: &NavMesh) -> Result<(Vec<[f32; 3]>, Vec<Piece>)> {
    let (mut vertices, mut number_of) = (Vec::new(), BTreeMap::new());
    let (mut pieces, mut chords) = (Vec::new(), 0);
    for cell in mesh.cells() {
        let corners = cell.sides().zip(cell.points()).map(|(side, point)| {
            let at = point.as_vec2();
            let up = mesh.ground_height(cell.id().0, at);
            let vertex = *number_of.entry((side.from, (up * 1e3).round() as i64)).or_insert_with(|| {
                vertices.push(mesh.in_space(cell.id().0, at).map(|value| value as f32));
                vertices.len() - 1
            });
            let beyond = side.portal.map_or(Beyond::Wall, |portal| Beyond::Portal(portal.0));
            Corner { vertex, at, beyond }
        });
        let mut rest: Vec<Corner> = corners.collect();
        let ground = Ground::of(mesh, &cell);
        let piece = |corners: Vec<Corner>| {
            let outline: Vec<Vec2> = corners.iter().map(|corner| corner.at).collect();
            Piece { area: cell.area_class(), detail: ground.under(&outline), corners }
        };
        while rest.len() > MOST_CORNERS {
            let Some((first, count)) = shortest_cut(&rest) else {
                let message = format!("cell {} cannot be cut to {MOST_CORNERS} corners", cell.id());
                return Err(Error::new(ErrorKind::OutOfRange, message));
            };
            pieces.push(piece(cut_off(&mut rest, first, count, chords)));
            chords += 1;
        }
        pieces.push(piece(rest));
    }
    Ok((vertices, pieces))
}

/// Returns where to cut, and the number of corners cut off: as many as Detour takes, along the shortest chord that leaves
/// area on both sides.
fn shortest_cut(outline: &[Corner]) -> Option<(usize, usize)> {
    let at = |index: usize| outline[index % outline.len()].at;
    let area = |first: usize, count: usize| {
        let part = |index: usize| (at(index) - at(first)).cross(at(index + 1) - at(first));
        (first + 1..first + count - 1).map(part).sum::<f64>()
    };
    let length = |first: usize, count: usize| at(first).distance(at(first + count - 1));
    (3..=MOST_CORNERS).rev().find_map(|count| {
        let rest = outline.len() + 2 - count;
        let legal = |first: &usize| area(*first, count) > 0.0 && area(first + count - 1, rest) > 0.0;
        let best =
            (0..outline.len()).filter(legal).min_by(|p, q| length(*p, count).total_cmp(&length(*q, count)));
        best.map(|first| (first, count))
    })
}

/// Takes corners off an outline; both parts keep the ends of the chord.
fn cut_off(outline: &mut Vec<Corner>, first: usize, count: usize, chord: usize) -> Vec<Corner> {
    outline.rotate_left(first);
    let mut cut = outline[..count].to_vec();
    cut[count - 1].beyond = Beyond::Chord(chord);
    outline.drain(1..count - 1);
    outline[0].beyond = Beyond::Chord(chord);
    cut
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PLAN, mesh};
    use super::*;

    const BODY: DetourBody = DetourBody { radius: 0.0, height: 2.0, climb: 0.4 };

    fn int(bytes: &[u8], at: usize) -> usize {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    }

    #[test]
    fn a_tile_is_as_long_as_its_header_says() {
        let mesh = mesh(PLAN);
        let bytes = to_detour(&mesh, BODY).unwrap();
        assert_eq!((&bytes[..4], int(&bytes, 4), int(&bytes, 8)), (&b"TESM"[..], 1, 1));
        let tile = &bytes[48..];
        assert_eq!(int(&bytes, 44), tile.len());
        assert_eq!((&tile[..4], int(tile, 4)), (&b"VAND"[..], 7));
        let [polygons, vertices, links] = [24, 28, 32].map(|at| int(tile, at));
        let [details, _, triangles, nodes] = [36, 40, 44, 48].map(|at| int(tile, at));
        let length =
            100 + 12 * vertices + 32 * polygons + 12 * links + 12 * details + 4 * triangles + 16 * nodes;
        assert_eq!(length, tile.len());
        assert_eq!(vertices, mesh.vertex_count());
        assert_eq!(nodes, 2 * polygons - 1);
    }

    #[test]
    fn neighbours_are_mutual_and_chords_are_open() {
        // A round room of 40 corners is cut into pieces that all lead to each other.
        let ring: Vec<String> = (0..=40)
            .map(|i| std::f64::consts::TAU * f64::from(i % 40) / 40.0)
            .map(|turn| format!("{} {}", 5.0 * turn.cos(), 5.0 * turn.sin()))
            .collect();
        let mesh = mesh(&format!("POLYGON (({}))", ring.join(", ")));
        let bytes = to_detour(&mesh, BODY).unwrap();
        let tile = &bytes[48..];
        let (polygons, vertices) = (int(tile, 24), int(tile, 28));
        assert!(polygons >= 10, "{polygons}");
        let first = 100 + 12 * vertices;
        let short = |polygon: usize, at: usize| {
            let place = first + 32 * polygon + at;
            usize::from(u16::from_le_bytes([tile[place], tile[place + 1]]))
        };
        let neighbours =
            |polygon: usize| (0..6).map(move |side| short(polygon, 16 + 2 * side)).filter(|other| *other > 0);
        let mut reached = std::collections::BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(polygon) = open.pop() {
            for other in neighbours(polygon).map(|other| other - 1) {
                assert!(neighbours(other).any(|back| back == polygon + 1));
                if reached.insert(other) {
                    open.push(other);
                }
            }
        }
        assert_eq!(reached.len(), polygons);
    }

    #[test]
    fn nothing_is_refused() {
        assert!(to_detour(&mesh("POLYGON ((0 0, 1 1, 2 2, 0 0))"), BODY).is_err());
    }
}

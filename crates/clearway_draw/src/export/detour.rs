//! Meshes as Detour reads them: a set of one tile, as RecastDemo saves it.
//!
//! The layout is that of Detour's version 7 with references of 32 bits, little-endian. A polygon has at most six corners,
//! so larger cells are cut along chords. Coordinates are floats; the box tree is quantised.

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_nav::mesh::{CellId, NavMesh};
use std::collections::BTreeMap;

/// The most corners of a polygon in Detour.
const MOST_CORNERS: usize = 6;
/// The most polygons of a tile: the highest bit of a neighbour marks borders of tiles.
const MOST_POLYGONS: usize = 0x7ffe;
/// The most vertices of a tile: they are numbered with 16 bits.
const MOST_VERTICES: usize = 0xfffe;
/// The flag of walkable polygons, as RecastDemo sets it.
const WALK: u16 = 1;
/// The highest value of a quantised coordinate that is used; rounding up must not overflow.
const WIDEST: f32 = 65_000.0;

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

/// A polygon under construction: the numbers of its corners, and beyond each side the polygon there.
#[derive(Clone, Debug)]
struct Piece {
    corners: Vec<Corner>,
    area: u8,
}

/// A corner, and what lies beyond the side that starts there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    vertex: usize,
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

/// Returns a mesh as the bytes of a `.bin` file. `height` gives the height of the ground in metres at a place of a cell.
/// Area classes become Detour's areas. Links are left out. Fails if the mesh exceeds Detour's limits.
pub fn to_detour(
    mesh: &NavMesh,
    body: DetourBody,
    height: impl Fn(CellId, [f64; 2]) -> f64,
) -> Result<Vec<u8>> {
    let (vertices, pieces) = pieces(mesh, height)?;
    let fails = |count: usize, most: usize, what: &str| {
        let message = format!("{count} {what}, but a tile of Detour takes {most} at most");
        Err(Error::new(ErrorKind::OutOfRange, message))
    };
    if vertices.len() > MOST_VERTICES {
        return fails(vertices.len(), MOST_VERTICES, "vertices");
    }
    if pieces.len() > MOST_POLYGONS {
        return fails(pieces.len(), MOST_POLYGONS, "polygons");
    }
    if pieces.is_empty() {
        return Err(Error::new(ErrorKind::Empty, "the mesh has no cells left for such a body"));
    }
    Ok(set_of(&tile(&vertices, &pieces, body), &vertices, pieces.len()))
}

/// Cuts all cells into pieces. Corners at one vertex and one height, to the millimetre, are one.
fn pieces(mesh: &NavMesh, height: impl Fn(CellId, [f64; 2]) -> f64) -> Result<(Vec<[f32; 3]>, Vec<Piece>)> {
    let (mut vertices, mut number_of) = (Vec::new(), BTreeMap::new());
    let (mut pieces, mut chords) = (Vec::new(), 0);
    for cell in mesh.cells() {
        let places: Vec<[f64; 2]> = cell.outline().collect();
        let corners = cell.sides().zip(&places).map(|(side, at)| {
            let up = height(cell.id(), *at);
            let vertex = *number_of.entry((side.from, (up * 1e3).round() as i64)).or_insert_with(|| {
                vertices.push([at[0] as f32, up as f32, -at[1] as f32]);
                vertices.len() - 1
            });
            let beyond = side.portal.map_or(Beyond::Wall, |portal| Beyond::Portal(portal.0));
            Corner { vertex, beyond }
        });
        let mut rest: Vec<Corner> = corners.collect();
        while rest.len() > MOST_CORNERS {
            let Some((first, count)) = shortest_cut(&rest, &vertices) else {
                let message = format!("cell {} cannot be cut to {MOST_CORNERS} corners", cell.id());
                return Err(Error::new(ErrorKind::OutOfRange, message));
            };
            let cut = cut_off(&mut rest, first, count, chords);
            pieces.push(Piece { corners: cut, area: cell.area_class() });
            chords += 1;
        }
        pieces.push(Piece { corners: rest, area: cell.area_class() });
    }
    Ok((vertices, pieces))
}

/// Returns where to cut, and the number of corners cut off: as many as Detour takes, along the shortest chord that leaves
/// area on both sides.
fn shortest_cut(outline: &[Corner], vertices: &[[f32; 3]]) -> Option<(usize, usize)> {
    let at = |index: usize| {
        let [x, _, z] = vertices[outline[index % outline.len()].vertex];
        [f64::from(x), -f64::from(z)]
    };
    let area = |first: usize, count: usize| {
        let origin = at(first);
        let part = |index: usize| {
            let [a, b] = [at(index), at(index + 1)].map(|p| [p[0] - origin[0], p[1] - origin[1]]);
            a[0] * b[1] - a[1] * b[0]
        };
        (first + 1..first + count - 1).map(part).sum::<f64>()
    };
    let length = |first: usize, count: usize| {
        let [a, b] = [at(first), at(first + count - 1)];
        (a[0] - b[0]).hypot(a[1] - b[1])
    };
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

/// Bytes in Detour's order.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn int(&mut self, value: usize) {
        self.0.extend((value as u32).to_le_bytes());
    }

    fn short(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    fn float(&mut self, value: f32) {
        self.0.extend(value.to_le_bytes());
    }
}

/// Returns the least box around vertices.
fn bounds<'a>(vertices: impl Iterator<Item = &'a [f32; 3]> + Clone) -> [[f32; 3]; 2] {
    let side = |start: f32, pick: fn(f32, f32) -> f32| {
        [0, 1, 2].map(|axis| vertices.clone().map(|at| at[axis]).fold(start, pick))
    };
    [side(f32::INFINITY, f32::min), side(f32::NEG_INFINITY, f32::max)]
}

/// Returns the data of the tile: header, vertices, polygons, room for links, fans in place of a detail mesh, box tree.
fn tile(vertices: &[[f32; 3]], pieces: &[Piece], body: DetourBody) -> Vec<u8> {
    let sides: usize = pieces.iter().map(|piece| piece.corners.len()).sum();
    let [low, high] = bounds(vertices.iter());
    let widest = (0..3).map(|axis| high[axis] - low[axis]).fold(1e-3, f32::max);
    let factor = WIDEST / widest;
    let tree = box_tree(vertices, pieces, low, factor);
    let mut bytes = Bytes::default();
    bytes.0.extend(*b"VAND");
    // Version, x, y, layer and user id.
    [7, 0, 0, 0, 0].into_iter().for_each(|value| bytes.int(value));
    let triangles = sides - 2 * pieces.len();
    let counts =
        [pieces.len(), vertices.len(), sides, pieces.len(), 0, triangles, tree.len(), 0, pieces.len()];
    counts.into_iter().for_each(|count| bytes.int(count));
    [body.height, body.radius, body.climb].into_iter().for_each(|length| bytes.float(length as f32));
    low.into_iter().chain(high).chain([factor]).for_each(|value| bytes.float(value));
    vertices.iter().flatten().for_each(|value| bytes.float(*value));
    polygons(&mut bytes, pieces);
    // Links are made by Detour when it loads the tile: 12 bytes each.
    bytes.0.resize(bytes.0.len() + 12 * sides, 0);
    fans(&mut bytes, pieces);
    for node in &tree {
        node.low.iter().chain(&node.high).for_each(|value| bytes.short(*value));
        bytes.0.extend(node.index.to_le_bytes());
    }
    bytes.0
}

/// Writes the polygons, 32 bytes each.
fn polygons(bytes: &mut Bytes, pieces: &[Piece]) {
    let mut owners: BTreeMap<Beyond, Vec<usize>> = BTreeMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        let open = piece.corners.iter().filter(|corner| corner.beyond != Beyond::Wall);
        open.for_each(|corner| owners.entry(corner.beyond).or_default().push(number));
    }
    for (number, piece) in pieces.iter().enumerate() {
        bytes.int(0);
        let padded = |value: &dyn Fn(&Corner) -> u16| -> Vec<u16> {
            let values = piece.corners.iter().map(value);
            values.chain(std::iter::repeat(0)).take(MOST_CORNERS).collect()
        };
        let neighbour = |corner: &Corner| {
            let both = owners.get(&corner.beyond);
            let other = both.and_then(|both| both.iter().find(|other| **other != number));
            // Neighbours count from one; zero is a wall.
            other.map_or(0, |other| *other as u16 + 1)
        };
        padded(&|corner| corner.vertex as u16).into_iter().for_each(|value| bytes.short(value));
        padded(&neighbour).into_iter().for_each(|value| bytes.short(value));
        bytes.short(WALK);
        // The upper two bits of the last byte are the kind of polygon: zero is ground.
        bytes.0.extend([piece.corners.len() as u8, piece.area & 0x3f]);
    }
}

/// Writes a fan of triangles for each polygon: Detour takes heights from them.
fn fans(bytes: &mut Bytes, pieces: &[Piece]) {
    let mut first = 0;
    for piece in pieces {
        let count = piece.corners.len() - 2;
        bytes.int(0);
        bytes.int(first);
        // The last two bytes fill up to a multiple of four.
        bytes.0.extend([0, count as u8, 0, 0]);
        first += count;
    }
    for piece in pieces {
        let corners = piece.corners.len();
        for last in 2..corners {
            // Two bits for each edge say whether it lies on the border of the polygon.
            let first_edge = u8::from(last == 2);
            let last_edge = u8::from(last == corners - 1) << 4;
            bytes.0.extend([0, last as u8 - 1, last as u8, first_edge | 1 << 2 | last_edge]);
        }
    }
}

/// A node of the box tree: a polygon, or minus the number of nodes to skip if its box is missed.
struct Node {
    low: [u16; 3],
    high: [u16; 3],
    index: i32,
}

/// Returns the tree of quantised boxes, in the order in which it is searched.
fn box_tree(vertices: &[[f32; 3]], pieces: &[Piece], origin: [f32; 3], factor: f32) -> Vec<Node> {
    let quantised = |(number, piece): (usize, &Piece)| {
        let [low, high] = bounds(piece.corners.iter().map(|corner| &vertices[corner.vertex]));
        let scaled = |at: [f32; 3], round: fn(f32) -> f32| {
            [0, 1, 2].map(|axis| round((at[axis] - origin[axis]) * factor).clamp(0.0, 65_535.0) as u16)
        };
        Node { low: scaled(low, f32::floor), high: scaled(high, f32::ceil), index: number as i32 }
    };
    let mut leaves: Vec<Node> = pieces.iter().enumerate().map(quantised).collect();
    let mut tree = Vec::with_capacity(2 * pieces.len());
    subdivide(&mut leaves, &mut tree);
    tree
}

/// Appends the tree over some leaves: each half in turn, cut across the longest side of their box.
fn subdivide(leaves: &mut [Node], tree: &mut Vec<Node>) {
    let low = [0, 1, 2].map(|axis| leaves.iter().map(|leaf| leaf.low[axis]).min().unwrap_or(0));
    let high = [0, 1, 2].map(|axis| leaves.iter().map(|leaf| leaf.high[axis]).max().unwrap_or(0));
    if let [leaf] = leaves {
        return tree.push(Node { low, high, index: leaf.index });
    }
    let place = tree.len();
    tree.push(Node { low, high, index: 0 });
    let axis = (0..3).max_by_key(|axis| high[*axis] - low[*axis]).unwrap_or(0);
    leaves.sort_by_key(|leaf| (u32::from(leaf.low[axis]) + u32::from(leaf.high[axis]), leaf.index));
    let (first, second) = leaves.split_at_mut(leaves.len() / 2);
    subdivide(first, tree);
    subdivide(second, tree);
    tree[place].index = -((tree.len() - place) as i32);
}

/// Wraps a tile as RecastDemo does.
fn set_of(tile: &[u8], vertices: &[[f32; 3]], polygons: usize) -> Vec<u8> {
    let [low, high] = bounds(vertices.iter());
    let mut bytes = Bytes::default();
    bytes.0.extend(*b"TESM");
    // Version and number of tiles.
    [1, 1].into_iter().for_each(|value| bytes.int(value));
    low.into_iter().chain([high[0] - low[0], high[2] - low[2]]).for_each(|value| bytes.float(value));
    let most = polygons.next_power_of_two();
    [1, most].into_iter().for_each(|value| bytes.int(value));
    // The reference of the first tile: a salt of one above the bits of polygons.
    [most, tile.len()].into_iter().for_each(|value| bytes.int(value));
    bytes.0.extend(tile);
    bytes.0
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
        let bytes = to_detour(&mesh, BODY, |_, _| 0.0).unwrap();
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
        let bytes = to_detour(&mesh, BODY, |_, _| 0.0).unwrap();
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
        assert!(to_detour(&mesh("POLYGON ((0 0, 1 1, 2 2, 0 0))"), BODY, |_, _| 0.0).is_err());
    }
}

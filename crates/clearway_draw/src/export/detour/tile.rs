//! Bytes as Detour reads them: version 7 with references of 32 bits, little-endian.
//!
//! Coordinates are floats; the box tree is quantised.

use super::{Beyond, Corner, DetourBody, MOST_CORNERS, Piece};
use std::collections::BTreeMap;

/// The flag of walkable polygons, as RecastDemo sets it.
const WALK: u16 = 1;
/// The kind of polygons that stand for off-mesh connections, in the upper two bits of their areas.
const OFF_MESH: u8 = 1 << 6;
/// Says that an off-mesh connection leads to no other tile.
const INSIDE: u8 = 0xff;
/// The least radius in metres within which Detour looks for the ground at the ends of off-mesh connections.
const LEAST_REACH: f64 = 0.1;
/// The links that Detour makes for an off-mesh connection: to and from either end.
const LINKS_OF_CONNECTION: usize = 4;
/// The highest value of a quantised coordinate that is used; rounding up must not overflow.
const WIDEST: f32 = 65_000.0;

/// An off-mesh connection.
pub struct Connection {
    /// Its ends in the world.
    pub ends: [[f64; 3]; 2],
    pub both_ways: bool,
}

/// All that a tile holds.
pub struct Tile {
    pub vertices: Vec<[f32; 3]>,
    pub pieces: Vec<Piece>,
    pub connections: Vec<Connection>,
    pub body: DetourBody,
}

impl Tile {
    /// Returns the set of this one tile, as RecastDemo saves it.
    pub fn set(&self) -> Vec<u8> {
        let [low, high] = self.bounds();
        let tile = self.tile();
        let mut bytes = Bytes::default();
        bytes.0.extend(*b"TESM");
        // Version and number of tiles.
        [1, 1].into_iter().for_each(|value| bytes.int(value));
        low.into_iter().chain([high[0] - low[0], high[2] - low[2]]).for_each(|value| bytes.float(value));
        let most = (self.pieces.len() + self.connections.len()).next_power_of_two();
        [1, most].into_iter().for_each(|value| bytes.int(value));
        // The reference of the first tile: a salt of one above the bits of polygons.
        [most, tile.len()].into_iter().for_each(|value| bytes.int(value));
        bytes.0.extend(tile);
        bytes.0
    }

    /// Returns the box around the ground and the ends of connections.
    fn bounds(&self) -> [[f32; 3]; 2] {
        let details = self.pieces.iter().flat_map(|piece| &piece.detail).flat_map(|detail| &detail.vertices);
        let all: Vec<[f32; 3]> = self.vertices.iter().chain(details).copied().chain(self.ends()).collect();
        bounds(all.iter())
    }

    /// Returns the ends of all connections.
    fn ends(&self) -> impl Iterator<Item = [f32; 3]> + '_ {
        let ends = self.connections.iter().flat_map(|connection| connection.ends);
        ends.map(|end| end.map(|value| value as f32))
    }

    /// Returns the data of the tile: header, vertices, polygons, room for links, detail meshes, box tree, connections.
    fn tile(&self) -> Vec<u8> {
        let Tile { vertices, pieces, connections, body } = self;
        let [low, high] = self.bounds();
        let widest = (0..3).map(|axis| high[axis] - low[axis]).fold(1e-3, f32::max);
        let factor = WIDEST / widest;
        let tree = box_tree(vertices, pieces, low, factor);
        let sides: usize = pieces.iter().map(|piece| piece.corners.len()).sum();
        let links = sides + LINKS_OF_CONNECTION * connections.len();
        let details: Vec<Vec<[u8; 4]>> = pieces.iter().map(triangles).collect();
        let mut bytes = Bytes::default();
        bytes.0.extend(*b"VAND");
        // Version, x, y, layer and user id.
        [7, 0, 0, 0, 0].into_iter().for_each(|value| bytes.int(value));
        let counts = [
            pieces.len() + connections.len(),
            vertices.len() + 2 * connections.len(),
            links,
            pieces.len(),
            pieces.iter().map(|piece| extra(piece).len()).sum(),
            details.iter().map(Vec::len).sum(),
            tree.len(),
            connections.len(),
            pieces.len(),
        ];
        counts.into_iter().for_each(|count| bytes.int(count));
        [body.height, body.radius, body.climb].into_iter().for_each(|length| bytes.float(length as f32));
        low.into_iter().chain(high).chain([factor]).for_each(|value| bytes.float(value));
        vertices.iter().copied().chain(self.ends()).flatten().for_each(|value| bytes.float(value));
        polygons(&mut bytes, pieces);
        self.connection_polygons(&mut bytes);
        // Links are made by Detour when it loads the tile: 12 bytes each.
        bytes.0.resize(bytes.0.len() + 12 * links, 0);
        write_details(&mut bytes, pieces, &details);
        for node in &tree {
            node.low.iter().chain(&node.high).for_each(|value| bytes.short(*value));
            bytes.0.extend(node.index.to_le_bytes());
        }
        self.write_connections(&mut bytes);
        bytes.0
    }

    /// Writes the polygons that stand for connections, two corners each.
    fn connection_polygons(&self, bytes: &mut Bytes) {
        for number in 0..self.connections.len() {
            bytes.int(0);
            let first = self.vertices.len() + 2 * number;
            let corners = [first, first + 1, 0, 0, 0, 0];
            corners.into_iter().for_each(|corner| bytes.short(corner as u16));
            (0..MOST_CORNERS).for_each(|_| bytes.short(0));
            bytes.short(WALK);
            bytes.0.extend([2, OFF_MESH]);
        }
    }

    /// Writes the connections, 36 bytes each. Their user ids are the numbers of the links.
    fn write_connections(&self, bytes: &mut Bytes) {
        for (number, connection) in self.connections.iter().enumerate() {
            connection.ends.into_iter().flatten().for_each(|value| bytes.float(value as f32));
            bytes.float(self.body.radius.max(LEAST_REACH) as f32);
            bytes.short((self.pieces.len() + number) as u16);
            bytes.0.extend([u8::from(connection.both_ways), INSIDE]);
            bytes.int(number);
        }
    }
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

/// Returns the vertices that the detail mesh of a polygon adds.
fn extra(piece: &Piece) -> &[[f32; 3]] {
    piece.detail.as_ref().map_or(&[], |detail| &detail.vertices)
}

/// Returns the triangles that Detour takes the heights of a polygon from: a fan, if its corners tell them.
fn triangles(piece: &Piece) -> Vec<[u8; 4]> {
    if let Some(detail) = &piece.detail {
        return detail.triangles.clone();
    }
    let corners = piece.corners.len();
    let triangle = |last: usize| {
        // Two bits for each edge say whether it lies on the border of the polygon.
        let first_edge = u8::from(last == 2);
        let last_edge = u8::from(last == corners - 1) << 4;
        [0, last as u8 - 1, last as u8, first_edge | 1 << 2 | last_edge]
    };
    (2..corners).map(triangle).collect()
}

/// Writes the detail meshes: their headers, 12 bytes each, then vertices and triangles of all.
fn write_details(bytes: &mut Bytes, pieces: &[Piece], details: &[Vec<[u8; 4]>]) {
    let (mut vertices, mut first) = (0, 0);
    for (piece, triangles) in pieces.iter().zip(details) {
        bytes.int(vertices);
        bytes.int(first);
        // The last two bytes fill up to a multiple of four.
        bytes.0.extend([extra(piece).len() as u8, triangles.len() as u8, 0, 0]);
        vertices += extra(piece).len();
        first += triangles.len();
    }
    pieces.iter().flat_map(extra).flatten().for_each(|value| bytes.float(*value));
    details.iter().flatten().for_each(|triangle| bytes.0.extend(triangle));
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
        let corners = piece.corners.iter().map(|corner| &vertices[corner.vertex]);
        let [low, high] = bounds(corners.chain(extra(piece)));
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

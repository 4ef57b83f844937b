//! What the fuzz targets share: reading structure out of bytes, and the laws that every mesh must obey.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, NavMesh, Plan, Quality};
use clearway_geometry::Point;

/// Bytes read from the front; zeros once they are used up.
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Reads from the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Bytes<'a> {
        Bytes { rest: bytes }
    }

    /// Whether all bytes are used up.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number below `count`, from one byte.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// A number of as many bytes.
    pub fn number(&mut self, bytes: u32) -> u32 {
        (0..bytes).fold(0, |number, _| number << 8 | u32::from(self.byte()))
    }
}

/// How large the grid is that coordinates are read on: small ones make points coincide and align, large ones
/// reach the limits of the arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    bytes: u32,
    count: u32,
    factor: i32,
}

impl Extent {
    /// Reads an extent whose coordinates stay within ±2^27.
    pub fn read(bytes: &mut Bytes<'_>) -> Extent {
        let (bytes, count, factor) = [
            (1, 4, 1),
            (1, 8, 1),
            (1, 16, 1),
            (1, 64, 1),
            (1, 256, 1),
            (2, 1024, 1),
            (1, 16, (1 << 24) - 1),
            (2, 1 << 16, (1 << 12) - 1),
            (4, (1 << 28) - (1 << 20), 1),
        ][bytes.below(9)];
        Extent { bytes, count, factor }
    }

    /// Reads a point.
    pub fn point(self, bytes: &mut Bytes<'_>) -> Point {
        let [x, y] = [0; 2].map(|_| (bytes.number(self.bytes) % self.count) as i32 - (self.count / 2) as i32);
        Point::new(x * self.factor, y * self.factor)
    }
}

/// Reads a plan of at most 40 rings and walls on whole coordinates: outlines, holes, rings without roles, walls.
pub fn read_plan(bytes: &mut Bytes<'_>) -> Plan {
    let extent = Extent::read(bytes);
    let mut plan = Plan::default();
    for _ in 0..40 {
        if bytes.is_empty() {
            break;
        }
        let head = bytes.byte();
        let points = (0..1 + head / 4 % 32).map(|_| extent.point(bytes));
        let chain: Vec<[f64; 2]> = points.map(|p| [f64::from(p.x), f64::from(p.y)]).collect();
        match (head % 4, plan.polygons.last_mut()) {
            (0, Some(polygon)) => polygon.holes.push(chain),
            (0 | 1, _) => plan.polygons.push(PlanPolygon { outline: chain, holes: Vec::new() }),
            (2, _) => plan.rings.push(chain),
            _ => plan.walls.push(chain),
        }
    }
    plan
}

/// Reads options: any quality, exact or relaxed, on a grid of whole coordinates.
pub fn read_options(bytes: &mut Bytes<'_>) -> MeshOptions {
    let choice = bytes.below(3 * 4 * 4);
    MeshOptions::default()
        .quality([Quality::Fast, Quality::Default, Quality::Best][choice % 3])
        .relax_angle([0.0f64, 0.0, 5.0, 60.0][choice / 3 % 4].to_radians())
        .relax_depth([0.0, 0.0, 1.5, 1e6][choice / 12])
        .grid(Some(1.0))
}

/// Fails if the mesh breaks a law, or does not survive encoding; `from` tells what it was made of.
pub fn check_mesh(mesh: &NavMesh, from: &dyn std::fmt::Debug) {
    let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
    assert!(flaws.is_empty(), "{flaws:#?}\nof {from:?}");
    let bytes = mesh.encode();
    let decoded = NavMesh::decode(&bytes);
    assert!(decoded.as_ref() == Ok(mesh), "decoding fails: {:?}\nof {from:?}", decoded.err());
}

/// Twice the area of a mesh on whole coordinates, and the length of its walls.
pub fn doubled_area_and_wall_length(mesh: &NavMesh) -> (i128, f64) {
    let (mut doubled, mut length) = (0, 0.0);
    for side in mesh.cells().flat_map(|cell| cell.sides()) {
        let [[ax, ay], [bx, by]] = [side.from, side.to].map(|v| mesh.position(v).unwrap_or_default());
        doubled += ax as i128 * by as i128 - bx as i128 * ay as i128;
        if side.portal.is_none() {
            length += (bx - ax).hypot(by - ay);
        }
    }
    (doubled, length)
}

/// Reads a plan of at most 12 rings and walls on a small grid, within an outline so that there is room, and builds a
/// mesh of any quality.
pub fn read_small_mesh(bytes: &mut Bytes<'_>) -> Option<(Plan, NavMesh)> {
    let quality = [Quality::Fast, Quality::Default, Quality::Best][bytes.below(3)];
    let size = [8, 16, 32, 250][bytes.below(4)];
    let side = f64::from(size);
    let outline = vec![[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
    let mut plan = Plan::default();
    plan.polygons.push(PlanPolygon { outline, holes: Vec::new() });
    for _ in 0..bytes.below(13) {
        let head = bytes.byte();
        let mut coordinate = || f64::from(u32::from(bytes.byte()) % (size + 1));
        let chain: Vec<[f64; 2]> = (0..2 + head / 2 % 6).map(|_| [coordinate(), coordinate()]).collect();
        match head % 2 {
            0 => plan.polygons[0].holes.push(chain),
            _ => plan.walls.push(chain),
        }
    }
    let mesh = MeshOptions::default().quality(quality).build(&plan).ok()?;
    Some((plan, mesh))
}

/// Reads a place: anywhere on a raster that is finer than that of the corners, up to a little outside.
pub fn read_place(bytes: &mut Bytes<'_>, mesh: &NavMesh) -> [f64; 2] {
    let [low, high] = mesh.bounds().unwrap_or_default();
    let mut share = || f64::from(bytes.number(2) % 33_000) / 32_768.0;
    [0, 1].map(|axis| {
        let place = low[axis] + share() * (high[axis] - low[axis]);
        if (place * 7.0) as i64 % 3 == 0 { (place * 2.0).round() / 2.0 } else { place }
    })
}

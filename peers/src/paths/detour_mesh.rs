//! Convex cells in Detour's form: coordinates of 16 bits, polygons of at most six corners.
//!
//! Cells with more corners are cut along chords, six corners at a time, always at the shortest chord: the fewest
//! pieces, none of them without area.

use std::collections::{HashMap, HashSet};

use clearway::NavMesh;
use clearway::mesh::{CellSide, VertexId};

use super::peer::Point;

/// Corners of a Detour polygon at most.
pub const MOST_CORNERS: usize = 6;
/// The mark of a corner or neighbour that is not there.
const NONE: u16 = 0xffff;
/// The highest bit of a neighbour marks borders of tiles.
const MOST_POLYGONS: usize = 0x8000;
const MOST_VERTICES: usize = 0xffff;
/// The greatest coordinate.
pub const WIDEST: f64 = 65_535.0;

/// Detour's input.
pub struct DetourMesh {
    /// The least corner of the mesh, in plan coordinates.
    pub origin: [f32; 2],
    /// The unit of the vertices: a power of two, so that whole numbers stay exact.
    pub cell_size: f32,
    /// x, height (always 0) and z of every vertex.
    pub vertices: Vec<[u16; 3]>,
    /// Corners, then the neighbours beyond the sides that start there.
    pub polygons: Vec<[u16; 2 * MOST_CORNERS]>,
}

/// A corner of a piece, and whether the side that starts there can be crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Corner {
    vertex: usize,
    open: bool,
}

type Piece = Vec<Corner>;

/// Convex cells before they are cut and rounded.
pub struct Cells {
    positions: Vec<Point>,
    cells: Vec<Piece>,
}

impl Cells {
    /// The cells of our mesh.
    pub fn ours(mesh: &NavMesh) -> Cells {
        let ids = (0..mesh.vertex_count() as u32).map(VertexId);
        let corners = |side: CellSide| Corner { vertex: side.from.index(), open: side.portal.is_some() };
        Cells {
            positions: ids.map(|id| mesh.position(id).unwrap_or_default()).collect(),
            cells: mesh.cells().map(|cell| cell.sides().map(corners).collect()).collect(),
        }
    }

    /// The polygons of a mesh of crate `polyanya`; it can be crossed where two of them share a side.
    pub fn home(mesh: &polyanya::Mesh) -> Cells {
        let polygons = || mesh.layers[0].polygons.iter().map(|polygon| &polygon.vertices);
        let sides = |corners: &Vec<u32>| -> Vec<(u32, u32)> {
            corners.iter().copied().zip(corners.iter().copied().cycle().skip(1)).collect()
        };
        let all: HashSet<(u32, u32)> = polygons().flat_map(sides).collect();
        let corner = |(from, to)| Corner { vertex: from as usize, open: all.contains(&(to, from)) };
        let vertices = mesh.layers[0].vertices.iter();
        Cells {
            positions: vertices.map(|vertex| vertex.coords.as_dvec2().to_array()).collect(),
            cells: polygons().map(|corners| sides(corners).into_iter().map(corner).collect()).collect(),
        }
    }

    fn bounds(&self) -> [Point; 2] {
        let fold = |start: f64, pick: fn(f64, f64) -> f64| {
            self.positions.iter().fold([start; 2], |[x, y], point| [pick(x, point[0]), pick(y, point[1])])
        };
        [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)]
    }
}

impl DetourMesh {
    /// Cuts and rounds; the error says which of Detour's limits the mesh exceeds.
    pub fn of(cells: Cells) -> Result<DetourMesh, String> {
        if cells.positions.len() >= MOST_VERTICES {
            return Err(format!("{} vertices", cells.positions.len()));
        }
        let [low, high] = cells.bounds();
        let width = (high[0] - low[0]).max(high[1] - low[1]);
        let cell_size = (width / WIDEST).log2().ceil().exp2();
        let low = low.map(|value| (value / cell_size).floor() * cell_size);
        let vertices = rounded(&cells.positions, low, cell_size);
        let pieces = pieces_of(cells.cells, &vertices)?;
        if pieces.len() >= MOST_POLYGONS {
            return Err(format!("{} polygons", pieces.len()));
        }
        let polygons = polygons_of(&pieces);
        Ok(DetourMesh { origin: low.map(|v| v as f32), cell_size: cell_size as f32, vertices, polygons })
    }
}

fn rounded(positions: &[Point], low: Point, cell_size: f64) -> Vec<[u16; 3]> {
    let round = |value: f64, low: f64| ((value - low) / cell_size).round().clamp(0.0, WIDEST) as u16;
    positions.iter().map(|[x, y]| [round(*x, low[0]), 0, round(*y, low[1])]).collect()
}

fn pieces_of(cells: Vec<Piece>, vertices: &[[u16; 3]]) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::with_capacity(cells.len());
    for mut rest in cells {
        while rest.len() > MOST_CORNERS {
            let (first, count) =
                shortest_cut(&rest, vertices).ok_or("a cell without area on Detour's grid")?;
            pieces.push(cut_off(&mut rest, first, count));
        }
        pieces.push(rest);
    }
    Ok(pieces)
}

/// Where to cut off as many corners as Detour allows, and how many those are.
fn shortest_cut(piece: &Piece, vertices: &[[u16; 3]]) -> Option<(usize, usize)> {
    let at = |index: usize| vertices[piece[index % piece.len()].vertex].map(i64::from);
    let area = |first: usize, count: usize| -> i64 {
        let ([ox, _, oz], last) = (at(first), first + count - 1);
        let triangle = |index: usize| {
            let ([ax, _, az], [bx, _, bz]) = (at(index), at(index + 1));
            (ax - ox) * (bz - oz) - (az - oz) * (bx - ox)
        };
        (first + 1..last).map(triangle).sum()
    };
    let length = |first: usize, count: usize| {
        let ([ax, _, az], [bx, _, bz]) = (at(first), at(first + count - 1));
        (ax - bx).pow(2) + (az - bz).pow(2)
    };
    (3..=MOST_CORNERS).rev().find_map(|count| {
        let rest = piece.len() + 2 - count;
        let legal = (0..piece.len())
            .filter(|first| area(*first, count) > 0 && area(first + count - 1, rest) > 0)
            .min_by_key(|first| length(*first, count));
        legal.map(|first| (first, count))
    })
}

/// Takes `count` corners from `first` on; both parts keep the chord's ends.
fn cut_off(piece: &mut Piece, first: usize, count: usize) -> Piece {
    piece.rotate_left(first);
    let mut cut: Piece = piece[..count].to_vec();
    cut[count - 1].open = true;
    piece.drain(1..count - 1);
    piece[0].open = true;
    cut
}

/// Corners in the order that faces up with y upwards, which is clockwise in (x, z).
fn polygons_of(pieces: &[Piece]) -> Vec<[u16; 2 * MOST_CORNERS]> {
    let sides = |piece: &Piece| -> Vec<(usize, usize, bool)> {
        let next = piece.iter().cycle().skip(1);
        piece.iter().zip(next).map(|(from, to)| (from.vertex, to.vertex, from.open)).collect()
    };
    let mut owners = HashMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        let open = sides(piece).into_iter().filter(|(.., open)| *open);
        owners.extend(open.map(|(from, to, _)| ((from, to), index as u16)));
    }
    let polygon = |piece: &Piece| {
        let mut polygon = [NONE; 2 * MOST_CORNERS];
        for (place, (from, to, open)) in sides(piece).into_iter().rev().enumerate() {
            polygon[place] = to as u16;
            let beyond = owners.get(&(to, from)).filter(|_| open);
            polygon[MOST_CORNERS + place] = beyond.copied().unwrap_or(NONE);
        }
        polygon
    };
    pieces.iter().map(polygon).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octagon() -> (Piece, Vec<[u16; 3]>) {
        let ring = [[2, 0], [4, 0], [6, 2], [6, 4], [4, 6], [2, 6], [0, 4], [0, 2]];
        let piece = (0..8).map(|vertex| Corner { vertex, open: false }).collect();
        (piece, ring.map(|[x, z]| [x, 0, z]).to_vec())
    }

    #[test]
    fn a_cut_keeps_all_corners_and_opens_the_chord() {
        let (mut piece, vertices) = octagon();
        let (first, count) = shortest_cut(&piece, &vertices).unwrap();
        let cut = cut_off(&mut piece, first, count);
        assert_eq!((cut.len(), piece.len()), (6, 4));
        let polygons = polygons_of(&[cut, piece]);
        let neighbours = |polygon: usize, other: u16| {
            polygons[polygon][MOST_CORNERS..].iter().filter(|beyond| **beyond == other).count()
        };
        assert_eq!((neighbours(0, 1), neighbours(1, 0)), (1, 1));
    }

    #[test]
    fn corners_on_one_line_are_never_a_piece() {
        let ring = [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0], [3, 5]];
        let vertices = ring.map(|[x, z]| [x, 0, z]).to_vec();
        let piece: Piece = (0..8).map(|vertex| Corner { vertex, open: false }).collect();
        let (first, count) = shortest_cut(&piece, &vertices).unwrap();
        assert!((0..count).any(|step| (first + step) % 8 == 7), "{first} {count}");
    }
}

//! Divides a finished mesh into tiles.
//!
//! Every cell is cut by itself; cells agree on the points along a portal, because these depend on the portal alone. A
//! piece belongs to the tile that holds the mean of its corners. Cost: linear in the mesh, plus sorts.

use crate::cut::{self, Cut, Edge, Node, Pieces, Spot};
use crate::ground::Grounds;
use crate::lines::{TileId, TileLines};
use crate::tile::{Tile, TileCell, TileLink, TileSide};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::parallel;
use clearway_base::progress::{NoProgress, Progress, begin};
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellId, LinkEnd};
use std::collections::{BTreeMap, BTreeSet};

/// Divides a mesh into tiles of this size in metres, sorted by number. Tiles without ground are left out.
pub fn divide(mesh: &NavMesh, size: f64) -> Result<Vec<Tile>> {
    divide_with_progress(mesh, size, &mut NoProgress)
}

/// As [`divide`]; `progress` receives the name of each stage.
pub fn divide_with_progress(mesh: &NavMesh, size: f64, progress: &mut dyn Progress) -> Result<Vec<Tile>> {
    let mesh = &*mesh.compacted();
    if mesh.region_count() != mesh.cell_count() {
        let message = "a mesh that was built with relaxation cannot be divided into tiles";
        return Err(Error::new(ErrorKind::Options, message));
    }
    let lines = TileLines::new(mesh.parts().grid, size)?;
    lines.check_count(mesh.bounds())?;
    begin(progress, "cut")?;
    let cells = parallel::map(mesh.cell_count(), |cell| cut_cell(mesh, &lines, cell as u32));
    let world = Pieced::of(mesh, &lines, cells)?;
    begin(progress, "tiles")?;
    let members = world.members();
    let grounds = Grounds::of(mesh, &world, &members);
    let ids: Vec<TileId> = members.keys().copied().collect();
    let mut tiles = parallel::map(ids.len(), |i| world.tile(ids[i], &members[&ids[i]], &grounds));
    let digests = parallel::map(tiles.len(), |i| crate::codec::digest(&tiles[i]));
    let build = digests.into_iter().fold(0xcbf2_9ce4_8422_2325, mixed);
    tiles.iter_mut().for_each(|tile| tile.build = build);
    Ok(tiles)
}

/// Mixes a number into a sum, so that order counts.
fn mixed(sum: u64, number: u64) -> u64 {
    (sum ^ number).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
}

/// Cuts one cell.
fn cut_cell(mesh: &NavMesh, lines: &TileLines, cell: u32) -> Pieces {
    let parts = mesh.parts();
    let range = parts.sides_of(cell);
    let point = |vertex: u32| parts.points[vertex as usize];
    let mut outline = Vec::new();
    for side in range.clone() {
        let next = if side + 1 == range.end { range.start } else { side + 1 };
        let record = parts.sides[side];
        let start = Spot::Vertex(record.vertex);
        if record.portal == NONE {
            let to = parts.sides[next].vertex;
            let (low, high) = (record.vertex.min(to), record.vertex.max(to));
            let ends = [point(low), point(high)];
            cut::add_side(&mut outline, lines, start, Edge::Wall(low, high), ends, record.vertex == high);
        } else {
            let portal = parts.portals[record.portal as usize];
            let is_reversed = portal.cells[0] != cell;
            let edge = Edge::Portal(record.portal);
            cut::add_side(&mut outline, lines, start, edge, portal.vertices.map(point), is_reversed);
        }
    }
    cut::cut(cell, outline, lines)
}

/// A piece of a cell in the whole world.
pub(crate) struct Piece {
    /// The cell.
    pub parent: u32,
    /// Its number among the pieces of the cell.
    pub piece: u32,
    /// The number of pieces of the cell.
    pub pieces: u32,
    /// The tile that it belongs to.
    pub tile: TileId,
    /// Its sides: vertex and portal in the numbers of the whole world.
    pub sides: Vec<(u32, u32)>,
    /// Its corners.
    pub points: Vec<Point>,
}

/// The whole world in pieces.
pub(crate) struct Pieced<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// All pieces, by cell and piece.
    pub pieces: Vec<Piece>,
    /// For each portal the pieces on its sides.
    sides_of: Vec<[u32; 2]>,
    /// The first piece of each cell.
    first_piece: Vec<u32>,
}

impl<'a> Pieced<'a> {
    /// Numbers vertices and portals of all pieces.
    fn of(mesh: &'a NavMesh, lines: &TileLines, cells: Vec<Pieces>) -> Result<Pieced<'a>> {
        let numbers = Numbers::of(mesh, &cells)?;
        let mut pieces = Vec::new();
        let mut first_piece = Vec::with_capacity(cells.len());
        for (parent, cell) in (0u32..).zip(&cells) {
            first_piece.push(pieces.len() as u32);
            for (piece, outline) in (0u32..).zip(&cell.outlines) {
                let kept: Vec<&Node> = outline.iter().filter(|node| numbers.is_used(node.spot)).collect();
                let side = |i: usize| {
                    let (node, next) = (kept[i], kept[(i + 1) % kept.len()]);
                    (numbers.vertex(node.spot), numbers.portal(node.edge, node, next))
                };
                let points: Vec<Point> = kept.iter().map(|node| node.at).collect();
                pieces.push(Piece {
                    parent,
                    piece,
                    pieces: cell.outlines.len() as u32,
                    tile: lines.tile(mean(&points)),
                    sides: (0..kept.len()).map(side).collect(),
                    points,
                });
            }
        }
        let mut sides_of = vec![[NONE; 2]; numbers.portal_count as usize];
        for (number, piece) in (0u32..).zip(&pieces) {
            for (_, portal) in piece.sides.iter().filter(|(_, portal)| *portal != NONE) {
                let pair = &mut sides_of[*portal as usize];
                pair[usize::from(pair[0] != NONE)] = number;
            }
        }
        Ok(Pieced { mesh, pieces, sides_of, first_piece })
    }

    /// Returns the pieces of each tile.
    fn members(&self) -> BTreeMap<TileId, Vec<u32>> {
        let mut members: BTreeMap<TileId, Vec<u32>> = BTreeMap::new();
        for (number, piece) in (0u32..).zip(&self.pieces) {
            members.entry(piece.tile).or_default().push(number);
        }
        members
    }

    /// Makes one tile.
    fn tile(&self, id: TileId, members: &[u32], grounds: &Grounds) -> Tile {
        let pieces = || members.iter().map(|member| &self.pieces[*member as usize]);
        let links = self.links(id);
        let mut neighbours: BTreeSet<TileId> = links.iter().flat_map(|link| link.tiles).collect();
        let all = || pieces().flat_map(|piece| &piece.sides);
        neighbours.extend(all().filter(|side| side.1 != NONE).map(|side| self.beyond(id, side.1)));
        neighbours.remove(&id);
        let neighbours: Vec<TileId> = neighbours.into_iter().collect();
        let mut vertices: Vec<(u32, Point)> = pieces()
            .flat_map(|piece| piece.sides.iter().map(|side| side.0).zip(piece.points.iter().copied()))
            .collect();
        vertices.sort_unstable_by_key(|vertex| vertex.0);
        vertices.dedup();
        let vertex = |number: u32| vertices.partition_point(|known| known.0 < number) as u32;
        let beyond = |portal: u32| match portal {
            NONE => NONE,
            portal => neighbours.binary_search(&self.beyond(id, portal)).map_or(NONE, |place| place as u32),
        };
        let sides = all().map(|(number, portal)| TileSide {
            vertex: vertex(*number),
            portal: *portal,
            beyond: beyond(*portal),
        });
        let sides = sides.collect();
        let cells = members.iter().map(|member| {
            let piece = &self.pieces[*member as usize];
            let (patches, parent_patches, area) = grounds.counts(*member, piece.parent);
            let sides = piece.sides.len() as u32;
            TileCell {
                parent: piece.parent,
                piece: piece.piece,
                pieces: piece.pieces,
                sides,
                patches,
                parent_patches,
                area,
            }
        });
        Tile {
            id,
            build: 0,
            grid: self.mesh.parts().grid,
            first_added: self.mesh.parts().points.len() as u32,
            cells: cells.collect(),
            sides,
            ground: grounds.tile(id, members, |member| self.pieces[member as usize].parent),
            vertices,
            neighbours,
            links,
        }
    }

    /// Returns the tile on the other side of a portal.
    fn beyond(&self, here: TileId, portal: u32) -> TileId {
        let tiles = self.sides_of[portal as usize]
            .map(|piece| self.pieces.get(piece as usize).map(|piece| piece.tile));
        tiles.into_iter().flatten().find(|tile| *tile != here).unwrap_or(here)
    }

    /// Returns the links that start or end in a tile.
    fn links(&self, id: TileId) -> Vec<TileLink> {
        let links = (0u32..).zip(&self.mesh.parts().links).map(|(number, record)| {
            let pieces = record.ends.map(|end| self.piece_at(&end));
            let tiles = pieces.map(|piece| self.pieces[piece as usize].tile);
            let pieces = pieces.map(|piece| self.pieces[piece as usize].piece);
            TileLink { number, record: record.clone(), pieces, tiles }
        });
        links.filter(|link| link.tiles.contains(&id)).collect()
    }

    /// Returns the piece that holds the end of a link, or the one that it is least outside of.
    fn piece_at(&self, end: &LinkEnd) -> u32 {
        let at = self.mesh.parts().grid.units(end.position);
        let depth = |piece: &Piece| {
            let corners = piece.points.iter().zip(piece.points.iter().cycle().skip(1));
            let off = corners.map(|(a, b)| {
                let (a, b) = (a.as_vec2(), b.as_vec2());
                (b - a).cross(at - a) / (b - a).length()
            });
            off.fold(f64::INFINITY, f64::min)
        };
        let first = self.first_piece[end.cell as usize] as usize;
        let own = self.pieces[first..].iter().take_while(|piece| piece.parent == end.cell);
        let best = own.enumerate().max_by(|p, q| depth(p.1).total_cmp(&depth(q.1)));
        (first + best.map_or(0, |best| best.0)) as u32
    }
}

/// The numbers of vertices and portals in the whole world.
struct Numbers<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// All cells in pieces.
    cells: &'a [Pieces],
    /// The added points that a cut uses, sorted.
    used: Vec<(Edge, u32)>,
    /// For each portal of the mesh, the number of its first part; one more entry ends the last.
    portal_base: Vec<u32>,
    /// For each cell, the number of its first cut among all cuts.
    first_cut: Vec<u32>,
    /// For each cut, the number of its first part; one more entry ends the last.
    cut_base: Vec<u32>,
    /// The number of portals.
    portal_count: u32,
}

impl<'a> Numbers<'a> {
    fn of(mesh: &'a NavMesh, cells: &'a [Pieces]) -> Result<Numbers<'a>> {
        let cuts = || cells.iter().flat_map(|cell| &cell.cuts);
        let mut used: Vec<(Edge, u32)> = cuts().flat_map(|cut| cut.spots).filter_map(added).collect();
        used.sort_unstable();
        used.dedup();
        if mesh.parts().points.len() + used.len() >= NONE as usize {
            return Err(Error::new(ErrorKind::TooLarge, "there are more vertices than 32 bits can number"));
        }
        let mut numbers = Numbers {
            mesh,
            cells,
            used,
            portal_base: Vec::new(),
            first_cut: Vec::new(),
            cut_base: Vec::new(),
            portal_count: 0,
        };
        let mut next = 0;
        for portal in 0..mesh.portal_count() as u32 {
            numbers.portal_base.push(next);
            next += numbers.steps(Edge::Portal(portal)).len() as u32 + 1;
        }
        for (cell, pieces) in (0u32..).zip(cells) {
            numbers.first_cut.push(numbers.cut_base.len() as u32);
            for cut in 0..pieces.cuts.len() as u32 {
                numbers.cut_base.push(next);
                next += numbers.steps(Edge::Cut(cell, cut)).len() as u32 + 1;
            }
        }
        numbers.portal_count = next;
        Ok(numbers)
    }

    /// Returns the added points of an edge that are used.
    fn steps(&self, edge: Edge) -> &[(Edge, u32)] {
        let from = self.used.partition_point(|known| known.0 < edge);
        let count = self.used[from..].partition_point(|known| known.0 == edge);
        &self.used[from..from + count]
    }

    fn is_used(&self, spot: Spot) -> bool {
        added(spot).is_none_or(|key| self.used.binary_search(&key).is_ok())
    }

    /// Returns the number of a vertex.
    fn vertex(&self, spot: Spot) -> u32 {
        match spot {
            Spot::Vertex(vertex) => vertex,
            Spot::Added { edge, step } => {
                let place = self.used.partition_point(|known| *known < (edge, step));
                (self.mesh.parts().points.len() + place) as u32
            }
        }
    }

    /// Returns the number of the portal between two nodes on an edge; `NONE` for a wall.
    fn portal(&self, edge: Edge, node: &Node, next: &Node) -> u32 {
        let (base, start) = match edge {
            Edge::Wall(..) => return NONE,
            Edge::Portal(portal) => {
                let vertex = self.mesh.parts().portals[portal as usize].vertices[0];
                (self.portal_base[portal as usize], Spot::Vertex(vertex))
            }
            Edge::Cut(cell, cut) => {
                let Cut { spots } = self.cells[cell as usize].cuts[cut as usize];
                (self.cut_base[(self.first_cut[cell as usize] + cut) as usize], spots[0])
            }
        };
        let step = |node: &Node| match node.spot {
            Spot::Added { edge: of, step } if of == edge => step,
            spot if spot == start => 0,
            _ => u32::MAX,
        };
        let first = step(node).min(step(next));
        base + self.steps(edge).partition_point(|known| known.1 <= first && first != 0) as u32
    }
}

/// Returns the key of an added point.
fn added(spot: Spot) -> Option<(Edge, u32)> {
    match spot {
        Spot::Vertex(_) => None,
        Spot::Added { edge, step } => Some((edge, step)),
    }
}

/// Returns the mean of the corners, rounded down.
fn mean(points: &[Point]) -> Point {
    let count = points.len().max(1) as i64;
    let middle = |of: fn(&Point) -> i32| {
        (points.iter().map(|p| i64::from(of(p))).sum::<i64>()).div_euclid(count) as i32
    };
    Point::new(middle(|p| p.x), middle(|p| p.y))
}

/// True if two convex polygons have inner points in common.
pub(crate) fn overlap(one: &[Point], other: &[Point]) -> bool {
    let parts = |one: &[Point], other: &[Point]| {
        let following = one.iter().skip(1).chain(one.first());
        one.iter().zip(following).any(|(a, b)| other.iter().all(|p| orient(*a, *b, *p) <= 0))
    };
    !parts(one, other) && !parts(other, one)
}

/// Returns the area class of a cell.
pub(crate) fn area_of(mesh: &NavMesh, cell: u32) -> u8 {
    mesh.cell(CellId(cell)).map_or(0, |cell| cell.area_class())
}

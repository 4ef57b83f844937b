//! The `.nav` format: a mesh as bytes, and back.
//!
//! All numbers are little endian. A file is a header, a table of sections, and the sections in the order of the table.
//! Each section starts at the next multiple of 8 bytes; the bytes between are zero, and nothing follows the last.
//!
//! | offset | size | content |
//! |---|---|---|
//! | 0 | 8 | `CLEARWAY` |
//! | 8 | 4 | version: 2 for the mesh of a plan, 3 for the mesh of a scene or of a plan with area classes |
//! | 12 | 4 | flags: 1 with links, 2 with a path index, 4 with doors, 8 with named places, 16 with fixtures; sums for several |
//! | 16 | 4 | number of sections, 6 or 12, one more with links, doors and places each, two more with fixtures and with a path index each |
//! | 20 | 4 | zero |
//! | 24 | 8 | [checksum](container::checksum) of all bytes from 32 on |
//! | 32 | 24 each | section table: name (8 bytes, zero-filled), offset from the start of the file (8), length (8) |
//!
//! | section | element | content |
//! |---|---|---|
//! | `grid` | 24, once | origin x, y (`f64`); exponent of the unit (`i32`); zero (`u32`) |
//! | `points` | 8 per vertex | grid coordinates x, y (`i32`), each of size below 2^28 |
//! | `cells` | 12 per cell | number of sides, region, component (`u32`) |
//! | `sides` | 8 per side | vertex where it starts; portal, or 2^32 − 1 for a wall (`u32`); cell after cell |
//! | `portals` | 8 per portal | number of peaks (`u32`); critical radius (`f32`) |
//! | `peaks` | 24 per peak | position, height, dip, parents and widths in both cells, see [`peaks`] |
//! | `links` | 64 and its texts per link | only with links, see [`links`] |
//! | `doors` | 4 per open door | only with doors: their portals (`u32`), ascending |
//! | `places` | 16, points and texts per place | only with named places, see [`places`] |
//! | `built`, `fixtures` | | only with fixtures, see [`fixtures`] |
//! | `landmark`, `tangents` | | only with a path index, see [`path_index`] |
//!
//! Version 3 has six more sections with the ground of a scene: see [`relief`].
//!
//! The format is canonical: nothing is stored twice, so equal meshes have equal bytes. Every accepted file of version 2
//! or 3 is exactly what [`NavMesh::encode`] or [`NavMesh::encode_with_index`] would write. The starts of sides, the cells of portals and the number of
//! regions follow from the rest.
//!
//! Clearances follow from the rest as well, but not quickly. So they are stored and trusted; [`NavMesh::check`]
//! computes them anew and compares, and so is the path index. A version has its sections in this order and no others,
//! except for those that flags announce: a new section means a new version or a new flag. Version 1 has the first four sections.

mod container;
mod file;
mod fixtures;
mod links;
mod path_index;
mod peaks;
mod places;
mod relief;
#[cfg(test)]
mod scene_tests;
#[cfg(test)]
mod tests;

use crate::clearance::check;
use crate::mesh::{Derived, Flaw, FlawKind, Flaws, MeshParts, NavMesh, PortalRecord, Side, check_structure};
use crate::query::check_links;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{Grid, NONE, Point};
use container::Version;
pub use file::MAX_MESH_BYTES;
use std::sync::Arc;

/// The sections of the mesh itself, which every version has.
const MESH_SECTIONS: [&str; 4] = ["grid", "points", "cells", "sides"];

/// The sections of the clearances, from version 2 on.
const PEAK_SECTIONS: [&str; 2] = ["portals", "peaks"];

/// The section of the links.
const LINK_SECTION: &str = "links";

/// The section of the doors.
const DOOR_SECTION: &str = "doors";

/// The section of the named places.
const PLACE_SECTION: &str = "places";

/// The sections of the path index, the last ones if they are present.
const INDEX_SECTIONS: [&str; 2] = ["landmark", "tangents"];

impl NavMesh {
    /// Returns the mesh as the bytes of a `.nav` file; equal meshes give equal bytes.
    ///
    /// ```
    /// # use clearway::{MeshOptions, NavMesh, Plan};
    /// let plan = Plan::from_rings([vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]]);
    /// let mesh = MeshOptions::default().build(&plan)?;
    /// assert_eq!(NavMesh::decode(&mesh.encode())?, mesh);
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        self.compacted().encode_sections(false)
    }

    /// As [`encode`](NavMesh::encode), with the path index that [`prepare_paths`](NavMesh::prepare_paths) makes, so that
    /// whoever reads the file need not make it. The index is made first if it is not there. On a mesh that is too large
    /// for it, the file has none.
    pub fn encode_with_index(&self) -> Vec<u8> {
        let mesh = self.compacted();
        mesh.prepare_paths();
        mesh.encode_sections(mesh.tangents().is_some())
    }

    /// Returns the bytes of a file, with the path index or without it.
    fn encode_sections(&self, with_index: bool) -> Vec<u8> {
        let mut sections = vec![
            encode_grid(self.parts.grid),
            self.parts.points.iter().flat_map(|p| [p.x, p.y]).flat_map(i32::to_le_bytes).collect(),
            encode_cells(self),
            self.parts.sides.iter().flat_map(|s| [s.vertex, s.portal]).flat_map(u32::to_le_bytes).collect(),
            peaks::encode_portals(self.peak_graph()),
            peaks::encode_peaks(self.peak_graph()),
        ];
        sections.extend(self.parts.relief.iter().flat_map(|relief| relief::encode(relief)));
        let mut flags = 0;
        if !self.parts.links.is_empty() {
            flags |= container::LINKS;
            sections.push(links::encode(&self.parts.links));
        }
        if !self.parts.doors.is_empty() {
            flags |= container::DOORS;
            sections.push(self.parts.doors.iter().flat_map(|portal| portal.to_le_bytes()).collect());
        }
        if !self.parts.places.is_empty() {
            flags |= container::PLACES;
            sections.push(places::encode(&self.parts.places));
        }
        if let Some(fixtures) = &self.parts.fixtures {
            flags |= container::FIXTURES;
            sections.extend(fixtures::encode(fixtures));
        }
        if with_index {
            flags |= container::INDEX;
            sections.extend(path_index::encode(self));
        }
        let version = if self.parts.relief.is_some() { Version::Scene } else { Version::Plan };
        container::pack(version, &sections, flags)
    }

    /// Reads a mesh from the bytes of a `.nav` file and trusts none of them. Whatever is accepted can be asked anything
    /// without a panic, and every search on it ends. [`check`](NavMesh::check) decides whether cells overlap.
    pub fn decode(bytes: &[u8]) -> Result<NavMesh> {
        decode_through(NavMesh::from_parts, bytes)
    }

    /// As [`decode`](NavMesh::decode), but cells need not be convex.
    #[cfg(test)]
    pub(crate) fn decode_any_shape(bytes: &[u8]) -> Result<NavMesh> {
        decode_through(NavMesh::from_parts_of_any_shape, bytes)
    }

    /// Returns every flaw of a `.nav` file: first of its bytes, then of the mesh in it, as [`check`](NavMesh::check)
    /// lists them. It goes on where [`decode`](NavMesh::decode) would stop, for instance after a wrong checksum. Fails
    /// only if the bytes are not a `.nav` file of a known version.
    pub fn diagnose(bytes: &[u8]) -> Result<Vec<Flaw>> {
        container::recognise(bytes)?;
        let mut flaws = Flaws::default();
        if let Some((parts, rest)) = read(bytes, &mut flaws) {
            let mesh = NavMesh::unchecked(parts);
            let mut of_structure = Flaws::default();
            check_structure(&mesh, &mut of_structure);
            // Clearances, ground and links refer to cells and portals by id: they need a sound structure.
            let mesh = match of_structure.first() {
                None => with_rest(bytes, mesh, rest, &mut flaws),
                Some(_) => mesh,
            };
            check(&mesh, &mut flaws);
        }
        Ok(flaws.into_list())
    }
}

/// A way to make a mesh of its parts.
type Gate = fn(MeshParts) -> std::result::Result<NavMesh, Vec<Flaw>>;

/// Reads a mesh from the bytes of a `.nav` file. Its parts pass the gate before the rest is read.
fn decode_through(gate: Gate, bytes: &[u8]) -> Result<NavMesh> {
    container::recognise(bytes)?;
    let mut flaws = Flaws::default();
    let read = read(bytes, &mut flaws);
    refuse(&flaws)?;
    let Some((parts, rest)) = read else {
        return Err(Error::new(ErrorKind::Syntax, "the mesh cannot be read"));
    };
    let mesh = gate(parts).map_err(|flaws| Error::new(ErrorKind::Syntax, flaws[0].to_string()))?;
    let mesh = with_rest(bytes, mesh, rest, &mut flaws);
    refuse(&flaws)?;
    Ok(mesh)
}

/// Fails with the first flaw, if there is one.
fn refuse(flaws: &Flaws) -> Result<()> {
    flaws.first().map_or(Ok(()), |flaw| Err(Error::new(ErrorKind::Syntax, flaw.to_string())))
}

/// Adds the stored clearances, ground, links, places and path index to a mesh of sound structure.
fn with_rest(bytes: &[u8], mesh: NavMesh, mut sections: Vec<&[u8]>, flaws: &mut Flaws) -> NavMesh {
    let flags = container::flags(bytes);
    let tangents = sections.pop_if(|_| flags & container::INDEX != 0);
    let landmarks = sections.pop_if(|_| flags & container::INDEX != 0);
    let fixtures = sections.pop_if(|_| flags & container::FIXTURES != 0);
    let built = sections.pop_if(|_| flags & container::FIXTURES != 0);
    let places = sections.pop_if(|_| flags & container::PLACES != 0);
    let doors = sections.pop_if(|_| flags & container::DOORS != 0);
    let links = sections.pop_if(|_| flags & container::LINKS != 0);
    let mut mesh = with_ground(mesh, &sections, flaws);
    if let (Some(section), None) = (links, flaws.first()) {
        mesh.parts.links = links::read(section, flaws).unwrap_or_default();
        check_links(&mesh, flaws);
    }
    if let (Some(section), None) = (doors, flaws.first()) {
        mesh.parts.doors = read_doors(section, mesh.parts.portals.len(), flaws);
    }
    if let (Some(section), None) = (places, flaws.first()) {
        mesh.parts.places = places::read(section, flaws).unwrap_or_default();
    }
    if let (Some(built), Some(fixtures), None) = (built, fixtures, flaws.first()) {
        mesh.parts.fixtures = fixtures::read(built, fixtures, flaws).map(Arc::new);
    }
    if let (Some(landmarks), Some(tangents), None) = (landmarks, tangents, flaws.first()) {
        path_index::read(&mesh, landmarks, tangents, flaws);
    }
    mesh
}

/// Adds the stored clearances and ground to a mesh of sound structure. Does nothing if the file has none or a flaw was
/// found before.
fn with_ground(mut mesh: NavMesh, sections: &[&[u8]], flaws: &mut Flaws) -> NavMesh {
    let (Some(([portals, peaks], ground)), None) = (sections.split_first_chunk(), flaws.first()) else {
        return mesh;
    };
    if let Some(graph) = peaks::read(&mesh, portals, peaks, flaws) {
        mesh.peaks = Derived::from(graph);
    }
    if let Some(ground) = ground.first_chunk() {
        mesh.parts.relief = relief::read(&mesh, *ground, flaws).map(Arc::new);
        // The graph derived so far took the mesh for the mesh of a plan.
        mesh.graph = Derived::default();
    }
    mesh
}

/// Reads the portals of open doors. Notes a flaw unless they ascend and exist.
fn read_doors(section: &[u8], portals: usize, flaws: &mut Flaws) -> Vec<u32> {
    let doors: Vec<u32> = words(section, DOOR_SECTION, flaws).map(|[portal]| portal).collect();
    let ascends = doors.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascends || doors.last().is_none_or(|last| *last as usize >= portals) {
        let detail = "section doors: the doors are not portals in ascending order";
        flaws.note(|| Flaw::new(FlawKind::Section, detail.to_string()));
        return Vec::new();
    }
    doors
}

/// Encodes the grid: origin, exponent of the unit, padding.
fn encode_grid(grid: Grid) -> Vec<u8> {
    // Adding zero turns -0.0 into 0.0: equal origins must have equal bytes.
    let mut bytes: Vec<u8> = grid.origin().into_iter().flat_map(|c| (c + 0.0).to_le_bytes()).collect();
    bytes.extend(grid.exponent().to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes
}

/// Encodes the number of sides, the region and the component of each cell.
fn encode_cells(mesh: &NavMesh) -> Vec<u8> {
    let counts = mesh.parts.first_side.windows(2).map(|ends| ends[1].wrapping_sub(ends[0]));
    let groups = mesh.parts.cell_region.iter().zip(&mesh.parts.cell_component);
    let words = counts.zip(groups).flat_map(|(count, (region, component))| [count, *region, *component]);
    words.flat_map(u32::to_le_bytes).collect()
}

/// Reads as much of the mesh itself as can be read, and returns the sections that follow. `None` if there are no
/// sections to read from.
fn read<'a>(bytes: &'a [u8], flaws: &mut Flaws) -> Option<(MeshParts, Vec<&'a [u8]>)> {
    let sections = container::unpack(bytes, flaws)?;
    let [grid, points, cells, sides] = *sections.first_chunk()?;
    let grid = read_grid(grid, flaws)?;
    let points = words(points, "points", flaws).map(|[x, y]| Point::new(x as i32, y as i32)).collect();
    let sides: Vec<Side> =
        words(sides, "sides", flaws).map(|[vertex, portal]| Side { vertex, portal }).collect();
    let cells: Vec<[u32; 3]> = words(cells, "cells", flaws).collect();
    let mut first_side = Vec::with_capacity(cells.len() + 1);
    first_side.push(0u32);
    // Sums saturate: absurd counts end beyond the list, and the check of the structure reports them.
    first_side.extend(cells.iter().scan(0u32, |end, [count, ..]| {
        *end = end.saturating_add(*count);
        Some(*end)
    }));
    let portals = portals_of(&sides, &first_side);
    let count = |group: usize| cells.iter().map(|cell| cell[group].saturating_add(1)).max().unwrap_or(0);
    let parts = MeshParts {
        points,
        first_side,
        sides,
        cell_region: cells.iter().map(|cell| cell[1]).collect(),
        cell_component: cells.iter().map(|cell| cell[2]).collect(),
        portals,
        region_count: count(1),
        component_count: count(2),
        ..MeshParts::empty(grid)
    };
    Some((parts, sections.get(MESH_SECTIONS.len()..).unwrap_or_default().to_vec()))
}

/// Returns the elements of a section, `N` words of 32 bits each; notes a flaw if bytes are left over.
fn words<'a, const N: usize>(
    section: &'a [u8],
    name: &str,
    flaws: &mut Flaws,
) -> impl Iterator<Item = [u32; N]> + use<'a, N> {
    let (words, rest) = section.as_chunks::<4>();
    let (elements, spare) = words.as_chunks::<N>();
    if !rest.is_empty() || !spare.is_empty() {
        let detail = || format!("section {name}: {} bytes are no multiple of {}", section.len(), 4 * N);
        flaws.note(|| Flaw::new(FlawKind::Section, detail()));
    }
    elements.iter().map(|element| element.map(u32::from_le_bytes))
}

/// Reads the grid. If it is invalid, plain grid units stand in, so that the rest can be checked.
fn read_grid(section: &[u8], flaws: &mut Flaws) -> Option<Grid> {
    let mut wrong =
        |detail: String| flaws.note(|| Flaw::new(FlawKind::Section, format!("section grid: {detail}")));
    let plain = Grid::new([0.0, 0.0], 0);
    let Some([x, y, last]) = section.as_chunks::<8>().0.first_chunk::<3>() else {
        wrong(format!("has {} bytes instead of 24", section.len()));
        return plain;
    };
    let origin = [x, y].map(|bytes| f64::from_le_bytes(*bytes));
    let (exponent, rest) = (u64::from_le_bytes(*last) as u32 as i32, u64::from_le_bytes(*last) >> 32);
    if section.len() != 24 || rest != 0 {
        wrong("has more than an origin and an exponent".to_string());
    }
    if origin.iter().any(|c| c.to_bits() == (-0.0f64).to_bits()) {
        wrong("the origin has a negative zero".to_string());
    }
    let grid = Grid::new(origin, exponent);
    if grid.is_none() {
        let [x, y] = origin;
        wrong(format!("origin ({x:?}, {y:?}) and exponent {exponent} make no sense; going on in grid units"));
    }
    grid.or(plain)
}

/// Returns the portals that the sides name. The first side of a portal gives its vertices and one cell, the second side
/// gives the cell beyond. Portals that do not lie on two sides are left for the check to report.
fn portals_of(sides: &[Side], first_side: &[u32]) -> Vec<PortalRecord> {
    // A portal has two sides, so higher ids cannot be right; nothing is allocated for them.
    let named = sides.iter().map(|side| side.portal).filter(|portal| (*portal as usize) < sides.len() / 2);
    let count = named.max().map_or(0, |last| last as usize + 1);
    let mut portals = vec![PortalRecord { vertices: [0; 2], cells: [0; 2] }; count];
    let mut seen = vec![false; count];
    for (cell, ends) in first_side.windows(2).enumerate() {
        let sides = sides.get(ends[0] as usize..ends[1] as usize).unwrap_or_default();
        let following = sides.iter().cycle().skip(1);
        for (side, next) in sides.iter().zip(following).filter(|(side, _)| side.portal != NONE) {
            let Some(portal) = portals.get_mut(side.portal as usize) else { continue };
            if !seen[side.portal as usize] {
                *portal = PortalRecord { vertices: [side.vertex, next.vertex], cells: [cell as u32; 2] };
                seen[side.portal as usize] = true;
            }
            portal.cells[1] = cell as u32;
        }
    }
    portals
}

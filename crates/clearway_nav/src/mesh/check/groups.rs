//! Components are the connected pieces of the mesh. Regions are connected through portals between their own cells, and
//! so lie within one component each. Cost: nearly linear, by union-find.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::sides::Sides;
use clearway_geometry::{DisjointSets, NONE};

/// The connected pieces of the mesh, found anew.
pub(super) struct Pieces {
    /// For each cell, the number of its piece.
    pub of_cell: Vec<u32>,
    /// The number of pieces.
    pub count: u32,
}

/// Notes components and regions that are not connected as they claim. Returns the connected pieces.
pub(super) fn check(sides: &Sides<'_>, flaws: &mut Flaws) -> Pieces {
    let mesh = sides.mesh;
    for (portal, record) in mesh.parts.portals.iter().enumerate() {
        let [a, b] = record.cells.map(|cell| mesh.parts.cell_component[cell as usize]);
        if a != b {
            let detail = || format!("joins components {a} and {b}");
            let flaw = || Flaw::new(FlawKind::Component, detail()).vertex(mesh, record.vertices[0]);
            flaws.note(|| flaw().portal(portal as u32));
        }
    }
    let pieces = connected(sides, |_, _| true);
    note_scattered(sides, "component", &mesh.parts.cell_component, &pieces, flaws);
    let in_regions =
        connected(sides, |a, b| mesh.parts.cell_region[a as usize] == mesh.parts.cell_region[b as usize]);
    note_scattered(sides, "region", &mesh.parts.cell_region, &in_regions, flaws);
    pieces
}

/// Notes each group whose cells lie in more than one piece, once for each further piece.
fn note_scattered(sides: &Sides<'_>, what: &str, groups: &[u32], pieces: &Pieces, flaws: &mut Flaws) {
    let kind = if what == "region" { FlawKind::Region } else { FlawKind::Component };
    let mut home = vec![NONE; groups.len()];
    let mut seen = vec![false; pieces.count as usize];
    for (cell, group) in groups.iter().enumerate() {
        let first = &mut home[*group as usize];
        if *first == NONE {
            *first = cell as u32;
        }
        let (here, there) = (pieces.of_cell[cell], pieces.of_cell[*first as usize]);
        // One report for each stray piece: a large piece would otherwise fill the list.
        if here != there && !seen[here as usize] {
            seen[here as usize] = true;
            let detail = || format!("is in {what} {group} like cell {first}, but is not connected to it");
            let corner = sides.from(sides.of_cell(cell as u32).start);
            let at = sides.mesh.parts.grid.world(sides.point(corner));
            flaws.note(|| Flaw::new(kind, detail()).cell(cell as u32).at(at));
        }
    }
}

/// Returns the pieces that portals connect; `joins` decides whether a portal between two cells counts.
fn connected(sides: &Sides<'_>, joins: impl Fn(u32, u32) -> bool) -> Pieces {
    let twins = sides.all().map(|side| (side, sides.twin(side))).filter(|(_, twin)| *twin != NONE);
    let pairs = twins.map(|(side, twin)| (sides.cell(side), sides.cell(twin))).filter(|(a, b)| joins(*a, *b));
    let (of_cell, count) = DisjointSets::joined(sides.mesh.cell_slots(), pairs).numbered();
    Pieces { of_cell, count }
}

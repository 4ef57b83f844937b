//! Components are the connected pieces of the mesh; regions are connected through portals of their own, and so
//! lie within one component each.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::sides::Sides;
use clearway_geometry::{DisjointSets, NONE};

/// For each cell, the number of the connected piece it lies in.
pub(super) struct Pieces {
    pub of_cell: Vec<u32>,
    pub count: u32,
}

/// Notes components and regions that are not what they claim to be; gives the connected pieces.
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

/// Notes groups whose cells lie in more than one piece, once for each further piece.
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
        if here != there && !seen[here as usize] {
            seen[here as usize] = true;
            let detail = || format!("is in {what} {group} like cell {first}, but is not connected to it");
            let corner = sides.from(sides.of_cell(cell as u32).start);
            let at = sides.mesh.parts.grid.world(sides.point(corner));
            flaws.note(|| Flaw::new(kind, detail()).cell(cell as u32).at(at));
        }
    }
}

/// The pieces that portals connect, where `joins` allows to step from one cell to the other.
fn connected(sides: &Sides<'_>, joins: impl Fn(u32, u32) -> bool) -> Pieces {
    let twins = sides.all().map(|side| (side, sides.twin(side))).filter(|(_, twin)| *twin != NONE);
    let pairs = twins.map(|(side, twin)| (sides.cell(side), sides.cell(twin))).filter(|(a, b)| joins(*a, *b));
    let (of_cell, count) = DisjointSets::joined(sides.mesh.cell_count(), pairs).numbered();
    Pieces { of_cell, count }
}

//! Checks whether the links of a mesh, which may come from a file, fit this mesh.

use super::{Location, in_world};
use crate::mesh::{CellId, Flaw, FlawKind, Flaws, Link, LinkEnd, LinkRecord, MAX_LINKS, NavMesh};
use std::collections::BTreeMap;

impl LinkEnd {
    /// Returns the end as a location of its mesh.
    pub(crate) fn location(&self) -> Location {
        Location { cell: CellId(self.cell), position: self.position }
    }
}

/// Notes links with wrong fields, links with the name of another, and links that do not end on the mesh. The mesh
/// itself must be sound.
pub(crate) fn check_links(mesh: &NavMesh, flaws: &mut Flaws) {
    if mesh.parts.links.len() > MAX_LINKS {
        let detail = || format!("there are {} links; {MAX_LINKS} are allowed", mesh.parts.links.len());
        flaws.note(|| Flaw::new(FlawKind::Link, detail()));
    }
    let mut names = BTreeMap::new();
    for (number, link) in mesh.parts.links.iter().enumerate() {
        let about =
            |detail: String| Flaw::new(FlawKind::Link, format!("link {number} {:?}: {detail}", link.name));
        if let Some(first) = names.insert(link.name.as_str(), number) {
            flaws.note(|| about(format!("has the name of link {first}")));
        }
        if let Some((field, why)) = bare(link).flaw() {
            flaws.note(|| about(format!("{field}: {why}")));
        }
        for (field, end) in ["from", "to"].into_iter().zip(link.ends) {
            if !mesh.is_here(&end.location()) {
                let detail = format!("{field}: cell {} does not hold its place", end.cell);
                flaws.note(|| about(detail).at(end.position));
            }
        }
    }
}

/// Returns a link without its heights, because these need a sound mesh.
fn bare(record: &LinkRecord) -> Link {
    record.between(record.ends.map(|end| in_world(end.position, 0.0)))
}

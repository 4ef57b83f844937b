//! The kinds of flaws of a mesh, and the list that collects them.

use crate::mesh::{CellId, NavMesh, PortalId, VertexId};
use std::fmt;

/// The largest number of flaws in a list. One more entry then reports the number left out. A broken large mesh would
/// otherwise give millions of messages.
pub const MAX_FLAWS: usize = 1000;

/// The law that a flaw breaks. The names are stable: scripts may rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FlawKind {
    /// A `.nav` file does not begin as it must, or has bytes that belong to nothing.
    Header,
    /// The content of a `.nav` file does not match its checksum.
    Checksum,
    /// A section of a `.nav` file is missing, misplaced or malformed.
    Section,
    /// The lists of the mesh do not fit each other. Its stable name is `layout`.
    Layout,
    /// A number names a vertex, portal, cell, region or component that does not exist.
    Index,
    /// A vertex lies outside the grid.
    Coordinate,
    /// A vertex, portal, region or component is not used by any cell.
    Unused,
    /// Things are not numbered in the order in which they first appear.
    Order,
    /// A portal does not join exactly two cells along one side each, in opposite directions.
    Portal,
    /// Two vertices lie at one point.
    Duplicate,
    /// A side starts and ends at one point.
    ZeroSide,
    /// A cell does not run counter-clockwise around a positive area.
    Area,
    /// A corner is wider than π.
    Reflex,
    /// A cell winds around itself more than once.
    Turning,
    /// A vertex lies inside a side.
    TJunction,
    /// Two sides cross.
    Crossing,
    /// Two cells overlap.
    Overlap,
    /// The cells around a vertex fill more than a full turn, leave a gap without a wall, or form several rows.
    Fold,
    /// Cells meet or lie over each other at heights where nobody can walk.
    Height,
    /// Cells, portals, inner vertices and border loops break Euler's formula.
    Euler,
    /// Components are not the connected pieces of the mesh.
    Component,
    /// A region is not connected through portals between its own cells.
    Region,
    /// A portal could be removed and its two cells would stay convex.
    Removable,
    /// A stored clearance differs from the one that the walls allow.
    Clearance,
    /// The stored path index is not that of the mesh.
    PathIndex,
    /// A link does not end on the mesh, or one of its fields is wrong.
    Link,
    /// The list is full; this entry counts the flaws left out.
    More,
}

impl FlawKind {
    /// Returns the stable short name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FlawKind::Header => "header",
            FlawKind::Checksum => "checksum",
            FlawKind::Section => "section",
            FlawKind::Layout => "layout",
            FlawKind::Index => "index",
            FlawKind::Coordinate => "coordinate",
            FlawKind::Unused => "unused",
            FlawKind::Order => "order",
            FlawKind::Portal => "portal",
            FlawKind::Duplicate => "duplicate",
            FlawKind::ZeroSide => "zero-side",
            FlawKind::Area => "area",
            FlawKind::Reflex => "reflex",
            FlawKind::Turning => "turning",
            FlawKind::TJunction => "t-junction",
            FlawKind::Crossing => "crossing",
            FlawKind::Overlap => "overlap",
            FlawKind::Fold => "fold",
            FlawKind::Height => "height",
            FlawKind::Euler => "euler",
            FlawKind::Component => "component",
            FlawKind::Region => "region",
            FlawKind::Removable => "removable",
            FlawKind::Clearance => "clearance",
            FlawKind::PathIndex => "path_index",
            FlawKind::Link => "link",
            FlawKind::More => "more",
        }
    }
}

impl fmt::Display for FlawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One flaw of a mesh: the law that is broken, the location, and a description.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Flaw {
    /// The law that is broken.
    pub kind: FlawKind,
    /// The cell that breaks the law, if a cell does.
    pub cell: Option<CellId>,
    /// The portal that breaks the law, if a portal does.
    pub portal: Option<PortalId>,
    /// The vertex that breaks the law, if a vertex does.
    pub vertex: Option<VertexId>,
    /// The location in plan coordinates.
    pub at: Option<[f64; 2]>,
    /// The same location in the world, on the ground of a scene; `None` for the mesh of a plan.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub place: Option<[f64; 3]>,
    /// The description, in words.
    pub detail: String,
}

impl Flaw {
    /// Makes a flaw without ids and location.
    pub(crate) fn new(kind: FlawKind, detail: impl Into<String>) -> Flaw {
        Flaw { kind, cell: None, portal: None, vertex: None, at: None, place: None, detail: detail.into() }
    }

    /// Names the cell.
    pub(crate) fn cell(self, cell: u32) -> Flaw {
        Flaw { cell: Some(CellId(cell)), ..self }
    }

    /// Names the portal.
    pub(crate) fn portal(self, portal: u32) -> Flaw {
        Flaw { portal: Some(PortalId(portal)), ..self }
    }

    /// Names the vertex and locates the flaw there.
    pub(crate) fn vertex(self, mesh: &NavMesh, vertex: u32) -> Flaw {
        let vertex = VertexId(vertex);
        Flaw { vertex: Some(vertex), at: mesh.position(vertex), ..self }
    }

    /// Locates the flaw, in plan coordinates.
    pub(crate) fn at(self, at: [f64; 2]) -> Flaw {
        Flaw { at: Some(at), ..self }
    }

    /// Finds the location on the ground of a scene: on the floor of the flaw's cell or portal, or else on any floor
    /// there.
    fn lay_on_ground(&mut self, mesh: &NavMesh) {
        let Some(at) = self.at.filter(|_| mesh.has_heights()) else { return };
        let spot = mesh.parts.grid.units(at);
        let portal = || mesh.portal(self.portal?).map(|portal| portal.cells[0]);
        let own = self.cell.or_else(portal).map(|cell| cell.0);
        if let Some(cell) = own.or_else(|| mesh.cells_holding(spot).first().copied()) {
            self.place = Some(mesh.in_space(cell, spot));
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = match (self.cell, self.portal, self.vertex) {
            (Some(cell), _, _) => Some(format!("cell {cell}")),
            (None, Some(portal), _) => Some(format!("portal {portal}")),
            (None, None, vertex) => vertex.map(|vertex| format!("vertex {vertex}")),
        };
        let place = match self.place {
            Some([x, y, z]) => Some(format!("at ({x}, {y:.3}, {z})")),
            None => self.at.map(|[x, y]| format!("at ({x}, {y})")),
        };
        let place: Vec<String> = subject.into_iter().chain(place).collect();
        if !place.is_empty() {
            write!(f, "{}: ", place.join(" "))?;
        }
        f.write_str(&self.detail)
    }
}

/// Collects flaws up to [`MAX_FLAWS`] and counts the rest.
#[derive(Debug, Default)]
pub(crate) struct Flaws {
    /// The flaws, in the order in which they were noted.
    list: Vec<Flaw>,
    /// The number of flaws that did not fit the list.
    left_out: usize,
}

impl Flaws {
    /// Notes a flaw. Its description is made only if it still fits the list.
    pub(crate) fn note(&mut self, flaw: impl FnOnce() -> Flaw) {
        if self.list.len() < MAX_FLAWS {
            self.list.push(flaw());
        } else {
            self.left_out += 1;
        }
    }

    /// Locates all flaws so far on the ground. The structure of the mesh must be sound.
    pub(crate) fn lay_on_ground(&mut self, mesh: &NavMesh) {
        self.list.iter_mut().for_each(|flaw| flaw.lay_on_ground(mesh));
    }

    /// Returns the number of flaws so far, including those that did not fit.
    pub(crate) fn count(&self) -> usize {
        self.list.len() + self.left_out
    }

    /// Returns the flaw that was noted first.
    pub(crate) fn first(&self) -> Option<&Flaw> {
        self.list.first()
    }

    /// Returns the list, closed by a count of the flaws left out, if any.
    pub(crate) fn into_list(mut self) -> Vec<Flaw> {
        if self.left_out > 0 {
            self.list.push(Flaw::new(FlawKind::More, format!("… and {} more", self.left_out)));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flaws_read_as_sentences() {
        let bare = Flaw::new(FlawKind::Reflex, "corner at vertex 7 is reflex");
        assert_eq!(bare.to_string(), "corner at vertex 7 is reflex");
        let full = bare.at([3.5, 2.0]).cell(12);
        assert_eq!(full.to_string(), "cell 12 at (3.5, 2): corner at vertex 7 is reflex");
        let portal = Flaw::new(FlawKind::Removable, "not needed").portal(4);
        assert_eq!(portal.to_string(), "portal 4: not needed");
    }

    #[test]
    fn names_are_those_of_json() {
        for kind in [FlawKind::ZeroSide, FlawKind::TJunction, FlawKind::Euler, FlawKind::More] {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        let mut flaws = Flaws::default();
        for i in 0..MAX_FLAWS + 7 {
            flaws.note(|| Flaw::new(FlawKind::Unused, i.to_string()));
        }
        assert_eq!(flaws.count(), MAX_FLAWS + 7);
        let list = flaws.into_list();
        assert_eq!(list.len(), MAX_FLAWS + 1);
        assert_eq!(list.last().map(ToString::to_string), Some("… and 7 more".to_string()));
    }
}

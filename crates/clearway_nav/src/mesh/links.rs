//! Links as the mesh stores them: connections that are not walked, from one point of the mesh to another.

use super::{LinkId, NavMesh};
use crate::query::in_world;
use clearway_base::error::short;
use clearway_geometry::Vec2;
use std::fmt;

/// The largest number of links of a mesh. A search is quadratic in the ends of links within a component, so the count
/// must stay bounded.
pub const MAX_LINKS: usize = 10_000;

/// The longest name of a link or of its kind, in bytes. It fits the 16 bits that a `.nav` file has for the length.
pub const MAX_LINK_NAME: usize = 200;

/// The greatest cost of a link, in metres of walking. An `f64` of this size still resolves well below a millimetre.
pub const MAX_LINK_COST: f64 = 1e9;

/// The way in which a body moves along a link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkKind {
    /// A lift.
    Lift,
    /// A ladder.
    Ladder,
    /// A jump across a gap or onto a low ledge.
    Jump,
    /// A drop from a ledge.
    Drop,
    /// A door.
    Door,
    /// An instant move from one point to another.
    Teleport,
    /// Any other kind, by its name.
    Other(String),
}

impl LinkKind {
    /// The kinds that have names of their own.
    pub const NAMED: [LinkKind; 6] = [
        LinkKind::Lift,
        LinkKind::Ladder,
        LinkKind::Jump,
        LinkKind::Drop,
        LinkKind::Door,
        LinkKind::Teleport,
    ];

    /// Names that no kind may have: a choice of kinds uses them for all kinds and for no kind.
    pub const RESERVED: [&str; 2] = ["all", "none"];

    /// Returns the kind with this name. An unknown name becomes a kind of its own.
    pub fn from_name(name: &str) -> LinkKind {
        let known = LinkKind::NAMED.into_iter().find(|kind| kind.name() == name);
        known.unwrap_or_else(|| LinkKind::Other(name.to_string()))
    }

    /// Returns the name as files spell it: `lift`, `ladder`, `jump`, `drop`, `door`, `teleport`, or the name of another
    /// kind.
    pub fn name(&self) -> &str {
        match self {
            LinkKind::Lift => "lift",
            LinkKind::Ladder => "ladder",
            LinkKind::Jump => "jump",
            LinkKind::Drop => "drop",
            LinkKind::Door => "door",
            LinkKind::Teleport => "teleport",
            LinkKind::Other(name) => name,
        }
    }

    /// True if links of this kind lead both ways by default: all kinds but drops do.
    pub fn is_usually_both_ways(&self) -> bool {
        *self != LinkKind::Drop
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for LinkKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A named connection that is not walked, in world coordinates (+Y up; a plan lies at height 0, and its `[x, y]` is
/// `[x, 0, -y]` here).
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name; no two links of a mesh share a name.
    pub name: String,
    /// The way in which a body moves along it.
    pub kind: LinkKind,
    /// Its start, in metres.
    pub from: [f64; 3],
    /// Its end, in metres.
    pub to: [f64; 3],
    /// Its cost in metres of walking; `None` means its length in space.
    pub cost: Option<f64>,
    /// True if it also leads from its end to its start.
    pub both_ways: bool,
    /// The radius in metres of the largest body that can take it; `None` for no limit.
    pub max_radius: Option<f64>,
}

impl Link {
    /// Makes a link that leads both ways unless it is a drop, costs its length and takes every body.
    pub fn new(name: impl Into<String>, kind: LinkKind, from: [f64; 3], to: [f64; 3]) -> Link {
        let both_ways = kind.is_usually_both_ways();
        Link { name: name.into(), kind, from, to, cost: None, both_ways, max_radius: None }
    }

    /// Returns its length in space, in metres.
    pub fn length(&self) -> f64 {
        distance(self.from, self.to)
    }

    /// Returns the first field that is wrong by itself, and why; `None` for a sound link. The mesh checks whether the
    /// ends lie on it.
    pub fn flaw(&self) -> Option<(&'static str, String)> {
        let fits = |text: &str| {
            !text.is_empty() && text.len() <= MAX_LINK_NAME && !text.chars().any(|c| c.is_control())
        };
        let names = [("name", self.name.as_str()), ("kind", self.kind.name())];
        if let Some((field, _)) = names.into_iter().find(|(_, text)| !fits(text)) {
            let why = format!("must have 1 to {MAX_LINK_NAME} bytes and no control characters");
            return Some((field, why));
        }
        // Otherwise one kind would have two forms, and equal links different bytes.
        if matches!(&self.kind, LinkKind::Other(name) if LinkKind::from_name(name) != self.kind) {
            return Some(("kind", format!("{} is not another kind, but one of ours", self.kind)));
        }
        if let Some(name) = LinkKind::RESERVED.into_iter().find(|name| *name == self.kind.name()) {
            return Some((
                "kind",
                format!("{name} is no kind: where kinds are chosen it means {name} of them"),
            ));
        }
        if self.kind.name().contains(',') {
            let why = format!("{} has a comma, which parts kinds where they are chosen", self.kind);
            return Some(("kind", why));
        }
        for (field, at) in [("from", self.from), ("to", self.to)] {
            if !at.iter().all(|c| c.is_finite()) {
                return Some((field, format!("{at:?} is not a place")));
            }
        }
        if let Some(cost) = self.cost.filter(|cost| !(0.0..=MAX_LINK_COST).contains(cost)) {
            return Some(("cost", format!("{} must lie between 0 and {MAX_LINK_COST}", short(cost))));
        }
        let radius = self.max_radius.filter(|radius| !(*radius >= 0.0 && radius.is_finite()));
        radius.map(|radius| ("max_radius", format!("{} is negative or not finite", short(radius))))
    }
}

/// Returns the distance of two points in space.
pub fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1]).hypot(a[2] - b[2])
}

/// A link in storage: as [`Link`], with ends in cells and a cost that is always given.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRecord {
    /// Its name.
    pub name: String,
    /// The way in which a body moves along it.
    pub kind: LinkKind,
    /// Its start and its end.
    pub ends: [LinkEnd; 2],
    /// Its cost in metres of walking.
    pub cost: f64,
    /// True if it also leads from its end to its start.
    pub both_ways: bool,
    /// The radius in metres of the largest body that can take it; `None` for no limit.
    pub max_radius: Option<f64>,
}

impl LinkRecord {
    /// Returns the link between these two points of the world. Its cost is filled in.
    pub fn between(&self, [from, to]: [[f64; 3]; 2]) -> Link {
        Link {
            name: self.name.clone(),
            kind: self.kind.clone(),
            from,
            to,
            cost: Some(self.cost),
            both_ways: self.both_ways,
            max_radius: self.max_radius,
        }
    }
}

/// An end of a link: a cell and a point in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkEnd {
    /// The cell that holds it.
    pub cell: u32,
    /// Its point, in plan coordinates.
    pub position: [f64; 2],
}

impl NavMesh {
    /// Returns the number of links.
    pub fn link_count(&self) -> usize {
        self.parts.links.len()
    }

    /// Returns all links in the order of their ids, with their costs filled in.
    pub fn links(&self) -> impl ExactSizeIterator<Item = Link> + '_ {
        self.parts.links.iter().map(|record| self.link_of(record))
    }

    /// Returns the link with this id, with its cost filled in.
    pub fn link(&self, id: LinkId) -> Option<Link> {
        self.parts.links.get(id.index()).map(|record| self.link_of(record))
    }

    /// Removes all links.
    pub fn clear_links(&mut self) {
        if self.parts.links.is_empty() {
            return;
        }
        self.parts.links.clear();
        self.renew_serial();
    }

    /// Gives the mesh a new serial number, so that searches, fields and crowds notice that its links changed.
    pub(crate) fn renew_serial(&mut self) {
        if let Some(graph) = self.graph.get_mut() {
            graph.renew_serial();
        }
    }

    /// Returns a stored link in world coordinates.
    fn link_of(&self, record: &LinkRecord) -> Link {
        record.between(record.ends.map(|end| self.end_in_space(&end)))
    }

    /// Returns the position of a link's end in the world.
    pub fn end_in_space(&self, end: &LinkEnd) -> [f64; 3] {
        self.in_space(end.cell, self.parts.grid.units(end.position))
    }

    /// Returns the position in the world of a point of a cell; `at` is in grid units.
    pub fn in_space(&self, cell: u32, at: Vec2) -> [f64; 3] {
        in_world(self.parts.grid.place(at), self.ground_height(cell, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_their_names() {
        for kind in LinkKind::NAMED {
            assert_eq!(LinkKind::from_name(kind.name()), kind);
        }
        assert_eq!(LinkKind::from_name("zip line"), LinkKind::Other("zip line".to_string()));
    }

    #[test]
    fn links_that_make_no_sense_name_the_field() {
        let good = Link::new("a", LinkKind::Lift, [0.0; 3], [0.0, 3.0, 0.0]);
        assert_eq!(good.flaw(), None);
        let field = |link: Link| link.flaw().map(|(field, _)| field);
        assert_eq!(field(Link { name: String::new(), ..good.clone() }), Some("name"));
        assert_eq!(field(Link { name: "a\nb".to_string(), ..good.clone() }), Some("name"));
        assert_eq!(field(Link { kind: LinkKind::Other("lift".to_string()), ..good.clone() }), Some("kind"));
        assert_eq!(field(Link { to: [f64::NAN, 0.0, 0.0], ..good.clone() }), Some("to"));
        assert_eq!(field(Link { cost: Some(-1.0), ..good.clone() }), Some("cost"));
        assert_eq!(field(Link { max_radius: Some(f64::INFINITY), ..good }), Some("max_radius"));
    }
}

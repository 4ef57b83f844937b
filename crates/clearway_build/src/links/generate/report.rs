//! Counts the leaps that are possible and did not become links.

use super::ledges::Leap;
use clearway_nav::mesh::{LinkKind, NavMesh};
use serde::Serialize;
use std::collections::BTreeMap;

/// Leaps of one kind that are possible and did not become links, all for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// A jump or a drop.
    pub kind: LinkKind,
    /// A short name: `unreachable`, `near`, `walkable`, `too_many`.
    pub reason: &'static str,
    /// The number of leaps. Walls are sampled, so that many leaps lie side by side.
    pub count: usize,
    /// The start of the first of them, in the world.
    pub at: [f64; 3],
}

impl LeftOut {
    /// Returns the reason in words.
    pub fn words(&self) -> &'static str {
        match self.reason {
            "unreachable" => "from small islands that nothing leads up to",
            "near" => "near a link that joins the same floors",
            "walkable" => "walking takes hardly longer",
            "too_many" => "beyond the largest number of links",
            other => other,
        }
    }
}

/// The reason why a leap is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It starts on a small piece of the mesh that nobody gets onto.
    Unreachable,
    /// A link nearby does what it would do.
    Near,
    /// Walking takes hardly longer.
    Walkable,
    /// There are as many links as allowed.
    TooMany,
}

impl Reason {
    /// Returns the short name of the reason.
    fn name(self) -> &'static str {
        match self {
            Reason::Unreachable => "unreachable",
            Reason::Near => "near",
            Reason::Walkable => "walkable",
            Reason::TooMany => "too_many",
        }
    }
}

/// Counts leaps that are left out.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The count and the first start for each reason and kind.
    counts: BTreeMap<(Reason, LinkKind), (usize, [f64; 3])>,
}

impl Tally {
    /// Counts one more leap.
    pub fn add(&mut self, reason: Reason, leap: &Leap, mesh: &NavMesh) {
        let counted = self.counts.entry((reason, leap.kind.clone()));
        counted.or_insert_with(|| (0, leap.from.in_space(mesh))).0 += 1;
    }

    /// Returns the counts, sorted by reason and kind.
    pub fn left_out(self) -> Vec<LeftOut> {
        let entry = |((reason, kind), (count, at)): ((Reason, LinkKind), (usize, [f64; 3]))| LeftOut {
            kind,
            reason: reason.name(),
            count,
            at,
        };
        self.counts.into_iter().map(entry).collect()
    }
}

//! The clearances on both sides of the last change that made no vertex, as the turning of a door does.
//!
//! A door that goes back to what it was brings back the very same lists, and with them the clearances that were known
//! there. Invariant: clearances are kept only as long as nothing but that one change happens. Cost: a comparison of what
//! changes; memory for one more graph.

use crate::clearance::PeakGraph;
use crate::mesh::Splice;
use std::sync::Arc;

/// A change that may be taken back, and what is known on its two sides.
#[derive(Clone, Debug)]
pub(crate) struct Turned {
    /// The change from the first side to the second.
    change: Splice,
    /// The clearances of both sides, as far as somebody asked for them.
    known: [Option<Arc<PeakGraph>>; 2],
    /// The side on which the mesh is: 0 or 1.
    side: usize,
}

impl Turned {
    /// Notes a change. `before` are the clearances until now, if they are right; `turned` is what was noted before.
    /// Returns none for a change that makes vertices or takes them away.
    pub fn by(splice: &Splice, before: Option<Arc<PeakGraph>>, turned: Option<Turned>) -> Option<Turned> {
        if !splice.vertices.is_empty() || splice.cells.is_empty() {
            return None;
        }
        match turned {
            Some(mut turned) if turned.leads_on(splice) => {
                turned.known[turned.side] = before.or(turned.known[turned.side].take());
                turned.side = 1 - turned.side;
                Some(turned)
            }
            _ => Some(Turned { change: splice.clone(), known: [before, None], side: 1 }),
        }
    }

    /// Returns the clearances of the mesh as it is now, if they are known. `portals` is the number of its portals, those
    /// that are no more included.
    pub fn known(&self, portals: usize) -> Option<Arc<PeakGraph>> {
        // A list that grew meanwhile has other numbers of peaks.
        self.known[self.side].clone().filter(|graph| graph.critical.len() == portals)
    }

    /// True if a change leads from this side to the other one.
    fn leads_on(&self, splice: &Splice) -> bool {
        match self.side {
            0 => *splice == self.change,
            _ => *splice == self.change.inverse(),
        }
    }
}

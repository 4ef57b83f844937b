//! What edits touched, for those who keep lengths and widths of edges, and the plain neighbourhood of vertices and cells.
//!
//! An edge changes only when one of its half-edges gets another twin: every new vertex is linked on its three sides.

use crate::diagram::Diagram;
use crate::query::EdgeId;
use crate::shapes::SiteId;

impl Diagram {
    /// Begins to note the edges that edits touch.
    pub fn watch(&mut self) {
        self.graph.touched.get_or_insert_default();
    }

    /// Visits every edge that was touched since the last call, in both directions, and forgets them. An edge may come
    /// twice, and some are gone already. Nothing is visited before [`Diagram::watch`].
    pub fn take_touched(&mut self, visit: impl FnMut(EdgeId)) {
        if let Some(touched) = &mut self.graph.touched {
            touched.drain(..).map(EdgeId).for_each(visit);
        }
    }

    /// The site on the left of an edge, seen from its first vertex; `None` for an edge that is gone.
    pub fn left_of(&self, id: EdgeId) -> Option<SiteId> {
        let is_alive = (id.0 as usize) < self.graph.origin.len() && self.graph.is_face(id.0 / 3);
        is_alive.then(|| SiteId(self.graph.to(id.0)))
    }
}

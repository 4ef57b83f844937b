//! Lengths and widths of the edges of a diagram that changes, each computed when it is first asked for after an edit.

use clearway_geometry::{NONE, Vec2};
use clearway_skeleton::{Diagram, EdgeId, SiteId};

/// Marks an edge that is no road: it leaves the frame, or joins a wall and its own end.
const NO_ROAD: u32 = NONE - 1;

/// An edge as searches see it, in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    /// The vertex at its end; [`NONE`] if it is not computed, [`NO_ROAD`] if nobody walks here.
    to: u32,
    pub sides: [SiteId; 2],
    pub place: Vec2,
    pub length: f64,
    pub width: f64,
    /// The number of the edit that touched it last.
    edit: u64,
}

const UNKNOWN: Lane = Lane {
    to: NONE,
    sides: [SiteId(0); 2],
    place: Vec2 { x: 0.0, y: 0.0 },
    length: 0.0,
    width: 0.0,
    edit: 0,
};

/// All edges of a diagram, both directions, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    lanes: Vec<Lane>,
    /// The number of edits so far.
    pub edits: u64,
}

impl Lanes {
    /// Takes note of what an edit touched. The diagram must be watched.
    pub fn note(&mut self, diagram: &mut Diagram) {
        self.edits += 1;
        let (lanes, edit) = (&mut self.lanes, self.edits);
        diagram.take_touched(|id| {
            if let Some(lane) = lanes.get_mut(id.0 as usize) {
                (lane.to, lane.edit) = (NONE, edit);
            }
        });
    }

    /// True if no edit after one with this number touched an edge.
    pub fn is_as_of(&self, side: u32, edit: u64) -> bool {
        self.lanes.get(side as usize).is_some_and(|lane| lane.edit <= edit)
    }

    /// An edge and the vertex at its end; `None` if it is no road.
    #[inline]
    pub fn get(&mut self, diagram: &Diagram, side: u32) -> Option<(u32, &Lane)> {
        let index = side as usize;
        if index >= self.lanes.len() {
            // Slots of edges that nobody has asked about yet may have been touched any time.
            self.lanes.resize(index + 1 + index / 8, Lane { edit: self.edits, ..UNKNOWN });
        }
        if self.lanes[index].to == NONE {
            self.lanes[index] = compute(diagram, side, self.lanes[index].edit);
        }
        let lane = &self.lanes[index];
        (lane.to != NO_ROAD).then_some((lane.to, lane))
    }
}

#[cold]
fn compute(diagram: &Diagram, side: u32, edit: u64) -> Lane {
    let Some(edge) = diagram.edge(EdgeId(side)).filter(|edge| !diagram.is_spur(edge)) else {
        return Lane { to: NO_ROAD, edit, ..UNKNOWN };
    };
    Lane {
        to: edge.ends[1].0,
        sides: edge.sides,
        place: edge.at[1],
        length: edge.length(),
        width: edge.width,
        edit,
    }
}

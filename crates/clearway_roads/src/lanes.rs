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

/// The edges of a diagram that were asked about, both directions.
///
/// Bodies ask about the edges around their ways only, so a table of numbers leads to a short list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    /// For each edge its place in the list and one; 0 if nobody asked about it.
    place: Vec<u32>,
    lanes: Vec<Lane>,
    /// The number of edits so far.
    pub edits: u64,
}

impl Lanes {
    /// The lanes of a diagram with about so many edges.
    pub fn of(edges: usize) -> Lanes {
        Lanes { place: vec![0; edges], ..Lanes::default() }
    }

    fn known(&self, side: u32) -> Option<usize> {
        self.place.get(side as usize).and_then(|place| place.checked_sub(1)).map(|place| place as usize)
    }

    /// Takes note of what an edit touched. The diagram must be watched.
    pub fn note(&mut self, diagram: &mut Diagram) {
        self.edits += 1;
        let edit = self.edits;
        diagram.take_touched(|id| {
            if let Some(lane) = self.known(id.0) {
                (self.lanes[lane].to, self.lanes[lane].edit) = (NONE, edit);
            }
        });
    }

    /// True if no edit after one with this number touched an edge.
    pub fn is_as_of(&self, side: u32, edit: u64) -> bool {
        self.known(side).is_some_and(|lane| self.lanes[lane].edit <= edit)
    }

    /// An edge and the vertex at its end; `None` if it is no road.
    #[inline]
    pub fn get(&mut self, diagram: &Diagram, side: u32) -> Option<(u32, &Lane)> {
        let index = self.known(side).unwrap_or_else(|| self.add(side));
        if self.lanes[index].to == NONE {
            self.lanes[index] = compute(diagram, side, self.lanes[index].edit);
        }
        let lane = &self.lanes[index];
        (lane.to != NO_ROAD).then_some((lane.to, lane))
    }

    /// Adds an edge that was not asked about before. It may have been touched any time.
    #[cold]
    fn add(&mut self, side: u32) -> usize {
        let index = side as usize;
        if index >= self.place.len() {
            self.place.resize(index + 1 + index / 8, 0);
        }
        self.lanes.push(Lane { edit: self.edits, ..UNKNOWN });
        self.place[index] = self.lanes.len() as u32;
        self.lanes.len() - 1
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

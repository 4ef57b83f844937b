//! Notches settled one by one, shortest chord first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chords::{Chord, Rank, insert};
use super::space::{PORTAL, Sector, Space};
use super::view::best_chord;

/// Inserts one chord for every notch, best first. The heap is lazy: chords inserted meanwhile may block a
/// vertex's best one or settle it, so it is looked at again when its turn comes, and queues again if it got worse.
pub fn settle_notches(space: &mut Space) {
    let queued = space.triangulation.vertices().filter_map(|v| Some(Reverse((best_at(space, v)?.rank(), v))));
    let mut heap: BinaryHeap<Reverse<(Rank, u32)>> = queued.collect();
    while let Some(Reverse((rank, v))) = heap.pop() {
        let mut best = best_at(space, v);
        if let Some(step) = best.take_if(|step| step.rank() <= rank) {
            step.make(space, v);
            // The vertex may have another notch.
            best = best_at(space, v);
        }
        heap.extend(best.map(|step| Reverse((step.rank(), v))));
    }
}

/// Settles reflex sectors that the heap did not know of: rounding may have bent a wall or portal beside them.
pub fn sweep(space: &mut Space) {
    for v in space.triangulation.vertices() {
        for notch in space.notches(v) {
            take_two_edges(space, notch);
        }
    }
}

/// What settles one notch of a vertex.
enum Step {
    Chord(Chord),
    TwoEdges(Sector),
}

impl Step {
    fn rank(&self) -> Rank {
        match self {
            Step::Chord(chord) => chord.rank,
            Step::TwoEdges(_) => Rank::Missing,
        }
    }

    fn make(self, space: &mut Space, v: u32) {
        match self {
            Step::Chord(chord) => insert(space, v, chord),
            Step::TwoEdges(notch) => take_two_edges(space, notch),
        }
    }
}

/// The best step at a vertex, `None` where no notch is left.
fn best_at(space: &Space, v: u32) -> Option<Step> {
    let step_for = |notch| best_chord(space, notch).map_or(Step::TwoEdges(notch), Step::Chord);
    space.notches(v).into_iter().map(step_for).min_by_key(Step::rank)
}

/// Settles a notch by edges of the triangulation: one inside the cone, or the two on both sides of it. These two
/// bound one triangle, so the angle between them is below π, and each lies less than π from the end of the sector
/// on its side. There is always such a pair, and it needs no new vertex.
fn take_two_edges(space: &mut Space, notch: Sector) {
    let cone = space.cone(notch);
    let inner: Vec<u32> = space.inner_edges(notch).collect();
    let direction = |e: u32| space.triangulation.direction(e);
    let is_around =
        |pair: &&[u32]| direction(pair[0]).cross(cone.right) > 0 && cone.right.cross(direction(pair[1])) > 0;
    let inside = inner.iter().find(|&&e| cone.holds(direction(e))).map(std::slice::from_ref);
    let taken = inside.or_else(|| inner.windows(2).find(is_around)).unwrap_or_default();
    for &e in taken {
        space.triangulation.set_mark(e, PORTAL);
    }
}

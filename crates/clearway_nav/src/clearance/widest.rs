//! The widest way between two places of a mesh, in grid units.
//!
//! Within a cell, "joined at least r wide" is an equivalence of places for every r. So for places in different cells
//! one peak each is enough: the one that the place is joined to most widely. Two cases make even that needless. The
//! place may be joined to some peak of its cell more widely than that peak is to the other end. Or it may be joined as
//! widely as the ends themselves allow. Three bounds of growing cost look for these cases: the disc around the peak,
//! the disc around the place, and a sweep of the straight line between them. Only then the place is joined exactly.
//! Cost: O(log n) for the forest, and the walls near the two cells.

use super::attach_point::{Spot, link, widest_inside};
use super::build::Work;
use super::room::Narrow;
use super::walls::is_clear;
use crate::clearance::{DIP, PeakGraph, Seen};
use crate::mesh::NavMesh;
use crate::tolerances::shares::SAME_DISTANCE;
use clearway_geometry::Vec2;
use std::cell::RefCell;

thread_local! {
    /// The scratch buffer for queries on this thread, so that small questions allocate nothing. It holds no answers.
    static WORK: RefCell<Work> = RefCell::default();
}

/// The most peaks of a cell that are tried with a sweep. For more, joining the place exactly costs less.
const MAX_SWEPT: usize = 6;

/// The widest way between two places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    /// Its width, as the radius of the widest disc, in grid units.
    pub radius: f64,
    /// The narrowest point, which limits it.
    pub limit: Limit,
}

/// The narrowest point of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Limit {
    /// A place in the cell of one of its ends.
    Place(u32, Vec2),
    /// An edge of the peak graph, as [`Forest`](crate::clearance::Forest) names it.
    Edge(u32),
}

impl Way {
    /// A way that is narrowest within a cell.
    fn in_cell(cell: u32, narrow: Narrow) -> Way {
        Way { radius: narrow.radius, limit: Limit::Place(cell, narrow.at) }
    }

    /// The narrower of two ways.
    fn min(self, other: Way) -> Way {
        if other.radius < self.radius { other } else { self }
    }

    /// The wider of two ways.
    fn max(self, other: Way) -> Way {
        if other.radius > self.radius { other } else { self }
    }
}

/// Lends the scratch buffer of this thread. A call within a call gets a new one.
pub(super) fn with_work<T>(use_it: impl FnOnce(&mut Work) -> T) -> T {
    WORK.with(|work| match work.try_borrow_mut() {
        Ok(mut work) => use_it(&mut work),
        Err(_) => use_it(&mut Work::default()),
    })
}

/// Returns the widest way between two places, each given as a cell and a point of it; `None` if they are not connected.
pub(super) fn widest(mesh: &NavMesh, work: &mut Work, [a, b]: [(u32, Vec2); 2]) -> Option<Way> {
    if mesh.are_known_apart(a.0, b.0) {
        return None;
    }
    if a.0 == b.0 {
        return Some(widest_in_cell(mesh, work, [a, b]));
    }
    let mut ends = [End::new(mesh, work, a)?, End::new(mesh, work, b)?];
    let (width, via) = mesh.peak_graph().forest.bottleneck(ends[0].peak, ends[1].peak)?;
    // Widths are rounded down, so that only the next number is surely wider.
    if ends.iter().all(|end| end.bound >= f64::from(width.next_up())) {
        return Some(Way { radius: f64::from(width), limit: Limit::Edge(via) });
    }
    let spots = [a, b].map(|(cell, at)| Spot::new(mesh, work, cell, at));
    let [first, second] = [0, 1].map(|i| Way::in_cell(spots[i].cell, spots[i].narrow()));
    let cap = first.min(second);
    loop {
        let (width, via) = mesh.peak_graph().forest.bottleneck(ends[0].peak, ends[1].peak)?;
        // The way cannot become wider than the forest allows between these peaks, nor than its ends.
        let wanted = f64::from(width.next_up()).min(cap.radius * SAME_DISTANCE);
        let unsettled = ends.iter_mut().zip(&spots).find(|(end, _)| !end.is_settled(wanted));
        match unsettled {
            Some((end, spot)) => end.improve(mesh, work, spot, wanted)?,
            None => {
                let way = Way { radius: f64::from(width), limit: Limit::Edge(via) }.min(cap);
                let exact =
                    ends.iter().filter_map(|end| end.exact.map(|narrow| Way::in_cell(end.cell, narrow)));
                return Some(exact.fold(way, Way::min));
            }
        }
    }
}

/// Returns the widest way between two points of one cell, within it or out of it and back.
fn widest_in_cell(mesh: &NavMesh, work: &mut Work, places: [(u32, Vec2); 2]) -> Way {
    let spots = places.map(|(cell, at)| Spot::new(mesh, work, cell, at));
    let [a, b] = &spots;
    let lower = if a.height <= b.height { a } else { b };
    let best = Way { radius: lower.height, limit: Limit::Place(lower.cell, lower.at) };
    if is_clear(mesh.graph(), &mut work.entered, a.cell, (a.at, b.at), lower.height * SAME_DISTANCE) {
        return best;
    }
    let graph = mesh.peak_graph();
    let inside = Way::in_cell(a.cell, widest_inside(mesh, graph, work, [a, b]));
    if inside.radius >= lower.height * SAME_DISTANCE {
        return inside;
    }
    outside(mesh, graph, work, &spots).map_or(inside, |outside| outside.max(inside))
}

/// Returns the widest way between two points of one cell over peaks of the cell.
fn outside(mesh: &NavMesh, graph: &PeakGraph, work: &mut Work, [a, b]: &[Spot; 2]) -> Option<Way> {
    let (from, to) = (link(mesh, graph, work, a)?, link(mesh, graph, work, b)?);
    let (width, via) = graph.forest.bottleneck(from.peak, to.peak)?;
    let between = Way { radius: f64::from(width), limit: Limit::Edge(via) };
    Some(Way::in_cell(a.cell, from.narrow.min(to.narrow)).min(between))
}

/// One end of a way: a place, and a peak of its cell.
struct End {
    /// The cell.
    cell: u32,
    /// The place in grid units.
    at: Vec2,
    /// The peak that stands for the place in the forest.
    peak: u32,
    /// A lower bound for the width of the way from the place to the peak.
    bound: f64,
    /// The width of the way to the best peak of the cell, once that is known.
    exact: Option<Narrow>,
    /// The position of the peak, and its distance from the walls.
    top: (Vec2, f64),
    /// The number of times that other peaks were tried.
    sweeps: u32,
}

impl End {
    /// Starts with the peak whose disc holds the place most deeply.
    fn new(mesh: &NavMesh, work: &mut Work, (cell, at): (u32, Vec2)) -> Option<End> {
        let graph = mesh.peak_graph();
        graph.seen_from(mesh, cell, &mut work.seen);
        let mut best: Option<End> = None;
        for Seen { peak, side, .. } in &work.seen {
            let top = graph.position(mesh, mesh.parts.sides[*side as usize].portal, *peak);
            let height = f64::from(graph.peaks[*peak as usize].height);
            let bound = height - top.distance(at);
            if best.as_ref().is_none_or(|best| bound > best.bound) {
                best = Some(End { cell, at, peak: *peak, bound, exact: None, top: (top, height), sweeps: 0 });
            }
        }
        best
    }

    /// True if more knowledge cannot make the way wider than `wanted`.
    fn is_settled(&self, wanted: f64) -> bool {
        self.exact.is_some() || self.bound >= wanted
    }

    /// Raises the bound, by the cheapest means that reaches `wanted`; otherwise joins the place exactly.
    fn improve(&mut self, mesh: &NavMesh, work: &mut Work, spot: &Spot, wanted: f64) -> Option<()> {
        let (top, height) = self.top;
        // Along the line between their centres, both discs give a lower bound. Where the two are equal, it is this one.
        self.bound = self.bound.max(0.5 * (spot.height + height - top.distance(self.at)));
        if self.bound >= wanted {
            return Some(());
        }
        if self.sweep(mesh, work, wanted) {
            return Some(());
        }
        let link = link(mesh, mesh.peak_graph(), work, spot)?;
        (self.peak, self.exact) = (link.peak, Some(link.narrow));
        Some(())
    }

    /// Looks for a peak that a straight line joins to the place at least `wanted` wide. Takes it and returns true if
    /// there is one.
    fn sweep(&mut self, mesh: &NavMesh, work: &mut Work, wanted: f64) -> bool {
        let (layout, graph) = (mesh.graph(), mesh.peak_graph());
        if is_clear(layout, &mut work.entered, self.cell, (self.at, self.top.0), wanted) {
            self.bound = wanted;
            return true;
        }
        // Each success makes the next question harder. A hard question is better answered once and for all, exactly.
        if self.sweeps > 0 {
            return false;
        }
        self.sweeps += 1;
        graph.seen_from(mesh, self.cell, &mut work.seen);
        let others = work.seen.iter().filter(|seen| seen.peak != self.peak).take(MAX_SWEPT);
        for Seen { peak, side, .. } in others {
            let height = f64::from(graph.peaks[*peak as usize].height);
            let top = graph.position(mesh, mesh.parts.sides[*side as usize].portal, *peak);
            if height >= wanted && is_clear(layout, &mut work.entered, self.cell, (self.at, top), wanted) {
                (self.peak, self.top, self.bound) = (*peak, (top, height), wanted);
                return true;
            }
        }
        false
    }
}

/// Returns a peak of its cell that a disc can get to from a place without leaving the cell; `None` if there is none.
/// All other peaks that it can get to within the cell are joined to that one.
pub(super) fn joined_peak(
    mesh: &NavMesh,
    work: &mut Work,
    (cell, at): (u32, Vec2),
    radius: f64,
) -> Option<u32> {
    let end = End::new(mesh, work, (cell, at))?;
    let (top, height) = end.top;
    let is_near = end.bound >= radius;
    if is_near || (height >= radius && is_clear(mesh.graph(), &mut work.entered, cell, (at, top), radius)) {
        return Some(end.peak);
    }
    let spot = Spot::new(mesh, work, cell, at);
    let link = link(mesh, mesh.peak_graph(), work, &spot)?;
    (link.narrow.radius >= radius * SAME_DISTANCE).then_some(link.peak)
}

/// Returns the narrowest point of a way, and its cell.
pub(super) fn place_of(mesh: &NavMesh, work: &mut Work, limit: Limit) -> (u32, Vec2) {
    let via = match limit {
        Limit::Place(cell, at) => return (cell, at),
        Limit::Edge(via) => via,
    };
    let graph = mesh.peak_graph();
    let peak = (via / 4).min(graph.peaks.len().saturating_sub(1) as u32);
    let portal = graph.portal_of(peak);
    let top = graph.position(mesh, portal, peak);
    let cells = mesh.parts.portals[portal as usize].cells;
    if via % 4 == DIP {
        return (cells[0], dip_before(mesh, work, portal, peak).unwrap_or(top));
    }
    let cell = cells[(via % 2) as usize];
    if !work.enter(mesh, graph, cell) {
        return (cell, top);
    }
    let (seen, mut place) = (&work.seen, top);
    work.room.tree(&work.walls, |child, _, narrow| {
        if seen[child].peak == peak {
            place = narrow.at;
        }
    });
    (cell, place)
}

/// Returns the lowest place between a peak and the one before it on its portal.
fn dip_before(mesh: &NavMesh, work: &mut Work, portal: u32, peak: u32) -> Option<Vec2> {
    let graph = mesh.peak_graph();
    let track = work.trace(mesh, &mesh.graph().solid, portal);
    let places = [peak.checked_sub(1)?, peak].map(|peak| {
        let along = graph.peaks.get(peak as usize)?.along;
        Some(f64::from(along) / f64::from(u32::MAX) * track.length)
    });
    Some(track.at(work.profile.lowest_between(places[0]?, places[1]?)))
}

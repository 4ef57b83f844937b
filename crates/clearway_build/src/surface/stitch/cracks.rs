//! Cracks: passages between walls that are no wider than the weld distance. Nobody fits through.
//!
//! A wall may end flush with its floor. Rounding then leaves a tenth of a millimetre beside the end of the wall, and
//! with it a way to the other side. Regions that only cracks join are parted there. A region that is too small stays
//! with the neighbour behind its widest crack, so that no floor is lost.
//!
//! Invariant: afterwards no crack joins two regions of at least `least` area. Cost: one pass over all half-edges to
//! find short edges and thin triangles, then union-find over the triangles.

use crate::surface::faces::soup::WELD;
use crate::surface::report::summary::Spots;
use crate::surface::stitch::fabric::Fabric;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::{next, prev};
use clearway_geometry::predicates::orient;
use clearway_geometry::{DisjointSets, NONE, Point};
use rayon::prelude::*;

/// A step from one triangle to the next that leads through a crack.
struct Crack {
    /// The width of the crack in grid units, at most `WELD`.
    width: f64,
    /// The half-edge that one walks across.
    edge: u32,
    /// The border of the thin triangle beside `edge`, if the tip of that triangle nearly touches this border.
    /// [`NONE`] if `edge` itself spans the crack.
    border: u32,
}

/// Parts regions of at least `least` square grid units that only cracks join. Returns where it parted them.
pub fn part_at_cracks(fabric: &mut Fabric, least: f64) -> Spots {
    let mut parted = Spots::default();
    let mut cracks = find(fabric);
    if cracks.is_empty() {
        return parted;
    }
    // The widest crack comes first: small regions are merged across it. Ties go by half-edge, so that runs agree.
    cracks.sort_by(|p, q| q.width.total_cmp(&p.width).then(p.edge.cmp(&q.edge)));
    let mut places = places(fabric, &cracks, least);
    // A crack inside one merged region separates nothing.
    cracks.retain(|crack| places.root(crack.edge / 3) != places.root(fabric.twin[crack.edge as usize] / 3));
    for Crack { edge, border, .. } in cracks {
        let at = (fabric.from(edge), fabric.chart[edge as usize / 3]);
        match border {
            // Another crack may have closed this one.
            _ if fabric.twin[edge as usize] == NONE => continue,
            NONE => fabric.part(edge),
            _ => part_at_tip(fabric, border),
        }
        parted.add(at.0, at.1);
    }
    fabric.sweep();
    parted
}

/// Parts a triangle between its tip and the border below the tip. It splits the border at the foot of the tip and
/// parts the new edge from tip to foot.
fn part_at_tip(fabric: &mut Fabric, border: u32) {
    let [from, to, tip] = [border, next(border), prev(border)].map(|e| fabric.from(e));
    let (whole, off) = (to - from, tip - from);
    let foot = along(from, to, whole.dot(off) as f64 / whole.dot(whole) as f64);
    let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| Point::new(foot.x + x, foot.y + y)));
    // The foot must not lie beyond the border: at the ends of the border, sheets may fill a full turn already.
    let inside = around.filter(|place| orient(from, to, *place) >= 0);
    let foot = inside.min_by_key(|place| (place.distance_squared(foot), *place));
    match foot.and_then(|foot| fabric.split(border, foot)) {
        Some(_) => fabric.part(next(border)),
        // No grid point lies between the tip and the border, so the whole triangle goes.
        None => fabric.peel(border),
    }
}

/// Finds all cracks of a fabric. A crack is a short edge from border to border, or one of the two ways into a
/// triangle whose tip lies on one border and close to another. Few edges are short and few triangles thin, so the
/// cheap tests run first and in parallel; the search for borders comes last.
fn find(fabric: &Fabric) -> Vec<Crack> {
    let may_crack = |e: &u32| match fabric.twin[*e as usize] {
        NONE => width_at_tip(fabric, *e) <= WELD,
        twin => *e < twin && fabric.from(*e).distance(fabric.to(*e)) <= WELD,
    };
    let narrow: Vec<u32> = (0..fabric.len()).into_par_iter().filter(may_crack).collect();
    let cracks_at = |e: u32| match fabric.twin[e as usize] {
        NONE => beside_tip(fabric, e).map_or_else(Vec::new, Vec::from),
        _ => across(fabric, e).into_iter().collect(),
    };
    narrow.into_iter().flat_map(cracks_at).collect()
}

/// The distance from the tip of the triangle at a border to the line along that border.
fn width_at_tip(fabric: &Fabric, border: u32) -> f64 {
    let [from, to, tip] = [border, next(border), prev(border)].map(|e| fabric.from(e));
    (to - from).cross(tip - from) as f64 / (to - from).length()
}

/// Returns the crack across a short edge, if the edge leads from border to border.
fn across(fabric: &Fabric, edge: u32) -> Option<Crack> {
    let width = fabric.from(edge).distance(fabric.to(edge));
    let is_crack = is_at_border(fabric, edge) && is_at_border(fabric, next(edge));
    is_crack.then_some(Crack { width, edge, border: NONE })
}

/// Returns the two ways into the thin triangle at a border, if the tip lies on another border and over the edge.
fn beside_tip(fabric: &Fabric, border: u32) -> Option<[Crack; 2]> {
    let sides = [next(border), prev(border)];
    let [from, to, tip] = [border, sides[0], sides[1]].map(|e| fabric.from(e));
    let (whole, off) = (to - from, tip - from);
    let width = width_at_tip(fabric, border);
    let is_crack = whole.dot(off) > 0
        && whole.dot(off) < whole.dot(whole)
        && sides.iter().all(|side| fabric.twin[*side as usize] != NONE)
        && is_at_border(fabric, sides[1]);
    is_crack.then(|| sides.map(|edge| Crack { width, edge, border }))
}

/// True if the vertex at which a half-edge starts lies on a border.
fn is_at_border(fabric: &Fabric, e: u32) -> bool {
    let mut spoke = e;
    loop {
        let twin = fabric.twin[spoke as usize];
        if twin == NONE {
            return true;
        }
        spoke = next(twin);
        if spoke == e {
            return false;
        }
    }
}

/// Groups triangles into regions that are joined without cracks. Each region smaller than `least` is merged with a
/// neighbour across its widest crack. `cracks` must be sorted, the widest first.
fn places(fabric: &Fabric, cracks: &[Crack], least: f64) -> DisjointSets {
    let mut is_crack = vec![false; fabric.len() as usize];
    for Crack { edge, .. } in cracks {
        is_crack[*edge as usize] = true;
        is_crack[fabric.twin[*edge as usize] as usize] = true;
    }
    let joined = (0u32..).zip(&fabric.twin).filter(|(e, twin)| **twin != NONE && !is_crack[*e as usize]);
    let mut sets = DisjointSets::joined(fabric.chart.len(), joined.map(|(e, twin)| (e / 3, twin / 3)));
    // Doubled areas stay integers, so that sums do not depend on the order.
    let mut doubled = vec![0i64; fabric.chart.len()];
    for triangle in (0..fabric.chart.len() as u32).filter(|triangle| !fabric.is_gone(*triangle)) {
        doubled[sets.root(triangle) as usize] += fabric.doubled_area(triangle);
    }
    let is_small = |doubled: i64| (doubled as f64) < 2.0 * least;
    for Crack { edge, .. } in cracks {
        let [one, other] = [*edge, fabric.twin[*edge as usize]].map(|e| sets.root(e / 3));
        let sizes = [one, other].map(|place| doubled[place as usize]);
        if one != other && sizes.into_iter().any(is_small) {
            sets.join(one, other);
            doubled[sets.root(one) as usize] = sizes[0] + sizes[1];
        }
    }
    sets
}

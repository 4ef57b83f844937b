//! Cracks: passages between walls no wider than what corners that nearly meet are welded by. Nobody fits through.
//!
//! A wall that ends flush with its floor leaves, once both are rounded, a tenth of a millimetre beside its end, and with
//! it a way to the other side. Places that nothing but cracks join come apart there; small places stay with the neighbour
//! that the widest crack leads to, so that nothing to stand on is lost.

use crate::surface::faces::soup::WELD;
use crate::surface::report::summary::Spots;
use crate::surface::stitch::fabric::Fabric;
use clearway_geometry::construct::along;
use clearway_geometry::half_edges::{next, prev};
use clearway_geometry::predicates::orient;
use clearway_geometry::{DisjointSets, NONE, Point};
use rayon::prelude::*;

/// A way from a triangle to the next that leads through a crack.
struct Crack {
    width: f64,
    /// The half-edge that one walks across.
    edge: u32,
    /// The border of a thin triangle beside it, close to which its tip lies; [`NONE`] if the edge itself is the crack.
    border: u32,
}

/// Parts places of at least `least` square grid units that only cracks join; where.
pub fn part_at_cracks(fabric: &mut Fabric, least: f64) -> Spots {
    let mut parted = Spots::default();
    let mut cracks = find(fabric);
    if cracks.is_empty() {
        return parted;
    }
    cracks.sort_by(|p, q| q.width.total_cmp(&p.width).then(p.edge.cmp(&q.edge)));
    let mut places = places(fabric, &cracks, least);
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

/// Parts a triangle between its tip and the border below it.
fn part_at_tip(fabric: &mut Fabric, border: u32) {
    let [from, to, tip] = [border, next(border), prev(border)].map(|e| fabric.from(e));
    let (whole, off) = (to - from, tip - from);
    let foot = along(from, to, whole.dot(off) as f64 / whole.dot(whole) as f64);
    let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| Point::new(foot.x + x, foot.y + y)));
    // Not beyond the border: at its ends sheets may fill a full turn already.
    let inside = around.filter(|place| orient(from, to, *place) >= 0);
    let foot = inside.min_by_key(|place| (place.distance_squared(foot), *place));
    match foot.and_then(|foot| fabric.split(border, foot)) {
        Some(_) => fabric.part(next(border)),
        // There is not even a place on the grid between them.
        None => fabric.peel(border),
    }
}

/// All cracks of a fabric: short edges from border to border, and both ways into triangles whose tip is at a border and
/// close to their side at another. Few edges are short and few triangles thin: borders are asked about last.
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

/// How far the tip of the triangle of a border is from the line along that.
fn width_at_tip(fabric: &Fabric, border: u32) -> f64 {
    let [from, to, tip] = [border, next(border), prev(border)].map(|e| fabric.from(e));
    (to - from).cross(tip - from) as f64 / (to - from).length()
}

/// The way across a short edge, if it leads from border to border.
fn across(fabric: &Fabric, edge: u32) -> Option<Crack> {
    let width = fabric.from(edge).distance(fabric.to(edge));
    let is_crack = is_at_border(fabric, edge) && is_at_border(fabric, next(edge));
    is_crack.then_some(Crack { width, edge, border: NONE })
}

/// The ways into the thin triangle of a border, if its tip is close to that.
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

/// Whether a half-edge starts at a border.
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

/// The triangles of places that are joined without cracks, small ones with a neighbour. Cracks are sorted, the widest first.
fn places(fabric: &Fabric, cracks: &[Crack], least: f64) -> DisjointSets {
    let mut is_crack = vec![false; fabric.len() as usize];
    for Crack { edge, .. } in cracks {
        is_crack[*edge as usize] = true;
        is_crack[fabric.twin[*edge as usize] as usize] = true;
    }
    let joined = (0u32..).zip(&fabric.twin).filter(|(e, twin)| **twin != NONE && !is_crack[*e as usize]);
    let mut sets = DisjointSets::joined(fabric.chart.len(), joined.map(|(e, twin)| (e / 3, twin / 3)));
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

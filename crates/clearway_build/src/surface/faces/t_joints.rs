//! T-joints: corners that lie on the side of a neighbour, because one of two faces was cut and the other was not.
//!
//! Between the two a crack opens as soon as anything is rounded. So the uncut face is cut at the corner as well, and
//! both share their edges from there on. Only free sides are examined, that is sides that one face has alone. Upright
//! faces are left out: they are lines in projection anyway. Cost: one look-up in a grid of boxes per end of a free
//! side.

use crate::surface::faces::edge_table::EdgeTable;
use crate::surface::faces::soup::{Corner, Face, Kind, Soup};
use crate::surface::faces::tiles::{Laying, OpenSides};
use crate::surface::tolerances::t_joints::MOST_ENTRIES;
use clearway_base::parallel::sort;
use clearway_geometry::boxes::{Box3, BoxGrid};
use clearway_geometry::predicates::orient;
use rayon::prelude::*;

/// A corner on a side: the lower and the higher corner index of the side, a position along it, and the corner.
///
/// The position is the dot product of the side and the way to the corner, from the lower index on.
pub type Joint = (u32, u32, i64, u32);

/// Corners at which faces are cut, beside corners of free sides that lie on other free sides.
#[derive(Clone, Copy, Debug)]
pub enum Also<'a> {
    /// Corners of tiles that lie beside a side of another floor.
    Tiles(&'a Laying, &'a OpenSides),
    /// These corners where they lie on free sides, even if no free side ends at them.
    Corners(&'a [u32]),
}

/// Cuts faces at corners that lie within `near` of their free sides and within `upright` in height, and at `also`.
///
/// `edges` are those of all faces with area in projection. /// Removes the faces that were cut from the soup and returns their parts. A face stays whole if a part would be flat or
/// turn over.
pub fn cut_at_joints(
    soup: &mut Soup,
    edges: &EdgeTable,
    near: i32,
    upright: i32,
    also: Also<'_>,
) -> Vec<Face> {
    let joints = all_joints(soup, edges, near, upright, also);
    // Most faces have no joint. This mark rules them out without a search.
    let mut is_low = vec![false; soup.corners.len()];
    joints.iter().for_each(|joint| is_low[joint.0 as usize] = true);
    let Soup { faces, corners, .. } = soup;
    let spans = |part: &Face| {
        let [a, b, c] = part.corners.map(|corner| corners[corner as usize].at);
        orient(a, b, c) > 0
    };
    let mut parts = Vec::new();
    faces.retain(|face| {
        if face.kind == Kind::Upright || !face.corners.iter().any(|corner| is_low[*corner as usize]) {
            return true;
        }
        let first = parts.len();
        Cutter { joints: &joints, face }.cut(face.corners, [true; 3], &mut parts);
        let stays = parts.len() == first + 1 || !parts[first..].iter().all(spans);
        if stays {
            parts.truncate(first);
        }
        stays
    });
    parts
}

/// Returns the joints on free sides and those that `also` adds, sorted, each once.
fn all_joints(soup: &Soup, edges: &EdgeTable, near: i32, upright: i32, also: Also<'_>) -> Vec<Joint> {
    let corners = if let Also::Corners(corners) = also { corners } else { &[] };
    let (mut joints, mut beside) = rayon::join(
        || joints(soup, &free_sides(edges), near, upright, corners),
        || if let Also::Tiles(laying, open) = also { laying.joints_beside(soup, open) } else { Vec::new() },
    );
    joints.append(&mut beside);
    sort(&mut joints);
    joints.dedup();
    joints
}

/// Returns the sides that only one face has, each from its lower corner index to its higher.
fn free_sides(edges: &EdgeTable) -> Vec<(u32, u32)> {
    let lone = edges.edges().filter(|edge| edge.len() == 1);
    lone.map(|edge| (edge[0].low, edge[0].high)).collect()
}

/// Returns all joints: ends of free sides, and `others`, that lie on a free side.
fn joints(soup: &Soup, sides: &[(u32, u32)], near: i32, upright: i32, others: &[u32]) -> Vec<Joint> {
    let mut is_end = vec![false; soup.corners.len()];
    let ends = sides.iter().flat_map(|(low, high)| [*low, *high]);
    ends.chain(others.iter().copied()).for_each(|end| is_end[end as usize] = true);
    let ends: Vec<u32> = (0u32..).zip(is_end).filter(|(_, is_end)| *is_end).map(|(end, _)| end).collect();
    let corner = |number: u32| soup.corners[number as usize];
    let ends_of = |(low, high): &(u32, u32)| [corner(*low), corner(*high)];
    let rooms: Vec<Box3> =
        sides.iter().map(|side| Box3::around(ends_of(side).map(|end| (end.at, end.height)))).collect();
    let bins = BoxGrid::in_layers(&rooms, 0, MOST_ENTRIES);
    let joints_at = |mut joints: Vec<Joint>, end: u32| {
        bins.each_touching_in_space(
            &Box3::around([(corner(end).at, corner(end).height)]).grown(near, upright),
            |place, _| {
                let (low, high) = sides[place as usize];
                if end != low
                    && end != high
                    && let Some(ahead) = place_on(ends_of(&(low, high)), corner(end), near, upright)
                {
                    joints.push((low, high, ahead, end));
                }
            },
        );
        joints
    };
    ends.into_par_iter().fold(Vec::new, joints_at).flatten_iter().collect()
}

/// Returns the position of a corner along a side if it lies on the side: within `near` beside it, and within `upright`
/// of its height.
pub fn place_on([from, to]: [Corner; 2], corner: Corner, near: i32, upright: i32) -> Option<i64> {
    let (along, off) = (to.at - from.at, corner.at - from.at);
    let (ahead, whole) = (along.dot(off), along.dot(along));
    if ahead <= 0 || ahead >= whole {
        return None;
    }
    let aside = along.cross(off).unsigned_abs() as f64 / (whole as f64).sqrt();
    let rise = f64::from(to.height) - f64::from(from.height);
    let height = f64::from(from.height) + rise * (ahead as f64 / whole as f64);
    let is_on = aside <= f64::from(near) && (f64::from(corner.height) - height).abs() <= f64::from(upright);
    is_on.then_some(ahead)
}

/// Cuts one face.
struct Cutter<'a> {
    /// All joints, sorted.
    joints: &'a [Joint],
    /// The face; its parts keep everything but the corners.
    face: &'a Face,
}

impl Cutter<'_> {
    /// Adds the parts of a triangle. Splits the first `whole` side that has joints, then recurses into the parts.
    ///
    /// A side is `whole` if it is a whole side of the face, so that joints may lie on it.
    fn cut(&self, corners: [u32; 3], whole: [bool; 3], parts: &mut Vec<Face>) {
        for turn in (0..3).filter(|turn| whole[*turn]) {
            let [a, b, c] = [0, 1, 2].map(|i| corners[(i + turn) % 3]);
            let mut ends = self.on(a, b);
            if ends.is_empty() {
                continue;
            }
            ends.push(b);
            let [after, before] = [1, 2].map(|i| whole[(i + turn) % 3]);
            let mut last = a;
            for end in ends {
                self.cut([last, end, c], [false, after && end == b, before && last == a], parts);
                last = end;
            }
            return;
        }
        parts.push(Face { corners, ..*self.face });
    }

    /// Returns the corners on a side, in order from one end to the other.
    fn on(&self, from: u32, to: u32) -> Vec<u32> {
        let side = (from.min(to), from.max(to));
        let first = self.joints.partition_point(|joint| (joint.0, joint.1) < side);
        let here = self.joints[first..].iter().take_while(|joint| (joint.0, joint.1) == side);
        let mut corners: Vec<u32> = here.map(|joint| joint.3).collect();
        if from > to {
            corners.reverse();
        }
        corners
    }
}

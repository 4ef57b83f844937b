//! Where on a portal the centre of a disc may be: closed intervals, and a cache of them.

use super::profile::Track;
use super::walls::Wall;
use crate::mesh::NavMesh;
use crate::query::Flood;
use std::collections::BTreeMap;

/// The parts of a portal at least `radius` grid units from every wall, from `vertices[0]` on, in order.
///
/// Each wall removes one open interval, because the points closer than the radius to a segment are a convex set.
/// The published method keeps one interval per portal, whatever stands opposite its middle, and makes it depend
/// on the way through the cell; the true set needs no way.
pub(super) fn free_intervals(mesh: &NavMesh, flood: &mut Flood, portal: u32, radius: f64) -> Vec<[f64; 2]> {
    let (layout, record) = (mesh.layout(), mesh.portals[portal as usize]);
    let [from, to] = record.vertices.map(|v| mesh.points[v as usize].as_vec2());
    let track = Track::new(from, to);
    let mut blocked: Vec<(f64, f64)> = Vec::new();
    flood.walls(layout, &record.cells, (from, to), radius, |cell, side, _| {
        blocked.extend(track.blocked(&Wall::new(layout, cell, side), radius));
        radius
    });
    blocked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut free = Vec::new();
    let mut start = 0.0;
    for (low, high) in blocked {
        if low >= start {
            free.push([start, low]);
        }
        start = start.max(high);
    }
    if start <= track.length {
        free.push([start, track.length]);
    }
    free
}

/// Free intervals of portals, each computed once per radius. Planners keep one of their own.
#[allow(dead_code, reason = "for the planners")]
#[derive(Clone, Debug, Default)]
pub(crate) struct IntervalCache {
    flood: Flood,
    /// By portal and the bits of the radius.
    known: BTreeMap<(u32, u64), Vec<[f64; 2]>>,
}

#[allow(dead_code, reason = "for the planners")]
impl IntervalCache {
    /// The parts of a portal at least `radius` from every wall, all in grid units from `vertices[0]` on.
    pub fn intervals(&mut self, mesh: &NavMesh, portal: u32, radius: f64) -> &[[f64; 2]] {
        let IntervalCache { flood, known } = self;
        let find = || free_intervals(mesh, flood, portal, radius);
        known.entry((portal, radius.to_bits())).or_insert_with(find)
    }
}

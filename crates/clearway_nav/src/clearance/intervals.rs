//! The places on a portal where the centre of a disc may be, as closed intervals.
//!
//! Cost: O(w log w) for the w walls within the radius of the portal.

use super::profile::Track;
use super::walls::Wall;
use crate::mesh::NavMesh;
use crate::query::Flood;

/// Returns the parts of a portal at least `radius` grid units from every wall, from `vertices[0]` on, in order.
///
/// Each wall removes one open interval, because the points closer than the radius to a segment are a convex set. The
/// published method keeps one interval per portal, whatever stands opposite its middle, and makes it depend on the way
/// through the cell. The true set does not depend on a way.
pub(super) fn free_intervals(mesh: &NavMesh, flood: &mut Flood, portal: u32, radius: f64) -> Vec<[f64; 2]> {
    let (layout, record) = (mesh.graph(), mesh.parts.portals[portal as usize]);
    let [from, to] = record.vertices.map(|v| mesh.parts.points[v as usize].as_vec2());
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

//! The places on a portal where the centre of a disc may be, as closed intervals.
//!
//! Cost: O(w·k) for the w walls within the radius of the portal and the k intervals that are left. In layers, a walk
//! from one place of the portal comes on top for each wall that is not ruled out by nearer walls.

use super::profile::Track;
use super::walls::Wall;
use crate::mesh::{CellGraph, NavMesh};
use crate::query::Flood;
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};

/// Returns the parts of a portal at least `radius` grid units from every wall, from `vertices[0]` on, in order.
///
/// Each wall removes one open interval, because the points closer than the radius to a segment are a convex set. The
/// published method keeps one interval per portal, whatever stands opposite its middle, and makes it depend on the way
/// through the cell. The true set does not depend on a way.
pub(super) fn free_intervals(mesh: &NavMesh, flood: &mut Flood, portal: u32, radius: f64) -> Vec<[f64; 2]> {
    let (layout, record) = (mesh.graph(), mesh.parts.portals[portal as usize]);
    let [from, to] = record.vertices.map(|v| mesh.parts.points[v as usize].as_vec2());
    let mut free = Free { track: Track::new(from, to), radius, parts: Vec::new() };
    free.parts.push([0.0, free.track.length]);
    if layout.is_layered {
        free.cut_in_layers(layout, flood, record.cells);
    } else {
        flood.walls(layout, &record.cells, (from, to), radius, |cell, side, _| {
            free.cut(&Wall::new(layout, cell, side));
            radius
        });
    }
    free.parts
}

/// The parts of a portal that are still free while walls are added.
struct Free {
    /// The portal.
    track: Track,
    /// The radius of the disc, in grid units.
    radius: f64,
    /// The free parts as closed intervals, in order.
    parts: Vec<[f64; 2]>,
}

impl Free {
    /// Removes the places closer than the radius to a wall.
    fn cut(&mut self, wall: &Wall) {
        let Some((low, high)) = self.track.blocked(wall, self.radius) else { return };
        let left = self.parts.iter().flat_map(|[from, to]| {
            if high <= *from || low >= *to {
                return [Some([*from, *to]), None];
            }
            [(low >= *from).then_some([*from, low]), (high <= *to).then_some([high, *to])]
        });
        self.parts = left.flatten().collect();
    }

    /// Cuts the free parts where cells may lie over each other.
    ///
    /// Say that a wall counts if it is in sight of some place of the portal. Then no place of the portal has more room
    /// than its distance to that wall: turn the line of sight towards the place, and it either reaches the wall or
    /// meets a nearer one. So a wall that counts may be cut from the whole portal. Walls of the two cells count, and so
    /// does the wall nearest to any one place. A wall that is near in the plan, but leaves a place near it free, does
    /// not count: it stands on another floor or behind other walls.
    fn cut_in_layers(&mut self, layout: &CellGraph, flood: &mut Flood, cells: [u32; 2]) {
        let ends = (self.track.start, self.track.end);
        let mut near: Vec<(f64, Wall)> = Vec::new();
        flood.cells(layout, &cells, ends, self.radius, |cell| {
            for side in layout.sides(cell).filter(|side| layout.beyond[*side] == NONE) {
                let wall = Wall::new(layout, cell, side);
                if cells.contains(&cell) {
                    self.cut(&wall);
                } else {
                    near.push((segment_distance(ends.0, ends.1, wall.from, wall.to), wall));
                }
            }
        });
        near.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.side.cmp(&q.1.side)));
        let mut known: Vec<u32> = Vec::new();
        for (_, wall) in near {
            while let Some(place) = self.free_place_near(&wall) {
                // A wall that was found before is found again only within rounding of what it blocks.
                let nearest = self.nearest(layout, flood, cells, self.track.at(place));
                let Some(nearest) = nearest.filter(|nearest| !known.contains(&nearest.side)) else { break };
                self.cut(&nearest);
                known.push(nearest.side);
            }
        }
    }

    /// Returns a free place that is closer than the radius to a wall: the middle of the longest part of such places.
    fn free_place_near(&self, wall: &Wall) -> Option<f64> {
        let (low, high) = self.track.blocked(wall, self.radius)?;
        let parts = self.parts.iter().map(|[from, to]| [from.max(low), to.min(high)]);
        let longest = parts.max_by(|p, q| (p[1] - p[0]).total_cmp(&(q[1] - q[0])))?;
        let middle = 0.5 * (longest[0] + longest[1]);
        (longest[0] <= longest[1] && low < middle && middle < high).then_some(middle)
    }

    /// Returns the wall nearest to a place of the portal, if it is closer than the radius. The nearest wall is always
    /// in sight.
    fn nearest(&self, layout: &CellGraph, flood: &mut Flood, cells: [u32; 2], at: Vec2) -> Option<Wall> {
        let nearest = flood.nearest(layout, &cells, at, self.radius.next_down());
        nearest.map(|(cell, side)| Wall::new(layout, cell, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Derived;
    use crate::testing::MeshOptions;
    use clearway_build::Quality;
    use clearway_world::plan::Plan;

    /// A room of 20 by 20 m with long thin walls at random. Many walls are half hidden behind others.
    fn room_of_long_walls(seed: u64) -> NavMesh {
        let mut state = seed;
        let mut coordinate = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 20.0
        };
        let mut plan = Plan::from_rings([vec![[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]]]);
        plan.walls = (0..6).map(|_| (0..2).map(|_| [coordinate(), coordinate()]).collect()).collect();
        MeshOptions::default().quality(Quality::Fast).build(&plan).unwrap()
    }

    /// A plan has one floor, so the rules of layers must give what the rules of plans give.
    #[test]
    fn plans_taken_for_layers_have_the_same_free_parts() {
        let mut cut = 0;
        for seed in 0..60 {
            let flat = room_of_long_walls(seed);
            let mut layered = flat.clone();
            layered.graph = Derived::from(CellGraph { is_layered: true, ..CellGraph::of(&flat) });
            let mut flood = Flood::default();
            for portal in 0..flat.portal_count() as u32 {
                for radius in [0.4, 1.0, 2.0, 3.0, 4.0].map(|metres: f64| metres / flat.unit()) {
                    let [one, other] = [&flat, &layered]
                        .map(|mesh| without_slivers(&free_intervals(mesh, &mut flood, portal, radius)));
                    assert_eq!(one.len(), other.len(), "{seed}: {portal}, {radius}: {one:?}, {other:?}");
                    for (one, other) in one.iter().flatten().zip(other.iter().flatten()) {
                        assert!((one - other).abs() < 1e-3, "{seed}: {portal}, {radius}: {one}, {other}");
                    }
                    cut += one.len();
                }
            }
        }
        assert!(cut > 1000, "{cut}");
    }

    /// Leaves out parts shorter than a thousandth of a grid unit: rounding decides about them.
    fn without_slivers(free: &[[f64; 2]]) -> Vec<[f64; 2]> {
        free.iter().copied().filter(|[from, to]| to - from > 1e-3).collect()
    }
}

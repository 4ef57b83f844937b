//! The parts of portals between sheets that stay free.
//!
//! Both cells of a portal see the same parts: what the walls near either leave of it, with a margin, so that the walls
//! that cut the cells never touch a free part. Behind each end of a free part a wedge is cut out of both cells: rounding
//! may bend what is left of the portal there, and without wedges the two sheets would overlap around that end.

use super::walls::{Walls, rounded};
use clearway_base::parallel::map;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::NavMesh;

/// The least length in grid units of a blocked part, so that wedges find room. Shorter ones are widened.
const LEAST_BLOCKED: f64 = 64.0;
/// The least length in grid units of a free part; shorter ones stay shut.
const LEAST_FREE: f64 = 16.0;
/// The length of wedges and half their width, in grid units: large beside the rounding of their corners.
const WEDGE: [f64; 2] = [24.0, 6.0];

/// The free parts of portals between sheets.
pub struct Openings {
    /// For each portal, the ends of its free parts in order, as seen from its first cell.
    parts: Vec<Vec<[Point; 2]>>,
}

impl Openings {
    /// Finds the free parts of all portals between cells of two sheets.
    pub fn of(mesh: &NavMesh, sheet_of: &[u32], walls: &Walls) -> Openings {
        let stored = mesh.parts();
        let parts = map(stored.portals.len(), |portal| {
            let record = &stored.portals[portal];
            let [one, other] = record.cells.map(|cell| sheet_of[cell as usize]);
            if one == other || one == NONE || other == NONE {
                return Vec::new();
            }
            let holes = record.cells.iter().flat_map(|cell| walls.cutting(mesh, *cell, super::MARGIN));
            free_parts(
                record.vertices.map(|vertex| stored.points[vertex as usize]),
                &holes.collect::<Vec<_>>(),
            )
        });
        Openings { parts }
    }

    /// Returns the corners that the free parts put onto a portal, in the order of its first cell.
    pub fn corners(&self, portal: u32) -> &[[Point; 2]] {
        self.parts.get(portal as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the wedges behind the ends of free parts of a portal, whose ends these are.
    pub fn wedges(&self, portal: u32, ends: [Point; 2]) -> Vec<Vec<Point>> {
        let along = (ends[1].as_vec2() - ends[0].as_vec2()).unit();
        let behind = |[from, to]: &[Point; 2]| [(*from, along * -1.0), (*to, along)];
        let inner = self.corners(portal).iter().flat_map(behind).filter(|(end, _)| !ends.contains(end));
        let wedge = |(end, away): (Point, Vec2)| {
            let base = end.as_vec2() + away * WEDGE[0];
            vec![end, rounded(base - away.perp() * WEDGE[1]), rounded(base + away.perp() * WEDGE[1])]
        };
        inner.map(wedge).collect()
    }

    /// Returns all free parts, each with the cells on its left and on its right.
    pub fn all<'a>(&'a self, mesh: &'a NavMesh) -> impl Iterator<Item = ([u32; 2], [Point; 2])> + 'a {
        let of_portal =
            |(parts, cells): (&'a Vec<[Point; 2]>, [u32; 2])| parts.iter().map(move |ends| (cells, *ends));
        self.parts.iter().zip(mesh.parts().portals.iter().map(|record| record.cells)).flat_map(of_portal)
    }
}

/// Returns what convex holes leave of a segment, rounded to the grid.
fn free_parts(ends: [Point; 2], holes: &[Vec<Point>]) -> Vec<[Point; 2]> {
    let [from, to] = ends.map(Point::as_vec2);
    let length = (to - from).length();
    let widened = |[enter, leave]: [f64; 2]| {
        let more = (0.5 * (LEAST_BLOCKED / length - (leave - enter))).max(0.0);
        [(enter - more).max(0.0), (leave + more).min(1.0)]
    };
    let blocked = holes.iter().filter_map(|ring| share_within(from, to, ring)).map(widened);
    let mut blocked: Vec<[f64; 2]> = blocked.collect();
    blocked.sort_by(|p, q| p[0].total_cmp(&q[0]));
    let at = |share: f64| match share {
        0.0 => ends[0],
        1.0 => ends[1],
        share => rounded(from + (to - from) * share),
    };
    let (mut parts, mut free_from) = (Vec::new(), 0.0);
    for [enter, leave] in blocked.into_iter().chain([[1.0, 1.0]]) {
        let part = [at(free_from), at(enter)];
        let is_whole = free_from == 0.0 && enter == 1.0;
        if enter > free_from && (is_whole || (enter - free_from) * length >= LEAST_FREE) {
            parts.push(part);
        }
        free_from = leave.max(free_from);
    }
    parts
}

/// Returns the shares of a segment between which it lies in a convex ring; `None` if it does not touch it (Cyrus and Beck
/// 1978).
fn share_within(from: Vec2, to: Vec2, ring: &[Point]) -> Option<[f64; 2]> {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (a, b) in ring.iter().zip(ring.iter().skip(1).chain(ring.first())) {
        let (a, b) = (a.as_vec2(), b.as_vec2());
        let [before, after] = [from, to].map(|at| (b - a).cross(at - a));
        if before < 0.0 && after < 0.0 {
            return None;
        }
        if before < 0.0 {
            enter = enter.max(before / (before - after));
        } else if after < 0.0 {
            leave = leave.min(before / (before - after));
        }
    }
    (enter <= leave).then_some([enter, leave])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: i32, side: i32) -> Vec<Point> {
        [(0, 0), (side, 0), (side, side), (0, side)].map(|(u, v)| Point::new(x + u, v - side / 2)).to_vec()
    }

    #[test]
    fn holes_leave_parts_of_a_segment() {
        let ends = [Point::new(0, 0), Point::new(1000, 0)];
        let parts = |holes: &[Vec<Point>]| {
            free_parts(ends, holes).iter().map(|[a, b]| (a.x, b.x)).collect::<Vec<_>>()
        };
        assert_eq!(parts(&[]), [(0, 1000)]);
        assert_eq!(parts(&[square(400, 200)]), [(0, 400), (600, 1000)]);
        let three = [square(500, 200), square(400, 200), square(-100, 300)];
        assert_eq!(parts(&three), [(200, 400), (700, 1000)]);
        assert_eq!(parts(&[square(900, 400), square(-200, 600)]), [(400, 900)]);
        assert!(parts(&[square(-100, 2000)]).is_empty());
        // A hole that only touches is widened; what is left beside two holes may be too short.
        assert_eq!(parts(&[square(500, 4)]), [(0, 470), (534, 1000)]);
        assert_eq!(parts(&[square(0, 495), square(505, 495)]), []);
    }

    #[test]
    fn wedges_lie_behind_the_ends_of_free_parts() {
        let ends = [Point::new(0, 0), Point::new(1000, 0)];
        let openings = Openings { parts: vec![free_parts(ends, &[square(400, 200)])] };
        let wedges = openings.wedges(0, ends);
        assert_eq!(wedges.len(), 2, "none at the ends of the portal");
        for wedge in wedges {
            let [a, b, c] = [wedge[0], wedge[1], wedge[2]];
            assert!(clearway_geometry::predicates::orient(a, b, c) > 0);
            assert!(wedge[1..].iter().all(|p| (400..=600).contains(&p.x) && p.y.abs() == 6));
        }
    }
}

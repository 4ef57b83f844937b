//! The parts of portals between sheets that stay free.
//!
//! Both cells of a portal see the same parts: what the walls near either leave of it, with a margin, so that the walls
//! that cut the cells never touch a free part.

use super::walls::{Walls, rounded};
use clearway_base::parallel::map;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::NavMesh;

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
    let mut blocked: Vec<[f64; 2]> = holes.iter().filter_map(|ring| share_within(from, to, ring)).collect();
    blocked.sort_by(|p, q| p[0].total_cmp(&q[0]));
    let at = |share: f64| match share {
        0.0 => ends[0],
        1.0 => ends[1],
        share => rounded(from + (to - from) * share),
    };
    let (mut parts, mut free_from) = (Vec::new(), 0.0);
    for [enter, leave] in blocked.into_iter().chain([[1.0, 1.0]]) {
        let part = [at(free_from), at(enter)];
        if enter > free_from && part[0] != part[1] {
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
        let ends = [Point::new(0, 0), Point::new(100, 0)];
        let parts = |holes: &[Vec<Point>]| {
            free_parts(ends, holes).iter().map(|[a, b]| (a.x, b.x)).collect::<Vec<_>>()
        };
        assert_eq!(parts(&[]), [(0, 100)]);
        assert_eq!(parts(&[square(40, 20)]), [(0, 40), (60, 100)]);
        assert_eq!(parts(&[square(50, 20), square(40, 20), square(-10, 30)]), [(20, 40), (70, 100)]);
        assert_eq!(parts(&[square(90, 40), square(-20, 60)]), [(40, 90)]);
        assert!(parts(&[square(-10, 200)]).is_empty());
    }
}

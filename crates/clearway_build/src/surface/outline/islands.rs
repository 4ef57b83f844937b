//! Islands: small pieces that nothing leads to, such as the tops of tables, cupboards and walls.
//!
//! A piece is an island if it is small, stands over the ground of a larger piece, and no larger piece lies at its
//! height beside it. So the floor of a shut room stays, because other floors lie at its height. A roof or a gallery
//! stays, because people can stand beneath it. A platform over nothing stays, because it does not stand on the ground of
//! another piece. What ways lead to stays as well.
//!
//! Cost: a grid of boxes over the triangles of large pieces, made only if there are small ones, and a look-up per
//! triangle of a small piece.

use crate::surface::outline::pieces::{Piece, Reason, Sorter};
use crate::surface::stitch::fabric::Fabric;
use crate::surface::tolerances::islands::{BESIDE, HIGHEST, LARGEST, SHARE};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::in_triangle;
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{Point, Vec2};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Drops the islands among the pieces that are kept so far. `led_to` holds the pieces at the ends of ways.
pub(crate) fn drop_islands(
    sorter: &Sorter<'_>,
    fabric: &Fabric,
    piece_of: &[u32],
    led_to: &BTreeSet<u32>,
    pieces: &mut [Piece],
) {
    let kept = || pieces.iter().filter(|piece| piece.dropped.is_none());
    let largest = kept().map(|piece| piece.area).fold(0.0, f64::max);
    let limit = LARGEST.min(SHARE * largest);
    let is_small = |piece: &Piece| piece.dropped.is_none() && piece.area < limit;
    let mut triangles_of = vec![Vec::new(); pieces.len()];
    for (triangle, piece) in (0u32..).zip(piece_of) {
        if is_small(&pieces[*piece as usize]) && !led_to.contains(piece) {
            triangles_of[*piece as usize].push(triangle);
        }
    }
    if triangles_of.iter().all(Vec::is_empty) {
        return;
    }
    let is_large = |piece: &Piece| piece.dropped.is_none() && piece.area >= limit;
    let large = (0u32..).zip(piece_of).filter(|(_, piece)| is_large(&pieces[**piece as usize]));
    let ground = Ground::of(sorter, fabric, large.map(|(triangle, _)| triangle).collect());
    let islands: Vec<bool> = triangles_of
        .par_iter()
        .map(|triangles| !triangles.is_empty() && ground.is_island(triangles))
        .collect();
    for (piece, is_island) in pieces.iter_mut().zip(islands) {
        piece.dropped = piece.dropped.or(is_island.then_some(Reason::Island));
    }
}

/// The triangles of large pieces, by place.
struct Ground<'a> {
    /// Knows the heights of charts.
    sorter: &'a Sorter<'a>,
    /// All triangles.
    fabric: &'a Fabric,
    /// The triangles of large pieces.
    triangles: Vec<u32>,
    /// Their boxes.
    bins: BoxGrid,
}

impl<'a> Ground<'a> {
    /// Sorts triangles into bins.
    fn of(sorter: &'a Sorter<'a>, fabric: &'a Fabric, triangles: Vec<u32>) -> Ground<'a> {
        let extent = |triangle: &u32| Box2::of(&fabric.patch(*triangle).corners);
        let bins = BoxGrid::of(triangles.iter().map(extent).collect());
        Ground { sorter, fabric, triangles, bins }
    }

    /// True if a small piece stands over the ground, nobody can stand beneath it, and no ground lies beside it at its
    /// height.
    fn is_island(&self, piece: &[u32]) -> bool {
        // Triangles of one chart have one height at a common corner.
        let mut corners: Vec<(u32, Point, u32)> = Vec::with_capacity(3 * piece.len());
        for triangle in piece {
            let chart = self.fabric.chart[*triangle as usize];
            corners.extend(self.fabric.patch(*triangle).corners.map(|corner| (chart, corner, *triangle)));
        }
        corners.sort_unstable();
        corners.dedup_by_key(|(chart, corner, _)| (*chart, *corner));
        let mut is_over = false;
        for (_, corner, triangle) in corners {
            match self.beside(triangle, corner) {
                Beside::Level => return false,
                Beside::Lower => is_over = true,
                Beside::Nothing => {}
            }
        }
        is_over && !piece.iter().any(|triangle| self.has_room_beneath(*triangle))
    }

    /// Returns what lies beside a corner of a triangle: ground at its height, lower ground, or neither.
    fn beside(&self, triangle: u32, corner: Point) -> Beside {
        let unit = self.sorter.soup.grid.unit();
        let (reach, highest) = (BESIDE / unit, HIGHEST / unit);
        let step = self.sorter.soup.rules.limits.step;
        let (at, height) = (corner.as_vec2(), self.height(triangle, corner.as_vec2()));
        let mut found = Beside::Nothing;
        self.bins.each_touching(&Box2 { min: corner, max: corner }.grown(reach.ceil() as i32), |place| {
            let other = self.triangles[place as usize];
            let corners = self.fabric.patch(other).corners.map(Point::as_vec2);
            if found == Beside::Level || beyond_triangle(corners, at) > reach {
                return;
            }
            let near = nearest(corners, at);
            if near.distance(at) > reach {
                return;
            }
            let rise = height - self.height(other, near);
            if rise.abs() <= step {
                found = Beside::Level;
            } else if rise > 0.0 && rise <= highest {
                found = Beside::Lower;
            }
        });
        found
    }

    /// True if somebody can stand straight beneath the middle of a triangle: the next floor below it is ground of a large
    /// piece. The floor under a table is none, and the storey below that does not count.
    fn has_room_beneath(&self, triangle: u32) -> bool {
        let [a, b, c] = self.fabric.patch(triangle).corners.map(Point::as_vec2);
        let middle = (a + b + c) * (1.0 / 3.0);
        let spot = Point::new(middle.x.round() as i32, middle.y.round() as i32);
        let (height, here) = (self.height(triangle, middle), Box2 { min: spot, max: spot });
        let step = self.sorter.soup.rules.limits.step;
        let mut next = f64::NEG_INFINITY;
        self.sorter.faces.floors.each_touching(&here, |floor| {
            let corners = self.sorter.soup.corners(floor).map(|corner| corner.at.as_vec2());
            let floor = self.sorter.soup.height_at(floor, middle);
            if floor < height - step && beyond_triangle(corners, middle) <= 0.0 {
                next = next.max(floor);
            }
        });
        self.bins.any_touching(&here, |place| {
            let other = self.triangles[place as usize];
            let beneath = || self.height(other, middle);
            in_triangle(self.fabric.patch(other).corners, spot)
                && (next - step..height - step).contains(&beneath())
        })
    }

    /// Returns the height of a triangle's chart at a point, in grid units.
    fn height(&self, triangle: u32, at: Vec2) -> f64 {
        self.sorter.height_near(self.fabric.chart[triangle as usize], at, 4)
    }
}

/// The ground beside a corner of a small piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// There is none within reach.
    Nothing,
    /// Ground that lies more than a step lower.
    Lower,
    /// Ground within a step of the corner's height.
    Level,
}

/// Returns the point of a triangle that lies nearest to `at`.
fn nearest(corners: [Vec2; 3], at: Vec2) -> Vec2 {
    if beyond_triangle(corners, at) <= 0.0 {
        return at;
    }
    let on = |i: usize| at.nearest_on(corners[i], corners[(i + 1) % 3]);
    let nearer = |one: Vec2, other: Vec2| if at.distance(other) < at.distance(one) { other } else { one };
    [1, 2].map(on).into_iter().fold(on(0), nearer)
}

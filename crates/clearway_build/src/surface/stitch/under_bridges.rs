//! Removes the floor under bridges: where floors were drawn together over a gap, nobody stands in the gap any more.
//!
//! A gap may have a floor of its own, less than the head-room below. A triangle goes if it is no wider than a gap and
//! its middle lies under a triangle that was drawn over a gap. A wider one cannot have been covered.
//!
//! Cost: one look-up in a grid of boxes per narrow triangle.

use crate::surface::outline::pieces::Sorter;
use crate::surface::stitch::fabric::Fabric;
use crate::surface::tolerances::ROUNDING;
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::{in_triangle, width};
use clearway_geometry::{Point, Vec2};
use rayon::prelude::*;

/// Removes the triangles beneath bridges. A bridge is a triangle with a corner in `bridged`, which must be sorted.
pub(crate) fn clear_beneath(sorter: &Sorter<'_>, fabric: &mut Fabric, bridged: &[Point]) {
    if bridged.is_empty() {
        return;
    }
    let bridges = Bridges::of(sorter, fabric, bridged);
    let all = 0..fabric.len() / 3;
    let keep: Vec<bool> = all.into_par_iter().map(|triangle| !bridges.cover(triangle)).collect();
    if keep.contains(&false) {
        fabric.retain(&keep);
    }
}

/// The triangles that were drawn over gaps.
struct Bridges<'a> {
    /// Knows the heights of charts.
    sorter: &'a Sorter<'a>,
    /// All triangles.
    fabric: &'a Fabric,
    /// The triangles that are bridges.
    bridges: Vec<u32>,
    /// The bridges by place.
    bins: BoxGrid,
}

impl<'a> Bridges<'a> {
    /// Finds all triangles with a corner in `bridged`.
    fn of(sorter: &'a Sorter<'a>, fabric: &'a Fabric, bridged: &[Point]) -> Bridges<'a> {
        let corners = |triangle: u32| fabric.patch(triangle).corners;
        let is_bridge = |t: &u32| corners(*t).iter().any(|corner| bridged.binary_search(corner).is_ok());
        let bridges: Vec<u32> = (0..fabric.len() / 3).into_par_iter().filter(is_bridge).collect();
        let bins = BoxGrid::of(bridges.iter().map(|bridge| Box2::of(&corners(*bridge))).collect());
        Bridges { sorter, fabric, bridges, bins }
    }

    /// True if a triangle is no wider than a gap and a bridge lies over its middle, less than the head-room above.
    fn cover(&self, triangle: u32) -> bool {
        let (sorter, fabric) = (self.sorter, self.fabric);
        let (gap, head_room) = (sorter.soup.rules.gap, sorter.soup.rules.head_room);
        let [a, b, c] = fabric.patch(triangle).corners;
        if width([a, b, c]) > gap + ROUNDING {
            return false;
        }
        let middle = (a.as_vec2() + b.as_vec2() + c.as_vec2()) * (1.0 / 3.0);
        let spot = Point::new(middle.x.round() as i32, middle.y.round() as i32);
        let mut is_covered = false;
        self.bins.each_touching(&Box2 { min: spot, max: spot }, |place| {
            let bridge = self.bridges[place as usize];
            let rise = || height(sorter, fabric, bridge, middle) - height(sorter, fabric, triangle, middle);
            is_covered |= bridge != triangle
                && in_triangle(fabric.patch(bridge).corners, spot)
                && (ROUNDING..head_room - ROUNDING).contains(&rise());
        });
        is_covered
    }
}

/// The height of a triangle's chart at a point, in grid units.
fn height(sorter: &Sorter<'_>, fabric: &Fabric, triangle: u32, at: Vec2) -> f64 {
    // A bridge reaches beyond the faces of its chart.
    let reach = (sorter.soup.rules.gap + 2.0 * ROUNDING).ceil() as i32;
    sorter.height_near(fabric.chart[triangle as usize], at, reach)
}

//! Removes the floor under bridges: where floors were drawn together over a gap, nobody stands in the gap any more.
//!
//! A gap may have a floor of its own, less than the head-room below. A triangle goes if it is no wider than a gap and
//! its middle lies under a triangle that was drawn over a gap. A wider one cannot have been covered.
//!
//! Cost: one look-up in a grid of boxes per narrow triangle.

use crate::surface::outline::pieces::Sorter;
use crate::surface::stitch::fabric::Fabric;
use crate::surface::stitch::glue::ROUNDING;
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::{in_triangle, width};
use clearway_geometry::{Point, Vec2};
use rayon::prelude::*;

/// Removes the triangles beneath bridges. A bridge is a triangle with a corner in `bridged`, which must be sorted.
pub(crate) fn clear_beneath(sorter: &Sorter<'_>, fabric: &mut Fabric, bridged: &[Point]) {
    if bridged.is_empty() {
        return;
    }
    let corners = |triangle: u32| [0, 1, 2].map(|i| fabric.from(3 * triangle + i));
    let is_bridge = |t: &u32| corners(*t).iter().any(|corner| bridged.binary_search(corner).is_ok());
    let all = 0..fabric.len() / 3;
    let bridges: Vec<u32> = all.clone().into_par_iter().filter(is_bridge).collect();
    let bins = BoxGrid::of(bridges.iter().map(|bridge| Box2::of(&corners(*bridge))).collect());
    let unit = sorter.soup.grid.unit();
    let (gap, head_room) = (sorter.rules.gap / unit, sorter.rules.height / unit);
    let is_covered = |triangle: u32| {
        let [a, b, c] = corners(triangle);
        if width([a, b, c]) > gap + ROUNDING {
            return false;
        }
        let middle = (a.as_vec2() + b.as_vec2() + c.as_vec2()) * (1.0 / 3.0);
        let spot = Point::new(middle.x.round() as i32, middle.y.round() as i32);
        let mut is_covered = false;
        bins.each_touching(&Box2 { min: spot, max: spot }, |place| {
            let bridge = bridges[place as usize];
            let rise = || height(sorter, fabric, bridge, middle) - height(sorter, fabric, triangle, middle);
            is_covered |= bridge != triangle
                && in_triangle(corners(bridge), spot)
                && (ROUNDING..head_room - ROUNDING).contains(&rise());
        });
        is_covered
    };
    let keep: Vec<bool> = all.into_par_iter().map(|triangle| !is_covered(triangle)).collect();
    if keep.contains(&false) {
        fabric.retain(&keep);
    }
}

/// The height of a triangle's chart at a point, in grid units.
fn height(sorter: &Sorter<'_>, fabric: &Fabric, triangle: u32, at: Vec2) -> f64 {
    // A bridge reaches beyond the faces of its chart.
    let reach = (sorter.rules.gap / sorter.soup.grid.unit() + 2.0 * ROUNDING).ceil() as i32;
    sorter.height_near(fabric.chart[triangle as usize], at, reach)
}

//! How high rooms are: a unit that is not the metre shows indoors, where the size of the whole scene tells nothing.
//!
//! Over the middles of the largest floors the next face above is looked for. If most of their area has one, and it is much
//! farther away than a body is high, or much nearer, the unit is likely another.
//!
//! Cost: one look at the areas of walkable faces, and a few hundred places looked up.

use super::bins::Extent;
use super::report::SurfaceFinding;
use super::rules::WalkRules;
use super::soup::{FaceBins, Soup};
use super::survey::metres;
use clearway_geometry::Point;
use clearway_geometry::predicates::orient;
use clearway_geometry::vec2::beyond_triangle;

/// At how many faces is looked.
const SAMPLES: usize = 256;
/// Rooms lower or higher than this many times a body are odd.
const LOW: f64 = 0.25;
const HIGH: f64 = 8.0;
/// How high a room usually is, in heights of a body.
const USUAL: f64 = 1.4;
/// What the unit of a scene may be instead of the one that was taken: millimetres, centimetres, inches, feet, and back.
const UNITS: [f64; 8] = [0.001, 0.01, 0.0254, 0.3048, 3.28, 39.4, 100.0, 1000.0];

/// What to say if most rooms are much higher or lower than rooms are.
pub(super) fn odd_unit(soup: &Soup, faces: &FaceBins, rules: &WalkRules) -> Option<SurfaceFinding> {
    let height = usual_height(soup, faces)?;
    if height >= LOW * rules.height && height <= HIGH * rules.height {
        return None;
    }
    let off = |factor: &f64| (height * factor / (USUAL * rules.height)).ln().abs();
    let needed = UNITS.into_iter().min_by(|p, q| off(p).total_cmp(&off(q)));
    let detail = format!("rooms are mostly {} m high: perhaps the unit is not the metre", metres(height));
    Some(SurfaceFinding { needed, ..SurfaceFinding::new("unit", 1, None, detail) })
}

/// Up to which height half of the area of the largest floors has something above it, in metres; `None` out of doors, where
/// half of it has nothing.
fn usual_height(soup: &Soup, faces: &FaceBins) -> Option<f64> {
    let area = |face: u32| {
        let [a, b, c] = soup.corners(face).map(|corner| corner.at);
        orient(a, b, c)
    };
    let mut floors: Vec<(i64, u32)> = (0..soup.walkable()).map(|face| (-area(face), face)).collect();
    if floors.len() > SAMPLES {
        floors.select_nth_unstable(SAMPLES);
        floors.truncate(SAMPLES);
    }
    let mut rooms: Vec<(f64, f64)> =
        floors.iter().map(|(area, face)| (head_room(soup, faces, *face), -area as f64)).collect();
    rooms.sort_by(|p, q| p.0.total_cmp(&q.0));
    let half = 0.5 * rooms.iter().map(|room| room.1).sum::<f64>();
    let mut sum = 0.0;
    let room = rooms.iter().find(|(_, area)| {
        sum += area;
        sum >= half
    });
    room.map(|room| room.0 * soup.grid.unit()).filter(|height| height.is_finite())
}

/// How far the next face above the middle of a face is, in grid units; infinite where there is none.
fn head_room(soup: &Soup, faces: &FaceBins, floor: u32) -> f64 {
    let [a, b, c] = soup.corners(floor).map(|corner| corner.at.as_vec2());
    let at = (a + b + c) * (1.0 / 3.0);
    let own = soup.height_at(floor, at);
    let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
    let mut least = f64::INFINITY;
    faces.each_touching(&Extent { min: spot, max: spot }, |face| {
        let corners = || soup.corners(face).map(|corner| corner.at.as_vec2());
        // What lies on the floor, such as another floor drawn there once more, is no ceiling.
        if !soup.is_upright(face) && beyond_triangle(corners(), at) <= 0.0 {
            let above = soup.height_at(face, at) - own;
            least = if above > ON_FLOOR { least.min(above) } else { least };
        }
    });
    least
}

/// Faces no higher above a floor than this lie on it, in grid units: two millimetres.
const ON_FLOOR: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use crate::surface::WalkableSurface;

    /// A floor and, where there is one, a ceiling over it, in units of `scale`.
    fn units(scale: f64, has_ceiling: bool) -> Vec<(&'static str, Option<f64>)> {
        let square = |y: f64| [[0.0, y, 0.0], [0.0, y, 80.0], [80.0, y, 80.0], [80.0, y, 0.0]];
        let corners =
            [square(0.0), square(2.7)].concat().into_iter().map(|at: [f64; 3]| at.map(|c| c * scale));
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
        let count = if has_ceiling { 4 } else { 2 };
        let triangles = triangles[..count].to_vec();
        let scene = Scene::from_triangles(corners.collect(), triangles, vec![0; count], [("", "")]).unwrap();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
        surface.report().warnings.iter().map(|warning| (warning.kind, warning.needed)).collect()
    }

    #[test]
    fn rooms_of_giants_and_dwarfs_are_told() {
        assert_eq!(units(1.0, true), []);
        assert_eq!(units(100.0, true), [("unit", Some(0.01))]);
        assert_eq!(units(1.0 / 0.0254, true), [("unit", Some(0.0254))]);
        assert_eq!(units(0.1, true), [("unit", Some(3.28))], "a tenth is no unit; feet come nearest");
        assert_eq!(units(100.0, false), [], "out of doors nothing is known");
    }
}

//! Checks a scene before anything is made of it: its size, and whether unit, upward axis and steepest slope are
//! plausible.
//!
//! Invariant: the checks change nothing; they only return warnings. Cost: two passes over the triangles.

use crate::surface::faces::soup::{Kind, Soup};
use crate::surface::report::summary::SurfaceFinding;
use crate::surface::rules::WalkRules;
use crate::surface::tolerances::axes_units::{LONGEST, MUCH_MORE, ONE_SIDED, STEEP_SHARE, STEEPER};
use clearway_nav::query::in_world;
use clearway_world::scene::Scene;

/// The measurements of a scene from which warnings follow.
pub(crate) struct Survey {
    /// The size in metres along x, y and z.
    pub size: [f64; 3],
    /// The area of faces that would be walkable if +y, +z, -z, +x or -x pointed up, in square metres.
    walkable: [f64; 5],
    /// The faces that are just too steep.
    steep: Steep,
}

/// Faces that are just steeper than the rules allow.
#[derive(Default)]
struct Steep {
    /// The number of faces.
    count: u64,
    /// Their area seen from above, in square metres.
    area: f64,
    /// The slope of the steepest, in radians.
    slope: f64,
    /// The area and the middle of the largest.
    largest: (f64, Option<[f64; 3]>),
}

impl Survey {
    /// Measures all triangles.
    pub fn of(scene: &Scene, rules: &WalkRules, soup: &Soup) -> Survey {
        let [low, high] = scene.bounds().unwrap_or_default();
        let size = [0, 1, 2].map(|axis| high[axis] - low[axis]);
        let mut survey = Survey { size, walkable: [0.0; 5], steep: Steep::of(soup, rules) };
        let upright = rules.least_upright();
        for triangle in &scene.triangles {
            let corners = triangle.map(|corner| scene.vertices.get(corner as usize).copied());
            // A scene may come from a caller with indices out of range; those triangles are skipped here.
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            let normal = normal([a, b, c]);
            let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
            let [x, y, z] = normal;
            for (area, rise) in survey.walkable.iter_mut().zip([y, z, -z, x, -x]) {
                *area += if rise > 0.0 && rise >= upright * length { 0.5 * length } else { 0.0 };
            }
        }
        survey
    }

    /// Returns the warnings about unit, upward axis and slope.
    pub fn warnings(&self, rules: &WalkRules) -> Vec<SurfaceFinding> {
        [self.unit(rules), self.up(), self.steep(rules)].into_iter().flatten().collect()
    }

    /// Warns if the whole scene is lower than a body, or longer than `LONGEST`.
    fn unit(&self, rules: &WalkRules) -> Option<SurfaceFinding> {
        let [x, y, z] = self.size.map(metres);
        let longest = self.size.into_iter().fold(0.0, f64::max);
        let judged = match () {
            () if longest < rules.height => format!("lower than a body of {} m", rules.height),
            () if longest > LONGEST => format!("more than {} km", LONGEST / 1000.0),
            () => return None,
        };
        let detail = format!("scene of {x} x {y} x {z} m is {judged}: perhaps its unit is not the metre");
        let needed = Some(if longest < rules.height { 100.0 } else { 0.01 });
        Some(SurfaceFinding { needed, ..SurfaceFinding::new("unit", 1, None, detail) })
    }

    /// Warns if another axis may point up. Worlds are wider than high, and floors larger than the walls on one side.
    /// If neither holds but would with another axis, that axis may be meant. Walls that stand upright either way must
    /// be smaller as well, or the world is a tall shaft.
    fn up(&self) -> Option<SurfaceFinding> {
        let [own, front, back, right, left] = self.walkable;
        let [_, height, depth] = self.size;
        let other = front.max(back);
        let is_more = other > MUCH_MORE * own.max(right).max(left);
        // With no floor at all any other axis is better, whatever the proportions.
        let is_odd = if own > 0.0 { is_more && depth < height } else { other > 0.0 };
        let (kind, axis) = match () {
            () if front >= ONE_SIDED * back => ("up_z", "+z"),
            () if back >= ONE_SIDED * front => ("up_y", "-z"),
            () => ("up", "another axis"),
        };
        let [own, other] = [own, other].map(metres);
        let detail = format!(
            "axis may be wrong: if {axis} pointed up, {other} m\u{b2} would face up, not {own} m\u{b2}"
        );
        is_odd.then(|| SurfaceFinding::new(kind, 1, None, detail))
    }

    /// Warns if faces just too steep make up a noticeable area.
    fn steep(&self, rules: &WalkRules) -> Option<SurfaceFinding> {
        let Steep { count, area, slope, largest } = self.steep;
        if area < rules.min_area.max(STEEP_SHARE * self.walkable[0]) || count == 0 {
            return None;
        }
        let limit = short_degrees(rules.max_slope);
        let detail = format!("faces are just steeper than {limit} degrees, {area:.2} m\u{b2} in all");
        let needed = Some(slope.to_degrees().ceil()).filter(|needed| *needed < 90.0);
        Some(SurfaceFinding {
            area: Some(area),
            needed,
            ..SurfaceFinding::new("steep", count, largest.1, detail)
        })
    }
}

impl Steep {
    /// Measures the faces that face up and block. Bevelled kerbs are not among them: those count as steps.
    fn of(soup: &Soup, rules: &WalkRules) -> Steep {
        let steepest = (rules.max_slope + STEEPER).min(std::f64::consts::FRAC_PI_2).cos();
        let mut steep = Steep::default();
        for (number, face) in (0u32..).zip(&soup.faces) {
            if face.kind != Kind::Blocking || !face.is_up {
                continue;
            }
            let corners = soup.corners(number).map(|corner| {
                let at = soup.grid.place(corner.at.as_vec2());
                in_world(at, f64::from(corner.height) * soup.grid.unit())
            });
            let normal = normal(corners);
            let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
            if normal[1] >= steepest * length {
                let middle =
                    [0, 1, 2].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f64>() / 3.0);
                steep.add(0.5 * normal[1], (normal[1] / length).acos(), middle);
            }
        }
        steep
    }

    /// Adds one face.
    fn add(&mut self, area: f64, slope: f64, middle: [f64; 3]) {
        self.count += 1;
        self.area += area;
        self.slope = self.slope.max(slope);
        if area > self.largest.0 {
            self.largest = (area, Some(middle));
        }
    }
}

/// The normal of a triangle; its length is twice the area.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [p, q] = [b, c].map(|end| [end[0] - a[0], end[1] - a[1], end[2] - a[2]]);
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// An angle in degrees to a hundredth, without trailing zeros.
pub(crate) fn short_degrees(angle: f64) -> String {
    format!("{}", (100.0 * angle.to_degrees()).round() / 100.0)
}

/// A length in metres with three significant digits, without trailing zeros.
pub(crate) fn metres(length: f64) -> String {
    if length >= 100.0 || length == 0.0 {
        return format!("{length:.0}");
    }
    let decimals = (2.0 - length.log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{length:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A floor of 8 m by 4 m whose far side is raised, in units of `scale`.
    fn slope(degrees: f64, scale: f64) -> Scene {
        let rise = 4.0 * degrees.to_radians().tan();
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, rise, -4.0], [0.0, rise, -4.0]];
        let corners = corners.map(|corner| corner.map(|c| c * scale)).to_vec();
        Scene::from_triangles(corners, vec![[0, 1, 2], [0, 2, 3]], vec![0; 2], [("floor", "")]).unwrap()
    }

    fn kinds(scene: &Scene) -> Vec<&'static str> {
        warnings(scene, &WalkRules::default()).iter().map(|warning| warning.kind).collect()
    }

    fn warnings(scene: &Scene, rules: &WalkRules) -> Vec<SurfaceFinding> {
        let soup = Soup::of(scene, rules).unwrap();
        Survey::of(scene, rules, &soup).warnings(rules)
    }

    #[test]
    fn units_axes_and_slopes_that_are_odd_are_told() {
        assert_eq!(kinds(&slope(0.0, 1.0)), [""; 0]);
        assert_eq!(kinds(&slope(0.0, 0.01)), ["unit"]);
        assert_eq!(kinds(&slope(0.0, 3000.0)), ["unit"]);
        assert_eq!(kinds(&slope(44.9, 1.0)), [""; 0]);
        assert_eq!(kinds(&slope(47.0, 1.0)), ["up_z", "steep"]);
        assert_eq!(kinds(&slope(89.0, 1.0)), ["up_z"]);
        let rules = WalkRules::default().max_slope(45.25f64.to_radians());
        let steep = warnings(&slope(46.9, 1.0), &rules).remove(1);
        assert_eq!((steep.count, steep.needed), (2, Some(47.0)));
        assert!((steep.area.unwrap() - 32.0).abs() < 1e-2, "{steep:?}");
        assert!(steep.detail.contains("steeper than 45.25 degrees"), "{steep:?}");
    }

    /// A closed room, 6 m by 5 m and 3 m high, whose faces look inwards.
    #[test]
    fn wrong_axes_are_told_indoors() {
        let corners = |turned: bool| -> Vec<[f64; 3]> {
            let corner = |i: u32| [i & 1, i >> 1 & 1, i >> 2].map(f64::from);
            let room = (0..8).map(corner).map(|[x, y, z]| [6.0 * x, 3.0 * y, 5.0 * z]);
            room.map(|[x, y, z]| if turned { [x, -z, y] } else { [x, y, z] }).collect()
        };
        let quads = [[0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        let room =
            |turned| Scene::from_triangles(corners(turned), triangles.clone(), vec![0; 12], [("", "")]);
        assert_eq!(kinds(&room(false).unwrap()), [""; 0]);
        assert_eq!(kinds(&room(true).unwrap()), ["up"]);
    }

    /// A kerb that is taken as a short ramp needs no advice.
    #[test]
    fn kerbs_are_not_too_steep() {
        let rows = [[0.0, 0.0], [4.0, 0.0], [4.1, 0.105], [8.0, 0.105]];
        let corners = rows.iter().flat_map(|[x, y]| [[*x, *y, 0.0], [*x, *y, -9.0]]).collect();
        let triangles = (0..3).flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 1]]);
        let scene = Scene::from_triangles(corners, triangles.collect(), vec![0; 6], [("", "")]).unwrap();
        assert_eq!(kinds(&scene), [""; 0]);
    }

    #[test]
    fn lengths_are_short() {
        let cases = [(0.0, "0"), (0.01234, "0.0123"), (1.5, "1.5"), (12.345, "12.3"), (24000.0, "24000")];
        for (length, text) in cases {
            assert_eq!(metres(length), text);
        }
    }
}

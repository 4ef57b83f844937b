//! A first look at a scene, before anything is made of it: how large it is, and whether its unit, its upward axis and the
//! steepest slope seem to be meant as they are read.
//!
//! Cost: one pass over the triangles.

use super::report::SurfaceFinding;
use super::rules::WalkRules;
use crate::scene::Scene;

/// A scene longer than this is likely not in metres.
const LONGEST: f64 = 20_000.0;
/// The other axis must have this many times the walkable area to be told.
const MUCH_MORE: f64 = 3.0;
/// Faces that are at most so much steeper than allowed are told, in radians: 5 degrees.
const STEEPER: f64 = 5.0 * std::f64::consts::PI / 180.0;
/// They are told from this share of the walkable area on.
const STEEP_SHARE: f64 = 1e-3;

/// What one look at a scene tells.
pub(super) struct Survey {
    /// In metres along x, y and z.
    pub size: [f64; 3],
    /// The area of faces that would be walkable if +y, +z or -z pointed up, in square metres.
    walkable: [f64; 3],
    steep: Steep,
}

/// Faces that are just too steep.
#[derive(Default)]
struct Steep {
    count: u64,
    /// Seen from above, in square metres.
    area: f64,
    /// Of the steepest, in radians.
    slope: f64,
    /// The area and the middle of the largest.
    largest: (f64, Option<[f64; 3]>),
}

impl Survey {
    /// Looks at all triangles.
    pub fn of(scene: &Scene, rules: &WalkRules) -> Survey {
        let [low, high] = scene.bounds().unwrap_or_default();
        let size = [0, 1, 2].map(|axis| high[axis] - low[axis]);
        let mut survey = Survey { size, walkable: [0.0; 3], steep: Steep::default() };
        let upright = rules.least_upright();
        let too_steep = (rules.max_slope + STEEPER).min(std::f64::consts::FRAC_PI_2).cos();
        for triangle in &scene.triangles {
            let corners = triangle.map(|corner| scene.vertices.get(corner as usize).copied());
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            let normal = normal([a, b, c]);
            let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
            for (area, rise) in survey.walkable.iter_mut().zip([normal[1], normal[2], -normal[2]]) {
                *area += if rise > 0.0 && rise >= upright * length { 0.5 * length } else { 0.0 };
            }
            let rise = normal[1];
            if rise > 0.0 && rise < upright * length && rise >= too_steep * length {
                let middle = [0, 1, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
                survey.steep.add(0.5 * rise, (rise / length).acos(), middle);
            }
        }
        survey
    }

    /// What may not be as it was meant.
    pub fn warnings(&self, rules: &WalkRules) -> Vec<SurfaceFinding> {
        [self.unit(rules), self.up(), self.steep(rules)].into_iter().flatten().collect()
    }

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

    /// Worlds are wider than high, and floors larger than the walls on one side: if neither holds but would with another
    /// axis, that one may be meant.
    fn up(&self) -> Option<SurfaceFinding> {
        let [own, front, back] = self.walkable;
        let [_, height, depth] = self.size;
        let other = front.max(back);
        let is_odd = if own > 0.0 { other > MUCH_MORE * own && depth < height } else { other > 0.0 };
        let axis = if front >= back { "+z" } else { "-z" };
        let [own, other] = [own, other].map(metres);
        let detail = format!(
            "axis may be wrong: if {axis} pointed up, {other} m\u{b2} would face up, not {own} m\u{b2}"
        );
        is_odd.then(|| SurfaceFinding::new(if axis == "+z" { "up_z" } else { "up_y" }, 1, None, detail))
    }

    fn steep(&self, rules: &WalkRules) -> Option<SurfaceFinding> {
        let Steep { count, area, slope, largest } = self.steep;
        if area < rules.min_area.max(STEEP_SHARE * self.walkable[0]) || count == 0 {
            return None;
        }
        let limit = rules.max_slope.to_degrees();
        let detail = format!("faces are just steeper than {limit:.0} degrees, {area:.2} m\u{b2} in all");
        let needed = Some(slope.to_degrees().ceil()).filter(|needed| *needed < 90.0);
        Some(SurfaceFinding {
            area: Some(area),
            needed,
            ..SurfaceFinding::new("steep", count, largest.1, detail)
        })
    }
}

impl Steep {
    fn add(&mut self, area: f64, slope: f64, middle: [f64; 3]) {
        self.count += 1;
        self.area += area;
        self.slope = self.slope.max(slope);
        if area > self.largest.0 {
            self.largest = (area, Some(middle));
        }
    }
}

/// The normal of a triangle, twice as long as its area is large.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [p, q] = [b, c].map(|end| [end[0] - a[0], end[1] - a[1], end[2] - a[2]]);
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

/// Three digits, without needless zeros.
fn metres(length: f64) -> String {
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
        let rules = WalkRules::default();
        Survey::of(scene, &rules).warnings(&rules).iter().map(|warning| warning.kind).collect()
    }

    #[test]
    fn units_axes_and_slopes_that_are_odd_are_told() {
        assert_eq!(kinds(&slope(0.0, 1.0)), [""; 0]);
        assert_eq!(kinds(&slope(0.0, 0.01)), ["unit"]);
        assert_eq!(kinds(&slope(0.0, 3000.0)), ["unit"]);
        assert_eq!(kinds(&slope(44.9, 1.0)), [""; 0]);
        assert_eq!(kinds(&slope(47.0, 1.0)), ["up_z", "steep"]);
        assert_eq!(kinds(&slope(89.0, 1.0)), ["up_z"]);
        let rules = WalkRules::default();
        let steep = Survey::of(&slope(47.0, 1.0), &rules).warnings(&rules).remove(1);
        assert_eq!((steep.count, steep.needed), (2, Some(47.0)));
        assert!((steep.area.unwrap() - 32.0).abs() < 1e-9, "{steep:?}");
    }

    #[test]
    fn lengths_are_short() {
        let cases = [(0.0, "0"), (0.01234, "0.0123"), (1.5, "1.5"), (12.345, "12.3"), (24000.0, "24000")];
        for (length, text) in cases {
            assert_eq!(metres(length), text);
        }
    }
}

//! The unit of a scene, as its doors and rooms speak for it.

use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::report::ceilings::odd_unit;
use crate::surface::rules::WalkRules;
use clearway_base::error::Result;
use clearway_base::parallel::in_pool;
use clearway_geometry::grid::LIMIT;
use clearway_world::scene::Scene;

/// Scenes that do not fit the grid are read as millimetres first: no other unit makes a place for people that large.
const MILLIMETRE: f64 = 0.001;

/// The unit that a scene seems to be drawn in.
#[derive(Clone, Debug, PartialEq)]
pub struct LikelyUnit {
    /// Its length, in units of the scene as it was read: 1 if nothing speaks against these.
    pub scale: f64,
    /// The reason in words; empty if the scale is 1.
    pub evidence: String,
}

impl LikelyUnit {
    /// Scales a scene to metres, and notes why.
    pub fn apply(&self, scene: &mut Scene) {
        if self.scale != 1.0 {
            scene.vertices.iter_mut().flatten().for_each(|coordinate| *coordinate *= self.scale);
            scene.notes.push(format!("the scale {} was taken: {}", self.scale, self.evidence));
        }
    }
}

/// Finds the unit that the doors and rooms of a scene speak for.
///
/// # Errors
///
/// Fails if the rules make no sense, or if the scene does not fit the grid in any unit.
pub fn likely_unit(scene: &Scene, rules: &WalkRules) -> Result<LikelyUnit> {
    rules.validate()?;
    let farthest = scene.vertices.iter().flatten().fold(0.0, |most: f64, c| most.max(c.abs()));
    if farthest >= f64::from(LIMIT) * 2f64.powi(crate::surface::faces::soup::EXPONENT) {
        let mut smaller = scene.clone();
        smaller.vertices.iter_mut().flatten().for_each(|coordinate| *coordinate *= MILLIMETRE);
        let unit = in_pool(|| unit_of(&smaller, rules))?;
        let evidence = match unit.evidence.is_empty() {
            true => format!("as drawn the scene would reach {:.0} km far", farthest / 1000.0),
            false => unit.evidence,
        };
        return Ok(LikelyUnit { scale: MILLIMETRE * unit.scale, evidence });
    }
    in_pool(|| unit_of(scene, rules))
}

/// As [`likely_unit`], for scenes that fit the grid.
fn unit_of(scene: &Scene, rules: &WalkRules) -> Result<LikelyUnit> {
    let soup = Soup::of(scene, rules)?;
    let found = odd_unit(&soup, &FaceBins::of(&soup), rules).filter(|found| found.kind == "unit");
    Ok(match found.map(|found| (found.needed, found.detail)) {
        Some((Some(scale), evidence)) => LikelyUnit { scale, evidence },
        _ => LikelyUnit { scale: 1.0, evidence: String::new() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a closed box to corners and triangles.
    fn add_box(corners: &mut Vec<[f64; 3]>, triangles: &mut Vec<[u32; 3]>, low: [f64; 3], high: [f64; 3]) {
        let first = corners.len() as u32;
        let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] });
        corners.extend((0..8).map(corner));
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let halves = quads.iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        triangles.extend(halves.map(|half| half.map(|corner: &u32| first + corner)));
    }

    /// A street of eight houses with doors, each with a ceiling of `room` metres, in units of `unit` metres. With a sky, a
    /// dome of that radius in metres stands over it.
    fn street(unit: f64, room: f64, sky: Option<f64>) -> Scene {
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        add_box(&mut corners, &mut triangles, [-60.0, -1.0, -60.0], [60.0, 0.0, 60.0]);
        for house in 0..8 {
            let x = -50.0 + 12.0 * f64::from(house);
            let mut add = |low, high| add_box(&mut corners, &mut triangles, low, high);
            add([x, 0.0, 0.0], [x + 0.2, room, 8.0]);
            add([x + 7.8, 0.0, 0.0], [x + 8.0, room, 8.0]);
            add([x + 0.2, 0.0, 7.8], [x + 7.8, room, 8.0]);
            add([x + 0.2, 0.0, 0.0], [x + 3.0, room, 0.2]);
            add([x + 4.0, 0.0, 0.0], [x + 7.8, room, 0.2]);
            add([x + 3.0, 2.1, 0.0], [x + 4.0, room, 0.2]);
            add([x, room, 0.0], [x + 8.0, room + 0.3, 8.0]);
        }
        if let Some(radius) = sky {
            let first = corners.len() as u32;
            let at = |turn: u32, rise: u32| {
                let [turn, rise] = [turn, rise].map(|part| f64::from(part) * std::f64::consts::TAU / 32.0);
                [radius * rise.cos() * turn.cos(), radius * rise.sin(), radius * rise.cos() * turn.sin()]
            };
            corners.extend((0..=8).flat_map(|rise| (0..32).map(move |turn| at(turn, rise))));
            for (rise, turn) in (0..8).flat_map(|rise| (0..32).map(move |turn| (rise, turn))) {
                let corner = |rise: u32, turn: u32| first + 32 * rise + turn % 32;
                let [a, b, c, d] = [
                    corner(rise, turn),
                    corner(rise, turn + 1),
                    corner(rise + 1, turn + 1),
                    corner(rise + 1, turn),
                ];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let corners = corners.into_iter().map(|corner| corner.map(|c| c / unit)).collect();
        let part_of = vec![0; triangles.len()];
        Scene::from_triangles(corners, triangles, part_of, [("", "")]).unwrap()
    }

    fn scale(scene: &Scene) -> f64 {
        likely_unit(scene, &WalkRules::default()).unwrap().scale
    }

    #[test]
    fn doors_tell_the_unit_with_and_without_a_sky() {
        for unit in [1.0, 0.01, 0.001, 1.0 / 32.0, 1.0 / 64.0, 0.0254] {
            // A scene that does not fit the grid as drawn is refused before anybody can ask for its unit.
            let fits = |sky: &Option<f64>| sky.is_none_or(|radius| radius / unit < 65_000.0);
            for sky in [None, Some(90.0), Some(500.0)].into_iter().filter(fits) {
                assert_eq!(scale(&street(unit, 2.8, sky)), unit, "unit {unit}, sky {sky:?}");
            }
        }
        assert_eq!(scale(&street(1.0, 24.0, None)), 1.0, "halls with doors");
    }

    #[test]
    fn the_evidence_is_named() {
        let unit = likely_unit(&street(0.01, 2.8, None), &WalkRules::default()).unwrap();
        assert!(unit.evidence.contains("210 m high"), "{unit:?}");
        let mut scene = street(0.01, 2.8, None);
        unit.apply(&mut scene);
        assert!((scene.bounds().unwrap()[1][0] - 60.0).abs() < 1e-9 && scene.notes.len() == 1);
    }

    /// A room of 24 m each way, drawn from inside, a town without doors, and a sky over bare ground say nothing.
    #[test]
    fn where_nothing_is_known_nothing_is_told() {
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        add_box(&mut corners, &mut triangles, [0.0; 3], [24.0; 3]);
        triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        let room = Scene::from_triangles(corners, triangles, vec![0; 12], [("", "")]).unwrap();
        assert_eq!(scale(&room), 1.0);
        let (mut corners, mut triangles) = (Vec::new(), Vec::new());
        add_box(&mut corners, &mut triangles, [-1000.0, -1.0, -1000.0], [1000.0, 0.0, 1000.0]);
        for house in 0..100u32 {
            let [x, z] = [house % 10, house / 10].map(|place| -900.0 + 180.0 * f64::from(place));
            add_box(&mut corners, &mut triangles, [x, 0.0, z], [x + 40.0, 30.0, z + 40.0]);
        }
        let part_of = vec![0; triangles.len()];
        let town = Scene::from_triangles(corners, triangles, part_of, [("", "")]).unwrap();
        assert_eq!(scale(&town), 1.0);
    }
}

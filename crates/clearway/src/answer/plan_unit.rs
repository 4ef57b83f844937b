//! The unit of a plan, as its narrow places speak for it.
//!
//! Doors are about a metre wide. Where the ways of a plan are nowhere narrower than many metres, and would be as wide as
//! doors and corridors in another unit, the unit is likely that one. It costs the clearance of the mesh, so small plans are
//! not asked.

use super::example::places_on_largest;
use super::words::measure;
use clearway_build::Repair;
use clearway_nav::{Location, NavMesh};

/// Units that plans are drawn in: their length in metres, and their name.
const UNITS: [(f64, &str); 3] = [(0.001, "a millimetre"), (0.01, "a centimetre"), (1.0, "a metre")];

/// The widths of doors and corridors in metres. What is narrower lets nobody through, and wider places are halls.
const WAY: std::ops::RangeInclusive<f64> = 0.6..=4.0;

/// The usual width of a door or corridor in metres: of several units the one that comes nearest is told.
const USUAL_WAY: f64 = 1.2;

/// Plans shorter than this have no room for two people, in metres.
const SHORT: f64 = 2.0;

/// The least length in metres of plans whose ways are looked at: 100 times a small room.
const LONG: f64 = 200.0;

/// Returns an entry for the report if the unit of a plan seems to be another. `unit` is the length in metres that the unit
/// of the file was taken for.
pub fn odd_plan_unit(mesh: &NavMesh, unit: f64) -> Option<Repair> {
    let [low, high] = mesh.bounds()?;
    let size = (high[0] - low[0]).max(high[1] - low[1]);
    let detail = if size < SHORT { too_short(size, unit) } else { too_wide(mesh, size, unit)? };
    Some(Repair { kind: "unit", count: 1, at: None, detail })
}

/// The words for a plan that nobody fits into.
fn too_short(size: f64, unit: f64) -> String {
    let advice = if unit < 1.0 { "perhaps the unit is a metre; try --scale 1" } else { "try --scale" };
    format!("the plan would be {} m long: {advice}", measure(size))
}

/// The words for a plan whose ways are too wide, if they would be usual in a smaller unit.
fn too_wide(mesh: &NavMesh, size: f64, unit: f64) -> Option<String> {
    if size < LONG || mesh.cell_count() < 2 {
        return None;
    }
    let width = narrow_way(mesh)?;
    let fits = |known: f64| WAY.contains(&(width * known / unit));
    let off = |known: f64| (width * known / unit / USUAL_WAY).ln().abs();
    let smaller = UNITS.into_iter().filter(|(known, _)| *known < unit && fits(*known));
    let (scale, name) = smaller.min_by(|p, q| off(p.0).total_cmp(&off(q.0)))?;
    let width = measure(width);
    Some(format!(
        "the narrowest places on ways would be {width} m wide: perhaps the unit is {name}; try --scale {scale}"
    ))
}

/// Returns how wide ways between roomy places are at their narrowest, in metres: a quarter of the ways is narrower.
fn narrow_way(mesh: &NavMesh) -> Option<f64> {
    let mut places: Vec<(f64, Location)> = places_on_largest(mesh)
        .into_iter()
        .filter_map(|place| Some((mesh.clearance(place)?, place)))
        .collect();
    places.sort_by(|p, q| q.0.total_cmp(&p.0));
    places.truncate(places.len().div_ceil(2));
    let ways = places.windows(2).filter_map(|pair| mesh.widest_radius(pair[0].1, pair[1].1));
    let mut widths: Vec<f64> = ways.map(|radius| 2.0 * radius).collect();
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 4).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_build::MeshOptions;
    use clearway_world::{Plan, PlanFormat};

    /// Two rooms of 10 m with a door of 0.9 m, in units of which a metre has `per_metre`.
    fn told(per_metre: f64, unit: f64) -> Option<String> {
        let at = |metres: f64| metres * per_metre * unit;
        let [far, low, high, middle] = [20.0, 4.0, 4.9, 10.0].map(at);
        let text = format!(
            "POLYGON ((0 0, {far} 0, {far} {middle}, 0 {middle}))\n\
             LINESTRING ({middle} 0, {middle} {low})\nLINESTRING ({middle} {high}, {middle} {middle})"
        );
        let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, &text).unwrap()).unwrap();
        odd_plan_unit(&mesh, unit).map(|repair| repair.detail)
    }

    #[test]
    fn doors_of_plans_tell_the_unit() {
        assert_eq!(told(1.0, 1.0), None);
        assert_eq!(told(1000.0, 0.001), None, "a drawing in millimetres that says so");
        assert!(told(100.0, 1.0).unwrap().ends_with("perhaps the unit is a centimetre; try --scale 0.01"));
        assert!(told(1000.0, 1.0).unwrap().ends_with("perhaps the unit is a millimetre; try --scale 0.001"));
        assert!(told(1.0, 0.001).unwrap().ends_with("perhaps the unit is a metre; try --scale 1"));
        assert!(told(1000.0, 0.0254).unwrap().ends_with("try --scale 0.001"), "millimetres taken for inches");
        assert_eq!(told(10.0, 1.0), None, "game units");
    }

    /// Large places out of doors are no drawings in centimetres.
    #[test]
    fn fields_and_streets_say_nothing() {
        for text in [
            "POLYGON ((0 0, 3000 0, 3000 2000, 0 2000))",
            "POLYGON ((0 0, 900 0, 900 600, 0 600), (20 20, 430 20, 430 580, 20 580), (450 20, 880 20, 880 580, 450 580))",
        ] {
            let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, text).unwrap()).unwrap();
            assert_eq!(odd_plan_unit(&mesh, 1.0), None);
        }
    }
}

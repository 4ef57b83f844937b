//! The laws of a mesh hold on coarse grids, where much collapses, and on the finest, where products are largest.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, Plan, Quality};
use clearway_scenes::Family;

/// A plan of a family, and its larger extent.
fn plan(family: Family, seed: u64) -> (Plan, f64) {
    let drawing = family.draw(90, seed);
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    let plan =
        Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() };
    let [min, max] = plan.bounds().unwrap();
    let extent = (max[0] - min[0]).max(max[1] - min[1]);
    (plan, extent)
}

#[test]
fn from_two_to_the_tenth_to_the_twenty_eighth() {
    for family in Family::ALL {
        for (seed, bits) in (0..).zip([5, 8, 10, 13, 16, 20, 24, 26, 27, 28]) {
            let (plan, extent) = plan(family, seed);
            // The least power of two above extent / 2^bits: the plan then spans at most 2^bits units.
            let unit = 2f64.powi((extent / 2f64.powi(bits)).log2().ceil() as i32);
            for quality in [Quality::Fast, Quality::Default] {
                for relax_angle in [0.0, 5f64.to_radians()] {
                    let options =
                        MeshOptions::default().quality(quality).relax_angle(relax_angle).grid(Some(unit));
                    let mesh = options.build(&plan).unwrap();
                    let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
                    assert!(
                        flaws.is_empty(),
                        "{}, seed {seed}, {bits} bits, {options:?}: {flaws:#?}",
                        family.name()
                    );
                }
            }
        }
    }
}

//! The laws of a mesh on every family of random plans, at every quality, with and without relaxation.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, NavMesh, Plan, Quality};
use clearway_scenes::{Family, PlanDrawing, hospital_ward, market};

fn plan_of(drawing: PlanDrawing) -> Plan {
    let polygons = drawing.polygons.into_iter().map(|(outline, holes)| PlanPolygon { outline, holes });
    Plan { polygons: polygons.collect(), rings: drawing.rings, walls: drawing.walls, ..Plan::default() }
}

/// Every quality, each exact, relaxed by angle, and relaxed by angle and depth.
fn all_options() -> Vec<MeshOptions> {
    let mut all = Vec::new();
    for quality in [Quality::Fast, Quality::Default, Quality::Best] {
        for (degrees, relax_depth) in [(0.0f64, 0.0), (5.0, 0.0), (5.0, 0.3)] {
            let relax_angle = degrees.to_radians();
            all.push(
                MeshOptions::default().quality(quality).relax_angle(relax_angle).relax_depth(relax_depth),
            );
        }
    }
    all
}

/// Builds with all options and checks what holds for each mesh and between them.
fn check_laws(name: &str, plan: &Plan) {
    check_laws_with(name, plan, all_options());
}

fn check_laws_with(name: &str, plan: &Plan, all: Vec<MeshOptions>) {
    let mut exact_area = None;
    for options in all {
        let mesh = options.build(plan).unwrap_or_else(|error| panic!("{name}, {options:?}: {error}"));
        let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
        assert!(flaws.is_empty(), "{name}, {options:?}: {flaws:#?}");
        let lost = *exact_area.get_or_insert(mesh.area()) - mesh.area();
        assert!((0.0..=allowed_loss(&mesh, &options)).contains(&lost), "{name}, {options:?}: lost {lost}");
        let bytes = mesh.encode();
        let decoded = NavMesh::decode(&bytes).unwrap_or_else(|error| panic!("{name}, {options:?}: {error}"));
        assert!(decoded == mesh && decoded.encode() == bytes, "{name}, {options:?}: decoding");
        if !options.is_relaxed() {
            assert_eq!(mesh.region_count(), mesh.cell_count(), "{name}, {options:?}: regions");
        }
    }
}

/// Fast meshes have no new points and cover the plan exactly. New points on walls are rounded towards the inside,
/// so that other meshes may lose less than two units along their walls.
fn allowed_loss(mesh: &NavMesh, options: &MeshOptions) -> f64 {
    if options.quality == Quality::Fast {
        return 0.0;
    }
    let walls = mesh.cells().flat_map(|cell| cell.sides()).filter(|side| side.portal.is_none());
    let length = |ends: [[f64; 2]; 2]| (ends[0][0] - ends[1][0]).hypot(ends[0][1] - ends[1][1]);
    let walls = walls.map(|side| length([side.from, side.to].map(|vertex| mesh.position(vertex).unwrap())));
    2.0 * mesh.unit() * walls.sum::<f64>()
}

#[test]
fn small_plans_of_every_family_obey_the_laws() {
    for family in Family::ALL {
        for seed in 0..6 {
            for size in [8, 30, 100] {
                let name = format!("{} of size {size}, seed {seed}", family.name());
                check_laws(&name, &plan_of(family.draw(size, seed)));
            }
        }
    }
}

/// A T-joint that lost its portal was straightened across an obstacle: its neighbours had moved meanwhile.
#[test]
fn straightened_portals_cross_no_obstacle() {
    check_laws("convex obstacles, seed 25", &plan_of(Family::ConvexObstacles.draw(150, 25)));
}

#[test]
fn larger_plans_of_every_family_obey_the_laws() {
    for family in Family::ALL {
        let name = format!("{} of size 700", family.name());
        // The best quality on so many plans of this size would take minutes.
        let options = all_options().into_iter().filter(|options| options.quality != Quality::Best).collect();
        check_laws_with(&name, &plan_of(family.draw(700, 7)), options);
    }
}

#[test]
fn places_obey_the_laws() {
    for seed in 0..2 {
        check_laws("hospital ward", &plan_of(hospital_ward(seed)));
        check_laws("market", &plan_of(market(seed)));
    }
}

/// Turned and moved plans put every coordinate off the round numbers.
#[test]
fn turned_plans_obey_the_laws() {
    for family in Family::ALL {
        let drawing = family.draw(120, 3).scaled(1.7, 0.3, [500_000.0, -4_000_000.0]);
        check_laws(&format!("{}, turned", family.name()), &plan_of(drawing));
    }
}

/// The order of rings and where they start decide nothing in a plan whose rings do not cross.
#[test]
fn the_order_of_rings_does_not_matter() {
    for family in Family::ALL.into_iter().filter(|family| family.is_clean()) {
        let drawing = family.draw(300, 11);
        let mut turned = drawing.clone();
        turned.rings.reverse();
        turned.polygons.reverse();
        for (outline, holes) in &mut turned.polygons {
            holes.reverse();
            outline.rotate_left(1);
            holes.iter_mut().for_each(|hole| hole.reverse());
        }
        for options in all_options() {
            let [mesh, other] = [&drawing, &turned].map(|drawing| {
                options.build(&plan_of(drawing.clone())).unwrap_or_else(|error| panic!("{error}"))
            });
            assert!(mesh == other, "{}, {options:?}", family.name());
        }
    }
}

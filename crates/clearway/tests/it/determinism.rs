//! Same input, same bytes: on any number of threads, in any order of rings, on any machine.

use clearway::plan::PlanPolygon;
use clearway::{MeshOptions, Plan, Quality};
use clearway_scenes::{Family, PlanDrawing};

fn plan(drawing: PlanDrawing) -> Plan {
    let polygon = |(outline, holes)| PlanPolygon { outline, holes };
    Plan {
        polygons: drawing.polygons.into_iter().map(polygon).collect(),
        rings: drawing.rings,
        walls: drawing.walls,
        ..Plan::default()
    }
}

fn bytes(plan: &Plan, quality: Quality, threads: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let options = MeshOptions::default().quality(quality);
    pool.install(|| options.build(plan).unwrap().encode())
}

/// FNV-1a.
fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn threads_do_not_matter() {
    for family in [Family::ConvexObstacles, Family::Caves, Family::RotatedBoxes] {
        let plan = plan(family.draw(30_000, 5));
        for quality in [Quality::Fast, Quality::Default] {
            let one = bytes(&plan, quality, 1);
            assert!(one == bytes(&plan, quality, 2), "{} {quality:?}: two threads differ", family.name());
            assert!(one == bytes(&plan, quality, 8), "{} {quality:?}: eight threads differ", family.name());
        }
    }
    let small = plan(Family::Stars.draw(300, 5));
    assert!(bytes(&small, Quality::Best, 1) == bytes(&small, Quality::Best, 3));
}

#[test]
fn the_order_of_rings_does_not_matter() {
    for family in [Family::Boxes, Family::Mazes, Family::Circles, Family::Stars] {
        let mut plan = plan(family.draw(2_000, 3));
        let before = bytes(&plan, Quality::Default, 2);
        plan.polygons.reverse();
        plan.rings.reverse();
        for polygon in &mut plan.polygons {
            polygon.holes.reverse();
            polygon.outline.reverse();
        }
        for ring in &mut plan.rings {
            ring.rotate_left(1);
        }
        assert!(before == bytes(&plan, Quality::Default, 2), "{}", family.name());
    }
}

/// A change here is a change of results: say so in the changelog. `CLEARWAY_BLESS=1` writes the new table.
#[test]
fn digests_are_as_committed() {
    let committed = include_str!("digests.txt");
    let mut table = String::new();
    for family in Family::ALL {
        for quality in [Quality::Fast, Quality::Default] {
            let digest = digest(&bytes(&plan(family.draw(700, 1)), quality, 2));
            table += &format!("{} {quality:?} {digest:016x}\n", family.name());
        }
    }
    if std::env::var_os("CLEARWAY_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/digests.txt"), &table).unwrap();
        return;
    }
    assert!(table == committed, "new digests:\n{table}");
}

//! Skeletons of generated plans against the mesh's own clearance, which is computed in another way.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::MeshOptions;
use clearway_nav::{Location, NavMesh};
use clearway_scenes::Family;
use clearway_skeleton::Skeleton;
use clearway_world::Plan;
use clearway_world::plan::PlanFormat;

fn meshes() -> impl Iterator<Item = (String, NavMesh)> {
    Family::ALL.into_iter().flat_map(|family| {
        (1..4).map(move |seed| {
            let text = family.draw(120, seed).to_wkt();
            let plan = Plan::parse(PlanFormat::Wkt, &text).unwrap();
            (format!("{} {seed}", family.name()), MeshOptions::default().build(&plan).unwrap())
        })
    })
}

fn places(mesh: &NavMesh, count: usize) -> Vec<Location> {
    mesh.random_points(5).take(count).collect()
}

#[test]
fn every_disc_is_empty() {
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap_or_else(|e| panic!("{name}: {e}"));
        let audit = skeleton.diagram().audit();
        assert!(audit.is_clean(), "{name}: {audit:?} {:?}", skeleton.diagram().counters());
    }
}

#[test]
fn clearance_is_that_of_the_mesh() {
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap();
        for at in places(&mesh, 200) {
            let (ours, theirs) =
                (skeleton.clearance(at.position(), None).unwrap(), mesh.clearance(at).unwrap());
            assert!((ours.distance - theirs).abs() <= 1e-9 * (1.0 + theirs), "{name}: {ours:?} {theirs}");
        }
    }
}

#[test]
fn widest_radii_are_those_of_the_peak_graph() {
    // The peak graph stores radii as 32-bit floats, rounded down.
    let most = 1.0 + 2f64.powi(-22);
    let mut compared = 0;
    for (name, mesh) in meshes() {
        let skeleton = Skeleton::build(&mesh).unwrap();
        let places = places(&mesh, 40);
        for (i, &a) in places.iter().enumerate() {
            for &b in &places[..i] {
                let theirs = mesh.widest_radius(a, b);
                let ours = skeleton.widest(a.position(), b.position()).map(|way| way.radius);
                let agree = match (ours, theirs) {
                    (None, None) => true,
                    (Some(ours), Some(theirs)) => {
                        ours * (1.0 + 1e-9) + 1e-9 >= theirs && ours <= theirs * most + 1e-6
                    }
                    _ => false,
                };
                assert!(agree, "{name}: from {a:?} to {b:?}: ours {ours:?}, the mesh's {theirs:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 40_000, "{compared}");
}

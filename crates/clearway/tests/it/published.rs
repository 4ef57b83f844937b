//! The counts that the project promises on inputs with published answers.
//!
//! The inputs are not part of the project. Where they are missing the tests say so and pass.

use clearway::{MeshOptions, Plan, Quality};
use clearway_scenes::shared_data;
use std::path::PathBuf;

/// Builds a file and checks every law; returns regions, cells and the lower bound.
fn build(path: PathBuf, quality: Quality, relax_degrees: f64) -> (usize, usize, usize) {
    let plan = Plan::load(&path).unwrap();
    let options = MeshOptions::default().quality(quality).relax_angle(relax_degrees.to_radians());
    let (mesh, report) = options.build_with_report(&plan, &mut clearway::NoProgress).unwrap();
    let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
    assert_eq!(flaws, Vec::<String>::new(), "{}", path.display());
    (report.regions, report.cells, report.lower_bound)
}

/// The NEOGEN thesis's polygons at alpha = 5 degrees: file, most regions by default, most at best, lower bound.
const POLYGONS: [(&str, usize, usize, usize); 6] = [
    ("funny.dat", 39, 31, 22),
    ("bird.dat", 67, 61, 52),
    ("debug.dat", 81, 67, 41),
    ("superior.poly", 104, 94, 81),
    ("nazca_heron.dat", 180, 165, 137),
    ("nazca_monkey.dat", 259, 246, 188),
];

#[test]
fn polygons_of_the_neogen_thesis() {
    let Some(folder) = shared_data("polygons") else { return };
    for (file, default, best, lower_bound) in POLYGONS {
        let (regions, _, bound) = build(folder.join(file), Quality::Default, 5.0);
        assert_eq!(bound, lower_bound, "{file}");
        assert!(
            (bound..=default).contains(&regions),
            "{file}: {regions} regions by default, promised {default}"
        );
        let (regions, _, _) = build(folder.join(file), Quality::Best, 5.0);
        assert!((bound..=best).contains(&regions), "{file}: {regions} regions at best, promised {best}");
    }
}

/// Floor plans without relaxation: file, most cells by default, most at best.
const PLANS: [(&str, usize, usize); 4] = [
    ("arena.wkt", 34, 33),
    ("fd2_map15.wkt", 742, 718),
    ("fd2_map28.wkt", 831, 789),
    ("aurora.wkt", 12_000, 11_269),
];

#[test]
fn floor_plans() {
    let Some(folder) = shared_data("plans") else { return };
    for (file, default, best) in PLANS {
        let (_, cells, bound) = build(folder.join(file), Quality::Default, 0.0);
        assert!((bound..=default).contains(&cells), "{file}: {cells} cells by default, promised {default}");
        let (_, cells, bound) = build(folder.join(file), Quality::Best, 0.0);
        assert!((bound..=best).contains(&cells), "{file}: {cells} cells at best, promised {best}");
    }
}

#[test]
fn maps_and_their_outlines_cover_the_same_area() {
    let Some(folder) = shared_data("paths") else { return };
    for name in ["arena", "AR0602SR", "brc202d", "ca_caverns1"] {
        let area = |ending: &str| {
            let plan = Plan::load(folder.join(format!("{name}.{ending}"))).unwrap();
            MeshOptions::default().build(&plan).unwrap().area()
        };
        assert_eq!(area("map"), area("wkt"), "{name}");
    }
}

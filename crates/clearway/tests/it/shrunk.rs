//! Meshes shrunk by a radius: nothing of them is closer to a wall, and whoever walks on them fits.

use clearway::{MeshOptions, NavMesh, PathQuery, Plan, PlanFormat, shrunk};
use clearway_scenes::{Family, hospital_ward};

fn mesh_of(wkt: &str) -> NavMesh {
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, wkt).unwrap()).unwrap()
}

/// The other way round a point may stay on its side of a corner that was cut by two hundredths of the radius.
#[test]
fn shrunk_meshes_claim_no_place_and_no_way_that_is_not_there() {
    let plans: Vec<String> = (0..3)
        .map(|seed| hospital_ward(seed).to_wkt())
        .chain(
            [Family::Boxes, Family::RotatedBoxes, Family::Mazes].map(|family| family.draw(150, 5).to_wkt()),
        )
        .collect();
    let mut reached = 0;
    for (number, plan) in plans.iter().enumerate() {
        let mesh = mesh_of(plan);
        for radius in [0.1, 0.35] {
            let Ok(small) = shrunk(&mesh, radius, None) else { continue };
            let places: Vec<_> = small.random_points(7).take(200).collect();
            let own: Vec<_> = places.iter().map(|at| mesh.locate(at.position()).unwrap()).collect();
            for at in &own {
                assert!(mesh.clearance(*at).unwrap() >= radius, "{number}, {radius}: {at:?}");
            }
            for (pair, there) in places.windows(2).zip(own.windows(2)) {
                let is_joined = small.find_path(&PathQuery::new(pair[0], pair[1])).is_ok();
                let can_pass = mesh.can_pass(there[0], there[1], radius);
                assert!(!is_joined || can_pass, "{number}, {radius}: {pair:?}");
                assert!(is_joined || !mesh.can_pass(there[0], there[1], 1.03 * radius), "{number}: {pair:?}");
                reached += usize::from(is_joined);
            }
        }
    }
    assert!(reached > 100, "{reached}");
}

/// Builds the mesh of a generated scene.
fn scene_mesh(soup: clearway_scenes::Soup) -> NavMesh {
    let scene =
        clearway::Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = clearway::WalkableSurface::extract(&scene, &Default::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// Judges a shrunk mesh in layers against the mesh itself. Returns the numbers of pairs that are apart and joined.
fn judge(mesh: &NavMesh, radius: f64, name: &str) -> [usize; 2] {
    let small = shrunk(mesh, radius, None).unwrap();
    assert_eq!(small.check(), [], "{name}, {radius}");
    assert!(small.area() < mesh.area());
    let places: Vec<_> = small.random_points(7).take(400).collect();
    let own: Vec<_> = places
        .iter()
        .map(|at| {
            let height = small.height(*at);
            let [x, y] = at.position();
            let own = mesh.locate([x, height, -y]).unwrap();
            assert!((mesh.height(own) - height).abs() < 0.01, "{name}, {radius}: {at:?} at {height}");
            own
        })
        .collect();
    for at in &own {
        assert!(mesh.clearance(*at).unwrap() >= radius, "{name}, {radius}: {at:?}");
    }
    let mut counts = [0; 2];
    for (pair, there) in places.windows(2).zip(own.windows(2)) {
        let is_joined = small.find_path(&PathQuery::new(pair[0], pair[1])).is_ok();
        assert!(!is_joined || mesh.can_pass(there[0], there[1], radius), "{name}, {radius}: {pair:?}");
        let is_lost = !is_joined && mesh.can_pass(there[0], there[1], 1.03 * radius);
        assert!(!is_lost, "{name}, {radius}: {pair:?} were parted");
        counts[usize::from(is_joined)] += 1;
    }
    counts
}

#[test]
fn buildings_are_shrunk_as_a_whole() {
    let mut reached = [0; 2];
    let scenes = [
        ("stacked floors", clearway_scenes::stacked_floors().soup),
        ("spiral ramp", clearway_scenes::spiral_ramp(60).soup),
        ("car park", clearway_scenes::car_park(Default::default()).soup),
        ("house", clearway_scenes::building(Default::default(), 1).soup),
    ];
    for (name, soup) in scenes {
        let mesh = scene_mesh(soup);
        for radius in [0.1, 0.3] {
            let counts = judge(&mesh, radius, name);
            reached = [0, 1].map(|i| reached[i] + counts[i]);
        }
    }
    assert!(reached[1] > 1000, "{reached:?}");
}

#[test]
fn links_and_places_stay_where_there_is_room() {
    let mut mesh = scene_mesh(clearway_scenes::stacked_floors().soup);
    let [low, high] = [mesh.storeys()[0], mesh.storeys()[1]];
    let on = |storey: [f64; 2]| {
        let small = shrunk(&mesh, 0.5, Some(storey)).unwrap();
        let at = small.random_points(3).next().unwrap();
        let ([x, y], height) = (at.position(), small.height(at));
        [x, height, -y]
    };
    let [from, to] = [on(low), on(high)];
    let link = |name: &str, most| clearway::Link {
        max_radius: most,
        ..clearway::Link::new(name, clearway::LinkKind::Lift, from, to)
    };
    mesh.add_links(&[link("wide", None), link("narrow", Some(0.2))], 0.1).unwrap();
    let names = |radius: f64| {
        let small = shrunk(&mesh, radius, None).unwrap();
        assert_eq!(small.check(), []);
        small.links().map(|link| link.name).collect::<Vec<String>>()
    };
    assert_eq!(names(0.1), ["wide", "narrow"]);
    assert_eq!(names(0.3), ["wide"]);
    assert!(shrunk(&mesh, f64::NAN, None).is_err());
    let upper = shrunk(&mesh, 0.3, Some(high)).unwrap();
    assert!(upper.area() > 1.0 && upper.area() < mesh.area() && upper.link_count() == 0);
}

#[test]
fn published_scenes_are_shrunk_as_a_whole() {
    let Some(folder) = clearway_scenes::shared_data("scenes") else { return };
    for name in [
        "dungeon.obj",
        "freedoom2_map28.obj",
        "nav_test.obj",
        "navcat_proto-level.glb",
        "undulating.obj",
        "zdm2.obj",
    ] {
        let scene = clearway::Scene::load(folder.join(name)).unwrap();
        let surface = clearway::WalkableSurface::extract(&scene, &Default::default()).unwrap();
        let mesh = MeshOptions::default().build(&surface).unwrap();
        let counts = judge(&mesh, 0.3, name);
        assert!(counts[1] > 20, "{name}: {counts:?}");
    }
}

use super::landmarks::{split_vertices, survey};
use crate::mesh::{CellId, NavMesh};
use crate::path::{PathQuery, PathSearch, SearchStatus};
use crate::query::Location;
use crate::testing::MeshOptions;
use clearway_build::Quality;
use clearway_geometry::{NONE, Point};
use clearway_world::plan::{Plan, PlanFormat};

const ROOMS: &str = "POLYGON ((0 0, 20 0, 20 14, 0 14), (2 2, 6 2, 6 5, 2 5), (9 1, 11 1, 11 9, 9 9), \
                     (13 4, 18 4, 18 6, 13 6), (3 8, 7 8, 7 12, 3 12), (12 10, 16 9, 15 12))";

/// Cells of a mesh with moved points overlap and are not convex. Searches answer, whatever they answer, and end.
#[test]
fn searches_on_flawed_meshes_end() {
    let plan = Plan::parse(PlanFormat::Wkt, ROOMS).unwrap();
    let sound = MeshOptions::default().quality(Quality::Fast).build(&plan).unwrap();
    let mut state = 1u64;
    let mut number = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut asked = 0;
    for round in 0..60 {
        let mut mesh = NavMesh::decode(&sound.encode()).unwrap();
        for _ in 0..1 + round % 7 {
            let (from, to) = (number(mesh.parts.points.len()), number(mesh.parts.points.len()));
            let Point { x, y } = mesh.parts.points[from];
            mesh.parts.points[to] = Point::new(x + number(1 << 20) as i32, y - number(1 << 20) as i32);
        }
        if round % 2 == 0 {
            mesh.prepare_paths();
        }
        let places: Vec<_> = mesh.random_points(round as u64).take(4).collect();
        for (start, goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (*start, *goal))) {
            for radius in [0.0, 0.2, 1.0] {
                let _ = mesh.find_path(&PathQuery::new(start, goal).radius(radius));
                asked += 1;
            }
        }
    }
    assert!(asked > 1000, "{asked}");
}

/// The first answer of a hasty search is within its bound, and goes on to become the shortest path.
#[test]
fn hasty_answers_become_the_shortest() {
    let plan = Plan::parse(PlanFormat::Wkt, ROOMS).unwrap();
    let mesh = MeshOptions::default().build(&plan).unwrap();
    let places: Vec<_> = mesh.random_points(5).take(12).collect();
    let mut shortened = 0;
    for (start, goal) in places.iter().flat_map(|start| places.iter().map(move |goal| (*start, *goal))) {
        for radius in [0.0, 0.3] {
            let query = PathQuery::new(start, goal).radius(radius);
            let Ok(best) = mesh.find_path(&query) else { continue };
            let mut search = PathSearch::new(query.suboptimality(3.0));
            let SearchStatus::Done(Ok(first)) = search.step(&mesh, u64::MAX) else { panic!("no answer") };
            assert!(first.bound == 3.0 && first.length <= 3.0 * best.length + 1e-9);
            let improved = loop {
                match search.improve(&mesh, 2) {
                    SearchStatus::Running => {
                        assert!(matches!(search.step(&mesh, 1), SearchStatus::Done(Ok(_))))
                    }
                    SearchStatus::Done(answer) => break answer.unwrap(),
                }
            };
            assert!((improved.length - best.length).abs() <= 1e-9 * best.length);
            assert_eq!(improved.bound, 1.0);
            shortened += usize::from(improved.length < first.length - 1e-9);
        }
    }
    assert!(shortened > 0);
}

/// Surveys drop beams that come too late; what is left tells every distance as paths do.
#[test]
fn surveys_tell_how_long_paths_are() {
    let combs = "POLYGON ((0 0, 30 0, 30 20, 0 20), (2 2, 4 2, 4 17, 2 17), (6 3, 8 3, 8 18, 6 18), \
                 (10 2, 12 4, 12 17, 10 16), (14 3, 28 3, 28 5, 14 5), (14 7, 27 8, 27 9, 14 9), \
                 (15 11, 28 12, 28 13, 15 14), (14 16, 27 16, 27 18, 14 18))";
    for (drawing, quality) in [(ROOMS, Quality::Fast), (ROOMS, Quality::Best), (combs, Quality::Default)] {
        let plan = Plan::parse(PlanFormat::Wkt, drawing).unwrap();
        let mesh = MeshOptions::default().quality(quality).build(&plan).unwrap();
        let (layout, split) = (mesh.graph(), split_vertices(mesh.graph()));
        let mut home = vec![(NONE, 0); mesh.parts.points.len()];
        for cell in 0..layout.cell_slots() as u32 {
            layout.sides(cell).for_each(|side| home[layout.vertex[side] as usize] = (cell, side));
        }
        let place = |vertex: usize| {
            let (cell, side) = home[vertex];
            Location { cell: CellId(cell), position: mesh.parts.grid.place(layout.start[side]) }
        };
        for from in (0..home.len()).filter(|from| home[*from].0 != NONE) {
            let distances = survey(&mesh, &split, (from as u32, home[from].0));
            for to in (0..home.len()).filter(|to| home[*to].0 != NONE) {
                let length = mesh.find_path(&PathQuery::new(place(from), place(to))).unwrap().length;
                let told = distances[to] * mesh.unit();
                assert!((told - length).abs() <= 1e-9 * length, "{from} to {to}: {told}, but {length}");
            }
        }
    }
}

//! Charts that fall back, and what a fragment costs.
#![allow(clippy::print_stderr)]

use super::*;
use crate::surface::grid_rules::Limits;
use crate::surface::sheets::charts::Charts;
use crate::surface::{FaceBins, Fallback, Method, Prisms, Reason, WalkRules, WalkableSurface, all_prisms};
use crate::testing::scene_of;
use clearway_base::progress::NoProgress;
use clearway_geometry::DisjointSets;
use clearway_scenes::{BuildingOptions, CarParkOptions};
use clearway_world::scene::Scene;

fn fallen(scene: &Scene, refuses: impl Fn(usize) -> bool + Sync) -> (WalkableSurface, Vec<Fallback>) {
    WalkableSurface::extract_where(scene, &WalkRules::default(), &mut NoProgress, refuses).unwrap()
}

/// Areas of connected pieces of a square metre and more, in square metres, in descending order.
fn large_pieces(surface: &WalkableSurface) -> Vec<f64> {
    let count = surface.triangle_count();
    let neighbours = |one: u32| surface.beyond(one).map(|other| (one, other));
    let glued = (0..count as u32).flat_map(neighbours).filter(|(_, other)| *other != NONE);
    let (piece_of, pieces) = DisjointSets::joined(count, glued).numbered();
    let mut areas = vec![0.0; pieces as usize];
    for (triangle, piece) in (0u32..).zip(piece_of) {
        let [a, b, c] = surface.triangle(triangle).corners;
        areas[piece as usize] += 0.5 * orient(a, b, c) as f64 * surface.grid().unit().powi(2);
    }
    areas.retain(|area| *area >= 1.0);
    areas.sort_by(|p, q| q.total_cmp(p));
    areas
}

#[test]
fn charts_that_fall_back_stay_connected() {
    let scenes = [
        clearway_scenes::toy(),
        clearway_scenes::stacked_floors(),
        clearway_scenes::building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 1 }, 1),
    ];
    for known in scenes {
        let scene = scene_of(&known.soup);
        let (exact, none) = fallen(&scene, |_| false);
        assert!(none.is_empty());
        let charts = exact.chart_count();
        let ((all, every), (half, second)) =
            (fallen(&scene, |_| true), fallen(&scene, |chart| chart % 2 == 0));
        assert_eq!(every.len(), charts);
        assert_eq!(second.len(), charts.div_ceil(2));
        assert!(every.iter().all(|fallback| fallback.reason == Reason::Tangled));
        let expected = large_pieces(&exact);
        for surface in [all, half] {
            let found = large_pieces(&surface);
            assert_eq!(found.len(), expected.len(), "{}: {found:?} {expected:?}", known.name);
            let is_same = |(p, q): (&f64, &f64)| (p - q).abs() <= 0.03 * q;
            assert!(found.iter().zip(&expected).all(is_same), "{}: {found:?} {expected:?}", known.name);
        }
    }
}

#[test]
fn lines_of_the_lattice_hold_what_lies_between_them() {
    for cell in [40.96, 409.6, 20480.0] {
        let lattice = Lattice { cell };
        for at in (-100_000..100_000).step_by(37) {
            let below = lattice.below(at);
            assert!(lattice.line(below) <= at && at < lattice.line(below + 1), "{cell} {at}");
        }
    }
}

#[test]
fn spans_cover_a_triangle_once() {
    let scene = scene_of(&clearway_scenes::ramp(30.0).soup);
    let rules = WalkRules::default();
    let soup = Soup::of(&scene, &rules).unwrap();
    let lattice = Lattice { cell: 0.1 / soup.grid.unit() };
    for face in 0..soup.walkable() {
        let extent = soup.extent(face);
        let [first, last] = [extent.min, extent.max].map(|corner| lattice.tile_of(corner));
        let (low, high) = soup.heights(face);
        let mut columns = 0;
        for at in (first[0]..=last[0]).flat_map(|x| (first[1]..=last[1]).map(move |y| [x, y])) {
            for (column, spans) in Tile::of(&soup, lattice, at, &[face]).columns() {
                assert_eq!(spans.len(), 1);
                assert!(low <= spans[0].low && spans[0].high <= high);
                assert!(extent.touches(&lattice.section(column)));
                columns += 1;
            }
        }
        let corners = soup.corners(face).map(|corner| corner.at);
        let area = 0.5 * orient(corners[0], corners[1], corners[2]) as f64;
        assert!(f64::from(columns) * lattice.cell * lattice.cell >= area * 0.999);
    }
}

#[test]
fn cells_that_are_too_fine_are_refused_before_the_work() {
    // A floor, and a roof of the same size over it: the floor alone would be allowed.
    let square = |y: f64| [[0.0, y, 0.0], [0.0, y, 70.0], [70.0, y, 70.0], [70.0, y, 0.0]];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
    let corners = [square(0.0), square(9.0)].concat();
    let scene = Scene::from_triangles(corners.clone(), triangles.clone(), vec![0; 4], [("all", "")]).unwrap();
    let refusal = |scene: &Scene, cell: f64| {
        let rules = WalkRules::default().method(Method::Voxel { cell });
        WalkableSurface::extract(scene, &rules).unwrap_err().to_string()
    };
    let refused = refusal(&scene, 0.01);
    assert!(refused.contains("they must be larger than 0.013 m"), "{refused}");
    let far = corners.iter().map(|corner| corner.map(|c| c * 900.0)).collect();
    let scene = Scene::from_triangles(far, triangles, vec![0; 4], [("all", "")]).unwrap();
    let refused = refusal(&scene, 1.0);
    assert!(refused.contains("even the largest, of 5 m, would"), "{refused}");
}

#[test]
fn fragments_are_cheap() {
    let scene = scene_of(&clearway_scenes::car_park(CarParkOptions { levels: 3, turns: 1 }).soup);
    let rules = WalkRules::default();
    let soup = Soup::of(&scene, &rules).unwrap();
    let faces = FaceBins::of(&soup);
    let unit = soup.grid.unit();
    let limits = Limits::of(&rules, unit);
    let asked = Prisms { soup: &soup, faces: &faces, limits };
    let prisms = all_prisms(&asked, &mut clearway_base::NoProgress).unwrap();
    let charts = Charts::of(&asked, &prisms);
    let sheets = Sheets { soup: &soup, faces: &faces, charts: &charts, prisms: &prisms, limits };
    let all: Vec<u32> = (0..charts.charts.len() as u32).collect();
    for cell in [0.1, 0.05] {
        let lattice = Lattice { cell: cell / unit };
        let wanted = tiles_of(&sheets, &all, lattice).unwrap();
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (start, tiles) = (std::time::Instant::now(), alone.install(|| fill(&sheets, lattice, &wanted)));
        let filled = start.elapsed();
        let fragments: usize = tiles.unwrap().iter().map(Tile::len).sum();
        let (start, voxels) = (std::time::Instant::now(), alone.install(|| Voxels::of(&sheets, &all, cell)));
        let grounded = start.elapsed();
        let voxels = voxels.unwrap();
        let start = std::time::Instant::now();
        let borders: usize = (0..all.len()).map(|place| voxels.contours(place).len()).sum();
        let each = |time: std::time::Duration| time.as_nanos() as f64 / fragments as f64;
        eprintln!(
            "cell {cell}: {fragments} fragments; spans {:.0} ns, with ground {:.0} ns, contours {:.0} ns each; {borders} borders",
            each(filled),
            each(grounded),
            each(start.elapsed())
        );
        assert!(fragments > 0 && borders > 0);
    }
}

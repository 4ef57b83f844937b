use clearway_geometry::arrangement::WALL;
use clearway_geometry::predicates::{cross_properly, is_convex_sector, orient};
use clearway_scenes::Family;

use super::space::PORTAL;
use super::*;
use crate::inputs::{FAMILIES, Polygon, Source, catalogue};

fn space_of(input: &Input) -> Space {
    partition(&snap::chains_of(input).unwrap().0, input.relax_angle).unwrap()
}

fn outcome(outline: &[[f64; 2]], holes: Vec<Vec<[f64; 2]>>, relax_angle: f64) -> Outcome {
    let polygon = Polygon { outline: outline.to_vec(), holes };
    let input = Input { polygons: vec![polygon], relax_angle, ..Input::default() };
    let mut job = OneChord.prepare(&input).unwrap();
    job.run().unwrap();
    job.outcome().unwrap()
}

#[test]
fn an_l_takes_its_shortest_chord() {
    let l = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [2.0, 1.0], [2.0, 4.0], [0.0, 4.0]];
    let found = outcome(&l, vec![], 0.0);
    assert_eq!((found.cells, found.portals, found.portal_length), (2, 1, 1.0));
}

#[test]
fn a_square_hole_costs_four_cells_and_four_short_chords() {
    let square = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
    let hole = vec![[3.0, 3.0], [6.0, 3.0], [6.0, 6.0], [3.0, 6.0]];
    let found = outcome(&square, vec![hole], 0.0);
    assert_eq!((found.cells, found.portals, found.portal_length), (4, 4, 12.0));
}

#[test]
fn a_shallow_notch_counts_only_without_relaxation() {
    let dented = [[0.0, 0.0], [5.0, 0.1], [10.0, 0.0], [10.0, 5.0], [0.0, 5.0]];
    assert_eq!(outcome(&dented, vec![], 0.0).cells, 2);
    assert_eq!(outcome(&dented, vec![], 5_f64.to_radians()).cells, 1);
}

/// The wall is 2 away and counts one and a half times its square, 6; so does a vertex at √2 beside its foot.
#[test]
fn a_vertex_is_preferred_to_a_wall_that_is_not_much_nearer() {
    let portal = |beside: f64| {
        let room = [[-4.0, -4.0], [0.0, 0.0], [4.0, -4.0], [4.0, 2.0], [beside, 2.0], [-4.0, 2.0]];
        outcome(&room, vec![], 0.0).portal_length
    };
    assert_eq!(portal(1.25), 1.25_f64.hypot(2.0));
    assert_eq!(portal(1.5), 2.0);
}

#[test]
fn two_edges_of_the_triangulation_settle_any_notch() {
    for family in FAMILIES {
        let input = Source::generated(family, 400, 1).load().unwrap();
        let chains = snap::chains_of(&input).unwrap().0;
        let mut space = Space::new(arrange(&chains).unwrap(), 0.0);
        settle::sweep(&mut space);
        assert_every_corner_is_convex(&space);
    }
}

/// Cells that are discs add up: vertices − edges + cells = components − holes.
#[test]
fn cells_are_as_many_as_euler_says() {
    for input in FAMILIES.map(|family| Source::generated(family, 600, 4).load().unwrap()) {
        let space = space_of(&input);
        let edges = space.triangulation.edges();
        let is_used = |&v: &u32| edges.around(v).any(|e| space.is_constrained(e));
        let count = |mark: u32| (0..edges.len()).filter(|&e| edges.mark(e) == mark).count() as isize / 2;
        let vertices = space.triangulation.vertices().filter(is_used).count() as isize;
        let euler = vertices - count(WALL) - count(PORTAL) + space.count_cells() as isize;
        assert_eq!(euler, input.polygons.len() as isize - input.holes() as isize, "{}", input.name);
    }
}

#[test]
fn generated_plans_become_convex_cells_whose_portals_never_cross() {
    for family in FAMILIES.into_iter().chain([Family::SimplePolygons, Family::Circles]) {
        for seed in 1..=3 {
            let space = space_of(&Source::generated(family, 400, seed).load().unwrap());
            assert_every_corner_is_convex(&space);
            assert_triangles_are_counter_clockwise(&space);
            assert_no_portal_crosses(&space);
        }
    }
}

/// Without a data folder there is nothing to check here but the generated plans of the tables.
#[test]
fn plans_of_the_tables_become_convex_cells() {
    for source in catalogue() {
        let space = space_of(&Input { relax_angle: 0.0, ..source.load().unwrap() });
        assert_every_corner_is_convex(&space);
        assert_triangles_are_counter_clockwise(&space);
    }
}

fn assert_every_corner_is_convex(space: &Space) {
    let triangulation = &space.triangulation;
    let mut corners = 0;
    for sector in triangulation.vertices().flat_map(|v| space.sectors(v)) {
        let [from, to] = [sector.first, sector.last].map(|e| triangulation.direction(e));
        assert!(is_convex_sector(from, to), "reflex at {:?}", sector);
        corners += 1;
    }
    assert!(corners > 0);
}

/// Portals are edges of these triangles, so none crosses another.
fn assert_triangles_are_counter_clockwise(space: &Space) {
    let triangulation = &space.triangulation;
    for e in (0..triangulation.edges().len()).step_by(3) {
        let [a, b, c] = [e, e + 1, e + 2].map(|e| triangulation.point(triangulation.edges().origin(e)));
        assert!(orient(a, b, c) > 0);
    }
}

/// Pair by pair, as a second opinion.
fn assert_no_portal_crosses(space: &Space) {
    let triangulation = &space.triangulation;
    let edges = triangulation.edges();
    let ends = |e: u32| [edges.origin(e), edges.target(e)].map(|v| triangulation.point(v));
    let portals: Vec<_> = space.portals().map(ends).collect();
    let walls: Vec<_> = (0..edges.len()).filter(|&e| space.is_wall(e)).map(ends).collect();
    for [a, b] in &portals {
        for [c, d] in portals.iter().chain(&walls) {
            assert!(!cross_properly(*a, *b, *c, *d), "{a:?} {b:?} {c:?} {d:?}");
        }
    }
}

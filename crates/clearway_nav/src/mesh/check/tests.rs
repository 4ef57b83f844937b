use super::*;
use crate::mesh::{MeshParts, PortalRecord, Side};
use crate::testing::MeshOptions;
use clearway_build::Quality;
use clearway_build::surface::{WalkRules, WalkableSurface};
use clearway_geometry::predicates::{cross_properly, on_segment, orient};
use clearway_geometry::{Grid, NONE, Point};
use clearway_world::plan::{Plan, PlanFormat};
use clearway_world::scene::Scene;

type Corner = (i32, i32);

/// A mesh of cells as drawn: canonical numbers, every side that two cells share is a portal (or, with `walled`,
/// all sides are walls), and every cell is a region.
fn drawn(cells: &[&[Corner]], walled: bool) -> NavMesh {
    let mut points: Vec<Point> =
        cells.iter().flat_map(|cell| cell.iter()).map(|c| Point::new(c.0, c.1)).collect();
    points.sort_unstable();
    points.dedup();
    let vertex = |c: &Corner| points.binary_search(&Point::new(c.0, c.1)).unwrap() as u32;
    let mut loops: Vec<Vec<u32>> = cells.iter().map(|cell| cell.iter().map(vertex).collect()).collect();
    for corners in &mut loops {
        let lowest = (0..corners.len()).min_by_key(|i| corners[*i]).unwrap();
        corners.rotate_left(lowest);
    }
    loops.sort();
    let count = loops.len() as u32;
    let mut mesh = NavMesh::unchecked(MeshParts {
        points,
        cell_region: (0..count).collect(),
        cell_component: (0..count).collect(),
        region_count: count,
        component_count: count,
        ..MeshParts::empty(Grid::new([0.0, 0.0], 0).unwrap())
    });
    for (cell, corners) in loops.iter().enumerate() {
        for (i, from) in corners.iter().enumerate() {
            let portal = if walled {
                NONE
            } else {
                mesh.draw_portal(cell as u32, *from, corners[(i + 1) % corners.len()])
            };
            mesh.parts.sides.push(Side { vertex: *from, portal });
        }
        mesh.parts.first_side.push(mesh.parts.sides.len() as u32);
    }
    // A portal that was met once only is a wall.
    for side in &mut mesh.parts.sides {
        if side.portal != NONE && mesh.parts.portals[side.portal as usize].cells[1] == NONE {
            side.portal = NONE;
        }
    }
    let kept: Vec<PortalRecord> = mesh.parts.portals.iter().copied().filter(|p| p.cells[1] != NONE).collect();
    for side in mesh.parts.sides.iter_mut().filter(|side| side.portal != NONE) {
        side.portal =
            kept.iter().position(|p| *p == mesh.parts.portals[side.portal as usize]).unwrap() as u32;
    }
    mesh.parts.portals = kept;
    mesh.number_components();
    mesh
}

impl NavMesh {
    fn draw_portal(&mut self, cell: u32, from: u32, to: u32) -> u32 {
        let open = |p: &PortalRecord| p.vertices == [to, from] && p.cells[1] == NONE;
        if let Some(portal) = self.parts.portals.iter().position(open) {
            self.parts.portals[portal].cells[1] = cell;
            return portal as u32;
        }
        self.parts.portals.push(PortalRecord { vertices: [from, to], cells: [cell, NONE] });
        self.parts.portals.len() as u32 - 1
    }

    fn number_components(&mut self) {
        for _ in 0..self.parts.portals.len() {
            for portal in &self.parts.portals {
                let [a, b] = portal.cells.map(|cell| self.parts.cell_component[cell as usize]);
                portal.cells.iter().for_each(|cell| self.parts.cell_component[*cell as usize] = a.min(b));
            }
        }
        let mut numbers = self.parts.cell_component.clone();
        numbers.sort_unstable();
        numbers.dedup();
        for component in &mut self.parts.cell_component {
            *component = numbers.binary_search(component).unwrap() as u32;
        }
        self.parts.component_count = numbers.len() as u32;
    }
}

/// The laws that a mesh breaks, each once.
fn broken(mesh: &NavMesh) -> Vec<&'static str> {
    let mut kinds: Vec<FlawKind> = mesh.check().iter().map(|flaw| flaw.kind).collect();
    kinds.dedup();
    kinds.into_iter().map(FlawKind::name).collect()
}

fn damaged(mesh: &NavMesh, damage: impl Fn(&mut NavMesh)) -> Vec<&'static str> {
    let mut mesh = mesh.clone();
    damage(&mut mesh);
    broken(&mesh)
}

/// An L of two cells; the portal runs from the outer corner to the notch.
fn angle() -> NavMesh {
    drawn(&[&[(0, 0), (4, 0), (4, 2), (2, 2)], &[(0, 0), (2, 2), (2, 4), (0, 4)]], false)
}

/// Three cells around a vertex where one portal ends on two others.
fn with_inner_vertex() -> NavMesh {
    let below: &[Corner] = &[(-2, 0), (10, 0), (10, 2), (8, 2), (4, 2), (0, 2), (-2, 2)];
    drawn(&[below, &[(0, 2), (4, 2), (4, 6), (0, 8)], &[(4, 2), (8, 2), (8, 8), (4, 6)]], false)
}

/// Two cells on each side of a thin wall that begins and ends inside the room.
fn with_thin_wall() -> NavMesh {
    let left: &[Corner] = &[(0, 0), (4, 0), (4, 2), (4, 6), (4, 8), (0, 8)];
    drawn(&[left, &[(4, 0), (8, 0), (8, 8), (4, 8), (4, 6), (4, 2)]], false)
}

/// The law that is broken, and how.
type Damage = (&'static str, fn(&mut NavMesh));

#[test]
fn sound_meshes_have_no_flaws() {
    let thin = {
        // The sides along the thin wall are walls of both cells.
        let mut mesh = with_thin_wall();
        let wall =
            mesh.parts.portals.iter().position(|p| p.vertices == [3, 4] || p.vertices == [4, 3]).unwrap()
                as u32;
        mesh.parts.portals.remove(wall as usize);
        for side in mesh.parts.sides.iter_mut().filter(|side| side.portal != NONE) {
            side.portal = match side.portal {
                portal if portal == wall => NONE,
                portal => portal - u32::from(portal > wall),
            };
        }
        mesh
    };
    let cells_touching_in_a_vertex: &[&[Corner]] =
        &[&[(0, 0), (2, 0), (2, 2), (0, 2)], &[(2, 2), (4, 2), (4, 4)]];
    let cases = [
        drawn(&[], false),
        drawn(&[&[(0, 0), (2, 0), (1, 5)]], false),
        drawn(cells_touching_in_a_vertex, false),
        angle(),
        with_inner_vertex(),
        thin,
    ];
    for mesh in cases {
        assert_eq!(mesh.check(), [], "{mesh:?}");
    }
}

#[test]
fn lists_that_do_not_fit_are_found() {
    let damage: [Damage; 8] = [
        ("layout", |m| m.parts.first_side.truncate(2)),
        ("layout", |m| m.parts.first_side.clear()),
        ("layout", |m| m.parts.first_side[0] = 1),
        ("layout", |m| m.parts.first_side[1] = 2),
        ("layout", |m| m.parts.first_side[1] = 99),
        ("layout", |m| m.parts.sides.truncate(7)),
        ("layout", |m| m.parts.cell_component.truncate(1)),
        ("layout", |m| m.parts.cell_region.push(0)),
    ];
    for (place, (law, damage)) in damage.into_iter().enumerate() {
        assert_eq!(damaged(&angle(), damage), [law], "{place}");
    }
}

#[test]
fn numbers_that_name_nothing_are_found() {
    let damage: [Damage; 10] = [
        ("index", |m| m.parts.sides[5].vertex = 6),
        ("index", |m| m.parts.sides[5].portal = 1),
        ("index", |m| m.parts.portals[0].vertices[1] = NONE),
        ("index", |m| m.parts.portals[0].cells[0] = 2),
        ("index", |m| m.parts.cell_region[1] = 2),
        ("index", |m| m.parts.cell_component[0] = 1),
        ("coordinate", |m| m.parts.points[3].y = 1 << 28),
        ("coordinate", |m| m.parts.points[3].x = i32::MIN),
        ("unused", |m| m.parts.points.push(Point::new(9, 9))),
        ("unused", |m| m.parts.component_count = 2),
    ];
    for (place, (law, damage)) in damage.into_iter().enumerate() {
        assert_eq!(damaged(&angle(), damage), [law], "{place}");
    }
}

#[test]
fn numbers_out_of_order_are_found() {
    let swap = |numbers: &mut dyn Iterator<Item = &mut u32>| {
        numbers.for_each(|n| *n = [1, 0].get(*n as usize).copied().unwrap_or(*n));
    };
    let mesh = with_inner_vertex();
    let portals = damaged(&mesh, |m| {
        m.parts.portals.swap(0, 1);
        swap(&mut m.parts.sides.iter_mut().map(|side| &mut side.portal));
    });
    assert_eq!(portals, ["order"]);
    assert_eq!(damaged(&mesh, |m| swap(&mut m.parts.cell_region.iter_mut())), ["order"]);
    let apart = drawn(&[&[(0, 0), (2, 0), (0, 2)], &[(5, 0), (7, 0), (5, 2)]], false);
    assert_eq!(damaged(&apart, |m| m.parts.sides[..3].rotate_left(1)), ["order"]);
    assert_eq!(damaged(&apart, |m| m.parts.sides.rotate_left(3)), ["order"]);
}

#[test]
fn portals_that_do_not_join_are_found() {
    let damage: [fn(&mut NavMesh); 7] = [
        |m| m.parts.portals[0].cells.swap(0, 1),
        |m| m.parts.portals[0].vertices.swap(0, 1),
        |m| m.parts.portals[0].vertices[1] = 1,
        |m| m.parts.sides.iter_mut().for_each(|side| side.portal = NONE),
        |m| m.parts.sides.iter_mut().rfind(|side| side.portal == 0).unwrap().portal = NONE,
        |m| m.parts.sides[1].portal = 0,
        |m| m.parts.sides[..4].iter_mut().for_each(|side| side.portal = 0),
    ];
    for (place, damage) in damage.into_iter().enumerate() {
        let laws = damaged(&angle(), damage);
        assert!(
            laws.ends_with(&["portal"]) && laws.iter().all(|law| ["unused", "portal"].contains(law)),
            "{place}: {laws:?}"
        );
    }
    // Both ends of the portal on sides of one cell: the walls 4→0 and 0→… of a triangle fan.
    let one_cell = damaged(&angle(), |m| {
        m.parts.sides.iter_mut().for_each(|side| side.portal = NONE);
        m.parts.sides[0].portal = 0;
        m.parts.sides[1].portal = 0;
    });
    assert_eq!(one_cell, ["portal"]);
}

#[test]
fn cells_of_wrong_shape_are_found() {
    assert_eq!(broken(&drawn(&[&[(0, 0), (0, 4), (4, 4), (4, 0)]], false)), ["area"]);
    assert_eq!(broken(&drawn(&[&[(0, 0), (4, 0), (8, 0)]], true)), ["area", "t-junction"]);
    assert_eq!(broken(&drawn(&[&[(0, 0), (4, 0), (1, 1), (0, 4)]], false)), ["reflex"]);
    assert_eq!(broken(&drawn(&[&[(0, 0), (4, 0), (4, 0), (0, 4)]], false)), ["zero-side"]);
    let pentagram: &[Corner] = &[(0, 100), (-60, -80), (96, 30), (-96, 30), (60, -80)];
    assert_eq!(broken(&drawn(&[pentagram], false)), ["turning", "crossing"]);
    let reflex = drawn(&[&[(0, 0), (4, 0), (1, 1), (0, 4)]], false).check();
    assert_eq!(reflex[0].to_string(), "cell 0 at (1, 1): corner at vertex 2 is reflex");
}

#[test]
fn two_vertices_at_one_point_are_found() {
    let apart = drawn(&[&[(0, 0), (2, 0), (0, 2)], &[(3, 0), (5, 0), (5, 2)]], false);
    assert_eq!(damaged(&apart, |m| m.parts.points[3] = Point::new(2, 0)), ["duplicate"]);
}

#[test]
fn sides_that_meet_outside_their_ends_are_found() {
    let left: &[Corner] = &[(0, 0), (2, 0), (2, 4), (0, 4)];
    assert_eq!(broken(&drawn(&[left, &[(2, 0), (4, 0), (4, 2), (2, 2)]], false)), ["t-junction"]);
    assert_eq!(broken(&drawn(&[left, &[(2, 3), (4, 1), (4, 5)]], false)), ["t-junction"]);
    assert_eq!(broken(&drawn(&[left, &[(2, -1), (4, -1), (4, 5), (2, 5)]], false)), ["t-junction"]);
    assert_eq!(broken(&drawn(&[left, &[(1, 1), (5, 1), (5, 3), (1, 3)]], false)), ["crossing"]);
    assert_eq!(broken(&drawn(&[left, &[(0, 0), (4, 2), (1, 4)]], false)).first(), Some(&"t-junction"));
}

#[test]
fn cells_that_overlap_are_found() {
    let outer: &[Corner] = &[(0, 0), (9, 0), (9, 9), (0, 9)];
    assert_eq!(broken(&drawn(&[outer, &[(2, 2), (4, 2), (4, 4), (2, 4)]], false)), ["overlap"]);
    assert_eq!(broken(&drawn(&[outer, &[(0, 0), (4, 2), (2, 4)]], false)), ["overlap"]);
    let on_one_side: &[&[Corner]] = &[&[(0, 0), (4, 0), (2, 2)], &[(0, 0), (4, 0), (2, 4)]];
    assert_eq!(broken(&drawn(on_one_side, true)), ["overlap"]);
    let nested = drawn(&[outer, &[(2, 2), (4, 2), (4, 4), (2, 4)]], false).check();
    assert_eq!(nested[0].to_string(), "cell 0 at (0, 0): overlaps cell 1");
}

#[test]
fn pieces_that_do_not_add_up_are_found() {
    // Two fans around one vertex: neither shows that the other is there, but together they wind twice.
    let mesh = drawn(
        &[
            &[(0, 0), (4, 0), (0, 4)],
            &[(0, 0), (0, 4), (-4, -4)],
            &[(0, 0), (-4, -4), (4, 0)],
            &[(0, 0), (9, 1), (1, 9)],
            &[(0, 0), (1, 9), (-9, -9)],
            &[(0, 0), (-9, -9), (9, 1)],
        ],
        false,
    );
    assert!(broken(&mesh).contains(&"euler"), "{:?}", mesh.check());
}

#[test]
fn wrong_components_and_regions_are_found() {
    let apart = drawn(&[&[(0, 0), (2, 0), (0, 2)], &[(5, 0), (7, 0), (5, 2)]], false);
    let joined = damaged(&apart, |m| {
        m.parts.cell_component[1] = 0;
        m.parts.component_count = 1;
    });
    assert_eq!(joined, ["component"]);
    let parted = damaged(&angle(), |m| {
        m.parts.cell_component[1] = 1;
        m.parts.component_count = 2;
    });
    assert_eq!(parted, ["component"]);
    let scattered = damaged(&apart, |m| {
        m.parts.cell_region[1] = 0;
        m.parts.region_count = 1;
    });
    assert_eq!(scattered, ["region"]);
    let relaxed = damaged(&angle(), |m| {
        m.parts.cell_region[1] = 0;
        m.parts.region_count = 1;
    });
    assert_eq!(relaxed, [""; 0], "two cells of one region");
}

#[test]
fn portals_that_are_not_needed_are_found() {
    let left: &[Corner] = &[(0, 0), (2, 0), (2, 4), (0, 4)];
    let halves = drawn(&[left, &[(2, 0), (4, 0), (4, 4), (2, 4)]], false);
    assert_eq!(broken(&halves), ["removable"]);
    let one_region = damaged(&halves, |m| {
        m.parts.cell_region[1] = 0;
        m.parts.region_count = 1;
    });
    assert_eq!(one_region, ["removable"]);
    let in_a_row = with_thin_wall();
    assert_eq!(in_a_row.portal_count(), 3);
    assert_eq!(in_a_row.check().len(), 1, "three portals in a row stand and fall together");
    assert_eq!(broken(&in_a_row), ["removable"]);
    // Between regions, a portal is kept for the sake of a region of several cells.
    let three = drawn(&[left, &[(2, 0), (4, 0), (4, 4), (2, 4)], &[(4, 0), (6, -2), (8, 4), (4, 4)]], false);
    let kept = |m: &mut NavMesh| {
        m.parts.cell_region = vec![0, 1, 1];
        m.parts.region_count = 2;
    };
    assert_eq!(three.check().len(), 1);
    assert_eq!(damaged(&three, kept), [""; 0]);
}

#[test]
fn built_meshes_have_no_flaws() {
    let maps = [
        ".....\n.@.@.\n.....\n.@@..\n.....",
        "@@.@@\n@...@\n..@..\n@...@\n@@.@@",
        ".@.@.@\n@.@.@.\n.@.@.@",
        "......\n.@@@@.\n.@..@.\n.@..@.\n.@@@@.\n......",
    ];
    for map in maps {
        let rows = map.lines().count();
        let columns = map.lines().next().map_or(0, str::len);
        let text = format!("type octile\nheight {rows}\nwidth {columns}\nmap\n{map}\n");
        let plan = Plan::parse(PlanFormat::Map, &text).unwrap();
        for quality in [Quality::Fast, Quality::Default, Quality::Best] {
            let mesh = MeshOptions::default().quality(quality).build(&plan).unwrap();
            assert_eq!(mesh.check(), [], "{quality:?}\n{map}");
        }
    }
}

#[test]
fn every_moved_vertex_of_a_built_mesh_is_noticed_or_harmless() {
    let map = "type octile\nheight 4\nwidth 5\nmap\n.....\n.@.@.\n..@..\n.....\n";
    let plan = Plan::parse(PlanFormat::Map, map).unwrap();
    let options = MeshOptions::default().grid(Some(0.25));
    let mesh = options.build(&plan).unwrap();
    for vertex in 0..mesh.vertex_count() {
        for (x, y) in [(1, 0), (-3, 2), (40, 0), (0, -9)] {
            let mut moved = mesh.clone();
            moved.parts.points[vertex] =
                Point::new(moved.parts.points[vertex].x + x, moved.parts.points[vertex].y + y);
            let cells = corners_of(&moved);
            let noticed =
                moved.check().iter().any(|f| f.kind != FlawKind::Removable && f.kind != FlawKind::Duplicate);
            assert_eq!(noticed, !is_sound(&cells), "vertex {vertex} moved by ({x}, {y})");
        }
    }
}

/// The sweep against the plain tests of all pairs, on random cells of a small grid where all kinds of touching
/// and overlapping are common.
#[test]
fn the_sweep_agrees_with_all_pairs() {
    let mut state = 1u64;
    let mut number = |below: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i32 % below
    };
    let (mut sound, mut unsound) = (0, 0);
    for round in 0..60_000 {
        let size = [4, 6, 10, 40][round % 4];
        let count = if round % 64 == 0 { 40 } else { 2 + number(4) };
        let cells: Vec<Vec<Corner>> = (0..count).map(|_| random_cell(&mut || number(size))).collect();
        let slices: Vec<&[Corner]> = cells.iter().map(Vec::as_slice).collect();
        let mesh = drawn(&slices, true);
        let flaws = mesh.check();
        let expected = is_sound(&corners_of(&mesh));
        assert_eq!(flaws.is_empty(), expected, "{cells:?}: {flaws:?}");
        if expected { sound += 1 } else { unsound += 1 }
    }
    assert!(sound > 3000 && unsound > 3000, "{sound} {unsound}");
}

/// A triangle, often with a flat corner on its first side.
fn random_cell(number: &mut dyn FnMut() -> i32) -> Vec<Corner> {
    loop {
        let [a, b, c] = [0; 3].map(|_| (number(), number()));
        if orient(Point::new(a.0, a.1), Point::new(b.0, b.1), Point::new(c.0, c.1)) > 0 {
            let is_even = (a.0 + b.0) % 2 == 0 && (a.1 + b.1) % 2 == 0;
            let middle = is_even.then_some(((a.0 + b.0) / 2, (a.1 + b.1) / 2));
            return [a].into_iter().chain(middle).chain([b, c]).collect();
        }
    }
}

fn corners_of(mesh: &NavMesh) -> Vec<Vec<Point>> {
    mesh.cells().map(|cell| cell.points().collect()).collect()
}

/// Whether all cells are convex, no two overlap, and no vertex lies inside a side; by looking at everything.
fn is_sound(cells: &[Vec<Point>]) -> bool {
    let ring = |cell: &[Point]| -> Vec<(Point, Point)> {
        cell.iter().copied().zip(cell.iter().copied().cycle().skip(1)).collect()
    };
    let convex = cells
        .iter()
        .all(|cell| ring(cell).iter().all(|(a, b)| a != b && cell.iter().all(|p| orient(*a, *b, *p) >= 0)));
    let apart =
        |a: &[Point], b: &[Point]| ring(a).iter().any(|(p, q)| b.iter().all(|c| orient(*p, *q, *c) <= 0));
    let sides: Vec<(Point, Point)> = cells.iter().flat_map(|cell| ring(cell)).collect();
    let plane = sides.iter().all(|(a, b)| {
        let clear = |p: &Point| p == a || p == b || !on_segment(*a, *b, *p);
        cells.iter().flatten().all(clear) && sides.iter().all(|(c, d)| !cross_properly(*a, *b, *c, *d))
    });
    let disjoint =
        (0..cells.len()).all(|i| (0..i).all(|j| apart(&cells[i], &cells[j]) || apart(&cells[j], &cells[i])));
    convex && plane && disjoint
}

/// Two floors, 3 m apart: with a body of 9 m the lower one has too little room.
#[test]
fn flaws_of_scenes_tell_their_place_in_the_world() {
    let corners =
        [0.0, 3.0].into_iter().flat_map(|y| [[1.0, y, 1.0], [1.0, y, 5.0], [7.0, y, 5.0], [7.0, y, 1.0]]);
    let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let scene = Scene::from_triangles(corners.collect(), triangles, vec![0; 4], [("floors", "")]).unwrap();
    let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
    let mut mesh = MeshOptions::default().build(&surface).unwrap();
    assert_eq!(mesh.check(), []);
    std::sync::Arc::make_mut(mesh.parts.relief.as_mut().unwrap()).body_height = 9.0;
    let flaws = mesh.check();
    let [flaw] = &flaws[..] else { panic!("{flaws:?}") };
    assert_eq!((flaw.at, flaw.place), (Some([4.0, -3.0]), Some([4.0, 0.0, 3.0])));
    assert!(flaw.to_string().contains("at (4, 0.000, 3): cell"), "{flaw}");
}

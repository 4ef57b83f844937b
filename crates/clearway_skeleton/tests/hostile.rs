//! Hostile callers: bad shapes, stale handles, numbers that are none, and places off the mesh. Nothing panics, and what is
//! refused changes nothing.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_geometry::{Point, Vec2};
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};
use clearway_scenes::stacked_floors;
use clearway_skeleton::{Diagram, EdgeId, Shape, ShapeId, SiteId, Skeleton, VertexId};
use clearway_world::{Plan, PlanFormat, Scene};

fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

const BAD: [f64; 5] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300];

fn room() -> NavMesh {
    let plan = "POLYGON((0 0, 9 0, 9 6, 0 6, 0 0))";
    MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, plan).unwrap()).unwrap()
}

fn layered() -> NavMesh {
    let soup = stacked_floors().soup;
    let world = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = WalkableSurface::extract(&world, &WalkRules::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

fn circles(diagram: &Diagram) -> Vec<[i64; 3]> {
    let round = |value: f64| (value * 1e3).round() as i64;
    let mut all: Vec<[i64; 3]> =
        diagram.vertices().map(|(_, v)| [v.at.x, v.at.y, v.radius].map(round)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn numbers_that_are_none_name_no_place() {
    let mesh = room();
    let skeleton = Skeleton::build(&mesh).unwrap();
    for bad in BAD {
        for at in [[bad, 1.0], [1.0, bad], [bad, bad]] {
            if !bad.is_finite() {
                assert!(skeleton.clearance(at, None).is_none(), "{at:?}");
            }
            assert!(skeleton.retract(at, Some(SiteId(u32::MAX))).is_none(), "{at:?}");
            assert!(skeleton.widest(at, [1.0, 1.0]).is_none() && skeleton.widest([1.0, 1.0], at).is_none());
            let _ = skeleton.diagram().nearest(Vec2::new(at[0], at[1]), Some(SiteId(u32::MAX)));
        }
    }
    for width in BAD {
        let _ = skeleton.narrow_places(&mesh, width);
    }
}

#[test]
fn stale_and_foreign_handles_name_nothing() {
    let mesh = room();
    let mut skeleton = Skeleton::build(&mesh).unwrap();
    let block = Shape::Polygon(vec![p(400, 400), p(800, 400), p(600, 800)]);
    let id = skeleton.insert(&block).unwrap();
    let edges: Vec<EdgeId> = skeleton.diagram().edges().map(|(id, _)| id).collect();
    let roads: Vec<_> = skeleton.roads().collect();
    let sites: Vec<SiteId> = skeleton.diagram().sites_of(id).unwrap().concat();
    skeleton.remove(id).unwrap();
    assert!(skeleton.remove(id).is_err() && skeleton.replace(id, &block).is_err());
    for edge in edges.into_iter().chain([EdgeId(u32::MAX), EdgeId(u32::MAX - 1), EdgeId(1 << 30)]) {
        let _ = (skeleton.diagram().edge(edge), skeleton.road(edge), skeleton.diagram().left_of(edge));
        let _ = skeleton.diagram().is_tie(edge);
        assert!(skeleton.events(&[edge]).count() <= 2);
    }
    for (_, road) in &roads {
        let _ = skeleton.diagram().is_spur(road);
    }
    for vertex in [VertexId(u32::MAX), VertexId(u32::MAX / 3), VertexId(1 << 30)] {
        assert!(skeleton.diagram().vertex(vertex).is_none() && !skeleton.is_free(vertex));
        assert!(skeleton.edges_at(vertex).iter().all(|&edge| skeleton.road(edge).is_none()));
        assert!(skeleton.floors(&mesh).cell(vertex).is_none());
    }
    for site in sites.into_iter().chain([SiteId(u32::MAX)]) {
        assert!(skeleton.diagram().site_ends(site).is_none());
        assert_eq!(skeleton.diagram().cell(site).count(), 0);
        assert!(skeleton.clearance([1.0, 1.0], Some(site)).is_some());
    }
    // An edge of another diagram.
    let other = Diagram::new(p(0, 0), p(10, 10)).unwrap();
    for (_, road) in &roads {
        let _ = other.is_spur(road);
    }
}

#[test]
fn locations_of_other_meshes_are_no_places() {
    for mesh in [room(), layered()] {
        let skeleton = Skeleton::build(&mesh).unwrap();
        let (first, road) = skeleton.roads().next().unwrap();
        for cell in [CellId(u32::MAX), CellId(mesh.cell_slots() as u32)] {
            let at = Location::in_cell(cell, [1.0, 1.0]);
            let _ = (skeleton.clearance_at(&mesh, at), skeleton.retract_at(&mesh, at));
            let _ = skeleton.widest_between(&mesh, at, at);
            let _ = skeleton.line(&mesh, cell, &road);
        }
        for bad in BAD {
            let at = Location::in_cell(CellId(0), [bad, bad]);
            assert!(skeleton.retract_at(&mesh, at).is_none());
            assert!(skeleton.widest_between(&mesh, at, at).is_none());
            let _ = skeleton.clearance_at(&mesh, at);
        }
        // The skeleton of one mesh, asked with another.
        for other in [room(), layered()] {
            let _ = skeleton.audit(&other);
            let floors = skeleton.floors(&other);
            let _ = floors.cell(skeleton.road(first).unwrap().ends[0]);
            for at in other.random_points(3).take(20) {
                let _ = (skeleton.clearance_at(&other, at), skeleton.retract_at(&other, at));
            }
        }
    }
}

#[test]
fn shapes_off_the_world_or_without_size_are_refused() {
    for (min, max) in [(p(1, 0), p(0, 0)), (p(0, 0), p(i32::MAX, 1)), (p(i32::MIN, 0), p(0, 0))] {
        assert!(Diagram::new(min, max).is_err(), "{min:?} {max:?}");
    }
    let mut diagram = Diagram::new(p(0, 0), p(1_000, 1_000)).unwrap();
    diagram.insert(&Shape::Segment([p(100, 100), p(900, 130)])).unwrap();
    let before = circles(&diagram);
    for shape in [
        Shape::Polygon(vec![]),
        Shape::Polygon(vec![p(5, 5)]),
        Shape::Polygon(vec![p(5, 5), p(5, 5), p(5, 5)]),
        Shape::Segment([p(3, 3), p(3, 3)]),
        Shape::Point(p(i32::MAX, i32::MIN)),
        Shape::Segment([p(0, 0), p(0, 1_001)]),
    ] {
        assert!(diagram.insert(&shape).is_err(), "{shape:?}");
        assert_eq!(circles(&diagram), before, "{shape:?}");
    }
    // One point is the least world.
    let mut least = Diagram::new(p(7, 7), p(7, 7)).unwrap();
    let id = least.insert(&Shape::Point(p(7, 7))).unwrap();
    assert!(least.audit().is_clean());
    least.remove(id).unwrap();
    assert!(least.audit().is_clean());
}

/// The ground inside two triangles that share a corner was once marked by the sign of their common area.
#[test]
fn polygons_that_touch_themselves_are_refused() {
    let mesh = room();
    let mut skeleton = Skeleton::build(&mesh).unwrap();
    let before = circles(skeleton.diagram());
    let plan = skeleton.clone();
    let at = |x: f64, y: f64| {
        let spot = plan.units([x, y]);
        p(spot.x.round() as i32, spot.y.round() as i32)
    };
    let bow = [at(1.0, 1.0), at(3.0, 3.0), at(1.0, 5.0), at(5.0, 5.0), at(3.0, 3.0), at(5.0, 1.0)];
    let spike = [at(1.0, 1.0), at(3.0, 1.0), at(3.0, 3.0), at(3.0, 1.0)];
    let twice = [at(1.0, 1.0), at(3.0, 1.0), at(2.0, 3.0), at(1.0, 1.0), at(3.0, 1.0), at(2.0, 3.0)];
    let flat = [at(1.0, 1.0), at(3.0, 1.0), at(5.0, 1.0)];
    for ring in [&bow[..], &spike, &twice, &flat] {
        let result = skeleton.insert(&Shape::Polygon(ring.to_vec()));
        assert!(result.is_err(), "{ring:?}");
        assert_eq!(circles(skeleton.diagram()), before, "{ring:?}");
    }
    let id: ShapeId = skeleton.insert(&Shape::Point(at(4.0, 4.0))).unwrap();
    let with = circles(skeleton.diagram());
    assert!(skeleton.replace(id, &Shape::Polygon(bow.to_vec())).is_err());
    assert_eq!(circles(skeleton.diagram()), with);
    skeleton.remove(id).unwrap();
}

#[test]
fn walls_of_the_mesh_stay() {
    let mesh = room();
    let mut skeleton = Skeleton::build(&mesh).unwrap();
    let walls: Vec<ShapeId> = skeleton.diagram().shape_ids().collect();
    for id in walls {
        assert!(skeleton.remove(id).is_err());
        assert!(skeleton.replace(id, &Shape::Point(p(1, 1))).is_err());
    }
    assert!(skeleton.apply_walls(&[[p(0, 0), p(1, 1)]], &[]).is_err(), "a wall that is not there");
    let wall = skeleton.diagram().shape_ids().next().unwrap();
    let Some(Shape::Segment(ends)) = skeleton.diagram().drawn(wall) else { panic!("no wall") };
    assert!(skeleton.apply_walls(&[], &[ends]).is_err(), "a wall that is there");
    assert!(skeleton.apply_walls(&[ends, ends], &[]).is_err(), "a wall taken twice");
    assert!(skeleton.audit(&mesh).is_clean());
}

#[test]
fn bad_obstacles_in_layers_are_refused_and_change_nothing() {
    let mesh = layered();
    let mut skeleton = Skeleton::build(&mesh).unwrap();
    assert!(skeleton.is_layered());
    let before = circles(skeleton.diagram());
    let is_roomy = |at: &Location| {
        let [x, y] = at.position();
        let around = [[x + 0.5, y], [x - 0.5, y], [x, y + 0.5], [x, y - 0.5]];
        let same =
            |to| mesh.raycast(*at, to, 0.0).is_some_and(|hit| hit.reached() && hit.at.cell() == at.cell());
        mesh.clearance(*at).unwrap() > 0.6 && around.into_iter().all(same)
    };
    let at = mesh.random_points(1).take(1_000).find(is_roomy).unwrap();
    let spot = skeleton.units(at.position());
    let point = p(spot.x.round() as i32, spot.y.round() as i32);
    let near = |dx: i32, dy: i32| p(point.x + dx, point.y + dy);
    let triangle = vec![near(0, 0), near(100, 0), near(0, 100)];
    let cells = vec![at.cell(); 3];
    for (shape, cells) in [
        (Shape::Polygon(triangle.clone()), vec![]),
        (Shape::Polygon(triangle.clone()), vec![CellId(u32::MAX); 3]),
        (Shape::Polygon(triangle.clone()), cells[..2].to_vec()),
        (Shape::Polygon(vec![]), vec![]),
        (Shape::Segment([point, point]), cells.clone()),
        (Shape::Segment([point, p(i32::MAX, 0)]), cells.clone()),
        (Shape::Polygon(vec![near(0, 0), near(200, 200), near(200, 0), near(0, 200)]), vec![at.cell(); 4]),
    ] {
        assert!(skeleton.insert_at(&mesh, &shape, &cells).is_err(), "{shape:?} {cells:?}");
        assert_eq!(circles(skeleton.diagram()), before, "{shape:?} {cells:?}");
    }
    assert!(skeleton.apply_walls(&[], &[]).is_err() && skeleton.tie(&mesh).is_err());
    // Open portals once counted as shapes, and could be taken out.
    let walls: Vec<ShapeId> = skeleton.diagram().shape_ids().collect();
    assert_eq!(walls.len(), skeleton.diagram().shape_count());
    for id in walls {
        assert!(skeleton.remove(id).is_err());
    }
    assert_eq!(circles(skeleton.diagram()), before);
    let id = skeleton.insert_at(&mesh, &Shape::Polygon(triangle.clone()), &cells).unwrap();
    let with = circles(skeleton.diagram());
    let around = Shape::Polygon(vec![near(-300, -300), near(800, -300), near(-300, 800)]);
    for (shape, why) in [
        (Shape::Polygon(triangle.clone()), "touches"),
        (Shape::Point(near(0, 0)), "touches"),
        (Shape::Point(near(50, 0)), "touches"),
        (Shape::Segment([near(-50, 20), near(150, 20)]), "meets"),
        (Shape::Point(near(20, 20)), "inside"),
        (around.clone(), "around others"),
    ] {
        let error = skeleton.insert_at(&mesh, &shape, &cells).unwrap_err().to_string();
        assert!(error.contains(why), "{shape:?}: {error}");
        assert_eq!(circles(skeleton.diagram()), with, "{shape:?}");
    }
    // A move to where the obstacle is itself, onto another, around another, and off the floor.
    skeleton.replace_at(&mesh, id, &Shape::Polygon(triangle.clone()), &cells).unwrap();
    assert_eq!(circles(skeleton.diagram()), with);
    let other = skeleton.insert_at(&mesh, &Shape::Point(near(-100, -100)), &cells).unwrap();
    let both = circles(skeleton.diagram());
    for shape in [
        Shape::Point(near(-100, -100)),
        Shape::Segment([near(-200, -200), near(0, 0)]),
        around,
        Shape::Segment([near(0, 0), p(i32::MAX, 0)]),
        Shape::Polygon(vec![near(0, 0), near(200, 200), near(200, 0), near(0, 200)]),
    ] {
        assert!(skeleton.replace_at(&mesh, id, &shape, &[at.cell(); 4]).is_err(), "{shape:?}");
        assert_eq!(circles(skeleton.diagram()), both, "{shape:?}");
    }
    assert!(skeleton.replace_at(&mesh, id, &Shape::Point(near(20, 20)), &[]).is_err());
    assert!(skeleton.replace(id, &Shape::Point(near(20, 20))).is_err());
    skeleton.remove(other).unwrap();
    assert!(skeleton.replace_at(&mesh, other, &Shape::Point(near(20, 20)), &cells).is_err());
    let wall = skeleton.diagram().shape_ids().next().unwrap();
    assert!(skeleton.replace_at(&mesh, wall, &Shape::Point(near(20, 20)), &cells).is_err());
    skeleton.remove(id).unwrap();
    assert!(skeleton.remove(id).is_err());
    assert_eq!(circles(skeleton.diagram()), before);
}

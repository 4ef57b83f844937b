//! Random worlds and edits against brute force.
#![allow(clippy::unwrap_used)]

use crate::{Diagram, Shape};
use clearway_geometry::Point;
use clearway_scenes::Random;

fn city(side: i32) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for i in 0..side {
        for j in 0..side {
            let (x, y) = (i * 20_000 + 5_000, j * 20_000 + 5_000);
            let corners = [(0, 0), (15_000, 0), (15_000, 15_000), (0, 15_000)];
            shapes.push(Shape::Polygon(corners.map(|(a, b)| Point::new(x + a, y + b)).to_vec()));
        }
    }
    shapes
}

#[test]
fn a_city_has_only_empty_discs() {
    let (diagram, ids) = Diagram::build(Point::new(0, 0), Point::new(405_000, 405_000), &city(20)).unwrap();
    assert_eq!(ids.len(), 400);
    let audit = diagram.audit();
    assert!(audit.is_clean(), "{audit:?} {:?}", diagram.counters());
}

#[test]
fn moved_blocks_leave_only_empty_discs() {
    let shapes = city(10);
    let (mut diagram, ids) = Diagram::build(Point::new(0, 0), Point::new(205_000, 205_000), &shapes).unwrap();
    let mut random = Random::new(7);
    let faces = diagram.graph.discs.len();
    for round in 0..2_000 {
        let k = random.below(ids.len());
        let Shape::Polygon(corners) = &shapes[k] else { panic!() };
        let (dx, dy) = (random.below(4_001) as i32 - 2_000, random.below(4_001) as i32 - 2_000);
        let moved = corners.iter().map(|p| Point::new(p.x + dx, p.y + dy)).collect();
        diagram.replace(ids[k], &Shape::Polygon(moved)).unwrap();
        if round % 100 == 0 {
            let audit = diagram.audit();
            assert!(audit.is_clean(), "round {round}: {audit:?} {:?}", diagram.counters());
        }
    }
    let audit = diagram.audit();
    assert!(audit.is_clean(), "{audit:?} {:?}", diagram.counters());
    // Slots are used again, so many moves need no more than a few.
    let grown = diagram.graph.discs.len() - faces;
    assert!(grown <= 64, "{grown} more faces");
}

/// The safety net builds the same diagram again, and ids stay valid.
#[test]
fn a_diagram_built_anew_keeps_its_shapes() {
    let shapes = city(6);
    let (mut diagram, ids) = Diagram::build(Point::new(0, 0), Point::new(125_000, 125_000), &shapes).unwrap();
    diagram.remove(ids[7]).unwrap();
    // A circle that is not empty.
    let (id, _) = diagram.vertices().find(|(_, vertex)| vertex.radius > 2_000.0).unwrap();
    diagram.graph.discs[id.0 as usize].circle.radius += 100.0;
    assert!(!diagram.mend().unwrap().is_clean());
    assert!(diagram.mend().unwrap().is_clean());
    assert_eq!(diagram.counters().rebuilds, 1);
    assert!(diagram.remove(ids[7]).is_err());
    diagram.replace(ids[8], &shapes[7]).unwrap();
    diagram.remove(ids[9]).unwrap();
    assert!(diagram.audit().is_clean());
    assert_eq!(diagram.shape_count(), 34);
}

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
}

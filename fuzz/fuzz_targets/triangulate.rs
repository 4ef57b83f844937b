//! Points and constraints from tiny to full grids: the triangulation has no flaws at any time.

#![no_main]

use clearway_fuzz::{Bytes, Extent};
use clearway_geometry::{Point, Triangulation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let extent = Extent::read(&mut bytes);
    // Moved to the corner of the grid, coordinates reach its very limits.
    let shift = [0, (1 << 27) - 1][bytes.below(2)];
    let count = 1 + bytes.below(100);
    let point = |p: Point| Point::new(p.x + shift, p.y - shift);
    let points: Vec<Point> = (0..count).map(|_| point(extent.point(&mut bytes))).collect();
    let (mut triangulation, vertex_of) = Triangulation::of_points(&points);
    assert_eq!(triangulation.flaws(), Vec::<String>::new(), "{points:?}");
    for (point, vertex) in points.iter().zip(&vertex_of) {
        assert_eq!(triangulation.point(*vertex), *point, "{points:?}");
    }
    let mut joins = Vec::new();
    while !bytes.is_empty() && joins.len() < 100 {
        let [a, b] = [0; 2].map(|_| bytes.below(count));
        let is_joined = triangulation.join(vertex_of[a], vertex_of[b], 1);
        joins.push((a, b, is_joined));
        assert_eq!(triangulation.flaws(), Vec::<String>::new(), "{points:?} {joins:?}");
    }
});

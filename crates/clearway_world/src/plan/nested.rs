//! Notes on floors that lie wholly inside others.
//!
//! Polygons are united, so that an obstacle drawn as a polygon of its own would silently be floor. Cost: polygons sorted
//! by size, each compared with the larger ones whose boxes hold its box; the number of comparisons is bounded.

use super::{Plan, PlanPolygon};

/// The maximum number of pairs of boxes that are compared. Plans of more polygons than about 4000 may be told of fewer
/// nested ones.
const MOST_PAIRS: usize = 1 << 23;

/// Notes how many polygons of the floor lie wholly inside another, and which is the first.
pub(super) fn note_nested(plan: &mut Plan) {
    let boxes: Vec<[[f64; 2]; 2]> = plan.polygons.iter().map(|polygon| bounds(&polygon.outline)).collect();
    let mut pairs = 0;
    let mut found = Vec::new();
    for (inner, polygon) in plan.polygons.iter().enumerate() {
        pairs += plan.polygons.len();
        if pairs > MOST_PAIRS {
            break;
        }
        let outer = (0..plan.polygons.len()).find(|outer| {
            *outer != inner
                && holds_box(boxes[*outer], boxes[inner])
                && lies_inside(polygon, &plan.polygons[*outer])
        });
        found.extend(outer.map(|outer| (inner, outer)));
    }
    let Some((inner, outer)) = found.first().copied() else { return };
    let count = found.len();
    plan.notes.push(match count {
        1 => format!(
            "floor polygon {inner} lies wholly inside floor polygon {outer} and changes nothing; if it is an obstacle, \
             give it that role or draw it as a hole"
        ),
        _ => format!(
            "{count} floor polygons lie wholly inside others and change nothing, the first is {inner} inside {outer}; \
             if they are obstacles, give them that role or draw them as holes"
        ),
    });
}

/// The box around a ring.
fn bounds(ring: &[[f64; 2]]) -> [[f64; 2]; 2] {
    ring.iter().fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], point| {
        [[low[0].min(point[0]), low[1].min(point[1])], [high[0].max(point[0]), high[1].max(point[1])]]
    })
}

/// True if one box holds another.
fn holds_box(outer: [[f64; 2]; 2], inner: [[f64; 2]; 2]) -> bool {
    (0..2).all(|axis| outer[0][axis] <= inner[0][axis] && outer[1][axis] >= inner[1][axis])
}

/// True if all corners of a polygon lie inside another, and outside of its holes. Equal polygons are repeated, not nested.
fn lies_inside(inner: &PlanPolygon, outer: &PlanPolygon) -> bool {
    if inner.outline == outer.outline {
        return false;
    }
    inner.outline.iter().all(|point| {
        contains(&outer.outline, *point) && !outer.holes.iter().any(|hole| contains(hole, *point))
    })
}

/// True if a ring winds around a point an odd number of times. Points on the ring may count as either.
pub(super) fn contains(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    let crossings = edges
        .filter(|(a, b)| (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
    crossings.count() % 2 == 1
}

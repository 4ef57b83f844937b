//! What lies inside what: holes of shapes, buildings on floors, and notes on floors that lie wholly inside others.
//!
//! Polygons are united, so that an obstacle drawn as a polygon of its own would silently be floor. Cost: polygons sorted
//! by size, each compared with the larger ones whose boxes hold its box; the number of comparisons is bounded.

use super::{Plan, PlanPolygon, Ring};
use clearway_base::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// The maximum number of pairs of boxes that are compared. Plans of more polygons than about 4000 may be told of fewer
/// nested ones.
const MOST_PAIRS: usize = 1 << 23;

/// The maximum number of corners that are looked at while corners of polygons are sought in others.
const MOST_CORNERS: usize = 1 << 28;

/// The maximum number of rings of one shape. Each is compared with every other.
const MOST_RINGS: usize = 1 << 14;

/// Notes how many polygons of the floor lie wholly inside another, and which is the first.
pub(super) fn note_nested(plan: &mut Plan) {
    let boxes: Vec<[[f64; 2]; 2]> = plan.polygons.iter().map(|polygon| bounds(&polygon.outline)).collect();
    let (mut pairs, mut corners) = (0, 0);
    let mut found = Vec::new();
    for (inner, polygon) in plan.polygons.iter().enumerate() {
        pairs += plan.polygons.len();
        if pairs > MOST_PAIRS || corners > MOST_CORNERS {
            break;
        }
        let outer = (0..plan.polygons.len()).find(|outer| {
            *outer != inner
                && holds_box(boxes[*outer], boxes[inner])
                && lies_inside(polygon, &plan.polygons[*outer], &mut corners)
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

/// Sorts buildings of a map: those that stand on a floor and hold none are obstacles, the others floors. The outline of a
/// building holds its rooms; that of a house stands on a square.
pub(super) fn place_buildings(plan: &mut Plan, buildings: Vec<PlanPolygon>) {
    let boxes: Vec<[[f64; 2]; 2]> = plan.polygons.iter().map(|polygon| bounds(&polygon.outline)).collect();
    let floors = plan.polygons.len();
    let (mut pairs, mut corners, mut obstacles) = (0, 0, 0);
    for building in buildings {
        let around = bounds(&building.outline);
        pairs += floors;
        let may_look = pairs <= MOST_PAIRS && corners <= MOST_CORNERS;
        let stands = may_look
            && (0..floors).any(|floor| {
                holds_box(boxes[floor], around) && lies_inside(&building, &plan.polygons[floor], &mut corners)
            })
            && !(0..floors).any(|floor| {
                holds_box(around, boxes[floor])
                    && holds_middle(&building, &plan.polygons[floor], &mut corners)
            });
        obstacles += usize::from(stands);
        if stands { plan.obstacles.push(building) } else { plan.polygons.push(building) }
    }
    if obstacles > 0 {
        plan.notes.push(format!(
            "{obstacles} buildings stand on a floor and are obstacles; --role floor=building makes them floors"
        ));
    }
}

/// True if the mean of the corners of a polygon lies inside another: the rooms of a building share corners and sides with
/// its outline. Counts the corners that it looks at.
fn holds_middle(outer: &PlanPolygon, inner: &PlanPolygon, corners: &mut usize) -> bool {
    let count = inner.outline.len().max(1) as f64;
    let middle = [0, 1].map(|axis| inner.outline.iter().map(|point| point[axis]).sum::<f64>() / count);
    *corners += inner.outline.len() + outer.outline.len();
    contains(&outer.outline, middle)
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
/// Counts the corners that it looks at.
fn lies_inside(inner: &PlanPolygon, outer: &PlanPolygon, corners: &mut usize) -> bool {
    if inner.outline == outer.outline {
        return false;
    }
    let in_outer = outer.outline.len() + outer.holes.iter().map(Vec::len).sum::<usize>();
    inner.outline.iter().all(|point| {
        *corners += in_outer;
        contains(&outer.outline, *point) && !outer.holes.iter().any(|hole| contains(hole, *point))
    })
}

/// Sorts the rings of one shape into outlines and holes, by the number of rings around each.
pub(super) fn polygons(rings: Vec<Ring>) -> Result<Vec<PlanPolygon>> {
    if rings.len() > MOST_RINGS {
        let message = format!("{} closed lines in one shape; the limit is {MOST_RINGS}", rings.len());
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    let boxes: Vec<[[f64; 2]; 2]> = rings.iter().map(|ring| bounds(ring)).collect();
    let is_around = |outer: usize, inner: usize| {
        holds_box(boxes[outer], boxes[inner])
            && rings[outer] != rings[inner]
            && contains(&rings[outer], rings[inner][0])
    };
    let around = |inner: usize| {
        let is_around = &is_around;
        (0..rings.len()).filter(move |outer| is_around(*outer, inner))
    };
    let depths: Vec<usize> = (0..rings.len()).map(|ring| around(ring).count()).collect();
    let is_outline = |ring: &usize| depths[*ring].is_multiple_of(2);
    let outlines = (0..rings.len()).filter(is_outline);
    let mut holes: BTreeMap<usize, Vec<Ring>> = outlines.map(|ring| (ring, Vec::new())).collect();
    for inner in (0..rings.len()).filter(|ring| !is_outline(ring)) {
        let parent = around(inner).find(|outer| depths[*outer] + 1 == depths[inner]);
        if let Some(holes) = parent.and_then(|parent| holes.get_mut(&parent)) {
            holes.push(rings[inner].clone());
        }
    }
    Ok(holes.into_iter().map(|(ring, holes)| PlanPolygon { outline: rings[ring].clone(), holes }).collect())
}

/// True if a ring winds around a point an odd number of times. Points on the ring may count as either.
pub(super) fn contains(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    let crossings = edges
        .filter(|(a, b)| (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
    crossings.count() % 2 == 1
}

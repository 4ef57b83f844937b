//! Loose wall segments chained to rings, and rings nested to polygons with holes.

use crate::geometry::Line;
use std::collections::BTreeMap;

/// Points nearer than this count as one, in metres: far below any body, far above rounding of a mesh.
const SAME_POINT: f64 = 1e-4;

/// Chains segments that run head to tail. Returns closed rings, and open chains. Each ends where it began in the order
/// of the input, so equal input gives equal output.
pub fn chain(segments: &[[[f64; 3]; 2]]) -> (Vec<Line>, Vec<Line>) {
    let key = |p: &[f64; 3]| p.map(|c| (c / SAME_POINT).round() as i64);
    let mut starts: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (index, [a, _]) in segments.iter().enumerate().rev() {
        starts.entry(key(a)).or_default().push(index);
    }
    let mut used = vec![false; segments.len()];
    let (mut rings, mut walls) = (Vec::new(), Vec::new());
    for first in 0..segments.len() {
        if used[first] {
            continue;
        }
        used[first] = true;
        let [start, mut end] = segments[first];
        let mut line = vec![start];
        while key(&end) != key(&start) {
            line.push(end);
            let next = starts.get_mut(&key(&end)).and_then(|list| {
                while list.last().is_some_and(|index| used[*index]) {
                    list.pop();
                }
                list.pop()
            });
            let Some(next) = next else { break };
            used[next] = true;
            end = segments[next][1];
        }
        let is_ring = key(&end) == key(&start) && line.len() > 2;
        if is_ring { rings.push(line) } else { walls.push(line) }
    }
    (rings, walls)
}

/// Groups rings into polygons, each with its outer ring first. A ring inside an odd number of rings is a hole of the
/// smallest ring around it.
pub fn polygons(rings: &[Line]) -> Vec<Vec<&Line>> {
    let boxes: Vec<_> = rings.iter().map(|ring| bounds(ring)).collect();
    let areas: Vec<_> = rings.iter().map(|ring| area(ring).abs()).collect();
    let mut parents = vec![None; rings.len()];
    let mut depths = vec![0usize; rings.len()];
    for (inner, ring) in rings.iter().enumerate() {
        let Some(point) = ring.first() else { continue };
        for outer in (0..rings.len()).filter(|outer| *outer != inner && areas[*outer] > areas[inner]) {
            if inside_box(point, &boxes[outer]) && contains(&rings[outer], point) {
                depths[inner] += 1;
                let best = parents[inner].is_none_or(|best: usize| areas[outer] < areas[best]);
                parents[inner] = if best { Some(outer) } else { parents[inner] };
            }
        }
    }
    let mut holes: Vec<Vec<&Line>> = vec![Vec::new(); rings.len()];
    for (index, ring) in rings.iter().enumerate().filter(|(index, _)| depths[*index] % 2 == 1) {
        if let Some(parent) = parents[index] {
            holes[parent].push(ring);
        }
    }
    let outer = (0..rings.len()).filter(|index| depths[*index].is_multiple_of(2) && rings[*index].len() > 2);
    outer.map(|index| [&[&rings[index]], holes[index].as_slice()].concat()).collect()
}

/// Returns the signed area of a ring in m².
pub fn area(ring: &[[f64; 3]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
}

/// Returns true if a point lies inside a ring.
pub fn contains(ring: &[[f64; 3]], point: &[f64; 3]) -> bool {
    let next = ring.iter().cycle().skip(1);
    let crossings = ring.iter().zip(next).filter(|(a, b)| {
        (a[1] > point[1]) != (b[1] > point[1])
            && point[0] < (b[0] - a[0]) * (point[1] - a[1]) / (b[1] - a[1]) + a[0]
    });
    crossings.count() % 2 == 1
}

fn bounds(ring: &[[f64; 3]]) -> [f64; 4] {
    let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    ring.iter().fold(start, |b, p| [b[0].min(p[0]), b[1].min(p[1]), b[2].max(p[0]), b[3].max(p[1])])
}

fn inside_box(p: &[f64; 3], b: &[f64; 4]) -> bool {
    p[0] >= b[0] && p[0] <= b[2] && p[1] >= b[1] && p[1] <= b[3]
}

//! Stairs and ramps of a layered space: cells of the floor that slope, joined to flights, with the way up.

use crate::geometry::{Geometry, Line};
use serde::Serialize;
use std::collections::BTreeMap;

/// Ground that rises less than this for each metre is level: ramps for wheelchairs rise by 0.06.
const LEAST_SLOPE: f64 = 0.15;

/// Cells belong to one flight if the cosine between their ways up is larger than this: 45 degrees.
const SAME_WAY: f64 = 0.7;

/// The upper end of a flight counts as on a floor that is at most this many metres above it: the last steps may be part of
/// a level cell. Half a flight of a storey of 2.5 m still ends below.
const TO_FLOOR: f64 = 0.7;

/// The unit in metres in which corners of cells are compared.
const CORNER: f64 = 0.01;

/// A flight of stairs or a ramp.
#[derive(Serialize)]
pub struct Flight {
    /// The storeys of its lower and its upper end.
    storeys: [usize; 2],
    /// Its cells: x and y of each corner.
    cells: Vec<Vec<f64>>,
    /// Its middle.
    at: [f64; 2],
    /// The direction up, one metre long.
    up: [f64; 2],
}

/// A cell that slopes.
struct Slope<'a> {
    cell: &'a Line,
    area: f64,
    middle: [f64; 2],
    up: [f64; 2],
}

/// Returns all flights, in the order of the floor.
pub fn flights(geometry: &Geometry) -> Vec<Flight> {
    let cells = geometry.storeys.iter().flat_map(|storey| &storey.floor);
    let slopes: Vec<Slope> = cells.filter_map(slope).collect();
    let mut groups: Vec<usize> = (0..slopes.len()).collect();
    let mut corners: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (index, slope) in slopes.iter().enumerate() {
        for corner in slope.cell {
            let known = corners.entry(corner.map(|c| (c / CORNER).round() as i64)).or_default();
            for other in known.iter() {
                let up = slopes[*other].up;
                if up[0] * slope.up[0] + up[1] * slope.up[1] > SAME_WAY {
                    join(&mut groups, index, *other);
                }
            }
            known.push(index);
        }
    }
    let mut members: BTreeMap<usize, Vec<&Slope>> = BTreeMap::new();
    for (index, slope) in slopes.iter().enumerate() {
        members.entry(root(&groups, index)).or_default().push(slope);
    }
    members.values().map(|slopes| flight(geometry, slopes)).collect()
}

/// Returns the first of a group.
fn root(groups: &[usize], mut index: usize) -> usize {
    while groups[index] != index {
        index = groups[index];
    }
    index
}

/// Joins the groups of two.
fn join(groups: &mut [usize], a: usize, b: usize) {
    let [a, b] = [root(groups, a), root(groups, b)];
    groups[a.max(b)] = a.min(b);
}

/// Returns the slope of a cell, unless it is level.
fn slope(cell: &Line) -> Option<Slope<'_>> {
    let [mut normal, mut middle] = [[0.0; 3]; 2];
    for (a, b) in cell.iter().zip(cell.iter().cycle().skip(1)) {
        // The sum is the normal of the mean plane, twice as long as the area.
        for axis in 0..3 {
            let [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
            normal[axis] += (a[j] - b[j]) * (a[k] + b[k]);
            middle[axis] += a[axis] / cell.len() as f64;
        }
    }
    let rise = [-normal[0] / normal[2], -normal[1] / normal[2]];
    let length = rise[0].hypot(rise[1]);
    if !(LEAST_SLOPE..100.0).contains(&length) {
        return None;
    }
    let up = rise.map(|c| c / length);
    Some(Slope { cell, area: normal[2].abs() / 2.0, middle: [middle[0], middle[1]], up })
}

/// Sums up the cells of a flight.
fn flight(geometry: &Geometry, slopes: &[&Slope]) -> Flight {
    let area = slopes.iter().map(|slope| slope.area).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = |of: fn(&Slope) -> [f64; 2]| {
        [0, 1].map(|axis| slopes.iter().map(|slope| of(slope)[axis] * slope.area).sum::<f64>() / area)
    };
    let heights = || slopes.iter().flat_map(|slope| slope.cell).map(|corner| corner[2]);
    let ends = [heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max)];
    let up = mean(|slope| slope.up);
    let length = up[0].hypot(up[1]).max(f64::MIN_POSITIVE);
    Flight {
        storeys: [ends[0], ends[1] + TO_FLOOR].map(|height| geometry.storey_of(height)),
        cells: slopes.iter().map(|slope| super::flat(slope.cell)).collect(),
        at: mean(|slope| slope.middle).map(super::millimetres),
        up: up.map(|c| super::millimetres(c / length)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stair_leads_up_from_one_storey_to_the_next() {
        let cell = |points: &[[f64; 3]]| points.to_vec();
        let floor = |z: f64, x: f64| cell(&[[x, 0.0, z], [x + 4.0, 0.0, z], [x + 4.0, 2.0, z], [x, 2.0, z]]);
        let step = |x: f64| {
            cell(&[
                [x, 0.0, (x - 4.0) * 0.5],
                [x + 3.0, 0.0, (x - 1.0) * 0.5],
                [x + 3.0, 2.0, (x - 1.0) * 0.5],
                [x, 2.0, (x - 4.0) * 0.5],
            ])
        };
        let floors = [("ground".to_string(), 0.0), ("first".to_string(), 3.0)];
        let cells = [floor(0.0, 0.0), step(4.0), step(7.0), floor(3.0, 10.0)];
        let geometry = Geometry::of_segments(&[], &floors).with_floor(&cells);
        let found = flights(&geometry);
        let [flight] = &found[..] else { panic!("{}", found.len()) };
        assert_eq!((flight.storeys, flight.cells.len()), ([0, 1], 2));
        assert_eq!((flight.at, flight.up), ([7.0, 1.0], [1.0, 0.0]));
    }
}

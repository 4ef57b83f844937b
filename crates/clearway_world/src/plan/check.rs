//! The limits of coordinates, and the check of whole plans made in code.

use std::fmt;

use super::{MAX_COORDINATE, Plan};
use clearway_base::error::{Error, ErrorKind, Result};

/// The position in a nested drawing, for messages: `polygon 3, hole 1`.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The names and indices of the elements entered, from the outermost on.
    steps: Vec<(&'static str, usize)>,
}

impl Place {
    /// Steps into element `index` of its parent.
    pub(super) fn enter(&mut self, name: &'static str, index: usize) {
        self.steps.push((name, index));
    }

    /// Steps out of the element entered last.
    pub(super) fn leave(&mut self) {
        self.steps.pop();
    }

    /// The message with the position in front of it.
    pub(super) fn describe(&self, message: impl fmt::Display) -> String {
        if self.steps.is_empty() { message.to_string() } else { format!("{self}: {message}") }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (name, index)) in self.steps.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {index}")?;
        }
        Ok(())
    }
}

/// Describes the fault of a point, or returns `None` if it may be drawn.
pub(super) fn point_fault(point: [f64; 2]) -> Option<String> {
    // One comparison for the common case; it is false for NaN as well.
    if point[0].abs() <= MAX_COORDINATE && point[1].abs() <= MAX_COORDINATE {
        return None;
    }
    coordinate_fault("x", point[0]).or_else(|| coordinate_fault("y", point[1]))
}

/// Checks every coordinate and the number of points, see [`Plan::validate`].
pub(super) fn plan(plan: &Plan, max_points: usize) -> Result<()> {
    if plan.point_count() > max_points {
        return Err(too_many_points(max_points));
    }
    for (name, polygons) in [("polygon", &plan.polygons), ("obstacle", &plan.obstacles)] {
        for (index, polygon) in polygons.iter().enumerate() {
            line(&polygon.outline, || format!("{name} {index}, outline"))?;
            for (hole_index, hole) in polygon.holes.iter().enumerate() {
                line(hole, || format!("{name} {index}, hole {hole_index}"))?;
            }
        }
    }
    for (index, ring) in plan.rings.iter().enumerate() {
        line(ring, || format!("ring {index}"))?;
    }
    for (index, wall) in plan.walls.iter().enumerate() {
        line(wall, || format!("wall {index}"))?;
    }
    Ok(())
}

/// The error for a plan of more points than the limit.
pub(super) fn too_many_points(limit: usize) -> Error {
    Error::new(ErrorKind::TooLarge, format!("the plan has more than {limit} points, the limit"))
}

/// Checks one ring or wall; its name is made only for a message.
fn line(points: &[[f64; 2]], name: impl Fn() -> String) -> Result<()> {
    for (index, &point) in points.iter().enumerate() {
        if let Some(fault) = point_fault(point) {
            let message = format!("{}, point {index}: {fault}", name());
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
    }
    Ok(())
}

/// Describes the fault of one coordinate, if it has one.
pub(super) fn coordinate_fault(axis: &str, value: f64) -> Option<String> {
    if value.is_nan() {
        Some(format!("{axis} is not a number"))
    } else if value.abs() > MAX_COORDINATE {
        // Debug form: Display would write 1e300 with all its zeros.
        Some(format!("{axis} is {value:?}, beyond the limit of ±{MAX_COORDINATE}"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlanPolygon;
    use super::*;

    const FAR: f64 = MAX_COORDINATE * 2.0;

    fn triangle(last: [f64; 2]) -> Vec<[f64; 2]> {
        vec![[0.0, 0.0], [1.0, 0.0], last]
    }

    #[test]
    fn faults_name_their_element() {
        let fine = triangle([0.0, 1.0]);
        let polygon = |outline: &[[f64; 2]], hole: &[[f64; 2]]| {
            let polygon = PlanPolygon { outline: outline.to_vec(), holes: vec![fine.clone(), hole.to_vec()] };
            Plan { polygons: vec![PlanPolygon::default(), polygon], ..Plan::default() }
        };
        let rings = |ring| Plan { rings: vec![fine.clone(), ring], ..Plan::default() };
        let walls = |wall| Plan { walls: vec![wall], ..Plan::default() };
        let cases = [
            (polygon(&fine, &triangle([f64::NAN, 0.0])), "polygon 1, hole 1, point 2: x is not a number"),
            (polygon(&triangle([0.0, f64::NAN]), &fine), "polygon 1, outline, point 2: y is not a number"),
            (
                rings(triangle([FAR, 0.0])),
                "ring 1, point 2: x is 2199023255552.0, beyond the limit of ±1099511627776",
            ),
            (
                rings(triangle([0.0, -1e300])),
                "ring 1, point 2: y is -1e300, beyond the limit of ±1099511627776",
            ),
            (
                walls(triangle([f64::INFINITY, 0.0])),
                "wall 0, point 2: x is inf, beyond the limit of ±1099511627776",
            ),
        ];
        for (plan, message) in cases {
            let error = plan.validate().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{message}");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn the_limit_itself_is_allowed() {
        let corner = [MAX_COORDINATE, -MAX_COORDINATE];
        assert_eq!(Plan::from_rings([triangle(corner)]).validate(), Ok(()));
    }

    #[test]
    fn points_are_counted_over_the_whole_plan() {
        let fine = Plan::from_rings([triangle([0.0, 1.0]), triangle([0.0, 2.0])]);
        assert_eq!(plan(&fine, 6), Ok(()));
        assert_eq!(plan(&fine, 5).unwrap_err().kind(), ErrorKind::TooLarge);
    }
}

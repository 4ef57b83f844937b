//! The laws of a single cell: its border runs once, counter-clockwise, around a positive area, with no corner wider
//! than π. All of it is decided exactly on grid vectors.

use super::flaw::{Flaw, FlawKind, Flaws};
use crate::mesh::{Cell, NavMesh, VertexId};
use clearway_geometry::predicates::is_convex_sector;
use clearway_geometry::{Point, Vector};

/// Notes every flaw of single cells, in the order of their numbers.
pub(super) fn check(mesh: &NavMesh, flaws: &mut Flaws) {
    for cell in mesh.cells() {
        check_shape(mesh, &cell, flaws);
        check_start(mesh, &cell, flaws);
    }
    check_order(mesh, flaws);
    // In layers, vertices at the same grid point may lie over each other.
    if !mesh.has_heights() {
        check_duplicates(mesh, flaws);
    }
}

/// Checks area, corners and turning of a cell. A cell without area or with an empty side is not checked for reflex
/// corners.
pub(super) fn check_shape(mesh: &NavMesh, cell: &Cell<'_>, flaws: &mut Flaws) {
    let corners: Vec<VertexId> = cell.corners().collect();
    let points: Vec<Point> = cell.points().collect();
    let before = flaws.count();
    let directions = directions(&points);
    for (corner, direction) in corners.iter().zip(&directions) {
        if *direction == Vector::default() {
            let detail = || format!("the side that starts at vertex {corner} has no length");
            flaws.note(|| Flaw::new(FlawKind::ZeroSide, detail()).vertex(mesh, corner.0).cell(cell.id().0));
        }
    }
    let doubled = cell.doubled_area();
    if doubled <= 0 {
        let detail =
            || format!("its area is {} square grid units; it must be positive", doubled as f64 / 2.0);
        flaws.note(|| here(mesh, cell, FlawKind::Area, detail()));
    }
    if flaws.count() > before {
        return;
    }
    for (i, corner) in corners.iter().enumerate() {
        let back = directions[(i + directions.len() - 1) % directions.len()].reversed();
        if !is_convex_sector(directions[i], back) {
            let detail = || format!("corner at vertex {corner} is reflex");
            flaws.note(|| Flaw::new(FlawKind::Reflex, detail()).vertex(mesh, corner.0).cell(cell.id().0));
        }
    }
    let turns = full_turns(&directions);
    if flaws.count() == before && turns != 1 {
        let detail = || format!("its border turns around {turns} times; it must turn once");
        flaws.note(|| here(mesh, cell, FlawKind::Turning, detail()));
    }
}

/// Returns, for each point of a ring, the vector to the following point.
fn directions(points: &[Point]) -> Vec<Vector> {
    let following = points.iter().cycle().skip(1);
    points.iter().zip(following).map(|(from, to)| *to - *from).collect()
}

/// Returns the number of full turns of directions that each turn left by less than π. It counts the steps from the
/// lower half of the compass into the upper half.
fn full_turns(directions: &[Vector]) -> usize {
    let is_upper = |v: &Vector| v.y > 0 || (v.y == 0 && v.x > 0);
    let following = directions.iter().cycle().skip(1);
    directions.iter().zip(following).filter(|(from, to)| !is_upper(from) && is_upper(to)).count()
}

/// Checks that the cell starts at its lowest vertex, so that equal cells are stored equally.
fn check_start(mesh: &NavMesh, cell: &Cell<'_>, flaws: &mut Flaws) {
    let (first, lowest) = (cell.corners().next(), cell.corners().min());
    if let (Some(first), Some(lowest)) = (first, lowest)
        && first != lowest
    {
        let detail = || format!("starts at vertex {first}; it must start at its lowest vertex, {lowest}");
        flaws.note(|| here(mesh, cell, FlawKind::Order, detail()));
    }
}

/// Checks that cells are sorted by their vertices and no two are equal.
fn check_order(mesh: &NavMesh, flaws: &mut Flaws) {
    for (cell, following) in mesh.cells().zip(mesh.cells().skip(1)) {
        if cell.corners().ge(following.corners()) {
            let detail = || format!("does not come after cell {} by its vertices", cell.id());
            flaws.note(|| here(mesh, &following, FlawKind::Order, detail()));
        }
    }
}

/// Checks that no two vertices lie at one point.
fn check_duplicates(mesh: &NavMesh, flaws: &mut Flaws) {
    let mut places: Vec<(Point, u32)> = mesh.parts.points.iter().copied().zip(0..).collect();
    places.sort_unstable();
    for pair in places.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let detail = || format!("lies where vertex {} lies", pair[0].1);
        flaws.note(|| Flaw::new(FlawKind::Duplicate, detail()).vertex(mesh, pair[1].1));
    }
}

/// Makes a flaw of a whole cell, located at its first corner.
fn here(mesh: &NavMesh, cell: &Cell<'_>, kind: FlawKind, detail: String) -> Flaw {
    let flaw = Flaw::new(kind, detail).cell(cell.id().0);
    match cell.corners().next().and_then(|corner| mesh.position(corner)) {
        Some(at) => flaw.at(at),
        None => flaw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_counted_on_every_kind_of_ring() {
        let ring = |points: &[(i32, i32)]| {
            let points: Vec<Point> = points.iter().map(|(x, y)| Point::new(*x, *y)).collect();
            full_turns(&directions(&points))
        };
        assert_eq!(ring(&[(0, 0), (2, 0), (2, 2), (0, 2)]), 1);
        assert_eq!(ring(&[(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (0, 2), (0, 1)]), 1);
        assert_eq!(ring(&[(0, 2), (0, 0), (2, 1)]), 1);
        // A pentagram: all corners are convex, but it winds around its middle twice.
        assert_eq!(ring(&[(0, 10), (-6, -8), (10, 3), (-10, 3), (6, -8)]), 2);
        // A square run twice.
        assert_eq!(ring(&[(0, 0), (2, 0), (2, 2), (0, 2), (0, 0), (2, 0), (2, 2), (0, 2)]), 2);
    }
}

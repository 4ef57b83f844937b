//! The laws that all other laws rest on: lists that fit each other, ids in range, and portals that join two cells.
//! [`decode`](crate::NavMesh::decode) refuses a mesh that breaks one of them. Cost: linear.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::sides::Sides;
use crate::mesh::NavMesh;
use clearway_geometry::NONE;
use clearway_geometry::grid::LIMIT;

/// The result of the check: it decides which further laws can be checked.
pub(super) enum Structure<'a> {
    /// Some id is out of range: no further law can be checked.
    Broken,
    /// Cells can be checked one by one, but some portal does not join its cells.
    Loose,
    /// All sides are linked.
    Linked(Sides<'a>),
}

/// Notes every flaw of the structure, in three stages. Each stage relies on the stages before.
pub(super) fn check<'a>(mesh: &'a NavMesh, flaws: &mut Flaws) -> Structure<'a> {
    let before = flaws.count();
    check_layout(mesh, flaws);
    if flaws.count() > before {
        return Structure::Broken;
    }
    check_indices(mesh, flaws);
    if flaws.count() > before {
        return Structure::Broken;
    }
    check_numbers(mesh, flaws);
    let before = flaws.count();
    let sides = link(mesh, flaws);
    if flaws.count() > before { Structure::Loose } else { Structure::Linked(sides) }
}

/// Checks that the lists have matching lengths and every cell has at least three sides.
fn check_layout(mesh: &NavMesh, flaws: &mut Flaws) {
    let wrong = |detail: String| Flaw::new(FlawKind::Layout, detail);
    let cells = mesh.parts.cell_region.len();
    for (name, length, needed) in [
        ("side starts", mesh.parts.first_side.len(), cells + 1),
        ("components", mesh.parts.cell_component.len(), cells),
    ] {
        if length != needed {
            flaws.note(|| wrong(format!("there are {cells} cells, but {length} {name} are stored")));
        }
    }
    for (name, count) in [("regions", mesh.region_count()), ("components", mesh.component_count())] {
        if count > cells {
            flaws.note(|| wrong(format!("there are {count} {name}, but only {cells} cells")));
        }
    }
    if [mesh.parts.points.len(), mesh.parts.sides.len(), mesh.parts.portals.len(), cells]
        .iter()
        .any(|n| *n >= NONE as usize)
    {
        flaws.note(|| wrong("there are more elements than 32 bits can number".to_string()));
    }
    let doors = &mesh.parts.doors;
    let is_beyond = doors.last().is_some_and(|last| *last as usize >= mesh.parts.portals.len());
    if is_beyond || doors.windows(2).any(|pair| pair[0] >= pair[1]) {
        flaws.note(|| wrong("the doors are not portals in ascending order".to_string()));
    }
    if mesh.parts.first_side.first() != Some(&0) {
        flaws.note(|| wrong("the sides of the first cell do not start at side 0".to_string()));
    }
    let (covered, stored) =
        (mesh.parts.first_side.last().map_or(0, |last| *last as usize), mesh.parts.sides.len());
    if covered != stored {
        flaws.note(|| wrong(format!("the cells have {covered} sides together, but {stored} are stored")));
    }
    for (cell, ends) in mesh.parts.first_side.windows(2).enumerate() {
        let count = i64::from(ends[1]) - i64::from(ends[0]);
        if count < 3 {
            flaws.note(|| wrong(format!("has {count} sides; it must have at least 3")).cell(cell as u32));
        }
    }
}

/// Checks that every id is in range and every point lies on the grid.
fn check_indices(mesh: &NavMesh, flaws: &mut Flaws) {
    for (vertex, point) in mesh.parts.points.iter().enumerate() {
        if point.x.unsigned_abs().max(point.y.unsigned_abs()) >= LIMIT as u32 {
            let detail = || format!("grid coordinates ({}, {}) exceed ±{}", point.x, point.y, LIMIT - 1);
            flaws.note(|| Flaw::new(FlawKind::Coordinate, detail()).vertex(mesh, vertex as u32));
        }
    }
    let mut check = |what: &str, number: u32, count: usize, locate: &dyn Fn(Flaw) -> Flaw| {
        if number as usize >= count {
            let detail = || format!("names {what} {number}, but there are {count}");
            flaws.note(|| locate(Flaw::new(FlawKind::Index, detail())));
        }
    };
    for (cell, ends) in mesh.parts.first_side.windows(2).enumerate() {
        let here = |flaw: Flaw| flaw.cell(cell as u32);
        for side in mesh.parts.sides.get(ends[0] as usize..ends[1] as usize).unwrap_or_default() {
            check("vertex", side.vertex, mesh.parts.points.len(), &here);
            if side.portal != NONE {
                check("portal", side.portal, mesh.parts.portals.len(), &here);
            }
        }
    }
    for (portal, record) in mesh.parts.portals.iter().enumerate() {
        let here = |flaw: Flaw| flaw.portal(portal as u32);
        record.vertices.iter().for_each(|vertex| check("vertex", *vertex, mesh.parts.points.len(), &here));
        record.cells.iter().for_each(|cell| check("cell", *cell, mesh.parts.cell_region.len(), &here));
    }
    for (cell, region) in mesh.parts.cell_region.iter().enumerate() {
        check("region", *region, mesh.region_count(), &|flaw| flaw.cell(cell as u32));
    }
    for (cell, component) in mesh.parts.cell_component.iter().enumerate() {
        check("component", *component, mesh.component_count(), &|flaw| flaw.cell(cell as u32));
    }
}

/// Checks that every vertex is used. Portals, regions and components must be numbered in the order in which they first
/// appear, which also leaves no gap.
fn check_numbers(mesh: &NavMesh, flaws: &mut Flaws) {
    let mut used = vec![false; mesh.parts.points.len()];
    for side in &mesh.parts.sides {
        used[side.vertex as usize] = true;
    }
    for (vertex, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        let flaw = || Flaw::new(FlawKind::Unused, "no cell uses it").vertex(mesh, vertex as u32);
        flaws.note(flaw);
    }
    let portals = mesh.parts.sides.iter().map(|side| side.portal).filter(|portal| *portal != NONE);
    check_order("portal", portals, mesh.parts.portals.len(), flaws);
    check_order("region", mesh.parts.cell_region.iter().copied(), mesh.region_count(), flaws);
    check_order("component", mesh.parts.cell_component.iter().copied(), mesh.component_count(), flaws);
}

/// Notes the first number that appears too early, or else the numbers that never appear.
fn check_order(what: &str, numbers: impl Iterator<Item = u32>, count: usize, flaws: &mut Flaws) {
    let mut coming = 0;
    for number in numbers {
        if number > coming {
            let detail = || format!("{what} {number} appears before {what} {coming}");
            flaws.note(|| Flaw::new(FlawKind::Order, detail()));
            return;
        }
        coming += u32::from(number == coming);
    }
    if (coming as usize) < count {
        let detail = || format!("there are {count} {what}s, but only {coming} are used");
        flaws.note(|| Flaw::new(FlawKind::Unused, detail()));
    }
}

/// Links the two sides of every portal. Notes portals that do not join two cells.
fn link<'a>(mesh: &'a NavMesh, flaws: &mut Flaws) -> Sides<'a> {
    let mut sides = Sides::unlinked(mesh);
    // For each portal its first side, its last side, and the number of sides.
    let mut places = vec![(NONE, NONE, 0u32); mesh.parts.portals.len()];
    for (side, record) in mesh.parts.sides.iter().enumerate().filter(|(_, record)| record.portal != NONE) {
        let place = &mut places[record.portal as usize];
        let slot = if place.2 == 0 { &mut place.0 } else { &mut place.1 };
        *slot = side as u32;
        place.2 += 1;
    }
    for (portal, (first, second, count)) in places.into_iter().enumerate() {
        let fault = if count == 2 {
            portal_fault(&sides, portal, first, second)
        } else {
            Some(format!("lies on {count} sides of cells; it must lie on 2"))
        };
        match fault {
            Some(detail) => flaws.note(|| Flaw::new(FlawKind::Portal, detail).portal(portal as u32)),
            None => sides.join(first, second),
        }
    }
    sides
}

/// Returns the fault of a portal that lies on the sides `first` and `second`, if there is one.
fn portal_fault(sides: &Sides<'_>, portal: usize, first: u32, second: u32) -> Option<String> {
    let record = sides.mesh.parts.portals[portal];
    let (cells, ends) = ([first, second].map(|s| sides.cell(s)), [first, second].map(|s| sides.ends(s)));
    if cells[0] == cells[1] {
        return Some(format!("lies on two sides of one cell, {}", cells[0]));
    }
    if ends[0] != [ends[1][1], ends[1][0]] {
        let [[a, b], [c, d]] = ends;
        return Some(format!(
            "runs from vertex {a} to {b} in cell {}, so it must run from {b} to {a} in cell {}, not from {c} to {d}",
            cells[0], cells[1]
        ));
    }
    if record.vertices != ends[0] || record.cells != cells {
        let ([a, b], [c, d]) = (record.vertices, record.cells);
        return Some(format!(
            "is recorded from vertex {a} to {b} between cells {c} and {d}, but runs from {} to {} between {} and {}",
            ends[0][0], ends[0][1], cells[0], cells[1]
        ));
    }
    None
}

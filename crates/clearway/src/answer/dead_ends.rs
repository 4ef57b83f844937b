//! Links that lead nowhere, for the answer that no way connects two places.
//!
//! From the piece of the start, all pieces are visited to which links lead. A piece from which no link leads to another one
//! than it was entered from is a dead end. Cost: the links times the pieces that are visited.

use super::words::measure;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellId, ComponentId, LinkRecord};
use clearway_nav::path::PathQuery;
use std::collections::BTreeSet;

/// The most links that are named.
const MOST_NAMED: usize = 3;

/// Names the links that a body can take from the piece of the start, but that end on a piece from which nothing leads
/// further; `None` if there are none.
pub fn note(mesh: &NavMesh, query: &PathQuery) -> Option<String> {
    let piece = |cell: CellId| mesh.cell(cell).map(|cell| cell.component());
    let start = piece(query.start.cell())?;
    let is_taken = |link: &&LinkRecord| {
        query.links.allows(&link.kind) && link.max_radius.is_none_or(|most| query.radius <= most)
    };
    let mut rides: Vec<(ComponentId, ComponentId, &str)> = Vec::new();
    for link in mesh.parts().links.iter().filter(is_taken) {
        let [Some(from), Some(to)] = link.ends.map(|end| piece(CellId(end.cell))) else { continue };
        rides.push((from, to, &link.name));
        if link.both_ways {
            rides.push((to, from, &link.name));
        }
    }
    let leaves = |from: ComponentId, but: ComponentId| {
        rides.iter().any(|ride| ride.0 == from && ride.1 != from && ride.1 != but)
    };
    let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
    let mut dead = BTreeSet::new();
    while let Some(here) = open.pop() {
        for (_, to, name) in rides.iter().filter(|ride| ride.0 == here && ride.1 != here) {
            if *to != start && !leaves(*to, here) {
                dead.insert((*name, *to));
            }
            if seen.insert(*to) {
                open.push(*to);
            }
        }
    }
    let said = dead.iter().take(MOST_NAMED).map(|(name, to)| {
        let cells = mesh.cells().filter(|cell| cell.component() == *to);
        let area = measure(cells.map(|cell| cell.area()).sum());
        format!("the link {name:?} leads only to a piece of {area} m\u{b2} without a way on")
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("; "))
}

//! The parts of the world from which a place can be reached, and messages about what lies beside the world.

use super::words;
use crate::place::{Region, components_of};
use crate::random::{Draws, Purpose};
use crate::scenario::Scenario;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_crowd::Area;
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};
use std::collections::BTreeMap;

/// The number of spots that are tried in a place, by each of two ways of drawing: the widest is then wide enough.
const SPOTS: usize = 64;

/// Returns for each component of the mesh if somebody can walk from there to some place, or ride. Every place must lie on
/// the mesh, and every zone. Without places everything counts.
pub(super) fn reachable(scenario: &Scenario, mesh: &NavMesh) -> Result<Vec<bool>> {
    let mut good = vec![scenario.places.is_empty(); mesh.component_count()];
    for (index, place) in scenario.places.iter().enumerate() {
        let mut draws = Draws::new(0, index, 0, Purpose::Place);
        let found = components_of(mesh, &place.area, &mut draws);
        if found.is_empty() {
            return Err(off_ground(scenario, mesh, &words(place), place.line));
        }
        found.into_iter().for_each(|component| good[component] = true);
    }
    for (index, zone) in scenario.zones.iter().enumerate() {
        if components_of(mesh, &zone.area, &mut Draws::new(0, index, 2, Purpose::Place)).is_empty() {
            let name =
                if zone.name.is_empty() { format!("{}", index + 1) } else { format!("{:?}", zone.name) };
            return Err(off_ground(scenario, mesh, &format!("zone {name}"), zone.line));
        }
    }
    let component = |at: [f64; 3]| {
        let place = mesh.nearest(at, 1.0)?;
        mesh.cell(place.cell()).map(|cell| cell.component().index())
    };
    let links: Vec<_> = mesh
        .links()
        .filter_map(|link| Some((component(link.from)?, component(link.to)?, link.both_ways)))
        .collect();
    // Each round reaches at least one more component, or is the last.
    loop {
        let mut found = false;
        for &(from, to, both) in &links {
            for (from, to) in [(from, to), (to, from)].into_iter().take(if both { 2 } else { 1 }) {
                if good[to] && !good[from] {
                    good[from] = true;
                    found = true;
                }
            }
        }
        if !found {
            return Ok(good);
        }
    }
}

/// Returns for each place of a scenario, and each component on which it lies, the widest of some spots in it. None in a
/// world with links: there the way may lead over links, about which widths say nothing.
pub(super) fn spots(scenario: &Scenario, mesh: &NavMesh) -> Vec<Location> {
    if mesh.links().next().is_some() {
        return Vec::new();
    }
    let places = scenario.places.iter().enumerate();
    places.flat_map(|(index, place)| spots_in(mesh, &place.area, index)).collect()
}

/// Returns for each component on which an area lies the widest of some spots in it. `index` is that of its place.
pub(super) fn spots_in(mesh: &NavMesh, area: &Area, index: usize) -> Vec<Location> {
    let all = vec![true; mesh.component_count()];
    let region = Region { mesh, area: Some(area), components: &all, goals: &[], shunned: None };
    let mut draws = Draws::new(0, index, 3, Purpose::Place);
    let mut widest: BTreeMap<usize, (f64, Location)> = BTreeMap::new();
    let drawn = (0..2 * SPOTS).filter_map(|number| {
        if number < SPOTS { region.draw(&mut draws) } else { region.draw_on_mesh(&mut draws) }
    });
    for at in drawn {
        let Some(cell) = mesh.cell(at.cell()) else { continue };
        let room = mesh.clearance(at).unwrap_or(0.0);
        let best = widest.entry(cell.component().index()).or_insert((room, at));
        *best = if room > best.0 { (room, at) } else { *best };
    }
    widest.into_values().map(|(_, at)| at).collect()
}

/// Makes the error of an area in which nothing of the world lies.
fn off_ground(scenario: &Scenario, mesh: &NavMesh, what: &str, line: u32) -> Error {
    let message = format!("{what}: no ground of the world lies in it; {}", extent(mesh));
    scenario.wrong(ErrorKind::OutOfRange, line, message)
}

/// Returns the extent of the ground in words, for messages about what lies beside it.
pub(super) fn extent(mesh: &NavMesh) -> String {
    let [[left, low], [right, high]] = mesh.bounds().unwrap_or_default();
    let axes = if mesh.has_heights() { " (of a scene, plan y is -z)" } else { "" };
    format!("the ground reaches from x {left:.1} to {right:.1} and from y {low:.1} to {high:.1}{axes}")
}

/// Carries over to a mesh with closed doors from which components some place can be reached with all doors open.
pub(super) fn behind_doors(open: &NavMesh, good: &[bool], mesh: &NavMesh) -> Vec<bool> {
    let mut found = vec![false; mesh.component_count()];
    for cell in mesh.cells() {
        let sum = cell.outline().fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        let middle = sum.map(|sum| sum / cell.outline().len() as f64);
        let height = mesh.has_heights().then(|| mesh.height(Location::in_cell(cell.id(), middle)));
        let found_there = match height {
            Some(height) => open.locate(in_world(middle, height)),
            None => open.locate(middle),
        };
        let place = found_there.ok().and_then(|place| open.cell(place.cell()));
        let is_good = place.is_some_and(|cell| good.get(cell.component().index()) == Some(&true));
        if let Some(found) = found.get_mut(cell.component().index()) {
            *found |= is_good;
        }
    }
    found
}

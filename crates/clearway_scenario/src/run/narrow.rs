//! Goals in which nobody can stand: people arrive at exits of that kind by touching them.

use super::words;
use crate::place::{Region, Taken};
use crate::random::{Draws, Purpose};
use crate::scenario::{Place, PlaceUse, Scenario};
use clearway_crowd::{Area, Reach};
use clearway_nav::NavMesh;
use std::collections::BTreeSet;

/// The number of points of a goal that are tried before it counts as too narrow to stand in.
const TRIES: usize = 4000;

/// Returns the goal area of each place, and remarks about those in which people cannot stand. An exit in which not
/// everybody can stand lets people out who touch it.
pub(super) fn goal_areas(scenario: &Scenario, mesh: &NavMesh) -> (Vec<Area>, Vec<String>) {
    let [least, largest] = scenario.radii();
    let stages = scenario.journeys.iter().flat_map(|journey| &journey.stages);
    let used: BTreeSet<usize> = stages.flat_map(|stage| stage.targets.iter().copied()).collect();
    let (mut areas, mut notes) = (Vec::new(), Vec::new());
    for (index, place) in scenario.places.iter().enumerate() {
        let mut area = place.area.clone();
        let fits = |radius: f64| has_room(mesh, &place.area, radius, index);
        if !used.contains(&index) || fits(largest) {
            areas.push(area);
            continue;
        }
        if place.use_ == PlaceUse::Exit {
            area = area.reach(Reach::Touch);
            notes.push(of_exit(place, largest));
        } else if !fits(least) {
            notes.push(format!(
                "{}: nobody of radius {least:.2} m can stand in it, so nobody will arrive; make it larger",
                words(place)
            ));
        }
        areas.push(area);
    }
    (areas, notes)
}

/// Returns the remark about an exit at which people arrive by touching it.
fn of_exit(place: &Place, radius: f64) -> String {
    let name = words(place);
    if place.gate.is_some() {
        return format!(
            "{name}: the ground ends at its line, so people leave as soon as they touch it, and more of them than an \
             opening of its width lets through; draw ground behind the line, or take the plan itself as the world"
        );
    }
    format!(
        "{name}: people of radius {radius:.2} m cannot stand in it, so they leave as soon as they touch it; if it is a \
         door, make it deeper"
    )
}

/// True if a body can stand in an area.
fn has_room(mesh: &NavMesh, area: &Area, radius: f64, index: usize) -> bool {
    let components = vec![true; mesh.component_count()];
    let region = Region { mesh, area: Some(area), components: &components, goals: &[], shunned: None };
    let mut draws = Draws::new(0, index, 1, Purpose::Place);
    region.draw_free(radius, &Taken::new(), TRIES, &mut draws).is_some()
}

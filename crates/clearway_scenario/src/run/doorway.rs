//! Exits without a doorway: people come in from several sides, more of them than a door lets through.

use super::{Run, words};
use crate::scenario::{Place, PlaceUse};
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};

/// The distance in metres between two points of an outline that are tried.
const STEP: f64 = 0.1;

/// The distance in metres from an outline at which ground must lie on both sides of an open point.
const BESIDE: f64 = 0.03;

/// The length in metres up to which an open outline can be meant as a door; longer ones are open ground.
const LONGEST: f64 = 15.0;

/// The open outline of an exit behind a doorway is straight. An exit is open on several sides if its open outline is
/// this many times as long as it is wide; one at a wall has 1.3 to 2.
const BENT: f64 = 1.3;

impl Run<'_> {
    /// Takes note of exits that people can enter from several sides.
    pub(super) fn note_open_exits(&mut self) {
        let stages = self.scenario.journeys.iter().flat_map(|journey| &journey.stages);
        let mut used: Vec<usize> = stages.flat_map(|stage| stage.targets.iter().copied()).collect();
        used.sort_unstable();
        used.dedup();
        for index in used {
            let place = &self.scenario.places[index];
            if place.use_ != PlaceUse::Exit || place.throughput.is_some() || place.gate.is_some() {
                continue;
            }
            if let Some(length) = open_around(&self.mesh, place) {
                let note = format!(
                    "{}: people come in from several sides, along {length:.1} m in all; if it is a door, draw the \
                     doorway and put the exit behind it",
                    words(place)
                );
                self.notes.push(note);
            }
        }
    }
}

/// Returns the length of the open outline of an exit if it is open on several sides.
fn open_around(mesh: &NavMesh, place: &Place) -> Option<f64> {
    let outline = place.area.outline();
    let following = outline.iter().skip(1).chain(outline.first());
    let perimeter: f64 =
        outline.iter().zip(following.clone()).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).sum();
    // An outline far longer than a door is not looked at.
    if perimeter > 4.0 * LONGEST {
        return None;
    }
    let mut open: Vec<[f64; 2]> = Vec::new();
    let mut length = 0.0;
    for (a, b) in outline.iter().zip(following) {
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        let side = dx.hypot(dy);
        let count = (side / STEP).ceil().max(1.0);
        for k in 0..count as usize {
            let part = (k as f64 + 0.5) / count;
            let at = [a[0] + part * dx, a[1] + part * dy];
            let aside = [-dy / side * BESIDE, dx / side * BESIDE];
            if is_open(mesh, place, at, aside) {
                open.push(at);
                length += side / count;
            }
        }
    }
    let apart = |p: &[f64; 2], q: &[f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]);
    let width = open.iter().flat_map(|p| open.iter().map(move |q| apart(p, q))).fold(0.0, f64::max) + STEP;
    (length > BENT * width && length <= LONGEST).then_some(length)
}

/// True if people can walk across an outline at a point.
fn is_open(mesh: &NavMesh, place: &Place, [x, y]: [f64; 2], [dx, dy]: [f64; 2]) -> bool {
    let locate = |at: [f64; 2]| -> Option<Location> {
        match place.area.height() {
            Some(height) if mesh.has_heights() => mesh.locate(in_world(at, height)).ok(),
            _ => mesh.locate(at).ok(),
        }
    };
    let [one, other] = [[x + dx, y + dy], [x - dx, y - dy]];
    let from = locate(one).filter(|_| locate(other).is_some());
    let hit = from.and_then(|from| mesh.raycast(from, other, 0.0));
    hit.is_some_and(|hit| hit.contact.is_none())
}

#[cfg(test)]
mod tests {
    use crate::{EXAMPLES, Ground, Run, Scenario};

    /// Returns the remarks about exits at the start of a run.
    fn notes(text: &str) -> Vec<String> {
        let scenario = Scenario::parse("s.toml", "".into(), text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        let run = Run::new(&scenario, &ground, 0).unwrap();
        run.notes().iter().filter(|note| note.contains("several sides")).cloned().collect()
    }

    #[test]
    fn an_exit_at_a_wall_without_a_doorway_is_told() {
        let room = |exit: &str, plan: &str| {
            format!(
                "[world]\nwkt = 'POLYGON (({plan}))'\n[[exit]]\nname = 'door'\nrectangle = {exit}\n\
                 [[source]]\ncount = 1\nrectangle = [[1, 1], [3, 5]]\ngoal = 'door'\n"
            )
        };
        let square = "0 0, 8 0, 8 6, 0 6, 0 0";
        let found = notes(&room("[[7.4, 2.5], [8, 3.5]]", square));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("exit \"door\"") && found[0].contains("2.2 m"), "{found:?}");
        // Behind a doorway, across a corridor, and a whole field.
        let doorway = "0 0, 8 0, 8 2, 8.2 2, 8.2 1.5, 9.2 1.5, 9.2 3.5, 8.2 3.5, 8.2 3, 8 3, 8 6, 0 6, 0 0";
        assert!(notes(&room("[[8.6, 1.5], [9.2, 3.5]]", doorway)).is_empty());
        assert!(notes(&room("[[6, 0], [8, 6]]", square)).is_empty());
        let field = "0 0, 80 0, 80 60, 0 60, 0 0";
        assert!(notes(&room("[[30, 20], [60, 50]]", field)).is_empty());
        // Its flow is set, so its sides do not matter.
        let limited = room("[[7.4, 2.5], [8, 3.5]]\nthroughput = 1", square);
        assert!(notes(&limited).is_empty());
    }

    #[test]
    fn the_examples_have_doorways() {
        for example in EXAMPLES.iter().filter(|example| example.world.is_none()) {
            assert_eq!(notes(example.text), Vec::<String>::new(), "{}", example.name);
        }
    }
}

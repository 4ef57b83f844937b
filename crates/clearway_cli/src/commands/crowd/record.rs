//! Records a run: what the recorder must know of the mesh, the people and the events.

use crate::failure::Result;
use clearway::mesh::Cell;
use clearway::query::Location;
use clearway::{Activity, Event, NavMesh};
use clearway_record::{
    AgentRecord, EventKind, Exit, Gate, Geometry, Header, Line, Place, Probe, RecordOptions, Recorder,
    Recording, RunEvent, Standing,
};
use clearway_scenario::{Outcome, PlaceUse, Run, WrapLines};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of places that are kept of a run that is only measured.
const FEW_SAMPLES: usize = 200_000;

/// The time in seconds for which what is closed at the end stays closed behind it: the last frame shows it closed, and
/// times that are read, rounded to a tenth of a second, are those of the end.
const LAST_FRAME: f64 = 1e-3;

/// Something that opens and closes.
struct Opening {
    what: What,
    /// The time since which it is closed.
    closed_since: Option<f64>,
}

/// A place or a door of a scenario, or a barrier of its world, by its index.
#[derive(Clone, Copy)]
enum What {
    Place(usize),
    Door(usize),
    Barrier(usize),
}

impl What {
    /// True if it is closed now.
    fn is_closed(self, run: &Run<'_>) -> bool {
        match self {
            What::Place(place) => !run.is_open(place),
            What::Door(door) => run.is_door_closed(door),
            What::Barrier(index) => {
                run.ground().barriers().get(index).is_some_and(|barrier| run.stands(barrier))
            }
        }
    }
}

/// Returns everything of a scenario that opens and closes, and its gates.
fn gates(run: &Run<'_>, geometry: &Geometry) -> (Vec<Opening>, Vec<Gate>) {
    let scenario = run.scenario();
    let storey = |height: f64| geometry.storey_of(height) as u32;
    let mut gates = Vec::new();
    let mut add = |what, gate: Gate| gates.push((Opening { what, closed_since: None }, gate));
    for (index, place) in scenario.places.iter().enumerate().filter(|(_, place)| !place.closed.is_empty()) {
        let mut line = place.area.outline().to_vec();
        line.extend(line.first().copied());
        let height = place.area.height().unwrap_or(f64::NEG_INFINITY);
        add(What::Place(index), Gate::new(place.name.clone(), storey(height), line));
    }
    for (index, door) in scenario.doors.iter().enumerate() {
        let Some((ends, height)) = run.ground().door_ends(index) else { continue };
        add(What::Door(index), Gate::new(door.name.clone(), storey(height), ends.to_vec()));
    }
    for (index, barrier) in run.ground().barriers().iter().enumerate() {
        let figure = &barrier.figure;
        let height = figure.height.unwrap_or(f64::NEG_INFINITY);
        add(What::Barrier(index), Gate::new(figure.name.clone(), storey(height), figure.outline.clone()));
    }
    gates.into_iter().unzip()
}

/// Returns the lines and areas at which a run is measured.
fn probes(run: &Run<'_>, geometry: &Geometry) -> Vec<Probe> {
    let measures = run.scenario().measures.iter();
    let probe = |measure: &clearway_scenario::Measure| {
        let storey = geometry.storey_of(measure.height.unwrap_or(f64::NEG_INFINITY)) as u32;
        Probe::new(measure.name.clone(), storey, measure.points.clone()).height(measure.height)
    };
    measures.map(probe).collect()
}

/// A recorder of a run.
pub struct Tape {
    /// The recorder.
    recorder: Recorder,
    /// The number of people that it knows.
    known: usize,
    /// The index of the exit for each place of the scenario.
    exits: Vec<Option<u32>>,
    /// Everything that opens and closes, in the order of the gates of the recording.
    gates: Vec<Opening>,
    /// The numbers of people who had to wait for their start and have not set off.
    standing: Vec<u32>,
    /// The numbers of people whose goal cannot be reached.
    lost: BTreeSet<u32>,
    /// The mesh whose walls the recording has; `None` if the frames are not kept.
    drawn: Option<Arc<NavMesh>>,
}

impl Tape {
    /// Begins to record. If `keep` is false, the run is measured, and only some frames are kept.
    pub fn start(run: &Run<'_>, text: &str, keep: bool) -> Result<Tape> {
        let scenario = run.scenario();
        let mut exits = vec![None; scenario.places.len()];
        let mut listed = Vec::new();
        // Closed doors are no walls of it: they are gates, and may open.
        let whole = run.ground().mesh(0)?;
        let geometry = geometry(&whole, &scenario.wraps, run.ground().storeys());
        let (gates, drawn) = gates(run, &geometry);
        for (index, place) in scenario.places.iter().enumerate() {
            if place.use_ == PlaceUse::Exit {
                exits[index] = Some(listed.len() as u32);
                let storey = place.area.height().map_or(0, |height| geometry.storey_of(height)) as u32;
                listed.push(Exit::new(place.name.clone(), storey, place.area.outline().to_vec()));
            }
        }
        let probes = probes(run, &geometry);
        let settings = vec![
            ("time step".to_string(), format!("{} s", scenario.run.dt)),
            ("time limit".to_string(), format!("{} s", scenario.run.limit)),
            ("seed of places".to_string(), run.placement_seed().to_string()),
        ];
        let header = Header::new(scenario.title.clone(), geometry.exits(listed).gates(drawn).probes(probes))
            .fps(run.fps())
            .seed(run.seed())
            .model(scenario.model.name.clone())
            .scenario_text(text.to_string())
            .settings(settings);
        let mut options = RecordOptions::default();
        if !keep {
            options = options.max_samples(FEW_SAMPLES);
        }
        let recorder = Recorder::with_options(header, options)?;
        Ok(Tape {
            recorder,
            known: 0,
            exits,
            gates,
            standing: Vec::new(),
            lost: BTreeSet::new(),
            drawn: keep.then_some(whole),
        })
    }

    /// Takes the state of a run, and the events of its last step.
    pub fn take(&mut self, run: &Run<'_>) -> clearway::Result<()> {
        self.take_newcomers(run)?;
        self.take_events(run)?;
        let time = run.time();
        self.take_gates(run, time);
        self.take_space(run, time);
        if !self.recorder.is_due(time) {
            return Ok(());
        }
        let mesh = run.mesh();
        let has_heights = mesh.has_heights();
        // Who rides is nowhere on the ground.
        let on_ground = run.crowd().agents().filter(|agent| agent.activity != Activity::Riding);
        let places = on_ground.map(|agent| {
            let [x, y] = agent.at.position();
            let z = if has_heights { mesh.height(agent.at) } else { 0.0 };
            let speed = agent.velocity[0].hypot(agent.velocity[1]);
            let walks = matches!(agent.activity, Activity::Walking | Activity::Searching);
            Place::new(agent.tag, [x, y, z]).speed(speed).walks(walks)
        });
        self.recorder.frame(time, places).map(|_| ())
    }

    /// Takes note of what opened or closed.
    fn take_gates(&mut self, run: &Run<'_>, time: f64) {
        for (index, gate) in self.gates.iter_mut().enumerate() {
            match (gate.what.is_closed(run), gate.closed_since) {
                (true, None) => gate.closed_since = Some(time),
                (false, Some(since)) => {
                    self.recorder.closed(index, since, time);
                    gate.closed_since = None;
                }
                _ => {}
            }
        }
    }

    /// Takes note of walls that came or went.
    fn take_space(&mut self, run: &Run<'_>, time: f64) {
        let Some(drawn) = self.drawn.as_mut().filter(|drawn| !Arc::ptr_eq(drawn, run.mesh())) else { return };
        *drawn = Arc::clone(run.mesh());
        let space = geometry(drawn, &run.scenario().wraps, run.ground().storeys());
        self.recorder.space(time, space.to_wkt());
    }

    /// Takes note of people who entered.
    fn take_newcomers(&mut self, run: &Run<'_>) -> clearway::Result<()> {
        for person in &run.people()[self.known..] {
            let profile = &run.scenario().profiles[person.profile];
            let record = AgentRecord::new(person.agent.number())
                .radius(person.radius)
                .speed(person.speed)
                .tag(person.source as u32)
                .profile(profile.name.clone())
                .entered(person.entered);
            let number = self.recorder.add_agent(record)?;
            self.standing.push(number);
        }
        self.known = run.people().len();
        Ok(())
    }

    /// Takes note of what happened in the last step.
    fn take_events(&mut self, run: &Run<'_>) -> clearway::Result<()> {
        let time = run.time();
        let (crowd, people) = (run.crowd(), run.people());
        let mut started = Vec::new();
        self.standing.retain(|number| {
            let agent = crowd.agent(people[*number as usize].agent);
            let stands = agent.is_some_and(|agent| agent.velocity == [0.0, 0.0]);
            if !stands {
                started.push(*number);
            }
            stands
        });
        for number in started {
            self.recorder.event(RunEvent::new(time, number, EventKind::Started))?;
        }
        for &number in run.ended() {
            let exit = people[number as usize].target.and_then(|target| self.exits[target]);
            let kind = if exit.is_some() { EventKind::Left } else { EventKind::Arrived };
            self.recorder.way(number, people[number as usize].way)?;
            self.recorder.event(RunEvent::new(time, number, kind).exit(exit))?;
        }
        for event in crowd.events() {
            let Some(number) = run.person(event.agent()) else { continue };
            let kind = match event {
                Event::Boarded { .. } => EventKind::Boarded,
                Event::Landed { .. } => EventKind::Landed,
                Event::Moved { .. } | Event::Swallowed { .. } => EventKind::Moved,
                // Arrivals are told by the run: stops on the way are none.
                _ => continue,
            };
            self.recorder.event(RunEvent::new(time, number, kind))?;
        }
        self.take_lost(run, time)
    }

    /// Takes note of people whose goal cannot be reached any more, or can again.
    fn take_lost(&mut self, run: &Run<'_>, time: f64) -> clearway::Result<()> {
        let lost: BTreeSet<u32> = run.people_without_a_way().collect();
        for &number in lost.difference(&self.lost) {
            self.recorder.event(RunEvent::new(time, number, EventKind::Lost))?;
        }
        // Who is beneath an obstacle is no body of the crowd any more.
        let is_underway = |number: &&u32| {
            let person = &run.people()[**number as usize];
            person.arrived.is_none() && run.crowd().agent(person.agent).is_some()
        };
        for &number in self.lost.difference(&lost).filter(is_underway) {
            self.recorder.event(RunEvent::new(time, number, EventKind::Found))?;
        }
        self.lost = lost;
        Ok(())
    }

    /// Ends the recording, with the remarks of the run. A remark about people who stood goes to the run, too.
    pub fn finish(mut self, outcome: &mut Outcome) -> Recording {
        for (index, gate) in self.gates.iter().enumerate() {
            if let Some(since) = gate.closed_since {
                // The last frame shows it closed, too.
                self.recorder.closed(index, since, outcome.time + LAST_FRAME);
            }
        }
        self.recorder.end(outcome.time);
        for note in &outcome.notes {
            if Outcome::is_planned(note) {
                self.recorder.remark(note.clone());
            } else {
                self.recorder.warn(note.clone());
            }
        }
        let recording = self.recorder.finish();
        outcome.notes.extend(recording.measures().standing.as_ref().map(Standing::note));
        recording
    }
}

/// Returns the walls and floors of a mesh. Walls that wraps join are none: people walk through them. Of scenes the cells
/// are the floor, since walls along slopes and ledges need not close to rings.
fn geometry(mesh: &NavMesh, wraps: &[WrapLines], named: &[(String, f64)]) -> Geometry {
    let lines: Vec<[[f64; 2]; 2]> = wraps.iter().flat_map(|wrap| [wrap.from, wrap.to]).collect();
    // The mesh lies on a grid, the lines as they were written.
    let lies_on = |at: [f64; 2], [a, b]: [[f64; 2]; 2]| distance(at, a, b) <= 2.0 * mesh.unit();
    let mut segments = Vec::new();
    for cell in mesh.cells() {
        for side in cell.sides().filter(|side| side.portal.is_none()) {
            let places = [side.from, side.to].map(|vertex| mesh.position(vertex).unwrap_or_default());
            if lines.iter().any(|line| places.iter().all(|at| lies_on(*at, *line))) {
                continue;
            }
            let ends = places.map(|at| {
                let z = if mesh.has_heights() { mesh.height(Location::in_cell(cell.id(), at)) } else { 0.0 };
                [at[0], at[1], z]
            });
            segments.push(ends);
        }
    }
    let floors = if named.is_empty() { floors(mesh) } else { named.to_vec() };
    let cells = if mesh.has_heights() {
        mesh.cells().map(|cell| floor_of(mesh, &cell)).collect()
    } else {
        Vec::new()
    };
    Geometry::of_segments(&segments, &floors).with_floor(&cells)
}

/// Returns the storeys of a scene, from the lowest to the highest, each with the height of its largest cell.
fn floors(mesh: &NavMesh) -> Vec<(String, f64)> {
    if !mesh.has_heights() {
        return Vec::new();
    }
    let height = |[low, high]: [f64; 2]| {
        let flat = mesh.cells().filter_map(|cell| Some((cell.area(), mesh.mean_height(cell.id())?)));
        let inside = flat.filter(|(_, height)| (low..high).contains(height));
        inside.max_by(|a, b| a.0.total_cmp(&b.0)).map_or(low.max(0.0), |(_, height)| height)
    };
    let storeys = mesh.storeys().into_iter().enumerate();
    storeys.map(|(index, band)| (format!("storey {index}"), height(band))).collect()
}

/// Returns the outline of a cell on its ground.
fn floor_of(mesh: &NavMesh, cell: &Cell<'_>) -> Line {
    let raised = |at: [f64; 2]| [at[0], at[1], mesh.height(Location::in_cell(cell.id(), at))];
    cell.outline().map(raised).collect()
}

/// Returns the distance of a point from a segment.
fn distance([x, y]: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let square = dx * dx + dy * dy;
    let along = if square > 0.0 { ((x - a[0]) * dx + (y - a[1]) * dy) / square } else { 0.0 };
    let along = along.clamp(0.0, 1.0);
    (x - a[0] - along * dx).hypot(y - a[1] - along * dy)
}

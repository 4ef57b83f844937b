//! Records a run: what the recorder must know of the mesh, the people and the events.

use crate::failure::Result;
use clearway::mesh::Cell;
use clearway::query::Location;
use clearway::{Activity, Event, NavMesh};
use clearway_record::{
    AgentRecord, EventKind, Exit, Gate, Geometry, Header, Line, Place, RecordOptions, Recorder, Recording,
    RunEvent,
};
use clearway_scenario::{Outcome, PlaceUse, Run, WrapLines};

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
}

impl Tape {
    /// Begins to record. If `keep` is false, the run is measured, and only some frames are kept.
    pub fn start(run: &Run<'_>, text: &str, keep: bool) -> Result<Tape> {
        let scenario = run.scenario();
        let mut exits = vec![None; scenario.places.len()];
        let mut listed = Vec::new();
        // Closed doors are no walls of it: they are gates, and may open.
        let whole = run.ground().mesh(0)?;
        let geometry = geometry(&whole, &scenario.wraps);
        let (gates, drawn) = gates(run, &geometry);
        for (index, place) in scenario.places.iter().enumerate() {
            if place.use_ == PlaceUse::Exit {
                exits[index] = Some(listed.len() as u32);
                let storey = place.area.height().map_or(0, |height| geometry.storey_of(height)) as u32;
                listed.push(Exit::new(place.name.clone(), storey, place.area.outline().to_vec()));
            }
        }
        let settings = vec![
            ("time step".to_string(), format!("{} s", scenario.run.dt)),
            ("time limit".to_string(), format!("{} s", scenario.run.limit)),
            ("seed of places".to_string(), run.placement_seed().to_string()),
        ];
        let header = Header::new(scenario.title.clone(), geometry.exits(listed).gates(drawn))
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
        Ok(Tape { recorder, known: 0, exits, gates, standing: Vec::new() })
    }

    /// Takes the state of a run, and the events of its last step.
    pub fn take(&mut self, run: &Run<'_>) -> clearway::Result<()> {
        self.take_newcomers(run)?;
        self.take_events(run)?;
        let time = run.time();
        self.take_gates(run, time);
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

    /// Takes note of people who entered.
    fn take_newcomers(&mut self, run: &Run<'_>) -> clearway::Result<()> {
        for person in &run.people()[self.known..] {
            let profile = &run.scenario().profiles[person.profile];
            let record = AgentRecord::new(person.agent.number())
                .radius(person.radius)
                .speed(person.speed)
                .tag(person.source as u32)
                .profile(profile.name.clone())
                .way(person.way);
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
            self.recorder.event(RunEvent::new(time, number, kind).exit(exit))?;
        }
        for event in crowd.events() {
            let Some(number) = run.person(event.agent()) else { continue };
            let kind = match event {
                Event::Lost { .. } => EventKind::Lost,
                Event::Boarded { .. } => EventKind::Boarded,
                Event::Landed { .. } => EventKind::Landed,
                Event::Moved { .. } | Event::Swallowed { .. } => EventKind::Moved,
                // Arrivals are told by the run: stops on the way are none.
                _ => continue,
            };
            self.recorder.event(RunEvent::new(time, number, kind))?;
        }
        Ok(())
    }

    /// Ends the recording, with the remarks of the run.
    pub fn finish(mut self, outcome: &Outcome) -> Recording {
        for (index, gate) in self.gates.iter().enumerate() {
            if let Some(since) = gate.closed_since {
                // The last frame shows it closed, too.
                self.recorder.closed(index, since, outcome.time + LAST_FRAME);
            }
        }
        outcome.notes.iter().for_each(|note| self.recorder.warn(note.clone()));
        self.recorder.finish()
    }
}

/// Returns the walls and floors of a mesh. Walls that wraps join are none: people walk through them. Of scenes the cells
/// are the floor, since walls along slopes and ledges need not close to rings.
fn geometry(mesh: &NavMesh, wraps: &[WrapLines]) -> Geometry {
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
    // The lowest storey reaches down without end; its floor is where its lowest walls stand.
    let lowest = segments.iter().flatten().map(|at: &[f64; 3]| at[2]).fold(f64::INFINITY, f64::min);
    let height = |low: f64| if low.is_finite() { low } else { lowest };
    let storeys = if mesh.has_heights() { mesh.storeys() } else { Vec::new() };
    let floors: Vec<(String, f64)> = storeys
        .iter()
        .enumerate()
        .map(|(index, [low, _])| (format!("storey {index}"), height(*low)))
        .collect();
    let cells = if mesh.has_heights() {
        mesh.cells().map(|cell| floor_of(mesh, &cell)).collect()
    } else {
        Vec::new()
    };
    Geometry::of_segments(&segments, &floors).with_floor(&cells)
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

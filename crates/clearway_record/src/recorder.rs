//! Takes a run frame by frame, measures it, and keeps it within a limit of memory.

use crate::header::{AgentRecord, EventKind, Header, RunEvent};
use crate::measures::{Measures, Meter};
use crate::probe::Prober;
use crate::recording::{MAX_COORDINATE, QUANTUM, Recording, SPEED_QUANTUM, Sample, Space};
use crate::stand::Standing;
use crate::walls::Walls;
use clearway_base::error::short;
use clearway_base::{Error, ErrorKind, Result};

/// Frames may come this much too early in seconds: sums of time steps are rounded.
const EARLY: f64 = 1e-6;

/// The greatest number of frames a second. Nobody walks so fast that more would show anything.
const MAX_FPS: f64 = 1e4;

/// A body in a frame, as the engine tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Place {
    /// The number that [`Recorder::add_agent`] gave the body.
    pub agent: u32,
    /// Its place in metres: x and y of the plan, z upwards.
    pub at: [f64; 3],
    /// Its speed in m/s.
    pub speed: f64,
    /// True if it is on its way; false if it waits, or stands at its goal.
    pub walks: bool,
}

clearway_base::setters!(Place { speed: f64, walks: bool });

impl Place {
    /// Makes a body that is on its way.
    pub fn new(agent: u32, at: [f64; 3]) -> Place {
        Place { agent, at, speed: 0.0, walks: true }
    }
}

/// How a run is recorded.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordOptions {
    /// The largest number of bodies over all frames. Beyond it every other frame is dropped, and half as many are kept
    /// from then on. Each takes 20 bytes, so the default of 50 million takes 1 GB.
    pub max_samples: usize,
    /// True if the run is measured.
    pub measure: bool,
}

clearway_base::setters!(RecordOptions { max_samples: usize, measure: bool });

/// The most frames that are kept, also of a run without people: 28 hours at ten frames a second. They take 16 MB.
const MAX_FRAMES: usize = 1_000_000;

/// The most bytes of texts of walkable spaces: a thousand changes of a large plan.
const MAX_SPACES: usize = 64 << 20;

impl Default for RecordOptions {
    fn default() -> RecordOptions {
        RecordOptions { max_samples: 50_000_000, measure: true }
    }
}

/// Records a run.
pub struct Recorder {
    recording: Recording,
    options: RecordOptions,
    meter: Option<Meter>,
    prober: Prober,
    /// The number of frames that were due so far, kept or not.
    due: u64,
    samples: usize,
    /// True if spaces were left out.
    is_crowded: bool,
    /// The bodies of the frame that is taken, sorted.
    places: Vec<Place>,
}

impl Recorder {
    /// Begins to record. Fails if the number of frames a second, or a point of the geometry, makes no sense.
    pub fn new(header: Header) -> Result<Recorder> {
        Recorder::with_options(header, RecordOptions::default())
    }

    /// Begins to record with options.
    pub fn with_options(header: Header, options: RecordOptions) -> Result<Recorder> {
        check_header(&header)?;
        let prober = Prober::new(&header.geometry.probes);
        let meter = options.measure.then(|| Meter::new(Walls::new(&header.geometry)));
        let recording = Recording {
            header,
            agents: Vec::new(),
            frames: Vec::new(),
            events: Vec::new(),
            measures: Measures::default(),
            spaces: Vec::new(),
            readings: Vec::new(),
            start: 0.0,
            end: f64::NEG_INFINITY,
            every: 1,
        };
        Ok(Recorder {
            recording,
            options,
            meter,
            prober,
            due: 0,
            samples: 0,
            is_crowded: false,
            places: Vec::new(),
        })
    }

    /// Adds a body. Returns its number, which counts up from 0.
    pub fn add_agent(&mut self, agent: AgentRecord) -> Result<u32> {
        let number = self.recording.agents.len();
        for (name, value) in [("radius", agent.radius), ("speed", agent.speed), ("entered", agent.entered)] {
            check_number(number, name, value)?;
        }
        check_number(number, "way", agent.way.unwrap_or(0.0))?;
        let limit = || Error::new(ErrorKind::TooLarge, "more than 4294967295 bodies in one recording");
        let number = u32::try_from(number).map_err(|_| limit())?;
        self.recording.agents.push(agent);
        Ok(number)
    }

    /// Says how long the shortest way was to the goal that a body reached, in the plan. Comes before its arrival.
    pub fn way(&mut self, agent: u32, way: Option<f64>) -> Result<()> {
        check_number(agent as usize, "way", way.unwrap_or(0.0))?;
        self.recording.agents.get_mut(agent as usize).ok_or_else(|| unknown(agent))?.way = way;
        Ok(())
    }

    /// Takes note of an event.
    pub fn event(&mut self, event: RunEvent) -> Result<()> {
        let index = event.agent as usize;
        let agent = self.recording.agents.get(index);
        let agent = agent.ok_or_else(|| unknown(event.agent))?;
        if !event.time.is_finite() {
            return Err(Error::new(
                ErrorKind::OutOfRange,
                format!("event of body {index}: its time is not finite"),
            ));
        }
        if event.exit.is_some_and(|exit| exit as usize >= self.recording.header.geometry.exits.len()) {
            let exit = event.exit.unwrap_or_default();
            return Err(Error::new(
                ErrorKind::OutOfRange,
                format!("event of body {index}: there is no exit {exit}"),
            ));
        }
        if let Some(meter) = self.meter.as_mut().filter(|_| event.kind.is_arrival()) {
            meter.arrived(index, agent);
        }
        self.recording.end = self.recording.end.max(event.time);
        self.recording.events.push(event);
        Ok(())
    }

    /// Takes note that a gate of the geometry, by its index, was closed from one time to another. An index that is not
    /// there is left out.
    pub fn closed(&mut self, gate: usize, from: f64, to: f64) {
        if let Some(gate) = self.recording.header.geometry.gates.get_mut(gate) {
            gate.closed.push([from, to]);
        }
    }

    /// Says when the run ended, where that is later than its last frame and its last event.
    pub fn end(&mut self, time: f64) {
        if time.is_finite() {
            self.recording.end = self.recording.end.max(time);
        }
    }

    /// Says what the walkable space is from a time on, as WKT, if walls came or went. Beyond 64 MB of texts the last
    /// space stays, with a warning.
    pub fn space(&mut self, time: f64, wkt: String) {
        let spaces = &mut self.recording.spaces;
        let size = spaces.iter().map(|space| space.wkt.len()).sum::<usize>() + wkt.len();
        if size <= MAX_SPACES {
            spaces.push(Space { from: time, wkt });
        } else if !std::mem::replace(&mut self.is_crowded, true) {
            self.warn("walls changed so often that not every change of the walkable space is kept");
        }
    }

    /// Takes note of something that was planned and happened.
    pub fn remark(&mut self, remark: impl Into<String>) {
        self.recording.header.remarks.push(remark.into());
    }

    /// Takes note of a warning that belongs to the run.
    pub fn warn(&mut self, warning: impl Into<String>) {
        self.recording.header.warnings.push(warning.into());
    }

    /// Returns true if a frame is due at this time. Bodies need not be collected otherwise.
    pub fn is_due(&self, time: f64) -> bool {
        self.due == 0 || time >= self.due_time() - EARLY
    }

    /// Takes the bodies at a time, if a frame is due. Returns true if it was.
    ///
    /// The first frame sets the start. Later ones must come at least as often as the header says.
    pub fn frame(&mut self, time: f64, places: impl IntoIterator<Item = Place>) -> Result<bool> {
        if !time.is_finite() {
            return Err(Error::new(ErrorKind::OutOfRange, "the time of a frame is not finite"));
        }
        if !self.is_due(time) {
            return Ok(false);
        }
        self.check_lag(time)?;
        self.places.clear();
        self.places.extend(places);
        self.check_places()?;
        if self.due == 0 {
            self.recording.start = time;
        }
        if let Some(meter) = &mut self.meter {
            let step = 1.0 / self.recording.header.fps;
            let walked = |from, to| self.prober.walked(from, to, time);
            meter.frame(&self.recording.agents, &self.places, step, time, walked);
            self.prober.frame(&self.places, time);
        }
        self.recording.end = self.recording.end.max(time);
        if self.due.is_multiple_of(u64::from(self.recording.every)) {
            let frame: Box<[Sample]> = self.places.iter().map(stored).collect();
            self.samples += frame.len();
            self.recording.frames.push(frame);
        }
        self.due += 1;
        let most_frames = self.options.max_samples.clamp(1, MAX_FRAMES);
        let is_too_long =
            |it: &Recorder| it.samples > it.options.max_samples || it.recording.frames.len() > most_frames;
        while is_too_long(self) && self.recording.frames.len() > 1 {
            self.thin();
        }
        Ok(true)
    }

    /// Ends the run.
    pub fn finish(mut self) -> Recording {
        if let Some(meter) = self.meter {
            self.recording.measures = meter.finish();
            self.recording.readings = self.prober.finish();
            let note = self.recording.measures.standing.as_ref().map(Standing::note);
            self.recording.header.warnings.extend(note);
        }
        if self.recording.end < self.recording.start {
            self.recording.end = self.recording.start;
        }
        if self.recording.every > 1 {
            let (every, fps) = (self.recording.every, short(self.recording.fps()));
            let limit = self.options.max_samples;
            let warning = format!(
                "one frame of {every} is kept ({fps} a second): the limit is {limit} places in {MAX_FRAMES} frames"
            );
            self.recording.header.warnings.push(warning);
        }
        self.recording
    }

    /// The time at which the next frame is due.
    fn due_time(&self) -> f64 {
        self.recording.start + self.due as f64 / self.recording.header.fps
    }

    /// Fails if a whole frame was left out.
    fn check_lag(&self, time: f64) -> Result<()> {
        let fps = self.recording.header.fps;
        if self.due == 0 || time < self.due_time() + 1.0 / fps - EARLY {
            return Ok(());
        }
        let (time, fps) = (short(time), short(fps));
        let message =
            format!("frames come too seldom: none came in the 1/{fps} s before {time} s; lower the fps");
        Err(Error::new(ErrorKind::Options, message))
    }

    /// Sorts the bodies of the frame and refuses what cannot be stored.
    fn check_places(&mut self) -> Result<()> {
        if !self.places.is_sorted_by_key(|place| place.agent) {
            self.places.sort_by_key(|place| place.agent);
        }
        let mut last = None;
        for place in &self.places {
            let refuse = |what: &str| {
                let number = place.agent;
                Err(Error::new(ErrorKind::OutOfRange, format!("body {number} of a frame: {what}")))
            };
            if place.agent as usize >= self.recording.agents.len() {
                return Err(unknown(place.agent));
            }
            if last == Some(place.agent) {
                return refuse("it is there twice");
            }
            if !place.at.iter().all(|c| c.abs() <= MAX_COORDINATE) {
                return refuse("its place is not finite or farther than 200 km from the origin");
            }
            last = Some(place.agent);
        }
        Ok(())
    }

    /// Drops every other frame.
    fn thin(&mut self) {
        let mut index = 0;
        self.recording.frames.retain(|_| {
            index += 1;
            index % 2 == 1
        });
        self.recording.every *= 2;
        self.samples = self.recording.samples();
    }
}

/// Rounds a body to what is stored.
fn stored(place: &Place) -> Sample {
    let speed = (place.speed / SPEED_QUANTUM).round().clamp(0.0, f64::from(i16::MAX));
    Sample {
        agent: place.agent,
        at: place.at.map(|c| (c / QUANTUM).round() as i32),
        speed: speed as u16,
        walks: place.walks,
    }
}

/// Refuses a number of a body that is not finite or negative.
fn check_number(body: usize, name: &str, value: f64) -> Result<()> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    let message = format!("body {body}: {name} {} must be finite and not negative", short(value));
    Err(Error::new(ErrorKind::OutOfRange, message))
}

fn unknown(agent: u32) -> Error {
    Error::new(ErrorKind::OutOfRange, format!("body {agent} was never added to the recording"))
}

/// Refuses frame rates and points that make no sense.
pub(crate) fn check_header(header: &Header) -> Result<()> {
    if !(header.fps > 0.0 && header.fps <= MAX_FPS) {
        let message = format!("fps {} must be more than 0 and at most {MAX_FPS}", short(header.fps));
        return Err(Error::new(ErrorKind::Options, message));
    }
    let geometry = &header.geometry;
    for (index, storey) in geometry.storeys.iter().enumerate() {
        let points = storey.rings.iter().chain(&storey.walls).chain(&storey.floor).flatten().flatten();
        if !points.chain([&storey.height]).all(|c| c.abs() <= MAX_COORDINATE) {
            let message =
                format!("storey {index}: a point is not finite or farther than 200 km from the origin");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
    }
    let exits = geometry.exits.iter().map(|exit| ("exit", &exit.outline));
    let gates = geometry.gates.iter().map(|gate| ("gate", &gate.line));
    let probes = geometry.probes.iter().map(|probe| ("probe", &probe.points));
    for (index, (what, points)) in exits.enumerate().chain(gates.enumerate()).chain(probes.enumerate()) {
        if !points.iter().flatten().all(|c| c.abs() <= MAX_COORDINATE) {
            let message =
                format!("{what} {index}: a point is not finite or farther than 200 km from the origin");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
    }
    Ok(())
}

/// Returns true for events that a recording may hold; readers ask it.
pub(crate) fn is_event(kind: u8) -> Option<EventKind> {
    EventKind::ALL.get(usize::from(kind)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;

    fn recorder(max_samples: usize) -> Recorder {
        let options = RecordOptions::default().max_samples(max_samples);
        let mut recorder = Recorder::with_options(Header::new("test", Geometry::default()), options).unwrap();
        recorder.add_agent(AgentRecord::new(70)).unwrap();
        recorder.add_agent(AgentRecord::new(71)).unwrap();
        recorder
    }

    #[test]
    fn frames_are_kept_when_they_are_due() {
        let mut recorder = recorder(1000);
        let kept: Vec<_> = (0..11)
            .map(|step| {
                let time = 5.0 + f64::from(step) * 0.05;
                recorder.frame(time, [Place::new(1, [time, 0.0, 0.0]), Place::new(0, [0.0; 3])]).unwrap()
            })
            .collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 6);
        let recording = recorder.finish();
        assert_eq!((recording.frames(), recording.time(5)), (6, 5.5));
        assert_eq!(recording.frame(2)[1].xy(), [5.2, 0.0]);
        assert_eq!(recording.frame(2)[0].agent, 0);
    }

    #[test]
    fn long_runs_without_people_are_thinned() {
        let mut recorder = recorder(100);
        (0..1001).for_each(|step| _ = recorder.frame(f64::from(step) * 0.1, []).unwrap());
        let recording = recorder.finish();
        assert_eq!((recording.thinned(), recording.frames()), (16, 63));
    }

    #[test]
    fn long_runs_are_thinned_to_the_limit() {
        let mut recorder = recorder(100);
        for step in 0..1001 {
            let time = f64::from(step) * 0.1;
            recorder.frame(time, [Place::new(0, [time, 0.0, 0.0])]).unwrap();
        }
        let recording = recorder.finish();
        assert_eq!((recording.thinned(), recording.frames()), (16, 63));
        for index in 0..recording.frames() {
            assert!((recording.frame(index)[0].xy()[0] - recording.time(index)).abs() < 1e-9);
        }
        assert_eq!(recording.measures().frames, 1001);
        assert_eq!(recording.header().warnings.len(), 1);
    }

    #[test]
    fn bad_frames_are_refused_with_the_body() {
        let mut recorder = recorder(1000);
        let twice = [Place::new(0, [0.0; 3]), Place::new(0, [1.0; 3])];
        let cases = [
            (vec![Place::new(1, [f64::NAN, 0.0, 0.0])], "body 1 of a frame: its place is not finite"),
            (vec![Place::new(2, [0.0; 3])], "body 2 was never added"),
            (twice.to_vec(), "body 0 of a frame: it is there twice"),
        ];
        for (places, expected) in cases {
            let error = recorder.frame(0.0, places).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        recorder.frame(0.0, []).unwrap();
        assert_eq!(recorder.frame(0.3, []).unwrap_err().kind(), ErrorKind::Options);
        let bad = Header::new("x", Geometry::default()).fps(f64::NAN);
        assert_eq!(Recorder::new(bad).err().map(|error| error.kind()), Some(ErrorKind::Options));
    }
}

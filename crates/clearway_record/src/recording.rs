//! A recorded run in memory: 20 bytes for each body in each frame.

use crate::geometry::Geometry;
use crate::header::{AgentRecord, Header, RunEvent};
use crate::measures::Measures;
use crate::probe::Readings;

/// The unit of stored lengths in metres. A tenth of a millimetre is far below what anybody measures of a crowd, and
/// 32 bits of it span 429 km.
pub const QUANTUM: f64 = 1e-4;

/// The greatest distance from the origin in metres at which a place can be stored.
pub const MAX_COORDINATE: f64 = 200_000.0;

/// The unit of stored speeds in m/s.
pub const SPEED_QUANTUM: f64 = 1e-3;

/// One body in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sample {
    /// The place of the body in the list of bodies.
    pub agent: u32,
    /// The place in units of [`QUANTUM`].
    pub at: [i32; 3],
    /// The speed in mm/s.
    pub speed: u16,
    /// True if it is on its way: neither waits nor stands at its goal.
    pub walks: bool,
}

impl Sample {
    /// Returns x and y in metres.
    pub fn xy(&self) -> [f64; 2] {
        [f64::from(self.at[0]) * QUANTUM, f64::from(self.at[1]) * QUANTUM]
    }

    /// Returns the height in metres.
    pub fn z(&self) -> f64 {
        f64::from(self.at[2]) * QUANTUM
    }

    /// Returns the speed in m/s.
    pub fn speed(&self) -> f64 {
        f64::from(self.speed) * SPEED_QUANTUM
    }
}

/// The walkable space from a time on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Space {
    /// The time in seconds.
    pub from: f64,
    /// Polygons with holes, as WKT.
    pub wkt: String,
}

/// A recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub(crate) header: Header,
    pub(crate) agents: Vec<AgentRecord>,
    /// The bodies of each frame, in the order of their numbers.
    pub(crate) frames: Vec<Box<[Sample]>>,
    pub(crate) events: Vec<RunEvent>,
    pub(crate) measures: Measures,
    /// The walkable space from some times on, where walls came or went.
    pub(crate) spaces: Vec<Space>,
    /// What each probe of the geometry found.
    pub(crate) readings: Vec<Readings>,
    /// The time of the first frame in seconds.
    pub(crate) start: f64,
    /// The time at which the run ended in seconds.
    pub(crate) end: f64,
    /// Of so many frames one was kept.
    pub(crate) every: u32,
}

impl Recording {
    /// How the run was made.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The space of the run.
    pub fn geometry(&self) -> &Geometry {
        &self.header.geometry
    }

    /// The bodies, in the order in which they came in.
    pub fn agents(&self) -> &[AgentRecord] {
        &self.agents
    }

    /// What happened, in the order in which it was told.
    pub fn events(&self) -> &[RunEvent] {
        &self.events
    }

    /// The measures of all frames of the run, before any was thinned out.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// Returns the readings of each probe of the geometry, in its order, of the whole run. Empty if the run was not measured.
    pub fn readings(&self) -> &[Readings] {
        &self.readings
    }

    /// The walkable space in a frame as WKT: that of the geometry, unless walls came or went before.
    pub fn space(&self, frame: usize) -> Option<&str> {
        // Times are sums of steps.
        let time = self.time(frame) + 1e-6;
        let count = self.spaces.partition_point(|space| space.from <= time);
        Some(self.spaces.get(count.checked_sub(1)?)?.wkt.as_str())
    }

    /// The time in seconds at which the run ended; the last frame may be a little earlier.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The bodies of a frame, in the order of their numbers; empty beyond the last frame.
    pub fn frame(&self, index: usize) -> &[Sample] {
        self.frames.get(index).map_or(&[], |frame| frame)
    }

    /// The number of frames that are kept for each second; lower than asked if frames were thinned out.
    pub fn fps(&self) -> f64 {
        self.header.fps / f64::from(self.every)
    }

    /// The number of frames of which one was kept: 1 unless the run was longer than the limit of the recorder.
    pub fn thinned(&self) -> u32 {
        self.every
    }

    /// The time of a frame in seconds.
    pub fn time(&self, index: usize) -> f64 {
        self.start + index as f64 / self.fps()
    }

    /// The time between the first and the last frame in seconds.
    pub fn duration(&self) -> f64 {
        self.frames.len().saturating_sub(1) as f64 / self.fps()
    }

    /// The corners, in the plan, of the space and of all places; zeros for an empty run.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let places = self.frames.iter().flat_map(|frame| frame.iter().map(Sample::xy));
        let all = places.fold(self.geometry().bounds(), |bounds, p| {
            let [low, high] = bounds.unwrap_or([p, p]);
            Some([[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]])
        });
        all.unwrap_or_default()
    }

    /// The numbers of the storeys on which somebody was or an exit lies, in order; all if there is none.
    pub fn used_storeys(&self) -> Vec<usize> {
        let geometry = self.geometry();
        let count = geometry.storeys.len().max(1);
        let mut is_used = vec![false; count];
        let exits = geometry.exits.iter().map(|exit| exit.storey as usize);
        let people =
            self.frames.iter().flat_map(|frame| frame.iter()).map(|sample| geometry.storey_of(sample.z()));
        exits.chain(people).for_each(|storey| is_used[storey.min(count - 1)] = true);
        let used: Vec<usize> = (0..count).filter(|storey| is_used[*storey]).collect();
        if used.is_empty() { (0..count).collect() } else { used }
    }

    /// The number of bodies over all frames.
    pub fn samples(&self) -> usize {
        self.frames.iter().map(|frame| frame.len()).sum()
    }
}

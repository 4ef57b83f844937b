//! The places of a run for the page: in centimetres, thinned to a limit of bytes.

use crate::Recording;
use crate::formats::coder::{Coded, Coder};
use crate::recording::QUANTUM;
use serde::Serialize;

/// The unit of places in metres. A centimetre is half a pixel of a room on a screen.
const UNIT: f64 = 0.01;

/// The most frames for each second. The page moves bodies evenly between frames.
const MAX_FPS: f64 = 10.0;

/// A body that moves farther than this between two frames was carried, in metres for each second.
const JUMP_SPEED: f64 = 12.0;

/// What the page must know to read the places.
#[derive(Serialize)]
pub struct Track {
    /// The unit of places in metres.
    unit: f64,
    /// What is added to places.
    low: [f64; 2],
    start: f64,
    fps: f64,
    frames: usize,
    samples: usize,
    agents: usize,
    radius: Vec<f64>,
    /// The number of the exit of each body; -1 if it has none.
    exit: Vec<i64>,
    /// A longer way between two frames was not walked, in metres.
    jump: f64,
    /// What was left out.
    note: String,
    /// The frames, as the coder writes them.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// Packs the places of a recording into at most `max_bytes`, if need be by leaving frames out.
pub fn track(recording: &Recording, max_bytes: usize) -> Track {
    let mut stride = (recording.fps() / MAX_FPS).ceil().max(1.0) as usize;
    let low = recording.bounds()[0];
    let (mut bytes, mut samples) = pack(recording, stride, low);
    while bytes.len() > max_bytes && stride < recording.frames() {
        stride = (stride * bytes.len().div_ceil(max_bytes)).min(recording.frames());
        (bytes, samples) = pack(recording, stride, low);
    }
    let fps = recording.fps() / stride as f64;
    let every = stride * recording.thinned() as usize;
    let recorded = clearway_base::error::short(recording.header().fps);
    let note = if every == 1 {
        String::new()
    } else {
        format!(
            "The playback shows one frame of {every} of those recorded at {recorded} /s, with even movement between."
        )
    };
    Track {
        unit: UNIT,
        low,
        start: recording.time(0),
        fps,
        frames: recording.frames().div_ceil(stride),
        samples,
        agents: recording.agents().len(),
        radius: recording.agents().iter().map(|agent| (agent.radius * 1e3).round() / 1e3).collect(),
        exit: exits(recording),
        jump: JUMP_SPEED / fps,
        note,
        bytes,
    }
}

/// Packs every so many frames. Returns the bytes and the number of bodies over all frames.
fn pack(recording: &Recording, stride: usize, low: [f64; 2]) -> (Vec<u8>, usize) {
    let mut coder = Coder::new(recording.agents().len());
    let (mut bytes, mut samples) = (Vec::new(), 0);
    for index in (0..recording.frames()).step_by(stride) {
        let coded: Vec<_> = recording
            .frame(index)
            .iter()
            .map(|sample| {
                let place =
                    |axis: usize| ((f64::from(sample.at[axis]) * QUANTUM - low[axis]) / UNIT).round() as i32;
                let storey = recording.geometry().storey_of(sample.z()) as i32;
                let speed = (sample.speed() * 100.0).round() as u32;
                Coded {
                    agent: sample.agent,
                    at: [place(0), place(1), storey],
                    word: speed << 1 | u32::from(sample.walks),
                }
            })
            .collect();
        samples += coded.len();
        coder.put(&mut bytes, &coded);
    }
    (bytes, samples)
}

/// Returns the exit at which each body left or arrived.
fn exits(recording: &Recording) -> Vec<i64> {
    let mut exits = vec![-1; recording.agents().len()];
    for event in recording.events().iter().filter(|event| event.kind.is_arrival()) {
        if let (Some(place), Some(exit)) = (exits.get_mut(event.agent as usize), event.exit) {
            *place = i64::from(exit);
        }
    }
    exits
}

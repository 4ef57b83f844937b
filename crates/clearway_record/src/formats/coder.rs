//! Frames as differences: each body is written as the error of a guess that it walks on as before.
//!
//! A frame holds runs of bodies that are there, then four numbers for each: x, y, the third coordinate and a word that
//! holds its speed. The same coder serves `.cwt` files and, in coarser units, the report page.

use super::bytes::{Source, put, put_signed};
use clearway_base::Result;

/// The least number of bytes of a body in a frame.
pub const LEAST_BYTES: usize = 4;

/// A body in a frame, in the units of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Coded {
    /// The number of the body.
    pub agent: u32,
    /// Its place.
    pub at: [i32; 3],
    /// Its speed and what else belongs to it.
    pub word: u32,
}

/// What both sides remember of a body.
#[derive(Clone, Copy, Default)]
struct Known {
    last: [i32; 3],
    before: [i32; 3],
    word: u32,
    /// The frame in which it was seen last, counted from 1.
    seen: u32,
    /// True if it was seen in the frame before that, too.
    was_here: bool,
}

impl Known {
    /// Guesses the place in a frame.
    fn guess(&self, frame: u32) -> [i64; 3] {
        let last = self.last.map(i64::from);
        if !(self.was_here && self.seen + 1 == frame) {
            return last;
        }
        [0, 1, 2].map(|axis| 2 * last[axis] - i64::from(self.before[axis]))
    }

    /// Learns the place in a frame.
    fn learn(&mut self, coded: &Coded, frame: u32) {
        self.was_here = self.seen > 0 && self.seen + 1 == frame;
        self.before = self.last;
        self.last = coded.at;
        self.word = coded.word;
        self.seen = frame;
    }
}

/// Writes or reads frames in order.
pub struct Coder {
    known: Vec<Known>,
    frame: u32,
}

impl Coder {
    /// Begins a recording of so many bodies.
    pub fn new(agents: usize) -> Coder {
        Coder { known: vec![Known::default(); agents], frame: 0 }
    }

    /// Appends a frame. Its bodies are in the order of their numbers.
    pub fn put(&mut self, buffer: &mut Vec<u8>, frame: &[Coded]) {
        self.frame += 1;
        put_runs(buffer, frame);
        for coded in frame {
            let Some(known) = self.known.get_mut(coded.agent as usize) else { continue };
            let guess = known.guess(self.frame);
            for (at, guess) in coded.at.iter().zip(guess) {
                put_signed(buffer, i64::from(*at) - guess);
            }
            put_signed(buffer, i64::from(coded.word) - i64::from(known.word));
            known.learn(coded, self.frame);
        }
    }

    /// Takes the next frame.
    pub fn take(&mut self, source: &mut Source) -> Result<Vec<Coded>> {
        self.frame += 1;
        let mut frame = take_runs(source, self.known.len())?;
        for coded in &mut frame {
            let known = &mut self.known[coded.agent as usize];
            let guess = known.guess(self.frame);
            for (at, guess) in coded.at.iter_mut().zip(guess) {
                let value = source.signed()?.checked_add(guess).and_then(|value| i32::try_from(value).ok());
                *at = value.ok_or_else(|| source.fault("a place does not fit 32 bits"))?;
            }
            let word = source.signed()?.checked_add(i64::from(known.word));
            let word = word.and_then(|word| u32::try_from(word).ok());
            coded.word = word.ok_or_else(|| source.fault("a speed does not fit 32 bits"))?;
            known.learn(coded, self.frame);
        }
        Ok(frame)
    }
}

/// Appends which bodies are there: the number of runs, then how many bodies each skips and has.
fn put_runs(buffer: &mut Vec<u8>, frame: &[Coded]) {
    let follows = |a: &Coded, b: &Coded| b.agent == a.agent + 1;
    put(buffer, frame.chunk_by(follows).count() as u64);
    let mut next = 0;
    for run in frame.chunk_by(follows) {
        let first = run[0].agent;
        put(buffer, u64::from(first - next));
        put(buffer, run.len() as u64 - 1);
        next = first + run.len() as u32;
    }
}

/// Takes which bodies are there.
fn take_runs(source: &mut Source, agents: usize) -> Result<Vec<Coded>> {
    let runs = source.count(2)?;
    let mut frame = Vec::new();
    let mut next = 0usize;
    for run in 0..runs {
        let skip = source.number()?;
        let length = source.number()?.saturating_add(1);
        if run > 0 && skip == 0 {
            return Err(source.fault("two runs of bodies could be one"));
        }
        let end = (next as u64).saturating_add(skip).saturating_add(length);
        if end > agents as u64 {
            return Err(source.fault(&format!("a frame names a body beyond the last of {agents}")));
        }
        // Each body takes bytes behind the runs, so memory stays in proportion to the file.
        if (frame.len() as u64 + length) > (source.left() / LEAST_BYTES) as u64 {
            return Err(source.fault("a frame has more bodies than the rest of the file can hold"));
        }
        let first = next + skip as usize;
        next = end as usize;
        frame.extend((first..next).map(|agent| Coded { agent: agent as u32, ..Coded::default() }));
    }
    Ok(frame)
}

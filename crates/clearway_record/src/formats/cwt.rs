//! Our own binary, `.cwt`: magic, version, header, bodies, events, frames as differences, checksum.
//!
//! Invariant: equal recordings have equal bytes. The reader trusts nothing, and its memory grows with the file.

use super::bytes::{Checksum, Sink, Source, put, put_f64};
use super::coder::{Coded, Coder};
use super::parts;
use crate::Recording;
use crate::recorder::check_header;
use crate::recording::Sample;
use clearway_base::{Error, ErrorKind, Result};
use std::io::{self, Write};

/// The first bytes of every file.
const MAGIC: &[u8; 8] = b"CLWTRACK";

/// The version that is written and read.
const VERSION: u32 = 3;

/// The bytes of the checksum at the end.
const SUM_BYTES: usize = 8;

/// Returns the bytes of a `.cwt` file.
pub fn encode(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = write(recording, &mut bytes);
    bytes
}

/// Writes the bytes of a `.cwt` file to a stream.
pub fn write(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    let mut sink = Sink::new(out);
    let buffer = sink.buffer();
    buffer.extend(MAGIC);
    buffer.extend(VERSION.to_le_bytes());
    parts::put_header(buffer, &recording.header);
    parts::put_measures(buffer, &recording.measures);
    parts::put_spaces(buffer, &recording.spaces);
    parts::put_readings(buffer, &recording.readings);
    put_f64(buffer, recording.start);
    put_f64(buffer, recording.end);
    put(buffer, u64::from(recording.every));
    parts::put_agents(buffer, &recording.agents);
    parts::put_events(buffer, &recording.events);
    put(buffer, recording.frames.len() as u64);
    let mut coder = Coder::new(recording.agents.len());
    let mut coded = Vec::new();
    for frame in &recording.frames {
        coded.clear();
        coded.extend(frame.iter().map(to_coded));
        coder.put(sink.buffer(), &coded);
        sink.relieve()?;
    }
    sink.finish()
}

/// Reads the bytes of a `.cwt` file.
pub fn decode(bytes: &[u8]) -> Result<Recording> {
    let content = checked(bytes)?;
    let mut source = Source::new(content);
    source.take(MAGIC.len() + 4)?;
    let header = parts::take_header(&mut source)?;
    check_header(&header)?;
    let measures = parts::take_measures(&mut source)?;
    let spaces = parts::take_spaces(&mut source)?;
    let readings = parts::take_readings(&mut source, header.geometry.probes.len())?;
    let (start, end) = (source.f64()?, source.f64()?);
    let every = source.small()?;
    if every == 0 {
        return Err(source.fault("one frame of 0 is kept"));
    }
    let agents = parts::take_agents(&mut source)?;
    let events = parts::take_events(&mut source, agents.len(), header.geometry.exits.len())?;
    let count = source.count(1)?;
    let mut coder = Coder::new(agents.len());
    let frame = |_| coder.take(&mut source)?.iter().map(|coded| from_coded(coded, &source)).collect();
    let frames = (0..count).map(frame).collect::<Result<Vec<Box<[Sample]>>>>()?;
    if source.left() > 0 {
        return Err(source.fault(&format!("{} bytes follow the last frame", source.left())));
    }
    Ok(Recording { header, agents, frames, events, measures, spaces, readings, start, end, every })
}

/// Returns the bytes in front of the checksum, if magic, version and checksum are right.
fn checked(bytes: &[u8]) -> Result<&[u8]> {
    if !bytes.starts_with(MAGIC) {
        return Err(Error::new(ErrorKind::Unsupported, "not a .cwt file: it does not start with CLWTRACK"));
    }
    let version = bytes.get(8..12).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    if let Some(version) = version.filter(|version| *version != VERSION) {
        let message = format!("version {version} of the .cwt format is not known; version {VERSION} is");
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let split = bytes.len().saturating_sub(SUM_BYTES);
    let (content, stored) = bytes.split_at(split);
    let stored = stored.try_into().map(u64::from_le_bytes).unwrap_or_default();
    let mut sum = Checksum::new();
    sum.add(content);
    if sum.value() == stored {
        return Ok(content);
    }
    let message = format!(
        "the checksum is {stored:016x}, the content gives {:016x}: damaged or cut short",
        sum.value()
    );
    Err(Error::new(ErrorKind::Syntax, message))
}

fn to_coded(sample: &Sample) -> Coded {
    Coded { agent: sample.agent, at: sample.at, word: u32::from(sample.speed) << 1 | u32::from(sample.walks) }
}

fn from_coded(coded: &Coded, source: &Source) -> Result<Sample> {
    let speed = u16::try_from(coded.word >> 1).map_err(|_| source.fault("a speed is out of range"))?;
    Ok(Sample { agent: coded.agent, at: coded.at, speed, walks: coded.word & 1 == 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{self, Dice};

    #[test]
    fn recordings_come_back() {
        let recording = testing::door(200, 1);
        let bytes = encode(&recording);
        let read = decode(&bytes).unwrap();
        assert!(read == recording);
        assert_eq!(encode(&read), bytes);
        let each = bytes.len() as f64 / recording.samples() as f64;
        assert!(each < 9.0, "{each} bytes for each body and frame");
    }

    /// Puts a right checksum behind damaged content, so that the parts behind it are tested.
    fn sealed(mut content: Vec<u8>) -> Vec<u8> {
        let mut sum = Checksum::new();
        sum.add(&content);
        content.extend(sum.value().to_le_bytes());
        content
    }

    #[test]
    fn damaged_bytes_give_errors_or_other_recordings() {
        let bytes = encode(&testing::door(12, 2));
        let content = &bytes[..bytes.len() - SUM_BYTES];
        let mut dice = Dice::new(11);
        let (mut refused, mut read) = (0, 0);
        for _ in 0..4000 {
            let mut damaged = content.to_vec();
            for _ in 0..1 + dice.below(3) {
                let at = 12 + dice.below(damaged.len() as u64 - 12) as usize;
                damaged[at] = dice.below(256) as u8;
            }
            if dice.below(4) == 0 {
                damaged.truncate(dice.below(damaged.len() as u64) as usize);
            }
            match decode(&sealed(damaged.clone())) {
                Err(_) => refused += 1,
                Ok(recording) => {
                    assert_eq!(encode(&recording), sealed(damaged));
                    read += 1;
                }
            }
        }
        assert!(refused > 1000 && read > 100, "{refused} refused, {read} read");
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_seen() {
        let bytes = encode(&testing::door(3, 2));
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length]).is_err(), "cut at {length}");
        }
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(decode(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn announced_lengths_take_no_memory() {
        let mut bytes = encode(&testing::door(3, 2))[..12].to_vec();
        bytes.extend(10f64.to_le_bytes());
        bytes.push(1);
        // A model name of 2^62 bytes.
        bytes.extend([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f]);
        let error = decode(&sealed(bytes)).unwrap_err();
        assert!(error.to_string().contains("does not fit the rest of the file"), "{error}");
    }
}

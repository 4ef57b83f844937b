//! Numbers as bytes: little endian, whole numbers in groups of 7 bits, with a checksum over what was written.

use clearway_base::{Error, ErrorKind, Result};
use std::io::{self, Write};

/// Bytes are handed on when this many have gathered.
const FLUSH_BYTES: usize = 1 << 16;

/// Writes numbers to a stream, and sums them up.
pub struct Sink<'a> {
    out: &'a mut dyn Write,
    buffer: Vec<u8>,
    sum: Checksum,
}

impl<'a> Sink<'a> {
    /// Makes a sink into a stream.
    pub fn new(out: &'a mut dyn Write) -> Sink<'a> {
        Sink { out, buffer: Vec::with_capacity(2 * FLUSH_BYTES), sum: Checksum::new() }
    }

    /// The bytes that wait to be written; coders append to them.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes what waits if it is much.
    pub fn relieve(&mut self) -> io::Result<()> {
        if self.buffer.len() >= FLUSH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes the rest and the checksum.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.out.write_all(&self.sum.value().to_le_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sum.add(&self.buffer);
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// A 64-bit checksum over words of 8 bytes. It guards against damage, not against forgery.
pub struct Checksum {
    state: u64,
    rest: Vec<u8>,
    length: u64,
}

impl Checksum {
    /// Makes the checksum of nothing.
    pub fn new() -> Checksum {
        Checksum { state: 0x7472_6163_6b73_0a1a, rest: Vec::with_capacity(8), length: 0 }
    }

    /// Adds bytes. The parts in which they come do not matter.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        while !self.rest.is_empty() && self.rest.len() < 8 && !bytes.is_empty() {
            self.rest.push(bytes[0]);
            bytes = &bytes[1..];
        }
        if let Ok(word) = <[u8; 8]>::try_from(self.rest.as_slice()) {
            self.mix(u64::from_le_bytes(word));
            self.rest.clear();
        }
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.mix(u64::from_le_bytes(*word)));
        self.rest.extend(rest);
    }

    /// Returns the sum of all bytes so far.
    pub fn value(&self) -> u64 {
        let mut last = [0; 8];
        last.iter_mut().zip(&self.rest).for_each(|(place, byte)| *place = *byte);
        let mut end = Checksum { state: self.state, rest: Vec::new(), length: 0 };
        end.mix(u64::from_le_bytes(last));
        end.mix(self.length);
        end.state
    }

    fn mix(&mut self, word: u64) {
        let product = (self.state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.state = product ^ (product >> 29);
    }
}

/// Appends a whole number in groups of 7 bits, the lowest first.
pub fn put(buffer: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        buffer.push(value as u8 | 0x80);
        value >>= 7;
    }
    buffer.push(value as u8);
}

/// Appends a number with a sign: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …
pub fn put_signed(buffer: &mut Vec<u8>, value: i64) {
    put(buffer, (value << 1 ^ value >> 63) as u64);
}

/// Appends a number as it is in memory.
pub fn put_f64(buffer: &mut Vec<u8>, value: f64) {
    buffer.extend(value.to_le_bytes());
}

/// Appends a text with its length.
pub fn put_text(buffer: &mut Vec<u8>, text: &str) {
    put(buffer, text.len() as u64);
    buffer.extend(text.as_bytes());
}

/// Reads numbers from bytes that nobody vouches for.
pub struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Source<'a> {
    /// Begins at the start of the bytes.
    pub fn new(bytes: &'a [u8]) -> Source<'a> {
        Source { bytes, at: 0 }
    }

    /// The number of bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Makes an error that tells where it was found.
    pub fn fault(&self, what: &str) -> Error {
        Error::new(ErrorKind::Syntax, format!("byte {}: {what}", self.at))
    }

    /// Takes the next bytes.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        if length > self.left() {
            return Err(self.fault("the file is cut short"));
        }
        let taken = &self.bytes[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    /// Takes a byte.
    pub fn byte(&mut self) -> Result<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or_else(|| self.fault("the file is cut short"))?;
        self.at += 1;
        Ok(byte)
    }

    /// Takes a whole number. Only its shortest form is accepted.
    pub fn number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && byte > 1 || shift > 0 && byte == 0 {
                return Err(self.fault("a number is not in its shortest form"));
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.fault("a number is too long"))
    }

    /// Takes a number with a sign.
    pub fn signed(&mut self) -> Result<i64> {
        let value = self.number()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Takes a number that must fit 32 bits.
    pub fn small(&mut self) -> Result<u32> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.fault("a number does not fit 32 bits"))
    }

    /// Takes the length of a list whose elements take at least `least` bytes each.
    pub fn count(&mut self, least: usize) -> Result<usize> {
        let count = self.number()?;
        if count > (self.left() / least.max(1)) as u64 {
            return Err(self.fault(&format!("a list of {count} elements does not fit the rest of the file")));
        }
        Ok(count as usize)
    }

    /// Takes a finite number.
    pub fn f64(&mut self) -> Result<f64> {
        let bytes = self.take(8)?;
        let value = bytes.try_into().map(f64::from_le_bytes).unwrap_or(f64::NAN);
        if value.is_finite() { Ok(value) } else { Err(self.fault("a number is not finite")) }
    }

    /// Takes a text.
    pub fn text(&mut self) -> Result<String> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| self.fault("a text is not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut buffer = Vec::new();
        let values = [0, 1, -1, 63, 64, -64, -65, 1 << 40, i64::MAX, i64::MIN];
        values.iter().for_each(|value| put_signed(&mut buffer, *value));
        let mut source = Source::new(&buffer);
        values.iter().for_each(|value| assert_eq!(source.signed().unwrap(), *value));
        assert_eq!(source.left(), 0);
        for bad in [&[0x80, 0][..], &[0xff; 10], &[0x80]] {
            assert!(Source::new(bad).number().is_err());
        }
    }

    #[test]
    fn the_checksum_does_not_depend_on_the_parts() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = |bytes: &[u8]| {
            let mut sum = Checksum::new();
            sum.add(bytes);
            sum.value()
        };
        for split in 0..100 {
            let mut sum = Checksum::new();
            sum.add(&bytes[..split]);
            sum.add(&bytes[split..split]);
            sum.add(&bytes[split..]);
            assert_eq!(sum.value(), whole(&bytes));
        }
        assert_ne!(whole(&bytes[..99]), whole(&bytes));
    }
}

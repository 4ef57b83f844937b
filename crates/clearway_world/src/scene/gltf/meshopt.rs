//! The codecs of `EXT_meshopt_compression` and `KHR_meshopt_compression`: vertices, triangles, and indices, each into
//! plain bytes.
//!
//! Vertices are coded byte by byte as differences, in groups of sixteen. Version 0 has two bits of header for each group.
//! Version 1 begins each block with two bits for each byte of a vertex: they choose between two sets of widths, no data,
//! and plain data. Its tail says for each four bytes whether they are differences of bytes, differences of numbers of 16
//! bits, or changed bits of a number of 32 bits.
//!
//! Invariant: memory grows with the bytes that a stream holds. Every element of the triangle and index codecs takes at
//! least one byte. Of vertices a byte makes at most 64 in version 0 and 1024 in version 1, and never more than a GiB in
//! all. What is announced beyond that is refused before anything is allocated.

/// The bytes of vertices that are decoded at one time, at most.
const BLOCK_BYTES: usize = 8192;

/// The vertices that are decoded at one time, at most.
const BLOCK_VERTICES: usize = 256;

/// The number of vertices of which one byte each is coded together.
const GROUP: usize = 16;

/// The least number of bytes at the end of a stream of vertices, by version.
const LEAST_TAIL: [usize; 2] = [32, 24];

/// The greatest number of bytes that one byte of input can make, by version. In version 1 two bits can stand for the 256
/// bytes of a block.
const MOST_GROWTH: [usize; 2] = [64, 1024];

/// The greatest number of bytes of vertices in one stream: few bytes must not fill the memory.
const MOST_BYTES: usize = 1 << 30;

/// The widths in bits that the header of a group chooses from: of version 0, and of version 1 by the byte's control.
const WIDTHS: [[usize; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// The bytes at the end of a stream of triangles, which hold common codes.
const TRIANGLE_TAIL: usize = 16;

/// The bytes at the end of a stream of indices.
const INDEX_TAIL: usize = 4;

/// Bytes that are read from front to back. Reading beyond the end gives `None`.
#[derive(Default)]
struct Input<'a> {
    /// The bytes that are left.
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// Takes so many bytes.
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// Takes one byte.
    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Takes a whole number of seven bits per byte, the lowest first.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= u32::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        Some(number)
    }

    /// Takes an index as the difference to another.
    fn index(&mut self, last: u32) -> Option<u32> {
        let number = self.number()?;
        Some(last.wrapping_add((number >> 1) ^ (number & 1).wrapping_neg()))
    }
}

/// Decodes `count` vertices of `stride` bytes. The message says what is wrong with the stream.
pub(super) fn vertices(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, &'static str> {
    if stride == 0 || stride > BLOCK_VERTICES || !stride.is_multiple_of(4) {
        return Err("its stride is not a multiple of 4 up to 256");
    }
    let version = match stream.first() {
        Some(0xa0) => 0,
        Some(0xa1) => 1,
        Some(0xa2..=0xaf) => return Err("its vertices have a version above 1"),
        _ => return Err("it does not begin as vertices do"),
    };
    let short = "it ends within its vertices";
    let size =
        count.checked_mul(stride).filter(|size| size / MOST_GROWTH[version] <= stream.len()).ok_or(short)?;
    if size > MOST_BYTES {
        return Err("its vertices take more than 1 GiB");
    }
    let tail = stride + version * stride / 4;
    let body =
        stream.len().checked_sub(tail.max(LEAST_TAIL[version])).filter(|end| *end >= 1).ok_or(short)?;
    let (last, channels) = stream[stream.len() - tail..].split_at(stride);
    if channels.iter().any(|channel| channel & 3 == 3) {
        return Err("a channel of its vertices is of an unknown kind");
    }
    let mut last = last.to_vec();
    let mut input = Input { rest: &stream[1..body] };
    let mut out = vec![0; size];
    let block = (BLOCK_BYTES / stride / GROUP * GROUP).min(BLOCK_VERTICES);
    for rows in out.chunks_mut(block * stride) {
        let control = input.take(channels.len()).ok_or(short)?;
        for place in 0..stride {
            let control = control.get(place / 4).map(|bits| bits >> (2 * (place % 4)) & 3);
            let deltas = deltas(&mut input, rows.len() / stride, control).ok_or(short)?;
            for (row, delta) in rows.chunks_exact_mut(stride).zip(deltas) {
                row[place] = delta;
            }
        }
        for row in rows.chunks_exact_mut(stride) {
            add_up(row, &mut last, channels);
        }
    }
    Ok(out)
}

/// Turns the differences of a vertex to the last one into its bytes.
fn add_up(row: &mut [u8], last: &mut [u8], channels: &[u8]) {
    for (number, (delta, last)) in row.chunks_exact_mut(4).zip(last.chunks_exact_mut(4)).enumerate() {
        let channel = channels.get(number).copied().unwrap_or(0);
        match channel & 3 {
            0 => {
                for (last, delta) in last.iter_mut().zip(&*delta) {
                    *last = last.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                }
            }
            1 => {
                for (last, delta) in last.chunks_exact_mut(2).zip(delta.chunks_exact(2)) {
                    let [delta, old] = [[delta[0], delta[1]], [last[0], last[1]]].map(u16::from_le_bytes);
                    let new = old.wrapping_add((delta >> 1) ^ (delta & 1).wrapping_neg());
                    last.copy_from_slice(&new.to_le_bytes());
                }
            }
            _ => {
                let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                let new = word(last) ^ word(delta).rotate_right(u32::from(channel >> 4));
                last.copy_from_slice(&new.to_le_bytes());
            }
        }
        delta.copy_from_slice(last);
    }
}

/// Reads one byte for each of `count` vertices. `control` is that of the byte in version 1.
fn deltas(input: &mut Input<'_>, count: usize, control: Option<u8>) -> Option<Vec<u8>> {
    let widths = match control {
        None => WIDTHS[0],
        Some(control @ (0 | 1)) => WIDTHS[1 + usize::from(control)],
        Some(2) => return Some(vec![0; count]),
        Some(_) => return Some(input.take(count)?.to_vec()),
    };
    let groups = count.div_ceil(GROUP);
    let header = input.take(groups.div_ceil(4))?;
    let mut deltas = Vec::with_capacity(groups * GROUP);
    for group in 0..groups {
        match widths[usize::from(header[group / 4] >> (2 * (group % 4)) & 3)] {
            0 => deltas.extend([0; GROUP]),
            8 => deltas.extend(input.take(GROUP)?),
            bits => packed(input, bits, &mut deltas)?,
        }
    }
    Some(deltas)
}

/// Reads a group of numbers with so many bits each. The greatest number says that a byte follows. The highest bits of a
/// byte come first, but single bits from the lowest on.
fn packed(input: &mut Input<'_>, bits: usize, deltas: &mut Vec<u8>) -> Option<()> {
    let bytes = input.take(GROUP * bits / 8)?;
    let escape = (1u8 << bits) - 1;
    for place in 0..GROUP {
        let within = place * bits % 8;
        let shift = if bits == 1 { within } else { 8 - bits - within };
        let value = bytes[place * bits / 8] >> shift & escape;
        deltas.push(if value == escape { input.byte()? } else { value });
    }
    Some(())
}

/// Decodes the corners of triangles. The message says what is wrong with the stream.
pub(super) fn triangles(stream: &[u8], count: usize) -> Result<Vec<u32>, &'static str> {
    let fresh_limit = match stream.first() {
        Some(0xe0) => 15,
        Some(0xe1) => 13,
        _ => return Err("it does not begin as triangles do"),
    };
    let short = "it ends within its triangles";
    if !count.is_multiple_of(3) {
        return Err("its count is not a multiple of 3");
    }
    let end = stream.len().checked_sub(TRIANGLE_TAIL).ok_or(short)?;
    let mut codes = Input { rest: stream.get(1..end).ok_or(short)? };
    let codes_of_all = codes.take(count / 3).ok_or(short)?;
    let mut state = Triangles { input: codes, common: &stream[end..], fresh_limit, ..Triangles::default() };
    let mut out = Vec::with_capacity(count);
    for code in codes_of_all {
        out.extend(state.triangle(*code).ok_or(short)?);
    }
    Ok(out)
}

/// The state of the decoder of triangles: edges and vertices that were used lately.
#[derive(Default)]
struct Triangles<'a> {
    /// The bytes after the codes.
    input: Input<'a>,
    /// The common codes.
    common: &'a [u8],
    /// Codes from this one on do not name a vertex that was used lately.
    fresh_limit: u8,
    /// The edges that were used lately, and the place of the next.
    edges: [[u32; 2]; 16],
    next_edge: usize,
    /// The vertices that were used lately, and the place of the next.
    recent: [u32; 16],
    next_recent: usize,
    /// The least vertex that was not used yet.
    next: u32,
    /// The last vertex that was named by its number.
    last: u32,
}

impl Triangles<'_> {
    /// Decodes one triangle.
    fn triangle(&mut self, code: u8) -> Option<[u32; 3]> {
        if code < 0xf0 {
            return self.along_edge(usize::from(code >> 4), code & 15);
        }
        let (first, rest) = match code {
            0xfe => (0, self.input.byte()?),
            0xff => (15, self.input.byte()?),
            _ => (0, *self.common.get(usize::from(code & 15))?),
        };
        if code >= 0xfe && rest == 0 {
            self.next = 0;
        }
        let parts = [first, rest >> 4, rest & 15];
        // All fresh and recent vertices are looked up before any is noted.
        let mut corners = parts.map(|part| match part {
            0 => self.fresh(),
            15 if code >= 0xfe => 0,
            part => self.recent[self.next_recent.wrapping_sub(usize::from(part)) & 15],
        });
        for (corner, part) in corners.iter_mut().zip(parts) {
            if part == 15 && code >= 0xfe {
                self.last = self.input.index(self.last)?;
                *corner = self.last;
            }
        }
        for (place, (corner, part)) in corners.into_iter().zip(parts).enumerate() {
            if place == 0 || part == 0 || (part == 15 && code >= 0xfe) {
                self.note(corner);
            }
        }
        let [a, b, c] = corners;
        [[b, a], [c, b], [a, c]].into_iter().for_each(|edge| self.note_edge(edge));
        Some(corners)
    }

    /// Decodes a triangle that shares an edge with an earlier one.
    fn along_edge(&mut self, edge: usize, part: u8) -> Option<[u32; 3]> {
        let [a, b] = self.edges[self.next_edge.wrapping_sub(1 + edge) & 15];
        let c = match part {
            0 => self.fresh(),
            part if part < self.fresh_limit => {
                self.recent[self.next_recent.wrapping_sub(1 + usize::from(part)) & 15]
            }
            15 => self.input.index(self.last)?,
            13 => self.last.wrapping_sub(1),
            _ => self.last.wrapping_add(1),
        };
        if part >= self.fresh_limit {
            self.last = c;
        }
        if part == 0 || part >= self.fresh_limit {
            self.note(c);
        }
        [[c, b], [a, c]].into_iter().for_each(|edge| self.note_edge(edge));
        Some([a, b, c])
    }

    /// Takes the next vertex that was not used yet.
    fn fresh(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next.wrapping_sub(1)
    }

    /// Notes a vertex as used.
    fn note(&mut self, vertex: u32) {
        self.recent[self.next_recent & 15] = vertex;
        self.next_recent = (self.next_recent + 1) & 15;
    }

    /// Notes an edge as used.
    fn note_edge(&mut self, edge: [u32; 2]) {
        self.edges[self.next_edge & 15] = edge;
        self.next_edge = (self.next_edge + 1) & 15;
    }
}

/// Decodes a list of indices. The message says what is wrong with the stream.
pub(super) fn indices(stream: &[u8], count: usize) -> Result<Vec<u32>, &'static str> {
    if !matches!(stream.first(), Some(0xd0 | 0xd1)) {
        return Err("it does not begin as indices do");
    }
    let short = "it ends within its indices";
    let end = stream.len().checked_sub(INDEX_TAIL).ok_or(short)?;
    let mut input = Input { rest: stream.get(1..end).ok_or(short)? };
    if count > input.rest.len() {
        return Err(short);
    }
    let (mut last, mut current) = ([0u32; 2], 0);
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let number = input.number().ok_or(short)?;
        current ^= (number & 1) as usize;
        let number = number >> 1;
        last[current] = last[current].wrapping_add((number >> 1) ^ (number & 1).wrapping_neg());
        out.push(last[current]);
    }
    Ok(out)
}

/// Turns numbers of 24 bits with an exponent of 8 bits into floats, in place.
pub(super) fn exponents(bytes: &mut [u8]) {
    for word in bytes.chunks_exact_mut(4) {
        let bits = i32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let value = f64::from(bits << 8 >> 8) * 2f64.powi(bits >> 24);
        word.copy_from_slice(&(value as f32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream written by hand: four vertices of four bytes. All differences are zero but those of the first byte, which
    /// are 2, 2, 2, 2 in groups of two bits with an escape (zigzag 4 does not fit two bits).
    #[test]
    fn vertices_are_summed_up() {
        let mut stream = vec![0xa0];
        // The first byte of all vertices: one group of two bits, all of the first four escaped.
        stream.extend([0b01, 0b1111_1111, 0, 0, 0, 4, 4, 4, 4]);
        stream.extend([0, 0, 0]);
        stream.extend([0; 28]);
        stream.extend([10, 20, 30, 40]);
        let bytes = vertices(&stream, 4, 4).unwrap();
        assert_eq!(bytes, [12, 20, 30, 40, 14, 20, 30, 40, 16, 20, 30, 40, 18, 20, 30, 40]);
        for length in 0..stream.len() {
            let _ = vertices(&stream[..length], 4, 4);
        }
        assert!(vertices(&stream, 1 << 40, 4).is_err() && vertices(&stream, 4, 3).is_err());
    }

    /// A stream of version 1 written by hand: four vertices of twelve bytes, four bytes of each kind of channel.
    #[test]
    fn vertices_of_version_1_have_channels() {
        let mut stream = vec![0xa1];
        // Two bits for each byte of a vertex, the first byte lowest: plain, none, group, none; twice small group, none,
        // none; plain, none, none, none.
        stream.extend([0b10_00_10_11, 0b10_10_00_00, 0b10_10_10_11]);
        // Byte 0, plain: zigzag 2 is 1, 1 is -1.
        stream.extend([2, 1, 2, 0]);
        // Byte 2, single bits from the lowest on: the third vertex has a byte of its own, 4 is 2.
        stream.extend([0b01, 0b0000_0100, 0, 4]);
        // Bytes 4 and 5, numbers of 16 bits: zigzag 600 is 300, for the first vertex; then 0. Two bits, then four.
        stream.extend([0b10, 0b11_00_00_00, 0, 0, 0, 600u16.to_le_bytes()[0]]);
        stream.extend([0b11, 0x20, 0, 0, 0, 0, 0, 0, 0]);
        // Byte 8, plain: changed bits, rotated right by 4.
        stream.extend([0x10, 0, 0x0f, 0]);
        stream.extend([0; 24 - 15]);
        stream.extend([10, 20, 30, 40, 100, 0, 7, 0, 1, 0, 0, 0]);
        stream.extend([0, 1, 2 | 4 << 4]);
        let bytes = vertices(&stream, 4, 12).unwrap();
        let row = |number: usize| &bytes[12 * number..][..12];
        assert_eq!(row(0), [11, 20, 30, 40, 144, 1, 7, 0, 0, 0, 0, 0]);
        assert_eq!(row(1), [10, 20, 30, 40, 144, 1, 7, 0, 0, 0, 0, 0]);
        assert_eq!(row(2), [11, 20, 32, 40, 144, 1, 7, 0, 0, 0, 0, 0xf0]);
        assert_eq!(row(3), row(2));
        for length in 0..stream.len() {
            let _ = vertices(&stream[..length], 4, 12);
        }
        assert!(vertices(&stream, 1 << 20, 12).is_err());
        let end = stream.len();
        stream[end - 1] = 3;
        assert_eq!(vertices(&stream, 4, 12), Err("a channel of its vertices is of an unknown kind"));
        stream[0] = 0xa2;
        assert_eq!(vertices(&stream, 4, 12), Err("its vertices have a version above 1"));
    }

    /// Two triangles that share an edge, by the codes of the format: a fresh triangle, then a fresh vertex along its last
    /// edge but one.
    #[test]
    fn triangles_share_edges() {
        let mut stream = vec![0xe1, 0xf0, 0x10];
        stream.extend([0; 16]);
        assert_eq!(triangles(&stream, 6).unwrap(), [0, 1, 2, 2, 1, 3]);
        assert!(triangles(&stream, 9).is_err() && triangles(&stream[..10], 6).is_err());
    }

    #[test]
    fn indices_are_differences_to_two_others() {
        // Rises by 5 on the first base; falls by 1 on it; then 3 on the second base.
        let stream = [0xd1, 5 << 2, 1 << 1, 3 << 2 | 1, 0, 0, 0, 0];
        assert_eq!(indices(&stream, 3).unwrap(), [5, 4, 3]);
        assert!(indices(&stream, 4).is_err());
    }

    #[test]
    fn exponents_become_floats() {
        let mut bytes = [(-3i32 << 24 | 12).to_le_bytes(), (0xff_fffe_i32).to_le_bytes()].concat();
        exponents(&mut bytes);
        let float = |place: usize| f32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[4 * place + i]));
        assert_eq!((float(0), float(1)), (1.5, -2.0));
    }
}

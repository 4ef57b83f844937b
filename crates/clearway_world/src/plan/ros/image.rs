//! The pictures of ROS maps: PGM as text and binary, and PNG, as brightness from 0 to 255 and opacity.
//!
//! Memory grows with the picture, whose size is bounded before it is decoded. Cost: linear in the pixels.

use crate::plan::MAX_MAP_SIDE;
use clearway_base::error::{Error, ErrorKind, Result};

/// The greatest number of pixels: a map of 16,384 by 16,384 cells has as many.
const MAX_PIXELS: usize = 1 << 28;

/// A picture.
pub(super) struct Image {
    /// The number of pixels in a row.
    pub(super) width: usize,
    /// The number of rows.
    pub(super) height: usize,
    /// The brightness of each pixel, row by row from the top.
    pub(super) shades: Vec<u8>,
    /// True for each pixel that is not opaque; empty if all are.
    pub(super) clear: Vec<bool>,
}

impl Image {
    /// Reads a picture by its first bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Image> {
        match bytes {
            [b'P', b'2' | b'5', ..] => read_pgm(bytes),
            [0x89, b'P', b'N', b'G', ..] => read_png(bytes),
            _ => {
                let message = "the picture is neither PGM (P2, P5) nor PNG";
                Err(Error::new(ErrorKind::Unsupported, message))
            }
        }
    }
}

/// Refuses pictures of no or too many pixels.
fn check_size(width: usize, height: usize) -> Result<()> {
    if width == 0 || height == 0 {
        return Err(Error::new(ErrorKind::Empty, format!("the picture has {width} by {height} pixels")));
    }
    if width > MAX_MAP_SIDE || height > MAX_MAP_SIDE || width * height > MAX_PIXELS {
        let message =
            format!("the picture has {width} by {height} pixels; the limit of a side is {MAX_MAP_SIDE}");
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    Ok(())
}

/// Reads a PGM picture.
fn read_pgm(bytes: &[u8]) -> Result<Image> {
    let mut words = Words { bytes, at: 2 };
    let [width, height, most] = [words.number("width")?, words.number("height")?, words.number("maximum")?];
    check_size(width, height)?;
    if most == 0 || most > 65535 {
        return Err(Error::new(
            ErrorKind::OutOfRange,
            format!("the maximum of the picture is {most}, not 1 to 65535"),
        ));
    }
    let count = width * height;
    let shade = |value: usize| (value.min(most) * 255 / most) as u8;
    let mut shades = Vec::new();
    if bytes[1] == b'2' {
        for pixel in 0..count {
            let value = words
                .number("a pixel")
                .map_err(|error| Error::new(error.kind(), format!("pixel {pixel} of {count}: {error}")))?;
            shades.push(shade(value));
        }
        return Ok(Image { width, height, shades, clear: Vec::new() });
    }
    // One white space ends the header.
    let wide = most > 255;
    let data = bytes.get(words.at + 1..).unwrap_or_default();
    let needed = if wide { 2 * count } else { count };
    let Some(data) = data.get(..needed) else {
        let message =
            format!("the picture is cut off: {} bytes of pixels, but {needed} are needed", data.len());
        return Err(Error::new(ErrorKind::Syntax, message));
    };
    shades = match wide {
        true => {
            data.chunks_exact(2).map(|pair| shade(usize::from(pair[0]) << 8 | usize::from(pair[1]))).collect()
        }
        false if most == 255 => data.to_vec(),
        false => data.iter().map(|value| shade(usize::from(*value))).collect(),
    };
    Ok(Image { width, height, shades, clear: Vec::new() })
}

/// The words of a PGM header; `#` starts a comment up to the end of its line.
struct Words<'a> {
    /// The file.
    bytes: &'a [u8],
    /// The place of the next byte.
    at: usize,
}

impl Words<'_> {
    /// The next number.
    fn number(&mut self, what: &str) -> Result<usize> {
        loop {
            match self.bytes.get(self.at) {
                Some(b'#') => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                }
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&rest[..digits.min(10)]).unwrap_or_default();
        self.at += digits;
        text.parse().map_err(|_| {
            Error::new(
                ErrorKind::Syntax,
                format!("byte {}: expected the {what} of the picture, a number", self.at),
            )
        })
    }
}

/// Reads a PNG picture of any colour type.
fn read_png(bytes: &[u8]) -> Result<Image> {
    let broken = |error: png::DecodingError| {
        let text: String = error.to_string().chars().take(200).collect();
        Error::new(ErrorKind::Syntax, format!("the PNG picture is damaged: {text}"))
    };
    let limits = png::Limits { bytes: 5 * MAX_PIXELS };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    check_size(width, height)?;
    let (colour, _) = reader.output_color_type();
    let samples = colour.samples();
    let (mut shades, mut clear) = (Vec::new(), Vec::new());
    // Rows are read one by one: a small file cannot ask for much memory at once.
    while let Some(row) = reader.next_row().map_err(broken)? {
        for pixel in row.data().chunks_exact(samples) {
            let (colours, alpha) = match samples {
                2 | 4 => (&pixel[..samples - 1], pixel[samples - 1]),
                _ => (pixel, 255),
            };
            let sum: u32 = colours.iter().map(|value| u32::from(*value)).sum();
            shades.push((sum / colours.len() as u32) as u8);
            clear.push(alpha < 255);
        }
    }
    if shades.len() != width * height {
        return Err(Error::new(ErrorKind::Syntax, "the PNG picture has fewer rows than it announces"));
    }
    if !clear.contains(&true) {
        clear.clear();
    }
    Ok(Image { width, height, shades, clear })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_pgm_are_read() {
        let text = Image::read(b"P2 # a comment\n2 # two\n2\n15\n0 15 3\n# more\n99").unwrap();
        assert_eq!((text.width, text.height, text.shades), (2, 2, vec![0, 255, 51, 255]));
        let binary = Image::read(b"P5\n3 1 255\n\x00\xcd\xff").unwrap();
        assert_eq!(binary.shades, [0, 205, 255]);
        let wide = Image::read(b"P5 1 1 65535 \xff\xff").unwrap();
        assert_eq!(wide.shades, [255]);
    }

    #[test]
    fn bad_pictures_are_refused() {
        let cases: [(&[u8], &str); 7] = [
            (b"GIF89a", "the picture is neither PGM (P2, P5) nor PNG"),
            (b"P5 2 2 255 \x00", "the picture is cut off: 1 bytes of pixels, but 4 are needed"),
            (b"P5 0 2 255 ", "the picture has 0 by 2 pixels"),
            (b"P5 99999 2 255 ", "the picture has 99999 by 2 pixels; the limit of a side is 16384"),
            (b"P5 2 2 0 ", "the maximum of the picture is 0, not 1 to 65535"),
            (b"P2 2 1 255 7 x", "pixel 1 of 2: byte 13: expected the a pixel of the picture, a number"),
            (b"P5 x", "byte 3: expected the width of the picture, a number"),
        ];
        for (bytes, message) in cases {
            assert_eq!(Image::read(bytes).map(|_| ()).unwrap_err().to_string(), message);
        }
        assert!(
            Image::read(b"\x89PNG\r\n\x1a\nxxxx").map(|_| ()).unwrap_err().to_string().contains("damaged")
        );
    }
}

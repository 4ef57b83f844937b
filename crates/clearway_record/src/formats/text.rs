//! Text as the archive of pedestrian data has it: `#` lines, then id, frame, x, y and z in columns.

use crate::Recording;
use std::io::{self, Write};

/// Writes the text.
pub fn write(recording: &Recording, out: &mut dyn Write) -> io::Result<()> {
    let header = recording.header();
    writeln!(
        out,
        "# description: {} ({}), seed {}",
        line(&header.scenario),
        line(&header.model),
        header.seed
    )?;
    writeln!(out, "# framerate: {} fps", recording.fps())?;
    writeln!(out, "# geometry: {}", recording.geometry().to_wkt())?;
    writeln!(out, "# id frame x/m y/m z/m")?;
    let mut row = Vec::with_capacity(64);
    for index in 0..recording.frames() {
        for sample in recording.frame(index) {
            row.clear();
            put_whole(&mut row, u64::from(sample.agent) + 1);
            row.push(b' ');
            put_whole(&mut row, index as u64);
            for length in sample.at {
                row.push(b' ');
                put_length(&mut row, length);
            }
            row.push(b'\n');
            out.write_all(&row)?;
        }
    }
    Ok(())
}

/// A name on one line.
fn line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Appends a whole number in decimal.
fn put_whole(row: &mut Vec<u8>, mut value: u64) {
    let start = row.len();
    loop {
        row.push(b'0' + (value % 10) as u8);
        value /= 10;
        if value == 0 {
            break;
        }
    }
    row[start..].reverse();
}

/// Appends a length of tenths of millimetres in metres with four digits.
fn put_length(row: &mut Vec<u8>, length: i32) {
    if length < 0 {
        row.push(b'-');
    }
    let length = u64::from(length.unsigned_abs());
    put_whole(row, length / 10_000);
    row.push(b'.');
    for unit in [1000, 100, 10, 1] {
        row.push(b'0' + (length / unit % 10) as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn lengths_are_printed_in_metres() {
        let cases = [
            (0, "0.0000"),
            (-1, "-0.0001"),
            (12_345, "1.2345"),
            (-120_000, "-12.0000"),
            (i32::MIN, "-214748.3648"),
        ];
        for (length, expected) in cases {
            let mut row = Vec::new();
            put_length(&mut row, length);
            assert_eq!(String::from_utf8(row).unwrap(), expected);
        }
    }

    #[test]
    fn rows_hold_the_places() {
        let recording = testing::door(20, 1);
        let mut bytes = Vec::new();
        write(&recording, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("\n# framerate: 10 fps\n") && text.contains("\n# id frame x/m y/m z/m\n"));
        let rows: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(rows.len(), recording.samples());
        let sample = recording.frame(0)[0];
        let numbers: Vec<f64> = rows[0].split(' ').map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers[..2], [f64::from(sample.agent) + 1.0, 0.0]);
        assert!((numbers[2] - sample.xy()[0]).abs() < 1e-9 && (numbers[3] - sample.xy()[1]).abs() < 1e-9);
    }
}

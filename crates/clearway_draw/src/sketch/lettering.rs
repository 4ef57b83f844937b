//! A small font of single strokes, so that a picture needs no font and looks the same everywhere.
//!
//! A glyph is drawn by a few commands on a grid. The tops of capitals are at 0, the base line is at 14, and y grows
//! downwards. `M` moves, `L` draws a line, `h` and `v` draw a quarter of an ellipse that leaves horizontally or
//! vertically, `q` draws a quadratic curve. Circles in letters are four quarters.

use super::path::PathText;

/// The height of capitals, in glyph units.
const CAPITAL: f64 = 14.0;
/// The distance between letters, in glyph units.
const SPACING: f64 = 3.4;
/// The distance of the control points of a quarter circle from its ends, in radii: the usual cubic approximation.
const QUARTER: f64 = 0.5523;

/// A glyph: the character, its width, its strokes.
type Glyph = (char, f64, &'static str);

/// Returns the width of a text in pixels when its capitals are `height` pixels high.
pub fn text_width(text: &str, height: f64) -> f64 {
    let advances: f64 = text.chars().map(|c| glyph(c).1 + SPACING).sum();
    (advances - SPACING).max(0.0) * height / CAPITAL
}

/// Writes a text whose base line starts at `at`.
pub fn write_text(path: &mut PathText, text: &str, at: [f64; 2], height: f64) {
    let scale = height / CAPITAL;
    let mut x = at[0];
    for character in text.chars() {
        let (_, width, strokes) = glyph(character);
        draw(path, strokes, [x, at[1] - height], scale);
        x += (width + SPACING) * scale;
    }
}

/// Returns the width of strokes that suits a text of this height.
pub fn stroke_width(height: f64) -> f64 {
    height * 0.115
}

/// Returns the longest beginning of a text that fits, with dots in place of the rest.
pub fn fitted(text: &str, height: f64, room: f64) -> String {
    if text_width(text, height) <= room {
        return text.to_string();
    }
    // No picture is wide enough for more, and shortening letter by letter takes long.
    let mut kept: String = text.chars().take(400).collect();
    while kept.pop().is_some() {
        let candidate = format!("{}...", kept.trim_end());
        if text_width(&candidate, height) <= room {
            return candidate;
        }
    }
    String::new()
}

/// Returns the glyph of a character, or a box for an unknown one.
fn glyph(character: char) -> Glyph {
    let found = GLYPHS.iter().find(|(known, ..)| *known == character);
    found.copied().unwrap_or(UNKNOWN)
}

/// Draws the strokes of a glyph; `corner` is the pixel of its upper left corner.
fn draw(path: &mut PathText, strokes: &str, corner: [f64; 2], scale: f64) {
    let mut at = [0.0; 2];
    let place = |[x, y]: [f64; 2]| [corner[0] + x * scale, corner[1] + y * scale];
    for (command, points) in commands(strokes) {
        let [x, y] = points[points.len() - 1];
        match command {
            'M' => path.move_to(place([x, y])),
            'L' => path.line_to(place([x, y])),
            'h' => path.curve_to(quarter(at, [x, y], true).map(place)),
            'v' => path.curve_to(quarter(at, [x, y], false).map(place)),
            _ => path.curve_to(cubic(at, points[0], [x, y]).map(place)),
        }
        at = [x, y];
    }
}

/// Parses the commands of a glyph, each with its one or two points; the second is the end point.
fn commands(strokes: &str) -> impl Iterator<Item = (char, [[f64; 2]; 2])> {
    strokes.split_inclusive(';').filter_map(|part| {
        let part = part.trim().trim_end_matches(';');
        let command = part.chars().next()?;
        let mut numbers = part[command.len_utf8()..].split_ascii_whitespace().filter_map(|n| n.parse().ok());
        let mut point = || Some([numbers.next()?, numbers.next()?]);
        let first = point()?;
        Some((command, [first, point().unwrap_or(first)]))
    })
}

/// Returns a quarter of an ellipse as a cubic curve.
fn quarter(from: [f64; 2], to: [f64; 2], leaves_horizontally: bool) -> [[f64; 2]; 3] {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let (near, far) = (QUARTER, 1.0 - QUARTER);
    match leaves_horizontally {
        true => [[from[0] + near * dx, from[1]], [to[0], from[1] + far * dy], to],
        false => [[from[0], from[1] + near * dy], [from[0] + far * dx, to[1]], to],
    }
}

/// Returns a quadratic curve as a cubic one.
fn cubic(from: [f64; 2], control: [f64; 2], to: [f64; 2]) -> [[f64; 2]; 3] {
    let toward = |end: [f64; 2]| [0, 1].map(|i| end[i] + (control[i] - end[i]) * 2.0 / 3.0);
    [toward(from), toward(to), to]
}

/// The glyph for every character that the font lacks: a box.
const UNKNOWN: Glyph = ('\u{fffd}', 7.0, "M0 0;L7 0;L7 14;L0 14;L0 0");

/// The glyphs of the font.
#[rustfmt::skip]
const GLYPHS: &[Glyph] = &[
    (' ', 2.6, ""),
    ('0', 8.0, "M4 0;h8 7;v4 14;h0 7;v4 0"),
    ('1', 8.0, "M1.2 3;L4.8 0;L4.8 14"),
    ('2', 8.0, "M.2 3.8;v4 0;h7.8 3.8;q7.8 6 5.6 8.4;L0 14;L8 14"),
    ('3', 8.0, "M.4 2.6;v3.9 0;h7.5 3.5;v3.9 6.8;L2.8 6.8;M3.9 6.8;h8 10.4;v3.9 14;h0 11.2"),
    ('4', 8.0, "M6 14;L6 0;L0 9.8;L8 9.8"),
    ('5', 8.0, "M7.4 0;L1.2 0;L.6 6.4;q2 5 4 5;h8 9.5;v4 14;h0 11.4"),
    ('6', 8.0, "M6.4 0;L1.2 6.8;q0 8.4 0 9.6;v4 14;h8 9.6;v4 5.2;h0 9.6"),
    ('7', 8.0, "M0 0;L8 0;L2.6 14"),
    ('8', 8.0, "M4 0;h7.4 3.4;v4 6.6;h.6 3.4;v4 0;M4 6.6;h8 10.4;v4 14;h0 10.4;v4 6.6"),
    ('9', 8.0, "M1.6 14;L6.8 7.2;q8 5.6 8 4.4;v4 0;h0 4.4;v4 8.8;h8 4.4"),
    ('A', 10.0, "M0 14;L5 0;L10 14;M1.8 9;L8.2 9"),
    ('B', 9.0, "M0 14;L0 0;L5 0;h8.2 3.4;v5 6.8;L0 6.8;M5 6.8;h9 10.4;v5 14;L0 14"),
    ('C', 9.8, "M9.8 3.2;v5.4 0;h0 7;v5.4 14;h9.8 10.8"),
    ('D', 10.0, "M0 0;L4 0;h10 7;v4 14;L0 14;L0 0"),
    ('E', 8.0, "M8 0;L0 0;L0 14;L8 14;M0 6.8;L7 6.8"),
    ('F', 7.6, "M7.6 0;L0 0;L0 14;M0 6.8;L6.6 6.8"),
    ('G', 10.4, "M9.8 3.2;v5.4 0;h0 7;v5.4 14;h10.4 9.5;L10.4 7.6;L6 7.6"),
    ('H', 9.6, "M0 0;L0 14;M9.6 0;L9.6 14;M0 6.8;L9.6 6.8"),
    ('I', 0.0, "M0 0;L0 14"),
    ('J', 6.5, "M6.5 0;L6.5 10;v3.2 14;h0 11"),
    ('K', 9.0, "M0 0;L0 14;M9 0;L0 8.6;M3.4 5.4;L9 14"),
    ('L', 7.5, "M0 0;L0 14;L7.5 14"),
    ('M', 12.0, "M0 14;L0 0;L6 9;L12 0;L12 14"),
    ('N', 10.0, "M0 14;L0 0;L10 14;L10 0"),
    ('O', 11.0, "M5.5 0;h11 7;v5.5 14;h0 7;v5.5 0"),
    ('P', 8.6, "M0 14;L0 0;L4.8 0;h8.6 3.8;v4.8 7.6;L0 7.6"),
    ('Q', 11.0, "M5.5 0;h11 7;v5.5 14;h0 7;v5.5 0;M7 10.5;L11 15"),
    ('R', 9.0, "M0 14;L0 0;L4.8 0;h8.6 3.8;v4.8 7.6;L0 7.6;M4.6 7.6;L9 14"),
    ('S', 9.0, "M8.6 2.8;v4.6 0;h.4 3.5;v4.5 6.9;h9 10.4;v4.5 14;h0 11"),
    ('T', 10.0, "M0 0;L10 0;M5 0;L5 14"),
    ('U', 9.6, "M0 0;L0 9.2;v4.8 14;h9.6 9.2;L9.6 0"),
    ('V', 10.0, "M0 0;L5 14;L10 0"),
    ('W', 14.0, "M0 0;L3.6 14;L7 2;L10.4 14;L14 0"),
    ('X', 9.6, "M0 0;L9.6 14;M9.6 0;L0 14"),
    ('Y', 9.6, "M0 0;L4.8 7;L9.6 0;M4.8 7;L4.8 14"),
    ('Z', 9.0, "M0 0;L9 0;L0 14;L9 14"),
    ('a', 7.6, "M7.6 4;L7.6 14;M7.6 9;v3.8 4;h0 9;v3.8 14;h7.6 9"),
    ('b', 7.6, "M0 0;L0 14;M0 9;v3.8 4;h7.6 9;v3.8 14;h0 9"),
    ('c', 7.0, "M7 6;v4 4;h0 9;v4 14;h7 12"),
    ('d', 7.6, "M7.6 0;L7.6 14;M7.6 9;v3.8 4;h0 9;v3.8 14;h7.6 9"),
    ('e', 7.8, "M0 9;L7.8 9;v3.9 4;h0 9;v4 14;h7.4 12"),
    ('f', 5.0, "M5.2 0;L4.6 0;h1.8 2.8;L1.8 14;M0 4.6;L4.8 4.6"),
    ('g', 7.6, "M7.6 4;L7.6 14.8;v3.9 18.4;h.6 16.6;M7.6 9;v3.8 4;h0 9;v3.8 14;h7.6 9"),
    ('h', 7.2, "M0 0;L0 14;M0 8;v3.7 4;h7.2 7.8;L7.2 14"),
    ('i', 0.0, "M0 4;L0 14;M0 .2;L0 .4"),
    ('j', 2.5, "M2.5 4;L2.5 15.5;v0 18.2;M2.5 .2;L2.5 .4"),
    ('k', 7.0, "M0 0;L0 14;M6.6 4;L0 10.2;M2.6 7.9;L7 14"),
    ('l', 2.0, "M0 0;L0 11.6;v2 14"),
    ('m', 12.0, "M0 4;L0 14;M0 7.6;v3.2 4;h6 7.4;L6 14;M6 7.6;v9.2 4;h12 7.4;L12 14"),
    ('n', 7.2, "M0 4;L0 14;M0 8;v3.7 4;h7.2 7.8;L7.2 14"),
    ('o', 8.0, "M4 4;h8 9;v4 14;h0 9;v4 4"),
    ('p', 7.6, "M0 4;L0 18;M0 9;v3.8 4;h7.6 9;v3.8 14;h0 9"),
    ('q', 7.6, "M7.6 4;L7.6 18;M7.6 9;v3.8 4;h0 9;v3.8 14;h7.6 9"),
    ('r', 4.4, "M0 4;L0 14;M0 8.4;v4.4 4"),
    ('s', 6.6, "M6.3 5.9;v3.4 4;h.3 6.4;v3.3 8.9;h6.6 11.5;v3.3 14;h0 12.1"),
    ('t', 5.0, "M1.8 .8;L1.8 11.4;v4.4 14;L5 14;M0 4.4;L4.8 4.4"),
    ('u', 7.2, "M0 4;L0 10.2;v3.5 14;h7.2 10;M7.2 4;L7.2 14"),
    ('v', 7.4, "M0 4;L3.7 14;L7.4 4"),
    ('w', 11.0, "M0 4;L2.8 14;L5.5 5;L8.2 14;L11 4"),
    ('x', 7.0, "M0 4;L7 14;M7 4;L0 14"),
    ('y', 7.4, "M0 4;L3.7 14;M7.4 4;L2.2 18.2"),
    ('z', 6.6, "M0 4;L6.6 4;L0 14;L6.6 14"),
    ('.', 0.0, "M0 13.8;L0 14"),
    (',', 0.8, "M.8 13.4;L0 16.4"),
    (':', 0.0, "M0 6;L0 6.2;M0 13.8;L0 14"),
    (';', 0.8, "M.8 6;L.8 6.2;M.8 13.4;L0 16.4"),
    ('!', 0.0, "M0 0;L0 9.4;M0 13.8;L0 14"),
    ('?', 7.0, "M0 3.4;v3.4 0;h7 3.4;q7 5.4 5 7;q3.4 8.2 3.4 9.8;M3.4 13.8;L3.4 14"),
    ('-', 4.6, "M0 9;L4.6 9"),
    ('_', 8.0, "M0 16;L8 16"),
    ('+', 7.0, "M3.5 5.5;L3.5 12.5;M0 9;L7 9"),
    ('=', 7.0, "M0 7;L7 7;M0 11;L7 11"),
    ('*', 6.0, "M3 0;L3 6.4;M.2 1.6;L5.8 4.8;M5.8 1.6;L.2 4.8"),
    ('/', 6.0, "M6 -.6;L0 15.6"),
    ('\\', 6.0, "M0 -.6;L6 15.6"),
    ('|', 0.0, "M0 -1;L0 17"),
    ('(', 2.8, "M2.8 -1;q0 2.6 0 7.5;q0 12.4 2.8 16"),
    (')', 2.8, "M0 -1;q2.8 2.6 2.8 7.5;q2.8 12.4 0 16"),
    ('[', 2.8, "M2.8 -1;L0 -1;L0 16;L2.8 16"),
    (']', 2.8, "M0 -1;L2.8 -1;L2.8 16;L0 16"),
    ('{', 3.4, "M3.4 -1;h1.6 1;L1.6 5.5;q1.6 7.5 0 7.5;q1.6 7.5 1.6 9.5;L1.6 14;v3.4 16"),
    ('}', 3.4, "M0 -1;h1.8 1;L1.8 5.5;q1.8 7.5 3.4 7.5;q1.8 7.5 1.8 9.5;L1.8 14;v0 16"),
    ('<', 6.6, "M6.6 5;L0 9;L6.6 13"),
    ('>', 6.6, "M0 5;L6.6 9;L0 13"),
    ('\'', 0.0, "M0 0;L0 3.4"),
    ('"', 3.0, "M0 0;L0 3.4;M3 0;L3 3.4"),
    ('`', 2.4, "M0 0;L2.4 2.6"),
    ('^', 6.0, "M0 4;L3 0;L6 4"),
    ('~', 8.0, "M0 10;q2 7 4 9;q6 11 8 8"),
    ('#', 9.0, "M3.4 1;L1.6 13;M7.4 1;L5.6 13;M.6 5;L9 5;M0 9.4;L8.4 9.4"),
    ('%', 11.0, "M9.4 0;L1.6 14;M2.4 0;h4.8 3;v2.4 6;h0 3;v2.4 0;M8.6 8;h11 11;v8.6 14;h6.2 11;v8.6 8"),
    ('&', 10.0, "M10 14;L2 4.6;q1.4 3.6 1.4 2.8;v4 0;h6.6 2.8;q6.6 5 3.4 6.8;q0 8.4 0 10.6;v3.6 14;q7.6 14 9.2 8"),
    ('@', 13.0, "M9.4 5;L9.4 9;v11.2 10.8;h13 7;v6.5 0;h0 7;v6.5 14;L9.4 14;M9.4 7.2;v6.6 4.2;h3.8 7.4;v6.4 10.6;h9.4 7.4"),
    ('$', 8.0, "M4 -1.6;L4 15.6;M7.6 3;v4.2 .6;h.4 3.8;v4 6.9;h8 10.4;v4 13.4;h0 11"),
    ('\u{b7}', 0.0, "M0 8;L0 8.2"),
    ('\u{b2}', 4.4, "M.2 1.8;v2.2 0;h4.2 2;q4.2 3.4 3 4.4;L0 7;L4.4 7"),
    ('\u{b0}', 4.4, "M2.2 0;h4.4 2.2;v2.2 4.4;h0 2.2;v2.2 0"),
    ('\u{d7}', 6.0, "M0 6;L6 12;M6 6;L0 12"),
    ('\u{2013}', 7.0, "M0 9;L7 9"),
    ('\u{2014}', 11.0, "M0 9;L11 9"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_ascii_character_has_strokes() {
        for character in ' '..='~' {
            let (known, width, strokes) = glyph(character);
            assert_eq!(known, character);
            let count = commands(strokes).count();
            assert_eq!(count, strokes.split(';').filter(|part| !part.is_empty()).count(), "{character}");
            for (command, points) in commands(strokes) {
                assert!("MLhvq".contains(command), "{character}: {command}");
                let inside =
                    |[x, y]: [f64; 2]| (0.0..=width + 0.4).contains(&x) && (-2.0..=19.0).contains(&y);
                assert!(points.into_iter().all(inside), "{character}: {points:?}");
            }
        }
    }

    #[test]
    fn text_that_does_not_fit_is_cut() {
        let width = text_width("a long title", 14.0);
        assert_eq!(fitted("a long title", 14.0, width), "a long title");
        assert_eq!(fitted("a long title", 14.0, width * 0.7), "a long...");
        assert_eq!(fitted("a long title", 14.0, 1.0), "");
    }

    #[test]
    fn unknown_characters_become_boxes() {
        let mut path = PathText::default();
        write_text(&mut path, "\u{1f600}", [0.0, 14.0], 14.0);
        assert_eq!(path.text(), "M0 0h7v14h-7v-14");
    }
}

//! The text of SVG paths: short, and equal on every machine.
//!
//! Points are rounded once to hundredths of a pixel, finer than any eye. Steps are differences of rounded points, so
//! they do not drift. Only integers are printed, so no float formatting reaches the file.

use std::fmt::Write;

/// The number of steps of a coordinate per pixel. More would make files larger without a visible gain.
const STEPS: f64 = 100.0;

/// The `d` attribute of a path under construction.
#[derive(Clone, Debug, Default)]
pub struct PathText {
    /// The text so far.
    text: String,
    /// The current point, in steps.
    at: [i64; 2],
}

impl PathText {
    /// Starts a new line at a point.
    pub fn move_to(&mut self, point: [f64; 2]) {
        self.at = point.map(steps);
        self.text.push('M');
        self.pair(self.at);
    }

    /// Draws a straight line; a line without length in steps is left out.
    pub fn line_to(&mut self, point: [f64; 2]) {
        let to = point.map(steps);
        let [dx, dy] = [to[0] - self.at[0], to[1] - self.at[1]];
        self.at = to;
        match (dx, dy) {
            (0, 0) => {}
            (_, 0) => self.command('h', dx),
            (0, _) => self.command('v', dy),
            _ => {
                self.text.push('l');
                self.pair([dx, dy]);
            }
        }
    }

    /// Draws a cubic curve by its two control points and its end.
    pub fn curve_to(&mut self, points: [[f64; 2]; 3]) {
        let start = self.at;
        self.text.push('c');
        for (i, point) in points.into_iter().enumerate() {
            if i > 0 {
                self.text.push(' ');
            }
            self.at = point.map(steps);
            self.pair([self.at[0] - start[0], self.at[1] - start[1]]);
        }
    }

    /// Draws an arc of less than half a circle, clockwise in the picture or not. An arc without length in steps is left
    /// out.
    pub fn arc_to(&mut self, radius: f64, is_clockwise: bool, point: [f64; 2]) {
        let to = point.map(steps);
        let [dx, dy] = [to[0] - self.at[0], to[1] - self.at[1]];
        if [dx, dy] == [0, 0] {
            return;
        }
        self.at = to;
        self.text.push('a');
        self.pair([steps(radius); 2]);
        self.text.push_str(if is_clockwise { " 0 0 1 " } else { " 0 0 0 " });
        self.pair([dx, dy]);
    }

    /// Draws a closed ring of straight lines.
    pub fn ring(&mut self, points: impl Iterator<Item = [f64; 2]>) {
        self.line(points);
        self.text.push('z');
    }

    /// Draws an open line through points.
    pub fn line(&mut self, points: impl Iterator<Item = [f64; 2]>) {
        for (i, point) in points.enumerate() {
            if i == 0 { self.move_to(point) } else { self.line_to(point) }
        }
    }

    /// Draws a dot: a line too short to be seen, which round caps turn into a disc.
    pub fn dot(&mut self, point: [f64; 2]) {
        self.move_to(point);
        self.command('h', 1);
    }

    /// True if nothing was drawn.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns the finished text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes a command with one length.
    fn command(&mut self, letter: char, length: i64) {
        self.text.push(letter);
        number(&mut self.text, length);
    }

    /// Writes two numbers.
    fn pair(&mut self, [x, y]: [i64; 2]) {
        number(&mut self.text, x);
        // A minus sign separates two numbers as well as a space does.
        if y >= 0 {
            self.text.push(' ');
        }
        number(&mut self.text, y);
    }
}

/// Returns a length in pixels as text, rounded like the coordinates.
pub fn pixels(length: f64) -> String {
    let mut text = String::new();
    number(&mut text, steps(length));
    text
}

/// Rounds pixels to steps.
fn steps(length: f64) -> i64 {
    (length * STEPS).round() as i64
}

/// Writes a number of hundredths as a decimal without needless zeros.
fn number(text: &mut String, hundredths: i64) {
    if hundredths < 0 {
        text.push('-');
    }
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    // Writing into a string cannot fail.
    let _ = match (whole, rest) {
        (whole, 0) => write!(text, "{whole}"),
        (0, rest) if rest % 10 == 0 => write!(text, ".{}", rest / 10),
        (0, rest) => write!(text, ".{rest:02}"),
        (whole, rest) if rest % 10 == 0 => write!(text, "{whole}.{}", rest / 10),
        (whole, rest) => write!(text, "{whole}.{rest:02}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_can_be() {
        let cases = [(0.0, "0"), (1.0, "1"), (0.5, ".5"), (-0.05, "-.05"), (-12.3, "-12.3"), (7.256, "7.26")];
        for (length, text) in cases {
            assert_eq!(pixels(length), text);
        }
        assert_eq!(pixels(-0.001), "0");
    }

    #[test]
    fn lines_are_relative_and_do_not_drift() {
        let mut path = PathText::default();
        path.line([[1.004, 2.0], [1.012, 2.0], [1.008, 2.0], [3.0, 1.5], [3.0, 9.0]].into_iter());
        assert_eq!(path.text(), "M1 2h.01l1.99-.5v7.5");
    }

    #[test]
    fn rings_close_and_curves_are_relative_to_their_start() {
        let mut path = PathText::default();
        path.ring([[0.0, 0.0], [4.0, 0.0], [4.0, -3.0]].into_iter());
        assert_eq!(path.text(), "M0 0h4v-3z");
        let mut path = PathText::default();
        path.move_to([1.0, 1.0]);
        path.curve_to([[2.0, 1.0], [3.0, 2.0], [3.0, 3.0]]);
        assert_eq!(path.text(), "M1 1c1 0 2 1 2 2");
    }

    #[test]
    fn arcs_are_relative_and_tell_their_turn() {
        let mut path = PathText::default();
        path.move_to([1.0, 1.0]);
        path.arc_to(2.5, true, [3.5, -1.5]);
        path.arc_to(2.5, false, [3.501, -1.5]);
        path.arc_to(0.5, false, [4.0, -1.0]);
        assert_eq!(path.text(), "M1 1a2.5 2.5 0 0 1 2.5-2.5a.5 .5 0 0 0 .5 .5");
    }
}

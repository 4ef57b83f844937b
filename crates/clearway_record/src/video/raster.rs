//! Pictures with a palette of 64 colours: areas, lines and discs with soft edges.

/// A palette: background colours, then the ramp of speeds, each on the floor in three strengths.
pub struct Palette;

/// The palette of all pictures.
pub const PALETTE: Palette = Palette;

/// Ground outside the walkable space.
pub const OUTSIDE: u8 = 0;
/// Walkable ground.
pub const FLOOR: u8 = 1;
/// The area of an exit.
pub const EXIT: u8 = 2;
/// A wall, and letters.
pub const WALL: u8 = 3;
/// The soft edge of a wall.
const WALL_EDGE: u8 = 4;
/// A closed door or exit.
const SHUT: u8 = 5;
/// Stands for a pixel that is as in the picture before.
pub const UNCHANGED: u8 = 63;

/// The first colour of the ramp.
const RAMP: u8 = 8;
/// The number of colours of the ramp.
pub const RAMP_COLOURS: u8 = 16;
/// The strengths of each colour of the ramp.
const STRENGTHS: u8 = 3;

/// The colours of the first entries.
const BASE: [[u8; 3]; 6] =
    [[227, 231, 237], [255, 255, 255], [205, 236, 214], [59, 70, 86], [150, 158, 170], [200, 20, 30]];

/// From standing to fast.
const STOPS: [[f64; 3]; 6] = [
    [215.0, 48.0, 39.0],
    [252.0, 141.0, 89.0],
    [254.0, 200.0, 90.0],
    [145.0, 207.0, 130.0],
    [49.0, 160.0, 150.0],
    [40.0, 110.0, 190.0],
];

impl Palette {
    /// All 64 colours in order.
    pub fn colours(&self) -> impl Iterator<Item = [u8; 3]> {
        (0..64).map(|index: u8| match index {
            _ if (index as usize) < BASE.len() => BASE[index as usize],
            RAMP.. if index < RAMP + RAMP_COLOURS * STRENGTHS => {
                let (colour, strength) = ((index - RAMP) / STRENGTHS, (index - RAMP) % STRENGTHS);
                let share = f64::from(strength + 1) / f64::from(STRENGTHS);
                ramp(colour).map(|c| (255.0 + (c - 255.0) * share).round() as u8)
            }
            _ => [0; 3],
        })
    }
}

/// Returns a colour of the ramp.
fn ramp(colour: u8) -> [f64; 3] {
    let at = f64::from(colour) / f64::from(RAMP_COLOURS - 1) * (STOPS.len() - 1) as f64;
    let index = (at as usize).min(STOPS.len() - 2);
    let share = at - index as f64;
    [0, 1, 2].map(|c| STOPS[index][c] + (STOPS[index + 1][c] - STOPS[index][c]) * share)
}

/// A picture: one number of the palette for each pixel, rows from the top.
#[derive(Clone)]
pub struct Canvas {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels.
    pub pixels: Vec<u8>,
}

/// A box of pixels.
pub struct Piece {
    /// The first column.
    pub left: usize,
    /// The first row.
    pub top: usize,
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
}

impl Canvas {
    /// Makes a picture of the outside.
    pub fn new(width: u32, height: u32) -> Canvas {
        Canvas { width, height, pixels: vec![OUTSIDE; (width * height) as usize] }
    }

    /// Fills what lies in an odd number of rings. Points are in pixels.
    pub fn fill(&mut self, rings: &[Vec<[f64; 2]>], colour: u8) {
        let mut crossings = Vec::new();
        let heights = || rings.iter().flatten().map(|point| point[1]);
        let last = heights().fold(0.0, f64::max).min(f64::from(self.height)) as usize;
        let first = heights().fold(f64::INFINITY, f64::min).clamp(0.0, f64::from(self.height)) as usize;
        for row in first..(last + 1).min(self.height as usize) {
            let y = row as f64 + 0.5;
            crossings.clear();
            for ring in rings {
                let next = ring.iter().cycle().skip(1);
                let sides = ring.iter().zip(next).filter(|(a, b)| (a[1] > y) != (b[1] > y));
                crossings.extend(sides.map(|(a, b)| a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])));
            }
            crossings.sort_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column = |x: f64| (x - 0.5).ceil().clamp(0.0, f64::from(self.width)) as usize;
                let start = row * self.width as usize;
                self.pixels[start + column(pair[0])..start + column(pair[1])].fill(colour);
            }
        }
    }

    /// Draws a wall, about a pixel and a half wide.
    pub fn line(&mut self, a: [f64; 2], b: [f64; 2]) {
        self.stroke(a, b, WALL);
    }

    /// Draws something that is closed.
    pub fn shut(&mut self, a: [f64; 2], b: [f64; 2]) {
        self.stroke(a, b, SHUT);
    }

    fn stroke(&mut self, a: [f64; 2], b: [f64; 2], colour: u8) {
        let along = [b[0] - a[0], b[1] - a[1]];
        let steep = usize::from(along[1].abs() > along[0].abs());
        let flat = 1 - steep;
        let (from, to) = (a[steep].min(b[steep]), a[steep].max(b[steep]));
        let side = f64::from([self.width, self.height][steep]);
        let slope = if along[steep] == 0.0 { 0.0 } else { along[flat] / along[steep] };
        let narrow = 1.0 / (1.0 + slope * slope).sqrt();
        for step in (from - 0.5).floor().max(0.0) as usize..=(to + 0.5).floor().clamp(0.0, side) as usize {
            let centre = step as f64 + 0.5;
            let middle = a[flat] + slope * (centre.clamp(from, to) - a[steep]);
            for cross in (middle - 2.0).floor() as i64..=(middle + 2.0).floor() as i64 {
                let away = (cross as f64 + 0.5 - middle).abs() * narrow;
                let mut at = [0; 2];
                (at[steep], at[flat]) = (step as i64, cross);
                match away {
                    _ if away < 0.75 => self.set(at, colour),
                    _ if away < 1.2 => self.soften(at),
                    _ => {}
                }
            }
        }
    }

    /// Draws a disc in a colour of the ramp.
    pub fn disc(&mut self, centre: [f64; 2], radius: f64, colour: u8) {
        let solid = RAMP + colour.min(RAMP_COLOURS - 1) * STRENGTHS + STRENGTHS - 1;
        let reach = radius + 1.0;
        for y in (centre[1] - reach).floor() as i64..=(centre[1] + reach).floor() as i64 {
            for x in (centre[0] - reach).floor() as i64..=(centre[0] + reach).floor() as i64 {
                let distance = (x as f64 + 0.5 - centre[0]).hypot(y as f64 + 0.5 - centre[1]);
                let cover = ((radius + 0.5 - distance) * f64::from(STRENGTHS)).round() as i64;
                let strength = cover.clamp(0, i64::from(STRENGTHS)) as u8;
                match strength {
                    0 => {}
                    STRENGTHS => self.set([x, y], solid),
                    // Soft edges are mixed with the floor, so they must not cover anything else.
                    _ if self.get([x, y]) == Some(FLOOR) => self.set([x, y], solid - STRENGTHS + strength),
                    _ => {}
                }
            }
        }
    }

    /// Draws a square of letters' pixels.
    pub fn block(&mut self, left: usize, top: usize, side: usize, colour: u8) {
        for y in top..top + side {
            for x in left..left + side {
                self.set([x as i64, y as i64], colour);
            }
        }
    }

    fn place(&self, [x, y]: [i64; 2]) -> Option<usize> {
        let is_inside = x >= 0 && y >= 0 && x < i64::from(self.width) && y < i64::from(self.height);
        is_inside.then(|| (y * i64::from(self.width) + x) as usize)
    }

    fn get(&self, at: [i64; 2]) -> Option<u8> {
        self.place(at).map(|place| self.pixels[place])
    }

    fn set(&mut self, at: [i64; 2], colour: u8) {
        if let Some(place) = self.place(at) {
            self.pixels[place] = colour;
        }
    }

    /// Draws the soft edge of a wall, but not over a wall.
    fn soften(&mut self, at: [i64; 2]) {
        if self.get(at).is_some_and(|colour| colour != WALL) {
            self.set(at, WALL_EDGE);
        }
    }

    /// Returns the box of the whole picture.
    pub fn whole(&self) -> Piece {
        Piece { left: 0, top: 0, width: self.width as usize, height: self.height as usize }
    }

    /// Returns the box of the pixels that differ; one pixel if none does.
    pub fn changed_since(&self, last: &Canvas) -> Piece {
        let width = self.width as usize;
        let mut span = [usize::MAX, usize::MAX, 0, 0];
        for (row, (new, old)) in self.pixels.chunks(width).zip(last.pixels.chunks(width)).enumerate() {
            let differs = |(a, b): (&u8, &u8)| a != b;
            let Some(first) = new.iter().zip(old).position(differs) else { continue };
            let end = new.iter().zip(old).rposition(differs).unwrap_or(first);
            span = [span[0].min(first), span[1].min(row), span[2].max(end), row];
        }
        if span[0] == usize::MAX {
            return Piece { left: 0, top: 0, width: 1, height: 1 };
        }
        Piece { left: span[0], top: span[1], width: span[2] + 1 - span[0], height: span[3] + 1 - span[1] }
    }

    /// Returns the pixels of a box; those that are as before are [`UNCHANGED`].
    pub fn piece(&self, piece: &Piece, last: Option<&Canvas>) -> Vec<u8> {
        let mut pixels = Vec::with_capacity(piece.width * piece.height);
        for row in piece.top..piece.top + piece.height {
            let start = row * self.width as usize + piece.left;
            let new = &self.pixels[start..start + piece.width];
            match last {
                None => pixels.extend(new),
                Some(last) => {
                    let old = &last.pixels[start..start + piece.width];
                    pixels.extend(new.iter().zip(old).map(|(a, b)| if a == b { UNCHANGED } else { *a }));
                }
            }
        }
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_and_discs_have_their_size() {
        let mut canvas = Canvas::new(100, 80);
        let ring = |low: f64, high: f64| vec![[low, low], [high, low], [high, high], [low, high]];
        canvas.fill(&[ring(10.0, 70.0), ring(20.0, 30.0)], FLOOR);
        assert_eq!(canvas.pixels.iter().filter(|p| **p == FLOOR).count(), 3500);
        canvas.disc([50.0, 50.0], 10.0, 15);
        let solid = RAMP + 15 * STRENGTHS + 2;
        let count = canvas.pixels.iter().filter(|p| **p == solid).count() as f64;
        assert!((count / (std::f64::consts::PI * 100.0) - 1.0).abs() < 0.06, "{count}");
    }

    #[test]
    fn lines_in_every_direction_stay_on_the_picture() {
        let mut canvas = Canvas::new(50, 40);
        for angle in 0..36 {
            let angle = f64::from(angle) / 36.0 * std::f64::consts::TAU;
            canvas.line([25.0, 20.0], [25.0 + 90.0 * angle.cos(), 20.0 + 90.0 * angle.sin()]);
        }
        canvas.line([5.0, 5.0], [5.0, 5.0]);
        assert!(canvas.pixels.iter().filter(|p| **p == WALL).count() > 500);
    }

    #[test]
    fn the_palette_has_a_place_for_each_colour() {
        let colours: Vec<_> = PALETTE.colours().collect();
        assert_eq!(colours.len(), 64);
        const { assert!(RAMP + RAMP_COLOURS * STRENGTHS <= UNCHANGED) };
        assert_eq!(colours[usize::from(RAMP + 2)], [215, 48, 39]);
    }
}

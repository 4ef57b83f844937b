//! Where things are in a picture: storeys side by side, bodies over them, a clock below.

use super::VideoOptions;
use super::font;
use super::raster::{Canvas, EXIT, FLOOR, RAMP_COLOURS, WALL};
use crate::Recording;

/// The gap around a storey in pixels.
const GAP: f64 = 10.0;

/// The height of the line of text below the storeys in pixels.
const TEXT: f64 = 20.0;

/// The side of a letter's pixel.
const LETTER: usize = 2;

/// The least radius of a body in pixels, so that it can be seen.
const LEAST_RADIUS: f64 = 1.5;

/// The picture without bodies, and where plan coordinates are in it.
pub struct Scene {
    background: Canvas,
    /// The storeys that are drawn.
    storeys: Vec<usize>,
    columns: usize,
    /// The size of the field of a storey in pixels.
    field: [f64; 2],
    scale: f64,
    low: [f64; 2],
    high: [f64; 2],
    top_speed: f64,
}

impl Scene {
    /// Lays out the storeys and draws what does not move.
    pub fn new(recording: &Recording, options: &VideoOptions) -> Scene {
        let [low, high] = recording.bounds();
        // A roof on which nobody ever was is not drawn.
        let storeys = options.storey.map_or_else(|| recording.used_storeys(), |storey| vec![storey]);
        let size = [(high[0] - low[0]).max(0.1), (high[1] - low[1]).max(0.1)];
        let space = [f64::from(options.width), f64::from(options.height) - TEXT];
        let scale_of = |columns: usize| {
            let rows = storeys.len().div_ceil(columns);
            let across = (space[0] / columns as f64 - GAP) / size[0];
            across.min((space[1] / rows as f64 - GAP) / size[1]).max(1e-6)
        };
        let best = (1..=storeys.len()).max_by(|a, b| scale_of(*a).total_cmp(&scale_of(*b)));
        let columns = best.unwrap_or(1);
        let scale = scale_of(columns);
        let field = [size[0] * scale + GAP, size[1] * scale + GAP];
        let rows = storeys.len().div_ceil(columns);
        let width = (field[0] * columns as f64).ceil().clamp(64.0, space[0]) as u32;
        let height = (field[1] * rows as f64 + TEXT).ceil().clamp(40.0, f64::from(options.height)) as u32;
        let top_speed = recording.agents().iter().map(|agent| agent.speed).fold(0.5, f64::max);
        let background = Canvas::new(width, height);
        let mut scene = Scene { background, storeys, columns, field, scale, low, high, top_speed };
        scene.draw_plan(recording);
        scene
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.background.width, self.background.height)
    }

    /// Returns the pixel of a place in the field with this number.
    fn pixel(&self, field: usize, at: [f64; 2]) -> [f64; 2] {
        let (column, row) = (field % self.columns, field / self.columns);
        [
            column as f64 * self.field[0] + GAP / 2.0 + (at[0] - self.low[0]) * self.scale,
            row as f64 * self.field[1] + GAP / 2.0 + (self.high[1] - at[1]) * self.scale,
        ]
    }

    fn draw_plan(&mut self, recording: &Recording) {
        let mut canvas = self.background.clone();
        for (field, &number) in self.storeys.iter().enumerate() {
            let Some(storey) = recording.geometry().storeys.get(number) else { continue };
            let ring = |line: &Vec<[f64; 3]>| line.iter().map(|p| self.pixel(field, [p[0], p[1]])).collect();
            canvas.fill(&storey.rings.iter().map(ring).collect::<Vec<_>>(), FLOOR);
            for polygon in &storey.floor {
                canvas.fill(&[ring(polygon)], FLOOR);
            }
            for exit in recording.geometry().exits.iter().filter(|exit| exit.storey as usize == number) {
                let outline: Vec<_> = exit.outline.iter().map(|p| self.pixel(field, *p)).collect();
                canvas.fill(&[outline], EXIT);
            }
            for [a, b] in storey.segments() {
                canvas.line(self.pixel(field, [a[0], a[1]]), self.pixel(field, [b[0], b[1]]));
            }
        }
        self.background = canvas;
    }

    /// Draws the bodies at a time: those of the last frame that is not later.
    pub fn draw(&self, recording: &Recording, time: f64) -> Canvas {
        let mut canvas = self.background.clone();
        let index = ((time - recording.time(0)) * recording.fps() + 1e-6).max(0.0) as usize;
        let frame = recording.frame(index.min(recording.frames().saturating_sub(1)));
        for sample in frame {
            let storey = recording.geometry().storey_of(sample.z());
            let Some(field) = self.storeys.iter().position(|number| *number == storey) else { continue };
            let radius = recording.agents().get(sample.agent as usize).map_or(0.2, |agent| agent.radius);
            let share = (sample.speed() / self.top_speed).clamp(0.0, 1.0);
            let colour = (share * f64::from(RAMP_COLOURS - 1)).round() as u8;
            let centre = self.pixel(field, sample.xy());
            canvas.disc(centre, (radius * self.scale).max(LEAST_RADIUS), colour);
        }
        for gate in recording.geometry().gates.iter().filter(|gate| gate.is_closed(time)) {
            let field = self.storeys.iter().position(|number| *number == gate.storey as usize);
            let Some(field) = field else { continue };
            for pair in gate.line.windows(2) {
                canvas.shut(self.pixel(field, pair[0]), self.pixel(field, pair[1]));
            }
        }
        write(&mut canvas, &format!("{time:.1} s  {} inside", frame.len()));
        canvas
    }
}

/// Writes a line of letters at the bottom.
fn write(canvas: &mut Canvas, text: &str) {
    let top = canvas.height as usize - TEXT as usize + 5;
    for (index, letter) in text.chars().enumerate() {
        for (row, bits) in font::rows(letter).into_iter().enumerate() {
            for column in (0..3).filter(|column| bits >> (2 - column) & 1 == 1) {
                let left = GAP as usize / 2 + (index * font::ADVANCE + column) * LETTER;
                canvas.block(left, top + row * LETTER, LETTER, WALL);
            }
        }
    }
}

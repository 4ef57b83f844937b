//! Small charts: measured curves over data points, as SVG.

use std::fmt::Write;

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// The words along x.
    pub x: &'static str,
    /// The words along y.
    pub y: &'static str,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// One curve or cloud of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Its look.
    pub mark: Mark,
}

/// The look of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Dots: data of others.
    Data,
    /// A dashed line: a law or a limit.
    Law,
    /// A line with dots: what was measured here.
    Ours,
}

impl Chart {
    /// Makes an empty chart.
    pub fn new(title: impl Into<String>, x: &'static str, y: &'static str) -> Chart {
        Chart { title: title.into(), x, y, series: Vec::new() }
    }

    /// Adds a series.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, mark: Mark, points: Vec<(f64, f64)>) -> Chart {
        let points = points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        self.series.push(Series { name: name.into(), points, mark });
        self
    }

    /// Draws the chart.
    pub fn draw(&self) -> String {
        let frame = Frame::around(self.series.iter().flat_map(|series| &series.points));
        let mut svg =
            format!("<svg class=\"chart\" width=\"{WIDE}\" height=\"{TALL}\" viewBox=\"0 0 {WIDE} {TALL}\">");
        frame.axes(&mut svg, self);
        let (mut ours, mut data) = (0, 0);
        for (row, series) in self.series.iter().enumerate() {
            let color = match series.mark {
                Mark::Ours => next(&mut ours, &["#c0392b", "#7b4fa3", "#e67e22", "#8e1b4b"]),
                Mark::Data => next(&mut data, &["#7f8c8d", "#2e8b57", "#1f6fb4", "#b07d12", "#555", "#9bb"]),
                Mark::Law => "#222",
            };
            frame.series(&mut svg, series, color);
            legend(&mut svg, row, series, color);
        }
        svg.push_str("</svg>");
        svg
    }
}

/// Takes the next of a list of colours.
fn next(taken: &mut usize, colors: &[&'static str]) -> &'static str {
    *taken += 1;
    colors[(*taken - 1) % colors.len()]
}

/// The size of a chart in pixels.
const WIDE: f64 = 440.0;
const TALL: f64 = 260.0;
/// The box of the curves in pixels: left, top, right, bottom.
const BOX: [f64; 4] = [46.0, 24.0, 310.0, 218.0];

/// The numbers at the edges of a chart.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    /// Makes a frame that holds all points, and zero.
    fn around<'a>(points: impl Iterator<Item = &'a (f64, f64)>) -> Frame {
        let mut frame = Frame { x: [0.0, 0.0], y: [0.0, 0.0] };
        for (x, y) in points {
            frame.x = [frame.x[0].min(*x), frame.x[1].max(*x)];
            frame.y = [frame.y[0].min(*y), frame.y[1].max(*y)];
        }
        let wider = |[low, high]: [f64; 2]| [low, high + 0.05 * (high - low) + 1e-9];
        Frame { x: wider(frame.x), y: wider(frame.y) }
    }

    /// Returns a point in pixels.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let part = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
        (BOX[0] + (BOX[2] - BOX[0]) * part(x, self.x), BOX[3] - (BOX[3] - BOX[1]) * part(y, self.y))
    }

    /// Draws axes, ticks and words.
    fn axes(&self, svg: &mut String, chart: &Chart) {
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fff\" stroke=\"#999\"/>",
            BOX[0],
            BOX[1],
            BOX[2] - BOX[0],
            BOX[3] - BOX[1]
        );
        for tick in ticks(self.x) {
            let (x, _) = self.at((tick, self.y[0]));
            let _ = write!(svg, "<path d=\"M{x:.1} {}v4\" stroke=\"#999\"/>", BOX[3]);
            let _ = write!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                BOX[3] + 15.0,
                short(tick)
            );
        }
        for tick in ticks(self.y) {
            let (_, y) = self.at((self.x[0], tick));
            let _ = write!(svg, "<path d=\"M{} {y:.1}h-4\" stroke=\"#999\"/>", BOX[0]);
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                BOX[0] - 6.0,
                y + 3.5,
                short(tick)
            );
        }
        let middle = 0.5 * (BOX[0] + BOX[2]);
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            BOX[3] + 32.0,
            chart.x
        );
        let _ = write!(svg, "<text x=\"4\" y=\"14\">{} · {}</text>", chart.y, chart.title);
    }

    /// Draws one series.
    fn series(&self, svg: &mut String, series: &Series, color: &str) {
        let points: Vec<(f64, f64)> = series.points.iter().map(|point| self.at(*point)).collect();
        if series.mark != Mark::Data {
            let dash = if series.mark == Mark::Law { " stroke-dasharray=\"4 3\"" } else { "" };
            let _ = write!(
                svg,
                "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"{dash} points=\""
            );
            points.iter().for_each(|(x, y)| {
                let _ = write!(svg, "{x:.1},{y:.1} ");
            });
            svg.push_str("\"/>");
        }
        // Long curves need no dots.
        if series.mark == Mark::Data || series.mark == Mark::Ours && points.len() <= 40 {
            for (x, y) in points {
                let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{color}\"/>");
            }
        }
    }
}

/// Adds a line of the legend.
fn legend(svg: &mut String, row: usize, series: &Series, color: &str) {
    let (x, y) = (BOX[2] + 10.0, BOX[1] + 12.0 + 15.0 * row as f64);
    let _ = write!(svg, "<rect x=\"{x}\" y=\"{}\" width=\"9\" height=\"9\" fill=\"{color}\"/>", y - 8.0);
    let _ = write!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 13.0, series.name);
}

/// Returns about five round numbers in a range.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let rough = ((high - low) / 5.0).max(1e-9);
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..first + 12).map(|k| k as f64 * step).take_while(|tick| *tick <= high).collect()
}

/// Returns a number without needless digits.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks([0.0, 10.0]), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert!(ticks([0.0, 1.4]).iter().all(|tick| (0.0..=1.4).contains(tick)));
        assert_eq!((short(0.5), short(20.0)), ("0.5".to_string(), "20".to_string()));
    }

    #[test]
    fn points_that_are_not_numbers_are_left_out() {
        let chart = Chart::new("t", "x", "y").with("a", Mark::Ours, vec![(0.0, 1.0), (1.0, f64::INFINITY)]);
        assert_eq!(chart.series[0].points.len(), 1);
        assert!(!chart.draw().contains("inf") && !chart.draw().contains("NaN"));
    }
}

//! Lines over the drawing that others computed: roads, corridors, tracks.

use super::frame::Frame;
use super::legend::line_element;
use super::path::PathText;
use super::scope::Scope;
use clearway_nav::mesh::CellId;

/// Lines of one meaning, in one colour.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overlay {
    /// The word in the legend.
    pub label: String,
    /// The colour, as SVG writes it.
    pub color: &'static str,
    /// The width of the lines in pixels, in a picture that is 1200 pixels wide.
    pub width: f64,
    /// The lines.
    pub traces: Vec<Trace>,
}

/// A line through points of the world: x, height, z. On a plan z is -y.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Its points in metres.
    pub points: Vec<[f64; 3]>,
    /// The cell on which it lies: the line is drawn where this cell is. `None` draws it on every layer.
    pub cell: Option<CellId>,
}

impl Overlay {
    /// Makes an overlay of thin lines.
    pub fn new(label: impl Into<String>, color: &'static str, traces: Vec<Trace>) -> Overlay {
        Overlay { label: label.into(), color, width: 1.4, traces }
    }

    /// Sets the width of the lines.
    #[must_use]
    pub fn width(mut self, width: f64) -> Overlay {
        self.width = width;
        self
    }

    /// Draws the lines on shown cells. `see` projects points of the world to the flat picture, in metres.
    pub(super) fn draw(
        &self,
        svg: &mut String,
        scope: &Scope,
        frame: &Frame,
        see: impl Fn([f64; 3]) -> [f64; 2],
    ) {
        let mut line = PathText::default();
        let shown = |trace: &&Trace| trace.cell.is_none_or(|cell| scope.shows(cell.0));
        for trace in self.traces.iter().filter(shown) {
            line.line(trace.points.iter().map(|point| frame.place(see(*point))));
        }
        if !line.is_empty() {
            line_element(svg, &line, self.color, self.width * frame.ui, "");
        }
    }
}

//! Lines over the drawing that others computed: roads, corridors, tracks.

use super::course::{Course, Stretch};
use super::frame::Frame;
use super::legend::line_element;
use super::links::{self, Arch};
use super::path::PathText;
use super::route::draw_elsewhere;
use super::scope::Scope;
use clearway_nav::mesh::{CellId, NavMesh};
use clearway_nav::path::Path;

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
    /// The distance in pixels, in a picture that is 1200 pixels wide, by which paths are drawn beside their place, to the
    /// left of those who walk them. Paths that share a way are told apart by it.
    pub lane: f64,
    /// The lines.
    pub traces: Vec<Trace>,
    /// Paths. They are cut as in [`Sketch::with_paths`](super::Sketch::with_paths).
    pub paths: Vec<Path>,
}

/// A line through points of the world: x, height, z. On a plan z is -y.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Its points in metres.
    pub points: Vec<[f64; 3]>,
    /// The cell on which it lies: the line is drawn where this cell is. `None` draws it on every layer.
    pub cell: Option<CellId>,
}

/// Parts of a line; true for those that ground hides.
pub(super) type Parts = Vec<(bool, Vec<[f64; 3]>)>;

/// The view of a picture, as lines need it.
pub(super) trait Sight {
    /// Returns the pixel of a point of the world.
    fn see(&self, point: [f64; 3]) -> [f64; 2];
    /// Cuts a line on shown ground into parts that ground hides and parts that are seen.
    fn cut(&self, points: &[[f64; 3]]) -> Parts;
    /// Returns the arch of a link on the picture.
    fn arch(&self, ends: [[f64; 3]; 2]) -> Arch;
    /// The tolerance in metres to which paths follow the ground and their arcs.
    fn tolerance(&self) -> f64;
}

impl Overlay {
    /// Makes an overlay of thin lines.
    pub fn new(label: impl Into<String>, color: &'static str, traces: Vec<Trace>) -> Overlay {
        Overlay { label: label.into(), color, width: 1.4, lane: 0.0, traces, paths: Vec::new() }
    }

    /// Sets the width of the lines.
    #[must_use]
    pub fn width(mut self, width: f64) -> Overlay {
        self.width = width;
        self
    }

    /// Sets the distance by which paths are drawn beside their place.
    #[must_use]
    pub fn lane(mut self, lane: f64) -> Overlay {
        self.lane = lane;
        self
    }

    /// Sets the paths.
    #[must_use]
    pub fn paths(mut self, paths: Vec<Path>) -> Overlay {
        self.paths = paths;
        self
    }

    /// Draws the lines on shown cells. What ground hides is faint and dashed, and so are paths on other cells.
    pub(super) fn draw(
        &self,
        svg: &mut String,
        (mesh, scope): (&NavMesh, &Scope),
        frame: &Frame,
        sight: &impl Sight,
    ) {
        let mut lines = Lines::default();
        let shown = |trace: &&Trace| trace.cell.is_none_or(|cell| scope.shows(cell.0));
        for trace in self.traces.iter().filter(shown) {
            match trace.cell {
                Some(_) if trace.points.len() > 1 => lines.add(sight.cut(&trace.points), sight, 0.0),
                _ => lines.add(vec![(false, trace.points.clone())], sight, 0.0),
            }
        }
        let lane = self.lane * frame.ui;
        let mut arches = Vec::new();
        for path in &self.paths {
            for stretch in Course::of(mesh, scope, path, sight.tolerance()).stretches {
                match stretch {
                    Stretch::Walk { points, is_shown: true, .. } if points.len() > 1 => {
                        lines.add(sight.cut(&points), sight, lane);
                    }
                    Stretch::Walk { points, is_shown, .. } => {
                        lines.add(vec![(!is_shown, points)], sight, lane)
                    }
                    Stretch::Link { ends, is_shown } => arches.push((sight.arch(ends), is_shown)),
                }
            }
        }
        if !lines.hidden.is_empty() {
            draw_elsewhere(svg, &lines.hidden, frame, self.color);
        }
        if !lines.seen.is_empty() {
            line_element(svg, &lines.seen, self.color, self.width * frame.ui, "");
        }
        for (arch, is_shown) in arches {
            links::draw_taken(svg, frame, &arch, self.color, is_shown);
        }
    }
}

/// The lines of an overlay on the picture.
#[derive(Default)]
struct Lines {
    /// Those that are seen.
    seen: PathText,
    /// Those that are hidden, or on cells that are not shown.
    hidden: PathText,
}

impl Lines {
    /// Adds the parts of a line, `lane` pixels beside it.
    fn add(&mut self, parts: Parts, sight: &impl Sight, lane: f64) {
        for (is_hidden, points) in parts {
            let pixels: Vec<[f64; 2]> = points.into_iter().map(|point| sight.see(point)).collect();
            let line = if is_hidden { &mut self.hidden } else { &mut self.seen };
            line.line(beside(&pixels, lane).into_iter());
        }
    }
}

/// Moves a line of pixels to its left, as seen in the picture.
fn beside(points: &[[f64; 2]], by: f64) -> Vec<[f64; 2]> {
    let direction = |from: [f64; 2], to: [f64; 2]| {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        if length > 0.0 { along.map(|part| part / length) } else { [0.0; 2] }
    };
    let moved = |(i, at): (usize, &[f64; 2])| {
        let before = i.checked_sub(1).map_or([0.0; 2], |before| direction(points[before], *at));
        let after = points.get(i + 1).map_or([0.0; 2], |after| direction(*at, *after));
        let along = direction([0.0; 2], [before[0] + after[0], before[1] + after[1]]);
        // Pixels count downwards, so the left of a direction is this.
        [at[0] + by * along[1], at[1] - by * along[0]]
    };
    points.iter().enumerate().map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_lie_to_the_left() {
        let line = [[0.0, 0.0], [4.0, 0.0], [4.0, 0.0], [4.0, -3.0]];
        let moved = beside(&line, 2.0);
        assert_eq!((moved[0], moved[3]), ([0.0, -2.0], [2.0, -3.0]));
        assert_eq!(beside(&line, 0.0), line);
        assert_eq!(beside(&[[1.0, 1.0]], 2.0), [[1.0, 1.0]]);
    }
}

//! Shapes that users put into a diagram, their handles, and hints for finding places.

use clearway_geometry::{NONE, Point, Vec2};

/// An obstacle on the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single point.
    Point(Point),
    /// A straight wall.
    Segment([Point; 2]),
    /// A closed ring of walls. Its inside belongs to the diagram too.
    Polygon(Vec<Point>),
}

impl Shape {
    /// Its corners.
    pub(crate) fn corners(&self) -> &[Point] {
        match self {
            Shape::Point(at) => std::slice::from_ref(at),
            Shape::Segment(ends) => ends,
            Shape::Polygon(corners) => corners,
        }
    }

    /// The pairs of corners, by index, that walls join.
    pub(crate) fn walls(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let count = self.corners().len();
        let walls = match self {
            Shape::Point(_) => 0,
            Shape::Segment(_) => 1,
            Shape::Polygon(_) => count,
        };
        (0..walls).map(move |i| [i, (i + 1) % count])
    }
}

/// Names a shape in a [`Diagram`](crate::Diagram). It stays invalid once its shape is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// Names a site: a point, or an open segment between two points. It is valid until the next edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// The sites of a shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owned {
    pub generation: u32,
    pub is_alive: bool,
    /// The sites of its corners, and for a shape that was split those of all pieces' ends.
    pub points: Vec<u32>,
    pub segments: Vec<u32>,
    /// Set for a shape whose walls meet others.
    pub woven: Option<Box<Woven>>,
}

/// A shape that was split together with others where their walls meet.
#[derive(Clone, Debug)]
pub(crate) struct Woven {
    /// The shape as it was drawn.
    pub shape: Shape,
    /// For each segment site, the wall along which it runs, and whether it runs the same way.
    pub of_wall: Vec<(u32, bool)>,
    /// The group of shapes that were split together.
    pub group: u32,
}

/// For each square of a coarse grid, a site that was put in there last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    corner: Vec2,
    size: f64,
    columns: usize,
    rows: usize,
    pub sites: Vec<u32>,
}

impl Hints {
    /// A grid with about one square for eight sites.
    pub(crate) fn new([min, max]: [Point; 2], count: usize) -> Hints {
        let corner = min.as_vec2();
        let span = max.as_vec2() - corner;
        let size =
            (span.x * span.y / (count as f64 / 8.0).clamp(64.0, 1e6)).sqrt().max(span.x.max(span.y) / 4096.0);
        let [columns, rows] = [span.x, span.y].map(|length| (length / size) as usize + 1);
        Hints { corner, size, columns, rows, sites: vec![NONE; columns * rows] }
    }

    pub(crate) fn square(&self, at: Vec2) -> usize {
        let d = at - self.corner;
        let place = |x: f64, count: usize| ((x / self.size).max(0.0) as usize).min(count - 1);
        place(d.y, self.rows) * self.columns + place(d.x, self.columns)
    }
}

//! What every planner offers: prepare untimed, find timed, answer untimed.

use super::maps::Map;

/// A point in plan coordinates.
pub type Point = [f64; 2];

/// One way to find paths.
pub trait PathPeer {
    /// The name in tables and after `--only`.
    fn name(&self) -> &'static str;

    /// The radii it is measured at. Most planners know no radius: they plan for a point.
    fn radii(&self) -> &[f64] {
        &[0.0]
    }

    /// Builds what the planner needs for this map; not timed. The error says in a few words why it sits out.
    fn prepare(&self, map: &Map, radius: f64) -> Result<Box<dyn Planner>, String>;
}

/// A planner on one map, for one radius.
pub trait Planner {
    /// The timed part: locates both points, finds the path and keeps it.
    fn find(&mut self, start: Point, goal: Point);

    /// What the last search found; not timed, and asked once after each search.
    fn answer(&mut self) -> Answer;

    /// The bytes of the structure it searches, where known.
    fn memory(&self) -> Option<usize>;
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// A path.
    Path {
        /// Its length, summed in double precision.
        length: f64,
        /// Steps of the search, where the planner counts them.
        expansions: Option<u64>,
    },
    /// There is none, or the planner gave up.
    NoPath,
    /// Start or goal is closer to a wall than the radius.
    TooClose,
}

impl Answer {
    /// A path along these points.
    pub fn along(points: impl IntoIterator<Item = Point>, expansions: Option<u64>) -> Answer {
        let mut points = points.into_iter();
        let Some(mut last) = points.next() else { return Answer::NoPath };
        let mut length = 0.0;
        for point in points {
            length += (point[0] - last[0]).hypot(point[1] - last[1]);
            last = point;
        }
        Answer::Path { length, expansions }
    }

    /// The path's length; `None` where there is no path.
    pub fn length(&self) -> Option<f64> {
        match self {
            Answer::Path { length, .. } => Some(*length),
            Answer::NoPath | Answer::TooClose => None,
        }
    }
}

/// One way to answer small questions about places.
pub trait PlacePeer {
    /// The name in tables.
    fn name(&self) -> &'static str;

    /// Finds the cell of a point, knowing nothing.
    fn locate(&mut self, point: Point) -> bool;

    /// Finds the cell of a point near the last one; peers without memory look anew.
    fn follow(&mut self, point: Point) -> bool {
        self.locate(point)
    }

    /// The largest radius that gets from one point to the other, locating included.
    fn widest_radius(&mut self, _start: Point, _goal: Point) -> Widest {
        Widest::Unasked
    }
}

/// An answer about the widest radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Widest {
    /// The peer does not know this question.
    Unasked,
    /// The radius; `None` where the points are not connected.
    Radius(Option<f64>),
}

//! Answers in words and as JSON, the same behind every door: the command line, a web page, bindings.
//!
//! [`Question`] puts two points on a mesh and words what came of the search ([`Answer`], [`Refusal`]); [`PathReport`] is a
//! path as programs read it; [`build_rows`] words the report of a build. Doors add nothing but how they print it.

mod build;
mod dead_ends;
mod distances;
mod example;
mod path;
mod places;
mod plan_unit;
mod question;
mod surface;
mod words;

pub use build::build_rows;
pub use distances::{Distances, DistancesReport, Exit, Farthest, MeasuredTile, NoDistances, PieceDistances};
pub use example::ExampleWalk;
pub use path::{Arc, LinkTaken, PathReport, SearchFacts, refusal_json};
pub use places::PathEnd;
pub use plan_unit::odd_plan_unit;
pub use question::{Answer, Manner, Question, Refusal, check_kind, note_lines, point_in, point_of};
pub use surface::{MethodAnswer, place_text};
pub use words::{Point, Point3, Table, measure, short, short_point, size_text, to_millimetres};

//! Many searches within a budget per frame, and bodies that move while their search still runs.
//!
//! This is the time-sliced path finder of the thesis of 2004. A queue sorts searches by when each wants to run next
//! (section 3.3). Bodies guess while a search runs (3.1), and the way walked so far is joined with the path that is
//! found (3.2). [`Slicer`] is the queue, [`Walker`] the body. Budgets count expansions, not time, so that the same
//! calls give the same results.

mod guess;
mod join;
mod queue;
mod schedule;
mod search;
#[cfg(test)]
mod tests;
mod track;
mod walker;

pub use schedule::{FrameReport, Pace, SearchId, Slicer, SlicerOptions, Stage};
pub use walker::{Guess, Stride, WalkReport, Walker, WalkerOptions};

//! What every peer offers: prepare untimed, run timed, count untimed.

use crate::inputs::Input;

/// One way to build a mesh. Later rows (paths, 3D scenes) implement the same trait.
pub trait Peer {
    /// The name in tables and after `--only`.
    fn name(&self) -> &'static str;

    /// Brings the input into the form this peer wants; not timed, so that no peer pays for our types.
    ///
    /// The error says in a few words why the peer sits this input out.
    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String>;
}

/// One prepared build, to be run once.
pub trait Job {
    /// The timed part.
    fn run(&mut self) -> Result<(), String>;

    /// What the run produced; not timed.
    fn outcome(&self) -> Result<Outcome, String>;
}

/// What one build produced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Convex cells (triangles, polygons), convex up to the relaxation where the input has one.
    pub cells: usize,
    /// The exactly convex cells that lie under relaxed ones, where the peer keeps both.
    pub exact_cells: Option<usize>,
    /// Edges shared by two cells.
    pub portals: usize,
    /// Summed length of the portals, in the unit of the plan.
    pub portal_length: f64,
    /// The part of it between relaxed cells, where the peer keeps both.
    pub relaxed_portal_length: Option<f64>,
    /// The fewest cells that any partition of this plan can have, where the peer states it.
    pub lower_bound: Option<usize>,
}

impl Outcome {
    /// The mean length of a portal; `None` where there is no portal.
    pub fn mean_portal(&self) -> Option<f64> {
        (self.portals > 0).then(|| self.portal_length / self.portals as f64)
    }

    /// The portal length to compare with a peer that knows only one kind of cell: that between the cells that
    /// `cells` counts.
    pub fn comparable_length(&self) -> f64 {
        self.relaxed_portal_length.unwrap_or(self.portal_length)
    }
}

/// The note of a job that is asked for its outcome before it ran.
pub const NOT_RUN: &str = "not run";

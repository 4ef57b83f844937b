//! The yardstick for portal length: one chord per notch.
//!
//! Every reflex sector of walkable space is settled by its best single chord, shortest first. That is the plain
//! greedy partition which matching and search are to beat in cells without paying for it in portal length: our
//! default quality promises to stay within a tenth of this total (`src/promise.rs` checks it).
//!
//! The steps, `geometry.md` A.3 without its matching and stars:
//! 1. arrange the plan and read its reflex sectors ([`space`]);
//! 2. look into each sector's cone ([`view`]) for the chord that settles it alone ([`chords`]): to a visible
//!    vertex, to a wall, or, where the cone holds neither, to a portal;
//! 3. insert chords shortest first, re-reading each sector before its turn; two edges of the triangulation
//!    settle what no chord can ([`settle`]);
//! 4. remove inessential portals, longest first ([`prune`]).
//!
//! Portals are constrained edges of a triangulation at all times, so they never cross, and every corner is
//! decided exactly. Cost: O(log n) per notch for the heap, plus the triangles that its cone shows up to the
//! nearest chord.

mod chords;
mod prune;
mod settle;
mod snap;
mod space;
mod view;

use clearway_geometry::arrangement::{Chain, arrange};

use crate::inputs::Input;
use crate::peer::{Job, NOT_RUN, Outcome, Peer};
use space::Space;

/// One chord per notch, on our own kernel.
pub struct OneChord;

impl OneChord {
    /// The name in tables.
    pub const NAME: &str = "one-chord";
}

impl Peer for OneChord {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        let (chains, unit) = snap::chains_of(input).ok_or("fits no grid")?;
        Ok(Box::new(OneChordJob { chains, unit, relax_angle: input.relax_angle, built: None }))
    }
}

struct OneChordJob {
    chains: Vec<Chain>,
    /// The grid unit in the plan's unit.
    unit: f64,
    relax_angle: f64,
    built: Option<Space>,
}

impl Job for OneChordJob {
    fn run(&mut self) -> Result<(), String> {
        self.built = Some(partition(&self.chains, self.relax_angle)?);
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let space = self.built.as_ref().ok_or(NOT_RUN)?;
        let portals: Vec<u32> = space.portals().collect();
        Ok(Outcome {
            cells: space.count_cells(),
            portals: portals.len(),
            portal_length: portals.iter().map(|&e| space.length(e)).sum::<f64>() * self.unit,
            ..Outcome::default()
        })
    }
}

fn partition(chains: &[Chain], relax_angle: f64) -> Result<Space, String> {
    let floor = arrange(chains).map_err(|error| error.to_string())?;
    let mut space = Space::new(floor, relax_angle);
    settle::settle_notches(&mut space);
    settle::sweep(&mut space);
    prune::remove_inessential(&mut space);
    Ok(space)
}

#[cfg(test)]
mod tests;

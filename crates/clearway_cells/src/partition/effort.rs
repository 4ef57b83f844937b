//! The effort that a quality stands for, and the order in which it is spent: search, then polish.
//!
//! Invariant: all budgets count steps, never time, so that results do not depend on the machine.

use super::blocks::{Cut, in_blocks};
use super::convexity::Convexity;
use super::facets::Facets;
use super::plateau::{self, Sweep};
use super::stuck::Stuck;
use super::{merge, rays};
use crate::rules::Quality;
use clearway_base::error::Result;
use clearway_base::parallel;
use clearway_base::progress::{NoProgress, Progress, go_on};

/// The number of sides that all trials of the best quality share. Small plans get up to 16 trials, large ones a
/// single one, so that the time stays bounded.
const SIDES_PER_TRIALS: u32 = 1 << 16;

/// The number of sides after merging below which a plan is small. Small plans get more sweeps: they cost next to
/// nothing.
const SMALL: u32 = 1 << 14;

/// The sweeps of a fast edit. A third of those of a build leave slightly more cells; what is left over, tidying finds.
const EDIT_SWEEPS: u32 = 3;

/// The budget of a search. All counts are steps, never time.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of sweeps, each with another cut into blocks.
    sweeps: u32,
    /// The number of times that each portal gets its chance within a sweep.
    rounds: u32,
    /// The number of times out of sixteen that a portal may only become shorter: in the first sweep and in the last.
    /// Few cells are found early, while portals turn freely; short portals late, when they hardly may.
    thrift: (u32, u32),
    /// The number of searches with different seeds; the one with the fewest cells wins.
    trials: u32,
    /// True if portals may end on portals.
    t_joints: bool,
    /// The maximum number of passes that make portals shorter.
    polishing: u32,
    /// The maximum number of passes that move ends to the nearest wall point.
    shortenings: u32,
}

impl Effort {
    /// The budget of a quality for this many sides.
    pub fn of(quality: Quality, sides: u32) -> Effort {
        let least = Effort {
            sweeps: 1,
            rounds: 5,
            thrift: (2, 2),
            trials: 1,
            t_joints: false,
            polishing: 2,
            shortenings: 0,
        };
        match quality {
            Quality::Fast => least,
            // Small plans cost next to nothing, so they get more of the search.
            Quality::Default if sides < SMALL => {
                Effort { sweeps: 8, rounds: 16, thrift: (2, 15), polishing: 6, shortenings: 3, ..least }
            }
            Quality::Default => {
                Effort { sweeps: 5, rounds: 16, thrift: (2, 15), polishing: 4, shortenings: 2, ..least }
            }
            Quality::Best => {
                let trials = (SIDES_PER_TRIALS / sides.max(1)).clamp(1, 16);
                Effort {
                    sweeps: 40,
                    rounds: 50,
                    thrift: (0, 0),
                    trials,
                    t_joints: true,
                    polishing: 10,
                    shortenings: 2,
                }
            }
        }
    }

    /// The budget of a live edit for this many sides: that of the default quality, without new points on walls. A
    /// rounded point bends its wall, and walls that are bent by every edit would drift. An edit that must be fast takes
    /// fewer sweeps; it leaves slightly more cells.
    pub fn of_edit(quality: Quality, sides: u32) -> Effort {
        let thorough = Effort { shortenings: 0, ..Effort::of(Quality::Default, sides) };
        match quality {
            Quality::Fast => Effort { sweeps: EDIT_SWEEPS, ..thorough },
            _ => thorough,
        }
    }

    /// Walks the plateau. The trial with the fewest cells wins, then the one with the shortest portals, then the
    /// first.
    pub fn search(&self, facets: Facets, rule: &Convexity, progress: &mut dyn Progress) -> Result<Facets> {
        if self.trials == 1 {
            return self.search_once(facets, rule, 0, progress);
        }
        let trial = |_: &mut (), number: usize| {
            let number = number as u32;
            let found = self.search_once(facets.clone(), rule, number, &mut NoProgress)?;
            Ok((found.cells().len(), found.portal_length(), number, found))
        };
        let at_once = parallel::thread_count();
        let trials = parallel::map_watched(self.trials as usize, at_once, progress, || (), trial)?;
        let trials: Vec<_> = trials.into_iter().collect::<Result<_>>()?;
        let better = |p: &&(usize, f64, u32, Facets), q: &&(usize, f64, u32, Facets)| {
            p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2))
        };
        Ok(trials.iter().min_by(better).map_or(facets, |best| best.3.clone()))
    }

    /// The thrift of a sweep. It grows with the square of the sweep, so slowly at first.
    fn thrift_in(&self, sweep: u32) -> u32 {
        let ((first, last), steps) = (self.thrift, self.sweeps.max(2) - 1);
        first + (last - first) * sweep * sweep / (steps * steps)
    }

    /// Runs all sweeps of one trial.
    fn search_once(
        &self,
        mut facets: Facets,
        rule: &Convexity,
        trial: u32,
        progress: &mut dyn Progress,
    ) -> Result<Facets> {
        let first_new = facets.points().len() as u32;
        for sweep in 0..self.sweeps {
            go_on(progress)?;
            let cut = [Cut::Curve, Cut::Strips, Cut::Layers][sweep as usize % 3];
            let seed = u64::from(sweep) + 7919 * u64::from(trial);
            let plan = Sweep { rounds: self.rounds, thrift: self.thrift_in(sweep), seed };
            facets = in_blocks(facets, cut, |part| {
                plateau::search(part, rule, plan);
                if self.t_joints {
                    // Aiming single portals helps where much is tight and costs elsewhere: every second trial does
                    // it.
                    if trial % 2 == 1 {
                        rays::aim_into_cones(part, rule);
                    }
                    rays::settle_notches(part, rule);
                }
            });
            if self.t_joints {
                rays::dissolve_unused(&mut facets, rule, first_new);
            }
            facets = facets.compacted();
        }
        Ok(facets)
    }

    /// Makes portals short without adding cells. `first_new` is the first vertex that the plan does not have.
    pub fn polish(&self, mut facets: Facets, rule: &Convexity, first_new: u32) -> Facets {
        facets = in_blocks(facets, Cut::Curve, |part| {
            let stuck = &mut Stuck::none(part);
            plateau::polish(part, rule, self.polishing, stuck);
            for _ in 0..self.shortenings {
                if !rays::shorten(part, rule, stuck) {
                    break;
                }
                plateau::polish(part, rule, self.polishing, stuck);
            }
        });
        rays::dissolve_unused(&mut facets, rule, first_new);
        merge::merge_cells_and_rows(&mut facets, rule);
        facets.compacted()
    }
}

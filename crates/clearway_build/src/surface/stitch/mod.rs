//! Phase 4: sheets are glued where one can step from one to the other.
//!
//! In: the [`fabric`] of sheets with free rims. Out: the same fabric, its rims glued ([`glue`]) wherever a step and a gap
//! allow it, and only there: rims are split where the step exceeds the limit ([`split_at_step_limit`]), folds are
//! opened ([`unfold`]), pinholes closed ([`pinholes`]), [`cracks`] parted, floor under bridged gaps removed
//! ([`under_bridges`]).

pub mod cracks;
pub mod doorways;
pub mod fabric;
pub mod glue;
pub mod pinholes;
pub mod rim_index;
pub mod split_at_step_limit;
pub mod under_bridges;
pub mod unfold;

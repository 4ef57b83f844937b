//! Phase 4: glues sheets where one can step from one to the other.
//!
//! In: the [`fabric`] of sheets with free rims. Out: the same fabric, its rims glued ([`glue`]) where a step and a
//! gap allow it, and only there. Rims are found by [`rim_index`] and split where the step exceeds the limit
//! ([`split_at_step_limit`]). [`doorways`] are filled, folds opened ([`unfold`]), pinholes closed ([`pinholes`]),
//! [`cracks`] parted, and floor under bridged gaps removed ([`under_bridges`]).

pub mod cracks;
pub mod doorways;
pub mod fabric;
pub mod glue;
pub mod pinholes;
pub mod rim_index;
pub mod split_at_step_limit;
pub mod under_bridges;
pub mod unfold;

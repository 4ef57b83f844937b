//! Judges of clearway, and other methods beside it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod centre;
mod clearance;

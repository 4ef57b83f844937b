//! Judges of clearway, and other methods beside it.

mod centre;
mod clearance;

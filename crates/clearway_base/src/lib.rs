//! What all crates of clearway share.
//!
//! - [`error`]: one error type for bad files and bad options, with a kind and a stable code;
//! - [`progress`]: how long work tells where it is, and how it is told to stop;
//! - [`mod@file`]: files of limited size, read whole;
//! - [`lines`]: the lines of a text, which errors name;
//! - [`names`]: messages about names that are not known, with the nearest known one;
//! - [`parallel`]: work on several threads, with the same results on any number of them.
//!
//! Both sides of the seam (build and run) need these, so they stand below both.

pub mod error;
pub mod file;
pub mod lines;
pub mod names;
pub mod parallel;
pub mod progress;
mod setters;

pub use error::{Error, ErrorKind, Result};
pub use progress::{NoProgress, Progress};

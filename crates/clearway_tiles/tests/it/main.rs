//! Tests of tiles from outside: composition against the whole mesh, answers about tiles that are not loaded, bad input.

#![allow(clippy::unwrap_used, clippy::panic)]

mod answers;
mod composition;
mod edits;
mod hostile;
mod worlds;

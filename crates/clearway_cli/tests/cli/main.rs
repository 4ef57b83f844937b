//! The command as its users meet it: arguments in, text, files and an exit status out.

// A test crate is always a test, but the lints on `unwrap` only see it by this attribute.
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod crowds;
#[cfg(test)]
mod links;
mod measures;
#[cfg(test)]
mod paths;
#[cfg(test)]
mod places;
#[cfg(test)]
mod plans;
mod questions;
#[cfg(test)]
mod scenes;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod skeleton;
#[cfg(test)]
mod tiles;

//! Links for a mesh: from a file beside the scene ([`load_links`]), or found in the scene itself ([`generate_links`]).

mod file;
#[cfg(test)]
mod file_tests;
mod generate;

pub use file::{MAX_LINK_FILE_BYTES, links_beside, load_links, load_links_in_space, parse_links};
pub use generate::{JumpRules, LeftOut, generate_links, generate_links_with_report};

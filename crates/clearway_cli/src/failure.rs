//! The message with which a command gives up.

use std::fmt;
use std::io;
use std::path::Path;

/// The result of a step of a command.
pub type Result<T> = std::result::Result<T, Failure>;

/// A message for the person at the terminal: the file, the fault, and the limit that was exceeded.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// Makes a failure with this message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    /// Puts the name of the file in front.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Failure {
        Failure(format!("{}: {self}", path.display()))
    }

    /// Makes a failure of the file system.
    pub fn file(path: &Path, what: &str, error: &io::Error) -> Failure {
        Failure(format!("{what}: {error}")).in_file(path)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<clearway::Error> for Failure {
    fn from(error: clearway::Error) -> Failure {
        Failure(error.to_string())
    }
}

/// Turns wrong arguments into a failure, in the words of the argument parser.
pub fn usage(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    Failure::new(text.strip_prefix("error: ").unwrap_or(&text).trim_end())
}

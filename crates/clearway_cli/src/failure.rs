//! What the command says before it gives up.

use std::fmt;
use std::io;
use std::path::Path;

/// The result of a step of a command.
pub type Result<T> = std::result::Result<T, Failure>;

/// A message for the person at the terminal: the file, what is wrong with it, and the limit.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    /// The same failure with the file it concerns in front.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Failure {
        Failure(format!("{}: {self}", path.display()))
    }

    /// A failure of the file system.
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

/// A wrong use of the command, in the words of the argument parser.
pub fn usage(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    Failure::new(text.strip_prefix("error: ").unwrap_or(&text).trim_end())
}

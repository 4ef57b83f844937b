//! What went wrong when the caller or a file is at fault.

use std::fmt;
use std::path::Path;

/// The result of an operation that can fail through a bad file or bad options.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of trouble an [`Error`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file could not be read or written.
    Io,
    /// The format is not one this version knows.
    Unsupported,
    /// The text or bytes do not follow their format.
    Syntax,
    /// A number is not finite or lies outside the stated limit.
    OutOfRange,
    /// The input is larger than the stated limit.
    TooLarge,
    /// There is nothing to work on.
    Empty,
    /// An option has a value that makes no sense.
    Options,
    /// The caller asked to stop.
    Cancelled,
}

/// A failure with a message that names the file, the element and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into() }
    }

    /// The same error with the file it comes from in front of its message.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Error {
        self.message = format!("{}: {}", path.as_ref().display(), self.message);
        self
    }

    /// What kind of trouble this is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

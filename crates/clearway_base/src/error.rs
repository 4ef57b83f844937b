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
    /// A law that clearway itself must keep was broken: please report it, with the input.
    Internal,
}

impl ErrorKind {
    /// The kind as a word that never changes: `io`, `unsupported`, `syntax`, `out_of_range`, `too_large`, `empty`,
    /// `options`, `cancelled` or `internal`.
    pub fn code(self) -> &'static str {
        match self {
            ErrorKind::Io => "io",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Syntax => "syntax",
            ErrorKind::OutOfRange => "out_of_range",
            ErrorKind::TooLarge => "too_large",
            ErrorKind::Empty => "empty",
            ErrorKind::Options => "options",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Internal => "internal",
        }
    }
}

/// A failure with a message that names the file, the element and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of a kind, with a message that names the element and the limit.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
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

    /// The kind as a word that never changes, see [`ErrorKind::code`].
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }
}

/// A number for messages: in powers of ten where it would have many zeros, and without what conversions leave in its last
/// digits.
pub fn short(value: f64) -> String {
    let rounded = format!("{value:.14e}").parse().unwrap_or(value);
    let text = format!("{rounded:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_messages_are_short() {
        let cases = [(7.0, "7"), (-0.1, "-0.1"), (1e300, "1e300"), (1e-9, "1e-9"), (f64::NAN, "NaN")];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }
}

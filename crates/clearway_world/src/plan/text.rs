//! Reads text with positions for messages.
//!
//! Positions are byte offsets while reading. Lines and columns are computed only when a message needs them, so that a
//! file of one long line costs no more than one of many.

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// A position in free-form text, for formats where line ends mean nothing.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    /// The whole text.
    text: &'a str,
    /// The part that is still to be read.
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning.
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, rest: text }
    }

    /// The next character that is not white space.
    pub(super) fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// The byte offset of the next character that is not white space.
    pub(super) fn offset(&mut self) -> usize {
        self.peek();
        self.text.len() - self.rest.len()
    }

    /// Steps over `wanted` if it comes next.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        self.peek();
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Steps over `wanted`, which must come next.
    pub(super) fn expect(&mut self, wanted: char) -> Result<()> {
        if self.eat(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    /// Takes the letters that come next; empty if there are none.
    pub(super) fn word(&mut self) -> &'a str {
        self.peek();
        self.take_until(|c| !c.is_ascii_alphabetic())
    }

    /// Steps over `wanted` in any case, if it is the whole next word.
    pub(super) fn eat_word(&mut self, wanted: &str) -> bool {
        let before = self.rest;
        let found = self.word().eq_ignore_ascii_case(wanted);
        if !found {
            self.rest = before;
        }
        found
    }

    /// Reads a number. Words such as `nan` are numbers here; the range check refuses them.
    pub(super) fn number(&mut self) -> Result<f64> {
        self.peek();
        let before = self.rest;
        let token = self.take_until(is_delimiter);
        token.parse().map_err(|_| {
            self.rest = before;
            self.unexpected("a number")
        })
    }

    /// The error for anything but `wanted` at this position.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Error {
        let offset = self.offset();
        let token = self.rest.split(is_delimiter).next();
        let found = match (token, self.rest.chars().next()) {
            (_, None) => "the end of the text".to_string(),
            (Some(token), _) if !token.is_empty() => quoted(token),
            (_, Some(character)) => quoted(character.encode_utf8(&mut [0; 4])),
        };
        self.error_at(offset, ErrorKind::Syntax, &format!("expected {wanted}, found {found}"))
    }

    /// An error with the line and column of a byte offset in front of its message.
    pub(super) fn error_at(&self, offset: usize, kind: ErrorKind, message: &str) -> Error {
        error_at(self.text, offset, kind, message)
    }

    /// Takes all characters up to one for which `stop` is true.
    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(stop).unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        token
    }
}

/// A line of text with its number, for formats of one record per line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its number, counted from 1.
    pub(super) number: usize,
    /// Its text, without the line end.
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// The parts of the line between white space and commas.
    pub(super) fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.text.split(|c: char| c.is_whitespace() || c == ',').filter(|field| !field.is_empty())
    }

    /// An error with the number of this line in front of its message.
    pub(super) fn error(&self, kind: ErrorKind, message: impl std::fmt::Display) -> Error {
        Error::new(kind, format!("line {}: {message}", self.number))
    }
}

/// The lines of a text, numbered.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    /// The lines that remain.
    lines: std::str::Lines<'a>,
    /// The number of lines taken.
    number: usize,
}

impl<'a> Lines<'a> {
    /// Starts at the first line.
    pub(super) fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines(), number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.number += 1;
        self.lines.next().map(|text| Line { number: self.number, text })
    }
}

/// An error with the line and column of a byte offset in front of its message.
pub(super) fn error_at(text: &str, offset: usize, kind: ErrorKind, message: &str) -> Error {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    Error::new(kind, format!("line {line}, column {column}: {message}"))
}

/// True for characters that end a number or a word in free-form text.
fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '(' | ')' | ';' | '=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_tell_line_and_column() {
        let cases = [
            ("", "line 1, column 1: expected a number, found the end of the text"),
            ("  x1 y", "line 1, column 3: expected a number, found `x1`"),
            ("\r\n\n\té\n", "line 3, column 2: expected a number, found `é`"),
            ("\n , 2", "line 2, column 2: expected a number, found `,`"),
            ("1.2.3)", "line 1, column 1: expected a number, found `1.2.3`"),
            ("\0", "line 1, column 1: expected a number, found `\\0`"),
        ];
        for (text, message) in cases {
            let error = Cursor::new(text).number().unwrap_err();
            assert_eq!(error.to_string(), message, "{text:?}");
        }
    }

    #[test]
    fn numbers_take_every_usual_form() {
        for (text, value) in [("1", 1.0), ("-2.5e3", -2500.0), ("+.5", 0.5), ("7.", 7.0), ("1E-2", 0.01)] {
            assert_eq!(Cursor::new(&format!("{text},")).number().unwrap(), value);
        }
        assert!(Cursor::new("NaN").number().unwrap().is_nan());
        assert_eq!(Cursor::new("1e999").number().unwrap(), f64::INFINITY);
    }

    #[test]
    fn a_word_is_left_alone_unless_it_is_the_wanted_one() {
        let mut cursor = Cursor::new(" Empty emptyset");
        assert!(cursor.eat_word("EMPTY"));
        assert!(!cursor.eat_word("EMPTY"));
        assert_eq!(cursor.word(), "emptyset");
        assert_eq!(cursor.peek(), None);
    }

    #[test]
    fn fields_are_parted_by_space_and_commas() {
        let line = Line { number: 1, text: "1, 2\t3,4 " };
        assert_eq!(line.fields().collect::<Vec<_>>(), ["1", "2", "3", "4"]);
    }
}

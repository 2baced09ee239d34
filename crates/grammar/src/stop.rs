//! Errors: where a text could not be parsed, and what was expected.

use nom::combinator::all_consuming;
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Input, Parser};
use std::fmt::{Display, Formatter};

/// Where a text could not be parsed, and what was expected there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The byte offset in the text at which reading stopped.
    pub offset: usize,
    /// What was expected there, in plain words ("a file z, a, b, c, d or e").
    pub expected: &'static str,
    /// The part of the text at that offset, if the grammar names its parts.
    pub part: Option<&'static TextPart>,
}

/// A named part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPart {
    /// What the whole text is: "position string".
    pub text: &'static str,
    /// What the part is: "side to move".
    pub name: &'static str,
}

impl SyntaxError {
    /// An error without a named part.
    #[must_use]
    pub const fn new(offset: usize, expected: &'static str) -> Self {
        Self {
            offset,
            expected,
            part: None,
        }
    }
}

impl Display for SyntaxError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (offset, expected) = (self.offset, self.expected);
        match self.part {
            Some(TextPart { text, name }) => {
                write!(f, "{text}, {name} (byte {offset}): expected {expected}")
            }
            None => write!(f, "expected {expected} at byte {offset}"),
        }
    }
}

impl std::error::Error for SyntaxError {}

/// A [`SyntaxError`] while the text is being parsed. A nom parser receives only the rest of the text, so the error
/// contains the length of the rest instead of an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseStop {
    /// How many bytes of the text were left.
    pub left: usize,
    /// What was expected, in plain words.
    pub expected: &'static str,
    /// The part of the text that was being parsed.
    pub part: Option<&'static TextPart>,
}

/// The result of a parser.
pub type Parsed<I, T> = IResult<I, T, ParseStop>;

/// What is expected where input is left.
const END: &str = "the end";

impl ParseStop {
    /// A stop with `left` bytes left, without a named part.
    #[must_use]
    pub const fn before(left: usize, expected: &'static str) -> Self {
        Self {
            left,
            expected,
            part: None,
        }
    }

    /// Converts the stop to the error in a text of `length` bytes.
    #[must_use]
    pub const fn in_text(self, length: usize) -> SyntaxError {
        SyntaxError {
            offset: length.saturating_sub(self.left),
            expected: self.expected,
            part: self.part,
        }
    }
}

impl<I: Input> ParseError<I> for ParseStop {
    fn from_error_kind(input: I, kind: ErrorKind) -> Self {
        let expected = match kind {
            ErrorKind::Eof => END,
            _ => "something else",
        };
        Self::before(input.input_len(), expected)
    }

    fn append(_: I, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Keeps the error that is further into the text, because it is more specific; at the same offset, the later one.
    fn or(self, other: Self) -> Self {
        if other.left <= self.left { other } else { self }
    }
}

/// Fails with what was expected, so that other alternatives are tried.
///
/// # Errors
/// Always.
pub fn refuse<I: Input, T>(at: I, expected: &'static str) -> Parsed<I, T> {
    Err(Err::Error(ParseStop::before(at.input_len(), expected)))
}

/// Fails with what was expected, so that no other alternative is tried.
///
/// # Errors
/// Always.
pub fn fail<I: Input, T>(at: I, expected: &'static str) -> Parsed<I, T> {
    Err(Err::Failure(ParseStop::before(at.input_len(), expected)))
}

/// Parses a whole text. If input is left, the error expects `end`.
///
/// # Errors
/// The offset at which the parser stopped, and what it expected there.
pub fn whole<I: Input, T>(
    text: I,
    end: &'static str,
    parser: impl Parser<I, Output = T, Error = ParseStop>,
) -> Result<T, SyntaxError> {
    let length = text.input_len();
    let stop = match all_consuming(parser).parse(text) {
        Ok((_, found)) => return Ok(found),
        Err(Err::Error(stop) | Err::Failure(stop)) => stop,
        // Complete parsers never request more input.
        Err(Err::Incomplete(_)) => ParseStop::before(0, END),
    };
    let expected = match stop.expected {
        END => end,
        expected => expected,
    };
    Err(ParseStop { expected, ..stop }.in_text(length))
}

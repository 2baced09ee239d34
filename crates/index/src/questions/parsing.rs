//! What the two languages of the index share in reading: where and why a text is not understood.

use nom::IResult;
use nom::error::ErrorKind;

/// Where and why a query or a pattern is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanguageError {
    /// Byte offset in the text at which reading stopped.
    pub offset: usize,
    /// What would have been understood there, in plain words.
    pub expected: String,
}

impl std::fmt::Display for LanguageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}: expected {}", self.offset, self.expected)
    }
}

impl std::error::Error for LanguageError {}

/// The longest text of a query, pattern or material signature, in bytes.
pub const MAX_LENGTH: usize = 4_096;
/// How deep brackets and `not` may be nested.
pub const MAX_NESTING: usize = 48;

pub(crate) const TOO_DEEP: &str = "less nesting (48 brackets or nots at most)";

/// Where a parser stopped.
#[derive(Clone, Debug)]
pub(crate) struct Stop<'a> {
    pub(crate) at: &'a str,
    pub(crate) expected: &'static str,
    /// What an inner language expected, where that says more.
    pub(crate) inner: Option<String>,
}

impl<'a> nom::error::ParseError<&'a str> for Stop<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self {
            at,
            expected: "something else",
            inner: None,
        }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The alternative that came further knows best.
    fn or(self, other: Self) -> Self {
        if other.at.len() < self.at.len() {
            other
        } else {
            self
        }
    }
}

pub(crate) type Parsed<'a, T> = IResult<&'a str, T, Stop<'a>>;

/// A failure that other alternatives may mend.
pub(crate) fn stop<'a, T>(at: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(nom::Err::Error(Stop {
        at,
        expected,
        inner: None,
    }))
}

/// A failure that nothing mends.
pub(crate) fn fail<'a, T>(at: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(nom::Err::Failure(Stop {
        at,
        expected,
        inner: None,
    }))
}

/// A parser whose failure at its very start is told as `expected`.
pub(crate) fn told<'a, T>(
    expected: &'static str,
    mut parser: impl FnMut(&'a str) -> Parsed<'a, T>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        parser(input).map_err(|error| {
            error.map(|stop| {
                if stop.at.len() == input.len() && stop.inner.is_none() {
                    Stop {
                        at: input,
                        expected,
                        inner: None,
                    }
                } else {
                    stop
                }
            })
        })
    }
}

/// Reads a whole text, blanks around it forgiven.
pub(crate) fn whole<'a, T>(
    text: &'a str,
    mut parser: impl FnMut(&'a str) -> Parsed<'a, T>,
    end: &'static str,
) -> Result<T, LanguageError> {
    if text.len() > MAX_LENGTH {
        return Err(LanguageError {
            offset: MAX_LENGTH,
            expected: format!("the end of the text ({MAX_LENGTH} bytes at most)"),
        });
    }
    let fault = |stop: Stop<'a>| LanguageError {
        offset: text.len() - stop.at.len(),
        expected: stop.inner.unwrap_or_else(|| stop.expected.to_owned()),
    };
    match parser(text.trim_start()) {
        Ok((rest, value)) if rest.trim_start().is_empty() => Ok(value),
        Ok((rest, _)) => Err(fault(Stop {
            at: rest.trim_start(),
            expected: end,
            inner: None,
        })),
        Err(nom::Err::Error(stop) | nom::Err::Failure(stop)) => Err(fault(stop)),
        // Complete parsers never ask for more.
        Err(nom::Err::Incomplete(_)) => Err(fault(Stop {
            at: "",
            expected: "more text",
            inner: None,
        })),
    }
}

/// Blanks, none or more.
pub(crate) fn blanks(input: &str) -> &str {
    input.trim_start()
}

/// A word of letters in any case, not followed by a letter, digit or `_`.
pub(crate) fn keyword<'a>(word: &str, input: &'a str) -> Option<&'a str> {
    let (head, rest) = input.split_at_checked(word.len())?;
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (head.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

/// A number up to 65,535.
pub(crate) fn number(input: &str) -> Parsed<'_, u32> {
    let digits = input.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = input.split_at(digits);
    match digits.parse() {
        Ok(n @ 0..=65_535) => Ok((rest, n)),
        _ => stop(input, "a number up to 65535"),
    }
}

/// `N`, `N..M`, `N..`, `..M`.
pub(crate) fn range(input: &str) -> Parsed<'_, (Option<u32>, Option<u32>)> {
    let (rest, from) = match number(input) {
        Ok((rest, n)) => (rest, Some(n)),
        Err(_) => (input, None),
    };
    match (rest.strip_prefix(".."), from) {
        (Some(rest), _) => match (number(rest), from) {
            (Ok((rest, to)), from) if from.is_none_or(|from| from <= to) => {
                Ok((rest, (from, Some(to))))
            }
            (Ok(_), _) => fail(rest, "an end that is not before the beginning"),
            (Err(_), Some(from)) => Ok((rest, (Some(from), None))),
            (Err(_), None) => stop(input, "a number or a range such as 10..40"),
        },
        (None, Some(n)) => Ok((rest, (Some(n), Some(n)))),
        (None, None) => stop(input, "a number or a range such as 10..40"),
    }
}

//! What the languages of the index share: words, numbers, brackets with `and`, `or`, `not`, and where and why a text is
//! not understood.

use super::logic::Logic;
use super::query_error::QueryError;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while, take_while1};
use nom::character::complete::satisfy;
use nom::combinator::{cut, eof, map, map_opt, not, opt, peek, value};
use nom::error::ErrorKind;
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use std::cmp::Ordering;

/// The longest text of a query, pattern or material signature, in bytes.
pub const MAX_LENGTH: usize = 4_096;
/// How deep brackets and `not` may be nested.
pub const MAX_NESTING: usize = 48;

/// What is expected where a parser stops that has no name for what it reads. The parser around it has one: see
/// [`Stop::or`] and [`expecting`].
const UNNAMED: &str = "something else";

pub(crate) const TOO_DEEP: &str = "less nesting (48 brackets or nots at most)";

/// Where a parser stopped.
#[derive(Clone, Debug)]
pub(crate) struct Stop<'a> {
    pub(crate) at: &'a str,
    pub(crate) expected: &'static str,
}

impl<'a> nom::error::ParseError<&'a str> for Stop<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self {
            at,
            expected: UNNAMED,
        }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The alternative that came further knows best, and of two that came as far the one that has a name for it.
    fn or(self, other: Self) -> Self {
        match other.at.len().cmp(&self.at.len()) {
            Ordering::Less => other,
            Ordering::Equal if self.expected == UNNAMED => other,
            _ => self,
        }
    }
}

pub(crate) type Parsed<'a, T> = IResult<&'a str, T, Stop<'a>>;

/// A failure that other alternatives may mend.
pub(crate) fn stop<'a, T>(at: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(nom::Err::Error(Stop { at, expected }))
}

/// A failure that no alternative recovers.
pub(crate) fn fail<'a, T>(at: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(nom::Err::Failure(Stop { at, expected }))
}

/// A parser whose failure at its very start is reported as `expected`.
pub(crate) fn expecting<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Stop<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        parser.parse(input).map_err(|error| {
            error.map(|stop| match stop.at.len() == input.len() {
                true => Stop { expected, ..stop },
                false => stop,
            })
        })
    }
}

/// A parser of a name: regardless of where it stops, the name as a whole is not understood.
pub(crate) fn named<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Stop<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| match parser.parse(input) {
        Err(nom::Err::Error(_)) => stop(input, expected),
        other => other,
    }
}

/// Reads a whole text, blanks around it forgiven.
pub(crate) fn whole<'a, T>(
    text: &'a str,
    parser: impl Parser<&'a str, Output = T, Error = Stop<'a>>,
    end: &'static str,
) -> Result<T, QueryError> {
    if text.len() > MAX_LENGTH {
        let expected = format!("the end of the text ({MAX_LENGTH} bytes at most)");
        return Err(QueryError::at(text, MAX_LENGTH, expected));
    }
    let mut all = delimited(blanks, parser, (blanks, expecting(end, eof)));
    match all.parse(text) {
        Ok((_, value)) => Ok(value),
        Err(nom::Err::Error(stop) | nom::Err::Failure(stop)) => {
            let offset = text.len() - stop.at.len();
            Err(QueryError::at(text, offset, stop.expected))
        }
        // Complete parsers never ask for more.
        Err(nom::Err::Incomplete(_)) => Err(QueryError::at(text, text.len(), "more text")),
    }
}

/// Blanks, none or more.
pub(crate) fn blanks(input: &str) -> Parsed<'_, &str> {
    take_while(char::is_whitespace).parse(input)
}

/// A word of letters in any case, not followed by a letter, digit or `_`.
pub(crate) fn keyword<'a>(word: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    let longer = satisfy(|c| c.is_alphanumeric() || c == '_');
    // A longer word is another one from its beginning.
    named(UNNAMED, terminated(tag_no_case(word), not(longer)))
}

/// A number up to 65,535.
pub(crate) fn number(input: &str) -> Parsed<'_, u32> {
    let digits = take_while1(|c: char| c.is_ascii_digit());
    let number = |digits: &str| digits.parse().ok().filter(|n| *n <= 65_535);
    expecting("a number up to 65535", map_opt(digits, number))(input)
}

/// `N`, `N..M`, `N..`, `..M`.
pub(crate) fn range(input: &str) -> Parsed<'_, (Option<u32>, Option<u32>)> {
    let from = |input| (number, opt(preceded(tag(".."), opt(number)))).parse(input);
    let to = |input| preceded(tag(".."), number).parse(input);
    let (rest, range) = expecting(
        "a number or a range such as 10..40",
        alt((
            map(from, |(from, to)| (Some(from), to.unwrap_or(Some(from)))),
            map(to, |to| (None, Some(to))),
        )),
    )(input)?;
    match range {
        (Some(from), Some(to)) if from > to => {
            let dots = input.find("..").map_or(0, |at| at + 2);
            fail(
                input.get(dots..).unwrap_or(rest),
                "a number that is not below the first",
            )
        }
        range => Ok((rest, range)),
    }
}

/// A language of tests joined by `or`, `and`, `not` and brackets.
pub(crate) struct Boolean<T> {
    /// What negates a factor.
    pub(crate) negation: fn(&str) -> Parsed<'_, &str>,
    /// Whether `and` may be omitted.
    pub(crate) is_terse: bool,
    pub(crate) test: fn(&str) -> Parsed<'_, Logic<T>>,
    /// What is expected where a closing bracket is missing.
    pub(crate) closing: &'static str,
}

impl<T> Boolean<T> {
    /// `any_of = all_of, { blanks, "or", blanks, all_of }`.
    pub(crate) fn any_of<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Logic<T>> {
        let or = |input| value((), delimited(blanks, keyword("or"), blanks)).parse(input);
        joined(input, or, Logic::Or, |input| self.all_of(input, depth))
    }

    /// `all_of = factor, { blanks, "and", blanks, factor }`.
    fn all_of<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Logic<T>> {
        let and = |input| value((), delimited(blanks, keyword("and"), blanks)).parse(input);
        let factor = |input| self.factor(input, depth);
        if !self.is_terse {
            return joined(input, and, Logic::And, factor);
        }
        let end = |input| alt((eof, tag(")"), keyword("or"))).parse(input);
        let nothing = |input| value((), terminated(blanks, not(peek(end)))).parse(input);
        let joint = |input| alt((and, nothing)).parse(input);
        joined(input, joint, Logic::And, factor)
    }

    /// `factor = negation, blanks, factor | "(", blanks, any_of, blanks, ")" | test`.
    fn factor<'a>(&self, input: &'a str, depth: usize) -> Parsed<'a, Logic<T>> {
        if depth > MAX_NESTING {
            return fail(input, TOO_DEEP);
        }
        let inner = |input| self.factor(input, depth + 1);
        let all = |input| self.any_of(input, depth + 1);
        let open = (tag("("), blanks);
        let close = preceded(blanks, expecting(self.closing, tag(")")));
        alt((
            map(
                preceded((self.negation, blanks), cut(inner)),
                Logic::negated,
            ),
            delimited(open, cut(all), cut(close)),
            self.test,
        ))
        .parse(input)
    }
}

/// Parts with something between them; after a joint there must be a part.
pub(crate) fn joined<'a, T>(
    input: &'a str,
    joint: impl Fn(&'a str) -> Parsed<'a, ()>,
    join: fn(Vec<T>) -> T,
    part: impl Fn(&'a str) -> Parsed<'a, T>,
) -> Parsed<'a, T> {
    let (rest, first) = part(input)?;
    let more = |mut parts: Vec<T>, part| {
        parts.push(part);
        parts
    };
    let (rest, more) = fold_many0(preceded(joint, cut(&part)), Vec::new, more).parse(rest)?;
    match more.is_empty() {
        true => Ok((rest, first)),
        false => Ok((rest, join(std::iter::once(first).chain(more).collect()))),
    }
}

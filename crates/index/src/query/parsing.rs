//! Parsers that the languages of the index share: keywords, numbers, ranges, brackets, and tests joined by `and` and
//! `or`.
//!
//! Each language has one file, in which every rule of its grammar is a function of the same name that returns a nom
//! parser. Once the word that identifies a rule has been read, a failure of the rule is final (`cut`, [`require`]). So
//! nested text is never parsed twice, and the error is that of the first thing that is not understood.

use crate::query::logic::Logic;
use crate::query_error::QueryError;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{cut, map_opt, opt, value, verify};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use tridex_grammar::{ParseStop, Parsed, SyntaxError, Text, expected, given, require};

/// The longest text of a query, pattern or material signature, in bytes.
pub const MAX_LENGTH: usize = 4_096;
/// The greatest depth to which brackets and `not` may be nested.
pub const MAX_NESTING: usize = 48;

/// Parses a whole text, ignoring blanks around it.
pub(crate) fn whole<'a, T>(
    text: &'a str,
    rule: impl Text<'a, T>,
    end: &'static str,
) -> Result<T, QueryError> {
    if text.len() > MAX_LENGTH {
        let expected = format!("the end of the text ({MAX_LENGTH} bytes at most)");
        return Err(QueryError::at(text, MAX_LENGTH, expected));
    }
    tridex_grammar::whole(text, end, delimited(blanks, rule, blanks))
        .map_err(|error| query_error(text, &error))
}

/// `blanks`: none or more.
pub(crate) fn blanks(input: &str) -> Parsed<&str, ()> {
    value((), take_while(char::is_whitespace)).parse(input)
}

/// A word of letters in any case, not followed by a letter, digit or `_`.
pub(crate) fn keyword<'a>(word: &'static str) -> impl Text<'a, ()> {
    let found = take_while1(|c: char| c.is_alphanumeric() || c == '_');
    let is_it = move |found: &&str| found.eq_ignore_ascii_case(word);
    value((), verify(found, is_it))
}

/// `number`, up to 65,535.
pub(crate) fn number(input: &str) -> Parsed<&str, u32> {
    let known = |digits: &str| digits.parse().ok().filter(|number| *number <= 65_535);
    map_opt(digit1, known).parse(input)
}

/// A number that is not 0.
pub(crate) fn positive(input: &str) -> Parsed<&str, u32> {
    verify(number, |number| *number > 0).parse(input)
}

/// What is expected if the first number of a range is greater than the second.
const REVERSED: &str = "the lower bound first";

/// `number, [ "..", [ number ] ] | "..", number`: the least and the greatest number.
pub(crate) fn range(input: &str) -> Parsed<&str, (Option<u32>, Option<u32>)> {
    let both = require(bounds, REVERSED, |(first, last)| {
        (first <= last).then_some((Some(first), Some(last)))
    });
    let from = terminated(number, tag("..")).map(|first| (Some(first), None));
    let to = preceded(tag(".."), number).map(|last| (None, Some(last)));
    let one = number.map(|number| (Some(number), Some(number)));
    alt((both, from, one, to)).parse(input)
}

/// The two numbers of a range.
fn bounds(input: &str) -> Parsed<&str, (u32, u32)> {
    separated_pair(number, tag(".."), number).parse(input)
}

/// Converts a syntax error. The error of a reversed range names both bounds.
fn query_error(text: &str, error: &SyntaxError) -> QueryError {
    let range = text
        .get(error.offset..)
        .filter(|_| error.expected == REVERSED);
    match range.map(bounds) {
        Some(Ok((_, (first, last)))) => QueryError::reversed(text, error.offset, first, last),
        _ => QueryError::at(text, error.offset, error.expected),
    }
}

/// Parses the parts after the first. Each follows a separator with blanks around it, after which a failure is final.
///
/// Parts may be nested. Functions that call each other parse them, because the combinators of nom would take many times
/// as much stack.
pub(crate) fn more<'a, S, T>(
    first: T,
    mut input: &'a str,
    mut separator: impl FnMut(&'a str) -> Parsed<&'a str, S>,
    mut part: impl FnMut(&'a str, S) -> Parsed<&'a str, T>,
) -> Parsed<&'a str, Vec<T>> {
    let mut parts = vec![first];
    while let (rest, Some(found)) = opt(delimited(blanks, &mut separator, blanks)).parse(input)? {
        let (rest, other) = part(rest, found).map_err(finally)?;
        parts.push(other);
        input = rest;
    }
    Ok((input, parts))
}

/// Makes a failure final, so that no alternative is tried.
fn finally(error: nom::Err<ParseStop>) -> nom::Err<ParseStop> {
    match error {
        nom::Err::Error(stop) => nom::Err::Failure(stop),
        error => error,
    }
}

/// One or more parts, joined by a word.
fn joined<'a, T, P: Text<'a, T>>(
    mut word: impl Text<'a, ()>,
    part: impl Fn() -> P,
) -> impl Text<'a, Vec<T>> {
    move |input| {
        let (rest, first) = part().parse(input)?;
        let word = |input| word.parse(input);
        more(first, rest, word, |input, ()| part().parse(input))
    }
}

/// Parts joined by a word, at least one of which must hold.
pub(crate) fn either<'a, T, P: Text<'a, Logic<T>>>(
    word: impl Text<'a, ()>,
    part: impl Fn() -> P,
) -> impl Text<'a, Logic<T>> {
    joined(word, part).map(|parts| Logic::joined(parts, Logic::Or))
}

/// Parts joined by a word, all of which must hold.
pub(crate) fn both<'a, T, P: Text<'a, Logic<T>>>(
    word: impl Text<'a, ()>,
    part: impl Fn() -> P,
) -> impl Text<'a, Logic<T>> {
    joined(word, part).map(|parts| Logic::joined(parts, Logic::And))
}

/// Something in brackets. `closing` is what is expected if the closing bracket is missing.
pub(crate) fn bracketed<'a, T>(
    mut inner: impl Text<'a, T>,
    closing: &'static str,
) -> impl Text<'a, T> {
    move |input| {
        let (rest, _) = (char('('), blanks).parse(input)?;
        let (rest, found) = cut(|input| inner.parse(input)).parse(rest)?;
        let (rest, _) = cut((blanks, expected(closing, char(')')))).parse(rest)?;
        Ok((rest, found))
    }
}

/// Consumes nothing, and fails if too many brackets and nots are open.
pub(crate) fn shallow<'a>(depth: usize) -> impl Text<'a, ()> {
    let is_shallow = given(depth <= MAX_NESTING);
    cut(expected(
        "less nesting (48 brackets or nots at most)",
        is_shallow,
    ))
}

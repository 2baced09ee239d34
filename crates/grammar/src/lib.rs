//! What the parsers of tridex share: an error type, notes of unusual spellings, a few combinators, and a test of
//! examples.
//!
//! Each rule of a grammar is a function of the same name, written with [nom]. The grammar itself is a separate text
//! with examples of what each rule accepts and rejects. [`examples::check`] runs these examples.
#![forbid(unsafe_code)]

pub mod examples;
mod noted;
mod stop;

pub use noted::{Noted, Notes};
pub use stop::{ParseStop, Parsed, SyntaxError, TextPart, fail, refuse, whole};

use nom::combinator::{all_consuming, map_opt, peek, rest, value, verify};
use nom::error::ParseError;
use nom::{Err, Input, Mode, OutputMode, PResult, Parser};

/// A rule of a grammar of tokens: a parser of bytes that returns a `T`.
pub trait Rule<'a, T>: Parser<&'a [u8], Output = T, Error = ParseStop> {}

impl<'a, T, P: Parser<&'a [u8], Output = T, Error = ParseStop>> Rule<'a, T> for P {}

/// A rule of a grammar of texts: a parser of text that returns a `T`.
pub trait Text<'a, T>: Parser<&'a str, Output = T, Error = ParseStop> {}

impl<'a, T, P: Parser<&'a str, Output = T, Error = ParseStop>> Text<'a, T> for P {}

/// Names what a parser reads: if it fails at the start of the input, the error expects `what`.
pub const fn expected<P>(what: &'static str, parser: P) -> Labelled<P, What> {
    let label = What(what);
    Labelled { label, parser }
}

/// Names what a parser reads as a unit: if it fails anywhere, the error is at its start and expects `what`. An
/// [`Err::Failure`] is not changed.
pub const fn as_one<P>(what: &'static str, parser: P) -> Labelled<P, AsOne> {
    let label = AsOne(what);
    Labelled { label, parser }
}

/// Names the part of the text that a parser reads; errors in it then have [`SyntaxError::part`].
pub const fn within<P>(part: &'static TextPart, parser: P) -> Labelled<P, &'static TextPart> {
    let label = part;
    Labelled { label, parser }
}

/// See [`expected`], [`as_one`] and [`within`].
pub struct Labelled<P, L> {
    label: L,
    parser: P,
}

/// See [`expected`].
pub struct What(&'static str);

/// See [`as_one`].
pub struct AsOne(&'static str);

/// Changes the error of a parser whose input had `input` bytes.
trait Label {
    fn relabel(&self, input: usize, stop: ParseStop, is_final: bool) -> ParseStop;
}

impl Label for What {
    fn relabel(&self, input: usize, stop: ParseStop, _: bool) -> ParseStop {
        let expected = match stop.left == input {
            true => self.0,
            false => stop.expected,
        };
        ParseStop { expected, ..stop }
    }
}

impl Label for AsOne {
    fn relabel(&self, input: usize, stop: ParseStop, is_final: bool) -> ParseStop {
        let (left, expected) = match is_final {
            true => (stop.left, stop.expected),
            false => (input, self.0),
        };
        ParseStop {
            left,
            expected,
            ..stop
        }
    }
}

impl Label for &'static TextPart {
    fn relabel(&self, _: usize, stop: ParseStop, _: bool) -> ParseStop {
        ParseStop {
            part: stop.part.or(Some(self)),
            ..stop
        }
    }
}

#[allow(private_bounds, reason = "the labels are those of this crate")]
impl<I: Input, P: Parser<I, Error = ParseStop>, L: Label> Parser<I> for Labelled<P, L> {
    type Output = P::Output;
    type Error = ParseStop;

    #[inline]
    fn process<OM: OutputMode>(&mut self, input: I) -> PResult<OM, I, P::Output, ParseStop> {
        let (left, label) = (input.input_len(), &self.label);
        self.parser
            .process::<OM>(input)
            .map_err(|error| match error {
                Err::Error(stop) => Err::Error(OM::Error::map(stop, |stop| {
                    label.relabel(left, stop, false)
                })),
                Err::Failure(stop) => Err::Failure(label.relabel(left, stop, true)),
                Err::Incomplete(needed) => Err::Incomplete(needed),
            })
    }
}

/// Converts what a parser has read. If the function returns `None`, the error is at the start and expects `what`, and
/// other alternatives are tried.
pub fn meaning<I: Input, T, U>(
    mut parser: impl Parser<I, Output = T, Error = ParseStop>,
    what: &'static str,
    mut meant: impl FnMut(T) -> Option<U>,
) -> impl Parser<I, Output = U, Error = ParseStop> {
    move |input: I| {
        let at = input.clone();
        let (rest, found) = parser.parse(input)?;
        match meant(found) {
            Some(meant) => Ok((rest, meant)),
            None => refuse(at, what),
        }
    }
}

/// Converts what a parser has read, like [`meaning`], but if the function returns `None`, no alternative is tried.
pub fn require<I: Input, T, U>(
    mut parser: impl Parser<I, Output = T, Error = ParseStop>,
    what: &'static str,
    mut meant: impl FnMut(T) -> Option<U>,
) -> impl Parser<I, Output = U, Error = ParseStop> {
    move |input: I| {
        let at = input.clone();
        let (rest, found) = parser.parse(input)?;
        match meant(found) {
            Some(meant) => Ok((rest, meant)),
            None => fail(at, what),
        }
    }
}

/// Applies a rule to the input that another parser has taken. The rule must consume all of it.
pub fn inside<I: Input, T>(
    mut taken: impl Parser<I, Output = I, Error = ParseStop>,
    rule: impl Parser<I, Output = T, Error = ParseStop>,
) -> impl Parser<I, Output = T, Error = ParseStop> {
    let mut rule = all_consuming(rule);
    move |input: I| {
        let (rest, taken) = taken.parse(input)?;
        let after = rest.input_len();
        let stopped = |stop: ParseStop| ParseStop {
            left: stop.left + after,
            ..stop
        };
        match rule.parse(taken) {
            Ok((_, found)) => Ok((rest, found)),
            Err(error) => Err(error.map(stopped)),
        }
    }
}

/// Parses one value for each item, with separators in between. The separator and the rule receive the item; the rule
/// also receives the values read so far.
pub fn each<I: Input, X, S, T>(
    items: impl IntoIterator<Item = X> + Clone,
    mut separator: impl FnMut(I, &X) -> Parsed<I, S>,
    mut rule: impl FnMut(I, X, &[T]) -> Parsed<I, T>,
) -> impl Parser<I, Output = Vec<T>, Error = ParseStop> {
    move |mut input: I| {
        let mut found = Vec::new();
        for (number, item) in items.clone().into_iter().enumerate() {
            if number > 0 {
                (input, _) = separator(input, &item)?;
            }
            let (rest, one) = rule(input, item, &found)?;
            found.push(one);
            input = rest;
        }
        Ok((input, found))
    }
}

/// Parses one or more different items, with separators in between. If an item repeats another, the error expects
/// `what`, and no alternative is tried. After a separator that is not empty, an item must follow.
pub fn distinct<I: Input, S, T>(
    mut separator: impl Parser<I, Output = S, Error = ParseStop>,
    mut item: impl Parser<I, Output = T, Error = ParseStop>,
    is_same: impl Fn(&T, &T) -> bool,
    what: &'static str,
) -> impl Parser<I, Output = Vec<T>, Error = ParseStop> {
    move |input: I| {
        let (mut input, first) = item.parse(input)?;
        let mut found = vec![first];
        loop {
            let at = match separator.parse(input.clone()) {
                Ok((at, _)) => at,
                Err(Err::Error(_)) => return Ok((input, found)),
                Err(error) => return Err(error),
            };
            let (rest, one) = match item.parse(at.clone()) {
                Err(Err::Error(_)) if at.input_len() == input.input_len() => {
                    return Ok((input, found));
                }
                read => read?,
            };
            if found.iter().any(|other| is_same(other, &one)) {
                return fail(at, what);
            }
            found.push(one);
            input = rest;
        }
    }
}

/// Parses a part of a text by a rule for bytes.
pub fn bytes<'a, T>(mut rule: impl Rule<'a, T>) -> impl Text<'a, T> {
    move |input: &'a str| {
        let (rest, found) = rule.parse(input.as_bytes())?;
        match input.get(input.len() - rest.len()..) {
            Some(rest) => Ok((rest, found)),
            // The rule stopped inside a character.
            None => refuse(input, "something else"),
        }
    }
}

/// Parses one byte for which the function returns a value.
#[inline]
pub fn letter<'a, T>(known: impl FnMut(u8) -> Option<T>) -> impl Rule<'a, T> {
    map_opt(nom::number::complete::u8, known)
}

/// Parses one byte of a range and returns its distance from the first byte of the range.
#[inline]
pub fn between<'a>(first: u8, last: u8) -> impl Rule<'a, u8> {
    letter(move |b| (first..=last).contains(&b).then(|| b - first))
}

/// Consumes nothing, and fails unless the rest of the input satisfies the condition.
#[inline]
pub fn ahead<'a>(looks: impl Fn(&[u8]) -> bool) -> impl Rule<'a, ()> {
    peek(value((), verify(rest, move |input: &[u8]| looks(input))))
}

/// Consumes nothing, and fails unless the condition holds.
#[inline]
pub fn given<I: Input>(condition: bool) -> impl Parser<I, Output = (), Error = ParseStop> {
    move |input: I| match condition {
        true => Ok((input, ())),
        false => Err(Err::Error(ParseStop::from_error_kind(
            input,
            nom::error::ErrorKind::Verify,
        ))),
    }
}

#[cfg(test)]
mod tests;

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}

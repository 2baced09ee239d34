//! What the grammars of this crate share: one error, one output for what was unusual, and a few combinators.
//!
//! A rule of a grammar is a function of the same name that gives a nom parser. Nothing of nom is seen outside this crate.

use crate::text::{SyntaxError, TokenNote, TokenNotes};
use nom::combinator::{all_consuming, map_opt, rest, value, verify};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Input, Mode, OutputMode, PResult, Parser};

/// Where a parser stopped and what it would have understood there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    /// How many bytes of the text were left.
    pub(crate) left: usize,
    /// What was expected, in plain words.
    pub(crate) expected: &'static str,
}

impl<I: Input> ParseError<I> for Stop {
    fn from_error_kind(input: I, kind: ErrorKind) -> Self {
        Self {
            left: input.input_len(),
            expected: match kind {
                ErrorKind::Eof => END,
                _ => "something else",
            },
        }
    }

    fn append(_: I, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two failures the one that came further knows more; of two at one place the later.
    fn or(self, other: Self) -> Self {
        if other.left <= self.left { other } else { self }
    }
}

/// The result of a parser.
pub(crate) type Parsed<I, T> = IResult<I, T, Stop>;

/// A rule of a grammar of tokens: a parser of bytes that gives a `T`.
pub(crate) trait Rule<'a, T>: Parser<&'a [u8], Output = T, Error = Stop> {}

impl<'a, T, P: Parser<&'a [u8], Output = T, Error = Stop>> Rule<'a, T> for P {}

/// A rule of a grammar of texts: a parser of text that gives a `T`.
pub(crate) trait Text<'a, T>: Parser<&'a str, Output = T, Error = Stop> {}

impl<'a, T, P: Parser<&'a str, Output = T, Error = Stop>> Text<'a, T> for P {}

/// What was read, and what was unusual in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Noted<T> {
    pub(crate) it: T,
    pub(crate) notes: TokenNotes,
}

impl<T> Noted<T> {
    /// Nothing was unusual.
    pub(crate) const fn usual(it: T) -> Self {
        Self {
            it,
            notes: TokenNotes::NONE,
        }
    }

    /// Something was.
    pub(crate) const fn unusual(it: T, note: TokenNote) -> Self {
        Self {
            it,
            notes: TokenNotes::NONE.with(note),
        }
    }

    /// Something else was too, if the condition holds.
    pub(crate) fn note_if(self, condition: bool, note: TokenNote) -> Self {
        let notes = if condition {
            self.notes.with(note)
        } else {
            self.notes
        };
        Self { notes, ..self }
    }

    /// Something else with the same notes.
    pub(crate) fn map<U>(self, f: impl FnOnce(T) -> U) -> Noted<U> {
        Noted {
            it: f(self.it),
            notes: self.notes,
        }
    }

    /// Both, with the notes of both.
    pub(crate) fn zip<U>(self, other: Noted<U>) -> Noted<(T, U)> {
        Noted {
            it: (self.it, other.it),
            notes: self.notes.and(other.notes),
        }
    }

    /// What may have been read, as something that has.
    pub(crate) fn of(found: Option<Self>) -> Noted<Option<T>> {
        found.map_or(Noted::usual(None), |found| found.map(Some))
    }

    /// What was noted goes to the others.
    pub(crate) fn noted_in(self, notes: &mut TokenNotes) -> T {
        *notes = notes.and(self.notes);
        self.it
    }
}

/// A parser whose failure at its very start is reported as `what`.
pub(crate) const fn expected<P>(what: &'static str, parser: P) -> Expected<P> {
    Expected { what, parser }
}

/// See [`expected`].
pub(crate) struct Expected<P> {
    what: &'static str,
    parser: P,
}

impl<I: Input, P: Parser<I, Error = Stop>> Parser<I> for Expected<P> {
    type Output = P::Output;
    type Error = Stop;

    #[inline]
    fn process<OM: OutputMode>(&mut self, input: I) -> PResult<OM, I, P::Output, Stop> {
        let (left, what) = (input.input_len(), self.what);
        let told = |stop: Stop| Stop {
            expected: if stop.left == left {
                what
            } else {
                stop.expected
            },
            ..stop
        };
        self.parser
            .process::<OM>(input)
            .map_err(|error| match error {
                Err::Error(stop) => Err::Error(OM::Error::map(stop, told)),
                Err::Failure(stop) => Err::Failure(told(stop)),
                Err::Incomplete(needed) => Err::Incomplete(needed),
            })
    }
}

/// What a function makes of what a parser has read; where that is nothing, the failure is reported as `what`.
pub(crate) fn meaning<I: Input, T, U>(
    mut parser: impl Parser<I, Output = T, Error = Stop>,
    what: &'static str,
    mut meant: impl FnMut(T) -> Option<U>,
) -> impl Parser<I, Output = U, Error = Stop> {
    move |input: I| {
        let at = input.clone();
        let (rest, found) = parser.parse(input)?;
        match meant(found) {
            Some(meant) => Ok((rest, meant)),
            None => refuse(at, what),
        }
    }
}

/// One byte that the function knows.
pub(crate) fn letter<'a, T>(known: impl FnMut(u8) -> Option<T>) -> impl Rule<'a, T> {
    map_opt(nom::number::complete::u8, known)
}

/// One byte of a range of digits or letters, as its distance from the first.
pub(crate) fn between<'a>(first: u8, last: u8) -> impl Rule<'a, u8> {
    letter(move |b| (first..=last).contains(&b).then(|| b - first))
}

/// Takes nothing, if what follows looks so.
pub(crate) fn ahead<'a>(looks: impl Fn(&[u8]) -> bool) -> impl Rule<'a, ()> {
    nom::combinator::peek(value((), verify(rest, move |input: &[u8]| looks(input))))
}

/// Takes nothing, if the condition holds.
pub(crate) fn given<'a>(condition: bool) -> impl Rule<'a, ()> {
    ahead(move |_| condition)
}

/// What is expected where something is left.
const END: &str = "the end";

/// Fails with what was expected at a place.
pub(crate) fn refuse<I: Input, T>(at: I, expected: &'static str) -> Parsed<I, T> {
    let left = at.input_len();
    Err(Err::Error(Stop { left, expected }))
}

/// Where in a text of a length a parser failed, and why.
pub(crate) fn fault(length: usize, error: Err<Stop>) -> SyntaxError {
    let stop = match error {
        Err::Error(stop) | Err::Failure(stop) => stop,
        // Complete parsers never ask for more.
        Err::Incomplete(_) => Stop {
            left: 0,
            expected: END,
        },
    };
    SyntaxError {
        offset: length.saturating_sub(stop.left),
        expected: stop.expected,
    }
}

/// Runs a parser over a text that must be used up; `end` is what was expected where something is left.
pub(crate) fn whole<I: Input, T>(
    text: I,
    end: &'static str,
    parser: impl Parser<I, Output = T, Error = Stop>,
) -> Result<T, SyntaxError> {
    let length = text.input_len();
    let read = all_consuming(parser).parse(text);
    let (_, found) = read.map_err(|error| {
        let mut fault = fault(length, error);
        if fault.expected == END {
            fault.expected = end;
        }
        fault
    })?;
    Ok(found)
}

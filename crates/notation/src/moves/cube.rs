//! What the notations of the cube spell alike: levels, ranks and squares. A function whose doc begins with a name is
//! the rule of that name in `grammars/millennium.ebnf` and `grammars/chess3.ebnf`.

use crate::text::Noted;
use crate::text::{Coordinates, Level, TokenNote};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, value};
use nom::sequence::{delimited, preceded};
use tridex_grammar::{Parsed, Rule, ahead, between, expected};

/// `aside`: a level in brackets or after a slash.
pub(crate) fn aside(input: &[u8]) -> Parsed<&[u8], Level> {
    alt((
        delimited(tag("("), level, tag(")")),
        preceded(tag("/"), level),
    ))
    .parse(input)
}

/// `level`: 1, 2 or 3 from the lowest.
pub(crate) fn level(input: &[u8]) -> Parsed<&[u8], Level> {
    expected("a level 1 to 3", between(b'1', b'3'))
        .map(Level::Cube)
        .parse(input)
}

/// The level before a file. If there is a digit, it must be a level.
pub(crate) fn said_level(input: &[u8]) -> Parsed<&[u8], Option<Level>> {
    let none = ahead(|input| !input.first().is_some_and(u8::is_ascii_digit));
    alt((value(None, none), level.map(Some))).parse(input)
}

/// Level, file and rank. The level may be missing, or follow in brackets or after a slash.
pub(crate) fn place<'a>(file: impl Rule<'a, Noted<u8>>) -> impl Rule<'a, Noted<Coordinates>> {
    (said_level, file, rank, opt(aside)).map(|(before, file, rank, aside)| {
        let level = before.or(aside);
        file.map(|file| Coordinates { file, rank, level })
            .note_if(aside.is_some(), TokenNote::Spelling)
    })
}

/// `rank`: 1 to 8 from White's side.
pub(crate) fn rank(input: &[u8]) -> Parsed<&[u8], u8> {
    expected("a rank 1 to 8", between(b'1', b'8')).parse(input)
}

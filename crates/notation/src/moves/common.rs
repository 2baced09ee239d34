//! What several notations spell alike: castling, check marks, draw offers, comment marks, piece letters.
//!
//! Every function here is a rule of the grammars in `grammars/*.ebnf`, under the same name. Parsers are nom's: they
//! take bytes and give what is left; [`whole`] turns one into a reader of complete tokens.

use crate::names::role_of_letter;
use crate::text::{CheckMark, Locale, MoveKind, MoveText, Note, Notes, SyntaxError};
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case};
use nom::combinator::value;
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Parser};
use tridex_rules::{CastlingSide, Move, Position, Role};

/// Where a parser stopped and what it would have understood there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    /// How many bytes of the token were left.
    pub(crate) left: usize,
    /// What was expected, in plain words.
    pub(crate) expected: &'static str,
}

impl ParseError<&[u8]> for Stop {
    fn from_error_kind(input: &[u8], _: ErrorKind) -> Self {
        Self {
            left: input.len(),
            expected: "something else",
        }
    }

    fn append(_: &[u8], _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two failures the one that came further knows more.
    fn or(self, other: Self) -> Self {
        if other.left <= self.left { other } else { self }
    }
}

/// The result of a parser.
pub(crate) type Parsed<'a, T> = IResult<&'a [u8], T, Stop>;

/// The failure to find something here.
#[inline]
pub(crate) fn stop<'a, T>(input: &'a [u8], expected: &'static str) -> Parsed<'a, T> {
    Err(nom::Err::Error(Stop {
        left: input.len(),
        expected,
    }))
}

/// Takes one byte if the function knows it.
#[inline]
pub(crate) fn byte<'a, T>(
    input: &'a [u8],
    expected: &'static str,
    known: impl FnOnce(u8) -> Option<T>,
) -> Parsed<'a, T> {
    match input.split_first() {
        Some((first, rest)) => match known(*first) {
            Some(found) => Ok((rest, found)),
            None => stop(input, expected),
        },
        None => stop(input, expected),
    }
}

/// Tries a parser and goes on without it where it fails, as nom's `opt`, but without building anything.
#[inline]
pub(crate) fn maybe<'a, T>(
    input: &'a [u8],
    parser: impl FnOnce(&'a [u8]) -> Parsed<'a, T>,
) -> (&'a [u8], Option<T>) {
    match parser(input) {
        Ok((rest, found)) => (rest, Some(found)),
        Err(_) => (input, None),
    }
}

/// Runs a parser over a token that must be used up.
pub(crate) fn whole<'a, T>(
    token: &'a [u8],
    parser: impl FnOnce(&'a [u8]) -> Parsed<'a, T>,
) -> Result<T, SyntaxError> {
    let at = |left: usize, expected| SyntaxError {
        offset: token.len().saturating_sub(left),
        expected,
    };
    match parser(token) {
        Ok(([], found)) => Ok(found),
        Ok((rest, _)) => Err(at(rest.len(), "the end of the move")),
        Err(nom::Err::Error(stop) | nom::Err::Failure(stop)) => Err(at(stop.left, stop.expected)),
        Err(nom::Err::Incomplete(_)) => Err(at(0, "more")),
    }
}

/// `castling`: `0-0` or `0-0-0`, also with the letters `O` or `o`.
pub(crate) fn castling(input: &[u8]) -> Parsed<'_, CastlingSide> {
    let (input, ()) = castling_zero(input)?;
    let (input, ()) = hyphen(input)?;
    let (input, ()) = castling_zero(input)?;
    let (input, long) = maybe(input, castling_second);
    let side = match long {
        Some(()) => CastlingSide::Queen,
        None => CastlingSide::King,
    };
    Ok((input, side))
}

fn castling_second(input: &[u8]) -> Parsed<'_, ()> {
    let (input, ()) = hyphen(input)?;
    castling_zero(input)
}

#[inline]
fn castling_zero(input: &[u8]) -> Parsed<'_, ()> {
    byte(input, "castling, 0-0 or 0-0-0", |b| {
        matches!(b, b'0' | b'O' | b'o').then_some(())
    })
}

/// `hyphen`: `-`, or one of the dashes typesetters make of it.
#[inline]
pub(crate) fn hyphen(input: &[u8]) -> Parsed<'_, ()> {
    match input {
        [b'-', rest @ ..]
        // U+2010 to U+2015, then U+2212, the minus sign.
        | [0xE2, 0x80, 0x90..=0x95, rest @ ..]
        | [0xE2, 0x88, 0x92, rest @ ..] => Ok((rest, ())),
        _ => stop(input, "a hyphen"),
    }
}

/// `capture`: `x`, or `:` or the multiplication sign (U+00D7). A capital `X` is read too.
#[inline]
pub(crate) fn capture(input: &[u8]) -> Parsed<'_, ()> {
    match input {
        [b'x' | b'X' | b':', rest @ ..] | [0xC3, 0x97, rest @ ..] => Ok((rest, ())),
        _ => stop(input, "a capture mark, x"),
    }
}

/// `en_passant`: `e.p.`, with or without its dots, and blanks before it.
pub(crate) fn en_passant(input: &[u8]) -> Parsed<'_, ()> {
    let (input, ()) = blanks(input)?;
    value(
        (),
        alt((
            tag_no_case(&b"e.p."[..]),
            tag_no_case(&b"e.p"[..]),
            tag_no_case(&b"ep."[..]),
            tag_no_case(&b"ep"[..]),
        )),
    )
    .parse(input)
}

/// `blanks`: any number of spaces and tabs.
#[inline]
pub(crate) fn blanks(input: &[u8]) -> Parsed<'_, ()> {
    let count = input
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    Ok((input.get(count..).unwrap_or_default(), ()))
}

/// `check_mark`: `+`, `++`, `#`, or a dagger (U+2020) or double dagger (U+2021).
#[inline]
pub(crate) fn check_mark(input: &[u8]) -> Parsed<'_, CheckMark> {
    match input {
        [b'+', b'+', rest @ ..] | [b'#', rest @ ..] | [0xE2, 0x80, 0xA1, rest @ ..] => {
            Ok((rest, CheckMark::Mate))
        }
        [b'+', rest @ ..] | [0xE2, 0x80, 0xA0, rest @ ..] => Ok((rest, CheckMark::Check)),
        _ => stop(input, "a check mark"),
    }
}

/// `draw_offer`: `(=)`, with blanks before and inside (seed 000, Article E15).
pub(crate) fn draw_offer(input: &[u8]) -> Parsed<'_, ()> {
    let (input, ()) = blanks(input)?;
    let (input, _) = tag(&b"("[..]).parse(input)?;
    let (input, ()) = blanks(input)?;
    let (input, _) = tag(&b"="[..]).parse(input)?;
    let (input, ()) = blanks(input)?;
    let (input, _) = tag(&b")"[..]).parse(input)?;
    Ok((input, ()))
}

/// `comment`: marks of praise and blame, `!` and `?`, or a numeric glyph such as `$6`.
#[inline]
pub(crate) fn comment(input: &[u8]) -> Parsed<'_, ()> {
    match input {
        [b'!' | b'?', rest @ ..] => Ok((rest, ())),
        [b'$', rest @ ..] => {
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            if digits == 0 {
                return stop(rest, "the number of a glyph");
            }
            Ok((rest.get(digits..).unwrap_or_default(), ()))
        }
        _ => stop(input, "a comment mark, ! or ?"),
    }
}

/// What may follow a move in any notation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tail {
    pub(crate) en_passant: bool,
    pub(crate) mark: CheckMark,
    pub(crate) draw_offer: bool,
    /// Bytes from the first comment mark to the end of the token.
    pub(crate) suffix: u8,
}

/// `tail`: en passant, check, draw offer and comments.
#[inline]
pub(crate) fn tail(input: &[u8]) -> Parsed<'_, Tail> {
    let mut tail = Tail::default();
    if input.is_empty() {
        return Ok((input, tail));
    }
    let (input, before) = maybe(input, en_passant);
    let (input, mark) = maybe(input, check_mark);
    let (mut input, after) = match before {
        Some(()) => (input, None),
        None => maybe(input, en_passant),
    };
    tail.en_passant = before.or(after).is_some();
    tail.mark = mark.unwrap_or_default();
    let mut comments = None;
    loop {
        if let (rest, Some(())) = maybe(input, draw_offer) {
            tail.draw_offer = true;
            input = rest;
        } else if let (rest, Some(())) = maybe(input, comment) {
            comments.get_or_insert(input.len());
            input = rest;
        } else {
            break;
        }
    }
    // A token with more than 255 bytes of praise keeps the last 255.
    tail.suffix = comments
        .map_or(0, |start: usize| start.saturating_sub(input.len()))
        .try_into()
        .unwrap_or(u8::MAX);
    Ok((input, tail))
}

impl Tail {
    /// The words of a move with this tail.
    #[inline]
    pub(crate) const fn on(self, kind: MoveKind, capture: bool, notes: Notes) -> MoveText {
        MoveText {
            kind,
            capture,
            en_passant: self.en_passant,
            mark: self.mark,
            draw_offer: self.draw_offer,
            suffix: self.suffix,
            notes,
        }
    }
}

/// `castling_move`: castling with whatever may follow a move.
pub(crate) fn castling_move(input: &[u8]) -> Parsed<'_, MoveText> {
    let (input, side) = castling(input)?;
    let (input, tail) = tail(input)?;
    Ok((input, tail.on(MoveKind::Castle(side), false, Notes::NONE)))
}

/// `figurine`: a chessman of Unicode, U+2654 to U+265F in UTF-8. White's and Black's men mean the same.
#[inline]
pub(crate) fn figurine(input: &[u8]) -> Parsed<'_, Role> {
    match input {
        [0xE2, 0x99, last @ 0x94..=0x9F, rest @ ..] => {
            let role = match (last - 0x94) % 6 {
                0 => Role::King,
                1 => Role::Queen,
                2 => Role::Rook,
                3 => Role::Bishop,
                4 => Role::Knight,
                _ => Role::Pawn,
            };
            // U+265F is often followed by U+FE0E or U+FE0F, which only choose its look.
            let rest = match rest {
                [0xEF, 0xB8, 0x8E | 0x8F, rest @ ..] => rest,
                _ => rest,
            };
            Ok((rest, role))
        }
        _ => stop(input, "a chess figurine"),
    }
}

/// `piece_letter`: the capital letter of a piece in a language.
#[inline]
pub(crate) fn piece_letter(input: &[u8], locale: Locale) -> Parsed<'_, Role> {
    byte(input, "the letter of a piece", |b| {
        role_of_letter(locale, b)
    })
}

/// `promotion`: the new piece, as `Q`, `=Q` or `(Q)`, or as a figurine.
pub(crate) fn promotion(input: &[u8], locale: Locale) -> Parsed<'_, Role> {
    let (inside, bracket) = match input {
        [b'=', rest @ ..] => (rest, false),
        [b'(', rest @ ..] => (rest, true),
        _ => (input, false),
    };
    let (rest, role) = match figurine(inside) {
        Ok(found) => found,
        Err(_) => piece_letter(inside, locale)?,
    };
    if !Role::PROMOTIONS.contains(&role) {
        return stop(inside, "a queen, rook, bishop or knight");
    }
    if !bracket {
        return Ok((rest, role));
    }
    match rest {
        [b')', rest @ ..] => Ok((rest, role)),
        _ => stop(rest, "a closing bracket"),
    }
}

/// Writes the check or mate mark of a legal move: nothing, `+` or `#`. Plays the move on a copy.
pub(crate) fn write_mark(position: &Position, mv: Move, out: &mut String) {
    let mut after = position.clone();
    after.play_unchecked(mv);
    push_mark(&after, out);
}

/// Writes the check or mate mark of the move that led to a position.
#[inline]
pub(crate) fn push_mark(after: &Position, out: &mut String) {
    if after.is_check() {
        out.push(if after.has_legal_move() { '+' } else { '#' });
    }
}

/// Whether a move takes en passant.
#[inline]
pub(crate) const fn takes_en_passant(mv: Move) -> bool {
    matches!(mv, Move::EnPassant { .. })
}

/// Notes with one more if a condition holds.
#[must_use]
#[inline]
pub(crate) const fn note_if(notes: Notes, condition: bool, note: Note) -> Notes {
    if condition { notes.with(note) } else { notes }
}

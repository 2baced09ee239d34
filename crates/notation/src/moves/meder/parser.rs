//! The parser of Meder's notation. A function whose doc begins with a name is the grammar's rule of that name.

use crate::moves::common::{
    Hand, Way, board_promotion, capture, castling_move, evaluation, file_letter, hyphen, lettered,
    new_piece, piece_words, promotion, tail,
};
use crate::names::main_board;
use crate::text::Noted;
use crate::text::{
    BoardPattern, Coordinates, Departure, Level, Locale, MovePattern, MoveText, TokenNote,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::combinator::{cond, cut, flat_map, map_opt, not, opt, peek, value};
use nom::sequence::{delimited, preceded, terminated};
use tridex_geometry::Wing;
use tridex_geometry::stair::{Corner, MainBoard, Pin, Surface};
use tridex_grammar::{Parsed, Rule, between, expected, given, letter};
use tridex_rules::Role;

/// `move`.
pub(crate) fn moved<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    alt((castling_move, board_move(hand), piece_move(hand)))
}

/// `board_move`: `QL3`, `KL1-KL3`, and our extensions `QL1r`, `QL1-QL3r`, `QL4/a8BQ`.
pub(super) fn board_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    let second = preceded((not(evaluation), hyphen), cut(pin(hand)));
    (
        opt(terminated(new_piece(hand), tag("/"))),
        pin(hand),
        opt(second),
        opt(tag("r")),
        opt(board_promotion(hand, move || square(hand, true))),
        tail,
    )
        .map(|(before, first, second, turned, behind, tail)| {
            let before = before.map(|role| Noted::unusual((None, role), TokenNote::Spelling));
            let promotion = behind.or(before);
            let words = first.zip(Noted::of(second)).zip(Noted::of(promotion));
            let ((first, second), promotion) = words.it;
            let kind = MovePattern::Board(BoardPattern {
                from: second.map(|_| first),
                to: second.unwrap_or(first),
                either_surface: false,
                turned: turned.is_some(),
                promotion,
            });
            tail.on(kind, false, words.notes)
        })
}

/// `piece_move`: `Nc2W`, `Nbxc5N`, `aWxb4W`, `d8BQ` and every longer form of them.
pub(crate) fn piece_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    alt((
        flat_map(piece(hand), move |man| man_move(man, hand)),
        man_move(Noted::usual(Role::Pawn), hand),
    ))
}

/// The move of a piece whose letter has been read. Only pawns promote.
fn man_move<'a>(man: Noted<Role>, hand: Hand) -> impl Rule<'a, MoveText> {
    let is_pawn = man.it == Role::Pawn;
    (
        way(hand, is_pawn),
        cond(is_pawn, opt(promotion(hand))),
        tail,
    )
        .map(move |(way, promotion, tail)| piece_words(Some(man), way, promotion.flatten(), tail))
}

/// `way`: a capture mark and a square; a place of departure and a square; or a square alone.
pub(super) fn way<'a>(hand: Hand, is_pawn: bool) -> impl Rule<'a, Noted<Way>> {
    let nowhere = Noted::usual(Departure::default());
    let taken = preceded(capture, cut(square(hand, is_pawn)));
    let taken = taken.map(move |to| Way::new(nowhere, true, to));
    alt((
        taken,
        flat_map(place(hand, is_pawn), move |from| {
            arrival(from, hand, is_pawn)
        }),
    ))
}

/// What follows a place: the square of arrival, or nothing. If nothing follows, the place itself is the square of
/// arrival.
fn arrival<'a>(from: Noted<Departure>, hand: Hand, is_pawn: bool) -> impl Rule<'a, Noted<Way>> {
    let joint = alt((
        value(true, capture),
        value(false, preceded(not(evaluation), hyphen)),
    ));
    let joined = (joint, cut(square(hand, is_pawn)));
    let bare = square(hand, is_pawn).map(|to| (false, to));
    let goes_on = alt((joined, bare)).map(move |(capture, to)| Way::new(from, capture, to));
    let Departure { file, rank, level } = from.it;
    let missing = match (file, rank, level) {
        (Some(_), None, None) => "a rank, a level or a capture mark",
        _ => "the square of arrival",
    };
    let place = from.map(|_| Coordinates {
        file: file.unwrap_or_default(),
        rank: rank.unwrap_or_default(),
        level,
    });
    let ends = Way::new(Noted::usual(Departure::default()), false, place);
    let is_square = file.is_some() && rank.is_some();
    alt((goes_on, value(ends, expected(missing, given(is_square)))))
}

/// `piece`: the letter of a piece, or a figurine. Two deviations are read with a note: a small letter that is not a
/// file, and `P` for a pawn, unless it is the letter of another piece.
pub(super) fn piece<'a>(hand: Hand) -> impl Rule<'a, Noted<Role>> {
    expected("the letter of a piece", lettered(hand, b"abcdexyz"))
}

/// `place`: a square, or any part of a square of departure. For a pawn, a level alone is not enough.
pub(super) fn place<'a>(hand: Hand, is_pawn: bool) -> impl Rule<'a, Noted<Departure>> {
    let from_file = flat_map((file(hand), opt(rank)), move |(file, rank)| {
        opt(said_level(hand, is_pawn, rank)).map(move |level| origin(Some(file), rank, level))
    });
    let from_rank = flat_map(rank, move |rank| {
        opt(said_level(hand, is_pawn, Some(rank))).map(move |level| origin(None, Some(rank), level))
    });
    let from_level =
        preceded(given(!is_pawn), level(hand)).map(|level| origin(None, None, Some(level)));
    expected(
        "a file z, a, b, c, d or e",
        alt((from_file, from_rank, from_level)),
    )
}

fn origin(
    file: Option<Noted<u8>>,
    rank: Option<u8>,
    level: Option<Noted<Level>>,
) -> Noted<Departure> {
    let parts = Noted::of(file).zip(Noted::of(level));
    parts.map(|(file, level)| Departure { file, rank, level })
}

/// `square`: file, rank and level (Article E4); the level may be missing.
pub(crate) fn square<'a>(hand: Hand, is_pawn: bool) -> impl Rule<'a, Noted<Coordinates>> {
    flat_map((file(hand), rank), move |(file, rank)| {
        opt(said_level(hand, is_pawn, Some(rank))).map(move |level| {
            let parts = file.zip(Noted::of(level));
            parts.map(|(file, level)| Coordinates { file, rank, level })
        })
    })
}

/// `said_level`: a level, also in brackets or after a slash. For a pawn on ranks 0, 1, 8 or 9, a bracketed letter that
/// can be a promotion is one, unless another promotion follows it.
pub(super) fn said_level<'a>(
    hand: Hand,
    is_pawn: bool,
    rank: Option<u8>,
) -> impl Rule<'a, Noted<Level>> {
    let bracketed = move || delimited(tag("("), level(hand), tag(")"));
    let may_promote = is_pawn && matches!(rank, Some(0 | 1 | 8 | 9));
    let unless_promotion = alt((
        given(!may_promote),
        value((), peek((bracketed(), promotion(hand)))),
        not(promotion(hand)),
    ));
    let aside = alt((
        preceded(unless_promotion, bracketed()),
        preceded((given(rank.is_some()), tag("/")), level(hand)),
    ));
    alt((
        level(hand),
        aside.map(|level| level.note_if(true, TokenNote::Spelling)),
    ))
}

/// `file` (Article E1).
pub(super) fn file<'a>(hand: Hand) -> impl Rule<'a, Noted<u8>> {
    expected("a file z, a, b, c, d or e", file_letter(hand, b"zabcde"))
}

/// `rank` (Article E2).
pub(super) fn rank(input: &[u8]) -> Parsed<&[u8], u8> {
    expected("a rank from 0 to 9", between(b'0', b'9')).parse(input)
}

/// `level` (Article E3).
pub(super) fn level<'a>(hand: Hand) -> impl Rule<'a, Noted<Level>> {
    expected(
        "a level: W, N, B or a pin such as QL1",
        alt((
            main_level(hand).map(|board| board.map(Level::Main)),
            pin(hand).map(|pin| pin.map(Level::Pin)),
        )),
    )
}

/// `main_level`: `W`, `N`, `B`; in German `S` for `B`. Small letters are read with a note, but a small `b` before a
/// rank is a file.
pub(super) fn main_level<'a>(hand: Hand) -> impl Rule<'a, Noted<MainBoard>> {
    let known = move |b| match main_board(hand.locale, b) {
        Some(board) => Some(Noted::usual(board)),
        None => main_board(Locale::English, b)
            .map(|board| Noted::unusual(board, TokenNote::ForeignLetter)),
    };
    let small = move |b: u8| {
        b.is_ascii_lowercase()
            .then(|| known(b.to_ascii_uppercase()))
            .flatten()
            .map(|board| board.note_if(true, TokenNote::Case))
    };
    let file = (tag("b"), between(b'0', b'9'));
    expected(
        "a level",
        alt((letter(known), preceded(not(file), letter(small)))),
    )
}

/// `pin`: `QL1` to `KL6`, in English letters or those of the language. Our `v` after it means the pin below the board.
pub(super) fn pin<'a>(hand: Hand) -> impl Rule<'a, Noted<Pin>> {
    let name = map_opt(take(2_usize), move |name: &[u8]| match *name {
        [side, kind] => wing(hand.locale, side, kind),
        _ => None,
    });
    let corner = letter(|b| Corner::try_new(b.wrapping_sub(b'0')));
    (
        expected("a pin such as QL1", name),
        expected("the number of a pin, 1 to 6", corner),
        opt(tag("v")),
    )
        .map(|(wing, corner, under)| {
            let surface = if under.is_some() {
                Surface::Under
            } else {
                Surface::Over
            };
            wing.map(|wing| Pin::new(wing, corner, surface))
        })
}

/// The wing of a pin by its two letters, in the language (Article E6) or in English.
fn wing(locale: Locale, side: u8, kind: u8) -> Option<Noted<Wing>> {
    let german = locale == Locale::German;
    let (side_, kind_) = (side.to_ascii_uppercase(), kind.to_ascii_uppercase());
    if kind_ != b'L' && !(german && kind_ == b'P') {
        return None;
    }
    let own = crate::names::wing_of_letter(locale, side_);
    let found = match (own, side_) {
        (Some(wing), _) => Noted::usual(wing),
        (None, b'K') => Noted::usual(Wing::King),
        (None, b'Q') => Noted::usual(Wing::Queen).note_if(german, TokenNote::ForeignLetter),
        _ => return None,
    };
    Some(found.note_if((side_, kind_) != (side, kind), TokenNote::Case))
}

/// [`square`] in English letters, without deviations.
pub(crate) fn exact_square(input: &[u8]) -> Parsed<&[u8], Coordinates> {
    exactly(square(Hand::of(Locale::English), false)).parse(input)
}

/// [`pin`] in English letters, without deviations.
pub(crate) fn exact_pin(input: &[u8]) -> Parsed<&[u8], Pin> {
    exactly(pin(Hand::of(Locale::English))).parse(input)
}

/// Accepts only what a rule reads without a note.
fn exactly<'a, T>(rule: impl Rule<'a, Noted<T>>) -> impl Rule<'a, T> {
    map_opt(rule, |found| found.notes.is_empty().then_some(found.it))
}

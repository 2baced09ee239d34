//! The reader of the manual's notation. Every function is the grammar's rule of the same name.

use crate::moves::common::{
    Hand, blanks, capture, castling_move, evaluation, figurine, hyphen, piece_letter, promotion,
    tail,
};
use crate::names::{manual_board, manual_main_board, wing_of_letter};
use crate::rule::{Noted, Parsed, Rule, expected, letter};
use crate::text::{
    BoardPattern, Coordinates, Level, Locale, MovePattern, MoveText, TokenNote, TokenNotes,
    piece_between,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::character::complete::space1;
use nom::combinator::{cut, eof, map_opt, not, opt, value};
use nom::sequence::{delimited, preceded};
use tridex_geometry::Wing;
use tridex_geometry::stair::{AttackBoard, MainBoard, Pin};
use tridex_rules::Role;

/// `move`.
pub(crate) fn moved<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    alt((castling_move, board_move(hand), piece_move(hand)))
}

/// `board_move`: `QP1-QP3` and `QP1r` (Section 2.4 (c), (d)), and our `QP2-QP6r` and `QP12-QP8/b9,BB=Q`.
pub(super) fn board_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    let second = preceded((not(evaluation), hyphen), cut(pin(hand)));
    let goes = (second, opt(tag("r"))).map(|(pin, turned)| (Some(pin), turned.is_some()));
    let turns = value((None, true), tag("r"));
    // The manual always names both pins of a move.
    let way = expected("a hyphen and a pin, or r for a turn", alt((goes, turns)));
    (pin(hand), way, opt(board_promotion(hand)), tail).map(
        |(first, (second, turned), promotion, tail)| {
            let mut notes = TokenNotes::NONE;
            let first = first.noted_in(&mut notes);
            let kind = MovePattern::Board(BoardPattern {
                from: Some(first),
                to: second.map_or(first, |pin| pin.noted_in(&mut notes)),
                either_surface: true,
                turned,
                promotion: promotion.map(|promotion| promotion.noted_in(&mut notes)),
            });
            tail.on(kind, false, notes)
        },
    )
}

/// `board_promotion`: the pawn's square once the board has moved, and the new piece; or the new piece alone.
pub(super) fn board_promotion<'a>(hand: Hand) -> impl Rule<'a, Noted<(Option<Coordinates>, Role)>> {
    let placed = move || {
        (square(hand), promotion(hand)).map(|(place, role)| place.map(|place| (Some(place), role)))
    };
    alt((
        preceded(expected("a slash", tag("/")), cut(placed())),
        preceded(space1, placed()).map(|promotion| promotion.note_if(true, TokenNote::Spelling)),
        promotion(hand).map(|role| Noted::unusual((None, role), TokenNote::Spelling)),
    ))
}

/// `piece_move`: `b3,WB-b5,NB`, `b3,WBxc4,NB` (Section 2.4 (a), (b)), and our `b8,BB-b9,BB=Q` and `e.p.`.
pub(super) fn piece_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    let named = (piece(hand).map(Some), squares(hand));
    let bare = squares(hand).map(|squares| (None, squares));
    (alt((named, bare)), opt(promotion(hand)), tail).map(
        |((role, (from, capture, to)), promotion, tail)| {
            let mut notes = TokenNotes::NONE;
            let (from, to) = (from.noted_in(&mut notes), to.noted_in(&mut notes));
            if from.level.is_none() || to.level.is_none() {
                notes = notes.with(TokenNote::MissingLevel);
            }
            let kind = piece_between(role, from, to, promotion);
            tail.on(kind, capture, notes)
        },
    )
}

/// The squares of departure and arrival, and whether it is a capture.
fn squares<'a>(hand: Hand) -> impl Rule<'a, (Noted<Coordinates>, bool, Noted<Coordinates>)> {
    let joint = alt((value(true, capture), value(false, hyphen)));
    (
        square(hand),
        expected("a hyphen or a capture mark", joint),
        cut(square(hand)),
    )
}

/// `piece`: the letter of a piece or a figurine, which the manual does not write. `P` is a pawn where it is not the
/// letter of another piece.
pub(super) fn piece<'a>(hand: Hand) -> impl Rule<'a, Role> {
    expected(
        "the letter of a piece",
        alt((figurine, piece_letter(hand), value(Role::Pawn, tag("P")))),
    )
}

/// `square`: file, rank, comma and board (Section 2.2). The comma may be followed by blanks or omitted, and so may the
/// whole name of the board, which may also be in brackets or after a slash.
pub(super) fn square<'a>(hand: Hand) -> impl Rule<'a, Noted<Coordinates>> {
    // A comma at the end of a token stops a sentence.
    let behind_comma = preceded((tag(","), blanks, not(eof)), cut(board));
    let aside = alt((
        delimited(tag("("), board, tag(")")),
        preceded(tag("/"), board),
    ));
    let named = alt((
        behind_comma,
        board,
        aside.map(|board| board.note_if(true, TokenNote::Spelling)),
    ));
    (file(hand), rank, opt(named)).map(|(file, rank, board)| {
        let mut notes = TokenNotes::NONE;
        let file = file.noted_in(&mut notes);
        let level = board.map(|board| board.noted_in(&mut notes));
        Noted {
            it: Coordinates { file, rank, level },
            notes,
        }
    })
}

/// `file`: `a` to `f`.
pub(super) fn file<'a>(hand: Hand) -> impl Rule<'a, Noted<u8>> {
    expected(
        "a file from a to f",
        letter(move |b| match b {
            b'a'..=b'f' => Some(Noted::usual(b - b'a')),
            b'A'..=b'F' if hand.any_case => Some(Noted::unusual(b - b'A', TokenNote::Case)),
            _ => None,
        }),
    )
}

/// `rank`: `1` to `10`, given as `0..10`.
pub(super) fn rank(input: &[u8]) -> Parsed<&[u8], u8> {
    let digit = letter(|b| matches!(b, b'1'..=b'9').then(|| b - b'1'));
    expected("a rank from 1 to 10", alt((value(9, tag("10")), digit))).parse(input)
}

/// `board`: `WB NB BB` and `QL KL ql kl` (Section 2.1). The case of an attack board's name is that of its owner; that of a
/// fixed board's is forgiven.
pub(super) fn board(input: &[u8]) -> Parsed<&[u8], Noted<Level>> {
    let known = |name: &[u8]| {
        let attack = AttackBoard::ALL
            .into_iter()
            .find(|board| manual_board(*board).as_bytes() == name);
        let main = MainBoard::ALL.into_iter().find(|board| {
            manual_main_board(*board)
                .as_bytes()
                .eq_ignore_ascii_case(name)
        });
        match (attack, main) {
            (Some(board), _) => Some(Noted::usual(Level::Attack(board))),
            (None, Some(board)) => Some(
                Noted::usual(Level::Main(board))
                    .note_if(manual_main_board(board).as_bytes() != name, TokenNote::Case),
            ),
            (None, None) => None,
        }
    };
    expected(
        "a board: WB, NB, BB, QL, KL, ql or kl",
        map_opt(take(2_usize), known),
    )
    .parse(input)
}

/// `pin`: `QP1` to `KP12` (Section 2.3), in other languages also with their letters.
pub(super) fn pin<'a>(hand: Hand) -> impl Rule<'a, Noted<Pin>> {
    let name = map_opt(take(2_usize), move |name: &[u8]| match *name {
        [side, kind] => wing(hand.locale, side, kind),
        _ => None,
    });
    let two_digits = alt((
        value(10, tag("10")),
        value(11, tag("11")),
        value(12, tag("12")),
    ));
    let digit = letter(|b| matches!(b, b'1'..=b'9').then(|| b - b'0'));
    let number = expected("the number of a pin, 1 to 12", alt((two_digits, digit)));
    map_opt(
        (expected("a pin such as QP1", name), number),
        |(wing, number)| {
            Some(Noted {
                it: Pin::from_manual(wing.it, number)?,
                notes: wing.notes,
            })
        },
    )
}

/// The wing of a pin by its two letters: those of the language, or the English ones.
fn wing(locale: Locale, side: u8, kind: u8) -> Option<Noted<Wing>> {
    let (side_, kind_) = (side.to_ascii_uppercase(), kind.to_ascii_uppercase());
    if kind_ != b'P' {
        return None;
    }
    let wing = wing_of_letter(Locale::English, side_).or_else(|| wing_of_letter(locale, side_))?;
    Some(Noted::usual(wing).note_if((side_, kind_) != (side, kind), TokenNote::Case))
}

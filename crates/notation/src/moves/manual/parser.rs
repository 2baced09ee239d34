//! The parser of the manual's notation. A function whose doc begins with a name is the grammar's rule of that name.

use crate::moves::common::{
    Hand, Way, blanks, board_promotion, capture, castling_move, evaluation, figurine, file_letter,
    hyphen, piece_letter, piece_words, promotion, tail,
};
use crate::names::{manual_board, manual_main_board, wing_of_letter};
use crate::text::Noted;
use crate::text::{BoardPattern, Coordinates, Level, Locale, MovePattern, MoveText, TokenNote};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::combinator::{cut, eof, map_opt, not, opt, value};
use nom::sequence::{delimited, preceded};
use tridex_geometry::Wing;
use tridex_geometry::stair::{AttackBoard, MainBoard, Pin};
use tridex_grammar::{Parsed, Rule, expected, letter};
use tridex_rules::Role;

/// `move`.
pub(crate) fn moved<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    alt((castling_move, board_move(hand), piece_move(hand)))
}

/// `board_move`: `QP1-QP3` and `QP1r` (Section 2.4 (c), (d)), and our extensions `QP2-QP6r` and `QP12-QP8/b9,BB=Q`.
pub(super) fn board_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    let second = preceded((not(evaluation), hyphen), cut(pin(hand)));
    let goes = (second, opt(tag("r"))).map(|(pin, turned)| (Some(pin), turned.is_some()));
    let turns = value((None, true), tag("r"));
    // The manual always names both pins of a move.
    let way = expected("a hyphen and a pin, or r for a turn", alt((goes, turns)));
    let promotion = opt(board_promotion(hand, move || square(hand)));
    (pin(hand), way, promotion, tail).map(|(first, (second, turned), promotion, tail)| {
        let words = first.zip(Noted::of(second)).zip(Noted::of(promotion));
        let ((first, second), promotion) = words.it;
        let kind = MovePattern::Board(BoardPattern {
            from: Some(first),
            to: second.unwrap_or(first),
            either_surface: true,
            turned,
            promotion,
        });
        tail.on(kind, false, words.notes)
    })
}

/// `piece_move`: `b3,WB-b5,NB`, `b3,WBxc4,NB` (Section 2.4 (a), (b)), and our extensions `b8,BB-b9,BB=Q` and `e.p.`.
pub(super) fn piece_move<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    let named = (
        piece(hand).map(|role| Some(Noted::usual(role))),
        squares(hand),
    );
    let bare = squares(hand).map(|squares| (None, squares));
    (alt((named, bare)), opt(promotion(hand)), tail)
        .map(|((role, way), promotion, tail)| piece_words(role, way, promotion, tail))
}

/// The squares of departure and arrival, and whether the move is a capture.
fn squares<'a>(hand: Hand) -> impl Rule<'a, Noted<Way>> {
    let joint = alt((value(true, capture), value(false, hyphen)));
    let joint = expected("a hyphen or a capture mark", joint);
    (square(hand), joint, cut(square(hand)))
        .map(|(from, capture, to)| Way::between(from, capture, to))
}

/// `piece`: the letter of a piece, or a figurine. The manual writes neither. `P` is a pawn unless it is the letter of
/// another piece in the language.
pub(super) fn piece<'a>(hand: Hand) -> impl Rule<'a, Role> {
    expected(
        "the letter of a piece",
        alt((figurine, piece_letter(hand), value(Role::Pawn, tag("P")))),
    )
}

/// `square`: file, rank, comma and board (Section 2.2). Blanks may follow the comma. The comma may be missing, and so
/// may the board. The board may also be in brackets or after a slash.
pub(super) fn square<'a>(hand: Hand) -> impl Rule<'a, Noted<Coordinates>> {
    // A comma at the end of a token is punctuation.
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
        let parts = file.zip(Noted::of(board));
        parts.map(|(file, level)| Coordinates { file, rank, level })
    })
}

/// `file`: `a` to `f`.
pub(super) fn file<'a>(hand: Hand) -> impl Rule<'a, Noted<u8>> {
    expected("a file from a to f", file_letter(hand, b"abcdef"))
}

/// `rank`: `1` to `10`, given as `0..10`.
pub(super) fn rank(input: &[u8]) -> Parsed<&[u8], u8> {
    let digit = letter(|b| matches!(b, b'1'..=b'9').then(|| b - b'1'));
    expected("a rank from 1 to 10", alt((value(9, tag("10")), digit))).parse(input)
}

/// `board`: `WB NB BB` and `QL KL ql kl` (Section 2.1). The case of an attack board's name shows its owner. A main
/// board's name is read in any case, with a note.
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

/// `pin`: `QP1` to `KP12` (Section 2.3), in English letters or those of the language.
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

/// The wing of a pin by its two letters, in English or in the language.
fn wing(locale: Locale, side: u8, kind: u8) -> Option<Noted<Wing>> {
    let (side_, kind_) = (side.to_ascii_uppercase(), kind.to_ascii_uppercase());
    if kind_ != b'P' {
        return None;
    }
    let wing = wing_of_letter(Locale::English, side_).or_else(|| wing_of_letter(locale, side_))?;
    Some(Noted::usual(wing).note_if((side_, kind_) != (side, kind), TokenNote::Case))
}

//! What the tests of the rule texts share: positions from position strings, moves from tokens, and answers in the words
//! of a notation.
//!
//! Tokens are Meder's for the systems `meder` and `federation`, and the own notation's for the others.

use std::collections::BTreeSet;
use tridex_archive::{Limits, game, pgn};
use tridex_geometry::Square;
use tridex_notation::{
    Fen, MoveText, Notation, WriteOptions, messages, names, parse, position_string, resolve, write,
};
use tridex_replay::{Options, Replay, replay};
use tridex_rules::{Color, Move, Piece, Position, RuleSystem};

/// The position of a position string under a rule system. Fields that are left out have their usual values.
#[track_caller]
pub(crate) fn position(rules: RuleSystem, line: &str) -> Position {
    let setup = position_string::parse(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    Position::from_setup(rules, &setup).unwrap_or_else(|fault| panic!("{line}: {fault}"))
}

/// The position string of a position.
pub(crate) fn line(position: &Position) -> String {
    Fen::of(position).to_string()
}

/// The notation in which the tests of a rule system name moves and squares.
pub(crate) fn notation(rules: RuleSystem) -> Notation {
    Notation::of(rules)
}

/// A token as words; panics if it is no word of the notation.
#[track_caller]
pub(crate) fn text(rules: RuleSystem, token: &str) -> MoveText {
    parse(notation(rules), token.as_bytes(), None)
        .unwrap_or_else(|fault| panic!("{token}: {fault:?}"))
}

/// The one legal move of a token.
#[track_caller]
pub(crate) fn read(position: &Position, token: &str) -> Move {
    let text = text(position.rules(), token);
    match resolve::resolve(&text, position) {
        Ok(m) => m,
        Err(fault) => {
            let reason = messages::reason(&text, position, notation(position.rules()));
            panic!("{token}: {fault}: {reason}\n{}", line(position))
        }
    }
}

/// The canonical token without a mark of check or mate.
pub(crate) fn unmarked() -> WriteOptions {
    WriteOptions::default().marks(Some(false))
}

/// The canonical token of a legal move.
pub(crate) fn written_as(position: &Position, m: Move, options: &WriteOptions) -> String {
    let mut out = String::new();
    let notation = notation(position.rules());
    write(notation, position, m, options, &mut out).expect("a notation of the same family");
    out
}

/// Plays tokens, separated by blanks, each of which means exactly one legal move.
#[track_caller]
pub(crate) fn play(position: &Position, tokens: &str) -> Position {
    let mut now = position.clone();
    for token in tokens.split_whitespace() {
        let m = read(&now, token);
        now.play(m).unwrap_or_else(|_| panic!("{token}"));
    }
    now
}

/// The square of a name, as the boards stand now.
#[track_caller]
pub(crate) fn square(position: &Position, name: &str) -> Square {
    (0..position.family().squares())
        .filter_map(|index| Square::try_new(index as u8))
        .find(|square| square_name(position, *square) == name)
        .unwrap_or_else(|| panic!("there is no square {name} now"))
}

/// The name of a square, as the boards stand now.
pub(crate) fn square_name(position: &Position, square: Square) -> String {
    names::square(notation(position.rules()), position.layout(), square)
}

/// The piece on a square in English letters, small for Black; `None` if the square is vacant.
#[track_caller]
pub(crate) fn piece(position: &Position, name: &str) -> Option<char> {
    position.piece_at(square(position, name)).map(letter)
}

fn letter(piece: Piece) -> char {
    match piece.color {
        Color::White => piece.role.letter(),
        Color::Black => piece.role.letter().to_ascii_lowercase(),
    }
}

/// All pieces with their squares, `Kd0KL1` for White's and `ke9KL6` for Black's.
pub(crate) fn men(position: &Position) -> BTreeSet<String> {
    position
        .to_setup()
        .pieces()
        .map(|(square, piece)| format!("{}{}", letter(piece), square_name(position, square)))
        .collect()
}

/// The squares to which the piece on a square may go, castling left out.
#[track_caller]
pub(crate) fn goes(position: &Position, from: &str) -> BTreeSet<String> {
    let start = square(position, from);
    assert!(
        position
            .piece_at(start)
            .is_some_and(|p| p.color == position.turn()),
        "no piece of the side to move stands on {from}"
    );
    let moves = position.legal_moves();
    let arrivals = moves.iter().filter_map(|m| match m {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } if *from == start => {
            Some(square_name(position, *to))
        }
        _ => None,
    });
    arrivals.collect()
}

/// The one game of a record, replayed as `validate` does.
#[track_caller]
pub(crate) fn replayed(record: &str) -> Replay {
    let games = game::collect(|v| pgn::read_games(record.as_bytes(), 0, &Limits::default(), v));
    assert_eq!(games.len(), 1, "{record}");
    replay(&games[0], &Options::default())
}

/// Whether a name is that of a square as the boards stand now.
pub(crate) fn exists(position: &Position, name: &str) -> bool {
    (0..position.family().squares())
        .filter_map(|index| Square::try_new(index as u8))
        .any(|square| square_name(position, square) == name)
}

/// Fails with all faults, if there are any.
#[track_caller]
pub(crate) fn none_of(faults: &[String]) {
    let count = faults.len();
    assert!(count == 0, "\n{}\n{count} faults", faults.join("\n"));
}

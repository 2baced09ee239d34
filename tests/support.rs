//! What the tests of the rule texts share: positions from position strings, moves from tokens, and answers in the words
//! of a notation.
//!
//! Tokens are Meder's for the systems `meder` and `federation`, and the own notation's for the others.

// Each topic uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeSet;
use tridex_archive::record::{Game, Recorder};
use tridex_archive::{Limits, pgn};
use tridex_geometry::{Square, stair::AttackBoard};
use tridex_notation::{
    MoveText, Notation, WriteOptions, messages, names, parse, position_string, resolve, write,
};
use tridex_replay::{Options, Report, replay};
use tridex_rules::{Color, Move, Piece, Position, Role, RuleSystem, SetupError};

/// The position of a position string under a rule system. Fields that are left out have their usual values.
#[track_caller]
pub(crate) fn position(rules: RuleSystem, line: &str) -> Position {
    let setup = position_string::parse(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    Position::from_setup(rules, &setup).unwrap_or_else(|fault| panic!("{line}: {fault}"))
}

/// Why a position string cannot be played.
#[track_caller]
pub(crate) fn setup_fault(rules: RuleSystem, line: &str) -> SetupError {
    let setup = position_string::parse(line).unwrap_or_else(|fault| panic!("{line}: {fault}"));
    match Position::from_setup(rules, &setup) {
        Ok(_) => panic!("{line}: this can be played"),
        Err(fault) => fault,
    }
}

/// The position string of a position.
pub(crate) fn line(position: &Position) -> String {
    position_string::to_string(&position.to_setup())
}

/// The notation in which the tests of a rule system name moves and squares.
pub(crate) fn notation(rules: RuleSystem) -> Notation {
    match rules {
        RuleSystem::Meder | RuleSystem::Federation => Notation::Meder,
        RuleSystem::Manual => Notation::Manual,
        RuleSystem::Millennium => Notation::Millennium,
        RuleSystem::Chess3 => Notation::Chess3,
    }
}

/// A token as words; panics if it is no word of the notation.
#[track_caller]
pub(crate) fn text(rules: RuleSystem, token: &str) -> MoveText {
    parse(notation(rules), token.as_bytes(), None)
        .unwrap_or_else(|fault| panic!("{token}: {fault:?}"))
}

/// All legal moves that fit a token.
#[track_caller]
pub(crate) fn readings(position: &Position, token: &str) -> Vec<Move> {
    let mut moves = Vec::new();
    resolve::candidates(&text(position.rules(), token), position, &mut moves);
    moves
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

/// The canonical token of a legal move, without a mark of check or mate.
pub(crate) fn written(position: &Position, m: Move) -> String {
    written_as(position, m, &UNMARKED)
}

/// How [`written`] writes.
pub(crate) const UNMARKED: WriteOptions = WriteOptions {
    locale: tridex_notation::Locale::English,
    full_pawn_captures: true,
    marks: Some(false),
};

/// The canonical token of a legal move.
pub(crate) fn written_as(position: &Position, m: Move, options: &WriteOptions) -> String {
    let mut out = String::new();
    let notation = notation(position.rules());
    write(notation, position, m, options, &mut out).expect("a notation of the same family");
    out
}

/// All legal moves as canonical tokens, sorted.
pub(crate) fn legal(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut tokens: Vec<String> = moves.iter().map(|m| written(position, *m)).collect();
    tokens.sort();
    tokens
}

/// Each token, separated by blanks, means exactly one legal move.
#[track_caller]
pub(crate) fn assert_legal(position: &Position, tokens: &str) {
    let all = position.legal_moves();
    for token in tokens.split_whitespace() {
        let m = read(position, token);
        assert!(position.is_legal(m), "{token}: {m:?}");
        assert!(
            all.contains(&m),
            "{token} is not in the list of legal moves"
        );
        assert_eq!(position.explain(m), None, "{token}");
    }
}

/// The token is a word, fits no legal move, and the reason given ends with the article.
#[track_caller]
pub(crate) fn assert_illegal(position: &Position, token: &str, article: &str) {
    expect_reason(position, token, &format!("({article})"));
}

/// The token is a word, fits no legal move, and the reason given contains the words.
#[track_caller]
pub(crate) fn expect_reason(position: &Position, token: &str, wanted: &str) {
    let found = readings(position, token);
    assert!(
        found.is_empty(),
        "{token} is legal: {found:?}\n{}",
        line(position)
    );
    let text = text(position.rules(), token);
    let reason = messages::reason(&text, position, notation(position.rules()));
    assert!(
        reason.contains(wanted),
        "{token}: expected `{wanted}`, found: {reason}\n{}",
        line(position)
    );
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

/// The position with the other side to move, as after a null move.
#[track_caller]
pub(crate) fn passed(position: &Position) -> Position {
    let mut setup = position.to_setup();
    setup.turn = setup.turn.other();
    setup.en_passant = None;
    Position::from_setup(position.rules(), &setup).expect("nobody stands in check")
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

/// Words separated by blanks, as a set.
pub(crate) fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
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

/// The piece on a square may go to these squares and to no other.
#[track_caller]
pub(crate) fn assert_goes(position: &Position, from: &str, squares: &str) {
    let (found, wanted) = (goes(position, from), set(squares));
    let missing: Vec<_> = wanted.difference(&found).collect();
    let extra: Vec<_> = found.difference(&wanted).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "from {from}: missing {missing:?}, too many {extra:?}\n{}",
        line(position)
    );
}

/// What may become of the pawn that goes from one square to another, as letters in the order `QRBN`; `-` if it may stay
/// a pawn; empty if it may not go there.
#[track_caller]
pub(crate) fn promotions(position: &Position, from: &str, to: &str) -> String {
    let (start, end) = (square(position, from), square(position, to));
    let mut roles: Vec<Option<Role>> = position
        .legal_moves()
        .into_iter()
        .filter_map(|m| match m {
            Move::Piece {
                from,
                to,
                promotion,
            }
            | Move::EnPassant {
                from,
                to,
                promotion,
            } => ((from, to) == (start, end)).then_some(promotion),
            _ => None,
        })
        .collect();
    roles.sort_by_key(|role| std::cmp::Reverse(*role));
    roles
        .iter()
        .map(|role| role.map_or('-', Role::letter))
        .collect()
}

/// Where the attack board on a pin may go: pins, with `r` behind if the board turns, and `/` with square and letter if a
/// pawn is promoted by that.
#[track_caller]
pub(crate) fn board_goes(position: &Position, pin: &str) -> BTreeSet<String> {
    let layout = *position.layout().expect("a stair board");
    let notation = notation(position.rules());
    let board = AttackBoard::ALL
        .into_iter()
        .find(|board| names::pin(notation, layout.pin(*board)) == pin)
        .unwrap_or_else(|| panic!("no board stands on {pin}"));
    let mut moves = Vec::new();
    position.board_moves(board, &mut moves);
    let all = position.legal_moves();
    let listed = all
        .iter()
        .filter(|m| matches!(m, Move::Board { board: b, .. } if *b == board));
    assert_eq!(
        listed.count(),
        moves.len(),
        "two lists of the moves of one board"
    );
    let spelled = moves.into_iter().filter_map(|m| match m {
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            assert!(position.is_legal(m) && all.contains(&m), "{m:?}");
            let mut word = names::pin(notation, to);
            if turned {
                word.push('r');
            }
            if let Some(promotion) = promotion {
                let after = layout.moved_unchecked(board, to);
                let name = names::square(notation, Some(&after), promotion.square);
                word = format!("{word}/{name}{}", promotion.role.letter());
            }
            Some(word)
        }
        _ => None,
    });
    spelled.collect()
}

/// The attack board on a pin may go to these pins, as [`board_goes`] writes them, and to no other.
#[track_caller]
pub(crate) fn assert_board_goes(position: &Position, pin: &str, pins: &str) {
    assert_eq!(
        board_goes(position, pin),
        set(pins),
        "from {pin}\n{}",
        line(position)
    );
}

/// The one game of a record, replayed as `validate` does.
#[track_caller]
pub(crate) fn replayed(record: &str) -> Report {
    let mut reports = Vec::new();
    let options = Options::default();
    let mut recorder = Recorder::new(|game: &mut Game| reports.push(replay(game, &options)));
    pgn::read_games(record.as_bytes(), 0, &Limits::default(), &mut recorder);
    assert_eq!(reports.len(), 1, "{record}");
    reports.remove(0)
}

/// Whether a name is that of a square as the boards stand now.
pub(crate) fn exists(position: &Position, name: &str) -> bool {
    (0..position.family().squares())
        .filter_map(|index| Square::try_new(index as u8))
        .any(|square| square_name(position, square) == name)
}

//! Messages are read by people and compared by scripts. Those about tokens are in `tests/data/notation/<notation>.txt`.

use super::{ALTERNATIVES, alternatives, explain, reason};
use crate::testing::random_games;
use crate::{Notation, WriteOptions, parse, position_string, resolve, write};
use tridex_rules::{CastlingSide, Move, Position, Role, RuleSystem};

/// A position string, or the start and the moves that lead to the position.
fn position(rules: RuleSystem, notation: Notation, text: &str) -> Position {
    if text.contains('@') || text.contains('|') {
        let setup = position_string::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        return Position::from_setup(rules, &setup).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    let mut position = Position::start(rules);
    for token in text.split_whitespace() {
        let words = parse(notation, token.as_bytes(), None).unwrap();
        let m = resolve::resolve(&words, &position).unwrap_or_else(|e| panic!("{token}: {e}"));
        position.play(m).unwrap();
    }
    position
}

#[test]
fn a_word_of_the_other_family_is_told_apart() {
    let start = Position::start(RuleSystem::Meder);
    let words = parse(Notation::Millennium, b"1e4", None).unwrap();
    assert_eq!(
        reason(&words, &start, Notation::Meder),
        "the move is written for the cube, the game is on the stair board"
    );
}

/// The moves [`alternatives`] lists, as they are written.
fn listed(rules: RuleSystem, notation: Notation, token: &str) -> String {
    let start = Position::start(rules);
    let words = parse(notation, token.as_bytes(), None).unwrap();
    let moves = alternatives(&words, &start);
    assert!(moves.is_sorted() && moves.len() <= ALTERNATIVES);
    let mut out = String::new();
    for m in moves {
        out.push(' ');
        write(notation, &start, m, &WriteOptions::default(), &mut out).unwrap();
    }
    out
}

#[test]
fn alternatives_go_to_the_place_or_start_from_it() {
    let (rules, notation) = (RuleSystem::Meder, Notation::Meder);
    // To the square of arrival, by any piece.
    assert_eq!(listed(rules, notation, "Rb3W"), " Nb3W b3W");
    assert_eq!(listed(rules, notation, "Na1Wc5N"), " Nb3W Nb3N");
    assert_eq!(listed(rules, notation, "b5N"), " b3W b4W b3N b4N");
    assert_eq!(listed(rules, notation, "QL3"), "");
    assert_eq!(listed(rules, notation, "0-0"), "");
    let (rules, notation) = (RuleSystem::Millennium, Notation::Millennium);
    assert_eq!(
        listed(rules, notation, "K1e3"),
        " K2d1 K2e1 K2f1 K2d2 K2e2 K2f2 1e3"
    );
}

#[test]
fn promotions_are_named_where_they_happen() {
    let text = "4/2P1/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:1k/2 w - - - 0 9";
    let position = position(RuleSystem::Meder, Notation::Meder, text);
    let say = |token: &str, promotion| {
        let words = parse(Notation::Meder, token.as_bytes(), None).unwrap();
        let Ok(Move::Piece { from, to, .. }) = resolve::resolve(&words, &position) else {
            panic!("{token} is no move");
        };
        let m = Move::Piece {
            from,
            to,
            promotion,
        };
        let explanation = position.explain(m).unwrap();
        explain(&position, Notation::Meder, &explanation)
    };
    assert_eq!(
        say("c8BQ", None),
        "the pawn on c8B has to become a queen, rook, bishop or knight with this move, \
         and none is named (Meder 3.4(e)(i))"
    );
    assert_eq!(
        say("c8BQ", Some(Role::King)),
        "a pawn does not become a king (Meder 3.4(e)(i))"
    );
    assert_eq!(
        say("Kd1W", Some(Role::Queen)),
        "the king on d0KL1 is no pawn, and only pawns are promoted (Meder 3.4(e)(i))"
    );
}

#[test]
fn every_illegal_castling_and_step_has_a_sentence_with_its_article() {
    for rules in RuleSystem::ALL {
        let notation = match rules.family() {
            tridex_geometry::Family::Stair => Notation::Manual,
            tridex_geometry::Family::Cube => Notation::Chess3,
        };
        let mut reported = 0;
        random_games(*rules, 3, 60, |position, legal| {
            let castles = CastlingSide::ALL.map(Move::Castle);
            // Every move backwards.
            let steps = legal.iter().map(|m| match *m {
                Move::Piece { from, to, .. } => Move::Piece {
                    from: to,
                    to: from,
                    promotion: None,
                },
                other => other,
            });
            for m in steps.chain(castles) {
                let Some(explanation) = position.explain(m) else {
                    assert!(position.is_legal(m));
                    continue;
                };
                let found = explain(position, notation, &explanation);
                assert!(
                    found.ends_with(&format!(" ({})", explanation.article)),
                    "{found}"
                );
                assert!(
                    !found.contains("may not be played") && !found.contains('?'),
                    "{found}"
                );
                reported += 1;
            }
        });
        assert!(reported > 500, "{reported}");
    }
}

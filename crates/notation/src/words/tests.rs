//! Messages are read by people and compared by scripts: here is every kind of them, with the position it is true of.

use super::{ALTERNATIVES, alternatives, explain, reason};
use crate::testing::random_games;
use crate::{Notation, WriteOptions, parse, position_string, resolve, write};
use tridex_rules::{CastlingSide, Move, Position, RuleSystem};

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

fn check(rules: RuleSystem, notation: Notation, table: &[(&str, &str, &str)]) {
    let mut wrong = String::new();
    for (text, token, expected) in table {
        let position = position(rules, notation, text);
        let words =
            parse(notation, token.as_bytes(), None).unwrap_or_else(|e| panic!("{token}: {e:?}"));
        if let Ok(m) = resolve::resolve(&words, &position) {
            wrong.push_str(&format!("{token} is legal: {m:?}\n"));
            continue;
        }
        let said = reason(&words, &position, notation);
        if said != *expected {
            wrong.push_str(&format!(
                "{text} {token}\n  said:     {said}\n  expected: {expected}\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn meder() {
    let table = [
        ("", "Ra1W", ""),
        ("", "Rz9QL6", ""),
        ("", "z2QL3", ""),
        ("", "c3QL1", ""),
        ("", "b7W", ""),
        ("", "b0", ""),
        ("", "b5N", ""),
        ("", "c5N", ""),
        ("", "Bc4N", ""),
        ("", "Nbc3W", ""),
        ("", "N3c5N", ""),
        ("", "NBc5N", ""),
        ("", "Na8Bb6B", ""),
        ("", "Rb3Wc4N", ""),
        ("", "Rc2Wc3W", ""),
        ("", "Kd0KL1", ""),
        ("", "Bb1Wc4N", ""),
        ("", "aWxb3W", ""),
        ("", "aWxb3We.p.", ""),
        ("", "b4NQ", ""),
        ("", "Qa4N", ""),
        ("", "0-0", ""),
        ("b4N b5B", "0-0-0", ""),
        ("", "KL2", ""),
        ("", "QL6", ""),
        ("", "QL4", ""),
        ("", "QL1-QL4", ""),
        ("", "QL3-QL4", ""),
        ("", "QL1-QL2r", ""),
        ("", "QL1-QL2v", ""),
        ("b4N b5B", "bNxb5B", ""),
        ("b3W b5B", "b5N", ""),
        ("b4N c6B b5N a5N", "bNxc6Ne.p.", ""),
        ("b4N c5N b5N a6N", "bNxc6Ne.p.", ""),
        ("b4N a6N b5N c5N", "dWxc6Ne.p.", ""),
        (
            "3r/4/4/4|4/4/3Q/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 9",
            "Qc4W",
            "",
        ),
        (
            "2r1/4/4/4|4/4/4/4|4/4/4/3K|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "Kc1W",
            "",
        ),
        (
            "3r/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "KL2",
            "",
        ),
        (
            "3r/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/KR|ql@Q6:2/k1|kl@K6:2/2 w K - - 0 9",
            "0-0",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/KR|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "0-0",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q3:2/P1|KL@K1:2/K1|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "QL1",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q3:2/1p|KL@K1:2/K1|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "QL4",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q3:2/1p|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL5",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q2:2/2|KL@Q3:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL2-QL3",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/1K2/p3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL2",
            "",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/2K1/p3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "Nc3W",
            "",
        ),
        (
            "4/4/4/4|4/4/4/2R1|4/2p1/4/2P1|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "Rc3W",
            "",
        ),
        (
            "4/4/4/4|4/4/4/2R1|4/2p1/2p1/R3|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "Rc1W",
            "",
        ),
    ];
    check(RuleSystem::Meder, Notation::Meder, &table);
}

#[test]
fn manual() {
    let table = [
        ("", "a1,QL-a9,ql", ""),
        ("", "a2,QL-b4,WB", ""),
        ("", "b3,WB-b4,WB=Q", ""),
        ("", "b3,WB-b3,NB", ""),
        ("", "b3,WB-a1,ql", ""),
        ("", "b3,WB-b6,WB", ""),
        ("", "b3,WB-c4,WB", ""),
        ("", "b8,BB-b7,BB", ""),
        ("", "b5,WB-b6,NB", ""),
        ("", "b2,WB-b3,WB", ""),
        ("", "0-0", ""),
        ("", "QP12-QP10", ""),
        ("", "QP1-QP3", ""),
        ("", "QP7-QP9", ""),
        ("", "QP7r", ""),
        (
            "4/4/4/3k|4/4/4/4|4/4/4/2K1|QL@Q1v:2/1R|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b1,QL-e1,KL",
            "",
        ),
        (
            "4/4/4/3k|4/4/4/4|4/4/4/3K|QL@Q1v:2/1N|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b1,QL-d2,WB",
            "",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b5,WB-b5,NB",
            "",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QP1r",
            "",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QP1-QP5",
            "",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@Q1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QP1-QP2",
            "",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@Q1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "d2,WB-d3,WB=Q",
            "",
        ),
        (
            "4/4/4/3k|4/4/2p1/1n2|1P2/4/4/3K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 b - b4W - 0 9",
            "d5,NBxc4,NBe.p.",
            "",
        ),
        (
            "4/4/4/3k|4/4/r3/p3|4/p3/4/R2K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b2,WB-b5,WB",
            "",
        ),
    ];
    check(RuleSystem::Manual, Notation::Manual, &table);
}

#[test]
fn federation() {
    let table = [
        ("", "0-0", ""),
        ("", "KL2", ""),
        ("", "QL1r", ""),
        (
            "4/4/4/k3|4/4/2p1/4|4/2K1/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Kxc4N",
            "",
        ),
        (
            "4/4/4/k3|4/4/2p1/2P1|4/4/4/K1R1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Rxc4N",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/RP2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Rd3W",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/R3|4/4/p3/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Ra1QL1",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Rd0KL1",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QL2",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "KL2",
            "",
        ),
        (
            "P3/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:p1/2|kl@K6:2/2 b - - - 0 9",
            "QL5",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q3:P1/2|KL@K1:2/2|ql@Q6:p1/2|kl@K6:2/2 w - - - 0 9",
            "QL3-KL3r",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q3:p1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QL2",
            "",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q3:2/P1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QL1",
            "",
        ),
    ];
    check(RuleSystem::Federation, Notation::Meder, &table);
}

#[test]
fn millennium() {
    const EMPTY: &str = "8/8/8/8/8/8/8/8";
    let attacked = format!("{EMPTY}|{EMPTY}|4r3/8/8/8/8/k7/8/4K2R w K - - 0 9");
    let passing = format!("{EMPTY}|{EMPTY}|5r2/8/8/8/8/k7/8/4K2R w K - - 0 9");
    let pinned = format!("{EMPTY}|{EMPTY}|4r3/8/8/8/8/k7/4B3/4K2R w K - - 0 9");
    let table = [
        ("", "R1a3", ""),
        ("", "N1b3", ""),
        ("", "1e5", ""),
        ("1e3 3e6", "1e5", ""),
        ("", "ex1d3", ""),
        ("", "K1d1", ""),
        ("", "0-0", ""),
        ("", "0-0-0", ""),
        ("", "1e4=Q", ""),
        (attacked.as_str(), "0-0", ""),
        (attacked.as_str(), "R1h2", ""),
        (passing.as_str(), "0-0", ""),
        (passing.as_str(), "K1f1", ""),
        (passing.as_str(), "Q1f1", ""),
        (pinned.as_str(), "B1d3", ""),
    ];
    check(RuleSystem::Millennium, Notation::Millennium, &table);
}

#[test]
fn chess3() {
    let table = [
        ("", "1B2-2B3", ""),
        ("", "1A1-2B1", ""),
        ("", "1A1-1A3", ""),
        ("", "1B2-1C3", ""),
        ("", "1B2-1A2", ""),
        ("", "1E1-1E2", ""),
        ("", "3A7-3A6", ""),
        ("", "1D4-1D5", ""),
        ("", "1B2-1B5", ""),
        ("", "1B1-1C3=N", ""),
    ];
    check(RuleSystem::Chess3, Notation::Chess3, &table);
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
    // The pawn and the knight reach column b3.
    assert_eq!(listed(rules, notation, "Rb3W"), "");
    assert_eq!(listed(rules, notation, "Na1Wc5N"), "");
    assert_eq!(listed(rules, notation, "b5N"), "");
    assert_eq!(listed(rules, notation, "QL3"), "");
    assert_eq!(listed(rules, notation, "0-0"), "");
    let (rules, notation) = (RuleSystem::Millennium, Notation::Millennium);
    assert_eq!(listed(rules, notation, "K1e3"), "");
}

#[test]
fn every_illegal_castling_and_step_has_a_sentence_with_its_article() {
    for rules in RuleSystem::ALL {
        let notation = match rules.family() {
            tridex_geometry::Family::Stair => Notation::Manual,
            tridex_geometry::Family::Cube => Notation::Chess3,
        };
        let mut told = 0;
        random_games(*rules, 3, 60, |position, legal| {
            let castles = CastlingSide::ALL.map(Move::Castle);
            // The reply of the other side: legal there, hardly ever here.
            let steps = legal.iter().filter_map(|m| match *m {
                Move::Piece { from, to, .. } => Some(Move::Piece {
                    from: to,
                    to: from,
                    promotion: None,
                }),
                other => Some(other),
            });
            for m in steps.chain(castles) {
                let Some(explanation) = position.explain(m) else {
                    assert!(position.is_legal(m));
                    continue;
                };
                let said = explain(position, notation, &explanation);
                assert!(
                    said.ends_with(&format!(" ({})", explanation.article)),
                    "{said}"
                );
                assert!(
                    !said.contains("may not be played") && !said.contains('?'),
                    "{said}"
                );
                told += 1;
            }
        });
        assert!(told > 500, "{told}");
    }
}

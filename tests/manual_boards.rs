//! The rules after the technical manual's board (seed 001), sections 7 to 11: attack boards, check, the end of the game.
//! Sections 8 and 9 speak of hands and of accidents; of 8 only 8.3, on promotion, bears on play (`manual.rs`, 6.6(d)).

use crate::support::*;
use tridex_replay::diagnostic::{Code, Status};
use tridex_rules::RuleSystem::Manual;
use tridex_rules::{Color, Outcome, Position};

fn at(line: &str) -> Position {
    position(Manual, line)
}

// Section 7: the moves of the attack boards

/// Neighbours of the pins of one side, by 7.1 (a) to (e): `x` is the pin of the same number on the other side.
const NEXT: [(u8, &str); 12] = [
    (1, "x 3 2"),
    (2, "x 4 1 5 7"),
    (3, "x 1 4"),
    (4, "x 2 3 5 7"),
    (5, "x 7 6 2 4"),
    (6, "x 8 5 9 11"),
    (7, "x 5 8 2 4"),
    (8, "x 6 7 9 11"),
    (9, "x 11 10 6 8"),
    (10, "x 12 9"),
    (11, "x 9 12 6 8"),
    (12, "x 10 11"),
];

/// The neighbours of a pin as [`NEXT`] gives them.
fn neighbours(wing: &str, number: u8) -> Vec<String> {
    let other = if wing == "Q" { "K" } else { "Q" };
    let words = NEXT[usize::from(number) - 1].1.split_whitespace();
    words
        .map(|word| match word {
            "x" => format!("{other}P{number}"),
            n => format!("{wing}P{n}"),
        })
        .collect()
}

/// A pin in the words of the position string.
fn pin_word(name: &str) -> String {
    let number: u8 = name[2..].parse().expect("a number");
    let under = if number % 2 == 1 { "v" } else { "" };
    format!("{}{}{under}", &name[..1], number.div_ceil(2))
}

#[test]
fn section_7_1_adjacent_pins() {
    let all: Vec<String> = ["Q", "K"]
        .iter()
        .flat_map(|wing| (1..=12).map(move |n| format!("{wing}P{n}")))
        .collect();
    for name in &all {
        let next = neighbours(&name[..1], name[2..].parse().expect("a number"));
        let away: Vec<&String> = all
            .iter()
            .filter(|p| *p != name && !next.contains(p))
            .collect();
        let line = format!(
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@{}:2/2|KL@{}:2/2|ql@{}:2/2|kl@{}:2/2 w - - - 0 10",
            pin_word(name),
            pin_word(away[0]),
            pin_word(away[1]),
            pin_word(away[2]),
        );
        assert_board_goes(&at(&line), name, &next.join(" "));
        // Being next to one another is mutual.
        for other in &next {
            let back = neighbours(&other[..1], other[2..].parse().expect("a number"));
            assert!(back.contains(name), "{name} {other}");
        }
    }
    // The two examples.
    assert_eq!(neighbours("K", 5), ["QP5", "KP7", "KP6", "KP2", "KP4"]);
    assert_eq!(neighbours("K", 1), ["QP1", "KP3", "KP2"]);
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    for token in ["QP1-QP4", "QP1-QP5", "QP1-KP3"] {
        assert_illegal(&p, token, "manual 7.1");
    }
}

#[test]
fn section_7_2_an_occupied_board_turns_by_180_degrees() {
    // Whoever's pieces stand on it, and however many.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1v:P1/Rn|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let turned = play(&p, "QP1r");
    assert_eq!(men(&turned), set("Kd3,WB kd9,BB Rb2,QL na2,QL Pb1,QL"));
    assert_eq!(
        play(&turned, "QP12-QP10 QP1r").to_setup().pieces().count(),
        5
    );
    // With the opponent's piece alone on it.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1v:2/1n|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QP1", "QP1r");
    // Which does not let the opponent turn it.
    assert_board_goes(&passed(&p), "QP1", "");
    expect_reason(&passed(&p), "QP1r", "manual");
    // A turn that carries a pawn resets the count, another does not (ruling C6).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1v:2/N1|KL@K1v:2/P1|ql@Q6:2/2|kl@K6:2/2 w - - - 5 9");
    assert_eq!(play(&p, "QP1r").halfmoves(), 6);
    assert_eq!(play(&p, "KP1r").halfmoves(), 0);
    // The king turns with it.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1v:2/K1|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_eq!(piece(&play(&p, "QP1r"), "b2,QL"), Some('K'));
}

// Section 10: check

#[test]
fn section_10_1_no_move_leaves_the_own_king_attacked() {
    // A column is closed to the rook only when it is full, so that a lone piece in it is not pinned.
    let p = at(
        "1k2/2r1/4/4|4/4/4/4|2N1/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert!(p.is_check());
    let p = at(
        "1k2/2r1/4/4|4/4/2B1/4|2N1/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert!(!p.is_check());
    assert_goes(&p, "d5,WB", "");
    assert_goes(&p, "d5,NB", "");
    assert_illegal(&p, "d5,NB-e6,NB", "manual 10.1");
    // A turn may carry the attacker away, or towards the king.
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:r1/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(p.is_check());
    assert_board_goes(&p, "QP1", "QP1r");
    assert_board_goes(&p, "KP1", "");
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/1r|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(!p.is_check());
    assert_board_goes(&p, "QP1", "");
    assert_illegal(&p, "QP1r", "manual 10.1");
}

#[test]
fn section_10_1_an_empty_board_that_leaves_may_close_or_open_a_way() {
    // The empty square b5,QL is the only way past two knights (ruling A1): without it the rook does not check.
    let p =
        at("1k2/r3/4/4|4/4/N3/4|N3/4/K3/4|QL@Q2:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(p.is_check());
    // From QP3, below the same corner, the board would cover the same squares.
    assert_board_goes(&p, "QP4", "QP2 KP4 QP5 QP7");
    assert_illegal(&p, "QP4-QP3", "manual 10.1");
    // And it may not come between, where it would open the way.
    let p =
        at("1k2/r3/4/4|4/4/N3/4|N3/4/K3/4|QL@K2:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(!p.is_check());
    assert_illegal(&p, "KP4-QP4", "manual 10.1");
}

#[test]
fn section_10_2_and_11_1_checkmate() {
    let mate =
        at("3Q/4/4/4|4/4/4/4|4/4/4/1K1R|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert!(mate.is_check());
    assert_eq!(legal(&mate), [""; 0]);
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    // Unprotected the queen is taken; with e9,kl free of attack the board may be turned.
    let p =
        at("3Q/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert_eq!(p.outcome(), None);
    assert_legal(&p, "f10,klxe9,BB KP12r");
}

#[test]
fn section_10_3_a_check_need_not_be_declared() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/R3/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_eq!(read(&p, "b3,WB-d3,WB"), read(&p, "b3,WB-d3,WB+"));
    assert_eq!(written(&p, read(&p, "b3,WB-d3,WB+")), "b3,WB-d3,WB");
}

// Section 11: the completed game

#[test]
fn section_11_2_and_11_5_resignation_and_agreement() {
    for result in ["1-0", "0-1", "1/2-1/2"] {
        let game = "[Variant \"manual\"]\n\n1. b3,WB-b5,NB b8,BB-b7,BB";
        let found = replayed(&format!("{game} {result}\n"));
        assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    }
}

#[test]
fn section_11_3_stalemate() {
    // Every pin next to ql's is taken, and kl would turn the king into the rook's file.
    let p =
        at("R3/4/4/4|4/4/4/4|4/4/4/1K1R|QL@Q5:2/2|KL@Q6v:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert!(!p.is_check());
    assert_eq!(legal(&p), [""; 0]);
    assert_eq!(p.outcome(), Some(Outcome::Stalemate));
    let p =
        at("R3/4/4/4|4/4/4/4|4/4/4/1K1R|QL@Q1v:2/2|KL@Q6v:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert_eq!(legal(&p), ["QP12-QP10"]);
    assert_eq!(p.outcome(), None);
}

#[test]
fn section_11_4_endings_that_are_drawn_at_once() {
    for line in [
        "1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/4/4/4|4/3B/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/4/4/4|4/3N/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/3n/4/4|4/4/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        // Bishops on squares of one colour.
        "1k2/4/4/4|4/4/4/2b1|4/B3/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/2b1/4/4|4/B3/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    ] {
        assert_eq!(at(line).outcome(), Some(Outcome::Material), "{line}");
    }
    for line in [
        // Squares of different colours; two bishops of one side; knights; more.
        "1k2/4/4/4|4/4/2b1/4|4/B3/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/4/4/2B1|4/B3/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/3n/4/4|4/3N/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/3b/4/4|4/3N/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/4/4/4|4/3R/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "1k2/4/4/4|4/4/4/4|4/3P/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    ] {
        assert_eq!(at(line).outcome(), None, "{line}");
    }
    // It ends the game: a record that goes on is warned (ruling C5).
    let fen =
        "1k2/4/4/4|4/4/4/4|4/4/2r1/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10";
    let game = |rest: &str| {
        replayed(&format!(
            "[Variant \"manual\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. c2,WBxd3,WB {rest}\n"
        ))
    };
    assert_eq!(game("1/2-1/2").status, Status::Valid);
    assert_eq!(game("1/2-1/2").outcome, Some(Outcome::Material));
    let found = game("c9,BB-c8,BB 1/2-1/2");
    assert_eq!(found.status, Status::Warned);
    assert!(found.diagnostics.iter().any(|d| d.code == Code::GameOver));
    assert_eq!(game("1-0").status, Status::Invalid);
}

#[test]
fn section_11_4_a_record_that_begins_in_a_drawn_ending_and_goes_on_is_warned() {
    // Ruling C5 makes no difference between a draw that is reached and one that is set up.
    let fen = "1k2/4/4/4|4/4/4/4|4/3n/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10";
    let found = replayed(&format!(
        "[Variant \"manual\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. c2,WB-d3,WB *\n"
    ));
    assert_eq!(found.status, Status::Warned, "{:?}", found.diagnostics);
}

#[test]
fn section_11_6_the_third_occurrence_ends_the_game() {
    // Turning the boards there and back: after plies 2, 6 and 10 the same squares are held and the same moves possible.
    // The position after ply 4 is not that of the start, in which pawns may still advance two.
    let game = |plies: usize, result: &str| {
        let moves: Vec<&str> = ["QP1r", "QP12r"].into_iter().cycle().take(plies).collect();
        replayed(&format!(
            "[Variant \"manual\"]\n\n{} {result}\n",
            moves.join(" ")
        ))
    };
    let found = game(9, "*");
    assert_eq!((found.outcome, found.status), (None, Status::Valid));
    let found = game(10, "1/2-1/2");
    assert_eq!(
        found.outcome,
        Some(Outcome::Repetition),
        "{:?}",
        found.diagnostics
    );
    assert_eq!(found.status, Status::Valid);
    // The other side cannot have won; to play on is warned.
    assert_eq!(game(10, "1-0").status, Status::Invalid);
    let found = game(11, "*");
    assert!(found.diagnostics.iter().any(|d| d.code == Code::GameOver));
    assert_eq!(found.status, Status::Warned);
}

#[test]
fn section_11_knows_no_draw_by_fifty_moves() {
    let fen =
        "1k2/4/4/4|4/4/4/4|4/3R/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 99 90";
    let found = replayed(&format!(
        "[Variant \"manual\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n90. e4,WB-e5,WB c9,BB-c8,BB *\n"
    ));
    assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    assert!(!found.diagnostics.iter().any(|d| d.code == Code::FiftyMoves));
    assert_eq!(found.outcome, None);
}

// The remarks below the figures

#[test]
fn remarks_four_boards_may_form_one_playing_area() {
    // Two boards on the king's pins below Black's board, two on the upper king's pins of the Neutral board: two files of
    // eight squares.
    let p = at("k3/4/4/4|4/4/4/4|4/4/4/K3|QL@K5v:2/2|KL@K6v:2/2|ql@K3:2/1R|kl@K4:2/2 w - - - 0 10");
    assert_legal(&p, "f3,ql-f10,KL f3,ql-f5,QL f3,ql-f8,kl");
    for rank in 3..=10 {
        let held = ["QL", "KL", "ql", "kl"]
            .iter()
            .filter(|board| exists(&p, &format!("f{rank},{board}")));
        assert_eq!(held.count(), 1, "{rank}");
    }
}

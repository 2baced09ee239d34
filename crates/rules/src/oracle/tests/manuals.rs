//! Seed 001. Ranks are Meder's: one less than the manual's; files `z` to `e` are its `a` to `f`.

use super::*;
use crate::Outcome;
use crate::oracle::outcome;

const RULES: RuleSystem = RuleSystem::Manual;
const HOME: &str = "Q1v K1v Q6 K6";

#[test]
fn the_eighteen_first_moves() {
    let mut expected = String::from("QL>Q1vr KL>K1vr ");
    for file in ["a", "b", "c", "d"] {
        for to in ["3W", "3N", "4W", "4N"] {
            expected += &format!("{file}2W-{file}{to} ");
        }
    }
    let mut found = all(RULES, &start(RULES));
    found.sort();
    assert_eq!(found, words(&expected));
}

#[test]
fn no_line_crosses_a_gap_6_3() {
    let setup = setup(HOME, "Re0KL pe8kl");
    moves_are(RULES, &setup, "e0KL", "e1KL d0KL");
    let bishop = super::setup(HOME, "Bd1W");
    moves_are(RULES, &bishop, "d1W", "e0KL c2W b3W b3N a4W a4N");
}

#[test]
fn boards_make_a_file_continuous() {
    // KL under the near corner of Black's board, kl over it, QL over the Neutral board's far corner: e4 to e7.
    let setup = setup("K4 K5v Q6 K6", "Re4KL");
    moves_are(
        RULES,
        &setup,
        "e4KL",
        "e5KL e6QL e7QL e8kl e9kl d4W d4N d4KL c4W c4N b4W b4N a4W a4N",
    );
}

#[test]
fn a_column_is_passed_by_any_vacant_square_5_3() {
    // b3W is held, b3N is free; b4 is held on both.
    let setup = setup(HOME, "Rb1W Pb3W pb4W Pb4N");
    moves_are(
        RULES,
        &setup,
        "b1W",
        "b2W b3N b4W a1W a1QL z1QL c1W d1W d1KL e1KL",
    );
    // With both levels vacant somewhere in each column the line goes on.
    let passed = super::setup(HOME, "Rb1W pb3W pb4W");
    moves_are(
        RULES,
        &passed,
        "b1W",
        "b2W b3W b3N b4W b4N b5N b5B b6N b6B b7B b8B a1W a1QL z1QL c1W d1W d1KL e1KL",
    );
}

#[test]
fn the_knight_needs_its_first_square_6_5() {
    // z2 does not exist, so not over it to a3; over a1 to b2 (b0 is a gap).
    let setup = setup(HOME, "Nz1QL");
    moves_are(RULES, &setup, "z1QL", "b2W");
    // d1: up over d2 to c3 (e3 is a gap); right to e1 and no further; left over c1 to b2 (b0 is a gap); down over d0,
    // off the board.
    let corner = super::setup(HOME, "Nd1W");
    moves_are(RULES, &corner, "d1W", "c3W c3N b2W");
    // Meder's knight would leap from e1 to d3 over the missing e2; here only along the rank, to c2 (c0 is a gap).
    let far = super::setup(HOME, "Ne1KL Pd1W pd1KL");
    moves_are(RULES, &far, "e1KL", "c2W");
}

#[test]
fn the_king_goes_one_step_to_any_level_6_1() {
    let setup = setup(HOME, "Ka1W rd2W");
    moves_are(RULES, &setup, "a1W", "z0QL a0QL z1QL b1W");
    let free = super::setup(HOME, "Ka3W");
    moves_are(RULES, &free, "a3W", "a2W b2W b3W b3N a4W a4N b4W b4N");
}

#[test]
fn pawns_advance_6_6_b() {
    // One vacant square of the crossed column is enough.
    moves_are(RULES, &setup(HOME, "Pa2W na3W"), "a2W", "a3N a4W a4N");
    moves_are(RULES, &setup(HOME, "Pa2W na3W na3N"), "a2W", "");
    // Pawns of the boards: a0 over a1, a1 over a2; nothing is in front of d1 but d2.
    let board = setup(HOME, "Pa0QL Pa1QL");
    moves_are(RULES, &board, "a0QL", "a1W a2W");
    moves_are(RULES, &board, "a1QL", "a2W a3W a3N");
    let full = setup(HOME, "Pa0QL Pa1QL Ba1W");
    moves_are(RULES, &full, "a0QL", "");
    // z1 is no start square of a pawn here.
    moves_are(RULES, &setup("Q1v K1v Q3 K6", "Pz1QL"), "z1QL", "z2ql");
    // The board on the other surface of its corner is not at home (C2).
    moves_are(RULES, &setup("Q1 K1v Q6 K6", "Pa1QL"), "a1QL", "a2W");
}

#[test]
fn en_passant_6_6_c() {
    // The pawn passes under or over a knight: only the vacant square answers en passant (A3).
    let before = setup(HOME, "Pa2W na3W pb4N");
    let after = go(RULES, &before, "a2W-a4N");
    moves_are(RULES, &after, "b4N", "b3W b3N a3Nep");
    // A white piece there is taken in the ordinary way, and the pawn stays.
    let before = setup(HOME, "Pa2W Na3W pb4N");
    let after = go(RULES, &before, "a2W-a4W");
    moves_are(RULES, &after, "b4N", "b3W b3N a3W a3Nep");
    let ordinary = go(RULES, &after, "b4N-a3W");
    piece_is(&ordinary, "a4W", Some('P'));
    let passing = go(RULES, &after, "b4N-a3Nep");
    piece_is(&passing, "a4W", None);
    piece_is(&passing, "a3W", Some('N'));
}

#[test]
fn promotion_6_6_d() {
    moves_are(RULES, &setup(HOME, "Pa7B"), "a7B", "a8B=* a8ql=*");
    moves_are(RULES, &setup(HOME, "Pb7B"), "b7B", "b8B=*");
    moves_are(RULES, &setup("Q4 K1v Q6 K6", "Pz7QL"), "z7QL", "z8ql=*");
    moves_are(RULES, &black(setup(HOME, "pd2W")), "d2W", "d1W=* d1KL=*");
}

#[test]
fn en_passant_can_promote() {
    // A white pawn goes from a0 over a1 to a2; the black pawn on b2 takes it on rank 1, its last.
    let before = setup(HOME, "Pa0QL pb2W");
    let after = go(RULES, &before, "a0QL-a2W");
    moves_are(RULES, &after, "b2W", "b1W=* a1Wep=* a1QLep=*");
    let taken = go(RULES, &after, "b2W-a1QLep=N");
    piece_is(&taken, "a2W", None);
    piece_is(&taken, "a1QL", Some('n'));
}

#[test]
fn empty_boards_move_to_adjacent_pins_7_1() {
    // The section's examples: KP5 has QP5, KP7, KP6, KP2, KP4; KP1 has QP1, KP3, KP2.
    let fifth = setup("Q6v K3v Q6 K6", "Nz8QL");
    boards_are(RULES, &fifth, "QL>Q6vr KL>Q3v KL>K4v KL>K3 KL>K1 KL>K2");
    let first = setup("Q6v K1v Q6 K6", "Nz8QL");
    boards_are(RULES, &first, "QL>Q6vr KL>Q1v KL>K2v KL>K1");
    // Black's at the top, and a held pin.
    let top = black(setup("Q1v K1v Q6 K6", ""));
    boards_are(RULES, &top, "ql>Q5 ql>Q6v kl>K5 kl>K6v");
    // An over pin faces the under pins of the next board up, and the other way about.
    let facing = setup("Q2 K5v Q6 K6", "");
    boards_are(
        RULES,
        &facing,
        "QL>Q1 QL>Q2v QL>K2 QL>Q3v QL>Q4v KL>K6v KL>K5 KL>Q5v KL>K3 KL>K4",
    );
}

#[test]
fn occupied_boards_turn_7_2() {
    // Whoever's pieces are on them, and only the player's own.
    let mixed = setup(HOME, "nz0QL Na1QL Re0KL Nz8ql");
    boards_are(RULES, &mixed, "QL>Q1vr KL>K1vr");
    let after = go(RULES, &mixed, "QL>Q1vr");
    piece_is(&after, "a1QL", Some('n'));
    piece_is(&after, "z0QL", Some('N'));
    piece_is(&go(RULES, &mixed, "KL>K1vr"), "d1KL", Some('R'));
    // The start: rook and pawn, knight and pawn change places.
    let begun = go(RULES, &start(RULES), "QL>Q1vr");
    for (at, letter) in [("z0QL", 'P'), ("a0QL", 'N'), ("z1QL", 'P'), ("a1QL", 'R')] {
        piece_is(&begun, at, Some(letter));
    }
    assert_eq!(begun.halfmoves, 0);
    assert!(moved(&begun).is_empty());
    let again = line(RULES, &begun, "a7B-a6B QL>Q1vr");
    assert_eq!(moved(&again), ["a0QL", "a1QL"]);
}

#[test]
fn a_turn_may_not_expose_the_king_10_1() {
    let setup = setup(HOME, "Kz0QL ra8B");
    boards_are(RULES, &setup, "KL>K2v KL>K1");
    // And it may parry a check.
    let check = super::setup(HOME, "Ka1QL ra8B");
    boards_are(RULES, &check, "QL>Q1vr");
}

#[test]
fn no_castling() {
    let mut setup = setup(HOME, "Rz0QL Kd0KL Re0KL");
    setup.castling = Castling::ALL;
    assert!(!has(RULES, &setup, "0-0") && !has(RULES, &setup, "0-0-0"));
}

#[test]
fn draws_11_4() {
    let ends = |pieces: &str| outcome(RULES, &setup(HOME, pieces));
    let draw = Some(Outcome::Material);
    assert_eq!(ends("Kc1W kc8B"), draw);
    assert_eq!(ends("Kc1W kc8B Nb1W"), draw);
    assert_eq!(ends("Kc1W kc8B bb7B"), draw);
    assert_eq!(ends("Kc1W kc8B Ba1W bb8B"), draw);
    assert_eq!(ends("Kc1W kc8B Ba1W bb7B"), None);
    assert_eq!(ends("Kc1W kc8B Ba1W Bb8B"), None);
    assert_eq!(ends("Kc1W kc8B Na1W"), draw);
    assert_eq!(ends("Kc1W kc8B Ra1W"), None);
    assert_eq!(ends("Kc1W kc8B Na1W nb7B"), None);
}

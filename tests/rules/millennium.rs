//! Millennium 3D Chess: what has another shape than a row of `tests/data/millennium.txt`.

use crate::rules::cube_support::{board, place};
use crate::support::{line, men, play, position, read, square, written_as};
use tridex_geometry::{Shade, Square, cube};
use tridex_notation::{Notation, WriteOptions, parse};
use tridex_rules::{Color, Move, MoveFault, Outcome, Position, RuleSystem};

const RULES: RuleSystem = RuleSystem::Millennium;

#[track_caller]
fn at(men: &str, fields: &str) -> Position {
    board(RULES, men, fields)
}

const WHITE_HOME: &str = "8/8/8/8/8/8/8/R3K2R";
const BLACK_HOME: &str = "r3k2r/8/8/8/8/8/8/8";

/// A position from its levels 3 and 1; level 2 is empty.
#[track_caller]
fn home(three: &str, one: &str, fields: &str) -> Position {
    position(RULES, &format!("{three}|8/8/8/8/8/8/8/8|{one} {fields}"))
}

#[test]
fn article_1_1_three_boards_with_a_light_corner_on_the_right() {
    assert_eq!(RULES.family().squares(), 3 * 64);
    for corner in ["1h1", "2h1", "3h1", "1a8", "2a8", "3a8"] {
        assert_eq!(cube::shade(place(corner)), Shade::Light, "{corner}");
    }
    // Figure 1.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1";
    assert_eq!(line(&Position::start(RULES)), start);
}

#[test]
fn article_1_2_squares_are_named_level_file_rank() {
    let start = Position::start(RULES);
    assert_eq!(square(&start, "1a1"), Square::new(0));
    assert_eq!(square(&start, "3h8"), Square::new(191));
    for refused in ["e4", "4e4", "0e4", "1i4", "1e9", "1e0", "e14"] {
        let read = parse(Notation::Millennium, refused.as_bytes(), None);
        // A level that is missing is noted; all others are no words.
        assert_eq!(read.is_ok(), refused == "e4", "{refused}");
    }
}

#[test]
fn article_2_1_black_moves_alike() {
    let mirror = tridex_notation::laws::Mirror::Sides;
    for men in [
        "N1b1 K3h1 k1h8",
        "R2d4 P2d6 p1d5 K3h1 k1h8",
        "P1e2 p2e3 K1a1 k3h8",
        "Q1d1 K2a8 k2h8",
    ] {
        let p = at(men, "w - - - 0 10");
        tridex_notation::laws::perft_is_mirrored(&p, mirror, 2).unwrap();
        let seen = mirror.setup(RULES, &p.to_setup()).unwrap();
        assert_eq!(seen.turn, Color::Black);
    }
}

#[test]
fn article_3_2_en_passant_is_a_capture() {
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    assert!(p.is_capture(read(&p, "fx1e3")));
}

#[test]
fn article_3_2_a_pawn_that_cannot_take_there_is_told_so() {
    let pawns = "p1d4 p1f4 p2d4 p2f4 p3d4 p3f4";
    let p = at(&format!("P1e2 {pawns} K1a1 k3h8"), "w - - -");
    let flat = play(&p, "1e4");
    for from in ["3d4", "3f4"] {
        let m = Move::EnPassant {
            from: square(&flat, from),
            to: square(&flat, "1e3"),
            promotion: None,
        };
        let explanation = flat.explain(m).expect("not legal");
        assert!(matches!(explanation.fault, MoveFault::PassesNot { .. }));
    }
}

#[test]
fn article_3_2_pieces_do_not_take_in_passing() {
    let p = at("P1e2 n1f5 b2f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    for from in ["1f5", "2f4"] {
        let m = Move::EnPassant {
            from: place(from),
            to: place("1e3"),
            promotion: None,
        };
        assert!(!p.is_legal(m));
        assert!(matches!(
            p.explain(m).unwrap().fault,
            MoveFault::NotAPawn { .. }
        ));
    }
}

#[test]
fn article_3_3_the_check_of_a_new_piece_is_marked() {
    let p = at("P3b7 K1a1 k3e8", "w - - -");
    let marks = |token: &str| written_as(&p, read(&p, token), &WriteOptions::default());
    assert_eq!([marks("3b8=Q"), marks("3b8=N")], ["3b8=Q+", "3b8=N"]);
}

#[test]
fn article_3_4_illegal_moves_are_not_played() {
    let p = at("K1e1 k3h8 r2b1 N2e1", "w - - -");
    let before = line(&p);
    let mut now = p.clone();
    for (from, to) in [
        ("1e1", "2d1"),
        ("1e1", "1e3"),
        ("2e1", "2e2"),
        ("3h8", "3h7"),
    ] {
        let m = Move::Piece {
            from: place(from),
            to: place(to),
            promotion: None,
        };
        let refused = now.play(m).unwrap_err();
        assert_eq!(refused.0, m);
    }
    assert_eq!(line(&now), before);
    now.play(read(&p, "K1d2")).unwrap();
    assert_eq!(now.turn(), Color::Black);
}

#[test]
fn article_4_1_a_double_check_is_answered_by_the_king_alone() {
    // The knight leaves the file of rook and king; on 3d6 it gives check itself.
    let p = at("R3e1 N3e4 K1a1 k3e8 r3h6 b1c8", "w - - -");
    let double = play(&p, "N3d6");
    assert!(double.is_check());
    assert!(
        double
            .legal_moves()
            .iter()
            .all(|m| matches!(m, Move::Piece { from, .. } if *from == place("3e8")))
    );
}

#[test]
fn article_4_2_mate_is_marked() {
    // The mark of mate is written.
    let before = at("k3h8 Q2g1 K1f6", "w - - -");
    let m = read(&before, "Q2g7");
    assert_eq!(written_as(&before, m, &WriteOptions::default()), "Q2g7#");
}

#[test]
fn article_4_5_is_a_claim_after_fifty_moves() {
    assert_eq!(RULES.claim_after(), Some(100));
}

#[test]
fn article_4_6_repetition_compares_privileges() {
    // The key is what is compared (ruling same-position). Rooks go and come back, and rights are lost the first time
    // only.
    let p = home(BLACK_HOME, WHITE_HOME, "w KQkq - - 0 10");
    let round = "R1h2 R3h7 R1h1 R3h8";
    let second = play(&p, round);
    let third = play(&second, round);
    assert_eq!(men(&p), men(&second));
    assert_ne!(p.key(), second.key(), "the king has lost a privilege");
    assert_eq!(second.key(), third.key());
    // The privilege to take in passing lasts one turn.
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let first = play(&p, "1e4");
    let again = play(&first, "K2h8 K2a1 K3h8 K1a1 K2h8 K2a1 K3h8 K1a1");
    assert_eq!(men(&first), men(&again));
    assert_eq!(again.turn(), Color::Black);
    assert_ne!(first.key(), again.key());
    // Where nobody could take, it makes no difference.
    let p = at("P1e2 p1h4 K1a1 k3h8", "w - - -");
    let first = play(&p, "1e4");
    let again = play(&first, "K2h8 K2a1 K3h8 K1a1");
    assert_eq!(first.key(), again.key());
    // Whose turn it is matters, and so does a double step that was lost.
    let p = at("P1e2 p3a7 K1a1 k3h8", "w - - -");
    let lost = play(&p, "2e2 K2h8 1e2 K3h8");
    assert_eq!(men(&p), men(&lost));
    assert_ne!(p.key(), lost.key());
    let turn = at("P1e2 p3a7 K1a1 k3h8", "b - - -");
    assert_ne!(p.key(), turn.key());
    // It is a claim and ends nothing.
    assert!(!RULES.repetition_ends());
}

#[test]
fn article_4_8_white_begins_and_turns_alternate() {
    let start = Position::start(RULES);
    assert_eq!((start.turn(), start.fullmoves()), (Color::White, 1));
    let p = play(&start, "1e4");
    assert_eq!((p.turn(), p.fullmoves()), (Color::Black, 1));
    let p = play(&p, "3e5");
    assert_eq!((p.turn(), p.fullmoves()), (Color::White, 2));
    // There are no boards to move.
    assert!(
        p.legal_moves()
            .iter()
            .all(|m| !matches!(m, Move::Board { .. }))
    );
}

/// Davis - D'Agostino, correspondence 2006: the inventor's own game, mate on move 28.
#[test]
fn the_inventors_game_is_legal_and_ends_in_mate() {
    let game = "N2g3 B2b7 B3e3 N3c6 N2b3 B2g7 N2a5 Q1b6 N3c5 Qx1b2 Nx3b7 Q3b4 N3c5 Q3e1+ Q2e1 Q3c3+ \
                K2f1 Qx1a1 Q2c1 B2a6+ 2e2 Qx1a2 N2c7 R2h7 N1e7+ K2e8 N1c6 R1c8 Nx3c7 Rx1c2 Q2c7 Q2b1+ K1g1 \
                N3e5 Q1d7+ K2f8 B2f4 Q2d1 Bx3e5 Q3e1+ K2g1 Qx3e5 Q2e7+ K1g7 Qx3d7 B2d4+ 2e3 R2c1+ K1g1 Q3g3+ \
                2g2 R2f1+ Nx2f1 B3e3+ 2f2 Qx2f2#";
    let mut now = Position::start(RULES);
    for token in game.split_whitespace() {
        let m = read(&now, token);
        assert_eq!(
            written_as(&now, m, &WriteOptions::default()),
            token,
            "{}",
            line(&now)
        );
        now.play(m).unwrap();
    }
    assert_eq!(
        now.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::Black
        })
    );
}

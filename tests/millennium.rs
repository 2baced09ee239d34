//! Millennium 3D Chess (seed 002), article by article: every square its examples name, and every square they rule out.

use crate::cube_support::{
    assert_stays_away, board, images, mates, passing, place, placement, three,
};
use crate::support::{
    assert_goes, assert_illegal, assert_legal, goes, legal, line, men, piece, play, position,
    promotions, read, set, setup_fault, square, written, written_as,
};
use tridex_geometry::{Shade, Square, cube};
use tridex_notation::{Notation, WriteOptions, parse, spell};
use tridex_rules::{
    CastlingSide, Color, Fault, Move, Outcome, Position, Role, RuleSystem, SetupError,
};

const RULES: RuleSystem = RuleSystem::Millennium;

#[track_caller]
fn at(men: &str, fields: &str) -> Position {
    board(RULES, men, fields)
}

// 1.0 The boards

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
    assert_eq!(piece(&start, "1a1"), Some('R'));
    assert_eq!(piece(&start, "1e1"), Some('K'));
    assert_eq!(piece(&start, "3e8"), Some('k'));
    assert_eq!(piece(&start, "1d1"), Some('Q'));
    assert_eq!(piece(&start, "3d8"), Some('q'));
    assert_eq!(square(&start, "1a1"), Square::new(0));
    assert_eq!(square(&start, "3h8"), Square::new(191));
    for refused in ["e4", "4e4", "0e4", "1i4", "1e9", "1e0", "e14"] {
        let read = parse(Notation::Millennium, refused.as_bytes(), None);
        // A level that is missing is noted; all others are no words.
        assert_eq!(read.is_ok(), refused == "e4", "{refused}");
    }
}

#[test]
fn article_1_3_nothing_starts_on_the_middle_board() {
    let start = Position::start(RULES);
    for name in men(&start) {
        let home = if name.starts_with(|c: char| c.is_ascii_uppercase()) {
            '1'
        } else {
            '3'
        };
        assert_eq!(name.chars().nth(1), Some(home), "{name}");
    }
    assert_eq!(men(&start).len(), 32);
}

// 2.0 Movement

#[test]
fn article_2_1_no_piece_takes_its_own_or_goes_where_one_stands() {
    // The knight's squares of Figure 2 held by its own side, two of them by the other.
    let p = at(
        "N1b1 K3h1 k3h8 P1a3 P1c3 P1d2 R2b3 P2d3 p3b2 n3c1",
        "w - - -",
    );
    assert_goes(&p, "1b1", "2d1 3a1 3b2 3c1");
    assert_stays_away(&p, "1b1", "1a3 1c3 1d2 2b3", "Millennium 2.1");
    // Nor may a piece of the other side be moved, or nothing at all.
    assert_stays_away(&p, "3b2", "3b1", "Millennium 2.1");
    assert_stays_away(&p, "1e4", "1e5", "Millennium 2.1");
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
fn article_2_2_knight_figure_2() {
    let p = at("N1b1 K3h1 k1h8", "w - - -");
    assert_goes(&p, "1b1", "1a3 1c3 1d2 2b3 2d1 3a1 3b2 3c1");
    assert_stays_away(&p, "1b1", "1b1", "Millennium 2.1");
    assert_stays_away(
        &p,
        "1b1",
        "2b1 3b1 2b2 2a3 2c3 2d2 3b3 3d1 3c2 3a2",
        "Millennium 2.2",
    );
}

#[test]
fn article_2_2_knights_leap_over_anything() {
    // Everything around the knight is held, by both sides.
    let p = at(
        "N2d4 K1h1 k3h8 P2c3 p2c4 P2c5 p2d3 P2d5 p2e3 P2e4 p2e5 P1d4 p3d4 P1d3 p3d5 P1c4 p3e4",
        "w - - -",
    );
    assert_goes(&p, "2d4", KNIGHT_A5);
}

/// Figure A-5, the knight in the middle of the middle board: eight squares of ordinary chess, four on each other level.
const KNIGHT_A5: &str = "2b3 2b5 2c2 2c6 2e2 2e6 2f3 2f5 1b4 1f4 1d2 1d6 3b4 3f4 3d2 3d6";

#[test]
fn article_2_3_bishop_figure_3() {
    let p = at("B1c1 K3h1 k1h8", "w - - -");
    assert_goes(&p, "1c1", "1a3 1b2 1d2 1e3 1f4 1g5 1h6 2b2 2d2 3a3 3e3");
    assert_stays_away(&p, "1c1", "2a3 2c2 2c3 2d1 3b2 3e1", "Millennium 2.3");
    // Not straight up either.
    let p = at("B1b2 K3h1 k3h8", "w - - -");
    assert_stays_away(&p, "1b2", "2b2 3b2 3b3", "Millennium 2.3");
}

#[test]
fn article_2_3_bishops_take_and_do_not_pass() {
    let p = at("B1c1 K3h1 k1h8 P1e3 p2b2 p1a3", "w - - -");
    // 2b2 is taken and hides 3a3; 1e3 is its own and hides what is behind; nothing on 1d2 hides 2d2 and 3e3.
    assert_goes(&p, "1c1", "1a3 1b2 1d2 2b2 2d2 3e3");
    assert_stays_away(&p, "1c1", "1f4 3a3", "Millennium 2.1");
    let after = play(&p, "Bx2b2");
    assert_eq!(piece(&after, "2b2"), Some('B'));
    assert_eq!(men(&after), set("B2b2 K3h1 k1h8 P1e3 p1a3"));
}

#[test]
fn article_2_4_rook_figure_4() {
    let p = at("R1a1 K3h1 k1h8", "w - - -");
    assert_goes(
        &p,
        "1a1",
        "1a2 1a3 1a4 1a5 1a6 1a7 1a8 1b1 1c1 1d1 1e1 1f1 1g1 1h1 2a1 2a2 2b1 3a1 3a3 3c1",
    );
    assert_stays_away(
        &p,
        "1a1",
        "1b2 2a3 2b2 2c1 3a2 3a4 3b1 3b2 3c3 3d1",
        "Millennium 2.4",
    );
}

#[test]
fn article_2_4_rooks_take_and_do_not_pass() {
    let p = at("R1a1 K3h1 k1h8 P2a1 p2a2 n1b1 N1a3", "w - - -");
    assert_goes(&p, "1a1", "1a2 1b1 2a2 2b1 3c1");
    assert_stays_away(&p, "1a1", "3a1 3a3 1c1 1a4", "Millennium 2.1");
}

#[test]
fn article_2_5_queen_figure_5() {
    let p = at("Q1d1 K2a8 k2h8", "w - - -");
    assert_goes(
        &p,
        "1d1",
        "1a1 1a4 1b1 1b3 1c1 1c2 1d2 1d3 1d4 1d5 1d6 1d7 1d8 1e1 1e2 1f1 1f3 1g1 1g4 1h1 1h5 \
         2c1 2c2 2d1 2d2 2e1 2e2 3b1 3b3 3d1 3d3 3f1 3f3",
    );
    assert_stays_away(
        &p,
        "1d1",
        "1b2 1c3 2b1 2b3 2d3 3c1 3d2 3d4",
        "Millennium 2.5",
    );
}

#[test]
fn article_2_5_queens_take_and_do_not_pass() {
    let p = at("Q1d1 K2a8 k2h8 p2c2 P2e2 n2d1 B2d2 p2c1", "w - - -");
    let found = goes(&p, "1d1");
    for held in ["2c2", "2d1", "2c1"] {
        assert!(found.contains(held), "{held} can be taken");
    }
    assert_stays_away(&p, "1d1", "3b3 3f3 3d1 3d3 3b1 2e2 2d2", "Millennium 2.1");
    assert!(found.contains("3f1"), "nothing stands on 2e1");
}

#[test]
fn article_2_6_king_figure_6() {
    // The list of the text leaves 2e1 out; Figure 6 shows it (rulings, table of steps).
    let p = at("K1e1 k3h8", "w - - -");
    assert_goes(&p, "1e1", "1d1 1d2 1e2 1f1 1f2 2d1 2d2 2e1 2e2 2f1 2f2");
    assert_stays_away(&p, "1e1", "3e1 3d1 3e2 1e3 1g1 1c1 2e3", "Millennium 2.6");
}

#[test]
fn article_2_6_kings_take_and_never_step_into_attack() {
    // The rook holds rank 1 of level 2 and, a level lower for a file nearer, 1c1; the knight is taken.
    let p = at("K1e1 k3h8 r2b1 n1e2", "w - - -");
    assert_goes(&p, "1e1", "1d1 1d2 1e2 1f1 1f2 2d2 2e2 2f2");
    assert_stays_away(&p, "1e1", "2d1 2e1 2f1", "Millennium 2.6");
    // A protected piece is not taken: the bishop's diagonal goes down a level at each square.
    let p = at("K1e1 k3h8 n1e2 b2f3", "w - - -");
    assert_stays_away(&p, "1e1", "1e2", "Millennium 2.6");
    // Kings never come side by side, on whatever level.
    let p = at("K1e1 k3e3", "w - - -");
    assert_goes(&p, "1e1", "1d1 1d2 1e2 1f1 1f2 2d1 2e1 2f1");
    for king in ["k2e2", "k2e1", "k1f2", "k2d2"] {
        let touching = format!("{} w - - -", placement(&format!("K1e1 {king}")));
        assert_eq!(setup_fault(RULES, &touching), SetupError::OpponentInCheck);
    }
}

#[test]
fn article_2_6_pinned_pieces_stay_on_their_line() {
    // A rook above the king, with the king's knight or rook between.
    let p = at("K1e1 k1h8 r3e1 N2e1", "w - - -");
    assert_eq!(goes(&p, "2e1"), set(""));
    assert_stays_away(&p, "2e1", "2c2 1e3 3e3", "Millennium 2.6");
    let p = at("K1e1 k1h8 r3e1 R2e1", "w - - -");
    assert_goes(&p, "2e1", "3e1");
    // Along the slope 3e3, 2e2, 1e1 as well.
    let p = at("K1e1 k1h8 r3e3 P2e2", "w - - -");
    assert_goes(&p, "2e2", "");
    let p = at("K1e1 k1h8 r3e3 R2e2", "w - - -");
    assert_goes(&p, "2e2", "3e3");
}

#[test]
fn article_2_7_pawn_figure_7() {
    let p = at("P1e2 K1a1 k3h8", "w - - -");
    assert_goes(&p, "1e2", "1e3 1e4 2e2 2e3 3e2 3e4");
    assert_stays_away(
        &p,
        "1e2",
        "2e4 3e3 1e5 3e5 2e1 1e1 1d2 1f2",
        "Millennium 2.7",
    );
    // Black's pawns likewise, downward.
    let p = at("p3e7 K1a1 k3h8", "b - - -");
    assert_goes(&p, "3e7", "3e6 3e5 2e7 2e6 1e7 1e5");
}

#[test]
fn article_2_7_two_steps_need_both_squares_empty() {
    let all = "1e3 1e4 2e2 2e3 3e2 3e4";
    for (held, blocked) in [
        ("1e3", "1e3 1e4"),
        ("1e4", "1e4"),
        ("2e2", "2e2 3e2"),
        ("3e2", "3e2"),
        ("2e3", "2e3 3e4"),
        ("3e4", "3e4"),
    ] {
        for letter in ["n", "N"] {
            let p = at(&format!("P1e2 K1a1 k3h8 {letter}{held}"), "w - - -");
            let free: Vec<_> = set(all).difference(&set(blocked)).cloned().collect();
            assert_goes(&p, "1e2", &free.join(" "));
            // A pawn does not take ahead; its own pieces, and what is behind a piece, it does not reach as any piece.
            let takes = if letter == "n" {
                "Millennium 2.7"
            } else {
                "Millennium 2.1"
            };
            assert_stays_away(&p, "1e2", held, takes);
            let behind = blocked.strip_prefix(held).unwrap_or_default();
            assert_stays_away(&p, "1e2", behind, "Millennium 2.1");
        }
    }
}

#[test]
fn article_2_7_pawns_that_have_moved_advance_by_one() {
    // Up, and back again: the start square is not a start square any more (ruling C2).
    let p = at("P1e2 p3a7 K1a1 k3h8", "w - - -");
    let p = play(&p, "2e2 3a6 1e2 3a5");
    assert_eq!(line(&p).split(' ').nth(4), Some("1e2"));
    assert_goes(&p, "1e2", "1e3 2e2 2e3");
    assert_stays_away(&p, "1e2", "1e4 3e2 3e4", "Millennium 2.7");
    // An unmoved pawn of the other side on its own start square keeps its own.
    let p = play(&p, "1e3");
    assert_goes(&p, "3a5", "3a4 2a5 2a4");
    // A pawn that has come to rank 2 of another level never had two steps there.
    let p = at("P2e2 K1a1 k3h8", "w - - -");
    assert_goes(&p, "2e2", "2e3 1e2 3e2 1e3 3e3");
}

#[test]
fn article_2_7_levels_change_both_ways() {
    let p = at("P1e4 p3a6 K1a1 k3h8", "w - - -");
    let p = play(&p, "2e4 3a5 1e4 3a4");
    assert_eq!(piece(&p, "1e4"), Some('P'));
    let p = play(&p, "2e5 3a3 1e6");
    assert_eq!(piece(&p, "1e6"), Some('P'));
}

#[test]
fn article_2_7_pawn_figure_8() {
    let p = at("P2e3 K1a1 k3h8", "w - - -");
    assert_goes(&p, "2e3", "1e3 1e4 2e4 3e3 3e4");
    assert_stays_away(&p, "2e3", "1d2 1d3 2e2 2e5 3f2 3f3", "Millennium 2.7");
    // Only onto empty squares.
    let p = at("P2e3 K1a1 k3h8 n1e3 n1e4 n2e4 n3e3 n3e4", "w - - -");
    assert_goes(&p, "2e3", "");
    assert_stays_away(&p, "2e3", "1e3 1e4 2e4 3e3 3e4", "Millennium 2.7");
}

#[test]
fn article_2_7_pawn_captures_figure_9() {
    let taken = "1d5 1f5 2d5 2f5 3d5 3f5";
    let enemies: String = taken.split(' ').map(|s| format!("n{s} ")).collect();
    let p = at(&format!("P2e4 K1a1 k3h8 {enemies}"), "w - - -");
    assert_goes(&p, "2e4", &format!("{taken} 1e4 1e5 2e5 3e4 3e5"));
    // Nothing there, nothing to take.
    let p = at("P2e4 K1a1 k3h8", "w - - -");
    assert_goes(&p, "2e4", "1e4 1e5 2e5 3e4 3e5");
    assert_stays_away(&p, "2e4", taken, "Millennium 2.7");
    // Backward, sideways, ahead: never.
    let p = at(
        "P2e4 K1a1 k3h8 n2d3 n2f3 n1d3 n3f3 n2d4 n3d4 n1f4 n2e5 n1e5 n3e5 n1e4 n3e4",
        "w - - -",
    );
    assert_goes(&p, "2e4", "");
    assert_stays_away(
        &p,
        "2e4",
        "2d3 2f3 1d3 3f3 2d4 3d4 1f4 2e5 1e5 3e5 1e4 3e4",
        "Millennium 2.7",
    );
    // Black's captures go the other way.
    let p = at("p2e5 k1a8 K3h1 N1d4 N1f4 N2d4 N2f4 N3d4 N3f4", "b - - -");
    assert_goes(&p, "2e5", "1d4 1f4 2d4 2f4 3d4 3f4 1e5 1e4 2e4 3e5 3e4");
    // Two levels away is too far.
    let p = at("P1e4 K1a1 k3h8 n3d5 n3f5", "w - - -");
    assert_stays_away(&p, "1e4", "3d5 3f5", "Millennium 2.7");
}

#[test]
fn appendix_figures_a_1_to_a_5() {
    let up_and_down = |squares: &str| -> String {
        let names = squares.split_whitespace();
        names.map(|s| format!("1{s} 3{s} ")).collect()
    };
    let flat_rook = "2d1 2d2 2d3 2d5 2d6 2d7 2d8 2a4 2b4 2c4 2e4 2f4 2g4 2h4";
    let flat_bishop = "2a1 2b2 2c3 2e5 2f6 2g7 2h8 2a7 2b6 2c5 2e3 2f2 2g1";
    let king = format!(
        "2c3 2c4 2c5 2d3 2d5 2e3 2e4 2e5 {}",
        up_and_down("c3 c4 c5 d3 d4 d5 e3 e4 e5")
    );
    let queen = format!(
        "{flat_rook} {flat_bishop} {}",
        up_and_down("c3 c4 c5 d3 d4 d5 e3 e4 e5")
    );
    let rook = format!("{flat_rook} {}", up_and_down("d4 d3 d5 c4 e4"));
    let bishop = format!("{flat_bishop} {}", up_and_down("c3 c5 e3 e5"));
    for (man, squares, count) in [
        ("Q2d4", queen.as_str(), 45),
        ("R2d4", &rook, 24),
        ("B2d4", &bishop, 21),
        ("N2d4", KNIGHT_A5, 16),
    ] {
        let p = at(&format!("{man} K3h1 k1h8"), "w - - -");
        assert_goes(&p, "2d4", squares);
        assert_eq!(goes(&p, "2d4").len(), count, "{man}");
    }
    let p = at("K2d4 k1h8", "w - - -");
    assert_goes(&p, "2d4", &king);
    assert_eq!(goes(&p, "2d4").len(), 26);
}

// 3.1 Castling

const EMPTY: &str = "8/8/8/8/8/8/8/8";

/// A position from its levels 3 and 1; level 2 is empty.
#[track_caller]
fn home(three: &str, one: &str, fields: &str) -> Position {
    position(RULES, &format!("{three}|{EMPTY}|{one} {fields}"))
}

const WHITE_HOME: &str = "8/8/8/8/8/8/8/R3K2R";
const BLACK_HOME: &str = "r3k2r/8/8/8/8/8/8/8";

#[test]
fn article_3_1_castling_on_both_sides() {
    let p = home(BLACK_HOME, WHITE_HOME, "w KQkq - - 0 10");
    let short = play(&p, "0-0");
    assert_eq!(men(&short), set("K1g1 R1f1 R1a1 k3e8 r3a8 r3h8"));
    let long = play(&p, "0-0-0");
    assert_eq!(men(&long), set("K1c1 R1d1 R1h1 k3e8 r3a8 r3h8"));
    // Black, and White's rights are gone after it.
    let both = play(&short, "0-0-0");
    assert_eq!(men(&both), set("K1g1 R1f1 R1a1 k3c8 r3d8 r3h8"));
    assert!(both.castling().is_empty());
    let both = play(&long, "0-0");
    assert_eq!(men(&both), set("K1c1 R1d1 R1h1 k3g8 r3f8 r3a8"));
    // It is written 0-0 and 0-0-0.
    assert_eq!(written(&p, Move::Castle(CastlingSide::King)), "0-0");
    assert_eq!(written(&p, Move::Castle(CastlingSide::Queen)), "0-0-0");
    // The king's two steps are castling, not a move of the king.
    assert_stays_away(&p, "1e1", "1g1 1c1", "Millennium 2.6");
}

#[test]
fn article_3_1_a_first_move_of_king_and_rook() {
    let p = home(BLACK_HOME, WHITE_HOME, "w KQkq - - 0 10");
    // The king goes and comes back: both are lost, for White alone.
    let king = play(&p, "K2e1 K2e8 K1e1 K3e8");
    assert!(king.castling().is_empty());
    assert_illegal(&king, "0-0", "Millennium 3.1[a]");
    assert_illegal(&king, "0-0-0", "Millennium 3.1[a]");
    // One rook goes and comes back: the other may still castle.
    let rook = play(&p, "R1h2 R3a7 R1h1 R3a8");
    assert_illegal(&rook, "0-0", "Millennium 3.1[a]");
    assert_legal(&rook, "0-0-0");
    let rook = play(&rook, "R2a1");
    assert_illegal(&rook, "0-0-0", "Millennium 3.1[a]");
    assert_legal(&rook, "0-0");
    // A rook taken at home is gone for castling, also when another stands there (ruling C3).
    let p = at("K1e1 R1h1 R1g4 r1h8 k3a8", "b K - -");
    let p = play(&p, "Rx1h1+ K1e2 R1h8 R1g1 R2h8 K1e1 R1h8 R1h1 R2h8");
    assert_eq!(men(&p), set("K1e1 R1h1 r2h8 k3a8"));
    assert_illegal(&p, "0-0", "Millennium 3.1[a]");
}

#[test]
fn article_3_1_b_nothing_between_king_and_rook() {
    for (held, short, long) in [
        ("1f1", false, true),
        ("1g1", false, true),
        ("1d1", true, false),
        ("1c1", true, false),
        ("1b1", true, false),
        // Other levels and ranks do not matter.
        ("2f1", true, true),
        ("2d1", true, true),
        ("1b2", true, true),
    ] {
        let p = at(&format!("K1e1 R1a1 R1h1 k3e8 B{held}"), "w KQ - -");
        for (token, free) in [("0-0", short), ("0-0-0", long)] {
            if free {
                assert_legal(&p, token);
            } else {
                assert_illegal(&p, token, "Millennium 3.1[b]");
            }
        }
    }
    // The other side's piece is in the way as well: a knight on 1b1 attacks 1d2 and 3c1, and no square of the king's.
    let p = at("K1e1 R1a1 R1h1 k3e8 n1b1", "w KQ - -");
    assert_illegal(&p, "0-0-0", "Millennium 3.1[b]");
    assert_legal(&p, "0-0");
}

#[test]
fn article_3_1_c_not_out_of_check() {
    // By a rook on the file, straight above, on the slope; a knight two levels up; a bishop; a queen across.
    for attacker in ["r1e8", "r3e1", "r3e3", "n3f1", "n2e3", "b3g3", "q1h4"] {
        let p = at(&format!("K1e1 R1a1 R1h1 k3a8 {attacker}"), "w KQ - -");
        assert!(p.is_check(), "{attacker}");
        for token in ["0-0", "0-0-0"] {
            assert_illegal(&p, token, "Millennium 3.1[c], [d]");
        }
    }
}

#[test]
fn article_3_1_d_not_into_or_through_attack() {
    for (attacker, short, long) in [
        ("r1f8", false, true),
        ("r1g8", false, true),
        ("r1d8", true, false),
        ("r1c8", true, false),
        // From the levels above: straight down, down the slope of a rank, down a diagonal, a knight's leap.
        ("b3h3", false, true),
        ("n3g2", false, true),
        ("n3c2", true, false),
        ("b3e3", false, false),
        // What attacks rook or knight's square only does not matter.
        ("r1b8", true, true),
        ("r1a8", true, true),
        ("r1h8", true, true),
    ] {
        let p = at(&format!("K1e1 R1a1 R1h1 k3a8 {attacker}"), "w KQ - -");
        assert!(!p.is_check(), "{attacker}");
        for (token, free) in [("0-0", short), ("0-0-0", long)] {
            if free {
                assert_legal(&p, token);
            } else {
                assert_illegal(&p, token, "Millennium 3.1[c], [d]");
            }
        }
    }
}

#[test]
fn article_3_1_not_on_another_level() {
    // King and rook that stand on level 2 above their homes have no castling, and cannot be said to.
    let line = format!("4k3/8/8/8/8/8/8/8|8/8/8/8/8/8/8/R3K2R|{EMPTY} w KQ - - 0 10");
    assert_eq!(
        setup_fault(RULES, &line),
        SetupError::Castling(Color::White, CastlingSide::King)
    );
}

// 3.2 En passant

#[test]
fn article_3_2_black_takes_a_pawn_that_advanced_two() {
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    assert_eq!(passing(&p), set("1f4x1e3"));
    let after = play(&p, "fx1e3");
    assert_eq!(men(&after), set("p1e3 K1a1 k3h8"));
    // It is a capture, and sets the count back.
    assert!(p.is_capture(read(&p, "fx1e3")));
    assert_eq!(after.halfmoves(), 0);
}

#[test]
fn article_3_2_which_pawns_can_take() {
    // 1e2-1e4: the pawns on levels 1 and 2; those on level 3 are two levels from 1e3.
    let pawns = "p1d4 p1f4 p2d4 p2f4 p3d4 p3f4";
    let p = at(&format!("P1e2 {pawns} K1a1 k3h8"), "w - - -");
    let flat = play(&p, "1e4");
    assert_eq!(passing(&flat), set("1d4x1e3 1f4x1e3 2d4x1e3 2f4x1e3"));
    for from in ["3d4", "3f4"] {
        let m = Move::EnPassant {
            from: square(&flat, from),
            to: square(&flat, "1e3"),
            promotion: None,
        };
        let explanation = flat.explain(m).expect("not legal");
        assert_eq!(explanation.article, "Millennium 3.2");
        assert!(matches!(explanation.fault, Fault::PassesNot { .. }));
    }
    // 1e2-3e4: all six, and they land on 2e3.
    let slope = play(&p, "3e4");
    assert_eq!(
        passing(&slope),
        set("1d4x2e3 1f4x2e3 2d4x2e3 2f4x2e3 3d4x2e3 3f4x2e3")
    );
    let after = play(&slope, "1d4x2e3");
    assert_eq!(piece(&after, "2e3"), Some('p'));
    assert_eq!(piece(&after, "3e4"), None);
    // Neither 1e3 nor 3e3 was crossed.
    assert_illegal(&slope, "1d4x1e3", "Millennium 2.7");
    assert_illegal(&slope, "3d4x3e3", "Millennium 2.7");
}

#[test]
fn article_3_2_black_pawns_are_taken_alike() {
    let pawns = "P1c5 P1e5 P2c5 P2e5 P3c5 P3e5";
    let p = at(&format!("p3d7 {pawns} K1a1 k1h8"), "b - - -");
    assert_eq!(
        passing(&play(&p, "3d5")),
        set("3c5x3d6 3e5x3d6 2c5x3d6 2e5x3d6")
    );
    assert_eq!(
        passing(&play(&p, "1d5")),
        set("1c5x2d6 1e5x2d6 2c5x2d6 2e5x2d6 3c5x2d6 3e5x2d6")
    );
}

#[test]
fn article_3_2_only_from_the_fifth_rank_and_on_the_next_file() {
    let p = at("P1e2 p1d3 p1f5 p1c4 p1g4 p2e4 p1h3 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    assert_eq!(passing(&p), set(""));
    assert_eq!(p.en_passant(), Some(place("1e4")));
}

#[test]
fn article_3_2_only_at_once() {
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4 K2h8 K2a1");
    assert_eq!(passing(&p), set(""));
    assert_illegal(&p, "fx1e3", "Millennium 2.7");
    assert_eq!(p.en_passant(), None);
}

#[test]
fn article_3_2_only_after_two_squares_at_once() {
    // One square, twice; and a step up, then one forward.
    let p = at("P1e2 p1f4 p2f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e3 K2h8 1e4");
    assert_eq!(passing(&p), set(""));
    let p = at("P1e3 p1f4 p2f4 K1a1 k3h8", "w - - -");
    assert_eq!(passing(&play(&p, "2e4")), set(""));
}

#[test]
fn article_3_2_none_on_the_sixth_rank_after_two_levels() {
    // Ruling Q2: the double step straight up is not answered in passing.
    let p = at("P1e2 p2f3 p1f3 p3f3 p2d3 K1a1 k3h8", "w - - -");
    let p = play(&p, "3e2");
    assert_eq!((passing(&p), p.en_passant()), (set(""), None));
    assert_illegal(&p, "2f3x2e2", "Millennium 2.7");
    // By an ordinary capture it is: 2f3 takes on 3e2.
    let after = play(&p, "2f3x3e2");
    assert_eq!(piece(&after, "3e2"), Some('p'));
    assert_eq!(piece(&after, "2f3"), None);
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
            Fault::NotAPawn { .. }
        ));
    }
    // The bishop goes to 1e3, and the pawn stays.
    let after = play(&p, "B1e3");
    assert_eq!(piece(&after, "1e4"), Some('P'));
}

#[test]
fn article_3_2_not_if_it_exposes_the_king() {
    // Both pawns leave the fifth rank, and the rook looks along it.
    let p = at("K3a5 P3e5 p3d5 r3h5 k1a8", "w - 3d5 -");
    assert_eq!(passing(&p), set(""));
    assert_illegal(&p, "ex3d6", "Millennium 2.6");
    // A pawn of another level may, for its own leaves the line shut.
    let p = at("K3a5 P2e5 P3e5 p3d5 r3h5 k1a8", "w - 3d5 -");
    assert_eq!(passing(&p), set("2e5x3d6"));
    // And it answers a check that the double step gave.
    let p = at("K3c4 P3e5 p3d5 k1a8", "w - 3d5 -");
    assert!(p.is_check());
    assert_eq!(passing(&p), set("3e5x3d6"));
}

// 3.3 Promotion

#[test]
fn article_3_3_promotion_on_the_kings_rank_and_level() {
    for file in 'a'..='h' {
        let (from, to) = (format!("3{file}7"), format!("3{file}8"));
        let p = at(&format!("P{from} K1d1 k1d4"), "w - - -");
        assert_eq!(promotions(&p, &from, &to), "QRBN", "{to}");
        let (from, to) = (format!("1{file}2"), format!("1{file}1"));
        let p = at(&format!("p{from} K3d4 k3d8"), "b - - -");
        assert_eq!(promotions(&p, &from, &to), "QRBN", "{to}");
    }
    let p = at("P3b7 K1d1 k1d4", "w - - -");
    for (token, letter) in [
        ("3b8=Q", 'Q'),
        ("3b8=R", 'R'),
        ("3b8=B", 'B'),
        ("3b8=N", 'N'),
    ] {
        let after = play(&p, token);
        assert_eq!(piece(&after, "3b8"), Some(letter));
        assert_eq!(after.halfmoves(), 0);
    }
}

#[test]
fn article_3_3_to_no_king_and_never_a_pawn_still() {
    let p = at("P3b7 K1d1 k1d4", "w - - -");
    for promotion in [None, Some(Role::King), Some(Role::Pawn)] {
        let m = Move::Piece {
            from: place("3b7"),
            to: place("3b8"),
            promotion,
        };
        assert!(!p.is_legal(m), "{promotion:?}");
        assert_eq!(p.explain(m).unwrap().article, "Millennium 3.3");
    }
    // Nor does a piece become another, or a pawn elsewhere.
    let p = at("R3b7 P2c6 K1d1 k1d4", "w - - -");
    for (from, to) in [("3b7", "3b8"), ("2c6", "2c7")] {
        let m = Move::Piece {
            from: place(from),
            to: place(to),
            promotion: Some(Role::Queen),
        };
        assert_eq!(p.explain(m).unwrap().article, "Millennium 3.3");
    }
}

#[test]
fn article_3_3_not_on_the_other_levels() {
    for (level, file) in [(1, 'a'), (1, 'h'), (2, 'd'), (2, 'e')] {
        let (from, to) = (format!("{level}{file}7"), format!("{level}{file}8"));
        let p = at(&format!("P{from} K1c1 k1c3"), "w - - -");
        assert_eq!(promotions(&p, &from, &to), "-", "{to}");
    }
    for (level, file) in [(3, 'a'), (3, 'h'), (2, 'd'), (2, 'e')] {
        let (from, to) = (format!("{level}{file}2"), format!("{level}{file}1"));
        let p = at(&format!("p{from} K3c6 k3c8"), "b - - -");
        assert_eq!(promotions(&p, &from, &to), "-", "{to}");
    }
    // Such a pawn goes up or down, a level at a time, and is promoted where it arrives on level 3 or 1.
    let p = at("P1e8 K1c1 k1c3", "w - - -");
    assert_eq!(promotions(&p, "1e8", "2e8"), "-");
    assert_goes(&p, "1e8", "2e8");
    let p = at("P2e8 K1c1 k1c3", "w - - -");
    assert_eq!(promotions(&p, "2e8", "3e8"), "QRBN");
    assert_eq!(promotions(&p, "2e8", "1e8"), "-");
    assert_goes(&p, "2e8", "1e8 3e8");
    // By a slope and by a capture too.
    let p = at("P2e7 n3d8 n2f8 K1c1 k1c3", "w - - -");
    assert_eq!(promotions(&p, "2e7", "3e8"), "QRBN");
    assert_eq!(promotions(&p, "2e7", "3d8"), "QRBN");
    assert_eq!(promotions(&p, "2e7", "2e8"), "-");
    assert_eq!(promotions(&p, "2e7", "2f8"), "-");
}

#[test]
fn article_3_3_no_pawn_stands_on_its_last_rank_and_level() {
    for (man, name) in [("P3a8", "3a8"), ("p1h1", "1h1")] {
        let with = |man: &str| {
            let knight = format!("N{}", &man[1..]);
            line(&at(&format!("{knight} K1c3 k3c6"), "w - - -")).replace('N', &man[..1])
        };
        assert_eq!(
            setup_fault(RULES, &with(man)),
            SetupError::PawnOnLastRank(place(name))
        );
    }
    // Elsewhere on the first and last rank they do.
    let p = at("P1a8 P2h8 P1b1 p3a1 p2h1 p3b8 K1c3 k3c6", "w - - -");
    assert_goes(&p, "1b1", "1b2 2b1 2b2");
}

#[test]
fn article_3_3_the_new_piece_checks_mates_and_stalemates_at_once() {
    let p = at("P3b7 K1a1 k3e8", "w - - -");
    assert!(play(&p, "3b8=Q").is_check());
    assert!(play(&p, "3b8=R").is_check());
    assert!(!play(&p, "3b8=B").is_check());
    assert!(!play(&p, "3b8=N").is_check());
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

// 4.0 Special rules

#[test]
fn article_4_1_check_must_be_answered() {
    // A rook checks down the slope 3e3, 2e2, 1e1: take it, step between, or leave.
    let p = at("K1e1 k1h8 r3e3 N3c2 R2a2 P1a2", "w - - -");
    assert!(p.is_check());
    assert_legal(&p, "Nx3e3 R2e2 K1d1 K2d1");
    assert_stays_away(&p, "1a2", "1a3 2a3", "Millennium 2.6");
    assert_stays_away(&p, "1e1", "2e2", "Millennium 2.6");
    let all = legal(&p);
    for quiet in ["1a3", "1a4", "R2a3", "N3a3"] {
        assert!(
            !all.contains(&quiet.to_owned()),
            "{quiet} leaves the king in check"
        );
    }
}

#[test]
fn article_4_1_discovered_and_double_check() {
    // The knight leaves the file of rook and king; on 3d6 it gives check itself.
    let p = at("R3e1 N3e4 K1a1 k3e8 r3h6 b1c8", "w - - -");
    let discovered = play(&p, "N3g5");
    assert!(discovered.is_check());
    assert_legal(&discovered, "R3e6 K3d8");
    let double = play(&p, "N3d6");
    assert!(double.is_check());
    // The rook takes the knight or steps between, and the other check stays.
    assert_illegal(&double, "Rx3d6", "Millennium 2.6");
    assert_illegal(&double, "R3e6", "Millennium 2.6");
    assert!(
        double
            .legal_moves()
            .iter()
            .all(|m| matches!(m, Move::Piece { from, .. } if *from == place("3e8")))
    );
}

#[test]
fn article_4_2_checkmate() {
    let mate = at("k3h8 Q2g7 K1f6", "b - - -");
    assert!(mate.is_check() && mate.is_checkmate());
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    assert_eq!(legal(&mate), [""; 0]);
    // Not mate where the king takes the queen, a rook takes her, or a rook steps between.
    let unprotected = at("k3h8 Q2g7 K1f4", "b - - -");
    assert_eq!(legal(&unprotected), ["Kx2g7"]);
    let taken = at("k3h8 Q2g7 K1f6 r2a7", "b - - -");
    assert_eq!(legal(&taken), ["Rx2g7"]);
    assert_eq!((taken.is_checkmate(), taken.outcome()), (false, None));
    // The mark of mate is written.
    let before = at("k3h8 Q2g1 K1f6", "w - - -");
    let m = read(&before, "Q2g7");
    assert_eq!(written_as(&before, m, &WriteOptions::default()), "Q2g7#");
}

#[test]
fn article_4_3_stalemate() {
    // A pawn more than king and rook, so that material does not end it.
    let p = at("k3h8 R2g7 K1g7 P1a2", "b - - -");
    assert!(!p.is_check() && !p.has_legal_move());
    assert_eq!(p.outcome(), Some(Outcome::Stalemate));
    // With a move left it is none.
    let p = at("k3h8 R2g7 K1g7 P1a2 p3a5", "b - - -");
    assert_eq!(p.outcome(), None);
}

#[test]
fn article_4_5_the_count_of_fifty_moves() {
    assert_eq!(RULES.claim_after(), Some(100));
    let p = at(
        "P1e2 P2c8 P2a3 n2b4 N1g1 p3a7 p1h7 K1e1 R1h1 k3h8",
        "w K - - 30 40",
    );
    assert_eq!(p.halfmoves(), 30);
    // A pawn that only changes level has not advanced, whether by one level or by two (ruling Q5).
    for (tokens, count) in [
        ("2e2", 31),
        ("3e2", 31),
        ("2e2 2a7", 32),
        ("1e3", 0),
        ("2e3", 0),
        ("1e4", 0),
        ("3e4", 0),
        ("N1f3", 31),
        ("K1d1", 31),
        ("3c8=Q", 0),
        ("1c8", 31),
        ("ax2b4", 0),
        ("N1f3 N2a6", 32),
        ("N1f3 1h6", 0),
    ] {
        assert_eq!(play(&p, tokens).halfmoves(), count, "{tokens}");
    }
    // Castling counts on.
    let p = at("K1e1 R1h1 P1a2 k3h8", "w K - - 99 80");
    let p = play(&p, "0-0");
    assert_eq!((p.halfmoves(), p.outcome()), (100, None));
}

#[test]
fn article_4_6_repetition_compares_privileges() {
    // The key is what is compared (ruling C7). Rooks go and come back, and rights are lost the first time only.
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
fn article_4_7_insufficient_material() {
    for men in [
        "K1a1 k3h8",
        "K1a1 k3h8 N2d4",
        "K1a1 k3h8 n2d4",
        "K1a1 k3h8 B2d4",
        "K1a1 k3h8 b2e4",
        // Ruling Q6: the rook cannot mate either, as the next test shows.
        "K1a1 k3h8 R2d4",
        "K1a1 k3h8 r2c4",
    ] {
        for fields in ["w - - -", "b - - -"] {
            let p = at(men, fields);
            assert!(p.is_dead(), "{men}");
            assert_eq!(p.outcome(), Some(Outcome::Material), "{men}");
            assert!(
                p.has_legal_move(),
                "moves are listed all the same (ruling C5)"
            );
        }
    }
    for men in [
        "K1a1 k3h8 P2d4",
        "K1a1 k3h8 Q2d4",
        "K1a1 k3h8 N2d4 N2d5",
        "K1a1 k3h8 N2d4 n2d5",
        "K1a1 k3h8 B2d4 b2d6",
        "K1a1 k3h8 R2d4 r2e5",
        "K1a1 k3h8 R2d4 N2d5",
        "K1a1 k3h8 R2d4 P1a2",
    ] {
        let p = at(men, "w - - -");
        assert!(!p.is_dead(), "{men}");
        assert_eq!(p.outcome(), None, "{men}");
    }
}

/// Ruling Q6: 4.7 asks whether mate can be given. Every position of king and one piece against king is looked at.
#[test]
fn article_4_7_no_mate_with_king_and_rook_knight_or_bishop() {
    // 20 squares of Black's king by 191 by 190, less those in which the kings touch.
    for role in [Role::Rook, Role::Bishop, Role::Knight] {
        let (mates, seen) = mates(RULES, role);
        assert_eq!(mates, 0, "{role:?}");
        assert!(seen > 600_000, "{role:?}: only {seen} positions");
    }
    // The search can find mates: a queen gives them.
    assert!(self::mates(RULES, Role::Queen).0 > 0);
}

/// The search for mates looks at one of sixteen images of a position; here is that they are alike.
#[test]
fn images_of_a_position_are_alike() {
    let mut checks = 0;
    for n in (0..192_u32 * 192 * 192).step_by(1_009) {
        let pick = |n: u32| Square::new((n % 192) as u8);
        let squares = [pick(n), pick(n / 192), pick(n / 192 / 192)];
        for role in [Role::Rook, Role::Queen] {
            let seen = |i: usize| {
                let [lone, king, piece] = squares.map(|square| images(square)[i]);
                if lone == king || king == piece || lone == piece {
                    return None;
                }
                let position = Position::from_setup(RULES, &three(lone, king, piece, role)).ok()?;
                Some((position.is_check(), position.legal_moves().len()))
            };
            let first = seen(0);
            checks += u32::from(first.is_some_and(|(check, _)| check));
            for i in 1..16 {
                assert_eq!(seen(i), first, "{squares:?} {role:?} image {i}");
            }
        }
    }
    assert!(checks > 500);
}

#[test]
fn article_4_8_white_begins_and_turns_alternate() {
    let start = Position::start(RULES);
    assert_eq!((start.turn(), start.fullmoves()), (Color::White, 1));
    let p = play(&start, "1e4");
    assert_eq!((p.turn(), p.fullmoves()), (Color::Black, 1));
    let p = play(&p, "3e5");
    assert_eq!((p.turn(), p.fullmoves()), (Color::White, 2));
    // No pass, and no two moves in a row: Black's pieces may not go now.
    assert_stays_away(&p, "3e5", "3e4", "Millennium 2.1");
    assert_stays_away(&p, "1e4", "1e4", "Millennium 2.1");
    // There are no boards to move.
    assert!(
        p.legal_moves()
            .iter()
            .all(|m| !matches!(m, Move::Board { .. }))
    );
}

#[test]
fn perft_from_the_start() {
    let start = Position::start(RULES);
    assert_eq!([start.perft(1), start.perft(2)], [100, 9_992]);
    assert_eq!(start.perft(3), 1_061_917);
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
    // Its 13... K2e8 from 3e8 shows that a king steps straight down (rulings, table of steps).
    let p = at("K1e1 k3e8", "b - - -");
    assert!(goes(&p, "3e8").contains("2e8"));
    assert_eq!(
        spell::square(Notation::Millennium, None, place("2e8")),
        "2e8"
    );
}

//! Millennium 3D Chess (seed 002), Sections 1 and 2 article by article: every square its examples name, and every square they
//! rule out. What comes after them is in `millennium_special`.

use crate::cube_support::{assert_stays_away, board, place, placement};
use crate::support::{assert_goes, goes, line, men, piece, play, set, setup_fault, square};
use tridex_geometry::{Shade, Square, cube};
use tridex_notation::{Notation, parse};
use tridex_rules::{Color, Position, RuleSystem, SetupError};

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

//! Meder's Tournament Rules (seed 000), articles 1, 2 and 3.1 to 3.4, sentence by sentence. Articles 3.5, 3.6, 5 and 9
//! are in `meder_kings.rs`, Appendix E in `meder_notation.rs`. Article 4 and articles 6 to 8 and 10 to 13 speak of hands,
//! clocks and arbiters and say nothing that a position or a record could break, except where a test names them.

use crate::support::*;
use tridex_geometry::Shade;
use tridex_geometry::stair::{AttackBoard, Column, Layout, MainBoard, Surface, shade};
use tridex_rules::RuleSystem::Meder;
use tridex_rules::{Color, Move, Outcome, Position, Role, SetupError};

fn at(line: &str) -> Position {
    position(Meder, line)
}

fn start() -> Position {
    Position::start(Meder)
}

// Article 1: nature and objectives

#[test]
fn article_1_1_white_commences_and_the_players_alternate_with_pieces_or_boards() {
    let p = start();
    assert_eq!(p.turn(), Color::White);
    expect_reason(&p, "b7B-b6B", "");
    let p = play(&p, "b4N");
    assert_eq!(p.turn(), Color::Black);
    expect_reason(&p, "c2W-c3W", "");
    // A move of an attack board is a whole move too.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let p = play(&p, "QL3");
    assert_eq!(p.turn(), Color::Black);
    assert_eq!(play(&p, "KL4").turn(), Color::White);
}

#[test]
fn article_1_1_nobody_moves_the_other_sides_pieces() {
    let p =
        at("2k1/4/4/4|1r2/4/4/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let black = square(&p, "b6N");
    let to = square(&p, "b5N");
    let m = Move::Piece {
        from: black,
        to,
        promotion: None,
    };
    assert!(!p.is_legal(m));
    assert_eq!(p.explain(m).map(|e| e.article), Some("Meder 1.1"));
    assert!(passed(&p).is_legal(m));
}

#[test]
fn article_1_2_and_5_1_a_mate_wins_at_once() {
    // The pawn on e8 keeps the board with the king on it from moving (3.6).
    let mate =
        at("3Q/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p b - - - 0 10");
    assert!(mate.is_check() && mate.is_checkmate());
    assert_eq!(legal(&mate), [""; 0]);
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    // Without it the board carries the king out of check.
    let saved =
        at("3Q/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert!(saved.is_check() && !saved.is_checkmate());
    assert_eq!(legal(&saved), ["KL5"]);
    assert_eq!(saved.outcome(), None);
    // Black alike.
    let mate =
        at("2kr/4/4/4|4/4/4/4|4/4/4/3q|QL@Q1:2/2|KL@K1:1P/1K|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::Black
        })
    );
}

#[test]
fn article_1_3_and_9_6_bare_kings_are_a_dead_position_and_nothing_else_is_declared_dead() {
    assert_eq!(
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10")
            .outcome(),
        Some(Outcome::Material)
    );
    // Ruling M11: only bare kings. Rules C6 on draws and legal moves: moves are still listed.
    assert!(
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10")
            .has_legal_move()
    );
    for men in [
        "2k1/4/4/4|4/4/4/4|4/1B2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/1N2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/1n2/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10",
        "2k1/4/4/4|1b2/4/4/4|4/1B2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/1P2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    ] {
        assert_eq!(at(men).outcome(), None, "{men}");
    }
    // Taking the last piece gets there.
    let p = play(
        &at("4/4/4/4|4/4/1n2/4|4/1K2/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10"),
        "Kxb4N",
    );
    assert_eq!(p.outcome(), Some(Outcome::Material));
}

// Article 2: the board and the initial position

#[test]
fn article_2_1_to_2_3_three_main_boards_of_sixteen_and_four_attack_boards_of_four_squares() {
    assert_eq!(MainBoard::ALL.len(), 3);
    assert_eq!(AttackBoard::ALL.len(), 4);
    for board in MainBoard::ALL {
        assert_eq!(board.squares().count(), 16);
    }
    for board in AttackBoard::ALL {
        assert_eq!(board.squares().count(), 4);
    }
    // 2.2: on a main board light and dark alternate.
    let layout = Layout::start(Surface::Over);
    for board in MainBoard::ALL {
        let dark = board
            .squares()
            .into_iter()
            .filter(|s| shade(layout.column(*s)) == Shade::Dark);
        assert_eq!(dark.count(), 8);
    }
}

#[test]
fn article_2_4_the_main_boards_form_one_board_of_four_files_and_eight_ranks() {
    let layout = Layout::start(Surface::Over);
    for rank in 1..=8 {
        for file in 1..=4 {
            let stack = layout.stack(Column::new(file, rank));
            let main = stack.into_iter().filter(|s| s.index() < 48).count();
            // Ranks 3 to 6 lie on two boards.
            assert_eq!(
                main,
                if (3..=6).contains(&rank) { 2 } else { 1 },
                "{file} {rank}"
            );
        }
    }
    let p = start();
    for name in ["a1W", "d4W", "a3N", "d6N", "a5B", "d8B"] {
        assert!(square(&p, name).index() < 48, "{name}");
    }
}

#[test]
fn article_2_5_the_attack_boards_start_on_the_rear_pins() {
    assert!(line(&start()).contains("|QL@Q1:"));
    assert!(line(&start()).contains("|KL@K1:"));
    assert!(line(&start()).contains("|ql@Q6:"));
    assert!(line(&start()).contains("|kl@K6:"));
    // These rules know no pins below the boards.
    assert!(matches!(
        setup_fault(
            Meder,
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10"
        ),
        SetupError::PinNotUsed(_)
    ));
}

#[test]
fn article_2_6_sixteen_pieces_and_two_boards_a_side() {
    let p = start();
    for color in Color::ALL {
        let counts = [
            (Role::King, 1),
            (Role::Queen, 1),
            (Role::Rook, 2),
            (Role::Bishop, 2),
            (Role::Knight, 2),
            (Role::Pawn, 8),
        ];
        for (role, count) in counts {
            assert_eq!(p.pieces(color, role).count(), count, "{role:?}");
        }
    }
    assert_eq!(
        AttackBoard::ALL
            .iter()
            .filter(|board| board.is_white())
            .count(),
        2
    );
}

#[test]
fn article_2_7_the_initial_position() {
    // The picture is lost; 3.5, E9, the abbreviations of Appendix E and the sample game fix it.
    let white = "Rz0QL1 Qa0QL1 Pz1QL1 Pa1QL1 Kd0KL1 Re0KL1 Pd1KL1 Pe1KL1 \
                 Na1W Bb1W Bc1W Nd1W Pa2W Pb2W Pc2W Pd2W";
    let black = "rz9QL6 qa9QL6 pz8QL6 pa8QL6 kd9KL6 re9KL6 pd8KL6 pe8KL6 \
                 na8B bb8B bc8B nd8B pa7B pb7B pc7B pd7B";
    assert_eq!(men(&start()), set(&format!("{white} {black}")));
    assert_eq!(start().legal_moves().len(), 20);
}

#[test]
fn article_2_8_files_ranks_diagonals_and_squares_that_do_not_exist() {
    let p = start();
    let layout = p.layout().expect("a stair board");
    let gaps: Vec<(u8, u8)> = (0..10)
        .flat_map(|rank| (0..6).map(move |file| (file, rank)))
        .filter(|(file, rank)| !layout.existing().contains(Column::new(*file, *rank)))
        .collect();
    // b0 c0 b9 c9 for ever; z2 to z7 and e2 to e7 as long as no board is there.
    let mut wanted = vec![(2, 0), (3, 0), (2, 9), (3, 9)];
    wanted.extend((2..=7).flat_map(|rank| [(0, rank), (5, rank)]));
    wanted.sort_by_key(|(file, rank)| (*rank, *file));
    assert_eq!(gaps, wanted);
    // A square that exists only for a time.
    let p =
        at("2k1/4/4/4|4/4/4/4|1N2/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    expect_reason(&p, "Nz3QL3", "");
    let p = play(&p, "QL3 Kd8B");
    assert_legal(&p, "Nz3QL3");
    // A diagonal keeps its colour.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1B2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let layout = p.layout().expect("a stair board");
    for name in goes(&p, "b3W") {
        let column = layout.column(square(&p, &name));
        assert_eq!(shade(column), shade(Column::new(2, 3)), "{name}");
    }
}

// Article 3.1: what holds for all moves

#[test]
fn article_3_1_a_a_piece_may_land_on_any_level() {
    let p = at("4/4/4/4|4/4/4/4|4/1R2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(
        &p,
        "b3W",
        "a3N a3W b1W b2W b4N b4W b5B b5N b6B b6N b7B b8B c3N c3W d3N d3W",
    );
}

#[test]
fn article_3_1_a_two_pieces_may_share_a_square_on_different_levels() {
    // Of either colour; so may three where an attack board hangs over it.
    let p = at("4/4/4/4|4/4/p3/4|PR2/4/4/4|QL@Q2:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(
        &p,
        "b4W",
        "a4N a4QL2 b1W b2W b3N b3W b5B b5N b6B b6N b7B b8B c4N c4W d4N d4W",
    );
    let p = play(&p, "Ra4QL2");
    assert_eq!(piece(&p, "a4W"), Some('P'));
    assert_eq!(piece(&p, "a4N"), Some('p'));
    assert_eq!(piece(&p, "a4QL2"), Some('R'));
}

#[test]
fn article_3_1_b_no_landing_on_an_own_piece_and_capture_removes_the_enemy() {
    let p =
        at("4/4/4/4|4/4/2p1/4|2P1/4/3N/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_illegal(&p, "Nd2W-c4W", "Meder 3.1(b)");
    assert_legal(&p, "Nxc4N");
    let after = play(&p, "Nxc4N");
    assert_eq!(men(&after), set("Kd0KL1 kd9KL6 Pc4W Nc4N"));
    assert_eq!(after.halfmoves(), 0);
}

#[test]
fn article_3_1_b_a_pinned_piece_still_attacks() {
    // The black rook on d6N cannot leave its file, and still keeps the king off rank 6.
    let p = at("3k/4/4/4|3r/1K2/4/4|4/3R/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Kb6N", "Meder 3.5(b)");
    assert_illegal(&p, "Kb6B", "Meder 3.5(b)");
    assert_legal(&p, "Kb4N");
    assert_illegal(&passed(&p), "Rc6N", "Meder 3.5(b)");
}

#[test]
fn article_3_1_c_a_piece_blocks_its_square_on_all_levels() {
    // The enemy pawn on b5N may be taken, or landed above, not passed.
    let p =
        at("4/4/4/4|4/1p2/4/4|4/1R2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "a3N a3W b1W b2W b4N b4W b5B b5N c3N c3W d3N d3W");
    assert_illegal(&p, "Rb6B", "Meder 3.1(c)");
    assert_illegal(&p, "Rb7B", "Meder 3.1(c)");
    // An own one alike, except that it is not taken.
    let p =
        at("4/4/4/4|4/1P2/4/4|4/1R2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "a3N a3W b1W b2W b4N b4W b5B c3N c3W d3N d3W");
    assert_illegal(&p, "Rb5N", "Meder 3.1(b)");
    // The move goes on from there in the next turn.
    let p = play(&p, "Rb5B Kd8B");
    assert_legal(&p, "Rb6N Rb8B Rb4W Rb1W");
}

#[test]
fn article_3_1_c_a_piece_in_the_squares_own_column_does_not_block_the_first_step() {
    let p =
        at("4/4/4/4|4/4/4/1p2|4/1R2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(
        &p,
        "b3W",
        "a3N a3W b1W b2W b4N b4W b5B b5N b6B b6N b7B b8B c3N c3W d3N d3W",
    );
}

#[test]
fn article_3_1_d_no_move_to_the_same_square_on_another_level() {
    let p =
        at("4/4/4/4|4/3Q/N3/4|2K1/1R1B/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 w - - - 0 10");
    for token in ["Rb3N", "Na4N-a4W", "Bd3N", "Qd5B", "Kc4N"] {
        assert_illegal(&p, token, "Meder 3.1(d)");
    }
    let p =
        at("4/4/4/4|4/4/4/1p2|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_illegal(&p, "b3W-b3N", "Meder 3.1(d)");
    // Nor is anything attacked straight up or down: these kings share a square.
    let p = at("4/4/4/4|4/4/1k2/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(!p.is_check());
    assert_goes(&p, "b4W", "");
    assert!(
        !at("4/4/4/4|4/4/1r2/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10")
            .is_check()
    );
}

#[test]
fn article_3_1_e_gaps_are_passed_and_never_landed_on() {
    // File z from rank 1 to rank 8, rank 0 over b0 and c0 (ruling M1).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1:R1/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "z1QL1",
        "z0QL1 z8QL6 z9QL6 a1W a1QL1 b1W c1W d1W d1KL1 e1KL1",
    );
    assert_goes(
        &p,
        "a0QL1",
        "z0QL1 d0KL1 e0KL1 a1W a1QL1 a2W a3W a3N a4W a4N a5N a5B a6N a6B a7B a8B a8QL6 a9QL6",
    );
    for token in ["Rz3QL3", "Rz4QL2", "Rz4QL5", "Rz7QL4"] {
        expect_reason(&p, token, "");
    }
    // From the questions answered on Meder's site (rulings, M4): a rook takes across the gaps, not under a pawn.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/1p w - - - 0 10");
    assert_legal(&p, "Rxe8KL6");
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@K3:1P/2|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/1p w - - - 0 10");
    assert_illegal(&p, "Rxe8KL6", "Meder 3.1(c)");
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@K3:2/2|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/1p w - - - 0 10");
    assert_legal(&p, "Rxe8KL6 Re2KL3 Re3KL3");
}

// Article 3.2: queen, rook, bishop

#[test]
fn article_3_2_a_queen() {
    let p = at("4/4/4/4|4/4/4/4|4/1Q2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(
        &p,
        "b3W",
        "a3N a3W b1W b2W b4N b4W b5B b5N b6B b6N b7B b8B c3N c3W d3N d3W \
         a2W z1QL1 c4W c4N d5N d5B a4W a4N c2W d1W d1KL1 e0KL1",
    );
    assert_illegal(&p, "Qc5N", "Meder 3.2(a)");
    assert_illegal(&p, "Qd7B", "Meder 3.2(a)");
}

#[test]
fn article_3_2_b_rook() {
    let p = at("4/4/4/4|3R/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "d6N",
        "a6N a6B b6N b6B c6N c6B d5N d5B d4W d4N d3W d3N d2W d1W d1KL1 d7B d8B d8KL6 d9KL6",
    );
    assert_illegal(&p, "Rc5N", "Meder 3.2(b)");
}

#[test]
fn article_3_2_c_bishop() {
    let p = at("4/4/4/4|4/4/4/4|4/1B2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(
        &p,
        "b3W",
        "a2W z1QL1 c4W c4N d5N d5B a4W a4N c2W d1W d1KL1 e0KL1",
    );
    assert_illegal(&p, "Bb4N", "Meder 3.2(c)");
    assert_illegal(&p, "Bb4W", "Meder 3.2(c)");
}

#[test]
fn article_3_2_none_of_them_moves_over_a_piece() {
    // On every line the first piece, on whatever level, is the last square.
    let p = at(
        "4/4/1p2/3p|4/4/P3/3p|4/1Q2/P1p1/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/1k w - - - 0 10",
    );
    assert_goes(
        &p,
        "b3W",
        "b1W b2W b4N b4W b5B b5N b6B b6N a3N a3W c3N c3W d3N d3W c4W c4N d5N d5B c2W a4W",
    );
    for token in ["Qb7B", "Qd1W", "Qd1KL1", "Qz1QL1"] {
        assert_illegal(&p, token, "Meder 3.1(c)");
    }
}

// Article 3.3: knight

#[test]
fn article_3_3_knight() {
    let p = at("4/4/4/4|4/4/4/4|4/4/3N/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "d2W", "b1W b3N b3W c4N c4W e0KL1");
    // It passes over pieces and over gaps.
    let p = at(
        "4/4/4/4|4/4/4/2pp|4/2Pp/2PN/2PP|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10",
    );
    assert_goes(&p, "d2W", "b1W b3N b3W c4N c4W e0KL1");
    let p = at("4/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:N1/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "z1QL1", "a3N a3W b2W");
    let p = at("4/4/4/4|4/4/4/4|4/4/1K2/4|QL@Q1:2/1N|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "a0QL1", "c1W");
    let p = at("4/4/4/4|4/4/4/4|4/4/3N/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_illegal(&p, "Nd3W", "Meder 3.3");
    assert_illegal(&p, "Nc3W", "Meder 3.3");
    assert_illegal(&p, "Nb4W", "Meder 3.3");
}

// Article 3.4: pawn

#[test]
fn article_3_4_a_one_square_forward_to_any_vacant_level() {
    let p = at("4/4/4/4|4/4/4/4|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4N b4W");
    // Black's go the other way.
    let p = at("4/4/4/4|1p2/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    assert_goes(&p, "b6N", "b5B b5N");
    // One level of the next square held: the other is free. Both held: none.
    let p =
        at("4/4/4/4|4/4/1p2/4|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4W");
    assert_illegal(&p, "b3W-b4N", "Meder 3.4(a)");
    let p =
        at("4/4/4/4|4/4/1p2/4|1p2/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "");
    let p =
        at("4/4/4/4|4/4/1N2/4|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4W");
    assert_illegal(&p, "b3W-b4N", "Meder 3.1(b)");
    // Never sideways or backward.
    let p = at("4/4/4/4|4/4/4/4|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    for token in ["b3W-b2W", "b3W-c3W", "b3W-a2W"] {
        assert_illegal(&p, token, "Meder 3.4(a)");
    }
    // There is nothing in front of z1 and e1 as long as no board is there.
    let p = at("4/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:P1/2|KL@K1:1P/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "z1QL1", "");
    assert_goes(&p, "e1KL1", "");
    let p = at("4/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:P1/2|KL@K1:1P/2|ql@Q3:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "z1QL1", "z2QL3 z3QL3");
}

#[test]
fn article_3_4_b_two_squares_on_the_first_move() {
    let p =
        at("4/2p1/4/4|4/4/4/4|4/4/1P2/4|QL@Q1:1P/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b2W", "b3N b3W b4N b4W");
    assert_goes(&p, "a1QL1", "a2W a3N a3W");
    assert_goes(&passed(&p), "c7B", "c6B c6N c5B c5N");
    assert_illegal(&p, "b2W-b5N", "Meder 3.4(b)");
    // After it no more.
    let p = play(&p, "b4N Kd8B");
    assert_goes(&p, "b4N", "b5B b5N");
    assert_illegal(&p, "b4N-b6N", "Meder 3.4(b)");
    // Nor from a square that is no start square.
    let p = at("4/4/4/4|4/4/4/4|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_illegal(&p, "b3W-b5N", "Meder 3.4(b)");
}

#[test]
fn article_3_4_b_both_squares_have_to_be_unoccupied() {
    // The square crossed on every level (3.1(c), ruling M4).
    let p =
        at("4/4/4/4|4/4/4/1n2|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b2W", "b3W");
    assert_illegal(&p, "b2W-b4N", "Meder 3.1(c)");
    // Of the square of arrival only the level landed on.
    let p =
        at("4/4/4/4|4/4/1n2/4|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b2W", "b3N b3W b4W");
    assert_illegal(&p, "b2W-b4N", "Meder 3.4(a)");
}

#[test]
fn article_3_4_b_a_pawn_carried_by_a_board_has_lost_the_double_step() {
    // Fresh at home it has it.
    let home =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/2|KL@K3:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&home, "a1QL1", "a2W a3N a3W");
    // Carried forward, and even carried across and back to where it began (ruling C2).
    let p = play(&home, "QL1-QL3 Kc7B");
    assert_goes(&p, "a3QL3", "a4N a4W");
    assert_illegal(&p, "a3QL3-a5N", "Meder 3.4(b)");
    let p = play(&home, "QL1-KL1 Kc7B KL1-QL1 Kc8B");
    assert_eq!(piece(&p, "a1QL1"), Some('P'));
    assert_goes(&p, "a1QL1", "a2W");
    assert_illegal(&p, "a1QL1-a3W", "Meder 3.4(b)");
    // The position string remembers it.
    assert!(line(&p).contains(" a1QL1 "), "{}", line(&p));
    assert_eq!(position(Meder, &line(&p)), p);
}

#[test]
fn article_3_4_b_a_pawn_that_comes_to_a_start_square_has_moved() {
    // By taking (ruling C2).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/3n/2K1|QL@Q1:2/2|KL@K1:1P/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let p = play(&p, "exd2W Kc7B");
    assert_goes(&p, "d2W", "d3N d3W");
    // The start squares z1 and a1 are those of the board QL on QL1, of no other board that stands there.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/2|KL@K1:2/2|ql@Q1:1P/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "a1QL1", "a2QL3 a2W");
}

#[test]
fn article_3_4_c_takes_diagonally_forward_on_any_level() {
    let p = at(
        "4/4/4/4|4/4/ppp1/4|p1n1/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10",
    );
    assert_goes(&p, "b3W", "a4N a4W b4W c4N c4W");
    assert_illegal(&p, "b3W-b4N", "Meder 3.4(a)");
    // Not without an enemy there, not an own piece, not backward.
    let p =
        at("4/4/4/4|4/4/N3/4|4/1P2/p1p1/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4N b4W");
    assert_illegal(&p, "bWxc4N", "Meder 3.4(c)");
    assert_illegal(&p, "bWxa4N", "Meder 3.1(b)");
    assert_illegal(&p, "b3W-c2W", "Meder 3.4(a)");
    // Black's forward.
    let p =
        at("4/2P1/4/2P1|1p2/P3/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    assert_goes(&p, "b6N", "a5N b5B b5N c5B");
}

#[test]
fn article_3_4_d_en_passant_on_either_level_of_the_square_crossed() {
    let p = at(
        "4/4/4/4|4/2p1/p2p/4|2p1/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10",
    );
    let p = play(&p, "b2W-b4N");
    assert_goes(&p, "a4N", "a3N a3W b3N b3W");
    assert_goes(&p, "c4W", "b3N b3W c3N c3W");
    // Other pawns do not attack the square crossed.
    assert_goes(&p, "c5N", "b4N c4N");
    assert_goes(&p, "d4N", "d3N d3W");
    for to in ["b3N", "b3W"] {
        let after = play(&p, &format!("aNx{to}e.p."));
        assert_eq!(piece(&after, to), Some('p'));
        assert_eq!(piece(&after, "b4N"), None);
        assert_eq!(piece(&after, "a4N"), None);
    }
    // White takes alike.
    let p = at("4/1p2/4/P3|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    let p = play(&p, "b7B-b5N");
    assert_goes(&p, "a5B", "a6B a6N b6B b6N");
}

#[test]
fn article_3_4_d_en_passant_only_on_the_next_move_and_only_after_two_squares() {
    let p = at("4/4/4/4|4/4/p3/4|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    let later = play(&p, "b2W-b4N Kd8B Kc1W");
    assert_goes(&later, "a4N", "a3N a3W");
    assert_illegal(&later, "aNxb3We.p.", "Meder 3.4(d)");
    // Two single steps are none.
    let p = at("4/4/4/4|4/4/p3/4|4/1P2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    let p = play(&p, "b3W-b4N");
    assert_goes(&p, "a4N", "a3N a3W");
    // No other piece takes so.
    let p = at("4/4/4/4|4/4/3n/4|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    let p = play(&p, "b2W-b4N");
    let after = play(&p, "Nb3W");
    assert_eq!(piece(&after, "b4N"), Some('P'));
}

#[test]
fn article_3_4_d_a_pawn_moved_by_a_board_is_not_taken_en_passant() {
    // From a1 to a3 past a pawn that attacks a2.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1p2/4/2K1|QL@Q1:1P/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let carried = play(&p, "QL3");
    assert_eq!(piece(&carried, "a3QL3"), Some('P'));
    assert_goes(&carried, "b3W", "b2W");
    assert_illegal(&carried, "bWxa2We.p.", "Meder 3.4(d)");
    // On its own feet it is.
    let advanced = play(&p, "a1QL1-a3N");
    assert_goes(&advanced, "b3W", "a2W b2W");
}

#[test]
fn article_3_4_d_en_passant_may_not_expose_the_king() {
    // Both pawns leave rank 4 between rook and king.
    let p = at(
        "4/4/4/4|4/4/1P1k/4|R1p1/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - b4N - 0 10",
    );
    assert_goes(&p, "c4W", "c3N c3W");
    assert_illegal(&p, "cWxb3We.p.", "Meder 3.5(b)");
    let p = at(
        "4/4/4/R3|4/4/1P1k/4|2p1/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - b4N - 0 10",
    );
    assert_goes(&p, "c4W", "b3N b3W c3N c3W");
}

#[test]
fn article_3_4_e_i_promotion_is_forced_to_four_kinds_with_immediate_effect() {
    let p =
        at("3k/1P2/4/4|4/4/4/4|4/4/4/Q1K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    // Also to a second queen.
    assert_eq!(promotions(&p, "b7B", "b8B"), "QRBN");
    assert!(!p.is_legal(Move::Piece {
        from: square(&p, "b7B"),
        to: square(&p, "b8B"),
        promotion: None
    }));
    for role in [Role::King, Role::Pawn] {
        let m = Move::Piece {
            from: square(&p, "b7B"),
            to: square(&p, "b8B"),
            promotion: Some(role),
        };
        assert!(!p.is_legal(m));
        assert_eq!(p.explain(m).map(|e| e.article), Some("Meder 3.4(e)(i)"));
    }
    assert!(play(&p, "b8BQ").is_check());
    assert!(play(&p, "b8BR").is_check());
    assert!(!play(&p, "b8BN").is_check());
    assert!(!play(&p, "b8BB").is_check());
    assert_eq!(piece(&play(&p, "b8BN"), "b8B"), Some('N'));
    // Not before the last rank, and only pawns.
    let p = at("4/4/NP2/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 w - - - 0 10");
    assert_eq!(promotions(&p, "b6B", "b7B"), "-");
    assert_eq!(promotions(&p, "a6B", "b8B"), "-");
}

#[test]
fn article_3_4_e_ii_which_rank_is_furthest() {
    // A board overhangs a8 (ql on QL6), none d8 (kl on KL5).
    let p =
        at("4/PPPP/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K5:2/2 w - - - 0 10");
    assert_eq!(promotions(&p, "b7B", "b8B"), "QRBN");
    assert_eq!(promotions(&p, "c7B", "c8B"), "QRBN");
    assert_eq!(promotions(&p, "d7B", "d8B"), "QRBN");
    assert_eq!(promotions(&p, "a7B", "a8B"), "-");
    assert_eq!(promotions(&p, "a7B", "a8QL6"), "-");
    assert_illegal(&p, "a8BQ", "Meder 3.4(e)(ii)");
    // Rank 9 under or on a board.
    let p =
        at("P3/3P/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/P1|kl@K6:2/PP w - - - 0 10");
    assert_eq!(promotions(&p, "a8B", "a9QL6"), "QRBN");
    assert_eq!(promotions(&p, "z8QL6", "z9QL6"), "QRBN");
    assert_eq!(promotions(&p, "d8KL6", "d9KL6"), "QRBN");
    assert_eq!(promotions(&p, "e8KL6", "e9KL6"), "QRBN");
    assert_eq!(promotions(&p, "d7B", "d8B"), "-");
    // It does not matter whose board it is.
    let p = at("4/P3/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q6:2/2|KL@K1:2/2|ql@Q1:2/2|kl@K5:2/2 w - - - 0 10");
    assert_eq!(promotions(&p, "a7B", "a8B"), "-");
    // By capture alike.
    let p =
        at("n2n/1PP1/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K5:2/2 w - - - 0 10");
    assert_eq!(promotions(&p, "b7B", "a8B"), "-");
    assert_eq!(promotions(&p, "c7B", "d8B"), "QRBN");
    // A pawn that ought to be promoted cannot be set up.
    assert!(matches!(
        setup_fault(
            Meder,
            "P3/4/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q5:2/2|kl@K6:2/2 w - - - 0 10"
        ),
        SetupError::PawnOnLastRank(_)
    ));
}

#[test]
fn article_3_4_e_ii_black_alike() {
    // QL overhangs a1, none d1.
    let p =
        at("2k1/4/4/4|4/4/4/4|2K1/4/pp1p/4|QL@Q1:2/2|KL@K2:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_eq!(promotions(&p, "b2W", "b1W"), "QRBN");
    assert_eq!(promotions(&p, "d2W", "d1W"), "QRBN");
    assert_eq!(promotions(&p, "a2W", "a1W"), "-");
    assert_eq!(promotions(&p, "a2W", "a1QL1"), "-");
    let p =
        at("2k1/4/4/4|4/4/4/4|2K1/4/4/p3|QL@Q1:p1/2|KL@K1:pp/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_eq!(promotions(&p, "a1W", "a0QL1"), "QRBN");
    assert_eq!(promotions(&p, "z1QL1", "z0QL1"), "QRBN");
    assert_eq!(promotions(&p, "d1KL1", "d0KL1"), "QRBN");
    assert_eq!(promotions(&p, "e1KL1", "e0KL1"), "QRBN");
}

#[test]
fn article_3_4_e_iii_a_waiting_pawn_is_promoted_when_the_board_leaves() {
    // Ruling M7: as part of the board move, whoever makes it.
    let p = at("P3/4/4/4|4/2k1/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    let choices = "QL4/a8BQ QL4/a8BR QL4/a8BB QL4/a8BN QL5/a8BQ QL5/a8BR QL5/a8BB QL5/a8BN";
    assert_board_goes(&p, "QL6", choices);
    let after = play(&p, "QL5/a8BN");
    assert_eq!(piece(&after, "a8B"), Some('N'));
    assert_eq!(after.turn(), Color::White);
    assert_eq!(after.halfmoves(), 0);
    // Another board's move does nothing to it.
    assert_board_goes(&p, "KL6", "KL4 KL5");
    // By the pawn's own side.
    let p = at("P3/4/4/4|4/2k1/4/4|4/4/4/2K1|QL@Q6:2/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL6", choices);
    // With a piece on the board, which may not go backward.
    let p =
        at("P3/4/4/4|4/2k1/4/4|4/4/4/2K1|QL@Q6:2/N1|KL@K1:2/2|ql@Q1:2/2|kl@K2:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL6", "KL6/a8BQ KL6/a8BR KL6/a8BB KL6/a8BN");
    // On d8.
    let p = at("3P/4/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(
        &p,
        "KL6",
        "KL4/d8BQ KL4/d8BR KL4/d8BB KL4/d8BN KL5/d8BQ KL5/d8BR KL5/d8BB KL5/d8BN",
    );
    // Black's on d1.
    let p = at("2k1/4/4/4|4/2K1/4/4|4/4/4/3p|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(
        &p,
        "KL1",
        "KL2/d1WQ KL2/d1WR KL2/d1WB KL2/d1WN KL3/d1WQ KL3/d1WR KL3/d1WB KL3/d1WN",
    );
    assert_eq!(piece(&play(&p, "KL2/d1WQ"), "d1W"), Some('q'));
}

#[test]
fn article_3_4_e_iii_the_board_stays_while_the_new_piece_would_attack_the_movers_king() {
    // Any of the four choices counts, for the owner chooses: here the knight (ruling M7).
    let p = at("P3/4/4/4|1k2/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL6", "");
    assert_illegal(&p, "QL6-QL5/a8BQ", "Meder 3.4(e)(iii)");
    assert_illegal(&p, "QL6-QL4/a8BN", "Meder 3.4(e)(iii)");
    // The other board is free to go.
    assert_board_goes(&p, "KL6", "KL4 KL5");
    // The queen's lines alike.
    let p = at("P3/4/4/4|4/3k/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL6", "");
    // The own pawn never attacks the own king.
    let p = at("P3/4/4/4|1K2/4/4/4|4/2k1/4/4|QL@Q6:2/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_eq!(board_goes(&p, "QL6").len(), 8);
}

#[test]
fn article_3_4_e_i_a_pawn_carried_to_the_furthest_rank_is_promoted() {
    // Ruling M8.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:P1/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(
        &p,
        "QL5",
        "QL4 KL5 QL6/z9QL6Q QL6/z9QL6R QL6/z9QL6B QL6/z9QL6N",
    );
    assert_eq!(piece(&play(&p, "QL6/z9QL6R"), "z9QL6"), Some('R'));
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:1P/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(
        &p,
        "QL5",
        "QL4 KL5 QL6/a9QL6Q QL6/a9QL6R QL6/a9QL6B QL6/a9QL6N",
    );
    // On the near row it arrives on rank 8 below the overhang.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:2/1P|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL5", "QL4 KL5 QL6");
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:2/P1|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL5", "QL4 KL5 QL6");
    // Black's pawns on the near row of a board that goes to pin 1.
    let p = at("2k1/4/4/4|4/2K1/4/4|4/4/4/4|QL@Q6:2/2|KL@K1:2/2|ql@Q2:2/p1|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(
        &p,
        "QL2",
        "QL3 KL2 QL1/z0QL1Q QL1/z0QL1R QL1/z0QL1B QL1/z0QL1N",
    );
    // Another piece is never promoted.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:N1/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL5", "QL4 KL5 QL6");
}

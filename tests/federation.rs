//! The Laws of the World Tri Dimensional Chess Federation (seed 004), sentence by sentence. Tokens and squares are
//! Meder's; `1.3` means section 1, law 3. Law 1.2 only introduces section 3; law 1.8 is the players' affair.

use crate::support::*;
use tridex_geometry::Shade;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Surface, shade};
use tridex_replay::diagnostic::{Code, Status};
use tridex_rules::RuleSystem::Federation;
use tridex_rules::{Color, Outcome, Position, Role, SetupError};

fn at(line: &str) -> Position {
    position(Federation, line)
}

fn start() -> Position {
    Position::start(Federation)
}

// Section 1: the objective

#[test]
fn law_1_1_the_players_take_turns_with_pieces_or_boards() {
    let p = start();
    assert_eq!(p.turn(), Color::White);
    expect_reason(&p, "b7B-b6B", "");
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_eq!(play(&p, "QL3").turn(), Color::Black);
}

#[test]
fn law_1_3_a_piece_takes_on_its_own_level_only() {
    // By ruling F1 the square before the last one tells the level of a line.
    let p =
        at("2k1/4/4/4|4/4/4/4|1n2/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxb4W");
    let after = play(&p, "Rxb4W");
    assert_eq!(men(&after), set("Kc1W kc8B Rb4W"));
    let p =
        at("2k1/4/4/4|4/4/1n2/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rxb4N", "Federation 1.3");
    // A level further on it may change first: b4N, then b5N.
    let p =
        at("2k1/4/4/4|4/1n2/4/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxb5N");
    // Black's board is not reached before b5.
    let p =
        at("2k1/4/4/1n2|4/4/4/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rxb5B", "Federation 1.3");
    let p =
        at("2k1/4/1n2/4|4/4/4/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxb6B");
    // Never an own piece.
    let p =
        at("2k1/4/4/4|4/4/4/4|1N2/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rb4W", "Federation 1.3");
}

#[test]
fn law_1_4_and_1_5_check_has_to_be_parried() {
    let p =
        at("2k1/4/4/4|4/4/4/4|R1r1/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(p.is_check());
    // Taking it, or stepping aside.
    assert_goes(&p, "a4W", "c4W");
    assert_goes(&p, "c1W", "b1W d0KL1 d1W d1KL1 b2W d2W");
    assert_illegal(&p, "Ra4W-a5N", "Federation 3.2");
    // From the next square on another level the rook gives no check: it cannot come down and take in one step.
    assert!(
        at("2k1/4/4/4|4/4/4/4|4/4/2r1/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10")
            .is_check()
    );
    assert!(
        !at("2k1/4/4/4|4/2r1/4/4|2K1/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10")
            .is_check()
    );
    // From further off it can: c5N, c4W, c3W.
    assert!(
        at("2k1/4/4/4|4/2r1/4/4|4/2K1/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10")
            .is_check()
    );
}

#[test]
fn law_1_6_checkmate_and_1_7_stalemate() {
    let mate =
        at("3Q/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert!(mate.is_check());
    assert_eq!(legal(&mate), [""; 0]);
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    let saved =
        at("3Q/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    // Above the queen he is safe: nothing is attacked straight up (4.1).
    assert_eq!(legal(&saved), ["Kd8KL6", "Kxd8B"]);
    let stale =
        at("4/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p b - - - 0 10");
    assert!(!stale.is_check());
    assert_eq!(stale.outcome(), Some(Outcome::Stalemate));
    let free =
        at("4/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 b - - - 0 10");
    assert_eq!(legal(&free), ["Ke8KL6"]);
}

#[test]
fn law_1_8_nothing_else_is_drawn_without_consent() {
    // Ruling F6: not even bare kings, no repetition, no fifty moves.
    assert_eq!(
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10")
            .outcome(),
        None
    );
    let shuffle = "1. b4N b5B 2. Qb2W Qb7B 3. Qb1W Qb8B 4. Qb2W Qb7B 5. Qb1W Qb8B 6. Qb2W Qb7B *";
    let found = replayed(&format!("[Variant \"federation\"]\n\n{shuffle}\n"));
    assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    assert_eq!(found.outcome, None);
    assert!(!found.diagnostics.iter().any(|d| d.code == Code::GameOver));
    let fen = "2k1/4/4/4|4/4/4/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 99 90";
    let found = replayed(&format!(
        "[Variant \"federation\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n90. Rb4W Kc7B 1/2-1/2\n"
    ));
    assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    assert!(!found.diagnostics.iter().any(|d| d.code == Code::FiftyMoves));
}

// Section 2: the board

#[test]
fn laws_2_1_to_2_4_three_levels_that_overlap_by_half() {
    let layout = Layout::start(Surface::Over);
    for (board, near) in MainBoard::ALL.into_iter().zip([1, 3, 5]) {
        let columns: Vec<_> = board
            .squares()
            .into_iter()
            .map(|s| layout.column(s))
            .collect();
        assert_eq!(columns.len(), 16);
        assert!(columns.iter().all(|c| (1..=4).contains(&c.file())));
        assert!(columns.iter().all(|c| (near..near + 4).contains(&c.rank())));
        let dark = columns.iter().filter(|c| shade(**c) == Shade::Dark);
        assert_eq!(dark.count(), 8);
    }
}

#[test]
fn law_2_5_four_attack_boards_at_the_outer_corners() {
    let p = start();
    let names = [
        "z0QL1", "a1QL1", "d0KL1", "e1KL1", "z9QL6", "a8QL6", "d8KL6", "e9KL6",
    ];
    for name in names {
        assert!(exists(&p, name), "{name}");
    }
    let layout = p.layout().expect("a stair board");
    for board in AttackBoard::ALL {
        assert_eq!(layout.pin(board).surface(), Surface::Over);
        let corner = layout.pin(board).corner().column(layout.pin(board).wing());
        assert!(layout.stack(corner).meets(board.squares()));
    }
}

#[test]
fn law_2_6_attack_boards_stand_above_the_corners_only() {
    for line in [
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q2:2/2|KL@K2:2/2|ql@Q5:2/2|kl@K5:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/2|KL@K3:2/2|ql@Q4:2/2|kl@K4:2/2 w - - - 0 10",
    ] {
        at(line);
    }
    assert!(matches!(
        setup_fault(
            Federation,
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10"
        ),
        SetupError::PinNotUsed(_)
    ));
}

// Section 3: the pieces

#[test]
fn law_3_1_the_pieces_and_where_they_start() {
    let p = start();
    let counts = [
        (Role::King, 1),
        (Role::Queen, 1),
        (Role::Bishop, 2),
        (Role::Knight, 2),
        (Role::Rook, 2),
        (Role::Pawn, 8),
    ];
    for (role, count) in counts {
        for color in Color::ALL {
            assert_eq!(p.pieces(color, role).count(), count);
        }
    }
    // The arrangement is that of the manual; the castling law (3.2) names its squares.
    let white = "Rz0QL1 Pa0QL1 Nz1QL1 Pa1QL1 Pd0KL1 Re0KL1 Pd1KL1 Ne1KL1 \
                 Ba1W Qb1W Kc1W Bd1W Pa2W Pb2W Pc2W Pd2W";
    let black = "rz9QL6 pa9QL6 nz8QL6 pa8QL6 pd9KL6 re9KL6 pd8KL6 ne8KL6 \
                 ba8B qb8B kc8B bd8B pa7B pb7B pc7B pd7B";
    assert_eq!(men(&p), set(&format!("{white} {black}")));
    assert_eq!(p.legal_moves().len(), 20);
}

#[test]
fn law_3_2_the_king_moves_one_square() {
    let p = at("2k1/4/4/4|4/4/4/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "b4W",
        "a3N a3W b3N b3W c3N c3W a4N a4W c4N c4W a5B a5N b5B b5N c5B c5N",
    );
    assert_illegal(&p, "Kb6N", "Federation 3.2");
    assert_illegal(&p, "Kb4N", "Federation 4.1");
    // It takes on its own level only (ruling F2).
    let p =
        at("2k1/4/4/4|4/4/2n1/4|1K2/1n2/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Kxb3W");
    assert_illegal(&p, "Kxc4N", "Federation 1.3");
    // Not onto an attacked square; a rook on another level attacks b5N, not b5B beside it.
    let p = at("2k1/4/4/4|4/r3/4/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Kb5N", "Federation 3.2");
    assert_legal(&p, "Kb3W Kc4W");
    // Kings on neighbouring squares of different levels do not attack one another.
    let p = at("4/4/4/1k2|4/4/4/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(!p.is_check());
    assert_illegal(&p, "Ka5B", "Federation 3.2");
    assert_legal(&p, "Ka5N");
}

const CASTLE: &str =
    "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/R1|KL@K1:P1/PR|ql@Q6:r1/2|kl@K6:1r/2 w KQkq - - 0 1";

#[test]
fn law_3_2_castling() {
    let p = at(CASTLE);
    assert_legal(&p, "0-0 0-0-0");
    // King's side: the king to the rook's square, the rook to the king's corner of White's board.
    let short = play(&p, "0-0");
    assert_eq!(piece(&short, "e0KL1"), Some('K'));
    assert_eq!(piece(&short, "d1W"), Some('R'));
    assert_eq!(piece(&short, "c1W"), None);
    // Queen's side: the king to the inside rear corner of the board, the rook to the queen's start.
    let long = play(&p, "0-0-0");
    assert_eq!(piece(&long, "a0QL1"), Some('K'));
    assert_eq!(piece(&long, "b1W"), Some('R'));
    assert_eq!((piece(&long, "z0QL1"), piece(&long, "c1W")), (None, None));
    // Black alike.
    let black = play(&short, "0-0-0");
    assert_eq!(
        (piece(&black, "a9QL6"), piece(&black, "b8B")),
        (Some('k'), Some('r'))
    );
    let black = play(&long, "0-0");
    assert_eq!(
        (piece(&black, "e9KL6"), piece(&black, "d8B")),
        (Some('k'), Some('r'))
    );
    // From the start the pieces are in the way.
    assert_illegal(&start(), "0-0", "Federation 3.2.4");
    assert_illegal(&start(), "0-0-0", "Federation 3.2.4");
}

#[test]
fn law_3_2_1_neither_king_nor_rook_nor_board_has_moved() {
    let p = play(&at(CASTLE), "Kb1W Kb8B Kc1W Kc8B");
    assert_illegal(&p, "0-0", "Federation 3.2.1");
    assert_illegal(&p, "0-0-0", "Federation 3.2.1");
    let p = play(&at(CASTLE), "Re1KL1 Kb8B Re0KL1 Kc8B");
    assert_illegal(&p, "0-0", "Federation 3.2.1");
    assert_legal(&p, "0-0-0");
    // A rook taken at home (ruling C3).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/R1|KL@K1:bR/1R|ql@Q6:2/2|kl@K6:2/2 b KQ - - 0 10");
    let p = play(&p, "Bxe0KL1 Rxe0KL1 Kb8B");
    assert_illegal(&p, "0-0", "Federation 3.2.1");
    assert_legal(&p, "0-0-0");
    // The board can only have moved without the rook on it; the right cannot be claimed then.
    assert!(matches!(
        setup_fault(
            Federation,
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K2:2/1R|ql@Q6:2/2|kl@K6:2/2 w K - - 0 10"
        ),
        SetupError::Castling(..)
    ));
}

#[test]
fn law_3_2_2_not_in_check() {
    let p =
        at("2k1/4/4/4|4/4/4/4|2r1/4/4/2K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_illegal(&p, "0-0", "Federation 3.2.2");
    assert_illegal(&p, "0-0-0", "Federation 3.2.2");
}

#[test]
fn law_3_2_3_the_rook_is_not_attacked() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/2b1/4/2K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_illegal(&p, "0-0-0", "Federation 3.2.3");
    assert_legal(&p, "0-0");
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1b2/4/2K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_illegal(&p, "0-0", "Federation 3.2.3");
    assert_legal(&p, "0-0-0");
}

#[test]
fn law_3_2_4_the_start_squares_between_are_vacant() {
    let queen_side = ["Nz1QL1", "Ba1W", "Qb1W", "na1W"];
    for man in queen_side {
        let p = at(&with(man));
        assert_illegal(&p, "0-0-0", "Federation 3.2.4");
        assert_legal(&p, "0-0");
    }
    for man in ["Ne1KL1", "Bd1W"] {
        let p = at(&with(man));
        assert_illegal(&p, "0-0", "Federation 3.2.4");
        assert_legal(&p, "0-0-0");
    }
    // The square the king goes to has to be vacant as well (ruling F5), the pawns' others need not.
    let p = at(&with("Pa0QL1"));
    assert_illegal(&p, "0-0-0", "Federation 3.2.4");
    for man in ["Pa1QL1", "Pd0KL1", "Pd1KL1"] {
        assert_legal(&at(&with(man)), "0-0 0-0-0");
    }
}

/// King and both rooks at home, and one man more.
fn with(man: &str) -> String {
    let line = match man {
        "Nz1QL1" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:N1/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Ba1W" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/B1K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "na1W" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/n1K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Qb1W" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/1QK1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Ne1KL1" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/R1|KL@K1:1N/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Bd1W" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/2KB|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Pa0QL1" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/RP|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Pa1QL1" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        "Pd0KL1" => {
            "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/R1|KL@K1:2/PR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"
        }
        _ => "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/R1|KL@K1:P1/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10",
    };
    line.to_owned()
}

#[test]
fn law_3_2_5_the_king_does_not_arrive_in_check() {
    let p =
        at("2k1/4/4/4|4/4/4/4|r3/4/4/2K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    expect_reason(&p, "0-0-0", "(Federation 3.2");
    assert_legal(&p, "0-0");
    // A square passed may be attacked: b1 here.
    let p =
        at("2k1/4/4/4|4/4/4/4|1r2/4/4/2K1|QL@Q1:2/R1|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_legal(&p, "0-0-0");
}

const ROOK: &str = "a3N a3W c3N c3W d3N d3W b1W b2W b4N b4W b5B b5N b6B b6N b7B b8B";
const BISHOP: &str = "a2W z1QL1 c4W c4N d5N d5B a4W a4N c2W d1W d1KL1 e0KL1";

#[test]
fn law_3_3_queen() {
    let p = at("4/4/4/4|4/4/4/4|4/1Q2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", &format!("{ROOK} {BISHOP}"));
    assert_illegal(&p, "Qc5N", "Federation 3.3");
}

#[test]
fn law_3_4_bishop() {
    let p = at("4/4/4/4|4/4/4/4|4/1B2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", BISHOP);
    assert_illegal(&p, "Bb4W", "Federation 3.4");
}

#[test]
fn law_3_6_rook() {
    let p = at("4/4/4/4|4/4/4/4|4/1R2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", ROOK);
    assert_illegal(&p, "Rc4W", "Federation 3.6");
}

#[test]
fn laws_3_3_to_3_6_stopped_by_a_piece_or_the_edge() {
    // A piece stops the line on its level; above or below it the line goes on (4.2).
    let p =
        at("4/4/4/4|4/4/4/4|1n2/1R2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", ROOK);
    let p =
        at("4/4/4/4|4/4/1n2/4|1n2/1R2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", "a3N a3W c3N c3W d3N d3W b1W b2W b4W");
    assert_illegal(&p, "Rb5N", "Federation 4.2");
    let p =
        at("4/4/4/4|4/4/1N2/4|1N2/1R2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", "a3N a3W c3N c3W d3N d3W b1W b2W");
    // The edge.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1:R1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "z1QL1", "z0QL1 a1QL1 a1W b1W c1W d1W d1KL1 e1KL1");
    assert_illegal(&p, "Rz8QL6", "Federation 4.5");
}

#[test]
fn law_3_5_knight() {
    let p = at("4/4/4/4|4/4/4/4|4/4/3N/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "d2W", "b1W b3N b3W c4N c4W e0KL1");
    // Nothing in between matters, not even a gap (ruling F2).
    let p = at(
        "4/4/4/4|4/4/4/2pp|4/2pp/2pN/K1PP|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "d2W", "b1W b3N b3W c4N c4W e0KL1");
    let p = at("4/4/4/4|4/4/4/4|4/4/4/3K|QL@Q1:N1/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "z1QL1", "a3N a3W b2W");
    // It takes, for 1.3 lets every piece take; on its own level.
    let p =
        at("4/4/4/4|4/4/2n1/4|4/1n2/3N/3K|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Nxb3W Nc4W Nb3N");
    assert_illegal(&p, "Nxc4N", "Federation 1.3");
    assert_illegal(&p, "Nc3W", "Federation 3.5");
}

#[test]
fn law_3_7_and_3_7_1_pawns_go_forward_and_take_diagonally() {
    let p =
        at("2k1/4/4/4|1p2/4/4/4|4/1P2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4N b4W");
    assert_goes(&passed(&p), "b6N", "b5B b5N");
    for token in ["b3W-b2W", "b3W-c3W"] {
        expect_reason(&p, token, "(Federation 3.7");
    }
    // Not straight onto an enemy.
    let p =
        at("2k1/4/4/4|4/4/4/4|1n2/1P2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4N");
    assert_illegal(&p, "b3W-b4W", "Federation 3.7.1");
    // Diagonally onto one, on its own level (ruling F2).
    let p =
        at("2k1/4/4/4|4/4/2n1/4|n3/1P2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b3W", "b4N b4W a4W");
    assert_illegal(&p, "bWxc4N", "Federation 1.3");
    assert_illegal(&p, "bWxc4W", "Federation 3.7.1");
}

#[test]
fn law_3_7_2_two_squares_on_the_first_move() {
    let p =
        at("2k1/1p2/4/4|4/4/4/4|4/4/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b2W", "b3N b3W b4N b4W");
    assert_goes(&passed(&p), "b7B", "b6B b6N b5B b5N");
    let later = play(&p, "b3W b6B");
    assert_goes(&later, "b3W", "b4N b4W");
    assert_illegal(&later, "b3W-b5N", "Federation 3.7.2");
    // A path of two steps whose tiers do not turn back (rulings F1, F3).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1b2/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b2W", "b3N b4N");
    assert_illegal(&p, "b2W-b4W", "Federation 4.3");
    let p =
        at("2k1/4/4/4|4/4/4/1n2|4/4/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b2W", "b3W b4N b4W");
    let p = at(
        "2k1/4/4/4|4/4/4/1n2|4/1b2/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "b2W", "");
    // From an attack board; not once the board has moved with it (ruling C2).
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/1P|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "a0QL1", "a1QL1 a1W a2W");
    let p = play(&p, "QL3 Kb8B");
    assert_eq!(piece(&p, "a2QL3"), Some('P'));
    assert_goes(&p, "a2QL3", "a3QL3 a3W a3N");
}

#[test]
fn law_3_7_2_pawns_of_one_file_that_can_advance_to_one_square_are_told_apart_by_rank() {
    // Past a3N by a3W (Appendix E of Meder's rules has no such case, the notation page decides).
    let p =
        at("2k1/4/4/4|4/4/4/P3|4/4/P3/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "a2W", "a3W a4W a4N");
    for (token, whole) in [
        ("2a4N", "a2W-a4N"),
        ("3a4N", "a3N-a4N"),
        ("2a4W", "a2W-a4W"),
    ] {
        assert_eq!(read(&p, token), read(&p, whole), "{token}");
        assert_eq!(written(&p, read(&p, whole)), token);
    }
    // A single step may go down as well.
    assert_goes(&p, "a3N", "a4N a4W");
}

#[test]
fn law_3_7_3_en_passant_on_any_level_behind_the_pawn() {
    let p =
        at("2k1/4/4/4|4/4/2p1/4|p3/4/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    for to in ["b4W", "b4N"] {
        let p = play(&p, to);
        assert_goes(&p, "a4W", "a3N a3W b3N b3W");
        assert_goes(&p, "c4N", "c3N c3W b3N b3W");
        let after = play(&p, "aWxb3Ne.p.");
        assert_eq!((piece(&after, to), piece(&after, "b3N")), (None, Some('p')));
        // Only at once.
        let later = play(&p, "Kb8B Kd1W");
        assert_goes(&later, "a4W", "a3N a3W");
        assert_illegal(&later, "aWxb3We.p.", "Federation 3.7.3");
    }
    // Only onto a vacant square.
    let p =
        at("2k1/4/4/4|4/4/4/4|p3/1b2/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let p = play(&p, "b4N");
    assert_goes(&p, "a4W", "a3N a3W b3N");
    // Of White's piece there, on the taker's level, it is an ordinary capture.
    let p =
        at("2k1/4/4/4|4/4/4/4|p3/1N2/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let p = play(&p, "b4N");
    assert_goes(&p, "a4W", "a3N a3W b3N b3W");
    let ordinary = play(&p, "aWxb3W");
    assert_eq!(
        (piece(&ordinary, "b4N"), piece(&ordinary, "b3W")),
        (Some('P'), Some('p'))
    );
    // Not after one square, nor after a board's move.
    let p =
        at("2k1/4/4/4|4/4/4/4|p3/1P2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&play(&p, "b4W"), "a4W", "a3N a3W");
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1p2/4/2K1|QL@Q1:1P/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&play(&p, "QL3"), "b3W", "b2W");
}

#[test]
fn law_3_7_promotion_is_the_players_choice() {
    // Any other kind except a king, or it stays a pawn (ruling F3).
    let p =
        at("4/PP1P/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K5:2/2 w - - - 0 10");
    assert_eq!(promotions(&p, "b7B", "b8B"), "QRBN-");
    let stays = play(&p, "b8B Kb4N");
    assert_eq!(piece(&stays, "b8B"), Some('P'));
    // Only at arrival: now it is stuck, and such a position can be set up.
    assert_goes(&stays, "b8B", "");
    assert_eq!(position(Federation, &line(&stays)), stays);
    // Where a board is present the furthest rank is its rear one, else the level's.
    assert_eq!(promotions(&p, "a7B", "a8B"), "-");
    assert_eq!(promotions(&p, "a7B", "a8QL6"), "-");
    assert_eq!(promotions(&p, "d7B", "d8B"), "QRBN-");
    let p =
        at("P3/4/4/4|4/1k2/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/P1|kl@K6:2/PP w - - - 0 10");
    assert_eq!(promotions(&p, "a8B", "a9QL6"), "QRBN-");
    assert_eq!(promotions(&p, "z8QL6", "z9QL6"), "QRBN-");
    assert_eq!(promotions(&p, "d8KL6", "d9KL6"), "QRBN-");
    assert_eq!(promotions(&p, "e8KL6", "e9KL6"), "QRBN-");
    // Black alike.
    let p =
        at("2k1/4/4/4|4/2K1/4/4|4/4/pp1p/4|QL@Q1:p1/2|KL@K2:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_eq!(promotions(&p, "b2W", "b1W"), "QRBN-");
    assert_eq!(promotions(&p, "d2W", "d1W"), "QRBN-");
    assert_eq!(promotions(&p, "a2W", "a1W"), "-");
    assert_eq!(promotions(&p, "z1QL1", "z0QL1"), "QRBN-");
    // The new piece acts at once.
    let p = at("3k/1P2/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(play(&p, "b8BQ").is_check());
    assert!(!play(&p, "b8B").is_check());
}

// Section 4: moving across levels

#[test]
fn law_4_1_positions_above_and_below_are_one() {
    let p =
        at("4/4/4/4|4/1B2/2NQ/4|1R2/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    for token in ["Rb4N", "Nc4W", "Bb5B", "Qd4W"] {
        assert_illegal(&p, token, "Federation 4.1");
    }
}

#[test]
fn law_4_2_the_level_changes_between_two_squares_of_the_path() {
    // At the start of it, on the way, and at the end.
    let p =
        at("4/4/4/1P2|4/4/4/4|1R2/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rb5N Rb6N Rb6B Rb7B");
    let p = at("4/4/4/4|4/4/4/4|4/4/1R2/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rb3W Rb3N Rb4W Rb4N Rb5N Rb5B");
    // Only onto vacant squares: over b3N it comes to b4N, which it takes, and not down to b4W.
    let p =
        at("4/4/4/4|4/4/1n2/4|4/1b2/1R2/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b2W", "a2W c2W d2W b1W b3W b3N b4N");
    // Three tiers in one move: W to N to B.
    let p = at("4/4/4/4|4/4/4/4|4/4/B3/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Bb3N Bc4N Bd5B Bd5N");
    // A bishop's path alike: both squares of b3 held, no way.
    let p =
        at("4/4/4/4|4/4/4/1r2|4/1r2/B3/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "a2W", "b1W b3W z1QL1");
    assert_illegal(&p, "Bc4N", "Federation 4.2");
}

#[test]
fn law_4_3_levels_are_changed_in_one_direction_only() {
    // With c4W held the path from b4W goes up over c4N and cannot come down again.
    let p = at("4/4/4/4|4/4/4/4|1RN1/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "b4W",
        "a4N a4W c4N d4N b3N b3W b2W b1W b5B b5N b6B b6N b7B b8B",
    );
    assert_illegal(&p, "Rd4W", "Federation 4.3");
    // Downward alike: from the Neutral board under c4N and not up again.
    let p = at("4/4/4/4|4/4/1RN1/4|4/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rd4N", "Federation 4.3");
    assert_legal(&p, "Rd4W Rc4W");
    // Any number of levels: from White's board to Black's.
    let p = at("4/4/4/4|4/4/4/4|1R2/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rb5B Rb8B");
    let p = at("1R2/4/4/4|4/4/4/4|4/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rb4W Rb3N Rb1W");
}

#[test]
fn law_4_4_attack_boards_count_as_the_level_they_stand_on() {
    // On QL1 the level is White's.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/2K1/2R1|QL@Q1:1n/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxa1QL1");
    // On QL2 it is White's, above the same squares on QL5 Black's.
    let p =
        at("2k1/4/4/4|4/4/4/4|1R2/4/2K1/4|QL@Q2:2/1n|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxa4QL2");
    let p =
        at("2k1/4/4/4|4/4/4/4|1R2/4/2K1/4|QL@Q5:2/1n|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rxa4QL5", "Federation 1.3");
    let p =
        at("2k1/4/4/1R2|4/4/4/4|4/4/2K1/4|QL@Q5:1n/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxa5QL5");
    // On QL3 it is the Neutral board's.
    let p =
        at("2k1/4/4/4|4/4/4/1R2|4/4/2K1/4|QL@Q3:1n/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rxa3QL3");
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1R2/2K1/4|QL@Q3:1n/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rxa3QL3", "Federation 1.3");
    // Up to QL2 and on along White's board is no change of level.
    let p =
        at("2k1/4/4/4|4/4/P3/4|P3/4/2K1/4|QL@Q2:1R/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Ra4QL2 Ra3W Ra3N Ra1W");
}

#[test]
fn law_4_5_over_the_edge_of_a_level_only_onto_a_square_of_another() {
    // From White's far edge up to the Neutral board; beside it there is nothing.
    let p = at("4/4/4/4|4/4/4/4|1R2/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rb5N");
    let p = at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rd0KL1", "Federation 4.5");
    assert_illegal(&p, "Re0KL1", "Federation 4.5");
    // A board in the gap carries the line.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q2:2/2|KL@Q3:2/R1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Rz3QL3 Rz4QL2 Rz5QL2");
    assert_illegal(&p, "Rz8QL6", "Federation 4.5");
    // Not if the only square there is held.
    let p =
        at("4/1N2/4/4|1R2/4/4/4|4/4/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "Rb8B", "Federation 4.2");
}

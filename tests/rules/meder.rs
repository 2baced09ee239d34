//! Meder's Tournament Rules: what has another shape than a row of `tests/data/meder.txt`, that is the board
//! itself, and records of whole games. Appendix E is in `meder_notation.rs`. Article 4 and articles 6 to 8 and 10 to 13
//! speak of hands, clocks and arbiters and say nothing that a position or a record could break.

use crate::support::*;
use tridex_geometry::Shade;
use tridex_geometry::stair::{AttackBoard, Column, Layout, MainBoard, Surface, shade};
use tridex_replay::finding::{Code, Severity, Status};
use tridex_rules::RuleSystem::Meder;
use tridex_rules::{Color, Outcome, Position, Role};

fn at(line: &str) -> Position {
    position(Meder, line)
}

fn start() -> Position {
    Position::start(Meder)
}

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
    // A diagonal keeps its colour.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1B2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let layout = p.layout().expect("a stair board");
    for name in goes(&p, "b3W") {
        let column = layout.column(square(&p, &name));
        assert_eq!(shade(column), shade(Column::new(2, 3)), "{name}");
    }
}

#[test]
fn article_5_1_b_and_5_3_results_by_resignation_and_agreement_are_accepted_anywhere() {
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        let found = replayed(&format!("[Variant \"meder\"]\n\n1. b4N b5B {result}\n"));
        assert_eq!(
            found.status(),
            Status::Valid,
            "{result}: {:?}",
            found.findings()
        );
    }
    // Mate on the board and the other side given the win is an error of the record (ruling stated-result).
    let fen = "2Q1/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p w - - - 0 10";
    let game = |result: &str| {
        replayed(&format!(
            "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. Qd8B# {result}\n"
        ))
    };
    assert_eq!(
        game("1-0").status(),
        Status::Valid,
        "{:?}",
        game("1-0").findings()
    );
    let winner = Color::White;
    assert_eq!(game("1-0").outcome(), Some(Outcome::Checkmate { winner }));
    assert_eq!(game("0-1").status(), Status::Invalid);
    assert_eq!(game("1/2-1/2").status(), Status::Invalid);
}

const SHUFFLE: &str = "1. Nb3W Nb6B 2. Na1W Na8B 3. Nb3W Nb6B 4. Na1W Na8B";

/// Ruling claims-are-reported.
#[test]
fn article_5_4_and_9_2_the_third_occurrence_is_a_claim() {
    let found = replayed(&format!("[Variant \"meder\"]\n\n{SHUFFLE} 5. b4N *\n"));
    assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    assert_eq!(found.outcome(), None);
    let claim = found.findings().iter().find(|d| d.code == Code::Threefold);
    let claim = claim.expect("the claim is reported");
    assert_eq!((claim.ply, claim.severity), (8, Severity::Info));
    // A knight on another level is another position.
    let other = SHUFFLE.replacen("Nb6B", "Nb6N", 1);
    let found = replayed(&format!("[Variant \"meder\"]\n\n{other} *\n"));
    assert!(
        found.findings().iter().any(|d| d.code == Code::Threefold),
        "the start, three times"
    );
    let moved = "1. Nb3W Nb6B 2. Nc5N Nc4N 3. Nb3W Nb6B 4. Na1W Na8B";
    let found = replayed(&format!("[Variant \"meder\"]\n\n{moved} *\n"));
    assert!(!found.findings().iter().any(|d| d.code == Code::Threefold));
}

/// Ruling claims-are-reported.
#[test]
fn article_5_5_and_9_3_fifty_moves_are_a_claim() {
    let game = |count: u32, token: &str| {
        replayed(&format!(
            "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n90. {token} Kd8B *\n",
            "4/4/4/4|4/4/4/4|4/1R2/2P1/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - HALF 90"
                .replace("HALF", &count.to_string())
        ))
    };
    let claimed =
        |found: &tridex_replay::Replay| found.findings().iter().any(|d| d.code == Code::FiftyMoves);
    let found = game(99, "Rb4N");
    assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    assert!(claimed(&found));
    assert_eq!(found.outcome(), None);
    assert!(claimed(&game(98, "Rb4N")));
    assert!(!claimed(&game(97, "Rb4N")));
    // A pawn's move begins anew.
    assert!(!claimed(&game(99, "c3W")));
}

#[test]
fn article_9_1_and_9_4_an_offer_or_a_missed_claim_changes_nothing() {
    let found = replayed("[Variant \"meder\"]\n\n1. b4N (=) b5B 2. c3W *\n");
    assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    assert_eq!(found.moves().len(), 3);
}

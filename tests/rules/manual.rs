//! The rules after the technical manual's board: what has another shape than a row of
//! `tests/data/manual.txt`, that is the board itself, and records of whole games. Squares are the manual's own; position
//! strings count files and ranks as Meder does. Sections 8 and 9 speak of hands and of accidents.

use crate::support::*;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Pin, Surface, shade};
use tridex_geometry::{Shade, Wing};
use tridex_replay::finding::{Code, Status};
use tridex_rules::RuleSystem::Manual;
use tridex_rules::{CastlingSide, Color, Move, Outcome, Position, Role};

fn at(line: &str) -> Position {
    position(Manual, line)
}

fn start() -> Position {
    Position::start(Manual)
}

#[test]
fn section_1_1_to_1_5_sixty_four_squares_on_three_fixed_and_four_movable_boards() {
    let squares: u32 = MainBoard::ALL.iter().map(|b| b.squares().count()).sum();
    let movable: u32 = AttackBoard::ALL.iter().map(|b| b.squares().count()).sum();
    assert_eq!((squares, movable), (48, 16));
    // 1.2: each board is two ranks further than the one below.
    let p = start();
    for (board, near, far) in [("WB", 2, 5), ("NB", 4, 7), ("BB", 6, 9)] {
        for file in ["b", "c", "d", "e"] {
            square(&p, &format!("{file}{near},{board}"));
            square(&p, &format!("{file}{far},{board}"));
        }
        assert!(exists(&p, &format!("b{near},{board}")));
        assert!(!exists(&p, &format!("b{},{board}", near - 1)));
        assert!(!exists(&p, &format!("b{},{board}", far + 1)));
        assert!(!exists(&p, &format!("a{near},{board}")));
    }
}

#[test]
fn section_1_6_and_2_3_two_pins_at_each_corner() {
    let names: Vec<String> = Pin::all()
        .map(|pin| tridex_notation::names::pin(tridex_notation::Notation::Manual, pin))
        .collect();
    let mut wanted: Vec<String> = (1..=12).map(|n| format!("QP{n}")).collect();
    wanted.extend((1..=12).map(|n| format!("KP{n}")));
    assert_eq!(names, wanted);
    // 2.3, against the misprinted Figure 2 (ruling pin-numbers): downward pins odd, numbers of one board consecutive.
    for pin in Pin::all() {
        let number = pin.manual_number();
        assert_eq!(pin.surface() == Surface::Under, number % 2 == 1);
        let board = match number {
            1..=4 => MainBoard::White,
            5..=8 => MainBoard::Neutral,
            _ => MainBoard::Black,
        };
        assert_eq!(pin.corner().main_board(), board);
        // From White to Black.
        assert_eq!(pin.corner().is_far(), (number - 1) / 2 % 2 == 1);
    }
}

#[test]
fn section_1_8_where_the_attack_boards_start() {
    let p = start();
    let layout = p.layout().expect("a stair board");
    let pins = [
        (AttackBoard::WhiteQueen, Wing::Queen, 1),
        (AttackBoard::WhiteKing, Wing::King, 1),
        (AttackBoard::BlackQueen, Wing::Queen, 12),
        (AttackBoard::BlackKing, Wing::King, 12),
    ];
    for (board, wing, number) in pins {
        assert_eq!(Some(layout.pin(board)), Pin::from_manual(wing, number));
    }
    // On whatever pin, the square above or below the corner has the corner's colour, and turning keeps every colour.
    for pin in Pin::all() {
        let mut layout = Layout::start(Surface::Under);
        layout = layout.moved_unchecked(AttackBoard::WhiteQueen, pin);
        let corner = pin.corner().column(pin.wing());
        assert!(
            layout
                .stack(corner)
                .meets(AttackBoard::WhiteQueen.squares())
        );
        for square in AttackBoard::WhiteQueen.squares() {
            let turned = AttackBoard::WhiteQueen.turned(square);
            assert_eq!(shade(layout.column(square)), shade(layout.column(turned)));
        }
    }
}

#[test]
fn section_1_10_the_near_right_corner_is_light() {
    let p = start();
    let layout = p.layout().expect("a stair board");
    for name in ["e2,WB", "b9,BB"] {
        assert_eq!(
            shade(layout.column(square(&p, name))),
            Shade::Light,
            "{name}"
        );
    }
    // Figure 1: a1 is dark.
    assert_eq!(shade(layout.column(square(&p, "a1,QL"))), Shade::Dark);
}

#[test]
fn section_2_1_and_2_2_names_of_boards_and_squares() {
    let p = start();
    for name in [
        "b4,WB", "b4,NB", "b6,BB", "e1,KL", "f2,KL", "a10,ql", "f9,kl",
    ] {
        assert!(exists(&p, name), "{name}");
    }
    // The example: QL on QP1, and on QP3.
    for name in ["a1,QL", "b1,QL", "a2,QL", "b2,QL"] {
        assert!(exists(&p, name), "{name}");
    }
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q2v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    for name in ["a5,QL", "b5,QL", "a6,QL", "b6,QL"] {
        assert!(exists(&p, name), "{name}");
    }
    assert!(!exists(&p, "a1,QL"));
}

#[test]
fn section_3_1_the_pieces() {
    let p = start();
    let counts = [
        (Role::King, 1),
        (Role::Queen, 1),
        (Role::Rook, 2),
        (Role::Knight, 2),
        (Role::Bishop, 2),
        (Role::Pawn, 8),
    ];
    for (role, count) in counts {
        for color in Color::ALL {
            assert_eq!(p.pieces(color, role).count(), count);
        }
    }
}

#[test]
fn section_6_1_knows_no_castling() {
    // Ruling no-castling.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/R1|KL@K1v:2/1R|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    for side in CastlingSide::ALL {
        assert!(!p.is_legal(Move::Castle(side)));
    }
}

#[test]
fn section_11_2_and_11_5_resignation_and_agreement() {
    for result in ["1-0", "0-1", "1/2-1/2"] {
        let game = "[Variant \"manual\"]\n\n1. b3,WB-b5,NB b8,BB-b7,BB";
        let found = replayed(&format!("{game} {result}\n"));
        assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    }
}

#[test]
fn section_11_4_a_record_that_goes_on_after_a_drawn_ending_is_warned() {
    // It ends the game: a record that goes on is warned (ruling moves-after-draw).
    let fen =
        "1k2/4/4/4|4/4/4/4|4/4/2r1/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10";
    let game = |rest: &str| {
        replayed(&format!(
            "[Variant \"manual\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. c2,WBxd3,WB {rest}\n"
        ))
    };
    assert_eq!(game("1/2-1/2").status(), Status::Valid);
    assert_eq!(game("1/2-1/2").outcome(), Some(Outcome::Material));
    let found = game("c9,BB-c8,BB 1/2-1/2");
    assert_eq!(found.status(), Status::Warned);
    assert!(found.findings().iter().any(|d| d.code == Code::GameOver));
    assert_eq!(game("1-0").status(), Status::Invalid);
}

#[test]
fn section_11_4_a_record_that_begins_in_a_drawn_ending_and_goes_on_is_warned() {
    // Ruling moves-after-draw makes no difference between a draw that is reached and one that is set up.
    let fen = "1k2/4/4/4|4/4/4/4|4/3n/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10";
    let found = replayed(&format!(
        "[Variant \"manual\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. c2,WB-d3,WB *\n"
    ));
    assert_eq!(found.status(), Status::Warned, "{:?}", found.findings());
}

/// Ruling repetition-ends-game.
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
    assert_eq!((found.outcome(), found.status()), (None, Status::Valid));
    let found = game(10, "1/2-1/2");
    assert_eq!(
        found.outcome(),
        Some(Outcome::Repetition),
        "{:?}",
        found.findings()
    );
    assert_eq!(found.status(), Status::Valid);
    // The other side cannot have won; to play on is warned.
    assert_eq!(game(10, "1-0").status(), Status::Invalid);
    let found = game(11, "*");
    assert!(found.findings().iter().any(|d| d.code == Code::GameOver));
    assert_eq!(found.status(), Status::Warned);
}

#[test]
fn section_11_knows_no_draw_by_fifty_moves() {
    let fen =
        "1k2/4/4/4|4/4/4/4|4/3R/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 99 90";
    let found = replayed(&format!(
        "[Variant \"manual\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n90. e4,WB-e5,WB c9,BB-c8,BB *\n"
    ));
    assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    assert!(!found.findings().iter().any(|d| d.code == Code::FiftyMoves));
    assert_eq!(found.outcome(), None);
}

#[test]
fn remarks_four_boards_may_form_one_playing_area() {
    // Two boards on the king's pins below Black's board, two on the upper king's pins of the Neutral board: two files of
    // eight squares.
    let p = at("k3/4/4/4|4/4/4/4|4/4/4/K3|QL@K5v:2/2|KL@K6v:2/2|ql@K3:2/1R|kl@K4:2/2 w - - - 0 10");
    for rank in 3..=10 {
        let held = ["QL", "KL", "ql", "kl"]
            .iter()
            .filter(|board| exists(&p, &format!("f{rank},{board}")));
        assert_eq!(held.count(), 1, "{rank}");
    }
}

//! The rules after the technical manual's board (seed 001), sections 1 to 6 and the figures, sentence by sentence;
//! sections 7 to 11 are in `manual_boards.rs`. Tokens and squares are the manual's own; position strings count files and
//! ranks as Meder does.

use crate::support::*;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Pin, Surface, shade};
use tridex_geometry::{Shade, Wing};
use tridex_rules::RuleSystem::Manual;
use tridex_rules::{CastlingSide, Color, Move, Position, Role};

fn at(line: &str) -> Position {
    position(Manual, line)
}

fn start() -> Position {
    Position::start(Manual)
}

// Section 1: the chessboard

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
    // 2.3, against the misprinted Figure 2 (ruling A8): downward pins odd, numbers of one board consecutive.
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

// Section 2: notation

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
fn section_2_4_moves_captures_board_moves_and_turns() {
    let p = at(
        "1k2/4/4/4|p3/3p/2B1/4|4/4/R3/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    for token in [
        "b3,WB-b5,NB",
        "b3,WBxb7,NB",
        "d5,NBxe6,NB",
        "QP1-QP3",
        "KP1-KP2",
    ] {
        assert_eq!(written(&p, read(&p, token)), token);
    }
    let p = start();
    for token in ["QP1r", "KP1r", "b3,WB-b5,NB"] {
        assert_eq!(written(&p, read(&p, token)), token);
    }
    // The ending pin is named, not a square (ruling A8).
    let parsed = tridex_notation::parse(tridex_notation::Notation::Manual, b"QP1-a5,QL", None);
    assert!(parsed.is_err());
}

// Sections 3 and 4

#[test]
fn section_3_1_and_3_2_the_pieces_and_figure_3() {
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
    let white = "Ra1,QL Pb1,QL Na2,QL Pb2,QL Pe1,KL Rf1,KL Pe2,KL Nf2,KL \
                 Bb2,WB Qc2,WB Kd2,WB Be2,WB Pb3,WB Pc3,WB Pd3,WB Pe3,WB";
    let black = "ra10,ql pb10,ql na9,ql pb9,ql pe10,kl rf10,kl pe9,kl nf9,kl \
                 bb9,BB qc9,BB kd9,BB be9,BB pb8,BB pc8,BB pd8,BB pe8,BB";
    assert_eq!(men(&p), set(&format!("{white} {black}")));
    assert_eq!(p.legal_moves().len(), 18);
}

#[test]
fn section_4_white_commences_and_one_move_is_made_at_a_time() {
    let p = start();
    assert_eq!(p.turn(), Color::White);
    expect_reason(&p, "b8,BB-b7,BB", "");
    let p = play(&p, "QP1r");
    assert_eq!(p.turn(), Color::Black);
    expect_reason(&p, "b3,WB-b4,WB", "");
    assert_legal(&p, "b8,BB-b7,BB QP12r");
}

// Section 5: the general definition of the move

#[test]
fn section_5_1_a_and_5_2_to_a_vacant_square_or_one_held_by_the_opponent() {
    let p = at(
        "2k1/4/4/4|4/1P2/1n2/4|4/1R2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_legal(&p, "c4,WBxc5,NB c4,WB-c5,WB");
    assert_illegal(&p, "c4,WB-c6,NB", "manual 5.1(a)");
    let after = play(&p, "c4,WBxc5,NB");
    assert_eq!(men(&after), set("Kd2,WB kd9,BB Rc5,NB Pc6,NB"));
}

#[test]
fn section_5_1_b_and_c_own_empty_boards_move_and_own_occupied_ones_turn() {
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/N1|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QP1", "QP1r");
    assert_board_goes(&p, "KP1", "KP2 KP3");
    // The opponent's boards are the opponent's, empty or not.
    assert_board_goes(&p, "QP12", "");
    assert_illegal(&p, "QP12-QP10", "manual 5.1(b)");
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:1N/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QP12", "");
    expect_reason(&p, "QP12r", "manual");
    assert_board_goes(&passed(&p), "QP12", "QP12r");
    // An occupied board does not move, an empty one does not turn.
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/N1|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "QP1-QP3", "manual 7.2");
    assert_illegal(&p, "KP1r", "manual 7.1");
    // The pin of arrival has to be vacant.
    let p =
        at("1k2/4/4/4|4/4/4/4|4/4/4/1K2|QL@Q1v:2/2|KL@Q2v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QP1", "QP2 KP1");
    assert_illegal(&p, "QP1-QP3", "manual 5.1(b)");
}

#[test]
fn section_5_3_a_line_passes_a_column_while_one_of_its_squares_is_vacant() {
    // Ruling A1, and unlike Meder's 3.1(c).
    let p =
        at("3k/4/4/4|4/4/1n2/4|4/4/1R2/3K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "c3,WB",
        "c2,WB c4,WB c4,NB c5,WB c5,NB c6,NB c6,BB c7,NB c7,BB c8,BB c9,BB b3,WB d3,WB e3,WB",
    );
    // Both squares held: no way on.
    let p = at(
        "3k/4/4/4|4/4/1n2/4|1P2/4/1R2/3K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c3,WB", "c2,WB c4,WB c4,NB c5,NB b3,WB d3,WB e3,WB");
    assert_illegal(&p, "c3,WB-c6,NB", "manual 5.3");
    // Where there is one square only, one piece stops it.
    let p =
        at("3k/1p2/4/4|4/4/4/4|4/4/1R2/3K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "c3,WB-c9,BB", "manual 5.3");
    assert_legal(&p, "c3,WBxc8,BB");
    // A square of an attack board is a way as well as any.
    let p =
        at("3k/4/4/4|4/4/n3/4|n3/R3/4/3K|QL@Q2:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "b4,WB-b6,NB b4,WB-b5,QL b4,WB-b9,BB");
    let p =
        at("3k/4/4/4|4/4/n3/4|n3/R3/4/3K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "b4,WB-b6,NB", "manual 5.3");
}

// Section 6: the moves of the pieces

#[test]
fn section_6_consecutive_squares() {
    // The three examples: b5,WB and b6,BB are; a2,QL and a9,ql are not; b5,WB and b5,NB are not.
    let p =
        at("2k1/4/4/4|4/4/4/4|R3/4/4/2K1|QL@Q1v:R1/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "b5,WB-b6,BB");
    assert_illegal(&p, "b5,WB-b5,NB", "manual 6");
    assert_illegal(&p, "a2,QL-a9,ql", "manual 6");
    // A gap ends a line, along a rank as along a file (ruling A1).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/1R|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_illegal(&p, "b1,QL-e1,KL", "manual 6");
    assert_goes(
        &p,
        "b1,QL",
        "a1,QL b2,QL b2,WB b3,WB b4,WB b4,NB b5,WB b5,NB b6,NB b6,BB b7,NB b7,BB b8,BB b9,BB b9,ql b10,ql",
    );
    // A board in the gap makes a way.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@K3v:2/2|KL@Q3v:2/R1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "a3,KL-a4,KL a3,KL-b3,WB a3,KL-e3,WB a3,KL-f3,QL");
    assert_illegal(&p, "a3,KL-a9,ql", "manual 6");
}

#[test]
fn section_6_1_king() {
    let p =
        at("2k1/4/4/4|4/4/4/4|1K2/4/4/4|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "c5,WB",
        "b4,WB b4,NB c4,WB c4,NB d4,WB d4,NB b5,WB b5,NB d5,WB d5,NB \
         b6,NB b6,BB c6,NB c6,BB d6,NB d6,BB",
    );
    assert_illegal(&p, "c5,WB-c5,NB", "manual 6");
    assert_illegal(&p, "c5,WB-c7,NB", "manual 6.1");
    // Not to an attacked square, whatever its level.
    let p =
        at("2k1/r3/4/4|4/4/4/4|1K2/4/4/4|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(
        &p,
        "c5,WB",
        "c4,WB c4,NB d4,WB d4,NB d5,WB d5,NB c6,NB c6,BB d6,NB d6,BB",
    );
    assert_illegal(&p, "c5,WB-b4,WB", "manual 10.1");
    // The only moves of the king: there is no castling (ruling A5).
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/R1|KL@K1v:2/1R|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    for side in CastlingSide::ALL {
        assert!(!p.is_legal(Move::Castle(side)));
    }
    assert_illegal(&p, "0-0", "manual 6.1");
    assert_illegal(&p, "0-0-0", "manual 6.1");
}

const ROOK: &str = "c2,WB c3,WB c5,WB c5,NB c6,NB c6,BB c7,NB c7,BB c8,BB c9,BB \
                    b4,WB b4,NB d4,WB d4,NB e4,WB e4,NB";
const BISHOP: &str = "d5,WB d5,NB e6,NB e6,BB b5,WB b5,NB d3,WB e2,WB e2,KL f1,KL b3,WB a2,QL";

#[test]
fn section_6_2_queen() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1Q2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "c4,WB", &format!("{ROOK} {BISHOP}"));
    assert_illegal(&p, "c4,WB-d6,NB", "manual 6.2");
    assert_illegal(&p, "c4,WB-c4,NB", "manual 6");
}

#[test]
fn section_6_3_rook() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1R2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "c4,WB", ROOK);
    assert_illegal(&p, "c4,WB-d5,NB", "manual 6.3");
}

#[test]
fn section_6_4_bishop() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1B2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "c4,WB", BISHOP);
    assert_illegal(&p, "c4,WB-c5,NB", "manual 6.4");
    // On a diagonal too a column with a vacant square is passed, one that is full is not.
    let p = at(
        "2k1/4/4/4|4/4/4/4|2n1/1B2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_legal(&p, "c4,WBxd5,WB c4,WB-d5,NB c4,WB-e6,BB");
    let p = at(
        "2k1/4/4/4|4/4/2n1/4|2n1/1B2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_illegal(&p, "c4,WB-e6,BB", "manual 5.3");
}

#[test]
fn section_6_5_knight() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1N2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let all = "b6,NB b6,BB d6,NB d6,BB b2,WB b2,QL e5,WB e5,NB e3,WB";
    assert_goes(&p, "c4,WB", all);
    assert_illegal(&p, "c4,WB-c6,NB", "manual 6.5");
    // The square of the first step may be held, on every level.
    let p = at(
        "2k1/4/4/4|4/4/1P2/2p1|1P2/1Np1/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c4,WB", all);
    // But it has to exist (ruling A2): from a2 over a3 it does not, over b2 it does.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:N1/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "a2,QL", "c3,WB");
    assert_illegal(&p, "a2,QL-b4,WB", "manual 6.5");
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/2K1/4|QL@Q1v:2/1N|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b1,QL", "c3,WB");
    assert_illegal(&p, "b1,QL-d2,WB", "manual 6.5");
    // With a board on pin QP5, a3 exists.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:N1/2|KL@Q3v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "a2,QL", "c3,WB b4,WB b4,NB b4,KL");
}

#[test]
fn section_6_6_a_pawns_go_forward_only() {
    let p = at(
        "2k1/4/4/4|1p2/4/4/4|4/1P2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c4,WB", "c5,WB c5,NB");
    for token in ["c4,WB-c3,WB", "c4,WB-d4,WB"] {
        assert_illegal(&p, token, "manual 6.6(a)");
    }
    assert_goes(&passed(&p), "c7,NB", "c6,NB c6,BB");
}

#[test]
fn section_6_6_b_one_or_two_vacant_squares_from_the_original_square() {
    let p = at(
        "2k1/1p2/4/4|4/4/4/4|4/4/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c3,WB", "c4,WB c4,NB c5,WB c5,NB");
    assert_goes(&passed(&p), "c8,BB", "c7,NB c7,BB c6,NB c6,BB");
    // Afterwards one.
    let later = play(&p, "c3,WB-c4,WB c8,BB-c7,BB");
    assert_goes(&later, "c4,WB", "c5,WB c5,NB");
    assert_illegal(&later, "c4,WB-c6,NB", "manual 6.6(b)");
    // A vacant square of the column crossed is enough (ruling A3, unlike Meder's).
    let p = at(
        "2k1/4/4/4|4/4/4/1b2|4/4/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c3,WB", "c4,WB c5,WB c5,NB");
    let p = at(
        "2k1/4/4/4|4/4/4/1b2|4/1N2/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c3,WB", "");
    assert_illegal(&p, "c3,WB-c5,NB", "manual 5.3");
    assert_illegal(&p, "c3,WBxc4,NB", "manual 6.6(b)");
    // From the attack boards.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/1P|KL@K1v:P1/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b1,QL", "b2,QL b2,WB b3,WB");
    assert_goes(&p, "e2,KL", "e3,WB e4,WB e4,NB");
    // Taking: one square diagonally, any level, and only to take.
    let p = at(
        "2k1/4/4/4|4/4/2n1/4|n3/1P2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    assert_goes(&p, "c4,WB", "c5,WB c5,NB b5,WB d5,NB");
    assert_illegal(&p, "c4,WBxd5,WB", "manual 6.6(b)");
}

#[test]
fn section_6_6_b_a_pawn_turned_with_its_board_has_left_its_original_square() {
    // Ruling C2: turned there and back it stands where it began, and advances one.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/1P|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let once = play(&p, "QP1r");
    assert_eq!(piece(&once, "a2,QL"), Some('P'));
    let twice = play(&once, "QP12-QP10 QP1r QP10-QP12");
    assert_eq!(piece(&twice, "b1,QL"), Some('P'));
    assert_goes(&twice, "b1,QL", "b2,QL b2,WB");
    assert_eq!(position(Manual, &line(&twice)), twice);
}

#[test]
fn section_6_6_c_en_passant() {
    let p = at(
        "2k1/4/4/4|4/4/p3/4|2p1/4/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    let p = play(&p, "c3,WB-c5,NB");
    assert_goes(&p, "d5,WB", "d4,WB d4,NB c4,WB c4,NB");
    assert_goes(&p, "b5,NB", "b4,WB b4,NB c4,WB c4,NB");
    for to in ["c4,WB", "c4,NB"] {
        let after = play(&p, &format!("d5,WBx{to}e.p."));
        assert_eq!(piece(&after, "c5,NB"), None);
        assert_eq!(piece(&after, to), Some('p'));
    }
    // Only in immediate reply.
    let later = play(&p, "QP12-QP10 QP1-QP3");
    assert_goes(&later, "d5,WB", "d4,WB d4,NB");
    assert_illegal(&later, "d5,WBxc4,WBe.p.", "manual 6.6(c)");
    // Not after one rank.
    let p =
        at("2k1/4/4/4|4/4/4/4|2p1/1P2/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9");
    let p = play(&p, "c4,WB-c5,NB");
    assert_goes(&p, "d5,WB", "d4,WB d4,NB");
}

#[test]
fn section_6_6_c_only_onto_a_vacant_square_of_the_column_crossed() {
    // Ruling A3: what stands there is taken in the ordinary way, and the passing pawn stays.
    let p = at(
        "2k1/4/4/4|4/4/4/1N2|2p1/4/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    let p = play(&p, "c3,WB-c5,WB");
    assert_goes(&p, "d5,WB", "d4,WB d4,NB c4,WB c4,NB");
    let passing = play(&p, "d5,WBxc4,WB");
    assert_eq!(
        (piece(&passing, "c5,WB"), piece(&passing, "c4,NB")),
        (None, Some('N'))
    );
    let ordinary = play(&p, "d5,WBxc4,NB");
    assert_eq!(
        (piece(&ordinary, "c5,WB"), piece(&ordinary, "c4,NB")),
        (Some('P'), Some('p'))
    );
    // An own piece there is not taken.
    let p = at(
        "2k1/4/4/4|4/4/4/1b2|2p1/4/1P2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    let p = play(&p, "c3,WB-c5,WB");
    assert_goes(&p, "d5,WB", "d4,WB d4,NB c4,WB");
}

#[test]
fn section_6_6_c_and_d_en_passant_that_reaches_the_last_rank_promotes() {
    // b1 to b3 past a pawn on c3: the capturer arrives on rank 2.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/1pK1/4|QL@Q1v:2/1P|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let p = play(&p, "b1,QL-b3,WB");
    assert_eq!(promotions(&p, "c3,WB", "b2,WB"), "QRBN");
    assert_eq!(promotions(&p, "c3,WB", "b2,QL"), "QRBN");
    let after = play(&p, "c3,WBxb2,QL=Ne.p.");
    assert_eq!(
        (piece(&after, "b2,QL"), piece(&after, "b3,WB")),
        (Some('n'), None)
    );
    // White alike.
    let p =
        at("4/2P1/2k1/4|4/4/4/4|4/4/2K1/4|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:p1/2 b - - - 0 10");
    let p = play(&p, "e10,kl-e8,BB");
    assert_eq!(promotions(&p, "d8,BB", "e9,BB"), "QRBN");
    assert_eq!(promotions(&p, "d8,BB", "e9,kl"), "QRBN");
}

#[test]
fn section_6_6_d_promotion_on_the_last_fixed_board_rank() {
    // On the fixed board and on an attack board alike (ruling A4), and to a second queen.
    let p = at(
        "4/P2P/4/4|1P2/2k1/4/4|4/4/1Q2/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    );
    for to in ["b9,BB", "b9,ql"] {
        assert_eq!(promotions(&p, "b8,BB", to), "QRBN", "{to}");
    }
    for to in ["e9,BB", "e9,kl"] {
        assert_eq!(promotions(&p, "e8,BB", to), "QRBN", "{to}");
    }
    assert_eq!(promotions(&p, "c7,NB", "c8,BB"), "-");
    // By a capture too.
    let p = at(
        "1n2/P3/4/4|4/2k1/4/4|4/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/n1|kl@K6:2/2 w - - - 0 10",
    );
    assert_eq!(promotions(&p, "b8,BB", "a9,ql"), "QRBN");
    assert_eq!(promotions(&p, "b8,BB", "c9,BB"), "QRBN");
    // Black on rank 2, whether or not a board is there.
    let p =
        at("2k1/4/4/4|4/4/4/4|1K2/3p/p2p/4|QL@Q1v:2/2|KL@K3:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_eq!(promotions(&p, "b3,WB", "b2,WB"), "QRBN");
    assert_eq!(promotions(&p, "b3,WB", "b2,QL"), "QRBN");
    assert_eq!(promotions(&p, "e3,WB", "e2,WB"), "QRBN");
    assert_eq!(promotions(&p, "e4,WB", "e3,KL"), "-");
    // 8.3: without the new piece it is no move; the new piece acts at once.
    let p =
        at("3k/P3/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    let m = Move::Piece {
        from: square(&p, "b8,BB"),
        to: square(&p, "b9,BB"),
        promotion: None,
    };
    assert_eq!(p.explain(m).map(|e| e.article), Some("manual 6.6(d)"));
    assert!(play(&p, "b8,BB-b9,BB=R").is_check());
    assert!(!play(&p, "b8,BB-b9,BB=N").is_check());
}

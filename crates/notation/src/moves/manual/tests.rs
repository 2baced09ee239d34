use super::parser::{self, *};
use crate::San;
use crate::moves::common::{self, Hand};
use crate::moves::grammar::{self, takes};
use crate::names;
use crate::resolve::resolve;
use crate::testing::{Random, position, setup, square as square_named};
use crate::text::{Locale, MovePattern, MoveText, Notation, SyntaxError, WriteOptions};
use crate::write;
use tridex_geometry::Wing;
use tridex_geometry::stair::{AttackBoard, Column, Corner, Layout, MainBoard, Pin, Surface};
use tridex_rules::{Color, Position, RuleSystem};

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Manual, token, locale)
}

const EN: Hand = Hand::of(Locale::English);

const RULES: &[(&str, grammar::Accepts)] = &[
    ("move", |t| parse(t, None).is_ok()),
    ("castling_move", |t| takes(t, common::castling_move)),
    ("board_move", |t| takes(t, board_move(EN))),
    ("board_promotion", |t| takes(t, board_promotion(EN))),
    ("piece_move", |t| takes(t, piece_move(EN))),
    ("piece", |t| takes(t, parser::piece(EN))),
    ("square", |t| takes(t, square(EN))),
    ("file", |t| takes(t, file(EN))),
    ("rank", |t| takes(t, rank)),
    ("board", |t| takes(t, board)),
    ("pin", |t| takes(t, pin(EN))),
];

#[test]
fn the_grammar_is_what_the_functions_read() {
    grammar::check(include_str!("../../../../../grammars/manual.ebnf"), RULES);
}

/// Reads a full move in a position, writes it, and reads what was written.
fn writes(position: &Position, full: &str) -> String {
    let text = parse(full.as_bytes(), None).unwrap_or_else(|e| panic!("{full}: {e:?}"));
    let mv = resolve(&text, position).unwrap_or_else(|e| panic!("{full}: {e}"));
    let mut text = String::new();
    write(
        Notation::Manual,
        position,
        mv,
        &WriteOptions::default(),
        &mut text,
    )
    .unwrap();
    let read = parse(text.as_bytes(), None).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert_eq!(
        resolve(&read, position),
        Ok(mv),
        "{text} does not say {full}"
    );
    text
}

/// Asserts that each move is written as it was read.
fn stay(position: &Position, tokens: &[&str]) {
    for token in tokens {
        assert_eq!(writes(position, token), *token);
    }
}

const HOME: &str = "Q1v K1v Q6 K6";

fn manual(turn: Color, pins: &str, men: &str) -> Position {
    position(RuleSystem::Manual, turn, pins, men)
}

#[test]
fn section_2_1_the_names_of_the_boards() {
    let layout = Layout::start(Surface::Under);
    for (square, name) in [
        (MainBoard::White.square(Column::new(2, 3)), "c4,WB"),
        (MainBoard::Neutral.square(Column::new(2, 3)), "c4,NB"),
        (MainBoard::Black.square(Column::new(2, 8)), "c9,BB"),
        (Some(AttackBoard::WhiteKing.square(0, 0)), "e1,KL"),
        (Some(AttackBoard::BlackKing.square(1, 1)), "f10,kl"),
        (Some(AttackBoard::WhiteQueen.square(0, 1)), "a2,QL"),
        (Some(AttackBoard::BlackQueen.square(1, 0)), "b9,ql"),
    ] {
        assert_eq!(
            names::square(Notation::Manual, Some(&layout), square.unwrap()),
            name
        );
    }
}

#[test]
fn section_2_2_attack_squares_follow_their_board() {
    // QL at QP1: a1 b1 a2 b2; at QP3: a5 b5 a6 b6. b4,WB is the example of a fixed square.
    let names = |pins: &str| {
        let setup = setup(pins, "Kc1W kb8B");
        let layout = setup.layout.unwrap();
        AttackBoard::WhiteQueen
            .squares()
            .into_iter()
            .map(|square| names::square(Notation::Manual, Some(&layout), square))
            .collect::<Vec<_>>()
    };
    assert_eq!(names("Q1v K1v Q6 K6"), ["a1,QL", "b1,QL", "a2,QL", "b2,QL"]);
    assert_eq!(names("Q2v K1v Q6 K6"), ["a5,QL", "b5,QL", "a6,QL", "b6,QL"]);
    assert_eq!(
        Pin::from_manual(Wing::Queen, 3).unwrap(),
        Pin::new(Wing::Queen, Corner::new(2), Surface::Under)
    );
    let layout = Layout::start(Surface::Under);
    let fixed = MainBoard::White.square(Column::new(1, 3)).unwrap();
    assert_eq!(
        names::square(Notation::Manual, Some(&layout), fixed),
        "b4,WB"
    );
}

#[test]
fn section_2_3_pins_below_are_odd_above_even() {
    for number in 1..=12 {
        for (wing, letters) in [(Wing::Queen, "QP"), (Wing::King, "KP")] {
            let pin = Pin::from_manual(wing, number).unwrap();
            let name = format!("{letters}{number}");
            assert_eq!(names::pin(Notation::Manual, pin), name);
            assert_eq!(pin.surface() == Surface::Under, number % 2 == 1);
            let turn = parse(format!("{name}r").as_bytes(), None).unwrap();
            assert!(
                matches!(turn.kind, MovePattern::Board(board) if board.to == pin && board.turned)
            );
        }
    }
}

#[test]
fn section_2_4_a_moves() {
    stay(
        &manual(Color::White, HOME, "Kd1W kb8B Pa2W Nb3W Re0KL1v"),
        &[
            "c4,WB-b6,NB",
            "c4,WB-b6,BB",
            "b3,WB-b4,WB",
            "b3,WB-b5,NB",
            "f1,KL-f2,KL",
            "e2,WB-d2,WB",
        ],
    );
}

#[test]
fn section_2_4_b_captures() {
    let position = manual(Color::White, HOME, "Kd1W kb8B Pa2W Nb3W rb3N na4N");
    stay(&position, &["b3,WBxc4,NB"]);
    let spellings = [
        "b3,WB:c4,NB",
        "b3, WBxc4, NB",
        "Pb3,WBxc4,NB",
        "b3,wbxc4,nb",
        "b3,WB-c4,NB",
    ];
    for spelling in spellings {
        assert_eq!(writes(&position, spelling), "b3,WBxc4,NB", "{spelling}");
    }
}

#[test]
fn section_2_4_c_boards_move() {
    // 7.1 and its examples: KP1 has QP1, KP3 and KP2; KP5 has QP5, KP7, KP6, KP2 and KP4.
    let from_1 = manual(Color::White, "Q3v K1v Q6 K6", "Kc1W kb8B");
    stay(&from_1, &["KP1-QP1", "KP1-KP3", "KP1-KP2"]);
    let from_5 = manual(Color::White, "Q1v K3v Q6 K6", "Kc1W kb8B");
    stay(
        &from_5,
        &["KP5-QP5", "KP5-KP7", "KP5-KP6", "KP5-KP2", "KP5-KP4"],
    );
    for no in ["KP5-KP3", "KP5-QP6", "KP1-KP2"] {
        let text = parse(no.as_bytes(), None).unwrap();
        assert!(resolve(&text, &from_5).is_err(), "{no}");
    }
}

#[test]
fn section_2_4_d_boards_turn() {
    let position = manual(Color::White, HOME, "Kc1W kb8B Rz0QL1v");
    stay(&position, &["QP1r"]);
    // QP2 is another pin, and no board stands on it.
    let text = parse(b"QP2r", None).unwrap();
    assert!(resolve(&text, &position).is_err());
}

#[test]
fn extensions_promotion_and_en_passant() {
    // 6.6(d): rank 9 of the manual. 6.6(c): the pawn may rest on either level.
    stay(
        &manual(Color::White, HOME, "Kc1W kd5N Pb7B"),
        &["c8,BB-c9,BB=Q", "c8,BB-c9,BB=N"],
    );
    let mut setup = setup(HOME, "Kc1W kd8B Pb5N pa5N");
    setup.en_passant = Some(square_named(setup.layout.as_ref().unwrap(), "a5N"));
    let position = Position::from_setup(RuleSystem::Manual, &setup).unwrap();
    stay(&position, &["c6,NBxb7,BBe.p.", "c6,NBxb7,NBe.p."]);
    assert_eq!(writes(&position, "c6,NBxb7,BB e.p."), "c6,NBxb7,BBe.p.");
}

#[test]
fn extensions_under_other_rules() {
    // notation.md: for games of meder and federation both pins of a corner mean the one above; the even number is
    // written. Castling, a board that turns as it goes, promotion by a board.
    let meder = position(
        RuleSystem::Meder,
        Color::White,
        "Q1 K1 Q4 K6",
        "Kc1W kd5N Pz7QL4 Pd1KL1",
    );
    assert_eq!(writes(&meder, "KP1-KP5"), "KP2-KP6");
    assert_eq!(writes(&meder, "KP2-KP6"), "KP2-KP6");
    let wait = position(
        RuleSystem::Meder,
        Color::White,
        "Q6 K1 K4 K6",
        "Kc1W kd5N Pa8B",
    );
    stay(&wait, &["QP12-QP8/b9,BB=Q", "QP12-QP10/b9,BB=N"]);
    assert_eq!(writes(&wait, "QP11-QP7/b9,BB=Q"), "QP12-QP8/b9,BB=Q");
    let federation = position(
        RuleSystem::Federation,
        Color::White,
        "Q1 K1 Q6 K6",
        "Kc1W kd5N Pz0QL1",
    );
    stay(&federation, &["QP2-QP6", "QP2-QP6r", "QP2-QP4r"]);
}

#[test]
fn errors_say_where_and_what() {
    for (token, offset, expected) in [
        ("", 0, "a file from a to f"),
        ("b3,WB", 5, "a hyphen or a capture mark"),
        ("b3,WB-", 6, "a file from a to f"),
        ("b3,X", 3, "a board: WB, NB, BB, QL, KL, ql or kl"),
        ("b0,WB", 1, "a rank from 1 to 10"),
        ("QP1", 3, "a hyphen and a pin, or r for a turn"),
        ("QP0r", 2, "the number of a pin, 1 to 12"),
        ("b3,WB-b5,NBx", 11, "the end of the move"),
    ] {
        assert_eq!(
            parse(token.as_bytes(), None),
            Err(SyntaxError { offset, expected }),
            "{token}"
        );
    }
}

#[test]
fn no_bytes_make_the_reader_panic_and_the_fast_path_agrees() {
    let mut random = Random(11);
    let alphabet = b"abcdefWNBQKLPqkl,0123456789xX:-=()+#!?/r ep.\xE2\x99\x94\xFF\x00";
    let mut fast_ones = 0;
    for round in 0..400_000 {
        let mut token: Vec<u8> = (0..random.below(16))
            .map(|_| match round % 4 {
                0 => random.next() as u8,
                _ => alphabet[random.below(alphabet.len())],
            })
            .collect();
        if round % 2 == 0 {
            // Mostly right: parts of moves put together.
            token.clear();
            let square = [
                &["a", "c", "f", "g"][..],
                &["1", "9", "10", "0"],
                &[",", ",", ", ", ""],
                &["WB", "NB", "BB", "QL", "kl", "kL", "wb"],
            ];
            for parts in square
                .into_iter()
                .chain([&["-", "x", ":"][..]])
                .chain(square)
                .chain([&["", "", "=Q", "+"][..]])
            {
                token.extend(parts[random.below(parts.len())].as_bytes());
            }
        }
        for locale in [Locale::English, Locale::German] {
            let slow = crate::parse_by_grammar(Notation::Manual, &token, locale);
            if let Err(error) = slow {
                assert!(error.offset <= token.len(), "{token:?}");
            }
            if let Some(fast) = San::read(Notation::Manual, &token, locale).map(|san| san.text()) {
                assert_eq!(slow, Ok(fast), "{token:?}");
                fast_ones += 1;
            }
        }
    }
    assert!(fast_ones > 1_000);
}

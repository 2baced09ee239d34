use super::parser::{self, *};
use crate::moves::common::{self, Hand};
use crate::names;
use crate::testing::{Random, setup};
use crate::text::{Locale, MovePattern, MoveText, Notation};
use tridex_geometry::Wing;
use tridex_geometry::stair::{AttackBoard, Column, Corner, Layout, MainBoard, Pin, Surface};
use tridex_grammar::{
    SyntaxError,
    examples::{self, takes},
};

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Manual, token, locale)
}

const EN: Hand = Hand::of(Locale::English);

const RULES: &[(&str, examples::Accepts<[u8]>)] = &[
    ("move", |t| parse(t, None).is_ok()),
    ("castling_move", |t| takes(t, common::castling_move)),
    ("board_move", |t| takes(t, board_move(EN))),
    ("board_promotion", |t| {
        takes(t, common::board_promotion(EN, || square(EN)))
    }),
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
    examples::check::<[u8]>(include_str!("../../../../../grammars/manual.ebnf"), RULES);
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
                matches!(turn.pattern(), MovePattern::Board(board) if board.to == pin && board.turned)
            );
        }
    }
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let mut random = Random::new(11);
    let alphabet = b"abcdefWNBQKLPqkl,0123456789xX:-=()+#!?/r ep.\xE2\x99\x94\xFF\x00";
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
            if let Err(error) = parse(&token, Some(locale)) {
                assert!(error.offset <= token.len(), "{token:?}");
            }
        }
    }
}

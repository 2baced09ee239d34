use super::parser::*;
use super::*;
use proptest::prelude::*;
use tridex_geometry::stair::{AttackBoard, Board, Column, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Square, cube};
use tridex_grammar::examples::{self, takes};
use tridex_rules::{Castling, CastlingSide, Color, Piece, Position, Role, RuleSystem, Setup};

/// The five starts, as the design fixes them.
const STARTS: [&str; 4] = [
    "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1",
    "bqkb/pppp/4/4|4/4/4/4|4/4/PPPP/BQKB|QL@Q1v:NP/RP|KL@K1v:PN/PR|ql@Q6:rp/np|kl@K6:pr/pn w - - - 0 1",
    "bqkb/pppp/4/4|4/4/4/4|4/4/PPPP/BQKB|QL@Q1:NP/RP|KL@K1:PN/PR|ql@Q6:rp/np|kl@K6:pr/pn w KQkq - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1",
];

const SYSTEMS: [RuleSystem; 5] = [
    RuleSystem::Meder,
    RuleSystem::Manual,
    RuleSystem::Federation,
    RuleSystem::Millennium,
    RuleSystem::Chess3,
];

fn stair(file: u8, rank: u8, board: Board, setup: &Setup) -> Option<Piece> {
    let layout = setup.layout.expect("a stair setup");
    setup.piece(layout.square(board, Column::new(file, rank)).unwrap())
}

#[test]
fn every_system_starts_with_its_string() {
    let strings = SYSTEMS.map(|rules| to_string(&rules.start()));
    let [meder, manual, federation, cube] = STARTS;
    assert_eq!(strings, [meder, manual, federation, cube, cube]);
}

#[test]
fn positions_of_games_come_back() {
    let mut fields = [0_usize; 3];
    let mut state = 7_usize;
    for rules in SYSTEMS {
        for _ in 0..6 {
            let mut position = Position::start(rules);
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                position.play_unchecked(moves[(state >> 33) % moves.len()]);
                let setup = position.to_setup();
                let text = to_string(&setup);
                let read = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(read, setup, "{text}");
                let again = Position::from_setup(rules, &read);
                assert_eq!(again.as_ref(), Ok(&position), "{text}");
                fields[0] += usize::from(setup.en_passant.is_some());
                fields[1] += usize::from(!setup.moved.is_empty());
                fields[2] += usize::from(text.contains("v:"));
            }
        }
    }
    assert!(fields.iter().all(|count| *count > 0), "{fields:?}");
}

#[test]
fn the_starts_are_canonical() {
    for start in STARTS {
        let setup = parse(start).unwrap_or_else(|error| panic!("{start}: {error}"));
        assert_eq!(to_string(&setup), start);
        assert_eq!(setup.pieces().count(), 32);
    }
}

#[test]
fn pieces_land_where_the_rules_put_them() {
    // Meder, Article 3.5: the castling squares fix king and rook; the other squares by ruling start-position.
    let setup = parse(STARTS[0]).unwrap();
    let kl = Board::Attack(AttackBoard::WhiteKing);
    let black_ql = Board::Attack(AttackBoard::BlackQueen);
    let white = |role| Some(Piece::new(Color::White, role));
    let black = |role| Some(Piece::new(Color::Black, role));
    assert_eq!(stair(4, 0, kl, &setup), white(Role::King));
    assert_eq!(stair(5, 0, kl, &setup), white(Role::Rook));
    assert_eq!(stair(4, 1, kl, &setup), white(Role::Pawn));
    assert_eq!(stair(0, 9, black_ql, &setup), black(Role::Rook));
    assert_eq!(stair(1, 9, black_ql, &setup), black(Role::Queen));
    let w = Board::Main(MainBoard::White);
    let b = Board::Main(MainBoard::Black);
    assert_eq!(stair(1, 1, w, &setup), white(Role::Knight));
    assert_eq!(stair(2, 8, b, &setup), black(Role::Bishop));
    assert_eq!(stair(2, 7, b, &setup), black(Role::Pawn));

    // Millennium 1.2: the white king is on 1e1, the black one on 3e8.
    let setup = parse(STARTS[3]).unwrap();
    let at = |level, file, rank| setup.piece(cube::try_square(level, file, rank).unwrap());
    assert_eq!(at(0, 4, 0), white(Role::King));
    assert_eq!(at(2, 4, 7), black(Role::King));
    assert_eq!(at(0, 0, 1), white(Role::Pawn));
    assert_eq!(at(2, 7, 6), black(Role::Pawn));
    assert_eq!(at(2, 4, 0), None);
}

#[test]
fn rights_squares_and_counters_are_read() {
    let text = "4/4/4/4|4/4/1P2/4|4/4/P3/4|QL@Q1v:P1/2|KL@Q1:2/2|ql@Q3:2/2|kl@K6:2/2 b Kq b4N a2W,z1QL1v 7 31";
    let setup = parse(text).unwrap();
    assert_eq!(setup.turn, Color::Black);
    assert_eq!(
        setup.castling,
        Castling::NONE
            .with(Color::White, CastlingSide::King)
            .with(Color::Black, CastlingSide::Queen)
    );
    assert_eq!(
        setup.en_passant,
        MainBoard::Neutral.square(Column::new(2, 4))
    );
    let moved: Vec<_> = setup.moved.into_iter().collect();
    assert_eq!(
        moved,
        [
            MainBoard::White.square(Column::new(1, 2)).unwrap(),
            AttackBoard::WhiteQueen.square(0, 1)
        ]
    );
    assert_eq!((setup.halfmoves, setup.fullmoves), (7, 31));
    assert_eq!(to_string(&setup), text);

    let text = "k7/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/4P3/8/P7/K7 b - 1e4 1a2 0 9";
    let setup = parse(text).unwrap();
    assert_eq!(setup.en_passant, cube::try_square(0, 4, 3));
    assert_eq!(to_string(&setup), text);
}

#[test]
fn what_is_forgiven_is_put_right() {
    let canonical =
        "4/4/4/4|4/4/4/4|4/4/P3/4|QL@Q1:P1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6v:2/2 w KQ - a2W,z1QL1 0 1";
    for text in [
        "  4/4/4/4|4/4/4/4|4/4/P3/4|QL@Q1:P1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6v:2/2 w KQ - a2W,z1QL1 0 1\n",
        "4/4/4/4|4/4/4/4|4/4/P3/4|QL@Q1:P1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6v:2/2\tw  KQ - a2W,z1QL1",
        "4/4/4/4|4/4/4/4|4/4/P3/4|kl@K6v:2/2|QL@Q1:P1/2|KL@K1:2/2|ql@Q6:2/2 w QK - z1QL1,a2W 0 1",
        "4/4/4/1111|4/4/22/4|4/4/P12/4|QL@QL1:P1/2|KL@K1:2/2|ql@QL6:2/2|kl@KL6v:2/11 w KQ - a2W,z1QL1 00 01",
    ] {
        let setup = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(to_string(&setup), canonical, "{text}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let boards = "|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2";
    let empty = "4/4/4/4|4/4/4/4|4/4/4/4";
    let good = format!("{empty}{boards}");
    let cases: &[(String, usize, &str, &str)] = &[
        (
            "".into(),
            0,
            "placement",
            "a piece letter or a count of empty squares, four squares in all",
        ),
        (
            "nbbn/ppxp".into(),
            7,
            "placement",
            "a piece letter or a count of empty squares, four squares in all",
        ),
        (
            "nbbn/p4".into(),
            6,
            "placement",
            "a piece letter or a count of empty squares, four squares in all",
        ),
        ("nbbn pppp".into(), 4, "placement", "`/` and the next rank"),
        (
            "rnbqkbnr/ppppppppp/".into(),
            17,
            "placement",
            "`/` and the next rank",
        ),
        (
            "rnbqkbnr/9/".into(),
            9,
            "placement",
            "a piece letter or a count of empty squares, eight squares in all",
        ),
        (empty.into(), 23, "placement", "`|` and the next board"),
        (
            format!("{empty}|Ql@Q1:2/2"),
            24,
            "placement",
            "an attack board: QL, KL, ql or kl",
        ),
        (
            format!("{empty}|QL@Q7:2/2"),
            28,
            "placement",
            "a pin number 1 to 6",
        ),
        (
            format!("{empty}|QL@Q1:2/2|QL@K1:2/2"),
            34,
            "placement",
            "an attack board that is not yet placed",
        ),
        (
            format!("{empty}|QL@Q1:2/2|KL@Q1:2/2"),
            37,
            "placement",
            "a pin without another attack board",
        ),
        // The first of two faults.
        (
            format!("{empty}|QL@Q1:2/2|KL@Q1:9"),
            37,
            "placement",
            "a pin without another attack board",
        ),
        (
            format!("{empty}|QL@Q1:2/2|QL@x"),
            34,
            "placement",
            "an attack board that is not yet placed",
        ),
        (
            good.clone(),
            good.len(),
            "side to move",
            "a space and the side to move",
        ),
        (
            format!("{good}x"),
            good.len(),
            "side to move",
            "a space and the side to move",
        ),
        (
            format!("{good} x"),
            good.len() + 1,
            "side to move",
            "the side to move, w or b",
        ),
        (
            format!("{good} w KQK"),
            good.len() + 5,
            "castling",
            "castling rights out of K, Q, k, q, each at most once, or -",
        ),
        (
            format!("{good} w - e2"),
            good.len() + 7,
            "en passant",
            "a level W, N, B or a pin like QL1",
        ),
        (
            format!("{good} w - z2QL3"),
            good.len() + 5,
            "en passant",
            "a square that exists in this placement",
        ),
        (
            format!("{good} w - - 0 1"),
            good.len() + 7,
            "moved pawns",
            "- or a square, beginning with a file z, a to e",
        ),
        (
            format!("{good} w - - a2W,a2W"),
            good.len() + 11,
            "moved pawns",
            "a square that is not yet in the list",
        ),
        (
            format!("{good} w - - - 0"),
            good.len() + 10,
            "move number",
            "a space and the move number",
        ),
        (
            format!("{good} w - - - 0 99999999999"),
            good.len() + 11,
            "move number",
            "a number up to 4294967295",
        ),
        (
            format!("{good} w - - - 0 1 x"),
            good.len() + 13,
            "move number",
            "the end of the position string",
        ),
    ];
    for (text, offset, field, expected) in cases {
        let error = parse(text).expect_err(text);
        assert_eq!(
            (
                error.offset,
                error.part.map(|part| part.name),
                error.expected
            ),
            (*offset, Some(*field), *expected),
            "{text}"
        );
    }
    let error = parse(&format!("{good} w")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "position string, castling (byte {}): expected a space and the castling rights",
            good.len() + 2
        )
    );
}

#[test]
fn the_grammar_and_the_functions_agree() {
    const START: &Layout = &Layout::start(Surface::Over);
    fn squares(count: u8) -> impl Iterator<Item = Square> + Clone {
        (0..count).map(Square::new)
    }
    examples::check::<str>(
        include_str!("../../../../grammars/position.ebnf"),
        &[
            ("position", |t| takes(t, position)),
            ("placement", |t| takes(t, placement)),
            ("stair_placement", |t| takes(t, stair_placement)),
            ("cube_placement", |t| takes(t, cube_placement)),
            ("main_board", |t| takes(t, main_board(MainBoard::White))),
            ("attack_board", |t| takes(t, attack_board(&[]))),
            ("board_name", |t| takes(t, board_name)),
            ("pin", |t| takes(t, pin)),
            ("wing", |t| takes(t, wing)),
            ("cube_level", |t| takes(t, cube_level(0))),
            ("stair_rank", |t| takes(t, stair_rank(squares(4)))),
            ("attack_rank", |t| takes(t, attack_rank(squares(2)))),
            ("cube_rank", |t| takes(t, cube_rank(squares(8)))),
            ("piece", |t| takes(t, piece)),
            ("empties", |t| takes(t, super::ranks::empties)),
            ("turn", |t| takes(t, turn)),
            ("castling", |t| takes(t, castling)),
            ("stair_square", |t| takes(t, stair_square)),
            ("stair_level", |t| takes(t, stair_level)),
            ("pin_level", |t| takes(t, pin_level)),
            ("cube_square", |t| takes(t, cube_square)),
            ("counter", |t| takes(t, counter)),
            ("pin_tail", |t| takes(t, pin_tail)),
            ("en_passant", |t| takes(t, en_passant(Some(START)))),
            ("moved", |t| takes(t, moved(Some(START)))),
            ("existing_square", |t| {
                takes(t, existing_square(Some(START)))
            }),
        ],
    );
}

/// Any piece or, three times out of four, none.
fn any_cell() -> impl Strategy<Value = Option<Piece>> {
    prop_oneof![
        3 => Just(None),
        1 => (any::<bool>(), 0..6_usize).prop_map(|(white, role)| {
            let color = if white { Color::White } else { Color::Black };
            Some(Piece::new(color, Role::ALL[role]))
        }),
    ]
}

fn any_layout() -> impl Strategy<Value = Layout> {
    Just((0..24_usize).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(|order| {
            let pins: Vec<Pin> = Pin::all().collect();
            Layout::try_new([
                pins[order[0]],
                pins[order[1]],
                pins[order[2]],
                pins[order[3]],
            ])
            .unwrap()
        })
}

/// Any setup at all, playable or not.
fn any_setup() -> impl Strategy<Value = Setup> {
    let layout = prop_oneof![Just(None), any_layout().prop_map(Some)];
    let cells = proptest::collection::vec(any_cell(), Square::CAPACITY);
    let squares = proptest::collection::vec(0..192_u8, 0..6);
    (
        layout,
        cells,
        any::<bool>(),
        0..16_u8,
        proptest::option::of(0..192_u8),
        squares,
        any::<u32>(),
        any::<u32>(),
    )
        .prop_map(
            |(layout, cells, white, rights, pawn, moved, halfmoves, fullmoves)| {
                let mut setup = Setup::empty(layout);
                let count = setup.family().squares() as u8;
                for (i, cell) in (0..).zip(&cells) {
                    if let Some(square) = Square::try_new(i) {
                        setup.set_piece(square, *cell);
                    }
                }
                if !white {
                    setup.turn = Color::Black;
                }
                for (bit, (_, color, side)) in CASTLING_LETTERS.into_iter().enumerate() {
                    if rights >> bit & 1 != 0 {
                        setup.castling = setup.castling.with(color, side);
                    }
                }
                setup.en_passant = pawn.map(|i| Square::new(i % count));
                setup.moved = moved.iter().map(|i| Square::new(i % count)).collect();
                (setup.halfmoves, setup.fullmoves) = (halfmoves, fullmoves);
                setup
            },
        )
}

proptest! {
    #[test]
    fn every_setup_comes_back(setup in any_setup()) {
        let text = to_string(&setup);
        let read = parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&setup), "{}", text);
    }

    #[test]
    fn damaged_strings_never_panic_and_print_of_parse_is_idempotent(
        setup in any_setup(),
        at in any::<prop::sample::Index>(),
        put in ".{0,2}",
    ) {
        let text = to_string(&setup);
        let at = at.index(text.len());
        let damaged = format!("{}{put}{}", &text[..at], &text[at + 1..]);
        match parse(&damaged) {
            Ok(read) => {
                let once = to_string(&read);
                let again = parse(&once);
                prop_assert_eq!(again.as_ref(), Ok(&read));
            }
            Err(error) => prop_assert!(damaged.is_char_boundary(error.offset)),
        }
    }

    #[test]
    fn any_text_is_read_without_panic(text in ".{0,80}") {
        let _ = parse(&text);
    }
}

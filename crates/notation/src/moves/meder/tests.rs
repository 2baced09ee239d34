use super::parser::{self, *};
use crate::San;
use crate::moves::common::{self, Hand};
use crate::moves::grammar::{self, takes};
use crate::names;
use crate::resolve::{Mismatch, ResolveError, marks, resolve};
use crate::testing::{Random, meder_move, position, random_games, setup, square as square_named};
use crate::text::{Locale, MoveText, Notation, SyntaxError, TokenNote, WriteOptions};
use crate::{readings, write};
use tridex_geometry::Square;
use tridex_rules::{Castling, CastlingSide, Color, Move, Position, Role, RuleSystem};

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Meder, token, locale)
}

/// English letters as they should be.
const EN: Hand = Hand::of(Locale::English);

/// The functions of the grammar's rules, for English.
const RULES: &[(&str, grammar::Accepts)] = &[
    ("move", |t| parse(t, None).is_ok()),
    ("castling_move", |t| takes(t, common::castling_move)),
    ("castling", |t| takes(t, common::castling)),
    ("zero", |t| takes(t, common::zero)),
    ("board_move", |t| takes(t, board_move(EN))),
    ("board_promotion", |t| takes(t, board_promotion(EN))),
    ("piece_move", |t| takes(t, piece_move(EN))),
    ("way", |t| takes(t, way(EN, false))),
    ("piece", |t| takes(t, parser::piece(EN))),
    ("piece_letter", |t| takes(t, common::piece_letter(EN))),
    ("figurine", |t| takes(t, common::figurine)),
    ("place", |t| takes(t, place(EN, false))),
    ("square", |t| takes(t, square(EN, false))),
    ("said_level", |t| takes(t, said_level(EN, false, Some(4)))),
    ("file", |t| takes(t, file(EN))),
    ("rank", |t| takes(t, rank)),
    ("level", |t| takes(t, level(EN))),
    ("main_level", |t| takes(t, main_level(EN))),
    ("pin", |t| takes(t, pin(EN))),
    ("promotion", |t| takes(t, common::promotion(EN))),
    ("new_piece", |t| takes(t, common::new_piece(EN))),
    ("capture", |t| takes(t, common::capture)),
    ("hyphen", |t| takes(t, common::hyphen)),
    ("tail", |t| takes(t, common::tail)),
    ("remarks", |t| takes(t, common::remarks)),
    ("stop", |t| takes(t, common::stop)),
    ("en_passant", |t| takes(t, common::en_passant)),
    ("check_mark", |t| takes(t, common::check_mark)),
    ("check_word", |t| takes(t, common::check_word)),
    ("draw_offer", |t| takes(t, common::draw_offer)),
    ("comment", |t| takes(t, common::comment)),
    ("evaluation", |t| takes(t, common::evaluation)),
    ("blanks", |t| takes(t, common::blanks)),
];

#[test]
fn the_grammar_is_what_the_functions_read() {
    grammar::check(include_str!("../../../../../grammars/meder.ebnf"), RULES);
}

/// Reads a full move in a position, writes it, and reads what was written.
fn writes(position: &Position, full: &str, options: &WriteOptions) -> String {
    let mv = meder_move(position, full);
    let mut text = String::new();
    write(Notation::Meder, position, mv, options, &mut text).unwrap();
    let read =
        parse(text.as_bytes(), Some(options.locale)).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert_eq!(
        resolve(&read, position),
        Ok(mv),
        "{text} does not say {full}"
    );
    let mut after = position.clone();
    after.play(mv).expect("legal");
    assert!(marks(&read, position, mv, &after).is_empty(), "{text}");
    text
}

const SHORT: WriteOptions = WriteOptions {
    locale: Locale::English,
    full_pawn_captures: false,
    marks: None,
};

const HOME: &str = "Q1 K1 Q6 K6";

/// Turn, pins, men, the move in full, its canonical form. The article is named in front of each group.
type Case<'a> = (Color, &'a str, &'a str, &'a str, &'a str);
use Color::{Black as B, White as W};

fn check_cases(cases: &[Case<'_>], options: &WriteOptions) {
    for (turn, pins, men, full, canonical) in cases {
        let position = position(RuleSystem::Meder, *turn, pins, men);
        assert_eq!(
            writes(&position, full, options),
            *canonical,
            "{men}: {full}"
        );
    }
}

#[test]
fn e7_e9_moves_name_the_piece_and_the_square_of_arrival() {
    check_cases(
        &[
            (W, HOME, "Kc1W kb8B Bb3N", "Bb3N-d5N", "Bd5N"),
            (W, HOME, "Kc1W ka8B Nb4N", "Nb4N-c6B", "Nc6B"),
            (W, HOME, "Kc1W kb8B Rd4W", "Rd4W-d0KL1", "Rd0KL1"),
            (W, HOME, "Kc1W ka8B Pd5N", "d5N-d6B", "d6B"),
            (W, HOME, "Kc1W kb8B Pc3W", "c3W-c4N", "c4N"),
            (W, HOME, "Kc1W kb8B Pa3W", "a3W-a4W", "a4W"),
        ],
        &WriteOptions::default(),
    );
}

#[test]
fn e8_e9_boards_name_the_pin_of_arrival() {
    check_cases(
        &[
            (W, "Q3 K3 Q6 K6", "Kc1W kb8B", "QL3-QL1", "QL1"),
            (W, "Q3 K3 Q6 K6", "Kc1W kb8B", "QL3-QL5", "QL5"),
            (W, HOME, "Kc1W kb8B", "KL1-KL3", "KL3"),
        ],
        &WriteOptions::default(),
    );
}

#[test]
fn e10_captures() {
    check_cases(
        &[
            (W, HOME, "Kc1W kb8B Bb3N nd5N", "Bb3Nxd5N", "Bxd5N"),
            (W, HOME, "Kc1W ka8B Nb4N rc6B", "Nb4Nxc6B", "Nxc6B"),
            (W, HOME, "Kc1W kb8B Rd4W nd0KL1", "Rd4Wxd0KL1", "Rxd0KL1"),
            (W, HOME, "Kc1W kb8B Pa3W pb4W", "a3Wxb4W", "aWxb4W"),
            (W, HOME, "Kc1W kd8B Pc5B pb6N", "c5Bxb6N", "cBxb6N"),
            (
                W,
                "Q1 K1 Q6 K5",
                "Kc1W kb8B Pd4W ne5KL5",
                "d4Wxe5KL5",
                "dWxe5KL5",
            ),
        ],
        &WriteOptions::default(),
    );
}

#[test]
fn e10_en_passant_names_the_square_where_the_pawn_rests() {
    let mut setup = setup(HOME, "Kc1W kd8B Pb5N pa5N");
    setup.en_passant = Some(square_named(setup.layout.as_ref().unwrap(), "a5N"));
    let position = Position::from_setup(RuleSystem::Meder, &setup).unwrap();
    for (full, canonical) in [
        ("b5Nxa6Be.p.", "bNxa6Be.p."),
        ("b5Nxa6Ne.p.", "bNxa6Ne.p."),
        ("bNxa6B e.p.", "bNxa6Be.p."),
        ("bxa6B ep", "bNxa6Be.p."),
    ] {
        assert_eq!(writes(&position, full, &WriteOptions::default()), canonical);
    }
    // The suffix may be missing: nothing else can be meant. The reader is told.
    let text = parse(b"bxa6B", None).unwrap();
    let mv = resolve(&text, &position).unwrap();
    let mut after = position.clone();
    after.play(mv).unwrap();
    let found: Vec<_> = marks(&text, &position, mv, &after).iter().collect();
    assert_eq!(found, [Mismatch::EnPassantMissing]);
}

#[test]
fn e11_two_identical_pieces() {
    let rank = "Kc1W ka8B Nb3W Nd3W";
    let file = "Kc1W ka8B Nb3W Nb7B";
    let neither = "Kc1W kd8B Nb3W Na4N";
    let level = "Kc1W kd8B Nb3W Nb3N";
    let capture = |men: &str| format!("{men} rc5N");
    let (rank_x, file_x, neither_x, level_x) = (
        capture(rank),
        capture(file),
        capture(neither),
        capture(level),
    );
    check_cases(
        &[
            (W, HOME, rank, "Nb3W-c5N", "Nbc5N"),
            (W, HOME, rank, "Nd3W-c5N", "Ndc5N"),
            (W, HOME, file, "Nb3W-c5N", "N3c5N"),
            (W, HOME, file, "Nb7B-c5N", "N7c5N"),
            (W, HOME, neither, "Nb3W-c5N", "Nbc5N"),
            (W, HOME, neither, "Na4N-c5N", "Nac5N"),
            (W, HOME, level, "Nb3W-c5N", "NWc5N"),
            (W, HOME, level, "Nb3N-c5N", "NNc5N"),
            (W, HOME, &rank_x, "Nb3Wxc5N", "Nbxc5N"),
            (W, HOME, &rank_x, "Nd3Wxc5N", "Ndxc5N"),
            (W, HOME, &file_x, "Nb3Wxc5N", "N3xc5N"),
            (W, HOME, &file_x, "Nb7Bxc5N", "N7xc5N"),
            (W, HOME, &neither_x, "Nb3Wxc5N", "Nbxc5N"),
            (W, HOME, &neither_x, "Na4Nxc5N", "Naxc5N"),
            (W, HOME, &level_x, "Nb3Wxc5N", "NWxc5N"),
            (W, HOME, &level_x, "Nb3Nxc5N", "NNxc5N"),
        ],
        &WriteOptions {
            marks: Some(false),
            ..WriteOptions::default()
        },
    );
}

#[test]
fn e11_where_one_part_is_not_enough_two_or_all_are_written() {
    // notation.md: file, rank, level, file+rank, file+level, rank+level, then the full square.
    let corner = "Kc1W ka8B Nb3W Nd3W Nb7B Nb3N";
    let three = "Kc1W ka8B Nb3W Nd3W Nb7B";
    let all = "Kc1W ka8B Nb3W Nb3N Nd3W Nd3N Nb7B";
    check_cases(
        &[
            (W, HOME, three, "Nb3W-c5N", "Nb3c5N"),
            (W, HOME, three, "Nd3W-c5N", "Ndc5N"),
            (W, HOME, three, "Nb7B-c5N", "N7c5N"),
            // b and 3 and W are each shared; b3 is shared with b3N; bW is the knight's own.
            (W, HOME, corner, "Nb3W-c5N", "NbWc5N"),
            (W, HOME, corner, "Nb3N-c5N", "NNc5N"),
            (W, HOME, all, "Nd3N-c5N", "NdNc5N"),
        ],
        &WriteOptions {
            marks: Some(false),
            ..WriteOptions::default()
        },
    );
}

#[test]
fn e11_asks_only_legal_moves() {
    // The knight on d3W is pinned on the d file, so the other needs no file.
    check_cases(
        &[(W, HOME, "Kd1W kb8B rd6N Nb3W Nd3W", "Nb3W-c5N", "Nc5N")],
        &WriteOptions::default(),
    );
}

#[test]
fn e12_pawns() {
    let men = "Kc1W kb8B Pa3W Pc3W rb4N";
    check_cases(
        &[
            (W, HOME, men, "a3Wxb4N", "axb4N"),
            (W, HOME, men, "c3Wxb4N", "cxb4N"),
        ],
        &SHORT,
    );
    check_cases(
        &[
            (W, HOME, men, "a3Wxb4N", "aWxb4N"),
            (W, HOME, men, "c3Wxb4N", "cWxb4N"),
        ],
        &WriteOptions::default(),
    );
    let levels = "Kc1W kb8B Pa3W Pa3N nb4N";
    for options in [SHORT, WriteOptions::default()] {
        check_cases(
            &[
                (W, HOME, levels, "a3W-a4N", "aWa4N"),
                (W, HOME, levels, "a3N-a4N", "aNa4N"),
                (W, HOME, levels, "a3Wxb4N", "aWxb4N"),
                (W, HOME, levels, "a3Nxb4N", "aNxb4N"),
            ],
            &options,
        );
    }
}

#[test]
fn pawns_that_can_advance_to_one_square() {
    // notation.md: the rank where it is enough, else file and level. a2W is unmoved and a4N two steps away; a crossed
    // column must be empty (3.1(c)), so the rank tells pawns of different ranks apart only where none is in between:
    // never under Meder's rules, but the manual's pawns pass a column that is not full (A3).
    check_cases(
        &[
            (
                W,
                "Q1 K3 Q6 K6",
                "Kc1W kb8B Pd2W Pd2KL3",
                "d2W-d3N",
                "dWd3N",
            ),
            (
                W,
                "Q1 K3 Q6 K6",
                "Kc1W kb8B Pd2W Pd2KL3",
                "d2KL3-d3N",
                "dKL3d3N",
            ),
        ],
        &WriteOptions::default(),
    );
    let manual = |men: &str| crate::testing::position(RuleSystem::Manual, W, "Q1v K1v Q6 K6", men);
    let two = manual("Kc1W kb8B Pa2W Pa3N");
    assert_eq!(writes(&two, "a2W-a4N", &WriteOptions::default()), "2a4N");
    assert_eq!(writes(&two, "a3N-a4N", &WriteOptions::default()), "3a4N");
    let three = manual("Kc1W kb8B Pa2W Pa3N Pa4W");
    // a3W is vacant, so a2W may pass; a4W cannot go to a4N (same column).
    assert_eq!(writes(&three, "a2W-a4N", &WriteOptions::default()), "2a4N");
    // Two on rank 3 let none pass; file and level tell them apart.
    let level = manual("Kc1W kb8B Pa3W Pa3N");
    assert_eq!(writes(&level, "a3W-a4N", &WriteOptions::default()), "aWa4N");
}

#[test]
fn e13_two_boards_to_one_pin() {
    let men = "Kc1W kb8B Pd1KL1 Pz3QL3";
    let position = position(RuleSystem::Meder, W, "Q3 K1 Q6 K6", men);
    for full in ["KL1-KL3", "QL3-KL3"] {
        assert_eq!(writes(&position, full, &WriteOptions::default()), full);
    }
    let text = parse(b"KL3", None).unwrap();
    match resolve(&text, &position) {
        Err(ResolveError::Ambiguous(moves)) => assert_eq!(moves.len(), 2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn e14_promotion() {
    check_cases(
        &[
            (W, "Q1 K1 Q6 K5", "Kc1W ka6N Pd7B", "d7B-d8BQ", "d8BQ"),
            (W, HOME, "Kc1W ka6N Pe8KL6", "e8KL6-e9KL6N", "e9KL6N"),
            (B, HOME, "Kd5N ka6N pb2W", "b2W-b1WB", "b1WB"),
            (B, HOME, "Kb5N ka7B pd1W", "d1W-d0KL1R", "d0KL1R"),
        ],
        &WriteOptions {
            marks: Some(false),
            ..WriteOptions::default()
        },
    );
    let position = position(RuleSystem::Meder, W, "Q1 K1 Q6 K5", "Kc1W ka6N Pd7B");
    for spelling in ["d8B=Q", "d8B(Q)", "d8B=♕", "d7Bd8BQ"] {
        assert_eq!(
            meder_move(&position, spelling),
            meder_move(&position, "d8BQ"),
            "{spelling}"
        );
    }
    // Without the new piece four moves fit.
    match resolve(&parse(b"d8B", None).unwrap(), &position) {
        Err(ResolveError::Ambiguous(moves)) => assert_eq!(moves.len(), 4),
        other => panic!("{other:?}"),
    }
}

#[test]
fn e15_draw_offer() {
    for token in ["Nd3N(=)", "Nd3N (=)", "Nd3N+ (=)", "QL3 (=)", "0-0 ( = )"] {
        assert!(parse(token.as_bytes(), None).unwrap().draw_offer, "{token}");
    }
}

#[test]
fn abbreviations_castling() {
    let men = "Kd0KL1 Re0KL1 Rz0QL1 kd9KL6 re9KL6 rz9QL6";
    for (turn, side, token) in [
        (W, CastlingSide::King, "0-0"),
        (W, CastlingSide::Queen, "0-0-0"),
        (B, CastlingSide::King, "0-0"),
        (B, CastlingSide::Queen, "0-0-0"),
    ] {
        let mut setup = setup(HOME, &format!("{men} Pd4N pe8KL6 pz8QL6 Pe1KL1 Pz1QL1"));
        setup.castling = Castling::ALL;
        setup.turn = turn;
        let position = Position::from_setup(RuleSystem::Meder, &setup).unwrap();
        let mut text = String::new();
        write(
            Notation::Meder,
            &position,
            Move::Castle(side),
            &WriteOptions::default(),
            &mut text,
        )
        .unwrap();
        assert_eq!(text, token);
        for spelling in [
            token.to_owned(),
            token.replace('0', "O"),
            format!("{token}!?"),
        ] {
            assert_eq!(
                meder_move(&position, &spelling),
                Move::Castle(side),
                "{spelling}"
            );
        }
    }
}

#[test]
fn abbreviations_check_and_mate() {
    // A rook gives check on the b file; two rooks mate on the last ranks.
    let check = position(RuleSystem::Meder, W, HOME, "Kc1W kb8B Ra3N");
    assert_eq!(
        writes(&check, "Ra3N-b3N", &WriteOptions::default()),
        "Rb3N+"
    );
    let mate = position(RuleSystem::Meder, W, "Q1 K1 Q2 K2", "Kc1W ka8B Rd7B Rc6B");
    assert_eq!(writes(&mate, "Rc6B-c8B", &WriteOptions::default()), "Rc8B#");
    assert_eq!(meder_move(&mate, "Rc8B++"), meder_move(&mate, "Rc8B#"));
    let unmarked = WriteOptions {
        marks: Some(false),
        ..WriteOptions::default()
    };
    assert_eq!(writes(&mate, "Rc6B-c8B", &unmarked), "Rc8B");
    for (position, token, mismatch) in [
        (&check, "Rb3N#", Mismatch::MateWritten),
        (&check, "Ra4N+", Mismatch::CheckWritten),
    ] {
        let text = parse(token.as_bytes(), None).unwrap();
        let mv = resolve(&text, position).unwrap();
        let mut after = position.clone();
        after.play(mv).unwrap();
        assert_eq!(
            marks(&text, position, mv, &after)
                .iter()
                .collect::<Vec<_>>(),
            [mismatch],
            "{token}"
        );
    }
}

#[test]
fn deferred_and_carried_promotions_are_said_with_the_board() {
    // 3.4(e)(iii): the board leaves the corner where a pawn waits; 3.4(e)(i): the board carries it to the last rank.
    let wait = position(RuleSystem::Meder, W, "Q6 K1 K4 K6", "Kc1W kd5N Pa8B");
    for (full, canonical) in [
        ("QL6-QL4/a8BQ", "QL4/a8BQ"),
        ("QL6-QL5/a8BN", "QL5/a8BN"),
        ("QL4/a8B=R", "QL4/a8BR"),
    ] {
        let options = WriteOptions {
            marks: Some(false),
            ..WriteOptions::default()
        };
        assert_eq!(writes(&wait, full, &options), canonical);
    }
    match resolve(&parse(b"QL4", None).unwrap(), &wait) {
        Err(ResolveError::Ambiguous(moves)) => assert_eq!(moves.len(), 4),
        other => panic!("{other:?}"),
    }
    let carried = position(RuleSystem::Meder, W, "Q4 K1 K4 K6", "Kc1W kd5N Pz7QL4");
    let options = WriteOptions {
        marks: Some(false),
        ..WriteOptions::default()
    };
    assert_eq!(writes(&carried, "QL6/z9QL6Q", &options), "QL6/z9QL6Q");
}

#[test]
fn the_sample_game_is_read_and_written_as_it_stands() {
    // Seed 000, sample game. The two exceptions: a6S is German (4...), and a5B fits two pawns (11...).
    let game = "b4N b5B c3W a6N Nc2W c6B a3N a6S a3W Bd6N Ba2W Nc7B Qb1W Qb8B Nb2W Ra9QL6 Ra0QL1 0-0 Ra1W Nb7B \
                Nd4W a5B Nd3N d6B Nxc6B Qa8B Na5N Nxa5N bxa5N a4W Nb4N a5B Nd3N";
    for pawn in ["a6Na5B", "a6Ba5B"] {
        let mut position = Position::start(RuleSystem::Meder);
        for token in game.split_whitespace() {
            let text = match token {
                "a6S" => {
                    assert!(parse(b"a6S", None).is_err());
                    let (locale, text) = readings(Notation::Meder, b"a6S", None).next().unwrap();
                    assert_eq!(locale, Locale::German);
                    assert!(text.notes.has(TokenNote::ForeignLetter));
                    text
                }
                "a5B" if position.fullmoves() == 11 => {
                    let text = parse(b"a5B", None).unwrap();
                    match resolve(&text, &position) {
                        Err(ResolveError::Ambiguous(moves)) => assert_eq!(moves.len(), 2),
                        other => panic!("{other:?}"),
                    }
                    parse(pawn.as_bytes(), None).unwrap()
                }
                _ => parse(token.as_bytes(), None).unwrap(),
            };
            let mv = match resolve(&text, &position) {
                Ok(mv) => mv,
                // Both readings meet again: the pawn that stayed on a6 goes to a5B at move 16.
                Err(e) => panic!("{token} at {}: {e}", position.fullmoves()),
            };
            let mut written = String::new();
            write(Notation::Meder, &position, mv, &SHORT, &mut written).unwrap();
            match (token, position.fullmoves()) {
                ("a6S", _) => assert_eq!(written, "a6B"),
                ("a5B", 11) => {
                    assert_eq!(written, if pawn == "a6Na5B" { "aNa5B" } else { "aBa5B" })
                }
                _ => assert_eq!(written, token),
            }
            position.play(mv).unwrap();
        }
        assert_eq!(position.fullmoves(), 17);
    }
}

#[test]
fn letters_by_language() {
    // E6. The move is the same in every language.
    let position = position(
        RuleSystem::Meder,
        W,
        HOME,
        "Kc1W kb8B Nb4N Rd4W Bb3W Qa4W pc7B",
    );
    for (full, by_locale) in [
        ("Nb4N-c6B", ["Nc6B", "Sc6S", "Cc6B", "Pc6B", "Jc6B", "Cc6B"]),
        ("Rd4W-d3W", ["Rd3W", "Td3W", "Td3W", "Td3W", "Vd3W", "Td3W"]),
        ("Bb3W-c2W", ["Bc2W", "Lc2W", "Fc2W", "Lc2W", "Sc2W", "Ac2W"]),
        ("Qa4W-a3W", ["Qa3W", "Da3W", "Da3W", "Da3W", "Da3W", "Da3W"]),
        ("Kc1W-d1W", ["Kd1W", "Kd1W", "Rd1W", "Kd1W", "Kd1W", "Rd1W"]),
    ] {
        let mv = meder_move(&position, full);
        for (locale, canonical) in Locale::ALL.into_iter().zip(by_locale) {
            let options = WriteOptions {
                locale,
                marks: Some(false),
                ..WriteOptions::default()
            };
            let mut text = String::new();
            write(Notation::Meder, &position, mv, &options, &mut text).unwrap();
            assert_eq!(text, canonical, "{locale:?}");
            let read = parse(text.as_bytes(), Some(locale)).unwrap();
            assert_eq!(resolve(&read, &position), Ok(mv));
        }
    }
    let pins = |locale, token: &[u8]| parse(token, Some(locale)).unwrap().kind;
    let english = parse(b"KL1-QL3", None).unwrap().kind;
    for german in [&b"KP1-DP3"[..], b"KL1-DL3", b"KP1-DL3", b"KL1-QL3"] {
        assert_eq!(pins(Locale::German, german), english);
    }
}

#[test]
fn readings_repair_what_a_machine_misread() {
    let start = Position::start(RuleSystem::Meder);
    for token in ["b4N", "Nb3W"] {
        let fitting: Vec<_> = readings(Notation::Meder, token.as_bytes(), None)
            .filter(|(_, text)| resolve(text, &start).is_ok())
            .collect();
        let [(Locale::English, text)] = fitting.as_slice() else {
            panic!("{token}: {fitting:?}");
        };
        assert!(text.notes.is_empty());
    }
    for (misread, token) in [
        (&b"RdOKLl"[..], &b"Rd0KL1"[..]),
        (b"c68", b"c6B"),
        (b"NcSN", b"Nc5N"),
        (b"8dSN", b"Bd5N"),
        (b"QLI", b"QL1"),
    ] {
        let meant = parse(token, None).unwrap().kind;
        let mut found = readings(Notation::Meder, misread, None);
        assert!(found.any(|(_, text)| text.kind == meant && text.notes.has(TokenNote::Ocr)));
    }
}

#[test]
fn errors_say_where_and_what() {
    for (token, offset, expected) in [
        ("", 0, "a file z, a, b, c, d or e"),
        ("Nf2W", 1, "a file z, a, b, c, d or e"),
        ("Nc2WQ", 4, "the end of the move"),
        ("QL7", 2, "the number of a pin, 1 to 6"),
        ("b", 1, "a rank, a level or a capture mark"),
        ("KL1-b4", 4, "a pin such as QL1"),
        ("Nbx", 3, "a file z, a, b, c, d or e"),
        ("Nbx4", 3, "a file z, a, b, c, d or e"),
        ("0-1", 2, "castling, 0-0 or 0-0-0"),
    ] {
        assert_eq!(
            parse(token.as_bytes(), None),
            Err(SyntaxError { offset, expected }),
            "{token}"
        );
    }
}

#[test]
fn suffixes_are_counted() {
    for (token, suffix) in [
        ("Nc2W", 0),
        ("Nc2W!", 1),
        ("Nc2W+!?", 2),
        ("Nc2W$14", 3),
        ("Nc2W! (=)", 5),
    ] {
        assert_eq!(
            parse(token.as_bytes(), None).unwrap().suffix,
            suffix,
            "{token}"
        );
    }
}

#[test]
fn no_bytes_make_the_reader_panic_and_the_fast_path_agrees() {
    let mut random = Random(7);
    let alphabet = b"zabcdeNBRQKWSLDPTFCJVA0123456789xX:-=()+#!?$/vrO ep.\xE2\x99\x94\xF0\x00\n";
    let mut fast_ones = 0;
    for round in 0..400_000 {
        let mut token: Vec<u8> = (0..random.below(12))
            .map(|_| match round % 4 {
                0 => random.next() as u8,
                _ => alphabet[random.below(alphabet.len())],
            })
            .collect();
        if round % 2 == 0 {
            // Mostly right: parts of moves put together.
            token.clear();
            for parts in [
                &["", "N", "B", "Q", "S", "a", "b", "L", "P"][..],
                &["", "", "", "a", "3", "W", "B", "S", "x"],
                &["", "", "x"],
            ] {
                token.extend(parts[random.below(parts.len())].as_bytes());
            }
            for parts in [
                &["a", "b", "z", "e"][..],
                &["0", "4", "9"],
                &["N", "B", "S", "QL1", "KL6", "KP3", ""],
                &["", "", "+", "#", "Q"],
            ] {
                token.extend(parts[random.below(parts.len())].as_bytes());
            }
        }
        for locale in Locale::ALL {
            let slow = crate::parse_by_grammar(Notation::Meder, &token, locale);
            if let Err(error) = slow {
                assert!(error.offset <= token.len(), "{token:?}");
            }
            if let Some(fast) = San::read(Notation::Meder, &token, locale).map(|san| san.text()) {
                assert_eq!(slow, Ok(fast), "{token:?}");
                fast_ones += 1;
            }
        }
        if round % 64 == 0 {
            let _ = readings(Notation::Meder, &token, None).count();
        }
    }
    assert!(fast_ones > 50_000, "{fast_ones}");
}

/// The slow obvious statement of E11 and E12: of the spellings from shortest to longest (in notation.md's order), the
/// first that no other legal move can have.
fn slow(position: &Position, mv: Move, legal: &[Move], short: bool) -> Option<String> {
    let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = mv else {
        return None;
    };
    let layout = position.layout().unwrap();
    let spell = |from: Square, parts: &str, to: Square| {
        let name = names::square(Notation::Meder, Some(layout), from);
        let role = position.piece_at(from).unwrap().role;
        let mut text = match role {
            Role::Pawn => String::new(),
            _ => role.letter().to_string(),
        };
        for part in parts.chars() {
            match part {
                'f' => text.push_str(&name[..1]),
                'r' => text.push_str(&name[1..2]),
                _ => text.push_str(&name[2..]),
            }
        }
        (text, to)
    };
    let takes = |mv| position.is_capture(mv);
    let ways: &[&str] = match (position.piece_at(from).unwrap().role, takes(mv), short) {
        (Role::Pawn, false, _) => &["", "r", "fl", "rl", "frl"],
        (Role::Pawn, true, false) => &["fl", "frl"],
        (Role::Pawn, true, true) => &["f", "fl", "frl"],
        _ => &["", "f", "r", "l", "fr", "fl", "rl", "frl"],
    };
    let way = ways.iter().find(|way| {
        let own = spell(from, way, to);
        legal.iter().all(|other| {
            let (Move::Piece { from: f, to: t, .. } | Move::EnPassant { from: f, to: t, .. }) =
                *other
            else {
                return true;
            };
            f == from || takes(*other) != takes(mv) || spell(f, way, t) != own
        })
    })?;
    let (mut text, _) = spell(from, way, to);
    if takes(mv) {
        text.push('x');
    }
    text.push_str(&names::square(Notation::Meder, Some(layout), to));
    if let Some(role) = mv.promotion() {
        text.push(role.letter());
    }
    if common::takes_en_passant(mv) {
        text.push_str("e.p.");
    }
    Some(text)
}

#[test]
fn the_writer_agrees_with_the_slow_statement_of_e11_and_e12() {
    let mut longer = 0;
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Manual,
        RuleSystem::Federation,
    ] {
        random_games(rules, 12, 150, |position, moves| {
            for mv in moves {
                for short in [false, true] {
                    let Some(expected) = slow(position, *mv, moves, short) else {
                        continue;
                    };
                    let options = WriteOptions {
                        full_pawn_captures: !short,
                        marks: Some(false),
                        ..WriteOptions::default()
                    };
                    let mut text = String::new();
                    write(Notation::Meder, position, *mv, &options, &mut text).unwrap();
                    assert_eq!(text, expected, "{position:?}");
                    longer += usize::from(!short && text.len() > 5);
                }
            }
        });
    }
    assert!(longer > 1_000);
}

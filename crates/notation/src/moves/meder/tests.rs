use super::parser::{self, *};
use crate::moves::common::{self, Hand};
use crate::names;
use crate::resolve::{ResolveError, resolve};
use crate::testing::{Random, random_games};
use crate::text::{Locale, MoveText, Notation, TokenNote, WriteOptions};
use crate::{readings, write};
use tridex_geometry::Square;
use tridex_grammar::{
    SyntaxError,
    examples::{self, takes},
};
use tridex_rules::{Move, Position, Role, RuleSystem};

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Meder, token, locale)
}

/// English letters as they should be.
const EN: Hand = Hand::of(Locale::English);

/// The functions of the grammar's rules, for English.
const RULES: &[(&str, examples::Accepts<[u8]>)] = &[
    ("move", |t| parse(t, None).is_ok()),
    ("castling_move", |t| takes(t, common::castling_move)),
    ("castling", |t| takes(t, common::castling)),
    ("zero", |t| takes(t, common::zero)),
    ("board_move", |t| takes(t, board_move(EN))),
    ("board_promotion", |t| {
        takes(t, common::board_promotion(EN, || square(EN, true)))
    }),
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
    examples::check::<[u8]>(include_str!("../../../../../grammars/meder.ebnf"), RULES);
}

const SHORT: WriteOptions = WriteOptions {
    locale: Locale::English,
    full_pawn_captures: false,
    marks: None,
};

#[test]
fn the_sample_game_is_read_and_written_as_it_stands() {
    // Meder, sample game. The two exceptions: a6S is German (4...), and a5B fits two pawns (11...).
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
        let meant = *parse(token, None).unwrap().pattern();
        let mut found = readings(Notation::Meder, misread, None);
        assert!(found.any(|(_, text)| *text.pattern() == meant && text.notes.has(TokenNote::Ocr)));
    }
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let mut random = Random::new(7);
    let alphabet = b"zabcdeNBRQKWSLDPTFCJVA0123456789xX:-=()+#!?$/vrO ep.\xE2\x99\x94\xF0\x00\n";
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
            if let Err(error) = parse(&token, Some(locale)) {
                assert!(error.offset <= token.len(), "{token:?}");
            }
        }
        if round % 64 == 0 {
            let _ = readings(Notation::Meder, &token, None).count();
        }
    }
}

/// The slow obvious statement of Meder's Articles E11 and E12: of the spellings from shortest to longest, the first
/// that no other legal move can have.
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

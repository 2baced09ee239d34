use super::super::cube::level;
use super::*;
use crate::moves::grammar::{self, takes};
use crate::position_string;
use crate::resolve::resolve;
use crate::text::{Locale, SyntaxError};
use crate::write;
use tridex_rules::RuleSystem;

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Chess3, token, locale)
}

#[test]
fn the_grammar_and_the_functions_agree() {
    const EN: Hand = Hand::of(Locale::English);
    grammar::check(
        include_str!("../../../../../grammars/chess3.ebnf"),
        &[
            ("move", |t| parse(t, None).is_ok()),
            ("man_move", |t| takes(t, man_move(EN))),
            // The square behind the letter is looked at and left.
            ("man", |t| man(EN).parse(t).is_ok()),
            ("joint", |t| takes(t, joint)),
            ("square", |t| takes(t, square)),
            ("aside", |t| takes(t, aside)),
            ("level", |t| takes(t, level)),
            ("file", |t| takes(t, file)),
            ("rank", |t| takes(t, rank)),
        ],
    );
}

#[test]
fn words_are_understood() {
    use Role::{Bishop, Knight, Pawn, Queen};
    type Case<'a> = (&'a str, Option<Role>, &'a str, bool, &'a str, Option<Role>);
    // Token, piece, departure, capture, arrival, promotion.
    let table: &[Case<'_>] = &[
        ("1B2-1B4", None, "1B2", false, "1B4", None),
        ("1B2x1C3", None, "1B2", true, "1C3", None),
        ("1B2:1C3", None, "1B2", true, "1C3", None),
        ("1A7-1A8=Q", None, "1A7", false, "1A8", Some(Queen)),
        ("1A7-1A8Q", None, "1A7", false, "1A8", Some(Queen)),
        ("1b2-1b4", None, "1B2", false, "1B4", None),
        ("N1B1-2B3", Some(Knight), "1B1", false, "2B3", None),
        ("B1C1-2D2", Some(Bishop), "1C1", false, "2D2", None),
        ("♘1B1-2B3", Some(Knight), "1B1", false, "2B3", None),
        ("P1B2-1B4", Some(Pawn), "1B2", false, "1B4", None),
        ("B2-B4", None, "B2", false, "B4", None),
        ("BB2-B4", Some(Bishop), "B2", false, "B4", None),
        ("2E4x1E3 e.p.", None, "2E4", true, "1E3", None),
    ];
    for (token, role, from, capture, to, promotion) in table {
        let text = parse(token.as_bytes(), None).unwrap_or_else(|e| panic!("{token}: {e:?}"));
        let from = square(from.as_bytes()).unwrap().1.it;
        let to = square(to.as_bytes()).unwrap().1.it;
        assert_eq!(
            (text.kind, text.capture),
            (
                MovePattern::Piece(PiecePattern {
                    role: *role,
                    from: Departure {
                        file: Some(from.file),
                        rank: Some(from.rank),
                        level: from.level,
                    },
                    to,
                    promotion: *promotion,
                }),
                *capture
            ),
            "{token}"
        );
        assert_eq!(text.notes.has(TokenNote::MissingLevel), to.level.is_none());
        assert_eq!(text.notes.has(TokenNote::Case), token.starts_with("1b"));
    }
}

#[test]
fn errors_say_where_and_what() {
    let table = [
        ("", 0, SQUARE),
        ("1B2", 3, "a hyphen or x"),
        ("1B2 1B4", 4, "a hyphen"),
        ("1B2-", 4, SQUARE),
        ("1B2-4B4", 4, "a level 1 to 3"),
        ("1B2-1I4", 5, "a file A to H"),
        ("1B9-1B4", 2, "a rank 1 to 8"),
        ("N2b3", 4, "a hyphen or x"),
        ("1A7-1A8=K", 7, "the end of the move"),
        ("QP1-QP3", 0, SQUARE),
    ];
    for (token, offset, expected) in table {
        assert_eq!(
            parse(token.as_bytes(), None),
            Err(SyntaxError { offset, expected }),
            "{token}"
        );
    }
}

fn spelled(position: &Position, mv: Move, options: &WriteOptions) -> String {
    let mut out = String::new();
    write(Notation::Chess3, position, mv, options, &mut out).unwrap();
    out
}

#[test]
fn moves_of_the_seed_are_read_and_written() {
    // Seed 003, "The Pawn": first moves of 1B2; the rook's, the knight's and the bishop's list are for other positions.
    let position = Position::start(RuleSystem::Chess3);
    for token in [
        "1B2-1B3", "1B2-1B4", "1B2-2B2", "1B2-3B2", "1B1-2B3", "1B1-3C1",
    ] {
        let words = parse(token.as_bytes(), None).unwrap();
        let mv = resolve(&words, &position).unwrap_or_else(|e| panic!("{token}: {e}"));
        assert_eq!(spelled(&position, mv, &WriteOptions::default()), token);
    }
    for token in ["1B2-2B3", "1B2-3B4", "1B1-1B3", "K1B1-2B3", "1A1-1A2"] {
        let words = parse(token.as_bytes(), None).unwrap();
        assert!(resolve(&words, &position).is_err(), "{token}");
    }
}

#[test]
fn en_passant_straight_ahead_is_a_capture() {
    // Ruling Q7: after 1E2-1E4 a black pawn on 2E4 takes 2E4x1E3.
    let setup =
        position_string::parse("k7/8/8/8/8/8/8/8|8/8/8/8/4p3/8/8/8|8/8/8/8/8/8/4P3/K7 w - - - 0 1")
            .unwrap();
    let mut position = Position::from_setup(RuleSystem::Chess3, &setup).unwrap();
    let two = resolve(&parse(b"1E2-1E4", None).unwrap(), &position).unwrap();
    position.play(two).unwrap();
    let mv = resolve(&parse(b"2E4x1E3", None).unwrap(), &position).unwrap();
    assert!(matches!(mv, Move::EnPassant { .. }));
    assert_eq!(spelled(&position, mv, &WriteOptions::default()), "2E4x1E3");
}

#[test]
fn marks_are_written_only_if_asked_for() {
    let marked = WriteOptions {
        marks: Some(true),
        ..WriteOptions::default()
    };
    // Level 3, a move, and its spelling with marks. Level 2 is empty, the white king is on 1E1.
    for (level3, token, with_marks) in [
        ("k7/8/8/8/8/8/8/1R6", "3B1-3B2", "3B1-3B2"),
        ("k7/8/8/8/8/8/8/1R6", "3B1-3A1", "3B1-3A1+"),
    ] {
        let text = format!("{level3}|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/4K3 w - - - 0 1");
        let setup = position_string::parse(&text).unwrap();
        let position = Position::from_setup(RuleSystem::Chess3, &setup).unwrap();
        let mv = resolve(&parse(token.as_bytes(), None).unwrap(), &position).unwrap();
        assert_eq!(spelled(&position, mv, &WriteOptions::default()), token);
        assert_eq!(spelled(&position, mv, &marked), with_marks);
    }
}

#[test]
fn every_legal_move_is_read_back() {
    let options = WriteOptions::default();
    let mut state = 1971_usize;
    for rules in [RuleSystem::Millennium, RuleSystem::Chess3] {
        for _ in 0..10 {
            let mut position = Position::start(rules);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in moves.iter().step_by(5) {
                    let text = spelled(&position, mv, &options);
                    let words = parse(text.as_bytes(), None).expect(&text);
                    assert!(words.notes.is_empty(), "{text}");
                    assert_eq!(
                        crate::parse_by_grammar(Notation::Chess3, text.as_bytes(), Locale::English),
                        Ok(words)
                    );
                    assert_eq!(words.capture, position.is_capture(mv), "{text}");
                    assert_eq!(resolve(&words, &position), Ok(mv), "{text}");
                    let small = match text.split_once('=') {
                        Some((way, to)) => format!("{}={to}", way.to_ascii_lowercase()),
                        None => text.to_ascii_lowercase(),
                    };
                    let words = parse(small.as_bytes(), None).expect(&small);
                    assert_eq!(words.notes.has(TokenNote::Case), !text.starts_with('0'));
                    assert_eq!(resolve(&words, &position), Ok(mv), "{small}");
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                position.play_unchecked(moves[(state >> 33) % moves.len()]);
            }
        }
    }
}

#[test]
fn no_bytes_make_the_reader_panic_and_the_short_way_reads_as_the_long_one() {
    // A word with one byte, or two, put in place of others.
    let bytes = b"0123489AHIahixX:-=+#QPN( \xE2\xFF";
    let mut words = 0;
    for at in 0..7 {
        for also in at..7 {
            for byte in bytes {
                for other in bytes {
                    let mut token = *b"1B2-1B4";
                    token[at] = *byte;
                    token[also] = *other;
                    let read = parse(&token, None);
                    assert_eq!(
                        read,
                        crate::parse_by_grammar(Notation::Chess3, &token, Locale::English),
                        "{token:?}"
                    );
                    words += usize::from(read.is_ok());
                }
            }
        }
    }
    assert!(words > 100, "{words}");
}

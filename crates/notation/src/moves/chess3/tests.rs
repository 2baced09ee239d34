use super::super::cube::{aside, level, rank};
use super::*;
use crate::resolve::resolve;
use crate::text::Locale;
use crate::write;
use tridex_grammar::{
    SyntaxError,
    examples::{self, takes},
};
use tridex_rules::RuleSystem;

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Chess3, token, locale)
}

#[test]
fn the_grammar_and_the_functions_agree() {
    const EN: Hand = Hand::of(Locale::English);
    examples::check::<[u8]>(
        include_str!("../../../../../grammars/chess3.ebnf"),
        &[
            ("move", |t| parse(t, None).is_ok()),
            ("man_move", |t| takes(t, man_move(EN))),
            // The square after the letter is only peeked at.
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

fn spelled(position: &Position, mv: Move, options: &WriteOptions) -> String {
    let mut out = String::new();
    write(Notation::Chess3, position, mv, options, &mut out).unwrap();
    out
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
                    assert_eq!(words.captures(), position.is_capture(mv), "{text}");
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
fn no_bytes_make_the_reader_panic() {
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
                    words += usize::from(read.is_ok());
                }
            }
        }
    }
    assert!(words > 100, "{words}");
}

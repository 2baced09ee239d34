use super::super::cube::level;
use super::*;
use crate::Fen;
use crate::moves::cube::aside;
use crate::resolve::resolve;
use crate::testing::Random;
use crate::text::Locale;
use crate::write;
use tridex_grammar::{
    SyntaxError,
    examples::{self, takes},
};
use tridex_rules::RuleSystem;

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Millennium, token, locale)
}

/// English letters as they should be.
const EN: Hand = Hand::of(Locale::English);

#[test]
fn the_grammar_and_the_functions_agree() {
    examples::check::<[u8]>(
        include_str!("../../../../../grammars/millennium.ebnf"),
        &[
            ("move", |t| parse(t, None).is_ok()),
            ("man_move", |t| takes(t, man_move(EN))),
            ("man", |t| takes(t, man(EN))),
            ("way", |t| takes(t, way(EN))),
            ("departure", |t| takes(t, departure(EN))),
            ("square", |t| takes(t, square(EN))),
            ("aside", |t| takes(t, aside)),
            ("level", |t| takes(t, level)),
            ("file", |t| takes(t, file(EN))),
            ("rank", |t| takes(t, rank)),
        ],
    );
}

fn spelled(position: &Position, mv: Move) -> String {
    let mut out = String::new();
    write(
        Notation::Millennium,
        position,
        mv,
        &WriteOptions::default(),
        &mut out,
    )
    .unwrap();
    out
}

/// Davis - D'Agostino, correspondence 2006, 0-1: a game of the inventor of the rules, in his own spelling.
const DAVIS_DAGOSTINO: &str = "N2g3 B2b7 B3e3 N3c6 N2b3 B2g7 N2a5 Q1b6 N3c5 Qx1b2 Nx3b7 Q3b4 N3c5 Q3e1+ Q2e1 Q3c3+ \
    K2f1 Qx1a1 Q2c1 B2a6+ 2e2 Qx1a2 N2c7 R2h7 N1e7+ K2e8 N1c6 R1c8 Nx3c7 Rx1c2 Q2c7 Q2b1+ K1g1 N3e5 Q1d7+ K2f8 B2f4 \
    Q2d1 Bx3e5 Q3e1+ K2g1 Qx3e5 Q2e7+ K1g7 Qx3d7 B2d4+ 2e3 R2c1+ K1g1 Q3g3+ 2g2 R2f1+ Nx2f1 B3e3+ 2f2 Qx2f2#";

#[test]
fn the_inventors_game_is_read_and_written_as_he_wrote_it() {
    let mut position = Position::start(RuleSystem::Millennium);
    for (ply, token) in (1..).zip(DAVIS_DAGOSTINO.split_ascii_whitespace()) {
        let words =
            parse(token.as_bytes(), None).unwrap_or_else(|e| panic!("{ply} {token}: {e:?}"));
        let mv = resolve(&words, &position).unwrap_or_else(|e| panic!("{ply} {token}: {e}"));
        assert_eq!(spelled(&position, mv), token, "ply {ply}");
        position.play_unchecked(mv);
    }
    assert!(position.is_checkmate());
    assert_eq!(position.turn(), tridex_rules::Color::White);
}

#[test]
fn every_legal_move_is_read_back_in_its_canonical_spelling_and_in_fuller_ones() {
    let mut random = Random::new(2001);
    let mut seen = [0_usize; 4];
    for rules in [RuleSystem::Millennium, RuleSystem::Chess3] {
        for _ in 0..12 {
            let mut position = Position::start(rules);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut texts = Vec::new();
                // All moves now and then, a few at every ply.
                let step = if position.fullmoves().is_multiple_of(10) {
                    1
                } else {
                    17
                };
                for &mv in moves.iter().step_by(step) {
                    let text = spelled(&position, mv);
                    let words = parse(text.as_bytes(), None)
                        .unwrap_or_else(|e| panic!("{}: {text}: {e:?}", fen(&position)));
                    assert!(words.notes.is_empty(), "{text}");
                    assert_eq!(
                        resolve(&words, &position),
                        Ok(mv),
                        "{}: {text}",
                        fen(&position)
                    );
                    assert_eq!(words.captures(), position.is_capture(mv));
                    for fuller in fuller(&position, mv) {
                        let words = parse(fuller.as_bytes(), None).expect(&fuller);
                        assert_eq!(
                            resolve(&words, &position),
                            Ok(mv),
                            "{}: {fuller}",
                            fen(&position)
                        );
                    }
                    seen[0] += usize::from(text.contains('-') && !text.contains("0-0"));
                    seen[1] += usize::from(text.contains('='));
                    seen[2] += usize::from(text.contains('+'));
                    seen[3] += usize::from(matches!(mv, Move::Castle(_)));
                    texts.push(text);
                }
                let count = texts.len();
                texts.sort_unstable();
                texts.dedup();
                assert_eq!(
                    texts.len(),
                    count,
                    "two moves with one spelling: {}",
                    fen(&position)
                );
                let mv = moves[random.below(moves.len())];
                position.play_unchecked(mv);
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
}

fn fen(position: &Position) -> String {
    Fen::of(position).to_string()
}

/// Spellings that say more than is needed.
fn fuller(position: &Position, mv: Move) -> Vec<String> {
    let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = mv else {
        return Vec::new();
    };
    let name = |square| crate::names::square(Notation::Millennium, None, square);
    let man = position.piece_at(from).expect("a man moves").role;
    let letter = letter_of_role(Locale::English, man)
        .map(|letter| char::from(letter).to_string())
        .unwrap_or_default();
    let mark = if position.is_capture(mv) { "x" } else { "-" };
    let promotion = mv
        .promotion()
        .map(|r| r.letter().to_string())
        .unwrap_or_default();
    let (from, to) = (name(from), name(to));
    let mut all = vec![format!("{letter}{from}{mark}{to}{promotion}")];
    if mark == "-" {
        all.push(format!("{letter}{from}{to}({promotion})").replace("()", ""));
    }
    all
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let alphabet = b"NBRQKPabceh123478xX:-=()+#!?O0. \xE2\x99\x98\x80\x93\xFFz9";
    let mut random = Random::new(3);
    let mut words = 0;
    for _ in 0..400_000 {
        let length = random.below(9);
        let token: Vec<u8> = (0..length)
            .map(|_| alphabet[random.below(alphabet.len())])
            .collect();
        let read = parse(&token, None);
        match read {
            Ok(_) => words += 1,
            Err(error) => assert!(error.offset <= token.len()),
        }
    }
    assert!(words > 100, "{words}");
}

use super::{Slip, corrections};
use crate::testing::{Random, meder_move, position, random_games};
use crate::text::{Locale, Notation, WriteOptions};
use crate::{Fen, write_unmarked};
use tridex_rules::{Color, Position, RuleSystem};

/// What a token is corrected to, with the slip.
fn found(position: &Position, notation: Notation, token: &str) -> Vec<(Slip, String)> {
    corrections(position, notation, Locale::English, token.as_bytes())
        .into_iter()
        .map(|found| (found.slip, found.text))
        .collect()
}

#[test]
fn misread_characters_in_every_notation() {
    let chess3 = Position::start(RuleSystem::Chess3);
    let tokens = ["1B2-lB4", "1B2-IB4", "IB2-1B4", "182-1B4", "1B2-184"];
    // Small letters are no slip of their own.
    let small = ["1b2-lb4", "ib2-1b4", "182-1b4"];
    for token in tokens.into_iter().chain(small) {
        assert_eq!(
            found(&chess3, Notation::Chess3, token)[0],
            (Slip::Misread, "1B2-1B4".to_owned()),
            "{token}"
        );
    }
    let manual = Position::start(RuleSystem::Manual);
    assert_eq!(
        found(&manual, Notation::Manual, "c3,W8-c4,NB")[0],
        (Slip::Misread, "c3,WB-c4,NB".to_owned())
    );
    let millennium = Position::start(RuleSystem::Millennium);
    assert_eq!(
        found(&millennium, Notation::Millennium, "le4")[0],
        (Slip::Misread, "1e4".to_owned())
    );
    let meder = Position::start(RuleSystem::Meder);
    assert_eq!(
        found(&meder, Notation::Meder, "64N")[0],
        (Slip::Misread, "b4N".to_owned())
    );
}

#[test]
fn other_slips_of_one_character() {
    let start = Position::start(RuleSystem::Meder);
    for (token, slip, meant) in [
        ("4bN", Slip::Swapped, "b4N"),
        ("Nb3", Slip::Missing, "Nb3N"),
        ("NNb3W", Slip::Doubled, "Nb3W"),
        ("Nv3W", Slip::NextKey, "Nb3W"),
        ("nB3w", Slip::Case, "Nb3W"),
        ("Nb3B", Slip::Level, "Nb3W"),
        ("Nb3§", Slip::Character, "Nb3W"),
        ("Ra1W-b3W", Slip::Character, "Nb3W"),
        ("Nb3W4+!", Slip::Character, "Nb3W"),
        ("b4(W)", Slip::Level, "b4N"),
    ] {
        let all = found(&start, Notation::Meder, token);
        assert!(all.contains(&(slip, meant.to_owned())), "{token}: {all:?}");
        let costs: Vec<u8> = all.iter().map(|(slip, _)| slip.cost()).collect();
        assert!(costs.is_sorted(), "{token}: {all:?}");
    }
    assert_eq!(found(&start, Notation::Meder, "nonsense"), []);
    assert_eq!(found(&start, Notation::Millennium, "1e4"), []);
}

#[test]
fn what_the_other_pieces_could_do_is_listed() {
    let position = position(
        RuleSystem::Meder,
        Color::White,
        "Q1 K1 Q6 K6",
        "Kc1W kb8B Nb4N Bd5N",
    );
    let all = found(&position, Notation::Meder, "Rc6B");
    for meant in ["Nc6B", "Bc6B"] {
        let mv = meder_move(&position, meant);
        assert!(position.is_legal(mv));
        assert!(all.iter().any(|(_, text)| text == meant), "{all:?}");
    }
}

/// One slip of a kind somewhere in a token; nothing where the token has no place for it.
fn slipped(token: &str, kind: usize, random: &mut Random) -> Option<String> {
    let mut letters: Vec<u8> = token.bytes().collect();
    let at = random.below(letters.len());
    match kind {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letters[at]),
        2 if at + 1 < letters.len() && letters[at] != letters[at + 1] => letters.swap(at, at + 1),
        3 => {
            let other = match letters[at] {
                b'0' => b'O',
                b'1' => b'l',
                b'5' => b'S',
                b'2' => b'Z',
                b'B' => b'8',
                b'8' => b'B',
                _ => return None,
            };
            letters[at] = other;
        }
        4 => letters[at] = b'~',
        _ => return None,
    }
    String::from_utf8(letters).ok()
}

#[test]
fn the_move_that_was_meant_is_among_the_corrections() {
    let mut random = Random::new(0x51195);
    for rules in RuleSystem::ALL {
        let (mut tried, mut first, mut listed) = (0, 0, 0);
        random_games(*rules, 3, 60, |position, moves| {
            for notation in Notation::ALL {
                if notation.family() != position.family() {
                    continue;
                }
                let mv = moves[random.below(moves.len())];
                let options = WriteOptions::default();
                let text = write_unmarked(notation, position, mv, &options).unwrap();
                let kind = random.below(5);
                let Some(token) = slipped(text.as_str(), kind, &mut random) else {
                    continue;
                };
                let all = corrections(position, notation, Locale::English, token.as_bytes());
                assert!(
                    all.iter().all(|found| position.is_legal(found.mv)),
                    "{}",
                    Fen::of(position).to_string()
                );
                let there = all.iter().any(|found| found.mv == mv);
                assert!(there, "{token} for {}: {all:?}", text.as_str());
                tried += 1;
                listed += all.len();
                first += u64::from(all[0].mv == mv);
            }
        });
        assert!(tried > 100, "{rules:?}: {tried}");
        // What is likeliest is mostly right, and the lists are short.
        assert!(first * 4 > tried * 3, "{rules:?}: {first} of {tried}");
        assert!(
            listed < 8 * tried as usize,
            "{rules:?}: {listed} of {tried}"
        );
    }
}

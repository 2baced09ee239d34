use crate::laws;
use crate::testing::{Random, random_games};
use crate::text::{Locale, MoveText, Notation, WriteOptions};
use crate::{parse, write};
use tridex_rules::{Position, RuleSystem};

fn plain(notation: Notation, token: &[u8], locale: Locale) -> Option<MoveText> {
    let text = parse(notation, token, Some(locale)).ok();
    text.filter(MoveText::is_plain)
}

/// The notations of a position's board.
fn notations(position: &Position) -> impl Iterator<Item = Notation> {
    let family = position.family();
    Notation::ALL
        .into_iter()
        .filter(move |notation| notation.family() == family)
}

/// A token with one or two characters changed, dropped, doubled or added.
fn mutated(token: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = token.as_bytes().to_vec();
    let alphabet = b"zabcdefghABCKQRNSDTLPWVJFx-+#!?=,0123456789vrO ";
    for _ in 0..=random.below(2) {
        let at = random.below(bytes.len() + 1);
        let letter = alphabet[random.below(alphabet.len())];
        match random.below(4) {
            0 if at < bytes.len() => {
                bytes.remove(at);
            }
            1 if at < bytes.len() => bytes[at] = letter,
            2 if at + 1 < bytes.len() => bytes.swap(at, at + 1),
            _ => bytes.insert(at, letter),
        }
    }
    bytes
}

#[test]
fn what_is_found_is_the_only_candidate() {
    let mut random = Random::new(0x5A4);
    for rules in RuleSystem::ALL {
        let mut games = 0;
        let (mut usual, mut all) = (0u64, 0u64);
        random_games(*rules, 12, 100, |position, moves| {
            games += 1;
            for notation in notations(position) {
                for locale in Locale::ALL {
                    let mv = moves[random.below(moves.len())];
                    let options = WriteOptions {
                        locale,
                        ..WriteOptions::default()
                    };
                    let mut text = String::new();
                    write(notation, position, mv, &options, &mut text).unwrap();
                    text.push_str(["", "", "", "!", "?!"][random.below(5)]);
                    laws::a_plain_token_has_one_candidate(
                        position,
                        notation,
                        text.as_bytes(),
                        locale,
                    )
                    .unwrap();
                    all += 1;
                    usual += u64::from(plain(notation, text.as_bytes(), locale).is_some());
                    for _ in 0..4 {
                        let token = mutated(&text, &mut random);
                        let other = Locale::ALL[random.below(Locale::ALL.len())];
                        laws::a_plain_token_has_one_candidate(position, notation, &token, other)
                            .unwrap();
                    }
                }
            }
        });
        // The accelerator is of use only if it takes nearly all of what is written.
        assert!(usual * 100 > all * 90, "{rules:?}: {usual} of {all}");
        assert!(games > 200, "{rules:?}: {games}");
    }
}

#[test]
fn the_usual_shapes_are_plain_in_every_language() {
    let reads = |notation, token: &str, locale| {
        assert!(
            plain(notation, token.as_bytes(), locale).is_some(),
            "{token}"
        );
    };
    for locale in Locale::ALL {
        for token in [
            "b4N", "aWxb4W", "axb4N", "2a4N", "0-0", "O-O-O+", "c4N!?", "d3W++",
        ] {
            reads(Notation::Meder, token, locale);
        }
        for token in [
            "c3,WB-c5,NB",
            "b3,WBxc4,NB+",
            "f10,kl-e9,BB",
            "QP1-QP3",
            "KP12r!",
        ] {
            reads(Notation::Manual, token, locale);
        }
        for token in ["1e4", "ex2d5", "1e4-2e4", "1e4x2d5#", "0-0-0"] {
            reads(Notation::Millennium, token, locale);
        }
        reads(Notation::Chess3, "1B2x1C3?", locale);
    }
    for (token, locale) in [
        ("Nc2W", Locale::English),
        ("Sc6S", Locale::German),
        ("DP3", Locale::German),
        ("KP1-KP3", Locale::German),
        ("KL1-KL3", Locale::English),
        ("z0QL1v", Locale::English),
        ("Cc6B", Locale::French),
        ("Pxc2W+", Locale::Dutch),
        ("Jbc2W", Locale::Czech),
        ("C3xd0KL1", Locale::Spanish),
    ] {
        reads(Notation::Meder, token, locale);
    }
}

#[test]
fn what_is_written_is_followed_with_true_marks() {
    for rules in RuleSystem::ALL {
        random_games(*rules, 4, 60, |position, moves| {
            for notation in notations(position) {
                for mv in moves {
                    let mut token = String::new();
                    write(
                        notation,
                        position,
                        *mv,
                        &WriteOptions::default(),
                        &mut token,
                    )
                    .unwrap();
                    let Some(text) = plain(notation, token.as_bytes(), Locale::English) else {
                        continue;
                    };
                    let mut after = position.clone();
                    let Some((found, played)) = after.follow(&text.written) else {
                        continue;
                    };
                    assert_eq!(found, *mv, "{token}");
                    assert!(text.mark.is_true(&played, &after), "{token}");
                }
            }
        });
    }
}

#[test]
fn words_of_the_other_board_mean_nothing() {
    // The square of `b4N` has the number of 1f3, where a pawn can go at the start of a game on the cube.
    let cube = Position::start(RuleSystem::Millennium);
    let text = plain(Notation::Meder, b"b4N", Locale::English).unwrap();
    assert_eq!(cube.find(&text.written).one(), None);
    let mut after = cube.clone();
    assert!(after.follow(&text.written).is_none());
    assert_eq!(after, cube);

    let tokens = [
        "b4N",
        "Nc2W",
        "Nxc6B",
        "z1QL2",
        "QL3",
        "0-0",
        "b4,WB-b5,NB",
        "QP2-QP4",
        "1e4",
        "N2g3",
        "exd2",
        "2B2-2B3",
        // The letter before `a` in the code is no file.
        "`4W",
        "N`4Wx`4W",
    ];
    for rules in RuleSystem::ALL {
        random_games(*rules, 2, 40, |position, _| {
            for (notation, token) in Notation::ALL
                .into_iter()
                .flat_map(|notation| tokens.map(|token| (notation, token)))
            {
                let token = token.as_bytes();
                let locale = Locale::English;
                laws::a_plain_token_has_one_candidate(position, notation, token, locale).unwrap();
            }
        });
    }
}

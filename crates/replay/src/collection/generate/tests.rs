use super::*;
use crate::finding::Status;
use crate::{Options, Replay, replay};
use tridex_archive::{Limits, game, ndjson, pgn, write};
use tridex_geometry::Family;

fn annotated(rules: RuleSystem, seed: u64) -> Recipe {
    Recipe {
        annotated: true,
        ..Recipe::new(rules, seed)
    }
}

fn text(recipe: &Recipe, games: u64) -> Vec<u8> {
    let mut out = Vec::new();
    for index in 0..games {
        write::pgn(&recipe.game(index), &mut out).unwrap();
    }
    out
}

/// FNV-1a.
fn hash(text: &[u8]) -> u64 {
    text.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// A noted seed gives the same games for ever. If this fails for the first of two numbers, the change
/// is to be taken back, not the number; the second is of annotated games, which may change with a version.
/// The moves of a game.
fn moves(recipe: &Recipe, index: u64) -> Vec<Move> {
    let mut moves = Vec::new();
    recipe.walk(index, |position, mv| {
        position.play_unchecked(mv);
        moves.push(mv);
    });
    moves
}

#[test]
fn the_bytes_of_a_seed_never_change() {
    let expected = [
        (
            RuleSystem::Meder,
            0x4B12_9130_2BC1_E0C6,
            0x83BB_B4F0_30F2_9F04,
        ),
        (
            RuleSystem::Manual,
            0xDABB_F92E_9602_A331,
            0x6829_2085_C21E_C5A8,
        ),
        (
            RuleSystem::Federation,
            0x7635_309A_CA55_B293,
            0xDE7C_C74D_DBAA_ADF7,
        ),
        (
            RuleSystem::Millennium,
            0xBC4C_C4E7_21EE_F6DA,
            0xB40E_3BBC_086F_CCC6,
        ),
        (
            RuleSystem::Chess3,
            0x7B3F_FAF2_4C68_A98C,
            0x4042_678C_73D5_DFE0,
        ),
    ];
    let found = RuleSystem::ALL.iter().map(|rules| {
        let plain = text(&Recipe::new(*rules, 2024), 20);
        let rich = text(&annotated(*rules, 2024), 20);
        (*rules, hash(&plain), hash(&rich))
    });
    let found: Vec<(RuleSystem, u64, u64)> = found.collect();
    assert_eq!(found, expected, "{found:#x?}");
}

fn judged(game: &Game<'_>) -> Replay {
    replay(game, &Options::default())
}

/// A record that ends with a move that was not recorded is reported; all others are valid.
fn expected(game: &Game<'_>) -> Status {
    match game.main_line().last() {
        Some((text, _)) if text == "--" => Status::Warned,
        _ => Status::Valid,
    }
}

#[test]
fn every_game_is_legal_in_every_notation_of_its_family_and_the_same_in_each() {
    for rules in RuleSystem::ALL {
        for notation in Notation::ALL {
            if notation.family() != rules.family() {
                continue;
            }
            for index in 0..12 {
                let plain = Recipe {
                    notation,
                    ..Recipe::new(*rules, 3)
                };
                let rich = Recipe {
                    annotated: true,
                    ..plain
                };
                let report = judged(&rich.game(index));
                let found = report.findings();
                let rich = rich.game(index);
                assert_eq!(
                    report.status(),
                    expected(&rich),
                    "{rules:?} {index} {found:?}"
                );
                assert_eq!(report.rules(), *rules);
                assert_eq!(report.moves(), moves(&plain, index));
                assert_eq!(judged(&plain.game(index)).moves, report.moves());
            }
        }
    }
}

#[test]
fn other_languages_are_written_and_read() {
    for locale in Locale::ALL {
        let recipe = Recipe {
            locale,
            ..annotated(RuleSystem::Meder, 5)
        };
        for index in 0..4 {
            let game = recipe.game(index);
            let report = judged(&game);
            assert_eq!(report.status(), expected(&game), "{:?}", report.findings());
            assert_eq!(report.style().locale, locale);
        }
    }
}

#[test]
fn what_is_written_reads_back_as_the_same_game() {
    for rules in RuleSystem::ALL {
        let recipe = annotated(*rules, 11);
        let games: Vec<Game<'_>> = (0..8).map(|index| recipe.game(index)).collect();
        let bytes = text(&recipe, 8);
        let read = game::collect(|v| pgn::read_games(&bytes, 0, &Limits::default(), v));
        assert_eq!(read, games);
        let mut lines = Vec::new();
        for game in &games {
            write::ndjson(game, &write::JsonHead::default(), &mut lines).unwrap();
        }
        let read = game::collect(|v| ndjson::read_games(&lines, 0, &Limits::default(), v));
        for (read, game) in read.into_iter().zip(&games) {
            let items = |game: &Game<'_>| {
                let line = game.main_line();
                line.map(|(text, _)| text.into_owned()).collect()
            };
            let (there, here): (Vec<String>, Vec<String>) = (items(&read), items(game));
            assert_eq!(there, here);
        }
    }
}

#[test]
fn annotations_are_of_every_kind_and_change_no_move() {
    let mut kinds = std::collections::BTreeSet::new();
    let mut deepest = 0;
    for index in 0..60 {
        let game = annotated(RuleSystem::Federation, 1).game(index);
        let mut depth = 0;
        for item in game.items() {
            let kind = match item.as_deref() {
                Item::Move("--") if depth == 0 => "not recorded",
                Item::Move("--") => "not recorded in a variation",
                Item::Move("Z0") => "pass in a variation",
                Item::DrawOffer if depth > 0 => "draw offer in a variation",
                Item::Comment(text) if depth > 0 && text.starts_with("[%clk ") => {
                    "clock in a variation"
                }
                Item::Move(text) if text.ends_with(['!', '?']) => "mark",
                Item::Move(_) => "move",
                Item::Comment(text) if text.starts_with("[%clk ") => "clock",
                Item::Comment(_) => "comment",
                Item::LineComment(_) => "line comment",
                Item::Nag(_) => "nag",
                Item::DrawOffer => "draw offer",
                Item::VariationStart => {
                    depth += 1;
                    "variation"
                }
                Item::VariationEnd => {
                    depth -= 1;
                    continue;
                }
                Item::Escape(_) | Item::Word(_) => "other",
            };
            deepest = deepest.max(depth);
            kinds.insert(kind);
        }
        assert_eq!(depth, 0);
    }
    let expected = [
        "clock",
        "clock in a variation",
        "comment",
        "draw offer",
        "draw offer in a variation",
        "line comment",
        "mark",
        "move",
        "nag",
        "not recorded",
        "not recorded in a variation",
        "pass in a variation",
        "variation",
    ];
    assert!(kinds.iter().eq(expected.iter()), "{kinds:?}");
    assert_eq!(deepest, 3);
}

#[test]
fn lengths_are_about_what_was_asked_for() {
    for plies in [0, 1, 2, 25, 60] {
        let recipe = Recipe {
            plies,
            ..Recipe::new(RuleSystem::Millennium, 8)
        };
        let lengths: Vec<usize> = (0..60).map(|index| moves(&recipe, index).len()).collect();
        let mean = lengths.iter().sum::<usize>() as f64 / 60.0;
        let wanted = f64::from(plies);
        assert!((mean - wanted).abs() <= wanted * 0.15, "{plies}: {mean}");
        let (least, most) = (plies.div_ceil(2) as usize, (plies + plies / 2) as usize);
        assert!(lengths.iter().all(|length| *length <= most));
        assert!(lengths.iter().filter(|length| **length < least).count() < 6);
    }
}

#[test]
fn results_agree_with_the_board_and_all_occur() {
    let mut results = std::collections::BTreeSet::new();
    for rules in RuleSystem::ALL {
        let recipe = Recipe {
            plies: 160,
            ..Recipe::new(*rules, 4)
        };
        for index in 0..40 {
            let game = recipe.game(index);
            let report = judged(&game);
            assert_eq!(
                game.tag("Result").as_deref(),
                game.result.map(GameResult::as_str)
            );
            let ended = report.outcome().map(|outcome| outcome.to_string());
            if let Some(stated) = ended.as_deref().and_then(|ended| ended.split(' ').next()) {
                assert_eq!(game.tag("Result").as_deref(), Some(stated));
            }
            results.insert(game.tag("Termination").unwrap_or_default().into_owned());
        }
    }
    for way in [
        "agreement",
        "checkmate",
        "resignation",
        "time forfeit",
        "unterminated",
    ] {
        assert!(results.contains(way), "{way}: {results:?}");
    }
}

#[test]
fn names_and_dates_are_of_many_kinds() {
    let recipe = Recipe {
        plies: 0,
        ..Recipe::new(RuleSystem::Chess3, 6)
    };
    let games: Vec<Game<'_>> = (0..300).map(|index| recipe.game(index)).collect();
    let has = |name: &str, what: &str| {
        games
            .iter()
            .any(|game| game.tag(name).is_some_and(|value| value.contains(what)))
    };
    assert!(has("White", "ø") && has("Black", "Č") && has("Site", "\""));
    assert!(has("Date", "????.??.??") && has("Date", ".??.??") && has("Date", ".12."));
    assert!(has("Round", ".") && has("Round", "-") && has("Round", "?"));
    assert!(
        games
            .iter()
            .all(|game| game.tag("White") != game.tag("Black"))
    );
    assert!(
        games
            .iter()
            .all(|game| game.tag("Event").as_deref() == Some(EVENT))
    );
}

#[test]
fn a_notation_of_the_other_family_has_no_words() {
    let recipe = Recipe {
        notation: Notation::Chess3,
        ..annotated(RuleSystem::Meder, 1)
    };
    assert_eq!(recipe.notation.family(), Family::Cube);
    assert_eq!(recipe.game(0).main_line().count(), 0);
}

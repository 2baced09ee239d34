use super::{DifferenceKind, NotReconciled, ReadAs, Reconciled, reconcile};
use crate::finding::{Code, Status};
use crate::generate::Recipe;
use crate::testing::cases;
use crate::{Options, replay};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tridex_archive::{Game, GameResult, Limits, game, pgn, write};
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;
use tridex_rules::random::Dice;

fn read(text: &str) -> Game<'static> {
    let limits = Limits::default();
    let games = game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &limits, reader));
    games.into_iter().next().unwrap_or_default()
}

fn of(texts: &[&str]) -> Result<Reconciled, NotReconciled> {
    let games: Vec<Game<'_>> = texts.iter().map(|text| read(text)).collect();
    reconcile(&games.iter().collect::<Vec<_>>(), &Options::default())
}

fn texts(found: &Reconciled) -> Vec<&str> {
    found.plies().iter().map(|ply| ply.text.as_str()).collect()
}

#[test]
fn slips_and_omissions_of_both_players_are_put_right() {
    let found = of(&[
        "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N *\n",
        "[Variant \"meder\"]\n\n1. b4N b5B 2. a6N 3. Nc2W Nc6N *\n",
    ]);
    let found = found.unwrap();
    assert_eq!(texts(&found), ["b4N", "b5B", "c3W", "a6N", "Nc2W", "Nc6N"]);
    assert_eq!(found.plies()[2].records[1].read_as, ReadAs::Omitted);
    assert_eq!(found.plies()[4].records[0].token, "Nc22W");
    let kinds: Vec<_> = found
        .differences()
        .iter()
        .map(|found| (found.ply, found.kind))
        .collect();
    // Only White has the third ply, so a slip there would leave no trace.
    let expected = [
        (Some(3), DifferenceKind::Ambiguous),
        (Some(5), DifferenceKind::Move),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(found.plies()[2].readings[0].text, "c3W");
    let written = write::movetext(found.game());
    assert!(
        written.contains("A has Nc22W (a doubled character), B has Nc2W"),
        "{written}"
    );
    assert!(written.contains("B omits it"), "{written}");
    assert_eq!(found.replay().moves(), found.moves());
}

#[test]
fn an_unreadable_record_for_the_other_board_does_not_decide_the_notation() {
    let found = of(&[
        "1. b4N b5B 2. c3Wc3W *\n",
        "1. 1g3 2g7 2. 3h4 Q1f8 3. N1a3 1a5 *\n",
        "[Variant \"millennium\"]\n\n1. 1g3 2g7 2. 3h4 Q1f8 3. N1a3 1a5 *\n",
    ]);
    let found = found.unwrap();
    assert_eq!(found.style().notation, Notation::Millennium);
    assert_eq!(texts(&found), ["1g3", "2g7", "3h4", "Q1f8", "N1a3", "1a5"]);
    assert_eq!(found.replay().moves(), found.moves());
}

/// The differences of two records, as numbers of plies and kinds.
fn kinds(found: &Reconciled) -> Vec<(Option<u32>, DifferenceKind)> {
    let differences = found.differences().iter();
    differences.map(|own| (own.ply, own.kind)).collect()
}

#[test]
fn a_level_that_one_player_omits_is_no_difference() {
    let found = of(&[
        "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N *\n",
        "[Variant \"meder\"]\n\n1. b4 b5B 2. c3W a6 3. Nc2W Nc6N *\n",
    ]);
    let found = found.unwrap();
    assert_eq!(texts(&found), ["b4N", "b5B", "c3W", "a6N", "Nc2W", "Nc6N"]);
    assert_eq!(kinds(&found), []);
    // Two records without the level, or a slip in the record that has it, decide nothing.
    for (one, other) in [("a6", "a6"), ("a6K", "a6")] {
        let [one, other] = [one, other].map(|token| {
            format!("[Variant \"meder\"]\n\n1. b4N b5B 2. c3W {token} 3. Nc2W Nc6N *\n")
        });
        let found = of(&[&one, &other]).unwrap();
        assert_eq!(kinds(&found), [(Some(4), DifferenceKind::Ambiguous)]);
        let mut readings: Vec<&str> = found.plies()[3]
            .readings
            .iter()
            .map(|own| own.text.as_str())
            .collect();
        readings.sort_unstable();
        assert_eq!(readings, ["a6B", "a6N"]);
    }
}

#[test]
fn a_record_is_read_in_the_language_that_fits_all_its_moves_or_the_other_record() {
    let english = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N *\n";
    let expected = ["b4N", "b5B", "c3W", "a6N", "Nc2W", "Nc6N"];
    // `S` is a knight in German and a bishop in Czech. Only the first fits all moves.
    let german = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Sc2W Sc6N *\n";
    let alone = replay(&read(german), &Options::default());
    assert_eq!(alone.style().locale, Locale::German);
    let found = of(&[english, german]).unwrap();
    assert_eq!(texts(&found), expected);
    assert_eq!(kinds(&found), []);
    // Here both fit the record, and the other record decides.
    let open = "[Variant \"meder\"]\n\n1. b4N b5N 2. c3W c6N 3. Sc2W a6N *\n";
    for (letter, from) in [("N", Locale::German), ("B", Locale::Czech)] {
        let english =
            format!("[Variant \"meder\"]\n\n1. b4N b5N 2. c3W c6N 3. {letter}c2W a6N *\n");
        let found = of(&[&english, open]).unwrap();
        assert_eq!(found.plies()[4].text, format!("{letter}c2W"), "{from:?}");
        assert!(found.is_decided(), "{from:?}: {:?}", found.differences());
    }
    // Without another record that decides, both readings are named.
    let found = of(&[open, open]).unwrap();
    assert_eq!(kinds(&found), [(Some(5), DifferenceKind::Ambiguous)]);
    assert_eq!(found.plies()[4].readings.len(), 2);
}

#[test]
fn the_record_with_more_slips_is_the_likelier_one_to_have_exchanged_moves() {
    let tidy = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N 4. a4W *\n";
    let untidy = "[Variant \"meder\"]\n\n1. c3W b5B 2. b4N a6N 3. Nc22W Nc6N 4. a4W *\n";
    for records in [[tidy, untidy], [untidy, tidy]] {
        let found = of(&records).unwrap();
        assert_eq!(found.plies()[0].text, "b4N");
        assert_eq!(found.plies()[0].readings.len(), 2);
    }
    let tidy = tidy.replace("b4N b5B 2. c3W", "c3W b5B 2. b4N");
    let untidy = untidy.replace("c3W b5B 2. b4N", "b4N b5B 2. c3W");
    let found = of(&[&tidy, &untidy]).unwrap();
    assert_eq!(found.plies()[0].text, "c3W");
}

#[test]
fn players_may_write_in_different_languages() {
    let found = of(&[
        "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N 4. a4W *\n",
        "[Locale \"de\"]\n\n1. b4N b5B 2. c3W a6N 3. Sc2W Sc6N *\n",
    ]);
    let found = found.unwrap();
    assert_eq!(
        texts(&found),
        ["b4N", "b5B", "c3W", "a6N", "Nc2W", "Nc6N", "a4W"]
    );
    assert!(
        found
            .plies()
            .iter()
            .take(6)
            .all(super::ReconciledPly::is_decided)
    );
    let end = found
        .differences()
        .iter()
        .find(|found| found.kind == DifferenceKind::End);
    assert_eq!(
        end.map(|end| end.message.as_str()),
        Some("B ends before this move")
    );
}

/// The tokens of a generated game in a notation.
fn tokens(
    rules: RuleSystem,
    notation: Notation,
    locale: Locale,
    seed: u64,
    plies: u32,
) -> Vec<String> {
    let recipe = Recipe {
        notation,
        locale,
        plies,
        ..Recipe::new(rules, seed)
    };
    recipe
        .game(0)
        .main_line()
        .map(|(text, _)| text.into_owned())
        .collect()
}

/// A record of tokens with move numbers that run on.
fn record(rules: RuleSystem, notation: Notation, tokens: &[String]) -> String {
    let numbered = tokens.iter().enumerate().map(|(ply, token)| match ply % 2 {
        0 => format!("{}. {token}", ply / 2 + 1),
        _ => token.clone(),
    });
    let moves: Vec<String> = numbered.collect();
    format!(
        "[Variant \"{}\"]\n[Notation \"{}\"]\n\n{} *\n",
        rules.name(),
        notation.name(),
        moves.join(" ")
    )
}

#[test]
fn a_record_in_meders_notation_and_one_in_the_manuals_give_one_game() {
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Manual,
        RuleSystem::Federation,
    ] {
        let mut one = tokens(rules, Notation::Meder, Locale::English, 5, 40);
        let mut other = tokens(rules, Notation::Manual, Locale::English, 5, 40);
        let whole = replay(
            &read(&record(rules, Notation::Meder, &one)),
            &Options::default(),
        );
        one.remove(7);
        other[12].remove(0);
        let found = of(&[
            &record(rules, Notation::Meder, &one),
            &record(rules, Notation::Manual, &other),
        ]);
        let found = found.unwrap();
        assert_eq!(found.moves(), whole.moves(), "{rules:?}");
        assert_eq!(found.style().notation, Notation::Meder);
    }
}

#[test]
fn moves_that_both_players_have_in_another_order_stay_undecided() {
    // Both orders are legal, so the records do not show who exchanged the moves.
    let found = of(&[
        "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N *\n",
        "[Variant \"meder\"]\n\n1. c3W b5B 2. b4N a6N 3. Nc2W Nc6N *\n",
    ]);
    let found = found.unwrap();
    assert!(!found.is_decided());
    let readings: Vec<&str> = found.plies()[0]
        .readings
        .iter()
        .map(|own| own.text.as_str())
        .collect();
    assert_eq!(
        BTreeSet::from_iter(readings),
        BTreeSet::from(["b4N", "c3W"])
    );
    assert_eq!(
        found.plies()[0].readings.len(),
        found.plies()[2].readings.len()
    );
    // The readings are found again when the game is read.
    let replayed = found.replay();
    assert_eq!(replayed.status(), Status::Ambiguous);
    let ambiguous = replayed
        .findings()
        .iter()
        .filter(|found| found.code == Code::Ambiguous);
    assert_eq!(ambiguous.count(), 2);
}

#[test]
fn tags_comments_clocks_and_results_of_both_are_merged() {
    let found = of(&[
        "[White \"Anna Bell\"]\n[WhiteElo \"1500\"]\n[Date \"2024.05.01\"]\n[Variant \"meder\"]\n\n\
         1. b4N! {[%clk 1:00:00]} b5B {good} 2. c3W a6N 1-0\n",
        "[White \"Anna Bell\"]\n[WhiteElo \"1510\"]\n[Round \"3\"]\n[Variant \"meder\"]\n\n\
         1. b4N {[%clk 1:00:05]} b5B {good} 2. c3W (2. Nb3W) a6N {quick} 0-1\n",
    ]);
    let found = found.unwrap();
    assert!(!found.is_decided());
    assert_eq!(found.result(), None);
    let game = found.game();
    assert_eq!(game.result, Some(GameResult::Unknown));
    for (name, value) in [
        ("WhiteElo", "1500"),
        ("Date", "2024.05.01"),
        ("Round", "3"),
        ("Result", "*"),
    ] {
        assert_eq!(game.tag(name).as_deref(), Some(value), "{name}");
    }
    let written = write::movetext(game);
    for part in [
        "WhiteElo: A has 1500, B has 1510",
        "result: A has 1-0, B has 0-1; undecided",
        "b4N!",
        "A: [%clk 1:00:00]",
        "B: (%clk 1:00:05)",
        "{good}",
        "(2. Nb3W)",
        "{quick}",
    ] {
        let bare = |text: &str| text.replace(['\n', ' '], "");
        assert!(bare(&written).contains(&bare(part)), "{part}: {written}");
    }
    assert_eq!(written.matches("good").count(), 1, "{written}");
    assert_eq!(
        found.replay().status(),
        Status::Valid,
        "{:?}",
        found.replay().findings()
    );
}

#[test]
fn what_is_not_one_game_is_refused() {
    let game = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N *\n";
    let empty = "[Variant \"meder\"]\n\n*\n";
    assert_eq!(of(&[game]).unwrap_err(), NotReconciled::Count(1));
    assert_eq!(of(&[game; 4]).unwrap_err(), NotReconciled::Count(4));
    assert_eq!(of(&[game, empty]).unwrap_err(), NotReconciled::NoMoves(1));
    assert_eq!(of(&[empty, game]).unwrap_err(), NotReconciled::NoMoves(0));
    let cube = "[Variant \"chess3\"]\n\n1. 1E2-1E4 3E7-3E5 2. 1D2-1D4 *\n";
    assert_eq!(
        of(&[game, cube]).unwrap_err(),
        NotReconciled::OtherRules(RuleSystem::Meder, RuleSystem::Chess3)
    );
    let placed = "[Variant \"meder\"]\n[FEN \"nonsense\"]\n\n1. b4N b5B *\n";
    assert_eq!(of(&[placed, placed]).unwrap_err(), NotReconciled::Start(0));
    for rules in RuleSystem::ALL {
        let notation = Notation::of(*rules);
        let [one, other] = [3, 4].map(|seed| {
            record(
                *rules,
                notation,
                &tokens(*rules, notation, Locale::English, seed, 40),
            )
        });
        let why = of(&[&one, &other]).unwrap_err();
        assert!(
            matches!(why, NotReconciled::OtherGame(..)),
            "{rules:?}: {why}"
        );
        assert!(!why.to_string().is_empty());
    }
}

#[test]
fn records_without_a_difference_give_the_game_without_comments() {
    for rules in RuleSystem::ALL {
        let notation = Notation::of(*rules);
        let tokens = tokens(*rules, notation, Locale::English, 8, 60);
        let text = record(*rules, notation, &tokens);
        let found = of(&[&text, &text]).unwrap();
        assert!(
            found.is_decided() && found.differences().is_empty(),
            "{rules:?}"
        );
        assert!(!found.game().is_annotated());
        let three = of(&[&text, &text, &text]).unwrap();
        assert_eq!(three.moves(), found.moves());
    }
}

/// A record with a few slips of any kind.
fn slipped(tokens: &[String], dice: &mut Dice) -> Vec<String> {
    let mut tokens = tokens.to_vec();
    for _ in 0..dice.below(4) {
        let at = dice.below(tokens.len() as u32 - 2) as usize;
        let token = &mut tokens[at];
        match dice.below(5) {
            0 if token.len() > 2 => {
                token.remove(dice.below(token.len() as u32) as usize);
            }
            1 => token.insert(dice.below(token.len() as u32) as usize, 'x'),
            2 => tokens.swap(at, at + 2),
            3 => tokens.insert(at, "etwas".to_owned()),
            _ => {
                tokens.remove(at);
            }
        }
    }
    tokens.truncate(tokens.len() - dice.below(4) as usize);
    tokens
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn the_game_is_legal_and_explains_every_token_in_either_order(seed in any::<u32>()) {
        let mut dice = Dice::new(seed.into());
        let rules = RuleSystem::ALL[dice.below(RuleSystem::ALL.len() as u32) as usize];
        let notation = Notation::of(rules);
        let tokens = tokens(rules, notation, Locale::English, seed.into(), 30);
        let games = [0, 1].map(|_| read(&record(rules, notation, &slipped(&tokens, &mut dice))));
        let [one, other] = &games;
        let found = reconcile(&[one, other], &Options::default());
        let turned = reconcile(&[other, one], &Options::default());
        let (Ok(found), Ok(turned)) = (&found, &turned) else {
            prop_assert!(found.is_err() && turned.is_err());
            return Ok(());
        };
        prop_assert_eq!(found.moves(), turned.moves());
        let mut position = found.start().clone();
        for mv in found.moves() {
            prop_assert!(position.is_legal(*mv));
            position.play_unchecked(*mv);
        }
        for (record, game) in games.iter().enumerate() {
            let plies = found.plies().iter().filter_map(|ply| ply.records[record].index);
            let rest = found.superfluous().iter().filter(|token| token.record == record);
            let mut all: Vec<usize> = plies.chain(rest.map(|token| token.index)).collect();
            all.sort_unstable();
            let expected: Vec<usize> = (0..game.main_events().count()).collect();
            prop_assert_eq!(all, expected);
        }
        let replayed = found.replay();
        prop_assert_eq!(replayed.moves(), found.moves());
        for (ply, other) in found.plies().iter().zip(turned.plies()) {
            prop_assert_eq!(ply.readings.len(), other.readings.len());
        }
    }
}

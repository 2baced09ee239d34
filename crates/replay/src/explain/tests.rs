use super::search::search;
use crate::collection::generate::Recipe;
use crate::finding::{Change, Code, Correction, Finding, Severity, Status};
use crate::reading::Reading;
use crate::style::cache::ParseCache;
use crate::style::token::tokens;
use crate::{Options, Replay, each, repair_game};
use tridex_archive::container::Container;
use tridex_archive::game::Numbering;
use tridex_archive::split::Splitter;
use tridex_archive::{Game, Limits};
use tridex_notation::Notation;
use tridex_rules::RuleSystem;
use tridex_rules::random::Dice;

/// The only game of a text, and its findings.
fn read(text: &str) -> (Game<'static>, Replay) {
    let (game, report, _) = read_numbered(text);
    (game, report)
}

/// The same, and what its numbers show.
fn read_numbered(text: &str) -> (Game<'static>, Replay, Numbering) {
    let mut games = Vec::new();
    let limits = Limits::default();
    for batch in Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, limits, text.len()) {
        each(&batch.unwrap(), &Options::default(), |played| {
            let game = played.game();
            games.push((
                game.to_owned_game(),
                played.to_replay(),
                game.numbers.numbering(),
            ));
        });
    }
    assert_eq!(games.len(), 1, "{text}");
    games.pop().unwrap()
}

/// The moves of a game after its repair, and what was repaired.
fn repaired(text: &str) -> (Vec<String>, Vec<String>) {
    let (game, report) = read(text);
    let made = repair_game(&game, report.findings(), &Options::default());
    let (game, report) = made.unwrap_or((game, report));
    let moves = game
        .main_line()
        .map(|(text, _)| text.into_owned())
        .collect();
    let corrected = |found: &&Finding| found.code == Code::Repaired;
    let reported = report.findings().iter().filter(corrected);
    (moves, reported.map(|found| found.message.clone()).collect())
}

fn error(text: &str) -> Finding {
    let (_, report) = read(text);
    assert_eq!(report.status(), Status::Invalid, "{text}");
    let mut found = report.findings().iter();
    found
        .find(|found| found.severity == Severity::Error && found.ply > 0)
        .unwrap()
        .clone()
}

#[test]
fn a_rank_on_the_cube_is_not_cut_off() {
    // The knight's level follows its file.
    let text = "[Variant \"millennium\"]\n\n1. N1c3 N3c6 2. N1b5 N3b4 3. Nb23 *\n";
    let found = error(text);
    assert_eq!(found.alternatives, ["N2b3"]);
    assert_eq!(found.suggestion.as_deref(), Some("N2b3"));
    assert_eq!(found.corrections[0].slip, "two exchanged characters");
}

/// Wrong levels in generated games that are felt ten plies later or more: the slip is among what is listed.
#[test]
fn a_wrong_level_is_found_where_it_stands_and_not_where_it_is_felt() {
    let (mut felt_late, mut listed) = (0, 0);
    for index in 0..30 {
        let game = Recipe::new(RuleSystem::Meder, 5).game(index);
        let tokens: Vec<String> = game
            .main_line()
            .map(|(text, _)| text.into_owned())
            .collect();
        for ply in (index as usize % 7..tokens.len()).step_by(7) {
            let meant = &tokens[ply];
            let Some(way) = meant.strip_suffix(['W', 'N', 'B']) else {
                continue;
            };
            let other = if meant.ends_with('N') { 'W' } else { 'N' };
            let mut slipped = tokens.clone();
            slipped[ply] = format!("{way}{other}");
            let text = format!("[Variant \"meder\"]\n\n{} *\n", slipped.join(" "));
            let (_, report) = read(&text);
            let Some(found) = report
                .findings()
                .iter()
                .find(|found| found.severity == Severity::Error && found.ply as usize > ply + 10)
            else {
                continue;
            };
            felt_late += 1;
            let right = |correction: &Correction| {
                let [change] = correction.changes.as_slice() else {
                    return false;
                };
                change.ply as usize == ply + 1 && change.text == *meant
            };
            listed += u32::from(found.corrections.iter().any(right));
        }
    }
    assert!(felt_late > 10, "{felt_late}");
    assert!(listed * 100 >= felt_late * 95, "{listed} of {felt_late}");
}

#[test]
fn exchanged_moves_are_put_back() {
    let (moves, reported) =
        repaired("[Variant \"millennium\"]\n\n1. 1e4 3e5 2. N3c6 N1f3 3. B1b5 3a6 4. B1a4 *\n");
    assert_eq!(moves, ["1e4", "3e5", "N1f3", "N3c6", "B1b5", "3a6", "B1a4"]);
    assert_eq!(
        reported,
        [
            "`N3c6` is corrected to N1f3 (two moves exchanged)",
            "`N1f3` is corrected to N3c6 (two moves exchanged)"
        ]
    );
}

#[test]
fn a_move_left_out_is_looked_for_where_the_numbers_tell() {
    let text = "[Variant \"millennium\"]\n\n1. 1e4 3e5 2. N1f3 3. B1b5 3a6 4. B1a4 *\n";
    let found = error(text);
    let listed: Vec<String> = found.corrections.iter().map(Correction::words).collect();
    assert!(
        listed.iter().any(|words| words.contains("inserted at 2")),
        "{listed:?}"
    );
    assert!(found.missing.contains(&"N3c6".to_owned()), "{found:?}");
    assert_eq!(found.suggestion, None);
    assert!(
        found.corrections.iter().any(|c| c.slip == "a missing move"),
        "{listed:?}"
    );
}

/// A move that was not recorded ends what is read: what is missing before it goes after the last token.
#[test]
fn a_move_put_in_behind_the_last_token_has_the_place_of_the_number() {
    let text = "1. b4N b5B *\n\n1. b4N b5B 2. c3W 3. -- -- *\n";
    let mut reported = Vec::new();
    for batch in Splitter::new(text.as_bytes(), Container::Pgn, Limits::default()) {
        each(&batch.unwrap(), &Options::default(), |played| {
            reported.extend(played.findings());
        });
    }
    let found = reported.iter().find(|found| found.code == Code::MoveNumber);
    let found = found.unwrap();
    assert_eq!(found.at as usize, text.find("3.").unwrap());
    let mut changes = found.corrections.iter().flat_map(|c| &c.changes);
    assert!(changes.clone().count() > 0);
    assert!(changes.all(|change| change.at == found.at));
}

/// Only one move can be meant, but there is none before which it could be put in.
/// On a printed form, the moves between two omitted ones are in the other player's column.
#[test]
fn two_omitted_moves_are_put_in_between_which_the_columns_are_exchanged() {
    let text = "[Variant \"meder\"]\n\n1. a4W d5B 2. 0-0 d6B 3. b4W a5N 4. b5B 0-0 5. d4W a7B 6. cBxb6N a5B 7. d5N a2W \
                8. a6N a6B 9. Nc6B a3W 10. Bd7B c4W 11. a4W d3W 12. dBd4N a4N 13. dNxc4W d5B 14. a3N d6N 15. Nb4N \
                b5B 16. Bc2W aNxb2W 17. aNxb5B b1WQ 18. Qxb1W bBxa6B 19. dWxc4W Bxd6N 20. bBxa6B Nxc2W 21. Nb3W a5N \
                22. Nc1W Bc7B 23. Qb6N Qa8QL6 24. Qxc7B+ Qd8KL6 25. Nb3W a4W 26. Qc8B Qxc8B *\n";
    let (moves, reported) = repaired(text);
    assert_eq!((moves[10].as_str(), moves[30].as_str()), ("b6N", "Bb2W"));
    assert_eq!((moves.len(), reported.len()), (54, 2));
}

#[test]
fn what_cannot_be_carried_out_is_no_suggestion() {
    let mut seen = 0;
    for index in 0..40 {
        let game = Recipe::new(RuleSystem::Millennium, 5).game(index);
        let tokens: Vec<String> = game
            .main_line()
            .map(|(text, _)| text.into_owned())
            .collect();
        let report = crate::replay(&game, &Options::default());
        let mut position = report.start().clone();
        for (ply, mv) in report.moves().iter().enumerate() {
            position.play_unchecked(*mv);
            if ply % 2 == 1 || position.legal_moves().len() != 1 {
                continue;
            }
            let mut text = String::from("[Variant \"millennium\"]\n\n");
            for (ply, token) in tokens.iter().take(ply + 1).enumerate() {
                if ply % 2 == 0 {
                    text.push_str(&format!("{}. ", ply / 2 + 1));
                }
                text.push_str(&format!("{token} "));
            }
            text.push_str(&format!("{}. -- -- *\n", ply / 2 + 2));
            let (_, report) = read(&text);
            let found = report.findings().iter();
            let mut found = found.filter(|found| found.code == Code::MoveNumber);
            let found = found.next().unwrap();
            let change = &found.corrections[0].changes[0];
            if change.ply as usize == ply + 2 {
                seen += 1;
                assert_eq!(found.suggestion, None, "{text}");
            }
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_repair_speaks_the_language_of_the_sheet() {
    let text = "[Variant \"meder\"]\n[Locale \"de\"]\n\n1. b4N b5S 2. c3W a6N 3. Sc22W c6S *\n";
    let (moves, reported) = repaired(text);
    assert_eq!(moves, ["b4N", "b5S", "c3W", "a6N", "Sc2W", "c6S"]);
    assert_eq!(
        reported,
        ["`Sc22W` is corrected to Sc2W (a doubled character)"]
    );
}

#[test]
fn what_several_slips_explain_is_listed_and_left_as_it_is() {
    // The last token of a game: nothing after it can decide.
    let text = "[Variant \"millennium\"]\n\n1. e4 *\n";
    let (moves, reported) = repaired(text);
    assert_eq!(reported, [""; 0]);
    assert_eq!(moves, ["e4"]);
}

#[test]
fn a_wrong_letter_lists_what_the_other_pieces_could_do() {
    let found = error("[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Rc2W c6B *\n");
    assert!(found.alternatives.contains(&"Nc2W".to_owned()), "{found:?}");
}

#[test]
fn clean_games_and_two_slips_in_a_short_one_are_left_alone() {
    let clean = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W c6B *\n";
    let slipped = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6X 3. Nc9W c6Q *\n";
    for (text, status) in [(clean, Status::Valid), (slipped, Status::Invalid)] {
        let (game, report) = read(text);
        assert_eq!(report.status(), status);
        let made = repair_game(&game, report.findings(), &Options::default());
        assert!(made.is_none(), "{text}");
    }
}

/// The tokens of a generated game, written with numbers, some of them changed.
fn sheet(game: u64, slips: &[(usize, &str, &str)]) -> (String, Vec<String>) {
    let recipe = Recipe {
        notation: tridex_notation::Notation::Chess3,
        ..Recipe::new(RuleSystem::Chess3, 11)
    };
    let game = recipe.game(game);
    let tokens: Vec<String> = game
        .main_line()
        .map(|(text, _)| text.into_owned())
        .collect();
    let mut text = String::from("[Variant \"chess3\"]\n\n");
    for (ply, token) in tokens.iter().enumerate() {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        let slip = slips.iter().find(|(at, _, _)| *at == ply);
        let token = slip.map_or_else(
            || token.clone(),
            |(_, from, to)| {
                assert!(token.contains(from), "{token} has no {from}");
                token.replacen(from, to, 1)
            },
        );
        text.push_str(&format!("{token} "));
    }
    (format!("{text}*\n"), tokens)
}

#[test]
fn two_and_three_slips_are_set_right_and_each_is_told() {
    let slips = [(5, "-", "--"), (20, "-", ""), (31, "-", "~")];
    for count in 1..=3 {
        let (text, meant) = sheet(3, &slips[..count]);
        let found = error(&text);
        assert_eq!(found.ply, 6);
        let names = ["two slips", "three slips"];
        if count > 1 {
            assert_eq!(found.corrections[0].slip, names[count - 2]);
        }
        let (moves, reported) = repaired(&text);
        assert_eq!(moves, meant, "{text}");
        let kinds = [
            "a doubled character",
            "a missing character",
            "a wrong character",
        ];
        assert_eq!(reported.len(), count);
        for ((reported, kind), (ply, _, _)) in reported.iter().zip(kinds).zip(&slips) {
            assert!(
                reported.contains(&format!("corrected to {}", meant[*ply])),
                "{reported}"
            );
            assert!(reported.contains(kind), "{reported}");
        }
    }
}

/// What is inserted and what is removed has a trace in its place; a finding that is not sure is not carried out.
#[test]
fn each_change_leaves_its_trace() {
    let (game, report) = read("[Variant \"meder\"]\n\n1. b4N xx 2. c3W (2. c4W) a6N *\n");
    let at = |token: &str| {
        let mut moves = game.main_line();
        moves.find(|(text, _)| *text == token).unwrap().1
    };
    let change = |ply, token: &str, text: &str, at| Change {
        ply,
        number: String::new(),
        token: token.to_owned(),
        text: text.to_owned(),
        slip: "a slip",
        at,
        line: 0,
        column: 0,
    };
    let changes = vec![
        change(2, "xx", "", at("xx")),
        change(3, "", "b5B", at("c3W")),
        change(3, "c3W", "Nc3W", at("c3W")),
    ];
    let mut found = report.findings().to_vec();
    found[0].corrections = vec![Correction {
        slip: "three slips",
        cost: 1,
        changes,
    }];
    found[0].is_sure = false;
    let repaired = |found: &[Finding]| repair_game(&game, found, &Options::default());
    assert!(repaired(&found).is_none());
    found[0].is_sure = true;
    let (made, report) = repaired(&found).unwrap();
    assert_eq!(
        tridex_archive::write::movetext(&made),
        "1. b4N {[%tridex repaired \"xx\" to \"\" for \"a slip\"]} 1... b5B \
         {[%tridex repaired \"\" to \"b5B\" for \"a slip\"]} 2. Nc3W \
         {[%tridex repaired \"c3W\" to \"Nc3W\" for \"a slip\"]} (2. c4W) 2... a6N"
    );
    let said = |report: &Replay| {
        let found = report.findings().iter();
        let found = found.filter(|found| found.code == Code::Repaired);
        let found = found.map(|found| (found.ply, found.token.clone(), found.message.clone()));
        found.collect::<Vec<_>>()
    };
    let messages = |report: &Replay| said(report).into_iter().map(|(_, _, message)| message);
    let again = crate::replay(&made, &Options::default());
    assert!(messages(&again).eq(messages(&report)));
    let plies: Vec<u32> = said(&again).into_iter().map(|(ply, ..)| ply).collect();
    assert_eq!(plies, [2, 2, 3]);
    assert_eq!(again.status, Status::Warned);
}

/// A sheet of a club evening in which a scanner has misread three letters.
#[test]
fn what_a_scanner_misread_thrice_is_the_game_that_was_played() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sheet = std::fs::read(folder.join("corpus/sheets/club-evening/10-scanned.txt")).unwrap();
    let truth = std::fs::read(folder.join("tests/data/club-evening.pgn")).unwrap();
    let games = |bytes: &[u8], container| {
        let mut games = Vec::new();
        for batch in Splitter::new(bytes, container, Limits::default()) {
            each(&batch.unwrap(), &Options::default(), |played| {
                games.push((played.game().to_owned_game(), played.to_replay()));
            });
        }
        games
    };
    let (_, truth) = games(&truth, Container::Pgn).remove(9);
    let mut sheets = games(&sheet, Container::Movetext);
    assert_eq!(sheets.len(), 1);
    let (game, report) = sheets.remove(0);
    let made = repair_game(&game, report.findings(), &Options::default());
    let (_, report) = made.unwrap();
    assert!(report.is_whole(), "{:?}", report.findings());
    assert_eq!(report.moves(), truth.moves);
    let corrected = report.findings().iter();
    let corrected = corrected.filter(|found| found.code == Code::Repaired);
    let corrected: Vec<(&str, &str)> = corrected
        .map(|found| (found.token.as_str(), found.message.as_str()))
        .collect();
    let reported = |written: &str, meant: &str| {
        let message = format!("`{written}` is corrected to {meant} (a misread character)");
        corrected.contains(&(written, message.as_str()))
    };
    assert!(reported("3DB-1F6", "3D8-1F6"), "{corrected:?}");
    // The third is read as a typewriter's one, without repair.
    assert!(corrected.iter().all(|(token, _)| *token != "lE2-1E3"));
    assert!(reported("3G7-3GS", "3G7-3G5"), "{corrected:?}");
}

/// A generated game with one to three slips, each in a token, or one token more or less.
fn slipped(rules: RuleSystem, notation: Notation, index: u64) -> String {
    let recipe = Recipe {
        notation,
        plies: 32,
        ..Recipe::new(rules, 13)
    };
    let game = recipe.game(index);
    let line = game.main_line().map(|(text, _)| text.into_owned());
    let mut tokens: Vec<String> = line.collect();
    let mut dice = Dice::nth(29, index);
    let mut below = |count: usize| dice.below(count as u32) as usize;
    for _ in 0..=below(3) {
        let (at, other) = (below(tokens.len()), below(tokens.len()));
        match below(7) {
            0 => tokens[at] = tokens[other].clone(),
            1 => tokens.insert(at, tokens[at].clone()),
            2 if tokens.len() > 8 => drop(tokens.remove(at)),
            3 => tokens.swap(at, other),
            4 => tokens[at].insert(0, 'x'),
            kind => {
                let token = &mut tokens[at];
                let place = below(token.len());
                let letter = ["a", "3", "N", "W", "~", ""][below(6)];
                token.replace_range(place..place + usize::from(kind == 5), letter);
            }
        }
    }
    let mut text = format!(
        "[Variant \"{}\"]\n[Notation \"{}\"]\n\n",
        rules.name(),
        notation.name()
    );
    for (ply, token) in tokens.iter().enumerate() {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        text.push_str(&format!("{token} "));
    }
    format!("{text}*\n")
}

/// How many steps a search takes decides where one ends that is too long, and so what is found: the numbers do not change
/// with how fast it is.
#[test]
fn the_steps_of_a_search_are_what_they_were() {
    let mut counted = Vec::new();
    for rules in RuleSystem::ALL {
        let own = |notation: &Notation| notation.family() == rules.family();
        for notation in Notation::ALL.into_iter().filter(own) {
            let (mut sum, mut explained, mut exhausted) = (0, 0, 0);
            for index in 0..40 {
                let text = slipped(*rules, notation, index);
                let (game, report, numbering) = read_numbered(&text);
                let tokens = tokens(&game, &ParseCache::default());
                let broken = (!report.is_whole()).then_some(report.moves().len());
                let reading = Reading {
                    hands: [report.style(); 2],
                    strict: false,
                    bound: false,
                };
                for steps in [[100_000, 200_000], [900, 3_000], [200 + 7 * index, 900]] {
                    let (found, left) =
                        search(report.start(), &tokens, broken, reading, numbering, steps);
                    assert!(!(found.is_cut && found.is_sure), "{text}");
                    sum += left;
                    explained += found.hypotheses.len();
                    exhausted += usize::from(found.is_cut);
                }
            }
            counted.push((rules.name(), notation.name(), sum, explained, exhausted));
        }
    }
    let known = [
        ("meder", "meder", 7_647_916, 66, 52),
        ("meder", "manual", 8_097_141, 53, 43),
        ("manual", "meder", 7_867_682, 114, 50),
        ("manual", "manual", 8_104_963, 57, 42),
        ("federation", "meder", 7_820_929, 106, 53),
        ("federation", "manual", 8_089_128, 50, 44),
        ("millennium", "millennium", 7_236_181, 348, 53),
        ("millennium", "chess3", 7_926_144, 230, 54),
        ("chess3", "millennium", 7_724_918, 225, 58),
        ("chess3", "chess3", 7_967_654, 91, 53),
    ];
    assert_eq!(counted, known);
}

//! Every correction that is offered makes the game legal. Slips are made in generated games of every system and notation; the
//! corrections are applied to the text, at the line and column that are published.

use crate::collection::generate::Recipe;
use crate::finding::Problem;
use crate::finding::{Change, Correction, Finding, Severity};
use crate::{Options, Replay, each, repair_game};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tridex_archive::container::Container;
use tridex_archive::source::walk;
use tridex_archive::split::Splitter;
use tridex_archive::{Game, Limits};
use tridex_notation::Notation;
use tridex_rules::RuleSystem;
use tridex_rules::random::Dice;

#[allow(dead_code)]
#[path = "../../examples/scan/slips.rs"]
mod slips;

/// The games of a text, with their reports, findings placed, and whether each is whole.
fn read(text: &str) -> Vec<(Game<'static>, Replay, bool)> {
    let mut games = Vec::new();
    let limits = Limits::default();
    for batch in Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, limits, text.len()) {
        let batch = batch.unwrap();
        let mut line_index = batch.line_index();
        each(&batch, &Options::default(), |played| {
            let mut report = played.to_replay();
            report.place(&mut line_index);
            games.push((played.game().to_owned_game(), report, played.is_whole()));
        });
    }
    games
}

/// Where a line and a column, both from 1, are in a text.
fn offset(text: &str, line: u64, column: u64) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(line as usize - 1).map(str::len).sum();
    let line = lines.next().unwrap_or_default();
    let column = line.char_indices().nth(column as usize - 1);
    before + column.map_or(line.len(), |(at, _)| at)
}

/// A text with a change made; `None` if its token has other characters there, such as blanks between its parts.
fn changed(text: &str, change: &Change) -> Option<String> {
    let at = offset(text, change.line, change.column);
    let (before, rest) = text.split_at(at);
    Some(match (change.token.as_str(), change.text.as_str()) {
        ("", new) => format!("{before} {new} {rest}"),
        (token, new) => format!("{before}{new}{}", rest.strip_prefix(token)?),
    })
}

/// A text with a correction made, from its end to its beginning: after a change the places before it are where they were.
fn corrected(text: &str, correction: &Correction) -> Option<String> {
    let mut changes = correction.changes.iter().rev();
    changes.try_fold(text.to_owned(), |text, change| changed(&text, change))
}

/// A finding with one of its corrections alone, as if it was sure.
fn only(found: &Finding, correction: &Correction) -> Finding {
    Finding {
        is_sure: true,
        corrections: vec![correction.clone()],
        ..found.clone()
    }
}

/// What is offered for a finding of a game of this text, of which `place` is the place among them, and does not hold.
fn broken_promises(text: &str, place: usize, game: &Game<'_>, found: &Finding) -> Vec<String> {
    let mut broken = Vec::new();
    let whole = |text: &str| {
        read(text)
            .get(place)
            .is_some_and(|(_, _, is_whole)| *is_whole)
    };
    for correction in &found.corrections {
        // In the record, as `--repair` does, and in the text.
        if repair_game(game, &[only(found, correction)], &Options::default()).is_none() {
            broken.push(format!("{}: in the record", correction.words()));
        }
        if let Some(new) = corrected(text, correction)
            && !whole(&new)
        {
            broken.push(format!("{}: {new}", correction.words()));
        }
    }
    let at = offset(text, found.line, found.column);
    let (before, rest) = text.split_at(at);
    let Some(rest) = rest.strip_prefix(found.token.as_str()) else {
        return broken;
    };
    let instead = |new: &str| format!("{before}{new}{rest}");
    // A row has only the token and what it should read.
    if let Some(suggestion) = Problem::new("x", None, found).suggestion {
        let new = instead(suggestion);
        if found.token.is_empty() || !whole(&new) {
            broken.push(format!("suggestion {suggestion}: {new}"));
        }
    }
    // A legal move can be played at its place.
    if found.severity == Severity::Error && !found.token.is_empty() && found.ply > 0 {
        for legal in &found.alternatives {
            let new = instead(legal);
            let games = read(&new);
            let plies = games
                .get(place)
                .map_or(0, |(_, report, _)| report.moves().len());
            if plies < found.ply as usize {
                broken.push(format!("legal {legal}: {new}"));
            }
        }
    }
    broken
}

/// The PGN files and bare movetexts of the corpus.
fn corpus() -> &'static [String] {
    static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let sources = walk(["games", "invalid", "sheets"].map(|folder| root.join(folder)));
        let paths = sources.map(|source| source.unwrap().path().unwrap().to_owned());
        let is_text = |path: &PathBuf| {
            path.extension()
                .is_some_and(|end| end == "pgn" || end == "txt")
        };
        let texts = paths
            .filter(is_text)
            .filter_map(|path| std::fs::read_to_string(path).ok());
        let texts: Vec<String> = texts.collect();
        assert!(texts.len() > 20, "{}", texts.len());
        texts
    });
    &TEXTS
}

/// The first games of a text, for time.
fn beginning(text: &str) -> String {
    let end = text
        .match_indices("[Event ")
        .nth(3)
        .map_or(text.len(), |(at, _)| at);
    text[..end].to_owned()
}

/// A position that is not the one of the record has no corrections of its moves.
#[test]
fn a_start_that_cannot_be_read_is_not_explained_by_slips() {
    let fen = "/4/4/4|4/4/4/4|4/4/3N/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/r1 w - - - 0 10";
    let text = format!("[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. N3W *\n");
    let games = read(&text);
    let (_, report, is_whole) = &games[0];
    assert!(!is_whole && report.findings().len() > 1);
    for found in report.findings() {
        assert!(
            found.corrections.is_empty() && found.suggestion.is_none(),
            "{found:?}"
        );
    }
}

proptest! {
    #![proptest_config(crate::testing::cases(300))]

    #[test]
    fn every_correction_makes_the_game_legal(
        seed: u64,
        system in 0..5_usize,
        other: bool,
        kinds in prop::collection::vec(0..12_usize, 1..4),
        plies in 12..90_usize,
        is_numbered in prop::bool::weighted(0.8),
    ) {
        let rules = RuleSystem::ALL[system];
        let mut notations = Notation::ALL.into_iter().filter(|n| n.family() == rules.family());
        let notation = notations.nth(usize::from(other)).unwrap();
        let game = Recipe { notation, ..Recipe::new(rules, seed) }.game(0);
        let tokens: Vec<String> = game.main_line().map(|(text, _)| text.into_owned()).take(plies).collect();
        let kinds: Vec<slips::Kind> = kinds.into_iter().map(|kind| slips::Kind::ALL[kind]).collect();
        let Some(slipped) = slips::slip(&kinds, notation, &tokens, &mut Dice::nth(seed, 1)) else {
            return Ok(());
        };
        let is_number = |word: &&str| !(word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit()));
        let movetext = match is_numbered {
            true => slipped.text,
            false => slipped.text.split(' ').filter(is_number).collect::<Vec<_>>().join(" "),
        };
        let text = format!(
            "[Variant \"{}\"]\n[Notation \"{}\"]\n\n{movetext} *\n",
            rules.name(),
            notation.name(),
        );
        let games = read(&text);
        // A slip may make a result of castling: then what follows is another game.
        let [(game, report, _)] = games.as_slice() else {
            return Ok(());
        };
        for found in report.findings() {
            let broken = broken_promises(&text, 0, game, found);
            prop_assert!(broken.is_empty(), "{}\n{:?}\n{}", text, found, broken.join("\n"));
        }
        // A sure correction is the first, and `--repair` makes it.
        if let Some(found) = report.findings().iter().find(|found| found.is_sure) {
            let repaired = repair_game(game, report.findings(), &Options::default());
            let (repaired, _) = repaired.ok_or_else(|| TestCaseError::fail(format!("{text} {found:?}")))?;
            let new = corrected(&text, &found.corrections[0]).unwrap();
            let moves = |game: &Game<'_>| -> Vec<String> {
                game.main_line().map(|(text, _)| text.into_owned()).collect()
            };
            prop_assert_eq!(moves(&repaired), moves(&read(&new)[0].0), "{}", text);
        }
    }

    #[test]
    fn every_correction_of_a_damaged_record_holds(
        file: prop::sample::Index,
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..4_usize, prop::sample::select(vec![
                "a", "b", "3", "5", "W", "N", "B", "x", "+", " ", "Q", "1", ".", "-", "K", "\u{e9}", "2.", "b4N", "1e4",
            ])),
            1..5,
        ),
    ) {
        let mut text: Vec<char> = beginning(file.get::<String>(corpus())).chars().collect();
        for (place, kind, new) in edits {
            let (at, last) = (place.index(text.len()), text.len() - 1);
            match kind {
                0 => drop(text.remove(at)),
                1 => drop(text.splice(at..at, new.chars())),
                2 => drop(text.splice(at..=at, new.chars())),
                _ => text.swap(at, (at + 1).min(last)),
            }
        }
        let text: String = text.into_iter().collect();
        for (place, (game, report, _)) in read(&text).iter().enumerate() {
            for found in report.findings() {
                let broken = broken_promises(&text, place, game, found);
                prop_assert!(broken.is_empty(), "{}\n{:?}\n{}", text, found, broken.join("\n"));
            }
            if report.findings().iter().any(|found| found.is_sure) {
                let repaired = repair_game(game, report.findings(), &Options::default());
                prop_assert!(repaired.is_some(), "{}\n{:?}", text, report.findings());
            }
        }
    }
}

/// Blanks that are missing or superfluous, and a move that was written twice. The move numbers show which it is.
#[test]
fn corrections_agree_with_the_move_numbers() {
    let whole = "1. a4W d6N 2. 0-0 d6B 3. a5B dNd5B 4. a3N c6N 5. a4N a5N 6. b3N b6N 7. d4W Nc7B 8. d2W 0-0 *";
    let repaired = |text: &str| {
        let text = format!("[Variant \"meder\"]\n\n{text}\n");
        let (game, report, _) = read(&text).remove(0);
        let (repaired, _) = repair_game(&game, report.findings(), &Options::default())?;
        let moves = repaired.main_line();
        Some(moves.map(|(text, _)| text.into_owned()).collect::<Vec<_>>())
    };
    let moves: Vec<_> = whole
        .split(' ')
        .filter(|word| !word.ends_with(['.', '*']))
        .collect();
    for (from, to) in [
        ("a3N c6N", "a3Nc6N"),
        ("a3N c6N", "a3N-c6N"),
        ("a3N c6N", "a3N/c6N"),
        ("Nc7B", "N c7B"),
        ("a4W", "a4 W"),
        ("6. b3N b6N", "6. b3N b3N b6N"),
        ("6. b3N b6N", "6. b3N b6N b6N"),
    ] {
        let text = whole.replacen(from, to, 1);
        assert_ne!(text, whole);
        assert_eq!(
            repaired(&text).as_deref(),
            Some(&moves.iter().map(|mv| (*mv).to_owned()).collect::<Vec<_>>()[..]),
            "{text}"
        );
    }
    // Without numbers a move too many is less likely, but nothing else explains the game.
    let text = whole.replacen("a3N c6N", "a3Nc6N", 1);
    let bare = text.split(' ').filter(|word| !word.ends_with('.'));
    let bare = bare.collect::<Vec<_>>().join(" ");
    assert_eq!(
        repaired(&bare).map(|moves| moves.len()),
        Some(moves.len()),
        "{bare}"
    );
}

use crate::diagnostic::{Code, Correction, Diagnostic, Severity, Status};
use crate::generate::Recipe;
use crate::{Options, Report, each, repair_game};
use tridex_archive::Limits;
use tridex_archive::container::Container;
use tridex_archive::record::Game;
use tridex_archive::split::Splitter;
use tridex_rules::RuleSystem;

/// The only game of a text, and what is said of it.
fn read(text: &str) -> (Game, Report) {
    let mut games = Vec::new();
    let limits = Limits::default();
    for batch in Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, limits, text.len()) {
        each(&batch.unwrap(), &Options::default(), |played| {
            games.push((played.to_game(), played.report()));
        });
    }
    assert_eq!(games.len(), 1, "{text}");
    games.pop().unwrap()
}

/// The moves of a game after its repair, and what was repaired.
fn repaired(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut game, report) = read(text);
    let report = repair_game(&mut game, report, &Options::default());
    let moves = game.main_line().map(|(text, _)| text.to_owned()).collect();
    let mended = |found: &&Diagnostic| found.code == Code::Repaired;
    let told = report.diagnostics.iter().filter(mended);
    (moves, told.map(|found| found.message.clone()).collect())
}

fn error(text: &str) -> Diagnostic {
    let (_, report) = read(text);
    assert_eq!(report.status, Status::Invalid, "{text}");
    let mut found = report.diagnostics.into_iter();
    found
        .find(|found| found.severity == Severity::Error && found.ply > 0)
        .unwrap()
}

#[test]
fn a_rank_on_the_cube_is_not_cut_off() {
    // The knight's level stands behind its file.
    let text = "[Variant \"millennium\"]\n\n1. N1c3 N3c6 2. N1b5 N3b4 3. Nb23 *\n";
    let found = error(text);
    assert_eq!(found.alternatives, ["N2b3"]);
    assert_eq!(found.suggestion.as_deref(), Some("N2b3"));
    assert_eq!(
        found.corrections[0].slip,
        "two characters the wrong way round"
    );
}

/// Wrong levels in generated games that are felt ten plies later or more: the slip is among what is listed.
#[test]
fn a_wrong_level_is_found_where_it_stands_and_not_where_it_is_felt() {
    let (mut felt_late, mut listed) = (0, 0);
    for index in 0..30 {
        let game = Recipe::new(RuleSystem::Meder, 5).game(index);
        let tokens: Vec<String> = game.main_line().map(|(text, _)| text.to_owned()).collect();
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
                .diagnostics
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
    let (moves, told) =
        repaired("[Variant \"millennium\"]\n\n1. 1e4 3e5 2. N3c6 N1f3 3. B1b5 3a6 4. B1a4 *\n");
    assert_eq!(moves, ["1e4", "3e5", "N1f3", "N3c6", "B1b5", "3a6", "B1a4"]);
    assert_eq!(
        told,
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
        listed.iter().any(|words| words.contains("put in at 2")),
        "{listed:?}"
    );
    assert!(found.alternatives.contains(&"N3c6".to_owned()), "{found:?}");
    assert_eq!(found.suggestion, None);
    assert!(
        found
            .corrections
            .iter()
            .any(|c| c.slip == "a move left out"),
        "{listed:?}"
    );
}

#[test]
fn a_repair_speaks_the_language_of_the_sheet() {
    let text = "[Variant \"meder\"]\n[Locale \"de\"]\n\n1. b4N b5S 2. c3W a6N 3. Sc22W c6S *\n";
    let (moves, told) = repaired(text);
    assert_eq!(moves, ["b4N", "b5S", "c3W", "a6N", "Sc2W", "c6S"]);
    assert_eq!(told, ["`Sc22W` is corrected to Sc2W (a doubled character)"]);
}

#[test]
fn what_several_slips_explain_is_listed_and_left_as_it_is() {
    // The last token of a game: nothing behind it can decide.
    let text = "[Variant \"millennium\"]\n\n1. e4 *\n";
    let (moves, told) = repaired(text);
    assert_eq!(told, [""; 0]);
    assert_eq!(moves, ["e4"]);
}

#[test]
fn a_wrong_letter_lists_what_the_other_pieces_could_do() {
    let found = error("[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Rc2W c6B *\n");
    assert!(found.alternatives.contains(&"Nc2W".to_owned()), "{found:?}");
}

#[test]
fn clean_games_and_two_slips_are_left_alone() {
    let clean = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W c6B *\n";
    let (game, report) = read(clean);
    let mut same = game.clone();
    assert_eq!(
        repair_game(&mut same, report, &Options::default()).status,
        Status::Valid
    );
    assert_eq!(same, game);
    let (game, report) = read("[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6X 3. Nc9W c6Q *\n");
    let mut same = game.clone();
    let report = repair_game(&mut same, report, &Options::default());
    assert_eq!(report.status, Status::Invalid);
    assert_eq!(same, game);
}

//! One game of a file or of an index, replayed.

use crate::failure::Failure;
use crate::io::fault::Fault;
use crate::io::indices::{of_index, with_played};
use crate::io::{indices, question};
use crate::options::reading::Which;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tridex_archive::printable;
use tridex_archive::source::{OpenOptions, Source};
use tridex_notation::{Locale, Notation, WrongFamily};
use tridex_replay::{Options, Part, Parts, Report, RulesChoice, replay};
use tridex_rules::RuleSystem;

/// One game of a file or of an index, replayed.
pub(crate) fn one_game(
    file: Option<&Path>,
    which: &Which,
    rules: Option<RuleSystem>,
) -> Result<Report, Failure> {
    let Some(file) = file else {
        return game_of_index(&which.index, &which.game, rules);
    };
    let wanted: u64 = match which.game.parse() {
        Ok(number) if number > 0 => number,
        _ => {
            return Err(Failure::message(
                "--game: expected the number of a game in the file, from 1; ids are for games of an index (--index DIR)",
            ));
        }
    };
    let options = Options {
        rules: rules.map_or(RulesChoice::AsTagged, RulesChoice::Only),
        notation: which.from,
        locale: which.from_locale,
        strict: false,
    };
    let source = Source::new(OsStr::new(file));
    let shown = source.name();
    let mut open = OpenOptions::default();
    open.encoding = which.encoding;
    open.language = which.from_locale.map(Locale::code);
    let input = source.open(&open).map_err(Failure::message)?;
    let name: Arc<str> = shown.as_str().into();
    let mut seen = 0;
    for part in Parts::new(input) {
        let batch = match part {
            Part::Games(batch) => batch,
            Part::Noted(found) => {
                Fault::of_text(&name, found).report();
                continue;
            }
            Part::Failed(error) => return Err(Failure::message(Fault::of_source(&error))),
        };
        if seen + u64::from(batch.games()) < wanted {
            seen += u64::from(batch.games());
            continue;
        }
        let games = batch.all_games();
        let here = usize::try_from(wanted - seen - 1).unwrap_or(usize::MAX);
        seen += games.len() as u64;
        if let Some(game) = games.get(here) {
            let mut report = replay(game, &options);
            let wrong = |notation: &Notation| notation.family() != report.rules.family();
            if let Some(notation) = which.from.filter(wrong) {
                return Err(Failure::message(format!(
                    "--from has no effect on a game of {}: {}",
                    report.rules.name(),
                    WrongFamily { notation }
                )));
            }
            report.place(&mut batch.places());
            return Ok(report);
        }
    }
    Err(Failure::message(format!(
        "{}: no game {}; the file has {seen}",
        printable(&shown),
        wanted
    )))
}

/// One game of indices, replayed; under other rules than its own if some are named.
fn game_of_index(
    folders: &[PathBuf],
    name: &str,
    rules: Option<RuleSystem>,
) -> Result<Report, Failure> {
    let index = indices::open(folders)?;
    let game = index.game(question::find(&index, name)?);
    let game = game.map_err(|fault| of_index(&fault))?;
    with_played(&game, rules, |played| played.report())
}

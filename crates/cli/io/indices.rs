//! Indices that are read: opened, their games, what is wrong with them.

use crate::failure::{Exit, Failure};
use crate::term::terminal;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use tridex_archive::printable;
use tridex_export::ExportError;
use tridex_index::{GameIndex, IndexError, IndexedGame};
use tridex_notation::Notation;
use tridex_replay::{Options, Played, RulesChoice, replay_with};
use tridex_rules::RuleSystem;

/// Opens indices that are searched as one: those that were named, or else those of the variable `TRIDEX_INDEX`, divided as
/// the system divides paths. They are open until the program ends, which gives back dozens of mapped files at once: to give
/// back each on its own takes as long as many a question.
pub(crate) fn open(named: &[PathBuf]) -> Result<ManuallyDrop<GameIndex>, Failure> {
    let folders = folders(named)?;
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let index = GameIndex::open_all(&folders).map_err(|fault| of_index(&fault))?;
    Ok(ManuallyDrop::new(index))
}

/// The folders of the indices to search: see [`open()`].
pub(crate) fn folders(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let variable = std::env::var_os("TRIDEX_INDEX").filter(|_| named.is_empty());
    let divided = variable.iter().flat_map(std::env::split_paths);
    let folders: Vec<PathBuf> = named.iter().cloned().chain(divided).collect();
    if folders.is_empty() {
        return Err(Failure::message(
            "no index is named; use --index DIR, or set the variable TRIDEX_INDEX",
        ));
    }
    Ok(folders)
}

/// Hands a game of an index to who goes through games.
pub(crate) fn with_played<T>(
    game: &IndexedGame,
    rules: Option<RuleSystem>,
    take: impl FnOnce(&Played<'_>) -> T,
) -> Result<T, Failure> {
    let notation = Notation::of(game.entry.rules);
    let record = game.record(notation, None).map_err(Failure::message)?;
    let options = Options {
        rules: rules.map_or(RulesChoice::AsTagged, RulesChoice::Only),
        ..Options::default()
    };
    Ok(replay_with(&record, &options, take))
}

/// A game that is damaged is reported and skipped; any other fault ends the answer.
pub(crate) fn left_out(fault: &IndexError, exit: &mut Exit) -> Result<(), Failure> {
    if !matches!(fault, IndexError::Damaged { .. }) {
        return Err(of_index(fault));
    }
    *exit = Exit::HasProblems;
    terminal::complain(&format!(
        "skipped a game: {}",
        printable(&fault.to_string())
    ));
    Ok(())
}

/// The error of an index, for a terminal.
pub(crate) fn of_index(fault: &IndexError) -> Failure {
    let hint = match fault {
        IndexError::NotAnIndex(_) => "; create one with `tridex index PATHS --index DIR`",
        IndexError::Version { .. } => ": `tridex index PATHS --index DIR`",
        _ => "",
    };
    Failure::message(format!("{}{hint}", printable(&fault.to_string())))
}

/// Reports the damage found in an index, and that the results are not complete.
pub(crate) fn report_damage(index: &GameIndex) -> Exit {
    let damage = index.damage();
    for (path, what) in &damage {
        let (path, what) = (path.to_string_lossy(), printable(what));
        terminal::complain(&format!("{}: {what}", printable(&path)));
    }
    if damage.is_empty() {
        return Exit::Good;
    }
    terminal::complain(
        "the results lack the games of damaged files; check the index with `tridex index --verify --index DIR`",
    );
    Exit::HasProblems
}

/// The error of Parquet files, for a terminal.
pub(crate) fn of_export(fault: ExportError) -> Failure {
    Failure::message(printable(&fault.to_string()))
}

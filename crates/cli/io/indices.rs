//! Reading indices: how to open them, queries, their games, and damage.

use crate::failure::{Failure, Trouble};
use crate::options::fields::{FieldArgs, Saved};
use crate::session::Session;
use crate::term::terminal::named;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use tridex_index::{GameIndex, IndexError, IndexedGame, OpeningBook, SearchRequest};
use tridex_notation::Notation;
use tridex_replay::{Options, Played, RulesChoice, replay_with};
use tridex_rules::RuleSystem;
use tridex_text::printable;

/// Opens indices to search them as one: those that were named, or else those of the variable `TRIDEX_INDEX`, separated
/// like the folders of `PATH`. They stay open until the program ends, when the system unmaps all their files at once.
/// To unmap dozens of files one by one takes as long as many a query.
pub(crate) fn open(named: &[PathBuf]) -> Result<ManuallyDrop<GameIndex>, Failure> {
    let folders = folders(named)?;
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    Ok(ManuallyDrop::new(GameIndex::open_all(&folders)?))
}

/// The folders of the indices to search: see [`open()`].
pub(crate) fn folders(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let variable = std::env::var_os("TRIDEX_INDEX").filter(|_| named.is_empty());
    let divided = variable.iter().flat_map(std::env::split_paths);
    let folders: Vec<PathBuf> = named.iter().cloned().chain(divided).collect();
    match folders.is_empty() {
        true => Err(Failure::message(
            "no index is named; use --index DIR, or set the variable TRIDEX_INDEX",
        )),
        false => Ok(folders),
    }
}

/// Builds the whole request from options, the words that the shell has split, and saved queries. A game must match
/// every part.
pub(crate) fn request(
    words: &[String],
    fields: &FieldArgs,
    saved: &Saved,
) -> Result<SearchRequest, Failure> {
    let mut request = fields.request.clone();
    request.set("query", words.join(" "))?;
    let Some(path) = &saved.questions else {
        return Ok(request);
    };
    let text = std::fs::read_to_string(path).map_err(|fault| Failure::at(path, fault))?;
    let mut known: Vec<(&str, &str)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fault = |what: &str| Failure::message(format!("{}:{number}: {what}", named(path)));
        let parts = line.split_once('=');
        let (name, query) = parts.ok_or_else(|| fault("expected a name, `=` and a query"))?;
        let name = name.trim();
        if known.iter().any(|(other, _)| *other == name) {
            return Err(fault(&format!("duplicate query {}", printable(name))));
        }
        known.push((name, query.trim()));
    }
    for name in &saved.ask {
        let shown = printable(name);
        let Some((_, query)) = known.iter().find(|(other, _)| other == name) else {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            let names = printable(&names);
            let what = format!("no query {shown}; expected one of: {names}");
            return Err(Failure::at(path, what));
        };
        request.add_saved(format!("the query {shown}"), *query);
    }
    Ok(request)
}

/// The bundled names of openings and those of a file, which take precedence. Lines of the file that cannot be used are
/// reported.
pub(crate) fn opening_names(
    session: &Session,
    names: Option<&Path>,
) -> Result<OpeningBook, Failure> {
    let mut book = OpeningBook::bundled();
    let Some(path) = names else {
        return Ok(book);
    };
    let file = File::open(path).map_err(|fault| Failure::at(path, fault))?;
    let (theirs, faults) = OpeningBook::from_csv(file);
    for fault in &faults {
        let (path, what) = (named(path), printable(&fault.what));
        session.complain(&format!("{path}:{}: {what}", fault.line));
    }
    book.extend(theirs);
    session.note_if(Trouble::InData, !faults.is_empty());
    Ok(book)
}

/// Replays a game of an index and passes it to `take`. It is replayed under its own rules unless others are named.
pub(crate) fn with_played<T>(
    game: &IndexedGame,
    rules: Option<RuleSystem>,
    take: impl FnOnce(&Played<'_>) -> T,
) -> Result<T, Failure> {
    let notation = Notation::of(game.entry.rules);
    let record = game.record(notation, None).map_err(Failure::message)?;
    let options = Options::default().rules(rules.map_or(RulesChoice::AsTagged, RulesChoice::Only));
    Ok(replay_with(&record, &options, take))
}

/// Returns a game, or `None` after reporting that it is damaged. Any other error is returned.
pub(crate) fn undamaged<T>(
    session: &Session,
    game: Result<T, IndexError>,
) -> Result<Option<T>, Failure> {
    if let Err(fault @ IndexError::Damaged { .. }) = game {
        session.note(Trouble::InData);
        let fault = fault.to_string();
        session.complain(&format!("skipped a game: {}", printable(&fault)));
        return Ok(None);
    }
    Ok(Some(game?))
}

/// Reports damaged files.
pub(crate) fn complain_of(session: &Session, damage: &[(PathBuf, String)]) {
    for (path, what) in damage {
        session.complain(&format!("{}: {}", named(path), printable(what)));
    }
    session.note_if(Trouble::InData, !damage.is_empty());
}

/// Reports the damage found in an index, and that the results are incomplete.
pub(crate) fn report_damage(session: &Session, index: &GameIndex) {
    let damage = index.damage();
    complain_of(session, &damage);
    if !damage.is_empty() {
        session.complain(
            "the results lack the games of damaged files; check the index with `tridex index --verify --index DIR`",
        );
    }
}

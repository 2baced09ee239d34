//! Where games come from.

use crate::args::{Reading, RulesWish, Which};
use crate::failure::{Exit, Failure};
pub(crate) use crate::fault::Fault;
pub(crate) use crate::interrupt::{STOP, catch_interrupts, interrupted};
use crate::output;
use crate::plan;
use crate::search;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::batch::Batch;
use tridex_archive::printable;
use tridex_archive::source::{
    Budget, EXTENSIONS, Input, Notes, OpenOptions, Piece, Source, SourceError, Walk, walk,
};
use tridex_notation::programs::{self, tridchessboard};
use tridex_notation::{Locale, Notation, Program, WrongFamily};
use tridex_replay::{Options, Part, Parts, Report, RulesChoice, replay};
use tridex_rules::{Position, RuleSystem};

/// Bytes of games that may be under way at once, on all threads together.
const UNDER_WAY: usize = 2 << 20;

/// Some games of one source, or why there are none.
pub(crate) enum Job {
    /// Whole games with the name of their source.
    Games(Arc<str>, Batch),
    /// The source, or the rest of it, could not be read, or there is something else to know about it.
    Failed(Fault),
}

/// How many threads to use.
pub(crate) fn threads(reading: &Reading) -> usize {
    thread_count(reading.threads)
}

/// So many threads as were asked for, or as the machine has.
pub(crate) fn thread_count(wish: Option<u16>) -> usize {
    wish.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        usize::from,
    )
}

/// All games that the paths lead to, in order. What is met on the way and not taken is noted.
pub(crate) fn jobs(
    reading: &Reading,
    locale: Option<Locale>,
    consumed: &Arc<AtomicU64>,
    notes: &Arc<Notes>,
) -> impl Iterator<Item = Job> {
    let options = open_options(reading, locale, consumed);
    let pieces = reading.plan.as_deref().into_iter().flat_map(plan::pieces);
    let planned = options.clone();
    let pieces = pieces.flat_map(move |piece| open_piece(piece, &planned));
    let sources = sources(reading).noting(notes);
    pieces.chain(sources.flat_map(move |source| open(source, &options)))
}

/// [`tell_notes`], unless what is read is a plan, which may well have no pieces.
pub(crate) fn tell_notes_of(reading: &Reading, notes: &Notes) -> Exit {
    match reading.plan {
        Some(_) => Exit::Good,
        None => tell_notes(notes),
    }
}

/// Says which folders held no games, and where files were passed over for their names. Falls short of everything if
/// there was nothing to be read at all.
pub(crate) fn tell_notes(notes: &Notes) -> Exit {
    for name in notes.excepted() {
        let name = printable(&name);
        output::remark(&format!("{name}: skipped, for the results go to this file"));
    }
    let nothing = notes.sources() == 0 && !interrupted();
    for folder in notes.folders() {
        let examples: Vec<_> = folder.examples.iter().map(|name| printable(name)).collect();
        let mut names = examples.join(", ");
        if folder.passed_over > examples.len() as u64 {
            names.push_str(", ...");
        }
        let (files, are, their) = match folder.passed_over {
            1 => ("file", "is", "its name ends"),
            _ => ("files", "are", "their names end"),
        };
        let passed = format!(
            "{} {files} {are} passed over, for {their} in none of {} ({names}); name a file to have it read",
            folder.passed_over,
            EXTENSIONS
                .map(|extension| format!(".{extension}"))
                .join(" "),
        );
        let told = match (folder.sources, folder.passed_over) {
            (0, 0) if folder.has_index => {
                "there are no games to be read here but those of an index: name it with --index"
                    .to_owned()
            }
            (0, 0) => "there are no files in this folder".to_owned(),
            (0, _) => format!("there are no games in this folder: {passed}"),
            _ => passed,
        };
        let message = format!("{}: {told}", printable(&folder.name));
        match nothing {
            true => output::complain(&message),
            false => output::remark(&message),
        }
    }
    match nothing {
        true => Exit::Failed,
        false => Exit::Good,
    }
}

/// All sources that the paths lead to, in order, until somebody interrupts. Files that this run writes are none.
pub(crate) fn sources(reading: &Reading) -> Walk {
    let sources = walk(&reading.paths).until(&STOP);
    output::written().iter().fold(sources, Walk::except)
}

/// How they are opened: so that nobody waits for ever, and memory is bounded.
pub(crate) fn open_options(
    reading: &Reading,
    locale: Option<Locale>,
    consumed: &Arc<AtomicU64>,
) -> OpenOptions {
    let mut options = OpenOptions::default();
    options.encoding = reading.encoding;
    options.language = locale.map(Locale::code);
    options.consumed = Arc::clone(consumed);
    options.stop = Some(&STOP);
    options.budget = Some(Budget::new(UNDER_WAY));
    if let Some(cap) = reading.max_decompressed {
        options.max_decompressed = cap;
    }
    options
}

fn open(
    source: Result<Source, SourceError>,
    options: &OpenOptions,
) -> Box<dyn Iterator<Item = Job>> {
    let opened = source.and_then(|source| Ok((source.name(), source.open(options)?)));
    parts(opened, Fault::of_source)
}

fn open_piece(
    piece: Result<(Source, Piece), Fault>,
    options: &OpenOptions,
) -> Box<dyn Iterator<Item = Job>> {
    match piece {
        Ok((source, piece)) => {
            let opened = source.open_piece(&piece, options);
            parts(opened.map(|input| (source.name(), input)), Fault::of_piece)
        }
        Err(fault) => Box::new(std::iter::once(Job::Failed(fault))),
    }
}

/// The parts of a source that was opened, or of a piece of it.
fn parts(
    opened: Result<(String, Input), SourceError>,
    fault: fn(&SourceError) -> Fault,
) -> Box<dyn Iterator<Item = Job>> {
    match opened {
        Ok((name, input)) => {
            let name: Arc<str> = name.into();
            Box::new(Parts::new(input).map(move |part| match part {
                Part::Games(batch) => Job::Games(Arc::clone(&name), batch),
                Part::Noted(found) => Job::Failed(Fault::of_text(&name, found)),
                Part::Failed(error) => Job::Failed(fault(&error)),
            }))
        }
        Err(error) => Box::new(std::iter::once(Job::Failed(fault(&error)))),
    }
}

/// The bytes of all files the paths lead to, or `None` if some are not known beforehand.
pub(crate) fn total_bytes(reading: &Reading) -> Option<u64> {
    if reading.plan.is_some() {
        return plan::total_bytes(reading);
    }
    sources(reading).map(|source| source.ok()?.size()).sum()
}

/// How games are to be read.
pub(crate) fn options(
    reading: &Reading,
    rules: Option<RulesWish>,
    locale: Option<Locale>,
) -> Options {
    Options {
        rules: match rules {
            None => RulesChoice::AsTagged,
            Some(RulesWish::Any) => RulesChoice::Any,
            Some(RulesWish::Only(rules)) => RulesChoice::Only(rules),
        },
        notation: reading.notation,
        locale,
        strict: reading.strict,
    }
}

/// The position of a string under a rule system, or the system's start.
pub(crate) fn set_up(rules: RuleSystem, fen: Option<&str>) -> Result<Position, Failure> {
    let Some(fen) = fen else {
        return Ok(Position::start(rules));
    };
    let fen = fen.trim();
    let read = programs::parse_any_position(fen);
    let (setup, program) =
        read.map_err(|fault| Failure::message(format!("the position cannot be read: {fault}")))?;
    if program == Some(Program::Tridchessboard) && tridchessboard::is_older(fen) {
        let title = Program::Tridchessboard.title();
        output::remark(&format!(
            "the position is read as older versions of {title} write it"
        ));
    }
    Position::from_setup(rules, &setup).map_err(|fault| {
        let name = rules.name();
        Failure::message(format!(
            "the position cannot be played under {name}: {fault}"
        ))
    })
}

/// The notation in which the text of a rule system writes its moves.
pub(crate) fn own_notation(rules: RuleSystem) -> Notation {
    Notation::of(rules)
}

/// One game of a file or of an index, replayed.
pub(crate) fn one_game(
    file: Option<&Path>,
    which: &Which,
    rules: Option<RuleSystem>,
) -> Result<Report, Failure> {
    let Some(file) = file else {
        return search::one_game(&which.index, &which.game, rules);
    };
    let wanted: u64 = match which.game.parse() {
        Ok(number) if number > 0 => number,
        _ => {
            return Err(Failure::message(
                "--game is the number of a game in the file, from 1; other names are those of games in an index",
            ));
        }
    };
    let options = Options {
        rules: rules.map_or(RulesChoice::AsTagged, RulesChoice::Only),
        notation: which.notation,
        locale: which.locale,
        strict: false,
    };
    let source = Source::new(OsStr::new(file));
    let shown = source.name();
    let mut open = OpenOptions::default();
    open.encoding = which.encoding;
    open.language = which.locale.map(Locale::code);
    let input = source.open(&open).map_err(Failure::message)?;
    let name: Arc<str> = shown.as_str().into();
    let mut seen = 0;
    for part in Parts::new(input) {
        let batch = match part {
            Part::Games(batch) => batch,
            Part::Noted(found) => {
                Fault::of_text(&name, found).tell();
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
            if let Some(notation) = which.notation.filter(wrong) {
                return Err(Failure::message(format!(
                    "--notation has no effect on a game of {}: {}",
                    report.rules.name(),
                    WrongFamily { notation }
                )));
            }
            report.place(&mut batch.places());
            return Ok(report);
        }
    }
    Err(Failure::message(format!(
        "{}: there is no game {}: the file holds {seen}",
        printable(&shown),
        wanted
    )))
}

/// The position of a game after the plies asked for, and whether the game could be replayed that far.
pub(crate) fn position_of(report: &Report, ply: Option<usize>) -> Result<Position, Failure> {
    let count = report.moves.len();
    let broken = || {
        report
            .diagnostics
            .iter()
            .find(|found| found.severity == tridex_replay::diagnostic::Severity::Error)
    };
    let ply = match (ply, broken()) {
        (Some(ply), _) if ply <= count => ply,
        (None, None) => count,
        (None, Some(fault)) => {
            return Err(Failure::message(format!(
                "the game breaks after ply {count}: {}:{}: {}",
                fault.line, fault.column, fault.message
            )));
        }
        (Some(ply), Some(fault)) => {
            return Err(Failure::message(format!(
                "there is no ply {ply}: the game breaks after ply {count}: {}:{}: {}",
                fault.line, fault.column, fault.message
            )));
        }
        (Some(ply), None) => {
            return Err(Failure::message(format!(
                "there is no ply {ply}: the game has {count}"
            )));
        }
    };
    let mut position = report.start.clone();
    for mv in report.moves.iter().take(ply) {
        position.play_unchecked(*mv);
    }
    Ok(position)
}

//! Replays one game of a file or an index, and sets up positions: after some plies of a game, or from a position
//! string.

use crate::failure::Failure;
use crate::io::{fault, indices};
use crate::options::reading::Which;
use crate::options::values::RULES;
use crate::session::Session;
use clap::Args;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use tridex_archive::source::{OpenOptions, Source};
use tridex_core::FileFault;
use tridex_notation::programs::tridchessboard;
use tridex_notation::{Locale, Program, WrongFamily};
use tridex_replay::finding::Severity;
use tridex_replay::{Options, Part, Parts, Replay, RulesChoice, replay};
use tridex_rules::{Position, RuleSystem};

/// Replays one game of a file or an index, under its own rules unless others are named.
pub(crate) fn one_game(
    session: &Session,
    file: Option<&Path>,
    which: &Which,
    rules: Option<RuleSystem>,
) -> Result<Replay, Failure> {
    let Some(file) = file else {
        let index = indices::open(&which.index)?;
        let game = index.game(tridex_index::find_game(&index, &which.game)?)?;
        return indices::with_played(&game, rules, |played| played.to_replay());
    };
    let wanted: u64 = which.game.parse().unwrap_or(0);
    if wanted == 0 {
        return Err(Failure::message(
            "--game: expected the number of a game in the file, from 1; ids are for games of an index (--index DIR)",
        ));
    }
    let options = Options::default()
        .rules(rules.map_or(RulesChoice::AsTagged, RulesChoice::Only))
        .notation(which.from)
        .locale(which.from_locale);
    let source = Source::new(OsStr::new(file));
    let mut open = OpenOptions::default();
    open.encoding = which.encoding;
    open.language = which.from_locale.map(Locale::code);
    let input = source.open(&open).map_err(Failure::message)?;
    let name: Arc<str> = source.name().into();
    let mut seen = 0;
    for part in Parts::new(input) {
        let batch = match part {
            Part::Games(batch) => batch,
            Part::Noted(found) => {
                fault::report(session, &FileFault::of_text(&name, found));
                continue;
            }
            Part::Failed(error) => {
                return Err(Failure::Message(fault::message(&FileFault::of_source(
                    &error,
                ))));
            }
        };
        let before = seen;
        seen += u64::from(batch.games());
        if seen < wanted {
            continue;
        }
        let games = batch.all_games();
        seen = before + games.len() as u64;
        let here = usize::try_from(wanted - before - 1).unwrap_or(usize::MAX);
        if let Some(game) = games.get(here) {
            let mut report = replay(game, &options);
            let wrong = which
                .from
                .filter(|from| from.family() != report.rules().family());
            if let Some(notation) = wrong {
                return Err(Failure::message(format!(
                    "--from has no effect on a game of {}: {}",
                    report.rules().name(),
                    WrongFamily { notation }
                )));
            }
            report.place(&mut batch.line_index());
            return Ok(report);
        }
    }
    let what = format!("no game {wanted}; the file has {seen}");
    Err(Failure::at(Path::new(file), what))
}

/// A position under some rules.
#[derive(Args, Debug)]
#[command(next_help_heading = "Position")]
pub(crate) struct SetUp {
    /// Rule system [default: the first that allows the position of --fen]
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", required_unless_present = "fen")]
    pub(crate) rules: Option<RuleSystem>,
    /// Position string, in quotation marks [default: the start position]
    #[arg(long, visible_alias = "position", value_name = "FEN")]
    pub(crate) fen: Option<String>,
}

impl SetUp {
    /// The position of `--fen`, or the start position.
    pub(crate) fn read(&self, session: &Session) -> Result<Position, Failure> {
        set_up(session, self.rules, self.fen.as_deref())
    }
}

/// The position of a position string under a rule system, or the start position of the system if there is no string.
/// Without a system, the first that allows the position is used.
pub(crate) fn set_up(
    session: &Session,
    rules: Option<RuleSystem>,
    fen: Option<&str>,
) -> Result<Position, Failure> {
    let Some(fen) = fen else {
        return Ok(Position::start(rules.unwrap_or_default()));
    };
    let position = tridex_index::position_for(rules, fen)?;
    if rules.is_none() {
        let name = position.rules().name();
        session.remark(&format!(
            "the position was read under the rules {name}, the first that allow it; --rules names others"
        ));
    }
    let fen = fen.trim();
    if Program::of_position(fen) == Some(Program::Tridchessboard) && tridchessboard::is_older(fen) {
        let title = Program::Tridchessboard.title();
        session.remark(&format!(
            "the position was read in the form of older versions of {title}"
        ));
    }
    Ok(position)
}

/// The position of a game after the requested plies, if the game could be replayed that far.
pub(crate) fn position_of(report: &Replay, ply: Option<usize>) -> Result<Position, Failure> {
    let count = report.moves().len();
    let mut found = report.findings().iter();
    let error = found.find(|found| found.severity == Severity::Error);
    let error = error.map(|fault| {
        let (line, column, message) = (fault.line, fault.column, &fault.message);
        format!("the game has an error after ply {count}: {line}:{column}: {message}")
    });
    let plies = match (ply, error) {
        (Some(ply), _) if ply <= count => ply,
        (None, None) => count,
        (None, Some(error)) => return Err(Failure::Message(error)),
        (Some(ply), error) => {
            let error = error.unwrap_or_else(|| format!("the game has {count} plies"));
            return Err(Failure::message(format!("no ply {ply}: {error}")));
        }
    };
    let mut position = report.start().clone();
    for mv in report.moves().iter().take(plies) {
        position.play_unchecked(*mv);
    }
    Ok(position)
}

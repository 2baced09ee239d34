//! Jobs over whole archives: validation and rewriting.

use crate::file_fault::FileFault;
use crate::run::{Archives, RunEvent};
use crate::{Counts, GameFormat, HowWritten, Rewriting};
use std::io;
use std::sync::Arc;
use tridex_archive::batch::Batch;
use tridex_archive::{Cancel, Ordinal};
use tridex_replay::finding::{Finding, Severity};
use tridex_replay::{Options, Replay, each};

impl Archives {
    /// Replays every game. `detail` selects what is reported. See [`Archives::run`] for the order, threads and memory.
    ///
    /// ```
    /// use tridex_core::{Archives, Cancel, Counts, Detail};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/meder/sample-game");
    /// let mut counts = Counts::default();
    /// let archives = Archives::new([folder]);
    /// archives.validate(Detail::Findings, &Cancel::default(), |checked| {
    ///     let checked = checked.map_err(|found| std::io::Error::other(found.to_string()))?;
    ///     counts.add(&checked.counts);
    ///     Ok(())
    /// })?;
    /// assert_eq!(counts.games, counts.valid + counts.warned + counts.ambiguous + counts.invalid);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Archives::run`], or [`io::ErrorKind::NotFound`] if the paths lead to no file that can hold games.
    pub fn validate(
        &self,
        detail: Detail,
        cancel: &Cancel,
        mut sink: impl FnMut(Result<Checked, FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let work =
            |source: &Arc<str>, batch: &Batch, _: &_| check(source, batch, &self.options, detail);
        self.run_some(cancel, work, |event| sink(made(event)))
    }

    /// Writes every game again as PGN, regardless of the format in `rewriting`. See [`Archives::run`] for the order,
    /// threads and memory.
    ///
    /// # Errors
    /// As [`Archives::run`], or [`io::ErrorKind::NotFound`] if the paths lead to no file that can hold games.
    pub fn rewrite(
        &self,
        rewriting: &Rewriting,
        cancel: &Cancel,
        mut sink: impl FnMut(Result<Rewritten, FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let rewriting = Rewriting {
            format: GameFormat::Pgn,
            ..rewriting.clone()
        };
        let work = |source: &Arc<str>, batch: &Batch, before: &_| {
            rewrite(source, batch, before, &self.options, &rewriting)
        };
        self.run_some(cancel, work, |event| sink(made(event)))
    }
}

fn made<T>(event: RunEvent<T>) -> Result<T, FileFault> {
    match event {
        RunEvent::Games(_, made) => Ok(made),
        RunEvent::Fault(fault) => Err(fault),
    }
}

/// What a validation reports besides counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Nothing.
    Counts,
    /// Games with findings.
    Findings,
    /// Every game.
    Games,
}

/// A game that was replayed, without its record.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedGame {
    /// The name of its file.
    pub source: Arc<str>,
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// The line it begins on.
    pub line: u64,
    /// Its moves, and every finding with its line and column.
    pub replay: Replay,
}

/// Some games of a file, replayed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The name of the file.
    pub source: Arc<str>,
    /// The games that are reported.
    pub games: Vec<CheckedGame>,
    /// Damage that belongs to no game.
    pub strays: Vec<Finding>,
    /// Counts of all games.
    pub counts: Counts,
}

fn check(source: &Arc<str>, batch: &Batch, options: &Options, detail: Detail) -> Checked {
    let mut checked = Checked {
        source: Arc::clone(source),
        games: Vec::new(),
        strays: Vec::new(),
        counts: Counts::default(),
    };
    let mut line_index = batch.line_index();
    let rest = each(batch, options, |played| {
        let counts = &mut checked.counts;
        if detail != Detail::Games && played.has_no_findings() {
            counts.count(played.status(), played.moves().len(), &[]);
            counts.dates.count(played.date_hint());
            return;
        }
        // Lines must be looked up in order, and the game's own comes before those of its findings.
        let line = line_index.place(played.at()).line;
        let mut replay = played.to_replay();
        replay.place(&mut line_index);
        counts.count(replay.status(), replay.moves().len(), replay.findings());
        counts.dates.count(played.date_hint());
        if detail != Detail::Counts {
            checked.games.push(CheckedGame {
                source: Arc::clone(source),
                number: played.number(),
                line,
                replay,
            });
        }
    });
    checked.strays = checked.counts.add_damage(&rest, batch);
    checked
}

/// Some games, written again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rewritten {
    /// The name of the file they are from.
    pub source: Arc<str>,
    /// The games as PGN.
    pub text: Vec<u8>,
    /// Findings with their places, each with the number of its game; `None` for damage outside of games.
    pub findings: Vec<(Option<u64>, Finding)>,
    /// Counts of the games that were read.
    pub counts: Counts,
    /// Whether the run stopped at a game that is invalid or cannot be written: see
    /// [`Invalid::Stop`](crate::Invalid::Stop).
    pub is_stopped: bool,
}

fn rewrite(
    source: &Arc<str>,
    batch: &Batch,
    before: &Ordinal,
    options: &Options,
    rewriting: &Rewriting,
) -> Rewritten {
    let (mut findings, mut counts) = (Vec::new(), Counts::default());
    let written = rewriting.batch(source, batch, before, options, |game, line_index| {
        counts.count(game.status(), game.plies(), game.findings);
        counts.dates.count(game.played.date_hint());
        let refusal = match game.outcome {
            HowWritten::Dropped => {
                Some((Severity::Warning, "invalid game: not converted".to_owned()))
            }
            _ => game
                .refusal()
                .map(|why| (Severity::Error, format!("the game {why}"))),
        };
        let rejected = refusal.map(|(severity, why)| game.rejected(severity, why, line_index));
        let found = game.findings.iter().cloned().chain(rejected);
        findings.extend(found.map(|finding| (Some(game.played.number()), finding)));
    });
    let strays = counts.add_damage(&written.damages, batch);
    findings.extend(strays.into_iter().map(|found| (None, found)));
    Rewritten {
        source: Arc::clone(source),
        text: written.text,
        findings,
        counts,
        is_stopped: written.is_stopped,
    }
}

//! Whole archives, read on several threads.

use crate::{Counts, GameFormat, HowWritten, Rewriting};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use tridex_archive::batch::Batch;
use tridex_archive::source::{Input, OpenOptions, Source, SourceError, walk};
use tridex_archive::{Cancel, Ordinal, file_name, pipeline};
use tridex_replay::finding::{Code, Finding, Severity};
use tridex_replay::{Fault, Options, Part, Parts, Replay, each, strays, unlisted};
use tridex_text::printable;

/// Where games are.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Files, folders, and `-` for standard input.
    Paths(Vec<PathBuf>),
    /// A text in memory, whose name is `-`.
    Text(Arc<[u8]>),
}

/// Games in files and folders or in a text, and how they are read.
#[derive(Clone, Debug)]
pub struct Archives {
    /// Where the games are.
    pub origin: Origin,
    /// How files are opened.
    pub open: OpenOptions,
    /// How games are replayed.
    pub options: Options,
    /// The number of threads; `None` for one on each core.
    pub threads: Option<usize>,
}

impl Archives {
    /// The games of files and folders, read with default options.
    ///
    /// ```
    /// use tridex_core::{Archives, Cancel, Counts};
    /// use tridex_replay::{Options, each};
    ///
    /// let archives = Archives::new(["../../corpus/games/meder"]);
    /// let mut counts = Counts::default();
    /// let work = |_: &_, batch: &_| {
    ///     let mut counts = Counts::default();
    ///     each(batch, &Options::default(), |game| counts.count(game.status(), game.plies(), &[]));
    ///     counts
    /// };
    /// archives.read(&Cancel::default(), work, |read| {
    ///     if let Ok((_, part)) = read {
    ///         counts.add(&part);
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!((counts.games, counts.invalid), (4, 0));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self::of(Origin::Paths(paths.into_iter().map(Into::into).collect()))
    }

    /// The games of an origin, read with default options.
    #[must_use]
    pub fn of(origin: Origin) -> Self {
        Self {
            origin,
            open: OpenOptions::default(),
            options: Options::default(),
            threads: None,
        }
    }

    /// Passes each batch of games, with the name of its file, to `work` on several threads. The results, and the
    /// problems of files, are passed to `sink` in the order of the games. Only a few batches are in memory at a time,
    /// regardless of the size of the archives. The run ends early if `cancel` is cancelled or the sink returns an error.
    ///
    /// # Errors
    /// The error of the sink; [`io::ErrorKind::NotFound`] if the paths lead to no file that can hold games.
    pub fn read<T: Send>(
        &self,
        cancel: &Cancel,
        work: impl Fn(&Arc<str>, &Batch) -> T + Sync,
        mut sink: impl FnMut(Result<(Arc<str>, T), FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let open = &self.open;
        let mut sources = match &self.origin {
            Origin::Paths(paths) => walk(paths),
            Origin::Text(_) => walk(["-"]),
        };
        let parts = sources.by_ref().flat_map(|source| {
            parts(source, |source| match &self.origin {
                Origin::Paths(_) => source.open(open),
                Origin::Text(text) => {
                    source.open_reader(Box::new(io::Cursor::new(Arc::clone(text))), open)
                }
            })
        });
        let threads = self.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        pipeline::run(
            parts,
            |(_, part)| match part {
                Part::Games(batch) => batch.bytes.len(),
                Part::Noted(_) | Part::Failed(_) => 0,
            },
            threads,
            cancel,
            |(name, part)| match part {
                Part::Games(batch) => {
                    let done = work(&name, &batch);
                    Ok((name, done))
                }
                Part::Noted(fault) => Err(FileFault { file: name, fault }),
                Part::Failed(error) => Err(FileFault {
                    file: name,
                    fault: Fault::of_source(&error),
                }),
            },
            &mut sink,
        )?;
        match &self.origin {
            Origin::Paths(paths) if sources.sources == 0 => {
                let paths: Vec<_> = paths.iter().map(file_name::to_text).collect();
                let message = format!("{}: no files of games there", paths.join(", "));
                Err(io::Error::new(io::ErrorKind::NotFound, message))
            }
            _ => Ok(()),
        }
    }

    /// Replays every game. `wish` selects what is reported. See [`Archives::read`] for the order, threads and memory.
    ///
    /// ```
    /// use tridex_core::{Archives, Cancel, Counts, Wish};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/meder/sample-game");
    /// let mut counts = Counts::default();
    /// let archives = Archives::new([folder]);
    /// archives.validate(Wish::Findings, &Cancel::default(), |checked| {
    ///     let checked = checked.map_err(|found| std::io::Error::other(found.to_string()))?;
    ///     counts.add(&checked.counts);
    ///     Ok(())
    /// })?;
    /// assert_eq!(counts.games, counts.valid + counts.warned + counts.ambiguous + counts.invalid);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Archives::read`].
    pub fn validate(
        &self,
        wish: Wish,
        cancel: &Cancel,
        mut sink: impl FnMut(Result<Checked, FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let work = |source: &Arc<str>, batch: &Batch| check(source, batch, &self.options, wish);
        self.read(cancel, work, |done| sink(done.map(|(_, checked)| checked)))
    }

    /// Writes every game again as PGN, regardless of the format in `rewriting`. See [`Archives::read`] for the order,
    /// threads and memory.
    ///
    /// # Errors
    /// As [`Archives::read`].
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
        let work =
            |source: &Arc<str>, batch: &Batch| rewrite(source, batch, &self.options, &rewriting);
        self.read(cancel, work, |done| sink(done.map(|(_, made)| made)))
    }
}

/// The parts of a file, each with the name of the file.
fn parts(
    source: Result<Source, SourceError>,
    open: impl FnOnce(&Source) -> Result<Input, SourceError>,
) -> Box<dyn Iterator<Item = (Arc<str>, Part)>> {
    match source.and_then(|source| Ok((source.name(), open(&source)?))) {
        Ok((name, input)) => {
            let name: Arc<str> = name.into();
            Box::new(Parts::new(input).map(move |part| (Arc::clone(&name), part)))
        }
        Err(error) => {
            let name: Arc<str> = error.name.as_str().into();
            Box::new(std::iter::once((name, Part::Failed(error))))
        }
    }
}

/// A finding about a file that belongs to no game: an error, or something worth knowing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFault {
    /// The name of the file, not yet made printable.
    pub file: Arc<str>,
    /// The finding.
    pub fault: Fault,
}

impl std::fmt::Display for FileFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", printable(&self.file))?;
        if let Some(place) = self.fault.place {
            write!(f, "{place}:")?;
        }
        write!(f, " {}", self.fault.message)
    }
}

/// What a validation reports besides counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Nothing.
    Counts,
    /// Games with findings.
    Findings,
    /// Every game.
    Games,
}

/// A game that was replayed, without its record.
#[derive(Clone, Debug)]
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

fn check(source: &Arc<str>, batch: &Batch, options: &Options, wish: Wish) -> Checked {
    let mut checked = Checked {
        source: Arc::clone(source),
        games: Vec::new(),
        strays: Vec::new(),
        counts: Counts::default(),
    };
    let mut places = batch.places();
    let rest = each(batch, options, |played| {
        let counts = &mut checked.counts;
        if wish != Wish::Games && played.has_no_findings() {
            counts.count(played.status(), played.moves().len(), &[]);
            return;
        }
        // Places must be looked up in order, and the game's own comes before those of its findings.
        let line = places.place(played.at()).line;
        let mut replay = played.to_replay();
        replay.place(&mut places);
        counts.count(replay.status(), replay.moves().len(), replay.findings());
        if wish != Wish::Counts {
            checked.games.push(CheckedGame {
                source: Arc::clone(source),
                number: played.number(),
                line,
                replay,
            });
        }
    });
    checked.strays = strays(&rest, batch);
    checked.counts.damage = stray_errors(&checked.strays) + unlisted(&rest);
    checked
}

/// How many findings are errors, without the finding that represents errors that were only counted.
fn stray_errors(strays: &[Finding]) -> u64 {
    let errors = strays.iter();
    let errors =
        errors.filter(|found| found.severity == Severity::Error && found.code != Code::Omitted);
    errors.count() as u64
}

/// Some games, written again.
#[derive(Clone, Debug)]
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
    options: &Options,
    rewriting: &Rewriting,
) -> Rewritten {
    let (mut findings, mut counts) = (Vec::new(), Counts::default());
    // Only score sheets need the number of games in all sources before.
    let before = Ordinal::known(0);
    let written = rewriting.batch(source, batch, &before, options, |game, places| {
        counts.count(game.status(), game.plies(), game.findings);
        let refusal = match game.outcome {
            HowWritten::Dropped => {
                Some((Severity::Warning, "invalid game: not converted".to_owned()))
            }
            _ => game
                .refusal()
                .map(|why| (Severity::Error, format!("the game {why}"))),
        };
        let rejected = refusal.map(|(severity, why)| game.rejected(severity, why, places));
        let found = game.findings.iter().cloned().chain(rejected);
        findings.extend(found.map(|finding| (Some(game.played.number()), finding)));
    });
    let strays = strays(&written.damages, batch);
    counts.damage = stray_errors(&strays) + unlisted(&written.damages);
    findings.extend(strays.into_iter().map(|found| (None, found)));
    Rewritten {
        source: Arc::clone(source),
        text: written.text,
        findings,
        counts,
        is_stopped: written.is_stopped,
    }
}

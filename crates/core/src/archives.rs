//! Whole archives, read on several threads.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tridex_archive::batch::Batch;
use tridex_archive::source::{Budget, Input, Notes, OpenOptions, Source, SourceError, walk};
use tridex_archive::{pipeline, printable, write};
use tridex_notation::{Notation, WriteOptions, WrongFamily};
use tridex_replay::diagnostic::{Code, Diagnostic, Severity, Status};
use tridex_replay::{
    Converter, Converts, Fault, Options, Part, Parts, Played, Report, Wording, each,
    read_converting, strays,
};
use tridex_rules::RuleSystem;

/// Bytes of games that are read and not yet used, on all threads together.
const UNDER_WAY: usize = 2 << 20;

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
    /// The number of threads; without it that of the machine.
    pub threads: Option<usize>,
}

impl Archives {
    /// The files and folders of some names, read as their games say.
    #[must_use]
    pub fn new(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self::of(Origin::Paths(paths.into_iter().map(Into::into).collect()))
    }

    /// The games of an origin, read as they say.
    #[must_use]
    pub fn of(origin: Origin) -> Self {
        Self {
            origin,
            open: OpenOptions::default(),
            options: Options::default(),
            threads: None,
        }
    }

    /// Gives each batch of games with the name of its file to `work`, on several threads, and the results to `sink` in the
    /// order of the games, problems of files among them. Memory is that of some batches, for archives of any size. The run
    /// ends early when `stop` is set or the sink has an error.
    ///
    /// # Errors
    /// That of the sink; [`io::ErrorKind::NotFound`] if the paths name no file that can hold games.
    pub fn read<T: Send>(
        &self,
        stop: &AtomicBool,
        work: impl Fn(&Arc<str>, &Batch) -> T + Sync,
        mut sink: impl FnMut(Result<(Arc<str>, T), FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut open = self.open.clone();
        open.budget.get_or_insert_with(|| Budget::new(UNDER_WAY));
        let notes = Arc::new(Notes::default());
        let parts: Box<dyn Iterator<Item = (Arc<str>, Part)>> = match &self.origin {
            Origin::Paths(paths) => {
                let sources = walk(paths).noting(&notes);
                Box::new(sources.flat_map(|source| parts(source, |source| source.open(&open))))
            }
            Origin::Text(text) => {
                let bytes = Box::new(io::Cursor::new(Arc::clone(text)));
                parts(Ok(Source::Stdin), |source| source.open_reader(bytes, &open))
            }
        };
        let threads = self.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        pipeline::run(
            parts,
            threads,
            stop,
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
            Origin::Paths(paths) if notes.sources() == 0 => {
                let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
                let message = format!("{}: no files of games there", paths.join(", "));
                Err(io::Error::new(io::ErrorKind::NotFound, message))
            }
            _ => Ok(()),
        }
    }

    /// Replays every game: see [`Archives::read`] for the order, threads and memory, and `wish` for what is reported.
    ///
    /// ```
    /// use tridex_core::{Archives, Counts, Wish};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/meder/sample-game");
    /// let mut counts = Counts::default();
    /// let archives = Archives::new([folder]);
    /// archives.validate(Wish::Findings, &false.into(), |checked| {
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
        stop: &AtomicBool,
        mut sink: impl FnMut(Result<Checked, FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let work = |source: &Arc<str>, batch: &Batch| check(source, batch, &self.options, wish);
        self.read(stop, work, |done| sink(done.map(|(_, checked)| checked)))
    }

    /// Writes every game again: see [`Archives::read`] for the order, threads and memory.
    ///
    /// # Errors
    /// As [`Archives::read`].
    pub fn rewrite(
        &self,
        rewriting: &Rewriting,
        stop: &AtomicBool,
        mut sink: impl FnMut(Result<Rewritten, FileFault>) -> io::Result<()>,
    ) -> io::Result<()> {
        let work = |source: &Arc<str>, batch: &Batch| rewriting.batch(source, batch, &self.options);
        self.read(stop, work, |done| sink(done.map(|(_, made)| made)))
    }
}

/// The parts of a file, each with its name.
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
            let name: Arc<str> = error.name().into();
            Box::new(std::iter::once((name, Part::Failed(error))))
        }
    }
}

/// What is wrong with a file, or worth knowing about it, that belongs to no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFault {
    /// The name of the file, raw.
    pub file: Arc<str>,
    /// What was found.
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
    pub report: Report,
}

/// Some games of a file, replayed.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The name of the file.
    pub source: Arc<str>,
    /// The games that are reported.
    pub games: Vec<CheckedGame>,
    /// Damage that belongs to no game.
    pub strays: Vec<Diagnostic>,
    /// Counts of all games.
    pub counts: Counts,
}

/// Counts of games, by the same names as the summary of the command `tridex validate`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Games with every move legal as written.
    pub valid: u64,
    /// Games with every move legal, and warnings.
    pub warned: u64,
    /// Games with tokens that can be read in several ways to the end.
    pub ambiguous: u64,
    /// Games that cannot be replayed, or whose record contradicts itself.
    pub invalid: u64,
    /// Invalid games by the code of the first error.
    pub codes: BTreeMap<&'static str, u64>,
    /// Errors that belong to no game.
    pub damage: u64,
    /// Plies of main lines that were replayed.
    pub plies: u64,
}

impl Counts {
    fn count(&mut self, status: Status, plies: usize, findings: &[Diagnostic]) {
        self.games += 1;
        self.plies += plies as u64;
        *match status {
            Status::Valid => &mut self.valid,
            Status::Warned => &mut self.warned,
            Status::Ambiguous => &mut self.ambiguous,
            Status::Invalid => &mut self.invalid,
        } += 1;
        let mut errors = findings.iter();
        if let Some(first) = errors.find(|found| found.severity == Severity::Error) {
            *self.codes.entry(first.code.as_str()).or_default() += 1;
        }
    }

    /// Adds those of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.valid += other.valid;
        self.warned += other.warned;
        self.ambiguous += other.ambiguous;
        self.invalid += other.invalid;
        self.damage += other.damage;
        self.plies += other.plies;
        for (code, count) in &other.codes {
            *self.codes.entry(code).or_default() += count;
        }
    }
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
        if wish != Wish::Games && played.says_nothing() {
            counts.count(played.status(), played.moves().len(), &[]);
            return;
        }
        // The place of a game is before those of its findings.
        let line = places.place(played.at()).line;
        let mut report = played.report();
        report.place(&mut places);
        counts.count(report.status, report.moves.len(), &report.diagnostics);
        if wish != Wish::Counts {
            checked.games.push(CheckedGame {
                source: Arc::clone(source),
                number: played.number(),
                line,
                report,
            });
        }
    });
    checked.strays = strays(&rest, batch);
    checked.counts.damage = stray_errors(&checked.strays) + rest.more();
    checked
}

/// How many findings are errors that were not only counted.
fn stray_errors(strays: &[Diagnostic]) -> u64 {
    let errors = strays.iter();
    let errors =
        errors.filter(|found| found.severity == Severity::Error && found.code != Code::Omitted);
    errors.count() as u64
}

/// What to do with games that cannot be read whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Invalid {
    /// They are written up to their last good move, and marked by the tag `Unreadable`.
    #[default]
    Keep,
    /// They are omitted.
    Drop,
    /// Nothing is written from the first of them on.
    Stop,
}

/// How games are written again, as PGN.
#[derive(Clone, Debug)]
pub struct Rewriting {
    /// The notation; without it each game in that of its rule system.
    pub to: Option<Notation>,
    /// The choices the notation leaves.
    pub write: WriteOptions,
    /// Whether pieces are written as chess figures.
    pub figurines: bool,
    /// Whether comments `[%tridex ...]` name guesses and repairs.
    pub traces: bool,
    /// Whether sure corrections are made.
    pub repair: bool,
    /// What to do with invalid games.
    pub invalid: Invalid,
}

impl Default for Rewriting {
    fn default() -> Self {
        Self {
            to: None,
            write: WriteOptions::default(),
            figurines: false,
            traces: true,
            repair: false,
            invalid: Invalid::default(),
        }
    }
}

/// Some games, written again.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The name of the file they are from.
    pub source: Arc<str>,
    /// The games as PGN.
    pub text: Vec<u8>,
    /// Findings with their places, each with the number of its game; of damage outside of games without.
    pub findings: Vec<(Option<u64>, Diagnostic)>,
    /// Counts of the games that were read.
    pub counts: Counts,
    /// Whether an invalid game is the last that was read, as [`Invalid::Stop`] has it.
    pub is_stopped: bool,
}

impl Rewriting {
    /// Writes the games of a batch.
    #[must_use]
    pub fn batch(&self, source: &Arc<str>, batch: &Batch, options: &Options) -> Rewritten {
        let wording = Wording {
            notation: self.to.unwrap_or(Notation::of(RuleSystem::Meder)),
            options: self.write,
        };
        let mut pass = Pass {
            rewriting: self,
            options,
            converter: self.converter(Converter::new(wording)),
            again: self.converter(Converter::to_games(wording)),
            places: batch.places(),
            made: Rewritten {
                source: Arc::clone(source),
                text: Vec::new(),
                findings: Vec::new(),
                counts: Counts::default(),
                is_stopped: false,
            },
        };
        let rest = read_converting(batch, options, &mut pass);
        let mut made = pass.made;
        let strays = strays(&rest, batch);
        made.counts.damage = stray_errors(&strays) + rest.more();
        made.findings
            .extend(strays.into_iter().map(|found| (None, found)));
        made
    }

    fn converter(&self, converter: Converter) -> Converter {
        let converter = match self.to {
            None => converter.in_own(),
            Some(_) => converter,
        };
        let converter = match self.traces {
            true => converter,
            false => converter.without_traces(),
        };
        match self.figurines {
            true => converter.with_figurines(),
            false => converter,
        }
    }
}

/// Goes through the games of a batch.
struct Pass<'a> {
    rewriting: &'a Rewriting,
    options: &'a Options,
    /// For games that are written while they are followed, and for those that were repaired.
    converter: Converter,
    again: Converter,
    places: tridex_archive::places::Places<'a>,
    made: Rewritten,
}

impl Converts for Pass<'_> {
    fn converter(&mut self) -> &mut Converter {
        &mut self.converter
    }

    fn game(&mut self, played: &Played<'_>) {
        if self.made.is_stopped {
            return;
        }
        if let Err(fault) = self.write(played) {
            let rules = played.rules().name();
            let why = format!("the game is played under {rules} and cannot be written so: {fault}");
            self.rejected(Severity::Error, played, why);
        }
    }
}

impl Pass<'_> {
    fn write(&mut self, played: &Played<'_>) -> Result<(), WrongFamily> {
        let mut found = played.diagnostics();
        let mut repaired = None;
        if self.rewriting.repair && found.iter().any(|found| found.is_sure) {
            repaired = self.again.repair(played.game(), &found, self.options);
        }
        if let Some((_, report)) = &repaired {
            found.clone_from(&report.diagnostics);
        }
        let (status, plies) = match &repaired {
            Some((_, report)) => (report.status, report.moves.len()),
            None => (played.status(), played.moves().len()),
        };
        self.made.counts.count(status, plies, &found);
        for finding in &mut found {
            finding.place(&mut self.places);
        }
        let number = Some(played.number());
        let found = found.into_iter().map(|finding| (number, finding));
        self.made.findings.extend(found);
        if status == Status::Invalid && self.rewriting.invalid != Invalid::Keep {
            self.made.is_stopped = self.rewriting.invalid == Invalid::Stop;
            let why = "invalid game: not converted".to_owned();
            self.rejected(Severity::Warning, played, why);
            return Ok(());
        }
        match repaired {
            None => self.converter.finish_pgn(played, &mut self.made.text),
            Some((game, _)) => {
                // Writing to memory does not fail.
                let _ = write::pgn(&game?, &mut self.made.text);
                Ok(())
            }
        }
    }

    /// Reports that a game is not among the results.
    fn rejected(&mut self, severity: Severity, played: &Played<'_>, why: String) {
        let mut finding = Diagnostic::of_game(severity, Code::Rejected, played.at(), why);
        finding.place(&mut self.places);
        let number = Some(played.number());
        self.made.findings.push((number, finding));
    }
}

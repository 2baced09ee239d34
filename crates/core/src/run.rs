//! Runs over archives: the games of files, of a plan or of a text are read on several threads, and what was made of them
//! is passed on in order.

use crate::file_fault::FileFault;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::batch::Batch;
use tridex_archive::source::{Input, OpenOptions, Source, SourceError, Walk, walk};
use tridex_archive::{Cancel, Ordinal, file_name, pipeline};
use tridex_replay::{Options, Part, Parts};

mod plan;

/// Where games are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Origin {
    /// Files, folders, and `-` for standard input.
    Paths(Vec<PathBuf>),
    /// Pieces of files, as the lines of a plan list them: a file, or `-` for standard input. `tridex plan` writes plans.
    Plan(PathBuf),
    /// A text in memory, whose name is `-`.
    Text(Arc<[u8]>),
}

/// Games in files and folders or in a text, and how they are read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Archives {
    /// Where the games are.
    pub origin: Origin,
    /// How files are opened.
    pub open: OpenOptions,
    /// How games are replayed.
    pub options: Options,
    /// The number of threads; `None` for one on each core.
    pub threads: Option<usize>,
    /// Files that are skipped if they are found in a folder, such as the file for the results. See [`Walk::except`].
    pub except: Vec<PathBuf>,
    /// The name of a file that marks the folders of another program. See [`Walk::marked_by`].
    pub mark: Option<&'static str>,
    /// Counts the pieces of a plan as they are read. The sender of a plan can check with it that the whole plan was read.
    pub pieces: Arc<AtomicU64>,
}

/// What a run passes on, in the order of the games.
#[derive(Clone, Debug)]
pub enum RunEvent<T> {
    /// What was made of a batch of games, and the name of their file.
    Games(Arc<str>, T),
    /// A finding about a file. If it is an error, the file or its rest was not read.
    Fault(FileFault),
}

/// What [`Archives::steps`] passes on: an [`RunEvent`], or a mark between games.
pub(crate) enum Step<M, T> {
    Games(Arc<str>, T),
    Fault(FileFault),
    Mark(M),
}

/// Steps of one source, not read yet.
pub(crate) type Steps<M> = Box<dyn Iterator<Item = Step<M, Arc<Batch>>>>;

impl Archives {
    /// The games of files and folders, read with default options.
    ///
    /// ```
    /// use tridex_core::{Archives, Cancel, Counts, RunEvent};
    /// use tridex_replay::{Options, each};
    ///
    /// let archives = Archives::new(["../../corpus/games/meder"]);
    /// let mut counts = Counts::default();
    /// let work = |_: &_, batch: &_, _: &_| {
    ///     let mut counts = Counts::default();
    ///     each(batch, &Options::default(), |game| counts.count(game.status(), game.plies(), &[]));
    ///     counts
    /// };
    /// archives.run(&Cancel::default(), work, |event| {
    ///     if let RunEvent::Games(_, part) = event {
    ///         counts.add(&part);
    ///     }
    ///     std::io::Result::Ok(())
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
            except: Vec::new(),
            mark: None,
            pieces: Arc::default(),
        }
    }

    /// Passes each batch of games to `work` on several threads, with the name of its file and the number of games before
    /// it in this run. The results, and findings about files, are passed to `observer` in the order of the games, on the
    /// thread that called. Only a few batches are in memory at a time, regardless of the size of the archives. The run
    /// ends early if `cancel` is cancelled or the observer returns an error. Returns the walk through files and folders,
    /// which has counted the files and those that it skipped.
    ///
    /// # Errors
    /// The error of the observer, or one of starting threads.
    pub fn run<T: Send, E: From<io::Error>>(
        &self,
        cancel: &Cancel,
        work: impl Fn(&Arc<str>, &Batch, &Ordinal) -> T + Sync,
        mut observer: impl FnMut(RunEvent<T>) -> Result<(), E>,
    ) -> Result<Walk, E> {
        let open = |source: &Source, open: &Open<'_>| {
            Ok(parts(&source.name().into(), open()?, FileFault::of_source))
        };
        self.steps(cancel, open, work, |step| match step {
            Step::Games(source, made) => observer(RunEvent::Games(source, made)),
            Step::Fault(fault) => observer(RunEvent::Fault(fault)),
            Step::Mark(()) => Ok(()),
        })
    }

    /// [`Archives::run`] with marks. `open` makes the steps of a source that is not a piece of a plan; its second argument
    /// opens the source.
    pub(crate) fn steps<M: Send + 'static, T: Send, E: From<io::Error>>(
        &self,
        cancel: &Cancel,
        mut open: impl FnMut(&Source, &Open<'_>) -> Result<Steps<M>, SourceError>,
        work: impl Fn(&Arc<str>, &Batch, &Ordinal) -> T + Sync,
        sink: impl FnMut(Step<M, T>) -> Result<(), E>,
    ) -> Result<Walk, E> {
        let mut options = self.open.clone();
        options.cancel = cancel.clone();
        let plan = match &self.origin {
            Origin::Plan(plan) => Some(plan),
            Origin::Paths(_) | Origin::Text(_) => None,
        };
        let pieces = plan.into_iter();
        let pieces = pieces.flat_map(|plan| plan::pieces(plan, &self.pieces));
        let pieces = pieces.flat_map(|piece| {
            let opened = piece.and_then(|piece| {
                let input = piece.open(&options);
                let input = input.map_err(|error| FileFault::of_piece(&error))?;
                Ok(parts(&piece.path.into(), input, FileFault::of_piece))
            });
            opened.unwrap_or_else(|fault| only(Step::Fault(fault)))
        });
        let mut walk = self.walk(cancel);
        let sources = walk.by_ref().flat_map(|source| {
            let opened = source.and_then(|source| {
                open(&source, &|| match &self.origin {
                    Origin::Paths(_) | Origin::Plan(_) => source.open(&options),
                    Origin::Text(text) => {
                        let text = io::Cursor::new(Arc::clone(text));
                        source.open_reader(Box::new(text), &options)
                    }
                })
            });
            opened.unwrap_or_else(|error| only(Step::Fault(FileFault::of_source(&error))))
        });
        let mut games = Ordinal::known(0);
        let items = pieces.chain(sources).map(|step| {
            let before = games.clone();
            if let Step::Games(_, batch) = &step {
                games = batch.number_after(before.clone());
            }
            (before, step)
        });
        let bytes = |(_, step): &(Ordinal, Step<M, Arc<Batch>>)| match step {
            Step::Games(_, batch) => batch.bytes.len(),
            Step::Fault(_) | Step::Mark(_) => 0,
        };
        let threads = self.threads.unwrap_or_else(pipeline::cores);
        let work = |(before, step): (Ordinal, Step<M, Arc<Batch>>)| match step {
            Step::Games(source, batch) => {
                let made = work(&source, &batch, &before);
                Step::Games(source, made)
            }
            Step::Fault(fault) => Step::Fault(fault),
            Step::Mark(mark) => Step::Mark(mark),
        };
        pipeline::run(items, bytes, threads, cancel, work, sink)?;
        Ok(walk)
    }

    /// The files at the paths, in order, until `cancel` is cancelled.
    fn walk(&self, cancel: &Cancel) -> Walk {
        let walk = match &self.origin {
            Origin::Paths(paths) => walk(paths),
            Origin::Plan(_) => walk([""; 0]),
            Origin::Text(_) => walk(["-"]),
        };
        let walk = self.except.iter().fold(walk.until(cancel), Walk::except);
        match self.mark {
            Some(mark) => walk.marked_by(mark),
            None => walk,
        }
    }

    /// The total size in bytes of what is read, still compressed, or `None` if some sizes are not known beforehand, such
    /// as that of standard input. The folders are listed to find out.
    #[must_use]
    pub fn total_bytes(&self, cancel: &Cancel) -> Option<u64> {
        match &self.origin {
            Origin::Paths(_) => self.walk(cancel).map(|source| source.ok()?.size()).sum(),
            Origin::Plan(plan) => plan::total_bytes(plan),
            Origin::Text(text) => Some(text.len() as u64),
        }
    }

    /// [`Archives::run`], which fails if the paths lead to no file that can hold games.
    ///
    /// # Errors
    /// As [`Archives::run`], or [`io::ErrorKind::NotFound`].
    pub(crate) fn run_some<T: Send>(
        &self,
        cancel: &Cancel,
        work: impl Fn(&Arc<str>, &Batch, &Ordinal) -> T + Sync,
        observer: impl FnMut(RunEvent<T>) -> io::Result<()>,
    ) -> io::Result<()> {
        let walk = self.run(cancel, work, observer)?;
        self.require_files(&walk)
    }

    /// Fails if a run over paths found no file that can hold games.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`], with the paths.
    pub fn require_files(&self, walk: &Walk) -> io::Result<()> {
        match &self.origin {
            Origin::Paths(paths) if walk.sources == 0 => {
                let paths: Vec<_> = paths.iter().map(file_name::to_text).collect();
                let message = format!("{}: no files of games there", paths.join(", "));
                Err(io::Error::new(io::ErrorKind::NotFound, message))
            }
            _ => Ok(()),
        }
    }
}

/// Opens a source.
pub(crate) type Open<'o> = dyn Fn() -> Result<Input, SourceError> + 'o;

/// One step.
pub(crate) fn only<M: 'static>(step: Step<M, Arc<Batch>>) -> Steps<M> {
    Box::new(std::iter::once(step))
}

/// The parts of a source that was opened, or of a piece of it.
pub(crate) fn parts<M: 'static>(
    name: &Arc<str>,
    input: Input,
    fault: fn(&SourceError) -> FileFault,
) -> Steps<M> {
    let name = Arc::clone(name);
    Box::new(Parts::new(input).map(move |part| match part {
        Part::Games(batch) => Step::Games(Arc::clone(&name), batch),
        Part::Noted(found) => Step::Fault(FileFault::of_text(&name, found)),
        Part::Failed(error) => Step::Fault(fault(&error)),
    }))
}

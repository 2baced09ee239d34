//! Updates an index from archives.

use crate::entries::Entries;
use crate::run::{Archives, RunEvent, Step};
use std::cell::RefCell;
use std::io;
use std::sync::Arc;
use tridex_archive::Cancel;
use tridex_archive::batch::Batch;
use tridex_archive::source::Walk;
use tridex_index::{IndexError, Prepared, Writer};
use tridex_replay::finding::Severity;

mod prune;
mod stamps;

pub use prune::{Unpruned, prune_index};
use stamps::{Mark, Unchanged};

/// The name of standard input in an index, unless another is chosen.
pub const STANDARD_INPUT: &str = "-";

/// What an update of an index did. The counts of added and changed games are in [`Writer::summary`].
#[derive(Debug)]
#[non_exhaustive]
pub struct IndexUpdate {
    /// How many games were skipped because they are invalid or cannot be stored.
    pub rejected: u64,
    /// How many games of an earlier standard input of the same name were replaced or removed.
    pub piped_over: u64,
    /// The walk through files and folders.
    pub walk: Walk,
}

impl Archives {
    /// Adds the valid games to an index, file by file. Games already in the index are not duplicated, changed games replace
    /// the old ones, and games that are no longer in a file are removed if the file was read to its end. A file that has
    /// not changed since the last update with the same options is skipped, also if it is named differently now. Files with
    /// problems are read again, so that each update reports the problems. `stdin` is the name of standard input in the
    /// index.
    ///
    /// `see` is called for each batch, on several threads. What it returns, and findings about files, are passed to
    /// `observer` in the order of the games, on the thread that called. The update ends early if `cancel` is cancelled or
    /// the observer returns an error. The next update continues it.
    ///
    /// ```
    /// use tridex_core::index::{IndexOptions, Writer};
    /// use tridex_core::{Archives, Cancel, IndexUpdateError, STANDARD_INPUT};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// let archives = Archives::new(["../../corpus/games/meder"]);
    /// let update = || -> Result<_, IndexUpdateError> {
    ///     let mut writer = Writer::open(path, IndexOptions::default())?;
    ///     let cancel = Cancel::default();
    ///     archives.update_index(&mut writer, STANDARD_INPUT, &cancel, |_, _, _| (), |_| {
    ///         Ok::<(), IndexUpdateError>(())
    ///     })?;
    ///     Ok(writer.finish()?)
    /// };
    /// assert_eq!(update()?.added, 4);
    /// assert_eq!(update()?.unchanged, 4);
    /// # Ok::<(), IndexUpdateError>(())
    /// ```
    ///
    /// # Errors
    /// The error of the observer or of the index, or one of starting threads.
    pub fn update_index<T: Send, E: From<io::Error> + From<IndexError>>(
        &self,
        writer: &mut Writer,
        stdin: &str,
        cancel: &Cancel,
        see: impl Fn(&Arc<str>, &Batch, &Entries<Prepared>) -> T + Sync,
        mut observer: impl FnMut(RunEvent<T>) -> Result<(), E>,
    ) -> Result<IndexUpdate, E> {
        let preparer = writer.preparer();
        let writer = RefCell::new(writer);
        let mut unchanged = Unchanged::new(self, stdin, &writer);
        let mut adding = Adding {
            writer: &writer,
            source: Arc::default(),
            is_damaged: false,
            has_problems: false,
            before: 0,
            piped_over: 0,
        };
        let mut rejected = 0;
        let walk = self.steps(
            cancel,
            |source, open| unchanged.source(source, open),
            |source, batch, _| {
                let entries = Entries::read(batch, &self.options, |entry, _| {
                    preparer.prepare(entry).map_err(|fault| fault.to_string())
                });
                let seen = see(source, batch, &entries);
                (entries, seen)
            },
            |step| {
                match step {
                    Step::Games(source, (entries, seen)) => {
                        rejected += entries.skipped.len() as u64;
                        adding.games(&source, entries)?;
                        observer(RunEvent::Games(source, seen))?;
                    }
                    Step::Fault(fault) => {
                        adding.is_damaged |= fault.fault.severity == Severity::Error;
                        observer(RunEvent::Fault(fault))?;
                    }
                    Step::Mark(Mark::Begin(name)) => adding.begin(name)?,
                    Step::Mark(Mark::End(stamp)) => adding.end(stamp),
                    Step::Mark(Mark::Same(name)) => {
                        writer.borrow_mut().keep_source(&name)?;
                    }
                }
                Ok::<(), E>(())
            },
        )?;
        let piped_over = adding.piped_over;
        writer.borrow_mut().leave_source(None);
        Ok(IndexUpdate {
            rejected,
            piped_over,
            walk,
        })
    }
}

/// Why games were not added to an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexUpdateError {
    /// The index cannot be written.
    #[error("{0}")]
    Index(#[from] IndexError),
    /// The paths name no file of games, or threads cannot be started.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Passes prepared games to the writer, in order.
struct Adding<'w> {
    writer: &'w RefCell<&'w mut Writer>,
    /// The current source.
    source: Arc<str>,
    /// Whether a part of the source could not be read, so that games may be missing.
    is_damaged: bool,
    has_problems: bool,
    /// How many games had been updated or removed when the current source began.
    before: u64,
    /// How many games from an earlier standard input were updated or removed.
    piped_over: u64,
}

fn replaced(writer: &Writer) -> u64 {
    let done = writer.summary();
    done.updated + done.removed
}

impl Adding<'_> {
    fn games(&mut self, name: &Arc<str>, entries: Entries<Prepared>) -> Result<(), IndexError> {
        if self.source != *name {
            self.begin(Arc::clone(name))?;
        }
        self.has_problems |= entries.has_problems();
        let mut writer = self.writer.borrow_mut();
        for game in entries.games {
            writer.add(game)?;
        }
        Ok(())
    }

    fn begin(&mut self, name: Arc<str>) -> Result<(), IndexError> {
        let mut writer = self.writer.borrow_mut();
        (self.is_damaged, self.has_problems) = (false, false);
        writer.begin_source(&name)?;
        self.before = replaced(&writer);
        self.source = name;
        Ok(())
    }

    /// Ends the current source.
    fn end(&mut self, stamp: Option<u64>) {
        let mut writer = self.writer.borrow_mut();
        // With this stamp the next run reads the source again, but its place is stored, so that it can be pruned.
        let again = stamp.map(stamps::never_the_same);
        if self.is_damaged {
            // The source ended early or lost a part. Its games stay in the index, because a later run may find them
            // again.
            return writer.leave_source(again);
        }
        // A source with problems is read again, so that the next run reports them too.
        writer.end_source(if self.has_problems { again } else { stamp });
        // To users, each text on standard input is a separate file, so report how many games it replaces.
        if *self.source == *STANDARD_INPUT {
            self.piped_over = replaced(&writer) - self.before;
        }
    }
}

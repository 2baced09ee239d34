//! Jobs over a whole collection: statistics and duplicates.

use crate::Counts;
use crate::run::{Archives, RunEvent};
use std::io;
use std::sync::Arc;
use tridex_archive::Cancel;
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::source::Walk;
use tridex_replay::dedupe::{Collector, RecordBatch};
use tridex_replay::stats::Stats;
use tridex_replay::{Played, each};

/// The counts of a batch of games, and its damage, for those who report them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchCounts {
    /// Counts of its games. The damage is not counted: [`Counts::add_damage`] counts it.
    pub counts: Counts,
    /// Damage that belongs to no game.
    pub damages: Damages,
}

impl BatchCounts {
    /// The counts, with the damage of the batch.
    #[must_use]
    pub fn with_damage(self, batch: &Batch) -> Counts {
        let Self {
            mut counts,
            damages,
        } = self;
        counts.add_damage(&damages, batch);
        counts
    }
}

impl Archives {
    /// Counts every game with `add`, on several threads. The count of each batch begins with the default value and is
    /// passed to `join`. `report` prepares what the observer receives of a batch, on the thread that read it. See
    /// [`Archives::run`] for the order and the memory.
    ///
    /// ```
    /// use tridex_core::{Archives, Cancel, RunEvent};
    /// use tridex_replay::stats::Stats;
    ///
    /// let archives = Archives::new(["../../corpus/games/meder"]);
    /// let mut all = Stats::default();
    /// archives.count_games(
    ///     &Cancel::default(),
    ///     Stats::add,
    ///     |part| all.join(&part),
    ///     |_, _, found| found.counts,
    ///     |event| match event {
    ///         RunEvent::Games(file, counts) if counts.invalid > 0 => {
    ///             Err(std::io::Error::other(format!("{file}: invalid games")))
    ///         }
    ///         _ => Ok(()),
    ///     },
    /// )?;
    /// assert_eq!(all.games(), 4);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Archives::run`].
    pub fn count_games<T: Default + Send, S: Send, E: From<io::Error>>(
        &self,
        cancel: &Cancel,
        add: impl Fn(&mut T, &Played<'_>) + Sync,
        mut join: impl FnMut(T),
        report: impl Fn(&Arc<str>, &Batch, BatchCounts) -> S + Sync,
        mut observer: impl FnMut(RunEvent<S>) -> Result<(), E>,
    ) -> Result<Walk, E> {
        let work = |source: &Arc<str>, batch: &Batch, _: &_| {
            let (mut part, mut counts) = (T::default(), Counts::default());
            let damages = each(batch, &self.options, |game| {
                count(&mut counts, game);
                add(&mut part, game);
            });
            (part, report(source, batch, BatchCounts { counts, damages }))
        };
        self.run(cancel, work, |event| match event {
            RunEvent::Games(source, (part, report)) => {
                join(part);
                observer(RunEvent::Games(source, report))
            }
            RunEvent::Fault(fault) => observer(RunEvent::Fault(fault)),
        })
    }

    /// Counts the games of a collection. A game is counted only if all of its moves could be read. The observer receives
    /// the counts of each batch, with its damage, and findings about files.
    ///
    /// # Errors
    /// As [`Archives::run`], or [`io::ErrorKind::NotFound`] if the paths lead to no file that can hold games.
    pub fn stats(
        &self,
        cancel: &Cancel,
        observer: impl FnMut(RunEvent<Counts>) -> io::Result<()>,
    ) -> io::Result<Stats> {
        self.counted(cancel, Stats::add, |all, part| all.join(&part), observer)
    }

    /// Counts games and results by player, opening, rule system, year, month, event, site or pair of players. A game is
    /// counted only if all of its moves could be read. The observer is that of [`Archives::stats`].
    ///
    /// ```
    /// use tridex_core::index::OpeningBook;
    /// use tridex_core::{Archives, Cancel, GroupBy, Grouping};
    ///
    /// let (book, archives) = (OpeningBook::bundled(), Archives::new(["../../corpus/games"]));
    /// let by = GroupBy { grouping: Grouping::Year, per_system: true, book: &book };
    /// let groups = archives.group_games(&by, &Cancel::default(), |_| Ok(()))?;
    /// assert!(groups.rows(&by, None).iter().all(|row| row.rules != "all"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Archives::stats`].
    #[cfg(feature = "search")]
    pub fn group_games(
        &self,
        by: &crate::GroupBy<'_>,
        cancel: &Cancel,
        observer: impl FnMut(RunEvent<Counts>) -> io::Result<()>,
    ) -> io::Result<crate::Groups> {
        let add = |part: &mut crate::Groups, game: &Played<'_>| part.add(by, game);
        self.counted(cancel, add, |all, part| all.join(&part), observer)
    }

    /// Makes the cross tables of tournaments: one for each event, and with `per_system` one for each rule system of an
    /// event. The observer is that of [`Archives::stats`].
    ///
    /// # Errors
    /// As [`Archives::stats`].
    #[cfg(feature = "search")]
    pub fn cross_tables(
        &self,
        per_system: bool,
        cancel: &Cancel,
        observer: impl FnMut(RunEvent<Counts>) -> io::Result<()>,
    ) -> io::Result<crate::CrossTables> {
        let add = |part: &mut crate::CrossTables, game: &Played<'_>| part.add(per_system, game);
        self.counted(cancel, add, |all, part| all.join(&part), observer)
    }

    /// Counts all games with `add`, and joins the counts of the batches.
    fn counted<T: Default + Send>(
        &self,
        cancel: &Cancel,
        add: impl Fn(&mut T, &Played<'_>) + Sync,
        mut join: impl FnMut(&mut T, T),
        observer: impl FnMut(RunEvent<Counts>) -> io::Result<()>,
    ) -> io::Result<T> {
        let mut all = T::default();
        let join = |part: T| join(&mut all, part);
        let report = |_: &_, batch: &Batch, found: BatchCounts| found.with_damage(batch);
        let walk = self.count_games(cancel, add, join, report, observer)?;
        self.require_files(&walk)?;
        Ok(all)
    }

    /// Adds every game to a collector, whose [`Collector::finish`] then finds the duplicates. `report` prepares what the
    /// observer receives of a batch, as in [`Archives::count_games`]. If the run was cancelled, games that were not read
    /// might be duplicates of those in the collector.
    ///
    /// ```
    /// use tridex_core::{Archives, Cancel};
    /// use tridex_replay::dedupe::{Choice, Collector, DuplicateKind};
    ///
    /// let archives = Archives::new(["../../corpus/games/meder/sample-game"]);
    /// let mut collector = Collector::new(Choice::default(), false)?;
    /// archives.collect(&mut collector, &Cancel::default(), |_, _, _| (), |_| std::io::Result::Ok(()))?;
    /// let found = collector.finish()?;
    /// assert_eq!((found.games(), found.count(DuplicateKind::Same)), (3, 2));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Archives::run`], or if the collector's temporary file cannot be written.
    pub fn collect<S: Send, E: From<io::Error>>(
        &self,
        collector: &mut Collector,
        cancel: &Cancel,
        report: impl Fn(&Arc<str>, &Batch, BatchCounts) -> S + Sync,
        mut observer: impl FnMut(RunEvent<S>) -> Result<(), E>,
    ) -> Result<Walk, E> {
        let has_texts = collector.has_texts();
        let work = |source: &Arc<str>, batch: &Batch, _: &_| {
            let mut counts = Counts::default();
            let (part, damages) = RecordBatch::read(batch, &self.options, has_texts, |game| {
                count(&mut counts, game);
            });
            (part, report(source, batch, BatchCounts { counts, damages }))
        };
        self.run(cancel, work, |event| match event {
            RunEvent::Games(source, (part, report)) => {
                collector.add(&source, &part)?;
                observer(RunEvent::Games(source, report))
            }
            RunEvent::Fault(fault) => observer(RunEvent::Fault(fault)),
        })
    }
}

fn count(counts: &mut Counts, game: &Played<'_>) {
    counts.count(game.status(), game.moves().len(), &[]);
}

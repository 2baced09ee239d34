//! Adds games of archives to an index.

use crate::archives::{Archives, FileFault};
use std::io;
use std::sync::Arc;
use tridex_archive::batch::Batch;
use tridex_archive::{Cancel, Item};
use tridex_index::{GameEntry, IndexError, Prepared, Preparer, STEERING, Scribe, Writer};
use tridex_replay::finding::{Severity, Status};
use tridex_replay::{Options, Played, each};

/// Converts a replayed game to an entry for an index. `number` is its number in its file.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_core::index_entry;
/// use tridex_replay::{Options, replay_with};
///
/// let text = b"[Variant \"meder\"]\n[White \"Kirk\"]\n\n1. b4N b5B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let entry = replay_with(&games[0], &Options::default(), |game| index_entry(1, game));
/// assert_eq!((entry.moves.len(), entry.tag("White")), (2, Some("Kirk")));
/// ```
#[must_use]
pub fn index_entry(number: u32, game: &Played<'_>) -> GameEntry {
    let entry = if game.is_annotated() {
        let mut scribe = Scribe::default();
        game.each_item(|item, read| match item {
            Item::Move(text) => scribe.play(text, read),
            item => scribe.note(item.map(|text| (*text).to_owned())),
        });
        scribe.finish(number, game.rules())
    } else {
        GameEntry::new(number, game.rules(), game.moves().to_vec())
    };
    GameEntry {
        start: game.is_set_up().then(|| game.start().to_setup()),
        tags: other_tags(game),
        result: game.result(),
        ..entry
    }
}

/// The tags of the entry: those that no other field of it holds.
fn other_tags(game: &Played<'_>) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    game.each_written_tag(|name, value| {
        if !STEERING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
        {
            tags.push((name.to_owned(), value.to_owned()));
        }
    });
    tags
}

/// Games that could not be added to an index.
#[derive(Clone, Debug, Default)]
pub struct Unindexed {
    /// How many invalid games were skipped.
    pub rejected: u64,
    /// Files that could not be read, or not to their end.
    pub files: Vec<FileFault>,
}

/// Why games were not added to an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexingError {
    /// The index cannot be written.
    #[error("{0}")]
    Index(IndexError),
    /// The paths name no file of games, or threads cannot be started.
    #[error("{0}")]
    Io(io::Error),
}

/// Games of a batch, ready for the index.
struct Ready {
    games: Vec<Prepared>,
    rejected: u64,
    /// Whether there was damage that belongs to no game.
    is_damaged: bool,
}

impl Archives {
    /// Adds the valid games to an index, file by file. Games already in the index are not duplicated, and changed games
    /// replace the old ones. Games that are no longer in a file are removed, if the file was read to its end. Every
    /// file is read, even if it has not changed. Invalid games are skipped and counted.
    ///
    /// # Errors
    /// If the index cannot be written, or the paths name no file of games.
    pub fn index(&self, writer: &mut Writer, cancel: &Cancel) -> Result<Unindexed, IndexingError> {
        let preparer = writer.preparer();
        let mut unindexed = Unindexed::default();
        let mut broken = None;
        let mut adding = Adding {
            writer,
            source: None,
            is_damaged: false,
        };
        let work = |_: &Arc<str>, batch: &Batch| ready(batch, &self.options, &preparer);
        let done = self.read(cancel, work, |part| {
            let added = match part {
                Ok((source, ready)) => {
                    unindexed.rejected += ready.rejected;
                    adding.add(&source, ready)
                }
                Err(problem) => {
                    let added = adding.note(&problem);
                    if problem.fault.severity == Severity::Error {
                        unindexed.files.push(problem);
                    }
                    added
                }
            };
            added.map_err(|error| {
                broken = Some(error);
                io::Error::other("the index cannot be written")
            })
        });
        if let Some(error) = broken {
            return Err(IndexingError::Index(error));
        }
        done.map_err(IndexingError::Io)?;
        // If the run was stopped, games not met again may be in the part that was not read.
        adding.is_damaged |= cancel.is_cancelled();
        adding.end();
        Ok(unindexed)
    }
}

/// Prepares the games of a batch.
fn ready(batch: &Batch, options: &Options, preparer: &Preparer) -> Ready {
    let mut games = Vec::new();
    let mut rejected = 0;
    let rest = each(batch, options, |played| {
        let number = u32::try_from(played.number()).ok();
        let number = number.filter(|_| played.status() != Status::Invalid);
        let prepared = number.map(|number| preparer.prepare(&index_entry(number, played)));
        match prepared {
            Some(Ok(game)) => games.push(game),
            Some(Err(_)) | None => rejected += 1,
        }
    });
    Ready {
        games,
        rejected,
        is_damaged: !rest.is_empty(),
    }
}

/// Passes games to the writer, file by file.
struct Adding<'w> {
    writer: &'w mut Writer,
    source: Option<Arc<str>>,
    /// Whether games of the file may be missing, in which case none are removed.
    is_damaged: bool,
}

impl Adding<'_> {
    fn begin(&mut self, source: &Arc<str>) -> Result<(), IndexError> {
        if self.source.as_ref() != Some(source) {
            self.end();
            self.writer.begin_source(source)?;
            self.source = Some(Arc::clone(source));
        }
        Ok(())
    }

    fn add(&mut self, source: &Arc<str>, ready: Ready) -> Result<(), IndexError> {
        self.begin(source)?;
        self.is_damaged |= ready.is_damaged;
        for game in ready.games {
            self.writer.add(game)?;
        }
        Ok(())
    }

    fn note(&mut self, problem: &FileFault) -> Result<(), IndexError> {
        self.begin(&problem.file)?;
        self.is_damaged |= problem.fault.severity == Severity::Error;
        Ok(())
    }

    fn end(&mut self) {
        if self.source.take().is_none() {
            return;
        }
        match std::mem::take(&mut self.is_damaged) {
            true => self.writer.leave_source(None),
            false => self.writer.end_source(None),
        }
    }
}

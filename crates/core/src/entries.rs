//! Entries for an index, made of the valid games of a batch.

use crate::{Counts, index_entry};
use tridex_archive::batch::Batch;
use tridex_archive::line_index::LineColumn;
use tridex_index::GameEntry;
use tridex_replay::finding::Finding;
use tridex_replay::{Options, Played, each};

/// What was made of the valid games of a batch, and the others.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entries<T> {
    /// What was made of each valid game.
    pub games: Vec<T>,
    /// The games that were skipped.
    pub skipped: Vec<SkippedGame>,
    /// Damage that belongs to no game.
    pub strays: Vec<Finding>,
    /// Counts of all games.
    pub counts: Counts,
}

/// A game that was skipped because it is invalid or cannot be stored.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SkippedGame {
    /// Its number in its file, from 1.
    pub number: u64,
    /// The place of its first error, or where it begins.
    pub place: LineColumn,
    /// What is wrong.
    pub why: String,
}

impl<T> Entries<T> {
    /// Calls `make` for each valid game, with its entry for an index. Other games, and those for which `make` fails, are
    /// skipped.
    pub fn read(
        batch: &Batch,
        options: &Options,
        mut make: impl FnMut(&GameEntry, &Played<'_>) -> Result<T, String>,
    ) -> Self {
        let mut line_index = batch.line_index();
        let mut read = Self {
            games: Vec::new(),
            skipped: Vec::new(),
            strays: Vec::new(),
            counts: Counts::default(),
        };
        let rest = each(batch, options, |game| {
            let fault = game.first_error();
            let counts = &mut read.counts;
            counts.count(game.status(), game.moves().len(), fault.as_slice());
            counts.dates.count(game.date_hint());
            let mut made = || {
                let number = u32::try_from(game.number());
                let number = number.map_err(|_| "too many games in one file".to_owned())?;
                make(&index_entry(number, game), game)
            };
            let (at, why) = match fault {
                Some(fault) => (fault.at, fault.message.to_string()),
                None => match made() {
                    Ok(made) => return read.games.push(made),
                    Err(why) => (game.at(), why),
                },
            };
            read.skipped.push(SkippedGame {
                number: game.number(),
                place: line_index.place(at),
                why,
            });
        });
        read.strays = read.counts.add_damage(&rest, batch);
        read
    }

    /// Whether games were skipped, or there is damage that belongs to no game.
    #[must_use]
    pub fn has_problems(&self) -> bool {
        !self.skipped.is_empty() || !self.strays.is_empty()
    }
}

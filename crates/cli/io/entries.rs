//! The one place where the games of archives meet the index: a pass over a batch, its games made ready.

use crate::term::counts::Tally;
use crate::term::report;
use crate::term::style::Paint;
use tridex_archive::batch::Batch;
use tridex_archive::places::Places;
use tridex_archive::printable;
use tridex_core::index_entry;
use tridex_index::GameEntry;
use tridex_replay::diagnostic::Status;
use tridex_replay::{Options, Played, Sink};

/// The results for the games of a batch.
pub(crate) struct Games<T> {
    pub(crate) ready: Vec<T>,
    pub(crate) rejected: u64,
    /// Whether there was damage that belongs to no game.
    pub(crate) strays: bool,
    pub(crate) tally: Tally,
    /// Messages on skipped games, for standard error.
    pub(crate) aside: String,
}

/// Makes something of each valid game of a batch; the others, and those for which `make` fails, are skipped
/// and reported.
pub(crate) fn games<T>(
    source: &str,
    batch: &Batch,
    options: &Options,
    make: impl FnMut(&GameEntry, &Played<'_>) -> Result<T, String>,
) -> Games<T> {
    let mut pass = Pass {
        games: Games {
            ready: Vec::new(),
            rejected: 0,
            strays: false,
            tally: Tally::default(),
            aside: String::new(),
        },
        source,
        places: batch.places(),
        make,
    };
    let rest = tridex_replay::read(batch, options, &mut pass);
    let mut games = pass.games;
    let (paint, aside) = (Paint::stderr(), &mut games.aside);
    let errors = report::draw_stray(aside, paint, source, batch, &rest);
    games.tally.counts.damage += errors;
    games.strays = !rest.found().is_empty();
    games
}

/// Reads the games of a batch.
struct Pass<'a, T, F> {
    games: Games<T>,
    source: &'a str,
    places: Places<'a>,
    make: F,
}

impl<T, F: FnMut(&GameEntry, &Played<'_>) -> Result<T, String>> Sink for Pass<'_, T, F> {
    fn game(&mut self, game: &Played<'_>) {
        if game.status() != Status::Invalid {
            self.games.tally.count(game, &[]);
            self.add(game);
            return;
        }
        if let Some(mut fault) = game.first_error() {
            self.games.tally.count(game, std::slice::from_ref(&fault));
            fault.place(&mut self.places);
            self.reject(game, fault.line, fault.column, &fault.message);
        }
    }
}

impl<T, F: FnMut(&GameEntry, &Played<'_>) -> Result<T, String>> Pass<'_, T, F> {
    fn add(&mut self, game: &Played<'_>) {
        let made = match u32::try_from(game.number()) {
            Ok(number) => (self.make)(&index_entry(number, game), game),
            Err(_) => Err("too many games in one file".to_owned()),
        };
        match made {
            Ok(ready) => self.games.ready.push(ready),
            Err(why) => {
                let place = self.places.place(game.at());
                self.reject(game, place.line, place.column, &why);
            }
        }
    }

    /// Reports why the game is skipped.
    fn reject(&mut self, game: &Played<'_>, line: u64, column: u64, why: &str) {
        self.games.rejected += 1;
        let paint = Paint::stderr();
        let place = format!("{}:{line}:{column}:", printable(self.source));
        self.games.aside.push_str(&format!(
            "{} {}: skipped game {}: {}\n",
            paint.bold(&place),
            paint.error("error"),
            game.number(),
            printable(why)
        ));
    }
}

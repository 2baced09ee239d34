//! The one place where the games of archives meet the index: a pass over a batch, its games made ready.

use super::entry;
use super::intake::Job;
use crate::diagnose;
use crate::output::Paint;
use crate::tally::Tally;
use std::sync::Arc;
use tridex_archive::places::Places;
use tridex_archive::printable;
use tridex_index::{Prepared, Preparer};
use tridex_replay::diagnostic::Status;
use tridex_replay::{Options, Played, Sink};

/// What became of a job on some thread.
pub(super) enum Answer {
    Begin(Arc<str>),
    Games(Games),
    End(Option<u64>),
    Same(Arc<str>),
    Failed(String),
}

/// Games that are ready for the index.
#[derive(Default)]
pub(super) struct Games {
    pub(super) ready: Vec<Prepared>,
    pub(super) rejected: u64,
    /// Whether there was damage that belongs to no game.
    pub(super) strays: bool,
    pub(super) tally: Tally,
    /// What is said of games left out, for standard error.
    pub(super) aside: String,
}

pub(super) fn work(job: Job, options: &Options, preparer: &Preparer) -> Answer {
    match job {
        Job::Begin(name) => Answer::Begin(name),
        Job::End(stamp) => Answer::End(stamp),
        Job::Same(name) => Answer::Same(name),
        Job::Failed(fault) => Answer::Failed(fault),
        Job::Games(source, batch) => {
            let mut pass = Pass {
                games: Games::default(),
                source: &source,
                number: batch.first_game,
                places: batch.places(),
                preparer,
            };
            let rest = tridex_replay::read(&batch, options, &mut pass);
            let mut games = pass.games;
            let (paint, aside) = (Paint::stderr(), &mut games.aside);
            let errors = diagnose::draw_stray(aside, paint, &source, &batch, &rest);
            games.tally.add_stray(errors);
            games.strays = !rest.found().is_empty();
            Answer::Games(games)
        }
    }
}

/// Goes through the games of a batch.
struct Pass<'a> {
    games: Games,
    source: &'a str,
    number: u64,
    places: Places<'a>,
    preparer: &'a Preparer,
}

impl Sink for Pass<'_> {
    const REMARKS: bool = true;

    fn game(&mut self, game: &Played<'_>) {
        if game.status() != Status::Invalid {
            self.games.tally.count(game, || None);
            self.add(game);
            return;
        }
        if let Some(mut fault) = game.first_error() {
            self.games.tally.count(game, || Some(fault.code));
            fault.place(&mut self.places);
            self.reject(fault.line, fault.column, &fault.message);
        }
        self.number += 1;
    }
}

impl Pass<'_> {
    fn add(&mut self, game: &Played<'_>) {
        let prepared = match u32::try_from(self.number) {
            Ok(number) => self
                .preparer
                .prepare(&entry::of_game(number, game))
                .map_err(|rejection| rejection.to_string()),
            Err(_) => Err("an index does not count the games of a file so far".to_owned()),
        };
        match prepared {
            Ok(ready) => self.games.ready.push(ready),
            Err(why) => {
                let place = self.places.place(game.at());
                self.reject(place.line, place.column, &why);
            }
        }
        self.number += 1;
    }

    /// Says why the game is left out.
    fn reject(&mut self, line: u64, column: u64, why: &str) {
        self.games.rejected += 1;
        let paint = Paint::stderr();
        let place = format!("{}:{line}:{column}:", printable(self.source));
        self.games.aside.push_str(&format!(
            "{} {}: game {} is left out: {}\n",
            paint.bold(&place),
            paint.error("error"),
            self.number,
            printable(why)
        ));
    }
}

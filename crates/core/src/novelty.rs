//! Novelties: the ply at which a game leaves a collection.

use crate::Entries;
use crate::run::{Archives, RunEvent};
use serde::Serialize;
use std::io;
use std::sync::Arc;
use tridex_archive::Cancel;
use tridex_archive::batch::Batch;
use tridex_archive::date::Date;
use tridex_index::{
    DateRange, GameEntry, GameIndex, Hit, HitRow, IndexError, IndexedGame, PositionMatch,
    PositionQuery, Query, SearchOptions, SortKey,
};
use tridex_notation::{Notation, WriteOptions};
use tridex_rules::{Move, Position};

/// Compares games with the games of an index.
#[derive(Clone, Copy)]
pub struct NoveltyFinder<'i> {
    /// The index.
    pub index: &'i GameIndex,
    /// Whether only games of an earlier date count. A game without a year is compared with all games.
    pub earlier: bool,
    /// The notation of the moves; `None` for that of each game's rule system, which games of another board have anyway.
    pub notation: Option<Notation>,
}

/// Where a game leaves a collection. Fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Novelty {
    /// The file of the game.
    pub source: String,
    /// Its number there, from 1.
    pub game: u32,
    /// The player of the white pieces; `?` if not known.
    pub white: String,
    /// The player of the black pieces.
    pub black: String,
    /// The date.
    pub date: String,
    /// The rule system.
    pub rules: &'static str,
    /// The number of plies of the game.
    pub plies: u32,
    /// The first ply after which no other game has the position, from 1; 0 if no other game has the first position, and
    /// `None` if other games have all positions.
    pub ply: Option<u32>,
    /// The move of this ply.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// How many other games reach the position before this ply, or the last position if the game does not leave the
    /// collection, by any order of moves.
    pub games: u64,
    /// The move that these games play most often in this position.
    pub usual: Option<String>,
    /// How many of them play it.
    pub usual_games: u64,
    /// The newest of these games; `ply` is the ply at which it reaches the position.
    pub last: Option<HitRow>,
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

tridex_archive::columns! { Novelty, row:
    "source" => row.source,
    "game" => row.game,
    "white" => row.white,
    "black" => row.black,
    "date" => row.date,
    "rules" => row.rules,
    "plies" => row.plies,
    "ply" => cell(row.ply),
    "move" => cell(row.played.as_ref()),
    "games" => row.games,
    "usual" => cell(row.usual.as_ref()),
    "usual_games" => row.usual_games,
    "last_id" => cell(row.last.as_ref().map(|last| &last.id)),
    "last_white" => cell(row.last.as_ref().map(|last| &last.white)),
    "last_black" => cell(row.last.as_ref().map(|last| &last.black)),
    "last_event" => cell(row.last.as_ref().map(|last| &last.event)),
    "last_date" => cell(row.last.as_ref().map(|last| &last.date)),
    "last_source" => cell(row.last.as_ref().map(|last| &last.source)),
    "last_game" => cell(row.last.as_ref().map(|last| last.game)),
}

impl NoveltyFinder<'_> {
    /// Finds where a game leaves the collection.
    ///
    /// The game itself does not count if the index has it: a game with the same moves, start, players and date. All copies
    /// of it are ignored, regardless of their source, annotations and other tags.
    ///
    /// ```
    /// # use tridex_core::index::example;
    /// use tridex_core::{NoveltyFinder, RuleSystem};
    /// use tridex_core::index::{GameEntry, GameIndex, read_moves};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # example::write(folder.path())?;
    /// // The index has one game, which begins with 1. b4N b5B.
    /// let index = GameIndex::open(folder.path())?;
    /// let finder = NoveltyFinder { index: &index, earlier: false, notation: None };
    /// let game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5N")?);
    /// let novelty = finder.find("club.pgn", &game)?;
    /// assert_eq!((novelty.ply, novelty.games), (Some(2), 1));
    /// assert_eq!(novelty.usual.as_deref(), Some("b5B"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of a search.
    pub fn find(&self, source: &str, game: &GameEntry) -> Result<Novelty, IndexError> {
        let mut positions = Vec::with_capacity(game.moves.len() + 1);
        // The start of a valid game can be played.
        let start = game.start_position();
        positions.push(start.unwrap_or_else(|_| Position::start(game.rules)));
        for played in &game.moves {
            let mut next = positions[positions.len() - 1].clone();
            next.play_unchecked(*played);
            positions.push(next);
        }
        let itself = self.itself(game, &positions)?;
        let mut others = self.earlier(game);
        for id in &itself {
            others = others.and(Query::Not(Box::new(Query::Id(*id))));
        }
        let there = |ply: usize| {
            let there = PositionQuery::of_position(&positions[ply], PositionMatch::Exact);
            others.clone().and(there.into())
        };
        let mut leaves = None;
        for ply in 0..positions.len() {
            let options = SearchOptions::default().limit(1).count(false);
            if self.index.search(&there(ply), &options)?.hits.is_empty() {
                leaves = Some(ply);
                break;
            }
        }
        let tag = |name| game.tag(name).unwrap_or("?").to_owned();
        let mut novelty = Novelty {
            source: source.to_owned(),
            game: game.number,
            white: tag("White"),
            black: tag("Black"),
            date: game.tag("Date").unwrap_or("????.??.??").to_owned(),
            rules: game.rules.name(),
            plies: game.moves.len() as u32,
            ply: leaves.map(|ply| ply as u32),
            played: None,
            games: 0,
            usual: None,
            usual_games: 0,
            last: None,
        };
        let agrees = match leaves {
            Some(0) => return Ok(novelty),
            Some(ply) => ply - 1,
            None => positions.len() - 1,
        };
        let here = &positions[agrees];
        let write = |played: Move| {
            let own = Notation::of(game.rules);
            let notation = self.notation.filter(|other| other.family() == own.family());
            let notation = notation.unwrap_or(own);
            let mut text = String::new();
            let options = WriteOptions::default();
            let written = tridex_notation::write(notation, here, played, &options, &mut text);
            written.is_ok().then_some(text)
        };
        novelty.played = leaves.and_then(|_| write(*game.moves.get(agrees)?));
        let table = self.index.openings(here, &others)?;
        novelty.games = table.total.games;
        if let Some(row) = table.moves.first() {
            novelty.usual = write(row.played);
            novelty.usual_games = row.results.games;
        }
        let newest = SearchOptions::default()
            .limit(1)
            .sort(Some((SortKey::Date, true)));
        if let Some(hit) = self.index.search(&there(agrees), &newest)?.hits.first() {
            novelty.last = Some(HitRow::new(hit, self.index.summary(hit.id)?));
        }
        Ok(novelty)
    }

    /// The games before the date of a game, if only these count.
    fn earlier(&self, game: &GameEntry) -> Query {
        let date = game.tag("Date").and_then(|date| Date::parse(date).ok());
        match date.filter(|_| self.earlier) {
            // A date is a number `yyyymmdd`. The one before it need not be a day.
            Some(date) => Query::Date(DateRange {
                from: None,
                to: Some(date.range().0 - 1),
            }),
            None => Query::All,
        }
    }

    /// The ids of the game in the index.
    fn itself(&self, game: &GameEntry, positions: &[Position]) -> Result<Vec<u64>, IndexError> {
        let Some(last) = positions.last() else {
            return Ok(Vec::new());
        };
        let plies = u32::try_from(game.moves.len()).ok();
        let there = PositionQuery::of_position(last, PositionMatch::Exact);
        let query = Query::Plies(plies, plies).and(there.into());
        let options = SearchOptions::default().count(false);
        let same_tags = |tag: &dyn Fn(&str) -> Option<String>| {
            ["White", "Black", "Date"]
                .iter()
                .all(|name| tag(name).as_deref() == game.tag(name))
        };
        let mut ids = Vec::new();
        for Hit { id, .. } in self.index.search(&query, &options)?.hits {
            let summary = self.index.summary(id)?;
            if same_tags(&|name| summary.tag(name).map(str::to_owned)) {
                let IndexedGame { id, entry, .. } = self.index.game(id)?;
                let start = entry.start_position();
                let same_start = start.is_ok_and(|start| start.key() == positions[0].key());
                if same_start && entry.moves == game.moves && !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        Ok(ids)
    }
}

impl Archives {
    /// Finds where each valid game leaves the collection of an index. The observer receives the novelties of each batch
    /// in order, with the games that were skipped. See [`Archives::run`] for the threads and the memory.
    ///
    /// # Errors
    /// As [`Archives::run`], or [`io::ErrorKind::NotFound`] if the paths lead to no file that can hold games.
    pub fn novelties(
        &self,
        finder: &NoveltyFinder<'_>,
        cancel: &Cancel,
        observer: impl FnMut(RunEvent<Entries<Novelty>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let work = |source: &Arc<str>, batch: &Batch, _: &_| {
            Entries::read(batch, &self.options, |entry, _| {
                let found = finder.find(source, entry);
                found.map_err(|fault| fault.to_string())
            })
        };
        self.run_some(cancel, work, observer)
    }
}

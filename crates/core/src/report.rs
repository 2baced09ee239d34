//! Reports on a player or an opening of an index.

use crate::groups::{halves, known, share};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tridex_archive::GameResult;
use tridex_archive::date::Date;
use tridex_index::{
    GameEnding, GameEntry, GameIndex, HitRow, IndexError, OpeningBook, OpeningRow, PositionMatch,
    PositionQuery, Query, SearchOptions, SortKey, TextField, Words,
};
use tridex_notation::{Fen, Notation};
use tridex_rules::Position;

/// What a report contains.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportOptions {
    /// The games that count.
    pub filter: Query,
    /// The most rows of each table. Years, rule systems and endings have all rows.
    pub top: usize,
    /// The notation of moves; `None` for that of the rule system.
    pub notation: Option<Notation>,
    /// The names of openings.
    pub book: OpeningBook,
}

tridex_text::setters! {
    impl[] ReportOptions {
        filter: Query,
        top: usize,
        notation: Option<Notation>,
        book: OpeningBook,
    }
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            filter: Query::All,
            top: 10,
            notation: None,
            book: OpeningBook::bundled(),
        }
    }
}

/// A row of a report: results of some games, for the player of the row or of the report, or for White if there is no
/// player. Fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct ReportRow {
    /// The name of what is counted; `?` if it is not known.
    pub name: String,
    /// How many games.
    pub games: u64,
    /// How many of them were won.
    pub won: u64,
    /// How many were drawn.
    pub drawn: u64,
    /// How many were lost.
    pub lost: u64,
    /// How many have no result.
    pub without_result: u64,
    /// The points as a share of the games that have a result, from 0 to 1.
    pub score: Option<f64>,
}

/// How many games ended in a way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct EndingRow {
    /// The ending, as in queries.
    pub name: &'static str,
    /// How many games.
    pub games: u64,
}

/// The least, the average and the greatest of some numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Spread {
    /// The least.
    pub least: u64,
    /// The average, with two decimals.
    pub average: f64,
    /// The greatest.
    pub greatest: u64,
}

/// A report on a player or an opening. Fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// `player` or `opening`.
    pub kind: &'static str,
    /// The name of the player, as it was searched for, or of the opening.
    pub title: String,
    /// For an opening: the position, if the report is on one.
    pub fen: Option<String>,
    /// For a player: the names that match, as they are written.
    pub names: Vec<ReportRow>,
    /// The results: for a player with White, with Black and in all games; for an opening those of White.
    pub results: Vec<ReportRow>,
    /// The results under each rule system.
    pub systems: Vec<ReportRow>,
    /// The results of each year.
    pub years: Vec<ReportRow>,
    /// For a player: the openings, the most frequent first.
    pub openings: Vec<ReportRow>,
    /// For a player: the opponents, the most frequent first, with the results of the player of the report.
    pub opponents: Vec<ReportRow>,
    /// For an opening: the players, with their own results.
    pub players: Vec<ReportRow>,
    /// For a position: the moves played there, the most frequent first.
    pub continuations: Vec<OpeningRow>,
    /// How games ended, as far as known.
    pub endings: Vec<EndingRow>,
    /// The numbers of plies.
    pub plies: Option<Spread>,
    /// The known ratings of the player, or of both players.
    pub ratings: Option<Spread>,
    /// The games with the best average rating of both players.
    pub model_games: Vec<HitRow>,
    /// The newest games.
    pub last_games: Vec<HitRow>,
}

/// Games won, drawn, lost and without a result.
#[derive(Clone, Copy, Default)]
struct Results([u64; 4]);

impl Results {
    fn add(&mut self, result: GameResult, is_white: bool) {
        self.0[halves(result, is_white).map_or(3, |halves| 2 - halves as usize)] += 1;
    }

    fn join(&mut self, other: Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }

    fn row(self, name: &str) -> ReportRow {
        let Self([won, drawn, lost, without_result]) = self;
        let decided = won + drawn + lost;
        ReportRow {
            name: name.to_owned(),
            games: decided + without_result,
            won,
            drawn,
            lost,
            without_result,
            score: share(won as f64 + drawn as f64 / 2.0, decided),
        }
    }
}

/// Results by name.
type Named = BTreeMap<String, Results>;

/// The rows of names, at most `top`: the most frequent first, and ties in the order of names.
fn frequent(named: &Named, top: usize) -> Vec<ReportRow> {
    let mut rows = in_order(named);
    rows.sort_by_key(|row| Reverse(row.games));
    rows.truncate(top);
    rows
}

fn in_order(named: &Named) -> Vec<ReportRow> {
    let rows = named.iter();
    rows.map(|(name, results)| results.row(name)).collect()
}

#[derive(Clone, Default)]
struct Numbers(Option<(u64, u64)>, u64, u64);

impl Numbers {
    fn add(&mut self, number: u64) {
        self.join(&Self(Some((number, number)), number, 1));
    }

    fn join(&mut self, other: &Self) {
        let Self(ends, sum, count) = self;
        *ends = match (*ends, other.0) {
            (Some(own), Some(other)) => Some((own.0.min(other.0), own.1.max(other.1))),
            (own, other) => own.or(other),
        };
        *sum += other.1;
        *count += other.2;
    }

    fn spread(&self) -> Option<Spread> {
        let (least, greatest) = self.0?;
        let average = (self.1 as f64 / self.2 as f64 * 100.0).round() / 100.0;
        Some(Spread {
            least,
            average,
            greatest,
        })
    }
}

/// The counts of some games.
#[derive(Clone, Default)]
struct Counts {
    /// By the names of the tables.
    tables: BTreeMap<&'static str, Named>,
    plies: Numbers,
    ratings: Numbers,
}

impl Counts {
    fn count(&mut self, table: &'static str, name: &str, result: GameResult, is_white: bool) {
        let table = self.tables.entry(table).or_default();
        match table.get_mut(name) {
            Some(results) => results.add(result, is_white),
            None => table
                .entry(name.to_owned())
                .or_default()
                .add(result, is_white),
        }
    }

    /// Counts what reports on players and openings have in common, for one side of a game.
    fn add(&mut self, game: &GameEntry, is_white: bool) {
        self.count("systems", game.rules.name(), game.result, is_white);
        let date = game.tag("Date").and_then(|date| Date::parse(date).ok());
        let year = date.map_or_else(|| "?".to_owned(), |date| date.year.to_string());
        self.count("years", &year, game.result, is_white);
        self.plies.add(game.moves.len() as u64);
    }

    fn rate(&mut self, game: &GameEntry, is_white: bool) {
        let tag = if is_white { "WhiteElo" } else { "BlackElo" };
        let rating = game.tag(tag).and_then(|rating| rating.parse::<u16>().ok());
        if let Some(rating) = rating.filter(|rating| *rating > 0) {
            self.ratings.add(rating.into());
        }
    }

    fn join(&mut self, other: Self) {
        for (table, named) in other.tables {
            let table = self.tables.entry(table).or_default();
            for (name, results) in named {
                table.entry(name).or_default().join(results);
            }
        }
        self.plies.join(&other.plies);
        self.ratings.join(&other.ratings);
    }

    fn table(&self, name: &str) -> Named {
        self.tables.get(name).cloned().unwrap_or_default()
    }
}

/// Counts the games of a query in parts.
fn counted(
    index: &GameIndex,
    query: &Query,
    add: impl Fn(&mut Counts, &GameEntry, Option<&str>) + Sync,
) -> Result<Counts, IndexError> {
    let mut all = Counts::default();
    index.read_games(
        query,
        |games| {
            let mut part = Counts::default();
            // Damage is reported by the index.
            for game in games.flatten() {
                add(&mut part, &game.entry, game.opening.as_deref());
            }
            part
        },
        |part| all.join(part),
    )?;
    Ok(all)
}

fn name_of(game: &GameEntry, is_white: bool) -> &str {
    known(
        game.tag(if is_white { "White" } else { "Black" })
            .unwrap_or("?"),
    )
}

impl Report {
    /// Reports on a player: a name as in the queries `white:` and `black:`. The results count for the player. A game in
    /// which both players match counts once for each.
    ///
    /// ```
    /// # use tridex_core::index::{GameIndex, example};
    /// use tridex_core::{Report, ReportOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let report = Report::on_player(&index, "kirk", &ReportOptions::default())?;
    /// assert_eq!(report.names[0].name, "Kirk, James");
    /// assert_eq!(report.results.iter().map(|row| row.games).collect::<Vec<_>>(), [1, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of a search.
    pub fn on_player(
        index: &GameIndex,
        name: &str,
        options: &ReportOptions,
    ) -> Result<Self, IndexError> {
        let mut all = Counts::default();
        let words = Words::parse(name);
        for (side, field, is_white) in [
            ("White", TextField::White, true),
            ("Black", TextField::Black, false),
        ] {
            let query = Query::Text(field, words.clone()).and(options.filter.clone());
            let part = counted(index, &query, |part, game, opening| {
                part.add(game, is_white);
                part.rate(game, is_white);
                let mut count = |table, name: &str| part.count(table, name, game.result, is_white);
                count("sides", side);
                count("names", name_of(game, is_white));
                count("opponents", name_of(game, !is_white));
                count("openings", known(opening.unwrap_or("?")));
            })?;
            all.join(part);
        }
        let sides = all.table("sides");
        let mut total = Results::default();
        let mut results = Vec::new();
        for side in ["White", "Black"] {
            let of_side = sides.get(side).copied().unwrap_or_default();
            total.join(of_side);
            results.push(of_side.row(side));
        }
        results.push(total.row("all"));
        let query = Query::Text(TextField::Player, words).and(options.filter.clone());
        let report = Self::of(index, "player", name, results, &all, &query, options)?;
        Ok(Self {
            names: frequent(&all.table("names"), options.top),
            openings: frequent(&all.table("openings"), options.top),
            opponents: frequent(&all.table("opponents"), options.top),
            ..report
        })
    }

    /// Reports on an opening: the games of the filter that reach a position, or all games of the filter. The results
    /// count for White, those of players for themselves.
    ///
    /// # Errors
    /// Those of a search.
    pub fn on_opening(
        index: &GameIndex,
        title: &str,
        position: Option<&Position>,
        options: &ReportOptions,
    ) -> Result<Self, IndexError> {
        let there = position.map(|position| {
            Query::from(PositionQuery::of_position(position, PositionMatch::Exact))
        });
        let query = there.unwrap_or(Query::All).and(options.filter.clone());
        let all = counted(index, &query, |part, game, _| {
            part.add(game, true);
            part.count("all", "all", game.result, true);
            for is_white in [true, false] {
                part.rate(game, is_white);
                part.count("players", name_of(game, is_white), game.result, is_white);
            }
        })?;
        let total = all.table("all").remove("all").unwrap_or_default();
        let results = vec![total.row("all")];
        let mut report = Self::of(index, "opening", title, results, &all, &query, options)?;
        let mut players = all.table("players");
        players.remove("?");
        report.players = frequent(&players, options.top);
        if let Some(position) = position {
            report.fen = Some(Fen::of(position).to_string());
            let notation = options.notation.unwrap_or(Notation::of(position.rules()));
            let table = index.openings(position, &options.filter)?;
            let moves = table.moves.iter().take(options.top);
            let rows = moves.map(|row| OpeningRow::new(row, position, notation, &options.book));
            // Only a notation of another board fails.
            report.continuations = rows.filter_map(Result::ok).collect();
        }
        Ok(report)
    }

    /// What reports on players and openings have in common.
    fn of(
        index: &GameIndex,
        kind: &'static str,
        title: &str,
        results: Vec<ReportRow>,
        all: &Counts,
        query: &Query,
        options: &ReportOptions,
    ) -> Result<Self, IndexError> {
        let mut endings = Vec::new();
        for ending in GameEnding::ALL {
            let query = Query::Ending(ending).and(query.clone());
            let found = index.search(&query, &SearchOptions::default().limit(0))?;
            if found.total > 0 {
                endings.push(EndingRow {
                    name: ending.name(),
                    games: found.total,
                });
            }
        }
        let games = |query: &Query, key| -> Result<Vec<HitRow>, IndexError> {
            let sorted = SearchOptions::default()
                .limit(options.top)
                .sort(Some((key, true)));
            let hits = index.search(query, &sorted)?.hits.into_iter();
            hits.map(|hit| Ok(HitRow::new(&hit, index.summary(hit.id)?)))
                .collect()
        };
        let rated = Query::Ratings(None, None).and(query.clone());
        Ok(Self {
            kind,
            title: title.to_owned(),
            fen: None,
            names: Vec::new(),
            results,
            systems: in_order(&all.table("systems")),
            years: in_order(&all.table("years")),
            openings: Vec::new(),
            opponents: Vec::new(),
            players: Vec::new(),
            continuations: Vec::new(),
            endings,
            plies: all.plies.spread(),
            ratings: all.ratings.spread(),
            model_games: games(&rated, SortKey::Elo)?,
            last_games: games(query, SortKey::Date)?,
        })
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.results.last().map_or(0, |row| row.games)
    }
}

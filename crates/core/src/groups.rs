//! Games and results by player, opening, rule system, year, month, event, site or pair of players.
//!
//! The counts of parts of a collection can be [joined](Groups::join).

use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tridex_archive::GameResult;
use tridex_archive::date::Date;
use tridex_index::OpeningBook;
use tridex_notation::{Notation, WriteOptions, write};
use tridex_replay::Played;
use tridex_rules::RuleSystem;

tridex_text::enum_table! {
    /// What games are counted by.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Grouping(
        /// Its name.
        name: &'static str
    ) {
        /// Players, with their games and points.
        Player("player"),
        /// Names of openings, or first moves where there is no name.
        Opening("opening"),
        /// Rule systems.
        System("system"),
        /// Years.
        Year("year"),
        /// Months of a year.
        Month("month"),
        /// Events.
        Event("event"),
        /// Sites.
        Site("site"),
        /// Pairs of players, with the games and points of the first against the second.
        Pair("pair"),
    }
}

impl Grouping {
    /// Returns the grouping of a name.
    ///
    /// ```
    /// use tridex_core::Grouping;
    ///
    /// assert_eq!(Grouping::from_name("pair"), Some(Grouping::Pair));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|grouping| grouping.name() == name)
    }

    /// Whether `won`, `lost` and `points` of a row count for a player. Otherwise they count for White.
    #[must_use]
    pub const fn is_of_players(self) -> bool {
        matches!(self, Self::Player | Self::Pair)
    }

    /// Whether the rows are in the order of time. Otherwise those with the most games come first.
    #[must_use]
    pub const fn is_of_time(self) -> bool {
        matches!(self, Self::Year | Self::Month)
    }
}

/// How games are grouped.
#[derive(Clone, Copy, Debug)]
pub struct GroupBy<'b> {
    /// What games are counted by.
    pub grouping: Grouping,
    /// Whether each rule system has rows of its own. Openings and systems always have.
    pub per_system: bool,
    /// The names of openings.
    pub book: &'b OpeningBook,
}

/// Counts of games, grouped. Memory grows with the number of different keys, not with the number of games.
#[derive(Clone, Debug, Default)]
pub struct Groups(BTreeMap<Key, Counts>);

/// The key of a row: the rule system if each has rows of its own, a name, and for pairs the other player.
type Key = (Option<RuleSystem>, String, Option<String>);

/// Results and lengths of some games.
#[derive(Clone, Default, Debug)]
struct Counts {
    games: u64,
    plies: u64,
    /// Games won, drawn and lost, by the player of the row or else by White.
    results: [u64; 3],
    as_white: u64,
    rules: BTreeSet<RuleSystem>,
    first: Option<Date>,
    last: Option<Date>,
}

/// The half points of a side, or `None` if the result is not known.
pub(crate) const fn halves(result: GameResult, is_white: bool) -> Option<u64> {
    match (result, is_white) {
        (GameResult::White, true) | (GameResult::Black, false) => Some(2),
        (GameResult::Draw, _) | (GameResult::WhiteHalf, true) | (GameResult::BlackHalf, false) => {
            Some(1)
        }
        (GameResult::Unknown, _) => None,
        _ => Some(0),
    }
}

/// Points as a share of the games that have a result, rounded to four decimals.
pub(crate) fn share(points: f64, games: u64) -> Option<f64> {
    (games > 0).then(|| (points / games as f64 * 1e4).round() / 1e4)
}

impl Counts {
    /// The counts of one game, for one of its sides.
    fn of(game: &Played<'_>, date: Option<Date>, is_white: bool) -> Self {
        let halves = halves(game.result(), is_white);
        Self {
            games: 1,
            plies: game.moves().len() as u64,
            results: [2, 1, 0].map(|points| u64::from(halves == Some(points))),
            as_white: u64::from(is_white),
            rules: BTreeSet::from([game.rules()]),
            first: date,
            last: date,
        }
    }

    fn join(&mut self, other: &Self) {
        self.rules.extend(&other.rules);
        self.games += other.games;
        self.plies += other.plies;
        for (own, other) in self.results.iter_mut().zip(other.results) {
            *own += other;
        }
        self.as_white += other.as_white;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
    }
}

/// The value of a tag, or `?` if it is not known.
pub(crate) fn known(value: &str) -> &str {
    match value.trim() {
        "" => "?",
        value => value,
    }
}

impl Groups {
    /// Counts a game if all of its moves could be read, as the other statistics do.
    ///
    /// ```
    /// use tridex_core::index::OpeningBook;
    /// use tridex_core::{Games, GroupBy, Grouping, Groups, replay::{Options, replay_with}};
    /// use tridex_core::archive::{Limits, game, pgn};
    ///
    /// let text = b"[White \"Ada\"]\n[Black \"Bo\"]\n[Date \"2024.03.01\"]\n[Variant \"meder\"]\n\n1. b4N 1-0\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// let book = OpeningBook::bundled();
    /// let by = GroupBy { grouping: Grouping::Month, per_system: false, book: &book };
    /// let mut groups = Groups::default();
    /// replay_with(&games[0], &Options::default(), |game| groups.add(&by, game));
    /// let rows = groups.rows(&by, None);
    /// assert_eq!((rows[0].key, rows[0].won, rows[0].average_plies), ("2024.03", 1, 1.0));
    /// ```
    pub fn add(&mut self, by: &GroupBy<'_>, game: &Played<'_>) {
        if !game.is_whole() {
            return;
        }
        let tag = |name: &str| game.game().tag(name).unwrap_or_default();
        let date = Date::parse(&tag("Date")).ok();
        let system = Some(game.rules());
        let mut count = |rules, name: &str, other: Option<&str>, is_white| {
            let counts = Counts::of(game, date, is_white);
            let key = (rules, name.to_owned(), other.map(str::to_owned));
            self.0.entry(key).or_default().join(&counts);
        };
        let rules = system.filter(|_| by.per_system);
        match by.grouping {
            Grouping::Player => {
                for (name, is_white) in [(tag("White"), true), (tag("Black"), false)] {
                    if known(&name) != "?" {
                        count(rules, name.trim(), None, is_white);
                    }
                }
            }
            Grouping::Pair => {
                let (white, black) = (tag("White"), tag("Black"));
                let (white, black) = (known(&white), known(&black));
                match (white, black) {
                    ("?", _) | (_, "?") => {}
                    _ if white <= black => count(rules, white, Some(black), true),
                    _ => count(rules, black, Some(white), false),
                }
            }
            Grouping::Opening => count(system, &opening(game, by.book), None, true),
            Grouping::System => count(system, game.rules().name(), None, true),
            Grouping::Year => {
                let year = date.map(|date| date.year.to_string());
                count(rules, year.as_deref().unwrap_or("?"), None, true);
            }
            Grouping::Month => {
                let month = date.map(|date| match date.month {
                    Some(month) => format!("{:04}.{month:02}", date.year),
                    None => format!("{:04}.??", date.year),
                });
                count(rules, month.as_deref().unwrap_or("?"), None, true);
            }
            Grouping::Event => count(rules, known(&tag("Event")), None, true),
            Grouping::Site => count(rules, known(&tag("Site")), None, true),
        }
    }

    /// Adds the counts of another part of the collection.
    pub fn join(&mut self, other: &Self) {
        for (key, counts) in &other.0 {
            self.0.entry(key.clone()).or_default().join(counts);
        }
    }

    /// Returns the rows, at most `top`: those with the most games first, and ties in the order of rule systems and
    /// names. Years and months are then put in the order of time, unknown ones at the end.
    #[must_use]
    pub fn rows(&self, by: &GroupBy<'_>, top: Option<usize>) -> Vec<GroupRow<'_>> {
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by_key(|(_, counts)| Reverse(counts.games));
        rows.truncate(top.unwrap_or(usize::MAX));
        if by.grouping.is_of_time() {
            // The sort is stable, and `?` is greater than a digit.
            rows.sort_by(|((_, one, _), _), ((_, other, _), _)| one.cmp(other));
        }
        let rows = rows.into_iter();
        rows.map(|(key, counts)| GroupRow::new(by.grouping, key, counts))
            .collect()
    }
}

/// The name of a game's opening, or a text that begins with `no name` and describes its start.
fn opening(game: &Played<'_>, book: &OpeningBook) -> String {
    if let Some(name) = book.of_game(game.start(), game.moves()) {
        return name.to_owned();
    }
    match game.moves().first() {
        _ if game.is_set_up() => "no name: from a set-up position".to_owned(),
        None => "no name: no moves".to_owned(),
        Some(first) => {
            let (mut text, options) = ("no name: ".to_owned(), WriteOptions::default());
            // The notation is of the system's family, so this cannot fail.
            let _ = write(
                Notation::of(game.rules()),
                game.start(),
                *first,
                &options,
                &mut text,
            );
            text
        }
    }
}

/// A row in the formats for programs. Fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct GroupRow<'a> {
    /// The name of the grouping, such as `player`.
    pub kind: &'static str,
    /// The rule system, or `all` if there are several.
    pub rules: &'static str,
    /// The name of what is counted; `?` if it is not known.
    pub key: &'a str,
    /// How many games.
    pub count: u64,
    /// How many of these the player won. For groups other than players and pairs, this and the next two count for White.
    /// Games with an unknown result are in none of the three.
    pub won: u64,
    /// How many were drawn.
    pub drawn: u64,
    /// How many were lost.
    pub lost: u64,
    /// The points of the player, or of White.
    pub points: f64,
    /// The points as a share of the games that have a result, from 0 to 1.
    pub score: Option<f64>,
    /// For players and pairs: the number of games with White.
    pub as_white: Option<u64>,
    /// The same as `average_plies`, which is the better name.
    pub plies: f64,
    /// The date of the first of these games, as far as known.
    pub first: Option<String>,
    /// The date of the last.
    pub last: Option<String>,
    /// For pairs: the second player.
    pub opponent: Option<&'a str>,
    /// How many games have no result: they are unfinished, or it is not known.
    pub without_result: u64,
    /// The average length in plies, with two decimals.
    pub average_plies: f64,
}

impl<'a> GroupRow<'a> {
    fn new(grouping: Grouping, (_, key, opponent): &'a Key, counts: &Counts) -> Self {
        let rules: Vec<&RuleSystem> = counts.rules.iter().collect();
        let [won, drawn, lost] = counts.results;
        let points = won as f64 + drawn as f64 / 2.0;
        let plies = (counts.plies as f64 / counts.games.max(1) as f64 * 100.0).round() / 100.0;
        Self {
            kind: grouping.name(),
            rules: match rules[..] {
                [only] => only.name(),
                _ => "all",
            },
            key,
            count: counts.games,
            won,
            drawn,
            lost,
            points,
            score: share(points, won + drawn + lost),
            as_white: grouping.is_of_players().then_some(counts.as_white),
            plies,
            first: counts.first.map(|date| date.to_string()),
            last: counts.last.map(|date| date.to_string()),
            opponent: opponent.as_deref(),
            without_result: counts.games - won - drawn - lost,
            average_plies: plies,
        }
    }
}

tridex_archive::columns! { GroupRow<'_>, row:
    "kind" => row.kind,
    "rules" => row.rules,
    "key" => row.key,
    "count" => row.count,
    "won" => row.won,
    "drawn" => row.drawn,
    "lost" => row.lost,
    "points" => row.points,
    "score" => row.score.map(|score| score.to_string()).unwrap_or_default(),
    "as_white" => row.as_white.map(|games| games.to_string()).unwrap_or_default(),
    "plies" => row.plies,
    "first" => row.first.as_deref().unwrap_or_default(),
    "last" => row.last.as_deref().unwrap_or_default(),
    "opponent" => row.opponent.unwrap_or_default(),
    "without_result" => row.without_result,
    "average_plies" => row.average_plies,
}

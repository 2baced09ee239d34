//! `stats --by`: games and results of each player, of each opening, of each rule system.
//!
//! The counts of parts of a collection can be [joined](By::join).

use crate::commands::stats::Grouping;
use crate::term::table::{self, column};
use crate::term::terminal::Paint;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tridex_archive::GameResult;
use tridex_archive::date::Date;
use tridex_index::OpeningBook;
use tridex_notation::{Notation, WriteOptions, write};
use tridex_replay::Played;
use tridex_rules::RuleSystem;

/// How many rows text shows without `--top`.
pub(super) const TOP: usize = 20;

/// Counts of games, grouped.
#[derive(Clone, Debug, Default)]
pub(super) struct By(BTreeMap<Key, Counts>);

/// The key of a row: a name. Openings and systems also have their rule system in it.
type Key = (Option<RuleSystem>, String);

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
const fn halves(result: GameResult, is_white: bool) -> Option<u64> {
    match (result, is_white) {
        (GameResult::White, true) | (GameResult::Black, false) => Some(2),
        (GameResult::Draw, _) | (GameResult::WhiteHalf, true) | (GameResult::BlackHalf, false) => {
            Some(1)
        }
        (GameResult::Unknown, _) => None,
        _ => Some(0),
    }
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

    /// The points, and their share of the games that have a result, from 0 to 1, rounded to four decimals.
    fn points(&self) -> (f64, Option<f64>) {
        let [won, drawn, lost] = self.results;
        let (points, known) = (won as f64 + drawn as f64 / 2.0, won + drawn + lost);
        let share = (points / known as f64 * 1e4).round() / 1e4;
        (points, (known > 0).then_some(share))
    }
}

impl By {
    /// Counts a game.
    pub(super) fn add(&mut self, grouping: Grouping, game: &Played<'_>, book: &OpeningBook) {
        let tag = |name: &str| game.game().tag(name).unwrap_or_default();
        let date = Date::parse(&tag("Date")).ok();
        let mut count = |key: Key, is_white: bool| {
            let counts = Counts::of(game, date, is_white);
            self.0.entry(key).or_default().join(&counts);
        };
        let rules = game.rules();
        match grouping {
            Grouping::Player => {
                for (name, is_white) in [(tag("White"), true), (tag("Black"), false)] {
                    if !matches!(name.trim(), "" | "?") {
                        count((None, name.trim().to_owned()), is_white);
                    }
                }
            }
            Grouping::Opening => count((Some(rules), opening(game, book)), true),
            Grouping::System => count((Some(rules), rules.name().to_owned()), true),
        }
    }

    /// Adds the counts of another part of the collection.
    pub(super) fn join(&mut self, other: &Self) {
        for (key, counts) in &other.0 {
            self.0.entry(key.clone()).or_default().join(counts);
        }
    }

    /// The rows, at most `top`: those with the most games first, and ties in the order of rule systems and names.
    pub(super) fn rows(&self, grouping: Grouping, top: Option<usize>) -> Vec<Row<'_>> {
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.games));
        rows.truncate(top.unwrap_or(usize::MAX));
        rows.into_iter()
            .map(|(key, counts)| Row::new(grouping, &key.1, counts))
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
#[derive(Serialize)]
pub(super) struct Row<'a> {
    /// `player`, `opening` or `system`.
    kind: &'static str,
    /// The rule system, or `all` if there are several.
    rules: &'static str,
    /// The name of what is counted.
    key: &'a str,
    /// How many games.
    count: u64,
    /// How many of these the player won, drew and lost. For openings and systems, these count for White. Games with an
    /// unknown result are in none of them.
    won: u64,
    drawn: u64,
    lost: u64,
    /// The points of the player, or of White.
    points: f64,
    /// The points as a share of the games that have a result, from 0 to 1.
    score: Option<f64>,
    /// For players: the number of games with White.
    as_white: Option<u64>,
    /// The average length in plies, with two decimals.
    plies: f64,
    /// The dates of the first and the last of these games, as far as known.
    first: Option<String>,
    last: Option<String>,
}

impl<'a> Row<'a> {
    fn new(grouping: Grouping, key: &'a str, counts: &Counts) -> Self {
        let rules: Vec<&RuleSystem> = counts.rules.iter().collect();
        let [won, drawn, lost] = counts.results;
        let (points, score) = counts.points();
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
            score,
            as_white: (grouping == Grouping::Player).then_some(counts.as_white),
            plies: (counts.plies as f64 / counts.games.max(1) as f64 * 100.0).round() / 100.0,
            first: counts.first.map(|date| date.to_string()),
            last: counts.last.map(|date| date.to_string()),
        }
    }
}

tridex_archive::columns! { Row<'_>, row:
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
}

/// Formats the rows for people.
pub(super) fn text(
    rows: &[Row<'_>],
    grouping: Grouping,
    paint: Paint,
    width: Option<usize>,
) -> String {
    let column = |heading, cell: fn(&Row<'_>) -> String| column(heading, rows, cell);
    let mut columns = vec![
        column(grouping.name(), |row| row.key.to_owned()).cut(12),
        column("games", |row| row.count.to_string()),
        column("as White", |row| row.as_white.unwrap_or(0).to_string()),
        column("won", |row| row.won.to_string()),
        column("drawn", |row| row.drawn.to_string()),
        column("lost", |row| row.lost.to_string()),
        column("points", |row| format!("{:.1}", row.points)),
        column("score", |row| table::percent(row.score)),
        column("plies", |row| format!("{:.1}", row.plies)).goes(1),
        column("rules", |row| row.rules.to_owned()).goes(3),
        column("first", |row| row.first.clone().unwrap_or_default()).goes(2),
        column("last", |row| row.last.clone().unwrap_or_default()),
    ];
    columns.retain(|column| match column.heading {
        "as White" => grouping == Grouping::Player,
        "rules" => grouping != Grouping::System,
        _ => true,
    });
    let mut text = String::new();
    table::draw(columns, width, paint, &mut text);
    text
}

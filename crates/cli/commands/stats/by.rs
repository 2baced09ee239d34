//! `stats --by`: games and results of each player, of each opening, of each rule system.
//!
//! A game of a file or an index is counted by its [`Facts`]; the counts of parts can be [joined](By::join).

use crate::commands::stats::Grouping;
use crate::io::emit;
use crate::term::style::Paint;
use crate::term::table;
use crate::term::table::Yields;
use serde::Serialize;
use std::collections::BTreeMap;
use tridex_archive::date::Date;
use tridex_archive::{GameResult, printable};
use tridex_rules::RuleSystem;

/// How many rows people are shown unless they say otherwise.
pub(super) const TOP: usize = 20;

/// What of a game counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub(super) rules: RuleSystem,
    pub(super) result: GameResult,
    /// The names of the players; an empty one and `?` are not names.
    pub(super) white: &'a str,
    pub(super) black: &'a str,
    pub(super) date: Option<Date>,
    pub(super) plies: u64,
}

/// Counts of games, grouped.
#[derive(Clone, Debug)]
pub(super) struct By {
    grouping: Grouping,
    rows: BTreeMap<Key, Counts>,
}

/// What is counted apart: a name; openings and systems by their rules too.
type Key = (Option<RuleSystem>, String);

/// Results and lengths of some games.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    games: u64,
    plies: u64,
    /// Won, drawn and lost; by the players of the row, or else by White.
    won: u64,
    drawn: u64,
    lost: u64,
    /// Half points of those who have them, and games in which anybody has some or lost.
    halves: u64,
    decided: u64,
    as_white: u64,
    /// The systems, if it is one only.
    rules: Option<RuleSystem>,
    mixed: bool,
    first: Option<Date>,
    last: Option<Date>,
}

/// The half points of a side; none if the result is not known.
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
    fn add(&mut self, facts: &Facts<'_>, is_white: bool) {
        let mut one = Self {
            games: 1,
            plies: facts.plies,
            as_white: u64::from(is_white),
            rules: Some(facts.rules),
            first: facts.date,
            last: facts.date,
            ..Self::default()
        };
        if let Some(halves) = halves(facts.result, is_white) {
            (one.halves, one.decided) = (halves, 1);
            *match halves {
                2 => &mut one.won,
                1 => &mut one.drawn,
                _ => &mut one.lost,
            } = 1;
        }
        self.join(&one);
    }

    fn join(&mut self, other: &Self) {
        self.mixed |= other.mixed || self.games > 0 && self.rules != other.rules;
        self.rules = self.rules.or(other.rules);
        self.games += other.games;
        self.plies += other.plies;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.halves += other.halves;
        self.decided += other.decided;
        self.as_white += other.as_white;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
    }

    /// The share of the points, 0 to 1, with four decimals.
    fn score(&self) -> Option<f64> {
        let share = self.halves as f64 / 2.0 / self.decided as f64;
        (self.decided > 0).then(|| (share * 1e4).round() / 1e4)
    }
}

impl By {
    pub(super) const fn new(grouping: Grouping) -> Self {
        Self {
            grouping,
            rows: BTreeMap::new(),
        }
    }

    /// Counts a game; `opening` gives the name of its opening where that is needed.
    pub(super) fn add(&mut self, facts: &Facts<'_>, opening: impl FnOnce() -> String) {
        match self.grouping {
            Grouping::Player => {
                for (name, is_white) in [(facts.white, true), (facts.black, false)] {
                    if !matches!(name.trim(), "" | "?") {
                        let key = (None, name.trim().to_owned());
                        self.rows.entry(key).or_default().add(facts, is_white);
                    }
                }
            }
            Grouping::Opening | Grouping::System => {
                let name = match self.grouping {
                    Grouping::Opening => opening(),
                    _ => facts.rules.name().to_owned(),
                };
                let key = (Some(facts.rules), name);
                self.rows.entry(key).or_default().add(facts, true);
            }
        }
    }

    /// Adds the counts of another part of the collection.
    pub(super) fn join(&mut self, other: &Self) {
        for (key, counts) in &other.rows {
            match self.rows.get_mut(key) {
                Some(own) => own.join(counts),
                None => drop(self.rows.insert(key.clone(), *counts)),
            }
        }
    }

    /// The rows, those of most games first, of equal ones in the order of the names; at most `top`.
    pub(super) fn rows(&self, top: Option<usize>) -> Vec<Row<'_>> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.games));
        rows.truncate(top.unwrap_or(usize::MAX));
        rows.into_iter()
            .map(|(key, counts)| Row::new(self.grouping, &key.1, counts))
            .collect()
    }
}

/// A line of the machine forms. Fields are added, never renamed or dropped.
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
    /// How many of these were won, drawn and lost by the player; of openings and systems by White. What has another
    /// result counts in none of them.
    won: u64,
    drawn: u64,
    lost: u64,
    /// The points of the player, or of White.
    points: f64,
    /// These as a share of the games that have a result, 0 to 1.
    score: Option<f64>,
    /// Of players: how many games with White.
    as_white: Option<u64>,
    /// The average length in plies, with two decimals.
    plies: f64,
    /// The first and the last day on which one was played, as far as known.
    first: Option<String>,
    last: Option<String>,
}

impl<'a> Row<'a> {
    fn new(grouping: Grouping, key: &'a str, counts: &Counts) -> Self {
        let rules = counts.rules.filter(|_| !counts.mixed);
        Self {
            kind: match grouping {
                Grouping::Player => "player",
                Grouping::Opening => "opening",
                Grouping::System => "system",
            },
            rules: rules.map_or("all", RuleSystem::name),
            key,
            count: counts.games,
            won: counts.won,
            drawn: counts.drawn,
            lost: counts.lost,
            points: counts.halves as f64 / 2.0,
            score: counts.score(),
            as_white: (grouping == Grouping::Player).then_some(counts.as_white),
            plies: (counts.plies as f64 / counts.games.max(1) as f64 * 100.0).round() / 100.0,
            first: counts.first.map(|date| date.to_string()),
            last: counts.last.map(|date| date.to_string()),
        }
    }

    pub(super) const COLUMNS: [&'static str; 13] = [
        "kind", "rules", "key", "count", "won", "drawn", "lost", "points", "score", "as_white",
        "plies", "first", "last",
    ];

    pub(super) fn cells(&self) -> [String; 13] {
        let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        [
            self.kind.to_owned(),
            self.rules.to_owned(),
            self.key.to_owned(),
            self.count.to_string(),
            self.won.to_string(),
            self.drawn.to_string(),
            self.lost.to_string(),
            self.points.to_string(),
            self.score
                .map(|score| score.to_string())
                .unwrap_or_default(),
            number(self.as_white),
            self.plies.to_string(),
            self.first.clone().unwrap_or_default(),
            self.last.clone().unwrap_or_default(),
        ]
    }
}

emit::rows!(Row<'_>);

/// The rows for people.
pub(super) fn text(
    rows: &[Row<'_>],
    grouping: Grouping,
    paint: Paint,
    width: Option<usize>,
) -> String {
    let (name, is_player) = match grouping {
        Grouping::Player => ("player", true),
        Grouping::Opening => ("opening", false),
        Grouping::System => ("system", false),
    };
    let mut heading = vec![name, "games"];
    if is_player {
        heading.push("as White");
    }
    heading.extend(["won", "drawn", "lost", "points", "score", "plies"]);
    if grouping != Grouping::System {
        heading.push("rules");
    }
    heading.extend(["first", "last"]);
    let mut lines = vec![heading.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for row in rows {
        let mut line = vec![printable(row.key).into_owned(), row.count.to_string()];
        line.extend(row.as_white.map(|games| games.to_string()));
        line.extend([row.won, row.drawn, row.lost].map(|n| n.to_string()));
        line.push(format!("{:.1}", row.points));
        let share = |score: f64| format!("{:.1}%", score * 100.0);
        line.push(row.score.map_or_else(|| "-".to_owned(), share));
        line.push(format!("{:.1}", row.plies));
        if grouping != Grouping::System {
            line.push(row.rules.to_owned());
        }
        line.extend([&row.first, &row.last].map(|date| date.clone().unwrap_or_default()));
        lines.push(line);
    }
    let goes = |column, turn| Yields {
        column,
        least: None,
        keeps_end: false,
        goes: Some(turn),
    };
    let cut = Yields {
        column: name,
        least: Some(12),
        keeps_end: false,
        goes: None,
    };
    let yields = [cut, goes("plies", 1), goes("first", 2), goes("rules", 3)];
    table::fit(&mut lines, width, &yields);
    let mut text = String::new();
    table::align(&lines, paint, &mut text);
    text
}

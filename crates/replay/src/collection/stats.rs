//! Statistics of a collection.
//!
//! [`Stats::add`] counts a game, and [`Stats::join`] adds the counts of another part, so that batches can be counted
//! separately. [`Stats::rows`] returns the counts as [`StatsRow`]s, always in the same order.
//!
//! | kind | key | counts |
//! |---|---|---|
//! | `games` | `all` | games |
//! | `status` | `valid`, `warned`, `ambiguous`, `invalid` | games |
//! | `whole` | `yes`, `no` | games all of whose moves could be read; **only these are counted below** |
//! | `notation`, `locale` | names, codes | games |
//! | `result` | `1-0`, `0-1`, `1/2-1/2`, `*` | games, by what they state |
//! | `outcome` | as `validate` writes it | games, by how the rules ended them |
//! | `start` | `own`, `set-up` | games, by whether they start where the system does |
//! | `plies` | `all` | plies |
//! | `length` | a number of plies | games of just that length |
//! | `length-summary` | `min`, `median`, `mean`, `max` | plies; the mean has two decimals |
//! | `first-move` | the move in the system's own notation | games that start where the system does |
//! | `first-reply` | both first moves | the same |
//! | `board-move` | `QL@Q1-Q3`: board, pin of departure and of arrival, `r` at the end if it turns | moves |
//! | `board-arrival` | `QL@Q3` | moves to another pin |
//! | `layout` | `QL@Q3 KL@K1 ql@Q6 kl@K6` | games in which some board move led to it |
//! | `castling` | `white 0-0` and so on | moves |
//! | `en-passant`, `check`, `mate` | `white`, `black`: who played it | moves |
//! | `capture` | `white`, `black` | moves |
//! | `promotion` | `queen`, `rook`, `bishop`, `knight` | moves, those below among them |
//! | `board-promotion` | the same | promotions that the move of a board brings |
//! | `board-turn` | `in place`, `moving` | moves |
//!
//! Pins are written as in position strings, with `v` below the board. Kinds are added, never renamed or dropped.

use crate::Played;
use crate::finding::wording::canonical;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_notation::Notation;
use tridex_notation::names::{manual_board as board_name, pin_in_strings as pin_name};
use tridex_rules::{Color, Move, Position, Role, RuleSystem};

/// Counts of a collection, separate for each rule system. Memory grows with the number of different keys, not with the
/// number of games. There may be tens of thousands of layouts.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, replay_with, stats::Stats};
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b5B 1-0\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let mut stats = Stats::default();
/// replay_with(&games[0], &Options::default(), |played| stats.add(played));
/// assert_eq!(stats.games(), 1);
/// assert!(stats.rows(None).iter().any(|row| row.kind == "first-move"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    counts: BTreeMap<(RuleSystem, Kind, Key), u64>,
}

tridex_text::enum_table! {
    /// What is counted, in the order of the rows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Kind(name: &'static str) {
        Games("games"),
        Status("status"),
        Whole("whole"),
        Notation("notation"),
        Locale("locale"),
        Result("result"),
        Outcome("outcome"),
        Start("start"),
        Plies("plies"),
        Length("length"),
        FirstMove("first-move"),
        FirstReply("first-reply"),
        BoardMove("board-move"),
        BoardArrival("board-arrival"),
        Layout("layout"),
        Castling("castling"),
        EnPassant("en-passant"),
        Check("check"),
        Mate("mate"),
        Capture("capture"),
        Promotion("promotion"),
        BoardPromotion("board-promotion"),
        BoardTurn("board-turn"),
    }
}

/// The kinds that the `top` of [`Stats::rows`] limits to the most frequent keys.
pub const RANKED: [&str; 5] = [
    "first-move",
    "first-reply",
    "board-move",
    "board-arrival",
    "layout",
];

/// The names of castling moves, indexed by twice the number of the color plus the number of the side.
const CASTLING: [&str; 4] = ["white 0-0", "white 0-0-0", "black 0-0", "black 0-0-0"];

/// The key within a kind, in the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A name, and its rank in the order of the rows.
    Word(u8, &'static str),
    Text(String),
    Number(usize),
    /// The first moves of a game.
    Moves(Move, Option<Move>),
    /// A board, the pins of departure and arrival, and whether it turns. Without a departure, an arrival is counted.
    Board(AttackBoard, Option<Pin>, Pin, bool),
    Layout([Pin; 4]),
}

impl Key {
    /// The only key of a kind that is not divided.
    const ALL: Self = Self::Word(0, "all");

    const fn of(color: Color) -> Self {
        Self::Word(color as u8, ["white", "black"][color as usize])
    }

    fn promotion(role: Role) -> Self {
        Self::Word(u8::MAX - role as u8, role.name())
    }

    fn written(&self, rules: RuleSystem) -> String {
        match self {
            Self::Word(_, word) => (*word).to_owned(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Moves(first, reply) => opening(rules, iter::once(*first).chain(*reply)),
            Self::Board(board, None, pin, _) => at(*board, *pin),
            Self::Board(board, Some(from), to, is_turned) => {
                let turn = if *is_turned { "r" } else { "" };
                format!("{}-{}{turn}", at(*board, *from), pin_name(*to))
            }
            Self::Layout(pins) => {
                let boards = AttackBoard::ALL.into_iter().zip(pins);
                let boards: Vec<String> = boards.map(|(board, pin)| at(board, *pin)).collect();
                boards.join(" ")
            }
        }
    }
}

/// One count. As JSON `{"kind","rules","key","count"}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatsRow {
    /// What is counted.
    pub kind: &'static str,
    /// The rule system.
    pub rules: &'static str,
    /// The key within the kind.
    pub key: String,
    /// The count, or the mean.
    pub count: Count,
}

/// A number in a [`StatsRow`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Count {
    /// A count.
    Whole(u64),
    /// A mean, rounded to two decimals.
    Mean(f64),
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(count) => count.fmt(f),
            Self::Mean(mean) => write!(f, "{mean:.2}"),
        }
    }
}

tridex_archive::columns! { StatsRow, row:
    "kind" => row.kind,
    "rules" => row.rules,
    "key" => row.key,
    "count" => row.count,
}

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &Played<'_>) {
        let rules = game.rules();
        let (is_whole, moves) = (game.is_whole(), game.moves());
        let is_own = !game.is_set_up() || *game.start() == Position::start(rules);
        let mut count = |kind, key, n| *self.counts.entry((rules, kind, key)).or_default() += n;
        count(Kind::Games, Key::ALL, 1);
        let status = game.status();
        count(Kind::Status, Key::Word(status as u8, status.as_str()), 1);
        // The following kinds get a row even if the count is zero.
        let whole = u64::from(is_whole);
        count(Kind::Whole, Key::Word(0, "yes"), whole);
        count(Kind::Whole, Key::Word(1, "no"), 1 - whole);
        let own = whole * u64::from(is_own);
        count(Kind::Start, Key::Word(0, "own"), own);
        count(Kind::Start, Key::Word(1, "set-up"), whole - own);
        count(Kind::Plies, Key::ALL, whole * moves.len() as u64);
        if !is_whole {
            return;
        }
        let mut tick = |kind, key| count(kind, key, 1);
        let (notation, locale) = (game.style().notation, game.style().locale);
        tick(Kind::Notation, Key::Word(notation as u8, notation.name()));
        tick(Kind::Locale, Key::Word(locale as u8, locale.code()));
        let result = game.result();
        tick(Kind::Result, Key::Word(result as u8, result.as_str()));
        let outcome = game.outcome();
        let outcome = outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        tick(Kind::Outcome, Key::Text(outcome));
        tick(Kind::Length, Key::Number(moves.len()));
        if is_own && let [first, replies @ ..] = moves {
            tick(Kind::FirstMove, Key::Moves(*first, None));
            if let Some(reply) = replies.first() {
                tick(Kind::FirstReply, Key::Moves(*first, Some(*reply)));
            }
        }
        self.moves(game.start().clone(), moves);
    }

    fn moves(&mut self, mut position: Position, moves: &[Move]) {
        let rules = position.rules();
        let mut tick = |kind, key| *self.counts.entry((rules, kind, key)).or_default() += 1;
        let mut layouts = BTreeSet::new();
        for mv in moves {
            let side = position.turn();
            if position.is_capture(*mv) {
                tick(Kind::Capture, Key::of(side));
            }
            if let Some(role) = mv.promotion() {
                tick(Kind::Promotion, Key::promotion(role));
            }
            let before = position.layout().copied();
            match *mv {
                Move::Piece { .. } | Move::Pass => {}
                Move::EnPassant { .. } => tick(Kind::EnPassant, Key::of(side)),
                Move::Castle(way) => {
                    let place = 2 * side as u8 + way as u8;
                    tick(Kind::Castling, Key::Word(place, CASTLING[place as usize]));
                }
                Move::Board {
                    board,
                    to,
                    turned,
                    promotion,
                } => {
                    if let Some(from) = before.map(|layout| layout.pin(board)) {
                        tick(Kind::BoardMove, Key::Board(board, Some(from), to, turned));
                        if from != to {
                            tick(Kind::BoardArrival, Key::Board(board, None, to, false));
                        }
                        if turned && from == to {
                            tick(Kind::BoardTurn, Key::Word(0, "in place"));
                        } else if turned {
                            tick(Kind::BoardTurn, Key::Word(1, "moving"));
                        }
                    }
                    if let Some(promotion) = promotion {
                        tick(Kind::BoardPromotion, Key::promotion(promotion.role));
                    }
                }
            }
            position.play_unchecked(*mv);
            if let Some(layout) = position.layout()
                && before != Some(*layout)
            {
                layouts.insert(AttackBoard::ALL.map(|board| layout.pin(board)));
            }
            if position.is_check() {
                tick(Kind::Check, Key::of(side));
            }
        }
        if !moves.is_empty() && position.is_checkmate() {
            tick(Kind::Mate, Key::of(position.turn().other()));
        }
        for layout in layouts {
            tick(Kind::Layout, Key::Layout(layout));
        }
    }

    /// Adds the counts of another part of the collection.
    pub fn join(&mut self, other: &Self) {
        for (key, count) in &other.counts {
            *self.counts.entry(key.clone()).or_default() += count;
        }
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        let all = self.counts.iter();
        let all = all.filter(|((_, kind, _), _)| *kind == Kind::Games);
        all.map(|(_, count)| count).sum()
    }

    /// Returns all counts, ordered by rule system, by kind as in the table of the module, and by key. With `top`, the
    /// kinds in [`RANKED`] have only this many rows, the most frequent first.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    /// use tridex_replay::{Options, replay_with, stats::Stats};
    ///
    /// let text = b"[Variant \"meder\"]\n\n1. b4N b5B *\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// let mut stats = Stats::default();
    /// replay_with(&games[0], &Options::default(), |game| stats.add(game));
    /// let rows = stats.rows(None);
    /// assert!(rows.iter().any(|row| row.kind == "games"));
    /// ```
    #[must_use]
    pub fn rows(&self, top: Option<usize>) -> Vec<StatsRow> {
        let mut rows = Vec::new();
        let counts: Vec<_> = self.counts.iter().collect();
        for of_kind in
            counts.chunk_by(|((a, kind, _), _), ((b, other, _), _)| (a, kind) == (b, other))
        {
            let (rules, kind, _) = of_kind[0].0;
            let row = |kind, key, count| StatsRow {
                kind,
                rules: rules.name(),
                key,
                count,
            };
            let counts = of_kind.iter();
            let counts = counts.map(|((.., key), count)| (key.written(*rules), **count));
            let mut counts: Vec<(String, u64)> = counts.collect();
            if RANKED.contains(&kind.name()) {
                // The sort by frequency is stable, so equally frequent keys stay in alphabetical order.
                counts.sort();
                if let Some(top) = top {
                    counts.sort_by_key(|(_, n)| Reverse(*n));
                    counts.truncate(top);
                }
            }
            let counts = counts.into_iter();
            rows.extend(counts.map(|(key, n)| row(kind.name(), key, Count::Whole(n))));
            let lengths = of_kind.iter().filter_map(|((.., key), games)| match key {
                Key::Number(plies) => Some((*plies as u64, **games)),
                _ => None,
            });
            let summary = summary(&lengths.collect::<Vec<_>>()).into_iter().flatten();
            rows.extend(summary.map(|(key, n)| row("length-summary", key.to_owned(), n)));
        }
        rows
    }
}

/// The minimum, median, mean and maximum of some lengths, each given with its number of games. Of an even number of
/// games the median is the lower of the two middle lengths.
fn summary(lengths: &[(u64, u64)]) -> Option<[(&'static str, Count); 4]> {
    let games: u64 = lengths.iter().map(|(_, games)| games).sum();
    let plies: u64 = lengths.iter().map(|(plies, games)| plies * games).sum();
    let mut seen = 0;
    let (median, _) = lengths.iter().find(|(_, games_of)| {
        seen += games_of;
        2 * seen >= games
    })?;
    let mean = (plies as f64 / games as f64 * 100.0).round() / 100.0;
    Some([
        ("min", Count::Whole(lengths.first()?.0)),
        ("median", Count::Whole(*median)),
        ("mean", Count::Mean(mean)),
        ("max", Count::Whole(lengths.last()?.0)),
    ])
}

/// The first moves of a game in the system's own notation.
fn opening(rules: RuleSystem, moves: impl Iterator<Item = Move>) -> String {
    let mut position = Position::start(rules);
    let words = moves.map(|mv| {
        let word = canonical(&position, Notation::of(rules), mv);
        position.play_unchecked(mv);
        word
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A board at a pin: `QL@Q3`.
fn at(board: AttackBoard, pin: Pin) -> String {
    format!("{}@{}", board_name(board), pin_name(pin))
}

#[cfg(test)]
mod tests;

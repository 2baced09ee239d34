//! What a collection holds, counted.
//!
//! [`Stats::add`] counts a game, [`Stats::join`] adds two counts, so that batches can be counted apart. The counts
//! come out as [`StatsRow`]s, always in the same order.
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
use crate::diagnostic::Status;
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tridex_archive::GameResult;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_notation::{Locale, Notation, WriteOptions, write};
use tridex_rules::{CastlingSide, Color, Move, Position, Role, RuleSystem};

/// Counts of a collection, for each rule system apart. Memory does not grow with the number of games but with the number
/// of different keys, of which the layouts may be some ten thousands.
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
/// assert!(stats.rows(None).iter().any(|row| row.cells()[0] == "first-move"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    counts: BTreeMap<(RuleSystem, Key), u64>,
}

/// What is counted, in the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Games,
    Status(Status),
    Whole,
    NotWhole,
    Notation(Notation),
    Locale(Locale),
    Result(GameResult),
    Outcome(String),
    OwnStart,
    SetUp,
    Plies,
    Length(usize),
    FirstMove(Move),
    FirstReply(Move, Move),
    BoardMove(AttackBoard, Pin, Pin, bool),
    BoardArrival(AttackBoard, Pin),
    Layout([Pin; 4]),
    Castling(Color, CastlingSide),
    EnPassant(Color),
    Check(Color),
    Mate(Color),
    Capture(Color),
    Promotion(Reverse<Role>),
    BoardPromotion(Reverse<Role>),
    TurnInPlace,
    TurnMoving,
}

/// Kinds of which only the most frequent may be wanted.
const RANKED: [&str; 5] = [
    "first-move",
    "first-reply",
    "board-move",
    "board-arrival",
    "layout",
];

impl Key {
    /// Its kind, and how it is written.
    fn written(&self, rules: RuleSystem) -> (&'static str, Cow<'_, str>) {
        match self {
            Self::Games => ("games", "all".into()),
            Self::Status(status) => ("status", status.as_str().into()),
            Self::Whole => ("whole", "yes".into()),
            Self::NotWhole => ("whole", "no".into()),
            Self::Notation(notation) => ("notation", notation.name().into()),
            Self::Locale(locale) => ("locale", locale.code().into()),
            Self::Result(result) => ("result", result.as_str().into()),
            Self::Outcome(outcome) => ("outcome", outcome.into()),
            Self::OwnStart => ("start", "own".into()),
            Self::SetUp => ("start", "set-up".into()),
            Self::Plies => ("plies", "all".into()),
            Self::Length(plies) => ("length", plies.to_string().into()),
            Self::FirstMove(first) => ("first-move", opening(rules, &[*first]).into()),
            Self::FirstReply(first, reply) => {
                ("first-reply", opening(rules, &[*first, *reply]).into())
            }
            Self::BoardMove(board, from, to, is_turned) => {
                let turn = if *is_turned { "r" } else { "" };
                let (from, to) = (at(*board, *from), pin_name(*to));
                ("board-move", format!("{from}-{to}{turn}").into())
            }
            Self::BoardArrival(board, pin) => ("board-arrival", at(*board, *pin).into()),
            Self::Layout(pins) => {
                let boards = AttackBoard::ALL.into_iter().zip(pins);
                let boards: Vec<String> = boards.map(|(board, pin)| at(board, *pin)).collect();
                ("layout", boards.join(" ").into())
            }
            Self::Castling(color, CastlingSide::King) => {
                ("castling", format!("{} 0-0", name(*color)).into())
            }
            Self::Castling(color, CastlingSide::Queen) => {
                ("castling", format!("{} 0-0-0", name(*color)).into())
            }
            Self::EnPassant(color) => ("en-passant", name(*color).into()),
            Self::Check(color) => ("check", name(*color).into()),
            Self::Mate(color) => ("mate", name(*color).into()),
            Self::Capture(color) => ("capture", name(*color).into()),
            Self::Promotion(Reverse(role)) => ("promotion", role.name().into()),
            Self::BoardPromotion(Reverse(role)) => ("board-promotion", role.name().into()),
            Self::TurnInPlace => ("board-turn", "in place".into()),
            Self::TurnMoving => ("board-turn", "moving".into()),
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
    /// Which of these.
    pub key: String,
    /// How many.
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

impl StatsRow {
    fn new(rules: RuleSystem, kind: &'static str, key: &str, count: Count) -> Self {
        Self {
            kind,
            rules: rules.name(),
            key: key.to_owned(),
            count,
        }
    }

    /// The names of [`StatsRow::cells`].
    pub const COLUMNS: [&'static str; 4] = ["kind", "rules", "key", "count"];

    /// The row as cells of a table.
    #[must_use]
    pub fn cells(&self) -> [String; 4] {
        [
            self.kind.to_owned(),
            self.rules.to_owned(),
            self.key.clone(),
            self.count.to_string(),
        ]
    }
}

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &Played<'_>) {
        let rules = game.rules();
        let (is_whole, moves) = (game.is_whole(), game.moves());
        let is_own = !game.is_set_up() || *game.start() == Position::start(rules);
        let mut count = |key, n| *self.counts.entry((rules, key)).or_default() += n;
        count(Key::Games, 1);
        count(Key::Status(game.status()), 1);
        // These have a row even if there are none.
        count(Key::Whole, u64::from(is_whole));
        count(Key::NotWhole, u64::from(!is_whole));
        count(Key::OwnStart, u64::from(is_whole && is_own));
        count(Key::SetUp, u64::from(is_whole && !is_own));
        count(Key::Plies, if is_whole { moves.len() as u64 } else { 0 });
        if !is_whole {
            return;
        }
        count(Key::Notation(game.writing().notation), 1);
        count(Key::Locale(game.writing().locale), 1);
        count(Key::Result(game.result()), 1);
        let outcome = game.outcome();
        let outcome = outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        count(Key::Outcome(outcome), 1);
        count(Key::Length(moves.len()), 1);
        if is_own && let [first, replies @ ..] = moves {
            count(Key::FirstMove(*first), 1);
            if let Some(reply) = replies.first() {
                count(Key::FirstReply(*first, *reply), 1);
            }
        }
        self.moves(game.start().clone(), moves);
    }

    fn moves(&mut self, mut position: Position, moves: &[Move]) {
        let rules = position.rules();
        let mut tick = |key| *self.counts.entry((rules, key)).or_default() += 1;
        let mut layouts = BTreeSet::new();
        for mv in moves {
            let side = position.turn();
            if position.is_capture(*mv) {
                tick(Key::Capture(side));
            }
            if let Some(role) = mv.promotion() {
                tick(Key::Promotion(Reverse(role)));
            }
            let before = position.layout().copied();
            match *mv {
                Move::Piece { .. } => {}
                Move::EnPassant { .. } => tick(Key::EnPassant(side)),
                Move::Castle(castling) => tick(Key::Castling(side, castling)),
                Move::Board {
                    board,
                    to,
                    turned,
                    promotion,
                } => {
                    if let Some(from) = before.map(|layout| layout.pin(board)) {
                        tick(Key::BoardMove(board, from, to, turned));
                        if from != to {
                            tick(Key::BoardArrival(board, to));
                        }
                        if turned && from == to {
                            tick(Key::TurnInPlace);
                        } else if turned {
                            tick(Key::TurnMoving);
                        }
                    }
                    if let Some(promotion) = promotion {
                        tick(Key::BoardPromotion(Reverse(promotion.role)));
                    }
                }
            }
            position.play_unchecked(*mv);
            if let Some(layout) = position.layout()
                && before != Some(*layout)
            {
                layouts.insert(pins(layout));
            }
            if position.is_check() {
                tick(Key::Check(side));
            }
        }
        if !moves.is_empty() && position.is_checkmate() {
            tick(Key::Mate(position.turn().other()));
        }
        for layout in layouts {
            tick(Key::Layout(layout));
        }
    }

    /// Adds the counts of another part of the collection.
    pub fn join(&mut self, other: &Self) {
        for (key, count) in &other.counts {
            *self.counts.entry(key.clone()).or_default() += count;
        }
    }

    /// Whether a game is invalid.
    #[must_use]
    pub fn has_invalid(&self) -> bool {
        let mut keys = self.counts.keys();
        keys.any(|(_, key)| *key == Key::Status(Status::Invalid))
    }

    /// The systems of which there are games.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    /// use tridex_replay::{Options, replay_with, stats::Stats};
    /// use tridex_rules::RuleSystem;
    ///
    /// let text = b"[Variant \"meder\"]\n\n1. b4N b5B *\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// let mut stats = Stats::default();
    /// replay_with(&games[0], &Options::default(), |game| stats.add(game));
    /// assert_eq!((stats.games(), stats.has_invalid()), (1, false));
    /// assert!(stats.systems().eq([RuleSystem::Meder]));
    /// let mut line = Vec::new();
    /// tridex_archive::json::write_line(&mut line, &stats.rows(None)[0])?;
    /// assert!(line.ends_with(b"}\n"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn systems(&self) -> impl Iterator<Item = RuleSystem> {
        let games = self.counts.keys().filter(|(_, key)| *key == Key::Games);
        games.map(|(rules, _)| *rules)
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        let games = self
            .counts
            .iter()
            .filter(|((_, key), _)| *key == Key::Games);
        games.map(|(_, count)| count).sum()
    }

    /// All counts: system by system, kind by kind as in the table above; inside a kind in the order of the keys. With
    /// `top`, of the first moves and replies, board moves, arrivals and layouts only this many, the most frequent.
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
        let written = self.counts.iter().map(|((rules, key), count)| {
            let (kind, key) = key.written(*rules);
            (*rules, kind, key, *count)
        });
        let mut counts: Vec<_> = written.collect();
        let mut rows = Vec::new();
        for same in counts.chunk_by_mut(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let Some((rules, kind, ..)) = same.first() else {
                continue;
            };
            let (rules, kind, mut most) = (*rules, *kind, usize::MAX);
            if RANKED.contains(&kind) {
                // Of those that are equally frequent the first in the order of their keys.
                same.sort_by(|(.., a, n), (.., b, m)| match top {
                    None => a.cmp(b),
                    Some(_) => m.cmp(n).then_with(|| a.cmp(b)),
                });
                most = top.unwrap_or(most);
            }
            let same = same.iter().take(most);
            rows.extend(same.map(|(.., key, n)| StatsRow::new(rules, kind, key, Count::Whole(*n))));
            if kind == "length" {
                rows.extend(self.summary(rules).into_iter().flatten());
            }
        }
        rows
    }

    /// Least, middle, mean and greatest length. With an even number of games the middle is the lower of the two.
    fn summary(&self, rules: RuleSystem) -> Option<[StatsRow; 4]> {
        let lengths = self.counts.iter().filter_map(|(key, games)| match key {
            (of, Key::Length(plies)) if *of == rules => Some((*plies as u64, *games)),
            _ => None,
        });
        let lengths: Vec<(u64, u64)> = lengths.collect();
        let games: u64 = lengths.iter().map(|(_, games)| games).sum();
        let plies: u64 = lengths.iter().map(|(plies, games)| plies * games).sum();
        let mut seen = 0;
        let (median, _) = lengths.iter().find(|(_, games_of)| {
            seen += games_of;
            2 * seen >= games
        })?;
        let mean = (plies as f64 / games as f64 * 100.0).round() / 100.0;
        let rows = [
            ("min", Count::Whole(lengths.first()?.0)),
            ("median", Count::Whole(*median)),
            ("mean", Count::Mean(mean)),
            ("max", Count::Whole(lengths.last()?.0)),
        ];
        Some(rows.map(|(key, count)| StatsRow::new(rules, "length-summary", key, count)))
    }
}

/// The first moves of a game in the system's own notation.
fn opening(rules: RuleSystem, moves: &[Move]) -> String {
    let mut position = Position::start(rules);
    let mut text = String::new();
    for mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        // The notation is of the system's family, so this cannot fail.
        let options = WriteOptions::default();
        let _ = write(Notation::of(rules), &position, *mv, &options, &mut text);
        position.play_unchecked(*mv);
    }
    text
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn pins(layout: &Layout) -> [Pin; 4] {
    AttackBoard::ALL.map(|board| layout.pin(board))
}

/// `QL@Q3`
fn at(board: AttackBoard, pin: Pin) -> String {
    format!("{}@{}", board_name(board), pin_name(pin))
}

/// The name of an attack board in keys, which is that of position strings: `QL`.
#[must_use]
pub const fn board_name(board: AttackBoard) -> &'static str {
    tridex_notation::names::manual_board(board)
}

/// The name of a pin in keys, which is that of position strings: `Q3`, below the board `Q3v`.
#[must_use]
pub fn pin_name(pin: Pin) -> String {
    tridex_notation::names::pin_in_strings(pin)
}

#[cfg(test)]
mod tests;

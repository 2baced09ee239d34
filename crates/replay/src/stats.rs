//! What a collection holds, counted.
//!
//! [`Stats::add`] counts a game, [`Stats::join`] adds two counts, so that batches can be counted apart. The counts
//! come out as [`Row`]s, always in the same order.
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
//! | `board-move` | `QL@Q1-Q3`: board, pin of departure and of arrival, `r` behind if it turns | moves |
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
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use tridex_archive::GameResult;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_notation::{Locale, Notation, WriteOptions, write};
use tridex_rules::{CastlingSide, Color, Move, Position, Role, RuleSystem};

/// Counts of a collection, for each rule system apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    systems: BTreeMap<RuleSystem, System>,
}

/// Counts of one rule system. Memory does not grow with the number of games but with the number of different keys,
/// of which the layouts may be some ten thousands.
#[derive(Clone, Debug, Default, PartialEq)]
struct System {
    games: u64,
    status: BTreeMap<Status, u64>,
    whole: [u64; 2],
    notation: BTreeMap<Notation, u64>,
    locale: BTreeMap<Locale, u64>,
    result: BTreeMap<GameResult, u64>,
    outcome: BTreeMap<String, u64>,
    set_up: [u64; 2],
    plies: u64,
    length: BTreeMap<usize, u64>,
    first: BTreeMap<Vec<Move>, u64>,
    board_move: BTreeMap<BoardMove, u64>,
    layout: BTreeMap<[Pin; 4], u64>,
    castling: BTreeMap<(Color, CastlingSide), u64>,
    by_side: BTreeMap<(Event, Color), u64>,
    promotion: BTreeMap<Role, u64>,
    board_promotion: BTreeMap<Role, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BoardMove {
    board: AttackBoard,
    from: Pin,
    to: Pin,
    turned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    EnPassant,
    Check,
    Mate,
    Capture,
}

impl Event {
    const ALL: [Self; 4] = [Self::EnPassant, Self::Check, Self::Mate, Self::Capture];

    const fn name(self) -> &'static str {
        match self {
            Self::EnPassant => "en-passant",
            Self::Check => "check",
            Self::Mate => "mate",
            Self::Capture => "capture",
        }
    }
}

/// One count. As JSON `{"kind","rules","key","count"}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// What is counted.
    pub kind: &'static str,
    /// The rule system.
    pub rules: &'static str,
    /// Which of these.
    pub key: String,
    /// How many.
    pub count: Count,
}

/// A number that stands in a [`Row`].
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

impl Row {
    /// The names of [`Row::cells`].
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

    /// Writes the row as one line of JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        tridex_archive::json::to_writer(out, self)?;
        out.write_all(b"\n")
    }
}

impl Stats {
    /// Counts a game.
    pub fn add(&mut self, game: &Played<'_>) {
        let rules = game.rules();
        self.systems.entry(rules).or_default().add(game);
    }

    /// Adds the counts of another part of the collection.
    pub fn join(&mut self, other: &Self) {
        for (rules, counts) in &other.systems {
            self.systems.entry(*rules).or_default().join(counts);
        }
    }

    /// Whether a game is invalid.
    #[must_use]
    pub fn has_invalid(&self) -> bool {
        let mut systems = self.systems.values();
        systems.any(|system| system.status.contains_key(&Status::Invalid))
    }

    /// The systems of which there are games.
    pub fn systems(&self) -> impl Iterator<Item = RuleSystem> {
        self.systems.keys().copied()
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.systems.values().map(|system| system.games).sum()
    }

    /// All counts: system by system, kind by kind as in the table above; inside a kind in the order of the keys. With
    /// `top`, of the first moves and replies, board moves, arrivals and layouts only so many, the most frequent first.
    #[must_use]
    pub fn rows(&self, top: Option<usize>) -> Vec<Row> {
        let mut rows = Vec::new();
        for (rules, system) in &self.systems {
            system.rows(*rules, top, &mut rows);
        }
        rows
    }
}

fn tick<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K) {
    *counts.entry(key).or_default() += 1;
}

fn join<K: Ord + Clone>(counts: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        match counts.get_mut(key) {
            Some(own) => *own += count,
            None => drop(counts.insert(key.clone(), *count)),
        }
    }
}

impl System {
    fn add(&mut self, game: &Played<'_>) {
        self.games += 1;
        tick(&mut self.status, game.status());
        let [no, yes] = &mut self.whole;
        *if game.is_whole() { yes } else { no } += 1;
        if !game.is_whole() {
            return;
        }
        tick(&mut self.notation, game.writing().notation);
        tick(&mut self.locale, game.writing().locale);
        tick(&mut self.result, game.result());
        let outcome = game.outcome();
        tick(
            &mut self.outcome,
            outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
        );
        let own_start = !game.is_set_up() || *game.start() == Position::start(game.rules());
        let [set_up, own] = &mut self.set_up;
        *if own_start { own } else { set_up } += 1;
        self.plies += game.moves().len() as u64;
        tick(&mut self.length, game.moves().len());
        if own_start {
            for plies in 1..=2 {
                if let Some(first) = game.moves().get(..plies) {
                    match self.first.get_mut(first) {
                        Some(count) => *count += 1,
                        None => drop(self.first.insert(first.to_vec(), 1)),
                    }
                }
            }
        }
        self.moves(game.start().clone(), game.moves());
    }

    fn moves(&mut self, start: Position, moves: &[Move]) {
        let mut position = start;
        let mut layouts = BTreeSet::new();
        for mv in moves {
            let side = position.turn();
            if position.is_capture(*mv) {
                tick(&mut self.by_side, (Event::Capture, side));
            }
            match *mv {
                Move::Piece { promotion, .. } => self.promotion(promotion),
                Move::EnPassant { promotion, .. } => {
                    tick(&mut self.by_side, (Event::EnPassant, side));
                    self.promotion(promotion);
                }
                Move::Castle(castling) => tick(&mut self.castling, (side, castling)),
                Move::Board {
                    board,
                    to,
                    turned,
                    promotion,
                } => {
                    if let Some(layout) = position.layout() {
                        let from = layout.pin(board);
                        let key = BoardMove {
                            board,
                            from,
                            to,
                            turned,
                        };
                        tick(&mut self.board_move, key);
                    }
                    if let Some(promotion) = promotion {
                        tick(&mut self.board_promotion, promotion.role);
                        self.promotion(Some(promotion.role));
                    }
                }
            }
            let before = position.layout().copied();
            position.play_unchecked(*mv);
            if let Some(layout) = position.layout()
                && before != Some(*layout)
            {
                layouts.insert(pins(layout));
            }
            if position.is_check() {
                tick(&mut self.by_side, (Event::Check, side));
            }
        }
        if !moves.is_empty() && position.is_checkmate() {
            tick(&mut self.by_side, (Event::Mate, position.turn().other()));
        }
        for layout in layouts {
            tick(&mut self.layout, layout);
        }
    }

    fn promotion(&mut self, role: Option<Role>) {
        if let Some(role) = role {
            tick(&mut self.promotion, role);
        }
    }

    fn join(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        for (own, other) in [
            (&mut self.whole, &other.whole),
            (&mut self.set_up, &other.set_up),
        ] {
            own.iter_mut().zip(other).for_each(|(own, n)| *own += n);
        }
        join(&mut self.status, &other.status);
        join(&mut self.notation, &other.notation);
        join(&mut self.locale, &other.locale);
        join(&mut self.result, &other.result);
        join(&mut self.outcome, &other.outcome);
        join(&mut self.length, &other.length);
        join(&mut self.first, &other.first);
        join(&mut self.board_move, &other.board_move);
        join(&mut self.layout, &other.layout);
        join(&mut self.castling, &other.castling);
        join(&mut self.by_side, &other.by_side);
        join(&mut self.promotion, &other.promotion);
        join(&mut self.board_promotion, &other.board_promotion);
    }

    fn rows(&self, rules: RuleSystem, top: Option<usize>, rows: &mut Vec<Row>) {
        let mut put = |kind, key: String, count| {
            rows.push(Row {
                kind,
                rules: rules.name(),
                key,
                count,
            });
        };
        let mut number = |kind, key: &str, count| put(kind, key.to_owned(), Count::Whole(count));
        number("games", "all", self.games);
        for (status, count) in &self.status {
            number("status", status.as_str(), *count);
        }
        let [no, yes] = self.whole;
        number("whole", "yes", yes);
        number("whole", "no", no);
        for (notation, count) in &self.notation {
            number("notation", notation.name(), *count);
        }
        for (locale, count) in &self.locale {
            number("locale", locale.code(), *count);
        }
        for (result, count) in &self.result {
            number("result", result.as_str(), *count);
        }
        for (outcome, count) in &self.outcome {
            number("outcome", outcome, *count);
        }
        let [set_up, own] = self.set_up;
        number("start", "own", own);
        number("start", "set-up", set_up);
        number("plies", "all", self.plies);
        for (plies, count) in &self.length {
            number("length", &plies.to_string(), *count);
        }
        for (key, plies) in self.summary() {
            put("length-summary", key.to_owned(), plies);
        }
        let mut ranked = |kind, counts: Vec<(String, u64)>| {
            for (key, count) in cut(counts, top) {
                put(kind, key, Count::Whole(count));
            }
        };
        ranked("first-move", self.spelled(rules, 1));
        ranked("first-reply", self.spelled(rules, 2));
        let moves = self.board_move.iter();
        ranked(
            "board-move",
            moves.map(|(key, n)| (key.to_string(), *n)).collect(),
        );
        let mut arrivals = BTreeMap::<_, u64>::new();
        for (mv, count) in &self.board_move {
            if mv.from != mv.to {
                *arrivals.entry((mv.board, mv.to)).or_default() += count;
            }
        }
        let spelled = arrivals.into_iter().map(|((b, p), n)| (at(b, p), n));
        ranked("board-arrival", spelled.collect());
        let layouts = self.layout.iter();
        ranked(
            "layout",
            layouts.map(|(pins, n)| (spell_layout(pins), *n)).collect(),
        );
        let mut number = |kind, key: String, count| put(kind, key, Count::Whole(count));
        for ((color, side), count) in &self.castling {
            let word = match side {
                CastlingSide::King => "0-0",
                CastlingSide::Queen => "0-0-0",
            };
            number("castling", format!("{} {word}", name(*color)), *count);
        }
        for event in Event::ALL {
            for color in Color::ALL {
                if let Some(count) = self.by_side.get(&(event, color)) {
                    number(event.name(), name(color).to_owned(), *count);
                }
            }
        }
        for (kind, counts) in [
            ("promotion", &self.promotion),
            ("board-promotion", &self.board_promotion),
        ] {
            for role in Role::PROMOTIONS {
                if let Some(count) = counts.get(&role) {
                    number(kind, role.name().to_owned(), *count);
                }
            }
        }
        let turns = |still: bool| {
            let moves = self.board_move.iter();
            let turns = moves.filter(|(mv, _)| mv.turned && (mv.from == mv.to) == still);
            turns.map(|(_, count)| *count).sum::<u64>()
        };
        for (key, count) in [("in place", turns(true)), ("moving", turns(false))] {
            if count > 0 {
                number("board-turn", key.to_owned(), count);
            }
        }
    }

    /// Least, middle, mean and greatest length. With an even number of games the middle is the lower of the two.
    fn summary(&self) -> Vec<(&'static str, Count)> {
        let games: u64 = self.length.values().sum();
        let (Some((min, _)), Some((max, _))) =
            (self.length.first_key_value(), self.length.last_key_value())
        else {
            return Vec::new();
        };
        let mut seen = 0;
        let median = self.length.iter().find(|(_, count)| {
            seen += **count;
            2 * seen >= games
        });
        let median = median.map_or(*min, |(plies, _)| *plies);
        let mean = (self.plies as f64 / games as f64 * 100.0).round() / 100.0;
        vec![
            ("min", Count::Whole(*min as u64)),
            ("median", Count::Whole(median as u64)),
            ("mean", Count::Mean(mean)),
            ("max", Count::Whole(*max as u64)),
        ]
    }

    /// The first moves of so many plies in the system's own notation.
    fn spelled(&self, rules: RuleSystem, plies: usize) -> Vec<(String, u64)> {
        let notation = Notation::of(rules);
        let start = Position::start(rules);
        let of_length = self.first.iter().filter(|(moves, _)| moves.len() == plies);
        of_length
            .map(|(moves, count)| {
                let mut position = start.clone();
                let mut text = String::new();
                for mv in moves {
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    // The notation is of the system's family, so this cannot fail.
                    let options = WriteOptions::default();
                    let _ = write(notation, &position, *mv, &options, &mut text);
                    position.play_unchecked(*mv);
                }
                (text, *count)
            })
            .collect()
    }
}

/// All counts in the order of their keys, or the greatest of them, the greatest first.
fn cut(mut counts: Vec<(String, u64)>, top: Option<usize>) -> Vec<(String, u64)> {
    match top {
        None => counts.sort(),
        Some(top) => {
            counts.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
            counts.truncate(top);
        }
    }
    counts
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

fn spell_layout(pins: &[Pin; 4]) -> String {
    let boards = AttackBoard::ALL.into_iter().zip(pins);
    let spelled: Vec<String> = boards.map(|(board, pin)| at(board, *pin)).collect();
    spelled.join(" ")
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

impl std::fmt::Display for BoardMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let turn = if self.turned { "r" } else { "" };
        let (from, to) = (at(self.board, self.from), pin_name(self.to));
        write!(f, "{from}-{to}{turn}")
    }
}

#[cfg(test)]
mod tests;

//! The moves played from a position, with what came of them.

use crate::board::{Board, Castlings};
use crate::entry::GameResult;
use crate::error::{IndexError, damaged};
use crate::line::{Beginning, Found, GameBytes, Later, Step};
use crate::query::Query;
use crate::reader::{GameIndex, Part};
use crate::search::Places;
use crate::segment::Segment;
use crate::systems;
use rayon::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_rules::{Color, Move, Position};

/// What came of some games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// How many games, unfinished ones and those of unknown result included.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// The year of the last of them, if any is known.
    pub last_year: Option<u16>,
    /// Sum and number of the known ratings of the side that moved.
    ratings: (u64, u64),
}

impl Score {
    /// The share of the points that went to a side, 0 to 1; `None` if no result is known.
    #[must_use]
    pub fn of(&self, color: Color) -> Option<f64> {
        let known = self.white + self.draws + self.black;
        let wins = match color {
            Color::White => self.white,
            Color::Black => self.black,
        };
        (known > 0).then(|| (wins as f64 + self.draws as f64 / 2.0) / known as f64)
    }

    /// The average rating of those who moved so, as far as known.
    #[must_use]
    pub fn average_rating(&self) -> Option<u64> {
        (self.ratings.1 > 0).then(|| self.ratings.0 / self.ratings.1)
    }

    /// Whether there are too few games to say anything: fewer than ten with a result.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.white + self.draws + self.black < 10
    }

    #[inline]
    fn add_game(&mut self, segment: &Segment, game: u32, mover: Color) {
        self.games += 1;
        match segment.result(game) {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            GameResult::Unknown => {}
        }
        self.last_year = self.last_year.max(segment.date(game).map(|date| date.year));
        let rating = segment.ratings(game)[mover as usize];
        if rating != 0 {
            self.ratings.0 += u64::from(rating);
            self.ratings.1 += 1;
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.last_year = self.last_year.max(other.last_year);
        self.ratings.0 += other.ratings.0;
        self.ratings.1 += other.ratings.1;
    }
}

/// A move of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// The move.
    pub played: Move,
    /// The position after it.
    pub after: Position,
    /// The games in which it was played here, once each.
    pub score: Score,
}

/// The moves played from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveTable {
    /// All games that reach the position, by whatever moves.
    pub total: Score,
    /// The moves, those played in most games first; those played equally often in the order of moves.
    pub moves: Vec<MoveRow>,
}

/// Scores by something, gathered by several threads. There are few rows: looking through them all is as fast as
/// anything.
struct Tally<K> {
    total: Score,
    rows: Vec<(K, Score)>,
}

impl<K: Eq> Tally<K> {
    fn new() -> Self {
        Self {
            total: Score::default(),
            rows: Vec::new(),
        }
    }

    #[inline]
    fn row(&mut self, key: K) -> &mut Score {
        let place = match self.rows.iter().position(|(known, _)| *known == key) {
            Some(place) => place,
            None => {
                self.rows.push((key, Score::default()));
                self.rows.len() - 1
            }
        };
        &mut self.rows[place].1
    }

    fn join(mut self, other: Self) -> Self {
        self.total.add(&other.total);
        for (key, score) in other.rows {
            self.row(key).add(&score);
        }
        self
    }
}

impl GameIndex {
    /// The table of a position: the moves that games of its rule system play from it, however they reached it. Only
    /// games that answer a question count; [`Query::All`] for all. A game that comes to the position more than once
    /// counts once, and once for each move it plays there. Main lines only.
    ///
    /// # Errors
    /// If the index is damaged so that it shows.
    pub fn openings(&self, position: &Position, filter: &Query) -> Result<MoveTable, IndexError> {
        let mut all = Tally::new();
        for part in &self.parts {
            all = all.join(part.openings(position, filter)?);
        }
        let mut moves: Vec<MoveRow> = all
            .rows
            .into_iter()
            .map(|(played, score)| {
                let mut after = position.clone();
                after.play_unchecked(played);
                MoveRow {
                    played,
                    after,
                    score,
                }
            })
            .collect();
        moves.sort_by(|a, b| {
            let by_games = b.score.games.cmp(&a.score.games);
            by_games.then(a.played.cmp(&b.played))
        });
        Ok(MoveTable {
            total: all.total,
            moves,
        })
    }

    /// Which layouts of the attack boards games reach, with what came of them; those reached in most games first. Main
    /// lines only.
    ///
    /// # Errors
    /// If the index is damaged so that it shows.
    pub fn layouts(&self, filter: &Query) -> Result<Vec<LayoutRow>, IndexError> {
        let mut all: HashMap<[Pin; 4], LayoutRow> = HashMap::new();
        for part in &self.parts {
            for (pins, row) in part.layouts(filter)? {
                join_layout(&mut all, pins, &row);
            }
        }
        let mut rows: Vec<([Pin; 4], LayoutRow)> = all.into_iter().collect();
        rows.sort_by_key(|(pins, row)| (std::cmp::Reverse(row.score.games), *pins));
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// Which pin each attack board leaves first and for which, with what came of it.
    ///
    /// # Errors
    /// If the index is damaged so that it shows.
    pub fn first_board_moves(&self, filter: &Query) -> Result<Vec<BoardRow>, IndexError> {
        let mut all = Tally::new();
        for part in &self.parts {
            all = all.join(part.first_board_moves(filter)?);
        }
        let mut rows: Vec<BoardRow> = all
            .rows
            .into_iter()
            .map(|((board, from, to), score)| BoardRow {
                board,
                from,
                to,
                score,
            })
            .collect();
        rows.sort_by_key(|row| {
            (
                row.board,
                std::cmp::Reverse(row.score.games),
                row.from,
                row.to,
            )
        });
        Ok(rows)
    }
}

/// A layout of the attack boards in some games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutRow {
    /// The layout.
    pub layout: Layout,
    /// What came of the games that reach it, once each. The rating is White's.
    pub score: Score,
}

/// A board's first move in some games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardRow {
    /// The board.
    pub board: AttackBoard,
    /// The pin it left; the same as `to` where it turned in place.
    pub from: Pin,
    /// The pin it went to.
    pub to: Pin,
    /// What came of the games.
    pub score: Score,
}

impl Part {
    fn openings(&self, position: &Position, filter: &Query) -> Result<Tally<Move>, IndexError> {
        let within = self.answer(filter, &self.alive, false, &mut Places::default())?;
        let target = Target {
            key: position.key(),
            board: Board::of(&position.to_setup(), &Castlings::NONE),
            code: systems::code(position.rules()),
        };
        let mut all = Tally::new();
        for segment in &self.segments {
            let mut games = self.candidates(segment, target.board.key(), &within)?;
            games.retain(|game| segment.code(*game) == target.code);
            // Games that begin alike come to the position alike: see `Beginning`.
            let beginnings = target.beginnings(segment, &games);
            let tally = gather(&games, |game, tally| {
                target.count(segment, game, &beginnings, tally)
            })
            .ok_or_else(|| damaged(&segment.path, "a game cannot be read"))?;
            all = all.join(tally);
        }
        Ok(all)
    }

    fn layouts(&self, filter: &Query) -> Result<Layouts, IndexError> {
        let within = self.answer(filter, &self.alive, false, &mut Places::default())?;
        let mut all = Layouts::new();
        for segment in &self.segments {
            let games = within.range(segment.base, segment.base + segment.games);
            let rows = games
                .par_chunks(2_048)
                .map(|games| {
                    let mut rows = Layouts::new();
                    for game in games {
                        count_layouts(segment, *game, &mut rows)?;
                    }
                    Some(rows)
                })
                .try_reduce(Layouts::new, |mut a, b| {
                    for (pins, row) in b {
                        join_layout(&mut a, pins, &row);
                    }
                    Some(a)
                })
                .ok_or_else(|| damaged(&segment.path, "a game cannot be read"))?;
            for (pins, row) in rows {
                join_layout(&mut all, pins, &row);
            }
        }
        Ok(all)
    }

    fn first_board_moves(
        &self,
        filter: &Query,
    ) -> Result<Tally<(AttackBoard, Pin, Pin)>, IndexError> {
        let within = self.answer(filter, &self.alive, false, &mut Places::default())?;
        let mut all = Tally::new();
        for segment in &self.segments {
            let games = within.range(segment.base, segment.base + segment.games);
            let tally = gather(&games, |game, tally| {
                count_first_board_moves(segment, game, tally)
            })
            .ok_or_else(|| damaged(&segment.path, "a game cannot be read"))?;
            all = all.join(tally);
        }
        Ok(all)
    }
}

/// Counts games on several threads; `None` if one is damaged.
fn gather<K: Eq + Send>(
    games: &[u32],
    count: impl Fn(u32, &mut Tally<K>) -> Option<()> + Sync,
) -> Option<Tally<K>> {
    let count_all = |games: &[u32]| {
        let mut tally = Tally::new();
        for game in games {
            count(*game, &mut tally)?;
        }
        Some(tally)
    };
    if games.len() < 512 {
        return count_all(games);
    }
    games
        .par_chunks(2_048)
        .map(count_all)
        .try_reduce(Tally::new, |a, b| Some(a.join(b)))
}

/// The position of a table.
struct Target {
    key: u64,
    board: Board,
    code: u8,
}

impl Target {
    /// A few beginnings that lead to the position, if there are many games.
    fn beginnings(&self, segment: &Segment, games: &[u32]) -> Vec<Beginning> {
        let mut beginnings: Vec<Beginning> = Vec::new();
        let tried = if games.len() < 512 { 0 } else { 64 };
        for game in games.iter().take(tried) {
            let bytes = segment.game(*game);
            if beginnings.len() >= 8 || beginnings.iter().any(|b| b.is_of(&bytes)) {
                continue;
            }
            let found = bytes.find(false, |at, later, ply| {
                if self.is_here(at, later, ply) {
                    Step::Here
                } else if at.total() < self.board.total() {
                    Step::Over
                } else {
                    Step::Go
                }
            });
            if let Some(Found::Main(ply)) = found {
                beginnings.extend(Beginning::of(&bytes, ply));
            }
        }
        beginnings
    }

    fn is_here(&self, at: &Board, later: &mut Later<'_>, ply: u32) -> bool {
        at.is_placed_as(&self.board) && later.position(ply).is_some_and(|p| p.key() == self.key)
    }

    /// Counts what a game plays from the position.
    fn count(
        &self,
        segment: &Segment,
        game: u32,
        beginnings: &[Beginning],
        tally: &mut Tally<Move>,
    ) -> Option<()> {
        let bytes = segment.game(game);
        // From this ply on positions may come again.
        let repeat = segment.repeat(game).unwrap_or(u32::MAX);
        if let Some(known) = beginnings.iter().find(|b| b.is_of(&bytes))
            && known.ply < repeat
        {
            tally.total.add_game(segment, game, self.board.turn());
            if let Some(m) = known.next(&bytes)? {
                tally.row(m).add_game(segment, game, self.board.turn());
            }
            return Some(());
        }
        let mut running = bytes.begin()?;
        let mut later = Later::of(bytes);
        let mut reached = false;
        let mut played: Vec<Move> = Vec::new();
        for ply in 0..=bytes.plies {
            let at = &running.board;
            // Pieces never come back.
            if at.total() < self.board.total() {
                break;
            }
            let here = self.is_here(at, &mut later, ply);
            let next = if ply < bytes.plies {
                Some(at.read(&mut running.bits)?)
            } else {
                None
            };
            if here {
                reached = true;
                if let Some(m) = next
                    && !played.contains(&m)
                {
                    played.push(m);
                }
                if ply < repeat {
                    break;
                }
            }
            if let Some(m) = next {
                running.board.play(m);
            }
        }
        if running.bits.is_overrun() {
            return None;
        }
        if reached {
            tally.total.add_game(segment, game, self.board.turn());
            for m in played {
                tally.row(m).add_game(segment, game, self.board.turn());
            }
        }
        Some(())
    }
}

/// Layouts by their pins.
type Layouts = HashMap<[Pin; 4], LayoutRow>;

fn join_layout(all: &mut Layouts, pins: [Pin; 4], row: &LayoutRow) {
    match all.entry(pins) {
        Entry::Occupied(mut known) => known.get_mut().score.add(&row.score),
        Entry::Vacant(place) => {
            place.insert(*row);
        }
    }
}

fn count_layouts(segment: &Segment, game: u32, rows: &mut Layouts) -> Option<()> {
    let mut running = segment.game(game).begin()?;
    let mut seen: Vec<[Pin; 4]> = Vec::new();
    let mut see = |layout: Option<&Layout>| {
        let Some(layout) = layout else {
            return;
        };
        let pins = layout.pins();
        if seen.contains(&pins) {
            return;
        }
        seen.push(pins);
        let row = rows.entry(pins).or_insert_with(|| LayoutRow {
            layout: *layout,
            score: Score::default(),
        });
        row.score.add_game(segment, game, Color::White);
    };
    see(running.board.layout());
    for _ in 0..segment.plies(game) {
        if matches!(running.step()?, Move::Board { .. }) {
            see(running.board.layout());
        }
    }
    Some(())
}

fn count_first_board_moves(
    segment: &Segment,
    game: u32,
    tally: &mut Tally<(AttackBoard, Pin, Pin)>,
) -> Option<()> {
    let bytes: GameBytes<'_> = segment.game(game);
    if bytes
        .rules()
        .is_none_or(|rules| rules.family() == tridex_geometry::Family::Cube)
    {
        return Some(());
    }
    let mut running = bytes.begin()?;
    let mut moved = [false; 4];
    tally.total.add_game(segment, game, Color::White);
    for _ in 0..bytes.plies {
        let mover = running.board.turn();
        let layout = running.board.layout().copied();
        let m = running.step()?;
        if let (Move::Board { board, to, .. }, Some(layout)) = (m, layout) {
            let seen = &mut moved[board as usize];
            if !std::mem::replace(seen, true) {
                let row = tally.row((board, layout.pin(board), to));
                row.add_game(segment, game, mover);
            }
            if moved.iter().all(|moved| *moved) {
                break;
            }
        }
    }
    Some(())
}

//! The moves played from a position, with results.

use super::game_set::GameSet;
use super::query::{PositionQuery, Query, Sameness};
use super::results::{Counts, Facts, MoveCounts, ResultCounts};
use super::search::Question;
use super::stop::Stop;
use crate::bits::Bytes;
use crate::error::IndexError;
use crate::game::line::{Beginnings, GameBytes, Later, Step};
use crate::game::systems;
use crate::store::columns::{Column, NO_REPEAT};
use crate::store::folder::{KEYS, TABLES};
use crate::store::reader::GameIndex;
use crate::store::segment::Segment;
use crate::store::tables::{Boards, read_boards, read_moves};
use rayon::prelude::*;
use tantivy::DocId;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_rules::{Move, Placement, Position};

/// A move of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// The move.
    pub played: Move,
    /// The position after it.
    pub after: Position,
    /// The games in which it was played here, once each.
    pub results: ResultCounts,
}

/// The moves played from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveTable {
    /// All games that reach the position, by any moves.
    pub total: ResultCounts,
    /// The moves, those played in most games first; those played equally often in the order of moves.
    pub moves: Vec<MoveRow>,
}

impl GameIndex {
    /// The table of a position: the moves that games of its rule system play from it, however they reached it. Only
    /// games that match a query count; [`Query::All`] for all. A game that comes to the position more than once
    /// counts once, and once for each move it plays there. Main lines only. Games of damaged files are missing, and
    /// [`GameIndex::damage`] reports it.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// let start = tridex_rules::Position::start(RuleSystem::Meder);
    /// let table = index.openings(&start, &tridex_index::Query::All)?;
    /// assert_eq!((table.total.games, table.moves.len()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the query cannot be put to the index, or was stopped.
    pub fn openings(&self, position: &Position, filter: &Query) -> Result<MoveTable, IndexError> {
        let target = Junction::new(position);
        let is_filtered = *filter != Query::All;
        let all: MoveCounts = self.gather(filter, |segment, games| {
            target.tally(segment, is_filtered, games, &self.stop)
        })?;
        let rows = all.moves.by_games().into_iter().map(|(played, results)| {
            let mut after = position.clone();
            after.play_unchecked(played);
            MoveRow {
                played,
                after,
                results,
            }
        });
        Ok(MoveTable {
            total: all.total,
            moves: rows.collect(),
        })
    }

    /// What the attack boards do in games: first moves and layouts. Main lines only.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// let tables = index.boards(&tridex_index::Query::All)?;
    /// assert!(!format!("{tables:?}").is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`GameIndex::openings`].
    pub fn boards(&self, filter: &Query) -> Result<BoardTables, IndexError> {
        // A query about nothing but a position may have been answered when the index was written.
        let target = match filter {
            Query::Position(position) => Junction::of_query(position),
            _ => None,
        };
        let all: Boards = self.gather(filter, |segment, games| {
            if let Some(target) = &target
                && let Some(Some(boards)) = target.table(segment, read_boards)?
            {
                return Ok(boards);
            }
            let games: Vec<DocId> = games()?.iter().collect();
            in_parallel(segment, &games, &self.stop, |doc, boards: &mut Boards| {
                let trail = segment.game(doc)?.boards(|_| {})?;
                boards.add_game(&trail, &segment.facts(doc)?);
                Some(())
            })
        })?;
        let row = |((board, from, to), results)| BoardRow {
            board,
            from,
            to,
            results,
        };
        let mut first: Vec<BoardRow> = all.first.by_games().into_iter().map(row).collect();
        first.sort_by_key(|row| row.board);
        let row = |(pins, results)| {
            let layout = Layout::try_new(pins).ok()?;
            Some(LayoutRow { layout, results })
        };
        let layouts = all.layouts.by_games().into_iter();
        Ok(BoardTables {
            first,
            layouts: layouts.filter_map(row).collect(),
        })
    }

    /// Counts in every segment and joins the counts. The games that match the filter are only searched if they are needed.
    pub(super) fn gather<T: Counts>(
        &self,
        filter: &Query,
        count: impl Fn(&Segment, &dyn Fn() -> Result<GameSet, IndexError>) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let mut all = T::default();
        for part in &self.parts {
            let question = Question::new(part, filter, false, &self.stop)?;
            for segment in &part.segments {
                self.stop.check()?;
                let games = || question.games(segment);
                if let Some(some) = part.answered(count(segment, &games))? {
                    all = all.join(some);
                }
            }
        }
        Ok(all)
    }
}

/// How many games the threads count before they take other work, as for a replay.
const SHIFT: usize = 32 * PORTION;

/// How many games a thread counts at a time.
const PORTION: usize = 2_048;

/// Counts games of a segment on several threads.
///
/// # Errors
/// If a game is damaged, or it was stopped.
pub(super) fn in_parallel<T: Counts>(
    segment: &Segment,
    games: &[DocId],
    stop: &Stop,
    count: impl Fn(DocId, &mut T) -> Option<()> + Sync,
) -> Result<T, IndexError> {
    let count_all = |games: &[DocId]| {
        let mut counted = T::default();
        for game in games {
            stop.check()?;
            count(*game, &mut counted).ok_or_else(|| segment.unreadable())?;
        }
        Ok(counted)
    };
    if games.len() < 512 {
        return count_all(games);
    }
    let mut shifts = games.chunks(SHIFT).map(|games| {
        let portions = games.par_chunks(PORTION).map(count_all);
        portions.try_reduce(T::default, |a, b| Ok(a.join(b)))
    });
    shifts.try_fold(T::default(), |all, some| Ok(all.join(some?)))
}

/// What the attack boards do in some games.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardTables {
    /// Which pin each board leaves first and for which; by board, those of most games first.
    pub first: Vec<BoardRow>,
    /// Which layouts games reach, those that most reach first.
    pub layouts: Vec<LayoutRow>,
}

/// A layout of the attack boards in some games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayoutRow {
    /// The layout.
    pub layout: Layout,
    /// The results of the games that reach it, once each. The rating is White's.
    pub results: ResultCounts,
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
    /// The results of the games.
    pub results: ResultCounts,
}

/// The position of a table.
struct Junction {
    key: u64,
    board: Placement,
    code: u8,
}

impl Junction {
    fn new(position: &Position) -> Self {
        Self {
            key: position.key(),
            board: position.placement(),
            code: systems::code(position.rules()),
        }
    }

    /// The position a query asks for, if it is one of one rule system.
    fn of_query(query: &PositionQuery) -> Option<Self> {
        let (rules, key) = match query.keys.as_slice() {
            [only] if query.of_one_system && query.sameness == Sameness::Exact => *only,
            _ => return None,
        };
        Some(Self {
            key,
            board: systems::placement(&query.setup),
            code: systems::code(rules),
        })
    }

    /// What was counted of the position when a segment was written, if no game of it was deleted since.
    fn table<T>(
        &self,
        segment: &Segment,
        read: impl FnOnce(&mut Bytes<'_>, &Placement) -> Option<T>,
    ) -> Result<Option<T>, IndexError> {
        if segment.reader.has_deletes() {
            return Ok(None);
        }
        let table = segment.tables().get(self.code, self.key, &self.board, read);
        table.ok_or_else(|| segment.fault(TABLES, "a table cannot be read"))
    }

    /// Counts what games of a segment play from the position.
    fn tally(
        &self,
        segment: &Segment,
        is_filtered: bool,
        within: &dyn Fn() -> Result<GameSet, IndexError>,
        stop: &Stop,
    ) -> Result<MoveCounts, IndexError> {
        if !is_filtered && let Some(table) = self.table(segment, read_moves)? {
            return Ok(table);
        }
        // A list may name games that were deleted since.
        let within = match is_filtered {
            true => within()?,
            false => segment.alive.clone(),
        };
        let games = segment.lists().list(self.board.key());
        let mut games =
            games.ok_or_else(|| segment.fault(KEYS, "a list of positions cannot be read"))?;
        games.retain(|doc| {
            let is_ours = |game: GameBytes<'_>| game.code == self.code;
            within.contains(*doc) && segment.game(*doc).is_none_or(is_ours)
        });
        let repeats = segment.column(Column::Repeat)?;
        // Games that begin alike come to the position alike: see `Beginnings`.
        let beginnings = self.beginnings(segment, &games);
        let count = |doc, tally: &mut MoveCounts| {
            let (game, facts) = (segment.game(doc)?, segment.facts(doc)?);
            let repeat = match repeats.get_val(doc) {
                none if none == u64::from(NO_REPEAT) => u32::MAX,
                ply => ply as u32,
            };
            self.count(game, &facts, repeat, &beginnings, tally)
        };
        in_parallel(segment, &games, stop, count)
    }

    /// How games begin that lead to the position, if there are many.
    fn beginnings(&self, segment: &Segment, games: &[DocId]) -> Beginnings {
        if games.len() < Beginnings::LEAST {
            return Beginnings::default();
        }
        let teachers = games.iter().take(Beginnings::TEACHERS);
        let teachers = teachers.filter_map(|doc| segment.game(*doc));
        Beginnings::learn(teachers, |game| {
            game.find(false, |at, later, ply| {
                if self.is_here(at, later, ply) {
                    Step::Here
                } else if at.total() < self.board.total() {
                    Step::Over
                } else {
                    Step::Go
                }
            })
        })
    }

    fn is_here(&self, at: &Placement, later: &mut Later<'_>, ply: u32) -> bool {
        at.is_same(&self.board) && later.position(ply).is_some_and(|p| p.key() == self.key)
    }

    /// Counts what a game plays from the position. From the ply `repeat` on its positions may come again.
    fn count(
        &self,
        bytes: GameBytes<'_>,
        facts: &Facts,
        repeat: u32,
        beginnings: &Beginnings,
        tally: &mut MoveCounts,
    ) -> Option<()> {
        let mover = self.board.turn();
        if let Some(known) = beginnings.of(&bytes)
            && known.ply < repeat
        {
            tally.total.add_game(facts, mover);
            let from = known.board.layout();
            if let Some(m) = known.next(&bytes)? {
                let m = renamed(m, from, self.board.layout())?;
                tally.moves.of(m).add_game(facts, mover);
            }
            return Some(());
        }
        let mut reached = false;
        let mut played: Vec<Option<Move>> = Vec::new();
        bytes.walk(|at, later, ply, next| {
            // Pieces never come back.
            if at.total() < self.board.total() {
                return Step::Over;
            }
            if !self.is_here(at, later, ply) {
                return Step::Go;
            }
            reached = true;
            if let Some(m) = next {
                let m = renamed(m, at.layout(), self.board.layout());
                if !played.contains(&m) {
                    played.push(m);
                }
            }
            match ply < repeat {
                true => Step::Over,
                false => Step::Go,
            }
        })?;
        if reached {
            tally.total.add_game(facts, mover);
            for m in played {
                tally.moves.of(m?).add_game(facts, mover);
            }
        }
        Some(())
    }
}

/// A move in one layout, expressed in another in which boards of one owner may have changed places with all pieces
/// on them (ruling C7): by the places of its squares, and by the pins of its boards.
fn renamed(m: Move, from: Option<&Layout>, to: Option<&Layout>) -> Option<Move> {
    let (Some(from), Some(to)) = (from, to) else {
        return Some(m);
    };
    if from == to {
        return Some(m);
    }
    let square = |square: Square| {
        let place = from.place(square);
        let mut squares = (0..64).filter_map(Square::try_new);
        squares.find(|square| to.place(*square) == place)
    };
    let mut there = m;
    match &mut there {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            (*from, *to) = (square(*from)?, square(*to)?);
        }
        Move::Castle(_) => {}
        Move::Board {
            board, promotion, ..
        } => {
            *board = to.board_on(from.pin(*board))?;
            if let Some(promotion) = promotion {
                promotion.square = square(promotion.square)?;
            }
        }
    }
    Some(there)
}

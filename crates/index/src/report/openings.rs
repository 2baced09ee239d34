//! The moves played from a position, with results.

use crate::error::Result;
use crate::model::board_trail;
use crate::model::game_bytes::Step;
use crate::model::game_set::GameSet;
use crate::model::results::{MoveCounts, ResultCounts};
use crate::model::stop::Stop;
use crate::query::expression::{PositionMatch, PositionQuery, Query};
use crate::read::index::GameIndex;
use crate::search::gather::in_parallel;
use crate::search::position::WantedPosition;
use crate::storage::columns::Column;
use crate::storage::move_tables::{Boards, read_boards, read_moves};
use crate::storage::segment::Segment;
use serde::Serialize;
use tantivy::DocId;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_rules::{Move, Position};

/// A row of a move table.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// The move.
    pub played: Move,
    /// The position after it.
    pub after: Position,
    /// The results of the games in which it was played from the position, each counted once.
    pub results: ResultCounts,
}

/// The moves played from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveTable {
    /// All games that reach the position, regardless of the moves before.
    pub total: ResultCounts,
    /// The moves, those of most games first. Moves of equally many games are in the order of [`Move`].
    pub moves: Vec<MoveRow>,
}

impl GameIndex {
    /// Returns the table of a position: the moves that games of its rule system play from it, however they reached it.
    /// Only games that match `filter` count; [`Query::All`] matches all games. A game that reaches the position more
    /// than once counts once, and once for each move it plays there. Only main lines count. Games of damaged files are
    /// missing, and [`GameIndex::damage`] reports the damage.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let start = tridex_rules::Position::start(RuleSystem::Meder);
    /// let table = index.openings(&start, &tridex_index::Query::All)?;
    /// assert_eq!((table.total.games, table.moves.len()), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the query cannot be used with the index, or the search was stopped.
    pub fn openings(&self, position: &Position, filter: &Query) -> Result<MoveTable> {
        let wanted =
            WantedPosition::new(&PositionQuery::of_position(position, PositionMatch::Exact));
        let is_filtered = *filter != Query::All;
        let all: MoveCounts = self.gather(filter, |segment, games| {
            tally(&wanted, segment, is_filtered, games, &self.stop)
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

    /// Tabulates the first moves and the layouts of attack boards. Only main lines count.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let tables = index.boards(&tridex_index::Query::All)?;
    /// assert!(!format!("{tables:?}").is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`GameIndex::openings`].
    pub fn boards(&self, filter: &Query) -> Result<BoardTables> {
        // If the query is only a position, the answer may have been precomputed when the index was written.
        let wanted = match filter {
            Query::Position(there) if there.of_one_system => Some(WantedPosition::new(there)),
            _ => None,
        };
        let all: Boards = self.gather(filter, |segment, games| {
            if let Some(wanted) = &wanted
                && let Some(Some(boards)) = wanted.table(segment, read_boards)?
            {
                return Ok(boards);
            }
            let games: Vec<DocId> = games()?.iter().collect();
            in_parallel(segment, &games, &self.stop, |doc, all: &mut Boards| {
                let trail = board_trail::boards(&segment.game(doc)?, false, |_| {})?;
                all.add_game(&trail, &segment.facts(doc)?);
                Some(())
            })
        })?;
        let mut first = all.first.by_games();
        first.sort_by_key(|((board, ..), _)| *board);
        let row = |((board, from, to), results)| FirstBoardRow {
            board: manual_board(board),
            from: pin_in_strings(from),
            to: pin_in_strings(to),
            results,
        };
        let reached = |(pins, results): ([Pin; 4], ResultCounts)| {
            let boards = AttackBoard::ALL.into_iter().zip(pins);
            let names = boards
                .map(|(board, pin)| format!("{}@{}", manual_board(board), pin_in_strings(pin)));
            let layout = names.collect::<Vec<String>>().join(" ");
            ReachedRow { layout, results }
        };
        let layouts = all.layouts.by_games().into_iter();
        let layouts = layouts.filter(|(pins, _)| Layout::try_new(*pins).is_ok());
        Ok(BoardTables {
            first: first.into_iter().map(row).collect(),
            layouts: layouts.map(reached).collect(),
        })
    }
}

/// What the attack boards do in a set of games.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardTables {
    /// Which pin each board leaves first and for which; by board, those of most games first.
    pub first: Vec<FirstBoardRow>,
    /// The layouts that games reach, those of most games first.
    pub layouts: Vec<ReachedRow>,
}

/// The first move of an attack board in a set of games. Also a machine-readable form: fields may be added, but are
/// never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "Board")
)]
pub struct FirstBoardRow {
    /// The board, as position strings name it.
    pub board: &'static str,
    /// The pin it left. It is the same as `to` if the board turned in place.
    pub from: String,
    /// The pin it went to.
    pub to: String,
    /// The results of the games in which it was played.
    #[serde(flatten)]
    pub results: ResultCounts,
}

/// A layout of the attack boards in a set of games. Also a machine-readable form: fields may be added, but are never
/// renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "Layout")
)]
pub struct ReachedRow {
    /// The layout, such as `QL@Q1 KL@K1 ql@Q6 kl@K6`.
    pub layout: String,
    /// The results of the games that reached it, each counted once. The rating is White's.
    #[serde(flatten)]
    pub results: ResultCounts,
}

/// Counts the moves that games of a segment play from a position.
fn tally(
    wanted: &WantedPosition,
    segment: &Segment,
    is_filtered: bool,
    within: &dyn Fn() -> Result<GameSet>,
    stop: &Stop,
) -> Result<MoveCounts> {
    if !is_filtered && let Some(table) = wanted.table(segment, read_moves)? {
        return Ok(table);
    }
    // A list may contain games that were deleted since.
    let within = match is_filtered {
        true => within()?,
        false => segment.alive.clone(),
    };
    let mut games = wanted.list(segment)?;
    games.retain(|doc| within.contains(*doc));
    let repeats = segment.column(Column::Repeat)?;
    let (mover, layout) = (wanted.board.turn(), wanted.board.layout());
    in_parallel(segment, &games, stop, |doc, tally: &mut MoveCounts| {
        let (game, facts) = (segment.game(doc)?, segment.facts(doc)?);
        let rules = game.start.rules;
        if !wanted.fits(rules) {
            return Some(());
        }
        let (key, repeat) = (wanted.key(rules), repeats.get_val(doc));
        let mut reached = false;
        let mut played: Vec<Option<Move>> = Vec::new();
        game.walk(|at, later, ply, next| {
            let step = wanted.compare(at, later, ply, key);
            if step != Step::Here {
                return step;
            }
            reached = true;
            if let Some(m) = next {
                let m = renamed(m, at.layout(), layout);
                if !played.contains(&m) {
                    played.push(m);
                }
            }
            // Placements repeat only from the ply `repeat` on, so before it the position cannot come again.
            match u64::from(ply) < repeat {
                true => Step::Over,
                false => Step::Go,
            }
        })?;
        if reached {
            tally.total.add_game(&facts, mover);
        }
        for m in played {
            tally.moves.of(m?).add_game(&facts, mover);
        }
        Some(())
    })
}

/// Converts a move from one layout to another. The layouts may differ by an exchange of two boards of one owner with
/// all pieces on them (ruling same-position), so squares are matched by their places and boards by their pins.
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
        Move::Castle(_) | Move::Pass => {}
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

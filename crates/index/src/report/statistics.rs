//! Counts of whole games, for charts of a collection: results, lengths, first moves of attack boards, and the squares
//! to which pieces move.

use crate::error::Result;
use crate::model::game_bytes::Step;
use crate::model::results::{Counts, ResultCounts};
use crate::query::expression::Query;
use crate::read::index::GameIndex;
use crate::search::gather::in_parallel;
use crate::storage::segment::Segment;
use std::collections::BTreeMap;
use tantivy::DocId;
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_rules::{Color, Move, Piece, Role, RuleSystem};

/// Counts over the games of one rule system. Only main lines count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// The rule system.
    pub rules: RuleSystem,
    /// The results of all games.
    pub total: ResultCounts,
    /// Games by their number of plies.
    pub lengths: BTreeMap<u32, u64>,
    /// Games by year, if the year is known.
    pub years: BTreeMap<u16, u64>,
    /// Games by the first move of an attack board in them: the board, the pin it left and the pin it went to, which are
    /// the same if it turned in place.
    pub first_boards: BTreeMap<(AttackBoard, Pin, Pin), u64>,
    arrivals: Box<[[u64; Square::CAPACITY]; 12]>,
}

impl Statistics {
    fn new(rules: RuleSystem) -> Self {
        Self {
            rules,
            total: ResultCounts::default(),
            lengths: BTreeMap::new(),
            years: BTreeMap::new(),
            first_boards: BTreeMap::new(),
            arrivals: Box::new([[0; Square::CAPACITY]; 12]),
        }
    }

    /// How often a kind of piece moved to a square on its own. A square of an attack board counts for the board,
    /// regardless of its pin. A promoting pawn arrives as a pawn.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// use tridex_rules::{Color, Piece, Role};
    /// let index = GameIndex::open(folder.path())?;
    /// let statistics = index.statistics(&tridex_index::Query::All)?.remove(0);
    /// let pawn = Piece::new(Color::White, Role::Pawn);
    /// let squares = (0..64).filter_map(tridex_geometry::Square::try_new);
    /// assert_eq!(squares.map(|square| statistics.arrivals(pawn, square)).sum::<u64>(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn arrivals(&self, piece: Piece, square: Square) -> u64 {
        self.arrivals[row(piece.color, piece.role)][square.index()]
    }

    fn arrived(&mut self, piece: Option<Piece>, square: Square) {
        if let Some(piece) = piece {
            self.arrivals[row(piece.color, piece.role)][square.index()] += 1;
        }
    }
}

const fn row(color: Color, role: Role) -> usize {
    color as usize * 6 + role as usize
}

fn add<K: Ord + Clone>(own: &mut BTreeMap<K, u64>, others: &BTreeMap<K, u64>) {
    for (key, count) in others {
        *own.entry(key.clone()).or_default() += count;
    }
}

impl GameIndex {
    /// Counts the games that match a query, separately for each rule system, in the order of [`RuleSystem::ALL`]. It
    /// reads every move of these games, which takes about a second for some hundred thousand games. Games of damaged
    /// files are missing, and [`GameIndex::damage`] reports the damage.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let statistics = index.statistics(&tridex_index::Query::All)?;
    /// assert_eq!((statistics[0].rules, statistics[0].total.games), (RuleSystem::Meder, 1));
    /// assert_eq!(statistics[0].lengths.get(&4), Some(&1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the query cannot be used with the index, or the search was stopped.
    pub fn statistics(&self, filter: &Query) -> Result<Vec<Statistics>> {
        let mut all: BTreeMap<RuleSystem, Statistics> = self.gather(filter, |segment, games| {
            let games: Vec<DocId> = games()?.iter().collect();
            in_parallel(segment, &games, &self.stop, |doc, counts| {
                count(segment, doc, counts)
            })
        })?;
        let order = RuleSystem::ALL.iter();
        Ok(order.filter_map(|rules| all.remove(rules)).collect())
    }
}

impl Counts for BTreeMap<RuleSystem, Statistics> {
    fn join(mut self, others: Self) -> Self {
        for (rules, statistics) in others {
            let own = self.entry(rules).or_insert_with(|| Statistics::new(rules));
            own.total.add(&statistics.total);
            add(&mut own.lengths, &statistics.lengths);
            add(&mut own.years, &statistics.years);
            add(&mut own.first_boards, &statistics.first_boards);
            let arrivals = own.arrivals.as_flattened_mut().iter_mut();
            for (own, others) in arrivals.zip(statistics.arrivals.as_flattened()) {
                *own += others;
            }
        }
        self
    }
}

/// Counts a game; `None` if it is damaged.
fn count(
    segment: &Segment,
    doc: DocId,
    counts: &mut BTreeMap<RuleSystem, Statistics>,
) -> Option<()> {
    let (game, facts) = (segment.game(doc)?, segment.facts(doc)?);
    let rules = game.start.rules;
    let statistics = counts
        .entry(rules)
        .or_insert_with(|| Statistics::new(rules));
    statistics.total.add_game(&facts, Color::White);
    *statistics.lengths.entry(game.plies).or_default() += 1;
    if let Some(year) = facts.year {
        *statistics.years.entry(year).or_default() += 1;
    }
    let mut is_first = true;
    game.walk(|at, _, _, next| {
        match next {
            Some(Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) => {
                statistics.arrived(at.piece_at(from), to);
            }
            Some(Move::Castle(side)) => {
                if let Some(squares) = rules.castling_squares(at.turn(), side) {
                    for (from, to) in [squares.king, squares.rook] {
                        statistics.arrived(at.piece_at(from), to);
                    }
                }
            }
            Some(Move::Board { board, to, .. }) => {
                let from = at.layout().map_or(to, |layout| layout.pin(board));
                if std::mem::take(&mut is_first) {
                    *statistics
                        .first_boards
                        .entry((board, from, to))
                        .or_default() += 1;
                }
            }
            Some(Move::Pass) | None => {}
        }
        Step::Go
    })?;
    Some(())
}

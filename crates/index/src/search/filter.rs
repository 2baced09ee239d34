//! Queries for games that are in no index. Each game is tested on its own.

use crate::error::{IndexError, MAX_REPLAYS, Result};
use crate::model::game_bytes::GameBytes;
use crate::query::expression::Query;
use crate::query::logic::Logic;
use crate::search::board_test::BoardTest;
use crate::search::column_queries::{self, FactTest};
use crate::search::text_queries::{self, TermMatcher};
use crate::storage::prepare::Prepared;

/// A query for games that are in no index.
///
/// It matches the same games as [`GameIndex::search`](crate::GameIndex::search) in an index without variations.
///
/// ```
/// use tridex_index::{Filter, GameEntry, Preparer, Query, read_moves};
/// use tridex_rules::RuleSystem;
///
/// let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
/// game.tags.push(("White".into(), "Kirk, James".into()));
/// let game = Preparer::without_index(None).prepare(&game)?;
/// let filter = Filter::new(&Query::parse("player:kirk plies:..10 pattern:P@b4N")?)?;
/// assert!(filter.matches(&game, "club.pgn"));
/// let filter = Filter::new(&Query::parse("not source:club")?)?;
/// assert!(!filter.matches(&game, "club.pgn"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Filter {
    root: Logic<Test>,
}

/// A part of the query.
#[derive(Debug)]
enum Test {
    Fact(FactTest),
    Term(TermMatcher),
    Board(BoardTest),
}

impl Filter {
    /// Prepares a query.
    ///
    /// # Errors
    /// [`IndexError::TooMuch`] if it needs more than [`MAX_REPLAYS`] replays of each game.
    pub fn new(query: &Query) -> Result<Self> {
        let replays = query.replays();
        if replays > MAX_REPLAYS {
            return Err(IndexError::TooMuch(replays));
        }
        Ok(Self {
            root: tests(query, false),
        })
    }

    /// Whether a game matches, given the name of its source.
    #[must_use]
    pub fn matches(&self, game: &Prepared, source: &str) -> bool {
        let bytes = GameBytes::read(&game.doc.game);
        let holds = self.root.holds(&|test| match test {
            Test::Fact(fact) => Some(fact.passes(&game.doc.row, source)),
            Test::Term(term) => Some(term.matches(&game.doc.fields)),
            Test::Board(test) => Some(test.find(bytes.as_ref()?)?.is_some()),
        });
        holds == Some(true)
    }
}

fn tests(query: &Query, variations: bool) -> Logic<Test> {
    let all = |parts: &[Query]| parts.iter().map(|part| tests(part, variations)).collect();
    match query {
        Query::All => Logic::And(Vec::new()),
        Query::And(parts) => Logic::And(all(parts)),
        Query::Or(parts) => Logic::Or(all(parts)),
        Query::Not(part) => tests(part, variations).negated(),
        Query::InVariations(part) => tests(part, true),
        query => match text_queries::of(query) {
            Some(tests) => tests.map(&|test| Test::Term(test.matcher())),
            None => fact_or_board(query, variations),
        },
    }
}

fn fact_or_board(query: &Query, variations: bool) -> Logic<Test> {
    match BoardTest::of(query, variations, false) {
        Some(test) => Logic::Leaf(Test::Board(test)),
        None => column_queries::tests(query).map(&|fact| Test::Fact(fact.clone())),
    }
}

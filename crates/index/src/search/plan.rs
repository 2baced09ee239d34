//! A query as a plan that is evaluated once for each segment.
//!
//! Every node returns two things: its [`Candidates`], an upper bound of the games that match, found without a replay;
//! and a condition that candidates must still meet, if there is one. Among nodes that must all match, the cheapest runs
//! first and the others only examine its candidates. So a rare name saves most of the work.

use crate::error::{At, IndexError, MAX_REPLAYS, Result};
use crate::model::game_bytes::{GameBytes, LinePly};
use crate::model::game_set::GameSet;
use crate::model::stop::Stop;
use crate::query::expression::Query;
use crate::query::logic::Logic;
use crate::search::board_test::BoardTest;
use crate::search::column_queries::{self, FactTest};
use crate::search::text_queries::{self, TermTest};
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use std::borrow::Cow;
use tantivy::query::{BooleanQuery, EnableScoring, Weight};
use tantivy::{DocId, TantivyError};

/// A query prepared for an index.
pub(crate) struct Plan<'p> {
    pub(crate) snapshot: &'p Snapshot,
    pub(crate) root: PlanNode,
    /// Whether the query needs replays other than those that rule out other positions of a list.
    pub(crate) needs_replay: bool,
    pub(crate) stop: Stop,
}

impl<'p> Plan<'p> {
    /// # Errors
    /// If the query cannot be used with the index, or was stopped.
    pub(crate) fn new(snapshot: &'p Snapshot, query: &Query, stop: &Stop) -> Result<Self> {
        let replays = query.replays();
        if replays > MAX_REPLAYS {
            return Err(IndexError::TooMuch(replays));
        }
        Ok(Self {
            snapshot,
            root: PlanNode::new(query, snapshot, false, stop)?,
            needs_replay: replays > 0,
            stop: stop.clone(),
        })
    }
}

/// A part of a query, prepared for an index.
pub(crate) type PlanNode = Logic<PlanLeaf>;

/// How the games for a part of a query are found.
pub(crate) enum PlanLeaf {
    /// By tantivy: a word or phrase in a list, or a fact in a column.
    Tantivy(Box<dyn Weight>, Cost),
    /// By a test of the replayed game.
    Board(BoardTest),
}

/// A part of a query, with the games that tantivy finds still as a query.
enum Lowered {
    /// tantivy finds its games.
    Tantivy(Box<dyn tantivy::query::Query>, Cost),
    /// Something in it needs the games themselves.
    Mixed(PlanNode),
}

impl PlanNode {
    /// Prepares a query. tantivy gets all that it can answer alone as one query, so that it skips through the lists of
    /// frequent words to the games of rare ones.
    ///
    /// # Errors
    /// If the query cannot be used with the index, or was stopped.
    pub(crate) fn new(
        query: &Query,
        snapshot: &Snapshot,
        variations: bool,
        stop: &Stop,
    ) -> Result<Self> {
        let lowering = Lowering { snapshot, stop };
        let lowered = lowering.lower(query, variations)?;
        lowering.node(lowered)
    }

    /// Whether replays are needed only to rule out other positions of a list.
    fn is_indexed(&self) -> bool {
        match self {
            Self::Leaf(PlanLeaf::Tantivy(..)) => true,
            Self::Leaf(PlanLeaf::Board(test)) => test.is_listed(),
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_indexed),
            Self::Not(_) => false,
        }
    }

    pub(crate) fn cost(&self) -> Cost {
        match self {
            Self::Leaf(PlanLeaf::Tantivy(_, cost)) => *cost,
            Self::Leaf(PlanLeaf::Board(test)) if test.is_listed() => Cost::List,
            Self::Leaf(PlanLeaf::Board(_)) => Cost::Signatures,
            Self::And(parts) => parts.iter().map(Self::cost).min().unwrap_or(Cost::List),
            Self::Or(parts) => parts.iter().map(Self::cost).max().unwrap_or(Cost::List),
            Self::Not(part) => part.cost(),
        }
    }

    /// Collects the tests of replayed games that can contribute to a match, in the order of the query.
    pub(crate) fn board_tests<'q>(&'q self, found: &mut Vec<&'q BoardTest>) {
        match self {
            Self::Leaf(PlanLeaf::Board(test)) => found.push(test),
            Self::And(parts) | Self::Or(parts) => {
                parts.iter().for_each(|part| part.board_tests(found));
            }
            Self::Leaf(PlanLeaf::Tantivy(..)) | Self::Not(_) => {}
        }
    }

    /// Returns the games of `within` that may match in a segment. Recurses as deep as the query is nested.
    ///
    /// # Errors
    /// Returns an error if something it reads is damaged, or the search was stopped.
    pub(crate) fn candidates(
        &self,
        segment: &Segment,
        within: &GameSet,
        stop: &Stop,
    ) -> Result<Candidates<'_>> {
        stop.check()?;
        Ok(match self {
            Self::Leaf(PlanLeaf::Tantivy(weight, _)) => {
                let mut games = GameSet::default();
                let insert = &mut |docs: &[DocId]| docs.iter().for_each(|doc| games.insert(*doc));
                let read = weight.for_each_no_score(&segment.reader, insert);
                read.at(segment.root())?;
                games.join(within, |a, b| a & b);
                Candidates::exactly(games)
            }
            Self::Leaf(PlanLeaf::Board(test)) => {
                let (games, is_exact) = test.candidates(segment, within, stop)?;
                Candidates {
                    games,
                    condition: (!is_exact).then_some(Condition::Leaf(ConditionLeaf::Board(test))),
                }
            }
            Self::And(parts) => {
                let mut parts: Vec<(usize, &Self)> = parts.iter().enumerate().collect();
                parts.sort_by_key(|(_, part)| part.cost());
                let mut games = Cow::Borrowed(within);
                let mut conditions = Vec::new();
                for (number, part) in parts {
                    if games.is_empty() {
                        break;
                    }
                    let found = part.candidates(segment, &games, stop)?;
                    games = Cow::Owned(found.games);
                    conditions.extend(found.condition.map(|condition| (number, condition)));
                }
                conditions.sort_by_key(|(number, _)| *number);
                let conditions: Vec<Condition<'_>> = conditions
                    .into_iter()
                    .map(|(_, condition)| condition)
                    .collect();
                Candidates {
                    games: games.into_owned(),
                    condition: (!conditions.is_empty()).then_some(Condition::And(conditions)),
                }
            }
            Self::Or(parts) => {
                let mut games = GameSet::default();
                let mut ways: Vec<Condition<'_>> = Vec::new();
                let mut parts: Vec<&Self> = parts.iter().collect();
                // Parts that need no replay come first, because the games they match need not be replayed for the
                // others.
                parts.sort_by_key(|part| !part.is_indexed());
                let mut is_exact = true;
                for part in parts {
                    let found = part.candidates(segment, within, stop)?;
                    games.join(&found.games, |a, b| a | b);
                    is_exact &= found.condition.is_none();
                    match ways.last_mut() {
                        Some(Condition::Leaf(ConditionLeaf::Among(all)))
                            if found.condition.is_none() =>
                        {
                            all.join(&found.games, |a, b| a | b);
                        }
                        _ => ways.push(found.of_any_game()),
                    }
                }
                Candidates {
                    games,
                    condition: (!is_exact).then_some(Condition::Or(ways)),
                }
            }
            Self::Not(part) => {
                let found = part.candidates(segment, within, stop)?;
                let mut games = within.clone();
                if found.condition.is_none() {
                    games.join(&found.games, |a, b| a & !b);
                    return Ok(Candidates::exactly(games));
                }
                Candidates {
                    games,
                    condition: Some(found.of_any_game().negated()),
                }
            }
        })
    }
}

/// Prepares the parts of a query.
struct Lowering<'p> {
    snapshot: &'p Snapshot,
    stop: &'p Stop,
}

impl Lowering<'_> {
    fn lower(&self, query: &Query, variations: bool) -> Result<Lowered> {
        let all = |parts: &[Query], join: fn(Vec<PlanNode>) -> PlanNode| {
            let parts = parts.iter().map(|query| self.lower(query, variations));
            self.join(parts.collect::<Result<_>>()?, join)
        };
        Ok(match query {
            Query::All => Lowered::Mixed(PlanNode::And(Vec::new())),
            Query::And(parts) => all(parts, PlanNode::And)?,
            Query::Or(parts) => all(parts, PlanNode::Or)?,
            Query::Not(query) => self.negated(self.lower(query, variations)?)?,
            Query::InVariations(query) => self.lower(query, true)?,
            query if let Some(tests) = text_queries::of(query) => {
                let stoppable = |test: &TermTest| {
                    let (query, stop) = (test.query(), self.stop.clone());
                    Box::new(Stoppable { query, stop }) as Box<dyn tantivy::query::Query>
                };
                self.tests(&tests, &stoppable, Cost::List)?
            }
            query => {
                let listed = self.snapshot.store.identity.variations;
                match BoardTest::of(query, variations, listed) {
                    Some(test) => Lowered::Mixed(PlanNode::Leaf(PlanLeaf::Board(test))),
                    None => self.tests(
                        &column_queries::tests(query),
                        &FactTest::query,
                        Cost::Column,
                    )?,
                }
            }
        })
    }

    /// Prepares tests, each of which tantivy can do.
    fn tests<T>(
        &self,
        tests: &Logic<T>,
        query: &impl Fn(&T) -> Box<dyn tantivy::query::Query>,
        cost: Cost,
    ) -> Result<Lowered> {
        let all = |parts: &[Logic<T>], join| {
            let parts = parts.iter().map(|part| self.tests(part, query, cost));
            self.join(parts.collect::<Result<_>>()?, join)
        };
        match tests {
            Logic::Leaf(test) => Ok(Lowered::Tantivy(query(test), cost)),
            Logic::Not(part) => self.negated(self.tests(part, query, cost)?),
            Logic::And(parts) => all(parts, PlanNode::And),
            Logic::Or(parts) => all(parts, PlanNode::Or),
        }
    }

    /// Negations stay ours: tantivy 0.27.0 seeks backwards in what it excludes (`Exclude`), which its documents of
    /// phrases and of ranges do not allow.
    fn negated(&self, part: Lowered) -> Result<Lowered> {
        Ok(Lowered::Mixed(self.node(part)?.negated()))
    }

    /// Joins parts: those that tantivy answers to one query, and this one with the others.
    fn join(&self, parts: Vec<Lowered>, join: fn(Vec<PlanNode>) -> PlanNode) -> Result<Lowered> {
        let (mut queries, mut costs, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match part {
                Lowered::Tantivy(query, cost) => {
                    queries.push(query);
                    costs.push(cost);
                }
                Lowered::Mixed(node) => nodes.push(node),
            }
        }
        let is_and = matches!(join(Vec::new()), PlanNode::And(_));
        let cost = match is_and {
            true => costs.into_iter().min(),
            false => costs.into_iter().max(),
        };
        let indexed = cost.map(|cost| match queries.len() {
            1 => Lowered::Tantivy(queries.remove(0), cost),
            _ if is_and => Lowered::Tantivy(Box::new(BooleanQuery::intersection(queries)), cost),
            _ => Lowered::Tantivy(Box::new(BooleanQuery::union(queries)), cost),
        });
        Ok(match indexed {
            Some(indexed) if nodes.is_empty() => indexed,
            Some(indexed) => {
                nodes.insert(0, self.node(indexed)?);
                Lowered::Mixed(join(nodes))
            }
            None => Lowered::Mixed(join(nodes)),
        })
    }

    fn node(&self, lowered: Lowered) -> Result<PlanNode> {
        let (query, cost) = match lowered {
            Lowered::Mixed(node) => return Ok(node),
            Lowered::Tantivy(query, cost) => (query, cost),
        };
        let schema = self.snapshot.store.index.schema();
        let weight = query.weight(EnableScoring::disabled_from_schema(&schema));
        self.stop.check()?;
        let weight = weight.at(&self.snapshot.store.root)?;
        Ok(PlanNode::Leaf(PlanLeaf::Tantivy(weight, cost)))
    }
}

/// A query that is not prepared once the search was stopped. Preparing a word that may be misspelled is slow, and there
/// may be hundreds of them.
#[derive(Debug)]
struct Stoppable {
    query: Box<dyn tantivy::query::Query>,
    stop: Stop,
}

impl Clone for Stoppable {
    fn clone(&self) -> Self {
        let (query, stop) = (self.query.box_clone(), self.stop.clone());
        Self { query, stop }
    }
}

impl tantivy::query::Query for Stoppable {
    fn weight(&self, scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        match self.stop.is_raised() {
            true => Err(TantivyError::SystemError("stopped".to_owned())),
            false => self.query.weight(scoring),
        }
    }
}

/// The cost of finding candidates: reading a list, a column, or the columns of signatures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cost {
    List,
    Column,
    Signatures,
}

/// The games of a segment that may match a part of a query.
pub(crate) struct Candidates<'q> {
    pub(crate) games: GameSet,
    /// The condition that a game must meet to match; `None` if all of them match.
    pub(crate) condition: Option<Condition<'q>>,
}

/// A condition that candidates must meet.
pub(crate) type Condition<'q> = Logic<ConditionLeaf<'q>>;

/// An elementary condition.
pub(crate) enum ConditionLeaf<'q> {
    /// The game must be in a set.
    Among(GameSet),
    /// The replayed game must pass a test.
    Board(&'q BoardTest),
}

impl<'q> Candidates<'q> {
    fn exactly(games: GameSet) -> Self {
        Self {
            games,
            condition: None,
        }
    }

    /// The condition that any game must meet to match, whether it is a candidate or not.
    fn of_any_game(self) -> Condition<'q> {
        let among = Condition::Leaf(ConditionLeaf::Among(self.games));
        match self.condition {
            Some(condition) => Condition::And(vec![among, condition]),
            None => among,
        }
    }
}

impl Condition<'_> {
    /// Whether a candidate meets the condition; `None` if the game is damaged. `at` is set to the ply found by the
    /// first test of the replayed game that causes the match.
    pub(crate) fn is_met(
        &self,
        doc: DocId,
        game: &GameBytes<'_>,
        at: &mut Option<LinePly>,
    ) -> Option<bool> {
        match self {
            Self::Leaf(ConditionLeaf::Among(games)) => Some(games.contains(doc)),
            Self::Leaf(ConditionLeaf::Board(test)) => {
                let found = test.find(game)?;
                if at.is_none() && !test.is_listed() {
                    *at = found;
                }
                Some(found.is_some())
            }
            Self::And(parts) => {
                let before = *at;
                for part in parts {
                    if !part.is_met(doc, game, at)? {
                        *at = before;
                        return Some(false);
                    }
                }
                Some(true)
            }
            Self::Or(parts) => {
                for part in parts {
                    if part.is_met(doc, game, at)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Self::Not(part) => Some(!part.is_met(doc, game, &mut None)?),
        }
    }
}

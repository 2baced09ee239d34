//! A query as a tree that is evaluated once for each segment.
//!
//! Every node returns two things: its [`Candidates`], an upper bound of the games that match, found without a replay;
//! and a check that candidates must still pass, if there is one. Among nodes that must all match, the cheapest runs
//! first and the others only examine its candidates. So a rare name saves most of the work.

use crate::error::{At, Result};
use crate::model::game_bytes::{GameBytes, Place};
use crate::model::game_set::GameSet;
use crate::model::stop::Stop;
use crate::query::expression::{Query, Sameness};
use crate::query::logic::Logic;
use crate::query::pattern::Pattern;
use crate::query::sequence::run::Search;
use crate::search::board_test::{Look, Replay};
use crate::search::column_queries;
use crate::search::position::Target;
use crate::search::text_queries;
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use std::borrow::Cow;
use tantivy::DocId;
use tantivy::query::{EnableScoring, Weight};

/// A query prepared for an index.
pub(crate) type Node = Logic<Source>;

/// How the games for a part of a query are found.
pub(crate) enum Source {
    /// By tantivy: a word or phrase in a list, or a fact in a column.
    Index(Box<dyn Weight>, Cost),
    /// By a test of the replayed game.
    Replay(Replay),
}

impl Node {
    /// # Errors
    /// If the query cannot be used with the index, or was stopped.
    pub(crate) fn new(
        query: &Query,
        snapshot: &Snapshot,
        variations: bool,
        stop: &Stop,
    ) -> Result<Self> {
        let all = |parts: &[Query]| -> Result<Vec<Self>> {
            let parts = parts.iter();
            parts
                .map(|query| Self::new(query, snapshot, variations, stop))
                .collect()
        };
        let replay = |look, variations| Self::Leaf(Source::Replay(Replay { look, variations }));
        let schema = snapshot.store.index.schema();
        let found = |queries: Logic<Box<dyn tantivy::query::Query>>, cost| {
            queries.try_bind(&|query| -> Result<Self> {
                // Preparing a word that may be misspelled is slow, and there may be hundreds of them.
                stop.check()?;
                let weight = query.weight(EnableScoring::disabled_from_schema(&schema));
                Ok(Self::Leaf(Source::Index(
                    weight.at(&snapshot.store.root)?,
                    cost,
                )))
            })
        };
        Ok(match query {
            Query::All => Self::And(Vec::new()),
            Query::And(parts) => Self::And(all(parts)?),
            Query::Or(parts) => Self::Or(all(parts)?),
            Query::Not(query) => Self::new(query, snapshot, variations, stop)?.negated(),
            Query::InVariations(query) => Self::new(query, snapshot, true, stop)?,
            Query::Text(field, words) => found(text_queries::query(*field, words), Cost::List)?,
            Query::Position(position) => {
                let look = match position.sameness {
                    Sameness::Plan => {
                        let pattern = Pattern::from_top(&position.setup);
                        Look::pattern(&pattern, |rules| position.fits(rules))
                    }
                    _ => Look::Position(Box::new(Target::new(position))),
                };
                replay(look, snapshot.store.identity.variations)
            }
            Query::Pattern(pattern) => replay(Look::pattern(pattern, |_| true), variations),
            Query::Material(balances) => replay(Look::Material(balances.clone()), variations),
            Query::Sequence(sequence) => {
                replay(Look::Sequence(Search::new(sequence).into()), variations)
            }
            fact => found(column_queries::query(fact), Cost::Column)?,
        })
    }

    /// Whether replays are needed only to rule out other positions of a list.
    fn is_indexed(&self) -> bool {
        match self {
            Self::Leaf(Source::Index(..)) => true,
            Self::Leaf(Source::Replay(replay)) => replay.is_listed(),
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_indexed),
            Self::Not(_) => false,
        }
    }

    pub(crate) fn cost(&self) -> Cost {
        match self {
            Self::Leaf(Source::Index(_, cost)) => *cost,
            Self::Leaf(Source::Replay(replay)) if replay.is_listed() => Cost::List,
            Self::Leaf(Source::Replay(_)) => Cost::Signatures,
            Self::And(parts) => parts.iter().map(Self::cost).min().unwrap_or(Cost::List),
            Self::Or(parts) => parts.iter().map(Self::cost).max().unwrap_or(Cost::List),
            Self::Not(part) => part.cost(),
        }
    }

    /// Collects the tests of replayed games that can contribute to a match, in the order of the query.
    pub(crate) fn replays<'q>(&'q self, found: &mut Vec<&'q Replay>) {
        match self {
            Self::Leaf(Source::Replay(replay)) => found.push(replay),
            Self::And(parts) | Self::Or(parts) => {
                parts.iter().for_each(|part| part.replays(found));
            }
            Self::Leaf(Source::Index(..)) | Self::Not(_) => {}
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
            Self::Leaf(Source::Index(weight, _)) => {
                let mut games = GameSet::default();
                let insert = &mut |docs: &[DocId]| docs.iter().for_each(|doc| games.insert(*doc));
                let read = weight.for_each_no_score(&segment.reader, insert);
                read.at(segment.root())?;
                games.join(within, |a, b| a & b);
                Candidates::exactly(games)
            }
            Self::Leaf(Source::Replay(replay)) => {
                let (games, is_exact) = replay.candidates(segment, within, stop)?;
                Candidates {
                    games,
                    check: (!is_exact).then_some(Check::Leaf(Pass::Replay(replay))),
                }
            }
            Self::And(parts) => {
                let mut parts: Vec<(usize, &Self)> = parts.iter().enumerate().collect();
                parts.sort_by_key(|(_, part)| part.cost());
                let mut games = Cow::Borrowed(within);
                let mut checks = Vec::new();
                for (place, part) in parts {
                    if games.is_empty() {
                        break;
                    }
                    let found = part.candidates(segment, &games, stop)?;
                    games = Cow::Owned(found.games);
                    checks.extend(found.check.map(|check| (place, check)));
                }
                checks.sort_by_key(|(place, _)| *place);
                let checks: Vec<Check<'_>> = checks.into_iter().map(|(_, check)| check).collect();
                Candidates {
                    games: games.into_owned(),
                    check: (!checks.is_empty()).then_some(Check::And(checks)),
                }
            }
            Self::Or(parts) => {
                let mut games = GameSet::default();
                let mut ways: Vec<Check<'_>> = Vec::new();
                let mut parts: Vec<&Self> = parts.iter().collect();
                // Parts that need no replay come first, because the games they match need not be replayed for the
                // others.
                parts.sort_by_key(|part| !part.is_indexed());
                let mut is_exact = true;
                for part in parts {
                    let found = part.candidates(segment, within, stop)?;
                    games.join(&found.games, |a, b| a | b);
                    is_exact &= found.check.is_none();
                    match ways.last_mut() {
                        Some(Check::Leaf(Pass::Among(all))) if found.check.is_none() => {
                            all.join(&found.games, |a, b| a | b);
                        }
                        _ => ways.push(found.whole()),
                    }
                }
                Candidates {
                    games,
                    check: (!is_exact).then_some(Check::Or(ways)),
                }
            }
            Self::Not(part) => {
                let found = part.candidates(segment, within, stop)?;
                let mut games = within.clone();
                if found.check.is_none() {
                    games.join(&found.games, |a, b| a & !b);
                    return Ok(Candidates::exactly(games));
                }
                Candidates {
                    games,
                    check: Some(found.whole().negated()),
                }
            }
        })
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
    /// The check that a game must pass to match; `None` if all of them match.
    pub(crate) check: Option<Check<'q>>,
}

/// A check that candidates must pass.
pub(crate) type Check<'q> = Logic<Pass<'q>>;

/// An elementary check.
pub(crate) enum Pass<'q> {
    /// The game must be in a set.
    Among(GameSet),
    /// The replayed game must pass a test.
    Replay(&'q Replay),
}

impl<'q> Candidates<'q> {
    fn exactly(games: GameSet) -> Self {
        Self { games, check: None }
    }

    /// The check that any game must pass to match, whether it is a candidate or not.
    fn whole(self) -> Check<'q> {
        let among = Check::Leaf(Pass::Among(self.games));
        match self.check {
            Some(check) => Check::And(vec![among, check]),
            None => among,
        }
    }
}

impl Check<'_> {
    /// Whether a candidate passes; `None` if the game is damaged. `place` is set to the place found by the first test
    /// of the replayed game that causes the match.
    pub(crate) fn passes(
        &self,
        doc: DocId,
        game: &GameBytes<'_>,
        place: &mut Option<Place>,
    ) -> Option<bool> {
        match self {
            Self::Leaf(Pass::Among(games)) => Some(games.contains(doc)),
            Self::Leaf(Pass::Replay(replay)) => {
                let found = replay.find(game)?;
                if place.is_none() && !replay.is_listed() {
                    *place = found;
                }
                Some(found.is_some())
            }
            Self::And(parts) => {
                let before = *place;
                for part in parts {
                    if !part.passes(doc, game, place)? {
                        *place = before;
                        return Some(false);
                    }
                }
                Some(true)
            }
            Self::Or(parts) => {
                for part in parts {
                    if part.passes(doc, game, place)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Self::Not(part) => Some(!part.passes(doc, game, &mut None)?),
        }
    }
}

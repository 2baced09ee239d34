//! A question made ready for an index: what of it is one query of tantivy, and what is asked of replayed games.

use super::condition::{Columns, Condition, Conditioned, Segments, Trouble};
use super::position::Target;
use super::query::{PositionQuery, Query, Sameness};
use super::replay::{Look, Replay};
use super::search::Node;
use crate::error::{IndexError, told};
use crate::game::systems;
use crate::store::reader::Part;
use crate::texts::fields;
use std::sync::Arc;
use tantivy::query::{AllQuery, BooleanQuery, EmptyQuery, EnableScoring, Weight};

/// How many patterns, balances of material and views from the top a question may hold: for each of them every position
/// of the games that the rest of the question leaves is looked at, so that the time an answer takes is that many times
/// the time of one.
pub const MAX_REPLAYS: usize = 16;

/// How many parts of a question only replayed games answer. Goes as deep as the question is nested.
pub(crate) fn replays(query: &Query) -> usize {
    match query {
        Query::Pattern(_) | Query::Material(_) => 1,
        Query::Position(position) => usize::from(position.sameness == Sameness::Plan),
        Query::Not(part) => replays(part),
        Query::And(parts) | Query::Or(parts) => parts.iter().map(replays).sum(),
        _ => 0,
    }
}

/// Makes a question ready.
pub(super) struct Making<'a> {
    pub(super) part: &'a Part,
    pub(super) segments: Segments,
    pub(super) variations: bool,
    pub(super) positions: Vec<Arc<Target>>,
    /// Whether the part of the question is asked for, and not excluded.
    pub(super) is_asked_for: bool,
    pub(super) trouble: &'a Trouble,
}

type Tantivy = Box<dyn tantivy::query::Query>;

impl Making<'_> {
    /// A part of a question as what answers it.
    ///
    /// # Errors
    /// If the index cannot be asked so.
    pub(super) fn node(&mut self, query: &Query) -> Result<Node, IndexError> {
        if is_exact(query) {
            let query = self.exact(query);
            return Ok(Node::Index(self.weight(&*query)?));
        }
        match query {
            Query::And(parts) => {
                let (exact, others): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|part| is_exact(part));
                let mut known: Vec<Tantivy> =
                    exact.into_iter().map(|part| self.exact(part)).collect();
                let mut nodes = Vec::new();
                for part in others {
                    if let Some(replay) = self.replay(part) {
                        known.push(self.condition(Arc::clone(&replay)));
                        let weight = self.weight(&AllQuery)?;
                        nodes.push(Node::Replay(replay, weight));
                    } else {
                        nodes.push(self.node(part)?);
                    }
                }
                let known: Tantivy = match known.is_empty() {
                    true => Box::new(AllQuery),
                    false => Box::new(BooleanQuery::intersection(known)),
                };
                Ok(Node::And(self.weight(&*known)?, nodes))
            }
            Query::Or(parts) => {
                let (exact, others): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|part| is_exact(part));
                let mut nodes = Vec::new();
                if !exact.is_empty() {
                    let exact = exact.into_iter().map(|part| self.exact(part)).collect();
                    nodes.push(Node::Index(self.weight(&BooleanQuery::union(exact))?));
                }
                for part in others {
                    nodes.push(self.node(part)?);
                }
                Ok(Node::Or(nodes))
            }
            Query::Not(part) => {
                let before = std::mem::replace(&mut self.is_asked_for, false);
                let node = self.node(part);
                self.is_asked_for = before;
                Ok(Node::Not(Box::new(node?)))
            }
            other => match self.replay(other) {
                Some(replay) => {
                    let known = self.condition(Arc::clone(&replay));
                    Ok(Node::Replay(replay, self.weight(&*known)?))
                }
                None => {
                    let query = self.exact(other);
                    Ok(Node::Index(self.weight(&*query)?))
                }
            },
        }
    }

    /// The replay a part of a question is, if it is one.
    fn replay(&self, query: &Query) -> Option<Arc<Replay>> {
        let variations = self.variations;
        Some(Arc::new(match query {
            Query::Pattern(pattern) => Replay::pattern(pattern, variations),
            Query::Material(balances) => Replay::new(Look::Material(balances.clone()), variations),
            Query::Position(position) if position.sameness == Sameness::Plan => {
                Replay::new(Look::Plan(Box::new(self.target(position))), variations)
            }
            _ => return None,
        }))
    }

    fn target(&self, position: &PositionQuery) -> Target {
        Target::new(position, self.part.store.identity.variations)
    }

    /// The query of tantivy that a part of a question is; nothing is replayed for it but positions.
    fn exact(&mut self, query: &Query) -> Tantivy {
        let columns = match query {
            Query::All => return Box::new(AllQuery),
            Query::Text(field, words) => {
                return fields::query(&self.part.store.fields, *field, words);
            }
            Query::And(parts) if parts.is_empty() => return Box::new(AllQuery),
            Query::And(parts) => {
                let parts = parts.iter().map(|part| self.exact(part)).collect();
                return Box::new(BooleanQuery::intersection(parts));
            }
            Query::Or(parts) if parts.is_empty() => return Box::new(EmptyQuery),
            Query::Or(parts) => {
                let parts = parts.iter().map(|part| self.exact(part)).collect();
                return Box::new(BooleanQuery::union(parts));
            }
            Query::Position(position) => {
                let target = self.target(position);
                if self.is_asked_for {
                    self.positions.push(Arc::new(self.target(position)));
                }
                return self.condition(target);
            }
            Query::Date(range) => Columns::Date(*range),
            Query::Result(result) => Columns::Result(*result),
            Query::Rules(rules) => Columns::Rules(systems::code(*rules)),
            Query::Plies(from, to) => Columns::Plies(*from, *to),
            Query::Ratings(from, to) => Columns::Ratings(*from, *to),
            Query::Id(id) => Columns::Id(*id),
            Query::Source(name) => Columns::Source(name.to_lowercase()),
            Query::Not(_) | Query::Pattern(_) | Query::Material(_) => {
                return Box::new(EmptyQuery);
            }
        };
        self.condition(columns)
    }

    fn condition(&self, condition: impl Condition) -> Tantivy {
        Box::new(Conditioned {
            condition: Arc::new(condition),
            segments: self.segments.clone(),
            trouble: self.trouble.clone(),
        })
    }

    fn weight(&self, query: &dyn tantivy::query::Query) -> Result<Box<dyn Weight>, IndexError> {
        let schema = self.part.store.index.schema();
        let weight = query.weight(EnableScoring::disabled_from_schema(&schema));
        weight.map_err(told(&self.part.store.root))
    }
}

/// Whether a question is a query of tantivy as it is.
fn is_exact(query: &Query) -> bool {
    match query {
        Query::Pattern(_) | Query::Material(_) => false,
        Query::Position(position) => position.sameness != Sameness::Plan,
        // tantivy asks some of its own scorers for games behind which they already are, which they do not allow.
        Query::Not(_) => false,
        Query::And(parts) | Query::Or(parts) => parts.iter().all(is_exact),
        _ => true,
    }
}

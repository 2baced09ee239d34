//! A question made ready for an index: what of it is one query of tantivy, and what is asked of replayed games.

use super::condition::{Columns, Condition, Conditioned, Segments, Trouble};
use super::position::Target;
use super::replay::{Look, Replay};
use super::words as fields;
use crate::error::{IndexError, told};
use crate::game::systems;
use crate::questions::query::{PositionQuery, Query, Sameness};
use crate::questions::sequence::run::Search;
use crate::store::reader::Part;
use std::sync::Arc;
use tantivy::query::{AllQuery, BooleanQuery, EmptyQuery, EnableScoring, Weight};

/// What proposes games without any being replayed but for positions.
pub(super) enum Source {
    /// Any game.
    All,
    /// One condition of ours: tantivy has nothing to join it with, and would ask for its games one by one.
    Condition(Arc<dyn Condition>),
    /// A query of tantivy.
    Query(Box<dyn Weight>),
}

/// A part of a question, made ready.
pub(super) enum Node {
    /// Nothing has to be replayed for it.
    Index(Source),
    /// A replay, and the games that may pass it.
    Replay(Arc<Replay>, Source),
    /// Games that a source proposes and that all parts find. The source has what is known of the parts.
    And(Source, Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
}

/// Makes a question ready.
pub(super) struct Making<'a> {
    pub(super) part: &'a Part,
    pub(super) segments: Segments,
    pub(super) variations: bool,
    /// The sequences that are asked for.
    pub(super) sequences: Vec<Arc<Replay>>,
    /// Whether the part of the question is asked for, and not excluded.
    pub(super) is_asked_for: bool,
    pub(super) trouble: &'a Trouble,
}

type Tantivy = Box<dyn tantivy::query::Query>;

/// A part of a question for which nothing is replayed but positions.
enum Exact {
    /// Every game.
    All,
    /// One condition of ours.
    Condition(Arc<dyn Condition>),
    Query(Tantivy),
}

impl Making<'_> {
    /// A part of a question as what answers it.
    ///
    /// # Errors
    /// If the index cannot be asked so.
    pub(super) fn node(&mut self, query: &Query) -> Result<Node, IndexError> {
        if is_exact(query) {
            let part = self.exact(query);
            return Ok(Node::Index(self.source(part)?));
        }
        match query {
            Query::And(parts) => {
                let (exact, others): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|part| is_exact(part));
                let mut known: Vec<Exact> =
                    exact.into_iter().map(|part| self.exact(part)).collect();
                let mut nodes = Vec::new();
                for part in others {
                    if let Some(replay) = self.replay(part) {
                        known.push(Exact::Condition(Arc::new(Arc::clone(&replay))));
                        nodes.push(Node::Replay(replay, Source::All));
                    } else {
                        nodes.push(self.node(part)?);
                    }
                }
                let known = self.joined(known, BooleanQuery::intersection);
                Ok(Node::And(self.source(known)?, nodes))
            }
            Query::Or(parts) => {
                let (exact, others): (Vec<_>, Vec<_>) =
                    parts.iter().partition(|part| is_exact(part));
                let mut nodes = Vec::new();
                if !exact.is_empty() {
                    let exact = exact.into_iter().map(|part| self.exact(part)).collect();
                    let exact = self.joined(exact, BooleanQuery::union);
                    nodes.push(Node::Index(self.source(exact)?));
                }
                for part in others {
                    nodes.push(self.node(part)?);
                }
                Ok(Node::Or(nodes))
            }
            Query::InVariations(part) => {
                let before = std::mem::replace(&mut self.variations, true);
                let node = self.node(part);
                self.variations = before;
                node
            }
            Query::Not(part) => {
                let before = std::mem::replace(&mut self.is_asked_for, false);
                let node = self.node(part);
                self.is_asked_for = before;
                Ok(Node::Not(Box::new(node?)))
            }
            other => match self.replay(other) {
                Some(replay) => {
                    let known: Arc<dyn Condition> = Arc::new(Arc::clone(&replay));
                    Ok(Node::Replay(replay, Source::Condition(known)))
                }
                None => {
                    let part = self.exact(other);
                    Ok(Node::Index(self.source(part)?))
                }
            },
        }
    }

    /// The replay a part of a question is, if it is one.
    fn replay(&mut self, query: &Query) -> Option<Arc<Replay>> {
        let variations = self.variations;
        let replay = Arc::new(match query {
            Query::Pattern(pattern) => Replay::pattern(pattern, variations),
            Query::Sequence(sequence) => {
                Replay::new(Look::Sequence(Box::new(Search::new(sequence))), variations)
            }
            Query::Material(balances) => Replay::new(Look::Material(balances.clone()), variations),
            Query::Position(position) if position.sameness == Sameness::Plan => {
                Replay::new(Look::Plan(Box::new(self.target(position))), variations)
            }
            _ => return None,
        });
        if self.is_asked_for && matches!(query, Query::Sequence(_)) {
            self.sequences.push(Arc::clone(&replay));
        }
        Some(replay)
    }

    fn target(&self, position: &PositionQuery) -> Target {
        Target::new(position, self.part.store.identity.variations)
    }

    /// What a part of a question is for which nothing is replayed but positions.
    fn exact(&mut self, query: &Query) -> Exact {
        let columns = match query {
            Query::All => return Exact::All,
            Query::Text(field, words) => {
                let fields = &self.part.store.fields;
                return Exact::Query(fields::query(fields, *field, words, &self.trouble.stop));
            }
            Query::And(parts) => {
                let parts = parts.iter().map(|part| self.exact(part)).collect();
                return self.joined(parts, BooleanQuery::intersection);
            }
            Query::Or(parts) if parts.is_empty() => return Exact::Query(Box::new(EmptyQuery)),
            Query::Or(parts) => {
                let parts = parts.iter().map(|part| self.exact(part)).collect();
                return self.joined(parts, BooleanQuery::union);
            }
            Query::Position(position) => {
                let target = Arc::new(self.target(position));
                return Exact::Condition(target);
            }
            Query::Date(range) => Columns::Date(*range),
            Query::Result(result) => Columns::Result(*result),
            Query::Rules(rules) => Columns::Rules(systems::code(*rules)),
            Query::Plies(from, to) => Columns::Plies(*from, *to),
            Query::Ratings(from, to) => Columns::Ratings(*from, *to),
            Query::Id(id) => Columns::Id(*id),
            Query::Source(name) => Columns::Source(name.to_lowercase()),
            Query::Not(_)
            | Query::InVariations(_)
            | Query::Pattern(_)
            | Query::Material(_)
            | Query::Sequence(_) => {
                return Exact::Query(Box::new(EmptyQuery));
            }
        };
        Exact::Condition(Arc::new(columns))
    }

    /// Parts joined by tantivy, where there is more than one; of none, every game.
    fn joined(&self, mut parts: Vec<Exact>, join: fn(Vec<Tantivy>) -> BooleanQuery) -> Exact {
        if parts.len() > 1 {
            let parts = parts.into_iter().map(|part| self.tantivy(part)).collect();
            return Exact::Query(Box::new(join(parts)));
        }
        parts.pop().unwrap_or(Exact::All)
    }

    fn tantivy(&self, part: Exact) -> Tantivy {
        match part {
            Exact::All => Box::new(AllQuery),
            Exact::Query(query) => query,
            Exact::Condition(condition) => Box::new(Conditioned {
                condition,
                segments: self.segments.clone(),
                trouble: self.trouble.clone(),
            }),
        }
    }

    fn source(&self, part: Exact) -> Result<Source, IndexError> {
        let query = match part {
            Exact::All => return Ok(Source::All),
            Exact::Condition(condition) => return Ok(Source::Condition(condition)),
            Exact::Query(query) => query,
        };
        let schema = self.part.store.index.schema();
        let weight = query.weight(EnableScoring::disabled_from_schema(&schema));
        self.trouble.stop.check()?;
        Ok(Source::Query(weight.map_err(told(&self.part.store.root))?))
    }
}

/// Another difference: positions in the order of the question, as the docs have it.
pub(super) fn positions(query: &Query, variations: bool, all: &mut Vec<Arc<Target>>) {
    match query {
        Query::Position(position) if position.sameness != Sameness::Plan => {
            all.push(Arc::new(Target::new(position, variations)));
        }
        Query::InVariations(part) => positions(part, variations, all),
        Query::And(parts) | Query::Or(parts) => {
            parts
                .iter()
                .for_each(|part| positions(part, variations, all));
        }
        _ => {}
    }
}

/// Whether a question is a query of tantivy as it is.
fn is_exact(query: &Query) -> bool {
    match query {
        Query::Pattern(_) | Query::Material(_) | Query::Sequence(_) => false,
        Query::Position(position) => position.sameness != Sameness::Plan,
        // tantivy asks some of its own scorers for games behind which they already are, which they do not allow.
        Query::Not(_) | Query::InVariations(_) => false,
        Query::And(parts) | Query::Or(parts) => parts.iter().all(is_exact),
        _ => true,
    }
}

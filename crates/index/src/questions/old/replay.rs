//! Questions that only replayed games answer: patterns, balances of material, sequences, the view from the top.

use super::condition::{Condition, Proposal, Trouble};
use super::position::Target;
use crate::error::IndexError;
use crate::game::line::{Beginning, Found, GameBytes, Place, Step};
use crate::game::systems;
use crate::questions::material::Material;
use crate::questions::pattern::Pattern;
use crate::questions::pattern::compile::Matcher;
use crate::questions::sequence::run::Search;
use crate::questions::stop::Stop;
use crate::store::columns::{Column, Flags};
use crate::store::segment::{InOrder, Segment};
use rayon::prelude::*;
use std::sync::Arc;
use tantivy::DocId;
use tridex_rules::RuleSystem;

/// What is looked for in a replay.
#[derive(Debug)]
pub(crate) enum Look {
    /// A pattern, made ready for each of the rules.
    Pattern(Vec<(RuleSystem, Matcher)>),
    /// One of some balances of material.
    Material(Vec<Material>),
    /// A position seen from the top.
    Plan(Box<Target>),
    /// A sequence.
    Sequence(Box<Search>),
}

/// How many games the threads replay before they take other work: a short question does not wait for the end of a long
/// one.
const SHIFT: usize = 8_192;

/// A question about replayed games, and whether their variations count.
#[derive(Debug)]
pub(crate) struct Replay {
    look: Look,
    variations: bool,
}

impl Replay {
    pub(crate) fn new(look: Look, variations: bool) -> Self {
        Self { look, variations }
    }

    pub(crate) fn pattern(pattern: &Pattern, variations: bool) -> Self {
        let ready = |rules: &RuleSystem| (*rules, Matcher::new(pattern, *rules));
        let matchers = RuleSystem::ALL.iter().map(ready).collect();
        Self::new(Look::Pattern(matchers), variations)
    }

    /// Where a game is what is looked for first; `None` if it is damaged.
    pub(crate) fn find(&self, game: &GameBytes<'_>) -> Option<Found> {
        match &self.look {
            Look::Plan(target) => target.find(game),
            Look::Sequence(search) => search.find(game, self.variations),
            Look::Material(balances) => first_to_last(game, balances, self.variations),
            Look::Pattern(matchers) => {
                let rules = game.rules()?;
                let Some((_, matcher)) = matchers.iter().find(|(r, _)| *r == rules) else {
                    return Some(Found::Nowhere);
                };
                let (first, last) = matcher.plies();
                game.find(self.variations, |at, later, ply| {
                    let matches = ply >= first
                        && matcher.matches_board(at, ply).unwrap_or_else(|| {
                            let position = later.position(ply);
                            position.is_some_and(|p| matcher.matches(at, p, ply))
                        });
                    if matches {
                        Step::Here
                    } else if ply >= last {
                        Step::Over
                    } else {
                        Step::Go
                    }
                })
            }
        }
    }

    /// The plies of a sequence in a game, each with the variation it is in; none if it does not match, or nothing of the
    /// kind is looked for. `None` if the game is damaged.
    pub(crate) fn plies(&self, game: &GameBytes<'_>) -> Option<Vec<Place>> {
        match &self.look {
            Look::Sequence(search) => search.plies(game, self.variations),
            _ => Some(Vec::new()),
        }
    }

    /// Replays games of a segment, on several threads if there are many: those in which something is found, and where.
    ///
    /// # Errors
    /// If a game is damaged, or it was stopped.
    pub(crate) fn run(
        &self,
        segment: &Segment,
        games: &[DocId],
        stop: &Stop,
    ) -> Result<Vec<(DocId, Found)>, IndexError> {
        let game = |doc: DocId| segment.game(doc).ok_or_else(|| segment.unreadable());
        let find = |doc: DocId| {
            stop.check()?;
            game(doc).map(|game| self.find(&game))
        };
        let look = |doc: &DocId| match find(*doc) {
            Ok(Some(Found::Nowhere)) => None,
            Ok(Some(place)) => Some(Ok((*doc, place))),
            Ok(None) => Some(Err(segment.unreadable())),
            Err(error) => Some(Err(error)),
        };
        // Many games in which something is found early begin alike: what the first of them teach spares replaying the
        // others. A balance is told from where it began and known only later, and so teaches nothing.
        let is_early = !matches!(self.look, Look::Material(_));
        let (first, rest) = games.split_at(games.len().min(64));
        let mut hits = first
            .iter()
            .filter_map(look)
            .collect::<Result<Vec<_>, _>>()?;
        let mut beginnings: Vec<Beginning> = Vec::new();
        if is_early && !rest.is_empty() {
            for (doc, place) in &hits {
                let game = game(*doc)?;
                if let Found::Main(ply) = place
                    && beginnings.len() < 8
                    && !beginnings.iter().any(|known| known.is_of(&game))
                {
                    beginnings.extend(Beginning::of(&game, *ply));
                }
            }
        }
        let look = |doc: &DocId| {
            let known = segment.game(*doc).and_then(|game| {
                let mut known = beginnings.iter();
                known.find(|known| known.is_of(&game)).map(|b| b.ply)
            });
            match known {
                Some(ply) => Some(Ok((*doc, Found::Main(ply)))),
                None => look(doc),
            }
        };
        for some in rest.chunks(SHIFT) {
            let more = some.par_iter().with_min_len(64).filter_map(look);
            hits.extend(more.collect::<Result<Vec<_>, IndexError>>()?);
        }
        Ok(hits)
    }
}

/// Where the first of some balances to last as long as it should began.
fn first_to_last(game: &GameBytes<'_>, balances: &[Material], variations: bool) -> Option<Found> {
    let mut lasted = vec![0; balances.len()];
    let mut before = None;
    let mut since = 0;
    let place = game.find(variations, |at, _, ply| {
        // A variation begins anew: what lasts, lasts inside one line.
        let follows = before.is_none_or(|before| ply == before + 1);
        before = Some(ply);
        for (balance, lasted) in balances.iter().zip(&mut lasted) {
            *lasted = match (balance.holds(at), follows) {
                (true, true) => *lasted + 1,
                (true, false) => 1,
                (false, _) => 0,
            };
            if *lasted >= balance.plies() {
                since = balance.plies() - 1;
                return Step::Here;
            }
        }
        Step::Go
    })?;
    Some(match place {
        Found::Main(ply) => Found::Main(ply - since.min(ply)),
        Found::Variation(line, ply) => Found::Variation(line, ply - since.min(ply)),
        Found::Nowhere => Found::Nowhere,
    })
}

/// What is known of whole games leaves most of them out: so a replay is a condition too, one that is never too narrow.
impl Condition for Arc<Replay> {
    fn propose(&self, segment: &Arc<Segment>, _: &Trouble) -> Result<Proposal, IndexError> {
        let replay = Arc::clone(self);
        let mut signature = segment.signatures()?;
        let mut flags = InOrder::of(segment.column(Column::Flags)?);
        let test = move |doc| {
            let flags = Flags::of(flags.get(doc));
            let Some(start) = systems::start(flags.code) else {
                return false;
            };
            // What a signature says of the main line it does not say of variations.
            let unknown = replay.variations && flags.has_variations;
            match &replay.look {
                Look::Plan(_) => true,
                Look::Sequence(search) => unknown || search.may_match(start.rules, &signature(doc)),
                Look::Material(balances) => {
                    unknown || {
                        let signature = signature(doc);
                        balances.iter().any(|balance| balance.may_hold(&signature))
                    }
                }
                Look::Pattern(matchers) => {
                    let found = matchers.iter().find(|(rules, _)| *rules == start.rules);
                    found.is_some_and(|(_, matcher)| {
                        !matcher.is_never() && (unknown || matcher.may_match(&signature(doc)))
                    })
                }
            }
        };
        Ok(Proposal {
            games: None,
            test: Some(Box::new(test)),
            cost: 8,
        })
    }

    fn is_broad(&self) -> bool {
        true
    }
}

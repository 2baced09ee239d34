//! Tests of replayed games: positions, patterns, balances of material, sequences.

use crate::error::Result;
use crate::model::game_bytes::{GameBytes, LinePly, Step};
use crate::model::game_set::GameSet;
use crate::model::signature::Signature;
use crate::model::stop::Stop;
use crate::query::expression::{PositionMatch, Query};
use crate::query::material::Material;
use crate::query::pattern::compile::Matcher;
use crate::query::pattern::{Pattern, PlyNumber};
use crate::query::sequence::run::SequenceMatcher;
use crate::search::position::WantedPosition;
use crate::storage::segment::Segment;
use tantivy::DocId;
use tridex_rules::RuleSystem;

/// The number of games whose signatures are read at once.
const PORTION: usize = 1_024;

/// What to search for in a replay.
#[derive(Debug)]
pub(crate) enum BoardTestKind {
    Position(Box<WantedPosition>),
    /// A pattern, compiled for each rule system.
    Pattern(Vec<(RuleSystem, Matcher)>),
    /// Any of some balances of material.
    Material(Vec<Material>),
    Sequence(Box<SequenceMatcher>),
}

impl BoardTestKind {
    /// A pattern for the rule systems that `is_meant` selects.
    pub(crate) fn pattern(pattern: &Pattern, is_meant: impl Fn(RuleSystem) -> bool) -> Self {
        let systems = RuleSystem::ALL.iter().filter(|rules| is_meant(**rules));
        let ready = |rules: &RuleSystem| (*rules, Matcher::new(pattern, *rules));
        Self::Pattern(systems.map(ready).collect())
    }
}

/// A test of replayed games.
#[derive(Debug)]
pub(crate) struct BoardTest {
    pub(crate) kind: BoardTestKind,
    /// Whether variations count.
    pub(crate) variations: bool,
}

impl BoardTest {
    /// The test for a query about the board; `None` for another query. `variations` is for all but positions, which an
    /// index lists; `listed` is whether it lists those of variations.
    pub(crate) fn of(query: &Query, variations: bool, listed: bool) -> Option<Self> {
        let (kind, variations) = match query {
            Query::Position(position) => {
                let kind = match position.position_match {
                    PositionMatch::FromTop => {
                        let pattern = Pattern::from_top(&position.setup);
                        BoardTestKind::pattern(&pattern, |rules| position.fits(rules))
                    }
                    _ => BoardTestKind::Position(Box::new(WantedPosition::new(position))),
                };
                (kind, listed)
            }
            Query::Pattern(pattern) => (BoardTestKind::pattern(pattern, |_| true), variations),
            Query::Material(balances) => (BoardTestKind::Material(balances.clone()), variations),
            Query::Sequence(sequence) => {
                let matcher = SequenceMatcher::new(sequence);
                (BoardTestKind::Sequence(matcher.into()), variations)
            }
            _ => return None,
        };
        Some(Self { kind, variations })
    }

    /// Whether lists contain the games that may pass.
    pub(crate) fn is_listed(&self) -> bool {
        matches!(self.kind, BoardTestKind::Position(_))
    }

    /// Returns the games of `within` that may pass, and whether all of them do.
    ///
    /// # Errors
    /// Returns an error if something it reads is damaged, or the search was stopped.
    pub(crate) fn candidates(
        &self,
        segment: &Segment,
        within: &GameSet,
        stop: &Stop,
    ) -> Result<(GameSet, bool)> {
        if let BoardTestKind::Position(position) = &self.kind {
            return position.candidates(segment, within);
        }
        let mut games = GameSet::default();
        let all: Vec<DocId> = within.iter().collect();
        for some in all.chunks(PORTION) {
            stop.check()?;
            for (doc, known) in some.iter().zip(segment.signatures(some)?) {
                // A signature covers the main line only, not variations.
                if known.is_some_and(|(rules, varies, signature)| {
                    self.may_pass(rules, self.variations && varies, &signature)
                }) {
                    games.insert(*doc);
                }
            }
        }
        Ok((games, false))
    }

    /// Whether a game may pass, judged by its rules and, unless `is_unknown` is set, by its signature. Never wrongly
    /// false.
    fn may_pass(&self, rules: RuleSystem, is_unknown: bool, signature: &Signature) -> bool {
        match &self.kind {
            BoardTestKind::Position(_) => true,
            BoardTestKind::Sequence(sequence) => is_unknown || sequence.may_match(rules, signature),
            BoardTestKind::Material(balances) => {
                is_unknown || balances.iter().any(|balance| balance.may_hold(signature))
            }
            BoardTestKind::Pattern(matchers) => matchers
                .iter()
                .any(|(of, matcher)| *of == rules && (is_unknown || matcher.may_match(signature))),
        }
    }

    /// The line in which a game first passes, and the ply. The ply may come before the line leaves its parent. `None`
    /// if the game is damaged.
    pub(crate) fn find(&self, game: &GameBytes<'_>) -> Option<Option<LinePly>> {
        match &self.kind {
            BoardTestKind::Position(position) => position.find(game, self.variations),
            BoardTestKind::Sequence(sequence) => sequence.find(game, self.variations),
            BoardTestKind::Material(balances) => first_to_last(game, balances, self.variations),
            BoardTestKind::Pattern(matchers) => {
                let rules = game.start.rules;
                let Some((_, matcher)) = matchers.iter().find(|(r, _)| *r == rules) else {
                    return Some(None);
                };
                let (first, last) = matcher.plies;
                game.find(self.variations, |at, later, ply| {
                    let matches = ply >= first && {
                        let number = PlyNumber {
                            number: ply,
                            is_last: later.is_last(ply),
                        };
                        matcher.matches_board(at, number).unwrap_or_else(|| {
                            let position = later.position(ply);
                            position.is_some_and(|p| matcher.matches(at, p, number))
                        })
                    };
                    if matches {
                        Step::Here
                    } else if ply >= last || at.total() < matcher.fewest {
                        // The number of pieces never increases.
                        Step::Over
                    } else {
                        Step::Go
                    }
                })
            }
        }
    }

    /// The plies of a sequence in a game, each with its variation. Empty if the sequence does not match, or if this is
    /// another kind of test. `None` if the game is damaged.
    pub(crate) fn plies(&self, game: &GameBytes<'_>) -> Option<Vec<LinePly>> {
        match &self.kind {
            BoardTestKind::Sequence(sequence) => sequence.plies(game, self.variations),
            _ => Some(Vec::new()),
        }
    }
}

/// Finds the first balance that lasts long enough. Returns the line in which it does, and the ply at which it began. As
/// for sequences, the moves that lead to a variation belong to its line.
fn first_to_last(
    game: &GameBytes<'_>,
    balances: &[Material],
    variations: bool,
) -> Option<Option<LinePly>> {
    game.lines(variations, |line, variation, _| {
        let (mut lasted, mut since) = (vec![0; balances.len()], 0);
        let found = line.walk(|at, _, _, _| {
            for (balance, lasted) in balances.iter().zip(&mut lasted) {
                *lasted = match balance.holds(at) {
                    true => *lasted + 1,
                    false => 0,
                };
                if *lasted >= balance.plies() {
                    since = balance.plies() - 1;
                    return Step::Here;
                }
            }
            Step::Go
        })?;
        Some(found.map(|ply| (variation, ply - since.min(ply))))
    })
}

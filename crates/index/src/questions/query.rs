//! Queries about games: fields, positions, patterns, material, in any combination.
//!
//! A [`Query`] is built from parts, or read from text by [`Query::parse`].

use crate::questions::date::DateRange;
use crate::questions::material::Material;
use crate::questions::pattern::Pattern;
use crate::questions::sequence::Sequence;
use crate::questions::symmetry::Symmetry;
use crate::texts::fields::TextField;
use crate::texts::words::Words;
use tridex_archive::GameResult;
use tridex_rules::{Position, RuleSystem, Setup, SetupError};

/// What of a position has to agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Sameness {
    /// What repetition compares (ruling C7): placement, whose turn it is, castling rights, lost double steps, and the
    /// en passant square when such a capture is legal.
    #[default]
    Exact,
    /// Placement and whose turn it is.
    Loose,
    /// The view from the top: the pieces in each column, on any level, and the side to move.
    Plan,
}

/// A position to look for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionQuery {
    pub(crate) setup: Setup,
    pub(crate) sameness: Sameness,
    /// The rule systems under which the position can be played, with the key it has there.
    pub(crate) keys: Vec<(RuleSystem, u64)>,
    /// Whether games of other systems than these do not match.
    pub(crate) of_one_system: bool,
}

impl PositionQuery {
    /// A position to look for in games of every rule system in which it can be played.
    ///
    /// # Errors
    /// If there is none; the fault is that under the first system of the board family.
    pub fn new(setup: Setup, sameness: Sameness) -> Result<Self, SetupError> {
        let mut fault = SetupError::WrongFamily;
        let mut keys = Vec::new();
        for rules in RuleSystem::ALL {
            match Position::from_setup(*rules, &setup) {
                Ok(position) => keys.push((*rules, position.key())),
                Err(error) if fault == SetupError::WrongFamily => fault = error,
                Err(_) => {}
            }
        }
        if keys.is_empty() && sameness == Sameness::Exact {
            return Err(fault);
        }
        Ok(Self {
            setup,
            sameness,
            keys,
            of_one_system: false,
        })
    }

    /// A position to look for in games of its rule system only.
    ///
    /// ```
    /// use tridex_index::{PositionQuery, Query, Sameness, position_after};
    /// use tridex_rules::RuleSystem;
    ///
    /// let position = position_after(RuleSystem::Meder, "b4N b5B")?;
    /// let query: Query = PositionQuery::of_position(&position, Sameness::Exact).into();
    /// assert!(query.is_about_board());
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    #[must_use]
    pub fn of_position(position: &Position, sameness: Sameness) -> Self {
        Self {
            setup: position.to_setup(),
            sameness,
            keys: vec![(position.rules(), position.key())],
            of_one_system: true,
        }
    }

    /// The position, or one that it becomes: if wanted with the king's side and the queen's side exchanged, which it only
    /// can be where no one may castle any more, and all these with the colours exchanged, as they are seen from the
    /// other player's chair.
    #[must_use]
    pub fn or_seen(self, mirrored: bool, swapped: bool) -> Query {
        let all = images(self, mirrored, swapped, Self::seen);
        let mut parts: Vec<Query> = Vec::new();
        for part in all.into_iter().map(Query::from) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        Query::one_of(parts)
    }

    fn seen(&self, symmetry: Symmetry) -> Vec<Self> {
        // From the other side a position is not the same under all rules.
        if !self.keys.is_empty() && (symmetry == Symmetry::Swap || self.of_one_system) {
            let under = |(rules, _): &(RuleSystem, u64)| {
                let setup = symmetry.setup(&self.setup, *rules)?;
                let position = Position::from_setup(*rules, &setup).ok()?;
                Some(Self::of_position(&position, self.sameness))
            };
            return self.keys.iter().filter_map(under).collect();
        }
        // A placement that cannot be played may be searched in games of all rules, in those of each as these see it.
        let mut images: Vec<(Setup, Vec<RuleSystem>)> = Vec::new();
        for rules in RuleSystem::ALL {
            if rules.family() != self.setup.family() {
                continue;
            }
            let Some(setup) = symmetry.setup(&self.setup, *rules) else {
                continue;
            };
            match images.iter_mut().find(|(known, _)| *known == setup) {
                Some((_, systems)) => systems.push(*rules),
                None => images.push((setup, vec![*rules])),
            }
        }
        if self.sameness == Sameness::Plan {
            // From the top pins of one corner look the same.
            images.truncate(1);
        }
        match images.as_slice() {
            [(setup, _)] => Self::new(setup.clone(), self.sameness)
                .into_iter()
                .collect(),
            _ => {
                let image = |(setup, systems): (Setup, Vec<RuleSystem>)| Self {
                    setup,
                    sameness: self.sameness,
                    // No key is compared where the placement is enough.
                    keys: systems.into_iter().map(|rules| (rules, 0)).collect(),
                    of_one_system: true,
                };
                images.into_iter().map(image).collect()
            }
        }
    }

    /// Whether games of a rule system may reach the position. A placement that cannot be played under any rules may be
    /// searched in games of all; one that was reached under some rules is searched in their games.
    pub(crate) fn fits(&self, rules: RuleSystem) -> bool {
        let is_of_all = self.sameness != Sameness::Exact && !self.of_one_system;
        rules.family() == self.setup.family() && (is_of_all || self.key(rules).is_some())
    }

    /// The key under a rule system, if the position is searched in its games.
    #[inline]
    pub(crate) fn key(&self, rules: RuleSystem) -> Option<u64> {
        let found = self.keys.iter().find(|(r, _)| *r == rules);
        found.map(|(_, key)| *key)
    }
}

impl From<PositionQuery> for Query {
    fn from(position: PositionQuery) -> Self {
        Self::Position(Box::new(position))
    }
}

/// A query about games.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Query {
    /// Every game.
    All,
    /// Words in a text.
    Text(TextField, Words),
    /// When it was played.
    Date(DateRange),
    /// How it ended.
    Result(GameResult),
    /// The rules it was played under.
    Rules(RuleSystem),
    /// How many plies it has, at least and at most.
    Plies(Option<u32>, Option<u32>),
    /// Ratings of both players, at least and at most.
    Ratings(Option<u32>, Option<u32>),
    /// What it is known by.
    Id(u64),
    /// Where it is from: a part of the name of the source, without regard to case.
    Source(String),
    /// A position occurs.
    Position(Box<PositionQuery>),
    /// A pattern occurs.
    Pattern(Pattern),
    /// A balance of material occurs and lasts.
    Material(Vec<Material>),
    /// Moves and positions occur in an order.
    Sequence(Sequence),
    /// The same, with patterns, material and sequences searched in variations too.
    InVariations(Box<Query>),
    /// The query's answer is no.
    Not(Box<Query>),
    /// All answers are yes.
    And(Vec<Query>),
    /// An answer is yes.
    Or(Vec<Query>),
}

impl Query {
    /// Words in a text: see [`Words::parse`].
    ///
    /// ```
    /// use tridex_index::{Material, Query, TextField};
    ///
    /// let material = Query::material(Material::parse("KR*:KB*")?, true);
    /// let query = Query::text(TextField::Player, "kirk").and(material);
    /// assert_eq!((query.is_about_board(), query.replays()), (true, 1));
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    #[must_use]
    pub fn text(field: TextField, words: &str) -> Self {
        Self::Text(field, Words::parse(words))
    }

    /// A balance of material, also with the colours exchanged if wanted.
    #[must_use]
    pub fn material(material: Material, either_side: bool) -> Self {
        Self::Material(images(material, false, either_side, |one, by| {
            vec![one.seen(by)]
        }))
    }

    /// A pattern, also mirrored and with colours exchanged if wanted.
    #[must_use]
    pub fn pattern(pattern: Pattern, mirrored: bool, swapped: bool) -> Self {
        let all = images(pattern, mirrored, swapped, |one, by| vec![one.seen(by)]);
        Self::Pattern(Pattern::any_of(all))
    }

    /// A sequence, also mirrored and with colours exchanged if wanted.
    ///
    /// ```
    /// use tridex_index::{Pattern, PositionQuery, Query, Sameness, Sequence, position_after};
    /// use tridex_rules::RuleSystem;
    ///
    /// let query = Query::sequence(Sequence::parse("white QL then white 0-0-0")?, true, true);
    /// assert_eq!(query.replays(), 1);
    /// let position = position_after(RuleSystem::Meder, "b4N")?;
    /// assert!(PositionQuery::of_position(&position, Sameness::Plan).or_seen(true, true).is_about_board());
    /// let either = Pattern::any_of(vec![Pattern::parse("Q=0")?, Pattern::parse("check")?]);
    /// assert!(!either.matches(&position, 1));
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    #[must_use]
    pub fn sequence(sequence: Sequence, mirrored: bool, swapped: bool) -> Self {
        let all = images(sequence, mirrored, swapped, |one, by| vec![one.seen(by)]);
        Self::Sequence(Sequence::any_of(all))
    }

    /// Any of some queries; of one this one.
    pub(crate) fn one_of(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            1 => parts.remove(0),
            _ => Self::Or(parts),
        }
    }

    /// How many parts of the query only replayed games answer: patterns, balances of material, sequences, views from the top. What
    /// an answer takes grows with them; at most [`MAX_REPLAYS`](crate::MAX_REPLAYS) are answered.
    #[must_use]
    pub fn replays(&self) -> usize {
        match self {
            Self::Pattern(_) | Self::Material(_) | Self::Sequence(_) => 1,
            Self::Position(position) => usize::from(position.sameness == Sameness::Plan),
            Self::Not(part) | Self::InVariations(part) => part.replays(),
            Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::replays).sum(),
            _ => 0,
        }
    }

    /// Whether a part of the query is about the board: a position, a pattern, a balance of material, a sequence.
    #[must_use]
    pub fn is_about_board(&self) -> bool {
        match self {
            Self::Position(_) | Self::Pattern(_) | Self::Material(_) | Self::Sequence(_) => true,
            Self::Not(part) | Self::InVariations(part) => part.is_about_board(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::is_about_board),
            _ => false,
        }
    }

    /// Both queries.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, query) | (query, Self::All) => query,
            (Self::And(mut parts), query) => {
                parts.push(query);
                Self::And(parts)
            }
            (a, b) => Self::And(vec![a, b]),
        }
    }
}

/// Something of the board, and it as it is seen in a mirror and from the other side, where that is wanted.
fn images<T>(
    one: T,
    mirrored: bool,
    swapped: bool,
    see: impl Fn(&T, Symmetry) -> Vec<T>,
) -> Vec<T> {
    let mut all = vec![one];
    for (is_wanted, symmetry) in [(mirrored, Symmetry::Mirror), (swapped, Symmetry::Swap)] {
        if is_wanted {
            let more: Vec<T> = all.iter().flat_map(|one| see(one, symmetry)).collect();
            all.extend(more);
        }
    }
    all
}

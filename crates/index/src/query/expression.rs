//! Queries about games: fields, positions, patterns and material in any combination.
//!
//! A [`Query`] is built from parts, or parsed from text by [`Query::parse`].

use crate::model::contents::Content;
use crate::model::ending::GameEnding;
use crate::query::date_range::DateRange;
use crate::query::material::Material;
use crate::query::pattern::Pattern;
use crate::query::sequence::Sequence;
use crate::query::symmetry::Symmetry;
use crate::text::text_field::TextField;
use crate::text::words::Words;
use tridex_archive::GameResult;
use tridex_rules::{Color, Position, RuleSystem, Setup, SetupError};

/// How exactly a position must agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum PositionMatch {
    /// Everything that repetition compares (ruling same-position): placement, side to move, castling rights, lost
    /// double steps, and the en passant square if such a capture is legal.
    #[default]
    Exact,
    /// Placement and side to move.
    Loose,
    /// The view from the top: the pieces in each column, on any level, and the side to move.
    FromTop,
}

/// A position to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionQuery {
    pub(crate) setup: Setup,
    pub(crate) position_match: PositionMatch,
    /// The rule systems under which the position is valid, with its key under each.
    pub(crate) keys: Vec<(RuleSystem, u64)>,
    /// Whether only games of these systems can match.
    pub(crate) of_one_system: bool,
}

impl PositionQuery {
    /// Creates a query for a position in games of every rule system under which it is valid.
    ///
    /// # Errors
    /// If it is valid under no system, returns the fault under the first system of its board family.
    pub fn new(setup: Setup, position_match: PositionMatch) -> Result<Self, SetupError> {
        let mut fault = SetupError::WrongFamily;
        let mut keys = Vec::new();
        for rules in RuleSystem::ALL {
            match Position::from_setup(*rules, &setup) {
                Ok(position) => keys.push((*rules, position.key())),
                Err(error) if fault == SetupError::WrongFamily => fault = error,
                Err(_) => {}
            }
        }
        if keys.is_empty() && position_match == PositionMatch::Exact {
            return Err(fault);
        }
        Ok(Self {
            setup,
            position_match,
            keys,
            of_one_system: false,
        })
    }

    /// Creates a query for a position in games of its own rule system.
    ///
    /// ```
    /// use tridex_index::{PositionQuery, Query, PositionMatch, position_after};
    /// use tridex_rules::RuleSystem;
    ///
    /// let position = position_after(RuleSystem::Meder, "b4N b5B")?;
    /// let query: Query = PositionQuery::of_position(&position, PositionMatch::Exact).into();
    /// assert!(query.is_about_board());
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    #[must_use]
    pub fn of_position(position: &Position, position_match: PositionMatch) -> Self {
        Self {
            setup: position.to_setup(),
            position_match,
            keys: vec![(position.rules(), position.key())],
            of_one_system: true,
        }
    }

    /// Returns a query for the position or its images. `mirrored` adds the image with king's side and queen's side
    /// exchanged, which only exists if no one may still castle. `swapped` adds each of these as seen from the other
    /// player's side, with the colours exchanged.
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
        // The image from the other side can differ from one rule system to another.
        if !self.keys.is_empty() && (symmetry == Symmetry::Swap || self.of_one_system) {
            let under = |(rules, _): &(RuleSystem, u64)| {
                let setup = symmetry.setup(&self.setup, *rules)?;
                let position = Position::from_setup(*rules, &setup).ok()?;
                Some(Self::of_position(&position, self.position_match))
            };
            return self.keys.iter().filter_map(under).collect();
        }
        // An invalid placement can be searched in games of all systems. Each system may have another image of it.
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
        if self.position_match == PositionMatch::FromTop {
            // From the top, the two pins of a corner look the same, so one image is enough.
            images.truncate(1);
        }
        match images.as_slice() {
            [(setup, _)] => Self::new(setup.clone(), self.position_match)
                .into_iter()
                .collect(),
            _ => {
                let image = |(setup, systems): (Setup, Vec<RuleSystem>)| Self {
                    setup,
                    position_match: self.position_match,
                    // These searches compare placements only, so the keys are not used.
                    keys: systems.into_iter().map(|rules| (rules, 0)).collect(),
                    of_one_system: true,
                };
                images.into_iter().map(image).collect()
            }
        }
    }

    /// Whether games of a rule system may reach the position. An inexact query that is not limited to certain systems
    /// applies to games of all systems on its board, even if no rules allow the position.
    pub(crate) fn fits(&self, rules: RuleSystem) -> bool {
        let is_of_all = self.position_match != PositionMatch::Exact && !self.of_one_system;
        rules.family() == self.setup.family() && (is_of_all || self.key(rules).is_some())
    }

    /// The key of the position under a rule system, if its games are searched.
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
    /// Words in the value of a tag, whose name is matched without regard to case.
    Tag(String, Words),
    /// A text is known; for [`TextField::Player`] and [`TextField::Any`], at least one of the texts.
    Known(TextField),
    /// A tag has a value other than `?`.
    KnownTag(String),
    /// When the game was played. Without ends: the year is known.
    Date(DateRange),
    /// How the game ended.
    Result(GameResult),
    /// How the game ended, by the rules or as the record states.
    Ending(GameEnding),
    /// How the game ended is known.
    KnownEnding,
    /// The record has something besides moves.
    Has(Content),
    /// The record has a NAG, as its number or as a sign such as `!?`.
    Nag(u8),
    /// The smallest and the greatest value of the least time that a clock showed in the main line, in seconds. Without
    /// ends: a time is known.
    Clock(Option<u32>, Option<u32>),
    /// The smallest and the greatest value of what the worst move of the main line lost by the evaluations before and
    /// after it, in hundredths of a pawn. Without ends: such evaluations are known.
    Drop(Option<u32>, Option<u32>),
    /// The rules under which the game was played.
    Rules(RuleSystem),
    /// The smallest and the greatest number of plies.
    Plies(Option<u32>, Option<u32>),
    /// The smallest and the greatest rating, which both players' ratings must satisfy. Without ends: both are known.
    Ratings(Option<u32>, Option<u32>),
    /// The smallest and the greatest rating of a player. Without ends: it is known.
    Rating(Color, Option<u32>, Option<u32>),
    /// The smallest and the greatest difference of both ratings, without its sign. Without ends: both are known.
    RatingDifference(Option<u32>, Option<u32>),
    /// The id of the game.
    Id(u64),
    /// A part of the name of the source, without regard to case.
    Source(String),
    /// A position occurs.
    Position(Box<PositionQuery>),
    /// A pattern occurs.
    Pattern(Pattern),
    /// A balance of material occurs and lasts.
    Material(Vec<Material>),
    /// Moves and positions occur in an order.
    Sequence(Sequence),
    /// The inner query, which also searches variations for patterns, material and sequences.
    InVariations(Box<Query>),
    /// The inner query does not match.
    Not(Box<Query>),
    /// All inner queries match.
    And(Vec<Query>),
    /// At least one inner query matches.
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

    /// Creates a query for a balance of material. `either_side` adds the balance with the colours exchanged.
    #[must_use]
    pub fn material(material: Material, either_side: bool) -> Self {
        Self::Material(images(material, false, either_side, |one, by| {
            vec![one.seen(by)]
        }))
    }

    /// Creates a query for a pattern, optionally also mirrored and with the colours exchanged.
    #[must_use]
    pub fn pattern(pattern: Pattern, mirrored: bool, swapped: bool) -> Self {
        let all = images(pattern, mirrored, swapped, |one, by| vec![one.seen(by)]);
        Self::Pattern(Pattern::any_of(all))
    }

    /// Creates a query for a sequence, optionally also mirrored and with the colours exchanged.
    ///
    /// ```
    /// use tridex_index::{Pattern, PositionQuery, Query, PositionMatch, Sequence, position_after};
    /// use tridex_rules::RuleSystem;
    ///
    /// let query = Query::sequence(Sequence::parse("white QL then white 0-0-0")?, true, true);
    /// assert_eq!(query.replays(), 1);
    /// let position = position_after(RuleSystem::Meder, "b4N")?;
    /// assert!(PositionQuery::of_position(&position, PositionMatch::FromTop).or_seen(true, true).is_about_board());
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

    /// The number of parts that need a replay of games: patterns, balances of material, sequences, views from the top.
    /// The time for an answer grows with it. At most [`MAX_REPLAYS`](crate::MAX_REPLAYS) are allowed.
    #[must_use]
    pub fn replays(&self) -> usize {
        match self {
            Self::Pattern(_) | Self::Material(_) | Self::Sequence(_) => 1,
            Self::Position(position) => {
                usize::from(position.position_match == PositionMatch::FromTop)
            }
            Self::Not(part) | Self::InVariations(part) => part.replays(),
            Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::replays).sum(),
            _ => 0,
        }
    }

    /// Whether a part of the query concerns the board: a position, a pattern, a balance of material or a sequence.
    #[must_use]
    pub fn is_about_board(&self) -> bool {
        match self {
            Self::Position(_) | Self::Pattern(_) | Self::Material(_) | Self::Sequence(_) => true,
            Self::Not(part) | Self::InVariations(part) => part.is_about_board(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::is_about_board),
            _ => false,
        }
    }

    /// A query that matches if both queries do.
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

/// Returns a value and its images: in a mirror if `mirrored` is set, and each from the other side if `swapped` is set.
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

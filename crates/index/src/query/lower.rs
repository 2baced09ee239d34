//! Converts parsed requests and parsed queries to a [`Query`].
//!
//! Fields that change others (`mirrored`, `lasting`, `rules` with a position) change the fields of their *group*. On a
//! command line, a group is all options. In the query language it is the terms joined by `and`, without those in inner
//! brackets.

use crate::error::{IndexError, Result};
use crate::model::indexed_game::IndexedGame;
use crate::query::clause::{Clause, Modifiers};
use crate::query::expression::{PositionMatch, PositionQuery, Query};
use crate::query::field_table::FIELDS;
use crate::query::fields::Field;
use crate::query::positions::{after, playable};
use crate::query::query_language::{self, Term, Tree};
use crate::query::values::text;
use crate::query_error::QueryError;
use crate::text::text_field::TextField;
use tridex_rules::{Color, Position, RuleSystem, Setup, SetupError};
use tridex_text::near;

impl Query {
    /// Parses a query in the language of `grammars/query.ebnf`. It cannot name games, which takes an index: see
    /// [`SearchRequest::query`](crate::SearchRequest::query).
    ///
    /// ```
    /// use tridex_index::Query;
    ///
    /// assert!(Query::parse("(white:kirk or black:kirk) after:2001 pattern:\"Q=0\"").is_ok());
    /// let error = Query::parse("player:kirk wite:spock").unwrap_err();
    /// assert_eq!(error.span, 12..16);
    /// ```
    ///
    /// # Errors
    /// Returns the place of the first thing that is not understood. Also fails for texts that are longer than
    /// [`MAX_LENGTH`](crate::MAX_LENGTH) bytes or nested deeper than [`MAX_NESTING`](crate::MAX_NESTING).
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let tree = query_language::parse(text)?;
        lower(&tree, text, None).map_err(only_query)
    }
}

/// Reads the game that a value names, such as `games.pgn:12`.
pub(crate) type ReadGame<'a> = &'a dyn Fn(&str) -> Result<IndexedGame>;

/// Without an index, there are no other errors than those of queries.
pub(crate) fn only_query(error: IndexError) -> QueryError {
    match error {
        IndexError::Query(error) => *error,
        other => QueryError::at("", 0, other.to_string()),
    }
}

/// A clause of a group, and where it comes from.
pub(crate) type Part<'a> = (Clause, Origin<'a>);

/// Where a clause comes from.
#[derive(Clone, Copy, Default)]
pub(crate) struct Origin<'a> {
    /// The field; `None` for a word without a field and for something in brackets.
    pub(crate) field: Option<&'static Field>,
    pub(crate) value: &'a str,
    /// The term and the whole query, if the value is part of a query.
    pub(crate) within: Option<(&'a Term, &'a str)>,
    /// The title, if the value is a saved query.
    pub(crate) title: Option<&'a str>,
}

impl Origin<'_> {
    pub(crate) fn field_name(self) -> &'static str {
        self.field.map_or("", |field| field.name)
    }

    /// The error of a value that is not as expected.
    pub(crate) fn fault(self, expected: impl Into<String>) -> QueryError {
        let title = self.field.map_or_else(String::new, Field::title);
        QueryError::at(self.value, 0, expected).of(title)
    }

    /// Converts an error in the value to one in the text that contains the value.
    pub(crate) fn place(self, found: QueryError) -> QueryError {
        match (self.within, self.title) {
            (None, None) => found,
            (None, Some(title)) => found.of(title),
            (Some((term, text)), _) => QueryError {
                what: "the query".into(),
                span: term.place(text, found.span.start)..term.place(text, found.span.end),
                text: text.into(),
                ..found
            },
        }
    }
}

/// Converts a parsed query. Recurses as deep as the query is nested.
fn lower(tree: &Tree, text: &str, games: Option<ReadGame<'_>>) -> Result<Query> {
    match tree {
        Tree::Not(part) => Ok(Query::Not(Box::new(lower(part, text, games)?))),
        Tree::Or(parts) => {
            let parts = parts.iter().map(|part| lower(part, text, games));
            Ok(Query::Or(parts.collect::<Result<_, _>>()?))
        }
        Tree::And(parts) => in_words(parts, text, games),
        Tree::Leaf(_) => in_words(std::slice::from_ref(tree), text, games),
    }
}

/// Converts terms that are joined by `and`.
fn in_words<'a>(trees: &'a [Tree], text: &'a str, games: Option<ReadGame<'_>>) -> Result<Query> {
    let mut modifiers = Modifiers::default();
    let part = |tree: &'a Tree| match tree {
        Tree::Leaf(term) => Ok(read(term, text, &mut modifiers)?),
        brackets => {
            let query = lower(brackets, text, games)?;
            Ok((Clause::Query(query), Origin::default()))
        }
    };
    let parts = trees.iter().map(part).collect::<Result<_>>()?;
    group(parts, &modifiers, games)
}

fn read<'a>(
    term: &'a Term,
    whole: &'a str,
    modifiers: &mut Modifiers,
) -> Result<Part<'a>, QueryError> {
    let mut origin = Origin {
        value: &term.value.text,
        within: Some((term, whole)),
        ..Origin::default()
    };
    let Some(name) = &term.name else {
        let wanted = text(&term.value);
        let wanted = wanted.map_err(|fault| origin.place(fault.of("the query")))?;
        return Ok((Clause::Query(wanted.in_text(TextField::Any)), origin));
    };
    let field = Field::find(name).ok_or_else(|| QueryError {
        what: "the query".into(),
        span: term.start(whole)..term.start(whole) + name.len(),
        text: whole.into(),
        ..no_field(name, ":")
    })?;
    origin.field = Some(field);
    let clause = field.read(&term.value, modifiers);
    let clause = clause.map_err(|fault| origin.place(fault))?;
    Ok((clause, origin))
}

/// The error of an unknown field.
pub(crate) fn no_field(name: &str, colon: &str) -> QueryError {
    let names: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
    let near = near(name, &names).into_iter();
    let near: Vec<String> = near.map(|name| format!("{name}{colon}")).collect();
    let expected = match near.is_empty() {
        true => {
            "the name of a field such as player:, date: or pattern: (the help of search lists all fields)"
        }
        false => "the name of a field",
    };
    QueryError::at(name, 0, expected).near(near)
}

impl Modifiers {
    fn position_match(&self, asked: PositionMatch) -> PositionMatch {
        match asked {
            PositionMatch::Exact if self.loose => PositionMatch::Loose,
            asked => asked,
        }
    }

    fn seen(&self, position: PositionQuery) -> Query {
        position.or_seen(self.mirrored, self.swapped)
    }
}

/// Combines the clauses of a group into a query that requires all of them.
pub(crate) fn group(
    parts: Vec<Part<'_>>,
    modifiers: &Modifiers,
    games: Option<ReadGame<'_>>,
) -> Result<Query> {
    for part in &parts {
        lacks(part, &parts)?;
    }
    let mut query = Query::All;
    for (clause, origin) in parts {
        let part = self::clause(clause, origin, modifiers, games);
        query = query.and(part.map_err(|fault| match fault {
            IndexError::Query(fault) => origin.place(*fault).into(),
            other => other,
        })?);
    }
    Ok(match modifiers.variations {
        true => Query::InVariations(Box::new(query)),
        false => query,
    })
}

/// Checks that a clause which changes other fields has a field to change.
///
/// # Errors
/// Returns an error if there is none.
fn lacks((clause, origin): &Part<'_>, all: &[Part<'_>]) -> Result<(), QueryError> {
    let Some(field) = origin.field else {
        return Ok(());
    };
    let is_other = |(other, origin): &Part<'_>| {
        let of = origin.field_name();
        // Ignores a switch that is off and `loose`, which is not a position itself.
        let is_nothing = match other {
            Clause::Nothing => true,
            Clause::Change => of == "loose",
            _ => false,
        };
        field.goes_with.contains(&of) && !is_nothing
    };
    let is_change = matches!(clause, Clause::Change) && !field.goes_with.is_empty();
    if !is_change || all.iter().any(is_other) {
        return Ok(());
    }
    let besides = format!("{} besides", field.goes_with.join(" or "));
    Err(QueryError {
        what: format!("--{}", field.name).into(),
        goes_with: field.goes_with,
        ..origin.place(origin.fault(besides))
    })
}

/// Converts a clause to a query. Errors refer to its value.
fn clause(
    clause: Clause,
    origin: Origin<'_>,
    modifiers: &Modifiers,
    games: Option<ReadGame<'_>>,
) -> Result<Query> {
    Ok(match clause {
        Clause::Query(query) => query,
        Clause::Words(tree) => lower(&tree, origin.value, games)?,
        Clause::Player(wanted) => {
            let field = match modifiers.side {
                None => TextField::Player,
                Some(Color::White) => TextField::White,
                Some(Color::Black) => TextField::Black,
            };
            wanted.in_text(field)
        }
        Clause::Position(setup, position_match) => {
            modifiers.seen(by_setup(*setup, modifiers, position_match, origin)?)
        }
        Clause::Moves => {
            let systems = match modifiers.rules.as_slice() {
                [] => RuleSystem::ALL,
                systems => systems,
            };
            let position_match = modifiers.position_match(PositionMatch::Exact);
            let positions = after(systems, origin.value)?;
            let position =
                |position| modifiers.seen(PositionQuery::of_position(position, position_match));
            Query::one_of(positions.iter().map(position).collect())
        }
        Clause::Game => of_game(modifiers, games, origin)?,
        Clause::Pattern(pattern) => Query::pattern(pattern, modifiers.mirrored, modifiers.swapped),
        Clause::Sequence(sequence) => {
            Query::sequence(sequence, modifiers.mirrored, modifiers.swapped)
        }
        Clause::Material(material) => Query::material(
            material.lasting(modifiers.lasting.unwrap_or(0)),
            modifiers.swapped,
        ),
        Clause::Change | Clause::Nothing => Query::All,
    })
}

/// A query for a position, in games of the requested system, or of every system under which it is valid.
fn by_setup(
    setup: Setup,
    modifiers: &Modifiers,
    position_match: PositionMatch,
    origin: Origin<'_>,
) -> Result<PositionQuery, QueryError> {
    let position_match = modifiers.position_match(position_match);
    let unplayable = |rules, fault| origin.fault(playable(rules, fault));
    if let [rules] = modifiers.rules[..] {
        if setup.family() != rules.family() {
            return Err(unplayable(Some(rules), SetupError::WrongFamily));
        }
        if position_match == PositionMatch::Exact {
            let position = Position::from_setup(rules, &setup);
            let position = position.map_err(|fault| unplayable(Some(rules), fault))?;
            return Ok(PositionQuery::of_position(&position, position_match));
        }
    }
    PositionQuery::new(setup, position_match).map_err(|fault| unplayable(None, fault))
}

/// A query for the position of a game in the index.
fn of_game(
    modifiers: &Modifiers,
    games: Option<ReadGame<'_>>,
    origin: Origin<'_>,
) -> Result<Query> {
    let read = games
        .ok_or_else(|| origin.fault("a request without --game, which names a game of an index"))?;
    let found = read(origin.value)?;
    let plies = found.entry.moves.len();
    let ply = modifiers.ply.unwrap_or(plies as u32);
    let moves = found.line_to(None, ply).ok_or_else(|| {
        origin.fault(format!(
            "at most {plies} plies, the length of the game, not {ply}"
        ))
    })?;
    let position = found.entry.start_position();
    let mut position = position.map_err(|fault| origin.fault(playable(None, fault)))?;
    for m in &moves {
        position.play_unchecked(*m);
    }
    let position = by_setup(position.to_setup(), modifiers, PositionMatch::Exact, origin)?;
    Ok(modifiers.seen(position))
}

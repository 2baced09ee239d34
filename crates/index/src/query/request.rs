//! Requests: values of fields, combined into one query.
//!
//! Fields that change others (`mirrored`, `lasting`, `rules` with a position) change the fields of their *group*. On a
//! command line, a group is all options. In the query language it is the terms joined by `and`, without those in inner
//! brackets.

#[cfg(test)]
mod tests;

use crate::error::{IndexError, Result};
use crate::model::move_text::positions_after;
use crate::query::expression::{PositionQuery, Query, Sameness};
use crate::query::fields::{Changes, Clause, FIELDS, Field, ONE_POSITION, set_up, text};
use crate::query::query_language::{self, Term, Tree, Value};
use crate::query_error::QueryError;
use crate::read::index::{GameId, GameIndex};
use crate::search::collect::{Hits, SearchOptions};
use crate::search::text_queries::TextField;
use tridex_notation::position_string::system_for;
use tridex_rules::{Color, Position, RuleSystem, Setup, SetupError};
use tridex_text::enumeration;
use tridex_text::near;

/// A request to an index: values of [`FIELDS`], all of which must match, and which part of the hits to return in which
/// order.
///
/// ```
/// use tridex_index::SearchRequest;
/// let mut request = SearchRequest::default();
/// request.set("player", "spock")?;
/// request.set("query", "after:2001 or pattern:check")?;
/// assert!(request.set("plaier", "spock").unwrap_err().did_you_mean.contains(&"player".to_owned()));
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct SearchRequest {
    given: Vec<(&'static Field, String)>,
    /// Saved queries with their titles.
    saved: Vec<(String, String)>,
    /// Which part of the hits to return, and in which order.
    pub options: SearchOptions,
}

impl SearchRequest {
    /// Gives a field a value. The value is parsed when the request becomes a query.
    ///
    /// # Errors
    /// Returns an error if there is no such field.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<(), QueryError> {
        let field = Field::find(name).ok_or_else(|| no_field(name, ""))?;
        self.add(field, value);
        Ok(())
    }

    /// Like [`SearchRequest::set`], for a field of the table. A field that may be given once keeps only the last value.
    pub fn add(&mut self, field: &'static Field, value: impl Into<String>) {
        if !field.is_many {
            self.given.retain(|(other, _)| other.name != field.name);
        }
        self.given.push((field, value.into()));
    }

    /// Adds a query with a title for messages, such as "the query won".
    pub fn add_saved(&mut self, title: impl Into<String>, query: impl Into<String>) {
        self.saved.push((title.into(), query.into()));
    }

    /// The values given to a field.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let given = self
            .given
            .iter()
            .filter(move |(field, _)| field.name == name);
        given.map(|(_, value)| value.as_str())
    }

    /// Whether nothing was given, so that every game matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.saved.is_empty()
    }

    /// The fields that have values. A field with several values is listed once for each.
    pub fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.given.iter().map(|(field, _)| *field)
    }

    /// Combines all values into a query. Games that are named are looked up in the index.
    ///
    /// # Errors
    /// Returns an error if a value is not understood, needs a field that is not given, or names a game that is not in
    /// the index.
    pub fn query(&self, index: &GameIndex) -> Result<Query> {
        self.lowered(Some(index))
    }

    /// Like [`SearchRequest::query`], but without an index, so that no game can be named.
    ///
    /// ```
    /// use tridex_index::SearchRequest;
    ///
    /// let mut request = SearchRequest::default();
    /// request.set("player", "kirk")?;
    /// request.add_saved("won", "result:1-0");
    /// assert!(!request.is_empty());
    /// assert_eq!(request.values("player").collect::<Vec<_>>(), ["kirk"]);
    /// assert_eq!(request.fields().count(), 1);
    /// assert!(!request.query_without_index()?.is_about_board());
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// As [`SearchRequest::query`].
    pub fn query_without_index(&self) -> Result<Query, QueryError> {
        self.lowered(None).map_err(only_query)
    }

    fn lowered(&self, index: Option<&GameIndex>) -> Result<Query> {
        let (mut parts, mut changes) = (Vec::new(), Changes::default());
        for field in FIELDS {
            for value in self.values(field.name) {
                let origin = Origin {
                    field: Some(field),
                    value,
                    ..Origin::default()
                };
                parts.push((field.read(&Value::given(value), &mut changes)?, origin));
            }
        }
        let is_position = |(_, origin): &&Part<'_>| ONE_POSITION.contains(&origin.field_name());
        if let Some((_, second)) = parts.iter().filter(is_position).nth(1) {
            let expected = "one position: position, moves and game are three ways to give it";
            return Err(second.fault(expected).into());
        }
        for (title, text) in &self.saved {
            let origin = Origin {
                value: text,
                title: Some(title),
                ..Origin::default()
            };
            let tree = query_language::parse(text).map_err(|fault| origin.place(fault))?;
            parts.push((Clause::Words(tree), origin));
        }
        group(parts, &changes, index)
    }
}

impl GameIndex {
    /// Returns the games that match a request.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// let mut request = tridex_index::SearchRequest::default();
    /// request.set("player", "kirk")?;
    /// request.set("pattern", "p@a6N")?;
    /// assert_eq!(index.answer(&request)?.hits[0].ply, Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the request is not understood, or if the search fails.
    pub fn answer(&self, request: &SearchRequest) -> Result<Hits> {
        self.search(&request.query(self)?, &request.options)
    }
}

impl Query {
    /// Parses a query in the language of `grammars/query.ebnf`. It cannot name games, which takes an index: see
    /// [`SearchRequest::query`].
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

/// Without an index, there are no other errors than those of queries.
fn only_query(error: IndexError) -> QueryError {
    match error {
        IndexError::Query(error) => *error,
        other => QueryError::at("", 0, other.to_string()),
    }
}

/// A clause of a group, and where it comes from.
type Part<'a> = (Clause, Origin<'a>);

/// Where a clause comes from.
#[derive(Clone, Copy, Default)]
struct Origin<'a> {
    /// The field; `None` for a word without a field and for something in brackets.
    field: Option<&'static Field>,
    value: &'a str,
    /// The term and the whole query, if the value is part of a query.
    within: Option<(&'a Term, &'a str)>,
    /// The title, if the value is a saved query.
    title: Option<&'a str>,
}

impl Origin<'_> {
    fn field_name(self) -> &'static str {
        self.field.map_or("", |field| field.name)
    }

    /// The error of a value that is not as expected.
    fn fault(self, expected: impl Into<String>) -> QueryError {
        let title = self.field.map_or_else(String::new, Field::title);
        QueryError::at(self.value, 0, expected).of(title)
    }

    /// Converts an error in the value to one in the text that contains the value.
    fn place(self, found: QueryError) -> QueryError {
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
fn lower(tree: &Tree, text: &str, index: Option<&GameIndex>) -> Result<Query> {
    match tree {
        Tree::Not(part) => Ok(Query::Not(Box::new(lower(part, text, index)?))),
        Tree::Or(parts) => {
            let parts = parts.iter().map(|part| lower(part, text, index));
            Ok(Query::Or(parts.collect::<Result<_, _>>()?))
        }
        Tree::And(parts) => in_words(parts, text, index),
        Tree::Leaf(_) => in_words(std::slice::from_ref(tree), text, index),
    }
}

/// Converts terms that are joined by `and`.
fn in_words<'a>(trees: &'a [Tree], text: &'a str, index: Option<&GameIndex>) -> Result<Query> {
    let mut changes = Changes::default();
    let part = |tree: &'a Tree| match tree {
        Tree::Leaf(term) => Ok(read(term, text, &mut changes)?),
        brackets => {
            let query = lower(brackets, text, index)?;
            Ok((Clause::Query(query), Origin::default()))
        }
    };
    let parts = trees.iter().map(part).collect::<Result<_>>()?;
    group(parts, &changes, index)
}

fn read<'a>(term: &'a Term, whole: &'a str, changes: &mut Changes) -> Result<Part<'a>, QueryError> {
    let mut origin = Origin {
        value: &term.value.text,
        within: Some((term, whole)),
        ..Origin::default()
    };
    let Some(name) = &term.name else {
        let clause = Clause::Query(Query::Text(TextField::Any, text(&term.value)));
        return Ok((clause, origin));
    };
    let field = Field::find(name).ok_or_else(|| QueryError {
        what: "the query".into(),
        span: term.start(whole)..term.start(whole) + name.len(),
        text: whole.into(),
        ..no_field(name, ":")
    })?;
    origin.field = Some(field);
    let clause = field.read(&term.value, changes);
    let clause = clause.map_err(|fault| origin.place(fault))?;
    Ok((clause, origin))
}

/// The error of an unknown field.
fn no_field(name: &str, colon: &str) -> QueryError {
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

impl Changes {
    fn sameness(&self, asked: Sameness) -> Sameness {
        match asked {
            Sameness::Exact if self.loose => Sameness::Loose,
            asked => asked,
        }
    }

    fn seen(&self, position: PositionQuery) -> Query {
        position.or_seen(self.mirrored, self.swapped)
    }
}

/// Combines the clauses of a group into a query that requires all of them.
fn group(parts: Vec<Part<'_>>, changes: &Changes, index: Option<&GameIndex>) -> Result<Query> {
    for part in &parts {
        lacks(part, &parts)?;
    }
    let mut query = Query::All;
    for (clause, origin) in parts {
        let part = self::clause(clause, origin, changes, index);
        query = query.and(part.map_err(|fault| match fault {
            IndexError::Query(fault) => origin.place(*fault).into(),
            other => other,
        })?);
    }
    Ok(match changes.variations {
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
    changes: &Changes,
    index: Option<&GameIndex>,
) -> Result<Query> {
    Ok(match clause {
        Clause::Query(query) => query,
        Clause::Words(tree) => lower(&tree, origin.value, index)?,
        Clause::Player(words) => {
            let field = match changes.side {
                None => TextField::Player,
                Some(Color::White) => TextField::White,
                Some(Color::Black) => TextField::Black,
            };
            Query::Text(field, words)
        }
        Clause::Position(setup, sameness) => {
            changes.seen(by_setup(*setup, changes, sameness, origin)?)
        }
        Clause::Moves => {
            let systems = match &changes.rules {
                Some(rules) => std::slice::from_ref(rules),
                None => RuleSystem::ALL,
            };
            let sameness = changes.sameness(Sameness::Exact);
            let positions = after(systems, origin.value)?;
            let position = |position| changes.seen(PositionQuery::of_position(position, sameness));
            Query::one_of(positions.iter().map(position).collect())
        }
        Clause::Game => of_game(changes, index, origin)?,
        Clause::Pattern(pattern) => Query::pattern(pattern, changes.mirrored, changes.swapped),
        Clause::Sequence(sequence) => Query::sequence(sequence, changes.mirrored, changes.swapped),
        Clause::Material(material) => Query::material(
            material.lasting(changes.lasting.unwrap_or(0)),
            changes.swapped,
        ),
        Clause::Change | Clause::Nothing => Query::All,
    })
}

/// A query for a position, in games of the requested system, or of every system under which it is valid.
fn by_setup(
    setup: Setup,
    changes: &Changes,
    sameness: Sameness,
    origin: Origin<'_>,
) -> Result<PositionQuery, QueryError> {
    let sameness = changes.sameness(sameness);
    let unplayable = |rules, fault| origin.fault(playable(rules, fault));
    if let Some(rules) = changes.rules {
        if setup.family() != rules.family() {
            return Err(unplayable(Some(rules), SetupError::WrongFamily));
        }
        if sameness == Sameness::Exact {
            let position = Position::from_setup(rules, &setup);
            let position = position.map_err(|fault| unplayable(Some(rules), fault))?;
            return Ok(PositionQuery::of_position(&position, sameness));
        }
    }
    PositionQuery::new(setup, sameness).map_err(|fault| unplayable(None, fault))
}

fn playable(rules: Option<RuleSystem>, fault: SetupError) -> String {
    let name = rules.map_or("any system", RuleSystem::name);
    let others = match (rules, fault) {
        (Some(rules), SetupError::WrongFamily) => {
            let all = RuleSystem::ALL.iter();
            let others = all.filter(|other| other.family() != rules.family());
            let others: Vec<&str> = others.map(|other| other.name()).collect();
            format!(", that of {}", enumeration(&others, "and"))
        }
        _ => String::new(),
    };
    format!("a position that can be played under {name}: {fault}{others}")
}

/// A query for the position of a game in the index.
fn of_game(changes: &Changes, index: Option<&GameIndex>, origin: Origin<'_>) -> Result<Query> {
    let index = index
        .ok_or_else(|| origin.fault("a request without --game, which names a game of an index"))?;
    let found = index.game(find_game(index, origin.value)?)?;
    let plies = found.entry.moves.len();
    let ply = changes.ply.unwrap_or(plies as u32);
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
    let position = by_setup(position.to_setup(), changes, Sameness::Exact, origin)?;
    Ok(changes.seen(position))
}

/// Returns the game with an id, or with a file and number, such as `games.pgn:12`.
///
/// ```
/// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
/// # use tridex_rules::RuleSystem;
/// # let folder = tempfile::tempdir()?;
/// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
/// # writer.begin_source("games.pgn")?;
/// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
/// # game.tags.push(("White".into(), "Kirk, James".into()));
/// # writer.add_all(&[game])?;
/// # writer.end_source(None);
/// # writer.finish()?;
/// let index = GameIndex::open(folder.path())?;
/// let id = tridex_index::find_game(&index, "games.pgn:1")?;
/// let name = format!("{:016x}", index.game(id)?.id);
/// assert_eq!(tridex_index::find_game(&index, &name)?, id);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the name is neither an id nor a file and number, or if there is no such game. If files of the index are damaged and
/// the game is not in the others, the error is the damage.
pub fn find_game(index: &GameIndex, name: &str) -> Result<GameId> {
    let id = u64::from_str_radix(name, 16).ok();
    let id = id.filter(|_| name.len() == 16);
    let place = name.rsplit_once(':');
    let place = place.and_then(|(source, number)| Some((source, number.parse::<u32>().ok()?)));
    let query = match (id, place) {
        (Some(id), _) => Query::Id(id),
        (None, Some((source, _))) => Query::Source(source.to_owned()),
        (None, None) => {
            let expected =
                "an id of 16 hexadecimal digits, or a file and a number as in games.pgn:12";
            return Err(QueryError::at(name, 0, expected).of("--game").into());
        }
    };
    let hits = index.search(&query, &SearchOptions::default())?.hits;
    for hit in hits {
        let Some((source, number)) = place.filter(|_| id.is_none()) else {
            return Ok(hit.id);
        };
        let summary = index.summary(hit.id)?;
        if summary.source == source && summary.number == number {
            return Ok(hit.id);
        }
    }
    // The game may be one of those that cannot be read.
    Err(match index.damage().into_iter().next() {
        Some((path, what)) => IndexError::Damaged { path, what },
        None => IndexError::NoGameNamed(name.to_owned()),
    })
}

/// Returns the position after some moves from the start.
///
/// ```
/// use tridex_index::position_after;
/// use tridex_rules::RuleSystem;
///
/// let position = position_after(RuleSystem::Meder, "1. b4N b5B")?;
/// assert_eq!(position.fullmoves(), 2);
/// assert_eq!(position_after(RuleSystem::Meder, "b4N b9N").unwrap_err().span.start, 4);
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// Returns the place of the first token that is not a legal move.
pub fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, QueryError> {
    after(&[rules], moves).map(|mut positions| positions.remove(0))
}

/// The position after some moves, under each of the given systems in which they can be played.
///
/// # Errors
/// If they can be played in none, returns the first token that is not a legal move, in the system in which most can be
/// played.
fn after(systems: &[RuleSystem], moves: &str) -> Result<Vec<Position>, QueryError> {
    let positions = positions_after(systems, moves).map_err(|unread| {
        let names: Vec<&str> = systems.iter().map(|rules| rules.name()).collect();
        let expected = format!("a legal move ({})", names.join(", "));
        QueryError::at(moves, unread.offset, expected).of("the line of moves")
    })?;
    Ok(positions.into_iter().map(|(after, _)| after).collect())
}

/// Parses a position string under a rule system.
///
/// ```
/// use tridex_index::position_of;
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1";
/// assert_eq!(position_of(RuleSystem::Meder, start)?, Position::start(RuleSystem::Meder));
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// Returns an error if the text is not a position string, or if the position is invalid under the rules.
pub fn position_of(rules: RuleSystem, text: &str) -> Result<Position, QueryError> {
    can_be_played(rules, &setup_of(text)?, text)
}

/// Parses a position string under `wanted`, or if that is `None` under the first system on its board that allows it.
///
/// ```
/// use tridex_index::position_for;
/// use tridex_rules::RuleSystem;
///
/// let cube = "8/8/8/8/8/8/8/k6K|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8 w - - - 0 1";
/// assert_eq!(position_for(None, cube)?.rules(), RuleSystem::Millennium);
/// assert!(position_for(Some(RuleSystem::Meder), cube).is_err());
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// As [`position_of`].
pub fn position_for(wanted: Option<RuleSystem>, text: &str) -> Result<Position, QueryError> {
    let setup = setup_of(text)?;
    let rules = wanted.unwrap_or_else(|| system_for(&setup, None));
    can_be_played(rules, &setup, text)
}

/// Parses a position string, or a position in the format of another program. The setup may be invalid under any rules.
///
/// # Errors
/// Returns the place from which the text is not a position.
pub fn setup_of(text: &str) -> Result<Setup, QueryError> {
    set_up(text).map_err(|fault| fault.of(THE_POSITION))
}

/// What messages call a position string.
const THE_POSITION: &str = "the position";

fn can_be_played(rules: RuleSystem, setup: &Setup, text: &str) -> Result<Position, QueryError> {
    let position = Position::from_setup(rules, setup);
    position.map_err(|fault| QueryError::at(text, 0, playable(Some(rules), fault)).of(THE_POSITION))
}

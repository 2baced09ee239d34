//! Requests: values of fields, combined into one query.

#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::query::clause::{Clause, Modifiers};
use crate::query::expression::Query;
use crate::query::field_table::{FIELDS, ONE_POSITION};
use crate::query::fields::Field;
use crate::query::lower::{Origin, Part, ReadGame, group, no_field, only_query};
use crate::query::options::SearchOptions;
use crate::query::query_language::{self, Value};
use crate::query_error::QueryError;

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

    /// Combines all values into a query. `games` reads the games that the values name.
    ///
    /// # Errors
    /// Returns an error if a value is not understood, needs a field that is not given, or if `games` fails.
    pub(crate) fn lowered(&self, games: Option<ReadGame<'_>>) -> Result<Query> {
        let (mut parts, mut modifiers) = (Vec::new(), Modifiers::default());
        for field in FIELDS {
            for value in self.values(field.name) {
                let origin = Origin {
                    field: Some(field),
                    value,
                    ..Origin::default()
                };
                parts.push((field.read(&Value::given(value), &mut modifiers)?, origin));
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
        group(parts, &modifiers, games)
    }
}

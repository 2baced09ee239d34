//! Parses the values of fields.

use crate::query::clause::Clause;
use crate::query::date_range::DateRange;
use crate::query::expression::{PositionMatch, Query};
use crate::query::parsing::{range, whole};
use crate::query::query_language::Value;
use crate::query_error::QueryError;
use crate::text::text_field::TextField;
use crate::text::words::Words;
use tridex_archive::date::DateFault;
use tridex_notation::programs::parse_any_position;
use tridex_rules::{RuleSystem, Setup};

pub(crate) fn rule_names() -> Vec<&'static str> {
    RuleSystem::ALL.iter().map(|rules| rules.name()).collect()
}

/// Returns the clause, or an error that states what was expected of the whole value.
pub(crate) fn one_of(
    value: &Value,
    clause: Option<Clause>,
    expected: &str,
) -> Result<Clause, QueryError> {
    clause.ok_or_else(|| QueryError::at(&value.text, 0, expected))
}

pub(crate) fn switch(value: &Value, is_on: &mut bool) -> Result<Clause, QueryError> {
    match value.text.trim() {
        "yes" | "true" | "on" | "1" => {
            *is_on = true;
            Ok(Clause::Change)
        }
        "no" | "false" | "off" | "0" => Ok(Clause::Nothing),
        _ => one_of(value, None, "yes or no"),
    }
}

/// The text between quotation marks, if the text itself has them.
pub(crate) fn phrase(text: &str) -> Option<&str> {
    text.trim().strip_prefix('"')?.strip_suffix('"')
}

/// Reads a name: words in any order, or a phrase if the value itself has quotation marks.
pub(crate) fn name(value: &Value) -> Words {
    match phrase(&value.text) {
        Some(text) => Words::phrase(text),
        None => Words::parse(&value.text),
    }
}

/// Reads words of any text: a phrase if they were quoted, else words in any order.
pub(crate) fn text(value: &Value) -> Words {
    match phrase(&value.text) {
        None if value.is_quoted && !value.text.trim_start().starts_with('=') => {
            Words::phrase(&value.text)
        }
        _ => name(value),
    }
}

pub(crate) fn words(field: TextField, value: &Value) -> Clause {
    Clause::Query(Query::Text(field, text(value)))
}

pub(crate) fn dates(value: &Value) -> Result<DateRange, QueryError> {
    let text = &value.text;
    let (offset, expected) = match DateRange::parse(text) {
        Ok(DateRange {
            from: Some(from),
            to: Some(to),
        }) if from > to => {
            let (from, to) = text.split_once("..").unwrap_or_default();
            let start = from.len() - from.trim_start().len();
            return Err(QueryError::reversed(text, start, from.trim(), to.trim()));
        }
        Ok(range) => return Ok(range),
        Err((fault, offset)) => {
            let expected = match fault {
                DateFault::Impossible => "a date that exists",
                DateFault::Unclear => "a date that can be read in one way only, such as 2001.04.26",
                DateFault::Form => {
                    "a date such as 2001, 2001.04 or 2001.04.26, or two with .. between"
                }
            };
            (offset, expected)
        }
    };
    Err(QueryError::at(text, offset, expected))
}

/// The ends of a range, each `None` if it is open.
pub(crate) type Bounds = (Option<u32>, Option<u32>);

pub(crate) fn numbers(value: &Value, expected: &'static str) -> Result<Bounds, QueryError> {
    let bounds = tridex_grammar::as_one(expected, range);
    whole(&value.text, bounds, expected)
}

pub(crate) fn position(value: &Value, position_match: PositionMatch) -> Result<Clause, QueryError> {
    let setup = Box::new(set_up(&value.text)?);
    Ok(Clause::Position(setup, position_match))
}

/// Reads a position string, or a position in the format of another program.
///
/// # Errors
/// Returns the place from which the text is not a position.
pub(crate) fn set_up(text: &str) -> Result<Setup, QueryError> {
    let read = parse_any_position(text).map(|(setup, _)| setup);
    read.map_err(|found| QueryError::at(text, found.offset(), found.expected()))
}

//! Parses the values of fields.

use crate::query::clause::Clause;
use crate::query::date_range::DateRange;
use crate::query::expression::{PositionMatch, Query};
use crate::query::parsing::{number, range, whole};
use crate::query::query_language::Value;
use crate::query::wanted::Wanted;
use crate::query_error::QueryError;
use crate::text::text_field::TextField;
use crate::text::words::Words;
use tridex_archive::GameResult;
use tridex_archive::date::DateFault;
use tridex_notation::programs::parse_any_position;
use tridex_rules::{RuleSystem, Setup};
use tridex_text::near;

/// The rule systems that a query lists.
pub(crate) fn rules_of(query: &Query) -> Vec<RuleSystem> {
    match query {
        Query::Rules(rules) => vec![*rules],
        Query::Or(parts) => parts.iter().flat_map(rules_of).collect(),
        _ => Vec::new(),
    }
}

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

/// The marks for any value and for an unknown one.
fn mark(text: &str) -> Option<Wanted> {
    match text.trim() {
        "*" => Some(Wanted::Any),
        "?" => Some(Wanted::Unknown),
        _ => None,
    }
}

/// Whether a value means that the field is known (`*`) or unknown (`?`).
pub(crate) fn is_known(value: &Value) -> Option<bool> {
    mark(&value.text).map(|wanted| matches!(wanted, Wanted::Any))
}

/// Reads a name: words in any order, or a phrase if the value itself has quotation marks.
///
/// # Errors
/// Returns an error if there is no word.
pub(crate) fn name(value: &Value) -> Result<Wanted, QueryError> {
    match (mark(&value.text), phrase(&value.text)) {
        (Some(mark), _) => Ok(mark),
        (None, Some(text)) => not_empty(value, Words::phrase(text)),
        (None, None) => not_empty(value, Words::parse(&value.text)),
    }
}

/// Reads words of any text: a phrase if they were quoted, else words in any order.
///
/// # Errors
/// Returns an error if there is no word.
pub(crate) fn text(value: &Value) -> Result<Wanted, QueryError> {
    let is_phrase = value.is_quoted && !value.text.trim_start().starts_with('=');
    match (mark(&value.text), phrase(&value.text)) {
        (None, None) if is_phrase => not_empty(value, Words::phrase(&value.text)),
        _ => name(value),
    }
}

fn not_empty(value: &Value, words: Words) -> Result<Wanted, QueryError> {
    match words.words.is_empty() {
        true => {
            let expected = "a word with letters or digits, * for any value or ? for an unknown one";
            Err(QueryError::at(&value.text, 0, expected))
        }
        false => Ok(Wanted::Words(words)),
    }
}

pub(crate) fn words(field: TextField, value: &Value) -> Result<Clause, QueryError> {
    Ok(Clause::Query(text(value)?.in_text(field)))
}

/// The query for the value of a tag.
pub(crate) fn tag(name: &str, value: Wanted) -> Query {
    let words = |words| Query::Tag(name.to_owned(), words);
    value.query(words, Query::KnownTag(name.to_owned()))
}

/// Reads words in the value of a tag.
///
/// # Errors
/// Returns an error if there is no word.
pub(crate) fn words_of_tag(name: &str, value: &Value) -> Result<Clause, QueryError> {
    Ok(Clause::Query(tag(name, text(value)?)))
}

/// Reads `NAME=VALUE`. `read_field` reads the value of a field of that name.
///
/// # Errors
/// Returns the place from which the text is something else.
pub(crate) fn named_tag(
    value: &Value,
    read_field: impl FnOnce(&str, &Value) -> Result<Clause, QueryError>,
) -> Result<Clause, QueryError> {
    let whole = &value.text;
    let Some((name, of_tag)) = whole.split_once('=') else {
        let expected = "a tag and its value, such as Annotator=meder";
        return Err(QueryError::at(whole, whole.len(), expected));
    };
    if name.trim().is_empty() {
        return Err(QueryError::at(whole, 0, "the name of a tag"));
    }
    // These tags have fields of their own.
    let tags = [
        ("Date", "date"),
        ("Result", "result"),
        ("WhiteElo", "white-elo"),
        ("BlackElo", "black-elo"),
    ];
    let is_called = |(tag, _): &&(&str, &str)| tag.eq_ignore_ascii_case(name.trim());
    if let Some((_, field)) = tags.iter().find(is_called) {
        let given = Value::given(phrase(of_tag).unwrap_or(of_tag));
        return read_field(field, &given).map_err(|fault| {
            let offset = whole.len() - of_tag.len() + fault.span.start;
            QueryError::at(whole, offset, fault.expected)
        });
    }
    // Quotation marks around the value make it a phrase, unless it is a whole value.
    let given = match phrase(of_tag) {
        Some(quoted) => Value {
            text: quoted.to_owned(),
            is_quoted: true,
        },
        None => Value::given(of_tag),
    };
    let wanted = text(&given);
    let wanted = wanted.map_err(|fault| QueryError::at(whole, name.len() + 1, fault.expected))?;
    Ok(Clause::Query(tag(name.trim(), wanted)))
}

/// Splits a comparison, such as `>=100`, into its sign and its value.
fn compared(text: &str) -> Option<(&'static str, &str)> {
    let text = text.trim_start();
    let signs = [">=", "<=", ">", "<"].into_iter();
    signs
        .filter_map(|sign| Some((sign, text.strip_prefix(sign)?)))
        .next()
}

/// Reads a value that may also be `*` or `?`: known, or unknown.
///
/// # Errors
/// As `read`, which reads other values.
pub(crate) fn known_or(
    value: &Value,
    known: Query,
    read: impl FnOnce(&Value) -> Result<Query, QueryError>,
) -> Result<Clause, QueryError> {
    Ok(Clause::Query(match is_known(value) {
        Some(true) => known,
        Some(false) => Query::Not(Box::new(known)),
        None => read(value)?,
    }))
}

/// Reads a rating, a range of ratings, or a comparison with a rating. `*` and `?` ask whether it is known.
///
/// # Errors
/// Returns the place from which the text is something else.
pub(crate) fn rating(
    value: &Value,
    query: impl Fn(Option<u32>, Option<u32>) -> Query,
) -> Result<Clause, QueryError> {
    known_or(value, query(None, None), |value| {
        let (from, to) = numbers(value, "a rating or a range such as 2000..")?;
        Ok(query(from, to))
    })
}

/// Reads the name of a player whose games as White have one result and as Black another.
///
/// # Errors
/// Returns an error if there is no word.
pub(crate) fn by_result(
    value: &Value,
    white: GameResult,
    black: GameResult,
) -> Result<Clause, QueryError> {
    let wanted = name(value)?;
    let sides = [(TextField::White, white), (TextField::Black, black)];
    let games = sides.map(|(field, result)| {
        let player = wanted.clone().in_text(field);
        player.and(Query::Result(result))
    });
    Ok(Clause::Query(Query::Or(games.into())))
}

/// Reads names with commas between them. A game matches if it matches one of them.
///
/// # Errors
/// Returns the place of the first name that `read` does not know.
pub(crate) fn listed(
    value: &Value,
    what: &str,
    names: &[&str],
    read: impl Fn(&str) -> Option<Query>,
) -> Result<Query, QueryError> {
    let mut offset = 0;
    let mut all = Vec::new();
    for name in value.text.split(',') {
        let query = read(name.trim()).ok_or_else(|| {
            let start = offset + name.len() - name.trim_start().len();
            let expected = format!("{what} are {}", names.join(", "));
            QueryError::at(&value.text, start, expected).near(near(name.trim(), names))
        })?;
        if !all.contains(&query) {
            all.push(query);
        }
        offset += name.len() + 1;
    }
    Ok(Query::one_of(all))
}

/// Reads a date, a range of dates, or a comparison with a date. `?` and `*` ask whether the year is known.
///
/// # Errors
/// Returns the place from which the text is something else.
pub(crate) fn date_query(value: &Value) -> Result<Query, QueryError> {
    if let Some(is_known) = is_known(value) {
        let known = Query::Date(DateRange::default());
        return Ok(match is_known {
            true => known,
            false => Query::Not(Box::new(known)),
        });
    }
    let Some((sign, end)) = compared(&value.text) else {
        return Ok(Query::Date(dates(value)?));
    };
    let offset = value.text.len() - end.len();
    let fault =
        |fault: QueryError| QueryError::at(&value.text, offset + fault.span.start, fault.expected);
    if end.contains("..") {
        return Err(QueryError::at(
            &value.text,
            offset,
            "one date such as 2001.04",
        ));
    }
    let day = dates(&Value::given(end)).map_err(fault)?;
    let (from, to) = match sign {
        ">" => (day.to.map(|day| day + 1), None),
        ">=" => (day.from, None),
        "<" => (None, day.from.map(|day| day - 1)),
        _ => (None, day.to),
    };
    Ok(Query::Date(DateRange { from, to }))
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

/// Reads a number, a range of numbers, or a comparison with a number such as `>=100`.
///
/// # Errors
/// Returns the place from which the text is something else.
pub(crate) fn numbers(value: &Value, expected: &'static str) -> Result<Bounds, QueryError> {
    let Some((sign, end)) = compared(&value.text) else {
        let bounds = tridex_grammar::as_one(expected, range);
        return whole(&value.text, bounds, expected);
    };
    let offset = value.text.len() - end.len();
    let limit = whole(end, number, "a number").map_err(|fault| {
        QueryError::at(
            &value.text,
            offset + fault.span.start,
            "a number up to 65535",
        )
    })?;
    Ok(match sign {
        ">" => (Some(limit + 1), None),
        ">=" => (Some(limit), None),
        "<" => {
            let below = limit.checked_sub(1);
            let nothing = || QueryError::at(&value.text, offset, "a number greater than 0");
            (None, Some(below.ok_or_else(nothing)?))
        }
        _ => (None, Some(limit)),
    })
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

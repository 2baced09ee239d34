//! Reads questions. Every rule of `grammars/query.ebnf` has a function of its name here.

use super::{PositionQuery, Query, Sameness};
use crate::questions::date::DateRange;
use crate::questions::material::Material;
use crate::questions::parsing::{
    Boolean, LanguageError, Parsed, Stop, keyword, named, range, told, whole,
};
use crate::questions::pattern::Pattern;
use crate::texts::fields::TextField;
use crate::texts::words::Words;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{alpha1, none_of};
use nom::combinator::{cut, eof, map, value as always};
use nom::multi::fold_many0;
use nom::sequence::{preceded, terminated};
use tridex_archive::GameResult;
use tridex_notation::{near, position_string};
use tridex_rules::RuleSystem;

pub(super) fn parse(text: &str) -> Result<Query, LanguageError> {
    whole(
        text,
        query,
        "a word, a field such as player:spock, or the end of the query",
    )
}

const QUERY: Boolean<Query> = Boolean {
    or: Query::Or,
    and: Query::And,
    not: |part| Query::Not(Box::new(part)),
    negation,
    is_terse: true,
    test: term,
    closing: "a closing bracket",
};

fn negation(input: &str) -> Parsed<'_, &str> {
    alt((keyword("not"), tag("-"))).parse(input)
}

pub(super) fn query(input: &str) -> Parsed<'_, Query> {
    alt((always(Query::All, eof), |input| QUERY.any_of(input, 0))).parse(input)
}

pub(super) fn term(input: &str) -> Parsed<'_, Query> {
    let name: Parsed<'_, &str> = terminated(alpha1, tag(":")).parse(input);
    match name {
        Ok((rest, name)) => field(input, name, rest),
        Err(_) => {
            let any = |value: Value| Query::Text(TextField::Any, words(&value));
            map(value, any).parse(input)
        }
    }
}

/// A value, and whether it was quoted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Value {
    pub(super) text: String,
    quoted: bool,
}

/// A word up to a blank or bracket, or anything between quotation marks, in which `\"` and `\\` stand for the marks
/// themselves.
pub(super) fn value(input: &str) -> Parsed<'_, Value> {
    let word = take_while1(|c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | '"'));
    let word = map(word, |word: &str| Value {
        text: word.to_owned(),
        quoted: false,
    });
    let mark = alt((
        always('"', tag("\\\"")),
        always('\\', tag("\\\\")),
        none_of("\""),
    ));
    let text = fold_many0(mark, String::new, |mut text, c| {
        text.push(c);
        text
    });
    let rest = cut(named(
        "a closing quotation mark",
        terminated(text, tag("\"")),
    ));
    let quoted = map(preceded(tag("\""), rest), |text| Value {
        text,
        quoted: true,
    });
    told(
        "a word, a quoted text, or a field such as player:spock",
        alt((quoted, word)),
    )(input)
}

fn words(value: &Value) -> Words {
    if value.quoted && !value.text.trim_start().starts_with('=') {
        Words::phrase(&value.text)
    } else {
        Words::parse(&value.text)
    }
}

fn field<'a>(input: &'a str, name: &str, rest: &'a str) -> Parsed<'a, Query> {
    let (after, value) = value(rest)?;
    let text = value.text.as_str();
    // Names are found whichever way round they are written.
    let in_name = |field| Query::text(field, text);
    let in_text = |field| Query::Text(field, words(&value));
    let expect = |found: Option<Query>, expected| match found {
        Some(query) => Ok(query),
        None => Err(nom::Err::Failure(Stop {
            at: rest,
            expected,
            inner: None,
        })),
    };
    const DATE: &str = "a date or a range of dates such as 2001..2003.06";
    let days = |from_only: Option<bool>| {
        let range = DateRange::parse(text).ok()?;
        Some(Query::Date(match from_only {
            None => range,
            // The days after the last it may be, and those before the first.
            Some(true) => DateRange {
                from: range.to.map(|day| day + 1),
                to: None,
            },
            Some(false) => DateRange {
                from: None,
                to: range.from.map(|day| day - 1),
            },
        }))
    };
    let numbers = |make: fn(Option<u32>, Option<u32>) -> Query| match range(text) {
        Ok(("", (from, to))) => Some(make(from, to)),
        _ => None,
    };
    let query = match name.to_ascii_lowercase().as_str() {
        "player" => in_name(TextField::Player),
        "white" => in_name(TextField::White),
        "black" => in_name(TextField::Black),
        "event" => in_text(TextField::Event),
        "site" => in_text(TextField::Site),
        "round" => in_text(TextField::Round),
        "text" => in_text(TextField::Comments),
        "opening" => in_text(TextField::Opening),
        "date" => expect(days(None), DATE)?,
        "after" => expect(days(Some(true)), DATE)?,
        "before" => expect(days(Some(false)), DATE)?,
        "result" => expect(
            GameResult::from_name(text).map(Query::Result),
            "a result: 1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2 or *",
        )?,
        "rules" => expect(
            RuleSystem::from_name(text).map(Query::Rules),
            "a rule system: meder, manual, federation, millennium or chess3",
        )?,
        "plies" => expect(
            numbers(Query::Plies),
            "a number of plies or a range such as 10..40",
        )?,
        "elo" => expect(
            numbers(Query::Ratings),
            "a rating or a range such as 2000..",
        )?,
        "id" => expect(
            u64::from_str_radix(text, 16).ok().map(Query::Id),
            "an id of 16 hexadecimal digits",
        )?,
        "source" => Query::Source(text.to_owned()),
        "position" => position(rest, text, Sameness::Exact)?,
        "loose" => position(rest, text, Sameness::Loose)?,
        "plan" => position(rest, text, Sameness::Plan)?,
        "moves" => expect(
            PositionQuery::of_moves(text, Sameness::Exact).ok(),
            "moves from the start position",
        )?,
        "pattern" => inner(rest, Pattern::parse(text).map(Query::Pattern))?,
        // Boards on pins, at the same time.
        "layout" => inner(rest, Pattern::layout(text).map(Query::Pattern))?,
        "material" => inner(
            rest,
            Material::parse(text).map(|m| Query::Material(vec![m])),
        )?,
        _ => return Err(no_field(input, name)),
    };
    Ok((after, query))
}

/// The names of all fields.
pub(super) const FIELDS: [&str; 24] = [
    "player", "white", "black", "event", "site", "round", "text", "opening", "date", "after",
    "before", "result", "rules", "plies", "elo", "id", "source", "position", "loose", "plan",
    "moves", "pattern", "material", "layout",
];

/// A name that is no field's.
fn no_field<'a>(at: &'a str, name: &str) -> nom::Err<Stop<'a>> {
    let near = near(name, &FIELDS);
    let meant = match near.is_empty() {
        true => " such as player:, date: or pattern:".to_owned(),
        false => format!("; did you mean {}:?", near.join(": or ")),
    };
    nom::Err::Failure(Stop {
        at,
        expected: "",
        inner: Some(format!(
            "the name of a field{meant} (the help of search lists all fields)"
        )),
    })
}

/// Hands a fault of an inner language on.
fn inner<T>(at: &str, found: Result<T, LanguageError>) -> Result<T, nom::Err<Stop<'_>>> {
    found.map_err(|error| {
        nom::Err::Failure(Stop {
            at,
            expected: "",
            inner: Some(format!(
                "{} (in the quoted text, byte {})",
                error.expected, error.offset
            )),
        })
    })
}

fn position<'a>(at: &'a str, text: &str, sameness: Sameness) -> Result<Query, nom::Err<Stop<'a>>> {
    let told = |what: String| {
        nom::Err::Failure(Stop {
            at,
            expected: "",
            inner: Some(format!("a position that can be played ({what})")),
        })
    };
    let setup = position_string::parse(text).map_err(|error| told(error.to_string()))?;
    PositionQuery::new(setup, sameness)
        .map(Query::from)
        .map_err(|error| told(error.to_string()))
}

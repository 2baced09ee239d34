//! Reads queries. Every rule of `grammars/query.ebnf` has a function of its name here. What the fields hold is read by
//! `fields`.

use super::logic::Logic;
use super::query_error::QueryError;
use crate::questions::parsing::{Boolean, Read, Reader, whole};

/// A query as it is written. Without any word it is nothing that has to hold.
pub(crate) type Tree = Logic<Term>;

/// A word, or a field and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Term {
    /// The name of the field as it is written; without one the value is a word of any text.
    pub(crate) name: Option<String>,
    pub(crate) value: Value,
    /// How many bytes of the text come from the term on.
    left: usize,
}

/// A value, and how it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) is_quoted: bool,
}

impl Term {
    /// Where the term begins in the text.
    pub(crate) fn start(&self, text: &str) -> usize {
        text.len().saturating_sub(self.left)
    }

    /// Where a byte of the value is in the text.
    pub(crate) fn place(&self, text: &str, offset: usize) -> usize {
        let name = self.name.as_ref().map_or(0, |name| name.len() + 1);
        let start = self.start(text) + name;
        if !self.value.is_quoted {
            return start + offset;
        }
        let written = text.get(start + 1..).unwrap_or_default();
        let (mut at, mut read) = (0, 0);
        while read < offset {
            let rest = written.get(at..).unwrap_or_default();
            let escape = usize::from(rest.starts_with("\\\"") || rest.starts_with("\\\\"));
            let c = rest.chars().nth(escape).map_or(1, char::len_utf8);
            at += escape + c;
            read += c;
        }
        start + 1 + at
    }
}

/// Reads a query.
///
/// # Errors
/// The place of the first thing that is not understood.
pub(crate) fn parse(text: &str) -> Result<Tree, QueryError> {
    let query = |text: &mut Reader<'_>| match text.rest {
        "" => Ok(Tree::And(Vec::new())),
        _ => Queries.any_of(text),
    };
    let end = "a word, a field such as player:spock, or the end of the query";
    whole(text, query, end).map_err(|error| error.of("the query"))
}

struct Queries;

impl Boolean for Queries {
    type Test = Term;

    const CLOSING: &'static str = "a closing bracket";

    fn test(&self, text: &mut Reader<'_>) -> Read<Tree> {
        term(text)
    }

    fn negation(text: &mut Reader<'_>) -> bool {
        text.keyword("not") || text.tag("-")
    }

    /// `and` may be omitted.
    fn conjunction(text: &mut Reader<'_>) -> bool {
        text.blanks();
        let is_over = text.rest.is_empty() || text.rest.starts_with(')');
        text.keyword("and") || !is_over && !{ *text }.keyword("or")
    }
}

pub(crate) fn term(text: &mut Reader<'_>) -> Read<Tree> {
    let left = text.rest.len();
    let mut after = *text;
    let name = after.take(|c| c.is_ascii_alphabetic() || c == '-');
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && after.tag(":");
    let name = text.take_if(is_name, after).then(|| name.to_owned());
    let value = value(text)?;
    Ok(Tree::Leaf(Term { name, value, left }))
}

/// A word up to a blank or bracket, or anything between quotation marks, in which `\"` and `\\` are the marks
/// themselves.
pub(crate) fn value(text: &mut Reader<'_>) -> Read<Value> {
    if !text.tag("\"") {
        let word = text.take(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '"'));
        return match word {
            "" => Err(text.fault("a word, a quoted text, or a field such as player:spock")),
            word => Ok(Value::given(word)),
        };
    }
    let start = *text;
    let mut quoted = String::new();
    loop {
        quoted.push_str(text.take(|c| !matches!(c, '"' | '\\')));
        if text.tag("\"") {
            let (text, is_quoted) = (quoted, true);
            return Ok(Value { text, is_quoted });
        }
        let mark = ["\\\"", "\\\\", "\\"]
            .into_iter()
            .find(|mark| text.tag(mark));
        match mark.and_then(|mark| mark.chars().last()) {
            Some(mark) => quoted.push(mark),
            None => return Err(start.fault("a closing quotation mark")),
        }
    }
}

impl Value {
    /// A value that is not quoted.
    pub(crate) fn given(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_quoted: false,
        }
    }
}

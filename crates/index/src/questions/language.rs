//! Reads queries. Every rule of `grammars/query.ebnf` has a function of its name here. What the fields hold is read by
//! `fields`.

use super::logic::Logic;
use super::query_error::QueryError;
use crate::questions::parsing::{Boolean, Parsed, expecting, keyword, named, whole};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{none_of, satisfy};
use nom::combinator::{consumed, cut, eof, map, opt, recognize, value as always};
use nom::multi::fold_many0;
use nom::sequence::{preceded, terminated};

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
    /// With its quotation marks.
    written: String,
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
        let written = self.value.written.get(1..).unwrap_or_default();
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
    whole(
        text,
        query,
        "a word, a field such as player:spock, or the end of the query",
    )
    .map_err(|error| error.of("the query"))
}

const QUERY: Boolean<Term> = Boolean {
    negation,
    is_terse: true,
    test: term,
    closing: "a closing bracket",
};

fn negation(input: &str) -> Parsed<'_, &str> {
    alt((keyword("not"), tag("-"))).parse(input)
}

fn query(input: &str) -> Parsed<'_, Tree> {
    let nothing = map(eof, |_| Tree::And(Vec::new()));
    alt((nothing, |input| QUERY.any_of(input, 0))).parse(input)
}

pub(crate) fn term(input: &str) -> Parsed<'_, Tree> {
    let letter = |c: char| c.is_ascii_alphabetic();
    let name = recognize((satisfy(letter), opt(take_while1(|c| letter(c) || c == '-'))));
    let (rest, name) = opt(terminated(name, tag(":"))).parse(input)?;
    map(value, |value| {
        Tree::Leaf(Term {
            name: name.map(str::to_owned),
            value,
            left: input.len(),
        })
    })
    .parse(rest)
}

/// A word up to a blank or bracket, or anything between quotation marks, in which `\"` and `\\` are the marks
/// themselves.
pub(crate) fn value(input: &str) -> Parsed<'_, Value> {
    let word = take_while1(|c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | '"'));
    let word = map(word, |word: &str| Value {
        text: word.to_owned(),
        is_quoted: false,
        written: word.to_owned(),
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
    let quoted = consumed(preceded(tag("\""), rest));
    let quoted = map(quoted, |(written, text): (&str, String)| Value {
        text,
        is_quoted: true,
        written: written.to_owned(),
    });
    expecting(
        "a word, a quoted text, or a field such as player:spock",
        alt((quoted, word)),
    )(input)
}

impl Value {
    /// A value that is given by itself, not within a query.
    pub(crate) fn given(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_quoted: false,
            written: text.to_owned(),
        }
    }
}

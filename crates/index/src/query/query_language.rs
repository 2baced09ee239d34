//! Parses queries. Every rule of `grammars/query.ebnf` has a function of the same name here. The module `fields` reads
//! the values of fields.

use crate::query::logic::Logic;
use crate::query::parsing::{blanks, both, bracketed, either, keyword, shallow, whole};
use crate::query_error::QueryError;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, one_of};
use nom::combinator::{self, cut, eof, not, opt, rest_len, verify};
use nom::multi::fold_many0;
use nom::sequence::{preceded, terminated};
use std::borrow::Cow;
use tridex_grammar::{Parsed, Text, expected, require};

/// A parsed query. Without any word it is an empty `And`, which every game matches.
pub(crate) type Tree = Logic<Term>;

/// A word on its own, or a field with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Term {
    /// The name of the field as written. `None` for a word on its own, which is searched in all texts.
    pub(crate) name: Option<String>,
    pub(crate) value: Value,
    /// How many bytes of the text come from the term on.
    left: usize,
}

/// A value, and whether it was quoted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) is_quoted: bool,
}

impl Term {
    /// The offset at which the term begins in the text.
    pub(crate) fn start(&self, text: &str) -> usize {
        text.len().saturating_sub(self.left)
    }

    /// The offset in the text of a byte of the value.
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

/// Parses a query.
///
/// # Errors
/// Returns the place of the first thing that is not understood.
pub(crate) fn parse(text: &str) -> Result<Tree, QueryError> {
    let end = "a word, a field such as player:spock, or the end of the query";
    whole(text, query, end).map_err(|error| error.of("the query"))
}

/// Splits a query into the parts that must all match, as they are written. A query with `or` outside brackets is one part.
///
/// ```
/// let parts = tridex_index::query_parts("player:\"Kirk, James\" and (mate or check) -result:1-0")?;
/// assert_eq!(parts, ["player:\"Kirk, James\"", "(mate or check)", "-result:1-0"]);
/// assert_eq!(tridex_index::query_parts("mate or check")?, ["mate or check"]);
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// As a search: the query is not understood.
pub fn query_parts(text: &str) -> Result<Vec<&str>, QueryError> {
    parse(text)?;
    let whole = text.trim();
    let (mut rest, mut parts) = (whole, Vec::new());
    while !rest.is_empty() {
        if let Ok((after, ())) = keyword("and").parse(rest) {
            rest = after.trim_start();
        }
        match combinator::recognize(factor(0)).parse(rest) {
            Ok((after, part)) if keyword("or").parse(rest).is_err() => {
                parts.push(part.trim());
                rest = after.trim_start();
            }
            _ => return Ok(vec![whole]),
        }
    }
    Ok(parts)
}

pub(crate) fn query(input: &str) -> Parsed<&str, Tree> {
    let nothing = eof.map(|_| Tree::And(Vec::new()));
    alt((nothing, any_of(0))).parse(input)
}

pub(crate) fn any_of<'a>(depth: usize) -> impl Text<'a, Tree> {
    either(keyword("or"), move || all_of(depth))
}

pub(crate) fn all_of<'a>(depth: usize) -> impl Text<'a, Tree> {
    move |input| {
        // Without `and`, another factor follows unless the query, the bracket or the alternative ends here.
        let other = alt((
            combinator::value((), eof),
            combinator::value((), char(')')),
            keyword("or"),
        ));
        let and = alt((keyword("and"), not(other)));
        both(and, move || factor(depth)).parse(input)
    }
}

pub(crate) fn factor<'a>(depth: usize) -> impl Text<'a, Tree> {
    move |input| {
        let not = alt((keyword("not"), combinator::value((), char('-'))));
        let negated = preceded((not, blanks), cut(factor(depth + 1))).map(Tree::negated);
        let inner = bracketed(any_of(depth + 1), "a closing bracket");
        let (input, ()) = shallow(depth).parse(input)?;
        alt((negated, inner, term)).parse(input)
    }
}

pub(crate) fn term(input: &str) -> Parsed<&str, Tree> {
    (rest_len, opt(terminated(name, char(':'))), value)
        .map(|(left, name, value)| {
            let name = name.map(str::to_owned);
            Tree::Leaf(Term { name, value, left })
        })
        .parse(input)
}

pub(crate) fn name(input: &str) -> Parsed<&str, &str> {
    let name = take_while1(|c: char| c.is_ascii_alphabetic() || c == '-');
    verify(name, |name: &str| !name.starts_with('-')).parse(input)
}

/// `value`: a word up to a blank, bracket or quotation mark, or anything between quotation marks. Between the marks,
/// `\"` and `\\` are a quotation mark and a backslash. After a word that ends with `=`, the marks are part of the value.
pub(crate) fn value(input: &str) -> Parsed<&str, Value> {
    let word = take_while1(|c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | '"'));
    let mark = preceded(char('\\'), opt(one_of("\"\\"))).map(|mark| mark.unwrap_or('\\'));
    let part = alt((
        take_while1(|c| !matches!(c, '"' | '\\')).map(Cow::Borrowed),
        mark.map(|mark| Cow::Owned(mark.to_string())),
    ));
    let inside = fold_many0(part, String::new, |text, part| text + &part);
    let closed = require(
        (inside, opt(char('"'))),
        "a closing quotation mark",
        |(text, closing)| closing.map(|_| text),
    );
    let mut quoted = preceded(char('"'), closed).map(|text| Value {
        text,
        is_quoted: true,
    });
    let (rest, first) = opt(word).parse(input)?;
    if let Some(first) = first {
        let rest = match first.ends_with('=') && rest.starts_with('"') {
            true => quoted.parse(rest)?.0,
            false => rest,
        };
        let text = &input[..input.len() - rest.len()];
        return Ok((rest, Value::given(text)));
    }
    expected(
        "a word, a quoted text, or a field such as player:spock",
        quoted,
    )
    .parse(input)
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

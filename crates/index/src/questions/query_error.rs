//! What of a query is not understood, and where.

use std::borrow::Cow;
use std::fmt::{Display, Formatter};
use std::ops::Range;
use tridex_text::enumeration;
use tridex_text::printable;

/// A query, a field of it or a text in one of its languages that is not understood.
///
/// Users see the text with a marker below [`QueryError::span`], or on one line what [`Display`] writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// What the text is, as in "the date"; names of options have their dashes.
    pub what: Box<str>,
    /// The text.
    pub text: Box<str>,
    /// The bytes that are not understood: within the text, on the bounds of characters, and empty at its end.
    pub span: Range<usize>,
    /// What would have been understood there.
    pub expected: String,
    /// Names that are spelled almost so.
    pub did_you_mean: Vec<String>,
    /// Fields of which one is missing: the text itself is understood then.
    pub goes_with: &'static [&'static str],
    /// Whether it is a range whose first end is after its second: it is understood, and matches nothing.
    pub is_reversed: bool,
}

impl QueryError {
    /// A text that is not understood from a byte of it on. Bytes after the text are its end.
    pub(crate) fn at(text: &str, offset: usize, expected: impl Into<String>) -> Self {
        let mut bounds = (0..=offset.min(text.len())).rev();
        let from = bounds.find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        Self {
            what: "the text".into(),
            text: text.into(),
            span: from..text.len(),
            expected: expected.into(),
            did_you_mean: Vec::new(),
            goes_with: &[],
            is_reversed: false,
        }
    }

    /// A range at a byte of a text whose first end is after its second.
    pub(crate) fn reversed(
        text: &str,
        offset: usize,
        from: impl Display,
        to: impl Display,
    ) -> Self {
        Self {
            is_reversed: true,
            ..Self::at(
                text,
                offset,
                format!("the lower bound first, as in {to}..{from}"),
            )
        }
    }

    /// The same of a text that is called something.
    pub(crate) fn of(self, what: impl Into<Box<str>>) -> Self {
        let what = what.into();
        Self { what, ..self }
    }

    /// With names that may be meant.
    pub(crate) fn near<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.did_you_mean = names.into_iter().map(Into::into).collect();
        self
    }

    /// What is wrong, in the words that follow [`QueryError::what`].
    #[must_use]
    pub const fn problem(&self) -> &'static str {
        match self.is_reversed {
            true => "has a reversed range",
            false => "is not understood",
        }
    }

    /// What was expected, with the names that may be meant.
    #[must_use]
    pub fn expectation(&self) -> String {
        match self.did_you_mean.is_empty() {
            true => self.expected.clone(),
            false => format!(
                "{}; did you mean {}?",
                self.expected,
                enumeration(&self.did_you_mean, "or")
            ),
        }
    }

    /// The text before the span and the text from there on, without signs that move a cursor.
    #[must_use]
    pub fn parts(&self) -> (Cow<'_, str>, Cow<'_, str>) {
        let (before, rest) = self.text.split_at(self.span.start);
        (printable(before), printable(rest))
    }

    /// The message on one line, with something before the names of fields: `--` on a command line.
    #[must_use]
    pub fn message(&self, dashes: &str) -> String {
        let what = self.what.replace("--", dashes);
        if !self.goes_with.is_empty() {
            let names = self.goes_with.iter().map(|name| format!("{dashes}{name}"));
            let names: Vec<String> = names.collect();
            return format!("{what} needs {}", enumeration(&names, "or"));
        }
        let found = self.parts().1;
        let place = match found.is_empty() {
            true => "at its end".to_owned(),
            false => format!("at `{found}`"),
        };
        let expected = self.expectation();
        format!(
            "{what} {} {place}: expected {}",
            self.problem(),
            printable(&expected)
        )
    }
}

impl Display for QueryError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message("--"))
    }
}

impl std::error::Error for QueryError {}

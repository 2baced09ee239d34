//! Errors in the text of a query.

use std::borrow::Cow;
use std::fmt::{Display, Formatter};
use std::ops::Range;
use tridex_text::enumeration;
use tridex_text::printable;

/// An error in a query, in the value of a field, or in a text in one of the query languages.
///
/// Users see the text with a marker below [`QueryError::span`], or the one-line message that [`Display`] writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// What the text is, such as "the date". Names of options have their dashes.
    pub what: Box<str>,
    /// The text that contains the error.
    pub text: Box<str>,
    /// The bytes that are not understood. The range lies within the text, at character boundaries, and is empty at its
    /// end.
    pub span: Range<usize>,
    /// What was expected there.
    pub expected: String,
    /// Known names with a similar spelling.
    pub did_you_mean: Vec<String>,
    /// Fields of which at least one must be given too. If there are any, the text itself is fine.
    pub goes_with: &'static [&'static str],
    /// Whether the error is a range whose first end is after its second.
    pub is_reversed: bool,
}

impl QueryError {
    /// An error from a byte of the text to its end. Offsets beyond the text mean its end.
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

    /// The error of a reversed range, which begins at a byte of the text.
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

    /// The same error, with a name for the text.
    pub(crate) fn of(self, what: impl Into<Box<str>>) -> Self {
        let what = what.into();
        Self { what, ..self }
    }

    /// The same error, with names that may have been meant.
    pub(crate) fn near<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.did_you_mean = names.into_iter().map(Into::into).collect();
        self
    }

    /// A description of the error that can follow [`QueryError::what`] in a sentence.
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

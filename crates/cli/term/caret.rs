//! Questions that were not understood, drawn: the text, a marker below the place, what was expected there.

use crate::failure::Failure;
use crate::term::report::{SHOWN, head, tail};
use tridex_archive::printable;
use tridex_index::LanguageError;
use unicode_width::UnicodeWidthStr;

/// A text of some kind that stops making sense at a byte of it.
pub(crate) fn fault(kind: &str, text: &str, offset: usize, expected: &str) -> Failure {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let (before, rest) = text.split_at(offset);
    // Printable forms of both parts are what is seen, so the marker is measured on them.
    let (before, rest) = (printable(before), printable(rest));
    let before = tail(&before, SHOWN / 2);
    let rest = head(&rest, SHOWN.saturating_sub(before.width()));
    let indent = " ".repeat(before.width());
    let expected = printable(expected);
    Failure::message(format!(
        "{kind} is not understood\n  {before}{rest}\n  {indent}^ expected {expected}"
    ))
}

/// The same for the languages of the index.
pub(crate) fn of_index(kind: &str, text: &str, found: &LanguageError) -> Failure {
    fault(kind, text, found.offset, &found.expected)
}

/// What is said of a pattern that ends too soon: `p>=3` without quotes is `p`, and a file named `=3`.
pub(crate) fn quoted(told: &str) -> String {
    format!(
        "{told}; in a shell put a pattern between single quotes; else `>`, `*` and blanks end it"
    )
}

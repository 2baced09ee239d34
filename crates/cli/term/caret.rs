//! Questions that were not understood, drawn: the text, a marker below the place, what was expected there.

use crate::failure::Failure;
use crate::term::report::{SHOWN, head, tail};
use tridex_archive::printable;
use tridex_index::QueryError;
use unicode_width::UnicodeWidthStr;

/// A query, or the value of a field, that stops making sense at a byte of it.
pub(crate) fn fault(fault: &QueryError) -> Failure {
    if !fault.goes_with.is_empty() {
        return Failure::message(fault);
    }
    // Printable forms of both parts are what is seen, so the marker is measured on them.
    let (before, rest) = fault.parts();
    let before = tail(&before, SHOWN / 2);
    let rest = head(&rest, SHOWN.saturating_sub(before.width()));
    let indent = " ".repeat(before.width());
    let expected = fault.expectation();
    Failure::message(format!(
        "{} is not understood\n  {before}{rest}\n  {indent}^ expected {}",
        printable(&fault.what),
        printable(&expected)
    ))
}

/// The message on a pattern that ends too soon: `p>=3` without quotes is `p`, and a file named `=3`.
pub(crate) fn quoted(message: &str) -> String {
    format!(
        "{message}; in a shell, put the pattern in single quotes, or the shell interprets `>`, `*` and blanks"
    )
}

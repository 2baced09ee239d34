//! Cells that a spreadsheet would run as formulas.

use std::borrow::Cow;

/// Puts an apostrophe before a cell that begins like a formula, even if it already begins with apostrophes.
pub(crate) fn escape_formula(cell: &str) -> Cow<'_, str> {
    let inner = cell.trim_start_matches('\'');
    let harmless = cell.len() == inner.len() && is_number(inner);
    if !begins_formula(inner.as_bytes()) || harmless {
        return Cow::Borrowed(cell);
    }
    Cow::Owned(format!("'{cell}"))
}

/// The length of the apostrophe that escapes a formula, or 0.
pub(crate) fn formula_escape_len(cell: &[u8]) -> usize {
    let inner = cell.iter().position(|&b| b != b'\'').unwrap_or(cell.len());
    usize::from(inner > 0 && begins_formula(cell.get(inner..).unwrap_or_default()))
}

fn begins_formula(cell: &[u8]) -> bool {
    match cell {
        [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', ..] => true,
        [0xEF, ..] => ["＝", "＋", "－", "＠"]
            .iter()
            .any(|sign| cell.starts_with(sign.as_bytes())),
        _ => false,
    }
}

/// Whether a cell is a number with a sign, or a single sign, as tables have in an empty cell.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    digits.len() < cell.len() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

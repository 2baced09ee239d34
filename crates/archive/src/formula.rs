//! Cells of a sheet that a spreadsheet would take for formulas.

use std::borrow::Cow;

/// A cell as it is written: with one more apostrophe where it begins like a formula, also after apostrophes.
pub(crate) fn defused(cell: &str) -> Cow<'_, str> {
    let inner = cell.trim_start_matches('\'');
    let harmless = cell.len() == inner.len() && is_number(inner);
    if !begins_formula(inner.as_bytes()) || harmless {
        return Cow::Borrowed(cell);
    }
    Cow::Owned(format!("'{cell}"))
}

/// How many bytes at the start of a cell only keep a spreadsheet from taking it for a formula.
pub(crate) fn defusing(cell: &[u8]) -> usize {
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

/// A number, or a sign alone, as in a table for an empty cell.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
    digits.len() < cell.len() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

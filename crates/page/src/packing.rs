//! Encodes data for the script: JSON that cannot end the HTML element around it, and numbers in base 36.

use serde::Serialize;
use tridex_picture::harmless;

/// Appends a number to a list of numbers in base 36.
pub(crate) fn listed(number: usize, list: &mut String) {
    if !list.is_empty() {
        list.push(' ');
    }
    digits(number, list);
}

/// Appends a number in base 36, the least significant digit last.
fn digits(number: usize, out: &mut String) {
    if number >= 36 {
        digits(number / 36, out);
    }
    out.extend(char::from_digit((number % 36) as u32, 36));
}

/// JSON that cannot end the HTML element around it.
pub(crate) fn json(data: &impl Serialize) -> String {
    // The data are numbers and texts, so this does not fail.
    let json = serde_json::to_string(data).unwrap_or_default();
    let mut out = String::with_capacity(json.len() + json.len() / 8);
    for sign in json.chars() {
        match sign {
            // `<` could end the element or begin a comment in it. XML parsers need the others escaped too.
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            _ => out.push(harmless(sign)),
        }
    }
    out
}

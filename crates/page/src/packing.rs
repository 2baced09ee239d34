//! How data are written for the script: JSON that no markup ends, numbers with 36 digits.

use serde::Serialize;
use tridex_picture::harmless;

/// Appends a number to a list of numbers with 36 digits.
pub(crate) fn listed(number: usize, list: &mut String) {
    if !list.is_empty() {
        list.push(' ');
    }
    digits(number, list);
}

/// A number with 36 digits, the least significant last.
fn digits(number: usize, out: &mut String) {
    if number >= 36 {
        digits(number / 36, out);
    }
    out.extend(char::from_digit((number % 36) as u32, 36));
}

/// JSON in which nothing can end the element that holds it.
pub(crate) fn json(data: &impl Serialize) -> String {
    // Numbers and texts only: nothing here that JSON has no word for.
    let json = serde_json::to_string(data).unwrap_or_default();
    let mut out = String::with_capacity(json.len() + json.len() / 8);
    for sign in json.chars() {
        match sign {
            // The first ends the element, or begins a comment in it; the others are for readers of XML.
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            _ => out.push(harmless(sign)),
        }
    }
    out
}

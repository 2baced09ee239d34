//! Writes JSON that is safe to display on a terminal.
//!
//! JSON requires escapes only for the first 32 control characters. This module escapes all control characters and the
//! marks of the writing direction, so that a terminal does not interpret them. JSON readers still read the same value.

use crate::printable::is_hidden;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a value as JSON on one line, without a line end.
///
/// ```
/// let mut out = Vec::new();
/// tridex_text::json::to_writer(&mut out, &["Anna", "\u{1b}[2J"])?;
/// assert_eq!(out, br#"["Anna","\u001b[2J"]"#);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If writing to `out` fails, or if the value cannot be represented in JSON.
pub fn to_writer<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    out.write_all(visible(serde_json::to_string(value)?).as_bytes())
}

/// Writes a value as JSON on one line, with a line end.
///
/// ```
/// let mut out = Vec::new();
/// tridex_text::json::write_line(&mut out, &[1, 2])?;
/// assert_eq!(out, b"[1,2]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If writing to `out` fails, or if the value cannot be represented in JSON.
pub fn write_line<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    let mut line = visible(serde_json::to_string(value)?);
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// Escapes the hidden characters that `serde_json` does not escape. All of them are inside strings, because
/// `serde_json` writes none between values.
fn visible(json: String) -> String {
    // The first bytes of these characters in UTF-8.
    if !json.bytes().any(|b| matches!(b, 0x7f | 0xc2 | 0xd8 | 0xe2)) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        match is_hidden(c) {
            // All of them are below 0x10000.
            true => escaped += &format!("\\u{:04x}", u32::from(c)),
            false => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        to_writer(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_reads_back() {
        assert_eq!(
            written("a\x1b[2J\x07\x7f\u{9b}é\u{202e}♘\n"),
            r#""a\u001b[2J\u0007\u007f\u009bé\u202e♘\n""#
        );
        for c in (0..0x3000).filter_map(char::from_u32) {
            let text = format!("x{c}y");
            let json = written(&text);
            assert!(!json.chars().any(is_hidden), "{json:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}

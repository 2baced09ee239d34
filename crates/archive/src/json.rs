//! Writes JSON that is safe to display on a terminal.
//!
//! JSON requires escapes for the first 32 control characters only. Here all of them are escaped, and the marks of the
//! writing direction too, so that a terminal displays a line as it is. Every JSON reader reads the same value.

use crate::lex::is_hidden;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io::{self, Write};

/// Writes a value as JSON on one line, without a line end.
///
/// ```
/// let mut out = Vec::new();
/// tridex_archive::json::to_writer(&mut out, &["Anna", "\u{1b}[2J"])?;
/// assert_eq!(out, br#"["Anna","\u001b[2J"]"#);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of `out`, and of a value that cannot be JSON.
pub fn to_writer<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    let mut line = Vec::with_capacity(512);
    append(&mut line, value)?;
    out.write_all(&line)
}

/// Writes a value as a line of JSON, as [`to_writer`] with a line end.
///
/// ```
/// let mut out = Vec::new();
/// tridex_archive::json::write_line(&mut out, &[1, 2])?;
/// assert_eq!(out, b"[1,2]\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of `out`, and of a value that cannot be JSON.
pub fn write_line<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    let mut line = Vec::with_capacity(1 << 11);
    append(&mut line, value)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// [`to_writer`] for memory.
fn append<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Visible(CompactFormatter));
    value.serialize(&mut serializer)?;
    Ok(())
}

struct Visible(CompactFormatter);

impl Formatter for Visible {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Of the control characters only delete is here.
        if fragment.is_ascii() && !fragment.as_bytes().contains(&0x7f) {
            return out.write_all(fragment.as_bytes());
        }
        let mut from = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_hidden(*c)) {
            out.write_all(fragment.get(from..at).unwrap_or_default().as_bytes())?;
            // All of them are below 0x10000.
            write!(out, "\\u{:04x}", u32::from(c))?;
            from = at + c.len_utf8();
        }
        out.write_all(fragment.get(from..).unwrap_or_default().as_bytes())
    }
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

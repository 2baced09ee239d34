//! Standard output and standard error, their colours, and the escaping of control characters on a terminal.

use crate::term::settings::When;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;
use tridex_archive::file_name;
use tridex_replay::finding::Severity;
use tridex_text::printable;

/// Writes something to standard output, buffered. Text that is [drawn](Paint) here is written unchanged, because its
/// parts from files are already printable. Data is written unchanged to a pipe. On a terminal, control characters in
/// data, and those that change the direction of writing, are shown as escapes.
pub(crate) fn print<T, E: From<io::Error>>(
    is_drawn: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let screen = Screen {
        out: io::stdout().lock(),
        guarded: !is_drawn && io::stdout().is_terminal(),
        cut: Vec::new(),
    };
    let mut out = BufWriter::with_capacity(1 << 16, screen);
    let done = write(&mut out)?;
    out.flush()?;
    Ok(done)
}

/// Standard output. On a terminal it escapes control characters.
struct Screen<W> {
    out: W,
    /// Whether control characters are escaped.
    guarded: bool,
    /// The first bytes of a character whose rest has not been written yet.
    cut: Vec<u8>,
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.guarded {
            return self.out.write(bytes);
        }
        let mut text = std::mem::take(&mut self.cut);
        text.extend_from_slice(bytes);
        let mut shown = String::with_capacity(text.len());
        let mut chunks = text.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            shown.push_str(&visible(chunk.valid()));
            let odd = chunk.invalid();
            // The next write may have the rest of a character that begins at the end.
            let fault = std::str::from_utf8(odd).err();
            if chunks.peek().is_none() && fault.is_some_and(|fault| fault.error_len().is_none()) {
                self.cut = odd.to_vec();
            } else {
                shown.extend(odd.iter().map(|byte| format!("\\x{byte:02x}")));
            }
        }
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        for byte in std::mem::take(&mut self.cut) {
            write!(self.out, "\\x{byte:02x}")?;
        }
        self.out.flush()
    }
}

/// Makes text safe to show on a terminal. Line ends and tabs stay.
fn visible(text: &str) -> String {
    let parts = text.split_inclusive(['\n', '\t']).flat_map(|part| {
        let line = part.trim_end_matches(['\n', '\t']);
        [printable(line), part[line.len()..].into()]
    });
    parts.collect()
}

/// The name of a file in a message.
pub(crate) fn named(path: &Path) -> String {
    printable(&file_name::to_text(path)).into_owned()
}

/// How many columns standard output has, if it is a terminal; else the value of the variable `COLUMNS`, if it is
/// exported.
pub(crate) fn stdout_width() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map(|(width, _)| usize::from(width.0)).or_else(|| {
        let said = std::env::var("COLUMNS").ok()?.parse().ok()?;
        (said > 0).then_some(said)
    })
}

/// Reports an error on standard error, in colours for it. Control characters from files or arguments are escaped.
pub(crate) fn complain(paint: Paint, message: &str) {
    // When standard error is closed there is no one to inform.
    let _ = writeln!(
        io::stderr(),
        "{} {}",
        paint.severe(Severity::Error, "tridex:"),
        visible(message)
    );
}

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// No colours, for files.
    pub(crate) const fn none() -> Self {
        Self(false)
    }

    /// The colours that are chosen for an output, depending on whether it is a terminal.
    pub(crate) fn new(when: When, is_terminal: bool) -> Self {
        Self(when.is_colored(is_terminal))
    }

    /// Whether there are colours.
    pub(crate) const fn is_on(self) -> bool {
        self.0
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self.0 {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// A text in the colour of a severity.
    pub(crate) fn severe(self, severity: Severity, text: &str) -> String {
        let code = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Info => "1;36",
        };
        self.paint(code, text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(guarded: bool, pieces: &[&[u8]]) -> Vec<u8> {
        let mut screen = Screen {
            out: Vec::new(),
            guarded,
            cut: Vec::new(),
        };
        for piece in pieces {
            assert_eq!(screen.write(piece).unwrap(), piece.len());
        }
        screen.flush().unwrap();
        screen.out
    }

    #[test]
    fn a_terminal_is_shown_what_it_would_obey() {
        let nasty = "a\u{1b}[2J\u{7}\u{7f}\u{9b}\r\u{202e}é♘\tb\n".as_bytes();
        assert_eq!(
            shown(false, &[nasty, b"\xff\x9b"]),
            [nasty, b"\xff\x9b"].concat()
        );
        let expected = "a\\u{1b}[2J\\u{7}\\u{7f}\\u{9b}\\u{d}\\u{202e}é♘\tb\n\\xff\\x9b";
        let whole = shown(true, &[nasty, b"\xff\x9b"]);
        assert_eq!(String::from_utf8(whole).unwrap(), expected);
        // The result does not depend on how the bytes are divided.
        let bytes: Vec<&[u8]> = nasty.chunks(1).chain([&b"\xff"[..], b"\x9b"]).collect();
        assert_eq!(String::from_utf8(shown(true, &bytes)).unwrap(), expected);
        assert_eq!(
            shown(true, &["♘".as_bytes().get(..2).unwrap()]),
            b"\\xe2\\x99"
        );
    }
}

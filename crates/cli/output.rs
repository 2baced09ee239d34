//! Where results go, and how complaints look.

use crate::args::{Cli, OutputFile, ProgressForm, SummaryFormat, When};
use crate::failure::{Exit, Failure};
use clap::CommandFactory;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use tridex_archive::write::CompressedFile;
use tridex_archive::{json, printable};

/// What was said of the output of every command.
#[derive(Clone, Copy, Debug)]
struct Manner {
    color: When,
    quiet: bool,
    progress: ProgressForm,
}

static MANNER: OnceLock<Manner> = OnceLock::new();

/// Sets what `--color`, `--quiet` and `--progress` say.
pub(crate) fn choose(cli: &Cli) {
    let progress = match cli.progress {
        // A quiet run has no bar, unless one was asked for.
        ProgressForm::Auto if cli.quiet || cli.no_progress => ProgressForm::None,
        progress => progress,
    };
    // Set once, at the start.
    let _ = MANNER.set(Manner {
        color: cli.color,
        quiet: cli.quiet,
        progress,
    });
}

/// Whether only results are wanted.
pub(crate) fn is_quiet() -> bool {
    MANNER.get().is_some_and(|manner| manner.quiet)
}

/// How progress is shown.
pub(crate) fn progress() -> ProgressForm {
    MANNER
        .get()
        .map_or(ProgressForm::Auto, |manner| manner.progress)
}

/// Whether there is to be a bar on standard error.
pub(crate) fn has_bar() -> bool {
    progress() == ProgressForm::Auto && io::stderr().is_terminal()
}

fn is_colored(terminal: bool) -> bool {
    match MANNER.get().map(|manner| manner.color) {
        Some(When::Always) => true,
        Some(When::Never) => false,
        _ => {
            terminal
                && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// Standard output, buffered, for data: games, tables, lines of JSON. A pipe gets the bytes as they are; on a terminal
/// control characters, and those that turn the direction of writing, are shown as escapes.
pub(crate) fn stdout() -> BufWriter<Screen<StdoutLock<'static>>> {
    screen(io::stdout().is_terminal())
}

/// Standard output, buffered, for text that is drawn here: what came from files is made printable by who draws it, and
/// there may be colours.
pub(crate) fn drawn() -> BufWriter<Screen<StdoutLock<'static>>> {
    screen(false)
}

/// Tells on standard output what a command has done: a table for people, unless only results are wanted, or a line of
/// JSON.
pub(crate) fn tell_done<S: Serialize>(
    format: SummaryFormat,
    done: &S,
    table: impl FnOnce(&S, Paint) -> String,
) -> io::Result<()> {
    match format {
        SummaryFormat::Text if is_quiet() => Ok(()),
        SummaryFormat::Text => {
            let mut out = drawn();
            out.write_all(table(done, Paint::stdout()).as_bytes())?;
            out.flush()
        }
        SummaryFormat::Ndjson => {
            let mut out = stdout();
            json::to_writer(&mut out, done)?;
            out.write_all(b"\n")?;
            out.flush()
        }
    }
}

fn screen(guarded: bool) -> BufWriter<Screen<StdoutLock<'static>>> {
    let screen = Screen {
        out: io::stdout().lock(),
        guarded,
        cut: Vec::new(),
    };
    BufWriter::with_capacity(1 << 16, screen)
}

/// What a terminal is shown.
#[derive(Debug)]
pub(crate) struct Screen<W> {
    out: W,
    /// Nothing that a terminal would obey goes through.
    guarded: bool,
    /// The beginning of a character whose end has not come.
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
            // At the end more of it may come; a character has four bytes at most.
            if chunks.peek().is_none() && odd.len() < 4 && may_go_on(odd) {
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

/// Whether bytes that are no character may be the beginning of one.
fn may_go_on(odd: &[u8]) -> bool {
    std::str::from_utf8(odd).is_err_and(|fault| fault.error_len().is_none())
}

/// Text as a terminal may show it; line ends and tabs stay.
fn visible(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t'))
    {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(['\n', '\t']) {
        let line = part.strip_suffix(['\n', '\t']).unwrap_or(part);
        out.push_str(&printable(line));
        out.push_str(part.get(line.len()..).unwrap_or_default());
    }
    Cow::Owned(out)
}

/// Has results written to a file, which appears only when everything is written and nobody has interrupted it, or to
/// standard output if there is none or it is `-`.
pub(crate) fn to_file_or_stdout(
    file: &OutputFile,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    to_file_or(file, stdout, write)
}

/// The same for text that is [drawn](drawn()) here.
pub(crate) fn to_file_or_drawn(
    file: &OutputFile,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    to_file_or(file, drawn, write)
}

fn to_file_or<W: Write>(
    file: &OutputFile,
    out: impl FnOnce() -> W,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let Some(path) = file.path() else {
        let mut out = out();
        let exit = write(&mut out)?;
        out.flush()?;
        return Ok(exit);
    };
    begin(path, file.no_clobber, write)
}

/// The same for a second file beside the results.
pub(crate) fn to_file(
    path: &Path,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    begin(path, no_clobber, write)
}

fn begin(
    path: &Path,
    no_clobber: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let fault = |fault: io::Error| {
        Failure::message(format!("{}: {fault}", printable(&path.to_string_lossy())))
    };
    WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(path.to_owned());
    let mut begun = match no_clobber {
        true => CompressedFile::create_new(path),
        false => CompressedFile::create(path),
    }
    .map_err(fault)?;
    let exit = write(&mut begun)?;
    if !crate::input::interrupted() {
        begun.commit().map_err(fault)?;
    }
    Ok(exit)
}

/// Files that this run writes. What is there before is not what they will hold.
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files that this run writes, as far as they have been begun or announced.
pub(crate) fn written() -> Vec<PathBuf> {
    WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Notes that results will go to a file, where that is begun only when everything has been read.
pub(crate) fn announce(file: &OutputFile) {
    let path = file.path().map(Path::to_owned);
    WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend(path);
}

/// Where a file is or would be, whatever it is called.
pub(crate) fn place(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    // It is not there yet, but its folder may be.
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Colours of what is written there: none in a file.
pub(crate) fn paint(file: &OutputFile) -> Paint {
    match file.path() {
        Some(_) => Paint::none(),
        None => Paint::stdout(),
    }
}

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For files.
    pub(crate) const fn none() -> Self {
        Self(false)
    }

    /// For standard output.
    pub(crate) fn stdout() -> Self {
        Self(is_colored(io::stdout().is_terminal()))
    }

    /// For standard error.
    pub(crate) fn stderr() -> Self {
        Self(is_colored(io::stderr().is_terminal()))
    }

    /// Whether there are colours.
    pub(crate) const fn is_on(self) -> bool {
        self.0
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub(crate) fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    pub(crate) fn info(self, text: &str) -> String {
        self.paint("1;36", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }
}

/// How many columns standard output has, if it is a terminal; else what the variable `COLUMNS` says, if that is handed
/// on.
pub(crate) fn stdout_width() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map(|(width, _)| usize::from(width.0)).or_else(|| {
        let said = std::env::var("COLUMNS").ok()?.parse().ok()?;
        (said > 0).then_some(said)
    })
}

/// How many columns there are where results are written: as many as they take in a file.
pub(crate) fn width(file: &OutputFile) -> Option<usize> {
    stdout_width().filter(|_| file.path().is_none())
}

/// Says on standard error what is worth knowing, unless only results are wanted.
pub(crate) fn remark(message: &str) {
    if !is_quiet() {
        complain(message);
    }
}

/// Says on standard error what went wrong. What the message has from files or arguments cannot do anything there.
pub(crate) fn complain(message: &str) {
    // When standard error is gone there is nobody to tell.
    let _ = writeln!(
        io::stderr(),
        "{} {}",
        Paint::stderr().error("tridex:"),
        visible(message)
    );
}

/// Prints the completions of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tridex", &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Good)
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
        // However it is cut.
        let bytes: Vec<&[u8]> = nasty.chunks(1).chain([&b"\xff"[..], b"\x9b"]).collect();
        assert_eq!(String::from_utf8(shown(true, &bytes)).unwrap(), expected);
        assert_eq!(
            shown(true, &["♘".as_bytes().get(..2).unwrap()]),
            b"\\xe2\\x99"
        );
    }
}

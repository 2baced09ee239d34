//! Where results go, and how complaints look.

use crate::args::{Cli, When};
use crate::failure::{Exit, Failure};
use clap::CommandFactory;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;
use std::sync::OnceLock;
use tridex_archive::printable;
use tridex_archive::write::AtomicFile;

static COLOR: OnceLock<When> = OnceLock::new();

/// Sets what `--color` says.
pub(crate) fn choose_color(when: When) {
    // Set once, at the start.
    let _ = COLOR.set(when);
}

fn is_colored(terminal: bool) -> bool {
    match COLOR.get() {
        Some(When::Always) => true,
        Some(When::Never) => false,
        _ => {
            terminal
                && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Has results written to a file, which appears only when everything is written and nobody has interrupted it, or to
/// standard output if there is none.
pub(crate) fn to_file_or_stdout(
    file: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let Some(path) = file else {
        let mut out = stdout();
        let exit = write(&mut out)?;
        out.flush()?;
        return Ok(exit);
    };
    let fault = |fault: io::Error| {
        Failure::message(format!("{}: {fault}", printable(&path.to_string_lossy())))
    };
    let mut file = AtomicFile::create(path).map_err(fault)?;
    let exit = write(&mut file)?;
    if !crate::input::interrupted() {
        file.commit().map_err(fault)?;
    }
    Ok(exit)
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

/// How many columns standard output has, if it is a terminal.
pub(crate) fn stdout_width() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Says on standard error what went wrong.
pub(crate) fn complain(message: &str) {
    // When standard error is gone there is nobody to tell.
    let _ = writeln!(
        io::stderr(),
        "{} {message}",
        Paint::stderr().error("tridex:")
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

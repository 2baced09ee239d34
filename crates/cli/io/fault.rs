//! What is wrong with a file, or worth knowing about it, that belongs to no game.

use crate::failure::Exit;
use crate::term::terminal;
use std::fmt;
use std::sync::Arc;
use tridex_archive::encoding::{Encoding, Notice, NoticeKind};
use tridex_archive::places::Place;
use tridex_archive::printable;
use tridex_archive::source::{SourceError, SourceErrorKind};
use tridex_replay::diagnostic::Severity;
use tridex_replay::report::Problem;

/// A finding about a file, and how the run ends for it.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The name of the file, raw.
    pub(crate) file: Arc<str>,
    /// Where in the file, if it is not about all of it.
    place: Option<Place>,
    pub(crate) severity: Severity,
    code: &'static str,
    message: String,
    pub(crate) exit: Exit,
}

impl Fault {
    fn of(fault: &SourceError, exit: Exit) -> Self {
        Self {
            file: fault.name().into(),
            place: None,
            severity: Severity::Error,
            code: fault.kind().code(),
            message: fault.kind().to_string(),
            exit,
        }
    }

    /// What is wrong with a source that was named, or found in a folder.
    pub(crate) fn of_source(fault: &SourceError) -> Self {
        let exit = match fault.kind() {
            SourceErrorKind::Empty | SourceErrorKind::NoGames => Exit::FellShort,
            _ => Exit::Failed,
        };
        Self::of(fault, exit)
    }

    /// What is wrong with a piece of a source. That a file is broken was so when it was cut, and will be so for every
    /// reader: then the data has problems, and to try again is of no use.
    pub(crate) fn of_piece(fault: &SourceError) -> Self {
        let exit = match fault.kind() {
            SourceErrorKind::Corrupt(..)
            | SourceErrorKind::TooLarge(_)
            | SourceErrorKind::Foreign(_)
            | SourceErrorKind::Empty
            | SourceErrorKind::NoGames => Exit::FellShort,
            _ => Exit::Failed,
        };
        Self::of(fault, exit)
    }

    /// What is wrong with a plan, or with a line of it.
    pub(crate) fn of_plan(plan: &str, line: Option<u64>, message: String) -> Self {
        Self {
            file: plan.into(),
            place: line.map(|line| Place { line, column: 1 }),
            severity: Severity::Error,
            code: "plan",
            message,
            exit: Exit::Failed,
        }
    }

    /// What there is to know about the text of a source, at its place.
    pub(crate) fn of_notice(file: &Arc<str>, notice: Notice, place: Place) -> Self {
        let (severity, code, message) = match notice.kind {
            NoticeKind::Guessed(guess) if guess.encoding == Encoding::UTF_8 => (
                Severity::Warning,
                "encoding",
                "not UTF-8, unlike the rest of the text; read as windows-1252".to_owned(),
            ),
            NoticeKind::Guessed(guess) => {
                let name = guess.encoding.name();
                let (severity, guessed) = match guess.is_sure {
                    true => (Severity::Info, "a guess"),
                    false => (Severity::Warning, "a guess from few letters"),
                };
                let message = format!(
                    "not UTF-8; read as {name}, {guessed}; choose another with --encoding NAME"
                );
                (severity, "encoding", message)
            }
            NoticeKind::Unmapped(encoding) => (
                Severity::Warning,
                "encoding",
                format!(
                    "these bytes are not a character in {}; replaced by U+FFFD",
                    encoding.name()
                ),
            ),
            _ => (
                Severity::Error,
                "zeros",
                "zero bytes, as left by a crash or a full disk; expected text".to_owned(),
            ),
        };
        Self {
            file: Arc::clone(file),
            place: Some(place),
            severity,
            code,
            message,
            exit: match severity {
                Severity::Error => Exit::FellShort,
                _ => Exit::Good,
            },
        }
    }

    /// Reports it on standard error; what is no error only if not only results are wanted.
    pub(crate) fn tell(&self) {
        match self.severity {
            Severity::Error => terminal::complain(&self.to_string()),
            Severity::Warning | Severity::Info => terminal::remark(&self.to_string()),
        }
    }

    /// Its row in the table of problems.
    pub(crate) fn problem(&self) -> Problem<'_> {
        let place = self.place.unwrap_or(Place { line: 1, column: 1 });
        Problem {
            file: &self.file,
            game: None,
            line: place.line,
            column: place.column,
            ply: None,
            severity: self.severity,
            code: self.code,
            token: "",
            message: &self.message,
            legal: &[],
            suggestion: None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", printable(&self.file))?;
        match self.place {
            // Of a plan whole lines are read.
            Some(place) if self.code == "plan" => write!(f, "{}:", place.line)?,
            Some(place) => write!(f, "{place}:")?,
            None => {}
        }
        write!(f, " {}", self.message)
    }
}

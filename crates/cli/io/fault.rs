//! What is wrong with a file, or worth knowing about it, that belongs to no game, and how the run ends for it.

use crate::failure::Exit;
use crate::term::terminal;
use std::fmt;
use std::sync::Arc;
use tridex_archive::places::LineColumn;
use tridex_archive::printable;
use tridex_archive::source::{SourceError, SourceErrorKind};
use tridex_replay::diagnostic::Severity;
use tridex_replay::report::Problem;

/// A finding about a file, and how the run ends for it.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The name of the file, raw.
    pub(crate) file: Arc<str>,
    found: tridex_replay::Fault,
    pub(crate) exit: Exit,
}

impl Fault {
    fn of(fault: &SourceError, exit: Exit) -> Self {
        Self {
            file: fault.name().into(),
            found: tridex_replay::Fault::of_source(fault),
            exit,
        }
    }

    pub(crate) fn severity(&self) -> Severity {
        self.found.severity
    }

    /// What is wrong with a source that was named, or found in a folder.
    pub(crate) fn of_source(fault: &SourceError) -> Self {
        let exit = match fault.kind() {
            SourceErrorKind::Empty | SourceErrorKind::NoGames => Exit::HasProblems,
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
            | SourceErrorKind::NoGames => Exit::HasProblems,
            _ => Exit::Failed,
        };
        Self::of(fault, exit)
    }

    /// What is wrong with a plan, or with a line of it.
    pub(crate) fn of_plan(plan: &str, line: Option<u64>, message: String) -> Self {
        Self {
            file: plan.into(),
            found: tridex_replay::Fault {
                place: line.map(|line| LineColumn { line, column: 1 }),
                severity: Severity::Error,
                code: "plan",
                message,
            },
            exit: Exit::Failed,
        }
    }

    /// What there is to know about the text of a source.
    pub(crate) fn of_text(file: &Arc<str>, found: tridex_replay::Fault) -> Self {
        Self {
            file: Arc::clone(file),
            exit: match found.severity {
                Severity::Error => Exit::HasProblems,
                _ => Exit::Good,
            },
            found,
        }
    }

    /// Reports it on standard error; what is no error only if not only results are wanted.
    pub(crate) fn report(&self) {
        match self.found.severity {
            Severity::Error => terminal::complain(&self.to_string()),
            Severity::Warning | Severity::Info => terminal::remark(&self.to_string()),
        }
    }

    /// Its row in the table of problems.
    pub(crate) fn problem(&self) -> Problem<'_> {
        self.found.problem(&self.file)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", printable(&self.file))?;
        match self.found.place {
            // Of a plan whole lines are read.
            Some(place) if self.found.code == "plan" => write!(f, "{}:", place.line)?,
            Some(place) => write!(f, "{place}:")?,
            None => {}
        }
        write!(f, " {}", self.found.message)
    }
}

//! What is wrong with a file, or worth knowing about it, and how the run ends for it.

use crate::failure::Exit;
use crate::output;
use std::fmt;
use tridex_archive::places::Place;
use tridex_archive::source::{SourceError, SourceErrorKind};
use tridex_replay::diagnostic::Severity;
use tridex_replay::report::{FileProblem, Problem};

/// A problem of a file, and how the run ends for it.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) about: FileProblem,
    pub(crate) exit: Exit,
}

impl Fault {
    /// What is wrong with a source that was named, or found in a folder.
    pub(crate) fn of_source(fault: &SourceError) -> Self {
        let exit = match fault.kind() {
            SourceErrorKind::Empty | SourceErrorKind::NoGames => Exit::FellShort,
            _ => Exit::Failed,
        };
        let about = FileProblem::of_error(fault);
        Self { about, exit }
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
        let about = FileProblem::of_error(fault);
        Self { about, exit }
    }

    /// What is wrong with a plan, or with a line of it.
    pub(crate) fn of_plan(plan: &str, line: Option<u64>, message: String) -> Self {
        Self {
            about: FileProblem {
                file: plan.into(),
                place: line.map(|line| Place { line, column: 1 }),
                severity: Severity::Error,
                code: "plan",
                message,
            },
            exit: Exit::Failed,
        }
    }

    /// Something to know about the text of a source.
    pub(crate) fn of_text(about: FileProblem) -> Self {
        let exit = match about.severity {
            Severity::Error => Exit::FellShort,
            _ => Exit::Good,
        };
        Self { about, exit }
    }

    /// Reports it on standard error; what is no error only if not only results are wanted.
    pub(crate) fn tell(&self) {
        match self.about.severity {
            Severity::Error => output::complain(&self.to_string()),
            Severity::Warning | Severity::Info => output::remark(&self.to_string()),
        }
    }

    /// Its row in the table of problems.
    pub(crate) fn problem(&self) -> Problem<'_> {
        self.about.row()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = &self.about;
        match about.place {
            // Of a plan whole lines are read.
            Some(place) if about.code == "plan" => {
                let file = tridex_archive::printable(&about.file);
                write!(f, "{file}:{}: {}", place.line, about.message)
            }
            _ => about.fmt(f),
        }
    }
}

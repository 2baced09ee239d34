//! How a command ends.

use crate::term::report::{SHOWN, head, tail};
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use tridex_archive::printable;
use tridex_export::ExportError;
use tridex_index::{IndexError, QueryError};
use unicode_width::UnicodeWidthStr;

/// The end of a command that ran.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// All good.
    Good,
    /// The data has problems.
    HasProblems,
    /// Some input or output failed; the run was continued.
    Failed,
}

impl Exit {
    /// The end of what found problems, or did not.
    pub(crate) const fn of(has_problems: bool) -> Self {
        match has_problems {
            true => Self::HasProblems,
            false => Self::Good,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The output is no longer read (`| head`): the run ends quietly.
    ClosedPipe,
    /// The data has problems, and the run was to stop then. They have been reported.
    Stopped,
    /// Wrong use, or a file that cannot be read or written.
    Message(String),
}

impl Failure {
    pub(crate) fn message(message: impl Display) -> Self {
        Self::Message(message.to_string())
    }

    /// Something wrong with a file.
    pub(crate) fn at(path: &Path, fault: impl Display) -> Self {
        Self::message(format!("{}: {fault}", printable(&path.to_string_lossy())))
    }
}

impl From<io::Error> for Failure {
    fn from(fault: io::Error) -> Self {
        if fault.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::message(fault)
        }
    }
}

impl From<ExportError> for Failure {
    fn from(fault: ExportError) -> Self {
        Self::message(printable(&fault.to_string()))
    }
}

impl From<IndexError> for Failure {
    fn from(fault: IndexError) -> Self {
        let hint = match fault {
            IndexError::Query(fault) => return (*fault).into(),
            IndexError::NotAnIndex(_) => "; create one with `tridex index PATHS --index DIR`",
            IndexError::Version { .. } => ": `tridex index PATHS --index DIR`",
            _ => "",
        };
        Self::message(format!("{}{hint}", printable(&fault.to_string())))
    }
}

/// A query, or the value of a field, that stops making sense at a byte of it: the text, a marker below the place, what was
/// expected there.
impl From<QueryError> for Failure {
    fn from(fault: QueryError) -> Self {
        if !fault.goes_with.is_empty() {
            return Self::message(fault);
        }
        // Printable forms of both parts are what is seen, so the marker is measured on them.
        let (before, rest) = fault.parts();
        let before = tail(&before, SHOWN / 2);
        let rest = head(&rest, SHOWN.saturating_sub(before.width()));
        let indent = " ".repeat(before.width());
        let (what, expected) = (printable(&fault.what), fault.expectation());
        // `p>=3` without quotes is `p`, and a file named `=3`.
        let hint = match fault.what == "the pattern" && fault.span.is_empty() {
            true => {
                "; in a shell, put the pattern in single quotes, or the shell interprets `>`, `*` and blanks"
            }
            false => "",
        };
        Self::message(format!(
            "{what} is not understood\n  {before}{rest}\n  {indent}^ expected {}{hint}",
            printable(&expected)
        ))
    }
}

//! How a command ends.

use crate::term::report::{SHOWN, head, tail};
use crate::term::terminal::named;
use std::fmt::Display;
use std::io;
use std::path::Path;
use tridex_export::{ExportError, ExportFault};
use tridex_index::{IndexError, QueryError, Upgrade};
use tridex_text::printable;
use unicode_width::UnicodeWidthStr;

/// A problem in a run that continued to its end, with its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The data has problems.
    InData = 1,
    /// Some input or output failed; the run was continued.
    InFiles = 2,
}

/// Why a command could not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The output is no longer read (`| head`): the run ends quietly.
    ClosedPipe,
    /// The run stopped because the data has problems, which have been reported.
    Stopped,
    /// Wrong use, or a file that cannot be read or written.
    Message(String),
}

impl Failure {
    pub(crate) fn message(message: impl Display) -> Self {
        Self::Message(message.to_string())
    }

    /// A failure concerning a file.
    pub(crate) fn at(path: &Path, fault: impl Display) -> Self {
        Self::message(format!("{}: {fault}", named(path)))
    }
}

/// Describes an error of the system. A full disk has the same message on every system.
pub(crate) fn worded(fault: &io::Error) -> String {
    let full = match fault.kind() {
        io::ErrorKind::StorageFull => "the disk is full",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up",
        io::ErrorKind::FileTooLarge => "the file is larger than the system allows",
        _ => return fault.to_string(),
    };
    format!("{full}, so the output is incomplete")
}

impl From<io::Error> for Failure {
    fn from(fault: io::Error) -> Self {
        if fault.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::message(worded(&fault))
        }
    }
}

impl From<ExportError> for Failure {
    fn from(fault: ExportError) -> Self {
        match &fault.fault {
            ExportFault::Io(reason) => Self::at(&fault.path, worded(reason)),
            _ => Self::message(printable(&fault.to_string())),
        }
    }
}

impl From<IndexError> for Failure {
    fn from(fault: IndexError) -> Self {
        let hint = match fault {
            IndexError::Query(fault) => return (*fault).into(),
            IndexError::NotAnIndex(_) => "; create one with `tridex index PATHS --index DIR`",
            IndexError::Version { upgrade, .. } => match upgrade {
                Upgrade::Merge => ": `tridex index --merge OLD --index NEW`",
                Upgrade::Rebuild => ": `tridex index PATHS --index DIR`",
                _ => "",
            },
            _ => "",
        };
        Self::message(format!("{}{hint}", printable(&fault.to_string())))
    }
}

/// Shows the query, or the value of a field, with a marker below the byte where it stops making sense, and what was
/// expected there.
impl From<QueryError> for Failure {
    fn from(fault: QueryError) -> Self {
        if !fault.goes_with.is_empty() {
            return Self::message(fault);
        }
        // Both parts are shown in printable form, so the marker is aligned with that.
        let (before, rest) = fault.parts();
        let before = tail(&before, SHOWN / 2);
        let rest = head(&rest, SHOWN.saturating_sub(before.width()));
        let indent = " ".repeat(before.width());
        let (what, expected) = (printable(&fault.what), fault.expectation());
        // Without quotes, the shell reads `p>=3` as `p` with its output written to a file named `=3`.
        let hint = match *fault.what == *"the pattern" && fault.span.is_empty() {
            true => {
                "; in a shell, put the pattern in single quotes, or the shell interprets `>`, `*` and blanks"
            }
            false => "",
        };
        Self::message(format!(
            "{what} {}\n  {before}{rest}\n  {indent}^ expected {}{hint}",
            fault.problem(),
            printable(&expected)
        ))
    }
}

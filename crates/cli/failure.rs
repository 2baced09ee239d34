//! How a command ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Good => 0,
            Exit::HasProblems => 1,
            Exit::Failed => 2,
        })
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

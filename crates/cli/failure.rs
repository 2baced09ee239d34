//! How a command ends.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// The end of a command that ran.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// All good.
    Good,
    /// Something in the data fell short.
    FellShort,
    /// Some input or output failed, though the run went on.
    Failed,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Good => 0,
            Exit::FellShort => 1,
            Exit::Failed => 2,
        })
    }
}

/// Why a command could not run to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads the output any more (`| head`): the quiet end.
    ClosedPipe,
    /// Something in the data fell short, and the user had asked to stop then. It has been told already.
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

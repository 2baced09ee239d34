//! Colours.

use crate::term::settings;
use std::io;
use std::io::IsTerminal as _;

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
        Self(settings::is_colored(io::stdout().is_terminal()))
    }

    /// For standard error.
    pub(crate) fn stderr() -> Self {
        Self(settings::is_colored(io::stderr().is_terminal()))
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

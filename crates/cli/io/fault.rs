//! Findings about files that belong to no game, and their effect on the exit code.

use crate::failure::Trouble;
use crate::term::terminal;
use std::sync::Arc;
use tridex_archive::places::LineColumn;
use tridex_archive::source::SourceError;
use tridex_core::FileFault;
use tridex_replay::finding::Problem;
use tridex_replay::finding::Severity;
use tridex_text::printable;

/// A finding about a file, and its effect on the exit code.
#[derive(Debug)]
pub(crate) struct Fault {
    found: FileFault,
    /// Noted for the exit code if the finding is an error.
    trouble: Trouble,
}

impl Fault {
    fn new(file: &str, fault: tridex_replay::Fault, trouble: Trouble) -> Self {
        let file = file.into();
        let found = FileFault { file, fault };
        Self { found, trouble }
    }

    /// A fault of a source that was named, or found in a folder.
    pub(crate) fn of_source(fault: &SourceError) -> Self {
        let trouble = match fault.code {
            "empty" | "no-games" => Trouble::InData,
            _ => Trouble::InFiles,
        };
        let found = tridex_replay::Fault::of_source(fault);
        Self::new(&fault.name, found, trouble)
    }

    /// A fault of a piece of a source. A file that is damaged was already damaged when the plan was made, so reading it
    /// again does not help. The fault therefore counts as a problem of the data.
    pub(crate) fn of_piece(fault: &SourceError) -> Self {
        let mut found = Self::of_source(fault);
        if let "corrupt" | "too-large" | "no-record" | "no-columns" | "unknown-encoding" =
            fault.code
        {
            found.trouble = Trouble::InData;
        }
        found
    }

    /// A fault of a plan, or of one of its lines.
    pub(crate) fn of_plan(plan: &str, line: Option<u64>, message: String) -> Self {
        let found = tridex_replay::Fault {
            place: line.map(|line| LineColumn { line, column: 1 }),
            severity: Severity::Error,
            code: "plan",
            message,
            is_guess: false,
        };
        Self::new(plan, found, Trouble::InFiles)
    }

    /// A finding about the text of a source, such as a guessed encoding.
    pub(crate) fn of_text(file: &Arc<str>, found: tridex_replay::Fault) -> Self {
        Self::new(file, found, Trouble::InData)
    }

    pub(crate) fn severity(&self) -> Severity {
        self.found.fault.severity
    }

    /// The finding with the name of the file.
    pub(crate) fn message(&self) -> String {
        let FileFault { file, fault } = &self.found;
        match fault.place {
            // Plans are read line by line, so a column has no meaning.
            Some(place) if fault.code == "plan" => {
                format!("{}:{}: {}", printable(file), place.line, fault.message)
            }
            _ if fault.is_guess => format!("{}: --encoding NAME sets another", self.found),
            _ => self.found.to_string(),
        }
    }

    /// Reports the finding on standard error. An error is also noted for the exit code; other findings are not reported
    /// with `--quiet`.
    pub(crate) fn report(&self) {
        match self.severity() {
            Severity::Error => {
                self.trouble.note();
                terminal::complain(&self.message());
            }
            Severity::Warning | Severity::Info => terminal::remark(&self.message()),
        }
    }

    /// Its row in the table of problems.
    pub(crate) fn problem(&self) -> Problem<'_> {
        self.found.fault.problem(&self.found.file)
    }
}

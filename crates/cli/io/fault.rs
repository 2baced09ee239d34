//! What is wrong with a file, or worth knowing about it, that belongs to no game, and how the run ends for it.

use crate::failure::Trouble;
use crate::term::terminal;
use std::sync::Arc;
use tridex_archive::places::LineColumn;
use tridex_archive::source::SourceError;
use tridex_core::FileFault;
use tridex_replay::finding::Problem;
use tridex_replay::finding::Severity;
use tridex_text::printable;

/// A finding about a file, and how the run ends for it.
#[derive(Debug)]
pub(crate) struct Fault {
    found: FileFault,
    /// If it is an error.
    trouble: Trouble,
}

impl Fault {
    fn new(file: &str, fault: tridex_replay::Fault, trouble: Trouble) -> Self {
        let file = file.into();
        let found = FileFault { file, fault };
        Self { found, trouble }
    }

    /// What is wrong with a source that was named, or found in a folder.
    pub(crate) fn of_source(fault: &SourceError) -> Self {
        let trouble = match fault.code {
            "empty" | "no-games" => Trouble::InData,
            _ => Trouble::InFiles,
        };
        let found = tridex_replay::Fault::of_source(fault);
        Self::new(&fault.name, found, trouble)
    }

    /// What is wrong with a piece of a source. That a file is broken was so when it was cut, and will be so for every
    /// reader: then the data has problems, and to try again is of no use.
    pub(crate) fn of_piece(fault: &SourceError) -> Self {
        let mut found = Self::of_source(fault);
        if let "corrupt" | "too-large" | "no-record" | "no-columns" | "unknown-encoding" =
            fault.code
        {
            found.trouble = Trouble::InData;
        }
        found
    }

    /// What is wrong with a plan, or with a line of it.
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

    /// What there is to know about the text of a source.
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
            // Of a plan whole lines are read.
            Some(place) if fault.code == "plan" => {
                format!("{}:{}: {}", printable(file), place.line, fault.message)
            }
            _ if fault.is_guess => format!("{}: --encoding NAME sets another", self.found),
            _ => self.found.to_string(),
        }
    }

    /// Notes and reports it on standard error; what is no error only if not only results are wanted.
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

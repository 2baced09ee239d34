//! Findings about files that belong to no game.

use std::sync::Arc;
use tridex_archive::line_index::LineColumn;
use tridex_archive::source::SourceError;
use tridex_replay::Fault;
use tridex_replay::finding::Severity;
use tridex_text::printable;

/// A finding about a file that belongs to no game: an error, or something worth knowing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FileFault {
    /// The name of the file, not yet made printable.
    pub file: Arc<str>,
    /// The finding.
    pub fault: Fault,
    /// Whether it is about the content of the file, such as NUL bytes. Otherwise the file cannot be opened or read.
    pub is_content: bool,
}

impl FileFault {
    /// The fault of a source that was named, or found in a folder.
    #[must_use]
    pub fn of_source(fault: &SourceError) -> Self {
        Self {
            file: fault.name.as_str().into(),
            fault: Fault::of_source(fault),
            is_content: matches!(fault.code, "empty" | "no-games"),
        }
    }

    /// The fault of a piece of a source. A file that is damaged was already damaged when the plan was made, so reading it
    /// again does not help. The fault therefore counts as one of the content.
    pub(crate) fn of_piece(fault: &SourceError) -> Self {
        let is_damage = matches!(
            fault.code,
            "corrupt" | "too-large" | "no-record" | "no-columns" | "unknown-encoding"
        );
        let of_source = Self::of_source(fault);
        Self {
            is_content: is_damage || of_source.is_content,
            ..of_source
        }
    }

    /// A fault of a plan, or of one of its lines.
    pub(crate) fn of_plan(plan: &str, line: Option<u64>, message: String) -> Self {
        let fault = Fault {
            place: line.map(|line| LineColumn { line, column: 1 }),
            severity: Severity::Error,
            code: "plan",
            message,
            is_guess: false,
        };
        Self {
            file: plan.into(),
            fault,
            is_content: false,
        }
    }

    /// A finding about the text of a source, such as a guessed encoding.
    #[must_use]
    pub fn of_text(file: &Arc<str>, fault: Fault) -> Self {
        Self {
            file: Arc::clone(file),
            fault,
            is_content: true,
        }
    }
}

impl std::fmt::Display for FileFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", printable(&self.file))?;
        match self.fault.place {
            // Plans are read line by line, so a column has no meaning.
            Some(place) if self.fault.code == "plan" => write!(f, "{}:", place.line)?,
            Some(place) => write!(f, "{place}:")?,
            None => {}
        }
        write!(f, " {}", self.fault.message)
    }
}

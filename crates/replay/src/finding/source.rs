//! Findings about a source or its text that belong to no game.

use crate::finding::Problem;
use crate::finding::Severity;
use tridex_archive::encoding::{Encoding, Notice, NoticeKind};
use tridex_archive::line_index::LineColumn;
use tridex_archive::source::SourceError;

/// A finding about a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The place in the source; `None` if it is about the source as a whole.
    pub place: Option<LineColumn>,
    /// How serious it is.
    pub severity: Severity,
    /// A name for machine-readable output. It never changes.
    pub code: &'static str,
    /// What is wrong and why.
    pub message: String,
    /// Whether the encoding of the text was guessed, so that the caller may state another.
    pub is_guess: bool,
}

impl Fault {
    /// The fault of a source that could not be read to its end.
    #[must_use]
    pub fn of_source(fault: &SourceError) -> Self {
        Self {
            place: None,
            severity: Severity::Error,
            code: fault.code,
            message: fault.message.clone(),
            is_guess: false,
        }
    }

    /// The fault for a notice about the text of a source.
    #[must_use]
    pub fn of_notice(notice: Notice, place: LineColumn) -> Self {
        let (severity, message) = match notice.kind {
            NoticeKind::Guessed(guess) if guess.encoding == Encoding::UTF_8 => {
                let message =
                    "not UTF-8, unlike most of the text; such bytes are read as windows-1252";
                (Severity::Warning, message.to_owned())
            }
            NoticeKind::Guessed(guess) => {
                let name = guess.encoding.name();
                let (severity, guessed) = match guess.is_sure {
                    true => (Severity::Info, "a guess"),
                    false => (Severity::Warning, "a guess from few letters"),
                };
                (severity, format!("not UTF-8; read as {name}, {guessed}"))
            }
            NoticeKind::Unmapped(encoding) => {
                let name = encoding.name();
                let message = format!("these bytes are not a character in {name}; read as U+FFFD");
                (Severity::Warning, message)
            }
            NoticeKind::Markup => {
                let message =
                    "read without its markup; lines and columns are those of the text without it";
                (Severity::Info, message.to_owned())
            }
            _ => {
                let message = "NUL bytes, as left by a crash or a full disk; expected text";
                (Severity::Error, message.to_owned())
            }
        };
        let code = match (severity, notice.kind) {
            (_, NoticeKind::Markup) => "markup",
            (Severity::Error, _) => "zeros",
            (Severity::Warning | Severity::Info, _) => "encoding",
        };
        Self {
            place: Some(place),
            severity,
            code,
            message,
            is_guess: matches!(notice.kind, NoticeKind::Guessed(guess) if guess.encoding != Encoding::UTF_8),
        }
    }

    /// Returns its row in the table of problems.
    #[must_use]
    pub fn problem<'f>(&'f self, file: &'f str) -> Problem<'f> {
        let place = self.place.unwrap_or(LineColumn { line: 1, column: 1 });
        Problem {
            file,
            line: place.line,
            column: place.column,
            severity: self.severity,
            code: self.code,
            message: &self.message,
            ..Problem::default()
        }
    }
}

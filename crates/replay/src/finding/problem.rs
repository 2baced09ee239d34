//! Findings as rows of a table.

use crate::finding::{Correction, Finding, Severity};
use serde::Serialize;

/// A finding as a row of its own: the table of problems. Fields are added, never renamed or dropped.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Problem<'r> {
    /// Name of the source, `-` for standard input.
    pub file: &'r str,
    /// Number of the game in its source, from 1; none for damage that belongs to no game.
    pub game: Option<u64>,
    /// Line of the token, from 1.
    pub line: u64,
    /// Column of the token in characters, from 1.
    pub column: u64,
    /// The ply it is about, from 1; `None` if it is about no ply.
    pub ply: Option<u32>,
    /// `error`, `warning` or `info`.
    pub severity: Severity,
    /// What kind of finding it is.
    pub code: &'static str,
    /// The token as written; empty if it is about no token.
    pub token: &'r str,
    /// What is wrong and why.
    pub message: &'r str,
    /// Legal moves similar to the token, or the readings of an ambiguous token.
    pub legal: &'r [String],
    /// The text that must replace the token, if only that correction is likely.
    pub suggestion: Option<&'r str>,
    /// The one likely correction in words, each change with its line and column; at this token or elsewhere.
    pub correction: Option<String>,
}

impl<'r> Problem<'r> {
    /// The row of a finding whose line and column are filled in.
    #[must_use]
    pub fn new(file: &'r str, game: Option<u64>, found: &'r Finding) -> Self {
        let sure = found.corrections.first().filter(|_| found.is_sure);
        Self {
            file,
            game,
            line: found.line,
            column: found.column,
            ply: (found.ply > 0).then_some(found.ply),
            severity: found.severity,
            code: found.code.as_str(),
            token: &found.token,
            message: &found.message,
            legal: &found.alternatives,
            suggestion: found.suggestion.as_deref(),
            correction: sure.map(Correction::placed_words),
        }
    }
}

// Legal moves are separated by semicolons, since a move may contain a comma.
tridex_archive::columns! { Problem<'_>, row:
    "file" => row.file,
    "game" => row.game.map_or_else(String::new, |game| game.to_string()),
    "line" => row.line,
    "column" => row.column,
    "ply" => row.ply.map_or_else(String::new, |ply| ply.to_string()),
    "severity" => row.severity.as_str(),
    "code" => row.code,
    "token" => row.token,
    "message" => row.message,
    "legal" => row.legal.join("; "),
    "suggestion" => row.suggestion.unwrap_or_default(),
    "correction" => row.correction.as_deref().unwrap_or_default(),
}

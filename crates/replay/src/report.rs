//! What `validate` says of a game, for machines.

use crate::Report;
use crate::diagnostic::Diagnostic;
use serde::Serialize;
use std::io::{self, Write};
use tridex_notation::position_string;

/// A game's line in the machine forms of `validate`. Fields are added, never renamed or dropped.
#[derive(Clone, Debug, Serialize)]
pub struct Row<'r> {
    /// Name of the source, `-` for standard input.
    pub source: &'r str,
    /// Number of the game in its source, from 1.
    pub game: u64,
    /// The line it begins on.
    pub line: u64,
    /// `valid`, `warned`, `ambiguous` or `invalid`.
    pub status: &'static str,
    /// The rule system.
    pub rules: &'static str,
    /// The notation.
    pub notation: &'static str,
    /// The language of the letters.
    pub locale: &'static str,
    /// How many plies of the main line were replayed.
    pub plies: usize,
    /// The result of the record.
    pub result: &'static str,
    /// How the rules have ended the game, or `*`.
    pub outcome: String,
    /// The position after the last ply that could be replayed.
    pub fen: String,
    /// Its key, sixteen hexadecimal digits.
    pub key: String,
    /// What was found.
    pub diagnostics: Vec<Finding<'r>>,
}

/// A finding in the machine forms.
#[derive(Clone, Debug, Serialize)]
pub struct Finding<'r> {
    severity: crate::diagnostic::Severity,
    code: &'static str,
    ply: u32,
    #[serde(rename = "move")]
    number: &'r str,
    token: &'r str,
    line: u64,
    column: u64,
    message: &'r str,
    alternatives: &'r [String],
    suggestion: Option<&'r str>,
}

impl<'r> Finding<'r> {
    fn of(found: &'r Diagnostic) -> Self {
        Self {
            severity: found.severity,
            code: found.code.as_str(),
            ply: found.ply,
            number: &found.number,
            token: &found.token,
            line: found.line,
            column: found.column,
            message: &found.message,
            alternatives: &found.alternatives,
            suggestion: found.suggestion.as_deref(),
        }
    }
}

impl<'r> Row<'r> {
    /// The row of a report whose findings have their places.
    #[must_use]
    pub fn new(source: &'r str, game: u64, line: u64, report: &'r Report) -> Self {
        Self {
            source,
            game,
            line,
            status: report.status.as_str(),
            rules: report.rules.name(),
            notation: report.writing.notation.name(),
            locale: report.writing.locale.code(),
            plies: report.moves.len(),
            result: report.result.as_str(),
            outcome: report
                .outcome
                .map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
            fen: position_string::to_string(&report.last.to_setup()),
            key: format!("{:016x}", report.last.key()),
            diagnostics: report.diagnostics.iter().map(Finding::of).collect(),
        }
    }

    /// Writes the row as one line of JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        tridex_archive::json::to_writer(out, self)?;
        out.write_all(b"\n")
    }

    /// The names of [`Row::cells`].
    pub const COLUMNS: [&'static str; 13] = [
        "source",
        "game",
        "line",
        "status",
        "rules",
        "notation",
        "locale",
        "plies",
        "result",
        "outcome",
        "fen",
        "key",
        "diagnostics",
    ];

    /// The row as cells of a table; all findings in one cell, one below the other.
    #[must_use]
    pub fn cells(&self) -> [String; 13] {
        let findings: Vec<String> = self
            .diagnostics
            .iter()
            .map(|f| format!("{}:{} {}: {}", f.line, f.column, f.code, f.message))
            .collect();
        [
            self.source.to_owned(),
            self.game.to_string(),
            self.line.to_string(),
            self.status.to_owned(),
            self.rules.to_owned(),
            self.notation.to_owned(),
            self.locale.to_owned(),
            self.plies.to_string(),
            self.result.to_owned(),
            self.outcome.clone(),
            self.fen.clone(),
            self.key.clone(),
            findings.join("\n"),
        ]
    }
}

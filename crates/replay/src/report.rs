//! What `validate` reports of a game, for machines.

use crate::diagnostic::{Correction, Diagnostic, Severity};
use crate::{Report, Under};
use serde::Serialize;
use tridex_notation::position_string;

/// A game's line in the machine forms of `validate`. Fields are added, never renamed or dropped.
#[derive(Clone, Debug, Serialize)]
pub struct GameRow<'r> {
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
    pub diagnostics: Vec<&'r Diagnostic>,
    /// The systems under which it is legal, if all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<&'static str>>,
    /// How far it is legal under each system, if all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub systems: Option<&'r [Under]>,
}

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
    /// The ply it is about, from 1; none if it is about none.
    pub ply: Option<u32>,
    /// `error`, `warning` or `info`.
    pub severity: Severity,
    /// What kind of finding it is.
    pub code: &'static str,
    /// The token as written; empty if it is about none.
    pub token: &'r str,
    /// What is wrong and why.
    pub message: &'r str,
    /// Legal moves near to what is written, or the readings of an ambiguous token.
    pub legal: &'r [String],
    /// What the token should read, if that is sure.
    pub suggestion: Option<&'r str>,
    /// The one likely correction in words, each change with its line and column; at this token or elsewhere.
    pub correction: Option<String>,
}

impl<'r> Problem<'r> {
    /// The row of a finding that has its place.
    #[must_use]
    pub fn new(file: &'r str, game: Option<u64>, found: &'r Diagnostic) -> Self {
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

// Legal moves with semicolons between them, for a move may hold a comma.
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

impl<'r> GameRow<'r> {
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
            diagnostics: report.diagnostics.iter().collect(),
            legal: None,
            systems: None,
        }
    }

    /// The same with how the game goes under each system.
    #[must_use]
    pub fn under_all(mut self, systems: &'r [Under]) -> Self {
        let legal = systems.iter().filter(|under| under.is_legal);
        self.legal = Some(legal.map(|under| under.rules.name()).collect());
        self.systems = Some(systems);
        self
    }

    fn findings(&self) -> String {
        let line =
            |f: &&Diagnostic| format!("{}:{} {}: {}", f.line, f.column, f.code.as_str(), f.message);
        let lines: Vec<String> = self.diagnostics.iter().map(line).collect();
        lines.join("\n")
    }
}

// All findings are in one cell, one below the other.
tridex_archive::columns! { GameRow<'_>, row:
    "source" => row.source,
    "game" => row.game,
    "line" => row.line,
    "status" => row.status,
    "rules" => row.rules,
    "notation" => row.notation,
    "locale" => row.locale,
    "plies" => row.plies,
    "result" => row.result,
    "outcome" => row.outcome,
    "fen" => row.fen,
    "key" => row.key,
    "diagnostics" => row.findings(),
    // A column only if all systems were tried.
    .. row.legal.as_ref().map(|legal| legal.join(" "))
}

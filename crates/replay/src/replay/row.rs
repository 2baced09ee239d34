//! A game in the machine-readable output of `validate`.

use super::{Replay, Under};
use crate::finding::Finding;
use serde::Serialize;
use tridex_notation::Fen;

/// The row of a game in the machine-readable output of `validate`. Fields are added, never renamed or dropped.
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
    /// The key of that position, sixteen hexadecimal digits.
    pub key: String,
    /// The findings.
    pub diagnostics: Vec<&'r Finding>,
    /// The rule systems under which the game is legal, if all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<&'static str>>,
    /// How far the game is legal under each rule system, if all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub systems: Option<&'r [Under]>,
}

impl<'r> GameRow<'r> {
    /// Returns the row of a game whose findings have their lines and columns.
    #[must_use]
    pub fn new(source: &'r str, game: u64, line: u64, replay: &'r Replay) -> Self {
        Self {
            source,
            game,
            line,
            status: replay.status().as_str(),
            rules: replay.rules().name(),
            notation: replay.style().notation.name(),
            locale: replay.style().locale.code(),
            plies: replay.moves().len(),
            result: replay.result().as_str(),
            outcome: replay
                .outcome()
                .map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
            fen: Fen::of(replay.last()).to_string(),
            key: format!("{:016x}", replay.last().key()),
            diagnostics: replay.findings().iter().collect(),
            legal: None,
            systems: None,
        }
    }

    /// Adds how far the game is legal under each rule system.
    #[must_use]
    pub fn under_all(mut self, systems: &'r [Under]) -> Self {
        let legal = systems.iter().filter(|under| under.is_legal);
        self.legal = Some(legal.map(|under| under.rules.name()).collect());
        self.systems = Some(systems);
        self
    }

    fn findings(&self) -> String {
        let line =
            |f: &&Finding| format!("{}:{} {}: {}", f.line, f.column, f.code.as_str(), f.message);
        let lines: Vec<String> = self.diagnostics.iter().map(line).collect();
        lines.join("\n")
    }
}

// All findings are in one cell, one on each line.
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
    // This column exists only if all rule systems were tried.
    .. row.legal.as_ref().map(|legal| legal.join(" "))
}

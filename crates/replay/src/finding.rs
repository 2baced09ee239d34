//! What is reported about a game: a severity, a code that never changes, the place, and a message in terms of the
//! board.

mod problem;
pub(crate) mod source;
pub(crate) mod trace;
pub(crate) mod wording;

pub use problem::Problem;

use serde::Serialize;
use tridex_archive::line_index::LineIndex;

tridex_text::enum_table! {
    /// How serious a finding is.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Severity(
        /// The name of the severity in machine-readable output.
        as_str: &'static str
    ) {
        /// Useful to know, but nothing is wrong.
        #[default]
        Info("info"),
        /// Something was not read as written, or does not agree with the moves, but the game can still be played.
        Warning("warning"),
        /// The game cannot be replayed from here on, or its record contradicts itself.
        Error("error"),
    }
}

impl Severity {
    /// Returns [`Severity::Error`] if a condition holds, or `otherwise`.
    pub(crate) const fn error_if(is_error: bool, otherwise: Self) -> Self {
        if is_error { Self::Error } else { otherwise }
    }
}

tridex_text::enum_table! {
    /// What kind of finding it is.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Code(
        /// The name of the code in machine-readable output.
        as_str: &'static str
    ) {
        /// The token is not a move in the notation.
        Syntax("syntax"),
        /// The token is a move in the notation, but no legal move fits it.
        Illegal("illegal"),
        /// Several legal moves fit, and several let the rest of the game be replayed (or reading is strict).
        Ambiguous("ambiguous"),
        /// Several legal moves fit, but only one lets the rest of the game be replayed.
        AmbiguityResolved("ambiguity-resolved"),
        /// A token was read with the letters of another language, or with a letter for a pawn.
        Dialect("dialect"),
        /// A token was read with a likely misread character corrected.
        Ocr("ocr"),
        /// A token was read in another notation than the rest of the game.
        OtherNotation("other-notation"),
        /// A token does not have the upper and lower case of the notation.
        Case("case"),
        /// The level of a square is missing.
        MissingLevel("missing-level"),
        /// A token is spelled as in no notation, but can mean only one thing.
        Spelling("spelling"),
        /// A capture is marked where nothing is captured, or not marked where a piece is captured.
        CaptureMark("capture-mark"),
        /// En passant is marked on another move, or not marked on a capture en passant.
        EnPassantMark("en-passant-mark"),
        /// Check or mate is marked where there is none.
        CheckMark("check-mark"),
        /// The game continues after a draw that has ended it.
        GameOver("game-over"),
        /// A draw by threefold repetition could have been claimed.
        Threefold("threefold"),
        /// A draw by the 50-move rule could have been claimed.
        FiftyMoves("fifty-moves"),
        /// The result contradicts the final position.
        Result("result"),
        /// The record states different results in its tag, after its moves, or in words.
        ResultMismatch("result-mismatch"),
        /// A variation cannot be replayed.
        Variation("variation"),
        /// The number in front of a move is not the number of the move.
        MoveNumber("move-number"),
        /// The record omits a move and marks it: `--`.
        NotRecorded("not-recorded"),
        /// Something was read that is not standard PGN: a heading, a sentence, a time.
        Unusual("unusual"),
        /// The notation or language was not named, so it was inferred.
        NotationInferred("notation-inferred"),
        /// A tag that determines how the game is read is not understood, or a tag has two values.
        Tag("tag"),
        /// The start position cannot be read or played.
        StartPosition("start-position"),
        /// A text is UTF-8 that was read as Windows-1252: `JÃ¶rg`.
        Mojibake("mojibake"),
        /// The container is damaged here.
        Damage("damage"),
        /// The record may be truncated: something is missing at its end.
        Truncated("truncated"),
        /// Under which rule systems the game is legal. As an error: the game is written for the board of another rule
        /// system.
        OtherRules("other-rules"),
        /// A correction: one made by [`repair_game`](crate::repair_game), or an unrecorded move that was filled in.
        Repaired("repaired"),
        /// A conversion refused to write the game.
        Rejected("rejected"),
        /// The record is marked as incomplete: it was converted from one that could not be read completely.
        Unreadable("unreadable"),
        /// There are more findings than are listed.
        Omitted("omitted"),
    }
}

/// One finding about one game. As JSON, fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// What kind of finding it is.
    pub code: Code,
    /// The ply it is about, counted from 1, or 0 if it is about none.
    pub ply: u32,
    /// The number of the move as people say it: `12.` or `12...`.
    #[serde(rename = "move")]
    pub number: String,
    /// The token as written, decoded; empty if it is about none.
    pub token: String,
    /// Byte offset of the token in the decompressed source.
    #[serde(skip)]
    pub at: u64,
    /// Length of the token in bytes.
    #[serde(skip)]
    pub len: usize,
    /// Line of the token, from 1; filled in by [`Replay::place`](crate::Replay::place).
    pub line: u64,
    /// Column of the token in characters, from 1.
    pub column: u64,
    /// What is wrong and why, in terms of the board.
    pub message: String,
    /// Legal moves similar to the token, or the readings of an ambiguous token, in the game's notation.
    pub alternatives: Vec<String>,
    /// Whether the first correction explains why the game breaks and no other is as likely.
    /// [`repair_game`](crate::repair_game) makes it.
    #[serde(skip)]
    pub is_sure: bool,
    /// The moves that corrections insert. They are listed separately because there may be too many ways to fill a gap
    /// to list every correction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The text that must replace the token, if the sure correction changes only this token. Other corrections are only
    /// listed among the corrections.
    pub suggestion: Option<String>,
    /// The slips that may explain why the game breaks, the likeliest first. If any one of these corrections is made,
    /// the rest of the game is legal. A slip may precede the place where the game breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Correction>,
    /// The number of corrections that are not listed because there are too many.
    #[serde(rename = "corrections_unlisted", skip_serializing_if = "is_none")]
    pub unlisted: usize,
}

/// Whether a number is zero.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// A slip that explains why a game breaks, or several slips that explain it together. With these changes the rest of
/// the game is legal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Correction {
    /// What went wrong, in a few words: `two exchanged characters`, `two slips`.
    pub slip: &'static str,
    /// The cost of what is assumed: the lower, the likelier.
    pub cost: u32,
    /// The changes that correct all slips, in the order of the record. One slip may take several changes, for example
    /// if two moves are exchanged.
    pub changes: Vec<Change>,
}

/// A change to a record. If there is no token, the text is inserted. If there is no text, the token is removed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// The ply, counted from 1.
    pub ply: u32,
    /// The number of the move as people say it: `12.` or `12...`.
    #[serde(rename = "move")]
    pub number: String,
    /// The token as written, decoded. Empty if the text is inserted.
    pub token: String,
    /// The new text, in the notation and the language of the player. Empty if the token is removed.
    pub text: String,
    /// What went wrong here, in a few words.
    pub slip: &'static str,
    /// Byte offset of the token in the decompressed source. For an insertion, the offset of the token before which the
    /// text is inserted.
    #[serde(skip)]
    pub at: u64,
    /// Line of that offset, from 1; filled in together with the line of the finding.
    pub line: u64,
    /// Column of that offset in characters, from 1.
    pub column: u64,
}

impl Change {
    /// The change in words, without its place.
    fn words(&self) -> String {
        match (self.token.as_str(), self.text.as_str()) {
            ("", text) => format!("{text} inserted at {}", self.number),
            (token, "") => format!("`{token}` removed at {}", self.number),
            (token, text) => format!("{text} for `{token}` at {}", self.number),
        }
    }

    /// Whether it replaces the token at an offset by another text.
    #[must_use]
    pub fn replaces(&self, at: u64) -> bool {
        self.at == at && !self.token.is_empty() && !self.text.is_empty()
    }
}

impl Correction {
    /// The correction in words, each change with its line and column: "3:26: Nc3N for `Nc2N` at 3."
    #[must_use]
    pub fn placed_words(&self) -> String {
        let change =
            |change: &Change| format!("{}:{}: {}", change.line, change.column, change.words());
        let changes: Vec<String> = self.changes.iter().map(change).collect();
        changes.join(" and ")
    }

    /// The correction in words, without its place: "Nc2W for `Nc2N` at 3."
    #[must_use]
    pub fn words(&self) -> String {
        let changes: Vec<String> = self.changes.iter().map(Change::words).collect();
        changes.join(" and ")
    }
}

impl Finding {
    /// Adds texts to the alternatives, without duplicates, until there are `most` of them.
    pub(crate) fn offer(&mut self, texts: impl IntoIterator<Item = String>, most: usize) {
        for text in texts {
            if self.alternatives.len() < most && !self.alternatives.contains(&text) {
                self.alternatives.push(text);
            }
        }
    }

    /// Fills in the lines and columns of the finding and of its corrections.
    pub fn place(&mut self, line_index: &mut LineIndex<'_>) {
        let place = line_index.place(self.at);
        (self.line, self.column) = (place.line, place.column);
        let corrections = self.corrections.iter_mut();
        for change in corrections.flat_map(|correction| &mut correction.changes) {
            let place = line_index.place(change.at);
            (change.line, change.column) = (place.line, place.column);
        }
    }

    /// A finding about the game as a whole.
    #[must_use]
    pub fn of_game(severity: Severity, code: Code, at: u64, message: String) -> Self {
        Self {
            severity,
            code,
            ply: 0,
            number: String::new(),
            token: String::new(),
            at,
            len: 0,
            line: 0,
            column: 0,
            message,
            alternatives: Vec::new(),
            missing: Vec::new(),
            is_sure: false,
            suggestion: None,
            corrections: Vec::new(),
            unlisted: 0,
        }
    }
}

tridex_text::enum_table! {
    /// How well a game could be replayed, from best to worst.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Status(
        /// The name of the status in machine-readable output.
        as_str: &'static str
    ) {
        /// Every move is legal as written.
        Valid("valid"),
        /// Every move is legal, but something was not read as written or does not agree with the moves.
        Warned("warned"),
        /// Every move is legal, but some token has several readings that all let the game be replayed to its end.
        Ambiguous("ambiguous"),
        /// The game cannot be replayed to its end, or its record contradicts itself.
        Invalid("invalid"),
    }
}

impl Status {
    /// The status that follows from a list of findings.
    ///
    /// ```
    /// use tridex_replay::finding::{Code, Finding, Severity, Status};
    ///
    /// let warning = Finding::of_game(Severity::Warning, Code::Tag, 0, "a tag".to_owned());
    /// assert_eq!(Status::of(&[warning]), Status::Warned);
    /// assert_eq!(Status::of(&[]), Status::Valid);
    /// ```
    #[must_use]
    pub fn of<'d>(diagnostics: impl IntoIterator<Item = &'d Finding>) -> Self {
        let one = |found: &Finding| match (found.severity, found.code) {
            (Severity::Error, _) => Self::Invalid,
            (_, Code::Ambiguous) => Self::Ambiguous,
            (Severity::Warning, _) => Self::Warned,
            (Severity::Info, _) => Self::Valid,
        };
        diagnostics
            .into_iter()
            .map(one)
            .max()
            .unwrap_or(Self::Valid)
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Severity};
    use serde_json::json;

    #[test]
    fn json_and_tables_have_the_same_names() {
        for code in Code::ALL {
            assert_eq!(json!(code), json!(code.as_str()));
        }
        for severity in Severity::ALL {
            assert_eq!(json!(severity), json!(severity.as_str()));
        }
    }
}

//! What is reported of a game: severity, a code that never changes, the place, and a message in the words of the board.

mod problem;
pub(crate) mod source;
pub(crate) mod trace;
pub(crate) mod wording;

pub use problem::Problem;

use serde::Serialize;
use tridex_archive::places::Places;

tridex_text::enum_table! {
    /// How bad it is.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Severity(
        /// The severity as machines see it.
        as_str: &'static str
    ) {
        /// Worth knowing; nothing is wrong.
        #[default]
        Info("info"),
        /// Something was read otherwise than it is written, or does not agree, and the game can be played all the same.
        Warning("warning"),
        /// The game cannot be replayed from here on, or its record contradicts itself.
        Error("error"),
    }
}

impl Severity {
    /// An error on a condition.
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
        /// The code as machines see it.
        as_str: &'static str
    ) {
        /// The token is not a word of the notation.
        Syntax("syntax"),
        /// The token is a word, and no legal move fits it.
        Illegal("illegal"),
        /// Several legal moves fit, and several let the rest of the game be replayed (or reading is strict).
        Ambiguous("ambiguous"),
        /// Several legal moves fit, and the rest of the game decides for one.
        AmbiguityResolved("ambiguity-resolved"),
        /// A token was read with another language's letters.
        Dialect("dialect"),
        /// A token was read with a likely misread character corrected.
        Ocr("ocr"),
        /// A token was read in another notation than the rest of the game.
        OtherNotation("other-notation"),
        /// Upper and lower case differ from the notation's.
        Case("case"),
        /// The level of a square is missing.
        MissingLevel("missing-level"),
        /// A word is spelled as no notation has it, and can mean only one thing.
        Spelling("spelling"),
        /// A capture is written where nothing is captured, or none where a piece is.
        CaptureMark("capture-mark"),
        /// En passant is written where none is played, or not where one is.
        EnPassantMark("en-passant-mark"),
        /// Check or mate is written where there is none.
        CheckMark("check-mark"),
        /// The game continues after a draw that has ended it.
        GameOver("game-over"),
        /// A draw by threefold repetition could have been claimed.
        Threefold("threefold"),
        /// A draw by the 50-move rule could have been claimed.
        FiftyMoves("fifty-moves"),
        /// The result contradicts the final position.
        Result("result"),
        /// Two results of the record differ: that of a tag, that after the moves, or that of words.
        ResultMismatch("result-mismatch"),
        /// A variation cannot be replayed.
        Variation("variation"),
        /// The number in front of a move is not the number of the move.
        MoveNumber("move-number"),
        /// The record omits a move and marks it: `--`.
        NotRecorded("not-recorded"),
        /// Something that PGN has no form for was read all the same: a heading, a sentence, a time.
        Unusual("unusual"),
        /// The rule system was not named, or named in an unknown way, and was inferred.
        RulesInferred("rules-inferred"),
        /// The notation or language was not named and was inferred.
        NotationInferred("notation-inferred"),
        /// A tag that steers the reading is not understood, or a tag has two values.
        Tag("tag"),
        /// The start position cannot be read or played.
        StartPosition("start-position"),
        /// The container is damaged here.
        Damage("damage"),
        /// The record may be truncated: something is missing at its end.
        Truncated("truncated"),
        /// What the game is under another rule system; as an error, that it is written for the board of another.
        OtherRules("other-rules"),
        /// A correction that [`repair_game`](crate::repair_game) has made.
        Repaired("repaired"),
        /// A conversion did not write the game.
        Rejected("rejected"),
        /// The record is marked as incomplete: it was written from one that could not be read to its end.
        Unreadable("unreadable"),
        /// There are more findings than are listed.
        Omitted("omitted"),
    }
}

/// One finding about one game. As JSON, fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// How bad it is.
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
    /// What is wrong and why, in the words of the board.
    pub message: String,
    /// Legal moves near to what is written, or the readings of an ambiguous token, in the game's notation.
    pub alternatives: Vec<String>,
    /// Whether one correction explains why the game breaks and no other is as likely: the first. [`repair_game`](crate::repair_game) makes it.
    #[serde(skip)]
    pub is_sure: bool,
    /// Moves of which one or two may be missing, each at the place that a correction gives, if several would fill the gap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What is to be written in place of the token, if that correction is this change: with it alone the game is legal. A
    /// correction at another place, a missing or a superfluous move is only among the corrections.
    pub suggestion: Option<String>,
    /// The likeliest slips that would explain why the game breaks: with each of them corrected the rest of the game
    /// is legal. The likeliest come first. The slip may precede the place where the game breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Correction>,
}

/// A slip that explains why a game breaks, or several that do together: with these changes the rest of the game
/// is legal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Correction {
    /// What went wrong, in a few words: `two exchanged characters`, `two slips`.
    pub slip: &'static str,
    /// How much is assumed: the less, the likelier.
    pub cost: u32,
    /// What is to be changed, in the order of the record: one change, or two where moves are exchanged or two are missing;
    /// those of all slips.
    pub changes: Vec<Change>,
}

/// A change to a record. Without a token the text is inserted at the place, without a text the token is removed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Change {
    /// The ply, counted from 1.
    pub ply: u32,
    /// The number of the move as people say it: `12.` or `12...`.
    #[serde(rename = "move")]
    pub number: String,
    /// The token as written, decoded; empty if there is none.
    pub token: String,
    /// The new text, in the notation and the language of the sheet; empty if the token is removed.
    pub text: String,
    /// What went wrong here, in a few words.
    pub slip: &'static str,
    /// Byte offset of the token in the decompressed source; for an insertion that of the token before which it goes.
    #[serde(skip)]
    pub at: u64,
    /// Line of that, from 1; filled in with that of the finding.
    pub line: u64,
    /// Column of that in characters, from 1.
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

    /// Whether it replaces the token at a place by another.
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
    /// Adds to the alternatives what is not among them yet, up to a number.
    pub(crate) fn offer(&mut self, texts: impl IntoIterator<Item = String>, most: usize) {
        for text in texts {
            if self.alternatives.len() < most && !self.alternatives.contains(&text) {
                self.alternatives.push(text);
            }
        }
    }

    /// Fills in line and column.
    pub fn place(&mut self, places: &mut Places<'_>) {
        let place = places.place(self.at);
        (self.line, self.column) = (place.line, place.column);
        let corrections = self.corrections.iter_mut();
        for change in corrections.flat_map(|correction| &mut correction.changes) {
            let place = places.place(change.at);
            (change.line, change.column) = (place.line, place.column);
        }
    }

    /// A finding that is about the game as a whole.
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
        }
    }
}

tridex_text::enum_table! {
    /// What became of a game, from best to worst.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Status(
        /// The status as machines see it.
        as_str: &'static str
    ) {
        /// Every move is legal as written.
        Valid("valid"),
        /// Every move is legal; something was forgiven or does not agree.
        Warned("warned"),
        /// Every move is legal; some token can be read in several ways to the end.
        Ambiguous("ambiguous"),
        /// The game cannot be replayed to its end, or its record contradicts itself.
        Invalid("invalid"),
    }
}

impl Status {
    /// The status that a list of findings adds up to.
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

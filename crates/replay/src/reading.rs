//! The style in which tokens are read, and the move that each token means.

use crate::style::Style;
use tridex_notation::resolve::Mismatches;
use tridex_notation::{Locale, MoveText, Notation, SyntaxError};
use tridex_rules::{Move, MoveList};

/// How each player writes, White first: Article E6 lets each choose the letters. The notation is one.
pub(crate) type PlayerStyles = [Style; 2];

/// How a line is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    /// How the line is written.
    pub hands: PlayerStyles,
    /// Ambiguous tokens and tokens in another dialect break the line.
    pub strict: bool,
    /// The language was declared, by a tag or by the caller: no other is tried.
    pub bound: bool,
}

impl Reading {
    /// Whether words are taken literally.
    pub(crate) fn takes(&self, text: &MoveText) -> bool {
        !self.strict || text.notes.is_empty()
    }

    /// The default for a game whose notation and language are unknown.
    pub(crate) fn unknown() -> Self {
        Self {
            hands: [Style::of(Notation::Meder, Locale::English); 2],
            strict: false,
            bound: false,
        }
    }
}

/// A ply of a line as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    /// The move taken.
    pub mv: Move,
    /// What the token means.
    pub text: MoveText,
    /// How it was read: differs from the line's style where a token is in another dialect.
    pub style: Style,
    /// What is written and does not agree with the move.
    pub mismatches: Mismatches,
    /// All moves that let the rest be replayed, if the token was ambiguous; then at least one.
    pub readings: Vec<Move>,
}

impl Ply {
    /// A token that means one move as it is written.
    pub(crate) fn plain(mv: Move, text: MoveText, style: Style) -> Self {
        Self {
            mv,
            text,
            style,
            mismatches: Mismatches::default(),
            readings: Vec::new(),
        }
    }

    /// Whether its token is taken otherwise than it is written.
    pub(crate) fn assumes(&self, hands: PlayerStyles) -> bool {
        let own = hands.contains(&self.style);
        !own || !self.text.notes.is_empty()
            || !self.mismatches.is_empty()
            || !self.readings.is_empty()
    }
}

/// Why a line breaks.
#[derive(Clone, Debug)]
pub(crate) enum Break {
    /// The token is no word of the notation.
    Syntax(SyntaxError),
    /// The token is a word, and no legal move fits.
    Illegal(MoveText),
    /// Strict reading: the token is a word only for a lenient reader.
    Unusual(MoveText),
    /// Strict reading: several moves fit.
    Ambiguous(MoveList),
    /// More readings than are followed.
    TooMany,
}

//! The style in which tokens are read, and the move that each token means.

use crate::style::Style;
use tridex_notation::resolve::Mismatches;
use tridex_notation::{Locale, MoveText, Notation, SyntaxError};
use tridex_rules::{Move, MoveList};

/// The style of each player, White's first. Article E6 lets each player choose the letters. Both use the same notation.
pub(crate) type PlayerStyles = [Style; 2];

/// How a line is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reading {
    /// The style of each player.
    pub hands: PlayerStyles,
    /// Whether ambiguous tokens and tokens in another dialect break the line.
    pub strict: bool,
    /// Whether the language was declared, by a tag or by the caller, so that no other is tried.
    pub bound: bool,
}

impl Reading {
    /// Whether a parsed token is accepted. Strict reading accepts only a token without notes.
    pub(crate) fn takes(&self, text: &MoveText) -> bool {
        !self.strict || text.notes.is_empty()
    }

    /// The default for a game whose notation and language are not known.
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
    /// The move as which the token was read.
    pub mv: Move,
    /// The parsed token.
    pub text: MoveText,
    /// The style in which the token was read. It differs from the player's style if the token is in another dialect.
    pub style: Style,
    /// The marks of the token that do not agree with the move.
    pub mismatches: Mismatches,
    /// If the token was ambiguous, all moves (at least one) that let the rest be replayed.
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

    /// Whether reading the token needed an assumption about what was meant.
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
    /// The token is not a move in the notation.
    Syntax(SyntaxError),
    /// The token parses, but no legal move fits.
    Illegal(MoveText),
    /// Strict reading: the token parses only leniently.
    Unusual(MoveText),
    /// Strict reading: several moves fit.
    Ambiguous(MoveList),
    /// There are more readings than can be followed.
    TooMany,
}

//! Tokens that say all of a move, played without a list.
//!
//! Nearly all tokens of a game have nothing unusual: [`San::read`] gives those, and [`San::follow`] plays the one legal
//! move that is meant. That is an accelerator only: what `follow` plays is the only one of the
//! [`candidates`](crate::resolve::candidates), which a law holds it to. Where it gives `None`, it is for the slow ones to
//! say what there is.

use crate::parse;
use crate::resolve::prefer_marked;
use crate::text::{CheckMark, Locale, MoveText, Notation, TokenNotes};
use tridex_rules::{Move, MoveList, Playable, PlayedMove, Position, WrittenMove};

/// A token in which nothing is unusual, understood as words but not yet looked up in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    written: WrittenMove,
    mark: CheckMark,
    suffix: u8,
}

impl San {
    /// Reads a token, in the letters of a language; `None` if it is no word, if something in it had to be forgiven, or if
    /// it has `e.p.` or a draw offer.
    ///
    /// ```
    /// use tridex_notation::{Locale, Notation, San};
    /// use tridex_rules::{Position, RuleSystem};
    /// let san = San::read(Notation::Meder, b"Nb3W", Locale::English).expect("a usual token");
    /// let mut position = Position::start(RuleSystem::Meder);
    /// let found = san.find(&position);
    /// assert_eq!(san.follow(&mut position).map(|(m, _)| m), found);
    /// ```
    pub fn read(notation: Notation, token: &[u8], locale: Locale) -> Option<Self> {
        let text = parse(notation, token, Some(locale)).ok()?;
        Self::of(text)
    }

    /// The words of a token, if nothing in them is unusual.
    #[must_use]
    pub fn of(text: MoveText) -> Option<Self> {
        let is_usual = text.notes.is_empty() && !text.en_passant && !text.draw_offer;
        is_usual.then(|| Self {
            written: WrittenMove::new(text.kind, text.capture),
            mark: text.mark,
            suffix: text.suffix,
        })
    }

    /// The same as words.
    #[must_use]
    pub const fn text(&self) -> MoveText {
        MoveText {
            kind: *self.written.pattern(),
            capture: self.written.captures(),
            en_passant: false,
            mark: self.mark,
            draw_offer: false,
            suffix: self.suffix,
            notes: TokenNotes::NONE,
        }
    }

    /// The mark of check or mate.
    #[inline]
    pub const fn mark(&self) -> CheckMark {
        self.mark
    }

    /// Whether the mark of check or mate, if there is one, is true after the move has been played.
    #[inline]
    pub fn mark_fits(&self, played: &PlayedMove, after: &impl Playable) -> bool {
        match self.mark() {
            CheckMark::None => true,
            CheckMark::Check => played.check,
            CheckMark::Mate => after.is_checkmate(),
        }
    }

    /// The one legal move that is meant, with captures as they are written; `None` where that is for [`candidates`](crate::resolve::candidates) to
    /// say.
    #[inline]
    pub fn find(&self, position: &Position) -> Option<Move> {
        position.find(&self.written).one()
    }

    /// [`San::find`], and plays what it finds.
    #[inline]
    pub fn follow(&self, position: &mut impl Playable) -> Option<(Move, PlayedMove)> {
        let mut played = PlayedMove::default();
        let mv = position.follow(&self.written, &mut played)?;
        Some((mv, played))
    }

    /// [`San::follow`]; if nothing is played, `out` has the legal moves that fit regardless of marks, from which
    /// [`San::prefer`] makes the [`candidates`](crate::resolve::candidates): one search instead of two.
    ///
    /// ```
    /// use tridex_notation::{Locale, Notation, San};
    /// use tridex_rules::{MoveList, Position, RuleSystem};
    /// let (mut position, mut out) = (Position::start(RuleSystem::Meder), MoveList::new());
    /// // Nothing is captured: no move is played, one is listed.
    /// let san = San::read(Notation::Meder, b"Nxb3W", Locale::English).expect("a usual token");
    /// assert!(san.follow_or_list(&mut position, &mut out).is_none());
    /// san.prefer(&position, &mut out);
    /// assert_eq!(out.len(), 1);
    /// ```
    #[inline]
    pub fn follow_or_list(
        &self,
        position: &mut impl Playable,
        out: &mut MoveList,
    ) -> Option<(Move, PlayedMove)> {
        let mut played = PlayedMove::default();
        let mv = position.follow_or_list(&self.written, &mut played, out)?;
        Some((mv, played))
    }

    /// Of the legal moves that fit regardless of marks those which the mark of a capture chooses, in the order of [`Move`].
    pub fn prefer(&self, position: &Position, moves: &mut MoveList) {
        prefer_marked(&self.text(), position, moves);
    }

    /// [`San::follow`] that shows a function the position before the move.
    #[inline]
    pub fn follow_with(
        &self,
        position: &mut Position,
        before: impl FnOnce(&Position, Move),
    ) -> Option<(Move, PlayedMove)> {
        position.follow_with(&self.written, before)
    }
}

#[cfg(test)]
mod tests;

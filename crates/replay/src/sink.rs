//! The trait of types that receive replayed games.

use crate::finding::trace::Trace;
use crate::replay::Played;
use tridex_archive::Item;
use tridex_rules::{Move, Position};

/// Receives games while they are replayed.
///
/// For each game, `begin` is called, then the methods for its steps in the order of the record, then
/// [`game`](Self::game). If the inferred style turns out to be wrong, `begin` is called again, and the steps since the
/// previous `begin` must be discarded.
pub trait Sink {
    /// Whether the methods for the steps are called: `begin`, `before`, `after`, `guessed`, `between`, `unread`.
    const STEPS: bool = false;

    /// The moves of a game begin at this position.
    fn begin(&mut self, _start: &Position) {}

    /// A move is about to be played, in the main line or in a variation.
    #[inline]
    fn before(&mut self, _position: &Position, _mv: Move, _is_main: bool) {}

    /// The move has been played. `token` is the move as written.
    #[inline]
    fn after(&mut self, _position: &Position, _token: &[u8], _is_main: bool) {}

    /// The move that was just played is a guess: one of several that its token can mean, or an unrecorded move that was
    /// filled in.
    fn guessed(&mut self, _trace: &Trace) {}

    /// An item between the moves: the start or the end of a variation, a comment, a judgement.
    fn between(&mut self, _item: Item<&str>) {}

    /// A token that could not be read, or that follows one that could not be read.
    fn unread(&mut self, _token: &[u8]) {}

    /// A game has been replayed.
    fn game(&mut self, game: &Played<'_>);
}

/// Ignores all calls.
pub(crate) struct Silent;

impl Sink for Silent {
    fn game(&mut self, _game: &Played<'_>) {}
}

//! Who receives games that are replayed.

use crate::finding::trace::Trace;
use crate::replay::Played;
use tridex_archive::Item;
use tridex_rules::{Move, Position};

/// Takes games that are replayed.
///
/// A game is `begin`, its steps in the order of the record, and [`game`](Self::game). If the
/// inferred notation is revised, `begin` comes once more, and what was reported since the one before is void.
pub trait Sink {
    /// Whether the steps are reported: `begin`, `before`, `after`, `guessed`, `between`, `unread`.
    const STEPS: bool = false;

    /// The moves of a game begin.
    fn begin(&mut self, _start: &Position) {}

    /// A move is about to be played, in the main line or in a variation.
    #[inline]
    fn before(&mut self, _position: &Position, _mv: Move, _is_main: bool) {}

    /// It has been played; that is how it was written.
    #[inline]
    fn after(&mut self, _position: &Position, _token: &[u8], _is_main: bool) {}

    /// The move just played is one of several that its token can mean.
    fn guessed(&mut self, _trace: &Trace) {}

    /// An item between the moves: the start or the end of a variation, a comment, a judgement.
    fn between(&mut self, _item: Item<&str>) {}

    /// A token that could not be read, or follows one that could not.
    fn unread(&mut self, _token: &[u8]) {}

    /// A game is over.
    fn game(&mut self, game: &Played<'_>);
}

/// Receives nothing.
pub(crate) struct Silent;

impl Sink for Silent {
    fn game(&mut self, _game: &Played<'_>) {}
}

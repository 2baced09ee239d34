//! Draws on the way, as far as they can be seen from one move to the next.

use tridex_rules::{PlayedMove, Position};

/// Whether a main line has to be looked through for draws, position by position.
#[derive(Debug, Default)]
pub(super) struct Draws {
    /// Keys of the placements of the game, to see whether one comes for the third time.
    keys: Vec<u64>,
    /// One bit for each of the lowest bits of a key that has been seen.
    seen: [u64; 32],
    pub(super) are_possible: bool,
}

impl Draws {
    /// In a longer game every position is looked up again, since most bits are set.
    const MOST: usize = 1024;

    /// A line begins.
    pub(super) fn clear(&mut self, start: &Position) {
        self.keys.clear();
        self.seen = [0; 32];
        self.add_key(start.placement_key());
        self.are_possible = false;
    }

    /// A move was played.
    #[inline(always)]
    pub(super) fn add(&mut self, played: &PlayedMove, after: &Position) {
        self.are_possible |= self.add_key(played.placement) || played.halfmoves >= 100;
        // Only a piece that leaves the board, or is promoted, makes a position one that no side can win.
        if played.changes_material {
            self.are_possible |= after.is_dead();
        }
    }

    /// Adds a key; whether it may have occurred three times.
    #[inline]
    fn add_key(&mut self, key: u64) -> bool {
        let (word, bit) = (&mut self.seen[(key >> 6 & 31) as usize], 1 << (key & 63));
        let is_known = *word & bit != 0;
        *word |= bit;
        if self.keys.len() >= Self::MOST {
            return true;
        }
        let times = || self.keys.iter().filter(|other| **other == key).count();
        let is_third = is_known && times() >= 2;
        self.keys.push(key);
        is_third
    }
}

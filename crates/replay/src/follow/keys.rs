//! Draws on the way, as far as they can be seen from one move to the next.

use tridex_rules::{Move, Playable, PlayedMove, Position};

/// Whether a main line has to be looked through for draws, position by position.
#[derive(Debug, Default)]
pub(super) struct Draws {
    keys: Keys,
    pub(super) are_possible: bool,
}

impl Draws {
    /// A line begins.
    pub(super) fn clear(&mut self, start: &Position) {
        self.keys.clear();
        self.keys.add(start.placement_key());
        self.are_possible = false;
    }

    /// A move was played.
    #[inline(always)]
    pub(super) fn add(&mut self, mv: Move, played: &PlayedMove, after: &impl Playable) {
        self.are_possible |= self.keys.add(played.placement) || played.halfmoves >= 100;
        // Only a piece that leaves the board, or is promoted, makes a position one that no side can win.
        if played.captures || mv.promotion().is_some() {
            self.are_possible |= after.is_dead();
        }
    }
}

/// Keys of the placements of a game, to see whether one comes for the third time.
#[derive(Debug, Default)]
struct Keys {
    all: Vec<u64>,
    /// One bit for each of the lowest bits of a key that has been seen.
    seen: [u64; 32],
}

impl Keys {
    /// In a longer game every position is looked up again, since most bits are set.
    const MOST: usize = 1024;

    fn clear(&mut self) {
        self.all.clear();
        self.seen = [0; 32];
    }

    /// Adds a key; whether it may have occurred three times.
    #[inline]
    fn add(&mut self, key: u64) -> bool {
        let (word, bit) = ((key >> 6 & 31) as usize, 1 << (key & 63));
        let known = self.seen.get(word).is_some_and(|word| word & bit != 0);
        if let Some(word) = self.seen.get_mut(word) {
            *word |= bit;
        }
        if self.all.len() >= Self::MOST {
            return true;
        }
        let third = known && self.all.iter().filter(|other| **other == key).count() >= 2;
        self.all.push(key);
        third
    }
}

//! Positions that come again.

/// Keys of the placements of a game, to see whether one comes for the third time.
#[derive(Debug, Default)]
pub(super) struct Keys {
    all: Vec<u64>,
    /// One bit for each of the lowest bits of a key that has been seen.
    seen: [u64; 32],
}

impl Keys {
    /// In a longer game it is looked at every position again, since most bits are set.
    const MOST: usize = 1024;

    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.seen = [0; 32];
    }

    /// Adds a key; whether it may stand there for the third time.
    #[inline]
    pub(super) fn add(&mut self, key: u64) -> bool {
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

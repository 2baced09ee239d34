//! Sets of games by number.

/// A set of numbers below a bound, one bit each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct GameSet {
    words: Vec<u64>,
}

impl GameSet {
    /// No game of those below a bound.
    pub(crate) fn empty(bound: u32) -> Self {
        let words = vec![0; (bound as usize).div_ceil(64)];
        Self { words }
    }

    /// No game, of as many as there could be here.
    pub(crate) fn none(&self) -> Self {
        let words = vec![0; self.words.len()];
        Self { words }
    }

    /// All games below a bound.
    pub(crate) fn full(bound: u32) -> Self {
        let mut set = Self::empty(bound);
        set.words.fill(u64::MAX);
        if let (Some(last), rest @ 1..) = (set.words.last_mut(), bound % 64) {
            *last = (1 << rest) - 1;
        }
        set
    }

    /// Adds a game; one that is not below the bound is no game.
    #[inline]
    pub(crate) fn insert(&mut self, game: u32) {
        if let Some(word) = self.words.get_mut(game as usize / 64) {
            *word |= 1 << (game % 64);
        }
    }

    #[inline]
    pub(crate) fn contains(&self, game: u32) -> bool {
        self.words
            .get(game as usize / 64)
            .is_some_and(|word| word >> (game % 64) & 1 != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub(crate) fn count(&self) -> u64 {
        let counts = self.words.iter().map(|word| u64::from(word.count_ones()));
        counts.sum()
    }

    /// Combines this set with another, word by word.
    pub(crate) fn join(&mut self, other: &Self, join: impl Fn(u64, u64) -> u64) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = join(*word, *other);
        }
    }

    /// The games in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.words).flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        let mut set = GameSet::empty(1_000);
        let games = [0, 63, 64, 500, 999];
        games.iter().for_each(|game| set.insert(*game));
        set.insert(5_000);
        assert_eq!(set.iter().collect::<Vec<_>>(), games);
        assert_eq!(set.count(), 5);
        let mut other = GameSet::empty(1_000);
        other.insert(64);
        let mut rest = set.clone();
        rest.join(&other, |a, b| a & !b);
        assert_eq!(rest.count(), 4);
        for bound in [0, 1, 63, 64, 65, 128] {
            assert!(GameSet::full(bound).iter().eq(0..bound));
        }
        assert!(set.contains(64) && !set.contains(65) && !set.contains(70_000));
        set.join(&other, |a, b| a & b);
        assert_eq!(set, other);
        assert!(!set.is_empty() && set.none().is_empty());
    }
}

//! Sets of games, by number.
//!
//! Written here because a segment has at most some hundred thousand games, for which a plain bit set is small enough.
//! `roaring` compresses sets of millions and is slower for smaller ones.

/// A set of numbers, one bit each.
#[derive(Clone, Default, Debug)]
pub(crate) struct GameSet {
    words: Vec<u64>,
}

impl FromIterator<u32> for GameSet {
    fn from_iter<I: IntoIterator<Item = u32>>(games: I) -> Self {
        let mut set = Self::default();
        games.into_iter().for_each(|game| set.insert(game));
        set
    }
}

impl GameSet {
    /// The set of all games below a bound.
    pub(crate) fn full(bound: u32) -> Self {
        let words = vec![u64::MAX; (bound as usize).div_ceil(64)];
        let mut set = Self { words };
        if let (Some(last), rest @ 1..) = (set.words.last_mut(), bound % 64) {
            *last = (1 << rest) - 1;
        }
        set
    }

    #[inline]
    pub(crate) fn insert(&mut self, game: u32) {
        let (at, bit) = (game as usize / 64, 1 << (game % 64));
        match self.words.get_mut(at) {
            Some(word) => *word |= bit,
            None => {
                self.words.resize(at, 0);
                self.words.push(bit);
            }
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
        let words = self.words.len().max(other.words.len());
        self.words.resize(words, 0);
        let others = other.words.iter().chain(std::iter::repeat(&0));
        for (word, other) in self.words.iter_mut().zip(others) {
            *word = join(*word, *other);
        }
    }

    /// The games in ascending order.
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
        let games = [0, 63, 64, 500, 999];
        let mut set = GameSet::from_iter(games);
        assert_eq!(set.iter().collect::<Vec<_>>(), games);
        assert_eq!(set.count(), 5);
        let other = GameSet::from_iter([64]);
        let mut rest = set.clone();
        rest.join(&other, |a, b| a & !b);
        assert_eq!(rest.count(), 4);
        for bound in [0, 1, 63, 64, 65, 128] {
            assert!(GameSet::full(bound).iter().eq(0..bound));
        }
        assert!(set.contains(64) && !set.contains(65) && !set.contains(70_000));
        set.join(&other, |a, b| a & b);
        assert!(set.iter().eq(other.iter()));
        let mut all = other.clone();
        all.join(&rest, |a, b| a | b);
        assert!(all.iter().eq(games));
        assert!(!set.is_empty() && GameSet::default().is_empty());
    }
}

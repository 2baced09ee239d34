//! Counts of game results.

use crate::codec::varint::{Bytes, put_varint};
use rustc_hash::FxHashMap;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::cmp::Reverse;
use std::hash::Hash;
use tridex_archive::GameResult;
use tridex_rules::{Color, Move};

/// The facts of a game that go into counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) result: GameResult,
    pub(crate) year: Option<u16>,
    /// White's rating and Black's, 0 if unknown.
    pub(crate) ratings: [u16; 2],
}

/// Counts of game results. A row of a table has them in the columns `games`, `white`, `draws`, `black`, `score`,
/// `average`, `last_year` and `small`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResultCounts {
    /// The number of games, including unfinished ones and those of unknown result.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// The latest year in which one of them was played, if any year is known.
    pub last_year: Option<u16>,
    /// The sum and the number of known ratings of the side that moved.
    pub ratings: (u64, u64),
}

impl ResultCounts {
    /// White's share of the points, 0 to 1, with four decimals; `None` if no result is known.
    ///
    /// ```
    /// use tridex_index::ResultCounts;
    ///
    /// let (games, white, draws, black) = (4, 2, 1, 1);
    /// let (last_year, ratings) = (Some(2024), (4_000, 2));
    /// let counts = ResultCounts { games, white, draws, black, last_year, ratings };
    /// assert_eq!((counts.score(), counts.average_rating()), (Some(0.625), Some(2_000)));
    /// assert!(counts.is_small());
    /// ```
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let known = self.white + self.draws + self.black;
        let share = (self.white as f64 + self.draws as f64 / 2.0) / known as f64;
        (known > 0).then(|| (share * 1e4).round() / 1e4)
    }

    /// The average of the known ratings of the side that moved, rounded.
    #[must_use]
    pub fn average_rating(&self) -> Option<u64> {
        let (sum, count) = self.ratings;
        (sum + count / 2).checked_div(count)
    }

    /// Whether there are too few games for a conclusion: fewer than ten with a result.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.white + self.draws + self.black < 10
    }

    #[inline]
    pub(crate) fn add_game(&mut self, facts: &Facts, mover: Color) {
        self.games += 1;
        match facts.result {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            // Other results, which an arbiter gave, count as neither.
            _ => {}
        }
        self.last_year = self.last_year.max(facts.year);
        let rating = facts.ratings[mover as usize];
        if rating != 0 {
            self.ratings.0 += u64::from(rating);
            self.ratings.1 += 1;
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.last_year = self.last_year.max(other.last_year);
        self.ratings.0 += other.ratings.0;
        self.ratings.1 += other.ratings.1;
    }

    /// Appends the counts; see [`ResultCounts::read`].
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        let year = self.last_year.map_or(0, u64::from);
        let (sum, count) = self.ratings;
        let counts = [self.games, self.white, self.draws, self.black];
        for number in counts.into_iter().chain([year, sum, count]) {
            put_varint(out, number);
        }
    }

    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(Self {
            games: bytes.varint()?,
            white: bytes.varint()?,
            draws: bytes.varint()?,
            black: bytes.varint()?,
            last_year: Some(bytes.number::<u16>()?).filter(|year| *year != 0),
            ratings: (bytes.varint()?, bytes.varint()?),
        })
    }
}

impl Serialize for ResultCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("ResultCounts", 8)?;
        row.serialize_field("games", &self.games)?;
        row.serialize_field("white", &self.white)?;
        row.serialize_field("draws", &self.draws)?;
        row.serialize_field("black", &self.black)?;
        row.serialize_field("score", &self.score())?;
        row.serialize_field("average", &self.average_rating())?;
        row.serialize_field("last_year", &self.last_year)?;
        row.serialize_field("small", &self.is_small())?;
        row.end()
    }
}

/// Something counted in games, on several threads and in several segments.
pub(crate) trait Counts: Default + Send {
    /// The sum of two counts.
    fn join(self, other: Self) -> Self;
}

/// Results by key, such as a move or a layout.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tally<K: Eq + Hash>(FxHashMap<K, ResultCounts>);

impl<K: Eq + Hash> Default for Tally<K> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<K: Ord + Hash + Copy> Tally<K> {
    /// The counts of a key.
    #[inline]
    pub(crate) fn of(&mut self, key: K) -> &mut ResultCounts {
        self.0.entry(key).or_default()
    }

    /// The sum of two tallies.
    pub(crate) fn join(mut self, mut other: Self) -> Self {
        if self.0.len() < other.0.len() {
            std::mem::swap(&mut self, &mut other);
        }
        for (key, results) in other.0 {
            self.of(key).add(&results);
        }
        self
    }

    /// All counts, those of most games first. Equal ones are in ascending order of their keys.
    pub(crate) fn by_games(self) -> Vec<(K, ResultCounts)> {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort_unstable_by_key(|(key, results)| (Reverse(results.games), *key));
        all
    }

    /// Appends the counts in ascending order of their keys; see [`Tally::read`].
    pub(crate) fn put(&self, out: &mut Vec<u8>, put_key: impl Fn(K, &mut Vec<u8>)) {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_unstable_by_key(|(key, _)| **key);
        put_varint(out, all.len() as u64);
        for (key, results) in all {
            put_key(*key, out);
            results.put(out);
        }
    }

    pub(crate) fn read(
        bytes: &mut Bytes<'_>,
        read_key: impl Fn(&mut Bytes<'_>) -> Option<K>,
    ) -> Option<Self> {
        let mut all = Self::default();
        let count = bytes.varint()?;
        // Each entry takes at least 8 bytes, which limits what a damaged count can allocate.
        all.0.reserve((count as usize).min(bytes.0.len() / 8));
        for _ in 0..count {
            all.0.insert(read_key(bytes)?, ResultCounts::read(bytes)?);
        }
        Some(all)
    }
}

/// Counts of the moves played from a position.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct MoveCounts {
    /// All games that reach the position.
    pub(crate) total: ResultCounts,
    pub(crate) moves: Tally<Move>,
}

impl Counts for MoveCounts {
    fn join(mut self, other: Self) -> Self {
        self.total.add(&other.total);
        self.moves = self.moves.join(other.moves);
        self
    }
}

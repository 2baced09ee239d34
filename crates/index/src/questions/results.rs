//! Results of games, counted.

use crate::bits::{Bytes, put_varint};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use tridex_archive::GameResult;
use tridex_rules::{Color, Move};

/// The facts of a game that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) result: GameResult,
    pub(crate) year: Option<u16>,
    /// White's rating and Black's, 0 if unknown.
    pub(crate) ratings: [u16; 2],
}

/// Results of games: a row of a table has them in the columns `games`, `white`, `draws`, `black`, `score`, `average`,
/// `last_year` and `small`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResultCounts {
    /// How many games, unfinished ones and those of unknown result included.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// The year of the last of them, if any is known.
    pub last_year: Option<u16>,
    /// Sum and number of the known ratings of the side that moved.
    ratings: (u64, u64),
}

impl ResultCounts {
    /// Counts that were made elsewhere: all games; those won by White, drawn, won by Black; the year of
    /// the last; sum and number of the known ratings of the side that moved.
    ///
    /// ```
    /// use tridex_index::ResultCounts;
    ///
    /// let counts = ResultCounts::of_counts(4, [2, 1, 1], Some(2024), (4_000, 2));
    /// assert_eq!((counts.score(), counts.average_rating()), (Some(0.625), Some(2_000)));
    /// assert!(counts.is_small());
    /// ```
    #[must_use]
    pub const fn of_counts(
        games: u64,
        results: [u64; 3],
        last_year: Option<u16>,
        ratings: (u64, u64),
    ) -> Self {
        let [white, draws, black] = results;
        Self {
            games,
            white,
            draws,
            black,
            last_year,
            ratings,
        }
    }

    /// White's share of the points, 0 to 1, with four decimals; `None` if no result is known.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let known = self.white + self.draws + self.black;
        let share = (self.white as f64 + self.draws as f64 / 2.0) / known as f64;
        (known > 0).then(|| (share * 1e4).round() / 1e4)
    }

    /// The average of the known ratings of the side that moved.
    #[must_use]
    pub fn average_rating(&self) -> Option<u64> {
        self.ratings.0.checked_div(self.ratings.1)
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
            // Other results of an arbiter are none of these.
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

/// The moves played from a position. There are few, so that reading them all is as fast as any search.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct MoveCounts {
    /// All games that reach the position.
    pub(crate) total: ResultCounts,
    pub(crate) moves: Vec<(Move, ResultCounts)>,
}

impl MoveCounts {
    /// The counts of a move.
    #[inline]
    pub(crate) fn of(&mut self, m: Move) -> &mut ResultCounts {
        let place = match self.moves.iter().position(|(known, _)| *known == m) {
            Some(place) => place,
            None => {
                self.moves.push((m, ResultCounts::default()));
                self.moves.len() - 1
            }
        };
        &mut self.moves[place].1
    }

    pub(crate) fn join(mut self, other: Self) -> Self {
        self.total.add(&other.total);
        for (m, results) in other.moves {
            self.of(m).add(&results);
        }
        self
    }
}

//! Facts that are read for many games at once. Each has a column with one number per game.

use crate::model::results::Facts;
use std::ops::RangeInclusive;
use tridex_archive::GameResult;
use tridex_archive::date::Date;

tridex_text::enum_table! {
    /// The columns, with the names of their fields. The order is that of the fields in the schema.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) enum Column(
        /// The name of its field.
        name: &'static str
    ) {
        /// The number of the game in the index.
        Game("game"),
        /// Its number in its source.
        Number("number"),
        /// The id of the game.
        Content("content"),
        /// See [`date_code`]; 0 if unknown.
        Date("date"),
        /// The plies of the main line.
        Plies("plies"),
        /// The first ply whose placement occurs again later, or [`NO_REPEAT`].
        Repeat("repeat"),
        /// The number of its rule system on disk.
        Rules("rules"),
        /// See [`result_code`].
        Result("result"),
        /// White's rating, 0 if unknown.
        WhiteElo("white_elo"),
        /// Black's rating, 0 if unknown.
        BlackElo("black_elo"),
        /// How it ended: see [`GameEnding::code`](crate::model::ending::GameEnding::code); 0 if unknown.
        Ending("ending"),
        /// The least time on a clock in seconds plus one, 0 if unknown.
        Clock("clock"),
        /// The greatest drop of an evaluation by a move, in hundredths of a pawn plus one, 0 if unknown.
        Drop("drop"),
        /// Bits such as [`OWN_START`].
        Flags("flags"),
        /// The signature: the pins of White's boards.
        WhitePins("white_pins"),
        /// The signature: the pins of Black's boards.
        BlackPins("black_pins"),
        /// The signature: the smallest counts of pieces.
        Least("least"),
    }
}

/// A value for each column.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct PerColumn<T>([T; Column::ALL.len()]);

impl<T> PerColumn<T> {
    /// Computes the value of each column, in the order of [`Column::ALL`].
    pub(crate) fn of(value: impl FnMut(Column) -> T) -> Self {
        Self(Column::ALL.map(value))
    }

    /// Like [`PerColumn::of`], but fails if `value` fails.
    pub(crate) fn try_of<E>(mut value: impl FnMut(Column) -> Result<T, E>) -> Result<Self, E>
    where
        T: Copy + Default,
    {
        let mut all = Self([T::default(); Column::ALL.len()]);
        for column in Column::ALL {
            all.set(column, value(column)?);
        }
        Ok(all)
    }

    #[inline]
    pub(crate) const fn get(&self, column: Column) -> &T {
        &self.0[column as usize]
    }

    pub(crate) fn set(&mut self, column: Column, value: T) {
        self.0[column as usize] = value;
    }
}

/// The values of all columns for a game.
pub(crate) type Row = PerColumn<u64>;

/// The value of [`Column::Repeat`] if no placement of the game occurs again.
pub(crate) const NO_REPEAT: u16 = u16::MAX;

/// The facts that go into counts, taken from the values of columns.
#[inline]
pub(crate) fn facts_of(value: impl Fn(Column) -> Option<u64>) -> Option<Facts> {
    Some(Facts {
        result: result_of(value(Column::Result)?),
        year: year_of(value(Column::Date)?),
        ratings: [
            value(Column::WhiteElo)? as u16,
            value(Column::BlackElo)? as u16,
        ],
    })
}

/// The results, in the order of their numbers on disk. Ids of games depend on these numbers.
const RESULTS: [GameResult; 7] = [
    GameResult::Unknown,
    GameResult::White,
    GameResult::Black,
    GameResult::Draw,
    GameResult::BothLost,
    GameResult::WhiteHalf,
    GameResult::BlackHalf,
];

/// The number of a result on disk.
pub(crate) fn result_code(result: GameResult) -> u8 {
    let code = RESULTS.iter().position(|known| *known == result);
    code.unwrap_or(0) as u8
}

/// The result with a number on disk.
#[inline]
pub(crate) fn result_of(code: u64) -> GameResult {
    let found = RESULTS.get(code as usize);
    found.copied().unwrap_or(GameResult::Unknown)
}

/// A flag: the game has a start position of its own. Flags determine how far a game's signature can be used.
pub(crate) const OWN_START: u64 = 1;
/// Flags: a pawn of White, or of Black, was promoted.
pub(crate) const PROMOTIONS: [u64; 2] = [2, 4];
/// A flag: the game has variations.
pub(crate) const VARIATIONS: u64 = 8;

/// The codes of an unknown month and an unknown day. They are greater than those of known ones, so that codes sort like
/// dates.
const NO_MONTH: u64 = 15;
const NO_DAY: u64 = 63;

fn code(year: u64, month: u64, day: u64) -> u64 {
    year << 10 | month << 6 | day
}

/// The code of a date: day in the low 6 bits, month from bit 6, year from bit 10; 0 for an unknown date.
pub(crate) fn date_code(date: Option<Date>) -> u64 {
    date.map_or(0, |date| {
        code(
            date.year.into(),
            date.month.map_or(NO_MONTH, u64::from),
            date.day.map_or(NO_DAY, u64::from),
        )
    })
}

#[inline]
pub(crate) fn year_of(code: u64) -> Option<u16> {
    u16::try_from(code >> 10).ok().filter(|year| *year != 0)
}

/// The codes of the dates that may lie in a range of days. The ends are given as `yyyymmdd`; for "after" and "before"
/// they are one more or one less. The result has the dates between the ends, and the partly known dates that may be
/// before the last day.
pub(crate) fn date_codes(from: Option<u32>, to: Option<u32>) -> Vec<RangeInclusive<u64>> {
    let parts = |day: u32| [day / 10_000, day / 100 % 100, day % 100].map(u64::from);
    let first = from.map(parts).map_or(1, |[year, month, day]| match day {
        32.. if month >= 12 => code(year + 1, 1, 1),
        32.. => code(year, month + 1, 1),
        _ => code(year, month, day),
    });
    let last = to.map(parts).map(|[year, month, day]| match day {
        0 if month <= 1 => [year.saturating_sub(1), 12, 31],
        0 => [year, month - 1, 31],
        _ => [year, month, day],
    });
    let Some([year, month, day]) = last else {
        return vec![first..=u64::MAX];
    };
    let unknown_day = code(year, month, NO_DAY);
    let unknown_month = code(year, NO_MONTH, 0);
    vec![
        first..=code(year, month, day),
        first.max(unknown_day)..=unknown_day,
        first.max(unknown_month)..=code(year, NO_MONTH, NO_DAY),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::date_range::DateRange;

    #[test]
    fn codes_of_dates_are_in_their_order() {
        let mut last = None;
        for text in [
            "????.??.??",
            "2001.04.26",
            "2001.04.??",
            "2001.05.01",
            "2001.??.??",
            "9999.12.31",
        ] {
            let date = Date::parse(text).ok();
            assert!(last < Some(date_code(date)));
            last = Some(date_code(date));
            assert_eq!(year_of(date_code(date)), date.map(|date| date.year));
        }
    }

    #[test]
    fn the_codes_of_a_stretch_are_those_of_the_dates_it_holds() {
        let day = |n: u8| (n > 0).then_some(n);
        let mut dates = vec![None];
        for year in [1999, 2000, 2001] {
            let parts = (0..=12).flat_map(|month| [0, 1, 2, 30, 31].map(|day| (month, day)));
            dates.extend(parts.map(|(m, d)| {
                let (month, day) = (day(m), day(d));
                Some(Date { year, month, day })
            }));
        }
        let ends = dates.iter().flatten().map(|date| date.range());
        let ends: Vec<_> = ends.step_by(3).map(Some).chain([None]).collect();
        let mut held = 0;
        for (i, from) in ends.iter().enumerate() {
            for (j, to) in ends.iter().enumerate() {
                // Also the ranges after a day, and before one.
                let range = DateRange {
                    from: from.map(|range| range.0 + i as u32 % 2),
                    to: to.map(|range| range.1 - j as u32 % 2),
                };
                let codes = date_codes(range.from, range.to);
                for date in &dates {
                    let code = date_code(*date);
                    let is_held = codes.iter().any(|codes| codes.contains(&code));
                    // A range without ends contains every date.
                    assert_eq!(is_held, range.holds(*date), "{range:?} {date:?}");
                    held += u32::from(is_held);
                }
            }
        }
        assert!(held > 100_000, "{held}");
    }

    #[test]
    fn facts_come_back_from_the_values_of_columns() {
        let mut row = Row::default();
        let date = Date::parse("2001.04.??").ok();
        row.set(Column::Date, date_code(date));
        row.set(Column::WhiteElo, 2_400);
        for result in GameResult::ALL {
            row.set(Column::Result, result_code(result).into());
            let facts = Facts {
                result,
                year: Some(2001),
                ratings: [2_400, 0],
            };
            assert_eq!(facts_of(|column| Some(*row.get(column))), Some(facts));
        }
    }
}

//! Facts that are read of many games at once: one number a game, in a column for each.

use crate::game::signature::{SIGNATURE_WORDS, Signature};
use crate::game::systems;
use std::ops::RangeInclusive;
use tridex_archive::GameResult;
use tridex_archive::date::Date;

/// The columns. The values of a game are in the order of [`Column::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// The number of the game in the index.
    Game,
    /// Its number in its source.
    Number,
    /// What it is known by.
    Content,
    /// See [`date_code`]; 0 if unknown.
    Date,
    /// The plies of the main line.
    Plies,
    /// The first ply whose placement comes again later, or [`NO_REPEAT`].
    Repeat,
    /// The number of its rules on disk.
    Rules,
    /// See [`result_code`].
    Result,
    /// White's rating, 0 if unknown.
    WhiteElo,
    /// Black's rating, 0 if unknown.
    BlackElo,
    /// See [`Flags`].
    Flags,
    /// The signature: pins of White's boards, of Black's, least counts.
    WhitePins,
    BlackPins,
    Least,
}

impl Column {
    pub(crate) const COUNT: usize = 14;
    /// All of them, each in the place of its number.
    pub(crate) const ALL: [Self; Self::COUNT] = [
        Self::Game,
        Self::Number,
        Self::Content,
        Self::Date,
        Self::Plies,
        Self::Repeat,
        Self::Rules,
        Self::Result,
        Self::WhiteElo,
        Self::BlackElo,
        Self::Flags,
        Self::WhitePins,
        Self::BlackPins,
        Self::Least,
    ];

    /// The name of the field.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Number => "number",
            Self::Content => "content",
            Self::Date => "date",
            Self::Plies => "plies",
            Self::Repeat => "repeat",
            Self::Rules => "rules",
            Self::Result => "result",
            Self::WhiteElo => "white_elo",
            Self::BlackElo => "black_elo",
            Self::Flags => "flags",
            Self::WhitePins => "white_pins",
            Self::BlackPins => "black_pins",
            Self::Least => "least",
        }
    }
}

/// "No placement of the game comes again."
pub(crate) const NO_REPEAT: u16 = u16::MAX;

/// What the columns say of a game, but for its numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) content: u64,
    pub(crate) date: Option<Date>,
    pub(crate) plies: u16,
    pub(crate) repeat: u16,
    /// The number of its rules on disk.
    pub(crate) rules: u8,
    pub(crate) result: GameResult,
    pub(crate) flags: Flags,
    pub(crate) ratings: [u16; 2],
    pub(crate) signature: [u64; SIGNATURE_WORDS],
}

/// The results, each in the place of its number on the disk. Ids of games depend on these numbers.
const RESULTS: [GameResult; 7] = [
    GameResult::Unknown,
    GameResult::White,
    GameResult::Black,
    GameResult::Draw,
    GameResult::BothLost,
    GameResult::WhiteHalf,
    GameResult::BlackHalf,
];

/// The number of a result on the disk.
pub(crate) fn result_code(result: GameResult) -> u8 {
    (0..)
        .zip(RESULTS)
        .find_map(|(code, known)| (known == result).then_some(code))
        .unwrap_or(0)
}

/// The result of a number on the disk.
#[inline]
pub(crate) fn result_of(code: u64) -> GameResult {
    let found = usize::try_from(code)
        .ok()
        .and_then(|code| RESULTS.get(code));
    found.copied().unwrap_or(GameResult::Unknown)
}

/// What has to be known of a game to use its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    /// Whether it starts somewhere else than its rules say.
    pub(crate) own_start: bool,
    /// Whether a pawn was promoted, by colour.
    pub(crate) promotions: [bool; 2],
    pub(crate) has_variations: bool,
}

impl Flags {
    pub(crate) fn to_number(self) -> u64 {
        u64::from(self.own_start)
            | u64::from(self.promotions[0]) << 1
            | u64::from(self.promotions[1]) << 2
            | u64::from(self.has_variations) << 3
    }

    #[inline]
    pub(crate) fn of(number: u64) -> Self {
        let bit = |at: u32| number >> at & 1 != 0;
        Self {
            own_start: bit(0),
            promotions: [bit(1), bit(2)],
            has_variations: bit(3),
        }
    }
}

impl Row {
    /// The values of all columns in their order, for the game of some numbers.
    pub(crate) fn values(&self, game: u32, number: u32) -> [u64; Column::COUNT] {
        let [white, black] = self.ratings;
        let [white_pins, black_pins, least] = self.signature;
        [
            game.into(),
            number.into(),
            self.content,
            date_code(self.date),
            self.plies.into(),
            self.repeat.into(),
            self.rules.into(),
            result_code(self.result).into(),
            white.into(),
            black.into(),
            self.flags.to_number(),
            white_pins,
            black_pins,
            least,
        ]
    }

    /// The row the values are of.
    pub(crate) fn of(values: &[u64; Column::COUNT]) -> Self {
        let at = |column: Column| values[column as usize];
        Self {
            content: at(Column::Content),
            date: date_of(at(Column::Date)),
            plies: at(Column::Plies) as u16,
            repeat: at(Column::Repeat) as u16,
            rules: at(Column::Rules) as u8,
            result: result_of(at(Column::Result)),
            flags: Flags::of(at(Column::Flags)),
            ratings: [at(Column::WhiteElo) as u16, at(Column::BlackElo) as u16],
            signature: [
                at(Column::WhitePins),
                at(Column::BlackPins),
                at(Column::Least),
            ],
        }
    }
}

/// What is known of the whole game, from its columns.
pub(crate) fn signature_of(
    rules: u8,
    flags: Flags,
    plies: u32,
    words: &[u64; SIGNATURE_WORDS],
) -> Signature {
    let start = systems::start(rules).filter(|_| !flags.own_start);
    let most = [0, 1].map(|color| {
        start
            .filter(|_| !flags.promotions[color])
            .map(|start| &start.counts[color])
    });
    Signature::from_words(words, plies, most)
}

/// The codes of an unknown month and an unknown day: after the others, so that the codes of dates are in the order
/// in which dates are sorted.
const NO_MONTH: u64 = 15;
const NO_DAY: u64 = 63;

fn code(year: u64, month: u64, day: u64) -> u64 {
    year << 10 | month << 6 | day
}

/// Year, month (from bit 6) and day; 0 for an unknown date.
fn date_code(date: Option<Date>) -> u64 {
    date.map_or(0, |date| {
        code(
            date.year.into(),
            date.month.map_or(NO_MONTH, u64::from),
            date.day.map_or(NO_DAY, u64::from),
        )
    })
}

fn date_of(code: u64) -> Option<Date> {
    let part = |n: u64, none| u8::try_from(n).ok().filter(|_| n != none);
    Some(Date {
        year: year_of(code)?,
        month: part(code >> 6 & 15, NO_MONTH),
        day: part(code & 63, NO_DAY),
    })
}

#[inline]
pub(crate) fn year_of(code: u64) -> Option<u16> {
    u16::try_from(code >> 10).ok().filter(|year| *year != 0)
}

/// The codes of the dates that may lie in a stretch of days (`yyyymmdd`, or one more or less, for "after" and "before"):
/// those between its ends, and those that are known in part and may be before its last day.
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
    use crate::questions::date::DateRange;

    #[test]
    fn dates_come_back_from_their_codes() {
        for text in [
            "2001.04.26",
            "2001.04.??",
            "2001.??.??",
            "9999.12.31",
            "????.??.??",
        ] {
            let date = Date::parse(text).ok();
            assert_eq!(date_of(date_code(date)), date);
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
                // Also after a day, and before one.
                let range = DateRange {
                    from: from.map(|range| range.0 + i as u32 % 2),
                    to: to.map(|range| range.1 - j as u32 % 2),
                };
                let codes = date_codes(range.from, range.to);
                for date in &dates {
                    let code = date_code(*date);
                    let is_held = codes.iter().any(|codes| codes.contains(&code));
                    // Without ends a stretch holds every date.
                    assert_eq!(is_held, range.holds(*date), "{range:?} {date:?}");
                    held += u32::from(is_held);
                }
            }
        }
        assert!(held > 100_000, "{held}");
    }

    #[test]
    fn rows_come_back_from_their_values() {
        let row = Row {
            content: u64::MAX,
            date: Date::parse("2001.04.??").ok(),
            plies: 32_767,
            repeat: NO_REPEAT,
            rules: 4,
            result: GameResult::BlackHalf,
            flags: Flags {
                own_start: true,
                promotions: [false, true],
                has_variations: true,
            },
            ratings: [2_400, 0],
            signature: [1 << 47, 3, 5],
        };
        let values = row.values(7, 9);
        assert_eq!((values[0], values[1]), (7, 9));
        assert_eq!(Row::of(&values), row);
        for result in GameResult::ALL {
            assert_eq!(result_of(result_code(result).into()), result);
        }
        let places = Column::ALL.map(|column| column as usize);
        assert!(places.into_iter().eq(0..Column::COUNT));
    }
}

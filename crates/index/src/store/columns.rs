//! Facts that are read of many games at once: one number a game, in a column for each.

use crate::game::signature::{SIGNATURE_WORDS, Signature};
use crate::game::systems;
use tridex_archive::GameResult;
use tridex_archive::date::Date;

/// The columns, in the order of [`Column::NAMES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    /// The number of the game in the index.
    Game,
    /// Its number in its source.
    Number,
    /// What it is known by.
    Content,
    /// Year (from bit 9), month (from bit 5), day; 0 for what is unknown.
    Date,
    /// The plies of the main line.
    Plies,
    /// The first ply whose placement comes again later, or [`NO_REPEAT`].
    Repeat,
    /// Rules (3 bits), result (3), own start, promotions of White, of Black, variations (1 each).
    Flags,
    /// White's rating (from bit 16) and Black's, 0 if unknown.
    Ratings,
    /// The signature: pins of White's boards, of Black's, least counts.
    WhitePins,
    BlackPins,
    Least,
}

impl Column {
    pub(crate) const COUNT: usize = 11;
    /// The names of the fields.
    pub(crate) const NAMES: [&'static str; Self::COUNT] = [
        "game",
        "number",
        "content",
        "date",
        "plies",
        "repeat",
        "flags",
        "ratings",
        "white_pins",
        "black_pins",
        "least",
    ];

    pub(crate) const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
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

/// Small facts of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Flags {
    /// The number of its rules on disk.
    pub(crate) code: u8,
    pub(crate) result: GameResult,
    /// Whether it starts somewhere else than its rules say.
    pub(crate) own_start: bool,
    /// Whether a pawn was promoted, by colour.
    pub(crate) promotions: [bool; 2],
    pub(crate) has_variations: bool,
}

impl Flags {
    pub(crate) fn to_number(self) -> u64 {
        u64::from(self.code & 7)
            | u64::from(result_code(self.result)) << 3
            | u64::from(self.own_start) << 6
            | u64::from(self.promotions[0]) << 7
            | u64::from(self.promotions[1]) << 8
            | u64::from(self.has_variations) << 9
    }

    #[inline]
    pub(crate) fn of(number: u64) -> Self {
        let bit = |at: u32| number >> at & 1 != 0;
        Self {
            code: (number & 7) as u8,
            result: (RESULTS.get((number >> 3 & 7) as usize).copied()).unwrap_or(RESULTS[0]),
            own_start: bit(6),
            promotions: [bit(7), bit(8)],
            has_variations: bit(9),
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
            self.flags.to_number(),
            u64::from(white) << 16 | u64::from(black),
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
            flags: Flags::of(at(Column::Flags)),
            ratings: ratings_of(at(Column::Ratings)),
            signature: [
                at(Column::WhitePins),
                at(Column::BlackPins),
                at(Column::Least),
            ],
        }
    }
}

/// The ratings of White and Black, 0 if unknown.
#[inline]
pub(crate) fn ratings_of(number: u64) -> [u16; 2] {
    [(number >> 16) as u16, number as u16]
}

/// What is known of the whole game, from its columns.
pub(crate) fn signature_of(flags: Flags, plies: u32, words: &[u64; SIGNATURE_WORDS]) -> Signature {
    let start = systems::start(flags.code).filter(|_| !flags.own_start);
    let most = [0, 1].map(|color| {
        start
            .filter(|_| !flags.promotions[color])
            .map(|start| &start.counts[color])
    });
    Signature::from_words(words, plies, most)
}

fn date_code(date: Option<Date>) -> u64 {
    date.map_or(0, |date| {
        u64::from(date.year) << 9
            | u64::from(date.month.unwrap_or(0)) << 5
            | u64::from(date.day.unwrap_or(0))
    })
}

pub(crate) fn date_of(code: u64) -> Option<Date> {
    let part = |n: u64| u8::try_from(n).ok().filter(|n| *n != 0);
    Some(Date {
        year: year_of(code)?,
        month: part(code >> 5 & 15),
        day: part(code & 31),
    })
}

#[inline]
pub(crate) fn year_of(code: u64) -> Option<u16> {
    u16::try_from(code >> 9).ok().filter(|year| *year != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn rows_come_back_from_their_values() {
        let row = Row {
            content: u64::MAX,
            date: Date::parse("2001.04.??").ok(),
            plies: 32_767,
            repeat: NO_REPEAT,
            flags: Flags {
                code: 4,
                result: GameResult::BlackHalf,
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
            let flags = Flags {
                result,
                ..row.flags
            };
            assert_eq!(Flags::of(flags.to_number()), flags);
        }
    }
}

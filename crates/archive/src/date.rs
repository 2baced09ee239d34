//! Reads dates in the forms that people write.
//!
//! Written here because `jiff` and `chrono` read dates of a known format. People write the names of months in seven
//! languages and omit days and months.

use std::fmt;

use tridex_words::Context;

/// A day, a month or a year of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// From 1 to 9999.
    pub year: u16,
    /// From 1 to 12, if it is known.
    pub month: Option<u8>,
    /// From 1 to the last day of the month, if it is known. It may be known although the month is not.
    pub day: Option<u8>,
}

/// The form of PGN: `2004.01.02`, `2004.01.??`, `2004.??.??`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let two = |part: Option<u8>| part.map_or("??".to_owned(), |part| format!("{part:02}"));
        write!(f, "{:04}.{}.{}", self.year, two(self.month), two(self.day))
    }
}

tridex_text::enum_table! {
    /// The order of day, month and year in dates that are ambiguous without it, such as `3/4/2019` and `2.1.04`.
    ///
    /// ```
    /// use tridex_archive::date::DateOrder;
    /// assert_eq!(DateOrder::from_name("dmy"), Some(DateOrder::DayFirst));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DateOrder(
        /// The name in options: `dmy`, `mdy`, `ymd`.
        name: &'static str
    ) {
        /// Day, month, year.
        DayFirst("dmy"),
        /// Month, day, year.
        MonthFirst("mdy"),
        /// Year, month, day.
        YearFirst("ymd"),
    }
}

impl DateOrder {
    /// Finds an order by its name, in either case.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|order| order.name().eq_ignore_ascii_case(name.trim()))
    }
}

/// What a date of three numbers shows about the order in which its author writes day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateHint {
    /// Only this order is possible.
    Shows(DateOrder),
    /// The order decides which date is meant.
    Ambiguous,
}

impl DateHint {
    /// What a text shows; `None` if it is no date of three numbers, or if the order does not matter.
    ///
    /// ```
    /// use tridex_archive::date::{DateHint, DateOrder};
    ///
    /// assert_eq!(DateHint::of("31/1/2004"), Some(DateHint::Shows(DateOrder::DayFirst)));
    /// assert_eq!(DateHint::of("1/31/2004"), Some(DateHint::Shows(DateOrder::MonthFirst)));
    /// assert_eq!(DateHint::of("3/4/2019"), Some(DateHint::Ambiguous));
    /// assert_eq!(DateHint::of("2004.01.31"), None);
    /// ```
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_numeric = |c: char| c.is_ascii_digit() || ". -/".contains(c);
        if text.len() > 20 || !text.chars().all(is_numeric) {
            return None;
        }
        match Date::parse(text) {
            Err(DateFault::Unclear) => return Some(Self::Ambiguous),
            Err(_) => return None,
            Ok(_) => {}
        }
        let words = text.split(|c: char| !c.is_ascii_digit());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let [first, second, year] = *words.as_slice() else {
            return None;
        };
        let number = |word: &str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
        match (number(first)?, number(second)?, year.len()) {
            (13.., _, 4) => Some(Self::Shows(DateOrder::DayFirst)),
            (_, 13.., 4) => Some(Self::Shows(DateOrder::MonthFirst)),
            // Dates with dots begin with the day.
            (first, second, 4) if first != second => Some(Self::Shows(DateOrder::DayFirst)),
            _ => None,
        }
    }
}

/// Why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DateFault {
    /// It does not have the form of a date.
    #[error("not a date: expected a date such as 2004.01.31")]
    Form,
    /// The day or month does not exist: `2012.02.30`.
    #[error("this day does not exist")]
    Impossible,
    /// It is ambiguous: either number may be the month, or the year has only two digits: `1/2/2004`, `2.1.04`.
    #[error("ambiguous date: expected a date such as 2004.01.31")]
    Unclear,
}

/// A part of a date: the number of its digits, and its value if it is known. A year has four digits and a whole date
/// eight; the name of a month and question marks have none.
type Part = (usize, Option<u32>);

fn part_of(word: &str) -> Option<Part> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, end) = word.split_at(digits);
    match (digits, end) {
        (1..=4 | 8, "") | (1..=2, "st" | "nd" | "rd" | "th") => Some((digits, number.parse().ok())),
        _ if word.bytes().all(|b| b == b'?') => Some((0, None)),
        _ => {
            let month = tridex_words::meaning(Context::Month, &word.to_lowercase())?;
            Some((0, Some(month.parse().ok()?)))
        }
    }
}

/// The day, if it is known. A name is not a day.
fn day_of(part: Part) -> Result<Option<u32>, DateFault> {
    match part {
        (0, Some(_)) => Err(DateFault::Form),
        _ => month_of(part),
    }
}

/// The month, if it is known.
fn month_of((digits, number): Part) -> Result<Option<u32>, DateFault> {
    (digits != 8).then_some(number).ok_or(DateFault::Form)
}

const fn days_in(year: u32, month: u32) -> u32 {
    let century = if year.is_multiple_of(100) { 400 } else { 4 };
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(century) => 29,
        2 => 28,
        _ => 31,
    }
}

impl Date {
    fn checked(year: u32, month: Option<u32>, day: Option<u32>) -> Result<Self, DateFault> {
        let last = month.map_or(31, |month| days_in(year, month));
        let fits = |part: Option<u32>, last| part.is_none_or(|part| (1..=last).contains(&part));
        let is_date = fits(Some(year), 9999) && fits(month, 12) && fits(day, last);
        let date = Self {
            year: year as u16,
            month: month.map(|month| month as u8),
            day: day.map(|day| day as u8),
        };
        is_date.then_some(date).ok_or(DateFault::Impossible)
    }

    /// Reads a date in any common form: `2004.01.31`, `2004.??.??`, `2004-01-31`, `31.1.2004`, `31 January 2004`,
    /// `31. Januar 2004`, `January 31, 2004`, `Jan 2004`, `1/31/2004` (if only one of the two numbers can be a month),
    /// `20040131`, `2004`. Question marks replace unknown parts.
    ///
    /// # Errors
    ///
    /// If the text is not a date, or the date does not exist or is ambiguous.
    ///
    /// ```
    /// use tridex_archive::date::{Date, DateFault};
    /// assert_eq!(Date::parse("31.1.2004"), Date::parse("2004.01.31"));
    /// assert_eq!(Date::parse("2001-4"), Date::parse("2001.04.??"));
    /// assert_eq!(Date::parse("2001.02.31"), Err(DateFault::Impossible));
    /// ```
    pub fn parse(text: &str) -> Result<Self, DateFault> {
        // Nearly all dates have the form of PGN.
        if let [a, b, c, d, b'.', e, f, b'.', g, h] = *text.as_bytes()
            && [a, b, c, d, e, f, g, h].iter().all(u8::is_ascii_digit)
        {
            let two = |tens: u8, ones: u8| u32::from(tens - b'0') * 10 + u32::from(ones - b'0');
            let year = two(a, b) * 100 + two(c, d);
            return Self::checked(year, Some(two(e, f)), Some(two(g, h)));
        }
        let text = text.trim().trim_end_matches([',', ';', '.']);
        if text.len() > 40 {
            return Err(DateFault::Form);
        }
        let words =
            text.split(|c: char| c.is_whitespace() || matches!(c, '.' | '-' | '/' | ',' | '–'));
        // `3 de julio de 2017`, `4th of July 2020`
        let is_filler = |word: &str| ["", "de", "del", "of", "the"].contains(&word);
        let parts: Option<Vec<Part>> = words.filter(|word| !is_filler(word)).map(part_of).collect();
        match *parts.ok_or(DateFault::Form)? {
            [(4, Some(year))] => Self::checked(year, None, None),
            [(8, Some(n))] => Self::checked(n / 10_000, Some(n / 100 % 100), Some(n % 100)),
            [month, (4, Some(year))] => Self::checked(year, month_of(month)?, None),
            [(4, Some(year)), month] => Self::checked(year, day_of(month)?, None),
            [(4, Some(year)), month, day]
            | [day, month @ (0, Some(_)), (4, Some(year))]
            | [month @ (0, Some(_)), day, (4, Some(year))] => {
                Self::checked(year, month_of(month)?, day_of(day)?)
            }
            // A date with slashes may begin with the month.
            [
                (1..=3, Some(first @ 1..=12)),
                (1..=3, Some(second)),
                (4, Some(year)),
            ] if text.contains('/') && first != second => match second {
                1..=12 => Err(DateFault::Unclear),
                _ => Self::checked(year, Some(first), Some(second)),
            },
            [day, month, (4, Some(year))] => Self::checked(year, day_of(month)?, day_of(day)?),
            // The year has two digits, or is missing.
            [(_, Some(_)), (_, Some(_)), (_, Some(_))] => Err(DateFault::Unclear),
            _ => Err(DateFault::Form),
        }
    }

    /// Reads a date like [`Date::parse`]. If it is ambiguous, the order decides. A year of two digits is from 1970 to 2069.
    ///
    /// # Errors
    ///
    /// Those of [`Date::parse`]. A date that does not exist in this order is [`DateFault::Impossible`].
    ///
    /// ```
    /// use tridex_archive::date::{Date, DateOrder};
    /// let read = |text, order| Date::parse_in(text, order).map(|date| date.to_string());
    /// assert_eq!(read("3/4/2019", DateOrder::MonthFirst), Ok("2019.03.04".to_owned()));
    /// assert_eq!(read("3.4.99", DateOrder::DayFirst), Ok("1999.04.03".to_owned()));
    /// // Only one reading is possible.
    /// assert_eq!(read("31/1/2004", DateOrder::MonthFirst), Ok("2004.01.31".to_owned()));
    /// ```
    pub fn parse_in(text: &str, order: DateOrder) -> Result<Self, DateFault> {
        let read = Self::parse(text);
        if read != Err(DateFault::Unclear) {
            return read;
        }
        let words = text.split(|c: char| !c.is_ascii_digit());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let [first, second, third] = *words.as_slice() else {
            return Err(DateFault::Unclear);
        };
        let [year, month, day] = match order {
            DateOrder::DayFirst => [third, second, first],
            DateOrder::MonthFirst => [third, first, second],
            DateOrder::YearFirst => [first, second, third],
        };
        let number = |word: &str| word.parse::<u32>().map_err(|_| DateFault::Unclear);
        let year = match (year.len(), number(year)?) {
            (4, year) => year,
            (2, year @ 70..) => 1900 + year,
            (2, year) => 2000 + year,
            _ => return Err(DateFault::Unclear),
        };
        Self::checked(year, Some(number(month)?), Some(number(day)?))
    }

    /// Reads a date like [`Date::parse`], with digits that a scanner misread as letters: `l2.O3.20l9`.
    pub(crate) fn parse_misread(text: &str) -> Result<Self, DateFault> {
        let is_part = |c: char| c.is_ascii_digit() || "lIOo.-/ ".contains(c);
        if !text.chars().all(is_part) {
            return Err(DateFault::Form);
        }
        Self::parse(&text.replace(['l', 'I'], "1").replace(['O', 'o'], "0"))
    }

    /// The first and the last day that the date may mean, as numbers `yyyymmdd`. A month without a day ends on the
    /// 31st. If the month is unknown, the day is ignored.
    ///
    /// ```
    /// use tridex_archive::date::Date;
    /// assert_eq!(Date::parse("2001.??.??").map(Date::range), Ok((20_010_101, 20_011_231)));
    /// ```
    pub fn range(self) -> (u32, u32) {
        let number = |month: u8, day: u8| {
            u32::from(self.year) * 10_000 + u32::from(month) * 100 + u32::from(day)
        };
        let (first, last) = self.month.map_or((1, 12), |month| (month, month));
        let day = self.month.and(self.day);
        (
            number(first, day.unwrap_or(1)),
            number(last, day.unwrap_or(31)),
        )
    }

    /// Days since 1 January 1970 in the Gregorian calendar, negative for earlier dates. `None` if the day or the month
    /// is unknown.
    ///
    /// ```
    /// use tridex_archive::date::Date;
    /// let days = |text| Date::parse(text).ok().and_then(Date::days_since_1970);
    /// assert_eq!((days("1969.12.31"), days("29.2.2000")), (Some(-1), Some(11_016)));
    /// assert_eq!(days("2000.02.??"), None);
    /// ```
    pub fn days_since_1970(self) -> Option<i32> {
        let (month, day) = (self.month?, self.day?);
        let before = i32::from(self.year) - 1;
        let leap_days = before / 4 - before / 100 + before / 400;
        let months: i32 = (1..month)
            .map(|m| days_in(self.year.into(), m.into()) as i32)
            .sum();
        Some(before * 365 + leap_days + months + i32::from(day) - 719_163)
    }

    /// The first date of a day among the words of a line.
    pub(crate) fn within(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = |word: &str| word.as_ptr().addr() - line.as_ptr().addr();
        (0..words.len()).find_map(|first| {
            let ends = (1..=4)
                .rev()
                .filter_map(|count| words.get(first + count - 1));
            ends.filter_map(|last| {
                let text = line.get(place(words[first])..place(last) + last.len())?;
                let text = text.trim_matches(|c: char| c.is_ascii_punctuation());
                let date = Self::parse(text).ok()?;
                (text.len() >= 6 && date.month.is_some() && date.day.is_some()).then_some(date)
            })
            .next()
        })
    }

    /// The date at the start of a line, if there is one, and its length in bytes.
    pub(crate) fn at_start(line: &str) -> Option<(Self, usize)> {
        let end_of = |word: &str| word.as_ptr().addr() - line.as_ptr().addr() + word.len();
        let ends: Vec<usize> = line.split_whitespace().take(3).map(end_of).collect();
        // The longest date first. A year alone does not count as a date.
        ends.iter().rev().find_map(|&end| {
            let text = line.get(..end)?;
            let date = Self::parse(text).ok()?;
            date.month.is_some().then_some((date, end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_all_shapes() {
        for (text, expected) in [
            ("2004.01.31", "2004.01.31"),
            ("2004.??.??", "2004.??.??"),
            ("2004.1.2", "2004.01.02"),
            ("2004-01-31", "2004.01.31"),
            ("20040131", "2004.01.31"),
            ("2.1.2004", "2004.01.02"),
            ("2. 1. 2004", "2004.01.02"),
            ("2. Januar 2004", "2004.01.02"),
            ("12 July 2012", "2012.07.12"),
            ("July 12, 2012", "2012.07.12"),
            ("12th July 2012", "2012.07.12"),
            ("3 May 2019", "2019.05.03"),
            ("12. července 2012", "2012.07.12"),
            ("12. června 2012", "2012.06.12"),
            ("5 août 1999", "1999.08.05"),
            ("1/31/2004", "2004.01.31"),
            ("31/1/2004", "2004.01.31"),
            ("3/3/2004", "2004.03.03"),
            ("Sept 1971", "1971.09.??"),
            ("29.2.2000", "2000.02.29"),
            ("3 de julio de 2017", "2017.07.03"),
            ("4th of July 2020", "2020.07.04"),
            ("1971", "1971.??.??"),
        ] {
            assert_eq!(
                Date::parse(text).map(|date| date.to_string()),
                Ok(expected.to_owned()),
                "{text}"
            );
        }
        for (text, fault) in [
            ("2012.02.30", DateFault::Impossible),
            ("29.2.1900", DateFault::Impossible),
            ("31.13.2004", DateFault::Impossible),
            ("1/2/2004", DateFault::Unclear),
            ("2.1.04", DateFault::Unclear),
            ("soon", DateFault::Form),
            ("", DateFault::Form),
            ("Marianne 4, 2004", DateFault::Form),
            ("12 Juno 2004", DateFault::Form),
        ] {
            assert_eq!(Date::parse(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn a_date_at_the_start_of_a_line() {
        let found = |line: &str| Date::at_start(line).map(|(date, end)| (date.to_string(), end));
        assert_eq!(
            found("2.1.2004    Einsatz: 5 €"),
            Some(("2004.01.02".to_owned(), 8))
        );
        assert_eq!(found("12 July 2012"), Some(("2012.07.12".to_owned(), 12)));
        assert_eq!(
            found("12 July 2012, evening"),
            Some(("2012.07.12".to_owned(), 13))
        );
        assert_eq!(found("1. b4N b5B"), None);
        assert_eq!(found("1971 was the year"), None);
    }
}

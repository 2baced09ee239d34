//! Dates with unknown parts, as PGN writes them.

/// A date of which parts may be unknown: `2001.04.26`, `2001.04.??`, `2001.??.??`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12, if known.
    pub month: Option<u8>,
    /// The day, 1 to 31, if known; only with a month.
    pub day: Option<u8>,
}

impl Date {
    /// Reads a date. Parts are divided by `.`, `-` or `/`; unknown ones are `?`, `??` and so on, or left out. `None`
    /// if the year is unknown or the text is no date.
    ///
    /// ```
    /// use tridex_index::Date;
    /// assert_eq!(Date::parse("2001.??.??").map(|d| d.range()), Some((20_010_101, 20_011_231)));
    /// assert_eq!(Date::parse("2001-4"), Date::parse("2001.04.??"));
    /// assert_eq!(Date::parse("????.??.??"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = match parse_part(parts.next()?)? {
            Some(year @ 1..=9999) => year,
            _ => return None,
        };
        let month = match parts.next().map_or(Some(None), parse_part)? {
            Some(month @ 1..=12) => Some(month as u8),
            None => None,
            Some(_) => return None,
        };
        let day = match parts.next().map_or(Some(None), parse_part)? {
            Some(day @ 1..=31) => Some(day as u8),
            None => None,
            Some(_) => return None,
        };
        if parts.next().is_some() {
            return None;
        }
        Some(Self {
            year,
            month,
            // A day of an unknown month says nothing that could be searched for.
            day: day.filter(|_| month.is_some()),
        })
    }

    /// The first and the last day the date may be, as numbers `yyyymmdd`.
    #[must_use]
    pub fn range(self) -> (u32, u32) {
        let number = |month: u32, day: u32| u32::from(self.year) * 10_000 + month * 100 + day;
        let (first, last): (u32, u32) = match self.month {
            Some(month) => (month.into(), month.into()),
            None => (1, 12),
        };
        match self.day {
            Some(day) => (number(first, day.into()), number(last, day.into())),
            None => (number(first, 1), number(last, 31)),
        }
    }
}

/// A number of four digits at most, `None` inside for an unknown one.
fn parse_part(text: &str) -> Option<Option<u16>> {
    if text.is_empty() || text.len() > 4 {
        return None;
    }
    if text.bytes().all(|b| b == b'?') {
        return Some(None);
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().map(Some);
    }
    None
}

/// A stretch of days, both ends included; an end that is left out is open.
///
/// A game of which the date is known in part is inside when it may have been played in the stretch; a game without a
/// year never is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct DateRange {
    /// The first day, `yyyymmdd`.
    pub from: Option<u32>,
    /// The last day, `yyyymmdd`.
    pub to: Option<u32>,
}

impl DateRange {
    /// Reads `FROM..TO`, `FROM..`, `..TO` or one date, which stands for all the days it may be. `None` if an end is no
    /// date.
    ///
    /// ```
    /// use tridex_index::DateRange;
    /// let range = DateRange::parse("2001..2003.06").unwrap();
    /// assert_eq!((range.from, range.to), (Some(20_010_101), Some(20_030_631)));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = match text.split_once("..") {
            // `2001..??` cannot be told from a range; dates with unknown parts are written in full or shortened.
            Some((from, to)) if !text.contains("..?") => (from, to),
            _ => (text, text),
        };
        let end = |text: &str| match text.trim() {
            "" => Some(None),
            text => Date::parse(text).map(Some),
        };
        let (from, to) = (end(from)?, end(to)?);
        if from.is_none() && to.is_none() {
            return None;
        }
        Some(Self {
            from: from.map(|date| date.range().0),
            to: to.map(|date| date.range().1),
        })
    }

    /// Whether a game of that date may have been played in the stretch.
    #[must_use]
    pub fn holds(self, date: Option<Date>) -> bool {
        let Some((first, last)) = date.map(Date::range) else {
            return false;
        };
        self.from.is_none_or(|from| last >= from) && self.to.is_none_or(|to| first <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_the_field_are_read_and_nonsense_is_not() {
        for (text, range) in [
            ("2006.02.28", Some((20_060_228, 20_060_228))),
            ("2006-02-28", Some((20_060_228, 20_060_228))),
            ("2006.02.??", Some((20_060_201, 20_060_231))),
            ("2006.??.28", Some((20_060_101, 20_061_231))),
            ("2006", Some((20_060_101, 20_061_231))),
            ("2006.13.01", None),
            ("2006.00.01", None),
            ("06.02.2006", None),
            ("????.??.??", None),
            ("?", None),
            ("", None),
            ("2006.02.28.1", None),
            ("2006.2.x", None),
        ] {
            assert_eq!(Date::parse(text).map(Date::range), range, "{text}");
        }
    }

    #[test]
    fn a_range_holds_what_may_lie_in_it() {
        let holds = |range, date| DateRange::parse(range).unwrap().holds(Date::parse(date));
        assert!(holds("2001.05..2001.08", "2001.??.??"));
        assert!(!holds("2001.05..2001.08", "2001.04.??"));
        assert!(holds("2001", "2001.12.31"));
        assert!(holds("..2001", "1999.12.31"));
        assert!(!holds("2002..", "2001.12.31"));
        assert!(!holds("1900..2100", "????.??.??"));
        assert_eq!(DateRange::parse(".."), None);
        assert_eq!(DateRange::parse("now..then"), None);
        assert!(holds("2001.??.??", "2001.07.01"));
    }
}

//! Ranges of days.

use tridex_archive::date::{Date, DateFault};

/// A range of days, including both ends. An end that is `None` is open.
///
/// A game whose date is only partly known is in the range if it may have been played then. A game without a year is
/// never in the range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct DateRange {
    /// The first day, `yyyymmdd`.
    pub from: Option<u32>,
    /// The last day, `yyyymmdd`.
    pub to: Option<u32>,
}

impl DateRange {
    /// Reads `FROM..TO`, `FROM..`, `..TO` or one date in any form that [`Date::parse`] reads. One date means all days
    /// that it may denote.
    ///
    /// # Errors
    /// Returns what is wrong with the first end that is not a date, and the byte offset at which that end begins.
    ///
    /// ```
    /// use tridex_index::DateRange;
    /// let range = DateRange::parse("2001..2003.06").unwrap();
    /// assert_eq!((range.from, range.to), (Some(20_010_101), Some(20_030_631)));
    /// ```
    pub fn parse(text: &str) -> Result<Self, (DateFault, usize)> {
        let end = |text: &str, at: usize| match text.trim() {
            "" => Ok(None),
            end => (Date::parse(end).map(Some))
                .map_err(|fault| (fault, at + text.len() - text.trim_start().len())),
        };
        let (from, to) = match text.split_once("..") {
            // `2001..??` is a date with an unknown part.
            Some((from, to)) if !to.starts_with('?') => {
                (end(from, 0)?, end(to, text.len() - to.len())?)
            }
            _ => (end(text, 0)?, end(text, 0)?),
        };
        if from.is_none() && to.is_none() {
            return Err((DateFault::Form, 0));
        }
        Ok(Self {
            from: from.map(|date| date.range().0),
            to: to.map(|date| date.range().1),
        })
    }

    /// Whether a game of this date may have been played in the range. Always false without a date.
    ///
    /// ```
    /// use tridex_index::{Date, DateRange};
    /// let range = DateRange::parse("2001..2003.06").unwrap();
    /// // Some day of 2003 is in the range.
    /// assert!(range.holds(Date::parse("2003").ok()));
    /// assert!(!range.holds(Date::parse("2003.07").ok()));
    /// ```
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
    fn a_range_holds_what_may_lie_in_it() {
        let holds = |range, date| {
            let range = DateRange::parse(range).unwrap();
            range.holds(Date::parse(date).ok())
        };
        assert!(holds("2001.05..2001.08", "2001.??.??"));
        assert!(!holds("2001.05..2001.08", "2001.04.??"));
        assert!(holds("2001", "2001.12.31"));
        assert!(holds("..2001", "1999.12.31"));
        assert!(!holds("2002..", "2001.12.31"));
        assert!(!holds("1900..2100", "????.??.??"));
        assert!(holds("2001.??.??", "2001.07.01"));
        assert!(holds("2001..??", "2001.07.01"));
        assert!(holds("31.1.2004..2. Feb 2004", "2004.02.01"));
    }

    #[test]
    fn an_end_that_is_not_a_date_is_named() {
        for (text, fault, at) in [
            ("..", DateFault::Form, 0),
            ("", DateFault::Form, 0),
            ("now..then", DateFault::Form, 0),
            ("2001..then", DateFault::Form, 6),
            ("2001.. 2001.02.31", DateFault::Impossible, 7),
            ("2.1.04", DateFault::Unclear, 0),
        ] {
            assert_eq!(DateRange::parse(text), Err((fault, at)), "{text}");
        }
    }
}

//! Counts of games.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use tridex_archive::batch::Batch;
use tridex_archive::date::{DateHint, DateOrder};
use tridex_archive::game::Damages;
use tridex_replay::finding::{Code, Finding, Severity, Status};
use tridex_replay::{strays, unlisted};

/// Counts of games, with the same names as in the summary of the command `tridex validate`. The counts of the parts of
/// a collection add up to those of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Games with every move legal as written.
    pub valid: u64,
    /// Games with every move legal, and warnings.
    pub warned: u64,
    /// Games with tokens of which several readings are legal to the end of the game.
    pub ambiguous: u64,
    /// Games that cannot be replayed, or whose record contradicts itself.
    pub invalid: u64,
    /// Invalid games by the code of the first error.
    #[serde(serialize_with = "by_name")]
    pub codes: BTreeMap<Code, u64>,
    /// Errors that belong to no game.
    pub damage: u64,
    /// Plies of main lines that were replayed.
    pub plies: u64,
    /// Dates, by the order of their day and month.
    #[serde(skip)]
    pub dates: DateCounts,
}

/// How many dates show the order in which day and month are written, and how many depend on it. Only dates of three
/// numbers are counted that are not in the form of PGN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct DateCounts {
    /// Ambiguous dates, such as `3/4/2019`.
    pub ambiguous: u64,
    /// Dates that begin with the day, such as `31/1/2004`.
    pub day_first: u64,
    /// Dates that begin with the month, such as `1/31/2004`.
    pub month_first: u64,
}

impl DateCounts {
    /// Counts what the date of a game shows.
    pub const fn count(&mut self, hint: Option<DateHint>) {
        match hint {
            Some(DateHint::Ambiguous) => self.ambiguous += 1,
            Some(DateHint::Shows(DateOrder::DayFirst)) => self.day_first += 1,
            Some(DateHint::Shows(DateOrder::MonthFirst)) => self.month_first += 1,
            Some(DateHint::Shows(DateOrder::YearFirst)) | None => {}
        }
    }

    /// Adds the counts of other games.
    pub const fn add(&mut self, other: Self) {
        self.ambiguous += other.ambiguous;
        self.day_first += other.day_first;
        self.month_first += other.month_first;
    }

    /// The order of the dates that show one, if it is the same in all of them.
    ///
    /// ```
    /// use tridex_core::archive::date::{DateHint, DateOrder};
    /// use tridex_core::DateCounts;
    ///
    /// let mut counts = DateCounts::default();
    /// counts.count(DateHint::of("31/1/2004"));
    /// counts.count(DateHint::of("3/4/2019"));
    /// assert_eq!(counts.order(), Some(DateOrder::DayFirst));
    /// counts.count(DateHint::of("1/31/2004"));
    /// assert_eq!(counts.order(), None);
    /// ```
    #[must_use]
    pub const fn order(self) -> Option<DateOrder> {
        match (self.day_first, self.month_first) {
            (1.., 0) => Some(DateOrder::DayFirst),
            (0, 1..) => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }
}

/// Serializes the codes in the order of their names.
fn by_name<S: Serializer>(codes: &BTreeMap<Code, u64>, to: S) -> Result<S::Ok, S::Error> {
    let names = codes.iter().map(|(code, count)| (code.as_str(), count));
    names.collect::<BTreeMap<_, _>>().serialize(to)
}

impl Counts {
    /// Counts a game with a number of plies. For an invalid game, `findings` must have the first error.
    pub fn count(&mut self, status: Status, plies: usize, findings: &[Finding]) {
        self.games += 1;
        self.plies += plies as u64;
        *match status {
            Status::Valid => &mut self.valid,
            Status::Warned => &mut self.warned,
            Status::Ambiguous => &mut self.ambiguous,
            Status::Invalid => &mut self.invalid,
        } += 1;
        let mut errors = findings.iter();
        if let Some(first) = errors.find(|found| found.severity == Severity::Error) {
            *self.codes.entry(first.code).or_default() += 1;
        }
    }

    /// Counts damage of a batch that belongs to no game, and returns the findings about it.
    pub fn add_damage(&mut self, damages: &Damages, batch: &Batch) -> Vec<Finding> {
        let found = strays(damages, batch);
        let errors = found.iter().filter(|found| {
            // A finding `Omitted` represents many findings, which `unlisted` counts.
            found.severity == Severity::Error && found.code != Code::Omitted
        });
        self.damage += unlisted(damages) + errors.count() as u64;
        found
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.valid += other.valid;
        self.warned += other.warned;
        self.ambiguous += other.ambiguous;
        self.invalid += other.invalid;
        self.damage += other.damage;
        self.plies += other.plies;
        self.dates.add(other.dates);
        for (code, count) in &other.codes {
            *self.codes.entry(*code).or_default() += count;
        }
    }
}

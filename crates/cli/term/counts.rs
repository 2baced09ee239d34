//! Counts of a run.

use crate::term::terminal::Paint;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use tridex_core::archive::date::DateOrder;
use tridex_core::{Counts, DateCounts};
use tridex_replay::Played;
use tridex_replay::finding::Finding;
use tridex_rules::RuleSystem;

/// The counts of a run. Fields of its JSON line are added, never renamed or dropped.
#[derive(Clone, Default, Debug, Serialize)]
pub(crate) struct Tally {
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// How many pieces of a plan were read. Set only for a whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pieces: Option<u64>,
    /// Games by the rule systems under which they are legal, with `--rules any`.
    #[serde(skip)]
    under: BTreeMap<Vec<RuleSystem>, u64>,
    /// Games that were skipped by a command that accepts only valid ones.
    #[serde(skip)]
    pub(crate) rejected: u64,
    /// The dates of each file that has ambiguous dates or dates that show an order.
    #[serde(skip)]
    dates: Vec<(Arc<str>, DateCounts)>,
}

impl Tally {
    /// Counts a game. For an invalid game, `findings` must have the first error.
    pub(crate) fn count(&mut self, game: &Played<'_>, findings: &[Finding]) {
        self.counts
            .count(game.status(), game.moves().len(), findings);
        self.counts.dates.count(game.date_hint());
        if !game.under().is_empty() {
            let legal = game.under().iter().filter(|under| under.is_legal);
            let legal = legal.map(|under| under.rules).collect();
            *self.under.entry(legal).or_default() += 1;
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        self.rejected += other.rejected;
        for (legal, count) in &other.under {
            *self.under.entry(legal.clone()).or_default() += count;
        }
    }

    /// Adds the counts of a part of a file.
    pub(crate) fn add_part(&mut self, source: &Arc<str>, part: &Self) {
        self.add(part);
        let dates = part.counts.dates;
        if dates == DateCounts::default() {
            return;
        }
        match self.dates.last_mut().filter(|(last, _)| last == source) {
            Some((_, counts)) => counts.add(dates),
            None => self.dates.push((Arc::clone(source), dates)),
        }
    }

    /// A note about ambiguous dates, if there are any: what other dates of the same files show or, if they show nothing,
    /// those of all files.
    pub(crate) fn note_on_dates(&self) -> Option<String> {
        let all = self.counts.dates;
        let one_of = |(count, one, many): (u64, &'static str, &'static str)| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        if all.ambiguous == 0 {
            return None;
        }
        let used = "only the year is used";
        let dates = one_of((all.ambiguous, "ambiguous date", "ambiguous dates"));
        let ambiguous = self.dates.iter().filter(|(_, dates)| dates.ambiguous > 0);
        // The number of files by the order that their own dates show.
        let (mut by_day, mut by_month) = (0_u64, 0_u64);
        let mut in_same = DateCounts::default();
        for (_, dates) in ambiguous {
            in_same.add(*dates);
            match dates.order() {
                Some(DateOrder::MonthFirst) => by_month += 1,
                Some(_) => by_day += 1,
                None => {}
            }
        }
        let shown = [
            (in_same, "other dates of the same files"),
            (all, "dates in other files"),
        ];
        let of_one_order = shown
            .iter()
            .find_map(|(dates, where_from)| Some((dates.order()?, where_from)));
        let advice = match of_one_order {
            _ if by_day > 0 && by_month > 0 => {
                let [days, months] =
                    [by_day, by_month].map(|count| one_of((count, "file", "files")));
                format!(
                    "other dates begin with the day in {days} and with the month in {months}; convert these files apart, \
                     with --dates dmy and --dates mdy"
                )
            }
            Some((order, where_from)) => {
                let first = match order {
                    DateOrder::MonthFirst => "month",
                    _ => "day",
                };
                format!(
                    "{where_from} begin with the {first}, which --dates {} assumes",
                    order.name()
                )
            }
            _ if in_same.day_first + all.day_first > 0 => {
                "other dates have either order; --dates dmy or --dates mdy decides".to_owned()
            }
            _ => "--dates dmy or --dates mdy decides".to_owned(),
        };
        Some(format!("{dates}: {used}; {advice}"))
    }

    /// The summary at the end of a run, for people.
    pub(crate) fn table(&self, seconds: f64, paint: Paint) -> String {
        let counts = &self.counts;
        let mut text = counted(&[
            ("games", counts.games),
            ("valid", counts.valid),
            ("warned", counts.warned),
            ("ambiguous", counts.ambiguous),
            ("invalid", counts.invalid),
        ]);
        for (code, number) in &counts.codes {
            let _ = writeln!(text, "  {:<15} {number:>5}", code.as_str());
        }
        if counts.damage > 0 {
            let _ = writeln!(text, "damage outside of games {:>12}", counts.damage);
        }
        text.push_str(&counted(&[("plies", counts.plies)]));
        if !self.under.is_empty() {
            text.push_str("legal under\n");
        }
        for (legal, count) in &self.under {
            let names: Vec<&str> = legal.iter().map(|rules| rules.name()).collect();
            let names = match names.is_empty() {
                true => "none".to_owned(),
                false => tridex_text::enumeration(&names, "and"),
            };
            let _ = writeln!(text, "  {names:<34} {count:>9}");
        }
        let rate = counts.plies as f64 / seconds.max(1e-9);
        text.push_str(&timing(seconds, paint));
        text.push_str(&paint.faint(&format!("{:<10} {rate:>12.0}\n", "plies/s")));
        text
    }
}

/// How long a run took, for people.
pub(crate) fn timing(seconds: f64, paint: Paint) -> String {
    paint.faint(&format!("{:<10} {seconds:>10.2} s\n", "time"))
}

/// Names, each with a number, for people.
pub(crate) fn counted(counts: &[(&str, u64)]) -> String {
    let lines = counts
        .iter()
        .map(|(name, count)| format!("{name:<10} {count:>12}\n"));
    lines.collect()
}

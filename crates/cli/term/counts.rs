//! Counts of a run.

use crate::term::style::Paint;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Instant;
use tridex_replay::diagnostic::{Code, Severity, Status};
use tridex_replay::{Played, Report};
use tridex_rules::RuleSystem;

/// The counts as a line of JSON. Those of parts of a collection add up to those of the whole. Fields are added, never
/// renamed or dropped.
#[derive(Serialize)]
pub(crate) struct Counts {
    games: u64,
    valid: u64,
    warned: u64,
    ambiguous: u64,
    invalid: u64,
    /// Invalid games by the code of the first error.
    codes: BTreeMap<&'static str, u64>,
    /// Errors that belong to no game.
    damage: u64,
    plies: u64,
    /// Pieces that were read, if it was a plan that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pieces: Option<u64>,
}

/// What was counted.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) games: u64,
    plies: u64,
    by_status: BTreeMap<Status, u64>,
    /// By the code of the first error.
    invalid: BTreeMap<Code, u64>,
    /// Errors that belong to no game.
    stray: u64,
    /// By the systems under which games are legal, where all were asked for.
    under: BTreeMap<Vec<RuleSystem>, u64>,
    since: Instant,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            games: 0,
            plies: 0,
            by_status: BTreeMap::new(),
            invalid: BTreeMap::new(),
            stray: 0,
            under: BTreeMap::new(),
            since: Instant::now(),
        }
    }
}

impl Tally {
    /// Counts a game; of an invalid one what its first error is.
    pub(crate) fn count(&mut self, game: &Played<'_>, first_error: impl FnOnce() -> Option<Code>) {
        self.count_replayed(game.status(), game.moves().len());
        if !game.under().is_empty() {
            let legal = game.under().iter().filter(|under| under.is_legal);
            let legal = legal.map(|under| under.rules).collect();
            *self.under.entry(legal).or_default() += 1;
        }
        if game.status() == Status::Invalid
            && let Some(code) = first_error()
        {
            *self.invalid.entry(code).or_default() += 1;
        }
    }

    /// Counts a game by what was said of it.
    pub(crate) fn count_report(&mut self, report: &Report) {
        self.count_replayed(report.status, report.moves.len());
        let mut errors = report.diagnostics.iter();
        if let Some(first) = errors.find(|found| found.severity == Severity::Error) {
            *self.invalid.entry(first.code).or_default() += 1;
        }
    }

    /// Counts a game of so many plies, whatever is wrong with it.
    pub(crate) fn count_replayed(&mut self, status: Status, plies: usize) {
        self.games += 1;
        self.plies += plies as u64;
        *self.by_status.entry(status).or_default() += 1;
    }

    /// Counts errors that belong to no game.
    pub(crate) fn add_stray(&mut self, errors: u64) {
        self.stray += errors;
    }

    /// How many plies were replayed.
    pub(crate) const fn plies(&self) -> u64 {
        self.plies
    }

    /// How many games are invalid.
    pub(crate) fn invalid(&self) -> u64 {
        self.by_status.get(&Status::Invalid).copied().unwrap_or(0)
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.stray += other.stray;
        for (status, count) in &other.by_status {
            *self.by_status.entry(*status).or_default() += count;
        }
        for (code, count) in &other.invalid {
            *self.invalid.entry(*code).or_default() += count;
        }
        for (legal, count) in &other.under {
            *self.under.entry(legal.clone()).or_default() += count;
        }
    }

    /// Whether some game is invalid, or something was damaged that belongs to none.
    pub(crate) fn fell_short(&self) -> bool {
        self.stray > 0 || self.by_status.contains_key(&Status::Invalid)
    }

    /// The summary at the end, for machines.
    pub(crate) fn counts(&self) -> Counts {
        let count = |status| self.by_status.get(&status).copied().unwrap_or(0);
        let codes = self.invalid.iter();
        Counts {
            games: self.games,
            valid: count(Status::Valid),
            warned: count(Status::Warned),
            ambiguous: count(Status::Ambiguous),
            invalid: count(Status::Invalid),
            codes: codes
                .map(|(code, number)| (code.as_str(), *number))
                .collect(),
            damage: self.stray,
            plies: self.plies,
            pieces: None,
        }
    }

    /// Under which systems the games are legal, where all were asked for.
    fn systems(&self) -> String {
        if self.under.is_empty() {
            return String::new();
        }
        let mut text = "legal under\n".to_owned();
        for (legal, count) in &self.under {
            let names: Vec<&str> = legal.iter().map(|rules| rules.name()).collect();
            let names = match names.as_slice() {
                [] => "none".to_owned(),
                names => names.join(" and "),
            };
            let _ = writeln!(text, "  {names:<34} {count:>9}");
        }
        text
    }

    /// The summary at the end.
    pub(crate) fn table(&self, paint: Paint) -> String {
        let seconds = self.since.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 {
            self.plies as f64 / seconds
        } else {
            0.0
        };
        let count = |status| self.by_status.get(&status).copied().unwrap_or(0);
        let mut text = String::new();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(text, "{name:<10} {value:>12}");
        };
        row("games", self.games.to_string());
        row("valid", count(Status::Valid).to_string());
        row("warned", count(Status::Warned).to_string());
        row("ambiguous", count(Status::Ambiguous).to_string());
        row("invalid", count(Status::Invalid).to_string());
        for (code, number) in &self.invalid {
            let _ = writeln!(text, "  {:<15} {number:>5}", code.as_str());
        }
        if self.stray > 0 {
            let _ = writeln!(text, "damage outside of games {:>12}", self.stray);
        }
        let _ = writeln!(text, "{:<10} {:>12}", "plies", self.plies);
        text.push_str(&self.systems());
        let timing = format!(
            "{:<10} {seconds:>10.2} s\n{:<10} {rate:>12.0}\n",
            "time", "plies/s"
        );
        text.push_str(&paint.faint(&timing));
        text
    }
}

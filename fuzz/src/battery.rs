//! Everything that is done to the project to break it, in sizes, with a table of what came of it.
//!
//! Each section does one kind of thing many times. A case is told by a number: the same number makes the same case
//! again, alone, with `--section NAME --case NUMBER`.

pub mod corruptions;
pub mod faults;
pub mod mutants;
pub mod program;
#[cfg(feature = "index")]
pub mod questions;
pub mod shapes;
pub mod trips;

use program::Program;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Inputs for each target that only reads.
    pub parsed: u64,
    /// Inputs for each deeper target.
    pub deep: u64,
    /// Damaged archives given to the program.
    pub mutants: u64,
    /// Bytes of the smaller one of two texts of one shape.
    pub shape: usize,
    /// Processes killed.
    pub kills: u64,
    /// Full disks.
    pub disks: u64,
    /// Damaged indices.
    pub corruptions: u64,
    /// Questions to an index.
    pub questions: u64,
    /// Archives that go through all forms and back.
    pub trips: u64,
    /// Archives read with several numbers of threads.
    pub threads: u64,
}

impl Size {
    /// Some minutes: what is done at every change.
    #[must_use]
    pub const fn small() -> Self {
        Self {
            parsed: 20_000,
            deep: 400,
            mutants: 300,
            shape: 30_000,
            kills: 10,
            disks: 6,
            corruptions: 60,
            questions: 2_000,
            trips: 10,
            threads: 8,
        }
    }

    /// Some hours: what is done before a release.
    #[must_use]
    pub const fn full() -> Self {
        Self {
            parsed: 2_000_000,
            deep: 200_000,
            mutants: 100_000,
            shape: 200_000,
            kills: 500,
            disks: 50,
            corruptions: 10_000,
            questions: 1_000_000,
            trips: 1_000,
            threads: 500,
        }
    }

    /// Each number so many times as large, one at least.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let scaled = |n: u64| ((n as f64 * factor) as u64).max(1);
        Self {
            parsed: scaled(self.parsed),
            deep: scaled(self.deep),
            mutants: scaled(self.mutants),
            // The largest size that says something of growth, and takes no hours where something grows too fast.
            shape: self.shape,
            kills: scaled(self.kills),
            disks: scaled(self.disks),
            corruptions: scaled(self.corruptions),
            questions: scaled(self.questions),
            trips: scaled(self.trips),
            threads: scaled(self.threads),
        }
    }
}

/// What all sections share.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The program under test.
    pub program: &'a Program,
    /// How much is done.
    pub size: Size,
    /// The number from which all others are made.
    pub seed: u64,
    /// A folder for whatever is written.
    pub folder: &'a Path,
    /// The only case to be tried, if one was asked for.
    pub case: Option<u64>,
    /// What was done before and need not be done again.
    pub kept: Kept,
}

impl Bench<'_> {
    /// The numbers of so many cases, or of the one that was asked for.
    pub fn cases(&self, count: u64) -> Range<u64> {
        self.case
            .map_or(0..count, |case| case..case.saturating_add(1))
    }

    /// The row of a name: as it was kept, or made now and kept.
    pub fn row(&self, name: &str, make: impl FnOnce() -> Row) -> Row {
        if let Some(row) = self.kept.row(name) {
            return row;
        }
        let row = make();
        eprintln!(
            "{}: {} cases, {} failures, {:.1?} {}",
            row.name,
            row.cases,
            row.failures.len(),
            row.took,
            row.note
        );
        self.kept.keep(&row);
        row
    }

    /// A row of so many cases, or of the one that was asked for.
    pub fn rows_of(&self, name: &str, count: u64, each: impl FnMut(u64) -> Option<String>) -> Row {
        self.row(name, || Row::of(name, self.cases(count), each))
    }
}

/// Rows kept in a file, a line of JSON each, so that a long run may be broken off and go on.
#[derive(Debug, Default)]
pub struct Kept {
    file: Option<PathBuf>,
    rows: Vec<Row>,
}

impl Kept {
    /// The rows of a file, which may not be there yet.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn new(file: PathBuf) -> io::Result<Self> {
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => String::new(),
            Err(fault) => return Err(fault),
        };
        let rows = text
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>();
        Ok(Self {
            file: Some(file),
            rows: rows.map_err(io::Error::other)?,
        })
    }

    fn row(&self, name: &str) -> Option<Row> {
        self.rows.iter().find(|row| row.name == name).cloned()
    }

    fn keep(&self, row: &Row) {
        let Some(file) = &self.file else {
            return;
        };
        let kept = serde_json::to_string(row)
            .map_err(io::Error::other)
            .and_then(|line| {
                let mut file = File::options().create(true).append(true).open(file)?;
                writeln!(file, "{line}")
            });
        if let Err(fault) = kept {
            eprintln!("{}: {fault}", file.display());
        }
    }
}

/// A case that went wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// Its number.
    pub case: u64,
    /// What went wrong, on one line.
    pub what: String,
}

/// One row of the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What was done.
    pub name: String,
    /// How often.
    pub cases: u64,
    /// What went wrong.
    pub failures: Vec<Failure>,
    /// What else is to be known: a rate, the slowest, the largest.
    pub note: String,
    /// How long it took.
    pub took: Duration,
    /// Time of processors, where that is known: others may use them, too.
    #[serde(default)]
    pub busy: Option<Duration>,
}

impl Row {
    /// Does something for each of some cases; each gives what went wrong with it, if anything did.
    pub fn of(
        name: impl Into<String>,
        cases: impl IntoIterator<Item = u64>,
        mut each: impl FnMut(u64) -> Option<String>,
    ) -> Self {
        let since = Instant::now();
        let mut row = Self {
            name: name.into(),
            cases: 0,
            failures: Vec::new(),
            note: String::new(),
            took: Duration::ZERO,
            busy: None,
        };
        for case in cases {
            row.cases += 1;
            if let Some(what) = each(case) {
                let what = what.escape_debug().to_string();
                eprintln!("{}: case {case}: {what}", row.name);
                row.failures.push(Failure { case, what });
            }
        }
        row.took = since.elapsed();
        row
    }

    /// The same on every processor at once, where no case is in the way of another.
    pub fn on_all_processors(
        name: impl Into<String>,
        cases: Range<u64>,
        each: impl Fn(u64) -> Option<String> + Sync,
    ) -> Self {
        let since = Instant::now();
        let next = AtomicU64::new(cases.start);
        let found = Mutex::new(Vec::new());
        let nanos = AtomicU64::new(0);
        let name = name.into();
        std::thread::scope(|scope| {
            for _ in 0..processors() {
                scope.spawn(|| {
                    loop {
                        let case = next.fetch_add(1, Ordering::Relaxed);
                        if case >= cases.end {
                            let busy = busy().unwrap_or_default().as_nanos();
                            nanos.fetch_add(busy as u64, Ordering::Relaxed);
                            return;
                        }
                        if let Some(what) = each(case)
                            && let Ok(mut found) = found.lock()
                        {
                            let what = what.escape_debug().to_string();
                            eprintln!("{name}: case {case}: {what}");
                            found.push(Failure { case, what });
                        }
                    }
                });
            }
        });
        let mut failures = found.into_inner().unwrap_or_default();
        failures.sort_by_key(|failure| failure.case);
        Self {
            name,
            cases: cases.end - cases.start,
            failures,
            note: String::new(),
            took: since.elapsed(),
            busy: Some(Duration::from_nanos(nanos.into_inner())).filter(|busy| !busy.is_zero()),
        }
    }

    /// The same with something to be known.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// How long this thread has had a processor, where the system says it.
pub fn busy() -> Option<Duration> {
    let said = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = said.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// How many processors there are.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The table of all that was done.
#[derive(Debug, Default)]
pub struct Table(pub Vec<Row>);

impl Table {
    /// Whether nothing went wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.0.iter().all(|row| row.failures.is_empty())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | cases | failures | time | note |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        for row in &self.0 {
            let shown = row
                .failures
                .iter()
                .take(3)
                .map(|failure| failure.case.to_string());
            let failures = match row.failures.len() {
                0 => "0".to_owned(),
                n => format!("{n}: cases {}", shown.collect::<Vec<_>>().join(", ")),
            };
            writeln!(
                f,
                "| {} | {} | {failures} | {:.1} s | {} |",
                row.name,
                row.cases,
                row.took.as_secs_f64(),
                row.note
            )?;
        }
        Ok(())
    }
}

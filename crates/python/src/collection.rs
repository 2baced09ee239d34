//! Whole collections: statistics and duplicates.

use crate::archives::{Found, archives};
use crate::errors;
use crate::finding::dictionary;
use crate::names::{self, Reading};
use crate::stream::Stream;
use pyo3::prelude::*;
use std::io;
use tridex_core::archive::batch::Batch;
use tridex_core::index::OpeningBook;
use tridex_core::replay::dedupe::{Choice, Collector, Keep};
use tridex_core::replay::stats::Stats;
use tridex_core::{
    BatchCounts, Counts, CrossTables, FileFault, GroupBy, Grouping, Groups, RunEvent,
};

/// What a run passes to Python.
enum Step<T> {
    /// Counts of a batch, or a finding about a file.
    Read(Result<Counts, FileFault>),
    /// What was made of all games.
    Made(Box<T>),
}

impl<T> Step<T> {
    fn of(event: RunEvent<Counts>) -> Self {
        Self::Read(match event {
            RunEvent::Games(_, counts) => Ok(counts),
            RunEvent::Fault(fault) => Err(fault),
        })
    }
}

/// Waits for the end of a run. If no game could be read, raises the error of the first file that could not.
fn made<T: Send + 'static>(py: Python<'_>, stream: &Stream<Step<T>>) -> PyResult<T> {
    let mut found = Found::<()>::default();
    let mut all = None;
    while let Some(step) = stream.next(py)? {
        match step {
            Step::Read(Ok(counts)) => found.counts.add(&counts),
            Step::Read(Err(fault)) => found.file(fault),
            Step::Made(made) => all = Some(*made),
        }
    }
    if found.counts.games == 0 {
        found.fail(py)?;
    }
    // A run that ends without an error has made something.
    all.ok_or_else(|| errors::of_io(py, &io::ErrorKind::Interrupted.into()))
}

fn dictionaries<'py>(
    py: Python<'py>,
    rows: impl IntoIterator<Item = impl serde::Serialize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let rows = rows.into_iter().map(|row| dictionary(py, &row));
    rows.collect()
}

/// Count the games of a collection: systems, results, lengths, moves, players, openings. The rows are those of
/// `tridex stats --format ndjson`; `top` is the number of rows of each table, the most frequent first.
///
/// >>> import tridex
/// >>> rows = tridex.stats(text="1. b4N b5B 2. c3W a6N 1-0")
/// >>> [row["count"] for row in rows if row["kind"] == "result" and row["key"] == "1-0"]
/// [1]
#[pyfunction]
#[pyo3(signature = (paths = None, *, text = None, top = None, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None))]
pub(crate) fn stats<'py>(
    py: Python<'py>,
    paths: Option<&Bound<'py, PyAny>>,
    text: Option<&Bound<'py, PyAny>>,
    top: Option<usize>,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    let archives = archives(paths, text, &reading, threads)?;
    let stream = Stream::<Step<Stats>>::start(move |cancel, sink| {
        let stats = archives.stats(cancel, |event| sink.put(Step::of(event)))?;
        sink.put(Step::Made(Box::new(stats)))
    })?;
    dictionaries(py, made(py, &stream)?.rows(top))
}

/// Count games and results by `player`, `opening`, `system`, `year`, `month`, `event`, `site` or `pair` of players. The rows
/// are those of `tridex stats --by WHAT --format ndjson`. With `per_system`, each rule system has rows of its own.
///
/// >>> import tridex
/// >>> [row] = tridex.stats_by("pair", text='[White "Ada"]\n[Black "Bo"]\n\n1. b4N b5B 1-0')
/// >>> row["key"], row["opponent"], row["won"], row["average_plies"]
/// ('Ada', 'Bo', 1, 2.0)
#[pyfunction]
#[pyo3(signature = (by, paths = None, *, text = None, per_system = false, top = None, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None))]
pub(crate) fn stats_by<'py>(
    py: Python<'py>,
    by: &str,
    paths: Option<&Bound<'py, PyAny>>,
    text: Option<&Bound<'py, PyAny>>,
    per_system: bool,
    top: Option<usize>,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    let unknown = || names::unknown("grouping", by, &Grouping::ALL.map(Grouping::name));
    let grouping = Grouping::from_name(by).ok_or_else(unknown)?;
    let archives = archives(paths, text, &reading, threads)?;
    let stream = Stream::<Step<Groups>>::start(move |cancel, sink| {
        let by = GroupBy {
            grouping,
            per_system,
            book: &OpeningBook::bundled(),
        };
        let groups = archives.group_games(&by, cancel, |event| sink.put(Step::of(event)))?;
        sink.put(Step::Made(Box::new(groups)))
    })?;
    let by = GroupBy {
        grouping,
        per_system,
        book: &OpeningBook::default(),
    };
    dictionaries(py, made(py, &stream)?.rows(&by, top))
}

/// Make the cross table of each event: a row for each player with points, results against each opponent, the last rating,
/// Sonneborn-Berger and Buchholz scores. The rows are those of `tridex stats --crosstable --format ndjson`.
///
/// >>> import tridex
/// >>> [first, second] = tridex.crosstable(text='[White "Ada"]\n[Black "Bo"]\n\n1. b4N b5B 0-1')
/// >>> first["player"], first["points"], second["buchholz"]
/// ('Bo', 1.0, 1.0)
#[pyfunction]
#[pyo3(signature = (paths = None, *, text = None, per_system = false, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None))]
pub(crate) fn crosstable<'py>(
    py: Python<'py>,
    paths: Option<&Bound<'py, PyAny>>,
    text: Option<&Bound<'py, PyAny>>,
    per_system: bool,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    let archives = archives(paths, text, &reading, threads)?;
    let stream = Stream::<Step<CrossTables>>::start(move |cancel, sink| {
        let tables =
            archives.cross_tables(per_system, cancel, |event| sink.put(Step::of(event)))?;
        sink.put(Step::Made(Box::new(tables)))
    })?;
    dictionaries(py, made(py, &stream)?.standings())
}

/// Find duplicate games, even under different names, notations, languages or tags. The groups are those of
/// `tridex dedupe --format ndjson`, and the arguments are its options. No file is changed.
///
/// >>> import tridex
/// >>> [group] = tridex.dedupe("corpus/games/meder/sample-game")
/// >>> group["kind"], len(group["drop"])
/// ('same', 2)
#[pyfunction]
#[pyo3(signature = (paths = None, *, text = None, keep = "first", prefix = false, ignore_result = false, near = None, min_plies = 1, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None))]
pub(crate) fn dedupe<'py>(
    py: Python<'py>,
    paths: Option<&Bound<'py, PyAny>>,
    text: Option<&Bound<'py, PyAny>>,
    keep: &str,
    prefix: bool,
    ignore_result: bool,
    near: Option<u32>,
    min_plies: u32,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    let choice = Choice {
        keep: match keep {
            "first" => Keep::First,
            "longest" => Keep::Longest,
            "annotated" => Keep::Annotated,
            name => {
                let known = ["first", "longest", "annotated"];
                return Err(names::unknown("choice", name, &known));
            }
        },
        prefix,
        least_plies: min_plies,
        ignore_result,
        near,
        merge: false,
    };
    let archives = archives(paths, text, &reading, threads)?;
    let stream = Stream::start(move |cancel, sink| {
        let mut collector = Collector::new(choice, false)?;
        let report = |_: &_, batch: &Batch, found: BatchCounts| found.with_damage(batch);
        let observer = |event| sink.put(Step::of(event));
        let walk = archives.collect(&mut collector, cancel, report, observer)?;
        archives.require_files(&walk)?;
        sink.put(Step::Made(Box::new(collector.finish()?)))
    })?;
    dictionaries(py, made(py, &stream)?.groups())
}

//! Whole archives: validated and converted on several threads.

use crate::errors;
use crate::finding::{Problem, dictionary};
use crate::game::{Verdict, text_of};
use crate::names::{self, Reading};
use crate::stream::Stream;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tridex_core::archive::container::extension;
use tridex_core::archive::file_name;
use tridex_core::archive::write::AtomicFile;
use tridex_core::replay::finding::Severity;
use tridex_core::{
    Archives, Checked, Counts, Detail, FileFault, Invalid, Origin, Rewriting, Rewritten,
    WriteOptions,
};

/// What a run returns for some games, or about a file.
type Part<T> = Result<T, FileFault>;

/// The archives at one path, at several paths, or in a text.
pub(crate) fn archives(
    paths: Option<&Bound<'_, PyAny>>,
    text: Option<&Bound<'_, PyAny>>,
    reading: &Reading,
    threads: Option<usize>,
) -> PyResult<Archives> {
    let origin = match (paths, text) {
        (None, Some(text)) => Origin::Text(text_of(text)?.into()),
        (Some(paths), None) => Origin::Paths(match paths.extract::<PathBuf>() {
            Ok(path) => vec![path],
            Err(_) => {
                let paths = paths.try_iter()?;
                let paths = paths.map(|path| path?.extract::<PathBuf>());
                paths.collect::<PyResult<_>>()?
            }
        }),
        _ => {
            return Err(PyTypeError::new_err(
                "expected paths, or text=, and not both",
            ));
        }
    };
    let mut archives = Archives::of(origin);
    archives.open = reading.open()?;
    archives.options = reading.options()?;
    archives.threads = threads.map(|threads| threads.clamp(1, 256));
    Ok(archives)
}

fn counts_of<'py>(py: Python<'py>, counts: &Counts) -> PyResult<Bound<'py, PyAny>> {
    dictionary(py, counts)
}

/// The results of a run so far.
pub(crate) struct Found<T> {
    ready: VecDeque<T>,
    pub(crate) counts: Counts,
    /// Problems of files that are errors.
    files: Vec<FileFault>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Self {
            ready: VecDeque::new(),
            counts: Counts::default(),
            files: Vec::new(),
        }
    }
}

impl<T> Found<T> {
    pub(crate) fn file(&mut self, problem: FileFault) {
        if problem.fault.severity == Severity::Error {
            self.files.push(problem);
        }
    }

    /// Raises the first error of a file, if there is one, with all problems and the counts.
    pub(crate) fn fail(&mut self, py: Python<'_>) -> PyResult<()> {
        let files = std::mem::take(&mut self.files);
        let Some(first) = files.first() else {
            return Ok(());
        };
        let error = errors::of_file(py, &first.file, first.fault.code, &first.to_string());
        let problems: Vec<Problem> = files.iter().map(Problem::of_file).collect();
        let counts = counts_of(py, &self.counts)?;
        Err(errors::with(
            py,
            errors::with(py, error, "problems", problems),
            "counts",
            counts,
        ))
    }
}

fn lock<T>(found: &Mutex<T>) -> MutexGuard<'_, T> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

fn checked(archives: &Archives, detail: Detail) -> PyResult<Stream<Part<Checked>>> {
    let archives = archives.clone();
    Stream::start(move |cancel, sink| archives.validate(detail, cancel, |part| sink.put(part)))
}

/// Archives to be validated. Nothing is read before it is iterated, or one of its methods is called; each reads everything
/// again.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Validation {
    archives: Archives,
}

#[pymethods]
impl Validation {
    /// A verdict on every game, in order. At the end FileError is raised if files could not be read.
    fn __iter__(&self) -> PyResult<Verdicts> {
        Ok(Verdicts {
            stream: checked(&self.archives, Detail::Games)?,
            found: Mutex::default(),
        })
    }

    /// Every finding, damage between games, and problems of files: the rows of `tridex validate --problems`.
    fn problems(&self) -> PyResult<Problems> {
        Ok(Problems {
            stream: checked(&self.archives, Detail::Findings)?,
            found: Mutex::default(),
        })
    }

    /// Reads everything and returns the counts, by the names of `tridex validate --summary ndjson`. Raises FileError if
    /// files could not be read; its `counts` are those of the others.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stream = checked(&self.archives, Detail::Counts)?;
        let mut found = Found::<()>::default();
        while let Some(part) = stream.next(py)? {
            match part {
                Ok(checked) => found.counts.add(&checked.counts),
                Err(problem) => found.file(problem),
            }
        }
        found.fail(py)?;
        counts_of(py, &found.counts)
    }
}

/// Verdicts on games, one after another.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Verdicts {
    stream: Stream<Part<Checked>>,
    found: Mutex<Found<Verdict>>,
}

#[pymethods]
impl Verdicts {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Verdict>> {
        loop {
            if let Some(verdict) = lock(&self.found).ready.pop_front() {
                return Ok(Some(verdict));
            }
            let part = self.stream.next(py)?;
            let mut found = lock(&self.found);
            match part {
                Some(Ok(checked)) => {
                    found.counts.add(&checked.counts);
                    found
                        .ready
                        .extend(checked.games.into_iter().map(Verdict::of));
                }
                Some(Err(problem)) => found.file(problem),
                None => return found.fail(py).map(|()| None),
            }
        }
    }

    /// The counts of what was read so far: of whole batches, which may be ahead of the iteration.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        counts_of(py, &lock(&self.found).counts)
    }
}

/// Problems, one after another.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Problems {
    stream: Stream<Part<Checked>>,
    found: Mutex<Found<Problem>>,
}

#[pymethods]
impl Problems {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Problem>> {
        loop {
            if let Some(problem) = lock(&self.found).ready.pop_front() {
                return Ok(Some(problem));
            }
            let part = self.stream.next(py)?;
            let mut found = lock(&self.found);
            match part {
                Some(Ok(checked)) => {
                    found.counts.add(&checked.counts);
                    for game in &checked.games {
                        let findings = game.replay.findings().iter();
                        let number = Some(game.number);
                        let of = |found| Problem::of_finding(&game.source, number, found);
                        found.ready.extend(findings.map(of));
                    }
                    let strays = checked.strays.iter();
                    let of = |found| Problem::of_finding(&checked.source, None, found);
                    found.ready.extend(strays.map(of));
                }
                Some(Err(problem)) => found.ready.push_back(Problem::of_file(&problem)),
                None => return Ok(None),
            }
        }
    }

    /// The counts of what was read so far: of whole batches, which may be ahead of the iteration.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        counts_of(py, &lock(&self.found).counts)
    }
}

/// Validates whole archives on several threads: files, folders, `-` for standard input, or a text.
///
/// >>> import tridex
/// >>> run = tridex.validate(text="1. b4N b5B 2. c3W a6S")
/// >>> run.counts()["warned"]
/// 1
/// >>> [problem.code for problem in run.problems()]
/// ['dialect']
#[pyfunction]
#[pyo3(signature = (paths = None, *, text = None, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None))]
pub(crate) fn validate(
    paths: Option<&Bound<'_, PyAny>>,
    text: Option<&Bound<'_, PyAny>>,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
) -> PyResult<Validation> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    Ok(Validation {
        archives: archives(paths, text, &reading, threads)?,
    })
}

/// How many problems a conversion stores. Others are only in the counts.
const PROBLEMS: usize = 10_000;

/// A conversion that is done.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Conversion {
    text: Option<String>,
    counts: Counts,
    problems: Vec<Problem>,
    is_stopped: bool,
}

#[pymethods]
impl Conversion {
    /// The games as PGN; None if they went to a file.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Counts of the games that were read, by the names of `Validation.counts`.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        counts_of(py, &self.counts)
    }

    /// Findings, repairs, games that were not written (code `rejected`) and problems of files: the first 10,000.
    #[getter]
    fn problems(&self) -> Vec<Problem> {
        self.problems.clone()
    }

    /// Whether it ended at an invalid game, as `invalid="stop"` has it. No file is written then.
    #[getter]
    fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    fn __str__(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        let (games, problems) = (self.counts.games, self.problems.len());
        format!("<Conversion of {games} games, {problems} problems>")
    }
}

/// Where converted games go.
enum Out {
    Text(Vec<u8>),
    File(Box<AtomicFile>),
}

impl Out {
    fn new(output: Option<&Path>) -> io::Result<Self> {
        match output {
            None => Ok(Self::Text(Vec::new())),
            Some(path) => AtomicFile::create(path, true).map(|file| Self::File(Box::new(file))),
        }
    }

    fn add(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::Text(whole) => whole.write_all(text),
            Self::File(file) => file.write_all(text),
        }
    }

    /// Returns the text, or moves the file to its place unless the run was stopped.
    fn finish(self, is_stopped: bool) -> io::Result<Option<String>> {
        match self {
            Self::Text(text) => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
            Self::File(_) if is_stopped => Ok(None),
            Self::File(file) => file.commit().map(|()| None),
        }
    }
}

/// Writes games again as PGN, in another notation or in that of their rules: of files and folders, or of a text. With `output`
/// they go to a file, which is written whole or not at all; else they are the text of the result. The name of the file ends in
/// `.pgn` or `.txt`, or has no extension; `.gz`, `.zst` or `.bz2` after it compresses it.
///
/// >>> import tridex
/// >>> done = tridex.convert(text="1. b4N b5B 2. c3W a6S", to="manual")
/// >>> print(done.text.splitlines()[-2])
/// 1. c3,WB-c5,NB c8,BB-c6,BB 2. d3,WB-d4,WB b8,BB-b7,BB *
#[pyfunction]
#[pyo3(signature = (
    paths = None, *, text = None, to = None, output = None, rules = None, notation = None, locale = None, strict = false,
    encoding = None, dates = None, threads = None, to_locale = None, short_pawn_captures = false, marks = None, figurines = false,
    traces = true, repair = false, invalid = "keep"
))]
pub(crate) fn convert(
    py: Python<'_>,
    paths: Option<&Bound<'_, PyAny>>,
    text: Option<&Bound<'_, PyAny>>,
    to: Option<&str>,
    output: Option<PathBuf>,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
    to_locale: Option<&str>,
    short_pawn_captures: bool,
    marks: Option<bool>,
    figurines: bool,
    traces: bool,
    repair: bool,
    invalid: &str,
) -> PyResult<Conversion> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    if let Some(file) = &output
        && let Some(end) = extension(file)
        && !["pgn", "txt"].contains(&end.as_str())
    {
        let message = format!(
            "{}: games are written as PGN; expected a name that ends in .pgn or .txt, with .gz, .zst or .bz2 after it for a \
             compressed file, not in .{end}",
            file_name::to_text(file)
        );
        return Err(PyValueError::new_err(message));
    }
    let archives = archives(paths, text, &reading, threads)?;
    let rewriting = Rewriting::default()
        .to(to
            .filter(|to| *to != "own")
            .map(names::notation)
            .transpose()?)
        .write(
            WriteOptions::default()
                .locale(to_locale.map_or(Ok(tridex_core::Locale::English), names::locale)?)
                .full_pawn_captures(!short_pawn_captures)
                .marks(marks),
        )
        .figurines(figurines)
        .traces(traces)
        .repair(repair)
        .invalid(match invalid {
            "keep" => Invalid::Keep,
            "drop" => Invalid::Drop,
            "stop" => Invalid::Stop,
            name => return Err(names::unknown("choice", name, &["keep", "drop", "stop"])),
        });
    let stream: Stream<Part<Rewritten>> = Stream::start(move |cancel, sink| {
        archives.rewrite(&rewriting, cancel, |part| sink.put(part))
    })?;
    let fault = |fault: io::Error| errors::of_io(py, &fault);
    let mut out = py.detach(|| Out::new(output.as_deref())).map_err(fault)?;
    let mut found = Found::<()>::default();
    let mut problems = Vec::new();
    let mut is_stopped = false;
    while let Some(part) = stream.next(py)? {
        match part {
            Ok(made) => {
                found.counts.add(&made.counts);
                let findings = made.findings.iter().take(PROBLEMS - problems.len());
                let of = |(game, found): &(_, _)| Problem::of_finding(&made.source, *game, found);
                problems.extend(findings.map(of));
                py.detach(|| out.add(&made.text)).map_err(fault)?;
                is_stopped = made.is_stopped;
            }
            Err(problem) => {
                if problems.len() < PROBLEMS {
                    problems.push(Problem::of_file(&problem));
                }
                found.file(problem);
            }
        }
        if is_stopped {
            break;
        }
    }
    // If games could be read, errors of files are only among the problems.
    if found.counts.games == 0 {
        found.fail(py)?;
    }
    let text = py.detach(|| out.finish(is_stopped)).map_err(fault)?;
    Ok(Conversion {
        text,
        counts: found.counts,
        problems,
        is_stopped,
    })
}

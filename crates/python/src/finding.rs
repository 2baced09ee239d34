//! Findings about games and files.

use pyo3::prelude::*;
use serde::Serialize;
use tridex_core::FileFault;
use tridex_core::replay::finding::{self, Severity};

/// A row as a dictionary, with the keys that the command writes to NDJSON.
pub(crate) fn dictionary<'py>(
    py: Python<'py>,
    row: &(impl Serialize + ?Sized),
) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize::pythonize(py, row)?)
}

/// A row as a line of JSON, as the command writes it.
pub(crate) fn json_line(row: &impl Serialize) -> PyResult<String> {
    let mut line = Vec::new();
    tridex_core::text::json::write_line(&mut line, row)?;
    line.pop();
    Ok(String::from_utf8(line)?)
}

/// One finding about one game.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Finding {
    found: finding::Finding,
}

impl Finding {
    pub(crate) const fn new(found: finding::Finding) -> Self {
        Self { found }
    }
}

#[pymethods]
impl Finding {
    /// `error`, `warning` or `info`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.found.severity.as_str()
    }

    /// What kind of finding it is, such as `illegal`.
    #[getter]
    fn code(&self) -> &'static str {
        self.found.code.as_str()
    }

    /// The ply it is about, from 1; None if it is about none.
    #[getter]
    fn ply(&self) -> Option<u32> {
        (self.found.ply > 0).then_some(self.found.ply)
    }

    /// The number of the move, such as `12.` or `12...`; empty if it is about none.
    #[getter]
    fn move_number(&self) -> &str {
        &self.found.number
    }

    /// The token as written; empty if it is about none.
    #[getter]
    fn token(&self) -> &str {
        &self.found.token
    }

    /// The line, from 1.
    #[getter]
    fn line(&self) -> u64 {
        self.found.line
    }

    /// The column in characters, from 1.
    #[getter]
    fn column(&self) -> u64 {
        self.found.column
    }

    /// What is wrong and why.
    #[getter]
    fn message(&self) -> &str {
        &self.found.message
    }

    /// Legal moves near to what is written, or the readings of an ambiguous token.
    #[getter]
    fn alternatives(&self) -> Vec<&str> {
        self.found.alternatives.iter().map(String::as_str).collect()
    }

    /// Moves of which one or two may be missing, at the places that the corrections give.
    #[getter]
    fn missing(&self) -> Vec<&str> {
        self.found.missing.iter().map(String::as_str).collect()
    }

    /// What the token should read, if that is sure; other changes are among the corrections.
    #[getter]
    fn suggestion(&self) -> Option<&str> {
        self.found.suggestion.as_deref()
    }

    /// The likeliest slips that would explain why the game breaks, the likeliest first.
    #[getter]
    fn corrections(&self, py: Python<'_>) -> PyResult<Vec<Correction>> {
        let corrections = self.found.corrections.iter();
        corrections
            .map(|found| Correction::new(py, found))
            .collect()
    }

    fn __str__(&self) -> String {
        let found = &self.found;
        let severity = found.severity.as_str();
        format!(
            "{}:{}: {severity}: {}",
            found.line, found.column, found.message
        )
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.__str__())
    }
}

/// Changes to a record that let the rest of the game be read.
#[pyclass(frozen, get_all, module = "tridex")]
pub(crate) struct Correction {
    /// What went wrong.
    slip: &'static str,
    /// How much is assumed: the less, the likelier.
    cost: u32,
    /// The correction in words.
    words: String,
    /// What to change.
    changes: Vec<Py<Change>>,
}

impl Correction {
    fn new(py: Python<'_>, correction: &finding::Correction) -> PyResult<Self> {
        let changes = correction.changes.iter();
        let changes = changes.map(|change| Py::new(py, Change::new(change)));
        Ok(Self {
            slip: correction.slip,
            cost: correction.cost,
            words: correction.words(),
            changes: changes.collect::<PyResult<_>>()?,
        })
    }
}

#[pymethods]
impl Correction {
    fn __repr__(&self) -> String {
        format!("<Correction {}>", self.words)
    }
}

/// A change to a record.
#[pyclass(frozen, get_all, module = "tridex")]
pub(crate) struct Change {
    /// The ply, from 1.
    ply: u32,
    /// The number of the move, such as `12.` or `12...`.
    move_number: String,
    /// The token as written; empty if one is missing.
    token: String,
    /// What to write in its place; empty to omit it.
    text: String,
    /// What went wrong.
    slip: &'static str,
    /// The line, from 1.
    line: u64,
    /// The column in characters, from 1.
    column: u64,
}

impl Change {
    fn new(change: &finding::Change) -> Self {
        Self {
            ply: change.ply,
            move_number: change.number.clone(),
            token: change.token.clone(),
            text: change.text.clone(),
            slip: change.slip,
            line: change.line,
            column: change.column,
        }
    }
}

/// A row of the table of problems: a finding with its file and game, or a problem of a file.
#[pyclass(frozen, module = "tridex")]
#[derive(Clone)]
pub(crate) struct Problem {
    /// The file.
    #[pyo3(get)]
    file: String,
    /// The number of the game in the file, from 1; None if it belongs to no game.
    #[pyo3(get)]
    game: Option<u64>,
    /// The line, from 1.
    #[pyo3(get)]
    line: u64,
    /// The column in characters, from 1.
    #[pyo3(get)]
    column: u64,
    /// The ply it is about, from 1; None if it is about none.
    #[pyo3(get)]
    ply: Option<u32>,
    severity: Severity,
    /// What kind of problem it is.
    #[pyo3(get)]
    code: &'static str,
    /// The token as written; empty if it is about none.
    #[pyo3(get)]
    token: String,
    /// What is wrong and why.
    #[pyo3(get)]
    message: String,
    /// Legal moves near to what is written, or the readings of an ambiguous token.
    #[pyo3(get)]
    legal: Vec<String>,
    /// What the token should read, if that is sure.
    #[pyo3(get)]
    suggestion: Option<String>,
    /// The one likely correction in words, each change with its line and column; at this token or elsewhere.
    #[pyo3(get)]
    correction: Option<String>,
}

impl Problem {
    /// Copies a row.
    pub(crate) fn of_row(row: &finding::Problem<'_>) -> Self {
        Self {
            file: row.file.to_owned(),
            game: row.game,
            line: row.line,
            column: row.column,
            ply: row.ply,
            severity: row.severity,
            code: row.code,
            token: row.token.to_owned(),
            message: row.message.to_owned(),
            legal: row.legal.to_vec(),
            suggestion: row.suggestion.map(str::to_owned),
            correction: row.correction.clone(),
        }
    }

    fn as_row(&self) -> finding::Problem<'_> {
        finding::Problem {
            file: &self.file,
            game: self.game,
            line: self.line,
            column: self.column,
            ply: self.ply,
            severity: self.severity,
            code: self.code,
            token: &self.token,
            message: &self.message,
            legal: &self.legal,
            suggestion: self.suggestion.as_deref(),
            correction: self.correction.clone(),
        }
    }

    /// The problem of a finding.
    pub(crate) fn of_finding(file: &str, game: Option<u64>, found: &finding::Finding) -> Self {
        Self::of_row(&finding::Problem::new(file, game, found))
    }

    /// The problem of a file.
    pub(crate) fn of_file(problem: &FileFault) -> Self {
        Self::of_row(&problem.fault.problem(&problem.file))
    }
}

#[pymethods]
impl Problem {
    /// `error`, `warning` or `info`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.severity.as_str()
    }

    /// The row as a line of JSON.
    #[getter]
    fn json(&self) -> PyResult<String> {
        json_line(&self.as_row())
    }

    /// The row as a dictionary, as the command `tridex validate --problems --format ndjson` writes it.
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &self.as_row())
    }

    fn __str__(&self) -> String {
        let game = self.game.map(|game| format!("game {game}: "));
        let (file, line, column) = (&self.file, self.line, self.column);
        let (severity, game) = (self.severity.as_str(), game.unwrap_or_default());
        format!("{file}:{line}:{column}: {severity}: {game}{}", self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Problem {}>", self.__str__())
    }
}
